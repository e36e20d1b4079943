/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files that are odd: big-endian ones, code that was moved, cores, shared
   objects, and what is no program at all. */
#include "support.h"

#include "input/elf.h"
#include "input/elf_segments.h"

#include <stdio.h>
#include <string.h>

static void code_of_be8_files_is_little_endian(void **state)
{
    struct etm_elf *big;
    struct etm_image *image;
    struct etm_symbol symbol;
    uint32_t address;
    uint8_t bytes[4];

    (void)state;
    assert_int_equal(
        etm_elf_open(&big, data_path("two_states_be8.elf"), 0, NULL, NULL),
        ETM_OK);
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
    FILE *stream = fopen(data_path("two_states.elf"), "rb");

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
    refuse(b, 120, "truncated");
    refuse(b, 0, "not an ELF file");
    refuse((const uint8_t *)"\177ELG and more", 12, "not an ELF file");
    b = fixture(&n);
    b[52 + 11] = 0xff; /* p_vaddr of the first segment: 0xff007f8c */
    b[52 + 10] = 0xff;
    b[52 + 9] = 0xff;
    refuse(b, n, "fit in 32-bit addresses");
    b = fixture(&n);
    write_file("a.elf", b, n);
    assert_int_equal(
        etm_elf_open(&bad, in_directory("a.elf"), 0x1000, NULL, &diag),
        ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "/a.elf", 0,
                "give it without an address");
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

        assert_int_equal(
            etm_elf_open(&file, data_path(names[i]), 0, NULL, NULL), ETM_OK);
        assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
        assert_int_equal(etm_elf_add_to_image(file, image, NULL), ETM_OK);
        assert_int_equal(
            etm_image_read(image, 0x8000, NULL, code[i], sizeof code[i]),
            sizeof code[i]);
        assert_int_equal(etm_elf_mapping(file, 0x802c, NULL), 'a');
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
    FILE *stream = fopen(data_path("two_states_be32.elf"), "rb");
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

/* Both at once: what was moved is turned round, too. */
static void code_of_be32_files_runs_where_its_section_is(void **state)
{
    FILE *stream = fopen(data_path("two_states_be32.elf"), "rb");
    struct etm_image *image;
    struct etm_elf *moved;
    uint8_t file[8192], bytes[4];
    size_t n;

    (void)state;
    assert_non_null(stream);
    n = fread(file, 1, sizeof file, stream);
    fclose(stream);
    file[file[31] + 8] = file[file[31] + 12] = 0x08; /* big-endian e_phoff */
    write_file("moved.elf", file, n);
    assert_int_equal(
        etm_elf_open(&moved, in_directory("moved.elf"), 0, NULL, NULL), ETM_OK);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_elf_add_to_image(moved, image, NULL), ETM_OK);
    assert_int_equal(etm_image_read(image, 0x0800802c, NULL, bytes, 4), 4);
    assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
    assert_int_equal(etm_image_read(image, 0x802c, NULL, bytes, 4), 4);
    assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
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
    assert_int_equal(etm_elf_mapping(moved, 0x4000802c, NULL), 'a');
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
            etm_elf_mapping(bad, address, NULL);
            etm_elf_line(bad, address, &line);
        }
        etm_elf_release(bad);
    }
    assert_true(opened > 100);
}

static void put_words(uint8_t *to, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < 4 * n; i++)
        to[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

/* Pieces far after the beginning of the file and of memory; one is empty, one
 * goes beyond the end of the file. */
static void pieces_are_where_their_headers_say(void **state)
{
    static uint8_t file[0x30000];
    static const uint32_t begins[] = {0x464c457f, 0x00010101, 0, 0, 0x00280002};
    static const uint32_t sizes[] = {0x00200034, 0x00000004};
    /* type, offset, addresses, sizes, flags, alignment */
    static const uint32_t headers[4][8] = {
        {1, 0x100, 0x8000, 0x8000, 0, 0x100, 5, 4},
        {1, 0x12344, 0x60012344, 0x60012344, 0x10008, 0x20000, 5, 4},
        {1, 0x2fffc, 0x9000, 0x9000, 8, 8, 5, 4},
        {1, 0x2fffc, 0x80000000, 0x80000000, 4, 4, 5, 4}};
    static const uint32_t table = 0x20100;
    struct etm_elf_segment s;

    (void)state;
    put_words(file, begins, 5);
    put_words(file + 28, &table, 1);
    put_words(file + 40, sizes, 2);
    for (size_t i = 0; i < 4; i++)
        put_words(file + table + 32 * i, headers[i], 8);
    assert_true(etm_elf_segment(file, sizeof file, 0, &s));
    assert_int_equal(s.offset, 0x12344);
    assert_int_equal(s.address, 0x60012344);
    assert_int_equal(s.size, 0x10008);
    assert_true(etm_elf_segment(file, sizeof file, 1, &s));
    assert_int_equal(s.address, 0x80000000);
    assert_false(etm_elf_segment(file, sizeof file, 2, &s));
    assert_true(etm_elf_belongs(file, sizeof file, 0x2234b, 0x6002234b));
    assert_false(etm_elf_belongs(file, sizeof file, 0x2234c, 0x6002234c));
    assert_false(etm_elf_belongs(file, sizeof file, 0x12344, 0x60012348));
    assert_false(etm_elf_belongs(file, sizeof file, 0x12343, 0x60012343));
    /* the table does not end in the file */
    assert_false(etm_elf_segment(file, table + 32, 0, &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_of_be8_files_is_little_endian),
        cmocka_unit_test(files_that_cannot_be_the_program_are_refused),
        cmocka_unit_test(code_of_be32_files_is_turned_round),
        cmocka_unit_test(be32_code_without_mapping_symbols_is_refused),
        cmocka_unit_test(code_runs_where_its_section_is),
        cmocka_unit_test(code_of_be32_files_runs_where_its_section_is),
        cmocka_unit_test(a_core_has_the_code_that_was_in_memory),
        cmocka_unit_test(shared_objects_move_by_their_bias),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(pieces_are_where_their_headers_say),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
