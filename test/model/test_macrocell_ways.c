/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a macrocell against its other path: who gives one event at a
 * time never goes it, for what decides about an instruction has not come yet.
 * Idle time in one piece is the same as cycle by cycle. Registers and
 * executions are random.
 */
#include "../support/setting.h"
#include "macrocell_select.h"

static struct cell fast, slow;

/* What both cells are programmed with. */
struct values {
    uint32_t number[120], value[120];
    size_t n;
};

static void set(struct values *v, uint32_t number, uint32_t value)
{
    v->number[v->n] = number;
    v->value[v->n++] = value;
}

/* An address at which a comparator may begin or end to match: of an
 * instruction, inside it, after it. */
static uint32_t edge(struct round *round)
{
    struct random *r = &round->r;
    const struct slot *s =
        &round->program.slots[random_below(r, round->program.n_slots)];

    if (random_chance(r, 3))
        return random_chance(r, 50) ? 0 : UINT32_MAX;
    return s->address + (random_chance(r, 50) ? 0 : random_below(r, 5));
}

/* ETMACTR: mostly what the fast path knows, instructions by their address. */
static uint32_t access_type(struct round *round)
{
    struct random *r = &round->r;
    uint32_t type = 0x18 | random_below(r, 2);

    if (random_chance(r, 5))
        type = random_below(r, 7) | (uint32_t)random_below(r, 2) << 7;
    if (round->config.virtualization && random_chance(r, 80))
        type |= 0x4000;
    if (random_chance(r, 3))
        type |= random_below(r, 16) << 10;
    if (random_chance(r, 3))
        type |= random_below(r, 4) << 8;
    return type;
}

/* A resource that an event may look at: comparators above all. */
static uint32_t resource(struct random *r)
{
    static const uint8_t others[] = {0x40, 0x41, 0x50, 0x51, 0x52, 0x58,
                                     0x5f, 0x60, 0x6d, 0x6e, 0x6f};

    if (random_chance(r, 50))
        return random_below(r, 0x18);
    return others[random_below(r, sizeof others)];
}

static uint32_t any_event(struct random *r)
{
    if (random_chance(r, 40))
        return 0x406f;
    return resource(r) | resource(r) << 7 |
           (random_chance(r, 60) ? 0 : random_below(r, 8)) << 14;
}

/* Counters, sequencer, trigger and outputs that events move, some of them
 * seldom and some in each cycle. */
static void choose_events(struct round *round, struct values *v)
{
    struct random *r = &round->r;

    set(v, ETM_REG_TRIGGER, any_event(r));
    for (uint32_t n = 0; n < 4; n++) {
        set(v, ETM_REG_CNTRLDVR1 + n, random_below(r, 12));
        set(v, ETM_REG_CNTENR1 + n, any_event(r));
        set(v, ETM_REG_CNTRLDEVR1 + n, any_event(r));
        set(v, ETM_REG_EXTOUTEVR1 + n,
            random_chance(r, 50) ? 0x406f : any_event(r));
    }
    for (uint32_t n = 0; n < 6; n++)
        set(v, ETM_REG_SQ12EVR + n, any_event(r));
    if (random_chance(r, 30))
        set(v, ETM_REG_TEEVR, any_event(r));
    if (random_chance(r, 30) && round->config.protocol != ETM_PROTOCOL_PFT)
        set(v, ETM_REG_VDEVR, any_event(r));
}

static void choose(struct round *round, struct values *v)
{
    struct random *r = &round->r;
    bool pft = round->config.protocol == ETM_PROTOCOL_PFT;

    v->n = 0;
    set(v, ETM_REG_SYNCFR, round->config.sync_period);
    for (unsigned n = 0; n < 8; n++) {
        uint32_t low = edge(round), type = access_type(round);
        bool one = random_chance(r, 90);

        set(v, ETM_REG_ACVR1 + 2 * n, low);
        set(v, ETM_REG_ACVR1 + 2 * n + 1,
            random_chance(r, 70) ? low + 1 + random_below(r, 200)
                                 : edge(round));
        set(v, ETM_REG_ACTR1 + 2 * n, type);
        set(v, ETM_REG_ACTR1 + 2 * n + 1, one ? type : access_type(round));
    }
    set(v, ETM_REG_TECR1,
        random_few(r, 8) | (uint32_t)random_below(r, 2) << 24 |
            (uint32_t)random_chance(r, 10) << 25);
    set(v, ETM_REG_TSSCR, random_chance(r, 10) ? random_few(r, 32) : 0);
    set(v, ETM_REG_TEEVR, random_chance(r, 5) ? 0x406f : 0x6f);
    if (!pft) {
        set(v, ETM_REG_TECR2, random_few(r, 16));
        set(v, ETM_REG_VDEVR, random_chance(r, 20) ? 0x406f : 0x6f);
        set(v, ETM_REG_VDCR1, random_chance(r, 10) ? random_few(r, 32) : 0);
        set(v, ETM_REG_VDCR3,
            (uint32_t)random_chance(r, 70) << 16 |
                (random_chance(r, 10) ? random_few(r, 16) : 0));
    }
    if (random_chance(r, 60))
        choose_events(round, v);
}

static void make(struct round *round, struct cell *c, const struct values *v)
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
    program_begin(c);
    program_nothing(c);
    for (size_t i = 0; i < v->n; i++)
        poke(c, v->number[i], v->value[i]);
    program_end(c, cell_control(&round->config));
}

static void fail_round(const struct round *round, const struct values *v,
                       const char *what)
{
    printf("ETM_TEST_SEED=%llu: %s\n", (unsigned long long)round->seed, what);
    config_print(&round->config);
    for (size_t i = 0; i < v->n; i++)
        printf("%03x: %08x\n", v->number[i], v->value[i]);
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
    struct values v;
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
    choose(round, &v);
    begin = round->r;
    make(round, &fast, &v);
    round->r = begin;
    make(round, &slow, &v);
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
        fail_round(round, &v, "the trace is not the same");
    if (fast.n_signals != slow.n_signals ||
        memcmp(fast.signals, slow.signals,
               fast.n_signals * sizeof *fast.signals) != 0)
        fail_round(round, &v, "the signals are not the same");
    for (uint32_t n = 0; n < 4; n++)
        if (peek(&fast, ETM_REG_CNTVR1 + n) != peek(&slow, ETM_REG_CNTVR1 + n))
            fail_round(round, &v, "the counters are not the same");
    if (peek(&fast, ETM_REG_SQR) != peek(&slow, ETM_REG_SQR) ||
        peek(&fast, ETM_REG_SR) != peek(&slow, ETM_REG_SR))
        fail_round(round, &v, "the state is not the same");
    cell_end(&fast);
    cell_end(&slow);
}

static void both_ways_trace_the_same(void **state)
{
    static struct round round;
    unsigned long n = setting("ETM_TEST_ROUNDS", 3000);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    (void)state;
    for (unsigned long i = 0; i < n; i++)
        one_round(&round, seed + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_trace_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
