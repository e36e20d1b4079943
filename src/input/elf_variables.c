/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of ELF files by name, and the scalars that they are made of. */
#include "input/elf_private.h"
#include "input/elf_types.h"

#include <stdio.h>
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

static bool find_symbol(struct etm_elf *elf, const char *name,
                        uint32_t *address, uint32_t *size)
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

/* A variable within a function, a field, an element: the table has them. */
static bool find_part(struct etm_elf *elf, const char *name, uint32_t *address,
                      uint32_t *size)
{
    size_t n = strcspn(name, ".[");
    struct etm_elf_object *object;
    uint32_t offset;
    Dwarf_Die type;

    if (etm_elf_load_objects(elf) != ETM_OK)
        return false;
    object = etm_elf_object_named(elf, name, n);
    if (object == NULL || object->type == 0 ||
        dwarf_offdie(elf->dwarf, object->type, &type) == NULL ||
        !etm_elf_type_path(&type, name + n, &offset))
        return false;
    *address = object->address + offset;
    *size = etm_elf_type_size(&type);
    return true;
}

bool etm_elf_variable(struct etm_elf *elf, const char *name, uint32_t *address,
                      uint32_t *size)
{
    return find_symbol(elf, name, address, size) ||
           find_part(elf, name, address, size);
}

/* Without a type: the whole if it can be one, else there is no telling what is
 * in it. */
static void describe_raw(struct etm_scalar *scalar, uint32_t address,
                         uint32_t size)
{
    size_t n = strlen(scalar->name);

    scalar->kind = ETM_SCALAR_RAW;
    if (size == 1 || size == 2 || size == 4 || size == 8) {
        scalar->size = size;
        return;
    }
    if (address != scalar->address)
        (void)snprintf(scalar->name + n, sizeof scalar->name - n, "+%u",
                       (unsigned)(address - scalar->address));
    scalar->address = address;
}

int etm_elf_scalar(struct etm_elf *elf, uint32_t address, unsigned n,
                   const struct etm_scalar **scalar)
{
    struct etm_scalar *s = &elf->scalar;
    struct etm_elf_object *object;
    Dwarf_Die type;
    int status = etm_elf_load_objects(elf);

    *scalar = NULL;
    if (status != ETM_OK)
        return status;
    object = etm_elf_object_at(elf, address);
    if (object == NULL)
        return ETM_ERR_NOT_FOUND;
    *s = (struct etm_scalar){
        .address = object->address,
        .big_endian = elf_getident(elf->elf, NULL)[EI_DATA] == ELFDATA2MSB};
    (void)snprintf(s->name, sizeof s->name, "%s",
                   etm_elf_object_name(elf, object));
    if (object->type != 0 &&
        dwarf_offdie(elf->dwarf, object->type, &type) != NULL) {
        if (!etm_elf_type_scalar(&type, address - object->address, n, s))
            return ETM_ERR_NOT_FOUND; /* padding, or there are no more */
    } else if (n != 0) {
        return ETM_ERR_NOT_FOUND;
    } else {
        describe_raw(s, address, object->end - object->address);
    }
    *scalar = s;
    return ETM_OK;
}

const char *etm_elf_enumerator(struct etm_elf *elf,
                               const struct etm_scalar *scalar, uint64_t value)
{
    unsigned bits = scalar->bits != 0 ? scalar->bits : 8 * scalar->size;
    Dwarf_Die type;

    if (scalar->kind != ETM_SCALAR_ENUM || elf->dwarf == NULL ||
        dwarf_offdie(elf->dwarf, scalar->type, &type) == NULL)
        return NULL;
    return etm_elf_type_enumerator(
        &type, value, bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX);
}
