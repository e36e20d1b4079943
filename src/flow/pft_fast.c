/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way from bytes to elements: while nothing but atoms and branches
 * without an exception come, and steps that pft_flow.c has filled know the
 * way, a loop takes them. Everything else stops it; pft_decode.c and
 * pft_flow.c, which know all the rules, take that packet, and the loop goes on
 * behind it.
 */
#include "flow/pft_walk.h"

void etm_pft_give_context(struct etm_follow *f, struct etm_element *e,
                          unsigned isa, uint64_t offset)
{
    const struct etm_follow_context *now = &f->now;

    f->isa = f->now.isa = (uint8_t)isa;
    f->given = f->now;
    memset(e, 0, sizeof *e);
    e->offset = offset;
    e->kind = ETM_ELEMENT_CONTEXT;
    e->source = f->source;
    e->u.context.isa = now->isa;
    e->u.context.secure = now->secure;
    e->u.context.hyp = now->hyp;
    e->u.context.context_id_known = now->context_id_known;
    e->u.context.context_id = now->context_id;
    e->u.context.vmid_known = now->vmid_known;
    e->u.context.vmid = now->vmid;
}

uint64_t etm_pft_long_count(uint64_t bytes)
{
    uint8_t p[ETM_PFT_COUNT_BYTES];
    uint32_t count;
    unsigned n;

    for (unsigned i = 0; i < ETM_PFT_COUNT_BYTES; i++)
        p[i] = (uint8_t)(bytes >> 8 * i);
    n = etm_pft_count(p, &count);
    return (uint64_t)n << 32 | count;
}

/* An element without what is particular of its kind. */
static inline struct etm_element *add(const struct etm_follow *f,
                                      struct etm_pft_walk *w,
                                      enum etm_element_kind kind,
                                      uint64_t offset)
{
    struct etm_element *e = w->e++;

    memset(e, 0, sizeof *e);
    e->offset = offset;
    e->kind = (uint8_t)kind;
    e->source = f->source;
    return e;
}

/*
 * The step at an address, 0 when memory is short. `guess` is another that may
 * be the one. May move the steps.
 */
static inline uint32_t find(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                            uint32_t guess, uint32_t address, unsigned isa)
{
    struct etm_blocks *blocks = &flow->follow.blocks;
    uint32_t step;

    /* step 0 has no instruction set */
    if (w->steps[guess].start == address && w->steps[guess].isa == isa)
        return guess;
    step = etm_blocks_number(blocks, address, (enum etm_isa)isa);
    etm_pft_see_steps(flow, w);
    flow->went[w->at % ETM_PFT_WENT] = step;
    if (step == 0)
        flow->follow.status = ETM_ERR_MEMORY;
    return step;
}

/* An instruction should have been executed where there is no code; its cycles
 * are told where an address leads away. */
static inline void give_no_code(const struct etm_follow *f,
                                struct etm_pft_walk *w, uint64_t offset)
{
    add(f, w, ETM_ELEMENT_NO_IMAGE, offset)->u.no_image.address =
        w->steps[w->at].start;
    if (w->cycles != 0)
        add(f, w, ETM_ELEMENT_CYCLES, offset)->u.cycles.n = w->cycles;
    w->cycles = 0;
}

/* A timestamp packet; as timestamp() of pft_flow.c. */
static inline unsigned give_time(struct etm_pft_flow *flow,
                                 struct etm_pft_walk *w,
                                 const struct etm_pft_decoder *d,
                                 const uint8_t *p, uint64_t offset)
{
    struct etm_packet packet;
    uint64_t time;

    etm_pft_decoder_look(d, p, offset, &packet);
    if (flow->config.cycle_accurate)
        w->cycles += packet.cycle_count;
    if (etm_pft_flow_time(flow, &packet, &time))
        add(&flow->follow, w, ETM_ELEMENT_TIMESTAMP, offset)
            ->u.timestamp.value = time;
    return packet.size;
}

/* A stretch of trace begins: what its I-sync says but for the position. */
static inline void begin(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                         struct etm_pft_terms t, unsigned reason,
                         uint64_t cycles, uint64_t offset)
{
    const struct etm_follow *f = &flow->follow;

    add(f, w, ETM_ELEMENT_TRACE_ON, offset)->u.trace_on.reason =
        (uint8_t)etm_follow_began(reason);
    if (t.counts)
        add(f, w, ETM_ELEMENT_CYCLES, offset)->u.cycles.n =
            etm_pft_flow_gap_cycles(flow, reason, w->cycles + cycles);
    w->cycles = 0;
}

/*
 * An I-sync that changes nothing but the position: as parse_i_sync() of
 * pft_decode.c and i_sync() of pft_flow.c. Returns its size, or 0 if it is not
 * like that.
 */
static inline unsigned synchronize(struct etm_pft_flow *flow,
                                   struct etm_pft_walk *w,
                                   struct etm_pft_terms t,
                                   const struct etm_pft_decoder *d,
                                   const uint8_t *p, uint64_t offset)
{
    const struct etm_step *s = &w->steps[w->at];
    struct etm_broadcast *last = &flow->last;
    uint64_t x = etm_pft_load(p), cycles = 0;
    uint32_t address = (uint32_t)(x >> 8) & ~(uint32_t)1, next = w->at;
    unsigned info = x >> 40 & 0xff, reason = info >> 5 & 3, n = 6;
    unsigned thumb = last->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    unsigned isa = (x >> 8 & 1) != 0 ? thumb : ETM_ISA_ARM;

    if (((info & 0x08) != 0) != last->ns ||
        ((info & 0x04) != 0) != last->alt_isa ||
        (d->format.hyp && (info & 0x02) != 0) != last->hyp)
        return 0;
    if (t.counts && reason != ETM_SYNC_PERIODIC)
        n += etm_pft_add_count(etm_pft_load(p + n), &cycles);
    if (d->format.context_id_bytes != 0) {
        /* no more is read than a packet may have */
        unsigned unused = 8 * (4u - d->format.context_id_bytes);
        uint32_t id = (uint32_t)(etm_pft_load(p + n - 4) >> 32);

        id = id << unused >> unused;
        if (!flow->follow.now.context_id_known ||
            flow->follow.now.context_id != id)
            return 0;
        n += d->format.context_id_bytes;
    }
    if (s->start != address || s->isa != isa) {
        if (reason == ETM_SYNC_PERIODIC)
            return 0;
        next = find(flow, w, flow->went[w->at % ETM_PFT_WENT], address, isa);
        if (next == 0)
            return 0;
    }
    last->address = address;
    last->isa = (uint8_t)isa;
    if (d->format.context_id_bytes != 0) {
        last->context_id = flow->follow.now.context_id;
        last->context_id_valid = true;
    }
    if (t.returns)
        w->depth = 0; /* 4.13 */
    if (reason != ETM_SYNC_PERIODIC)
        begin(flow, w, t, reason, cycles, offset);
    w->at = next;
    w->moved = offset;
    return n;
}

/* What is neither an atom nor a branch: its size, or 0. */
static inline unsigned other(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                             struct etm_pft_terms t,
                             const struct etm_pft_decoder *d, const uint8_t *p,
                             uint64_t offset)
{
    unsigned kind = d->table.kind[*p];

    /* what stands before the next range is told by pft_flow.c */
    if (w->steps[w->at].isa != w->isa)
        return 0;
    if (kind == ETM_PFT_HEADER_I_SYNC)
        return synchronize(flow, w, t, d, p, offset);
    if (kind == ETM_PFT_HEADER_TIMESTAMP)
        return give_time(flow, w, d, p, offset);
    return 0;
}

/* The walk begins where the flow stands. */
static inline struct etm_pft_walk enter(const struct etm_pft_flow *flow,
                                        struct etm_pft_terms t)
{
    const struct etm_follow *f = &flow->follow;
    uint8_t kind = t.level == ETM_LEVEL_INSTRUCTIONS ? ETM_ELEMENT_INSN
                                                     : ETM_ELEMENT_RANGE;

    return (struct etm_pft_walk){
        .steps = f->blocks.steps.data,
        .links = f->blocks.links.data,
        .e = (struct etm_element *)f->out->data + f->out->n,
        .cycles = f->cycles,
        .at = f->block->step,
        .top = t.returns ? flow->stack.top : flow->guess_top,
        .depth = flow->stack.n,
        .isa = f->isa,
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
    } else {
        flow->guess_top = w.top;
    }
    /* the block itself is far away in memory: no look at it */
    f->block = etm_blocks_of_step(&f->blocks, w.at);
    f->address = s->start;
    f->cycles = w.cycles;
    f->out->n = (size_t)(w.e - (struct etm_element *)f->out->data);
    if (f->isa != s->isa) {
        f->isa = s->isa;
        etm_follow_context_changed(f, etm_pft_moved(&w, t));
    }
}

/* Atoms of a packet that the steps know no way for, from number `i` on. */
static void rest(struct etm_pft_flow *flow, unsigned atoms, unsigned i,
                 uint64_t offset)
{
    struct etm_packet packet = {.offset = offset,
                                .size = 1,
                                .kind = ETM_PACKET_ATOM,
                                .value = (atoms & 0xfffu) >> 2 * i,
                                .count = (uint8_t)((atoms >> 12) - i)};

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

    return flow->synced && f->known && !f->has_open && !f->context_changed &&
           !f->has_lost && f->blind_cycles == 0 && !flow->mismatch &&
           !flow->updated && f->status == ETM_OK &&
           (f->block != NULL || etm_follow_here(f) != NULL);
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

size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;
    loop_fn *loop =
        loops[f->level][f->cycle_accurate][flow->config.return_stack];
    size_t at = 0, used, most = out->n + ETM_FAST_BATCH;

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
            used = loop(flow, d, bytes + at, n - at, most);
            at += used;
            d->offset += used;
            if (n - at < ETM_PFT_WINDOW || out->n >= most ||
                f->status != ETM_OK)
                break;
        }
        used = take_packet(flow, d, bytes + at);
        if (used == 0 || f->status != ETM_OK)
            break;
        at += used;
    }
    etm_follow_commit(f);
    return at;
}
