/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An imprint: all that a decoder will ever make use of again, as a row of
 * numbers. Two decoders of one configuration whose imprints are equal make the
 * same of every stream that follows.
 *
 * What a decoder remembers and will not look at any more is left out, and so
 * is where its memory lies: that is how two of them that came another way
 * become equal.
 */
#ifndef ETM_BASE_IMPRINT_H
#define ETM_BASE_IMPRINT_H

#include "base/vec.h"

#include <string.h>

struct etm_imprint {
    struct etm_vec values; /* uint64_t */
    int status;            /* sticky: ETM_ERR_MEMORY */
};

/* `allocator` is copied. */
static inline void etm_imprint_init(struct etm_imprint *imprint,
                                    const struct etm_allocator *allocator)
{
    imprint->status = ETM_OK;
    etm_vec_init(&imprint->values, sizeof(uint64_t), allocator);
}

static inline void etm_imprint_fini(struct etm_imprint *imprint)
{
    etm_vec_fini(&imprint->values);
}

/* Forget what is in it. */
static inline void etm_imprint_clear(struct etm_imprint *imprint)
{
    imprint->values.n = 0;
    imprint->status = ETM_OK;
}

static inline void etm_imprint_put(struct etm_imprint *imprint, uint64_t value)
{
    if (etm_vec_append(&imprint->values, &value, 1) != ETM_OK)
        imprint->status = ETM_ERR_MEMORY;
}

static inline void etm_imprint_bytes(struct etm_imprint *imprint,
                                     const uint8_t *bytes, size_t n)
{
    etm_imprint_put(imprint, n);
    for (size_t i = 0; i < n; i++)
        etm_imprint_put(imprint, bytes[i]);
}

/* Equal and complete? */
static inline bool etm_imprint_same(const struct etm_imprint *a,
                                    const struct etm_imprint *b)
{
    return a->status == ETM_OK && b->status == ETM_OK &&
           a->values.n == b->values.n &&
           (a->values.n == 0 || memcmp(a->values.data, b->values.data,
                                       a->values.n * sizeof(uint64_t)) == 0);
}

#endif
