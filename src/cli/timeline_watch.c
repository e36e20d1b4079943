/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of --watch, as tracks. */
#include "cli/timeline.h"

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
    for (unsigned i = 0; i < t->watch.n; i++) {
        struct etm_cli_watched *w = &t->watch.rows[i];
        unsigned track = ETM_CLI_TRACK_VARIABLE + i;

        if (!is_all(w, e))
            continue;
        if (!t->named[i])
            r->view->sink->track(r, track, w->name);
        t->named[i] = w->seen = true;
        etm_cli_draw_count(r, track, etm_cli_now(r), e->u.data.value);
    }
}
