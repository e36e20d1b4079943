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
    struct etm_follow *f = &flow->follow;
    unsigned i = flow->at.index;

    etm_position_remember(&flow->at, etm_position_valid(&flow->at), block, i,
                          f->cycles);
    etm_follow_walk(f, block, i, i + 1, ETM_TRUE, passed ? ETM_TRUE : ETM_FALSE,
                    f->cycles, offset);
    f->cycles = 0;
    flow->at.half = false;
    /* later data are those of the last data instruction (6.4.2) */
    if (flow->data_traced && passed && (block->data >> i & 1) != 0) {
        etm_data_begin(&flow->data, f, etm_block_address(block, i),
                       etm_block_transfers(&f->blocks, block, i));
        flow->at.last |= ETM_LAST_OWNER;
    }
    if (++flow->at.index == block->n)
        etm_position_leave(&flow->at, f, block, passed, offset);
}

/* The block of the next instruction; NULL: it cannot be identified. */
static struct etm_block *next_block(struct etm_etmv2_flow *flow,
                                    uint64_t offset)
{
    return etm_position_next(&flow->at, &flow->follow, &flow->data, offset);
}

static void blind(struct etm_etmv2_flow *flow)
{
    etm_position_blind(&flow->at, &flow->follow, &flow->data, 1);
}

void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset)
{
    struct etm_block *block = next_block(flow, offset);

    if (block == NULL)
        blind(flow);
    else if (!etm_position_first_half(&flow->at, block))
        walk(flow, block, passed, offset);
}

unsigned etm_etmv2_flow_room(const struct etm_etmv2_flow *flow)
{
    const struct etm_follow *f = &flow->follow;
    const struct etm_block *block = f->block;
    uint64_t data;
    unsigned n = 0;

    if (block == NULL || f->context_changed || flow->at.arrived ||
        block->wide != 0 || block->end_kind == ETM_BLOCK_NO_CODE ||
        flow->at.mismatch || f->level == ETM_LEVEL_INSTRUCTIONS)
        return 0;
    n = block->n - 1u - flow->at.index;
    data = flow->data_traced ? block->data >> flow->at.index : 0;
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
    struct etm_follow *f = &flow->follow;
    struct etm_position *at = &flow->at;
    struct etm_block *block;
    uint64_t cycles;

    etm_position_settle(at, f, &flow->data, offset);
    block = f->block;
    if (block == NULL) /* forgotten, or it could not be kept */
        block = etm_position_find(at, f, &flow->data, offset);
    if (block == NULL) {
        f->status = f->status == ETM_OK ? ETM_ERR_MEMORY : f->status;
        return;
    }
    cycles = f->cycles;
    if (flow->config.cycle_accurate) {
        cycles = n == 1 ? cycles + 1 : 1;
        f->cycles += n;
    }
    etm_position_remember(at, n == 1 ? etm_position_valid(at) : ETM_LAST_VALID,
                          block, at->index + n - 1, cycles);
    etm_follow_walk(f, block, at->index, at->index + n,
                    before ? ETM_TRUE : ETM_FALSE, last ? ETM_TRUE : ETM_FALSE,
                    f->cycles, offset);
    f->cycles = 0;
    at->half = false;
    at->index += n;
}

void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset)
{
    struct etm_block *block = next_block(flow, offset);

    /* only direct branches are folded */
    if (block != NULL && (flow->at.index + 1u != block->n ||
                          block->end_kind != ETM_BLOCK_DIRECT)) {
        etm_position_mismatch(&flow->at, &flow->follow, offset, 0);
        block = NULL;
    }
    if (block == NULL)
        blind(flow);
    else
        walk(flow, block, taken, offset);
}
