/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is traced of a random execution, where the plain resources have said
 * what is selected: a list of events with the beginnings and ends of tracing
 * among them.
 */
#ifndef TEST_MODEL_MACROCELL_SELECT_H
#define TEST_MODEL_MACROCELL_SELECT_H

#include "macrocell_util.h"

#include "expect.h"
#include "moves.h"

#include <etm/decode.h>

/* What the resources say of an event. */
struct verdict {
    bool traced; /* an instruction */
    bool viewed; /* a transfer, if its instruction is traced */
    bool high;   /* TraceEnable is HIGH at it by itself */
};

struct round {
    uint64_t seed;
    struct random r;
    struct etm_config config;
    struct program program;
    struct walk walk;               /* of the generator of tests */
    struct walk done;               /* what the processor did */
    struct walk selected;           /* what is to be traced of it */
    const struct verdict *verdicts; /* of `done` */
    bool closed; /* Secure state is a prohibited region (2.6.2) */
    bool calm;   /* registers that the fast path knows, mostly */
    struct records expected, actual;
    struct got got;
    struct cell cell;
};

static inline void add(struct walk *walk, const struct etm_event *event)
{
    assert_true(walk->n < WALK_EVENTS);
    walk->events[walk->n++] = *event;
}

/* What the processor did: tracing is none of its business. False: the walk
 * begins to trace where no processor could begin. */
static inline bool strip(struct round *round)
{
    const struct walk *walk = &round->walk;
    uint64_t cycles = 0;
    bool on = false;

    round->done.n = 0;
    for (size_t i = 0; i < walk->n; i++) {
        struct etm_event e = walk->events[i];
        bool keep = on;

        if (e.kind == ETM_EVENT_TRACE_ON) {
            struct etm_place at = e.u.trace_on.at;

            if (e.u.trace_on.in_progress != ETM_IN_PROGRESS_NO ||
                (i + 1 < walk->n &&
                 walk->events[i + 1].kind == ETM_EVENT_STACKING))
                return false;
            if (e.cycles == ETM_CYCLES_UNKNOWN)
                e.cycles = 7;
            e.kind = ETM_EVENT_PLACE;
            e.u.place.at = at;
            keep = on = true;
        } else if (e.kind == ETM_EVENT_TRACE_OFF) {
            on = keep = false;
        } else if (e.kind == ETM_EVENT_TRIGGER ||
                   e.kind == ETM_EVENT_TIMESTAMP ||
                   e.kind == ETM_EVENT_SUPPRESS) {
            keep = false;
        } else if (e.kind == ETM_EVENT_CONTEXT ||
                   e.kind == ETM_EVENT_DATA_VALUE) {
            keep = true;
        } else if (e.kind == ETM_EVENT_DATA) {
            e.u.data.filtered = false;
        }
        cycles += e.cycles;
        if (!keep)
            continue;
        e.cycles = cycles;
        cycles = 0;
        add(&round->done, &e);
        if (e.kind == ETM_EVENT_EXCEPTION &&
            e.u.exception.type == ETM_EXCEPTION_DEBUG_HALT)
            on = false;
    }
    return true;
}

/* The selected events, with the beginnings and ends of tracing. */
struct selector {
    struct round *round;
    const struct verdict *verdict; /* of the event */
    struct walk *out;
    bool on, debug_exit, ever;
    uint64_t gap;              /* cycles that were not traced yet */
    unsigned count, done;      /* transfers of the data instruction */
    bool soon_data, soon_cprt; /* in this cycle */
    bool orphans; /* tracing began since the data instruction, without it */
    bool seen_data, seen_cprt, cprt, unclear;
    bool resumes;     /* an untraced instruction leads to one that was paused */
    bool cancel;      /* the instruction is cancelled: no transfer is to come */
    unsigned behind;  /* transfers up to what decides about it */
    unsigned leaving; /* of these, those before tracing stops; 0: it does not */
    bool followed;    /* an exception is what comes after it */
    struct etm_place place;
};

/* Cycles while tracing is off belong to the gap. */
static inline void emit(struct selector *s, struct etm_event e)
{
    s->gap += e.cycles;
    e.cycles = s->on ? s->gap : 0;
    if (s->on)
        s->gap = 0;
    add(s->out, &e);
}

static inline void turn_off(struct selector *s)
{
    struct etm_event t = {.kind = ETM_EVENT_TRACE_OFF};

    if (s->on)
        add(s->out, &t);
    s->on = false;
}

/* Tracing begins in the middle of a data instruction (7.7.3). What VMID that
 * one had is not traced. */
static inline bool begins_under(struct selector *s)
{
    const struct etm_config *c = &s->round->config;

    if (c->protocol == ETM_PROTOCOL_PFT || s->orphans || s->done >= s->count ||
        !(s->cprt ? s->seen_cprt || s->soon_cprt
                  : s->seen_data || s->soon_data))
        return false;
    if (c->vmid || !config_traces_data(c))
        s->unclear = true;
    return true;
}

/* In ETMv3 the first instruction brings its own cycle. */
static inline void turn_on(struct selector *s, struct etm_event *e)
{
    struct etm_event t = {.kind = ETM_EVENT_TRACE_ON};
    bool pft = s->round->config.protocol == ETM_PROTOCOL_PFT;

    s->gap += e->cycles;
    e->cycles = !pft && s->gap > (s->round->config.minor >= 3);
    t.cycles = s->gap - e->cycles;
    /* the counter was reset (7.3.4), or it says nothing */
    if (!pft && (!s->ever || t.cycles == 0))
        t.cycles = ETM_CYCLES_UNKNOWN;
    s->gap = 0;
    s->on = s->ever = true;
    t.u.trace_on.reason =
        s->debug_exit ? ETM_TRACE_ON_DEBUG_EXIT : ETM_TRACE_ON_START;
    t.u.trace_on.at = s->place;
    t.u.trace_on.at.address = e->u.insn.address;
    t.u.trace_on.at.isa = e->u.insn.isa;
    s->orphans = !begins_under(s);
    if (!s->orphans)
        t.u.trace_on.in_progress = ETM_IN_PROGRESS_UNDER;
    add(s->out, &t);
}

/* The instruction whose transfers follow, and how many they are. */
static inline void select_owner(struct selector *s, const struct etm_event *e)
{
    const struct slot *slot = program_at(&s->round->program, e->u.insn.address,
                                         (enum etm_isa)e->u.insn.isa);
    const struct moves *moves = moves_of(slot);

    if (moves == NULL || !e->u.insn.passed)
        return;
    s->count = moves->count;
    s->done = 0;
    s->orphans = false;
    s->cprt = moves->kind == MOVES_CPRT;
    /* where the PC comes first and only some words are traced, which they are
     * cannot be known */
    if (moves_pc_first(moves, &s->round->config))
        s->unclear = true;
    if (s->cancel)
        s->count = 0;
}

static inline void select_data(struct selector *s, struct etm_event e)
{
    if (e.kind == ETM_EVENT_DATA_VALUE) {
        emit(s, e);
        return;
    }
    if (s->cprt)
        s->seen_cprt = true;
    else
        s->seen_data = true;
    s->done++;
    e.u.data.filtered = !s->verdict->viewed;
    /* TraceEnable rises in the middle of an instruction: not here */
    if (!s->on && s->verdict->high)
        s->unclear = true;
    emit(s, e);
    if (s->leaving != 0 && --s->leaving == 0)
        turn_off(s);
}

/* The kinds of transfers in the cycle that begins at `i`. */
static inline void look_ahead(struct selector *s, size_t i)
{
    const struct walk *walk = &s->round->done;
    bool cprt = s->cprt;

    s->soon_data = s->soon_cprt = false;
    for (size_t k = i; k < walk->n && (k == i || walk->events[k].cycles == 0);
         k++) {
        const struct etm_event *e = &walk->events[k];
        const struct moves *moves;

        if (e->kind == ETM_EVENT_STACKING)
            cprt = false;
        if (e->kind == ETM_EVENT_DATA)
            *(cprt ? &s->soon_cprt : &s->soon_data) = true;
        if (e->kind != ETM_EVENT_INSN || !e->u.insn.passed)
            continue;
        moves = moves_of(program_at(&s->round->program, e->u.insn.address,
                                    (enum etm_isa)e->u.insn.isa));
        if (moves != NULL)
            cprt = moves->kind == MOVES_CPRT;
    }
}

/* What leads into a prohibited region does not tell where (2.6.2). */
static inline bool enters(const struct selector *s, struct etm_place *to)
{
    if (!s->round->closed || to->isa == ETM_ISA_UNKNOWN || to->ns)
        return false;
    to->address = 0;
    return true;
}

static inline void select_insn(struct selector *s, struct etm_event e)
{
    struct etm_place next = e.u.insn.next;
    bool leaves = !s->cancel && !s->followed && enters(s, &e.u.insn.next);
    bool traced = s->verdict->traced;

    /* it falls in the very cycle of a data instruction: those of its transfers
     * that are traced count as its last ones (7.4.5), and are not */
    if (!traced && s->on && s->done != 0 && s->done < s->count)
        s->unclear = true;
    if (!traced)
        turn_off(s);
    else if (!s->on)
        turn_on(s, &e);
    /* what tracing begins with was paused: its first transfers are unknown */
    if (s->resumes && e.u.insn.passed)
        s->unclear = true;
    s->resumes = e.u.insn.resume != 0 && !traced;
    if (!s->round->closed || s->place.ns) /* else it is not over */
        s->debug_exit = false;
    select_owner(s, &e);
    s->cancel = false;
    emit(s, e);
    if (next.isa != ETM_ISA_UNKNOWN)
        s->place = next;
    if (leaves && s->behind == 0)
        turn_off(s);
    s->leaving = leaves ? s->behind : 0;
}

static inline bool cancelled(const struct walk *walk, size_t i)
{
    const struct etm_event *e;

    while (++i < walk->n && walk->events[i].kind != ETM_EVENT_INSN) {
        e = &walk->events[i];
        if (e->kind == ETM_EVENT_EXCEPTION)
            return e->u.exception.cancels && e->u.exception.resume == 0 &&
                   e->u.exception.chain == ETM_CHAIN_NONE;
    }
    return false;
}

/* Where an instruction went is nowhere traced: not as its target, nor by what
 * comes after it. Tracing ends with it, before its data. */
static inline bool leads_nowhere(const struct round *round, size_t i)
{
    const struct walk *walk = &round->done;
    const struct etm_event *e = &walk->events[i];

    if (e->u.insn.next.isa != ETM_ISA_UNKNOWN || !e->u.insn.passed ||
        program_at(&round->program, e->u.insn.address,
                   (enum etm_isa)e->u.insn.isa)
                ->class
            != SLOT_INDIRECT)
        return false;
    while (++i < walk->n && walk->events[i].kind != ETM_EVENT_PLACE)
        if (walk->events[i].kind == ETM_EVENT_INSN ||
            walk->events[i].kind == ETM_EVENT_EXCEPTION)
            return false;
    return true;
}

static inline bool select_events(struct round *round)
{
    struct selector s = {.round = round, .out = &round->selected};

    s.out->n = 0;
    for (size_t i = 0; i < round->done.n; i++) {
        struct etm_event e = round->done.events[i];

        s.verdict = &round->verdicts[i];
        if (e.cycles != 0)
            look_ahead(&s, i);
        if (e.kind == ETM_EVENT_INSN) {
            if (cancelled(&round->done, i))
                s.cancel = true;
            s.followed = false;
            s.behind = 0;
            for (size_t k = i + 1; k < round->done.n; k++)
                if (round->done.events[k].kind == ETM_EVENT_DATA)
                    s.behind++;
                else if (round->done.events[k].kind == ETM_EVENT_INSN ||
                         round->done.events[k].kind == ETM_EVENT_EXCEPTION) {
                    s.followed =
                        round->done.events[k].kind == ETM_EVENT_EXCEPTION;
                    break;
                }
            s.unclear = s.unclear || leads_nowhere(round, i);
            select_insn(&s, e);
        } else if (e.kind == ETM_EVENT_DATA || e.kind == ETM_EVENT_DATA_VALUE) {
            select_data(&s, e);
        } else if (e.kind == ETM_EVENT_STACKING) {
            s.count = 0;
            s.cprt = false;
            emit(&s, e);
        } else if (e.kind == ETM_EVENT_PLACE) {
            s.place = e.u.place.at;
            s.count = 0;
            turn_off(&s);
            emit(&s, e);
        } else if (e.kind == ETM_EVENT_PINS || e.kind == ETM_EVENT_EXT_INPUTS) {
            s.gap += e.cycles;
        } else {
            struct etm_place next = e.u.exception.next;
            bool leaves = e.kind == ETM_EVENT_EXCEPTION &&
                          e.u.exception.type != ETM_EXCEPTION_DEBUG_HALT &&
                          enters(&s, &e.u.exception.next);

            emit(&s, e);
            if (e.kind != ETM_EVENT_EXCEPTION)
                continue;
            if (leaves)
                turn_off(&s);
            if (e.u.exception.resume != 0)
                s.count = 0;
            if (e.u.exception.type == ETM_EXCEPTION_DEBUG_HALT) {
                s.on = false;
                s.debug_exit = true;
            } else {
                s.place = next;
            }
        }
    }
    return !s.unclear;
}

#endif
