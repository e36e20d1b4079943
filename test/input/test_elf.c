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

/* A fixture's path. */
static const char *data(const char *name)
{
    static char path[600];

    snprintf(path, sizeof path, "%s/%s", getenv("ETM_TEST_DATA"), name);
    return path;
}

static int open_fixture(void **state)
{
    struct etm_diag diag;

    (void)state;
    return etm_elf_open(&elf, data("two_states.elf"), 0, NULL, &diag);
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
        assert_int_equal(etm_elf_mapping(elf, rows[i].address), rows[i].kind);
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
            etm_elf_open(&compressed, data(names[i]), 0, NULL, &diag), ETM_OK);
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
    snprintf(command, sizeof command, "cp '%s' %s", data("two_states.elf"),
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
        etm_elf_open(&other, data("two_states.elf"), 0, NULL, &diag), ETM_OK);
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
        etm_elf_open(&second, data("two_states.elf"), 0, NULL, NULL), ETM_OK);
    assert_ptr_equal(etm_elf_hold(second), second);
    etm_elf_release(second);
    assert_true(etm_elf_symbol(second, 0x8000, &symbol));
    etm_elf_release(second);
    etm_elf_release(NULL);
}

static void code_of_be8_files_is_little_endian(void **state)
{
    struct etm_elf *big;
    struct etm_image *image;
    struct etm_symbol symbol;
    uint32_t address;
    uint8_t bytes[4];

    (void)state;
    assert_int_equal(
        etm_elf_open(&big, data("two_states_be8.elf"), 0, NULL, NULL), ETM_OK);
    assert_true(etm_elf_address(big, "arm_function", &address, NULL));
    assert_int_equal(address, 0x802c);
    assert_true(etm_elf_symbol(big, 0x804e, &symbol));
    assert_string_equal(symbol.name, "bare_label");
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(big, image, NULL), ETM_OK);
    assert_int_equal(etm_image_read(image, address, NULL, bytes, 4), 4);
    assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
    etm_image_free(image);
    etm_elf_release(big);
}

/* The fixture's bytes, to be changed. */
static uint8_t *fixture(size_t *n)
{
    static uint8_t bytes[16384];
    FILE *stream = fopen(data("two_states.elf"), "rb");

    assert_non_null(stream);
    *n = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    assert_in_range(*n, 1000, sizeof bytes - 1);
    return bytes;
}

/* Opening "a.elf", made of these bytes, must fail. */
static void refuse(const uint8_t *bytes, size_t n, const char *part)
{
    struct etm_elf *bad;
    struct etm_diag diag;

    write_file("a.elf", bytes, n);
    assert_int_equal(etm_elf_open(&bad, in_directory("a.elf"), 0, NULL, &diag),
                     ETM_ERR_FORMAT);
    assert_null(bad);
    expect_diag(&diag, ETM_ERR_FORMAT, "/a.elf", 0, part);
}

static void files_that_cannot_be_the_program_are_refused(void **state)
{
    struct etm_elf *bad;
    struct etm_diag diag;
    uint8_t *b;
    size_t n;

    (void)state;
    b = fixture(&n);
    b[16] = 1; /* e_type */
    refuse(b, n, "not linked");
    b[16] = 5;
    refuse(b, n, "type 5");
    b = fixture(&n);
    b[18] = 62; /* e_machine */
    refuse(b, n, "machine 62");
    b = fixture(&n);
    b[44] = 0; /* e_phnum */
    refuse(b, n, "no segments");
    b = fixture(&n);
    refuse(b, 20, "broken");
    refuse(b, 120, "cut short");
    refuse(b, 0, "not an ELF file");
    refuse((const uint8_t *)"\177ELG and more", 12, "not an ELF file");
    b = fixture(&n);
    b[52 + 11] = 0xff; /* p_vaddr of the first segment: 0xff007f8c */
    b[52 + 10] = 0xff;
    b[52 + 9] = 0xff;
    refuse(b, n, "beyond 32-bit addresses");
    b = fixture(&n);
    write_file("a.elf", b, n);
    assert_int_equal(
        etm_elf_open(&bad, in_directory("a.elf"), 0x1000, NULL, &diag),
        ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "/a.elf", 0, "no address may be given");
    assert_int_equal(etm_elf_open(&bad, in_directory("no"), 0, NULL, &diag),
                     ETM_ERR_IO);
    assert_null(bad);
    n = 0;
}

/* Of BE-32 the file has big-endian instructions. E-307 */
static void code_of_be32_files_is_turned_round(void **state)
{
    static const char *const names[] = {"two_states.elf",
                                        "two_states_be32.elf"};
    uint8_t code[2][0x6c];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct etm_image *image;
        struct etm_elf *file;
        struct etm_source_line line;

        assert_int_equal(etm_elf_open(&file, data(names[i]), 0, NULL, NULL),
                         ETM_OK);
        assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
        assert_int_equal(etm_elf_add_to_image(file, image, NULL), ETM_OK);
        assert_int_equal(
            etm_image_read(image, 0x8000, NULL, code[i], sizeof code[i]),
            sizeof code[i]);
        assert_int_equal(etm_elf_mapping(file, 0x802c), 'a');
        assert_true(etm_elf_line(file, 0x8014, &line));
        assert_int_equal(line.line, 17);
        etm_image_free(image);
        etm_elf_release(file);
    }
    /* but for the data between them */
    assert_memory_equal(code[0], code[1], 0x44);
    assert_memory_equal(code[0] + 0x48, code[1] + 0x48, sizeof code[0] - 0x48);
    assert_memory_equal(code[1] + 0x44, "\xde\xad\xbe\xef", 4);
}

static void be32_code_without_mapping_symbols_is_refused(void **state)
{
    FILE *stream = fopen(data("two_states_be32.elf"), "rb");
    uint8_t bytes[8192];
    size_t n;

    (void)state;
    assert_non_null(stream);
    n = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    memset(bytes + 32, 0, 4); /* e_shoff */
    memset(bytes + 46, 0, 6); /* e_shentsize, e_shnum, e_shstrndx */
    refuse(bytes, n, "BE32");
}

/*
 * As Arm's linker writes code that is loaded in one place and runs in another:
 * the segment says where it is loaded, the section where it runs. E-306
 */
static void code_runs_where_its_section_is(void **state)
{
    struct etm_image *image;
    struct etm_elf *moved;
    struct etm_diag diag;
    uint8_t bytes[4];
    size_t n;
    uint8_t *file = fixture(&n);
    uint8_t *segment = file + file[28]; /* e_phoff; the first has .text */

    (void)state;
    segment[11] = segment[15] = 0x08; /* p_vaddr, p_paddr: 0x08007f8c */
    write_file("moved.elf", file, n);
    assert_int_equal(
        etm_elf_open(&moved, in_directory("moved.elf"), 0, NULL, &diag),
        ETM_OK);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(moved, image, NULL), ETM_OK);
    assert_int_equal(etm_image_read(image, 0x0800802c, NULL, bytes, 4), 4);
    assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
    assert_int_equal(etm_image_read(image, 0x802c, NULL, bytes, 4), 4);
    assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
    assert_int_equal(etm_image_read(image, 0x20000, NULL, bytes, 4), 0);
    etm_image_free(image);
    etm_elf_release(moved);
}

/* Of gdb, or of /proc/kcore: there are segments and no sections. */
static void a_core_has_the_code_that_was_in_memory(void **state)
{
    struct etm_elf *core;
    struct etm_image *image;
    struct etm_symbol symbol;
    uint8_t bytes[4];
    size_t n;
    uint8_t *b = fixture(&n);

    (void)state;
    b[16] = 4;            /* ET_CORE */
    memset(b + 32, 0, 4); /* e_shoff */
    memset(b + 46, 0, 6); /* e_shentsize, e_shnum, e_shstrndx */
    write_file("core", b, n);
    assert_int_equal(etm_elf_open(&core, in_directory("core"), 0, NULL, NULL),
                     ETM_OK);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(core, image, NULL), ETM_OK);
    assert_int_equal(etm_image_read(image, 0x802c, NULL, bytes, 4), 4);
    assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
    assert_false(etm_elf_symbol(core, 0x802c, &symbol));
    etm_image_free(image);
    etm_elf_release(core);
}

static void shared_objects_move_by_their_bias(void **state)
{
    struct etm_elf *moved;
    struct etm_image *image;
    struct etm_symbol symbol;
    struct etm_source_line line;
    uint32_t address;
    uint8_t *b, byte;
    size_t n;

    (void)state;
    b = fixture(&n);
    b[16] = 3; /* ET_DYN */
    write_file("a.elf", b, n);
    assert_int_equal(
        etm_elf_open(&moved, in_directory("a.elf"), 0x40000000, NULL, NULL),
        ETM_OK);
    assert_true(etm_elf_address(moved, "local", &address, NULL));
    assert_int_equal(address, 0x40008000);
    assert_true(etm_elf_symbol(moved, 0x4000800e, &symbol));
    assert_int_equal(symbol.offset, 14);
    assert_false(etm_elf_symbol(moved, 0x800e, &symbol));
    assert_int_equal(etm_elf_mapping(moved, 0x4000802c), 'a');
    assert_true(etm_elf_line(moved, 0x4000800e, &line));
    assert_int_equal(line.line, 13);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(moved, image, NULL), ETM_OK);
    assert_int_equal(etm_image_read(image, 0x4000804a, NULL, &byte, 1), 1);
    assert_int_equal(byte, 0x70);
    etm_image_free(image);
    etm_elf_release(moved);
}

/* Whatever the bytes are: an error or a file that can be asked, no crash. */
static void damaged_files_do_no_harm(void **state)
{
    struct etm_source_line line;
    struct etm_symbol symbol;
    unsigned seed = 7, opened = 0;

    (void)state;
    for (unsigned i = 0; i < 400; i++) {
        struct etm_elf *bad;
        uint8_t *b;
        size_t n;

        b = fixture(&n);
        for (unsigned k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            b[(seed >> 8) % n] = (uint8_t)(seed >> 3);
        }
        write_file("a.elf", b, n);
        if (etm_elf_open(&bad, in_directory("a.elf"), 0, NULL, NULL) != ETM_OK)
            continue;
        opened++;
        for (uint32_t address = 0x7ff0; address < 0x8080; address += 2) {
            etm_elf_symbol(bad, address, &symbol);
            etm_elf_mapping(bad, address);
            etm_elf_line(bad, address, &line);
        }
        etm_elf_release(bad);
    }
    assert_true(opened > 100);
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
    /* the file's own bytes, which are mapped */
    assert_true(elf->file.mapped);
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

static void an_elf_file_is_told_by_its_first_bytes(void **state)
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
        TEST(code_runs_where_its_section_is),
        TEST(a_segment_may_be_for_one_space_only),
        TEST(symbols_name_addresses),
        TEST(names_give_addresses_without_the_thumb_bit),
        TEST(mapping_symbols_tell_arm_thumb_and_data),
        TEST(addresses_have_source_lines),
        TEST(compressed_debug_information_has_source_lines),
        TEST(a_missing_source_file_leaves_the_line_without_text),
        TEST(a_source_file_is_found_beside_the_elf_file),
        TEST(the_last_reference_closes_the_file),
        TEST(code_of_be8_files_is_little_endian),
        TEST(files_that_cannot_be_the_program_are_refused),
        TEST(code_of_be32_files_is_turned_round),
        TEST(be32_code_without_mapping_symbols_is_refused),
        TEST(a_core_has_the_code_that_was_in_memory),
        TEST(shared_objects_move_by_their_bias),
        TEST(damaged_files_do_no_harm),
        TEST(nothing_is_read_before_it_is_wanted),
        TEST(rows_are_sorted_as_by_comparing),
        TEST(an_elf_file_is_told_by_its_first_bytes),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
