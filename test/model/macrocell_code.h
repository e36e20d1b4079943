/* SPDX-License-Identifier: Apache-2.0 */
/* Code and registers that the tests of what is traced share. */
#ifndef TEST_MODEL_MACROCELL_CODE_H
#define TEST_MODEL_MACROCELL_CODE_H

#include "macrocell_util.h"

#define NOP 0xe1a00000u
#define LDR 0xe5910000u
#define STR 0xe5810000u
#define MCR 0xee010f10u
#define LDM 0xe8910007u /* r0, r1, r2 */
#define ISB 0xf57ff06fu
#define WFI 0xe320f003u
#define SMC 0xe1600070u

static struct cell cell;

static const struct etm_config v30 = {.protocol = ETM_PROTOCOL_ETMV3};
static const struct etm_config v34 = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 4};
static const struct etm_config v35 = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 5};
static const struct etm_config pft = {
    .protocol = ETM_PROTOCOL_PFT, .minor = 1, .return_stack_implemented = true};

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

static inline struct etm_event b(uint32_t address, uint32_t target)
{
    return after(1, to(arm(address, 0xea000000 | ((target - address - 8) / 4 &
                                                  0xffffff)),
                       place(target, ETM_ISA_ARM)));
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

static inline void range(struct cell *c, unsigned n, uint32_t low,
                         uint32_t high, uint32_t type)
{
    poke(c, ETM_REG_ACVR1 + 2 * n, low);
    poke(c, ETM_REG_ACVR1 + 2 * n + 1, high);
    poke(c, ETM_REG_ACTR1 + 2 * n, type);
    poke(c, ETM_REG_ACTR1 + 2 * n + 1, type);
}

static inline void single(struct cell *c, unsigned n, uint32_t address,
                          uint32_t type)
{
    poke(c, ETM_REG_ACVR1 + n, address);
    poke(c, ETM_REG_ACTR1 + n, type);
}

#define TRACES(c, events, expected)                                            \
    do {                                                                       \
        run(c, events, COUNT(events));                                         \
        finish(c);                                                             \
        assert_string_equal(decode_text(c, events, COUNT(events)), expected);  \
    } while (0)

#endif
