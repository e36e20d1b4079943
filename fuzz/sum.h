/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a run in one number, to compare two ways to read a stream. */
#ifndef ETM_FUZZ_SUM_H
#define ETM_FUZZ_SUM_H

#include "fuzz.h"

#include <etm/decode.h>

struct sum {
    uint64_t n, hash;
};

static inline int add(void *context, const struct etm_element *elements,
                      size_t n)
{
    struct sum *sum = context;

    sum->n += n;
    for (size_t i = 0; i < n; i++) {
        sum->hash = mix(sum->hash, &elements[i].offset, sizeof(uint64_t));
        sum->hash = mix(sum->hash, &elements[i].kind, sizeof(uint8_t));
    }
    return ETM_OK;
}

#endif
