/* SPDX-License-Identifier: Apache-2.0 */
#include "counts_side.h"
#include "../support/test.h"

struct etm_test_elements counts_ranges, counts_others;

void counts_decode(const struct etm_config *config,
                   const struct etm_image *image, enum etm_level level,
                   const struct counts_way *way, const uint8_t *bytes, size_t n,
                   struct etm_test_elements *out, struct etm_decoder **decoder)
{
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = config,
                                     .image = image,
                                     .level = level,
                                     .elements = etm_test_collect,
                                     .context = out};
    struct etm_decoder *d;

    out->n = 0;
    assert_ok(etm_decoder_new(&d, &how));
    if (way->blocks != 0)
        etm_decoder_limit(d, way->blocks);
    for (size_t at = 0; at < n; at += way->piece)
        assert_ok(etm_decoder_push(d, bytes + at,
                                   n - at < way->piece ? n - at : way->piece));
    assert_ok(etm_decoder_finish(d));
    *decoder = d;
}

/* Of its own: a mistake of the library's would show. */
static struct etm_count count_of(const struct etm_element *e)
{
    return (struct etm_count){.n = 1,
                              .start = e->u.range.start,
                              .end = e->u.range.end,
                              .insns = e->u.range.n,
                              .last_address = e->u.range.last_address,
                              .isa = e->u.range.isa,
                              .last_type = e->u.range.last_type,
                              .last_exec = e->u.range.last_exec,
                              .last_flags = e->u.range.last_flags};
}

/* Each field of the key, the one that orders most first. */
static int order(const void *a, const void *b)
{
    const struct etm_count *x = a, *y = b;

#define BY(field)                                                              \
    if (x->field != y->field)                                                  \
    return x->field < y->field ? -1 : 1
    BY(start);
    BY(end);
    BY(isa);
    BY(last_type);
    BY(last_flags);
    BY(last_exec);
    BY(insns);
    BY(last_address);
#undef BY
    return 0;
}

int counts_compare_row(void *context, const struct etm_count *count)
{
    struct counts_rows *rows = context;

    if (rows->at == rows->n)
        rows->wrong = "a row too many";
    else if (order(&rows->expected[rows->at], count) != 0)
        rows->wrong = "another row";
    else if (rows->expected[rows->at].n != count->n)
        rows->wrong = "another count";
    rows->at++;
    return rows->wrong != NULL;
}

/* Take the counts_ranges out of `counts_ranges`, and count them in order;
 * returns how many rows there are in *counts, which is the caller's. *cycles
 * become theirs. */
size_t counts_tally(struct etm_count **counts, uint64_t *cycles)
{
    struct etm_count *all = malloc((counts_ranges.n + 1) * sizeof *all);
    size_t n = 0, kept = 0, rows = 0;

    assert_non_null(all);
    *cycles = 0;
    for (size_t i = 0; i < counts_ranges.n; i++) {
        const struct etm_element *e = &counts_ranges.all[i];

        if (e->kind == ETM_ELEMENT_RANGE) {
            all[n++] = count_of(e);
            if (e->u.range.cycles != ETM_CYCLES_UNKNOWN)
                *cycles += e->u.range.cycles;
        } else {
            counts_ranges.all[kept] = *e;
            counts_ranges.all[kept].since_known = false;
            counts_ranges.all[kept++].since = 0;
        }
    }
    counts_ranges.n = kept;
    qsort(all, n, sizeof *all, order);
    for (size_t i = 0; i < n; i++) {
        if (rows != 0 && order(&all[rows - 1], &all[i]) == 0)
            all[rows - 1].n++;
        else
            all[rows++] = all[i];
    }
    *counts = all;
    return rows;
}

/* Leave of `counts_ranges` what ETM_LEVEL_COVERAGE gives. */
static void leave_missing(void)
{
    size_t kept = 0;

    for (size_t i = 0; i < counts_ranges.n; i++) {
        const struct etm_element *e = &counts_ranges.all[i];

        if (e->kind == ETM_ELEMENT_TRACE_ON || e->kind == ETM_ELEMENT_LOST ||
            e->kind == ETM_ELEMENT_NO_IMAGE || e->kind == ETM_ELEMENT_END)
            counts_ranges.all[kept++] = *e;
    }
    counts_ranges.n = kept;
}

const char *counts_compare(const struct etm_config *config,
                           const struct etm_image *image,
                           const struct counts_way *way, const uint8_t *bytes,
                           size_t n)
{
    static const enum etm_level levels[] = {ETM_LEVEL_COUNTS,
                                            ETM_LEVEL_COVERAGE};
    struct etm_decoder *d;
    struct etm_count *expected;
    const char *wrong = NULL;
    uint64_t cycles;
    size_t n_rows;

    counts_decode(config, image, ETM_LEVEL_RANGES, way, bytes, n,
                  &counts_ranges, &d);
    etm_decoder_free(d);
    n_rows = counts_tally(&expected, &cycles);
    for (size_t i = 0; i < 2 && wrong == NULL; i++) {
        struct counts_rows rows = {expected, n_rows, 0, NULL};

        if (levels[i] == ETM_LEVEL_COVERAGE) {
            leave_missing();
            cycles = 0;
        }
        counts_decode(config, image, levels[i], way, bytes, n, &counts_others,
                      &d);
        (void)etm_decoder_counts(d, counts_compare_row, &rows);
        if (rows.wrong == NULL && rows.at != rows.n)
            rows.wrong = "a row is missing";
        if (rows.wrong == NULL &&
            (counts_others.n != counts_ranges.n ||
             memcmp(counts_others.all, counts_ranges.all,
                    counts_ranges.n * sizeof *counts_ranges.all) != 0))
            rows.wrong = "another element";
        if (rows.wrong == NULL && etm_decoder_counted_cycles(d) != cycles)
            rows.wrong = "other cycles";
        etm_decoder_free(d);
        wrong = rows.wrong;
    }
    free(expected);
    return wrong;
}
