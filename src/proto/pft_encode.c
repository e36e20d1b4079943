/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PFT: packets to bytes, the inverse of pft_decode.c.
 *
 * A packet is checked before its first byte is written. Reserved bits are
 * written as the specification and captures have them.
 */
#include "proto/pft.h"

/* Whether a packet has only allowed fields, apart from those that are
 * implied. */
static bool only_fields(const struct etm_packet *k, unsigned fields)
{
    return (k->fields & ~(fields | ETM_FIELD_ADDRESS)) == 0;
}

/* A packet has a cycle count exactly if the format says so. */
static bool count_fits(const struct etm_packet *k, bool wanted)
{
    static const uint8_t bits[6] = {32, 4, 11, 18, 25, 32};

    if (((k->fields & ETM_FIELD_CYCLES) != 0) != wanted)
        return false;
    if (!wanted)
        return k->cycle_count == 0 && k->cycle_bytes == 0;
    return k->cycle_bytes <= 5 && (bits[k->cycle_bytes] == 32 ||
                                   k->cycle_count >> bits[k->cycle_bytes] == 0);
}

/*
 * A cycle count (4.4, and each packet that has one). `first` are the bits of
 * its first byte that are not its own.
 */
static void write_count(struct etm_writer *w, const struct etm_packet *k,
                        unsigned first)
{
    uint32_t rest = k->cycle_count >> 4;
    unsigned more = k->cycle_bytes != 0 ? k->cycle_bytes - 1u : 0;

    if (k->cycle_bytes == 0)
        for (uint32_t left = rest; left != 0; left >>= 7)
            more++;
    etm_writer_u8(w, (uint8_t)(first | (more != 0 ? 0x40u : 0) |
                               (k->cycle_count & 0x0f) << 2));
    for (; more != 0; more--) {
        etm_writer_u8(w, (uint8_t)((rest & 0x7f) | (more > 1 ? 0x80u : 0)));
        rest >>= 7;
    }
}

/*
 * The number of address bytes (4.5.4) of a packet: from address_bytes, from
 * address_bits, from a known isa (five), or otherwise the fewest that hold the
 * value and, if `e`, the E bit. 0 if the packet contradicts itself.
 */
static unsigned address_bytes(const struct etm_packet *k, bool e)
{
    enum etm_isa isa = (enum etm_isa)k->isa;
    unsigned n = k->address_bytes;
    unsigned bits;

    if (n == 0) {
        n = isa != ETM_ISA_UNKNOWN ? 5 : e ? 2 : 1;
        while (n < 5 && (k->address_bits != 0
                             ? etm_pft_address_bits(n, isa) < k->address_bits
                             : k->address >> etm_pft_address_bits(n, isa) != 0))
            n++;
    }
    if (n > 5 || (n == 1 && e) || (n == 5) != (isa != ETM_ISA_UNKNOWN))
        return 0;
    bits = etm_pft_address_bits(n, isa);
    if (bits == 0 || (k->address_bits != 0 && k->address_bits != bits) ||
        (bits < 32 && k->address >> bits != 0))
        return 0;
    return n;
}

static void write_address(struct etm_writer *w, const struct etm_packet *k,
                          unsigned n, bool e)
{
    uint32_t rest = k->address >> 6;
    unsigned last;

    etm_writer_u8(
        w, (uint8_t)((n > 1 ? 0x80u : 0) | (k->address & 0x3f) << 1 | 0x01));
    for (unsigned i = 1; i + 1 < n; i++) {
        etm_writer_u8(w, (uint8_t)(0x80u | (rest & 0x7f)));
        rest >>= 7;
    }
    if (n == 1)
        return;
    last = rest & 0x3f;
    if (n == 5 && k->isa == ETM_ISA_ARM)
        last |= 0x08; /* 0E001aaa */
    if (n == 5 && k->isa == ETM_ISA_THUMB)
        last |= 0x10; /* 0E01aaaa */
    if (n == 5 && k->isa == ETM_ISA_JAZELLE)
        last |= 0x20; /* 0E1aaaaa */
    etm_writer_u8(w, (uint8_t)(last | (e ? 0x40u : 0)));
}

/* Branch address packet (4.5.4). */
static bool encode_branch(const struct etm_pft_format *f,
                          const struct etm_packet *k, struct etm_writer *w)
{
    bool e0 = (k->fields & ETM_FIELD_EXCEPTION_0) != 0;
    bool e1 = (k->fields & ETM_FIELD_EXCEPTION_1) != 0;
    unsigned n = address_bytes(k, e0);
    unsigned allowed = ETM_FIELD_CYCLES;

    if (e0)
        allowed |= ETM_FIELD_EXCEPTION_0 | ETM_FIELD_EXCEPTION_1 |
                   ETM_FIELD_NS | ETM_FIELD_ALT_ISA;
    if (e0 && e1 && f->hyp)
        allowed |= ETM_FIELD_HYP;
    if (n == 0 || !only_fields(k, allowed) || !count_fits(k, f->cycles) ||
        k->exception > (e1   ? 0x1ff
                        : e0 ? 0x0f
                             : 0))
        return false;
    write_address(w, k, n, e0);
    if (e0)
        etm_writer_u8(
            w, (uint8_t)((e1 ? 0x80u : 0) |
                         ((k->fields & ETM_FIELD_ALT_ISA) != 0 ? 0x40u : 0) |
                         (k->exception & 0x0fu) << 1 |
                         ((k->fields & ETM_FIELD_NS) != 0 ? 0x01u : 0)));
    if (e1)
        etm_writer_u8(w,
                      (uint8_t)(((k->fields & ETM_FIELD_HYP) != 0 ? 0x20u : 0) |
                                (unsigned)k->exception >> 4));
    if (f->cycles)
        write_count(w, k, 0);
    return true;
}

/* Waypoint update (4.5): an information byte needs the fifth address byte. */
static bool encode_waypoint_update(const struct etm_packet *k,
                                   struct etm_writer *w)
{
    bool e = (k->fields & ETM_FIELD_EXCEPTION_0) != 0;
    unsigned n = address_bytes(k, e);

    if (n == 0 || (e && n != 5) || k->isa == ETM_ISA_JAZELLE ||
        !only_fields(k, e ? ETM_FIELD_EXCEPTION_0 | ETM_FIELD_ALT_ISA : 0u) ||
        !count_fits(k, false))
        return false;
    etm_writer_u8(w, 0x72);
    write_address(w, k, n, e);
    if (e)
        etm_writer_u8(w, (k->fields & ETM_FIELD_ALT_ISA) != 0 ? 0x40 : 0);
    return true;
}

/* A context ID has its field exactly if the configuration traces it. */
static bool context_id_fits(const struct etm_pft_format *f,
                            const struct etm_packet *k)
{
    unsigned n = f->context_id_bytes;

    return ((k->fields & ETM_FIELD_CONTEXT_ID) != 0) == (n != 0) &&
           (n >= 4 || k->context_id >> (8 * n) == 0);
}

/* I-sync (4.5): address, information byte, cycle count, context ID. */
static bool encode_i_sync(const struct etm_pft_format *f,
                          const struct etm_packet *k, struct etm_writer *w)
{
    bool thumb = k->isa == ETM_ISA_THUMB || k->isa == ETM_ISA_THUMBEE;
    bool alt = (k->fields & ETM_FIELD_ALT_ISA) != 0;
    bool counts = f->cycles && k->reason != ETM_SYNC_PERIODIC;
    unsigned info = 0x01; /* bit [0] is always set */

    if (!only_fields(k, ETM_FIELD_NS | ETM_FIELD_ALT_ISA | ETM_FIELD_CYCLES |
                            ETM_FIELD_CONTEXT_ID |
                            (f->hyp ? ETM_FIELD_HYP : 0u)))
        return false;
    if ((!thumb && k->isa != ETM_ISA_ARM) ||
        (thumb && alt != (k->isa == ETM_ISA_THUMBEE)))
        return false;
    if ((k->address & 1) != 0 || k->reason > ETM_SYNC_DEBUG_EXIT ||
        !count_fits(k, counts) || !context_id_fits(f, k))
        return false;
    info |= (unsigned)k->reason << 5;
    info |= (k->fields & ETM_FIELD_NS) != 0 ? 0x08u : 0;
    info |= alt ? 0x04u : 0;
    info |= (k->fields & ETM_FIELD_HYP) != 0 ? 0x02u : 0;
    etm_writer_u8(w, 0x08);
    etm_writer_le(w, k->address | (thumb ? 1u : 0), 4);
    etm_writer_u8(w, (uint8_t)info);
    if (counts)
        write_count(w, k, 0x80); /* bit [7] is set in every capture */
    etm_writer_le(w, k->context_id, f->context_id_bytes);
    return true;
}

/* Atom packet (4.5). */
static bool encode_atom(const struct etm_pft_format *f,
                        const struct etm_packet *k, struct etm_writer *w)
{
    unsigned n = k->count;
    unsigned header = 0;

    if (n < 1 || n > (f->cycles ? 1 : 5) || k->value >> (2 * n) != 0 ||
        (k->value & 0xaaaa) != 0 || !only_fields(k, ETM_FIELD_CYCLES) ||
        !count_fits(k, f->cycles))
        return false;
    if (f->cycles) {
        write_count(w, k, 0x80 | (k->value == ETM_ATOM_N ? 0x02u : 0));
        return true;
    }
    for (unsigned i = 0; i < n; i++)
        header = header << 1 | (unsigned)(k->value >> (2 * i) & 1);
    etm_writer_u8(w, (uint8_t)(0x80u | 1u << (n + 1) | header << 1));
    return true;
}

/* Timestamp packet (4.5). */
static bool encode_timestamp(const struct etm_pft_format *f,
                             const struct etm_packet *k, struct etm_writer *w)
{
    unsigned last = f->timestamp_bytes;
    unsigned n = k->value_bytes;
    uint64_t rest = k->value;

    if (n == 0)
        for (n = 1; n < last && rest >> (7 * n) != 0;)
            n++;
    if (n > last || (n < last && rest >> (7 * n) != 0) ||
        (n == last && rest >> (7 * (n - 1)) > f->last_stamp_mask) ||
        !only_fields(k, ETM_FIELD_R | ETM_FIELD_CYCLES) ||
        !count_fits(k, f->cycles))
        return false;
    etm_writer_u8(w, (k->fields & ETM_FIELD_R) != 0 ? 0x46 : 0x42);
    for (unsigned i = 1; i < n; i++) {
        etm_writer_u8(w, (uint8_t)(0x80u | (rest & 0x7f)));
        rest >>= 7;
    }
    etm_writer_u8(w, (uint8_t)rest);
    if (f->cycles)
        write_count(w, k, 0);
    return true;
}

static bool encode_context_id(const struct etm_pft_format *f,
                              const struct etm_packet *k, struct etm_writer *w)
{
    if (f->context_id_bytes == 0 || !only_fields(k, ETM_FIELD_CONTEXT_ID) ||
        !context_id_fits(f, k) || !count_fits(k, false))
        return false;
    etm_writer_u8(w, 0x6e);
    etm_writer_le(w, k->context_id, f->context_id_bytes);
    return true;
}

static bool encode_vmid(const struct etm_pft_format *f,
                        const struct etm_packet *k, struct etm_writer *w)
{
    if ((f->only & ETM_PFT_ONLY_VMID) == 0 || !only_fields(k, 0) ||
        k->value > 0xff)
        return false;
    etm_writer_u8(w, 0x3c);
    etm_writer_u8(w, (uint8_t)k->value);
    return true;
}

/* An A-sync of `size` bytes; any number of zeros from five on will do. */
static bool encode_a_sync(const struct etm_packet *k, struct etm_writer *w)
{
    uint32_t zeros = k->size != 0 ? k->size - 1 : ETM_PFT_A_SYNC_ZEROS;

    if (zeros < ETM_PFT_A_SYNC_ZEROS || zeros >= ETM_PACKET_BYTES_MAX ||
        !only_fields(k, 0))
        return false;
    for (uint32_t i = 0; i < zeros; i++)
        etm_writer_u8(w, 0x00);
    etm_writer_u8(w, 0x80);
    return true;
}

static bool encode_header(const struct etm_packet *k, uint8_t header,
                          struct etm_writer *w)
{
    etm_writer_u8(w, header);
    return only_fields(k, 0);
}

/* A byte that begins no packet, for testing decoders. */
static bool encode_reserved(const struct etm_pft_format *f,
                            const struct etm_packet *k, struct etm_writer *w)
{
    return etm_pft_header_kind(f, k->header) == ETM_PFT_HEADER_RESERVED &&
           encode_header(k, k->header, w);
}

int etm_pft_encode(const struct etm_config *config,
                   const struct etm_packet *packet, struct etm_writer *w)
{
    struct etm_pft_format f = etm_pft_format_of(config);
    struct etm_writer before = *w;
    bool fits = false;

    switch (packet->kind) {
    case ETM_PACKET_A_SYNC:
        fits = encode_a_sync(packet, w);
        break;
    case ETM_PACKET_I_SYNC:
        fits = encode_i_sync(&f, packet, w);
        break;
    case ETM_PACKET_ATOM:
        fits = encode_atom(&f, packet, w);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        fits = encode_branch(&f, packet, w);
        break;
    case ETM_PACKET_WAYPOINT_UPDATE:
        fits = encode_waypoint_update(packet, w);
        break;
    case ETM_PACKET_CONTEXT_ID:
        fits = encode_context_id(&f, packet, w);
        break;
    case ETM_PACKET_VMID:
        fits = encode_vmid(&f, packet, w);
        break;
    case ETM_PACKET_TIMESTAMP:
        fits = encode_timestamp(&f, packet, w);
        break;
    case ETM_PACKET_TRIGGER:
        fits = encode_header(packet, 0x0c, w);
        break;
    case ETM_PACKET_IGNORE:
        fits = encode_header(packet, 0x66, w);
        break;
    case ETM_PACKET_EXCEPTION_EXIT:
        fits = encode_header(packet, 0x76, w);
        break;
    case ETM_PACKET_RESERVED:
        fits = encode_reserved(&f, packet, w);
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
    case ETM_PACKET_BAD:
        return ETM_ERR_UNSUPPORTED;
    }
    if (fits && !w->full)
        return ETM_OK;
    *w = before;
    return ETM_ERR_ARGUMENT;
}
