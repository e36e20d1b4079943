/* SPDX-License-Identifier: Apache-2.0 */
/* A macrocell that has everything, and short ways to feed its resources. */
#ifndef TEST_MODEL_RESOURCES_UTIL_H
#define TEST_MODEL_RESOURCES_UTIL_H

#include "model/resources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ALWAYS 0x0006fu
#define NEVER 0x0406fu

/* ETMACTR: access types, and sizes in [4:3]. */
enum {
    FETCH = 0,
    EXECUTE = 1,
    PASSED = 2,
    FAILED = 3,
    LOAD_STORE = 4,
    LOAD = 5,
    STORE = 6,
    BYTE = 0 << 3,
    HALFWORD = 1 << 3,
    WORD = 3 << 3,
    EQUAL = 1 << 5,
    DIFFERENT = 3 << 5,
    EXACT = 1 << 7
};

static const unsigned all_versions[] = {
    ETM_V1_2, ETM_V1_3, ETM_V2_0, ETM_V2_1, ETM_V3_0,   ETM_V3_1,
    ETM_V3_2, ETM_V3_3, ETM_V3_4, ETM_V3_5, ETM_PFT1_0,
};

struct rig {
    uint32_t value[ETM_REGISTERS];
    struct etm_resources_config config;
    struct etm_resources r;
    struct etm_resource_pins pins;
    struct etm_resource_context context;
    struct etm_resource_outputs out;
    struct etm_resource_owner owner; /* the last instruction */
};

/* Everything is there; traces all instructions and all data. */
static inline void rig_make(struct rig *g, unsigned version)
{
    memset(g, 0, sizeof *g);
    g->config.size = sizeof g->config;
    g->config.version = version;
    g->config.security = version >= ETM_V3_2;
    g->config.counts = (struct etm_resource_counts){
        .sac_pairs = 8,
        .dvcs = 8,
        .mmds = 16,
        .counters = 4,
        .ext_in = 4,
        .ext_out = 4,
        .cidcs = 3,
        .extsels = 4,
        .ext_ext_in = 255,
        .instrumentation = 4,
        .eices = 8,
        .sequencer = true,
        .start_stop = true,
        .start_stop_eice = true,
    };
    g->value[ETM_REG_TECR1] = 1u << 24;
    g->value[ETM_REG_TEEVR] = ALWAYS;
    g->value[ETM_REG_VDCR3] = 1u << 16;
    g->value[ETM_REG_VDEVR] = ALWAYS;
    g->value[ETM_REG_TRIGGER] = NEVER;
    for (unsigned n = 0; n < 4; n++) {
        g->value[ETM_REG_CNTENR1 + n] = NEVER | 1u << 17;
        g->value[ETM_REG_CNTRLDEVR1 + n] = NEVER;
        g->value[ETM_REG_CNTVR1 + n] = 1;
        g->value[ETM_REG_EXTOUTEVR1 + n] = NEVER;
    }
    for (unsigned n = 0; n < 6; n++)
        g->value[ETM_REG_SQ12EVR + n] = NEVER;
}

static inline void rig_run(struct rig *g)
{
    etm_resources_init(&g->r, &g->config);
    etm_resources_program(&g->r, g->value);
    etm_resources_hold(&g->r, ETM_RESOURCES_RUN);
}

/* Comparator n, from 1. */
static inline void sac(struct rig *g, unsigned n, uint32_t address,
                       uint32_t control)
{
    g->value[ETM_REG_ACVR1 + n - 1] = address;
    g->value[ETM_REG_ACTR1 + n - 1] = control;
}

/* Range n, from 1. */
static inline void arc(struct rig *g, unsigned n, uint32_t low, uint32_t high,
                       uint32_t control)
{
    sac(g, 2 * n - 1, low, control);
    sac(g, 2 * n, high, control & ~0x60u);
}

/* Data value comparator n, from 1. */
static inline void dvc(struct rig *g, unsigned n, uint32_t value, uint32_t mask)
{
    g->value[ETM_REG_DCVR1 + 2 * (n - 1)] = value;
    g->value[ETM_REG_DCMR1 + 2 * (n - 1)] = mask;
}

static inline void insn(struct rig *g, uint32_t address)
{
    struct etm_resource_insn i = {
        .address = address, .isa = ETM_ISA_ARM, .size = 4, .passed = true};

    g->owner = etm_resources_insn(&g->r, &i);
}

static inline struct etm_resource_transfer
transfer_of(const struct rig *g, bool store, uint32_t address, unsigned size,
            uint32_t value)
{
    return (struct etm_resource_transfer){.owner = g->owner,
                                          .address = address,
                                          .value = value,
                                          .size = (uint8_t)size,
                                          .store = store};
}

static inline void transfer(struct rig *g, bool store, uint32_t address,
                            unsigned size, uint32_t value)
{
    struct etm_resource_transfer t =
        transfer_of(g, store, address, size, value);

    etm_resources_transfer(&g->r, &t);
}

static inline void cycle(struct rig *g)
{
    etm_resources_cycle(&g->r, false, &g->out);
}

/* A cycle with one instruction: is it traced? */
static inline bool traces(struct rig *g, uint32_t address)
{
    insn(g, address);
    cycle(g);
    return g->out.insns & 1;
}

/* A cycle with one transfer of a word for the last instruction: is it? */
static inline bool views(struct rig *g, uint32_t address)
{
    transfer(g, false, address, 4, 0);
    cycle(g);
    return g->out.view & 1;
}

/* Level of a resource in a cycle, through external output 1. */
static inline void watch(struct rig *g, unsigned resource)
{
    g->value[ETM_REG_EXTOUTEVR1] = resource;
    rig_run(g);
}

static inline bool level(struct rig *g)
{
    cycle(g);
    return g->out.ext_out & 1;
}

/* One transfer in a cycle of its own: does the watched resource match? */
static inline bool hit(struct rig *g, bool store, uint32_t address,
                       unsigned size, uint32_t value)
{
    transfer(g, store, address, size, value);
    return level(g);
}

static inline bool hit_big(struct rig *g, uint32_t address, unsigned size,
                           uint32_t value)
{
    struct etm_resource_transfer t =
        transfer_of(g, false, address, size, value);

    t.big_endian = true;
    etm_resources_transfer(&g->r, &t);
    return level(g);
}

static inline void pins(struct rig *g)
{
    etm_resources_pins(&g->r, &g->pins);
}

static inline void context(struct rig *g)
{
    etm_resources_context(&g->r, &g->context);
}

#endif
