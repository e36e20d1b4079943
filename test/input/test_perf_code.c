/* SPDX-License-Identifier: Apache-2.0 */
/* The code that a perf file names. The programs are test/data/two_states.elf
 * with another header: its first segment goes to 0x7f8c, `_start` is at 0x8050,
 * 0x802c holds "mov r3, r0". E-364 */
#define _POSIX_C_SOURCE 200809L

#include "../support/scarce.h"
#include "capture_support.h"
#include "perf_support.h"

#include "input/elf.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KERNEL 1u
#define EXEC (1u << 13)     /* of COMM */
#define DATA (1u << 13)     /* of MMAP */
#define HAS_SIZE (1u << 15) /* of a build ID */

static const uint8_t id_a[20] = {0xab, 0xcd, 0xef, 1, 2, 3};
static const uint8_t id_b[20] = {0xab, 0xcd, 0xef, 1, 2, 4};

/* As a loader maps the first segment of a program: whole pages. */
static void put_code(uint32_t pid, uint64_t bias, const uint8_t *id,
                     const char *name)
{
    /* the file is not laid out by pages, so that offset 0x74 is at 0x8000 */
    put_mmap2(USER, pid, 0x8000 + bias, 0x1000, 0x74, id, 5, name);
}

static void put_mmap(unsigned misc, uint32_t pid, uint64_t address,
                     uint64_t length, uint64_t offset, const char *name)
{
    size_t record = file.n;

    put_record(1, 32 + (strlen(name) + 8) / 8 * 8 + 32);
    set_misc(record, misc);
    put(pid, 4);
    put(pid, 4);
    put(address, 8);
    put(length, 8);
    put(offset, 8);
    put_name(name);
    put_end();
}

static void put_comm(uint32_t pid, bool exec)
{
    size_t record = file.n;

    put_record(3, 8 + 8 + 32);
    set_misc(record, exec ? EXEC : 0);
    put(pid, 4);
    put(pid, 4);
    put_name("prog");
    put_end();
}

static void start(void)
{
    perf_now = 0;
    begin(false);
    file.bytes[104 + 40 + 2] = 1 << 2; /* sample_id_all */
    put_info(1, ETMV3, 0);
}

static struct etm_diag diag; /* of the last one that was opened */

static int open_with(const char *const *images, size_t n,
                     const struct etm_allocator *allocator)
{
    const struct etm_raw_options options = {
        .images = images, .n_images = n, .sysroot = perf_root()};

    diag = (struct etm_diag){0};
    return etm_capture_open_raw(&capture, in_directory("perf.data"), &options,
                                allocator, &diag);
}

static void open_file(void)
{
    put_trace(0, 0x10, 0x22);
    end();
    assert_int_equal(open_with(NULL, 0, NULL), ETM_OK);
}

static const char *name_at(uint32_t address)
{
    struct etm_symbol symbol;

    for (size_t i = 0; i < core_at(0)->memory.n; i++) {
        struct etm_elf *elf = memory_at(0, i)->elf;

        if (elf != NULL && etm_elf_symbol(elf, address, &symbol))
            return symbol.name;
    }
    return "";
}

static void files_that_are_executed_are_code(void **state)
{
    (void)state;
    write_program("prog", false, NULL);
    write_program("old", false, NULL);
    start();
    put_code(5, 0, NULL, "/prog");
    /* not executed, not of a file, of the kernel, beyond all addresses */
    put_mmap2(USER, 5, 0x20000, 0x1000, 0, NULL, 3, "/prog");
    put_mmap2(USER, 5, 0x30000, 0x1000, 0, NULL, 5, "[vdso]");
    put_mmap2(USER, 5, 0x31000, 0x1000, 0, NULL, 5, "//anon");
    put_mmap2(KERNEL, UINT32_MAX, 0x32000, 0x1000, 0, NULL, 5, "/prog");
    put_mmap2(USER, 5, UINT64_C(0xffffffff000), 0x1000, 0, NULL, 5, "/prog");
    put_mmap2(USER, 5, 0x33000, UINT64_MAX, 0, NULL, 5, "/prog");
    put_mmap2(USER, 5, 0x33000, 0, 0, NULL, 5, "/prog");
    put_mmap(USER, 5, 0x40000, 0x1000, 0x74, "/old");
    put_mmap(USER | DATA, 5, 0x50000, 0x1000, 0x74, "/old");
    open_file();
    assert_int_equal(code_at(0x802c), MOV);
    assert_int_equal(code_at(0x4002c), MOV);
    assert_int_equal(etm_image_regions(core_at(0)->image), 2);
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
}

static void check_mapping(size_t n, const char *path, const char *here,
                          struct etm_mapping wanted)
{
    const struct etm_mapping *m =
        (const struct etm_mapping *)capture.mappings.data + n;

    assert_string_equal(m->path, path);
    if (here)
        assert_string_equal(m->file, in_directory(here));
    else
        assert_null(m->file);
    assert_int_equal(m->address, wanted.address);
    assert_int_equal(m->length, wanted.length);
    assert_int_equal(m->offset, wanted.offset);
    assert_int_equal(m->moved_known, wanted.moved_known);
    assert_int_equal(m->moved, wanted.moved);
    assert_int_equal(m->program, wanted.program);
}

/* Those of which a part is code, by path and address. */
static void mappings_are_told(void **state)
{
    (void)state;
    write_program("lib.so", true, NULL);
    write_program("prog", false, NULL);
    start();
    put_code(5, 0x50000000, NULL, "/gone"); /* it runs another program now */
    put_comm(5, true);
    put_code(5, 0, NULL, "/prog");
    put_code(5, 0x70000000, NULL, "/lib.so");
    put_code(5, 0x60000000, NULL, "/missing.so");
    put_code(6, 0, NULL, "/prog");
    put_mmap(USER, 6, 0x40000000, 0x1000, 0, "/one");
    put_mmap(USER, 5, 0x40000000, 0x1000, 0, "/other"); /* contested */
    open_file();
    assert_int_equal(capture.mappings.n, 3);
    check_mapping(0, "/lib.so", "lib.so",
                  (struct etm_mapping){.address = 0x70008000,
                                       .length = 0x1000,
                                       .offset = 0x74,
                                       .moved_known = true,
                                       .moved = 0x70000000});
    check_mapping(1, "/missing.so", NULL,
                  (struct etm_mapping){
                      .address = 0x60008000, .length = 0x1000, .offset = 0x74});
    check_mapping(2, "/prog", "prog",
                  (struct etm_mapping){.address = 0x8000,
                                       .length = 0x1000,
                                       .offset = 0x74,
                                       .moved_known = true,
                                       .program = true});
    etm_capture_close(&capture);
}

/* Programs and libraries are loaded anywhere, and pieces of them. */
static void names_go_with_the_code(void **state)
{
    (void)state;
    need_elfutils();
    write_program("lib.so", true, NULL);
    write_program("prog", false, NULL);
    start();
    put_code(5, 0, NULL, "/prog");
    put_code(5, 0x70000000, NULL, "/lib.so");
    put_code(6, 0x60000000, NULL, "/lib.so");
    /* its second piece alone, which is not as far from its place in the file
     * as the first */
    put_mmap2(USER, 6, 0x40020000, 0x1000, 0xf0, NULL, 5, "/lib.so");
    open_file();
    assert_string_equal(name_at(0x40008052), "_start");
    assert_int_equal(code_at(0x7000802c), MOV);
    assert_int_equal(code_at(0x6000802c), MOV);
    assert_string_equal(name_at(0x8052), "_start");
    assert_string_equal(name_at(0x70008052), "_start");
    assert_string_equal(name_at(0x60008052), "_start");
    assert_string_equal(name_at(0x50008052), "");
    etm_capture_close(&capture);
}

/* What a process had before it ran its program was perf's, as a rule. */
static void another_program_takes_the_place_of_the_first(void **state)
{
    (void)state;
    write_program("prog", false, NULL);
    write_text("perf", "no program");
    for (unsigned i = 0; i < 3; i++) {
        start();
        if (i == 2) { /* records of two CPUs: their time tells */
            perf_now = 30;
            put_code(5, 0, NULL, "/prog");
            perf_now = 20;
        }
        put_code(4, 0x10000, NULL, "/prog");
        put_code(5, 0, NULL, "/perf");
        if (i == 2)
            perf_now = 25;
        put_comm(5, i != 1);
        if (i != 2)
            put_code(5, 0, NULL, "/prog");
        open_file();
        assert_int_equal(code_at(0x1802c), MOV);
        assert_int_equal(code_at(0x802c), i == 1 ? 0 : MOV);
        assert_int_equal(capture.faults.n, i == 1);
        etm_capture_close(&capture);
    }
}

/* Two processes have one program, or two programs in one place. E-364 */
static void code_that_is_not_certain_is_left_out(void **state)
{
    char path[600];
    const char *const image = path;

    (void)state;
    write_program("prog", false, NULL);
    write_program("other", false, NULL);
    start();
    put_code(5, 0, NULL, "/prog");
    put_code(6, 0, NULL, "/prog");
    put_mmap2(USER, 6, 0x8040, 0x20, 0x74, NULL, 5, "/other");
    open_file();
    assert_int_equal(code_at(0x802c), MOV);
    assert_int_equal(code_at(0x803c) != 0, 1);
    assert_int_equal(code_at(0x8040), 0);
    assert_int_equal(code_at(0x805c), 0);
    assert_int_equal(code_at(0x8060) != 0, 1);
    assert_true(has_fault("several files were mapped at 0x00008040, and"));
    etm_capture_close(&capture);
    /* the caller knows, and is not told what he has answered */
    need_elfutils();
    snprintf(path, sizeof path, "%s", in_directory("prog"));
    assert_int_equal(open_with(&image, 1, NULL), ETM_OK);
    assert_int_equal(code_at(0x8040) != 0, 1);
    assert_int_equal(capture.faults.n, 0);
    assert_true(has_note("several files were mapped"));
    etm_capture_close(&capture);
}

/* E-364 */
static void another_build_is_not_the_program_that_ran(void **state)
{
    (void)state;
    write_program("prog", false, id_a);
    for (unsigned i = 0; i < 3; i++) {
        start();
        put_code(5, 0, i == 0 ? NULL : i == 1 ? id_a : id_b, "/prog");
        open_file();
        assert_int_equal(code_at(0x802c), i == 2 ? 0 : MOV);
        assert_int_equal(has_fault("/prog (not the build that"), i == 2);
        assert_int_equal(core_at(0)->code_missing != NULL, i == 2);
        etm_capture_close(&capture);
    }
}

/* Without build IDs, that something which ran is not in a file shows that it is
 * another one. */
static void a_file_that_is_too_short_is_missing(void **state)
{
    (void)state;
    write_program("prog", false, NULL);
    for (unsigned i = 0; i < 2; i++) {
        start();
        put_mmap2(USER, 5, 0x8000, 0x1000, i == 0 ? 0x74 : 1 << 20, NULL, 5,
                  "/prog");
        open_file();
        assert_int_equal(code_at(0x802c), i == 0 ? MOV : 0);
        assert_int_equal(has_fault("/prog (shorter than the file"), i == 1);
        assert_int_equal(core_at(0)->code_missing != NULL, i == 1);
        etm_capture_close(&capture);
    }
}

/* What perf adds after the records: sections of two other features before
 * that of build IDs. */
static void put_build_ids(const uint8_t *id, unsigned misc, unsigned size)
{
    size_t behind, record;

    put_trace(0, 0x10, 0x22);
    end();
    file.bytes[72] = 7;
    behind = file.n;
    for (unsigned i = 0; i < 6; i++)
        put(i == 4 ? behind + 48 : i == 5 ? 44 + 2 * 8 : 1, 8);
    record = file.n;
    put_record(67, 28 + 8 + 16);
    set_misc(record, misc);
    put(UINT32_MAX, 4);
    for (unsigned i = 0; i < 20; i++)
        put(id[i], 1);
    put(size, 4);
    put_name("/prog");
    put_name("");
    put_name("");
    write_file("perf.data", file.bytes, file.n);
    assert_int_equal(open_with(NULL, 0, NULL), ETM_OK);
}

static void list_of_builds_counts(void **state)
{
    (void)state;
    write_program("prog", false, id_a);
    for (unsigned i = 0; i < 4; i++) {
        bool right = i % 2 == 0;

        start();
        put_code(5, 0, NULL, "/prog");
        put_build_ids(right ? id_a : id_b, i < 2 ? 0 : HAS_SIZE,
                      i < 2 ? 99 : 20);
        assert_int_equal(code_at(0x802c), right ? MOV : 0);
        etm_capture_close(&capture);
    }
    /* and what is no size tells nothing */
    start();
    put_code(5, 0, NULL, "/prog");
    put_build_ids(id_b, HAS_SIZE, 21);
    assert_int_equal(code_at(0x802c), MOV);
    etm_capture_close(&capture);
}

/* IDs of 16 bytes, as of --build-id=md5: older versions of perf have no size of
 * an ID, and write zeros after it. */
static void shorter_build_ids_may_have_zeros_after_them(void **state)
{
    static const uint8_t longer[20] = {[0] = 0xab, 0xcd, 0xef,    1,
                                       2,          3,    [16] = 1};
    FILE *program;

    (void)state;
    write_program("prog", false, id_a);
    program = fopen(in_directory("prog"), "r+b");
    assert_non_null(program);
    /* the ID is at the end, after its size, type and owner */
    assert_int_equal(fseek(program, -32, SEEK_END), 0);
    assert_int_equal(fputc(16, program), 16);
    assert_int_equal(fclose(program), 0);
    for (unsigned i = 0; i < 5; i++) {
        start();
        put_code(5, 0, NULL, "/prog");
        put_build_ids(i == 1   ? longer
                      : i == 2 ? id_b
                               : id_a,
                      i < 3 ? 0 : HAS_SIZE, i == 3 ? 16 : 17);
        assert_int_equal(code_at(0x802c), i == 0 || i == 3 ? MOV : 0);
        etm_capture_close(&capture);
    }
}

/* perf keeps what it has seen: DIR/.build-id/ab/cdef.../elf */
static void build_is_found_in_a_cache_of_perf(void **state)
{
    char cache[3][600];

    (void)state;
    snprintf(cache[0], sizeof cache[0], "%s", in_directory(".build-id"));
    snprintf(cache[1], sizeof cache[1], "%s", in_directory(".build-id/ab"));
    snprintf(
        cache[2], sizeof cache[2], "%s",
        in_directory(".build-id/ab/cdef0102030000000000000000000000000000"));
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(mkdir(cache[i], 0700), 0);
    write_program(".build-id/ab/cdef0102030000000000000000000000000000/elf",
                  false, id_a);
    write_program("prog", false, id_b);
    start();
    put_code(5, 0, id_a, "/prog");
    put_mmap2(USER, 5, 0x20000, 0x1000, 0x74, id_a, 5, "/gone");
    put_mmap2(USER, 5, 0x30000, 0x1000, 0x74, NULL, 5, "/gone");
    open_file();
    assert_int_equal(code_at(0x802c), MOV);
    assert_int_equal(code_at(0x2002c), MOV);
    assert_int_equal(code_at(0x3002c), 0);
    etm_capture_close(&capture);
    assert_int_equal(
        unlink(in_directory(
            ".build-id/ab/cdef0102030000000000000000000000000000/elf")),
        0);
    for (unsigned i = 3; i-- > 0;)
        assert_int_equal(rmdir(cache[i]), 0);
}

static void missing_files_are_one_sentence(void **state)
{
    char path[600], name[32];
    const char *image = path;

    (void)state;
    write_text("script", "#!/bin/sh\n");
    start();
    put_code(5, 0, NULL, "/script");
    put_code(5, 0x10000, NULL, "/gone");
    for (unsigned i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "/gone%u", i);
        put_code(5, 0x100000 + 0x10000 * i, NULL, name);
    }
    open_file();
    assert_int_equal(capture.faults.n, 1);
    assert_true(has_fault("code is missing: /gone (cannot read"));
    assert_true(has_fault("and 41 others; --sysroot says"));
    assert_true(has_note("no code of /gone at 0x00018000"));
    assert_true(capture.notes.n < 30);
    assert_non_null(core_at(0)->code_missing);
    etm_capture_close(&capture);
    /* who gives code knows of it */
    snprintf(path, sizeof path, "%s@0x100", in_directory("script"));
    assert_int_equal(open_with(&image, 1, NULL), ETM_OK);
    assert_int_equal(capture.faults.n, 0);
    assert_null(core_at(0)->code_missing);
    etm_capture_close(&capture);
    /* and where only the kernel is traced no process matters */
    file.bytes[104 + 40] = 1 << 4;
    write_file("perf.data", file.bytes, file.n);
    assert_int_equal(open_with(NULL, 0, NULL), ETM_OK);
    assert_int_equal(capture.notes.n, 0);
    etm_capture_close(&capture);
}

static void program_of_another_machine_is_no_code(void **state)
{
    static uint8_t bytes[256] = "\177ELF\1\1\1";

    (void)state;
    bytes[18] = 3; /* i386 */
    bytes[28] = 52;
    bytes[42] = 32;
    bytes[44] = 1;
    bytes[52] = 1;
    bytes[52 + 16] = 200;
    write_file("prog", bytes, sizeof bytes);
    start();
    put_mmap2(USER, 5, 0x8000, 0x1000, 0, NULL, 5, "/prog");
    open_file();
    assert_true(has_fault("/prog (not an ELF file for 32-bit Arm)"));
    assert_int_equal(etm_image_regions(core_at(0)->image), 0);
    etm_capture_close(&capture);
}

static void put_everything(void)
{
    write_program("prog", false, id_a);
    write_program("lib.so", true, NULL);
    start();
    put_code(5, 0, NULL, "/perf");
    put_comm(5, true);
    put_code(5, 0, NULL, "/prog");
    put_code(5, 0x10000, NULL, "/lib.so");
    put_code(6, 0x10800, NULL, "/lib.so");
    put_code(6, 0x20000, id_b, "/gone");
    put_build_ids(id_a, HAS_SIZE, 20);
    etm_capture_close(&capture);
}

/* Of put_everything(), damaged or cut: how many regions of code there are, at
 * most 3; -1 if it is refused, with a reason. */
static int regions_if_read(bool cut)
{
    int status = open_with(NULL, 0, NULL);
    size_t n;

    if (status != ETM_OK) {
        assert_int_equal(status, ETM_ERR_FORMAT);
        assert_non_null(strstr(diag.source, "perf.data"));
        assert_true(diag.what[0] != '\0');
        return -1;
    }
    n = etm_image_regions(core_at(0)->image);
    assert_in_range(n, 0, 3);
    assert_int_equal(capture.buffers.n, 1);
    assert_in_range(capture.sources.n, 0, 1);
    if (cut && capture.sources.n == 0)
        assert_true(has_note("is truncated"));
    for (size_t i = 0; i < n; i++) {
        struct etm_space space;
        uint32_t address;
        size_t size;

        assert_int_equal(
            etm_image_region(core_at(0)->image, i, &address, &size, &space),
            ETM_OK);
        assert_in_range(size, 1, UINT64_C(0x100000000) - address);
    }
    etm_capture_close(&capture);
    return (int)n;
}

/* Whatever bytes are in it, and wherever it ends: it is refused up to where the
 * trace begins, and then has all of the code, whose records come first. */
static void damaged_file_is_read_or_refused(void **state)
{
    static uint8_t whole[sizeof file.bytes];
    unsigned refused = 0, fewer = 0, all = 0;
    uint64_t random = 1;
    bool begun = false;
    size_t n;

    (void)state;
    put_everything();
    n = file.n;
    memcpy(whole, file.bytes, n);
    for (size_t cut = 240; cut < n; cut += 3) {
        int regions;

        write_file("perf.data", whole, cut);
        regions = regions_if_read(true);
        begun = begun || regions >= 0;
        assert_int_equal(regions, begun ? 3 : -1);
    }
    assert_true(begun);
    for (unsigned i = 0; i < 1000; i++) {
        int regions;

        memcpy(file.bytes, whole, n);
        for (unsigned k = 0; k < 3; k++) {
            random = random * UINT64_C(6364136223846793005) + 99;
            file.bytes[8 + (random >> 33) % (n - 8)] = (uint8_t)(random >> 20);
        }
        write_file("perf.data", file.bytes, n);
        regions = regions_if_read(false);
        refused += regions < 0;
        fewer += regions >= 0 && regions < 3;
        all += regions == 3;
    }
    /* the seed gives some of each */
    assert_true(refused > 50 && fewer > 50 && all > 300);
}

static void failing_allocation_is_reported(void **state)
{
    struct scarce scarce = {0};
    const struct etm_allocator allocator = {.resize = scarce_resize,
                                            .context = &scarce};
    int status = ETM_ERR_MEMORY;

    (void)state;
    put_everything();
    for (unsigned i = 0; status != ETM_OK && i < 1000; i++) {
        scarce.left = i;
        status = open_with(NULL, 0, &allocator);
        assert_true(status == ETM_OK || status == ETM_ERR_MEMORY);
    }
    assert_int_equal(status, ETM_OK);
    etm_capture_close(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_are_executed_are_code),
        cmocka_unit_test(mappings_are_told),
        cmocka_unit_test(names_go_with_the_code),
        cmocka_unit_test(another_program_takes_the_place_of_the_first),
        cmocka_unit_test(code_that_is_not_certain_is_left_out),
        cmocka_unit_test(another_build_is_not_the_program_that_ran),
        cmocka_unit_test(a_file_that_is_too_short_is_missing),
        cmocka_unit_test(list_of_builds_counts),
        cmocka_unit_test(shorter_build_ids_may_have_zeros_after_them),
        cmocka_unit_test(build_is_found_in_a_cache_of_perf),
        cmocka_unit_test(missing_files_are_one_sentence),
        cmocka_unit_test(program_of_another_machine_is_no_code),
        cmocka_unit_test(damaged_file_is_read_or_refused),
        cmocka_unit_test(failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
