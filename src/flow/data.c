/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/data.h"

#include <string.h>

/* In etm_data_owner.item: a placeholder that waits in slots[tag][which]. */
#define ITEM_SLOT (UINT64_C(1) << 63)

void etm_data_init(struct etm_data_join *join, const struct etm_config *config)
{
    memset(join, 0, sizeof *join);
    join->config = config;
    join->stream_end = UINT64_MAX;
}

/* The element of an item; NULL if it was given away already. */
static struct etm_element *item_element(struct etm_data_join *join,
                                        struct etm_follow *f, unsigned i)
{
    uint64_t item = join->owner.item[i];

    if (item & ITEM_SLOT)
        return &join->slots[item >> 1 & 3][item & 1].element;
    if (item < f->base || item - f->base >= f->out->n)
        return NULL;
    return (struct etm_element *)f->out->data + (item - f->base);
}

/* The register of the i-th transfer, counting from 0. */
static void name_register(const struct etm_data_owner *owner, unsigned i,
                          struct etm_element *e)
{
    static const uint8_t stacked[8] = {0, 1, 2, 3, 12, 14, 15, 16};
    const struct etm_transfers *t = &owner->transfers;
    uint8_t kind = ETM_REGISTER_NO, reg = 0;

    if (owner->kind != ETM_DATA_OWNER_INSN) {
        kind = i < 8 ? ETM_REGISTER_CORE : ETM_REGISTER_NO;
        reg = i < 8 ? stacked[i] : 0;
        if (reg == 16)
            kind = ETM_REGISTER_XPSR;
    } else if (t->kind == ETM_TRANSFER_VFP_SINGLE) {
        kind = ETM_REGISTER_S;
        reg = (uint8_t)(t->first + i);
    } else if (t->kind == ETM_TRANSFER_VFP_DOUBLE) {
        kind = i % 2 == 0 ? ETM_REGISTER_D_LOW : ETM_REGISTER_D_HIGH;
        reg = (uint8_t)(t->first + i / 2);
    } else if (t->registers != 0) {
        unsigned left = i;
        if (owner->pc_first && left-- == 0) {
            kind = ETM_REGISTER_CORE;
            reg = 15;
        }
        for (uint8_t r = 0; r < 16 && kind == ETM_REGISTER_NO; r++)
            if ((t->registers >> r & 1) != 0 && left-- == 0) {
                kind = ETM_REGISTER_CORE;
                reg = r;
            }
    } else if (i < 2 && t->first != ETM_NO_REGISTER &&
               (t->kind == ETM_TRANSFER_CORE || t->kind == ETM_TRANSFER_CPRT)) {
        kind = ETM_REGISTER_CORE;
        reg = i == 0 ? t->first : t->second;
        if (reg == ETM_NO_REGISTER)
            kind = ETM_REGISTER_NO;
    }
    e->u.data.reg_kind = kind;
    e->u.data.reg = kind == ETM_REGISTER_NO ? 0 : reg;
}

/* Say which transfer an element is. */
static void number(const struct etm_data_owner *owner, unsigned i,
                   struct etm_element *e)
{
    bool swap = owner->transfers.direction == ETM_DIRECTION_SWAP;

    e->u.data.index = (uint8_t)(i < 0xff ? i : ETM_DATA_INDEX_UNKNOWN);
    if (swap)
        e->u.data.store = i == 0 ? ETM_FALSE : ETM_TRUE;
    name_register(owner, i, e);
}

static void renumber(struct etm_data_join *join, struct etm_follow *f,
                     unsigned step)
{
    for (unsigned i = 0; i < join->owner.n; i++) {
        struct etm_element *e = item_element(join, f, i);
        if (e != NULL)
            number(&join->owner, i + step, e);
    }
}

static void unnumber(struct etm_data_join *join, struct etm_follow *f)
{
    for (unsigned i = 0; i < join->owner.n; i++) {
        struct etm_element *e = item_element(join, f, i);
        if (e == NULL)
            continue;
        e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
        e->u.data.reg_kind = ETM_REGISTER_NO;
        e->u.data.reg = 0;
    }
}

static void end_owner(struct etm_data_join *join, struct etm_follow *f)
{
    static const struct etm_transfers none;

    join->owner.kind = ETM_DATA_OWNER_NONE;
    join->owner.n = 0;
    join->owner.transfers = none;
    if (!join->config->data_only) /* there one follows on the other */
        join->owner.previous_known = false;
    f->floor = UINT64_MAX;
}

void etm_data_close(struct etm_data_join *join, struct etm_follow *f,
                    bool intact)
{
    struct etm_data_owner *owner = &join->owner;
    unsigned count = owner->transfers.count;

    if (owner->kind != ETM_DATA_OWNER_NONE && owner->n != 0 &&
        owner->n < count) {
        if (intact) /* k packets are the last k transfers (7.4.5) */
            renumber(join, f, count - owner->n);
        else
            unnumber(join, f);
    }
    end_owner(join, f);
}

void etm_data_insn(struct etm_data_join *join, struct etm_follow *f,
                   uint32_t address, const struct etm_transfers *transfers)
{
    struct etm_data_owner *owner = &join->owner;

    etm_data_close(join, f, true);
    owner->kind = ETM_DATA_OWNER_INSN;
    owner->insn = address;
    owner->transfers = *transfers;
    owner->pc_first = join->config->pc_first && transfers->multiple &&
                      transfers->pc && transfers->registers != 0;
    owner->addressed = false;
    owner->previous_known = false;
}

void etm_data_stacking(struct etm_data_join *join, struct etm_follow *f,
                       bool push)
{
    struct etm_data_owner *owner = &join->owner;

    etm_data_close(join, f, true);
    owner->kind = push ? ETM_DATA_OWNER_PUSH : ETM_DATA_OWNER_POP;
    owner->insn = 0;
    owner->transfers = (struct etm_transfers){
        .kind = ETM_TRANSFER_CORE,
        .direction = push ? ETM_DIRECTION_STORE : ETM_DIRECTION_LOAD,
        .count = 8,
        .size = 4,
        .multiple = true,
        .base = 13,
        .first = ETM_NO_REGISTER,
        .second = ETM_NO_REGISTER};
    owner->pc_first = false;
    owner->addressed = false;
    owner->previous_known = false;
}

/* The item whose element comes last in the output; n if there is none. */
static unsigned last_item(const struct etm_data_join *join,
                          const struct etm_follow *f)
{
    const struct etm_data_owner *owner = &join->owner;
    unsigned last = owner->n;

    for (unsigned i = 0; i < owner->n; i++)
        if ((owner->item[i] & ITEM_SLOT) == 0 && owner->item[i] >= f->base &&
            (last == owner->n || owner->item[i] > owner->item[last]))
            last = i;
    return last;
}

void etm_data_discard(struct etm_data_join *join, struct etm_follow *f)
{
    struct etm_data_owner *owner = &join->owner;
    unsigned i;

    for (i = 0; i < owner->n; i++)
        if (owner->item[i] & ITEM_SLOT)
            join->slots[owner->item[i] >> 1 & 3][owner->item[i] & 1]
                .void_owner = true;
    while ((i = last_item(join, f)) < owner->n) {
        etm_follow_remove(f, (size_t)(owner->item[i] - f->base));
        owner->item[i] = ITEM_SLOT; /* done with */
    }
    join->stream_end = UINT64_MAX;
    end_owner(join, f);
}

void etm_data_pause(struct etm_data_join *join, struct etm_follow *f,
                    unsigned resume)
{
    if (join->owner.n <= resume)
        renumber(join, f, resume - join->owner.n);
    else
        unnumber(join, f);
    end_owner(join, f);
}

/* LoadPCFirst without addresses of its own (3.5.18, ETMIDR[16]): addresses
 * count up from the PC's, and all but it are too high by the whole. */
static void lower_addresses(struct etm_data_join *join, struct etm_follow *f)
{
    const struct etm_data_owner *owner = &join->owner;

    if (!owner->pc_first || owner->addressed)
        return;
    for (unsigned i = 1; i < owner->n; i++) {
        struct etm_element *e = item_element(join, f, i);
        if (e != NULL && e->u.data.address_known)
            e->u.data.address -= 4u * owner->transfers.count;
    }
}

/* The address of a transfer: traced, or behind the one before (7.4.2). */
static void give_address(struct etm_data_join *join,
                         const struct etm_broadcast *base,
                         const struct etm_packet *p, struct etm_element *e)
{
    struct etm_data_owner *owner = &join->owner;
    bool swap = owner->transfers.direction == ETM_DIRECTION_SWAP;

    if (!join->config->data_address)
        return;
    if (p->fields & ETM_FIELD_ADDRESS) {
        owner->addressed = owner->addressed || owner->n != 0;
        owner->previous = base->data_address;
        owner->previous_known = base->data_valid;
    } else if (owner->kind != ETM_DATA_OWNER_NONE &&
               (owner->n == 0 || owner->transfers.kind == ETM_TRANSFER_CPRT)) {
        return;         /* coprocessor registers have none (4.11.3) */
    } else if (!swap) { /* both accesses of a swap are to one address */
        owner->previous += 4;
    }
    e->u.data.address_known = owner->previous_known;
    e->u.data.address = owner->previous_known ? owner->previous : 0;
}

static enum etm_tri direction_of(const struct etm_transfers *t)
{
    if (t->direction == ETM_DIRECTION_LOAD)
        return ETM_FALSE;
    return t->direction == ETM_DIRECTION_STORE ? ETM_TRUE : ETM_UNKNOWN;
}

/* What the owner says about its next transfer. */
static void describe(struct etm_data_join *join,
                     const struct etm_broadcast *base,
                     const struct etm_packet *p, struct etm_element *e)
{
    struct etm_data_owner *owner = &join->owner;

    e->kind = ETM_ELEMENT_DATA;
    e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
    if (join->config->data_address && join->config->minor >= 1 &&
        base->data_valid)
        e->u.data.be8 = base->be ? ETM_TRUE : ETM_FALSE;
    give_address(join, base, p, e);
    if (owner->kind == ETM_DATA_OWNER_NONE)
        return;
    e->u.data.insn_known = owner->kind == ETM_DATA_OWNER_INSN;
    e->u.data.insn = owner->insn;
    e->u.data.size = owner->transfers.size;
    e->u.data.store = (uint8_t)direction_of(&owner->transfers);
    number(owner, owner->n, e);
}

/* One more packet of the owner; `item` is where its element is. */
static void count(struct etm_data_join *join, struct etm_follow *f,
                  uint64_t item)
{
    struct etm_data_owner *owner = &join->owner;
    unsigned total = owner->transfers.count;

    if (owner->kind == ETM_DATA_OWNER_NONE)
        return;
    if (owner->n < ETM_DATA_TRANSFERS_MAX)
        owner->item[owner->n++] = item;
    if (owner->n < total) { /* which it is may have to be told anew */
        if (f->floor == UINT64_MAX && !(item & ITEM_SLOT))
            f->floor = item;
    } else {
        if (owner->n == total)
            lower_addresses(join, f);
        f->floor = UINT64_MAX;
    }
}

static struct etm_element *add(struct etm_data_join *join, struct etm_follow *f,
                               const struct etm_element *e, uint64_t offset)
{
    struct etm_element *added;

    etm_follow_close(f);
    added = etm_follow_add(f, ETM_ELEMENT_DATA, offset);
    added->u = e->u;
    join->last = f->base + f->out->n - 1;
    return added;
}

static void placeholder(struct etm_data_join *join, struct etm_follow *f,
                        const struct etm_element *e, const struct etm_packet *p)
{
    struct etm_data_slot *slots = join->slots[p->tag & 3];
    /* 64 bits: two in a row with one tag, the second without an address */
    bool second = join->stream_end == p->offset && join->last_tag == p->tag &&
                  slots[0].used && !slots[1].used &&
                  !(p->fields & ETM_FIELD_A) && join->owner.n != 0;
    unsigned which = second ? 1 : 0;

    if (!second)
        slots[1].used = false; /* what was pending is lost */
    slots[which].used = true;
    slots[which].void_owner = false;
    slots[which].element = *e;
    count(join, f, ITEM_SLOT | (uint64_t)(p->tag & 3) << 1 | which);
}

/* The value of the oldest placeholder with this tag. */
static void out_of_order(struct etm_data_join *join, struct etm_follow *f,
                         const struct etm_packet *p)
{
    struct etm_data_slot *slots = join->slots[p->tag & 3];
    unsigned which = slots[0].used ? 0 : 1;
    struct etm_data_owner *owner = &join->owner;
    struct etm_element *e;

    if (!slots[which].used)
        return; /* normal at the start of a capture (7.4.3) */
    slots[which].used = false;
    if (slots[which].void_owner)
        return;
    e = add(join, f, &slots[which].element, p->offset);
    e->u.data.value_known = (p->fields & ETM_FIELD_VALUE) != 0;
    e->u.data.value = p->value;
    for (unsigned i = 0; i < owner->n; i++) /* it is an element from now on */
        if (owner->item[i] == (ITEM_SLOT | (uint64_t)(p->tag & 3) << 1 | which))
            owner->item[i] = join->last;
    if (owner->n != 0 && owner->n < owner->transfers.count &&
        f->floor == UINT64_MAX)
        f->floor = join->last;
}

static void store_failed(struct etm_data_join *join, struct etm_follow *f,
                         const struct etm_packet *p)
{
    struct etm_data_owner *owner = &join->owner;
    struct etm_element *elements = f->out->data;

    /* only directly behind the packet of the store (7.4.7) */
    if (join->stream_end != p->offset || join->last < f->base ||
        join->last - f->base >= f->out->n)
        return;
    elements[join->last - f->base].u.data.status = ETM_DATA_STORE_FAILED;
    if (!owner->transfers.exclusive || owner->kind != ETM_DATA_OWNER_INSN)
        return;
    for (unsigned i = 0; i < owner->n; i++) { /* STREXD: both words */
        struct etm_element *e = item_element(join, f, i);
        if (e != NULL)
            e->u.data.status = ETM_DATA_STORE_FAILED;
    }
}

/* Transfers from here on may be missing, and which were seen is not known
 * (7.4.6). */
static void suppressed(struct etm_data_join *join, struct etm_follow *f,
                       const struct etm_packet *p)
{
    struct etm_data_owner *owner = &join->owner;
    struct etm_element e = {.kind = ETM_ELEMENT_DATA};

    e.u.data.status = ETM_DATA_SUPPRESSED;
    e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
    if (owner->kind == ETM_DATA_OWNER_INSN) {
        e.u.data.insn_known = true;
        e.u.data.insn = owner->insn;
        e.u.data.size = owner->transfers.size;
        e.u.data.store = (uint8_t)direction_of(&owner->transfers);
    }
    if (owner->n < owner->transfers.count)
        unnumber(join, f);
    owner->n = 0;
    owner->transfers.count = 0; /* it cannot be matched any more */
    f->floor = UINT64_MAX;
    add(join, f, &e, p->offset);
}

void etm_data_packet(struct etm_data_join *join, struct etm_follow *f,
                     const struct etm_broadcast *base,
                     const struct etm_packet *p)
{
    struct etm_element e = {.kind = ETM_ELEMENT_DATA};

    if (p->kind == ETM_PACKET_STORE_FAILED) {
        store_failed(join, f, p);
        return;
    }
    if (p->kind == ETM_PACKET_DATA_SUPPRESSED) {
        suppressed(join, f, p);
    } else if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA) {
        out_of_order(join, f, p);
    } else {
        describe(join, base, p, &e);
        if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) {
            e.source = f->source;
            placeholder(join, f, &e, p);
        } else {
            e.u.data.value_known = (p->fields & ETM_FIELD_VALUE) != 0;
            e.u.data.value = p->value;
            if (p->kind == ETM_PACKET_VALUE_NOT_TRACED)
                e.u.data.status = ETM_DATA_NOT_TRACED;
            add(join, f, &e, p->offset);
            count(join, f, join->last);
        }
    }
    join->stream_end = p->offset + p->size;
    join->last_tag =
        p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ? p->tag : 0;
}
