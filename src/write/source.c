/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage in the source: the lines of each file in the form of gcov, with
 * their counts before them, and what branches and conditions did behind them.
 */
#include "write/coverage.h"

/* One file, line by line. */
struct annotating {
    struct etm_out *out;
    const struct etm_covered_file *file;
    const struct etm_covered *next[ETM_COVERED_KINDS]; /* of each kind */
    bool sure; /* what has no executions was not executed */
};

/* The next one of a kind; NULL: there is none. */
static const struct etm_covered *peek(const struct annotating *a, unsigned kind)
{
    const struct etm_covered *c = a->next[kind];

    return c && c != a->file->facts[kind] + a->file->n[kind] ? c : NULL;
}

/* The next one of a kind, if it is of this line, which is passed then; else
 * NULL. */
static const struct etm_covered *take(struct annotating *a,
                                      enum etm_covered_kind kind, uint32_t line)
{
    const struct etm_covered *c = peek(a, kind);

    if (!c || c->line != line)
        return NULL;
    a->next[kind]++;
    return c;
}

/* "       23:    8:" */
static void put_columns(struct annotating *a, const struct etm_covered *c,
                        uint32_t line)
{
    struct etm_out *o = a->out;

    etm_out_line(o);
    if (!c)
        ETM_OUT(o, "        -");
    else if (c->n == 0)
        etm_out_word(o, a->sure ? "    #####" : "    ?????");
    else
        etm_out_decimal_width(o, c->n, 9);
    etm_out_char(o, ':');
    etm_out_decimal_width(o, line, 5);
    etm_out_char(o, ':');
}

/* "branch  0 taken 3" */
static void put_branch(struct etm_out *o, size_t number,
                       const struct etm_covered *c, bool taken)
{
    etm_out_line(o);
    ETM_OUT(o, "branch ");
    etm_out_decimal_width(o, number, 2);
    if (c->n + c->other + c->open == 0) {
        ETM_OUT(o, " never executed");
    } else {
        ETM_OUT(o, " taken ");
        etm_out_decimal(o, taken ? c->n : c->other);
    }
    etm_out_word(o, taken ? "\n" : " (fallthrough)\n");
}

static void put_condition(struct etm_out *o, const struct etm_covered *c)
{
    if (c->n + c->other == 0)
        return; /* the trace does not tell, or it was not reached */
    etm_out_line(o);
    ETM_OUT(o, "condition passed ");
    etm_out_decimal(o, c->n);
    ETM_OUT(o, " failed ");
    etm_out_decimal(o, c->other);
    if (c->open != 0) {
        ETM_OUT(o, " not known ");
        etm_out_decimal(o, c->open);
    }
    etm_out_char(o, '\n');
}

static void put_line(struct annotating *a, uint32_t line, const char *text)
{
    const struct etm_covered *c;
    size_t number = 0;

    while ((c = take(a, ETM_COVERED_FUNCTION, line)) != NULL) {
        etm_out_line(a->out);
        ETM_OUT(a->out, "function ");
        etm_out_plain(a->out, c->name);
        ETM_OUT(a->out, " called ");
        etm_out_decimal(a->out, c->n);
        etm_out_char(a->out, '\n');
    }
    put_columns(a, take(a, ETM_COVERED_LINE, line), line);
    if (text)
        etm_out_plain(a->out, text);
    etm_out_char(a->out, '\n');
    while ((c = take(a, ETM_COVERED_BRANCH, line)) != NULL) {
        put_branch(a->out, number++, c, true);
        put_branch(a->out, number++, c, false);
    }
    while ((c = take(a, ETM_COVERED_CONDITION, line)) != NULL)
        put_condition(a->out, c);
}

/* The next line of which something is known; 0: there is none. */
static uint32_t next_line(const struct annotating *a)
{
    uint32_t line = 0;

    for (unsigned kind = 0; kind < ETM_COVERED_KINDS; kind++) {
        const struct etm_covered *c = peek(a, kind);

        if (c && (line == 0 || c->line < line))
            line = c->line;
    }
    return line;
}

static void put_file(struct etm_out *o, const struct etm_covered_file *file,
                     bool sure)
{
    const struct etm_covered *first = file->facts[ETM_COVERED_LINE];
    struct annotating a = {.out = o, .file = file, .sure = sure};
    uint32_t line = 0;

    for (unsigned kind = 0; kind < ETM_COVERED_KINDS; kind++)
        a.next[kind] = file->facts[kind];
    put_columns(&a, NULL, 0);
    ETM_OUT(o, "Source:");
    etm_out_plain(o, file->name);
    etm_out_char(o, '\n');
    while (first && line < first->n_texts && o->status == ETM_OK) {
        line++;
        put_line(&a, line, etm_covered_text(first, line));
    }
    /* without the file, those of its lines that are known */
    while ((line = next_line(&a)) != 0 && o->status == ETM_OK)
        put_line(&a, line, NULL);
}

static void source_finish(struct etm_listing *l)
{
    struct etm_coverage_doc *doc = l->state;
    struct etm_out *o = &l->out;
    struct etm_covered_file file;
    const struct etm_covered *all;
    bool sure = etm_gaps_count(&doc->gaps) == 0;

    etm_covered_join(&doc->facts);
    all = doc->facts.data;
    if (!sure) {
        put_columns(&(struct annotating){.out = o}, NULL, 0);
        etm_coverage_put_gaps(o, &doc->gaps, NULL);
        etm_out_char(o, '\n');
    }
    for (size_t i = 0; i < doc->facts.n && o->status == ETM_OK;) {
        i += etm_covered_file(&file, all + i, doc->facts.n - i);
        if (file.name)
            put_file(o, &file, sure);
    }
}

static void source_begin(struct etm_listing *l)
{
    (void)l;
}

const struct etm_format etm_format_source = {
    .about = {.name = "source",
              .extension = "gcov",
              .description = "source code with counts, as gcov writes it",
              .takes = ETM_LISTING_COUNTS},
    .state_size = sizeof(struct etm_coverage_doc),
    .begin = source_begin,
    .counts = etm_coverage_doc_counts,
    .finish = source_finish,
    .fini = etm_coverage_doc_fini,
};
