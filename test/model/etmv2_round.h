/* SPDX-License-Identifier: Apache-2.0 */
/* One round of test_etmv2_roundtrip.c, and what is held against what. */
#ifndef TEST_MODEL_ETMV2_ROUND_H
#define TEST_MODEL_ETMV2_ROUND_H

#include "base/vec.h"
#include "etmv2_walk.h"

#include <etm/decode.h>

#define V2_BYTES (1u << 20)

/* Too big for a stack. */
struct v2_round {
    uint64_t seed;
    struct random r;
    struct etm_config config;
    struct etm_generator_config options;
    struct program program;
    struct v2_walk walk;
    size_t size; /* of a record */
    size_t n_bytes;
    uint8_t bytes[V2_BYTES];
    struct etm_vec packets, decoded, elements, again;
    bool overflow;
};

extern struct v2_round the;

/* Fail, and say how to come back; with ETM_TEST_VERBOSE all there is. */
void v2_fail(const char *what, size_t at);
void v2_print(const struct etm_element *e);

/* Whether the FIFO has overflowed, by the elements. */
void v2_note_overflow(void);

/* the.elements against the.walk: instructions, exceptions and cycles; and
 * transfers. */
void v2_check_insns(void);
void v2_check_data(void);

/* the.again, decoded as ranges, against the.elements. */
void v2_check_ranges(void);

#endif
