/* SPDX-License-Identifier: Apache-2.0 */
/*
 * M profile: what LR holds in a handler (EXC_RETURN; ARMv7-M ARM, B1.5.8). It
 * names the mode and the stack of what was interrupted, and whether registers
 * of the FPU are saved there. A trace tells none of these, so they are followed
 * through the instructions: right, or not known.
 */
#ifndef ETM_GDB_EXCEPTIONS_H
#define ETM_GDB_EXCEPTIONS_H

#include "gdb/operate.h"

#include <etm/decode.h>

/* Values without registers of the FPU. */
#define ETM_GDB_RETURN_TO_HANDLER UINT32_C(0xfffffff1)
#define ETM_GDB_RETURN_TO_MAIN UINT32_C(0xfffffff9)
#define ETM_GDB_RETURN_TO_PROCESS UINT32_C(0xfffffffd)

/* What a program certainly never does, and where it begins after a reset: in
 * Thread mode, privileged, on the main stack. */
struct etm_gdb_never {
    bool selects_stack; /* writes CONTROL or PSP */
    bool floats;        /* uses the FPU, or there is none */
    bool entry_known;
    uint32_t entry;
};

/* A handler that has not returned. */
struct etm_gdb_handler {
    uint32_t link;        /* its EXC_RETURN; 0: not known */
    bool in_lr, in_stack; /* which is there now, where it is saved */
};

#define ETM_GDB_HANDLERS_MOST 8u

struct etm_gdb_exceptions {
    struct etm_gdb_never never;
    uint32_t thread; /* EXC_RETURN of what interrupts Thread mode; 0: it is
                        not known, or whether that is what is below: */
    bool privileged; /* Thread mode is, certainly */
    bool
        interrupting; /* the last element was an exception, which returns to: */
    uint32_t return_address;
    uint8_t n; /* handlers that were seen to begin */
    struct etm_gdb_handler handlers[ETM_GDB_HANDLERS_MOST];
};

/* Nothing is known any more, but of the program. */
void etm_gdb_exceptions_forget(struct etm_gdb_exceptions *exceptions);

/* After a reset. */
void etm_gdb_exceptions_reset(struct etm_gdb_exceptions *exceptions);

/* Take an instruction that was executed, or may have been (`sure`). */
void etm_gdb_exceptions_insn(struct etm_gdb_exceptions *exceptions,
                             const struct etm_insn *insn, bool sure,
                             const struct etm_gdb_effect *effect,
                             const struct etm_gdb_registers *before);

/* Take an exception. What is in LR then; 0: it is not known. */
uint32_t etm_gdb_exceptions_enter(struct etm_gdb_exceptions *exceptions,
                                  const struct etm_element *element);

/* Take a return, made by an instruction that found these registers. */
void etm_gdb_exceptions_return(struct etm_gdb_exceptions *exceptions,
                               uint32_t opcode,
                               const struct etm_gdb_registers *before);

/* The EXC_RETURN of the handler with `above` others on top of it; 0: it is not
 * known. */
uint32_t etm_gdb_exceptions_link(const struct etm_gdb_exceptions *exceptions,
                                 size_t above);

#endif
