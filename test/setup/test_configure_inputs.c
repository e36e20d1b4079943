/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that are inputs of the macrocell: the two EmbeddedICE comparators
 * of an ARM7 or ARM9. */
#include "rig.h"

/* 2.2.1: the RANGEOUT[1:0] of these processors are resources 0x20 and 0x21
 * before v3.4, too. Their level counts. E-143 */
static void arm7_and_arm9_have_two_embedded_ice_comparators(void **state)
{
    static const char *const cores[] = {"arm7tdmi", "arm7tdmi-small",
                                        "arm926ej-s", "arm920t"};
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        rig_make(&g, cores[i], NULL);
        g.request.trigger.what = g.request.when.what = ETM_CONDITION_ICE;
        g.request.trigger.number = 2;
        g.request.when.number = 1;
        rig_run(&g);
        assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x21);
        assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x20);
        assert_false(rig_traced(&g, 0x8000));
        etm_resources_pins(&g.resources,
                           &(struct etm_resource_pins){.eice = 1});
        assert_true(rig_traced(&g, 0x8004));
        assert_true(rig_traced(&g, 0x8008));
        etm_resources_pins(&g.resources,
                           &(struct etm_resource_pins){.eice = 2});
        assert_true(rig_insn(&g, 0x800c).trigger);
        assert_false(rig_traced(&g, 0x8010));
        g.request.trigger.number = 3;
        assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    }
}

/* 2.2.1: "not available on ETMs for the ARM10 and ARM11 product families". */
static void arm10_and_later_have_no_embedded_ice_comparators(void **state)
{
    static const char *const cores[] = {"arm1020e",    "arm1026ej-s",
                                        "arm1136jf-s", "arm1176jzf-s",
                                        "cortex-a8",   "cortex-r4"};
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        rig_make(&g, cores[i], NULL);
        g.request.trigger.what = ETM_CONDITION_ICE;
        g.request.trigger.number = 1;
        assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
        assert_non_null(strstr(g.diag.what, "EmbeddedICE comparator 1"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arm7_and_arm9_have_two_embedded_ice_comparators),
        cmocka_unit_test(arm10_and_later_have_no_embedded_ice_comparators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
