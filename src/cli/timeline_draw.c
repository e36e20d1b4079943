/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slices get their times. Those that --minimum-duration leaves out are known
 * when they end; so a slice is drawn when it ends, or when one above it is, or
 * when it is open long enough.
 */
#include "cli/timeline.h"

#include <stdlib.h>
#include <string.h>

enum { BEGIN, END, MARK, COUNT, GAP, GAP_END };

/* What is drawn, until its time is known. */
struct stroke {
    uint64_t value;
    uint32_t track, name;
    uint16_t flags;
    uint8_t kind;
};

static void draw_open(struct etm_cli_replay *r, unsigned track)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_open_slices *open = &t->open[track];

    for (; open->drawn < open->n; open->drawn++)
        r->view->sink->begin(r, track, open->rows[open->drawn].time,
                             open->rows[open->drawn].name);
}

static bool is_long(const struct etm_cli_replay *r,
                    const struct etm_cli_open_slice *slice, uint64_t time)
{
    return time - slice->time >= r->options->view.minimum_duration;
}

static void begin(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  uint32_t name)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_open_slices *open = &t->open[track];

    if (open->n == open->room) {
        size_t room = 2 * open->room + 64;
        struct etm_cli_open_slice *rows =
            realloc(open->rows, room * sizeof *rows);

        if (!rows) {
            t->failed = true;
            return;
        }
        open->rows = rows;
        open->room = room;
    }
    open->rows[open->n++] = (struct etm_cli_open_slice){time, name};
    if (r->options->view.minimum_duration == 0)
        draw_open(r, track);
}

static void end(struct etm_cli_replay *r, unsigned track, uint64_t time,
                unsigned flags)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_open_slices *open = &t->open[track];

    if (open->n == 0)
        return; /* out of memory */
    if (open->drawn < open->n && is_long(r, &open->rows[open->n - 1], time))
        draw_open(r, track);
    open->n--;
    if (open->drawn > open->n) {
        open->drawn = open->n;
        r->view->sink->end(r, track, time, open->rows[open->n].name, flags);
    }
}

/* The gap up to here; a mark within it, or its end, comes next on its track. */
static void draw_gap(struct etm_cli_replay *r, uint64_t time)
{
    struct etm_cli_timeline *t = r->state;
    uint64_t since = t->gap_since;

    if (!t->gap_open || time == since)
        return;
    t->gap_drawn = true;
    t->gap_since = time;
    if (time - since < r->options->view.minimum_duration)
        return;
    r->view->sink->begin(r, ETM_CLI_TRACK_GAPS, since, t->gap_name);
    r->view->sink->end(r, ETM_CLI_TRACK_GAPS, time, t->gap_name, 0);
}

static void end_gap(struct etm_cli_replay *r, uint64_t time)
{
    struct etm_cli_timeline *t = r->state;

    draw_gap(r, time);
    if (!t->gap_drawn)
        r->view->sink->mark(r, ETM_CLI_TRACK_GAPS, time, t->gap_name);
    t->gap_open = false;
}

/* A value of a variable, and what it is called. */
static void count(struct etm_cli_replay *r, const struct stroke *s,
                  uint64_t time)
{
    struct etm_cli_timeline *t = r->state;
    const struct etm_scalar *scalar =
        &t->variables[s->track - ETM_CLI_TRACK_VARIABLE].scalar;
    struct etm_cli_drawn_value value = {
        .scalar = scalar, .value = etm_cli_value_of(scalar, s->value)};
    char text[ETM_CLI_VALUE];
    const char *name =
        etm_cli_value_name(r, t->sights.programs, scalar, &value.value, text);

    if (name)
        value.name = etm_cli_timeline_name(t, name);
    r->view->sink->count(r, s->track, time, &value);
}

static void draw(struct etm_cli_replay *r, const struct stroke *s,
                 uint64_t time)
{
    struct etm_cli_timeline *t = r->state;

    switch (s->kind) {
    case BEGIN:
        begin(r, s->track, time, s->name);
        break;
    case END:
        end(r, s->track, time, s->flags);
        break;
    case MARK:
        draw_gap(r, time);
        r->view->sink->mark(r, s->track, time, s->name);
        break;
    case COUNT:
        count(r, s, time);
        break;
    case GAP:
        t->gap_open = true;
        t->gap_drawn = false;
        t->gap_since = time;
        t->gap_name = s->name;
        break;
    case GAP_END:
        end_gap(r, time);
        break;
    }
}

static int take(void *context, void *item, const struct etm_clock_time *time)
{
    draw(context, item, time->ticks);
    return ETM_OK;
}

/* Without timestamps the place is the time; never earlier than what was drawn
 * before on its track: a frame that is cut ends in the past. */
static void hold(struct etm_cli_replay *r, struct etm_clock_place place,
                 const struct stroke *s)
{
    struct etm_cli_timeline *t = r->state;

    if (t->clock) {
        t->failed |= etm_clock_hold(t->clock, place, s) != ETM_OK;
        return;
    }
    if (place.at > t->last[s->track])
        t->last[s->track] = place.at;
    draw(r, s, t->last[s->track]);
}

void etm_cli_draw_begin(struct etm_cli_replay *r, unsigned track,
                        struct etm_clock_place place, const char *name)
{
    hold(r, place,
         &(struct stroke){.track = track,
                          .name = etm_cli_timeline_name(r->state, name),
                          .kind = BEGIN});
}

void etm_cli_draw_end(struct etm_cli_replay *r, unsigned track,
                      struct etm_clock_place place, unsigned flags)
{
    hold(r, place,
         &(struct stroke){
             .track = track, .flags = (uint16_t)flags, .kind = END});
}

void etm_cli_draw_mark(struct etm_cli_replay *r, unsigned track,
                       struct etm_clock_place place, const char *name)
{
    hold(r, place,
         &(struct stroke){.track = track,
                          .name = etm_cli_timeline_name(r->state, name),
                          .kind = MARK});
}

void etm_cli_draw_count(struct etm_cli_replay *r, unsigned variable,
                        struct etm_clock_place place, uint64_t raw)
{
    hold(r, place,
         &(struct stroke){.track = ETM_CLI_TRACK_VARIABLE + variable,
                          .value = raw,
                          .kind = COUNT});
}

void etm_cli_draw_gap(struct etm_cli_replay *r, struct etm_clock_place place,
                      const char *name)
{
    hold(r, place,
         &(struct stroke){.track = ETM_CLI_TRACK_GAPS,
                          .name = etm_cli_timeline_name(r->state, name),
                          .kind = GAP});
}

void etm_cli_draw_gap_end(struct etm_cli_replay *r,
                          struct etm_clock_place place)
{
    hold(r, place,
         &(struct stroke){.track = ETM_CLI_TRACK_GAPS, .kind = GAP_END});
}

void etm_cli_draw_start(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    const struct etm_clock_config config = {.size = sizeof config,
                                            .take = take,
                                            .context = r,
                                            .sizeof_item =
                                                sizeof(struct stroke)};

    etm_clock_free(t->clock);
    t->clock = NULL;
    memset(t->last, 0, sizeof t->last);
    t->gap_open = false;
    for (size_t i = 0; i < ETM_CLI_TRACKS; i++)
        t->open[i].n = t->open[i].drawn = 0;
    if (r->times)
        t->failed |= etm_clock_new(&t->clock, &config) != ETM_OK;
}

void etm_cli_draw_timestamp(struct etm_cli_replay *r,
                            struct etm_clock_place place, uint64_t ticks)
{
    struct etm_cli_timeline *t = r->state;

    if (t->clock && ticks != ETM_TIMESTAMP_UNKNOWN)
        t->failed |= etm_clock_timestamp(t->clock, place, ticks) != ETM_OK;
}

void etm_cli_draw_stop(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    if (t->clock)
        t->failed |= etm_clock_finish(t->clock) != ETM_OK;
}

void etm_cli_draw_free(struct etm_cli_timeline *t)
{
    for (size_t i = 0; i < ETM_CLI_TRACKS; i++)
        free(t->open[i].rows);
    etm_clock_free(t->clock);
}
