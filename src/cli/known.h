/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of memory, by the transfers that a trace has shown. */
#ifndef ETM_CLI_KNOWN_H
#define ETM_CLI_KNOWN_H

#include <stddef.h>
#include <stdint.h>

struct etm_cli_known_page;

/* Zero-initialise it. */
struct etm_cli_known {
    struct etm_cli_known_page *pages; /* by a hash of their address */
    size_t n, room;
    uint32_t gaps; /* what was known before the last one is not any more */
};

/* These n bytes, at most 8, are there; NULL: it is not known what. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_cli_known_set(struct etm_cli_known *known, uint32_t address,
                      const uint8_t *bytes, unsigned n);

/* Nothing is known any more. */
void etm_cli_known_forget(struct etm_cli_known *known);

/* Which of n bytes, at most 8, are known: bit 0 for the first one. Others are
 * 0. */
unsigned etm_cli_known_get(const struct etm_cli_known *known, uint32_t address,
                           uint8_t *bytes, unsigned n);

void etm_cli_known_free(struct etm_cli_known *known);

#endif
