/* SPDX-License-Identifier: Apache-2.0 */
/* A stream, and its decoding on several threads. */
#ifndef TEST_SESSION_PARALLEL_SUPPORT_H
#define TEST_SESSION_PARALLEL_SUPPORT_H

#include "session/parallel.h"

#include <etm/model.h>

#define GAPS 8u

/* A stream, and where bytes of it are missing. */
struct input {
    const struct etm_config *config;
    const struct etm_image *image;
    uint8_t *bytes;
    size_t n;
    size_t n_gaps, gaps[GAPS]; /* in order */
};

/* Threads, stretches and warm-ups. */
struct cut {
    unsigned jobs;
    size_t stretch, warm_up;
};

/* Of all runs, until it is set to zero. */
extern struct etm_parallel_joints joints;

/* The stream of an execution; the caller frees its bytes. */
void generate(struct input *in, struct etm_generator_config *options,
              const struct etm_event *events, size_t n);

/* Decoded to its end; the caller frees it. `portions` and where elements go is
 * in *how already. */
struct etm_parallel *etm_test_parallel(const struct input *in,
                                       enum etm_level level,
                                       const struct cut *cut,
                                       struct etm_parallel_config *how);

#endif
