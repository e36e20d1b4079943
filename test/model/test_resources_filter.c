/* SPDX-License-Identifier: Apache-2.0 */
/* Start/stop block, TraceEnable and ViewData (ETM architecture 2.6.4, 2.6.5,
   2.11, 3.7). */
#include "resources_util.h"

#define INCLUDE 0u
#define EXCLUDE (1u << 24)
#define START_STOP (1u << 25)

/* MC-RES-20, MF-03, MC-TE-02, MC-TE-03, MC-TE-23, TV-TE-07 */
static void nothing_selected_traces_all_or_nothing(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_TECR1] = EXCLUDE;
    rig_run(&g);
    assert_true(traces(&g, 0x1234));
    assert_true(g.out.trace_enable);
    g.value[ETM_REG_TECR1] = INCLUDE;
    rig_run(&g);
    assert_false(traces(&g, 0x1234));
    assert_false(g.out.trace_enable);
    g.value[ETM_REG_TECR1] = EXCLUDE;
    g.value[ETM_REG_TEEVR] = NEVER;
    rig_run(&g);
    assert_false(traces(&g, 0x1234));
}

/* MC-TE-02, MC-TE-03, MC-FLD-04, MC-FLD-06, MC-TE-25 */
static void regions_include_or_exclude(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned exclude = 0; exclude < 2; exclude++) {
        rig_make(&g, ETM_V3_4);
        arc(&g, 8, 0x1000, 0x1010, EXECUTE | WORD);
        sac(&g, 1, 0x2000, EXECUTE | WORD);
        sac(&g, 2, 0x3000, EXECUTE | WORD); /* not selected */
        g.value[ETM_REG_TECR1] =
            (exclude ? EXCLUDE : INCLUDE) | 0x80 | 1u << 23;
        g.value[ETM_REG_TECR2] = 1;
        rig_run(&g);
        assert_int_equal(traces(&g, 0x0ffc), exclude);
        assert_int_equal(traces(&g, 0x1000), !exclude);
        assert_int_equal(traces(&g, 0x100c), !exclude);
        assert_int_equal(traces(&g, 0x1010), exclude);
        assert_int_equal(traces(&g, 0x2000), !exclude);
        assert_int_equal(traces(&g, 0x3000), exclude);
        g.pins.mmd = 0x8000;
        pins(&g);
        assert_int_equal(traces(&g, 0x3000), !exclude);
        g.pins.mmd = 0x4000;
        pins(&g);
        assert_int_equal(traces(&g, 0x3000), exclude);
    }
    /* v1.1 knows no single addresses here. */
    rig_make(&g, ETM_V1_1);
    sac(&g, 1, 0x2000, EXECUTE | WORD);
    g.value[ETM_REG_TECR1] = INCLUDE | START_STOP;
    g.value[ETM_REG_TECR2] = 1;
    rig_run(&g);
    assert_false(traces(&g, 0x2000));
}

/* MF-03, MF-17: Section 3.7.2: MC-TE-01, MC-SSB-18, MC-SSB-20, TV-TE-01 to
   TV-TE-06, MC-TE-05 */
static void worked_example_of_trace_enable(void **state)
{
    static const struct {
        uint32_t address;
        bool traced;
    } rows[] = {
        {0x0ffc, false},                                   /* the caller */
        {0x1000, true},                                    /* X */
        {0x1004, true},  {0x8000, false},                  /* C library */
        {0x80fc, false}, {0x1008, true},  {0x5000, false}, /* sub-function */
        {0x5004, false}, {0x6000, true}, /* another one that X calls */
        {0x1020, false},                 /* second exit */
        {0x1004, false},                 /* stopped */
        {0x1000, true},  {0x1010, false}, {0x1000, true},
        {0x1030, false}, {0x2000, false},
    };
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(all_versions); v++) {
        rig_make(&g, all_versions[v]);
        sac(&g, 1, 0x1000, EXECUTE | WORD);
        sac(&g, 2, 0x1010, EXECUTE | WORD);
        sac(&g, 3, 0x1020, EXECUTE | WORD);
        sac(&g, 4, 0x1030, EXECUTE | WORD);
        arc(&g, 3, 0x5000, 0x5100, EXECUTE | WORD);
        arc(&g, 4, 0x8000, 0x9000, EXECUTE | WORD);
        g.value[ETM_REG_TEEVR] = 0x0000006f;
        g.value[ETM_REG_TECR1] = 0x0300000c;
        g.value[ETM_REG_TECR2] = 0;
        g.value[ETM_REG_TSSCR] = 0x000e0001;
        rig_run(&g);
        for (size_t i = 0; i < COUNT(rows); i++)
            assert_int_equal(traces(&g, rows[i].address), rows[i].traced);
    }
}

/* MC-TE-18, TV-TE-09: the example of the glossary */
static void counter_turns_trace_on_after_the_fourth_store(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x2000, STORE | WORD);
    g.value[ETM_REG_CNTVR1] = 4;
    g.value[ETM_REG_CNTENR1] = 0x00;
    g.value[ETM_REG_TEEVR] = 0x40;
    rig_run(&g);
    for (unsigned n = 0; n < 4; n++) {
        insn(&g, 0x100);
        transfer(&g, true, 0x2000, 4, 0);
        cycle(&g);
        assert_int_equal(g.out.insns, 0);
    }
    assert_true(traces(&g, 0x104));
    assert_true(traces(&g, 0x108));
}

/* MC-TE-16, MF-07: the enabling events may be late. E-126 */
static void enabling_events_may_be_late(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        rig_make(&g, ETM_V3_4);
        g.config.late_events = late;
        sac(&g, 1, 0x1000, EXECUTE | WORD);
        g.value[ETM_REG_TEEVR] = g.value[ETM_REG_VDEVR] = 0x00;
        rig_run(&g);
        insn(&g, 0x1000);
        transfer(&g, true, 0x2000, 4, 0);
        cycle(&g);
        assert_int_equal(g.out.insns, !late);
        assert_int_equal(g.out.view, !late);
        insn(&g, 0x1004);
        transfer(&g, true, 0x2000, 4, 0);
        cycle(&g);
        assert_int_equal(g.out.insns, late);
        assert_int_equal(g.out.view, late);
    }
}

/* MC-TE-08: data decide which instructions are traced. */
static void data_include_the_instruction_that_moves_them(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x2000, STORE | WORD);
    g.value[ETM_REG_TECR1] = INCLUDE;
    g.value[ETM_REG_TECR2] = 1;
    rig_run(&g);
    insn(&g, 0x100);
    insn(&g, 0x104);
    transfer(&g, true, 0x2000, 4, 0);
    insn(&g, 0x108);
    cycle(&g);
    assert_int_equal(g.out.insns, 2);
    assert_int_equal(g.out.transfers, 1);
    assert_int_equal(g.out.view, 1);
    insn(&g, 0x10c);
    transfer(&g, false, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.insns, 0);
    assert_int_equal(g.out.transfers, 0);
}

/* MC-TE-11, MC-PAR-10: A transfer that comes late makes its instruction traced
 * in the middle. V2-LSM-05 */
static void late_transfer_turns_trace_on(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x2000, STORE | WORD);
    g.value[ETM_REG_TECR1] = INCLUDE;
    g.value[ETM_REG_TECR2] = 1;
    rig_run(&g);
    insn(&g, 0x100);
    cycle(&g);
    assert_false(g.out.trace_enable);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.transfers, 1);
    assert_int_equal(g.out.insns, 0); /* none in this cycle */
    assert_true(g.out.trace_enable);
    assert_false(traces(&g, 0x104));
    assert_false(g.out.trace_enable);
}

/* MC-TE-10, MF-26, E-130, V3-CFG-25 */
static void excluded_instruction_is_not_brought_back_by_its_data(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, EXECUTE | WORD);
    g.value[ETM_REG_TECR1] = EXCLUDE;
    g.value[ETM_REG_TECR2] = 1;
    rig_run(&g);
    insn(&g, 0x1000);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.insns, 0);
    assert_int_equal(g.out.transfers, 0);
    transfer(&g, true, 0x2004, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.transfers, 0);
    assert_false(g.out.trace_enable);
    assert_true(traces(&g, 0x1004));
}

/* MC-TE-12, MC-TE-14, CFG-20 */
static void trace_enable_falls_at_the_end_of_an_instruction(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned way = 0; way < 3; way++) {
        bool only = way == 1; /* before v3.1 the bit means nothing */

        rig_make(&g, way == 2 ? ETM_V3_0 : ETM_V3_4);
        g.value[ETM_REG_CR] = way > 0 ? ETM_CR_DATA_ONLY : 0;
        g.value[ETM_REG_TEEVR] = 0x60;
        rig_run(&g);
        g.pins.ext_in = 1;
        pins(&g);
        assert_true(traces(&g, 0x100));
        g.pins.ext_in = 0;
        pins(&g);
        transfer(&g, false, 0x2000, 4, 0);
        cycle(&g);
        assert_int_equal(g.out.trace_enable, !only);
        assert_false(traces(&g, 0x104));
        assert_false(g.out.trace_enable);
    }
}

/* MC-TE-13, MC-TE-26, MC-PAR-11, CFG-20, V2-FILT-04, V2-LSM-04, E-205,
 * V3-DATA-17, V3-LSM-07, V3-DO-08 */
static void outstanding_data_hold_trace_enable(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, EXECUTE | WORD);
    g.value[ETM_REG_TECR1] = INCLUDE;
    g.value[ETM_REG_TECR2] = 1;
    rig_run(&g);
    insn(&g, 0x0ffc);
    etm_resources_cycle(&g.r, true, &g.out);
    assert_int_equal(g.out.insns, 0); /* it was not traced before either */
    assert_true(traces(&g, 0x1000));
    insn(&g, 0x1004);
    insn(&g, 0x1008);
    etm_resources_cycle(&g.r, true, &g.out);
    assert_int_equal(g.out.insns, 3);
    assert_true(g.out.trace_enable);
    assert_false(traces(&g, 0x100c));

    g.value[ETM_REG_CR] = ETM_CR_DATA_ONLY;
    rig_run(&g);
    assert_true(traces(&g, 0x1000));
    insn(&g, 0x1004);
    etm_resources_cycle(&g.r, true, &g.out);
    assert_int_equal(g.out.insns, 0);
}

/* MC-PRG-13: trace does not go on where it stood before programming. */
static void programming_turns_trace_enable_off(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    rig_run(&g);
    assert_true(traces(&g, 0x1000));
    etm_resources_hold(&g.r, ETM_RESOURCES_PROGRAMMING);
    cycle(&g);
    assert_false(g.out.trace_enable);
    g.value[ETM_REG_TEEVR] = NEVER;
    etm_resources_program(&g.r, g.value);
    etm_resources_hold(&g.r, ETM_RESOURCES_RUN);
    insn(&g, 0x1004);
    etm_resources_cycle(&g.r, true, &g.out);
    assert_int_equal(g.out.insns, 0);
}

/* MC-ADR-35, MC-ADR-39: tables 2-8 and 2-9, column TraceEnable */
static void range_of_data_includes_until_the_next_transfer(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    arc(&g, 1, 0x2000, 0x3000, LOAD_STORE | WORD);
    g.value[ETM_REG_TECR1] = INCLUDE | 1;
    rig_run(&g);
    assert_false(traces(&g, 0x100));
    insn(&g, 0x104);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.insns, 1);
    assert_true(traces(&g, 0x108));
    assert_true(traces(&g, 0x10c));
    insn(&g, 0x110);
    transfer(&g, true, 0x3000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.insns, 1); /* it comes before its transfer */
    assert_int_equal(g.out.transfers, 0);
    assert_false(traces(&g, 0x114));
}

/* A block that starts at 0x100 and stops at 0x200, with its resource on
   external output 1. */
static void start_stop(struct rig *g, unsigned version, bool on)
{
    rig_make(g, version);
    sac(g, 1, 0x100, EXECUTE | WORD);
    sac(g, 2, 0x200, EXECUTE | WORD);
    g->value[ETM_REG_TECR1] = EXCLUDE | START_STOP;
    g->value[ETM_REG_TSSCR] = 0x00020001;
    g->value[ETM_REG_EXTOUTEVR1] = 0x5f;
    g->value[ETM_REG_SR] = on ? ETM_SR_START_STOP : 0;
    rig_run(g);
}

/* ERR-34, MF-05, MC-SSB-03, MC-SSB-04, MC-FLD-03, MC-PAR-06, MC-PAR-07,
   MC-SSB-13 to MC-SSB-16, TV-SSB-01 to TV-SSB-05: the cases of 2.11.1 */
static void start_and_stop_in_one_cycle(void **state)
{
    static const struct {
        bool before;
        uint32_t items[2];
        bool active, after;
        uint32_t traced;
    } rows[] = {
        {false, {0x100, 0x104}, true, true, 3},
        {false, {0x0fc, 0x100}, true, true, 2},
        {true, {0x200, 0x204}, false, false, 0},
        {true, {0x1fc, 0x200}, true, false, 1},
        {false, {0x100, 0x200}, true, false, 1},
        {true, {0x100, 0x200}, true, false, 1},
        {false, {0x200, 0x100}, true, true, 2},
        {true, {0x200, 0x100}, true, true, 2},
        {false, {0x200, 0x204}, false, false, 0},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        start_stop(&g, ETM_V3_4, rows[i].before);
        insn(&g, rows[i].items[0]);
        insn(&g, rows[i].items[1]);
        cycle(&g);
        assert_int_equal(g.out.ext_out, rows[i].active);
        assert_int_equal(g.out.insns, rows[i].traced);
        cycle(&g);
        assert_int_equal(g.out.ext_out, rows[i].after);
    }
}

/* MC-SSB-17, MC-PAR-05, TV-SSB-06 */
static void instruction_comes_before_the_data_that_stop(void **state)
{
    struct rig g;

    (void)state;
    start_stop(&g, ETM_V3_4, true);
    sac(&g, 2, 0x2000, LOAD_STORE | WORD);
    etm_resources_program(&g.r, g.value);
    insn(&g, 0x400);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.insns, 1);
    assert_int_equal(g.out.ext_out, 1);
    assert_false(traces(&g, 0x404));
}

/* MC-SSB-12, MC-PAR-03, MC-PAR-04: Example 2-2: TV-SSB-07. LDRD with LDR in one
   cycle. V3-PH-21 */
static void block_sees_items_in_trace_order(void **state)
{
    struct rig g;

    (void)state;
    start_stop(&g, ETM_V3_4, false);
    sac(&g, 1, 0x2004, LOAD | WORD); /* second word of the LDRD */
    sac(&g, 2, 0x104, EXECUTE | WORD);
    etm_resources_program(&g.r, g.value);
    insn(&g, 0x100);
    transfer(&g, false, 0x2000, 4, 0);
    transfer(&g, false, 0x2004, 4, 0);
    insn(&g, 0x104);
    transfer(&g, false, 0x3000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.insns, 1);
    assert_int_equal(g.out.transfers, 2);
    assert_int_equal(g.out.ext_out, 1);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 0);
}

/* MC-SSB-07, TV-SSB-08 */
static void start_wins_over_stop_on_the_same_item(void **state)
{
    struct rig g;

    (void)state;
    start_stop(&g, ETM_V3_4, false);
    sac(&g, 2, 0x100, EXECUTE | WORD);
    etm_resources_program(&g.r, g.value);
    assert_true(traces(&g, 0x100));
    assert_true(traces(&g, 0x104));
}

/* MC-RES-24, MC-SSB-01, MC-SSB-02, MC-FLD-05, MC-TE-06, MC-RES-11 */
static void block_exists_by_version(void **state)
{
    static const struct {
        unsigned version;
        bool present, gates, resource;
    } rows[] = {
        {ETM_V1_1, true, false, false},  {ETM_V1_2, false, true, false},
        {ETM_V1_3, true, true, false},   {ETM_V2_0, true, true, true},
        {ETM_V2_0, false, false, false}, {ETM_V3_4, true, true, true},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        start_stop(&g, rows[i].version, false);
        g.config.counts.start_stop = rows[i].present;
        rig_run(&g);
        assert_int_equal(traces(&g, 0x0fc), !rows[i].gates);
        assert_true(traces(&g, 0x100));
        assert_int_equal(g.out.ext_out, rows[i].resource);
        /* Not gating, the block still works as a resource. */
        g.value[ETM_REG_TECR1] = EXCLUDE;
        etm_resources_program(&g.r, g.value);
        assert_true(traces(&g, 0x200));
        assert_true(traces(&g, 0x100));
        assert_int_equal(g.out.ext_out, rows[i].resource);
    }
}

/* MC-EICE-03, MC-SSB-05, MC-SSB-23, MC-FLD-30, V3-EICE-02 */
static void eice_inputs_start_and_stop(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned has = 0; has < 2; has++) {
        rig_make(&g, ETM_V3_4);
        g.config.counts.start_stop_eice = has;
        g.value[ETM_REG_TECR1] = EXCLUDE | START_STOP;
        g.value[ETM_REG_TESSEICR] = 0x00800001;
        rig_run(&g);
        assert_false(traces(&g, 0x100));
        g.pins.eice = 1;
        pins(&g); /* not sampled */
        assert_false(traces(&g, 0x100));
        g.pins.eice_sampled = 0x81;
        pins(&g);
        assert_int_equal(traces(&g, 0x100), has);
        g.pins.eice = 0x80;
        pins(&g);
        assert_false(traces(&g, 0x100));
    }
}

/* MC-PAR-01, MC-VD-14, MC-PAR-08, TV-SSB-09 */
static void parallel_instructions_are_judged_one_by_one(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned exclude = 0; exclude < 2; exclude++) {
        rig_make(&g, ETM_V3_4);
        sac(&g, 1, 0x100, EXECUTE | WORD);
        g.value[ETM_REG_TECR1] = exclude ? EXCLUDE : INCLUDE;
        g.value[ETM_REG_TECR2] = 1;
        rig_run(&g);
        insn(&g, 0x0fc);
        insn(&g, 0x100);
        insn(&g, 0x104);
        cycle(&g);
        assert_int_equal(g.out.insns, exclude ? 5 : 2);
    }
}

/* MC-EVT-15, MC-PAR-09, MC-SSB-22: 0x5f as the event of ViewData, active only
 * for the first of two instructions. */
static void event_sees_a_resource_for_the_whole_cycle(void **state)
{
    struct rig g;

    (void)state;
    start_stop(&g, ETM_V3_4, true);
    g.value[ETM_REG_TECR1] = EXCLUDE;
    g.value[ETM_REG_VDEVR] = 0x5f;
    etm_resources_program(&g.r, g.value);
    insn(&g, 0x1fc);
    insn(&g, 0x200);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.view, 1);
    insn(&g, 0x204);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.view, 0);
}

/* More items than there are bits share the last one. */
static void items_beyond_the_last_bit_share_it(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    rig_run(&g);
    for (unsigned n = 0; n < 40; n++) {
        insn(&g, 0x100 + 4 * n);
        transfer(&g, true, 0x2000, 4, 0);
    }
    cycle(&g);
    assert_int_equal(g.out.insns, UINT32_MAX);
    assert_int_equal(g.out.transfers, UINT32_MAX);
    assert_int_equal(g.out.view, UINT32_MAX);
    assert_true(g.out.trace_enable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_selected_traces_all_or_nothing),
        cmocka_unit_test(regions_include_or_exclude),
        cmocka_unit_test(worked_example_of_trace_enable),
        cmocka_unit_test(counter_turns_trace_on_after_the_fourth_store),
        cmocka_unit_test(enabling_events_may_be_late),
        cmocka_unit_test(data_include_the_instruction_that_moves_them),
        cmocka_unit_test(late_transfer_turns_trace_on),
        cmocka_unit_test(excluded_instruction_is_not_brought_back_by_its_data),
        cmocka_unit_test(trace_enable_falls_at_the_end_of_an_instruction),
        cmocka_unit_test(outstanding_data_hold_trace_enable),
        cmocka_unit_test(programming_turns_trace_enable_off),
        cmocka_unit_test(range_of_data_includes_until_the_next_transfer),
        cmocka_unit_test(start_and_stop_in_one_cycle),
        cmocka_unit_test(instruction_comes_before_the_data_that_stop),
        cmocka_unit_test(block_sees_items_in_trace_order),
        cmocka_unit_test(start_wins_over_stop_on_the_same_item),
        cmocka_unit_test(block_exists_by_version),
        cmocka_unit_test(eice_inputs_start_and_stop),
        cmocka_unit_test(parallel_instructions_are_judged_one_by_one),
        cmocka_unit_test(event_sees_a_resource_for_the_whole_cycle),
        cmocka_unit_test(items_beyond_the_last_bit_share_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
