/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path: bytes of ETMv3 -> elements (terms: etmv3_walk.h). While
 * nothing but P-headers, restarts and branches without an exception come, it
 * goes from chart to chart (etmv3_chart.c) along steps: the chart at the end of
 * a step says how that ended. Links stay in one instruction set; where a branch
 * leads to another, the loop stops and the context is given. Common packets
 * between charts are taken in etmv3_skim.c. All others go one by one through
 * etmv3_decode.c and etmv3_flow.c, which know all the rules. At a restart
 * nothing that was walked can be taken back, and the walk begins again after
 * it.
 */
#include "flow/etmv3_fast.h"

#include "flow/etmv3_address.h"
#include "flow/etmv3_data.h"
#include "flow/etmv3_march.h"
#include "flow/etmv3_sync.h"
#include "flow/etmv3_walk.h"

#include <limits.h>

static_assert(ETM_ETMV3_WINDOW >= 1 + 5, "a P-header and a branch packet");

/* Maximum number of elements of a chart: one for each instruction and a context
 * before it, two for each restart, and the last range if that was counted. */
#define CHART_ROOM                                                             \
    (2 * (ETM_CHART_INSNS + ETM_ETMV3_ATOMS + ETM_CHART_MARKS) + 2)

#define ODD 16u /* bytes of a chart after which bundles may go on */

/* Elements made before the caller gets them: of instructions no more than fit
 * in the first cache together with those of one more chart. */
static size_t batch(const struct etm_follow *f)
{
    return f->level == ETM_LEVEL_INSTRUCTIONS ? ETM_FAST_BATCH / 4
                                              : ETM_FAST_BATCH;
}

#define ETM_ETMV3_MARCH ranges
#define ETM_ETMV3_MARCH_LEVEL ETM_LEVEL_RANGES
#define ETM_ETMV3_MARCH_COUNTS false
#include "flow/etmv3_march.inc"

#define ETM_ETMV3_MARCH ranges_cycles
#define ETM_ETMV3_MARCH_LEVEL ETM_LEVEL_RANGES
#define ETM_ETMV3_MARCH_COUNTS true
#include "flow/etmv3_march.inc"

#define ETM_ETMV3_MARCH insns
#define ETM_ETMV3_MARCH_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_ETMV3_MARCH_COUNTS false
#include "flow/etmv3_march.inc"

#define ETM_ETMV3_MARCH insns_cycles
#define ETM_ETMV3_MARCH_LEVEL ETM_LEVEL_INSTRUCTIONS
#define ETM_ETMV3_MARCH_COUNTS true
#include "flow/etmv3_march.inc"

#define ETM_ETMV3_MARCH counts
#define ETM_ETMV3_MARCH_LEVEL ETM_LEVEL_COUNTS
#define ETM_ETMV3_MARCH_COUNTS false
#include "flow/etmv3_march.inc"

#define ETM_ETMV3_MARCH counts_cycles
#define ETM_ETMV3_MARCH_LEVEL ETM_LEVEL_COUNTS
#define ETM_ETMV3_MARCH_COUNTS true
#include "flow/etmv3_march.inc"

/* Each is called in one place only, so that it is inlined in follow(). */
static void march(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                  struct here *h, enum etm_level level, bool cycles)
{
    switch (level) {
    case ETM_LEVEL_RANGES:
        if (cycles)
            ranges_cycles(flow, w, h);
        else
            ranges(flow, w, h);
        break;
    case ETM_LEVEL_INSTRUCTIONS:
        if (cycles)
            insns_cycles(flow, w, h);
        else
            insns(flow, w, h);
        break;
    case ETM_LEVEL_COUNTS:
    case ETM_LEVEL_COVERAGE:
        if (cycles)
            counts_cycles(flow, w, h);
        else
            counts(flow, w, h);
        break;
    }
}

/* Branch packets were taken: remember the last two. */
static void see_marks(struct etm_etmv3_walk *w, struct here *h)
{
    const struct etm_etmv3_mark *mark = h->seen;

    if (h->mark - mark > 2)
        mark = h->mark - 2;
    for (; mark != h->mark; mark++) {
        const uint8_t *p = h->bytes + mark->place;

        w->before = w->branch;
        w->branch = (struct etm_etmv3_taken){p, p + mark->size};
    }
    h->seen = mark;
}

/* Go where the last step leads, which has no link; false if the flow must look
 * it up. */
static bool turn(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                 struct here *h)
{
    struct etm_follow *f = &flow->follow;
    bool branch = h->mark->at == h->begin && etm_mark_is_branch(h->mark);
    uint32_t place = place_of(h, h->begin - 1);
    const struct etm_step *steps;

    w->at =
        etm_etmv3_resolve(flow, w->last, !w->failed, branch ? h->mark : NULL);
    if (w->at == 0)
        return false;
    steps = f->blocks.steps.data;
    if (branch && !w->failed && (steps[w->last].kind & ETM_STEP_INDIRECT))
        place = h->mark++->place;
    if (f->isa != steps[w->at].isa) {
        f->isa = steps[w->at].isa;
        etm_follow_context_changed(f, h->start + place);
    }
    return true;
}

/* A branch packet that no indirect branch took must name the target of a direct
 * one. False if it is something else, or the end of the chart. */
static bool pass(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                 struct here *h, const uint8_t *bytes)
{
    const struct etm_step *steps = flow->follow.blocks.steps.data;
    const uint8_t *p = h->bytes + h->mark->place;
    uint64_t w_atoms = 0;

    see_marks(w, h);
    if (!etm_mark_is_branch(h->mark) || h->begin != h->mark->at ||
        w->last == 0 || w->failed ||
        (steps[w->last].kind & ETM_STEP_INDIRECT) ||
        etm_etmv3_back(flow->quick, bytes, p, &w_atoms) == w->branch.to ||
        !etm_etmv3_broadcast(flow, w->at, h->mark))
        return false;
    h->mark++;
    return true;
}

/* It is not known where the last step leads: leave the chart after the header
 * of the last instruction. Returns how many atoms of that header are left. */
static unsigned lose_walk(struct etm_etmv3_walk *w, struct here *h)
{
    uint32_t place = place_of(h, h->begin - 1), i = h->begin;

    see_marks(w, h);
    while (i < h->chart->n && place_of(h, i) == place)
        i++;
    w->index = 0;
    w->cycles = 0;
    w->insns += h->begin;
    w->p = h->bytes + place + 1;
    return i - h->begin;
}

/* Leave the chart at a mark. */
static void leave_chart(const struct etm_blocks *blocks,
                        struct etm_etmv3_walk *w, struct here *h,
                        const struct etm_etmv3_terms *t, enum etm_level level)
{
    if (level == ETM_LEVEL_INSTRUCTIONS &&
        h->mark->at != (uint32_t)(h->begin + h->given)) {
        w->e = give_insns(
            w->e, w->head, etm_blocks_insns_of(blocks, w->at) + h->given, h,
            h->begin + h->given, h->mark->at, t->counts, h->counted);
        h->counted =
            t->counts ? etm_chart_cycles(h->chart, h->mark->at - 1) : 0;
    }
    w->index = h->mark->at - h->begin;
    w->begun = w->index != 0 && (w->begun || h->mark->at != 0);
    w->insns += h->mark->at;
    w->cycles = h->mark->cycles - h->counted;
    w->p = h->bytes + h->mark->place;
}

/* A dead end: stop after the last step, or after the mark that led here.
 * Returns the same as follow(). */
static unsigned stop(const struct etm_etmv3_flow *flow,
                     struct etm_etmv3_walk *w, struct here *h,
                     const struct etm_etmv3_terms *t)
{
    const uint8_t *p;

    w->cycles = 0;
    if (h->mark != h->chart->marks && h->mark[-1].at == h->begin) {
        const struct etm_etmv3_mark *mark = h->mark - 1;

        p = h->bytes + mark->place + mark->size;
        w->cycles = mark->cycles - h->counted;
    } else if (h->begin == 0) { /* out of memory at its beginning */
        p = h->bytes;
    } else if (h->begin < h->chart->n &&
               place_of(h, h->begin) == place_of(h, h->begin - 1)) {
        return lose_walk(w, h);
    } else {
        p = h->bytes + place_of(h, h->begin - 1) + 1;
    }
    see_marks(w, h);
    for (; p < t->end && etm_chart_no_insn(&flow->shares[*p]); p++)
        w->cycles += etm_quick_before(flow->quick[*p]);
    w->stands = true;
    w->index = 0;
    w->begun = false;
    w->insns += h->begin;
    w->p = p;
    return UINT_MAX;
}

/* Whether a restart comes next, between two steps. */
static inline bool at_sync(const struct here *h)
{
    return etm_mark_is_sync(h->mark) && h->mark->at == h->begin;
}

/* The last step ended in an indirect branch, which was taken. */
static bool is_awaiting(const struct etm_blocks *blocks,
                        const struct etm_etmv3_walk *w)
{
    const struct etm_step *steps = blocks->steps.data;

    return !w->failed && (steps[w->last].kind & ETM_STEP_INDIRECT) != 0;
}

/* The next mark is a restart, between two steps. False when out of memory. */
static bool restart(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                    struct here *h, struct etm_etmv3_terms *t)
{
    const struct etm_etmv3_mark *mark = h->mark;
    const uint8_t *after = h->bytes + mark->place + mark->size;
    uint32_t to = etm_etmv3_step_of(&flow->follow, mark);

    if (to == 0)
        return false;
    etm_etmv3_arrive_at_restart(flow, w, mark, after[-5] >> 5 & 3u,
                                h->start + mark->place,
                                mark->cycles - h->counted);
    w->at = to;
    w->insns = 0 - mark->at;
    w->open = h->start + place_of(h, mark->at);
    h->counted = mark->cycles;
    h->seen = ++h->mark;
    t->start += (uint64_t)(after - t->bytes);
    t->bytes = after;
    return true;
}

/*
 * Walk a chart from its beginning. Returns UINT_MAX, or, if it is not known
 * where a step leads, the number of atoms left in the header with its end.
 */
static unsigned follow(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                       struct etm_etmv3_terms *t,
                       const struct etm_etmv3_chart *chart)
{
    struct etm_blocks *blocks = &flow->follow.blocks;
    const enum etm_level level = flow->follow.level;
    struct here h = {.chart = chart,
                     .mark = chart->marks,
                     .seen = chart->marks,
                     .bytes = w->p,
                     .start = t->start + (uint64_t)(w->p - t->bytes),
                     .begin = 0 - w->index,
                     .given = w->index,
                     .counted = 0 - w->cycles,
                     .cycles = t->counts};

    if (!w->begun && chart->n != 0)
        w->open = h.start + place_of(&h, 0);
    for (;;) {
        bool turned;

        /* before the next instruction, if that comes next */
        if (flow->follow.context_changed && h.mark->at != h.begin &&
            !etm_etmv3_is_dead_end(blocks, w->at))
            w->e = etm_follow_put_context(&flow->follow, w->e);
        march(flow, w, &h, level, t->counts);
        turned = w->at == 0;
        if (at_sync(&h) && (!turned || is_awaiting(blocks, w)) &&
            restart(flow, w, &h, t))
            turned = true;
        else if (turned && !turn(flow, w, &h))
            return lose_walk(w, &h);
        if (etm_etmv3_is_dead_end(blocks, w->at))
            return stop(flow, w, &h, t);
        if (!turned && !pass(flow, w, &h, t->bytes)) {
            leave_chart(blocks, w, &h, t, level);
            return UINT_MAX;
        }
    }
}

/* Walk chart after chart, up to something else, enough elements or blocks, or
 * the end. */
static unsigned run(struct etm_etmv3_flow *flow,
                    const struct etm_etmv3_decoder *d, struct etm_etmv3_walk *w,
                    struct etm_etmv3_terms *t, const struct etm_element *enough)
{
    unsigned lost = UINT_MAX;

    while (lost == UINT_MAX && w->p < t->end && w->e < enough &&
           !etm_blocks_full(&flow->follow.blocks)) {
        struct etm_etmv3_chart chart;
        const uint8_t *begin, *end;

        t->most = t->counts ? ETM_CHART_BYTES_CYCLES : ETM_CHART_BYTES;
        if (flow->follow.blocks.headers != NULL) {
            enum etm_etmv3_bundled how =
                etm_etmv3_run_bundles(flow, d, w, t, enough);

            if (how == ETM_BUNDLES_LOST)
                return 0;
            if (how == ETM_BUNDLES_SOON)
                t->most = ODD;
        }
        begin = w->p;
        if (begin >= t->end || flow->follow.status != ETM_OK)
            break;
        end = etm_etmv3_chart(flow, t, begin, &chart);
        if (end == begin)
            break;
        lost = follow(flow, w, t, &chart);
        if (w->p != end || w->stands)
            break;
    }
    return lost;
}

/* The last `n` instructions of the packet at `p`, for which no step leads on.
 */
static void run_rest(struct etm_etmv3_flow *flow,
                     const struct etm_etmv3_decoder *d, const uint8_t *p,
                     uint64_t offset, unsigned n)
{
    struct etm_etmv3_header header = d->headers[*p];
    uint32_t q = flow->quick[*p];
    unsigned atoms = n * (1 + etm_quick_each(q));
    struct etm_packet packet = {.offset = offset,
                                .value =
                                    header.atoms >> 2 * (header.count - atoms),
                                .size = 1,
                                .kind = ETM_PACKET_P_HEADER,
                                .header = *p,
                                .count = (uint8_t)atoms};

    if (flow->shapes[*p].n == ETM_ETMV3_NO_RUN)
        etm_etmv3_flow_push(flow, &packet, 1, flow->follow.out);
    else
        etm_etmv3_flow_run(flow, n, etm_quick_each(q),
                           (enum etm_tri)etm_quick_exec(q), &packet);
}

/* The step at the position; 0 only when out of memory. */
static uint32_t step_here(struct etm_follow *f)
{
    enum etm_isa isa = (enum etm_isa)f->isa;
    uint32_t at = f->block != NULL
                      ? f->block->step
                      : etm_blocks_peek(&f->blocks, f->address, isa);

    if (at == 0)
        at = etm_blocks_number(&f->blocks, f->address, isa);
    if (at == 0)
        f->status = ETM_ERR_MEMORY;
    return at != 0 && etm_etmv3_is_known(f, at) ? at : 0;
}

/* The step at the position if a walk may begin there and it leads on; else 0.
 */
static uint32_t may_go(struct etm_etmv3_flow *flow)
{
    struct etm_follow *f = &flow->follow;
    uint32_t at;

    if (!f->known || !flow->synced || f->context_changed || flow->at.mismatch ||
        flow->at.awaiting || f->has_lost || f->blind_cycles != 0 ||
        f->status != ETM_OK || f->isa == ETM_ISA_JAZELLE ||
        (f->has_open && flow->at.index == 0) || etm_blocks_full(&f->blocks))
        return 0;
    at = step_here(f);
    return at != 0 && !etm_etmv3_is_dead_end(&f->blocks, at) ? at : 0;
}

/* Walk from step `at` on, as far as possible. Returns the number of bytes
 * taken. */
static size_t go(struct etm_etmv3_flow *flow, struct etm_etmv3_decoder *d,
                 uint32_t at, const uint8_t *bytes, size_t n)
{
    struct etm_follow *f = &flow->follow;
    bool insns = f->level == ETM_LEVEL_INSTRUCTIONS;
    struct etm_etmv3_walk w = {
        .at = at,
        .p = bytes,
        .index = flow->at.index,
        .begun = f->has_open,
        .whole = flow->at.index == 0,
        .open = f->open_offset,
        .cycles = f->cycles + (f->has_open ? f->open_cycles : 0),
        .e = (struct etm_element *)f->out->data + f->out->n,
        .head = {insns ? ETM_ELEMENT_INSN : ETM_ELEMENT_RANGE, f->source}};
    struct etm_etmv3_terms t = {.bytes = bytes,
                                .end = bytes + n - ETM_ETMV3_WINDOW,
                                .start = d->offset,
                                .counts = f->cycle_accurate,
                                .forms = etm_address_forms[d->alternative]};
    const struct etm_element *enough = w.e + batch(f);
    unsigned lost;
    size_t used;

    if (!etm_etmv3_keeps_state(flow, &t.state, &t.same))
        t.state = 0; /* no information byte matches */
    do
        lost = run(flow, d, &w, &t, enough);
    while ((lost == 0 || lost == UINT_MAX) && w.e + ETM_SKIM_MOST < enough &&
           etm_etmv3_skim(flow, d, &w, &t));
    used = (size_t)(w.p - bytes);
    etm_etmv3_arrive(flow, &w, &t, lost != UINT_MAX);
    d->offset += used;
    if (lost != UINT_MAX && lost != 0)
        run_rest(flow, d, w.p - 1, d->offset - 1, lost);
    return used;
}

/* Make room for what go() may give; more than that, to do it less often. */
static bool has_room(struct etm_follow *f)
{
    struct etm_vec *out = f->out;

    if (out->capacity - out->n < ETM_FAST_BATCH + CHART_ROOM)
        f->status = etm_vec_reserve(out, 2 * ETM_FAST_BATCH + CHART_ROOM);
    return f->status == ETM_OK;
}

size_t etm_etmv3_flow_fast(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;
    const size_t enough = out->n + batch(f);
    size_t used = 0;

    if (flow->data_traced)
        return etm_etmv3_flow_fast_data(flow, d, bytes, n, out);
    if (!flow->fast || d->state != ETM_ETMV3_PACKETS || d->carried != 0)
        return 0;
    f->out = out;
    while (n - used > ETM_ETMV3_PACKET_MAX && out->n < enough &&
           f->status == ETM_OK) {
        struct etm_packet packet;
        const struct etm_etmv3_share *share = &flow->shares[bytes[used]];
        size_t size = 0;

        if (etm_chart_no_insn(share) && flow->synced && !flow->at.mismatch) {
            /* often all that comes between two packets of other kinds */
            f->cycles += share->cycles;
            d->offset++;
            size = 1;
        } else if (etm_chart_has(share)) {
            uint32_t at = may_go(flow);

            if (at != 0 && has_room(f))
                size = go(flow, d, at, bytes + used, n - used);
        }
        used += size;
        if (size != 0)
            continue;
        size = etm_etmv3_decoder_next(d, bytes + used, n - used, &packet);
        if (size == 0 || etm_etmv3_flow_packet(flow, &packet) != ETM_OK)
            break;
        used += size;
    }
    etm_etmv3_decoder_pass(d, bytes, used);
    f->blocks.trial.bytes += used;
    return used;
}
