/* SPDX-License-Identifier: Apache-2.0 */
/* Comparators: what the rules of 2.2.1, 2.7 and 2.8 leave to the edges, and
   what a macrocell may choose. */
#include "resources_util.h"

/* An instruction at `address`: the level of the watched resource. */
static bool at(struct rig *g, uint32_t address)
{
    insn(g, address);
    return level(g);
}

/* MC-ADR-01, MC-ADR-07, MF-23: all 32 bits, in every version; the size masks
   no address of an instruction; E-215 */
static void single_comparator_compares_all_bits(void **state)
{
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(all_versions); v++) {
        rig_make(&g, all_versions[v]);
        sac(&g, 1, 0x5a5a5a58, EXECUTE | WORD);
        watch(&g, 0x00);
        assert_true(at(&g, 0x5a5a5a58));
        for (unsigned bit = 0; bit < 32; bit++)
            assert_false(at(&g, 0x5a5a5a58 ^ UINT32_C(1) << bit));
    }
}

/* MC-RES-03, MC-RES-02: range k is made of comparators 2k-1 and 2k */
static void each_range_has_its_pair(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned k = 1; k <= 8; k++) {
        rig_make(&g, ETM_V3_4);
        for (unsigned n = 1; n <= 8; n++)
            arc(&g, n, n << 12, (n << 12) + 8, EXECUTE | WORD);
        g.value[ETM_REG_EXTOUTEVR1 + 1] = 2 * (k - 1);
        g.value[ETM_REG_EXTOUTEVR1 + 2] = 2 * (k - 1) + 1;
        watch(&g, 0x10 + k - 1);
        for (unsigned n = 1; n <= 8; n++) {
            insn(&g, n << 12);
            cycle(&g);
            assert_int_equal(g.out.ext_out, n == k ? 3 : 0);
            insn(&g, (n << 12) + 8);
            cycle(&g);
            assert_int_equal(g.out.ext_out, n == k ? 4 : 0);
        }
    }
}

/* MC-RES-25, MC-EICE-02, MC-INS-01, MC-RES-24, V3-EICE-01: no more than there
 * are */
static void counts_say_which_resources_exist(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned n = 0; n <= 8; n++) {
        unsigned found[4] = {0};

        rig_make(&g, ETM_V3_4);
        g.config.counts.sac_pairs = (uint8_t)n;
        g.config.counts.eices = (uint8_t)n;
        g.config.counts.instrumentation = (uint8_t)(n < 4 ? n : 4);
        g.config.counts.counters = (uint8_t)(n < 4 ? n : 4);
        g.config.counts.sequencer = n & 1u;
        for (unsigned i = 0; i < 16; i++) {
            found[0] += etm_resource_exists(&g.config, i);
            found[1] += etm_resource_exists(&g.config, 0x20 + i);
            found[2] += etm_resource_exists(&g.config, 0x18 + i % 8) && i < 8;
            found[3] += etm_resource_exists(&g.config, 0x40 + i);
        }
        assert_int_equal(found[0], 2 * n);
        assert_int_equal(found[1], n);
        assert_int_equal(found[2], n < 4 ? n : 4);
        assert_int_equal(found[3], n < 4 ? n : 4);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(etm_resource_exists(&g.config, 0x50 + i), n & 1u);
    }
}

/* MC-ADR-43: what the low half asks for goes for the range */
static void ranges_are_gated_like_single_comparators(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned ns = 0; ns < 2; ns++)
        for (unsigned id = 0; id < 2; id++) {
            rig_make(&g, ETM_V3_4);
            g.value[ETM_REG_CIDCVR1] = 1;
            arc(&g, 1, 0x1000, 0x2000, EXECUTE | WORD | 1u << 10 | 1u << 8);
            watch(&g, 0x10);
            g.context.non_secure = ns;
            g.context.context_id = id;
            context(&g);
            assert_int_equal(at(&g, 0x1800), ns && id);
        }
}

/* MC-DVC-03, MC-DVC-04, MC-DVC-20, TV-CMP-09 */
static void values_belong_to_odd_comparators_of_data(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, EXECUTE | WORD | EQUAL);
    dvc(&g, 1, 0x12345678, 0);
    watch(&g, 0x00);
    assert_true(at(&g, 0x1000));
    /* an even one has none, nor has one beyond their number */
    sac(&g, 2, 0x2000, LOAD_STORE | WORD | EQUAL);
    watch(&g, 0x01);
    assert_true(hit(&g, false, 0x2000, 4, 1));
    rig_make(&g, ETM_V3_4);
    g.config.counts.dvcs = 0;
    sac(&g, 1, 0x2000, LOAD_STORE | WORD | EQUAL);
    dvc(&g, 1, 0x12345678, 0);
    watch(&g, 0x00);
    assert_true(hit(&g, false, 0x2000, 4, 1));
}

/* MC-DVC-09, TV-DVC-09: an access smaller than the comparison; the bits that
   it does not have are 0 here; E-218 */
static void small_access_is_compared_up_to_v3_2(void **state)
{
    static const unsigned some[] = {ETM_V2_0, ETM_V3_2, ETM_V3_3};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(some); v++) {
        rig_make(&g, some[v]);
        sac(&g, 1, 0x2000, LOAD_STORE | WORD | EQUAL);
        dvc(&g, 1, 0xab, 0xffffff00);
        watch(&g, 0x00);
        assert_int_equal(hit(&g, false, 0x2000, 1, 0xab), v < 2);
        assert_false(hit(&g, false, 0x2000, 1, 0xac));
        dvc(&g, 1, 0xab, 0);
        watch(&g, 0x00);
        assert_int_equal(hit(&g, false, 0x2000, 1, 0xab), v < 2);
    }
}

/* ETMv3.5 and PFT v1.1: ETMACTR[14] lets Hyp mode in, whatever [13] and [11]
   ask of the other modes; [15] asks for the VMID. E-210 */
static void virtual_machines_gate_comparators(void **state)
{
    static const unsigned some[] = {ETM_V3_5, ETM_PFT1_1, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(some); v++)
        for (unsigned bits = 0; bits < 4; bits++)
            for (unsigned now = 0; now < 4; now++) {
                bool has = some[v] != ETM_V3_4;
                bool hyp = now & 1u, same = now & 2u;

                rig_make(&g, some[v]);
                g.config.virtualization = has;
                g.value[ETM_REG_VMIDCVR] = 0x42;
                sac(&g, 1, 0x1000, EXECUTE | bits << 14);
                watch(&g, 0x00);
                g.context.non_secure = true;
                g.context.hyp = hyp;
                g.context.vmid = same ? 0x42 : 0x41;
                context(&g);
                assert_int_equal(
                    at(&g, 0x1000),
                    !has || ((!hyp || bits & 1u) && (same || !(bits & 2u))));
            }
    /* in no mode of Non-secure state but in Hyp mode */
    rig_make(&g, ETM_V3_5);
    g.config.virtualization = true;
    sac(&g, 1, 0x1000, EXECUTE | WORD | 1u << 14 | 1u << 11);
    watch(&g, 0x00);
    g.context.non_secure = g.context.hyp = true;
    context(&g);
    assert_true(at(&g, 0x1000));
    g.context.hyp = false;
    context(&g);
    assert_false(at(&g, 0x1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_comparator_compares_all_bits),
        cmocka_unit_test(each_range_has_its_pair),
        cmocka_unit_test(counts_say_which_resources_exist),
        cmocka_unit_test(ranges_are_gated_like_single_comparators),
        cmocka_unit_test(values_belong_to_odd_comparators_of_data),
        cmocka_unit_test(small_access_is_compared_up_to_v3_2),
        cmocka_unit_test(virtual_machines_gate_comparators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
