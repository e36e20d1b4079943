/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of ELF files: names of addresses, addresses of names, and which
   addresses hold Arm code, Thumb code or data. */
#include "input/elf_private.h"

#include <stdlib.h>
#include <string.h>

/* Ranks of symbols that share an address. */
enum { LABEL = 0, FUNCTION = ETM_ELF_FUNCTION, WEAK = 1, GLOBAL = 2 };

/* Mapping symbols: $a $t $d, with anything after a point (Arm ELF 5.5.5). */
static char mapping_kind(const char *name)
{
    if (name[0] != '$' || (name[2] != '\0' && name[2] != '.'))
        return 0;
    return name[1] == 'a' || name[1] == 't' || name[1] == 'd' ? name[1] : 0;
}

/* The rank of a symbol as the name of code; -1: it is none. */
static int rank_of(const Elf32_Sym *symbol, const char *name)
{
    int type = ELF32_ST_TYPE(symbol->st_info);
    int bind = ELF32_ST_BIND(symbol->st_info);
    int rank = bind == STB_GLOBAL ? GLOBAL : bind == STB_WEAK ? WEAK : 0;

    if (name[0] == '\0' || name[0] == '$')
        return -1;
    if (type == STT_FUNC || type == STT_GNU_IFUNC)
        return rank + FUNCTION;
    if (type == STT_NOTYPE && strncmp(name, ".L", 2) != 0)
        return rank + LABEL;
    return -1;
}

/* State while reading a table of symbols. */
struct reading {
    struct etm_elf *elf;
    const char *names;
    size_t n_names; /* bytes up to the last terminator */
    size_t section; /* the last one that was examined; 0: none */
    uint32_t end;   /* end of that one if it holds code; otherwise 0 */
};

/* The end of the symbol's section if it holds code; otherwise 0. Symbols of one
 * section mostly come together. */
static uint32_t code_end(struct reading *r, const Elf32_Sym *symbol)
{
    GElf_Shdr header;
    Elf_Scn *section;

    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
        return 0;
    if (symbol->st_shndx == r->section)
        return r->end;
    section = elf_getscn(r->elf->elf, symbol->st_shndx);
    r->section = symbol->st_shndx;
    r->end = 0;
    if (section != NULL && gelf_getshdr(section, &header) != NULL &&
        (header.sh_flags & SHF_EXECINSTR) != 0)
        r->end = (uint32_t)(header.sh_addr + header.sh_size) + r->elf->bias;
    return r->end;
}

static int take_symbol(struct reading *r, const Elf32_Sym *symbol)
{
    struct etm_elf *elf = r->elf;
    uint32_t address = symbol->st_value + elf->bias;
    uint32_t end = code_end(r, symbol);
    const char *name;
    char kind;
    int rank;

    if (end == 0 || symbol->st_name >= r->n_names)
        return ETM_OK;
    name = r->names + symbol->st_name;
    kind = mapping_kind(name);
    if (kind != 0) {
        struct etm_elf_mapping_row row = {address, end, symbol->st_shndx, kind};

        return etm_vec_append(&elf->mappings, &row, 1);
    }
    rank = rank_of(symbol, name);
    if (rank >= 0) {
        /* Bit 0 is the instruction set of functions (Arm ELF, 5.5.3). */
        struct etm_elf_symbol_row row = {.address = address & ~UINT32_C(1),
                                         .end = end,
                                         .size = symbol->st_size,
                                         .section = symbol->st_shndx,
                                         .rank = (uint8_t)rank,
                                         .name = name};

        return etm_vec_append(&elf->symbols, &row, 1);
    }
    return ETM_OK;
}

/* A file that check_header() let pass has 32-bit symbols. */
static int take_table(struct etm_elf *elf, Elf_Scn *section,
                      const GElf_Shdr *header)
{
    Elf_Scn *strings = elf_getscn(elf->elf, header->sh_link);
    Elf_Data *names = strings != NULL ? elf_getdata(strings, NULL) : NULL;
    Elf_Data *data = elf_getdata(section, NULL);
    struct reading r = {.elf = elf};
    const Elf32_Sym *symbols;
    int status = ETM_OK;

    if (data == NULL || data->d_type != ELF_T_SYM || names == NULL ||
        names->d_buf == NULL)
        return ETM_OK;
    r.names = names->d_buf;
    r.n_names = names->d_size;
    while (r.n_names > 0 && r.names[r.n_names - 1] != '\0')
        r.n_names--;
    symbols = data->d_buf;
    for (size_t i = 1; i < data->d_size / sizeof *symbols && status == ETM_OK;
         i++)
        status = take_symbol(&r, &symbols[i]);
    return status;
}

/* The full symbol table, or that of the dynamic linker if it was stripped. */
static int take_tables(struct etm_elf *elf)
{
    static const GElf_Word types[2] = {SHT_SYMTAB, SHT_DYNSYM};

    for (size_t i = 0; i < 2; i++) {
        Elf_Scn *section = NULL;

        while ((section = elf_nextscn(elf->elf, section)) != NULL) {
            GElf_Shdr header;

            if (gelf_getshdr(section, &header) != NULL &&
                header.sh_type == types[i])
                return take_table(elf, section, &header);
        }
    }
    return ETM_OK;
}

static int compare_symbols(const void *x, const void *y)
{
    const struct etm_elf_symbol_row *a = x, *b = y;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return strcmp(b->name, a->name);
}

static int compare_mappings(const void *x, const void *y)
{
    const struct etm_elf_mapping_row *a = x, *b = y;

    return a->address < b->address ? -1 : a->address > b->address;
}

static int compare_names(const void *x, const void *y)
{
    const struct etm_elf_symbol_row *a =
        *(const struct etm_elf_symbol_row *const *)x;
    const struct etm_elf_symbol_row *b =
        *(const struct etm_elf_symbol_row *const *)y;
    int order = strcmp(a->name, b->name);

    if (order != 0)
        return order;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

/*
 * Find the end of each symbol: by its size, otherwise where the next one begins
 * or its section ends. Labels within a function whose size is known are
 * dropped: they do not name the code around them.
 */
static void limit_symbols(struct etm_elf *elf)
{
    struct etm_elf_symbol_row *rows = elf->symbols.data;
    size_t n = elf->symbols.n, kept = 0;
    uint32_t function_end = 0;

    for (size_t i = 0; i < n; i++) {
        struct etm_elf_symbol_row row = rows[i];

        if (row.rank < FUNCTION && row.address < function_end)
            continue;
        if (row.size != 0 && row.size <= row.end - row.address) {
            row.end = row.address + row.size;
            if (row.rank >= FUNCTION && row.end > function_end)
                function_end = row.end;
        }
        rows[kept++] = row;
    }
    elf->symbols.n = kept;
    for (size_t i = kept, next = kept; i-- > 0;) {
        if (i + 1 < kept && rows[i + 1].address != rows[i].address)
            next = i + 1;
        if (rows[i].size == 0 && next < kept &&
            rows[next].address < rows[i].end)
            rows[i].end = rows[next].address;
    }
}

static int cover_symbols(struct etm_elf *elf)
{
    const struct etm_elf_symbol_row *rows = elf->symbols.data;
    int status =
        etm_elf_cover_make(&elf->symbol_cover, elf->symbols.n, &elf->allocator);

    for (size_t i = 0; status == ETM_OK && i < elf->symbols.n; i++)
        etm_elf_cover_put(&elf->symbol_cover, i, rows[i].end);
    return status;
}

static int make_symbols(struct etm_elf *elf)
{
    struct etm_elf_mapping_row *mappings;
    int status;

    elf->symbols.n = elf->mappings.n = 0;
    status = take_tables(elf);
    if (status == ETM_OK)
        status = etm_elf_sort(&elf->symbols, compare_symbols);
    if (status == ETM_OK)
        status = etm_elf_sort(&elf->mappings, compare_mappings);
    if (status != ETM_OK)
        return status;
    limit_symbols(elf);
    mappings = elf->mappings.data;
    for (size_t i = 0; i + 1 < elf->mappings.n; i++) {
        if (mappings[i + 1].address < mappings[i].end)
            mappings[i].end = mappings[i + 1].address;
    }
    status = cover_symbols(elf);
    if (status == ETM_OK)
        status = etm_elf_divide(&elf->symbol_places, &elf->symbols);
    if (status == ETM_OK)
        status = etm_elf_divide(&elf->mapping_places, &elf->mappings);
    return status;
}

int etm_elf_load_symbols(struct etm_elf *elf)
{
    int status;

    if (elf->has_symbols)
        return ETM_OK;
    status = make_symbols(elf);
    elf->has_symbols = status == ETM_OK;
    elf->lacks_symbols = !elf->has_symbols;
    return status;
}

bool etm_elf_lacks_symbols(const struct etm_elf *elf)
{
    return elf->lacks_symbols;
}

/* A listing needs no such table. */
int etm_elf_load_names(struct etm_elf *elf)
{
    int status = etm_elf_load_symbols(elf);

    if (status != ETM_OK || elf->has_names)
        return status;
    elf->by_name.n = 0;
    for (size_t i = 0; i < elf->symbols.n && status == ETM_OK; i++) {
        const struct etm_elf_symbol_row *row =
            (struct etm_elf_symbol_row *)elf->symbols.data + i;

        status = etm_vec_append(&elf->by_name, &row, 1);
    }
    if (status != ETM_OK)
        return status;
    if (elf->by_name.n != 0)
        qsort(elf->by_name.data, elf->by_name.n, elf->by_name.width,
              compare_names);
    elf->has_names = true;
    return ETM_OK;
}

bool etm_elf_symbol(struct etm_elf *elf, uint32_t address,
                    struct etm_symbol *symbol)
{
    const struct etm_elf_symbol_row *rows;
    size_t low;

    if (etm_elf_load_symbols(elf) != ETM_OK)
        return false;
    rows = elf->symbols.data;
    low = etm_elf_find(&elf->symbol_places, &elf->symbols, address);
    /* the nearest one before the address that reaches up to it, which mostly is
     * the first one */
    if (low == 0 || rows[low - 1].end <= address)
        low = etm_elf_cover_before(&elf->symbol_cover, low, address);
    if (low == 0)
        return false;
    *symbol = (struct etm_symbol){.name = rows[low - 1].name,
                                  .offset = address - rows[low - 1].address,
                                  .size = rows[low - 1].size};
    return true;
}

/* The first symbol of that name; after the last one: there is none. */
static size_t find_name(const struct etm_elf *elf, const char *name)
{
    const struct etm_elf_symbol_row *const *rows = elf->by_name.data;
    size_t low = 0, high = elf->by_name.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(rows[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < elf->by_name.n && strcmp(rows[low]->name, name) == 0
               ? low
               : elf->by_name.n;
}

bool etm_elf_address(struct etm_elf *elf, const char *name, uint32_t *address,
                     uint32_t *size)
{
    const struct etm_elf_symbol_row *const *rows;
    size_t i;

    if (etm_elf_load_names(elf) != ETM_OK)
        return false;
    rows = elf->by_name.data;
    i = find_name(elf, name);
    if (i == elf->by_name.n)
        return false;
    *address = rows[i]->address;
    if (size != NULL)
        *size = rows[i]->size;
    return true;
}

size_t etm_elf_namesakes(struct etm_elf *elf, const char *name)
{
    const struct etm_elf_symbol_row *const *rows;
    size_t i, first, n = 0;

    if (etm_elf_load_names(elf) != ETM_OK)
        return 0;
    rows = elf->by_name.data;
    first = find_name(elf, name);
    for (i = first; i < elf->by_name.n && rows[i]->rank == rows[first]->rank &&
                    strcmp(rows[i]->name, name) == 0;
         i++)
        n += i == first || rows[i]->address != rows[i - 1]->address;
    return n;
}

char etm_elf_mapping(struct etm_elf *elf, uint32_t address, uint32_t *end)
{
    const struct etm_elf_mapping_row *rows;
    uint32_t other;
    size_t low;

    end = end != NULL ? end : &other;
    *end = UINT32_MAX;
    if (etm_elf_load_symbols(elf) != ETM_OK)
        return 0;
    rows = elf->mappings.data;
    low = etm_elf_find(&elf->mapping_places, &elf->mappings, address);
    if (low > 0 && rows[low - 1].end > address) {
        *end = rows[low - 1].end;
        return rows[low - 1].kind;
    }
    if (low < elf->mappings.n)
        *end = rows[low].address;
    return 0;
}
