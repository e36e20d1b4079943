/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --merge: the lines of all sources in the order of time. Sources are decoded
 * one after the other; their lines, with the times, go to unnamed files, which
 * are then read side by side. So memory does not grow with the capture.
 */
#ifndef ETM_CLI_MERGED_H
#define ETM_CLI_MERGED_H

#include "cli/cli.h"

#include <etm/program.h>

struct etm_cli_merged;

/* Have the sources that were chosen times in common? An exit status; the
 * message is printed. */
int etm_cli_merged_fits(const struct etm_cli_capture *capture);

/*
 * From now on what is written to the output is kept, until
 * etm_cli_merged_end(). Lines of text get the time and the source before
 * them; JSON Lines get `time` as their last key, unless they tell it. NULL: out
 * of memory.
 */
struct etm_cli_merged *etm_cli_merged_new(struct etm_cli_output *output,
                                          const char *format, bool tells_time);
/* Accepts NULL. The output is as it was before. */
void etm_cli_merged_free(struct etm_cli_merged *merged);

/* What is written next is the heading of a source, which comes before the lines
 * of all of them. ETM_OK, ETM_ERR_MEMORY, ETM_ERR_STOPPED (a message was
 * printed). */
int etm_cli_merged_source(struct etm_cli_merged *merged,
                          const struct etm_source_info *info);
/* What is written next is of this time; NULL: goes on with the heading. Errors
 * as for etm_cli_merged_source(). */
int etm_cli_merged_at(struct etm_cli_merged *merged,
                      const struct etm_clock_time *time);

/* Write it all, also what came before an error. `status`: the exit status up to
 * now; returns that from now on, after a message. */
int etm_cli_merged_end(struct etm_cli_merged *merged, int status);

#endif
