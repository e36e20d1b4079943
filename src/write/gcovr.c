/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage in the JSON format of gcovr, version 0.3, that of gcovr 5. */
#include "write/coverage.h"

/* Text as a JSON string, of any length. */
static void put_string(struct etm_out *o, const char *text)
{
    char piece[6 * ETM_NAME_SHOWN + 16], cut[ETM_NAME_SHOWN + 1];

    etm_out_text(
        o, etm_json_string(etm_name_shown(text, cut), piece, sizeof piece));
}

static void put_outcome(struct etm_out *o, uint64_t n, bool fallthrough)
{
    etm_out_line(o);
    ETM_OUT(o, "{\"count\":");
    etm_out_decimal(o, n);
    etm_out_word(o, fallthrough ? ",\"fallthrough\":true"
                                : ",\"fallthrough\":false");
    ETM_OUT(o, ",\"throw\":false}");
}

static void put_line(struct etm_out *o, const struct etm_covered *line,
                     const struct etm_covered *branches, size_t n)
{
    etm_out_line(o);
    ETM_OUT(o, "{\"line_number\":");
    etm_out_decimal(o, line->line);
    ETM_OUT(o, ",\"count\":");
    etm_out_decimal(o, line->n);
    ETM_OUT(o, ",\"branches\":[");
    for (size_t i = 0; i < n; i++) {
        put_outcome(o, branches[i].n, false);
        etm_out_char(o, ',');
        put_outcome(o, branches[i].other, true);
        if (i + 1 < n)
            etm_out_char(o, ',');
    }
    ETM_OUT(o, "],\"gcovr/noncode\":false,\"gcovr/excluded\":false}");
}

static void put_file(struct etm_out *o, const struct etm_covered_file *file)
{
    const struct etm_covered *branch = file->facts[ETM_COVERED_BRANCH];
    const struct etm_covered *end =
        branch ? branch + file->n[ETM_COVERED_BRANCH] : NULL;

    ETM_OUT(o, "\n{\"file\":");
    put_string(o, file->name);
    ETM_OUT(o, ",\"lines\":[");
    for (size_t i = 0; i < file->n[ETM_COVERED_LINE]; i++) {
        const struct etm_covered *line = &file->facts[ETM_COVERED_LINE][i];
        size_t n = etm_covered_of_line(&branch, end, line->line);

        etm_out_word(o, i == 0 ? "\n" : ",\n");
        put_line(o, line, n != 0 ? branch - n : NULL, n);
    }
    ETM_OUT(o, "],\"functions\":[");
    for (size_t i = 0; i < file->n[ETM_COVERED_FUNCTION]; i++) {
        const struct etm_covered *function =
            &file->facts[ETM_COVERED_FUNCTION][i];

        etm_out_word(o, i == 0 ? "\n" : ",\n");
        ETM_OUT(o, "{\"name\":");
        put_string(o, function->name);
        ETM_OUT(o, ",\"lineno\":");
        etm_out_decimal(o, function->line);
        ETM_OUT(o, ",\"execution_count\":");
        etm_out_decimal(o, function->n);
        etm_out_char(o, '}');
        etm_out_line(o);
    }
    ETM_OUT(o, "]}");
}

static void gcovr_finish(struct etm_listing *l)
{
    struct etm_coverage_doc *doc = l->state;
    struct etm_out *o = &l->out;
    struct etm_covered_file file;
    const struct etm_covered *all;
    bool first = true;

    etm_covered_join(&doc->facts);
    all = doc->facts.data;
    etm_out_line(o);
    ETM_OUT(o, "{\"gcovr/format_version\":\"0.3\",");
    if (etm_gaps_count(&doc->gaps) != 0) {
        ETM_OUT(o, "\n\"etm/gaps\":\"");
        etm_coverage_put_gaps(o, &doc->gaps, NULL);
        ETM_OUT(o, "\",");
    }
    ETM_OUT(o, "\n\"files\":[");
    for (size_t i = 0; i < doc->facts.n && o->status == ETM_OK;) {
        i += etm_covered_file(&file, all + i, doc->facts.n - i);
        if (!file.name)
            continue;
        if (!first)
            etm_out_char(o, ',');
        first = false;
        put_file(o, &file);
    }
    ETM_OUT(o, "]}\n");
}

static void gcovr_begin(struct etm_listing *l)
{
    (void)l;
}

const struct etm_format etm_format_gcovr = {
    .about = {.name = "gcovr",
              .extension = "json",
              .description = "JSON of gcovr 5: lines, branches, functions",
              .takes = ETM_LISTING_COUNTS},
    .state_size = sizeof(struct etm_coverage_doc),
    .begin = gcovr_begin,
    .counts = etm_coverage_doc_counts,
    .finish = gcovr_finish,
    .fini = etm_coverage_doc_fini,
};
