/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by counts_add.c (the table) and counts_order.c (what is packed). */
#ifndef ETM_IMAGE_COUNTS_ROW_H
#define ETM_IMAGE_COUNTS_ROW_H

#include "image/counts.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Maximum number of rows in the table, before they are packed. */
#define ETM_COUNTS_MOST 32768u

/* The fields after the addresses of a range, as one number for sorting. */
static inline uint64_t etm_count_rest(const struct etm_count *c)
{
    return (uint64_t)c->isa << 56 | (uint64_t)c->last_type << 48 |
           (uint64_t)c->last_flags << 40 | (uint64_t)c->last_exec << 32 |
           c->insns;
}

/* a stands before b. */
static inline bool etm_count_before(const struct etm_count *a,
                                    const struct etm_count *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (a->end != b->end)
        return a->end < b->end;
    if (etm_count_rest(a) != etm_count_rest(b))
        return etm_count_rest(a) < etm_count_rest(b);
    return a->last_address < b->last_address;
}

/* Everything that identifies a row. */
struct etm_count_key {
    uint64_t span;      /* start and end */
    uint64_t last;      /* insns and last_address */
    uint32_t last_kind; /* isa and the three others of the last instruction */
};

#define SAME_WORD(first, second)                                               \
    (offsetof(struct etm_count, second) - offsetof(struct etm_count, first) == \
     sizeof(uint32_t))
static_assert(SAME_WORD(start, end) && SAME_WORD(insns, last_address) &&
                  SAME_WORD(last_address, isa) &&
                  offsetof(struct etm_count, last_flags) ==
                      offsetof(struct etm_count, isa) + 3,
              "a key is read in three words");

static inline struct etm_count_key etm_count_key_of(const struct etm_count *c)
{
    struct etm_count_key key;

    memcpy(&key.span, &c->start, sizeof key.span);
    memcpy(&key.last, &c->insns, sizeof key.last);
    memcpy(&key.last_kind, &c->isa, sizeof key.last_kind);
    return key;
}

static inline bool etm_count_is(const struct etm_count_key *a,
                                const struct etm_count *row)
{
    struct etm_count_key b = etm_count_key_of(row);

    return ((a->span ^ b.span) | (a->last ^ b.last) |
            (a->last_kind ^ b.last_kind)) == 0;
}

/* Pack the rows of the table, which is empty afterwards. ETM_OK, or
 * ETM_ERR_MEMORY: nothing is changed. */
int etm_counts_settle(struct etm_counts *counts);

#endif
