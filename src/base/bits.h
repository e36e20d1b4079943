/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of a word. */
#ifndef ETM_BASE_BITS_H
#define ETM_BASE_BITS_H

#include <stdint.h>

/* etm_zeros_below(), for any compiler. */
static inline unsigned etm_zeros_below_plain(uint64_t word)
{
    unsigned n = 0;

    for (unsigned size = 32; size != 0; size /= 2)
        if ((word & ((UINT64_C(1) << size) - 1)) == 0) {
            word >>= size;
            n += size;
        }
    return n;
}

/* The number of zeros below the lowest bit that is 1; `word` is not 0. This is
 * a single instruction: loops over bytes depend on its result before they can
 * go on. */
static inline unsigned etm_zeros_below(uint64_t word)
{
#ifdef __GNUC__
    return (unsigned)__builtin_ctzll(word);
#else
    return etm_zeros_below_plain(word);
#endif
}

#endif
