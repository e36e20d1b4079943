/* SPDX-License-Identifier: Apache-2.0 */
/* How addresses and timestamps are completed from those before, for the packets
 * of all protocols (ETM architecture 7.4.2, PFT architecture 4.5.4). */
#ifndef ETM_PROTO_BROADCAST_H
#define ETM_PROTO_BROADCAST_H

#include "base/isa.h"

#include <etm/packet.h>

/*
 * What the stream has broadcast so far: the state from which compressed
 * addresses, and what else a packet leaves out, are completed (ETM architecture
 * 7.3.5, table 7-13; PFT decompression: LastState). Initialise it with zeros.
 */
struct etm_broadcast {
    uint32_t address; /* last instruction address */
    uint8_t isa;      /* enum etm_isa; ETM_ISA_UNKNOWN before the first */
    bool ns, alt_isa, hyp;
    bool valid;             /* an I-sync has been seen */
    bool address_valid;     /* an I-sync or an address of five bytes has been
                               seen */
    bool data_valid;        /* a five-byte data address has been seen */
    bool be;                /* BE bit of the last five-byte data address */
    uint32_t data_address;  /* last data address */
    uint64_t timestamp;     /* raw bits of the last timestamp */
    uint8_t timestamp_bits; /* how many of them are known, from bit 0 */
    uint32_t context_id;
    uint8_t vmid;
    bool context_id_valid, vmid_valid;
};

/*
 * Apply one packet. Afterwards `address` (`data_address` for data packets,
 * `timestamp` for timestamps) is the complete value that the packet stands for.
 * A packet without such fields changes nothing; but after an ETMv3 or PFT
 * packet that shows a damaged stream (`bad`, `reserved`, `unsynchronized`),
 * addresses and timestamps are unknown until they are traced in full.
 */
void etm_broadcast_apply(struct etm_broadcast *broadcast,
                         const struct etm_config *config,
                         const struct etm_packet *packet);

/* Put the `n` low bits received, shifted, instead of the low bits of `base`;
 * nothing is ever added. `n` of 0 leaves the base. */
static inline uint32_t etm_broadcast_low(uint32_t base, uint32_t received,
                                         unsigned n, unsigned shift)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << (n + shift)) - 1);

    return n == 0 ? base : (base & ~mask) | (received << shift & mask);
}

/*
 * The last broadcast instruction set, after a packet that may name one. AltISA
 * distinguishes what the address calls Thumb; without an address of five bytes
 * it applies to the previous instruction set.
 */
static inline void etm_broadcast_isa(struct etm_broadcast *b,
                                     enum etm_isa named)
{
    enum etm_isa isa = named != ETM_ISA_UNKNOWN ? named : (enum etm_isa)b->isa;

    if (isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE)
        isa = b->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    b->isa = (uint8_t)isa;
}

/*
 * An instruction address, from the bits received. Fewer than five bytes use the
 * instruction set of the last packet that gave one, not that of the program;
 * before the first such packet the position of their bits is not known.
 */
static inline void etm_broadcast_address(struct etm_broadcast *b,
                                         uint32_t address, unsigned bits,
                                         enum etm_isa named)
{
    unsigned shift;

    etm_broadcast_isa(b, named);
    if (b->isa == ETM_ISA_UNKNOWN)
        return;
    shift = etm_isa_shift((enum etm_isa)b->isa);
    b->address = etm_broadcast_low(b->address, address, bits, shift);
    b->address_valid |= bits + shift >= 32;
}

/* I-sync: everything is set. A data-only one has no address. */
static inline void etm_broadcast_i_sync(struct etm_broadcast *b,
                                        const struct etm_packet *packet)
{
    b->valid = true;
    b->ns = (packet->fields & ETM_FIELD_NS) != 0;
    b->alt_isa = (packet->fields & ETM_FIELD_ALT_ISA) != 0;
    b->hyp = (packet->fields & ETM_FIELD_HYP) != 0;
    if ((packet->fields & ETM_FIELD_ADDRESS) != 0) {
        b->address = packet->address;
        b->address_valid = true;
        b->isa = packet->isa;
        etm_broadcast_isa(b, ETM_ISA_UNKNOWN);
    }
    if ((packet->fields & ETM_FIELD_CONTEXT_ID) != 0) {
        b->context_id = packet->context_id;
        b->context_id_valid = true;
    }
}

#endif
