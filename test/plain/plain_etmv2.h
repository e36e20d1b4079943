/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the plain ETMv2 share: plain_etmv2_port.c reads the cycles
 * of a whole stream, each with the packets that its status put into the FIFO.
 */
#ifndef TEST_PLAIN_PLAIN_ETMV2_H
#define TEST_PLAIN_PLAIN_ETMV2_H

#include "plain_data.h"

#include <etm/packet.h>

struct plain_cycle {
    uint64_t offset;
    uint8_t status; /* in force: a trigger's is the one it replaced */
    bool trigger;
    bool tfo;
    bool stored;  /* no capture device leaves it out (4.4.2) */
    bool counted; /* a cycle of the processor while tracing (6.11) */
    bool begun;   /* its status counts, whatever came of its group */
    bool lost;    /* what it put into the FIFO did not come out */
    uint8_t why;  /* enum etm_lost_reason */
    struct etm_packet *packets; /* of its group, as far as they came */
    size_t n;
};

struct plain_cycles {
    struct plain_cycle *all;
    size_t n;
};

/* Free it with plain_cycles_free(). */
void plain_cycles(const struct etm_config *config, const uint8_t *bytes,
                  size_t n, struct plain_cycles *out);
void plain_cycles_free(struct plain_cycles *cycles);

#endif
