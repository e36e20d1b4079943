/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions of a Tarmac log: from lines that say so, or from the vector and
 * the mode where execution goes on; and where they came from.
 */
#include "exec/tarmac_internal.h"

#include "base/exception.h"
#include "base/isa.h"

/* Names of exceptions; where one is in another, the longer one comes first. */
static const struct name {
    const char *text;
    uint8_t type;
    bool m_profile; /* only there */
} names[] = {
    {"impdataabort", ETM_EXCEPTION_ASYNC_DATA_ABORT, false},
    {"async", ETM_EXCEPTION_ASYNC_DATA_ABORT, false},
    {"serror", ETM_EXCEPTION_ASYNC_DATA_ABORT, false},
    {"debugmon", ETM_EXCEPTION_DEBUG_MONITOR, true},
    {"debug_mon", ETM_EXCEPTION_DEBUG_MONITOR, true},
    {"debug mon", ETM_EXCEPTION_DEBUG_MONITOR, true},
    {"hardfault", ETM_EXCEPTION_HARD_FAULT, true},
    {"hard_fault", ETM_EXCEPTION_HARD_FAULT, true},
    {"hard fault", ETM_EXCEPTION_HARD_FAULT, true},
    {"memmanage", ETM_EXCEPTION_MEM_MANAGE, true},
    {"mem_manage", ETM_EXCEPTION_MEM_MANAGE, true},
    {"mem manage", ETM_EXCEPTION_MEM_MANAGE, true},
    {"busfault", ETM_EXCEPTION_BUS_FAULT, true},
    {"bus_fault", ETM_EXCEPTION_BUS_FAULT, true},
    {"bus fault", ETM_EXCEPTION_BUS_FAULT, true},
    {"usagefault", ETM_EXCEPTION_USAGE_FAULT, true},
    {"usage_fault", ETM_EXCEPTION_USAGE_FAULT, true},
    {"usage fault", ETM_EXCEPTION_USAGE_FAULT, true},
    {"pendsv", ETM_EXCEPTION_PEND_SV, true},
    {"systick", ETM_EXCEPTION_SYS_TICK, true},
    {"svcall", ETM_EXCEPTION_SVC, true},
    {"nmi", ETM_EXCEPTION_NMI, false},
    {"reset", ETM_EXCEPTION_RESET, false},
    {"undef", ETM_EXCEPTION_UNDEFINED, false},
    {"swi", ETM_EXCEPTION_SVC, false},
    {"svc", ETM_EXCEPTION_SVC, false},
    {"supervisor", ETM_EXCEPTION_SVC, false},
    {"prefetch", ETM_EXCEPTION_PREFETCH_ABORT, false},
    {"pabt", ETM_EXCEPTION_PREFETCH_ABORT, false},
    {"dataabort", ETM_EXCEPTION_DATA_ABORT, false},
    {"data_abort", ETM_EXCEPTION_DATA_ABORT, false},
    {"data abort", ETM_EXCEPTION_DATA_ABORT, false},
    {"dabt", ETM_EXCEPTION_DATA_ABORT, false},
    {"smc", ETM_EXCEPTION_SMC, false},
    {"smi", ETM_EXCEPTION_SMC, false},
    {"secure monitor", ETM_EXCEPTION_SMC, false},
    {"hvc", ETM_EXCEPTION_HVC, false},
    {"hyp", ETM_EXCEPTION_HYP_ENTRY, false},
    {"fiq", ETM_EXCEPTION_FIQ, false},
    {"irq", ETM_EXCEPTION_IRQ, false},
    {"interrupt", ETM_EXCEPTION_IRQ, false},
};

/* Vectors of the A and R profiles, and the modes that handlers run in: their
 * own; those that are taken to Monitor or Hyp mode may have that. */
static const struct vector {
    uint8_t offset, mode, type;
} vectors[] = {
    {0x04, ETM_TARMAC_UND, ETM_EXCEPTION_UNDEFINED},
    {0x04, ETM_TARMAC_HYP, ETM_EXCEPTION_UNDEFINED},
    {0x08, ETM_TARMAC_SVC, ETM_EXCEPTION_SVC},
    {0x08, ETM_TARMAC_MON, ETM_EXCEPTION_SMC},
    {0x08, ETM_TARMAC_HYP, ETM_EXCEPTION_HVC},
    {0x0c, ETM_TARMAC_ABT, ETM_EXCEPTION_PREFETCH_ABORT},
    {0x0c, ETM_TARMAC_MON, ETM_EXCEPTION_PREFETCH_ABORT},
    {0x0c, ETM_TARMAC_HYP, ETM_EXCEPTION_PREFETCH_ABORT},
    {0x10, ETM_TARMAC_ABT, ETM_EXCEPTION_DATA_ABORT},
    {0x10, ETM_TARMAC_MON, ETM_EXCEPTION_DATA_ABORT},
    {0x10, ETM_TARMAC_HYP, ETM_EXCEPTION_DATA_ABORT},
    {0x14, ETM_TARMAC_HYP, ETM_EXCEPTION_HYP_ENTRY},
    {0x18, ETM_TARMAC_IRQ, ETM_EXCEPTION_IRQ},
    {0x18, ETM_TARMAC_MON, ETM_EXCEPTION_IRQ},
    {0x18, ETM_TARMAC_HYP, ETM_EXCEPTION_IRQ},
    {0x1c, ETM_TARMAC_FIQ, ETM_EXCEPTION_FIQ},
    {0x1c, ETM_TARMAC_MON, ETM_EXCEPTION_FIQ},
    {0x1c, ETM_TARMAC_HYP, ETM_EXCEPTION_FIQ},
};

static const struct vector *find_vector(uint8_t type)
{
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        if (vectors[i].type == type)
            return &vectors[i];
    }
    return NULL;
}

/* The exception that an M-profile processor gives that number. */
static bool take_number(uint64_t number, struct etm_event *event)
{
    enum etm_exception_type type = ETM_EXCEPTION_RESERVED;
    uint16_t irq = 0;

    if (number <= UINT16_MAX)
        type = etm_exception_of_number((unsigned)number, &irq);
    if (type == ETM_EXCEPTION_RESERVED)
        return false;
    event->u.exception.type = (uint8_t)type;
    event->u.exception.irq = irq;
    return true;
}

/* What an event is called that is no exception, though its name has that of
 * one; the others are no exceptions, either. */
static bool is_other(const struct etm_word *name)
{
    static const char *const texts[] = {
        "ModeChange", "Spotted", "RETURN", "DebugEvent_", "_REQ", "HRESET",
        /* taken to AArch64 state */
        "CURRENT_", "LOWER_", "Current EL", "Lower EL"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (etm_word_holds(name, texts[i]))
            return true;
    }
    return false;
}

/* The exception that an event is; false: none. */
static bool take_name(struct etm_execution_reader *r,
                      const struct etm_word *name, uint64_t number,
                      struct etm_event *event)
{
    const struct name *row = NULL;
    bool numbered = etm_word_holds(name, "EXT_INT") ||
                    etm_word_is(name, "INT_TAKEN") ||
                    etm_word_is(name, "INT_ENTRY");

    if (is_other(name))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names && row == NULL; i++) {
        if (etm_word_holds(name, names[i].text))
            row = &names[i];
    }
    if (numbered || (row != NULL && row->m_profile))
        etm_tarmac_see_m(r);
    if (row == NULL && !numbered)
        return false;
    if (r->tarmac.m_profile && take_number(number, event))
        return true;
    if (row != NULL)
        event->u.exception.type = row->type;
    return row != NULL;
}

/* An event: note the exception, or what else it says of accesses. */
static void take_event(struct etm_execution_reader *r,
                       const struct etm_word *name, uint64_t number,
                       struct etm_tarmac_value from, struct etm_word line)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_tarmac_insn *e = etm_tarmac_last(t);
    struct etm_event event = {.kind = ETM_EVENT_EXCEPTION};
    const struct vector *vector;
    struct etm_tarmac_exception *x;

    if (t->outside || !take_name(r, name, number, &event)) {
        r->report.passed_over++;
        return;
    }
    t->n_early = 0;
    vector = find_vector(event.u.exception.type);
    if (vector != NULL && !t->m_profile)
        etm_tarmac_forget_link(t, vector->mode);
    if (e == NULL) /* a reset, at the beginning */
        return;
    e->closed = true;
    if (e->n_exceptions == ETM_TARMAC_EXCEPTIONS) {
        etm_tarmac_puzzle(r, line, r->report.lines);
        e->n_exceptions--;
    }
    x = &e->exceptions[e->n_exceptions++];
    *x = (struct etm_tarmac_exception){
        .line = r->report.lines, .event = event, .from = from};
}

/* M profile: the processor pushes or pops registers from now on. */
static void take_mode(struct etm_execution_reader *r,
                      const struct etm_word *word)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(&r->tarmac);
    uint8_t mode = etm_tarmac_mode(word);

    if (mode != ETM_TARMAC_THREAD && mode != ETM_TARMAC_HANDLER)
        return;
    etm_tarmac_see_m(r);
    if (e == NULL)
        return;
    e->closed = true;
    e->returned = e->returned || mode == ETM_TARMAC_THREAD;
}

static void take_return(struct etm_execution_reader *r, uint32_t to)
{
    struct etm_tarmac_insn *e = etm_tarmac_last(&r->tarmac);

    etm_tarmac_see_m(r);
    if (e == NULL)
        return;
    e->closed = e->returned = true;
    e->resumed = (struct etm_tarmac_value){to & ~UINT32_C(1), true};
}

/* The last eight digits of "0000001200000003" or "00000012_00000003". */
static bool take_digits(const struct etm_word *word, uint64_t *number)
{
    struct etm_word rest = *word, part = *word, behind;

    while (etm_word_cut(&part, '_', &behind)) {
        if (!etm_word_hex(&part, UINT64_MAX, number))
            return false;
        part = rest = behind;
    }
    if (!etm_word_hex(&rest, UINT64_MAX, number))
        return false;
    *number &= UINT32_MAX;
    return true;
}

/*
 * "VALUE [MODE] [VALUE] NUMBER NAME" of models, the second value also without a
 * blank before the number; "NAME [NUMBER]" of RTL.
 */
bool etm_tarmac_event_line(struct etm_execution_reader *r,
                           struct etm_word *rest, struct etm_word line)
{
    struct etm_tarmac_value from = {0};
    struct etm_word word, name = {0};
    uint64_t number = 0, next;
    bool named = false;

    for (unsigned i = 0; !named && etm_word_next(rest, &word); i++) {
        if (i == 0 && etm_tarmac_address(word, &from.value)) {
            from.known = true;
        } else if (take_digits(&word, &next)) {
            number = next;
        } else {
            take_mode(r, &word);
            name = word;
            named = i == 0 || etm_word_holds(&word, "Event_");
        }
    }
    if (name.n == 0)
        return false;
    if (!from.known && etm_word_next(rest, &word))
        (void)etm_word_hex(&word, UINT32_MAX, &number);
    if (etm_word_begins(&name, "CORTEXM"))
        etm_tarmac_see_m(r);
    if (etm_word_holds(&name, "EXCEPTION_RETURN"))
        take_return(r, from.value);
    take_event(r, &name, number, from, line);
    return true;
}

bool etm_tarmac_exc_line(struct etm_execution_reader *r, struct etm_word *rest,
                         struct etm_word line)
{
    struct etm_word group = *rest, name = *rest, behind;
    uint64_t number = 0;

    if (etm_word_cut(&group, '[', &behind)) {
        group = behind;
        if (etm_word_cut(&group, ']', &behind)) {
            (void)etm_word_dec(&group, UINT32_MAX, &number);
            name = behind;
        }
    }
    take_event(r, &name, number, (struct etm_tarmac_value){0}, line);
    return true;
}

/* M profile: from the exception number that the status had afterwards. */
static bool see_number(const struct etm_tarmac_insn *e,
                       const struct etm_tarmac_insn *next,
                       struct etm_event *event)
{
    if (e->insn.trap == ETM_TRAP_SVC && next->mode == ETM_TARMAC_HANDLER) {
        event->u.exception.type = ETM_EXCEPTION_SVC;
        return true;
    }
    /* a return has the number of what it returns to, unless the handler of
     * another exception gets a new value to return with */
    if (!e->number.known || e->number.value == 0 ||
        (e->event.u.insn.exception_return &&
         !(e->link.known && e->link.value >= ETM_TARMAC_EXC_RETURN)))
        return false;
    return take_number(e->number.value, event);
}

/* Does the instruction raise that exception by itself? */
static bool raises(const struct etm_tarmac_insn *e, uint8_t type)
{
    switch ((enum etm_trap)e->insn.trap) {
    case ETM_TRAP_SVC:
        return type == ETM_EXCEPTION_SVC;
    case ETM_TRAP_SMC:
        return type == ETM_EXCEPTION_SMC;
    case ETM_TRAP_HVC:
        return type == ETM_EXCEPTION_HVC;
    case ETM_TRAP_UDF:
        return type == ETM_EXCEPTION_UNDEFINED;
    case ETM_TRAP_BKPT:
        return type == ETM_EXCEPTION_PREFETCH_ABORT;
    case ETM_TRAP_NONE:
        break;
    }
    return false;
}

/*
 * A and R profiles: the next instruction is at a vector, in the mode of its
 * exception. That is no chance if the instruction raises it, if the mode has
 * changed, or if vectors are known to be there.
 */
static bool see_vector(const struct etm_tarmac *t,
                       const struct etm_tarmac_insn *e,
                       const struct etm_tarmac_insn *next,
                       struct etm_event *event)
{
    uint32_t base = next->at.address & ~UINT32_C(0x1f);
    bool home = base == 0 || base == ETM_HIGH_VECTORS ||
                (t->has_vectors && base == t->vectors);
    bool changed = e->mode != ETM_TARMAC_UNKNOWN &&
                   next->mode != ETM_TARMAC_UNKNOWN && next->mode != e->mode;

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const struct vector *v = &vectors[i];
        uint8_t type = v->type;

        if (next->at.address != base + v->offset ||
            (next->mode != ETM_TARMAC_UNKNOWN && next->mode != v->mode))
            continue;
        /* Hyp mode has one vector for calls, and one for what it takes over */
        if (v->mode == ETM_TARMAC_HYP && e->insn.trap == ETM_TRAP_SVC &&
            v->offset == 0x08)
            type = ETM_EXCEPTION_SVC;
        if (v->mode == ETM_TARMAC_HYP && e->insn.trap == ETM_TRAP_HVC)
            type = ETM_EXCEPTION_HVC;
        event->u.exception.type = type;
        return home || changed || raises(e, type);
    }
    return false;
}

bool etm_tarmac_see_exception(struct etm_tarmac *t, struct etm_tarmac_insn *e,
                              const struct etm_tarmac_insn *next, bool broken)
{
    struct etm_event event = {.kind = ETM_EVENT_EXCEPTION};
    bool indirect =
        e->insn.type == ETM_INSN_TYPE_INDIRECT && e->event.u.insn.passed;
    bool changed = next->mode != e->mode && next->mode != ETM_TARMAC_UNKNOWN;
    bool seen;

    if (t->m_profile)
        seen = (broken || indirect) && see_number(e, next, &event);
    else /* a branch does not change the mode, except a return */
        seen = (broken || (indirect && changed &&
                           !etm_insn_returns_from_exception(&e->insn))) &&
               see_vector(t, e, next, &event);
    if (!seen)
        return false;
    e->exceptions[0] =
        (struct etm_tarmac_exception){.line = e->line, .event = event};
    e->n_exceptions = 1;
    if (e->link_mode == next->mode)
        e->exceptions[0].link = e->link;
    else if (!t->m_profile)
        etm_tarmac_forget_link(t, next->mode);
    return true;
}

/*
 * The log says so by the link register (ETM architecture, table 4-2) or, in the
 * M profile and of models, by the PC in the exception's line. In some logs that
 * is the address of the handler.
 */
struct etm_tarmac_value etm_tarmac_return(const struct etm_tarmac *t,
                                          const struct etm_tarmac_exception *x,
                                          const struct etm_place *here)
{
    const uint8_t type = x->event.u.exception.type;
    bool data = type == ETM_EXCEPTION_DATA_ABORT ||
                type == ETM_EXCEPTION_ASYNC_DATA_ABORT;
    bool other = type == ETM_EXCEPTION_PREFETCH_ABORT ||
                 type == ETM_EXCEPTION_IRQ || type == ETM_EXCEPTION_FIQ;
    struct etm_tarmac_value to = x->from;

    if (!t->m_profile && !data && !other)
        to.known = false; /* it returns behind an instruction, which has run */
    else if (!t->m_profile && x->link.known)
        to = (struct etm_tarmac_value){x->link.value - (data ? 8 : 4), true};
    else if (here != NULL && to.value == here->address)
        to.known = false;
    if (t->m_profile)
        to.value &= ~UINT32_C(1);
    return to;
}

/* Was the instruction abandoned, so that the handler returns to it? */
static bool is_cancelled(const struct etm_tarmac *t,
                         const struct etm_tarmac_insn *e,
                         struct etm_tarmac_value to,
                         const struct etm_place *led)
{
    const uint8_t type = e->exceptions[0].event.u.exception.type;

    if (e->insn.trap != ETM_TRAP_NONE)
        return false;
    if (to.known)
        return to.value == e->at.address &&
               (led == NULL || led->address != e->at.address);
    return type == ETM_EXCEPTION_DATA_ABORT &&
           e->insn.transfers.kind != ETM_TRANSFER_NONE &&
           (!t->has_data || !etm_tarmac_is_complete(e));
}

/* Where a branch led, from the value that it took; false: not known. */
static bool follow(const struct etm_tarmac *t, const struct etm_tarmac_insn *e,
                   struct etm_place *place)
{
    struct etm_tarmac_value to =
        e->insn.transfers.pc ? etm_tarmac_loaded_pc(e) : e->target;

    if (!to.known)
        return false;
    place->address = to.value & ~UINT32_C(1);
    place->isa =
        t->m_profile || (to.value & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    return etm_isa_is_aligned((enum etm_isa)place->isa, place->address);
}

bool etm_tarmac_settle(const struct etm_tarmac *t, struct etm_tarmac_insn *e,
                       bool known, const struct etm_place *here,
                       struct etm_place *next)
{
    struct etm_tarmac_exception *x = &e->exceptions[0];
    struct etm_tarmac_value to = etm_tarmac_return(t, x, here);
    struct etm_place place = *next;

    if (e->event.u.insn.exception_return && t->m_profile) {
        if (!e->returned)
            x->event.u.exception.chain = ETM_CHAIN_TAIL;
        else if (e->resumed.known || to.known)
            next->address = e->resumed.known ? e->resumed.value : to.value;
        return true;
    }
    x->event.u.exception.cancels = is_cancelled(t, e, to, known ? next : NULL);
    e->aborted = e->aborted || x->event.u.exception.cancels;
    if (known || x->event.u.exception.cancels)
        return true;
    if (follow(t, e, &place) && (!to.known || place.address == to.value)) {
        *next = place;
        return true;
    }
    place = *next;
    place.address = to.value;
    if (x->spsr.known && !t->m_profile)
        place.isa = (x->spsr.value & 0x20) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    if (to.known &&
        etm_isa_is_aligned((enum etm_isa)place.isa, place.address)) {
        *next = place;
        return true;
    }
    /* nothing says where: then it is as if it had not been executed */
    *next = e->at;
    x->event.u.exception.cancels = e->aborted = true;
    return false;
}

bool etm_tarmac_handler(const struct etm_tarmac *t,
                        const struct etm_tarmac_exception *x,
                        const struct etm_place *here, struct etm_place *place)
{
    struct etm_tarmac_value to = etm_tarmac_return(t, x, here);

    *place = *here;
    place->address = to.value;
    if (x->spsr.known && !t->m_profile)
        place->isa = (x->spsr.value & 0x20) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    return to.known &&
           etm_isa_is_aligned((enum etm_isa)place->isa, place->address);
}
