/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a decoder has to say of an execution: made from the events, without
 * any packet, as plainly as possible.
 */
#ifndef TEST_SUPPORT_EXPECT_H
#define TEST_SUPPORT_EXPECT_H

#include "walk.h"

#include <etm/decode.h>

/*
 * An element, made comparable: contexts are written into the instructions,
 * `cycles` elements into the trace_on whose gap they measure, ranges are taken
 * apart into instructions.
 */
struct record {
    uint8_t kind; /* enum etm_element_kind */
    uint8_t isa, size, type, exec;
    bool part; /* of a range, and not its last instruction */
    uint8_t reason;
    uint8_t secure, hyp; /* enum etm_tri */
    bool context_known, vmid_known;
    uint8_t vmid;
    uint32_t context_id;
    uint32_t address, opcode;
    uint64_t cycles; /* of an instruction; of the gap before a trace_on; since
                        the instruction or gap before, of data and triggers */
    uint64_t value;  /* timestamp, data */
    uint16_t number, irq;
    bool return_known, cancels_known;
    uint32_t return_address, cancels;
    uint8_t resume;
    /* Data; `address` and `size` too. */
    bool insn_known, address_known, value_known;
    uint8_t store, index, status, be8, reg_kind, reg;
    uint32_t insn;
    /* Expected ones: whose it is, the how manieth packet, and whether it is
     * the mark of its owner's suppression. */
    uint32_t owner;
    uint8_t ordinal;
    bool hole;
};

#define RECORDS 8000u

struct records {
    size_t n;
    struct record r[RECORDS];
};

/* The records of a walk as `options` and program->config trace it. */
void expect_walk(struct records *out, const struct program *program,
                 const struct walk *walk,
                 const struct etm_generator_config *options);

/* Collects the elements of a decoder: as callback, context is the struct. */
#define GOT_ELEMENTS 20000u

struct got {
    size_t n;
    struct etm_element e[GOT_ELEMENTS];
};

int got_elements(void *context, const struct etm_element *elements, size_t n);

/* The elements as records. NULL, or what is wrong with them. */
const char *got_records(struct records *out, const struct program *program,
                        const struct got *got);

/* NULL if they agree, else a text; *at is the index of the difference. */
const char *records_compare(const struct program *program,
                            const struct etm_generator_config *options,
                            const struct records *expected,
                            const struct records *actual, size_t *at);

void record_print(const struct record *r);

#endif
