/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The position in the program, and how it gets lost. In ETMv1 each executed
 * instruction has one status, on its last cycle, which includes everything that
 * happens to it (ETM architecture 5.1): nothing is ever taken back.
 */
#include "flow/etmv1/walk.h"

void etm_etmv1_mismatch(struct etm_etmv1_flow *flow, uint64_t offset)
{
    etm_walk_blind(&flow->walk);
    etm_position_mismatch(&flow->walk, offset, flow->size);
}

void etm_etmv1_misalign(struct etm_etmv1_flow *flow, bool counts)
{
    flow->aligned = false;
    flow->cut = false;
    flow->skipped_known = counts;
    flow->has_leading = false;
    flow->data_valid = false; /* an address may be among them (5.7.5) */
}

void etm_etmv1_desync(struct etm_etmv1_flow *flow, enum etm_lost_reason reason,
                      uint64_t offset, uint64_t bytes)
{
    struct etm_walk *w = &flow->walk;

    etm_etmv1_begin(flow);
    etm_walk_close(w);
    if (flow->synced)
        etm_walk_broken(w, offset);
    etm_walk_lose(w, reason, offset, bytes);
    /* a full address of reason 0 has no context ID (5.6.3) */
    etm_walk_forget_context_id(w, offset);
    etm_position_nowhere(w);
    etm_etmv1_misalign(flow, false);
    w->blind_cycles = 0;
    w->cycles = 0;
    flow->synced = false;
    flow->base_valid = false;
}

void etm_etmv1_trigger(struct etm_etmv1_flow *flow, struct etm_etmv1_record *r)
{
    r->flags &= (uint8_t)~ETM_RECORD_TRIGGER;
    etm_walk_give_lost(&flow->walk);
    etm_walk_event(&flow->walk, ETM_ELEMENT_TRIGGER, r->offset);
}

void etm_etmv1_give_start(struct etm_etmv1_flow *flow)
{
    struct etm_walk *w = &flow->walk;
    const struct etm_etmv1_start *start = &flow->start;
    uint64_t cycles = w->cycles;

    flow->start.pending = false;
    w->cycles = 0;
    etm_walk_resume(w, start->offset);
    etm_walk_trace_on(w, start->reason, start->offset);
    /* a gap has cycles that need not be stored (5.10) */
    if (flow->config.cycle_accurate && !start->periodic)
        etm_walk_cycles(w, ETM_CYCLES_UNKNOWN, start->offset);
    etm_walk_state(w, ETM_UNKNOWN, ETM_FALSE, start->offset);
    if (start->has_context)
        etm_walk_context_id(w, start->context_id, start->offset);
    etm_position_go(w, start->address, (enum etm_isa)start->isa, start->offset);
    w->cycles = cycles;
}

/* Another context may see other code from here on. */
static void look_again(struct etm_walk *w)
{
    if (w->block == NULL || w->index == 0)
        return;
    w->address = etm_position_address(w);
    w->block = NULL;
    w->index = 0;
}

void etm_etmv1_here(struct etm_etmv1_flow *flow)
{
    struct etm_walk *w = &flow->walk;

    if (!w->known)
        return;
    if (w->context_changed)
        look_again(w);
    if (w->index == 0)
        (void)etm_position_here(w);
}

struct etm_block *etm_etmv1_find_block(struct etm_etmv1_flow *flow,
                                       uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block;

    if (!w->known)
        return NULL;
    look_again(w);
    etm_walk_trim(w);
    block = etm_position_here(w);
    /* the number of statuses of a bytecode is not public (5.11) */
    if (block != NULL &&
        (block->end_kind == ETM_BLOCK_NO_CODE || w->isa == ETM_ISA_JAZELLE)) {
        w->address = block->address;
        flow->no_image_for = offset + 1;
        etm_walk_no_image(w, offset);
        return NULL;
    }
    return block;
}
