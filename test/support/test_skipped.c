/* SPDX-License-Identifier: Apache-2.0 */
/* Of two tests, one is skipped, or with the argument `all` both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool all;

static void one(void **state)
{
    (void)state;
    skip();
}

static void other(void **state)
{
    (void)state;
    if (all)
        skip();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one),
        cmocka_unit_test(other),
    };

    (void)argv;
    all = argc > 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
