/* SPDX-License-Identifier: Apache-2.0 */
/* Pseudo-random numbers for tests: the same seed gives the same test. */
#ifndef TEST_SUPPORT_RANDOM_H
#define TEST_SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

/* splitmix64 */
static inline uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* 0 to n - 1 */
static inline uint32_t random_below(struct random *r, uint32_t n)
{
    return (uint32_t)((random_next(r) >> 32) * n >> 32);
}

/* true in `percent` of 100 cases */
static inline bool random_chance(struct random *r, uint32_t percent)
{
    return random_below(r, 100) < percent;
}

/* up to three of the bits below `width` */
static inline uint32_t random_few(struct random *r, uint32_t width)
{
    uint32_t mask = 0;

    for (uint32_t n = random_below(r, 4); n != 0; n--)
        mask |= UINT32_C(1) << random_below(r, width);
    return mask;
}

/* a value of so many bytes, often one that is short */
static inline uint32_t random_value(struct random *r, unsigned size)
{
    static const uint32_t masks[] = {0, 0xff, 0xffff, 0xffffffff};
    uint32_t value = (uint32_t)random_next(r) & masks[random_below(r, 4)];

    return size < 4 ? value & ((1u << (8 * size)) - 1) : value;
}

#endif
