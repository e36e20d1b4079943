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

/* The first gaps of a source (coverage_gaps.c), one more than are shown. */
#define ETM_CLI_GAPS 9u
struct etm_cli_gap {
    uint64_t offset;
    uint32_t from,
        to;         /* the last instruction before, and the first one after */
    uint8_t kind;   /* enum etm_element_kind */
    uint8_t reason; /* as in that element */
    bool from_known, to_known;
};

/* Zero-initialise it. */
struct etm_cli_gaps {
    struct etm_cli_gap gaps[ETM_CLI_GAPS];
    size_t n;
};

void etm_cli_gaps_note(struct etm_cli_gaps *gaps,
                       const struct etm_element *elements, size_t n);
void etm_cli_gaps_join(struct etm_cli_gaps *gaps,
                       const struct etm_cli_gaps *later);

/* A line for each, with the code around it, and how many more there are. */
void etm_cli_gaps_print(struct etm_cli_gaps *gaps, const struct etm_gaps *sums,
                        const struct etm_session_names *named,
                        struct etm_cli_output *output);

#endif
