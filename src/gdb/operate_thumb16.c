/* SPDX-License-Identifier: Apache-2.0 */
/* 16-bit Thumb instructions (A6.2). */
#include "gdb/operation.h"

/* A register of three bits. */
static unsigned low(uint32_t op, unsigned bit)
{
    return op >> bit & 7u;
}

/* Shift by immediate, add, subtract, move and compare (A6.2.1). */
static void shift_add_move(const struct etm_gdb_operation *o)
{
    static const enum etm_gdb_alu by_constant[] = {ETM_GDB_MOV, ETM_GDB_COMPARE,
                                                   ETM_GDB_ADD, ETM_GDB_SUB};
    uint32_t op = o->op;
    struct etm_gdb_operand a = etm_gdb_get(o, low(op, 3));

    if ((op & 0x2000u) != 0) {
        etm_gdb_compute(o, low(op, 8), by_constant[op >> 11 & 3u],
                        etm_gdb_get(o, low(op, 8)),
                        etm_gdb_constant(op & 0xffu));
    } else if ((op & 0x1800u) != 0x1800u) {
        etm_gdb_put_operand(o, low(op, 0),
                            etm_gdb_shift_by(a, op >> 11 & 3u, op >> 6 & 31u));
    } else {
        etm_gdb_compute(o, low(op, 0),
                        etm_bit(op, 9) ? ETM_GDB_SUB : ETM_GDB_ADD, a,
                        etm_bit(op, 10) ? etm_gdb_constant(low(op, 6))
                                        : etm_gdb_get(o, low(op, 6)));
    }
}

/* A6.2.2 */
static void process(const struct etm_gdb_operation *o)
{
    static const enum etm_gdb_alu alu[16] = {
        ETM_GDB_AND,     ETM_GDB_EOR,   ETM_GDB_CARRY,   ETM_GDB_CARRY,
        ETM_GDB_CARRY,   ETM_GDB_CARRY, ETM_GDB_CARRY,   ETM_GDB_CARRY,
        ETM_GDB_COMPARE, ETM_GDB_RSB,   ETM_GDB_COMPARE, ETM_GDB_COMPARE,
        ETM_GDB_ORR,     ETM_GDB_MUL,   ETM_GDB_BIC,     ETM_GDB_MVN};
    static const uint8_t shifts[16] = {[2] = 1, [3] = 2, [4] = 3, [7] = 4};
    unsigned code = o->op >> 6 & 15u, to = low(o->op, 0);
    struct etm_gdb_operand a = etm_gdb_get(o, to);
    struct etm_gdb_operand b = etm_gdb_get(o, low(o->op, 3));

    if (shifts[code] != 0)
        etm_gdb_put_operand(o, to, etm_gdb_shift(a, shifts[code] - 1u, b));
    else if (code == 9) /* RSB Rd, Rn, #0 */
        etm_gdb_compute(o, to, ETM_GDB_RSB, b, etm_gdb_constant(0));
    else
        etm_gdb_compute(o, to, alu[code], a, b);
}

/* Special data instructions, and branch and exchange (A6.2.3). */
static void special(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    unsigned to = low(op, 0) | (op >> 4 & 8u), from = etm_register_at(op, 3);

    if ((op & 0x0300u) == 0)
        etm_gdb_compute(o, to, ETM_GDB_ADD, etm_gdb_get(o, to),
                        etm_gdb_get(o, from));
    else if ((op & 0x0300u) == 0x0200u)
        etm_gdb_put_operand(o, to, etm_gdb_get(o, from));
}

/* LDR, STR and their like (A6.2.4). */
static void load_store(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, size = o->insn->transfers.size;
    struct etm_gdb_operand offset = etm_gdb_constant((op >> 6 & 31u) * size);
    unsigned base = low(op, 3);

    if ((op & 0xf000u) == 0x5000u) {
        offset = etm_gdb_get(o, low(op, 6));
    } else if ((op & 0xf000u) == 0x9000u) {
        base = ETM_REGISTER_SP;
        offset = etm_gdb_constant(4 * (op & 0xffu));
    }
    etm_gdb_transfer_at(o, base, offset, true, false);
}

static void literal(const struct etm_gdb_operation *o)
{
    struct etm_gdb_operation aligned = *o;

    aligned.pc &= ~3u;
    etm_gdb_transfer_at(&aligned, ETM_REGISTER_PC,
                        etm_gdb_constant(4 * (o->op & 0xffu)), true, false);
}

/* ADR; ADD Rd, SP, #imm8 */
static void form_address(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;

    etm_gdb_compute(o, low(op, 8), ETM_GDB_ADD,
                    etm_bit(op, 11) ? etm_gdb_get(o, ETM_REGISTER_SP)
                                    : etm_gdb_constant(o->pc & ~3u),
                    etm_gdb_constant(4 * (op & 0xffu)));
}

static unsigned count(uint32_t list)
{
    unsigned n = 0;

    for (; list != 0; list &= list - 1)
        n++;
    return n;
}

/* REV, REV16, REVSH: by bits 7 and 6. */
static struct etm_gdb_operand reverse(struct etm_gdb_operand v, unsigned how)
{
    uint32_t x = v.value;

    if (how == 0)
        v.value = x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
    else if (how == 1)
        v.value = (x >> 8 & 0xff00ffu) | (x << 8 & 0xff00ff00u);
    else
        v.value = etm_sign_extend((x >> 8 & 0xffu) | (x << 8 & 0xff00u), 16);
    return v;
}

/* A6.2.5 */
static void miscellaneous(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    struct etm_gdb_operand sp = etm_gdb_get(o, ETM_REGISTER_SP);

    if ((op & 0x0f00u) == 0x0000u) { /* ADD, SUB SP */
        etm_gdb_compute(o, ETM_REGISTER_SP,
                        etm_bit(op, 7) ? ETM_GDB_SUB : ETM_GDB_ADD, sp,
                        etm_gdb_constant(4 * (op & 0x7fu)));
    } else if ((op & 0x0f00u) == 0x0200u) { /* SXTH, SXTB, UXTH, UXTB */
        etm_gdb_put_operand(o, low(op, 0),
                            etm_gdb_extend(etm_gdb_get(o, low(op, 3)), 0,
                                           etm_bit(op, 6) ? 8 : 16,
                                           !etm_bit(op, 7)));
    } else if ((op & 0x0e00u) == 0x0400u) { /* PUSH */
        etm_gdb_transfer_list(o, ETM_REGISTER_SP, count(op & 0x1ffu), false,
                              true, true);
    } else if ((op & 0x0e00u) == 0x0c00u) { /* POP */
        etm_gdb_transfer_list(o, ETM_REGISTER_SP, count(op & 0x1ffu), true,
                              false, true);
    } else if ((op & 0x0f00u) == 0x0a00u) {
        etm_gdb_put_operand(o, low(op, 0),
                            reverse(etm_gdb_get(o, low(op, 3)), op >> 6 & 3u));
    } else if ((op & 0x0500u) != 0x0100u && (op & 0x0f00u) != 0x0f00u &&
               (op & 0x0f00u) != 0x0600u) {
        /* else CBZ, CBNZ, hints, IT, SETEND, CPS: no register */
        etm_gdb_put_all(o, ETM_GDB_ALL_REGISTERS);
    }
}

void etm_gdb_operate_thumb16(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, list = op & 0xffu;

    switch (op >> 12) {
    case 0x0:
    case 0x1:
    case 0x2:
    case 0x3:
        shift_add_move(o);
        break;
    case 0x4:
        if (etm_bit(op, 11))
            literal(o);
        else if (etm_bit(op, 10))
            special(o);
        else
            process(o);
        break;
    case 0x5:
    case 0x6:
    case 0x7:
    case 0x8:
    case 0x9:
        load_store(o);
        break;
    case 0xa:
        form_address(o);
        break;
    case 0xb:
        miscellaneous(o);
        break;
    case 0xc: /* LDM, which does not write back a base that it loads; STM */
        etm_gdb_transfer_list(o, low(op, 8), count(list), true, false,
                              !etm_bit(op, 11) ||
                                  (list >> low(op, 8) & 1u) == 0);
        break;
    default: /* branches */
        break;
    }
}
