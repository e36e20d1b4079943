/* SPDX-License-Identifier: Apache-2.0 */
/* From the captures in demo/ to packets and elements, held against the plainest
 * possible way to the bytes; and runs that are stopped or refused. */
#include "../support/receive.h"
#include "../support/test.h"
#include "session_support.h"

TEST(bytes_are_those_of_the_frames)
{
    for (size_t i = 0; i < 2; i++) {
        const struct seen *seen = &demos[i].whole;
        struct etm_test_stream stream;

        etm_test_deframe(demos[i].file, demos[i].n, demos[i].id, &stream);
        assert_true(stream.n > 3000);
        assert_int_equal(seen->n_stream, stream.n);
        assert_memory_equal(seen->stream, stream.bytes, stream.n);
        assert_int_equal(seen->n_bytes, stream.n);
        assert_memory_equal(seen->bytes, stream.bytes, stream.n);
        assert_int_equal(seen->n_buffers, 1);
        etm_test_stream_free(&stream);
    }
}

/* Each packet, and each element, is where its first byte is in the file. */
TEST(offsets_are_places_in_the_file)
{
    for (size_t i = 0; i < 2; i++) {
        const struct etm_source_info *info =
            etm_session_source(demos[i].session, 0);
        const struct seen *seen = &demos[i].whole;
        struct etm_test_elements whole = {0};
        struct etm_test_stream stream;
        size_t at = 0;

        etm_test_deframe(demos[i].file, demos[i].n, demos[i].id, &stream);
        for (size_t k = 0; k < seen->n_packets; k++) {
            assert_int_equal(seen->packets[k].offset, stream.at[at]);
            at += seen->packets[k].size;
        }
        assert_int_equal(at, stream.n);
        OK(etm_test_decode(&info->config, info->image, ETM_LEVEL_INSTRUCTIONS,
                           stream.bytes, stream.n, &whole));
        assert_true(same_execution(&whole, &seen->elements));
        for (size_t k = 0; k + 1 < whole.n; k++)
            assert_int_equal(seen->elements.all[k].offset,
                             stream.at[whole.all[k].offset]);
        free(whole.all);
        etm_test_stream_free(&stream);
    }
}

TEST(there_is_nothing_after_the_last)
{
    const struct etm_session *session = demos[1].session;

    assert_null(etm_session_source(session, 1));
    assert_null(etm_session_buffer(session, 1));
    assert_int_equal(etm_session_source_buffer(session, 0, 0), 0);
    assert_true(etm_session_source_buffer(session, 0, 1) == SIZE_MAX);
    assert_true(etm_session_source_buffer(session, 1, 0) == SIZE_MAX);
    assert_null(etm_session_code_file(session, SIZE_MAX));
    assert_null(etm_session_note(session, etm_session_notes(session)));
    assert_null(etm_session_fault(session, etm_session_faults(session)));
    assert_null(etm_session_mapping(session, 0)); /* it is not of perf */
}

TEST(titles_have_protocol_and_version)
{
    static const struct {
        struct etm_config config;
        const char *title;
    } rows[] = {
        {{.protocol = ETM_PROTOCOL_ETMV1, .minor = 3}, "ETMv1.3"},
        {{.protocol = ETM_PROTOCOL_ETMV2}, "ETMv2.0"},
        {{.protocol = ETM_PROTOCOL_ETMV3, .minor = 5}, "ETMv3.5"},
        {{.protocol = ETM_PROTOCOL_PFT, .minor = 1}, "PFT 1.1"},
        {{.protocol = ETM_PROTOCOL_NONE}, "unknown"},
    };
    char text[8];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(
            etm_config_title(&rows[i].config, text, sizeof text),
            rows[i].title);
    assert_string_equal(etm_config_title(&rows[2].config, text, 7), "ETMv3.");
    assert_string_equal(etm_config_title(&rows[2].config, text, 4), "ETM");
    assert_string_equal(etm_config_title(&rows[0].config, text, 1), "");
}

/* Symbols are the same, made ready beforehand or not. */
TEST(symbols_may_be_made_ready)
{
    const char *path = etm_session_file(demos[1].session, 0);
    struct etm_session *ready;
    unsigned found = 0;

    OK(etm_session_open(&ready, path, NULL, NULL));
    MISUSE(etm_session_load_symbols(NULL, 0));
    MISUSE(etm_session_load_symbols(ready, 99));
    OK(etm_session_load_symbols(ready, 0));
    for (uint32_t address = 0x60000000; address < 0x60000700; address += 4) {
        struct etm_symbol a, b;
        int status = etm_session_symbol(demos[1].session, 0, address, &a);

        assert_int_equal(etm_session_symbol(ready, 0, address, &b), status);
        if (status != ETM_OK)
            continue;
        assert_string_equal(a.name, b.name);
        assert_int_equal(a.offset, b.offset);
        found++;
    }
    assert_true(found > 10);
    etm_session_free(ready);
}

static int stop(void *context, const struct etm_element *elements, size_t n)
{
    (void)elements;
    (void)n;
    ++*(unsigned *)context;
    return 42;
}

static int stop_early(void *context, uint64_t done, uint64_t total)
{
    ++*(unsigned *)context;
    assert_true(done <= total);
    return 7;
}

RECEIVE_ONE(no_point, const struct etm_point *)

TEST(functions_may_end_the_run)
{
    unsigned calls = 0;
    const struct etm_session_run refused = {.elements = stop,
                                            .context = &calls};
    const struct etm_session_run run = {
        .size = sizeof run, .progress = stop_early, .context = &calls};
    const struct etm_session_points points = {.size = sizeof points,
                                              .point = no_point,
                                              .progress = stop_early,
                                              .context = &calls};
    const struct etm_session *session = demos[0].session;

    assert_int_equal(etm_session_run_source(session, 0, &refused, NULL), 42);
    assert_int_equal(calls, 1);
    assert_int_equal(etm_session_run_source(session, 0, &run, NULL), 7);
    assert_int_equal(etm_session_find_points(session, 0, &points, NULL), 7);
    assert_int_equal(calls, 3);
}

static int take_no_packets(void *context, const struct etm_packet *packets,
                           size_t n, const uint8_t *bytes)
{
    (void)context;
    (void)packets;
    (void)n;
    (void)bytes;
    return ETM_ERR_STOPPED;
}

TEST(parts_that_cannot_be_are_refused)
{
    struct etm_session_run run = {.begin = 500, .end = 100};
    struct etm_diag diag;

    MISUSE(etm_session_run_source(demos[0].session, 0, &run, &diag));
    expect_diag(&diag, ETM_ERR_ARGUMENT, "ETM_0", 0,
                "the part ends before it begins");
    run = (struct etm_session_run){
        .begin = 500, .start = ETM_START_JOIN, .packets = take_no_packets};
    MISUSE(etm_session_run_source(demos[0].session, 0, &run, &diag));
    expect_diag(&diag, ETM_ERR_ARGUMENT, "ETM_0", 0, "only elements");
}

TEST(the_end_of_a_part_is_no_damage)
{
    struct etm_test_elements elements = {0};

    for (uint64_t end = 100; end < 1100; end++)
        for (unsigned jobs = 1; jobs <= 2; jobs++) {
            const struct etm_session_run run = {.elements = etm_test_collect,
                                                .context = &elements,
                                                .end = end,
                                                .jobs = jobs};

            elements.n = 0;
            OK(etm_session_run_source(demos[0].session, 0, &run, NULL));
            assert_int_equal(count_kind(&elements, ETM_ELEMENT_LOST), 0);
        }
    free(elements.all);
}

int main(void)
{
    return tests_run_between(open_demos, close_demos);
}
