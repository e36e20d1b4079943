/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/rows.h"

#include "cli/put.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct etm_cli_rows_group {
    unsigned id;
    struct etm_counts *counts;
    size_t *sources; /* that have the ID */
    size_t n;
};

/*
 * The sources of a group are numbered, and each row of its counts has the
 * number of its source in bits that are free there: symbols may differ, and
 * then the lines do.
 */
#define FLAG_BITS 4u
#define EXEC_BITS 2u
#define TYPE_BITS 2u
#define NUMBERS (1u << (24 - FLAG_BITS - EXEC_BITS - TYPE_BITS))

static_assert(ETM_INSN_EXCEPTION_RETURN == 1u << (FLAG_BITS - 1) &&
                  ETM_TRUE < 1 << EXEC_BITS &&
                  ETM_INSN_TYPE_OTHER < 1 << TYPE_BITS &&
                  ETM_INSN_TYPE_DIRECT < 1 << TYPE_BITS &&
                  ETM_INSN_TYPE_INDIRECT < 1 << TYPE_BITS &&
                  ETM_INSN_TYPE_BARRIER < 1 << TYPE_BITS,
              "the other bits are free");

static void mark(struct etm_count *row, size_t number)
{
    row->last_flags |= (uint8_t)(number << FLAG_BITS);
    number >>= 8 - FLAG_BITS;
    row->last_exec |= (uint8_t)(number << EXEC_BITS);
    number >>= 8 - EXEC_BITS;
    row->last_type |= (uint8_t)(number << TYPE_BITS);
}

/* Remove the number from a row, and return it. */
static size_t unmark(struct etm_count *row)
{
    size_t number = row->last_type >> TYPE_BITS;

    number = number << (8 - EXEC_BITS) | row->last_exec >> EXEC_BITS;
    number = number << (8 - FLAG_BITS) | row->last_flags >> FLAG_BITS;
    row->last_flags &= (1u << FLAG_BITS) - 1;
    row->last_exec &= (1u << EXEC_BITS) - 1;
    row->last_type &= (1u << TYPE_BITS) - 1;
    return number;
}

struct marking {
    struct etm_counts *counts;
    size_t number;
};

static int add_marked(void *context, const struct etm_count *count)
{
    const struct marking *m = context;
    struct etm_count row = *count;

    mark(&row, m->number);
    return etm_counts_add(m->counts, &row);
}

/* The group of an ID; NULL: there is no memory for it. */
static struct etm_cli_rows_group *group_of(struct etm_cli_rows *r, unsigned id)
{
    struct etm_cli_rows_group *groups;

    for (size_t i = 0; i < r->n; i++)
        if (r->groups[i].id == id)
            return &r->groups[i];
    groups = realloc(r->groups, (r->n + 1) * sizeof *groups);
    if (!groups)
        return NULL;
    r->groups = groups;
    groups[r->n] = (struct etm_cli_rows_group){.id = id};
    return &groups[r->n++];
}

/* The number of a source in its group; NUMBERS: there is no room for it. */
static size_t number_of(struct etm_cli_rows_group *g, size_t source)
{
    size_t i = 0, *sources;

    while (i < g->n && g->sources[i] != source)
        i++;
    if (i < g->n || i == NUMBERS)
        return i;
    sources = realloc(g->sources, (g->n + 1) * sizeof *sources);
    if (!sources)
        return NUMBERS;
    g->sources = sources;
    sources[g->n] = source;
    return g->n++;
}

bool etm_cli_rows_take(struct etm_cli_rows *r, unsigned id, size_t source,
                       struct etm_counts **counts)
{
    struct etm_cli_rows_group *g = group_of(r, id);
    struct marking marking = {NULL, g ? number_of(g, source) : NUMBERS};
    bool good = marking.number < NUMBERS;

    if (good && !g->counts) { /* and so the number is 0 */
        g->counts = *counts;
        *counts = NULL;
        return true;
    }
    if (good) {
        marking.counts = g->counts;
        good = etm_counts_walk(*counts, add_marked, &marking) == ETM_OK;
    }
    etm_counts_free(*counts);
    *counts = NULL;
    return good;
}

struct line {
    uint64_t n;
    size_t length;
    char text[ETM_CLI_ROW];
};

/* The current lines: those with the same start and end. */
struct printing {
    const struct etm_cli_rows_group *group;
    etm_cli_row_fn *fn;
    void *context;
    const char *close; /* after the number */
    struct etm_cli_output *output;
    uint32_t start, end;
    struct line **lines;
    size_t n, room;
};

static int compare(const void *a, const void *b)
{
    const struct line *const *x = a, *const *y = b;

    return strcmp((*x)->text, (*y)->text);
}

static void print_line(const struct printing *p, const struct line *line)
{
    char n[32], *at = etm_cli_put_decimal(n, line->n, 0);

    at = etm_cli_put_text(at, p->close);
    etm_cli_put(p->output, line->text, line->length);
    etm_cli_put(p->output, n, (size_t)(at - n));
}

static void print_lines(struct printing *p)
{
    if (p->n > 1)
        qsort(p->lines, p->n, sizeof *p->lines, compare);
    for (size_t i = 0; i < p->n; i++) {
        struct line *line = p->lines[i], *next;

        next = i + 1 < p->n ? p->lines[i + 1] : NULL;
        if (next && strcmp(line->text, next->text) == 0)
            next->n = line->n <= UINT64_MAX - next->n ? line->n + next->n
                                                      : UINT64_MAX;
        else
            print_line(p, line);
    }
    p->n = 0;
}

/* Room for one more line. */
static bool reserve(struct printing *p)
{
    struct line **lines;

    if (p->n < p->room)
        return true;
    lines = realloc(p->lines, (p->room + 1) * sizeof *lines);
    if (!lines)
        return false;
    p->lines = lines;
    lines[p->room] = malloc(sizeof **lines);
    if (!lines[p->room])
        return false;
    p->room++;
    return true;
}

static int print_row(void *context, const struct etm_count *count)
{
    struct printing *p = context;
    struct etm_count row = *count;
    size_t number = unmark(&row);
    struct line *line;

    assert(number < p->group->n);
    if (p->n != 0 && (row.start != p->start || row.end != p->end))
        print_lines(p);
    if (!reserve(p))
        return ETM_ERR_MEMORY;
    p->start = row.start;
    p->end = row.end;
    line = p->lines[p->n++];
    line->n = row.n;
    line->length = (size_t)(p->fn(p->context, p->group->id,
                                  p->group->sources[number], &row, line->text) -
                            line->text);
    line->text[line->length] = '\0';
    return p->output->closed || p->output->failed ? ETM_ERR_STOPPED : ETM_OK;
}

/* Compare IDs as they are in lines, followed by a comma. */
static int compare_ids(const void *a, const void *b)
{
    const struct etm_cli_rows_group *x = a, *y = b;
    char first[24], second[24];

    *etm_cli_put_text(etm_cli_put_decimal(first, x->id, 0), ",") = '\0';
    *etm_cli_put_text(etm_cli_put_decimal(second, y->id, 0), ",") = '\0';
    return strcmp(first, second);
}

bool etm_cli_rows_print(struct etm_cli_rows *r, etm_cli_row_fn *fn,
                        void *context, const char *end,
                        struct etm_cli_output *output)
{
    struct printing p = {
        .fn = fn, .context = context, .close = end, .output = output};
    int status = ETM_OK;

    if (r->n > 1)
        qsort(r->groups, r->n, sizeof *r->groups, compare_ids);
    for (size_t i = 0; i < r->n && status == ETM_OK; i++) {
        p.group = &r->groups[i];
        status = etm_counts_walk(p.group->counts, print_row, &p);
        if (status == ETM_OK)
            print_lines(&p);
        p.n = 0;
        etm_counts_free(r->groups[i].counts);
        r->groups[i].counts = NULL;
    }
    for (size_t i = 0; i < p.room; i++)
        free(p.lines[i]);
    free(p.lines);
    return status != ETM_ERR_MEMORY;
}

void etm_cli_rows_free(struct etm_cli_rows *r)
{
    for (size_t i = 0; i < r->n; i++) {
        etm_counts_free(r->groups[i].counts);
        free(r->groups[i].sources);
    }
    free(r->groups);
    *r = (struct etm_cli_rows){0};
}
