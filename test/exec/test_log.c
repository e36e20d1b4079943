/* SPDX-License-Identifier: Apache-2.0 */
/* How execution logs are read: in pieces, and to the end. What their lines say
 * is in *.scn. */
#include "../support/test.h"
#include "log_util.h"

TEST(a_line_without_end_is_an_error)
{
    static char text[80000];
    struct etm_diag diag = {0};

    memset(text, ' ', sizeof text);
    memcpy(text, "trigger\n", 8);
    assert_int_equal(read_in(text, sizeof text, 1000, ETM_PROFILE_A, &diag),
                     ETM_ERR_FORMAT);
    assert_int_equal(diag.line, 2);
    assert_non_null(strstr(diag.what, "more than"));
}

TEST(an_error_stays)
{
    struct etm_execution_reader_config config = {.events = take_events};
    struct etm_execution_reader *reader;
    struct etm_diag diag = {0};

    assert_ok(etm_execution_reader_new(&reader, &config));
    assert_int_equal(etm_execution_reader_push(reader, "x\n", 2, NULL),
                     ETM_ERR_FORMAT);
    assert_int_equal(etm_execution_reader_push(reader, "trigger\n", 8, &diag),
                     ETM_ERR_FORMAT);
    assert_int_equal(diag.line, 1);
    assert_int_equal(etm_execution_reader_finish(reader, &diag),
                     ETM_ERR_FORMAT);
    etm_execution_reader_free(reader);
}

TEST(nothing_comes_after_the_end)
{
    static const char text[] = "version 1\ntrigger\n";
    struct etm_execution_reader_config config = {.name = "a.log",
                                                 .events = take_events};
    struct etm_execution_reader *reader;
    struct etm_execution_report report;
    struct etm_diag diag = {0};

    got.n = 0;
    assert_ok(etm_execution_reader_new(&reader, &config));
    assert_ok(etm_execution_reader_push(reader, text, sizeof text - 1, NULL));
    assert_ok(etm_execution_reader_finish(reader, NULL));
    assert_int_equal(got.n, 1);
    assert_refused(etm_execution_reader_push(reader, "trigger\n", 8, &diag));
    assert_string_equal(diag.source, "a.log");
    assert_non_null(strstr(diag.what, "end"));
    assert_refused(etm_execution_reader_finish(reader, NULL));
    etm_execution_reader_report(reader, &report);
    assert_int_equal(report.lines, 2);
    assert_int_equal(got.n, 1);
    etm_execution_reader_free(reader);
}

struct told {
    struct etm_execution_reader *reader;
    uint64_t lines[1000];
    size_t n;
};

static int take_lines(void *context, const struct etm_event *events, size_t n)
{
    struct told *told = context;

    (void)events;
    for (size_t i = 0; i < n; i++) {
        assert_true(told->n < 1000);
        told->lines[told->n++] = etm_execution_reader_line(told->reader, i);
    }
    assert_int_equal(etm_execution_reader_line(told->reader, n), 0);
    return ETM_OK;
}

/* Two events of a line, and events of each batch, have the line in the file. */
TEST(every_event_has_its_line)
{
    static struct told told;
    struct etm_execution_reader_config config = {.events = take_lines,
                                                 .context = &told};
    char line[64];

    assert_ok(etm_execution_reader_new(&told.reader, &config));
    for (unsigned i = 0; i < 400; i++) {
        int n = snprintf(line, sizeof line, "\n%x e5901000 r4:2000=1\n", 4 * i);

        assert_ok(
            etm_execution_reader_push(told.reader, line, (size_t)n, NULL));
        assert_int_equal(etm_execution_reader_line(told.reader, 0), 0);
    }
    assert_ok(etm_execution_reader_finish(told.reader, NULL));
    assert_int_equal(told.n, 800);
    for (size_t i = 0; i < told.n; i++)
        assert_int_equal(told.lines[i], i / 2 * 2 + 2);
    etm_execution_reader_free(told.reader);
}

static int refuse_events(void *context, const struct etm_event *events,
                         size_t n)
{
    unsigned *calls = context;

    (void)events;
    (void)n;
    return ++*calls == 1 ? 77 : ETM_OK;
}

/* Whoever takes the events may end it. */
TEST(an_error_of_the_taker_ends_the_reading)
{
    static const char line[] = "1 clk IT (1) 00008000 eafffffe A svc_s : B .\n";
    unsigned calls = 0;
    struct etm_execution_reader_config from = {.format = ETM_EXECUTION_TARMAC,
                                               .profile = ETM_PROFILE_A,
                                               .events = refuse_events,
                                               .context = &calls};
    struct etm_execution_reader *reader;
    int status = ETM_OK;

    assert_ok(etm_execution_reader_new(&reader, &from));
    for (unsigned i = 0; i < 10000 && status == ETM_OK; i++)
        status = etm_execution_reader_push(reader, line, strlen(line), NULL);
    assert_int_equal(status, 77);
    assert_int_equal(calls, 1);
    etm_execution_reader_free(reader);
}
