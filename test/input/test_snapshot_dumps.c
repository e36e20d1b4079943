/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot directories: the dumps of memory, their spaces and files. */
#include "../support/scarce.h"
#include "snapshot_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dumps_have_offset_length_and_space(void **state)
{
    struct etm_space secure = {.secure = ETM_TRUE};
    struct etm_space normal = {.secure = ETM_FALSE};
    struct etm_space task = {.has_context = true, .context_id = 5};
    const struct etm_image *image;
    uint8_t byte;

    (void)state;
    write_good();
    write_text("cpu.ini",
               CPU "[dump1]\nfile=\"code.bin\"\naddress=0x1000\noffset=16\n"
                   "space=S\n[dump2]\nfile=code.bin\naddress=4096\nlength=1\n"
                   "space=EL1N\n[DUMP]\nfile=code.bin\naddress=0x2000\n"
                   "context_id=5\nspace=any\n[dump]\nfile=code.bin\n"
                   "address=0xffffffc0\n");
    open_good();
    assert_int_equal(core_at(0)->memory.n, 4);
    assert_int_equal(memory_at(0, 0)->length, 48);
    assert_string_equal(memory_at(0, 0)->space_name, "S");
    assert_int_equal(memory_at(0, 1)->length, 1);
    assert_null(memory_at(0, 3)->space_name);
    image = core_at(0)->image;
    assert_int_equal(etm_image_read(image, 0x1000, &secure, &byte, 1), 1);
    assert_int_equal(byte, code[16]);
    assert_int_equal(etm_image_read(image, 0x1000, &normal, &byte, 1), 1);
    assert_int_equal(byte, code[0]);
    assert_int_equal(etm_image_read(image, 0x1001, &normal, &byte, 1), 0);
    assert_int_equal(etm_image_read(image, 0x2000, &task, &byte, 1), 1);
    task.context_id = 6;
    assert_int_equal(etm_image_read(image, 0x2000, &task, &byte, 1), 0);
    assert_int_equal(etm_image_read(image, 0xffffffff, NULL, &byte, 1), 1);
    assert_int_equal(byte, code[63]);
    etm_capture_close(&capture);
}

/* Two processors of a cluster see the same memory, and only one of them has
 * its [dump]. E-314 */
static void a_core_without_dumps_has_the_code_of_its_like(void **state)
{
    static const char *const types[] = {"Cortex-A7", "Cortex-A15", "Cortex-M3"};
    char text[400], where[32];

    (void)state;
    for (unsigned with = 0; with < 8; with++) {
        /* the core of the same type, else of the same profile, else none */
        const char *wanted = with & 2 ? "cpu_2" : with & 1 ? "cpu_1" : NULL;

        write_good();
        write_text("snapshot.ini",
                   "[device_list]\na=cpu.ini\nb=ptm.ini\nc=1.ini\nd=2.ini\n"
                   "e=3.ini\n[trace]\nmetadata=trace.ini\n");
        write_text("cpu.ini", CPU);
        for (unsigned i = 0; i < 3; i++) {
            snprintf(text, sizeof text,
                     "[device]\nname=cpu_%u\nclass=core\ntype=%s\n%s", i + 1,
                     types[i], with >> i & 1 ? DUMP : "");
            snprintf(where, sizeof where, "%u.ini", i + 1);
            write_text(where, text);
        }
        open_good();
        assert_int_equal(core_at(0)->memory.n, wanted != NULL);
        assert_int_equal(capture.faults.n, wanted != NULL);
        if (wanted != NULL) {
            assert_int_equal(memory_at(0, 0)->address, 0x8000);
            assert_true(has_fault(wanted));
        }
        /* the others are not traced, and need none */
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(core_at(i + 1)->memory.n, with >> i & 1);
        etm_capture_close(&capture);
    }
}

/* As tools write it that do not know the length. E-315 */
static void a_dump_of_length_0_is_all_of_its_file(void **state)
{
    (void)state;
    write_good();
    write_text("cpu.ini", CPU "[dump]\nfile=code.bin\naddress=0x1000\n"
                              "length=0\n[dump]\nfile=code.bin\n"
                              "address=0x2000\noffset=16\nlength=0x0\n");
    open_good();
    assert_int_equal(memory_at(0, 0)->length, 64);
    assert_int_equal(memory_at(0, 1)->length, 48);
    etm_capture_close(&capture);
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

static void space_names_tell_the_security_state(void **state)
{
    static const struct {
        const char *name;
        enum etm_tri secure;
    } rows[] = {
        {"", ETM_UNKNOWN},    {"Any", ETM_UNKNOWN}, {"S", ETM_TRUE},
        {"EL1S", ETM_TRUE},   {"el3", ETM_TRUE},    {"SP", ETM_TRUE},
        {"N", ETM_FALSE},     {"NS", ETM_FALSE},    {"H", ETM_FALSE},
        {"EL2", ETM_FALSE},   {"EL1N", ETM_FALSE},  {"NP", ETM_FALSE},
        {"EL0", ETM_UNKNOWN}, {"P", ETM_UNKNOWN},
    };
    char text[512];

    (void)state;
    write_good();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, CPU DUMP "space=%s\n", rows[i].name);
        write_text("cpu.ini", text);
        open_good();
        assert_int_equal(memory_at(0, 0)->space.secure, rows[i].secure);
        etm_capture_close(&capture);
    }
}

/* A piece of an ELF file where its program header puts it has the names of the
 * file; anywhere else it is a plain binary. E-153 */
static void a_dump_may_be_a_piece_of_an_elf_file(void **state)
{
    static const char *const addresses[] = {"0x8000", "0x9000"};
    char text[600];

    (void)state;
    need_elfutils();
    write_good();
    copy_data("two_states.elf");
    for (unsigned i = 0; i < 2; i++) {
        unsigned n_elf = 0;

        snprintf(text, sizeof text,
                 CPU "[dump]\nfile=two_states.elf\naddress=%s\n"
                     "offset=0x74\nlength=0x20\n",
                 addresses[i]);
        write_text("cpu.ini", text);
        open_good();
        for (size_t k = 0; k < core_at(0)->memory.n; k++)
            n_elf += memory_at(0, k)->elf != NULL;
        assert_int_equal(n_elf, i == 0);
        etm_capture_close(&capture);
    }
}

/* One call for memory fails, and those after it do not: then the piece had no
 * names, as if the file had none. */
static void without_memory_for_its_names_a_dump_is_not_read(void **state)
{
    size_t n = 0;

    (void)state;
    need_elfutils();
    write_good();
    copy_data("two_states.elf");
    write_text("cpu.ini", CPU "[dump]\nfile=two_states.elf\naddress=0x8000\n"
                              "offset=0x74\nlength=0x20\n");
    for (bool failed = true; failed; n++) {
        struct faulty memory = {.fail_at = n + 1};
        const struct etm_allocator allocator = {faulty_resize, &memory};
        int status = etm_capture_open_snapshot(&capture, in_directory(""), NULL,
                                               &allocator, NULL);

        failed = memory.calls >= memory.fail_at;
        assert_int_equal(status, failed ? ETM_ERR_MEMORY : ETM_OK);
        etm_capture_close(&capture);
        assert_int_equal(memory.live, 0);
    }
    assert_true(n > 30);
}

static void a_dump_may_be_an_elf_file(void **state)
{
    uint8_t bytes[2];

    (void)state;
    need_elfutils();
    write_good();
    copy_data("two_states.elf");
    write_text("cpu.ini", CPU "[dump]\nfile=two_states.elf\n");
    open_good();
    assert_non_null(memory_at(0, 0)->elf);
    assert_int_equal(etm_image_read(core_at(0)->image, 0x804a, NULL, bytes, 2),
                     2);
    assert_memory_equal(bytes, "\x70\x47", 2);
    etm_capture_close(&capture);
}

/* Its header is no code at any address. E-372 */
static void an_elf_file_goes_where_its_segments_say(void **state)
{
    static const char *const rows[] = {
        "address=0x0\n", "length=0x20\naddress=0x8000\n", "address=0x7f8c\n"};
    char text[600], fault[120];
    uint8_t bytes[2];

    (void)state;
    need_elfutils();
    write_good();
    copy_data("two_states.elf");
    for (unsigned i = 0; i < 3; i++) {
        snprintf(text, sizeof text, CPU "[dump]\nfile=two_states.elf\n%s",
                 rows[i]);
        write_text("cpu.ini", text);
        open_good();
        assert_int_equal(
            etm_image_read(core_at(0)->image, 0x804a, NULL, bytes, 2), 2);
        assert_memory_equal(bytes, "\x70\x47", 2);
        assert_int_equal(
            etm_image_read(core_at(0)->image, 0x10, NULL, bytes, 2), 0);
        snprintf(fault, sizeof fault,
                 "cpu.ini:%u: its segments are loaded at their own addresses: "
                 "address in [dump] applies to a binary, but ",
                 11 + (i == 1));
        assert_int_equal(has_fault(fault), i < 2);
        assert_int_equal(capture.faults.n, i < 2);
        etm_capture_close(&capture);
    }
}

/* Which need no address either, and are those of one core. */
static void a_dump_may_be_records(void **state)
{
    uint8_t bytes[2];

    (void)state;
    write_good();
    write_text("cpu.ini", CPU "[dump]\nfile=code.hex\nspace=S\n");
    write_text("code.hex", ":021000000102EB\n:0110100003DC\n:00000001FF\n");
    open_good();
    assert_int_equal(core_at(0)->memory.n, 2);
    assert_int_equal(memory_at(0, 1)->space.secure, ETM_TRUE);
    assert_int_equal(etm_image_read(core_at(0)->image, 0x1000, NULL, bytes, 2),
                     2);
    assert_memory_equal(bytes, "\1\2", 2);
    etm_capture_close(&capture);
    write_text("cpu.ini", CPU "[dump]\nfile=code.hex\naddress=0x1000\n");
    open_good();
    assert_true(has_fault("cpu.ini:10: this code is skipped: the records in "));
    assert_int_equal(core_at(0)->memory.n, 0);
    etm_capture_close(&capture);
    /* nor are they a binary after themselves */
    write_text("cpu.ini", CPU "[dump]\nfile=code.hex\n"
                              "[dump]\nfile=code.hex\naddress=0x3000\n");
    open_good();
    assert_true(has_fault("cpu.ini:12: this code is skipped: the records in "));
    assert_int_equal(core_at(0)->memory.n, 2);
    etm_capture_close(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(dumps_have_offset_length_and_space),
        TEST(a_core_without_dumps_has_the_code_of_its_like),
        TEST(a_dump_of_length_0_is_all_of_its_file),
        TEST(thousands_of_dumps_of_one_file_are_one_mapping),
        TEST(space_names_tell_the_security_state),
        TEST(without_memory_for_its_names_a_dump_is_not_read),
        TEST(a_dump_may_be_an_elf_file),
        TEST(an_elf_file_goes_where_its_segments_say),
        TEST(a_dump_may_be_records),
        TEST(a_dump_may_be_a_piece_of_an_elf_file),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
