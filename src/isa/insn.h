/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction, and its properties for a trace macrocell.
 *
 * Sources: ARM Architecture Reference Manual, ARMv7-A and ARMv7-R edition
 * (DDI 0406) and ARMv7-M (DDI 0403) for the encodings; ETM architecture 4.5,
 * 4.6 and 4.10 for what is a branch, a direct branch, a data instruction and
 * a load/store multiple; PFT architecture for waypoints and for branches with
 * link (table 4.12).
 */
#ifndef ETM_ISA_INSN_H
#define ETM_ISA_INSN_H

#include <etm/decode.h>
#include <etm/types.h>

/* Which instructions end a walk only for some protocols or configurations. */
enum etm_barrier {
    ETM_BARRIER_NONE = 0,
    ETM_BARRIER_ISB,
    ETM_BARRIER_DSB,
    ETM_BARRIER_DMB,
    ETM_BARRIER_SAME_STATE /* ENTERX in ThumbEE, LEAVEX in Thumb: of type
                              `other`, with a target; in PFT direct (E-81) */
};

/* Instructions that raise an exception by themselves. */
enum etm_trap {
    ETM_TRAP_NONE = 0,
    ETM_TRAP_SVC,
    ETM_TRAP_SMC,
    ETM_TRAP_HVC,
    ETM_TRAP_BKPT,
    ETM_TRAP_UDF /* permanently undefined, or no instruction of ours */
};

/* Kinds of data transfers. */
enum etm_transfer_kind {
    ETM_TRANSFER_NONE = 0,
    ETM_TRANSFER_CORE,        /* core registers: LDR, STM, SWP, LDREX ... */
    ETM_TRANSFER_VFP_SINGLE,  /* S registers */
    ETM_TRANSFER_VFP_DOUBLE,  /* D registers: two 32-bit transfers each */
    ETM_TRANSFER_COPROCESSOR, /* LDC, STC: the number is not in the opcode */
    ETM_TRANSFER_CPRT,        /* MCR, MRC, MCRR, MRRC, VMOV, VMRS ...: no
                                 address (ETM architecture 4.11.3) */
    ETM_TRANSFER_TABLE,       /* TBB, TBH */
    ETM_TRANSFER_OTHER        /* BXJ, CLREX, Jazelle: count not fixed */
};

enum etm_transfer_direction {
    ETM_DIRECTION_NONE = 0,
    ETM_DIRECTION_LOAD, /* to the processor; MRC, MRRC */
    ETM_DIRECTION_STORE,
    ETM_DIRECTION_SWAP /* SWP, SWPB: a load, then a store */
};

#define ETM_NO_REGISTER 0xffu

/*
 * The transfers of one instruction when its condition passes.
 *
 * count: the number of transfers as the trace has them: one for each word of
 * a load/store multiple, two for LDRD, STRD, MCRR, a doubleword or a swap, one
 * for the rest. 0 with kind COPROCESSOR or OTHER: not known from the opcode.
 * Order: ascending addresses; `registers` in ascending order goes with it,
 * except LDRD/STRD/LDREXD/STREXD/MCRR/MRRC: `first`, then `second`.
 */
struct etm_transfers {
    uint8_t kind;       /* enum etm_transfer_kind */
    uint8_t direction;  /* enum etm_transfer_direction */
    uint8_t count;      /* 0 to 32 */
    uint8_t size;       /* bytes of one transfer: 1, 2 or 4 */
    bool multiple;      /* a load/store multiple by 4.10.1 */
    bool exclusive;     /* LDREX and STREX families */
    bool sign_extend;   /* LDRSB, LDRSH */
    bool pc;            /* the PC is loaded */
    uint8_t base;       /* base register, ETM_NO_REGISTER */
    uint8_t first;      /* first register (core, S or D number);
                           ETM_NO_REGISTER */
    uint8_t second;     /* second register of a pair, ETM_NO_REGISTER */
    uint16_t registers; /* core registers of LDM, STM, PUSH, POP */
    uint8_t cp;         /* LDC, STC: coprocessor; the long form in bit 4 */
};

struct etm_insn {
    uint32_t opcode;    /* 32-bit Thumb: first halfword in [31:16] */
    uint32_t target;    /* of a direct branch */
    uint8_t size;       /* bytes; 0: the available bytes are too few */
    uint8_t type;       /* enum etm_insn_type */
    uint8_t flags;      /* enum etm_insn_flag */
    uint8_t target_isa; /* enum etm_isa, of a direct branch */
    uint8_t barrier;    /* enum etm_barrier; CP15 forms too */
    uint8_t trap;       /* enum etm_trap */
    uint8_t condition;  /* 0 to 14 as encoded; 14: always. Outside the opcode
                           (IT block) it is not known here: 14 */
    uint8_t it;         /* Thumb IT instruction: firstcond:mask, else 0 */
    bool undefined;     /* UNDEFINED or unallocated in Armv7 */
    struct etm_transfers transfers;
};

/* RFE, LDM^ with the PC, SUBS PC ..., ERET. */
static inline bool etm_insn_returns_from_exception(const struct etm_insn *insn)
{
    return (insn->flags & ETM_INSN_EXCEPTION_RETURN) != 0;
}

/*
 * Decode the instruction at `address`. `bytes` are in memory order and
 * instructions are little-endian (BE-8 code is too); `n` bytes are readable.
 * Every encoding gives a struct: what is UNDEFINED is of type `other` with
 * `undefined` set and trap UDF. Fills everything but leaves no state after.
 *
 * `profile` M: no ARM state, and the M-profile meaning of encodings.
 * Jazelle: a bytecode; operands may need more bytes: size is 0 when n is too
 * small to tell.
 */
void etm_insn_decode(struct etm_insn *insn, enum etm_isa isa,
                     enum etm_profile profile, uint32_t address,
                     const uint8_t *bytes, size_t n);

/* The single decoders. */
void etm_insn_decode_arm(struct etm_insn *insn, enum etm_profile profile,
                         uint32_t address, uint32_t opcode);
void etm_insn_decode_thumb16(struct etm_insn *insn, enum etm_isa isa,
                             enum etm_profile profile, uint32_t address,
                             uint16_t opcode);
void etm_insn_decode_thumb32(struct etm_insn *insn, enum etm_isa isa,
                             enum etm_profile profile, uint32_t address,
                             uint32_t opcode);
void etm_insn_decode_jazelle(struct etm_insn *insn, uint32_t address,
                             const uint8_t *bytes, size_t n);

#endif
