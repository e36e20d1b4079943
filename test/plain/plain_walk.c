/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_walk.h"

void walk_nowhere(struct plain_walk *f)
{
    f->p->known = false;
    f->half = false;
    f->arrived = false;
    f->awaiting = f->astray = false;
}

/* The halves of a 32-bit Thumb instruction are traced as two (3.5.18, 4.5.4).
 */
static bool splits(const struct plain *p)
{
    return p->config->thumb32_split ||
           p->config->protocol == ETM_PROTOCOL_ETMV2;
}

void walk_go(struct plain_walk *f, uint32_t address, enum etm_isa isa)
{
    struct plain *p = f->p;

    if (p->n != 0 && (!p->known || p->address != address))
        p->items[p->n - 1].ends = true;
    walk_nowhere(f);
    f->last.unseen = false;
    plain_go(f->p, address, isa);
    f->arrived = splits(p) && isa == ETM_ISA_THUMB;
}

void walk_mismatch(struct plain_walk *f, uint64_t bytes)
{
    plain_mismatch(f->p, bytes);
    walk_nowhere(f);
    f->last.valid = false;
}

void walk_find_half(struct plain_walk *f)
{
    struct plain *p = f->p;
    struct etm_insn insn;

    if (f->arrived && plain_read(p, p->address - 2, &insn) && insn.size == 4 &&
        plain_is_bl(&insn, p->address - 2)) {
        f->half = true;
        p->address -= 2;
    }
    f->arrived = false;
}

bool walk_next(struct plain_walk *f, struct etm_insn *insn)
{
    struct plain *p = f->p;

    f->last.valid = f->last.unseen = false;
    f->last.owner = 0;
    if (p->config->protocol == ETM_PROTOCOL_ETMV2)
        plain_data_expire(&f->data);
    if (f->awaiting)
        walk_mismatch(f, 0); /* E-16 */
    if (!p->known)
        return false;
    plain_give_context(p);
    walk_find_half(f);
    if (plain_read(p, p->address, insn))
        return true;
    f->last = (struct plain_last){.unseen = true, .address = p->address};
    plain_no_image(p);
    return false;
}

void walk_blind(struct plain_walk *f)
{
    struct plain *p = f->p;

    plain_data_disown(&f->data);
    f->none_yet = f->alone = f->halted = false;
    p->blind += p->cycles;
    p->cycles = 0;
}

void walk_insn(struct plain_walk *f, const struct etm_insn *insn, bool passed)
{
    struct plain *p = f->p;
    struct plain_last *last = &f->last;
    bool branches = plain_is_branch(insn);

    *last = (struct plain_last){.valid = true,
                                .item = p->n,
                                .address = p->address,
                                .cycles = p->cycles,
                                .insn = *insn,
                                .isa = p->isa,
                                .split = splits(p) && p->isa != ETM_ISA_ARM &&
                                         p->isa != ETM_ISA_JAZELLE &&
                                         insn->size == 4,
                                .taken = branches && passed,
                                .first = f->none_yet};
    f->none_yet = f->alone = f->halted = f->half = false;
    plain_add_insn(p, insn, p->address, passed ? ETM_TRUE : ETM_FALSE,
                   p->cycles)
        ->ends = branches;
    p->cycles = 0;
    if (passed && plain_traces_data(p) &&
        insn->transfers.kind != ETM_TRANSFER_NONE) {
        plain_data_own(&f->data, p->address, &insn->transfers);
        last->owner = f->data.owner;
    }
    if (last->taken && insn->type == ETM_INSN_TYPE_INDIRECT) {
        p->known = false;
        f->awaiting = true;
    } else if (last->taken) {
        plain_go(p, insn->target, (enum etm_isa)insn->target_isa);
    } else {
        p->address += insn->size;
    }
}

void walk_atom(struct plain_walk *f, bool passed)
{
    const struct plain *p = f->p;
    struct etm_insn insn;

    f->exit = false;
    if (!walk_next(f, &insn)) {
        walk_blind(f);
        return;
    }
    if (splits(p) && p->isa != ETM_ISA_ARM && p->isa != ETM_ISA_JAZELLE &&
        insn.size == 4) {
        f->half = !f->half;
        if (f->half)
            return;
    }
    walk_insn(f, &insn, passed);
}

void walk_cancel(struct plain_walk *f)
{
    bool ended = f->p->items[f->last.item].ends;

    if (f->exit)
        plain_remove(f->p, f->exit_item);
    if (f->p->p->resume != 0) /* after a transfer (7.5.2) */
        plain_data_pause(&f->data, f->last.owner, f->p->p->resume);
    else
        plain_data_discard(&f->data, f->last.owner);
    for (size_t i = f->last.item + 1; i < f->p->n; i++)
        if (f->p->items[i].e.since_known)
            f->p->items[i].e.since += (uint32_t)f->last.cycles;
    f->p->context_since += f->last.cycles;
    plain_remove(f->p, f->last.item);
    if (f->last.item != 0) { /* what comes does not follow what is left */
        f->p->items[f->last.item - 1].cut = true;
        f->p->items[f->last.item - 1].ends |= ended;
    }
    f->p->cycles += f->last.cycles;
    f->last.valid = false;
}
