/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the bytes of one trace source to the program that ran: the code, the
 * decoder, and the elements that come out of it.
 */
#ifndef ETM_DECODE_H
#define ETM_DECODE_H

#include <etm/packet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Elements ------------------------------------------------------------ */

/*
 * Elements: what the traced processor did, one plain value each, without
 * pointers. doc/elements.md says what each of them means.
 */

enum etm_element_kind {
    ETM_ELEMENT_TRACE_ON,
    ETM_ELEMENT_LOST,
    ETM_ELEMENT_CONTEXT,
    ETM_ELEMENT_RANGE,
    ETM_ELEMENT_INSN,
    ETM_ELEMENT_NO_IMAGE,
    ETM_ELEMENT_EXCEPTION,
    ETM_ELEMENT_EXCEPTION_RETURN,
    ETM_ELEMENT_DATA,
    ETM_ELEMENT_CYCLES,
    ETM_ELEMENT_TIMESTAMP,
    ETM_ELEMENT_TRIGGER,
    ETM_ELEMENT_END,
    ETM_ELEMENT_SOFTWARE,
    ETM_ELEMENT_PC_SAMPLE,
    ETM_ELEMENT_EVENT_COUNTER,
    ETM_ELEMENT_LOCAL_TIMESTAMP,
};

/* "trace_on", ...; never NULL, static storage. */
const char *etm_element_kind_name(enum etm_element_kind kind);

/* Why a stretch of trace begins. */
enum etm_trace_on_reason {
    ETM_TRACE_ON_START,
    ETM_TRACE_ON_OVERFLOW,
    ETM_TRACE_ON_DEBUG_EXIT,
};

/* "start", ...; never NULL, static storage. */
const char *etm_trace_on_name(enum etm_trace_on_reason reason);

/* Why bytes could not be used. */
enum etm_lost_reason {
    ETM_LOST_UNSYNCHRONIZED,
    ETM_LOST_BAD_PACKET,
    ETM_LOST_BAD_FRAME,
    ETM_LOST_IMAGE_MISMATCH,
    ETM_LOST_TRUNCATED,
};

/* "unsynchronized", ...; never NULL, static storage. */
const char *etm_lost_name(enum etm_lost_reason reason);

/* Class of an instruction; independent of the protocol. */
enum etm_insn_type {
    ETM_INSN_TYPE_OTHER,
    ETM_INSN_TYPE_DIRECT,
    ETM_INSN_TYPE_INDIRECT,
    ETM_INSN_TYPE_BARRIER,
};

/* "direct", ...; never NULL, static storage. */
const char *etm_insn_type_name(enum etm_insn_type type);

/* What an exception number means. */
enum etm_exception_type {
    ETM_EXCEPTION_RESERVED,
    ETM_EXCEPTION_RESET,
    ETM_EXCEPTION_UNDEFINED,
    ETM_EXCEPTION_SVC,
    ETM_EXCEPTION_SMC,
    ETM_EXCEPTION_HVC,
    ETM_EXCEPTION_PREFETCH_ABORT,
    ETM_EXCEPTION_DATA_ABORT,
    ETM_EXCEPTION_ASYNC_DATA_ABORT,
    ETM_EXCEPTION_IRQ,
    ETM_EXCEPTION_FIQ,
    ETM_EXCEPTION_NMI,
    ETM_EXCEPTION_DEBUG_HALT,
    ETM_EXCEPTION_JAZELLE_THUMBEE,
    ETM_EXCEPTION_GENERIC,
    ETM_EXCEPTION_HYP_ENTRY,
    ETM_EXCEPTION_HARD_FAULT,
    ETM_EXCEPTION_MEM_MANAGE,
    ETM_EXCEPTION_BUS_FAULT,
    ETM_EXCEPTION_USAGE_FAULT,
    ETM_EXCEPTION_DEBUG_MONITOR,
    ETM_EXCEPTION_PEND_SV,
    ETM_EXCEPTION_SYS_TICK,
    ETM_EXCEPTION_IRQ_N,
    ETM_EXCEPTION_THREAD, /* no exception: a DWT returns to it */
    ETM_EXCEPTION_SECURE_FAULT,
};

/*
 * "irq", "hard_fault" ... For ETM_EXCEPTION_IRQ_N the text is "irqN": replace N
 * by the number (etm_element.u.exception.irq). Never NULL, static storage.
 */
const char *etm_exception_name(enum etm_exception_type type);

/* What became of an exception. An ETM traces entries only; a DWT
 * has the values of its packets (ARMv7-M ARM, D4.3.2). */
enum etm_exception_action {
    ETM_EXCEPTION_UNTOLD, /* of an ETM: it was entered */
    ETM_EXCEPTION_ENTER,
    ETM_EXCEPTION_EXIT,
    ETM_EXCEPTION_RETURN, /* execution is in it again, 0: in Thread mode */
};

/* "enter", ...; never NULL, static storage. */
const char *etm_exception_action_name(enum etm_exception_action action);

/* What a sample of the program counter found. */
enum etm_pc_state {
    ETM_PC_RUNNING,
    ETM_PC_SLEEPING,
    ETM_PC_PROHIBITED, /* code that may not be traced */
};

/* "running", ...; never NULL, static storage. */
const char *etm_pc_state_name(enum etm_pc_state state);

/* State of a data transfer. */
enum etm_data_status {
    ETM_DATA_OK,
    ETM_DATA_NOT_TRACED,
    ETM_DATA_SUPPRESSED,
    ETM_DATA_STORE_FAILED,
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

/* ---- Code ---------------------------------------------------------------- */

/*
 * The code of the traced program: memory by address, security state and
 * context ID (ETM architecture, chapter 9).
 */

/*
 * Decoders cache what they have read of an image; whether they see a later
 * change is undefined. If code changes while it is traced (because it modifies
 * itself, or other code is loaded), finish the decoder at the change, add a
 * region that hides the old one or change the borrowed bytes, and make a new
 * decoder for the rest of the trace, which starts at a synchronization point.
 * Code of several contexts does not need this: see struct etm_space.
 *
 * An image that does not change may be used by any number of decoders and
 * threads at the same time.
 */
struct etm_image;

/* Where a region is visible. Zero means: everywhere. */
struct etm_space {
    enum etm_tri secure; /* ETM_TRUE: Secure state only; ETM_FALSE: Non-secure
                            only; ETM_UNKNOWN: both */
    bool has_context;    /* only in this context */
    uint32_t context_id;
};

/*
 * Make an empty image. On success *image is owned by the caller. `allocator` is
 * copied; NULL: malloc. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_image_new(struct etm_image **image,
                  const struct etm_allocator *allocator);

/* Accepts NULL. No decoder may use it any more. */
void etm_image_free(struct etm_image *image);

/*
 * Add code memory: `size` bytes at `address`, as they are in memory. The bytes
 * are borrowed until the image is freed. `space` may be NULL: visible
 * everywhere. A region added later hides an earlier one where they overlap; one
 * for a given context or security state hides one for all of them. A region may
 * not wrap round the end of the 32-bit address space. ETM_ERR_ARGUMENT,
 * ETM_ERR_MEMORY.
 */
int etm_image_add(struct etm_image *image, uint32_t address,
                  const uint8_t *bytes, size_t size,
                  const struct etm_space *space);

/* Make bytes visible as etm_image_add() does, with its errors; the image keeps
 * a copy of them. */
int etm_image_add_copy(struct etm_image *image, uint32_t address,
                       const uint8_t *bytes, size_t size,
                       const struct etm_space *space);

/*
 * Read up to `size` bytes at `address`, as seen in `space` (whose `secure` may
 * be unknown). Returns the number of bytes read; less than `size` if the memory
 * ends before.
 */
size_t etm_image_read(const struct etm_image *image, uint32_t address,
                      const struct etm_space *space, uint8_t *bytes,
                      size_t size);

/*
 * Number of regions; and one of them, in the order in which they were added.
 * `address`, `size` and `space` may be NULL. ETM_ERR_NOT_FOUND: no such index.
 */
size_t etm_image_regions(const struct etm_image *image);
int etm_image_region(const struct etm_image *image, size_t index,
                     uint32_t *address, size_t *size, struct etm_space *space);

/* ---- Counts -------------------------------------------------------------- */

/* How often code was executed: the result of a decoder at ETM_LEVEL_COUNTS or
 * ETM_LEVEL_COVERAGE. */

/*
 * How often one range was executed. The fields other than `n` are those of a
 * `range` element (etm/decode.h), and together they identify the range: a loop
 * that was left once has one row for its closing branch taken and one for the
 * same branch not taken.
 */
struct etm_count {
    uint64_t n; /* executions, at least 1 */
    uint32_t start;
    uint32_t end;   /* exclusive */
    uint32_t insns; /* instructions in it, at least 1 */
    uint32_t last_address;
    uint8_t isa;        /* enum etm_isa */
    uint8_t last_type;  /* enum etm_insn_type */
    uint8_t last_exec;  /* enum etm_tri: it passed its condition */
    uint8_t last_flags; /* enum etm_insn_flag */
};

/* Called for each row, which is valid only during the call. A return value
 * other than 0 stops the walk, which returns it. */
typedef int etm_count_fn(void *context, const struct etm_count *count);

/* A table of counts. */
struct etm_counts;

/*
 * Make an empty table. On success *counts is owned by the caller; on failure
 * it is NULL. `allocator` is copied; NULL: malloc. ETM_ERR_ARGUMENT,
 * ETM_ERR_MEMORY.
 */
int etm_counts_new(struct etm_counts **counts,
                   const struct etm_allocator *allocator);

/* Accepts NULL. */
void etm_counts_free(struct etm_counts *counts);

/*
 * Add count->n executions of a range; 0 adds nothing. It can be used as an
 * etm_count_fn with `counts` as its context, to add up the counts of several
 * decoders:
 *
 *     etm_decoder_counts(decoder, etm_counts_add, counts);
 *
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY: the table is unchanged.
 */
int etm_counts_add(void *counts, const struct etm_count *count);

/*
 * Call `fn` for every row, sorted by start address, then end address,
 * instruction set and the other fields. The table must not change meanwhile.
 * ETM_ERR_ARGUMENT; ETM_ERR_MEMORY: `fn` was not called; or what `fn` returned.
 */
int etm_counts_walk(const struct etm_counts *counts, etm_count_fn *fn,
                    void *context);

/*
 * Why there may be more that was executed: what happened between the first
 * instruction that was traced and the last one.
 */
enum etm_gap {
    ETM_GAP_OFF,      /* tracing was off */
    ETM_GAP_OVERFLOW, /* the FIFO of the macrocell was full */
    ETM_GAP_LOST,     /* trace could not be decoded, or is missing */
    ETM_GAP_NO_CODE   /* code ran that is not known */
};
#define ETM_GAPS 4

/* "off", "overflow", ...; never NULL, static storage. */
const char *etm_gap_name(enum etm_gap gap);

/* Zero-initialise it. */
struct etm_gaps {
    uint64_t n[ETM_GAPS]; /* by enum etm_gap */
    bool on;              /* tracing was on before: the next time that it begins
                             is a gap, */
    bool began;           /* and the first time was not: the trace begins there
                           */
};

struct etm_element;

/* Look for gaps among elements of a source, of any level; or add those that
 * come later. In Debug state nothing of the program is executed: no gap. */
void etm_gaps_add(struct etm_gaps *gaps, const struct etm_element *elements,
                  size_t n);
void etm_gaps_join(struct etm_gaps *gaps, const struct etm_gaps *later);

/* Their number. */
uint64_t etm_gaps_count(const struct etm_gaps *gaps);

/* ---- Decoders ------------------------------------------------------------ */

/* From the bytes of one trace source to the program that ran. */

enum etm_level {
    ETM_LEVEL_RANGES = 0,   /* `range` elements */
    ETM_LEVEL_INSTRUCTIONS, /* one `insn` element for each instruction */
    /*
     * Neither: ranges are counted (etm_decoder_counts()), which is faster. All
     * other elements come as with ETM_LEVEL_RANGES, but without `since`, which
     * counts from a range. Cycles of the ranges are added up
     * (etm_decoder_counted_cycles()).
     */
    ETM_LEVEL_COUNTS,
    /*
     * As ETM_LEVEL_COUNTS, but only the counts: no cycles, and of the other
     * elements only those that say what the counts lack, and the end:
     * `trace_on`, `lost`, `no_image` and `end`. Faster still.
     */
    ETM_LEVEL_COVERAGE
};

/*
 * Called with arrays of elements in the order of the trace. A return value
 * other than 0 stops the decoder: push returns it, and so do all later calls of
 * push, gap and finish, without doing anything.
 */
typedef int etm_element_fn(void *context, const struct etm_element *elements,
                           size_t n);

struct etm_decoder;

#define ETM_SIZEOF_ELEMENT_MAX 512u

struct etm_decoder_config {
    size_t size;                     /* sizeof this struct, or 0 */
    const struct etm_config *config; /* copied */
    const struct etm_image *image;   /* borrowed; NULL: no code is known */
    enum etm_level level;
    etm_element_fn *elements; /* required at every level */
    void *context;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
    /* sizeof(struct etm_element), by which `elements` goes from one element to
     * the next; 0: that in the first version of the library. Larger than what
     * this version has: the rest is 0. At most ETM_SIZEOF_ELEMENT_MAX. */
    size_t sizeof_element;
};

/*
 * Make a decoder. On success *decoder is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT; ETM_ERR_CONFIG (etm_config_check() says why);
 * ETM_ERR_UNSUPPORTED; ETM_ERR_MEMORY. For another stream, make another
 * decoder, or see etm_decoder_reset().
 */
int etm_decoder_new(struct etm_decoder **decoder,
                    const struct etm_decoder_config *config);

/*
 * Feed bytes of the source's stream; they are borrowed for the call.
 * ETM_ERR_MEMORY, or what `elements` returned; both stop the decoder.
 * ETM_ERR_ARGUMENT, also after etm_decoder_finish().
 */
int etm_decoder_push(struct etm_decoder *decoder, const uint8_t *bytes,
                     size_t n);

/*
 * `bytes` bytes of the capture could not be used (a broken frame): what comes
 * next does not continue what came before. Offsets do not count these bytes.
 * Errors as for etm_decoder_push().
 */
int etm_decoder_gap(struct etm_decoder *decoder, uint64_t bytes);

/* End of the stream: gives what is held back and an `end` element. Nothing may
 * be pushed after it. Errors as for etm_decoder_push(). */
int etm_decoder_finish(struct etm_decoder *decoder);

/*
 * ETM_LEVEL_COUNTS and ETM_LEVEL_COVERAGE: how often each range was executed in
 * what was pushed so far, less what is still held back; after
 * etm_decoder_finish(), in all of it. They are the `range` elements of
 * ETM_LEVEL_RANGES, counted. Rows come as from etm_counts_walk(). Also allowed
 * when the decoder was stopped. ETM_ERR_ARGUMENT: it has another level;
 * ETM_ERR_MEMORY: `fn` was not called, and the decoder is stopped if counts
 * are missing; or what `fn` returned, which does not stop it.
 */
int etm_decoder_counts(struct etm_decoder *decoder, etm_count_fn *fn,
                       void *context);

/* The sum of the cycles of the ranges counted by etm_decoder_counts(), as far
 * as they have any: 0 at other levels. */
uint64_t etm_decoder_counted_cycles(struct etm_decoder *decoder);

/*
 * Begin again with the first byte of another stream, as a new decoder of the
 * same configuration does: counts and offsets are 0, and what was held back is
 * gone. Allowed at any time, also when the decoder was stopped. Decoded code is
 * kept, for many short traces of one program: the image must not have changed.
 * ETM_ERR_ARGUMENT.
 */
int etm_decoder_reset(struct etm_decoder *decoder);

/* Accepts NULL. */
void etm_decoder_free(struct etm_decoder *decoder);

#ifdef __cplusplus
}
#endif
#endif
