/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the instruction sets of gdb/operate.h. */
#ifndef ETM_GDB_OPERATION_H
#define ETM_GDB_OPERATION_H

#include "gdb/operate.h"
#include "isa/decode.h"

/* One instruction. */
struct etm_gdb_operation {
    const struct etm_insn *insn;
    uint32_t op;
    uint32_t pc; /* what reading the PC gives */
    const struct etm_gdb_registers *before;
    struct etm_gdb_effect *effect;
};

/* An operand. */
struct etm_gdb_operand {
    bool known;
    uint32_t value;
};

static inline struct etm_gdb_operand etm_gdb_constant(uint32_t value)
{
    return (struct etm_gdb_operand){true, value};
}

struct etm_gdb_operand etm_gdb_get(const struct etm_gdb_operation *o,
                                   unsigned reg);
void etm_gdb_put_operand(const struct etm_gdb_operation *o, unsigned reg,
                         struct etm_gdb_operand value);
void etm_gdb_put_unknown(const struct etm_gdb_operation *o, unsigned reg);
void etm_gdb_put_all(const struct etm_gdb_operation *o, uint16_t registers);

/* Operations on two operands. */
enum etm_gdb_alu {
    ETM_GDB_AND,
    ETM_GDB_BIC,
    ETM_GDB_ORR,
    ETM_GDB_ORN,
    ETM_GDB_EOR,
    ETM_GDB_ADD,
    ETM_GDB_SUB,
    ETM_GDB_RSB,
    ETM_GDB_MOV, /* the second one, */
    ETM_GDB_MVN, /* or its complement */
    ETM_GDB_MUL,
    ETM_GDB_CARRY,  /* with the carry flag, or something else that is not
                       known */
    ETM_GDB_COMPARE /* writes no register */
};

void etm_gdb_compute(const struct etm_gdb_operation *o, unsigned to,
                     enum etm_gdb_alu alu, struct etm_gdb_operand a,
                     struct etm_gdb_operand b);

/* Shifts: by a register, of which 8 bits count, and by a constant in an
 * instruction (A8.4.1). */
struct etm_gdb_operand etm_gdb_shift(struct etm_gdb_operand value,
                                     unsigned type,
                                     struct etm_gdb_operand amount);
struct etm_gdb_operand etm_gdb_shift_by(struct etm_gdb_operand value,
                                        unsigned type, uint32_t amount);

/* Sign or zero extension of a byte or halfword, rotated by 8 * `turns`. */
struct etm_gdb_operand etm_gdb_extend(struct etm_gdb_operand value,
                                      unsigned turns, unsigned bits, bool sign);

/* A load or store at register `base`: what it loads is taken from the
 * transfers of the instruction. */
struct etm_gdb_addressing {
    unsigned base;
    struct etm_gdb_operand first; /* from the base before it to the first
                                     transfer, */
    struct etm_gdb_operand after; /* and to the base after it */
    bool writeback;
};

void etm_gdb_transfer(const struct etm_gdb_operation *o,
                      const struct etm_gdb_addressing *addressing);

/* Addressing with an offset (A8.5): before, or after the transfer; the base is
 * written back or not. */
void etm_gdb_transfer_at(const struct etm_gdb_operation *o, unsigned base,
                         struct etm_gdb_operand offset, bool before,
                         bool writeback);

/* A list of registers, upwards or downwards from the base. */
void etm_gdb_transfer_list(const struct etm_gdb_operation *o, unsigned base,
                           unsigned n, bool increment, bool before,
                           bool writeback);

/* 32-bit instructions with the same bits in both sets, below the first four
 * (A5.6, A6.3.18). */
void etm_gdb_operate_coprocessor(const struct etm_gdb_operation *o);

/* A product of 64 bits in two registers. */
struct etm_gdb_long {
    bool known;
    uint64_t value;
};

struct etm_gdb_long etm_gdb_multiply_long(struct etm_gdb_operand a,
                                          struct etm_gdb_operand b, bool sign);
void etm_gdb_put_long(const struct etm_gdb_operation *o, unsigned low,
                      unsigned high, struct etm_gdb_long value);

void etm_gdb_operate_arm(const struct etm_gdb_operation *o);
void etm_gdb_operate_thumb16(const struct etm_gdb_operation *o);
void etm_gdb_operate_thumb32(const struct etm_gdb_operation *o);

#endif
