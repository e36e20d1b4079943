/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/edges.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *find(const struct etm_cli_edges *e, uint32_t from, uint32_t to)
{
    uint64_t hash = ((uint64_t)from << 32 | to) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (e->n_index - 1);

    while (e->index[i] != 0 && (e->rows[e->index[i] - 1].from != from ||
                                e->rows[e->index[i] - 1].to != to))
        i = (i + 1) & (e->n_index - 1);
    return &e->index[i];
}

static bool grow(struct etm_cli_edges *e)
{
    size_t room = e->room != 0 ? 2 * e->room : 256;
    struct etm_cli_edge *rows = realloc(e->rows, room * sizeof *rows);
    uint32_t *index = calloc(2 * room, sizeof *index);

    if (rows)
        e->rows = rows;
    if (!rows || !index) {
        free(index);
        return false;
    }
    free(e->index);
    e->index = index;
    e->n_index = 2 * room;
    e->room = room;
    for (size_t i = 0; i < e->n; i++)
        *find(e, rows[i].from, rows[i].to) = (uint32_t)i + 1;
    return true;
}

static struct etm_cli_edge *edge_of(struct etm_cli_edges *e, uint32_t from,
                                    uint32_t to)
{
    uint32_t *at;

    if (e->n == e->room && !grow(e))
        return NULL;
    at = find(e, from, to);
    if (*at == 0) {
        e->rows[e->n] = (struct etm_cli_edge){.from = from, .to = to};
        *at = (uint32_t)++e->n;
    }
    return &e->rows[*at - 1];
}

static bool push(struct etm_cli_callers *c, uint32_t row)
{
    if (c->n == c->room) {
        size_t room = c->room != 0 ? 2 * c->room : 64;
        uint32_t *rows = realloc(c->rows, room * sizeof *rows);

        if (!rows)
            return false;
        c->rows = rows;
        c->room = room;
    }
    c->rows[c->n++] = row;
    return true;
}

int etm_cli_edges_count(struct etm_cli_edges *e,
                        struct etm_cli_subjects *subjects,
                        const struct etm_cli_replay *replay,
                        const struct etm_call *call)
{
    struct etm_cli_callers *c = &e->tasks[call->task];
    size_t row = etm_cli_subject_of(subjects, replay, call);
    struct etm_cli_edge *edge;

    if (row == SIZE_MAX)
        return ETM_ERR_MEMORY;
    if (call->kind == ETM_CALL_LEAVE)
        c->n--;
    edge =
        edge_of(e, c->n != 0 ? c->rows[c->n - 1] : UINT32_MAX, (uint32_t)row);
    if (!edge)
        return ETM_ERR_MEMORY;
    if (call->kind == ETM_CALL_ENTER) {
        edge->calls++;
        return push(c, (uint32_t)row) ? ETM_OK : ETM_ERR_MEMORY;
    }
    edge->total.instructions += call->total.instructions;
    edge->total.cycles += call->total.cycles;
    return ETM_OK;
}

static int by_names(const struct etm_cli_edge *a, const struct etm_cli_edge *b)
{
    int order = strcmp(a->caller, b->caller);

    return order != 0 ? order : strcmp(a->callee, b->callee);
}

static int by_instructions(const void *x, const void *y)
{
    const struct etm_cli_edge *a = x, *b = y;
    uint64_t n = a->total.instructions, m = b->total.instructions;

    return n != m ? (n < m) - (n > m) : by_names(a, b);
}

static int by_cycles(const void *x, const void *y)
{
    const struct etm_cli_edge *a = x, *b = y;
    uint64_t n = a->total.cycles, m = b->total.cycles;

    return n != m ? (n < m) - (n > m) : by_instructions(x, y);
}

void etm_cli_edges_order(struct etm_cli_edges *e,
                         const struct etm_cli_subjects *subjects, bool cycles)
{
    for (size_t i = 0; i < e->n; i++) {
        struct etm_cli_edge *edge = &e->rows[i];

        edge->caller = edge->from != UINT32_MAX
                           ? subjects->rows[edge->from].name
                           : "[unknown]";
        edge->callee = subjects->rows[edge->to].name;
    }
    if (e->n != 0)
        qsort(e->rows, e->n, sizeof *e->rows,
              cycles ? by_cycles : by_instructions);
}

const struct etm_cli_edge *etm_cli_edges_at(const struct etm_cli_edges *e,
                                            size_t index)
{
    return index < e->n ? &e->rows[index] : NULL;
}

void etm_cli_edges_free(struct etm_cli_edges *e)
{
    for (size_t i = 0; i < sizeof e->tasks / sizeof *e->tasks; i++)
        free(e->tasks[i].rows);
    free(e->rows);
    free(e->index);
    *e = (struct etm_cli_edges){0};
}
