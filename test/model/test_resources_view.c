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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example_of_view_data),
        cmocka_unit_test(view_data_by_the_instruction_that_moves),
        cmocka_unit_test(load_multiple_goes_with_its_first_transfer_in_v1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
