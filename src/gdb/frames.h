/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers and the stack of a task, as far as its callers tell them.
 *
 * A trace has no stack pointer. But a debugger needs one to tell frames apart
 * and to find what was saved: the stack pointer is therefore relative, to a
 * place that is nowhere near memory, and moves as the frames of the functions
 * do. In the memory there, return addresses stand where functions have saved
 * them; nothing else does.
 */
#ifndef ETM_GDB_FRAMES_H
#define ETM_GDB_FRAMES_H

#include "gdb/operate.h"
#include "gdb/program.h"
#include "gdb/stack.h"

/* The stack pointer of the outermost function that is known, on entry: where
 * GDB finds nothing but 0 it looks for no caller. */
#define ETM_GDB_STACK_BASE UINT32_C(0)

struct etm_gdb_word {
    uint32_t address, value;
    bool relative; /* the value, too, is an address of the stack */
};

struct etm_gdb_frames {
    uint32_t registers[16];
    uint16_t known;       /* a bit for each of them */
    bool saved_lr;        /* by the innermost function */
    bool cut;             /* callers are known that GDB cannot find */
    struct etm_vec words; /* struct etm_gdb_word; the stack */
};

/* What is about to be executed. */
struct etm_gdb_now {
    uint32_t pc;
    enum etm_isa isa;
};

/* M profile: what is known of EXC_RETURN (gdb/exceptions.h). */
struct etm_gdb_links {
    const struct etm_gdb_exceptions *seen; /* NULL: nothing of this task */
    struct etm_gdb_never never;
    /* what it is according to the user, by what is interrupted; 0: not told */
    uint32_t to_handler, to_thread;
};

/* A program with what else is known of it. */
struct etm_gdb_climb {
    const struct etm_gdb_program *program;
    const struct etm_gdb_code *code;
    struct etm_gdb_links links;
};

void etm_gdb_frames_init(struct etm_gdb_frames *frames);
void etm_gdb_frames_fini(struct etm_gdb_frames *frames);

/* Of a task of the engine that is at `now`. ETM_OK or ETM_ERR_MEMORY. */
int etm_gdb_frames_of(struct etm_gdb_frames *frames,
                      const struct etm_gdb_climb *how,
                      const struct etm_calls *calls, uint32_t task,
                      struct etm_gdb_now now);

/* Registers that are known otherwise take precedence; the stack moves to where
 * they say that it is, unless GDB would look there for a caller that is not
 * known, and fail. */
void etm_gdb_frames_know(struct etm_gdb_frames *frames,
                         const struct etm_gdb_registers *registers);

/* A byte of the stack. False: it is not known. */
bool etm_gdb_frames_byte(const struct etm_gdb_frames *frames, uint32_t address,
                         uint8_t *byte);

#endif
