/* SPDX-License-Identifier: Apache-2.0 */
/* Events, counters, sequencer, start/stop block and filters: the edges of
   2.2.3 to 2.6, 2.9 and 2.11, and what is UNPREDICTABLE there. */
#include "resources_util.h"

#define EXCLUDE (1u << 24)
#define START_STOP (1u << 25)

/* MC-EVT-12, MC-EVT-13: each of the events, as long as it is true. Input 1
   makes it so. */
static void each_event_acts_while_it_is_true(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned event = 0; event < 21; event++) {
        static const uint8_t source[6] = {0, 1, 1, 2, 2, 0};
        static const uint8_t target[6] = {1, 0, 2, 0, 1, 2};
        unsigned n = event < 3 ? 0 : (event - 3) % 4;
        unsigned from = event < 15 ? 0 : source[event - 15];

        rig_make(&g, ETM_V3_4);
        g.value[ETM_REG_SQR] = from;
        g.value[ETM_REG_CNTVR1 + n] = g.value[ETM_REG_CNTRLDVR1 + n] = 5;
        if (event == 0)
            g.value[ETM_REG_TRIGGER] = 0x60;
        else if (event == 1)
            g.value[ETM_REG_TEEVR] = 0x60;
        else if (event == 2)
            g.value[ETM_REG_VDEVR] = 0x60;
        else if (event < 7)
            g.value[ETM_REG_CNTENR1 + n] = 0x60;
        else if (event < 11)
            g.value[ETM_REG_CNTRLDEVR1 + n] = 0x60;
        else if (event < 15)
            g.value[ETM_REG_EXTOUTEVR1 + n] = 0x60;
        else
            g.value[ETM_REG_SQ12EVR + event - 15] = 0x60;
        if (event >= 7 && event < 11)
            g.value[ETM_REG_CNTVR1 + n] = 3;
        rig_run(&g);
        for (unsigned i = 0; i < 4; i++) {
            bool on = i == 1 || i == 2;

            g.pins.ext_in = on;
            pins(&g);
            insn(&g, 0x100);
            transfer(&g, false, 0x2000, 4, 0);
            cycle(&g);
            if (event == 0)
                assert_int_equal(g.out.trigger, i == 1);
            else
                assert_false(g.out.trigger);
            assert_int_equal(g.out.insns, on || event != 1);
            assert_int_equal(g.out.view, on || event != 2);
            assert_int_equal(g.out.ext_out,
                             event >= 11 && event < 15 && on ? 1u << n : 0);
            if (event >= 3 && event < 7)
                assert_int_equal(g.r.counter[n], i == 0 ? 5 : i == 1 ? 4 : 3);
            if (event >= 7 && event < 11)
                assert_int_equal(g.r.counter[n], i == 0 ? 3 : 5);
            if (event >= 15)
                assert_int_equal(g.r.state, i == 0 ? from : target[event - 15]);
        }
    }
}

/* MC-CNT-05: as many as fit into 16 bits */
static void counter_counts_to_65535(void **state)
{
    uint64_t left = 65535;
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_CNTVR1] = 65535;
    g.value[ETM_REG_CNTENR1] = ALWAYS;
    watch(&g, 0x40);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 0);
    left--;
    while (left != 0) {
        uint64_t n = etm_resources_skip(&g.r, left);

        assert_true(n > 0);
        left -= n;
    }
    assert_int_equal(g.r.counter[0], 0);
    assert_true(level(&g));
}

/* MC-REG-07: a comparator that is programmed in ways that are UNPREDICTABLE
   disturbs nothing but itself */
static void wrong_programming_spoils_one_resource_only(void **state)
{
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(all_versions); v++)
        for (uint32_t control = 0; control < 0x1000; control += 5) {
            rig_make(&g, all_versions[v]);
            sac(&g, 1, 0x100, control);
            sac(&g, 2, 0x0fc, ~control & 0xfff);
            sac(&g, 3, 0x100, EXECUTE | WORD);
            g.value[ETM_REG_TEEVR] = 0x02;
            g.value[ETM_REG_TRIGGER] = 0x10;
            g.value[ETM_REG_CNTENR1] = 0x20002;
            g.value[ETM_REG_CNTVR1] = 9;
            g.value[ETM_REG_SQ12EVR] = 0x02;
            g.value[ETM_REG_SQ12EVR + 5] = 0x7f;
            rig_run(&g);
            assert_true(traces(&g, 0x100));
            transfer(&g, true, 0x100, 4, 0);
            cycle(&g);
            assert_false(traces(&g, 0x104));
            assert_int_equal(g.r.counter[0], 8);
            assert_int_equal(g.r.state, 1);
        }
}

/* The same without a look at every cycle. E-211 */
static void reduced_counter_can_be_skipped_over(void **state)
{
    uint64_t done = 0;
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_5);
    g.config.counts.reduced_counter = true;
    g.value[ETM_REG_CNTRLDVR1] = g.value[ETM_REG_CNTVR1] = 999;
    watch(&g, 0x40);
    while (done < 3500) {
        uint64_t n = etm_resources_skip(&g.r, 3500 - done);

        if (n == 0) {
            cycle(&g);
            /* on in the cycles 999, 1999, ..., and off after them */
            assert_int_equal(g.out.ext_out, done % 1000 == 999);
            n = 1;
        }
        done += n;
    }
    assert_int_equal(g.r.counter[0], 999 - 500);
}

static void start_stop(struct rig *g, unsigned version)
{
    rig_make(g, version);
    sac(g, 1, 0x100, EXECUTE | WORD);
    sac(g, 2, 0x200, EXECUTE | WORD);
    g->value[ETM_REG_TECR1] = EXCLUDE | START_STOP;
    g->value[ETM_REG_TSSCR] = 0x00020001;
    rig_run(g);
}

/* MC-SSB-19, MC-SSB-03: without a stop it stays on */
static void start_without_a_stop_lasts(void **state)
{
    struct rig g;

    (void)state;
    start_stop(&g, ETM_V3_4);
    g.value[ETM_REG_TSSCR] = 1;
    rig_run(&g);
    assert_true(traces(&g, 0x100));
    for (uint32_t address = 0; address < 0x1000; address += 0x80)
        assert_true(traces(&g, address));
}

/* MC-VD-13: what turns ViewData on counts for the whole cycle, so also for the
   data of an older instruction; V3-DATA-18 */
static void view_data_event_reaches_older_transfers(void **state)
{
    struct etm_resource_owner old;
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x200, EXECUTE | WORD);
    g.value[ETM_REG_VDEVR] = 0x00;
    rig_run(&g);
    insn(&g, 0x100);
    old = g.owner;
    cycle(&g);
    insn(&g, 0x200);
    g.owner = old;
    transfer(&g, false, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.view, 1);
    transfer(&g, false, 0x2004, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.view, 0);
}

/* MC-SEC-10, MC-EXT-06, MC-MMD-06: without non-invasive debug no input is
   seen; the processor counts as in a prohibited region, and as Secure */
static void inputs_are_ignored_without_noninvasive_debug(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned off = 0; off < 2; off++) {
        struct etm_resource_set set;

        rig_make(&g, ETM_V3_4);
        rig_run(&g);
        g.context.non_secure = true;
        context(&g);
        g.pins.ext_in = 0xf;
        g.pins.mmd = UINT16_MAX;
        g.pins.eice = g.pins.eice_sampled = 0xff;
        memset(g.pins.ext_ext, 0xff, sizeof g.pins.ext_ext);
        g.pins.no_noninvasive = off;
        pins(&g);
        set = etm_resources_active(&g.r);
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(etm_resource_active(&set, 0x30 + n), !off);
        for (unsigned n = 0; n < 8; n++)
            assert_int_equal(etm_resource_active(&set, 0x20 + n), !off);
        for (unsigned n = 0; n < 4; n++) {
            assert_int_equal(etm_resource_active(&set, 0x60 + n), !off);
            assert_int_equal(etm_resource_active(&set, 0x68 + n), !off);
        }
        assert_int_equal(etm_resource_active(&set, 0x6d), !off);
        assert_int_equal(etm_resource_active(&set, 0x6e), off);
        assert_true(etm_resource_active(&set, 0x6f));
    }
}

/* 7.6.1: an input that starts and is latched hides what stops, and one that
 * stops and is latched undoes a start after its cycle, up to its next sample.
 * A pulse does neither. E-560 */
static void a_latched_eice_input_goes_on_to_start_or_stop(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned latch = 0; latch < 2; latch++)
        for (unsigned stop = 0; stop < 2; stop++) {
            bool on;

            rig_make(&g, ETM_V3_4);
            g.config.counts.eice_behavior = true;
            g.config.counts.start_stop_eice = true;
            g.value[ETM_REG_EIBCR] = latch * 0x81;
            g.value[ETM_REG_TESSEICR] = 0x00800001;
            sac(&g, 1, 0x100, EXECUTE | WORD);
            sac(&g, 2, 0x200, EXECUTE | WORD);
            g.value[ETM_REG_TSSCR] = 0x00020001;
            g.value[ETM_REG_TECR1] = 0x03000000;
            g.value[ETM_REG_EXTOUTEVR1] = 0x5f;
            rig_run(&g);
            g.pins.eice = g.pins.eice_sampled = stop != 0 ? 0x80 : 1;
            pins(&g);
            g.pins.eice_sampled = 0;
            g.pins.eice = 0; /* what is not sampled is not seen */
            cycle(&g);
            assert_int_equal(g.out.ext_out, !stop);
            on = traces(&g, stop != 0 ? 0x100 : 0x200);
            assert_int_equal(on, stop != 0 || latch != 0);
            cycle(&g); /* without an item */
            assert_int_equal(g.out.ext_out, stop != latch);
            assert_int_equal(traces(&g, 0x300), stop != latch);
            g.pins.eice_sampled = 0x81; /* it ends */
            pins(&g);
            assert_true(traces(&g, 0x100));
            assert_true(traces(&g, 0x300));
            assert_false(traces(&g, 0x200));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_acts_while_it_is_true),
        cmocka_unit_test(counter_counts_to_65535),
        cmocka_unit_test(wrong_programming_spoils_one_resource_only),
        cmocka_unit_test(reduced_counter_can_be_skipped_over),
        cmocka_unit_test(start_without_a_stop_lasts),
        cmocka_unit_test(view_data_event_reaches_older_transfers),
        cmocka_unit_test(inputs_are_ignored_without_noninvasive_debug),
        cmocka_unit_test(a_latched_eice_input_goes_on_to_start_or_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
