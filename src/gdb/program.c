/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "gdb/program.h"

#include "base/vec.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
    int fd;
    Elf *elf;
    Dwarf *dwarf;      /* NULL: it has none */
    Dwarf_CFI *frames; /* of .debug_frame, or of .eh_frame; NULL */
};

/* Memory that is written: addresses up to but without `end`. */
struct region {
    uint64_t start, end;
};

struct etm_gdb_program {
    struct etm_vec files;   /* struct file */
    struct etm_vec regions; /* struct region */
    bool unread;            /* there is other code */
};

static int add_region(struct etm_gdb_program *p, uint64_t start, uint64_t size)
{
    const struct region region = {start, start + size};

    return size == 0 ? ETM_OK : etm_vec_append(&p->regions, &region, 1);
}

/* Writable sections; without sections, writable segments that are no code. */
static int add_regions(struct etm_gdb_program *p, Elf *elf)
{
    Elf_Scn *section = NULL;
    int status = ETM_OK;
    size_t n = 0;
    bool any = false;

    while ((section = elf_nextscn(elf, section)) != NULL && status == ETM_OK) {
        GElf_Shdr header;

        if (gelf_getshdr(section, &header) == NULL ||
            (header.sh_flags & SHF_ALLOC) == 0)
            continue;
        any = true;
        if ((header.sh_flags & SHF_WRITE) != 0)
            status = add_region(p, header.sh_addr, header.sh_size);
    }
    if (any || elf_getphdrnum(elf, &n) != 0)
        return status;
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        GElf_Phdr header;

        if (gelf_getphdr(elf, (int)i, &header) != NULL &&
            (header.p_flags & (PF_W | PF_X)) == PF_W)
            status = add_region(p, header.p_vaddr, header.p_memsz);
    }
    return status;
}

static int add_file(struct etm_gdb_program *p, const char *path)
{
    struct file file = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    int status = ETM_OK;

    p->unread = p->unread || file.fd < 0;
    if (file.fd < 0)
        return ETM_OK;
    file.elf = elf_begin(file.fd, ELF_C_READ_MMAP, NULL);
    if (file.elf == NULL || elf_kind(file.elf) != ELF_K_ELF) {
        elf_end(file.elf);
        (void)close(file.fd);
        p->unread = true;
        return ETM_OK;
    }
    file.dwarf = dwarf_begin_elf(file.elf, DWARF_C_READ, NULL);
    file.frames = file.dwarf ? dwarf_getcfi(file.dwarf) : NULL;
    status = add_regions(p, file.elf);
    if (status == ETM_OK)
        status = etm_vec_append(&p->files, &file, 1);
    if (status != ETM_OK) {
        (void)dwarf_end(file.dwarf);
        elf_end(file.elf);
        (void)close(file.fd);
    }
    return status;
}

static struct etm_gdb_program *begin(void)
{
    struct etm_gdb_program *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    etm_vec_init(&p->files, sizeof(struct file), &etm_allocator_malloc);
    etm_vec_init(&p->regions, sizeof(struct region), &etm_allocator_malloc);
    (void)elf_version(EV_CURRENT);
    return p;
}

static struct etm_gdb_program *end(struct etm_gdb_program *p, int status)
{
    if (status == ETM_OK)
        return p;
    etm_gdb_program_free(p);
    return NULL;
}

struct etm_gdb_program *etm_gdb_program_new(const struct etm_session *session)
{
    struct etm_gdb_program *p = begin();
    const char *path;
    int status = ETM_OK;

    for (size_t i = 0; p && status == ETM_OK &&
                       (path = etm_session_code_file(session, i)) != NULL;
         i++)
        status = add_file(p, path);
    return end(p, status);
}

struct etm_gdb_program *etm_gdb_program_of(const char *path)
{
    struct etm_gdb_program *p = begin();

    return p ? end(p, add_file(p, path)) : NULL;
}

void etm_gdb_program_free(struct etm_gdb_program *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->files.n; i++) {
        const struct file *file = (const struct file *)p->files.data + i;

        (void)dwarf_end(file->dwarf);
        elf_end(file->elf);
        (void)close(file->fd);
    }
    etm_vec_fini(&p->files);
    etm_vec_fini(&p->regions);
    free(p);
}

bool etm_gdb_program_base(const char *path, uint32_t *address)
{
    struct etm_gdb_program *p = etm_gdb_program_of(path);
    bool found = false;
    size_t n = 0;

    if (p && p->files.n != 0) {
        Elf *elf = ((const struct file *)p->files.data)->elf;

        (void)elf_getphdrnum(elf, &n);
        for (size_t i = 0; i < n && !found; i++) {
            GElf_Phdr header;

            found = gelf_getphdr(elf, (int)i, &header) != NULL &&
                    header.p_type == PT_LOAD;
            *address = found ? (uint32_t)header.p_vaddr : 0;
        }
    }
    etm_gdb_program_free(p);
    return found;
}

bool etm_gdb_program_writes(const struct etm_gdb_program *p, uint32_t address)
{
    for (size_t i = 0; i < p->regions.n; i++) {
        const struct region *r = (const struct region *)p->regions.data + i;

        if (address >= r->start && address < r->end)
            return true;
    }
    return false;
}

/* Code of the M profile: MSR to PSP or CONTROL (ARMv7-M ARM, B5.2.3; bit 7:
 * those of the Non-secure state), and what is for coprocessors 10 and 11
 * (A5.3.18). Constants between instructions may look like it, too. */
static void look_at_code(struct etm_gdb_never *never, const uint8_t *bytes,
                         size_t n)
{
    for (size_t i = 0; i + 4 <= n; i += 2) {
        uint32_t first = bytes[i] | (uint32_t)bytes[i + 1] << 8;
        uint32_t second = bytes[i + 2] | (uint32_t)bytes[i + 3] << 8;
        uint32_t special = second & 0x7fu;

        if ((first & 0xfff0u) == 0xf380u && (second & 0xff00u) == 0x8800u &&
            (special == 9 || special == 20))
            never->selects_stack = false;
        if ((first & 0xec00u) == 0xec00u && (second & 0x0e00u) == 0x0a00u)
            never->floats = false;
    }
}

static void look_at_sections(struct etm_gdb_never *never, Elf *elf)
{
    Elf_Scn *section = NULL;
    bool any = false;

    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        Elf_Data *data;

        if (gelf_getshdr(section, &header) == NULL ||
            (header.sh_flags & SHF_EXECINSTR) == 0 ||
            header.sh_type != SHT_PROGBITS)
            continue;
        any = true;
        data = elf_rawdata(section, NULL);
        if (data)
            look_at_code(never, data->d_buf, data->d_size);
        else
            any = false;
    }
    never->selects_stack = never->selects_stack && any;
    never->floats = never->floats && any;
}

struct etm_gdb_never etm_gdb_program_never(const struct etm_gdb_program *p,
                                           bool fpu)
{
    struct etm_gdb_never never = {.selects_stack = !p->unread,
                                  .floats = !p->unread};

    for (size_t i = 0; i < p->files.n; i++) {
        const struct file *file = (const struct file *)p->files.data + i;
        GElf_Ehdr header;

        look_at_sections(&never, file->elf);
        if (p->files.n == 1 && gelf_getehdr(file->elf, &header) != NULL) {
            never.entry_known = header.e_entry != 0;
            never.entry = (uint32_t)header.e_entry & ~UINT32_C(1);
        }
    }
    never.selects_stack = never.selects_stack && p->files.n != 0;
    never.floats = !fpu || (never.floats && p->files.n != 0);
    return never;
}

static bool is_main(Elf *elf, Elf_Scn *section, uint32_t address)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Shdr header;
    GElf_Sym symbol;

    if (!data || gelf_getshdr(section, &header) == NULL ||
        header.sh_type != SHT_SYMTAB)
        return false;
    for (int i = 0; gelf_getsym(data, i, &symbol) != NULL; i++) {
        const char *name;

        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
            ((uint32_t)symbol.st_value & ~UINT32_C(1)) != address)
            continue;
        name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name && strcmp(name, "main") == 0)
            return true;
    }
    return false;
}

bool etm_gdb_program_begins(const struct etm_gdb_program *p, uint32_t address)
{
    for (size_t i = 0; i < p->files.n; i++) {
        const struct file *file = (const struct file *)p->files.data + i;
        Elf_Scn *section = NULL;
        GElf_Ehdr header;

        if (gelf_getehdr(file->elf, &header) != NULL && header.e_entry != 0 &&
            ((uint32_t)header.e_entry & ~UINT32_C(1)) == address)
            return true;
        while ((section = elf_nextscn(file->elf, section)) != NULL)
            if (is_main(file->elf, section, address))
                return true;
    }
    return false;
}

/* A register plus an offset. */
static bool read_base(const Dwarf_Op *ops, size_t n,
                      struct etm_gdb_shape *shape)
{
    if (n != 1)
        return false;
    if (ops[0].atom == DW_OP_bregx && ops[0].number < 16) {
        shape->base = (uint8_t)ops[0].number;
        shape->offset = (int32_t)ops[0].number2;
    } else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg15) {
        shape->base = (uint8_t)(ops[0].atom - DW_OP_breg0);
        shape->offset = (int32_t)ops[0].number;
    } else {
        return false;
    }
    return true;
}

/* Where a register is: in memory at an offset from the CFA, if anywhere. */
static void read_register(Dwarf_Frame *frame, unsigned reg,
                          struct etm_gdb_shape *shape)
{
    Dwarf_Op memory[3], *ops;
    size_t n;

    if (dwarf_frame_register(frame, (int)reg, memory, &ops, &n) != 0 ||
        n == 0 || ops == NULL || ops[0].atom != DW_OP_call_frame_cfa || n > 2)
        return;
    if (n == 2 && ops[1].atom != DW_OP_plus_uconst)
        return;
    shape->saved = (uint16_t)(shape->saved | 1u << reg);
    shape->at[reg] = n == 2 ? (int32_t)ops[1].number : 0;
}

bool etm_gdb_program_shape(const struct etm_gdb_program *p, uint32_t address,
                           struct etm_gdb_shape *shape)
{
    for (size_t i = 0; i < p->files.n; i++) {
        const struct file *file = (const struct file *)p->files.data + i;
        Dwarf_Frame *frame;
        Dwarf_Op *ops;
        size_t n;
        bool found;

        if (file->frames == NULL ||
            dwarf_cfi_addrframe(file->frames, address, &frame) != 0)
            continue;
        *shape = etm_gdb_shape_of_entry();
        found =
            dwarf_frame_cfa(frame, &ops, &n) == 0 && read_base(ops, n, shape);
        for (unsigned r = 0; r < ETM_GDB_PC && found; r++)
            read_register(frame, r, shape);
        if (found && shape->base == ETM_GDB_SP)
            shape->depth = (uint32_t)shape->offset;
        free(frame);
        if (found)
            return true;
    }
    return false;
}
