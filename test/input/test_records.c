/* SPDX-License-Identifier: Apache-2.0 */
/* Intel HEX and Motorola S-records: the code of a program as programmers of
 * memory have it. */
#include "../support/scarce.h"
#include "capture_support.h"

#include "input/records.h"

#include <stdio.h>
#include <string.h>

static struct etm_records records;
static struct etm_diag diag;

static int read_text(const char *text, size_t n)
{
    const uint8_t *bytes = (const uint8_t *)text;

    return etm_records_read(&records, etm_records_kind(bytes, n), bytes, n,
                            "code.hex", NULL, &diag);
}

/* The runs are those, and no others. */
static void expect_runs(const char *text, const struct etm_records_run *runs,
                        size_t n)
{
    const struct etm_records_run *got;

    if (read_text(text, strlen(text)) != ETM_OK)
        fail_msg("%s: line %u: %s", text, (unsigned)diag.line, diag.what);
    got = records.runs.data;
    assert_int_equal(records.runs.n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(got[i].address, runs[i].address);
        assert_int_equal(got[i].n, runs[i].n);
        for (size_t k = 0; k < runs[i].n; k++)
            assert_int_equal(((uint8_t *)records.bytes.data)[got[i].at + k],
                             runs[i].at + k);
    }
    assert_true(records.ended);
    etm_records_fini(&records);
}

static void expect_wrong(const char *text, unsigned line, const char *part)
{
    assert_int_equal(read_text(text, strlen(text)), ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "code.hex", line, part);
}

/* In what is expected below, `at` is the value of the first byte; each is one
 * more than that before. */

static void records_that_go_on_are_one_run(void **state)
{
    static const struct etm_records_run runs[] = {{0x1000, 1, 4},
                                                  {0x1006, 5, 1}};

    (void)state;
    expect_runs(":021000000102EB\n:021002000304e5\n:0110060005E4\n"
                ":00000001FF\n",
                runs, 2);
}

static void lines_end_in_any_way(void **state)
{
    static const struct etm_records_run runs[] = {{0x1000, 1, 4}};

    (void)state;
    expect_runs(":021000000102EB\r\n\r\n:021002000304E5\r\n:00000001FF", runs,
                1);
    expect_runs(":021000000102EB\r:021002000304E5\r:00000001FF\r", runs, 1);
    expect_runs(":021000000102EB \n\n  :021002000304E5\t\n:00000001FF\n\032",
                runs, 1);
    expect_wrong(":021000000102EB\r\n\r\n:021002000304E6\r\n", 3, "checksum");
    expect_wrong(":021000000102EB\r\r:021002000304E6\r", 3, "checksum");
}

static void records_may_begin_with_a_byte_order_mark(void **state)
{
    static const struct etm_records_run runs[] = {{0x1000, 1, 4}};
    static const uint8_t noise[] = {0xef, 0xbb, 0xbf, 'x'};

    (void)state;
    expect_runs("\xef\xbb\xbf:021000000102EB\n:021002000304E5\n:00000001FF\n",
                runs, 1);
    expect_runs("\xef\xbb\xbfS107100001020304DE\nS9030000FC\n", runs, 1);
    expect_wrong("\xef\xbb\xbf:021000000102EC\n", 1, "checksum");
    assert_int_equal(etm_records_kind(noise, sizeof noise), ETM_RECORDS_NONE);
    assert_int_equal(etm_records_kind(noise, 3), ETM_RECORDS_NONE);
}

/* Records 02 and 04: addresses wrap round within a segment of 64 KB, or at the
 * end of all of them. */
static void intel_addresses_have_a_base(void **state)
{
    static const struct etm_records_run linear[] = {{0x08001000, 1, 2},
                                                    {0x1000, 3, 1}};
    static const struct etm_records_run segment[] = {{0x1ffff, 1, 1},
                                                     {0x10000, 2, 1}};
    static const struct etm_records_run all[] = {{0xffffffff, 1, 1}, {0, 2, 1}};

    (void)state;
    expect_runs(":020000040800F2\n:021000000102EB\n:020000040000FA\n"
                ":0110000003EC\n:0400000508001001DE\n:00000001FF\n",
                linear, 2);
    expect_runs(":020000021000EC\n:02FFFF000102FD\n:0400000300001000E9\n"
                ":00000001FF\n",
                segment, 2);
    expect_runs(":02000004FFFFFC\n:02FFFF000102FD\n:00000001FF\n", all, 2);
}

/* A boot loader and its program, joined by cat: the base begins again. */
static void files_may_be_joined(void **state)
{
    static const struct etm_records_run runs[] = {{0x08001000, 1, 2},
                                                  {0x1000, 3, 1}};

    (void)state;
    expect_runs(":020000040800F2\n:021000000102EB\n:00000001FF\n"
                ":0110000003EC\n:00000001FF\n",
                runs, 2);
}

static void s_records_have_three_sizes_of_addresses(void **state)
{
    static const struct etm_records_run runs[] = {
        {0x1000, 1, 2}, {0x201000, 3, 1}, {0x08001000, 4, 1}};

    (void)state;
    expect_runs("S00600004844521B\nS10510000102E7\nS20520100003C7\n"
                "S3060800100004DD\nS5030003F9\nS70508000000F2\n",
                runs, 3);
    expect_runs("S10510000102E7\r\nS20520100003C7\r\nS3060800100004DD\r\n"
                "S604000003F8\r\nS804000000FB\r\n",
                runs, 3);
}

static void what_is_wrong_is_reported_with_its_line(void **state)
{
    (void)state;
    expect_wrong(":021000000102EC\n", 1, "checksum");
    expect_wrong(":021000000102EB\n:0210020003G4E5\n", 2, "not hexadecimal");
    expect_wrong(":021000000102EB\n:0310020003E5\n", 2, "length");
    expect_wrong(":021000000102EB\n:02100200030405E5\n", 2, "length");
    expect_wrong(":021000000102EB\n:0\n", 2, "length");
    expect_wrong(":021000000102EB\n:\n", 2, "length");
    expect_wrong(":021000000102EB\n:00000006FA\n", 2, "type");
    expect_wrong(":021000000102EB\n:0100000200FD\n", 2, "length");
    expect_wrong(":021000000102EB\nend\n", 2, "begins with ':'");
    expect_wrong(":00000001FF\n", 1, "no records with data");
    expect_wrong("S10510000102E6\n", 1, "checksum");
    expect_wrong("S10510000102E7\nS4030000FC\n", 2, "begins with S0");
    expect_wrong("S10510000102E7\nS\n", 2, "begins with S0");
    expect_wrong("S10510000102E7\nS5030002FA\n", 2,
                 "a different number of data records");
    expect_wrong("S10510000102E7\nS30400001AE1\n", 2, "a different length");
    expect_wrong("S307FFFFFFFF0102F9\n", 1, "32-bit addresses");
}

static void a_binary_is_none(void **state)
{
    static const char *const others[] = {
        "",          ":",           ":10",          "S1",
        "S11300002", ":1000000z00", "S1130000\x01", "SA0510000102E7\n"};

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(
            etm_records_kind((const uint8_t *)others[i], strlen(others[i])),
            ETM_RECORDS_NONE);
}

static int open_with(const char *image, const struct etm_allocator *allocator)
{
    const char *const images[] = {image};
    const struct etm_raw_options options = {
        .protocol = ETM_PROTOCOL_PFT, .images = images, .n_images = 1};

    return etm_capture_open_raw(&capture, in_directory("trace.bin"), &options,
                                allocator, &diag);
}

#define GOOD ":020000040800F2\n:021000000102EB\n:0110100003DC\n"

static void they_are_code_of_a_capture(void **state)
{
    uint8_t bytes[4];

    (void)state;
    write_text("trace.bin", "");
    write_text("code.hex", GOOD ":00000001FF\n");
    assert_int_equal(open_with(in_directory("code.hex"), NULL), ETM_OK);
    assert_int_equal(core_at(0)->memory.n, 2);
    assert_int_equal(
        etm_image_read(core_at(0)->image, 0x08001000, NULL, bytes, 4), 2);
    assert_memory_equal(bytes, "\1\2", 2);
    assert_int_equal(
        etm_image_read(core_at(0)->image, 0x08001010, NULL, bytes, 4), 1);
    assert_int_equal(bytes[0], 3);
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
}

static void a_file_without_an_end_may_be_cut_short(void **state)
{
    (void)state;
    write_text("trace.bin", "");
    write_text("code.hex", GOOD);
    assert_int_equal(open_with(in_directory("code.hex"), NULL), ETM_OK);
    assert_true(has_fault(
        "code.hex: the available part is used: there is no end record"));
    etm_capture_close(&capture);
    write_text("code.hex", GOOD ":02101000");
    assert_int_equal(open_with(in_directory("code.hex"), NULL), ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "code.hex", 4, "length");
}

static void they_have_addresses_of_their_own(void **state)
{
    char image[512];

    (void)state;
    write_text("trace.bin", "");
    write_text("code.hex", GOOD ":00000001FF\n");
    snprintf(image, sizeof image, "%s@0x8000", in_directory("code.hex"));
    assert_int_equal(open_with(image, NULL), ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "code.hex@0x8000", 0,
                "give it without @0x8000");
}

static void memory_may_end_anywhere(void **state)
{
    struct faulty faulty = {0};
    const struct etm_allocator allocator = {faulty_resize, &faulty};
    int status;

    (void)state;
    write_text("trace.bin", "");
    write_text("code.hex", GOOD);
    do {
        faulty.fail_at++;
        faulty.calls = 0;
        status = open_with(in_directory("code.hex"), &allocator);
        if (status == ETM_OK)
            etm_capture_close(&capture);
        else
            assert_int_equal(status, ETM_ERR_MEMORY);
        assert_int_equal(faulty.live, 0);
    } while (status != ETM_OK);
}

#define TEST(name) cmocka_unit_test_setup(name, empty_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_that_go_on_are_one_run),
        TEST(lines_end_in_any_way),
        TEST(records_may_begin_with_a_byte_order_mark),
        TEST(intel_addresses_have_a_base),
        TEST(files_may_be_joined),
        TEST(s_records_have_three_sizes_of_addresses),
        TEST(what_is_wrong_is_reported_with_its_line),
        TEST(a_binary_is_none),
        TEST(they_are_code_of_a_capture),
        TEST(a_file_without_an_end_may_be_cut_short),
        TEST(they_have_addresses_of_their_own),
        TEST(memory_may_end_anywhere),
    };

    return cmocka_run_group_tests_name("input/records", tests, make_directory,
                                       remove_directory);
}
