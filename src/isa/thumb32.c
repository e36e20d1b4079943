/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 32-bit instructions of Thumb and ThumbEE (A6.3). The first halfword is
 * in bits [31:16].
 *
 * BL of Armv4T and BLX of Armv5T were pairs of 16-bit instructions. A pair is
 * the 32-bit instruction with J1 = J2 = 1, target and all. A half that stands
 * apart from its partner, which those cores allowed, is read by today's rules:
 * as the first half of a 32-bit instruction.
 */
#include "isa/table.h"

static bool is_m_profile(const struct etm_decode *d)
{
    return d->profile == ETM_PROFILE_M;
}

/* 1111 0Scc ccii iiii 1.j0 jiii iiii iiii: B<c>.W */
static void branch_on_condition(const struct etm_decode *d)
{
    uint32_t op = d->op;
    uint32_t offset = etm_bits(op, 26, 26) << 20 | etm_bits(op, 11, 11) << 19 |
                      etm_bits(op, 13, 13) << 18 | etm_bits(op, 21, 16) << 12 |
                      etm_bits(op, 10, 0) << 1;

    etm_note_direct(d->insn, d->address + 4 + etm_sign_extend(offset, 21),
                    d->isa);
    etm_note_condition(d->insn, etm_bits(op, 25, 22));
}

/* 1111 0Sii iiii iiii 1.j. jiii iiii iiii: offset of B.W, BL and BLX */
static uint32_t long_offset(uint32_t op)
{
    uint32_t s = etm_bits(op, 26, 26);
    uint32_t i1 = 1u ^ s ^ etm_bits(op, 13, 13);
    uint32_t i2 = 1u ^ s ^ etm_bits(op, 11, 11);
    uint32_t offset = s << 24 | i1 << 23 | i2 << 22 |
                      etm_bits(op, 25, 16) << 12 | etm_bits(op, 10, 0) << 1;

    return etm_sign_extend(offset, 25);
}

static void branch(const struct etm_decode *d)
{
    etm_note_direct(d->insn, d->address + 4 + long_offset(d->op), d->isa);
}

static void branch_with_link(const struct etm_decode *d)
{
    branch(d);
    etm_note_flag(d->insn, ETM_INSN_LINK);
}

/* To ARM state: no way there from ThumbEE, nor in M profile (A8.8.25). */
static void branch_exchange(const struct etm_decode *d)
{
    if (etm_bit(d->op, 0) || d->isa == ETM_ISA_THUMBEE || is_m_profile(d)) {
        etm_decode_undefined(d);
        return;
    }
    etm_note_direct(d->insn,
                    (d->address & ~(uint32_t)3) + 4 + long_offset(d->op),
                    ETM_ISA_ARM);
    etm_note_flag(d->insn, ETM_INSN_LINK);
}

static void bxj(const struct etm_decode *d)
{
    if (is_m_profile(d)) {
        etm_decode_undefined(d);
        return;
    }
    if ((d->op & 0x0000ffff) != 0x00008f00)
        return;
    etm_note_indirect(d->insn);
    etm_note_transfers(d->insn, ETM_TRANSFER_OTHER, ETM_DIRECTION_LOAD, 0, 4);
}

/* SUBS PC, LR, #imm8, which is ERET with imm8 = 0 (B9.3.19). */
static void subs_pc_lr(const struct etm_decode *d)
{
    if (is_m_profile(d))
        etm_decode_undefined(d);
    else if ((d->op & 0x000fff00) == 0x000e8f00)
        etm_note_exception_return(d->insn);
}

/* LEAVEX and ENTERX: ETM calls them branches only where they change the state
 * (4.10.3), PFT everywhere (2.2; E-81). */
static void leavex_or_enterx(const struct etm_decode *d, enum etm_isa to)
{
    if (is_m_profile(d)) {
        etm_decode_undefined(d);
        return;
    }
    etm_note_direct(d->insn, d->address + 4, to);
    if (d->isa == to) {
        d->insn->type = ETM_INSN_TYPE_OTHER;
        d->insn->barrier = ETM_BARRIER_SAME_STATE;
    }
}

static void leavex(const struct etm_decode *d)
{
    leavex_or_enterx(d, ETM_ISA_THUMB);
}

static void enterx(const struct etm_decode *d)
{
    leavex_or_enterx(d, ETM_ISA_THUMBEE);
}

static void not_in_m_profile(const struct etm_decode *d)
{
    if (is_m_profile(d))
        etm_decode_undefined(d);
}

static void smc(const struct etm_decode *d)
{
    if (is_m_profile(d))
        etm_decode_undefined(d);
    else
        etm_decode_smc(d);
}

static void hvc(const struct etm_decode *d)
{
    if (is_m_profile(d))
        etm_decode_undefined(d);
    else
        etm_decode_hvc(d);
}

/* 1110 1000 .0.. .... and 1110 1001 .0.. ....: A6.3.5 */
static void load_store_multiple(const struct etm_decode *d)
{
    bool load = etm_bit(d->op, 20);
    uint8_t base = etm_register_at(d->op, 16);
    uint32_t mode = etm_bits(d->op, 24, 23);

    if (mode == 1 || mode == 2) {
        etm_note_list(d->insn, load, base, etm_bit(d->op, 21), (uint16_t)d->op);
    } else if (is_m_profile(d)) {
        etm_decode_undefined(d);
    } else if (!load) {
        etm_note_srs(d->insn);
    } else if ((d->op & 0x0000ffff) == 0x0000c000) {
        etm_note_rfe(d->insn, base);
    }
}

/* 1110 100P U1WL nnnn tttt uuuu .... ....: LDRD, STRD */
static void load_store_dual(const struct etm_decode *d)
{
    etm_note_pair(d->insn, etm_bit(d->op, 20), etm_register_at(d->op, 16),
                  etm_register_at(d->op, 12), etm_register_at(d->op, 8));
}

/* 1110 1000 010L nnnn tttt ....: LDREX, STREX */
static void exclusive(const struct etm_decode *d)
{
    etm_note_single(d->insn, etm_bit(d->op, 20), 4, etm_register_at(d->op, 16),
                    etm_register_at(d->op, 12))
        ->exclusive = true;
}

/* 1110 1000 110L nnnn tttt uuuu 01ss ....: LDREXB .. STREXD */
static void exclusive_sized(const struct etm_decode *d)
{
    uint32_t size = etm_bits(d->op, 5, 4);
    bool load = etm_bit(d->op, 20);
    uint8_t base = etm_register_at(d->op, 16);
    uint8_t t = etm_register_at(d->op, 12);

    if (size == 2 || (size == 3 && is_m_profile(d))) {
        etm_decode_undefined(d);
        return;
    }
    if (size == 3)
        etm_note_pair(d->insn, load, base, t, etm_register_at(d->op, 8));
    else
        etm_note_single(d->insn, load, size == 0 ? 1 : 2, base, t);
    d->insn->transfers.exclusive = true;
}

/* 1110 1000 1101 nnnn (1)(1)(1)(1) (0)(0)(0)(0) 000H mmmm: TBB, TBH */
static void table_branch(const struct etm_decode *d)
{
    if ((d->op & 0x0000ff00) != 0x0000f000)
        return;
    etm_note_transfers(d->insn, ETM_TRANSFER_TABLE, ETM_DIRECTION_LOAD, 1,
                       etm_bit(d->op, 4) ? 2 : 1)
        ->base = etm_register_at(d->op, 16);
    etm_note_indirect(d->insn);
}

/* 1111 100s uzzL nnnn tttt ....: one core register (A6.3.7 to A6.3.10); s only
 * with L */
static bool load_store_is_undefined(uint32_t op)
{
    uint32_t size = etm_bits(op, 22, 21);
    bool load = etm_bit(op, 20);
    bool literal = etm_register_at(op, 16) == ETM_REGISTER_PC;
    uint32_t mode = etm_bits(op, 11, 6);

    if (size == 3 || (etm_bit(op, 24) && size == 2))
        return true;
    if (literal)
        return !load;
    /* bit 23: imm12. Else 000000: register; 1..1, 1100, 1110: imm8 */
    return !etm_bit(op, 23) && mode != 0 && (mode & 0x24) != 0x24 &&
           (mode & 0x3c) != 0x30 && (mode & 0x3c) != 0x38;
}

/*
 * Rt = 15 in a byte or halfword load is a preload or another hint, which
 * transfers nothing (4.6.3); with writeback or in a ..T it is UNPREDICTABLE.
 */
static bool is_memory_hint(uint32_t op)
{
    uint32_t mode = etm_bits(op, 11, 8);

    if (!etm_bit(op, 20) || etm_bits(op, 22, 21) == 2 ||
        etm_register_at(op, 12) != ETM_REGISTER_PC)
        return false;
    return etm_bit(op, 23) || etm_register_at(op, 16) == ETM_REGISTER_PC ||
           mode == 0x0 || mode == 0xc;
}

static void load_store(const struct etm_decode *d)
{
    uint32_t op = d->op;
    bool load = etm_bit(op, 20);
    unsigned size = 1u << etm_bits(op, 22, 21);
    uint8_t t = etm_register_at(op, 12);

    if (load_store_is_undefined(op)) {
        etm_decode_undefined(d);
        return;
    }
    if (is_memory_hint(op))
        return;
    etm_note_single(d->insn, load, size, etm_register_at(op, 16), t)
        ->sign_extend = etm_bit(op, 24);
    if (!load || size != 4 || t != ETM_REGISTER_PC)
        return;
    etm_note_pc_load(d->insn);
    if (op == 0xf85dfb04) /* LDR PC, [SP], #4 */
        etm_note_return(d->insn);
}

/* 1111 1001 ...0 ....: Advanced SIMD element or structure load/store */
static void simd_load_store(const struct etm_decode *d)
{
    etm_decode_simd_load_store(d);
}

/* clang-format off */
/* Data processing: only what exists is named; none of it writes the PC. */
#define DATA_PROCESSING(X, a, b)                                               \
    /* 1110 101o ooo. ....: shifted register (A6.3.11) */                      \
    X(a, b, 0xffa00000, 0xeaa00000, etm_decode_undefined) /* 0101, 0111 */     \
    X(a, b, 0xffe00000, 0xeb200000, etm_decode_undefined) /* 1001 */           \
    X(a, b, 0xffe00000, 0xeb800000, etm_decode_undefined) /* 1100 */           \
    X(a, b, 0xffe00000, 0xebe00000, etm_decode_undefined) /* 1111 */           \
    X(a, b, 0xfe000000, 0xea000000, etm_decode_nothing)                        \
    /* 1111 0.0o ooo. .... 0...: modified immediate (A6.3.1) */                \
    X(a, b, 0xfbe08000, 0xf0a00000, etm_decode_undefined) /* 0101 */           \
    X(a, b, 0xfbc08000, 0xf0c00000, etm_decode_undefined) /* 0110, 0111 */     \
    X(a, b, 0xfbe08000, 0xf1200000, etm_decode_undefined) /* 1001 */           \
    X(a, b, 0xfbe08000, 0xf1800000, etm_decode_undefined) /* 1100 */           \
    X(a, b, 0xfbe08000, 0xf1e00000, etm_decode_undefined) /* 1111 */           \
    X(a, b, 0xfa008000, 0xf0000000, etm_decode_nothing)                        \
    /* 1111 0.1o oooo .... 0...: plain immediate (A6.3.3) */                   \
    X(a, b, 0xfbf08000, 0xf2000000, etm_decode_nothing) /* ADDW */             \
    X(a, b, 0xfbf08000, 0xf2400000, etm_decode_nothing) /* MOVW */             \
    X(a, b, 0xfbf08000, 0xf2a00000, etm_decode_nothing) /* SUBW */             \
    X(a, b, 0xfbf08000, 0xf2c00000, etm_decode_nothing) /* MOVT */             \
    X(a, b, 0xfbd08000, 0xf3000000, etm_decode_nothing) /* SSAT */             \
    X(a, b, 0xfbf08000, 0xf3400000, etm_decode_nothing) /* SBFX */             \
    X(a, b, 0xfbf08000, 0xf3600000, etm_decode_nothing) /* BFI */              \
    X(a, b, 0xfbd08000, 0xf3800000, etm_decode_nothing) /* USAT */             \
    X(a, b, 0xfbf08000, 0xf3c00000, etm_decode_nothing) /* UBFX */             \
    /* 1111 1010 .... .... 1111 .... oooo ....: register (A6.3.12) */          \
    X(a, b, 0xff80f0f0, 0xfa00f000, etm_decode_nothing) /* LSL .. ROR */       \
    X(a, b, 0xffe0f080, 0xfa60f080, etm_decode_undefined)                      \
    X(a, b, 0xff80f080, 0xfa00f080, etm_decode_nothing) /* SXTAH .. */         \
    X(a, b, 0xffb0f080, 0xfab0f000, etm_decode_undefined)                      \
    X(a, b, 0xff80f0b0, 0xfa80f030, etm_decode_undefined)                      \
    X(a, b, 0xff80f080, 0xfa80f000, etm_decode_nothing) /* parallel */         \
    X(a, b, 0xffe0f0c0, 0xfa80f080, etm_decode_nothing) /* QADD .. REVSH */    \
    X(a, b, 0xffe0f0f0, 0xfaa0f080, etm_decode_nothing) /* SEL, CLZ */         \
    /* 1111 1011 0... .... .... .... 00.. ....: multiply (A6.3.16) */          \
    X(a, b, 0xfff000f0, 0xfb700010, etm_decode_undefined)                      \
    X(a, b, 0xff8000e0, 0xfb000000, etm_decode_nothing) /* MLA .. USADA8 */    \
    X(a, b, 0xfff000c0, 0xfb100000, etm_decode_nothing) /* SMLAxy */           \
    /* 1111 1011 1... ....: long multiply, divide (A6.3.17) */                 \
    X(a, b, 0xffd000f0, 0xfb800000, etm_decode_nothing) /* SMULL, UMULL */     \
    X(a, b, 0xffd000f0, 0xfb9000f0, etm_decode_nothing) /* SDIV, UDIV */       \
    X(a, b, 0xfff000f0, 0xfbc00000, etm_decode_nothing) /* SMLAL */            \
    X(a, b, 0xfff000c0, 0xfbc00080, etm_decode_nothing) /* SMLALxy */          \
    X(a, b, 0xfff000e0, 0xfbc000c0, etm_decode_nothing) /* SMLALD */           \
    X(a, b, 0xfff000e0, 0xfbd000c0, etm_decode_nothing) /* SMLSLD */           \
    X(a, b, 0xfff000f0, 0xfbe00000, etm_decode_nothing) /* UMLAL */            \
    X(a, b, 0xfff000f0, 0xfbe00060, etm_decode_nothing) /* UMAAL */
/* clang-format on */

ETM_DECODE_TABLE(etm_table_thumb32_data_processing, DATA_PROCESSING, 21, 12);

static void data_processing(const struct etm_decode *d)
{
    etm_decode_table(d, &etm_table_thumb32_data_processing);
}

/* 111. 11.. .... ....: bits [25:24] = 11 are Advanced SIMD (A6.3.18) */
static void coprocessor(const struct etm_decode *d)
{
    if (etm_bits(d->op, 25, 24) != 3)
        etm_decode_coprocessor(d);
    else
        not_in_m_profile(d);
}

/* clang-format off */
#define ROWS(X, a, b)                                                          \
    /* 1110 100o o0.. .... */                                                  \
    X(a, b, 0xfe400000, 0xe8000000, load_store_multiple)                       \
    /* 1110 1000 010. .... */                                                  \
    X(a, b, 0xffe00000, 0xe8400000, exclusive)                                 \
    /* 1110 1000 1101 .... .... .... 000. .... */                              \
    X(a, b, 0xfff000e0, 0xe8d00000, table_branch)                              \
    /* 1110 1000 110. .... .... .... 01.. .... */                              \
    X(a, b, 0xffe000c0, 0xe8c00040, exclusive_sized)                           \
    X(a, b, 0xffe00000, 0xe8c00000, etm_decode_undefined)                      \
    /* 1110 100. .1.. .... */                                                  \
    X(a, b, 0xfe400000, 0xe8400000, load_store_dual)                           \
    /* 111. 11.. .... .... */                                                  \
    X(a, b, 0xec000000, 0xec000000, coprocessor)                               \
    /* 1111 0... .... .... 1... .... .... ....: branches, control (A6.3.4) */  \
    /* 1111 0Sii iiii iiii 1LjX jiii iiii iiii */                              \
    X(a, b, 0xf800d000, 0xf0009000, branch)                                    \
    X(a, b, 0xf800d000, 0xf000d000, branch_with_link)                          \
    X(a, b, 0xf800d000, 0xf000c000, branch_exchange)                           \
    /* 1111 0011 100. .... 10.0 .... ..i. .... */                              \
    X(a, b, 0xffe0d000, 0xf3808000, etm_decode_nothing) /* MSR */              \
    X(a, b, 0xfff0d000, 0xf3a08000, etm_decode_nothing) /* CPS, hints */       \
    /* 1111 0011 1011 (1)(1)(1)(1) 10(0)0 (1)(1)(1)(1) oooo .... */            \
    X(a, b, 0xffffffff, 0xf3bf8f0f, leavex)                                    \
    X(a, b, 0xffffffff, 0xf3bf8f1f, enterx)                                    \
    X(a, b, 0xfffffff0, 0xf3bf8f20, etm_decode_clrex)                          \
    X(a, b, 0xfffffff0, 0xf3bf8f40, etm_decode_barrier) /* DSB */              \
    X(a, b, 0xfffffff0, 0xf3bf8f50, etm_decode_barrier) /* DMB */              \
    X(a, b, 0xfffffff0, 0xf3bf8f60, etm_decode_barrier) /* ISB */              \
    X(a, b, 0xfff0d0e0, 0xf3b08000, etm_decode_nothing)                        \
    X(a, b, 0xfff0d0f0, 0xf3b08020, etm_decode_nothing)                        \
    X(a, b, 0xfff0d0c0, 0xf3b08040, etm_decode_nothing)                        \
    /* 1111 0011 1100 mmmm 10(0)0 (1)(1)(1)(1) (0)... */                       \
    X(a, b, 0xfff0d000, 0xf3c08000, bxj)                                       \
    X(a, b, 0xfff0d000, 0xf3d08000, subs_pc_lr)                                \
    X(a, b, 0xffe0d000, 0xf3e08000, etm_decode_nothing) /* MRS */              \
    X(a, b, 0xfff0f000, 0xf7f08000, smc)                                       \
    X(a, b, 0xfff0f000, 0xf7e08000, hvc)                                       \
    /* 1111 0.11 1... .... 10.0: nothing more here, UDF included */            \
    X(a, b, 0xfb80d000, 0xf3808000, etm_decode_undefined)                      \
    /* 1111 0Scc ccii iiii 10j0 jiii iiii iiii */                              \
    X(a, b, 0xf800d000, 0xf0008000, branch_on_condition)                       \
    /* 1111 1001 ...0 .... */                                                  \
    X(a, b, 0xff100000, 0xf9000000, simd_load_store)                           \
    /* 1111 100. .... .... */                                                  \
    X(a, b, 0xfe000000, 0xf8000000, load_store)                                \
    X(a, b, 0x00000000, 0x00000000, data_processing)
/* clang-format on */

ETM_DECODE_TABLE(etm_table_thumb32, ROWS, 21, 12);

void etm_insn_decode_thumb32(struct etm_insn *insn, enum etm_isa isa,
                             enum etm_profile profile, uint32_t address,
                             uint32_t opcode)
{
    struct etm_decode d = {insn, opcode, address, isa, profile};

    etm_decode_begin(insn, opcode, 4);
    etm_decode_table(&d, &etm_table_thumb32);
}
