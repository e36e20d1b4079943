/* SPDX-License-Identifier: Apache-2.0 */
/* A request, the registers it comes to, and the resources that run them. */
#ifndef TEST_SETUP_RIG_H
#define TEST_SETUP_RIG_H

#include "../support/core.h"
#include "../support/test.h"
#include "model.h"

/* Matches of executed instructions. */
#define AT(address)                                                            \
    {                                                                          \
        .from = (address)                                                      \
    }
#define RANGE(first, last)                                                     \
    {                                                                          \
        .range = true, .from = (first), .to = (last)                           \
    }

struct rig {
    struct etm_macrocell_config macrocell;
    struct etm_config config;
    struct etm_request request;
    struct etm_setup setup;
    struct etm_notes notes;
    struct etm_diag diag;
    struct etm_resources resources;
};

static inline void rig_make(struct rig *g, const char *core,
                            const char *version)
{
    memset(g, 0, sizeof *g);
    assert_int_equal(etm_core_macrocell(core_named(core), version,
                                        &g->macrocell, &g->config, &g->diag),
                     ETM_OK);
}

static inline int rig_ask(struct rig *g)
{
    return etm_configure(&g->setup, &g->request, &g->macrocell, &g->notes,
                         &g->diag);
}

static inline void rig_configure(struct rig *g)
{
    int status = rig_ask(g);

    if (status != ETM_OK)
        print_message("%s\n", g->diag.what);
    assert_int_equal(status, ETM_OK);
}

static inline bool rig_noted(const struct rig *g, const char *words)
{
    for (size_t i = 0; i < g->notes.n; i++)
        if (strstr(g->notes.text[i], words))
            return true;
    return false;
}

/* Configure, programme the macrocell without a mistake, and give its registers
   to the resources. */
static inline void rig_run(struct rig *g)
{
    int status;

    rig_configure(g);
    status = model_program(&g->setup, &g->macrocell, &g->resources, &g->diag);
    if (status != ETM_OK)
        fail_msg("%s: %s", g->diag.source, g->diag.what);
}

/* A cycle with one instruction. */
static inline struct etm_resource_outputs rig_insn(struct rig *g,
                                                   uint32_t address)
{
    struct etm_resource_insn insn = {
        .address = address, .isa = ETM_ISA_ARM, .size = 4, .passed = true};
    struct etm_resource_outputs out;

    (void)etm_resources_insn(&g->resources, &insn);
    etm_resources_cycle(&g->resources, false, &out);
    return out;
}

static inline bool rig_traced(struct rig *g, uint32_t address)
{
    return rig_insn(g, address).insns & 1u;
}

/* A cycle with an instruction at 0x4000 and its transfer: bit 0 says that the
   instruction is traced, bit 1 that the transfer is. */
static inline struct etm_resource_outputs
rig_transfer(struct rig *g, uint32_t address, unsigned size, uint32_t value,
             bool store)
{
    struct etm_resource_insn insn = {
        .address = 0x4000, .isa = ETM_ISA_ARM, .size = 4, .passed = true};
    struct etm_resource_transfer t = {.address = address,
                                      .value = value,
                                      .size = (uint8_t)size,
                                      .store = store};
    struct etm_resource_outputs out;

    t.owner = etm_resources_insn(&g->resources, &insn);
    etm_resources_transfer(&g->resources, &t);
    etm_resources_cycle(&g->resources, false, &out);
    return out;
}

static inline bool rig_viewed(struct rig *g, uint32_t address, unsigned size,
                              uint32_t value, bool store)
{
    return rig_transfer(g, address, size, value, store).view & 1u;
}

#endif
