/* SPDX-License-Identifier: Apache-2.0 */
/* Replacement of ELF files in a build without elfutils. */
#include "input/elf.h"

#include "input/text.h"

#include <string.h>

bool etm_elf_is_built(void)
{
    return false;
}

bool etm_elf_is(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

int etm_elf_open(struct etm_elf **elf, const char *path, uint32_t bias,
                 const struct etm_allocator *allocator, struct etm_diag *diag)
{
    (void)bias;
    (void)allocator;
    *elf = NULL;
    return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, path, ETM_DIAG_NONE,
                         "this build of libetm cannot read ELF files: it was "
                         "built without elfutils");
}

struct etm_elf *etm_elf_hold(struct etm_elf *elf)
{
    return elf;
}

void etm_elf_release(struct etm_elf *elf)
{
    (void)elf;
}

int etm_elf_add_to_image(const struct etm_elf *elf, struct etm_image *image,
                         const struct etm_space *space)
{
    (void)elf;
    (void)image;
    (void)space;
    return ETM_ERR_UNSUPPORTED;
}

const uint8_t *etm_elf_bytes(const struct etm_elf *elf, size_t *n)
{
    (void)elf;
    *n = 0;
    return NULL;
}

const char *etm_elf_path(const struct etm_elf *elf)
{
    (void)elf;
    return "";
}

int etm_elf_load_symbols(struct etm_elf *elf)
{
    (void)elf;
    return ETM_OK;
}

size_t etm_elf_namesakes(struct etm_elf *elf, const char *name)
{
    (void)elf;
    (void)name;
    return 0;
}

int etm_elf_load_names(struct etm_elf *elf)
{
    (void)elf;
    return ETM_OK;
}

bool etm_elf_lacks_symbols(const struct etm_elf *elf)
{
    (void)elf;
    return false;
}

bool etm_elf_lacks_lines(const struct etm_elf *elf)
{
    (void)elf;
    return false;
}

bool etm_elf_symbol(struct etm_elf *elf, uint32_t address,
                    struct etm_symbol *symbol)
{
    (void)elf;
    (void)address;
    (void)symbol;
    return false;
}

bool etm_elf_address(struct etm_elf *elf, const char *name, uint32_t *address,
                     uint32_t *size)
{
    (void)elf;
    (void)name;
    (void)address;
    (void)size;
    return false;
}

bool etm_elf_variable(struct etm_elf *elf, const char *name, uint32_t *address,
                      uint32_t *size)
{
    (void)elf;
    (void)name;
    (void)address;
    (void)size;
    return false;
}

int etm_elf_scalar(struct etm_elf *elf, uint32_t address, unsigned n,
                   const struct etm_scalar **scalar)
{
    (void)elf;
    (void)address;
    (void)n;
    *scalar = NULL;
    return ETM_ERR_NOT_FOUND;
}

const char *etm_elf_enumerator(struct etm_elf *elf,
                               const struct etm_scalar *scalar, uint64_t value)
{
    (void)elf;
    (void)scalar;
    (void)value;
    return NULL;
}

char etm_elf_mapping(struct etm_elf *elf, uint32_t address, uint32_t *end)
{
    (void)elf;
    (void)address;
    (void)end;
    return 0;
}

bool etm_elf_line(struct etm_elf *elf, uint32_t address,
                  struct etm_source_line *line)
{
    (void)elf;
    (void)address;
    (void)line;
    return false;
}

int etm_elf_inlined(struct etm_elf *elf, uint32_t address,
                    struct etm_inlined *inlined, size_t *n)
{
    (void)elf;
    (void)address;
    (void)inlined;
    *n = 0;
    return ETM_OK;
}

int etm_elf_walk_lines(struct etm_elf *elf, etm_line_fn *fn, void *context)
{
    (void)elf;
    (void)fn;
    (void)context;
    return ETM_OK;
}

int etm_elf_walk_functions(struct etm_elf *elf, etm_function_fn *fn,
                           void *context)
{
    (void)elf;
    (void)fn;
    (void)context;
    return ETM_OK;
}
