/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From conditions to events (3.6), and what these need: counters (2.2.3), the
 * sequencer (2.2.3, 2.11.4), selectors of extended inputs.
 */
#include "model/dwt.h"
#include "setup/plan.h"

#include <stdio.h>

/* Resource `number` of those from `first` on, counted from 1. */
static int take_numbered(struct etm_plan *p, unsigned first, unsigned most,
                         uint32_t number, const char *what, uint16_t *resource)
{
    char text[96];

    if (number == 0 || number > most ||
        !etm_resource_exists(&p->resources, first + number - 1)) {
        (void)snprintf(text, sizeof text, "%s %u", what, (unsigned)number);
        return etm_plan_lacks(p, text);
    }
    *resource = (uint16_t)(first + number - 1);
    return ETM_OK;
}

static int take_fixed(struct etm_plan *p, unsigned resource, const char *what,
                      uint16_t *out)
{
    if (!etm_resource_exists(&p->resources, resource))
        return etm_plan_lacks(p, what);
    *out = (uint16_t)resource;
    return ETM_OK;
}

static int take_extended(struct etm_plan *p, uint32_t number, uint16_t *out)
{
    unsigned there = p->file.counts.extsels, i = 0;

    if (p->version < ETM_V3_1 || there == 0)
        return etm_plan_lacks(p, "extended external inputs");
    if (number >= p->file.counts.ext_ext_in)
        return etm_plan_short(p, "extended external inputs", number + 1,
                              p->file.counts.ext_ext_in);
    while (i < p->n_selectors && p->selectors[i] != number)
        i++;
    if (i == there)
        return etm_plan_short(p, "selectors of extended inputs", there + 1,
                              there);
    p->selectors[i] = (uint8_t)number;
    if (i == p->n_selectors)
        p->n_selectors++;
    *out = (uint16_t)(ETM_RESOURCE_SELECTOR + i);
    return ETM_OK;
}

/* The one VMID comparator (IHI 0014Q, table 3.89; IHI 0035B, 3.6). */
static int take_vmid(struct etm_plan *p, uint32_t vmid, uint16_t *out)
{
    int status = take_fixed(p, ETM_RESOURCE_VMID, "VMID comparator", out);

    if (status != ETM_OK)
        return status;
    if (vmid > UINT8_MAX)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT, "VMIDs are 0 to 255");
    if (p->has_vmid && p->vmid != vmid)
        return etm_plan_short(p, "VMID comparators", 2, 1);
    p->has_vmid = true;
    p->vmid = (uint8_t)vmid;
    return ETM_OK;
}

/* Note an EmbeddedICE input that the request names by its number, and not by
 * what it is to match. */
static void note_ice(struct etm_plan *p, uint32_t number)
{
    uint32_t base = ETM_REG_DWT_COMP0 + ETM_DWT_STRIDE * (number - 1);
    char text[256];

    if (p->file.trace.profile != ETM_PROFILE_M)
        return;
    (void)snprintf(text, sizeof text,
                   "EmbeddedICE comparator %u is DWT comparator %u: set bit 24 "
                   "of 0xe000edfc, the address at 0x%08x, the number of its "
                   "low bits to ignore at 0x%08x, and at 0x%08x 8 for an "
                   "instruction, 9 for a load, 10 a store, 11 either",
                   (unsigned)number, (unsigned)number - 1, (unsigned)base,
                   (unsigned)base + 4, (unsigned)base + 8);
    etm_plan_note(p, text);
}

/*
 * An EmbeddedICE input is latched from one comparison to the next for what is
 * traced, and otherwise a pulse (table 7-21). With ETMEIBCR each input has one
 * behaviour, which has to be set (7.6.2).
 */
int etm_plan_ice(struct etm_plan *p, uint32_t number, enum etm_plan_use use,
                 uint16_t *resource)
{
    int status = take_numbered(p, ETM_RESOURCE_EICE, 8, number,
                               "EmbeddedICE comparator", resource);

    if (status != ETM_OK)
        return status;
    note_ice(p, number);
    p->ices |= (uint8_t)(1u << (number - 1));
    if (!etm_plan_has(p, ETM_REG_EIBCR))
        return ETM_OK;
    if (use == ETM_PLAN_REGION)
        p->latches |= (uint8_t)(1u << (number - 1));
    else
        p->pulses |= (uint8_t)(1u << (number - 1));
    if ((p->latches & p->pulses) == 0)
        return ETM_OK;
    return etm_plan_refuse(
        p, ETM_ERR_UNSUPPORTED,
        "an EmbeddedICE comparator selects what is traced, for which it is "
        "latched, and makes something happen, for which it pulses: this "
        "macrocell has one behaviour for both (ETMEIBCR, 7.6.4)");
}

static int take_match(struct etm_plan *p,
                      const struct etm_request_condition *condition,
                      enum etm_plan_use use, uint16_t *out)
{
    const struct etm_request_match *m = &condition->match;
    size_t want = 0;
    int status = etm_plan_match(p, m, use, &want);

    if (status == ETM_OK && condition->times != 0 && m->range &&
        (p->version < ETM_V3_3 || p->file.pft || m->imprecise))
        etm_plan_note(p, "the counter counts cycles in which the range "
                         "matches, not instructions or transfers (2.7.6)");
    *out = (uint16_t)(ETM_OPERAND_WANT + want);
    return status;
}

static void note_instrumentation(struct etm_plan *p, uint32_t number)
{
    char text[128];

    (void)snprintf(text, sizeof text,
                   "the program switches it: DBG #%u on, DBG #%u off, DBG #%u "
                   "on for one cycle (2.9.2)",
                   (unsigned)number - 1, (unsigned)number + 3,
                   (unsigned)number + 7);
    etm_plan_note(p, text);
}

/* ETMCCER[27]: counter 1 only counts cycles and reloads itself. So does that of
 * ETM-M3, although the bit came with v3.5. */
static bool reduced(const struct etm_plan *p)
{
    return p->version >= ETM_V3_4 && (p->file.config.ccer >> 27 & 1) != 0;
}

/* Find a suitable counter; `there` if none is left. */
static unsigned find_counter(const struct etm_plan *p, bool periodic)
{
    unsigned there = p->file.counts.counters;
    unsigned n = reduced(p) && !periodic ? 1 : 0;

    while (n < there && p->counters[n].used)
        n++;
    return n < there ? n : there;
}

static int no_counter(struct etm_plan *p, bool periodic)
{
    unsigned there = p->file.counts.counters;

    if (reduced(p) && !periodic && there < 2)
        return etm_plan_lacks(p, "counter of events: its only one counts "
                                 "cycles (ETMCCER[27])");
    return etm_plan_short(p, "counters", there + 1, there);
}

/* Whether counter n does this for another condition already. */
static bool counts_same(const struct etm_plan *p, unsigned n, uint32_t reload,
                        const struct etm_plan_event *enable)
{
    const struct etm_plan_event *e = &p->counters[n].enable;

    if (!p->counters[n].used || p->counters[n].reload != reload)
        return false;
    if (!enable || p->counters[n].periodic)
        return !enable && p->counters[n].periodic;
    return e->op == enable->op && e->a == enable->a && e->b == enable->b &&
           e->not_a == enable->not_a && e->not_b == enable->not_b;
}

/* Find a counter for a period, or that counts `enable`: one that counts the
 * same, or a free one. */
static unsigned choose_counter(const struct etm_plan *p, uint32_t reload,
                               const struct etm_plan_event *enable)
{
    for (unsigned n = 0; n < p->file.counts.counters; n++)
        if (counts_same(p, n, reload, enable))
            return n;
    return find_counter(p, !enable);
}

/* A counter that the event counts down; the condition is that it is at zero,
   where it stays (2.2.3). */
static int take_counter(struct etm_plan *p, uint32_t times,
                        struct etm_plan_event *event)
{
    unsigned n = choose_counter(p, times, event);

    if (times > 65535)
        return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                               "a counter counts to 65535 (2.2.3)");
    if (n == p->file.counts.counters)
        return no_counter(p, false);
    p->counters[n].used = true;
    p->counters[n].reload = times;
    p->counters[n].enable = *event;
    if (p->version >= ETM_V2_0)
        etm_plan_note(p, "a counter counts once in a cycle, however often its "
                         "event occurs in it (2.11.3)");
    *event = (struct etm_plan_event){.op = ETM_PLAN_ONE,
                                     .a = (uint16_t)(ETM_RESOURCE_COUNTER + n)};
    return ETM_OK;
}

/* A counter that is at zero once in `cycles` cycles: it counts down from one
 * less, and is reloaded when it is at zero. */
static int take_period(struct etm_plan *p, uint32_t cycles, uint16_t *out)
{
    unsigned n = choose_counter(p, cycles - 1, NULL);

    if (cycles < 2 || cycles > 65536)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a period has 2 to 65536 cycles");
    if (n == p->file.counts.counters)
        return no_counter(p, true);
    p->counters[n].used = p->counters[n].periodic = true;
    p->counters[n].reload = cycles - 1;
    *out = (uint16_t)(ETM_RESOURCE_COUNTER + n);
    return ETM_OK;
}

/* The one resource of a condition that has one. */
static int take_resource(struct etm_plan *p,
                         const struct etm_request_condition *c,
                         enum etm_plan_use use, uint16_t *out)
{
    unsigned index = 0;
    int status;

    switch (c->what) {
    case ETM_CONDITION_NONE:
    case ETM_CONDITION_ALWAYS:
        *out = ETM_RESOURCE_ALWAYS;
        return ETM_OK;
    case ETM_CONDITION_MATCH:
        return take_match(p, c, use, out);
    case ETM_CONDITION_EXTERNAL:
        return take_numbered(p, ETM_RESOURCE_EXTERNAL, 4, c->number,
                             "external input", out);
    case ETM_CONDITION_EXTENDED:
        return take_extended(p, c->number, out);
    case ETM_CONDITION_ICE:
        return etm_plan_ice(p, c->number, use, out);
    case ETM_CONDITION_MEMORY_MAP:
        return take_numbered(p, ETM_RESOURCE_MEMORY_MAP, 16, c->number,
                             "memory map decoder", out);
    case ETM_CONDITION_INSTRUMENTATION:
        status = take_numbered(p, ETM_RESOURCE_INSTRUMENTATION, 4, c->number,
                               "instrumentation resource", out);
        if (status == ETM_OK)
            note_instrumentation(p, c->number);
        return status;
    case ETM_CONDITION_CONTEXT_ID:
        status = etm_plan_context_id(p, c->number, &index);
        *out = (uint16_t)(ETM_RESOURCE_CONTEXT_ID + index);
        return status;
    case ETM_CONDITION_STARTED:
        if (p->request->n_start == 0 && p->request->start_ice == 0)
            return etm_plan_refuse(
                p, ETM_ERR_ARGUMENT,
                "a condition is that tracing has started, but nothing starts "
                "it");
        return take_fixed(p, ETM_RESOURCE_START_STOP,
                          "start/stop block for events", out);
    case ETM_CONDITION_NON_SECURE:
        if (!p->file.security)
            return etm_plan_lacks(p, "processor with Security Extensions");
        return take_fixed(p, ETM_RESOURCE_NON_SECURE,
                          "resource for Non-secure state", out);
    case ETM_CONDITION_PROHIBITED:
        return take_fixed(p, ETM_RESOURCE_PROHIBITED,
                          "resource for prohibited tracing", out);
    case ETM_CONDITION_EVERY:
        return take_period(p, c->number, out);
    case ETM_CONDITION_VMID:
        return take_vmid(p, c->number, out);
    case ETM_CONDITION_CHAIN:
        break;
    }
    return etm_plan_refuse(p, ETM_ERR_ARGUMENT, "no such condition");
}

/* NOT of the whole event (table 3-82 has both). */
static void invert(struct etm_plan_event *event)
{
    event->not_a = !event->not_a;
    event->not_b = !event->not_b;
    if (event->op == ETM_PLAN_AND)
        event->op = ETM_PLAN_OR;
    else if (event->op == ETM_PLAN_OR)
        event->op = ETM_PLAN_AND;
}

static int make_chain(struct etm_plan *p);

/* The condition by itself, neither joined nor counted. */
static int take_alone(struct etm_plan *p,
                      const struct etm_request_condition *condition,
                      enum etm_plan_use use, struct etm_plan_event *event)
{
    int status;

    *event = (struct etm_plan_event){.op = ETM_PLAN_ONE};
    if (condition->what == ETM_CONDITION_CHAIN) {
        if (p->request->n_chain == 0)
            return etm_plan_refuse(
                p, ETM_ERR_ARGUMENT,
                "a condition requires a chain, but there is none");
        status = make_chain(p);
        *event = p->chain;
    } else {
        status = take_resource(p, condition, use, &event->a);
    }
    if (status == ETM_OK && condition->inverted)
        invert(event);
    return status;
}

static int join(struct etm_plan *p,
                const struct etm_request_condition *condition,
                enum etm_plan_use use, struct etm_plan_event *event)
{
    const struct etm_request_condition *with = condition->with;
    struct etm_plan_event other;
    int status;

    if (with->with || with->times != 0 || with->what == ETM_CONDITION_NONE)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a condition that is joined to another cannot "
                               "be joined or counted itself");
    status = take_alone(p, with, use, &other);
    if (status != ETM_OK)
        return status;
    if (event->op != ETM_PLAN_ONE || other.op != ETM_PLAN_ONE)
        return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                               "an event joins two resources, and a chain of "
                               "three needs both (3.6.2)");
    event->op = condition->either ? ETM_PLAN_OR : ETM_PLAN_AND;
    event->b = other.a;
    event->not_b = other.not_a;
    return ETM_OK;
}

/* Conditions that hold for one cycle each time; ranges have their own note. */
static bool is_pulse(const struct etm_plan *p,
                     const struct etm_request_condition *c)
{
    if (c->inverted)
        return false;
    return c->what == ETM_CONDITION_MATCH || c->what == ETM_CONDITION_EVERY ||
           (c->what == ETM_CONDITION_ICE && p->version >= ETM_V3_4);
}

/* What is counted can hold for long, and each cycle counts (2.2.3). */
static void note_cycles(struct etm_plan *p,
                        const struct etm_request_condition *c)
{
    bool pulse = is_pulse(p, c);

    if (c->with && c->either)
        pulse = pulse && is_pulse(p, c->with);
    else if (c->with)
        pulse = pulse || is_pulse(p, c->with);
    if (!pulse && c->what != ETM_CONDITION_ALWAYS)
        etm_plan_note(p, "the counter counts each cycle in which its condition "
                         "holds, not how often it begins to hold (2.2.3)");
}

int etm_plan_condition(struct etm_plan *p,
                       const struct etm_request_condition *condition,
                       enum etm_plan_use use, struct etm_plan_event *event)
{
    int status;

    if (condition->times != 0)
        use = ETM_PLAN_EVENT;
    status = take_alone(p, condition, use, event);
    if (status == ETM_OK && condition->with)
        status = join(p, condition, use, event);
    if (status == ETM_OK && condition->times != 0) {
        note_cycles(p, condition);
        status = take_counter(p, condition->times, event);
    }
    return status;
}

/*
 * A, then B: states 2 and 3. Both may occur in one cycle (2.11.4), and the
 * sequencer does not move if two transitions are requested.
 */
static void make_steps(struct etm_plan *p, const struct etm_plan_event *a,
                       const struct etm_plan_event *b)
{
    struct etm_plan_event both = {.op = ETM_PLAN_AND,
                                  .a = a->a,
                                  .not_a = a->not_a,
                                  .b = b->a,
                                  .not_b = b->not_a};

    p->steps[0] = *a;
    p->steps[1] = *b;
    if (a->a == b->a && a->not_a == b->not_a)
        return; /* twice the same */
    p->steps[2] = both;
    both.not_b = !both.not_b;
    p->steps[0] = both;
}

static int make_chain(struct etm_plan *p)
{
    const struct etm_request *request = p->request;
    struct etm_plan_event events[3];
    bool values = false;

    if (p->chained)
        return ETM_OK;
    if (!p->file.counts.sequencer)
        return etm_plan_lacks(p, "sequencer");
    if (request->n_chain < 2 || request->n_chain > 3 || !request->chain)
        return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                               "a chain has two or three links: the sequencer "
                               "has three states");
    for (size_t i = 0; i < request->n_chain; i++) {
        const struct etm_request_condition *link = &request->chain[i];
        int status;

        if (link->what == ETM_CONDITION_NONE ||
            link->what == ETM_CONDITION_CHAIN)
            return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                                   "a link of the chain is not a condition");
        status = etm_plan_condition(p, link, ETM_PLAN_EVENT, &events[i]);
        if (status != ETM_OK)
            return status;
        if (events[i].op != ETM_PLAN_ONE)
            return etm_plan_refuse(p, ETM_ERR_UNSUPPORTED,
                                   "a link of the chain must be one resource: "
                                   "two may occur at once (2.11.4)");
        values |= link->what == ETM_CONDITION_MATCH && link->match.has_value;
    }
    if (values && p->version >= ETM_V2_0)
        etm_plan_note(p, "values may arrive out of order, and then the chain "
                         "sees them in that order (2.7.4)");
    p->chained = true;
    make_steps(p, &events[0], &events[1]);
    p->chain = (struct etm_plan_event){.op = ETM_PLAN_ONE,
                                       .a = ETM_RESOURCE_STATE + 2};
    if (request->n_chain == 3) {
        p->chain.op = ETM_PLAN_AND;
        p->chain.b = events[2].a;
        p->chain.not_b = events[2].not_a;
    }
    return ETM_OK;
}

static uint32_t operand(const struct etm_plan *p, uint16_t operand)
{
    const struct etm_plan_want *w;

    if (operand < ETM_OPERAND_WANT)
        return operand;
    w = &p->wants[operand - ETM_OPERAND_WANT];
    if (etm_plan_by_dwt(p))
        return ETM_RESOURCE_EICE + (uint32_t)w->slot;
    return w->range ? ETM_RESOURCE_RANGE + w->slot / 2u : w->slot;
}

/* Table 3-82; functions that it lacks exist with the operands exchanged. */
uint32_t etm_plan_event(const struct etm_plan *p,
                        const struct etm_plan_event *event)
{
    uint32_t a = operand(p, event->a), b = operand(p, event->b);
    uint32_t function = 0;
    bool exchange = event->not_b && !event->not_a;

    switch (event->op) {
    case ETM_PLAN_NEVER:
        return ETM_EVENT_NEVER;
    case ETM_PLAN_ONE:
        return (uint32_t)event->not_a << 14 | a;
    case ETM_PLAN_AND:
        function = event->not_a && event->not_b ? 4 : 2;
        break;
    case ETM_PLAN_OR:
        function = event->not_a && event->not_b ? 7 : 5;
        break;
    }
    if (event->not_a != event->not_b)
        function++;
    return exchange ? function << 14 | a << 7 | b : function << 14 | b << 7 | a;
}

static void write_counter(struct etm_plan *p, unsigned n)
{
    /* In ETMv1, bit 17 makes the event count (table 3-34). */
    uint32_t counts = p->version < ETM_V2_0 ? UINT32_C(1) << 17 : 0;
    uint32_t enable = ETM_RESOURCE_ALWAYS, reload = ETM_RESOURCE_COUNTER + n;

    etm_plan_set(p, ETM_REG_CNTRLDVR1 + n, p->counters[n].reload);
    if (n == 0 && reduced(p))
        return; /* it has no other registers */
    if (!p->counters[n].periodic) {
        enable = etm_plan_event(p, &p->counters[n].enable);
        reload = ETM_EVENT_NEVER;
    }
    etm_plan_set(p, ETM_REG_CNTENR1 + n, enable | counts);
    etm_plan_set(p, ETM_REG_CNTRLDEVR1 + n, reload);
}

void etm_plan_write_resources(struct etm_plan *p)
{
    static const uint8_t transitions[3] = {0, 2, 5}; /* 1>2, 2>3, 1>3 */
    uint32_t selection = 0;

    for (unsigned i = 0; i < 4; i++)
        if (p->counters[i].used)
            write_counter(p, i);
    if (p->file.counts.sequencer) {
        for (uint32_t i = 0; i < 6; i++)
            etm_plan_set(p, ETM_REG_SQ12EVR + i, ETM_EVENT_NEVER);
        for (unsigned i = 0; i < 3 && p->chained; i++)
            etm_plan_set(p, ETM_REG_SQ12EVR + transitions[i],
                         etm_plan_event(p, &p->steps[i]));
    }
    for (unsigned i = 0; i < p->n_context_ids; i++)
        etm_plan_set(p, ETM_REG_CIDCVR1 + i, p->context_ids[i]);
    if (p->n_context_ids != 0)
        etm_plan_set(p, ETM_REG_CIDCMR, 0);
    if (p->has_vmid)
        etm_plan_set(p, ETM_REG_VMIDCVR, p->vmid);
    for (unsigned i = 0; i < p->n_selectors; i++)
        selection |= (uint32_t)p->selectors[i] << 8 * i;
    if (p->n_selectors != 0)
        etm_plan_set(p, ETM_REG_EXTINSELR, selection);
    if (p->ices != 0 && etm_plan_has(p, ETM_REG_EIBCR))
        etm_plan_set(p, ETM_REG_EIBCR, p->latches);
}
