/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ETM_INPUT_BYPASS_H
#define ETM_INPUT_BYPASS_H

#include <etm/config.h>
#include <etm/types.h>

/*
 * 1 if byte `at` of `n` bytes of an ETMv3 or PFT source is within a packet, 0
 * if it is not or this is not known; ETM_ERR_MEMORY.
 */
int etm_bypass_within(const struct etm_config *config, const uint8_t *bytes,
                      size_t n, size_t at,
                      const struct etm_allocator *allocator);

#endif
