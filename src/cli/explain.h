/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of `etm explain`. */
#ifndef ETM_CLI_EXPLAIN_H
#define ETM_CLI_EXPLAIN_H

#include "cli/cli.h"
#include "cli/memory.h"

#include <etm/setup.h>

struct etm_cli_explain {
    const char *input;
    const char *core, *version, *elf, *program, *output;
    const char *limit;     /* of a simulation, as given; NULL */
    const char *memory;    /* the last --memory; NULL */
    uint64_t instructions; /* that limit; 0: none */
    const char *format;    /* "text", "jsonl" */

    struct etm_emulator_region *regions; /* of all --memory */
    size_t n_regions;

    struct etm_register *registers;
    size_t n;
    struct etm_setup_listing listing; /* what else is in the file */
    struct etm_macrocell_config macrocell;
    struct etm_config config; /* of the macrocell */
    struct etm_symbols *symbols;
    struct etm_names names;
    struct etm_explain_config explain;
};

int etm_cli_explain_help(void);

/* Print everything; returns an exit status. */
int etm_cli_explain_print(struct etm_cli_explain *e);

/*
 * Run the program on the macrocell and sum up what is traced. An exit status;
 * explain_simulate.c.
 */
int etm_cli_explain_simulate(struct etm_cli_explain *e,
                             struct etm_cli_output *out);

#endif
