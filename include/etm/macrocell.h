/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The macrocell as a debugger sees it: registers that are read and written
 * through one of its interfaces (ETM architecture, chapter 3; program flow
 * trace macrocells have the same registers with some exceptions).
 *
 * A register has a number, its byte offset divided by 4: etm_register_number()
 * and etm_register_name() of <etm/config.h>.
 *
 * The macrocell of an M-profile processor with EmbeddedICE inputs has the
 * comparators of the DWT beside it, which drive these inputs during execution.
 * The numbers of their registers are addresses (etm_register_number()).
 */
#ifndef ETM_MACROCELL_H
#define ETM_MACROCELL_H

#include <etm/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who makes an access, and through which interface (3.2, 3.9.1). */
enum etm_access {
    ETM_ACCESS_SOFTWARE = 0,     /* memory-mapped, by software */
    ETM_ACCESS_DEBUGGER,         /* memory-mapped, by a debugger */
    ETM_ACCESS_COPROCESSOR,      /* CP14, privileged; counts as software even if
                                    a debugger inserts the instruction */
    ETM_ACCESS_COPROCESSOR_USER, /* CP14, User mode */
    ETM_ACCESS_JTAG              /* scan chain 6; registers below 0x80 */
};

/*
 * The result of an access (3.9.2). Only an access that is OK has effects; a
 * read gives a value with OK and IGNORED, otherwise 0.
 */
enum etm_access_result {
    ETM_ACCESS_OK = 0,
    ETM_ACCESS_IGNORED,       /* a write had no effect; a read gave its value
                                 without the side effects of reading */
    ETM_ACCESS_ERROR,         /* bus error or Undefined Instruction */
    ETM_ACCESS_UNPREDICTABLE, /* nothing happened here; hardware may differ */
    ETM_ACCESS_IMPOSSIBLE     /* no power, or no such interface */
};

/*
 * Programming mistakes: the specification calls the result UNPREDICTABLE. The
 * macrocell continues, and remembers them for etm_macrocell_mistakes().
 */
enum etm_mistake {
    ETM_MISTAKE_RESERVED_REGISTER = 1 << 0,
    ETM_MISTAKE_READ_ONLY = 1 << 1,
    ETM_MISTAKE_WRITE_ONLY = 1 << 2,
    ETM_MISTAKE_RESERVED_BITS = 1 << 3,
    ETM_MISTAKE_RESERVED_VALUE = 1 << 4,
    ETM_MISTAKE_TRACING = 1 << 5,
    ETM_MISTAKE_CONTROL = 1 << 6,
    ETM_MISTAKE_SUPPRESS_AND_STALL = 1 << 7,
    ETM_MISTAKE_PORT = 1 << 8,
    ETM_MISTAKE_CORE_SELECT = 1 << 9,
    ETM_MISTAKE_OS_SAVE_RESTORE = 1 << 10,
};

/* Text of one mistake; never NULL, static storage. */
const char *etm_mistake_text(enum etm_mistake mistake);

/* Which data a macrocell can trace (table 7-20); optional in ETMv3.3 and
 * later. */
enum etm_data_features {
    ETM_DATA_FEATURES_ALL = 0,
    ETM_DATA_FEATURES_ADDRESS, /* data addresses only */
    ETM_DATA_FEATURES_VALUE,   /* data values and coprocessor transfers */
    ETM_DATA_FEATURES_NONE     /* nor does it have ViewData registers */
};

/* Interfaces of a macrocell (3.2): bits of a mask. */
enum etm_interface {
    ETM_INTERFACE_JTAG = 1,
    ETM_INTERFACE_COPROCESSOR = 2, /* ETMv3.1 and later */
    ETM_INTERFACE_MEMORY = 4       /* ETMv3.2 and later */
};

/*
 * The features of a macrocell. Zero means default for every field. Values of
 * registers may be taken from a dump: bits that the version does not have are
 * ignored.
 */
struct etm_macrocell_config {
    size_t size; /* sizeof this struct, or 0 */

    /* Protocol, version, and the fields of ETMIDR and ETMCCER. The fields of
     * ETMCR are not used: the registers have their reset values. */
    const struct etm_config *config; /* copied */

    /* ETMCCR (3.5.2), the resources: SAC pairs [3:0], data comparators [7:4],
       memory map decoders [12:8], counters [15:13], sequencer [16], external
       inputs [19:17] and outputs [22:20], FIFOFULL [23], context ID
       comparators [25:24], start/stop block [26] (v1.2 and v1.3 always have
       one). Bits [31:27] follow from version and interfaces. */
    uint32_t ccr;
    /* ETMCCER (3.5.19): extended input selectors [2:0] and inputs [10:3],
       readable registers [11], no data address comparison [12], instrumentation
       resources [15:13], EmbeddedICE inputs [21:16] (before v3.4 two in ETMv1
       and where ETMIDR[15:12] says ARM7 or ARM9), reduced-function counter 1
       [27]. Higher bits that struct etm_config has are taken from there. */
    uint32_t ccer;
    /* ETMSCR (3.5.6): its fixed bits; 0: a usual one. [11:10] depend on ETMCR.
       From v1.3 on the processor stalls on FIFOFULL only if [8] is set. */
    uint32_t scr;
    uint32_t idr;  /* ETMIDR; 0: derived from `config`. Version, [20:18] and
                      [16] always come from `config` */
    uint32_t idr2; /* ETMIDR2: ETMv3.5, PFT */

    uint8_t interfaces;    /* mask of enum etm_interface; 0: JTAG up to v3.0,
                              JTAG and coprocessor in v3.1, later memory-mapped
                              and, for software, coprocessor */
    uint8_t data_features; /* enum etm_data_features; not used for PFT */

    /* Optional features that this macrocell lacks; ignored where the version
     * requires the feature. ETMCR ignores writes of their bits. */
    bool no_data_suppression; /* ETMCR[18]: v3.3 and later */
    bool no_cycle_accurate;   /* ETMCR[12]: v3.3 and later */
    bool no_branch_broadcast; /* ETMCR[8]: v2.0 and later */
    bool no_context_id;       /* ETMCR[15:14] */
    bool no_cprt;             /* ETMCR[1]: v2.1 and later */
    bool no_write_disable;    /* ETMCR[23:22] */
    bool no_os_lock;          /* ETMOSLAR, ETMOSLSR, ETMOSSRR: v3.3 and later;
                                 ETMPDCR. Implied by JTAG (3.2.5); implies
                                 single_power_domain and no_sticky */
    bool no_secure_status;    /* without security: ETMAUTHSTATUS[7:6] */
    bool secure_elsewhere;    /* with security: another component prohibits the
                                 tracing of Secure code (table 3-64) */

    /* true: while ETMCR[0] is set, writes of trace registers are dropped,
     * except for those that 3.5.1 lists. false: all are accepted. */
    bool power_down_drops_writes;
    bool single_power_domain; /* no core power domain of its own (3.9) */
    bool no_sticky;           /* ETMPDSR always reads 1 (3.5.25) */

    /* bit n: size code n of ETMCR[21,6:4] exists; 0: all up to ETMSCR's maximum
     * that are not reserved */
    uint16_t port_sizes;
    uint8_t port_modes; /* bit n: mode n exists; 0: all that are not
                           reserved */
    uint8_t fifo_size;  /* bytes; 0: 64. ETMv1: at least 9, ETMv2: 16 to 95;
                           other sizes there are the nearest possible. In
                           ETMFFLR, v2.0 and later */
    bool fifo_level_ignored; /* ETMFFLR reads as the size of the FIFO */
    bool sync_fixed;         /* ETMSYNCFR is read-only: v3.4 and later */
    uint8_t sync_low_bits;   /* number of low bits of ETMSYNCFR that are not
                                implemented, up to 10: it is 1024 by default */
    uint8_t asic_bits;       /* width of ETMASICCR, up to 32; 0: 8 */
    uint8_t implementation;  /* ETMIMPSPEC0[3:0]; 0: no extensions */
    uint16_t part;           /* peripheral ID: part number, 12 bits */
    uint8_t modified;        /* customer modified [3:0], RevAnd [7:4] */
    uint32_t devid;          /* device configuration */
    uint64_t unknown_seed;   /* seed of pseudo-random bits for what a reset
                                leaves UNKNOWN; 0: these are 0 */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/* Inputs of the macrocell that its registers show. */
struct etm_macrocell_pins {
    bool dbgen;
    bool niden;
    bool spiden;
    bool spniden;
    bool os_lock_init; /* DBGOSLOCKINIT: a reset sets the OS lock. In v3.5 and
                          PFT 1.1 hardware it does so whatever the pin (IHI
                          0035B, 3.16.39): set this to model such a macrocell
                          after power-up */
};

struct etm_macrocell;

/*
 * Make a macrocell, powered up and after an ETM reset. On success *macrocell is
 * owned by the caller; on failure it is NULL. ETM_ERR_ARGUMENT; ETM_ERR_CONFIG:
 * there is no such macrocell, *diag names the register or field;
 * ETM_ERR_MEMORY.
 */
int etm_macrocell_new(struct etm_macrocell **macrocell,
                      const struct etm_macrocell_config *config,
                      struct etm_diag *diag);

/* Accepts NULL. */
void etm_macrocell_free(struct etm_macrocell *macrocell);

/*
 * One access to register `number`. A register that does not exist reads as zero
 * and ignores writes (3.2.2, 3.2.3). *value is 0 if the access gives no value.
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
 * The number of the register that MRC and MCR p14, 1, Rt, CRn, CRm, opc2 access
 * (3.2.2); ETM_REGISTER_NONE if such an access is UNPREDICTABLE.
 */
uint32_t etm_macrocell_coprocessor(const struct etm_macrocell *macrocell,
                                   unsigned crn, unsigned crm, unsigned opc2);

/* The 40 bits of JTAG scan chain 6 (3.2.1): data in [31:0], shifted first,
   register number in [38:32], write in [39]. */
uint64_t etm_jtag_scan(uint32_t number, bool write, uint32_t value);

/*
 * Make the access of such a scan, as UPDATE-DR does. Returns what the next scan
 * shifts out in [31:0]: the value read, or 0.
 */
uint32_t etm_macrocell_scan(struct etm_macrocell *macrocell, uint64_t scan);

/* ETM reset (3.4.2). A processor reset changes no register. */
void etm_macrocell_reset(struct etm_macrocell *macrocell);

/*
 * Set the power of the debug and the core domain (3.8). A domain without power
 * loses its state; a reset occurs when it is powered up again. With a single
 * power domain, `core` applies to both.
 */
void etm_macrocell_power(struct etm_macrocell *macrocell, bool debug,
                         bool core);

/* Set the input pins; all are LOW at first. Registers show a change at once; in
 * all other respects it takes effect after all events given so far, from the
 * next cycle on. */
void etm_macrocell_set_pins(struct etm_macrocell *macrocell,
                            const struct etm_macrocell_pins *pins);

/* Outputs of the macrocell other than its trace. */
struct etm_macrocell_signals {
    uint64_t cycle;     /* processor cycles so far, including stalls */
    uint8_t ext_out;    /* external output n in bit n-1 (2.5) */
    bool trigger;       /* a trigger is output in this cycle (2.4) */
    bool trace_enable;  /* TraceEnable is HIGH, and nothing prohibits tracing
                           (2.6.1) */
    bool fifofull;      /* FIFOFULL (2.6.6) */
    bool suppress_data; /* SuppressData (2.6.6) */
    bool debug_request; /* DBGRQ, enabled by ETMCR[9]; until Debug state is
                           entered */
    bool overflow;      /* trace is being lost, or was lost; in ETMv1 and ETMv2
                           shown at the next instruction, and at the end */
    uint64_t reserve[4];
};

/* Called at the end of each cycle in which one of the signals changes. A return
 * value other than 0 stops the macrocell. */
typedef int etm_signals_fn(void *context,
                           const struct etm_macrocell_signals *signals);

/* The processor ignores FIFOFULL. */
#define ETM_STALL_NEVER UINT8_MAX

/* Where the trace goes, and properties of the system around the macrocell. */
struct etm_macrocell_output {
    size_t size; /* sizeof this struct, or 0 */

    /* The output, in order. Each function may be NULL. A return value other
     * than 0 stops the macrocell, and run returns it. All packets and bytes
     * that entered the FIFO are output before run returns. */
    etm_packet_fn *packets;
    etm_bytes_fn *bytes;
    etm_signals_fn *signals;
    void *context;

    /* Of this configuration only the fields under "What the architecture leaves
     * to the implementation" are used. Copied; NULL: defaults. */
    const struct etm_generator_config *generator;

    uint64_t fifo_size; /* bytes, instead of the size in the configuration, for
                           experiments; 0: the configured size. UINT64_MAX: it
                           never overflows */
    /* ETMv3 and PFT: the trace port outputs drain_bits bits in drain_cycles
     * processor cycles. 0: as ETMCR[21,6:4], [13] and [17:16] say; for PFT, and
     * for a port mode that is dynamic or implementation defined, 32 bits in
     * each cycle, or the port size if it is known. */
    uint16_t drain_bits, drain_cycles;
    uint8_t stall_after;       /* FIFOFULL takes effect after this many
                                  instructions; or ETM_STALL_NEVER, as with
                                  ETMSCR[8] clear in v1.3 and later */
    uint32_t access_cycles;    /* processor cycles of one register access; 0: as
                                  many as the FIFO needs to drain */
    uint32_t timestamp_cycles; /* processor cycles per increment of the
                                  timestamp counter; 0: only timestamp events
                                  change it */
    bool late_events;          /* the enabling events reach TraceEnable and
                                  ViewData one cycle later (2.6.4, 2.6.5) */
    bool trace_waits; /* tracing continues while the processor waits for an
                         interrupt or event (4.12) */
};

/*
 * Connect the output. Without it, a run only changes the state of the
 * macrocell. ETM_ERR_ARGUMENT: after the first run;
 * ETM_ERR_UNSUPPORTED: no trace can be generated for this protocol;
 * ETM_ERR_MEMORY.
 */
int etm_macrocell_connect(struct etm_macrocell *macrocell,
                          const struct etm_macrocell_output *output);

/*
 * Feed what the processor did, in program order, whether or not it is to be
 * traced; the events are borrowed for the call. Allowed kinds are insn, data,
 * data_value, stacking, exception, context, timestamp (the value of the
 * timestamp counter from then on), idle, pins, ext_inputs, wait and place.
 * Registers may be written between calls; they determine what is traced and
 * how. From v3.2 on nothing is traced unless etm_macrocell_set_pins() permits
 * it (2.14).
 *
 * Execution begins in Secure state, unless a place event says otherwise, with
 * context ID and VMID 0. Each insn must be where the event before it leads. A
 * branch whose `next` has ETM_ISA_UNKNOWN leads to the next insn event. If such
 * a branch is indirect and followed by a register access, and then by an
 * exception, context, wait or place event or by the end instead of an insn,
 * tracing ends after the branch and its data.
 *
 * An event with 0 cycles is in the same cycle as the event before, which can
 * hold up to 32 instructions and 32 transfers; more are traced in that cycle,
 * too, but to counters and the sequencer they are in another one. An event with
 * n cycles ends that cycle: n - 1 idle cycles pass, and the event is in the
 * next one.
 *
 * The exception ETM_EXCEPTION_DEBUG_HALT enters Debug state, and the next insn
 * event leaves it (4.8); what is executed in Debug state has no events.
 *
 * The last instruction is held back until it is known whether an exception
 * cancels it; any register access completes it.
 *
 * ETM_ERR_ARGUMENT: an event is invalid, or contradicts earlier ones;
 * ETM_ERR_MEMORY; or what a callback returned. After an error, every later call
 * returns the same error.
 */
int etm_macrocell_run(struct etm_macrocell *macrocell,
                      const struct etm_event *events, size_t n);

/*
 * The number of events that all runs have used. After a run has failed: the
 * number of events before the one that contradicts earlier ones or that no
 * macrocell like this has; if the trace has no packet for what happened, before
 * the instruction at which it failed or the one after it, because the failure
 * of an instruction that is held back shows only then.
 */
uint64_t etm_macrocell_taken(const struct etm_macrocell *macrocell);

/* Let cycles pass until nothing is held back and the FIFO is empty. Errors as
 * for etm_macrocell_run(). Further runs may follow. */
int etm_macrocell_finish(struct etm_macrocell *macrocell);

/* Get the current outputs; `trigger` says whether there was one in the last
 * cycle.
 */
void etm_macrocell_get_signals(const struct etm_macrocell *macrocell,
                               struct etm_macrocell_signals *signals);

/* Get the configuration of the trace that results from the current register
 * values, as a decoder needs it. */
void etm_macrocell_trace_config(const struct etm_macrocell *macrocell,
                                struct etm_config *config);

/* Mistakes since the last call of this function: a mask of enum etm_mistake. */
uint32_t etm_macrocell_mistakes(struct etm_macrocell *macrocell);

#ifdef __cplusplus
}
#endif
#endif
