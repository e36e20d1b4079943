/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reading position in bytes with a sticky error: reading past the end gives 0
 * and sets `short_read`, so that a parser can read a whole packet without
 * branches and check once at its end.
 */
#ifndef ETM_BASE_CURSOR_H
#define ETM_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etm_cursor {
    const uint8_t *next;
    const uint8_t *end;
    bool short_read;
};

static inline struct etm_cursor etm_cursor_of(const uint8_t *bytes, size_t n)
{
    return (struct etm_cursor){bytes, bytes + n, false};
}

static inline uint8_t etm_cursor_u8(struct etm_cursor *c)
{
    if (c->next == c->end) {
        c->short_read = true;
        return 0;
    }
    return *c->next++;
}

/* `n` bytes, 0 to 8, the first one lowest. */
static inline uint64_t etm_cursor_le(struct etm_cursor *c, unsigned n)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)etm_cursor_u8(c) << (8 * i);
    return value;
}

#endif
