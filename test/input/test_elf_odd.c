/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files that are odd: big-endian ones, code that was moved, cores, shared
   objects, and what is no program at all. */
#include "../support/test.h"
#include "support.h"

#include "input/elf.h"
#include "input/elf_segments.h"

#define EDITS 12u

/* Bytes of a file that are changed; e_shoff, e_shentsize, e_shnum and e_shstrndx
 * are 0 in one without sections. */
struct edit {
    uint16_t at;
    uint8_t value;
};
#define NO_SECTIONS                                                            \
    {32, 0}, {33, 0}, {34, 0}, {35, 0}, {46, 0}, {47, 0}, {48, 0}, {49, 0},    \
        {50, 0},                                                               \
    {                                                                          \
        51, 0                                                                  \
    }

/* A file of test/data with such bytes. */
static uint8_t *fixture(const char *name, const struct edit *edits, size_t *n)
{
    static uint8_t bytes[16384];
    FILE *stream = fopen(data_path(name), "rb");

    assert_non_null(stream);
    *n = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    assert_in_range(*n, 1000, sizeof bytes - 1);
    for (size_t i = 0; edits != NULL && i < EDITS && edits[i].at != 0; i++)
        bytes[edits[i].at] = edits[i].value;
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

TEST(files_that_cannot_be_the_program_are_refused)
{
    static const struct {
        const char *file;
        struct edit edits[EDITS];
        size_t n; /* 0: all of it */
        const char *part;
    } rows[] = {
        {"two_states.elf", {{16, 1}}, 0, "not linked"}, /* e_type */
        {"two_states.elf", {{16, 5}}, 0, "type 5"},
        {"two_states.elf", {{18, 62}}, 0, "machine 62"},
        {"two_states.elf", {{44, 0}}, 0, "no segments"}, /* e_phnum */
        {"two_states.elf", {{0}}, 20, "broken"},
        {"two_states.elf", {{0}}, 120, "truncated"},
        /* the first segment at 0xff007f8c */
        {"two_states.elf",
         {{52 + 9, 0xff}, {52 + 10, 0xff}, {52 + 11, 0xff}},
         0,
         "fit in 32-bit addresses"},
        {"two_states_be32.elf", {NO_SECTIONS}, 0, "BE32"},
    };
    struct etm_elf *bad;
    struct etm_diag diag;
    uint8_t *b;
    size_t n;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        b = fixture(rows[i].file, rows[i].edits, &n);
        refuse(b, rows[i].n != 0 ? rows[i].n : n, rows[i].part);
    }
    refuse(b, 0, "not an ELF file");
    refuse((const uint8_t *)"\177ELG and more", 12, "not an ELF file");
    b = fixture("two_states.elf", NULL, &n);
    write_file("a.elf", b, n);
    assert_int_equal(
        etm_elf_open(&bad, in_directory("a.elf"), 0x1000, NULL, &diag),
        ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "/a.elf", 0,
                "give it without an address");
    assert_int_equal(etm_elf_open(&bad, in_directory("no"), 0, NULL, &diag),
                     ETM_ERR_IO);
    assert_null(bad);
}

/* Where "mov r3, r0" of 0x802c is, and where code is not.
 * As Arm's linker writes code that is loaded in one place and runs in another:
 * the segment says where it is loaded, the section where it runs (E-306). Of
 * gdb, or of /proc/kcore, a core has segments and no sections. Of BE-32 the
 * file has big-endian instructions (E-307). */
TEST(odd_programs_have_their_code)
{
    static const struct {
        const char *file;
        struct edit edits[EDITS];
        uint32_t bias, code[2], none;
        uint32_t symbol; /* arm_function */
        uint32_t line;   /* is 17 here */
    } rows[] = {
        {"two_states_be8.elf", {{0}}, 0, {0x802c}, 0x20000, 0x802c, 0x8014},
        {"two_states_be32.elf", {{0}}, 0, {0x802c}, 0x20000, 0x802c, 0x8014},
        /* p_vaddr, p_paddr: 0x08007f8c; big-endian p_vaddr, p_paddr */
        {"two_states.elf",
         {{52 + 11, 8}, {52 + 15, 8}},
         0,
         {0x0800802c, 0x802c},
         0x20000,
         0x802c,
         0x8014},
        {"two_states_be32.elf",
         {{52 + 8, 8}, {52 + 12, 8}},
         0,
         {0x0800802c, 0x802c},
         0x20000,
         0x802c,
         0x8014},
        {"two_states.elf",
         {{16, 4}, NO_SECTIONS}, /* ET_CORE */
         0,
         {0x802c},
         0x20000,
         0,
         0},
        {"two_states.elf",
         {{16, 3}}, /* ET_DYN */
         0x40000000,
         {0x4000802c},
         0x802c,
         0x4000802c,
         0x40008014},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_elf *elf;
        struct etm_image *image;
        struct etm_symbol symbol;
        struct etm_source_line line;
        uint32_t address;
        uint8_t bytes[4];
        size_t n;
        uint8_t *b = fixture(rows[i].file, rows[i].edits, &n);

        write_file("odd.elf", b, n);
        assert_ok(etm_elf_open(&elf, in_directory("odd.elf"), rows[i].bias,
                               NULL, NULL));
        assert_ok(etm_image_new(&image, NULL));
        assert_ok(etm_elf_add_to_image(elf, image, NULL));
        for (size_t k = 0; k < 2 && rows[i].code[k] != 0; k++) {
            assert_int_equal(
                etm_image_read(image, rows[i].code[k], NULL, bytes, 4), 4);
            assert_memory_equal(bytes, "\x00\x30\xa0\xe1", 4);
        }
        assert_int_equal(etm_image_read(image, rows[i].none, NULL, bytes, 4),
                         0);
        address = rows[i].symbol != 0 ? rows[i].symbol : rows[i].code[0];
        assert_int_equal(etm_elf_symbol(elf, address, &symbol),
                         rows[i].symbol != 0);
        if (rows[i].bias != 0)
            assert_false(etm_elf_symbol(elf, 0x800e, &symbol));
        if (rows[i].symbol != 0) {
            assert_true(etm_elf_symbol(elf, address, &symbol));
            assert_string_equal(symbol.name, "arm_function");
            assert_int_equal(symbol.offset, 0);
            assert_true(etm_elf_address(elf, "arm_function", &address, NULL));
            assert_int_equal(address, rows[i].symbol);
            assert_int_equal(etm_elf_mapping(elf, address, NULL), 'a');
            assert_true(etm_elf_line(elf, rows[i].line, &line));
            assert_int_equal(line.line, 17);
        }
        etm_image_free(image);
        etm_elf_release(elf);
    }
}

/* The halfwords and words of code come in the order of a little-endian file, the
 * data between them as they stand. E-307 */
TEST(code_of_be32_files_is_turned_round)
{
    static const char *const names[] = {"two_states.elf",
                                        "two_states_be32.elf"};
    uint8_t code[2][0x6c];

    for (unsigned i = 0; i < 2; i++) {
        struct etm_image *image;
        struct etm_elf *file;

        assert_ok(etm_elf_open(&file, data_path(names[i]), 0, NULL, NULL));
        assert_ok(etm_image_new(&image, NULL));
        assert_ok(etm_elf_add_to_image(file, image, NULL));
        assert_int_equal(
            etm_image_read(image, 0x8000, NULL, code[i], sizeof code[i]),
            sizeof code[i]);
        etm_image_free(image);
        etm_elf_release(file);
    }
    assert_memory_equal(code[0], code[1], 0x44);
    assert_memory_equal(code[0] + 0x48, code[1] + 0x48, sizeof code[0] - 0x48);
    assert_memory_equal(code[1] + 0x44, "\xde\xad\xbe\xef", 4);
}

/* Whatever the bytes are: an error or a file that can be asked, no crash. */
TEST(damaged_files_do_no_harm)
{
    struct etm_source_line line;
    struct etm_symbol symbol;
    unsigned seed = 7, opened = 0;

    for (unsigned i = 0; i < 400; i++) {
        struct etm_elf *bad;
        uint8_t *b;
        size_t n;

        b = fixture("two_states.elf", NULL, &n);
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
TEST(pieces_are_where_their_headers_say)
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
    return tests_run_between(make_directory, remove_directory);
}
