/* SPDX-License-Identifier: Apache-2.0 */
/* Data transfers of each family (ETM architecture, 4.10.1, 4.10.2, 4.11). */
#include "isa/insn.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define LOAD ETM_DIRECTION_LOAD
#define STORE ETM_DIRECTION_STORE
#define SWAP ETM_DIRECTION_SWAP
#define NONE ETM_NO_REGISTER

enum { MULTIPLE = 1, EXCLUSIVE = 2, SIGNED = 4, PC = 8 };

struct row {
    const char *text;
    uint32_t opcode;
    uint8_t kind, direction, count, size, flags, base, first, second;
    uint16_t registers;
};

static unsigned flags_of(const struct etm_transfers *transfers)
{
    return (transfers->multiple ? MULTIPLE : 0u) |
           (transfers->exclusive ? EXCLUSIVE : 0u) |
           (transfers->sign_extend ? SIGNED : 0u) | (transfers->pc ? PC : 0u);
}

static void expect_rows(enum etm_isa isa, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &rows[i];
        struct etm_insn insn = {0};
        const struct etm_transfers *t = &insn.transfers;

        if (isa == ETM_ISA_ARM)
            etm_insn_decode_arm(&insn, ETM_PROFILE_A, 0, row->opcode);
        else if (row->opcode > 0xffff)
            etm_insn_decode_thumb32(&insn, isa, ETM_PROFILE_A, 0, row->opcode);
        else
            etm_insn_decode_thumb16(&insn, isa, ETM_PROFILE_A, 0,
                                    (uint16_t)row->opcode);
        if (t->kind != row->kind || t->direction != row->direction ||
            t->count != row->count || t->size != row->size ||
            flags_of(t) != row->flags || t->base != row->base ||
            t->first != row->first || t->second != row->second ||
            t->registers != row->registers || insn.undefined)
            fail_msg("%s: kind %u, direction %u, %u of %u bytes, flags %u, "
                     "base %u, first %u, second %u, registers %04x",
                     row->text, t->kind, t->direction, t->count, t->size,
                     flags_of(t), t->base, t->first, t->second, t->registers);
    }
}
#define EXPECT_ROWS(isa, rows)                                                 \
    expect_rows(isa, rows, sizeof(rows) / sizeof((rows)[0]))

/* clang-format off */
#define CORE ETM_TRANSFER_CORE
/* DEF-02, V3-DEF-02 */
static void arm_loads_and_stores(void **state)
{
    static const struct row rows[] = {
        {"ldr r1, [r2]", 0xe5921000, CORE, LOAD, 1, 4, 0, 2, 1, NONE, 0},
        {"ldr r1, [pc, #4]", 0xe59f1004, CORE, LOAD, 1, 4, 0, 15, 1, NONE, 0},
        {"ldr pc, [r2, r3]", 0xe792f003, CORE, LOAD, 1, 4, PC, 2, 15, NONE, 0},
        {"str r1, [r2], r3", 0xe6821003, CORE, STORE, 1, 4, 0, 2, 1, NONE, 0},
        {"ldrb r1, [r2]", 0xe5d21000, CORE, LOAD, 1, 1, 0, 2, 1, NONE, 0},
        {"strb r1, [r2]", 0xe5c21000, CORE, STORE, 1, 1, 0, 2, 1, NONE, 0},
        {"ldrt r1, [r2]", 0xe4b21000, CORE, LOAD, 1, 4, 0, 2, 1, NONE, 0},
        {"strbt r1, [r2]", 0xe4e21000, CORE, STORE, 1, 1, 0, 2, 1, NONE, 0},
        {"ldrh r1, [r2]", 0xe1d210b0, CORE, LOAD, 1, 2, 0, 2, 1, NONE, 0},
        {"strh r1, [r2]", 0xe1c210b0, CORE, STORE, 1, 2, 0, 2, 1, NONE, 0},
        {"ldrsb r1, [r2]", 0xe1d210d0, CORE, LOAD, 1, 1, SIGNED, 2, 1, NONE, 0},
        {"ldrsh r1, [r2]", 0xe1d210f0, CORE, LOAD, 1, 2, SIGNED, 2, 1, NONE, 0},
        {"ldrd r2, [r1]", 0xe1c120d0, CORE, LOAD, 2, 4, MULTIPLE, 1, 2, 3, 0},
        {"strd r2, [r1]", 0xe1c120f0, CORE, STORE, 2, 4, MULTIPLE, 1, 2, 3, 0},
        {"swp r1, r2, [r3]", 0xe1031092, CORE, SWAP, 2, 4, MULTIPLE, 3, 1, 2, 0},
        {"swpb r1, r2, [r3]", 0xe1431092, CORE, SWAP, 2, 1, MULTIPLE, 3, 1, 2, 0},
        {"ldrex r1, [r2]", 0xe1921f9f, CORE, LOAD, 1, 4, EXCLUSIVE, 2, 1, NONE, 0},
        {"strex r0, r1, [r2]", 0xe1820f91, CORE, STORE, 1, 4, EXCLUSIVE, 2, 1, NONE, 0},
        {"ldrexd r2, [r1]", 0xe1b12f9f, CORE, LOAD, 2, 4, MULTIPLE | EXCLUSIVE, 1, 2, 3, 0},
        {"strexd r0, r2, [r1]", 0xe1a10f92, CORE, STORE, 2, 4, MULTIPLE | EXCLUSIVE, 1, 2, 3, 0},
        {"ldrexb r1, [r2]", 0xe1d21f9f, CORE, LOAD, 1, 1, EXCLUSIVE, 2, 1, NONE, 0},
        {"strexh r0, r1, [r2]", 0xe1e20f91, CORE, STORE, 1, 2, EXCLUSIVE, 2, 1, NONE, 0},
    };

    (void)state;
    EXPECT_ROWS(ETM_ISA_ARM, rows);
}

/* DEF-01, DEF-06, E-84, AMB-10, V3-DEF-01, V3-DEF-06 */
static void arm_load_store_multiples(void **state)
{
    static const struct row rows[] = {
        {"ldm r1, {r0, r4}", 0xe8910011, CORE, LOAD, 2, 4, MULTIPLE, 1, 0, NONE, 0x0011},
        {"pop {r4, pc}", 0xe8bd8010, CORE, LOAD, 2, 4, MULTIPLE | PC, 13, 4, NONE, 0x8010},
        {"push {r4-r6, lr}", 0xe92d4070, CORE, STORE, 4, 4, MULTIPLE, 13, 4, NONE, 0x4070},
        {"stm r1, {r0-pc}", 0xe881ffff, CORE, STORE, 16, 4, MULTIPLE, 1, 0, NONE, 0xffff},
        {"stm sp, {r0-lr}^", 0xe8cd7fff, CORE, STORE, 15, 4, MULTIPLE, 13, 0, NONE, 0x7fff},
        {"rfeia r2!", 0xf8b20a00, CORE, LOAD, 2, 4, MULTIPLE | PC, 2, 15, NONE, 0},
        {"srsdb sp!, #19", 0xf96d0513, CORE, STORE, 2, 4, MULTIPLE, 13, 14, NONE, 0},
        /* one register alone is an STR or LDR */
        {"push {r4}", 0xe52d4004, CORE, STORE, 1, 4, 0, 13, 4, NONE, 0},
    };

    (void)state;
    EXPECT_ROWS(ETM_ISA_ARM, rows);
}

#define CPRT ETM_TRANSFER_CPRT
static const struct row coprocessor_rows[] = {
    {"ldc p14, c5, [r1]", 0xed915e00, ETM_TRANSFER_COPROCESSOR, LOAD, 0, 4, MULTIPLE, 1, NONE, NONE, 0},
    {"stc p14, c5, [r1]", 0xed815e00, ETM_TRANSFER_COPROCESSOR, STORE, 0, 4, MULTIPLE, 1, NONE, NONE, 0},
    {"ldc2 p7, c5, [r1]", 0xfd915700, ETM_TRANSFER_COPROCESSOR, LOAD, 0, 4, MULTIPLE, 1, NONE, NONE, 0},
    {"mcr p15, 0, r3", 0xee013f10, CPRT, STORE, 1, 4, 0, NONE, 3, NONE, 0},
    {"mrc p15, 0, r3", 0xee113f10, CPRT, LOAD, 1, 4, 0, NONE, 3, NONE, 0},
    {"mrc2 p7, 0, r3", 0xfe113710, CPRT, LOAD, 1, 4, 0, NONE, 3, NONE, 0},
    {"mcr: DMB", 0xee070fba, CPRT, STORE, 1, 4, 0, NONE, 0, NONE, 0},
    {"mcrr p15, 0, r2, r3", 0xec432f02, CPRT, STORE, 2, 4, MULTIPLE, NONE, 2, 3, 0},
    {"mrrc p15, 0, r2, r3", 0xec532f02, CPRT, LOAD, 2, 4, MULTIPLE, NONE, 2, 3, 0},
    {"vmov r1, s3", 0xee111a90, CPRT, LOAD, 1, 4, 0, NONE, 1, NONE, 0},
    {"vmov s3, r1", 0xee011a90, CPRT, STORE, 1, 4, 0, NONE, 1, NONE, 0},
    {"vmov d1, r2, r3", 0xec432b11, CPRT, STORE, 2, 4, MULTIPLE, NONE, 2, 3, 0},
    {"vmov r2, r3, s4, s5", 0xec532a12, CPRT, LOAD, 2, 4, MULTIPLE, NONE, 2, 3, 0},
    {"vmov.32 d1[0], r2", 0xee012b10, CPRT, STORE, 1, 4, 0, NONE, 2, NONE, 0},
    {"vdup.32 d1, r2", 0xee812b10, CPRT, STORE, 1, 4, 0, NONE, 2, NONE, 0},
    {"vmrs r2, fpscr", 0xeef12a10, CPRT, LOAD, 1, 4, 0, NONE, 2, NONE, 0},
    {"vmsr fpscr, r2", 0xeee12a10, CPRT, STORE, 1, 4, 0, NONE, 2, NONE, 0},
    {"cdp p7, 1, c0, c0, c0", 0xee100700, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
    {"vadd.f32 s0, s1, s2", 0xee300a81, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
    {"vmov.f32 s0, s1", 0xeeb00a60, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
    {"vmov.f32 s0, #2.0", 0xeeb00a00, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
};

#define S ETM_TRANSFER_VFP_SINGLE
#define D ETM_TRANSFER_VFP_DOUBLE
static const struct row vfp_rows[] = {
    {"vldr s3, [r1]", 0xedd11a00, S, LOAD, 1, 4, 0, 1, 3, NONE, 0},
    {"vstr s2, [r1]", 0xed811a00, S, STORE, 1, 4, 0, 1, 2, NONE, 0},
    {"vldr d3, [r1]", 0xed913b00, D, LOAD, 2, 4, MULTIPLE, 1, 3, NONE, 0},
    {"vstr d19, [r1]", 0xedc13b00, D, STORE, 2, 4, MULTIPLE, 1, 19, NONE, 0},
    {"vldmia r1, {s2-s4}", 0xec911a03, S, LOAD, 3, 4, MULTIPLE, 1, 2, NONE, 0},
    {"vpush {d8-d11}", 0xed2d8b08, D, STORE, 8, 4, MULTIPLE, 13, 8, NONE, 0},
    {"vpop {d8-d11}", 0xecbd8b08, D, LOAD, 8, 4, MULTIPLE, 13, 8, NONE, 0},
    {"vldmia r0, {d0-d15}", 0xec900b20, D, LOAD, 32, 4, MULTIPLE, 0, 0, NONE, 0},
};

/* E-431: as many words as VLDM and VSTM of these registers have. */
static const struct row x_rows[] = {
    {"fldmiax r0, {d0}", 0xec900b03, D, LOAD, 2, 4, MULTIPLE, 0, 0, NONE, 0},
    {"fldmdbx r1!, {d0}", 0xed310b03, D, LOAD, 2, 4, MULTIPLE, 1, 0, NONE, 0},
    {"fstmiax r1!, {d8-d9}", 0xeca18b05, D, STORE, 4, 4, MULTIPLE, 1, 8, NONE, 0},
    {"fstmdbx r13!, {d8-d15}", 0xed2d8b11, D, STORE, 16, 4, MULTIPLE, 13, 8, NONE, 0},
};

/* MC-CPRT-07, COP-01, DEF-02, DEF-03, V3-DEF-01 to -03, V3-DEF-07 */
static void coprocessors_are_alike_in_arm_and_thumb(void **state)
{
    (void)state;
    EXPECT_ROWS(ETM_ISA_ARM, coprocessor_rows);
    EXPECT_ROWS(ETM_ISA_THUMB, coprocessor_rows);
    EXPECT_ROWS(ETM_ISA_ARM, vfp_rows);
    EXPECT_ROWS(ETM_ISA_THUMB, vfp_rows);
}

static void last_word_of_fldmx_and_fstmx_is_no_transfer(void **state)
{
    (void)state;
    EXPECT_ROWS(ETM_ISA_ARM, x_rows);
    EXPECT_ROWS(ETM_ISA_THUMB, x_rows);
}

/* The lowest bit of the condition tells MCR2 in Thumb, and not in ARM. */
static void every_condition_of_a_vfp_load_is_a_load(void **state)
{
    (void)state;
    for (uint32_t condition = 0; condition < 15; condition++) {
        struct row row = vfp_rows[0];

        row.opcode = (row.opcode & 0x0fffffff) | condition << 28;
        expect_rows(ETM_ISA_ARM, &row, 1);
    }
}

/* E-83, V3-DEF-01 */
static void structures_of_advanced_simd(void **state)
{
    static const struct row arm[] = {
        {"vld1.8 {d0}, [r1]", 0xf421070f, D, LOAD, 2, 4, MULTIPLE, 1, 0, NONE, 0},
        {"vst1.64 {d2-d5}, [r1]", 0xf40122cf, D, STORE, 8, 4, MULTIPLE, 1, 2, NONE, 0},
        {"vld3.16 {d16-d18}, [r1]", 0xf461044f, D, LOAD, 6, 4, MULTIPLE, 1, NONE, NONE, 0},
        {"vld1.32 {d0[1]}, [r1]", 0xf4a1088f, D, LOAD, 1, 4, MULTIPLE, 1, NONE, NONE, 0},
        {"vst2.8 {d0[0], d1[0]}", 0xf481010f, D, STORE, 2, 1, MULTIPLE, 1, NONE, NONE, 0},
        {"vld4.16 {d0[]-d3[]}", 0xf4a10f4f, D, LOAD, 4, 2, MULTIPLE, 1, NONE, NONE, 0},
    };
    static const struct row thumb[] = {
        {"vld1.8 {d0}, [r1]", 0xf921070f, D, LOAD, 2, 4, MULTIPLE, 1, 0, NONE, 0},
        {"vst2.8 {d0[0], d1[0]}", 0xf981010f, D, STORE, 2, 1, MULTIPLE, 1, NONE, NONE, 0},
    };

    (void)state;
    EXPECT_ROWS(ETM_ISA_ARM, arm);
    EXPECT_ROWS(ETM_ISA_THUMB, thumb);
}

/* MC-ADR-24, V3-DEF-03, V3-DEF-04 */
static void some_data_instructions_have_no_fixed_transfers(void **state)
{
    static const struct row arm[] = {
        {"clrex", 0xf57ff01f, ETM_TRANSFER_OTHER, 0, 0, 0, 0, NONE, NONE, NONE, 0},
        {"bxj r1", 0xe12fff21, ETM_TRANSFER_OTHER, LOAD, 0, 4, 0, NONE, NONE, NONE, 0},
        {"pld [r1]", 0xf5d1f000, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
        {"vdup.32 d0, d1[0]", 0xf3b40c01, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
        {"vmov.i32 d0, #0", 0xf2800010, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
    };
    static const struct row thumb[] = {
        {"clrex", 0xf3bf8f2f, ETM_TRANSFER_OTHER, 0, 0, 0, 0, NONE, NONE, NONE, 0},
        {"bxj r1", 0xf3c18f00, ETM_TRANSFER_OTHER, LOAD, 0, 4, 0, NONE, NONE, NONE, 0},
        {"pld [r1]", 0xf891f000, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
        {"pli [r1]", 0xf991f000, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
    };

    (void)state;
    EXPECT_ROWS(ETM_ISA_ARM, arm);
    EXPECT_ROWS(ETM_ISA_THUMB, thumb);
}

static void thumb16_loads_and_stores(void **state)
{
    static const struct row rows[] = {
        {"ldr r1, [pc, #0]", 0x4900, CORE, LOAD, 1, 4, 0, 15, 1, NONE, 0},
        {"str r1, [r2, r3]", 0x50d1, CORE, STORE, 1, 4, 0, 2, 1, NONE, 0},
        {"strh r1, [r2, r3]", 0x52d1, CORE, STORE, 1, 2, 0, 2, 1, NONE, 0},
        {"strb r1, [r2, r3]", 0x54d1, CORE, STORE, 1, 1, 0, 2, 1, NONE, 0},
        {"ldrsb r1, [r2, r3]", 0x56d1, CORE, LOAD, 1, 1, SIGNED, 2, 1, NONE, 0},
        {"ldr r1, [r2, r3]", 0x58d1, CORE, LOAD, 1, 4, 0, 2, 1, NONE, 0},
        {"ldrh r1, [r2, r3]", 0x5ad1, CORE, LOAD, 1, 2, 0, 2, 1, NONE, 0},
        {"ldrb r1, [r2, r3]", 0x5cd1, CORE, LOAD, 1, 1, 0, 2, 1, NONE, 0},
        {"ldrsh r1, [r2, r3]", 0x5ed1, CORE, LOAD, 1, 2, SIGNED, 2, 1, NONE, 0},
        {"str r1, [r2]", 0x6011, CORE, STORE, 1, 4, 0, 2, 1, NONE, 0},
        {"ldr r1, [r2]", 0x6811, CORE, LOAD, 1, 4, 0, 2, 1, NONE, 0},
        {"strb r1, [r2]", 0x7011, CORE, STORE, 1, 1, 0, 2, 1, NONE, 0},
        {"ldrb r1, [r2]", 0x7811, CORE, LOAD, 1, 1, 0, 2, 1, NONE, 0},
        {"strh r1, [r2]", 0x8011, CORE, STORE, 1, 2, 0, 2, 1, NONE, 0},
        {"ldrh r1, [r2]", 0x8811, CORE, LOAD, 1, 2, 0, 2, 1, NONE, 0},
        {"str r1, [sp]", 0x9100, CORE, STORE, 1, 4, 0, 13, 1, NONE, 0},
        {"ldr r1, [sp]", 0x9900, CORE, LOAD, 1, 4, 0, 13, 1, NONE, 0},
        {"push {r4, lr}", 0xb510, CORE, STORE, 2, 4, MULTIPLE, 13, 4, NONE, 0x4010},
        {"pop {r4, pc}", 0xbd10, CORE, LOAD, 2, 4, MULTIPLE | PC, 13, 4, NONE, 0x8010},
        {"stm r1!, {r2, r3}", 0xc10c, CORE, STORE, 2, 4, MULTIPLE, 1, 2, NONE, 0x000c},
        {"ldm r1, {r1, r3}", 0xc90a, CORE, LOAD, 2, 4, MULTIPLE, 1, 1, NONE, 0x000a},
    };
    static const struct row thumbee[] = {
        {"ldr r1, [r2, #-4]", 0xc851, CORE, LOAD, 1, 4, 0, 2, 1, NONE, 0},
        {"ldr r1, [r10, #4]", 0xcb09, CORE, LOAD, 1, 4, 0, 10, 1, NONE, 0},
        {"ldr r1, [r9, #4]", 0xcc09, CORE, LOAD, 1, 4, 0, 9, 1, NONE, 0},
        {"str r1, [r9, #4]", 0xce09, CORE, STORE, 1, 4, 0, 9, 1, NONE, 0},
        {"chka r0, r1", 0xca08, ETM_TRANSFER_NONE, 0, 0, 0, 0, NONE, NONE, NONE, 0},
        {"push {r4, lr}", 0xb510, CORE, STORE, 2, 4, MULTIPLE, 13, 4, NONE, 0x4010},
    };

    (void)state;
    EXPECT_ROWS(ETM_ISA_THUMB, rows);
    EXPECT_ROWS(ETM_ISA_THUMBEE, thumbee);
}

/* DEF-01 to DEF-03, DAT-03, V3-DEF-01, V3-DEF-02 */
static void thumb32_loads_and_stores(void **state)
{
    static const struct row rows[] = {
        {"ldr.w r1, [r2, #1]", 0xf8d21001, CORE, LOAD, 1, 4, 0, 2, 1, NONE, 0},
        {"ldr.w r1, [pc, #-4]", 0xf85f1004, CORE, LOAD, 1, 4, 0, 15, 1, NONE, 0},
        {"str.w r1, [r2], #4", 0xf8421b04, CORE, STORE, 1, 4, 0, 2, 1, NONE, 0},
        {"ldrb.w r1, [r2, r3]", 0xf8121003, CORE, LOAD, 1, 1, 0, 2, 1, NONE, 0},
        {"ldrsb.w r1, [r2]", 0xf9921000, CORE, LOAD, 1, 1, SIGNED, 2, 1, NONE, 0},
        {"ldrsh.w r1, [r2]", 0xf9b21000, CORE, LOAD, 1, 2, SIGNED, 2, 1, NONE, 0},
        {"ldrht r1, [r2]", 0xf8321e00, CORE, LOAD, 1, 2, 0, 2, 1, NONE, 0},
        {"strh.w r1, [r2]", 0xf8a21000, CORE, STORE, 1, 2, 0, 2, 1, NONE, 0},
        {"ldr.w pc, [r2]", 0xf8d2f000, CORE, LOAD, 1, 4, PC, 2, 15, NONE, 0},
        {"ldrd r1, r5, [r2]", 0xe9d21500, CORE, LOAD, 2, 4, MULTIPLE, 2, 1, 5, 0},
        {"strd r1, r5, [r2], #8", 0xe8e21502, CORE, STORE, 2, 4, MULTIPLE, 2, 1, 5, 0},
        {"ldrex r1, [r2]", 0xe8521f00, CORE, LOAD, 1, 4, EXCLUSIVE, 2, 1, NONE, 0},
        {"strex r0, r1, [r2]", 0xe8421000, CORE, STORE, 1, 4, EXCLUSIVE, 2, 1, NONE, 0},
        {"ldrexb r1, [r2]", 0xe8d21f4f, CORE, LOAD, 1, 1, EXCLUSIVE, 2, 1, NONE, 0},
        {"strexh r0, r1, [r2]", 0xe8c21f50, CORE, STORE, 1, 2, EXCLUSIVE, 2, 1, NONE, 0},
        {"ldrexd r1, r5, [r2]", 0xe8d2157f, CORE, LOAD, 2, 4, MULTIPLE | EXCLUSIVE, 2, 1, 5, 0},
        {"strexd r0, r1, r5, [r2]", 0xe8c21570, CORE, STORE, 2, 4, MULTIPLE | EXCLUSIVE, 2, 1, 5, 0},
        {"tbb [r1, r2]", 0xe8d1f002, ETM_TRANSFER_TABLE, LOAD, 1, 1, 0, 1, NONE, NONE, 0},
        {"tbh [r1, r2, lsl #1]", 0xe8d1f012, ETM_TRANSFER_TABLE, LOAD, 1, 2, 0, 1, NONE, NONE, 0},
        {"push.w {r4, r8, lr}", 0xe92d4110, CORE, STORE, 3, 4, MULTIPLE, 13, 4, NONE, 0x4110},
        {"pop.w {r4, r8, pc}", 0xe8bd8110, CORE, LOAD, 3, 4, MULTIPLE | PC, 13, 4, NONE, 0x8110},
        {"ldmdb r1, {r2, r3}", 0xe911000c, CORE, LOAD, 2, 4, MULTIPLE, 1, 2, NONE, 0x000c},
        {"rfedb r1", 0xe811c000, CORE, LOAD, 2, 4, MULTIPLE | PC, 1, 15, NONE, 0},
        {"srsia sp!, #19", 0xe9adc013, CORE, STORE, 2, 4, MULTIPLE, 13, 14, NONE, 0},
    };

    (void)state;
    EXPECT_ROWS(ETM_ISA_THUMB, rows);
}
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arm_loads_and_stores),
        cmocka_unit_test(arm_load_store_multiples),
        cmocka_unit_test(coprocessors_are_alike_in_arm_and_thumb),
        cmocka_unit_test(last_word_of_fldmx_and_fstmx_is_no_transfer),
        cmocka_unit_test(every_condition_of_a_vfp_load_is_a_load),
        cmocka_unit_test(structures_of_advanced_simd),
        cmocka_unit_test(some_data_instructions_have_no_fixed_transfers),
        cmocka_unit_test(thumb16_loads_and_stores),
        cmocka_unit_test(thumb32_loads_and_stores),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
