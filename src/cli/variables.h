/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm variables: values of variables by data trace.
 *
 *   sights.c           which scalars a transfer is of, and what is known of
 * them variables.c        the view variables_list.c   --watch: a line for each
 * sight variables_sum.c    else: a line for each variable known.c bytes of
 * memory value.c            their meaning programs.c         the variables of
 * the programs
 */
#ifndef ETM_CLI_VARIABLES_H
#define ETM_CLI_VARIABLES_H

#include "cli/sights.h"

struct etm_cli_sum;

struct etm_cli_variables {
    struct etm_cli_sights sights;
    struct etm_clock *clock; /* NULL: there are no timestamps */
    bool headed;             /* CSV: the first line is written */
    struct etm_cli_sum *sum;
};

/* One form of the output. Functions return a status. */
struct etm_cli_variables_form {
    void (*head)(struct etm_cli_replay *replay); /* of a source */
    int (*sight)(struct etm_cli_replay *replay,
                 const struct etm_cli_sight *sight,
                 const struct etm_clock_time *time);
    void (*end)(struct etm_cli_replay *replay);
};

/* "data trace: addresses and values"; what is missing, and what follows. */
const char *etm_cli_variables_traced(const struct etm_cli_replay *replay);

/* The text of a field of CSV, which begins behind a comma; NULL: empty. */
void etm_cli_csv_text(struct etm_cli_output *output, const char *text);

/* variables_list.c, variables_sum.c: by format. */
const struct etm_cli_variables_form *etm_cli_variables_list(const char *format);
const struct etm_cli_variables_form *etm_cli_variables_sum(const char *format);
void etm_cli_variables_sum_free(struct etm_cli_variables *variables);

#endif
