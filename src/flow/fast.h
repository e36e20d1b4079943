/* SPDX-License-Identifier: Apache-2.0 */
/* What the fast ways of the protocols share: a step as a range element, as
 * instruction elements, or counted. */
#ifndef ETM_FLOW_FAST_H
#define ETM_FLOW_FAST_H

#include "image/block.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/*
 * Elements that are made before the caller gets them. A loop looks whether it
 * has come to ETM_FAST_BATCH once for each packet; what one packet may still
 * give behind that has room in ETM_FAST_ROOM, which is what a loop reserves: at
 * the level of instructions these are the steps of five atoms (PFT) or sixteen
 * instructions (ETMv3), each step with a context before it.
 */
#define ETM_FAST_BATCH 512u
#define ETM_FAST_ROOM (ETM_FAST_BATCH + 5 * (ETM_STEP_INSNS + 1))

/* Kind, source and the zeros behind them, as they stand in an element. */
#define ETM_FAST_HEAD offsetof(struct etm_element, kind)
#define ETM_FAST_HEAD_SIZE (offsetof(struct etm_element, u) - ETM_FAST_HEAD)
#define ETM_FAST_INSN offsetof(struct etm_element, u.insn)

/* The first eight bytes of a step are those of a range. */
#define ETM_FAST_RANGE_AT(field)                                               \
    (offsetof(struct etm_element, u.range.field) -                             \
     offsetof(struct etm_element, u))
#define ETM_FAST_GAP_AT (ETM_FAST_RANGE_AT(last_address) + sizeof(uint32_t))
#define ETM_FAST_GAP_SIZE (ETM_FAST_RANGE_AT(cycles) - ETM_FAST_GAP_AT)
#define ETM_FAST_SAME(member, field)                                           \
    (offsetof(struct etm_step, member) == ETM_FAST_RANGE_AT(field))
static_assert(ETM_FAST_SAME(isa, isa) && ETM_FAST_SAME(last_type, last_type) &&
                  ETM_FAST_SAME(kind, last_exec) &&
                  ETM_FAST_SAME(last_flags, last_flags) &&
                  ETM_FAST_SAME(start, start) && ETM_FAST_SAME(size, end) &&
                  ETM_FAST_RANGE_AT(end) == 8,
              "a step begins with what is copied into a range");

/* The range of a step; `head` as above. */
static inline void etm_fast_give(struct etm_element *e, const uint8_t *head,
                                 const struct etm_step *s, unsigned passed,
                                 uint64_t offset, uint64_t cycles)
{
    e->offset = offset;
    memcpy((uint8_t *)e + ETM_FAST_HEAD, head, ETM_FAST_HEAD_SIZE);
    memcpy(&e->u, s, ETM_FAST_RANGE_AT(end));
    e->u.range.last_exec = (uint8_t)(ETM_FALSE + passed);
    e->u.range.end = etm_step_end(s);
    e->u.range.n = s->n;
    e->u.range.last_address = etm_step_last(s);
    memset((uint8_t *)&e->u + ETM_FAST_GAP_AT, 0, ETM_FAST_GAP_SIZE);
    e->u.range.cycles = cycles;
}

/*
 * Instructions `from` to `to` (exclusive, from < to <= n) of a step, which has
 * them in a row (etm_blocks_keep_insns()); returns the place behind them. The
 * last of them has `exec` and `cycles`, those before it `others` and `each`;
 * where cycles are not counted both are ETM_CYCLES_UNKNOWN. `head` as above,
 * but for the kind ETM_ELEMENT_INSN. So it is what etm_follow_walk_insns()
 * gives with the same arguments; in PFT `others` is ETM_UNKNOWN, in ETMv3
 * ETM_TRUE.
 */
static inline struct etm_element *etm_fast_give_insns(
    struct etm_element *e, const uint8_t *head, const struct etm_blocks *blocks,
    uint32_t step, uint32_t from, uint32_t to, enum etm_tri others,
    enum etm_tri exec, uint64_t offset, uint64_t each, uint64_t cycles)
{
    const struct etm_block_insn *insn =
        etm_blocks_insns_of(blocks, step) + from;
    const struct etm_element *end = e + (to - from);
    struct etm_element same;
    uint64_t exec_bits, low;

    /* what lies between the members is 0 too: an initializer leaves it open */
    memset(&same, 0, sizeof same);
    same.offset = offset;
    same.u.insn.exec = (uint8_t)others;
    same.u.insn.cycles = each;
    memcpy((uint8_t *)&same + ETM_FAST_HEAD, head, ETM_FAST_HEAD_SIZE);
    memcpy(&exec_bits, &same.u, sizeof exec_bits);
    /* In registers, three pieces of 16 bytes: a byte that is written into one
     * of them in memory would hold up whoever reads it. */
    for (; e < end; e++, insn++) {
        memcpy(e, &same, ETM_FAST_INSN);
        memcpy(&low, insn, sizeof low);
        low |= exec_bits;
        memcpy((uint8_t *)e + ETM_FAST_INSN, &low, sizeof low);
        memcpy((uint8_t *)e + ETM_FAST_INSN + sizeof low,
               (const uint8_t *)insn + sizeof low, sizeof *insn - sizeof low);
        memcpy((uint8_t *)e + ETM_FAST_INSN + sizeof *insn,
               (const uint8_t *)&same + ETM_FAST_INSN + sizeof *insn,
               sizeof *e - ETM_FAST_INSN - sizeof *insn);
    }
    e[-1].u.insn.exec = (uint8_t)exec;
    e[-1].u.insn.cycles = cycles;
    return e;
}

/*
 * Level ETM_LEVEL_COUNTS: a step was executed, from its beginning to its end;
 * passed is 0 or 1. No element is given of it, and whoever may have to take an
 * instruction back (an exception in ETMv3) has to do it before it counts, or
 * takes the count back and gives the range: a `range` element given by a flow
 * is counted by the decoder when it is final. So are ranges that are not a
 * whole step.
 */
static inline void etm_fast_count(struct etm_blocks *blocks, uint32_t step,
                                  unsigned passed)
{
    ((uint64_t *)blocks->links.data)[2 * (size_t)step + 1] +=
        UINT64_C(1) << (passed ^ 1u) * ETM_HITS_FAILED;
}

static inline void etm_fast_uncount(struct etm_blocks *blocks, uint32_t step,
                                    unsigned passed)
{
    ((uint64_t *)blocks->links.data)[2 * (size_t)step + 1] -=
        UINT64_C(1) << (passed ^ 1u) * ETM_HITS_FAILED;
}

#endif
