/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs for processors that an ETMv1 traces (Armv4T and Armv5TE),
 * random executions of them, and what a decoder must say of each: made from a
 * table of instructions, without src/isa and without any packet.
 */
#ifndef TEST_MODEL_ETMV1_WALK_H
#define TEST_MODEL_ETMV1_WALK_H

#include "../support/random.h"

#include <etm/config.h>
#include <etm/decode.h>
#include <etm/model.h>

enum v1_class { V1_OTHER, V1_DIRECT, V1_INDIRECT, V1_SVC, V1_UDF };

/* An instruction, and what it moves. */
struct v1_op {
    uint8_t isa;
    uint8_t size;
    uint8_t class;
    uint8_t n, bytes; /* transfers, and the size of each */
    char kind;        /* l load, s store, x swap; coprocessor: c from, C to */
    bool multiple;
    bool conditional;
    uint32_t opcode; /* direct branches: without the offset */
};

struct v1_slot {
    const struct v1_op *op;
    uint32_t address, opcode;
    uint16_t target; /* slot, of a direct branch */
};

#define V1_SLOTS 800u
#define V1_EVENTS 6000u

enum v1_record_kind { V1_INSN, V1_DATA, V1_EXCEPTION, V1_ON };

struct v1_record {
    uint8_t kind;
    uint8_t isa, size, reason, number, index;
    bool passed, store, address_known, value_known, context_known;
    bool cancels_known, return_known;
    uint32_t address, opcode, insn, cancels, return_address, context_id;
    uint64_t cycles, value;
};

struct v1_walk {
    struct random r;
    struct etm_config config;
    bool exact; /* no overflow: cycles are right, nothing is missing */
    uint8_t fifo_size;
    unsigned fill; /* bytes in the FIFO, about */
    struct v1_slot slots[V1_SLOTS];
    unsigned n_slots;
    struct {
        unsigned first, n;
    } regions[4]; /* the last: vectors */
    uint8_t code[4 * V1_SLOTS];
    size_t n_events, n_expected;
    struct etm_event events[V1_EVENTS];
    struct v1_record expected[V1_EVENTS];
    size_t clean; /* expected records from here on: after a last restart */
    unsigned triggers;

    /* of the walk */
    unsigned at;     /* slot */
    unsigned least;  /* cycles that the next instruction needs */
    uint64_t passed; /* since the last instruction that was given */
    bool on;
    uint32_t context_id; /* of the processor */
    uint32_t told;       /* in the trace */
    bool told_known;
};

/* A whole round: configuration, program, execution and expectation. */
void v1_walk_make(struct v1_walk *w, uint64_t seed, bool exact);

/* Its code; the bytes are borrowed. */
struct etm_image *v1_walk_image(const struct v1_walk *w);

#endif
