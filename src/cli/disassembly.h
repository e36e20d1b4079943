/* SPDX-License-Identifier: Apache-2.0 */
/* Single instructions as text, as a listing has them. */
#ifndef ETM_CLI_DISASSEMBLY_H
#define ETM_CLI_DISASSEMBLY_H

#include "cli/view.h"

struct etm_cli_disassembly {
    struct etm_listing *listing;
    char line[4096]; /* that is being written */
    size_t n;
    char text[4096]; /* of the instruction */
};

/* For the current source of a replay; its address must stay the same. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_cli_disassembly_begin(struct etm_cli_disassembly *disassembly,
                              const struct etm_cli_replay *replay);

/* The columns of an instruction, behind that of the offset; valid up to the
 * next one. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_disassembly_of(struct etm_cli_disassembly *disassembly,
                           const struct etm_element *insn, const char **text);

/* Accepts one that is zero, or did not begin. */
void etm_cli_disassembly_end(struct etm_cli_disassembly *disassembly);

#endif
