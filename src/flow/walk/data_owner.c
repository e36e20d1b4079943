/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction, and which of its transfers, data packets belong to. */
#include "flow/walk/data.h"

#include <string.h>

/* Only elements that are not final: whether final ones were already output
 * depends on how the input is divided. */
struct etm_element *etm_data_element(struct etm_walk *w, uint64_t item)
{
    struct etm_element *elements = w->out->data;

    if (item >= ETM_DATA_UNMADE)
        return NULL;
    if (item & ETM_DATA_SLOT)
        return &w->data.slots[item >> 1 & 3][item & 1].element;
    if (item < w->base + w->held || item - w->base >= w->out->n)
        return NULL;
    return elements + (item - w->base);
}

/* The register of a word of D registers. Elements of a structure that are
 * smaller than a word, or of one lane, are not words of a register. */
static uint8_t word_of_double(const struct etm_transfers *t, unsigned i,
                              uint8_t *reg)
{
    if (t->size != 4 || t->count % 2 != 0 || t->first == ETM_NO_REGISTER)
        return ETM_REGISTER_NO;
    *reg = (uint8_t)(t->first + i / 2);
    return i % 2 == 0 ? ETM_REGISTER_D_LOW : ETM_REGISTER_D_HIGH;
}

/* The i-th register of a list; the PC may be transferred first. */
static uint8_t register_of_list(const struct etm_data_owner *owner, unsigned i,
                                uint8_t *reg)
{
    uint32_t left = owner->transfers.registers;

    if (owner->pc_first && i-- == 0) {
        *reg = 15;
        return ETM_REGISTER_CORE;
    }
    for (; i != 0; i--)
        left &= left - 1;
    if (left == 0)
        return ETM_REGISTER_NO;
    *reg = (uint8_t)etm_bits_set((left & (0 - left)) - 1);
    return ETM_REGISTER_CORE;
}

/* One or two registers; RFE and SRS transfer the PC or LR and a PSR. */
static uint8_t register_of_pair(const struct etm_transfers *t, unsigned i,
                                uint8_t *reg)
{
    uint8_t r = i == 0 ? t->first : t->second;

    if (t->kind != ETM_TRANSFER_CORE && t->kind != ETM_TRANSFER_CPRT)
        return ETM_REGISTER_NO;
    if (i == 1 && t->kind == ETM_TRANSFER_CORE && t->count == 2 &&
        r == ETM_NO_REGISTER) {
        *reg = 16;
        return ETM_REGISTER_XPSR;
    }
    if (i > 1 || r == ETM_NO_REGISTER)
        return ETM_REGISTER_NO;
    /* MRC and VMRS to APSR_nzcv are encoded with the PC (A8.8.108) */
    if (t->kind == ETM_TRANSFER_CPRT && t->direction == ETM_DIRECTION_LOAD &&
        t->count == 1 && r == 15) {
        *reg = 16;
        return ETM_REGISTER_XPSR;
    }
    *reg = r;
    return ETM_REGISTER_CORE;
}

/* The register of the i-th transfer, counting from 0. */
static void name_register(const struct etm_data_owner *owner, unsigned i,
                          struct etm_element *e)
{
    static const uint8_t stacked[8] = {0, 1, 2, 3, 12, 14, 15, 16};
    const struct etm_transfers *t = &owner->transfers;
    uint8_t kind = ETM_REGISTER_NO, reg = 0;

    if (owner->kind != ETM_DATA_OWNER_INSN) {
        kind = i < 7    ? ETM_REGISTER_CORE
               : i == 7 ? ETM_REGISTER_XPSR
                        : ETM_REGISTER_NO;
        reg = i < 8 ? stacked[i] : 0;
    } else if (t->kind == ETM_TRANSFER_VFP_SINGLE) {
        kind = ETM_REGISTER_S;
        reg = (uint8_t)(t->first + i);
    } else if (t->kind == ETM_TRANSFER_VFP_DOUBLE) {
        kind = word_of_double(t, i, &reg);
    } else if (t->registers != 0) {
        kind = register_of_list(owner, i, &reg);
    } else {
        kind = register_of_pair(t, i, &reg);
    }
    e->u.data.reg_kind = kind;
    e->u.data.reg = reg;
}

void etm_data_number(const struct etm_data_owner *owner, unsigned i,
                     struct etm_element *e)
{
    bool swap = owner->transfers.direction == ETM_DIRECTION_SWAP;

    e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
    e->u.data.reg_kind = ETM_REGISTER_NO;
    e->u.data.reg = 0;
    if (owner->unplaced && swap)
        e->u.data.store = ETM_UNKNOWN;
    if (owner->unplaced)
        return;
    if (i < ETM_DATA_INDEX_UNKNOWN)
        e->u.data.index = (uint8_t)i;
    if (swap)
        e->u.data.store = i == 0 ? ETM_FALSE : ETM_TRUE;
    name_register(owner, i, e);
}

static void renumber(struct etm_walk *w, struct etm_data_owner *owner,
                     unsigned step)
{
    for (unsigned i = 0; i < owner->n; i++) {
        struct etm_element *e = etm_data_element(w, owner->item[i]);
        if (e != NULL)
            etm_data_number(owner, i + step, e);
    }
}

/* LoadPCFirst without addresses of its own (3.5.18, ETMIDR[16]). */
static bool needs_lowering(const struct etm_data_owner *owner)
{
    return owner->pc_first && !owner->addressed;
}

/* The addresses of words that came depend on whether all of them came. From
 * v3.1 on the word after the PC has an address (7.4.2). */
static bool hangs_on_count(const struct etm_walk *w,
                           const struct etm_data_owner *owner)
{
    return needs_lowering(owner) && !etm_data_v3_1(w->data.config);
}

void etm_data_unnumber(struct etm_walk *w, struct etm_data_owner *owner)
{
    owner->unplaced = true;
    renumber(w, owner, 0);
    if (!hangs_on_count(w, owner)) /* see lower_addresses() */
        return;
    for (unsigned i = 1; i < owner->n; i++) {
        struct etm_element *e = etm_data_element(w, owner->item[i]);
        if (e == NULL)
            continue;
        e->u.data.address_known = false;
        e->u.data.address = 0;
    }
}

/* Further packets of an owner may still affect earlier ones. */
static bool is_open(const struct etm_data_owner *owner)
{
    return owner->kind != ETM_DATA_OWNER_NONE && !owner->unplaced &&
           !owner->settled && owner->n + owner->done < owner->transfers.count;
}

/* A word of a store that can fail waits: a Store failed packet after it marks
 * the other one, too (E-107). */
static bool may_fail(const struct etm_data_owner *owner)
{
    for (unsigned i = 0; i < owner->n && owner->transfers.exclusive; i++)
        if (owner->item[i] < ETM_DATA_UNMADE &&
            (owner->item[i] & ETM_DATA_SLOT) != 0)
            return true;
    return false;
}

/* It may be renumbered, also if it is complete by a Resume, which one packet
 * more would refute (E-396); or marked. */
static bool may_change(const struct etm_data_owner *owner)
{
    return owner->n < owner->transfers.count || may_fail(owner);
}

static void hold_items(const struct etm_data_owner *owner, struct etm_walk *w)
{
    if (owner->kind == ETM_DATA_OWNER_NONE || owner->unplaced ||
        owner->settled || !may_change(owner))
        return;
    for (unsigned i = 0; i < owner->n; i++)
        if (owner->item[i] < w->floor && !(owner->item[i] & ETM_DATA_SLOT) &&
            owner->item[i] >= w->base + w->held)
            w->floor = owner->item[i];
}

void etm_data_hold(struct etm_walk *w)
{
    w->floor = UINT64_MAX;
    hold_items(&w->data.before, w);
    hold_items(&w->data.owner, w);
}

/* Forget an owner whose packets are settled. */
static void end_owner(struct etm_walk *w, struct etm_data_owner *owner)
{
    static const struct etm_transfers none;

    owner->kind = ETM_DATA_OWNER_NONE;
    owner->n = 0;
    owner->hole = ETM_DATA_NONE;
    owner->transfers = none;
    if (!w->data.config->data_only) /* there one continues the other */
        owner->previous_known = false;
}

/* All packets of the owner have come: k packets are its last k transfers
 * (7.4.5). */
static void settle(struct etm_walk *w, struct etm_data_owner *owner)
{
    if (is_open(owner))
        renumber(w, owner, owner->transfers.count - owner->n);
    owner->settled = true;
}

static void close_owner(struct etm_walk *w, struct etm_data_owner *owner,
                        bool intact)
{
    if (owner->kind == ETM_DATA_OWNER_NONE)
        return;
    if (intact)
        settle(w, owner);
    else if (is_open(owner))
        etm_data_unnumber(w, owner);
    end_owner(w, owner);
}

void etm_data_close(struct etm_walk *w, bool intact)
{
    close_owner(w, &w->data.before, intact);
    close_owner(w, &w->data.owner, intact);
    w->floor = UINT64_MAX;
}

void etm_data_finish(struct etm_walk *w)
{
    close_owner(w, &w->data.before, true);
    close_owner(w, &w->data.owner, !hangs_on_count(w, &w->data.owner));
    w->floor = UINT64_MAX;
}

void etm_data_taken(struct etm_walk *w)
{
    if (w->data.before.kind == ETM_DATA_OWNER_NONE)
        return;
    settle(w, &w->data.before);
    etm_data_hold(w);
}

/* Its packets are nobody's. */
static void disown(struct etm_walk *w, struct etm_data_owner *owner)
{
    if (!is_open(owner))
        return;
    etm_data_unnumber(w, owner);
    for (unsigned i = 0; i < owner->n; i++) {
        struct etm_element *e = etm_data_element(w, owner->item[i]);
        if (e == NULL)
            continue;
        e->u.data.insn_known = false;
        e->u.data.insn = 0;
        e->u.data.size = 0;
        e->u.data.store = ETM_UNKNOWN;
    }
}

void etm_data_unknown(struct etm_walk *w)
{
    w->data.owner.previous_known = false;
    if (w->data.owner.kind == ETM_DATA_OWNER_NONE)
        return;
    disown(w, &w->data.owner); /* the one before a push was complete */
    etm_data_close(w, true);
}

void etm_data_insn(struct etm_walk *w, uint32_t address,
                   const struct etm_transfers *transfers)
{
    struct etm_data_owner *owner = &w->data.owner;

    etm_data_close(w, true);
    etm_data_begin_insn(w, address, transfers);
    if (w->data.resumes == address && w->data.done < transfers->count)
        owner->done = w->data.done;
    w->data.done = 0;
}

void etm_data_stacking(struct etm_walk *w, bool push)
{
    struct etm_data_owner *owner = &w->data.owner;
    struct etm_data_owner before = *owner;

    if (push && before.kind == ETM_DATA_OWNER_PUSH) {
        /* the instruction that it interrupted may still be cancelled */
        close_owner(w, owner, true);
    } else if (push && before.kind != ETM_DATA_OWNER_NONE) {
        close_owner(w, &w->data.before, true);
        w->data.before = before;
    } else {
        etm_data_close(w, true);
    }
    etm_data_begin_owner(owner,
                         push ? ETM_DATA_OWNER_PUSH : ETM_DATA_OWNER_POP);
    owner->transfers = (struct etm_transfers){
        .kind = ETM_TRANSFER_CORE,
        .direction = push ? ETM_DIRECTION_STORE : ETM_DIRECTION_LOAD,
        .count = 8,
        .size = 4,
        .multiple = true,
        .base = 13,
        .first = ETM_NO_REGISTER,
        .second = ETM_NO_REGISTER};
    etm_data_hold(w);
}

void etm_data_removed(struct etm_walk *w, uint64_t number)
{
    struct etm_data_owner *owners[2] = {&w->data.before, &w->data.owner};

    if (number == ETM_DATA_NONE)
        return;
    for (unsigned k = 0; k < 2; k++) {
        struct etm_data_owner *owner = owners[k];
        for (unsigned i = 0; i < owner->n; i++)
            if (owner->item[i] < ETM_DATA_SLOT && owner->item[i] > number)
                owner->item[i]--;
        if (owner->hole != ETM_DATA_NONE && owner->hole > number)
            owner->hole--;
    }
    w->data.last = ETM_DATA_NONE;
    w->data.partner = ETM_DATA_NONE;
    etm_data_hold(w);
}

/* Remove what an owner's packets became from the output. */
static void discard(struct etm_walk *w, struct etm_data_owner *owner)
{
    struct etm_element *hole = etm_data_element(w, owner->hole);

    if (hole != NULL) { /* the element stays, but names no instruction */
        hole->u.data.insn_known = false;
        hole->u.data.insn = 0;
        hole->u.data.size = 0;
        hole->u.data.store = ETM_UNKNOWN;
    }
    for (unsigned i = 0; i < owner->n; i++) {
        uint64_t item = owner->item[i];
        struct etm_element *e = etm_data_element(w, item);
        if (item == ETM_DATA_UNMADE && w->unmade != 0)
            w->unmade--;
        if (e == NULL)
            continue;
        if (item & ETM_DATA_SLOT) {
            w->data.slots[item >> 1 & 3][item & 1].void_owner = true;
            continue;
        }
        etm_walk_remove(w, (size_t)(item - w->base));
        owner->item[i] = ETM_DATA_NONE;
        etm_data_removed(w, item);
    }
    w->data.stream_end = UINT64_MAX;
    end_owner(w, owner);
    etm_data_hold(w);
}

/* The owner that an exception cancels: not the push of the exception. */
static struct etm_data_owner *before_push(struct etm_walk *w)
{
    return w->data.owner.kind == ETM_DATA_OWNER_PUSH ? &w->data.before
                                                     : &w->data.owner;
}

void etm_data_discard(struct etm_walk *w)
{
    struct etm_data_owner *owner = before_push(w);

    if (owner->kind == ETM_DATA_OWNER_INSN)
        discard(w, owner);
}

void etm_data_discard_pop(struct etm_walk *w)
{
    struct etm_data_owner *owner = before_push(w);

    if (owner->kind == ETM_DATA_OWNER_POP)
        discard(w, owner);
}

void etm_data_pause(struct etm_walk *w, unsigned resume)
{
    struct etm_data_owner *owner = before_push(w);
    unsigned count = owner->transfers.count;

    if (owner->kind != ETM_DATA_OWNER_INSN)
        return;
    /* its packets are the last up to there: E-105; but if some are missing,
     * what they are stays as it is (E-103) */
    if (!owner->unplaced && owner->n + owner->done <= resume &&
        (count == 0 || resume <= count))
        renumber(w, owner, resume - owner->n);
    else if (!owner->unplaced)
        etm_data_unnumber(w, owner);
    end_owner(w, owner);
    etm_data_hold(w);
}

/* Addresses count up from that of the PC, and all but it are too high by the
 * size of the others. */
static void lower_addresses(struct etm_walk *w)
{
    const struct etm_data_owner *owner = &w->data.owner;

    if (!needs_lowering(owner))
        return;
    for (unsigned i = 1; i < owner->n; i++) {
        struct etm_element *e = etm_data_element(w, owner->item[i]);
        if (e != NULL && e->u.data.address_known)
            e->u.data.address -= 4u * owner->transfers.count;
    }
}

void etm_data_begin_anew(struct etm_walk *w)
{
    w->data.owner.done = 0;
    renumber(w, &w->data.owner, 0);
    etm_data_hold(w);
}

void etm_data_count(struct etm_walk *w, uint64_t item)
{
    struct etm_data_owner *owner = &w->data.owner;

    owner->item[owner->n++] = item;
    if (owner->n == owner->transfers.count)
        lower_addresses(w);
    etm_data_hold(w);
}

void etm_data_replace(struct etm_walk *w, uint64_t item, uint64_t by)
{
    struct etm_data_owner *owners[2] = {&w->data.before, &w->data.owner};

    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < owners[k]->n; i++)
            if (owners[k]->item[i] == item)
                owners[k]->item[i] = by;
    etm_data_hold(w);
}
