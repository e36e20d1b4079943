/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of a Tarmac log, and where they led. */
#include "exec/tarmac_internal.h"

#include <string.h>

#define EXC_RETURN UINT32_C(0xff000000)

bool etm_tarmac_address(struct etm_word word, uint64_t *address)
{
    struct etm_word behind;

    /* physical addresses stand after the virtual one */
    (void)etm_word_cut(&word, ',', &behind);
    (void)etm_word_cut(&word, ':', &behind);
    (void)etm_word_cut(&word, '_', &behind);
    return etm_word_hex(&word, UINT32_MAX, address);
}

bool etm_tarmac_isa(const struct etm_word *word, uint8_t *isa)
{
    if (etm_word_is(word, "A"))
        *isa = ETM_ISA_ARM;
    else if (etm_word_is(word, "T") || etm_word_is(word, "T16") ||
             etm_word_is(word, "T32"))
        *isa = ETM_ISA_THUMB;
    else if (etm_word_is(word, "X"))
        *isa = ETM_ISA_THUMBEE;
    else
        return false;
    return true;
}

/* "( 45)": what is in the parentheses; false: there are none. */
static bool take_group(struct etm_word *rest, struct etm_word *group)
{
    struct etm_word line = *rest, inner;

    while (line.n > 0 && (*line.text == ' ' || *line.text == '\t')) {
        line.text++;
        line.n--;
    }
    if (line.n == 0 || *line.text != '(')
        return false;
    line.text++;
    line.n--;
    inner = line;
    if (!etm_word_cut(&inner, ')', rest))
        return false;
    return etm_word_next(&inner, group);
}

/* Address, opcode and the word after them, in all their orders. */
static bool take_encoding(struct etm_word *rest, struct etm_word *address,
                          struct etm_word *opcode, struct etm_word *state)
{
    struct etm_word group, behind;
    bool grouped = take_group(rest, &group);
    uint8_t isa;

    if (!etm_word_next(rest, address))
        return false;
    if (grouped && (etm_tarmac_isa(address, &isa) ||
                    etm_word_is(address, "O"))) { /* ES (8000:e1a00000) A */
        *state = *address;
        *address = group;
        return etm_word_cut(address, ':', opcode);
    }
    if (!etm_word_next(rest, opcode))
        return false;
    if (grouped && etm_tarmac_isa(opcode, &isa)) { /* IT (8000:0) 4770 T16 */
        *state = *opcode;
        *opcode = *address;
        *address = group;
        (void)etm_word_cut(address, ':', &behind);
        return true;
    }
    *state = (struct etm_word){rest->text, 0};
    behind = *rest;
    if (etm_word_next(&behind, state) && etm_tarmac_isa(state, &isa))
        *rest = behind;
    return true;
}

/* "svc_s", "hyp_n", "thread", "thrd:" */
static void take_mode(struct etm_execution_reader *r, struct etm_word word,
                      struct etm_place *at)
{
    struct etm_word behind;

    (void)etm_word_cut(&word, ':', &behind);
    if (etm_word_begins(&word, "thr") || etm_word_begins(&word, "hand")) {
        r->tarmac.m_profile = true;
        r->profile = ETM_PROFILE_M;
    }
    at->hyp = etm_word_begins(&word, "hyp");
    at->ns = at->hyp;
    if (etm_word_cut(&word, '_', &behind) &&
        (etm_word_is(&behind, "n") || etm_word_is(&behind, "ns")))
        at->ns = true;
    r->tarmac.is_user = etm_word_begins(&word, "usr");
}

static uint64_t cycles_of(struct etm_tarmac *t)
{
    uint64_t passed =
        t->has_before && t->time > t->before ? t->time - t->before : 1;
    uint64_t period = t->period != 0 ? t->period : t->counts ? 1 : 0;

    t->before = t->time;
    t->has_before = true;
    /* instructions that share a cycle get one each: logs are not reliable */
    return period == 0 || passed < period ? 1 : passed / period;
}

/* Fill in t->insn from the words of its line. */
static bool take_insn(struct etm_execution_reader *r, struct etm_word *rest,
                      struct etm_event *event, struct etm_place *at)
{
    struct etm_word address, opcode, state, mode;
    uint64_t number;

    if (!take_encoding(rest, &address, &opcode, &state) ||
        !etm_tarmac_address(address, &number) ||
        (opcode.n != 4 && opcode.n != 8))
        return false;
    *at = r->now;
    at->address = (uint32_t)number;
    if (!etm_word_hex(&opcode, UINT32_MAX, &number))
        return false;
    if (!etm_tarmac_isa(&state, &at->isa)) {
        /* AArch64, or a log without states */
        if (etm_word_is(&state, "O"))
            return false;
        if (opcode.n == 4)
            at->isa = ETM_ISA_THUMB;
    }
    if ((at->isa == ETM_ISA_ARM && opcode.n != 8) ||
        (at->address & (at->isa == ETM_ISA_ARM ? 3 : 1)) != 0)
        return false;
    event->u.insn.address = at->address;
    event->u.insn.opcode = (uint32_t)number;
    event->u.insn.isa = at->isa;
    event->u.insn.size = (uint8_t)(opcode.n / 2);
    if (memchr(rest->text, ':', rest->n) != NULL && etm_word_next(rest, &mode))
        take_mode(r, mode, at);
    return true;
}

bool etm_tarmac_insn(struct etm_execution_reader *r, struct etm_word *rest,
                     bool failed, int *status)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_event event = {.kind = ETM_EVENT_INSN};
    struct etm_place at;

    *status = ETM_OK;
    if (!take_insn(r, rest, &event, &at))
        return false;
    *status = etm_tarmac_commit(r, &at); /* an error ends the reading */
    event.cycles = cycles_of(t);
    event.u.insn.passed = !failed && !etm_word_holds(rest, "CCFAIL");
    t->insn = event;
    t->at = at;
    t->line = r->report.lines;
    t->source = t->registers[event.u.insn.opcode >> 3 & 0xf];
    t->has_insn = true;
    return true;
}

static void decode(const struct etm_execution_reader *r,
                   const struct etm_event *event, struct etm_insn *insn)
{
    uint32_t op = event->u.insn.opcode;
    uint8_t b[4];

    if (event->u.insn.isa != ETM_ISA_ARM && event->u.insn.size == 4)
        op = op >> 16 | op << 16;
    for (unsigned i = 0; i < 4; i++)
        b[i] = (uint8_t)(op >> (8 * i));
    etm_insn_decode(insn, (enum etm_isa)event->u.insn.isa, r->profile,
                    event->u.insn.address, b, event->u.insn.size);
}

/* M profile: did it write EXC_RETURN to the PC? */
static bool is_exception_return(const struct etm_tarmac *t,
                                const struct etm_insn *insn)
{
    uint32_t value = t->source;

    if (!t->m_profile || !t->insn.u.insn.passed ||
        insn->type != ETM_INSN_TYPE_INDIRECT)
        return false;
    if (insn->transfers.pc)
        return etm_tarmac_last_load(t, &value) && value >= EXC_RETURN;
    return (t->insn.u.insn.opcode & ~UINT32_C(0x78)) == 0x4700 && /* BX */
           value >= EXC_RETURN;
}

/* Use the link register for the instruction before an exception. */
static void settle_exception(struct etm_tarmac *t, const struct etm_insn *insn,
                             struct etm_place *next, bool *known)
{
    uint32_t address = t->insn.u.insn.address;
    bool tell = t->link_is_new && !t->m_profile;
    bool cancels = false;
    uint32_t link = t->link;

    switch ((enum etm_exception_type)t->exception.u.exception.type) {
    case ETM_EXCEPTION_PREFETCH_ABORT:
        cancels = tell && link - 4 == address;
        break;
    case ETM_EXCEPTION_DATA_ABORT:
        cancels = tell ? link - 8 == address
                       : insn->transfers.kind != ETM_TRANSFER_NONE;
        break;
    case ETM_EXCEPTION_IRQ:
    case ETM_EXCEPTION_FIQ:
        if (tell && !*known) {
            next->address = link - 4;
            *known = true;
        }
        break;
    case ETM_EXCEPTION_RESERVED: /* the log says no more of these */
    case ETM_EXCEPTION_RESET:
    case ETM_EXCEPTION_UNDEFINED: /* table 4-2: these are never cancelled */
    case ETM_EXCEPTION_SVC:
    case ETM_EXCEPTION_SMC:
    case ETM_EXCEPTION_HVC:
    case ETM_EXCEPTION_ASYNC_DATA_ABORT:
    case ETM_EXCEPTION_NMI:
    case ETM_EXCEPTION_DEBUG_HALT:
    case ETM_EXCEPTION_JAZELLE_THUMBEE:
    case ETM_EXCEPTION_GENERIC:
    case ETM_EXCEPTION_HYP_ENTRY:
    case ETM_EXCEPTION_HARD_FAULT:
    case ETM_EXCEPTION_MEM_MANAGE:
    case ETM_EXCEPTION_BUS_FAULT:
    case ETM_EXCEPTION_USAGE_FAULT:
    case ETM_EXCEPTION_DEBUG_MONITOR:
    case ETM_EXCEPTION_PEND_SV:
    case ETM_EXCEPTION_SYS_TICK:
    case ETM_EXCEPTION_IRQ_N:
        break;
    }
    t->exception.u.exception.cancels = cancels;
    if (t->insn.u.insn.exception_return)
        t->exception.u.exception.chain = ETM_CHAIN_TAIL;
}

static bool is_at(const struct etm_place *a, const struct etm_place *b)
{
    return a->address == b->address && a->isa == b->isa;
}

/*
 * Where the instruction led. A log may show a branch on a comparison, or any
 * branch that is not taken, as executed: the next line is more reliable. False:
 * the flow broke off.
 */
static bool find_next(struct etm_execution_reader *r,
                      const struct etm_insn *insn, const struct etm_place *here,
                      struct etm_place *next)
{
    struct etm_tarmac *t = &r->tarmac;
    bool known = etm_opcode_leads(r->profile, &t->insn, &t->at, next);

    if (!known && t->has_branch) {
        *next = t->branch;
        known = true;
    }
    if (t->has_exception) {
        settle_exception(t, insn, next, &known);
        return known || t->exception.u.exception.cancels ||
               t->insn.u.insn.exception_return;
    }
    if (here == NULL)
        return known;
    if (known && !is_at(next, here) &&
        (insn->type != ETM_INSN_TYPE_OTHER || !t->insn.u.insn.passed)) {
        t->insn.u.insn.passed = !t->insn.u.insn.passed;
        known = etm_opcode_leads(r->profile, &t->insn, &t->at, next);
    }
    if (known && !is_at(next, here))
        return false;
    *next = *here;
    return true;
}

/* Append the pending instruction, with its transfers. */
static int commit_insn(struct etm_execution_reader *r,
                       const struct etm_place *here, bool *broken)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_insn insn;
    struct etm_place next = t->at;
    size_t transfers;
    int status;

    decode(r, &t->insn, &insn);
    t->insn.u.insn.exception_return = is_exception_return(t, &insn);
    *broken = !find_next(r, &insn, here, &next);
    t->insn.u.insn.next = next;
    if (*broken && here == NULL) /* the last one, and it leads nowhere */
        return ETM_OK;
    r->now = t->at;
    status = etm_pending_insn(r, &t->insn, true);
    transfers = r->events.n;
    if (status == ETM_OK && t->insn.u.insn.passed)
        status = etm_tarmac_transfers(r, &insn);
    if (status == ETM_OK)
        etm_pending_order(r, &t->insn, transfers);
    return status;
}

/* Append the pending exception; `here`: where its handler begins. */
static int commit_exception(struct etm_execution_reader *r,
                            const struct etm_place *here)
{
    struct etm_tarmac *t = &r->tarmac;

    if (here == NULL)
        return ETM_OK;
    t->exception.u.exception.next = *here;
    t->user = false;
    r->report.exceptions++;
    return etm_pending_turn(r, &t->exception, true);
}

int etm_tarmac_commit(struct etm_execution_reader *r,
                      const struct etm_place *here)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_event halt = {.kind = ETM_EVENT_EXCEPTION};
    struct etm_event place = {.kind = ETM_EVENT_PLACE};
    bool broken = false;
    int status = ETM_OK;

    if (t->has_insn)
        status = commit_insn(r, here, &broken);
    /* The PC was changed, or the log has a gap: to a macrocell this looks like
     * Debug state. */
    halt.u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
    if (here != NULL) {
        place.u.place.at = *here;
        r->began = true;
    }
    if (broken)
        etm_tarmac_puzzle(r, NULL, t->line);
    broken = broken && !t->has_exception && here != NULL;
    if (status == ETM_OK && broken)
        status = etm_pending_add(r, &halt);
    if (status == ETM_OK && here != NULL && (broken || !t->has_insn))
        status = etm_pending_add(r, &place);
    if (status == ETM_OK && t->has_context)
        status = etm_pending_add(r, &t->context);
    if (status == ETM_OK && t->has_exception && t->has_insn)
        status = commit_exception(r, here);
    if (status == ETM_OK && here != NULL && t->is_user != t->user) {
        struct etm_event context = {.kind = ETM_EVENT_CONTEXT};

        t->user = t->is_user;
        context.u.context.context_id = r->context_id;
        context.u.context.vmid = r->vmid;
        context.u.context.user = t->user;
        status = etm_pending_add(r, &context);
    }
    t->has_insn = t->has_exception = t->has_branch = false;
    t->has_context = t->link_is_new = false;
    t->n_bytes = 0;
    t->value = 0;
    return status;
}
