/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FIFO of an ETMv1, seen from outside: which records carry packets, where
 * the packets of an instruction begin, and what they are (ETM architecture
 * 5.2, 5.3, 5.5.4).
 *
 * Cycles with TD are not kept: they carry nothing, a capture device may drop
 * them (4.4.2), and they do not occur where they would matter.
 */
#include "flow/etmv1/fifo.h"

int etm_etmv1_fifo_put(struct etm_etmv1_flow *flow, unsigned status, bool sync,
                       unsigned pins, uint64_t offset)
{
    struct etm_etmv1_record *r;

    if (status == ETM_ETMV1_TD) {
        /* with TRACEPKT[0] low it may as well be missing (5.10) */
        flow->waits += pins & 1;
        flow->behind_td = true;
        return ETM_OK;
    }
    if (etm_vec_reserve(&flow->records, 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    r = (struct etm_etmv1_record *)flow->records.data + flow->records.n++;
    *r = (struct etm_etmv1_record){.offset = offset,
                                   .cycles = flow->waits + 1,
                                   .pins = (uint16_t)pins,
                                   .status = (uint8_t)status};
    if (sync)
        r->flags |= ETM_RECORD_SYNC;
    if (flow->behind_td)
        r->flags |= ETM_RECORD_BEHIND_TD;
    if (status == ETM_ETMV1_TR) { /* the FIFO stands still (5.1.1) */
        r->status = (uint8_t)(pins & 7);
        r->flags |= ETM_RECORD_TRIGGER;
    } else {
        r->flags |= ETM_RECORD_BYTES;
    }
    flow->waits = 0;
    flow->behind_td = false;
    return ETM_OK;
}

struct etm_etmv1_record *etm_etmv1_fifo_at(const struct etm_etmv1_flow *flow,
                                           uint64_t number)
{
    struct etm_etmv1_record *records = flow->records.data;

    if (number < flow->first || number - flow->first >= flow->records.n)
        return NULL;
    return &records[number - flow->first];
}

void etm_etmv1_fifo_trim(struct etm_etmv1_flow *flow)
{
    uint64_t from = flow->next;
    size_t done;

    if (flow->has_leading && flow->leading.record < from)
        from = flow->leading.record;
    done = (size_t)(from - flow->first);
    /* not for each record, but often enough to keep the queue short */
    if (done * 2 < flow->records.n)
        return;
    etm_vec_drop(&flow->records, done);
    flow->first = from;
}

bool etm_etmv1_fifo_is_used(const struct etm_etmv1_flow *flow, uint64_t number)
{
    return number < flow->bytes.record;
}

void etm_etmv1_fifo_wait(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_record *r)
{
    if ((r->flags & ETM_RECORD_BYTES) == 0)
        return;
    if (!flow->aligned) {
        if (flow->skipped_known && !etm_etmv1_fifo_is_used(flow, flow->next))
            etm_walk_lose(&flow->walk, ETM_LOST_UNSYNCHRONIZED, r->offset,
                          flow->size);
        return;
    }
    if (flow->has_leading &&
        flow->next - flow->leading.record > ETM_ETMV1_WINDOW) {
        etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, r->offset, flow->size);
        etm_etmv1_flow_misalign(flow, true);
        return;
    }
    if (flow->has_leading || flow->bytes.record > flow->next)
        return;
    flow->has_leading = true;
    flow->leading = (struct etm_etmv1_place){.record = flow->next};
    /* on 16 pins no wait cycle has a single packet (5.3.1) */
    if (flow->bytes.record == flow->next)
        flow->leading = flow->bytes;
}

struct etm_etmv1_place etm_etmv1_fifo_block(const struct etm_etmv1_flow *flow)
{
    if (flow->bytes.record >= flow->next)
        return flow->bytes;
    if (flow->has_leading)
        return flow->leading;
    return (struct etm_etmv1_place){.record = flow->next};
}

void etm_etmv1_fifo_end(struct etm_etmv1_flow *flow, struct etm_etmv1_place end)
{
    flow->bytes = end;
    flow->has_leading = false;
}

/* The first record from *number on that can have packets. */
static enum etm_etmv1_read carrier(const struct etm_etmv1_flow *flow,
                                   uint64_t *number,
                                   const struct etm_etmv1_record **record)
{
    for (;; ++*number) {
        if (*number > flow->next + ETM_ETMV1_WINDOW)
            return ETM_READ_BROKEN;
        *record = etm_etmv1_fifo_at(flow, *number);
        if (*record == NULL)
            return flow->ending ? ETM_READ_BROKEN : ETM_READ_MORE;
        if (((*record)->flags & ETM_RECORD_BYTES) != 0)
            return ETM_READ_OK;
    }
}

enum etm_etmv1_read etm_etmv1_fifo_find(const struct etm_etmv1_flow *flow,
                                        uint64_t from, unsigned offset,
                                        uint64_t *found)
{
    const struct etm_etmv1_record *r;

    for (uint64_t number = from;; number++) {
        enum etm_etmv1_read read = carrier(flow, &number, &r);
        if (read != ETM_READ_OK)
            return read;
        if ((r->flags & ETM_RECORD_SYNC) != 0 && offset-- == 0) {
            *found = number;
            return ETM_READ_OK;
        }
    }
}

bool etm_etmv1_fifo_adjoins(const struct etm_etmv1_flow *flow,
                            const struct etm_etmv1_place *at, uint64_t number)
{
    /* an address begins in the lower half (5.3.1) */
    uint64_t from = at->record + at->half;
    const struct etm_etmv1_record *r;

    return carrier(flow, &from, &r) == ETM_READ_OK && from == number;
}

/*
 * Read one packet. `sync`: it is the first one of a branch address, the only
 * one which has TRACESYNC and comes on TRACEPKT[7:0] (5.2, 5.3.1).
 */
static enum etm_etmv1_read packet(const struct etm_etmv1_flow *flow,
                                  struct etm_etmv1_place *at, bool sync,
                                  uint8_t *byte)
{
    const struct etm_etmv1_record *r;
    enum etm_etmv1_read read;
    uint64_t second;

    if (at->half != 0) {
        r = etm_etmv1_fifo_at(flow, at->record);
        at->record++;
        at->half = 0;
        if (!sync && r != NULL) {
            *byte = (uint8_t)(r->pins >> 8);
            return ETM_READ_OK;
        }
    }
    read = carrier(flow, &at->record, &r);
    if (read != ETM_READ_OK)
        return read;
    if (((r->flags & ETM_RECORD_SYNC) != 0) != sync)
        return ETM_READ_BROKEN;
    *byte = (uint8_t)r->pins;
    if (flow->pins == 4) { /* the upper half comes with the next one (5.2) */
        second = at->record + 1;
        read = carrier(flow, &second, &r);
        if (read != ETM_READ_OK)
            return read;
        if ((r->flags & ETM_RECORD_SYNC) != 0) {
            at->record = second;
            return ETM_READ_BROKEN;
        }
        *byte = (uint8_t)((*byte & 0x0fu) | (r->pins & 0x0fu) << 4);
        at->record = second;
    }
    if (flow->pins == 16)
        at->half = 1;
    else
        at->record++;
    return ETM_READ_OK;
}

/* A branch or data address: 1 to 5 packets (5.5.4, 5.7.3). */
static enum etm_etmv1_read address(const struct etm_etmv1_flow *flow,
                                   struct etm_etmv1_place *at, bool sync,
                                   struct etm_etmv1_address *a)
{
    uint8_t byte = 0x80;

    *a = (struct etm_etmv1_address){0};
    while (a->n < ETM_ETMV1_ADDRESS_MAX && (byte & 0x80) != 0) {
        enum etm_etmv1_read read = packet(flow, at, sync && a->n == 0, &byte);
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

uint32_t etm_etmv1_merge(uint32_t base, const struct etm_etmv1_address *a)
{
    uint32_t mask = UINT32_MAX;

    if (a->n < ETM_ETMV1_ADDRESS_MAX)
        mask = ((uint32_t)1 << (7 * a->n)) - 1;
    return (base & ~mask) | (a->bits & mask);
}

enum etm_etmv1_read etm_etmv1_fifo_target(const struct etm_etmv1_flow *flow,
                                          struct etm_etmv1_place *at,
                                          struct etm_etmv1_target *target)
{
    enum etm_etmv1_read read;

    *target = (struct etm_etmv1_target){0};
    read = address(flow, at, true, &target->address);
    /* only a reason other than 0 is followed by a context ID (5.6.3), which
     * came with v1.2 */
    if (read != ETM_READ_OK || target->address.reason == 0 ||
        flow->config.minor < 2 || flow->config.context_id_bytes == 0)
        return read;
    for (unsigned i = 0; i < flow->config.context_id_bytes; i++) {
        uint8_t byte;

        read = packet(flow, at, false, &byte);
        if (read != ETM_READ_OK)
            return read;
        target->context_id |= (uint32_t)byte << (8 * i);
    }
    target->has_context = true;
    return ETM_READ_OK;
}

/*
 * Data end where an address begins: the rest was lost in an overflow. If the
 * last packet was read in the cycle of a status, or from an upper half, there
 * may have been no packet (5.3.1): it is not trusted.
 */
static void distrust(const struct etm_etmv1_flow *flow, uint64_t behind,
                     struct etm_etmv1_data *data)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, behind - 1);

    if (r != NULL && r->status == ETM_ETMV1_WT && flow->pins != 16)
        return;
    data->has_address = data->has_address && data->n != 0;
    data->n -= data->n != 0;
}

enum etm_etmv1_read etm_etmv1_fifo_data(const struct etm_etmv1_flow *flow,
                                        struct etm_etmv1_place *at,
                                        bool has_address, unsigned n,
                                        struct etm_etmv1_data *data)
{
    enum etm_etmv1_read read;

    data->has_address = false;
    data->n = 0;
    if (has_address) {
        read = address(flow, at, false, &data->address);
        if (read != ETM_READ_OK)
            return read;
        data->has_address = true;
    }
    while (data->n < n) {
        uint64_t behind = at->record;

        read = packet(flow, at, false, &data->values[data->n]);
        if (read == ETM_READ_BROKEN)
            distrust(flow, behind, data);
        if (read != ETM_READ_OK)
            return read;
        data->n++;
    }
    return ETM_READ_OK;
}
