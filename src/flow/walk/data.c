/* SPDX-License-Identifier: Apache-2.0 */
/* Data packets to elements (ETM architecture 7.4.2 to 7.4.10). */
#include "flow/walk/data.h"

/* Describe the next transfer of the owner. A packet beyond those that it can
 * have belongs to no known instruction: its own instruction is missing. */
static bool describe(struct etm_walk *w, const struct etm_broadcast *base,
                     const struct etm_packet *p, struct etm_element *e)
{
    struct etm_data_owner *owner = &w->data.owner;
    bool owned = etm_data_owner_expects(owner);

    e->kind = ETM_ELEMENT_DATA;
    e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
    if (w->data.config->data_address &&
        etm_data_locate(owner, base, (p->fields & ETM_FIELD_ADDRESS) != 0,
                        owned))
        etm_data_name_address(w, base, e);
    if (!owned)
        return false;
    etm_data_name_owner(owner, e);
    if (owner->done != 0 && owner->n + owner->done >= owner->transfers.count)
        etm_data_begin_anew(w);
    etm_data_number(owner, owner->n + owner->done, e);
    return true;
}

/* Append an element; returns its number, if it is made. `timed`: its cycle is
 * that of the current packet. */
static uint64_t add(struct etm_walk *w, const struct etm_element *e,
                    uint64_t offset, bool timed)
{
    struct etm_element *made;

    etm_walk_close(w);
    etm_walk_give_lost(w);
    /* Without instructions, a context is given before data. */
    if (w->data.config->data_only && w->context_changed &&
        (w->now.context_id_known || w->now.vmid_known ||
         w->now.secure != ETM_UNKNOWN)) {
        etm_walk_trim(w);
        (void)etm_walk_here(w);
    }
    if (w->level == ETM_LEVEL_COVERAGE) {
        w->unmade++;
        return ETM_DATA_UNMADE;
    }
    made = etm_walk_add(w, ETM_ELEMENT_DATA, offset);
    made->u = e->u;
    if (timed)
        etm_walk_time(made, etm_walk_since_last(w));
    return w->base + w->out->n - 1;
}

static uint64_t slot_item(unsigned tag, unsigned which)
{
    return ETM_DATA_SLOT | (uint64_t)tag << 1 | which;
}

/*
 * The transfer that waits in a slot becomes an element: with its value, or
 * without one if it will not come. ETM_DATA_NONE if it is not wanted.
 */
static uint64_t empty_slot(struct etm_walk *w, unsigned tag, unsigned which,
                           const struct etm_packet *value, uint64_t offset)
{
    struct etm_data_slot *slot = &w->data.slots[tag][which];
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
        number = add(w, &e, offset, false); /* 7.3.3 */
    }
    etm_data_replace(w, slot_item(tag, which), number);
    return number;
}

void etm_data_forget(struct etm_walk *w, uint64_t offset)
{
    for (unsigned tag = 0; tag <= 3; tag++)
        for (unsigned which = 0; which < 2; which++)
            (void)empty_slot(w, tag, which, NULL, offset);
}

/* A 64-bit transfer is two consecutive placeholders with the same tag, the
 * second without an address; any other one means that the value of the first
 * will not come (7.4.3). */
static void placeholder(struct etm_walk *w, const struct etm_element *e,
                        bool owned, const struct etm_packet *p)
{
    unsigned tag = p->tag & 3;
    struct etm_data_slot *slots = w->data.slots[tag];
    bool second = w->data.stream_end == p->offset &&
                  w->data.last_tag == p->tag && slots[0].used &&
                  !slots[1].used && !(p->fields & ETM_FIELD_A);
    unsigned which = second ? 1 : 0;

    if (!second) {
        (void)empty_slot(w, tag, 0, NULL, p->offset);
        (void)empty_slot(w, tag, 1, NULL, p->offset);
    }
    slots[which].used = true;
    slots[which].void_owner = false;
    slots[which].exclusive = owned && w->data.owner.transfers.exclusive;
    slots[which].element = *e;
    if (owned)
        etm_data_count(w, slot_item(tag, which));
}

/* The value of the oldest placeholder with this tag. Without one it is ignored:
 * normal at the start of a capture (7.4.3). The values of two words come one
 * after the other. */
static void out_of_order(struct etm_walk *w, const struct etm_packet *p)
{
    unsigned tag = p->tag & 3;
    const struct etm_data_slot *slots = w->data.slots[tag];
    unsigned which = slots[0].used ? 0 : 1;
    uint64_t other = ETM_DATA_NONE;

    if (which == 0 && slots[1].used && slots[1].exclusive)
        other = slot_item(tag, 1);
    if (which == 1 && w->data.stream_end == p->offset &&
        w->data.partner == slot_item(tag, 1))
        other = w->data.last;
    w->data.partner = other;
    w->data.last = empty_slot(w, tag, which, p, p->offset);
}

static void mark_failed(struct etm_walk *w, uint64_t item)
{
    struct etm_element *e = etm_data_element(w, item);

    if (e != NULL && e->u.data.status == ETM_DATA_OK)
        e->u.data.status = ETM_DATA_STORE_FAILED;
}

/* Valid only directly after the packet of the store (7.4.7). STREXD: both
 * words, also one that is still to come, as far as they can be changed. */
static void store_failed(struct etm_walk *w, const struct etm_packet *p)
{
    struct etm_data_owner *owner = &w->data.owner;
    bool its_own = false;

    if (w->data.stream_end != p->offset)
        return;
    mark_failed(w, w->data.last);
    mark_failed(w, w->data.partner);
    for (unsigned i = 0; i < owner->n; i++)
        its_own = its_own || owner->item[i] == w->data.last;
    if (!its_own || !owner->transfers.exclusive)
        return;
    owner->failed = true;
    for (unsigned i = 0; i < owner->n; i++)
        mark_failed(w, owner->item[i]);
}

/*
 * Packets from here on are missing, and it is not known which transfers of an
 * incomplete instruction were seen (7.4.6). If it is complete, the missing
 * value belongs to another instruction.
 */
static void suppressed(struct etm_walk *w, const struct etm_packet *p)
{
    struct etm_data_owner *owner = &w->data.owner;
    struct etm_element e = {.kind = ETM_ELEMENT_DATA};
    bool within =
        etm_data_owner_expects(owner) &&
        (owner->done == 0 || owner->n + owner->done < owner->transfers.count);
    uint64_t number;

    e.u.data.status = ETM_DATA_SUPPRESSED;
    e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
    if (within) {
        etm_data_name_owner(owner, &e);
        /* of an unknown number of transfers, count from the first one seen */
        if (owner->transfers.count != 0)
            etm_data_unnumber(w, owner);
        owner->unplaced = true;
    }
    owner->previous_known = false; /* the next address does not follow it */
    etm_data_hold(w);
    number = add(w, &e, p->offset, w->data.timed);
    if (within)
        owner->hole = number;
}

void etm_data_packet(struct etm_walk *w, const struct etm_broadcast *base,
                     const struct etm_packet *p)
{
    struct etm_element e = {.source = w->source};
    bool owned;

    if (p->kind == ETM_PACKET_STORE_FAILED) {
        store_failed(w, p);
        return;
    }
    if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA) {
        out_of_order(w, p);
        w->data.last_tag = ETM_DATA_NO_TAG;
        w->data.stream_end = p->offset + p->size;
        return;
    }
    w->data.last = ETM_DATA_NONE;
    w->data.partner = ETM_DATA_NONE;
    if (p->kind == ETM_PACKET_DATA_SUPPRESSED) {
        suppressed(w, p);
    } else {
        uint64_t number;

        owned = describe(w, base, p, &e);
        if (owned && w->data.owner.failed)
            e.u.data.status = ETM_DATA_STORE_FAILED;
        if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) {
            placeholder(w, &e, owned, p);
        } else {
            e.u.data.value_known = (p->fields & ETM_FIELD_VALUE) != 0;
            e.u.data.value = p->value;
            if (p->kind == ETM_PACKET_VALUE_NOT_TRACED)
                e.u.data.status = ETM_DATA_NOT_TRACED;
            number = add(w, &e, p->offset, w->data.timed);
            if (owned)
                etm_data_count(w, number);
            if (p->kind == ETM_PACKET_NORMAL_DATA)
                w->data.last = number;
        }
    }
    w->data.stream_end = p->offset + p->size;
    w->data.last_tag = p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER
                           ? p->tag
                           : ETM_DATA_NO_TAG;
}
