/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm timeline: tracks of nested slices. For each source: the functions of each
 * task, exceptions, which task runs, and gaps with triggers among them.
 */
#ifndef ETM_CLI_TIMELINE_H
#define ETM_CLI_TIMELINE_H

#include "cli/protobuf.h"
#include "cli/within.h"

/* Tracks of a source; those of tasks are behind these. */
enum {
    ETM_CLI_TRACK_SOURCE = 0, /* the others are below it */
    ETM_CLI_TRACK_TASKS,
    ETM_CLI_TRACK_EXCEPTIONS,
    ETM_CLI_TRACK_GAPS,
    ETM_CLI_TRACK_TASK
};

#define ETM_CLI_NESTING 32u

/* A task, as far as it is drawn. */
struct etm_cli_lane {
    bool named; /* its track was begun */
    unsigned n; /* exceptions that it is in; not all are known, if more than */
    char exceptions[ETM_CLI_NESTING][ETM_CLI_CALL_NAME];
};

struct etm_cli_drawn_name {
    char *text;
    bool written; /* perfetto: the file has it */
};

/* What is drawn, until its time is known. */
struct etm_cli_stroke {
    uint64_t at; /* in the unit of the source */
    uint32_t track, name;
    uint16_t flags;
    uint8_t kind; /* of timeline_clock.c */
};

/* Time by timestamps, and between two of them by the unit of the source. */
struct etm_cli_clock {
    bool used;         /* else the unit is the time */
    uint64_t points;   /* timestamps so far */
    uint64_t at, time; /* of the last one */
    double slope;      /* ticks for each unit, as between the last two */
    uint64_t last;     /* the latest time that was given */
    struct etm_cli_stroke *strokes; /* since the last timestamp */
    size_t n, room;
};

struct etm_cli_timeline {
    uint32_t source; /* counted from 1 */
    uint32_t task;   /* that runs */
    bool runs;       /* its slice is open */
    bool gap;        /* its slice is open, or would be: */
    uint64_t gap_at;
    struct etm_cli_lane lanes[ETM_CALL_TASKS];
    struct etm_cli_within within;

    bool any; /* something was written */

    /* names, which have numbers from 1 on */
    struct etm_cli_drawn_name *names;
    size_t n_names, n_index;
    uint32_t *index; /* by a hash of the name; 0: none */

    struct etm_cli_clock clock;
    struct etm_cli_message packet, event, nested[2], out; /* perfetto */
    bool failed;                                          /* out of memory */
};

/* One form of the file. Names are numbers, of etm_cli_timeline_name(). */
struct etm_cli_sink {
    void (*track)(struct etm_cli_replay *replay, unsigned track,
                  const char *name);
    void (*begin)(struct etm_cli_replay *replay, unsigned track, uint64_t time,
                  uint32_t name);
    void (*end)(struct etm_cli_replay *replay, unsigned track, uint64_t time,
                unsigned flags);
    void (*mark)(struct etm_cli_replay *replay, unsigned track, uint64_t time,
                 uint32_t name);
};

/* timeline_clock.c: the number of a name; 0: out of memory, which is noted. */
uint32_t etm_cli_timeline_name(struct etm_cli_timeline *timeline,
                               const char *name);

/* Draw something at `at`, now or when its time is known. */
void etm_cli_clock_begin(struct etm_cli_replay *replay,
                         const struct etm_cli_sink *sink, unsigned track,
                         uint64_t at, const char *name);
void etm_cli_clock_end(struct etm_cli_replay *replay,
                       const struct etm_cli_sink *sink, unsigned track,
                       uint64_t at, unsigned flags);
void etm_cli_clock_mark(struct etm_cli_replay *replay,
                        const struct etm_cli_sink *sink, unsigned track,
                        uint64_t at, const char *name);
/* A source begins, a timestamp comes, the source ends. */
void etm_cli_clock_start(struct etm_cli_replay *replay);
void etm_cli_clock_set(struct etm_cli_replay *replay,
                       const struct etm_cli_sink *sink, uint64_t at,
                       uint64_t time);
void etm_cli_clock_stop(struct etm_cli_replay *replay,
                        const struct etm_cli_sink *sink);

/* What the state has. */
void etm_cli_timeline_free(struct etm_cli_replay *replay);

/* What the views of both forms do; the state is a struct etm_cli_timeline. */
int etm_cli_timeline_source(struct etm_cli_replay *replay,
                            const struct etm_cli_sink *sink);
int etm_cli_timeline_calls(struct etm_cli_replay *replay,
                           const struct etm_cli_sink *sink,
                           const struct etm_call *calls, size_t n);
void etm_cli_timeline_element(struct etm_cli_replay *replay,
                              const struct etm_cli_sink *sink,
                              const struct etm_element *element);
int etm_cli_timeline_end(struct etm_cli_replay *replay,
                         const struct etm_cli_sink *sink);

/* "tail cut", of flags that are worth a word; in `text`, or NULL: none. */
#define ETM_CLI_FLAGS 96u
const char *etm_cli_timeline_flags(unsigned flags, char text[ETM_CLI_FLAGS]);

#endif
