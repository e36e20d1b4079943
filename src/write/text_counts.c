/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of execution counts: how much of the program was executed, and
 * what of it was not. */
#include "write/text.h"

static int add_executed(void *context, const struct etm_count *count)
{
    uint64_t *n = context;

    *n += count->n * count->insns;
    return ETM_OK;
}

int etm_text_counts(struct etm_listing *l, const struct etm_counts *counts)
{
    struct etm_text *text = l->state;
    const struct etm_gaps *gaps = l->source.gaps;
    struct etm_out *out = &l->out;
    uint64_t n = 0;
    int status = etm_counts_walk(counts, add_executed, &n);

    if (status == ETM_OK)
        status = etm_coverage_doc_add(&text->coverage, l, counts);
    if (status != ETM_OK)
        return status;
    etm_out_line(out);
    etm_out_decimal(out, n);
    etm_out_word(out, n == 1 ? " instruction executed\n"
                             : " instructions executed\n");
    if (gaps && etm_gaps_count(gaps) != 0) {
        etm_text_colour(l, ETM_COLOUR_GAP);
        etm_coverage_put_gaps(out, gaps, NULL);
        etm_text_colour(l, ETM_COLOUR_NONE);
        etm_out_char(out, '\n');
    }
    etm_out_char(out, '\n');
    text->apart = true;
    return ETM_OK;
}

/* What is shown of a file. */
struct shares {
    uint64_t part[4], whole[4]; /* lines, branches, functions, instructions */
};

static void add_file(struct shares *s, const struct etm_covered_file *file)
{
    static const uint8_t kinds[3] = {ETM_COVERED_LINE, ETM_COVERED_BRANCH,
                                     ETM_COVERED_FUNCTION};

    for (unsigned i = 0; i < 3; i++) {
        s->part[i] += file->hit[kinds[i]];
        s->whole[i] +=
            file->n[kinds[i]] * (kinds[i] == ETM_COVERED_BRANCH ? 2u : 1u);
    }
    s->part[3] += file->ran;
    s->whole[3] += file->insns;
}

/* " 78.3%     47/60    " */
static void put_share(struct etm_out *out, uint64_t part, uint64_t whole)
{
    char *begin;

    if (whole == 0) {
        etm_out_blanks(out, 18);
        etm_out_char(out, '-');
        etm_out_char(out, ' ');
        return;
    }
    etm_out_decimal_width(out, 100 * part / whole, 4);
    etm_out_char(out, '.');
    etm_out_char(out, (char)('0' + 1000 * part / whole % 10));
    ETM_OUT(out, "% ");
    begin = out->next;
    etm_out_decimal(out, part);
    etm_out_char(out, '/');
    etm_out_decimal(out, whole);
    if (out->next - begin < 12)
        etm_out_blanks(out, (size_t)(12 - (out->next - begin)));
}

static void put_shares(struct etm_out *out, const struct shares *s,
                       const char *name)
{
    etm_out_line(out);
    for (unsigned i = 0; i < 4; i++)
        put_share(out, s->part[i], s->whole[i]);
    etm_out_char(out, ' ');
    etm_out_plain(out, name);
    etm_out_char(out, '\n');
}

/* Files of which nothing was executed are many, and share a line. */
static void put_files(struct etm_listing *l, const struct etm_covered *all,
                      size_t n)
{
    struct shares others = {{0}, {0}}, total = {{0}, {0}};
    struct etm_out *out = &l->out;
    struct etm_covered_file file;
    uint64_t n_others = 0;

    etm_text_colour(l, ETM_COLOUR_TITLE);
    ETM_OUT(out, "  lines              branches           functions          "
                 "instructions        file\n");
    etm_text_colour(l, ETM_COLOUR_NONE);
    for (size_t i = 0; i < n && out->status == ETM_OK;) {
        struct shares shares = {{0}, {0}};

        i += etm_covered_file(&file, all + i, n - i);
        if (!file.name)
            continue;
        add_file(&shares, &file);
        add_file(&total, &file);
        if (shares.part[0] != 0) {
            put_shares(out, &shares, file.name);
            continue;
        }
        add_file(&others, &file);
        n_others++;
    }
    if (n_others != 0)
        put_shares(out, &others,
                   n_others == 1 ? "one other file" : "other files");
    put_shares(out, &total, "total");
}

/* The heading of a list, before its first row. */
static void head(struct etm_listing *l, const char *text, bool *done)
{
    struct etm_text *state = l->state;

    etm_out_line(&l->out);
    if (*done)
        return;
    *done = true;
    if (!state->apart)
        etm_out_char(&l->out, '\n');
    state->apart = false;
    etm_text_colour(l, ETM_COLOUR_TITLE);
    etm_out_word(&l->out, text);
    etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(&l->out, '\n');
}

/* "  app.c:12  sensor_read+0x1e", as far as it is known. */
static void put_place(struct etm_out *out, const struct etm_covered *c)
{
    ETM_OUT(out, "  ");
    if (c->file) {
        etm_out_plain(out, c->file);
        etm_out_char(out, ':');
        etm_out_decimal(out, c->line);
        ETM_OUT(out, "  ");
    }
    if (!c->name) {
        ETM_OUT(out, "0x");
        etm_out_hex32(out, c->address);
        return;
    }
    etm_out_plain(out, c->name);
    if (etm_covered_is_two(c)) {
        ETM_OUT(out, "+0x");
        etm_out_hex_short(out, c->offset);
    }
}

/* Functions that did not run, in files of which something did. */
static void put_functions(struct etm_listing *l, const struct etm_covered *all,
                          size_t n, bool sure)
{
    struct etm_covered_file file;
    bool done = false;

    for (size_t i = 0; i < n && l->out.status == ETM_OK;) {
        i += etm_covered_file(&file, all + i, n - i);
        for (size_t j = 0; j < file.n[ETM_COVERED_FUNCTION] &&
                           file.hit[ETM_COVERED_FUNCTION] != 0;
             j++) {
            const struct etm_covered *c = &file.facts[ETM_COVERED_FUNCTION][j];

            if (c->n != 0)
                continue;
            head(l,
                 sure ? "functions not executed while traced"
                      : "functions not seen, perhaps executed in gaps",
                 &done);
            put_place(&l->out, c);
            etm_out_char(&l->out, '\n');
        }
    }
}

/* One of the two ways of a branch or a condition. */
struct way {
    uint8_t kind;
    const char *title, *doubt; /* if there are gaps */
    const char *never, *always;
};

/* The text of a line of a file, without its indentation; `*line` are those of
 * this and later lines, and is moved there. NULL: not known. */
static const char *text_of(const struct etm_covered **line,
                           const struct etm_covered *end, uint32_t number)
{
    const char *text;

    while (*line < end && (*line)->line < number)
        ++*line;
    text = *line < end && (*line)->line == number
               ? etm_covered_text(*line, number)
               : NULL;
    while (text && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

static void put_way(struct etm_out *out, const struct etm_covered *c,
                    const struct way *way, const char *text)
{
    put_place(out, c);
    ETM_OUT(out, "  ");
    etm_out_word(out, c->n == 0 ? way->never : way->always);
    ETM_OUT(out, " in ");
    etm_out_decimal(out, c->n + c->other);
    if (text) {
        ETM_OUT(out, "  ");
        etm_out_plain(out, text);
    }
    etm_out_char(out, '\n');
}

static void put_one_way(struct etm_listing *l, const struct etm_covered *all,
                        size_t n, const struct way *way, bool sure)
{
    struct etm_covered_file file;
    bool done = false;

    for (size_t i = 0; i < n && l->out.status == ETM_OK;) {
        const struct etm_covered *line, *end;

        i += etm_covered_file(&file, all + i, n - i);
        line = file.facts[ETM_COVERED_LINE];
        end = line ? line + file.n[ETM_COVERED_LINE] : NULL;
        for (size_t j = 0; j < file.n[way->kind]; j++) {
            const struct etm_covered *c = &file.facts[way->kind][j];

            /* of some that the trace does not tell, either may have happened */
            if ((c->n == 0) == (c->other == 0) || c->open != 0)
                continue;
            head(l, sure ? way->title : way->doubt, &done);
            put_way(&l->out, c, way, text_of(&line, end, c->line));
        }
    }
}

void etm_text_finish(struct etm_listing *l)
{
    static const struct way ways[2] = {
        {ETM_COVERED_BRANCH, "branches that went one way only",
         "branches seen to go one way only, perhaps the other one in gaps",
         "never taken", "always taken"},
        {ETM_COVERED_CONDITION, "conditional instructions that went one way",
         "conditional instructions seen to go one way only, perhaps the other "
         "one in gaps",
         "never passed", "always passed"}};
    struct etm_text *text = l->state;
    struct etm_coverage_doc *doc = &text->coverage;
    const struct etm_covered *all;
    bool sure = etm_gaps_count(&doc->gaps) == 0;

    if (!doc->begun)
        return;
    etm_covered_join(&doc->facts);
    all = doc->facts.data;
    if (doc->facts.n != 0 && all[doc->facts.n - 1].file) {
        put_files(l, all, doc->facts.n);
        text->apart = false;
    }
    put_functions(l, all, doc->facts.n, sure);
    for (unsigned i = 0; i < 2; i++)
        put_one_way(l, all, doc->facts.n, &ways[i], sure);
}
