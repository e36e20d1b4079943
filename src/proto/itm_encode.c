/* SPDX-License-Identifier: Apache-2.0 */
/* ITM and DWT: packets to bytes. */
#include "proto/itm.h"

#define SYNC_BYTES 6u
#define SYNC_END 0x80u

/* The SS bits of a source packet: log2 of its payload, plus 1. 0: no packet has
 * as many bytes. */
static unsigned size_bits(unsigned bytes)
{
    return bytes == 1 || bytes == 2 ? bytes : bytes == 4 ? 3 : 0;
}

/* `n` bytes that hold `bits` bits each; 0: so many as hold the value. */
static unsigned bytes_for(uint64_t value, unsigned n, unsigned bits)
{
    if (n != 0)
        return n;
    do {
        n++;
        value >>= bits;
    } while (value != 0);
    return n;
}

static bool fits(uint64_t value, unsigned bits)
{
    return bits >= 64 || value >> bits == 0;
}

/* Bytes of seven bits, the last of them without ETM_ITM_MORE. */
static void put_continued(struct etm_writer *w, uint64_t value, unsigned n)
{
    for (; n > 1; n--, value >>= 7)
        etm_writer_u8(w, (uint8_t)((value & 0x7f) | ETM_ITM_MORE));
    etm_writer_u8(w, (uint8_t)(value & 0x7f));
}

static int put_synchronization(const struct etm_packet *p, struct etm_writer *w)
{
    uint32_t n = p->size != 0 ? p->size : SYNC_BYTES;

    if (n < SYNC_BYTES || n > ETM_PACKET_BYTES_MAX)
        return ETM_ERR_ARGUMENT;
    for (; n > 1; n--)
        etm_writer_u8(w, 0);
    etm_writer_u8(w, SYNC_END);
    return ETM_OK;
}

/* A source packet: five bits of address, and a payload of 1, 2 or 4 bytes. */
static int put_source(unsigned address, bool hardware, uint64_t value,
                      unsigned bytes, struct etm_writer *w)
{
    if (bytes == 0) {
        bytes = bytes_for(value, 0, 8);
        bytes += bytes == 3;
    }
    if (address > 31 || size_bits(bytes) == 0 || !fits(value, 8 * bytes))
        return ETM_ERR_ARGUMENT;
    etm_writer_u8(w, (uint8_t)(address << 3 |
                               (hardware ? ETM_ITM_HARDWARE : 0) |
                               size_bits(bytes)));
    etm_writer_le(w, value, bytes);
    return ETM_OK;
}

static int put_exception(const struct etm_packet *p, struct etm_writer *w)
{
    if (p->exception > 0x1ff || p->reason > 3)
        return ETM_ERR_ARGUMENT;
    return put_source(ETM_ITM_EXCEPTION, true,
                      (uint64_t)p->reason << 12 | p->exception, 2, w);
}

/* One byte of 0 or 0xff instead of an address: no instruction executes, or
 * which one does may not be shown. */
static int put_pc_sample(const struct etm_packet *p, struct etm_writer *w)
{
    if ((p->fields & ETM_FIELD_ADDRESS) != 0)
        return put_source(ETM_ITM_PC_SAMPLE, true, p->address, 4, w);
    if (p->value != 0 && p->value != 0xff)
        return ETM_ERR_ARGUMENT;
    return put_source(ETM_ITM_PC_SAMPLE, true, p->value, 1, w);
}

/* Data trace of the comparator in `tag`. */
static int put_data(const struct etm_packet *p, unsigned discriminator,
                    uint64_t value, unsigned bytes, struct etm_writer *w)
{
    if (p->tag > 3)
        return ETM_ERR_ARGUMENT;
    return put_source(discriminator | (unsigned)p->tag << 1, true, value, bytes,
                      w);
}

/* What stays `hardware` when it is decoded. */
static int put_hardware(const struct etm_packet *p, struct etm_writer *w)
{
    static const uint32_t sizes[] = {
        [ETM_ITM_EVENT_COUNTER] = 1u << 1,
        [ETM_ITM_EXCEPTION] = 1u << 2,
        [ETM_ITM_PC_SAMPLE] = 1u << 4,
    };
    unsigned bytes = p->value_bytes, discriminator = p->tag;
    unsigned data = discriminator & ETM_ITM_DATA_MASK;

    if (discriminator < sizeof sizes / sizeof *sizes &&
        sizes[discriminator] >> bytes & 1)
        return ETM_ERR_ARGUMENT;
    if (discriminator == ETM_ITM_PC_SAMPLE && bytes == 1 &&
        (p->value == 0 || p->value == 0xff))
        return ETM_ERR_ARGUMENT;
    if (data == ETM_ITM_DATA_VALUE ||
        (data == ETM_ITM_DATA_PLACE &&
         ((discriminator & ETM_ITM_DATA_SECOND) != 0 ? bytes == 2
                                                     : bytes != 2)))
        return ETM_ERR_ARGUMENT;
    return bytes != 0 ? put_source(discriminator, true, p->value, bytes, w)
                      : ETM_ERR_ARGUMENT;
}

/* The short form, without bytes, has the values 1 to 6 (D4.2.4). */
static int put_local(const struct etm_packet *p, struct etm_writer *w)
{
    unsigned n = p->value_bytes;

    if (n == 0 && p->tag == 0 && p->value >= 1 && p->value <= 6) {
        etm_writer_u8(w, (uint8_t)(p->value << 4));
        return ETM_OK;
    }
    n = bytes_for(p->value, n, 7);
    if (n > 4 || !fits(p->value, 7 * n) || p->tag > 3)
        return ETM_ERR_ARGUMENT;
    etm_writer_u8(w, (uint8_t)(0xc0u | (unsigned)p->tag << 4));
    put_continued(w, p->value, n);
    return ETM_OK;
}

/* Wrap and ClkCh are in the fourth byte only (D4.2.5). */
static int put_global_1(const struct etm_packet *p, struct etm_writer *w)
{
    bool flags = p->tag != 0 || (p->fields & ETM_FIELD_R) != 0;
    unsigned n = bytes_for(p->value, p->value_bytes, 7);
    uint64_t value = p->value;

    if (p->value_bytes == 0 && flags)
        n = 4;
    if (n > 4 || p->tag > 1 || (flags && n != 4) ||
        !fits(value, n == 4 ? ETM_ITM_LOW_BITS : 7 * n))
        return ETM_ERR_ARGUMENT;
    if (p->tag != 0)
        value |= (uint64_t)ETM_ITM_WRAP << 21;
    if ((p->fields & ETM_FIELD_R) != 0)
        value |= (uint64_t)ETM_ITM_CLOCK_CHANGE << 21;
    etm_writer_u8(w, 0x94);
    put_continued(w, value, n);
    return ETM_OK;
}

static int put_global_2(const struct etm_packet *p, struct etm_writer *w)
{
    unsigned n = p->value_bytes;

    if (n == 0)
        n = fits(p->value, 48 - ETM_ITM_LOW_BITS) ? ETM_ITM_HIGH_BYTES_48
                                                  : ETM_ITM_HIGH_BYTES_64;
    if ((n != ETM_ITM_HIGH_BYTES_48 && n != ETM_ITM_HIGH_BYTES_64) ||
        !fits(p->value, 7 * n))
        return ETM_ERR_ARGUMENT;
    etm_writer_u8(w, 0xb4);
    put_continued(w, p->value, n);
    return ETM_OK;
}

/* EX[2:0] in the header, seven bits a byte after it, and in the fourth eight
 * (D4.2.6). */
static int put_extension(const struct etm_packet *p, struct etm_writer *w)
{
    unsigned header = 0x08u | (unsigned)(p->value & 7) << 4;
    uint64_t rest = p->value >> 3;
    unsigned n = p->value_bytes;

    if (n == 0 && rest != 0) {
        n = bytes_for(rest, 0, 7);
        n = n < 4 ? n : 4;
    }
    /* without a byte after it and not of hardware it is a page number */
    if (n > 4 || p->tag > 1 || (n == 0 && p->tag == 0) ||
        !fits(rest, n == 4 ? 29 : 7 * n))
        return ETM_ERR_ARGUMENT;
    if (p->tag != 0)
        header |= ETM_ITM_HARDWARE;
    etm_writer_u8(w, (uint8_t)(n != 0 ? header | ETM_ITM_MORE : header));
    for (unsigned i = 1; i <= n; i++, rest >>= 7)
        etm_writer_u8(w, (uint8_t)(i == 4 ? rest
                                   : i < n ? (rest & 0x7f) | ETM_ITM_MORE
                                           : rest & 0x7f));
    return ETM_OK;
}

static int put_reserved(const struct etm_packet *p, struct etm_writer *w)
{
    const struct etm_itm_header_row *rows;
    size_t n;

    rows = etm_itm_header_rows(&n);
    for (size_t i = 0; i < n; i++)
        if ((p->header & rows[i].mask) == rows[i].value &&
            rows[i].kind == ETM_ITM_HEADER_RESERVED) {
            etm_writer_u8(w, p->header);
            return ETM_OK;
        }
    return ETM_ERR_ARGUMENT;
}

static int put(const struct etm_packet *p, struct etm_writer *w)
{
    switch ((unsigned)p->kind) {
    case ETM_PACKET_BAD:
    case ETM_PACKET_UNSYNCHRONIZED:
        return ETM_ERR_UNSUPPORTED;
    case ETM_PACKET_RESERVED:
        return put_reserved(p, w);
    case ETM_PACKET_SYNCHRONIZATION:
        return put_synchronization(p, w);
    case ETM_PACKET_OVERFLOW:
        etm_writer_u8(w, 0x70);
        return ETM_OK;
    case ETM_PACKET_LOCAL_TIMESTAMP:
        return put_local(p, w);
    case ETM_PACKET_GLOBAL_TIMESTAMP_1:
        return put_global_1(p, w);
    case ETM_PACKET_GLOBAL_TIMESTAMP_2:
        return put_global_2(p, w);
    case ETM_PACKET_EXTENSION:
        return put_extension(p, w);
    case ETM_PACKET_STIMULUS_PORT_PAGE:
        if (p->value > 7)
            return ETM_ERR_ARGUMENT;
        etm_writer_u8(w, (uint8_t)(0x08u | (unsigned)p->value << 4));
        return ETM_OK;
    case ETM_PACKET_INSTRUMENTATION:
        return put_source(p->tag, false, p->value, p->value_bytes, w);
    case ETM_PACKET_EVENT_COUNTER:
        return p->value > 0x3f
                   ? ETM_ERR_ARGUMENT
                   : put_source(ETM_ITM_EVENT_COUNTER, true, p->value, 1, w);
    case ETM_PACKET_EXCEPTION_TRACE:
        return put_exception(p, w);
    case ETM_PACKET_PC_SAMPLE:
        return put_pc_sample(p, w);
    case ETM_PACKET_DATA_TRACE_PC:
        return put_data(p, ETM_ITM_DATA_PLACE, p->address, 4, w);
    case ETM_PACKET_DATA_TRACE_ADDRESS:
        return put_data(p, ETM_ITM_DATA_PLACE | ETM_ITM_DATA_SECOND, p->address,
                        2, w);
    case ETM_PACKET_DATA_TRACE_MATCH:
        return put_data(p, ETM_ITM_DATA_PLACE, p->value, 1, w);
    case ETM_PACKET_DATA_TRACE_VALUE:
        return p->reason > 1
                   ? ETM_ERR_ARGUMENT
                   : put_data(p, ETM_ITM_DATA_VALUE | p->reason, p->value,
                              p->value_bytes, w);
    case ETM_PACKET_HARDWARE:
        return put_hardware(p, w);
    }
    return ETM_ERR_ARGUMENT;
}

int etm_itm_encode(const struct etm_config *config,
                   const struct etm_packet *packet, struct etm_writer *w)
{
    struct etm_writer start = *w;
    int status = put(packet, w);

    (void)config;
    if (status == ETM_OK && w->full)
        status = ETM_ERR_ARGUMENT;
    if (status != ETM_OK)
        *w = start;
    return status;
}
