/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of code, and how often each ran: at the speed of ranges, what
 * cli/executed.h has of instructions. */
#ifndef ETM_CLI_RANGES_H
#define ETM_CLI_RANGES_H

#include "cli/code.h"

struct etm_cli_range {
    struct etm_element element; /* ETM_ELEMENT_RANGE, of the first time */
    uint64_t n, passed, failed; /* passed, failed: its last instruction */
};

/* Zero-initialise it. */
struct etm_cli_ranges {
    struct etm_cli_range *rows;
    size_t n, room;
    uint32_t *index; /* row + 1, by a hash of start and end; or 0 */
    size_t n_index;
    struct etm_cli_executed insns; /* of elements that are instructions */
};

/* Count what is code of n elements. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_ranges_count(struct etm_cli_ranges *ranges,
                         const struct etm_element *elements, size_t n);

/* The instructions of all, ordered by address; without cycles. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_cli_ranges_insns(struct etm_cli_ranges *ranges,
                         const struct etm_cli_replay *replay);

void etm_cli_ranges_free(struct etm_cli_ranges *ranges);

#endif
