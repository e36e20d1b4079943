/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/slices.h"

#include <etm/types.h>

#include <math.h>
#include <stdlib.h>

int etm_cli_slices_init(struct etm_cli_slices *s, unsigned tracks)
{
    size_t lanes = (size_t)tracks * ETM_CLI_SLICES_DEPTH;

    *s = (struct etm_cli_slices){.tracks = tracks};
    s->lanes = calloc(lanes, sizeof *s->lanes);
    s->plots = calloc(tracks, sizeof *s->plots);
    s->begun = calloc(tracks, sizeof *s->begun);
    return s->lanes && s->plots && s->begun ? ETM_OK : ETM_ERR_MEMORY;
}

/* Does it belong to those between two multiples of the resolution? */
static bool is_short(const struct etm_cli_slices *s,
                     const struct etm_cli_slice *slice)
{
    return slice->n > 1 || slice->end - slice->begin < s->resolution;
}

static bool is_one(const struct etm_cli_slices *s,
                   const struct etm_cli_slice *a, const struct etm_cli_slice *b)
{
    return s->resolution != 0 && is_short(s, a) && is_short(s, b) &&
           a->begin / s->resolution == b->begin / s->resolution;
}

static void join(struct etm_cli_slice *to, const struct etm_cli_slice *from)
{
    to->end = from->end > to->end ? from->end : to->end;
    to->busy += from->busy;
    to->n = to->n > UINT32_MAX - from->n ? UINT32_MAX : to->n + from->n;
    if (from->longest > to->longest) {
        to->longest = from->longest;
        to->name = from->name;
    }
}

static void join_points(struct etm_cli_point *to,
                        const struct etm_cli_point *from)
{
    if (from->least < to->least || isnan(to->least))
        to->least = from->least;
    if (from->most > to->most || isnan(to->most))
        to->most = from->most;
    to->last = from->last;
    to->n += from->n;
}

static bool is_one_point(const struct etm_cli_slices *s,
                         const struct etm_cli_point *a,
                         const struct etm_cli_point *b)
{
    return s->resolution != 0 &&
           a->time / s->resolution == b->time / s->resolution;
}

static void coarsen_lane(const struct etm_cli_slices *s,
                         struct etm_cli_slice_lane *lane)
{
    size_t n = 0;

    for (size_t i = 0; i < lane->n; i++) {
        if (n != 0 && is_one(s, &lane->rows[n - 1], &lane->rows[i]))
            join(&lane->rows[n - 1], &lane->rows[i]);
        else
            lane->rows[n++] = lane->rows[i];
    }
    lane->n = n;
}

static void coarsen_plot(const struct etm_cli_slices *s,
                         struct etm_cli_plot *plot)
{
    size_t n = 0;

    for (size_t i = 0; i < plot->n; i++) {
        if (n != 0 && is_one_point(s, &plot->rows[n - 1], &plot->rows[i]))
            join_points(&plot->rows[n - 1], &plot->rows[i]);
        else
            plot->rows[n++] = plot->rows[i];
    }
    plot->n = n;
}

/* At half of what there may be, so that it is rare. With a resolution as long
 * as all that there is, nothing more can be done. */
static void coarsen(struct etm_cli_slices *s)
{
    while (s->n > ETM_CLI_SLICES_MOST / 2 &&
           s->resolution <= s->last - s->first) {
        s->resolution = s->resolution != 0 ? 2 * s->resolution : 2;
        s->n = 0;
        for (size_t i = 0; i < (size_t)s->tracks * ETM_CLI_SLICES_DEPTH; i++) {
            coarsen_lane(s, &s->lanes[i]);
            s->n += s->lanes[i].n;
        }
        for (size_t i = 0; i < s->tracks; i++) {
            coarsen_plot(s, &s->plots[i]);
            s->n += s->plots[i].n;
        }
    }
}

static void note_time(struct etm_cli_slices *s, uint64_t time)
{
    s->first = !s->any || time < s->first ? time : s->first;
    s->last = !s->any || time > s->last ? time : s->last;
    s->any = true;
}

static int add(struct etm_cli_slices *s, unsigned track, unsigned depth,
               const struct etm_cli_slice *slice)
{
    struct etm_cli_slice_lane *lane =
        &s->lanes[track * ETM_CLI_SLICES_DEPTH + depth];

    if (lane->n != 0 && is_one(s, &lane->rows[lane->n - 1], slice)) {
        join(&lane->rows[lane->n - 1], slice);
        return ETM_OK;
    }
    if (lane->n == lane->room) {
        size_t room = 2 * lane->room + 64;
        struct etm_cli_slice *rows = realloc(lane->rows, room * sizeof *rows);

        if (!rows)
            return ETM_ERR_MEMORY;
        lane->rows = rows;
        lane->room = room;
    }
    lane->rows[lane->n++] = *slice;
    if (++s->n > ETM_CLI_SLICES_MOST)
        coarsen(s);
    return ETM_OK;
}

void etm_cli_slices_begin(struct etm_cli_slices *s, unsigned track,
                          uint64_t time)
{
    struct etm_cli_begun *begun = &s->begun[track];

    note_time(s, time);
    if (begun->depth < ETM_CLI_SLICES_DEPTH)
        begun->times[begun->depth] = time;
    begun->depth++;
}

int etm_cli_slices_end(struct etm_cli_slices *s, unsigned track, uint64_t time,
                       uint32_t name)
{
    struct etm_cli_begun *begun = &s->begun[track];
    struct etm_cli_slice slice = {.end = time, .name = name, .n = 1};

    note_time(s, time);
    if (--begun->depth >= ETM_CLI_SLICES_DEPTH) {
        s->too_deep++;
        return ETM_OK;
    }
    slice.begin = begun->times[begun->depth];
    slice.busy = slice.longest = time - slice.begin;
    return add(s, track, begun->depth, &slice);
}

int etm_cli_slices_mark(struct etm_cli_slices *s, unsigned track, uint64_t time,
                        uint32_t name)
{
    note_time(s, time);
    return add(s, track, 0,
               &(struct etm_cli_slice){
                   .begin = time, .end = time, .name = name, .n = 1});
}

int etm_cli_slices_value(struct etm_cli_slices *s, unsigned track,
                         uint64_t time, double value)
{
    struct etm_cli_plot *plot = &s->plots[track];
    struct etm_cli_point point = {time, value, value, value, 1};

    note_time(s, time);
    if (plot->n != 0 && is_one_point(s, &plot->rows[plot->n - 1], &point)) {
        join_points(&plot->rows[plot->n - 1], &point);
        return ETM_OK;
    }
    if (plot->n == plot->room) {
        size_t room = 2 * plot->room + 64;
        struct etm_cli_point *rows = realloc(plot->rows, room * sizeof *rows);

        if (!rows)
            return ETM_ERR_MEMORY;
        plot->rows = rows;
        plot->room = room;
    }
    plot->rows[plot->n++] = point;
    if (++s->n > ETM_CLI_SLICES_MOST)
        coarsen(s);
    return ETM_OK;
}

void etm_cli_slices_free(struct etm_cli_slices *s)
{
    for (size_t i = 0; s->lanes && i < (size_t)s->tracks * ETM_CLI_SLICES_DEPTH;
         i++)
        free(s->lanes[i].rows);
    for (size_t i = 0; s->plots && i < s->tracks; i++)
        free(s->plots[i].rows);
    free(s->lanes);
    free(s->plots);
    free(s->begun);
    *s = (struct etm_cli_slices){0};
}
