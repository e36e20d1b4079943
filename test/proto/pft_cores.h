/* SPDX-License-Identifier: Apache-2.0 */
/* PFT of cores whose captures there are. */
#ifndef ETM_TEST_PFT_CORES_H
#define ETM_TEST_PFT_CORES_H

#include <etm/config.h>

/* Cycle-accurate Cortex-A9 and Cortex-A15, and a Cortex-A15 that is not. */
static const struct etm_config a9 = {
    .protocol = ETM_PROTOCOL_PFT, .cycle_accurate = true, .timestamps = true};
static const struct etm_config a15 = {.protocol = ETM_PROTOCOL_PFT,
                                      .minor = 1,
                                      .cycle_accurate = true,
                                      .timestamps = true,
                                      .virtualization = true,
                                      .timestamp_binary = true,
                                      .timestamp_64bit = true};
static const struct etm_config flow = {.protocol = ETM_PROTOCOL_PFT,
                                       .minor = 1,
                                       .return_stack = true,
                                       .virtualization = true};

#endif
