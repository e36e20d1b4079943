/* SPDX-License-Identifier: Apache-2.0 */
/* Counters, sequencer, trigger, inputs and outputs (ETM architecture 2.2.3,
   2.2.4, 2.4, 2.5, 2.9, 2.14, 7.6). */
#include "resources_util.h"

#define SAC1 0x00u
#define SAC2 0x01u
#define A_AND_NOT_B 0x0c001u
#define A_AND_B 0x08080u
#define ONLY_B 0x00001u

static void two_addresses(struct rig *g)
{
    sac(g, 1, 0x100, EXECUTE | WORD);
    sac(g, 2, 0x200, EXECUTE | WORD);
}

/* Instructions at A, B or both in one cycle. */
static void cycle_with(struct rig *g, bool a, bool b)
{
    if (a)
        insn(g, 0x100);
    if (b)
        insn(g, 0x200);
    cycle(g);
}

/* MF-07, MC-CNT-01, MC-CNT-02, MC-CNT-04, MC-CNT-14, MC-CNT-15, TV-CNT-01,
   MC-RES-08 */
static void counter_stops_at_zero(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_CNTVR1] = 3;
    g.value[ETM_REG_CNTENR1] = ALWAYS;
    g.value[ETM_REG_EXTOUTEVR1] = 0x40;
    rig_run(&g);
    for (unsigned n = 0; n < 6; n++) {
        assert_int_equal(g.r.counter[0], n < 3 ? 3 - n : 0);
        cycle(&g);
        assert_int_equal(g.out.ext_out, n >= 3);
    }
}

/* MC-CNT-03, TV-CNT-02 */
static void reload_comes_before_counting(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_CNTVR1] = 5;
    g.value[ETM_REG_CNTRLDVR1] = 9;
    g.value[ETM_REG_CNTENR1] = ALWAYS;
    g.value[ETM_REG_CNTRLDEVR1] = ALWAYS;
    rig_run(&g);
    cycle(&g);
    assert_int_equal(g.r.counter[0], 9);
}

/* MC-PAR-13, MC-CNT-08, TV-CNT-03 */
static void counter_counts_once_a_cycle(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    two_addresses(&g);
    g.value[ETM_REG_CNTVR1] = 5;
    g.value[ETM_REG_CNTENR1] = 5u << 14 | SAC2 << 7 | SAC1;
    rig_run(&g);
    cycle_with(&g, true, true);
    assert_int_equal(g.r.counter[0], 4);
    cycle_with(&g, false, true);
    assert_int_equal(g.r.counter[0], 3);
    cycle_with(&g, false, false);
    assert_int_equal(g.r.counter[0], 3);
}

/* ERR-25, MC-CNT-06, MC-FLD-22, MC-FLD-23, TV-CNT-04 */
static void counter_source_bit_is_of_v1_alone(void **state)
{
    static const struct {
        unsigned version;
        uint32_t enable;
        unsigned left;
    } rows[] = {
        {ETM_V1_0, 0x0406f, 4}, {ETM_V1_3, 0x2406f, 5}, {ETM_V1_3, 0x0406f, 4},
        {ETM_V2_0, 0x0406f, 5}, {ETM_V2_0, 0x2406f, 5}, {ETM_V2_0, 0x2006f, 4},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig_make(&g, rows[i].version);
        g.value[ETM_REG_CNTVR1 + 3] = 5;
        g.value[ETM_REG_CNTENR1 + 3] = rows[i].enable;
        rig_run(&g);
        cycle(&g);
        assert_int_equal(g.r.counter[3], rows[i].left);
    }
}

/* MC-CNT-16 */
static void counters_chain(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_CNTVR1] = g.value[ETM_REG_CNTRLDVR1] = 2;
    g.value[ETM_REG_CNTENR1] = ALWAYS;
    g.value[ETM_REG_CNTRLDEVR1] = 0x40; /* by itself */
    g.value[ETM_REG_CNTVR1 + 1] = 10;
    g.value[ETM_REG_CNTENR1 + 1] = 0x40;
    rig_run(&g);
    for (unsigned n = 0; n < 9; n++)
        cycle(&g);
    assert_int_equal(g.r.counter[1], 7);
}

/* MC-SEQ-11, MF-07, MC-SEQ-01 to MC-SEQ-05, MC-RES-09, TV-SEQ-03 */
static void sequencer_moves_for_exactly_one_event(void **state)
{
    struct rig g;

    (void)state;
    /* From each state with the events as bits of the number. */
    for (unsigned from = 0; from < 3; from++)
        for (unsigned events = 0; events < 64; events++) {
            static const uint8_t source[6] = {0, 1, 1, 2, 2, 0};
            static const uint8_t target[6] = {1, 0, 2, 0, 1, 2};
            unsigned ways = 0, to = from;

            rig_make(&g, ETM_V3_4);
            for (unsigned n = 0; n < 6; n++)
                if (events >> n & 1) {
                    g.value[ETM_REG_SQ12EVR + n] = ALWAYS;
                    if (source[n] == from) {
                        ways++;
                        to = target[n];
                    }
                }
            g.value[ETM_REG_SQR] = from;
            for (unsigned n = 0; n < 3; n++)
                g.value[ETM_REG_EXTOUTEVR1 + n] = 0x50 + n;
            rig_run(&g);
            cycle(&g);
            assert_int_equal(g.out.ext_out, 1u << from);
            assert_int_equal(g.r.state, ways == 1 ? to : from);
        }
}

/* Example 2-3: MC-PAR-13, TV-EVT-06, MC-SEQ-10, TV-SEQ-01, TV-SEQ-02 */
static void sequencer_for_events_that_may_coincide(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    two_addresses(&g);
    g.value[ETM_REG_SQ12EVR] = A_AND_NOT_B;
    g.value[ETM_REG_SQ12EVR + 2] = ONLY_B;
    g.value[ETM_REG_SQ12EVR + 5] = A_AND_B;
    rig_run(&g);
    cycle_with(&g, false, true);
    assert_int_equal(g.r.state, 0);
    cycle_with(&g, true, false);
    assert_int_equal(g.r.state, 1);
    cycle_with(&g, false, true);
    assert_int_equal(g.r.state, 2);
    rig_run(&g);
    cycle_with(&g, true, true);
    assert_int_equal(g.r.state, 2);
}

/* MF-24, MC-TRG-01, MC-TRG-02, MC-TRG-12 */
static void trigger_comes_once(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    two_addresses(&g);
    g.value[ETM_REG_TRIGGER] = SAC1;
    rig_run(&g);
    cycle_with(&g, false, true);
    assert_false(g.out.trigger);
    cycle_with(&g, true, false);
    assert_true(g.out.trigger);
    cycle_with(&g, true, false);
    assert_false(g.out.trigger);
    etm_resources_save(&g.r, g.value);
    assert_int_equal(g.value[ETM_REG_SR], ETM_SR_TRIGGER);
    g.value[ETM_REG_SR] = 0;
    etm_resources_program(&g.r, g.value);
    cycle_with(&g, true, false);
    assert_true(g.out.trigger);
}

/* MC-PRG-13, MC-CNT-09, MC-SEQ-09, MC-SSB-10, MC-EXT-02, MC-EXT-03 */
static void state_stands_still_while_programming(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned hold = ETM_RESOURCES_PROGRAMMING;
         hold <= ETM_RESOURCES_LOCKED; hold++) {
        rig_make(&g, ETM_V3_4);
        two_addresses(&g);
        g.value[ETM_REG_TRIGGER] = ALWAYS;
        g.value[ETM_REG_TSSCR] = 1;
        g.value[ETM_REG_CNTVR1] = 6;
        g.value[ETM_REG_CNTENR1] = ALWAYS;
        g.value[ETM_REG_SQ12EVR] = ALWAYS;
        g.value[ETM_REG_EXTOUTEVR1] = ALWAYS;
        rig_run(&g);
        etm_resources_hold(&g.r, (enum etm_resources_hold)hold);
        cycle_with(&g, true, false);
        assert_int_equal(g.out.insns, 0);
        assert_int_equal(g.out.ext_out, 0);
        assert_false(g.out.trigger);
        etm_resources_save(&g.r, g.value);
        assert_int_equal(g.value[ETM_REG_CNTVR1], 6);
        assert_int_equal(g.value[ETM_REG_SQR], 0);
        assert_int_equal(g.value[ETM_REG_SR], 0);
        etm_resources_hold(&g.r, ETM_RESOURCES_RUN);
        cycle_with(&g, true, false);
        assert_int_equal(g.out.insns, 1);
        assert_int_equal(g.out.ext_out, 1);
        assert_true(g.out.trigger);
        etm_resources_save(&g.r, g.value);
        assert_int_equal(g.value[ETM_REG_CNTVR1], 5);
        assert_int_equal(g.value[ETM_REG_SQR], 1);
        assert_int_equal(g.value[ETM_REG_SR],
                         ETM_SR_START_STOP | ETM_SR_TRIGGER);
    }
}

/* MF-13, MF-25, MC-FLD-29, MC-RES-12, MC-RES-13, MC-RES-16, MC-RES-21,
   MC-RES-22, MC-EXT-01 */
static void inputs_are_resources(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        rig_make(&g, ETM_V3_4);
        g.config.counts.ext_ext_in = 200;
        g.value[ETM_REG_EXTINSELR] = 0xc8c7211fu; /* 200, 199, 33, 31 */
        g.value[ETM_REG_EXTOUTEVR1] = 0x60 + n;
        g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x68 + n;
        g.value[ETM_REG_EXTOUTEVR1 + 2] = 0x3f;
        g.value[ETM_REG_EXTOUTEVR1 + 3] = 0x6f;
        rig_run(&g);
        cycle(&g);
        assert_int_equal(g.out.ext_out, 8);
        g.pins.ext_in = (uint8_t)(1u << n);
        pins(&g);
        cycle(&g);
        assert_int_equal(g.out.ext_out, 9);
        g.pins.ext_ext[0] = UINT32_C(1) << 31;
        g.pins.ext_ext[1] = 2;
        g.pins.ext_ext[6] = 3u << 7; /* 199; 200 is not there */
        g.pins.mmd = 0x8000;
        pins(&g);
        cycle(&g);
        assert_int_equal(g.out.ext_out, n < 3 ? 15 : 13);
    }
}

/* MC-EICE-06, table 7-21; TraceEnable sees a latch, an output a pulse. */
static void eice_input_is_latched_or_pulsed_by_its_use(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_TEEVR] = 0x27;
    g.value[ETM_REG_VDEVR] = 0x27;
    g.value[ETM_REG_EXTOUTEVR1] = 0x27;
    rig_run(&g);
    g.pins.eice = g.pins.eice_sampled = 0x80;
    pins(&g);
    for (unsigned n = 0; n < 3; n++) {
        insn(&g, 0x100);
        transfer(&g, false, 0x2000, 4, 0);
        cycle(&g);
        assert_int_equal(g.out.insns, 1);
        assert_int_equal(g.out.view, 1);
        assert_int_equal(g.out.ext_out, n == 0);
    }
    g.pins.eice = 0;
    pins(&g);
    insn(&g, 0x100);
    cycle(&g);
    assert_int_equal(g.out.insns, 0);
}

/* MC-FLD-31, MC-EICE-04, MC-EICE-05, V3-EICE-03 */
static void eice_input_is_latched_or_pulsed_by_its_register(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.config.counts.eice_behavior = true;
    g.value[ETM_REG_EIBCR] = 2;
    g.value[ETM_REG_TEEVR] = 0x20;
    g.value[ETM_REG_EXTOUTEVR1] = 0x20;
    g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x21;
    rig_run(&g);
    g.pins.eice = g.pins.eice_sampled = 3;
    pins(&g);
    insn(&g, 0x100);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 3);
    assert_int_equal(g.out.insns, 1);
    insn(&g, 0x100);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 2);
    assert_int_equal(g.out.insns, 0);
}

/* MC-EICE-01, MF-30, V3-EICE-01 */
static void eice_input_is_a_level_before_v3_4(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_3);
    g.value[ETM_REG_EXTOUTEVR1] = 0x21;
    g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x22;
    rig_run(&g);
    g.pins.eice = 6;
    pins(&g);
    cycle(&g);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 1);
}

static void hint_if(struct rig *g, unsigned n, bool passed)
{
    struct etm_resource_insn i = {.address = 0x100,
                                  .isa = ETM_ISA_ARM,
                                  .size = 4,
                                  .passed = passed,
                                  .hint = (uint8_t)(n + 1)};

    etm_resources_insn(&g->r, &i);
}

static void hint(struct rig *g, unsigned n)
{
    hint_if(g, n, true);
}

/* MC-INS-04, ERR-32, MF-12, MC-INS-02, MC-INS-03, MC-INS-05, MC-INS-11,
   MC-INS-12, TV-INS-01, TV-INS-03 to TV-INS-08: table 2-16, E-127 */
static void instrumentation_follows_its_table(void **state)
{
    enum { NONE = 99, SET = 0, CLEAR = 4, PULSE = 8 };
    static const struct {
        uint8_t first, second;
        bool before, now, next;
    } rows[] = {
        {NONE, SET, false, true, true},     {NONE, SET, true, true, true},
        {NONE, CLEAR, true, true, false},   {NONE, CLEAR, false, false, false},
        {CLEAR, SET, false, true, true},    {CLEAR, SET, true, true, true},
        {CLEAR, PULSE, false, true, false}, {CLEAR, PULSE, true, true, false},
        {NONE, PULSE, false, true, false},  {NONE, PULSE, true, true, false},
        {SET, CLEAR, false, true, false},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (unsigned n = 0; n < 4; n++) {
            rig_make(&g, ETM_V3_3);
            g.value[ETM_REG_EXTOUTEVR1] = 0x18 + n;
            rig_run(&g);
            if (rows[i].before) {
                hint(&g, SET + n);
                cycle(&g);
            }
            if (rows[i].first != NONE)
                hint(&g, rows[i].first + n);
            hint(&g, rows[i].second + n);
            cycle(&g);
            assert_int_equal(g.out.ext_out, rows[i].now);
            cycle(&g);
            assert_int_equal(g.out.ext_out, rows[i].next);
        }
}

/* MC-INS-08, MC-INS-09, MC-INS-10, MC-INS-13, MC-RES-04, E-128 */
static void instrumentation_needs_the_right(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned why = 0; why < 7; why++) {
        rig_make(&g, why == 1 ? ETM_V3_2 : ETM_V3_3);
        g.value[ETM_REG_EXTOUTEVR1] = 0x18;
        if (why == 2 || why == 5) /* only privileged code may; 5 is such */
            g.value[ETM_REG_CR] = ETM_CR_INSTRUMENTATION;
        rig_run(&g);
        g.context.user = why != 5;
        g.context.prohibited = why == 3;
        context(&g);
        if (why == 4)
            etm_resources_hold(&g.r, ETM_RESOURCES_LOCKED);
        hint_if(&g, 0, why != 6);
        hint(&g, 12);
        cycle(&g);
        etm_resources_hold(&g.r, ETM_RESOURCES_RUN);
        cycle(&g);
        assert_int_equal(g.out.ext_out, why == 0 || why == 5);
    }
}

/* MC-INS-06, MC-INS-07, TV-INS-02 */
static void hints_are_found_in_opcodes(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 16; n++) {
        assert_int_equal(etm_resources_hint(ETM_ISA_ARM, 0xe320f0f0u + n),
                         n + 1);
        assert_int_equal(etm_resources_hint(ETM_ISA_ARM, 0x0320f0f0u + n),
                         n + 1);
        assert_int_equal(etm_resources_hint(ETM_ISA_THUMB, 0xf3af80f0u + n),
                         n + 1);
    }
    assert_int_equal(etm_resources_hint(ETM_ISA_ARM, 0xe320f000), 0); /* NOP */
    assert_int_equal(etm_resources_hint(ETM_ISA_ARM, 0xe320f004), 0); /* SEV */
    assert_int_equal(etm_resources_hint(ETM_ISA_ARM, 0xf320f0f0), 0);
    assert_int_equal(etm_resources_hint(ETM_ISA_THUMB, 0xf3af8000), 0);
    assert_int_equal(etm_resources_hint(ETM_ISA_THUMB, 0xe320f0f0), 0);
}

/* MF-29, MC-SEC-03, MC-SEC-06, MC-SEC-07, MC-ADR-42, MC-CID-05 */
static void prohibited_region_blinds_the_comparators(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_2);
    arc(&g, 1, 0x100, 0x200, EXECUTE | WORD);
    arc(&g, 2, 0x2000, 0x3000, LOAD_STORE | WORD);
    g.value[ETM_REG_EXTOUTEVR1] = 0x10;
    g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x11;
    g.value[ETM_REG_EXTOUTEVR1 + 2] = 0x58;
    g.value[ETM_REG_EXTOUTEVR1 + 3] = 0x6e;
    g.value[ETM_REG_CNTVR1] = 9;
    g.value[ETM_REG_CNTENR1] = ALWAYS;
    rig_run(&g);
    insn(&g, 0x100);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 7);
    g.context.prohibited = true;
    context(&g);
    insn(&g, 0x104);
    transfer(&g, true, 0x4000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 0xa); /* the data range still matches */
    assert_int_equal(g.out.insns, 0);
    assert_int_equal(g.out.transfers, 0);
    assert_false(g.out.trace_enable);
    assert_int_equal(g.r.counter[0], 7);
    g.context.prohibited = false;
    context(&g);
    insn(&g, 0x108);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 7);
    assert_int_equal(g.out.insns, 1);
}

/* MC-SEC-10, MC-SEC-11, MC-EXT-04, MC-EXT-06, MC-MMD-06, MC-TRG-10, MC-CNT-09,
 * E-134 */
static void all_stops_without_noninvasive_debug(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned low = 0; low < 2; low++) {
        rig_make(&g, ETM_V3_2);
        g.config.outputs_low_disabled = low;
        g.value[ETM_REG_EXTOUTEVR1] = 0x60;
        g.value[ETM_REG_CNTVR1] = 9;
        g.value[ETM_REG_CNTENR1] = ALWAYS;
        g.value[ETM_REG_SQ12EVR] = 0x61;
        rig_run(&g);
        g.pins.ext_in = 1;
        pins(&g);
        cycle(&g);
        assert_int_equal(g.out.ext_out, 1);
        g.value[ETM_REG_TRIGGER] = ALWAYS;
        etm_resources_save(&g.r, g.value);
        etm_resources_program(&g.r, g.value);
        g.pins.ext_in = 2;
        g.pins.no_noninvasive = true;
        pins(&g);
        etm_resources_start_stop(&g.r, true, false);
        assert_false(g.r.started); /* MF-36 */
        insn(&g, 0x100);
        cycle(&g);
        assert_int_equal(g.out.ext_out, !low);
        assert_int_equal(g.out.insns, 0);
        assert_false(g.out.trigger);
        assert_int_equal(g.r.counter[0], 8);
        assert_int_equal(g.r.state, 0);
        g.pins.no_noninvasive = false;
        pins(&g);
        insn(&g, 0x100);
        cycle(&g);
        assert_true(g.out.trigger);
        assert_int_equal(g.out.insns, 1);
        assert_int_equal(g.r.state, 1);
    }
}

/* ETMTSEVR, in ETMv3.5 and PFT only. */
static void timestamp_event(void **state)
{
    static const unsigned versions[] = {ETM_V3_4, ETM_V3_5, ETM_PFT1_0};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        rig_make(&g, versions[v]);
        sac(&g, 1, 0x100, EXECUTE | WORD);
        g.value[ETM_REG_TSEVR] = SAC1;
        rig_run(&g);
        cycle(&g);
        assert_false(g.out.timestamp);
        insn(&g, 0x100);
        cycle(&g);
        assert_int_equal(g.out.timestamp, v > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_stops_at_zero),
        cmocka_unit_test(reload_comes_before_counting),
        cmocka_unit_test(counter_counts_once_a_cycle),
        cmocka_unit_test(counter_source_bit_is_of_v1_alone),
        cmocka_unit_test(counters_chain),
        cmocka_unit_test(sequencer_moves_for_exactly_one_event),
        cmocka_unit_test(sequencer_for_events_that_may_coincide),
        cmocka_unit_test(trigger_comes_once),
        cmocka_unit_test(state_stands_still_while_programming),
        cmocka_unit_test(inputs_are_resources),
        cmocka_unit_test(eice_input_is_latched_or_pulsed_by_its_use),
        cmocka_unit_test(eice_input_is_latched_or_pulsed_by_its_register),
        cmocka_unit_test(eice_input_is_a_level_before_v3_4),
        cmocka_unit_test(instrumentation_follows_its_table),
        cmocka_unit_test(instrumentation_needs_the_right),
        cmocka_unit_test(hints_are_found_in_opcodes),
        cmocka_unit_test(prohibited_region_blinds_the_comparators),
        cmocka_unit_test(all_stops_without_noninvasive_debug),
        cmocka_unit_test(timestamp_event),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
