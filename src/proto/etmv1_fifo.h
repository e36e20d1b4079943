/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FIFO of an ETMv1, seen from outside: which cycles of the trace port carry
 * packets, and what these are (ETM architecture 5.2, 5.3, 5.5.4, 5.6). How many
 * packets a status has depends on the traced program, so that whoever reads
 * them says what comes.
 *
 * Cycles with TD are not kept: they carry nothing, a capture device may drop
 * them (4.4.2), and they do not occur where they would matter.
 */
#ifndef ETM_PROTO_ETMV1_FIFO_H
#define ETM_PROTO_ETMV1_FIFO_H

#include "proto/etmv1.h"

/*
 * A block of packets cannot be this many records after its status, or before
 * it: this is many times what a FIFO holds (2.12), on a port of four pins
 * (E-346).
 */
#define ETM_ETMV1_WINDOW 1024u

enum etm_etmv1_read {
    ETM_READ_OK = 0,
    ETM_READ_MORE,  /* more records are needed */
    ETM_READ_BROKEN /* the packets are missing */
};

enum etm_etmv1_record_flag {
    ETM_RECORD_SYNC = 1u << 0,  /* TRACESYNC */
    ETM_RECORD_BYTES = 1u << 1, /* TRACEPKT can have packets */
    ETM_RECORD_TRIGGER = 1u << 2,
    ETM_RECORD_BEHIND_TD = 1u << 3, /* TD cycles come before it */
    ETM_RECORD_NOTED = 1u << 4      /* its address was read */
};

/* One record other than TD; TD cycles are counted in the record after them. */
struct etm_etmv1_record {
    uint64_t offset;
    uint64_t cycles; /* its cycle and those of TD before it that count */
    uint16_t pins;   /* TRACEPKT */
    uint8_t status;  /* for a trigger, the status that it replaced */
    uint8_t flags;   /* enum etm_etmv1_record_flag */
};

/* A place among the packets: a record by its number, counted from the
 * beginning, and on a port of 16 pins which half of TRACEPKT. */
struct etm_etmv1_place {
    uint64_t record;
    uint8_t half;
};

struct etm_etmv1_fifo {
    struct etm_vec records; /* struct etm_etmv1_record */
    uint64_t first;         /* number of the first of them */
    uint64_t next;          /* number of the one whose status is next */
    uint64_t waits;         /* TD cycles that count, after the last record */
    bool behind_td;         /* TD cycles at all */
    bool ending;            /* no more records come */
    uint8_t pins;           /* of TRACEPKT */
    uint8_t minor, context_id_bytes;
};

/* An address as it was read (5.5.4). */
struct etm_etmv1_address {
    uint32_t bits;
    uint8_t n;      /* packets, 1 to 5 */
    uint8_t reason; /* of five; else 0 */
    bool jazelle;   /* bit 7 of the fifth */
};

/* A branch address with what follows it. */
struct etm_etmv1_target {
    struct etm_etmv1_address address;
    bool has_context;
    uint32_t context_id;
};

/* The two cycles after a branch (5.6.1). */
struct etm_etmv1_offset {
    bool abandoned; /* another branch is in them */
    uint8_t value;  /* address packet offset */
    uint64_t next;  /* the record after them */
};

static inline void etm_etmv1_fifo_init(struct etm_etmv1_fifo *fifo,
                                       const struct etm_config *config,
                                       const struct etm_allocator *allocator)
{
    *fifo =
        (struct etm_etmv1_fifo){.pins = (uint8_t)etm_sample_width(config),
                                .minor = config->minor,
                                .context_id_bytes = config->context_id_bytes};
    etm_vec_init(&fifo->records, sizeof(struct etm_etmv1_record), allocator);
}

/* One cycle: enum etm_etmv1_status, TRACESYNC and TRACEPKT of the record at
 * that offset. There must be room for it. */
static inline void etm_etmv1_fifo_put(struct etm_etmv1_fifo *fifo,
                                      unsigned status, bool sync, unsigned pins,
                                      uint64_t offset)
{
    struct etm_etmv1_record *r = fifo->records.data;
    unsigned flags = sync ? ETM_RECORD_SYNC : 0;

    if (status == ETM_ETMV1_TD) {
        /* with TRACEPKT[0] low it may as well be missing (5.10) */
        fifo->waits += pins & 1;
        fifo->behind_td = true;
        return;
    }
    if (fifo->behind_td)
        flags |= ETM_RECORD_BEHIND_TD;
    if (status == ETM_ETMV1_TR) { /* the FIFO stands still (5.1.1) */
        status = pins & 7;
        flags |= ETM_RECORD_TRIGGER;
    } else {
        flags |= ETM_RECORD_BYTES;
    }
    r[fifo->records.n++] =
        (struct etm_etmv1_record){offset, fifo->waits + 1, (uint16_t)pins,
                                  (uint8_t)status, (uint8_t)flags};
    fifo->waits = 0;
    fifo->behind_td = false;
}

/* Record number `number`; NULL: it has not come, or was forgotten. */
static inline struct etm_etmv1_record *
etm_etmv1_fifo_at(const struct etm_etmv1_fifo *fifo, uint64_t number)
{
    struct etm_etmv1_record *records = fifo->records.data;
    uint64_t index = number - fifo->first; /* huge if it was forgotten */

    return index < fifo->records.n ? &records[index] : NULL;
}

static inline bool etm_etmv1_is_branch(const struct etm_etmv1_record *r)
{
    return r->status == ETM_ETMV1_BE || r->status == ETM_ETMV1_BD;
}

/* An address begins there: not in the cycle of a trigger, whatever its
 * TRACESYNC says. */
static inline bool etm_etmv1_begins_address(const struct etm_etmv1_record *r)
{
    const unsigned both = ETM_RECORD_SYNC | ETM_RECORD_BYTES;

    return (r->flags & both) == both;
}

/* The first record from *number on that can have packets. */
static inline enum etm_etmv1_read
etm_etmv1_skip_triggers(const struct etm_etmv1_fifo *fifo, uint64_t *number,
                        const struct etm_etmv1_record **record)
{
    for (;; ++*number) {
        if (*number > fifo->next + ETM_ETMV1_WINDOW)
            return ETM_READ_BROKEN;
        *record = etm_etmv1_fifo_at(fifo, *number);
        if (*record == NULL)
            return fifo->ending ? ETM_READ_BROKEN : ETM_READ_MORE;
        if (((*record)->flags & ETM_RECORD_BYTES) != 0)
            return ETM_READ_OK;
    }
}

/* The record of the TRACESYNC that an address packet offset selects, counted
 * from record `from` (5.6.1). */
static inline enum etm_etmv1_read
etm_etmv1_find_sync(const struct etm_etmv1_fifo *fifo, uint64_t from,
                    unsigned offset, uint64_t *found)
{
    const struct etm_etmv1_record *r;

    for (*found = from;; ++*found) {
        enum etm_etmv1_read read = etm_etmv1_skip_triggers(fifo, found, &r);

        if (read != ETM_READ_OK)
            return read;
        if ((r->flags & ETM_RECORD_SYNC) != 0 && offset-- == 0)
            return ETM_READ_OK;
    }
}

/* The packets after `at` begin at record `number`: none are in between. An
 * address begins in the lower half (5.3.1). */
static inline bool etm_etmv1_adjoins(const struct etm_etmv1_fifo *fifo,
                                     const struct etm_etmv1_place *at,
                                     uint64_t number)
{
    uint64_t from = at->record + at->half;
    const struct etm_etmv1_record *r;

    return etm_etmv1_skip_triggers(fifo, &from, &r) == ETM_READ_OK &&
           from == number;
}

/* The address packet offset of the branch at that record (5.6.1). */
static inline enum etm_etmv1_read
etm_etmv1_read_offset(const struct etm_etmv1_fifo *fifo, uint64_t branch,
                      struct etm_etmv1_offset *offset)
{
    *offset = (struct etm_etmv1_offset){.next = branch + 1};
    for (unsigned i = 0; i < 2; i++, offset->next++) {
        const struct etm_etmv1_record *r =
            etm_etmv1_fifo_at(fifo, offset->next);

        if (r == NULL)
            return fifo->ending ? ETM_READ_BROKEN : ETM_READ_MORE;
        if ((r->flags & ETM_RECORD_BEHIND_TD) != 0 || r->status > ETM_ETMV1_BD)
            return ETM_READ_BROKEN;
        offset->abandoned = etm_etmv1_is_branch(r);
        if (offset->abandoned)
            return ETM_READ_OK;
        offset->value |= (uint8_t)((r->status & 3u) << (2 * i));
    }
    return ETM_READ_OK;
}

/*
 * Read one packet. `sync`: it is the first one of a branch address, the only
 * one which has TRACESYNC and comes on TRACEPKT[7:0] (5.2, 5.3.1).
 */
static inline enum etm_etmv1_read
etm_etmv1_read_packet(const struct etm_etmv1_fifo *fifo,
                      struct etm_etmv1_place *at, bool sync, uint8_t *byte)
{
    const struct etm_etmv1_record *r;
    enum etm_etmv1_read read;
    uint64_t second;

    if (at->half != 0) {
        r = etm_etmv1_fifo_at(fifo, at->record);
        at->record++;
        at->half = 0;
        if (!sync && r != NULL) {
            *byte = (uint8_t)(r->pins >> 8);
            return ETM_READ_OK;
        }
    }
    read = etm_etmv1_skip_triggers(fifo, &at->record, &r);
    if (read != ETM_READ_OK)
        return read;
    if (((r->flags & ETM_RECORD_SYNC) != 0) != sync)
        return ETM_READ_BROKEN;
    *byte = (uint8_t)r->pins;
    if (fifo->pins == 4) { /* the upper half comes with the next one (5.2) */
        second = at->record + 1;
        read = etm_etmv1_skip_triggers(fifo, &second, &r);
        if (read != ETM_READ_OK)
            return read;
        at->record = second;
        if ((r->flags & ETM_RECORD_SYNC) != 0)
            return ETM_READ_BROKEN;
        *byte = (uint8_t)((*byte & 0x0fu) | (r->pins & 0x0fu) << 4);
    }
    if (fifo->pins == 16)
        at->half = 1;
    else
        at->record++;
    return ETM_READ_OK;
}

/* A branch or data address: 1 to 5 packets (5.5.4, 5.7.3). */
static inline enum etm_etmv1_read
etm_etmv1_read_address(const struct etm_etmv1_fifo *fifo,
                       struct etm_etmv1_place *at, bool sync,
                       struct etm_etmv1_address *a)
{
    uint8_t byte = 0x80;

    *a = (struct etm_etmv1_address){0};
    while (a->n < ETM_ETMV1_ADDRESS_MAX && (byte & 0x80) != 0) {
        enum etm_etmv1_read read =
            etm_etmv1_read_packet(fifo, at, sync && a->n == 0, &byte);

        if (read != ETM_READ_OK)
            return read;
        a->bits |= (uint32_t)(byte & (a->n < 4 ? 0x7f : 0x0f)) << (7 * a->n);
        a->n++;
    }
    if (a->n == ETM_ETMV1_ADDRESS_MAX) {
        a->reason = byte >> 4 & 7;
        a->jazelle = (byte & ETM_ETMV1_JAZELLE) != 0;
    }
    return ETM_READ_OK;
}

/* A branch address at record `at`, and the context ID after it: a reason other
 * than 0 is followed by one (5.6.3), from v1.2 on. */
static inline enum etm_etmv1_read
etm_etmv1_read_target(const struct etm_etmv1_fifo *fifo,
                      struct etm_etmv1_place *at,
                      struct etm_etmv1_target *target)
{
    enum etm_etmv1_read read;

    *target = (struct etm_etmv1_target){0};
    read = etm_etmv1_read_address(fifo, at, true, &target->address);
    if (read != ETM_READ_OK || target->address.reason == 0 || fifo->minor < 2)
        return read;
    for (unsigned i = 0; i < fifo->context_id_bytes; i++) {
        uint8_t byte;

        read = etm_etmv1_read_packet(fifo, at, false, &byte);
        if (read != ETM_READ_OK)
            return read;
        target->context_id |= (uint32_t)byte << (8 * i);
    }
    target->has_context = fifo->context_id_bytes != 0;
    return ETM_READ_OK;
}

/* In v1.0 and v1.1 there is no reason b100 (table 5-3). */
static inline bool etm_etmv1_is_reserved(const struct etm_etmv1_fifo *fifo,
                                         unsigned reason)
{
    return reason > ETM_ETMV1_PERIODIC ||
           (reason == ETM_ETMV1_PERIODIC && fifo->minor < 2);
}

/* Not an address that a macrocell outputs: it only looks like one, because the
 * trace is broken. Before v1.3 bit 7 of the fifth packet is LOW (5.5.4). */
static inline bool etm_etmv1_is_no_address(const struct etm_etmv1_fifo *fifo,
                                           const struct etm_etmv1_address *a)
{
    return etm_etmv1_is_reserved(fifo, a->reason) ||
           (a->jazelle && fifo->minor < 3);
}

/* A normal branch, or one that has its full address for synchronization: not a
 * discontinuity (5.5.5). */
static inline bool etm_etmv1_is_normal(unsigned reason)
{
    return reason == ETM_ETMV1_NORMAL || reason == ETM_ETMV1_PERIODIC;
}

/* An address replaces the low bits of the one before (5.5.4). */
static inline uint32_t etm_etmv1_merge(uint32_t base,
                                       const struct etm_etmv1_address *a)
{
    uint32_t mask = UINT32_MAX;

    if (a->n < ETM_ETMV1_ADDRESS_MAX)
        mask = ((uint32_t)1 << (7 * a->n)) - 1;
    return (base & ~mask) | (a->bits & mask);
}

/* The place that an address names (5.5.2, 5.5.3). */
static inline uint32_t etm_etmv1_destination(uint32_t bits, bool jazelle,
                                             enum etm_isa *isa)
{
    if (jazelle) {
        *isa = ETM_ISA_JAZELLE;
        return bits;
    }
    *isa = (bits & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    return bits & (*isa == ETM_ISA_THUMB ? ~1u : ~3u);
}

#endif
