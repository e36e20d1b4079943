/* SPDX-License-Identifier: Apache-2.0 */
/* A stream, random ones of every protocol, and their decoding on several
 * threads. */
#ifndef TEST_SESSION_PARALLEL_SUPPORT_H
#define TEST_SESSION_PARALLEL_SUPPORT_H

#include "support/capture.h"
#include "walk.h"

#include "../support/status.h"
#include "session/parallel.h"

#include <etm/model.h>

#define GAPS 8u

/* A stream, and where bytes of it are missing. */
struct input {
    const struct etm_config *config;
    struct etm_image *image;
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

/* A test of random executions. */
struct kind {
    const char *name;
    enum etm_protocol protocol;
    bool data;              /* ETMv3 with data trace */
    unsigned long seed;     /* of the first one */
    unsigned rounds, times; /* times: for the test */
};

/* Tests of these kinds, each with the function: its state is the kind. */
void kinds_to_tests(const struct kind *kinds, size_t n, CMUnitTestFunction fn,
                    struct CMUnitTest *tests);

/* The stream of an execution of about so many instructions, one at a time;
 * `sync_period` may be 0: any. input_free() frees its bytes and its image. */
void input_make(struct input *in, const struct kind *kind, struct random *r,
                uint32_t sync_period, uint32_t insns);
void input_free(struct input *in);

/* Decoded to its end; the caller frees it. `portions` and where elements go is
 * in *how already. */
struct etm_parallel *etm_test_parallel(const struct input *in,
                                       enum etm_level level,
                                       const struct cut *cut,
                                       struct etm_parallel_config *how);

#endif
