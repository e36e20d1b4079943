/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of a source, by address: how often they ran, and their cycles.
 */
#ifndef ETM_CLI_EXECUTED_H
#define ETM_CLI_EXECUTED_H

#include "cli/view.h"

struct etm_cli_executed_row {
    struct etm_element element; /* ETM_ELEMENT_INSN, of the first time */
    struct etm_call_cost cost;
    uint64_t passed, failed;     /* its condition, as far as that is known */
    struct etm_source_line line; /* by etm_cli_executed_lines() */
};

/* Zero-initialise it. */
struct etm_cli_executed {
    struct etm_cli_executed_row *rows;
    size_t n, room;
    uint32_t *index; /* row + 1, by a hash of the address; or 0 */
    size_t n_index;
};

/* The row of an instruction, which is new if none has its address; NULL: out of
 * memory. */
struct etm_cli_executed_row *
etm_cli_executed_row(struct etm_cli_executed *executed,
                     const struct etm_element *insn);

/* Count what is an instruction of n elements. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_executed_count(struct etm_cli_executed *executed,
                           const struct etm_element *elements, size_t n);

/* Order them by address; nothing may be counted afterwards. */
void etm_cli_executed_order(struct etm_cli_executed *executed);

/* Find their source lines; `file` is "[unknown]" where there is none. */
void etm_cli_executed_lines(struct etm_cli_executed *executed,
                            const struct etm_names *names);

void etm_cli_executed_free(struct etm_cli_executed *executed);

#endif
