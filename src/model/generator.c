/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events to packets: the part that does not depend on the protocol.
 *
 * One instruction is held back until the next event decides about it: PFT must
 * not trace an instruction that an exception cancels, and in ETMv3 the form of
 * its atoms can depend on it.
 */
#include "model/generator.h"

#include "base/name.h"
#include "proto/timestamp.h"

#define ETM_EVENT_LIST(X)                                                      \
    X(ETM_EVENT_INSN, "insn")                                                  \
    X(ETM_EVENT_DATA, "data")                                                  \
    X(ETM_EVENT_DATA_VALUE, "data_value")                                      \
    X(ETM_EVENT_STACKING, "stacking")                                          \
    X(ETM_EVENT_SUPPRESS, "suppress")                                          \
    X(ETM_EVENT_EXCEPTION, "exception")                                        \
    X(ETM_EVENT_CONTEXT, "context")                                            \
    X(ETM_EVENT_TIMESTAMP, "timestamp")                                        \
    X(ETM_EVENT_TRIGGER, "trigger")                                            \
    X(ETM_EVENT_TRACE_ON, "trace_on")                                          \
    X(ETM_EVENT_TRACE_OFF, "trace_off")                                        \
    X(ETM_EVENT_IDLE, "idle")                                                  \
    X(ETM_EVENT_PINS, "pins")                                                  \
    X(ETM_EVENT_EXT_INPUTS, "ext_inputs")                                      \
    X(ETM_EVENT_WAIT, "wait")                                                  \
    X(ETM_EVENT_PLACE, "place")

const char *etm_event_kind_name(enum etm_event_kind kind)
{
    ETM_RETURN_NAME(ETM_EVENT_LIST, kind);
}

static bool is_isa(unsigned isa)
{
    return isa >= ETM_ISA_ARM && isa <= ETM_ISA_JAZELLE;
}

/* Only M-profile processors pause instructions (7.5.2). */
static void needs_m(struct etm_gen *gen)
{
    if (gen->config.profile != ETM_PROFILE_M)
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
}

/* Take one insn event as the instruction that is held. */
static void hold(struct etm_gen *gen, const struct etm_event *event,
                 const struct etm_insn *decoded, uint64_t cycles,
                 const struct etm_place *next)
{
    struct etm_gen_insn *held = &gen->held;

    if (event->u.insn.resume != 0)
        needs_m(gen);
    held->address = event->u.insn.address;
    held->isa = event->u.insn.isa;
    held->size = event->u.insn.size;
    held->passed = event->u.insn.passed;
    held->resume = event->u.insn.resume;
    held->untraced = false;
    held->open = false;
    held->cycles = cycles;
    held->next = *next;
    held->decoded = *decoded;
    held->exception_return =
        held->passed && (event->u.insn.exception_return ||
                         etm_insn_returns_from_exception(decoded));
    gen->has_held = true;
}

static void take_insn(struct etm_gen *gen, const struct etm_event *event)
{
    if (!is_isa(event->u.insn.isa) || event->u.insn.size == 0)
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
    else
        hold(gen, event, &etm_insn_cache_get(&gen->cache, event)->decoded,
             event->cycles, &event->u.insn.next);
}

/* Tracing began in the stack pop after an exception return: that one has no
 * atom, but what follows on it is traced (ETM architecture 7.5.4). */
static void hold_pop(struct etm_gen *gen, const struct etm_event *event)
{
    gen->held = (struct etm_gen_insn){
        .address = gen->place.address,
        .isa = gen->place.isa,
        .passed = true,
        .exception_return = true,
        .untraced = true,
        .cycles = event->cycles,
        .decoded.type = ETM_INSN_TYPE_INDIRECT,
        .next = event->u.stacking.next,
    };
    gen->has_held = true;
}

/* Note the instruction that data belong to from now on. */
static void note_data_insn(struct etm_gen *gen, const struct etm_gen_insn *i)
{
    if (!i->passed || i->decoded.transfers.kind == ETM_TRANSFER_NONE)
        return;
    gen->has_data_insn = true;
    gen->data_insn = *i;
    gen->data_ns = gen->place.ns;
    gen->data_hyp = gen->place.hyp;
}

void etm_gen_pass_cycles(struct etm_gen *gen, const struct etm_event *event)
{
    if (event->cycles == ETM_CYCLES_UNKNOWN)
        gen->cycles_unknown = true;
    else
        gen->cycles += event->cycles;
}

static void data(struct etm_gen *gen, const struct etm_event *event)
{
    etm_gen_pass_cycles(gen, event);
    etm_gen_behind(gen, event);
}

bool etm_gen_awaits_data(const struct etm_gen *gen)
{
    const struct etm_event *behind = gen->behind.data;
    const struct etm_config *c = &gen->config;
    unsigned n = 0;

    if (!gen->has_held || !gen->held.exception_return || !gen->on ||
        c->protocol != ETM_PROTOCOL_ETMV3 || !etm_gen_has_exit(c) ||
        !etm_gen_traces_data(c) || etm_gen_data_only(c))
        return false;
    for (size_t i = 0; i < gen->behind.n; i++)
        n += behind[i].kind == ETM_EVENT_DATA;
    return n + gen->held.resume < gen->held.decoded.transfers.count;
}

/* Output the instruction that is held, and the data after it. */
static void release(struct etm_gen *gen, enum etm_gen_fate fate)
{
    struct etm_gen_insn *held = &gen->held;
    const struct etm_event *behind = gen->behind.data;

    if (!gen->has_held)
        return;
    gen->has_held = false;
    held->fate = (uint8_t)fate;
    if (!is_isa(held->next.isa))
        held->next = (struct etm_place){.address = held->address + held->size,
                                        .isa = held->isa,
                                        .ns = gen->place.ns,
                                        .hyp = gen->place.hyp};
    gen->cycles += held->cycles;
    gen->place.address = held->address;
    gen->place.isa = held->isa;
    note_data_insn(gen, held);
    if (gen->on)
        gen->ops->insn(gen, held);
    else if (gen->ops->untraced != NULL)
        gen->ops->untraced(gen, held);
    for (size_t i = 0; i < gen->behind.n; i++) /* if it took none of them */
        data(gen, &behind[i]);
    gen->behind.n = 0;
    if (fate != ETM_GEN_CANCELLED && fate != ETM_GEN_PAUSED)
        gen->place = held->next;
}

/* Data belong after the instruction that is held. */
static void take_data(struct etm_gen *gen, const struct etm_event *event)
{
    if (event->kind == ETM_EVENT_DATA && event->u.data.size > 4)
        etm_gen_fail(gen, ETM_ERR_ARGUMENT); /* a doubleword is two */
    else if (!gen->has_held && gen->on && event->kind == ETM_EVENT_STACKING &&
             is_isa(event->u.stacking.next.isa))
        hold_pop(gen, event);
    else if (!gen->has_held)
        data(gen, event);
    else if (etm_vec_append(&gen->behind, event, 1) != ETM_OK)
        etm_gen_fail(gen, ETM_ERR_MEMORY);
}

bool etm_gen_resets(const struct etm_gen *gen, const struct etm_event *event)
{
    return gen->config.protocol == ETM_PROTOCOL_ETMV3 &&
           event->u.exception.type == ETM_EXCEPTION_RESET &&
           event->u.exception.chain == ETM_CHAIN_NONE;
}

/* M profile: it was traced as completed; then only its pop is cancelled
 * (7.5.4). */
static bool has_returned(const struct etm_gen *gen)
{
    return gen->held.exception_return && gen->config.profile == ETM_PROFILE_M;
}

static enum etm_gen_fate fate_by(const struct etm_gen *gen,
                                 const struct etm_event *event)
{
    if (event->kind != ETM_EVENT_EXCEPTION)
        return ETM_GEN_COMPLETES;
    if (event->u.exception.chain != ETM_CHAIN_NONE)
        return ETM_GEN_CHAINED;
    /* without data, an instruction is not paused but cancelled (7.5.2) */
    if (etm_gen_cancels(event) && event->u.exception.resume != 0 &&
        etm_gen_traces_data(&gen->config))
        return ETM_GEN_PAUSED;
    if (etm_gen_cancels(event) ||
        (etm_gen_resets(gen, event) && !has_returned(gen)))
        return ETM_GEN_CANCELLED;
    if (event->u.exception.type == ETM_EXCEPTION_UNDEFINED)
        return ETM_GEN_UNDEFINED;
    return ETM_GEN_COMPLETES;
}

static void exception(struct etm_gen *gen, const struct etm_event *event)
{
    bool debug = event->u.exception.type == ETM_EXCEPTION_DEBUG_HALT;

    if (!debug && !is_isa(event->u.exception.next.isa)) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    if (event->u.exception.resume != 0)
        needs_m(gen);
    if (gen->on)
        gen->ops->exception(gen, event);
    if (!debug) {
        gen->place = event->u.exception.next;
        return;
    }
    if (gen->on)
        gen->ops->stop(gen);
    gen->on = false;
}

static void context(struct etm_gen *gen, const struct etm_event *event)
{
    uint32_t mask = UINT32_MAX;
    bool context_id;
    bool vmid = event->u.context.vmid != gen->vmid;

    /* A change only in bits that are not traced is not output (4.7). */
    if (gen->config.context_id_bytes < 4)
        mask = ((uint32_t)1 << (8 * gen->config.context_id_bytes)) - 1;
    context_id = ((event->u.context.context_id ^ gen->context_id) & mask) != 0;
    gen->context_id = event->u.context.context_id & mask;
    gen->vmid = event->u.context.vmid;
    if (gen->on && (context_id || vmid))
        gen->ops->context(gen, context_id, vmid && gen->config.vmid);
}

/*
 * Timestamp (PFT architecture 4.3.11; ETMv3.5): as few bytes as cover what
 * changed since the last one, in the domain of the wire.
 */
static void timestamp(struct etm_gen *gen, const struct etm_event *event)
{
    uint64_t mask = UINT64_MAX >> (64 - etm_timestamp_bits(&gen->config));
    uint64_t raw = event->u.timestamp.value & mask;
    uint64_t changed;
    struct etm_packet packet = {.kind = ETM_PACKET_TIMESTAMP};
    unsigned all = etm_timestamp_bytes(&gen->config);
    unsigned n = 1;

    if (!gen->config.timestamps || !gen->on || etm_gen_data_only(&gen->config))
        return;
    if (!gen->config.timestamp_binary)
        raw = etm_gen_gray(raw);
    changed = raw ^ gen->out.timestamp;
    while (n < all && changed >> (7 * n) != 0)
        n++;
    if (gen->full_timestamp)
        n = all;
    gen->ops->flush(gen);
    packet.value = n == all ? raw : raw & (((uint64_t)1 << (7 * n)) - 1);
    packet.value_bytes = (uint8_t)n;
    if (event->u.timestamp.frequency_changed)
        packet.fields |= ETM_FIELD_R;
    if (gen->config.protocol == ETM_PROTOCOL_PFT &&
        gen->config.cycle_accurate) {
        /* From v1.1 it is the time of the last waypoint: nothing has passed
         * since its count. */
        packet.fields |= ETM_FIELD_CYCLES;
        if (gen->config.minor == 0)
            packet.cycle_count = etm_gen_take_cycles(gen);
    }
    etm_gen_emit(gen, &packet);
    gen->out.timestamp = raw;
    gen->full_timestamp = false;
}

/* Also with tracing off (7.8.1). */
static void trigger(struct etm_gen *gen)
{
    if (gen->on)
        gen->ops->flush(gen);
    if (gen->ops->trigger != NULL)
        gen->ops->trigger(gen);
    else if (gen->started)
        etm_gen_emit_kind(gen, ETM_PACKET_TRIGGER);
}

void etm_gen_behind(struct etm_gen *gen, const struct etm_event *event)
{
    if (event->kind == ETM_EVENT_TIMESTAMP)
        timestamp(gen, event);
    else if (event->kind == ETM_EVENT_TRIGGER)
        trigger(gen);
    else if (gen->ops->data != NULL)
        gen->ops->data(gen, event);
}

static void trace_off(struct etm_gen *gen)
{
    if (gen->on)
        gen->ops->stop(gen);
    gen->on = false;
}

static void trace_on(struct etm_gen *gen, const struct etm_event *event)
{
    enum etm_sync_reason reason = ETM_SYNC_TRACE_ON;

    if (!is_isa(event->u.trace_on.at.isa) ||
        event->u.trace_on.reason > ETM_TRACE_ON_DEBUG_EXIT ||
        event->u.trace_on.in_progress > ETM_IN_PROGRESS_ALONE ||
        (event->u.trace_on.in_progress != ETM_IN_PROGRESS_NO &&
         !gen->has_data_insn)) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    switch ((enum etm_trace_on_reason)event->u.trace_on.reason) {
    case ETM_TRACE_ON_START:
        break;
    case ETM_TRACE_ON_OVERFLOW:
        reason = ETM_SYNC_OVERFLOW;
        break;
    case ETM_TRACE_ON_DEBUG_EXIT:
        reason = ETM_SYNC_DEBUG_EXIT;
        break;
    }
    gen->place = event->u.trace_on.at;
    gen->on = true;
    gen->sync = ETM_GEN_SYNC_NONE;
    gen->full_timestamp = true;
    if (!gen->started && gen->ops->finish == NULL) {
        etm_gen_emit_kind(gen, ETM_PACKET_A_SYNC);
        gen->started = !gen->overflow;
    }
    gen->ops->start(gen, reason,
                    (enum etm_in_progress)event->u.trace_on.in_progress);
    if (!gen->overflow)
        gen->cycles_unknown = false;
}

/*
 * A debug entry that has no packet cannot cancel anything in the trace: the
 * instruction is not traced at all. M profile has no number for it.
 */
static bool drops_held(const struct etm_gen *gen, const struct etm_event *event)
{
    return event->kind == ETM_EVENT_EXCEPTION &&
           event->u.exception.type == ETM_EXCEPTION_DEBUG_HALT &&
           event->u.exception.cancels && !etm_gen_data_only(&gen->config) &&
           (gen->options.no_debug_entry ||
            gen->config.profile == ETM_PROFILE_M);
}

/* What was held is not traced, and neither are its data; its time has passed
 * anyway. */
static void drop_held(struct etm_gen *gen)
{
    const struct etm_event *behind = gen->behind.data;

    gen->has_held = false;
    gen->cycles += gen->held.cycles;
    if (gen->ops->untraced != NULL)
        gen->ops->untraced(gen, &gen->held);
    for (size_t i = 0; i < gen->behind.n; i++)
        data(gen, &behind[i]);
    gen->behind.n = 0;
}

/* A trigger before an instruction that may still be traced. */
static void trigger_before(struct etm_gen *gen, const struct etm_event *event)
{
    etm_gen_set_aside(gen, false);
    etm_gen_pass_cycles(gen, event);
    trigger(gen);
    etm_gen_take_up(gen, 0);
}

void etm_gen_take(struct etm_gen *gen, const struct etm_event *event)
{
    if (event->kind == ETM_EVENT_DATA || event->kind == ETM_EVENT_DATA_VALUE ||
        event->kind == ETM_EVENT_STACKING ||
        event->kind == ETM_EVENT_SUPPRESS ||
        ((event->kind == ETM_EVENT_TIMESTAMP ||
          event->kind == ETM_EVENT_TRIGGER) &&
         etm_gen_awaits_data(gen))) {
        take_data(gen, event);
        return;
    }
    if (event->kind == ETM_EVENT_TRIGGER && etm_gen_may_begin(gen)) {
        trigger_before(gen, event);
        return;
    }
    if (gen->has_held && drops_held(gen, event))
        drop_held(gen);
    release(gen, fate_by(gen, event));
    /* The cycles of a trace_on are those of the gap before it. */
    if (event->kind == ETM_EVENT_TRACE_ON)
        trace_off(gen);
    if (event->kind != ETM_EVENT_INSN)
        etm_gen_pass_cycles(gen, event);
    switch ((enum etm_event_kind)event->kind) {
    case ETM_EVENT_INSN:
        take_insn(gen, event);
        return;
    case ETM_EVENT_DATA: /* these were taken */
    case ETM_EVENT_DATA_VALUE:
    case ETM_EVENT_STACKING:
    case ETM_EVENT_SUPPRESS:
        return;
    case ETM_EVENT_EXCEPTION:
        exception(gen, event);
        return;
    case ETM_EVENT_CONTEXT:
        context(gen, event);
        return;
    case ETM_EVENT_TIMESTAMP:
        timestamp(gen, event);
        return;
    case ETM_EVENT_TRIGGER:
        trigger(gen);
        return;
    case ETM_EVENT_TRACE_ON:
        trace_on(gen, event);
        return;
    case ETM_EVENT_TRACE_OFF:
        trace_off(gen);
        return;
    case ETM_EVENT_PLACE:
        if (!gen->on)
            gen->place = event->u.place.at;
        return;
    case ETM_EVENT_IDLE: /* their cycles have passed */
    case ETM_EVENT_PINS:
    case ETM_EVENT_EXT_INPUTS:
    case ETM_EVENT_WAIT:
        return;
    }
    etm_gen_fail(gen, ETM_ERR_ARGUMENT);
}

void etm_gen_take_insn(struct etm_gen *gen, const struct etm_event *event,
                       const struct etm_insn *decoded, uint64_t cycles,
                       const struct etm_place *next)
{
    release(gen, ETM_GEN_COMPLETES);
    hold(gen, event, decoded, cycles, next);
}

void etm_gen_take_data(struct etm_gen *gen, const struct etm_event *events,
                       size_t n, bool filtered)
{
    struct etm_event *kept;

    if (etm_vec_append(&gen->behind, events, n) != ETM_OK) {
        etm_gen_fail(gen, ETM_ERR_MEMORY);
        return;
    }
    kept = gen->behind.data;
    for (size_t i = gen->behind.n - n; i < gen->behind.n; i++)
        kept[i].u.data.filtered = filtered;
}

void etm_gen_release(struct etm_gen *gen)
{
    if (!etm_gen_waits(gen))
        release(gen, ETM_GEN_COMPLETES);
}

bool etm_gen_may_begin(const struct etm_gen *gen)
{
    const struct etm_gen_insn *held = &gen->held;

    return gen->has_held && !gen->on && held->passed &&
           held->decoded.transfers.kind != ETM_TRANSFER_NONE;
}

void etm_gen_set_aside(struct etm_gen *gen, bool silent)
{
    struct etm_event *behind = gen->behind.data;

    gen->has_held = false;
    gen->cycles += gen->held.cycles;
    for (size_t i = 0; i < gen->behind.n; i++) {
        etm_gen_pass_cycles(gen, &behind[i]);
        behind[i].cycles = 0;
        if (silent && behind[i].kind == ETM_EVENT_DATA)
            behind[i].u.data.filtered = true;
    }
}

void etm_gen_take_up(struct etm_gen *gen, uint64_t cycles)
{
    gen->has_held = true;
    gen->held.cycles = cycles;
}

void etm_gen_end(struct etm_gen *gen)
{
    release(gen, ETM_GEN_COMPLETES);
    trace_off(gen);
    if (gen->ops->finish != NULL)
        gen->ops->finish(gen);
}

void etm_gen_drop(struct etm_gen *gen)
{
    gen->on = false;
    if (gen->ops->drop != NULL)
        gen->ops->drop(gen);
    if (!gen->has_held)
        return;
    note_data_insn(gen, &gen->held); /* some of its data may come later */
    drop_held(gen);
}
