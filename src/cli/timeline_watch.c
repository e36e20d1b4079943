/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of --watch, as tracks. */
#include "cli/timeline.h"

#include <stdlib.h>
#include <string.h>

/* What is drawn of a scalar; NULL: there are too many. */
static struct etm_cli_drawn_variable *find(struct etm_cli_timeline *t,
                                           const struct etm_scalar *scalar)
{
    struct etm_cli_drawn_variable *v = t->variables;

    for (; v < t->variables + t->n_variables; v++) {
        if (v->scalar.address != scalar->address ||
            strcmp(v->scalar.name, scalar->name) != 0)
            continue;
        if (v->scalar.size < scalar->size) /* only transfers tell of it */
            v->scalar.size = scalar->size;
        return v;
    }
    if (t->n_variables == ETM_CLI_DRAWN_VARIABLES) {
        t->undrawn = true;
        return NULL;
    }
    t->n_variables++;
    *v = (struct etm_cli_drawn_variable){.scalar = *scalar};
    return v;
}

static void note_known(struct etm_cli_watch *watch,
                       const struct etm_scalar *scalar, bool whole)
{
    for (unsigned i = 0; i < watch->n; i++) {
        struct etm_cli_watched *w = &watch->rows[i];

        if (scalar->address - w->address >= (w->size != 0 ? w->size : 1) &&
            w->address - scalar->address >= scalar->size)
            continue;
        w->part = true;
        w->whole |= whole;
    }
}

static void draw(struct etm_cli_replay *r, struct etm_cli_drawn_variable *v,
                 struct etm_clock_place place, uint64_t raw)
{
    const struct etm_cli_timeline *t = r->state;
    unsigned n = (unsigned)(v - t->variables);

    if (!v->named)
        r->view->sink->track(r, ETM_CLI_TRACK_VARIABLE + n, v->scalar.name);
    v->named = true;
    etm_cli_draw_count(r, n, place, raw);
}

/* No second half comes. */
static void end_half(struct etm_cli_replay *r, struct etm_cli_drawn_variable *v)
{
    if (v->half && v->whole)
        draw(r, v, v->place, v->raw);
    v->half = false;
}

static int take(struct etm_cli_replay *r, struct etm_cli_sight *sight)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_drawn_variable *v;
    struct etm_scalar scalar = {0};
    bool whole, half, second;

    etm_cli_sight_scalar(&t->sights, sight, &scalar);
    whole = etm_cli_sight_is_whole(sight, &scalar);
    if (sight->known == 0)
        return ETM_OK;
    note_known(&t->sights.watch, &scalar, whole);
    v = find(t, &scalar);
    if (!v)
        return ETM_OK;
    half = scalar.size > 4 && sight->size < scalar.size;
    second = half && v->half && v->address != sight->address;
    if (second)
        v->half = false;
    end_half(r, v);
    if (half && !second) {
        v->half = v->fresh = true;
        v->whole = whole;
        v->address = sight->address;
        v->raw = sight->raw;
        v->place = t->place;
    } else if (whole) {
        draw(r, v, t->place, sight->raw);
    }
    return ETM_OK;
}

int etm_cli_draw_watch_open(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    if (!r->options->view.watch)
        return ETM_EXIT_OK;
    t->sights.take = take;
    t->variables = calloc(ETM_CLI_DRAWN_VARIABLES, sizeof *t->variables);
    if (t->variables)
        return etm_cli_sights_open(&t->sights, r);
    etm_cli_error("out of memory");
    return ETM_EXIT_UNREADABLE;
}

void etm_cli_draw_watch_start(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    etm_cli_sights_source(&t->sights);
    t->n_variables = 0;
    t->undrawn = false;
}

void etm_cli_draw_watch(struct etm_cli_replay *r, const struct etm_element *e,
                        struct etm_clock_place place)
{
    struct etm_cli_timeline *t = r->state;

    if (!t->variables)
        return;
    for (unsigned i = 0; i < t->n_variables; i++)
        t->variables[i].fresh = false;
    t->place = place;
    etm_cli_sights_element(&t->sights, e);
    t->failed |= t->sights.status != ETM_OK;
    for (unsigned i = 0; i < t->n_variables; i++)
        if (!t->variables[i].fresh)
            end_half(r, &t->variables[i]);
}

void etm_cli_draw_watch_stop(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    for (unsigned i = 0; i < t->n_variables; i++)
        end_half(r, &t->variables[i]);
    if (t->undrawn)
        etm_cli_error("%s: --watch %s: only the first %u values of them are "
                      "drawn",
                      r->info->name, r->options->view.watch,
                      ETM_CLI_DRAWN_VARIABLES);
}
