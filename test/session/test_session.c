/* SPDX-License-Identifier: Apache-2.0 */
/* From a capture to packets and elements, held against the plainest possible
 * way to the bytes. */
#include "../support/scarce.h"
#include "session_support.h"

static const char *const cores[] = {"cortex-m3", "cortex-a9"};
static const uint8_t ids[] = {0x10, 0x11};

static void bytes_are_those_of_the_frames(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct etm_session *session = open_demo(cores[i]);
        struct etm_test_stream stream;
        struct seen seen = {0};
        size_t n;
        uint8_t *file = read_whole(demo_path(cores[i], "cstrace.bin"), &n);

        etm_test_deframe(file, n, ids[i], &stream);
        assert_true(stream.n > 3000);
        see(session, 0, &seen);
        assert_int_equal(seen.n_stream, stream.n);
        assert_memory_equal(seen.stream, stream.bytes, stream.n);
        assert_int_equal(seen.n_bytes, stream.n);
        assert_memory_equal(seen.bytes, stream.bytes, stream.n);
        assert_int_equal(seen.n_buffers, 1);
        forget(&seen);
        etm_test_stream_free(&stream);
        free(file);
        etm_session_free(session);
    }
}

/* Each packet, and each element, is where its first byte is in the file. */
static void offsets_are_places_in_the_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct etm_session *session = open_demo(cores[i]);
        const struct etm_source_info *info = etm_session_source(session, 0);
        struct etm_test_elements whole = {0};
        struct etm_test_stream stream;
        struct seen seen = {0};
        size_t n, at = 0;
        uint8_t *file = read_whole(demo_path(cores[i], "cstrace.bin"), &n);

        etm_test_deframe(file, n, ids[i], &stream);
        see(session, 0, &seen);
        for (size_t k = 0; k < seen.n_packets; k++) {
            assert_int_equal(seen.packets[k].offset, stream.at[at]);
            at += seen.packets[k].size;
        }
        assert_int_equal(at, stream.n);
        assert_int_equal(etm_test_decode(&info->config, info->image,
                                         ETM_LEVEL_INSTRUCTIONS, stream.bytes,
                                         stream.n, &whole),
                         ETM_OK);
        assert_int_equal(whole.n, seen.elements.n);
        for (size_t k = 0; k + 1 < whole.n; k++)
            assert_int_equal(seen.elements.all[k].offset,
                             stream.at[whole.all[k].offset]);
        assert_true(same_execution(&whole, &seen.elements));
        free(whole.all);
        forget(&seen);
        etm_test_stream_free(&stream);
        free(file);
        etm_session_free(session);
    }
}

static void sources_are_found_by_name_and_id(void **state)
{
    struct etm_session *session = open_demo("cortex-a9");
    size_t index = 99;

    (void)state;
    assert_int_equal(etm_session_sources(session), 1);
    assert_int_equal(etm_session_find(session, "PTM_0", &index), ETM_OK);
    assert_int_equal(index, 0);
    index = 99;
    assert_int_equal(etm_session_find(session, "0x11", &index), ETM_OK);
    assert_int_equal(etm_session_find(session, "17", &index), ETM_OK);
    assert_int_equal(index, 0);
    assert_int_equal(etm_session_find(session, "0x12", &index),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_session_find(session, "11x", &index),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_session_find(session, "", &index), ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_session_find(session, "4294967313", &index),
                     ETM_ERR_NOT_FOUND);
    assert_null(etm_session_source(session, 1));
    assert_null(etm_session_buffer(session, 1));
    assert_int_equal(etm_session_source_buffer(session, 0, 0), 0);
    assert_true(etm_session_source_buffer(session, 0, 1) == SIZE_MAX);
    assert_true(etm_session_source_buffer(session, 1, 0) == SIZE_MAX);
    etm_session_free(session);
}

static void files_with_code_are_listed(void **state)
{
    struct etm_session *session = open_demo("cortex-a9");
    const char *path = etm_session_code_file(session, 0);

    (void)state;
    assert_non_null(path);
    assert_string_equal(path + strlen(path) - 10, "sensor.elf");
    assert_null(etm_session_code_file(session, 1));
    assert_null(etm_session_code_file(session, SIZE_MAX));
    for (size_t i = 0; i < 5; i++) {
        path = etm_session_file(session, i);
        assert_non_null(path);
        assert_non_null(strstr(path, i < 4 ? ".ini" : "cstrace.bin"));
    }
    assert_null(etm_session_file(session, 5));
    assert_null(etm_session_mapping(session, 0)); /* it is not of perf */
    etm_session_free(session);
}

static void write_snapshot(const char *buffers)
{
    write_text("snapshot.ini",
               "[snapshot]\nversion=1.0\n[device_list]\ndevice0=e.ini\n"
               "[trace]\nmetadata=trace.ini\n");
    write_text("e.ini", "[device]\nname=ETM_0\nclass=trace_source\n"
                        "type=ETM3.4\n[regs]\nETMCR(0x000)=0x00000800\n"
                        "ETMIDR(0x079)=0x4114F240\n"
                        "ETMTRACEIDR(0x080)=0x10\n");
    write_text("trace.ini", buffers);
}

/* One `end` for all of them, and nothing of one goes on in the next. */
static void buffers_follow_each_other(void **state)
{
    struct etm_session *session;
    struct seen once = {0}, twice = {0};
    size_t n;
    uint8_t *file = read_whole(demo_path("cortex-m3", "cstrace.bin"), &n);

    (void)state;
    write_file("a.bin", file, n);
    write_file("b.bin", file, n);
    write_snapshot("[trace_buffers]\nbuffers=b0\n[b0]\nname=A\nfile=a.bin\n"
                   "format=coresight\n[source_buffers]\nETM_0=A\n");
    assert_int_equal(
        etm_session_open(&session, in_directory("snapshot.ini"), NULL, NULL),
        ETM_OK);
    see(session, 0, &once);
    etm_session_free(session);
    write_snapshot("[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=A\n"
                   "file=a.bin\nformat=coresight\n[b1]\nname=B\nfile=b.bin\n"
                   "format=coresight\n[source_buffers]\nETM_0=A,B\n");
    assert_int_equal(
        etm_session_open(&session, in_directory("snapshot.ini"), NULL, NULL),
        ETM_OK);
    assert_int_equal(etm_session_buffers(session), 2);
    see(session, 0, &twice);
    assert_int_equal(twice.n_buffers, 2);
    assert_int_equal(twice.buffers[0], 0);
    assert_int_equal(twice.buffers[1], 1);
    assert_int_equal(twice.n_stream, 2 * once.n_stream);
    assert_int_equal(twice.elements.n, 2 * once.elements.n - 1);
    assert_int_equal(count_kind(&twice.elements, ETM_ELEMENT_END), 1);
    for (size_t i = 0; i + 1 < once.elements.n; i++) {
        assert_true(
            etm_test_same(&once.elements.all[i], &twice.elements.all[i]));
        assert_true(
            etm_test_same(&once.elements.all[i],
                          &twice.elements.all[once.elements.n - 1 + i]));
    }
    forget(&once);
    forget(&twice);
    free(file);
    etm_session_free(session);
}

/* A frame of another source and the beginning of one: there are no bytes of
 * this source, only the gap. */
static void source_that_is_only_a_gap(void **state)
{
    static const uint8_t file[24] = {0x23, 0, 0, 0, 0, 0, 0, 0,   0,
                                     0,    0, 0, 0, 0, 0, 0, 0x23};
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    write_file("a.bin", file, sizeof file);
    write_snapshot("[trace_buffers]\nbuffers=b0\n[b0]\nname=A\nfile=a.bin\n"
                   "format=coresight\n[source_buffers]\nETM_0=A\n");
    assert_int_equal(
        etm_session_open(&session, in_directory("snapshot.ini"), NULL, NULL),
        ETM_OK);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 0);
    assert_int_equal(seen.elements.n, 2);
    assert_int_equal(seen.elements.all[0].kind, ETM_ELEMENT_LOST);
    assert_int_equal(seen.elements.all[0].u.lost.reason, ETM_LOST_BAD_FRAME);
    assert_int_equal(seen.elements.all[1].kind, ETM_ELEMENT_END);
    forget(&seen);
    etm_session_free(session);
}

static void titles_have_protocol_and_version(void **state)
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

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(
            etm_config_title(&rows[i].config, text, sizeof text),
            rows[i].title);
    assert_string_equal(etm_config_title(&rows[2].config, text, 4), "ETM");
    assert_string_equal(etm_config_title(&rows[0].config, text, 1), "");
}

/* Symbols are the same, made ready beforehand or not. */
static void symbols_may_be_made_ready(void **state)
{
    struct etm_session *ready = open_demo("cortex-a9");
    struct etm_session *session = open_demo("cortex-a9");
    unsigned found = 0;

    (void)state;
    assert_int_equal(etm_session_load_symbols(NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_session_load_symbols(ready, 99), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_session_load_symbols(ready, 0), ETM_OK);
    for (uint32_t address = 0x60000000; address < 0x60000700; address += 4) {
        struct etm_symbol a, b;
        int status = etm_session_symbol(session, 0, address, &a);

        assert_int_equal(etm_session_symbol(ready, 0, address, &b), status);
        if (status != ETM_OK)
            continue;
        assert_string_equal(a.name, b.name);
        assert_int_equal(a.offset, b.offset);
        found++;
    }
    assert_true(found > 10);
    etm_session_free(ready);
    etm_session_free(session);
}

static int stop(void *context, const struct etm_element *elements, size_t n)
{
    (void)elements;
    (void)n;
    ++*(int *)context;
    return 42;
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

static void refusal_of_the_caller_ends_the_run(void **state)
{
    struct etm_session *session = open_demo("cortex-m3");
    int calls = 0;
    struct etm_session_run run = {.elements = stop, .context = &calls};

    (void)state;
    assert_int_equal(etm_session_run_source(session, 0, &run, NULL), 42);
    assert_int_equal(calls, 1);
    etm_session_free(session);
}

static int stop_early(void *context, uint64_t done, uint64_t total)
{
    ++*(unsigned *)context;
    assert_true(done <= total);
    return 7;
}

static int no_point(void *context, const struct etm_point *point)
{
    (void)context;
    (void)point;
    return ETM_OK;
}

static void progress_may_end_the_run(void **state)
{
    struct etm_session *session = open_demo("cortex-m3");
    unsigned calls = 0;
    const struct etm_session_run run = {
        .size = sizeof run, .progress = stop_early, .context = &calls};
    const struct etm_session_points points = {.size = sizeof points,
                                              .point = no_point,
                                              .progress = stop_early,
                                              .context = &calls};

    (void)state;
    assert_int_equal(etm_session_run_source(session, 0, &run, NULL), 7);
    assert_int_equal(etm_session_find_points(session, 0, &points, NULL), 7);
    assert_int_equal(calls, 2);
    etm_session_free(session);
}

static void parts_that_cannot_be_are_refused(void **state)
{
    struct etm_session *session = open_demo("cortex-m3");
    struct etm_session_run run = {.begin = 500, .end = 100};
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                     ETM_ERR_ARGUMENT);
    expect_diag(&diag, ETM_ERR_ARGUMENT, "ETM_0", 0,
                "the part ends before it begins");
    run = (struct etm_session_run){
        .begin = 500, .start = ETM_START_JOIN, .packets = take_no_packets};
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                     ETM_ERR_ARGUMENT);
    expect_diag(&diag, ETM_ERR_ARGUMENT, "ETM_0", 0, "only elements");
    etm_session_free(session);
}

/* Every allocation fails once; nothing leaks (sanitizers see to that), and
 * the status says so. */
static void every_failing_allocation_is_reported(void **state)
{
    struct etm_session_run run = {.elements = etm_test_collect};
    unsigned n = 0;
    bool failed = true;

    (void)state;
    for (n = 0; failed; n++) {
        struct scarce scarce = {.left = n};
        struct etm_allocator allocator = {scarce_resize, &scarce};
        struct etm_session_options options = {.allocator = &allocator};
        struct etm_test_elements elements = {0};
        struct etm_session *session;
        int status = etm_session_open(
            &session, demo_path("cortex-a9", "snapshot.ini"), &options, NULL);

        run.context = &elements;
        if (status == ETM_OK)
            status = etm_session_run_source(session, 0, &run, NULL);
        failed = scarce.failed;
        assert_int_equal(status, failed ? ETM_ERR_MEMORY : ETM_OK);
        etm_session_free(session);
        free(elements.all);
    }
    assert_true(n > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_frames),
        cmocka_unit_test(offsets_are_places_in_the_file),
        cmocka_unit_test(sources_are_found_by_name_and_id),
        cmocka_unit_test(files_with_code_are_listed),
        cmocka_unit_test(buffers_follow_each_other),
        cmocka_unit_test(source_that_is_only_a_gap),
        cmocka_unit_test(titles_have_protocol_and_version),
        cmocka_unit_test(symbols_may_be_made_ready),
        cmocka_unit_test(refusal_of_the_caller_ends_the_run),
        cmocka_unit_test(progress_may_end_the_run),
        cmocka_unit_test(parts_that_cannot_be_are_refused),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
