/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The macrocell as a debugger sees it: registers that are read and written
 * through one of its interfaces (ETM architecture, chapter 3; program flow
 * trace macrocells have the same registers with exclusions of their own).
 *
 * A register has a number, its byte offset divided by 4: etm_register_number()
 * and etm_register_name() of <etm/config.h>.
 */
#ifndef ETM_MACROCELL_H
#define ETM_MACROCELL_H

#include <etm/config.h>
#include <etm/model.h>

#ifdef __cplusplus
extern "C" {
#ifdef __GNUC__ /* g++ -Wshadow: a function has the name of a struct */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#endif

/* Who makes an access, and which way it comes (3.2, 3.9.1). */
enum etm_access {
    ETM_ACCESS_SOFTWARE = 0,     /* memory-mapped, by software */
    ETM_ACCESS_DEBUGGER,         /* memory-mapped, by a debugger */
    ETM_ACCESS_COPROCESSOR,      /* CP14, privileged; this is software even
                                    where a debugger feeds the instruction */
    ETM_ACCESS_COPROCESSOR_USER, /* CP14, User mode */
    ETM_ACCESS_JTAG              /* scan chain 6; registers below 0x80 */
};

/*
 * What became of an access (3.9.2). Only an access that is OK has its
 * effects; a read gives a value with OK and IGNORED, and 0 otherwise.
 */
enum etm_access_result {
    ETM_ACCESS_OK = 0,
    ETM_ACCESS_IGNORED,       /* a write had no effect at all; a read gave its
                                 value without the effects of reading */
    ETM_ACCESS_ERROR,         /* bus error or Undefined Instruction */
    ETM_ACCESS_UNPREDICTABLE, /* nothing happened here; silicon may differ */
    ETM_ACCESS_IMPOSSIBLE     /* no power, or no such interface */
};

/*
 * Mistakes of programming: the specification calls the result UNPREDICTABLE.
 * The macrocell goes on as said here, and remembers them for
 * etm_macrocell_mistakes(). X(name, bit, text)
 */
#define ETM_MISTAKE_LIST(X)                                                    \
    X(RESERVED_REGISTER, 0, "a register that does not exist was written")      \
    X(READ_ONLY, 1, "a read-only register was written")                        \
    X(WRITE_ONLY, 2, "a write-only register was read")                         \
    X(RESERVED_BITS, 3, "reserved bits were written with ones")                \
    X(RESERVED_VALUE, 4, "a field was written with a reserved value")          \
    X(TRACING, 5, "a register was written without the programming bit")        \
    X(CONTROL, 6,                                                              \
      "bits of ETMCR were changed without the programming bit in effect")      \
    X(SUPPRESS_AND_STALL, 7,                                                   \
      "data suppression and stalling were both switched on")                   \
    X(PORT, 8, "the trace port has no such size or mode")                      \
    X(CORE_SELECT, 9,                                                          \
      "the core selected does not exist, or was changed with power on")        \
    X(OS_SAVE_RESTORE, 10, "ETMOSSRR was used out of its sequence")

enum etm_mistake {
#define ETM_MISTAKE_ENUM(name, bit, text) ETM_MISTAKE_##name = 1 << (bit),
    ETM_MISTAKE_LIST(ETM_MISTAKE_ENUM)
#undef ETM_MISTAKE_ENUM
};

/* Text of one mistake; never NULL, static storage. */
const char *etm_mistake_text(enum etm_mistake mistake);

/* Which data a macrocell can trace (table 7-20); ETMv3.3 leaves the choice. */
enum etm_data_features {
    ETM_DATA_FEATURES_ALL = 0,
    ETM_DATA_FEATURES_ADDRESS, /* data addresses only */
    ETM_DATA_FEATURES_VALUE,   /* data values and coprocessor transfers */
    ETM_DATA_FEATURES_NONE     /* and no ViewData registers */
};

/* Interfaces of a macrocell (3.2): bits of a mask. */
enum etm_interface {
    ETM_INTERFACE_JTAG = 1,
    ETM_INTERFACE_COPROCESSOR = 2, /* ETMv3.1 and later */
    ETM_INTERFACE_MEMORY = 4       /* ETMv3.2 and later */
};

/*
 * What a macrocell is made of. Zero means default for every field. Values of
 * registers may be taken from a dump: bits that the version does not have are
 * passed over.
 */
struct etm_macrocell_config {
    size_t size; /* sizeof this struct, or 0 */

    /* Protocol, version, and the fields of ETMIDR and ETMCCER. What the
       fields of ETMCR say is not used: the registers begin at reset. */
    const struct etm_config *config; /* copied */

    /* ETMCCR (3.5.2), the resources: SAC pairs [3:0], data comparators [7:4],
       memory map decoders [12:8], counters [15:13], sequencer [16], external
       inputs [19:17] and outputs [22:20], FIFOFULL [23], context ID
       comparators [25:24], start/stop block [26] (v1.2 and v1.3 always have
       one). Bits [31:27] follow from version and interfaces. */
    uint32_t ccr;
    /* ETMCCER (3.5.19): extended input selectors [2:0] and inputs [10:3],
       readable registers [11], no data address comparison [12],
       instrumentation resources [15:13], EmbeddedICE inputs [21:16], counter 1
       of reduced function [27]. Of the higher bits, those that struct
       etm_config has come from there. */
    uint32_t ccer;
    /* ETMSCR (3.5.6): fixed bits. [11:10] follow ETMCR. */
    uint32_t scr;
    uint32_t idr;  /* ETMIDR; 0: made of `config`. Version, [20:18] and [16]
                      come from `config` in any case */
    uint32_t idr2; /* ETMIDR2: ETMv3.5, PFT */

    uint8_t interfaces;    /* enum etm_interface; 0: JTAG up to v3.0, JTAG and
                              coprocessor in v3.1, then memory-mapped and, for
                              software, coprocessor */
    uint8_t data_features; /* enum etm_data_features; not PFT */

    /* Optional features that this one lacks; a version that must have it
       ignores that. ETMCR ignores writes of their bits. */
    bool no_data_suppression; /* ETMCR[18]: v3.3 and later */
    bool no_cycle_accurate;   /* ETMCR[12]: v3.3 and later */
    bool no_branch_broadcast; /* ETMCR[8]: v2.0 and later */
    bool no_context_id;       /* ETMCR[15:14] */
    bool no_cprt;             /* ETMCR[1]: v2.1 and later */
    bool no_write_disable;    /* ETMCR[23:22] */
    bool no_os_lock;          /* ETMOSLAR, ETMOSLSR, ETMOSSRR: v3.3 and later;
                                 ETMPDCR. Implied by JTAG (3.2.5) */
    bool no_secure_status;    /* without security: ETMAUTHSTATUS[7:6] */
    bool secure_elsewhere;    /* with security: another component prohibits
                                 tracing of secure code (table 3-64) */

    /* ETMCR[0] is set: true drops writes of trace registers but those that
       3.5.1 keeps. false takes all. */
    bool power_down_drops_writes;
    bool single_power_domain; /* no core power domain of its own (3.9) */
    bool no_sticky;           /* ETMPDSR always reads 1 (3.5.25) */

    /* bit n: size code n of ETMCR[21,6:4] is there; 0: all up to ETMSCR's
       maximum that are not reserved */
    uint16_t port_sizes;
    uint8_t port_modes;      /* bit n: mode n; 0: all that are not reserved */
    uint8_t fifo_size;       /* bytes; 0: 64. In ETMFFLR, v2.0 and later */
    bool fifo_level_ignored; /* ETMFFLR reads as the size of the FIFO */
    bool sync_fixed;         /* ETMSYNCFR is read-only: v3.4 and later */
    uint8_t sync_low_bits;   /* low bits of ETMSYNCFR that are not there */
    uint8_t asic_bits;       /* width of ETMASICCR, to 32; 0: 8 */
    uint8_t implementation;  /* ETMIMPSPEC0[3:0]; 0: no extensions */
    uint16_t part;           /* peripheral ID: part number, 12 bits */
    uint8_t modified;        /* customer modified [3:0], RevAnd [7:4] */
    uint32_t devid;          /* device configuration */
    uint64_t unknown_seed;   /* 0: what a reset leaves UNKNOWN is 0;
                                otherwise pseudo-random bits */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/* Wires into the macrocell that its registers show. */
struct etm_macrocell_pins {
    bool dbgen;
    bool niden;
    bool spiden;
    bool spniden;
    bool os_lock_init; /* DBGOSLOCKINIT: the OS lock is set by a reset. That of
                          a v3.5 or PFT 1.1 in a chip is, whatever the pin (IHI
                          0035B, 3.16.39): set this for one just powered up */
};

struct etm_macrocell;

/*
 * Make a macrocell, with power, after an ETM reset. On success *macrocell is
 * owned by the caller; on failure it is NULL. ETM_ERR_ARGUMENT; ETM_ERR_CONFIG:
 * no macrocell is like that, *diag names the register or field;
 * ETM_ERR_MEMORY.
 */
int etm_macrocell_new(struct etm_macrocell **macrocell,
                      const struct etm_macrocell_config *config,
                      struct etm_diag *diag);

/* Accepts NULL. */
void etm_macrocell_free(struct etm_macrocell *macrocell);

/*
 * One access to register `number`. A register that does not exist reads as
 * zero and ignores writes (3.2.2, 3.2.3). *value is 0 where there is none.
 */
enum etm_access_result etm_macrocell_read(struct etm_macrocell *macrocell,
                                          uint32_t number,
                                          enum etm_access access,
                                          uint32_t *value);
enum etm_access_result etm_macrocell_write(struct etm_macrocell *macrocell,
                                           uint32_t number,
                                           enum etm_access access,
                                           uint32_t value);

/*
 * The register that MRC and MCR p14, 1, Rt, CRn, CRm, opc2 reach (3.2.2), or
 * ETM_REGISTER_NONE: an access is UNPREDICTABLE then.
 */
uint32_t etm_macrocell_coprocessor(const struct etm_macrocell *macrocell,
                                   unsigned crn, unsigned crm, unsigned opc2);

/* The 40 bits of JTAG scan chain 6 (3.2.1): data in [31:0], shifted first,
   register number in [38:32], write in [39]. */
uint64_t etm_jtag_scan(uint32_t number, bool write, uint32_t value);

/*
 * Such a scan, as at UPDATE-DR: makes the access. Returns what the next scan
 * shifts out in [31:0]: the value read, or 0.
 */
uint32_t etm_macrocell_scan(struct etm_macrocell *macrocell, uint64_t scan);

/* ETM reset (3.4.2). A processor reset changes no register. */
void etm_macrocell_reset(struct etm_macrocell *macrocell);

/*
 * Power of the debug and the core domain from now on (3.8). A domain without
 * power loses its state, and comes back with a reset. With a single domain
 * `core` counts for both.
 */
void etm_macrocell_power(struct etm_macrocell *macrocell, bool debug,
                         bool core);

/* All pins are LOW at first. Registers show a change at once; for the rest it
 * counts behind all events that were given, from the next cycle on. */
void etm_macrocell_pins(struct etm_macrocell *macrocell,
                        const struct etm_macrocell_pins *pins);

/* Outputs of the macrocell beside its trace. */
struct etm_macrocell_signals {
    uint64_t cycle;     /* processor cycles so far, with those of stalls */
    uint8_t ext_out;    /* external output n in bit n-1 (2.5) */
    bool trigger;       /* a trigger is output in this cycle (2.4) */
    bool trace_enable;  /* TraceEnable is HIGH, and nothing prohibits tracing
                           (2.6.1) */
    bool fifofull;      /* FIFOFULL (2.6.6) */
    bool suppress_data; /* SuppressData (2.6.6) */
    bool debug_request; /* DBGRQ, by ETMCR[9]; up to the entry to Debug state */
    bool overflow;      /* trace is being lost, or was; in ETMv1 and ETMv2 at
                           the next instruction, and at the end */
};

/* Called when one of the signals changes, at the end of that cycle; a value
 * other than 0 stops the macrocell. */
typedef int etm_signals_fn(void *context,
                           const struct etm_macrocell_signals *signals);

/* The processor does not heed FIFOFULL. */
#define ETM_STALL_NEVER UINT8_MAX

/* Where trace goes, and what is around the macrocell. */
struct etm_macrocell_output {
    size_t size; /* sizeof this struct, or 0 */

    /* What comes out, in order. Each may be NULL. A return value other than 0
     * stops the macrocell, and run returns it. Packets and bytes are given when
     * the call returns at the latest, with all that went into the FIFO. */
    etm_packet_fn *packets;
    etm_bytes_fn *bytes;
    etm_signals_fn *signals;
    void *context;

    /* What the architecture leaves to the generator of packets. Only the
     * fields below that heading count. Copied; NULL: defaults. */
    const struct etm_generator_config *generator;

    uint64_t fifo_size; /* bytes, in place of that of the configuration, for
                           experiments; 0: that one. UINT64_MAX: it never
                           overflows */
    /* ETMv3 and PFT: the trace port takes so many bits in so many processor
     * cycles. 0: as ETMCR[21,6:4], [13] and [17:16] say; PFT, and a port mode
     * that is dynamic or implementation defined: 32 in each cycle, or the port
     * size if that is known. */
    uint16_t drain_bits, drain_cycles;
    uint8_t stall_after;    /* FIFOFULL takes effect so many instructions later;
                               ETM_STALL_NEVER */
    uint32_t access_cycles; /* processor cycles in one access to a register;
                               0: as many as the FIFO needs to drain */
    uint32_t timestamp_cycles; /* the time stamp counter counts once in so many
                                  processor cycles; 0: only timestamp events
                                  change it */
    bool late_events;          /* the enabling events reach TraceEnable and
                                  ViewData one cycle later (2.6.4, 2.6.5) */
    bool trace_waits; /* tracing is not off while the processor waits for an
                         interrupt or event (4.12) */
};

/*
 * Connect the output; options hold from now on. Without it, a run moves the
 * state of the macrocell only. To be called before the first run:
 * ETM_ERR_ARGUMENT otherwise, and for a wrong size. ETM_ERR_UNSUPPORTED: no
 * trace is made for this protocol. ETM_ERR_MEMORY.
 */
int etm_macrocell_connect(struct etm_macrocell *macrocell,
                          const struct etm_macrocell_output *output);

/*
 * What the PROCESSOR did, in program order, whether or not it is to be traced;
 * events are borrowed for the call. Of the kinds: insn, data, data_value,
 * stacking, exception, context, timestamp (the value of the time stamp counter
 * from then on), idle, pins, ext_inputs, wait, place. Registers may be written
 * between calls; the configuration of the trace comes from them. From v3.2 on
 * nothing is traced unless etm_macrocell_pins() permits it (2.14).
 *
 * Execution begins in Secure state with context ID and VMID 0; a place event
 * says otherwise. Each insn must be where the event before leads; if that is a
 * branch whose `next` has ETM_ISA_UNKNOWN, it leads to the next insn event (if
 * an access to a register comes behind an indirect one, and then no insn but an
 * exception, context, wait or place event or the end, tracing ends behind it
 * and its data).
 *
 * An event with 0 cycles is in the same cycle as the one before, at most 32
 * instructions and 32 transfers of them; one with n ends that cycle, n - 1 idle
 * ones pass, and it is in the next.
 *
 * The entry to Debug state is the exception ETM_EXCEPTION_DEBUG_HALT, and the
 * next insn event leaves it (4.8); what is executed in it has no events.
 *
 * The last instruction is held back until it is known whether an exception
 * cancels it; any access to a register takes it as completed.
 *
 * ETM_ERR_ARGUMENT: an event makes no sense, or contradicts those before.
 * ETM_ERR_MEMORY; or what a callback returned. After an error the macrocell
 * gives that error for ever.
 */
int etm_macrocell_run(struct etm_macrocell *macrocell,
                      const struct etm_event *events, size_t n);

/*
 * Events of all runs that were taken. Once a run has failed, those before the
 * instruction at which it did, with what belongs to it; or before the next one,
 * as the last one is held back.
 */
uint64_t etm_macrocell_taken(const struct etm_macrocell *macrocell);

/* The processor's clock goes on until nothing is held back and the FIFO is
 * empty. Errors as etm_macrocell_run. Further runs may follow. */
int etm_macrocell_finish(struct etm_macrocell *macrocell);

/* The outputs as they are now; for a trigger: whether the last cycle had one.
 */
void etm_macrocell_signals(const struct etm_macrocell *macrocell,
                           struct etm_macrocell_signals *signals);

/* The configuration of the trace as the registers stand: what a decoder of it
 * needs. */
void etm_macrocell_trace_config(const struct etm_macrocell *macrocell,
                                struct etm_config *config);

/* Mistakes since the last call: a mask of enum etm_mistake. */
uint32_t etm_macrocell_mistakes(struct etm_macrocell *macrocell);

#ifdef __cplusplus
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
}
#endif
#endif
