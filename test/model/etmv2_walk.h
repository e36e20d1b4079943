/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random executions for ETMv2, and what a decoder has to say of them, made
 * from the events without any packet.
 */
#ifndef TEST_MODEL_ETMV2_WALK_H
#define TEST_MODEL_ETMV2_WALK_H

#include "moves.h"
#include "program.h"

#include <etm/model.h>

/* An element that has to come. */
struct v2_truth {
    uint8_t kind;  /* enum etm_element_kind */
    uint64_t time; /* record, in exact walks */
    /* instructions; `address` for data too */
    uint32_t address, opcode, context_id;
    uint8_t isa, size, insn_type;
    bool passed;
    uint8_t reason; /* trace_on */
    /* exceptions */
    uint8_t type, number;
    bool return_known, cancels_known;
    uint32_t return_address, cancels;
    /* data */
    uint8_t index, store, status;
    bool data_address_known, value_known;
    uint32_t data_address;
    uint64_t value;
};

#define V2_EVENTS 6000u

struct v2_walk {
    size_t n, n_truth, n_triggers;
    bool exact; /* each event has the cycles that it needs: `time` is right */
    const uint8_t *vectors; /* high vectors: code at 0xffff0000, or NULL */
    struct etm_event events[V2_EVENTS];
    struct v2_truth truth[V2_EVENTS];
};

/* A random configuration, so often with data trace (percent). */
void v2_config_make(struct etm_config *config, unsigned data, struct random *r);

void v2_walk_make(struct v2_walk *walk, const struct program *program,
                  const struct etm_generator_config *options, struct random *r);

void v2_truth_print(const struct v2_truth *t);

#endif
