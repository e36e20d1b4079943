/* SPDX-License-Identifier: Apache-2.0 */
/* The trace port of an ETMv2: cycles to records. */
#include "model/generator.h"

#include <string.h>

/* A capture device leaves out cycles without trace (4.4.2); up to this many
 * consecutive ones are output, in one gap. */
#define IDLE_MAX 4096u

/* Header, context ID and address of a TFO packet, at most. */
#define TFO_SIZE 9u

static struct etm_etmv2_port *port_of(struct etm_gen *gen)
{
    return &gen->u.etmv2.port;
}

void etm_etmv2_port_init(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = port_of(gen);
    unsigned depth = gen->options.fifo_size;

    if (depth == 0)
        depth = ETM_ETMV2_FIFO_DEFAULT;
    if (depth < ETM_ETMV2_FIFO_MIN)
        depth = ETM_ETMV2_FIFO_MIN;
    if (depth > ETM_ETMV2_FIFO_MAX)
        depth = ETM_ETMV2_FIFO_MAX;
    port->depth = (uint8_t)depth;
}

bool etm_etmv2_port_empty(const struct etm_gen *gen)
{
    const struct etm_etmv2_port *port = &gen->u.etmv2.port;

    return port->n_fifo == 0 && port->due == ETM_ETMV2_DUE_NOTHING;
}

struct etm_packet etm_etmv2_tfo_packet(const struct etm_gen *gen,
                                       const struct etm_place *at,
                                       enum etm_sync_reason reason)
{
    struct etm_packet p = {.kind = ETM_PACKET_I_SYNC,
                           .reason = (uint8_t)reason,
                           .isa = at->isa,
                           .address = at->address,
                           .context_id = gen->context_id};

    return p;
}

/* A byte leaves the FIFO. */
static uint8_t pull(struct etm_etmv2_port *port)
{
    uint8_t byte = port->fifo[0];

    port->n_fifo--;
    memmove(port->fifo, port->fifo + 1, port->n_fifo);
    return byte;
}

/* Half a byte of the FIFO, on a port of 4 pins. */
static uint8_t pull_half(struct etm_etmv2_port *port)
{
    port->half = !port->half;
    return port->half ? port->fifo[0] & 0xfu : (uint8_t)(pull(port) >> 4);
}

/* What the pins carry in a cycle that is neither TD nor TR; `use` says what. */
static unsigned output(struct etm_etmv2_port *port, unsigned width,
                       struct etm_packet *p)
{
    unsigned pins;

    p->use = ETM_USE_TFO;
    switch ((enum etm_etmv2_due)port->due) {
    case ETM_ETMV2_DUE_NOTHING:
        break;
    case ETM_ETMV2_DUE_TFO:
        port->due = width == 4 ? ETM_ETMV2_DUE_HIGH : ETM_ETMV2_DUE_NOTHING;
        pins = width == 4 ? port->pins & 0xfu : port->pins;
        return width == 16 ? pins | ETM_ETMV2_FILLER << 8 : pins;
    case ETM_ETMV2_DUE_HIGH:
        port->due = port->half ? ETM_ETMV2_DUE_GAP : ETM_ETMV2_DUE_NOTHING;
        return port->pins >> 4;
    case ETM_ETMV2_DUE_GAP:
        p->use = ETM_USE_GAP;
        port->due = ETM_ETMV2_DUE_NOTHING;
        return ETM_ETMV2_GAP;
    }
    p->use = port->n_fifo != 0 ? ETM_USE_PACKETS : ETM_USE_NOTHING;
    if (port->n_fifo == 0)
        return 0;
    p->count = width == 4 ? 1 : 2;
    if (width == 4)
        return pull_half(port);
    pins = pull(port);
    if (width == 8)
        return pins;
    if (port->n_fifo == 0)
        return pins | ETM_ETMV2_FILLER << 8;
    p->count = 4;
    return pins | (unsigned)pull(port) << 8;
}

/* The two packets of a record. */
static void emit(struct etm_gen *gen, unsigned status, unsigned pins,
                 struct etm_packet *p)
{
    struct etm_packet pipestat = {.kind = ETM_PACKET_PIPESTAT, .value = status};

    p->kind = p->use == ETM_USE_TFO ? ETM_PACKET_TFO : ETM_PACKET_TRACE_PACKET;
    p->info = (uint8_t)status;
    p->value = pins;
    p->value_bytes = (uint8_t)(etm_sample_size(&gen->config) - 1);
    etm_gen_emit(gen, &pipestat);
    etm_gen_emit(gen, p);
}

/* The offset is complete in this cycle. */
static void add_offset(struct etm_packet *p, unsigned pins)
{
    p->address = etm_etmv2_tfo_value(pins);
    p->address_bits = 7;
    p->fields = ETM_FIELD_ADDRESS;
}

/* One record: `status` is the one in force, TD stands for a TFO; a status
 * without instruction is WT. */
static void cycle(struct etm_gen *gen, unsigned status, bool trigger)
{
    struct etm_etmv2_port *port = port_of(gen);
    unsigned width = etm_sample_width(&gen->config);
    struct etm_packet p = {.kind = ETM_PACKET_TRACE_PACKET};
    uint8_t due = port->due;
    unsigned pins;

    port->idle = 0;
    if (trigger) { /* no output in this cycle (6.1.7) */
        p.use = ETM_USE_STATUS;
        emit(gen, ETM_ETMV2_TR, status, &p);
        if (status == ETM_ETMV2_TD)
            port->due = ETM_ETMV2_DUE_TFO;
        return;
    }
    if (status == ETM_ETMV2_TD) {
        port->due = ETM_ETMV2_DUE_TFO;
        pins = output(port, width, &p);
        if (port->due == ETM_ETMV2_DUE_NOTHING)
            add_offset(&p, pins);
        emit(gen, status, pins, &p);
        return;
    }
    pins = output(port, width, &p);
    if (p.use == ETM_USE_TFO && (due == ETM_ETMV2_DUE_HIGH || width != 4))
        add_offset(&p, port->pins);
    if (p.use == ETM_USE_NOTHING && status == ETM_ETMV2_WT) {
        status = ETM_ETMV2_TD; /* nothing to output (6.1.6, 6.11) */
        if (gen->config.cycle_accurate && port->tracing && !port->lost)
            pins = 0x7;
        else
            port->idle = 1;
    }
    emit(gen, status, pins, &p);
}

/* The group of the open cycle goes into the FIFO, whole or not at all
 * (6.10). */
static bool push(struct etm_etmv2_port *port)
{
    const struct etm_etmv2_open *open = &port->open;

    if (open->n > port->depth - port->n_fifo)
        return false;
    memcpy(port->fifo + port->n_fifo, open->group, open->n);
    port->n_fifo = (uint8_t)(port->n_fifo + open->n);
    return true;
}

/* Replace an IE by the periodic TFO, if the FIFO has room (6.5.1). */
static void synchronize(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = port_of(gen);
    struct etm_etmv2_open *open = &port->open;
    struct etm_packet p =
        etm_etmv2_tfo_packet(gen, &open->at, ETM_SYNC_PERIODIC);

    if (!port->sync_due || !open->has_insn || !open->whole || !open->passed ||
        open->phantom != ETM_UNKNOWN || open->n != 0 || port->lost ||
        port->due != ETM_ETMV2_DUE_NOTHING ||
        port->n_fifo + TFO_SIZE > port->depth)
        return;
    p.context_id = open->context_id;
    etm_etmv2_port_tfo(gen, &p);
}

/* The counters of synchronization count cycles. A request that was not
 * granted before the next one is an overflow (6.5.1). */
static void count(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = port_of(gen);

    if (port->since_data < UINT32_MAX)
        port->since_data++;
    if (++port->since < gen->config.sync_period)
        return;
    port->since = 0;
    if (port->sync_due && port->tracing)
        port->lost = gen->lost = true;
    port->sync_due = true;
}

static unsigned status_of(const struct etm_etmv2_open *open)
{
    unsigned status = ETM_ETMV2_WT;

    if (open->tfo)
        return ETM_ETMV2_TD;
    if (open->has_insn)
        status = open->passed ? ETM_ETMV2_IE : ETM_ETMV2_IN;
    if (open->phantom != ETM_UNKNOWN)
        status |= open->phantom == ETM_TRUE ? ETM_ETMV2_PT : ETM_ETMV2_PN;
    return status | (open->n != 0);
}

void etm_etmv2_port_lose(struct etm_gen *gen, unsigned tags)
{
    for (unsigned tag = 0; tag < 4; tag++)
        if ((tags >> tag & 1) != 0)
            gen->u.etmv2.data.tags[tag].traced = 0;
}

/* The open cycle becomes a record. */
static void end(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = port_of(gen);
    struct etm_etmv2_open *open = &port->open;
    unsigned status;

    if (!open->is_open)
        return;
    synchronize(gen);
    status = status_of(open);
    if (open->tfo)
        port->pins = etm_etmv2_tfo_pins(port->n_fifo);
    if (open->n != 0 && !push(port)) {
        port->lost = gen->lost = true;
        etm_etmv2_port_lose(gen, open->misses);
    }
    if (port->lost)
        status = ETM_ETMV2_WT;
    cycle(gen, status, open->trigger);
    if (open->tfo && !port->lost) {
        port->since = 0;
        port->sync_due = false;
    }
    count(gen);
    open->is_open = false;
}

static void begin(struct etm_gen *gen)
{
    struct etm_etmv2_open *open = &port_of(gen)->open;

    end(gen);
    memset(open, 0, offsetof(struct etm_etmv2_open, group));
    open->is_open = true;
}

/* A cycle without an event: a later one is left out for it, so that there are
 * as many records as cycles (6.11). */
static void borrow(struct etm_gen *gen)
{
    port_of(gen)->debt++;
    begin(gen);
}

/* The rest of `cycles`, at least one, after paying the debt. */
static uint64_t pay(struct etm_etmv2_port *port, uint64_t cycles)
{
    uint64_t paid = cycles - 1 < port->debt ? cycles - 1 : port->debt;

    port->debt -= paid;
    return cycles - paid;
}

/* A cycle in which nothing happens. False: it, and those that follow, would
 * be left out. */
static bool idle(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = port_of(gen);
    uint32_t before = port->idle;

    if (before == IDLE_MAX)
        return false;
    cycle(gen, ETM_ETMV2_WT, false);
    if (port->idle != 0)
        port->idle = before + 1;
    count(gen);
    return gen->status == ETM_OK;
}

void etm_etmv2_port_now(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = port_of(gen);
    uint64_t n = gen->cycles;

    gen->cycles = 0;
    if (n == 0 && port->open.is_open)
        return;
    if (n != 0)
        n = pay(port, n);
    end(gen);
    while (n > 1 && idle(gen))
        n--;
    begin(gen);
}

void etm_etmv2_port_step(struct etm_gen *gen)
{
    borrow(gen);
}

void etm_etmv2_port_put(struct etm_gen *gen, const struct etm_packet *packet)
{
    struct etm_etmv2_port *port = port_of(gen);
    struct etm_etmv2_open *open = &port->open;
    uint8_t bytes[ETM_ETMV2_PACKET_MAX];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
    size_t n;
    int status = etm_etmv2_put(&gen->config, packet, false, &w);

    if (status != ETM_OK) {
        etm_gen_fail(gen, status);
        return;
    }
    n = etm_writer_size(&w);
    if (open->tfo || open->closed || open->n + n > ETM_ETMV2_FIFO_MIN)
        borrow(gen);
    if (port->lost)
        return;
    if (open->n != 0)
        open->group[open->last] |= ETM_ETMV2_MORE;
    open->last = open->n;
    memcpy(open->group + open->n, bytes, n);
    open->n = (uint8_t)(open->n + n);
    open->closed = packet->kind == ETM_PACKET_BRANCH_ADDRESS;
    open->state = open->state || packet->kind == ETM_PACKET_CONTEXT_ID;
    open->data = open->data || (packet->kind != ETM_PACKET_CONTEXT_ID &&
                                packet->kind != ETM_PACKET_OUT_OF_ORDER_DATA);
    if (packet->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
        open->misses |= (uint8_t)(1u << packet->tag);
    open->foldable = false;
}

void etm_etmv2_port_tfo(struct etm_gen *gen, const struct etm_packet *packet)
{
    struct etm_etmv2_open *open = &port_of(gen)->open;
    struct etm_writer w = etm_writer_of(open->group, sizeof open->group);
    int status = etm_etmv2_put(&gen->config, packet, false, &w);

    if (status != ETM_OK)
        etm_gen_fail(gen, status);
    open->n = (uint8_t)etm_writer_size(&w);
    open->tfo = true;
    open->has_insn = false;
    gen->out.address = packet->address;
    gen->out.isa = packet->isa;
}

void etm_etmv2_port_trigger(struct etm_gen *gen)
{
    struct etm_etmv2_port *port = port_of(gen);

    if (port->open.trigger)
        borrow(gen);
    port->open.trigger = true;
}

void etm_etmv2_port_drain(struct etm_gen *gen)
{
    end(gen);
    while (!etm_etmv2_port_empty(gen) && idle(gen))
        ;
}
