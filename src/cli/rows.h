/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions of ranges in a whole capture, as lines with a number at their end,
 * in the order of their bytes: what --stats and --coverage print. Large
 * programs have millions of them, so there are no lines before they are
 * printed.
 */
#ifndef ETM_CLI_ROWS_H
#define ETM_CLI_ROWS_H

#include "cli/cli.h"

/* Zero-initialise it. */
struct etm_cli_rows {
    struct etm_cli_rows_group *groups; /* one for each ID */
    size_t n;
};

/* The rows of one more source, or of one that had some before: its ID, which
 * others may have too, and its number in the session. *counts is taken, and
 * NULL then. False when memory is short. */
bool etm_cli_rows_take(struct etm_cli_rows *rows, unsigned id, size_t source,
                       struct etm_counts **counts);

/* Bytes of a line, at the most, without its number. */
#define ETM_CLI_ROW 2560u

/* Puts all of a line before its number to `text`; the end of it is returned.
 * Its source ID and the addresses of the range stand before anything else in
 * which lines differ, in that order. */
typedef char *etm_cli_row_fn(void *context, unsigned id, size_t source,
                             const struct etm_count *row, char *text);

/* All lines; those that are equal become one. False when memory is short. */
bool etm_cli_rows_print(struct etm_cli_rows *rows, etm_cli_row_fn *fn,
                        void *context, struct etm_cli_output *output);
void etm_cli_rows_free(struct etm_cli_rows *rows);

#endif
