/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction does to the core registers, as far as they are known.
 *
 * Safe by default: an instruction that is not recognized writes all of them. A
 * condition is not looked at: the trace tells whether it passed. Sections are
 * those of the ARM Architecture Reference Manual, ARMv7-A and ARMv7-R edition
 * (DDI 0406C).
 */
#ifndef ETM_GDB_OPERATE_H
#define ETM_GDB_OPERATE_H

#include "isa/insn.h"

struct etm_gdb_registers {
    uint32_t value[16];
    uint16_t known; /* a bit for each of R0 to R14 */
};

static inline bool etm_gdb_knows(const struct etm_gdb_registers *r,
                                 unsigned reg)
{
    return (r->known >> reg & 1u) != 0;
}

#define ETM_GDB_ALL_REGISTERS UINT16_C(0x7fff)

/* R8 to R14 may be those of another mode afterwards (B1.3.2). */
#define ETM_GDB_BANKED UINT16_C(0x7f00)

struct etm_gdb_effect {
    uint16_t written; /* registers that it may write, */
    uint16_t told;    /* and of these the ones with a known value: */
    uint32_t value[16];
    uint16_t loaded; /* written with what is transferred */
    /* A register that is the address of the first transfer plus `base_after`
     * when the instruction is done; ETM_NO_REGISTER: none is. */
    uint8_t base;
    int32_t base_after;
    bool address_known; /* of the first transfer: the lowest one */
    uint32_t address;
};

void etm_gdb_operate(struct etm_gdb_effect *effect, const struct etm_insn *insn,
                     enum etm_isa isa, uint32_t address,
                     const struct etm_gdb_registers *before);

#endif
