/* SPDX-License-Identifier: Apache-2.0 */
/* Opening ELF files, and their segments. */
#include "input/elf_private.h"

#include "input/text.h"

#include <errno.h>
#include <string.h>

bool etm_elf_is_built(void)
{
    return true;
}

bool etm_elf_is(const uint8_t *bytes, size_t n)
{
    return n >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

static int malformed(const struct etm_elf *elf, struct etm_diag *diag,
                     const char *what)
{
    return etm_text_fail(diag, ETM_ERR_FORMAT, elf->path, ETM_DIAG_NONE, "%s",
                         what);
}

/* Can the file hold a program for a core with an ETM? */
static int check_header(const struct etm_elf *elf, struct etm_diag *diag)
{
    GElf_Ehdr header;

    if (elf->elf == NULL || elf_kind(elf->elf) != ELF_K_ELF ||
        gelf_getehdr(elf->elf, &header) == NULL)
        return malformed(elf, diag, "not an ELF file, or its header is broken");
    if (header.e_machine != EM_ARM || header.e_ident[EI_CLASS] != ELFCLASS32)
        return etm_text_fail(
            diag, ETM_ERR_FORMAT, elf->path, ETM_DIAG_NONE,
            "an ELF file for machine %u with %s, not for "
            "32-bit Arm",
            (unsigned)header.e_machine,
            header.e_ident[EI_CLASS] == ELFCLASS64 ? "64 bits" : "32 bits");
    if (header.e_type == ET_REL)
        return malformed(
            elf, diag,
            "an object file that is not linked: it has no "
            "addresses yet; those of a kernel module are in a copy "
            "of the kernel's memory (/proc/kcore)");
    /* a core file has memory as it was, including code that changed itself */
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN &&
        header.e_type != ET_CORE)
        return etm_text_fail(diag, ETM_ERR_FORMAT, elf->path, ETM_DIAG_NONE,
                             "an ELF file of type %u: neither an executable, a "
                             "shared object nor a core",
                             (unsigned)header.e_type);
    if (elf->bias != 0 && header.e_type != ET_DYN)
        return malformed(
            elf, diag,
            "an executable, which has its own addresses: give it without an "
            "address, or as a binary ('objcopy -O binary') with one");
    return ETM_OK;
}

/* Segment `i` if it is loaded from the file. */
static bool load_segment(const struct etm_elf *elf, size_t i,
                         GElf_Phdr *segment)
{
    return gelf_getphdr(elf->elf, (int)i, segment) != NULL &&
           segment->p_type == PT_LOAD && segment->p_filesz != 0;
}

static int check_segments(const struct etm_elf *elf, struct etm_diag *diag)
{
    size_t n;
    GElf_Phdr s;

    if (elf_getphdrnum(elf->elf, &n) != 0)
        return malformed(elf, diag, "the program headers are broken");
    if (n == 0)
        return malformed(elf, diag, "there are no segments in it");
    for (size_t i = 0; i < n; i++) {
        if (gelf_getphdr(elf->elf, (int)i, &s) == NULL)
            return malformed(elf, diag, "the program headers are broken");
        if (!load_segment(elf, i, &s))
            continue;
        if (s.p_offset > elf->file.n || s.p_filesz > elf->file.n - s.p_offset)
            return etm_text_fail(
                diag, ETM_ERR_FORMAT, elf->path, ETM_DIAG_NONE,
                "the file is truncated: segment %zu goes beyond its end", i);
        if (s.p_vaddr + elf->bias + s.p_filesz > UINT64_C(0x100000000))
            return etm_text_fail(diag, ETM_ERR_FORMAT, elf->path, ETM_DIAG_NONE,
                                 "segment %zu does not fit in 32-bit addresses",
                                 i);
    }
    return ETM_OK;
}

static int open_elf(struct etm_elf *elf, const char *path,
                    struct etm_diag *diag)
{
    int status;

    elf->path = etm_text_copy(&elf->allocator, path, strlen(path));
    if (elf->path == NULL)
        return ETM_ERR_MEMORY;
    status = etm_file_open(&elf->file, path, &elf->allocator, diag);
    if (status != ETM_OK)
        return status;
    if (!etm_elf_is(elf->file.bytes, elf->file.n))
        return malformed(elf, diag, "not an ELF file");
    if (elf_version(EV_CURRENT) == EV_NONE)
        return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, path, ETM_DIAG_NONE,
                             "libelf is too old");
    /* elf_memory() takes bytes to write for the sake of other modes. */
    errno = 0;
    elf->elf = elf_memory((char *)(uintptr_t)elf->file.bytes, elf->file.n);
    if (elf->elf == NULL && errno == ENOMEM)
        return ETM_ERR_MEMORY;
    status = check_header(elf, diag);
    if (status == ETM_OK)
        status = check_segments(elf, diag);
    /* BE8 code is little-endian in the file (Arm ELF, 5.2) */
    return status == ETM_OK && etm_elf_is_be32(elf) ? etm_elf_turn(elf, diag)
                                                    : status;
}

int etm_elf_open(struct etm_elf **elf, const char *path, uint32_t bias,
                 const struct etm_allocator *allocator, struct etm_diag *diag)
{
    struct etm_allocator a = etm_allocator_or_default(allocator);
    struct etm_elf *e = etm_alloc_zero(&a, sizeof *e);
    int status;

    *elf = NULL;
    if (e == NULL)
        return ETM_ERR_MEMORY;
    e->allocator = a;
    e->references = 1;
    e->bias = bias;
    etm_vec_init(&e->symbols, sizeof(struct etm_elf_symbol_row), &a);
    etm_vec_init(&e->mappings, sizeof(struct etm_elf_mapping_row), &a);
    etm_vec_init(&e->symbol_places.starts, sizeof(uint32_t), &a);
    etm_vec_init(&e->mapping_places.starts, sizeof(uint32_t), &a);
    etm_vec_init(&e->by_name, sizeof(struct etm_elf_symbol_row *), &a);
    etm_vec_init(&e->units, sizeof(struct etm_elf_unit_row), &a);
    etm_vec_init(&e->sources, sizeof(struct etm_elf_source), &a);
    etm_elf_open_inlined(e);
    etm_vec_init(&e->objects, sizeof(struct etm_elf_object), &e->allocator);
    status = open_elf(e, path, diag);
    if (status != ETM_OK)
        etm_elf_release(e);
    else
        *elf = e;
    return status;
}

struct etm_elf *etm_elf_hold(struct etm_elf *elf)
{
    elf->references++;
    return elf;
}

void etm_elf_release(struct etm_elf *elf)
{
    struct etm_allocator allocator;

    if (elf == NULL || --elf->references != 0)
        return;
    allocator = elf->allocator;
    etm_elf_close_inlined(elf);
    etm_elf_close_objects(elf);
    etm_elf_close_lines(elf);
    etm_vec_fini(&elf->symbols);
    etm_elf_cover_free(&elf->symbol_cover, &allocator);
    etm_vec_fini(&elf->mappings);
    etm_vec_fini(&elf->symbol_places.starts);
    etm_vec_fini(&elf->mapping_places.starts);
    etm_vec_fini(&elf->by_name);
    elf_end(elf->elf);
    etm_alloc_free(&allocator, elf->turned);
    etm_file_close(&elf->file, &allocator);
    etm_alloc_free(&allocator, elf->path);
    etm_alloc_free(&allocator, elf);
}

static const uint8_t *code_of(const struct etm_elf *elf)
{
    return elf->turned != NULL ? elf->turned : elf->file.bytes;
}

/* Is a section at the address given by the segment that has its bytes in the
 * file? */
static bool is_in_place(const struct etm_elf *elf, const GElf_Shdr *section)
{
    size_t n = 0;
    GElf_Phdr s;

    (void)elf_getphdrnum(elf->elf, &n);
    for (size_t i = 0; i < n; i++) {
        if (load_segment(elf, i, &s) && section->sh_offset >= s.p_offset &&
            section->sh_offset - s.p_offset < s.p_filesz)
            return section->sh_addr - s.p_vaddr ==
                   section->sh_offset - s.p_offset;
    }
    return true; /* nobody loads it */
}

/* Segments of a program with code that was moved, at most: Arm's linker makes a
 * few. */
#define SEGMENTS_MOST 1024u

/*
 * Code that runs elsewhere than it is loaded: Arm's linker gives a load region
 * one segment, with the address of its first execution region, and sections
 * have the addresses at which they run (doc/errata.md, E-306).
 */
static int add_moved_code(const struct etm_elf *elf, struct etm_image *image,
                          const struct etm_space *space)
{
    const uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
    Elf_Scn *scn = NULL;
    size_t n = 0;
    int status = ETM_OK;

    /* each section is looked for in all segments */
    if (elf_getphdrnum(elf->elf, &n) != 0 || n > SEGMENTS_MOST)
        return ETM_OK;
    while (status == ETM_OK && (scn = elf_nextscn(elf->elf, scn)) != NULL) {
        GElf_Shdr s;

        if (gelf_getshdr(scn, &s) == NULL || s.sh_type != SHT_PROGBITS ||
            (s.sh_flags & flags) != flags || s.sh_size == 0 ||
            s.sh_offset > elf->file.n ||
            s.sh_size > elf->file.n - s.sh_offset ||
            s.sh_addr + elf->bias + s.sh_size > UINT64_C(0x100000000) ||
            is_in_place(elf, &s))
            continue;
        status =
            etm_image_add(image, (uint32_t)s.sh_addr + elf->bias,
                          code_of(elf) + s.sh_offset, (size_t)s.sh_size, space);
    }
    return status;
}

int etm_elf_add_to_image(const struct etm_elf *elf, struct etm_image *image,
                         const struct etm_space *space)
{
    size_t n = 0, executable = 0;
    GElf_Phdr s;

    if (elf_getphdrnum(elf->elf, &n) != 0)
        return ETM_ERR_FORMAT;
    for (size_t i = 0; i < n; i++)
        executable += load_segment(elf, i, &s) && (s.p_flags & PF_X) != 0;
    for (size_t i = 0; i < n; i++) {
        int status;

        /* Files that a tool made from a memory dump mark nothing as code. */
        if (!load_segment(elf, i, &s) ||
            (executable != 0 && (s.p_flags & PF_X) == 0))
            continue;
        status =
            etm_image_add(image, (uint32_t)s.p_vaddr + elf->bias,
                          code_of(elf) + s.p_offset, (size_t)s.p_filesz, space);
        if (status != ETM_OK)
            return status;
    }
    return add_moved_code(elf, image, space);
}

const uint8_t *etm_elf_bytes(const struct etm_elf *elf, size_t *n)
{
    *n = elf->file.n;
    return code_of(elf);
}

const char *etm_elf_path(const struct etm_elf *elf)
{
    return elf->path;
}
