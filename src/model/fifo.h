/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FIFO between the generator of packets and the trace port (ETM
 * architecture 2.6.6, 7.8.3), as far as it decides what is lost: how many
 * bytes are in it, cycle by cycle.
 */
#ifndef ETM_MODEL_FIFO_H
#define ETM_MODEL_FIFO_H

#include "model/registers.h"

struct etm_fifo {
    uint64_t size;    /* bytes; UINT64_MAX: never full */
    uint64_t in, out; /* bytes so far */
    uint64_t part;    /* of the byte that leaves now, in 1/unit bytes */
    uint32_t rate;    /* 1/unit bytes leave in a cycle */
    uint32_t unit;
    uint64_t now; /* cycle up to which this holds */
};

/* Bits that the port takes in a number of cycles. */
struct etm_fifo_rate {
    uint16_t bits, cycles;
};

/* Of the port that ETMCR selects (tables 3-6, 2-18). */
struct etm_fifo_rate etm_fifo_port_rate(const struct etm_regfile *file);

void etm_fifo_set_rate(struct etm_fifo *fifo, struct etm_fifo_rate rate);

/* Bytes leave until the cycle `now`. */
void etm_fifo_drain(struct etm_fifo *fifo, uint64_t now);

static inline void etm_fifo_advance(struct etm_fifo *fifo, uint64_t now)
{
    if (fifo->in == fifo->out)
        fifo->now = now;
    else
        etm_fifo_drain(fifo, now);
}

static inline uint64_t etm_fifo_level(const struct etm_fifo *fifo)
{
    return fifo->in - fifo->out;
}

/* Where a packet must end to fit in. */
static inline uint64_t etm_fifo_limit(const struct etm_fifo *fifo)
{
    return fifo->size == UINT64_MAX ? UINT64_MAX : fifo->out + fifo->size;
}

/* Cycles until it is empty. */
uint64_t etm_fifo_time(const struct etm_fifo *fifo);

#endif
