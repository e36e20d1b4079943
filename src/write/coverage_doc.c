/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage in formats that show all sources of a listing together. */
#include "write/coverage.h"

int etm_coverage_doc_add(struct etm_coverage_doc *doc,
                         const struct etm_listing *l,
                         const struct etm_counts *counts)
{
    if (!doc->begun)
        etm_vec_init(&doc->facts, sizeof(struct etm_covered),
                     &l->out.allocator);
    doc->begun = true;
    for (unsigned i = 0; l->source.gaps && i < ETM_GAPS; i++)
        doc->gaps.n[i] += l->source.gaps->n[i];
    return etm_covered_gather(&doc->facts, l, counts);
}

int etm_coverage_doc_counts(struct etm_listing *l,
                            const struct etm_counts *counts)
{
    struct etm_coverage_doc *doc = l->state;
    size_t before = doc->facts.n;
    int status = etm_coverage_doc_add(doc, l, counts);
    const struct etm_covered *all = doc->facts.data;

    if (status != ETM_OK)
        return status;
    for (size_t i = before; i < doc->facts.n; i++)
        if (all[i].file)
            return ETM_OK;
    return ETM_ERR_NOT_FOUND;
}

void etm_coverage_doc_free(struct etm_coverage_doc *doc)
{
    if (doc->begun)
        etm_vec_fini(&doc->facts);
}

void etm_coverage_doc_fini(struct etm_listing *l)
{
    etm_coverage_doc_free(l->state);
}

void etm_coverage_put_gaps(struct etm_out *out, const struct etm_gaps *gaps,
                           const char *name)
{
    static const char *const what[ETM_GAPS] = {
        [ETM_GAP_OFF] = "tracing was off",
        [ETM_GAP_OVERFLOW] = "the FIFO overflowed",
        [ETM_GAP_LOST] = "trace was lost",
        [ETM_GAP_NO_CODE] = "unknown code ran",
    };
    const char *apart = "";

    if (etm_gaps_count(gaps) == 0)
        return;
    if (name) {
        etm_out_plain(out, name);
        ETM_OUT(out, ": ");
    }
    for (unsigned i = 0; i < ETM_GAPS; i++) {
        if (gaps->n[i] == 0)
            continue;
        etm_out_word(out, apart);
        etm_out_word(out, what[i]);
        etm_out_char(out, ' ');
        etm_out_decimal(out, gaps->n[i]);
        etm_out_word(out, gaps->n[i] == 1 ? " time" : " times");
        apart = ", ";
    }
    ETM_OUT(out, ": code that was not seen may have been executed then");
}

void etm_coverage_put_rate(struct etm_out *out, uint64_t part, uint64_t whole)
{
    uint64_t rate =
        whole == 0 ? 10000 : (uint64_t)(10000.0 * (double)part / (double)whole);

    etm_out_decimal(out, rate / 10000);
    etm_out_char(out, '.');
    for (uint64_t unit = 1000; unit > 0; unit /= 10)
        etm_out_char(out, (char)('0' + rate / unit % 10));
}
