/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv3: packets -> bytes, the inverse of etmv3_decode.c.
 *
 * Every function that writes a part of a packet returns false if the packet
 * needs something that the configuration or the format does not have.
 */
#include "proto/etmv3.h"
#include "proto/timestamp.h"

#define STATE_FIELDS (ETM_FIELD_NS | ETM_FIELD_ALT_ISA | ETM_FIELD_HYP)

/* The parts of a packet that are written like a branch packet. */
struct branch {
    uint32_t address;
    unsigned bits;
    unsigned bytes;
    enum etm_isa isa;
    unsigned fields;
    unsigned exception;
    unsigned resume;
};

/* Number of bits up to the highest that is set. */
static unsigned width(uint64_t value)
{
    unsigned n = 0;

    for (unsigned step = 32; step != 0; step /= 2)
        if (value >> step != 0) {
            n += step;
            value >>= step;
        }
    return n + (value != 0);
}

static bool fits(uint64_t value, unsigned bits)
{
    return bits >= 64 || value >> bits == 0;
}

static bool has(const struct etm_config *config, enum etm_packet_kind kind,
                unsigned header)
{
    return etm_etmv3_header(config, (uint8_t)header).kind == kind;
}

/* Groups of 7 bits, the lowest first, all but the last with `ETM_ETMV3_MORE`.
 */
static void groups(struct etm_writer *w, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i + 1 < bytes; i++, value >>= 7)
        etm_writer_u8(w, (uint8_t)((value & 0x7Fu) | ETM_ETMV3_MORE));
    etm_writer_u8(w, (uint8_t)value);
}

/* 7.3.5: the address bits of a packet of `bytes` address bytes. */
static unsigned branch_bits(bool alternative, unsigned bytes, enum etm_isa isa)
{
    if (bytes == 5)
        return isa == ETM_ISA_ARM ? 30 : isa == ETM_ISA_JAZELLE ? 32 : 31;
    return 7 * bytes - (alternative && bytes > 1 ? 2 : 1);
}

/*
 * The number of address bytes, 0 if no number is possible. Exception
 * information needs five in the original encoding, two in the alternative.
 */
static unsigned branch_bytes(bool alternative, const struct branch *b)
{
    bool exception = (b->fields & ETM_FIELD_EXCEPTION_0) != 0;
    bool five = b->isa != ETM_ISA_UNKNOWN;
    unsigned least = five || (exception && !alternative) ? 5
                     : exception                         ? 2
                                                         : 1;
    unsigned need = width(b->address);
    unsigned bytes = b->bytes != 0 ? b->bytes : least;

    if (need < b->bits)
        need = b->bits;
    while (b->bytes == 0 && bytes < 5 &&
           branch_bits(alternative, bytes, b->isa) < need)
        bytes++;
    if (bytes < least || bytes > 5 || (bytes == 5) != five ||
        branch_bits(alternative, bytes, b->isa) < need)
        return 0;
    return bytes;
}

/* Figure 7-25; byte 1 and byte 2 from version 3.4 only. */
static bool exception_bytes(const struct etm_config *config,
                            const struct branch *b, struct etm_writer *w)
{
    bool one = (b->fields & ETM_FIELD_EXCEPTION_1) != 0;
    bool two = (b->fields & ETM_FIELD_EXCEPTION_2) != 0;
    unsigned byte = (b->exception & 0x0Fu) << 1;

    if (b->exception > (one ? 0x1FFu : 0x0Fu) ||
        b->resume > (two ? 0x0Fu : 0u) || ((one || two) && config->minor < 4) ||
        (b->fields & ETM_FIELD_DEPRECATED) != 0 ||
        (b->fields & STATE_FIELDS & ~etm_etmv3_state_fields(config)) != 0)
        return false;
    byte |= (b->fields & ETM_FIELD_NS) != 0 ? 0x01u : 0u;
    byte |= (b->fields & ETM_FIELD_CANCEL) != 0 ? 0x20u : 0u;
    byte |= (b->fields & ETM_FIELD_ALT_ISA) != 0 ? 0x40u : 0u;
    etm_writer_u8(w, (uint8_t)(byte | (one || two ? ETM_ETMV3_MORE : 0u)));
    if (one) {
        byte = b->exception >> 4;
        byte |= (b->fields & ETM_FIELD_HYP) != 0 ? 0x20u : 0u;
        etm_writer_u8(w, (uint8_t)(byte | (two ? ETM_ETMV3_MORE : 0u)));
    }
    if (two)
        etm_writer_u8(w, (uint8_t)(0x40u | b->resume));
    return true;
}

/* Byte five: table 7-8. */
static bool fifth_byte(const struct branch *b, struct etm_writer *w)
{
    unsigned high = b->address >> 27;
    unsigned exception = (b->fields & ETM_FIELD_EXCEPTION_0) != 0 ? 0x40u : 0u;

    if ((b->fields & ETM_FIELD_DEPRECATED) != 0) {
        if (b->isa != ETM_ISA_ARM || exception != 0 || b->exception > 7)
            return false;
        high |= ETM_ETMV3_MORE | b->exception << 3;
        high |= (b->fields & ETM_FIELD_CANCEL) != 0 ? 0x40u : 0u;
    } else if (b->isa == ETM_ISA_ARM) {
        high |= exception | 0x08u;
    } else if (b->isa == ETM_ISA_JAZELLE) {
        high |= exception | 0x20u;
    } else { /* Thumb or ThumbEE */
        high |= exception | 0x10u;
    }
    etm_writer_u8(w, (uint8_t)high);
    return true;
}

static bool branch(const struct etm_config *config, const struct branch *b,
                   struct etm_writer *w)
{
    bool alternative = etm_etmv3_alternative(config);
    bool exception = (b->fields & ETM_FIELD_EXCEPTION_0) != 0;
    unsigned bytes = branch_bytes(alternative, b);
    unsigned last;

    if (bytes == 0 || b->isa > ETM_ISA_JAZELLE)
        return false;
    if ((b->fields & ETM_FIELD_DEPRECATED) != 0 && bytes != 5)
        return false;
    if (!exception &&
        ((b->fields & (ETM_FIELD_EXCEPTION_1 | ETM_FIELD_EXCEPTION_2)) != 0 ||
         b->resume != 0))
        return false;
    if (!exception && (b->fields & ETM_FIELD_DEPRECATED) == 0 &&
        (b->exception != 0 || (b->fields & ETM_FIELD_CANCEL) != 0))
        return false;

    last = bytes > 1 ? ETM_ETMV3_MORE : 0u;
    etm_writer_u8(w, (uint8_t)(last | (b->address & 0x3Fu) << 1 | 0x01u));
    for (unsigned i = 1; i < bytes && i < 4; i++) {
        unsigned byte = b->address >> (7 * i - 1) & 0x7Fu;

        if (i + 1 < bytes)
            byte |= ETM_ETMV3_MORE;
        else if (exception)
            byte |= 0x40u; /* the alternative encoding: see branch_bytes() */
        etm_writer_u8(w, (uint8_t)byte);
    }
    if (bytes == 5 && !fifth_byte(b, w))
        return false;
    return !exception || exception_bytes(config, b, w);
}

static bool branch_address(const struct etm_config *config,
                           const struct etm_packet *p, struct etm_writer *w)
{
    struct branch b = {p->address, p->address_bits, p->address_bytes, p->isa,
                       p->fields,  p->exception,    p->resume};
    unsigned state = p->fields & STATE_FIELDS;

    /* Without a byte for the state, there must be no state. */
    if ((p->fields & ETM_FIELD_EXCEPTION_0) == 0 && state != 0)
        return false;
    if ((p->fields & ETM_FIELD_EXCEPTION_1) == 0 &&
        (state & ETM_FIELD_HYP) != 0)
        return false;
    return has(config, ETM_PACKET_BRANCH_ADDRESS, 0x01) &&
           branch(config, &b, w);
}

/* 7.3.4: 7, 7, 7, 7 and 4 bits. */
static bool cycle_count(const struct etm_packet *p, struct etm_writer *w)
{
    unsigned bytes = p->cycle_bytes;

    if (bytes == 0)
        bytes = (width(p->cycle_count) + 6) / 7;
    if (bytes == 0)
        bytes = 1;
    if (bytes > 5 || !fits(p->cycle_count, 7 * bytes))
        return false;
    groups(w, p->cycle_count, bytes);
    return true;
}

/* 7.3.6 */
static bool context_id(const struct etm_config *config,
                       const struct etm_packet *p, struct etm_writer *w)
{
    if (!fits(p->context_id, 8u * config->context_id_bytes))
        return false;
    etm_writer_le(w, p->context_id, config->context_id_bytes);
    return true;
}

static unsigned information(unsigned fields)
{
    return ((fields & ETM_FIELD_NS) != 0 ? 0x08u : 0u) |
           ((fields & ETM_FIELD_ALT_ISA) != 0 ? 0x04u : 0u) |
           ((fields & ETM_FIELD_HYP) != 0 ? 0x02u : 0u) | 0x01u;
}

/* The information byte of 7.7.3, without J, reason and the LSiP bit. */
static unsigned state_information(const struct etm_packet *p)
{
    unsigned byte = information(p->fields);

    if (p->kind != ETM_PACKET_LSIP_I_SYNC)
        return byte;
    /* `fields` belong to the second address if it has exception bytes */
    if ((p->fields & ETM_FIELD_EXCEPTION_0) != 0)
        byte = (byte & ~0x0Cu) | (p->info & 0x0Cu);
    if ((p->fields & ETM_FIELD_EXCEPTION_1) != 0)
        byte = (byte & ~0x02u) | (p->info & 0x02u);
    return byte;
}

/* 7.7.3, the current instruction; never as a deprecated exception. */
static bool second_address(const struct etm_config *config,
                           const struct etm_packet *p, struct etm_writer *w)
{
    struct branch b = {p->address2, p->address2_bits, p->address2_bytes,
                       p->isa2,     p->fields,        p->exception,
                       p->resume};

    return (p->fields & ETM_FIELD_DEPRECATED) == 0 && branch(config, &b, w);
}

/* 7.7.3: header, cycle count, context ID, information, address. */
static bool i_sync(const struct etm_config *config, const struct etm_packet *p,
                   struct etm_writer *w)
{
    bool lsip = p->kind == ETM_PACKET_LSIP_I_SYNC;
    bool data_only = etm_etmv3_data_only(config);
    bool cycles = p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
                  (lsip && (p->fields & ETM_FIELD_CYCLES) != 0);
    bool t = p->isa == ETM_ISA_THUMB || p->isa == ETM_ISA_THUMBEE;
    unsigned header = cycles ? 0x70 : 0x08;
    unsigned info = state_information(p);
    bool alt_isa = (info & 0x04) != 0 &&
                   (etm_etmv3_state_fields(config) & ETM_FIELD_ALT_ISA) != 0;

    if ((data_only &&
         (cycles || lsip || p->isa != ETM_ISA_UNKNOWN || p->address != 0 ||
          (p->fields & ETM_FIELD_ALT_ISA) != 0)) ||
        (!data_only &&
         (p->isa == ETM_ISA_UNKNOWN || p->isa > ETM_ISA_JAZELLE)) ||
        (p->isa == ETM_ISA_THUMBEE) != (t && alt_isa) ||
        (p->isa != ETM_ISA_JAZELLE && (p->address & 1) != 0) || p->reason > 3 ||
        (lsip && p->reason == ETM_SYNC_PERIODIC) ||
        etm_etmv3_header(config, (uint8_t)header).kind == ETM_PACKET_RESERVED ||
        (p->fields & STATE_FIELDS & ~etm_etmv3_state_fields(config)) != 0)
        return false;
    etm_writer_u8(w, (uint8_t)header);
    if ((cycles && !cycle_count(p, w)) || !context_id(config, p, w))
        return false;
    info |= (unsigned)p->reason << 5 | (lsip ? 0x80u : 0u) |
            (p->isa == ETM_ISA_JAZELLE ? 0x10u : 0u);
    etm_writer_u8(w, (uint8_t)info);
    if (!data_only)
        etm_writer_le(w, p->address | (t ? 1u : 0u), 4);
    return !lsip || second_address(config, p, w);
}

/* Does this header encode the packet's atoms? */
static bool stands_for(const struct etm_config *config, unsigned header,
                       const struct etm_packet *p)
{
    struct etm_etmv3_header h = etm_etmv3_header(config, (uint8_t)header);

    return h.kind == ETM_PACKET_P_HEADER && h.count == p->count &&
           h.atoms == p->value;
}

/*
 * 7.3.1. Each format has one header that could encode the atoms: try it. 80 is
 * used only on request, as it may complete an A-sync.
 */
static bool p_header(const struct etm_config *config,
                     const struct etm_packet *p, struct etm_writer *w)
{
    unsigned atoms = (unsigned)p->value;
    unsigned n = p->count;
    unsigned fail[3]; /* the first three atoms: 1 for N */
    uint64_t last = n != 0 && n <= 16 ? p->value >> (2 * n - 2) : ETM_ATOM_W;
    unsigned last_fails = last == ETM_ATOM_N, last_passes = last == ETM_ATOM_E;
    unsigned candidates[5];

    for (unsigned i = 0; i < 3; i++)
        fail[i] = atoms >> (2 * i) & 1u;
    candidates[0] = p->header;
    if (config->cycle_accurate) {
        candidates[1] = 0x80u | (n / 2 - last_fails) << 2 | last_fails << 6;
        candidates[2] = 0xA0u | (n - last_passes - 1) << 2 | last_passes << 6;
        candidates[3] = 0x82u | fail[1] << 3 | fail[2] << 2;
        candidates[4] = 0x92u | fail[0] << 2;
    } else {
        candidates[1] = 0x80u | (n - last_fails) << 2 | last_fails << 6;
        candidates[2] = 0x82u | fail[0] << 3 | fail[1] << 2;
        candidates[3] = candidates[4] = candidates[2];
    }
    for (unsigned i = 0; i < 5; i++) {
        unsigned header = candidates[i] & 0xFFu;

        if ((i == 0 || header != 0x80) && stands_for(config, header, p)) {
            etm_writer_u8(w, (uint8_t)header);
            return true;
        }
    }
    return false;
}

/* The number of bytes of a data address, 0 if the packet is impossible. */
static unsigned data_address_bytes(const struct etm_config *config,
                                   const struct etm_packet *p)
{
    bool be = (p->fields & ETM_FIELD_BE) != 0;
    unsigned need = width(p->address);
    unsigned bytes = p->address_bytes;

    if (need < p->address_bits)
        need = p->address_bits;
    if (bytes == 0)
        bytes = be ? 5 : need == 0 ? 1 : (need + 6) / 7;
    if (bytes > 5 || need > (bytes < 5 ? 7 * bytes : 32) ||
        (be && (bytes != 5 || config->minor < 1)))
        return 0;
    return bytes;
}

/*
 * Table 7-19: the size bits of a packet with a value. Without value tracing
 * they have no meaning, and are kept.
 */
static bool size_bits(const struct etm_config *config,
                      const struct etm_packet *p, unsigned *bits,
                      unsigned *bytes)
{
    *bytes = p->value_bytes;
    if (!config->data_value) {
        *bits = p->header >> 2 & 0x03u;
        return p->value == 0 && p->value_bytes == 0 &&
               (p->fields & ETM_FIELD_VALUE) == 0;
    }
    if (*bytes == 0 && p->value != 0)
        *bytes = fits(p->value, 8) ? 1 : fits(p->value, 16) ? 2 : 4;
    *bits = *bytes == 4 ? 3 : *bytes;
    return *bytes <= 4 && *bytes != 3 && fits(p->value, 8 * *bytes);
}

/* 7.4.2 to 7.4.5: header, address, value. */
static bool data(const struct etm_config *config, const struct etm_packet *p,
                 struct etm_writer *w)
{
    bool a = (p->fields & ETM_FIELD_A) != 0;
    bool address = (p->fields & ETM_FIELD_ADDRESS) != 0;
    bool normal = p->kind == ETM_PACKET_NORMAL_DATA;
    bool not_traced = p->kind == ETM_PACKET_VALUE_NOT_TRACED;
    unsigned header = normal ? 0x02u : not_traced ? 0x6Au : 0x50u;
    unsigned address_bytes = 0, size = 0, bytes = 0;

    if (address && !(a && config->data_address))
        return false;
    address = a && config->data_address;
    if (address && (address_bytes = data_address_bytes(config, p)) == 0)
        return false;
    if (!address && (p->address != 0 || (p->fields & ETM_FIELD_BE) != 0))
        return false;
    if (normal && !size_bits(config, p, &size, &bytes))
        return false;
    if (!normal && (p->value != 0 || (p->fields & ETM_FIELD_VALUE) != 0))
        return false;
    if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) {
        if (p->tag < 1 || p->tag > 3)
            return false;
        header |= (unsigned)p->tag << 2;
    }
    header |= size << 2 | (!a ? 0u : not_traced ? 0x10u : 0x20u);
    if (!has(config, (enum etm_packet_kind)p->kind, header))
        return false;
    etm_writer_u8(w, (uint8_t)header);
    for (unsigned i = 0; i < address_bytes && i < 4; i++) {
        unsigned more = i + 1 < address_bytes ? ETM_ETMV3_MORE : 0u;

        etm_writer_u8(w, (uint8_t)(more | (p->address >> (7 * i) & 0x7Fu)));
    }
    if (address_bytes == 5)
        etm_writer_u8(
            w, (uint8_t)(p->address >> 28 |
                         ((p->fields & ETM_FIELD_BE) != 0 ? ETM_ETMV3_BE : 0)));
    etm_writer_le(w, p->value, bytes);
    return true;
}

/* 7.4.3 */
static bool out_of_order_data(const struct etm_config *config,
                              const struct etm_packet *p, struct etm_writer *w)
{
    unsigned size, bytes, header;

    if (p->tag < 1 || p->tag > 3 || !size_bits(config, p, &size, &bytes))
        return false;
    header = (unsigned)p->tag << 5 | size << 2;
    if (!has(config, ETM_PACKET_OUT_OF_ORDER_DATA, header))
        return false;
    etm_writer_u8(w, (uint8_t)header);
    etm_writer_le(w, p->value, bytes);
    return true;
}

/* Version 3.5: 7 bits a byte, at most 48 or 64 bits in 7 or 9 bytes. */
static bool timestamp(const struct etm_config *config,
                      const struct etm_packet *p, struct etm_writer *w)
{
    unsigned header = (p->fields & ETM_FIELD_R) != 0 ? 0x46 : 0x42;
    unsigned most = etm_timestamp_bytes(config);
    unsigned limit = etm_timestamp_bits(config);
    unsigned bytes = p->value_bytes;

    if (bytes == 0)
        bytes = (width(p->value) + 6) / 7;
    if (bytes == 0)
        bytes = 1;
    if (bytes > most)
        bytes = p->value_bytes == 0 ? most : bytes;
    if (bytes > most || !fits(p->value, bytes == most ? limit : 7 * bytes) ||
        !has(config, ETM_PACKET_TIMESTAMP, header))
        return false;
    etm_writer_u8(w, (uint8_t)header);
    groups(w, p->value, bytes);
    return true;
}

/* A packet that is its header. */
static bool single(const struct etm_config *config, const struct etm_packet *p,
                   unsigned header, struct etm_writer *w)
{
    if (!has(config, (enum etm_packet_kind)p->kind, header))
        return false;
    etm_writer_u8(w, (uint8_t)header);
    return true;
}

/* 7.7.2: five zeros at least, then 80. */
static bool a_sync(const struct etm_packet *p, struct etm_writer *w)
{
    uint32_t size = p->size != 0 ? p->size : 6;

    if (size < 6 || size > ETM_PACKET_BYTES_MAX)
        return false;
    for (uint32_t i = 1; i < size; i++)
        etm_writer_u8(w, 0x00);
    etm_writer_u8(w, 0x80);
    return true;
}

static bool encode(const struct etm_config *config, const struct etm_packet *p,
                   struct etm_writer *w)
{
    switch (p->kind) {
    case ETM_PACKET_RESERVED:
        return single(config, p, p->header, w);
    case ETM_PACKET_A_SYNC:
        return a_sync(p, w);
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        return i_sync(config, p, w);
    case ETM_PACKET_P_HEADER:
        return p_header(config, p, w);
    case ETM_PACKET_BRANCH_ADDRESS:
        return branch_address(config, p, w);
    case ETM_PACKET_CYCLE_COUNT:
        return single(config, p, 0x04, w) && cycle_count(p, w);
    case ETM_PACKET_CONTEXT_ID:
        return single(config, p, 0x6E, w) && context_id(config, p, w);
    case ETM_PACKET_VMID:
        etm_writer_u8(w, 0x3C);
        etm_writer_u8(w, (uint8_t)p->value);
        return has(config, ETM_PACKET_VMID, 0x3C) && fits(p->value, 8);
    case ETM_PACKET_TIMESTAMP:
        return timestamp(config, p, w);
    case ETM_PACKET_TRIGGER:
        return single(config, p, 0x0C, w);
    case ETM_PACKET_IGNORE:
        return single(config, p, 0x66, w);
    case ETM_PACKET_EXCEPTION_ENTRY:
        return single(config, p, 0x7E, w);
    case ETM_PACKET_EXCEPTION_EXIT:
        return single(config, p, 0x76, w);
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_VALUE_NOT_TRACED:
        return data(config, p, w);
    case ETM_PACKET_OUT_OF_ORDER_DATA:
        return out_of_order_data(config, p, w);
    case ETM_PACKET_DATA_SUPPRESSED:
        return single(config, p, 0x62, w);
    case ETM_PACKET_STORE_FAILED:
        return single(config, p, 0x50, w);
    }
    return false;
}

int etm_etmv3_encode(const struct etm_config *config,
                     const struct etm_packet *packet, struct etm_writer *writer)
{
    struct etm_writer before = *writer;

    if (packet->kind == ETM_PACKET_UNSYNCHRONIZED ||
        packet->kind == ETM_PACKET_BAD)
        return ETM_ERR_UNSUPPORTED;
    if (encode(config, packet, writer))
        return ETM_OK;
    *writer = before;
    return ETM_ERR_ARGUMENT;
}
