/* SPDX-License-Identifier: Apache-2.0 */
/* A macrocell that has everything, and short ways to its registers. */
#ifndef TEST_MODEL_REGISTERS_UTIL_H
#define TEST_MODEL_REGISTERS_UTIL_H

#include "../support/test.h"
#include "full.h"

#include "model/registers.h"

#define KEY 0xc5acce55u

/* All versions, in order. */
static const unsigned versions[] = {
    ETM_V1_0, ETM_V1_1, ETM_V1_2, ETM_V1_3, ETM_V2_0, ETM_V2_1,   ETM_V3_0,
    ETM_V3_1, ETM_V3_2, ETM_V3_3, ETM_V3_4, ETM_V3_5, ETM_PFT1_0, ETM_PFT1_1};

/* One macrocell at a time. */
static struct etm_regfile regs;
static struct etm_config trace;
static struct etm_macrocell_config config;
static enum etm_access usual; /* how peek() and poke() go */

/* The configuration of a full macrocell, to be changed before build(). */
static inline void full(unsigned version)
{
    bool pft = version >= ETM_PFT1_0;

    trace = (struct etm_config){0};
    trace.protocol =
        (enum etm_protocol)((version >> 4) - 1 + (unsigned)ETM_PROTOCOL_ETMV1);
    trace.minor = (uint8_t)(version & 15);
    trace.security = version >= ETM_V3_2;
    trace.virtualization = version >= ETM_V3_5 && version != ETM_PFT1_0;
    trace.return_stack_implemented = pft;
    cell_full(&config, &trace);
    config.fifo_size = 0;
    config.scr = version >= ETM_V3_0 ? 0x7104 : 0x1fa;
    usual = version >= ETM_V3_2 ? ETM_ACCESS_DEBUGGER : ETM_ACCESS_JTAG;
}

static inline void build(void)
{
    assert_int_equal(etm_regfile_init(&regs, &config, NULL), ETM_OK);
}

static inline void build_full(unsigned version)
{
    full(version);
    build();
}

static inline uint32_t peek_as(enum etm_access access, uint32_t number)
{
    uint32_t value = 0xdeadbeef;

    assert_int_equal(etm_regfile_read(&regs, number, access, &value),
                     ETM_ACCESS_OK);
    return value;
}

static inline void poke_as(enum etm_access access, uint32_t number,
                           uint32_t value)
{
    assert_int_equal(etm_regfile_write(&regs, number, access, value),
                     ETM_ACCESS_OK);
}

static inline uint32_t peek(uint32_t number)
{
    return peek_as(usual, number);
}

static inline void poke(uint32_t number, uint32_t value)
{
    poke_as(usual, number, value);
}

/* Write, and say what comes back. */
static inline uint32_t after(uint32_t number, uint32_t value)
{
    poke(number, value);
    return peek(number);
}

static inline bool exists(uint32_t n)
{
    return (regs.flags[n] & ETM_REG_EXISTS) != 0;
}

#endif
