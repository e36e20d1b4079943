/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2: packets to bytes, those of the port's cycles and those that go into
 * the FIFO. A packet is checked before its first byte is written.
 */
#include "proto/etmv2.h"

/* TRACEPKT of a trace_packet or tfo. */
static bool pins_of(const struct etm_packet *k, unsigned width, uint64_t *pins)
{
    *pins = k->value;
    if (k->kind == ETM_PACKET_TFO && k->value_bytes == 0) {
        if (k->address > ETM_ETMV2_TFO_MAX)
            return false;
        *pins = etm_etmv2_tfo_pins(k->address);
        if (width == 16)
            *pins |= (uint64_t)ETM_ETMV2_FILLER << 8;
    }
    /* a record has a whole byte for four pins */
    return *pins >> (width == 4 ? 8 : width) == 0;
}

int etm_etmv2_encode(const struct etm_config *config,
                     const struct etm_packet *packet, struct etm_writer *w)
{
    unsigned size = etm_sample_size(config) - 1;
    uint64_t pins;

    if (packet->kind == ETM_PACKET_UNSYNCHRONIZED ||
        packet->kind == ETM_PACKET_BAD)
        return ETM_ERR_UNSUPPORTED;
    if (packet->kind == ETM_PACKET_PIPESTAT) {
        if (packet->value > ETM_SAMPLE_STATUS)
            return ETM_ERR_ARGUMENT;
        etm_writer_u8(w, (uint8_t)((packet->header & ~ETM_SAMPLE_STATUS) |
                                   packet->value));
        return w->full ? ETM_ERR_ARGUMENT : ETM_OK;
    }
    if ((packet->kind != ETM_PACKET_TRACE_PACKET &&
         packet->kind != ETM_PACKET_TFO) ||
        !pins_of(packet, etm_sample_width(config), &pins) ||
        (size_t)(w->end - w->next) < size)
        return ETM_ERR_ARGUMENT;
    etm_writer_le(w, pins, size);
    return ETM_OK;
}

/* The bits that an address of `n` bytes has, before the shift; 0: none. */
static unsigned code_bits(unsigned n, unsigned isa)
{
    if (n >= 1 && n <= 4 && isa == ETM_ISA_UNKNOWN)
        return 7 * n - 1;
    if (n == 5 && isa == ETM_ISA_ARM)
        return 30;
    return n == 5 && isa == ETM_ISA_THUMB ? 31 : 0;
}

/* The number of bytes of an address: five with a known state, otherwise as few
 * as hold its bits. 0: it does not fit. */
static unsigned code_bytes(uint32_t address, unsigned bits, unsigned bytes,
                           unsigned isa)
{
    unsigned n = bytes;

    if (n == 0)
        n = isa != ETM_ISA_UNKNOWN ? 5 : 1;
    while (bytes == 0 && n < 4 &&
           (code_bits(n, isa) < bits || address >> code_bits(n, isa) != 0))
        n++;
    if (code_bits(n, isa) == 0 || address >> code_bits(n, isa) != 0 ||
        (bits != 0 && bits != code_bits(n, isa)))
        return 0;
    return n;
}

/* 6.7.1: see code_address() in etmv2_header.c. */
static void put_code(struct etm_writer *w, uint32_t address, unsigned n,
                     unsigned isa, bool e)
{
    uint64_t all = (uint64_t)address << 1 | 1u;

    if (isa == ETM_ISA_ARM)
        all |= (uint64_t)1 << 31 | (uint64_t)e << 34;
    else if (isa == ETM_ISA_THUMB)
        all |= (uint64_t)1 << 32;
    for (unsigned i = 0; i < n; i++)
        etm_writer_u8(
            w, (uint8_t)((all >> (7 * i) & 0x7fu) | (i + 1 < n ? 0x80u : 0)));
}

static int put_branch(const struct etm_packet *k, struct etm_writer *w)
{
    bool e = (k->fields & ETM_FIELD_CANCEL) != 0;
    unsigned n =
        code_bytes(k->address, k->address_bits, k->address_bytes, k->isa);

    if (n == 0 || (e && k->isa != ETM_ISA_ARM))
        return ETM_ERR_ARGUMENT;
    put_code(w, k->address, n, k->isa, e);
    return ETM_OK;
}

/* Whether a context ID fits into the bytes that the macrocell traces of it. */
static bool context_id_fits(const struct etm_config *config,
                            const struct etm_packet *k)
{
    unsigned n = config->context_id_bytes;

    return n >= 4 || k->context_id >> (8 * n) == 0;
}

static int put_tfo(const struct etm_config *config, const struct etm_packet *k,
                   struct etm_writer *w)
{
    bool lsip = k->kind == ETM_PACKET_LSIP_I_SYNC;
    unsigned n = 0;
    unsigned low = k->isa == ETM_ISA_THUMB ? 1 : 3;

    if (lsip)
        n = code_bytes(k->address2, k->address2_bits, k->address2_bytes,
                       k->isa2);
    if (k->reason > 3 || (lsip && n == 0) || (k->address & low) != 0 ||
        (k->isa != ETM_ISA_ARM && k->isa != ETM_ISA_THUMB) ||
        !context_id_fits(config, k))
        return ETM_ERR_ARGUMENT;
    etm_writer_u8(
        w, (uint8_t)((lsip ? ETM_ETMV2_LSIP : 0u) | (unsigned)k->reason << 5));
    etm_writer_le(w, k->context_id, config->context_id_bytes);
    etm_writer_le(w, k->address | (k->isa == ETM_ISA_THUMB ? 1u : 0), 4);
    if (lsip)
        put_code(w, k->address2, n, k->isa2, false);
    return ETM_OK;
}

/* SS (table 6-3): as few bytes as hold the value, or as many as asked for.
 * 4: there is no such size. */
static unsigned size_bits(const struct etm_packet *k)
{
    static const uint8_t sizes[5] = {0, 1, 2, 4, 3};
    uint64_t v = k->value;

    if ((k->fields & ETM_FIELD_VALUE) == 0)
        return 0;
    if (v >> 32 != 0)
        return 4;
    if (k->value_bytes == 0)
        return v == 0 ? 0 : v < 0x100 ? 1 : v < 0x10000 ? 2 : 3;
    if (k->value_bytes > 4 || k->value_bytes == 3 ||
        v >> (8 * k->value_bytes) != 0)
        return 4;
    return k->value_bytes == 4 ? 3 : sizes[k->value_bytes];
}

/* 6.4.2: as many bytes as asked for, or as few as hold the bits. */
static unsigned data_bytes(const struct etm_packet *k)
{
    unsigned n = k->address_bytes;

    if (n == 0)
        for (n = 1;
             n < 5 && (k->address >> (7 * n) != 0 || k->address_bits > 7 * n);)
            n++;
    return n > 5 || (n < 5 && k->address >> (7 * n) != 0) ? 0 : n;
}

static int put_data(const struct etm_config *config, const struct etm_packet *k,
                    unsigned header, struct etm_writer *w)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4};
    bool placeholder = k->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER;
    bool address = (k->fields & ETM_FIELD_A) != 0;
    unsigned ss = placeholder ? 0 : size_bits(k);
    unsigned n = address && config->data_address ? data_bytes(k) : 0;

    if (ss > 3 || k->tag > 3 || (address && config->data_address && n == 0) ||
        (!placeholder &&
         config->data_value != ((k->fields & ETM_FIELD_VALUE) != 0)))
        return ETM_ERR_ARGUMENT;
    if (address)
        header |= 0x20;
    etm_writer_u8(w, (uint8_t)(header | ss << 2));
    for (unsigned i = 0; i < n; i++)
        etm_writer_u8(w, (uint8_t)((k->address >> (7 * i) & 0x7fu) |
                                   (i + 1 < n ? 0x80u : 0)));
    if (config->data_value)
        etm_writer_le(w, k->value, sizes[ss]);
    return ETM_OK;
}

int etm_etmv2_put(const struct etm_config *config,
                  const struct etm_packet *packet, bool more,
                  struct etm_writer *w)
{
    unsigned c = more ? ETM_ETMV2_MORE : 0;
    unsigned tag = packet->tag & 3u;

    switch (packet->kind) {
    case ETM_PACKET_BRANCH_ADDRESS:
        return more ? ETM_ERR_ARGUMENT : put_branch(packet, w);
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_LSIP_I_SYNC:
        return more ? ETM_ERR_ARGUMENT : put_tfo(config, packet, w);
    case ETM_PACKET_NORMAL_DATA:
        return put_data(config, packet, c | 0x02, w);
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
        return put_data(config, packet, c | 0x50 | tag << 2, w);
    case ETM_PACKET_OUT_OF_ORDER_DATA:
        if ((packet->fields & ETM_FIELD_A) != 0)
            return ETM_ERR_ARGUMENT;
        return put_data(config, packet, c | tag << 5, w);
    case ETM_PACKET_VALUE_NOT_TRACED:
        etm_writer_u8(w, (uint8_t)(c | 0x6a));
        return ETM_OK;
    case ETM_PACKET_CONTEXT_ID:
        if (config->context_id_bytes == 0 || !context_id_fits(config, packet))
            return ETM_ERR_ARGUMENT;
        etm_writer_u8(w, (uint8_t)(c | 0x6e));
        etm_writer_le(w, packet->context_id, config->context_id_bytes);
        return ETM_OK;
    }
    return ETM_ERR_ARGUMENT;
}
