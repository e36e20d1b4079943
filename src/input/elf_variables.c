/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of ELF files by name. They are only needed for watching data, so
 * that there is no table. */
#include "input/elf_private.h"

#include <string.h>

/* A symbol of that name that is a variable: 2 if it is global, 1 if it is
   local, 0 if it is none. */
static int fits(struct etm_elf *elf, const GElf_Shdr *table,
                const GElf_Sym *symbol, const char *name)
{
    const char *own = elf_strptr(elf->elf, table->sh_link, symbol->st_name);

    if (!own || strcmp(own, name) != 0 ||
        GELF_ST_TYPE(symbol->st_info) != STT_OBJECT ||
        symbol->st_shndx == SHN_UNDEF)
        return 0;
    return GELF_ST_BIND(symbol->st_info) == STB_LOCAL ? 1 : 2;
}

bool etm_elf_variable(struct etm_elf *elf, const char *name, uint32_t *address,
                      uint32_t *size)
{
    Elf_Scn *section = NULL;
    int best = 0;

    while ((section = elf_nextscn(elf->elf, section)) != NULL) {
        GElf_Shdr header;
        Elf_Data *data;
        size_t n;

        if (gelf_getshdr(section, &header) == NULL || header.sh_entsize == 0 ||
            (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
            continue;
        data = elf_getdata(section, NULL);
        n = (size_t)(header.sh_size / header.sh_entsize);
        for (size_t i = 1; data != NULL && i < n; i++) {
            GElf_Sym symbol;
            int rank;

            if (gelf_getsym(data, (int)i, &symbol) == NULL)
                break;
            rank = fits(elf, &header, &symbol, name);
            if (rank <= best)
                continue;
            best = rank;
            *address = (uint32_t)symbol.st_value + elf->bias;
            *size = (uint32_t)symbol.st_size;
        }
    }
    return best != 0;
}
