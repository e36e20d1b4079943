/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the loops and the flows of all protocols: elements written in ready
 * pieces. */
#ifndef ETM_FLOW_FAST_H
#define ETM_FLOW_FAST_H

#include "image/block.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Elements made before the caller gets them. */
#define ETM_FAST_BATCH 1024u

/* Kind, source and the zeros after them, as they are in an element. */
#define ETM_FAST_HEAD offsetof(struct etm_element, kind)
#define ETM_FAST_HEAD_SIZE (offsetof(struct etm_element, u) - ETM_FAST_HEAD)
#define ETM_FAST_INSN offsetof(struct etm_element, u.insn)
#define ETM_FAST_AFTER offsetof(struct etm_element, u.insn.cycles)

/* Where a field of a range is, from the beginning of the range on. */
#define ETM_FAST_RANGE_AT(field)                                               \
    (offsetof(struct etm_element, u.range.field) -                             \
     offsetof(struct etm_element, u))

/* Words of last_address and of the padding after it, which not every host
 * has. */
#define ETM_FAST_LAST                                                          \
    ((ETM_FAST_RANGE_AT(cycles) - ETM_FAST_RANGE_AT(last_address)) /           \
     sizeof(uint32_t))

/* What an element has before its range or instruction, and after it. */
struct etm_fast_before {
    uint64_t offset;
    uint8_t head[ETM_FAST_HEAD_SIZE];
};
union etm_fast_after_range {
    /* where integers of 64 bits are aligned to 32, others are longer */
    uint8_t zeros[sizeof(struct etm_element) -
                  offsetof(struct etm_element, u.range.last_address)];
    struct {
        uint32_t last[ETM_FAST_LAST]; /* and the padding */
        uint64_t cycles;
    } range;
};
struct etm_fast_after_insn {
    uint64_t cycles;
    uint8_t
        zeros[sizeof(struct etm_element) - ETM_FAST_AFTER - sizeof(uint64_t)];
};

static_assert(sizeof(struct etm_fast_before) == ETM_FAST_INSN &&
                  sizeof(union etm_fast_after_range) ==
                      sizeof(struct etm_element) -
                          offsetof(struct etm_element, u.range.last_address) &&
                  sizeof(struct etm_block_insn) ==
                      ETM_FAST_AFTER - ETM_FAST_INSN &&
                  sizeof(struct etm_fast_after_insn) ==
                      sizeof(struct etm_element) - ETM_FAST_AFTER,
              "an element is three pieces");

/* A range that ends with a block: `offset` of its first packet, `start`, and
 * the number of instructions before the block, less those of the block before
 * the range. */
struct etm_fast_range {
    uint64_t offset;
    uint32_t start, n;
};

#define ETM_FAST_IN_BLOCK(member, field)                                       \
    (offsetof(struct etm_block, member) - offsetof(struct etm_block, isa) ==   \
     ETM_FAST_RANGE_AT(field))
static_assert(ETM_FAST_IN_BLOCK(last_type, last_type) &&
                  ETM_FAST_IN_BLOCK(end_kind, last_exec) &&
                  ETM_FAST_IN_BLOCK(last_flags, last_flags) &&
                  ETM_FAST_IN_BLOCK(address, start) &&
                  ETM_FAST_IN_BLOCK(end, end) && ETM_FAST_IN_BLOCK(n, n) &&
                  ETM_FAST_IN_BLOCK(last, last_address),
              "a block is copied into a range");

/* Write the range of a whole block; u.range.last_exec is up to the caller. */
static inline void etm_fast_give_block(struct etm_element *e,
                                       const uint8_t *head, uint64_t offset,
                                       const struct etm_block *block,
                                       uint64_t cycles)
{
    struct etm_fast_before before = {.offset = offset};
    union etm_fast_after_range after = {.zeros = {0}};

    after.range.last[0] = block->last;
    after.range.cycles = cycles;
    memcpy(before.head, head, ETM_FAST_HEAD_SIZE);
    memcpy(e, &before, sizeof before);
    memcpy(&e->u, (const uint8_t *)block + offsetof(struct etm_block, isa),
           ETM_FAST_RANGE_AT(last_address));
    memcpy((uint8_t *)&e->u + ETM_FAST_RANGE_AT(last_address), &after,
           sizeof after);
}

/* It began elsewhere. */
static inline void etm_fast_mend_range(struct etm_element *e,
                                       const struct etm_fast_range *range)
{
    e->offset = range->offset;
    e->u.range.start = range->start;
    e->u.range.n += range->n;
}

/* Write an instruction without `exec`; `head` is that of a range with the kind
 * ETM_ELEMENT_INSN. In three pieces, as a range: with code that is not in the
 * caches, the number of writes matters. */
static inline void etm_fast_give_insn(struct etm_element *e,
                                      const uint8_t *head,
                                      const struct etm_block_insn *insn,
                                      uint64_t offset, uint64_t cycles)
{
    struct etm_fast_before before = {.offset = offset};
    struct etm_fast_after_insn after = {.cycles = cycles};

    memcpy(before.head, head, ETM_FAST_HEAD_SIZE);
    memcpy(e, &before, sizeof before);
    memcpy((uint8_t *)e + ETM_FAST_INSN, insn, sizeof *insn);
    memcpy((uint8_t *)e + ETM_FAST_AFTER, &after, sizeof after);
}

#endif
