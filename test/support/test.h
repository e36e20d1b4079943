/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests with cmocka:
 *
 *     TEST(names_say_what_is_shown)
 *     {
 *         assert_ok(etm_image_new(&image, NULL));
 *     }
 *
 * Those of a file run in its order. It needs no main(), unless it takes
 * arguments: that one calls tests_run().
 */
#ifndef ETM_TEST_SUPPORT_TEST_H
#define ETM_TEST_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct test {
    struct CMUnitTest unit;
    unsigned line;
    struct test *next;
};

/* Before main() begins. */
void test_add(struct test *test);

/* All of them, or all between two fixtures of the group; what main() returns.
 */
int tests_run(void);
int tests_run_between(CMFixtureFunction before, CMFixtureFunction after);

/* `before` and `after` are fixtures of cmocka, or NULL. */
#define TEST_BETWEEN(name, before, after)                                      \
    static void name(void);                                                    \
    static void name##_run(void **of_cmocka)                                   \
    {                                                                          \
        (void)of_cmocka;                                                       \
        name();                                                                \
    }                                                                          \
    __attribute__((constructor)) static void name##_add(void)                  \
    {                                                                          \
        static struct test test = {                                            \
            {#name, name##_run, before, after, NULL}, __LINE__, NULL};         \
                                                                               \
        test_add(&test);                                                       \
    }                                                                          \
    static void name(void)

#define TEST(name) TEST_BETWEEN(name, NULL, NULL)

#define assert_ok(status) assert_int_equal(status, 0)
#define assert_refused(status) assert_int_equal(status, ETM_ERR_ARGUMENT)

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
