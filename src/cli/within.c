/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/within.h"

uint32_t etm_cli_depth_within(struct etm_cli_within *w,
                              const struct etm_cli_replay *replay,
                              const struct etm_call *call)
{
    const char *function = replay->options->view.function;
    uint32_t *within = &w->tasks[call->task];
    uint32_t depth = call->depth;

    if (!function)
        return depth;
    if (*within == 0 && call->kind == ETM_CALL_ENTER &&
        etm_cli_call_is(replay, call, function))
        *within = depth + 1;
    if (*within == 0)
        return ETM_CLI_NOT_WITHIN;
    depth -= *within - 1;
    if (call->kind == ETM_CALL_LEAVE && depth == 0)
        *within = 0;
    return depth;
}

bool etm_cli_is_shown(const struct etm_cli_replay *replay, uint32_t depth)
{
    const struct etm_cli_view_options *o = &replay->options->view;

    return depth != ETM_CLI_NOT_WITHIN && (!o->depth_told || depth < o->depth);
}
