/* SPDX-License-Identifier: Apache-2.0 */
/* Where decoding of an ETMv1 can begin. */
#ifndef ETM_PROTO_ETMV1_FULL_H
#define ETM_PROTO_ETMV1_FULL_H

#include <etm/packet.h>

/*
 * Finds full branch addresses of an ETMv1 (ETM architecture 5.5.4, 5.6) in the
 * packets alone, without code: decoding can begin at the records of their
 * branches. An address that may belong to another branch is skipped. Initialise
 * it with zeros; the fields up to `bytes` are private.
 */
#define ETM_FULL_ADDRESS_WINDOW 64u

struct etm_full_address_record {
    uint64_t offset, stream;
    uint16_t pins;
    uint8_t status;
    bool sync, behind_td;
};

struct etm_full_address {
    struct etm_full_address_record records[ETM_FULL_ADDRESS_WINDOW];
    struct etm_full_address_record status;
    uint8_t first, n;
    bool has_status, behind_td;
    uint64_t bytes; /* of all packets so far */

    /* The last address found. */
    uint64_t offset; /* of the packet of the branch's status */
    uint64_t stream; /* bytes of the packets before that one */
    uint32_t address;
    uint32_t context_id; /* 0 if not known */
    uint8_t isa;         /* enum etm_isa */
    uint8_t reason;      /* enum etm_sync_reason */
    bool context_id_known;
};

/* Take the next packet, in stream order. Returns true if an address was
 * found. */
bool etm_full_address_apply(struct etm_full_address *full,
                            const struct etm_config *config,
                            const struct etm_packet *packet);

#endif
