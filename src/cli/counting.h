/* SPDX-License-Identifier: Apache-2.0 */
/* How often code was executed, by its elements, which are ranges or
 * instructions. */
#ifndef ETM_CLI_COUNTING_H
#define ETM_CLI_COUNTING_H

#include "cli/cli.h"

struct etm_cli_counting {
    struct etm_counts *ranges;
    struct etm_counts *conditions; /* of struct etm_listing_source; NULL: the
                                      elements are ranges */
    struct etm_count open;         /* n is 0: none */
};

/* Statuses of the library. After an error, too, it is to be freed. */
int etm_cli_counting_begin(struct etm_cli_counting *counting, bool insns);
int etm_cli_counting_take(struct etm_cli_counting *counting,
                          const struct etm_element *elements, size_t n);
int etm_cli_counting_end(struct etm_cli_counting *counting);

/* Accepts one that is zero. */
void etm_cli_counting_free(struct etm_cli_counting *counting);

#endif
