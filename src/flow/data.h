/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data trace: every transfer is joined to the instruction that made it (ETM
 * architecture, 7.4).
 *
 * Data packets belong to the last data instruction that was traced, their
 * owner. When tracing began inside a load/store multiple, the packets stand
 * for its last transfers (7.4.5): which they are is known only when the owner
 * is done, and up to then its elements are held back.
 *
 * data_owner.c knows owners, data.c the packets.
 */
#ifndef ETM_FLOW_DATA_H
#define ETM_FLOW_DATA_H

#include "flow/follow.h"
#include "isa/insn.h"

#include <etm/packet.h>

/* No instruction transfers more words: VLDM of 16 doublewords. */
#define ETM_DATA_TRANSFERS_MAX 32u

/*
 * Which element a packet became: its number, counted from the beginning of
 * the stream; or, for a placeholder whose value has not come, its slot:
 * ETM_DATA_SLOT | tag << 1 | which.
 */
#define ETM_DATA_SLOT (UINT64_C(1) << 62)
#define ETM_DATA_NONE UINT64_MAX

/* It is not made: that of transfers is all that nobody wants at the level of
 * coverage. Whose they are decides what else is given, and is known there
 * too. */
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
    bool unplaced;  /* which of its transfers were traced is not known */
    bool settled;   /* no more will come, and they are numbered */
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
    /* If that had come out of order, and was one of two words of a store that
     * can fail: the other one, which came directly before or still waits. */
    uint64_t partner;
    uint8_t last_tag; /* of the last packet, if it was a placeholder */
    bool timed;       /* packets have their cycles: etm_follow_time() */
    uint8_t done;     /* so many transfers are done already (0: nothing is */
    uint32_t resumes; /* resumed) of the instruction at this address */
};

/* No tag: those are 1 to 3, in ETMv2 0 to 3. */
#define ETM_DATA_NO_TAG 0xffu

/* Bytes of the stream from the first packet of a load/store multiple on after
 * which it is over, whatever it lacks: nothing in the trace tells when it is,
 * but another data instruction, and the elements are held back up to there
 * (doc/errata.md, E-375). */
#define ETM_DATA_HELD_BYTES 8192u

void etm_data_init(struct etm_data_join *join, const struct etm_config *config);

/* Data addresses have a BE bit, and more transfers have one (7.4.2). */
static inline bool etm_data_v3_1(const struct etm_config *config)
{
    return config->protocol == ETM_PROTOCOL_ETMV3 && config->minor >= 1;
}

/* Data packets are made at all. */
static inline bool etm_data_traced(const struct etm_config *config)
{
    return config->data_value || config->data_address || config->cprt;
}

/* How far behind one transfer the next one is (7.4.4: sequential): a word, but
 * for the lanes of a VLDn or VSTn. Without an instruction it is a word. */
static inline uint32_t etm_data_step(const struct etm_transfers *transfers)
{
    unsigned size = transfers->size;

    return size == 1 || size == 2 ? size : 4;
}

/* A data instruction was traced: packets from now on are its. */
void etm_data_insn(struct etm_data_join *join, struct etm_follow *f,
                   uint32_t address, const struct etm_transfers *transfers);

/* M-profile: packets from now on are the processor's own stacking. */
void etm_data_stacking(struct etm_data_join *join, struct etm_follow *f,
                       bool push);

/* The owner is done, and packets from now on have none. `intact`: no packet
 * of it can have been lost. */
void etm_data_close(struct etm_data_join *join, struct etm_follow *f,
                    bool intact);

/* The end of the stream: as if intact, but for a load that has the PC first,
 * whose addresses would be wrong if it is not. E-104, E-359 */
void etm_data_finish(struct etm_data_join *join, struct etm_follow *f);

/* etm_follow_commit(), where packets of data are made; `offset` is that of the
 * packet at hand. */
static inline void etm_data_commit(struct etm_data_join *join,
                                   struct etm_follow *f, uint64_t offset)
{
    const struct etm_element *elements = f->out->data;

    if (f->floor - f->base < f->out->n &&
        offset - elements[f->floor - f->base].offset > ETM_DATA_HELD_BYTES)
        etm_data_close(join, f, true);
    etm_follow_commit(f);
}

/* What follows is traced without code: packets from now on have no owner, and
 * neither have those of an owner that was not complete (7.9). */
void etm_data_unknown(struct etm_data_join *join, struct etm_follow *f);

/* The last instruction did not happen: its transfers are void (7.4.12). */
void etm_data_discard(struct etm_data_join *join, struct etm_follow *f);

/* A stack pop was abandoned (7.5.4). */
void etm_data_discard_pop(struct etm_data_join *join, struct etm_follow *f);

/* The last instruction is paused after `resume` transfers, to go on later
 * (7.5.2). */
void etm_data_pause(struct etm_data_join *join, struct etm_follow *f,
                    unsigned resume);

/* The instruction at `address`, which comes next, goes on behind its first
 * `resume` transfers (7.5.2); 0: none does. */
static inline void etm_data_resume(struct etm_data_join *join, uint32_t address,
                                   unsigned resume)
{
    join->done = (uint8_t)resume;
    join->resumes = address;
}

/* An exception was taken, and the instruction before the push is done. */
void etm_data_taken(struct etm_data_join *join, struct etm_follow *f);

/* The element of that number was taken out of the output. ETM_DATA_NONE is
 * none. */
void etm_data_removed(struct etm_data_join *join, struct etm_follow *f,
                      uint64_t number);

/* A packet of the data side; `base` has it applied. */
void etm_data_packet(struct etm_data_join *join, struct etm_follow *f,
                     const struct etm_broadcast *base,
                     const struct etm_packet *p);

/* Values that are waited for will not come: their transfers are given without
 * one. */
void etm_data_forget(struct etm_data_join *join, struct etm_follow *f,
                     uint64_t offset);

/* Of data_owner.c, for data.c. */

/* The element of an item while it can still be changed, else NULL. */
struct etm_element *etm_data_element(struct etm_data_join *join,
                                     struct etm_follow *f, uint64_t item);

/* The owner can have another packet. Once its data were suppressed it has none:
 * that lasts until it is complete (7.4.6). */
static inline bool etm_data_owner_expects(const struct etm_data_owner *owner)
{
    unsigned count = owner->transfers.count;

    if (count == 0) /* not known */
        count = ETM_DATA_TRANSFERS_MAX;
    return owner->kind != ETM_DATA_OWNER_NONE && !owner->unplaced &&
           owner->n < count;
}

/* Say which transfer of its owner an element is, counting from 0. */
void etm_data_number(const struct etm_data_owner *owner, unsigned i,
                     struct etm_element *e);

/* Which ones the owner's packets are is not known. */
void etm_data_unnumber(struct etm_data_join *join, struct etm_follow *f,
                       struct etm_data_owner *owner);

/* It has more packets than are left behind a pause: Resume is not believed. */
void etm_data_begin_anew(struct etm_data_join *join, struct etm_follow *f);

/* One more packet of the owner. */
void etm_data_count(struct etm_data_join *join, struct etm_follow *f,
                    uint64_t item);

/* An item is another one from now on; ETM_DATA_NONE: it is nothing. */
void etm_data_replace(struct etm_data_join *join, struct etm_follow *f,
                      uint64_t item, uint64_t by);

/* Hold back what may still change. */
void etm_data_hold(struct etm_data_join *join, struct etm_follow *f);

#endif
