/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random executions for ETMv1 and ETMv2, whose trace are the cycles of a port,
 * and what a decoder has to say of them, made from the events without any
 * packet.
 */
#ifndef TEST_MODEL_PORT_WALK_H
#define TEST_MODEL_PORT_WALK_H

#include "moves.h"
#include "program.h"

#include <etm/model.h>

/* An element that has to come, without its place. */
struct port_truth {
    struct etm_element e; /* cycles of an instruction: of ETMv1 */
    uint64_t time;        /* record, in exact walks of ETMv2 */
    bool context_known;   /* the context ID at an instruction */
    uint32_t context_id;
};

#define PORT_EVENTS 6000u

struct port_walk {
    size_t n, n_truth, n_triggers;
    /* Each event has the cycles that it needs: `time` is right; of ETMv1, where
     * the FIFO is of most bytes: it does not overflow. */
    bool exact;
    struct etm_event events[PORT_EVENTS];
    struct port_truth truth[PORT_EVENTS];
};

/* A random configuration, so often with data trace (percent). */
void port_config_make(struct etm_config *config, enum etm_protocol protocol,
                      unsigned data, struct random *r);

void port_walk_make(struct port_walk *walk, const struct program *program,
                    const struct etm_generator_config *options,
                    struct random *r);

/* An element of the instruction side, and a transfer, is what it has to be. */
bool port_same_insn(const struct port_truth *t, const struct etm_element *e,
                    const struct etm_element *context);
bool port_same_data(const struct port_truth *t, const struct etm_element *e);

void port_truth_print(const struct port_truth *t);

#endif
