/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: what follows the header of a packet; branch packets are in
 * etmv3_branch.c, data packets in etmv3_data.c. */
#include "proto/etmv3.h"

/* 7.3.4: up to five bytes; of the fifth only bits [3:0] count, and none
 * follows. */
static void cycle_count(struct etm_cursor *c, struct etm_packet *p)
{
    unsigned n = 0;
    uint8_t byte;

    do {
        byte = etm_cursor_u8(c);
        p->cycle_count |= (byte & 0x7Fu) << (7 * n++);
    } while ((byte & ETM_ETMV3_MORE) != 0 && n < 5);
    p->cycle_bytes = (uint8_t)n;
    p->fields |= ETM_FIELD_CYCLES;
}

/* 7.3.6 */
static void context_id(const struct etm_etmv3_decoder *d, struct etm_cursor *c,
                       struct etm_packet *p)
{
    if (d->config.context_id_bytes == 0)
        return;
    p->context_id = (uint32_t)etm_cursor_le(c, d->config.context_id_bytes);
    p->fields |= ETM_FIELD_CONTEXT_ID;
}

/*
 * 7.7.3, LSiP: the address of the current instruction in the form of a branch
 * packet. The deprecated form of an exception is not used in it.
 */
static bool second_address(const struct etm_etmv3_decoder *d,
                           struct etm_cursor *c, struct etm_packet *p)
{
    struct etm_packet second = {0};
    uint8_t first = etm_cursor_u8(c);

    if ((first & 0x01) == 0)
        return etm_etmv3_offends(c);
    if (!etm_etmv3_branch(d, first, c, &second))
        return false;
    if ((second.fields & ETM_FIELD_DEPRECATED) != 0)
        return etm_etmv3_offends(c);
    if ((second.fields & ETM_FIELD_EXCEPTION_0) != 0)
        p->fields &= (uint16_t) ~(ETM_FIELD_NS | ETM_FIELD_ALT_ISA);
    if ((second.fields & ETM_FIELD_EXCEPTION_1) != 0)
        p->fields &= (uint16_t)~ETM_FIELD_HYP;
    p->fields |= second.fields;
    p->exception = second.exception;
    p->resume = second.resume;
    p->address2 = second.address;
    p->address2_bits = second.address_bits;
    p->address2_bytes = second.address_bytes;
    p->isa2 = second.isa;
    return true;
}

/*
 * 7.7.3: all five forms. Bit 0 of the information byte is always 1 (7.11.2); it
 * is the only way to recognize a false I-sync.
 */
static bool i_sync(const struct etm_etmv3_decoder *d, struct etm_cursor *c,
                   struct etm_packet *p)
{
    unsigned fields;

    if (p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT)
        cycle_count(c, p);
    context_id(d, c, p);
    p->info = etm_cursor_u8(c);
    if ((p->info & 0x01) == 0)
        return etm_etmv3_offends(c);
    fields = ((p->info & 0x08) != 0 ? ETM_FIELD_NS : 0u) |
             ((p->info & 0x02) != 0 ? ETM_FIELD_HYP : 0u);
    if ((p->info & 0x04) != 0 && !d->data_only)
        fields |= ETM_FIELD_ALT_ISA;
    p->fields |= (uint16_t)(fields & d->state_fields);
    p->reason = p->info >> 5 & 0x03u;
    if (d->data_only)
        return true;
    /* LSiP is only where tracing starts */
    if ((p->info & 0x80) != 0 && p->reason == ETM_SYNC_PERIODIC)
        return etm_etmv3_offends(c);

    p->address = (uint32_t)etm_cursor_le(c, 4);
    p->address_bytes = 4;
    p->address_bits = 32;
    p->fields |= ETM_FIELD_ADDRESS;
    if ((p->info & 0x10) != 0) {
        p->isa = ETM_ISA_JAZELLE; /* bit 0 is an address bit then */
    } else {
        p->isa = (p->address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
        if (p->isa == ETM_ISA_THUMB &&
            (fields & d->state_fields & ETM_FIELD_ALT_ISA) != 0)
            p->isa = ETM_ISA_THUMBEE;
        p->address &= ~UINT32_C(1);
    }
    if ((p->info & 0x80) == 0)
        return true;
    p->kind = ETM_PACKET_LSIP_I_SYNC;
    return second_address(d, c, p);
}

/* Version 3.5: 7 bits a byte, at most 48 or 64 bits in 7 or 9 bytes. */
static void timestamp(const struct etm_etmv3_decoder *d, struct etm_cursor *c,
                      struct etm_packet *p)
{
    unsigned last = d->config.timestamp_64bit ? 9 : 7;
    unsigned n = 0;
    uint8_t byte;

    do {
        byte = etm_cursor_u8(c);
        if (++n == last) {
            unsigned mask = last == 9 ? 0xFFu : 0x3Fu;

            p->value |= (uint64_t)(byte & mask) << (7 * (n - 1));
            break;
        }
        p->value |= (uint64_t)(byte & 0x7Fu) << (7 * (n - 1));
    } while ((byte & ETM_ETMV3_MORE) != 0);
    p->value_bytes = (uint8_t)n;
    if ((p->header & 0x04) != 0)
        p->fields |= ETM_FIELD_R;
}

bool etm_etmv3_payload(const struct etm_etmv3_decoder *d, struct etm_cursor *c,
                       struct etm_packet *p)
{
    switch ((enum etm_packet_kind)p->kind) {
    case ETM_PACKET_BRANCH_ADDRESS:
        return etm_etmv3_branch(d, p->header, c, p);
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
        return i_sync(d, c, p);
    case ETM_PACKET_CYCLE_COUNT:
        cycle_count(c, p);
        return true;
    case ETM_PACKET_CONTEXT_ID:
        context_id(d, c, p);
        return true;
    case ETM_PACKET_VMID:
        p->value = etm_cursor_u8(c);
        p->value_bytes = 1;
        return true;
    case ETM_PACKET_TIMESTAMP:
        timestamp(d, c, p);
        return true;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
        return etm_etmv3_data(d, c, p);
    case ETM_PACKET_RESERVED:
        return false;
    case ETM_PACKET_P_HEADER:
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
        return true;
    case ETM_PACKET_UNSYNCHRONIZED: /* the table of headers has none of these */
    case ETM_PACKET_BAD:
    case ETM_PACKET_LSIP_I_SYNC:
    case ETM_PACKET_A_SYNC: /* counted, not parsed: see zeros() */
    case ETM_PACKET_ATOM:
    case ETM_PACKET_WAYPOINT_UPDATE:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        break;
    }
    return false;
}

unsigned etm_etmv3_quick_sync(const struct etm_etmv3_decoder *d,
                              const uint8_t *at, uint64_t offset,
                              struct etm_packet *p)
{
    const uint8_t *next = at + 1;
    uint32_t cycles = 0, id = 0, address;
    unsigned kind = d->headers[*at].kind, n = 0, isa, fields;

    if ((kind != ETM_PACKET_I_SYNC && kind != ETM_PACKET_I_SYNC_CYCLE_COUNT) ||
        d->data_only)
        return 0;
    fields = ETM_FIELD_ADDRESS;
    if (kind == ETM_PACKET_I_SYNC_CYCLE_COUNT) {
        fields |= ETM_FIELD_CYCLES;
        do
            cycles |= (*next & 0x7Fu) << (7 * n++);
        while ((*next++ & ETM_ETMV3_MORE) != 0 && n < 5);
    }
    for (unsigned i = 0; i < d->config.context_id_bytes; i++)
        id |= (uint32_t)*next++ << (8 * i);
    if (d->config.context_id_bytes != 0)
        fields |= ETM_FIELD_CONTEXT_ID;
    if ((next[0] & 0x95) != 0x01)
        return 0;
    fields |= ((next[0] & 0x08) != 0 ? ETM_FIELD_NS & d->state_fields : 0u) |
              ((next[0] & 0x02) != 0 ? ETM_FIELD_HYP & d->state_fields : 0u);
    address = next[1] | (uint32_t)next[2] << 8 | (uint32_t)next[3] << 16 |
              (uint32_t)next[4] << 24;
    isa = (address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    *p = (struct etm_packet){.offset = offset,
                             .size = (uint32_t)(next + 5 - at),
                             .address = address & ~UINT32_C(1),
                             .context_id = id,
                             .cycle_count = cycles,
                             .fields = (uint16_t)fields,
                             .kind = (uint8_t)kind,
                             .header = *at,
                             .address_bits = 32,
                             .address_bytes = 4,
                             .isa = (uint8_t)isa,
                             .reason = next[0] >> 5 & 0x03u,
                             .info = next[0],
                             .cycle_bytes = (uint8_t)n};
    return p->size;
}
