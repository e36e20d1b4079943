/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data trace: every transfer is joined to the instruction that made it (ETM
 * architecture, 7.4).
 *
 * Data packets belong to the last data instruction that was traced, their
 * owner. If tracing began inside a load/store multiple, the packets are its
 * last transfers (7.4.5): which ones is known only when the owner is complete,
 * and its elements are held back until then.
 *
 * data_owner.c handles owners, data.c the packets.
 */
#ifndef ETM_FLOW_DATA_H
#define ETM_FLOW_DATA_H

#include "flow/walk/walk.h"
#include "isa/insn.h"
#include "proto/broadcast.h"

#include <etm/packet.h>

/* The number of bytes of the stream, from the first packet of a load/store
 * multiple on, after which it counts as complete, whatever is missing: in the
 * trace only another data instruction shows its end, and its elements are held
 * back until then (doc/errata.md, E-375). */
#define ETM_DATA_HELD_BYTES 8192u

/* Data addresses have a BE bit, and more transfers have one (7.4.2). */
static inline bool etm_data_v3_1(const struct etm_config *config)
{
    return config->protocol == ETM_PROTOCOL_ETMV3 && config->minor >= 1;
}

/* Whether there are data packets at all. */
static inline bool etm_data_traced(const struct etm_config *config)
{
    return config->data_value || config->data_address || config->cprt;
}

/* The distance from one transfer to the next (7.4.4: sequential): a word,
 * except for the lanes of a VLDn or VSTn, and none for a swap. Without an
 * instruction it is a word. */
static inline uint32_t etm_data_step(const struct etm_transfers *transfers)
{
    unsigned size = transfers->size;

    if (transfers->direction == ETM_DIRECTION_SWAP)
        return 0;
    return size == 1 || size == 2 ? size : 4;
}

/* A data instruction was traced: it owns the packets from now on. */
void etm_data_insn(struct etm_walk *w, uint32_t address,
                   const struct etm_transfers *transfers);

/* M-profile: packets from now on are the processor's own stacking. */
void etm_data_stacking(struct etm_walk *w, bool push);

/* The owner is complete, and packets from now on have no owner. `intact`: none
 * of its packets can have been lost. */
void etm_data_close(struct etm_walk *w, bool intact);

/* The end of the stream: as if intact, except for a load with the PC first,
 * whose addresses would be wrong if it is not. E-104, E-359 */
void etm_data_finish(struct etm_walk *w);

/* etm_walk_commit() for trace with data packets; `offset` is that of the
 * current packet. */
static inline void etm_data_commit(struct etm_walk *w, uint64_t offset)
{
    const struct etm_element *elements = w->out->data;

    if (w->floor - w->base < w->out->n &&
        offset - elements[w->floor - w->base].offset > ETM_DATA_HELD_BYTES)
        etm_data_close(w, true);
    etm_walk_commit(w);
}

/* What follows is traced without code: packets from now on have no owner, nor
 * do those of an incomplete owner (7.9). */
void etm_data_unknown(struct etm_walk *w);

/* The last instruction was cancelled, and so are its transfers (7.4.12). */
void etm_data_discard(struct etm_walk *w);

/* A stack pop was abandoned (7.5.4). */
void etm_data_discard_pop(struct etm_walk *w);

/* The last instruction is paused after `resume` transfers, to be resumed later
 * (7.5.2). */
void etm_data_pause(struct etm_walk *w, unsigned resume);

/* The instruction at `address`, which comes next, is resumed after its first
 * `resume` transfers (7.5.2); 0: it is not resumed. */
static inline void etm_data_resume(struct etm_walk *w, uint32_t address,
                                   unsigned resume)
{
    w->data.done = (uint8_t)resume;
    w->data.resumes = address;
}

/* An exception was taken, and the instruction before the push is done. */
void etm_data_taken(struct etm_walk *w);

/* The element of that number was removed from the output. ETM_DATA_NONE: no
 * element. */
void etm_data_removed(struct etm_walk *w, uint64_t number);

/* A packet of data; it was applied to `base` already. */
void etm_data_packet(struct etm_walk *w, const struct etm_broadcast *base,
                     const struct etm_packet *p);

/* Values that are still missing will not come: their transfers are given
 * without one. */
void etm_data_forget(struct etm_walk *w, uint64_t offset);

/* Of data_owner.c, for data.c. */

/* The element of an item while it can still be changed, otherwise NULL. */
struct etm_element *etm_data_element(struct etm_walk *w, uint64_t item);

/* Whether the owner can have another packet. Once its data were suppressed, it
 * has none: this lasts until it is complete (7.4.6). */
static inline bool etm_data_owner_expects(const struct etm_data_owner *owner)
{
    unsigned count = owner->transfers.count;

    if (count == 0) /* not known */
        count = ETM_DATA_TRANSFERS_MAX;
    return owner->kind != ETM_DATA_OWNER_NONE && !owner->unplaced &&
           owner->n < count;
}

/* A new owner. */
static inline void etm_data_begin_owner(struct etm_data_owner *owner,
                                        enum etm_data_owner_kind kind)
{
    owner->kind = (uint8_t)kind;
    owner->n = 0;
    owner->hole = ETM_DATA_NONE;
    owner->insn = 0;
    owner->pc_first = false;
    owner->addressed = false;
    owner->unplaced = false;
    owner->settled = false;
    owner->failed = false;
    owner->previous_known = false;
    owner->done = 0;
}

/* It is an instruction, of which all transfers are still to come. */
static inline void etm_data_begin_insn(struct etm_walk *w, uint32_t address,
                                       const struct etm_transfers *transfers)
{
    struct etm_data_owner *owner = &w->data.owner;

    etm_data_begin_owner(owner, ETM_DATA_OWNER_INSN);
    owner->pc_first = w->data.config->pc_first && transfers->multiple &&
                      transfers->pc && transfers->registers != 0;
    owner->insn = address;
    owner->transfers = *transfers;
}

/* The address of a transfer, which belongs to the owner if it is `owned`:
 * traced, or following the previous one (7.4.2). False: it has none. */
static inline bool etm_data_locate(struct etm_data_owner *owner,
                                   const struct etm_broadcast *base,
                                   bool has_address, bool owned)
{
    if (has_address) {
        owner->addressed = owner->addressed || owner->n != 0;
        owner->previous = base->data_address;
        owner->previous_known = base->data_valid;
    } else if (owned &&
               (owner->n == 0 || owner->transfers.kind == ETM_TRANSFER_CPRT)) {
        return false; /* coprocessor registers have none (4.11.3) */
    } else {
        owner->previous += owned ? etm_data_step(&owner->transfers) : 4;
    }
    return true;
}

/* What a new element says of its owner. */
static inline void etm_data_name_owner(const struct etm_data_owner *owner,
                                       struct etm_element *e)
{
    e->u.data.insn_known = owner->kind == ETM_DATA_OWNER_INSN;
    e->u.data.insn = owner->insn;
    e->u.data.size = owner->transfers.size;
    if (owner->transfers.direction == ETM_DIRECTION_LOAD)
        e->u.data.store = ETM_FALSE;
    else if (owner->transfers.direction == ETM_DIRECTION_STORE)
        e->u.data.store = ETM_TRUE;
}

/* The address that was located for it, and the byte order that an address
 * packet gave last (7.4.2), which came with version 3.1. */
static inline void etm_data_name_address(const struct etm_walk *w,
                                         const struct etm_broadcast *base,
                                         struct etm_element *e)
{
    const struct etm_data_owner *owner = &w->data.owner;

    e->u.data.address_known = owner->previous_known;
    e->u.data.address = owner->previous_known ? owner->previous : 0;
    if (etm_data_v3_1(w->data.config) && base->data_valid)
        e->u.data.be8 = base->be ? ETM_TRUE : ETM_FALSE;
}

/* Set which transfer of its owner an element is, counting from 0. */
void etm_data_number(const struct etm_data_owner *owner, unsigned i,
                     struct etm_element *e);

/* It is not known which transfers the owner's packets are. */
void etm_data_unnumber(struct etm_walk *w, struct etm_data_owner *owner);

/* The owner has more packets than are left after a pause: Resume is not
 * believed. */
void etm_data_begin_anew(struct etm_walk *w);

/* One more packet of the owner. */
void etm_data_count(struct etm_walk *w, uint64_t item);

/* Replace an item by another one; ETM_DATA_NONE: by nothing. */
void etm_data_replace(struct etm_walk *w, uint64_t item, uint64_t by);

/* Hold back what may still change. */
void etm_data_hold(struct etm_walk *w);

#endif
