/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path from records of ETMv2 to elements. While the FIFO is known and
 * only instructions and complete groups come, two cursors, that of statuses and
 * that of the bytes of the FIFO, run over the records themselves, without
 * packets, without the model of the FIFO and without the ring. Anything else
 * stops them. The records that they leave take the general path, still without
 * packets (flow.c).
 */
#include "flow/etmv2/loop.h"

#include "flow/etmv2/sync.h"

/* Number of elements that are worth a call, and number after which it ends even
 * if groups wait: large, so that the general path, which follows, is rare. */
#define ENOUGH 256u
#define MOST 32768u

/* Records that take the general path at a time. */
#define PIECE 16u

/* Records that the cursor of bytes may be ahead: no more groups may wait than
 * the model of the FIFO has room for. */
#define AHEAD (ETM_ETMV2_GROUPS - 8u)

/* Maximum number of packets of a group on this path. */
#define GROUP 36u

/* A place among the bytes of the FIFO: a record, and on a port of 16 pins which
 * half of TRACEPKT. */
struct place {
    size_t record;
    unsigned half;
};

struct way {
    const uint8_t *bytes;
    size_t n; /* records */
    unsigned size, width;
    uint64_t start;    /* offset of the first record */
    size_t at;         /* status cursor */
    struct place fifo; /* after the last group; anywhere before `at` */
};

/* The packets that a status has put into the FIFO. */
struct group {
    unsigned n;
    struct etm_packet packets[GROUP];
};

static inline unsigned status_at(const struct way *w, size_t record)
{
    return w->bytes[record * w->size] & ETM_SAMPLE_STATUS;
}

static inline unsigned pins_at(const struct way *w, size_t record)
{
    const uint8_t *r = w->bytes + record * w->size;

    return w->size > 2 ? r[1] | (unsigned)r[2] << 8 : r[1];
}

static inline uint64_t offset_at(const struct way *w, size_t record)
{
    return w->start + (uint64_t)record * w->size;
}

/* Bytes come out of the FIFO in that cycle. */
static inline bool carries(const struct way *w, size_t record)
{
    return record < w->n && (status_at(w, record) & 0xeu) != ETM_ETMV2_TR;
}

/* One byte out of the FIFO. */
static inline bool take_byte(const struct way *w, struct place *at,
                             uint8_t *byte)
{
    unsigned pins;

    if (!carries(w, at->record))
        return false;
    if (w->width == 8) {
        *byte = w->bytes[2 * at->record++ + 1];
        return true;
    }
    pins = pins_at(w, at->record);
    if (at->half != 0) {
        *byte = (uint8_t)(pins >> 8);
        *at = (struct place){.record = at->record + 1};
        return true;
    }
    *byte = (uint8_t)pins;
    if (w->width == 16) {
        at->half = 1;
        return true;
    }
    at->record++;
    if (w->width == 4) {
        if (!carries(w, at->record))
            return false;
        *byte =
            (uint8_t)((pins & 0xfu) | (pins_at(w, at->record++) & 0xfu) << 4);
    }
    return true;
}

/* A data address, or that of a branch whose first byte was read: bytes up to
 * the one which says that none follows, or five. */
static inline bool take_address(const struct way *w, struct place *at,
                                uint8_t *bytes, unsigned *n, unsigned most)
{
    while ((bytes[*n - 1] & 0x80u) != 0 && *n < most)
        if (!take_byte(w, at, &bytes[(*n)++]))
            return false;
    return true;
}

/* The bytes of a packet: as many as etm_etmv2_least() says, but without
 * checking each of them. */
static inline bool take_packet(const struct etm_etmv2_fifo *fifo,
                               const struct way *w, struct place *at,
                               uint8_t *bytes, unsigned *n)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4}; /* table 6-3 */
    unsigned kind, more = 0;

    *n = 1;
    if (!take_byte(w, at, &bytes[0]))
        return false;
    kind = fifo->kinds[bytes[0]];
    if (kind == ETM_PACKET_BRANCH_ADDRESS)
        return take_address(w, at, bytes, n, 5);
    if (kind == ETM_PACKET_CONTEXT_ID)
        more = fifo->context_id_bytes;
    if ((kind == ETM_PACKET_NORMAL_DATA ||
         kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) &&
        (bytes[0] & 0x20u) != 0 && fifo->address) {
        if (!take_byte(w, at, &bytes[(*n)++]) ||
            !take_address(w, at, bytes, n, 6))
            return false;
        if ((bytes[*n - 1] & 0x80u) != 0) /* it is none */
            return true;
    }
    if (fifo->value && (kind == ETM_PACKET_NORMAL_DATA ||
                        kind == ETM_PACKET_OUT_OF_ORDER_DATA))
        more = sizes[bytes[0] >> 2 & 3u];
    for (; more != 0; more--)
        if (!take_byte(w, at, &bytes[(*n)++]))
            return false;
    return true;
}

/* Where the group of the status at the cursor begins. */
static inline struct place group_at(const struct way *w)
{
    return w->fifo.record < w->at ? (struct place){.record = w->at} : w->fifo;
}

/* Read the group of the status at the cursor to its end; false: it is not
 * complete, or invalid. */
static bool read_group(const struct etm_etmv2_fifo *fifo, struct way *w,
                       struct group *g)
{
    struct place at = group_at(w);
    uint8_t bytes[ETM_ETMV2_PACKET_MAX];
    unsigned all = 0, n;
    bool ends = false;

    for (g->n = 0; !ends && g->n < GROUP; g->n++) {
        if (!take_packet(fifo, w, &at, bytes, &n))
            return false;
        all += n;
        if (etm_etmv2_parse(fifo, false, bytes, n, &g->packets[g->n], &ends) !=
                ETM_ETMV2_COMPLETE ||
            all >= ETM_ETMV2_GROUP_MAX)
            return false;
    }
    if (!ends || at.record - w->at > AHEAD)
        return false;
    w->fifo = at;
    return true;
}

/*
 * Read a group of one normal data packet (6.4.2), as most data instructions
 * have; false, with nothing done, if it is a different group.
 */
static inline bool read_data(const struct etm_etmv2_fifo *fifo, struct way *w,
                             struct etm_etmv2_data *data)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4}; /* table 6-3 */
    struct place at = group_at(w);
    unsigned size, bits = 0;
    uint8_t header, byte;

    if (!take_byte(w, &at, &header) || (header & ETM_ETMV2_MORE) != 0 ||
        fifo->kinds[header] != ETM_PACKET_NORMAL_DATA)
        return false;
    *data = (struct etm_etmv2_data){.normal.has_value = fifo->value};
    if ((header & 0x20u) != 0 && fifo->address) {
        data->normal.has_address = true;
        do {
            if (bits == 35 || !take_byte(w, &at, &byte))
                return false;
            data->address |= (uint32_t)(byte & 0x7fu) << bits;
            bits += 7;
        } while ((byte & 0x80u) != 0);
        data->mask = bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
    }
    size = fifo->value ? sizes[header >> 2 & 3u] : 0;
    for (unsigned i = 0; i < size; i++) {
        if (!take_byte(w, &at, &byte))
            return false;
        data->normal.value |= (uint64_t)byte << (8 * i);
    }
    if (at.record - w->at > AHEAD)
        return false;
    w->fifo = at;
    return true;
}

/* No byte of an earlier group is left for that cycle. */
static inline bool is_idle(const struct way *w)
{
    return w->fifo.record + w->fifo.half <= w->at;
}

/* What every cycle has; as begin() of flow.c. */
static inline void finish_cycle(struct etm_etmv2_flow *flow,
                                const struct way *w, bool stored)
{
    if (flow->at.mismatch && stored)
        etm_follow_lose(&flow->follow, ETM_LOST_IMAGE_MISMATCH,
                        offset_at(w, w->at), w->size);
}

/* A status with an instruction or a group, or both. */
static bool whole(struct etm_etmv2_flow *flow, struct way *w, struct group *g)
{
    const struct etm_etmv2_status_row *row =
        etm_etmv2_status_row(status_at(w, w->at));
    uint64_t offset = offset_at(w, w->at);
    struct etm_etmv2_data one;
    bool is_one = row->pushes && read_data(&flow->fifo, w, &one);

    if (row->pushes && !is_one && !read_group(&flow->fifo, w, g))
        return false;
    flow->follow.cycles += flow->config.cycle_accurate;
    if (row->phantom != ETM_UNKNOWN)
        etm_etmv2_flow_phantom(flow, row->phantom == ETM_TRUE, offset);
    if (row->insn != ETM_UNKNOWN)
        etm_etmv2_flow_atom(flow, row->insn == ETM_TRUE, offset);
    finish_cycle(flow, w, true);
    if (is_one) {
        one.normal.offset = offset;
        etm_etmv2_flow_data(flow, &one);
    }
    for (unsigned i = 0; row->pushes && !is_one && i < g->n; i++)
        etm_etmv2_flow_packet(flow, &g->packets[i], offset);
    w->at++;
    return true;
}

/*
 * IE and IN within a block: of many only the last one can be cancelled and
 * matters. False if there are none.
 */
static inline bool run_inside(struct etm_etmv2_flow *flow, struct way *w)
{
    size_t room = etm_etmv2_flow_room(flow), n = 0;
    const uint8_t *p = w->bytes + w->at * w->size;
    unsigned last = 0, before = 0;

    if (room > w->n - w->at)
        room = w->n - w->at;
    for (; n < room && (*p & 0xdu) == 0; n++, p += w->size) {
        before = last;
        last = *p & 2u;
    }
    if (n == 0)
        return false;
    if (n == 1) /* the range has what was before */
        before = flow->follow.open_exec == ETM_FALSE ? 2 : 0;
    etm_etmv2_flow_atoms(flow, (unsigned)n, last == 0, before == 0,
                         offset_at(w, w->at));
    w->at += n;
    return true;
}

/* Trace is off; false: a TFO, or a reserved value. */
static inline bool off(struct etm_etmv2_flow *flow, struct way *w)
{
    unsigned pins = pins_at(w, w->at);

    if (etm_etmv2_is_tfo(pins) || etm_etmv2_is_reserved(pins))
        return false;
    if ((pins & 0xfu) == 0x7 && flow->config.cycle_accurate) /* table 6-4 */
        flow->follow.cycles++;
    finish_cycle(flow, w, (pins & 1u) != 0);
    w->at++;
    return true;
}

/* Pass all WT with bytes. */
static inline void wait(struct etm_etmv2_flow *flow, struct way *w)
{
    size_t end = w->fifo.record + w->fifo.half, from = w->at;

    if (end > w->n)
        end = w->n;
    for (; w->at < end && status_at(w, w->at) == ETM_ETMV2_WT; w->at++)
        finish_cycle(flow, w, true);
    if (flow->config.cycle_accurate)
        flow->follow.cycles += w->at - from;
}

/* The loop, up to a record that it cannot take: true if there is one. */
static bool run(struct etm_etmv2_flow *flow, struct way *w)
{
    const struct etm_follow *f = &flow->follow;
    struct group group;

    while (w->at < w->n && f->status == ETM_OK &&
           (f->held < ENOUGH || (f->held < MOST && !is_idle(w)))) {
        unsigned status = status_at(w, w->at);

        if (status == ETM_ETMV2_TR)
            return true;
        if (status == ETM_ETMV2_TD) {
            if (!off(flow, w))
                return true;
        } else if (status == ETM_ETMV2_WT) {
            /* it says that there are some (6.1) */
            if (is_idle(w))
                return true;
            wait(flow, w);
        } else if ((status & 0xdu) != 0 || !run_inside(flow, w)) {
            if (!whole(flow, w, &group))
                return true;
        }
    }
    return false;
}

/*
 * Leave the flow as the general path would have: records that only the cursor
 * of bytes has passed wait in the ring. Returns the record after them.
 */
static size_t settle(struct etm_etmv2_flow *flow, struct way *w)
{
    size_t end = w->fifo.record + w->fifo.half;

    if (end <= w->at)
        return w->at;
    for (size_t i = w->at; i < end; i++)
        etm_etmv2_flow_ahead(flow, status_at(w, i), offset_at(w, i));
    etm_etmv2_flow_upper(flow, w->fifo.half != 0 ? pins_at(w, end - 1) : 0,
                         w->fifo.half != 0);
    return end;
}

/* All that came before has been walked, and nothing is in the FIFO. */
static bool may_go(const struct etm_etmv2_flow *flow)
{
    const struct etm_etmv2_fifo *fifo = &flow->fifo;

    return flow->synced && flow->n_cycles == 0 && fifo->synced &&
           fifo->n_groups == 0 && !fifo->has_half &&
           fifo->due == ETM_ETMV2_DUE_NOTHING;
}

size_t etm_etmv2_flow_fast(struct etm_etmv2_flow *flow,
                           struct etm_etmv2_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;
    struct way w = {.bytes = bytes,
                    .n = n / d->size,
                    .size = d->size,
                    .width = flow->fifo.width,
                    .start = d->offset};
    bool odd = true;
    size_t used = 0;

    if (d->n_carry != 0 || flow->has_status || w.n == 0 || f->status != ETM_OK)
        return 0;
    f->out = out;
    if (may_go(flow)) {
        odd = run(flow, &w);
        used = settle(flow, &w);
    }
    for (size_t i = 0; odd && i < PIECE && used < w.n; i++, used++) {
        if (i != 0 && may_go(flow))
            break;
        etm_etmv2_flow_record(flow, status_at(&w, used), pins_at(&w, used),
                              offset_at(&w, used));
    }
    d->offset += used * d->size;
    return used * d->size;
}
