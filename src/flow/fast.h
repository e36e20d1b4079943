/* SPDX-License-Identifier: Apache-2.0 */
/* What the fast ways of the protocols share: a step as a range element. */
#ifndef ETM_FLOW_FAST_H
#define ETM_FLOW_FAST_H

#include "image/block.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Elements that are made before the caller gets them. */
#define ETM_FAST_BATCH 512u

/* Kind, source and the zeros behind them, as they stand in an element. */
#define ETM_FAST_HEAD offsetof(struct etm_element, kind)
#define ETM_FAST_HEAD_SIZE (offsetof(struct etm_element, u) - ETM_FAST_HEAD)

/* A step begins as a range does; in the gap before `cycles` it has `behind`. */
#define ETM_FAST_RANGE_AT(field)                                               \
    (offsetof(struct etm_element, u.range.field) -                             \
     offsetof(struct etm_element, u))
#define ETM_FAST_GAP_SIZE                                                      \
    (ETM_FAST_RANGE_AT(cycles) - ETM_FAST_RANGE_AT(last_address) -             \
     sizeof(uint32_t))
#define ETM_FAST_SAME(member, field)                                           \
    (offsetof(struct etm_step, member) == ETM_FAST_RANGE_AT(field))
static_assert(ETM_FAST_SAME(isa, isa) && ETM_FAST_SAME(last_type, last_type) &&
                  ETM_FAST_SAME(kind, last_exec) &&
                  ETM_FAST_SAME(last_flags, last_flags) &&
                  ETM_FAST_SAME(start, start) && ETM_FAST_SAME(end, end) &&
                  ETM_FAST_SAME(n, n) &&
                  ETM_FAST_SAME(last_address, last_address) &&
                  ETM_FAST_GAP_SIZE == sizeof(uint32_t),
              "a step begins with what is copied into a range");

/* The range of a step; `head` as above. */
static inline void etm_fast_give(struct etm_element *e, const uint8_t *head,
                                 const struct etm_step *s, unsigned passed,
                                 uint64_t offset, uint64_t cycles)
{
    e->offset = offset;
    memcpy((uint8_t *)e + ETM_FAST_HEAD, head, ETM_FAST_HEAD_SIZE);
    memcpy(&e->u, s, ETM_FAST_RANGE_AT(cycles));
    memset((uint8_t *)&e->u + ETM_FAST_RANGE_AT(cycles) - ETM_FAST_GAP_SIZE, 0,
           ETM_FAST_GAP_SIZE);
    e->u.range.last_exec = (uint8_t)(ETM_FALSE + passed);
    e->u.range.cycles = cycles;
}

#endif
