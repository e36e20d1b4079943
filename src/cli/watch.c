/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch.h"

#include <string.h>

static int add(const struct etm_cli_replay *r, struct etm_cli_watch *watch,
               const char *name, size_t n)
{
    struct etm_cli_watched *w = &watch->rows[watch->n];

    if (watch->n == ETM_CLI_WATCHED || n >= sizeof w->name || n == 0) {
        etm_cli_error("--watch %s: %s", r->options->view.watch,
                      n == 0 ? "a name is empty"
                             : "too many variables, or too long a name");
        return ETM_EXIT_USAGE;
    }
    memcpy(w->name, name, n);
    w->name[n] = '\0';
    if (etm_cli_variable(r->session, w->name, &w->address, &w->size)) {
        watch->n++;
        return ETM_EXIT_OK;
    }
    etm_cli_error("--watch %s: no program of the capture has such a variable",
                  w->name);
    return ETM_EXIT_UNREADABLE;
}

int etm_cli_watch_find(const struct etm_cli_replay *r,
                       struct etm_cli_watch *watch)
{
    const char *at = r->options->view.watch;
    int status = ETM_EXIT_OK;

    while (at && status == ETM_EXIT_OK) {
        size_t n = strcspn(at, ",");

        status = add(r, watch, at, n);
        at = at[n] == ',' ? at + n + 1 : NULL;
    }
    return status;
}

void etm_cli_watch_unseen(const struct etm_cli_watch *watch)
{
    for (unsigned i = 0; i < watch->n; i++)
        if (!watch->rows[i].seen)
            etm_cli_error("--watch %s: no transfer of it is in the trace",
                          watch->rows[i].name);
}

void etm_cli_watch_undrawn(const struct etm_cli_watch *watch)
{
    for (unsigned i = 0; i < watch->n; i++)
        if (!watch->rows[i].whole)
            etm_cli_error("--watch %s: %s", watch->rows[i].name,
                          watch->rows[i].part
                              ? "the trace tells no value of it as a whole"
                              : "no transfer of it has an address and a value "
                                "in the trace");
}
