/* SPDX-License-Identifier: Apache-2.0 */
/* What the loop of bundles (etmv3_bundles.c) leaves to functions, so that it
 * has the registers to itself. */
#include "flow/etmv3_address.h"
#include "flow/etmv3_walk.h"

/* Find where the headers of a bundle lead; false if that is not known. */
static bool find_next(const struct etm_etmv3_flow *flow,
                      struct etm_header_bundle *b, uint32_t *next)
{
    const struct etm_blocks *blocks = &flow->follow.blocks;
    const uint64_t *links = blocks->links.data;
    uint32_t step = etm_header_step(b->place);
    uint64_t step_links = etm_links_at(links, step, true);
    /* atoms up to the end of the step */
    uint32_t end = etm_etmv3_step_n(step_links) - etm_header_index(b->place);
    bool leads = etm_etmv3_leads(step_links);

    for (uint64_t headers = b->headers; headers != 0; headers >>= 8) {
        uint32_t atoms = flow->atoms[headers & 0xff];
        uint32_t n = atoms & ETM_HEADER_ATOMS;

        if (!etm_chart_has(&flow->shares[headers & 0xff]))
            return false;
        if (n == 0)
            continue; /* W atoms only: also before the target of a branch */
        if (step == 0 || !leads)
            return false;
        for (; end <= n && step != 0; end += etm_etmv3_step_n(step_links)) {
            bool failed = etm_header_failed(atoms, end);

            b->last = step | (failed ? ETM_HEADER_FAILED : 0);
            step = etm_link_step(step_links, failed);
            if (step == 0 &&
                (end != n || failed || !etm_etmv3_step_indirect(step_links)))
                return false; /* no link yet, or to another instruction set */
            step_links = etm_links_at(links, step, true);
            leads = step == 0 || etm_etmv3_leads(step_links);
            if (!leads && (end != n || !etm_etmv3_is_dead_end(blocks, step)))
                return false;
        }
        end -= n;
    }
    *next = 0;
    if (step == 0)
        return true;
    if (!leads) { /* no code: nothing of this step was executed */
        *next = etm_header_place(step, 0);
        return true;
    }
    end = etm_etmv3_step_n(step_links) - end;
    *next = etm_header_place(step, end);
    return end <= ETM_HEADER_INDEX;
}

static void swap(struct etm_header_bundles *all, uint32_t i, uint32_t j)
{
    struct etm_header_bundle b = all->of[i];
    uint32_t next = all->next[i];

    all->of[i] = all->of[j];
    all->next[i] = all->next[j];
    all->of[j] = b;
    all->next[j] = next;
}

uint32_t etm_etmv3_find_bundle(struct etm_etmv3_flow *flow, uint64_t headers,
                               uint32_t place, uint32_t slot)
{
    struct etm_header_bundles *all = flow->follow.blocks.headers;
    const uint32_t other = slot ^ 1;
    struct etm_header_bundle b = {.headers = headers, .place = place};
    /* the other one was used more */
    const bool more = all->of[slot].n <= all->of[other].n;
    uint32_t next;

    if (headers == 0)
        return ETM_HEADER_BUNDLES;
    if (all->of[other].headers == headers && all->of[other].place == place) {
        if (more)
            swap(all, slot, other);
        return more ? slot : other;
    }
    if (!find_next(flow, &b, &next))
        return ETM_HEADER_BUNDLES;
    if (!more)
        slot = other;
    if (all->of[slot].n != 0)
        etm_header_bundle_flush(&all->of[slot], flow->atoms,
                                flow->follow.blocks.steps.data,
                                flow->follow.blocks.links.data);
    all->of[slot] = b;
    all->next[slot] = next;
    return slot;
}

uint32_t etm_etmv3_find_target(struct etm_etmv3_flow *flow, uint32_t address)
{
    struct etm_follow *f = &flow->follow;
    struct etm_header_bundles *all = f->blocks.headers;
    const uint32_t i = etm_header_target(address);
    const uint32_t mode = etm_header_mode(flow->base.isa, f->blocks.space);
    struct etm_etmv3_target target;
    uint32_t step;

    if (etm_blocks_full(&f->blocks))
        return 0;
    etm_etmv3_target_load(&target, &flow->base);
    step = etm_blocks_number(&f->blocks, address << target.shift,
                             (enum etm_isa)target.isa);
    if (step == 0)
        f->status = ETM_ERR_MEMORY;
    if (step == 0 || !etm_etmv3_is_known(f, step))
        return 0;
    all->targets[i].address = address;
    all->targets[i].place = etm_etmv3_leads(*etm_blocks_links(&f->blocks, step))
                                ? etm_header_place(step, 0)
                                : 0;
    all->modes[i] = mode;
    return all->targets[i].place;
}

/* Inline, for a restart. */
static inline uint32_t place_at(struct etm_etmv3_flow *flow, uint32_t address)
{
    const struct etm_header_bundles *all = flow->follow.blocks.headers;
    const uint32_t i = etm_header_target(address);

    if (all->targets[i].address == address &&
        all->modes[i] ==
            etm_header_mode(flow->base.isa, flow->follow.blocks.space))
        return all->targets[i].place;
    return etm_etmv3_find_target(flow, address);
}

uint32_t etm_etmv3_place_at(struct etm_etmv3_flow *flow, uint32_t address)
{
    return place_at(flow, address);
}

/* The restart at `p`, where ETM_ETMV3_PACKET_MAX bytes can be read. This is
 * short: restarts are frequent where a filter stops the trace. */
static inline struct etm_etmv3_restart
restart_at(struct etm_etmv3_flow *flow, const struct etm_etmv3_terms *t,
           const uint8_t *p)
{
    struct etm_etmv3_restart restart = {.place = 0};
    const uint8_t *info;
    uint32_t gap;

    info = etm_etmv3_restart_info(flow, t, p, &gap);
    if (info == NULL)
        return restart;
    restart.address = etm_address_four(info + 1);
    if (flow->base.isa !=
        ((restart.address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM))
        return restart;
    restart.address >>= 2 - (restart.address & 1);
    restart.p = info + 5;
    restart.place = place_at(flow, restart.address);
    return restart;
}

/* The restart after packets that nobody needs, and the target of an indirect
 * branch if `jump`. */
static struct etm_etmv3_restart restart_after(struct etm_etmv3_flow *flow,
                                              const struct etm_etmv3_decoder *d,
                                              const struct etm_etmv3_terms *t,
                                              const uint8_t *p, bool jump,
                                              const uint8_t **sync)
{
    struct etm_etmv3_restart restart = {.place = 0};
    struct etm_etmv3_target target;

    p = etm_etmv3_skip_silent(flow, d, t, p);
    if (jump && (*p & 1) != 0 && p < t->end) {
        unsigned size;

        etm_etmv3_target_load(&target, &flow->base);
        size = etm_etmv3_parse_branch(flow, t->forms, p, &target);
        if (size == 0)
            return restart;
        p = etm_etmv3_skip_silent(flow, d, t, p + size);
    }
    if ((flow->quick[*p] & ETM_QUICK_SYNC) == 0 ||
        (size_t)(t->end - p) + ETM_ETMV3_WINDOW < ETM_ETMV3_PACKET_MAX)
        return restart;
    *sync = p;
    return restart_at(flow, t, p);
}

struct etm_etmv3_restart
etm_etmv3_peek_restart(struct etm_etmv3_flow *flow,
                       const struct etm_etmv3_decoder *d,
                       const struct etm_etmv3_terms *t, const uint8_t *p,
                       bool jump, const uint8_t **sync)
{
    if (flow->follow.level != ETM_LEVEL_COVERAGE)
        return (struct etm_etmv3_restart){.place = 0};
    if ((flow->quick[*p] & ETM_QUICK_SYNC) == 0)
        return restart_after(flow, d, t, p, jump, sync);
    if ((size_t)(t->end - p) + ETM_ETMV3_WINDOW < ETM_ETMV3_PACKET_MAX)
        return (struct etm_etmv3_restart){.place = 0};
    *sync = p;
    return restart_at(flow, t, p);
}

bool etm_etmv3_take_restart(struct etm_etmv3_flow *flow,
                            struct etm_etmv3_walk *w, struct etm_etmv3_terms *t,
                            const uint8_t *p, uint32_t to)
{
    struct etm_etmv3_target target;
    struct etm_etmv3_mark mark = {.step = 0};
    unsigned size;

    if ((flow->quick[*p] & ETM_QUICK_SYNC) == 0 ||
        (to == 0 && etm_blocks_full(&flow->follow.blocks)))
        return false;
    size = etm_etmv3_parse_restart(flow, t, p, &target, &mark);
    if (size == 0)
        return false;
    if (to == 0)
        to = etm_etmv3_step_of(&flow->follow, &mark);
    if (to == 0)
        return false;
    etm_etmv3_arrive_at_restart(flow, w, &mark, p[size - 5] >> 5 & 3u,
                                t->start + (uint64_t)(p - t->bytes), 0);
    w->at = to;
    w->insns = 0;
    w->p = p + size;
    t->start += (uint64_t)(w->p - t->bytes);
    t->bytes = w->p;
    return true;
}

/* The number of instructions in the bytes from `from` on, at most two. */
static uint32_t insns_of(const struct etm_etmv3_flow *flow,
                         const struct etm_etmv3_walk *w, const uint8_t *from)
{
    uint64_t n = 0;

    while (from < w->p && n < 2) {
        if (from == w->branch.from)
            from = w->branch.to;
        else if (from == w->before.from)
            from = w->before.to;
        else if (!etm_chart_has(&flow->shares[*from]))
            return 2; /* more branch packets follow, each after an instruction
                       */
        else
            n += flow->shares[*from++].n;
    }
    return n < 2 ? (uint32_t)n : 2;
}

/* The header with the n-th instruction before `p`, counted from 1; NULL if it
 * is not after `from`. The only branch packet in between may be `branch`. */
static const uint8_t *header_of(const struct etm_etmv3_flow *flow,
                                const struct etm_etmv3_taken *branch,
                                const uint8_t *from, const uint8_t *p,
                                uint64_t n)
{
    while (n != 0) {
        uint64_t here;

        if (p == branch->to)
            p = branch->from;
        if (p <= from)
            return NULL;
        here = flow->shares[*--p].n;
        n -= here < n ? here : n;
    }
    return p;
}

void etm_etmv3_leave_bundles(const struct etm_etmv3_flow *flow,
                             struct etm_etmv3_walk *w,
                             const struct etm_etmv3_terms *t,
                             const uint8_t *from, uint32_t place, uint32_t last)
{
    const struct etm_step *steps = flow->follow.blocks.steps.data;
    const uint32_t index = etm_header_index(place);
    /* at the level of coverage nobody needs where ranges begin in the trace */
    const bool offsets = flow->follow.level != ETM_LEVEL_COVERAGE;
    const uint8_t *first = NULL, *open = NULL;

    w->insns += insns_of(flow, w, from);
    if (last != 0) {
        w->last = last & ETM_LINK_STEP;
        w->failed = (last & ETM_HEADER_FAILED) != 0;
        if (offsets)
            first = header_of(flow, &w->branch, from, w->p,
                              (uint64_t)index + steps[w->last].n);
        w->last_open =
            first == NULL ? w->open : t->start + (uint64_t)(first - t->bytes);
        w->last_cycles = t->counts ? 0 : ETM_CYCLES_UNKNOWN;
        w->counted = w->whole = true;
    }
    if (offsets && index != 0)
        open = header_of(flow, &w->branch, from, w->p, index);
    if (open != NULL)
        w->open = t->start + (uint64_t)(open - t->bytes);
    w->at = etm_header_step(place);
    w->index = index;
    w->begun = index != 0;
    w->cycles = 0;
}
