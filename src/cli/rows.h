/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions of ranges in a whole capture, as lines with a number at the end,
 * in the order of their bytes: the output of --stats and of etm coverage. Large
 * programs have millions of them, so lines are only made when they are printed.
 */
#ifndef ETM_CLI_ROWS_H
#define ETM_CLI_ROWS_H

#include "cli/cli.h"

/* Zero-initialise it. */
struct etm_cli_rows {
    struct etm_cli_rows_group *groups; /* one for each ID */
    size_t n;
};

/* Add rows of a source, which may have some already: its ID, which others may
 * have, too, and its number in the session. Takes *counts, and sets it to NULL.
 * False: out of memory. */
bool etm_cli_rows_take(struct etm_cli_rows *rows, unsigned id, size_t source,
                       struct etm_counts **counts);

/* Maximum number of bytes of a line without its number. */
#define ETM_CLI_ROW 12800u

/* Writes a line up to its number to `text`; returns its end. The source ID and
 * the addresses of the range must come before anything else in which lines
 * differ, in this order. */
typedef char *etm_cli_row_fn(void *context, unsigned id, size_t source,
                             const struct etm_count *row, char *text);

/* What comes after the number of a line, as JSON Lines. */
#define ETM_CLI_JSONL_END "}\n"

/* Print all lines; equal ones become one. `end`: after the number. False: out
 * of memory. */
bool etm_cli_rows_print(struct etm_cli_rows *rows, etm_cli_row_fn *fn,
                        void *context, const char *end,
                        struct etm_cli_output *output);
void etm_cli_rows_free(struct etm_cli_rows *rows);

#endif
