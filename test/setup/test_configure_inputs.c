/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that are inputs of the macrocell: the two EmbeddedICE comparators
 * of an ARM7 or ARM9, and the VMID comparator. */
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

static void run_machine(struct rig *g, uint8_t vmid)
{
    struct etm_resource_context context = {.non_secure = true, .vmid = vmid};

    etm_resources_context(&g->resources, &context);
}

/* IHI 0014Q, table 3.89; IHI 0035B, 3.6: resource 0x5b compares with
 * ETMVMIDCVR. */
static void virtual_machine_is_a_condition(void **state)
{
    static const char *const cores[] = {"cortex-a7", "cortex-a15"};
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        rig_make(&g, cores[i], NULL);
        g.request.when.what = g.request.trigger.what = ETM_CONDITION_VMID;
        g.request.when.number = g.request.trigger.number = 0x2a;
        g.request.trigger.inverted = true;
        rig_run(&g);
        assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x5b);
        assert_int_equal(rig_value(&g, "ETMTRIGGER"), 1 << 14 | 0x5b);
        assert_int_equal(rig_value(&g, "ETMVMIDCVR"), 0x2a);
        run_machine(&g, 0x2a);
        assert_true(rig_traced(&g, 0x8000));
        run_machine(&g, 0x2b);
        assert_true(rig_insn(&g, 0x8004).trigger);
        assert_false(rig_traced(&g, 0x8008));

        /* 0 is one, too */
        g.request.when.number = g.request.trigger.number = 0;
        rig_configure(&g);
        assert_int_equal(rig_value(&g, "ETMVMIDCVR"), 0);
    }
}

static void one_virtual_machine_can_be_compared(void **state)
{
    static const char *const without[][2] = {{"cortex-a9", NULL},
                                             {"cortex-a8", NULL},
                                             {"cortex-a5", NULL},
                                             {"cortex-a7", "v3.4"},
                                             {"cortex-a15", "pft1.0"}};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a7", NULL);
    g.request.trigger.what = ETM_CONDITION_VMID;
    g.request.trigger.number = 256;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.trigger.number = 1;
    g.request.external[0] = g.request.trigger;
    g.request.external[0].number = 2;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "VMID comparators"));
    for (size_t i = 0; i < COUNT(without); i++) {
        rig_make(&g, without[i][0], without[i][1]);
        g.request.trigger.what = ETM_CONDITION_VMID;
        assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
        assert_non_null(strstr(g.diag.what, "no VMID comparator"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arm7_and_arm9_have_two_embedded_ice_comparators),
        cmocka_unit_test(arm10_and_later_have_no_embedded_ice_comparators),
        cmocka_unit_test(virtual_machine_is_a_condition),
        cmocka_unit_test(one_virtual_machine_can_be_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
