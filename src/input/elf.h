/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF files of the traced program: code, symbols, source lines.
 *
 * Opening reads the headers only. Tables of symbols and lines are built at the
 * first lookup, so that lookups change the object: only one thread at a time
 * may look up in it.
 *
 * In a build without elfutils, opening gives ETM_ERR_UNSUPPORTED.
 */
#ifndef ETM_INPUT_ELF_H
#define ETM_INPUT_ELF_H

#include "base/alloc.h"

#include <etm/decode.h>
#include <etm/types.h>

struct etm_elf;
struct etm_scalar;

/* Was it built with elfutils? */
bool etm_elf_is_built(void);

/* Do these bytes begin an ELF file? */
bool etm_elf_is(const uint8_t *bytes, size_t n);

/*
 * Open an executable or shared object for 32-bit Arm; `bias` is added to all
 * its addresses, and must be 0 unless it is position-independent. On success
 * the caller holds one reference to *elf; on failure it is NULL.
 * ETM_ERR_IO; ETM_ERR_FORMAT: no ELF file, not linked, for another machine,
 * cut short; ETM_ERR_UNSUPPORTED; ETM_ERR_MEMORY.
 */
int etm_elf_open(struct etm_elf **elf, const char *path, uint32_t bias,
                 const struct etm_allocator *allocator, struct etm_diag *diag);

/* One more reference; returns `elf`. */
struct etm_elf *etm_elf_hold(struct etm_elf *elf);

/* One reference less; the last one closes the file. Accepts NULL. */
void etm_elf_release(struct etm_elf *elf);

/*
 * Add the executable segments, as far as the file contains them, to an image.
 * The image borrows the bytes: it must be freed before the last reference.
 * ETM_ERR_MEMORY.
 */
int etm_elf_add_to_image(const struct etm_elf *elf, struct etm_image *image,
                         const struct etm_space *space);

/* The file's bytes, and its path. */
const uint8_t *etm_elf_bytes(const struct etm_elf *elf, size_t *n);
const char *etm_elf_path(const struct etm_elf *elf);

/*
 * Build the tables of symbols by address, if they do not exist yet: then
 * etm_elf_symbol() only reads. ETM_ERR_MEMORY.
 */
int etm_elf_load_symbols(struct etm_elf *elf);

/* Build the table of symbols by name, if it does not exist yet: then
 * etm_elf_address() only reads. ETM_ERR_MEMORY. */
int etm_elf_load_names(struct etm_elf *elf);

/*
 * The function or, if there is none, the label that `address` belongs to. The
 * name is valid as long as `elf`.
 */
bool etm_elf_symbol(struct etm_elf *elf, uint32_t address,
                    struct etm_symbol *symbol);

/* Did the last etm_elf_symbol() or etm_elf_line() run out of memory? Then what
 * it did not find may exist. */
bool etm_elf_lacks_symbols(const struct etm_elf *elf);
bool etm_elf_lacks_lines(const struct etm_elf *elf);

/*
 * The address of a function or label, without the Thumb bit; a global one
 * before a local one. `size` may be NULL; 0: not known.
 */
bool etm_elf_address(struct etm_elf *elf, const char *name, uint32_t *address,
                     uint32_t *size);

/* How many there are of that name and rank, each at an address of its own. */
size_t etm_elf_namesakes(struct etm_elf *elf, const char *name);

/* The address and size (0: not known) of a variable; a global one before a
   local one. With debug information also of a field or element of one:
   "a.b[2]". */
bool etm_elf_variable(struct etm_elf *elf, const char *name, uint32_t *address,
                      uint32_t *size);

/* As etm_symbols_scalar() and etm_symbols_enumerator(). Not found: NULL. */
int etm_elf_scalar(struct etm_elf *elf, uint32_t address, unsigned n,
                   const struct etm_scalar **scalar);
const char *etm_elf_enumerator(struct etm_elf *elf,
                               const struct etm_scalar *scalar, uint64_t value);

/*
 * The kind of an address according to the mapping symbols (Arm ELF, 5.5.5): 'a'
 * Arm code, 't' Thumb code, 'd' data, 0 unknown; and where that ends (NULL: not
 * wanted).
 */
char etm_elf_mapping(struct etm_elf *elf, uint32_t address, uint32_t *end);

/*
 * The source line of an address, with its text if the source file can be read.
 * File name and text are valid as long as `elf`.
 */
bool etm_elf_line(struct etm_elf *elf, uint32_t address,
                  struct etm_source_line *line);

/*
 * The functions that are inlined at an address, the outermost first: up to *n,
 * which is then how many there are. ETM_OK or ETM_ERR_MEMORY.
 */
int etm_elf_inlined(struct etm_elf *elf, uint32_t address,
                    struct etm_inlined *inlined, size_t *n);

/*
 * Call a function with each stretch of code that came from one line, or with
 * each function of the program. ETM_OK, ETM_ERR_MEMORY, or what `fn` returned.
 * Code that the linker removed has neither.
 */
int etm_elf_walk_lines(struct etm_elf *elf, etm_line_fn *fn, void *context);
int etm_elf_walk_functions(struct etm_elf *elf, etm_function_fn *fn,
                           void *context);

#endif
