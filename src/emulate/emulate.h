/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running bare-metal programs, and telling what the processor did as events
 * of etm/model.h.
 *
 * Unicorn executes the instructions. What a processor does between them is
 * done here: exceptions and their returns, M-profile stacking, interrupts, the
 * system control space of the M profile, and the debugger's part of
 * semihosting. The same program and configuration give the same events.
 *
 * Unicorn is licensed under GPL-2.0: only the `etm` executable has this room,
 * never libetm. It is loaded by etm_emulator_new(), which gives
 * ETM_ERR_UNSUPPORTED and says so where it is not there, or was not when this
 * was built.
 *
 * What a trace of this processor shows:
 *
 * - Semihosting (SVC 0x123456, in Thumb SVC 0xab; BKPT 0xab) is served by a
 *   debugger while the processor stands still: the instruction is executed,
 *   no exception follows, and execution goes on after it. What the debugger
 *   reads and writes in memory are no transfers of the processor. In the M
 *   profile only BKPT 0xab is semihosting.
 * - Cycles: 1 an instruction, 1 more a transfer, 2 more where the pipeline is
 *   refilled (a taken branch, an exception, an exception return).
 * - WFI waits (a WAIT event): cycles pass until the next interrupt.
 *   Interrupts by count are given in instructions; a waiting processor counts
 *   one each cycle. A program that waits with nothing to come ends the run.
 *   WFE, SEV and YIELD complete at once.
 * - An interrupt never splits an IT block nor stops an instruction half-way;
 *   faults do both.
 * - A data abort cancels its instruction, whose transfers up to the abort are
 *   given; SVC and, in the A and R profiles, undefined instructions complete;
 *   after a prefetch abort nothing of the instruction is given.
 *
 * Not emulated: the M profile's floating point and MPU, Jazelle and ThumbEE,
 * big-endian data, address translation that is not flat, the Security and
 * Virtualization Extensions. Exclusive monitors are not cleared by exceptions.
 */
#ifndef ETM_EMULATE_EMULATE_H
#define ETM_EMULATE_EMULATE_H

#include <etm/model.h>
#include <etm/types.h>

struct etm_emulator;

/* X(VALUE, text): what interrupts the program */
#define ETM_INTERRUPT_LIST(X)                                                  \
    X(ETM_INTERRUPT_IRQ, "irq") /* A and R profiles */                         \
    X(ETM_INTERRUPT_FIQ, "fiq") /* A and R profiles */                         \
    X(ETM_INTERRUPT_IRQ_N,                                                     \
      "irqN") /* M profile from here on; external interrupt N */               \
    X(ETM_INTERRUPT_SYS_TICK, "systick") /* as if the timer had reached 0 */   \
    X(ETM_INTERRUPT_PEND_SV, "pendsv")                                         \
    X(ETM_INTERRUPT_NMI, "nmi")

enum etm_interrupt_kind {
#define ETM_INTERRUPT_ENUM(value, text) value,
    ETM_INTERRUPT_LIST(ETM_INTERRUPT_ENUM)
#undef ETM_INTERRUPT_ENUM
};

/*
 * An interrupt that becomes pending once `at` instructions have been executed,
 * and after every `every` more. It stays pending until it is taken, and being
 * taken clears it: nothing need be acknowledged. `at` 0 with `every` set: the
 * first comes after `every` instructions.
 */
struct etm_interrupt {
    uint64_t at;
    uint64_t every;  /* 0: once */
    uint8_t kind;    /* enum etm_interrupt_kind */
    uint16_t number; /* N of irqN, 0 to 239 */
    bool prioritized;
    uint8_t priority; /* M profile, if prioritized: set in the interrupt
                         controller before the start; else the program's */
};

/* Memory of the program: zero at the start where the ELF file says nothing. */
struct etm_emulator_region {
    uint32_t base;
    uint32_t size; /* bytes; both are rounded to pages of 4096 */
};

typedef void etm_output_fn(void *context, const char *text, size_t n);

/* Called before an instruction, but not before one of an IT block that fails
 * its condition. `index` counts instructions from 0; one that has to begin
 * again has the same. `stack` is the stack pointer. */
typedef void etm_emulator_step_fn(void *context, uint64_t index,
                                  uint32_t stack);

struct etm_emulator_config {
    size_t size; /* sizeof this struct */

    /* Path of an ELF file, little-endian. In the M profile it starts as its
     * vector table says, if one stands at the lowest address of the lowest
     * segment; else at the ELF entry (in Supervisor mode, IRQ and FIQ masked),
     * with the end of the memory around the last segment as the stack. */
    const char *program;
    const char *core;         /* NULL: Cortex-A9 */
    const char *command_line; /* SYS_GET_CMDLINE; NULL: the program's path */

    /*
     * Where there is memory besides the ELF file's segments. None given: also 4
     * MB after each segment, and in the M profile 4 MB at 0x20000000. What lies
     * elsewhere aborts.
     */
    const struct etm_emulator_region *regions;
    size_t n_regions;
    bool usual_memory; /* with regions: that of no regions too */

    bool pc_first; /* the PC of a load multiple is loaded first: ETMIDR[16];
                      then one that aborts is given without transfers */

    uint64_t limit; /* instructions; 0: no limit, but a program ends when it
                       reaches a state for the second time and no interrupt is
                       to come that could lead it elsewhere */
    bool ends_repeating; /* that also with a limit */

    const struct etm_interrupt *interrupts; /* copied */
    size_t n_interrupts;

    /*
     * Called with what happened, in program order; both may be NULL. The
     * first event is a PLACE; for a generator, put a trace_on before, at
     * etm_emulator_start(). What `events` returns, if not 0, ends the run,
     * which returns it.
     */
    etm_event_fn *events;
    etm_output_fn *output;      /* what the program prints by semihosting */
    etm_emulator_step_fn *step; /* NULL: not wanted */
    void *context;

    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/* X(VALUE, text): why a run ended */
#define ETM_RUN_END_LIST(X)                                                    \
    X(ETM_RUN_END_EXIT, "the program ended")                                   \
    X(ETM_RUN_END_LIMIT, "the limit of instructions was reached")              \
    X(ETM_RUN_END_WAITING, "it waits for an interrupt, and none will come")    \
    X(ETM_RUN_END_LOCKUP, "a fault has no handler")                            \
    X(ETM_RUN_END_CIRCLE,                                                      \
      "it is in an endless loop, and nothing will change that")                \
    X(ETM_RUN_END_BREAKPOINT, "it is at a breakpoint instruction")

enum etm_run_end {
#define ETM_RUN_END_ENUM(value, text) value,
    ETM_RUN_END_LIST(ETM_RUN_END_ENUM)
#undef ETM_RUN_END_ENUM
};

/* X(VALUE, what the instruction did): why an instruction could not be executed
 */
#define ETM_RUN_FAULT_LIST(X)                                                  \
    X(ETM_RUN_FAULT_NONE, "")                                                  \
    X(ETM_RUN_FAULT_LOAD, "loads from")                                        \
    X(ETM_RUN_FAULT_STORE, "stores to")                                        \
    X(ETM_RUN_FAULT_FETCH, "leads to")                                         \
    X(ETM_RUN_FAULT_UNDEFINED, "is undefined")                                 \
    X(ETM_RUN_FAULT_FLOAT,                                                     \
      "is a floating-point one, but there is no such unit or it was "          \
      "not enabled (CPACR, FPEXC)")

enum etm_run_fault {
#define ETM_RUN_FAULT_ENUM(value, text) value,
    ETM_RUN_FAULT_LIST(ETM_RUN_FAULT_ENUM)
#undef ETM_RUN_FAULT_ENUM
};

struct etm_run_result {
    uint8_t end;           /* enum etm_run_end */
    uint8_t fault;         /* enum etm_run_fault: the last there was, ... */
    uint32_t fault_at;     /* ... the address of its instruction, ... */
    uint32_t fault_access; /* ... and that where there is no memory */
    uint32_t exit_status;  /* of a program that ended: 0 for a normal exit */
    uint32_t address;      /* where execution stands */
    uint64_t instructions; /* also those that failed their condition, or were
                              cancelled */
    uint64_t exceptions;
    uint64_t transfers; /* data events */
    uint64_t cycles;    /* the sum over all events */
};

/*
 * Load the program. On success *emulator is owned by the caller; on failure
 * it is NULL and *diag says why in one line. ETM_ERR_ARGUMENT,
 * ETM_ERR_CONFIG (a core, region or interrupt that makes no sense),
 * ETM_ERR_IO, ETM_ERR_FORMAT, ETM_ERR_MEMORY, ETM_ERR_UNSUPPORTED (built
 * without the emulator).
 */
int etm_emulator_new(struct etm_emulator **emulator,
                     const struct etm_emulator_config *config,
                     struct etm_diag *diag);

/* The first instruction: the `at` of a trace_on event. */
struct etm_place etm_emulator_start(const struct etm_emulator *emulator);

/*
 * Run the program to its end; this can be done only once. Returns ETM_OK
 * however the program ended (*result says how); what a callback returned;
 * ETM_ERR_MEMORY; ETM_ERR_UNSUPPORTED: the program needs something that is not
 * emulated (*diag).
 */
int etm_emulator_run(struct etm_emulator *emulator,
                     struct etm_run_result *result, struct etm_diag *diag);

/* R0 to R14 as they are before the instruction for which `step` is called, and
 * its address. */
void etm_emulator_registers(const struct etm_emulator *emulator,
                            uint32_t registers[16]);

/* Copy memory out, before or after a run; returns how many bytes from
 * `address` on there are, at most `n`. */
size_t etm_emulator_read(const struct etm_emulator *emulator, uint32_t address,
                         uint8_t *bytes, size_t n);

/* Accepts NULL. */
void etm_emulator_free(struct etm_emulator *emulator);

/* Was this build made with the emulator? */
bool etm_emulator_available(void);

/* "the program ended", ...; never NULL, static storage. */
const char *etm_run_end_text(enum etm_run_end end);

/* "loads from", ...; never NULL, static storage. */
const char *etm_run_fault_text(enum etm_run_fault fault);

/* "irq", ...; for IRQ_N "irqN". Never NULL, static storage. */
const char *etm_interrupt_kind_name(enum etm_interrupt_kind kind);

#endif
