/* SPDX-License-Identifier: Apache-2.0 */
/* For the files with loops of the fast path of PFT: how a loop is entered and
 * left, and the terms of loop.inc. */
#ifndef ETM_FLOW_PFT_LOOP_H
#define ETM_FLOW_PFT_LOOP_H

#include "flow/pft/walk.h"

/* A stretch of trace begins: what its I-sync says except for the position. */
static inline void begin(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                         struct etm_pft_terms t, unsigned reason,
                         uint64_t cycles, uint64_t offset)
{
    struct etm_element *e = w->e++;

    etm_fast_give_word(e, flow->ready.trace_on, offset, 0);
    e->u.trace_on.reason = (uint8_t)etm_walk_began(reason);
    if (t.counts)
        etm_fast_give_word(
            w->e++, flow->ready.gap, offset,
            etm_pft_flow_gap_cycles(flow, reason, w->cycles + cycles));
    w->cycles = 0;
}

/* Begin the walk at the position of the flow. */
static inline struct etm_pft_walk enter(struct etm_pft_flow *flow,
                                        const struct etm_pft_decoder *d)
{
    const struct etm_walk *f = &flow->walk;
    const struct etm_broadcast *b = &flow->last;
    uint64_t mask = d->format.hyp ? 0x0f : 0x0d;
    uint64_t state = (b->ns ? 0x08u : 0) | (b->alt_isa ? 0x04u : 0) |
                     (b->hyp ? 0x02u : 0) | 0x01u;

    flow->ready.mask = mask << 40; /* of the information byte (4.5) */
    flow->ready.state = state << 40;
    flow->ready.context_id_bytes = d->format.context_id_bytes;
    flow->ready.thumb = b->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    etm_pft_flow_see_targets(flow);
    return (struct etm_pft_walk){
        .steps = f->blocks.steps.data,
        .links = f->blocks.links.data,
        .e = (struct etm_element *)f->out->data + f->out->n,
        .cycles = f->cycles,
        .at = f->known ? f->block->step : 0,
        .last = etm_pft_key(b->address, b->isa != ETM_ISA_ARM),
        .top = flow->stack.top,
        .depth = flow->stack.n,
        .isa = f->context_changed ? ETM_PFT_NOTED : f->isa,
        .head = {f->level == ETM_LEVEL_INSTRUCTIONS ? ETM_ELEMENT_INSN
                                                    : ETM_ELEMENT_RANGE,
                 f->source}};
}

/* Set the flow to the position of the walk. */
static inline void leave(struct etm_pft_flow *flow, struct etm_pft_walk w,
                         struct etm_pft_terms t)
{
    struct etm_walk *f = &flow->walk;
    struct etm_broadcast *b = &flow->last;
    const struct etm_step *s = &w.steps[w.at];

    if (w.last != etm_pft_key(b->address, b->isa != ETM_ISA_ARM)) {
        b->address = etm_pft_key_address(w.last);
        b->isa = (uint8_t)etm_pft_key_isa(&flow->ready, w.last);
    }
    if (t.returns) {
        flow->stack.top = w.top;
        flow->stack.n = w.depth;
    }
    f->cycles = w.cycles;
    f->counted_cycles += w.counted;
    f->out->n = (size_t)(w.e - (struct etm_element *)f->out->data);
    f->known = w.at != 0;
    f->block = NULL;
    if (w.at == 0)
        return;
    /* the block itself is not in the caches, and not read */
    f->block = etm_blocks_of_step(&f->blocks, w.at);
    f->address = s->start;
    if (f->isa != s->isa) {
        f->isa = s->isa;
        if (w.isa != ETM_PFT_NOTED)
            etm_walk_context_changed(f, etm_pft_moved(&w, t));
    }
}

/* Leave the remaining atoms of a packet, `left`, to the flow, because no step
 * knows their way. */
static void rest(struct etm_pft_flow *flow, unsigned atoms, unsigned left,
                 uint64_t offset)
{
    unsigned n = 0;
    struct etm_packet packet = {
        .offset = offset, .size = 1, .kind = ETM_PACKET_ATOM};

    while (left >> n != 1)
        n++;
    packet.value = (atoms & 0xfffu) >> 2 * ((atoms >> 12) - n);
    packet.count = (uint8_t)n;
    etm_pft_flow_push(flow, &packet, 1, flow->walk.out);
}

/* Names of the loops and of the pieces that each of them has. */
#define ETM_PFT_PASTE(name, loop) name##_in_##loop
#define ETM_PFT_NAME(name, loop) ETM_PFT_PASTE(name, loop)
#define ETM_PFT_LOOP_TERMS                                                     \
    {                                                                          \
        .level = ETM_PFT_LOOP_LEVEL, .counts = ETM_PFT_LOOP_COUNTS,            \
        .returns = ETM_PFT_LOOP_RETURNS                                        \
    }

#endif
