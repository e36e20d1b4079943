/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packets of an ITM and of the DWT behind it: bytes <-> packets (ARMv7-M
 * Architecture Reference Manual, DDI 0403, appendix D4; packets that only
 * ARMv8-M has: DDI 0553, appendix on ITM and DWT packets).
 *
 * The header gives the length of a packet, or the packet ends with the first
 * byte whose bit [7] is 0. Nothing else depends on the configuration.
 */
#ifndef ETM_PROTO_ITM_H
#define ETM_PROTO_ITM_H

#include "base/vec.h"
#include "base/writer.h"

#include <etm/packet.h>

/* A header and a global timestamp of 64 bits (D4.2.5). */
#define ETM_ITM_PACKET_MAX 7u

/* A synchronization packet is at least 47 bits of 0, then a 1 (D4.2.1). */
#define ETM_ITM_SYNC_ZEROS 5u

/* What a header byte begins (table D4-2). */
enum etm_itm_header {
    ETM_ITM_HEADER_RESERVED,
    ETM_ITM_HEADER_SYNCHRONIZATION,
    ETM_ITM_HEADER_OVERFLOW,
    ETM_ITM_HEADER_LOCAL_TIMESTAMP_1,
    ETM_ITM_HEADER_LOCAL_TIMESTAMP_2,
    ETM_ITM_HEADER_GLOBAL_TIMESTAMP_1,
    ETM_ITM_HEADER_GLOBAL_TIMESTAMP_2,
    ETM_ITM_HEADER_EXTENSION, /* with bytes after it, or of hardware */
    ETM_ITM_HEADER_PORT_PAGE,
    ETM_ITM_HEADER_INSTRUMENTATION,
    ETM_ITM_HEADER_HARDWARE
};

struct etm_itm_header_row {
    uint8_t mask, value;
    uint8_t kind; /* enum etm_itm_header */
};

/* The table; *n becomes the number of its rows. Each byte value is claimed by
 * exactly one of them. */
const struct etm_itm_header_row *etm_itm_header_rows(size_t *n);

/* Embed it; it owns no memory. The fields are the decoder's own. */
struct etm_itm_decoder {
    uint64_t offset; /* of the first byte that is in no packet yet */
    /* Zeros with which a packet begins that may be a synchronization; or the
     * bytes of another one that is not complete. */
    uint32_t zeros;
    uint8_t n_carry;
    uint8_t carry[ETM_ITM_PACKET_MAX];
    /* Zeros, at most ETM_ITM_SYNC_ZEROS, with which the bytes taken end,
     * whatever packet they are in. */
    uint8_t tail;
};

void etm_itm_decoder_init(struct etm_itm_decoder *d,
                          const struct etm_config *config);

/* Before the first push: the bytes follow at `offset`. */
void etm_itm_decoder_enter(struct etm_itm_decoder *d, uint64_t offset);

/*
 * Append the packets (struct etm_packet) that end in these bytes to `out`.
 * ETM_OK or ETM_ERR_MEMORY; after an error the decoder can only be initialized
 * again.
 *
 * An ITM need not send synchronization packets, and many are not set up to. So
 * decoding begins with the first byte, and after damage goes on with the next
 * one as a header; a synchronization packet is found wherever it is, because no
 * other packets have as many zeros before 0x80 (doc/errata.md, E-620).
 */
int etm_itm_decoder_push(struct etm_itm_decoder *d, const uint8_t *bytes,
                         size_t n, struct etm_vec *out);

/* Bytes of the stream were lost here: an incomplete packet is bad. Offsets do
 * not count lost bytes. */
int etm_itm_decoder_gap(struct etm_itm_decoder *d, struct etm_vec *out);

/* End of the stream: a packet cut off is marked ETM_FIELD_TRUNCATED. */
int etm_itm_decoder_finish(struct etm_itm_decoder *d, struct etm_vec *out);

/*
 * Write one packet; etm/packet.h says in which fields it is. `value_bytes` of 0
 * means as few as hold the value, `size` of 0 a synchronization of six bytes.
 * ETM_OK; ETM_ERR_ARGUMENT: there is no such packet, a value does not fit into
 * its field, or the packet not into *w; ETM_ERR_UNSUPPORTED: `bad` and
 * `unsynchronized`. On failure nothing is written.
 */
int etm_itm_encode(const struct etm_config *config,
                   const struct etm_packet *packet, struct etm_writer *w);

/* Hardware source packets by their discriminator, bits [7:3] of the header
 * (table D4-5), and of those of data trace what their bits mean. */
#define ETM_ITM_EVENT_COUNTER 0u
#define ETM_ITM_EXCEPTION 1u
#define ETM_ITM_PC_SAMPLE 2u
#define ETM_ITM_DATA_PLACE 0x08u /* PC value, or address offset */
#define ETM_ITM_DATA_VALUE 0x10u
#define ETM_ITM_DATA_MASK 0x18u
#define ETM_ITM_DATA_SECOND 1u /* the offset, of a place; written, of a value */

/* Bits of header bytes and of those after them. */
#define ETM_ITM_MORE 0x80u     /* another byte follows */
#define ETM_ITM_HARDWARE 0x04u /* the source is hardware */
#define ETM_ITM_SIZE 0x03u     /* 1, 2, 3: 1, 2, 4 bytes */

/* The fourth byte of a first global timestamp (D4.2.5). */
#define ETM_ITM_WRAP 0x40u
#define ETM_ITM_CLOCK_CHANGE 0x20u

/* Bits of the time in a first global timestamp; a second one has the others:
 * 22 of them, or 38, in so many bytes. */
#define ETM_ITM_LOW_BITS 26u
#define ETM_ITM_HIGH_BYTES_48 4u
#define ETM_ITM_HIGH_BYTES_64 6u

#endif
