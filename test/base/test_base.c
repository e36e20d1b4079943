/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors, byte cursors and writers, bits, sorting, diagnoses, and numbers of
 * exceptions. */
#include "../support/scarce.h"
#include "../support/test.h"
#include "base/bits.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/exception.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/vec.h"
#include "base/writer.h"

TEST(a_vector_grows_and_keeps_its_values)
{
    struct etm_vec vec;

    etm_vec_init(&vec, sizeof(uint32_t), NULL);
    for (uint32_t i = 0; i < 1000; i++)
        assert_ok(etm_vec_append(&vec, &i, 1));
    assert_int_equal(vec.n, 1000);
    etm_vec_drop(&vec, 0);
    etm_vec_drop(&vec, 300);
    assert_int_equal(vec.n, 700);
    for (uint32_t i = 0; i < 700; i++)
        assert_int_equal(((uint32_t *)vec.data)[i], 300 + i);
    etm_vec_drop(&vec, 701);
    assert_int_equal(vec.n, 0);
    assert_ok(etm_vec_append(&vec, NULL, 0));
    etm_vec_fini(&vec);
    assert_int_equal(vec.capacity, 0);
}

TEST(a_vector_that_cannot_grow_is_as_it_was)
{
    struct scarce scarce = {.left = 1};
    const struct etm_allocator allocator = {scarce_resize, &scarce};
    static const uint16_t values[64] = {[0] = 7, [15] = 9};
    struct etm_vec vec;

    etm_vec_init(&vec, sizeof values[0], &allocator);
    assert_ok(etm_vec_append(&vec, values, 16));
    assert_int_equal(etm_vec_append(&vec, values, 1), ETM_ERR_MEMORY);
    /* more than an address can tell: the allocator is not asked */
    scarce.left = 1;
    assert_int_equal(etm_vec_reserve(&vec, SIZE_MAX), ETM_ERR_MEMORY);
    assert_int_equal(etm_vec_reserve(&vec, SIZE_MAX / 4), ETM_ERR_MEMORY);
    assert_int_equal(scarce.left, 1);
    assert_int_equal(vec.n, 16);
    assert_memory_equal(vec.data, values, 16 * sizeof values[0]);
    /* nor where half of all addresses are taken already */
    vec.n = vec.capacity = SIZE_MAX / 2 / sizeof values[0] + 1;
    assert_int_equal(etm_vec_reserve(&vec, 1), ETM_ERR_MEMORY);
    assert_int_equal(scarce.left, 1);
    etm_vec_fini(&vec);
}

TEST(a_vector_that_is_large_enough_does_not_allocate)
{
    struct scarce scarce = {.left = 1};
    const struct etm_allocator allocator = {scarce_resize, &scarce};
    static const uint8_t values[100];
    struct etm_vec vec;

    etm_vec_init(&vec, 1, &allocator);
    assert_ok(etm_vec_reserve(&vec, sizeof values));
    for (unsigned i = 0; i < 10; i++) {
        assert_ok(etm_vec_append(&vec, values, sizeof values));
        etm_vec_drop(&vec, vec.n);
    }
    etm_vec_fini(&vec);
}

TEST(keys_are_sorted_by_all_their_bits)
{
    struct etm_sort_key keys[2 * 33] = {{0, 0}};

    for (uint32_t i = 0; i < 32; i++) /* the highest bit first */
        keys[i + 1] = (struct etm_sort_key){UINT32_C(1) << (31 - i), i};
    keys[0] = (struct etm_sort_key){UINT32_MAX, 99};
    etm_sort(keys, 33);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(keys[33 + i].key, UINT32_C(1) << i);
        assert_int_equal(keys[33 + i].row, 31 - i);
    }
    assert_int_equal(keys[65].row, 99);
    etm_sort(keys, 0);
}

TEST(keys_that_are_the_same_stay_in_order)
{
    struct etm_sort_key keys[2 * 100] = {{0, 0}};

    for (uint32_t i = 0; i < 100; i++)
        keys[i] = (struct etm_sort_key){(i * 7 % 3) << 21, i};
    etm_sort(keys, 100);
    for (uint32_t i = 101; i < 200; i++) {
        assert_true(keys[i].key >= keys[i - 1].key);
        if (keys[i].key == keys[i - 1].key)
            assert_true(keys[i].row > keys[i - 1].row);
    }
}

TEST(a_cursor_that_ran_out_reads_zeros_and_says_so)
{
    static const uint8_t bytes[] = {0x01, 0x02, 0x83, 0xff};
    struct etm_cursor c = etm_cursor_of(bytes, sizeof bytes);

    assert_int_equal(etm_cursor_le(&c, 0), 0);
    assert_int_equal(etm_cursor_u8(&c), 1);
    assert_int_equal(etm_cursor_le(&c, 2), 0x8302);
    assert_false(c.short_read);
    assert_int_equal(etm_cursor_le(&c, 2), 0xff);
    assert_true(c.short_read);
    assert_int_equal(etm_cursor_u8(&c), 0);
    assert_ptr_equal(c.next, bytes + sizeof bytes);
}

TEST(a_writer_that_is_full_says_so_and_writes_no_more)
{
    uint8_t bytes[10];
    struct etm_writer w = etm_writer_of(bytes, 9);

    memset(bytes, 0xee, sizeof bytes);
    etm_writer_le(&w, UINT64_C(0x8807060504030201), 8);
    etm_writer_u8(&w, 0x99);
    assert_false(w.full);
    assert_int_equal(etm_writer_size(&w), 9);
    etm_writer_u8(&w, 0xaa);
    assert_true(w.full);
    assert_int_equal(etm_writer_size(&w), 9);
    assert_memory_equal(bytes, "\1\2\3\4\5\6\7\x88\x99\xee", 10);
}

TEST(a_diagnosis_is_a_sentence_that_is_cut_where_it_is_full)
{
    struct etm_diag diag;
    char longer[2 * sizeof diag.what];

    assert_int_equal(etm_diag_begin(&diag, ETM_ERR_CONFIG, "ETMIDR"),
                     ETM_ERR_CONFIG);
    etm_diag_text(&diag, "is ");
    etm_diag_hex(&diag, 0);
    etm_diag_text(&diag, " or ");
    etm_diag_hex(&diag, UINT64_MAX);
    etm_diag_text(&diag, ", not ");
    etm_diag_dec(&diag, UINT64_MAX);
    etm_diag_dec(&diag, 0);
    assert_string_equal(
        diag.what, "is 0x0 or 0xffffffffffffffff, not 184467440737095516150");
    assert_string_equal(diag.source, "ETMIDR");
    assert_int_equal(diag.status, ETM_ERR_CONFIG);
    assert_int_equal(diag.line, ETM_DIAG_NONE);
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(etm_diag_begin(&diag, ETM_ERR_IO, longer), ETM_ERR_IO);
    assert_int_equal(strlen(diag.source), sizeof diag.source - 1);
    etm_diag_text(&diag, longer);
    etm_diag_text(&diag, longer);
    assert_int_equal(strlen(diag.what), sizeof diag.what - 1);
    /* nobody listens */
    assert_int_equal(etm_diag_begin(NULL, ETM_ERR_IO, "x"), ETM_ERR_IO);
    etm_diag_text(NULL, "x");
    etm_diag_dec(NULL, 1);
    etm_diag_hex(NULL, 1);
}

TEST(the_lowest_bit_of_a_word_is_found)
{
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        const uint64_t words[] = {bit, UINT64_MAX << i,
                                  bit | UINT64_C(0x8000000000000000),
                                  bit | bit * 2};

        for (size_t k = 0; k < COUNT(words); k++) {
            assert_int_equal(etm_zeros_below(words[k]), i);
            assert_int_equal(etm_zeros_below_plain(words[k]), i);
        }
    }
}

TEST(a_number_has_digits_of_its_base_alone)
{
    static const struct {
        const char *text;
        unsigned base;
        uint64_t most, number; /* NONE: it is none */
    } rows[] = {
#define NONE UINT64_C(12345)
        {"20", 10, 99, 20},
        {"1a", 10, 99, NONE},
        {"1a", 16, 99, 26},
        {"0x1A", 10, 99, 26},
        {"1g", 16, 99, NONE},
        {"", 10, 99, NONE},
        {"0x", 10, 99, NONE},
        {"99", 10, 99, 99},
        {"100", 10, 99, NONE},
        {"0099", 10, 99, 99},
        {"1 ", 10, 99, NONE},
        {"-1", 10, 99, NONE},
        {"0x63", 10, 99, 0x63},
        {"64", 16, 99, NONE},
        {"18446744073709551615", 10, UINT64_MAX, UINT64_MAX},
        {"18446744073709551616", 10, UINT64_MAX, NONE},
        {"10000000000000000", 16, UINT64_MAX, NONE},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t number = NONE;

        assert_int_equal(etm_number_read(rows[i].text, strlen(rows[i].text),
                                         rows[i].base, rows[i].most, &number),
                         rows[i].number != NONE);
        assert_int_equal(number, rows[i].number);
    }
}

/* ARMv7-M, B1.5.2 */
TEST(numbers_of_exceptions_of_the_m_profile)
{
    static const struct {
        unsigned number;
        enum etm_exception_type type;
        unsigned irq;
    } rows[] = {
        {0, ETM_EXCEPTION_RESERVED, 0},   {1, ETM_EXCEPTION_RESET, 0},
        {2, ETM_EXCEPTION_NMI, 0},        {6, ETM_EXCEPTION_USAGE_FAULT, 0},
        {7, ETM_EXCEPTION_RESERVED, 0},   {11, ETM_EXCEPTION_SVC, 0},
        {15, ETM_EXCEPTION_SYS_TICK, 0},  {16, ETM_EXCEPTION_IRQ_N, 0},
        {17, ETM_EXCEPTION_IRQ_N, 1},     {511, ETM_EXCEPTION_IRQ_N, 495},
        {0xff, ETM_EXCEPTION_IRQ_N, 239}, {512, ETM_EXCEPTION_RESERVED, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint16_t irq = 7;

        assert_int_equal(etm_exception_of_number(rows[i].number, &irq),
                         rows[i].type);
        assert_int_equal(irq, rows[i].irq);
    }
}
