/* SPDX-License-Identifier: Apache-2.0 */
/* ViewData (ETM architecture 2.6.5, 3.7.1). */
#include "resources_util.h"

/* ERR-15, MF-06, MF-18: Section 3.7.1: TV-VD-01 to TV-VD-06, MC-VD-01, MC-VD-03
 */
static void worked_example_of_view_data(void **state)
{
    static const struct {
        uint32_t address;
        bool viewed;
    } rows[] = {
        {0x8000, true},  {0x8070, true}, {0x8074, false}, {0x8078, true},
        {0x8090, false}, {0x80fc, true}, {0x7ffc, false}, {0x8100, false},
    };
    struct rig g;

    (void)state;
    for (size_t v = 0; v + 1 < COUNT(all_versions); v++) /* no data in PFT */
        for (unsigned s = 0; s < 3; s++) {
            rig_make(&g, all_versions[v]);
            arc(&g, 1, 0x8000, 0x8100, LOAD_STORE | WORD);
            sac(&g, 3, 0x8074, LOAD_STORE | WORD);
            sac(&g, 4, 0x8090, LOAD_STORE | WORD);
            g.value[ETM_REG_VDEVR] = 0x00000052;
            g.value[ETM_REG_VDCR1] = 0x000c0000;
            g.value[ETM_REG_VDCR2] = 0;
            g.value[ETM_REG_VDCR3] = 0x00000001;
            g.value[ETM_REG_SQR] = s;
            rig_run(&g);
            insn(&g, 0x100);
            for (size_t i = 0; i < COUNT(rows); i++)
                assert_int_equal(views(&g, rows[i].address),
                                 rows[i].viewed && s == 2);
        }
}

/* MC-VD-04, MC-VD-05, MC-VD-06, MC-VD-15, TV-VD-07, TV-VD-08 */
static void view_data_without_selections(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_VDCR3] = 0x00010000;
    rig_run(&g);
    insn(&g, 0x100);
    assert_true(views(&g, 0x2000));
    g.value[ETM_REG_VDCR3] = 0;
    rig_run(&g);
    assert_false(views(&g, 0x2000));
    /* In exclude-only mode inclusion is not asked. */
    sac(&g, 1, 0x3000, LOAD_STORE | WORD);
    g.value[ETM_REG_VDCR1] = 1;
    g.value[ETM_REG_VDCR3] = 0x00010000;
    rig_run(&g);
    assert_true(views(&g, 0x2000));
    g.value[ETM_REG_VDEVR] = NEVER;
    rig_run(&g);
    assert_false(views(&g, 0x2000));
}

/* MC-FLD-09, MC-FLD-11, MC-VD-01, MC-VD-03, MC-VD-12, TV-VD-09: by instruction,
 * however late its data are */
static void view_data_by_the_instruction_that_moves(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned exclude = 0; exclude < 2; exclude++) {
        struct etm_resource_owner first;

        rig_make(&g, ETM_V3_4);
        arc(&g, 1, 0x100, 0x200, EXECUTE | WORD);
        sac(&g, 3, 0x300, EXECUTE | WORD);
        if (exclude) {
            g.value[ETM_REG_VDCR1] = 1u << 18;
            g.value[ETM_REG_VDCR3] = 1u << 16 | 1u << 8;
        } else {
            g.value[ETM_REG_VDCR1] = 1u << 2;
            g.value[ETM_REG_VDCR3] = 1;
        }
        rig_run(&g);
        insn(&g, 0x100);
        first = g.owner;
        cycle(&g);
        insn(&g, 0x400);
        assert_int_equal(views(&g, 0x2000), exclude);
        g.owner = first;
        assert_int_equal(views(&g, 0x2000), !exclude);
        insn(&g, 0x300);
        cycle(&g);
        assert_int_equal(views(&g, 0x2000), !exclude);
    }
}

/* A range of data does not stick to the next transfer: MC-ADR-40, MC-VD-08,
 * V3-DATA-14 */
static void view_data_asks_for_each_transfer(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    arc(&g, 1, 0x2000, 0x2008, LOAD_STORE | WORD);
    g.value[ETM_REG_VDCR3] = 1;
    rig_run(&g);
    insn(&g, 0x100);
    for (unsigned n = 0; n < 4; n++)
        transfer(&g, false, 0x1ffc + 4 * n, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.view, 6);
}

/* MC-FLD-10, MC-VD-01: memory map decoders */
static void view_data_by_memory_map_decoders(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.value[ETM_REG_VDCR2] = 0x00020001;
    g.value[ETM_REG_VDCR3] = 0;
    rig_run(&g);
    insn(&g, 0x100);
    for (unsigned mmd = 0; mmd < 4; mmd++) {
        g.pins.mmd = (uint16_t)mmd;
        pins(&g);
        assert_int_equal(views(&g, 0x2000), mmd == 1);
    }
    g.pins.mmd = 1; /* ignored then: MC-MMD-06 */
    g.pins.no_noninvasive = true;
    pins(&g);
    assert_false(views(&g, 0x2000));
}

/* MC-VD-07, MC-TE-09 */
static void load_multiple_goes_with_its_first_transfer_in_v1(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned v1 = 0; v1 < 2; v1++)
        for (unsigned inside = 0; inside < 2; inside++) {
            rig_make(&g, v1 ? ETM_V1_3 : ETM_V2_0);
            arc(&g, 1, 0x2000, 0x2004, LOAD_STORE | WORD);
            g.value[ETM_REG_VDCR3] = 1;
            rig_run(&g);
            insn(&g, 0x100);
            for (unsigned n = 0; n < 3; n++) {
                struct etm_resource_transfer t = transfer_of(
                    &g, false, (inside ? 0x2000 : 0x1ffc) + 4 * n, 4, 0);

                t.follows = n > 0;
                etm_resources_transfer(&g.r, &t);
                if (n == 1)
                    cycle(&g); /* the third comes in another cycle */
            }
            assert_int_equal(g.out.view, inside ? (v1 ? 3 : 1) : v1 ? 0 : 2);
            cycle(&g);
            assert_int_equal(g.out.view, v1 && inside);
        }
}

/* ERR-18, MC-CPRT-01 to MC-CPRT-06, TV-VD-10: table 2-1; COP-06, E-131 */
static void coprocessor_transfers_follow_their_table(void **state)
{
    static const struct {
        unsigned version;
        uint32_t control;
        bool active, inactive; /* traced, with ViewData so */
    } rows[] = {
        {ETM_V3_0, 0, false, false},
        {ETM_V3_0, ETM_CR_CPRT_FILTER, false, false},
        {ETM_V3_0, ETM_CR_CPRT, true, true},
        {ETM_V3_0, ETM_CR_CPRT | ETM_CR_CPRT_FILTER, true, false},
        {ETM_V2_1, 0, false, false},
        {ETM_V2_1, ETM_CR_CPRT, true, true},
        {ETM_V2_1, ETM_CR_CPRT | ETM_CR_CPRT_FILTER, true, true},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (unsigned active = 0; active < 2; active++) {
            struct etm_resource_transfer t;

            rig_make(&g, rows[i].version);
            sac(&g, 1, 0x100, EXECUTE | WORD);
            g.value[ETM_REG_CR] = rows[i].control;
            g.value[ETM_REG_VDCR3] = 0;
            g.value[ETM_REG_VDCR1] = 1;
            rig_run(&g);
            insn(&g, active ? 0x100 : 0x104);
            t = transfer_of(&g, false, 0, 4, 0);
            t.cprt = true;
            etm_resources_transfer(&g.r, &t);
            cycle(&g);
            assert_int_equal(g.out.view,
                             active ? rows[i].active : rows[i].inactive);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example_of_view_data),
        cmocka_unit_test(view_data_without_selections),
        cmocka_unit_test(view_data_by_the_instruction_that_moves),
        cmocka_unit_test(view_data_asks_for_each_transfer),
        cmocka_unit_test(view_data_by_memory_map_decoders),
        cmocka_unit_test(load_multiple_goes_with_its_first_transfer_in_v1),
        cmocka_unit_test(coprocessor_transfers_follow_their_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
