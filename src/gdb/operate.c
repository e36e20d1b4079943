/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/operation.h"

void etm_gdb_operate(struct etm_gdb_effect *effect, const struct etm_insn *insn,
                     enum etm_isa isa, uint32_t address,
                     const struct etm_gdb_registers *before)
{
    struct etm_gdb_operation o = {.insn = insn,
                                  .op = insn->opcode,
                                  .pc = address + 4,
                                  .before = before,
                                  .effect = effect};

    *effect = (struct etm_gdb_effect){.base = ETM_NO_REGISTER};
    if (insn->trap == ETM_TRAP_SVC || insn->trap == ETM_TRAP_BKPT) {
        /* a debugger may serve it, without an exception (semihosting) */
        etm_gdb_put_unknown(&o, 0);
        return;
    }
    if (insn->trap != ETM_TRAP_NONE || insn->undefined ||
        (isa != ETM_ISA_ARM && isa != ETM_ISA_THUMB)) {
        etm_gdb_put_all(&o, ETM_GDB_ALL_REGISTERS);
        return;
    }
    if (isa == ETM_ISA_ARM) {
        o.pc = address + 8;
        etm_gdb_operate_arm(&o);
    } else if (insn->size == 2) {
        etm_gdb_operate_thumb16(&o);
    } else {
        etm_gdb_operate_thumb32(&o);
    }
    if ((insn->flags & ETM_INSN_LINK) != 0)
        etm_gdb_put_operand(&o, ETM_REGISTER_LR,
                            etm_gdb_constant((address + insn->size) |
                                             (isa == ETM_ISA_THUMB ? 1u : 0u)));
    if (etm_insn_returns_from_exception(insn)) {
        /* what it loads, and its base, are those of the mode that is left */
        etm_gdb_put_all(&o, ETM_GDB_BANKED);
        effect->loaded &= (uint16_t)~ETM_GDB_BANKED;
        effect->base = ETM_NO_REGISTER;
    }
}
