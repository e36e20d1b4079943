/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2 packets to elements. A status is walked when the groups of all earlier
 * cycles have come out of the FIFO: until then the cycles wait in a ring.
 */
#include "flow/etmv2/flow.h"

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
    flow->size = etm_sample_size(config);
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
    flow->first++;
    flow->n_cycles--;
    flow->offset += flow->size;
    flow->begun = false;
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
    w->data.owner.previous_known = false;
    etm_position_nowhere(w);
    w->blind_cycles = 0;
    w->cycles = 0;
    flow->synced = false;
    w->mismatch = false;
    w->last &= ~(uint32_t)ETM_LAST_VALID;
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

/* Trace is off in that cycle, and TRACEPKT[3:0] says which one it is. */
static bool is_off(const struct etm_etmv2_cycle *c)
{
    return c->status == ETM_ETMV2_TD && !c->tfo;
}

/* Every capture device stores the cycle (4.4.2), and it is not just a trigger:
 * it can be lost. After a trigger no bytes come out; where the FIFO was empty,
 * in gaps as well, it replaced a WT (6.1.7). */
static bool is_stored(const struct etm_etmv2_cycle *c)
{
    if (is_off(c))
        return (c->pins & 1u) != 0;
    return !c->trigger || c->status != ETM_ETMV2_WT;
}

static void give_trigger(struct etm_etmv2_flow *flow,
                         const struct etm_etmv2_cycle *c, uint64_t offset)
{
    if (!c->trigger)
        return;
    limit(flow, offset);
    etm_walk_event(&flow->walk, ETM_ELEMENT_TRIGGER, offset);
}

/* The first cycle in the ring cannot be used. Cycles without trace do not count
 * as lost. */
static void lose_cycle(struct etm_etmv2_flow *flow, enum etm_lost_reason reason)
{
    const struct etm_etmv2_cycle *c = cycle(flow, 0);

    if (!flow->begun)
        give_trigger(flow, c, flow->offset);
    if (flow->synced)
        desync(flow, reason, flow->offset, 0);
    if (is_stored(c))
        etm_walk_lose(&flow->walk, reason, flow->offset, flow->size);
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

void etm_etmv2_flow_begin(struct etm_etmv2_flow *flow,
                          const struct etm_etmv2_cycle *c, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    const struct etm_etmv2_status_row *row = etm_etmv2_status_row(c->status);

    give_trigger(flow, c, offset);
    /* a cycle of the processor while tracing (table 6-4) */
    if (w->cycle_accurate && flow->synced &&
        (!is_off(c) || (c->pins & 0xfu) == 0x7))
        w->cycles++;
    if (c->tfo)
        return; /* its packet says what was executed */
    if (row->phantom != ETM_UNKNOWN)
        etm_etmv2_flow_phantom(flow, row->phantom == ETM_TRUE, offset);
    if (row->insn != ETM_UNKNOWN)
        etm_etmv2_flow_atom(flow, row->insn == ETM_TRUE, offset);
    if (w->mismatch && is_stored(c))
        etm_walk_lose(w, ETM_LOST_IMAGE_MISMATCH, offset, flow->size);
}

/* Walk as far as the groups have come, except for the last `keep` cycles. */
static void run(struct etm_etmv2_flow *flow, unsigned keep)
{
    while (flow->n_cycles > keep) {
        const struct etm_etmv2_cycle *c = cycle(flow, 0);

        if (!flow->synced && !c->tfo) {
            lose_cycle(flow, ETM_LOST_UNSYNCHRONIZED);
            continue;
        }
        if (!flow->begun)
            etm_etmv2_flow_begin(flow, c, flow->offset);
        flow->begun = true;
        if (c->waits)
            return;
        pop(flow);
    }
}

static void data(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    etm_broadcast_apply(&flow->base, &flow->config, p);
    /* nothing was executed yet: it is of the instruction that the TFO packet
     * named (6.5.5) */
    if (p->kind != ETM_PACKET_OUT_OF_ORDER_DATA &&
        (flow->walk.last & ETM_LAST_NONE_YET) != 0)
        etm_etmv2_flow_in_progress(flow);
    if (p->kind == ETM_PACKET_NORMAL_DATA && !flow->walk.has_lost &&
        !etm_data_is_odd(&flow->walk)) {
        etm_data_take(&flow->walk, &flow->base,
                      &(struct etm_data_normal){
                          .offset = p->offset,
                          .value = p->value,
                          .has_address = (p->fields & ETM_FIELD_ADDRESS) != 0,
                          .has_value = (p->fields & ETM_FIELD_VALUE) != 0});
        return;
    }
    /* two of one load are consecutive packets, whatever cycle they are of */
    flow->walk.data.stream_end = p->offset;
    etm_data_packet(&flow->walk, &flow->base, p);
}

void etm_etmv2_flow_packet(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p)
{
    const unsigned kind = p->kind;

    limit(flow, p->offset);
    if (kind == ETM_PACKET_BRANCH_ADDRESS) {
        etm_etmv2_flow_branch(flow, p);
    } else if (kind == ETM_PACKET_I_SYNC || kind == ETM_PACKET_LSIP_I_SYNC) {
        etm_etmv2_flow_tfo(flow, p);
    } else if (kind == ETM_PACKET_CONTEXT_ID) {
        etm_broadcast_apply(&flow->base, &flow->config, p);
        etm_walk_context_id(&flow->walk, p->context_id, p->offset);
    } else { /* the FIFO has no others */
        data(flow, p);
        return;
    }
    flow->walk.data.last_tag = ETM_DATA_NO_TAG; /* nothing consecutive */
}

/* What has come out of the FIFO. */
static void take_events(struct etm_etmv2_flow *flow, struct etm_etmv2_record *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct etm_etmv2_event *e = &r->events[i];

        if (e->kind == ETM_ETMV2_LOST) {
            run(flow, 1); /* what has come is not lost with the rest */
            lost(flow, e->groups);
            continue;
        }
        run(flow, 0);
        e->packet.offset = flow->offset;
        etm_etmv2_flow_packet(flow, &e->packet);
        if (e->ends) {
            cycle(flow, 0)->waits = false;
            flow->waiting--;
        }
    }
    run(flow, 0);
}

/* A cycle waits, if only for those before it. */
static void wait(struct etm_etmv2_flow *flow, struct etm_etmv2_cycle c,
                 uint64_t offset)
{
    if (flow->n_cycles == 0)
        flow->offset = offset;
    flow->waiting += c.waits;
    *cycle(flow, flow->n_cycles++) = c;
}

void etm_etmv2_flow_wait(struct etm_etmv2_flow *flow, struct etm_etmv2_cycle c,
                         uint64_t offset)
{
    c.waits = etm_etmv2_status_row(c.status)->pushes;
    if (c.waits)
        etm_etmv2_fifo_ahead(&flow->fifo);
    wait(flow, c, offset);
    run(flow, 0);
}

void etm_etmv2_flow_record(struct etm_etmv2_flow *flow, unsigned status,
                           unsigned pins, uint64_t offset)
{
    struct etm_etmv2_cycle c = {.status = (uint8_t)status,
                                .pins = (uint8_t)pins};
    struct etm_etmv2_record r;

    if (etm_etmv2_flow_is_idle(flow) && etm_etmv2_fifo_rests(status, pins)) {
        etm_etmv2_flow_begin(flow, &c, offset); /* as if it had waited */
        return;
    }
    etm_etmv2_fifo_record(&flow->fifo, status, pins, &r);
    if (flow->n_cycles == ETM_ETMV2_CYCLES) { /* no FIFO is so long */
        etm_etmv2_fifo_reset(&flow->fifo);
        r.pushed = false;
        r.n = 0;
        lost(flow, 0);
    }
    c.status = r.status;
    c.trigger = r.trigger;
    c.tfo = r.tfo;
    c.waits = r.pushed;
    wait(flow, c, offset);
    if (r.n == 0 && flow->n_cycles > 1)
        return; /* the first one still waits */
    take_events(flow, &r);
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

#define OWN(name) ETM_IMPRINT(struct etm_etmv2_flow, name)
#define OWN_IF(name, set) ETM_IMPRINT_IF(struct etm_etmv2_flow, name, set)

static const struct etm_imprint_field fields[] = {
    OWN(synced),
    OWN(has_status),
    OWN_IF(status, has_status),
    OWN_IF(status_offset, has_status),
    OWN(waiting),
    OWN(n_cycles),
    OWN(begun)};

void etm_etmv2_imprint(const struct etm_etmv2_decoder *d,
                       const struct etm_etmv2_flow *flow,
                       struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, d->offset);
    etm_imprint_bytes(imprint, d->carry, d->n_carry);
    /* the flow does not use what d->fifo says about the pins */
    etm_etmv2_fifo_imprint(&flow->fifo, imprint);
    etm_walk_imprint(&flow->walk, flow->walk.index, imprint);
    etm_data_imprint(&flow->walk, UINT64_MAX, imprint);
    etm_broadcast_imprint(&flow->base, imprint);
    ETM_IMPRINT_TABLE(imprint, flow, fields);
    if (flow->n_cycles != 0)
        etm_imprint_put(imprint, flow->offset);
    for (unsigned i = 0; i < flow->n_cycles; i++)
        etm_imprint_bytes(imprint,
                          (const uint8_t *)&flow
                              ->cycles[(flow->first + i) % ETM_ETMV2_CYCLES],
                          sizeof *flow->cycles);
}
