/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a cycle: what the resources selected goes to the generator, and
 * its output into the FIFO.
 */
#include "model/execute.h"

static void tell_kind(struct etm_execute *x, enum etm_event_kind kind)
{
    struct etm_event event = {.kind = (uint8_t)kind};

    etm_execute_tell(x, &event);
}

/* Its time belongs to the gap: all cycles since the last instruction do. */
static void turn_off(struct etm_execute *x)
{
    struct etm_event event = {.kind = ETM_EVENT_TRACE_OFF};

    etm_execute_enter(x);
    etm_gen_take(&x->gen, &event);
    etm_execute_leave(x);
}

/* Also before the trace begins: then an A-sync comes first (7.8.1). */
static void tell_trigger(struct etm_execute *x)
{
    x->trigger_due = false;
    etm_execute_enter(x);
    if (!x->gen.started && !x->own_fifo) {
        etm_gen_emit_kind(&x->gen, ETM_PACKET_A_SYNC);
        x->gen.started = !x->gen.overflow;
    }
    etm_execute_leave(x);
    tell_kind(x, ETM_EVENT_TRIGGER);
}

/* A place between two instructions: output what waits for one. */
static void boundary(struct etm_execute *x)
{
    bool stamps = x->has_gen && x->gen.config.timestamps;

    if (x->fate_open || !x->has_gen || (!x->trigger_due && !stamps) ||
        etm_gen_waits(&x->gen))
        return;
    etm_execute_enter(x);
    if (!etm_gen_may_begin(&x->gen))
        etm_gen_release(&x->gen);
    etm_execute_leave(x);
    if (x->trigger_due)
        tell_trigger(x);
    if (stamps && x->gen.on && (x->timestamp_due || x->gen.full_timestamp))
        etm_execute_tell_time(x);
}

void etm_execute_stop(struct etm_execute *x)
{
    if (x->gen.on)
        turn_off(x);
    x->fate_open = false;
    x->leaving = 0;
    boundary(x);
}

/* The gap before tracing begins. The first instruction has a cycle of its own
 * (5.8.1, 6.5.1, 7.3.3); but in ETMv3 not if this makes the count 0, which
 * means unknown: only before v3.3 must each have one. */
static uint64_t gap_cycles(struct etm_execute *x)
{
    uint64_t cycles = x->gen.cycles + (x->now - x->told);

    x->gen.cycles = 0;
    x->told = x->now;
    if (cycles < (x->file->version < ETM_V3_3 ? 1u : 2u) ||
        x->gen.config.protocol == ETM_PROTOCOL_PFT)
        return cycles;
    x->told--;
    return cycles - 1;
}

/* Whether the trace can show a data instruction in progress: in ETMv3 any, in
 * ETMv2 a load/store multiple (7.7.3, 6.5.5). */
static bool can_name(const struct etm_execute *x)
{
    const struct etm_gen_insn *i = &x->gen.data_insn;

    if (etm_gen_may_begin(&x->gen))
        i = &x->gen.held;
    return x->gen.config.protocol == ETM_PROTOCOL_ETMV3 ||
           (x->gen.config.protocol == ETM_PROTOCOL_ETMV2 &&
            i->decoded.transfers.multiple);
}

/* An older data instruction has transfers to come: tracing begins in its
 * middle, though by the instruction that executes underneath (7.7.3, note). */
static bool is_under(const struct etm_execute *x)
{
    bool cprt = x->gen.data_insn.decoded.transfers.kind == ETM_TRANSFER_CPRT;

    return x->moved < x->moves && x->feeds_off && x->gen.has_data_insn &&
           can_name(x) && (cprt ? x->seen_cprt : x->seen_data);
}

/* Begin to trace at `at`; false if the FIFO has to drain first. */
static bool begin_trace(struct etm_execute *x, const struct etm_place *at,
                        enum etm_in_progress progress, bool allowed)
{
    struct etm_event event = {.kind = ETM_EVENT_TRACE_ON};
    enum etm_trace_on_reason reason = ETM_TRACE_ON_START;

    if (x->gen.on)
        return true;
    etm_execute_enter(x);
    if (x->gen.overflow)
        return false;
    etm_gen_release(&x->gen);
    if (progress == ETM_IN_PROGRESS_NO && is_under(x))
        progress = ETM_IN_PROGRESS_UNDER;
    if (progress == ETM_IN_PROGRESS_NO)
        x->moves = 0; /* what is left of it has no owner in the trace */
    if (progress != ETM_IN_PROGRESS_NO && !x->gen.has_data_insn)
        return false;
    if (x->lost)
        reason = ETM_TRACE_ON_OVERFLOW;
    if (x->debug_exit && allowed)
        reason = ETM_TRACE_ON_DEBUG_EXIT;
    event.u.trace_on.reason = (uint8_t)reason;
    event.u.trace_on.in_progress = (uint8_t)progress;
    event.u.trace_on.at = *at;
    x->lost = false;
    x->file->value[ETM_REG_SR] &= ~(uint32_t)ETM_SR_OVERFLOW;
    event.cycles = gap_cycles(x);
    if (x->gap_unknown)
        event.cycles = ETM_CYCLES_UNKNOWN;
    x->gap_unknown = false;
    etm_gen_take(&x->gen, &event);
    etm_execute_leave(x);
    x->traced_time = etm_execute_time(x);
    boundary(x);
    return x->gen.on;
}

bool etm_execute_turn(struct etm_execute *x, bool on, uint32_t address,
                      uint8_t isa, bool allowed)
{
    struct etm_place at = x->out_place;

    if (!on && x->gen.on)
        turn_off(x);
    if (!on || x->gen.on)
        return on;
    at.address = address;
    at.isa = isa;
    return begin_trace(x, &at, ETM_IN_PROGRESS_NO, allowed);
}

/* From here on a gap costs more W atoms than a restart with a count. */
#define LONG_GAP 1000u

/* 7.10.1: a long gap in cycle-accurate trace ends with a restart, unless some
 * data instruction is in progress. */
static void jump_gap(struct etm_execute *x)
{
    if (x->now - x->told > LONG_GAP && x->gen.on &&
        x->gen.config.protocol == ETM_PROTOCOL_ETMV3 &&
        x->gen.config.cycle_accurate && !x->outstanding)
        turn_off(x);
}

/* Whether it is not known yet where the held instruction leads. */
static bool is_open(const struct etm_execute *x)
{
    return x->gen.has_held && x->gen.held.open;
}

static void dispatch_insn(struct etm_execute *x, struct etm_execute_item *item,
                          const struct etm_resource_outputs *out)
{
    bool traced = out->insns >> item->slot & 1u;

    if (is_open(x)) { /* here */
        x->out_place.address = item->event.u.insn.address;
        x->out_place.isa = item->event.u.insn.isa;
        x->gen.held.next = x->out_place;
        x->gen.held.open = false;
    }
    boundary(x);
    jump_gap(x);
    traced = etm_execute_turn(x, traced, item->event.u.insn.address,
                              item->event.u.insn.isa, item->allowed);
    if (!traced && item->owns) { /* its transfers may bring it back */
        x->last_place = x->out_place;
        x->last_place.address = item->event.u.insn.address;
        x->last_place.isa = item->event.u.insn.isa;
        x->last_exit = x->debug_exit;
    }
    if (item->allowed)
        x->debug_exit = false;
    if (item->interrupted) /* it comes with the exception */
        return;
    if (traced || x->feeds_off) {
        if (traced && x->gen.config.timestamps)
            etm_execute_note_time(x, &item->event);
        etm_execute_tell(x, &item->event);
        x->fate_open = item->fate_open;
        x->gen.held.open = item->after.isa == ETM_ISA_UNKNOWN;
    }
    if (item->owns) {
        x->moves = item->moves;
        x->moved = 0;
    }
    x->out_place = item->after;
    if (item->leaves) {
        x->leaving = item->data; /* its transfers are traced with it */
        if (x->leaving == 0)
            etm_execute_stop(x);
    }
}

/* Whether a transfer can decide that its instruction is traced. */
static bool data_decide(const struct etm_execute *x)
{
    const struct etm_resources *r = &x->r;

    return (r->data_used & (r->te_matches | r->start)) != 0 &&
           !etm_gen_data_only(&x->gen.config);
}

/*
 * Tracing begins with the data instruction that is the last one, though it was
 * left out in its own cycle: the trace has all of it, except for transfers that
 * came before TraceEnable rose. Before v2.0 ViewData at the first transfer
 * decides about all (2.6.4, 2.6.5).
 */
static void begin_late(struct etm_execute *x)
{
    struct etm_place at = x->last_place;
    bool fate_open = x->fate_open;
    uint8_t moves = x->moves;

    etm_gen_set_aside(&x->gen, x->file->version >= ETM_V2_0);
    x->fate_open = false;
    x->moves = 0; /* nothing is in progress */
    x->debug_exit = x->last_exit;
    (void)begin_trace(x, &at, ETM_IN_PROGRESS_NO, true);
    x->debug_exit = false;
    x->moves = moves;
    x->fate_open = fate_open;
    etm_gen_take_up(&x->gen, x->now - x->told);
    x->told = x->now;
    if (x->gen.on && x->gen.held.exception_return)
        x->timestamp_due = x->gen.config.timestamps;
}

/*
 * A transfer at which TraceEnable rose while its instruction is an older one:
 * tracing begins in its middle, under the next instruction if that is traced
 * in this cycle (7.7.3). If none has executed since, it begins with the
 * instruction itself.
 */
static void begin_within(struct etm_execute *x, size_t i,
                         const struct etm_resource_outputs *out)
{
    const struct etm_execute_item *items = x->items.data;
    enum etm_in_progress progress = ETM_IN_PROGRESS_ALONE;
    bool named = can_name(x);

    if (x->debug || x->r.pins.no_noninvasive)
        return;
    for (i++; i < x->items.n && named; i++)
        if (items[i].event.kind == ETM_EVENT_INSN) {
            if (out->insns >> items[i].slot & 1u)
                progress = ETM_IN_PROGRESS_UNDER;
            break;
        }
    if (progress == ETM_IN_PROGRESS_ALONE && data_decide(x) &&
        etm_gen_may_begin(&x->gen)) {
        begin_late(x);
        return;
    }
    if (!named || x->out_place.isa == ETM_ISA_UNKNOWN ||
        etm_execute_prohibited(x, x->out_place.ns))
        return;
    (void)begin_trace(x, &x->out_place, progress, true);
}

static void dispatch_data(struct etm_execute *x, size_t i,
                          const struct etm_resource_outputs *out)
{
    struct etm_execute_item *items = x->items.data;
    struct etm_event *event = &items[i].event;
    unsigned slot = items[i].slot;
    bool high = out->transfers >> slot & 1u;

    if (high && !x->gen.on && event->kind == ETM_EVENT_DATA)
        begin_within(x, i, out);
    if (event->kind == ETM_EVENT_DATA) {
        event->u.data.filtered = !(out->view >> slot & 1u);
        /* Without instructions TraceEnable may fall at any time (2.6.4). */
        if (etm_gen_data_only(&x->gen.config) && !high)
            event->u.data.filtered = true;
    }
    if (x->gen.on || x->feeds_off)
        etm_execute_tell(x, event);
    if (event->kind == ETM_EVENT_DATA && x->moved < x->moves)
        x->moved++;
    if (event->kind == ETM_EVENT_DATA && x->leaving != 0 && --x->leaving == 0)
        etm_execute_stop(x);
}

static void dispatch_exception(struct etm_execute *x,
                               struct etm_execute_item *item)
{
    bool on = x->gen.on;

    if (on || x->feeds_off)
        etm_execute_tell(x, &item->event);
    x->fate_open = false;
    if (item->event.u.exception.resume != 0)
        x->moves = 0;
    if (item->event.u.exception.type == ETM_EXCEPTION_DEBUG_HALT)
        x->signals.debug_request = false; /* DBGACK (3.5.1) */
    else
        x->out_place = item->after;
    if (on) {
        x->timestamp_due = true;
        x->traced_time = etm_execute_time(x);
    }
    if (item->leaves || !x->gen.on)
        etm_execute_stop(x);
    else
        boundary(x);
}

static void dispatch(struct etm_execute *x, size_t i,
                     const struct etm_resource_outputs *out)
{
    struct etm_execute_item *item =
        (struct etm_execute_item *)x->items.data + i;

    switch ((enum etm_event_kind)item->event.kind) {
    case ETM_EVENT_INSN:
        dispatch_insn(x, item, out);
        return;
    case ETM_EVENT_DATA:
    case ETM_EVENT_DATA_VALUE:
        dispatch_data(x, i, out);
        return;
    case ETM_EVENT_STACKING:
        x->moves = 0; /* its owner of data is another one */
        if (x->gen.on || x->feeds_off)
            etm_execute_tell(x, &item->event);
        return;
    case ETM_EVENT_EXCEPTION:
        if (is_open(x)) /* it will not be given */
            etm_execute_stop(x);
        dispatch_exception(x, item);
        return;
    case ETM_EVENT_WAIT:
        if (!x->output.trace_waits || is_open(x))
            etm_execute_stop(x);
        return;
    case ETM_EVENT_PLACE:
        etm_execute_stop(x);
        if (x->feeds_off) /* it notes the state of data instructions */
            etm_execute_tell(x, &item->event);
        x->out_place = item->after;
        x->moves = 0;
        return;
    case ETM_EVENT_CONTEXT:
        if (is_open(x))
            etm_execute_stop(x);
        etm_execute_tell(x, &item->event);
        return;
    case ETM_EVENT_SUPPRESS: /* none of these is an item */
    case ETM_EVENT_TIMESTAMP:
    case ETM_EVENT_TRIGGER:
    case ETM_EVENT_TRACE_ON:
    case ETM_EVENT_TRACE_OFF:
    case ETM_EVENT_IDLE:
    case ETM_EVENT_PINS:
    case ETM_EVENT_EXT_INPUTS:
        return;
    }
}

bool etm_execute_outstanding(const struct etm_execute *x)
{
    const struct etm_execute_owner *o = &x->owner;

    if (o->done < o->count && (o->cprt ? x->seen_cprt : x->seen_data))
        return true;
    return etm_execute_waits(x);
}

/* 7.7.1: synchronization has waited for too long. */
static bool sync_is_late(const struct etm_execute *x)
{
    return x->gen.sync_by_cycles ? x->sync_late && x->gen.sync_due
                                 : x->gen.offset - x->gen.synchronized >
                                       2 * (uint64_t)x->gen.config.sync_period;
}

void etm_execute_signals(struct etm_execute *x, bool region)
{
    struct etm_macrocell_signals *s = &x->signals;
    int status;

    if (x->watches_level)
        etm_execute_watch(x, region);
    if (x->gen.sync_waits && x->gen.on && sync_is_late(x)) {
        x->sync_late = false;
        x->gen.overflow = true;
        etm_execute_leave(x);
    }
    s->trace_enable = x->gen.on;
    s->overflow = etm_execute_loses(x);
    x->gen.lost = false;
    s->cycle = x->now;
    if (s->ext_out == x->shown.ext_out && s->trigger == x->shown.trigger &&
        s->trace_enable == x->shown.trace_enable &&
        s->fifofull == x->shown.fifofull &&
        s->suppress_data == x->shown.suppress_data &&
        s->debug_request == x->shown.debug_request &&
        s->overflow == x->shown.overflow)
        return;
    x->shown = *s;
    if (x->output.signals == NULL)
        return;
    if (x->stopped)
        return;
    status = x->output.signals(x->output.context, s);
    if (status == ETM_OK)
        return;
    x->stopped = true;
    etm_execute_fail(x, status);
}

/* Cycles to the next A-sync, where they are counted (7.7.1). */
static uint64_t before_sync(const struct etm_execute *x)
{
    uint64_t passed = x->now - x->synced, period = x->gen.config.sync_period;

    return passed < period ? period - passed : 0;
}

/* 7.7.2: there are A-syncs while TraceEnable is LOW, too. From v3.1 on bytes of
 * trace are counted, of which there are none then. */
static void align(struct etm_execute *x)
{
    if (!x->gen.sync_by_cycles || x->gen.on || x->fate_open ||
        x->r.held != ETM_RESOURCES_RUN || x->r.pins.no_noninvasive ||
        before_sync(x) != 0)
        return;
    etm_execute_enter(x);
    x->gen.sync_due = false;
    if (x->gen.overflow)
        return;
    if (!etm_gen_may_begin(&x->gen))
        etm_gen_release(&x->gen);
    etm_gen_emit_kind(&x->gen, ETM_PACKET_A_SYNC);
    x->gen.started = !x->gen.overflow;
    etm_execute_leave(x);
}

/* The open cycle ends. */
static void end_cycle(struct etm_execute *x)
{
    struct etm_resource_outputs out;

    etm_resources_cycle(&x->r, x->outstanding, &out);
    x->outstanding = etm_execute_outstanding(x);
    if (x->has_gen)
        for (size_t i = 0; i < x->items.n && x->status == ETM_OK; i++)
            dispatch(x, i, &out);
    x->items.n = 0;
    x->inputs = false;
    x->signals.trigger = out.trigger;
    x->signals.ext_out = out.ext_out;
    if (out.trigger) {
        x->trigger_due = true;
        if ((x->file->value[ETM_REG_CR] & ETM_CR_DEBUG_REQUEST) != 0 &&
            !x->debug)
            x->signals.debug_request = true;
    }
    if (out.timestamp && !x->timestamp_level)
        x->timestamp_due = true;
    x->timestamp_level = out.timestamp;
    if (x->trigger_due || x->timestamp_due)
        boundary(x);
    align(x);
    etm_execute_signals(x, out.full_region);
    x->warm = true;
}

/* Longer than a FIFO of ETMv1 or ETMv2 takes to drain. */
#define OWN_DRAIN 1024u

/* Cycles in which nothing happens, and nothing is seen: not a FIFO that drains
 * below its level. `passed`: cycles since anything happened. */
static uint64_t pass_over(struct etm_execute *x, uint64_t n, uint64_t passed)
{
    bool high = x->signals.fifofull || x->signals.suppress_data;
    bool drains =
        x->own_fifo ? passed < OWN_DRAIN : etm_fifo_level(&x->fifo) != 0;

    if (x->signals.trigger || (high && drains)) /* a trigger lasts one cycle */
        return 0;
    if (x->gen.sync_by_cycles && !x->gen.on && n > before_sync(x))
        n = before_sync(x);
    return etm_resources_skip(&x->r, n);
}

void etm_execute_pass(struct etm_execute *x, uint64_t n)
{
    uint64_t from = x->now;
    bool idle = false;

    while (n != 0 && x->status == ETM_OK) {
        end_cycle(x);
        x->now++;
        n--;
        if (idle && n > 1) {
            uint64_t skip = pass_over(x, n - 1, x->now - from);

            x->now += skip;
            n -= skip;
        }
        idle = true;
    }
}
