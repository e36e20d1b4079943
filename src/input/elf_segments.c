/* SPDX-License-Identifier: Apache-2.0 */
/* ELF headers (Tool Interface Standard, "Executable and Linking Format"). */
#include "input/elf_segments.h"

#include "base/bytes.h"

#include <string.h>

enum {
    HEADER = 52,         /* bytes of the ELF header */
    PROGRAM_HEADER = 32, /* bytes of one entry */
    EXECUTABLE = 2,      /* at fixed addresses */
    CLASS_32 = 1,        /* e_ident[4] */
    DATA_LITTLE = 1,     /* e_ident[5] */
    MACHINE_ARM = 40,
    PT_LOAD = 1,
    PT_NOTE = 4,
    NT_GNU_BUILD_ID = 3
};

/* Program headers that are looked at. Linkers make some ten, and each [dump] of
 * a snapshot may be compared with all of them. */
#define HEADERS_MOST 128u

/* The next piece of a type that is not empty and lies within the file, from
 * header *i on, which is moved after it. */
static bool next_segment(const uint8_t *bytes, size_t size, uint32_t type,
                         uint32_t *i, struct etm_elf_segment *segment)
{
    uint64_t table;
    uint32_t entry, count;

    if (size < HEADER || memcmp(bytes, "\177ELF", 4) != 0 ||
        bytes[4] != CLASS_32 || bytes[5] != DATA_LITTLE ||
        etm_le16(bytes + 18) != MACHINE_ARM)
        return false;
    table = etm_le32(bytes + 28);
    entry = etm_le16(bytes + 42);
    count = etm_le16(bytes + 44);
    if (entry < PROGRAM_HEADER)
        return false;
    if (count > HEADERS_MOST)
        count = HEADERS_MOST;
    while (*i < count) {
        const uint8_t *h;
        uint64_t at = table + (uint64_t)(*i)++ * entry;

        if (at + PROGRAM_HEADER > size)
            return false;
        h = bytes + at;
        segment->offset = etm_le32(h + 4);
        segment->address = etm_le32(h + 8);
        segment->size = etm_le32(h + 16);
        if (etm_le32(h) != type || segment->size == 0 ||
            (uint64_t)segment->offset + segment->size > size)
            continue;
        return true;
    }
    return false;
}

bool etm_elf_segment(const uint8_t *bytes, size_t size, size_t n,
                     struct etm_elf_segment *segment)
{
    uint32_t i = 0;

    while (next_segment(bytes, size, PT_LOAD, &i, segment))
        if (n-- == 0)
            return true;
    return false;
}

bool etm_elf_belongs(const uint8_t *bytes, size_t size, uint64_t offset,
                     uint32_t address)
{
    struct etm_elf_segment s;
    uint32_t i = 0;

    while (next_segment(bytes, size, PT_LOAD, &i, &s)) {
        if (offset >= s.offset && offset - s.offset < s.size &&
            address - s.address == offset - s.offset)
            return true;
    }
    return false;
}

bool etm_elf_elsewhere(const uint8_t *bytes, size_t size, uint32_t address)
{
    struct etm_elf_segment s;

    return etm_elf_segment(bytes, size, 0, &s) &&
           etm_le16(bytes + 16) == EXECUTABLE &&
           !etm_elf_belongs(bytes, size, 0, address);
}

/* A note has the sizes of its name and of its contents, its type, and then
 * both, each padded to a multiple of four bytes. */
size_t etm_elf_build_id(const uint8_t *bytes, size_t size, const uint8_t **id)
{
    struct etm_elf_segment s;
    uint32_t i = 0;

    while (next_segment(bytes, size, PT_NOTE, &i, &s)) {
        const uint8_t *at = bytes + s.offset;
        uint64_t left = s.size;

        while (left >= 12) {
            uint64_t name = ((uint64_t)etm_le32(at) + 3) & ~UINT64_C(3);
            uint64_t says = ((uint64_t)etm_le32(at + 4) + 3) & ~UINT64_C(3);
            uint64_t note = 12 + name + says;

            if (note > left)
                break;
            if (etm_le32(at + 8) == NT_GNU_BUILD_ID && etm_le32(at) == 4 &&
                memcmp(at + 12, "GNU", 4) == 0) {
                *id = at + 12 + name;
                return etm_le32(at + 4);
            }
            at += note;
            left -= note;
        }
    }
    return 0;
}
