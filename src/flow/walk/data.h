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

#include "flow/walk/follow.h"
#include "isa/insn.h"

#include <etm/packet.h>

/* The most words that an instruction transfers: VLDM of 16 doublewords. */
#define ETM_DATA_TRANSFERS_MAX 32u

/*
 * The element that a packet became: its number, counted from the beginning of
 * the stream; or, for a placeholder whose value has not come, its slot:
 * ETM_DATA_SLOT | tag << 1 | which.
 */
#define ETM_DATA_SLOT (UINT64_C(1) << 62)
#define ETM_DATA_NONE UINT64_MAX

/* An element that is not made: at the level of coverage transfers are not
 * wanted. Their owners are still tracked, because other elements depend on
 * them. */
#define ETM_DATA_UNMADE (UINT64_MAX - 1)

enum etm_data_owner_kind {
    ETM_DATA_OWNER_NONE = 0,
    ETM_DATA_OWNER_INSN,
    ETM_DATA_OWNER_PUSH, /* M-profile exception entry (7.5.3) */
    ETM_DATA_OWNER_POP   /* M-profile exception exit (7.5.4) */
};

struct etm_data_owner {
    uint8_t kind;   /* enum etm_data_owner_kind */
    bool pc_first;  /* ETMIDR[16]: the PC is the first transfer */
    bool addressed; /* a transfer after the first gave its address */
    bool unplaced;  /* it is not known which of its transfers were traced */
    bool settled;   /* no more packets will come, and they are numbered */
    bool failed;    /* one of its words was a store that failed (7.4.7) */
    bool previous_known;
    uint8_t done;      /* transfers that were made before it was paused */
    uint32_t insn;     /* address of the instruction */
    uint32_t previous; /* address of the last transfer */
    struct etm_transfers transfers;
    unsigned n;    /* packets so far */
    uint64_t hole; /* number of its data suppressed element */
    uint64_t item[ETM_DATA_TRANSFERS_MAX];
};

/* A placeholder whose value has not come (7.4.3). */
struct etm_data_slot {
    bool used;
    bool void_owner; /* its instruction was cancelled: drop the value */
    bool exclusive;  /* a store that can fail (7.4.7) */
    struct etm_element element;
};

struct etm_data_join {
    const struct etm_config *config;
    struct etm_data_owner owner;
    /* The instruction before a push: it may still be cancelled, or turn out
     * to have been paused (7.5.2). */
    struct etm_data_owner before;
    struct etm_data_slot slots[4][2]; /* by tag; two for 64-bit transfers */
    uint64_t stream_end;              /* of the last data packet */
    uint64_t last;                    /* its element, if it had a value */
    /* If that value came out of order and was one of the two words of a store
     * that can fail: the other word, which came directly before or still
     * waits. */
    uint64_t partner;
    uint8_t last_tag; /* of the last packet, if it was a placeholder */
    bool timed;       /* packets have their cycles: etm_follow_time() */
    uint8_t done;     /* this many transfers are done already (0: nothing is */
    uint32_t resumes; /* resumed) of the instruction at this address */
};

/* No tag: those are 1 to 3, in ETMv2 0 to 3. */
#define ETM_DATA_NO_TAG 0xffu

/* The number of bytes of the stream, from the first packet of a load/store
 * multiple on, after which it counts as complete, whatever is missing: in the
 * trace only another data instruction shows its end, and its elements are held
 * back until then (doc/errata.md, E-375). */
#define ETM_DATA_HELD_BYTES 8192u

void etm_data_init(struct etm_data_join *join, const struct etm_config *config);

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
 * except for the lanes of a VLDn or VSTn. Without an instruction it is a
 * word. */
static inline uint32_t etm_data_step(const struct etm_transfers *transfers)
{
    unsigned size = transfers->size;

    return size == 1 || size == 2 ? size : 4;
}

/* A data instruction was traced: it owns the packets from now on. */
void etm_data_insn(struct etm_data_join *join, struct etm_follow *f,
                   uint32_t address, const struct etm_transfers *transfers);

/* M-profile: packets from now on are the processor's own stacking. */
void etm_data_stacking(struct etm_data_join *join, struct etm_follow *f,
                       bool push);

/* The owner is complete, and packets from now on have no owner. `intact`: none
 * of its packets can have been lost. */
void etm_data_close(struct etm_data_join *join, struct etm_follow *f,
                    bool intact);

/* The end of the stream: as if intact, except for a load with the PC first,
 * whose addresses would be wrong if it is not. E-104, E-359 */
void etm_data_finish(struct etm_data_join *join, struct etm_follow *f);

/* etm_follow_commit() for trace with data packets; `offset` is that of the
 * current packet. */
static inline void etm_data_commit(struct etm_data_join *join,
                                   struct etm_follow *f, uint64_t offset)
{
    const struct etm_element *elements = f->out->data;

    if (f->floor - f->base < f->out->n &&
        offset - elements[f->floor - f->base].offset > ETM_DATA_HELD_BYTES)
        etm_data_close(join, f, true);
    etm_follow_commit(f);
}

/* What follows is traced without code: packets from now on have no owner, nor
 * do those of an incomplete owner (7.9). */
void etm_data_unknown(struct etm_data_join *join, struct etm_follow *f);

/* The last instruction was cancelled, and so are its transfers (7.4.12). */
void etm_data_discard(struct etm_data_join *join, struct etm_follow *f);

/* A stack pop was abandoned (7.5.4). */
void etm_data_discard_pop(struct etm_data_join *join, struct etm_follow *f);

/* The last instruction is paused after `resume` transfers, to be resumed later
 * (7.5.2). */
void etm_data_pause(struct etm_data_join *join, struct etm_follow *f,
                    unsigned resume);

/* The instruction at `address`, which comes next, is resumed after its first
 * `resume` transfers (7.5.2); 0: it is not resumed. */
static inline void etm_data_resume(struct etm_data_join *join, uint32_t address,
                                   unsigned resume)
{
    join->done = (uint8_t)resume;
    join->resumes = address;
}

/* An exception was taken, and the instruction before the push is done. */
void etm_data_taken(struct etm_data_join *join, struct etm_follow *f);

/* The element of that number was removed from the output. ETM_DATA_NONE: no
 * element. */
void etm_data_removed(struct etm_data_join *join, struct etm_follow *f,
                      uint64_t number);

/* A packet of data; it was applied to `base` already. */
void etm_data_packet(struct etm_data_join *join, struct etm_follow *f,
                     const struct etm_broadcast *base,
                     const struct etm_packet *p);

/* Values that are still missing will not come: their transfers are given
 * without one. */
void etm_data_forget(struct etm_data_join *join, struct etm_follow *f,
                     uint64_t offset);

/* Of data_owner.c, for data.c. */

/* The element of an item while it can still be changed, otherwise NULL. */
struct etm_element *etm_data_element(struct etm_data_join *join,
                                     struct etm_follow *f, uint64_t item);

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

/* Set which transfer of its owner an element is, counting from 0. */
void etm_data_number(const struct etm_data_owner *owner, unsigned i,
                     struct etm_element *e);

/* It is not known which transfers the owner's packets are. */
void etm_data_unnumber(struct etm_data_join *join, struct etm_follow *f,
                       struct etm_data_owner *owner);

/* The owner has more packets than are left after a pause: Resume is not
 * believed. */
void etm_data_begin_anew(struct etm_data_join *join, struct etm_follow *f);

/* One more packet of the owner. */
void etm_data_count(struct etm_data_join *join, struct etm_follow *f,
                    uint64_t item);

/* Replace an item by another one; ETM_DATA_NONE: by nothing. */
void etm_data_replace(struct etm_data_join *join, struct etm_follow *f,
                      uint64_t item, uint64_t by);

/* Hold back what may still change. */
void etm_data_hold(struct etm_data_join *join, struct etm_follow *f);

#endif
