/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path from bytes to elements: as long as filled steps know the way,
 * or the position is unknown, a loop takes atoms, branches without an
 * exception, I-syncs that change only the position, and packets that do not
 * affect the program. Anything else stops it: pft_decode.c and flow.c,
 * which know all the rules, take that packet, and the loop continues after it.
 */
#include "flow/pft/loop.h"
#include "base/isa.h"

#define ETM_PFT_LOOP ranges
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft/loop.inc"

#define ETM_PFT_LOOP ranges_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft/loop.inc"

#define ETM_PFT_LOOP ranges_cycles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS false
#include "flow/pft/loop.inc"

#define ETM_PFT_LOOP ranges_cycles_returns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_RANGES
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS true
#include "flow/pft/loop.inc"

/* With or without a return stack: it is asked for at each step. */
#define ETM_PFT_LOOP insns
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

#define ETM_PFT_LOOP insns_cycles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

#define ETM_PFT_LOOP counts
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS false
#define ETM_PFT_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

#define ETM_PFT_LOOP counts_cycles
#define ETM_PFT_LOOP_LEVEL ETM_LEVEL_COUNTS
#define ETM_PFT_LOOP_COUNTS true
#define ETM_PFT_LOOP_RETURNS flow->config.return_stack
#include "flow/pft/loop.inc"

/* By level, cycle counts, return stack. */
static etm_pft_loop_fn *const loops[4][2][2] = {
    [ETM_LEVEL_RANGES] = {{ranges, ranges_returns},
                          {ranges_cycles, ranges_cycles_returns}},
    [ETM_LEVEL_INSTRUCTIONS] = {{insns, insns}, {insns_cycles, insns_cycles}},
    [ETM_LEVEL_COUNTS] = {{counts, counts}, {counts_cycles, counts_cycles}},
    [ETM_LEVEL_COVERAGE] = {{counts, counts}, {counts_cycles, counts_cycles}},
};

static etm_pft_loop_fn *loop_of(const struct etm_pft_flow *flow)
{
    const struct etm_walk *f = &flow->walk;

    return loops[f->level][f->cycle_accurate][flow->config.return_stack];
}

/* Whether a loop may take what comes next. */
static bool may_walk(struct etm_pft_flow *flow)
{
    struct etm_walk *f = &flow->walk;

    if (!flow->synced || f->has_open || f->has_lost || flow->mismatch ||
        flow->astray || flow->updated || flow->doubt ||
        flow->last.isa == ETM_ISA_JAZELLE)
        return false;
    /* etm_pft_key() has no such bits: a damaged I-sync set them */
    if ((flow->last.address & ((1u << etm_isa_shift(flow->last.isa)) - 1)) != 0)
        return false;
    /* an entry to debug state has a state in which nothing is executed */
    if (f->now.secure != (uint8_t)etm_pft_flow_secure(flow) ||
        f->now.hyp != (uint8_t)etm_pft_flow_hyp(flow))
        return false;
    if (f->context_changed || f->block == NULL) {
        etm_walk_look(f);
        if (f->blocks.space != flow->space)
            etm_pft_flow_see(flow);
    }
    return f->status == ETM_OK;
}

/* Take one packet with all the rules. Returns its size; 0: it cannot be taken
 * here. */
static size_t take_packet(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                          const uint8_t *bytes)
{
    struct etm_packet packet;
    unsigned size = etm_pft_decoder_next(d, bytes, &packet);

    if (size != 0)
        etm_pft_flow_push(flow, &packet, 1, flow->walk.out);
    return size;
}

/* Bytes that a loop takes at once: with cycle counts a byte gives at most two
 * elements, a context and a range, and the loop does not check the room for
 * them. */
#define CHUNK (ETM_FAST_ROOM / 2)

size_t etm_pft_flow_fast(struct etm_pft_flow *flow, struct etm_pft_decoder *d,
                         const uint8_t *bytes, size_t n, struct etm_vec *out)
{
    struct etm_walk *f = &flow->walk;
    etm_pft_loop_fn *loop = loop_of(flow);
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
                continue; /* it could do no more */
        }
        used = take_packet(flow, d, bytes + at);
        if (used == 0 || f->status != ETM_OK)
            break;
        at += used;
    }
    etm_pft_decoder_pass(d, bytes, at);
    etm_walk_commit(f);
    return at;
}
