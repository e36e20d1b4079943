/* SPDX-License-Identifier: Apache-2.0 */
/* Code and registers that the tests of what is traced share. */
#ifndef TEST_MODEL_MACROCELL_CODE_H
#define TEST_MODEL_MACROCELL_CODE_H

#include "macrocell_util.h"

#define NOP 0xe1a00000u
#define LDR 0xe5910000u

static struct cell cell;

static const struct etm_config v30 = {.protocol = ETM_PROTOCOL_ETMV3};
static const struct etm_config v34 = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 4};

static inline struct etm_event nop(uint32_t address)
{
    return after(1, arm(address, NOP));
}

/* Instructions one after the other. */
static inline size_t straight(struct etm_event *events, uint32_t from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        events[i] = nop(from + 4 * (uint32_t)i);
    return n;
}

/* The macrocell after cell_begin() and changes, in its programming state. */
static inline struct cell *make(const struct etm_config *trace)
{
    cell_begin(&cell, trace);
    cell_make(&cell);
    program_begin(&cell);
    program_nothing(&cell);
    return &cell;
}

#endif
