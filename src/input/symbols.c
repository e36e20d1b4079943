/* SPDX-License-Identifier: Apache-2.0 */
/* The symbols of an ELF file without a capture. */
#include "input/elf.h"

#include "base/diag.h"

#include <etm/program.h>

/* The object is the file itself: nothing else is to be kept. */
static struct etm_elf *elf_of(struct etm_symbols *symbols)
{
    return (struct etm_elf *)(void *)symbols;
}

static int found(bool is)
{
    return is ? ETM_OK : ETM_ERR_NOT_FOUND;
}

int etm_symbols_open(struct etm_symbols **symbols, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    struct etm_allocator hook = etm_allocator_or_default(allocator);
    struct etm_elf *elf = NULL;
    int status;

    if (symbols != NULL)
        *symbols = NULL;
    if (symbols == NULL || path == NULL)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, NULL, "no file is given");
    status = etm_elf_open(&elf, path, 0, &hook, diag);
    /* a lookup does not report that memory ran out */
    if (status == ETM_OK)
        status = etm_elf_load_names(elf);
    if (status != ETM_OK && elf != NULL) {
        etm_elf_release(elf);
        elf = NULL;
    }
    if (status == ETM_ERR_MEMORY)
        (void)etm_diag_say(diag, status, path, "out of memory");
    *symbols = (struct etm_symbols *)(void *)elf;
    return status;
}

void etm_symbols_free(struct etm_symbols *symbols)
{
    etm_elf_release(elf_of(symbols));
}

int etm_symbols_at(struct etm_symbols *symbols, uint32_t address,
                   struct etm_symbol *symbol)
{
    if (symbols == NULL || symbol == NULL)
        return ETM_ERR_ARGUMENT;
    return found(etm_elf_symbol(elf_of(symbols), address, symbol));
}

int etm_symbols_find(struct etm_symbols *symbols, const char *name,
                     uint32_t *address, uint32_t *size, enum etm_isa *isa)
{
    struct etm_elf *elf = elf_of(symbols);

    if (symbols == NULL || name == NULL || address == NULL)
        return ETM_ERR_ARGUMENT;
    if (!etm_elf_address(elf, name, address, size))
        return ETM_ERR_NOT_FOUND;
    if (isa != NULL) {
        char kind = etm_elf_mapping(elf, *address, NULL);

        *isa = kind == 'a'   ? ETM_ISA_ARM
               : kind == 't' ? ETM_ISA_THUMB
                             : ETM_ISA_UNKNOWN;
    }
    return ETM_OK;
}

size_t etm_symbols_count(struct etm_symbols *symbols, const char *name)
{
    return etm_elf_namesakes(elf_of(symbols), name);
}

int etm_symbols_code(const struct etm_symbols *symbols, struct etm_image *image)
{
    return etm_elf_add_to_image((const struct etm_elf *)(const void *)symbols,
                                image, NULL);
}

int etm_symbols_variable(struct etm_symbols *symbols, const char *name,
                         uint32_t *address, uint32_t *size)
{
    if (symbols == NULL || name == NULL || address == NULL || size == NULL)
        return ETM_ERR_ARGUMENT;
    return found(etm_elf_variable(elf_of(symbols), name, address, size));
}

int etm_symbols_scalar(struct etm_symbols *symbols, uint32_t address,
                       unsigned n, const struct etm_scalar **scalar)
{
    if (symbols == NULL || scalar == NULL)
        return ETM_ERR_ARGUMENT;
    return etm_elf_scalar(elf_of(symbols), address, n, scalar);
}

int etm_symbols_enumerator(struct etm_symbols *symbols,
                           const struct etm_scalar *scalar, uint64_t value,
                           const char **name)
{
    if (symbols == NULL || scalar == NULL || name == NULL)
        return ETM_ERR_ARGUMENT;
    *name = etm_elf_enumerator(elf_of(symbols), scalar, value);
    return found(*name != NULL);
}
