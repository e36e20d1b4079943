/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose code was put into that of others (DWARF 5, 3.3.8.2). */
#include "input/elf_private.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

/* A stretch of code of one of them, `depth` of which are around it. */
struct row {
    uint64_t low, high;
    unsigned depth;
    struct etm_inlined what;
};

/* The inlined functions of one compilation unit. */
struct unit {
    Dwarf_Off die;
    struct etm_vec rows; /* by low */
    struct etm_elf_cover cover;
};

/* No program nests as deep; what claims to is damaged. */
#define LEVELS 128u

/* Nor are more of them at one address, or in one unit that claims it. */
#define FOUND 256u

struct walk {
    const struct etm_elf *elf;
    struct etm_vec *rows;
};

static const char *name_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;

    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) != NULL ||
        dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute) != NULL)
        return dwarf_formstring(&attribute);
    return dwarf_diename(die);
}

static int add_rows(const struct walk *w, Dwarf_Die *die, unsigned depth)
{
    struct row row = {
        .depth = depth,
        .what = {.name = name_of(die), .instance = dwarf_dieoffset(die)}};
    Dwarf_Addr base, entry;
    ptrdiff_t i = 0;
    bool known = dwarf_entrypc(die, &entry) == 0;

    if (row.what.name == NULL)
        return ETM_OK;
    while ((i = dwarf_ranges(die, i, &base, &row.low, &row.high)) > 0) {
        if (row.low < w->elf->first_code) /* the linker removed it */
            continue;
        row.what.address = (uint32_t)(known ? entry : row.low) + w->elf->bias;
        if (etm_vec_append(w->rows, &row, 1) != ETM_OK)
            return ETM_ERR_MEMORY;
    }
    return ETM_OK;
}

static bool may_have_code(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace ||
           tag == DW_TAG_module || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type;
}

static int walk(const struct walk *w, Dwarf_Die *parent, unsigned depth,
                unsigned level)
{
    Dwarf_Die die;
    int status = ETM_OK;

    if (level == LEVELS || dwarf_child(parent, &die) != 0)
        return ETM_OK;
    do {
        int tag = dwarf_tag(&die);
        bool inlined = tag == DW_TAG_inlined_subroutine;

        if (!may_have_code(tag))
            continue;
        if (inlined)
            status = add_rows(w, &die, depth);
        if (status == ETM_OK)
            status = walk(w, &die, depth + inlined, level + 1);
    } while (status == ETM_OK && dwarf_siblingof(&die, &die) == 0);
    return status;
}

static int compare_rows(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->depth > b->depth) - (a->depth < b->depth);
}

static int load(const struct etm_elf *elf, Dwarf_Die *die, struct unit *unit)
{
    struct etm_vec *rows = &unit->rows;
    struct walk w = {elf, rows};
    const struct row *row;
    int status;

    errno = 0;
    status = walk(&w, die, 0, 0);
    if (status == ETM_OK && errno == ENOMEM)
        status = ETM_ERR_MEMORY;
    if (rows->n != 0)
        qsort(rows->data, rows->n, rows->width, compare_rows);
    row = rows->data;
    if (status == ETM_OK)
        status = etm_elf_cover_make(&unit->cover, rows->n, &elf->allocator);
    for (size_t i = 0; status == ETM_OK && i < rows->n; i++)
        etm_elf_cover_put(&unit->cover, i, row[i].high);
    return status;
}

/* The rows of a unit, which are made when they are first wanted. NULL: out of
 * memory. */
static const struct unit *unit_of(struct etm_elf *elf, Dwarf_Die *die)
{
    struct unit unit = {.die = dwarf_dieoffset(die)};
    struct unit *units = elf->inlined.data;

    for (size_t i = elf->inlined.n; i-- > 0;)
        if (units[i].die == unit.die)
            return &units[i];
    etm_vec_init(&unit.rows, sizeof(struct row), &elf->allocator);
    if (load(elf, die, &unit) != ETM_OK ||
        etm_vec_append(&elf->inlined, &unit, 1) != ETM_OK) {
        etm_vec_fini(&unit.rows);
        etm_elf_cover_free(&unit.cover, &elf->allocator);
        return NULL;
    }
    units = elf->inlined.data;
    return &units[elf->inlined.n - 1];
}

/* The inlined functions at an address, each at its depth. Returns how many
 * there are. */
static size_t find(const struct unit *unit, uint64_t address,
                   struct etm_inlined *inlined, size_t room)
{
    const struct row *row = unit->rows.data;
    size_t low = 0, high = unit->rows.n, n = 0;
    unsigned left = FOUND;

    for (size_t i = 0; i < room; i++)
        inlined[i].name = NULL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (row[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    while (left-- > 0 &&
           (low = etm_elf_cover_before(&unit->cover, low, address)) != 0)
        if (row[--low].depth < room)
            inlined[row[low].depth] = row[low].what;
    while (n < room && inlined[n].name != NULL)
        n++;
    return n;
}

int etm_elf_inlined(struct etm_elf *elf, uint32_t address,
                    struct etm_inlined *inlined, size_t *n)
{
    size_t room = *n, i;
    unsigned left = FOUND;
    Dwarf_Die die;
    int status = etm_elf_load_units(elf);

    *n = 0;
    if (status != ETM_OK)
        return status;
    address -= elf->bias;
    i = etm_elf_units_before(elf, address);
    while (*n == 0 && left-- > 0 && etm_elf_unit_at(elf, address, &i, &die)) {
        const struct unit *unit = unit_of(elf, &die);

        if (unit == NULL)
            return ETM_ERR_MEMORY;
        *n = find(unit, address, inlined, room);
    }
    return ETM_OK;
}

void etm_elf_close_inlined(struct etm_elf *elf)
{
    struct unit *units = elf->inlined.data;

    for (size_t i = 0; i < elf->inlined.n; i++) {
        etm_vec_fini(&units[i].rows);
        etm_elf_cover_free(&units[i].cover, &elf->allocator);
    }
    etm_vec_fini(&elf->inlined);
}

void etm_elf_open_inlined(struct etm_elf *elf)
{
    etm_vec_init(&elf->inlined, sizeof(struct unit), &elf->allocator);
}
