/* SPDX-License-Identifier: Apache-2.0 */
/* The plainest pseudo-random numbers: the same ones on every machine. */
#ifndef ETM_TEST_XORSHIFT_H
#define ETM_TEST_XORSHIFT_H

#include <stdint.h>

/* xorshift64; the state is not 0. */
static inline uint32_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

#endif
