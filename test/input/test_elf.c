/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files: segments, symbols, mapping symbols, source lines. The addresses
   are those of test/data/two_states.elf, as binutils list them. */
#define _POSIX_C_SOURCE 200809L

#include "support.h"

#include "image/image.h"
#include "input/elf_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct etm_elf *elf;

static int open_fixture(void **state)
{
    struct etm_diag diag;

    (void)state;
    return etm_elf_open(&elf, data_path("two_states.elf"), 0, NULL, &diag);
}

static int close_fixture(void **state)
{
    (void)state;
    etm_elf_release(elf);
    elf = NULL;
    return 0;
}

static void executable_segments_become_the_image(void **state)
{
    struct etm_image *image;
    uint8_t bytes[4];

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(elf, image, NULL), ETM_OK);
    assert_int_equal(etm_image_regions(image), 1);
    assert_int_equal(etm_image_read(image, 0x802c, NULL, bytes, 4), 4);
    assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
    assert_int_equal(etm_image_read(image, 0x8078, NULL, bytes, 4), 4);
    assert_int_equal(etm_image_read(image, 0x807c, NULL, bytes, 1), 0);
    /* Data is no code. */
    assert_int_equal(etm_image_read(image, 0x20000, NULL, bytes, 4), 0);
    etm_image_free(image);
}

static void a_segment_may_be_for_one_space_only(void **state)
{
    struct etm_space secure = {.secure = ETM_TRUE};
    struct etm_space normal = {.secure = ETM_FALSE};
    struct etm_image *image;
    uint8_t byte;

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(elf, image, &secure), ETM_OK);
    assert_int_equal(etm_image_read(image, 0x8000, &secure, &byte, 1), 1);
    assert_int_equal(etm_image_read(image, 0x8000, &normal, &byte, 1), 0);
    etm_image_free(image);
}

static void symbols_name_addresses(void **state)
{
    static const struct {
        uint32_t address;
        const char *name;
        uint32_t offset, size;
    } rows[] = {
        {0x8000, "local", 0, 16},
        {0x800e, "local", 14, 16},
        {0x8010, "thumb_function", 0, 28}, /* not the weak one there */
        {0x802a, "thumb_function", 26, 28},
        {0x802c, "arm_function", 0, 20},
        {0x803f, "arm_function", 19, 20},
        {0x8042, "sized", 2, 8}, /* not the label inside */
        {0x8047, "sized", 7, 8},
        {0x8048, "unsized", 0, 0},
        {0x804a, "unsized", 2, 0},
        {0x804e, "bare_label", 2, 0},
        {0x806b, "_start", 27, 28},
    };
    struct etm_symbol symbol;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(etm_elf_symbol(elf, rows[i].address, &symbol));
        assert_string_equal(symbol.name, rows[i].name);
        assert_int_equal(symbol.offset, rows[i].offset);
        assert_int_equal(symbol.size, rows[i].size);
    }
    assert_false(etm_elf_symbol(elf, 0x7fff, &symbol));
    assert_false(etm_elf_symbol(elf, 0x806c, &symbol));
    assert_false(etm_elf_symbol(elf, 0x20000, &symbol));
    assert_false(etm_elf_symbol(elf, 0xffffffff, &symbol));
}

static void names_give_addresses_without_the_thumb_bit(void **state)
{
    static const struct {
        const char *name;
        uint32_t address, size;
    } rows[] = {
        {"local", 0x8000, 16},         {"thumb_function", 0x8010, 28},
        {"weak_function", 0x8010, 28}, {"arm_function", 0x802c, 20},
        {"sized", 0x8040, 8},          {"unsized", 0x8048, 0},
        {"bare_label", 0x804c, 0},     {"_start", 0x8050, 28},
    };
    uint32_t address, size;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(etm_elf_address(elf, rows[i].name, &address, &size));
        assert_int_equal(address, rows[i].address);
        assert_int_equal(size, rows[i].size);
        assert_true(etm_elf_address(elf, rows[i].name, &address, NULL));
    }
    assert_false(etm_elf_address(elf, "", &address, NULL));
    assert_false(etm_elf_address(elf, "counter", &address, NULL));
    assert_false(etm_elf_address(elf, "zzz", &address, NULL));
    assert_false(etm_elf_address(elf, "$t", &address, NULL));
}

static void mapping_symbols_tell_arm_thumb_and_data(void **state)
{
    static const struct {
        uint32_t address;
        char kind;
    } rows[] = {
        {0x7ffe, 0},   {0x8000, 't'}, {0x802b, 't'}, {0x802c, 'a'},
        {0x803f, 'a'}, {0x8040, 't'}, {0x8043, 't'}, {0x8044, 'd'},
        {0x8047, 'd'}, {0x8048, 't'}, {0x806b, 't'}, {0x806c, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(etm_elf_mapping(elf, rows[i].address, NULL),
                         rows[i].kind);
}

static void addresses_have_source_lines(void **state)
{
    static const struct {
        uint32_t address;
        unsigned line;
        const char *text;
    } rows[] = {
        {0x8000, 12, "    return x * counter;"},
        {0x800e, 13, "}"},
        {0x8014, 17, "    return local(x) + table[x & 3];"},
        {0x8030, 23, "}"},
    };
    struct etm_source_line line;
    char *here = getcwd(NULL, 0);

    (void)state;
    assert_non_null(here);
    assert_int_equal(chdir(getenv("ETM_TEST_DATA")), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(etm_elf_line(elf, rows[i].address, &line));
        assert_string_equal(line.file, "./two_states.c");
        assert_int_equal(line.line, rows[i].line);
        assert_string_equal(line.text, rows[i].text);
    }
    assert_int_equal(chdir(here), 0);
    free(here);
    assert_false(etm_elf_line(elf, 0x7ffe, &line));
    assert_false(etm_elf_line(elf, 0x20000, &line));
}

/* libdw takes the sections apart in the memory that libelf was given. */
static void compressed_debug_information_has_source_lines(void **state)
{
    static const char *const names[] = {"two_states_zlib-gabi.elf",
                                        "two_states_zlib-gnu.elf"};
    struct etm_source_line line;
    struct etm_elf *compressed;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct etm_diag diag;

        assert_int_equal(
            etm_elf_open(&compressed, data_path(names[i]), 0, NULL, &diag),
            ETM_OK);
        assert_true(etm_elf_line(compressed, 0x8014, &line));
        assert_string_equal(line.file, "./two_states.c");
        assert_int_equal(line.line, 17);
        etm_elf_release(compressed);
    }
}

static void a_missing_source_file_leaves_the_line_without_text(void **state)
{
    struct etm_source_line line;
    struct etm_elf *alone;
    struct etm_diag diag;
    char folder[] = "/tmp/etm-test-XXXXXX", copy[64], command[800];
    char *here = getcwd(NULL, 0);

    (void)state;
    assert_non_null(here);
    assert_non_null(mkdtemp(folder));
    snprintf(copy, sizeof copy, "%s/two_states.elf", folder);
    snprintf(command, sizeof command, "cp '%s' %s", data_path("two_states.elf"),
             copy);
    assert_int_equal(system(command), 0);
    assert_int_equal(etm_elf_open(&alone, copy, 0, NULL, &diag), ETM_OK);
    assert_int_equal(chdir("/"), 0);
    assert_true(etm_elf_line(alone, 0x8000, &line));
    assert_int_equal(line.line, 12);
    assert_null(line.text);
    assert_int_equal(chdir(here), 0);
    etm_elf_release(alone);
    remove(copy);
    rmdir(folder);
    free(here);
}

static void a_source_file_is_found_beside_the_elf_file(void **state)
{
    struct etm_source_line line;
    struct etm_elf *other;
    struct etm_diag diag;
    char *here = getcwd(NULL, 0);

    (void)state;
    assert_non_null(here);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(
        etm_elf_open(&other, data_path("two_states.elf"), 0, NULL, &diag),
        ETM_OK);
    assert_true(etm_elf_line(other, 0x8000, &line));
    assert_non_null(line.text);
    assert_int_equal(chdir(here), 0);
    etm_elf_release(other);
    free(here);
}

static void the_last_reference_closes_the_file(void **state)
{
    struct etm_elf *second;
    struct etm_symbol symbol;

    (void)state;
    assert_int_equal(
        etm_elf_open(&second, data_path("two_states.elf"), 0, NULL, NULL),
        ETM_OK);
    assert_ptr_equal(etm_elf_hold(second), second);
    etm_elf_release(second);
    assert_true(etm_elf_symbol(second, 0x8000, &symbol));
    etm_elf_release(second);
    etm_elf_release(NULL);
}

/* A large file costs what is used of it: pages of code that are decoded, and
 * tables when somebody asks for what is in them. */
static void nothing_is_read_before_it_is_wanted(void **state)
{
    struct etm_source_line line;
    struct etm_symbol symbol;
    struct etm_image *image;
    const uint8_t *span;
    uint32_t address;
    size_t n;

    (void)state;
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(elf, image, NULL), ETM_OK);
    span = etm_image_span(image, 0x8000, &(struct etm_space){ETM_UNKNOWN, 0, 0},
                          &n);
    /* the file's own bytes, of a large one those that are mapped */
    assert_in_range((size_t)(span - elf->file.bytes), 0, elf->file.n - n);
    assert_false(elf->has_symbols);
    assert_null(elf->dwarf);
    assert_true(etm_elf_symbol(elf, 0x8000, &symbol));
    assert_true(elf->has_symbols);
    assert_false(elf->has_names);
    assert_null(elf->dwarf);
    assert_true(etm_elf_address(elf, "arm_function", &address, NULL));
    assert_true(elf->has_names);
    assert_null(elf->dwarf);
    assert_true(etm_elf_line(elf, address, &line));
    assert_non_null(elf->dwarf);
    etm_image_free(image);
}

/* Rows as in a table of symbols; `rank` tells where they come from. */
static int by_address_and_rank(const void *x, const void *y)
{
    const struct etm_elf_symbol_row *a = x, *b = y;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

static void rows_are_sorted_as_by_comparing(void **state)
{
    enum { ROWS = 3000 };
    static struct etm_elf_symbol_row expected[ROWS];
    struct etm_vec rows;
    uint32_t random = 1;

    (void)state;
    for (uint32_t mask = 0xff; mask != 0; mask <<= 8) {
        etm_vec_init(&rows, sizeof *expected, &etm_allocator_malloc);
        for (uint32_t i = 0; i < ROWS; i++) {
            random = random * 1664525 + 1013904223;
            memset(&expected[i], 0, sizeof expected[i]);
            expected[i].address = (random ^ random >> 16) & (mask | 0x80000003);
            expected[i].size = ROWS - i;
            assert_int_equal(etm_vec_append(&rows, &expected[i], 1), ETM_OK);
        }
        qsort(expected, ROWS, sizeof *expected, by_address_and_rank);
        assert_int_equal(etm_elf_sort(&rows, by_address_and_rank), ETM_OK);
        assert_int_equal(rows.n, ROWS);
        assert_memory_equal(rows.data, expected, sizeof expected);
        /* sorted, they stay as they are */
        assert_int_equal(etm_elf_sort(&rows, by_address_and_rank), ETM_OK);
        assert_memory_equal(rows.data, expected, sizeof expected);
        etm_vec_fini(&rows);
    }
    etm_vec_init(&rows, sizeof *expected, &etm_allocator_malloc);
    assert_int_equal(etm_elf_sort(&rows, by_address_and_rank), ETM_OK);
    etm_vec_fini(&rows);
}

/* Rows in clusters, far apart, at both ends of memory, and several of one
   address. */
static void rows_are_found_as_by_counting(void **state)
{
    static const uint32_t bases[] = {0, 0x8000, 0x08000000, 0xc0000000,
                                     0xfffff000};
    struct etm_elf_places places = {0};
    struct etm_elf_symbol_row row = {0};
    struct etm_vec rows;
    uint32_t random = 1;

    (void)state;
    etm_vec_init(&places.starts, sizeof(uint32_t), &etm_allocator_malloc);
    etm_vec_init(&rows, sizeof row, &etm_allocator_malloc);
    assert_int_equal(etm_elf_divide(&places, &rows), ETM_OK);
    assert_int_equal(etm_elf_find(&places, &rows, 0xffffffff), 0);
    for (unsigned round = 0; round < 60; round++) {
        const struct etm_elf_symbol_row *sorted;

        for (unsigned i = 0; i < 1 + round / 2; i++) {
            random = random * 1664525 + 1013904223;
            row.address = bases[(random >> 8) % (1 + round % 5)] +
                          ((random >> 12 & 0xff) << round % 5);
            assert_int_equal(etm_vec_append(&rows, &row, 1), ETM_OK);
        }
        assert_int_equal(etm_elf_sort(&rows, by_address_and_rank), ETM_OK);
        assert_int_equal(etm_elf_divide(&places, &rows), ETM_OK);
        assert_in_range(places.starts.n, 2, 2 * rows.n + 2);
        sorted = rows.data;
        for (size_t i = 0; i < rows.n; i++) {
            for (uint32_t by = 0; by < 3; by++) {
                uint32_t address = sorted[i].address + by - 1;
                size_t n = 0;

                while (n < rows.n && sorted[n].address <= address)
                    n++;
                assert_int_equal(etm_elf_find(&places, &rows, address), n);
            }
        }
        assert_int_equal(etm_elf_find(&places, &rows, 0xffffffff), rows.n);
        if (round % 20 == 19)
            rows.n = 0;
    }
    etm_vec_fini(&rows);
    etm_vec_fini(&places.starts);
}

static void an_elf_file_is_known_by_its_first_bytes(void **state)
{
    (void)state;
    assert_true(etm_elf_is((const uint8_t *)"\177ELF", 4));
    assert_false(etm_elf_is((const uint8_t *)"\177ELF", 3));
    assert_false(etm_elf_is((const uint8_t *)"abcdef", 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
        TEST(executable_segments_become_the_image),
        TEST(a_segment_may_be_for_one_space_only),
        TEST(symbols_name_addresses),
        TEST(names_give_addresses_without_the_thumb_bit),
        TEST(mapping_symbols_tell_arm_thumb_and_data),
        TEST(addresses_have_source_lines),
        TEST(compressed_debug_information_has_source_lines),
        TEST(a_missing_source_file_leaves_the_line_without_text),
        TEST(a_source_file_is_found_beside_the_elf_file),
        TEST(the_last_reference_closes_the_file),
        TEST(nothing_is_read_before_it_is_wanted),
        TEST(rows_are_sorted_as_by_comparing),
        TEST(rows_are_found_as_by_counting),
        TEST(an_elf_file_is_known_by_its_first_bytes),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
