/* SPDX-License-Identifier: Apache-2.0 */
/* The judges must be able to object. What they read shows in test_objdump.c and
 * test_capstone.c: read otherwise, it would differ from what we say. */
#include "../support/test.h"
#include "judge.h"

/* MOV R0, R0 with verdicts that are wrong, one way each. */
TEST(a_wrong_verdict_is_a_difference)
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

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct trial trial = {.judge = JUDGE_CAPSTONE, .isa = ETM_ISA_ARM};

        trial_compare(&trial, 0xe1a00000, 0, &right, "mov", "r0, r0");
        assert_int_equal(trial.different, 0);
        trial_compare(&trial, 0xe1a00000, 0, &wrong[i], "(wrong)", "");
        assert_int_equal(trial.different, 1);
    }
}

TEST(a_wrong_target_is_a_difference)
{
    struct trial trial = {.judge = JUDGE_CAPSTONE, .isa = ETM_ISA_ARM};
    struct verdict verdict = {
        .branch = true, .direct = true, .target = 8, .size = 4};

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
TEST(an_allowed_difference_must_occur)
{
    struct trial trial = {.judge = JUDGE_OBJDUMP, .isa = ETM_ISA_THUMB};

    assert_false(trial_passes(&trial));
}

TEST(samples_reach_every_group)
{
    static bool arm[SAMPLES_ARM_ROUND], thumb[SAMPLES_THUMB32_ROUND];

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
