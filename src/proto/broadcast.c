/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the packets of a stream have said so far, for every protocol: the
 * addresses that compressed ones are relative to, and the state that a packet
 * leaves out (ETM architecture 7.3.5, 7.4.2; PFT architecture 4.5.4).
 */
#include "proto/broadcast.h"
#include "proto/timestamp.h"

#include "proto/itm.h"

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
    etm_broadcast_address(b, packet->address, packet->address_bits,
                          (enum etm_isa)packet->isa);
    drop_reserved(b, config, packet);
}

/* Its information byte has only AltIS (PFT architecture 4.5). */
static void apply_waypoint_update(struct etm_broadcast *b,
                                  const struct etm_packet *packet)
{
    if ((packet->fields & ETM_FIELD_EXCEPTION_0) != 0)
        b->alt_isa = (packet->fields & ETM_FIELD_ALT_ISA) != 0;
    etm_broadcast_address(b, packet->address, packet->address_bits,
                          (enum etm_isa)packet->isa);
}

/* After an I-sync with a load or store in progress the second address is the
 * last one broadcast; it is compressed against the first. */
static void apply_i_sync(struct etm_broadcast *b,
                         const struct etm_config *config,
                         const struct etm_packet *packet)
{
    etm_broadcast_i_sync(b, packet);
    if (packet->kind == ETM_PACKET_LSIP_I_SYNC)
        etm_broadcast_address(b, packet->address2, packet->address2_bits,
                              (enum etm_isa)packet->isa2);
    drop_reserved(b, config, packet);
}

/* Data addresses have a base of their own and no alignment (ETM architecture
 * 7.4.2). The BE bit stays until the next address of five bytes. */
static void apply_data_address(struct etm_broadcast *b,
                               const struct etm_packet *packet)
{
    if ((packet->fields & ETM_FIELD_ADDRESS) == 0)
        return;
    b->data_address = etm_broadcast_low(b->data_address, packet->address,
                                        packet->address_bits, 0);
    if (packet->address_bits == 32) {
        b->be = (packet->fields & ETM_FIELD_BE) != 0;
        b->data_valid = true;
    }
}

/* Low-order bits replace the previous ones, still in the code of the wire (PFT
 * architecture 4.5, Timestamp packet). The last byte of a full timestamp
 * replaces all the rest. */
static void apply_timestamp(struct etm_broadcast *b,
                            const struct etm_config *config,
                            const struct etm_packet *packet)
{
    unsigned bits = packet->value_bytes < etm_timestamp_bytes(config)
                        ? 7u * packet->value_bytes
                        : etm_timestamp_bits(config);
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

/* The low bits of a global timestamp replace those before, and those above are
 * not known while Wrap says that they have changed (ARMv7-M ARM, D4.2.5). */
static void apply_global_timestamp(struct etm_broadcast *b,
                                   const struct etm_packet *packet)
{
    const uint64_t low = (UINT64_C(1) << ETM_ITM_LOW_BITS) - 1;
    unsigned bits = 7u * packet->value_bytes;

    if (packet->kind == ETM_PACKET_GLOBAL_TIMESTAMP_1) {
        uint64_t mask = bits > ETM_ITM_LOW_BITS ? low : (1u << bits) - 1u;

        bits = bits > ETM_ITM_LOW_BITS ? ETM_ITM_LOW_BITS : bits;
        b->timestamp = (b->timestamp & ~mask) | (packet->value & mask);
        if (b->timestamp_bits < bits || packet->tag != 0)
            b->timestamp_bits = (uint8_t)bits;
        return;
    }
    b->timestamp = (b->timestamp & low) | packet->value << ETM_ITM_LOW_BITS;
    if (b->timestamp_bits >= ETM_ITM_LOW_BITS)
        b->timestamp_bits =
            packet->value_bytes == ETM_ITM_HIGH_BYTES_64 ? 64 : 48;
}

static void apply_itm(struct etm_broadcast *b, const struct etm_packet *packet)
{
    if (packet->kind == ETM_PACKET_GLOBAL_TIMESTAMP_1 ||
        packet->kind == ETM_PACKET_GLOBAL_TIMESTAMP_2)
        apply_global_timestamp(b, packet);
    else if (packet->kind == ETM_PACKET_BAD ||
             packet->kind == ETM_PACKET_RESERVED)
        b->timestamp_bits = 0;
}

void etm_broadcast_apply(struct etm_broadcast *broadcast,
                         const struct etm_config *config,
                         const struct etm_packet *packet)
{
    if (config->protocol == ETM_PROTOCOL_ITM) {
        apply_itm(broadcast, packet);
        return;
    }
    if (config->protocol == ETM_PROTOCOL_MTB)
        return; /* its addresses are complete */
    switch (packet->kind) {
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
    }
}

uint64_t etm_timestamp_time(const struct etm_config *config, uint64_t raw)
{
    /* ETMCCER[28] is reserved in PFT v1.0, whose timestamps are Gray code. */
    bool reserved = config->protocol == ETM_PROTOCOL_PFT && config->minor == 0;

    /* that of an ITM is a binary number (ARMv7-M ARM, D4.2.5) */
    if ((config->timestamp_binary && !reserved) ||
        config->protocol == ETM_PROTOCOL_ITM)
        return raw;
    /* Bit n of the time is the exclusive or of bits n and up of the code. */
    for (unsigned shift = 1; shift < 64; shift *= 2)
        raw ^= raw >> shift;
    return raw;
}

bool etm_gap_is_reliable(const struct etm_config *config, unsigned reason)
{
    const unsigned minor = config->minor;

    if (config->protocol == ETM_PROTOCOL_PFT)
        return minor == 0 || reason == ETM_SYNC_TRACE_ON;
    if (config->protocol != ETM_PROTOCOL_ETMV3)
        return false;
    if (reason == ETM_SYNC_OVERFLOW)
        return minor != 0 && minor < 5;
    return reason != ETM_SYNC_DEBUG_EXIT || minor != 0;
}
