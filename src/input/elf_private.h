/* SPDX-License-Identifier: Apache-2.0 */
/* The internals of an open ELF file. */
#ifndef ETM_INPUT_ELF_PRIVATE_H
#define ETM_INPUT_ELF_PRIVATE_H

#include "base/vec.h"
#include "input/elf.h"
#include "input/file.h"

#include <etm/program.h>

#include <elfutils/libdw.h>
#include <gelf.h>

/* The rank of a function, at least. */
#define ETM_ELF_FUNCTION 4

/* A stretch of addresses that belongs to a function or label. */
struct etm_elf_symbol_row {
    uint32_t address;
    uint32_t end;  /* exclusive; addresses do not wrap round */
    uint32_t size; /* from the file; 0: not given */
    uint32_t section;
    uint8_t rank; /* of several at one address, the highest rank is used */
    const char *name;
};

/* Code or data from `address` up to `end`. */
struct etm_elf_mapping_row {
    uint32_t address;
    uint32_t end;
    uint32_t section;
    char kind;
};

/* A variable. */
struct etm_elf_object {
    uint32_t address;
    uint32_t end;
    const char *name; /* without what it is in; then with that: */
    char *full;       /* NULL: not asked for yet, or nothing is around it */
    Dwarf_Off die;    /* of it, and of its type; 0: not known */
    Dwarf_Off type;
};

/* Addresses of one compilation unit. */
struct etm_elf_unit_row {
    uint64_t low, high;
    Dwarf_Off die;
};

/* Units that are asked for the line of an address, at most: of code that the
 * linker removed, all claim the same. */
#define ETM_ELF_UNITS_ASKED 1024u

/* elf_cover.c: the ends of rows that are sorted by where they begin. */
struct etm_elf_cover {
    uint64_t *tree; /* NULL: no rows */
    size_t leaves;
};

/* A source file; `lines` are offsets in its text. */
struct etm_elf_source {
    const char *path; /* libdw's */
    char *text;       /* lines are terminated in place; NULL: not readable */
    struct etm_vec lines; /* const char * */
};

/* For looking up an address in rows that begin with one: addresses from `first`
 * on are divided into places of 1 << shift bytes. */
struct etm_elf_places {
    uint32_t first;
    unsigned shift;
    struct etm_vec starts; /* uint32_t: the first row of each place, and of the
                              one after the last; none: no rows */
};

struct etm_elf {
    struct etm_allocator allocator;
    unsigned references;
    char *path;
    struct etm_file file;
    uint8_t *turned; /* the same bytes with instructions that are
                        little-endian; NULL: they all are */
    uint32_t bias;
    Elf *elf;

    bool lacks_symbols; /* memory ran out at the last lookup */
    bool lacks_lines;   /* ... */

    bool has_symbols;        /* the next four exist */
    struct etm_vec symbols;  /* struct etm_elf_symbol_row by address */
    struct etm_vec mappings; /* struct etm_elf_mapping_row by address */
    struct etm_elf_places symbol_places, mapping_places;
    struct etm_elf_cover symbol_cover;
    bool has_names;         /* and this one */
    struct etm_vec by_name; /* const struct etm_elf_symbol_row * */

    bool has_units;       /* the next two exist */
    Dwarf *dwarf;         /* NULL: no debug information */
    uint64_t first_code;  /* where code begins, without the bias */
    struct etm_vec units; /* struct etm_elf_unit_row by low */
    struct etm_elf_cover unit_cover;
    struct etm_vec sources; /* struct etm_elf_source */
    struct etm_vec inlined; /* of elf_inlined.c */

    bool has_objects;         /* this table exists: */
    struct etm_vec objects;   /* struct etm_elf_object by address */
    struct etm_scalar scalar; /* of the last lookup */
};

/*
 * elf_sort.c: sort rows that begin with an address by address, and those of one
 * address by `compare`. ETM_ERR_MEMORY: they are unchanged.
 */
typedef int etm_elf_compare_fn(const void *x, const void *y);
int etm_elf_sort(struct etm_vec *rows, etm_elf_compare_fn *compare);

/*
 * elf_find.c: divide sorted rows that begin with an address into places;
 * ETM_ERR_MEMORY. Then: how many of the rows are at or before an address?
 */
int etm_elf_divide(struct etm_elf_places *places, const struct etm_vec *rows);
size_t etm_elf_find(const struct etm_elf_places *places,
                    const struct etm_vec *rows, uint32_t address);

/* elf_cover.c: room for the ends of n rows, which are put one by one.
 * ETM_ERR_MEMORY. Then: 1 more than the index of the last row before row `i`
 * that reaches beyond an address; 0: none. */
int etm_elf_cover_make(struct etm_elf_cover *cover, size_t n,
                       const struct etm_allocator *allocator);
void etm_elf_cover_put(struct etm_elf_cover *cover, size_t i, uint64_t end);
size_t etm_elf_cover_before(const struct etm_elf_cover *cover, size_t i,
                            uint64_t address);
void etm_elf_cover_free(struct etm_elf_cover *cover,
                        const struct etm_allocator *allocator);

/*
 * elf_order.c: is it a program whose instructions are big-endian? Make them
 * little-endian, as far as mapping symbols identify them. ETM_ERR_FORMAT: there
 * are no mapping symbols; ETM_ERR_MEMORY.
 */
bool etm_elf_is_be32(const struct etm_elf *elf);
int etm_elf_turn(struct etm_elf *elf, struct etm_diag *diag);

/* elf_lines.c: the next compilation unit from *offset on, which is moved after
 * it. 1; 0: there is none; ETM_ERR_MEMORY. */
int etm_elf_next_unit(struct etm_elf *elf, Dwarf_Off *offset, Dwarf_Die *unit);

/*
 * elf_removed.c: find out where code begins, and if that is near address 0,
 * move source lines of code that the linker removed away from there, to an
 * address that no instruction has, in the bytes that libdw is going to read.
 * ETM_OK or ETM_ERR_MEMORY.
 */
#define ETM_ELF_REMOVED UINT32_MAX
int etm_elf_move_removed(struct etm_elf *elf);

/* elf_lines.c: find the code of each compilation unit, if that has not been
 * done. ETM_OK or ETM_ERR_MEMORY. */
int etm_elf_load_units(struct etm_elf *elf);

/* The units at an address (without the bias), one after the other: `*i` is
 * first what etm_elf_units_before() gives. False: there are no more. */
size_t etm_elf_units_before(const struct etm_elf *elf, uint64_t address);
bool etm_elf_unit_at(const struct etm_elf *elf, uint64_t address, size_t *i,
                     Dwarf_Die *die);

/* elf_objects.c: find all variables, if that has not been done; ETM_ERR_MEMORY.
 * Then: the one at an address, or of this name of n characters; NULL: none. */
int etm_elf_load_objects(struct etm_elf *elf);
struct etm_elf_object *etm_elf_object_at(const struct etm_elf *elf,
                                         uint32_t address);
struct etm_elf_object *etm_elf_object_named(struct etm_elf *elf,
                                            const char *name, size_t n);
/* Its name with the namespaces, types and functions that it is in. */
const char *etm_elf_object_name(struct etm_elf *elf,
                                struct etm_elf_object *object);
void etm_elf_close_objects(struct etm_elf *elf);

/* elf_lines.c: free what etm_elf_line() made. */
void etm_elf_close_lines(struct etm_elf *elf);

/* elf_inlined.c */
void etm_elf_open_inlined(struct etm_elf *elf);
void etm_elf_close_inlined(struct etm_elf *elf);

#endif
