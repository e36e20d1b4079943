/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ETM_INPUT_BYPASS_H
#define ETM_INPUT_BYPASS_H

#include <etm/config.h>
#include <etm/status.h>

/*
 * 1 if byte `at` of the `n` stands within a packet of a source of ETMv3 or PFT
 * that has them all, 0 if it does not or it is not known; ETM_ERR_MEMORY.
 */
int etm_bypass_within(const struct etm_config *config, const uint8_t *bytes,
                      size_t n, size_t at,
                      const struct etm_allocator *allocator);

#endif
