/* SPDX-License-Identifier: Apache-2.0 */
/* Register values, one or two of them, and the versions that there are. */
#ifndef ETM_TEST_REGS_CONFIG_UTIL_H
#define ETM_TEST_REGS_CONFIG_UTIL_H

#include "../support/test.h"
#include "regs/regs.h"

#define IDR_OF(major, minor)                                                   \
    (UINT32_C(0x41000000) | (uint32_t)(major) << 8 | (uint32_t)(minor) << 4)

static inline struct etm_register reg(const char *name, uint64_t value)
{
    struct etm_register r = {.number = ETM_REGISTER_NONE, .value = value};

    snprintf(r.name, sizeof r.name, "%s", name);
    return r;
}

static inline int make(struct etm_config *config, enum etm_protocol protocol,
                       const char *name1, uint64_t value1, const char *name2,
                       uint64_t value2, struct etm_diag *diag)
{
    struct etm_register r[2] = {reg(name1, value1), reg(name2, value2)};

    return etm_config_from_registers(config, protocol, r, 2, diag);
}

struct version {
    enum etm_protocol protocol;
    unsigned major, minor;
};

static const struct version versions[] = {
    {ETM_PROTOCOL_ETMV1, 0, 0}, {ETM_PROTOCOL_ETMV1, 0, 1},
    {ETM_PROTOCOL_ETMV1, 0, 2}, {ETM_PROTOCOL_ETMV1, 0, 3},
    {ETM_PROTOCOL_ETMV2, 1, 0}, {ETM_PROTOCOL_ETMV2, 1, 1},
    {ETM_PROTOCOL_ETMV3, 2, 0}, {ETM_PROTOCOL_ETMV3, 2, 1},
    {ETM_PROTOCOL_ETMV3, 2, 2}, {ETM_PROTOCOL_ETMV3, 2, 3},
    {ETM_PROTOCOL_ETMV3, 2, 4}, {ETM_PROTOCOL_ETMV3, 2, 5},
    {ETM_PROTOCOL_PFT, 3, 0},   {ETM_PROTOCOL_PFT, 3, 1},
};

#endif
