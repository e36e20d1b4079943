/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements: what the traced processor did, one plain value each, without
 * pointers. doc/elements.md says what each of them means.
 */
#ifndef ETM_ELEMENT_H
#define ETM_ELEMENT_H

#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text) */
#define ETM_ELEMENT_LIST(X)                                                    \
    X(TRACE_ON, "trace_on")                                                    \
    X(LOST, "lost")                                                            \
    X(CONTEXT, "context")                                                      \
    X(RANGE, "range")                                                          \
    X(INSN, "insn")                                                            \
    X(NO_IMAGE, "no_image")                                                    \
    X(EXCEPTION, "exception")                                                  \
    X(EXCEPTION_RETURN, "exception_return")                                    \
    X(DATA, "data")                                                            \
    X(CYCLES, "cycles")                                                        \
    X(TIMESTAMP, "timestamp")                                                  \
    X(TRIGGER, "trigger")                                                      \
    X(END, "end")                                                              \
    X(SOFTWARE, "software")                                                    \
    X(PC_SAMPLE, "pc_sample")                                                  \
    X(EVENT_COUNTER, "event_counter")                                          \
    X(LOCAL_TIMESTAMP, "local_timestamp")

enum etm_element_kind {
#define ETM_ELEMENT_ENUM(name, text) ETM_ELEMENT_##name,
    ETM_ELEMENT_LIST(ETM_ELEMENT_ENUM)
#undef ETM_ELEMENT_ENUM
};

/* "trace_on", ...; never NULL, static storage. */
const char *etm_element_kind_name(enum etm_element_kind kind);

/* X(name, text): why a stretch of trace begins */
#define ETM_TRACE_ON_LIST(X)                                                   \
    X(START, "start")                                                          \
    X(OVERFLOW, "overflow")                                                    \
    X(DEBUG_EXIT, "debug_exit")

enum etm_trace_on_reason {
#define ETM_TRACE_ON_ENUM(name, text) ETM_TRACE_ON_##name,
    ETM_TRACE_ON_LIST(ETM_TRACE_ON_ENUM)
#undef ETM_TRACE_ON_ENUM
};

/* "start", ...; never NULL, static storage. */
const char *etm_trace_on_name(enum etm_trace_on_reason reason);

/* X(name, text): why bytes could not be used */
#define ETM_LOST_LIST(X)                                                       \
    X(UNSYNCHRONIZED, "unsynchronized")                                        \
    X(BAD_PACKET, "bad_packet")                                                \
    X(BAD_FRAME, "bad_frame")                                                  \
    X(IMAGE_MISMATCH, "image_mismatch")                                        \
    X(TRUNCATED, "truncated")

enum etm_lost_reason {
#define ETM_LOST_ENUM(name, text) ETM_LOST_##name,
    ETM_LOST_LIST(ETM_LOST_ENUM)
#undef ETM_LOST_ENUM
};

/* "unsynchronized", ...; never NULL, static storage. */
const char *etm_lost_name(enum etm_lost_reason reason);

/* X(name, text): class of an instruction; independent of the protocol */
#define ETM_INSN_TYPE_LIST(X)                                                  \
    X(OTHER, "other")                                                          \
    X(DIRECT, "direct")                                                        \
    X(INDIRECT, "indirect")                                                    \
    X(BARRIER, "barrier")

enum etm_insn_type {
#define ETM_INSN_TYPE_ENUM(name, text) ETM_INSN_TYPE_##name,
    ETM_INSN_TYPE_LIST(ETM_INSN_TYPE_ENUM)
#undef ETM_INSN_TYPE_ENUM
};

/* "direct", ...; never NULL, static storage. */
const char *etm_insn_type_name(enum etm_insn_type type);

/* X(name, text): what an exception number means */
#define ETM_EXCEPTION_LIST(X)                                                  \
    X(RESERVED, "reserved")                                                    \
    X(RESET, "reset")                                                          \
    X(UNDEFINED, "undefined")                                                  \
    X(SVC, "svc")                                                              \
    X(SMC, "smc")                                                              \
    X(HVC, "hvc")                                                              \
    X(PREFETCH_ABORT, "prefetch_abort")                                        \
    X(DATA_ABORT, "data_abort")                                                \
    X(ASYNC_DATA_ABORT, "async_data_abort")                                    \
    X(IRQ, "irq")                                                              \
    X(FIQ, "fiq")                                                              \
    X(NMI, "nmi")                                                              \
    X(DEBUG_HALT, "debug_halt")                                                \
    X(JAZELLE_THUMBEE, "jazelle_thumbee")                                      \
    X(GENERIC, "generic")                                                      \
    X(HYP_ENTRY, "hyp_entry")                                                  \
    X(HARD_FAULT, "hard_fault")                                                \
    X(MEM_MANAGE, "mem_manage")                                                \
    X(BUS_FAULT, "bus_fault")                                                  \
    X(USAGE_FAULT, "usage_fault")                                              \
    X(DEBUG_MONITOR, "debug_monitor")                                          \
    X(PEND_SV, "pend_sv")                                                      \
    X(SYS_TICK, "sys_tick")                                                    \
    X(IRQ_N, "irqN")                                                           \
    X(THREAD, "thread") /* no exception: a DWT returns to it */                \
    X(SECURE_FAULT, "secure_fault")

enum etm_exception_type {
#define ETM_EXCEPTION_ENUM(name, text) ETM_EXCEPTION_##name,
    ETM_EXCEPTION_LIST(ETM_EXCEPTION_ENUM)
#undef ETM_EXCEPTION_ENUM
};

/*
 * "irq", "hard_fault" ... For ETM_EXCEPTION_IRQ_N the text is "irqN": replace N
 * by the number (etm_element.u.exception.irq). Never NULL, static storage.
 */
const char *etm_exception_name(enum etm_exception_type type);

/* X(name, text): what became of an exception. An ETM traces entries only; a DWT
 * has the values of its packets (ARMv7-M ARM, D4.3.2). */
#define ETM_EXCEPTION_ACTION_LIST(X)                                           \
    X(UNTOLD, "untold") /* of an ETM: it was entered */                        \
    X(ENTER, "enter")                                                          \
    X(EXIT, "exit")                                                            \
    X(RETURN, "return") /* execution is in it again, 0: in Thread mode */

enum etm_exception_action {
#define ETM_ACTION_ENUM(name, text) ETM_EXCEPTION_##name,
    ETM_EXCEPTION_ACTION_LIST(ETM_ACTION_ENUM)
#undef ETM_ACTION_ENUM
};

/* "enter", ...; never NULL, static storage. */
const char *etm_exception_action_name(enum etm_exception_action action);

/* X(name, text): what a sample of the program counter found */
#define ETM_PC_LIST(X)                                                         \
    X(RUNNING, "running")                                                      \
    X(SLEEPING, "sleeping")                                                    \
    X(PROHIBITED, "prohibited") /* code that may not be traced */

enum etm_pc_state {
#define ETM_PC_ENUM(name, text) ETM_PC_##name,
    ETM_PC_LIST(ETM_PC_ENUM)
#undef ETM_PC_ENUM
};

/* "running", ...; never NULL, static storage. */
const char *etm_pc_state_name(enum etm_pc_state state);

/* X(name, text): state of a data transfer */
#define ETM_DATA_LIST(X)                                                       \
    X(OK, "ok")                                                                \
    X(NOT_TRACED, "not_traced")                                                \
    X(SUPPRESSED, "suppressed")                                                \
    X(STORE_FAILED, "store_failed")

enum etm_data_status {
#define ETM_DATA_ENUM(name, text) ETM_DATA_##name,
    ETM_DATA_LIST(ETM_DATA_ENUM)
#undef ETM_DATA_ENUM
};

/* "ok", ...; never NULL, static storage. */
const char *etm_data_status_name(enum etm_data_status status);

/* Kind of register that a transfer loaded or stored, if the instruction
 * says so. */
enum etm_register_kind {
    ETM_REGISTER_NO = 0,
    ETM_REGISTER_CORE,   /* R0 to R15 */
    ETM_REGISTER_S,      /* single-precision register */
    ETM_REGISTER_D_LOW,  /* word of a D register, the one at the lower
                            address */
    ETM_REGISTER_D_HIGH, /* ... and the one at the higher address */
    ETM_REGISTER_XPSR    /* program status: M-profile stacking, RFE, SRS, MRC */
};

/* A transfer's place in its instruction is not known. */
#define ETM_DATA_INDEX_UNKNOWN 0xffu

/* A count of cycles that is not known. */
#define ETM_CYCLES_UNKNOWN UINT64_MAX

/* The time of a timestamp is not known: the macrocell had no time to trace (ETM
 * architecture, v3.5, 7.7.4). */
#define ETM_TIMESTAMP_UNKNOWN UINT64_C(0)

/* Bits of the `flags` of instructions. */
enum etm_insn_flag {
    ETM_INSN_LINK = 1u << 0,        /* writes a return address: BL, BLX ... */
    ETM_INSN_RETURN = 1u << 1,      /* returns from a subroutine or exception */
    ETM_INSN_CONDITIONAL = 1u << 2, /* has a condition other than "always" */
    /* with ETM_INSN_RETURN: RFE, SUBS PC ..., ERET, LDM that loads the PC and
     * the CPSR; in the M profile the instruction does not tell */
    ETM_INSN_EXCEPTION_RETURN = 1u << 3
};

/*
 * One element. `source` is the trace source ID. `offset` is the position of the
 * first byte of the packet that produced it: in the stream if it comes from a
 * decoder, in the capture file if it comes from a session.
 */
struct etm_element {
    uint64_t offset;
    uint8_t kind;   /* enum etm_element_kind */
    uint8_t source; /* trace source ID, 0 for an unformatted stream */
    /*
     * Cycle-accurate ETMv3: for data transfers, triggers, and contexts changed
     * by a context ID packet, the cycles from the previous instruction, range
     * or gap to this packet. The cycles of what comes next include them. Not
     * known for out-of-order values, and for packets to which the specification
     * assigns no cycle (7.3.3).
     */
    bool since_known;
    uint32_t since;
    union {
        struct {
            uint8_t reason; /* enum etm_trace_on_reason */
        } trace_on;
        struct {
            uint8_t reason; /* enum etm_lost_reason */
            uint64_t bytes; /* of this source's stream */
        } lost;
        struct {
            uint8_t isa;    /* enum etm_isa */
            uint8_t secure; /* enum etm_tri, as is `hyp` */
            uint8_t hyp;
            bool context_id_known, vmid_known;
            uint8_t vmid;
            uint32_t context_id;
        } context;
        /* Consecutive instructions; last_... describe the one at
         * last_address */
        struct {
            uint8_t isa;
            uint8_t last_type;  /* enum etm_insn_type */
            uint8_t last_exec;  /* enum etm_tri: it passed its condition */
            uint8_t last_flags; /* enum etm_insn_flag */
            uint32_t start;
            uint32_t end; /* exclusive */
            uint32_t n;   /* instructions, at least 1 */
            uint32_t last_address;
            uint64_t cycles; /* ETM_CYCLES_UNKNOWN */
        } range;
        struct {
            uint8_t isa;
            uint8_t type;
            uint8_t exec;
            uint8_t flags;
            uint8_t size; /* bytes: 2 or 4; Jazelle 1 to 5 and more */
            uint32_t address;
            uint32_t opcode; /* 32-bit Thumb: first halfword in [31:16] */
            uint64_t cycles;
        } insn;
        struct {
            uint32_t address;
        } no_image;
        struct {
            uint16_t number; /* as traced */
            uint16_t irq;    /* N of irqN */
            uint8_t type;    /* enum etm_exception_type */
            uint8_t resume;
            bool return_known, cancels_known;
            uint32_t return_address; /* preferred return address */
            uint32_t cancels;        /* address of the cancelled instruction */
            uint8_t action;          /* enum etm_exception_action */
        } exception;
        struct {
            bool insn_known, address_known, value_known;
            uint8_t size;     /* bytes; 0: not known */
            uint8_t store;    /* enum etm_tri */
            uint8_t index;    /* within one instruction, from 0;
                                 ETM_DATA_INDEX_UNKNOWN */
            uint8_t status;   /* enum etm_data_status */
            uint8_t be8;      /* enum etm_tri */
            uint8_t reg_kind; /* enum etm_register_kind */
            uint8_t reg;
            /* Of a DWT: the comparator that matched, and bits [15:0] of the
             * address. */
            bool comparator_known;
            uint8_t comparator;
            uint32_t insn;
            uint32_t address;
            bool address_low_known;
            uint16_t address_low;
            uint64_t value;
        } data;
        struct {
            uint64_t n; /* ETM_CYCLES_UNKNOWN */
        } cycles;
        struct {
            uint64_t value; /* ETM_TIMESTAMP_UNKNOWN */
        } timestamp;
        /* Written to a stimulus port. */
        struct {
            uint8_t port; /* 0 to 255 */
            uint8_t size; /* bytes: 1, 2 or 4 */
            uint32_t value;
        } software;
        struct {
            uint8_t state; /* enum etm_pc_state */
            uint32_t address;
        } pc_sample;
        /* Counters that wrapped: bits 1 << enum etm_itm_counter. */
        struct {
            uint8_t counters;
        } event_counter;
        /* Ticks of the ITM's timestamp clock since the last one. */
        struct {
            uint8_t relation; /* enum etm_itm_relation */
            uint32_t delta;
            uint64_t ticks; /* the sum of all so far */
        } local_timestamp;
    } u;
};

#ifdef __cplusplus
}
#endif
#endif
