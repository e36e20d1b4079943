/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of PFT and ETMv3, cut plainly. */
#ifndef TEST_PLAIN_PLAIN_PACKETS_H
#define TEST_PLAIN_PLAIN_PACKETS_H

#include <etm/packet.h>

struct plain_packets {
    struct etm_packet *all; /* to be freed by the caller */
    size_t n, capacity;
};

/*
 * The packets of a whole stream. Nothing of src/proto is used. A stretch
 * without synchronization is one packet.
 */
void plain_packets(const struct etm_config *config, const uint8_t *bytes,
                   size_t n, struct plain_packets *out);

#endif
