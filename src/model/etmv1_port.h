/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace port of an ETMv1: its FIFO, and one record for each cycle (ETM
 * architecture 4.3.1, 5.2, 5.3).
 */
#ifndef ETM_MODEL_ETMV1_PORT_H
#define ETM_MODEL_ETMV1_PORT_H

#include "proto/etmv1.h"

#define ETM_ETMV1_FIFO_MAX 255u
#define ETM_ETMV1_FIFO_DEFAULT 45u /* large and medium+ (table 2-20) */
#define ETM_ETMV1_FIFO_MIN 9u      /* an address and a context ID fit */

struct etm_etmv1_port {
    uint16_t head, n, depth; /* bytes */
    uint16_t addresses;      /* branch addresses of which nothing is out */
    bool half;               /* 4 pins: the low half of the first byte is out */
    bool trigger;            /* TR is due */
    bool triggered;          /* it was given: there is only one (2.4) */
    bool counts;             /* TD cycles count (5.10) */
    bool drains;     /* not tracing: a single byte may go out alone (5.3.1) */
    uint64_t cycles; /* since the last full branch address (5.6.2) */
    uint64_t data_cycles; /* since the last full data address (5.7.5) */
    uint8_t bytes[ETM_ETMV1_FIFO_MAX];
    bool starts[ETM_ETMV1_FIFO_MAX]; /* a branch address begins there */
};

struct etm_gen;

/* `depth` in bytes; 0: ETM_ETMV1_FIFO_DEFAULT. */
void etm_etmv1_port_init(struct etm_etmv1_port *port, unsigned depth);

/* Bytes for which there is room. */
static inline unsigned etm_etmv1_port_room(const struct etm_etmv1_port *port)
{
    return (unsigned)port->depth - port->n;
}

/* Put bytes into the FIFO, where there must be room for them. `address`: they
 * begin a branch address. */
void etm_etmv1_port_push(struct etm_etmv1_port *port, const uint8_t *bytes,
                         unsigned n, bool address);

/* A cycle with this status; ETM_ETMV1_WT is any without an instruction, and
 * becomes TD if nothing is output. */
void etm_etmv1_port_cycle(struct etm_gen *gen, enum etm_etmv1_status status);

/* The two cycles of an address packet offset, 0 to 15, which never become TD
 * (5.6.1). */
void etm_etmv1_port_offset(struct etm_gen *gen, unsigned offset);

/* `n` cycles without an instruction. Of those that a capture device may drop
 * only the first are output. */
void etm_etmv1_port_wait(struct etm_gen *gen, uint64_t n);

/* Nothing comes out of the FIFO on wait cycles any more. */
bool etm_etmv1_port_idle(const struct etm_gen *gen);

#endif
