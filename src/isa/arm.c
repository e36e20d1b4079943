/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ARM instruction set (A5). The tables follow the order of the manual;
 * UNPREDICTABLE encodings are taken for the instruction they resemble, except
 * that branches want their should-be-one and should-be-zero bits right.
 */
#include "isa/table.h"

static void branch(const struct etm_decode *d)
{
    uint32_t offset = etm_sign_extend(etm_bits(d->op, 23, 0), 24) << 2;

    etm_note_direct(d->insn, d->address + 8 + offset, ETM_ISA_ARM);
    if (etm_bit(d->op, 24))
        etm_note_flag(d->insn, ETM_INSN_LINK);
}

/* BLX immediate: H is bit 1 of the target. */
static void branch_exchange_immediate(const struct etm_decode *d)
{
    uint32_t offset = etm_sign_extend(etm_bits(d->op, 23, 0), 24) << 2 |
                      etm_bits(d->op, 24, 24) << 1;

    etm_note_direct(d->insn, d->address + 8 + offset, ETM_ISA_THUMB);
    etm_note_flag(d->insn, ETM_INSN_LINK);
}

/* .... 0001 0010 (1)(1)(1)(1) (1)(1)(1)(1) (1)(1)(1)(1) 00.. mmmm */
static bool branch_bits_are_right(uint32_t op)
{
    return (op & 0x000fff00) == 0x000fff00;
}

static void bx(const struct etm_decode *d)
{
    if (!branch_bits_are_right(d->op))
        return;
    etm_note_indirect(d->insn);
    if (etm_register_at(d->op, 0) == ETM_REGISTER_LR)
        etm_note_return(d->insn);
}

static void bxj(const struct etm_decode *d)
{
    if (!branch_bits_are_right(d->op))
        return;
    etm_note_indirect(d->insn);
    /* A data instruction that may load local variable 0 (4.10.2). */
    etm_note_transfers(d->insn, ETM_TRANSFER_OTHER, ETM_DIRECTION_LOAD, 0, 4);
}

static void blx_register(const struct etm_decode *d)
{
    if (!branch_bits_are_right(d->op))
        return;
    etm_note_indirect(d->insn);
    etm_note_flag(d->insn, ETM_INSN_LINK);
}

/* .... 0001 0110 (0)(0)(0)(0) (0)(0)(0)(0) (0)(0)(0)(0) 0110 (1)(1)(1)(0) */
static void eret(const struct etm_decode *d)
{
    if ((d->op & 0x000fff0f) == 0x0000000e)
        etm_note_exception_return(d->insn);
}

static void data_processing(const struct etm_decode *d)
{
    uint32_t operation = etm_bits(d->op, 24, 21);

    if (etm_register_at(d->op, 12) != ETM_REGISTER_PC ||
        (operation >= 8 && operation <= 11)) /* TST, TEQ, CMP, CMN */
        return;
    etm_note_indirect(d->insn);
    if (etm_bit(d->op, 20))
        etm_note_exception_return(d->insn); /* SUBS PC, LR ...: B9.3.20 */
    else if ((d->op & 0x0fffffff) == 0x01a0f00e)
        etm_note_return(d->insn); /* MOV PC, LR */
}

/* SWP, SWPB: a load to Rt, then a store of Rt2. */
static void swap(const struct etm_decode *d)
{
    struct etm_transfers *transfers =
        etm_note_transfers(d->insn, ETM_TRANSFER_CORE, ETM_DIRECTION_SWAP, 2,
                           etm_bit(d->op, 22) ? 1 : 4);

    transfers->multiple = true;
    transfers->base = etm_register_at(d->op, 16);
    transfers->first = etm_register_at(d->op, 12);
    transfers->second = etm_register_at(d->op, 0);
}

/* .... 0001 1ssL nnnn dddd ---- 1001 tttt: LDREX, STREX (A5.2.10) */
static void exclusive(const struct etm_decode *d)
{
    static const uint8_t sizes[4] = {4, 8, 1, 2};
    unsigned size = sizes[etm_bits(d->op, 22, 21)];
    bool load = etm_bit(d->op, 20);
    uint8_t base = etm_register_at(d->op, 16);
    uint8_t t = etm_register_at(d->op, load ? 12 : 0);

    /* A doubleword is Rt and the register after it (Rt is even). */
    if (size == 8)
        etm_note_pair(d->insn, load, base, t, (uint8_t)(t | 1u));
    else
        etm_note_single(d->insn, load, size, base, t);
    d->insn->transfers.exclusive = true;
}

/* .... 000P UIWL nnnn tttt .... 1oo1 ....: A5.2.8, and A5.2.9 (..T) */
static void extra_load_store(const struct etm_decode *d)
{
    bool load = etm_bit(d->op, 20);
    uint32_t kind = etm_bits(d->op, 6, 5);
    uint8_t base = etm_register_at(d->op, 16);
    uint8_t t = etm_register_at(d->op, 12);

    if (!load && kind != 1) { /* 10: LDRD, 11: STRD */
        etm_note_pair(d->insn, kind == 2, base, t, (uint8_t)(t | 1u));
        return;
    }
    /* 01: halfword, 10: LDRSB, 11: LDRSH */
    etm_note_single(d->insn, load, kind == 2 ? 1 : 2, base, t)->sign_extend =
        kind != 1;
}

/* .... 01IP UBWL nnnn tttt ....: LDR, STR, LDRB, STRB and ..T (A5.3) */
static void load_store(const struct etm_decode *d)
{
    bool load = etm_bit(d->op, 20);
    bool byte = etm_bit(d->op, 22);
    uint8_t t = etm_register_at(d->op, 12);

    etm_note_single(d->insn, load, byte ? 1 : 4, etm_register_at(d->op, 16), t);
    if (!load || byte || t != ETM_REGISTER_PC)
        return;
    etm_note_pc_load(d->insn);
    /* .... 0100 1001 1101 1111 0000 0000 0100: LDR PC, [SP], #4 */
    if ((d->op & 0x0fffffff) == 0x049df004)
        etm_note_return(d->insn);
}

/* .... 100P USWL nnnn list: LDM, STM (A5.5) */
static void load_store_multiple(const struct etm_decode *d)
{
    etm_note_list(d->insn, etm_bit(d->op, 20), etm_register_at(d->op, 16),
                  etm_bit(d->op, 21), (uint16_t)d->op);
    /* With S and the PC, the SPSR is restored (B9.3.5). */
    if (etm_bit(d->op, 22) && d->insn->transfers.pc)
        etm_note_exception_return(d->insn);
}

/* clang-format off */
/* Condition fields other than 1111 (A5.1): bits [27:20] and [7:4] decide. */
#define CONDITIONAL(X, a, b)                                                   \
    /* cond 000. and cond 001. (A5.2); the rows before data processing are     \
     * what its encodings leave free */                                        \
    /* 0001 0..0 .... .... .... 0... ....: miscellaneous (A5.2.12) */          \
    X(a, b, 0x0f9000f0, 0x01000000, etm_decode_nothing) /* MRS, MSR */         \
    X(a, b, 0x0ff000f0, 0x01200010, bx)                                        \
    X(a, b, 0x0ff000f0, 0x01600010, etm_decode_nothing) /* CLZ */              \
    X(a, b, 0x0ff000f0, 0x01200020, bxj)                                       \
    X(a, b, 0x0ff000f0, 0x01200030, blx_register)                              \
    X(a, b, 0x0f9000f0, 0x01000050, etm_decode_nothing) /* QADD .. QDSUB */    \
    X(a, b, 0x0ff000f0, 0x01600060, eret)                                      \
    X(a, b, 0x0ff000f0, 0x01200070, etm_decode_bkpt)                           \
    X(a, b, 0x0ff000f0, 0x01400070, etm_decode_hvc)                            \
    X(a, b, 0x0ff000f0, 0x01600070, etm_decode_smc)                            \
    X(a, b, 0x0f900080, 0x01000000, etm_decode_undefined)                      \
    /* 0001 0..0 .... .... .... 1..0 ....: halfword multiply */                \
    X(a, b, 0x0f900090, 0x01000080, etm_decode_nothing)                        \
    /* 0000 .... .... .... .... 1001 ....: multiply (A5.2.5) */                \
    X(a, b, 0x0ff000f0, 0x00500090, etm_decode_undefined)                      \
    X(a, b, 0x0ff000f0, 0x00700090, etm_decode_undefined)                      \
    X(a, b, 0x0f0000f0, 0x00000090, etm_decode_nothing)                        \
    /* 0001 .... .... .... .... 1001 ....: synchronization (A5.2.10) */        \
    X(a, b, 0x0fb000f0, 0x01000090, swap)                                      \
    X(a, b, 0x0f8000f0, 0x01800090, exclusive)                                 \
    X(a, b, 0x0f0000f0, 0x01000090, etm_decode_undefined)                      \
    /* 000. .... .... .... .... 1..1 .... */                                   \
    X(a, b, 0x0e000090, 0x00000090, extra_load_store)                          \
    /* 0011 0.00 ....: MOVW, MOVT; 0011 0.10: MSR, hints */                    \
    X(a, b, 0x0fb00000, 0x03000000, etm_decode_nothing)                        \
    X(a, b, 0x0fb00000, 0x03200000, etm_decode_nothing)                        \
    X(a, b, 0x0c000000, 0x00000000, data_processing)                           \
    X(a, b, 0x0e000000, 0x04000000, load_store)                                \
    X(a, b, 0x0e000010, 0x06000000, load_store)                                \
    /* 011. .... .... .... .... .... ...1 ....: media (A5.4) */                \
    /* 0110 0x00: no such parallel addition, nor operations 101, 110 */        \
    X(a, b, 0x0fb00000, 0x06000000, etm_decode_undefined)                      \
    X(a, b, 0x0f8000f0, 0x060000b0, etm_decode_undefined)                      \
    X(a, b, 0x0f8000f0, 0x060000d0, etm_decode_undefined)                      \
    X(a, b, 0x0f800000, 0x06000000, etm_decode_nothing)                        \
    /* packing, saturation, reversal (A5.4.3) */                               \
    X(a, b, 0x0ff00030, 0x06800010, etm_decode_nothing) /* PKH */              \
    X(a, b, 0x0fa00030, 0x06a00010, etm_decode_nothing) /* SSAT, USAT */       \
    X(a, b, 0x0fb000f0, 0x06900070, etm_decode_undefined)                      \
    X(a, b, 0x0f8000f0, 0x06800070, etm_decode_nothing) /* SXTB16 .. UXTH */   \
    X(a, b, 0x0ff000f0, 0x068000b0, etm_decode_nothing) /* SEL */              \
    X(a, b, 0x0fb000f0, 0x06a00030, etm_decode_nothing) /* SSAT16, USAT16 */   \
    X(a, b, 0x0fb000f0, 0x06b00030, etm_decode_nothing) /* REV, RBIT */        \
    X(a, b, 0x0fb000f0, 0x06b000b0, etm_decode_nothing) /* REV16, REVSH */     \
    /* signed multiply, divide (A5.4.4) */                                     \
    X(a, b, 0x0ff00080, 0x07000000, etm_decode_nothing) /* SMLAD .. SMUSD */   \
    X(a, b, 0x0fd000f0, 0x07100010, etm_decode_nothing) /* SDIV, UDIV */       \
    X(a, b, 0x0ff00080, 0x07400000, etm_decode_nothing) /* SMLALD, SMLSLD */   \
    X(a, b, 0x0ff000c0, 0x07500000, etm_decode_nothing) /* SMMLA, SMMUL */     \
    X(a, b, 0x0ff000c0, 0x075000c0, etm_decode_nothing) /* SMMLS */            \
    X(a, b, 0x0ff000f0, 0x07800010, etm_decode_nothing) /* USAD8, USADA8 */    \
    X(a, b, 0x0fa00070, 0x07a00050, etm_decode_nothing) /* SBFX, UBFX */       \
    X(a, b, 0x0fe00070, 0x07c00010, etm_decode_nothing) /* BFC, BFI */         \
    X(a, b, 0x0e000010, 0x06000010, etm_decode_undefined)                      \
    X(a, b, 0x0e000000, 0x08000000, load_store_multiple)                       \
    X(a, b, 0x0e000000, 0x0a000000, branch)                                    \
    X(a, b, 0x0f000000, 0x0f000000, etm_decode_svc)                            \
    X(a, b, 0x0c000000, 0x0c000000, etm_decode_coprocessor)
/* clang-format on */

ETM_DECODE_TABLE(etm_table_arm, CONDITIONAL, 20, 4);

/* 1111 100P U0W1 nnnn (0000) (1010) (0000) (0000) */
static void rfe(const struct etm_decode *d)
{
    if ((d->op & 0x0000ffff) == 0x00000a00)
        etm_note_rfe(d->insn, etm_register_at(d->op, 16));
}

static void srs(const struct etm_decode *d)
{
    etm_note_srs(d->insn);
}

/* clang-format off */
/* Condition field 1111 (A5.7), which had no meaning before Armv5. */
#define UNCONDITIONAL(X, a, b)                                                 \
    X(a, b, 0x0ff10020, 0x01000000, etm_decode_nothing) /* CPS */              \
    X(a, b, 0x0ff100f0, 0x01010000, etm_decode_nothing) /* SETEND */           \
    X(a, b, 0x0e000000, 0x02000000, etm_decode_nothing) /* SIMD processing */  \
    X(a, b, 0x0f100000, 0x04000000, etm_decode_simd_load_store)                \
    /* preloads and hints; those with [21:20] = 11 are UNPREDICTABLE */        \
    X(a, b, 0x0f700000, 0x04100000, etm_decode_nothing) /* hint */             \
    X(a, b, 0x0f700000, 0x04500000, etm_decode_nothing) /* PLI */              \
    X(a, b, 0x0f300000, 0x04300000, etm_decode_nothing)                        \
    X(a, b, 0x0f300000, 0x05100000, etm_decode_nothing) /* PLD, PLDW */        \
    X(a, b, 0x0ffffff0, 0x057ff010, etm_decode_clrex)                          \
    X(a, b, 0x0ffffff0, 0x057ff040, etm_decode_barrier) /* DSB */              \
    X(a, b, 0x0ffffff0, 0x057ff050, etm_decode_barrier) /* DMB */              \
    X(a, b, 0x0ffffff0, 0x057ff060, etm_decode_barrier) /* ISB */              \
    X(a, b, 0x0f300000, 0x05300000, etm_decode_nothing)                        \
    X(a, b, 0x0f700010, 0x06100000, etm_decode_nothing) /* hint */             \
    X(a, b, 0x0f700010, 0x06500000, etm_decode_nothing) /* PLI */              \
    X(a, b, 0x0f300010, 0x07100000, etm_decode_nothing) /* PLD, PLDW */        \
    X(a, b, 0x0e300010, 0x06300000, etm_decode_nothing)                        \
    X(a, b, 0x0e500000, 0x08400000, srs)                                       \
    X(a, b, 0x0e500000, 0x08100000, rfe)                                       \
    X(a, b, 0x0e000000, 0x0a000000, branch_exchange_immediate)                 \
    X(a, b, 0x0f000000, 0x0f000000, etm_decode_undefined)                      \
    X(a, b, 0x0c000000, 0x0c000000, etm_decode_coprocessor)
/* clang-format on */

ETM_DECODE_TABLE(etm_table_arm_unconditional, UNCONDITIONAL, 20, 4);

void etm_insn_decode_arm(struct etm_insn *insn, enum etm_profile profile,
                         uint32_t address, uint32_t opcode)
{
    struct etm_decode d = {insn, opcode, address, ETM_ISA_ARM, profile};
    uint32_t condition = etm_bits(opcode, 31, 28);

    etm_decode_begin(insn, opcode, 4);
    if (profile == ETM_PROFILE_M) {
        etm_decode_undefined(&d);
    } else if (condition == 15) {
        etm_decode_table(&d, &etm_table_arm_unconditional);
    } else {
        etm_note_condition(insn, condition);
        etm_decode_table(&d, &etm_table_arm);
    }
}
