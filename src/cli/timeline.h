/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm timeline: tracks of nested slices. For each source: the functions of each
 * task, exceptions, which task runs, gaps with triggers among them, and the
 * values of variables.
 *
 *   timeline.c          what is drawn of calls and elements
 *   timeline_watch.c    the variables of --watch
 *   timeline_itm.c      what an ITM and a DWT tell
 *   timeline_draw.c     slices: when, and which are too short
 *   timeline_names.c    names, which have numbers
 *   timeline_chrome.c, timeline_ctf.c, timeline_perfetto.c   forms of the file
 */
#ifndef ETM_CLI_TIMELINE_H
#define ETM_CLI_TIMELINE_H

#include "cli/protobuf.h"
#include "cli/sights.h"
#include "cli/within.h"

/* Tracks of a source; those of tasks and variables are behind these. */
enum {
    ETM_CLI_TRACK_SOURCE = 0, /* the others are below it */
    ETM_CLI_TRACK_TASKS,
    ETM_CLI_TRACK_EXCEPTIONS,
    ETM_CLI_TRACK_GAPS,
    ETM_CLI_TRACK_TASK,
    ETM_CLI_TRACK_VARIABLE = ETM_CLI_TRACK_TASK + ETM_CALL_TASKS
};

#define ETM_CLI_DRAWN_VARIABLES 64u
#define ETM_CLI_TRACKS (ETM_CLI_TRACK_VARIABLE + ETM_CLI_DRAWN_VARIABLES)
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

/* Slices of a track that have begun, the outermost one first. With
 * --minimum-duration only the first ones, `drawn`, are drawn yet. */
struct etm_cli_open_slice {
    uint64_t time;
    uint32_t name;
};
struct etm_cli_open_slices {
    struct etm_cli_open_slice *rows;
    size_t n, drawn, room;
};

/* A scalar of --watch. One of more than a word may move in two transfers: its
 * value is drawn with the second one. */
struct etm_cli_drawn_variable {
    struct etm_scalar scalar;
    bool named;       /* its track was begun */
    bool half;        /* the first one has come, */
    bool fresh;       /* in this element, */
    bool whole;       /* and all bytes are known: */
    uint32_t address; /* where it went */
    uint64_t raw;     /* the value if no other one comes */
    struct etm_clock_place place;
};

/* A value of it. */
struct etm_cli_drawn_value {
    const struct etm_scalar *scalar;
    struct etm_cli_value value;
    uint32_t name; /* what it stands for (value.h); 0: nothing */
};

struct etm_cli_ctf;
struct etm_cli_drawn_itm;

struct etm_cli_timeline {
    uint32_t source; /* counted from 1 */
    uint32_t timed;  /* of these, those with timestamps */
    uint32_t task;   /* that runs */
    bool runs;       /* its slice is open */
    bool gap;        /* no code has come since it began */
    bool gap_open;   /* as it is drawn: */
    bool gap_drawn;  /* up to here: */
    uint64_t gap_since;
    uint32_t gap_name;
    struct etm_cli_lane lanes[ETM_CALL_TASKS];
    struct etm_cli_within within;
    struct etm_cli_sights sights;             /* of --watch */
    struct etm_cli_drawn_variable *variables; /* ETM_CLI_DRAWN_VARIABLES */
    unsigned n_variables;                     /* of the source, */
    bool undrawn;                             /* and there are more */
    struct etm_clock_place place;             /* of the current transfer */

    char untimed[256]; /* names of the sources without timestamps */
    bool any;          /* something was written */

    /* names, which have numbers from 1 on */
    struct etm_cli_drawn_name *names;
    size_t n_names, n_index;
    uint32_t *index; /* by a hash of the name; 0: none */

    struct etm_cli_drawn_itm *itm; /* NULL: the source is none */
    struct etm_clock *clock; /* NULL: what the source counts is the time */
    uint64_t last[ETM_CLI_TRACKS]; /* without it: the latest times */
    struct etm_cli_open_slices open[ETM_CLI_TRACKS];
    struct etm_cli_message packet, event, nested[2], out; /* perfetto */
    struct etm_cli_ctf *ctf;
    bool failed; /* out of memory */
};

/* One form of the file. Names are numbers, of etm_cli_timeline_name(). Times of
 * a track come in order. */
struct etm_cli_sink {
    void (*track)(struct etm_cli_replay *replay, unsigned track,
                  const char *name);
    void (*begin)(struct etm_cli_replay *replay, unsigned track, uint64_t time,
                  uint32_t name);
    void (*end)(struct etm_cli_replay *replay, unsigned track, uint64_t time,
                uint32_t name, unsigned flags);
    void (*mark)(struct etm_cli_replay *replay, unsigned track, uint64_t time,
                 uint32_t name);
    void (*count)(struct etm_cli_replay *replay, unsigned track, uint64_t time,
                  const struct etm_cli_drawn_value *value);
};

/* timeline_names.c: the number of a name; 0: out of memory, which is noted. */
uint32_t etm_cli_timeline_name(struct etm_cli_timeline *timeline,
                               const char *name);
void etm_cli_timeline_names_free(struct etm_cli_timeline *timeline);

/* timeline_draw.c: something is at a place; it is drawn when its time is
 * known. */
void etm_cli_draw_begin(struct etm_cli_replay *replay, unsigned track,
                        struct etm_clock_place place, const char *name);
void etm_cli_draw_end(struct etm_cli_replay *replay, unsigned track,
                      struct etm_clock_place place, unsigned flags);
void etm_cli_draw_mark(struct etm_cli_replay *replay, unsigned track,
                       struct etm_clock_place place, const char *name);
/* `raw`: the bytes of a variable as a number. */
void etm_cli_draw_count(struct etm_cli_replay *replay, unsigned variable,
                        struct etm_clock_place place, uint64_t raw);
/* A slice, or a mark if no time passes, as far as is known. */
void etm_cli_draw_gap(struct etm_cli_replay *replay,
                      struct etm_clock_place place, const char *name);
void etm_cli_draw_gap_end(struct etm_cli_replay *replay,
                          struct etm_clock_place place);
/* A source begins, a timestamp comes, the source ends. */
void etm_cli_draw_start(struct etm_cli_replay *replay);
void etm_cli_draw_timestamp(struct etm_cli_replay *replay,
                            struct etm_clock_place place, uint64_t ticks);
void etm_cli_draw_stop(struct etm_cli_replay *replay);
void etm_cli_draw_free(struct etm_cli_timeline *timeline);

/* timeline_watch.c: the variables of --watch: of all sources (an exit status),
 * of one, whose elements may be transfers of them or gaps; it ends. */
int etm_cli_draw_watch_open(struct etm_cli_replay *replay);
void etm_cli_draw_watch_start(struct etm_cli_replay *replay);
void etm_cli_draw_watch(struct etm_cli_replay *replay,
                        const struct etm_element *element,
                        struct etm_clock_place place);
void etm_cli_draw_watch_stop(struct etm_cli_replay *replay);

/* timeline_itm.c: the current source is one; take elements of it, and the
 * exceptions that they show; it ends. */
int etm_cli_draw_itm_start(struct etm_cli_replay *replay);
void etm_cli_draw_itm_call(struct etm_cli_replay *replay,
                           const struct etm_call *call);
void etm_cli_draw_itm(struct etm_cli_replay *replay,
                      const struct etm_element *element);
void etm_cli_draw_itm_stop(struct etm_cli_replay *replay);

/* What the views of all forms do; the state is a struct etm_cli_timeline. */
int etm_cli_timeline_prepare(struct etm_cli_replay *replay);
int etm_cli_timeline_source(struct etm_cli_replay *replay);
int etm_cli_timeline_calls(void *replay, const struct etm_call *calls,
                           size_t n);
void etm_cli_timeline_element(struct etm_cli_replay *replay,
                              const struct etm_element *element);
int etm_cli_timeline_end_source(struct etm_cli_replay *replay);
int etm_cli_timeline_end(struct etm_cli_replay *replay);
void etm_cli_timeline_free(struct etm_cli_replay *replay);

/* "tail cut", of flags that are worth a word; in `text`, or NULL: none. */
#define ETM_CLI_FLAGS 96u
const char *etm_cli_timeline_flags(unsigned flags, char text[ETM_CLI_FLAGS]);

#endif
