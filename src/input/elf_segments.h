/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an ELF file's bytes go in memory. Reads program headers only, and does
 * not need elfutils.
 */
#ifndef ETM_INPUT_ELF_SEGMENTS_H
#define ETM_INPUT_ELF_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etm_elf_segment {
    uint32_t offset; /* in the file */
    uint32_t address;
    uint32_t size; /* bytes in the file, not 0 */
};

/*
 * The n-th loaded segment of a 32-bit little-endian Arm ELF file, which lies
 * within the file; false: there are fewer, or it is no such file. Those of the
 * first 128 program headers count.
 */
bool etm_elf_segment(const uint8_t *bytes, size_t size, size_t n,
                     struct etm_elf_segment *segment);

/* Do the file's bytes from `offset` on belong at `address`? */
bool etm_elf_belongs(const uint8_t *bytes, size_t size, uint64_t offset,
                     uint32_t address);

/* Is it a program for fixed addresses, and `address` not the one of its first
 * byte? */
bool etm_elf_elsewhere(const uint8_t *bytes, size_t size, uint32_t address);

/* The build ID in such a file's notes, and how many bytes it has; 0: none. */
size_t etm_elf_build_id(const uint8_t *bytes, size_t size, const uint8_t **id);

#endif
