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
struct row {
    uint32_t op;
    uint16_t written, loaded, told;
    uint32_t value;   /* of the first one told */
    uint32_t address; /* of the first transfer; 0: it is not known */
};

static void check_effects(enum etm_isa isa, const struct row *rows, size_t n)
{
    struct etm_gdb_registers before = {.value = {0x80000001, 0xff0, 0xabcd, 7},
                                       .known = ETM_GDB_ALL_REGISTERS};
    const unsigned turn = isa == ETM_ISA_THUMB ? 16 : 0;

    for (unsigned i = 4; i < 15; i++)
        before.value[i] = 0x1000 * i;
    for (size_t i = 0; i < n; i++) {
        struct etm_insn insn;
        struct etm_gdb_effect e;
        const struct row *r = &rows[i];
        const uint8_t bytes[] = {
            (uint8_t)(r->op >> turn), (uint8_t)(r->op >> (turn + 8)),
            (uint8_t)(r->op >> (16 - turn)), (uint8_t)(r->op >> (24 - turn))};
        unsigned first = 0;

        etm_insn_decode(&insn, isa, ETM_PROFILE_A, 0x8000, bytes, 4);
        etm_gdb_operate(&e, &insn, isa, 0x8000, &before);
        while (first < 15 && (e.told >> first & 1) == 0)
            first++;
        if (e.written != r->written || e.loaded != r->loaded ||
            e.told != r->told || (e.told != 0 && e.value[first] != r->value) ||
            (e.address_known ? e.address : 0) != r->address)
            fail_msg("%08x: writes %04x, loads %04x, tells %04x: %08x; at %08x",
                     r->op, e.written, e.loaded, e.told, e.value[first],
                     e.address);
    }
}

static const struct row arm[] = {
    {0xf1020010, 0x7f00, 0, 0, 0, 0},        /* cps #16 */
    {0xf96d0513, 0x7f00, 0, 0, 0, 0},        /* srsdb sp!, #19 */
    {0xf8b00a00, 0x7f00, 0, 0, 0, 0},        /* rfeia r0! */
    {0xf2210802, 0, 0, 0, 0, 0},             /* vadd.i32 d0, d1, d2 */
    {0xf423070d, 0x8, 0, 0, 0, 0},           /* vld1.8 {d0}, [r3]! */
    {0xf5d1f000, 0, 0, 0, 0, 0},             /* pld [r1] */
    {0xf57ff05f, 0, 0, 0, 0, 0},             /* dmb sy */
    {0xf1010200, 0, 0, 0, 0, 0},             /* setend be */
    {0xfe114f10, 0x10, 0, 0, 0, 0},          /* mrc2 p15, 0, r4, c1, c0, 0 */
    {0xf57ff01f, 0, 0, 0, 0, 0},             /* clrex */
    {0xe0c10392, 0x3, 0, 0x3, 0x4b29b, 0},   /* smull r0, r1, r2, r3 */
    {0xe0e10392, 0x3, 0, 0, 0, 0},           /* smlal r0, r1, r2, r3 */
    {0xe0410392, 0x3, 0, 0, 0, 0},           /* umaal r0, r1, r2, r3 */
    {0xe0203291, 0x1, 0, 0x1, 0xab21337, 0}, /* mla r0, r1, r2, r3 */
    {0xe0c640d8, 0x70, 0x30, 0x40, 0x6008, 0x6000}, /* ldrd r4, [r6], #8 */
    {0xe1a40f92, 0x1, 0, 0, 0, 0x4000},             /* strexd r0, r2, [r4] */
    {0xe1b42f9f, 0xc, 0xc, 0, 0, 0x4000},           /* ldrexd r2, [r4] */
    {0xe10f5000, 0x20, 0, 0, 0, 0},                 /* mrs r5, CPSR */
    {0xe121f005, 0x7f00, 0, 0, 0, 0},               /* msr CPSR_c, r5 */
    {0xe16f6f17, 0x40, 0, 0x40, 0x11, 0},           /* clz r6, r7 */
    {0xe3018234, 0x100, 0, 0x100, 0x1234, 0},       /* movw r8, #4660 */
    {0xe3458678, 0x100, 0, 0x100, 0x56788000, 0},   /* movt r8, #22136 */
    {0xe780f211, 0x1, 0, 0, 0, 0},                  /* usad8 r0, r1, r2 */
    {0xe6a41012, 0x2, 0, 0, 0, 0},                  /* ssat r1, #5, r2 */
    {0xe7a71252, 0x2, 0, 0x2, 0xffffffbc, 0},       /* sbfx r1, r2, #4, #8 */
    {0xe7cb1212, 0x2, 0, 0, 0, 0},                  /* bfi r1, r2, #4, #8 */
    {0xe7e01fd2, 0x2, 0, 0x2, 0, 0},                /* ubfx r1, r2, #31, #1 */
    {0xe6810212, 0x1, 0, 0, 0, 0}, /* pkhbt r0, r1, r2, lsl #4 */
    {0xe6810fb2, 0x1, 0, 0, 0, 0}, /* sel r0, r1, r2 */
    {0xe6bf0f31, 0x1, 0, 0, 0, 0}, /* rev r0, r1 */
    {0xec510b13, 0x3, 0, 0, 0, 0}, /* vmov r0, r1, d3 */
    {0xeef12a10, 0x4, 0, 0, 0, 0}, /* vmrs r2, fpscr */
    {0xec532f02, 0xc, 0, 0, 0, 0}, /* mrrc p15, 0, r2, r3, c2 */
    {0xe8b08006, 0x7, 0x6, 0x1, 0x8000000d,
     0x80000001},                                    /* ldm r0!, {r1, r2, pc} */
    {0xe8d00006, 0x6, 0, 0, 0, 0x80000001},          /* ldm r0, {r1, r2}^ */
    {0xe92d40f0, 0x2000, 0, 0x2000, 0xcfec, 0xcfec}, /* push {r4-r7, lr} */
};

TEST(arm_instructions_write_what_is_known_of_them)
{
    check_effects(ETM_ISA_ARM, arm, COUNT(arm));
}

static const struct row thumb[] = {
    {0xe92d41f0, 0x2000, 0, 0x2000, 0xcfe8, 0xcfe8}, /* push.w {r4-r8, lr} */
    {0xe8b68006, 0x46, 0x6, 0x40, 0x600c,
     0x6000}, /* ldmia.w r6!, {r1, r2, pc} */
    {0xe9390030, 0x230, 0x30, 0x200, 0x8ff8, 0x8ff8}, /* ldmdb r9!, {r4, r5} */
    {0xe8890030, 0, 0, 0, 0, 0x9000},                 /* stmia.w r9, {r4, r5} */
    {0xe82dc013, 0x7f00, 0, 0, 0, 0},                 /* srsdb sp!, #19 */
    {0xe990c000, 0x7f00, 0, 0, 0, 0},                 /* rfeia r0 */
    {0xe8f64502, 0x70, 0x30, 0x40, 0x6008, 0x6000}, /* ldrd r4, r5, [r6], #8 */
    {0xe9764501, 0x70, 0x30, 0x40, 0x5ffc,
     0x5ffc},                                     /* ldrd r4, r5, [r6, #-4]! */
    {0xe9c64502, 0, 0, 0, 0, 0x6008},             /* strd r4, r5, [r6, #8] */
    {0xe8441001, 0x1, 0, 0, 0, 0x4004},           /* strex r0, r1, [r4, #4] */
    {0xe8c42370, 0x1, 0, 0, 0, 0x4000},           /* strexd r0, r2, r3, [r4] */
    {0xe8d45f4f, 0x20, 0x20, 0, 0, 0x4000},       /* ldrexb r5, [r4] */
    {0xe8d4f005, 0, 0, 0, 0, 0},                  /* tbb [r4, r5] */
    {0xea020803, 0x100, 0, 0x100, 0x5, 0},        /* and.w r8, r2, r3 */
    {0xea200802, 0x100, 0, 0x100, 0x80000000, 0}, /* bic.w r8, r0, r2 */
    {0xea401812, 0x100, 0, 0x100, 0x80000abd, 0}, /* orr.w r8, r0, r2, lsr #4 */
    {0xea600802, 0x100, 0, 0x100, 0xffff5433, 0}, /* orn r8, r0, r2 */
    {0xea8008a2, 0x100, 0, 0x100, 0x80002af2, 0}, /* eor.w r8, r0, r2, asr #2 */
    {0xeb044835, 0x100, 0, 0x100, 0x50004000, 0}, /* add r8, r4, r5, ror #16 */
    {0xeb440805, 0x100, 0, 0, 0, 0},              /* adc.w r8, r4, r5 */
    {0xeba50804, 0x100, 0, 0x100, 0x1000, 0},     /* sub.w r8, r5, r4 */
    {0xebc50804, 0x100, 0, 0x100, 0xfffff000, 0}, /* rsb r8, r5, r4 */
    {0xea4f0804, 0x100, 0, 0x100, 0x4000, 0},     /* mov.w r8, r4 */
    {0xea6f0804, 0x100, 0, 0x100, 0xffffbfff, 0}, /* mvn.w r8, r4 */
    {0xea4f78c3, 0x100, 0, 0x100, 0x80000000, 0}, /* lsl.w r8, r3, #31 */
    {0xea4f0833, 0x100, 0, 0, 0, 0},              /* rrx r8, r3 */
    {0xea100f01, 0, 0, 0, 0, 0},                  /* tst.w r0, r1 */
    {0xebb90f04, 0, 0, 0, 0, 0},                  /* cmp.w r9, r4 */
    {0xee118f10, 0x100, 0, 0, 0, 0},            /* mrc p15, 0, r8, c1, c0, 0 */
    {0xec598b13, 0x300, 0, 0, 0, 0},            /* vmov r8, r9, d3 */
    {0xf10408ab, 0x100, 0, 0x100, 0x40ab, 0},   /* add.w r8, r4, #0xab */
    {0xf10418ab, 0x100, 0, 0x100, 0xab40ab, 0}, /* add r8, r4, #0xab00ab */
    {0xf04f28ab, 0x100, 0, 0x100, 0xab00ab00, 0}, /* mov.w r8, #0xab00ab00 */
    {0xf04f38ab, 0x100, 0, 0x100, 0xabababab, 0}, /* mov.w r8, #0xabababab */
    {0xf04f487f, 0x100, 0, 0x100, 0xff000000, 0}, /* mov.w r8, #0xff000000 */
    {0xf504787f, 0x100, 0, 0x100, 0x43fc, 0},     /* add.w r8, r4, #0x3fc */
    {0xf5b47f7f, 0, 0, 0, 0, 0},                  /* cmp.w r4, #0x3fc */
    {0xf60428bc, 0x100, 0, 0x100, 0x4abc, 0},     /* addw r8, r4, #0xabc */
    {0xf6a428bc, 0x100, 0, 0x100, 0x3544, 0},     /* subw r8, r4, #0xabc */
    {0xf20f1800, 0x100, 0, 0x100, 0x8104, 0},     /* adr.w r8, 0x8104 */
    {0xf64a38cd, 0x100, 0, 0x100, 0xabcd, 0},     /* movw r8, #0xabcd */
    {0xf6ca38cd, 0x100, 0, 0x100, 0xabcd8000, 0}, /* movt r8, #0xabcd */
    {0xf3421807, 0x100, 0, 0x100, 0xffffffbc, 0}, /* sbfx r8, r2, #4, #8 */
    {0xf3c078c0, 0x100, 0, 0x100, 0x1, 0},        /* ubfx r8, r0, #31, #1 */
    {0xf3c0081f, 0x100, 0, 0x100, 0x80000001, 0}, /* ubfx r8, r0, #0, #32 */
    {0xf362180b, 0x100, 0, 0, 0, 0},              /* bfi r8, r2, #4, #8 */
    {0xf3020804, 0x100, 0, 0, 0, 0},              /* ssat r8, #5, r2 */
    {0xf3858100, 0x7f00, 0, 0, 0, 0},             /* msr CPSR_c, r5 */
    {0xf3858800, 0, 0, 0, 0, 0},                  /* msr CPSR_f, r5 */
    {0xf3ef8800, 0x100, 0, 0, 0, 0},              /* mrs r8, CPSR */
    {0xf3af8110, 0x7f00, 0, 0, 0, 0},             /* cps #16 */
    {0xf000b87e, 0, 0, 0, 0, 0},                  /* b.w 0x8100 */
    {0xf3bf8f5f, 0, 0, 0, 0, 0},                  /* dmb sy */
    {0xf923070d, 0x8, 0, 0, 0, 0},                /* vld1.8 {d0}, [r3]! */
    {0xef210802, 0, 0, 0, 0, 0},                  /* vadd.i32 d0, d1, d2 */
    {0xf891f000, 0, 0, 0, 0, 0},                  /* pld [r1] */
    {0xf8df8008, 0x100, 0x100, 0, 0, 0x800c},     /* ldr.w r8, [pc, #8] */
    {0xf85f8008, 0x100, 0x100, 0, 0, 0x7ffc},     /* ldr.w r8, [pc, #-8] */
    {0xf8d48123, 0x100, 0x100, 0, 0, 0x4123},     /* ldr.w r8, [r4, #0x123] */
    {0xf8548904, 0x110, 0x100, 0x10, 0x3ffc, 0x4000}, /* ldr r8, [r4], #-4 */
    {0xf8548f04, 0x110, 0x100, 0x10, 0x4004, 0x4004}, /* ldr r8, [r4, #4]! */
    {0xf8548023, 0x100, 0x100, 0, 0, 0x401c}, /* ldr.w r8, [r4, r3, lsl #2] */
    {0xf8045d01, 0x10, 0, 0x10, 0x3fff, 0x3fff},  /* strb r5, [r4, #-1]! */
    {0xfa04f803, 0x100, 0, 0x100, 0x200000, 0},   /* lsl.w r8, r4, r3 */
    {0xfa24f803, 0x100, 0, 0x100, 0x80, 0},       /* lsr.w r8, r4, r3 */
    {0xfa40f803, 0x100, 0, 0x100, 0xff000000, 0}, /* asr.w r8, r0, r3 */
    {0xfa64f803, 0x100, 0, 0x100, 0x80, 0},       /* ror.w r8, r4, r3 */
    {0xfa0ff882, 0x100, 0, 0x100, 0xffffabcd, 0}, /* sxth.w r8, r2 */
    {0xfa1ff892, 0x100, 0, 0x100, 0xab, 0},       /* uxth.w r8, r2, ror #8 */
    {0xfa44f882, 0x100, 0, 0x100, 0x3fcd, 0},     /* sxtab r8, r4, r2 */
    {0xfa54f882, 0x100, 0, 0x100, 0x40cd, 0},     /* uxtab r8, r4, r2 */
    {0xfa3ff882, 0x100, 0, 0, 0, 0},              /* uxtb16 r8, r2 */
    {0xfa92f882, 0x100, 0, 0x100, 0xcdab0000, 0}, /* rev.w r8, r2 */
    {0xfa92f892, 0x100, 0, 0, 0, 0},              /* rev16.w r8, r2 */
    {0xfa92f8a2, 0x100, 0, 0, 0, 0},              /* rbit r8, r2 */
    {0xfab4f884, 0x100, 0, 0x100, 0x11, 0},       /* clz r8, r4 */
    {0xfa85f884, 0x100, 0, 0, 0, 0},              /* qadd r8, r4, r5 */
    {0xfa94f805, 0x100, 0, 0, 0, 0},              /* sadd16 r8, r4, r5 */
    {0xfaa4f885, 0x100, 0, 0, 0, 0},              /* sel r8, r4, r5 */
    {0xfb02f803, 0x100, 0, 0x100, 0x4b29b, 0},    /* mul r8, r2, r3 */
    {0xfb024803, 0x100, 0, 0x100, 0x4f29b, 0},    /* mla r8, r2, r3, r4 */
    {0xfb024813, 0x100, 0, 0x100, 0xfffb8d65, 0}, /* mls r8, r2, r3, r4 */
    {0xfb14f805, 0x100, 0, 0, 0, 0},              /* smulbb r8, r4, r5 */
    {0xfb74f805, 0x100, 0, 0, 0, 0},              /* usad8 r8, r4, r5 */
    {0xfb809803, 0x300, 0, 0x300, 0xfffffffc, 0}, /* smull r9, r8, r0, r3 */
    {0xfba09803, 0x300, 0, 0x300, 0x3, 0},        /* umull r9, r8, r0, r3 */
    {0xfbc08903, 0x300, 0, 0, 0, 0},              /* smlal r8, r9, r0, r3 */
    {0xfbe08963, 0x300, 0, 0, 0, 0},              /* umaal r8, r9, r0, r3 */
    {0xfbb2f8f3, 0x100, 0, 0x100, 0x188b, 0},     /* udiv r8, r2, r3 */
    {0xfb92f8f3, 0x100, 0, 0, 0, 0},              /* sdiv r8, r2, r3 */
};

TEST(thumb_instructions_write_what_is_known_of_them)
{
    check_effects(ETM_ISA_THUMB, thumb, COUNT(thumb));
}
