/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that count executions, of the demo captures. */
#include "session_support.h"

struct sum {
    uint64_t insns, ranges, cycles;
    size_t rows, others, found;
    uint32_t last; /* start of the last row */
};

static int add_row(void *context, const struct etm_count *count)
{
    struct sum *sum = context;

    assert_true(count->start >= sum->last);
    sum->last = count->start;
    sum->insns += count->n * count->insns;
    sum->ranges += count->n;
    sum->rows++;
    return ETM_OK;
}

static int add_elements(void *context, const struct etm_element *elements,
                        size_t n)
{
    struct sum *sum = context;

    for (size_t i = 0; i < n; i++) {
        if (elements[i].kind == ETM_ELEMENT_RANGE) {
            sum->insns += elements[i].u.range.n;
            sum->ranges++;
            if (elements[i].u.range.cycles != ETM_CYCLES_UNKNOWN)
                sum->cycles += elements[i].u.range.cycles;
        } else {
            sum->others++;
        }
    }
    return ETM_OK;
}

/* Of the whole with several threads, and of four parts that adjoin. */
static void counts_are_those_of_the_ranges(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct etm_session *session = demos[k].session;
        struct sum ranges = {0}, counts = {0}, parts = {0};
        struct etm_session_run run = {.elements = add_elements,
                                      .context = &ranges};
        uint64_t bytes = etm_session_bytes(session, 0);

        OK(etm_session_run_source(session, 0, &run, NULL));
        run.level = ETM_LEVEL_COUNTS;
        run.counts = add_row;
        run.cycles = &counts.cycles;
        run.context = &counts;
        run.jobs = 3;
        OK(etm_session_run_source(session, 0, &run, NULL));
        assert_true(counts.rows > 100);
        assert_int_equal(counts.insns, ranges.insns);
        assert_int_equal(counts.ranges, ranges.ranges);
        assert_int_equal(counts.others, ranges.others);
        assert_int_equal(counts.cycles, ranges.cycles);
        run.cycles = NULL;
        run.elements = NULL; /* nothing but counts */
        run.context = &parts;
        run.start = ETM_START_JOIN;
        for (unsigned i = 0; i < 4; i++) {
            run.begin = bytes / 4 * i;
            run.end = i < 3 ? bytes / 4 * (i + 1) : 0;
            parts.last = 0;
            OK(etm_session_run_source(session, 0, &run, NULL));
        }
        assert_int_equal(parts.insns, ranges.insns);
        assert_int_equal(parts.ranges, ranges.ranges);
    }
}

/* PFT of a branch to itself, of three cycles each time: an A-sync, an I-sync
 * that begins trace after 0 cycles, and atoms with a count (PFT architecture,
 * 4.4, 4.5). */
static struct etm_session *open_cycles(void)
{
    static const uint8_t code[] = {0xfe, 0xff, 0xff, 0xea};
    static const struct etm_register control = {"ETMCR", 0, 0x1000};
    uint8_t trace[200] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08,
                          0x00, 0x80, 0x00, 0x00, 0x21, 0x00};
    char image[1100];
    const char *const images[] = {image};
    const struct etm_session_options options = {.protocol = ETM_PROTOCOL_PFT,
                                                .registers = &control,
                                                .n_registers = 1,
                                                .images = images,
                                                .n_images = 1};
    struct etm_session *session;

    memset(trace + 13, 0x8c, sizeof trace - 13);
    write_file("code.bin", code, sizeof code);
    write_file("trace.bin", trace, sizeof trace);
    snprintf(image, sizeof image, "%s@0x8000", in_directory("code.bin"));
    OK(etm_session_open(&session, in_directory("trace.bin"), &options, NULL));
    return session;
}

/* In one thread or three, with the elements or alone. */
static void cycles_need_no_counts(void **state)
{
    struct etm_session *session = open_cycles();
    struct sum others = {0};
    struct etm_session_run run = {.level = ETM_LEVEL_COUNTS,
                                  .context = &others};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t cycles = 0;

        run.cycles = &cycles;
        run.jobs = i % 2 == 0 ? 1 : 3;
        run.elements = i < 2 ? add_elements : NULL;
        OK(etm_session_run_source(session, 0, &run, NULL));
        assert_int_equal(cycles, 3 * 187);
    }
    assert_true(others.others > 0);
    assert_int_equal(others.ranges, 0);
    etm_session_free(session);
}

static int stop(void *context, const struct etm_count *count)
{
    (void)context;
    (void)count;
    return 42;
}

static void counts_are_of_their_own_level(void **state)
{
    const struct etm_session *session = demos[0].session;
    struct etm_session_run run = {.counts = stop};
    struct etm_diag diag;

    (void)state;
    MISUSE(etm_session_run_source(session, 0, &run, &diag));
    assert_string_equal(diag.what, "counts need the level counts or coverage");
    run.level = ETM_LEVEL_COUNTS;
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag), 42);
}

struct looking {
    const struct etm_session *session;
    size_t n, executed;
    bool main;
};

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
static void all_lines_and_functions_are_given(void **state)
{
    (void)state;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_ranges),
        cmocka_unit_test(cycles_need_no_counts),
        cmocka_unit_test(counts_are_of_their_own_level),
        cmocka_unit_test(all_lines_and_functions_are_given),
    };

    return cmocka_run_group_tests(tests, open_demos, close_demos);
}
