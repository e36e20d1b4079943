/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data trace of ETMv2 (ETM architecture 6.4.2 to 6.4.4, 6.8): one packet for
 * each transfer, as far as ViewData and the configuration let it out.
 */
#include "model/etmv2_data_gen.h"

static struct etm_etmv2_data_gen *self_of(struct etm_gen *gen)
{
    return &gen->u.etmv2.data;
}

void etm_etmv2_data_start(struct etm_gen *gen, bool in_progress)
{
    struct etm_etmv2_data_gen *d = self_of(gen);

    d->full = true; /* 6.8.3 */
    d->begun = false;
    d->owned = in_progress;
    d->cprt = in_progress &&
              gen->data_insn.decoded.transfers.kind == ETM_TRANSFER_CPRT;
    d->multiple = gen->data_insn.decoded.transfers.count > 1;
    d->last_tag = 0;
}

void etm_etmv2_data_void(struct etm_gen *gen)
{
    self_of(gen)->owned = false;
    self_of(gen)->event_tag = 0;
}

void etm_etmv2_data_insn(struct etm_gen *gen, const struct etm_gen_insn *insn,
                         bool traced_as_passed)
{
    struct etm_etmv2_data_gen *d = self_of(gen);
    const struct etm_transfers *t = &insn->decoded.transfers;

    if (!insn->passed || t->kind == ETM_TRANSFER_NONE)
        return;
    d->event_tag = 0;
    d->owned = traced_as_passed; /* otherwise it is no data instruction in the
                                    trace */
    d->begun = false;
    d->cprt = t->kind == ETM_TRANSFER_CPRT;
    d->multiple = t->count != 1;
    d->last_tag = 0;
}

/* Coprocessor register transfers are traced or not, whatever ViewData says
 * (4.11.3). */
static bool is_traced(const struct etm_gen *gen, const struct etm_event *event)
{
    const struct etm_etmv2_data_gen *d = &gen->u.etmv2.data;
    const struct etm_config *c = &gen->config;

    if (!gen->on || !d->owned || gen->u.etmv2.port.lost)
        return false;
    if (d->cprt)
        return c->cprt;
    return (c->data_value || c->data_address) && !event->u.data.filtered;
}

/* Only the first packet of an instruction has an address, of as many bytes as
 * have changed, or of all five (6.5.6, 6.8.3). */
static void add_address(struct etm_gen *gen, uint32_t address,
                        struct etm_packet *p)
{
    struct etm_etmv2_data_gen *d = self_of(gen);
    struct etm_etmv2_port *port = &gen->u.etmv2.port;
    unsigned n = 1;

    p->fields |= ETM_FIELD_A;
    if (!gen->config.data_address)
        return;
    while (n < 5 && (address ^ d->address) >> (7 * n) != 0)
        n++;
    if (d->full || gen->options.full_addresses ||
        port->since_data >= gen->config.sync_period)
        n = 5;
    p->address_bytes = (uint8_t)n;
    p->address_bits = (uint8_t)(n == 5 ? 32 : 7 * n);
    p->address = n == 5 ? address : address & (((uint32_t)1 << (7 * n)) - 1);
    d->address = address;
    if (n < 5)
        return;
    port->since_data = 0;
    d->full = false;
}

static void put(struct etm_gen *gen, struct etm_packet *p)
{
    etm_etmv2_port_put(gen, p);
    if (gen->u.etmv2.port.lost) { /* what was traced was not output */
        self_of(gen)->full = true;
        self_of(gen)->owned = false;
        if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
            etm_etmv2_port_lose(gen, 1u << p->tag);
    }
}

static void add_value(const struct etm_gen *gen, uint64_t value,
                      struct etm_packet *p)
{
    if (!gen->config.data_value)
        return;
    p->value = value;
    p->fields |= ETM_FIELD_VALUE;
}

/* Later transfers of a load/store multiple that are left out have a packet, too
 * (6.4.4). */
static void left_out(struct etm_gen *gen)
{
    struct etm_packet p = {.kind = ETM_PACKET_VALUE_NOT_TRACED};
    struct etm_etmv2_data_gen *d = self_of(gen);

    d->last_tag = 0;
    if (!gen->on || !d->owned || !d->begun || !d->multiple || d->cprt ||
        gen->u.etmv2.port.lost)
        return;
    etm_etmv2_port_now(gen);
    put(gen, &p);
}

static void transfer(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv2_data_gen *d = self_of(gen);
    struct etm_packet p = {.kind = ETM_PACKET_NORMAL_DATA};
    unsigned tag = gen->config.data_value ? event->u.data.tag : 0;

    if (tag >= 1 && tag <= 4)
        etm_gen_tag_transfer(&d->tags[tag - 1], tag == d->event_tag);
    d->event_tag = (uint8_t)tag;
    if (!is_traced(gen, event)) {
        left_out(gen);
        return;
    }
    /* only loads can be out of order, and there are four tags */
    if (tag > 4 || (tag != 0 && (event->u.data.store || d->cprt))) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    etm_etmv2_port_now(gen);
    if (!d->begun && !d->cprt)
        add_address(gen, event->u.data.address, &p);
    d->begun = true;
    if (tag == 0) {
        add_value(gen, event->u.data.value, &p);
    } else {
        p.kind = ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER;
        p.tag = (uint8_t)(tag - 1);
        /* the second word of a doubleword */
        etm_gen_tag_traced(&d->tags[tag - 1], d->last_tag == tag);
    }
    d->last_tag = d->last_tag == tag ? 0 : (uint8_t)tag;
    put(gen, &p);
}

/* The value of a load that missed, also after tracing ended (6.4.3). */
static void returned(struct etm_gen *gen, const struct etm_event *event)
{
    struct etm_etmv2_data_gen *d = self_of(gen);
    struct etm_packet p = {.kind = ETM_PACKET_OUT_OF_ORDER_DATA};
    unsigned tag = event->u.data_value.tag;

    if (tag < 1 || tag > 4) {
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
        return;
    }
    d->event_tag = 0;
    if (!etm_gen_tag_value(&d->tags[tag - 1]))
        return;
    if (gen->u.etmv2.port.lost) /* it may be missing then */
        return;
    p.tag = (uint8_t)(tag - 1);
    add_value(gen, event->u.data_value.value, &p);
    etm_etmv2_port_now(gen);
    etm_etmv2_port_put(gen, &p);
}

void etm_etmv2_data_event(struct etm_gen *gen, const struct etm_event *event)
{
    if (event->kind == ETM_EVENT_DATA)
        transfer(gen, event);
    else if (event->kind == ETM_EVENT_DATA_VALUE)
        returned(gen, event);
}
