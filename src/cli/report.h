/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm report: a page that shows what the other commands tell, with the data in
 * it as JSON.
 *
 *   report.c          what is counted, and the frame of the page
 *   report_source.c   the JSON of a source: what it is, its time line, costs
 *   report_code.c     the code of functions, and how often it ran
 *   report_coverage.c what ran of the program
 *   report/           the page itself; embed.py makes report_page.c of it
 */
#ifndef ETM_CLI_REPORT_H
#define ETM_CLI_REPORT_H

#include "cli/calls_tree.h"
#include "cli/counting.h"
#include "cli/exceptions.h"
#include "cli/slices.h"
#include "cli/timeline.h"

#define ETM_CLI_REPORT_GAPS 8u

struct etm_cli_report_gap {
    uint32_t name; /* of etm_cli_timeline_name(); 0: not used */
    uint64_t n, total;
};

/* What values of a variable stand for, as far as there is room; `last` is the
 * one that was looked up last. */
#define ETM_CLI_REPORT_TEXTS 64u
struct etm_cli_report_texts {
    unsigned n, last;
    double values[ETM_CLI_REPORT_TEXTS];
    uint32_t names[ETM_CLI_REPORT_TEXTS];
};

struct etm_cli_report {
    struct etm_cli_timeline timeline; /* what draws takes this for its state */
    struct etm_cli_slices slices;
    struct etm_cli_report_texts texts[ETM_CLI_DRAWN_VARIABLES];
    uint32_t tracks[ETM_CLI_TRACKS]; /* their names; 0: it is not used */
    struct etm_cli_report_gap gaps[ETM_CLI_REPORT_GAPS];
    uint64_t gap_since;
    uint64_t triggers;
    uint64_t bytes;                  /* of the stream of the source */
    struct etm_cli_exceptions costs; /* of functions and exceptions */
    struct etm_cli_tree tree;
    struct etm_cli_counting counting;
    struct etm_gaps gaps_of_code; /* in which more may have run */
    size_t insns;                 /* whose code was written */
    bool any;                     /* a source was written */
};

/* The page up to its data, and behind them: report_page.c. */
extern const unsigned char etm_cli_report_before[], etm_cli_report_after[];
extern const size_t etm_cli_report_before_size, etm_cli_report_after_size;

/* report_source.c: the members of the object of a source, at its end. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_cli_report_source(struct etm_cli_replay *replay);

/* report_code.c, report_coverage.c: "code" and "coverage" of that object.
 * ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_report_code(struct etm_cli_replay *replay);
int etm_cli_report_coverage(struct etm_cli_replay *replay);

#endif
