/* SPDX-License-Identifier: Apache-2.0 */
/* What programs rarely reach: shifts and extensions at the ends of their ranges
 * (ARMv7-A Architecture Reference Manual, A2.2.1 and A8.4), and instructions of
 * which compilers make no use. */
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

/* What instructions do to the registers: R0 to R3 as below, Rn is 0x1000 * n.
 * What is not told is not known afterwards. Of Advanced SIMD and coprocessors
 * only those are written that take part in a transfer (A5.7, A7.8). */
static const struct {
    uint32_t op;
    uint16_t written, loaded, told;
    uint32_t value; /* of the first one told */
} effects[] = {
    {0xf1020010, 0x7f00, 0, 0, 0},              /* cps #16 */
    {0xf96d0513, 0x7f00, 0, 0, 0},              /* srsdb sp!, #19 */
    {0xf8b00a00, 0x7f00, 0, 0, 0},              /* rfeia r0! */
    {0xf2210802, 0, 0, 0, 0},                   /* vadd.i32 d0, d1, d2 */
    {0xf423070d, 0x0008, 0, 0, 0},              /* vld1.8 {d0}, [r3]! */
    {0xf5d1f000, 0, 0, 0, 0},                   /* pld [r1] */
    {0xf57ff05f, 0, 0, 0, 0},                   /* dmb sy */
    {0xf1010200, 0, 0, 0, 0},                   /* setend be */
    {0xfe114f10, 0x0010, 0, 0, 0},              /* mrc2 p15, 0, r4, c1, c0, 0 */
    {0xf57ff01f, 0, 0, 0, 0},                   /* clrex */
    {0xe0c10392, 0x0003, 0, 0x0003, 0x4b29b},   /* smull r0, r1, r2, r3 */
    {0xe0e10392, 0x0003, 0, 0, 0},              /* smlal r0, r1, r2, r3 */
    {0xe0410392, 0x0003, 0, 0, 0},              /* umaal r0, r1, r2, r3 */
    {0xe0203291, 0x0001, 0, 0x0001, 0xab21337}, /* mla r0, r1, r2, r3 */
    {0xe0c640d8, 0x0070, 0x0030, 0x0040, 0x6008}, /* ldrd r4, [r6], #8 */
    {0xe1a40f92, 0x0001, 0, 0, 0},                /* strexd r0, r2, [r4] */
    {0xe1b42f9f, 0x000c, 0x000c, 0, 0},           /* ldrexd r2, [r4] */
    {0xe10f5000, 0x0020, 0, 0, 0},                /* mrs r5, CPSR */
    {0xe121f005, 0x7f00, 0, 0, 0},                /* msr CPSR_c, r5 */
    {0xe16f6f17, 0x0040, 0, 0x0040, 0x11},        /* clz r6, r7 */
    {0xe3018234, 0x0100, 0, 0x0100, 0x1234},      /* movw r8, #4660 */
    {0xe3458678, 0x0100, 0, 0x0100, 0x56788000},  /* movt r8, #22136 */
    {0xe780f211, 0x0001, 0, 0, 0},                /* usad8 r0, r1, r2 */
    {0xe6a41012, 0x0002, 0, 0, 0},                /* ssat r1, #5, r2 */
    {0xe7a71252, 0x0002, 0, 0x0002, 0xffffffbc},  /* sbfx r1, r2, #4, #8 */
    {0xe7cb1212, 0x0002, 0, 0, 0},                /* bfi r1, r2, #4, #8 */
    {0xe7e01fd2, 0x0002, 0, 0x0002, 0},           /* ubfx r1, r2, #31, #1 */
    {0xe6810212, 0x0001, 0, 0, 0},                /* pkhbt r0, r1, r2, lsl #4 */
    {0xe6810fb2, 0x0001, 0, 0, 0},                /* sel r0, r1, r2 */
    {0xe6bf0f31, 0x0001, 0, 0, 0},                /* rev r0, r1 */
    {0xec510b13, 0x0003, 0, 0, 0},                /* vmov r0, r1, d3 */
    {0xeef12a10, 0x0004, 0, 0, 0},                /* vmrs r2, fpscr */
    {0xec532f02, 0x000c, 0, 0, 0},                /* mrrc p15, 0, r2, r3, c2 */
    {0xe8b08006, 7, 6, 1, 0x8000000d},            /* ldm r0!, {r1, r2, pc} */
    {0xe8d00006, 0x0006, 0, 0, 0},                /* ldm r0, {r1, r2}^ */
    {0xe92d40f0, 0x2000, 0, 0x2000, 0xcfec},      /* push {r4-r7, lr} */
};

TEST(instructions_write_what_is_known_of_them)
{
    struct etm_gdb_registers before = {.value = {0x80000001, 0xff0, 0xabcd, 7},
                                       .known = ETM_GDB_ALL_REGISTERS};

    for (unsigned i = 4; i < 15; i++)
        before.value[i] = 0x1000 * i;
    for (size_t i = 0; i < COUNT(effects); i++) {
        struct etm_insn insn;
        struct etm_gdb_effect e;
        const uint32_t op = effects[i].op;
        const uint8_t bytes[] = {(uint8_t)op, (uint8_t)(op >> 8),
                                 (uint8_t)(op >> 16), (uint8_t)(op >> 24)};
        unsigned first = 0;

        etm_insn_decode(&insn, ETM_ISA_ARM, ETM_PROFILE_A, 0x8000, bytes, 4);
        etm_gdb_operate(&e, &insn, ETM_ISA_ARM, 0x8000, &before);
        while (first < 15 && (e.told >> first & 1) == 0)
            first++;
        if (e.written != effects[i].written || e.loaded != effects[i].loaded ||
            e.told != effects[i].told ||
            (e.told != 0 && e.value[first] != effects[i].value))
            fail_msg("%08x: writes %04x, loads %04x, tells %04x: %08x", op,
                     e.written, e.loaded, e.told, e.value[first]);
    }
}
