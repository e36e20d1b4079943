/* SPDX-License-Identifier: Apache-2.0 */
/* A writing position in a buffer of fixed size with a sticky error. */
#ifndef ETM_BASE_WRITER_H
#define ETM_BASE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etm_writer {
    uint8_t *start;
    uint8_t *next;
    uint8_t *end;
    bool full; /* something did not fit */
};

static inline struct etm_writer etm_writer_of(uint8_t *bytes, size_t n)
{
    return (struct etm_writer){bytes, bytes, bytes + n, false};
}

static inline void etm_writer_u8(struct etm_writer *w, uint8_t byte)
{
    if (w->next == w->end) {
        w->full = true;
        return;
    }
    *w->next++ = byte;
}

/* The low `n` bytes of value, 0 to 8, the lowest first. */
static inline void etm_writer_le(struct etm_writer *w, uint64_t value,
                                 unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        etm_writer_u8(w, (uint8_t)(value >> (8 * i)));
}

static inline size_t etm_writer_size(const struct etm_writer *w)
{
    return (size_t)(w->next - w->start);
}

#endif
