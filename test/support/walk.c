/* SPDX-License-Identifier: Apache-2.0 */
#include "walk_internal.h"

#include <string.h>

static bool is_m(const struct walker *w)
{
    return w->config->profile == ETM_PROFILE_M;
}

static bool is_pft(const struct walker *w)
{
    return w->config->protocol == ETM_PROTOCOL_PFT;
}

static const struct slot *slot_of(const struct walker *w, unsigned index)
{
    return &w->program->slots[index];
}

void walk_emit(struct walker *w, const struct etm_event *e)
{
    if (w->out->n < WALK_EVENTS)
        w->out->events[w->out->n++] = *e;
}

/* Cycles before an instruction. Before ETMv3.3 each atom needs its own. */
static uint64_t insn_cycles(struct walker *w, const struct slot *s)
{
    uint64_t least = 0;

    if (!is_pft(w) && w->config->minor < 3)
        least =
            w->config->thumb32_split && s->isa != ETM_ISA_ARM && s->size == 4
                ? 2
                : 1;
    if (random_chance(w->r, 2))
        return least + random_below(w->r, is_pft(w) ? 3000000 : 60);
    if (random_chance(w->r, 20))
        return least + random_below(w->r, 20);
    return least + random_below(w->r, 3);
}

static struct etm_place place_of(const struct walker *w, unsigned slot,
                                 struct etm_place state)
{
    state.address = slot_of(w, slot)->address;
    state.isa = slot_of(w, slot)->isa;
    return state;
}

/* A random instruction of `isa`, or the one at hand. */
static unsigned any(struct walker *w, enum etm_isa isa)
{
    unsigned slot = program_any(w->program, w->r, isa);

    return slot == NO_SLOT ? w->slot : slot;
}

static bool classic(unsigned isa)
{
    return isa == ETM_ISA_ARM || isa == ETM_ISA_THUMB;
}

/* Where an indirect branch may go that changes no more than it can. */
static unsigned indirect_target(struct walker *w, const struct slot *s)
{
    if ((s->flags & SLOT_RETURN) != 0 && w->n_calls != 0 &&
        random_chance(w->r, 65)) {
        unsigned to = w->calls[w->n_calls - 1];
        unsigned isa = slot_of(w, to)->isa;

        w->n_calls--;
        if (isa == s->isa || ((s->flags & SLOT_INTERWORKS) != 0 &&
                              classic(isa) && classic(s->isa)))
            return to;
    }
    if ((s->flags & SLOT_TO_JAZELLE) != 0 && random_chance(w->r, 70))
        return any(w, ETM_ISA_JAZELLE);
    if (s->isa == ETM_ISA_JAZELLE)
        return any(w, random_chance(w->r, 60) ? ETM_ISA_JAZELLE : ETM_ISA_ARM);
    if ((s->flags & SLOT_INTERWORKS) != 0 && !is_m(w) &&
        random_chance(w->r, 40)) {
        if (s->isa == ETM_ISA_ARM)
            return any(w, ETM_ISA_THUMB);
        return any(w, ETM_ISA_ARM);
    }
    return any(w, (enum etm_isa)s->isa);
}

/* An exception return can go to any state. */
static struct etm_place exception_return_target(struct walker *w,
                                                const struct slot *s)
{
    static const uint8_t isas[3] = {ETM_ISA_ARM, ETM_ISA_THUMB,
                                    ETM_ISA_THUMBEE};
    struct etm_place to;

    if (w->n_interrupted != 0 && random_chance(w->r, 70)) {
        const struct walk_return *back = &w->interrupted[--w->n_interrupted];

        to = back->place;
        w->resume = back->resume;
        w->resume_base = back->base;
        if (to.isa != ETM_ISA_JAZELLE || s->isa == ETM_ISA_ARM)
            return to;
    }
    to = place_of(w,
                  any(w, is_m(w) ? ETM_ISA_THUMB : isas[random_below(w->r, 3)]),
                  w->place);
    if (w->config->security && random_chance(w->r, 30))
        to.ns = random_chance(w->r, 50);
    to.hyp = w->config->virtualization && to.ns && random_chance(w->r, 40);
    return to;
}

static unsigned slot_at(const struct walker *w, struct etm_place place)
{
    const struct slot *s =
        program_at(w->program, place.address, (enum etm_isa)place.isa);

    return (unsigned)(s - w->program->slots);
}

static void emit_timestamp(struct walker *w)
{
    struct etm_event e = {.kind = ETM_EVENT_TIMESTAMP,
                          .cycles = random_below(w->r, 3)};
    unsigned shift = random_below(w->r, 40);

    w->time += random_next(w->r) >> (63 - shift);
    e.u.timestamp.value = w->time;
    e.u.timestamp.frequency_changed = random_chance(w->r, 10);
    walk_emit(w, &e);
}

static void emit_trigger(struct walker *w)
{
    struct etm_event e = {.kind = ETM_EVENT_TRIGGER,
                          .cycles = random_below(w->r, 3)};

    walk_emit(w, &e);
}

static void emit_context(struct walker *w)
{
    struct etm_event e = {.kind = ETM_EVENT_CONTEXT,
                          .cycles = random_below(w->r, 3)};

    if (random_chance(w->r, 50))
        w->context_id ^= random_below(w->r, 256);
    else if (random_chance(w->r, 80))
        w->context_id = (uint32_t)random_next(w->r);
    if (random_chance(w->r, 50))
        w->vmid = (uint8_t)random_next(w->r);
    e.u.context.context_id = w->context_id;
    e.u.context.vmid = w->vmid;
    walk_emit(w, &e);
}

/* Tracing begins somewhere. */
static void begin_in_stacking(struct walker *w);

static void emit_trace_on(struct walker *w, enum etm_trace_on_reason reason,
                          bool without_pause)
{
    static const uint8_t isas[4] = {ETM_ISA_ARM, ETM_ISA_THUMB, ETM_ISA_THUMBEE,
                                    ETM_ISA_JAZELLE};
    struct etm_event e = {.kind = ETM_EVENT_TRACE_ON};

    /* PFT outputs nothing in Jazelle state: not a good beginning */
    if (random_chance(w->r, 60) && !w->quiet) {
        unsigned n = w->out->n < 2 ? 3 : 4;

        w->slot = any(w, is_m(w) ? ETM_ISA_THUMB : isas[random_below(w->r, n)]);
        w->place = place_of(w, w->slot, w->place);
        if (w->config->security)
            w->place.ns = random_chance(w->r, 50);
        w->place.hyp =
            w->config->virtualization && w->place.ns && random_chance(w->r, 50);
    }
    e.cycles = 1 + random_below(w->r, random_chance(w->r, 20) ? 5000000 : 500);
    if (!is_pft(w) && random_chance(w->r, 5))
        e.cycles = ETM_CYCLES_UNKNOWN;
    e.u.trace_on.reason = (uint8_t)reason;
    e.u.trace_on.at = w->place;
    w->resume = 0;
    if (w->data && !without_pause && random_chance(w->r, 20) &&
        walk_data_in_progress(w, &e)) {
        walk_emit(w, &e);
        return;
    }
    walk_emit(w, &e);
    if (w->data && is_m(w) && random_chance(w->r, 15))
        begin_in_stacking(w);
}

struct choice {
    uint8_t type;
    uint8_t vector; /* offset; 0xff: anywhere */
};

static struct choice random_exception(struct walker *w, const struct slot *s)
{
    static const struct choice classic_ones[] = {
        {ETM_EXCEPTION_RESET, 0x00},      {ETM_EXCEPTION_PREFETCH_ABORT, 0x0c},
        {ETM_EXCEPTION_DATA_ABORT, 0x10}, {ETM_EXCEPTION_ASYNC_DATA_ABORT, 16},
        {ETM_EXCEPTION_IRQ, 0x18},        {ETM_EXCEPTION_FIQ, 0x1c},
        {ETM_EXCEPTION_IRQ, 0x18},        {ETM_EXCEPTION_IRQ, 0xff},
        {ETM_EXCEPTION_GENERIC, 0xff},    {ETM_EXCEPTION_PREFETCH_ABORT, 0xff},
    };
    static const uint8_t m_ones[] = {
        ETM_EXCEPTION_RESET,      ETM_EXCEPTION_NMI,
        ETM_EXCEPTION_HARD_FAULT, ETM_EXCEPTION_MEM_MANAGE,
        ETM_EXCEPTION_BUS_FAULT,  ETM_EXCEPTION_USAGE_FAULT,
        ETM_EXCEPTION_PEND_SV,    ETM_EXCEPTION_SYS_TICK,
        ETM_EXCEPTION_IRQ_N,      ETM_EXCEPTION_IRQ_N,
        ETM_EXCEPTION_IRQ_N,      ETM_EXCEPTION_DEBUG_MONITOR};
    struct choice c = {.vector = 0xff};

    if (is_m(w)) {
        c.type = m_ones[random_below(w->r, sizeof m_ones)];
        return c;
    }
    if ((s->isa == ETM_ISA_THUMBEE || s->isa == ETM_ISA_JAZELLE) &&
        random_chance(w->r, 40)) {
        c.type = ETM_EXCEPTION_JAZELLE_THUMBEE;
        return c;
    }
    do
        c = classic_ones[random_below(w->r, sizeof classic_ones /
                                                sizeof classic_ones[0])];
    while (c.type == ETM_EXCEPTION_GENERIC && !is_pft(w) &&
           w->config->minor < 3);
    return c;
}

/* The state and place of a handler. */
static struct etm_place handler(struct walker *w, struct choice c,
                                const struct slot *s)
{
    unsigned slot = NO_SLOT;
    struct etm_place to = w->place;

    if (c.vector != 0xff && random_chance(w->r, 70))
        slot = program_vector(w->program, c.vector);
    if (slot == NO_SLOT)
        slot = any(w, !is_m(w) && (s->isa == ETM_ISA_JAZELLE ||
                                   random_chance(w->r, 50))
                          ? ETM_ISA_ARM
                          : ETM_ISA_THUMB);
    /* no handler is bytecode, also where the one at hand goes there */
    if (slot_of(w, slot)->isa == ETM_ISA_JAZELLE)
        slot = any(w, ETM_ISA_ARM);
    to = place_of(w, slot, to);
    to.hyp = false;
    if (w->config->security && random_chance(w->r, 10))
        to.ns = !to.ns;
    if (c.type == ETM_EXCEPTION_SMC)
        to.ns = false;
    if (c.type == ETM_EXCEPTION_HYP_ENTRY)
        to.ns = to.hyp = true;
    return to;
}

static void enter_handler(struct walker *w, struct etm_event *e,
                          struct choice c, const struct slot *s,
                          struct etm_place back)
{
    e->kind = ETM_EVENT_EXCEPTION;
    e->cycles = random_below(w->r, 4);
    e->u.exception.type = c.type;
    if (c.type == ETM_EXCEPTION_IRQ_N)
        e->u.exception.irq =
            (uint16_t)random_below(w->r, random_chance(w->r, 50) ? 10 : 496);
    e->u.exception.next = handler(w, c, s);
    walk_emit(w, e);
    if (w->n_interrupted < WALK_DEPTH)
        w->interrupted[w->n_interrupted++] =
            (struct walk_return){back, e->u.exception.resume, w->base};
    /* data-only: nothing would tell of two transfers of coprocessors that they
     * are no doubleword (E-494) */
    if (c.type == ETM_EXCEPTION_RESET &&
        !(w->config->data_only && w->config->cprt))
        walk_data_lose(w);
    w->resume = 0;
    w->place = e->u.exception.next;
    w->slot = slot_at(w, w->place);
}

/* An exception after the instruction `s` that stood at `at`. */
static void interrupt(struct walker *w, const struct slot *s,
                      struct etm_place at, struct choice c, bool cancels,
                      bool returned, unsigned resume)
{
    struct etm_event e = {.kind = ETM_EVENT_EXCEPTION};
    bool half =
        w->config->thumb32_split && s->isa != ETM_ISA_ARM && s->size == 4;

    e.u.exception.cancels = cancels;
    e.u.exception.resume = (uint8_t)resume;
    if (cancels && moves_of(s) != NULL) /* its own are not to come any more */
        walk_data_settle(w);
    if (cancels && !is_pft(w) && !half && !returned &&
        (s->flags & SLOT_EXCEPTION_RETURN) == 0 && random_chance(w->r, 20)) {
        if (random_chance(w->r, 50))
            emit_timestamp(w);
        else
            emit_trigger(w);
    }
    if (is_m(w) && c.type != ETM_EXCEPTION_RESET && random_chance(w->r, 90))
        walk_stacking(w, false, (struct etm_place){0}, 8);
    enter_handler(w, &e, c, s, cancels ? at : w->place);
}

/* Tracing begins while registers are pushed or popped (7.5.3, 7.5.4). */
static void begin_in_stacking(struct walker *w)
{
    const struct slot *s = slot_of(w, w->slot);
    unsigned n = 1 + random_below(w->r, 8);

    if (random_chance(w->r, 50)) {
        struct etm_event e = {.kind = ETM_EVENT_EXCEPTION};

        e.u.exception.cancels = random_chance(w->r, 50);
        walk_stacking(w, false, w->place, n);
        enter_handler(w, &e, random_exception(w, s), s, w->place);
        return;
    }
    w->slot = any(w, ETM_ISA_THUMB);
    w->place = place_of(w, w->slot, w->place);
    walk_stacking(w, true, w->place, n);
}

static void enter_debug(struct walker *w, bool returned)
{
    struct etm_event e = {.kind = ETM_EVENT_EXCEPTION};

    walk_data_settle(w);
    walk_data_lose(w);
    e.cycles = random_below(w->r, 4);
    e.u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
    e.u.exception.cancels = random_chance(w->r, 30) && !(returned && w->data);
    walk_emit(w, &e);
    if (random_chance(w->r, 30))
        emit_context(w);
    emit_trace_on(w, ETM_TRACE_ON_DEBUG_EXIT, false);
}

/* Instructions while tracing is off. */
static void run_untraced(struct walker *w)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct slot *s = slot_of(w, any(w, ETM_ISA_THUMB));
        struct etm_event e = {.kind = ETM_EVENT_INSN,
                              .cycles = random_below(w->r, 5)};

        e.u.insn.address = s->address;
        e.u.insn.opcode = s->opcode;
        e.u.insn.isa = s->isa;
        e.u.insn.size = s->size;
        e.u.insn.passed = random_chance(w->r, 50);
        walk_emit(w, &e);
    }
}

static void make_gap(struct walker *w)
{
    struct etm_event e = {.kind = ETM_EVENT_TRACE_OFF,
                          .cycles = random_below(w->r, 5)};

    walk_data_settle(w);
    if (random_chance(w->r, 30))
        walk_data_lose(w);
    if (random_chance(w->r, 10)) { /* restarted without a pause */
        emit_trace_on(w, ETM_TRACE_ON_OVERFLOW, true);
        return;
    }
    walk_emit(w, &e);
    if (random_chance(w->r, 30))
        emit_context(w);
    if (random_chance(w->r, 30))
        run_untraced(w);
    if (random_chance(w->r, 20))
        emit_trigger(w);
    if (random_chance(w->r, 20))
        emit_timestamp(w);
    walk_data_between(w);
    emit_trace_on(
        w, random_chance(w->r, 50) ? ETM_TRACE_ON_OVERFLOW : ETM_TRACE_ON_START,
        false);
}

/* What a trap instruction that passed its condition leads to. */
static bool trap(struct walker *w, const struct slot *s, struct etm_place at)
{
    struct choice c = {ETM_EXCEPTION_SVC, 0x08};
    bool cancels = false;

    if ((s->flags & SLOT_SVC) != 0) {
        if (is_m(w))
            c.vector = 0xff;
    } else if ((s->flags & SLOT_SMC) != 0) {
        c = (struct choice){ETM_EXCEPTION_SMC, 0xff};
    } else if ((s->flags & SLOT_HVC) != 0) {
        c = (struct choice){ETM_EXCEPTION_HYP_ENTRY, 0x14};
    } else if ((s->flags & SLOT_BKPT) != 0) {
        c = (struct choice){ETM_EXCEPTION_PREFETCH_ABORT, 0x0c};
        if (is_m(w))
            c = (struct choice){ETM_EXCEPTION_DEBUG_MONITOR, 0xff};
        cancels = true;
    } else if ((s->flags & SLOT_UDF) != 0) {
        c = (struct choice){ETM_EXCEPTION_UNDEFINED, 0x04};
        if (is_m(w))
            c = (struct choice){ETM_EXCEPTION_USAGE_FAULT, 0xff};
        cancels = is_m(w);
    } else {
        return false;
    }
    interrupt(w, s, at, c, cancels, false, 0);
    return true;
}

/* Something may happen between two instructions. */
static void between(struct walker *w, const struct slot *s, struct etm_place at,
                    bool returned)
{
    uint32_t dice = random_below(w->r, 100);

    if (dice < 4) {
        struct choice c = random_exception(w, s);
        bool cancels = random_chance(w->r, 40);

        if (c.type == ETM_EXCEPTION_RESET && !is_pft(w))
            cancels = true;
        if (returned && w->data) { /* the pop has shown that it completed */
            cancels = false;
            if (c.type == ETM_EXCEPTION_RESET) /* which always cancels */
                c.type = ETM_EXCEPTION_NMI;
        }
        interrupt(w, s, at, c, cancels, returned, 0);
    } else if (dice < 7) {
        emit_context(w);
    } else if (dice < 10) {
        emit_timestamp(w);
    } else if (dice < 11) {
        emit_trigger(w);
    } else if (dice < 12) {
        make_gap(w);
    } else if (dice < 13 && random_chance(w->r, 60)) {
        enter_debug(w, returned);
    }
}

/* The instruction returned from an M-profile exception, and another one follows
 * at once. */
static void chain(struct walker *w, const struct slot *s)
{
    struct etm_event e = {.kind = ETM_EVENT_EXCEPTION};
    uint8_t resume = w->resume; /* of where it will return to */
    unsigned before = w->n_interrupted;

    e.u.exception.chain =
        random_chance(w->r, 70) ? ETM_CHAIN_TAIL : ETM_CHAIN_PREEMPTED;
    if (e.u.exception.chain == ETM_CHAIN_PREEMPTED)
        walk_stacking(w, true, (struct etm_place){0}, random_below(w->r, 8));
    w->base = w->resume_base;
    enter_handler(w, &e, random_exception(w, s), s, w->place);
    if (w->n_interrupted > before)
        w->interrupted[before].resume = resume;
}

/* A data instruction that does not get to its end: how far does it get? */
static unsigned breaks_off(struct walker *w, const struct slot *s, bool passed,
                           unsigned from)
{
    const struct moves *moves = moves_of(s);

    if (!w->data || !passed || moves == NULL || moves->count < 2 || w->quiet ||
        (s->flags & SLOT_EXCEPTION_RETURN) != 0 || !random_chance(w->r, 8))
        return UINT8_MAX;
    return from + random_below(w->r, moves->count - from);
}

/* It is cancelled; or, if it can go on after the handler, paused. */
static void break_off(struct walker *w, const struct slot *s,
                      struct etm_place at, unsigned to)
{
    struct choice c = random_exception(w, s);
    bool pause = is_m(w) && moves_of(s)->list != 0 && to >= 1 && to <= 15 &&
                 random_chance(w->r, 70);

    w->slot = slot_at(w, at);
    w->place = at;
    interrupt(w, s, at, c, true, false, pause ? to : 0);
}

static void step(struct walker *w)
{
    const struct slot *s = slot_of(w, w->slot);
    unsigned from = w->resume, to;
    struct etm_place at = w->place;
    bool passed = (s->flags & SLOT_CONDITIONAL) == 0 || random_chance(w->r, 50);
    bool returned = is_m(w) && passed && s->class == SLOT_INDIRECT &&
                    (s->flags & SLOT_RETURN) != 0 && random_chance(w->r, 20);
    struct etm_event e = {.kind = ETM_EVENT_INSN, .cycles = insn_cycles(w, s)};
    unsigned next = w->slot + 1;

    if (moves_of(s) != NULL)
        walk_data_settle(w);
    walk_data_between(w);
    w->resume = 0;
    e.u.insn.address = s->address;
    e.u.insn.opcode = s->opcode;
    e.u.insn.isa = s->isa;
    e.u.insn.size = s->size;
    e.u.insn.passed = passed;
    e.u.insn.exception_return = returned;
    if (passed && ((s->flags & SLOT_EXCEPTION_RETURN) != 0 || returned)) {
        w->place = exception_return_target(w, s);
        next = slot_at(w, w->place);
    } else if (passed && s->class == SLOT_DIRECT) {
        next = s->target;
    } else if (passed && s->class == SLOT_INDIRECT) {
        next = indirect_target(w, s);
    }
    if (passed && (s->flags & SLOT_LINK) != 0 && w->n_calls < WALK_DEPTH)
        w->calls[w->n_calls++] = w->slot + 1;
    w->place = place_of(w, next, w->place);
    /* what is not simply the next instruction has to be said */
    if (w->place.address != s->address + s->size || w->place.isa != s->isa ||
        w->place.ns != at.ns || w->place.hyp != at.hyp ||
        random_chance(w->r, 50))
        e.u.insn.next = w->place;
    w->slot = next;
    to = returned ? UINT8_MAX : breaks_off(w, s, passed, from);
    if (to == UINT8_MAX && returned && random_chance(w->r, 25)) {
        walk_emit(w, &e);
        walk_data_insn(w, s, from, UINT8_MAX);
        walk_data_settle(w); /* a pop would own what comes later */
        chain(w, s);
        return;
    }
    e.u.insn.resume = to == UINT8_MAX ? w->resume : 0;
    walk_emit(w, &e);
    if (passed)
        walk_data_insn(w, s, from, to);
    if (returned)
        walk_data_settle(w);
    if (to != UINT8_MAX) {
        break_off(w, s, at, to);
        return;
    }
    if (returned && random_chance(w->r, 90))
        walk_stacking(w, true, (struct etm_place){0}, 8);
    if ((!passed || !trap(w, s, at)) && !w->quiet)
        between(w, s, at, returned);
}

static void make(struct walk *walk, const struct program *program,
                 struct random *r, unsigned steps, bool quiet)
{
    struct walker w = {.program = program,
                       .config = program->config,
                       .r = r,
                       .out = walk,
                       .quiet = quiet,
                       .data = config_traces_data(program->config),
                       .time = random_next(r) >> 24};
    unsigned first = program->regions[0].vectors ? 8 : 0;

    walk->n = 0;
    /* straight code is of use only if it is not interrupted */
    for (unsigned i = 0; i < program->n_regions; i++)
        if (program->regions[i].n > 1000 && random_chance(r, 80)) {
            w.quiet = true;
            first = program->regions[i].first;
        }
    w.slot = first;
    w.place = place_of(&w, first, w.place);
    emit_context(&w);
    emit_trace_on(&w, ETM_TRACE_ON_START, false);
    while (steps-- != 0 && walk->n + 100 < WALK_EVENTS) {
        step(&w);
        w.quiet = w.quiet && walk->n < 1500;
    }
    walk_data_settle(&w);
}

void walk_make(struct walk *walk, const struct program *program,
               struct random *r, unsigned steps)
{
    make(walk, program, r, steps, false);
}

void walk_make_calm(struct walk *walk, const struct program *program,
                    struct random *r, unsigned steps)
{
    make(walk, program, r, steps, true);
}
