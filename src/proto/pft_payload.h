/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsing a PFT packet from its bytes, of which ETM_PFT_WINDOW can be read,
 * whatever the packet is. For the loops of the decoder and of the flow:
 * frequent packets are parsed inline, rare ones are not.
 */
#ifndef ETM_PROTO_PFT_PAYLOAD_H
#define ETM_PROTO_PFT_PAYLOAD_H

#include "base/bytes.h"
#include "base/isa.h"
#include "proto/address.h"
#include "proto/pft.h"

static inline unsigned etm_pft_parse_count(const uint8_t *p,
                                           struct etm_packet *k)
{
    unsigned n = etm_pft_count(p, &k->cycle_count);

    k->cycle_bytes = (uint8_t)n;
    k->fields |= ETM_FIELD_CYCLES;
    return n;
}

/* What address bytes say. */
struct etm_pft_address {
    uint32_t address; /* the bits received */
    uint8_t bits;     /* their number; 0: the fifth byte names no instruction
                         set */
    uint8_t bytes;
    uint8_t isa; /* enum etm_isa, if there is a fifth byte */
    bool more;   /* an information byte follows */
};

/* Five of them; the fifth one is 0E1aaaaa, 0E01aaaa or 0E001aaa, and 0E000xxx
 * is reserved. */
static inline struct etm_pft_address etm_pft_long_address(uint32_t word,
                                                          uint8_t fifth)
{
    const enum etm_isa isa = etm_address_fifth_isa(fifth);
    const unsigned bits = isa != ETM_ISA_UNKNOWN ? 32 - etm_isa_shift(isa) : 0;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;

    return (struct etm_pft_address){
        .address =
            (etm_address_bits(word) | (uint32_t)fifth << 27) & (uint32_t)mask,
        .bits = (uint8_t)bits,
        .bytes = 5,
        .isa = (uint8_t)isa,
        .more = (fifth & 0x40) != 0};
}

/* Up to four of them, the last one with this number. */
static inline struct etm_pft_address etm_pft_short_address(uint32_t word,
                                                           size_t last)
{
    const struct etm_address_form form = etm_address_forms[1][last];

    return (struct etm_pft_address){.address =
                                        etm_address_bits(word) & form.address,
                                    .bits = form.bits,
                                    .bytes = (uint8_t)(last + 1),
                                    .more = (word & form.other) != 0};
}

/*
 * Address bytes (4.5.4; 4.5, Waypoint update packet). The first two lengths are
 * branched on: where the next packet begins is then predicted, and need not be
 * waited for.
 */
static inline struct etm_pft_address etm_pft_parse_address(const uint8_t *p)
{
    const uint32_t word = etm_le32(p);
    size_t last;

    if ((word & 0x80) == 0)
        return etm_pft_short_address(word, 0);
    if ((word & 0x8000) == 0)
        return etm_pft_short_address(word, 1);
    last = etm_address_last_byte(word);
    return last != ETM_ADDRESS_FORM_5 ? etm_pft_short_address(word, last)
                                      : etm_pft_long_address(word, p[4]);
}

/* The fields of a packet. */
static inline void etm_pft_set_address(struct etm_packet *k,
                                       struct etm_pft_address a)
{
    k->address = a.address;
    k->address_bits = a.bits;
    k->address_bytes = a.bytes;
    k->isa = a.isa;
    k->fields |= ETM_FIELD_ADDRESS;
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
    struct etm_pft_address a = etm_pft_parse_address(p);
    unsigned n = a.bytes;

    etm_pft_set_address(k, a);
    if (a.bits == 0) {
        k->kind = ETM_PACKET_BAD;
        return n - 1; /* what broke it may be the first zero of an A-sync */
    }
    k->kind = ETM_PACKET_BRANCH_ADDRESS;
    if (a.more)
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
    struct etm_pft_address a = etm_pft_parse_address(p + 1);
    unsigned n = 1u + a.bytes;

    etm_pft_set_address(k, a);
    if (a.bits == 0 || a.isa == ETM_ISA_JAZELLE) {
        k->kind = ETM_PACKET_BAD;
        return n - 1;
    }
    k->kind = ETM_PACKET_WAYPOINT_UPDATE;
    if (a.more && a.bytes == 5) {
        k->info = p[n++];
        k->fields |= ETM_FIELD_EXCEPTION_0;
        if ((k->info & 0x40) != 0)
            k->fields |= ETM_FIELD_ALT_ISA;
    }
    return n;
}

static inline uint32_t etm_pft_read_le(const uint8_t *p, unsigned n)
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
 * [0] of the information byte is always 1, so that no A-sync is within it: with
 * five zeros, one of them as this byte, and then 80 or nothing, it is damaged,
 * and its zeros are those of an A-sync.
 */
static inline unsigned etm_pft_parse_i_sync(const struct etm_pft_format *f,
                                            const uint8_t *p,
                                            struct etm_packet *k)
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
static inline unsigned etm_pft_parse_timestamp(const struct etm_pft_format *f,
                                               const uint8_t *p,
                                               struct etm_packet *k)
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
 * into *k. Returns its size; 0 for the first zero of an A-sync. An I-sync goes
 * to *like.
 */
static inline unsigned etm_pft_parse(const struct etm_pft_decoder *d,
                                     const uint8_t *p, struct etm_packet *k,
                                     struct etm_i_sync_like *like)
{
    const struct etm_pft_format *f = &d->format;
    unsigned size;

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
        size = etm_pft_parse_i_sync(f, p, k);
        if (k->kind == ETM_PACKET_I_SYNC)
            etm_i_sync_remember(like, k);
        return size;
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
