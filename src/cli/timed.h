/* SPDX-License-Identifier: Apache-2.0 */
/* Calls get their times (include/etm/program.h) on their way to a view. */
#ifndef ETM_CLI_TIMED_H
#define ETM_CLI_TIMED_H

#include "cli/view.h"

struct etm_cli_timed;

/* For the current source of a replay. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_timed_new(struct etm_cli_timed **timed,
                      struct etm_cli_replay *replay,
                      const struct etm_cli_view *view);
/* Accepts NULL. */
void etm_cli_timed_free(struct etm_cli_timed *timed);

/* Take calls; a timestamp comes; the source ends. The status of the view, or
 * ETM_ERR_MEMORY. */
int etm_cli_timed_calls(struct etm_cli_timed *timed,
                        const struct etm_call *calls, size_t n);
int etm_cli_timed_timestamp(struct etm_cli_timed *timed,
                            const struct etm_element *element);
int etm_cli_timed_finish(struct etm_cli_timed *timed);

#endif
