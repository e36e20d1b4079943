/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stream of an ETMv1 or an ETMv2: one record for each cycle of the trace
 * port (ETM architecture 4.3.1), in bytes, so that it is handled like all
 * streams. It is also the compact binary form of a capture.
 *
 *     byte 0   [3:0] PIPESTAT (ETMv1: [2:0])   [7] TRACESYNC (ETMv1)
 *     byte 1   TRACEPKT[7:0]  ([3:0] on a port of 4 pins)
 *     byte 2   TRACEPKT[15:8] on a port of 16 pins, else not there
 */
#ifndef ETM_PROTO_SAMPLE_H
#define ETM_PROTO_SAMPLE_H

#include <etm/config.h>

#define ETM_SAMPLE_SYNC 0x80u /* byte 0: TRACESYNC */
#define ETM_SAMPLE_STATUS 0x0fu
#define ETM_SAMPLE_MAX 3u

/* Pins of TRACEPKT. */
static inline unsigned etm_sample_width(const struct etm_config *config)
{
    return config->port_width == 0 ? 8u : config->port_width;
}

/* Bytes of a record. */
static inline unsigned etm_sample_size(const struct etm_config *config)
{
    return etm_sample_width(config) > 8 ? 3u : 2u;
}

#endif
