/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of BE-32, the big-endian memory of processors before Armv6 and of
 * some Cortex-R4: instructions are big-endian in the file, as in memory (Arm
 * ELF, 4.2.1). Everything else here expects those of BE-8 and of little-endian
 * programs, which are little-endian. (doc/errata.md, E-307)
 */
#include "input/elf_private.h"

#include "input/text.h"

#include <string.h>

bool etm_elf_is_be32(const struct etm_elf *elf)
{
    GElf_Ehdr header;

    return gelf_getehdr(elf->elf, &header) != NULL &&
           header.e_ident[EI_DATA] == ELFDATA2MSB &&
           (header.e_flags & EF_ARM_BE8) == 0;
}

/* Reverse the bytes of each unit of 2 or 4 bytes. */
static void turn(uint8_t *bytes, size_t n, size_t unit)
{
    for (size_t i = 0; i + unit <= n; i += unit) {
        for (size_t k = 0; k < unit / 2; k++) {
            uint8_t byte = bytes[i + k];

            bytes[i + k] = bytes[i + unit - 1 - k];
            bytes[i + unit - 1 - k] = byte;
        }
    }
}

/* Code from one mapping symbol to the next. */
static void turn_row(const struct etm_elf *elf,
                     const struct etm_elf_mapping_row *row)
{
    Elf_Scn *section = elf_getscn(elf->elf, row->section);
    uint64_t address = row->address - elf->bias;
    uint64_t n = row->end - row->address;
    GElf_Shdr s;

    if (section == NULL || gelf_getshdr(section, &s) == NULL ||
        s.sh_type == SHT_NOBITS || address < s.sh_addr ||
        address - s.sh_addr > s.sh_size || s.sh_offset > elf->file.n ||
        s.sh_size > elf->file.n - s.sh_offset)
        return;
    if (n > s.sh_size - (address - s.sh_addr))
        n = s.sh_size - (address - s.sh_addr);
    turn(elf->turned + s.sh_offset + (address - s.sh_addr), (size_t)n,
         row->kind == 'a' ? 4 : 2);
}

int etm_elf_turn(struct etm_elf *elf, struct etm_diag *diag)
{
    const struct etm_elf_mapping_row *rows;
    int status = etm_elf_load_symbols(elf);

    if (status != ETM_OK)
        return status;
    if (elf->mappings.n == 0)
        return etm_text_fail(diag, ETM_ERR_FORMAT, elf->path, ETM_DIAG_NONE,
                             "big-endian instructions (BE32) without mapping "
                             "symbols ($a, $t), which give their size");
    /* names are not changed, whatever a section covers */
    elf->turned = etm_alloc_zero(&elf->allocator, elf->file.n);
    if (elf->turned == NULL)
        return ETM_ERR_MEMORY;
    memcpy(elf->turned, elf->file.bytes, elf->file.n);
    rows = elf->mappings.data;
    for (size_t i = 0; i < elf->mappings.n; i++) {
        if (rows[i].kind != 'd')
            turn_row(elf, &rows[i]);
    }
    return ETM_OK;
}
