/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and source lines for the listings. */
#include "cli/cli.h"

static bool take(struct etm_cli_names *names, int status)
{
    if (status == ETM_ERR_MEMORY)
        names->failed = true;
    return status == ETM_OK;
}

static bool find_symbol(void *context, uint32_t address,
                        struct etm_symbol *symbol)
{
    struct etm_cli_names *names = context;

    return take(names, etm_session_symbol(names->session, names->source,
                                          address, symbol));
}

static bool find_line(void *context, uint32_t address,
                      struct etm_source_line *line)
{
    struct etm_cli_names *names = context;

    return take(names,
                etm_session_line(names->session, names->source, address, line));
}

struct etm_names etm_cli_names_hook(struct etm_cli_names *names)
{
    return (struct etm_names){find_symbol, find_line, names};
}

int etm_cli_names_status(const struct etm_cli_names *names, int status,
                         struct etm_diag *diag)
{
    if (status != ETM_OK || !names->failed)
        return status;
    *diag = (struct etm_diag){.status = ETM_ERR_MEMORY,
                              .line = ETM_DIAG_NONE,
                              .offset = ETM_DIAG_NONE,
                              .address = ETM_DIAG_NONE,
                              .what = "names are missing: out of memory"};
    return ETM_ERR_MEMORY;
}
