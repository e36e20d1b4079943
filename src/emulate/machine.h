/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internals of the emulator.
 *
 *   unicorn.c    loads Unicorn
 *   machine.c    registers, the batch of events, the end of the run
 *   memory.c     the ELF file and the memory, which Unicorn shares with us
 *   hooks.c      what Unicorn reports
 *   trace.c      instructions and transfers, made into events
 *   run.c        starting Unicorn, and what happens when it stops
 *   interrupts.c when interrupts come
 *   exception.c  exceptions of the A and R profiles
 *   m_entry.c    exceptions of the M profile: stacking, returns, priorities
 *   m_space.c    the M profile's system control space
 *   semihost.c   the debugger's side of semihosting
 *   repeat.c     detecting endless loops
 */
#ifndef ETM_EMULATE_MACHINE_H
#define ETM_EMULATE_MACHINE_H

#include "base/exception.h"
#include "base/vec.h"
#include "emulate/emulate.h"
#include "emulate/unicorn.h"
#include "isa/insn.h"
#include "isa/it.h"

#include <etm/setup.h>

#include <assert.h>

#define ETM_PAGE 4096u

/* Cycles to fill the pipeline again. */
#define ETM_REFILL 2

/* Memory at `base`; its bytes are ours, and Unicorn uses them. */
struct etm_memory {
    uint32_t base;
    uint32_t last; /* address of the last byte */
    uint8_t *bytes;
};

/* Why Unicorn was stopped. */
enum etm_stop {
    ETM_STOP_NONE = 0,
    ETM_STOP_ATTENTION, /* an interrupt, the limit: before `at`, or later */
    ETM_STOP_PASS_OVER, /* the instruction at `at` is done here: WFI, hints */
    ETM_STOP_INTERRUPT, /* Unicorn's exception `number` */
    ETM_STOP_UNDEFINED,
    ETM_STOP_DATA_ABORT, /* at `abort_address` */
    ETM_STOP_PREFETCH_ABORT,
    ETM_STOP_FAILED /* status is set */
};

#define ETM_CACHE_SIZE 8192u

struct etm_decoded {
    uint32_t address;
    uint32_t word; /* the bytes it was decoded from */
    uint8_t isa;   /* ETM_ISA_UNKNOWN: there is none yet */
    struct etm_insn insn;
};

/* The instruction whose end is still to come. */
struct etm_current {
    bool running;
    bool passed;
    bool excluded; /* STREX: what it loads is no transfer */
    uint8_t isa;
    uint8_t it_after; /* ITSTATE after it, if it does not branch */
    size_t event;     /* its place in the batch */
    uint32_t address;
    uint32_t base_value; /* of exclusive stores; of returns the SPSR */
    uint32_t link;       /* of returns the LR */
    struct etm_insn insn;
};

/* The M profile's exceptions, by number (ARMv7-M, B1.5.2). */
enum {
    ETM_M_NMI = 2,
    ETM_M_HARD_FAULT = 3,
    ETM_M_MEM_MANAGE = 4,
    ETM_M_BUS_FAULT = 5,
    ETM_M_USAGE_FAULT = 6,
    ETM_M_SVC = 11,
    ETM_M_DEBUG_MONITOR = 12,
    ETM_M_PEND_SV = 14,
    ETM_M_SYS_TICK = 15,
    ETM_M_FIRST_IRQ = 16 /* external interrupt 0 */
};
#define ETM_M_EXCEPTIONS 256u

struct etm_m_state {
    bool pending[ETM_M_EXCEPTIONS];
    bool active[ETM_M_EXCEPTIONS];
    bool enabled[ETM_M_EXCEPTIONS];
    uint8_t priority[ETM_M_EXCEPTIONS];
    uint32_t vtor, prigroup, scr, ccr, shcsr, cfsr, hfsr, mmfar, bfar;
    uint32_t systick_control, systick_reload;
    uint32_t systick_counted; /* COUNTFLAG: 0 or 1 */
    uint64_t systick_due;     /* in cycles; UINT64_MAX: it does not count */
};
/* States are compared as memory (repeat.c). */
static_assert(sizeof(struct etm_m_state) == 4 * ETM_M_EXCEPTIONS +
                                                12 * sizeof(uint32_t) +
                                                sizeof(uint64_t),
              "nothing lies between the members");

/* An earlier state, and when it is stored again. */
struct etm_repeat {
    uint64_t next;     /* in instructions; UINT64_MAX: never */
    uint32_t at;       /* where it was; an odd address: nothing is kept */
    unsigned tries;    /* comparisons of memory */
    unsigned differed; /* the register that did last */
    uint32_t registers[15], psr;
    bool irq, fiq;
    uint32_t features_at;
    uint64_t accepted;
    struct etm_m_state m;
    uint64_t memory; /* a hash of all */
    uint64_t coming; /* a measure of the time to the next interrupts and
                        ticks */
    uc_context *then, *now;
};

#define ETM_BATCH 512u
/* More events than one instruction needs, with its transfers and exception. */
#define ETM_BATCH_MARGIN 160u

struct etm_emulator {
    struct etm_allocator allocator;
    const struct etm_core *core;
    enum etm_profile profile;
    bool pc_first;
    struct etm_unicorn unicorn;
    uc_engine *uc;
    struct etm_vec memory;     /* struct etm_memory, ascending */
    struct etm_vec segments;   /* struct etm_memory without bytes */
    struct etm_vec interrupts; /* struct etm_interrupt */
    char *command_line;
    uint32_t start, stack, vectors; /* vectors: base of those of an M */
    uint64_t limit;                 /* UINT64_MAX: none */
    bool ends_repeating;            /* in a state that was there before */
    etm_event_fn *events;
    etm_output_fn *output;
    etm_emulator_step_fn *step;
    void *context;
    bool was_run;

    struct etm_decoded *cache;
    struct etm_event batch[ETM_BATCH];
    size_t n_batch;
    struct etm_current current;
    uint8_t it; /* ITSTATE at the next instruction */

    uint32_t resume; /* where Unicorn was last started */
    enum etm_stop stop;
    uint32_t at;
    uint32_t number;
    uint32_t abort_address;
    int status; /* of a run that failed */
    bool done;
    struct etm_run_result result;
    char failure[160]; /* why it failed, where the status does not tell */

    uint64_t clock; /* instructions, and cycles of waiting */
    uint64_t due;   /* when `clock` needs attention */
    uint64_t owed;  /* cycles that the next event will carry */
    bool irq, fiq;  /* pending, A and R */
    bool user;      /* the last context event said so */
    bool wants;     /* something is pending */
    uint32_t sctlr, vbar, context_id;
    struct etm_m_state m;
    struct etm_repeat repeat;
    uint64_t accepted;    /* interrupts */
    uint32_t features_at; /* semihosting: where the feature file is read */
};

/* memory.c */
int etm_machine_load(struct etm_emulator *e,
                     const struct etm_emulator_config *config,
                     struct etm_diag *diag);
void etm_machine_unload(struct etm_emulator *e);
/* `n` bytes of memory at an address, or NULL. */
uint8_t *etm_machine_memory(const struct etm_emulator *e, uint32_t address,
                            uint32_t n);
bool etm_machine_read32(const struct etm_emulator *e, uint32_t address,
                        uint32_t *value);
bool etm_machine_write32(const struct etm_emulator *e, uint32_t address,
                         uint32_t value);

/* machine.c */
/* Registers of Unicorn (UC_ARM_REG_...). */
uint32_t etm_machine_get(const struct etm_emulator *e, int reg);
void etm_machine_set(struct etm_emulator *e, int reg, uint32_t value);
uint32_t etm_machine_psr(const struct etm_emulator *e);
/* R0 to R15 by number; bit 5 of a CPSR is its T bit. */
int etm_machine_register(unsigned number);
#define ETM_PSR_T 0x20u
struct etm_place etm_machine_place(const struct etm_emulator *e,
                                   uint32_t address, uint32_t psr);
/* A new event at the end of the batch; it carries the cycles owed and `own`. */
struct etm_event *etm_machine_event(struct etm_emulator *e,
                                    enum etm_event_kind kind, uint64_t own);
void etm_machine_data(struct etm_emulator *e, uint32_t address, uint32_t value,
                      uint8_t size, bool store);
/* Cycles that pass now, and that the next event will carry. */
void etm_machine_owe(struct etm_emulator *e, uint64_t cycles);
void etm_machine_flush(struct etm_emulator *e);
/* The run ends; it fails. */
void etm_machine_end(struct etm_emulator *e, enum etm_run_end end,
                     uint32_t address);
void etm_machine_fail(struct etm_emulator *e, int status, const char *what);

/* hooks.c */
bool etm_machine_hook(struct etm_emulator *e);
/* Does it wait for an interrupt? */
bool etm_machine_is_wait(const struct etm_current *c);

/* trace.c */
/* NULL: there is no memory. Valid up to the next call. */
const struct etm_insn *etm_machine_decode(struct etm_emulator *e,
                                          enum etm_isa isa, uint32_t address);
/* The instruction at `address` begins. */
void etm_machine_begin(struct etm_emulator *e, uint32_t address, uint32_t psr,
                       enum etm_isa isa, const struct etm_insn *insn);
/* The current instruction has completed, and execution is at `address`. */
void etm_machine_complete(struct etm_emulator *e, uint32_t address,
                          uint32_t psr);
/* It has completed without a branch; returns the address after it. */
uint32_t etm_machine_finish(struct etm_emulator *e, uint32_t psr);
/* It does not complete; with or without the transfers it has made. */
void etm_machine_abandon(struct etm_emulator *e, bool with_data);
/* Ignore it: remove its events. */
void etm_machine_forget(struct etm_emulator *e);

/* exception.c: returns where execution goes on, with the T bit in bit 0. */
uint32_t etm_machine_take(struct etm_emulator *e, enum etm_exception_type type,
                          uint32_t link, bool cancels);
/* An interrupt that is not masked is taken: *next. False: there is none. */
bool etm_machine_interrupt(struct etm_emulator *e, uint32_t address,
                           uint32_t *next);
bool etm_machine_preempts(const struct etm_emulator *e, uint32_t psr);
/* Coprocessor writes that change what exceptions do, and the context ID. */
void etm_machine_coprocessor(struct etm_emulator *e, uint32_t opcode,
                             uint32_t value);

/* m_entry.c; the same, for the M profile */
bool etm_m_interrupt(struct etm_emulator *e, uint32_t address, uint32_t *next);
uint32_t etm_m_svc(struct etm_emulator *e, uint32_t link);
uint32_t etm_m_fault(struct etm_emulator *e, unsigned number, uint32_t link,
                     bool cancels);
uint32_t etm_m_return(struct etm_emulator *e, uint32_t value);
/* Would a pending exception end a WFI? */
bool etm_m_wakes(const struct etm_emulator *e);
/* Will one be taken before the next instruction? */
bool etm_m_preempts(struct etm_emulator *e);

/* m_space.c */
#define ETM_M_SPACE 0xe000e000u
void etm_m_reset(struct etm_emulator *e);
uint32_t etm_m_space_read(struct etm_emulator *e, uint32_t offset);
void etm_m_space_write(struct etm_emulator *e, uint32_t address, uint32_t value,
                       uint32_t size);
/* SysTick, if it is due. */
void etm_m_tick(struct etm_emulator *e);

/* interrupts.c */
/* Where it is noted that one of the list is pending. */
bool *etm_machine_pending(struct etm_emulator *e,
                          const struct etm_interrupt *interrupt);
/* Interrupts of the list that are due by now become pending; `at` of each is
 * when it comes next. */
void etm_machine_collect(struct etm_emulator *e);
/* Has something to be done before the next instruction? */
bool etm_machine_attention(struct etm_emulator *e, uint32_t psr);
/* WFI: until an interrupt is pending, masked or not (ARMv7-A, B1.8.14). */
void etm_machine_wait(struct etm_emulator *e, uint32_t address);

/* repeat.c */
void etm_machine_repeat_begin(struct etm_emulator *e);
void etm_machine_repeat_end(struct etm_emulator *e);
/* Has this state occurred before, so that it will repeat forever? Asked before
   an instruction, but not within an IT block. */
bool etm_machine_repeats(struct etm_emulator *e, uint32_t at, uint32_t psr);
/* Something has come from outside, like the value of a timer. */
void etm_machine_repeat_forget(struct etm_emulator *e);

/* semihost.c: one call; `done` and the result are set by SYS_EXIT. */
void etm_machine_semihost(struct etm_emulator *e);

#endif
