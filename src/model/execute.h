/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A working macrocell: what the processor does goes to the resources, and what
 * they select through the generator of packets into the FIFO.
 *
 *   events -> execute.c -> items of one cycle -> resources
 *                       -> execute_cycle.c -> events of the generator -> FIFO
 *
 * All items of a cycle are evaluated at its end, and then passed to the
 * generator. An instruction is taken when it is known whether an exception
 * cancels it, because comparators with the exact match bit depend on this (ETM
 * architecture 2.7.4). If no event of the resources changes anything,
 * execute_fast.c does the same for an instruction in one step.
 */
#ifndef ETM_MODEL_EXECUTE_H
#define ETM_MODEL_EXECUTE_H

#include "model/dwt.h"
#include "model/fifo.h"
#include "model/generator.h"
#include "model/resources.h"

/* Items of a cycle wait here. */
struct etm_execute_item {
    struct etm_event event; /* as passed to the generator */
    struct etm_place after; /* where execution goes on */
    uint8_t slot;           /* among the instructions or transfers */
    bool allowed;           /* not in a prohibited region */
    bool leaves;            /* leads into a prohibited region */
    bool fate_open;         /* an exception follows it */
    bool owns;              /* a data instruction */
    bool interrupted;       /* no event: the generator makes it (E-270) */
    uint8_t data;           /* transfers after it, up to the next one */
    uint8_t moves;          /* transfers that it makes */
};

/* Tags of events: 1 to 3, in ETMv2 1 to 4 (6.4.3, 7.4.3). */
#define ETM_EXECUTE_TAGS 5u

/* A transfer that waits for its value; a doubleword is two. */
struct etm_execute_tag {
    struct etm_resource_transfer transfers[2];
    uint8_t n;
};

/* The data instruction whose transfers come now. */
struct etm_execute_owner {
    struct etm_resource_owner owner;
    uint8_t count, done; /* count 0: not known */
    bool any;            /* there was one */
    bool multiple, cprt;
    bool stacking; /* no instruction: M profile, by the processor itself */
};

/* Addresses around the last one at which the same comparators match: from
 * `low` on, `span` more. */
struct etm_execute_span {
    uint32_t low, span;
    uint32_t matches;
    bool traced;
    bool seen; /* some event may see one of them */
};

/* Pins that take effect from the event with that number on. */
struct etm_execute_pins {
    struct etm_macrocell_pins pins;
    uint64_t at;
};

struct etm_execute {
    struct etm_regfile *file;
    const struct etm_dwt *dwt;
    struct etm_allocator allocator;
    struct etm_macrocell_output output; /* `generator` is NULL there */
    int status;                         /* sticky */
    bool stopped; /* by `signals`: nothing more is delivered */

    struct etm_resources r;
    uint32_t generation; /* of the registers */
    struct etm_gen gen;
    bool has_gen;
    bool own_fifo; /* the generator has one: ETMv1, ETMv2 */
    struct etm_fifo fifo;

    /* The processor. */
    struct etm_vec carry; /* struct etm_event: an instruction whose fate is
                             open, and what came after it */
    const struct etm_event *next; /* what decides that */
    uint8_t data;                 /* transfers up to there */
    uint64_t given;               /* events of all runs */
    uint64_t group; /* number of the event with which the last group began, or
                       of the event that was refused */
    bool settled;   /* it was taken as completed */
    uint8_t n_permits;
    struct etm_execute_pins permits[2]; /* to come, in order */
    struct etm_place place;             /* isa UNKNOWN: not known */
    uint32_t context_id;
    uint8_t vmid;
    bool user;
    bool debug;
    bool secure_closed; /* no trace of Secure state */
    struct etm_resource_pins pins;
    struct etm_execute_owner owner;
    struct etm_execute_tag tags[ETM_EXECUTE_TAGS];
    uint8_t event_tag;
    bool seen_data, seen_cprt; /* the execution has such events */
    bool outstanding;          /* as the cycle began */
    uint64_t timestamp, timestamp_at;
    bool frequency_changed;

    /* The cycle that is open, and its items. */
    uint64_t now;
    struct etm_vec items; /* struct etm_execute_item */
    bool inputs;          /* they have changed in it */

    /* What was passed to the generator. */
    uint64_t told; /* cycle */
    struct etm_place out_place;
    bool gap_unknown; /* nothing was traced since programming (7.3.4) */
    bool fate_open;
    uint8_t leaving; /* transfers up to where tracing stops; 0: it does not */
    uint8_t moves, moved; /* transfers of the last data instruction, and how
                             many were passed on */
    bool debug_exit;      /* no instruction since */
    struct etm_place last_place; /* of a data instruction that is not traced, */
    bool last_exit;              /* and `debug_exit` before it */
    bool lost; /* an overflow that the trace does not show yet */
    bool trigger_due, timestamp_due;
    bool timestamp_level;
    uint64_t traced_time; /* of the last waypoint, or where tracing began */
    uint64_t synced;      /* v3.0: cycle of the last synchronization */
    bool sync_late;       /* v3.0: the one before was still waiting then */

    struct etm_macrocell_signals signals, shown;
    bool watches_level; /* FIFOFULL or SuppressData is enabled */
    bool region;        /* FIFOFULL may be asserted (3.5.8) */
    uint32_t level;     /* ETMFFLR */
    uint8_t stall_count;

    bool feeds_off; /* the generator has to see what is not traced */

    /* Of the fast path. */
    bool fast;          /* the registers permit it */
    bool warm;          /* a cycle has passed with them */
    bool fast_always;   /* all instructions are traced, or none */
    bool fast_changing; /* events look at what changes */
    bool fast_enabled;  /* what the enabling event says of TraceEnable */
    bool fast_view;     /* all data, or none */
    bool fast_cprt;     /* all coprocessor transfers, or none */
    struct etm_execute_span span;
};

/* execute_setup.c */
int etm_execute_new(struct etm_execute **execute, struct etm_regfile *file,
                    const struct etm_dwt *dwt,
                    const struct etm_allocator *allocator);
void etm_execute_free(struct etm_execute *x);
int etm_execute_connect(struct etm_execute *x,
                        const struct etm_macrocell_output *output);
/* The configuration of the trace, from the current registers. */
void etm_execute_config(const struct etm_regfile *file,
                        struct etm_config *config);
/* Before a register access: its time passes, and the register file gets the
 * state of the resources. */
void etm_execute_observe(struct etm_execute *x);
/* After the register file has changed. */
void etm_execute_registers(struct etm_execute *x);
/* After connecting: if it runs already, tracing begins now. */
void etm_execute_restart(struct etm_execute *x);

/* execute.c */
int etm_execute_run(struct etm_execute *x, const struct etm_event *events,
                    size_t n);
int etm_execute_finish(struct etm_execute *x);
/* The instruction held back has completed, and its cycle ends. */
void etm_execute_settle(struct etm_execute *x);
/* Deliver what was collected; returns the sticky status. */
int etm_execute_deliver(struct etm_execute *x);

/* execute_inputs.c */
/* State of the processor for the resources. */
void etm_execute_context(struct etm_execute *x);
/* After its pins have changed: takes effect from the next cycle on, if one is
 * open. */
void etm_execute_permit(struct etm_execute *x);
/* Let the next pending change of the pins take effect. */
void etm_execute_permit_next(struct etm_execute *x);
/* Other levels on the inputs. */
void etm_execute_inputs(struct etm_execute *x, const struct etm_event *event);
/* Before an instruction or transfer: the DWT compares it. */
void etm_execute_sample(struct etm_execute *x, const struct etm_event *event);

/* execute_cycle.c */
/* End the cycle, and let n - 1 more pass, if n is not 0. */
void etm_execute_pass(struct etm_execute *x, uint64_t n);
/* Stop tracing: output everything that the generator holds back. */
void etm_execute_stop(struct etm_execute *x);
/* Whether some data instruction has not completed (2.6.4). One whose transfers
 * are not in the execution counts as complete. */
bool etm_execute_outstanding(const struct etm_execute *x);
/* Trace or do not trace the next instruction, at `at`. Returns whether it is
 * traced. */
bool etm_execute_turn(struct etm_execute *x, bool on, uint32_t address,
                      uint8_t isa, bool allowed);
/* FIFOFULL, SuppressData and the other outputs, at the end of a cycle. */
void etm_execute_signals(struct etm_execute *x, bool region);

/* execute_output.c */
void etm_execute_fail(struct etm_execute *x, int status);
/* Update the FIFO before something goes into it, and afterwards. */
void etm_execute_enter(struct etm_execute *x);
void etm_execute_leave(struct etm_execute *x);
/* Pass one event to the generator. */
void etm_execute_tell(struct etm_execute *x, struct etm_event *event);

/* execute_time.c: the timestamp counter in this cycle. */
uint64_t etm_execute_time(const struct etm_execute *x);
/* An instruction is traced in this cycle: with what that means to the time. */
void etm_execute_note_time(struct etm_execute *x,
                           const struct etm_event *event);
/* Output a timestamp. */
void etm_execute_tell_time(struct etm_execute *x);

/* execute_fifo.c */
/* Whether trace is being lost, or was lost since this was last shown: an
 * overflow of ETMv1 and ETMv2 may begin and end within one event (E-399). */
bool etm_execute_loses(const struct etm_execute *x);
/* Update only that output: the very last instruction may have overflowed. */
void etm_execute_show_loss(struct etm_execute *x);
/* Set ETMSR[0] from the state of the generator, and note an overflow that is
 * over. */
void etm_execute_observe_overflow(struct etm_execute *x);
void etm_execute_note_overflow(struct etm_execute *x);
/* FIFOFULL and SuppressData at the end of a cycle. */
void etm_execute_watch(struct etm_execute *x, bool region);
/* Between two instructions: cycles for which the processor stalls at most while
 * FIFOFULL is HIGH; 0: it completes another one first (2.6.6). */
uint64_t etm_execute_stalls(struct etm_execute *x);

/* execute_fast.c */
/* What the registers permit. */
void etm_execute_fast_setup(struct etm_execute *x);
/* Take instructions at the beginning of the events that are possible on the
 * fast path. Returns the number of events, which may be 0. */
size_t etm_execute_fast(struct etm_execute *x, const struct etm_event *events,
                        size_t n);

static inline bool etm_execute_decides(const struct etm_event *event)
{
    return event->kind == ETM_EVENT_INSN || event->kind == ETM_EVENT_EXCEPTION;
}

/* Values are to come. */
static inline bool etm_execute_waits(const struct etm_execute *x)
{
    unsigned n = 0;

    for (unsigned tag = 1; tag < ETM_EXECUTE_TAGS; tag++)
        n += x->tags[tag].n;
    return n != 0;
}

/* Tracing is prohibited there (2.6.2). */
static inline bool etm_execute_prohibited(const struct etm_execute *x, bool ns)
{
    return x->secure_closed && !ns;
}

#endif
