/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of counts in order, each once, packed: a row of 32 bytes takes four to
 * seven, since most of it follows from the row before, or from its other
 * fields.
 *
 * A row never takes more of them than where it came from, whatever rows are
 * left out between it and the one before: several runs become one in the memory
 * that they have.
 */
#ifndef ETM_IMAGE_PACKED_H
#define ETM_IMAGE_PACKED_H

#include "base/vec.h"

#include <etm/coverage.h>

#include <stdbool.h>

/* Bytes of a chunk, and those that a row has at the most. */
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

/* One more row, which belongs behind the others. A chunk is taken from *spare
 * if there is any. ETM_OK, or ETM_ERR_MEMORY: all is as it was. */
int etm_packed_put(struct etm_packed *packed, const struct etm_count *count,
                   struct etm_packed_chunk **spare,
                   const struct etm_allocator *allocator);

/* So many chunks more than *spare has. ETM_OK or ETM_ERR_MEMORY. */
int etm_packed_reserve(struct etm_packed_chunk **spare, size_t n,
                       const struct etm_allocator *allocator);

void etm_packed_free_chunks(struct etm_packed_chunk *chunks,
                            const struct etm_allocator *allocator);
void etm_packed_fini(struct etm_packed *packed,
                     const struct etm_allocator *allocator);

/* One row after the other. */
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

/* The next row; false if there is none. Chunks that were read go to *spare;
 * NULL: they stay. */
bool etm_packed_next(struct etm_packed_reader *reader, struct etm_count *count,
                     struct etm_packed_chunk **spare);

#endif
