/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/code.h"

#include <stdlib.h>
#include <string.h>

static bool add(struct etm_cli_executed *code,
                const struct etm_cli_executed_row *row)
{
    if (code->n == code->room) {
        size_t room = code->room != 0 ? 2 * code->room : 256;
        struct etm_cli_executed_row *rows =
            realloc(code->rows, room * sizeof *rows);

        if (!rows)
            return false;
        code->rows = rows;
        code->room = room;
    }
    code->rows[code->n++] = *row;
    return true;
}

bool etm_cli_code_read(const struct etm_cli_replay *r, uint32_t address,
                       enum etm_isa isa, struct etm_element *e)
{
    uint8_t code[4];
    size_t n = etm_session_read(r->session, r->source, address, NULL, code,
                                sizeof code);
    enum etm_isa told;
    uint32_t low, high;

    if (etm_session_isa(r->session, r->source, address, &told) == ETM_OK)
        isa = told;
    if (n < 2 || (isa != ETM_ISA_THUMB && isa != ETM_ISA_ARM))
        return false;
    low = code[0] | (uint32_t)code[1] << 8;
    high = n >= 4 ? code[2] | (uint32_t)code[3] << 8 : 0;
    *e = (struct etm_element){.kind = ETM_ELEMENT_INSN, .source = r->info->id};
    e->u.insn.address = address;
    e->u.insn.isa = (uint8_t)isa;
    e->u.insn.size = isa == ETM_ISA_THUMB && low < 0xe800 ? 2 : 4;
    e->u.insn.opcode = low;
    if (isa == ETM_ISA_ARM)
        e->u.insn.opcode = high << 16 | low;
    else if (e->u.insn.size == 4)
        e->u.insn.opcode = low << 16 | high;
    return n >= e->u.insn.size;
}

int etm_cli_code_function(const struct etm_cli_replay *r,
                          const struct etm_cli_executed *x, size_t *i,
                          struct etm_cli_executed *code)
{
    struct etm_symbol function, symbol;
    uint32_t address = x->rows[*i].element.u.insn.address;
    enum etm_isa isa = (enum etm_isa)x->rows[*i].element.u.insn.isa;

    if (r->names.symbol(r->names.context, address, &function) != ETM_OK)
        return ETM_OK;
    address -= function.offset;
    function.offset = 0;
    while (r->names.symbol(r->names.context, address, &symbol) == ETM_OK &&
           symbol.offset == function.offset &&
           strcmp(symbol.name, function.name) == 0) {
        const struct etm_cli_executed_row *row =
            *i < x->n ? &x->rows[*i] : NULL;
        struct etm_cli_executed_row never = {.cost = {0}};
        uint32_t size = 2; /* of data, a part of them */

        if (row && row->element.u.insn.address == address) {
            size = row->element.u.insn.size;
            isa = (enum etm_isa)row->element.u.insn.isa;
            ++*i;
        } else if (etm_cli_code_read(r, address, isa, &never.element)) {
            row = &never;
            size = never.element.u.insn.size;
        } else {
            row = NULL;
        }
        if (row && !add(code, row))
            return ETM_ERR_MEMORY;
        address += size;
        function.offset += size;
        while (*i < x->n && x->rows[*i].element.u.insn.address < address)
            ++*i; /* within an instruction: two programs at one place */
    }
    return ETM_OK;
}

/* Where the next function without a symbol begins. */
static uint32_t next_function(const struct etm_cli_replay *r, uint32_t address)
{
    uint32_t next = UINT32_MAX;

    for (size_t i = 0; i < etm_calls_functions(r->calls); i++) {
        uint32_t other = etm_calls_function(r->calls, i)->address;

        next = other > address && other < next ? other : next;
    }
    return next;
}

int etm_cli_code_nameless(const struct etm_cli_replay *r,
                          const struct etm_cli_executed *x, uint32_t address,
                          struct etm_cli_executed *code)
{
    uint32_t end = next_function(r, address);
    enum etm_isa isa = ETM_ISA_UNKNOWN;
    size_t i = 0;

    while (i < x->n && x->rows[i].element.u.insn.address < address)
        i++;
    while (i < x->n && x->rows[i].element.u.insn.address < end) {
        const struct etm_cli_executed_row *row = &x->rows[i];
        struct etm_cli_executed_row never = {.cost = {0}};

        if (row->element.u.insn.address <= address) {
            isa = (enum etm_isa)row->element.u.insn.isa;
            i++;
        } else if (etm_cli_code_read(r, address, isa, &never.element)) {
            row = &never;
        } else {
            break;
        }
        if (!add(code, row))
            return ETM_ERR_MEMORY;
        address = row->element.u.insn.address + row->element.u.insn.size;
    }
    return ETM_OK;
}
