/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the loops and the flows of all protocols: elements written in ready
 * pieces. */
#ifndef ETM_FLOW_FAST_H
#define ETM_FLOW_FAST_H

#include "image/block.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/*
 * Elements made before the caller gets them. The loop of PFT compares with
 * ETM_FAST_BATCH once for each packet; ETM_FAST_ROOM, which it reserves, has
 * room for what one packet may still give after that: at the level of
 * instructions, the steps of five atoms, each with a context before it.
 */
#define ETM_FAST_BATCH 1024u
#define ETM_FAST_ROOM (ETM_FAST_BATCH + 5 * (ETM_STEP_INSNS + 1))

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
struct etm_fast_after_range {
    uint32_t last[ETM_FAST_LAST]; /* and the padding */
    uint64_t cycles;
};
struct etm_fast_after_insn {
    uint64_t cycles;
    uint8_t
        zeros[sizeof(struct etm_element) - ETM_FAST_AFTER - sizeof(uint64_t)];
};

struct etm_fast_word {
    uint64_t word, zero;
};

#define ETM_FAST_SAME(member, field)                                           \
    (offsetof(struct etm_step, member) == ETM_FAST_RANGE_AT(field))
static_assert(ETM_FAST_SAME(isa, isa) && ETM_FAST_SAME(last_type, last_type) &&
                  ETM_FAST_SAME(kind, last_exec) &&
                  ETM_FAST_SAME(last_flags, last_flags) &&
                  ETM_FAST_SAME(start, start) && ETM_FAST_SAME(end, end) &&
                  ETM_FAST_SAME(n, n) && ETM_FAST_SAME(last, last_address),
              "a step is copied into a range");
static_assert(sizeof(struct etm_fast_before) == ETM_FAST_INSN &&
                  sizeof(struct etm_fast_after_range) ==
                      sizeof(struct etm_element) -
                          offsetof(struct etm_element, u.range.last_address) &&
                  sizeof(struct etm_block_insn) ==
                      ETM_FAST_AFTER - ETM_FAST_INSN &&
                  sizeof(struct etm_fast_after_insn) ==
                      sizeof(struct etm_element) - ETM_FAST_AFTER &&
                  sizeof(struct etm_fast_word) <=
                      sizeof(struct etm_element) - ETM_FAST_INSN,
              "an element is three pieces");

/* Write the range of a step; `head` as above. In three pieces, each of which a
 * compiler writes at once. */
static inline void etm_fast_give(struct etm_element *e, const uint8_t *head,
                                 const struct etm_step *s, unsigned passed,
                                 uint64_t offset, uint64_t cycles)
{
    struct etm_fast_before before = {.offset = offset};
    struct etm_fast_after_range after = {.last = {s->last}, .cycles = cycles};

    memcpy(before.head, head, ETM_FAST_HEAD_SIZE);
    memcpy(e, &before, sizeof before);
    memcpy(&e->u, s, ETM_FAST_RANGE_AT(last_address));
    memcpy((uint8_t *)&e->u + ETM_FAST_RANGE_AT(last_address), &after,
           sizeof after);
    e->u.range.last_exec = (uint8_t)(ETM_FALSE + passed);
}

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

/* Write the range of a whole block, whose last instruction failed (1) or not
 * (0). */
static inline void etm_fast_give_block(struct etm_element *e,
                                       const uint8_t *head, uint64_t offset,
                                       const struct etm_block *block,
                                       unsigned failed, uint64_t cycles)
{
    struct etm_fast_before before = {.offset = offset};
    struct etm_fast_after_range after = {.last = {block->last},
                                         .cycles = cycles};

    memcpy(before.head, head, ETM_FAST_HEAD_SIZE);
    memcpy(e, &before, sizeof before);
    memcpy(&e->u, (const uint8_t *)block + offsetof(struct etm_block, isa),
           ETM_FAST_RANGE_AT(last_address));
    memcpy((uint8_t *)&e->u + ETM_FAST_RANGE_AT(last_address), &after,
           sizeof after);
    e->u.range.last_exec = (uint8_t)(ETM_TRUE - failed);
}

/* It began elsewhere. */
static inline void etm_fast_mend_range(struct etm_element *e,
                                       const struct etm_fast_range *range)
{
    e->offset = range->offset;
    e->u.range.start = range->start;
    e->u.range.n += range->n;
}

/* Write an element with one number of up to 64 bits, such as `cycles` and
 * `timestamp`. `head` as above, except for its kind. */
static inline void etm_fast_give_word(struct etm_element *e,
                                      const uint8_t *head, uint64_t offset,
                                      uint64_t word)
{
    struct etm_fast_before before = {.offset = offset};
    struct etm_fast_word first = {.word = word};

    memcpy(before.head, head, ETM_FAST_HEAD_SIZE);
    memcpy(e, &before, sizeof before);
    memcpy(&e->u, &first, sizeof first);
    memset((uint8_t *)&e->u + sizeof first, 0,
           sizeof *e - ETM_FAST_INSN - sizeof first);
}

/* Write an instruction without `exec`. `head` as above, except for the kind
 * ETM_ELEMENT_INSN. In three pieces again: with code that is not in the caches,
 * the number of writes matters. */
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

/*
 * Write the instructions of a step, which has them in a row
 * (etm_blocks_keep_insns()); only of the last one it is known whether it passed
 * its condition. Returns the place after them. The last one has `exec` and
 * `cycles`, those before it `each`; if cycles are not counted, both are
 * ETM_CYCLES_UNKNOWN. The result is that of etm_walk_run_insns() with the
 * same arguments and ETM_UNKNOWN for the others.
 */
static inline struct etm_element *
etm_fast_give_insns(struct etm_element *e, const uint8_t *head,
                    const struct etm_blocks *blocks, uint32_t step, uint32_t n,
                    enum etm_tri exec, uint64_t offset, uint64_t each,
                    uint64_t cycles)
{
    const struct etm_block_insn *insn = etm_blocks_insns_of(blocks, step);
    const struct etm_element *end = e + n;

    static_assert(ETM_UNKNOWN == 0, "what a row has in the place of exec");
    for (; e < end; e++, insn++)
        etm_fast_give_insn(e, head, insn, offset, each);
    e[-1].u.insn.exec = (uint8_t)exec;
    e[-1].u.insn.cycles = cycles;
    return e;
}

#endif
