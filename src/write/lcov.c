/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution counts as a tracefile of lcov, as geninfo(1) describes it: lines,
 * functions and branches of the program, executed or not. Each source is a test
 * of its own, which the readers add up.
 */
#include "write/coverage.h"

/* The rest of a record: a name cannot begin another one. */
static void put_name(struct etm_out *o, const char *name)
{
    etm_out_plain(o, name);
    etm_out_char(o, '\n');
}

/* "FNDA:5,main" */
static void put_named(struct etm_out *o, const char *record, uint64_t n,
                      const char *name)
{
    etm_out_line(o);
    etm_out_word(o, record);
    etm_out_decimal(o, n);
    etm_out_char(o, ',');
    put_name(o, name);
}

/* "LF:5" and "LH:3" */
static void put_sums(struct etm_out *o, const char *found, size_t n,
                     const char *hit, size_t n_hit)
{
    etm_out_line(o);
    etm_out_word(o, found);
    etm_out_decimal(o, n);
    etm_out_char(o, '\n');
    etm_out_word(o, hit);
    etm_out_decimal(o, n_hit);
    etm_out_char(o, '\n');
}

static void put_functions(struct etm_out *o, const struct etm_covered *facts,
                          size_t n, size_t hit)
{
    for (size_t i = 0; i < n; i++)
        put_named(o, "FN:", facts[i].line, facts[i].name);
    for (size_t i = 0; i < n; i++)
        put_named(o, "FNDA:", facts[i].n, facts[i].name);
    put_sums(o, "FNF:", n, "FNH:", hit);
}

/* A branch is the block with the number of its address, in which 0 is taken: it
 * is the same in all runs of a program, whichever others they reached. */
static void put_way(struct etm_out *o, const struct etm_covered *fact, char way,
                    uint64_t n)
{
    etm_out_line(o);
    ETM_OUT(o, "BRDA:");
    etm_out_decimal(o, fact->line);
    etm_out_char(o, ',');
    etm_out_decimal(o, fact->address);
    etm_out_char(o, ',');
    etm_out_char(o, way);
    etm_out_char(o, ',');
    if (fact->n + fact->other + fact->open == 0)
        etm_out_char(o, '-'); /* it was not reached */
    else
        etm_out_decimal(o, n);
    etm_out_char(o, '\n');
}

static void put_branches(struct etm_out *o, const struct etm_covered *facts,
                         size_t n, size_t hit)
{
    for (size_t i = 0; i < n; i++) {
        put_way(o, &facts[i], '0', facts[i].n);
        put_way(o, &facts[i], '1', facts[i].other);
    }
    put_sums(o, "BRF:", 2 * n, "BRH:", hit);
}

static void put_lines(struct etm_out *o, const struct etm_covered *facts,
                      size_t n, size_t hit)
{
    for (size_t i = 0; i < n; i++) {
        etm_out_line(o);
        ETM_OUT(o, "DA:");
        etm_out_decimal(o, facts[i].line);
        etm_out_char(o, ',');
        etm_out_decimal(o, facts[i].n);
        etm_out_char(o, '\n');
    }
    put_sums(o, "LF:", n, "LH:", hit);
}

/* The records of one file. */
static void put_file(struct etm_out *o, const struct etm_covered_file *file)
{
    static void (*const put[ETM_COVERED_KINDS])(
        struct etm_out *, const struct etm_covered *, size_t, size_t) = {
        [ETM_COVERED_FUNCTION] = put_functions,
        [ETM_COVERED_BRANCH] = put_branches,
        [ETM_COVERED_LINE] = put_lines,
    };

    etm_out_line(o);
    ETM_OUT(o, "SF:");
    put_name(o, file->name);
    for (unsigned kind = 0; kind < ETM_COVERED_KINDS; kind++)
        if (file->n[kind] != 0 && put[kind])
            put[kind](o, file->facts[kind], file->n[kind], file->hit[kind]);
    etm_out_line(o);
    ETM_OUT(o, "end_of_record\n");
}

/* A test name has letters, digits and underscores only. */
static void put_test(struct etm_out *o, const char *name)
{
    etm_out_line(o);
    ETM_OUT(o, "TN:");
    for (; *name; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') ||
                     (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9');

        etm_out_line(o);
        etm_out_char(o, plain ? *name : '_');
    }
    etm_out_char(o, '\n');
}

/* Readers skip what begins with no keyword of theirs. */
static void put_gaps(struct etm_out *o, const struct etm_listing_source *source)
{
    if (!source->gaps || etm_gaps_count(source->gaps) == 0)
        return;
    ETM_OUT(o, "# ");
    etm_coverage_put_gaps(o, source->gaps, source->name);
    etm_out_char(o, '\n');
}

static int lcov_counts(struct etm_listing *l, const struct etm_counts *counts)
{
    struct etm_covered_file file;
    const struct etm_covered *all;
    struct etm_vec facts;
    bool any = false;
    int status;

    etm_vec_init(&facts, sizeof(struct etm_covered), &l->out.allocator);
    status = etm_covered_gather(&facts, l, counts);
    if (status == ETM_OK)
        etm_covered_join(&facts);
    all = facts.data;
    for (size_t i = 0; status == ETM_OK && i < facts.n;) {
        i += etm_covered_file(&file, all + i, facts.n - i);
        if (!file.name)
            continue;
        if (!any) {
            put_test(&l->out, l->source.name ? l->source.name : "");
            put_gaps(&l->out, &l->source);
        }
        any = true;
        put_file(&l->out, &file);
        status = l->out.status;
    }
    etm_vec_fini(&facts);
    return status == ETM_OK && !any ? ETM_ERR_NOT_FOUND : status;
}

static void lcov_begin(struct etm_listing *l)
{
    (void)l;
}

const struct etm_format etm_format_lcov = {
    .about = {.name = "lcov",
              .extension = "info",
              .description = "tracefile of lcov: lines, branches, functions",
              .takes = ETM_LISTING_COUNTS},
    .begin = lcov_begin,
    .counts = lcov_counts,
};
