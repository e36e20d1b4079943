/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: what statuses and header bytes mean, and how a packet of the FIFO goes
 * on after its header. */
#include "proto/etmv2.h"

#include "base/cursor.h"

/* Table 6-1. */
const struct etm_etmv2_status_row etm_etmv2_statuses[ETM_ETMV2_STATUSES] = {
    /* 0000 IE */ {0xf, 0x0, ETM_UNKNOWN, ETM_TRUE, false},
    /* 0001 DE */ {0xf, 0x1, ETM_UNKNOWN, ETM_TRUE, true},
    /* 0010 IN */ {0xf, 0x2, ETM_UNKNOWN, ETM_FALSE, false},
    /* 0011 DN */ {0xf, 0x3, ETM_UNKNOWN, ETM_FALSE, true},
    /* 0100 WT */ {0xf, 0x4, ETM_UNKNOWN, ETM_UNKNOWN, false},
    /* 0101 DW */ {0xf, 0x5, ETM_UNKNOWN, ETM_UNKNOWN, true},
    /* 011x TR, TD */ {0xe, 0x6, ETM_UNKNOWN, ETM_UNKNOWN, false},
    /* 1000 PTIE */ {0xf, 0x8, ETM_TRUE, ETM_TRUE, false},
    /* 1001 PTDE */ {0xf, 0x9, ETM_TRUE, ETM_TRUE, true},
    /* 1010 PTIN */ {0xf, 0xa, ETM_TRUE, ETM_FALSE, false},
    /* 1011 PTDN */ {0xf, 0xb, ETM_TRUE, ETM_FALSE, true},
    /* 1100 PNIE */ {0xf, 0xc, ETM_FALSE, ETM_TRUE, false},
    /* 1101 PNDE */ {0xf, 0xd, ETM_FALSE, ETM_TRUE, true},
    /* 1110 PNIN */ {0xf, 0xe, ETM_FALSE, ETM_FALSE, false},
    /* 1111 PNDN */ {0xf, 0xf, ETM_FALSE, ETM_FALSE, true},
};

/* Table 6-2. C: another packet of the group follows; x: nothing. */
static const struct etm_etmv2_header_row header_rows[] = {
    /* cxxxxxx1 */ {0x01, 0x01, ETM_PACKET_BRANCH_ADDRESS},
    /* C0A0SS10 */ {0x53, 0x02, ETM_PACKET_NORMAL_DATA},
    /* C1A1TT00 */ {0x53, 0x50, ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER},
    /* CTT0SS00 */ {0x13, 0x00, ETM_PACKET_OUT_OF_ORDER_DATA},
    /* C1101010 */ {0x7f, 0x6a, ETM_PACKET_VALUE_NOT_TRACED},
    /* C1101110 */ {0x7f, 0x6e, ETM_PACKET_CONTEXT_ID},
    /* x0x1xx00 */ {0x53, 0x10, ETM_PACKET_RESERVED},
    /* x0x1xx10 */ {0x53, 0x12, ETM_PACKET_RESERVED},
    /* x10xxx10 */ {0x63, 0x42, ETM_PACKET_RESERVED},
    /* x1100x10 */ {0x7b, 0x62, ETM_PACKET_RESERVED},
    /* x111xx10 */ {0x73, 0x72, ETM_PACKET_RESERVED},
};

const struct etm_etmv2_header_row *etm_etmv2_header_rows(size_t *n)
{
    *n = sizeof header_rows / sizeof header_rows[0];
    return header_rows;
}

uint8_t etm_etmv2_kind(unsigned header)
{
    for (size_t i = 0; i < sizeof header_rows / sizeof header_rows[0]; i++)
        if ((header & header_rows[i].mask) == header_rows[i].value)
            return header_rows[i].kind;
    return ETM_PACKET_RESERVED;
}

/* Table 6-3. */
static const uint8_t value_sizes[4] = {0, 1, 2, 4};

/* After the address that begins at `from`; 0: it goes on. */
static unsigned address_end(const uint8_t *bytes, unsigned from, unsigned n)
{
    for (unsigned i = from; i < n; i++)
        if ((bytes[i] & 0x80u) == 0 || i - from == 4)
            return i + 1;
    return 0;
}

static unsigned least_of(unsigned end, unsigned n)
{
    return end != 0 ? end : n + 1;
}

unsigned etm_etmv2_least(const struct etm_etmv2_fifo *fifo, bool tfo,
                         const uint8_t *bytes, unsigned n)
{
    unsigned kind = fifo->kinds[bytes[0]], least = 1;

    if (tfo && (bytes[0] & ETM_ETMV2_TFO_MASK) != 0)
        return 1; /* it is none */
    if (tfo) {
        least = 5u + fifo->context_id_bytes;
        if (n < least || (bytes[0] & ETM_ETMV2_LSIP) == 0)
            return least;
        return least_of(address_end(bytes, least, n), n);
    }
    if (kind == ETM_PACKET_BRANCH_ADDRESS)
        return least_of(address_end(bytes, 0, n), n);
    if (kind == ETM_PACKET_CONTEXT_ID)
        return 1u + fifo->context_id_bytes;
    if ((kind == ETM_PACKET_NORMAL_DATA ||
         kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) &&
        (bytes[0] & 0x20u) != 0 && fifo->address) {
        least = address_end(bytes, 1, n);
        if (least == 0)
            return n + 1;
        if ((bytes[least - 1] & 0x80u) != 0) /* it is none */
            return least;
    }
    if (fifo->value && (kind == ETM_PACKET_NORMAL_DATA ||
                        kind == ETM_PACKET_OUT_OF_ORDER_DATA))
        least += value_sizes[bytes[0] >> 2 & 3u];
    return least;
}

/* An address of 6.7.1, as it stands in a packet. */
struct code_address {
    uint32_t value; /* before the shift */
    uint8_t bits, bytes;
    uint8_t isa; /* enum etm_isa, of five bytes */
    bool e;
};

/*
 * 6 bits, then 7 a byte. The fifth one ends with the 1 that stood in bit 32 of
 * the address: 0E001xxx in ARM state, 0001xxxx in Thumb state (table 6-9).
 * False: it is reserved.
 */
static bool code_address(struct etm_cursor *c, struct code_address *a)
{
    uint8_t byte = etm_cursor_u8(c);

    *a = (struct code_address){
        .value = byte >> 1 & 0x3fu, .bits = 6, .bytes = 1};
    while ((byte & 0x80u) != 0 && a->bytes < 4) {
        byte = etm_cursor_u8(c);
        a->value |= (uint32_t)(byte & 0x7fu) << a->bits;
        a->bits = (uint8_t)(a->bits + 7);
        a->bytes++;
    }
    if ((byte & 0x80u) == 0)
        return true;
    byte = etm_cursor_u8(c);
    a->bytes = 5;
    if ((byte & 0xb8u) == 0x08u) {
        a->value |= (uint32_t)(byte & 0x07u) << 27;
        a->bits = 30;
        a->isa = ETM_ISA_ARM;
        a->e = (byte & ETM_ETMV2_E) != 0;
        return true;
    }
    a->value |= (uint32_t)(byte & 0x0fu) << 27;
    a->bits = 31;
    a->isa = ETM_ISA_THUMB;
    return (byte & 0xf0u) == 0x10u;
}

/* 6.4.2: 7, 7, 7, 7 and 4 bits (doc/errata.md). */
static bool data_address(struct etm_cursor *c, struct etm_packet *p)
{
    unsigned n = 0;
    uint8_t byte;

    do {
        byte = etm_cursor_u8(c);
        p->address |= (uint32_t)(byte & (n < 4 ? 0x7fu : 0x0fu)) << (7 * n);
        n++;
    } while ((byte & 0x80u) != 0 && n < 5);
    p->address_bytes = (uint8_t)n;
    p->address_bits = (uint8_t)(n < 5 ? 7 * n : 32);
    p->fields |= ETM_FIELD_ADDRESS;
    return (byte & 0x80u) == 0;
}

/* Table 6-3; without value tracing the size bits mean nothing. */
static void data_value(const struct etm_etmv2_fifo *fifo, struct etm_cursor *c,
                       struct etm_packet *p)
{
    if (!fifo->value)
        return;
    p->value_bytes = value_sizes[p->header >> 2 & 3u];
    p->value = etm_cursor_le(c, p->value_bytes);
    p->fields |= ETM_FIELD_VALUE;
}

static bool context_id(const struct etm_etmv2_fifo *fifo, struct etm_cursor *c,
                       struct etm_packet *p)
{
    if (fifo->context_id_bytes == 0)
        return false;
    p->context_id = (uint32_t)etm_cursor_le(c, fifo->context_id_bytes);
    p->fields |= ETM_FIELD_CONTEXT_ID;
    return true;
}

static bool branch(struct etm_cursor *c, struct etm_packet *p)
{
    struct code_address a;
    bool good;

    c->next--; /* it has no header */
    good = code_address(c, &a);
    p->address = a.value;
    p->address_bits = a.bits;
    p->address_bytes = a.bytes;
    p->isa = a.isa;
    p->fields |= ETM_FIELD_ADDRESS;
    if (a.e)
        p->fields |= ETM_FIELD_CANCEL;
    return good;
}

/* 6.4.1 to 6.4.5. False: there is no such packet. */
static bool packet(const struct etm_etmv2_fifo *fifo, struct etm_cursor *c,
                   struct etm_packet *p)
{
    unsigned kind = fifo->kinds[p->header];

    p->kind = (uint8_t)kind;
    if (kind == ETM_PACKET_BRANCH_ADDRESS)
        return branch(c, p);
    if (kind == ETM_PACKET_CONTEXT_ID)
        return context_id(fifo, c, p);
    if (kind == ETM_PACKET_OUT_OF_ORDER_DATA)
        p->tag = p->header >> 5 & 3u;
    if (kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
        p->tag = p->header >> 2 & 3u;
    if ((kind == ETM_PACKET_NORMAL_DATA ||
         kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) &&
        (p->header & 0x20u) != 0) {
        p->fields |= ETM_FIELD_A;
        if (fifo->address && !data_address(c, p))
            return false;
    }
    if (kind == ETM_PACKET_NORMAL_DATA || kind == ETM_PACKET_OUT_OF_ORDER_DATA)
        data_value(fifo, c, p);
    return kind != ETM_PACKET_RESERVED;
}

/* 6.5.3 to 6.5.5. */
static bool tfo_packet(const struct etm_etmv2_fifo *fifo, struct etm_cursor *c,
                       struct etm_packet *p)
{
    struct code_address a;
    bool good = true;
    uint32_t address;

    if ((p->header & ETM_ETMV2_TFO_MASK) != 0)
        return false;
    p->kind = (p->header & ETM_ETMV2_LSIP) != 0 ? ETM_PACKET_LSIP_I_SYNC
                                                : ETM_PACKET_I_SYNC;
    p->reason = p->header >> 5 & 3u;
    (void)context_id(fifo, c, p);
    address = (uint32_t)etm_cursor_le(c, 4);
    p->isa = (address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    p->address = address & ~(uint32_t)1;
    p->address_bits = 32;
    p->address_bytes = 4;
    p->fields |= ETM_FIELD_ADDRESS;
    if (p->kind == ETM_PACKET_LSIP_I_SYNC) {
        good = code_address(c, &a);
        p->address2 = a.value;
        p->address2_bits = a.bits;
        p->address2_bytes = a.bytes;
        p->isa2 = a.isa;
    }
    return good;
}

enum etm_etmv2_parse etm_etmv2_parse(const struct etm_etmv2_fifo *fifo,
                                     bool tfo, const uint8_t *bytes, size_t n,
                                     struct etm_packet *p, bool *ends)
{
    struct etm_cursor c = etm_cursor_of(bytes, n);
    bool good;

    *p = (struct etm_packet){.header = etm_cursor_u8(&c)};
    if (c.short_read)
        return ETM_ETMV2_INCOMPLETE;
    good = tfo ? tfo_packet(fifo, &c, p) : packet(fifo, &c, p);
    *ends = tfo || p->kind == ETM_PACKET_BRANCH_ADDRESS ||
            (p->header & ETM_ETMV2_MORE) == 0;
    if (c.short_read)
        return ETM_ETMV2_INCOMPLETE;
    return good ? ETM_ETMV2_COMPLETE : ETM_ETMV2_RESERVED;
}
