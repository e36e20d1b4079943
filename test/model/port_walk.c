/* SPDX-License-Identifier: Apache-2.0 */
#include "port_walk.h"

#include "element_text.h"

#include <stdio.h>
#include <string.h>

#define LATE 40u

/* A value that is to come. */
struct waiting {
    bool used, void_owner;
    struct port_truth truth;
    uint64_t value;
};

struct walker {
    struct port_walk *out;
    const struct program *program;
    const struct etm_config *config;
    const struct etm_generator_config *options;
    struct random *r;
    bool old;                /* ETMv1 */
    const struct slot *slot; /* the next instruction */
    uint64_t time;           /* records so far */
    uint32_t context_id;
    uint32_t address; /* of data */
    bool on;
    bool fold; /* a direct branch was the last event */
    /* of ETMv1 */
    unsigned fill;   /* bytes in the FIFO, about */
    unsigned least;  /* cycles that the next instruction needs */
    uint64_t passed; /* since the last instruction that was given */
    uint32_t told;   /* the context ID in the trace */
    bool told_known;
    struct etm_event late[LATE];
    struct port_truth late_truth[LATE];
    unsigned n_late;
    struct waiting waiting[5][2]; /* by tag */
};

static void emit(struct walker *w, struct etm_event e, uint64_t cycles)
{
    e.cycles = cycles;
    w->time += cycles;
    w->passed += cycles;
    w->fill -= w->fill < cycles / 2 ? w->fill : (unsigned)(cycles / 2);
    if (w->out->n < PORT_EVENTS)
        w->out->events[w->out->n++] = e;
    w->fold = false;
}

static void expect(struct walker *w, struct port_truth t)
{
    t.time = w->time - 1;
    if (w->out->n_truth < PORT_EVENTS)
        w->out->truth[w->out->n_truth++] = t;
}

/* Cycles of an event that needs so many. */
static uint64_t cycles(struct walker *w, unsigned least)
{
    if (!w->out->exact)
        return random_below(w->r, 3);
    if (random_chance(w->r, 5))
        return least + random_below(w->r, 60);
    return least + (random_chance(w->r, 40) ? random_below(w->r, 4) : 0);
}

static uint32_t traced_context(const struct walker *w)
{
    unsigned bytes = w->config->context_id_bytes;

    if (bytes == 0)
        return 0;
    return bytes == 4 ? w->context_id
                      : w->context_id & (((uint32_t)1 << (8 * bytes)) - 1);
}

/* ETMv1: an address is in the trace, and with it what the context ID is. */
static void tell(struct walker *w)
{
    w->told = traced_context(w);
    w->least = 3;
}

static struct etm_place place_of(const struct slot *s)
{
    return (struct etm_place){.address = s->address, .isa = s->isa};
}

static const struct moves *moves(const struct slot *s)
{
    return s->isa == ETM_ISA_JAZELLE ? NULL : moves_of(s);
}

/* Where an indirect branch may go: never to a vector, which would be an
 * exception (BRX-08). */
static const struct slot *any(struct walker *w)
{
    for (;;) {
        enum etm_isa isa =
            random_chance(w->r, 50) ? ETM_ISA_ARM : ETM_ISA_THUMB;
        unsigned i = program_any(w->program, w->r, isa);

        if (i != NO_SLOT && i >= VECTORS)
            return &w->program->slots[i];
    }
}

static struct etm_event insn_event(const struct slot *s, bool passed)
{
    struct etm_event e = {.kind = ETM_EVENT_INSN};

    e.u.insn.address = s->address;
    e.u.insn.opcode = s->opcode;
    e.u.insn.isa = s->isa;
    e.u.insn.size = s->size;
    e.u.insn.passed = passed;
    return e;
}

static struct port_truth insn_truth(const struct walker *w,
                                    const struct slot *s, bool passed)
{
    static const uint8_t types[] = {[SLOT_OTHER] = ETM_INSN_TYPE_OTHER,
                                    [SLOT_DIRECT] = ETM_INSN_TYPE_DIRECT,
                                    [SLOT_INDIRECT] = ETM_INSN_TYPE_INDIRECT,
                                    [SLOT_ISB] = ETM_INSN_TYPE_BARRIER,
                                    [SLOT_DSB_DMB] = ETM_INSN_TYPE_BARRIER};

    return (struct port_truth){
        .e = {.kind = ETM_ELEMENT_INSN,
              .u.insn = {.address = s->address,
                         .opcode = s->opcode,
                         .isa = s->isa,
                         .size = s->size,
                         .type = types[s->class],
                         .exec = passed ? ETM_TRUE : ETM_FALSE}},
        .context_known = w->told_known,
        .context_id = !w->told_known ? 0
                      : w->old       ? w->told
                                     : traced_context(w)};
}

/* The values of a tag come. */
static void give_values(struct walker *w, unsigned tag)
{
    struct etm_event e = {.kind = ETM_EVENT_DATA_VALUE};

    e.u.data_value.tag = (uint8_t)tag;
    for (unsigned i = 0; i < 2 && w->waiting[tag][i].used; i++) {
        struct waiting *v = &w->waiting[tag][i];

        e.u.data_value.value = v->value;
        emit(w, e, i != 0 ? 0 : cycles(w, 1));
        v->used = false;
        if (!v->void_owner)
            expect(w, v->truth);
    }
}

static void give_any_values(struct walker *w, unsigned percent)
{
    for (unsigned tag = 1; tag <= 4; tag++)
        if (random_chance(w->r, percent))
            give_values(w, tag);
}

/* What is outstanding of the last data instruction comes now. */
static void settle(struct walker *w)
{
    for (unsigned i = 0; i < w->n_late; i++) {
        emit(w, w->late[i], cycles(w, 1));
        if (w->late_truth[i].e.kind == ETM_ELEMENT_DATA && w->on)
            expect(w, w->late_truth[i]);
    }
    w->n_late = 0;
}

struct transfers {
    unsigned n;
    struct etm_event events[LATE];
    struct port_truth truth[LATE];
};

static bool is_traced(const struct walker *w, const struct moves *m)
{
    if (m->kind == MOVES_CPRT)
        return w->config->cprt && (!w->old || w->config->data_value);
    return w->config->data_value || w->config->data_address;
}

/* Of ETMv1: nobody could tell how many transfers they are, or the FIFO has no
 * room for them; so they are never selected. */
static bool is_unseen(const struct walker *w, const struct moves *m)
{
    return w->old && (m->count == 0 || m->count > 8);
}

/* A load of one word, which those that ETMv1 traces rotate (4.9.1). */
static bool is_rotated(const struct walker *w, const struct moves *m)
{
    return w->old && m->kind == MOVES_CORE && m->size == 4 && m->list == 0 &&
           m->store == 0 && m->count == 1 && !m->exclusive;
}

/* The value as the trace has it: a rotated one whose address is not traced
 * cannot be turned back. */
static uint64_t seen_value(const struct walker *w, const struct moves *m,
                           const struct etm_event *e)
{
    unsigned by = 8 * (e->u.data.address & 3);
    uint64_t value = e->u.data.value;

    if (!is_rotated(w, m) || by == 0 || w->config->data_address)
        return value;
    return (uint32_t)(value << by | value >> (32 - by));
}

/* The transfers `from` to the last of an instruction, and what the trace says
 * of them. */
static void make_transfers(struct walker *w, const struct slot *s,
                           const struct moves *m, unsigned from,
                           struct transfers *t)
{
    unsigned count = m->count != 0 ? m->count : random_below(w->r, 5);
    bool pc_first = moves_pc_first(m, w->config);
    bool any_filter = m->count != 0 && random_chance(w->r, 30);
    bool begun = false;
    uint32_t base;

    if (random_chance(w->r, 10))
        w->address = (uint32_t)random_next(w->r);
    w->address ^= random_below(w->r, 1u << random_below(w->r, 20));
    base = w->address & ~(m->size - 1u);
    if (is_rotated(w, m) && random_chance(w->r, 30))
        base = w->address;
    if (s->opcode == 0xe12fff21) /* BXJ */
        count = 0;
    t->n = 0;
    for (unsigned i = from; i < count; i++) {
        struct etm_event *e = &t->events[t->n];
        struct port_truth *v = &t->truth[t->n++];
        bool filtered =
            is_unseen(w, m) || (any_filter && random_chance(w->r, 40));

        *e = (struct etm_event){.kind = ETM_EVENT_DATA};
        e->u.data.address = m->store == 2 ? base
                            : !pc_first   ? base + 4 * i
                            : i == 0      ? base + 4 * (count - 1)
                                          : base + 4 * (i - 1);
        e->u.data.size = m->size;
        e->u.data.value = random_value(w->r, m->size);
        e->u.data.store = m->store == 1 || (m->store == 2 && i == 1);
        e->u.data.filtered = filtered;
        *v = (struct port_truth){
            .e.u.data = {.insn_known = true,
                         .insn = s->address,
                         .index = (uint8_t)i,
                         .size = m->size,
                         .store = e->u.data.store ? ETM_TRUE : ETM_FALSE,
                         .be8 = ETM_UNKNOWN}};
        if (w->old) /* for all of them */
            filtered = t->events[0].u.data.filtered;
        if (m->kind == MOVES_CPRT)
            filtered = false; /* ViewData does not matter (4.11.3) */
        if (!is_traced(w, m) ||
            (filtered && (w->old || !begun || m->count == 1)))
            continue;
        begun = true;
        v->e.kind = ETM_ELEMENT_DATA;
        v->e.u.data.reg = moves_register(m, i, pc_first, &v->e.u.data.reg_kind);
        v->e.u.data.status = filtered ? ETM_DATA_NOT_TRACED : ETM_DATA_OK;
        v->e.u.data.value_known = w->config->data_value && !filtered;
        v->e.u.data.value = v->e.u.data.value_known ? seen_value(w, m, e) : 0;
        v->e.u.data.address_known =
            w->config->data_address && m->kind != MOVES_CPRT;
        v->e.u.data.address = v->e.u.data.address_known ? e->u.data.address : 0;
    }
}

/* Some loads miss: their values come later, now and then two words in one. */
static void miss(struct walker *w, const struct moves *m, struct transfers *t)
{
    unsigned tag = 1 + random_below(w->r, 4);
    unsigned i = t->n == 0 ? 0 : random_below(w->r, t->n);
    bool two = i + 1 < t->n && random_chance(w->r, 40);

    if (t->n == 0 || m->store != 0 || m->kind == MOVES_CPRT ||
        !w->config->data_value || w->waiting[tag][0].used || !w->on)
        return;
    for (unsigned k = 0; k < 1u + two; k++) {
        struct port_truth *v = &t->truth[i + k];

        if (v->e.kind != ETM_ELEMENT_DATA || v->e.u.data.status != ETM_DATA_OK)
            return;
        t->events[i + k].u.data.tag = (uint8_t)tag;
        w->waiting[tag][k] = (struct waiting){
            .used = true, .truth = *v, .value = t->events[i + k].u.data.value};
        v->e.kind = 0;
    }
}

static bool is_paired(const struct transfers *t, unsigned i)
{
    return i != 0 && t->events[i].u.data.tag != 0 &&
           t->events[i].u.data.tag == t->events[i - 1].u.data.tag;
}

/* The data of an instruction whose event was the last. `voided`: an exception
 * makes them void; `at_once`: none is late. */
static void data(struct walker *w, const struct slot *s, const struct moves *m,
                 bool voided, bool at_once)
{
    static struct transfers t;
    unsigned late;

    make_transfers(w, s, m, 0, &t);
    if (!w->old && random_chance(w->r, 25))
        miss(w, m, &t);
    late = t.n;
    if (!w->old && !at_once && random_chance(w->r, 20))
        late = random_below(w->r, t.n + 1);
    for (unsigned i = late; i < t.n; i++)
        if (t.events[i].u.data.tag != 0) /* its value must come after it */
            late = i + 1;
    for (unsigned i = 0; i < t.n; i++) {
        bool shares = i == 0 && !(w->options->branch_before_data &&
                                  s->class != SLOT_OTHER);
        bool zero = is_paired(&t, i) || (shares && random_chance(w->r, 60));

        if (i >= late) {
            w->late[w->n_late] = t.events[i];
            w->late_truth[w->n_late++] = t.truth[i];
            continue;
        }
        emit(w, t.events[i],
             w->old ? random_below(w->r, 3)
             : zero ? 0
                    : cycles(w, 1));
        w->fill += t.truth[i].e.kind == ETM_ELEMENT_DATA ? 5 : 0;
        if (t.truth[i].e.kind == ETM_ELEMENT_DATA && !voided && w->on)
            expect(w, t.truth[i]);
        if (voided && t.events[i].u.data.tag != 0)
            for (unsigned k = 0; k < 2; k++)
                w->waiting[t.events[i].u.data.tag][k].void_owner = true;
    }
}

/* Cycles of an exception. One that no instruction carries is, in ETMv1, an
 * instruction of its own. */
static uint64_t entry_cycles(struct walker *w, unsigned least, bool carried)
{
    if (w->old)
        return random_below(w->r, 3) + (carried ? 0 : w->least);
    return cycles(w, least);
}

static void enter(struct walker *w, enum etm_exception_type type,
                  unsigned number, bool cancels, struct port_truth t,
                  uint64_t c)
{
    struct etm_event e = {.kind = ETM_EVENT_EXCEPTION};

    w->slot = &w->program->slots[number];
    e.u.exception.type = (uint8_t)type;
    e.u.exception.cancels = cancels;
    e.u.exception.next = place_of(w->slot);
    emit(w, e, c);
    tell(w);
    t.e.kind = ETM_ELEMENT_EXCEPTION;
    t.e.u.exception.type = (uint8_t)type;
    t.e.u.exception.number = (uint16_t)number;
    if (type == ETM_EXCEPTION_RESET) {
        t.e.u.exception.return_known = false;
        t.e.u.exception.return_address = 0;
        w->told_known = w->told_known && !w->old;
    }
    expect(w, t);
}

/* An exception that cancels `at`: the last instruction, or the one that would
 * have been next. */
static void interrupt(struct walker *w, uint32_t at, bool traced)
{
    static const struct {
        uint8_t type, number;
    } ones[] = {{ETM_EXCEPTION_IRQ, 6},
                {ETM_EXCEPTION_FIQ, 7},
                {ETM_EXCEPTION_PREFETCH_ABORT, 3},
                {ETM_EXCEPTION_RESET, 0},
                {ETM_EXCEPTION_ASYNC_DATA_ABORT, 4}};
    struct port_truth t = {.e.u.exception = {.return_known = true,
                                             .return_address = at,
                                             .cancels_known = true,
                                             .cancels = at}};
    bool async = !w->old && w->config->minor >= 1;
    unsigned i = random_below(w->r, async ? 5 : 4);

    /* the context ID that follows takes a cycle of its own */
    if (ones[i].type == ETM_EXCEPTION_RESET && w->out->exact &&
        w->config->context_id_bytes != 0)
        i = 0;
    enter(w, (enum etm_exception_type)ones[i].type, ones[i].number, traced, t,
          entry_cycles(w, 1, traced));
}

/* Before tracing begins: a load/store multiple that goes on. */
static bool in_progress(struct walker *w, struct etm_event *on)
{
    static struct transfers t;
    const struct slot *s = any(w);
    const struct moves *m = moves(s);
    struct port_truth lsm;
    unsigned from;

    if (m == NULL || m->count < 2 || s->class != SLOT_OTHER)
        return false;
    emit(w, insn_event(s, true), cycles(w, 1));
    from = random_below(w->r, m->count);
    on->u.trace_on.in_progress = w->out->exact || random_chance(w->r, 50)
                                     ? ETM_IN_PROGRESS_UNDER
                                     : ETM_IN_PROGRESS_ALONE;
    emit(w, *on, 3 + random_below(w->r, 20));
    w->on = true;
    expect(w, (struct port_truth){
                  .e = {.kind = ETM_ELEMENT_TRACE_ON,
                        .u.trace_on.reason = on->u.trace_on.reason}});
    lsm = insn_truth(w, s, true);
    expect(w, lsm);
    make_transfers(w, s, m, from, &t);
    for (unsigned i = 0; i < t.n; i++) {
        w->late[w->n_late] = t.events[i];
        w->late_truth[w->n_late++] = t.truth[i];
    }
    return true;
}

static void trace_on(struct walker *w, enum etm_trace_on_reason reason)
{
    struct etm_event e = {.kind = ETM_EVENT_TRACE_ON};

    if (random_chance(w->r, 60) || w->slot < w->program->slots + VECTORS)
        w->slot = any(w);
    e.u.trace_on.reason = (uint8_t)reason;
    e.u.trace_on.at = place_of(w->slot);
    if (!w->old && random_chance(w->r, 20) && in_progress(w, &e))
        return;
    emit(w, e, 3 + random_below(w->r, w->out->exact ? 50 : 1000));
    w->on = true;
    tell(w);
    w->told_known = w->config->context_id_bytes != 0;
    w->passed = 0; /* its cycle is in the gap */
    w->fill = 0;
    w->least = w->out->exact ? 120 : 4; /* the FIFO may have to drain first */
    expect(w, (struct port_truth){.e = {.kind = ETM_ELEMENT_TRACE_ON,
                                        .u.trace_on.reason = (uint8_t)reason}});
}

static void gap(struct walker *w)
{
    struct etm_event off = {.kind = ETM_EVENT_TRACE_OFF};
    struct etm_event halt = {.kind = ETM_EVENT_EXCEPTION};
    bool debug = random_chance(w->r, 30);

    settle(w);
    halt.u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
    emit(w, debug ? halt : off, cycles(w, 1));
    w->on = false;
    give_any_values(w, 20);
    for (unsigned i = random_below(w->r, 5); w->old && i != 0; i--)
        emit(w, insn_event(any(w), true), random_below(w->r, 40));
    trace_on(w, debug ? ETM_TRACE_ON_DEBUG_EXIT : ETM_TRACE_ON_START);
}

static void change_context(struct walker *w)
{
    struct etm_event e = {.kind = ETM_EVENT_CONTEXT};

    w->context_id = random_chance(w->r, 50) ? w->context_id ^ 5
                                            : (uint32_t)random_next(w->r);
    e.u.context.context_id = w->context_id;
    emit(w, e, w->old ? 0 : cycles(w, 1));
}

static void between(struct walker *w)
{
    give_any_values(w, 10);
    if (random_chance(w->r, 2)) {
        emit(w, (struct etm_event){.kind = ETM_EVENT_TRIGGER},
             w->old          ? 0
             : w->out->exact ? random_below(w->r, 3)
                             : 1);
        w->out->n_triggers++;
    }
    if (random_chance(w->r, 3))
        change_context(w);
    if (random_chance(w->r, 3))
        gap(w);
    if (!w->old && random_chance(w->r, 3)) {
        settle(w);
        interrupt(w, w->slot->address, false);
    }
}

static const struct slot *after(struct walker *w, const struct slot *s,
                                bool passed)
{
    if (passed && s->class == SLOT_INDIRECT)
        return any(w);
    if (passed && s->class == SLOT_DIRECT)
        return &w->program->slots[s->target];
    return s + 1;
}

/* Exceptions that the instruction itself raises; it counts as executed
 * (BRX-11). */
static void raise_own(struct walker *w, const struct slot *s, bool aborts)
{
    struct port_truth t = {
        .e.u.exception = {.return_known = true, .return_address = s->address}};

    if (aborts) {
        enter(w, ETM_EXCEPTION_DATA_ABORT, 4, false, t,
              entry_cycles(w, 1, true));
    } else if (s->flags & SLOT_SVC) {
        t.e.u.exception.return_address += s->size;
        enter(w, ETM_EXCEPTION_SVC, 2, false, t,
              entry_cycles(w, random_below(w->r, 2), true));
    } else if (s->flags & SLOT_UDF) {
        enter(w, ETM_EXCEPTION_UNDEFINED, 1, false, t,
              entry_cycles(w, random_below(w->r, 2), true));
    }
}

static uint64_t insn_cycles(struct walker *w, bool wide, bool cancelled)
{
    uint64_t n = w->least + wide;

    if (!w->old)
        return cycles(w, wide && !cancelled ? 2 : 1);
    if (random_chance(w->r, 40))
        n += random_below(w->r, 6);
    if (random_chance(w->r, 2))
        n += random_below(w->r, 700);
    if (w->out->exact && w->fill > 100)
        n += 2 * w->fill;
    w->fill += 9;
    w->least = 1;
    return n;
}

/* What an instruction of ETMv1 took: all since the one before it that was
 * given; after it there may be an exception. */
static void end_old(struct walker *w, struct port_truth *insn, bool quiet)
{
    insn->e.u.insn.cycles = w->passed;
    w->passed = 0;
    if (quiet && random_chance(w->r, 3))
        interrupt(w, w->slot->address, false);
}

static void step(struct walker *w)
{
    const struct slot *s = w->slot;
    const struct moves *m = moves(s);
    struct port_truth *truth = &w->out->truth[w->out->n_truth];
    bool passed = (s->flags & SLOT_CONDITIONAL) == 0 || random_chance(w->r, 60);
    bool wide = s->isa == ETM_ISA_THUMB && s->size == 4;
    bool cancelled = random_chance(w->r, 4);
    bool aborts = !cancelled && passed && m != NULL &&
                  !(w->old && m->kind == MOVES_CPRT) && !is_unseen(w, m) &&
                  random_chance(w->r, 5);
    bool folds = w->fold && !wide && random_chance(w->r, 60);
    bool own = passed && (aborts || (s->flags & (SLOT_SVC | SLOT_UDF)) != 0);
    struct etm_event e = insn_event(s, passed);

    if (m != NULL || s->class != SLOT_OTHER || cancelled ||
        (s->flags & (SLOT_SVC | SLOT_UDF)) != 0)
        settle(w);
    folds = folds && w->fold;
    w->slot = after(w, s, passed);
    if (passed && (s->class == SLOT_DIRECT || s->class == SLOT_INDIRECT))
        e.u.insn.next = place_of(w->slot);
    emit(w, e, folds ? 0 : insn_cycles(w, wide, cancelled));
    if (!cancelled)
        expect(w, insn_truth(w, s, passed));
    if (e.u.insn.next.isa != ETM_ISA_UNKNOWN)
        tell(w);
    if (m != NULL && passed && !(w->old && random_chance(w->r, 10)))
        data(w, s, m, cancelled || aborts,
             cancelled || aborts || s->class != SLOT_OTHER);
    if (cancelled)
        interrupt(w, s->address, true);
    else if (passed)
        raise_own(w, s, aborts);
    if (w->old && !cancelled)
        end_old(w, truth, !own);
    w->fold = w->options->fold_branches && s->class == SLOT_DIRECT && !wide &&
              !w->config->branch_broadcast && !cancelled && !folds &&
              w->out->exact;
    if (w->out->events[w->out->n - 1].kind != ETM_EVENT_INSN)
        w->fold = false;
}

/* Let the FIFO run empty, and a restart tell of an overflow. */
static void end_walk(struct walker *w)
{
    static const struct etm_event off = {.kind = ETM_EVENT_TRACE_OFF};
    static const struct etm_event idle = {.kind = ETM_EVENT_IDLE};

    settle(w);
    give_any_values(w, 100);
    for (unsigned i = 0; i < 4; i++) {
        emit(w, idle, 300);
        do
            step(w);
        while (random_chance(w->r, 80));
        settle(w);
        give_any_values(w, 100);
    }
    emit(w, off, 1);
    emit(w, idle, 800);
    w->on = false;
    trace_on(w, ETM_TRACE_ON_START);
    for (unsigned i = 0; w->old && i < 20; i++)
        step(w);
    if (w->old)
        emit(w, off, 900);
}

void port_walk_make(struct port_walk *walk, const struct program *program,
                    const struct etm_generator_config *options,
                    struct random *r)
{
    static struct walker w;
    bool old = options->config->protocol == ETM_PROTOCOL_ETMV1;
    unsigned steps = 10 + random_below(r, old ? 600 : 200);

    memset(&w, 0, sizeof w);
    walk->n = walk->n_truth = walk->n_triggers = 0;
    walk->exact = old ? options->fifo_size == UINT8_MAX : random_chance(r, 80);
    w.out = walk;
    w.program = program;
    w.config = options->config;
    w.options = options;
    w.r = r;
    w.old = old;
    w.told_known = options->config->context_id_bytes != 0;
    w.slot = any(&w);
    trace_on(&w, ETM_TRACE_ON_START);
    for (unsigned i = 0; i < steps && walk->n < PORT_EVENTS - 1500; i++) {
        step(&w);
        if (!w.fold || random_chance(r, 10))
            between(&w);
    }
    end_walk(&w);
}

void port_truth_print(const struct port_truth *t)
{
    char text[ETM_ELEMENT_TEXT_MAX];

    printf("expected %llu %s; context %d:%x\n", (unsigned long long)t->time,
           etm_element_text(&t->e, text), t->context_known, t->context_id);
}

bool port_same_insn(const struct port_truth *t, const struct etm_element *e,
                    const struct etm_element *context)
{
    const struct etm_element *x = &t->e;

    if (x->kind != e->kind)
        return false;
    if (e->kind == ETM_ELEMENT_TRACE_ON)
        return e->u.trace_on.reason == x->u.trace_on.reason;
    if (e->kind == ETM_ELEMENT_EXCEPTION)
        return memcmp(&e->u.exception, &x->u.exception,
                      sizeof e->u.exception) == 0;
    return e->u.insn.address == x->u.insn.address &&
           e->u.insn.isa == x->u.insn.isa &&
           e->u.insn.opcode == x->u.insn.opcode &&
           e->u.insn.size == x->u.insn.size &&
           e->u.insn.exec == x->u.insn.exec &&
           e->u.insn.type == x->u.insn.type &&
           context->u.context.isa == x->u.insn.isa &&
           context->u.context.context_id_known == t->context_known &&
           context->u.context.context_id == t->context_id;
}

bool port_same_data(const struct port_truth *t, const struct etm_element *e)
{
    return memcmp(&t->e.u.data, &e->u.data, sizeof e->u.data) == 0;
}

void port_config_make(struct etm_config *c, enum etm_protocol protocol,
                      unsigned data, struct random *r)
{
    static const uint8_t widths[4] = {4, 8, 16, 0};
    static const uint8_t sizes[4] = {0, 1, 2, 4};
    static const uint16_t periods[4] = {100, 150, 400, 1024};
    bool old = protocol == ETM_PROTOCOL_ETMV1;

    memset(c, 0, sizeof *c);
    c->size = sizeof *c;
    c->protocol = protocol;
    c->minor = (uint8_t)random_below(r, old ? 4 : 2);
    c->profile = old ? ETM_PROFILE_UNKNOWN : ETM_PROFILE_A;
    c->thumb32_split = true;
    c->port_width = widths[random_below(r, old ? 4 : 3)];
    c->context_id_bytes = old && c->minor < 2 ? 0 : sizes[random_below(r, 4)];
    c->cycle_accurate = random_chance(r, 50);
    c->branch_broadcast = random_chance(r, 20);
    c->high_vectors = random_chance(r, 30);
    c->sync_period = old ? 0 : periods[random_below(r, 4)];
    c->endian = old ? (enum etm_endian)random_below(r, 4) : 0;
    if (random_chance(r, data)) {
        c->data_value = random_chance(r, 75);
        c->data_address = !c->data_value || random_chance(r, 60);
        c->cprt = random_chance(r, 50);
        c->pc_first = !old && c->minor >= 1 && random_chance(r, 30);
    }
}
