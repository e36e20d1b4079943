/* SPDX-License-Identifier: Apache-2.0 */
/* What commands that decode have in common: the part of a source that was asked
 * for, what of it could not be decoded, and how far they are. */
#ifndef ETM_CLI_PASS_H
#define ETM_CLI_PASS_H

#include "cli/damage.h"
#include "cli/part.h"

/* The first member of what the run has for its context. Zero-initialise it. */
struct etm_cli_pass {
    struct etm_cli_part part;
    struct etm_cli_damage damage; /* of the current source */
    struct etm_cli_progress progress;
    struct etm_cli_silent silent;
    bool ended; /* at the end of the part, before that of the capture */
};

/* The part of source number i of those that were chosen. An exit status; the
 * message is printed. */
int etm_cli_pass_find(struct etm_cli_pass *pass,
                      const struct etm_cli_options *options,
                      const struct etm_cli_capture *capture, size_t i);

/* A run begins: which part it is of, and its progress. */
void etm_cli_pass_begin(struct etm_cli_pass *pass, struct etm_session_run *run);

/* How many of the elements come before the end of the part; their damage is
 * counted. */
size_t etm_cli_pass_take(struct etm_cli_pass *pass,
                         const struct etm_element *elements, size_t n);

/* The status of taking them: after the end of the part there is nothing. */
static inline int etm_cli_pass_taken(const struct etm_cli_pass *pass,
                                     int status)
{
    return status == ETM_OK && pass->ended ? ETM_ERR_STOPPED : status;
}

/* Run a source, unless nothing of it was asked for. Errors as for
 * etm_session_run_source(); the end of the part is none. */
int etm_cli_pass_run(struct etm_cli_pass *pass,
                     const struct etm_session *session, size_t source,
                     const struct etm_session_run *run, struct etm_diag *diag);

/* It was decoded: tell what was damaged, and where the part has no end. */
void etm_cli_pass_tell(struct etm_cli_pass *pass,
                       const struct etm_cli_options *options,
                       const struct etm_session *session, size_t source);

#endif
