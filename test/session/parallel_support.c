/* SPDX-License-Identifier: Apache-2.0 */
#include "parallel_support.h"
#include "../support/status.h"

#include "trace.h"

#include <stdlib.h>

#define STREAM_MAX 1000000u /* bytes of one that is made */

struct etm_parallel_joints joints;

void generate(struct input *in, struct etm_generator_config *options,
              const struct etm_event *events, size_t n)
{
    options->config = in->config;
    in->bytes = malloc(STREAM_MAX);
    assert_non_null(in->bytes);
    in->n = trace_make(options, events, n, in->bytes, STREAM_MAX);
}

static void push(struct etm_parallel *p, const uint8_t *bytes, size_t n,
                 size_t piece)
{
    for (size_t at = 0; at < n; at += piece)
        OK(etm_parallel_push(p, bytes + at, n - at < piece ? n - at : piece));
}

struct etm_parallel *etm_test_parallel(const struct input *in,
                                       enum etm_level level,
                                       const struct cut *cut,
                                       struct etm_parallel_config *how)
{
    struct etm_parallel *p;
    uint64_t pending;
    size_t at = 0;

    how->config = in->config;
    how->image = in->image;
    how->level = level;
    how->jobs = cut->jobs;
    how->stretch = cut->stretch;
    how->warm_up = cut->warm_up;
    OK(etm_parallel_new(&p, how));
    for (size_t i = 0; i < in->n_gaps; i++) {
        push(p, in->bytes + at, in->gaps[i] - at, 1 + cut->stretch / 2);
        OK(etm_parallel_gap(p, 7));
        at = in->gaps[i];
    }
    push(p, in->bytes + at, in->n - at, 1 + cut->stretch);
    OK(etm_parallel_finish(p));
    assert_int_equal(etm_parallel_settled(p, &pending), in->n);
    joints.good += etm_parallel_joints(p).good;
    joints.bad += etm_parallel_joints(p).bad;
    joints.warm += etm_parallel_joints(p).warm;
    return p;
}
