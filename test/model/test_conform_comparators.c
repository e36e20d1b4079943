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

/* MC-ADR-28: both halves must be alike; if not, the low one counts; E-214 */
static void low_half_of_a_range_says_what_it_compares(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, EXECUTE | WORD);
    sac(&g, 2, 0x2000, LOAD_STORE | WORD);
    watch(&g, 0x10);
    assert_true(at(&g, 0x1800));
    assert_false(at(&g, 0x2000));
    assert_false(hit(&g, false, 0x1800, 4, 0));
}

/* MC-ADR-30: up to v3.0, where the size masks the address of a word, too */
static void word_at_the_top_of_memory_is_in_its_range(void **state)
{
    static const unsigned some[] = {ETM_V1_0, ETM_V2_1, ETM_V3_0, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(some); v++) {
        rig_make(&g, some[v]);
        arc(&g, 1, 0xfffff000, 0xffffffff, LOAD_STORE | WORD);
        watch(&g, 0x10);
        assert_true(hit(&g, false, 0xfffffffc, 4, 0));
        assert_true(hit(&g, false, 0xffffffff, 1, 0));
        assert_false(hit(&g, false, 0xffffeff8, 4, 0));
    }
}

/* MC-ADR-34, MC-ADR-36: a sticky range of instructions ends with the next one,
   or, where loads and stores work by themselves, with the data; E-213 */
static void sticky_range_of_instructions_ends_in_one_of_two_ways(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned data = 0; data < 2; data++) {
        rig_make(&g, ETM_V3_4);
        g.config.ranges_follow_data = data;
        arc(&g, 1, 0x1000, 0x2000, EXECUTE | WORD);
        watch(&g, 0x10);
        /* nothing outstanding: the end of the instruction */
        assert_true(at(&g, 0x1000));
        assert_int_equal(level(&g), !data);
        assert_false(at(&g, 0x2000));
        /* a load that lasts for three cycles more */
        insn(&g, 0x1000);
        etm_resources_cycle(&g.r, true, &g.out);
        assert_int_equal(g.out.ext_out, 1);
        insn(&g, 0x2000);
        etm_resources_cycle(&g.r, true, &g.out);
        assert_int_equal(g.out.ext_out, data);
        etm_resources_cycle(&g.r, false, &g.out);
        assert_int_equal(g.out.ext_out, data);
        assert_false(level(&g));
    }
}

/* MC-ADR-39: the same for TraceEnable, in that other way too */
static void sticky_range_includes_what_runs_under_its_data(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    g.config.ranges_follow_data = true;
    arc(&g, 1, 0x1000, 0x2000, EXECUTE | WORD);
    g.value[ETM_REG_TECR1] = 1;
    rig_run(&g);
    insn(&g, 0x1000);
    etm_resources_cycle(&g.r, true, &g.out);
    assert_int_equal(g.out.insns, 1);
    insn(&g, 0x2000);
    etm_resources_cycle(&g.r, false, &g.out);
    assert_int_equal(g.out.insns, 1);
    assert_false(traces(&g, 0x2004));
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

/* MC-ADR-45, MC-PWR-12: kept through the OS lock, gone without power; E-219 */
static void sticky_match_survives_the_lock_but_no_programming(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    arc(&g, 1, 0x2000, 0x3000, LOAD_STORE | WORD);
    watch(&g, 0x10);
    assert_true(hit(&g, false, 0x2000, 4, 0));
    etm_resources_hold(&g.r, ETM_RESOURCES_LOCKED);
    cycle(&g);
    etm_resources_hold(&g.r, ETM_RESOURCES_RUN);
    assert_true(level(&g));
    /* what comes back after a power-up are registers */
    etm_resources_save(&g.r, g.value);
    etm_resources_program(&g.r, g.value);
    assert_false(level(&g));
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

/* MC-XM-10: what comes late starts no trace by an exact comparator; E-206 */
static void exact_include_misses_transfers_that_wait(void **state)
{
    struct etm_resource_transfer t;
    struct rig g;

    (void)state;
    for (unsigned exact = 0; exact < 2; exact++) {
        rig_make(&g, ETM_V3_4);
        sac(&g, 1, 0x2000, LOAD_STORE | WORD | (exact ? EXACT : 0));
        g.value[ETM_REG_TECR1] = 0;
        g.value[ETM_REG_TECR2] = 1;
        g.value[ETM_REG_VDCR3] = 0;
        g.value[ETM_REG_VDCR1] = 1;
        rig_run(&g);
        insn(&g, 0x100);
        t = transfer_of(&g, false, 0x2000, 4, 0);
        t.phase = ETM_TRANSFER_WAITS;
        etm_resources_transfer(&g.r, &t);
        cycle(&g);
        assert_int_equal(g.out.insns, !exact);
        assert_int_equal(g.out.view, !exact);
    }
}

/* MC-XM-15: in v1.x there is no exact bit, and an abort matches */
static void aborted_transfer_matches_in_v1(void **state)
{
    struct etm_resource_transfer t;
    struct rig g;

    (void)state;
    for (unsigned v2 = 0; v2 < 2; v2++) {
        rig_make(&g, v2 ? ETM_V2_0 : ETM_V1_3);
        sac(&g, 1, 0x2000, LOAD_STORE | WORD | EXACT);
        watch(&g, 0x00);
        t = transfer_of(&g, false, 0x2000, 4, 0);
        t.failed = true;
        etm_resources_transfer(&g.r, &t);
        assert_int_equal(level(&g), !v2);
    }
}

/* MC-XM-16, MC-XM-08: an asynchronous abort cancels the instruction, and is no
   abort of a transfer */
static void asynchronous_abort_cancels_the_instruction_alone(void **state)
{
    struct etm_resource_insn i = {.address = 0x1000,
                                  .isa = ETM_ISA_ARM,
                                  .size = 4,
                                  .passed = true,
                                  .cancelled = true};
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, EXECUTE | WORD | EXACT);
    sac(&g, 2, 0x2000, LOAD_STORE | WORD | EXACT);
    g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x01;
    watch(&g, 0x00);
    g.owner = etm_resources_insn(&g.r, &i);
    transfer(&g, true, 0x2000, 4, 0);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 2);
}

/* MF-31, MC-ADR-04: no execution tells what was fetched; what was executed is
   compared in place of it; E-216 */
static void fetch_comparison_sees_what_was_executed(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x1000, FETCH | WORD);
    sac(&g, 2, 0x1000, EXECUTE | WORD);
    g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x01;
    watch(&g, 0x00);
    insn(&g, 0x1000);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 3);
    insn(&g, 0x1004);
    cycle(&g);
    assert_int_equal(g.out.ext_out, 0);
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

/* IHI 0014Q, table 3.89, IHI 0035B, 3.6: the VMID comparator is resource 0x5b,
   also for ETMCCR without context ID comparators. E-210 */
static void vmid_comparator_is_a_resource_of_events(void **state)
{
    static const unsigned some[] = {ETM_V3_5, ETM_PFT1_1, ETM_PFT1_0, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(some); v++) {
        bool has = some[v] == ETM_V3_5 || some[v] == ETM_PFT1_1;

        rig_make(&g, some[v]);
        g.config.virtualization = has;
        g.config.counts.cidcs = 0;
        g.value[ETM_REG_VMIDCVR] = 0x42;
        watch(&g, 0x5b);
        g.context.vmid = 0x42;
        context(&g);
        assert_int_equal(at(&g, 0x1000), has);
        assert_int_equal(at(&g, 0x1004), has); /* held */
        g.context.prohibited = true;
        context(&g);
        assert_false(at(&g, 0x1008));
        g.context.prohibited = false;
        g.context.vmid = 0x43;
        context(&g);
        assert_false(at(&g, 0x1008));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_comparator_compares_all_bits),
        cmocka_unit_test(each_range_has_its_pair),
        cmocka_unit_test(counts_say_which_resources_exist),
        cmocka_unit_test(low_half_of_a_range_says_what_it_compares),
        cmocka_unit_test(word_at_the_top_of_memory_is_in_its_range),
        cmocka_unit_test(sticky_range_of_instructions_ends_in_one_of_two_ways),
        cmocka_unit_test(sticky_range_includes_what_runs_under_its_data),
        cmocka_unit_test(ranges_are_gated_like_single_comparators),
        cmocka_unit_test(sticky_match_survives_the_lock_but_no_programming),
        cmocka_unit_test(values_belong_to_odd_comparators_of_data),
        cmocka_unit_test(small_access_is_compared_up_to_v3_2),
        cmocka_unit_test(exact_include_misses_transfers_that_wait),
        cmocka_unit_test(aborted_transfer_matches_in_v1),
        cmocka_unit_test(asynchronous_abort_cancels_the_instruction_alone),
        cmocka_unit_test(fetch_comparison_sees_what_was_executed),
        cmocka_unit_test(virtual_machines_gate_comparators),
        cmocka_unit_test(vmid_comparator_is_a_resource_of_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
