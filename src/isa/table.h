/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of bit patterns with an index, which the compiler makes from the rows.
 * Two fields of the instruction are looked up: eight bits from `high` on and
 * four bits from `low` on. Each gives a set of rows, bit i for row i: those
 * that may match by this field. The rows in both sets are compared in full, the
 * first one first. Most tables have one row in both.
 *
 * The rows of a table are a macro of the form
 *
 *     #define ROWS(X, a, b)        \
 *         X(a, b, mask, value, fn) \
 *         ...
 *
 * of at most 64 rows, and this is the table:
 *
 *     ETM_DECODE_TABLE(name, ROWS, high, low);
 */
#ifndef ETM_ISA_TABLE_H
#define ETM_ISA_TABLE_H

#include "isa/decode.h"

#include <assert.h>

struct etm_decode_table {
    const struct etm_decode_row *rows;
    uint32_t n;
    uint32_t high_at, low_at; /* the lowest bit of each field */
    uint64_t high[256];
    uint64_t low[16];
};

extern const struct etm_decode_table etm_table_arm;
extern const struct etm_decode_table etm_table_arm_unconditional;
extern const struct etm_decode_table etm_table_thumb16;
extern const struct etm_decode_table etm_table_thumb32;
extern const struct etm_decode_table etm_table_thumb32_data_processing;

/* Number of the lowest bit of `x` that is set; not for 0. */
static inline unsigned etm_lowest_bit(uint64_t x)
{
    /* this number contains all six-bit numbers, each at its own place */
    static const uint8_t places[64] = {
        0,  1,  2,  7,  3,  13, 8,  19, 4,  25, 14, 28, 9,  34, 20, 40,
        5,  17, 26, 38, 15, 46, 29, 48, 10, 31, 35, 54, 21, 50, 41, 57,
        63, 6,  12, 18, 24, 27, 33, 39, 16, 37, 45, 47, 30, 53, 49, 56,
        62, 11, 23, 32, 36, 44, 52, 55, 61, 22, 43, 51, 60, 42, 59, 58};

    return places[(x & (0 - x)) * UINT64_C(0x0218a392cd3d5dbf) >> 58];
}

/* The first row that fits, as etm_decode_rows() would find it, or NULL. */
static inline const struct etm_decode_row *
etm_table_find(const struct etm_decode_table *table, uint32_t op)
{
    uint64_t may = table->high[op >> table->high_at & 0xff] &
                   table->low[op >> table->low_at & 0xf];

    for (; may != 0; may &= may - 1) {
        const struct etm_decode_row *row = &table->rows[etm_lowest_bit(may)];

        if ((op & row->mask) == row->value)
            return row;
    }
    return NULL;
}

/* Apply it; none: the instruction is UNDEFINED. */
static inline void etm_decode_table(const struct etm_decode *d,
                                    const struct etm_decode_table *table)
{
    const struct etm_decode_row *row = etm_table_find(table, d->op);

    if (row != NULL)
        row->decode(d);
    else
        etm_decode_undefined(d);
}

/* clang-format off */
#define ETM_TABLE_ROW(a, b, mask, value, decode) {mask, value, decode},

/*
 * The set of rows that may fit where the bits of a field are known: row 0 + 2 *
 * (row 1 + 2 * (row 2 + ... 0)). One pass over the rows opens the parentheses,
 * another closes them.
 */
#define ETM_TABLE_OPEN(bits, field, mask, value, decode)                       \
    (((((bits) ^ (value)) & (mask) & (field)) == 0 ? UINT64_C(1) : 0) + 2 *
#define ETM_TABLE_CLOSE(bits, field, mask, value, decode) )
#define ETM_TABLE_SET(ROWS, bits, field)                                       \
    ROWS(ETM_TABLE_OPEN, bits, field) UINT64_C(0)                              \
    ROWS(ETM_TABLE_CLOSE, bits, field),

/* Sixteen values of a field that begins at `at`, from `of` on. */
#define ETM_TABLE_2(ROWS, of, at, all)                                         \
    ETM_TABLE_SET(ROWS, (uint32_t)(of) << (at), (uint32_t)(all) << (at))       \
    ETM_TABLE_SET(ROWS, (uint32_t)((of) + 1) << (at), (uint32_t)(all) << (at))
#define ETM_TABLE_4(ROWS, of, at, all)                                         \
    ETM_TABLE_2(ROWS, of, at, all) ETM_TABLE_2(ROWS, (of) + 2, at, all)
#define ETM_TABLE_8(ROWS, of, at, all)                                         \
    ETM_TABLE_4(ROWS, of, at, all) ETM_TABLE_4(ROWS, (of) + 4, at, all)
#define ETM_TABLE_16(ROWS, of, at, all)                                        \
    ETM_TABLE_8(ROWS, of, at, all) ETM_TABLE_8(ROWS, (of) + 8, at, all)
#define ETM_TABLE_32(ROWS, of, at, all)                                        \
    ETM_TABLE_16(ROWS, of, at, all) ETM_TABLE_16(ROWS, (of) + 16, at, all)
#define ETM_TABLE_64(ROWS, of, at, all)                                        \
    ETM_TABLE_32(ROWS, of, at, all) ETM_TABLE_32(ROWS, (of) + 32, at, all)
#define ETM_TABLE_128(ROWS, of, at, all)                                       \
    ETM_TABLE_64(ROWS, of, at, all) ETM_TABLE_64(ROWS, (of) + 64, at, all)
#define ETM_TABLE_256(ROWS, of, at, all)                                       \
    ETM_TABLE_128(ROWS, of, at, all) ETM_TABLE_128(ROWS, (of) + 128, at, all)

#define ETM_DECODE_TABLE(name, ROWS, high_bit, low_bit)                        \
    static const struct etm_decode_row name##_rows[] = {                       \
        ROWS(ETM_TABLE_ROW, 0, 0)};                                            \
    static_assert(ETM_COUNT_OF(name##_rows) <= 64, "a bit for each row");      \
    const struct etm_decode_table name = {                                     \
        .rows = name##_rows,                                                   \
        .n = ETM_COUNT_OF(name##_rows),                                        \
        .high_at = high_bit,                                                   \
        .low_at = low_bit,                                                     \
        .high = {ETM_TABLE_256(ROWS, 0u, high_bit, 0xffu)},                    \
        .low = {ETM_TABLE_16(ROWS, 0u, low_bit, 0xfu)}}
/* clang-format on */

#endif
