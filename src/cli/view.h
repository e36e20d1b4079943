/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program did: `etm profile`, `calls` and the others of ETM_CLI_VIEWS.
 * One replay of the capture, through the engine of <etm/program.h>, drives
 * every output.
 */
#ifndef ETM_CLI_VIEW_H
#define ETM_CLI_VIEW_H

#include "cli/damage.h"
#include "cli/demangle.h"
#include "cli/merged.h"

#include <etm/program.h>

/* view_options.c: which commands have an option. */
extern const char *const etm_cli_command_names[]; /* by bits; ends with NULL */
unsigned etm_cli_option_commands(const char *option);
bool etm_cli_option_of_all(const char *option);
/* `what`, an option or a value of it, is of other commands, these: say so. An
 * exit status. */
int etm_cli_not_of_command(const struct etm_cli_options *options,
                           const char *what, unsigned commands);
/* Does the command have the format? -1, or an exit status after a message. */
int etm_cli_format_check(const struct etm_cli_options *options);

/* Take an option of the views. -1, or an exit status after a message. */
int etm_cli_view_option(struct etm_cli_options *options, const char *name,
                        const char *value);
/* Do the options of the views agree? -1, or an exit status after a message. */
int etm_cli_view_check(const struct etm_cli_options *options);

/* The commands. An exit status. */
int etm_cli_view(const struct etm_cli_options *options,
                 struct etm_cli_output *output);

/* When a call was, by timestamps. */
struct etm_cli_when {
    struct etm_clock_time time, from; /* from: LEAVE: of its ENTER */
    uint64_t duration; /* LEAVE: ticks, without what other tasks executed */
};

/* Which calls get `when`. */
enum etm_cli_times {
    ETM_CLI_NO_TIMES = 0,
    ETM_CLI_FOR_DURATIONS, /* those of a source whose unit are ticks */
    ETM_CLI_ALL_TIMES      /* those of each source that has timestamps */
};

/* What is replayed, as the views see it. */
struct etm_cli_replay {
    const struct etm_cli_view *view;
    const struct etm_cli_options *options;
    struct etm_cli_output *output;
    const struct etm_session *session;
    size_t n_sources;                    /* that were chosen */
    struct etm_cli_demangler *demangler; /* of names */

    /* the current source, and its index in the session */
    size_t source;
    const struct etm_source_info *info;
    struct etm_calls *calls;
    struct etm_names names;
    bool cycles; /* costs are in cycles, those of an ITM in local ticks. Else in
                    instructions */
    enum etm_time_unit unit;  /* of durations: cycles or local ticks, else ticks
                                 of timestamps, else instructions */
    bool times;               /* it has timestamps */
    struct etm_cli_when when; /* of the current call, if the view wants times */
    struct etm_cli_merged *merged; /* lines of all sources; NULL: not wanted */
    const struct etm_cli_damage *damage; /* so far */
    void *state; /* of the view, from its beginning to its end */
};

/*
 * An output. Functions that return an int give ETM_OK or ETM_ERR_MEMORY; what
 * cannot be written is not their concern (struct etm_cli_output).
 */
struct etm_cli_view {
    enum etm_cli_command command;
    const char *format;
    size_t state_size; /* zeroed memory, if not 0 */
    /* All may be NULL. In this order: */
    int (*prepare)(struct etm_cli_replay *replay); /* an exit status, after a
                                                      message */
    void (*begin)(struct etm_cli_replay *replay);
    int (*source)(struct etm_cli_replay *replay);
    etm_call_fn *calls; /* with the replay as its context */
    /* Is it the one that the options ask for? NULL: it is the one without. */
    bool (*fits)(const struct etm_cli_options *options);
    /* All elements, before the calls that they lead to; with it, unless there
     * are `ranges`, each instruction is one. */
    int (*elements)(struct etm_cli_replay *replay,
                    const struct etm_element *elements, size_t n);
    /* Elements beside calls: gaps, triggers, timestamps, and the code that
     * follows a gap; with --watch, and for variables, also data. After the
     * calls of what comes before them. */
    void (*element)(struct etm_cli_replay *replay,
                    const struct etm_element *element);
    /* Each instruction, after the calls that it leads to; with it, each is an
     * element. */
    int (*insn)(struct etm_cli_replay *replay,
                const struct etm_element *element);
    bool insn_for_cycles; /* only of sources that have some */
    bool ranges;
    int (*end_source)(struct etm_cli_replay *replay);
    int (*end)(struct etm_cli_replay *replay); /* also another error, after a
                                                  message */
    void (*free)(struct etm_cli_replay *replay);
    bool binary; /* the output is nothing for a terminal */
    /* Calls come one by one then, up to the next timestamp later, when others
     * have come already: to `timed`, and if that is NULL to `calls`, which
     * otherwise gets them at once, without times. */
    enum etm_cli_times times;
    etm_call_fn *timed;
    bool tells_time; /* its lines have a time; else --merge adds it */
    const struct etm_cli_sink *sink; /* of a time line: the form of its file */
};

extern const struct etm_cli_view etm_cli_profile_code_text,
    etm_cli_profile_code_jsonl, etm_cli_annotation, etm_cli_profile_text,
    etm_cli_profile_jsonl, etm_cli_profile_folded, etm_cli_profile_callgrind,
    etm_cli_profile_speedscope, etm_cli_profile_pprof, etm_cli_calls_text,
    etm_cli_calls_jsonl, etm_cli_exceptions_text, etm_cli_exceptions_jsonl,
    etm_cli_timeline_perfetto, etm_cli_timeline_chrome, etm_cli_timeline_ctf,
    etm_cli_variables_text, etm_cli_variables_jsonl, etm_cli_variables_csv,
    etm_cli_report_html;

/* What a call is called: "main", "0x00008000", "[irq0]". In `text`, if it has
 * to be made there; valid as long as the source. */
#define ETM_CLI_CALL_NAME 32u
const char *etm_cli_call_name(const struct etm_cli_replay *replay,
                              const struct etm_call *call,
                              char text[ETM_CLI_CALL_NAME]);

/* Is it a call of the function, or an exception, of this name? */
bool etm_cli_call_is(const struct etm_cli_replay *replay,
                     const struct etm_call *call, const char *name);

/* "context 0x00000010", "pxCurrentTCB 0x20000100", "task 1". */
struct etm_cli_task_name {
    char text[96];
};
const char *etm_cli_task_name(const struct etm_cli_replay *replay,
                              const struct etm_call_task *known, unsigned task,
                              struct etm_cli_task_name *name);

/* Does it trace no instructions? */
static inline bool etm_cli_is_itm(const struct etm_cli_replay *replay)
{
    return replay->info->config.protocol == ETM_PROTOCOL_ITM;
}

/* What is counted between timestamps, and of costs: cycles, local ticks of an
 * ITM, or instructions; an amount of it, and what the engine has counted so
 * far. */
static inline enum etm_time_unit
etm_cli_cost_unit(const struct etm_cli_replay *replay)
{
    return etm_time_unit_of(&replay->info->config);
}

static inline uint64_t etm_cli_in_unit(const struct etm_cli_replay *replay,
                                       struct etm_call_cost cost)
{
    return replay->cycles ? cost.cycles : cost.instructions;
}

static inline struct etm_clock_place
etm_cli_now(const struct etm_cli_replay *replay)
{
    return etm_calls_place(replay->calls, etm_cli_cost_unit(replay));
}

/* The unit of durations: "cycles", "ticks", "local ticks" or "instructions". */
static inline const char *etm_cli_unit_name(const struct etm_cli_replay *replay)
{
    return etm_time_unit_name(replay->unit);
}

/* The duration of a call is known: its beginning, its end, and everything in
 * between. */
bool etm_cli_is_complete(const struct etm_cli_replay *replay,
                         const struct etm_call *call);
uint64_t etm_cli_duration(const struct etm_cli_replay *replay,
                          const struct etm_call *call);

/* With --merge: what is written next is of this time; NULL: is a heading. A
 * status of etm_cli_merged_at(). */
static inline int etm_cli_line_at(struct etm_cli_replay *replay,
                                  const struct etm_clock_time *time)
{
    return replay->merged ? etm_cli_merged_at(replay->merged, time) : ETM_OK;
}

/* When a call was: in ticks if these are the unit, or if sources are merged;
 * else in the unit of the source. False: it is not known. */
bool etm_cli_time(const struct etm_cli_replay *replay,
                  const struct etm_call *call,
                  const struct etm_clock_time *when, uint64_t *time);
const char *etm_cli_time_unit_name(const struct etm_cli_replay *replay);

#endif
