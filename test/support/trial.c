/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "moves.h"
#include "trace.h"

/* The trace of an execution. */
static void trace(struct trial *trial)
{
    struct etm_generator_config how = {.config = &trial->config};
    struct random *r = &trial->r;

    how.packing = random_chance(r, 70) ? ETM_PACKING_DENSE : ETM_PACKING_SINGLE;
    how.return_stack_size = (uint8_t)random_below(r, 16);
    how.deprecated_exceptions = (uint8_t)random_below(r, 3);
    how.separate_cycle_count = random_chance(r, 30);
    how.cancelled_as_failed = random_chance(r, 30);
    how.no_debug_entry = random_chance(r, 20);
    how.spread_sync = random_chance(r, 50);
    trial->n = trace_make(&how, trial->walk.events, trial->walk.n, trial->bytes,
                          TRIAL_BYTES);
}

/* Execution and trace, once the configuration is there. */
static void make(struct trial *trial)
{
    struct random *r = &trial->r;

    program_make(&trial->program, &trial->config, r);
    walk_make(&trial->walk, &trial->program, r,
              trial->program.n_slots > 1000 ? 2500 : 10 + random_below(r, 600));
    trace(trial);
}

void trial_make(struct trial *trial, enum etm_protocol protocol, uint64_t seed,
                bool split)
{
    trial->r.state = seed;
    config_make(&trial->config, protocol, &trial->r);
    /* less that stands between instructions: the fast path gets farther */
    if (random_chance(&trial->r, 60)) {
        trial->config.sync_period = 1024;
        trial->config.thumb32_split =
            split && trial->config.minor < 2 && protocol == ETM_PROTOCOL_ETMV3;
    }
    make(trial);
}

void trial_make_calm(struct trial *trial, enum etm_protocol protocol,
                     uint64_t seed)
{
    struct random *r = &trial->r;

    r->state = seed;
    config_make(&trial->config, protocol, r);
    trial->config.sync_period = 1024;
    trial->config.thumb32_split = false;
    program_make(&trial->program, &trial->config, r);
    walk_make_calm(&trial->walk, &trial->program, r, 2500);
    trace(trial);
}

void trial_make_data(struct trial *trial, uint64_t seed)
{
    trial->r.state = seed;
    config_make_data(&trial->config, &trial->r);
    if (random_chance(&trial->r, 60))
        trial->config.sync_period = 1024;
    make(trial);
}
