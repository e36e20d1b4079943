/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsing a PFT packet from its bytes, of which ETM_PFT_WINDOW can be read,
 * whatever the packet is. Only for the loop of pft_decode.c: frequent packets
 * are parsed inline, rare ones are not.
 */
#ifndef ETM_PROTO_PFT_PAYLOAD_H
#define ETM_PROTO_PFT_PAYLOAD_H

#include "proto/pft.h"

static inline unsigned etm_pft_parse_count(const uint8_t *p,
                                           struct etm_packet *k)
{
    unsigned n = etm_pft_count(p, &k->cycle_count);

    k->cycle_bytes = (uint8_t)n;
    k->fields |= ETM_FIELD_CYCLES;
    return n;
}

/*
 * Address bytes (4.5.4; 4.5, Waypoint update packet).
 * *e is bit [6] of the last of two to five bytes: an information byte follows.
 * A fifth byte that names no instruction set leaves address_bits 0.
 */
static inline unsigned etm_pft_parse_address(const uint8_t *p,
                                             struct etm_packet *k, bool *e)
{
    uint32_t address = p[0] >> 1 & 0x3f;
    unsigned bits = 6;
    unsigned n = 1;

    *e = false;
    if ((p[0] & 0x80) != 0) {
        while ((p[n] & 0x80) != 0 && n < 4) {
            address |= (uint32_t)(p[n++] & 0x7f) << bits;
            bits += 7;
        }
        *e = (p[n] & 0x40) != 0;
        if (n < 4) {
            address |= (uint32_t)(p[n] & 0x3f) << bits;
            bits += 6;
        } else if ((p[n] & 0x20) != 0) { /* 0E1aaaaa */
            address |= (uint32_t)(p[n] & 0x1f) << bits;
            bits = 32;
            k->isa = ETM_ISA_JAZELLE;
        } else if ((p[n] & 0x10) != 0) { /* 0E01aaaa */
            address |= (uint32_t)(p[n] & 0x0f) << bits;
            bits = 31;
            k->isa = ETM_ISA_THUMB;
        } else if ((p[n] & 0x08) != 0) { /* 0E001aaa */
            address |= (uint32_t)(p[n] & 0x07) << bits;
            bits = 30;
            k->isa = ETM_ISA_ARM;
        } else { /* 0E000xxx is reserved */
            bits = 0;
        }
        n++;
    }
    k->address = address;
    k->address_bits = (uint8_t)bits;
    k->address_bytes = (uint8_t)n;
    k->fields |= ETM_FIELD_ADDRESS;
    return n;
}

/* Exception information bytes (4.5.4). Bit [5] of byte 0, which cancels in
 * ETMv3, has no meaning here. */
static inline unsigned etm_pft_parse_exception(const struct etm_pft_format *f,
                                               const uint8_t *p,
                                               struct etm_packet *k)
{
    unsigned fields = k->fields | ETM_FIELD_EXCEPTION_0;
    unsigned n = 1;

    k->info = p[0];
    k->exception = p[0] >> 1 & 0x0f;
    if ((p[0] & 0x01) != 0)
        fields |= ETM_FIELD_NS;
    if ((p[0] & 0x40) != 0)
        fields |= ETM_FIELD_ALT_ISA;
    if ((p[0] & 0x80) != 0) {
        fields |= ETM_FIELD_EXCEPTION_1;
        k->exception |= (uint16_t)((p[1] & 0x1f) << 4);
        if (f->hyp && (p[1] & 0x20) != 0)
            fields |= ETM_FIELD_HYP;
        n++;
    }
    k->fields = (uint16_t)fields;
    return n;
}

static inline unsigned etm_pft_parse_branch(const struct etm_pft_format *f,
                                            const uint8_t *p,
                                            struct etm_packet *k)
{
    bool e;
    unsigned n = etm_pft_parse_address(p, k, &e);

    if (k->address_bits == 0) {
        k->kind = ETM_PACKET_BAD;
        return n - 1; /* what broke it may be the first zero of an A-sync */
    }
    k->kind = ETM_PACKET_BRANCH_ADDRESS;
    if (e)
        n += etm_pft_parse_exception(f, p + n, k);
    if (f->cycles)
        n += etm_pft_parse_count(p + n, k);
    return n;
}

/*
 * Waypoint update: no cycle count; an information byte only after the fifth
 * address byte, of which bit [6] is AltIS and nothing else has a meaning. There
 * is no Jazelle form, because Jazelle state has no waypoints.
 */
static unsigned etm_pft_parse_waypoint_update(const uint8_t *p,
                                              struct etm_packet *k)
{
    bool e;
    unsigned n = 1 + etm_pft_parse_address(p + 1, k, &e);

    if (k->address_bits == 0 || k->isa == ETM_ISA_JAZELLE) {
        k->kind = ETM_PACKET_BAD;
        return n - 1;
    }
    k->kind = ETM_PACKET_WAYPOINT_UPDATE;
    if (e && k->address_bytes == 5) {
        k->info = p[n++];
        k->fields |= ETM_FIELD_EXCEPTION_0;
        if ((k->info & 0x40) != 0)
            k->fields |= ETM_FIELD_ALT_ISA;
    }
    return n;
}

static uint32_t etm_pft_read_le(const uint8_t *p, unsigned n)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= (uint32_t)p[i] << (8 * i);
    return value;
}

/* An A-sync is within the `n` bytes of an I-sync, or ends after them; its
 * information byte is one of the zeros. */
static bool etm_pft_hides_a_sync(const uint8_t *p, unsigned n)
{
    unsigned first = 5, end = 6;

    while (first > 1 && p[first - 1] == 0)
        first--;
    while (end < n && p[end] == 0)
        end++;
    return end - first >= ETM_PFT_A_SYNC_ZEROS && (end == n || p[end] == 0x80);
}

/*
 * I-sync (4.5, I-sync): address, information byte, cycle count, context ID. Bit
 * [0] of the information byte is always 1, so that no A-sync is within it.
 */
static unsigned etm_pft_parse_i_sync(const struct etm_pft_format *f,
                                     const uint8_t *p, struct etm_packet *k)
{
    uint32_t address = etm_pft_read_le(p + 1, 4);
    uint8_t info = p[5];
    unsigned fields = ETM_FIELD_ADDRESS;
    unsigned n = 6;

    if (info == 0 && etm_pft_hides_a_sync(p, n + f->context_id_bytes)) {
        k->kind = ETM_PACKET_BAD; /* doc/errata.md, E-441 */
        return n - 1;
    }
    if ((info & 0x08) != 0)
        fields |= ETM_FIELD_NS;
    if ((info & 0x04) != 0)
        fields |= ETM_FIELD_ALT_ISA;
    if (f->hyp && (info & 0x02) != 0)
        fields |= ETM_FIELD_HYP;
    k->kind = ETM_PACKET_I_SYNC;
    k->info = info;
    k->reason = info >> 5 & 3;
    k->address = address & ~(uint32_t)1;
    k->address_bits = 32;
    k->address_bytes = 4;
    k->isa = ETM_ISA_ARM;
    if ((address & 1) != 0)
        k->isa = (info & 0x04) != 0 ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    k->fields = (uint16_t)fields;
    if (f->cycles && k->reason != ETM_SYNC_PERIODIC)
        n += etm_pft_parse_count(p + n, k);
    if (f->context_id_bytes != 0) {
        k->context_id = etm_pft_read_le(p + n, f->context_id_bytes);
        k->fields |= ETM_FIELD_CONTEXT_ID;
        n += f->context_id_bytes;
    }
    return n;
}

/* Timestamp (4.5, Timestamp packet): seven bits a byte; the last possible byte
 * has no C. */
static unsigned etm_pft_parse_timestamp(const struct etm_pft_format *f,
                                        const uint8_t *p, struct etm_packet *k)
{
    uint64_t value = 0;
    unsigned last = f->timestamp_bytes;
    unsigned n = 1;

    while (n < last && (p[n] & 0x80) != 0) {
        value |= (uint64_t)(p[n] & 0x7f) << (7 * (n - 1));
        n++;
    }
    value |= (uint64_t)(p[n] & (n == last ? f->last_stamp_mask : 0x7f))
             << (7 * (n - 1));
    k->kind = ETM_PACKET_TIMESTAMP;
    k->value = value;
    k->value_bytes = (uint8_t)n;
    if ((p[0] & 0x04) != 0)
        k->fields |= ETM_FIELD_R;
    n++;
    if (f->cycles)
        n += etm_pft_parse_count(p + n, k);
    return n;
}

static inline unsigned etm_pft_parse_atom(const struct etm_pft_decoder *d,
                                          const uint8_t *p,
                                          struct etm_packet *k)
{
    k->kind = ETM_PACKET_ATOM;
    if (d->format.cycles) { /* the header is the first count byte */
        k->count = 1;
        k->value = (p[0] & 0x02) != 0 ? ETM_ATOM_N : ETM_ATOM_E;
        return etm_pft_parse_count(p, k);
    }
    k->value = d->table.atoms[p[0]] & 0xfff;
    k->count = (uint8_t)(d->table.atoms[p[0]] >> 12);
    return 1;
}

/*
 * Parse the packet that begins at `p`, where ETM_PFT_WINDOW bytes can be read,
 * into *k. Returns its size; 0 for the first zero of an A-sync.
 */
static inline unsigned etm_pft_parse(const struct etm_pft_decoder *d,
                                     const uint8_t *p, struct etm_packet *k)
{
    const struct etm_pft_format *f = &d->format;

    switch ((enum etm_pft_header)d->table.kind[p[0]]) {
    case ETM_PFT_HEADER_ATOM:
        return etm_pft_parse_atom(d, p, k);
    case ETM_PFT_HEADER_BRANCH:
        return etm_pft_parse_branch(f, p, k);
    case ETM_PFT_HEADER_A_SYNC:
        return 0;
    case ETM_PFT_HEADER_RESERVED:
        k->kind = ETM_PACKET_RESERVED;
        return 1;
    case ETM_PFT_HEADER_I_SYNC:
        return etm_pft_parse_i_sync(f, p, k);
    case ETM_PFT_HEADER_TRIGGER:
        k->kind = ETM_PACKET_TRIGGER;
        return 1;
    case ETM_PFT_HEADER_VMID:
        k->kind = ETM_PACKET_VMID;
        k->value = p[1];
        k->value_bytes = 1;
        return 2;
    case ETM_PFT_HEADER_TIMESTAMP:
        return etm_pft_parse_timestamp(f, p, k);
    case ETM_PFT_HEADER_IGNORE:
        k->kind = ETM_PACKET_IGNORE;
        return 1;
    case ETM_PFT_HEADER_CONTEXT_ID:
        k->kind = ETM_PACKET_CONTEXT_ID;
        k->context_id = etm_pft_read_le(p + 1, f->context_id_bytes);
        k->fields = ETM_FIELD_CONTEXT_ID;
        return 1u + f->context_id_bytes;
    case ETM_PFT_HEADER_WAYPOINT_UPDATE:
        return etm_pft_parse_waypoint_update(p, k);
    case ETM_PFT_HEADER_EXCEPTION_RETURN:
        k->kind = ETM_PACKET_EXCEPTION_EXIT;
        return 1;
    }
    return 1;
}

#endif
