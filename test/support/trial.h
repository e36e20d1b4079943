/* SPDX-License-Identifier: Apache-2.0 */
/* One random execution and its trace, as the comparisons of decoders take it.
 */
#ifndef TEST_SUPPORT_TRIAL_H
#define TEST_SUPPORT_TRIAL_H

#include "program.h"
#include "walk.h"

#define TRIAL_BYTES (1u << 22)

/* Too big for a stack. */
struct trial {
    struct random r;
    struct etm_config config;
    struct program program;
    struct walk walk;
    size_t n;
    uint8_t bytes[TRIAL_BYTES];
};

/*
 * Make one; the same of the same seed. `split`: 32-bit Thumb instructions of
 * ETMv3.0 and ETMv3.1 are traced as two halves now and then.
 */
void trial_make(struct trial *trial, enum etm_protocol protocol, uint64_t seed,
                bool split);

/* Make one where few packets stand between instructions: a fast path may take
 * many of them, and changes of the instruction set, at once. */
void trial_make_calm(struct trial *trial, enum etm_protocol protocol,
                     uint64_t seed);

/* Make one of ETMv3 with data trace. */
void trial_make_data(struct trial *trial, uint64_t seed);

#endif
