/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that count executions, and all code that has a name, of the demos. What
 * is counted is compared with elements by the cases of sessions. */
#include "../support/test.h"
#include "session_support.h"

struct looking {
    const struct etm_session *session;
    size_t n, others;
    bool main;
};

static int stop(void *context, const struct etm_count *count)
{
    (void)context;
    (void)count;
    return 42;
}

TEST(counts_are_of_their_own_level)
{
    struct etm_session_run run = {.counts = stop};
    struct etm_diag diag;

    MISUSE(etm_session_run_source(demos[0].session, 0, &run, &diag));
    assert_string_equal(diag.what, "counts need the level counts or coverage");
    run.level = ETM_LEVEL_COUNTS;
    assert_int_equal(etm_session_run_source(demos[0].session, 0, &run, &diag),
                     42);
}

static int count_rows(void *context, const struct etm_count *count)
{
    struct looking *l = context;

    (void)count;
    l->n++;
    return ETM_OK;
}

static int count_others(void *context, const struct etm_element *elements,
                        size_t n)
{
    struct looking *l = context;

    for (size_t i = 0; i < n; i++)
        l->others += elements[i].kind != ETM_ELEMENT_RANGE;
    return ETM_OK;
}

/* At the level of counts, by three threads, and of ranges. */
TEST(other_elements_are_given_too)
{
    for (size_t k = 0; k < 2; k++) {
        struct looking ranges = {.n = 0}, counts = {.n = 0};
        struct etm_session_run run = {.elements = count_others,
                                      .context = &ranges};

        OK(etm_session_run_source(demos[k].session, 0, &run, NULL));
        run.level = ETM_LEVEL_COUNTS;
        run.counts = count_rows;
        run.jobs = 3;
        run.context = &counts;
        OK(etm_session_run_source(demos[k].session, 0, &run, NULL));
        assert_true(counts.n > 100);
        assert_int_equal(counts.others, ranges.others);
    }
}

static int look_at_line(void *context, const struct etm_line_range *range)
{
    struct looking *l = context;
    struct etm_source_line line;

    assert_true(range->start < range->end);
    OK(etm_session_line(l->session, 0, range->start, &line));
    assert_int_equal(line.line, range->line);
    assert_string_equal(line.file, range->file);
    l->n++;
    return ETM_OK;
}

static int look_at_function(void *context, const struct etm_function *function)
{
    struct looking *l = context;
    struct etm_symbol symbol;

    assert_int_equal(function->address % 2, 0);
    OK(etm_session_symbol(l->session, 0, function->address, &symbol));
    assert_string_equal(symbol.name, function->name);
    l->main |= strcmp(function->name, "main") == 0;
    l->n++;
    return l->n == 1000 ? 7 : ETM_OK;
}

/* What they give the lookups know. */
TEST(all_lines_and_functions_are_given)
{
    for (size_t k = 0; k < 2; k++) {
        struct looking l = {.session = demos[k].session};

        OK(etm_session_lines(l.session, 0, look_at_line, &l));
        assert_true(l.n > 100);
        l.n = 0;
        OK(etm_session_functions(l.session, 0, look_at_function, &l));
        assert_true(l.n > 10 && l.main);
        l.n = 999;
        assert_int_equal(
            etm_session_functions(l.session, 0, look_at_function, &l), 7);
        MISUSE(etm_session_lines(l.session, 99, look_at_line, &l));
    }
}

int main(void)
{
    return tests_run_between(open_demos, close_demos);
}
