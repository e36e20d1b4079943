/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction side of ETMv3. Every traced instruction has its atom; the
 * last one may still be cancelled by an exception, so it is final only when
 * the next atom or a restart of the trace has come.
 */
#include "flow/etmv3/flow.h"

#include "flow/etmv3/atoms.h"
#include "proto/i_sync.h"

void etm_etmv3_flow_fini(struct etm_etmv3_flow *flow)
{
    etm_walk_fini(&flow->walk);
}

void etm_etmv3_flow_rest(struct etm_etmv3_flow *flow, uint8_t byte,
                         struct etm_etmv3_header header, unsigned n,
                         uint64_t offset)
{
    const struct etm_etmv3_shape shape = flow->runs[byte];
    const unsigned atoms = n * (1u + shape.each);
    const struct etm_packet packet = {.offset = offset,
                                      .value = header.atoms >>
                                               2 * (header.count - atoms),
                                      .size = 1,
                                      .kind = ETM_PACKET_P_HEADER,
                                      .header = byte,
                                      .count = (uint8_t)atoms};

    if (!etm_etmv3_is_run(flow, shape)) {
        etm_etmv3_p_header(flow, &packet);
        return;
    }
    etm_etmv3_run(flow, n, shape, offset);
    etm_etmv3_lose(flow, n != 0, &packet);
}

static void timestamp(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    const struct etm_broadcast *base = &flow->base;

    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (base->timestamp_bits < etm_timestamp_bits(&flow->config))
        return; /* the high bits are not known yet */
    etm_walk_give_lost(w);
    etm_walk_timestamp(w, etm_timestamp_time(&flow->config, base->timestamp),
                       p->offset);
}

/* Cycle-accurate from v3.1 on (7.3.3). */
static void trigger(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    struct etm_element *e;

    etm_walk_give_lost(w);
    etm_walk_close(w);
    e = etm_walk_add(w, ETM_ELEMENT_TRIGGER, p->offset);
    if (w->data.timed && flow->config.minor >= 1)
        etm_walk_time(e, etm_walk_since_last(w));
}

/* The stream is broken: nothing is known up to the next I-sync. */
static void desync(struct etm_etmv3_flow *flow, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes)
{
    etm_walk_close(&flow->walk);
    etm_data_close(&flow->walk, false);
    etm_data_forget(&flow->walk, offset);
    if (flow->synced)
        etm_walk_broken(&flow->walk, offset);
    etm_walk_lose(&flow->walk, reason, offset, bytes);
    flow->base.data_valid = false; /* an address may be missing */
    flow->base_kept = false;
    flow->base.timestamp_bits = 0; /* and so may a timestamp */
    etm_walk_forget_vmid(&flow->walk, offset);
    flow->walk.data.owner.previous_known = false;
    etm_position_nowhere(&flow->walk);
    flow->synced = false;
    flow->walk.data.timed = false;
    flow->walk.mismatch = false;
    flow->walk.last &= ~(uint32_t)ETM_LAST_VALID;
}

/* Packets that mean nothing before the first I-sync. */
static bool needs_sync(enum etm_packet_kind kind)
{
    return kind == ETM_PACKET_P_HEADER || kind == ETM_PACKET_BRANCH_ADDRESS ||
           kind == ETM_PACKET_EXCEPTION_EXIT ||
           kind == ETM_PACKET_EXCEPTION_ENTRY || kind == ETM_PACKET_CYCLE_COUNT;
}

static void data(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    bool in_order = p->kind == ETM_PACKET_NORMAL_DATA ||
                    p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ||
                    p->kind == ETM_PACKET_VALUE_NOT_TRACED;

    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (in_order && (p->fields & ETM_FIELD_ADDRESS) && p->address_bits == 32)
        flow->base_kept = false;
    flow->base_used |= flow->base_kept;
    /* nothing was executed yet: these are data of the instruction that the
     * I-sync named (7.7.3) */
    if (in_order && flow->synced &&
        (flow->walk.last & ETM_LAST_NONE_YET) != 0 && !flow->config.data_only)
        etm_etmv3_flow_in_progress(flow);
    etm_data_packet(&flow->walk, &flow->base, p);
}

static void packet(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    if (p->kind == ETM_PACKET_P_HEADER && flow->synced) {
        etm_etmv3_p_header(flow, p);
        return;
    }
    /* what cannot be taken back any more is final; a store failed packet may
     * still follow its data */
    if (etm_walk_is_long(w))
        w->last &= ~(uint32_t)(ETM_LAST_VALID | ETM_LAST_EXIT);
    if (etm_etmv3_is_final(flow) && p->kind != ETM_PACKET_STORE_FAILED)
        etm_data_commit(w, p->offset);
    if (etm_says_impossible(&flow->config, p)) {
        desync(flow, ETM_LOST_BAD_PACKET, p->offset, p->size);
        return;
    }
    if (!flow->synced && needs_sync((enum etm_packet_kind)p->kind)) {
        etm_walk_lose(w, ETM_LOST_UNSYNCHRONIZED, p->offset, p->size);
        return;
    }
    switch (p->kind) {
    case ETM_PACKET_P_HEADER:
        etm_etmv3_p_header(flow, p);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        etm_etmv3_flow_branch(flow, p);
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        etm_etmv3_flow_i_sync(flow, p);
        break;
    case ETM_PACKET_CYCLE_COUNT:
        etm_etmv3_flow_cycle_count(flow, p);
        break;
    case ETM_PACKET_CONTEXT_ID:
        etm_walk_context_id(w, p->context_id, p->offset);
        if (w->data.timed)
            etm_walk_time_context(w, p->offset);
        break;
    case ETM_PACKET_VMID:
        etm_walk_vmid(w, (uint8_t)p->value, p->offset);
        break;
    case ETM_PACKET_TIMESTAMP:
        timestamp(flow, p);
        break;
    case ETM_PACKET_TRIGGER:
        trigger(flow, p);
        break;
    case ETM_PACKET_EXCEPTION_EXIT:
        etm_etmv3_flow_exit(flow, p);
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
        desync(flow, ETM_LOST_UNSYNCHRONIZED, p->offset, p->size);
        break;
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        desync(flow, etm_walk_bad_reason(p), p->offset, p->size);
        break;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
        data(flow, p);
        break;
    case ETM_PACKET_EXCEPTION_ENTRY:
        etm_etmv3_flow_entry(flow);
        break;
    }
}

int etm_etmv3_flow_packet(struct etm_etmv3_flow *flow,
                          const struct etm_packet *p)
{
    packet(flow, p);
    return flow->walk.status;
}

int etm_etmv3_flow_push(struct etm_etmv3_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    for (size_t i = 0; i < n && w->status == ETM_OK; i++)
        packet(flow, &packets[i]);
    return w->status;
}

int etm_etmv3_flow_gap(struct etm_etmv3_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out)
{
    flow->walk.out = out;
    desync(flow, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_walk_commit(&flow->walk);
    return flow->walk.status;
}

int etm_etmv3_flow_finish(struct etm_etmv3_flow *flow, uint64_t offset,
                          struct etm_vec *out)
{
    struct etm_walk *w = &flow->walk;

    w->out = out;
    etm_walk_close(w);
    etm_data_finish(w);
    etm_data_forget(w, offset);
    etm_etmv3_flow_gap_unknown(flow, offset);
    if (flow->synced)
        etm_walk_spend(w);
    etm_walk_finish(w, offset);
    return w->status;
}

#define OWN(name) ETM_IMPRINT(struct etm_etmv3_flow, name)
#define OWN_IF(name, set) ETM_IMPRINT_IF(struct etm_etmv3_flow, name, set)

/* In the order of ETM_CARRIED_GAP. */
static const struct etm_imprint_field gap_fields[] = {
    OWN(gap_pending), OWN_IF(gap_unreliable, gap_pending),
    OWN_IF(gap_cycles, gap_pending)};

void etm_etmv3_imprint(const struct etm_etmv3_decoder *d,
                       const struct etm_etmv3_flow *flow,
                       struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, (uint64_t)d->state);
    etm_imprint_put(imprint, d->offset);
    etm_imprint_put(imprint, d->zeros);
    if (d->state != ETM_ETMV3_PACKETS)
        etm_imprint_put(imprint, d->pending);
    etm_imprint_bytes(imprint, d->carry, d->carried);
    etm_i_sync_imprint(&d->like, imprint);
    etm_walk_imprint(&flow->walk, flow->walk.index, imprint);
    etm_data_imprint(&flow->walk, d->offset, imprint);
    etm_broadcast_imprint(&flow->base, imprint);
    etm_imprint_put(imprint, flow->synced);
    etm_imprint_carried(imprint, ETM_CARRIED_GAP,
                        sizeof gap_fields / sizeof *gap_fields);
    ETM_IMPRINT_TABLE(imprint, flow, gap_fields);
}

struct etm_carried_sets etm_etmv3_carried(const struct etm_etmv3_flow *flow)
{
    bool base = flow->base_kept && !flow->base_used;

    return (struct etm_carried_sets){
        .kept = etm_carried_set(base, ETM_CARRIED_BASE) |
                etm_carried_set(!flow->gap_used, ETM_CARRIED_GAP),
        .unused = etm_carried_set(!flow->base_used, ETM_CARRIED_BASE) |
                  etm_carried_set(!flow->gap_used, ETM_CARRIED_GAP)};
}

static void carry_base(struct etm_broadcast *base, const uint64_t *values)
{
    base->data_valid = values[0] != 0;
    base->be = values[1] != 0;
    base->data_address = (uint32_t)values[2];
}

static void carry_gap(struct etm_etmv3_flow *flow, const uint64_t *values)
{
    flow->gap_pending = values[0] != 0;
    flow->gap_unreliable = values[1] != 0;
    flow->gap_cycles = values[2];
}

void etm_etmv3_carry(struct etm_etmv3_flow *flow, unsigned kinds,
                     const struct etm_imprint *imprint)
{
    if (kinds & 1u << ETM_CARRIED_BASE)
        carry_base(&flow->base,
                   etm_imprint_carried_at(imprint, ETM_CARRIED_BASE));
    if (kinds & 1u << ETM_CARRIED_GAP)
        carry_gap(flow, etm_imprint_carried_at(imprint, ETM_CARRIED_GAP));
}
