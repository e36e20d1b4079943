/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data transfers of ETMv2 and ETMv3 (ETM architecture 6.4.2 to 6.4.4, 7.4, 7.5;
 * sections are those of ETMv3, which has more). Every packet becomes a
 * transfer of its owner at once; which one is worked out when the stream is
 * whole. Which register each of them is about is for other tests to see to.
 */
#include "plain_data.h"

#include <stdlib.h>
#include <string.h>

/* No instruction has more; where the opcode does not tell. */
#define TRANSFERS 32u

static struct plain_owner *append(struct plain_data *d)
{
    if (d->n == d->capacity) {
        d->capacity = 2 * d->capacity + 1024;
        d->owners = realloc(d->owners, d->capacity * sizeof *d->owners);
        if (d->owners == NULL)
            abort();
    }
    memset(&d->owners[d->n], 0, sizeof d->owners[0]);
    return &d->owners[d->n++];
}

void plain_data_init(struct plain_data *d, struct plain *p)
{
    memset(d, 0, sizeof *d);
    d->p = p;
    d->tag = PLAIN_NO_TAG;
    append(d); /* nobody */
}

static struct plain_owner *begin(struct plain_data *d)
{
    plain_data_close(d, true);
    d->previous_known = false;
    d->owner = d->n;
    return append(d);
}

void plain_data_own(struct plain_data *d, uint32_t address,
                    const struct etm_transfers *t)
{
    struct plain_owner *o = begin(d);

    o->insn = address;
    o->transfers = *t;
    o->count = t->count;
    if (d->resumes == address && d->done < o->count)
        o->done = d->done;
    d->done = 0;
    o->pc_first =
        d->p->config->pc_first && t->multiple && t->pc && t->registers != 0;
}

void plain_data_stack(struct plain_data *d, bool pop)
{
    static const struct etm_transfers eight = {
        .kind = ETM_TRANSFER_CORE, .count = 8, .size = 4, .multiple = true};
    unsigned last = d->owner != 0 ? d->owner : d->hushed;
    /* with two entries in a row it is still the one before the first */
    unsigned before = d->owners[last].push ? d->before : last;
    struct plain_owner *o = begin(d);

    if (!pop)
        d->before = before;
    o->stacking = true;
    o->push = !pop;
    o->transfers = eight;
    o->transfers.direction = pop ? ETM_DIRECTION_LOAD : ETM_DIRECTION_STORE;
    o->count = 8;
}

static struct plain_owner *current(struct plain_data *d)
{
    return d->owner != 0 ? &d->owners[d->owner] : NULL;
}

static void end_owner(struct plain_data *d)
{
    if ((d->owner != 0 || d->hushed != 0) && !d->p->config->data_only)
        d->previous_known = false;
    d->owner = d->hushed = 0;
}

/* ETMv2, and ETMv3.0: from v3.1 on the word after the PC has an address
 * (7.4.2).
 */
static bool counts_from_pc(const struct plain_data *d)
{
    return d->p->config->protocol == ETM_PROTOCOL_ETMV2 ||
           d->p->config->minor == 0;
}

/* Another packet may be its own. */
static bool expects(const struct plain_owner *o)
{
    return o->n < (o->count != 0 ? o->count : TRANSFERS);
}

/* Transfers before its packets, if that leaves enough for them: E-396. */
static unsigned done(const struct plain_owner *o)
{
    return o->n + o->done <= o->count ? o->done : 0;
}

/* All its packets came; where their number is not known, nobody can tell. */
static bool is_whole(const struct plain_owner *o)
{
    return o->n + done(o) >= o->count;
}

static void unplace(struct plain_owner *o)
{
    if (!is_whole(o))
        o->placing = PLAIN_UNPLACED;
}

void plain_data_close(struct plain_data *d, bool intact)
{
    if (!intact) {
        unplace(&d->owners[d->before]);
        unplace(&d->owners[d->owner]);
    }
    d->before = 0;
    end_owner(d);
}

void plain_data_taken(struct plain_data *d)
{
    d->before = 0;
}

void plain_data_disown(struct plain_data *d)
{
    struct plain_owner *o = current(d);

    if (o != NULL && !is_whole(o)) {
        o->nobodys = true;
        o->placing = PLAIN_UNPLACED; /* more may have come */
    }
    end_owner(d);
    d->before = 0; /* it was complete */
    d->previous_known = false;
}

void plain_data_discard(struct plain_data *d, unsigned owner)
{
    struct plain *p = d->p;

    if (owner == 0)
        return;
    for (size_t i = p->n; i > 0; i--) {
        struct plain_item *item = &p->items[i - 1];

        if (item->owner != owner)
            continue;
        if (item->e.u.data.status == ETM_DATA_SUPPRESSED)
            item->owner = 0; /* more may be missing: E-103 */
        else
            plain_remove(p, i - 1);
    }
    for (unsigned i = 0; i < 8; i++)
        if (d->late[i / 2][i % 2].item.owner == owner)
            d->late[i / 2][i % 2].dropped = true;
    if (d->owner == owner || d->hushed == owner)
        end_owner(d);
}

void plain_data_pause(struct plain_data *d, unsigned owner, unsigned resume)
{
    struct plain_owner *o = &d->owners[owner];

    if (owner == 0)
        return;
    if (o->placing == PLAIN_LAST_ONES)
        o->placing = PLAIN_UP_TO;
    o->end = resume;
    if (d->owner == owner || d->hushed == owner)
        end_owner(d);
}

/* Append a transfer, given by the packet at hand; `timed`: in its cycle. */
static void add(struct plain *p, const struct plain_item *item, bool timed)
{
    const struct plain_context *now = &p->now;
    struct plain_item *to;

    plain_give_lost(p);
    /* without instructions, it is data that a context is given before */
    if (p->config->data_only && (now->context_id_known || now->vmid_known ||
                                 now->secure != ETM_UNKNOWN))
        plain_give_context(p);
    plain_add(p, ETM_ELEMENT_DATA);
    to = &p->items[p->n - 1];
    to->e.u = item->e.u;
    if (timed)
        plain_time(p, &to->e);
    to->owner = item->owner;
    to->transfer = item->transfer;
}

/* The value has come, or never will. */
static void end_late(struct plain_data *d, struct plain_late *late, bool comes)
{
    const struct etm_packet *packet = d->p->p;
    struct plain_item *item = &late->item;

    if (comes) {
        item->e.u.data.value = packet->value;
        item->e.u.data.value_known = (packet->fields & ETM_FIELD_VALUE) != 0;
    }
    if (late->waits && !late->dropped)
        add(d->p, item, false); /* 7.3.3 */
    late->waits = false;
}

/* E-101 */
void plain_data_forget(struct plain_data *d)
{
    for (unsigned i = 0; i < 8; i++)
        end_late(d, &d->late[i / 2][i % 2], false);
}

void plain_data_lose(struct plain_data *d)
{
    plain_data_close(d, false);
    plain_data_forget(d);
    d->address_known = d->previous_known = false;
    d->be8 = ETM_UNKNOWN;
}

/* Bytes of the stream. */
#define FAR 8192u

void plain_data_expire(struct plain_data *d)
{
    const struct plain *p = d->p;

    if (d->owner == 0 || is_whole(&d->owners[d->owner]))
        return;
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].owner == d->owner) {
            if (p->p->offset - p->items[i].e.offset > FAR)
                plain_data_close(d, true);
            return;
        }
}

void plain_data_address(struct plain_data *d)
{
    const struct etm_packet *packet = d->p->p;
    uint32_t mask = UINT32_MAX;

    if ((packet->fields & ETM_FIELD_ADDRESS) == 0)
        return;
    if (packet->address_bits < 32)
        mask = (UINT32_C(1) << packet->address_bits) - 1;
    d->address = (d->address & ~mask) | (packet->address & mask);
    if (packet->address_bits < 32)
        return;
    d->address_known = true;
    if (d->p->config->protocol == ETM_PROTOCOL_ETMV3 &&
        d->p->config->minor >= 1)
        d->be8 = packet->fields & ETM_FIELD_BE ? ETM_TRUE : ETM_FALSE;
}

/* Where the transfer was: traced, or after the one before (7.4.2, 7.4.4). What
 * is nobody's goes by that alone. */
static void place(struct plain_data *d, struct plain_owner *o,
                  struct etm_element *e)
{
    if (!d->p->config->data_address)
        return;
    if (d->p->p->fields & ETM_FIELD_ADDRESS) {
        d->previous = d->address;
        d->previous_known = d->address_known;
        if (o != NULL && o->n != 0)
            o->addressed = true;
    } else if (o != NULL &&
               (o->n == 0 || o->transfers.kind == ETM_TRANSFER_CPRT)) {
        return; /* coprocessor registers have none (4.11.3) */
    } else if (o == NULL || o->transfers.direction != ETM_DIRECTION_SWAP) {
        d->previous += 4; /* both accesses of a swap are to one address */
    }
    e->u.data.be8 = (uint8_t)d->be8;
    e->u.data.address_known = d->previous_known;
    if (d->previous_known)
        e->u.data.address = d->previous;
}

/* The transfer that the packet at hand is. */
static struct plain_item transfer(struct plain_data *d)
{
    struct plain_owner *o = current(d);
    struct plain_item item;

    memset(&item, 0, sizeof item);
    item.e.kind = ETM_ELEMENT_DATA;
    item.e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
    plain_data_address(d);
    if (o != NULL && !expects(o))
        o = NULL; /* E-102 */
    place(d, o, &item.e);
    if (o != NULL) {
        item.owner = d->owner;
        item.transfer = o->n++;
        if (o->failed)
            item.e.u.data.status = ETM_DATA_STORE_FAILED;
    }
    return item;
}

/* A placeholder; two in a row with one tag are a doubleword (7.4.3, E-266). */
static void placeholder(struct plain_data *d)
{
    const struct etm_packet *packet = d->p->p;
    struct plain_late *late = d->late[packet->tag];
    bool second = d->tag == packet->tag && late[0].waits && !late[1].waits &&
                  (packet->fields & ETM_FIELD_A) == 0;

    if (!second) { /* E-271 */
        end_late(d, &late[0], false);
        end_late(d, &late[1], false);
    }
    late[second] = (struct plain_late){.waits = true, .item = transfer(d)};
}

/* Out-of-order data; what nothing waits for is ignored. E-106 */
static void late_value(struct plain_data *d, const struct plain_late *second)
{
    struct plain_late *pair = d->late[d->p->p->tag];
    struct plain_late *late = pair[0].waits ? &pair[0] : &pair[1];

    if (!late->waits)
        return;
    d->storable = !late->dropped;
    d->first = late == second ? d->stored : SIZE_MAX;
    d->second = late == &pair[0] && pair[1].waits ? &pair[1] : NULL;
    end_late(d, late, true);
    d->stored = d->p->n - 1;
}

static void in_order(struct plain_data *d)
{
    struct plain *p = d->p;
    struct plain_item item = transfer(d);

    item.e.u.data.value_known = (p->p->fields & ETM_FIELD_VALUE) != 0;
    item.e.u.data.value = p->p->value;
    if (p->p->kind == ETM_PACKET_VALUE_NOT_TRACED)
        item.e.u.data.status = ETM_DATA_NOT_TRACED;
    add(p, &item, true);
    d->storable = p->p->kind == ETM_PACKET_NORMAL_DATA;
    d->stored = p->n - 1;
    d->first = SIZE_MAX;
}

static void fail(struct plain_item *item, unsigned owner)
{
    if (item->owner == owner && item->e.u.data.status == ETM_DATA_OK)
        item->e.u.data.status = ETM_DATA_STORE_FAILED;
}

/* It is of the packet directly before it; after a word of STREXD of both
 * (7.4.7). After another data instruction they are the two of one tag:
 * E-107. */
static void store_failed(struct plain_data *d)
{
    struct plain *p = d->p;
    unsigned owner;

    if (!d->storable)
        return;
    owner = p->items[d->stored].owner;
    fail(&p->items[d->stored], owner);
    if (owner == 0 || !d->owners[owner].transfers.exclusive)
        return;
    d->owners[owner].failed = owner == d->owner;
    for (size_t i = 0; i < p->n; i++)
        if (i == d->first || owner == d->owner)
            fail(&p->items[i], owner);
    for (unsigned i = 0; i < 8; i++)
        if (&d->late[i / 2][i % 2] == d->second || owner == d->owner)
            fail(&d->late[i / 2][i % 2].item, owner);
}

/* Within an instruction nobody knows any more which of its transfers came
 * (7.4.6): E-103. */
static void suppressed(struct plain_data *d)
{
    struct plain *p = d->p;
    struct plain_owner *o = current(d);
    unsigned owner = d->owner != 0 ? d->owner : d->hushed;
    struct plain_item item;

    memset(&item, 0, sizeof item);
    item.e.u.data.index = ETM_DATA_INDEX_UNKNOWN;
    item.e.u.data.status = ETM_DATA_SUPPRESSED;
    if (o != NULL && expects(o) && (o->count == 0 || !is_whole(o))) {
        o->placing = PLAIN_UNPLACED;
        item.owner = d->owner;
    }
    add(p, &item, true);
    end_owner(d);
    d->hushed = owner;
    d->previous_known = false;
}

void plain_data_pass(struct plain_data *d)
{
    d->storable = false;
    d->second = NULL;
    d->tag = PLAIN_NO_TAG;
}

void plain_data_packet(struct plain_data *d)
{
    const struct plain_late *second = d->second;
    unsigned kind = d->p->p->kind;

    if (kind == ETM_PACKET_STORE_FAILED)
        store_failed(d);
    d->storable = false;
    d->second = NULL;
    if (kind == ETM_PACKET_NORMAL_DATA || kind == ETM_PACKET_VALUE_NOT_TRACED)
        in_order(d);
    if (kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
        placeholder(d);
    if (kind == ETM_PACKET_OUT_OF_ORDER_DATA)
        late_value(d, second);
    if (kind == ETM_PACKET_DATA_SUPPRESSED)
        suppressed(d);
    d->tag = kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ? d->p->p->tag
                                                         : PLAIN_NO_TAG;
}

/* Which transfer it is; ETM_DATA_INDEX_UNKNOWN. */
static unsigned number_of(const struct plain_owner *o, unsigned i)
{
    unsigned end = o->placing == PLAIN_UP_TO ? o->end : o->count;

    if (o->count == 0 &&
        o->placing != PLAIN_UP_TO) /* from the first one seen */
        return i;
    if (o->placing == PLAIN_UNPLACED || end < o->n + done(o))
        return ETM_DATA_INDEX_UNKNOWN;
    if (o->count != 0 && end > o->count) /* E-105 */
        return ETM_DATA_INDEX_UNKNOWN;
    return end - o->n + i;
}

/* 3.5.18, bit [16]: after the PC addresses counted up from its own. */
static void undo_pc_first(const struct plain_data *d,
                          const struct plain_owner *o, unsigned i,
                          struct etm_element *e)
{
    if (!o->pc_first || o->addressed || i == 0 || !e->u.data.address_known)
        return;
    if (o->n == o->count) {
        e->u.data.address -= 4u * o->count;
    } else if (o->placing == PLAIN_UNPLACED && counts_from_pc(d)) {
        e->u.data.address_known = false;
        e->u.data.address = 0;
        e->u.data.be8 = ETM_UNKNOWN;
    }
}

static void name(const struct plain_data *d, struct plain_item *item)
{
    const struct plain_owner *o = &d->owners[item->owner];
    const struct etm_transfers *t = &o->transfers;
    struct etm_element *e = &item->e;
    unsigned number = number_of(o, item->transfer);

    if (e->u.data.status == ETM_DATA_SUPPRESSED)
        number = ETM_DATA_INDEX_UNKNOWN;
    undo_pc_first(d, o, item->transfer, e);
    if (o->nobodys)
        return;
    e->u.data.insn_known = !o->stacking;
    e->u.data.insn = o->insn;
    e->u.data.size = t->size;
    e->u.data.index = (uint8_t)number;
    e->u.data.store = t->direction == ETM_DIRECTION_LOAD    ? ETM_FALSE
                      : t->direction == ETM_DIRECTION_STORE ? ETM_TRUE
                                                            : ETM_UNKNOWN;
    if (t->direction == ETM_DIRECTION_SWAP && number != ETM_DATA_INDEX_UNKNOWN)
        e->u.data.store = number == 0 ? ETM_FALSE : ETM_TRUE;
}

void plain_data_finish(struct plain_data *d)
{
    const struct plain_owner *o = current(d);
    struct plain *p = d->p;

    /* how far the words after the PC have to be moved is not known (E-359) */
    if (o != NULL && o->pc_first && !o->addressed && counts_from_pc(d))
        plain_data_close(d, false);
    plain_data_forget(d);
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].owner != 0)
            name(d, &p->items[i]);
}

void plain_data_free(struct plain_data *d)
{
    free(d->owners);
}
