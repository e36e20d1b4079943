/* SPDX-License-Identifier: Apache-2.0 */
/* Records of ETMv1, one status after the other (ETM architecture 5.1 to 5.3).
 */
#include "flow/etmv1/flow.h"

#include "flow/etmv1/walk.h"
#include "flow/walk/data.h"
#include "flow/walk/imprint.h"

#include <string.h>

/* Records that etm_etmv1_flow_fast() takes at a time. */
#define PIECE 512u

int etm_etmv1_flow_init(struct etm_etmv1_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator)
{
    struct etm_block_rules rules = {.transfers = etm_data_traced(config)};
    struct etm_allocator a = etm_allocator_or_default(allocator);
    int status;

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->size = (uint8_t)etm_sample_size(config);
    etm_etmv1_fifo_init(&flow->fifo, config, &a);
    flow->walk.level = level;
    flow->walk.split = true;
    status =
        etm_walk_init(&flow->walk, &flow->config, image, &rules, allocator);
    flow->walk.certain = true;
    return status;
}

void etm_etmv1_flow_fini(struct etm_etmv1_flow *flow)
{
    etm_vec_fini(&flow->fifo.records);
    etm_walk_fini(&flow->walk);
}

/* A wait cycle carried packets, and this status cannot have any (5.3). */
static void check_leading(struct etm_etmv1_flow *flow,
                          const struct etm_etmv1_record *r)
{
    if (!flow->has_leading)
        return;
    etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, r->offset, flow->size);
    etm_etmv1_misalign(flow, true);
}

/* IE or IN: an instruction without packets. */
static inline void plain(struct etm_etmv1_flow *flow,
                         struct etm_etmv1_record *r)
{
    struct etm_walk *w = &flow->walk;
    bool passed = r->status == ETM_ETMV1_IE;
    uint64_t offset = r->offset;
    struct etm_block *block;

    check_leading(flow, r);
    etm_etmv1_begin(flow);
    etm_etmv1_pass(flow, r);
    block = etm_etmv1_next(flow, offset);
    if (block == NULL) {
        etm_walk_blind(w);
    } else if (etm_position_first_half(w, block)) {
        return;
    } else if (passed && etm_etmv1_needs_address(w, block)) {
        etm_etmv1_mismatch(flow, offset);
    } else {
        etm_etmv1_execute(w, block, passed, offset);
        etm_etmv1_leave(w, block, passed, offset);
    }
}

/* The data of an ID are missing, or their length is not known (4.11.2). If they
 * end where an address begins, the rest was lost in an overflow (5.9), and
 * where packets stand is still known. */
static void cut_off(struct etm_etmv1_flow *flow, struct etm_etmv1_place at,
                    bool expected, uint64_t offset)
{
    const struct etm_etmv1_record *r =
        etm_etmv1_fifo_at(&flow->fifo, at.record);

    if (expected && r != NULL && (r->flags & ETM_RECORD_SYNC) != 0) {
        at.half = 0;
        etm_etmv1_packets_end(flow, at);
        flow->cut = true;
        return;
    }
    etm_etmv1_misalign(flow, true);
    etm_walk_lose(&flow->walk,
                  flow->fifo.ending ? (enum etm_lost_reason)flow->end_reason
                                    : ETM_LOST_UNSYNCHRONIZED,
                  offset, 0);
}

/* An ID of an instruction that cannot be it. */
static void no_data_insn(struct etm_etmv1_flow *flow,
                         const struct etm_block *block,
                         struct etm_etmv1_record *r)
{
    etm_etmv1_pass(flow, r);
    etm_etmv1_misalign(flow, false);
    if (block == NULL)
        etm_walk_blind(&flow->walk);
    else
        etm_etmv1_mismatch(flow, r->offset);
}

/* ID: an instruction and its data. */
static enum etm_etmv1_read data_insn(struct etm_etmv1_flow *flow,
                                     struct etm_etmv1_record *r)
{
    struct etm_etmv1_place at = etm_etmv1_packets(flow);
    struct etm_walk *w = &flow->walk;
    enum etm_etmv1_read read = ETM_READ_BROKEN;
    struct etm_etmv1_data data;
    uint64_t offset = r->offset;
    struct etm_block *block;
    bool expected;

    etm_etmv1_begin(flow);
    block = etm_etmv1_next(flow, offset);
    if (block == NULL || (block->data >> w->index & 1) == 0 ||
        !w->blocks.rules.transfers || etm_etmv1_needs_address(w, block)) {
        no_data_insn(flow, block, r);
        return ETM_READ_OK;
    }
    expected = etm_etmv1_data_expect(flow, block, &data);
    if (expected && flow->aligned)
        read = etm_etmv1_data_read(flow, &at, &data);
    if (read == ETM_READ_MORE)
        return read;
    etm_etmv1_pass(flow, r);
    etm_etmv1_execute(w, block, true, offset);
    etm_walk_close(w);
    etm_etmv1_data_note(flow, &data);
    etm_etmv1_data_give(flow, &data, offset);
    if (read == ETM_READ_OK) {
        etm_etmv1_packets_end(flow, at);
    } else if (flow->aligned) {
        if (data.wants_address && !data.has_address)
            flow->data_valid = false;
        cut_off(flow, at, expected, offset);
    }
    etm_etmv1_leave(w, block, true, offset);
    return ETM_READ_OK;
}

/* WT: a block of packets may begin there (5.3). */
static void wait_cycle(struct etm_etmv1_flow *flow,
                       const struct etm_etmv1_record *r)
{
    uint64_t next = flow->fifo.next;

    if ((r->flags & ETM_RECORD_BYTES) == 0)
        return;
    if (!flow->aligned) {
        if (flow->skipped_known && !etm_etmv1_is_used(flow))
            etm_walk_lose(&flow->walk, ETM_LOST_UNSYNCHRONIZED, r->offset,
                          flow->size);
        return;
    }
    if (flow->has_leading && next - flow->leading.record > ETM_ETMV1_WINDOW) {
        etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, r->offset, flow->size);
        etm_etmv1_misalign(flow, true);
        return;
    }
    if (flow->has_leading || flow->packets.record > next)
        return;
    flow->has_leading = true;
    flow->leading = (struct etm_etmv1_place){.record = next};
    /* on 16 pins no wait cycle has a single packet (5.3.1) */
    if (flow->packets.record == next)
        flow->leading = flow->packets;
}

/* Take the status of the next record: ETM_READ_OK, ETM_READ_MORE. */
static inline enum etm_etmv1_read step(struct etm_etmv1_flow *flow)
{
    struct etm_etmv1_record *r =
        etm_etmv1_fifo_at(&flow->fifo, flow->fifo.next);

    if (r == NULL)
        return ETM_READ_MORE;
    if ((r->flags & ETM_RECORD_TRIGGER) != 0)
        etm_etmv1_trigger(flow, r);
    /* a branch does that itself: the address may be its own */
    if (!flow->aligned && !etm_etmv1_is_branch(r) &&
        etm_etmv1_note(flow) == ETM_READ_MORE)
        return ETM_READ_MORE;
    if (!flow->synced)
        return etm_etmv1_search(flow, r);
    switch ((enum etm_etmv1_status)r->status) {
    case ETM_ETMV1_IE:
    case ETM_ETMV1_IN:
        plain(flow, r);
        return ETM_READ_OK;
    case ETM_ETMV1_ID:
        return data_insn(flow, r);
    case ETM_ETMV1_BE:
    case ETM_ETMV1_BD:
        return etm_etmv1_branch(flow, r);
    case ETM_ETMV1_WT:
    case ETM_ETMV1_TD: /* replaced by a trigger */
        wait_cycle(flow, r);
        etm_etmv1_pass(flow, r);
        return ETM_READ_OK;
    case ETM_ETMV1_TR: /* a trigger does not replace one */
    case ETM_ETMV1_RESERVED:
        break;
    }
    etm_etmv1_desync(flow, ETM_LOST_BAD_PACKET, r->offset, flow->size);
    etm_etmv1_pass(flow, r);
    return ETM_READ_OK;
}

/* Walk as far as the records in the queue allow, and forget those that are not
 * needed any more. */
static void run(struct etm_etmv1_flow *flow)
{
    struct etm_etmv1_fifo *fifo = &flow->fifo;
    size_t done;

    while (flow->walk.status == ETM_OK && step(flow) == ETM_READ_OK)
        ;
    etm_walk_commit(&flow->walk);
    done = (size_t)(etm_etmv1_needed(flow) - fifo->first);
    /* not for each record, but often enough to keep the queue short */
    if (done * 2 < fifo->records.n)
        return;
    etm_vec_drop(&fifo->records, done);
    fifo->first += done;
}

/* No record follows those in the queue: give what they yield. */
static void run_out(struct etm_etmv1_flow *flow, enum etm_lost_reason reason)
{
    run(flow); /* what is broken itself does not end there */
    flow->fifo.ending = true;
    flow->end_reason = (uint8_t)reason;
    run(flow);
    flow->fifo.ending = false;
    flow->has_status = false;
    if (flow->config.cycle_accurate) /* those of no record */
        flow->walk.cycles += flow->fifo.waits;
    flow->fifo.waits = 0;
    flow->fifo.behind_td = false;
}

static void packet(struct etm_etmv1_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    if (p->kind == ETM_PACKET_PIPESTAT) {
        flow->status = *p;
        flow->has_status = true;
    } else if (p->kind == ETM_PACKET_TRACE_PACKET && flow->has_status) {
        w->status = etm_vec_reserve(&flow->fifo.records, 1);
        if (w->status == ETM_OK)
            etm_etmv1_fifo_put(&flow->fifo, (unsigned)flow->status.value,
                               (flow->status.fields & ETM_FIELD_ADDRESS) != 0,
                               (unsigned)p->value, flow->status.offset);
        flow->has_status = false;
    } else if (p->kind == ETM_PACKET_BAD) {
        enum etm_lost_reason reason = etm_walk_bad_reason(p);

        run_out(flow, reason);
        etm_etmv1_desync(flow, reason, p->offset, p->size);
    }
}

int etm_etmv1_flow_push(struct etm_etmv1_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out)
{
    flow->walk.out = out;
    for (size_t i = 0; i < n && flow->walk.status == ETM_OK; i++)
        packet(flow, &packets[i]);
    run(flow);
    return flow->walk.status;
}

size_t etm_etmv1_flow_fast(struct etm_etmv1_flow *flow,
                           struct etm_etmv1_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    size_t size = d->size, most = n / size < PIECE ? n / size : PIECE;
    struct etm_etmv1_fifo fifo;
    size_t at = 0;

    if (d->n != 0 || flow->has_status || flow->walk.status != ETM_OK)
        return 0;
    flow->walk.status = etm_vec_reserve(&flow->fifo.records, most);
    if (flow->walk.status != ETM_OK)
        return 0;
    fifo = flow->fifo; /* a local one, which records do not alias */
    for (; at < most * size && d->status[bytes[at]] != ETM_ETMV1_RESERVED;
         at += size)
        etm_etmv1_fifo_put(&fifo, d->status[bytes[at]],
                           (bytes[at] & ETM_SAMPLE_SYNC) != 0,
                           etm_etmv1_pins(d, bytes + at), d->offset + at);
    flow->fifo = fifo;
    d->offset += at;
    flow->walk.out = out;
    run(flow);
    return at;
}

int etm_etmv1_flow_gap(struct etm_etmv1_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out)
{
    flow->walk.out = out;
    run_out(flow, ETM_LOST_BAD_FRAME);
    etm_etmv1_desync(flow, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_walk_commit(&flow->walk);
    return flow->walk.status;
}

int etm_etmv1_flow_finish(struct etm_etmv1_flow *flow, uint64_t offset,
                          struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    run_out(flow, ETM_LOST_TRUNCATED);
    etm_etmv1_begin(flow);
    etm_walk_close(w);
    if (flow->synced)
        etm_walk_spend(w);
    etm_walk_finish(w, offset);
    return w->status;
}

/* The records from the first one that will be read. */
static void queue(const struct etm_etmv1_flow *flow,
                  struct etm_imprint *imprint)
{
    const struct etm_etmv1_fifo *fifo = &flow->fifo;
    const struct etm_etmv1_record *r;
    uint64_t from = etm_etmv1_needed(flow);

    etm_imprint_put(imprint, fifo->next - from);
    etm_imprint_put(imprint, fifo->first + fifo->records.n - from);
    for (; (r = etm_etmv1_fifo_at(fifo, from)) != NULL; from++) {
        etm_imprint_put(imprint, r->offset);
        etm_imprint_put(imprint, r->cycles);
        etm_imprint_put(imprint, r->pins);
        etm_imprint_put(imprint, r->status);
        etm_imprint_put(imprint, r->flags);
    }
}

/* A place among the packets, counted from the next record; all places before
 * it are equal. */
static void place(const struct etm_etmv1_flow *flow,
                  const struct etm_etmv1_place *p, struct etm_imprint *imprint)
{
    bool ahead = p->record >= flow->fifo.next;

    etm_imprint_put(imprint, ahead);
    etm_imprint_put(imprint, ahead ? p->record - flow->fifo.next : 0);
    etm_imprint_put(imprint, ahead ? p->half : 0);
}

#define START(name) ETM_IMPRINT(struct etm_etmv1_start, name)

/* While it is pending. */
static const struct etm_imprint_field start_fields[] = {
    START(periodic),
    START(reason),
    START(isa),
    START(address),
    START(offset),
    START(has_context),
    ETM_IMPRINT_IF(struct etm_etmv1_start, context_id, has_context),
};

#define OWN(name) ETM_IMPRINT(struct etm_etmv1_flow, name)
#define OWN_IF(name, set) ETM_IMPRINT_IF(struct etm_etmv1_flow, name, set)

static const struct etm_imprint_field fields[] = {
    OWN(fifo.waits),
    OWN(fifo.behind_td),
    OWN(has_status),
    OWN_IF(status.offset, has_status),
    OWN_IF(status.value, has_status),
    OWN_IF(status.fields, has_status),
    OWN(aligned),
    OWN(cut),
    OWN(skipped_known),
    OWN(synced),
    OWN(base_valid),
    OWN_IF(base, base_valid),
    OWN_IF(base_jazelle, base_valid),
    OWN(data_valid),
    OWN_IF(data_base, data_valid),
    OWN(walk.half),
    OWN(walk.arrived),
    OWN(start.pending),
};

/* The next status found no code before all of it had come. */
static void no_image(const struct etm_etmv1_flow *flow,
                     struct etm_imprint *imprint)
{
    const struct etm_etmv1_record *r =
        etm_etmv1_fifo_at(&flow->fifo, flow->fifo.next);

    etm_imprint_put(imprint, r != NULL && flow->no_image_for == r->offset + 1);
}

void etm_etmv1_imprint(const struct etm_etmv1_decoder *d,
                       const struct etm_etmv1_flow *flow,
                       struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, d->offset);
    etm_imprint_bytes(imprint, d->record, d->n);
    etm_walk_imprint(&flow->walk, flow->walk.index, imprint);
    queue(flow, imprint);
    place(flow, &flow->packets, imprint);
    etm_imprint_put(imprint, flow->has_leading);
    if (flow->has_leading) {
        etm_imprint_put(imprint, flow->fifo.next - flow->leading.record);
        etm_imprint_put(imprint, flow->leading.half);
    }
    ETM_IMPRINT_TABLE(imprint, flow, fields);
    if (flow->start.pending)
        ETM_IMPRINT_TABLE(imprint, &flow->start, start_fields);
    no_image(flow, imprint);
}
