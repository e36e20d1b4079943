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

/* Executions, instruction by instruction (coverage_insns.c); `ranges` is
 * borrowed. Statuses of the library. */
struct etm_cli_insns {
    struct etm_counts *ranges, *conditions;
    struct etm_count open; /* n is 0: none */
};

int etm_cli_insns_begin(struct etm_cli_insns *insns, struct etm_counts *ranges);
int etm_cli_insns_take(struct etm_cli_insns *insns,
                       const struct etm_element *elements, size_t n);
int etm_cli_insns_end(struct etm_cli_insns *insns);
void etm_cli_insns_free(struct etm_cli_insns *insns);

#endif
