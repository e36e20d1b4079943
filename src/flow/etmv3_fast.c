/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way from bytes of ETMv3 to ranges: while nothing but P-headers and
 * branches without an exception come, along steps. Everything else stops it;
 * etmv3_decode.c and etmv3_flow.c, which know all the rules, take the next
 * packets then.
 */
#include "flow/etmv3_fast.h"

#include "flow/etmv3_sync.h"
#include "flow/etmv3_walk.h"

#include <limits.h>

/* Bytes that a P-header and a branch packet behind it may take. */
#define WINDOW 8u

/* Bytes for each range where most headers end inside of a step. */
#define MANY 4u

/* A branch packet was taken. */
static inline void note_branch(struct etm_etmv3_walk *w, const uint8_t *p,
                               unsigned size)
{
    w->before = w->branch;
    w->branch = (struct etm_etmv3_taken){p, p + size};
}

/* On over them; NULL when there is no room for a packet behind them. */
static inline const uint8_t *forth(const uint32_t *quick, const uint8_t *p,
                                   const uint8_t *end, uint64_t *cycles)
{
    for (; etm_quick_waits(quick[*p]); p++) {
        if (p >= end)
            return NULL;
        *cycles += quick[*p] >> ETM_QUICK_BEFORE;
    }
    return p;
}

/*
 * `left` atoms that reach the end of their step, `each` W before each of them,
 * the last one N if `failed`: to the step in which the last of them is. If it
 * is the last of its packet (`whole`) a branch packet may follow. Returns
 * UINT_MAX, or how many atoms are left where the way is lost.
 */
static inline unsigned cross(struct etm_etmv3_flow *flow,
                             struct etm_etmv3_walk *w,
                             const struct etm_etmv3_terms *t, bool whole,
                             unsigned left, unsigned failed, unsigned each)
{
    do {
        const struct etm_step *s = &w->steps[w->at];
        uint64_t links = w->links[w->at];
        unsigned here = etm_link_facts(links) - w->index;
        unsigned fails = here == left ? failed : 0;
        uint32_t next = etm_link_step(links, fails);

        w->cycles += (uint64_t)each * here;
        etm_fast_give(w->e++, w->head, s, fails ^ 1u,
                      t->start + (uint64_t)(w->open - t->bytes),
                      w->cycles | t->unknown);
        left -= here;
        w->cycles = 0;
        w->index = 0;
        w->open = w->p;
        w->last = w->at;
        if (next == 0) {
            const uint8_t *p = NULL;
            uint64_t waits = 0;
            unsigned size = 0;

            if (left == 0 && whole)
                p = forth(flow->quick, w->p + 1, t->end, &waits);
            next = etm_etmv3_resolve(flow, t->alternative, w->at, fails == 0, p,
                                     &size);
            w->steps = flow->follow.blocks.steps.data;
            w->links = flow->follow.blocks.links.data;
            if (next == 0)
                return left;
            if (size != 0) {
                note_branch(w, p, size);
                w->p = w->branch.to - 1;
                w->cycles = waits;
            }
        }
        w->at = next;
    } while (left >= etm_link_facts(w->links[w->at]));
    w->index = left;
    w->cycles += (uint64_t)each * left;
    return UINT_MAX;
}

/*
 * P-headers that end inside of their step. Index and cycles are counted in one
 * number, so that a header is one addition.
 */
static inline void count_inside(const struct etm_etmv3_flow *flow,
                                struct etm_etmv3_walk *w, const uint8_t *end)
{
    const uint64_t *counts = flow->counts;
    uint64_t n = etm_link_facts(w->links[w->at]), sum, next;
    const uint8_t *p = w->p, *open = w->open;

    for (sum = w->index; p < end; p++) {
        next = sum + counts[*p];
        open = (uint32_t)sum == 0 ? p : open;
        if ((uint32_t)next >= n)
            break;
        sum = next;
    }
    w->index = (uint32_t)sum;
    w->p = p;
    w->open = open;
    w->cycles += sum >> 32;
}

/* `a` if `which` is 1, `b` if it is 0, without a jump. */
static inline uint32_t choose(uint32_t which, uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & (0 - which));
}

/*
 * Headers and steps of about the same length: whether the one or the other
 * ends first cannot be foretold, so nothing here jumps on it. Each round ends
 * one of them, or both. Stops where something else is to be done; returns what
 * is left of the header at w->p then, of which `left` was left before.
 */
static inline uint32_t weave(const struct etm_etmv3_flow *flow,
                             struct etm_etmv3_walk *w,
                             const struct etm_etmv3_terms *t,
                             const struct etm_element *full, uint32_t left,
                             bool counts)
{
    const uint32_t *quick = flow->quick;
    const struct etm_step *steps = w->steps;
    const uint64_t *links = w->links;
    uint32_t at = w->at, index = w->index, last = w->last;
    const uint8_t *p = w->p, *open = w->open;
    struct etm_element *e = w->e;
    uint64_t cycles = w->cycles;

    while (etm_quick_count(left) != ETM_QUICK_NO_RUN && p < t->end &&
           e < full) {
        const struct etm_step *s = &steps[at];
        uint64_t way = links[at];
        uint32_t q = quick[p[1]], n = etm_quick_count(left);
        uint32_t room = etm_link_facts(way) - index;
        uint32_t ends = n >= room, done = n <= room;
        uint32_t here = n < room ? n : room;
        uint32_t fails = done & etm_quick_failed(left);
        uint32_t next = etm_link_step(way, fails);

        if (ends & (next == 0))
            break;
        open = index == 0 ? p : open;
        if (counts)
            cycles += here & (0 - etm_quick_each(left));
        etm_fast_give(e, w->head, s, fails ^ 1u,
                      t->start + (uint64_t)(open - t->bytes),
                      counts ? cycles : ETM_CYCLES_UNKNOWN);
        if (counts) {
            cycles &= (uint64_t)ends - 1;
            cycles += (q >> ETM_QUICK_BEFORE) & (0 - done);
        }
        e += ends;
        last = choose(ends, at, last);
        at = choose(ends, next, at);
        index = (index + here) & (ends - 1);
        p += done;
        left = choose(done, q, left - here);
    }
    w->at = at;
    w->index = index;
    w->last = last;
    w->p = p;
    w->open = open;
    w->e = e;
    w->cycles = cycles;
    return left;
}

/* A branch packet, where that may stand; false where it is something else. */
static inline bool other(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                         const struct etm_etmv3_terms *t)
{
    struct etm_etmv3_walk copy = *w; /* or all of it would be in memory */
    unsigned size = 0;

    if (flow->quick[*w->p] & ETM_QUICK_BRANCH)
        size = etm_etmv3_broadcast(flow, &copy, t);
    if (size == 0)
        return false;
    note_branch(w, w->p, size);
    w->p += size;
    return true;
}

/*
 * The loop. Returns UINT_MAX, or, where it lost its way at the end of a step,
 * how many atoms of the last header are left.
 */
static unsigned run(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *walk,
                    const struct etm_etmv3_terms *terms)
{
    const uint32_t *quick = flow->quick;
    const struct etm_element *full = walk->e + ETM_FAST_BATCH - 32;
    const struct etm_etmv3_terms t = *terms;
    struct etm_etmv3_walk w = *walk;
    unsigned lost = UINT_MAX;

    while (lost == UINT_MAX && w.e < full && w.p < t.end) {
        unsigned failed, second, n;
        uint32_t left;

        if (!flow->even)
            count_inside(flow, &w, t.end);
        if (w.p >= t.end)
            break;
        left = quick[*w.p];
        w.cycles += left >> ETM_QUICK_BEFORE;
        if (flow->even && flow->config.cycle_accurate)
            left = weave(flow, &w, &t, full, left, true);
        else if (flow->even)
            left = weave(flow, &w, &t, full, left, false);
        n = etm_quick_count(left);
        if (n == ETM_QUICK_NO_RUN && !(left & ETM_QUICK_TWO)) {
            if (!other(flow, &w, &t))
                break;
            continue;
        }
        w.open = w.index == 0 ? w.p : w.open;
        failed = etm_quick_failed(left);
        second = n == ETM_QUICK_NO_RUN;
        if (second)
            n = failed = 1;
        for (;;) {
            if (w.index + n < etm_link_facts(w.links[w.at])) {
                w.index += n;
                w.cycles += (uint64_t)n * etm_quick_each(left);
            } else {
                lost = cross(flow, &w, &t, !second, n, failed,
                             etm_quick_each(left));
            }
            if (!second)
                break;
            if (lost != UINT_MAX) {
                lost = 1;
                break;
            }
            second = 0;
            failed = etm_quick_failed(left);
        }
        w.p++;
    }
    *walk = w;
    return lost;
}

/* Atoms of the packet before `p` that no step knew the way for. */
static void run_rest(struct etm_etmv3_flow *flow, const uint8_t *p,
                     uint64_t offset, unsigned n)
{
    uint32_t q = flow->quick[*p];
    struct etm_packet packet = {
        .offset = offset, .size = 1, .kind = ETM_PACKET_P_HEADER, .header = *p};

    etm_etmv3_flow_run(flow, n, etm_quick_each(q),
                       (enum etm_tri)etm_quick_exec(q), &packet);
}

/* Whether nothing stands in the way, and where it begins: its block. */
static bool may_go(struct etm_etmv3_flow *flow,
                   const struct etm_etmv3_decoder *d)
{
    struct etm_follow *f = &flow->follow;

    if (!flow->fast || d->state != ETM_ETMV3_PACKETS || d->carried != 0 ||
        !flow->synced || !f->known || f->context_changed || flow->mismatch ||
        flow->awaiting || f->has_lost || f->blind_cycles != 0 ||
        (flow->last & ETM_LAST_NONE_YET) != 0 || f->status != ETM_OK ||
        f->isa == ETM_ISA_JAZELLE || f->has_open != (flow->index != 0) ||
        f->blocks.n > f->blocks.limit)
        return false;
    if (f->block == NULL)
        f->block = etm_blocks_get(&f->blocks, f->address, (enum etm_isa)f->isa);
    return f->block != NULL && f->block->end_kind != ETM_BLOCK_NO_CODE &&
           etm_etmv3_fill(&f->blocks, f->block);
}

size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;
    struct etm_etmv3_walk w = {.p = bytes,
                               .open = bytes,
                               .index = flow->index,
                               .cycles = f->cycles,
                               .head = {ETM_ELEMENT_RANGE, f->source}};
    struct etm_etmv3_terms t = {.bytes = bytes,
                                .end = bytes + n - WINDOW,
                                .start = d->offset,
                                .unknown =
                                    f->cycle_accurate ? 0 : ETM_CYCLES_UNKNOWN,
                                .alternative = d->alternative};
    size_t used, ranges;
    unsigned lost;

    if (n < 2 * WINDOW || !may_go(flow, d))
        return 0;
    f->out = out;
    /* more than is needed, so that it lasts */
    if (out->capacity - out->n < ETM_FAST_BATCH &&
        etm_vec_reserve(out, 2 * ETM_FAST_BATCH) != ETM_OK)
        return 0;
    if (f->has_open)
        w.cycles += f->open_cycles;
    w.steps = f->blocks.steps.data;
    w.links = f->blocks.links.data;
    w.at = f->block->step;
    w.e = (struct etm_element *)out->data + out->n;
    lost = run(flow, &w, &t);
    used = (size_t)(w.p - bytes);
    ranges = (size_t)(w.e - (struct etm_element *)out->data) - out->n;
    if (ranges > 16)
        flow->even = used < MANY * ranges;
    etm_etmv3_arrive(flow, &w, &t, lost != UINT_MAX);
    d->offset += used;
    if (lost != UINT_MAX && lost != 0)
        run_rest(flow, w.p - 1, d->offset - 1, lost);
    return used;
}
