/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot directories: paths of files, devices and pipes, very many dumps, and
 * captures of real chips. What is read of the files is in snapshot*.scn. */
#define _XOPEN_SOURCE 700

#include "snapshot_support.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_ini_file_itself_may_be_named(void **state)
{
    (void)state;
    write_good();
    assert_int_equal(etm_capture_open_snapshot(&capture,
                                               in_directory("snapshot.ini"),
                                               NULL, NULL, NULL),
                     ETM_OK);
    assert_int_equal(capture.sources.n, 1);
    etm_capture_close(&capture);
}

/* However the folder is written, errors name the file in it. */
static void a_folder_may_end_with_a_slash(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct etm_diag diag = {0};
        char folder[600];

        snprintf(folder, sizeof folder, "%s", in_directory(""));
        if (i == 0)
            folder[strlen(folder) - 1] = '\0';
        assert_int_not_equal(
            etm_capture_open_snapshot(&capture, folder, NULL, NULL, &diag),
            ETM_OK);
        assert_string_equal(diag.source, in_directory("snapshot.ini"));
        etm_capture_close(&capture);
    }
}

static struct etm_diag outside;

/* Open the snapshot, with files outside of it or not, and close it. */
static int open_outside(bool allow)
{
    const struct etm_raw_options options = {.allow_outside = allow};
    int status = etm_capture_open_snapshot(&capture, in_directory(""), &options,
                                           NULL, &outside);

    etm_capture_close(&capture);
    return status;
}

/* A snapshot from anybody may not show the files of who reads it. */
static void files_outside_of_the_folder_need_permission(void **state)
{
    static const char *const names[] = {"../etm-other.bin", "link",
                                        "folder/../../etm-other.bin",
                                        "..\\etm-other.bin"};
    char path[PATH_MAX], text[PATH_MAX + 100];

    (void)state;
    write_good();
    write_file("../etm-other.bin", "0123456789abcdef", 16);
    assert_int_equal(symlink("../etm-other.bin", in_directory("link")), 0);
    assert_non_null(realpath(in_directory("../etm-other.bin"), path));
    for (unsigned i = 0; i < 5; i++) {
        snprintf(text, sizeof text,
                 "[trace_buffers]\nbuffers=b\n[b]\nfile=%s\n",
                 i < 4 ? names[i] : path);
        write_text("trace.ini", text);
        assert_int_equal(open_outside(false), ETM_ERR_IO);
        assert_int_equal(outside.line, 4);
        assert_non_null(strstr(outside.what, "(--allow-outside permits it)"));
        assert_int_equal(open_outside(true), i == 2 ? ETM_ERR_IO : ETM_OK);
    }
    /* it is the same folder, whatever it is called */
    assert_non_null(realpath(in_directory(""), path));
    snprintf(text, sizeof text,
             "[trace_buffers]\nbuffers=b\n[b]\nfile=%s/./trace.bin\n", path);
    write_text("trace.ini", text);
    assert_int_equal(open_outside(false), ETM_OK);
    write_text("trace.ini", TRACE);
    write_text("cpu.ini", CPU "[dump]\nfile=link\naddress=0\n");
    open_good();
    assert_true(has_fault("cannot read the file link: it is outside of"));
    etm_capture_close(&capture);
    write_text("snapshot.ini", SNAPSHOT "[device_list]\nz=../x.ini\n");
    open_good();
    assert_true(has_fault("cannot read the file ../x.ini: it is outside of"));
    etm_capture_close(&capture);
    assert_int_equal(unlink(in_directory("snapshot.ini")), 0);
    assert_int_equal(symlink("../etm-other.bin", in_directory("snapshot.ini")),
                     0);
    assert_int_equal(open_outside(false), ETM_ERR_IO);
    unlink(in_directory("../etm-other.bin"));
}

/* They would be read, or waited for, without an end. */
static void devices_and_pipes_are_no_code(void **state)
{
    (void)state;
    write_good();
    assert_int_equal(mkfifo(in_directory("pipe"), 0600), 0);
    write_text("cpu.ini",
               CPU "[dump]\nfile=pipe\naddress=0\n[dump1]\n"
                   "file=/dev/zero\naddress=0\n[dump2]\nfile=pipe\n");
    write_text("snapshot.ini", SNAPSHOT "[device_list]\nz=/dev/zero\n");
    open_good();
    assert_true(has_fault("cannot read the file /dev/zero: it is a device"));
    assert_true(has_fault("pipe: it is a device, a pipe or a socket"));
    assert_int_equal(core_at(0)->memory.n, 0);
    etm_capture_close(&capture);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\nfile=pipe\n");
    assert_int_equal(open_outside(true), ETM_ERR_IO);
    assert_string_equal(outside.what,
                        "cannot read the file pipe: it is a device, a pipe or "
                        "a socket");
    assert_int_equal(outside.line, 4);
}

/* More than a process may map files: all are pieces of one. */
static void thousands_of_dumps_of_one_file_are_one_mapping(void **state)
{
    enum { DUMPS = 70000 };
    size_t n = strlen(CPU), room = n + DUMPS * 80;
    char *text = malloc(room);

    (void)state;
    assert_non_null(text);
    memcpy(text, CPU, n);
    for (unsigned i = 0; i < DUMPS; i++)
        n += (size_t)snprintf(text + n, room - n,
                              "[dump%u]\nfile=code.bin\naddress=0x%x\n"
                              "length=4\noffset=%u\n",
                              i, 4 * i, 4 * (i % 16));
    write_good();
    write_text("cpu.ini", text);
    free(text);
    open_good();
    assert_int_equal(core_at(0)->memory.n, DUMPS);
    for (size_t i = 0; i < DUMPS; i += 999) {
        uint8_t byte;

        assert_int_equal(etm_image_read(core_at(0)->image, (uint32_t)(4 * i),
                                        NULL, &byte, 1),
                         1);
        assert_int_equal(byte, code[4 * (i % 16)]);
    }
    etm_capture_close(&capture);
}

/* The path of a capture among those that are not part of the project. */
static const char *shared(const char *name)
{
    static char path[600];
    const char *root = getenv("ETM_SHARED");
    FILE *stream;

    snprintf(path, sizeof path, "%s/captures/%s/snapshot.ini",
             root != NULL ? root : "", name);
    stream = fopen(path, "rb");
    if (stream == NULL) {
        print_message("skipped: there is no %s\n", path);
        skip();
    } else {
        fclose(stream);
    }
    return path;
}

static void the_tc2_capture_is_read(void **state)
{
    (void)state;
    assert_int_equal(
        etm_capture_open_snapshot(&capture, shared("tc2"), NULL, NULL, NULL),
        ETM_OK);
    assert_int_equal(capture.notes.n, 0);
    assert_int_equal(capture.cores.n, 5);
    assert_int_equal(capture.sources.n, 6);
    assert_int_equal(buffer_at(0)->n, 32768);
    for (size_t i = 0; i < 5; i++) {
        assert_true(source_at(i)->decodable);
        assert_int_equal(source_at(i)->id, 0x10 + i);
        assert_int_equal(source_at(i)->core, i);
        assert_int_equal(source_at(i)->config.protocol,
                         i < 3 ? ETM_PROTOCOL_ETMV3 : ETM_PROTOCOL_PFT);
        assert_int_equal(source_at(i)->config.minor, i < 3 ? 5 : 1);
        assert_int_equal(memory_at(i, 0)->length, 0x50000);
    }
    assert_string_equal(source_at(5)->name, "ITM_0");
    assert_true(source_at(5)->decodable);
    assert_int_equal(source_at(5)->config.protocol, ETM_PROTOCOL_ITM);
    assert_int_equal(source_at(5)->id, 0x20);
    etm_capture_close(&capture);
}

static void the_snowball_capture_is_read(void **state)
{
    (void)state;
    assert_int_equal(etm_capture_open_snapshot(&capture, shared("snowball"),
                                               NULL, NULL, NULL),
                     ETM_OK);
    assert_int_equal(capture.sources.n, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(source_at(i)->id, 0x10 + i);
        assert_int_equal(source_at(i)->config.minor, 0);
        assert_true(source_at(i)->config.timestamps);
        assert_false(source_at(i)->config.timestamp_binary);
    }
    etm_capture_close(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_ini_file_itself_may_be_named),
        TEST(a_folder_may_end_with_a_slash),
        TEST(files_outside_of_the_folder_need_permission),
        TEST(devices_and_pipes_are_no_code),
        TEST(thousands_of_dumps_of_one_file_are_one_mapping),
        TEST(the_tc2_capture_is_read),
        TEST(the_snowball_capture_is_read),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
