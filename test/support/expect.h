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
 * An element, made comparable: without offset and source; contexts are written
 * into the instructions, `cycles` elements into the trace_on whose gap they
 * measure, ranges are taken apart into instructions.
 */
struct record {
    struct etm_element e;
    struct etm_element context; /* of an instruction */
    bool part;                  /* of a range, and not its last instruction */
    uint64_t cycles; /* of an instruction; of the gap before a trace_on; since
                        the instruction or gap before, of data and triggers */
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
