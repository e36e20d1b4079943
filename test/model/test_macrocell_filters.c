/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random executions of random programs, with random values in all registers
 * that select something: what comes back from the bytes is what the plain
 * resources select, instruction by instruction and transfer by transfer.
 */
#include "macrocell_judge.h"

#include "../support/setting.h"
#include "model/macrocell.h"

static struct judge judge;
static struct verdict verdicts[WALK_EVENTS];

static bool chance(struct round *g, unsigned percent)
{
    return random_chance(&g->r, percent);
}

static uint32_t below(struct round *g, uint32_t n)
{
    return random_below(&g->r, n);
}

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

/* An event of a kind that was executed; NULL: none was met. */
static const struct etm_event *some(struct round *g, enum etm_event_kind kind)
{
    for (unsigned n = 0; n < 30; n++) {
        const struct etm_event *e =
            &g->done.events[below(g, (uint32_t)g->done.n)];

        if (e->kind == kind)
            return e;
    }
    return NULL;
}

static void comparator(struct round *g, unsigned n)
{
    struct cell *c = &g->cell;
    const struct etm_event *e = some(g, ETM_EVENT_DATA);
    bool data = e != NULL && chance(g, 30);
    uint32_t type = data ? 4 + below(g, 3) : below(g, 4);
    uint32_t at, control, mask, value;

    if (!data)
        e = some(g, ETM_EVENT_INSN);
    at = e == NULL ? 0 : data ? e->u.data.address : e->u.insn.address;
    control = type | (chance(g, 70) ? 3u : below(g, 4)) << 3;
    control |= chance(g, 70) && g->config.virtualization ? 0x4000 : 0;
    control |= chance(g, 10) ? below(g, 16) << 10 : 0;
    control |= chance(g, 10) ? below(g, 4) << 8 : 0;
    control |= chance(g, 15) ? 1u << 7 : 0;
    control |= data && chance(g, 25) ? below(g, 4) << 5 : 0;
    poke(c, ETM_REG_ACVR1 + n, at);
    poke(c, ETM_REG_ACTR1 + n, control);
    value = data ? (uint32_t)e->u.data.value : 0;
    mask = chance(g, 50) ? 0xffffff00 : 0;
    if (g->config.minor >= 3 && (control >> 3 & 3) != 3) {
        uint32_t unit = (control >> 3 & 3) == 1 ? 0xffff : 0xff;

        value = (value & unit) * (unit == 0xff ? 0x01010101 : 0x00010001);
        mask = 0;
    }
    poke(c, ETM_REG_DCVR1 + n, value & ~mask);
    poke(c, ETM_REG_DCMR1 + n, mask);
    if (chance(g, 30))
        return;
    poke(c, ETM_REG_ACVR1 + n + 1, at + 1 + below(g, 1u << below(g, 12)));
    poke(c, ETM_REG_ACTR1 + n + 1, control & ~0x60u);
}

static uint32_t event(struct round *g)
{
    static const uint8_t resources[] = {
        0x00, 0x02, 0x05, 0x10, 0x11, 0x12, 0x20, 0x22, 0x30, 0x34,
        0x40, 0x41, 0x42, 0x50, 0x51, 0x52, 0x58, 0x59, 0x5f, 0x60,
        0x61, 0x68, 0x6a, 0x6d, 0x6e, 0x6f, 0x00, 0x10, 0x13,
    };

    return below(g, 8) << 14 | resources[below(g, sizeof resources)] |
           (uint32_t)resources[below(g, sizeof resources)] << 7;
}

static void derived(struct round *g)
{
    struct cell *c = &g->cell;
    bool pft = g->config.protocol == ETM_PROTOCOL_PFT;

    for (uint32_t n = 0; n < 4; n++) {
        poke(c, ETM_REG_CNTRLDVR1 + n, below(g, 20));
        poke(c, ETM_REG_CNTENR1 + n, event(g));
        poke(c, ETM_REG_CNTRLDEVR1 + n, chance(g, 50) ? 0x406f : event(g));
    }
    for (uint32_t n = 0; n < 6; n++)
        poke(c, ETM_REG_SQ12EVR + n, event(g));
    for (uint32_t n = 0; n < 3; n++) {
        const struct etm_event *e = some(g, ETM_EVENT_CONTEXT);

        poke(c, ETM_REG_CIDCVR1 + n, e == NULL ? 0 : e->u.context.context_id);
    }
    if (pft || g->config.minor >= 1)
        poke(c, ETM_REG_EXTINSELR, (uint32_t)random_next(&g->r));
    if (pft || g->config.minor >= 4)
        poke(c, ETM_REG_TESSEICR,
             random_few(&g->r, 8) | random_few(&g->r, 8) << 16);
    if (pft || g->config.minor >= 4)
        poke(c, ETM_REG_EIBCR, below(g, 256));
    /* one between two transfers has a say in where elements stand */
    if (!config_traces_data(&g->config) && chance(g, 50))
        poke(c, ETM_REG_TRIGGER, event(g));
}

static void filters(struct round *g)
{
    struct cell *c = &g->cell;
    bool pft = g->config.protocol == ETM_PROTOCOL_PFT;

    poke(c, ETM_REG_SYNCFR, g->config.sync_period);
    poke(c, ETM_REG_TEEVR, chance(g, 60) ? 0x6f : event(g));
    poke(c, ETM_REG_TECR1,
         random_few(&g->r, chance(g, 80) ? 8 : 24) |
             (uint32_t)chance(g, 60) << 24 | (uint32_t)chance(g, 25) << 25);
    poke(c, ETM_REG_TSSCR, random_few(&g->r, 32));
    if (pft)
        return;
    poke(c, ETM_REG_TECR2, random_few(&g->r, 16));
    poke(c, ETM_REG_VDEVR, chance(g, 60) ? 0x6f : event(g));
    poke(c, ETM_REG_VDCR1, random_few(&g->r, 32));
    poke(c, ETM_REG_VDCR2, chance(g, 20) ? random_few(&g->r, 32) : 0);
    poke(c, ETM_REG_VDCR3,
         random_few(&g->r, 16) | (uint32_t)chance(g, 60) << 16);
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
        for (unsigned n = 0; n < 0x91; n++)
            if (g->cell.m->registers.value[n] != 0)
                printf("%03x %08x\n", n, g->cell.m->registers.value[n]);
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
    assert_int_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    assert_int_equal(etm_decoder_push(decoder, g->cell.bytes, g->cell.n_bytes),
                     ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
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

/* Random values in the registers that select. */
static void program(struct round *g)
{
    program_begin(&g->cell);
    program_nothing(&g->cell);
    for (unsigned n = 0; n < 16; n += 2)
        comparator(g, n);
    derived(g);
    filters(g);
    program_end(&g->cell, cell_control(&g->config));
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
    program(g);
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
static void pft_traces_what_the_resources_select(void **state)
{
    (void)state;
    rounds(0);
}

static void etmv3_traces_what_the_resources_select(void **state)
{
    (void)state;
    rounds(1);
}

/* MC-TE-12, MC-TE-13, MC-TE-26, MC-VD-01 to -05, MC-VD-08, MC-CPRT-01 to -04,
 * MC-GEN-01 */
static void data_are_traced_as_the_resources_select(void **state)
{
    (void)state;
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
    program(g);
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
static void overflows_leave_a_part_of_the_truth(void **state)
{
    static struct round round;
    unsigned overflows = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 4000; seed++)
        overflows += overflow_round(&round, (unsigned)(seed % 4 % 3), seed);
    assert_true(overflows > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pft_traces_what_the_resources_select),
        cmocka_unit_test(etmv3_traces_what_the_resources_select),
        cmocka_unit_test(data_are_traced_as_the_resources_select),
        cmocka_unit_test(overflows_leave_a_part_of_the_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
