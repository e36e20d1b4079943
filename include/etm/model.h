/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generating trace: from what a processor did, as events or as a log, to the
 * trace that a real macrocell would output. The inverse of <etm/decode.h>.
 */
#ifndef ETM_MODEL_H
#define ETM_MODEL_H

#include <etm/decode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Generators ---------------------------------------------------------- */

/*
 * The macrocell in software: from what a processor did to the trace that a real
 * macrocell would output. The inverse of etm/decode.h.
 *
 * An execution is an array of events, plain values without pointers. They can
 * come from a simulator's log, from a debugger's single steps or from a test.
 */

enum etm_event_kind {
    ETM_EVENT_INSN,
    ETM_EVENT_DATA,
    ETM_EVENT_DATA_VALUE,
    ETM_EVENT_STACKING,
    ETM_EVENT_SUPPRESS,
    ETM_EVENT_EXCEPTION,
    ETM_EVENT_CONTEXT,
    ETM_EVENT_TIMESTAMP,
    ETM_EVENT_TRIGGER,
    ETM_EVENT_TRACE_ON,
    ETM_EVENT_TRACE_OFF,
    ETM_EVENT_IDLE,
    ETM_EVENT_PINS,
    ETM_EVENT_EXT_INPUTS,
    ETM_EVENT_WAIT,
    ETM_EVENT_PLACE,
};

/* Where execution goes on, and the state of the processor there. */
struct etm_place {
    uint32_t address; /* without the T bit */
    uint8_t isa;      /* enum etm_isa */
    bool ns;          /* Non-secure; only traced if config->security is set */
    bool hyp;         /* Hyp mode */
};

/* An M-profile exception that is taken at an exception return. */
enum etm_chain {
    ETM_CHAIN_NONE = 0,
    ETM_CHAIN_TAIL,     /* tail-chained: no pop, no push (ETM architecture
                           7.5.4) */
    ETM_CHAIN_PREEMPTED /* the pop was abandoned, the return instruction
                           completed */
};

/*
 * Tracing begins while a data instruction still transfers its data (ETM
 * architecture 7.7.3; ETMv2: a load/store multiple, 6.5.5). It is the last
 * instruction, whose insn event comes before.
 */
enum etm_in_progress {
    ETM_IN_PROGRESS_NO = 0,
    ETM_IN_PROGRESS_UNDER, /* while the instruction at `at` executes */
    ETM_IN_PROGRESS_ALONE  /* before the instruction at `at` begins */
};

/*
 * One thing that happened, in program order.
 *
 * A generator has to be told what to trace: the kinds TRACE_ON, TRACE_OFF,
 * TRIGGER and SUPPRESS and the field data.filtered are for generators only. A
 * macrocell (etm_macrocell_run() of <etm/macrocell.h>) derives these from its
 * registers, and also uses the last five kinds and context.user, of which
 * generators use only the cycles.
 *
 * cycles: processor cycles since the previous event, whatever its kind.
 * ETM_CYCLES_UNKNOWN is allowed only for a trace_on, if the length of the gap
 * is not known (ETMv3 then traces a count of 0, PFT only the cycles it knows
 * of). Without any known cycles they are 0.
 *
 * While tracing is off, also before the first trace_on, all other events only
 * change the state of the processor and let cycles pass.
 */
struct etm_event {
    uint8_t kind; /* enum etm_event_kind */
    uint64_t cycles;
    union {
        /* An instruction reached the Execute stage. */
        struct {
            uint32_t address;
            uint32_t opcode;       /* 32-bit Thumb: first halfword in [31:16];
                                      Jazelle: first byte in [7:0], the next in
                                      [15:8] and so on, up to four bytes */
            uint8_t isa;           /* enum etm_isa */
            uint8_t size;          /* bytes */
            bool passed;           /* it passed its condition; CBZ, CBNZ and
                                      Jazelle's if... instructions: the branch
                                      was taken */
            bool exception_return; /* M-profile: it loaded EXC_RETURN into the
                                      PC; in other profiles the opcode tells */
            uint8_t resume;        /* the instruction at `next` was paused after
                                      this many transfers and is resumed; only
                                      traced with data */
            struct etm_place next; /* where this instruction leads; isa
                                      ETM_ISA_UNKNOWN: to the instruction after
                                      it in memory, in the same state */
        } insn;
        /*
         * The next transfer of the last data instruction whose condition
         * passed, or of the stacking that came after it. Instructions that
         * transfer no data may come between. A load/store multiple, a
         * doubleword and a swap have an event for each word, in the order of
         * the transfers. Fewer than the instruction makes may come, but not
         * more. Generators that trace no data ignore these events and the three
         * kinds below.
         */
        struct {
            uint32_t address; /* ignored for coprocessor registers */
            uint64_t value;   /* if the store failed, 0 is traced */
            uint8_t size;     /* bytes: 1, 2 or 4 */
            bool store;
            bool big_endian; /* CPSR.E */
            bool failed;     /* STREX that did not store */
            bool filtered;   /* ViewData was not active */
            /* 1 to 3 (ETMv2: 4): the value comes later, with the data_value
             * event of that tag. Two consecutive events with the same tag are
             * one doubleword (ETM architecture 7.4.3). 0: `value` is valid. */
            uint8_t tag;
        } data;
        /* The value of an earlier transfer with that tag; tracing may be
         * off. */
        struct {
            uint64_t value;
            uint8_t tag;
            bool failed;
        } data_value;
        /*
         * M-profile: the processor itself begins to push eight registers,
         * before an exception, or to pop them, after an exception return; data
         * events follow (ETM architecture 7.5.3, 7.5.4). Directly after a
         * trace_on: tracing begins while it does so; `next` is where the
         * exception return leads.
         */
        struct {
            bool pop;
            struct etm_place next;
        } stacking;
        /* SuppressData is asserted or deasserted (7.4.6). */
        struct {
            bool on;
        } suppress;
        /*
         * An exception is taken. `cancels`: the last instruction did not
         * complete; its insn event must come directly before (except for data
         * and, in ETMv3, timestamps, triggers and context changes). An
         * instruction that raises the exception without being traced, as in a
         * prefetch abort, has no event of its own. Debug entry is
         * ETM_EXCEPTION_DEBUG_HALT: `next` is ignored, and tracing is off until
         * the next trace_on.
         */
        struct {
            uint8_t type; /* enum etm_exception_type */
            bool cancels;
            uint16_t irq;   /* N of ETM_EXCEPTION_IRQ_N */
            uint8_t chain;  /* enum etm_chain */
            uint8_t resume; /* transfers done before the pause, 0 to 15; only
                               traced with data */
            struct etm_place next;
        } exception;
        /* Context ID and VMID, for the instructions that follow. `user`: they
         * run in User mode, up to the next exception or context event. */
        struct {
            uint32_t context_id;
            uint8_t vmid;
            bool user;
        } context;
        struct {
            uint64_t value; /* natural binary */
            bool frequency_changed;
        } timestamp;
        /* Tracing begins; `at` is the first instruction traced. */
        struct {
            uint8_t reason;      /* enum etm_trace_on_reason */
            uint8_t in_progress; /* enum etm_in_progress: ETMv2, ETMv3 */
            struct etm_place at;
        } trace_on;
        /* IDLE has no fields: only its cycles pass. */
        /* Inputs of a macrocell from this cycle on: all of them. */
        struct {
            uint8_t ext_in;       /* external input n in bit n-1 */
            uint8_t eice;         /* EmbeddedICE comparator n in bit n-1 */
            uint8_t eice_sampled; /* comparators with a sample point in this
                                     cycle (ETM architecture 7.6.3); v3.4 and
                                     later */
            uint16_t mmd;         /* memory map decoder n in bit n-1 */
        } pins;
        /* Extended external inputs 32 * word to 32 * word + 31, the lowest in
         * bit 0 (ETM architecture 3.5.20). */
        struct {
            uint8_t word; /* 0 to 7 */
            uint32_t level;
        } ext_inputs;
        /* Execution continues there for a reason that is not traced: at its
         * beginning, or because a debugger changed the PC in Debug state. */
        struct {
            struct etm_place at;
        } place;
        /* WAIT has no fields: the processor waits for an interrupt or an event
         * until the next insn or exception event, and its clock may stop (ETM
         * architecture 4.12). */
    } u;
};

/* Called with events in program order. A return value other than 0 stops the
 * function that calls it. */
typedef int etm_event_fn(void *context, const struct etm_event *events,
                         size_t n);

/* How many atoms go into one atom packet or P-header. */
enum etm_packing {
    ETM_PACKING_DENSE = 0, /* as many as fit */
    ETM_PACKING_SINGLE     /* a packet for each instruction */
};

/* No return stack, although config->return_stack is set. */
#define ETM_RETURN_STACK_NONE UINT8_MAX

struct etm_generator_config {
    size_t size;                     /* sizeof this struct, or 0 */
    const struct etm_config *config; /* copied; sync_period 0: 1024 bytes */

    /*
     * The output, in order: the packets, as a packet decoder would give them,
     * and the bytes. Each function may be NULL. A return value other than 0
     * stops the generator, and push returns it.
     */
    etm_packet_fn *packets;
    etm_bytes_fn *bytes;
    void *context;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */

    /* What the architecture leaves to the implementation. */
    uint8_t packing;               /* enum etm_packing */
    uint8_t return_stack_size;     /* PFT: 1 to 15 entries; 0: 15;
                                  ETM_RETURN_STACK_NONE (architecture 4.13) */
    uint8_t deprecated_exceptions; /* ETMv3, enum etm_tri: use the five-byte
                                      form where possible; ETM_UNKNOWN: up to
                                      v3.1 */
    bool separate_cycle_count;     /* ETMv3: in a packet of its own, not in the
                                      I-sync */
    bool cancelled_as_failed;      /* ETMv3: N atom for a cancelled or undefined
                                  instruction (7.3.2) */
    bool no_debug_entry;           /* no packet for the entry to Debug state */
    bool full_addresses;           /* no compression of addresses */
    bool fold_branches;       /* ETMv2: a direct branch and an instruction with
                                 0 cycles after it share one status (6.1.2) */
    uint8_t fifo_size;        /* ETMv1: 9 to 255 bytes, 0: 45; ETMv2: 16 to 95,
                                 0: 60. Not used for other protocols */
    bool spread_sync;         /* periodic A-sync and I-sync are not sent
                                 together */
    bool branch_before_data;  /* ETMv3: if an instruction has both */
    bool data_only_addresses; /* ETMv3, data-only mode (7.4.10): an address
                                 after a transfer that is left out, instead of
                                 a Value Not Traced packet */
};

struct etm_generator;

/*
 * Make a generator. On success *generator is owned by the caller; on failure
 * it is NULL. ETM_ERR_ARGUMENT, ETM_ERR_CONFIG, ETM_ERR_UNSUPPORTED (no
 * generator for this protocol), ETM_ERR_MEMORY.
 */
int etm_generator_new(struct etm_generator **generator,
                      const struct etm_generator_config *config);

/*
 * Feed events; they are borrowed for the call. The last instruction is held
 * back until it is known whether an exception cancels it. ETM_ERR_ARGUMENT: the
 * protocol or version cannot trace such an event, or the event contradicts
 * earlier ones; later events of the call were not used. ETM_ERR_MEMORY, or what
 * a callback returned. After an error, every later call returns the same error.
 */
int etm_generator_push(struct etm_generator *generator,
                       const struct etm_event *events, size_t n);

/* The end of the execution: outputs what is held back. In PFT, instructions
 * after the last waypoint are not traced. Errors as for etm_generator_push(). A
 * later push or finish returns ETM_ERR_ARGUMENT. */
int etm_generator_finish(struct etm_generator *generator);

/* Accepts NULL. */
void etm_generator_free(struct etm_generator *generator);

/* "insn", ...; never NULL, static storage. */
const char *etm_event_kind_name(enum etm_event_kind kind);

/* ---- Executions as text -------------------------------------------------- */

/*
 * Executions as text: from the log of a simulator or debugger to the events of
 * <etm/model.h>, and back. Two formats are read: our own, whose grammar is in
 * doc/execution-log.md, and the Tarmac logs of Arm's models and RTL.
 */

enum etm_execution_format {
    ETM_EXECUTION_LOG = 0, /* our own; strict: reading ends at a mistake */
    ETM_EXECUTION_TARMAC   /* tolerant: lines that are not understood are
                              counted */
};

struct etm_execution_reader;

struct etm_execution_reader_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_execution_format format;
    const char *name; /* of the file, for messages; copied; NULL: none */
    /* The architecture profile of the processor. M: there is no Arm state, and
     * exceptions in a Tarmac log are identified by their numbers. */
    enum etm_profile profile;
    /* The processor loads the PC of a load multiple first (as in struct
     * etm_config), not in the order of addresses. Transfers of a Tarmac log,
     * and those on the line of their instruction, may be in either order; they
     * are put into the order of this processor. */
    bool pc_first;
    /* Tarmac: units of time per processor cycle. 0: 1 if the unit is clk, tic,
     * cyc or cs; otherwise every instruction takes one cycle. */
    uint64_t period;
    const char *cpu; /* Tarmac: lines of other processors are skipped; copied;
                        NULL: the first processor in the log */
    /* Receives the events in batches; `next` of each instruction is set. */
    etm_event_fn *events;
    void *context;                         /* of `events` */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Make a reader. On success *reader is owned by the caller; on failure it is
 * NULL. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_execution_reader_new(struct etm_execution_reader **reader,
                             const struct etm_execution_reader_config *config);

/*
 * The next `n` bytes of the text, borrowed for the call. The events do not
 * depend on how the text is divided into calls.
 *
 * ETM_ERR_FORMAT: a line is invalid; *diag (may be NULL) has its number and the
 * reason. ETM_ERR_MEMORY; or what `events` returned. After an error, every
 * later call returns the same error; events of earlier lines may not have been
 * delivered. ETM_ERR_ARGUMENT: after etm_execution_reader_finish().
 */
int etm_execution_reader_push(struct etm_execution_reader *reader,
                              const char *text, size_t n,
                              struct etm_diag *diag);

/*
 * The end of the text. Errors as for etm_execution_reader_push();
 * ETM_ERR_FORMAT also if the text does not show where the last branch or
 * exception led; ETM_ERR_ARGUMENT if called twice.
 */
int etm_execution_reader_finish(struct etm_execution_reader *reader,
                                struct etm_diag *diag);

/* What was read so far. */
struct etm_execution_report {
    uint64_t lines;
    uint64_t instructions;
    uint64_t transfers;
    uint64_t exceptions;
    /* Tarmac only: */
    uint64_t passed_over;     /* lines about other things, skipped */
    uint64_t not_understood;  /* lines that should have a meaning */
    uint64_t first;           /* number of the first such line; 0: none */
    char text[128];           /* that line, cut off if it is longer */
    uint64_t aarch64;         /* instructions of AArch64 code, left out: it has
                                 no trace of these architectures */
    uint64_t aarch64_line;    /* number of the first one's line; 0: none */
    uint64_t step;            /* if the unit of time is a cycle: all times from
                                 one instruction to the next are multiples of
                                 this; 0: there are none */
    enum etm_profile profile; /* M: only such a processor writes this;
                                 otherwise UNKNOWN */
    uint64_t reserve[8];
};

/* Get what was read so far. May be called at any time. */
void etm_execution_reader_report(const struct etm_execution_reader *reader,
                                 struct etm_execution_report *report);

/*
 * The line, counted from 1, that event `i` of the array comes from which
 * `events` was called with. May be called from there only; otherwise, and if
 * there is no such event, it is 0.
 */
uint64_t etm_execution_reader_line(const struct etm_execution_reader *reader,
                                   size_t i);

/* Accepts NULL. */
void etm_execution_reader_free(struct etm_execution_reader *reader);

struct etm_execution_writer;

struct etm_execution_writer_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_profile profile;
    etm_write_fn *write;                   /* takes the text in large pieces */
    void *context;                         /* of `write` */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Make a writer for ETM_EXECUTION_LOG. A reader of the same profile gives the
 * same events back, except that an instruction's `next` that was left to the
 * library (ETM_ISA_UNKNOWN) is set, and that fields without a meaning are 0:
 * the `next` of an entry to Debug state, the value of a transfer that waits for
 * a data_value event. On success the caller owns *writer; on failure it is
 * NULL. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_execution_writer_new(struct etm_execution_writer **writer,
                             const struct etm_execution_writer_config *config);

/*
 * Write events; they are borrowed for the call. ETM_OK; ETM_ERR_ARGUMENT: an
 * unknown kind of event, another enumeration with a value that it does not
 * have, or a number that no reader takes: a transfer that has not 1, 2, 4 or 8
 * bytes, or a value that does not fit into them; a tag above 4, one of a
 * transfer of 8 bytes, or a data_value event without any; a `resume` above 15;
 * a place that is not aligned to its instruction set; an instruction whose size
 * that does not have, or whose opcode is longer; a word of external inputs
 * above 7; cycles that are not known of anything but a trace_on. Or what
 * `write` returned. After an error, every later call returns the same error.
 */
int etm_execution_writer_push(struct etm_execution_writer *writer,
                              const struct etm_event *events, size_t n);

/* End the last line. Errors as above. */
int etm_execution_writer_finish(struct etm_execution_writer *writer);

/* Accepts NULL. */
void etm_execution_writer_free(struct etm_execution_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
