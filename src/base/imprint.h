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
    size_t base; /* three of them from here on are what data addresses are
                    relative to, if there is such a thing */
    int status;  /* sticky: ETM_ERR_MEMORY */
};

/* `allocator` is copied. */
static inline void etm_imprint_init(struct etm_imprint *imprint,
                                    const struct etm_allocator *allocator)
{
    imprint->status = ETM_OK;
    imprint->base = 0;
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

#define ETM_IMPRINT_BASE 3u /* values of a base */

static inline uint64_t *etm_imprint_base(const struct etm_imprint *imprint)
{
    return (uint64_t *)imprint->values.data + imprint->base;
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

/* The same of all but their bases, of which both have one. */
static inline bool etm_imprint_same_but_base(const struct etm_imprint *a,
                                             const struct etm_imprint *b)
{
    size_t at = a->base + ETM_IMPRINT_BASE, n = a->values.n;
    const uint64_t *x = (const uint64_t *)a->values.data;
    const uint64_t *y = (const uint64_t *)b->values.data;

    return a->status == ETM_OK && b->status == ETM_OK && b->values.n == n &&
           b->base == a->base && at <= n &&
           memcmp(x, y, a->base * sizeof *x) == 0 &&
           memcmp(x + at, y + at, (n - at) * sizeof *x) == 0;
}

#endif
