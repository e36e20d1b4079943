/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way from bytes to elements: while steps that pft_flow.c has filled
 * know the way, or none is known, a loop takes atoms, branches without an
 * exception, I-syncs that change nothing but the position, and what says
 * nothing of the program. Everything else stops it; pft_decode.c and
 * pft_flow.c, which know all the rules, take that packet, and the loop goes on
 * behind it.
 */
#include "flow/pft_walk.h"

/* A stretch of trace begins: what its I-sync says but for the position. */
static inline void begin(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                         struct etm_pft_terms t, unsigned reason,
                         uint64_t cycles, uint64_t offset)
{
    struct etm_element *e = w->e++;

    etm_fast_give_word(e, flow->ready.trace_on, offset, 0);
    e->u.trace_on.reason = (uint8_t)etm_follow_began(reason);
    if (t.counts)
        etm_fast_give_word(
            w->e++, flow->ready.gap, offset,
            etm_pft_flow_gap_cycles(flow, reason, w->cycles + cycles));
    w->cycles = 0;
}

/* The walk begins where the flow stands. */
static inline struct etm_pft_walk enter(struct etm_pft_flow *flow,
                                        const struct etm_pft_decoder *d)
{
    const struct etm_follow *f = &flow->follow;
    const struct etm_broadcast *b = &flow->last;
    uint64_t mask = d->format.hyp ? 0x0e : 0x0c;
    uint64_t state =
        (b->ns ? 0x08u : 0) | (b->alt_isa ? 0x04u : 0) | (b->hyp ? 0x02u : 0);

    flow->ready.mask = mask << 40; /* of the information byte (4.5) */
    flow->ready.state = state << 40;
    flow->ready.context_id_bytes = d->format.context_id_bytes;
    etm_pft_flow_see_targets(flow);
    flow->ready.thumb = b->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    return (struct etm_pft_walk){
        .steps = f->blocks.steps.data,
        .links = f->blocks.links.data,
        .e = (struct etm_element *)f->out->data + f->out->n,
        .cycles = f->cycles,
        .at = f->known ? f->block->step : 0,
        .top = flow->stack.top,
        .depth = flow->stack.n,
        .isa = f->context_changed ? ETM_PFT_NOTED : f->isa,
        .head = {f->level == ETM_LEVEL_INSTRUCTIONS ? ETM_ELEMENT_INSN
                                                    : ETM_ELEMENT_RANGE,
                 f->source}};
}

/* The flow stands where the walk has come to. */
static inline void leave(struct etm_pft_flow *flow, struct etm_pft_walk w,
                         struct etm_pft_terms t)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_step *s = &w.steps[w.at];

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
    /* the block itself is far away in memory: no look at it */
    f->block = etm_blocks_of_step(&f->blocks, w.at);
    f->address = s->start;
    if (f->isa != s->isa) {
        f->isa = s->isa;
        if (w.isa != ETM_PFT_NOTED)
            etm_follow_context_changed(f, etm_pft_moved(&w, t));
    }
}

/* Atoms of a packet that the steps know no way for: those that are `left`. */
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
    etm_pft_flow_push(flow, &packet, 1, flow->follow.out);
}

/* The loops: each has pieces of its own. */
#define ETM_PFT_PASTE(name, loop) name##_in_##loop
#define ETM_PFT_NAME(name, loop) ETM_PFT_PASTE(name, loop)
#define ETM_PFT_LOOP_TERMS                                                     \
    {                                                                          \
        .level = ETM_PFT_LOOP_LEVEL, .counts = ETM_PFT_LOOP_COUNTS,            \
        .returns = ETM_PFT_LOOP_RETURNS                                        \
    }

#define ETM_PFT_LOOP ranges
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP ranges_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP ranges_cycles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP ranges_cycles_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP insns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP insns_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP insns_cycles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP insns_cycles_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP counts
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP counts_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP counts_cycles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft_loop.inc"

#define ETM_PFT_LOOP counts_cycles_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft_loop.inc"

typedef size_t loop_fn(struct etm_pft_flow *, const struct etm_pft_decoder *,
                       const uint8_t *, size_t, size_t most);

/* By level, cycle counts, return stack. */
static loop_fn *const loops[3][2][2] = {
    [ETM_LEVEL_RANGES] = {{ranges, ranges_returns},
                          {ranges_cycles, ranges_cycles_returns}},
    [ETM_LEVEL_INSTRUCTIONS] = {{insns, insns_returns},
                                {insns_cycles, insns_cycles_returns}},
    [ETM_LEVEL_COUNTS] = {{counts, counts_returns},
                          {counts_cycles, counts_cycles_returns}},
};

/* Whether a loop may take what comes next. */
static bool may_walk(struct etm_pft_flow *flow)
{
    struct etm_follow *f = &flow->follow;

    if (!flow->synced || f->has_open || f->has_lost || flow->mismatch ||
        flow->updated || flow->last.isa == ETM_ISA_JAZELLE)
        return false;
    /* entry to debug state tells a state that nothing is executed in */
    if (f->now.secure != (uint8_t)etm_pft_flow_secure(flow) ||
        f->now.hyp != (uint8_t)etm_pft_flow_hyp(flow))
        return false;
    if (f->context_changed || f->block == NULL) {
        etm_follow_look(f);
        if (f->blocks.space != flow->space)
            etm_pft_flow_see(flow);
    }
    return f->status == ETM_OK;
}

/* Take one packet with all the rules; its size, or 0: not here. */
static size_t take_packet(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                          const uint8_t *bytes)
{
    struct etm_packet packet;
    unsigned size = etm_pft_decoder_next(d, bytes, &packet);

    if (size != 0)
        etm_pft_flow_push(flow, &packet, 1, flow->follow.out);
    return size;
}

/* Bytes that a loop takes at once: with cycle counts a byte gives two elements
 * at the most, a context and a range, and it does not look for the end of the
 * room there is. */
#define CHUNK (ETM_FAST_ROOM / 2)

size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;
    loop_fn *loop =
        loops[f->level][f->cycle_accurate][flow->config.return_stack];
    size_t at = 0, used, chunk, most = out->n + ETM_FAST_BATCH;

    if (d->state != ETM_PFT_SYNCHRONIZED || d->n_carry != 0 ||
        f->status != ETM_OK)
        return 0;
    f->out = out;
    while (n - at >= ETM_PFT_WINDOW && out->n < most) {
        if (may_walk(flow)) {
            /* more than is needed, so that it lasts */
            if (out->capacity - out->n < ETM_FAST_ROOM &&
                etm_vec_reserve(out, 2 * ETM_FAST_ROOM) != ETM_OK) {
                f->status = ETM_ERR_MEMORY;
                break;
            }
            chunk = n - at < CHUNK ? n - at : CHUNK;
            used = loop(flow, d, bytes + at, chunk, most);
            at += used;
            d->offset += used;
            if (f->status != ETM_OK)
                break;
            if (chunk - used < ETM_PFT_WINDOW || out->n >= most)
                continue; /* that was all it could do */
        }
        used = take_packet(flow, d, bytes + at);
        if (used == 0 || f->status != ETM_OK)
            break;
        at += used;
    }
    etm_follow_commit(f);
    return at;
}
