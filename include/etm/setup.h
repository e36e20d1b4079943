/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programming a macrocell: the cores that have one, the register values that
 * are to be written, and how these come of a request in words.
 *
 *   etm_core_find, etm_core_macrocell     what the macrocell is made of
 *   etm_configure                         a request -> register values
 *   etm_setup_read, etm_setup_write       register values <-> text, scripts
 *   etm_setup_apply                       register values -> the model
 */
#ifndef ETM_SETUP_H
#define ETM_SETUP_H

#include <etm/config.h>
#include <etm/macrocell.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cores. */

/*
 * A core and its macrocell as its manual tells. Registers are as the
 * macrocell shows them: 0 for those that its version does not have.
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
    bool no_os_lock;       /* from v3.3 on: one power domain, no OS lock */
};

/* Core n from 0, in order of their age; NULL after the last. */
const struct etm_core *etm_cores(size_t n);

/*
 * By name, without regard to case, '-' and '_': "cortex-m3", "CortexM3". Cores
 * with an ETMv1 have one row for each standard configuration (2.12):
 * "arm7tdmi-small", "arm7tdmi-medium", "arm7tdmi-large"; the plain name is the
 * usual one. "cortex-a9" is what chips have, "cortex-a9r0p0" the first revision
 * of its macrocell. NULL if there is no such core.
 */
const struct etm_core *etm_core_find(const char *name);

/*
 * What etm_macrocell_new() takes, for the macrocell of that core. `version`
 * is NULL for the core's own, or another: "v1.0" to "v1.3", "v2.0", "v2.1",
 * "v3.0" to "v3.5", "pft1.0", "pft1.1" (with or without "etm" in front); it
 * then has the resources of the core's macrocell as far as that version has
 * such, and of what a version may lack, timestamps and return stack.
 * *macrocell points to *config, which must live as long. ETM_OK;
 * ETM_ERR_ARGUMENT: no such version; ETM_ERR_CONFIG: not for that core.
 */
int etm_core_macrocell(const struct etm_core *core, const char *version,
                       struct etm_macrocell_config *macrocell,
                       struct etm_config *config, struct etm_diag *diag);

/*
 * The same from the registers of a dump: ETMIDR, ETMCCR, ETMCCER, ETMSCR,
 * ETMIDR2, and others that say what there is. Without ETMIDR, ETMCCR[30:28]
 * tells the version of an ETMv1. ETM_OK; ETM_ERR_CONFIG when registers are
 * missing or make no sense.
 */
int etm_dump_macrocell(const struct etm_register *registers, size_t n,
                       struct etm_macrocell_config *macrocell,
                       struct etm_config *config, struct etm_diag *diag);

/* Setups. */

#define ETM_SETUP_CAPACITY 256

/*
 * Values for registers, in the order in which they are to be written. Each
 * register is there once at most. A plain value; all zero is the empty setup.
 * ETMCR is as it shall be when tracing runs: with bits [10] and [0] clear.
 */
struct etm_setup {
    size_t n;
    struct etm_setup_value {
        uint32_t number; /* register number */
        uint32_t value;
    } values[ETM_SETUP_CAPACITY];
};

/*
 * Give a register its value: a new one goes to the end. ETM_OK;
 * ETM_ERR_ARGUMENT: no such number, or the setup is full.
 */
int etm_setup_set(struct etm_setup *setup, uint32_t number, uint32_t value);

/* Whether the register is there; its value, or 0, in *value. */
bool etm_setup_get(const struct etm_setup *setup, uint32_t number,
                   uint32_t *value);

/*
 * Read a setup or a dump of registers: what etm_setup_write() makes in any
 * format, or lines `NAME = VALUE`, `NAME VALUE`, `NAME: VALUE` (0x:
 * hexadecimal, otherwise decimal). NAME is the register's name, `reg 0x010` or
 * an offset `+0x040`; `#`, `;` and slashes begin comments. Where there is a
 * section `[regs]`, as in the files of a snapshot's devices, only its lines
 * count. Or memory, as debuggers list it: `ADDRESS: WORD WORD ...`, all
 * hexadecimal, of registers that begin at an address which 4096 divides; what
 * has no name there, and what can only be written, is passed over. A later
 * value of the same register counts. Returns ETM_OK; ETM_ERR_FORMAT, and *diag
 * tells line and cause.
 */
int etm_setup_read(struct etm_setup *setup, const char *text, size_t length,
                   struct etm_diag *diag);

/* X(name, text) */
#define ETM_SETUP_FORMAT_LIST(X)                                               \
    X(TABLE, "table")     /* NAME = VALUE, with its number */                  \
    X(C, "c")             /* an array and a function that writes it */         \
    X(OPENOCD, "openocd") /* a Tcl script */                                   \
    X(GDB, "gdb")         /* a command file */                                 \
    X(SYSFS, "sysfs")     /* shell commands for Linux's coresight driver */

enum etm_setup_format {
#define ETM_SETUP_FORMAT_ENUM(name, text) ETM_SETUP_FORMAT_##name,
    ETM_SETUP_FORMAT_LIST(ETM_SETUP_FORMAT_ENUM)
#undef ETM_SETUP_FORMAT_ENUM
};

/* "table", "c" ...; never NULL, static storage. */
const char *etm_setup_format_name(enum etm_setup_format format);

/* How a script reaches the macrocell. Zero means default. */
struct etm_setup_script {
    size_t size;        /* sizeof this struct, or 0 */
    const char *title;  /* one line of comment; NULL: none */
    const char *device; /* sysfs: NULL is "etm0" */
    const char *tap;    /* JTAG through OpenOCD: NULL is "$_TARGETNAME" */
    uint32_t base;      /* memory-mapped: address of ETMCR; 0: 0xe0041000,
                           where M-profile processors have it */
    uint8_t interfaces; /* enum etm_interface; memory-mapped counts first.
                           0: memory-mapped */
    bool no_lock;       /* no CoreSight lock to open */
    bool os_lock;       /* there is an OS lock to open */
    bool no_status;     /* v1.0, v1.1: no ETMSR[1] to wait for */
    bool shared;        /* several cores share it (ETMSCR[14:12]): ETMCR[27:25]
                           is written first, with power off (3.5.1) */
};

/* What the macrocell says of these; base and texts stay default.
 * ETM_ERR_ARGUMENT; or what etm_macrocell_new() makes of the configuration. */
int etm_setup_script_of(struct etm_setup_script *script,
                        const struct etm_macrocell_config *macrocell,
                        struct etm_diag *diag);

/*
 * Write the setup as text, each script with the procedure of 3.4.3. `script`
 * may be NULL. Writes at most `capacity` bytes with the terminating zero and
 * returns the length without it that the text has or would have; or
 * ETM_ERR_UNSUPPORTED: the format has no way to say a register, named in
 * *diag; ETM_ERR_ARGUMENT.
 */
int etm_setup_write(const struct etm_setup *setup, enum etm_setup_format format,
                    const struct etm_setup_script *script, char *text,
                    size_t capacity, struct etm_diag *diag);

/*
 * Programme the model, with the same procedure (3.4.3): locks, power, the
 * programming bit, all registers, and go. `access` is one that the macrocell
 * has (`interfaces` of its configuration): those of v1 and v2 have JTAG alone.
 * ETM_OK; ETM_ERR_CONFIG: an access failed or was a mistake, *diag names the
 * register. Read-only registers of a dump are passed over, and zeros of those
 * that there are not.
 */
int etm_setup_apply(const struct etm_setup *setup,
                    struct etm_macrocell *macrocell, enum etm_access access,
                    struct etm_diag *diag);

/* Requests. */

/* X(name, text): what an address comparator looks at (table 3-27). */
#define ETM_LOOK_LIST(X)                                                       \
    X(EXECUTE, "executed") /* whether or not the condition passes */           \
    X(PASSED, "passed")                                                        \
    X(FAILED, "failed")                                                        \
    X(FETCH, "fetched")                                                        \
    X(TRANSFER, "load or store")                                               \
    X(LOAD, "load")                                                            \
    X(STORE, "store")

enum etm_look {
#define ETM_LOOK_ENUM(name, text) ETM_LOOK_##name,
    ETM_LOOK_LIST(ETM_LOOK_ENUM)
#undef ETM_LOOK_ENUM
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
 * Instructions or transfers: an address or a range of them, and what else
 * must hold. Becomes one address comparator or a pair.
 */
struct etm_request_match {
    enum etm_look look;
    bool range;       /* else one address, `from` */
    uint32_t from;    /* the first; instructions: without the T bit */
    uint32_t to;      /* the last one in the range: 0xffffffff is the top */
    enum etm_isa isa; /* instructions; UNKNOWN: the widest that fits */
    uint8_t size;     /* data: bytes that count, 1, 2 or 4; 0: 4 when `from` and
                         `to` + 1 are words, else what they allow */
    bool has_value;   /* data: the value too, at v2.0+ whatever it stands on */
    bool differs;     /* ... must be another */
    uint32_t value;   /* of `size` bytes, at bit 0 */
    uint32_t mask;    /* bits of it that count, `value` has no others; 0: all */
    bool big_endian;  /* how v1.x sees the bus (2.8.2); later versions compare
                         the value as it is traced, and a note says so */
    bool has_context_id; /* v2.0 and later */
    uint32_t context_id;
    uint8_t security; /* enum etm_request_security */
    uint8_t mode;     /* enum etm_request_mode */
    bool imprecise;   /* v2.0 and later: match at once, even what is cancelled
                         or whose value is still to come (2.7.4) */
};

/* X(name, text): what an event looks at (table 3-81). */
#define ETM_CONDITION_LIST(X)                                                  \
    X(NONE, "nothing")                                                         \
    X(ALWAYS, "always")                                                        \
    X(MATCH, "instructions or transfers")                                      \
    X(EXTERNAL, "external input")          /* 1 to 4 */                        \
    X(EXTENDED, "extended external input") /* 0 to 255, through a selector */  \
    X(ICE, "EmbeddedICE comparator")       /* 1 to 8 */                        \
    X(MEMORY_MAP, "memory map decoder")    /* 1 to 16 */                       \
    X(INSTRUMENTATION, "instrumentation")  /* 1 to 4: DBG hints */             \
    X(CONTEXT_ID, "context ID")            /* number is the ID */              \
    X(STARTED, "start/stop block")                                             \
    X(NON_SECURE, "non-secure state")                                          \
    X(PROHIBITED, "tracing prohibited")                                        \
    X(CHAIN, "chain complete")                                                 \
    X(EVERY, "period") /* one cycle in so many, 2 to 65536; a counter */

enum etm_condition {
#define ETM_CONDITION_ENUM(name, text) ETM_CONDITION_##name,
    ETM_CONDITION_LIST(ETM_CONDITION_ENUM)
#undef ETM_CONDITION_ENUM
};

/* Never NULL, static storage. */
const char *etm_condition_name(enum etm_condition condition);

struct etm_request_condition {
    enum etm_condition what; /* zero: there is no such condition */
    bool inverted;
    uint32_t number;                /* which one, the ID, or cycles */
    struct etm_request_match match; /* ETM_CONDITION_MATCH */
    /* 0: holds while `what` does. N, to 65535: from the Nth time on; needs a
       counter. */
    uint32_t times;

    /* Together with another condition, which is not joined or counted itself:
       an event joins two resources (3.6.2). `inverted` is of this one alone,
       `times` of both together. Borrowed. */
    const struct etm_request_condition *with; /* NULL: alone */
    bool either;                              /* one of them suffices */
};

/*
 * What shall be traced. All zero asks for the program flow of everything, and
 * nothing else. Pointers are borrowed for the call.
 */
struct etm_request {
    size_t size; /* sizeof this struct, or 0 */

    /* Instructions: with `include` only those, without `exclude`; and only
       from `start` up to `stop` (single addresses). */
    const struct etm_request_match *include, *exclude, *start, *stop;
    size_t n_include, n_exclude, n_start, n_stop;
    struct etm_request_condition when; /* and while this holds; imprecise */

    /* Data of traced instructions. Without matches: of all of them. */
    bool data_address, data_value;
    bool cprt;        /* coprocessor register transfers */
    bool cprt_filter; /* ... only where data is traced */
    bool data_only;   /* no instructions: ETMv3.1 and later */
    const struct etm_request_match *data_include, *data_exclude;
    size_t n_data_include, n_data_exclude;
    struct etm_request_condition data_when;

    /* For everything that is included, started or excluded above. */
    bool has_context_id;
    uint32_t context_id;
    uint8_t security; /* enum etm_request_security */
    uint8_t mode;     /* enum etm_request_mode */

    /* A, then B, then C: two or three conditions, ETM_CONDITION_CHAIN below
       when the last has come. */
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
    bool stall;               /* the processor waits at ... */
    bool suppress;            /* data are left out at ... */
    uint8_t fifo_level; /* ... this many free bytes; 0: as many as make sense */
    uint8_t port_pins;  /* width of the trace port; 0: the widest there is */
    uint8_t port_mode;  /* ETMCR[13,17:16]; before v3.0 [17:16] alone */
    bool half_rate;     /* before v3.0: ETMCR[13] */
};

/* Remarks on a setup that does more or less than the words may suggest. */
struct etm_notes {
    size_t n;
    char text[24][256]; /* sentences without a full stop */
};

/*
 * Find register values that trace what `request` asks for on this macrocell.
 * `notes` may be NULL; it is emptied first. ETM_OK: *setup has every register
 * that matters, and nothing is approximated silently. ETM_ERR_UNSUPPORTED: the
 * macrocell cannot do it, *diag says what is missing and what it would take;
 * ETM_ERR_ARGUMENT: the request contradicts itself; ETM_ERR_CONFIG: there is
 * no such macrocell.
 */
int etm_configure(struct etm_setup *setup, const struct etm_request *request,
                  const struct etm_macrocell_config *macrocell,
                  struct etm_notes *notes, struct etm_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
