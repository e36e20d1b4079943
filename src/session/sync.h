/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizations in the bytes of a stream: where a decoder can begin, and
 * from where on it knows everything it needs. */
#ifndef ETM_SESSION_SYNC_H
#define ETM_SESSION_SYNC_H

#include "session/protocols.h"

struct etm_sync {
    const struct etm_config *config; /* borrowed */
    const struct etm_protocol_row *row;
    struct etm_vec packets; /* of one look */
    size_t near;            /* a synchronization is expected within this many
                               bytes */

    /* What was found: indexes. */
    size_t begin;
    size_t known;
};

enum etm_sync_look {
    ETM_SYNC_NONE, /* none begins before `begin`, which may be the end */
    ETM_SYNC_MORE, /* one begins there, but more bytes are needed */
    ETM_SYNC_FOUND /* and at `known` everything is known */
};

void etm_sync_init(struct etm_sync *sync, const struct etm_config *config,
                   const struct etm_allocator *allocator);
void etm_sync_fini(struct etm_sync *sync);

/* Does a decoder know everything it needs at a synchronization? Otherwise only
 * some bytes later: in ETMv1 and ETMv2 full data addresses have a counter of
 * their own (6.5.6). */
bool etm_sync_is_whole(const struct etm_config *config);

/* Look in bytes[from] to bytes[n - 1]. ETMv1, ETMv2: a record begins at
 * `from`. */
enum etm_sync_look etm_sync_find(struct etm_sync *sync, const uint8_t *bytes,
                                 size_t from, size_t n);

/* An A-sync at whose packet decoding can begin: none of its zeros is in the
 * packet before (doc/errata.md, E-441). */
static inline bool etm_sync_is_a_sync(const struct etm_packet *packet)
{
    return packet->kind == ETM_PACKET_A_SYNC && packet->size >= 6;
}

#endif
