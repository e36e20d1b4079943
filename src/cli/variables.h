/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm variables: values of variables by data trace.
 *
 *   variables.c        which scalars a transfer is of, and what is known of
 * them variables_list.c   --watch: a line for each variables_sum.c    else: a
 * line for each variable known.c            bytes of memory value.c their
 * meaning programs.c         the variables of the programs
 */
#ifndef ETM_CLI_VARIABLES_H
#define ETM_CLI_VARIABLES_H

#include "cli/known.h"
#include "cli/value.h"
#include "cli/watch.h"

/* A transfer, as far as it is of one scalar. */
struct etm_cli_sight {
    struct etm_call_cost at; /* what came before it in the source */
    uint64_t offset;
    uint64_t raw;     /* the bytes of the scalar after it; unknown ones are 0 */
    uint32_t address; /* by which the scalar is found, */
    uint16_t n;       /* and its number there */
    uint8_t known;    /* its bytes of which the value is known, from bit 0 */
    uint8_t size;     /* of the transfer */
    uint8_t store;    /* enum etm_tri */
    bool big;         /* the byte at the lowest address is the first of them */
    bool made_up;     /* nothing is known of a variable there */
    bool by_comparator; /* of a DWT, which is in `address` */
    bool insn_known;
    uint32_t insn;
};

/* Transfers of a source. */
struct etm_cli_transfers {
    uint64_t all, shown, elsewhere, without_address, without_value;
};

struct etm_cli_sum;

struct etm_cli_variables {
    struct etm_cli_watch watch;
    struct etm_cli_programs *programs;
    struct etm_cli_known known;
    struct etm_cli_transfers transfers;
    struct etm_clock *clock; /* NULL: there are no timestamps */
    bool headed;             /* CSV: the first line is written */
    struct etm_cli_sum *sum;
    int status;
};

/* One form of the output. Functions return a status. */
struct etm_cli_variables_form {
    void (*head)(struct etm_cli_replay *replay); /* of a source */
    int (*sight)(struct etm_cli_replay *replay,
                 const struct etm_cli_sight *sight,
                 const struct etm_clock_time *time);
    void (*end)(struct etm_cli_replay *replay);
};

/* The scalar of a sight, as a copy; its size is that of the sight, if the
 * program does not tell it. */
void etm_cli_sight_scalar(struct etm_cli_replay *replay,
                          const struct etm_cli_sight *sight,
                          struct etm_scalar *scalar);

/* Is the whole value known? */
static inline bool etm_cli_sight_is_whole(const struct etm_cli_sight *sight,
                                          const struct etm_scalar *scalar)
{
    return scalar->size != 0 && sight->known == (1u << scalar->size) - 1;
}

/* "write", "read", "" (not known) */
static inline const char *etm_cli_sight_access(const struct etm_cli_sight *s)
{
    return s->store == ETM_TRUE ? "write" : s->store == ETM_FALSE ? "read" : "";
}

/* "data trace: addresses and values"; what is missing, and what follows. */
const char *etm_cli_variables_traced(const struct etm_cli_replay *replay);

/* The text of a field of CSV, which begins behind a comma; NULL: empty. */
void etm_cli_csv_text(struct etm_cli_output *output, const char *text);

/* variables_list.c, variables_sum.c: by format. */
const struct etm_cli_variables_form *etm_cli_variables_list(const char *format);
const struct etm_cli_variables_form *etm_cli_variables_sum(const char *format);
void etm_cli_variables_sum_free(struct etm_cli_variables *variables);

#endif
