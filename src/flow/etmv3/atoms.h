/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atoms of ETMv3: every traced instruction has one. The last one may still be
 * cancelled by an exception, so it is final only when the next atom or a
 * restart of the trace has come. Shared by the flow and the loop for trace with
 * data.
 */
#ifndef ETM_FLOW_ETMV3_ATOMS_H
#define ETM_FLOW_ETMV3_ATOMS_H

#include "flow/etmv3/flow.h"
#include "flow/walk/data_plain.h"

/*
 * Instructions `from` to `to` (exclusive) of a block were executed, the last
 * one `passed`: the last data instruction among those that passed owns the data
 * packets to come (7.4). False: there is none; else *owner is its index.
 */
static inline bool etm_etmv3_owner(const struct etm_block *block, unsigned from,
                                   unsigned to, bool passed, unsigned *owner)
{
    unsigned n = to - from - !passed, i = from + n;

    if (n == 0 || block->data >> from << (64 - n) == 0)
        return false;
    do
        i--;
    while ((block->data >> i & 1) == 0);
    *owner = i;
    return true;
}

/* The last data instruction of etm_etmv3_owner() owns data packets from now
 * on. */
static inline void etm_etmv3_own(struct etm_etmv3_flow *flow,
                                 const struct etm_block *block, unsigned from,
                                 unsigned to, bool passed)
{
    unsigned i;

    if (!etm_etmv3_owner(block, from, to, passed, &i))
        return;
    etm_data_begin(&flow->walk, etm_block_address(block, i),
                   etm_block_transfers(&flow->walk.blocks, block, i));
    if (i + 1 == to)
        flow->walk.last |= ETM_LAST_OWNER;
}

/* `n` instructions that cannot be identified. */
static inline void etm_etmv3_blind(struct etm_etmv3_flow *flow, unsigned n)
{
    etm_position_blind(&flow->walk, n);
}

/* The block of the next instruction; NULL: it cannot be identified. */
static inline struct etm_block *
etm_etmv3_next_block(struct etm_etmv3_flow *flow, uint64_t offset)
{
    return etm_position_next(&flow->walk, offset);
}

/* One atom. */
static inline void etm_etmv3_atom(struct etm_etmv3_flow *flow, bool passed,
                                  uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = etm_etmv3_next_block(flow, offset);
    uint64_t cycles = w->cycles;

    if (block == NULL)
        etm_etmv3_blind(flow, 1);
    if (block == NULL || etm_position_first_half(w, block))
        return;
    etm_position_remember(w, etm_position_valid(w), block, w->index, cycles);
    w->cycles = 0;
    etm_walk_run(w, block,
                 (struct etm_run){.from = w->index,
                                  .to = w->index + 1,
                                  .exec = passed ? ETM_TRUE : ETM_FALSE,
                                  .cycles = cycles,
                                  .offset = offset});
    if (flow->data_traced && passed)
        etm_etmv3_own(flow, block, w->index, w->index + 1, true);
    if (++w->index == block->n)
        etm_position_leave(w, block, passed, offset);
}

/* What follows after the image proved wrong is of no use; nor are instructions
 * before the I-sync that has to come first (E-430). */
static inline void etm_etmv3_lose(struct etm_etmv3_flow *flow, bool insn,
                                  const struct etm_packet *p)
{
    if (flow->walk.mismatch || (flow->walk.astray && insn))
        etm_walk_lose(&flow->walk,
                      flow->walk.mismatch ? ETM_LOST_IMAGE_MISMATCH
                                          : ETM_LOST_UNSYNCHRONIZED,
                      p->offset, p->size);
}

/* The atoms of `part`, which stay in one block. */
static inline void etm_etmv3_run_part(struct etm_etmv3_flow *flow,
                                      struct etm_block *block,
                                      struct etm_etmv3_shape part,
                                      uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    const unsigned n = part.n;
    struct etm_run run = {.from = w->index,
                          .to = w->index + n,
                          .others = ETM_TRUE,
                          .exec = ETM_TRUE,
                          .offset = offset};

    if (n > 1 && w->level == ETM_LEVEL_INSTRUCTIONS) {
        /* only the last can be taken back */
        run.to--;
        etm_walk_run(w, block, run);
        etm_data_commit(w, offset);
        run.from = run.to++;
    }
    w->cycles += (uint64_t)part.each * n;
    run.exec = (enum etm_tri)part.exec;
    run.cycles = w->cycles;
    etm_walk_run(w, block, run);
    etm_position_remember(w, n > 1 ? ETM_LAST_VALID : etm_position_valid(w),
                          block, run.to - 1, n > 1 ? part.each : w->cycles);
    w->cycles = 0;
    w->index = run.to;
    if (flow->data_traced)
        etm_etmv3_own(flow, block, run.to - n, run.to, run.exec == ETM_TRUE);
    if (run.to == block->n)
        etm_position_leave(w, block, run.exec == ETM_TRUE, offset);
}

/* The last `n` instructions of a run. */
static inline void etm_etmv3_run(struct etm_etmv3_flow *flow, unsigned n,
                                 struct etm_etmv3_shape shape, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;

    while (n != 0) {
        struct etm_block *block = etm_etmv3_next_block(flow, offset);
        unsigned left = block != NULL ? block->n - w->index : n;

        if (left > n)
            left = n;
        n -= left;
        if (block == NULL) {
            w->cycles += (uint64_t)shape.each * left;
            etm_etmv3_blind(flow, left);
        } else {
            struct etm_etmv3_shape part = shape;

            part.n = (uint8_t)left;
            if (n != 0)
                part.exec = ETM_TRUE;
            etm_etmv3_run_part(flow, block, part, offset);
        }
    }
}

/* Each atom is looked at: for halves of an instruction, for cycles of each, and
 * for a failed one before the last. */
static inline bool etm_etmv3_is_run(const struct etm_etmv3_flow *flow,
                                    struct etm_etmv3_shape shape)
{
    return shape.n != ETM_ETMV3_NO_RUN && shape.others == ETM_TRUE &&
           !flow->walk.split &&
           !(flow->timed && flow->walk.level == ETM_LEVEL_INSTRUCTIONS);
}

/* The atoms of a P-header (tables 7-2 and 7-3). */
static inline void etm_etmv3_p_header(struct etm_etmv3_flow *flow,
                                      const struct etm_packet *p)
{
    const struct etm_etmv3_shape shape = flow->runs[p->header];
    bool insn = false;

    if (etm_etmv3_is_run(flow, shape)) {
        flow->walk.cycles += shape.before;
        etm_etmv3_run(flow, shape.n, shape, p->offset);
        etm_etmv3_lose(flow, shape.n != 0, p);
        return;
    }
    for (unsigned i = 0; i < p->count; i++) {
        unsigned atom = p->value >> (2 * i) & 3;

        if (atom == ETM_ATOM_W)
            flow->walk.cycles++;
        else
            etm_etmv3_atom(flow, atom == ETM_ATOM_E, p->offset);
        insn |= atom != ETM_ATOM_W;
    }
    etm_etmv3_lose(flow, insn, p);
}

#endif
