/* SPDX-License-Identifier: Apache-2.0 */
/* Raw trace files and what the command line says of them. */
#define _POSIX_C_SOURCE 200809L

#include "capture_support.h"

#include "input/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* A frame of two sources: 0x10 with seven bytes, 0x22 with seven. */
static void write_frame(void)
{
    static const uint8_t frame[16] = {0x21, 1, 2, 3, 4,    5, 6, 7,
                                      0x45, 9, 8, 9, 0x0a, 8, 6, 0};

    write_file("raw", frame, sizeof frame);
}

static void an_unformatted_file_is_one_source(void **state)
{
    static const struct etm_register registers[] = {
        {"ETMCR", 0, 0x1000},
        {"ETMIDR", 0x79, 0x411cf312},
        {"ETMCCER", 0x7a, 0},
        {"ETMTRACEIDR", 0x80, 0x13}};
    struct etm_raw_options options = {.registers = registers, .n_registers = 4};

    (void)state;
    write_file("raw", "abc", 3);
    open_raw(&options);
    assert_int_equal(buffer()->n, 3);
    assert_int_equal(buffer()->framing, ETM_FRAMING_NONE);
    assert_memory_equal(buffer()->bytes, "abc", 3);
    assert_int_equal(capture.sources.n, 1);
    assert_true(source_at(0)->decodable);
    assert_int_equal(source_at(0)->config.protocol, ETM_PROTOCOL_PFT);
    assert_true(source_at(0)->config.cycle_accurate);
    assert_int_equal(source_at(0)->id, 0);
    assert_int_equal(source_at(0)->config.trace_id, 0);
    assert_int_equal(source_at(0)->registers.n, 4);
    assert_int_equal(source_at(0)->core, 0);
    assert_int_equal(capture.notes.n, 0);
    etm_capture_close(&capture);
}

static void a_formatted_file_has_a_source_for_each_trace_id(void **state)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .framing = ETM_FRAMING_CORESIGHT};

    (void)state;
    write_frame();
    open_raw(&options);
    assert_int_equal(capture.sources.n, 2);
    assert_int_equal(source_at(0)->id, 0x10);
    assert_int_equal(source_at(0)->config.trace_id, 0x10);
    assert_string_equal(source_at(0)->name, "0x10");
    assert_int_equal(source_at(1)->id, 0x22);
    assert_string_equal(source_at(1)->name, "0x22");
    assert_int_equal(source_at(1)->config.minor, 5);
    assert_true(has_note("0x22: ETMIDR is not given; ETMv3.5 is assumed"));
    assert_true(has_note("0x10: ETMCR is not given"));
    etm_capture_close(&capture);
}

static void etmtraceidr_picks_one_source(void **state)
{
    struct etm_register id = {"ETMTRACEIDR", 0x80, 0x22};
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT,
                                      .framing = ETM_FRAMING_CORESIGHT,
                                      .registers = &id,
                                      .n_registers = 1};

    (void)state;
    write_frame();
    open_raw(&options);
    assert_int_equal(capture.sources.n, 1);
    assert_int_equal(source_at(0)->id, 0x22);
    etm_capture_close(&capture);
    id.value = 0;
    refuse(&options, ETM_ERR_CONFIG, "ETMTRACEIDR", "not the trace ID");
    id.value = 0x7d;
    refuse(&options, ETM_ERR_CONFIG, "ETMTRACEIDR", "not the trace ID");
}

/* The profile that was given counts; one that no such macrocell has is noted.
 */
static void profile_that_etmidr_contradicts_is_noted(void **state)
{
    static const struct {
        uint32_t idr;
        enum etm_profile profile;
        const char *note;
    } rows[] = {
        {0x4114f250, ETM_PROFILE_A, "0x4114f250 is that of a macrocell of M-"},
        {0x4114f242, ETM_PROFILE_R, "0x4114f242 is that of a macrocell of M-"},
        {0x410cf250, ETM_PROFILE_M, "0x410cf250 is that of a macrocell of pro"},
        {0x4114f250, ETM_PROFILE_M, NULL},
        {0x410cf231, ETM_PROFILE_R, NULL},
        {0x4114f250, ETM_PROFILE_UNKNOWN, NULL},
        {0x4112f250, ETM_PROFILE_A, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_register registers[] = {{"ETMIDR", 0x79, rows[i].idr},
                                           {"ETMCR", 0, 0x800},
                                           {"ETMCCR", 1, 0x8c000000}};
        struct etm_raw_options options = {.protocol = ETM_PROTOCOL_ETMV3,
                                          .framing = ETM_FRAMING_NONE,
                                          .framing_told = true,
                                          .profile = rows[i].profile,
                                          .registers = registers,
                                          .n_registers = 3};

        write_file("raw", "abc", 3);
        open_raw(&options);
        if (rows[i].profile != ETM_PROFILE_UNKNOWN)
            assert_int_equal(source_at(0)->config.profile, rows[i].profile);
        assert_int_equal(
            has_note(rows[i].note ? rows[i].note : "that of a macrocell of"),
            rows[i].note != NULL);
        assert_int_equal(capture.faults.n, rows[i].note != NULL);
        etm_capture_close(&capture);
    }
}

static void a_file_without_any_source_is_noted(void **state)
{
    static const uint8_t zeros[32];
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT,
                                      .framing = ETM_FRAMING_CORESIGHT};

    (void)state;
    write_file("raw", zeros, sizeof zeros);
    open_raw(&options);
    assert_int_equal(capture.sources.n, 0);
    assert_true(has_note("no trace ID occurs"));
    etm_capture_close(&capture);
}

static void without_a_protocol_a_source_says_why_it_is_not_decoded(void **state)
{
    (void)state;
    write_file("raw", "abc", 3);
    assert_int_equal(
        etm_capture_open_raw(&capture, in_directory("raw"), NULL, NULL, NULL),
        ETM_OK);
    assert_int_equal(capture.sources.n, 1);
    assert_false(source_at(0)->decodable);
    assert_non_null(strstr(source_at(0)->why_not, "protocol"));
    etm_capture_close(&capture);
}

static void m_profile_means_alternative_branches(void **state)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .profile = ETM_PROFILE_M};

    (void)state;
    write_file("raw", "abc", 3);
    open_raw(&options);
    assert_true(source_at(0)->config.alternative_branches);
    assert_false(source_at(0)->config.security);
    assert_int_equal(source_at(0)->config.profile, ETM_PROFILE_M);
    etm_capture_close(&capture);
}

static void wrong_registers_are_refused(void **state)
{
    struct etm_register r = {"ETMIDR", 0x79, 0x411cff12};
    struct etm_raw_options options = {.registers = &r, .n_registers = 1};

    (void)state;
    write_file("raw", "abc", 3);
    refuse(&options, ETM_ERR_CONFIG, "ETMIDR", "0x411cff12");
    r.value = 0x411cf312;
    options.protocol = ETM_PROTOCOL_ETMV3;
    refuse(&options, ETM_ERR_CONFIG, "ETMIDR", "not etmv3");
    options.protocol = ETM_PROTOCOL_NONE;
    options.profile = ETM_PROFILE_M;
    refuse(&options, ETM_ERR_CONFIG, "profile", "M-profile");
}

static void missing_files_and_directories_are_refused(void **state)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_diag diag;

    (void)state;
    empty_directory(NULL);
    refuse(&options, ETM_ERR_IO, "/raw", "cannot read the file");
    assert_int_equal(
        etm_capture_open_raw(&capture, in_directory(""), &options, NULL, &diag),
        ETM_ERR_IO);
    expect_diag(&diag, ETM_ERR_IO, "/", 0, "cannot read the file");
}

/* A file that cannot be mapped can still be read once, from its beginning:
 * where addresses have 32 bits, that is one of 5 GB. */
static void too_large_a_file_is_read_as_it_comes(void **state)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};
    const char *path = in_directory("raw");
    struct etm_file file;
    struct etm_diag diag;

    (void)state;
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

static void a_program_is_no_trace(void **state)
{
    const struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};

    (void)state;
    write_file("raw", "\177ELF\1\1\1\0", 8);
    refuse(&options, ETM_ERR_FORMAT, "/raw", "it is an ELF file");
    write_file("raw", "\177ELG\1\1\1\0", 8);
    open_raw(&options);
    etm_capture_close(&capture);
}

static void an_empty_file_is_named_once(void **state)
{
    const struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_diag diag;

    (void)state;
    assert_int_equal(
        etm_capture_open_raw(&capture, "/dev/null", &options, NULL, &diag),
        ETM_OK);
    assert_string_equal(*(char *const *)capture.notes.data,
                        "/dev/null is empty");
    etm_capture_close(&capture);
}

static void images_are_elf_files_or_binaries_with_an_address(void **state)
{
    char elf[600], at[700], bare[600], moved[700], far_away[700];
    const char *images[2] = {elf, at};
    struct etm_raw_options options = {
        .protocol = ETM_PROTOCOL_PFT, .images = images, .n_images = 2};
    const struct etm_capture_core *core;
    uint8_t bytes[2];

    (void)state;
    need_elfutils();
    write_file("raw", "abc", 3);
    write_file("code@1", "xyz", 3);
    snprintf(elf, sizeof elf, "%s/two_states.elf", getenv("ETM_TEST_DATA"));
    snprintf(bare, sizeof bare, "%s", in_directory("code@1"));
    snprintf(at, sizeof at, "%s@0x100", bare);
    snprintf(moved, sizeof moved, "%s@0x100", elf);
    snprintf(far_away, sizeof far_away, "%s@0x100000000", bare);
    open_raw(&options);
    core = capture.cores.data;
    assert_int_equal(core->memory.n, 2);
    assert_int_equal(etm_image_read(core->image, 0x804a, NULL, bytes, 2), 2);
    assert_int_equal(etm_image_read(core->image, 0x102, NULL, bytes, 2), 1);
    assert_int_equal(bytes[0], 'z');
    etm_capture_close(&capture);
    images[1] = bare; /* its "@1" is taken for an address */
    refuse(&options, ETM_ERR_IO, "/code", "cannot read");
    write_file("code", "xyz", 3);
    images[1] = in_directory("code");
    refuse(&options, ETM_ERR_FORMAT, "/code", "FILE@ADDRESS");
    images[1] = moved;
    refuse(&options, ETM_ERR_FORMAT, "two_states.elf", "give it without an");
    images[1] = far_away;
    refuse(&options, ETM_ERR_ARGUMENT, "@0x100000000", "more than 32 bits");
    images[1] = "-";
    refuse(&options, ETM_ERR_ARGUMENT, "-", "standard input");
}

static void standard_input_is_read_to_its_end(void **state)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_PFT};
    static uint8_t bytes[200000];

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    write_file("raw", bytes, sizeof bytes);
    assert_non_null(freopen(in_directory("raw"), "rb", stdin));
    assert_int_equal(etm_capture_open_raw(&capture, "-", &options, NULL, NULL),
                     ETM_OK);
    assert_int_equal(buffer()->n, sizeof bytes);
    assert_true(buffer()->mapped); /* a file, here */
    assert_memory_equal(buffer()->bytes, bytes, sizeof bytes);
    etm_capture_close(&capture);
}

static void the_stm32_capture_shows_its_two_streams(void **state)
{
    struct etm_raw_options options = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .profile = ETM_PROFILE_M,
                                      .framing = ETM_FRAMING_TPIU};
    const char *root = getenv("ETM_SHARED");
    char path[600];

    (void)state;
    snprintf(path, sizeof path, "%s/captures/stm32f105/trace.tpiu",
             root != NULL ? root : "");
    if (access(path, R_OK) != 0) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
    assert_int_equal(etm_capture_open_raw(&capture, path, &options, NULL, NULL),
                     ETM_OK);
    assert_int_equal(capture.sources.n, 2);
    assert_int_equal(source_at(0)->id, 1);
    assert_int_equal(source_at(1)->id, 2);
    assert_true(source_at(1)->config.alternative_branches);
    etm_capture_close(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unformatted_file_is_one_source),
        cmocka_unit_test(a_formatted_file_has_a_source_for_each_trace_id),
        cmocka_unit_test(etmtraceidr_picks_one_source),
        cmocka_unit_test(profile_that_etmidr_contradicts_is_noted),
        cmocka_unit_test(a_file_without_any_source_is_noted),
        cmocka_unit_test(
            without_a_protocol_a_source_says_why_it_is_not_decoded),
        cmocka_unit_test(m_profile_means_alternative_branches),
        cmocka_unit_test(wrong_registers_are_refused),
        cmocka_unit_test(missing_files_and_directories_are_refused),
        cmocka_unit_test(too_large_a_file_is_read_as_it_comes),
        cmocka_unit_test(a_program_is_no_trace),
        cmocka_unit_test(an_empty_file_is_named_once),
        cmocka_unit_test(images_are_elf_files_or_binaries_with_an_address),
        cmocka_unit_test(standard_input_is_read_to_its_end),
        cmocka_unit_test(the_stm32_capture_shows_its_two_streams),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
