/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times on one axis for all sources. Timestamps are rare: what lies between two
 * of them is drawn when the second one is known, at times in proportion to the
 * cycles or instructions in between. What comes before the first one, and after
 * the last, goes on at the rate of the two that are nearest.
 */
#include "cli/timeline.h"

#include <stdlib.h>
#include <string.h>

enum { BEGIN, END, MARK };

/* Without a timestamp for so long, the rate is that of the last ones. */
#define STROKES_MOST ((size_t)1 << 20)

static uint32_t *find(const struct etm_cli_timeline *t, const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    size_t i;

    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    i = hash & (t->n_index - 1);
    while (t->index[i] != 0 &&
           strcmp(t->names[t->index[i] - 1].text, name) != 0)
        i = (i + 1) & (t->n_index - 1);
    return &t->index[i];
}

static bool make_room(struct etm_cli_timeline *t)
{
    size_t n = t->n_index != 0 ? 2 * t->n_index : 256;
    struct etm_cli_drawn_name *names;
    uint32_t *index;

    if (2 * t->n_names < t->n_index)
        return true;
    names = realloc(t->names, n * sizeof *names);
    if (names)
        t->names = names;
    index = calloc(n, sizeof *index);
    if (!names || !index) {
        free(index);
        return false;
    }
    free(t->index);
    t->index = index;
    t->n_index = n;
    for (size_t i = 0; i < t->n_names; i++)
        *find(t, t->names[i].text) = (uint32_t)i + 1;
    return true;
}

uint32_t etm_cli_timeline_name(struct etm_cli_timeline *t, const char *name)
{
    size_t size = strlen(name) + 1;
    uint32_t *at;
    char *text;

    if (!make_room(t)) {
        t->failed = true;
        return 0;
    }
    at = find(t, name);
    if (*at != 0)
        return *at;
    text = malloc(size);
    if (!text) {
        t->failed = true;
        return 0;
    }
    memcpy(text, name, size);
    t->names[t->n_names] = (struct etm_cli_drawn_name){.text = text};
    *at = (uint32_t)++t->n_names;
    return *at;
}

/* Never earlier than what was drawn before: a frame that is cut ends in the
 * past. */
static uint64_t time_of(struct etm_cli_clock *c, uint64_t at)
{
    uint64_t time = at;

    if (c->used && at >= c->at) {
        time = c->time + (uint64_t)((double)(at - c->at) * c->slope);
    } else if (c->used) {
        uint64_t before = (uint64_t)((double)(c->at - at) * c->slope);

        time = before < c->time ? c->time - before : 0;
    }
    if (c->used && time < c->last)
        time = c->last;
    c->last = time;
    return time;
}

static void draw(struct etm_cli_replay *r, const struct etm_cli_sink *sink,
                 const struct etm_cli_stroke *s)
{
    struct etm_cli_timeline *t = r->state;
    uint64_t time = time_of(&t->clock, s->at);

    if (s->kind == BEGIN)
        sink->begin(r, s->track, time, s->name);
    else if (s->kind == END)
        sink->end(r, s->track, time, s->flags);
    else
        sink->mark(r, s->track, time, s->name);
}

static void draw_all(struct etm_cli_replay *r, const struct etm_cli_sink *sink)
{
    struct etm_cli_timeline *t = r->state;

    for (size_t i = 0; i < t->clock.n; i++)
        draw(r, sink, &t->clock.strokes[i]);
    t->clock.n = 0;
}

static void hold(struct etm_cli_replay *r, const struct etm_cli_sink *sink,
                 const struct etm_cli_stroke *s)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_clock *c = &t->clock;

    if (!c->used) {
        draw(r, sink, s);
        return;
    }
    if (c->n == STROKES_MOST)
        draw_all(r, sink);
    if (c->n == c->room) {
        size_t room = c->room != 0 ? 2 * c->room : 1024;
        struct etm_cli_stroke *strokes =
            realloc(c->strokes, room * sizeof *strokes);

        if (!strokes) {
            t->failed = true;
            return;
        }
        c->strokes = strokes;
        c->room = room;
    }
    c->strokes[c->n++] = *s;
}

void etm_cli_clock_begin(struct etm_cli_replay *r,
                         const struct etm_cli_sink *sink, unsigned track,
                         uint64_t at, const char *name)
{
    hold(r, sink,
         &(struct etm_cli_stroke){.at = at,
                                  .track = track,
                                  .name = etm_cli_timeline_name(r->state, name),
                                  .kind = BEGIN});
}

void etm_cli_clock_end(struct etm_cli_replay *r,
                       const struct etm_cli_sink *sink, unsigned track,
                       uint64_t at, unsigned flags)
{
    hold(r, sink,
         &(struct etm_cli_stroke){
             .at = at, .track = track, .flags = (uint16_t)flags, .kind = END});
}

void etm_cli_clock_mark(struct etm_cli_replay *r,
                        const struct etm_cli_sink *sink, unsigned track,
                        uint64_t at, const char *name)
{
    hold(r, sink,
         &(struct etm_cli_stroke){.at = at,
                                  .track = track,
                                  .name = etm_cli_timeline_name(r->state, name),
                                  .kind = MARK});
}

void etm_cli_clock_start(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_stroke *strokes = t->clock.strokes;
    size_t room = t->clock.room;

    t->clock = (struct etm_cli_clock){.used = r->info->config.timestamps,
                                      .slope = 1,
                                      .strokes = strokes,
                                      .room = room};
}

void etm_cli_clock_set(struct etm_cli_replay *r,
                       const struct etm_cli_sink *sink, uint64_t at,
                       uint64_t time)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_clock *c = &t->clock;

    if (!c->used || time == ETM_TIMESTAMP_UNKNOWN || time < c->time)
        return;
    if (c->points != 0) { /* else the rate is not known yet */
        c->slope =
            at > c->at ? (double)(time - c->time) / (double)(at - c->at) : 0;
        draw_all(r, sink);
    }
    c->at = at;
    c->time = time;
    c->points++;
}

void etm_cli_clock_stop(struct etm_cli_replay *r,
                        const struct etm_cli_sink *sink)
{
    draw_all(r, sink);
}

void etm_cli_timeline_free(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    for (size_t i = 0; i < t->n_names; i++)
        free(t->names[i].text);
    free(t->names);
    free(t->index);
    free(t->clock.strokes);
    free(t->packet.data);
    free(t->event.data);
    free(t->nested[0].data);
    free(t->nested[1].data);
    free(t->out.data);
}
