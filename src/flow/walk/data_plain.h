/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual case of data instructions and their packets, in line: the previous
 * instruction is complete, and a packet is the next transfer of its owner. The
 * result is that of data.c and data_owner.c, which handle all other cases.
 */
#ifndef ETM_FLOW_DATA_PLAIN_H
#define ETM_FLOW_DATA_PLAIN_H

#include "flow/walk/data.h"

/* Ending the owner changes none of its elements. */
static inline bool etm_data_is_settled(const struct etm_walk *w)
{
    const struct etm_data_owner *owner = &w->data.owner;

    return w->data.before.kind == ETM_DATA_OWNER_NONE &&
           (owner->n == 0 || owner->unplaced ||
            owner->n + owner->done >= owner->transfers.count);
}

/* etm_data_insn(), in line if etm_data_is_settled() and none of the transfers
 * are done already; afterwards nothing is held back: see floor. */
static inline void etm_data_begin(struct etm_walk *w, uint32_t address,
                                  const struct etm_transfers *transfers)
{
    if (!etm_data_is_settled(w) || w->data.done != 0) {
        etm_data_insn(w, address, transfers);
        return;
    }
    w->floor = UINT64_MAX;
    etm_data_begin_insn(w, address, transfers);
}

/* A normal data packet as it was read; its address is in `base`. */
struct etm_data_normal {
    uint64_t offset, value;
    uint32_t size;
    bool has_address; /* and addresses are traced */
    bool has_value;
};

/* The next packet needs etm_data_packet(); also if bytes were lost, which must
 * be reported first. */
static inline bool etm_data_is_odd(const struct etm_walk *w)
{
    const struct etm_data_owner *owner = &w->data.owner;

    return owner->kind != ETM_DATA_OWNER_INSN || owner->unplaced ||
           owner->n >= owner->transfers.count ||
           owner->transfers.direction == ETM_DIRECTION_SWAP ||
           owner->pc_first || owner->failed || owner->done != 0 ||
           /* the other word may have to be held back (E-107) */
           (owner->transfers.exclusive && owner->n != 0);
}

/* One transfer of one register: as etm_data_number() of its only packet; false
 * if it is not that simple. */
static inline bool etm_data_name_single(const struct etm_transfers *t,
                                        struct etm_element *e)
{
    if (t->kind != ETM_TRANSFER_CORE || t->count != 1 || t->registers != 0 ||
        t->first == ETM_NO_REGISTER)
        return false;
    e->u.data.reg_kind = ETM_REGISTER_CORE;
    e->u.data.reg = t->first;
    return true;
}

/* The element of a packet that is not odd. */
static inline void etm_data_give(struct etm_walk *w,
                                 const struct etm_broadcast *base,
                                 const struct etm_data_normal *p, bool located)
{
    const struct etm_data_owner *owner = &w->data.owner;
    const struct etm_transfers *t = &owner->transfers;
    struct etm_element *e = etm_walk_add(w, ETM_ELEMENT_DATA, p->offset);

    etm_data_name_owner(owner, e);
    if (located)
        etm_data_name_address(w, base, e);
    if (!etm_data_name_single(t, e))
        etm_data_number(owner, owner->n, e);
    e->u.data.value_known = p->has_value;
    e->u.data.value = p->value;
    if (w->data.timed)
        etm_walk_time(e, etm_walk_since_last(w));
    w->data.last = w->base + w->out->n - 1;
    if (owner->n + 1u == t->count)
        w->floor = UINT64_MAX;
    else if (w->data.last < w->floor)
        w->floor = w->data.last;
}

/* etm_data_packet() of a packet that is not odd. */
static inline void etm_data_take(struct etm_walk *w,
                                 const struct etm_broadcast *base,
                                 const struct etm_data_normal *p)
{
    struct etm_data_owner *owner = &w->data.owner;
    bool located = w->data.config->data_address &&
                   etm_data_locate(owner, base, p->has_address, true);

    etm_walk_close(w);
    if (w->level == ETM_LEVEL_COVERAGE) {
        w->unmade++;
        w->data.last = ETM_DATA_UNMADE;
    } else {
        etm_data_give(w, base, p, located);
    }
    w->data.partner = ETM_DATA_NONE;
    owner->item[owner->n++] = w->data.last;
    w->data.stream_end = p->offset + p->size;
    w->data.last_tag = ETM_DATA_NO_TAG;
}

#endif
