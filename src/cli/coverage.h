/* SPDX-License-Identifier: Apache-2.0 */
/* etm coverage. */
#ifndef ETM_CLI_COVERAGE_H
#define ETM_CLI_COVERAGE_H

#include "cli/tally.h"

int etm_cli_coverage(const struct etm_cli_options *options,
                     struct etm_cli_output *output);

/*
 * What is said of functions, branches, lines and gaps, as JSON Lines
 * (covered.c). Zero-initialise it. Lines of ranges come between the two
 * tallies, in the order of bytes.
 */
struct etm_cli_covered {
    struct etm_cli_tally before, after;
};

/* A status of the library. */
int etm_cli_covered_add(struct etm_cli_covered *covered,
                        const struct etm_listing_source *source,
                        const struct etm_counts *counts);
/* False: out of memory. */
bool etm_cli_covered_print(struct etm_cli_covered *covered, bool after,
                           struct etm_cli_output *output);
void etm_cli_covered_free(struct etm_cli_covered *covered);

#endif
