/* SPDX-License-Identifier: Apache-2.0 */
/* etm top: what a source does at the moment, and has done so far. */
#ifndef ETM_CLI_TOP_H
#define ETM_CLI_TOP_H

#include "cli/damage.h"
#include "cli/demangle.h"

#include <etm/program.h>

/* A function, an exception, or what is no function. */
struct etm_cli_top_row {
    char *name; /* NULL: the address */
    uint32_t address;
    uint64_t all, now; /* instructions, cycles or samples; exceptions */
    uint64_t calls;    /* of a function: its first instruction ran */
};

struct etm_cli_top_rows {
    struct etm_cli_top_row *rows;
    size_t n, room;
};

/* top_count.c */
#define ETM_CLI_TOP_KNOWN 4096u
struct etm_cli_top {
    struct etm_names names;
    bool samples; /* of the program counter, as of an ITM; else */
    bool cycles;  /* these are counted, or instructions */
    struct etm_cli_top_rows functions, exceptions;
    /* functions by a hash of their address: 0, or the number of a row from 1;
     * index_room is 0 or a power of two, at least twice the number of rows */
    uint32_t *index;
    size_t index_room;
    uint64_t all, now; /* in the unit */
    uint64_t sleeping, sleeping_now;
    struct etm_cli_damage damage;
    uint64_t lost_before; /* places when the last frame was shown */
    /* the row, and 1, of addresses at which code began */
    struct {
        uint32_t address, row;
        bool entry;
    } known[ETM_CLI_TOP_KNOWN];
};

/* ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_top_count(struct etm_cli_top *top,
                      const struct etm_element *elements, size_t n);
/* Places at which something is missing. */
uint64_t etm_cli_top_lost(const struct etm_cli_top *top);
/* A frame was shown: nothing has happened since. */
void etm_cli_top_next(struct etm_cli_top *top);
void etm_cli_top_free(struct etm_cli_top *top);

/* top_show.c */
struct etm_cli_top_frame {
    struct etm_cli_output *output;
    const struct etm_source_info *info;
    struct etm_cli_demangler *demangler;
    uint64_t number; /* from 1, of the source */
    size_t most;     /* rows */
    bool end, jsonl, in_place;
};

/* Write what was counted. ETM_OK, ETM_ERR_MEMORY or ETM_ERR_STOPPED. */
int etm_cli_top_show(struct etm_cli_top *top,
                     const struct etm_cli_top_frame *frame);

#endif
