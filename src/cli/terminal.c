/* SPDX-License-Identifier: Apache-2.0 */
/* What is different on a terminal: colours, and the pager. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum etm_cli_colour choice;

void etm_cli_colour_choose(enum etm_cli_colour colour)
{
    choice = colour;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");

    return !term || *term == '\0' || strcmp(term, "dumb") == 0;
}

/* On a terminal, unless NO_COLOR has a value. */
static bool colours(bool terminal)
{
    const char *no_color = getenv("NO_COLOR");

    if (choice != ETM_CLI_AUTO)
        return choice == ETM_CLI_ALWAYS;
    return terminal && !is_dumb() && !(no_color && *no_color != '\0');
}

bool etm_cli_colours(const struct etm_cli_output *output)
{
    return colours(output->terminal);
}

bool etm_cli_error_colours(void)
{
    return isatty(STDERR_FILENO) && colours(true);
}
