/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/executed.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *find(const struct etm_cli_executed *x, uint32_t address)
{
    size_t i = (address >> 1) * UINT32_C(0x9e3779b1) >> 8 & (x->n_index - 1);

    while (x->index[i] != 0 &&
           x->rows[x->index[i] - 1].element.u.insn.address != address)
        i = (i + 1) & (x->n_index - 1);
    return &x->index[i];
}

static bool grow(struct etm_cli_executed *x)
{
    size_t room = x->room != 0 ? 2 * x->room : 4096;
    struct etm_cli_executed_row *rows = realloc(x->rows, room * sizeof *rows);
    uint32_t *index = calloc(2 * room, sizeof *index);

    if (rows)
        x->rows = rows;
    if (!rows || !index) {
        free(index);
        return false;
    }
    free(x->index);
    x->index = index;
    x->n_index = 2 * room;
    x->room = room;
    for (size_t i = 0; i < x->n; i++)
        *find(x, rows[i].element.u.insn.address) = (uint32_t)i + 1;
    return true;
}

struct etm_cli_executed_row *
etm_cli_executed_row(struct etm_cli_executed *x, const struct etm_element *insn)
{
    uint32_t *at;

    if (x->n == x->room && !grow(x))
        return NULL;
    at = find(x, insn->u.insn.address);
    if (*at == 0) {
        x->rows[x->n] = (struct etm_cli_executed_row){.element = *insn};
        *at = (uint32_t)++x->n;
    }
    return &x->rows[*at - 1];
}

int etm_cli_executed_count(struct etm_cli_executed *x,
                           const struct etm_element *elements, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];
        struct etm_cli_executed_row *row;

        if (e->kind != ETM_ELEMENT_INSN)
            continue;
        row = etm_cli_executed_row(x, e);
        if (!row)
            return ETM_ERR_MEMORY;
        row->cost.instructions++;
        row->passed += e->u.insn.exec == ETM_TRUE;
        row->failed += e->u.insn.exec == ETM_FALSE;
        if (e->u.insn.cycles != ETM_CYCLES_UNKNOWN)
            row->cost.cycles += e->u.insn.cycles;
    }
    return ETM_OK;
}

static int by_address(const void *x, const void *y)
{
    const struct etm_cli_executed_row *a = x, *b = y;

    return (a->element.u.insn.address > b->element.u.insn.address) -
           (a->element.u.insn.address < b->element.u.insn.address);
}

void etm_cli_executed_order(struct etm_cli_executed *x)
{
    if (x->n != 0)
        qsort(x->rows, x->n, sizeof *x->rows, by_address);
}

void etm_cli_executed_lines(struct etm_cli_executed *x,
                            const struct etm_names *names)
{
    for (size_t i = 0; i < x->n; i++) {
        struct etm_source_line *line = &x->rows[i].line;

        if (names->line(names->context, x->rows[i].element.u.insn.address,
                        line) != ETM_OK)
            *line = (struct etm_source_line){.file = "[unknown]"};
    }
}

void etm_cli_executed_free(struct etm_cli_executed *x)
{
    free(x->rows);
    free(x->index);
    *x = (struct etm_cli_executed){0};
}
