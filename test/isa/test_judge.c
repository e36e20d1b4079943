/* SPDX-License-Identifier: Apache-2.0 */
/* The judges must be able to tell: what they read, and that they object. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct verdict read_text(const char *mnemonic, const char *operands)
{
    struct verdict verdict;

    judge_text(&verdict, mnemonic, operands);
    return verdict;
}

static void direct_branches_are_read(void **state)
{
    static const char *const mnemonics[] = {"b",    "b.n",  "bls",  "bl",
                                            "blls", "blle", "blx",  "beq.w",
                                            "bhi",  "blt",  "blmi", "bal"};

    (void)state;
    for (size_t i = 0; i < sizeof(mnemonics) / sizeof(mnemonics[0]); i++) {
        struct verdict verdict = read_text(mnemonics[i], "#0x1234");

        assert_true(verdict.branch && verdict.direct);
        assert_int_equal(verdict.target, 0x1234);
        assert_int_equal(read_text(mnemonics[i], "0x1234").target, 0x1234);
    }
    assert_int_equal(read_text("cbnz", "r3, 0x20").target, 0x20);
    assert_true(read_text("cbnz", "r3, #0x20").direct);
}

static void indirect_branches_are_read(void **state)
{
    static const char *const texts[][2] = {
        {"bx", "lr"},           {"blxeq", "r3"},
        {"bxj", "r1"},          {"mov", "pc, lr"},
        {"movs", "pc, lr"},     {"addls", "pc, pc, r3, lsl #2"},
        {"subs", "pc, lr, #4"}, {"ldr", "pc, [sp], #4"},
        {"ldrls", "pc, [pc]"},  {"ldr.w", "pc, [r1]"},
        {"pop", "{r4, pc}"},    {"popeq", "{r4, pc}"},
        {"ldmdb", "r1!, {pc}"}, {"ldmia.w", "r1!, {r4, pc}"},
        {"rfeia", "sp!"},       {"eret", ""},
        {"tbb", "[pc, r3]"},    {"tbh", "[pc, r3, lsl #1]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct verdict verdict = read_text(texts[i][0], texts[i][1]);

        assert_true(verdict.branch);
        assert_false(verdict.direct);
    }
}

static void the_rest_is_no_branch(void **state)
{
    static const char *const texts[][2] = {
        {"bic", "r0, r0, #1"},     {"bics", "r0, r0, #1"},
        {"bfi", "r0, r1, #0, #8"}, {"bkpt", "0x0000"},
        {"cmp", "pc, #0"},         {"str", "pc, [r1]"},
        {"ldrb", "pc, [r1]"},      {"ldrh", "pc, [r1]"},
        {"stm", "r1, {r4, pc}"},   {"push", "{r4, lr}"},
        {"ldm", "pc, {r4, r5}"},   {"mrc", "15, 0, pc, cr0, cr0, {0}"},
        {"add", "r0, pc, #4"},     {"svc", "0x00000000"},
        {"ldr", "r0, [pc, #4]"},   {"srsdb", "sp!, #19"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_false(read_text(texts[i][0], texts[i][1]).branch);
}

static void register_lists_are_read(void **state)
{
    (void)state;
    assert_int_equal(read_text("push", "{r4, lr}").registers, 0x4010);
    assert_int_equal(read_text("stm", "r1!, {r0-r3, ip}").registers, 0x100f);
    assert_int_equal(read_text("ldm", "r1, {sb, sl, fp, sp, pc}^").registers,
                     0xae00);
}

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
        cmocka_unit_test(direct_branches_are_read),
        cmocka_unit_test(indirect_branches_are_read),
        cmocka_unit_test(the_rest_is_no_branch),
        cmocka_unit_test(register_lists_are_read),
        cmocka_unit_test(a_wrong_verdict_is_a_difference),
        cmocka_unit_test(a_wrong_target_is_a_difference),
        cmocka_unit_test(an_allowed_difference_must_occur),
        cmocka_unit_test(samples_reach_every_group),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
