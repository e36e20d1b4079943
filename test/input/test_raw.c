/* SPDX-License-Identifier: Apache-2.0 */
/* Raw trace files that are very large, empty or no files, and a capture of a
 * real chip. What is read of others is in raw.scn. */
#define _POSIX_C_SOURCE 200809L

#include "../support/test.h"
#include "capture_support.h"

#include "input/file.h"

#include <unistd.h>

static const struct etm_capture_buffer *buffer(void)
{
    assert_int_equal(capture.buffers.n, 1);
    return capture.buffers.data;
}

static void open_raw(const struct etm_raw_options *options)
{
    struct etm_diag diag;
    int status = etm_capture_open_raw(&capture, in_directory("raw"), options,
                                      NULL, &diag);

    if (status != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
}

static void refuse(const struct etm_raw_options *options, int status,
                   const char *source, const char *part)
{
    struct etm_diag diag;

    assert_int_equal(etm_capture_open_raw(&capture, in_directory("raw"),
                                          options, NULL, &diag),
                     status);
    expect_diag(&diag, status, source, 0, part);
    assert_null(capture.sources.data);
}

/* A file that cannot be mapped can still be read once, from its beginning:
 * where addresses have 32 bits, that is one of 5 GB. */
TEST(too_large_a_file_is_read_as_it_comes)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};
    const char *path = in_directory("raw");
    struct etm_file file;
    struct etm_diag diag;

    write_file("raw", "trace", 5);
    assert_true(etm_file_fits(path, 5));
    assert_false(etm_file_fits(path, SIZE_MAX));
    assert_false(etm_file_fits(path, SIZE_MAX - (1 << 20)));
    if (SIZE_MAX > UINT32_MAX)
        return;
    assert_int_equal(truncate(path, (off_t)5 << 30), 0);
    assert_int_equal(etm_file_open(&file, path, NULL, &diag), ETM_ERR_IO);
    expect_diag(&diag, ETM_ERR_IO, "/raw", 0, "too large");
    refuse(&options, ETM_ERR_IO, "/raw", "too large");
    options.once = true;
    open_raw(&options);
    assert_non_null(buffer()->pipe);
    etm_capture_close(&capture);
}

/* Where output and errors go is closed, and may be opened later on. */
TEST(what_stays_open_is_no_standard_stream)
{
    const struct etm_allocator allocator = etm_allocator_or_default(NULL);
    int output = dup(STDOUT_FILENO), error = dup(STDERR_FILENO), status;
    struct etm_file file;
    struct etm_diag diag;

    write_file("raw", "trace", 5);
    (void)close(STDOUT_FILENO);
    (void)close(STDERR_FILENO);
    status =
        etm_file_open_capture(&file, in_directory("raw"), &allocator, &diag);
    (void)dup2(output, STDOUT_FILENO);
    (void)dup2(error, STDERR_FILENO);
    (void)close(output);
    (void)close(error);
    assert_ok(status);
    assert_true(file.opened > STDERR_FILENO + 1); /* 1 more than it */
    etm_file_close(&file, &allocator);
}

TEST(an_empty_file_is_named_once)
{
    const struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_diag diag;

    assert_ok(
        etm_capture_open_raw(&capture, "/dev/null", &options, NULL, &diag));
    assert_string_equal(*(char *const *)capture.notes.data,
                        "/dev/null is empty");
    etm_capture_close(&capture);
}

TEST(standard_input_is_read_to_its_end)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};
    static uint8_t bytes[200000];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    write_file("raw", bytes, sizeof bytes);
    assert_non_null(freopen(in_directory("raw"), "rb", stdin));
    assert_ok(etm_capture_open_raw(&capture, "-", &options, NULL, NULL));
    assert_int_equal(buffer()->n, sizeof bytes);
    assert_true(buffer()->mapped); /* a file, here */
    assert_memory_equal(buffer()->bytes, bytes, sizeof bytes);
    etm_capture_close(&capture);
}

TEST(the_stm32_capture_shows_its_two_streams)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .profile = ETM_PROFILE_M,
                                      .framing = ETM_FRAMING_TPIU};
    const char *root = getenv("ETM_SHARED");
    char path[600];

    snprintf(path, sizeof path, "%s/captures/stm32f105/trace.tpiu",
             root != NULL ? root : "");
    if (access(path, R_OK) != 0) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
    assert_ok(etm_capture_open_raw(&capture, path, &options, NULL, NULL));
    assert_int_equal(capture.sources.n, 2);
    assert_int_equal(source_at(0)->id, 1);
    assert_int_equal(source_at(1)->id, 2);
    assert_true(source_at(1)->config.alternative_branches);
    etm_capture_close(&capture);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
