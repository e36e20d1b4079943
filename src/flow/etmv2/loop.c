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

static inline unsigned status_at(const struct way *way, size_t record)
{
    return way->bytes[record * way->size] & ETM_SAMPLE_STATUS;
}

static inline unsigned pins_at(const struct way *way, size_t record)
{
    const uint8_t *r = way->bytes + record * way->size;

    return way->size > 2 ? r[1] | (unsigned)r[2] << 8 : r[1];
}

static inline uint64_t offset_at(const struct way *way, size_t record)
{
    return way->start + (uint64_t)record * way->size;
}

/* Bytes come out of the FIFO in that cycle. */
static inline bool carries(const struct way *way, size_t record)
{
    return record < way->n && (status_at(way, record) & 0xeu) != ETM_ETMV2_TR;
}

/* One byte out of the FIFO. */
static inline bool take_byte(const struct way *way, struct place *at,
                             uint8_t *byte)
{
    unsigned pins;

    if (!carries(way, at->record))
        return false;
    if (way->width == 8) {
        *byte = way->bytes[2 * at->record++ + 1];
        return true;
    }
    pins = pins_at(way, at->record);
    if (at->half != 0) {
        *byte = (uint8_t)(pins >> 8);
        *at = (struct place){.record = at->record + 1};
        return true;
    }
    *byte = (uint8_t)pins;
    if (way->width == 16) {
        at->half = 1;
        return true;
    }
    at->record++;
    if (way->width == 4) {
        if (!carries(way, at->record))
            return false;
        *byte =
            (uint8_t)((pins & 0xfu) | (pins_at(way, at->record++) & 0xfu) << 4);
    }
    return true;
}

/* A data address, or that of a branch whose first byte was read: bytes up to
 * the one which says that none follows, or five. */
static inline bool take_address(const struct way *way, struct place *at,
                                uint8_t *bytes, unsigned *n, unsigned most)
{
    while ((bytes[*n - 1] & 0x80u) != 0 && *n < most)
        if (!take_byte(way, at, &bytes[(*n)++]))
            return false;
    return true;
}

/* The bytes of a packet: as many as etm_etmv2_least() says, but without
 * checking each of them. */
static inline bool take_packet(const struct etm_etmv2_fifo *fifo,
                               const struct way *way, struct place *at,
                               uint8_t *bytes, unsigned *n)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4}; /* table 6-3 */
    unsigned kind, more = 0;

    *n = 1;
    if (!take_byte(way, at, &bytes[0]))
        return false;
    kind = fifo->kinds[bytes[0]];
    if (kind == ETM_PACKET_BRANCH_ADDRESS)
        return take_address(way, at, bytes, n, 5);
    if (kind == ETM_PACKET_CONTEXT_ID)
        more = fifo->context_id_bytes;
    if ((kind == ETM_PACKET_NORMAL_DATA ||
         kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) &&
        (bytes[0] & 0x20u) != 0 && fifo->address) {
        if (!take_byte(way, at, &bytes[(*n)++]) ||
            !take_address(way, at, bytes, n, 6))
            return false;
        if ((bytes[*n - 1] & 0x80u) != 0) /* it is none */
            return true;
    }
    if (fifo->value && (kind == ETM_PACKET_NORMAL_DATA ||
                        kind == ETM_PACKET_OUT_OF_ORDER_DATA))
        more = sizes[bytes[0] >> 2 & 3u];
    for (; more != 0; more--)
        if (!take_byte(way, at, &bytes[(*n)++]))
            return false;
    return true;
}

/* Where the group of the status at the cursor begins. */
static inline struct place group_at(const struct way *way)
{
    return way->fifo.record < way->at ? (struct place){.record = way->at}
                                      : way->fifo;
}

/* Read the group of the status at the cursor to its end; false: it is not
 * complete, or invalid. */
static bool read_group(const struct etm_etmv2_fifo *fifo, struct way *way,
                       struct group *g)
{
    struct place at = group_at(way);
    uint8_t bytes[ETM_ETMV2_PACKET_MAX];
    unsigned all = 0, n;
    bool ends = false;

    for (g->n = 0; !ends && g->n < GROUP; g->n++) {
        if (!take_packet(fifo, way, &at, bytes, &n))
            return false;
        all += n;
        if (etm_etmv2_parse(fifo, false, bytes, n, &g->packets[g->n], &ends) !=
                ETM_ETMV2_COMPLETE ||
            all >= ETM_ETMV2_GROUP_MAX)
            return false;
    }
    if (!ends || at.record - way->at > AHEAD)
        return false;
    way->fifo = at;
    return true;
}

/*
 * Read a group of one normal data packet (6.4.2), as most data instructions
 * have; false, with nothing done, if it is a different group.
 */
static inline bool read_data(const struct etm_etmv2_fifo *fifo, struct way *way,
                             struct etm_etmv2_data *data)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4}; /* table 6-3 */
    struct place at = group_at(way);
    unsigned size, bits = 0;
    uint8_t header, byte;

    if (!take_byte(way, &at, &header) || (header & ETM_ETMV2_MORE) != 0 ||
        fifo->kinds[header] != ETM_PACKET_NORMAL_DATA)
        return false;
    *data = (struct etm_etmv2_data){.normal.has_value = fifo->value};
    if ((header & 0x20u) != 0 && fifo->address) {
        data->normal.has_address = true;
        do {
            if (bits == 35 || !take_byte(way, &at, &byte))
                return false;
            data->address |= (uint32_t)(byte & 0x7fu) << bits;
            bits += 7;
        } while ((byte & 0x80u) != 0);
        data->mask = bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
    }
    size = fifo->value ? sizes[header >> 2 & 3u] : 0;
    for (unsigned i = 0; i < size; i++) {
        if (!take_byte(way, &at, &byte))
            return false;
        data->normal.value |= (uint64_t)byte << (8 * i);
    }
    if (at.record - way->at > AHEAD)
        return false;
    way->fifo = at;
    return true;
}

/* No byte of an earlier group is left for that cycle. */
static inline bool is_idle(const struct way *way)
{
    return way->fifo.record + way->fifo.half <= way->at;
}

/* What every cycle has; as begin() of flow.c. */
static inline void finish_cycle(struct etm_etmv2_flow *flow,
                                const struct way *way, bool stored)
{
    if (flow->walk.mismatch && stored)
        etm_walk_lose(&flow->walk, ETM_LOST_IMAGE_MISMATCH,
                      offset_at(way, way->at), way->size);
}

/* A status with an instruction or a group, or both. */
static bool whole(struct etm_etmv2_flow *flow, struct way *way, struct group *g)
{
    const struct etm_etmv2_status_row *row =
        etm_etmv2_status_row(status_at(way, way->at));
    uint64_t offset = offset_at(way, way->at);
    struct etm_etmv2_data one;
    bool is_one = row->pushes && read_data(&flow->fifo, way, &one);

    if (row->pushes && !is_one && !read_group(&flow->fifo, way, g))
        return false;
    flow->walk.cycles += flow->config.cycle_accurate;
    if (row->phantom != ETM_UNKNOWN)
        etm_etmv2_flow_phantom(flow, row->phantom == ETM_TRUE, offset);
    if (row->insn != ETM_UNKNOWN)
        etm_etmv2_flow_atom(flow, row->insn == ETM_TRUE, offset);
    finish_cycle(flow, way, true);
    if (is_one) {
        one.normal.offset = offset;
        etm_etmv2_flow_data(flow, &one);
    }
    for (unsigned i = 0; row->pushes && !is_one && i < g->n; i++)
        etm_etmv2_flow_packet(flow, &g->packets[i], offset);
    way->at++;
    return true;
}

/*
 * IE and IN within a block: of many only the last one can be cancelled and
 * matters. False if there are none.
 */
static inline bool run_inside(struct etm_etmv2_flow *flow, struct way *way)
{
    size_t room = etm_etmv2_flow_room(flow), n = 0;
    const uint8_t *p = way->bytes + way->at * way->size;
    unsigned last = 0, before = 0;

    if (room > way->n - way->at)
        room = way->n - way->at;
    for (; n < room && (*p & 0xdu) == 0; n++, p += way->size) {
        before = last;
        last = *p & 2u;
    }
    if (n == 0)
        return false;
    if (n == 1) /* the range has what was before */
        before = flow->walk.open_exec == ETM_FALSE ? 2 : 0;
    etm_etmv2_flow_atoms(flow, (unsigned)n, last == 0, before == 0,
                         offset_at(way, way->at));
    way->at += n;
    return true;
}

/* Trace is off; false: a TFO, or a reserved value. */
static inline bool off(struct etm_etmv2_flow *flow, struct way *way)
{
    unsigned pins = pins_at(way, way->at);

    if (etm_etmv2_is_tfo(pins) || etm_etmv2_is_reserved(pins))
        return false;
    if ((pins & 0xfu) == 0x7 && flow->config.cycle_accurate) /* table 6-4 */
        flow->walk.cycles++;
    finish_cycle(flow, way, (pins & 1u) != 0);
    way->at++;
    return true;
}

/* Pass all WT with bytes. */
static inline void wait(struct etm_etmv2_flow *flow, struct way *way)
{
    size_t end = way->fifo.record + way->fifo.half, from = way->at;

    if (end > way->n)
        end = way->n;
    for (; way->at < end && status_at(way, way->at) == ETM_ETMV2_WT; way->at++)
        finish_cycle(flow, way, true);
    if (flow->config.cycle_accurate)
        flow->walk.cycles += way->at - from;
}

/* The loop, up to a record that it cannot take: true if there is one. */
static bool run(struct etm_etmv2_flow *flow, struct way *way)
{
    const struct etm_walk *w = &flow->walk;
    struct group group;

    while (way->at < way->n && w->status == ETM_OK &&
           (w->held < ENOUGH || (w->held < MOST && !is_idle(way)))) {
        unsigned status = status_at(way, way->at);

        if (status == ETM_ETMV2_TR)
            return true;
        if (status == ETM_ETMV2_TD) {
            if (!off(flow, way))
                return true;
        } else if (status == ETM_ETMV2_WT) {
            /* it says that there are some (6.1) */
            if (is_idle(way))
                return true;
            wait(flow, way);
        } else if ((status & 0xdu) != 0 || !run_inside(flow, way)) {
            if (!whole(flow, way, &group))
                return true;
        }
    }
    return false;
}

/*
 * Leave the flow as the general path would have: records that only the cursor
 * of bytes has passed wait in the ring. Returns the record after them.
 */
static size_t settle(struct etm_etmv2_flow *flow, struct way *way)
{
    size_t end = way->fifo.record + way->fifo.half;

    if (end <= way->at)
        return way->at;
    for (size_t i = way->at; i < end; i++)
        etm_etmv2_flow_ahead(flow, status_at(way, i), offset_at(way, i));
    etm_etmv2_flow_upper(flow, way->fifo.half != 0 ? pins_at(way, end - 1) : 0,
                         way->fifo.half != 0);
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
    struct etm_walk *w = &flow->walk;
    struct way way = {.bytes = bytes,
                      .n = n / d->size,
                      .size = d->size,
                      .width = flow->fifo.width,
                      .start = d->offset};
    bool odd = true;
    size_t used = 0;

    if (d->n_carry != 0 || flow->has_status || way.n == 0 ||
        w->status != ETM_OK)
        return 0;
    w->out = out;
    if (may_go(flow)) {
        odd = run(flow, &way);
        used = settle(flow, &way);
    }
    for (size_t i = 0; odd && i < PIECE && used < way.n; i++, used++) {
        if (i != 0 && may_go(flow))
            break;
        etm_etmv2_flow_record(flow, status_at(&way, used), pins_at(&way, used),
                              offset_at(&way, used));
    }
    d->offset += used * d->size;
    return used * d->size;
}
