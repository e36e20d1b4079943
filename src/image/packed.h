/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted rows of counts without duplicates, packed: a row of 32 bytes takes
 * four to seven bytes, because most of it follows from the previous row, or
 * from its other fields.
 *
 * A row never needs more bytes when it is moved to another run, whatever row
 * precedes it there: several runs can be merged in the memory that they have.
 */
#ifndef ETM_IMAGE_PACKED_H
#define ETM_IMAGE_PACKED_H

#include "base/vec.h"

#include <etm/decode.h>

#include <stdbool.h>

/* Bytes of a chunk, and the maximum of a row. */
#define ETM_PACKED_CHUNK 8176u
#define ETM_PACKED_ROW 40u

struct etm_packed_chunk {
    struct etm_packed_chunk *next;
    uint32_t n; /* bytes */
    uint8_t bytes[];
};

/* Zero-initialise it. */
struct etm_packed {
    struct etm_packed_chunk *first, *last;
    size_t n; /* rows */
    size_t chunks;
    uint32_t start; /* of the last row */
};

/* Append a row, which must come after the others. A chunk is taken from *spare
 * if there is any. ETM_OK, or ETM_ERR_MEMORY: nothing is changed. */
int etm_packed_put(struct etm_packed *packed, const struct etm_count *count,
                   struct etm_packed_chunk **spare,
                   const struct etm_allocator *allocator);

/* Add this many chunks to *spare. ETM_OK or ETM_ERR_MEMORY. */
int etm_packed_reserve(struct etm_packed_chunk **spare, size_t n,
                       const struct etm_allocator *allocator);

void etm_packed_free_chunks(struct etm_packed_chunk *chunks,
                            const struct etm_allocator *allocator);
void etm_packed_fini(struct etm_packed *packed,
                     const struct etm_allocator *allocator);

/* Reads the rows one after the other. */
struct etm_packed_reader {
    struct etm_packed_chunk *chunk;
    uint32_t at;    /* in it */
    uint32_t start; /* of the row before */
};

static inline struct etm_packed_reader
etm_packed_read(const struct etm_packed *packed)
{
    return (struct etm_packed_reader){.chunk = packed->first};
}

/* Get the next row; false if there is none. Chunks that were read go to *spare;
 * NULL: they are kept. */
bool etm_packed_next(struct etm_packed_reader *reader, struct etm_count *count,
                     struct etm_packed_chunk **spare);

#endif
