/* SPDX-License-Identifier: Apache-2.0 */
/* Counters, sequencer, trigger, inputs and outputs (ETM architecture 2.2.3,
   2.2.4, 2.4, 2.5, 2.9, 2.14, 7.6). */
#include "resources_util.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequencer_moves_for_exactly_one_event),
        cmocka_unit_test(instrumentation_follows_its_table),
        cmocka_unit_test(instrumentation_needs_the_right),
        cmocka_unit_test(hints_are_found_in_opcodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
