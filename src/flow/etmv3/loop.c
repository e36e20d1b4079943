/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From bytes of ETMv3 without data packets to elements. The atoms of a stretch
 * of trace, and the branch packets between them, are found first (batch.h);
 * then loop.inc follows the program over them, as long as blocks are linked and
 * stay in one instruction set. Every other packet is taken by the decoder and
 * the flow, which know all the rules. Between packets the position is in the
 * flow, whoever took them.
 */

#include "flow/etmv3/batch.h"
#include "flow/etmv3/flow.h"
#include "flow/walk/fast.h"

/* Most elements of a batch. */
#define ROOM (ETM_BATCH_ATOMS + ETM_ETMV3_ATOMS)

/* A walk over a batch. */
struct etm_batch_loop {
    const struct etm_batch *batch;
    uint64_t offset;                   /* of its first byte */
    const struct etm_batch_stop *stop; /* the next one */
    uint32_t at;                       /* atoms that were taken */
    uint64_t cycles; /* of the batch, that are in the flow already */
};

/* Atoms of one block: `from` to `to` (exclusive), the first one is instruction
 * `index` of the block, and `counted` cycles of the batch came before it. */
struct etm_batch_run {
    uint32_t index, from, to;
    uint64_t counted;
};

/* Where a walk has come to. */
struct etm_batch_end {
    const struct etm_batch_stop *stop; /* the next one */
    uint32_t to;                       /* atoms that were taken */
    uint32_t index;                    /* in the block at the position */
    bool leave;                  /* the block has ended and was not left */
    uint32_t from;               /* atoms before the range at the position */
    struct etm_block *closed;    /* with which a range ended last; NULL: none */
    uint32_t before;             /* atoms before that range */
    uint32_t failed;             /* 1 or 0: its last one failed */
    struct etm_fast_range range; /* the first range, and the cycles of the */
    uint64_t counted;            /* batch before it */
};

/* The block at the target of an indirect branch, which was not found before it
 * was needed; NULL: there is no code, the batch ends there, or memory has run
 * out. */
static struct etm_block *target_of(struct etm_walk *w,
                                   const struct etm_batch_stop *stop)
{
    struct etm_block *block = stop->to;

    if (block == NULL && stop->size != 0)
        block = etm_blocks_get(&w->blocks, stop->address, (enum etm_isa)w->isa);
    return block != NULL && block->n != 0 ? block : NULL;
}

/* The target of an indirect branch is taken, as etm_etmv3_flow_branch() does.
 */
static void enter_target(struct etm_etmv3_flow *flow)
{
    if (etm_etmv3_is_final(flow))
        etm_walk_commit(&flow->walk);
    flow->walk.last &= ~(uint32_t)(ETM_LAST_NONE_YET | ETM_LAST_HALTED);
    flow->walk.index = 0;
}

/* The offset of atom i. */
static uint64_t offset_of(const struct etm_etmv3_flow *flow,
                          const struct etm_batch_loop *loop, uint32_t i)
{
    return loop->offset +
           etm_batch_place(etm_batch_atom(loop->batch, i, flow->timed),
                           flow->timed);
}

/* Cycles of the batch before atom i, which is not 0: up to the one before. */
static uint64_t cycles_to(const struct etm_etmv3_flow *flow,
                          const struct etm_batch_loop *loop, uint32_t i)
{
    return etm_batch_cycles(loop->batch,
                            etm_batch_atom(loop->batch, i - 1, flow->timed),
                            flow->timed);
}

/* The range that is open, or will be at instruction flow->walk.index of
 * `block`.
 */
static struct etm_fast_range open_range(const struct etm_etmv3_flow *flow,
                                        const struct etm_batch_loop *loop,
                                        const struct etm_block *block)
{
    const struct etm_walk *w = &flow->walk;
    const uint32_t index = w->index;

    if (w->has_open)
        return (struct etm_fast_range){.offset = w->open_offset,
                                       .start = w->open_start,
                                       .n = w->open_n - index};
    return (struct etm_fast_range){.offset = offset_of(flow, loop, loop->at),
                                   .start = etm_block_address(block, index),
                                   .n = 0u - index};
}

/* An instruction was walked: what an exception would have to take back. `just`:
 * a range ended with it. */
static void remember(struct etm_etmv3_flow *flow,
                     const struct etm_batch_loop *loop,
                     const struct etm_batch_end *end, bool just)
{
    struct etm_walk *w = &flow->walk;
    const bool two = end->to - loop->at > 1;
    const bool passed = !etm_batch_failed(
        etm_batch_atom(loop->batch, end->to - 1, flow->timed));
    const struct etm_block *block = just ? end->closed : w->block;
    const uint32_t index = (just ? block->n : end->index) - 1;
    const uint64_t before =
        two ? cycles_to(flow, loop, end->to - 1) : loop->cycles - w->cycles;

    etm_position_remember(w, two ? ETM_LAST_VALID : etm_position_valid(w),
                          block, index,
                          cycles_to(flow, loop, end->to) - before);
    if (just && passed)
        w->last |= block->end_kind == ETM_BLOCK_INDIRECT ? ETM_LAST_INDIRECT
                                                         : ETM_LAST_DIRECT;
    if (w->level == ETM_LEVEL_INSTRUCTIONS)
        return;
    if (w->has_open && !two && index == 0) { /* of a full block before */
        w->before_block = w->end_block;
        w->before_index = w->end_index;
    }
    w->before_exec = w->open_exec;
    if (two)
        w->before_exec =
            (uint8_t)(ETM_TRUE - etm_batch_failed(etm_batch_atom(
                                     loop->batch, end->to - 2, flow->timed)));
    w->open_exec = (uint8_t)(passed ? ETM_TRUE : ETM_FALSE);
    w->end_block = block;
    w->end_index = index;
}

/* The range that is open, or was closed last: that is `just` so. */
static void store_range(struct etm_etmv3_flow *flow,
                        const struct etm_batch_loop *loop,
                        const struct etm_batch_end *end, bool just)
{
    struct etm_walk *w = &flow->walk;
    const uint32_t from = just ? end->before : end->from;
    const struct etm_block *block = just ? end->closed : w->block;
    struct etm_fast_range range = end->range;
    uint64_t counted = end->counted;

    if (from != loop->at) {
        range = (struct etm_fast_range){.offset = offset_of(flow, loop, from),
                                        .start = block->address};
        counted = cycles_to(flow, loop, from);
    }
    w->has_open = !just;
    w->open_start = range.start;
    w->open_offset = range.offset;
    w->open_n = range.n + (just ? block->n : end->index);
    w->open_cycles = flow->timed ? cycles_to(flow, loop, end->to) - counted : 0;
}

/* Ranges were counted; the last one, if it may be taken back, is not yet. */
static void store_counts(struct etm_etmv3_flow *flow,
                         const struct etm_batch_loop *loop,
                         const struct etm_batch_end *end, bool just)
{
    struct etm_walk *w = &flow->walk;

    etm_walk_count_pending(w);
    if (flow->timed && end->closed != NULL)
        w->counted_cycles += cycles_to(flow, loop, end->from) - end->counted;
    if (!just)
        return;
    end->closed->hits[end->failed]--;
    if (flow->timed)
        w->counted_cycles -= w->open_cycles;
    etm_walk_count(w);
}

/* Set the flow to where a walk has come; walk.block and the output are set.
 */
static void store(struct etm_etmv3_flow *flow, struct etm_batch_loop *loop,
                  const struct etm_batch_end *end)
{
    struct etm_walk *w = &flow->walk;
    const bool insns = w->level == ETM_LEVEL_INSTRUCTIONS;
    const bool just = end->closed != NULL && end->from == end->to;

    if (end->to != loop->at) {
        remember(flow, loop, end, just);
        if (!insns)
            store_range(flow, loop, end, just);
        w->unmade = 0;
        w->held = w->out->n - (insns || (just && !w->counts));
        if (w->counts)
            store_counts(flow, loop, end, just);
        w->cycles = 0;
        loop->cycles = cycles_to(flow, loop, end->to);
    }
    if (end->stop != loop->stop) {
        const struct etm_batch_stop *last = end->stop - 1;

        flow->base.address = last->address;
        w->known = true;
        w->awaiting = w->half = false;
        if (last->at == end->to)
            w->last |= ETM_LAST_TARGETED;
    }
    w->index = end->index;
    loop->stop = end->stop;
    loop->at = end->to;
}

#define ETM_LOOP(name) name##_ranges
#define ETM_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_LOOP_CYCLES false
#include "flow/etmv3/loop.inc"

#define ETM_LOOP(name) name##_ranges_cycles
#define ETM_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_LOOP_CYCLES true
#include "flow/etmv3/loop.inc"

#define ETM_LOOP(name) name##_insns
#define ETM_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_LOOP_CYCLES false
#include "flow/etmv3/loop.inc"

#define ETM_LOOP(name) name##_insns_cycles
#define ETM_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_LOOP_CYCLES true
#include "flow/etmv3/loop.inc"

#define ETM_LOOP(name) name##_counts
#define ETM_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_LOOP_CYCLES false
#include "flow/etmv3/loop.inc"

#define ETM_LOOP(name) name##_counts_cycles
#define ETM_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_LOOP_CYCLES true
#include "flow/etmv3/loop.inc"

typedef bool walk_fn(struct etm_etmv3_flow *flow, struct etm_batch_loop *loop);

/* By level, and whether cycles are counted. */
static walk_fn *const walks[4][2] = {
    [ETM_LEVEL_RANGES] = {walk_ranges, walk_ranges_cycles},
    [ETM_LEVEL_INSTRUCTIONS] = {walk_insns, walk_insns_cycles},
    [ETM_LEVEL_COUNTS] = {walk_counts, walk_counts_cycles},
    [ETM_LEVEL_COVERAGE] = {walk_counts, walk_counts},
};

/* Whether the loop can take what comes next. */
static bool is_ready(struct etm_etmv3_flow *flow)
{
    struct etm_walk *w = &flow->walk;

    if (!etm_etmv3_is_settled(flow))
        return false;
    if (!w->known)
        return w->awaiting;
    return etm_walk_look(w) != NULL && w->block->n != 0;
}

/* Whether a batch may begin with a packet with this header. */
static bool may_begin(const struct etm_etmv3_flow *flow, uint8_t header)
{
    const struct etm_etmv3_share *share = &flow->shares[header];

    return share->n != ETM_ETMV3_NOT_ATOMS ||
           (share->branch && flow->walk.awaiting);
}

/* The atoms after atom loop->at - 1 in the same header, with all the rules.
 * Returns the byte after the header. */
static const uint8_t *take_rest(struct etm_etmv3_flow *flow,
                                const struct etm_etmv3_decoder *d,
                                const struct etm_batch_loop *loop,
                                const uint8_t *bytes)
{
    const uint32_t end = loop->batch->n;
    const uint32_t place = etm_batch_place(
        etm_batch_atom(loop->batch, loop->at - 1, flow->timed), flow->timed);
    unsigned n = 0;

    while (
        loop->at + n != end &&
        etm_batch_place(etm_batch_atom(loop->batch, loop->at + n, flow->timed),
                        flow->timed) == place)
        n++;
    if (n != 0)
        etm_etmv3_flow_rest(flow, bytes[place], d->headers[bytes[place]], n,
                            loop->offset + place);
    return bytes + place + 1;
}

/* Take a batch of bytes. Returns the byte after what was taken, which may be
 * nothing; *ready becomes is_ready(). */
static const uint8_t *take_batch(struct etm_etmv3_flow *flow,
                                 const struct etm_etmv3_decoder *d,
                                 struct etm_batch_source source,
                                 struct etm_batch *batch, bool *ready)
{
    struct etm_walk *w = &flow->walk;
    walk_fn *walk = walks[w->level][flow->timed];
    struct etm_batch_loop loop = {
        .batch = batch, .offset = d->offset, .stop = batch->stops};
    const uint8_t *after;

    etm_batch_make(flow, source, batch, flow->timed);
    while (*ready && walk(flow, &loop)) {
        uint32_t atom = etm_batch_atom(batch, loop.at - 1, flow->timed);

        etm_position_leave(w, w->block, !etm_batch_failed(atom),
                           loop.offset + etm_batch_place(atom, flow->timed));
        *ready = is_ready(flow);
    }
    if (*ready && loop.at == loop.stop->at) {
        w->cycles +=
            loop.stop->cycles - loop.cycles; /* W atoms after the last */
        return source.bytes + loop.stop->place;
    }
    if (loop.at == 0)
        return source.bytes;
    after = take_rest(flow, d, &loop, source.bytes);
    *ready = is_ready(flow);
    return after;
}

/* Make room for what a batch may give; more than that, to do it less often. */
static bool has_room(struct etm_walk *w)
{
    struct etm_vec *out = w->out;

    if (out->capacity - out->n < ROOM)
        w->status = etm_vec_reserve(out, ETM_FAST_BATCH + ROOM);
    return w->status == ETM_OK;
}

static size_t take_all(struct etm_etmv3_flow *flow, struct etm_etmv3_decoder *d,
                       const uint8_t *bytes, size_t n)
{
    struct etm_walk *w = &flow->walk;
    const uint8_t *p = bytes, *end = bytes + n;
    const uint64_t start = d->offset;
    size_t enough = w->out->n + ETM_FAST_BATCH;
    bool ready = is_ready(flow);
    struct etm_batch batch;

    while ((size_t)(end - p) > ETM_ETMV3_PACKET_MAX && w->out->n < enough &&
           w->status == ETM_OK) {
        const uint8_t *from = p;
        size_t size;

        if (flow->shares[*p].n == 0 && flow->synced && !w->mismatch) {
            /* often all that comes between two packets of other kinds */
            w->cycles += flow->shares[*p++].cycles;
            continue;
        }
        d->offset = start + (uint64_t)(p - bytes);
        if (ready && may_begin(flow, *p) && has_room(w))
            p = take_batch(flow, d,
                           (struct etm_batch_source){
                               .forms = etm_address_forms[d->alternative],
                               .bytes = p,
                               .n = (size_t)(end - p) - ETM_ETMV3_PACKET_MAX},
                           &batch, &ready);
        d->offset = start + (uint64_t)(p - bytes);
        if (p == from && w->status == ETM_OK) {
            struct etm_packet packet;

            size = etm_etmv3_decoder_next(d, p, (size_t)(end - p), &packet);
            if (size == 0 || etm_etmv3_flow_packet(flow, &packet) != ETM_OK)
                break;
            p += size;
            ready = is_ready(flow);
        }
    }
    d->offset = start + (uint64_t)(p - bytes);
    return (size_t)(p - bytes);
}

size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    size_t used;

    if (d->state != ETM_ETMV3_PACKETS || d->carried != 0)
        return 0;
    flow->walk.out = out;
    used = flow->data_traced ? etm_etmv3_flow_fast_data(flow, d, bytes, n, out)
                             : take_all(flow, d, bytes, n);
    etm_etmv3_decoder_pass(d, bytes, used);
    return used;
}
