/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a timestamp on the wire, in ETMv3.5 and PFT. */
#ifndef ETM_PROTO_TIMESTAMP_H
#define ETM_PROTO_TIMESTAMP_H

#include <etm/config.h>

/* Bytes of a full timestamp: each has seven bits, but the ninth has eight, and
 * of the seventh, if it is the last one, six (ETM architecture v3.5, 7.7.9; PFT
 * architecture 4.3.11). */
static inline unsigned etm_timestamp_bytes(const struct etm_config *config)
{
    return etm_timestamp_bits(config) == 64 ? 9 : 7;
}

#endif
