/* SPDX-License-Identifier: Apache-2.0 */
/* A32 instructions (A5). */
#include "gdb/operation.h"

static unsigned rn(uint32_t op)
{
    return etm_register_at(op, 16);
}

static unsigned rd(uint32_t op)
{
    return etm_register_at(op, 12);
}

static unsigned rm(uint32_t op)
{
    return etm_register_at(op, 0);
}

/* Data processing, by bits [24:21] (A5.2.1). */
static void process(const struct etm_gdb_operation *o,
                    struct etm_gdb_operand second)
{
    static const enum etm_gdb_alu operations[16] = {
        ETM_GDB_AND,     ETM_GDB_EOR,     ETM_GDB_SUB,     ETM_GDB_RSB,
        ETM_GDB_ADD,     ETM_GDB_CARRY,   ETM_GDB_CARRY,   ETM_GDB_CARRY,
        ETM_GDB_COMPARE, ETM_GDB_COMPARE, ETM_GDB_COMPARE, ETM_GDB_COMPARE,
        ETM_GDB_ORR,     ETM_GDB_MOV,     ETM_GDB_BIC,     ETM_GDB_MVN};

    etm_gdb_compute(o, rd(o->op), operations[o->op >> 21 & 15u],
                    etm_gdb_get(o, rn(o->op)), second);
}

/* The PC is 4 further on where the amount of a shift is in a register: its
 * value is not used then (A5.2.2). */
static struct etm_gdb_operand shifted(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, type = op >> 5 & 3u;
    struct etm_gdb_operand value = etm_gdb_get(o, rm(op));

    if (!etm_bit(op, 4))
        return etm_gdb_shift_by(value, type, op >> 7 & 31u);
    value.known =
        value.known && rm(op) != ETM_REGISTER_PC && rn(op) != ETM_REGISTER_PC;
    return etm_gdb_shift(value, type, etm_gdb_get(o, op >> 8 & 15u));
}

/* MUL, MLA, UMAAL, MLS, and results of 64 bits (A5.2.5); Rd is in bits 19:16 */
static void multiply(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, code = op >> 21 & 7u;
    struct etm_gdb_operand a = etm_gdb_get(o, rm(op)),
                           b = etm_gdb_get(o, op >> 8 & 15u),
                           c = etm_gdb_get(o, rd(op));
    uint32_t product = a.value * b.value;

    if (code >= 4 || code == 2) {
        struct etm_gdb_long r = etm_gdb_multiply_long(a, b, code >= 6);

        /* UMULL and SMULL; to others something is added */
        r.known = r.known && (code == 4 || code == 6);
        etm_gdb_put_long(o, rd(op), rn(op), r);
        return;
    }
    if (code == 0)
        c = etm_gdb_constant(0);
    etm_gdb_put_operand(o, rn(op),
                        (struct etm_gdb_operand){
                            a.known && b.known && c.known,
                            code == 3 ? c.value - product : c.value + product});
}

/* Halfwords, doublewords, signed bytes (A5.2.8). */
static void extra(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    struct etm_gdb_operand offset =
        etm_bit(op, 22) ? etm_gdb_constant((op >> 4 & 0xf0u) | (op & 15u))
                        : etm_gdb_get(o, rm(op));

    if (!etm_bit(op, 23))
        offset.value = 0 - offset.value;
    etm_gdb_transfer_at(o, rn(op), offset, etm_bit(op, 24), etm_bit(op, 21));
}

/* SWP, and exclusive accesses, whose stores say whether they stored (A5.2.10).
 */
static void synchronize(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;

    etm_gdb_transfer_at(o, rn(op), etm_gdb_constant(0), true, false);
    if (!etm_bit(op, 20)) {
        etm_gdb_put_unknown(o, rd(op));
        o->effect->loaded = 0;
    }
}

/* Bits [24:23] are 10 and S is 0: A5.2.7, A5.2.12. */
static void miscellaneous(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, x, n = 0;
    struct etm_gdb_operand value = etm_gdb_get(o, rm(op));

    if ((op & 0x90u) == 0x80u) { /* SMLAxy ...; with two results: */
        etm_gdb_put_unknown(o, rn(op));
        if ((op & 0x00600000u) == 0x00400000u)
            etm_gdb_put_unknown(o, rd(op));
        return;
    }
    switch (op >> 4 & 15u) {
    case 0: /* MSR; MRS and its like */
        if (!etm_bit(op, 21))
            etm_gdb_put_unknown(o, rd(op));
        else if (etm_bit(op, 9) || (etm_bit(op, 16) && !etm_bit(op, 22)))
            etm_gdb_put_all(o, ETM_GDB_BANKED); /* CPSR_c, other modes */
        break;
    case 1: /* BX, CLZ */
        if ((op & 0x00600000u) != 0x00600000u)
            break;
        for (x = value.value; n < 32 && (x >> (31 - n) & 1u) == 0;)
            n++;
        value.value = n;
        etm_gdb_put_operand(o, rd(op), value);
        break;
    case 2: /* BXJ */
    case 3: /* BLX */
        break;
    case 5: /* QADD ... */
        etm_gdb_put_unknown(o, rd(op));
        break;
    default:
        etm_gdb_put_all(o, ETM_GDB_ALL_REGISTERS);
        break;
    }
}

/* Bits [27:25] are 000. */
static void register_forms(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;

    if ((op & 0x90u) == 0x90u) {
        if ((op & 0x60u) != 0)
            extra(o);
        else if (etm_bit(op, 24))
            synchronize(o);
        else
            multiply(o);
    } else if ((op & 0x01900000u) == 0x01000000u) {
        miscellaneous(o);
    } else {
        process(o, shifted(o));
    }
}

/* Bits [27:25] are 001. */
static void constant_forms(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op, imm16 = (op >> 4 & 0xf000u) | (op & 0xfffu);
    struct etm_gdb_operand old = etm_gdb_get(o, rd(op));

    switch (op >> 20 & 31u) {
    case 0x10: /* MOVW */
        etm_gdb_put_operand(o, rd(op), etm_gdb_constant(imm16));
        break;
    case 0x14: /* MOVT */
        old.value = (old.value & 0xffffu) | imm16 << 16;
        etm_gdb_put_operand(o, rd(op), old);
        break;
    case 0x12:               /* MSR, hints */
        if (etm_bit(op, 16)) /* CPSR_c */
            etm_gdb_put_all(o, ETM_GDB_BANKED);
        break;
    case 0x16: /* SPSR */
        break;
    default:
        process(o, etm_gdb_shift(etm_gdb_constant(op & 0xffu), 3,
                                 etm_gdb_constant(op >> 7 & 0x1eu)));
        break;
    }
}

/* LDR, STR and bytes (A5.3). */
static void load_store(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    struct etm_gdb_operand offset =
        etm_bit(op, 25) ? etm_gdb_shift_by(etm_gdb_get(o, rm(op)), op >> 5 & 3u,
                                           op >> 7 & 31u)
                        : etm_gdb_constant(op & 0xfffu);

    if (!etm_bit(op, 23))
        offset.value = 0 - offset.value;
    etm_gdb_transfer_at(o, rn(op), offset, etm_bit(op, 24), etm_bit(op, 21));
}

/* A5.4 */
static void media(const struct etm_gdb_operation *o)
{
    static const uint8_t bits[] = {0, 0, 8, 16};
    uint32_t op = o->op, width = (op >> 16 & 31u) + 1;
    struct etm_gdb_operand value = etm_gdb_get(o, rm(op));

    if ((op & 0x01800000u) == 0x00800000u && (op & 0xf0u) == 0x70u &&
        bits[op >> 20 & 3u] != 0) { /* SXTAB ... UXTH */
        value = etm_gdb_extend(value, op >> 10 & 3u, bits[op >> 20 & 3u],
                               !etm_bit(op, 22));
        etm_gdb_compute(o, rd(op), ETM_GDB_ADD,
                        rn(op) == ETM_REGISTER_PC ? etm_gdb_constant(0)
                                                  : etm_gdb_get(o, rn(op)),
                        value);
    } else if ((op & 0x01a00070u) == 0x01a00050u) { /* SBFX, UBFX */
        value = etm_gdb_shift(value, 1, etm_gdb_constant(op >> 7 & 31u));
        if (width < 32)
            value = etm_gdb_extend(value, 0, width, !etm_bit(op, 22));
        etm_gdb_put_operand(o, rd(op), value);
    } else { /* the result is in one of these, or in both */
        etm_gdb_put_unknown(o, rd(op));
        if ((op & 0x01800000u) == 0x01000000u ||
            (op & 0x01f00000u) == 0x01800000u)
            etm_gdb_put_unknown(o, rn(op));
    }
}

/* LDM, STM; with ^ and without the PC, of User mode (A5.5). */
static void list(const struct etm_gdb_operation *o)
{
    uint32_t registers = o->op & 0xffffu;
    unsigned n = 0;

    for (; registers != 0; registers &= registers - 1)
        n++;
    etm_gdb_transfer_list(o, rn(o->op), n, etm_bit(o->op, 23),
                          etm_bit(o->op, 24), etm_bit(o->op, 21));
    if (etm_bit(o->op, 22))
        o->effect->loaded = 0;
}

/* The condition is 1111 (A5.7). */
static void unconditional(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;

    if ((op & 0xfff10020u) == 0xf1000000u || (op & 0xfe000000u) == 0xf8000000u)
        etm_gdb_put_all(o, ETM_GDB_BANKED);     /* CPS; SRS, RFE */
    else if ((op & 0xfe000000u) == 0xf2000000u) /* Advanced SIMD */
        return;
    else if ((op & 0xff100000u) == 0xf4000000u)
        etm_gdb_put_unknown(o, rn(op)); /* its loads and stores */
    else if ((op & 0xfc000000u) == 0xf4000000u)
        return; /* PLD, barriers */
    else if ((op & 0xfe000000u) == 0xfa000000u)
        return; /* BLX */
    else if ((op & 0xfc000000u) == 0xfc000000u)
        etm_gdb_operate_coprocessor(o);
    else if ((op & 0xfff1fdffu) != 0xf1010000u) /* SETEND */
        etm_gdb_put_all(o, ETM_GDB_ALL_REGISTERS);
}

void etm_gdb_operate_arm(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;

    if (op >> 28 == 15) {
        unconditional(o);
        return;
    }
    switch (op >> 25 & 7u) {
    case 0:
        register_forms(o);
        break;
    case 1:
        constant_forms(o);
        break;
    case 3:
        if (etm_bit(op, 4)) {
            media(o);
            break;
        }
        load_store(o);
        break;
    case 2:
        load_store(o);
        break;
    case 4:
        list(o);
        break;
    case 5: /* branches */
        break;
    default:
        etm_gdb_operate_coprocessor(o);
        break;
    }
}
