/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction of ETMv1: shared by the general path (flow.c) and the
 * fast path (loop.c). */
#ifndef ETM_FLOW_ETMV1_WALK_H
#define ETM_FLOW_ETMV1_WALK_H

#include "flow/etmv1/fifo.h"

/* The next instruction simply follows: it is in walk.block. */
static inline bool etm_etmv1_walk_is_plain(const struct etm_etmv1_flow *flow)
{
    const struct etm_block *block = flow->walk.block;

    return block != NULL && !flow->walk.context_changed && !flow->arrived &&
           block->end_kind != ETM_BLOCK_NO_CODE &&
           block->isa != ETM_ISA_JAZELLE;
}

/* Step on a link. */
static inline void etm_etmv1_walk_enter(struct etm_etmv1_flow *flow,
                                        struct etm_block *link, uint64_t offset)
{
    flow->index = 0;
    etm_walk_enter(&flow->walk, link, offset);
    if (link != NULL && !flow->walk.has_open)
        etm_walk_trim(&flow->walk);
}

/* The instruction at flow->index of its block was executed. */
static inline void etm_etmv1_walk(struct etm_etmv1_flow *flow,
                                  struct etm_block *block, bool passed,
                                  uint64_t offset)
{
    struct etm_walk *f = &flow->walk;

    etm_walk_run(f, block, flow->index, flow->index + 1, ETM_TRUE,
                 passed ? ETM_TRUE : ETM_FALSE, f->cycles, offset);
    f->cycles = 0;
    flow->index++;
    flow->half = false;
}

/* Where the program goes without an address in the trace. */
static inline void etm_etmv1_walk_leave(struct etm_etmv1_flow *flow,
                                        struct etm_block *block, bool passed,
                                        uint64_t offset)
{
    struct etm_blocks *blocks = &flow->walk.blocks;

    if (flow->index < block->n)
        return;
    if (block->end_kind != ETM_BLOCK_FALL) /* a branch ends its range */
        etm_walk_end(&flow->walk, block);
    if (passed && block->end_kind == ETM_BLOCK_DIRECT)
        etm_etmv1_walk_enter(flow, etm_blocks_take(blocks, block), offset);
    else
        etm_etmv1_walk_enter(flow, etm_blocks_follow(blocks, block), offset);
}

/* A 32-bit Thumb instruction has two statuses (3.5.18, bit [18]). True when
 * this one is the first of them. */
static inline bool etm_etmv1_walk_first_half(struct etm_etmv1_flow *flow,
                                             const struct etm_block *block)
{
    if (block->isa == ETM_ISA_ARM || (block->wide >> flow->index & 1) == 0)
        return false;
    flow->half = !flow->half;
    return flow->half;
}

/* An indirect branch that passes its condition has an address (5.7.1). */
static inline bool etm_etmv1_walk_contradicts(const struct etm_etmv1_flow *flow,
                                              const struct etm_block *block,
                                              bool passed)
{
    return passed && flow->index + 1u == block->n &&
           block->end_kind == ETM_BLOCK_INDIRECT;
}

/* IE or IN: the next instruction, of `block`, was executed without packets.
 * NULL: it is not known. */
static inline void etm_etmv1_walk_plain(struct etm_etmv1_flow *flow,
                                        struct etm_block *block, bool passed,
                                        uint64_t offset)
{
    if (block == NULL) {
        etm_walk_blind(&flow->walk);
        return;
    }
    if (etm_etmv1_walk_first_half(flow, block))
        return;
    if (etm_etmv1_walk_contradicts(flow, block, passed)) {
        etm_etmv1_flow_mismatch(flow, offset, flow->size);
        return;
    }
    etm_etmv1_walk(flow, block, passed, offset);
    etm_etmv1_walk_leave(flow, block, passed, offset);
}

/* The instruction transfers data, and the next one follows it. */
static inline bool etm_etmv1_walk_can_be_data(const struct etm_etmv1_flow *flow,
                                              const struct etm_block *block)
{
    return (block->data >> flow->index & 1) != 0 &&
           flow->walk.blocks.rules.transfers &&
           !etm_etmv1_walk_contradicts(flow, block, true);
}

/* A branch can end where the address says. */
static inline bool etm_etmv1_walk_can_branch(const struct etm_etmv1_flow *flow,
                                             const struct etm_block *block,
                                             uint32_t address, enum etm_isa isa)
{
    bool wide = block->isa != ETM_ISA_ARM && (block->wide >> flow->index & 1);

    if (flow->index + 1u != block->n || (wide && !flow->half))
        return false;
    if (block->end_kind == ETM_BLOCK_DIRECT)
        return block->target == address && block->target_isa == isa;
    return block->end_kind == ETM_BLOCK_INDIRECT;
}

/* The offset of an exception vector (4.5.3). */
#define ETM_ETMV1_NO_VECTOR 0xffu

static inline unsigned etm_etmv1_walk_vector(const struct etm_etmv1_flow *flow,
                                             uint32_t address, enum etm_isa isa)
{
    uint32_t base = flow->config.high_vectors ? 0xffff0000u : 0;
    uint32_t offset = address - base;

    if (isa != ETM_ISA_ARM || offset > 0x1c || offset == 0x14)
        return ETM_ETMV1_NO_VECTOR;
    return offset;
}

#endif
