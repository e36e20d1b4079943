/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data trace of ETMv3 (ETM architecture 7.4): one packet for each transfer,
 * compressed against the last data address, as far as ViewData, the
 * configuration and data suppression permit.
 */
#include "model/etmv3_data_gen.h"

/* A new owner of the data that follow. Data suppression that began within the
 * previous one ends (7.4.6). */
static void begin_owner(struct etm_etmv3_data_gen *d, unsigned count)
{
    d->begun = false;
    d->cprt = false;
    d->jazelle = false;
    d->voided = false;
    d->whole = false;
    d->done = 0;
    d->count = (uint8_t)count;
}

/* What comes has no owner in the trace, and nothing is in progress. */
static void no_owner(struct etm_etmv3_data_gen *d)
{
    d->voided = true;
    d->whole = false;
    d->done = d->count = 1;
}

void etm_etmv3_data_cancelled(struct etm_gen *gen)
{
    if (gen->u.etmv3.data.owns)
        no_owner(&gen->u.etmv3.data);
}

void etm_etmv3_data_start(struct etm_gen *gen, bool in_progress)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;

    d->begun = false;
    d->full = true; /* 7.7.4 */
    d->resume = 0;
    d->owns = false;
    if (!in_progress)
        no_owner(d);
}

void etm_etmv3_data_insn(struct etm_gen *gen, const struct etm_gen_insn *insn,
                         bool traced_as_e)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;
    const struct etm_transfers *t = &insn->decoded.transfers;

    d->owns = false;
    if (insn->passed && t->kind != ETM_TRANSFER_NONE) {
        if (traced_as_e) {
            begin_owner(d, t->count);
            d->cprt = t->kind == ETM_TRANSFER_CPRT;
            d->jazelle = insn->isa == ETM_ISA_JAZELLE;
            d->done = d->resume;
            d->owns = true;
        } else { /* in the trace it is no data instruction */
            d->voided = true;
        }
    }
    d->event_tag = 0;
    d->resume = insn->resume;
}

void etm_etmv3_data_stacking(struct etm_gen *gen)
{
    begin_owner(&gen->u.etmv3.data, 8);
    gen->u.etmv3.data.owns = false;
    gen->u.etmv3.data.event_tag = 0;
}

/* Table 2-1 and ETMCR[3:1]: the kinds of transfer that are traced at all. */
static bool is_traced(const struct etm_gen *gen)
{
    const struct etm_config *c = &gen->config;

    if (gen->u.etmv3.data.cprt)
        return c->cprt;
    return c->data_value || c->data_address;
}

/*
 * Is this packet suppressed (7.4.6)? The first of several leaves a mark. Data
 * suppression ends with a packet that comes while SuppressData is low, but not
 * within a data instruction.
 */
static bool suppressed(struct etm_gen *gen)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;

    if (!d->signal && !d->whole) {
        d->active = false;
        return false;
    }
    if (!d->active) {
        if (gen->on)
            gen->ops->flush(gen);
        etm_gen_emit_kind(gen, ETM_PACKET_DATA_SUPPRESSED);
        if (gen->config.minor < 3)
            d->full = true;
    }
    d->active = true;
    if (d->count == 0 || d->done < d->count)
        d->whole = true;
    return true;
}

/* 7.7.1 */
static bool d_sync_is_due(const struct etm_gen *gen)
{
    const struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;

    return gen->sync_by_cycles
               ? gen->d_sync_due
               : gen->offset - d->synchronized >= gen->config.sync_period;
}

/* The bytes of an address: what changed, or all five (7.4.2, 7.7.4). */
static unsigned address_bytes(struct etm_gen *gen, uint32_t address, bool be)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;
    uint32_t changed = address ^ d->address;

    if (d->full || be != d->be || gen->options.full_addresses ||
        d_sync_is_due(gen))
        return 5;
    for (unsigned n = 1; n < 5; n++)
        if (changed >> (7 * n) == 0)
            return n;
    return 5;
}

static void add_address(struct etm_gen *gen, const struct etm_event *event,
                        struct etm_packet *packet)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;
    uint32_t address = event->u.data.address;
    bool be = event->u.data.big_endian && gen->config.minor >= 1;
    unsigned bytes = address_bytes(gen, address, be);

    packet->fields |= ETM_FIELD_ADDRESS;
    packet->address_bytes = (uint8_t)bytes;
    packet->address_bits = (uint8_t)(bytes == 5 ? 32 : 7 * bytes);
    packet->address = address;
    if (bytes < 5)
        packet->address &= ((uint32_t)1 << (7 * bytes)) - 1;
    if (bytes == 5) {
        d->synchronized = gen->offset;
        gen->d_sync_due = false;
        d->full = false;
        d->be = be;
        if (be)
            packet->fields |= ETM_FIELD_BE;
    }
    d->address = address;
}

/*
 * The A bit: an address is needed for the first packet of an instruction, and
 * where it is not the next word. Before v3.1 the latter only in Jazelle state;
 * coprocessor registers have no address (4.11.3).
 */
static bool needs_address(const struct etm_gen *gen, uint32_t address)
{
    const struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;

    if (d->cprt)
        return false;
    if (!d->begun)
        return true;
    return address != d->previous + 4 && (gen->config.minor >= 1 || d->jazelle);
}

static void add_value(struct etm_gen *gen, uint64_t value,
                      struct etm_packet *packet)
{
    if (!gen->config.data_value)
        return;
    packet->fields |= ETM_FIELD_VALUE;
    packet->value = value & UINT32_MAX;
    packet->value_bytes = packet->value > 0xffff ? 4
                          : packet->value > 0xff ? 2
                          : packet->value > 0    ? 1
                                                 : 0;
}

/* A store that failed, after its packet (7.4.7). B.3.2 has it from v3.1. */
static void store_failed(struct etm_gen *gen)
{
    if (gen->config.data_value && gen->config.minor >= 1 &&
        !etm_gen_data_only(&gen->config))
        etm_gen_emit_kind(gen, ETM_PACKET_STORE_FAILED);
}

/* A placeholder was output. If it did not get into the FIFO, its value does not
 * either (7.4.3). */
static void wait_for_value(struct etm_gen *gen, unsigned tag, bool second)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;

    if (!gen->overflow)
        etm_gen_tag_traced(&d->tags[tag], second);
    d->last_tag = (uint8_t)tag;
    d->last_end = gen->offset;
}

/* The packet of one transfer. */
static void output(struct etm_gen *gen, const struct etm_event *event,
                   enum etm_packet_kind kind)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;
    struct etm_packet packet = {.kind = (uint8_t)kind};
    bool failed = event->u.data.failed;
    bool second;

    gen->ops->flush(gen);
    second = d->last_tag == event->u.data.tag && gen->offset == d->last_end;
    if (needs_address(gen, event->u.data.address)) {
        packet.fields |= ETM_FIELD_A;
        if (gen->config.data_address)
            add_address(gen, event, &packet);
    }
    d->begun = true;
    d->previous = event->u.data.address;
    if (kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
        packet.tag = event->u.data.tag;
    if (kind == ETM_PACKET_NORMAL_DATA)
        add_value(gen, failed ? 0 : event->u.data.value, &packet);
    etm_gen_emit(gen, &packet);
    if (kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
        wait_for_value(gen, event->u.data.tag, second);
    else if (kind == ETM_PACKET_NORMAL_DATA && failed && d->done == d->count)
        store_failed(gen);
}

static void transfer(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;
    enum etm_packet_kind kind = ETM_PACKET_NORMAL_DATA;
    bool viewed = !event->u.data.filtered;
    unsigned tag = event->u.data.tag;

    /* a tag is used again, except for the second half of a doubleword */
    if (tag != 0)
        etm_gen_tag_transfer(&d->tags[tag], tag == d->event_tag);
    d->event_tag = (uint8_t)tag;
    if (d->voided)
        return;
    if (d->done < UINT8_MAX)
        d->done++;
    if (!gen->on || !is_traced(gen))
        return;
    if (d->cprt && !gen->config.cprt_filter)
        viewed = true; /* table 2-1: ViewData does not matter */
    if (!viewed) {
        /* silent before the first one that is traced (7.4.4) */
        if (!d->begun || (etm_gen_data_only(&gen->config) &&
                          gen->options.data_only_addresses))
            return;
        kind = ETM_PACKET_VALUE_NOT_TRACED;
    } else if (event->u.data.tag != 0 && gen->config.data_value) {
        /* without values there is nothing to wait for */
        kind = ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER;
    }
    if (!suppressed(gen))
        output(gen, event, kind);
}

/* The value of a placeholder, also while tracing is off (7.4.3). */
static void late_value(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;
    unsigned tag = event->u.data_value.tag;
    bool failed = event->u.data_value.failed;
    struct etm_packet packet = {.kind = ETM_PACKET_OUT_OF_ORDER_DATA,
                                .tag = (uint8_t)tag};

    if (!etm_gen_tag_value(&d->tags[tag]))
        return;
    /* it does not go on after the instruction within which it began */
    if (d->count != 0 && d->done >= d->count)
        d->whole = false;
    if (suppressed(gen))
        return;
    if (gen->on)
        gen->ops->flush(gen);
    add_value(gen, failed ? 0 : event->u.data_value.value, &packet);
    etm_gen_emit(gen, &packet);
    if (failed && d->tags[tag].traced == 0)
        store_failed(gen);
}

void etm_etmv3_data_event(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv3_data_gen *d = &gen->u.etmv3.data;

    if (event->kind == ETM_EVENT_DATA && event->u.data.tag <= 3) {
        transfer(gen, event);
        return;
    }
    d->event_tag = 0;
    if (event->kind == ETM_EVENT_DATA_VALUE && event->u.data_value.tag >= 1 &&
        event->u.data_value.tag <= 3)
        late_value(gen, event);
    else if (event->kind != ETM_EVENT_SUPPRESS)
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
    else if (!etm_gen_data_only(&gen->config)) /* no mark there (7.4.10) */
        gen->sync_waits = d->signal = event->u.suppress.on;
}
