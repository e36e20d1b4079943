/* SPDX-License-Identifier: Apache-2.0 */
/* Where the instructions of a Tarmac log led, and the events of each. */
#include "exec/tarmac_internal.h"

/* M profile: did it write EXC_RETURN to the PC? */
static bool is_exception_return(const struct etm_tarmac *t,
                                const struct etm_tarmac_insn *e,
                                const struct etm_tarmac_insn *next)
{
    struct etm_tarmac_value to =
        e->insn.transfers.pc ? etm_tarmac_loaded_pc(e) : e->target;

    if (!t->m_profile || !e->event.u.insn.passed ||
        e->insn.type != ETM_INSN_TYPE_INDIRECT)
        return false;
    if (to.known)
        return to.value >= ETM_TARMAC_EXC_RETURN;
    return e->returned || (next != NULL && e->mode == ETM_TARMAC_HANDLER &&
                           next->mode == ETM_TARMAC_THREAD);
}

static bool is_at(const struct etm_place *a, const struct etm_place *b)
{
    return a->address == b->address && a->isa == b->isa;
}

/*
 * A log may show a branch on a comparison, or any branch that is not taken, as
 * executed, or one that is taken as not executed. Where execution went on, at
 * `here`, is more reliable, if the branch would lead there then.
 */
static void correct(enum etm_profile profile, struct etm_tarmac_insn *e,
                    const struct etm_place *here, struct etm_place *next)
{
    struct etm_event turned = e->event;
    struct etm_place other;

    turned.u.insn.passed = !turned.u.insn.passed;
    if (!e->conditional || is_at(next, here) ||
        !etm_opcode_leads(profile, &turned, &e->at, &other) ||
        !is_at(&other, here))
        return;
    e->event = turned;
    *next = other;
}

/* Where the opcode leads, if execution went on at `here` (NULL: not known), or
 * a handler began there. False: not known. */
static bool lead(const struct etm_execution_reader *r,
                 struct etm_tarmac_insn *e, const struct etm_place *here,
                 struct etm_place *next)
{
    bool known = etm_opcode_leads(r->profile, &e->event, &e->at, next);

    if (!known && e->has_branch) {
        *next = e->branch;
        return true;
    }
    if (known && e->n_exceptions > 0) {
        struct etm_tarmac_value to =
            etm_tarmac_return(&r->tarmac, &e->exceptions[0], here);
        struct etm_place back = *next;

        back.address = to.value;
        if (to.known)
            correct(r->profile, e, &back, next);
    } else if (known && here != NULL) {
        correct(r->profile, e, here, next);
    }
    return known;
}

/* How the flow goes on after an instruction. */
enum outcome {
    OUTCOME_LED,    /* to its `next` */
    OUTCOME_BROKEN, /* the next one is elsewhere */
    OUTCOME_LEFT,   /* AArch64 code follows, which cannot be traced */
    OUTCOME_LOST    /* nothing says where it led */
};

static enum outcome find_next(struct etm_execution_reader *r,
                              struct etm_tarmac_insn *e,
                              const struct etm_tarmac_insn *after)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_place *next = &e->event.u.insn.next;
    const struct etm_place *here = after == NULL ? NULL : &after->at;
    struct etm_place handler;
    bool known, broken;

    if (e->n_exceptions > 1 && here != NULL &&
        etm_tarmac_handler(t, &e->exceptions[1], here, &handler))
        here = &handler;
    known = lead(r, e, here, next);
    broken = known && here != NULL && !is_at(next, here);
    if (e->n_exceptions == 0 && e->left) {
        if (!known)
            *next = e->at;
        return known ? OUTCOME_LEFT : OUTCOME_LOST;
    }
    if (after != NULL && e->n_exceptions == 0)
        (void)etm_tarmac_see_exception(t, e, after, broken);
    if (e->n_exceptions > 0)
        return etm_tarmac_settle(t, e, known, here, next) ? OUTCOME_LED
                                                          : OUTCOME_LOST;
    if (here == NULL)
        return known ? OUTCOME_LED : OUTCOME_LOST;
    if (broken)
        return OUTCOME_BROKEN;
    *next = *here;
    return OUTCOME_LED;
}

/* Append the instruction, with its transfers. */
static int commit_insn(struct etm_execution_reader *r,
                       struct etm_tarmac_insn *e)
{
    size_t transfers;
    int status;

    r->now = e->at;
    status = etm_pending_insn(r, &e->event, true);
    transfers = r->events.n;
    if (status == ETM_OK && e->event.u.insn.passed)
        status = etm_tarmac_transfers(r, e);
    if (status == ETM_OK)
        etm_pending_order(r, &e->event, transfers);
    return status;
}

/* Append the exceptions; the last handler begins at `here`. Of one whose
 * handler did not begin before the next, it must be known where it is. */
static int commit_exceptions(struct etm_execution_reader *r,
                             struct etm_tarmac_insn *e,
                             const struct etm_place *here)
{
    struct etm_tarmac *t = &r->tarmac;
    int status = ETM_OK;

    for (unsigned i = 0; i < e->n_exceptions && status == ETM_OK; i++) {
        struct etm_tarmac_exception *x = &e->exceptions[i];
        struct etm_place place = *here;

        r->line_number = x->line;
        if (i + 1 < e->n_exceptions &&
            !etm_tarmac_handler(t, x + 1, here, &place)) {
            etm_tarmac_puzzle(r, etm_tarmac_text(e), x->line);
            continue;
        }
        x->event.u.exception.next = place;
        r->report.exceptions++;
        status = etm_pending_turn(r, &x->event, true);
    }
    if (e->n_exceptions > 0) {
        t->user = false;
        t->has_vectors = true;
        t->vectors = here->address & ~UINT32_C(0x1f);
    }
    return status;
}

static int add_context(struct etm_execution_reader *r)
{
    struct etm_event event = {.kind = ETM_EVENT_CONTEXT};

    event.u.context.context_id = r->context_id;
    event.u.context.vmid = r->vmid;
    event.u.context.user = r->tarmac.user;
    return etm_pending_add(r, &event);
}

static int commit_context(struct etm_execution_reader *r,
                          struct etm_tarmac_value id)
{
    if (!id.known)
        return ETM_OK;
    r->context_id = id.value;
    return add_context(r);
}

/* Whether instruction `e` runs in User mode. */
static int commit_user(struct etm_execution_reader *r,
                       const struct etm_tarmac_insn *e)
{
    bool user = e->mode == ETM_TARMAC_USR;

    if (user == r->tarmac.user)
        return ETM_OK;
    r->tarmac.user = user;
    return add_context(r);
}

static int add_place(struct etm_execution_reader *r,
                     const struct etm_place *here)
{
    struct etm_event event = {.kind = ETM_EVENT_PLACE};

    event.u.place.at = *here;
    r->began = true;
    return etm_pending_add(r, &event);
}

/* Before the first instruction. */
static int begin(struct etm_execution_reader *r,
                 const struct etm_tarmac_insn *e)
{
    int status;

    if (r->began)
        return ETM_OK;
    status = add_place(r, &e->at);
    if (status == ETM_OK)
        status = commit_context(r, r->tarmac.context_id);
    return status == ETM_OK ? commit_user(r, e) : status;
}

/* The PC was changed, or the log has a gap: to a macrocell this looks like
 * Debug state. */
static int add_gap(struct etm_execution_reader *r, bool cancels,
                   const struct etm_place *here)
{
    struct etm_event halt = {.kind = ETM_EVENT_EXCEPTION};
    int status;

    halt.u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
    halt.u.exception.cancels = cancels;
    status = etm_pending_add(r, &halt);
    return status == ETM_OK ? add_place(r, here) : status;
}

/* What comes after it, before the next instruction. */
static int commit_rest(struct etm_execution_reader *r,
                       struct etm_tarmac_insn *e,
                       const struct etm_tarmac_insn *after,
                       enum outcome outcome)
{
    bool gap = outcome == OUTCOME_BROKEN || e->left;
    int status = ETM_OK;

    if (after != NULL && !e->left &&
        (outcome == OUTCOME_BROKEN || outcome == OUTCOME_LOST))
        etm_tarmac_puzzle(r, etm_tarmac_text(e), e->line);
    if (after != NULL && gap)
        status = add_gap(r, outcome == OUTCOME_LOST, &after->at);
    if (status == ETM_OK)
        status = commit_context(r, e->context_id);
    if (status == ETM_OK && after != NULL && !gap)
        status = commit_exceptions(r, e, &after->at);
    if (status == ETM_OK && after != NULL)
        status = commit_user(r, after);
    return status;
}

int etm_tarmac_commit(struct etm_execution_reader *r)
{
    struct etm_tarmac *t = &r->tarmac;
    struct etm_tarmac_insn *e = etm_tarmac_waiting(t, 0);
    const struct etm_tarmac_insn *after =
        t->n > 1 ? etm_tarmac_waiting(t, 1) : NULL;
    enum outcome outcome;
    int status;

    r->line_number = e->line;
    status = begin(r, e);
    e->event.u.insn.exception_return = is_exception_return(t, e, after);
    outcome = find_next(r, e, after);
    /* the last one, and it leads nowhere: it is left out */
    if (status == ETM_OK && (after != NULL || outcome != OUTCOME_LOST))
        status = commit_insn(r, e);
    if (status == ETM_OK)
        status = commit_rest(r, e, after, outcome);
    t->first = (t->first + 1) % ETM_TARMAC_WINDOW;
    t->n--;
    return status;
}
