/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile of a source that traces no code: a DWT samples the program
 * counter. Functions by samples, and how often nothing ran.
 */
#ifndef ETM_CLI_PROFILE_SAMPLES_H
#define ETM_CLI_PROFILE_SAMPLES_H

#include "cli/view.h"

/* Can samples be shown so? */
bool etm_cli_samples_fit(const struct etm_cli_options *options,
                         const char *format);

/* Samples of the current source. NULL: out of memory. */
struct etm_cli_samples *etm_cli_samples_new(struct etm_cli_replay *replay);
/* ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_samples_take(struct etm_cli_samples *samples,
                         const struct etm_element *elements, size_t n);
/* Write what was found, in a form that fits; it is the last call. */
void etm_cli_samples_show(struct etm_cli_samples *samples, const char *format);
/* Accepts NULL. */
void etm_cli_samples_free(struct etm_cli_samples *samples);

#endif
