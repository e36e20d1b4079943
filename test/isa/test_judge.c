/* SPDX-License-Identifier: Apache-2.0 */
/* The judges must be able to object. What they read shows in test_objdump.c and
 * test_capstone.c: read otherwise, it would differ from what we say. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* MOV R0, R0 with verdicts that are wrong, one way each. */
static void a_wrong_verdict_is_a_difference(void **state)
{
    static const struct verdict wrong[] = {
        {.branch = true, .size = 4},
        {.size = 2},
        {.size = 4, .has_list = true, .registers = 1},
        {.size = 4,
         .has_transfers = true,
         .direction = ETM_DIRECTION_LOAD,
         .count = 1,
         .transfer_size = 4},
    };
    struct verdict right = {.size = 4};

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct trial trial = {.judge = JUDGE_CAPSTONE, .isa = ETM_ISA_ARM};

        trial_compare(&trial, 0xe1a00000, 0, &right, "mov", "r0, r0");
        assert_int_equal(trial.different, 0);
        trial_compare(&trial, 0xe1a00000, 0, &wrong[i], "(wrong)", "");
        assert_int_equal(trial.different, 1);
    }
}

static void a_wrong_target_is_a_difference(void **state)
{
    struct trial trial = {.judge = JUDGE_CAPSTONE, .isa = ETM_ISA_ARM};
    struct verdict verdict = {
        .branch = true, .direct = true, .target = 8, .size = 4};

    (void)state;
    trial_compare(&trial, 0xea000000, 0, &verdict, "b", "8");
    assert_int_equal(trial.different, 0);
    verdict.target = 12;
    trial_compare(&trial, 0xea000000, 0, &verdict, "b", "(wrong)");
    assert_int_equal(trial.different, 1);
    verdict.direct = false;
    trial_compare(&trial, 0xea000000, 0, &verdict, "b", "(wrong)");
    assert_int_equal(trial.different, 2);
}

/* Nothing was compared: every allowed difference is missing. */
static void an_allowed_difference_must_occur(void **state)
{
    struct trial trial = {.judge = JUDGE_OBJDUMP, .isa = ETM_ISA_THUMB};

    (void)state;
    assert_false(trial_passes(&trial));
}

static void samples_reach_every_group(void **state)
{
    static bool arm[SAMPLES_ARM_ROUND], thumb[SAMPLES_THUMB32_ROUND];

    (void)state;
    for (uint64_t i = 0; i < SAMPLES_ARM_ROUND; i++) {
        uint32_t opcode = sample_arm(i);

        arm[opcode >> 20 << 4 | (opcode >> 4 & 15)] = true;
    }
    for (uint64_t i = 0; i < SAMPLES_THUMB32_ROUND; i++)
        thumb[(sample_thumb32(i) >> 12) - 0xe8000] = true;
    for (size_t i = 0; i < SAMPLES_ARM_ROUND; i++)
        assert_true(arm[i]);
    for (size_t i = 0; i < SAMPLES_THUMB32_ROUND; i++)
        assert_true(thumb[i]);
    assert_true(samples_arm() + samples_thumb32() >= 20000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_verdict_is_a_difference),
        cmocka_unit_test(a_wrong_target_is_a_difference),
        cmocka_unit_test(an_allowed_difference_must_occur),
        cmocka_unit_test(samples_reach_every_group),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
