/* SPDX-License-Identifier: Apache-2.0 */
/* Types of variables (DWARF 5, chapter 5). */
#ifndef ETM_INPUT_ELF_TYPES_H
#define ETM_INPUT_ELF_TYPES_H

#include <etm/program.h>

#include <elfutils/libdw.h>

/* The type of a variable, or of what refers to one; bytes that it has (0: not
 * known). False: there is none. */
bool etm_elf_type_of(Dwarf_Die *die, Dwarf_Die *type);
uint32_t etm_elf_type_size(Dwarf_Die *type);

/*
 * The n-th scalar that has the byte `at` of what is of this type; as for
 * etm_symbols_scalar(). On input, *scalar has the address and the name of the
 * whole, and the byte order.
 */
bool etm_elf_type_scalar(Dwarf_Die *type, uint32_t at, unsigned n,
                         struct etm_scalar *scalar);

/* Where ".field[2].other" is in what is of this type, and how large. *type
 * becomes the type of it. */
bool etm_elf_type_path(Dwarf_Die *type, const char *path, uint32_t *offset);

/* The enumerator with this value; NULL: there is none. */
const char *etm_elf_type_enumerator(Dwarf_Die *type, uint64_t value,
                                    uint64_t mask);

#endif
