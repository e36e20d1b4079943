/* SPDX-License-Identifier: Apache-2.0 */
/* The two cursors of ETMv1's fast path, and what they read. */
#ifndef ETM_FLOW_ETMV1_WAY_H
#define ETM_FLOW_ETMV1_WAY_H

#include "flow/etmv1/fifo.h"

/* A place among the packets: as struct etm_etmv1_place, by index. */
struct etm_etmv1_spot {
    size_t record;
    unsigned half;
};

/* The records, in bytes or in the queue, and where both cursors stand. */
struct etm_etmv1_way {
    struct etm_etmv1_record *queue; /* NULL: in bytes */
    const uint8_t *bytes;
    const uint8_t *status; /* by first byte: enum etm_etmv1_status */
    size_t n;              /* records */
    unsigned size, pins;
    uint64_t start; /* offset of the first record */

    size_t at;                     /* status cursor */
    struct etm_etmv1_spot packets; /* packet cursor, */
    bool before;                   /* or somewhere before the first record */
    struct etm_etmv1_spot leading; /* as in struct etm_etmv1_flow */
    bool has_leading;
    uint64_t waits; /* TD cycles that count, before `at` */
    bool behind_td;
    uint64_t leading_waits; /* the same before `leading` */
    bool leading_behind_td;
};

static inline unsigned etm_etmv1_way_status(const struct etm_etmv1_way *w,
                                            size_t record)
{
    if (w->queue == NULL)
        return w->status[w->bytes[record * w->size]];
    return (w->queue[record].flags & ETM_RECORD_BYTES) != 0
               ? w->queue[record].status
               : ETM_ETMV1_TR;
}

static inline bool etm_etmv1_way_sync(const struct etm_etmv1_way *w,
                                      size_t record)
{
    if (w->queue == NULL)
        return (w->bytes[record * w->size] & ETM_SAMPLE_SYNC) != 0;
    return (w->queue[record].flags & ETM_RECORD_SYNC) != 0;
}

static inline unsigned etm_etmv1_way_pins(const struct etm_etmv1_way *w,
                                          size_t record)
{
    const uint8_t *r;

    if (w->queue != NULL)
        return w->queue[record].pins;
    r = w->bytes + record * w->size;
    if (w->pins == 16)
        return r[1] | (unsigned)r[2] << 8;
    return w->pins == 4 ? r[1] & 0x0fu : r[1];
}

static inline uint64_t etm_etmv1_way_offset(const struct etm_etmv1_way *w,
                                            size_t record)
{
    if (w->queue != NULL)
        return w->queue[record].offset;
    return w->start + (uint64_t)record * w->size;
}

/* The first record from *record on that can have packets; false: there is a
 * trigger or the end of the bytes, which need the general path. */
static inline bool etm_etmv1_way_carrier(const struct etm_etmv1_way *w,
                                         size_t *record)
{
    for (; *record < w->n; ++*record) {
        unsigned status = etm_etmv1_way_status(w, *record);

        if (status != ETM_ETMV1_TD)
            return status <= ETM_ETMV1_BD;
    }
    return false;
}

/* One packet; as packet() of fifo.c, but false if it is missing. */
static inline bool etm_etmv1_way_packet(const struct etm_etmv1_way *w,
                                        struct etm_etmv1_spot *at, bool sync,
                                        unsigned *byte)
{
    if (at->half != 0) {
        at->half = 0;
        at->record++;
        if (!sync) {
            *byte = etm_etmv1_way_pins(w, at->record - 1) >> 8;
            return true;
        }
    }
    if (!etm_etmv1_way_carrier(w, &at->record) ||
        etm_etmv1_way_sync(w, at->record) != sync)
        return false;
    *byte = etm_etmv1_way_pins(w, at->record) & 0xffu;
    if (w->pins == 16) {
        at->half = 1;
        return true;
    }
    at->record++;
    if (w->pins == 4) {
        if (!etm_etmv1_way_carrier(w, &at->record) ||
            etm_etmv1_way_sync(w, at->record))
            return false;
        *byte |= etm_etmv1_way_pins(w, at->record++) << 4;
    }
    return true;
}

/* One packet that begins no address: nearly all of them are in the next record
 * of bytes on 8 pins. */
static inline bool etm_etmv1_way_byte(const struct etm_etmv1_way *w,
                                      struct etm_etmv1_spot *at, unsigned *byte)
{
    const uint8_t *r;

    if (w->queue != NULL || w->pins != 8 || at->record >= w->n)
        return etm_etmv1_way_packet(w, at, false, byte);
    r = w->bytes + 2 * at->record;
    if ((r[0] & ETM_SAMPLE_SYNC) != 0 || w->status[r[0]] > ETM_ETMV1_BD)
        return etm_etmv1_way_packet(w, at, false, byte);
    *byte = r[1];
    at->record++;
    return true;
}

/* A branch or data address (5.5.4, 5.7.3). */
static inline bool etm_etmv1_way_address(const struct etm_etmv1_way *w,
                                         struct etm_etmv1_spot *at, bool sync,
                                         struct etm_etmv1_address *a)
{
    unsigned byte = 0x80;

    *a = (struct etm_etmv1_address){0};
    for (; a->n < ETM_ETMV1_ADDRESS_MAX && (byte & 0x80) != 0; a->n++) {
        if (sync && a->n == 0 ? !etm_etmv1_way_packet(w, at, true, &byte)
                              : !etm_etmv1_way_byte(w, at, &byte))
            return false;
        a->bits |= (uint32_t)(byte & (a->n < 4 ? 0x7fu : 0x0fu)) << (7 * a->n);
    }
    if (a->n == ETM_ETMV1_ADDRESS_MAX) {
        a->reason = byte >> 4 & 7;
        a->jazelle = (byte & ETM_ETMV1_JAZELLE) != 0;
    }
    return true;
}

/* The data of an instruction: `n` bytes of values. */
static inline bool etm_etmv1_way_values(const struct etm_etmv1_way *w,
                                        struct etm_etmv1_spot *at,
                                        bool has_address, unsigned n,
                                        struct etm_etmv1_data *data)
{
    data->has_address = false;
    data->n = 0;
    if (has_address && !etm_etmv1_way_address(w, at, false, &data->address))
        return false;
    data->has_address = has_address;
    for (; data->n < n; data->n++) {
        unsigned byte;

        if (!etm_etmv1_way_byte(w, at, &byte))
            return false;
        data->values[data->n] = (uint8_t)byte;
    }
    return true;
}

/* Where the packets of the status at the cursor begin (5.3). */
static inline struct etm_etmv1_spot
etm_etmv1_way_block(const struct etm_etmv1_way *w)
{
    if (w->packets.record >= w->at)
        return w->packets;
    return w->has_leading ? w->leading
                          : (struct etm_etmv1_spot){.record = w->at};
}

/* Packets up to there may be too many records after their status (E-346): the
 * general path counts these, without TD. */
static inline bool etm_etmv1_way_is_far(const struct etm_etmv1_way *w,
                                        struct etm_etmv1_spot end)
{
    return end.record > w->at + ETM_ETMV1_WINDOW;
}

/* The packets of the last block end there. */
static inline void etm_etmv1_way_end(struct etm_etmv1_way *w,
                                     struct etm_etmv1_spot end)
{
    w->packets = end;
    w->before = false;
    w->has_leading = false;
}

/* The status cursor leaves its record. */
static inline void etm_etmv1_way_pass(struct etm_etmv1_flow *flow,
                                      struct etm_etmv1_way *w)
{
    if (flow->config.cycle_accurate)
        flow->walk.cycles +=
            w->queue != NULL ? w->queue[w->at].cycles : w->waits + 1;
    w->waits = 0;
    w->behind_td = false;
    w->at++;
}

/* Both cursors are at the same record, and no other record is needed. */
static inline bool etm_etmv1_way_is_idle(const struct etm_etmv1_way *w)
{
    return !w->has_leading && w->packets.record + w->packets.half <= w->at;
}

#endif
