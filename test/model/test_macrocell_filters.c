/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random executions of random programs, with random values in all registers
 * that select something: what comes back from the bytes is what the plain
 * resources select, instruction by instruction and transfer by transfer.
 */
#include "../support/test.h"
#include "macrocell_judge.h"
#include "macrocell_registers.h"

#include "../support/setting.h"

static struct judge judge;
static struct verdict verdicts[WALK_EVENTS];

/* Inputs change now and then, users run, and no wait takes long. */
static void season(struct round *g)
{
    static struct walk plain;

    plain = g->done;
    g->done.n = 0;
    for (size_t i = 0; i < plain.n && g->done.n + 2 < WALK_EVENTS; i++) {
        struct etm_event e = plain.events[i];
        struct etm_event pins = {.kind = ETM_EVENT_PINS};

        if (e.cycles > 30)
            e.cycles = 30;
        if (e.kind == ETM_EVENT_CONTEXT)
            e.u.context.user = chance(g, 50);
        add(&g->done, &e);
        if (!chance(g, 10) || e.kind == ETM_EVENT_STACKING)
            continue;
        if (chance(g, 20)) {
            pins.kind = ETM_EVENT_EXT_INPUTS;
            pins.u.ext_inputs.word = (uint8_t)below(g, 8);
            pins.u.ext_inputs.level = (uint32_t)random_next(&g->r);
        } else {
            pins.u.pins.ext_in = (uint8_t)below(g, 16);
            pins.u.pins.eice = (uint8_t)below(g, 256);
            pins.u.pins.eice_sampled = (uint8_t)below(g, 256);
            pins.u.pins.mmd = (uint16_t)(1u << below(g, 16));
        }
        add(&g->done, &pins);
    }
}

static void fail_round(const struct round *g, const char *what, size_t at)
{
    size_t from = at < 4 ? 0 : at - 4;

    printf("ETM_TEST_SEED=%llu: %s at record %zu\n",
           (unsigned long long)g->seed, what, at);
    config_print(&g->config);
    for (size_t i = from; i <= at + 2; i++) {
        if (i < g->expected.n) {
            printf("expected %zu: ", i);
            record_print(&g->expected.r[i]);
        }
        if (i < g->actual.n) {
            printf("decoded  %zu: ", i);
            record_print(&g->actual.r[i]);
        }
    }
    if (getenv("ETM_TEST_VERBOSE") != NULL) {
        walk_print(&g->done);
        printf("selected:\n");
        walk_print(&g->selected);
        print_registers(&g->cell);
    }
    fail_msg("%s", what);
}

static void decode_elements(struct round *g)
{
    struct etm_image *image = program_image(&g->program);
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &g->config,
                                        .image = image,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = got_elements,
                                        .context = &g->got};
    struct etm_decoder *decoder;

    g->got.n = g->expected.n = g->actual.n = 0;
    assert_ok(etm_decoder_new(&decoder, &config));
    assert_ok(etm_decoder_push(decoder, g->cell.bytes, g->cell.n_bytes));
    assert_ok(etm_decoder_finish(decoder));
    etm_decoder_free(decoder);
    etm_image_free(image);
}

static void compare(struct round *g)
{
    const char *wrong;
    unsigned triggers = 0;
    size_t at = 0, n = 0;

    for (size_t i = 0; i < g->got.n; i++)
        if (g->got.e[i].kind == ETM_ELEMENT_TRIGGER)
            triggers++;
        else
            g->got.e[n++] = g->got.e[i];
    g->got.n = n;
    expect_walk(&g->expected, &g->program, &g->selected, &g->cell.generator);
    wrong = got_records(&g->actual, &g->program, &g->got);
    if (wrong == NULL)
        wrong = records_compare(&g->program, &g->cell.generator, &g->expected,
                                &g->actual, &at);
    /* one may come while the FIFO drains in the end */
    n = judge.triggers;
    for (unsigned i = 0; i < 1000; i++)
        judge_cycle(&judge);
    if (wrong == NULL && (triggers < n || triggers > judge.triggers))
        wrong = "triggers";
    if (wrong != NULL)
        fail_round(g, wrong, at);
}

/* What the plain resources select; false: not what this test can tell. */
static bool select_plainly(struct round *g)
{
    struct etm_resources_config config =
        etm_resources_config_of(&g->cell.m->registers);

    config.late_events = g->cell.output.late_events;
    memset(&judge, 0, sizeof judge);
    judge.walk = &g->done;
    judge.moves = judge_slot_moves;
    judge.context = &g->program;
    judge.verdicts = verdicts;
    judge.closed = g->closed;
    plain_program(&judge.p, &config, g->cell.m->registers.value);
    judge_walk(&judge);
    g->verdicts = verdicts;
    return select_events(g) && !judge.unclear;
}

/* A configuration, a program, and what the processor did; false: no processor
 * can begin so. */
static bool make_walk(struct round *g, unsigned kind, uint64_t seed,
                      unsigned steps)
{
    g->seed = seed;
    g->r.state = seed;
    if (kind == 2)
        config_make_data(&g->config, &g->r);
    else
        config_make(&g->config,
                    kind == 0 ? ETM_PROTOCOL_PFT : ETM_PROTOCOL_ETMV3, &g->r);
    g->config.data_only = false;
    program_make(&g->program, &g->config, &g->r);
    walk_make(&g->walk, &g->program, &g->r, 10 + below(g, steps));
    return strip(g) && g->done.n != 0;
}

/* Pieces of any length: that must not matter. */
static void execute(struct round *g)
{
    for (size_t i = 0, n; i < g->done.n; i += n) {
        n = 1 + below(g, 60);
        if (n > g->done.n - i)
            n = g->done.n - i;
        if (etm_macrocell_run(g->cell.m, &g->done.events[i], n) != ETM_OK)
            fail_round(g, "the macrocell refuses an event", i);
    }
    finish(&g->cell);
}

static bool one_round(struct round *g, unsigned kind, uint64_t seed)
{
    struct cell *c = &g->cell;
    bool told;

    if (!make_walk(g, kind, seed, 120))
        return false;
    g->config.timestamps = false;
    /* two atoms at a beginning share its one cycle: counts are made up */
    if (g->config.thumb32_split && g->config.minor < 3)
        g->config.cycle_accurate = false;
    season(g);
    cell_begin(c, &g->config);
    c->generator.packing =
        chance(g, 70) ? ETM_PACKING_DENSE : ETM_PACKING_SINGLE;
    if (chance(g, 50)) /* a shorter way */
        c->output.packets = NULL;
    c->output.fifo_size = UINT64_MAX;
    c->output.trace_waits = true;
    c->output.late_events = chance(g, 20);
    cell_make(c);
    g->closed = g->config.security && chance(g, 40);
    if (g->closed) {
        static const struct etm_macrocell_pins non_secure_only = {.niden =
                                                                      true};

        etm_macrocell_set_pins(c->m, &non_secure_only);
    }
    program_random(g, c);
    told = select_plainly(g);
    if (told) {
        execute(g);
        c->generator.config = &g->config;
        decode_elements(g);
        compare(g);
    }
    cell_end(c);
    return told;
}

static void rounds(unsigned kind)
{
    static struct round round;
    unsigned long n = setting("ETM_TEST_ROUNDS", 5000);
    unsigned long seed = setting("ETM_TEST_SEED", 1), told = 0;

    for (unsigned long i = 0; i < n; i++)
        told += one_round(&round, kind, seed + i);
    if (getenv("ETM_TEST_VERBOSE"))
        printf("%lu of %lu\n", told, n);
    assert_true(n < 1000 || told > n / 4);
}

/* MC-SEC-01, MC-SEC-03, MC-SEC-06, MC-SEC-07, MC-TRG-09, MC-TE-01 to -06,
 * MC-TE-21, MC-GEN-02, -03, -04, MC-PRG-24 */
TEST(pft_traces_what_the_resources_select)
{
    rounds(0);
}

TEST(etmv3_traces_what_the_resources_select)
{
    rounds(1);
}

/* MC-TE-12, MC-TE-13, MC-TE-26, MC-VD-01 to -05, MC-VD-08, MC-CPRT-01 to -04,
 * MC-GEN-01 */
TEST(data_are_traced_as_the_resources_select)
{
    rounds(2);
}

/* Of an I-sync: in progress when tracing began, and perhaps traced before. */
static bool is_implied(const struct round *g, const struct etm_element *e)
{
    return g->config.protocol == ETM_PROTOCOL_ETMV3 &&
           (g->cell.bytes[e->offset] & 0x80u) == 0;
}

/* Addresses of instructions, in the order in which they were executed. */
static bool executed_in_order(const struct round *g)
{
    size_t at = 0;

    for (size_t i = 0; i < g->got.n; i++) {
        const struct etm_element *e = &g->got.e[i];

        if (e->kind != ETM_ELEMENT_INSN || is_implied(g, e))
            continue;
        while (at < g->done.n &&
               (g->done.events[at].kind != ETM_EVENT_INSN ||
                g->done.events[at].u.insn.address != e->u.insn.address))
            at++;
        if (at == g->done.n)
            return false;
        at++;
    }
    return true;
}

/* A word that this instruction moved. The values of `done` come one by one. */
static bool moved(const struct round *g, const struct etm_element *data)
{
    const struct etm_event *owner = NULL;

    for (size_t i = 0; i < g->done.n; i++) {
        const struct etm_event *e = &g->done.events[i];

        if (e->kind == ETM_EVENT_STACKING)
            owner = NULL;
        if (e->kind == ETM_EVENT_INSN && e->u.insn.passed &&
            moves_of(program_at(&g->program, e->u.insn.address,
                                (enum etm_isa)e->u.insn.isa)) != NULL)
            owner = e;
        if (e->kind == ETM_EVENT_DATA && owner != NULL &&
            owner->u.insn.address == data->u.data.insn &&
            (!data->u.data.address_known ||
             e->u.data.address == data->u.data.address) &&
            (!data->u.data.value_known ||
             (uint32_t)e->u.data.value == data->u.data.value))
            return true;
    }
    return false;
}

static bool data_were_moved(const struct round *g)
{
    for (size_t i = 0; i < g->got.n; i++) {
        const struct etm_element *e = &g->got.e[i];

        if (e->kind == ETM_ELEMENT_DATA && e->u.data.insn_known &&
            e->u.data.status == ETM_DATA_OK && !moved(g, e))
            return false;
    }
    return true;
}

static unsigned overflow_round(struct round *g, unsigned kind, uint64_t seed)
{
    struct cell *c = &g->cell;
    unsigned overflows = 0;

    if (!make_walk(g, kind, seed, 500))
        return 0;
    season(g);
    cell_begin(c, &g->config);
    c->output.fifo_size = 30 + below(g, 60);
    c->output.drain_bits = (uint16_t)(1 + below(g, 12));
    c->output.drain_cycles = (uint16_t)(1 + below(g, 4));
    c->output.timestamp_cycles = 3;
    if (chance(g, 50)) /* a shorter way */
        c->output.packets = NULL;
    cell_make(c);
    program_random(g, c);
    execute(g);
    decode_elements(g);
    for (size_t i = 0; i < g->got.n; i++) {
        const struct etm_element *e = &g->got.e[i];

        if (e->kind == ETM_ELEMENT_LOST)
            fail_round(g, "something was lost that is no overflow", i);
        overflows += e->kind == ETM_ELEMENT_TRACE_ON &&
                     e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
    }
    if (!executed_in_order(g))
        fail_round(g, "what was not executed is decoded", 0);
    if (!data_were_moved(g))
        fail_round(g, "data are those of another instruction", 0);
    cell_end(c);
    return overflows;
}

/* MC-FIFO-23: whatever overflows, what comes out was executed, in that order,
 * and each gap has its reason. */
TEST(overflows_leave_a_part_of_the_truth)
{
    static struct round round;
    unsigned overflows = 0;

    for (uint64_t seed = 1; seed <= 4000; seed++)
        overflows += overflow_round(&round, (unsigned)(seed % 4 % 3), seed);
    assert_true(overflows > 1000);
}
