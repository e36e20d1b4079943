/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in bytes that are known to be there; cursor.h has others. */
#ifndef ETM_BASE_BYTES_H
#define ETM_BASE_BYTES_H

#include <stdint.h>

/* The first byte is the lowest. Compilers make one load of these. */
static inline uint16_t etm_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t etm_le32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static inline uint64_t etm_le64(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
           (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
           (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* `n` bytes, 0 to 8. */
static inline uint64_t etm_le(const uint8_t *p, unsigned n)
{
    uint64_t value = 0;

    while (n-- > 0)
        value = value << 8 | p[n];
    return value;
}

/* `n` bytes, 0 to 4, the first one highest. */
static inline uint32_t etm_be(const uint8_t *p, unsigned n)
{
    uint32_t value = 0;

    while (n-- > 0)
        value = value << 8 | *p++;
    return value;
}

#endif
