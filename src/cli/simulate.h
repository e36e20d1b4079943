/* SPDX-License-Identifier: Apache-2.0 */
/* A program that ran on a macrocell, for `etm explain --simulate`. */
#ifndef ETM_CLI_SIMULATE_H
#define ETM_CLI_SIMULATE_H

#include "cli/explain.h"
#include "emulate/emulate.h"

#include <etm/decode.h>

/* Counts of a function's instructions. */
struct etm_cli_function {
    uint32_t address;
    const char *name; /* NULL: code without a name */
    uint64_t executed, traced;
};

struct etm_cli_simulation {
    struct etm_cli_explain *explain;
    struct etm_macrocell *macrocell;
    struct etm_decoder *decoder;
    struct etm_image *image;
    struct etm_setup setup;
    struct etm_diag diag;

    struct etm_cli_function *functions; /* by address */
    size_t n_functions, capacity;
    struct etm_cli_function *last_function;
    uint32_t last_low, last_high; /* where that one is */
    uint32_t place;               /* of the last instruction */

    struct etm_run_result result;
    uint64_t executed; /* instructions, without those that were cancelled */
    uint64_t traced, traced_data, bytes, overflows;
    uint64_t lost; /* bytes of trace that could not be used */
    bool triggered, overflow;
    uint32_t trigger_place;
    uint64_t trigger_cycle;
    uint64_t out_rises[4];
    uint8_t ext_out;
};

/* explain_summary.c */
void etm_cli_summary_text(const struct etm_cli_simulation *s,
                          struct etm_cli_output *out);
void etm_cli_summary_jsonl(const struct etm_cli_simulation *s,
                           struct etm_cli_output *out);

#endif
