/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction side of ETMv2: each status of table 6-1 walks one
 * instruction, or a folded branch and one. The last one may still be cancelled
 * by an exception (6.7.1), so it is final only when the next one has come.
 */
#include "base/bits.h"
#include "flow/etmv2/flow.h"
#include "flow/walk/data_plain.h"

/* Instructions that were executed: whether the last one passed, and the one
 * before it, if there is one. */
struct executed {
    unsigned n;
    bool last, before;
};

/* The next instructions of `block`. */
static void walk(struct etm_etmv2_flow *flow, struct etm_block *block,
                 struct executed e, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    const unsigned last = w->index + e.n - 1;

    etm_position_remember(w, e.n == 1 ? etm_position_valid(w) : ETM_LAST_VALID,
                          block, last,
                          e.n == 1 ? w->cycles : w->cycle_accurate);
    etm_walk_run(w, block,
                 (struct etm_run){.from = w->index,
                                  .to = last + 1,
                                  .others = e.before ? ETM_TRUE : ETM_FALSE,
                                  .exec = e.last ? ETM_TRUE : ETM_FALSE,
                                  .cycles = w->cycles,
                                  .offset = offset});
    w->cycles = 0;
    w->half = false;
    w->index = last + 1;
    /* later data are those of the last data instruction (6.4.2) */
    if (flow->data_traced && e.last && (block->data >> last & 1) != 0) {
        etm_data_begin(w, etm_block_address(block, last),
                       etm_block_transfers(&w->blocks, block, last));
        w->last |= ETM_LAST_OWNER;
    }
    if (w->index == block->n)
        etm_position_leave(w, block, e.last, offset);
}

void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = etm_position_next(w, offset);

    if (block == NULL)
        etm_position_blind(w, 1);
    else if (!etm_position_first_half(w, block))
        walk(flow, block, (struct executed){.n = 1, .last = passed}, offset);
}

void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = etm_position_next(w, offset);

    /* only direct branches are folded */
    if (block != NULL &&
        (w->index + 1u != block->n || block->end_kind != ETM_BLOCK_DIRECT)) {
        etm_position_mismatch(w, offset, 0);
        block = NULL;
    }
    if (block == NULL)
        etm_position_blind(w, 1);
    else
        walk(flow, block, (struct executed){.n = 1, .last = taken}, offset);
}

/* The number of instructions at the position with one status each and nothing
 * else: before the last one of the block and before the first with data; 0 if
 * they have to be walked one by one. */
static size_t plain(const struct etm_etmv2_flow *flow)
{
    const struct etm_walk *w = &flow->walk;
    const struct etm_block *block = w->block;
    uint64_t data;
    unsigned n;

    if (block == NULL || w->context_changed || w->arrived || block->wide != 0 ||
        block->end_kind == ETM_BLOCK_NO_CODE || w->mismatch ||
        w->level == ETM_LEVEL_INSTRUCTIONS)
        return 0;
    n = block->n - 1u - w->index;
    data = flow->data_traced ? block->data >> w->index : 0;
    return data != 0 && etm_zeros_below(data) < n ? etm_zeros_below(data) : n;
}

/* The status of a record is an instruction and nothing else. */
static bool is_plain(uint8_t byte)
{
    const unsigned status = byte & ETM_SAMPLE_STATUS;

    return status == ETM_ETMV2_IE || status == ETM_ETMV2_IN;
}

size_t etm_etmv2_flow_run(struct etm_etmv2_flow *flow, const uint8_t *p,
                          const uint8_t *end, uint64_t offset)
{
    const size_t most = is_plain(*p) ? plain(flow) : 0;
    struct etm_walk *w = &flow->walk;
    struct executed e = {0};
    struct etm_block *block;

    for (; e.n < most && p < end && is_plain(*p); e.n++, p += flow->size) {
        e.before = e.last;
        e.last = (*p & ETM_SAMPLE_STATUS) == ETM_ETMV2_IE;
    }
    if (e.n == 0)
        return 0;
    if (flow->config.cycle_accurate)
        w->cycles += e.n;
    block = etm_position_next(w, offset);
    if (block != NULL) /* otherwise memory has run out */
        walk(flow, block, e, offset);
    return e.n;
}
