/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction side of ETMv2: each status of table 6-1 walks one
 * instruction, or a folded branch and one. The last one may still be cancelled
 * by an exception (6.7.1), so it is final only when the next one has come.
 */
#include "flow/etmv2/sync.h"
#include "flow/walk/data_plain.h"

/* The next instruction of `block`. */
static void walk(struct etm_etmv2_flow *flow, struct etm_block *block,
                 bool passed, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    unsigned i = flow->walk.index;

    etm_position_remember(&flow->walk, etm_position_valid(&flow->walk), block,
                          i, w->cycles);
    etm_walk_run(w, block, i, i + 1, ETM_TRUE, passed ? ETM_TRUE : ETM_FALSE,
                 w->cycles, offset);
    w->cycles = 0;
    flow->walk.half = false;
    /* later data are those of the last data instruction (6.4.2) */
    if (flow->data_traced && passed && (block->data >> i & 1) != 0) {
        etm_data_begin(w, etm_block_address(block, i),
                       etm_block_transfers(&w->blocks, block, i));
        flow->walk.last |= ETM_LAST_OWNER;
    }
    if (++flow->walk.index == block->n)
        etm_position_leave(w, block, passed, offset);
}

/* The block of the next instruction; NULL: it cannot be identified. */
static struct etm_block *next_block(struct etm_etmv2_flow *flow,
                                    uint64_t offset)
{
    return etm_position_next(&flow->walk, offset);
}

static void blind(struct etm_etmv2_flow *flow)
{
    etm_position_blind(&flow->walk, 1);
}

void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset)
{
    struct etm_block *block = next_block(flow, offset);

    if (block == NULL)
        blind(flow);
    else if (!etm_position_first_half(&flow->walk, block))
        walk(flow, block, passed, offset);
}

unsigned etm_etmv2_flow_room(const struct etm_etmv2_flow *flow)
{
    const struct etm_walk *w = &flow->walk;
    const struct etm_block *block = w->block;
    uint64_t data;
    unsigned n = 0;

    if (block == NULL || w->context_changed || flow->walk.arrived ||
        block->wide != 0 || block->end_kind == ETM_BLOCK_NO_CODE ||
        flow->walk.mismatch || w->level == ETM_LEVEL_INSTRUCTIONS)
        return 0;
    n = block->n - 1u - flow->walk.index;
    data = flow->data_traced ? block->data >> flow->walk.index : 0;
    if (data == 0)
        return n;
    for (unsigned i = 0; i < n; i++)
        if ((data >> i & 1) != 0)
            return i;
    return n;
}

void etm_etmv2_flow_atoms(struct etm_etmv2_flow *flow, unsigned n, bool last,
                          bool before, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block;
    uint64_t cycles;

    etm_position_settle(w, offset);
    block = w->block;
    if (block == NULL) /* forgotten, or it could not be kept */
        block = etm_position_find(w, offset);
    if (block == NULL) {
        w->status = w->status == ETM_OK ? ETM_ERR_MEMORY : w->status;
        return;
    }
    cycles = w->cycles;
    if (flow->config.cycle_accurate) {
        cycles = n == 1 ? cycles + 1 : 1;
        w->cycles += n;
    }
    etm_position_remember(w, n == 1 ? etm_position_valid(w) : ETM_LAST_VALID,
                          block, w->index + n - 1, cycles);
    etm_walk_run(w, block, w->index, w->index + n,
                 before ? ETM_TRUE : ETM_FALSE, last ? ETM_TRUE : ETM_FALSE,
                 w->cycles, offset);
    w->cycles = 0;
    w->half = false;
    w->index += n;
}

void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset)
{
    struct etm_block *block = next_block(flow, offset);

    /* only direct branches are folded */
    if (block != NULL && (flow->walk.index + 1u != block->n ||
                          block->end_kind != ETM_BLOCK_DIRECT)) {
        etm_position_mismatch(&flow->walk, offset, 0);
        block = NULL;
    }
    if (block == NULL)
        blind(flow);
    else
        walk(flow, block, taken, offset);
}
