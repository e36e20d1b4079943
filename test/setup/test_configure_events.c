/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests for events and modes, and what is refused. TV-... and MC-... are
 * rows of doc/conformance.md.
 */
#include "rig.h"

/* MC-HLP-05, MC-HLP-10, TV-XM-01 */
static void trigger_comes_after_the_nth_time(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        struct rig g;

        rig_make(&g, "cortex-a8", versions[v]);
        g.request.trigger = (struct etm_request_condition){
            .what = ETM_CONDITION_MATCH, .match = AT(0x8004), .times = 3};
        rig_run(&g);
        assert_int_equal(rig_value(&g, "ETMCNTRLDVR1"), 3);
        assert_int_equal(rig_value(&g, "ETMCNTENR1"), v < 4 ? 0x20000 : 0);
        assert_int_equal(rig_value(&g, "ETMCNTRLDEVR1"), 0x406f);
        assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x40);
        assert_int_equal(rig_value(&g, "ETMACTR1"),
                         v < 4 || v > 11 ? 0x19 : 0x99);
        for (unsigned i = 0; i < 3; i++) {
            assert_false(rig_insn(&g, 0x8000).trigger);
            assert_false(rig_insn(&g, 0x8004).trigger);
        }
        assert_true(rig_insn(&g, 0x8008).trigger);
    }
}

/* TV-SEQ-01, MC-SEQ-10, TV-EVT-06, TV-SEQ-02 */
static void chain_goes_through_the_sequencer(void **state)
{
    static const struct etm_request_condition chain[] = {
        {.what = ETM_CONDITION_MATCH, .match = AT(0x8000)},
        {.what = ETM_CONDITION_MATCH, .match = AT(0x8010)},
        {.what = ETM_CONDITION_MATCH, .match = AT(0x8020)}};
    static const uint32_t run[] = {0x8010, 0x8020, 0x8000, 0x8020,
                                   0x8000, 0x8010, 0x8000, 0x8020};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.chain = chain;
    g.request.n_chain = 3;
    g.request.trigger.what = ETM_CONDITION_CHAIN;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMSQ12EVR"), 0x0c001);
    assert_int_equal(rig_value(&g, "ETMSQ23EVR"), 0x00001);
    assert_int_equal(rig_value(&g, "ETMSQ13EVR"), 0x08080);
    assert_int_equal(rig_value(&g, "ETMSQ21EVR"), 0x0406f);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x08152);
    for (size_t i = 0; i < COUNT(run); i++)
        assert_int_equal(rig_insn(&g, run[i]).trigger, i + 1 == COUNT(run));
    /* Twice the same: two steps. */
    g.request.n_chain = 2;
    g.request.chain = (const struct etm_request_condition[]){
        {.what = ETM_CONDITION_EXTERNAL, .number = 1},
        {.what = ETM_CONDITION_EXTERNAL, .number = 1}};
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMSQ12EVR"), 0x60);
    assert_int_equal(rig_value(&g, "ETMSQ23EVR"), 0x60);
    assert_int_equal(rig_value(&g, "ETMSQ13EVR"), 0x406f);
}

/* 3.6.2: the trigger of a chain of three joins the sequencer's state with the
 * last condition, and has no room for another one, on whichever side. */
static void chain_of_three_is_joined_to_nothing(void **state)
{
    static const struct etm_request_condition chain[] = {
        {.what = ETM_CONDITION_EXTERNAL, .number = 1},
        {.what = ETM_CONDITION_EXTERNAL, .number = 2},
        {.what = ETM_CONDITION_EXTERNAL, .number = 1}};
    static const struct etm_request_condition both[2] = {
        {.what = ETM_CONDITION_CHAIN},
        {.what = ETM_CONDITION_EXTERNAL, .number = 2}};

    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        struct rig g;

        rig_make(&g, "cortex-a8", NULL);
        g.request.chain = chain;
        g.request.n_chain = 3;
        g.request.trigger = both[first];
        g.request.trigger.with = &both[1 - first];
        assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
        assert_non_null(strstr(g.diag.what, "needs both (3.6.2)"));
    }
}

/* MC-HLP-09, MC-HLP-16, MC-EVT-14 */
static void two_conditions_make_one_event(void **state)
{
    struct etm_request_condition a = {.what = ETM_CONDITION_EXTERNAL,
                                      .number = 1};
    struct etm_request_condition b = {.what = ETM_CONDITION_EXTERNAL,
                                      .number = 2};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    for (unsigned n = 0; n < 8; n++) {
        a.inverted = n & 1;
        b.inverted = n & 2;
        a.either = n & 4;
        a.with = &b;
        g.request.external[1] = a;
        rig_run(&g);
        for (unsigned inputs = 0; inputs < 4; inputs++) {
            struct etm_resource_pins pins = {.ext_in = (uint8_t)inputs};
            bool one = (inputs & 1) != (n & 1);
            bool two = (inputs >> 1) != (n >> 1 & 1);

            etm_resources_pins(&g.resources, &pins);
            assert_int_equal(rig_insn(&g, 0x8000).ext_out,
                             (a.either ? one || two : one && two) ? 2 : 0);
        }
    }
    /* Count what is not in a prohibited region. */
    g.request.external[1].what = ETM_CONDITION_NONE;
    b = (struct etm_request_condition){.what = ETM_CONDITION_PROHIBITED,
                                       .inverted = true};
    g.request.trigger =
        (struct etm_request_condition){.what = ETM_CONDITION_MATCH,
                                       .match = AT(0x8000),
                                       .times = 2,
                                       .with = &b};
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMCNTENR1"), 3 << 14 | 0x00 << 7 | 0x6e);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x40);
    a.with = &a;
    g.request.trigger = a;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
}

/* MC-CNT-16, MC-CNT-07 */
static void period_is_a_counter_that_reloads_itself(void **state)
{
    static const char *const kinds[] = {"v1.3", "v2.0", "v3.0",
                                        "v3.4", "v3.5", "pft1.0"};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(kinds); v++) {
        unsigned hits = 0, last = 0;

        rig_make(&g, "cortex-a8", kinds[v]);
        g.request.external[0].what = ETM_CONDITION_EVERY;
        g.request.external[0].number = 7;
        rig_run(&g);
        for (unsigned i = 1; i <= 70; i++) {
            if (!(rig_insn(&g, 0x8000).ext_out & 1u))
                continue;
            assert_true(last == 0 || i - last == 7);
            last = i;
            hits++;
        }
        assert_int_equal(hits, 10);
    }
    /* ETM-M4: its counter has a reload value and nothing else. */
    rig_make(&g, "cortex-m4", NULL);
    g.request.timestamps = true;
    g.request.timestamp.what = ETM_CONDITION_EVERY;
    g.request.timestamp.number = 1000;
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMTSEVR"), 0x40);
    assert_int_equal(rig_value(&g, "ETMCNTRLDVR1"), 999);
    assert_int_equal(etm_setup_get(&g.setup, ETM_REG_CNTENR1, &(uint32_t){0}),
                     ETM_ERR_NOT_FOUND);
    g.request.trigger.what = ETM_CONDITION_EXTERNAL;
    g.request.trigger.number = 1;
    g.request.trigger.times = 3;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "counts cycles"));
}

/* A counter counts cycles, which matters for what can hold longer than one. */
static void counting_of_levels_is_noted(void **state)
{
    static const struct etm_request_condition level = {
        .what = ETM_CONDITION_EXTERNAL, .number = 2};
    static const struct etm_request_condition pulse = {
        .what = ETM_CONDITION_MATCH, .match = AT(0x8004)};
    static const char note[] = "counts each cycle in which its condition holds";
    struct rig g;

    (void)state;
    for (unsigned row = 0; row < 16; row++) {
        bool first = row & 1, second = row & 2, with = row & 4,
             either = row & 8;
        bool lasts = first;

        rig_make(&g, "cortex-a8", NULL);
        g.request.trigger = first ? level : pulse;
        g.request.trigger.times = 3;
        if (with) {
            g.request.trigger.with = second ? &level : &pulse;
            g.request.trigger.either = either;
            lasts = either ? first || second : first && second;
        }
        rig_configure(&g);
        assert_int_equal(rig_noted(&g, note), lasts);
    }
    rig_make(&g, "cortex-a8", NULL);
    g.request.trigger = pulse;
    g.request.trigger.times = 3;
    g.request.trigger.inverted = true;
    rig_configure(&g);
    assert_true(rig_noted(&g, note));
    g.request.trigger = (struct etm_request_condition){
        .what = ETM_CONDITION_ALWAYS, .times = 1000};
    rig_configure(&g); /* for so many cycles, as it says */
    assert_false(rig_noted(&g, note));
}

/* One counter is enough for what several events need alike. */
static void equal_counts_share_a_counter(void **state)
{
    const struct etm_request_condition every = {.what = ETM_CONDITION_EVERY,
                                                .number = 100};
    const struct etm_request_condition third = {
        .what = ETM_CONDITION_MATCH, .match = AT(0x8004), .times = 3};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.timestamps = true;
    g.request.trigger = g.request.timestamp = every;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x40);
    assert_int_equal(rig_value(&g, "ETMTSEVR"), 0x40);
    g.request.timestamp.number = 101;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);

    rig_make(&g, "cortex-a8", NULL);
    g.request.trigger = g.request.external[0] = third;
    g.request.external[1] = every;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x40);
    assert_int_equal(rig_value(&g, "ETMEXTOUTEVR1"), 0x40);
    assert_int_equal(rig_value(&g, "ETMEXTOUTEVR2"), 0x41);
    g.request.external[0].inverted = true; /* counts something else */
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    g.request.external[0].inverted = false;
    g.request.external[0].times = 99; /* the reload value of the period */
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
}

/*
 * 7.6.2: with ETMEIBCR, whose value after a reset is unknown, a tool has to say
 * how each input behaves: latched for the enabling events, else a pulse.
 * MC-EICE-06, MC-EICE-07, V3-EICE-06
 */
static void behaviour_of_embedded_ice_follows_its_use(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned has = 0; has < 2; has++) {
        rig_make(&g, "cortex-a8", "v3.4");
        g.macrocell.ccer |= 4u << 16 | has << 21;
        g.request.when = (struct etm_request_condition){
            .what = ETM_CONDITION_ICE, .number = 3};
        g.request.trigger = (struct etm_request_condition){
            .what = ETM_CONDITION_ICE, .number = 1, .times = 2};
        if (has) {
            rig_run(&g);
            assert_int_equal(rig_value(&g, "ETMEIBCR"), 0x4);
            /* one behaviour for both uses */
            g.request.trigger.number = 3;
            assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
            assert_non_null(strstr(g.diag.what, "ETMEIBCR"));
            /* counted, it is a pulse in an enabling event, too */
            g.request.when.times = 5;
            rig_run(&g);
            assert_int_equal(rig_value(&g, "ETMEIBCR"), 0);
        } else {
            uint32_t value;

            rig_run(&g);
            assert_int_equal(etm_setup_get(&g.setup, ETM_REG_EIBCR, &value),
                             ETM_ERR_NOT_FOUND);
            g.request.trigger.number = 3;
            rig_run(&g);
        }
    }
}

/* MC-HLP-15, MC-INS-02 */
static void program_can_switch_the_trace(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.when.what = ETM_CONDITION_INSTRUMENTATION;
    g.request.when.number = 2;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    g.macrocell.ccer |= 2u << 13;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x19);
    assert_true(rig_noted(&g, "DBG #1 on, DBG #5 off"));
}

static void control_register_holds_the_modes(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a15", NULL);
    g.request.cycle_accurate = true;
    g.request.timestamps = true;
    g.request.return_stack = true;
    g.request.vmid = true;
    g.request.context_id_bytes = 4;
    g.request.trace_id = 0x13;
    g.request.sync_period = 0x400;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMCR"), 0x7000d000);
    assert_int_equal(rig_value(&g, "ETMTRACEIDR"), 0x13);
    assert_int_equal(rig_value(&g, "ETMSYNCFR"), 0x400);
    g.request.stall = true;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "FIFOFULL"));
    /* MC-HLP-14 */
    rig_make(&g, "cortex-a8", NULL);
    g.request.cprt = g.request.cprt_filter = true;
    g.request.branch_broadcast = true;
    g.request.suppress = true;
    g.request.port_pins = 8;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMCR"), 0x000c0912);
    assert_int_equal(rig_value(&g, "ETMFFLR"), 32);
    g.request.cprt = false;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.cprt = true;
    g.request.stall = true;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
}

/* Table 3-6, V3-CFG-14 */
static void each_size_of_a_port_has_its_code(void **state)
{
    static const struct {
        uint8_t pins;
        uint32_t cr;
    } sizes[] = {{4, 0x00},  {8, 0x10},     {16, 0x20},
                 {24, 0x30}, {32, 0x40},    {48, 0x50},
                 {64, 0x60}, {1, 0x200000}, {2, 0x200010}};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.macrocell.port_sizes = 0x37f;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        g.request.port_pins = sizes[i].pins;
        rig_run(&g);
        assert_int_equal(rig_value(&g, "ETMCR") & 0x200070, sizes[i].cr);
    }
}

/* PORT-MODE-01, PORT-MODE-05: of table 2-17 only what the macrocell has */
static void ports_that_do_not_exist_are_refused(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, "arm9tdmi", NULL);
    g.request.half_rate = true;
    g.request.port_mode = 2;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMCR"), 0x00022820);
    g.request.port_mode = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    assert_non_null(strstr(g.diag.what, "cannot be clocked at half rate"));
    g.request.half_rate = false;
    rig_run(&g);
    g.request.port_mode = 3;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    g.request.port_mode = 0;
    g.request.half_rate = true;
    g.macrocell.scr &= ~(uint32_t)8;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "ETMSCR[3]"));
    rig_make(&g, "arm9tdmi-small", NULL);
    g.request.port_pins = 16;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.what,
                        "this macrocell has no trace port of 16 pins");
}

/* What a macrocell has not is named, before anything else is found out. */
static void what_lacks_is_named(void **state)
{
    static const struct etm_request_condition links[] = {
        {.what = ETM_CONDITION_ALWAYS}, {.what = ETM_CONDITION_ALWAYS}};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.chain = links;
    g.request.n_chain = 2;
    g.request.trigger.what = ETM_CONDITION_CHAIN;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.what, "this macrocell has no sequencer");
    rig_make(&g, "cortex-a8", NULL);
    g.request.timestamp.what = ETM_CONDITION_ALWAYS;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.what, "this macrocell has no timestamp event");
    rig_make(&g, "cortex-a9", NULL);
    g.request.cprt = true;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.what, "this macrocell has no trace of "
                                     "coprocessor transfers");
    rig_make(&g, "cortex-a8", NULL);
    g.request.trigger.what = ETM_CONDITION_EXTENDED;
    for (unsigned i = 0; i < 2; i++)
        g.request.external[i] = (struct etm_request_condition){
            .what = ETM_CONDITION_EXTENDED, .number = i};
    rig_configure(&g); /* two inputs, one of them for two events */
    g.request.trigger.number = 2;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(
        g.diag.what,
        "3 selectors of extended inputs are needed, but this macrocell has 2");
}

/* A sample of the inputs in `inputs`, of which those in `high` match. */
static bool traced_after(struct rig *g, uint8_t inputs, uint8_t high)
{
    const struct etm_resource_pins pins = {.eice_sampled = inputs,
                                           .eice = high};

    etm_resources_pins(&g->resources, &pins);
    return rig_traced(g, 0x08000100);
}

/* 3.5.21: bit n-1 starts and bit n+15 stops for input n. The macrocell of a
 * Cortex-M3 has four of them, from the DWT, and no address comparators. */
static void watchpoint_comparators_start_and_stop(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.start_ice = 1 << 0;
    g.request.stop_ice = 1 << 1 | 1 << 3;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTESSEICR"), 0x000a0001);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 0x03000000);
    assert_true(rig_noted(&g, "comparator 1 is DWT comparator 0"));
    assert_true(rig_noted(&g, "at 0xe0001058 8 for an instruction"));
    assert_false(rig_traced(&g, 0x08000100));
    assert_true(traced_after(&g, 1, 1));
    assert_true(traced_after(&g, 0xf, 0));
    assert_false(traced_after(&g, 2, 2));
    assert_true(traced_after(&g, 1, 1));
    assert_false(traced_after(&g, 8, 8));
    g.request.trigger.what = ETM_CONDITION_STARTED;
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x5f);
    g.request.stop_ice = 1 << 0;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.stop_ice = 1 << 4;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.what,
                        "this macrocell has no EmbeddedICE comparator 5");
    g.request.stop_ice = 0;
    rig_configure(&g);
    assert_true(rig_noted(&g, "nothing stops"));
    rig_make(&g, "cortex-a8", NULL);
    g.request.start_ice = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "ETMCCER[20]"));
}

/* With ETMEIBCR, an input that starts has to pulse (7.6.1). */
static void watchpoint_comparator_that_starts_is_a_pulse(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.macrocell.ccer |= UINT32_C(1) << 21;
    g.request.start_ice = 1;
    g.request.when =
        (struct etm_request_condition){.what = ETM_CONDITION_ICE, .number = 2};
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMEIBCR"), 2);
    g.request.when.number = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "one behaviour for both"));
}

/* What contradicts itself is refused, and says why. */
static void contradictions_are_refused(void **state)
{
    static const struct etm_request_match at[] = {AT(0x1000)};
    static const struct etm_request_match region[] = {RANGE(0x1000, 0x1fff)};
    static const struct etm_request_match backwards[] = {RANGE(0x2000, 0x1fff)};
    static const struct etm_request_match odd[] = {
        {.look = ETM_LOOK_LOAD, .from = 0x1001, .size = 4}};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.start = g.request.stop = at;
    g.request.n_stop = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.n_start = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    assert_non_null(strstr(g.diag.what, "both start and stop"));
    g.request.n_stop = 0;
    rig_configure(&g);
    assert_true(rig_noted(&g, "nothing stops"));
    g.request.start = region;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.n_start = 0;
    g.request.include = backwards;
    g.request.n_include = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.include = region;
    g.request.exclude = region;
    g.request.n_exclude = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.n_include = g.request.n_exclude = 0;
    g.request.data_include = odd;
    g.request.n_data_include = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.data_value = true;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    assert_non_null(strstr(g.diag.what, "aligned"));
    g.request.n_data_include = 0;
    g.request.trigger.what = ETM_CONDITION_CHAIN;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.trigger.what = ETM_CONDITION_STARTED;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    assert_non_null(strstr(g.diag.what, "nothing starts it"));
    g.request.start = at;
    g.request.n_start = 1;
    rig_configure(&g);
    g.request.trigger = (struct etm_request_condition){
        .what = ETM_CONDITION_ALWAYS, .times = 70000};
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trigger_comes_after_the_nth_time),
        cmocka_unit_test(chain_goes_through_the_sequencer),
        cmocka_unit_test(chain_of_three_is_joined_to_nothing),
        cmocka_unit_test(two_conditions_make_one_event),
        cmocka_unit_test(period_is_a_counter_that_reloads_itself),
        cmocka_unit_test(counting_of_levels_is_noted),
        cmocka_unit_test(equal_counts_share_a_counter),
        cmocka_unit_test(behaviour_of_embedded_ice_follows_its_use),
        cmocka_unit_test(watchpoint_comparators_start_and_stop),
        cmocka_unit_test(watchpoint_comparator_that_starts_is_a_pulse),
        cmocka_unit_test(program_can_switch_the_trace),
        cmocka_unit_test(control_register_holds_the_modes),
        cmocka_unit_test(each_size_of_a_port_has_its_code),
        cmocka_unit_test(ports_that_do_not_exist_are_refused),
        cmocka_unit_test(what_lacks_is_named),
        cmocka_unit_test(contradictions_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
