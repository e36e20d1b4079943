/* SPDX-License-Identifier: Apache-2.0 */
/* Shifts and extensions at the ends of their ranges (ARMv7-A Architecture
 * Reference Manual, A2.2.1 and A8.4), which programs rarely reach. */
#include "../support/test.h"
#include "gdb/operation.h"

enum { LSL, LSR, ASR, ROR };

static void is(struct etm_gdb_operand got, bool known, uint32_t value)
{
    assert_int_equal(got.known, known);
    if (known)
        assert_int_equal(got.value, value);
}

/* Of the amount, 8 bits count. */
TEST(by_a_register)
{
    static const struct {
        unsigned type;
        uint32_t value, amount, result;
    } table[] = {{LSL, 0x80000001, 0, 0x80000001},
                 {LSL, 0x80000001, 1, 0x00000002},
                 {LSL, 0x80000001, 31, 0x80000000},
                 {LSL, 0x80000001, 32, 0},
                 {LSL, 0x80000001, 0x101, 0x00000002},
                 {LSR, 0x80000001, 1, 0x40000000},
                 {LSR, 0x80000001, 31, 1},
                 {LSR, 0x80000001, 32, 0},
                 {ASR, 0x80000001, 4, 0xf8000000},
                 {ASR, 0x80000001, 31, 0xffffffff},
                 {ASR, 0x80000001, 255, 0xffffffff},
                 {ASR, 0x7fffffff, 4, 0x07ffffff},
                 {ASR, 0x7fffffff, 32, 0},
                 {ROR, 0x80000001, 1, 0xc0000000},
                 {ROR, 0x80000001, 32, 0x80000001},
                 {ROR, 0x80000001, 33, 0xc0000000}};

    for (size_t i = 0; i < COUNT(table); i++) {
        struct etm_gdb_operand value = etm_gdb_constant(table[i].value);
        struct etm_gdb_operand amount = etm_gdb_constant(table[i].amount);

        is(etm_gdb_shift(value, table[i].type, amount), true, table[i].result);
        value.known = false;
        is(etm_gdb_shift(value, table[i].type, amount), false, 0);
        value.known = true;
        amount.known = false;
        is(etm_gdb_shift(value, table[i].type, amount), false, 0);
    }
}

/* 0 is 32 for those to the right, and RRX, which takes the carry flag. */
TEST(by_a_constant)
{
    struct etm_gdb_operand value = etm_gdb_constant(0x80000001);

    is(etm_gdb_shift_by(value, LSL, 0), true, 0x80000001);
    is(etm_gdb_shift_by(value, LSR, 0), true, 0);
    is(etm_gdb_shift_by(value, ASR, 0), true, 0xffffffff);
    is(etm_gdb_shift_by(value, ROR, 0), false, 0);
    is(etm_gdb_shift_by(value, ROR, 1), true, 0xc0000000);
}

TEST(bytes_and_halfwords_are_extended)
{
    struct etm_gdb_operand value = etm_gdb_constant(0x7f80ff01);

    is(etm_gdb_extend(value, 0, 8, true), true, 0x00000001);
    is(etm_gdb_extend(value, 1, 8, true), true, 0xffffffff);
    is(etm_gdb_extend(value, 1, 8, false), true, 0x000000ff);
    is(etm_gdb_extend(value, 3, 16, false), true, 0x0000017f);
    is(etm_gdb_extend(value, 2, 16, true), true, 0x00007f80);
    is(etm_gdb_extend(value, 1, 16, true), true, 0xffff80ff);
}
