/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions as text: what a simulator or a debugger wrote down, as the events
 * of <etm/model.h>, and back. doc/execution-log.md has the grammar of our own
 * form; the other one that is read is the Tarmac log of Arm's models and RTL.
 */
#ifndef ETM_EXECUTION_H
#define ETM_EXECUTION_H

#include <etm/model.h>
#include <etm/write.h>

#ifdef __cplusplus
extern "C" {
#endif

enum etm_execution_format {
    ETM_EXECUTION_LOG = 0, /* our own, strict: a mistake ends it */
    ETM_EXECUTION_TARMAC   /* tolerant: what is not understood is counted */
};

struct etm_execution_reader;

struct etm_execution_reader_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_execution_format format;
    const char *name; /* of the file, for messages; copied; NULL: none */
    /* The architecture profile of the processor. M: no Arm state; a Tarmac
     * log tells exceptions by their numbers then. */
    enum etm_profile profile;
    /* The processor loads the PC of a load multiple first (as struct etm_config
     * says), and not in the order of addresses: transfers of a Tarmac log, and
     * those that stand on the line of their instruction, in whichever of the
     * two orders, are brought into that of this processor. */
    bool pc_first;
    /* Tarmac: units of time in one processor cycle. 0: 1 where the unit is
     * clk, tic, cyc or cs; elsewhere every instruction takes one cycle. */
    uint64_t period;
    const char *cpu; /* Tarmac: lines of other processors are passed over;
                        copied; NULL: the first one that is named */
    /* Takes the events in batches; each instruction's `next` is filled in. */
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
 * The next `n` bytes of the text, borrowed for the call. However the text is
 * cut into calls, the events are the same.
 *
 * ETM_ERR_FORMAT: a line is wrong, *diag (may be NULL) has its number and says
 * what is; ETM_ERR_MEMORY; or what `events` returned. After an error the
 * reader gives that error for ever. Events of earlier lines may not have been
 * handed on then. ETM_ERR_ARGUMENT: the text has come to its end
 * (etm_execution_reader_finish()).
 */
int etm_execution_reader_push(struct etm_execution_reader *reader,
                              const char *text, size_t n,
                              struct etm_diag *diag);

/*
 * The end of the text. ETM_ERR_FORMAT also when it does not tell where the
 * last branch or exception led. Errors as above, ETM_ERR_ARGUMENT where it has
 * been told before.
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
    uint64_t passed_over;    /* lines that tell of other things */
    uint64_t not_understood; /* lines that should tell something */
    uint64_t first;          /* number of the first such line, 0: none */
    char text[128];          /* and that line, cut where it does not fit */
};

/* What was read so far; at any time until the reader is freed. */
void etm_execution_reader_report(const struct etm_execution_reader *reader,
                                 struct etm_execution_report *report);

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
 * Make a writer of the form ETM_EXECUTION_LOG. A reader of the same profile
 * gives the events back, but an instruction's `next` that is left to the
 * library (ETM_ISA_UNKNOWN) comes back filled in, and fields that mean nothing
 * as 0: the `next` of an entry to Debug state, the value of a transfer that
 * waits for a data_value event. On success the caller owns *writer; on failure
 * it is NULL. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_execution_writer_new(struct etm_execution_writer **writer,
                             const struct etm_execution_writer_config *config);

/*
 * Write events; they are borrowed for the call. ETM_ERR_ARGUMENT: a kind that
 * does not exist. Otherwise ETM_OK or what `write` returned; after an error
 * the writer gives that error for ever.
 */
int etm_execution_writer_push(struct etm_execution_writer *writer,
                              const struct etm_event *events, size_t n);

/* The end of the last line. Errors as above. */
int etm_execution_writer_finish(struct etm_execution_writer *writer);

/* Accepts NULL. */
void etm_execution_writer_free(struct etm_execution_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
