/* SPDX-License-Identifier: Apache-2.0 */
/* What a macrocell can say in an I-sync (ETM architecture 7.7.3; PFT
 * architecture 4.5, I-sync). */
#ifndef ETM_PROTO_I_SYNC_H
#define ETM_PROTO_I_SYNC_H

#include <etm/packet.h>

/* An I-sync in any of its forms. */
static inline bool etm_is_i_sync(const struct etm_packet *packet)
{
    return packet->kind == ETM_PACKET_I_SYNC ||
           packet->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
           packet->kind == ETM_PACKET_LSIP_I_SYNC;
}

/* Are the information byte and the address of an I-sync, of any form, such that
 * a macrocell sends them? */
bool etm_i_sync_is_possible(const struct etm_config *config,
                            const struct etm_packet *packet);

/*
 * Can a stream that begins with this packet be decoded from there on, without
 * an A-sync before it (doc/errata.md, E-610)? It is an I-sync that is possible,
 * and not a periodic one.
 */
bool etm_i_sync_begins(const struct etm_config *config,
                       const struct etm_packet *packet);

#endif
