/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a macrocell against its other path: who gives one event at a
 * time never goes it, for what decides about an instruction has not come yet.
 * Idle time in one piece is the same as cycle by cycle. Registers and
 * executions are random.
 */
#include "../support/setting.h"
#include "../support/test.h"
#include "macrocell_registers.h"

static struct cell fast, slow;

static void make(struct round *round, struct cell *c)
{
    cell_begin(c, &round->config);
    c->output.trace_waits = random_chance(&round->r, 50);
    c->output.late_events = random_chance(&round->r, 20);
    c->generator.packing =
        random_chance(&round->r, 70) ? ETM_PACKING_DENSE : ETM_PACKING_SINGLE;
    if (random_chance(&round->r, 50))
        c->output.packets = NULL;
    if (random_chance(&round->r, 50)) {
        c->output.fifo_size = 40 + random_below(&round->r, 200);
        c->output.drain_bits = (uint16_t)(1 + random_below(&round->r, 16));
        c->output.drain_cycles = 2;
    }
    cell_make(c);
    program_random(round, c);
}

static void fail_round(const struct round *round, const char *what)
{
    printf("ETM_TEST_SEED=%llu: %s\n", (unsigned long long)round->seed, what);
    config_print(&round->config);
    print_registers(&fast);
    fail_msg("%s", what);
}

/* The processor waits now and then, after an instruction and its data, or
 * nothing happens for long. */
static void add_waits(struct round *round)
{
    const struct etm_event wait = {.kind = ETM_EVENT_WAIT};
    struct etm_event idle = {.kind = ETM_EVENT_IDLE};
    static struct walk plain;

    plain = round->done;
    round->done.n = 0;
    for (size_t i = 0; i < plain.n && round->done.n + 3 < WALK_EVENTS; i++) {
        if (plain.events[i].kind == ETM_EVENT_INSN && i != 0 &&
            random_chance(&round->r, 2))
            add(&round->done, &wait);
        idle.cycles = 1 + random_below(&round->r, 100);
        if (random_chance(&round->r, 1))
            add(&round->done, &idle);
        if (plain.events[i].cycles > 500) /* no wait takes longer to compare */
            plain.events[i].cycles = 500;
        add(&round->done, &plain.events[i]);
    }
}

/* By itself; idle time cycle by cycle. */
static void run_slowly(const struct etm_event *e)
{
    struct etm_event one = {.kind = ETM_EVENT_IDLE, .cycles = 1};

    if (e->kind != ETM_EVENT_IDLE)
        run(&slow, e, 1);
    for (uint64_t n = 0; e->kind == ETM_EVENT_IDLE && n < e->cycles; n++)
        run(&slow, &one, 1);
}

static void one_round(struct round *round, uint64_t seed)
{
    struct random begin;

    round->seed = seed;
    round->r.state = seed;
    if (seed % 3 == 0)
        config_make_data(&round->config, &round->r);
    else
        config_make(&round->config,
                    seed % 3 == 1 ? ETM_PROTOCOL_PFT : ETM_PROTOCOL_ETMV3,
                    &round->r);
    round->config.timestamps = false;
    program_make(&round->program, &round->config, &round->r);
    if (random_chance(&round->r, 50))
        walk_make_calm(&round->walk, &round->program, &round->r,
                       100 + random_below(&round->r, 200));
    else
        walk_make(&round->walk, &round->program, &round->r,
                  100 + random_below(&round->r, 200));
    if (!strip(round))
        return;
    add_waits(round);
    round->calm = random_chance(&round->r, 80);
    begin = round->r;
    make(round, &fast);
    round->r = begin;
    make(round, &slow);
    for (size_t i = 0; i < round->done.n;) {
        size_t n = 1 + random_below(&round->r, 300);

        if (n > round->done.n - i)
            n = round->done.n - i;
        run(&fast, &round->done.events[i], n);
        for (size_t k = 0; k < n; k++)
            run_slowly(&round->done.events[i + k]);
        i += n;
    }
    finish(&fast);
    finish(&slow);
    if (fast.n_bytes != slow.n_bytes ||
        memcmp(fast.bytes, slow.bytes, fast.n_bytes) != 0)
        fail_round(round, "the trace is not the same");
    if (fast.n_signals != slow.n_signals ||
        memcmp(fast.signals, slow.signals,
               fast.n_signals * sizeof *fast.signals) != 0)
        fail_round(round, "the signals are not the same");
    for (uint32_t n = 0; n < 4; n++)
        if (peek(&fast, ETM_REG_CNTVR1 + n) != peek(&slow, ETM_REG_CNTVR1 + n))
            fail_round(round, "the counters are not the same");
    if (peek(&fast, ETM_REG_SQR) != peek(&slow, ETM_REG_SQR) ||
        peek(&fast, ETM_REG_SR) != peek(&slow, ETM_REG_SR))
        fail_round(round, "the state is not the same");
    cell_end(&fast);
    cell_end(&slow);
}

TEST(both_ways_trace_the_same)
{
    static struct round round;
    unsigned long n = setting("ETM_TEST_ROUNDS", 10000);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++)
        one_round(&round, seed + i);
}
