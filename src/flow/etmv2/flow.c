/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2 packets to elements. A status is walked when the groups of all earlier
 * cycles have come out of the FIFO: until then the cycles wait in a ring.
 */
#include "flow/etmv2/flow.h"

#include "flow/etmv2/sync.h"
#include "flow/walk/data_plain.h"

#include <string.h>

int etm_etmv2_flow_init(struct etm_etmv2_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator)
{
    /* barriers are no branches here (4.5.2) */
    struct etm_block_rules rules = {.transfers = etm_data_traced(config)};

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->data_traced = rules.transfers;
    flow->walk.split = true; /* ETMIDR[18] is 0 (3.5.18) */
    etm_etmv2_fifo_init(&flow->fifo, config);
    flow->walk.level = level;
    return etm_walk_init(&flow->walk, &flow->config, image, &rules, allocator);
}

void etm_etmv2_flow_fini(struct etm_etmv2_flow *flow)
{
    etm_walk_fini(&flow->walk);
}

static struct etm_etmv2_cycle *cycle(struct etm_etmv2_flow *flow, unsigned i)
{
    return &flow->cycles[(flow->first + i) % ETM_ETMV2_CYCLES];
}

static void pop(struct etm_etmv2_flow *flow)
{
    flow->waiting -= cycle(flow, 0)->waits;
    flow->first = (flow->first + 1) % ETM_ETMV2_CYCLES;
    flow->n_cycles--;
}

/* The stream is broken: nothing is known up to the next TFO packet. */
static void desync(struct etm_etmv2_flow *flow, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes)
{
    struct etm_walk *w = &flow->walk;

    etm_walk_close(w);
    etm_data_close(w, false);
    etm_data_forget(w, offset);
    if (flow->synced)
        etm_walk_broken(w, offset);
    etm_walk_lose(w, reason, offset, bytes);
    flow->base.data_valid = false; /* an address may be missing */
    flow->walk.data.owner.previous_known = false;
    etm_position_nowhere(w);
    w->blind_cycles = 0;
    w->cycles = 0;
    flow->synced = false;
    flow->walk.mismatch = false;
    flow->walk.last &= ~(uint32_t)ETM_LAST_VALID;
}

/* Before an element of no instruction: what cannot be taken back any more is
 * final. */
static void limit(struct etm_etmv2_flow *flow, uint64_t offset)
{
    if (!etm_walk_is_long(&flow->walk))
        return;
    flow->walk.last &= ~(uint32_t)(ETM_LAST_VALID | ETM_LAST_OWNER);
    etm_data_commit(&flow->walk, offset);
}

static void tell_trigger(struct etm_etmv2_flow *flow, struct etm_etmv2_cycle *c)
{
    if (c->trigger && !c->told) {
        limit(flow, c->offset);
        etm_walk_event(&flow->walk, ETM_ELEMENT_TRIGGER, c->offset);
    }
    c->told = true;
}

/* The first cycle in the ring cannot be used. Cycles without trace do not count
 * as lost. */
static void lose_cycle(struct etm_etmv2_flow *flow, enum etm_lost_reason reason)
{
    struct etm_etmv2_cycle *c = cycle(flow, 0);

    tell_trigger(flow, c);
    if (flow->synced)
        desync(flow, reason, c->offset, 0);
    if (c->stored)
        etm_walk_lose(&flow->walk, reason, c->offset,
                      etm_sample_size(&flow->config));
    pop(flow);
    etm_walk_commit(&flow->walk); /* nothing can be cancelled any more */
}

/* Only the last `groups` groups will come, the first of which is a TFO packet:
 * what precedes its cycle is lost. */
static void lost(struct etm_etmv2_flow *flow, unsigned groups)
{
    while (flow->n_cycles != 0 &&
           (flow->waiting != groups || groups == 0 || !cycle(flow, 0)->waits))
        lose_cycle(flow, ETM_LOST_BAD_PACKET);
}

/* The status of a cycle whose turn it is. */
static void begin(struct etm_etmv2_flow *flow, struct etm_etmv2_cycle *c)
{
    struct etm_walk *w = &flow->walk;
    const struct etm_etmv2_status_row *row = etm_etmv2_status_row(c->status);

    c->begun = true;
    tell_trigger(flow, c);
    if (c->counted && flow->synced)
        w->cycles++;
    if (c->tfo)
        return; /* its packet says what was executed */
    if (row->phantom != ETM_UNKNOWN)
        etm_etmv2_flow_phantom(flow, row->phantom == ETM_TRUE, c->offset);
    if (row->insn != ETM_UNKNOWN)
        etm_etmv2_flow_atom(flow, row->insn == ETM_TRUE, c->offset);
    if (flow->walk.mismatch && c->stored)
        etm_walk_lose(w, ETM_LOST_IMAGE_MISMATCH, c->offset,
                      etm_sample_size(&flow->config));
}

/* Walk as far as the groups have come, except for the last `keep` cycles. */
static void run(struct etm_etmv2_flow *flow, unsigned keep)
{
    while (flow->n_cycles > keep) {
        struct etm_etmv2_cycle *c = cycle(flow, 0);

        if (!flow->synced && !c->tfo) {
            lose_cycle(flow, ETM_LOST_UNSYNCHRONIZED);
            continue;
        }
        if (!c->begun)
            begin(flow, c);
        if (c->waits)
            return;
        pop(flow);
    }
}

/* Nothing was executed yet: data of the instruction that the TFO packet named
 * (6.5.5). */
static void begin_data(struct etm_etmv2_flow *flow)
{
    if ((flow->walk.last & ETM_LAST_NONE_YET) != 0)
        etm_etmv2_flow_in_progress(flow);
}

static void data(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (p->kind != ETM_PACKET_OUT_OF_ORDER_DATA)
        begin_data(flow);
    /* two of one load are consecutive packets, whatever cycle they are of */
    flow->walk.data.stream_end = p->offset;
    etm_data_packet(&flow->walk, &flow->base, p);
}

void etm_etmv2_flow_data(struct etm_etmv2_flow *flow,
                         const struct etm_etmv2_data *data)
{
    struct etm_broadcast *base = &flow->base;
    struct etm_packet p = {.kind = ETM_PACKET_NORMAL_DATA,
                           .offset = data->normal.offset,
                           .value = data->normal.value};

    limit(flow, p.offset);
    if (data->normal.has_address) {
        base->data_address =
            (base->data_address & ~data->mask) | (data->address & data->mask);
        base->data_valid = base->data_valid || data->mask == UINT32_MAX;
        p.fields |= ETM_FIELD_ADDRESS;
    }
    begin_data(flow);
    if (!flow->walk.has_lost && !etm_data_is_odd(&flow->walk)) {
        etm_data_take(&flow->walk, base, &data->normal);
        return;
    }
    if (data->normal.has_value)
        p.fields |= ETM_FIELD_VALUE;
    flow->walk.data.stream_end = p.offset;
    etm_data_packet(&flow->walk, base, &p);
}

/* The same of a packet. */
static void normal_data(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    struct etm_etmv2_data data = {
        .normal = {.offset = p->offset,
                   .value = p->value,
                   .has_address = (p->fields & ETM_FIELD_ADDRESS) != 0,
                   .has_value = (p->fields & ETM_FIELD_VALUE) != 0},
        .address = p->address,
        .mask = p->address_bits < 32 ? (UINT32_C(1) << p->address_bits) - 1
                                     : UINT32_MAX};

    etm_etmv2_flow_data(flow, &data);
}

void etm_etmv2_flow_packet(struct etm_etmv2_flow *flow,
                           const struct etm_packet *from, uint64_t offset)
{
    struct etm_packet p = *from;

    p.offset = offset;
    limit(flow, offset);
    switch ((enum etm_packet_kind)p.kind) {
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_LSIP_I_SYNC:
        etm_etmv2_flow_tfo(flow, &p);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        etm_etmv2_flow_branch(flow, &p);
        break;
    case ETM_PACKET_CONTEXT_ID:
        etm_broadcast_apply(&flow->base, &flow->config, &p);
        etm_walk_context_id(&flow->walk, p.context_id, p.offset);
        break;
    case ETM_PACKET_NORMAL_DATA:
        normal_data(flow, &p);
        return;
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
        data(flow, &p);
        return;
    case ETM_PACKET_UNSYNCHRONIZED: /* not in the FIFO, from here on */
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
    case ETM_PACKET_A_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_P_HEADER:
    case ETM_PACKET_ATOM:
    case ETM_PACKET_WAYPOINT_UPDATE:
    case ETM_PACKET_CYCLE_COUNT:
    case ETM_PACKET_VMID:
    case ETM_PACKET_TIMESTAMP:
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        break;
    }
    flow->walk.data.last_tag = ETM_DATA_NO_TAG; /* nothing consecutive */
}

/* What has come out of the FIFO. */
static void take_events(struct etm_etmv2_flow *flow,
                        const struct etm_etmv2_record *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        const struct etm_etmv2_event *e = &r->events[i];

        if (e->kind == ETM_ETMV2_LOST) {
            run(flow, 1); /* what has come is not lost with the rest */
            lost(flow, e->groups);
            continue;
        }
        run(flow, 0);
        etm_etmv2_flow_packet(flow, &e->packet, cycle(flow, 0)->offset);
        if (e->ends) {
            cycle(flow, 0)->waits = false;
            flow->waiting--;
        }
    }
}

void etm_etmv2_flow_record(struct etm_etmv2_flow *flow, unsigned status,
                           unsigned pins, uint64_t offset)
{
    struct etm_etmv2_record r;
    struct etm_etmv2_cycle *c;
    bool off, ticks, empty;

    etm_etmv2_fifo_record(&flow->fifo, status, pins, &r);
    if (flow->n_cycles == ETM_ETMV2_CYCLES) { /* no FIFO is so long */
        etm_etmv2_fifo_reset(&flow->fifo);
        r.pushed = false;
        r.n = 0;
        lost(flow, 0);
    }
    off = status == ETM_ETMV2_TD && !r.tfo;
    /* after a trigger no bytes come out; where the FIFO was empty, in gaps as
     * well, it replaced a WT (6.1.7) */
    empty = r.trigger && r.status == ETM_ETMV2_WT;
    ticks = (pins & 0xfu) == 0x7; /* table 6-4 */
    c = cycle(flow, flow->n_cycles++);
    *c = (struct etm_etmv2_cycle){
        .offset = offset,
        .status = r.status,
        .trigger = r.trigger,
        .tfo = r.tfo,
        .waits = r.pushed,
        .counted = flow->config.cycle_accurate && (!off || ticks),
        .stored = !empty && (!off || (pins & 1u) != 0)};
    flow->waiting += r.pushed;
    take_events(flow, &r);
    run(flow, 0);
}

void etm_etmv2_flow_ahead(struct etm_etmv2_flow *flow, unsigned status,
                          uint64_t offset)
{
    bool pushes = etm_etmv2_status_row(status)->pushes;

    *cycle(flow, flow->n_cycles++) =
        (struct etm_etmv2_cycle){.offset = offset,
                                 .status = (uint8_t)status,
                                 .waits = pushes,
                                 .counted = flow->config.cycle_accurate,
                                 .stored = true};
    flow->waiting += pushes;
    if (pushes)
        etm_etmv2_fifo_ahead(&flow->fifo);
}

void etm_etmv2_flow_upper(struct etm_etmv2_flow *flow, unsigned pins,
                          bool unread)
{
    struct etm_etmv2_record r;

    if (unread) {
        etm_etmv2_fifo_upper(&flow->fifo, pins, &r);
        take_events(flow, &r);
    }
    run(flow, 0);
}

/* Bytes that are no whole record: with them went the packets of the cycles that
 * wait for some. */
static void broken(struct etm_etmv2_flow *flow, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes)
{
    etm_etmv2_fifo_reset(&flow->fifo);
    flow->has_status = false;
    while (flow->n_cycles != 0)
        lose_cycle(flow, reason);
    desync(flow, reason, offset, bytes);
}

int etm_etmv2_flow_push(struct etm_etmv2_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    for (size_t i = 0; i < n && w->status == ETM_OK; i++) {
        const struct etm_packet *p = &packets[i];

        if (flow->has_status) {
            flow->has_status = false;
            etm_etmv2_flow_record(flow, flow->status, (unsigned)p->value,
                                  flow->status_offset);
        } else if (p->kind == ETM_PACKET_PIPESTAT) {
            flow->has_status = true;
            flow->status = (uint8_t)p->value & ETM_SAMPLE_STATUS;
            flow->status_offset = p->offset;
        } else {
            broken(flow, etm_walk_bad_reason(p), p->offset, p->size);
        }
    }
    return w->status;
}

int etm_etmv2_flow_gap(struct etm_etmv2_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out)
{
    flow->walk.out = out;
    broken(flow, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_walk_commit(&flow->walk);
    return flow->walk.status;
}

int etm_etmv2_flow_finish(struct etm_etmv2_flow *flow, uint64_t offset,
                          struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    /* it is not known where the program went after an incomplete group */
    while (flow->n_cycles != 0)
        lose_cycle(flow, ETM_LOST_TRUNCATED);
    etm_walk_close(w);
    etm_data_finish(w);
    etm_data_forget(w, offset);
    if (flow->synced)
        etm_walk_spend(w);
    etm_walk_finish(w, offset);
    return w->status;
}
