/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction side of ETMv2: each status of table 6-1 walks one
 * instruction, or a folded branch and one. The last one may still be cancelled
 * by an exception (6.7.1), so it is final only when the next one has come.
 */
#include "flow/data_plain.h"
#include "flow/etmv2_sync.h"

uint32_t etm_etmv2_flow_address(const struct etm_etmv2_flow *flow)
{
    return etm_follow_at(&flow->follow, flow->index);
}

void etm_etmv2_flow_go(struct etm_etmv2_flow *flow, uint32_t address,
                       enum etm_isa isa, uint64_t offset)
{
    struct etm_follow *f = &flow->follow;

    /* a range is of consecutive instructions */
    if (f->has_open && (!f->known || etm_etmv2_flow_address(flow) != address))
        etm_follow_close(f);
    etm_follow_go(f, address, isa, offset);
    flow->index = 0;
    flow->half = false;
    flow->arrived = isa == ETM_ISA_THUMB;
    flow->awaiting = false;
    flow->last &= ~(uint32_t)ETM_ETMV2_LAST_NO_CODE;
}

void etm_etmv2_flow_nowhere(struct etm_etmv2_flow *flow)
{
    etm_follow_nowhere(&flow->follow);
    flow->half = false;
    flow->arrived = false;
    flow->awaiting = false;
}

void etm_etmv2_flow_mismatch(struct etm_etmv2_flow *flow, uint64_t offset,
                             uint64_t bytes)
{
    etm_follow_close(&flow->follow);
    etm_follow_lose(&flow->follow, ETM_LOST_IMAGE_MISMATCH, offset, bytes);
    etm_etmv2_flow_nowhere(flow);
    flow->mismatch = true;
    flow->last &= ~(uint32_t)ETM_ETMV2_LAST_VALID;
}

/* A new instruction: the one before it is final. */
static void settle(struct etm_etmv2_flow *flow, uint64_t offset)
{
    struct etm_follow *f = &flow->follow;

    flow->last &= ~(uint32_t)(ETM_ETMV2_LAST_VALID | ETM_ETMV2_LAST_OWNER |
                              ETM_ETMV2_LAST_NO_CODE);
    if (!f->has_open && flow->index == 0)
        etm_follow_trim(f);
    etm_data_commit(&flow->data, f, offset);
}

struct etm_block *etm_etmv2_flow_here(struct etm_etmv2_flow *flow)
{
    struct etm_block *block = etm_follow_here(&flow->follow);

    if (block != NULL && flow->arrived)
        block = etm_follow_half(&flow->follow, &flow->half);
    flow->arrived = false;
    return block;
}

/* Find the block of the next instruction if it does not simply follow. */
static struct etm_block *find_block(struct etm_etmv2_flow *flow,
                                    uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    struct etm_block *block;

    if (flow->awaiting) { /* no target came: it was no indirect branch */
        etm_etmv2_flow_mismatch(flow, offset, 0);
        return NULL;
    }
    if (!f->known)
        return NULL;
    if (f->block != NULL && flow->index != 0) {
        /* another context may see other code from here on */
        f->address = etm_etmv2_flow_address(flow);
        f->block = NULL;
        flow->index = 0;
    }
    etm_follow_trim(f);
    block = etm_etmv2_flow_here(flow);
    etm_data_commit(&flow->data, f, offset);
    if (block != NULL && block->end_kind == ETM_BLOCK_NO_CODE) {
        f->address = flow->no_code = block->address;
        flow->last |= ETM_ETMV2_LAST_NO_CODE;
        etm_follow_no_image(f, offset);
        return NULL;
    }
    return block;
}

/* The block of the next instruction; NULL: there is none, and elements say
 * so. */
static struct etm_block *next_block(struct etm_etmv2_flow *flow,
                                    uint64_t offset)
{
    struct etm_block *block;

    settle(flow, offset);
    block = flow->follow.block;
    if (block == NULL || flow->follow.context_changed || flow->arrived ||
        block->end_kind == ETM_BLOCK_NO_CODE)
        return find_block(flow, offset);
    return block;
}

/* An instruction that cannot be identified: data that follow have no owner
 * (6.6). */
static void blind(struct etm_etmv2_flow *flow)
{
    etm_follow_blind(&flow->follow);
    flow->last &= ETM_ETMV2_LAST_NO_CODE;
    if (flow->data_traced)
        etm_data_unknown(&flow->data, &flow->follow);
}

/* Step on a link. */
static void enter(struct etm_etmv2_flow *flow, struct etm_block *link,
                  uint64_t offset)
{
    flow->index = 0;
    etm_follow_enter(&flow->follow, link, offset);
}

/* The last instruction of a block was executed: find out where it leads. */
static void leave(struct etm_etmv2_flow *flow, struct etm_block *block,
                  bool passed, uint64_t offset)
{
    struct etm_blocks *blocks = &flow->follow.blocks;

    if (block->end_kind != ETM_BLOCK_FALL) /* a branch ends its range */
        etm_follow_end(&flow->follow, block);
    if (passed && block->end_kind == ETM_BLOCK_DIRECT) {
        flow->last |= ETM_ETMV2_LAST_DIRECT;
        enter(flow, etm_blocks_take(blocks, block), offset);
    } else if (passed && block->end_kind == ETM_BLOCK_INDIRECT) {
        flow->last |= ETM_ETMV2_LAST_INDIRECT;
        etm_follow_nowhere(&flow->follow);
        flow->awaiting = true;
    } else {
        enter(flow, etm_blocks_follow(blocks, block), offset);
    }
}

/* ETMv2 traces the halves of a 32-bit Thumb instruction, BL or BLX, as two
 * (3.5.18, ETMIDR[18]). True when this one is the first. */
static bool first_half(struct etm_etmv2_flow *flow,
                       const struct etm_block *block)
{
    if (block->isa == ETM_ISA_ARM || (block->wide >> flow->index & 1) == 0)
        return false;
    flow->half = !flow->half;
    return flow->half;
}

/* The next instruction of `block`. */
static void walk(struct etm_etmv2_flow *flow, struct etm_block *block,
                 bool passed, uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    unsigned i = flow->index;

    flow->last =
        ETM_ETMV2_LAST_VALID | ((flow->last & ETM_ETMV2_LAST_NONE_YET) != 0
                                    ? (uint32_t)ETM_ETMV2_LAST_FIRST
                                    : 0);
    flow->last_block = block;
    flow->last_index = i;
    flow->last_cycles = f->cycles;
    etm_follow_walk(f, block, i, i + 1, ETM_TRUE, passed ? ETM_TRUE : ETM_FALSE,
                    f->cycles, offset);
    f->cycles = 0;
    flow->half = false;
    /* later data are those of the last data instruction (6.4.2) */
    if (flow->data_traced && passed && (block->data >> i & 1) != 0) {
        etm_data_begin(&flow->data, f, etm_block_address(block, i),
                       etm_block_transfers(&f->blocks, block, i));
        flow->last |= ETM_ETMV2_LAST_OWNER;
    }
    if (++flow->index == block->n)
        leave(flow, block, passed, offset);
}

void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset)
{
    struct etm_block *block = next_block(flow, offset);

    if (block == NULL)
        blind(flow);
    else if (!first_half(flow, block))
        walk(flow, block, passed, offset);
}

unsigned etm_etmv2_flow_room(const struct etm_etmv2_flow *flow)
{
    const struct etm_follow *f = &flow->follow;
    const struct etm_block *block = f->block;
    uint64_t data;
    unsigned n = 0;

    if (block == NULL || f->context_changed || flow->arrived ||
        block->wide != 0 || block->end_kind == ETM_BLOCK_NO_CODE ||
        flow->mismatch || f->level == ETM_LEVEL_INSTRUCTIONS)
        return 0;
    n = block->n - 1u - flow->index;
    data = flow->data_traced ? block->data >> flow->index : 0;
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
    struct etm_block *block;
    unsigned first = flow->last & ETM_ETMV2_LAST_NONE_YET;

    settle(flow, offset);
    block = f->block;
    if (block == NULL) /* forgotten, or it could not be kept */
        block = find_block(flow, offset);
    if (block == NULL) {
        f->status = f->status == ETM_OK ? ETM_ERR_MEMORY : f->status;
        return;
    }
    flow->last = ETM_ETMV2_LAST_VALID;
    if (n == 1 && first != 0)
        flow->last |= ETM_ETMV2_LAST_FIRST;
    flow->last_block = block;
    flow->last_index = flow->index + n - 1;
    if (flow->config.cycle_accurate) {
        flow->last_cycles = n == 1 ? f->cycles + 1 : 1;
        f->cycles += n;
    } else {
        flow->last_cycles = f->cycles;
    }
    etm_follow_walk(f, block, flow->index, flow->index + n,
                    before ? ETM_TRUE : ETM_FALSE, last ? ETM_TRUE : ETM_FALSE,
                    f->cycles, offset);
    f->cycles = 0;
    flow->half = false;
    flow->index += n;
}

void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset)
{
    struct etm_block *block = next_block(flow, offset);

    /* only direct branches are folded */
    if (block != NULL &&
        (flow->index + 1u != block->n || block->end_kind != ETM_BLOCK_DIRECT)) {
        etm_etmv2_flow_mismatch(flow, offset, 0);
        block = NULL;
    }
    if (block == NULL)
        blind(flow);
    else
        walk(flow, block, taken, offset);
}
