/* SPDX-License-Identifier: Apache-2.0 */
#include "expect_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool is_pft(const struct maker *m)
{
    return m->config->protocol == ETM_PROTOCOL_PFT;
}

struct record *expect_add(struct maker *m, enum etm_element_kind kind)
{
    struct record *r;

    assert_true(m->out->n < RECORDS);
    r = &m->out->r[m->out->n++];
    *r = (struct record){.e.kind = (uint8_t)kind};
    return r;
}

static uint8_t type_of(const struct slot *s)
{
    switch ((enum slot_class)s->class) {
    case SLOT_OTHER:
        return ETM_INSN_TYPE_OTHER;
    case SLOT_DIRECT:
        return ETM_INSN_TYPE_DIRECT;
    case SLOT_INDIRECT:
        return ETM_INSN_TYPE_INDIRECT;
    case SLOT_ISB:
    case SLOT_DSB_DMB:
        return ETM_INSN_TYPE_BARRIER;
    }
    return ETM_INSN_TYPE_OTHER;
}

static const struct slot *slot_of(const struct maker *m,
                                  const struct etm_event *e)
{
    const struct slot *s =
        program_at(m->program, e->u.insn.address, (enum etm_isa)e->u.insn.isa);

    assert_non_null(s);
    return s;
}

static struct record insn_record(const struct maker *m, const struct slot *s)
{
    uint32_t mask = UINT32_MAX;

    if (m->config->context_id_bytes < 4)
        mask = (1u << (8 * m->config->context_id_bytes)) - 1;
    return (struct record){
        .e = {.kind = ETM_ELEMENT_INSN,
              .u.insn = {.isa = s->isa,
                         .size = s->size,
                         .type = type_of(s),
                         .address = s->address,
                         .opcode = s->opcode}},
        .context.u.context = {.secure = m->ns ? ETM_FALSE : ETM_TRUE,
                              .hyp = m->hyp ? ETM_TRUE : ETM_FALSE,
                              .context_id_known =
                                  m->config->context_id_bytes != 0,
                              .context_id = m->shown_context_id & mask,
                              .vmid_known = m->config->vmid,
                              .vmid = m->config->vmid ? m->shown_vmid : 0},
        .cycles = m->config->cycle_accurate ? 0 : ETM_CYCLES_UNKNOWN,
    };
}

/* The time since the last instruction that showed any, if it is known. */
static uint64_t take_cycles(struct maker *m)
{
    uint64_t cycles = m->cycles;

    m->cycles = 0;
    return m->config->cycle_accurate ? cycles : ETM_CYCLES_UNKNOWN;
}

/* The cycles before what does not show them itself; while nothing is traced
 * there are no W atoms. */
uint64_t expect_since(const struct maker *m)
{
    return !is_pft(m) && m->config->cycle_accurate && !m->config->data_only &&
                   m->on
               ? m->cycles
               : ETM_CYCLES_UNKNOWN;
}

static void show_context(struct maker *m)
{
    m->shown_context_id = m->context_id;
    m->shown_vmid = m->vmid;
}

static void go(struct maker *m, struct etm_place to)
{
    m->ns = to.ns;
    m->hyp = to.hyp;
    m->next = to.address;
}

/* After an instruction. */
static void go_on(struct maker *m, const struct etm_event *e)
{
    m->last = e->u.insn.address;
    if (e->u.insn.next.isa != ETM_ISA_UNKNOWN)
        go(m, e->u.insn.next);
    else
        m->next = e->u.insn.address + e->u.insn.size;
}

static const struct etm_event *behind(const struct walk *walk, size_t i)
{
    static const struct etm_event nothing = {.kind = ETM_EVENT_TRIGGER};

    while (++i < walk->n && expect_is_data(&walk->events[i]))
        ;
    return i < walk->n ? &walk->events[i] : &nothing;
}

static bool cancelled_at_once(const struct walk *walk, size_t i)
{
    const struct etm_event *e = behind(walk, i);

    return e->kind == ETM_EVENT_EXCEPTION && e->u.exception.cancels;
}

static void trace_on(struct maker *m)
{
    struct record *r = expect_add(m, ETM_ELEMENT_TRACE_ON);
    bool overflow = m->reason == ETM_TRACE_ON_OVERFLOW;
    bool debug = m->reason == ETM_TRACE_ON_DEBUG_EXIT;
    unsigned minor = m->config->minor;

    r->e.u.trace_on.reason = m->reason;
    r->cycles = take_cycles(m);
    /* counts that mean nothing: PFT 1.1; ETMv3.0; ETMv3.5 */
    if (m->cycles_unknown || (is_pft(m) && minor >= 1 && (overflow || debug)) ||
        (!is_pft(m) && minor == 0 && (overflow || debug)) ||
        (!is_pft(m) && minor == 5 && overflow))
        r->cycles = ETM_CYCLES_UNKNOWN;
    if (m->config->data_only) /* nothing is counted there */
        r->cycles = ETM_CYCLES_UNKNOWN;
    m->cycles_unknown = false;
    m->jazelle = false;
    m->n_walk = 0;
    show_context(m);
}

/* PFT: the walk so far was executed; more is not known of it. */
static void show_walk(struct maker *m)
{
    for (size_t i = 0; i < m->n_walk; i++)
        *expect_add(m, ETM_ELEMENT_INSN) = m->walk[i];
    m->n_walk = 0;
}

static void pft_insn(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];
    const struct slot *s = slot_of(m, e);
    struct record *r;

    /* nothing at all tells of an instruction before a silent debug entry */
    if (cancelled_at_once(walk, i) && m->options->no_debug_entry &&
        behind(walk, i)->u.exception.type == ETM_EXCEPTION_DEBUG_HALT)
        return;
    if (m->jazelle && s->isa != ETM_ISA_JAZELLE)
        trace_on(m);
    if (m->jazelle) {
        go_on(m, e);
        return;
    }
    if (cancelled_at_once(walk, i)) {
        m->last = s->address;
        return;
    }
    if (s->class == SLOT_OTHER ||
        (s->class == SLOT_DSB_DMB && !m->config->barriers_are_waypoints)) {
        assert_true(m->n_walk < RECORDS);
        m->walk[m->n_walk++] = insn_record(m, s);
        go_on(m, e);
        return;
    }
    show_walk(m);
    r = expect_add(m, ETM_ELEMENT_INSN);
    *r = insn_record(m, s);
    r->e.u.insn.exec = e->u.insn.passed ? ETM_TRUE : ETM_FALSE;
    r->cycles = take_cycles(m);
    if (e->u.insn.passed && (s->flags & SLOT_EXCEPTION_RETURN) != 0 &&
        m->config->minor >= 1)
        expect_add(m, ETM_ELEMENT_EXCEPTION_RETURN);
    show_context(m);
    go_on(m, e);
    if (e->u.insn.next.isa == ETM_ISA_JAZELLE) {
        m->jazelle = true;
        m->reason = ETM_TRACE_ON_START;
    }
}

static bool has_exit(const struct etm_config *c)
{
    return c->minor == 5 || (c->minor == 4 && c->profile == ETM_PROFILE_M);
}

static void etmv3_insn(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];
    const struct etm_event *after = behind(walk, i);
    const struct slot *s = slot_of(m, e);
    struct record *r;

    if (m->config->data_only) {
        go_on(m, e);
        return;
    }
    if (cancelled_at_once(walk, i)) {
        m->last = s->address;
        return;
    }
    r = expect_add(m, ETM_ELEMENT_INSN);
    *r = insn_record(m, s);
    r->e.u.insn.exec = e->u.insn.passed ? ETM_TRUE : ETM_FALSE;
    if (m->options->cancelled_as_failed && after->kind == ETM_EVENT_EXCEPTION &&
        after->u.exception.type == ETM_EXCEPTION_UNDEFINED)
        r->e.u.insn.exec = ETM_FALSE;
    r->cycles = take_cycles(m);
    if (e->u.insn.passed && has_exit(m->config) &&
        (e->u.insn.exception_return ||
         (s->flags & SLOT_EXCEPTION_RETURN) != 0)) {
        const struct moves *moves = moves_of(s);

        m->exit_due = true;
        m->waits = 0;
        if (moves != NULL && config_traces_data(m->config))
            m->waits = (uint8_t)(moves->count - e->u.insn.resume);
    }
    go_on(m, e);
}

/* The packet for the return comes after the instruction's own data, whatever
 * is traced among them, and before those of a pop. */
static void give_exit(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];

    /* tracing began within the pop */
    if (e->kind == ETM_EVENT_STACKING && m->on &&
        e->u.stacking.next.isa != ETM_ISA_UNKNOWN && !m->config->data_only) {
        go(m, e->u.stacking.next);
        m->exit_due = true;
        m->waits = 0;
    }
    if (e->kind == ETM_EVENT_DATA && m->waits != 0)
        m->waits--;
    if ((e->kind == ETM_EVENT_TRIGGER || e->kind == ETM_EVENT_TIMESTAMP) &&
        m->waits != 0)
        return;
    if (!m->exit_due || (expect_is_data(e) && e->kind != ETM_EVENT_STACKING))
        return;
    m->exit_due = false;
    expect_add(m, ETM_ELEMENT_EXCEPTION_RETURN);
    expect_data_exit(m);
}

bool expect_is_split(const struct maker *m, const struct slot *s)
{
    return m->config->thumb32_split && s->size == 4 &&
           (s->isa == ETM_ISA_THUMB || s->isa == ETM_ISA_THUMBEE);
}

/* Was there anything but data between the last instruction and this event? */
static bool stands_behind_more(const struct walk *walk, size_t i)
{
    while (i-- != 0 && expect_is_data(&walk->events[i]))
        ;
    return i == SIZE_MAX || walk->events[i].kind != ETM_EVENT_INSN;
}

/* A data instruction was in progress when tracing began (7.7.3): with another
 * executing, it counts as executed. */
static void in_progress(struct maker *m, unsigned how)
{
    const struct slot *s = m->data_slot;
    struct record r;

    if (how != ETM_IN_PROGRESS_UNDER)
        return;
    r = insn_record(m, s);
    r.context.u.context.secure = m->data_ns ? ETM_FALSE : ETM_TRUE;
    r.context.u.context.hyp = m->data_hyp ? ETM_TRUE : ETM_FALSE;
    r.e.u.insn.exec = ETM_TRUE;
    *expect_add(m, ETM_ELEMENT_INSN) = r;
}

/* Numbers as the tables have them, 7-12 and 7-17. */
static unsigned number_of(const struct etm_config *c, const struct etm_event *e)
{
    static const uint8_t classic[][2] = {{ETM_EXCEPTION_DEBUG_HALT, 1},
                                         {ETM_EXCEPTION_SMC, 2},
                                         {ETM_EXCEPTION_HYP_ENTRY, 3},
                                         {ETM_EXCEPTION_ASYNC_DATA_ABORT, 4},
                                         {ETM_EXCEPTION_JAZELLE_THUMBEE, 5},
                                         {ETM_EXCEPTION_RESET, 8},
                                         {ETM_EXCEPTION_UNDEFINED, 9},
                                         {ETM_EXCEPTION_SVC, 10},
                                         {ETM_EXCEPTION_PREFETCH_ABORT, 11},
                                         {ETM_EXCEPTION_DATA_ABORT, 12},
                                         {ETM_EXCEPTION_GENERIC, 13},
                                         {ETM_EXCEPTION_IRQ, 14},
                                         {ETM_EXCEPTION_FIQ, 15},
                                         {0, 0}};
    static const uint8_t m[][2] = {{ETM_EXCEPTION_USAGE_FAULT, 0x09},
                                   {ETM_EXCEPTION_NMI, 0x0a},
                                   {ETM_EXCEPTION_SVC, 0x0b},
                                   {ETM_EXCEPTION_DEBUG_MONITOR, 0x0c},
                                   {ETM_EXCEPTION_MEM_MANAGE, 0x0d},
                                   {ETM_EXCEPTION_PEND_SV, 0x0e},
                                   {ETM_EXCEPTION_SYS_TICK, 0x0f},
                                   {ETM_EXCEPTION_RESET, 0x11},
                                   {ETM_EXCEPTION_HARD_FAULT, 0x13},
                                   {ETM_EXCEPTION_BUS_FAULT, 0x15},
                                   {0, 0}};
    const uint8_t(*row)[2] = c->profile == ETM_PROFILE_M ? m : classic;
    unsigned irq = e->u.exception.irq;

    if (e->u.exception.type == ETM_EXCEPTION_IRQ_N)
        return irq == 0 ? 8 : irq < 8 ? irq : irq + 16;
    while ((*row)[1] != 0 && (*row)[0] != e->u.exception.type)
        row++;
    return (*row)[1];
}

/* Take the last instruction back; its time has passed all the same. */
static void cancel_last(struct maker *m)
{
    size_t i = m->out->n;
    struct record gone;

    while (m->out->r[--i].e.kind != ETM_ELEMENT_INSN)
        assert_true(i != 0);
    gone = m->out->r[i];
    if (m->config->cycle_accurate) {
        m->cycles += gone.cycles;
        for (size_t k = i + 1; k < m->out->n; k++)
            if ((m->out->r[k].e.kind == ETM_ELEMENT_DATA ||
                 m->out->r[k].e.kind == ETM_ELEMENT_TRIGGER) &&
                m->out->r[k].cycles != ETM_CYCLES_UNKNOWN)
                m->out->r[k].cycles += gone.cycles;
    }
    memmove(&m->out->r[i], &m->out->r[i + 1],
            (m->out->n - i - 1) * sizeof gone);
    m->out->n--;
}

static void exception(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];
    unsigned type = e->u.exception.type;
    bool debug = type == ETM_EXCEPTION_DEBUG_HALT;
    bool told = !m->jazelle && m->on;
    bool cancels = e->u.exception.cancels && m->has_last;
    bool late = cancels && stands_behind_more(walk, i);
    struct record *r;

    m->resume = 0;
    if (e->u.exception.cancels && m->on && m->last_owns)
        m->owner.over = true; /* E-493 */
    if (cancels && e->u.exception.resume != 0 && !m->config->data_only)
        expect_data_pause(m);

    if (debug &&
        (m->options->no_debug_entry || m->config->profile == ETM_PROFILE_M))
        told = false;
    if (m->config->data_only)
        told = false;
    if (told) {
        if (is_pft(m) && type != ETM_EXCEPTION_RESET)
            show_walk(m);
        m->n_walk = 0;
        if (!is_pft(m) && late) {
            if (e->u.exception.resume == 0)
                expect_data_cancel(m);
            cancel_last(m);
        }
        r = expect_add(m, ETM_ELEMENT_EXCEPTION);
        r->e.u.exception.type = (uint8_t)type;
        r->e.u.exception.irq = e->u.exception.irq;
        r->e.u.exception.number = (uint16_t)number_of(m->config, e);
        r->e.u.exception.return_known = type != ETM_EXCEPTION_RESET &&
                                        e->u.exception.chain == ETM_CHAIN_NONE;
        r->e.u.exception.return_address = m->next;
        if (e->u.exception.cancels && config_traces_data(m->config))
            r->e.u.exception.resume = e->u.exception.resume;
        if (cancels || (type == ETM_EXCEPTION_UNDEFINED && m->has_last))
            r->e.u.exception.return_address = m->last;
        r->e.u.exception.cancels_known = cancels && !is_pft(m);
        r->e.u.exception.cancels = m->last;
    }
    m->halted = debug && told;
    if (debug)
        m->on = false;
    else
        go(m, e->u.exception.next);
    if (told)
        show_context(m);
}

static void context(struct maker *m, const struct etm_event *e)
{
    m->context_id = e->u.context.context_id;
    m->vmid = e->u.context.vmid;
    /* PFT: from the next waypoint on, if a walk is under way */
    if (m->n_walk == 0)
        show_context(m);
}

static void one(struct maker *m, const struct walk *walk, size_t i)
{
    const struct etm_event *e = &walk->events[i];
    struct record *r;

    give_exit(m, walk, i);
    if (e->cycles == ETM_CYCLES_UNKNOWN)
        m->cycles_unknown = true;
    else
        m->cycles += e->cycles;
    switch ((enum etm_event_kind)e->kind) {
    case ETM_EVENT_INSN:
        if (!is_pft(m))
            expect_data_insn(m, walk, i, slot_of(m, e));
        m->has_last = m->has_last || m->on;
        if (!m->on)
            go_on(m, e);
        else if (is_pft(m))
            pft_insn(m, walk, i);
        else
            etmv3_insn(m, walk, i);
        break;
    case ETM_EVENT_DATA:
    case ETM_EVENT_DATA_VALUE:
    case ETM_EVENT_STACKING:
    case ETM_EVENT_SUPPRESS:
        expect_data(m, walk, i);
        break;
    case ETM_EVENT_EXCEPTION:
        exception(m, walk, i);
        break;
    case ETM_EVENT_CONTEXT:
        context(m, e);
        break;
    case ETM_EVENT_TIMESTAMP:
        if (!m->on || !m->config->timestamps || m->config->data_only)
            break;
        r = expect_add(m, ETM_ELEMENT_TIMESTAMP);
        r->e.u.timestamp.value = e->u.timestamp.value;
        if (!m->config->timestamp_64bit)
            r->e.u.timestamp.value &= ((uint64_t)1 << 48) - 1;
        break;
    case ETM_EVENT_TRIGGER:
        if (!m->ever_on)
            break;
        r = expect_add(m, ETM_ELEMENT_TRIGGER);
        r->cycles =
            m->config->minor >= 1 ? expect_since(m) : ETM_CYCLES_UNKNOWN;
        break;
    case ETM_EVENT_TRACE_ON:
        m->on = m->ever_on = true;
        m->has_last = false;
        m->reason = e->u.trace_on.reason;
        expect_data_start(m, e->u.trace_on.in_progress != ETM_IN_PROGRESS_NO);
        go(m, e->u.trace_on.at);
        m->jazelle = is_pft(m) && e->u.trace_on.at.isa == ETM_ISA_JAZELLE;
        if (!m->jazelle)
            trace_on(m);
        in_progress(m, e->u.trace_on.in_progress);
        break;
    case ETM_EVENT_TRACE_OFF:
        m->on = false;
        m->resume = 0;
        m->jazelle = false;
        m->n_walk = 0;
        break;
    case ETM_EVENT_IDLE:
    case ETM_EVENT_PINS:
    case ETM_EVENT_EXT_INPUTS:
    case ETM_EVENT_WAIT:
        break;
    case ETM_EVENT_PLACE:
        if (!m->on)
            go(m, e->u.place.at);
        break;
    }
}

void expect_walk(struct records *out, const struct program *program,
                 const struct walk *walk,
                 const struct etm_generator_config *options)
{
    static struct maker maker;
    struct maker *m = &maker;

    memset(m, 0, sizeof *m - sizeof m->walk);
    m->program = program;
    m->config = program->config;
    m->options = options;
    m->out = out;
    out->n = 0;
    for (size_t i = 0; i < walk->n; i++)
        one(m, walk, i);
    if (m->exit_due)
        expect_add(m, ETM_ELEMENT_EXCEPTION_RETURN);
    expect_data_end(m);
    expect_add(m, ETM_ELEMENT_END)->cycles = m->cycles;
}
