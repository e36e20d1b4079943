/* SPDX-License-Identifier: Apache-2.0 */
/* What is drawn of calls. */
#include "cli/timeline.h"

#include <stdio.h>
#include <stdlib.h>
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

int etm_cli_timeline_prepare(struct etm_cli_replay *r)
{
    return etm_cli_draw_watch_open(r);
}

int etm_cli_timeline_source(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    char name[128];

    t->source++;
    t->task = 0;
    t->runs = t->gap = false;
    memset(t->lanes, 0, sizeof t->lanes);
    memset(&t->within, 0, sizeof t->within);
    etm_cli_draw_start(r);
    etm_cli_draw_watch_start(r);
    if (r->info->config.protocol == ETM_PROTOCOL_ITM)
        return etm_cli_draw_itm_start(r);
    snprintf(name, sizeof name, "%.64s (1 ns: 1 of %s)", r->info->name,
             r->times ? "timestamps"
                      : etm_time_unit_name(etm_cli_cost_unit(r)));
    r->view->sink->track(r, ETM_CLI_TRACK_SOURCE, name);
    r->view->sink->track(r, ETM_CLI_TRACK_TASKS, "tasks");
    r->view->sink->track(r, ETM_CLI_TRACK_EXCEPTIONS, "exceptions");
    r->view->sink->track(r, ETM_CLI_TRACK_GAPS, "gaps and triggers");
    return ETM_OK;
}

static const char *task_name(struct etm_cli_replay *r, uint32_t task,
                             struct etm_cli_task_name *name)
{
    return etm_cli_task_name(r, etm_calls_task(r->calls, task), task, name);
}

/* Its track, when it is used first: no sooner is it known what it is. */
static unsigned track_of(struct etm_cli_replay *r, uint32_t task)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_task_name name;

    if (!t->lanes[task].named)
        r->view->sink->track(r, ETM_CLI_TRACK_TASK + task,
                             task_name(r, task, &name));
    t->lanes[task].named = true;
    return ETM_CLI_TRACK_TASK + task;
}

/* The task that runs is a slice, and so are the exceptions that it is in: they
 * are not those of the task before. */
static void run_task(struct etm_cli_replay *r, struct etm_clock_place place)
{
    struct etm_cli_timeline *t = r->state;
    const struct etm_cli_lane *lane = &t->lanes[t->task];
    struct etm_cli_task_name name;

    etm_cli_draw_begin(r, ETM_CLI_TRACK_TASKS, place,
                       task_name(r, t->task, &name));
    for (unsigned i = 0; i < lane->n; i++)
        etm_cli_draw_begin(r, ETM_CLI_TRACK_EXCEPTIONS, place,
                           i < ETM_CLI_NESTING ? lane->exceptions[i]
                                               : "[exception]");
    t->runs = true;
}

static void stop_task(struct etm_cli_replay *r, struct etm_clock_place place)
{
    struct etm_cli_timeline *t = r->state;

    if (!t->runs)
        return;
    for (unsigned i = 0; i < t->lanes[t->task].n; i++)
        etm_cli_draw_end(r, ETM_CLI_TRACK_EXCEPTIONS, place, 0);
    etm_cli_draw_end(r, ETM_CLI_TRACK_TASKS, place, 0);
    t->runs = false;
}

static void draw_exception(struct etm_cli_replay *r, const struct etm_call *c,
                           const char *name)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_lane *lane = &t->lanes[c->task];
    struct etm_clock_place place = etm_call_place(c, etm_cli_cost_unit(r));

    if (c->kind == ETM_CALL_ENTER) {
        if (lane->n < ETM_CLI_NESTING)
            snprintf(lane->exceptions[lane->n], ETM_CLI_CALL_NAME, "%s", name);
        lane->n++;
        etm_cli_draw_begin(r, ETM_CLI_TRACK_EXCEPTIONS, place, name);
        return;
    }
    lane->n--;
    if (c->task == t->task && t->runs) /* else its slice has ended */
        etm_cli_draw_end(r, ETM_CLI_TRACK_EXCEPTIONS, place, c->flags);
}

static void draw(struct etm_cli_replay *r, const struct etm_call *c)
{
    struct etm_cli_timeline *t = r->state;
    uint32_t depth = etm_cli_depth_within(&t->within, r, c);
    struct etm_clock_place place = etm_call_place(c, etm_cli_cost_unit(r));
    char text[ETM_CLI_CALL_NAME];
    const char *name = etm_cli_call_name(r, c, text);
    unsigned track = track_of(r, c->task);

    if (!t->runs && c->kind == ETM_CALL_ENTER)
        run_task(r, place);
    if ((c->flags & ETM_CALL_EXCEPTION) != 0)
        draw_exception(r, c, name);
    if (!etm_cli_is_shown(r, depth))
        return;
    if (c->kind == ETM_CALL_ENTER)
        etm_cli_draw_begin(r, track, place, name);
    else
        etm_cli_draw_end(r, track, place, c->flags);
}

int etm_cli_timeline_calls(void *replay, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = replay;
    struct etm_cli_timeline *t = r->state;

    for (size_t i = 0; i < n; i++) {
        if (t->itm) {
            if (calls[i].kind != ETM_CALL_SWITCH)
                etm_cli_draw_itm_call(r, &calls[i]);
            continue;
        }
        if (calls[i].kind != ETM_CALL_SWITCH) {
            draw(r, &calls[i]);
            continue;
        }
        stop_task(r, etm_call_place(&calls[i], etm_cli_cost_unit(r)));
        t->task = calls[i].task;
        run_task(r, etm_call_place(&calls[i], etm_cli_cost_unit(r)));
    }
    return t->failed ? ETM_ERR_MEMORY : ETM_OK;
}

/* Why nothing is traced. */
static const char *gap_name(const struct etm_element *e)
{
    if (e->kind == ETM_ELEMENT_NO_IMAGE)
        return "no code";
    if (e->kind == ETM_ELEMENT_LOST)
        return "lost";
    return e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW     ? "overflow"
           : e->u.trace_on.reason == ETM_TRACE_ON_DEBUG_EXIT ? "debug state"
                                                             : "trace off";
}

/* Before the first instruction there is none. */
static void begin_gap(struct etm_cli_replay *r, struct etm_clock_place place,
                      const struct etm_element *e)
{
    struct etm_cli_timeline *t = r->state;

    if (t->gap || place.at == 0)
        return;
    t->gap = true;
    etm_cli_draw_gap(r, place, gap_name(e));
}

static void end_gap(struct etm_cli_replay *r, struct etm_clock_place place)
{
    struct etm_cli_timeline *t = r->state;

    if (t->gap)
        etm_cli_draw_gap_end(r, place);
    t->gap = false;
}

void etm_cli_timeline_element(struct etm_cli_replay *r,
                              const struct etm_element *e)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_clock_place now = etm_cli_now(r);

    if (t->itm) {
        etm_cli_draw_itm(r, e);
    } else if (e->kind == ETM_ELEMENT_TIMESTAMP) {
        etm_cli_draw_timestamp(r, now, e->u.timestamp.value);
    } else if (e->kind == ETM_ELEMENT_TRIGGER) {
        etm_cli_draw_mark(r, ETM_CLI_TRACK_GAPS, now, "trigger");
    } else if (e->kind == ETM_ELEMENT_DATA) {
        etm_cli_draw_watch(r, e, now);
    } else if (e->kind == ETM_ELEMENT_RANGE || e->kind == ETM_ELEMENT_INSN) {
        end_gap(r, now);
    } else {
        etm_cli_draw_watch(r, e, now);
        begin_gap(r, now, e);
    }
}

/* Is it on the axis of the others? */
static void note_times(struct etm_cli_timeline *t,
                       const struct etm_cli_replay *r)
{
    size_t n = strlen(t->untimed);

    if (r->times)
        t->timed++;
    else
        snprintf(t->untimed + n, sizeof t->untimed - n, "%s%.64s",
                 n != 0 ? ", " : "", r->info->name);
}

int etm_cli_timeline_end_source(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_clock_place now = etm_cli_now(r);

    if (t->itm) {
        note_times(t, r);
        etm_cli_draw_itm_stop(r);
        etm_cli_draw_watch_stop(r);
        etm_cli_draw_stop(r);
        return t->failed ? ETM_ERR_MEMORY : ETM_OK;
    }
    if (now.at != 0)
        note_times(t, r);
    end_gap(r, now);
    stop_task(r, now);
    etm_cli_draw_watch_stop(r);
    etm_cli_draw_stop(r);
    return t->failed ? ETM_ERR_MEMORY : ETM_OK;
}

int etm_cli_timeline_end(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    if (t->untimed[0] != '\0' && t->timed != 0)
        etm_cli_error("without timestamps, and so not on the axis of the "
                      "others, but from 0 on: %s",
                      t->untimed);
    etm_cli_watch_undrawn(&t->sights.watch);
    return ETM_OK;
}

void etm_cli_timeline_free(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    free(t->itm);
    etm_cli_sights_free(&t->sights);
    free(t->variables);
    etm_cli_draw_free(t);
    etm_cli_timeline_names_free(t);
    free(t->packet.data);
    free(t->event.data);
    free(t->nested[0].data);
    free(t->nested[1].data);
    free(t->out.data);
}
