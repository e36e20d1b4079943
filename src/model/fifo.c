/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the FIFO drains. */
#include "model/fifo.h"

#include <etm/port.h>

struct etm_fifo_rate etm_fifo_port_rate(const struct etm_regfile *file)
{
    /* Data rate of the port to the clock of the ETM, by port mode: bits and
       cycles (table 2-18). Dynamic and implementation-defined modes are 1:1. */
    static const struct etm_fifo_rate ratios[8] = {
        {1, 1}, {2, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 3}, {1, 2}, {1, 4},
    };
    struct etm_port_config port = {.protocol = file->trace.protocol};
    struct etm_fifo_rate rate = {.bits = 32, .cycles = 1};
    uint32_t cr = file->value[ETM_REG_CR];
    unsigned mode = (cr >> 16 & 3u) | (cr >> 13 & 1u) << 2;

    if (file->pft)
        return rate;
    if (etm_port_from_etmcr(&port, cr, NULL) == ETM_OK && port.width != 0)
        rate.bits = port.width;
    if (file->version < ETM_V3_0) /* a sample in each cycle */
        return rate;
    rate.bits = (uint16_t)(rate.bits * ratios[mode].bits);
    rate.cycles = ratios[mode].cycles;
    return rate;
}

void etm_fifo_set_rate(struct etm_fifo *fifo, struct etm_fifo_rate rate)
{
    fifo->rate = rate.bits == 0 ? 1u : rate.bits;
    fifo->unit = 8u * (rate.cycles == 0 ? 1u : rate.cycles);
    fifo->part = 0;
}

uint64_t etm_fifo_time(const struct etm_fifo *fifo)
{
    uint64_t rest = etm_fifo_level(fifo) * fifo->unit - fifo->part;

    return (rest + fifo->rate - 1) / fifo->rate;
}

void etm_fifo_drain(struct etm_fifo *fifo, uint64_t now)
{
    uint64_t cycles = now - fifo->now;

    fifo->now = now;
    if (cycles >= etm_fifo_time(fifo)) {
        fifo->out = fifo->in;
        fifo->part = 0;
        return;
    }
    fifo->part += cycles * fifo->rate;
    fifo->out += fifo->part / fifo->unit;
    fifo->part %= fifo->unit;
}
