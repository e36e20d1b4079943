/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that explain registers and find mistakes: their arguments, what they
   return, and values at random. What is said is in the scenarios. */
#include "explain_util.h"

static void words_are_cut_where_there_is_no_room(void **state)
{
    char text[8] = "xxxxxxx";

    (void)state;
    assert_string_equal(etm_event_words(0x40, text, sizeof text), "counter");
    assert_string_equal(etm_event_words(0x40, text, 1), "");
    assert_ptr_equal(etm_event_words(0x40, text, 0), text);
}

static void nothing_is_an_invalid_argument(void **state)
{
    struct setting s;
    struct sentences all = {0};
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_explain(NULL, NULL, NULL, &diag), ETM_ERR_ARGUMENT);
    assert_string_not_equal(diag.what, "");
    assert_int_equal(etm_lint_values(NULL, NULL, 0, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_accesses(NULL, NULL, 0, NULL, 0, NULL),
                     ETM_ERR_ARGUMENT);
    machine(&s, V3_4);
    assert_int_equal(etm_explain(&s.explain, NULL, NULL, &diag),
                     ETM_ERR_ARGUMENT);
    s.explain.size = 3;
    assert_int_equal(etm_explain(&s.explain, keep_line, &all, &diag),
                     ETM_ERR_ARGUMENT);
}

static int stop(void *context, const struct etm_explain_line *line)
{
    unsigned *n = context;

    (void)line;
    return ++*n == 3 ? 42 : 0;
}

static void the_listener_may_stop(void **state)
{
    struct setting s;
    unsigned n = 0;

    (void)state;
    machine(&s, V3_4);
    assert_int_equal(etm_explain(&s.explain, stop, &n, NULL), 42);
    assert_int_equal(n, 3);
}

/* Nothing that registers hold makes it fail. */
static void any_value_can_be_explained(void **state)
{
    uint64_t x = 1;

    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        struct setting s;
        struct sentences all;
        struct etm_lint lints[LINTS];

        machine(&s, all_versions[round % N_VERSIONS]);
        for (uint32_t i = 0; i < 120; i++) {
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            put(&s, (uint32_t)(x >> 33) % 0x92, (uint32_t)(x >> 29));
        }
        for (size_t i = 0; i < s.explain.n_registers; i++) {
            uint32_t n = s.registers[i].number;

            /* what it is stays what it is */
            if (n == 0x079 || n == 0x001 || n == 0x07a || n == 0x005)
                s.registers[i].number = 0x000;
        }
        assert_true(strlen(explained(&s, &all)) > 200);
        assert_true(etm_lint_values(&s.explain, lints, LINTS, NULL) >= 0);
    }
}

static void findings_come_in_order_and_are_counted_beyond_capacity(void **state)
{
    struct setting s;
    struct etm_lint lints[LINTS], few[2];
    int n;

    (void)state;
    machine(&s, V3_4);
    put(&s, 0x000, 0xc0880);
    put(&s, 0x00b, 0);
    put(&s, 0x002, 0x7f);
    put(&s, 0x009, 0);
    put(&s, 0x080, 0x7f);
    n = etm_lint_values(&s.explain, lints, LINTS, NULL);
    assert_true(n >= 5);
    for (int i = 1; i < n; i++)
        assert_true(lints[i - 1].rule <= lints[i].rule);
    assert_int_equal(etm_lint_values(&s.explain, few, 2, NULL), n);
    assert_int_equal(etm_lint_values(&s.explain, NULL, 0, NULL), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_cut_where_there_is_no_room),
        cmocka_unit_test(nothing_is_an_invalid_argument),
        cmocka_unit_test(the_listener_may_stop),
        cmocka_unit_test(any_value_can_be_explained),
        cmocka_unit_test(
            findings_come_in_order_and_are_counted_beyond_capacity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
