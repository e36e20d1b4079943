/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program of an ETMv3 goes, and the packets that say so (ETM
 * architecture 7.3.5): branches, what they cancel, exceptions. */
#include "plain_etmv3.h"

void v3_state(struct plain_walk *f, bool ns, bool hyp)
{
    enum etm_tri secure = ns ? ETM_FALSE : ETM_TRUE;

    if (f->p->config->minor < 2)
        secure = ETM_UNKNOWN;
    plain_state(f->p, secure,
                f->p->config->virtualization && hyp ? ETM_TRUE : ETM_FALSE);
}

void v3_drop_reserved(struct plain_walk *f)
{
    struct plain_said *said = &f->p->said;

    if ((f->p->p->fields & ETM_FIELD_ALT_ISA) != 0 &&
        (said->isa == ETM_ISA_ARM || said->isa == ETM_ISA_JAZELLE))
        said->alt_isa = false;
}

void v3_go_said(struct plain_walk *f)
{
    const struct plain_said *said = &f->p->said;

    v3_state(f, said->ns, said->hyp);
    walk_go(f, said->address, said->isa);
}

/* The instruction traced last is the undefined one that raised the exception,
 * which on M-profile cores is a fault: E-412 */
static bool raised(const struct plain_last *last, enum etm_exception_type type)
{
    if (last->targeted ||
        (last->taken && last->insn.type == ETM_INSN_TYPE_DIRECT))
        return false; /* it was executed */
    if (type == ETM_EXCEPTION_UNDEFINED)
        return last->valid || last->unseen;
    return (type == ETM_EXCEPTION_USAGE_FAULT ||
            type == ETM_EXCEPTION_HARD_FAULT) &&
           last->valid && last->insn.undefined;
}

static void exception(struct plain_walk *f, bool cancelled)
{
    struct plain *p = f->p;
    const struct plain_last *last = &f->last;
    uint16_t irq = 0;
    enum etm_exception_type type = plain_exception(p, &irq);
    struct etm_element *e;

    plain_resume(p);
    e = plain_add(p, ETM_ELEMENT_EXCEPTION);
    e->u.exception.number = p->p->exception;
    e->u.exception.irq = irq;
    e->u.exception.type = (uint8_t)type;
    e->u.exception.resume = p->p->resume;
    if (cancelled) {
        e->u.exception.cancels_known = true;
        e->u.exception.cancels = last->address;
    } else if ((p->p->fields & ETM_FIELD_CANCEL) && f->half && p->known) {
        e->u.exception.cancels_known = true; /* one half of it: E-30 */
        e->u.exception.cancels = p->address;
    }
    if (type != ETM_EXCEPTION_RESET) {
        bool itself = cancelled || raised(last, type);
        bool between = f->half && (p->p->fields & ETM_FIELD_CANCEL) == 0;
        e->u.exception.return_known = itself || p->known;
        if (itself) /* only the second half is cancelled */
            e->u.exception.return_address =
                last->address + (cancelled && last->split ? 2 : 0);
        else if (p->known)
            e->u.exception.return_address = p->address + (between ? 2 : 0);
    }
    f->halted = type == ETM_EXCEPTION_DEBUG_HALT;
    if (type == ETM_EXCEPTION_RESET) {
        bool known = p->now.vmid_known;
        plain_forget_context_id(p); /* 4.7, E-262 */
        if (p->now.vmid != 0)
            plain_forget_vmid(p);
        p->now.vmid_known = known; /* it is 0: 7.3.7, E-328 */
    }
    f->last.unseen = false;
    if (f->halted) /* its address means nothing */
        walk_nowhere(f);
    else
        v3_go_said(f);
    f->astray = f->halted; /* tracing is off up to an I-sync: E-430 */
}

/*
 * An ordinary branch packet is due after an indirect branch. Otherwise it
 * tells of a state, or where a direct branch went anyway, or the address after
 * a data instruction with which tracing began (7.3.5, 7.7.3): E-17.
 */
static bool contradicts(const struct plain_walk *f)
{
    const struct plain *p = f->p;
    const struct plain_last *last = &f->last;
    bool direct = last->taken && last->insn.type == ETM_INSN_TYPE_DIRECT;

    if (!last->valid || last->targeted ||
        (p->p->fields & ETM_FIELD_EXCEPTION_0) != 0)
        return false;
    if (last->isa == ETM_ISA_JAZELLE && p->said.isa != ETM_ISA_JAZELLE)
        return false; /* a bytecode that is done in software: E-411 */
    if (direct)
        return last->insn.target != p->said.address ||
               last->insn.target_isa != (uint8_t)p->said.isa;
    if (last->first && last->insn.transfers.kind != ETM_TRANSFER_NONE)
        return false;
    return !last->taken;
}

void v3_branch_packet(struct plain_walk *f)
{
    struct plain *p = f->p;
    bool excepts =
        p->p->exception != 0 || (p->p->fields & ETM_FIELD_DEPRECATED) != 0;
    bool cancels = (p->p->fields & ETM_FIELD_CANCEL) != 0;
    /* on M-profile cores it is the exception exit that is cancelled: 7.5.4 */
    bool pop = f->exit && p->config->profile == ETM_PROFILE_M;
    bool cancelled = cancels && (f->last.valid || f->last.unseen) && !pop;

    if (cancels && pop)
        plain_data_discard(&f->data, f->exit_owner);
    plain_data_taken(&f->data);
    if (!excepts)
        v3_own_alone(f);
    f->none_yet = f->alone = f->halted = false;
    if (p->p->fields & ETM_FIELD_EXCEPTION_0) {
        p->said.ns = (p->p->fields & ETM_FIELD_NS) != 0;
        p->said.alt_isa = (p->p->fields & ETM_FIELD_ALT_ISA) != 0;
    }
    if (p->p->fields & ETM_FIELD_EXCEPTION_1)
        p->said.hyp = (p->p->fields & ETM_FIELD_HYP) != 0;
    plain_say_address(p, p->p->address, p->p->address_bits,
                      (enum etm_isa)p->p->isa);
    v3_drop_reserved(f);
    if (cancelled && f->last.valid)
        walk_cancel(f);
    if (plain_is_suspect(p)) {
        plain_lose(p, ETM_LOST_IMAGE_MISMATCH, p->p->size);
        return;
    }
    if (excepts) {
        exception(f, cancelled);
    } else if (contradicts(f)) {
        walk_mismatch(f, p->p->size);
        plain_suspect(p);
        return;
    } else {
        f->data.done = p->p->resume;
        f->data.resumes = p->said.address;
        plain_resume(p);
        v3_go_said(f);
    }
    f->last.targeted = true;
}
