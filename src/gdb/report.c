/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a list; what follows is counted. */
#define GAPS_MOST 50u
#define FUNCTIONS_MOST 20u

void etm_gdb_gap_text(const struct etm_element *gap,
                      char text[ETM_GDB_GAP_TEXT])
{
    if (gap->kind == ETM_ELEMENT_LOST)
        (void)snprintf(text, ETM_GDB_GAP_TEXT,
                       "offset %" PRIu64 ": %" PRIu64
                       " bytes of trace are lost (%s)",
                       gap->offset, gap->u.lost.bytes,
                       etm_lost_name((enum etm_lost_reason)gap->u.lost.reason));
    else if (gap->kind == ETM_ELEMENT_NO_IMAGE)
        (void)snprintf(text, ETM_GDB_GAP_TEXT,
                       "offset %" PRIu64 ": the code at 0x%08" PRIx32
                       " is not known",
                       gap->offset, gap->u.no_image.address);
    else
        (void)snprintf(text, ETM_GDB_GAP_TEXT,
                       "offset %" PRIu64 ": trace begins (%s)", gap->offset,
                       etm_trace_on_name(
                           (enum etm_trace_on_reason)gap->u.trace_on.reason));
}

struct list {
    etm_gdb_line_fn *line;
    void *context;
    uint64_t n;
};

static int list_gaps(void *context, const struct etm_element *elements,
                     size_t n)
{
    struct list *list = context;
    char text[ETM_GDB_GAP_TEXT];

    for (size_t i = 0; i < n; i++) {
        if (!etm_gdb_is_kind(&elements[i], ETM_GDB_GAPS) ||
            list->n++ >= GAPS_MOST)
            continue;
        etm_gdb_gap_text(&elements[i], text);
        list->line(list->context, text);
    }
    return ETM_OK;
}

int etm_gdb_report_gaps(const struct etm_gdb_history *h, etm_gdb_line_fn *line,
                        void *context)
{
    struct list list = {.line = line, .context = context};
    const struct etm_session_run run = {.level = ETM_LEVEL_COUNTS,
                                        .elements = list_gaps,
                                        .context = &list,
                                        .jobs = h->jobs};
    int status = etm_gdb_history_run(h, 0, h->n_stretches, run);
    char text[64];

    if (list.n > GAPS_MOST) {
        (void)snprintf(text, sizeof text, "and %" PRIu64 " more",
                       list.n - GAPS_MOST);
        line(context, text);
    }
    return status;
}

/* A function with what it executed. */
struct row {
    const char *name; /* NULL: of none */
    uint32_t start;
    uint64_t instructions;
};

struct profile {
    const struct etm_gdb_history *history;
    struct etm_vec rows; /* struct row */
};

static int count(void *context, const struct etm_count *c)
{
    struct profile *p = context;
    struct etm_symbol symbol;
    struct row row = {.instructions = c->n * c->insns}, *rows = p->rows.data;

    if (etm_session_symbol(p->history->session, p->history->source, c->start,
                           &symbol) == ETM_OK) {
        row.name = symbol.name;
        row.start = c->start - symbol.offset;
    }
    /* the ranges come by address: so do functions, mostly */
    for (size_t i = p->rows.n; i > 0; i--)
        if (rows[i - 1].start == row.start && rows[i - 1].name == row.name) {
            rows[i - 1].instructions += row.instructions;
            return ETM_OK;
        }
    return etm_vec_append(&p->rows, &row, 1);
}

static int ignore(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    (void)elements;
    (void)n;
    return ETM_OK;
}

static int by_instructions(const void *a, const void *b)
{
    uint64_t x = ((const struct row *)a)->instructions;
    uint64_t y = ((const struct row *)b)->instructions;

    return x < y ? 1 : x > y ? -1 : 0;
}

int etm_gdb_report_profile(const struct etm_gdb_history *h,
                           etm_gdb_line_fn *line, void *context)
{
    struct profile p = {.history = h};
    const struct etm_session_run run = {.level = ETM_LEVEL_COVERAGE,
                                        .elements = ignore,
                                        .counts = count,
                                        .context = &p,
                                        .jobs = h->jobs};
    const struct row *rows;
    uint64_t all = 0;
    int status;

    etm_vec_init(&p.rows, sizeof(struct row), &etm_allocator_malloc);
    status = etm_gdb_history_run(h, 0, h->n_stretches, run);
    rows = p.rows.data;
    if (p.rows.n != 0)
        qsort(p.rows.data, p.rows.n, sizeof *rows, by_instructions);
    for (size_t i = 0; i < p.rows.n; i++)
        all += rows[i].instructions;
    for (size_t i = 0; i < p.rows.n && i < FUNCTIONS_MOST; i++) {
        char text[256];

        (void)snprintf(text, sizeof text, "%14" PRIu64 " %5.1f%%  %.200s",
                       rows[i].instructions,
                       100 * (double)rows[i].instructions / (double)all,
                       rows[i].name ? rows[i].name : "[no symbol]");
        line(context, text);
    }
    etm_vec_fini(&p.rows);
    return status;
}

struct find {
    const char *name;
    uint32_t address;
    bool found;
};

static int compare(void *context, const struct etm_function *function)
{
    struct find *find = context;

    if (function->name == NULL || strcmp(function->name, find->name) != 0)
        return ETM_OK;
    find->found = true;
    find->address = function->address;
    return ETM_ERR_STOPPED;
}

bool etm_gdb_report_function(const struct etm_gdb_history *h, const char *name,
                             uint32_t *address)
{
    struct find find = {.name = name};

    (void)etm_session_functions(h->session, h->source, compare, &find);
    *address = find.address;
    return find.found;
}
