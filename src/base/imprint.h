/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An imprint: all the state that a decoder will ever use again, as a row of
 * numbers. Two decoders of one configuration whose imprints are equal give the
 * same output for every stream that follows.
 *
 * State that is never used again, and memory addresses, are left out, so that
 * decoders with a different past can become equal.
 */
#ifndef ETM_BASE_IMPRINT_H
#define ETM_BASE_IMPRINT_H

#include "base/vec.h"

#include <stddef.h>
#include <string.h>

/* State that may stay unchanged for long while nothing depends on it
 * (session/decoder.h), in its order in the row. */
enum etm_carried {
    ETM_CARRIED_LOST, /* lost bytes, where they began, and why */
    ETM_CARRIED_BASE, /* what data addresses are relative to */
    ETM_CARRIED_GAP   /* a gap whose length is not known yet */
};
#define ETM_CARRIED 3u

/* Sets of them, of 1 << kind each: see etm_decoder_carried(). */
struct etm_carried_sets {
    uint8_t kept, unused;
};

/* The set of this kind if `is`, otherwise the empty one. */
static inline uint8_t etm_carried_set(bool is, enum etm_carried kind)
{
    return (uint8_t)((unsigned)is << kind);
}

struct etm_imprint {
    struct etm_vec values; /* uint64_t */
    struct {
        size_t at, n; /* the position of these values in the row; n is 0 if
                         there are none */
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

/* Empty the imprint. */
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

/* A field that belongs to the state: a number of 1, 2, 4 or 8 bytes. Where
 * another field of its struct, of one byte at `if_set`, is 0, it has no
 * meaning, and 0 stands for it. */
struct etm_imprint_field {
    uint16_t at, size, if_set;
};

#define ETM_IMPRINT_ALWAYS UINT16_MAX
#define ETM_IMPRINT_SIZE(type, name) sizeof(((const type *)0)->name)
#define ETM_IMPRINT(type, name)                                                \
    {                                                                          \
        offsetof(type, name), ETM_IMPRINT_SIZE(type, name), ETM_IMPRINT_ALWAYS \
    }
/* A division by 0 if `set` has more than one byte. */
#define ETM_IMPRINT_IF(type, name, set)                                        \
    {                                                                          \
        offsetof(type, name),                                                  \
            ETM_IMPRINT_SIZE(type, name) / (ETM_IMPRINT_SIZE(type, set) == 1), \
            offsetof(type, set)                                                \
    }

static inline uint64_t etm_imprint_number(const uint8_t *at, size_t size)
{
    uint32_t four;
    uint16_t two;
    uint64_t eight;

    if (size == sizeof four) {
        memcpy(&four, at, sizeof four);
        return four;
    }
    if (size == sizeof two) {
        memcpy(&two, at, sizeof two);
        return two;
    }
    if (size == 1)
        return *at;
    memcpy(&eight, at, sizeof eight);
    return eight;
}

/* Put these fields of the struct at `object`. */
static inline void etm_imprint_fields(struct etm_imprint *imprint,
                                      const void *object,
                                      const struct etm_imprint_field *fields,
                                      size_t n)
{
    const uint8_t *bytes = object;

    for (; n != 0; n--, fields++) {
        bool set =
            fields->if_set == ETM_IMPRINT_ALWAYS || bytes[fields->if_set] != 0;

        etm_imprint_put(
            imprint,
            set ? etm_imprint_number(bytes + fields->at, fields->size) : 0);
    }
}

/* All of a table. */
#define ETM_IMPRINT_TABLE(imprint, object, table)                              \
    etm_imprint_fields(imprint, object, table, sizeof(table) / sizeof *(table))

static inline void etm_imprint_bytes(struct etm_imprint *imprint,
                                     const uint8_t *bytes, size_t n)
{
    etm_imprint_put(imprint, n);
    for (size_t i = 0; i < n; i++)
        etm_imprint_put(imprint, bytes[i]);
}

/* The next `n` values are this kind of state. */
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

/* Are both complete and equal, apart from the state in `without` (bits 1 <<
 * enum etm_carried) that both have? */
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
