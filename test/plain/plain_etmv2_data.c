/* SPDX-License-Identifier: Apache-2.0 */
/* Data transfers of ETMv2 (ETM architecture 6.4.2 to 6.4.4). Which register
 * each of them is about is for other tests to see to. */
#include "plain_etmv2.h"

/* No instruction has more; where the opcode does not tell. */
#define TRANSFERS 32u

static bool is_swap(const struct v2_owner *o)
{
    return o->transfers.direction == ETM_DIRECTION_SWAP;
}

/* An element, or one that a value is awaited for, of the owner; NULL after the
 * last. Which transfer it is goes to *transfer. */
static struct etm_element *of_owner(struct v2_data *d, size_t *at,
                                    unsigned *transfer)
{
    struct plain *p = d->p;

    for (; *at < p->n; ++*at)
        if (p->items[*at].owner == d->owner.number) {
            *transfer = p->items[*at].transfer;
            return &p->items[(*at)++].e;
        }
    for (; *at < p->n + 8; ++*at) {
        struct v2_miss *miss = &d->misses[(*at - p->n) / 2][(*at - p->n) % 2];

        if (miss->waits && miss->owner == d->owner.number) {
            *transfer = miss->transfer;
            ++*at;
            return &miss->e;
        }
    }
    return NULL;
}

static void number(const struct v2_owner *o, unsigned i, struct etm_element *e)
{
    e->u.data.index = (uint8_t)i;
    if (is_swap(o))
        e->u.data.store = i == 0 ? ETM_FALSE : ETM_TRUE;
}

/* The PC came first, and what follows counted up from its address (3.5.18, bit
 * [16]). */
static bool is_high(const struct v2_owner *o)
{
    return o->pc_first && !o->addressed;
}

/* Which of its transfers came is not known. */
static void unnumber(struct v2_data *d)
{
    struct etm_element *e;
    unsigned i;

    for (size_t at = 0; (e = of_owner(d, &at, &i)) != NULL;) {
        e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
        if (is_swap(&d->owner))
            e->u.data.store = ETM_UNKNOWN;
        if (i == 0 || !is_high(&d->owner))
            continue;
        e->u.data.address_known = false;
        e->u.data.address = 0;
    }
}

static bool is_open(const struct v2_owner *o)
{
    return o->number != 0 && o->n < o->transfers.count;
}

static void end_owner(struct v2_data *d)
{
    if (d->owner.number != 0)
        d->owner = (struct v2_owner){.previous = d->owner.previous};
}

void v2_data_close(struct v2_data *d, bool intact)
{
    unsigned missing = d->owner.transfers.count - d->owner.n, i;
    struct etm_element *e;

    if (is_open(&d->owner) && !intact)
        unnumber(d);
    else if (is_open(&d->owner)) /* they were the last of them (6.4.4) */
        for (size_t at = 0; (e = of_owner(d, &at, &i)) != NULL;)
            number(&d->owner, i + missing, e);
    end_owner(d);
}

void v2_data_finish(struct v2_data *d)
{
    v2_data_close(d, !is_high(&d->owner)); /* E-359 */
}

/* Bytes of the stream. */
#define FAR 8192u

void v2_data_expire(struct v2_data *d)
{
    const struct plain *p = d->p;

    if (!is_open(&d->owner))
        return;
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].owner == d->owner.number) {
            if (p->p->offset - p->items[i].e.offset > FAR)
                v2_data_close(d, true);
            return;
        }
}

void v2_data_disown(struct v2_data *d)
{
    struct etm_element *e;
    unsigned i;

    d->owner.previous_known = false;
    if (!is_open(&d->owner)) {
        end_owner(d);
        return;
    }
    unnumber(d);
    for (size_t at = 0; (e = of_owner(d, &at, &i)) != NULL;) {
        e->u.data.insn_known = false;
        e->u.data.insn = 0;
        e->u.data.size = 0;
        e->u.data.store = ETM_UNKNOWN;
    }
    end_owner(d);
}

void v2_data_own(struct v2_data *d, uint32_t address,
                 const struct etm_transfers *t)
{
    v2_data_close(d, true);
    d->owner =
        (struct v2_owner){.number = ++d->owners,
                          .insn = address,
                          .transfers = *t,
                          .pc_first = d->p->config->pc_first && t->multiple &&
                                      t->pc && t->registers != 0};
}

void v2_data_discard(struct v2_data *d)
{
    struct plain *p = d->p;

    if (d->owner.number == 0)
        return;
    for (size_t i = p->n; i > 0; i--)
        if (p->items[i - 1].owner == d->owner.number)
            plain_remove(p, i - 1);
    for (unsigned i = 0; i < 8; i++)
        if (d->misses[i / 2][i % 2].owner == d->owner.number)
            d->misses[i / 2][i % 2].nobodys = true;
    end_owner(d);
}

/* The address of a transfer: traced, or after the one before. */
static void give_address(struct v2_data *d, bool owned, struct etm_element *e)
{
    const struct etm_packet *packet = d->p->p;
    struct v2_owner *o = &d->owner;

    if (!d->p->config->data_address)
        return;
    if ((packet->fields & ETM_FIELD_ADDRESS) != 0) {
        o->addressed = o->addressed || o->n != 0;
        o->previous = d->address;
        o->previous_known = d->address_known;
    } else if (owned && (o->n == 0 || o->transfers.kind == ETM_TRANSFER_CPRT)) {
        return; /* coprocessor registers have none (4.11.3) */
    } else if (!owned || !is_swap(o)) {
        o->previous += 4;
    }
    e->u.data.address_known = o->previous_known;
    e->u.data.address = o->previous_known ? o->previous : 0;
}

/* The transfer that a packet stands for; E-272: it may be nobody's. Returns
 * whether it counts as one of the owner. */
static bool describe(struct v2_data *d, struct etm_element *e)
{
    const struct v2_owner *o = &d->owner;
    const struct etm_transfers *t = &o->transfers;
    unsigned most = t->count != 0 ? t->count : TRANSFERS;
    bool owned = o->number != 0 && o->n < most;

    e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
    give_address(d, owned, e);
    if (!owned)
        return false;
    e->u.data.insn_known = true;
    e->u.data.insn = o->insn;
    e->u.data.size = t->size;
    e->u.data.store = t->direction == ETM_DIRECTION_LOAD    ? ETM_FALSE
                      : t->direction == ETM_DIRECTION_STORE ? ETM_TRUE
                                                            : ETM_UNKNOWN;
    number(o, o->n, e);
    return true;
}

/* One more of the owner; with all of them, addresses after the PC's are those
 * of the others. */
static void count(struct v2_data *d)
{
    struct v2_owner *o = &d->owner;
    struct etm_element *e;
    unsigned i;

    if (++o->n != o->transfers.count || !is_high(o))
        return;
    for (size_t at = 0; (e = of_owner(d, &at, &i)) != NULL;)
        if (i != 0 && e->u.data.address_known)
            e->u.data.address -= 4u * o->transfers.count;
}

static void add(struct v2_data *d, const struct etm_element *e, unsigned owner,
                unsigned transfer)
{
    struct plain *p = d->p;

    plain_give_lost(p);
    plain_add(p, ETM_ELEMENT_DATA)->u = e->u;
    p->items[p->n - 1].owner = owner;
    p->items[p->n - 1].transfer = transfer;
}

/* The value of a load that missed came, or never will. */
static void end_miss(struct v2_data *d, struct v2_miss *miss, bool comes)
{
    if (miss->waits && !miss->nobodys) {
        if (comes) {
            miss->e.u.data.value = d->p->p->value;
            miss->e.u.data.value_known =
                (d->p->p->fields & ETM_FIELD_VALUE) != 0;
        }
        add(d, &miss->e, miss->owner, miss->transfer);
    }
    miss->waits = false;
}

void v2_data_forget(struct v2_data *d)
{
    for (unsigned i = 0; i < 8; i++)
        end_miss(d, &d->misses[i / 2][i % 2], false);
}

/* Two packets in a row with one tag are one doubleword: E-266. */
static void load_misses(struct v2_data *d, const struct etm_element *e,
                        bool owned)
{
    const struct etm_packet *packet = d->p->p;
    struct v2_miss *miss = d->misses[packet->tag];
    bool second = d->last_tag == packet->tag && miss[0].waits &&
                  !miss[1].waits && (packet->fields & ETM_FIELD_A) == 0;

    if (!second) { /* E-271 */
        end_miss(d, &miss[0], false);
        end_miss(d, &miss[1], false);
    }
    miss[second] = (struct v2_miss){.waits = true, .e = *e};
    if (!owned)
        return;
    miss[second].owner = d->owner.number;
    miss[second].transfer = d->owner.n;
    count(d);
}

void v2_data_address(struct v2_data *d)
{
    const struct etm_packet *packet = d->p->p;
    uint32_t mask = UINT32_MAX;

    if ((packet->fields & ETM_FIELD_ADDRESS) == 0)
        return;
    if (packet->address_bits < 32)
        mask = (UINT32_C(1) << packet->address_bits) - 1;
    d->address = (d->address & ~mask) | (packet->address & mask);
    d->address_known = d->address_known || packet->address_bits == 32;
}

void v2_data_packet(struct v2_data *d)
{
    const struct etm_packet *packet = d->p->p;
    struct etm_element e = {.kind = ETM_ELEMENT_DATA};
    bool owned;

    if (packet->kind == ETM_PACKET_OUT_OF_ORDER_DATA) {
        struct v2_miss *miss = d->misses[packet->tag];

        end_miss(d, miss[0].waits ? &miss[0] : &miss[1], true);
        d->last_tag = V2_NO_TAG;
        return;
    }
    owned = describe(d, &e);
    if (packet->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) {
        load_misses(d, &e, owned);
        d->last_tag = packet->tag;
        return;
    }
    d->last_tag = V2_NO_TAG;
    e.u.data.value_known = (packet->fields & ETM_FIELD_VALUE) != 0;
    e.u.data.value = packet->value;
    if (packet->kind == ETM_PACKET_VALUE_NOT_TRACED)
        e.u.data.status = ETM_DATA_NOT_TRACED;
    add(d, &e, owned ? d->owner.number : 0, owned ? d->owner.n : 0);
    if (owned)
        count(d);
}
