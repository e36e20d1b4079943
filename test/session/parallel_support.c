/* SPDX-License-Identifier: Apache-2.0 */
#include "parallel_support.h"

#include "moves.h"
#include "port_walk.h"
#include "trace.h"

#include <stdlib.h>

#define STREAM_MAX 1000000u /* bytes of one that is made */

struct etm_parallel_joints joints;

static struct etm_config config;
static struct program program;
static struct walk walk;

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

static void make_port(struct input *in, enum etm_protocol protocol,
                      struct random *r)
{
    static struct port_walk port;
    struct etm_generator_config options = {.config = &config, .fifo_size = 90};

    port_config_make(&config, protocol, 60, r);
    if (protocol == ETM_PROTOCOL_ETMV2)
        config.sync_period = 150;
    else
        options.fifo_size =
            (uint8_t)(random_chance(r, 50) ? UINT8_MAX
                                           : 9 + random_below(r, 50));
    program_make(&program, &config, r);
    port_walk_make(&port, &program, &options, r);
    in->image = program_image(&program);
    trace(in, &options, port.events, port.n);
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
    if (etm_protocol_is_port(kind->protocol))
        make_port(in, kind->protocol, r);
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
