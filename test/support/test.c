/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static struct test *first;
static size_t n_tests;

/* Constructors of a file may run in any order. */
void test_add(struct test *test)
{
    struct test **at = &first;

    while (*at != NULL && (*at)->line < test->line)
        at = &(*at)->next;
    test->next = *at;
    *at = test;
    n_tests++;
}

int tests_run_between(CMFixtureFunction before, CMFixtureFunction after)
{
    struct CMUnitTest *all = calloc(n_tests + 1, sizeof *all);
    size_t n = 0;
    int failed;

    if (all == NULL)
        return 99;
    for (const struct test *test = first; test != NULL; test = test->next)
        all[n++] = test->unit;
    failed = _cmocka_run_group_tests("tests", all, n, before, after);
    free(all);
    return n == 0 ? 99 : failed;
}

int tests_run(void)
{
    return tests_run_between(NULL, NULL);
}
