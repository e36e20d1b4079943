/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the decoders of the instruction sets: rows of bit patterns, and
 * small functions that note one fact in a struct etm_insn.
 *
 * A row's `value` is compared under its `mask`; the first matching row is used.
 * What no row matches is UNDEFINED. There are rows with nothing to note, too:
 * they distinguish instructions without a branch or transfer from those that do
 * not exist. Tables of many rows have an index (isa/table.h).
 *
 * Sections A5 to A9 cited in the tables are those of the ARM Architecture
 * Reference Manual, ARMv7-A and ARMv7-R edition (DDI 0406C).
 */
#ifndef ETM_ISA_DECODE_H
#define ETM_ISA_DECODE_H

#include "isa/insn.h"

/* One instruction on its way through the tables. */
struct etm_decode {
    struct etm_insn *insn;
    uint32_t op;
    uint32_t address;
    enum etm_isa isa;
    enum etm_profile profile;
};

typedef void etm_decode_fn(const struct etm_decode *d);

struct etm_decode_row {
    uint32_t mask, value;
    etm_decode_fn *decode;
};

#define ETM_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define ETM_CONDITION_ALWAYS 14u
#define ETM_REGISTER_SP 13u
#define ETM_REGISTER_LR 14u
#define ETM_REGISTER_PC 15u

/* Apply the first row that fits; none: the instruction is UNDEFINED. */
void etm_decode_rows(const struct etm_decode *d,
                     const struct etm_decode_row *rows, size_t n);

/* Row functions of more than one instruction set. */
void etm_decode_nothing(const struct etm_decode *d);
void etm_decode_undefined(const struct etm_decode *d);
void etm_decode_svc(const struct etm_decode *d);
void etm_decode_smc(const struct etm_decode *d);
void etm_decode_hvc(const struct etm_decode *d);
void etm_decode_bkpt(const struct etm_decode *d);

void etm_decode_clrex(const struct etm_decode *d);

/* DSB, DMB or ISB: bits [7:4] say which in both sets (A5.7.1, A6.3.4). */
void etm_decode_barrier(const struct etm_decode *d);

/*
 * Coprocessor and extension register instructions (A5.6, A6.3.18, A7). The
 * low 28 bits of the two instruction sets are the same, and so is 1111 on top
 * of the "2" forms (LDC2, MCR2 ...).
 */
void etm_decode_coprocessor(const struct etm_decode *d);

/* Advanced SIMD element or structure load/store (A7.7): bits [23:0]. */
void etm_decode_simd_load_store(const struct etm_decode *d);

/* An instruction of which nothing is noted yet. */
static inline void etm_decode_begin(struct etm_insn *insn, uint32_t opcode,
                                    uint8_t size)
{
    *insn = (struct etm_insn){.opcode = opcode,
                              .size = size,
                              .condition = ETM_CONDITION_ALWAYS,
                              .transfers = {.base = ETM_NO_REGISTER,
                                            .first = ETM_NO_REGISTER,
                                            .second = ETM_NO_REGISTER}};
}

/* The bits of `op` from `high` down to `low`. */
static inline uint32_t etm_bits(uint32_t op, unsigned high, unsigned low)
{
    return (op >> low) & (UINT32_MAX >> (31u - (high - low)));
}

static inline bool etm_bit(uint32_t op, unsigned bit)
{
    return ((op >> bit) & 1u) != 0;
}

/* The core register whose four bits begin at `low`. */
static inline uint8_t etm_register_at(uint32_t op, unsigned low)
{
    return (uint8_t)((op >> low) & 15u);
}

/* `value` of `width` bits as a two's complement number. */
static inline uint32_t etm_sign_extend(uint32_t value, unsigned width)
{
    uint32_t sign = (uint32_t)1 << (width - 1);

    return (value ^ sign) - sign;
}

static inline void etm_note_direct(struct etm_insn *insn, uint32_t target,
                                   enum etm_isa isa)
{
    insn->type = ETM_INSN_TYPE_DIRECT;
    insn->target = target;
    insn->target_isa = (uint8_t)isa;
}

static inline void etm_note_indirect(struct etm_insn *insn)
{
    insn->type = ETM_INSN_TYPE_INDIRECT;
}

static inline void etm_note_flag(struct etm_insn *insn, enum etm_insn_flag flag)
{
    insn->flags = (uint8_t)(insn->flags | flag);
}

static inline void etm_note_return(struct etm_insn *insn)
{
    etm_note_flag(insn, ETM_INSN_RETURN);
}

static inline void etm_note_exception_return(struct etm_insn *insn)
{
    etm_note_indirect(insn);
    etm_note_return(insn);
    etm_note_flag(insn, ETM_INSN_EXCEPTION_RETURN);
}

static inline void etm_note_condition(struct etm_insn *insn, uint32_t condition)
{
    insn->condition = (uint8_t)condition;
    if (condition != ETM_CONDITION_ALWAYS)
        etm_note_flag(insn, ETM_INSN_CONDITIONAL);
}

static inline void etm_note_barrier(struct etm_insn *insn,
                                    enum etm_barrier barrier)
{
    insn->type = ETM_INSN_TYPE_BARRIER;
    insn->barrier = (uint8_t)barrier;
}

static inline enum etm_transfer_direction etm_direction(bool load)
{
    return load ? ETM_DIRECTION_LOAD : ETM_DIRECTION_STORE;
}

/* Transfers: what is common to all. `count` times `size` bytes. */
static inline struct etm_transfers *
etm_note_transfers(struct etm_insn *insn, enum etm_transfer_kind kind,
                   enum etm_transfer_direction direction, unsigned count,
                   unsigned size)
{
    insn->transfers.kind = (uint8_t)kind;
    insn->transfers.direction = (uint8_t)direction;
    insn->transfers.count = (uint8_t)(count <= 32 ? count : 32);
    insn->transfers.size = (uint8_t)size;
    return &insn->transfers;
}

/* One core register, LDR to STRB: `t` from or to memory at `base`. */
static inline struct etm_transfers *etm_note_single(struct etm_insn *insn,
                                                    bool load, unsigned size,
                                                    uint8_t base, uint8_t t)
{
    struct etm_transfers *transfers = etm_note_transfers(
        insn, ETM_TRANSFER_CORE, etm_direction(load), 1, size);

    transfers->base = base;
    transfers->first = t;
    return transfers;
}

/* Two core registers, LDRD to STREXD. */
static inline struct etm_transfers *etm_note_pair(struct etm_insn *insn,
                                                  bool load, uint8_t base,
                                                  uint8_t t, uint8_t t2)
{
    struct etm_transfers *transfers =
        etm_note_transfers(insn, ETM_TRANSFER_CORE, etm_direction(load), 2, 4);

    transfers->base = base;
    transfers->first = t;
    transfers->second = t2;
    transfers->multiple = true;
    return transfers;
}

/* A word load of the PC is an indirect branch (ETM architecture, 4.5.2). */
static inline void etm_note_pc_load(struct etm_insn *insn)
{
    insn->transfers.pc = true;
    etm_note_indirect(insn);
}

/* LDM, STM, PUSH, POP; loading the PC is a return if the base is SP with
 * writeback. */
void etm_note_list(struct etm_insn *insn, bool load, uint8_t base,
                   bool writeback, uint16_t registers);

/* RFE and SRS: two words at `base` each. */
void etm_note_rfe(struct etm_insn *insn, uint8_t base);
void etm_note_srs(struct etm_insn *insn);

#endif
