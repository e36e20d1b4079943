/* SPDX-License-Identifier: Apache-2.0 */
/* ITM and DWT: bytes to packets. */
#include "proto/itm.h"

#include <string.h>

#define SYNC_END 0x80u

static const struct etm_itm_header_row rows[] = {
    /* 00000000 */ {0xff, 0x00, ETM_ITM_HEADER_SYNCHRONIZATION},
    /* 0TTT0000 */ {0xff, 0x10, ETM_ITM_HEADER_LOCAL_TIMESTAMP_2},
    /*          */ {0xef, 0x20, ETM_ITM_HEADER_LOCAL_TIMESTAMP_2},
    /*          */ {0xef, 0x40, ETM_ITM_HEADER_LOCAL_TIMESTAMP_2},
    /*          */ {0xff, 0x60, ETM_ITM_HEADER_LOCAL_TIMESTAMP_2},
    /* 01110000 */ {0xff, 0x70, ETM_ITM_HEADER_OVERFLOW},
    /* 10xx0000 */ {0xcf, 0x80, ETM_ITM_HEADER_RESERVED},
    /* 11TC0000 */ {0xcf, 0xc0, ETM_ITM_HEADER_LOCAL_TIMESTAMP_1},
    /* 0xxx0100 */ {0x8f, 0x04, ETM_ITM_HEADER_RESERVED},
    /* 10000100 */ {0xff, 0x84, ETM_ITM_HEADER_RESERVED},
    /* 10010100 */ {0xff, 0x94, ETM_ITM_HEADER_GLOBAL_TIMESTAMP_1},
    /* 10100100 */ {0xff, 0xa4, ETM_ITM_HEADER_RESERVED},
    /* 10110100 */ {0xff, 0xb4, ETM_ITM_HEADER_GLOBAL_TIMESTAMP_2},
    /* 11xx0100 */ {0xcf, 0xc4, ETM_ITM_HEADER_RESERVED},
    /* 0PPP1000 */ {0x8f, 0x08, ETM_ITM_HEADER_PORT_PAGE},
    /* 0EEE1100 */ {0x8f, 0x0c, ETM_ITM_HEADER_EXTENSION},
    /* 1EEE1S00 */ {0x8b, 0x88, ETM_ITM_HEADER_EXTENSION},
    /* AAAAA0SS */ {0x07, 0x01, ETM_ITM_HEADER_INSTRUMENTATION},
    /*          */ {0x07, 0x02, ETM_ITM_HEADER_INSTRUMENTATION},
    /*          */ {0x07, 0x03, ETM_ITM_HEADER_INSTRUMENTATION},
    /* AAAAA1SS */ {0x07, 0x05, ETM_ITM_HEADER_HARDWARE},
    /*          */ {0x07, 0x06, ETM_ITM_HEADER_HARDWARE},
    /*          */ {0x07, 0x07, ETM_ITM_HEADER_HARDWARE},
};

const struct etm_itm_header_row *etm_itm_header_rows(size_t *n)
{
    *n = sizeof rows / sizeof *rows;
    return rows;
}

static enum etm_itm_header header_kind(uint8_t header)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((header & rows[i].mask) == rows[i].value)
            return (enum etm_itm_header)rows[i].kind;
    return ETM_ITM_HEADER_RESERVED;
}

/* Bytes after the header, at most; *counted: exactly so many, otherwise up to
 * one without ETM_ITM_MORE. */
static unsigned payload_most(uint8_t header, bool *counted)
{
    *counted = true;
    switch (header_kind(header)) {
    case ETM_ITM_HEADER_RESERVED:
    case ETM_ITM_HEADER_SYNCHRONIZATION:
    case ETM_ITM_HEADER_OVERFLOW:
    case ETM_ITM_HEADER_LOCAL_TIMESTAMP_2:
    case ETM_ITM_HEADER_PORT_PAGE:
        break;
    case ETM_ITM_HEADER_INSTRUMENTATION:
    case ETM_ITM_HEADER_HARDWARE:
        return 1u << ((header & ETM_ITM_SIZE) - 1u);
    case ETM_ITM_HEADER_EXTENSION:
        *counted = false;
        return (header & ETM_ITM_MORE) != 0 ? 4 : 0;
    case ETM_ITM_HEADER_LOCAL_TIMESTAMP_1:
    case ETM_ITM_HEADER_GLOBAL_TIMESTAMP_1:
        *counted = false;
        return 4;
    case ETM_ITM_HEADER_GLOBAL_TIMESTAMP_2:
        *counted = false;
        return ETM_ITM_HIGH_BYTES_64;
    }
    return 0;
}

static bool is_complete(const uint8_t *bytes, unsigned n)
{
    bool counted;
    unsigned most = payload_most(bytes[0], &counted);

    return n == 1 + most ||
           (!counted && n > 1 && (bytes[n - 1] & ETM_ITM_MORE) == 0);
}

/* `n` bytes, the lowest first, of `bits` bits each. */
static uint64_t assemble(const uint8_t *bytes, unsigned n, unsigned bits)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)(bytes[i] & ((1u << bits) - 1u)) << (bits * i);
    return value;
}

static void parse_global(struct etm_packet *p, const uint8_t *payload,
                         unsigned n)
{
    bool first = p->kind == ETM_PACKET_GLOBAL_TIMESTAMP_1;

    p->value = assemble(payload, n, 7);
    if (!first && n != ETM_ITM_HIGH_BYTES_48 && n != ETM_ITM_HIGH_BYTES_64)
        p->kind = ETM_PACKET_BAD;
    if (!first || n < 4)
        return;
    p->value &= (UINT64_C(1) << ETM_ITM_LOW_BITS) - 1;
    p->tag = (payload[3] & ETM_ITM_WRAP) != 0;
    if ((payload[3] & ETM_ITM_CLOCK_CHANGE) != 0)
        p->fields = ETM_FIELD_R;
}

/* EX[2:0] are in the header; the last of four bytes has eight more, the others
 * seven (D4.2.6). */
static void parse_extension(struct etm_packet *p, const uint8_t *payload,
                            unsigned n)
{
    p->tag = (p->header & ETM_ITM_HARDWARE) != 0;
    p->value = assemble(payload, n < 4 ? n : 3, 7) << 3 |
               (n == 4 ? (uint64_t)payload[3] << 24 : 0) |
               (p->header >> 4 & 7u);
}

static void set_address(struct etm_packet *p, unsigned bits)
{
    p->fields = ETM_FIELD_ADDRESS;
    p->address = (uint32_t)p->value;
    p->address_bits = (uint8_t)bits;
    p->address_bytes = p->value_bytes;
    p->value = 0;
    p->value_bytes = 0;
}

/* Data trace: the comparator is in bits [2:1] of the discriminator. */
static void parse_data(struct etm_packet *p, unsigned discriminator)
{
    bool second = (discriminator & ETM_ITM_DATA_SECOND) != 0;
    uint8_t comparator = discriminator >> 1 & 3u;

    if ((discriminator & ETM_ITM_DATA_MASK) == ETM_ITM_DATA_VALUE) {
        p->kind = ETM_PACKET_DATA_TRACE_VALUE;
        p->tag = comparator;
        p->fields = ETM_FIELD_VALUE;
        p->reason = second;
    } else if (second && p->value_bytes == 2) {
        p->kind = ETM_PACKET_DATA_TRACE_ADDRESS;
        p->tag = comparator;
        set_address(p, 16);
    } else if (!second && p->value_bytes == 4) {
        p->kind = ETM_PACKET_DATA_TRACE_PC;
        p->tag = comparator;
        set_address(p, 32);
    } else if (!second && p->value_bytes == 1) {
        p->kind = ETM_PACKET_DATA_TRACE_MATCH; /* ARMv8-M */
        p->tag = comparator;
    }
}

/* Of a size that the discriminator does not have, it stays `hardware`. */
static void parse_hardware(struct etm_packet *p)
{
    unsigned discriminator = p->header >> 3;
    unsigned n = p->value_bytes;

    p->tag = (uint8_t)discriminator;
    if (discriminator == ETM_ITM_EVENT_COUNTER && n == 1) {
        p->kind = ETM_PACKET_EVENT_COUNTER;
        p->value &= 0x3f;
    } else if (discriminator == ETM_ITM_EXCEPTION && n == 2) {
        p->kind = ETM_PACKET_EXCEPTION_TRACE;
        p->exception = p->value & 0x1ff;
        p->reason = p->value >> 12 & 3u;
        p->value = 0;
        p->value_bytes = 0;
    } else if (discriminator == ETM_ITM_PC_SAMPLE && n == 4) {
        p->kind = ETM_PACKET_PC_SAMPLE;
        set_address(p, 32);
    } else if (discriminator == ETM_ITM_PC_SAMPLE && n == 1 &&
               (p->value == 0 || p->value == 0xff)) {
        p->kind = ETM_PACKET_PC_SAMPLE;
    } else if ((discriminator & ETM_ITM_DATA_MASK) == ETM_ITM_DATA_PLACE ||
               (discriminator & ETM_ITM_DATA_MASK) == ETM_ITM_DATA_VALUE) {
        parse_data(p, discriminator);
        return;
    } else {
        return;
    }
    p->tag = 0;
}

/* Make the packet of `n` bytes, which are all that its header asks for. */
static void parse(struct etm_packet *p, const uint8_t *bytes, unsigned n)
{
    const uint8_t *payload = bytes + 1;
    bool cut;

    p->header = bytes[0];
    p->value_bytes = (uint8_t)(n - 1);
    cut = n > 1 && (bytes[n - 1] & ETM_ITM_MORE) != 0;
    switch (header_kind(bytes[0])) {
    case ETM_ITM_HEADER_RESERVED:
    case ETM_ITM_HEADER_SYNCHRONIZATION:
        p->kind = ETM_PACKET_RESERVED;
        break;
    case ETM_ITM_HEADER_OVERFLOW:
        p->kind = ETM_PACKET_OVERFLOW;
        break;
    case ETM_ITM_HEADER_LOCAL_TIMESTAMP_1:
        p->kind = cut ? ETM_PACKET_BAD : ETM_PACKET_LOCAL_TIMESTAMP;
        p->tag = bytes[0] >> 4 & 3u;
        p->value = assemble(payload, n - 1, 7);
        break;
    case ETM_ITM_HEADER_LOCAL_TIMESTAMP_2:
        p->kind = ETM_PACKET_LOCAL_TIMESTAMP;
        p->value = bytes[0] >> 4;
        break;
    case ETM_ITM_HEADER_GLOBAL_TIMESTAMP_1:
    case ETM_ITM_HEADER_GLOBAL_TIMESTAMP_2:
        p->kind = cut ? ETM_PACKET_BAD
                  : header_kind(bytes[0]) == ETM_ITM_HEADER_GLOBAL_TIMESTAMP_1
                      ? ETM_PACKET_GLOBAL_TIMESTAMP_1
                      : ETM_PACKET_GLOBAL_TIMESTAMP_2;
        if (!cut)
            parse_global(p, payload, n - 1);
        break;
    case ETM_ITM_HEADER_EXTENSION:
        p->kind = ETM_PACKET_EXTENSION;
        parse_extension(p, payload, n - 1);
        break;
    case ETM_ITM_HEADER_PORT_PAGE:
        p->kind = ETM_PACKET_STIMULUS_PORT_PAGE;
        p->value = bytes[0] >> 4;
        break;
    case ETM_ITM_HEADER_INSTRUMENTATION:
        p->kind = ETM_PACKET_INSTRUMENTATION;
        p->tag = bytes[0] >> 3;
        p->value = assemble(payload, n - 1, 8);
        break;
    case ETM_ITM_HEADER_HARDWARE:
        p->kind = ETM_PACKET_HARDWARE;
        p->value = assemble(payload, n - 1, 8);
        parse_hardware(p);
        break;
    }
    if (p->kind == ETM_PACKET_BAD) { /* it has no fields (etm/packet.h) */
        p->value = 0;
        p->value_bytes = p->tag = 0;
    }
}

void etm_itm_decoder_init(struct etm_itm_decoder *d,
                          const struct etm_config *config)
{
    (void)config;
    memset(d, 0, sizeof *d);
}

void etm_itm_decoder_enter(struct etm_itm_decoder *d, uint64_t offset)
{
    d->offset = offset;
}

/* Output a packet of `size` bytes; there is room. */
static struct etm_packet *emit(struct etm_itm_decoder *d, struct etm_vec *out,
                               unsigned kind, uint32_t size)
{
    struct etm_packet *p = (struct etm_packet *)out->data + out->n++;

    *p = (struct etm_packet){
        .offset = d->offset, .size = size, .kind = (uint8_t)kind};
    d->offset += size;
    return p;
}

/* Output zeros that are no synchronization. */
static struct etm_packet *emit_zeros(struct etm_itm_decoder *d,
                                     struct etm_vec *out, uint32_t n)
{
    d->zeros -= n;
    return emit(d, out, ETM_PACKET_BAD, n);
}

/* A byte that is not in a packet yet: is it in a synchronization? */
static bool take_sync(struct etm_itm_decoder *d, uint8_t byte,
                      struct etm_vec *out)
{
    if (byte == 0) {
        d->zeros++;
        if (d->zeros == ETM_PACKET_BYTES_MAX)
            (void)emit_zeros(d, out, d->zeros - ETM_ITM_SYNC_ZEROS);
        return true;
    }
    if (byte == SYNC_END && d->tail == ETM_ITM_SYNC_ZEROS) {
        uint32_t size = d->zeros + 1;

        d->zeros = 0;
        emit(d, out, ETM_PACKET_SYNCHRONIZATION, size)->header =
            size == 1 ? SYNC_END : 0;
        return true;
    }
    if (d->zeros != 0)
        (void)emit_zeros(d, out, d->zeros);
    return false;
}

static void take(struct etm_itm_decoder *d, uint8_t byte, struct etm_vec *out)
{
    if (d->n_carry != 0 || !take_sync(d, byte, out)) {
        d->carry[d->n_carry++] = byte;
        if (is_complete(d->carry, d->n_carry)) {
            parse(emit(d, out, ETM_PACKET_BAD, d->n_carry), d->carry,
                  d->n_carry);
            d->n_carry = 0;
        }
    }
    if (byte != 0)
        d->tail = 0;
    else if (d->tail < ETM_ITM_SYNC_ZEROS)
        d->tail++;
}

int etm_itm_decoder_push(struct etm_itm_decoder *d, const uint8_t *bytes,
                         size_t n, struct etm_vec *out)
{
    /* zeros that were held back are one packet more */
    if (etm_vec_reserve(out, n + 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        take(d, bytes[i], out);
    return ETM_OK;
}

/* Output what was held back. */
static int flush(struct etm_itm_decoder *d, struct etm_vec *out,
                 uint16_t fields)
{
    if (etm_vec_reserve(out, 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    if (d->zeros != 0)
        emit_zeros(d, out, d->zeros)->fields = fields;
    if (d->n_carry != 0) {
        struct etm_packet *p = emit(d, out, ETM_PACKET_BAD, d->n_carry);

        p->header = d->carry[0];
        p->fields = fields;
    }
    d->n_carry = 0;
    d->tail = 0;
    return ETM_OK;
}

int etm_itm_decoder_gap(struct etm_itm_decoder *d, struct etm_vec *out)
{
    return flush(d, out, 0);
}

int etm_itm_decoder_finish(struct etm_itm_decoder *d, struct etm_vec *out)
{
    return flush(d, out, ETM_FIELD_TRUNCATED);
}
