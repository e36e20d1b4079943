/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes, of which many are packets of some configuration. */
#ifndef ETM_TEST_ANY_BYTES_H
#define ETM_TEST_ANY_BYTES_H

#include "../support/random.h"

#include <etm/config.h>

#include <stddef.h>

/* All that makes a difference to packets, whether there is such a macrocell or
 * not. */
static inline struct etm_config any_config(enum etm_protocol protocol,
                                           struct random *r)
{
    static const uint8_t sizes[] = {0, 1, 2, 4}, pins[] = {0, 4, 8, 16};
    uint32_t bits = (uint32_t)random_next(r);

    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = protocol,
                               .profile = (enum etm_profile)(bits & 3),
                               .minor = (uint8_t)random_below(
                                   r, protocol == ETM_PROTOCOL_ETMV3 ? 6 : 2),
                               .context_id_bytes = sizes[bits >> 2 & 3],
                               .port_width = pins[bits >> 4 & 3],
                               .cycle_accurate = (bits & 64) != 0,
                               .data_value = (bits & 128) != 0,
                               .data_address = (bits & 256) != 0,
                               .cprt = (bits & 512) != 0,
                               .data_only = (bits >> 10 & 7) == 0,
                               .alternative_branches = (bits & 8192) != 0,
                               .timestamp_64bit = (bits & 16384) != 0,
                               .virtualization = (bits & 32768) != 0};
}

/* Headers of ETMv3 and PFT and what may follow them, with A-syncs. */
static inline void any_bytes(uint8_t *bytes, size_t n, struct random *r)
{
    static const uint8_t headers[] = {
        0x04, 0x08, 0x08, 0x0c, 0x20, 0x22, 0x2e, 0x3c, 0x42, 0x46, 0x50, 0x5c,
        0x60, 0x62, 0x66, 0x6a, 0x6e, 0x70, 0x70, 0x72, 0x74, 0x76, 0x7a, 0x7e};

    for (size_t at = 0; at < n;) {
        uint32_t dice = random_below(r, 16);
        uint32_t zeros = dice == 0 ? 3 + random_below(r, 6) : 0;

        for (; zeros != 0 && at + 1 < n; zeros--)
            bytes[at++] = 0;
        bytes[at++] = dice == 0   ? 0x80
                      : dice < 5  ? (uint8_t)(random_next(r) | 1)
                      : dice < 8  ? headers[random_below(r, sizeof headers)]
                      : dice < 12 ? (uint8_t)(0x80 | random_below(r, 32) << 2)
                                  : (uint8_t)random_next(r);
    }
}

#endif
