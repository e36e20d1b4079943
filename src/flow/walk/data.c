/* SPDX-License-Identifier: Apache-2.0 */
/* Data packets to elements (ETM architecture 7.4.2 to 7.4.10). */
#include "flow/walk/data.h"

/* The address of a transfer: traced, or following the previous one (7.4.2). */
static void give_address(struct etm_data_join *join,
                         const struct etm_broadcast *base,
                         const struct etm_packet *p, bool owned,
                         struct etm_element *e)
{
    struct etm_data_owner *owner = &join->owner;
    bool swap = owned && owner->transfers.direction == ETM_DIRECTION_SWAP;

    if (!join->config->data_address)
        return;
    if (p->fields & ETM_FIELD_ADDRESS) {
        owner->addressed = owner->addressed || owner->n != 0;
        owner->previous = base->data_address;
        owner->previous_known = base->data_valid;
    } else if (owned &&
               (owner->n == 0 || owner->transfers.kind == ETM_TRANSFER_CPRT)) {
        return;         /* coprocessor registers have none (4.11.3) */
    } else if (!swap) { /* both accesses of a swap are to one address */
        owner->previous += owned ? etm_data_step(&owner->transfers) : 4;
    }
    e->u.data.address_known = owner->previous_known;
    e->u.data.address = owner->previous_known ? owner->previous : 0;
    /* BE came with v3.1 */
    if (etm_data_v3_1(join->config) && base->data_valid)
        e->u.data.be8 = base->be ? ETM_TRUE : ETM_FALSE;
}

static enum etm_tri direction_of(const struct etm_transfers *t)
{
    if (t->direction == ETM_DIRECTION_LOAD)
        return ETM_FALSE;
    return t->direction == ETM_DIRECTION_STORE ? ETM_TRUE : ETM_UNKNOWN;
}

static void name_owner(const struct etm_data_owner *owner,
                       struct etm_element *e)
{
    e->u.data.insn_known = owner->kind == ETM_DATA_OWNER_INSN;
    e->u.data.insn = owner->insn;
    e->u.data.size = owner->transfers.size;
    e->u.data.store = (uint8_t)direction_of(&owner->transfers);
}

/* Describe the next transfer of the owner. A packet beyond those that it can
 * have belongs to no known instruction: its own instruction is missing. */
static bool describe(struct etm_data_join *join, struct etm_follow *f,
                     const struct etm_broadcast *base,
                     const struct etm_packet *p, struct etm_element *e)
{
    struct etm_data_owner *owner = &join->owner;
    bool owned = etm_data_owner_expects(owner);

    e->kind = ETM_ELEMENT_DATA;
    e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
    give_address(join, base, p, owned, e);
    if (!owned)
        return false;
    name_owner(owner, e);
    if (owner->done != 0 && owner->n + owner->done >= owner->transfers.count)
        etm_data_begin_anew(join, f);
    etm_data_number(owner, owner->n + owner->done, e);
    return true;
}

/* Append an element; returns its number, if it is made. `timed`: its cycle is
 * that of the current packet. */
static uint64_t add(struct etm_data_join *join, struct etm_follow *f,
                    const struct etm_element *e, uint64_t offset, bool timed)
{
    struct etm_element *made;

    etm_follow_close(f);
    etm_follow_give_lost(f);
    /* Without instructions, a context is given before data. */
    if (join->config->data_only && f->context_changed &&
        (f->now.context_id_known || f->now.vmid_known ||
         f->now.secure != ETM_UNKNOWN)) {
        etm_follow_trim(f);
        (void)etm_follow_here(f);
    }
    if (f->level == ETM_LEVEL_COVERAGE) {
        f->unmade++;
        return ETM_DATA_UNMADE;
    }
    made = etm_follow_add(f, ETM_ELEMENT_DATA, offset);
    made->u = e->u;
    if (timed)
        etm_follow_time(made, etm_follow_since_last(f));
    return f->base + f->out->n - 1;
}

static uint64_t slot_item(unsigned tag, unsigned which)
{
    return ETM_DATA_SLOT | (uint64_t)tag << 1 | which;
}

/*
 * The transfer that waits in a slot becomes an element: with its value, or
 * without one if it will not come. ETM_DATA_NONE if it is not wanted.
 */
static uint64_t empty_slot(struct etm_data_join *join, struct etm_follow *f,
                           unsigned tag, unsigned which,
                           const struct etm_packet *value, uint64_t offset)
{
    struct etm_data_slot *slot = &join->slots[tag][which];
    struct etm_element e = slot->element;
    uint64_t number = ETM_DATA_NONE;

    if (!slot->used)
        return ETM_DATA_NONE;
    slot->used = false;
    if (!slot->void_owner) {
        if (value != NULL) {
            e.u.data.value_known = (value->fields & ETM_FIELD_VALUE) != 0;
            e.u.data.value = value->value;
        }
        number = add(join, f, &e, offset, false); /* 7.3.3 */
    }
    etm_data_replace(join, f, slot_item(tag, which), number);
    return number;
}

void etm_data_forget(struct etm_data_join *join, struct etm_follow *f,
                     uint64_t offset)
{
    for (unsigned tag = 0; tag <= 3; tag++)
        for (unsigned which = 0; which < 2; which++)
            (void)empty_slot(join, f, tag, which, NULL, offset);
}

/* A 64-bit transfer is two consecutive placeholders with the same tag, the
 * second without an address; any other one means that the value of the first
 * will not come (7.4.3). */
static void placeholder(struct etm_data_join *join, struct etm_follow *f,
                        const struct etm_element *e, bool owned,
                        const struct etm_packet *p)
{
    unsigned tag = p->tag & 3;
    struct etm_data_slot *slots = join->slots[tag];
    bool second = join->stream_end == p->offset && join->last_tag == p->tag &&
                  slots[0].used && !slots[1].used && !(p->fields & ETM_FIELD_A);
    unsigned which = second ? 1 : 0;

    if (!second) {
        (void)empty_slot(join, f, tag, 0, NULL, p->offset);
        (void)empty_slot(join, f, tag, 1, NULL, p->offset);
    }
    slots[which].used = true;
    slots[which].void_owner = false;
    slots[which].exclusive = owned && join->owner.transfers.exclusive;
    slots[which].element = *e;
    if (owned)
        etm_data_count(join, f, slot_item(tag, which));
}

/* The value of the oldest placeholder with this tag. Without one it is ignored:
 * normal at the start of a capture (7.4.3). The values of two words come one
 * after the other. */
static void out_of_order(struct etm_data_join *join, struct etm_follow *f,
                         const struct etm_packet *p)
{
    unsigned tag = p->tag & 3;
    const struct etm_data_slot *slots = join->slots[tag];
    unsigned which = slots[0].used ? 0 : 1;
    uint64_t other = ETM_DATA_NONE;

    if (which == 0 && slots[1].used && slots[1].exclusive)
        other = slot_item(tag, 1);
    if (which == 1 && join->stream_end == p->offset &&
        join->partner == slot_item(tag, 1))
        other = join->last;
    join->partner = other;
    join->last = empty_slot(join, f, tag, which, p, p->offset);
}

static void mark_failed(struct etm_data_join *join, struct etm_follow *f,
                        uint64_t item)
{
    struct etm_element *e = etm_data_element(join, f, item);

    if (e != NULL && e->u.data.status == ETM_DATA_OK)
        e->u.data.status = ETM_DATA_STORE_FAILED;
}

/* Valid only directly after the packet of the store (7.4.7). STREXD: both
 * words, also one that is still to come, as far as they can be changed. */
static void store_failed(struct etm_data_join *join, struct etm_follow *f,
                         const struct etm_packet *p)
{
    struct etm_data_owner *owner = &join->owner;
    bool its_own = false;

    if (join->stream_end != p->offset)
        return;
    mark_failed(join, f, join->last);
    mark_failed(join, f, join->partner);
    for (unsigned i = 0; i < owner->n; i++)
        its_own = its_own || owner->item[i] == join->last;
    if (!its_own || !owner->transfers.exclusive)
        return;
    owner->failed = true;
    for (unsigned i = 0; i < owner->n; i++)
        mark_failed(join, f, owner->item[i]);
}

/*
 * Packets from here on are missing, and it is not known which transfers of an
 * incomplete instruction were seen (7.4.6). If it is complete, the missing
 * value belongs to another instruction.
 */
static void suppressed(struct etm_data_join *join, struct etm_follow *f,
                       const struct etm_packet *p)
{
    struct etm_data_owner *owner = &join->owner;
    struct etm_element e = {.kind = ETM_ELEMENT_DATA};
    bool within =
        etm_data_owner_expects(owner) &&
        (owner->done == 0 || owner->n + owner->done < owner->transfers.count);
    uint64_t number;

    e.u.data.status = ETM_DATA_SUPPRESSED;
    e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
    if (within) {
        name_owner(owner, &e);
        /* of an unknown number of transfers, count from the first one seen */
        if (owner->transfers.count != 0)
            etm_data_unnumber(join, f, owner);
        owner->unplaced = true;
    }
    owner->previous_known = false; /* the next address does not follow it */
    etm_data_hold(join, f);
    number = add(join, f, &e, p->offset, join->timed);
    if (within)
        owner->hole = number;
}

void etm_data_packet(struct etm_data_join *join, struct etm_follow *f,
                     const struct etm_broadcast *base,
                     const struct etm_packet *p)
{
    struct etm_element e = {.source = f->source};
    bool owned;

    if (p->kind == ETM_PACKET_STORE_FAILED) {
        store_failed(join, f, p);
        return;
    }
    if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA) {
        out_of_order(join, f, p);
        join->last_tag = ETM_DATA_NO_TAG;
        join->stream_end = p->offset + p->size;
        return;
    }
    join->last = ETM_DATA_NONE;
    join->partner = ETM_DATA_NONE;
    if (p->kind == ETM_PACKET_DATA_SUPPRESSED) {
        suppressed(join, f, p);
    } else {
        uint64_t number;

        owned = describe(join, f, base, p, &e);
        if (owned && join->owner.failed)
            e.u.data.status = ETM_DATA_STORE_FAILED;
        if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) {
            placeholder(join, f, &e, owned, p);
        } else {
            e.u.data.value_known = (p->fields & ETM_FIELD_VALUE) != 0;
            e.u.data.value = p->value;
            if (p->kind == ETM_PACKET_VALUE_NOT_TRACED)
                e.u.data.status = ETM_DATA_NOT_TRACED;
            number = add(join, f, &e, p->offset, join->timed);
            if (owned)
                etm_data_count(join, f, number);
            if (p->kind == ETM_PACKET_NORMAL_DATA)
                join->last = number;
        }
    }
    join->stream_end = p->offset + p->size;
    join->last_tag = p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER
                         ? p->tag
                         : ETM_DATA_NO_TAG;
}
