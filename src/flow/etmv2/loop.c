/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a port of 8 pins, where each cycle has one byte of the FIFO: while
 * nothing unusual comes, a group is read as a whole in the cycle that puts it
 * in, from the records ahead, so that no cycle waits for it and the FIFO need
 * not be followed byte by byte. Statuses and packets do what flow.c has for
 * them. Data trace, where the FIFO is hardly ever empty, is a third faster.
 */
#include "flow/etmv2/flow.h"

/* Maximum number of packets of a group here. */
#define GROUP 36u

/* Records that the bytes may be ahead of the statuses: no more groups wait than
 * the FIFO has room for. */
#define AHEAD (ETM_ETMV2_GROUPS - 8u)

/* Elements that are worth a call, and those after which it ends even if groups
 * wait: large, so that cycles wait rarely. */
#define ENOUGH 256u
#define MOST 32768u

#define SIZE 2u /* of a record */

struct loop {
    const uint8_t *bytes;
    size_t n, at;    /* records, and the one whose status comes next */
    size_t fifo;     /* the one with the byte after the last group */
    uint64_t offset; /* of the first record */
    unsigned packets;
    struct etm_packet group[GROUP];
};

static unsigned status_of(const struct loop *l, size_t record)
{
    return l->bytes[SIZE * record] & ETM_SAMPLE_STATUS;
}

/* Whether a group is still to come when the next status comes. */
static bool is_busy(const struct loop *l)
{
    return l->fifo > l->at;
}

/* The bytes of the FIFO from a record on, up to the longest packet; their
 * number. */
static unsigned look(const struct loop *l, size_t record, uint8_t *bytes)
{
    unsigned n = 0;

    /* not in a cycle of TD or TR */
    while (n < ETM_ETMV2_PACKET_MAX && record + n < l->n &&
           (status_of(l, record + n) & 0xeu) != ETM_ETMV2_TR) {
        bytes[n] = l->bytes[SIZE * (record + n) + 1];
        n++;
    }
    return n;
}

/* Read the group of the next status to its end; false: it is not complete, or
 * invalid. */
static bool read_group(const struct etm_etmv2_fifo *fifo, struct loop *l)
{
    size_t at = is_busy(l) ? l->fifo : l->at;
    const size_t most = at + ETM_ETMV2_GROUP_MAX;
    bool ends = false;

    for (l->packets = 0; !ends; l->packets++) {
        uint8_t bytes[ETM_ETMV2_PACKET_MAX];
        unsigned n = look(l, at, bytes), size;

        if (n == 0 || l->packets == GROUP)
            return false;
        size = etm_etmv2_least(fifo, false, bytes, n);
        at += size;
        if (size > n || at > most || at - l->at > AHEAD ||
            etm_etmv2_parse(fifo, false, bytes, size, &l->group[l->packets],
                            &ends) != ETM_ETMV2_COMPLETE)
            return false;
    }
    l->fifo = at;
    return true;
}

/* The cycle of the next record. */
static struct etm_etmv2_cycle cycle_at(const struct loop *l)
{
    return (struct etm_etmv2_cycle){.status = (uint8_t)status_of(l, l->at),
                                    .pins = l->bytes[SIZE * l->at + 1]};
}

/* The next record; false: it is unusual. */
static bool take(struct etm_etmv2_flow *flow, struct loop *l)
{
    const struct etm_etmv2_cycle c = cycle_at(l);
    const bool pushes = etm_etmv2_status_row(c.status)->pushes;
    const uint64_t offset = l->offset + SIZE * l->at;

    if (pushes ? !read_group(&flow->fifo, l)
               : !is_busy(l) && !etm_etmv2_fifo_rests(c.status, c.pins))
        return false;
    etm_etmv2_flow_begin(flow, &c, offset);
    for (unsigned i = 0; pushes && i < l->packets; i++) {
        l->group[i].offset = offset;
        etm_etmv2_flow_packet(flow, &l->group[i]);
    }
    l->at++;
    return true;
}

/* The `n` records from `bytes` on, the first of which is at that offset.
 * Returns the number of records taken, which may be 0. */
static size_t loop(struct etm_etmv2_flow *flow, const uint8_t *bytes, size_t n,
                   uint64_t offset)
{
    const uint8_t *end = bytes + SIZE * n;
    const struct etm_walk *w = &flow->walk;
    struct loop l;

    l.bytes = bytes;
    l.n = n;
    l.at = l.fifo = 0;
    l.offset = offset;
    while (l.at < n && w->status == ETM_OK &&
           w->held < (is_busy(&l) ? MOST : ENOUGH)) {
        const size_t from = SIZE * l.at;
        size_t run = etm_etmv2_flow_run(flow, bytes + from, end, offset + from);

        l.at += run;
        if (run == 0 && !take(flow, &l))
            break;
    }
    /* records with bytes that were read wait, as far as a group is theirs */
    for (; is_busy(&l); l.at++)
        etm_etmv2_flow_wait(flow, cycle_at(&l), offset + SIZE * l.at);
    return l.at;
}

size_t etm_etmv2_flow_fast(struct etm_etmv2_flow *flow,
                           struct etm_etmv2_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;
    const size_t size = flow->size, records = n / size;
    size_t i = 0;

    if (d->n_carry != 0 || flow->has_status)
        return 0;
    w->out = out;
    while (i < records && w->status == ETM_OK && w->held < ENOUGH) {
        const uint8_t *p = bytes + i * size;
        const uint64_t offset = d->offset + i * size;
        size_t taken = 0;

        if (etm_etmv2_flow_is_idle(flow))
            taken = flow->fifo.width == 8
                        ? loop(flow, p, records - i, offset)
                        : etm_etmv2_flow_run(flow, p, bytes + records * size,
                                             offset);
        i += taken;
        if (taken != 0)
            continue;
        etm_etmv2_flow_record(flow, *p & ETM_SAMPLE_STATUS,
                              size > 2 ? p[1] | (unsigned)p[2] << 8 : p[1],
                              offset);
        i++;
    }
    d->offset += i * size;
    return i * size;
}
