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

/* The step at an address, 0 when memory is short. May move the steps. */
static inline uint32_t find(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                            uint32_t address, unsigned isa)
{
    uint32_t step = *etm_pft_flow_target(flow, address);

    /* step 0 has no instruction set */
    if (w->steps[step].start == address && w->steps[step].isa == isa)
        return step;
    step = etm_pft_flow_find(flow, address, isa);
    etm_pft_see_steps(flow, w);
    return step;
}

/* Instructions were executed where there is no code: their cycles. */
static inline void blind(struct etm_follow *f, struct etm_pft_walk *w)
{
    f->blind_cycles += w->cycles;
    w->cycles = 0;
}

/* An address has come: they are told. */
static inline void resume(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                          uint64_t offset)
{
    struct etm_follow *f = &flow->follow;

    if (f->blind_cycles == 0)
        return;
    etm_fast_give_word(w->e++, flow->ready.cycles, offset, f->blind_cycles);
    f->blind_cycles = 0;
}

/* An instruction was executed; false if there is code that it can be of. */
static inline bool lose(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                        struct etm_pft_terms t, uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    uint64_t links = etm_links_at(w->links, w->at, t.level == ETM_LEVEL_COUNTS);

    if (w->at != 0) {
        if ((etm_link_facts(links) & ETM_PFT_STEP_NO_CODE) == 0)
            return false;
        etm_pft_see_isa(f, w, t, etm_link_facts(links));
        etm_fast_give_word(w->e, flow->ready.no_image, offset, 0);
        w->e++->u.no_image.address = w->steps[w->at].start;
        w->at = 0;
    }
    blind(f, w);
    return true;
}

/* A stretch of trace begins: what its I-sync says but for the position. */
static inline void begin(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                         struct etm_pft_terms t, unsigned reason,
                         uint64_t cycles, uint64_t offset)
{
    etm_fast_give_word(w->e, flow->ready.trace_on, offset, 0);
    w->e++->u.trace_on.reason = (uint8_t)etm_follow_began(reason);
    if (t.counts)
        etm_fast_give_word(
            w->e++, flow->ready.cycles, offset,
            etm_pft_flow_gap_cycles(flow, reason, w->cycles + cycles));
    w->cycles = 0;
}

/*
 * An I-sync that changes nothing but the position: as
 * parse_i_sync() of pft_decode.c and i_sync() of pft_flow.c. Returns its size,
 * or 0 if it is not like that.
 */
static inline size_t synchronize(struct etm_pft_flow *flow,
                                 struct etm_pft_walk *w, struct etm_pft_terms t,
                                 const struct etm_pft_decoder *d,
                                 const uint8_t *p, uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    struct etm_broadcast *last = &flow->last;
    uint64_t x = etm_pft_load(p), cycles = 0;
    uint32_t address = (uint32_t)(x >> 8) & ~(uint32_t)1, next = w->at;
    unsigned info = x >> 40 & 0xff, reason = info >> 5 & 3;
    unsigned thumb = last->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    unsigned isa = (x >> 8 & 1) != 0 ? thumb : ETM_ISA_ARM;
    size_t n = 6;

    if ((info & w->mask) != w->state)
        return 0;
    if (t.counts && reason != ETM_SYNC_PERIODIC)
        n += etm_pft_add_count(etm_pft_load(p + n), &cycles);
    if (d->format.context_id_bytes != 0) {
        /* no more is read than a packet may have */
        unsigned unused = 8 * (4u - d->format.context_id_bytes);
        uint32_t id = (uint32_t)(etm_pft_load(p + n - 4) >> 32);

        id = id << unused >> unused;
        if (!f->now.context_id_known || f->now.context_id != id)
            return 0;
        last->context_id = id;
        last->context_id_valid = true;
        n += d->format.context_id_bytes;
    }
    if (reason != ETM_SYNC_PERIODIC || w->at == 0)
        next = find(flow, w, address, isa);
    else if (w->steps[next].start != address || w->steps[next].isa != isa)
        return 0;
    if (next == 0)
        return 0;
    etm_pft_note_moved(f, w, t);
    last->address = address;
    last->isa = (uint8_t)isa;
    if (t.returns)
        w->depth = 0; /* 4.13 */
    resume(flow, w, offset);
    if (reason != ETM_SYNC_PERIODIC)
        begin(flow, w, t, reason, cycles, offset);
    w->at = next;
    w->moved = offset;
    etm_pft_note_isa(f, w, offset);
    return n;
}

/* What is neither an atom nor a branch: its size, or 0. */
static inline size_t other(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                           struct etm_pft_terms t,
                           const struct etm_pft_decoder *d, const uint8_t *p,
                           uint64_t offset)
{
    struct etm_pft_aside a;

    if (d->table.kind[*p] == ETM_PFT_HEADER_I_SYNC)
        return synchronize(flow, w, t, d, p, offset);
    etm_pft_note_moved(&flow->follow, w, t);
    a = etm_pft_flow_aside(flow, d, p, offset, w->e);
    w->e = a.e;
    w->cycles += a.cycles;
    return a.size;
}

/* The walk begins where the flow stands. */
static inline struct etm_pft_walk enter(const struct etm_pft_flow *flow,
                                        const struct etm_pft_decoder *d,
                                        struct etm_pft_terms t)
{
    const struct etm_follow *f = &flow->follow;
    const struct etm_broadcast *b = &flow->last;
    unsigned mask = d->format.hyp ? 0x0e : 0x0c;
    uint8_t kind = t.level == ETM_LEVEL_INSTRUCTIONS ? ETM_ELEMENT_INSN
                                                     : ETM_ELEMENT_RANGE;

    return (struct etm_pft_walk){
        .steps = f->blocks.steps.data,
        .links = f->blocks.links.data,
        .e = (struct etm_element *)f->out->data + f->out->n,
        .cycles = f->cycles,
        .at = f->known ? f->block->step : 0,
        .top = flow->stack.top,
        .depth = flow->stack.n,
        .isa = f->context_changed ? ETM_PFT_NOTED : f->isa,
        .mask = mask,
        .state = mask & ((b->ns ? 0x08u : 0) | (b->alt_isa ? 0x04u : 0) |
                         (b->hyp ? 0x02u : 0)),
        .head = {kind, f->source}};
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

/* The loops: each has a branch() of its own. */
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
        flow->updated)
        return false;
    /* entry to debug state tells a state that nothing is executed in */
    if (f->now.secure != (uint8_t)etm_pft_flow_secure(flow) ||
        f->now.hyp != (uint8_t)etm_pft_flow_hyp(flow))
        return false;
    if (f->context_changed || f->block == NULL) {
        etm_follow_look(f);
        if (f->blocks.space != flow->space)
            etm_pft_flow_see(flow, false);
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
