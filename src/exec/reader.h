/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a log: reader.c cuts it into lines, log.c and tarmac.c make events
 * from them, pending.c finds out where each instruction and exception led.
 */
#ifndef ETM_EXEC_READER_H
#define ETM_EXEC_READER_H

#include "base/vec.h"
#include "exec/tarmac.h"
#include "exec/words.h"

#include <etm/model.h>

/* An event that waits for the next instruction, whose place is where it
 * leads. */
struct etm_pending_place {
    size_t event; /* index in `events` */
    uint64_t line;
    uint8_t kind; /* enum etm_event_kind: insn, exception or trace_on */
    bool stated;  /* insn: the opcode gives the place, `place` */
    struct etm_place place;
};

/* The last data instruction, and its number of transfers: 0 if its opcode does
 * not say, or something came between. */
struct etm_pending_data {
    uint64_t line;
    unsigned due, seen;
    bool paused; /* the next instruction continues with some transfers */
};

/* The instruction in the last line. One that loads the PC and other registers
 * is open while nothing but data lines follow it: its transfers are not
 * delivered before they are in order. */
struct etm_pending_list {
    struct etm_insn insn;
    size_t first; /* index in `events` of its first transfer */
    bool is_open;
};

struct etm_execution_reader {
    struct etm_allocator allocator;
    etm_event_fn *receive;
    void *context;
    char name[256];
    enum etm_execution_format format;
    enum etm_profile profile;
    bool pc_first;

    struct etm_vec line;  /* char: the beginning of a line that goes on */
    uint64_t line_number; /* of the events that are being added */
    bool overlong;        /* Tarmac: the rest of the line is skipped */
    struct etm_vec events;
    struct etm_vec lines; /* uint64_t: the line of each event */
    size_t delivered;     /* events that the receiver has now; else 0 */
    bool is_open;
    struct etm_pending_place open;
    struct etm_pending_place told; /* by next= or to=: to be compared */
    bool is_told;
    struct etm_pending_data data;
    struct etm_pending_list list;

    /* the state of what comes next, unless the text says otherwise */
    struct etm_place now;
    bool untraced; /* after a trace_off: instructions may be anywhere */
    bool began;    /* the state of the first instruction was given */
    uint32_t context_id;
    uint8_t vmid;
    bool user;
    struct etm_tarmac tarmac;

    struct etm_execution_report report; /* .lines: the current line */
    bool finished;
    int status;
    struct etm_diag diag;
};

#define ETM_LINE_MAX 65536u

/* fail.c: set a message about the current line; returns ETM_ERR_FORMAT. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int etm_reader_fail(struct etm_execution_reader *reader, const char *format,
                    ...);

/* One line without its end. */
int etm_log_line(struct etm_execution_reader *reader, struct etm_word line);
int etm_tarmac_line(struct etm_execution_reader *reader, struct etm_word line);
int etm_tarmac_finish(struct etm_execution_reader *reader);

/* Append an event that leads nowhere. */
int etm_pending_add(struct etm_execution_reader *reader,
                    const struct etm_event *event);

/*
 * Append an instruction at its address, in the state of `reader->now`; what was
 * open leads here. `led`: its `next` is already right.
 */
int etm_pending_insn(struct etm_execution_reader *reader,
                     struct etm_event *event, bool led);

/* No instruction follows directly on the last one: the opcode must tell where
 * it led, unless it is annulled. */
int etm_pending_break(struct etm_execution_reader *reader, bool annulled);

/* Append an exception or a trace_on, after a break; `led` as for
 * etm_pending_insn(). */
int etm_pending_turn(struct etm_execution_reader *reader,
                     struct etm_event *event, bool led);

/* The current line gives where its event led: the next instruction is there. */
void etm_pending_told(struct etm_execution_reader *reader,
                      const struct etm_event *event);

/* The instruction before led to `place`, although something else comes next.
 * False: its place is known already. */
bool etm_pending_return(struct etm_execution_reader *reader,
                        const struct etm_place *place);

/* The instruction of an event is the next one: of a data instruction before it
 * all transfers must have come, or none. NULL: the end. */
int etm_pending_data_insn(struct etm_execution_reader *reader,
                          const struct etm_event *event);

/* The transfers of an instruction are those from event `first` on: they are put
 * in the order of its processor. */
void etm_pending_order(struct etm_execution_reader *reader,
                       const struct etm_event *event, size_t first);

/* In an execution log data lines may follow. The transfers of the instruction
 * that etm_pending_data_insn() has seen begin here ... */
void etm_pending_list(struct etm_execution_reader *reader);
/* ... and more of them were appended. */
void etm_pending_list_more(struct etm_execution_reader *reader);

/* Decode the opcode of an insn event. */
void etm_opcode_decode(enum etm_profile profile, const struct etm_event *event,
                       struct etm_insn *insn);

/* Where an opcode leads by itself; false: it does not tell. */
bool etm_opcode_leads(enum etm_profile profile, const struct etm_event *insn,
                      const struct etm_place *here, struct etm_place *place);

/* The end: nothing may be open but an instruction. */
int etm_pending_finish(struct etm_execution_reader *reader);

/* Deliver complete events; with `all`, every event. */
int etm_pending_flush(struct etm_execution_reader *reader, bool all);

#endif
