/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions as text: from the log of a simulator or debugger to the events of
 * <etm/model.h>, and back. Two formats are read: our own, whose grammar is in
 * doc/execution-log.md, and the Tarmac logs of Arm's models and RTL.
 */
#ifndef ETM_EXECUTION_H
#define ETM_EXECUTION_H

#include <etm/model.h>
#include <etm/write.h>

#ifdef __cplusplus
extern "C" {
#endif

enum etm_execution_format {
    ETM_EXECUTION_LOG = 0, /* our own; strict: reading ends at a mistake */
    ETM_EXECUTION_TARMAC   /* tolerant: lines that are not understood are
                              counted */
};

struct etm_execution_reader;

struct etm_execution_reader_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_execution_format format;
    const char *name; /* of the file, for messages; copied; NULL: none */
    /* The architecture profile of the processor. M: there is no Arm state, and
     * exceptions in a Tarmac log are identified by their numbers. */
    enum etm_profile profile;
    /* The processor loads the PC of a load multiple first (as in struct
     * etm_config), not in the order of addresses. Transfers of a Tarmac log,
     * and those on the line of their instruction, may be in either order; they
     * are put into the order of this processor. */
    bool pc_first;
    /* Tarmac: units of time per processor cycle. 0: 1 if the unit is clk, tic,
     * cyc or cs; otherwise every instruction takes one cycle. */
    uint64_t period;
    const char *cpu; /* Tarmac: lines of other processors are skipped; copied;
                        NULL: the first processor in the log */
    /* Receives the events in batches; `next` of each instruction is set. */
    etm_event_fn *events;
    void *context;                         /* of `events` */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Make a reader. On success *reader is owned by the caller; on failure it is
 * NULL. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_execution_reader_new(struct etm_execution_reader **reader,
                             const struct etm_execution_reader_config *config);

/*
 * The next `n` bytes of the text, borrowed for the call. The events do not
 * depend on how the text is divided into calls.
 *
 * ETM_ERR_FORMAT: a line is invalid; *diag (may be NULL) has its number and the
 * reason. ETM_ERR_MEMORY; or what `events` returned. After an error, every
 * later call returns the same error; events of earlier lines may not have been
 * delivered. ETM_ERR_ARGUMENT: after etm_execution_reader_finish().
 */
int etm_execution_reader_push(struct etm_execution_reader *reader,
                              const char *text, size_t n,
                              struct etm_diag *diag);

/*
 * The end of the text. Errors as above; ETM_ERR_FORMAT also if the text does
 * not show where the last branch or exception led; ETM_ERR_ARGUMENT if called
 * twice.
 */
int etm_execution_reader_finish(struct etm_execution_reader *reader,
                                struct etm_diag *diag);

/* What was read so far. */
struct etm_execution_report {
    uint64_t lines;
    uint64_t instructions;
    uint64_t transfers;
    uint64_t exceptions;
    /* Tarmac only: */
    uint64_t passed_over;     /* lines about other things, skipped */
    uint64_t not_understood;  /* lines that should have a meaning */
    uint64_t first;           /* number of the first such line; 0: none */
    char text[128];           /* that line, cut off if it is longer */
    uint64_t aarch64;         /* instructions of AArch64 code, left out: it has
                                 no trace of these architectures */
    uint64_t aarch64_line;    /* number of the first one's line; 0: none */
    uint64_t step;            /* if the unit of time is a cycle: all times from
                                 one instruction to the next are multiples of
                                 this; 0: there are none */
    enum etm_profile profile; /* M: only such a processor writes this;
                                 otherwise UNKNOWN */
    uint64_t reserve[8];
};

/* Get what was read so far. May be called at any time. */
void etm_execution_reader_report(const struct etm_execution_reader *reader,
                                 struct etm_execution_report *report);

/*
 * The line, counted from 1, that event `i` of the array comes from which
 * `events` was called with. May be called from there only; otherwise, and if
 * there is no such event, it is 0.
 */
uint64_t etm_execution_reader_line(const struct etm_execution_reader *reader,
                                   size_t i);

/* Accepts NULL. */
void etm_execution_reader_free(struct etm_execution_reader *reader);

struct etm_execution_writer;

struct etm_execution_writer_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_profile profile;
    etm_write_fn *write;                   /* takes the text in large pieces */
    void *context;                         /* of `write` */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Make a writer for ETM_EXECUTION_LOG. A reader of the same profile gives the
 * same events back, except that an instruction's `next` that was left to the
 * library (ETM_ISA_UNKNOWN) is set, and that fields without a meaning are 0:
 * the `next` of an entry to Debug state, the value of a transfer that waits for
 * a data_value event. On success the caller owns *writer; on failure it is
 * NULL. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_execution_writer_new(struct etm_execution_writer **writer,
                             const struct etm_execution_writer_config *config);

/*
 * Write events; they are borrowed for the call. ETM_OK; ETM_ERR_ARGUMENT: an
 * unknown kind of event, another enumeration with a value that it does not
 * have, or a number that no reader takes: a transfer that has not 1, 2, 4 or 8
 * bytes, or a value that does not fit into them; a tag above 4, one of a
 * transfer of 8 bytes, or a data_value event without any; a `resume` above 15;
 * a place that is not aligned to its instruction set; an instruction whose size
 * that does not have, or whose opcode is longer; a word of external inputs
 * above 7; cycles that are not known of anything but a trace_on. Or what
 * `write` returned. After an error, every later call returns the same error.
 */
int etm_execution_writer_push(struct etm_execution_writer *writer,
                              const struct etm_event *events, size_t n);

/* End the last line. Errors as above. */
int etm_execution_writer_finish(struct etm_execution_writer *writer);

/* Accepts NULL. */
void etm_execution_writer_free(struct etm_execution_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
