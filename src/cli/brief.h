/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --minimum-duration: calls that are shorter are left out. Whether a call is,
 * is known when it is left: until then it waits, and all that follows it, but
 * no longer than until its task has run for that duration.
 */
#ifndef ETM_CLI_BRIEF_H
#define ETM_CLI_BRIEF_H

#include "cli/view.h"

struct etm_cli_waiting {
    struct etm_call call;
    struct etm_cli_when when;
    uint64_t ran; /* how long its task had run before it */
    bool stays;   /* it is shown when it is its turn */
};

/* Zero-initialise it. */
struct etm_cli_brief {
    struct etm_cli_waiting *rows;
    size_t n, room;
    uint64_t ran[ETM_CALL_TASKS];
    uint32_t task; /* that runs, */
    uint64_t last; /* as far as this */
};

typedef int etm_cli_brief_fn(struct etm_cli_replay *replay,
                             const struct etm_call *call);

/* Take the current call of a replay, and show what does not wait any more, each
 * as the current call. ETM_ERR_MEMORY, or what `show` returned. */
int etm_cli_brief_take(struct etm_cli_brief *brief,
                       struct etm_cli_replay *replay,
                       const struct etm_call *call, etm_cli_brief_fn *show);

/* The source ends: show what waits. Another one may follow. */
int etm_cli_brief_end(struct etm_cli_brief *brief,
                      struct etm_cli_replay *replay, etm_cli_brief_fn *show);

void etm_cli_brief_free(struct etm_cli_brief *brief);

#endif
