/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cmocka program of which every test that ran was skipped has shown nothing:
 * it ends with 77, which is "skipped" to Meson, where cmocka says 0. The linker
 * puts this in front of cmocka's own functions (--wrap) in all test programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SKIPPED 77

void __real__skip(const char *file, int line);
void __wrap__skip(const char *file, int line);
int __real__cmocka_run_group_tests(const char *name,
                                   const struct CMUnitTest *tests, size_t n,
                                   CMFixtureFunction setup,
                                   CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *name,
                                   const struct CMUnitTest *tests, size_t n,
                                   CMFixtureFunction setup,
                                   CMFixtureFunction teardown);

static size_t skipped;

void __wrap__skip(const char *file, int line)
{
    skipped++;
    __real__skip(file, line);
}

int __wrap__cmocka_run_group_tests(const char *name,
                                   const struct CMUnitTest *tests, size_t n,
                                   CMFixtureFunction setup,
                                   CMFixtureFunction teardown)
{
    int failed;

    skipped = 0;
    failed = __real__cmocka_run_group_tests(name, tests, n, setup, teardown);
    return failed == 0 && skipped == n ? SKIPPED : failed;
}
