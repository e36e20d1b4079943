/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and exceptions as they are entered and left: what they cost, who
 * called or interrupted whom, and how regular exceptions are. */
#ifndef ETM_CLI_EXCEPTIONS_H
#define ETM_CLI_EXCEPTIONS_H

#include "cli/edges.h"

/* Durations of 2^(i-1) up to 2^i - 1. */
#define ETM_CLI_BUCKETS 64u

struct etm_cli_spread {
    uint64_t n, least, most, whole;
};

/* Of an exception, beside what etm_cli_subject has. */
struct etm_cli_exception {
    uint64_t entries;
    uint64_t chained; /* ... where another exception had just ended */
    uint64_t last;    /* entry */
    struct etm_cli_spread intervals;   /* between entries, without a gap of
                                          unknown length */
    struct etm_cli_spread starts;      /* cycles from an entry to the end of the
                                          first instruction of the handler */
    uint32_t gaps, timed_gaps;         /* before the last entry */
    uint64_t timed;                    /* entries that have a time; */
    struct etm_clock_time first, when; /* those of the first and the last */
    unsigned nesting; /* the most exceptions that it interrupted at a time */
    uint64_t durations[ETM_CLI_BUCKETS];
};

/* Zero-initialise it. */
struct etm_cli_exceptions {
    struct etm_cli_subjects subjects;
    struct etm_cli_edges edges;
    struct etm_cli_exception *more; /* by the number of the subject */
    size_t n_more;
    unsigned nested[ETM_CALL_TASKS]; /* exceptions on the stack of each task */
    bool ended;                      /* an exception did, */
    uint64_t ended_at;               /* before this instruction, */
    uint32_t ended_gaps;             /* and after so many gaps */
    size_t starting; /* subject + 1, of which no instruction has come; or 0 */
    uint32_t starting_gaps;
};

/* Calls at once, then with their times (struct etm_cli_view,
 * ETM_CLI_ALL_TIMES): both are needed. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_exceptions_calls(struct etm_cli_exceptions *exceptions,
                             const struct etm_cli_replay *replay,
                             const struct etm_call *calls, size_t n);
int etm_cli_exceptions_timed(struct etm_cli_exceptions *exceptions,
                             const struct etm_cli_replay *replay,
                             const struct etm_call *calls, size_t n);
/* An instruction, for the beginnings of handlers. */
void etm_cli_exceptions_insn(struct etm_cli_exceptions *exceptions,
                             const struct etm_cli_replay *replay,
                             const struct etm_element *element);

/* exceptions.c: an object of JSON for the exception that is a subject of this
 * number (doc/elements.md); the edges are in order. */
void etm_cli_exception_json(struct etm_cli_replay *replay,
                            const struct etm_cli_exceptions *exceptions,
                            size_t subject);

/* Nothing is counted then, as for another source. */
void etm_cli_exceptions_free(struct etm_cli_exceptions *exceptions);

#endif
