/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/operation.h"

static const struct etm_gdb_operand unknown = {false, 0};

struct etm_gdb_operand etm_gdb_get(const struct etm_gdb_operation *o,
                                   unsigned reg)
{
    if (reg == ETM_REGISTER_PC)
        return etm_gdb_constant(o->pc);
    return (struct etm_gdb_operand){etm_gdb_knows(o->before, reg),
                                    o->before->value[reg]};
}

void etm_gdb_put_all(const struct etm_gdb_operation *o, uint16_t registers)
{
    struct etm_gdb_effect *e = o->effect;

    registers &= ETM_GDB_ALL_REGISTERS;
    e->written |= registers;
    e->told &= (uint16_t)~registers;
}

void etm_gdb_put_unknown(const struct etm_gdb_operation *o, unsigned reg)
{
    etm_gdb_put_all(o, (uint16_t)(1u << reg));
}

void etm_gdb_put_operand(const struct etm_gdb_operation *o, unsigned reg,
                         struct etm_gdb_operand value)
{
    etm_gdb_put_unknown(o, reg);
    if (value.known && reg != ETM_REGISTER_PC) {
        o->effect->told |= (uint16_t)(1u << reg);
        o->effect->value[reg] = value.value;
    }
}

static struct etm_gdb_operand add(struct etm_gdb_operand a,
                                  struct etm_gdb_operand b)
{
    return (struct etm_gdb_operand){a.known && b.known, a.value + b.value};
}

void etm_gdb_compute(const struct etm_gdb_operation *o, unsigned to,
                     enum etm_gdb_alu alu, struct etm_gdb_operand a,
                     struct etm_gdb_operand b)
{
    struct etm_gdb_operand r = {a.known && b.known, 0};

    switch (alu) {
    case ETM_GDB_AND:
        r.value = a.value & b.value;
        break;
    case ETM_GDB_BIC:
        r.value = a.value & ~b.value;
        break;
    case ETM_GDB_ORR:
        r.value = a.value | b.value;
        break;
    case ETM_GDB_ORN:
        r.value = a.value | ~b.value;
        break;
    case ETM_GDB_EOR:
        r.value = a.value ^ b.value;
        break;
    case ETM_GDB_ADD:
        r.value = a.value + b.value;
        break;
    case ETM_GDB_SUB:
        r.value = a.value - b.value;
        break;
    case ETM_GDB_RSB:
        r.value = b.value - a.value;
        break;
    case ETM_GDB_MOV:
        r = b;
        break;
    case ETM_GDB_MVN:
        r = (struct etm_gdb_operand){b.known, ~b.value};
        break;
    case ETM_GDB_MUL:
        r.value = a.value * b.value;
        break;
    case ETM_GDB_CARRY:
        r.known = false;
        break;
    case ETM_GDB_COMPARE:
        return;
    }
    etm_gdb_put_operand(o, to, r);
}

enum { LSL, LSR, ASR, ROR };

struct etm_gdb_operand etm_gdb_shift(struct etm_gdb_operand value,
                                     unsigned type,
                                     struct etm_gdb_operand amount)
{
    uint32_t n = amount.value & 0xffu, v = value.value;
    uint32_t sign = (v >> 31) != 0 ? UINT32_MAX : 0;

    if (!value.known || !amount.known)
        return unknown;
    if (n == 0)
        return value;
    switch (type) {
    case LSL:
        value.value = n < 32 ? v << n : 0;
        break;
    case LSR:
        value.value = n < 32 ? v >> n : 0;
        break;
    case ASR:
        value.value = n < 32 ? v >> n | (sign & ~(UINT32_MAX >> n)) : sign;
        break;
    default: /* ROR */
        n &= 31u;
        value.value = n == 0 ? v : v >> n | v << (32 - n);
        break;
    }
    return value;
}

struct etm_gdb_operand etm_gdb_shift_by(struct etm_gdb_operand value,
                                        unsigned type, uint32_t amount)
{
    if (amount == 0 && type == ROR) /* RRX: with the carry flag */
        return unknown;
    if (amount == 0 && type != LSL)
        amount = 32;
    return etm_gdb_shift(value, type, etm_gdb_constant(amount));
}

struct etm_gdb_operand etm_gdb_extend(struct etm_gdb_operand value,
                                      unsigned turns, unsigned bits, bool sign)
{
    uint32_t mask = (UINT32_C(1) << bits) - 1;

    value = etm_gdb_shift(value, ROR, etm_gdb_constant(8 * turns));
    value.value &= mask;
    if (sign)
        value.value = etm_sign_extend(value.value, bits);
    return value;
}

/* What is loaded is written. */
static void note_loads(const struct etm_gdb_operation *o)
{
    const struct etm_transfers *t = &o->insn->transfers;
    uint32_t loaded = t->registers;

    if (t->kind != ETM_TRANSFER_CORE || (t->direction != ETM_DIRECTION_LOAD &&
                                         t->direction != ETM_DIRECTION_SWAP))
        return;
    if (t->first < 16)
        loaded |= 1u << t->first;
    if (t->second < 16)
        loaded |= 1u << t->second;
    loaded &= ETM_GDB_ALL_REGISTERS;
    etm_gdb_put_all(o, (uint16_t)loaded);
    o->effect->loaded = (uint16_t)loaded;
}

void etm_gdb_transfer(const struct etm_gdb_operation *o,
                      const struct etm_gdb_addressing *a)
{
    struct etm_gdb_effect *e = o->effect;
    struct etm_gdb_operand base = etm_gdb_get(o, a->base);
    struct etm_gdb_operand first = add(base, a->first);

    e->address_known = first.known;
    e->address = first.value;
    if (a->writeback)
        etm_gdb_put_operand(o, a->base, add(base, a->after));
    note_loads(o);
    if (a->base == ETM_REGISTER_PC || (e->loaded >> a->base & 1u) != 0 ||
        !a->first.known || (a->writeback && !a->after.known))
        return;
    e->base = (uint8_t)a->base;
    e->base_after =
        (int32_t)((a->writeback ? a->after.value : 0) - a->first.value);
}

void etm_gdb_transfer_at(const struct etm_gdb_operation *o, unsigned base,
                         struct etm_gdb_operand offset, bool before,
                         bool writeback)
{
    const struct etm_gdb_addressing a = {.base = base,
                                         .first = before ? offset
                                                         : etm_gdb_constant(0),
                                         .after = offset,
                                         .writeback = writeback || !before};

    etm_gdb_transfer(o, &a);
}

void etm_gdb_transfer_list(const struct etm_gdb_operation *o, unsigned base,
                           unsigned n, bool increment, bool before,
                           bool writeback)
{
    uint32_t size = 4 * n;
    struct etm_gdb_addressing a = {.base = base, .writeback = writeback};

    a.after = etm_gdb_constant(increment ? size : 0 - size);
    a.first = etm_gdb_constant(increment ? (before ? 4 : 0)
                                         : (before ? 0 : 4) - size);
    etm_gdb_transfer(o, &a);
}

struct etm_gdb_long etm_gdb_multiply_long(struct etm_gdb_operand a,
                                          struct etm_gdb_operand b, bool sign)
{
    struct etm_gdb_long r = {a.known && b.known, (uint64_t)a.value * b.value};

    if (sign) {
        r.value -= (a.value >> 31) != 0 ? (uint64_t)b.value << 32 : 0;
        r.value -= (b.value >> 31) != 0 ? (uint64_t)a.value << 32 : 0;
    }
    return r;
}

void etm_gdb_put_long(const struct etm_gdb_operation *o, unsigned low,
                      unsigned high, struct etm_gdb_long value)
{
    etm_gdb_put_operand(
        o, low, (struct etm_gdb_operand){value.known, (uint32_t)value.value});
    etm_gdb_put_operand(
        o, high,
        (struct etm_gdb_operand){value.known, (uint32_t)(value.value >> 32)});
}

void etm_gdb_operate_coprocessor(const struct etm_gdb_operation *o)
{
    uint32_t op = o->op;
    struct etm_gdb_operand offset = etm_gdb_constant(4 * (op & 0xffu));
    unsigned t = etm_register_at(op, 12);

    if ((op & 0x0e000000u) == 0x0e000000u) {
        /* bit 24: SVC, or Advanced SIMD; else CDP, MCR, MRC */
        if ((op & 0x01100010u) == 0x00100010u)
            etm_gdb_put_unknown(o, t); /* of R15 the flags */
        return;
    }
    if ((op & 0x0fe00000u) == 0x0c400000u) { /* MCRR, MRRC */
        if (etm_bit(op, 20)) {
            etm_gdb_put_unknown(o, t);
            etm_gdb_put_unknown(o, etm_register_at(op, 16));
        }
        return;
    }
    if (!etm_bit(op, 23))
        offset.value = 0 - offset.value;
    /* LDC, STC, VLDM ...: an index without P and W writes nothing back */
    if (etm_bit(op, 24) || etm_bit(op, 21))
        etm_gdb_transfer_at(o, etm_register_at(op, 16), offset, etm_bit(op, 24),
                            etm_bit(op, 21));
}
