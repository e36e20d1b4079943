/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A new row; SIZE_MAX: out of memory. */
static size_t add_row(struct etm_cli_top_rows *r, const char *name,
                      uint32_t address)
{
    size_t n = name ? strlen(name) + 1 : 0;

    if (r->n == r->room) {
        size_t room = 2 * r->room + 64;
        struct etm_cli_top_row *rows = realloc(r->rows, room * sizeof *rows);

        if (!rows)
            return SIZE_MAX;
        r->rows = rows;
        r->room = room;
    }
    r->rows[r->n] = (struct etm_cli_top_row){.address = address};
    if (name) {
        r->rows[r->n].name = malloc(n);
        if (!r->rows[r->n].name)
            return SIZE_MAX;
        memcpy(r->rows[r->n].name, name, n);
    }
    return r->n++;
}

/* Where the index has a function, or room for it. */
static uint32_t *find(const struct etm_cli_top *top, uint32_t address,
                      bool named)
{
    size_t i = (address * UINT32_C(2654435761)) >> 4;

    for (;; i++) {
        uint32_t *place = &top->index[i & (top->index_room - 1)];
        const struct etm_cli_top_row *row;

        if (*place == 0)
            return place;
        row = &top->functions.rows[*place - 1];
        if (row->address == address && (row->name != NULL) == named)
            return place;
    }
}

/* Make room for one more in the index. False: out of memory. */
static bool grow_index(struct etm_cli_top *top)
{
    const struct etm_cli_top_rows *r = &top->functions;

    if (2 * (r->n + 1) <= top->index_room)
        return true;
    free(top->index);
    top->index_room = top->index_room != 0 ? 2 * top->index_room : 256;
    top->index = calloc(top->index_room, sizeof *top->index);
    if (top->index == NULL) {
        top->index_room = 0;
        return false;
    }
    for (size_t i = 0; i < r->n; i++)
        *find(top, r->rows[i].address, r->rows[i].name != NULL) =
            (uint32_t)i + 1;
    return true;
}

/* The row of the function that an address is in; *entry: it begins there. */
static size_t look_up(struct etm_cli_top *top, uint32_t address, bool *entry)
{
    struct etm_symbol symbol = {.name = NULL};
    uint32_t *place;
    size_t row;

    *entry = false;
    if (top->names.symbol &&
        top->names.symbol(top->names.context, address, &symbol) == ETM_OK) {
        *entry = symbol.offset == 0;
        address -= symbol.offset;
    } else {
        symbol.name = NULL;
    }
    if (!grow_index(top))
        return SIZE_MAX;
    place = find(top, address, symbol.name != NULL);
    if (*place != 0)
        return *place - 1;
    row = add_row(&top->functions, symbol.name, address);
    if (row != SIZE_MAX)
        *place = (uint32_t)row + 1;
    return row;
}

/* The row of a function, which look_up() need not find again if its address has
 * come before. */
static size_t row_of(struct etm_cli_top *top, uint32_t address, bool *entry)
{
    size_t i = (address >> 1) % ETM_CLI_TOP_KNOWN, row;

    if (top->known[i].row != 0 && top->known[i].address == address) {
        *entry = top->known[i].entry;
        return top->known[i].row - 1;
    }
    row = look_up(top, address, entry);
    if (row != SIZE_MAX) {
        top->known[i].address = address;
        top->known[i].row = (uint32_t)row + 1;
        top->known[i].entry = *entry;
    }
    return row;
}

static int count_code(struct etm_cli_top *top, uint32_t address, uint64_t n)
{
    bool entry;
    size_t row = row_of(top, address, &entry);
    struct etm_cli_top_row *r;

    if (row == SIZE_MAX)
        return ETM_ERR_MEMORY;
    r = &top->functions.rows[row];
    r->all += n;
    r->now += n;
    r->calls += entry;
    top->all += n;
    top->now += n;
    return ETM_OK;
}

static int count_range(struct etm_cli_top *top, const struct etm_element *e)
{
    uint64_t n = e->u.range.n;

    if (top->cycles)
        n = e->u.range.cycles != ETM_CYCLES_UNKNOWN ? e->u.range.cycles : 0;
    return count_code(top, e->u.range.start, n);
}

static int count_sample(struct etm_cli_top *top, const struct etm_element *e)
{
    if (e->u.pc_sample.state == ETM_PC_RUNNING)
        return count_code(top, e->u.pc_sample.address, 1);
    top->sleeping++;
    top->sleeping_now++;
    top->all++;
    top->now++;
    return ETM_OK;
}

static int count_exception(struct etm_cli_top *top, const struct etm_element *e)
{
    char text[16];
    const char *name =
        etm_exception_name((enum etm_exception_type)e->u.exception.type);
    size_t row = 0;

    /* a DWT also tells of the way back */
    if (e->u.exception.action != ETM_EXCEPTION_UNTOLD &&
        e->u.exception.action != ETM_EXCEPTION_ENTER)
        return ETM_OK;
    if (e->u.exception.type == ETM_EXCEPTION_IRQ_N) {
        (void)snprintf(text, sizeof text, "irq%u",
                       (unsigned)e->u.exception.irq);
        name = text;
    }
    while (row < top->exceptions.n &&
           strcmp(top->exceptions.rows[row].name, name) != 0)
        row++;
    if (row == top->exceptions.n)
        row = add_row(&top->exceptions, name, 0);
    if (row == SIZE_MAX)
        return ETM_ERR_MEMORY;
    top->exceptions.rows[row].all++;
    top->exceptions.rows[row].now++;
    return ETM_OK;
}

int etm_cli_top_count(struct etm_cli_top *top,
                      const struct etm_element *elements, size_t n)
{
    int status = ETM_OK;

    etm_cli_damage_add(&top->damage, elements, n);
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_element *e = &elements[i];

        if (e->kind == ETM_ELEMENT_RANGE)
            status = count_range(top, e);
        else if (e->kind == ETM_ELEMENT_PC_SAMPLE)
            status = count_sample(top, e);
        else if (e->kind == ETM_ELEMENT_EXCEPTION)
            status = count_exception(top, e);
    }
    return status;
}

uint64_t etm_cli_top_lost(const struct etm_cli_top *top)
{
    uint64_t n = top->damage.no_image;

    for (size_t i = 0; i < ETM_CLI_REASONS; i++)
        n += top->damage.lost[i];
    return n;
}

static void begin_again(struct etm_cli_top_rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        r->rows[i].now = 0;
}

void etm_cli_top_next(struct etm_cli_top *top)
{
    begin_again(&top->functions);
    begin_again(&top->exceptions);
    top->now = top->sleeping_now = 0;
    top->lost_before = etm_cli_top_lost(top);
}

static void free_rows(struct etm_cli_top_rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->rows[i].name);
    free(r->rows);
    *r = (struct etm_cli_top_rows){0};
}

void etm_cli_top_free(struct etm_cli_top *top)
{
    free_rows(&top->functions);
    free_rows(&top->exceptions);
    free(top->index);
    top->index = NULL;
    top->index_room = 0;
}
