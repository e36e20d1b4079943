/* SPDX-License-Identifier: Apache-2.0 */
/* One round of test_etmv2_roundtrip.c, and what is held against what. */
#ifndef TEST_MODEL_ETMV2_ROUND_H
#define TEST_MODEL_ETMV2_ROUND_H

#include "port_walk.h"
#include "round_trip.h"

/* Beside what round_trip.h has of it. */
struct v2_round {
    struct etm_generator_config options;
    struct program program;
    struct port_walk walk;
    struct etm_vec packets, decoded;
    bool overflow;
};

extern struct v2_round v2;

/* Whether the FIFO has overflowed, by the elements. */
void v2_note_overflow(void);

/* the.elements against v2.walk: instructions, exceptions and cycles; and
 * transfers. */
void v2_check_insns(void);
void v2_check_data(void);

#endif
