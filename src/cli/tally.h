/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of `etm decode --stats`, and adding them up. */
#ifndef ETM_CLI_TALLY_H
#define ETM_CLI_TALLY_H

#include "cli/rows.h"

/* Lines, each with its number at the end; zero-initialise it. */
struct etm_cli_tally {
    struct etm_cli_tally_line *lines; /* `n` of them; there is room for half as
                                         many as there are in the index */
    uint32_t *index; /* by hash: 0, or the number of a line from 1; NULL: the
                        lines are in order */
    size_t n, room;  /* `room` is that of the index: 0 or a power of two */
    struct etm_cli_tally_texts *texts;
    char *end; /* of the current text, where `left` bytes are free */
    size_t left;
    bool full; /* a number would be more than 2^64 - 1 */
};

/* Add `n` to the number of a line; `text` is what precedes the number, which
 * stays at 2^64 - 1 once it has reached it. False: out of memory. */
bool etm_cli_tally_add(struct etm_cli_tally *tally, const char *text,
                       uint64_t n);

/* Print all lines, in the order of their bytes; no more may be added. False:
 * out of memory. `end`: after the number. */
bool etm_cli_tally_print(struct etm_cli_tally *tally, const char *end,
                         struct etm_cli_output *output);
void etm_cli_tally_free(struct etm_cli_tally *tally);

/* A fast table of executions by place, up to a number of them; then they are
 * moved to a compact one. */
struct etm_cli_near {
    struct etm_cli_count *counts; /* `n` of them; there is room for half as
                                     many as there are in the index */
    uint32_t *index; /* by hash: 0, or the number of a count from 1 */
    size_t n, room;  /* `room` is that of the index: 0 or a power of two */
    size_t most;     /* a power of two; 0: ETM_CLI_NEAR */
};
#define ETM_CLI_NEAR ((size_t)1 << 19)

/* Counts of a source's elements; zero-initialise it. */
#define ETM_CLI_WHATS 8u
#define ETM_CLI_KINDS 64u
#define ETM_CLI_IRQS 512u
struct etm_cli_stats {
    uint64_t plain[ETM_CLI_WHATS][ETM_CLI_KINDS]; /* those without a place */
    uint64_t *irqs; /* exceptions by number; NULL: none */
    struct etm_cli_near near;
    struct etm_counts *blocks; /* executions by place; NULL: none */
    bool failed;               /* out of memory */
};

void etm_cli_stats_add(struct etm_cli_stats *stats,
                       const struct etm_element *elements, size_t n);

/* Count the executions of a range (an etm_count_fn; its context is the stats),
 * and the cycles of counted ranges. */
int etm_cli_stats_count(void *stats, const struct etm_count *count);
void etm_cli_stats_cycles(struct etm_cli_stats *stats, uint64_t n);

/* Add other counts. */
void etm_cli_stats_merge(struct etm_cli_stats *stats,
                         const struct etm_cli_stats *others);

/* Empty the fast table. */
void etm_cli_stats_pack(struct etm_cli_stats *stats);

/* Empty the fast table, and use as little memory as possible. False: out of
 * memory. */
bool etm_cli_stats_squeeze(struct etm_cli_stats *stats);

/* The size of the fast table in bytes; and keep its rows in an array of that
 * size, where nothing more may be added. False: out of memory. The table itself
 * becomes *table, and is empty. */
size_t etm_cli_stats_bytes(const struct etm_cli_stats *stats);
bool etm_cli_stats_keep(struct etm_cli_stats *stats,
                        struct etm_cli_near *table);

/* Remove all counts, and free the memory. */
void etm_cli_stats_free(struct etm_cli_stats *stats);

/* Move the counts into a tally, and those by place into rows, where all are of
 * source 0; `text`: as text, not JSON Lines. False: out of memory. */
bool etm_cli_stats_report(struct etm_cli_stats *stats, unsigned id, bool text,
                          struct etm_cli_tally *tally,
                          struct etm_cli_rows *rows);

/* The line of a place (an etm_cli_row_fn). */
char *etm_cli_stats_row(void *context, unsigned id, size_t source,
                        const struct etm_count *row, char *text);

/* The line of a place in text for people (an etm_cli_row_fn). */
char *etm_cli_stats_text(void *context, unsigned id, size_t source,
                         const struct etm_count *row, char *text);

#endif
