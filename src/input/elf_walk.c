/* SPDX-License-Identifier: Apache-2.0 */
/* All functions and all source lines of an ELF file, executed or not. */
#include "input/elf_private.h"

#include <errno.h>

/* The code in a row of the line table: what is data of it, such as literals,
 * has no line. */
static int give_code(struct etm_elf *elf, struct etm_line_range range,
                     etm_line_fn *fn, void *context)
{
    uint32_t end = range.end, stop;
    int status = ETM_OK;

    for (; status == ETM_OK && range.start < end; range.start = stop) {
        char kind = etm_elf_mapping(elf, range.start, &stop);

        if (stop > end)
            stop = end;
        range.end = stop;
        range.isa = kind == 'a'   ? ETM_ISA_ARM
                    : kind == 't' ? ETM_ISA_THUMB
                                  : ETM_ISA_UNKNOWN;
        if (kind != 'd')
            status = fn(context, &range);
        range.statement = false;
    }
    return status;
}

/* Rows of the line table of one unit: each is valid up to the next one. */
static int walk_unit(struct etm_elf *elf, Dwarf_Die *unit, etm_line_fn *fn,
                     void *context)
{
    Dwarf_Lines *lines;
    Dwarf_Addr begun = 0; /* a statement of line begun_line begins there */
    int begun_line = 0;
    size_t n;
    int status = ETM_OK;

    errno = 0;
    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return errno == ENOMEM ? ETM_ERR_MEMORY : ETM_OK;
    for (size_t i = 0; i + 1 < n && status == ETM_OK; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        Dwarf_Line *next = dwarf_onesrcline(lines, i + 1);
        struct etm_line_range range = {0};
        Dwarf_Addr start, end;
        bool last, statement = false;
        int line;

        if (dwarf_lineendsequence(row, &last) != 0 || last ||
            dwarf_lineaddr(row, &start) != 0 ||
            dwarf_lineaddr(next, &end) != 0 || start < elf->first_code ||
            start >= ETM_ELF_REMOVED || dwarf_lineno(row, &line) != 0 ||
            line <= 0)
            continue;
        (void)dwarf_linebeginstatement(row, &statement);
        if (statement) { /* rows without code may say so of the next one */
            begun = start;
            begun_line = line;
        }
        if (end <= start)
            continue;
        range.statement = line == begun_line && start == begun;
        range.file = dwarf_linesrc(row, NULL, NULL);
        range.line = (uint32_t)line;
        range.start = (uint32_t)start + elf->bias;
        range.end = (uint32_t)end + elf->bias;
        if (range.file != NULL)
            status = give_code(elf, range, fn, context);
    }
    return status;
}

int etm_elf_walk_lines(struct etm_elf *elf, etm_line_fn *fn, void *context)
{
    Dwarf_Off offset = 0;
    Dwarf_Die unit;
    int status = etm_elf_load_symbols(elf), more = 1;

    while (status == ETM_OK &&
           (more = etm_elf_next_unit(elf, &offset, &unit)) > 0)
        status = walk_unit(elf, &unit, fn, context);
    return status == ETM_OK && more < 0 ? more : status;
}

int etm_elf_walk_functions(struct etm_elf *elf, etm_function_fn *fn,
                           void *context)
{
    const struct etm_elf_symbol_row *rows;
    int status = etm_elf_load_symbols(elf);

    rows = elf->symbols.data;
    for (size_t i = 0; i < elf->symbols.n && status == ETM_OK; i++) {
        struct etm_function function = {.name = rows[i].name,
                                        .address = rows[i].address,
                                        .size = rows[i].size};

        if (rows[i].rank < ETM_ELF_FUNCTION)
            continue;
        /* of several names of one address the last is the one that is named */
        if (i + 1 < elf->symbols.n && rows[i + 1].address == rows[i].address)
            continue;
        status = fn(context, &function);
    }
    return status;
}
