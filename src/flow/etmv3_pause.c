/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets that the loop of bundles (etmv3_bundles.c) passes without stopping:
 * they change nothing, and where steps are only counted nobody needs their
 * elements.
 */
#include "flow/etmv3_address.h"
#include "flow/etmv3_walk.h"

const uint8_t *etm_etmv3_skip_silent(struct etm_etmv3_flow *flow,
                                     const struct etm_etmv3_decoder *d,
                                     const struct etm_etmv3_terms *t,
                                     const uint8_t *p)
{
    while (t->end - p >= (ptrdiff_t)ETM_ETMV3_PACKET_MAX) {
        const unsigned kind = d->headers[*p].kind;
        unsigned size = 0;

        if (kind == ETM_PACKET_EXCEPTION_EXIT)
            size = 1;
        else if (kind == ETM_PACKET_TIMESTAMP)
            size = etm_etmv3_skip_time(flow, d, p);
        else if (kind == ETM_PACKET_P_HEADER)
            size = etm_chart_no_insn(&flow->shares[*p]);
        if (size == 0)
            break;
        p += size;
    }
    return p;
}

/* Nothing but W atoms comes before an instruction: then nothing before it can
 * be taken back any more. */
static bool is_insn_next(const struct etm_etmv3_flow *flow,
                         const struct etm_etmv3_terms *t, const uint8_t *p)
{
    while (t->end - p >= (ptrdiff_t)ETM_ETMV3_PACKET_MAX &&
           etm_chart_no_insn(&flow->shares[*p]))
        p++;
    return t->end - p >= (ptrdiff_t)ETM_ETMV3_PACKET_MAX &&
           etm_chart_has(&flow->shares[*p]);
}

uint32_t etm_etmv3_pass_jump(struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_decoder *d,
                             const struct etm_etmv3_terms *t, const uint8_t **p,
                             uint32_t *address)
{
    const uint8_t *q;
    uint32_t to = *address, place;
    unsigned size;

    if (flow->follow.level != ETM_LEVEL_COVERAGE)
        return 0;
    q = etm_etmv3_skip_silent(flow, d, t, *p);
    if (q == *p || (*q & 1) == 0 || q >= t->end)
        return 0;
    size = etm_etmv3_parse_jump(flow, t->forms, q, &to);
    if (size == 0)
        return 0;
    q += size;
    place = is_insn_next(flow, t, q) ? etm_etmv3_place_at(flow, to) : 0;
    if (place == 0 || etm_blocks_full(&flow->follow.blocks))
        return 0;
    *p = q;
    *address = to;
    return place;
}

/* What comes in a pause. */
struct seen {
    const uint8_t *p; /* the next byte */
    bool time;        /* a timestamp, which ends a range */
    bool sync;        /* an I-sync at `base` */
    struct etm_broadcast base;
};

/* Skip timestamps, A-syncs, W atoms and a periodic I-sync, up to a P-header
 * with an instruction. False if something else comes. */
static bool skip(struct etm_etmv3_flow *flow, const struct etm_etmv3_decoder *d,
                 const struct etm_etmv3_terms *t, struct seen *seen)
{
    while (t->end - seen->p >= (ptrdiff_t)ETM_ETMV3_PACKET_MAX) {
        const struct etm_etmv3_share *share = &flow->shares[*seen->p];
        const unsigned kind = d->headers[*seen->p].kind;
        unsigned size = 0;

        if (etm_chart_has(share) && !etm_chart_no_insn(share))
            return true;
        if (kind == ETM_PACKET_P_HEADER) {
            size = etm_chart_no_insn(share);
        } else if (kind == ETM_PACKET_TIMESTAMP) {
            size = etm_etmv3_skip_time(flow, d, seen->p);
            seen->time = true;
        } else if (kind == ETM_PACKET_A_SYNC) {
            size = etm_etmv3_a_sync(seen->p);
        } else if (kind == ETM_PACKET_I_SYNC && !seen->sync) {
            size = etm_etmv3_same_sync(flow, d, seen->p, &seen->base);
            seen->sync = true;
        }
        if (size == 0)
            return false;
        seen->p += size;
    }
    return false;
}

/* Give the range of the first `n` instructions of a step. */
static void give_part(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                      uint8_t exec, uint32_t step, uint32_t n)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_block *unused;
    uint32_t index = n - 1;

    f->last_block = etm_etmv3_step_block(&f->blocks, step, &index, &unused);
    f->last_index = index;
    f->open_start = etm_blocks_of_step(&f->blocks, step)->address;
    f->open_n = n;
    f->open_exec = exec;
    etm_follow_give(f);
    w->e = (struct etm_element *)f->out->data + f->out->n;
}

bool etm_etmv3_pass_pause(struct etm_etmv3_flow *flow,
                          const struct etm_etmv3_decoder *d,
                          struct etm_etmv3_walk *w,
                          const struct etm_etmv3_terms *t, const uint8_t *from,
                          const uint8_t *p, struct etm_etmv3_pause *pause,
                          uint32_t *base)
{
    const struct etm_blocks *blocks = &flow->follow.blocks;
    const uint32_t step = etm_header_step(pause->place);
    const uint32_t index = etm_header_index(pause->place);
    const struct etm_block *block, *unused;
    struct etm_etmv3_target target;
    struct seen seen = {.p = p};
    uint32_t i = index, address;
    uint64_t cycles = 0;
    bool cuts;

    pause->exec = ETM_UNKNOWN;
    if (flow->follow.level != ETM_LEVEL_COVERAGE || step == 0 ||
        etm_etmv3_is_dead_end(blocks, step) || !skip(flow, d, t, &seen))
        return false;
    p = etm_etmv3_back(flow->quick, from, p, &cycles);
    if (p == from)
        return false;
    block = etm_etmv3_step_block(blocks, step, &i, &unused);
    address = etm_block_address(block, i);
    etm_etmv3_target_set_isa(&target, block->isa);
    if (seen.sync && (seen.base.address != address ||
                      seen.base.isa != block->isa || t->state == 0))
        return false;
    cuts = index != 0 && seen.time;
    if (cuts)
        pause->place = etm_etmv3_place_at(flow, address >> target.shift);
    /* if blocks must be forgotten first, the instruction would not be taken */
    if (pause->place == 0 || etm_blocks_full(blocks))
        return false;
    if (index != 0)
        pause->exec = etm_quick_exec(flow->quick[p[-1]]);
    etm_etmv3_settle(flow, w);
    if (cuts)
        give_part(flow, w, pause->exec, step, index);
    if (seen.sync)
        *base = address >> target.shift;
    pause->p = seen.p;
    return true;
}

void etm_etmv3_leave_pause(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_walk *w, struct etm_etmv3_terms *t,
                           const struct etm_etmv3_pause *pause)
{
    struct etm_follow *f = &flow->follow;

    w->at = etm_header_step(pause->place);
    w->index = etm_header_index(pause->place);
    w->last = w->failed = 0;
    w->begun = w->rewound = w->index != 0;
    w->whole = true;
    w->counted = false;
    w->cycles = 0;
    w->p = pause->p;
    t->start += (uint64_t)(pause->p - t->bytes);
    t->bytes = pause->p;
    f->open_exec = pause->exec;
    f->block = etm_blocks_of_step(&f->blocks, w->at);
    f->cycles = 0;
    flow->at.last = 0;
}
