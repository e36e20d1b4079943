/* SPDX-License-Identifier: Apache-2.0 */
/* The code of functions of which something ran: all instructions, also those
 * that never did. */
#ifndef ETM_CLI_CODE_H
#define ETM_CLI_CODE_H

#include "cli/executed.h"

/* Read the instruction at an address, of the set that the mapping symbols tell
 * or else `isa`; false: there is none. */
bool etm_cli_code_read(const struct etm_cli_replay *replay, uint32_t address,
                       enum etm_isa isa, struct etm_element *element);

/* Add the code of the function that row *i of what was executed is in; *i is
 * then the next row behind it. `code` has no index. ETM_OK or ETM_ERR_MEMORY.
 */
int etm_cli_code_function(const struct etm_cli_replay *replay,
                          const struct etm_cli_executed *executed, size_t *i,
                          struct etm_cli_executed *code);

/* Add the code of a function without a symbol: what ran from its address on, up
 * to the next one, and what is between. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_code_nameless(const struct etm_cli_replay *replay,
                          const struct etm_cli_executed *executed,
                          uint32_t address, struct etm_cli_executed *code);

#endif
