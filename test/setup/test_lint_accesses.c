/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in the order of accesses: 3.4.3, 3.5.1, 3.5.24. */
#include "explain_util.h"

#define W(number, value)                                                       \
    {                                                                          \
        (number), (value), true                                                \
    }
#define R(number, value)                                                       \
    {                                                                          \
        (number), (value), false                                               \
    }

/* How often the rule fires in a program of accesses. */
static unsigned count(const struct setting *s, enum etm_lint_rule rule,
                      const struct etm_lint_access *accesses, size_t n)
{
    struct etm_lint lints[LINTS];
    int found = etm_lint_accesses(&s->explain, accesses, n, lints, LINTS, NULL);
    unsigned fired = 0;

    assert_in_range(found, 0, LINTS);
    for (int i = 0; i < found; i++)
        fired += lints[i].rule == rule;
    return fired;
}

#define COUNT(s, rule, ...)                                                    \
    count((s), (rule), (const struct etm_lint_access[]){__VA_ARGS__},          \
          sizeof((const struct etm_lint_access[]){__VA_ARGS__}) /              \
              sizeof(struct etm_lint_access))

/* MC-LINT-18, MC-PRG-09, MC-PRG-10, MC-PRG-11 */
static void the_programming_procedure(void **state)
{
    struct setting s;

    (void)state;
    machine(&s, V3_4);
    put(&s, 0x000, 0x800); /* tracing */
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0xc00), R(4, 0),
                           R(4, 2), W(8, 0x6f), W(9, 0x01000000), W(0, 0xc0c),
                           W(0, 0x80c), R(4, 0)),
                     0);
    /* no programming bit at all */
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(8, 0x6f)), 1);
    /* not waited for */
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0xc00), W(8, 0x6f)),
                     1);
    assert_int_equal(
        COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0xc00), R(4, 0), W(8, 0x6f)), 1);
    /* other bits together with it, or before it works */
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0xc0c)), 1);
    assert_int_equal(
        COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0xc00), W(0, 0xc0c)), 1);
    /* locks and the claim tag are for any time */
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0x3ec, 0xc5acce55),
                           W(0x3e8, 1), W(0x0c0, 0)),
                     0);
    /* v1.1 has no bit to wait for */
    machine(&s, V1_1);
    put(&s, 0x000, 0x800);
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0xc00), W(8, 0x6f)),
                     0);
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(8, 0x6f)), 1);
    machine(&s, V1_2);
    put(&s, 0x000, 0x800);
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0xc00), W(8, 0x6f)),
                     1);
    /* after a reset programming has begun already */
    machine(&s, V3_4);
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0, 0x400), W(8, 0x6f)),
                     0);
}

/* MC-LINT-19, MC-CR-03 */
static void another_core_needs_power_off(void **state)
{
    struct setting s;

    (void)state;
    machine(&s, V3_2);
    put(&s, 0x000, 0x400);
    assert_int_equal(COUNT(&s, ETM_LINT_CORE_SELECT, W(0, 0x02000400)), 1);
    assert_int_equal(COUNT(&s, ETM_LINT_CORE_SELECT, W(0, 0x401),
                           W(0, 0x02000401), W(0, 0x02000400)),
                     0);
}

/* MC-LINT-26, MC-PWR-06 to MC-PWR-08 */
static void save_and_restore_in_sequence(void **state)
{
    const uint32_t key = 0xc5acce55;
    struct setting s;

    (void)state;
    machine(&s, V3_4);
    assert_int_equal(COUNT(&s, ETM_LINT_SAVE_RESTORE, W(0x0c0, key),
                           R(0x0c2, 2), R(0x0c2, 5), R(0x0c2, 6)),
                     0);
    /* more than it said */
    assert_int_equal(COUNT(&s, ETM_LINT_SAVE_RESTORE, W(0x0c0, key),
                           R(0x0c2, 1), R(0x0c2, 5), R(0x0c2, 6)),
                     1);
    /* begins with a write; mixed; without the lock */
    assert_int_equal(
        COUNT(&s, ETM_LINT_SAVE_RESTORE, W(0x0c0, key), W(0x0c2, 1)), 1);
    assert_int_equal(COUNT(&s, ETM_LINT_SAVE_RESTORE, W(0x0c0, key),
                           R(0x0c2, 4), R(0x0c2, 5), W(0x0c2, 6)),
                     1);
    assert_int_equal(COUNT(&s, ETM_LINT_SAVE_RESTORE, W(0x0c0, 0), R(0x0c2, 4)),
                     1);
    /* every write of the lock begins again */
    assert_int_equal(COUNT(&s, ETM_LINT_SAVE_RESTORE, W(0x0c0, key),
                           R(0x0c2, 1), R(0x0c2, 5), W(0x0c0, key), R(0x0c2, 0),
                           W(0x0c2, 5)),
                     0);
    /* E-333: there is no such register, and what is written after the lock
       is no mistake */
    machine(&s, V3_5);
    assert_int_equal(
        COUNT(&s, ETM_LINT_SAVE_RESTORE, W(0x0c0, key), R(0x0c2, 4)), 1);
    put(&s, 0x000, 0x800); /* tracing */
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0x0c0, key),
                           W(0x010, 0x100), W(0x0c0, 0)),
                     0);
    assert_int_equal(COUNT(&s, ETM_LINT_WHILE_TRACING, W(0x0c0, key),
                           W(0x0c0, 0), W(0x010, 0x100)),
                     1);
}

/* MC-REG-03, MC-SEQ-08 */
static void what_must_not_be_written(void **state)
{
    struct setting s;

    (void)state;
    machine(&s, V3_4);
    assert_int_equal(COUNT(&s, ETM_LINT_READ_ONLY, W(0x079, 0)), 1);
    assert_int_equal(COUNT(&s, ETM_LINT_READ_ONLY, W(0x067, 0)), 0);
    assert_int_equal(COUNT(&s, ETM_LINT_NO_REGISTER, W(0x066, 0)), 1);
    assert_int_equal(COUNT(&s, ETM_LINT_NO_REGISTER, W(0x052, 0)), 1);
    assert_int_equal(COUNT(&s, ETM_LINT_NO_REGISTER, W(0x400, 0)), 1);
    assert_int_equal(COUNT(&s, ETM_LINT_NO_REGISTER, W(0x051, 0)), 0);
    assert_int_equal(COUNT(&s, ETM_LINT_SEQUENCER_STATE, W(0x067, 3)), 1);
    assert_int_equal(COUNT(&s, ETM_LINT_SEQUENCER_STATE, W(0x067, 2)), 0);
    assert_int_equal(COUNT(&s, ETM_LINT_RESERVED_BITS, W(0x008, 0x20000)), 1);
    machine(&s, V3_0); /* state is read-only */
    assert_int_equal(COUNT(&s, ETM_LINT_READ_ONLY, W(0x067, 0)), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programming_procedure),
        cmocka_unit_test(another_core_needs_power_off),
        cmocka_unit_test(save_and_restore_in_sequence),
        cmocka_unit_test(what_must_not_be_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
