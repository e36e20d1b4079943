/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the program that options name. */
#include "cli/cli.h"

#include <etm/program.h>

bool etm_cli_variable(const struct etm_session *session, const char *name,
                      uint32_t *address, uint32_t *size)
{
    const char *path;
    uint64_t value;
    uint32_t bytes = 0;
    bool found = etm_cli_number(name, UINT32_MAX, &value);

    if (found)
        *address = (uint32_t)value;
    for (size_t i = 0;
         !found && (path = etm_session_code_file(session, i)) != NULL; i++) {
        struct etm_symbols *symbols;
        struct etm_diag diag;

        if (etm_symbols_open(&symbols, path, NULL, &diag) != ETM_OK)
            continue;
        found = etm_symbols_variable(symbols, name, address, &bytes) == ETM_OK;
        etm_symbols_free(symbols);
    }
    if (size)
        *size = bytes;
    return found;
}

int etm_cli_variable_check(const struct etm_cli_options *options,
                           const struct etm_session *session)
{
    const char *name = options->view.task_variable;
    uint32_t address;

    if (!name || etm_cli_variable(session, name, &address, NULL))
        return ETM_EXIT_OK;
    etm_cli_error("--task-variable %s: no program of the capture has such a "
                  "variable",
                  etm_cli_word(name));
    return ETM_EXIT_UNREADABLE;
}
