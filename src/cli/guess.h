/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of a raw file told, as options that say it. */
#ifndef ETM_CLI_GUESS_H
#define ETM_CLI_GUESS_H

#include "cli/cli.h"

struct etm_cli_guessed {
    char text[256]; /* options, each after a blank */
};

/* Add the options for a protocol, unless it is ETM_PROTOCOL_NONE, and for
 * registers. */
void etm_cli_guess_options(struct etm_cli_guessed *guessed,
                           enum etm_protocol protocol,
                           const struct etm_register *registers, size_t n);

/* Report what was not given, and is taken as the bytes of the chosen sources
 * look: in one line if they agree. */
void etm_cli_guess_tell(const struct etm_cli_capture *capture,
                        const struct etm_cli_options *options);

#endif
