/* SPDX-License-Identifier: Apache-2.0 */
/* --function and --depth: which calls are shown. */
#ifndef ETM_CLI_WITHIN_H
#define ETM_CLI_WITHIN_H

#include "cli/view.h"

/* Zero-initialise it for each source. */
struct etm_cli_within {
    /* frames of a task from this one up are those of --function: its depth plus
     * 1; 0: none are */
    uint32_t tasks[ETM_CALL_TASKS];
};

#define ETM_CLI_NOT_WITHIN UINT32_MAX

/* How deep a call that is entered or left is in the function that --function
 * asks for, or at all; or ETM_CLI_NOT_WITHIN. */
uint32_t etm_cli_depth_within(struct etm_cli_within *within,
                              const struct etm_cli_replay *replay,
                              const struct etm_call *call);

/* Is something at this depth shown? */
bool etm_cli_is_shown(const struct etm_cli_replay *replay, uint32_t depth);

#endif
