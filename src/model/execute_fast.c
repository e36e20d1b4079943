/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions for which only their address decides: no start/stop block, no
 * data that a filter depends on, no comparator of the DWT, and no event that
 * changes. Then cycles are
 * only counted, and an instruction needs no item.
 *
 * Events that depend on comparators, counters or the sequencer do not change,
 * once these are stable, up to the next instruction at which one of their
 * comparators may match: this one takes the general path.
 */
#include "model/execute.h"

/* Whether the comparators of TraceEnable depend on addresses only. */
static bool simple_trace(const struct etm_resources *r)
{
    uint32_t asks = r->insn_used & ~r->plain_modes;

    return r->te_mmds == 0 && !r->te_start_stop && r->start == 0 &&
           r->stop == 0 && (asks & ~r->resources_used) == 0 &&
           (asks & r->te_matches) == 0;
}

/* Get the enabling events while these resources are active. */
static void take_events(struct etm_execute *x,
                        const struct etm_resource_set *set)
{
    const struct etm_resources *r = &x->r;
    bool view = etm_event_active(&r->view_data, set) && r->vd_exclude_only;

    x->fast_view = view;
    x->fast_cprt = r->cprt && (view || !r->cprt_filter);
    x->fast_enabled = etm_event_active(&r->trace_enable, set);
    x->span = (struct etm_execute_span){.low = 1, .span = 0};
}

void etm_execute_fast_setup(struct etm_execute *x)
{
    const struct etm_resources *r = &x->r;
    struct etm_resource_set none = {{0, 0}};

    x->fast = x->has_gen && r->held == ETM_RESOURCES_RUN &&
              !(r->changing && r->config.late_events) &&
              !r->pins.no_noninvasive && !x->watches_level &&
              !x->gen.config.timestamps && r->data_used == 0 &&
              simple_trace(r) && (r->vd_include | r->vd_exclude) == 0 &&
              (r->vd_include_mmds | r->vd_exclude_mmds) == 0 && !r->data_only &&
              !etm_dwt_compares(x->dwt) &&
              x->gen.config.protocol != ETM_PROTOCOL_NONE;
    if (!x->fast)
        return;
    x->fast_changing = r->changing || r->live_counts != 0 || r->live_sequencer;
    take_events(x, &none);
    x->fast_always = !x->fast_changing &&
                     (!x->fast_enabled || (r->te_matches & r->insn_used) == 0);
    if (x->fast_always)
        x->span = (struct etm_execute_span){
            .span = UINT32_MAX, .traced = x->fast_enabled && r->te_exclude};
}

/* Whether events do not change as long as no comparator of theirs matches:
 * neither at the end of the open cycle nor after it. */
static bool stands_still(struct etm_execute *x)
{
    const struct etm_resources *r = &x->r;
    struct etm_resource_set set = etm_resources_active(r);

    if (x->inputs || x->signals.trigger || r->now.hint_now != 0 ||
        (r->now.cidcs & ~(unsigned)r->cidcs) != 0 ||
        !etm_resources_state_lasts(r) ||
        (set.word[0] & r->resources_used) != 0 || !etm_resources_stand(r, &set))
        return false;
    take_events(x, &set);
    return true;
}

/* Shrink [low, high] so that `at` is not passed. */
static void cut(uint32_t *low, uint32_t *high, uint32_t address, uint32_t at)
{
    if (at <= address && at > *low)
        *low = at;
    else if (at > address && at - 1 < *high)
        *high = at - 1;
}

/* Find the range around an address in which no comparator begins or ends to
 * match. */
static void find_span(struct etm_execute *x, uint32_t address)
{
    const struct etm_resources *r = &x->r;
    struct etm_resource_insn insn = {.address = address, .passed = true};
    uint32_t low = 0, high = UINT32_MAX;

    for (unsigned n = 0; n < 16; n++)
        if (r->insn_used >> n & 1u) {
            cut(&low, &high, address, r->at[n]);
            if (r->at[n] != UINT32_MAX)
                cut(&low, &high, address, r->at[n] + 1);
        }
    for (unsigned n = 0; n < 8; n++)
        if (r->insn_used >> (16 + n) & 1u) {
            uint32_t last = r->low[n] + r->span[n];

            cut(&low, &high, address, r->low[n]);
            if (last != UINT32_MAX)
                cut(&low, &high, address, last + 1);
        }
    x->span.matches = etm_resources_match_insn(r, &insn);
    x->span.traced = (x->span.matches & r->te_matches) != 0;
    x->span.traced = x->fast_enabled && x->span.traced != r->te_exclude;
    x->span.seen =
        (etm_resources_candidates(r, address) & r->resources_used) != 0;
    x->span.low = low;
    x->span.span = high - low;
}

/* Is this path possible for a data instruction, with `n` transfers in its
 * cycle? */
static bool simple_data(struct etm_execute *x, const struct etm_event *events,
                        size_t n, const struct etm_cached_insn *entry)
{
    const struct etm_transfers *t = &entry->decoded.transfers;
    bool moves = events->u.insn.passed && t->kind != ETM_TRANSFER_NONE;
    bool cprt = t->kind == ETM_TRANSFER_CPRT;

    if (!moves)
        return n == 0;
    if (t->count != 0 && n > t->count)
        return false; /* an error */
    if (!x->fast_always && n != t->count &&
        (n != 0 || (cprt ? x->seen_cprt : x->seen_data)))
        return false; /* TraceEnable waits for the rest */
    x->owner = (struct etm_execute_owner){
        .owner = {.matches = x->span.matches, .number = x->r.number},
        .count = t->count,
        .done = (uint8_t)n,
        .any = true,
        .multiple = t->multiple,
        .cprt = cprt,
    };
    x->event_tag = 0;
    if (n != 0 && cprt)
        x->seen_cprt = true;
    else if (n != 0)
        x->seen_data = true;
    return true;
}

/* Pass the instruction and transfers to the generator. Most put nothing into an
 * empty FIFO, which then needs no update. */
static void tell(struct etm_execute *x, const struct etm_event *events,
                 size_t n, const struct etm_cached_insn *entry,
                 const struct etm_place *next)
{
    if (x->fifo.in == x->fifo.out && !x->gen.overflow && !x->gen.sync_by_cycles)
        x->fifo.now = x->now;
    else
        etm_execute_enter(x);
    etm_gen_take_insn(&x->gen, events, &entry->decoded, x->now - x->told, next);
    x->told = x->now;
    if (events->u.insn.passed &&
        entry->decoded.transfers.kind != ETM_TRANSFER_NONE) {
        x->moves = entry->decoded.transfers.count;
        x->moved = (uint8_t)n;
    }
    if (n != 0)
        etm_gen_take_data(&x->gen, events + 1, n,
                          !(x->owner.cprt ? x->fast_cprt : x->fast_view));
    if (x->gen.offset != x->fifo.in || x->gen.overflow ||
        x->gen.status != ETM_OK)
        etm_execute_leave(x);
}

/* Does the instruction lead elsewhere, by its opcode or event? Most are
 * followed by the next one. */
static inline bool leads_away(const struct etm_event *event,
                              const struct etm_insn *decoded)
{
    return event->u.insn.next.isa != ETM_ISA_UNKNOWN ||
           decoded->type == ETM_INSN_TYPE_DIRECT ||
           decoded->type == ETM_INSN_TYPE_INDIRECT;
}

/* Longer waits may have to be traced differently. */
#define FAST_CYCLES 1000u

/* The outputs at the end of a cycle. */
static void show(struct etm_execute *x)
{
    bool loses = x->own_fifo ? etm_execute_loses(x) : x->gen.overflow;

    if (x->gen.on != x->shown.trace_enable || loses != x->shown.overflow)
        etm_execute_signals(x, false);
}

/* Take one instruction and the n transfers after it; false: not possible on
 * this path. */
static bool take(struct etm_execute *x, const struct etm_event *events,
                 size_t n)
{
    const struct etm_cached_insn *entry;
    struct etm_place next;
    bool away, traced;

    if (events->u.insn.address != x->place.address ||
        events->u.insn.isa != x->place.isa || events->u.insn.size == 0 ||
        events->cycles > FAST_CYCLES ||
        (x->gen.sync_by_cycles && !x->gen.on) || /* A-syncs are made there */
        (x->items.n != 0 &&
         (events->cycles == 0 || etm_execute_outstanding(x))) ||
        (x->fast_changing && events[n + 1].cycles == 0))
        return false; /* events would see both of this cycle */
    entry = etm_insn_cache_get(&x->gen.cache, events);
    away = leads_away(events, &entry->decoded);
    if (away)
        next =
            etm_insn_next(events, &entry->decoded, &x->place, &events[n + 1]);
    if (x->r.config.split && !x->fast_always && events->u.insn.size == 4 &&
        events->u.insn.isa != ETM_ISA_ARM)
        return false; /* its halves are compared separately (4.5.4) */
    if (entry->hint != 0 ||
        (away && (next.ns != x->place.ns || next.hyp != x->place.hyp)))
        return false;
    if (events->u.insn.address - x->span.low > x->span.span)
        find_span(x, events->u.insn.address);
    if (x->span.seen || !simple_data(x, events, n, entry))
        return false;

    if (x->items.n != 0) {
        etm_execute_pass(x, events->cycles);
        entry = etm_insn_cache_get(&x->gen.cache, events); /* used by it too */
    } else if (events->cycles != 0) {
        show(x);
        x->now += events->cycles;
    }
    if (away)
        x->place = next;
    else /* assembling a place from pieces would wait for the stores */
        x->place.address += events->u.insn.size;
    traced = x->span.traced;
    if (traced != x->gen.on)
        traced = etm_execute_turn(x, traced, events->u.insn.address,
                                  events->u.insn.isa, true);
    if (traced || x->feeds_off)
        tell(x, events, n, entry, &x->place);
    x->r.number++;
    x->r.high = x->span.traced;
    x->out_place = x->place;
    return true;
}

size_t etm_execute_fast(struct etm_execute *x, const struct etm_event *events,
                        size_t n)
{
    size_t i = 0;

    if (!x->fast || !x->warm || x->n_permits != 0 || x->outstanding ||
        x->debug || x->trigger_due || x->debug_exit ||
        x->r.context.prohibited || x->r.context.hyp || etm_execute_waits(x) ||
        (x->fast_changing && !stands_still(x)))
        return 0;
    while (i < n && events[i].kind == ETM_EVENT_INSN && x->status == ETM_OK) {
        size_t end = i + 1;

        while (end < n && events[end].kind == ETM_EVENT_DATA &&
               events[end].cycles == 0 && events[end].u.data.tag == 0 &&
               events[end].u.data.size <= 4)
            end++;
        if (end == n || events[end].kind != ETM_EVENT_INSN ||
            !take(x, events + i, end - i - 1))
            break;
        i = end;
    }
    if (i != 0)
        x->settled = false;
    return i;
}
