/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of --watch. */
#include "cli/timeline.h"

#include <string.h>

static int add(const struct etm_cli_replay *r, struct etm_cli_timeline *t,
               const char *name, size_t n)
{
    struct etm_cli_watched *w = &t->watched[t->n_watched];

    if (t->n_watched == ETM_CLI_VARIABLES || n >= sizeof w->name || n == 0) {
        etm_cli_error("--watch %s: %s", r->options->view.watch,
                      n == 0 ? "a name is empty"
                             : "too many variables, or too long a name");
        return ETM_EXIT_USAGE;
    }
    memcpy(w->name, name, n);
    w->name[n] = '\0';
    if (etm_cli_variable(r->session, w->name, &w->address, &w->size)) {
        t->n_watched++;
        return ETM_EXIT_OK;
    }
    etm_cli_error("--watch %s: no program of the capture has such a variable",
                  w->name);
    return ETM_EXIT_UNREADABLE;
}

int etm_cli_watch_find(const struct etm_cli_replay *r,
                       struct etm_cli_timeline *t)
{
    const char *at = r->options->view.watch;
    int status = ETM_EXIT_OK;

    while (at && status == ETM_EXIT_OK) {
        size_t n = strcspn(at, ",");

        status = add(r, t, at, n);
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    return status;
}

/* Is the whole variable in the transfer? Of an address of unknown size, it is
 * what a transfer from there moves. */
static bool is_all(const struct etm_cli_watched *w, const struct etm_element *e)
{
    return e->u.data.address == w->address &&
           (w->size == 0 || e->u.data.size == w->size);
}

void etm_cli_watch_data(struct etm_cli_replay *r, const struct etm_element *e)
{
    struct etm_cli_timeline *t = r->state;

    if (!e->u.data.address_known || !e->u.data.value_known)
        return;
    for (unsigned i = 0; i < t->n_watched; i++) {
        struct etm_cli_watched *w = &t->watched[i];
        unsigned track = ETM_CLI_TRACK_VARIABLE + i;

        if (!is_all(w, e))
            continue;
        if (!w->named)
            r->view->sink->track(r, track, w->name);
        w->named = w->seen = true;
        etm_cli_draw_count(r, track, etm_cli_now(r), e->u.data.value);
    }
}
