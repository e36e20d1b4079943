/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processor that a program is for: the build attributes of its ELF file
 * (Addenda to, and Errata in, the ABI for the Arm Architecture, IHI 0045,
 * chapter 2).
 */
#include "cli/record.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 52, /* of an ELF file */
    SECTION = 40,
    SEGMENT = 32,
    PT_LOAD = 1,
    SHT_ARM_ATTRIBUTES = 0x70000003,
    TAG_FILE = 1,
    TAG_CPU_RAW_NAME = 4,
    TAG_CPU_NAME = 5,
    TAG_CPU_ARCH = 6,
    TAG_CPU_ARCH_PROFILE = 7,
    TAG_COMPATIBILITY = 32,
    MOST = 1 << 26 /* maximum number of bytes of a file that are read */
};

/* Values of Tag_CPU_arch. */
enum {
    ARCH_V4 = 1,
    ARCH_V4T,
    ARCH_V5T,
    ARCH_V5TE,
    ARCH_V5TEJ,
    ARCH_V6,
    ARCH_V6KZ,
    ARCH_V6K = 9,
    ARCH_V7E_M = 13
};

/* What is left to read; an end that comes too early empties it. */
struct bytes {
    const uint8_t *at;
    size_t n;
};

struct attributes {
    char name[32];
    uint32_t arch; /* 0: not given */
    uint32_t profile;
};

static uint32_t le16(const uint8_t *b)
{
    return b[0] | (uint32_t)b[1] << 8;
}

static uint32_t le32(const uint8_t *b)
{
    return le16(b) | le16(b + 2) << 16;
}

static uint32_t take_uleb(struct bytes *b)
{
    uint32_t value = 0;
    unsigned shift = 0;

    while (b->n > 0) {
        uint8_t byte = *b->at++;

        b->n--;
        if (shift < 32)
            value |= (uint32_t)(byte & 0x7f) << shift;
        shift += 7;
        if (byte < 0x80)
            return value;
    }
    return 0;
}

static const char *take_text(struct bytes *b)
{
    const uint8_t *end = b->n == 0 ? NULL : memchr(b->at, '\0', b->n);
    const char *text = (const char *)b->at;

    if (!end) {
        b->n = 0;
        return "";
    }
    b->n -= (size_t)(end + 1 - b->at);
    b->at = end + 1;
    return text;
}

static void take_attribute(struct bytes *b, struct attributes *a)
{
    uint32_t tag = take_uleb(b);
    bool text = tag == TAG_CPU_RAW_NAME || tag == TAG_CPU_NAME ||
                (tag > TAG_COMPATIBILITY && tag % 2 == 1);
    uint32_t value;

    if (text) {
        const char *name = take_text(b);

        if (tag == TAG_CPU_NAME)
            (void)snprintf(a->name, sizeof a->name, "%s", name);
        return;
    }
    value = take_uleb(b);
    if (tag == TAG_COMPATIBILITY)
        (void)take_text(b);
    if (tag == TAG_CPU_ARCH)
        a->arch = value;
    if (tag == TAG_CPU_ARCH_PROFILE)
        a->profile = value;
}

/* The section: 'A', then a part for each vendor; that of "aeabi" is used. */
static void take_section(struct bytes section, struct attributes *a)
{
    if (section.n < 1 || section.at[0] != 'A')
        return;
    section.at++;
    section.n--;
    while (section.n >= 4) {
        uint32_t size = le32(section.at);
        struct bytes part = {section.at + 4, size - 4};

        if (size < 4 || size > section.n)
            return;
        section.at += size;
        section.n -= size;
        if (strcmp(take_text(&part), "aeabi") != 0)
            continue;
        if (take_uleb(&part) != TAG_FILE || part.n < 4)
            return;
        part.at += 4;
        part.n -= 4;
        while (part.n > 0)
            take_attribute(&part, a);
        return;
    }
}

static void find_attributes(const uint8_t *file, size_t n, struct attributes *a)
{
    uint64_t table;
    uint32_t entry, count;

    if (n < HEADER || memcmp(file, "\177ELF\1\1", 6) != 0)
        return;
    table = le32(file + 32);
    entry = le16(file + 46);
    count = le16(file + 48);
    for (uint32_t i = 0; i < count && entry >= SECTION; i++) {
        uint64_t at = table + (uint64_t)i * entry;
        uint32_t offset, size;

        if (at + SECTION > n)
            return;
        offset = le32(file + at + 16);
        size = le32(file + at + 20);
        if (le32(file + at + 4) != SHT_ARM_ATTRIBUTES)
            continue;
        if ((uint64_t)offset + size <= n)
            take_section((struct bytes){file + offset, size}, a);
        return;
    }
}

/* A segment that is loaded, or NULL. */
static const uint8_t *loaded(const uint8_t *file, size_t n, uint32_t i)
{
    uint64_t at = le32(file + 28) + (uint64_t)i * le16(file + 42);

    if (at + SEGMENT > n || le32(file + at) != PT_LOAD)
        return NULL;
    return file + at;
}

/* Is there a segment with that address? */
static bool is_loaded(const uint8_t *file, size_t n, uint32_t address)
{
    for (uint32_t i = 0; i < le16(file + 44); i++) {
        const uint8_t *s = loaded(file, n, i);

        if (s && address - le32(s + 8) < le32(s + 16))
            return true;
    }
    return false;
}

/*
 * Does the program look as if it were for an M-profile processor, which begins
 * in Thumb state, or has a table of vectors: a stack pointer, and the address
 * of Thumb code in the program? In others the second word is an instruction.
 */
static bool looks_m(const uint8_t *file, size_t n)
{
    if (n < HEADER || memcmp(file, "\177ELF\1\1", 6) != 0)
        return false;
    if ((file[24] & 1) != 0)
        return true;
    for (uint32_t i = 0; i < le16(file + 44); i++) {
        const uint8_t *s = loaded(file, n, i);
        uint64_t at = s ? le32(s + 4) : n;
        uint32_t stack, reset;

        if (at + 8 > n || le32(s + 16) < 8)
            continue;
        stack = le32(file + at);
        reset = le32(file + at + 4);
        if (stack != 0 && stack % 4 == 0 && reset % 2 != 0 &&
            is_loaded(file, n, reset))
            return true;
    }
    return false;
}

/* A core that runs what the attributes allow. */
static const char *choose(const struct attributes *a)
{
    static const char *const by_architecture[] = {
        [ARCH_V4] = "arm7tdmi",       [ARCH_V4T] = "arm7tdmi",
        [ARCH_V5T] = "arm926ej-s",    [ARCH_V5TE] = "arm926ej-s",
        [ARCH_V5TEJ] = "arm926ej-s",  [ARCH_V6] = "arm1136jf-s",
        [ARCH_V6KZ] = "arm1176jzf-s", [ARCH_V6K] = "arm1176jzf-s"};
    const struct etm_core *core;

    if (etm_core_find(a->name, &core) == ETM_OK)
        return core->name;
    if (a->profile == 'M')
        return a->arch == ARCH_V7E_M ? "cortex-m4" : "cortex-m3";
    if (a->profile == 'R')
        return "cortex-r4";
    if (a->arch < sizeof by_architecture / sizeof *by_architecture &&
        by_architecture[a->arch])
        return by_architecture[a->arch];
    return ETM_CLI_USUAL_CORE;
}

const char *etm_cli_record_core(const char *program, bool *m_profile)
{
    struct attributes a = {0};
    FILE *file = fopen(program, "rb");
    uint8_t *bytes = NULL;
    long size = -1;
    size_t n;

    /* errors are reported when the program is run */
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size > 0 && size <= MOST && fseek(file, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)size);
    n = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    if (bytes)
        find_attributes(bytes, n, &a);
    *m_profile =
        a.name[0] == '\0' && a.arch == 0 && a.profile == 0 && looks_m(bytes, n);
    free(bytes);
    if (file)
        (void)fclose(file);
    return choose(&a);
}
