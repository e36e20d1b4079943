/* SPDX-License-Identifier: Apache-2.0 */
/* What is drawn of calls. */
#include "cli/timeline.h"

#include <stdio.h>
#include <string.h>

const char *etm_cli_timeline_flags(unsigned flags, char text[ETM_CLI_FLAGS])
{
    unsigned shown =
        flags & ~(unsigned)(ETM_CALL_EXCEPTION | ETM_CALL_RECURSIVE);
    size_t n = 0;

    for (unsigned bit = 0; shown >> bit != 0; bit++) {
        const char *name = etm_call_flag_name((enum etm_call_flag)(1u << bit));

        if ((shown >> bit & 1) == 0)
            continue;
        n += (size_t)snprintf(text + n, ETM_CLI_FLAGS - n, "%s%s",
                              n != 0 ? " " : "", name);
    }
    return n != 0 ? text : NULL;
}

int etm_cli_timeline_source(struct etm_cli_replay *r,
                            const struct etm_cli_sink *sink)
{
    struct etm_cli_timeline *t = r->state;
    char name[128];

    t->source++;
    t->task = 0;
    t->runs = t->gap = false;
    memset(t->lanes, 0, sizeof t->lanes);
    memset(&t->within, 0, sizeof t->within);
    etm_cli_clock_start(r);
    snprintf(name, sizeof name, "%.64s (1 ns: 1 of %s)", r->info->name,
             t->clock.used ? "timestamps" : etm_cli_unit_name(r));
    sink->track(r, ETM_CLI_TRACK_SOURCE, name);
    sink->track(r, ETM_CLI_TRACK_TASKS, "tasks");
    sink->track(r, ETM_CLI_TRACK_EXCEPTIONS, "exceptions");
    sink->track(r, ETM_CLI_TRACK_GAPS, "gaps and triggers");
    return ETM_OK;
}

static const char *task_name(struct etm_cli_replay *r, uint32_t task,
                             struct etm_cli_task_name *name)
{
    return etm_cli_task_name(r, etm_calls_task(r->calls, task), task, name);
}

/* Its track, when it is used first: no sooner is it known what it is. */
static unsigned track_of(struct etm_cli_replay *r,
                         const struct etm_cli_sink *sink, uint32_t task)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_task_name name;

    if (!t->lanes[task].named)
        sink->track(r, ETM_CLI_TRACK_TASK + task, task_name(r, task, &name));
    t->lanes[task].named = true;
    return ETM_CLI_TRACK_TASK + task;
}

/* The task that runs is a slice, and so are the exceptions that it is in: they
 * are not those of the task before. */
static void run_task(struct etm_cli_replay *r, const struct etm_cli_sink *sink,
                     uint64_t time)
{
    struct etm_cli_timeline *t = r->state;
    const struct etm_cli_lane *lane = &t->lanes[t->task];
    struct etm_cli_task_name name;

    etm_cli_clock_begin(r, sink, ETM_CLI_TRACK_TASKS, time,
                        task_name(r, t->task, &name));
    for (unsigned i = 0; i < lane->n; i++)
        etm_cli_clock_begin(r, sink, ETM_CLI_TRACK_EXCEPTIONS, time,
                            i < ETM_CLI_NESTING ? lane->exceptions[i]
                                                : "[exception]");
    t->runs = true;
}

static void stop_task(struct etm_cli_replay *r, const struct etm_cli_sink *sink,
                      uint64_t time)
{
    struct etm_cli_timeline *t = r->state;

    if (!t->runs)
        return;
    for (unsigned i = 0; i < t->lanes[t->task].n; i++)
        etm_cli_clock_end(r, sink, ETM_CLI_TRACK_EXCEPTIONS, time, 0);
    etm_cli_clock_end(r, sink, ETM_CLI_TRACK_TASKS, time, 0);
    t->runs = false;
}

static void draw_exception(struct etm_cli_replay *r,
                           const struct etm_cli_sink *sink,
                           const struct etm_call *c, const char *name)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_lane *lane = &t->lanes[c->task];
    uint64_t time = etm_cli_in_unit(r, c->at);

    if (c->kind == ETM_CALL_ENTER) {
        if (lane->n < ETM_CLI_NESTING)
            snprintf(lane->exceptions[lane->n], ETM_CLI_CALL_NAME, "%s", name);
        lane->n++;
        etm_cli_clock_begin(r, sink, ETM_CLI_TRACK_EXCEPTIONS, time, name);
        return;
    }
    lane->n--;
    if (c->task == t->task && t->runs) /* else its slice has ended */
        etm_cli_clock_end(r, sink, ETM_CLI_TRACK_EXCEPTIONS, time, c->flags);
}

static void draw(struct etm_cli_replay *r, const struct etm_cli_sink *sink,
                 const struct etm_call *c)
{
    struct etm_cli_timeline *t = r->state;
    uint32_t depth = etm_cli_depth_within(&t->within, r, c);
    uint64_t time = etm_cli_in_unit(r, c->at);
    char text[ETM_CLI_CALL_NAME];
    const char *name = etm_cli_call_name(r, c, text);
    unsigned track = track_of(r, sink, c->task);

    if (!t->runs && c->kind == ETM_CALL_ENTER)
        run_task(r, sink, time);
    if ((c->flags & ETM_CALL_EXCEPTION) != 0)
        draw_exception(r, sink, c, name);
    if (!etm_cli_is_shown(r, depth))
        return;
    if (c->kind == ETM_CALL_ENTER)
        etm_cli_clock_begin(r, sink, track, time, name);
    else
        etm_cli_clock_end(r, sink, track, time, c->flags);
}

int etm_cli_timeline_calls(struct etm_cli_replay *r,
                           const struct etm_cli_sink *sink,
                           const struct etm_call *calls, size_t n)
{
    struct etm_cli_timeline *t = r->state;

    for (size_t i = 0; i < n; i++) {
        if (calls[i].kind != ETM_CALL_SWITCH) {
            draw(r, sink, &calls[i]);
            continue;
        }
        stop_task(r, sink, etm_cli_in_unit(r, calls[i].at));
        t->task = calls[i].task;
        run_task(r, sink, etm_cli_in_unit(r, calls[i].at));
    }
    return t->failed ? ETM_ERR_MEMORY : ETM_OK;
}

/* A gap ends; one in which no time passes, as far as is known, is a mark. */
static void end_gap(struct etm_cli_replay *r, const struct etm_cli_sink *sink,
                    uint64_t time)
{
    struct etm_cli_timeline *t = r->state;

    if (!t->gap)
        return;
    t->gap = false;
    if (time == t->gap_at) {
        etm_cli_clock_mark(r, sink, ETM_CLI_TRACK_GAPS, time, "gap");
        return;
    }
    etm_cli_clock_begin(r, sink, ETM_CLI_TRACK_GAPS, t->gap_at, "gap");
    etm_cli_clock_end(r, sink, ETM_CLI_TRACK_GAPS, time, 0);
}

void etm_cli_timeline_element(struct etm_cli_replay *r,
                              const struct etm_cli_sink *sink,
                              const struct etm_element *e)
{
    struct etm_cli_timeline *t = r->state;
    uint64_t now = etm_cli_now(r);

    if (e->kind == ETM_ELEMENT_TIMESTAMP) {
        etm_cli_clock_set(r, sink, now, e->u.timestamp.value);
    } else if (e->kind == ETM_ELEMENT_TRIGGER) {
        end_gap(r, sink, now);
        etm_cli_clock_mark(r, sink, ETM_CLI_TRACK_GAPS, now, "trigger");
    } else if (e->kind == ETM_ELEMENT_RANGE || e->kind == ETM_ELEMENT_INSN) {
        end_gap(r, sink, now);
    } else if (!t->gap) {
        t->gap = now != 0; /* before the first instruction there is none */
        t->gap_at = now;
    }
}

int etm_cli_timeline_end(struct etm_cli_replay *r,
                         const struct etm_cli_sink *sink)
{
    struct etm_cli_timeline *t = r->state;
    uint64_t now = etm_cli_now(r);

    end_gap(r, sink, now);
    stop_task(r, sink, now);
    etm_cli_clock_stop(r, sink);
    return t->failed ? ETM_ERR_MEMORY : ETM_OK;
}
