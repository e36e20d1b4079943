/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The traced program: its symbols, and which function runs and who called it.
 */
#ifndef ETM_PROGRAM_H
#define ETM_PROGRAM_H

#include <etm/decode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Symbols ------------------------------------------------------------- */

/* The symbols of one ELF file, without a capture. */
struct etm_symbols;

/*
 * Open an ELF file for 32-bit Arm. On success *symbols is owned by the caller;
 * on failure it is NULL. `allocator` is copied; NULL: malloc. ETM_ERR_ARGUMENT;
 * ETM_ERR_IO; ETM_ERR_FORMAT; ETM_ERR_UNSUPPORTED: built without elfutils;
 * ETM_ERR_MEMORY.
 */
int etm_symbols_open(struct etm_symbols **symbols, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag);

/* Accepts NULL. The names become invalid. */
void etm_symbols_free(struct etm_symbols *symbols);

/* Find the function or label that `address` belongs to. ETM_ERR_NOT_FOUND,
 * ETM_ERR_ARGUMENT; *symbol is set if it was found. */
int etm_symbols_at(struct etm_symbols *symbols, uint32_t address,
                   struct etm_symbol *symbol);

/*
 * Find the function or label of that name: its address without the Thumb bit,
 * its size in bytes (0: not known) and its instruction set. `size` and `isa`
 * may be NULL. A global one is preferred to a local one; of several, the one at
 * the lowest address is found. ETM_ERR_NOT_FOUND, ETM_ERR_ARGUMENT.
 */
int etm_symbols_find(struct etm_symbols *symbols, const char *name,
                     uint32_t *address, uint32_t *size, enum etm_isa *isa);

/* How many there are to choose from, as static functions of several files: 0 or
 * 1; more where none of that name is global. */
size_t etm_symbols_count(struct etm_symbols *symbols, const char *name);

/*
 * Add the file's code to an image, which borrows the bytes: the image must be
 * freed before the symbols. ETM_ERR_MEMORY; ETM_ERR_UNSUPPORTED.
 */
int etm_symbols_code(const struct etm_symbols *symbols,
                     struct etm_image *image);

/* Find the variable of that name: its address, and its size in bytes (0: not
 * known). If the program has debug information, the name may be that of a field
 * or element, "sensor.samples[3]", or of a variable of a function,
 * "main::count". ETM_ERR_NOT_FOUND, ETM_ERR_ARGUMENT. */
int etm_symbols_variable(struct etm_symbols *symbols, const char *name,
                         uint32_t *address, uint32_t *size);

/* What the bits of a scalar mean; ETM_SCALAR_RAW: not known. */
enum etm_scalar_kind {
    ETM_SCALAR_RAW,
    ETM_SCALAR_UNSIGNED,
    ETM_SCALAR_SIGNED,
    ETM_SCALAR_BOOLEAN,
    ETM_SCALAR_FLOAT, /* IEEE 754, of 2, 4 or 8 bytes */
    ETM_SCALAR_ENUM,
    ETM_SCALAR_POINTER
};

/* A variable that has one value, or the field or element of one. */
struct etm_scalar {
    uint32_t address;
    uint32_t size;      /* bytes, up to 8; 0: not known */
    uint8_t kind;       /* enum etm_scalar_kind */
    bool is_signed;     /* also of an enumeration */
    bool big_endian;    /* as the program says */
    uint8_t bits;       /* of a bit-field; 0: it is none, */
    uint8_t shift;      /* and how many less significant ones its bytes have */
    uint64_t type;      /* of etm_symbols_enumerator() */
    char name[192];     /* "sensor.samples[3]" */
    char type_name[64]; /* without qualifiers: "uint16_t"; "": not known */
};

/*
 * Find what the byte at an address is part of: the scalar with number n, from
 * 0 on, as bit-fields and members of a union share bytes. *scalar is valid up
 * to the next lookup. Without debug information it is the symbol there, or an
 * unknown part of it ("table+6", size 0). ETM_ERR_NOT_FOUND, also where bytes
 * are not used; ETM_ERR_ARGUMENT; ETM_ERR_MEMORY.
 */
int etm_symbols_scalar(struct etm_symbols *symbols, uint32_t address,
                       unsigned n, const struct etm_scalar **scalar);

/* The enumerator that is a value of an enumeration; valid as long as the
 * symbols. ETM_ERR_NOT_FOUND, ETM_ERR_ARGUMENT. */
int etm_symbols_enumerator(struct etm_symbols *symbols,
                           const struct etm_scalar *scalar, uint64_t value,
                           const char **name);

/* In the programs of a capture; results as for etm_session_symbol(). */
struct etm_session;

/* What is at an address by the mapping symbols of the program (Arm ELF, 5.5.5):
 * instructions of this set, or ETM_ISA_UNKNOWN: data. */
int etm_session_isa(const struct etm_session *session, size_t source,
                    uint32_t address, enum etm_isa *isa);

/*
 * The functions that are inlined at an address, the outermost first; at first
 * *n is how many there is room for, then how many there are, 0 where nothing is
 * known. ETM_OK; ETM_ERR_ARGUMENT; ETM_ERR_MEMORY; ETM_ERR_UNSUPPORTED: built
 * without elfutils.
 */
int etm_session_inlined(const struct etm_session *session, size_t source,
                        uint32_t address, struct etm_inlined *inlined,
                        size_t *n);

/* ---- Calls --------------------------------------------------------------- */

/*
 * Which function runs, and who called it: the elements of a trace source
 * become functions that are entered and left. doc/calls.md says by what rules.
 *
 *     struct etm_calls *calls;
 *     struct etm_calls_config config = {.size = sizeof config,
 *                                       .calls = print_calls,
 *                                       .names = names};
 *
 *     etm_calls_new(&calls, &config);
 *     etm_session_run_source(session, source, &(struct etm_session_run){
 *         .size = sizeof(struct etm_session_run),
 *         .elements = etm_calls_elements,
 *         .context = calls}, &diag);
 *     etm_calls_finish(calls);
 *     etm_calls_free(calls);
 */

enum etm_call_kind {
    ETM_CALL_ENTER,  /* a function, or an exception */
    ETM_CALL_LEAVE,  /* the same, in the reverse order */
    ETM_CALL_SWITCH, /* another task goes on */
};

/* "enter", ...; never NULL, static storage. */
const char *etm_call_kind_name(enum etm_call_kind kind);

/* The flags of calls. */
enum etm_call_flag {
    /* Of the frame: an exception, between what it interrupted and its handler
     */
    ETM_CALL_EXCEPTION = 1u << 0,
    /* ENTER: jumped to by the function that was left with this flag before;
       LEAVE: jumps to the one that is entered next */
    ETM_CALL_TAIL = 1u << 1,
    /* Of the frame: its call is not in the trace, and it may have begun before
     */
    ETM_CALL_NO_CALLER = 1u << 2,
    /* LEAVE: without a return of its own, by one of a function below it */
    ETM_CALL_UNWOUND = 1u << 3,
    /* LEAVE: its end is not in the trace; this is where it was last seen */
    ETM_CALL_CUT = 1u << 4,
    /* LEAVE: trace is missing between its beginning and its end, */
    ETM_CALL_GAP = 1u << 5,
    /* ... and how many cycles passed there is not known */
    ETM_CALL_UNTIMED = 1u << 6,
    /* Of the frame: its function runs below it already, in the same task */
    ETM_CALL_RECURSIVE = 1u << 7,
    /* Of the frame: its code is within that of the function below it */
    ETM_CALL_INLINED = 1u << 8,
};

/* "exception", ... of a single flag; "?": there is no such. Never NULL, static
 * storage. */
const char *etm_call_flag_name(enum etm_call_flag flag);

/* The `function` of an exception. */
#define ETM_CALL_NO_FUNCTION UINT32_MAX

/* An amount of execution. */
struct etm_call_cost {
    uint64_t instructions; /* executed, whether or not their condition passed */
    uint64_t cycles;       /* of trace that is cycle-accurate; of an ITM, ticks
                              of its local timestamps; else 0 */
};

/*
 * One thing that happened. Frames of a task are entered and left in the manner
 * of a stack. `task` is the one that runs; of a SWITCH, the one that goes on
 * now; of a LEAVE, that of the frame, which is not the one that runs where a
 * suspended task is given up.
 */
struct etm_call {
    uint64_t offset;         /* of the element that showed it */
    uint8_t kind;            /* enum etm_call_kind */
    uint8_t source;          /* trace source ID */
    uint16_t flags;          /* enum etm_call_flag */
    uint32_t task;           /* etm_calls_task() */
    uint32_t depth;          /* frames below it in its task */
    uint32_t function;       /* etm_calls_function(); ETM_CALL_NO_FUNCTION */
    uint32_t address;        /* where it began, or as far as it was seen */
    uint32_t return_address; /* of an exception, its preferred one */
    bool return_known;
    uint8_t exception_type;    /* enum etm_exception_type */
    uint16_t exception_number; /* as traced */
    uint16_t irq;              /* N of irqN */

    struct etm_call_cost at; /* all that came before, gaps included */
    uint32_t gaps;           /* before it, */
    uint32_t timed_gaps;     /* and those whose cycles are known */
    uint64_t timestamp;      /* the last one before it; 0: there is none */

    /* LEAVE: since its ENTER, less what other tasks executed and what passed
     * in gaps; and what of it was not in frames above it. */
    struct etm_call_cost total, self;
    /* LEAVE: its ENTER, as `at` and `timestamp` say it. */
    struct etm_call_cost from;
    uint64_t from_timestamp;
};

/* Called with arrays of what happened, in order. A return value other than 0
 * stops: etm_calls_elements() and all later calls return it. */
typedef int etm_call_fn(void *context, const struct etm_call *calls, size_t n);

/* How the code of the program is read: as etm_session_read() does. */
typedef size_t etm_code_fn(void *context, uint32_t address, uint8_t *bytes,
                           size_t size);

/* The functions that are inlined at an address: as etm_session_inlined(). */
typedef int etm_inlined_fn(void *context, uint32_t address,
                           struct etm_inlined *inlined, size_t *n);

struct etm_calls_config {
    size_t size;            /* sizeof this struct; 0: in the first version */
    etm_call_fn *calls;     /* required */
    void *context;          /* its */
    struct etm_names names; /* `symbol` says where functions begin and end;
                               NULL: each target of a call is a function */
    /* The code, in which calls are recognized that are made of two
     * instructions: MOV LR, PC and a branch. NULL: they look like jumps. */
    etm_code_fn *code;
    void *code_context;
    /* The variable whose value tells the task, such as FreeRTOS's pxCurrentTCB;
     * stores to it have to be traced with address and value. */
    bool has_task_variable;
    uint32_t task_variable;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
    size_t sizeof_element; /* sizeof(struct etm_element), of those that it gets;
                              0: that in the first version of the library */
    /* Inlined functions become frames, as far as the elements are single
     * instructions. NULL: they do not. */
    etm_inlined_fn *inlined;
    void *inlined_context;
};

struct etm_calls;

/*
 * Make an engine for the elements of one source, of ETM_LEVEL_RANGES or
 * ETM_LEVEL_INSTRUCTIONS. On success *calls is owned by the caller; on failure
 * it is NULL. ETM_ERR_ARGUMENT, ETM_ERR_UNSUPPORTED (doc/abi.md),
 * ETM_ERR_MEMORY.
 */
int etm_calls_new(struct etm_calls **calls,
                  const struct etm_calls_config *config);

/* Accepts NULL. Does not leave what has not been left. */
void etm_calls_free(struct etm_calls *calls);

/*
 * Take elements in the order of the trace. An etm_element_fn with the engine as
 * its context. Memory is bounded by the depth of the stacks, not by the length
 * of the trace. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY, or what the function of the
 * configuration returned; both are final.
 */
int etm_calls_elements(void *calls, const struct etm_element *elements,
                       size_t n);

/* The end: all that has not been left is left, with ETM_CALL_CUT. Errors as for
 * etm_calls_elements(), which must not be called afterwards. */
int etm_calls_finish(struct etm_calls *calls);

/* A function by its number, which is less than their count: in the order in
 * which they were met; as an inlined one, a function has another number. The
 * name is NULL where no symbol is known. Valid up to the next call of any other
 * function. NULL: there is no such. */
size_t etm_calls_functions(const struct etm_calls *calls);
const struct etm_function *etm_calls_function(const struct etm_calls *calls,
                                              size_t index);

/* Numbers of tasks are less than this. */
#define ETM_CALL_TASKS 256u

/* What is known of a task. */
struct etm_call_task {
    bool context_id_known, value_known;
    uint32_t context_id;
    uint32_t value;   /* of the task variable */
    uint32_t address; /* where it was first seen */
};

/* A task by its number; as for functions. Where there are more, the number of
 * one that was suspended longest, and whose frames were left with ETM_CALL_CUT,
 * is then that of another. */
size_t etm_calls_tasks(const struct etm_calls *calls);
const struct etm_call_task *etm_calls_task(const struct etm_calls *calls,
                                           size_t index);

/* All that was executed so far, and of its cycles those that passed in gaps. */
struct etm_call_cost etm_calls_cost(const struct etm_calls *calls);
uint64_t etm_calls_gap_cycles(const struct etm_calls *calls);

/*
 * Time, and what it is measured in. Timestamps count the ticks of a clock that
 * all sources of a system have in common.
 */
enum etm_time_unit {
    ETM_TIME_INSTRUCTIONS,
    ETM_TIME_CYCLES,
    ETM_TIME_TICKS,      /* of timestamps */
    ETM_TIME_LOCAL_TICKS /* of the timestamp clock of an ITM */
};

/* "instructions", ...; never NULL, static storage. */
const char *etm_time_unit_name(enum etm_time_unit unit);

/* What a source counts beside, or without, timestamps: cycles if they are
 * traced, else instructions; an ITM has local ticks. Never TICKS. */
enum etm_time_unit etm_time_unit_of(const struct etm_config *config);

/* A place in the trace of a source. */
struct etm_clock_place {
    uint64_t at;   /* what was counted before it (etm_time_unit_of()), */
    uint32_t gaps; /* and gaps of unknown length: with cycles, those without */
};

/* The time of a place. */
struct etm_clock_time {
    uint64_t ticks; /* also where not known: in the order of the places */
    bool known;     /* by two timestamps or more, or one that is there */
    bool sure;      /* and no gap of unknown length is between it and them */
};

/* Called with items in the order of the trace; *item may be changed. A return
 * value other than 0 stops: all functions of the clock return it. */
typedef int etm_clock_fn(void *context, void *item,
                         const struct etm_clock_time *time);

/*
 * A clock gives times to what happens in one source. Timestamps are rare: what
 * lies between two of them is held until the second one is known. Its time is
 * between them in proportion to what was counted. What comes before the first
 * timestamp and after the last one has the rate of the nearest two, or of as
 * many as make 64 ticks. No more than 32 MiB are held; if a timestamp comes so
 * late, what came first goes on at the rate of those before it.
 *
 * Items are struct etm_element, which etm_clock_elements() takes, or anything
 * else, which etm_clock_hold() takes, with its place.
 */
struct etm_clock_config {
    size_t size;        /* sizeof this struct, or 0 */
    etm_clock_fn *take; /* required */
    void *context;      /* its */
    size_t sizeof_item; /* bytes; of elements, sizeof(struct etm_element) */
    enum etm_time_unit unit; /* of elements: what is counted in them */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

struct etm_clock;

/* On success *clock is owned by the caller; on failure it is NULL.
 * ETM_ERR_ARGUMENT, ETM_ERR_UNSUPPORTED (doc/abi.md), ETM_ERR_MEMORY. */
int etm_clock_new(struct etm_clock **clock,
                  const struct etm_clock_config *config);

/* Accepts NULL. What is held is lost. */
void etm_clock_free(struct etm_clock *clock);

/* Hold an item, whose bytes are copied. Places come in order; one that comes
 * late has a time all the same. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY, or what
 * `take` returned; all are final. */
int etm_clock_hold(struct etm_clock *clock, struct etm_clock_place place,
                   const void *item);

/* A timestamp other than ETM_TIMESTAMP_UNKNOWN is at this place. One that is
 * earlier than those before it is not believed, unless a second one comes that
 * agrees with it: then the clock was set. Errors as for etm_clock_hold(). */
int etm_clock_timestamp(struct etm_clock *clock, struct etm_clock_place place,
                        uint64_t ticks);

/* Hold elements, and take the timestamps and places from them: an
 * etm_element_fn with the clock as its context. An element is at the place
 * where it begins. Errors as for etm_clock_hold(). */
int etm_clock_elements(void *clock, const struct etm_element *elements,
                       size_t n);

/* The end: give all that is held. Errors as for etm_clock_hold(). */
int etm_clock_finish(struct etm_clock *clock);

/* Where an engine is in the trace of its source, and where it gave a call; the
 * unit is that of the source. */
struct etm_clock_place etm_calls_place(const struct etm_calls *calls,
                                       enum etm_time_unit unit);
struct etm_clock_place etm_call_place(const struct etm_call *call,
                                      enum etm_time_unit unit);

#ifdef __cplusplus
}
#endif
#endif
