/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines of a program from which the linker removed functions (E-363). */
#include "../support/test.h"
#include "support.h"

#include "input/elf_private.h"

/* Lines of test/data/removed.c. */
#define USED_FIRST 22u
#define USED_LAST 24u
#define START_FIRST 32u
#define START_LAST 37u

/* All the code of a function has lines from `first` to `last`. */
static void expect_lines(struct etm_elf *elf, const char *function,
                         uint32_t first, uint32_t last)
{
    struct etm_source_line line;
    uint32_t address, size;

    assert_true(etm_elf_address(elf, function, &address, &size));
    assert_in_range(size, 8, 256);
    for (uint32_t i = 0; i < size; i += 2) {
        assert_true(etm_elf_line(elf, address + i, &line));
        assert_in_range(line.line, first, last);
    }
}

static int take_line(void *context, const struct etm_line_range *range)
{
    bool *seen = context;

    assert_in_range(range->line, 1, 63);
    assert_true(range->end > range->start);
    seen[range->line] = true;
    return ETM_OK;
}

/* Both ways to ask: by address, and for all lines. */
static void expect_file(const char *path)
{
    struct etm_elf *elf;
    bool seen[64] = {false};

    assert_ok(etm_elf_open(&elf, path, 0, NULL, NULL));
    expect_lines(elf, "used", USED_FIRST, USED_LAST);
    expect_lines(elf, "start", START_FIRST, START_LAST);
    assert_ok(etm_elf_walk_lines(elf, take_line, seen));
    assert_true(seen[USED_LAST]);
    assert_true(seen[START_FIRST]);
    for (unsigned i = 0; i < 64; i++)
        if (seen[i] && !(i >= USED_FIRST && i <= USED_LAST))
            assert_in_range(i, START_FIRST, START_LAST);
    etm_elf_release(elf);
}

static void expect_program(const char *name)
{
    expect_file(data_path(name));
}

/* E-363 */
TEST(removed_code_has_no_lines_after_vectors)
{
    expect_program("removed.elf");
}

TEST(removed_code_has_no_lines_in_dwarf_2)
{
    expect_program("removed_dwarf2.elf");
}

TEST(removed_code_has_no_lines_in_compressed_tables)
{
    expect_program("removed_zlib-gabi.elf");
    expect_program("removed_zlib-gnu.elf");
}

TEST(removed_code_has_no_lines_in_big_endian)
{
    expect_program("removed_be8.elf");
}

/* E-363 */
TEST(code_at_address_0_keeps_its_lines)
{
    expect_program("removed_none.elf");
}

TEST(code_at_address_0_may_be_all_there_is)
{
    expect_program("removed_far.elf");
}

TEST(removed_code_has_no_lines_far_from_code)
{
    expect_program("removed_flash.elf");
}

static size_t read_program(const char *name, uint8_t *bytes, size_t size)
{
    FILE *stream = fopen(data_path(name), "rb");
    size_t n;

    assert_non_null(stream);
    n = fread(bytes, 1, size, stream);
    fclose(stream);
    assert_in_range(n, 1000, size - 1);
    return n;
}

/* From `at` on; it is there. */
static uint8_t *find(uint8_t *at, const uint8_t *what, size_t n)
{
    while (memcmp(at, what, n) != 0)
        at++;
    return at;
}

/* A sequence that ends where no function ends is not that of code. The first
 * one gets another end: if not all of the advance were counted, that would be
 * 0x14, as of the code at address 0. */
TEST_BETWEEN(removed_code_is_as_long_as_its_lines_say, empty_directory, NULL)
{
    static const uint8_t begin[] = {0, 5, 2, 0, 0, 0, 0}, end[] = {0, 1, 1};
    static const uint8_t advances[][4] = {
        {7, 2, 0x8a, 1},    /* DW_LNS_advance_pc, by 138 instructions */
        {2, 0x8a, 0x81, 0}, /* the same in more bytes */
        {7, 9, 0x14, 1},    /* DW_LNS_fixed_advance_pc, by bytes */
        {7, 2, 10, 8},      /* and DW_LNS_const_add_pc */
    };
    static uint8_t bytes[8192];

    for (size_t i = 0; i < COUNT(advances); i++) {
        size_t n = read_program("removed_none.elf", bytes, sizeof bytes);
        uint8_t *first = find(bytes, begin, sizeof begin) + sizeof begin;
        uint8_t *last = find(first, end, sizeof end);

        memset(first, 7, (size_t)(last - first)); /* basic blocks, of which */
        *first = 1;                               /* one has a row */
        memcpy(last - 4, advances[i], 4);
        write_file("a.elf", bytes, n);
        expect_file(in_directory("a.elf"));
    }
}

/* Whatever a table has: libdw is to say what is wrong with it. */
TEST_BETWEEN(damaged_tables_are_no_fault, empty_directory, NULL)
{
    static uint8_t bytes[8192], copy[8192];
    size_t n = read_program("removed.elf", bytes, sizeof bytes);
    unsigned opened = 0;

    for (size_t i = 0x74; i + 1 < n; i++) {
        struct etm_elf *elf;

        memcpy(copy, bytes, n);
        copy[i] ^= 0x5a;
        copy[i + 1] = 0xff;
        write_file("a.elf", copy, n);
        if (etm_elf_open(&elf, in_directory("a.elf"), 0, NULL, NULL) != ETM_OK)
            continue;
        opened++;
        assert_true(etm_file_own(&elf->file));
        assert_ok(etm_elf_move_removed(elf));
        etm_elf_release(elf);
    }
    assert_true(opened > n / 2);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
