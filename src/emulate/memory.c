/* SPDX-License-Identifier: Apache-2.0 */
/* The program's memory: that of the ELF file, and what is around it. */
#include "base/bytes.h"
#include "emulate/machine.h"

#include "input/file.h"
#include "input/text.h"

#include <stdlib.h>
#include <string.h>

/* ELF, 32 bits (System V ABI): the header, then rows of program headers. */
enum {
    EHDR_SIZE = 52,
    EHDR_DATA = 5, /* 1: little-endian */
    EHDR_MACHINE = 18,
    EHDR_ENTRY = 24,
    EHDR_PHOFF = 28,
    EHDR_PHENTSIZE = 42,
    EHDR_PHNUM = 44,
    PHDR_SIZE = 32,
    PHDR_OFFSET = 4,
    PHDR_PADDR = 12,
    PHDR_FILESZ = 16,
    PHDR_MEMSZ = 20,
    MACHINE_ARM = 40,
    SEGMENT_LOAD = 1
};

/* Memory after each segment if the caller gives none. */
#define MORE_MEMORY 0x400000u
#define M_PROFILE_RAM 0x20000000u
#define MAX_MEMORY 0x40000000u

static void put_word(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

uint8_t *etm_machine_memory(const struct etm_emulator *e, uint32_t address,
                            uint32_t n)
{
    const struct etm_memory *m = e->memory.data;

    for (size_t i = 0; i < e->memory.n; i++) {
        if (address >= m[i].base && address <= m[i].last &&
            n - 1 <= m[i].last - address)
            return m[i].bytes + (address - m[i].base);
    }
    return NULL;
}

bool etm_machine_read32(const struct etm_emulator *e, uint32_t address,
                        uint32_t *value)
{
    const uint8_t *p = etm_machine_memory(e, address, 4);

    if (p != NULL)
        *value = etm_le32(p);
    return p != NULL;
}

bool etm_machine_write32(const struct etm_emulator *e, uint32_t address,
                         uint32_t value)
{
    uint8_t *p = etm_machine_memory(e, address, 4);

    if (p != NULL)
        put_word(p, value);
    return p != NULL;
}

size_t etm_emulator_read(const struct etm_emulator *emulator, uint32_t address,
                         uint8_t *bytes, size_t n)
{
    size_t done = 0;

    for (; done < n && (uint64_t)address + done <= UINT32_MAX; done++) {
        const uint8_t *p =
            etm_machine_memory(emulator, (uint32_t)(address + done), 1);

        if (p == NULL)
            break;
        bytes[done] = *p;
    }
    return done;
}

/* A stretch of memory in whole pages; `size` is not 0. */
static int add_stretch(struct etm_vec *list, uint32_t base, uint64_t size)
{
    uint64_t last = base + size - 1;
    struct etm_memory m = {.base = base & ~(ETM_PAGE - 1)};

    if (last > UINT32_MAX)
        last = UINT32_MAX;
    m.last = (uint32_t)last | (ETM_PAGE - 1);
    return etm_vec_append(list, &m, 1);
}

static int by_base(const void *a, const void *b)
{
    const struct etm_memory *left = a, *right = b;

    return (left->base > right->base) - (left->base < right->base);
}

/* Sort stretches, and merge adjacent ones. */
static void merge(struct etm_vec *list)
{
    struct etm_memory *m = list->data;
    size_t n = 0;

    if (list->n == 0)
        return;
    qsort(m, list->n, sizeof *m, by_base);
    for (size_t i = 1; i < list->n; i++) {
        if (m[i].base <= m[n].last || m[i].base - 1 == m[n].last) {
            if (m[i].last > m[n].last)
                m[n].last = m[i].last;
        } else {
            m[++n] = m[i];
        }
    }
    list->n = n + 1;
}

static int fail(struct etm_diag *diag, int status, const char *path,
                const char *what)
{
    return etm_text_fail(diag, status, path, ETM_DIAG_NONE, "%s", what);
}

static int check_header(const struct etm_file *file, const char *path,
                        struct etm_diag *diag)
{
    const uint8_t *b = file->bytes;
    bool elf = file->n >= EHDR_SIZE && memcmp(b, "\177ELF\1", 5) == 0;
    bool big = elf && b[EHDR_DATA] != 1; /* and so is what names the machine */

    if (!elf ||
        (big ? b[EHDR_MACHINE + 1] : etm_le16(b + EHDR_MACHINE)) != MACHINE_ARM)
        return fail(diag, ETM_ERR_FORMAT, path,
                    "not an ELF file for 32-bit Arm");
    if (big)
        return fail(diag, ETM_ERR_FORMAT, path,
                    "big-endian programs cannot be run");
    if (etm_le16(b + EHDR_PHENTSIZE) != PHDR_SIZE ||
        etm_le32(b + EHDR_PHOFF) > file->n ||
        etm_le16(b + EHDR_PHNUM) >
            (file->n - etm_le32(b + EHDR_PHOFF)) / PHDR_SIZE)
        return fail(diag, ETM_ERR_FORMAT, path,
                    "the program headers are broken");
    return ETM_OK;
}

/* Program header `i` if it takes memory. */
static const uint8_t *segment_at(const struct etm_file *file, size_t i)
{
    const uint8_t *p =
        file->bytes + etm_le32(file->bytes + EHDR_PHOFF) + i * PHDR_SIZE;

    return etm_le32(p) == SEGMENT_LOAD && etm_le32(p + PHDR_MEMSZ) != 0 ? p
                                                                        : NULL;
}

/*
 * The segments, at the addresses where a debugger loads them: where a
 * program copies its data from, not where it copies them to.
 */
static int find_segments(struct etm_emulator *e, const struct etm_file *file,
                         const char *path, struct etm_diag *diag)
{
    int status = ETM_OK;

    for (size_t i = 0; i < etm_le16(file->bytes + EHDR_PHNUM); i++) {
        const uint8_t *p = segment_at(file, i);
        struct etm_memory m = {0};

        if (p == NULL)
            continue;
        if (etm_le32(p + PHDR_OFFSET) > file->n ||
            etm_le32(p + PHDR_FILESZ) > file->n - etm_le32(p + PHDR_OFFSET) ||
            etm_le32(p + PHDR_FILESZ) > etm_le32(p + PHDR_MEMSZ) ||
            etm_le32(p + PHDR_MEMSZ) - 1 >
                UINT32_MAX - etm_le32(p + PHDR_PADDR))
            return fail(diag, ETM_ERR_FORMAT, path, "a segment is broken");
        m.base = etm_le32(p + PHDR_PADDR);
        m.last = m.base + (etm_le32(p + PHDR_MEMSZ) - 1);
        status = etm_vec_append(&e->segments, &m, 1);
        if (status != ETM_OK)
            return status;
        /* where it runs, which may be elsewhere */
        status =
            add_stretch(&e->memory, etm_le32(p + 8), etm_le32(p + PHDR_MEMSZ));
        if (status != ETM_OK)
            return status;
    }
    if (e->segments.n == 0)
        return fail(diag, ETM_ERR_FORMAT, path, "there are no segments in it");
    qsort(e->segments.data, e->segments.n, sizeof(struct etm_memory), by_base);
    return status;
}

static int find_memory(struct etm_emulator *e,
                       const struct etm_emulator_config *config)
{
    const struct etm_memory *s = e->segments.data;
    uint64_t more =
        config->n_regions == 0 || config->usual_memory ? MORE_MEMORY : 0;
    int status = ETM_OK;

    for (size_t i = 0; i < e->segments.n && status == ETM_OK; i++)
        status = add_stretch(&e->memory, s[i].base,
                             (uint64_t)s[i].last - s[i].base + 1 + more);
    for (size_t i = 0; i < config->n_regions && status == ETM_OK; i++) {
        if (config->regions[i].size != 0)
            status = add_stretch(&e->memory, config->regions[i].base,
                                 config->regions[i].size);
    }
    if (status == ETM_OK && more != 0 && e->profile == ETM_PROFILE_M)
        status = add_stretch(&e->memory, M_PROFILE_RAM, more);
    if (status == ETM_OK && e->profile == ETM_PROFILE_M)
        status = add_stretch(&e->memory, ETM_M_SPACE, ETM_PAGE);
    merge(&e->memory);
    return status;
}

static int take_memory(struct etm_emulator *e, const char *path,
                       struct etm_diag *diag)
{
    struct etm_memory *m = e->memory.data;
    uint64_t sum = 0;

    for (size_t i = 0; i < e->memory.n; i++)
        sum += (uint64_t)m[i].last - m[i].base + 1;
    if (sum > MAX_MEMORY)
        return fail(diag, ETM_ERR_CONFIG, path,
                    "the program and its regions take more than 1 GB");
    for (size_t i = 0; i < e->memory.n; i++) {
        size_t size = (size_t)m[i].last - m[i].base + 1;

        m[i].bytes = etm_alloc_zero(&e->allocator, size);
        if (m[i].bytes == NULL)
            return ETM_ERR_MEMORY;
        if (e->unicorn.mem_map_ptr(e->uc, m[i].base, size, UC_PROT_ALL,
                                   m[i].bytes) != UC_ERR_OK)
            return ETM_ERR_MEMORY;
    }
    return ETM_OK;
}

/* The end of the memory around the last segment, without the system's. */
static uint32_t default_stack(const struct etm_emulator *e)
{
    const struct etm_memory *s = e->segments.data, *m = e->memory.data;
    uint32_t address = s[e->segments.n - 1].base;

    for (size_t i = 0; i < e->memory.n; i++) {
        if (address >= m[i].base && address <= m[i].last)
            return (m[i].last + 1) & ~7u;
    }
    return 0;
}

/* In the M profile: does a vector table stand there? A stack pointer of whole
 * words, and a Thumb address in a segment. */
static bool is_table(const struct etm_emulator *e, uint32_t stack,
                     uint32_t reset)
{
    const struct etm_memory *s = e->segments.data;

    if ((stack & 3) != 0 || stack == 0 || (reset & 1) == 0 ||
        etm_machine_memory(e, stack - 4, 4) == NULL)
        return false;
    for (size_t i = 0; i < e->segments.n; i++) {
        if (reset >= s[i].base && reset <= s[i].last)
            return true;
    }
    return false;
}

static void find_start(struct etm_emulator *e, const struct etm_file *file)
{
    const struct etm_memory *s = e->segments.data;
    uint32_t stack = 0, reset = 0;

    e->start = etm_le32(file->bytes + EHDR_ENTRY);
    e->stack = default_stack(e);
    e->vectors = s[0].base;
    if (e->profile == ETM_PROFILE_M) {
        if (etm_machine_read32(e, e->vectors, &stack) &&
            etm_machine_read32(e, e->vectors + 4, &reset) &&
            is_table(e, stack, reset)) {
            e->start = reset;
            e->stack = stack;
        }
    }
    if (e->profile == ETM_PROFILE_M)
        e->start |= 1;
}

int etm_machine_load(struct etm_emulator *e,
                     const struct etm_emulator_config *config,
                     struct etm_diag *diag)
{
    struct etm_file file = {0};
    int status = etm_file_open(&file, config->program, &e->allocator, diag);

    if (status != ETM_OK)
        return status;
    status = check_header(&file, config->program, diag);
    if (status == ETM_OK)
        status = find_segments(e, &file, config->program, diag);
    if (status == ETM_OK)
        status = find_memory(e, config);
    if (status == ETM_OK)
        status = take_memory(e, config->program, diag);
    for (size_t i = 0;
         status == ETM_OK && i < etm_le16(file.bytes + EHDR_PHNUM); i++) {
        const uint8_t *p = segment_at(&file, i);

        if (p != NULL && etm_le32(p + PHDR_FILESZ) != 0)
            memcpy(etm_machine_memory(e, etm_le32(p + PHDR_PADDR),
                                      etm_le32(p + PHDR_FILESZ)),
                   file.bytes + etm_le32(p + PHDR_OFFSET),
                   etm_le32(p + PHDR_FILESZ));
    }
    if (status == ETM_OK)
        find_start(e, &file);
    etm_file_close(&file, &e->allocator);
    return status;
}

void etm_machine_unload(struct etm_emulator *e)
{
    struct etm_memory *m = e->memory.data;

    for (size_t i = 0; i < e->memory.n; i++)
        etm_alloc_free(&e->allocator, m[i].bytes);
    e->memory.n = 0;
}
