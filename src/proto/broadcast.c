/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the packets of a stream have said so far, for every protocol: the
 * addresses that compressed ones are relative to, and the state that a packet
 * leaves out (ETM architecture 7.3.5, 7.4.2; PFT architecture 4.5.4).
 */
#include "base/isa.h"

#include <etm/packet.h>

/* Put the `n` low bits received, shifted, instead of the low bits of `base`;
 * nothing is ever added. `n` of 0 leaves the base. */
static uint32_t replace_low(uint32_t base, uint32_t received, unsigned n,
                            unsigned shift)
{
    uint32_t mask;

    if (n == 0)
        return base;
    if (n + shift >= 32)
        return received << shift;
    mask = ((uint32_t)1 << (n + shift)) - 1;
    return (base & ~mask) | (received << shift & mask);
}

/*
 * The last broadcast instruction set, after a packet that may name one. AltISA
 * distinguishes what the address calls Thumb; without an address of five bytes
 * it applies to the previous instruction set.
 */
static void apply_isa(struct etm_broadcast *b, enum etm_isa named)
{
    enum etm_isa isa = named != ETM_ISA_UNKNOWN ? named : b->isa;

    if (isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE)
        isa = b->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    b->isa = (uint8_t)isa;
}

/*
 * An instruction address, from the bits received. Fewer than five bytes use the
 * instruction set of the last packet that gave one, not that of the program;
 * before the first such packet the position of their bits is not known.
 */
static void apply_address(struct etm_broadcast *b, uint32_t address,
                          unsigned bits, enum etm_isa named)
{
    unsigned shift;

    apply_isa(b, named);
    if (b->isa == ETM_ISA_UNKNOWN)
        return;
    shift = etm_isa_shift(b->isa);
    b->address = replace_low(b->address, address, bits, shift);
    if (bits + shift >= 32)
        b->address_valid = true;
}

/* The security and Hyp state and AltISA of a packet. */
static void apply_exception_bytes(struct etm_broadcast *b,
                                  const struct etm_packet *packet)
{
    if ((packet->fields & ETM_FIELD_EXCEPTION_0) != 0) {
        b->ns = (packet->fields & ETM_FIELD_NS) != 0;
        b->alt_isa = (packet->fields & ETM_FIELD_ALT_ISA) != 0;
    }
    if ((packet->fields & ETM_FIELD_EXCEPTION_1) != 0)
        b->hyp = (packet->fields & ETM_FIELD_HYP) != 0;
}

/* ETMv3: a packet that says AltISA = 1 with an address of ARM or Jazelle state,
 * which is reserved (7.3.5, table 7-11), says nothing about Thumb code to which
 * a packet without the bit leads. */
static void drop_reserved(struct etm_broadcast *b,
                          const struct etm_config *config,
                          const struct etm_packet *packet)
{
    if (config->protocol == ETM_PROTOCOL_ETMV3 &&
        (packet->fields & ETM_FIELD_ALT_ISA) != 0 &&
        (b->isa == ETM_ISA_ARM || b->isa == ETM_ISA_JAZELLE))
        b->alt_isa = false;
}

static void apply_branch(struct etm_broadcast *b,
                         const struct etm_config *config,
                         const struct etm_packet *packet)
{
    apply_exception_bytes(b, packet);
    apply_address(b, packet->address, packet->address_bits,
                  (enum etm_isa)packet->isa);
    drop_reserved(b, config, packet);
}

/* Its information byte has only AltIS (PFT architecture 4.5). */
static void apply_waypoint_update(struct etm_broadcast *b,
                                  const struct etm_packet *packet)
{
    if ((packet->fields & ETM_FIELD_EXCEPTION_0) != 0)
        b->alt_isa = (packet->fields & ETM_FIELD_ALT_ISA) != 0;
    apply_address(b, packet->address, packet->address_bits,
                  (enum etm_isa)packet->isa);
}

/*
 * I-sync: everything is set. A data-only I-sync has no address. After one with
 * a load or store in progress the second address is the last one broadcast; it
 * is compressed against the first.
 */
static void apply_i_sync(struct etm_broadcast *b,
                         const struct etm_config *config,
                         const struct etm_packet *packet)
{
    bool lsip = packet->kind == ETM_PACKET_LSIP_I_SYNC;

    b->valid = true;
    b->ns = (packet->fields & ETM_FIELD_NS) != 0;
    b->alt_isa = (packet->fields & ETM_FIELD_ALT_ISA) != 0;
    b->hyp = (packet->fields & ETM_FIELD_HYP) != 0;
    if ((packet->fields & ETM_FIELD_ADDRESS) != 0) {
        b->address = packet->address;
        b->address_valid = true;
        b->isa = packet->isa;
        apply_isa(b, ETM_ISA_UNKNOWN);
    }
    if (lsip)
        apply_address(b, packet->address2, packet->address2_bits,
                      (enum etm_isa)packet->isa2);
    drop_reserved(b, config, packet);
    if ((packet->fields & ETM_FIELD_CONTEXT_ID) != 0) {
        b->context_id = packet->context_id;
        b->context_id_valid = true;
    }
}

/* Data addresses have a base of their own and no alignment (ETM architecture
 * 7.4.2). The BE bit stays until the next address of five bytes. */
static void apply_data_address(struct etm_broadcast *b,
                               const struct etm_packet *packet)
{
    if ((packet->fields & ETM_FIELD_ADDRESS) == 0)
        return;
    b->data_address =
        replace_low(b->data_address, packet->address, packet->address_bits, 0);
    if (packet->address_bits == 32) {
        b->be = (packet->fields & ETM_FIELD_BE) != 0;
        b->data_valid = true;
    }
}

/* Bits of a full timestamp. v1.0 of PFT and what came before v3.5 of ETM have
 * ETMCCER[29] reserved. */
static unsigned timestamp_width(const struct etm_config *config)
{
    if (config->protocol == ETM_PROTOCOL_PFT && config->minor == 0)
        return 48;
    return config->timestamp_64bit ? 64 : 48;
}

/* Low-order bits replace the previous ones, still in the code of the wire (PFT
 * architecture 4.5, Timestamp packet). The last byte of a full timestamp
 * replaces all the rest. */
static void apply_timestamp(struct etm_broadcast *b,
                            const struct etm_config *config,
                            const struct etm_packet *packet)
{
    unsigned width = timestamp_width(config);
    unsigned full = width == 64 ? 9 : 7;
    unsigned bits =
        packet->value_bytes < full ? 7u * packet->value_bytes : width;
    uint64_t mask;

    mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    b->timestamp = (b->timestamp & ~mask) | (packet->value & mask);
    if (b->timestamp_bits < bits)
        b->timestamp_bits = (uint8_t)bits;
}

/* ETMv3 and PFT: packets were lost here, so that there is no base for
 * compressed addresses and timestamps any more. In the other protocols, full
 * address packets show this.
 */
static void apply_damage(struct etm_broadcast *b,
                         const struct etm_config *config)
{
    if (config->protocol != ETM_PROTOCOL_ETMV3 &&
        config->protocol != ETM_PROTOCOL_PFT)
        return;
    b->valid = b->address_valid = b->data_valid = false;
    b->timestamp_bits = 0;
}

void etm_broadcast_apply(struct etm_broadcast *broadcast,
                         const struct etm_config *config,
                         const struct etm_packet *packet)
{
    switch ((enum etm_packet_kind)packet->kind) {
    case ETM_PACKET_BRANCH_ADDRESS:
        apply_branch(broadcast, config, packet);
        break;
    case ETM_PACKET_WAYPOINT_UPDATE:
        apply_waypoint_update(broadcast, packet);
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        apply_i_sync(broadcast, config, packet);
        break;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_VALUE_NOT_TRACED:
        apply_data_address(broadcast, packet);
        break;
    case ETM_PACKET_CONTEXT_ID:
        broadcast->context_id = packet->context_id;
        broadcast->context_id_valid = true;
        break;
    case ETM_PACKET_VMID:
        broadcast->vmid = (uint8_t)packet->value;
        broadcast->vmid_valid = true;
        break;
    case ETM_PACKET_TIMESTAMP:
        apply_timestamp(broadcast, config, packet);
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        apply_damage(broadcast, config);
        break;
    case ETM_PACKET_A_SYNC:
    case ETM_PACKET_P_HEADER:
    case ETM_PACKET_ATOM:
    case ETM_PACKET_CYCLE_COUNT:
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        break;
    }
}

uint64_t etm_timestamp_time(const struct etm_config *config, uint64_t raw)
{
    /* ETMCCER[28] is reserved in PFT v1.0, whose timestamps are Gray code. */
    bool reserved = config->protocol == ETM_PROTOCOL_PFT && config->minor == 0;

    if (config->timestamp_binary && !reserved)
        return raw;
    /* Bit n of the time is the exclusive or of bits n and up of the code. */
    for (unsigned shift = 1; shift < 64; shift *= 2)
        raw ^= raw >> shift;
    return raw;
}

bool etm_gap_is_reliable(const struct etm_config *config, unsigned reason)
{
    const unsigned minor = config->minor;

    switch (config->protocol) {
    case ETM_PROTOCOL_ETMV3:
        if (reason == ETM_SYNC_OVERFLOW)
            return minor != 0 && minor < 5;
        return reason != ETM_SYNC_DEBUG_EXIT || minor != 0;
    case ETM_PROTOCOL_PFT:
        return minor == 0 || reason == ETM_SYNC_TRACE_ON;
    case ETM_PROTOCOL_NONE:
    case ETM_PROTOCOL_ETMV1:
    case ETM_PROTOCOL_ETMV2:
        break;
    }
    return false;
}
