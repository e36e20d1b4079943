/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace port of an ETMv2: cycles, the FIFO and the values of the pins (ETM
 * architecture 6.1 to 6.5, 6.10).
 *
 * One cycle is open at a time: a status, packets and a trigger are put into
 * it, and it becomes a record when time goes on.
 */
#ifndef ETM_MODEL_ETMV2_PORT_H
#define ETM_MODEL_ETMV2_PORT_H

#include "proto/etmv2.h"

#include <etm/model.h>

struct etm_gen;

/* Bytes that the FIFO may have: room for the longest TFO packet, and no more
 * than a TFO value can count (table 6-4). */
#define ETM_ETMV2_FIFO_MIN 16u
#define ETM_ETMV2_FIFO_MAX 95u
#define ETM_ETMV2_FIFO_DEFAULT 60u

/* The cycle that is being filled. */
struct etm_etmv2_open {
    bool is_open;
    bool has_insn; /* it has an instruction's status */
    bool passed;
    bool foldable;   /* that is a direct branch alone */
    uint8_t phantom; /* enum etm_tri: a folded branch before it */
    bool whole;      /* `at` is its address, and a TFO may give it */
    struct etm_place at;
    uint32_t context_id; /* when it was executed */
    bool tfo;            /* a TFO packet, and nothing else */
    bool restart;        /* that is a restart after an overflow */
    bool closed;         /* a branch address, which is the last of its group */
    bool state;          /* the group changes the context */
    bool data;           /* data of the last data instruction */
    uint8_t misses;      /* Load Miss Occurred packets, by tag: bits [3:0] */
    bool trigger;
    uint8_t n;    /* bytes of the group */
    uint8_t last; /* where its last packet begins */
    uint8_t group[ETM_ETMV2_GROUP_MAX];
};

struct etm_etmv2_port {
    struct etm_etmv2_open open;
    bool tracing;   /* TraceEnable: statuses are output */
    bool lost;      /* the FIFO has overflowed and was not restarted yet */
    bool sync_due;  /* a periodic TFO is */
    uint8_t depth;  /* of the FIFO, in bytes */
    uint8_t n_fifo; /* bytes in it, and the one of which half is out */
    bool half;
    uint8_t due;         /* enum etm_etmv2_due */
    uint8_t pins;        /* of the TFO value that is being output */
    uint32_t since;      /* cycles since the last TFO */
    uint32_t since_data; /* and since the last full data address */
    uint32_t idle;       /* cycles without trace in a row */
    uint64_t debt;       /* records that had no cycle of their own */
    uint8_t fifo[ETM_ETMV2_FIFO_MAX];
};

void etm_etmv2_port_init(struct etm_gen *gen);

/* Let the time of gen->cycles pass: the open cycle is the present one then. */
void etm_etmv2_port_now(struct etm_gen *gen);

/* End the open cycle, and open the next one, which takes a cycle without an
 * event. */
void etm_etmv2_port_step(struct etm_gen *gen);

/* Put a packet into the open cycle, or into a new one after it. Without effect
 * while the FIFO has overflowed. */
void etm_etmv2_port_put(struct etm_gen *gen, const struct etm_packet *packet);

/* Load Miss Occurred packets of these tags did not get into the FIFO: their
 * values do not either (6.4.3). */
void etm_etmv2_port_lose(struct etm_gen *gen, unsigned tags);

/* A TFO packet in the open cycle, which has nothing else. */
void etm_etmv2_port_tfo(struct etm_gen *gen, const struct etm_packet *packet);

/* A trigger in the open cycle. */
void etm_etmv2_port_trigger(struct etm_gen *gen);

/* A TFO packet with the address `at`. */
struct etm_packet etm_etmv2_tfo_packet(const struct etm_gen *gen,
                                       const struct etm_place *at,
                                       enum etm_sync_reason reason);

/* Output what is left, cycle by cycle, until the FIFO is empty. */
void etm_etmv2_port_drain(struct etm_gen *gen);

/* A restart after an overflow is possible (6.10). */
bool etm_etmv2_port_empty(const struct etm_gen *gen);

#endif
