/* SPDX-License-Identifier: Apache-2.0 */
#include "parallel_support.h"

#include "etmv1_walk.h"
#include "etmv2_walk.h"
#include "moves.h"
#include "trace.h"

#include <stdlib.h>

#define STREAM_MAX 1000000u /* bytes of one that is made */

struct etm_parallel_joints joints;

static struct etm_config config;
static struct program program;
static struct walk walk;
static struct v1_walk v1;
static struct v2_walk v2;

void kinds_to_tests(const struct kind *kinds, size_t n, CMUnitTestFunction fn,
                    struct CMUnitTest *tests)
{
    for (size_t i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){.name = kinds[i].name,
                                       .test_func = fn,
                                       .initial_state = (void *)&kinds[i]};
}

static void trace(struct input *in, struct etm_generator_config *options,
                  const struct etm_event *events, size_t n)
{
    options->config = in->config;
    in->n = trace_make(options, events, n, in->bytes, STREAM_MAX);
}

static void make_etmv1(struct input *in, struct random *r)
{
    struct etm_generator_config options = {0};

    v1_walk_make(&v1, random_next(r), random_chance(r, 50));
    options.fifo_size = v1.fifo_size;
    in->config = &v1.config;
    in->image = v1_walk_image(&v1);
    trace(in, &options, v1.events, v1.n_events);
}

static void make_etmv2(struct input *in, struct random *r)
{
    struct etm_generator_config options = {.config = &config, .fifo_size = 90};

    v2_config_make(&config, 60, r);
    config.sync_period = 150;
    program_make(&program, &config, r);
    v2_walk_make(&v2, &program, &options, r);
    in->image = program_image(&program);
    trace(in, &options, v2.events, v2.n);
}

static void make_others(struct input *in, const struct kind *kind,
                        struct random *r, uint32_t sync_period, uint32_t insns)
{
    struct etm_generator_config options = {0};

    if (kind->data)
        config_make_data(&config, r);
    else
        config_make(&config, kind->protocol, r);
    if (sync_period != 0)
        config.sync_period = sync_period;
    program_make(&program, &config, r);
    walk_make(&walk, &program, r, insns);
    options.return_stack_size = (uint8_t)random_below(r, 16);
    options.spread_sync = random_chance(r, 50);
    in->image = program_image(&program);
    trace(in, &options, walk.events, walk.n);
}

void input_make(struct input *in, const struct kind *kind, struct random *r,
                uint32_t sync_period, uint32_t insns)
{
    *in = (struct input){.config = &config, .bytes = malloc(STREAM_MAX)};
    assert_non_null(in->bytes);
    if (kind->protocol == ETM_PROTOCOL_ETMV1)
        make_etmv1(in, r);
    else if (kind->protocol == ETM_PROTOCOL_ETMV2)
        make_etmv2(in, r);
    else
        make_others(in, kind, r, sync_period, insns);
}

void input_free(struct input *in)
{
    etm_image_free(in->image);
    free(in->bytes);
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
