/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and source lines for the listings. */
#include "cli/cli.h"

static bool find_symbol(void *context, uint32_t address,
                        struct etm_symbol *symbol)
{
    const struct etm_cli_names *names = context;

    return etm_session_symbol(names->session, names->source, address, symbol) ==
           ETM_OK;
}

static bool find_line(void *context, uint32_t address,
                      struct etm_source_line *line)
{
    const struct etm_cli_names *names = context;

    return etm_session_line(names->session, names->source, address, line) ==
           ETM_OK;
}

struct etm_names etm_cli_names_hook(struct etm_cli_names *names)
{
    return (struct etm_names){find_symbol, find_line, names};
}
