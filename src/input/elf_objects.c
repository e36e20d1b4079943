/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables of ELF files by address. A variable is where a symbol is; debug
 * information tells its type. It also has variables that the linker removed, at
 * address 0 or wherever: only of a stripped program it is believed without a
 * symbol.
 */
#include "input/elf_private.h"
#include "input/elf_types.h"
#include "input/text.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 128u

/* Among rows that were sorted: that of an address, or NULL. */
static struct etm_elf_object *row_at(const struct etm_vec *rows,
                                     uint32_t address)
{
    struct etm_elf_object *row = rows->data;
    size_t low = 0, high = rows->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (row[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 ? &row[low - 1] : NULL;
}

static int add_symbols(struct etm_elf *elf, Elf_Scn *section,
                       const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = (size_t)(header->sh_size / header->sh_entsize);

    for (size_t i = 1; data != NULL && i < n; i++) {
        struct etm_elf_object row = {0};
        GElf_Sym symbol;

        if (gelf_getsym(data, (int)i, &symbol) == NULL)
            break;
        row.address = (uint32_t)symbol.st_value + elf->bias;
        row.end = row.address + (uint32_t)symbol.st_size;
        row.name = elf_strptr(elf->elf, header->sh_link, symbol.st_name);
        if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
            symbol.st_shndx == SHN_UNDEF || row.name == NULL ||
            row.end <= row.address)
            continue;
        if (etm_vec_append(&elf->objects, &row, 1) != ETM_OK)
            return ETM_ERR_MEMORY;
    }
    return ETM_OK;
}

/* At one address the largest comes first, which is the one that is kept. */
static int compare(const void *x, const void *y)
{
    const struct etm_elf_object *a = x, *b = y;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->end < b->end) - (a->end > b->end);
}

static int sort(struct etm_elf *elf)
{
    struct etm_elf_object *rows;
    size_t n = 0;
    int status = etm_elf_sort(&elf->objects, compare);

    if (status != ETM_OK)
        return status;
    rows = elf->objects.data;
    for (size_t i = 0; i < elf->objects.n; i++)
        if (n == 0 || rows[n - 1].address != rows[i].address)
            rows[n++] = rows[i];
    elf->objects.n = n;
    return ETM_OK;
}

/* ---- Debug information --------------------------------------------------- */

struct walk {
    struct etm_elf *elf;
    bool stripped;
};

static int take_variable(const struct walk *w, Dwarf_Die *die)
{
    struct etm_elf_object row = {.name = dwarf_diename(die),
                                 .die = dwarf_dieoffset(die)};
    struct etm_elf_object *known;
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Op *op;
    size_t n;

    if (row.name == NULL ||
        dwarf_getlocation(dwarf_attr(die, DW_AT_location, &attribute), &op,
                          &n) != 0 ||
        n != 1 || op->atom != DW_OP_addr || !etm_elf_type_of(die, &type))
        return ETM_OK;
    row.address = (uint32_t)op->number + w->elf->bias;
    row.end = row.address + etm_elf_type_size(&type);
    row.type = dwarf_dieoffset(&type);
    if (w->stripped)
        return row.end > row.address && op->number != 0
                   ? etm_vec_append(&w->elf->objects, &row, 1)
                   : ETM_OK;
    known = row_at(&w->elf->objects, row.address);
    if (known && known->address == row.address && known->type == 0 &&
        row.end <= known->end) {
        known->name = row.name;
        known->die = row.die;
        known->type = row.type;
    }
    return ETM_OK;
}

static int walk(const struct walk *w, Dwarf_Die *parent, unsigned level)
{
    Dwarf_Die die;
    int status = ETM_OK;

    if (level == LEVELS || dwarf_child(parent, &die) != 0)
        return ETM_OK;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            status = take_variable(w, &die);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_namespace:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            status = walk(w, &die, level + 1);
            break;
        default:
            break;
        }
    } while (status == ETM_OK && dwarf_siblingof(&die, &die) == 0);
    return status;
}

static int add_types(struct etm_elf *elf)
{
    struct walk w = {.elf = elf, .stripped = elf->objects.n == 0};
    Dwarf_Off offset = 0;
    Dwarf_Die die;
    int more, status = ETM_OK;

    while (status == ETM_OK &&
           (more = etm_elf_next_unit(elf, &offset, &die)) != 0)
        status = more < 0 ? more : walk(&w, &die, 0);
    return status == ETM_OK && w.stripped ? sort(elf) : status;
}

int etm_elf_load_objects(struct etm_elf *elf)
{
    Elf_Scn *section = NULL;
    int status = ETM_OK;

    if (elf->has_objects)
        return ETM_OK;
    elf->objects.n = 0;
    while (status == ETM_OK &&
           (section = elf_nextscn(elf->elf, section)) != NULL) {
        GElf_Shdr header;

        if (gelf_getshdr(section, &header) != NULL && header.sh_entsize != 0 &&
            (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            status = add_symbols(elf, section, &header);
    }
    if (status == ETM_OK)
        status = sort(elf);
    if (status == ETM_OK)
        status = add_types(elf);
    elf->has_objects = status == ETM_OK;
    return status;
}

struct etm_elf_object *etm_elf_object_at(const struct etm_elf *elf,
                                         uint32_t address)
{
    struct etm_elf_object *row = row_at(&elf->objects, address);

    return row && address < row->end ? row : NULL;
}

/* ---- Names --------------------------------------------------------------- */

static bool has_names(Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
        return dwarf_diename(die) != NULL;
    default:
        return false;
    }
}

/* What is around a variable, the innermost first: where it is declared, if that
 * is elsewhere (DWARF 5, 4.1). To be freed. */
static int scopes_of(struct etm_elf *elf, Dwarf_Off offset, Dwarf_Die **scopes)
{
    Dwarf_Attribute attribute;
    Dwarf_Die die, declared;

    if (offset == 0 || dwarf_offdie(elf->dwarf, offset, &die) == NULL)
        return 0;
    if (dwarf_formref_die(dwarf_attr(&die, DW_AT_specification, &attribute),
                          &declared) != NULL)
        die = declared;
    return dwarf_getscopes_die(&die, scopes);
}

const char *etm_elf_object_name(struct etm_elf *elf,
                                struct etm_elf_object *object)
{
    Dwarf_Die *scopes = NULL;
    int n;

    if (object->full != NULL)
        return object->full;
    n = scopes_of(elf, object->die, &scopes);
    object->full = etm_text_print(&elf->allocator, "%s", object->name);
    for (int i = 1; i < n && object->full != NULL; i++) {
        char *inner = object->full;

        if (!has_names(&scopes[i]))
            continue;
        object->full = etm_text_print(&elf->allocator, "%s::%s",
                                      dwarf_diename(&scopes[i]), inner);
        etm_alloc_free(&elf->allocator, inner);
    }
    free(scopes);
    return object->full != NULL ? object->full : object->name;
}

/* All of its name, or some of the end: "count" is "main::count", too. */
static bool is_called(struct etm_elf *elf, struct etm_elf_object *row,
                      const char *name, size_t n)
{
    size_t length = strlen(row->name);
    const char *full;

    if (n < length || memcmp(name + n - length, row->name, length) != 0)
        return false;
    if (n == length)
        return true;
    full = etm_elf_object_name(elf, row);
    length = strlen(full);
    return n <= length && memcmp(full + length - n, name, n) == 0 &&
           (n == length || full[length - n - 1] == ':');
}

struct etm_elf_object *etm_elf_object_named(struct etm_elf *elf,
                                            const char *name, size_t n)
{
    struct etm_elf_object *rows = elf->objects.data;

    for (size_t i = 0; i < elf->objects.n; i++)
        if (is_called(elf, &rows[i], name, n))
            return &rows[i];
    return NULL;
}

void etm_elf_close_objects(struct etm_elf *elf)
{
    struct etm_elf_object *rows = elf->objects.data;

    for (size_t i = 0; i < elf->objects.n; i++)
        if (rows[i].full != NULL)
            etm_alloc_free(&elf->allocator, rows[i].full);
    etm_vec_fini(&elf->objects);
}
