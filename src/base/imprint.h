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

/* What may stay as it is for long, and nothing depends on it meanwhile
 * (session/decoder.h). In the order in which it stands in the row. */
enum etm_carried {
    ETM_CARRIED_LOST, /* bytes that were lost, where that began, and why */
    ETM_CARRIED_BASE, /* what data addresses are relative to */
    ETM_CARRIED_GAP   /* a gap whose length is still to be told */
};
#define ETM_CARRIED 3u

struct etm_imprint {
    struct etm_vec values; /* uint64_t */
    struct {
        size_t at, n; /* which values are that; n is 0 where there is none */
    } carried[ETM_CARRIED];
    int status; /* sticky: ETM_ERR_MEMORY */
};

/* `allocator` is copied. */
static inline void etm_imprint_init(struct etm_imprint *imprint,
                                    const struct etm_allocator *allocator)
{
    *imprint = (struct etm_imprint){.status = ETM_OK};
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
    memset(imprint->carried, 0, sizeof imprint->carried);
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

/* The next `n` values are that. */
static inline void etm_imprint_carried(struct etm_imprint *imprint,
                                       enum etm_carried kind, size_t n)
{
    imprint->carried[kind].at = imprint->values.n;
    imprint->carried[kind].n = n;
}

static inline uint64_t *
etm_imprint_carried_at(const struct etm_imprint *imprint, enum etm_carried kind)
{
    return (uint64_t *)imprint->values.data + imprint->carried[kind].at;
}

/* Values `from` to `to` (exclusive). */
static inline bool etm_imprint_same_part(const struct etm_imprint *a,
                                         const struct etm_imprint *b,
                                         size_t from, size_t to)
{
    const uint64_t *x = (const uint64_t *)a->values.data;
    const uint64_t *y = (const uint64_t *)b->values.data;

    return from == to ||
           memcmp(x + from, y + from, (to - from) * sizeof *x) == 0;
}

/* Equal and complete, but for those of `without` (1 << enum etm_carried) that
 * both have? */
static inline bool etm_imprint_same_but(const struct etm_imprint *a,
                                        const struct etm_imprint *b,
                                        unsigned without)
{
    size_t n = a->values.n, from = 0;

    if (a->status != ETM_OK || b->status != ETM_OK || b->values.n != n)
        return false;
    for (unsigned i = 0; i < ETM_CARRIED; i++) {
        size_t at = a->carried[i].at, size = a->carried[i].n;

        if (b->carried[i].at != at || b->carried[i].n != size)
            return false;
        if (size == 0 || (without >> i & 1) == 0)
            continue;
        if (!etm_imprint_same_part(a, b, from, at))
            return false;
        from = at + size;
    }
    return etm_imprint_same_part(a, b, from, n);
}

static inline bool etm_imprint_same(const struct etm_imprint *a,
                                    const struct etm_imprint *b)
{
    return etm_imprint_same_but(a, b, 0);
}

#endif
