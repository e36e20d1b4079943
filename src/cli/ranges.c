/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ranges.h"

#include <stdlib.h>

static uint32_t *find(const struct etm_cli_ranges *x, uint32_t start,
                      uint32_t end)
{
    uint64_t hash =
        ((uint64_t)start << 32 | end) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (x->n_index - 1);

    while (x->index[i] != 0 &&
           (x->rows[x->index[i] - 1].element.u.range.start != start ||
            x->rows[x->index[i] - 1].element.u.range.end != end))
        i = (i + 1) & (x->n_index - 1);
    return &x->index[i];
}

static bool grow(struct etm_cli_ranges *x)
{
    size_t room = x->room != 0 ? 2 * x->room : 1024;
    struct etm_cli_range *rows = realloc(x->rows, room * sizeof *rows);
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
        *find(x, rows[i].element.u.range.start, rows[i].element.u.range.end) =
            (uint32_t)i + 1;
    return true;
}

static int count(struct etm_cli_ranges *x, const struct etm_element *e)
{
    struct etm_cli_range *row;
    uint32_t *at;

    if (x->n == x->room && !grow(x))
        return ETM_ERR_MEMORY;
    at = find(x, e->u.range.start, e->u.range.end);
    if (*at == 0) {
        x->rows[x->n] = (struct etm_cli_range){.element = *e};
        *at = (uint32_t)++x->n;
    }
    row = &x->rows[*at - 1];
    row->n++;
    row->passed += e->u.range.last_exec == ETM_TRUE;
    row->failed += e->u.range.last_exec == ETM_FALSE;
    return ETM_OK;
}

int etm_cli_ranges_count(struct etm_cli_ranges *x,
                         const struct etm_element *elements, size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            status = count(x, &elements[i]);
        else if (elements[i].kind == ETM_ELEMENT_INSN)
            status = etm_cli_executed_count(&x->insns, &elements[i], 1);
    }
    return status;
}

static int add_insns(struct etm_cli_ranges *x, const struct etm_cli_replay *r,
                     const struct etm_cli_range *range)
{
    enum etm_isa isa = (enum etm_isa)range->element.u.range.isa;
    uint32_t address = range->element.u.range.start;

    while (address != range->element.u.range.end) {
        struct etm_cli_executed_row *row;
        struct etm_element e;

        if (!etm_cli_code_read(r, address, isa, &e))
            return ETM_OK;
        row = etm_cli_executed_row(&x->insns, &e);
        if (!row)
            return ETM_ERR_MEMORY;
        row->cost.instructions += range->n;
        if (address == range->element.u.range.last_address) {
            row->element.u.insn.flags = range->element.u.range.last_flags;
            row->element.u.insn.type = range->element.u.range.last_type;
            row->passed += range->passed;
            row->failed += range->failed;
            return ETM_OK;
        }
        address += e.u.insn.size;
    }
    return ETM_OK;
}

int etm_cli_ranges_insns(struct etm_cli_ranges *x,
                         const struct etm_cli_replay *r)
{
    int status = ETM_OK;

    for (size_t i = 0; i < x->n && status == ETM_OK; i++)
        status = add_insns(x, r, &x->rows[i]);
    etm_cli_executed_order(&x->insns);
    return status;
}

void etm_cli_ranges_free(struct etm_cli_ranges *x)
{
    free(x->rows);
    free(x->index);
    etm_cli_executed_free(&x->insns);
    *x = (struct etm_cli_ranges){0};
}
