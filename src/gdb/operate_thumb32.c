/* SPDX-License-Identifier: Apache-2.0 */
/* 32-bit Thumb instructions (A6.3). */
#include "gdb/operation.h"

static unsigned rn(uint32_t op)
{
    return etm_register_at(op, 16);
}

static unsigned rd(uint32_t op)
{
    return etm_register_at(op, 8);
}

static unsigned rm(uint32_t op)
{
    return etm_register_at(op, 0);
}

/* Of both tables of data processing (A6.3.1, A6.3.11), by bits [24:21]. */
static const enum etm_gdb_alu operations[16] = {
    ETM_GDB_AND,   ETM_GDB_BIC,   ETM_GDB_ORR,   ETM_GDB_ORN,
    ETM_GDB_EOR,   ETM_GDB_CARRY, ETM_GDB_CARRY, ETM_GDB_CARRY,
    ETM_GDB_ADD,   ETM_GDB_CARRY, ETM_GDB_CARRY, ETM_GDB_CARRY,
    ETM_GDB_CARRY, ETM_GDB_SUB,   ETM_GDB_RSB,   ETM_GDB_CARRY};

static void process(const struct etm_gdb_operation *o,
                    struct etm_gdb_operand second)
{
    unsigned code = o->op >> 21 & 15u;
    enum etm_gdb_alu alu = operations[code];

    if (rd(o->op) == ETM_REGISTER_PC)
        return; /* TST, TEQ, CMN, CMP */
    if (rn(o->op) == ETM_REGISTER_PC && code == 2)
        alu = ETM_GDB_MOV;
    if (rn(o->op) == ETM_REGISTER_PC && code == 3)
        alu = ETM_GDB_MVN;
    etm_gdb_compute(o, rd(o->op), alu, etm_gdb_get(o, rn(o->op)), second);
}

/* imm3:imm2 of shifts, and imm3:imm8 after i of constants. */
static uint32_t shift_amount(uint32_t op)
{
    return (op >> 10 & 0x1cu) | (op >> 6 & 3u);
}

static uint32_t imm12(uint32_t op)
{
    return (op >> 15 & 0x800u) | (op >> 4 & 0x700u) | (op & 0xffu);
}

/* ThumbExpandImm() (A6.3.2) */
static uint32_t expand(uint32_t op)
{
    uint32_t code = imm12(op), value = code & 0xffu, turn = code >> 7;

    switch (code >> 8) {
    case 0:
        return value;
    case 1:
        return value << 16 | value;
    case 2:
        return value << 24 | value << 8;
    case 3:
        return value * 0x01010101u;
    default:
        value |= 0x80u;
        return value >> turn | value << (32 - turn);
    }
}

/* A6.3.3; imm4 is in place of Rn */
static void plain_constant(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, lsb = shift_amount(op), width = (op & 31u) + 1;
    uint32_t imm16 = (op >> 4 & 0xf000u) | imm12(op);
    struct etm_gdb_operand a = etm_gdb_get(o, rn(op)), old;

    if (rn(op) == ETM_REGISTER_PC)
        a.value &= ~3u; /* ADR */
    switch (op >> 20 & 31u) {
    case 0x00:
        etm_gdb_compute(o, rd(op), ETM_GDB_ADD, a, etm_gdb_constant(imm12(op)));
        break;
    case 0x0a:
        etm_gdb_compute(o, rd(op), ETM_GDB_SUB, a, etm_gdb_constant(imm12(op)));
        break;
    case 0x04: /* MOVW */
        etm_gdb_put_operand(o, rd(op), etm_gdb_constant(imm16));
        break;
    case 0x0c: /* MOVT */
        old = etm_gdb_get(o, rd(op));
        old.value = (old.value & 0xffffu) | imm16 << 16;
        etm_gdb_put_operand(o, rd(op), old);
        break;
    case 0x14: /* SBFX */
    case 0x1c: /* UBFX */
        a = etm_gdb_shift(a, 1, etm_gdb_constant(lsb));
        if (width < 32)
            a = etm_gdb_extend(a, 0, width, !etm_bit(op, 23));
        etm_gdb_put_operand(o, rd(op), a);
        break;
    default: /* saturation, bit field insert */
        etm_gdb_put_unknown(o, rd(op));
        break;
    }
}

/* Branches and miscellaneous control (A6.3.4). */
static void control(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    uint32_t special = op & 0x7fu; /* M profile: SYSm (ARMv7-M ARM, B5.1.1) */

    if ((op & 0xffe0d000u) == 0xf3808000u) { /* MSR */
        if (special == 8 || special == 9 || special == 20)
            etm_gdb_put_unknown(o, ETM_REGISTER_SP); /* MSP, PSP, CONTROL */
        else if (special == 0 && etm_bit(op, 8) && !etm_bit(op, 20))
            etm_gdb_put_all(o, ETM_GDB_BANKED);   /* CPSR_c */
    } else if ((op & 0xffe0d000u) == 0xf3e08000u) /* MRS */
        etm_gdb_put_unknown(o, rd(op));
    else if ((op & 0xfff0d000u) == 0xf3a08000u && (op & 0x700u) != 0)
        etm_gdb_put_all(o, ETM_GDB_BANKED); /* CPS */
}

/* A6.3.5 */
static void list(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, registers = op & 0xffffu;
    unsigned n = 0;

    if (etm_bit(op, 24) == etm_bit(op, 23)) { /* SRS, RFE */
        etm_gdb_put_all(o, ETM_GDB_BANKED);
        return;
    }
    for (; registers != 0; registers &= registers - 1)
        n++;
    etm_gdb_transfer_list(o, rn(op), n, etm_bit(op, 23), etm_bit(op, 24),
                          etm_bit(op, 21));
}

/* Load/store dual or exclusive, table branch (A6.3.6). */
static void dual(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    struct etm_gdb_operand offset = etm_gdb_constant(4 * (op & 0xffu));
    struct etm_gdb_operation aligned = *o;

    aligned.pc &= ~3u;
    if (etm_bit(op, 24) || etm_bit(op, 21)) {
        if (!etm_bit(op, 23))
            offset.value = 0 - offset.value;
        etm_gdb_transfer_at(&aligned, rn(op), offset, etm_bit(op, 24),
                            etm_bit(op, 21));
        return;
    }
    if (etm_bit(op, 23)) /* STREXB ..., TBB: no offset */
        offset.value = 0;
    if ((op & 0x00f000e0u) != 0x00d00000u) /* TBB, TBH: registers */
        etm_gdb_transfer_at(&aligned, rn(op), offset, true, false);
    if (!etm_bit(op, 20)) /* whether it stored */
        etm_gdb_put_unknown(o, etm_bit(op, 23) ? rm(op) : rd(op));
}

/* Load and store single items (A6.3.7 to A6.3.10). */
static void single(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    struct etm_gdb_operation aligned = *o;
    struct etm_gdb_operand offset;

    aligned.pc &= ~3u;
    if (o->insn->transfers.kind == ETM_TRANSFER_NONE)
        return; /* PLD, PLI */
    if (rn(op) == ETM_REGISTER_PC) {
        offset =
            etm_gdb_constant(etm_bit(op, 23) ? op & 0xfffu : 0 - (op & 0xfffu));
        etm_gdb_transfer_at(&aligned, ETM_REGISTER_PC, offset, true, false);
    } else if (etm_bit(op, 23)) {
        etm_gdb_transfer_at(o, rn(op), etm_gdb_constant(op & 0xfffu), true,
                            false);
    } else if (etm_bit(op, 11)) {
        offset =
            etm_gdb_constant(etm_bit(op, 9) ? op & 0xffu : 0 - (op & 0xffu));
        etm_gdb_transfer_at(o, rn(op), offset, etm_bit(op, 10), etm_bit(op, 8));
    } else {
        offset = etm_gdb_shift(etm_gdb_get(o, rm(op)), 0,
                               etm_gdb_constant(op >> 4 & 3u));
        etm_gdb_transfer_at(o, rn(op), offset, true, false);
    }
}

/* REV, REV16, RBIT, REVSH; CLZ is computed, others are not. */
static struct etm_gdb_operand miscellaneous(struct etm_gdb_operand v,
                                            uint32_t op)
{
    uint32_t x = v.value, n = 0;

    if ((op & 0x00f000f0u) == 0x00900080u) { /* REV */
        v.value = x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
        return v;
    }
    if ((op & 0x00f000f0u) != 0x00b00080u) /* CLZ */
        return (struct etm_gdb_operand){false, 0};
    while (n < 32 && (x >> (31 - n) & 1u) == 0)
        n++;
    v.value = n;
    return v;
}

/* Data processing with registers (A6.3.12). */
static void process_registers(const struct etm_gdb_operation *o)
{
    static const uint8_t bits[] = {16, 0, 8};
    uint32_t op = o->op;
    struct etm_gdb_operand v;

    if (!etm_bit(op, 23) && (op & 0xf0u) == 0) { /* LSL, LSR, ASR, ROR */
        etm_gdb_put_operand(o, rd(op),
                            etm_gdb_shift(etm_gdb_get(o, rn(op)), op >> 21 & 3u,
                                          etm_gdb_get(o, rm(op))));
    } else if (!etm_bit(op, 23) && etm_bit(op, 7) && (op >> 21 & 3u) < 3 &&
               bits[op >> 21 & 3u] != 0) { /* SXTAH ... UXTAB */
        v = etm_gdb_extend(etm_gdb_get(o, rm(op)), op >> 4 & 3u,
                           bits[op >> 21 & 3u], !etm_bit(op, 20));
        etm_gdb_compute(o, rd(op), ETM_GDB_ADD,
                        rn(op) == ETM_REGISTER_PC ? etm_gdb_constant(0)
                                                  : etm_gdb_get(o, rn(op)),
                        v);
    } else {
        etm_gdb_put_operand(o, rd(op),
                            miscellaneous(etm_gdb_get(o, rm(op)), op));
    }
}

/* A6.3.16 */
static void multiply(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    struct etm_gdb_operand a = etm_gdb_get(o, rn(op)),
                           b = etm_gdb_get(o, rm(op)),
                           c = etm_gdb_get(o, etm_register_at(op, 12));
    uint32_t product = a.value * b.value;
    bool plain = (op & 0x007000e0u) == 0;

    if (etm_register_at(op, 12) == ETM_REGISTER_PC)
        c = etm_gdb_constant(0); /* MUL */
    etm_gdb_put_operand(
        o, rd(op),
        (struct etm_gdb_operand){plain && a.known && b.known && c.known,
                                 etm_bit(op, 4) ? c.value - product
                                                : c.value + product});
}

/* Long multiply and divide (A6.3.17). */
static void multiply_long(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, code = op >> 20 & 7u;
    struct etm_gdb_operand a = etm_gdb_get(o, rn(op)),
                           b = etm_gdb_get(o, rm(op));
    struct etm_gdb_long product;

    if ((op & 0xf0u) == 0xf0u) { /* SDIV, UDIV */
        bool known = a.known && b.known && b.value != 0 && code == 3;

        etm_gdb_put_operand(
            o, rd(op),
            (struct etm_gdb_operand){known, known ? a.value / b.value : 0});
        return;
    }
    product = etm_gdb_multiply_long(a, b, code == 0);
    /* SMULL and UMULL; to others something is added */
    product.known =
        product.known && (code == 0 || code == 2) && (op & 0xf0u) == 0;
    etm_gdb_put_long(o, etm_register_at(op, 12), rd(op), product);
}

void etm_gdb_operate_thumb32(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;

    if ((op & 0xfe400000u) == 0xe8000000u)
        list(o);
    else if ((op & 0xfe400000u) == 0xe8400000u)
        dual(o);
    else if ((op & 0xfe000000u) == 0xea000000u)
        process(o, etm_gdb_shift_by(etm_gdb_get(o, rm(op)), op >> 4 & 3u,
                                    shift_amount(op)));
    else if ((op & 0xec000000u) == 0xec000000u)
        etm_gdb_operate_coprocessor(o);
    else if ((op & 0xfa008000u) == 0xf0000000u)
        process(o, etm_gdb_constant(expand(op)));
    else if ((op & 0xfa008000u) == 0xf2000000u)
        plain_constant(o);
    else if ((op & 0xf8008000u) == 0xf0008000u)
        control(o);
    else if ((op & 0xff100000u) == 0xf9000000u) /* Advanced SIMD */
        etm_gdb_put_unknown(o, rn(op));
    else if ((op & 0xfe000000u) == 0xf8000000u)
        single(o);
    else if ((op & 0xff000000u) == 0xfa000000u)
        process_registers(o);
    else if ((op & 0xff800000u) == 0xfb000000u)
        multiply(o);
    else if ((op & 0xff800000u) == 0xfb800000u)
        multiply_long(o);
    else
        etm_gdb_put_all(o, ETM_GDB_ALL_REGISTERS);
}
