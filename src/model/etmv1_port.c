/* SPDX-License-Identifier: Apache-2.0 */
#include "model/etmv1_port.h"

#include "model/generator.h"

/* TD cycles with TRACEPKT[0] low that are output in a row: a capture device
 * need not store them (4.4.2). */
#define IDLE_SHOWN 16u

void etm_etmv1_port_init(struct etm_etmv1_port *port, unsigned depth)
{
    *port = (struct etm_etmv1_port){.data_cycles = UINT64_MAX / 2};
    if (depth == 0)
        depth = ETM_ETMV1_FIFO_DEFAULT;
    if (depth < ETM_ETMV1_FIFO_MIN)
        depth = ETM_ETMV1_FIFO_MIN;
    if (depth > ETM_ETMV1_FIFO_MAX)
        depth = ETM_ETMV1_FIFO_MAX;
    port->depth = (uint16_t)depth;
}

void etm_etmv1_port_push(struct etm_etmv1_port *port, const uint8_t *bytes,
                         unsigned n, bool address)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned at = (port->head + port->n) % ETM_ETMV1_FIFO_MAX;

        port->bytes[at] = bytes[i];
        port->starts[at] = address && i == 0;
        port->n++;
    }
    port->addresses = (uint16_t)(port->addresses + address);
}

static uint8_t pop(struct etm_etmv1_port *port)
{
    uint8_t byte = port->bytes[port->head];

    port->head = (uint16_t)((port->head + 1) % ETM_ETMV1_FIFO_MAX);
    port->n--;
    return byte;
}

/* A branch address begins with the byte that is `i` after the first. */
static bool starts(const struct etm_etmv1_port *port, unsigned i)
{
    return port->n > i && port->starts[(port->head + i) % ETM_ETMV1_FIFO_MAX];
}

/* 16 pins: how many bytes go out. On a wait cycle not a single one (5.3.1),
 * and no branch address begins on the upper half. */
static unsigned pair(const struct etm_etmv1_port *port, bool wait)
{
    if (port->n == 0)
        return 0;
    if (port->n >= 2 && !starts(port, 1))
        return 2;
    return wait && !port->drains ? 0 : 1;
}

/* What the FIFO puts on the pins; false: nothing. */
static bool output(struct etm_etmv1_port *port, unsigned pins, bool wait,
                   uint32_t *value, bool *sync)
{
    unsigned n = pins == 16 ? pair(port, wait) : port->n != 0;

    if (n == 0)
        return false;
    *sync = starts(port, 0) && !port->half;
    port->addresses = (uint16_t)(port->addresses - *sync);
    if (pins == 4) {
        *value = (uint32_t)port->bytes[port->head] >> (port->half ? 4 : 0) & 15;
        port->half = !port->half;
        if (!port->half)
            (void)pop(port);
        return true;
    }
    *value = pop(port);
    if (n == 2)
        *value |= (uint32_t)pop(port) << 8;
    return true;
}

static void emit(struct etm_gen *gen, enum etm_etmv1_status status, bool sync,
                 uint32_t value)
{
    struct etm_packet first = {.kind = ETM_PACKET_PIPESTAT, .value = status};
    struct etm_packet second = {
        .kind = ETM_PACKET_TRACE_PACKET,
        .info = (uint8_t)status,
        .value = value,
        .value_bytes = (uint8_t)(etm_sample_size(&gen->config) - 1),
        .use = (uint8_t)etm_etmv1_use(status)};

    if (sync)
        first.fields = ETM_FIELD_ADDRESS;
    etm_gen_emit(gen, &first);
    etm_gen_emit(gen, &second);
}

/* One cycle: `code` is on PIPESTAT, or replaced by TR or, on a wait cycle
 * without packets, by TD. */
static void cycle(struct etm_gen *gen, enum etm_etmv1_status code, bool wait)
{
    struct etm_etmv1_port *port = &gen->u.etmv1.port;
    unsigned pins = etm_sample_width(&gen->config);
    bool sync = false;
    uint32_t value = 0;

    port->cycles++;
    port->data_cycles++;
    if (port->trigger) { /* the FIFO stands still (5.1.1) */
        port->trigger = false;
        emit(gen, ETM_ETMV1_TR, false, code);
        return;
    }
    if (!output(port, pins, wait, &value, &sync) && wait) {
        code = ETM_ETMV1_TD;
        value = port->counts;
    }
    emit(gen, code, sync, value);
}

void etm_etmv1_port_cycle(struct etm_gen *gen, enum etm_etmv1_status status)
{
    cycle(gen, status, status == ETM_ETMV1_WT);
}

void etm_etmv1_port_offset(struct etm_gen *gen, unsigned offset)
{
    for (unsigned i = 0; i < 2; i++)
        cycle(gen, (enum etm_etmv1_status)(offset >> (2 * i) & 3), false);
}

bool etm_etmv1_port_idle(const struct etm_gen *gen)
{
    const struct etm_etmv1_port *port = &gen->u.etmv1.port;

    if (etm_sample_width(&gen->config) == 16)
        return pair(port, true) == 0;
    return port->n == 0;
}

void etm_etmv1_port_wait(struct etm_gen *gen, uint64_t n)
{
    struct etm_etmv1_port *port = &gen->u.etmv1.port;
    unsigned shown = 0;

    for (; n != 0 && gen->status == ETM_OK; n--) {
        bool dropped =
            !port->counts && !port->trigger && etm_etmv1_port_idle(gen);

        if (dropped && shown++ == IDLE_SHOWN) {
            port->cycles += n;
            port->data_cycles += n;
            return;
        }
        etm_etmv1_port_cycle(gen, ETM_ETMV1_WT);
    }
}
