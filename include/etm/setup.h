/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setting up a macrocell: register values for what is to be traced, and the
 * explanation of register values that are there.
 */
#ifndef ETM_SETUP_H
#define ETM_SETUP_H

#include <etm/macrocell.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Programming --------------------------------------------------------- */

/*
 * Programming a macrocell: cores and their macrocells, the register values to
 * write, and how to get them from a description of what is to be traced.
 *
 *   etm_core_find, etm_core_macrocell     what the macrocell is made of
 *   etm_configure                         a request -> register values
 *   etm_setup_read, etm_setup_write       register values <-> text, scripts
 *   etm_setup_apply                       register values -> the model
 *   etm_chip_find, struct etm_trace_path  the rest of the chip
 */

/* Cores. */

/*
 * A core and its macrocell as described in its manual. Registers have the
 * values that the macrocell shows; registers that its version does not have are
 * 0.
 */
struct etm_core {
    const char *name;      /* "cortex-m3" */
    const char *macrocell; /* "ETM-M3" */
    const char *version;   /* "v3.4", "pft1.0" */
    enum etm_profile profile;
    uint8_t isas; /* bit n: instruction set n of enum etm_isa */
    uint32_t idr, ccr, ccer, scr, idr2;
    uint8_t fifo_size;     /* bytes */
    uint8_t interfaces;    /* enum etm_interface */
    uint8_t data_features; /* enum etm_data_features */
    uint16_t part;         /* peripheral ID; 0: not a CoreSight component */
    bool no_os_lock;       /* v3.3 and later: one power domain, no OS lock */
    bool no_cycle_accurate, no_context_id; /* ETMCR[12] and [15:14] */
    const char *processor;                 /* "arm7tdmi" of "arm7tdmi-large" */
    uint8_t architecture;                  /* of the Arm architecture: 4 to 7 */
};

/* Core n, from 0, oldest first; NULL after the last. */
const struct etm_core *etm_cores(size_t n);

/*
 * Find a core by name; case, '-' and '_' do not matter: "cortex-m3",
 * "CortexM3". Cores with an ETMv1 have one entry for each standard
 * configuration (2.12): "arm7tdmi-small", "arm7tdmi-medium", "arm7tdmi-large";
 * the plain name is the most common one. "cortex-a9" is the macrocell found in
 * chips, "cortex-a9r0p0" its first revision. ETM_ERR_NOT_FOUND: there is no
 * such core, and *core is NULL.
 */
int etm_core_find(const char *name, const struct etm_core **core);

/*
 * The configuration of a core's macrocell, for etm_macrocell_new(). `version`
 * is NULL for the core's own version, or another one: "v1.0" to "v1.3", "v2.0",
 * "v2.1", "v3.0" to "v3.5", "pft1.0", "pft1.1", optionally after "etm". With
 * another version, the macrocell has the resources of the core's macrocell as
 * far as that version has them and, of the optional features, timestamps and
 * return stack. *macrocell points to *config, which must live as long. ETM_OK;
 * ETM_ERR_ARGUMENT: no such version; ETM_ERR_CONFIG: this core cannot have that
 * version.
 */
int etm_core_macrocell(const struct etm_core *core, const char *version,
                       struct etm_macrocell_config *macrocell,
                       struct etm_config *config, struct etm_diag *diag);

/*
 * The configuration of a macrocell from the registers of a dump: ETMIDR,
 * ETMCCR, ETMCCER, ETMSCR, ETMIDR2, and others that describe the macrocell.
 * Without ETMIDR, ETMCCR[30:28] gives the version of an ETMv1. ETM_OK;
 * ETM_ERR_CONFIG: registers are missing or invalid.
 */
int etm_dump_macrocell(const struct etm_register *registers, size_t n,
                       struct etm_macrocell_config *macrocell,
                       struct etm_config *config, struct etm_diag *diag);

/* Setups. */

#define ETM_SETUP_CAPACITY 256

/*
 * Values for registers, in the order in which they are to be written, at most
 * one for each register. A plain value; all zero is the empty setup. ETMCR has
 * its value during tracing, with bits [10] and [0] clear. Registers beside the
 * macrocell that select for it come first; their numbers are their addresses
 * (etm_register_number()). Of DEMCR, the value is the bits to be set.
 */
struct etm_setup {
    size_t n;
    struct etm_setup_value {
        uint32_t number; /* register number, 0 to 0x3ff, or address */
        uint32_t value;
    } values[ETM_SETUP_CAPACITY];
};

/*
 * Set the value of a register; a new register is appended. ETM_OK;
 * ETM_ERR_ARGUMENT: no such register number, or the setup is full.
 */
int etm_setup_set(struct etm_setup *setup, uint32_t number, uint32_t value);

/* Set *value to the value of a register. ETM_ERR_NOT_FOUND: the setup does not
 * have it, and *value is 0. */
int etm_setup_get(const struct etm_setup *setup, uint32_t number,
                  uint32_t *value);

/*
 * Read a setup or a dump of registers: the output of etm_setup_write() in any
 * format; lines with the name of a register and its value; memory as listed by
 * a debugger; or a script or C source that writes the registers, of which the
 * last write counts. Comparators of the DWT and DEMCR are read, too.
 * doc/explain.md has the forms. Numbers without 0x are those of the tool whose
 * form it is; in lines `NAME = VALUE` they are hexadecimal if they have eight
 * digits or a letter, and decimal otherwise. Returns ETM_OK; ETM_ERR_FORMAT:
 * *diag has the line, and the cause with the word that is wrong;
 * ETM_ERR_MEMORY.
 */
int etm_setup_read(struct etm_setup *setup, const char *text, size_t length,
                   struct etm_diag *diag);

enum etm_setup_format {
    ETM_SETUP_FORMAT_TABLE,   /* NAME = VALUE, with its number */
    ETM_SETUP_FORMAT_C,       /* a function; by JTAG, an array of values */
    ETM_SETUP_FORMAT_OPENOCD, /* a Tcl script */
    ETM_SETUP_FORMAT_GDB,     /* a command file */
    ETM_SETUP_FORMAT_SYSFS,   /* shell commands for Linux's coresight driver */
    ETM_SETUP_FORMAT_JLINK,   /* a J-Link script file */
    ETM_SETUP_FORMAT_PYOCD    /* Python */
};

/* "table", "c" ...; never NULL, static storage. */
const char *etm_setup_format_name(enum etm_setup_format format);

struct etm_trace_path;

/* How a script reaches the macrocell. Zero means default. */
struct etm_setup_script {
    size_t size;        /* sizeof this struct, or 0 */
    const char *title;  /* one line of comment; NULL: none */
    const char *device; /* sysfs: NULL is "etm0" */
    const char *tap;    /* JTAG through OpenOCD: NULL is "$_TARGETNAME" */
    uint32_t base;      /* memory-mapped: address of ETMCR; 0: 0xe0041000, its
                           address in M-profile processors */
    uint8_t interfaces; /* mask of enum etm_interface; memory-mapped is
                           preferred. 0: memory-mapped */
    bool no_lock;       /* there is no CoreSight lock to unlock */
    bool os_lock;       /* there is an OS lock to unlock, and a sticky bit to
                           clear before (3.5.25) */
    bool no_status;     /* v1.0, v1.1: no ETMSR[1] to wait for */
    bool shared;        /* several cores share it (ETMSCR[14:12]): ETMCR[27:25]
                           is written first, with power off (3.5.1) */
    /* What else is set up, from the trace pins to the macrocell; NULL: nothing.
     * Borrowed. It is looked at if `size` is set. */
    const struct etm_trace_path *path;
};

/* Set these fields for a macrocell; base, texts and path keep their defaults.
 * ETM_ERR_ARGUMENT; or as etm_macrocell_new() for this configuration. */
int etm_setup_script_of(struct etm_setup_script *script,
                        const struct etm_macrocell_config *macrocell,
                        struct etm_diag *diag);

/*
 * Write the setup as text; scripts follow the procedure of 3.4.3. `script` may
 * be NULL. With a path, they set up the rest of the chip, too; if it has no
 * macrocell, the setup may be empty. The table has every register. All other
 * formats leave out those that are not programmed: the ones that only identify
 * the macrocell or show its state (ETMCCR, ETMSR, ETMSCR, ETMIDR, ETMCCER,
 * ETMIDR2), and power and management registers (ETMOSLAR and above). Sysfs also
 * leaves out what the driver chooses (ETMTRACEIDR, port and bit [11] in ETMCR)
 * and ViewData, which has no effect without data trace. Writes at most
 * `capacity` bytes including the terminator, and returns the length of the
 * whole text without it. ETM_ERR_UNSUPPORTED: the format cannot express a
 * register, which *diag names, or leaves out all that there are;
 * ETM_ERR_ARGUMENT.
 */
int etm_setup_write(const struct etm_setup *setup, enum etm_setup_format format,
                    const struct etm_setup_script *script, char *text,
                    size_t capacity, struct etm_diag *diag);

/*
 * Program the model with the same procedure (3.4.3): unlock, power up, set the
 * programming bit, write all registers, clear the bit. `access` must be one
 * that the macrocell has (`interfaces` of its configuration): v1 and v2 have
 * only JTAG. ETM_OK; ETM_ERR_ARGUMENT; ETM_ERR_CONFIG: an access failed or was
 * a mistake, *diag names the register. Read-only registers of a dump are
 * skipped, and so are registers with value 0 that do not exist.
 */
int etm_setup_apply(const struct etm_setup *setup,
                    struct etm_macrocell *macrocell, enum etm_access access,
                    struct etm_diag *diag);

/* Requests. */

/* What an address comparator compares (table 3-27). */
enum etm_look {
    ETM_LOOK_EXECUTE, /* whether or not the condition passes */
    ETM_LOOK_PASSED,
    ETM_LOOK_FAILED,
    ETM_LOOK_FETCH,
    ETM_LOOK_TRANSFER,
    ETM_LOOK_LOAD,
    ETM_LOOK_STORE,
};

/* Never NULL, static storage. */
const char *etm_look_name(enum etm_look look);

enum etm_request_security {
    ETM_REQUEST_SECURITY_ANY = 0,
    ETM_REQUEST_NON_SECURE, /* v3.2 and later, with Security Extensions */
    ETM_REQUEST_SECURE
};

enum etm_request_mode {
    ETM_REQUEST_MODE_ANY = 0,
    ETM_REQUEST_USER,      /* v3.5 and PFT */
    ETM_REQUEST_PRIVILEGED /* v3.5 and PFT */
};

/*
 * Instructions or transfers: an address or a range of addresses, and further
 * conditions. Uses one address comparator or a pair; in M-profile processors,
 * comparators of the DWT: one for an address, or for a range that is a block of
 * 2^n bytes, up to 32768, at a multiple of that; for other ranges in `include`
 * and `exclude` one or two, and a note says what they hold.
 */
struct etm_request_match {
    enum etm_look look;
    bool range;       /* false: one address, `from` */
    uint32_t from;    /* the first; instructions: without the T bit */
    uint32_t to;      /* the last address of the range, inclusive: 0xffffffff is
                         the top */
    enum etm_isa isa; /* instructions; UNKNOWN: as ARM, which has the largest
                         instructions (2.7.1) */
    uint8_t size;     /* data: bytes compared, 1, 2 or 4; 0: 4 if `from` and
                         `to` + 1 are word-aligned, else as these allow */
    bool has_value;   /* data: compare the value, too; from v2.0 on whatever the
                         alignment */
    bool differs;     /* ... and it must differ */
    uint32_t value;   /* of `size` bytes, in the low bits */
    uint32_t mask;    /* bits of `value` to compare, all others must be 0 in it;
                         0: all */
    bool big_endian;  /* byte order of the bus for v1.x (2.8.2); later versions
                         compare the value as it is traced, and a note says
                         so */
    bool has_context_id; /* v2.0 and later */
    uint32_t context_id;
    uint8_t security; /* enum etm_request_security */
    uint8_t mode;     /* enum etm_request_mode */
    bool imprecise;   /* v2.0 and later: match at once, even if cancelled later,
                         or before the value is known (2.7.4) */
};

/* The resource of an event (table 3-81). */
enum etm_condition {
    ETM_CONDITION_NONE,
    ETM_CONDITION_ALWAYS,
    ETM_CONDITION_MATCH,
    ETM_CONDITION_EXTERNAL,        /* 1 to 4 */
    ETM_CONDITION_EXTENDED,        /* 0 to 255, through a selector */
    ETM_CONDITION_ICE,             /* 1 to 8 */
    ETM_CONDITION_MEMORY_MAP,      /* 1 to 16 */
    ETM_CONDITION_INSTRUMENTATION, /* 1 to 4: DBG hints */
    ETM_CONDITION_CONTEXT_ID,      /* number is the ID */
    ETM_CONDITION_STARTED,
    ETM_CONDITION_NON_SECURE,
    ETM_CONDITION_PROHIBITED,
    ETM_CONDITION_CHAIN,
    ETM_CONDITION_EVERY, /* one cycle in 2 to 65536; uses a counter */
    ETM_CONDITION_VMID,  /* number is the VMID, 0 to 255: ETMv3.5, PFT 1.1 */
};

/* Never NULL, static storage. */
const char *etm_condition_name(enum etm_condition condition);

struct etm_request_condition {
    enum etm_condition what; /* zero: no condition */
    bool inverted;
    uint32_t number;                /* number of the input etc., context ID,
                                       VMID, or cycles */
    struct etm_request_match match; /* ETM_CONDITION_MATCH */
    /* 0: holds while `what` holds. 1 to 65535: from the Nth time on; uses a
     * counter. */
    uint32_t times;

    /* A second condition, which may not have `with` or `times` itself: an event
     * combines two resources (3.6.2). `inverted` applies to this condition
     * only, `times` to the combination. Borrowed. */
    const struct etm_request_condition *with; /* NULL: alone */
    bool either;                              /* true: one of them suffices;
                                                 false: both are needed */
};

/*
 * What to trace. All zero requests the program flow of everything, and nothing
 * else. Pointers are borrowed for the call.
 */
struct etm_request {
    size_t size; /* sizeof this struct, or 0 */

    /* Instructions: only those of `include`, if given, except those of
     * `exclude`; and only from a `start` to a `stop` (single addresses, of
     * instructions or transfers; or see start_ice). */
    const struct etm_request_match *include, *exclude, *start, *stop;
    size_t n_include, n_exclude, n_start, n_stop;
    struct etm_request_condition when; /* only while this holds; imprecise */

    /* Data of traced instructions; of all of them if there are no matches. */
    bool data_address, data_value;
    bool cprt;        /* coprocessor register transfers */
    bool cprt_filter; /* ... only where data is traced */
    bool data_only;   /* no instructions: ETMv3.1 and later */
    const struct etm_request_match *data_include, *data_exclude;
    size_t n_data_include, n_data_exclude;
    struct etm_request_condition data_when;

    /* Apply to everything that is included, started or excluded above. */
    bool has_context_id;
    uint32_t context_id;
    uint8_t security; /* enum etm_request_security */
    uint8_t mode;     /* enum etm_request_mode */

    /* A, then B, then C: two or three conditions. When the last has occurred,
     * ETM_CONDITION_CHAIN, to be used below, holds. */
    const struct etm_request_condition *chain;
    size_t n_chain;
    struct etm_request_condition trigger;
    struct etm_request_condition timestamp;   /* ETMv3.5, PFT */
    struct etm_request_condition external[4]; /* outputs */
    bool debug_on_trigger;

    bool cycle_accurate;
    bool timestamps;
    bool return_stack;
    bool branch_broadcast;
    bool vmid;
    uint8_t context_id_bytes; /* 0, 1, 2, 4 */
    uint8_t trace_id;         /* 0: ETMTRACEIDR is not written */
    uint16_t sync_period;     /* 0: ETMSYNCFR is not written */
    bool stall;               /* stall the processor at ... */
    bool suppress;            /* suppress data at ... */
    uint8_t fifo_level; /* ... this many free bytes of the FIFO; 0: a suitable
                           number */
    uint8_t port_pins;  /* width of the trace port; 0: the widest possible */
    uint8_t port_mode;  /* ETMCR[13,17:16]; before v3.0 [17:16] alone */
    bool half_rate;     /* before v3.0: ETMCR[13] */

    /* EmbeddedICE comparators that start and stop the trace, as `start` and
     * `stop` do: bit n-1 for comparator n (ETMv3.4 and later, ETMCCER[20]). In
     * M-profile processors they are the comparators of the DWT; those that are
     * named here have to be set up by other means: a note says how. */
    uint8_t start_ice, stop_ice;
};

/* Notes on a setup that traces more or less than the request may suggest. */
struct etm_notes {
    size_t n;
    char text[24][256]; /* sentences without a full stop */
};

/* What a text has besides the values of registers. */
struct etm_setup_listing {
    char core[32];    /* of the first line of comment, `# core: version`, which
                         scripts have from their title; empty: unknown */
    char version[16]; /* as etm_core_macrocell() takes it; with `core` */
    struct etm_notes notes; /* what was passed over, and why */
    uint64_t reserve[8];
};

/* As etm_setup_read(), and what else is in the text. */
int etm_setup_read_listing(struct etm_setup *setup,
                           struct etm_setup_listing *listing, const char *text,
                           size_t length, struct etm_diag *diag);

/*
 * Find register values with which this macrocell traces what is requested.
 * `notes` may be NULL; it is emptied first. ETM_OK: *setup has all relevant
 * registers; notes say where it only approximates the request.
 * ETM_ERR_UNSUPPORTED: the macrocell cannot do it, *diag says what is missing
 * and what would be needed; ETM_ERR_ARGUMENT: the request contradicts itself;
 * ETM_ERR_CONFIG: there is no such macrocell.
 */
int etm_configure(struct etm_setup *setup, const struct etm_request *request,
                  const struct etm_macrocell_config *macrocell,
                  struct etm_notes *notes, struct etm_diag *diag);

/* Whole chips: what stands between the macrocell and the trace that one has. */

/* Where the trace goes. */
enum etm_sink {
    ETM_SINK_NONE,
    ETM_SINK_TPIU, /* a trace port: a clock and data pins */
    ETM_SINK_SWO,  /* one pin, UART code */
    ETM_SINK_ETB   /* a buffer in the chip: an ETB, or a TMC as one */
};

/* Never NULL, static storage. */
const char *etm_sink_name(enum etm_sink sink);

/* What gives trace; all but the macrocell are M-profile processors' alone. */
enum etm_trace_origin {
    ETM_TRACE_MACROCELL = 1,
    ETM_TRACE_ITM = 2,        /* what the program writes to stimulus ports */
    ETM_TRACE_EXCEPTIONS = 4, /* of the DWT, through the ITM */
    ETM_TRACE_PC_SAMPLES = 8, /* of the DWT, through the ITM */
    ETM_TRACE_TIMESTAMPS = 16 /* local timestamps of the ITM */
};

/*
 * A family of chips. The values that the library has for it are those of
 * `source`: public documents and maintained scripts. What none confirms is not
 * set up.
 */
struct etm_chip {
    const char *name;   /* "stm32f4" */
    const char *models; /* "STM32F401 to F479" */
    const char *core;   /* as etm_core_find() takes it */
    const char *pins;   /* where the trace comes out */
    const char *source; /* of these values */
    const char *caveat; /* what is left out, or not so in all; NULL: nothing */
    uint8_t sinks;      /* bit n: enum etm_sink n */
    uint8_t port_sizes; /* mask of 1, 2 and 4 pins */
    bool etm;           /* it has a macrocell */
};

/* Family n, from 0; NULL after the last. */
const struct etm_chip *etm_chips(size_t n);

/*
 * The family of a chip, by its name or by more of it: "stm32f4", "STM32F407VG",
 * "lpc1768". ETM_ERR_NOT_FOUND: there is none, and *chip is NULL.
 */
int etm_chip_find(const char *name, const struct etm_chip **chip);

/*
 * The path of the trace out of a chip, for struct etm_setup_script. A script
 * then does this, in this order: it switches trace on (DEMCR), stops the
 * sources, sets up the pins and clocks of the chip, then TPIU, or funnel and
 * buffer, the DWT and its comparators, the ITM, and the macrocell.
 */
struct etm_trace_path {
    size_t size;                 /* sizeof this struct, or 0 */
    const struct etm_chip *chip; /* NULL: an unknown one, whose pins are left
                                    alone, with the blocks below */
    enum etm_sink sink;          /* not NONE */
    enum etm_profile profile;    /* of an unknown chip */
    uint8_t pins;                /* TPIU: 1, 2 or 4 */
    uint8_t origins;             /* mask of enum etm_trace_origin; 0: the
                                    macrocell, or the ITM of chips without */
    uint8_t itm_id;              /* its trace ID; 0: 1 */
    uint8_t funnel_ports;        /* inputs of `funnel` by bit; 0: all */
    uint32_t baud;               /* SWO */
    uint32_t clock;              /* of the TPIU in Hz, most often the core's;
                                    needed for SWO, if the chip does not say */
    uint32_t tpiu, etb, tmc;     /* addresses; 0: those of the chip or, in an
                                    M-profile processor, TPIU at 0xe0040000 */
    uint32_t funnel;             /* before the sink; 0: the chip's, or none */
    bool read_out; /* not the setup, but what comes after: read the buffer, or
                      have the debugger capture SWO */
};

/*
 * What of a path is not set up, or not as asked for: one sentence each, added
 * to *notes. ETM_OK; ETM_ERR_ARGUMENT, ETM_ERR_UNSUPPORTED: there is no such
 * path, *diag says why. etm_setup_write() refuses the same.
 */
int etm_trace_path_notes(const struct etm_trace_path *path,
                         struct etm_notes *notes, struct etm_diag *diag);

/* Where the blocks of a chip are, by its ROM table; 0: there is none. */
struct etm_rom_table {
    uint32_t tpiu, etb, tmc, funnel, macrocell;
    bool several; /* of some kind: that is the first one */
    uint32_t reserve[8];
};

/*
 * Read a ROM table as debuggers print it: OpenOCD's `dap info`, or what pyOCD
 * logs when it connects. ETM_OK; ETM_ERR_FORMAT: there is no component in the
 * text; ETM_ERR_UNSUPPORTED: the macrocell is an ETMv4.
 */
int etm_rom_table_read(struct etm_rom_table *table, const char *text,
                       size_t length, struct etm_diag *diag);

/* ---- Explanation --------------------------------------------------------- */

/*
 * A macrocell's register values explained in words, and the mistakes in them.
 *
 * The values may come from a dump, from a capture, or from a setup that is to
 * be programmed. A register that is not among them is unknown: instead of what
 * depends on it, the explanation says that it is unknown. Values are
 * interpreted as the macrocell's version defines them, ETMv1.0 to ETMv3.5,
 * PFTv1.0 and PFTv1.1 (ETM architecture, chapter 3).
 */

/* What to explain. Zero means default for every field. */
struct etm_explain_config {
    size_t size; /* sizeof this struct, or 0 */

    /* Values by name, or by number if the name is empty or unknown. The last of
     * several values for one register counts. */
    const struct etm_register *registers;
    size_t n_registers;

    /*
     * The macrocell. Registers among the values have precedence: ETMIDR (ETMCCR
     * in v1.x) for its version, ETMCCR, ETMCCER and ETMSCR for the rest. NULL:
     * only these registers describe it. Without ETMCCR its resources are
     * unknown, and the largest possible number of each is assumed.
     */
    const struct etm_macrocell_config *macrocell;

    const struct etm_names *names; /* names of addresses; NULL: none */
};

/* What a sentence is about, in the order of output. */
enum etm_topic {
    ETM_TOPIC_MACROCELL,
    ETM_TOPIC_MODES,
    ETM_TOPIC_TRACE_ENABLE,
    ETM_TOPIC_VIEW_DATA,
    ETM_TOPIC_TRIGGER,
    ETM_TOPIC_COMPARATORS,
    ETM_TOPIC_COUNTERS,
    ETM_TOPIC_SEQUENCER,
    ETM_TOPIC_OUTPUTS,
    ETM_TOPIC_FIFO,
    ETM_TOPIC_STATE,
};

/* "macrocell", "modes", ...; never NULL, static storage. */
const char *etm_topic_name(enum etm_topic topic);

/* One sentence. Its pointers are valid until the function returns. */
struct etm_explain_line {
    enum etm_topic topic;
    const char *subject; /* a part of the topic: "range 3", "precision" */
    const char *text;    /* with a full stop, without a line feed */
    /* The registers from which it was derived. */
    const uint32_t *registers;
    size_t n_registers;
    bool known; /* false: it says what is unknown */
};

/* A return value other than 0 stops. */
typedef int etm_explain_fn(void *context, const struct etm_explain_line *line);

/*
 * Explain all values: `line` is called for each sentence, grouped by topic.
 * Returns ETM_OK; ETM_ERR_ARGUMENT; ETM_ERR_CONFIG: neither the values nor
 * `macrocell` give a known version, *diag says why; or what `line` returned.
 */
int etm_explain(const struct etm_explain_config *config, etm_explain_fn *line,
                void *context, struct etm_diag *diag);

/*
 * An event in words (3.6), for instance "counter 2 at zero and address in range
 * 3", "always", "never". Only bits [16:0] of `event` are used. Writes at most
 * `capacity` bytes including the terminator and returns `text`.
 */
const char *etm_event_words(uint32_t event, char *text, size_t capacity);

/* How serious a mistake is. */
enum etm_severity {
    ETM_SEVERITY_UNPREDICTABLE, /* the specification says so */
    ETM_SEVERITY_ADVICE,        /* allowed, but probably not intended */
};

/* "unpredictable" or "advice"; never NULL, static storage. */
const char *etm_severity_name(enum etm_severity severity);

/* The rules that values may break. */
enum etm_lint_rule {
    ETM_LINT_DATA_EXCLUDED,
    ETM_LINT_RANGE_EMPTY,
    ETM_LINT_RANGE_TYPES,
    ETM_LINT_RANGE_TOP,
    ETM_LINT_VALUE_MISPLACED,
    ETM_LINT_VALUE_IN_RANGE,
    ETM_LINT_RESERVED_TYPE,
    ETM_LINT_NO_FETCH,
    ETM_LINT_NO_DATA_ADDRESS,
    ETM_LINT_UNALIGNED,
    ETM_LINT_LANES,
    ETM_LINT_UNMASKED_LANES,
    ETM_LINT_VALUE_UNDER_MASK,
    ETM_LINT_START_AND_STOP,
    ETM_LINT_EXACT_VIEW,
    ETM_LINT_STALL_AND_SUPPRESS,
    ETM_LINT_FIFO_LEVEL,
    ETM_LINT_NO_FIFOFULL,
    ETM_LINT_CPRT_FILTER,
    ETM_LINT_RESOURCE,
    ETM_LINT_SELECTION,
    ETM_LINT_EXTENDED_INPUT,
    ETM_LINT_TRANSITION,
    ETM_LINT_SEQUENCER_STATE,
    ETM_LINT_COUNT_SOURCE,
    ETM_LINT_COUNTER_VALUE,
    ETM_LINT_WHILE_TRACING,
    ETM_LINT_CORE_SELECT,
    ETM_LINT_PORT,
    ETM_LINT_PORT_OFF,
    ETM_LINT_SYNC_PERIOD,
    ETM_LINT_IMPRECISE_TRACE,
    ETM_LINT_IMPRECISE_VIEW,
    ETM_LINT_NO_STOP,
    ETM_LINT_LATCHED_POINT,
    ETM_LINT_NEVER_MATCHES,
    ETM_LINT_NOTHING_TRACED,
    ETM_LINT_NO_DATA_TRACED,
    ETM_LINT_VIEW_IGNORED,
    ETM_LINT_RESERVED_BITS,
    ETM_LINT_NO_REGISTER,
    ETM_LINT_READ_ONLY,
    ETM_LINT_SAVE_RESTORE,
    ETM_LINT_EXACT_REGION,
    ETM_LINT_INEXACT_EVENT,
    ETM_LINT_JTAG_POWER,
    ETM_LINT_JTAG_SHARED,
    ETM_LINT_TRACE_ID,
    ETM_LINT_IDENTITY,
    ETM_LINT_NO_FEATURE,
};

/* "range-empty", ...; never NULL, static storage. */
const char *etm_lint_id(enum etm_lint_rule rule);

struct etm_lint {
    enum etm_lint_rule rule;
    enum etm_severity severity;
    uint32_t number;     /* of the register, or ETM_REGISTER_NONE */
    const char *section; /* of the ETM architecture; static storage */
    char text[256];      /* one sentence without a full stop */
    uint64_t reserve[2];
};

/*
 * Find the mistakes in the values. Writes at most `capacity` of them, in the
 * order of the rules, and returns how many there are, or a negative status as
 * for etm_explain(). A rule that needs an unknown value finds nothing.
 */
int etm_lint_values(const struct etm_explain_config *config,
                    struct etm_lint *lints, size_t capacity,
                    struct etm_diag *diag);

/* One register access of a program that sets up the macrocell. */
struct etm_lint_access {
    uint32_t number;
    uint32_t value; /* the value written or read */
    bool write;
};

/*
 * Find the mistakes in a sequence of accesses (3.4.3, 3.5.1, 3.5.13, 3.5.24):
 * registers written without the programming bit in effect, the selected core
 * changed with power on, save and restore out of sequence. `config` describes
 * the macrocell; its values are those of the registers before the first access.
 * Without a value for ETMCR, it is as after a reset. Results as for
 * etm_lint_values(),
 * but in the order of the accesses.
 */
int etm_lint_accesses(const struct etm_explain_config *config,
                      const struct etm_lint_access *accesses, size_t n,
                      struct etm_lint *lints, size_t capacity,
                      struct etm_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
