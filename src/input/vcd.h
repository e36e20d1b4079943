/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Value change dumps (IEEE 1364, 18.2; four values) of a trace port: the
 * signals of a simulation or of a logic analyser, sampled at the edges of
 * TRACECLK; or samples already, of an analyser that used TRACECLK as its clock.
 * Signals are identified by names or by a list of ROLE=NAME,NAME...:
 *
 *     pipestat tracepkt tracesync    ETMv1, ETMv2; of demultiplexed ports those
 *                                    with suffix A
 *     pipestatb tracepktb tracesyncb those with suffix B
 *     tracectl tracedata             ETMv3, PFT
 *     pins                           all that is at the connector, by the
 *                                    numbers of struct etm_port_edge: needed
 *                                    for multiplexed ports
 *     traceclk
 *     swo                            one pin without a clock, whose changes are
 *                                    wanted instead of samples
 *
 * A NAME is that of a single signal or of a bus, with or without the scopes
 * around it ("top.etm.PIPESTAT"; in tables also "top/etm|PIPESTAT"), of one bit
 * of a bus ("D[3]") or of several ("D[7:4]", the lowest index first). Several
 * follow each other from bit 0 on. A role that is not in the list is searched
 * by its own name in any scope: PIPESTAT, PIPESTAT[0], PIPESTAT_0 and pipestat0
 * are all found. traceclk=# says that each time of the dump is a sample, and
 * traceclk=#N that there is one every N units of time, even if the dump has
 * none because nothing changed.
 */
#ifndef ETM_INPUT_VCD_H
#define ETM_INPUT_VCD_H

#include "port/pins.h"
#include "port/uart.h"

/* X(VALUE, text) */
#define ETM_VCD_ROLE_LIST(X)                                                   \
    X(ETM_VCD_PIPESTAT, "pipestat")                                            \
    X(ETM_VCD_TRACEPKT, "tracepkt")                                            \
    X(ETM_VCD_TRACESYNC, "tracesync")                                          \
    X(ETM_VCD_PIPESTATB, "pipestatb")                                          \
    X(ETM_VCD_TRACEPKTB, "tracepktb")                                          \
    X(ETM_VCD_TRACESYNCB, "tracesyncb")                                        \
    X(ETM_VCD_TRACECTL, "tracectl")                                            \
    X(ETM_VCD_TRACEDATA, "tracedata")                                          \
    X(ETM_VCD_PINS, "pins")                                                    \
    X(ETM_VCD_TRACECLK, "traceclk")                                            \
    X(ETM_VCD_SWO, "swo")

enum etm_vcd_role {
#define ETM_VCD_ROLE_ENUM(value, text) value,
    ETM_VCD_ROLE_LIST(ETM_VCD_ROLE_ENUM)
#undef ETM_VCD_ROLE_ENUM
};
#define ETM_VCD_ROLES (ETM_VCD_SWO + 1)

/* A name that the list of signals gives. */
struct etm_vcd_name {
    uint8_t role;
    bool part;      /* bits `low` to `high` of a bus, not all of it */
    char text[250]; /* without these */
    uint32_t low, high;
};

/* The variable that is being declared. */
struct etm_vcd_variable {
    uint64_t id;   /* up to 8 characters, the first one lowest; 0: longer */
    uint32_t size; /* bits */
};

/* A bit of a variable that belongs to a role. */
struct etm_vcd_net {
    uint64_t id;
    uint32_t from;  /* bit of the variable, from the right */
    uint32_t order; /* index of the name in the list; 0 without one */
    uint32_t index; /* in the bus, or after the role's name */
    uint8_t role;
};

/* A bit of a variable that is connected to a pin. */
struct etm_vcd_tap {
    uint64_t id;
    uint32_t from; /* bit of the variable, from the right */
    uint8_t to;    /* bit of etm_port_edge.pins, ETM_VCD_CLOCK */
};
#define ETM_VCD_CLOCK 64u

/* Values of pins: a bit of `values` is valid if it is 1 in `known`. */
struct etm_vcd_values {
    uint64_t values, known;
    uint8_t clock; /* 0, 1, or 2: not known */
};

struct etm_vcd {
    struct etm_port_config config;
    struct etm_port_clock clock;
    int status;     /* sticky */
    uint8_t state;  /* of the parser, vcd.c */
    unsigned field; /* of the command that is being read */
    bool defined;   /* $enddefinitions has been */

    uint64_t line;
    uint64_t meta; /* the line of "META ...", which sigrok may write before
                      everything; 0: none */
    struct etm_vec token; /* char: that is being read */
    struct etm_vec value; /* char: a vector whose identifier comes next */

    struct etm_vec names;  /* struct etm_vcd_name */
    struct etm_vec scopes; /* char: "top.etm." */
    struct etm_vec depths; /* size_t: the length of `scopes` outside each */
    struct etm_vec nets;   /* struct etm_vcd_net */
    struct etm_vec taps;   /* struct etm_vcd_tap */
    char seen[96];         /* the first names in the dump, for messages */
    uint32_t widths[ETM_VCD_ROLES]; /* bits of each role that were found */

    struct etm_vcd_variable variable;
    struct etm_vec reference; /* char: its name and its range */

    uint64_t time;
    bool timed;                      /* there was a time */
    struct etm_vcd_values now, next; /* before this time, and at it */
    uint64_t status_pins;            /* those of PIPESTAT or TRACECTL, */
    uint64_t idle_pins;              /* and their values without trace */
    bool formatted;                  /* TRACECTL may be missing: the TPIU fills
                                        all cycles (continuous formatting) */

    /* Of a pin: its changes (struct etm_pin_change) are appended; NULL: there
     * are samples. The length of a unit of time, in femtoseconds; 0: the dump
     * does not say. If it has only one variable of one bit, that is the pin. */
    struct etm_vec *changes;
    uint64_t unit;
    uint32_t declared; /* variables */
    uint64_t only;     /* the last one that has one bit; 0: none */

    bool sampled;    /* there is no TRACECLK: each time is a sample, */
    uint64_t period; /* or one comes every `period` units, if this is not 0: */
    uint64_t due;    /* time of the next one */
    bool changed;    /* something has a value since that time */
};

/*
 * `signals` is the list, or NULL; `formatted` is as in struct etm_vcd. fini is
 * due afterwards, also after a failure. ETM_ERR_CONFIG: the list is not
 * understood; otherwise as etm_port_clock_init().
 */
int etm_vcd_init(struct etm_vcd *vcd, const struct etm_port_config *config,
                 const char *signals, bool formatted, struct etm_diag *diag);
void etm_vcd_fini(struct etm_vcd *vcd);

/*
 * The values of the pins just before an edge of TRACECLK become a sample. A pin
 * of TRACEPKT, TRACEDATA or TRACESYNC whose value is x or z counts as 0; if
 * PIPESTAT or TRACECTL is not known, nothing drives the port: the sample has
 * trace disabled. If the dump has samples, they are the values at their times;
 * a time at the end, with no values after it, is the end of the last sample.
 * ETM_ERR_FORMAT: *diag has the line; ETM_ERR_MEMORY.
 */
int etm_vcd_push(struct etm_vcd *vcd, const char *characters, size_t n,
                 struct etm_vec *samples, struct etm_diag *diag);
int etm_vcd_finish(struct etm_vcd *vcd, struct etm_vec *samples,
                   struct etm_diag *diag);

/*
 * The number of pins of TRACEPKT or TRACEDATA that a dump declares, which is
 * the width of its port; 0 if it does not say. `config` needs no width.
 * ETM_ERR_MEMORY.
 */
int etm_vcd_width(const struct etm_port_config *config, const char *signals,
                  const char *characters, size_t n, unsigned *width);

/* vcd_signals.c: for the parser, and for tables (csv.h) */

/* A diagnosis "at this line", to be continued. */
void etm_vcd_fail(struct etm_vcd *vcd, int status, struct etm_diag *diag,
                  const char *what);

/* "pipestat", ...; static storage. */
const char *etm_vcd_role_name(enum etm_vcd_role role);

/* Fill vcd->names. */
int etm_vcd_signals_list(struct etm_vcd *vcd, const char *signals,
                         struct etm_diag *diag);

/* A variable was declared: vcd->variable, vcd->reference, vcd->scopes. */
int etm_vcd_signals_declare(struct etm_vcd *vcd, struct etm_diag *diag);

/* How many bits a variable has whose declaration does not say: those that the
 * list names if it means all of them (D[7:0]), 64 if it selects some; 0: it
 * does not name any. `path` is its name without a range and blanks. */
uint32_t etm_vcd_signals_bits(const struct etm_vcd *vcd, const char *path);

/* Is the role given by the list, and not by a name of the specification? */
bool etm_vcd_signals_listed(const struct etm_vcd *vcd, unsigned role);

/* vcd_pins.c: all were declared: fill `widths` and `taps`. ETM_ERR_FORMAT: a
 * pin of the port is not among them. */
int etm_vcd_pins_connect(struct etm_vcd *vcd, struct etm_diag *diag);

/* One pin is read (`changes`): note its level at the time that ends, if it has
 * changed. ETM_OK or ETM_ERR_MEMORY. */
int etm_vcd_pins_note(struct etm_vcd *vcd);

#endif
