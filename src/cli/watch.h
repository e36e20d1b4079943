/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of --watch. */
#ifndef ETM_CLI_WATCH_H
#define ETM_CLI_WATCH_H

#include "cli/view.h"

#define ETM_CLI_WATCHED 32u

struct etm_cli_watched {
    char name[192];
    uint32_t address, size; /* size 0: not known */
    bool seen;              /* in some source */
    bool part, whole;       /* some or all bytes of a scalar of it were known */
};

struct etm_cli_watch {
    struct etm_cli_watched rows[ETM_CLI_WATCHED];
    unsigned n;
};

/* Find them in the programs. An exit status; the message is printed. */
int etm_cli_watch_find(const struct etm_cli_replay *replay,
                       struct etm_cli_watch *watch);

/* Tell of those that were never seen; or, where values are drawn, of which none
 * was known. */
void etm_cli_watch_unseen(const struct etm_cli_watch *watch);
void etm_cli_watch_undrawn(const struct etm_cli_watch *watch);

#endif
