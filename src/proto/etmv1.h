/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ETMv1 signal protocol, v1.0 to v1.3: records <-> packets (ETM
 * architecture, chapter 5).
 *
 * Each record of the stream, one cycle of the trace port (proto/sample.h),
 * becomes two packets: `pipestat`, its first byte, and `trace_packet`, the
 * rest. What the bytes on TRACEPKT mean depends on the traced program, and is
 * left to the flow.
 */
#ifndef ETM_PROTO_ETMV1_H
#define ETM_PROTO_ETMV1_H

#include "base/exception.h"
#include "base/vec.h"
#include "base/writer.h"
#include "proto/sample.h"

#include <etm/packet.h>

/* PIPESTAT[2:0] (table 5-1). */
enum etm_etmv1_status {
    ETM_ETMV1_IE = 0, /* instruction executed */
    ETM_ETMV1_ID = 1, /* and its data are traced */
    ETM_ETMV1_IN = 2, /* instruction failed its condition */
    ETM_ETMV1_WT = 3, /* no instruction; TRACEPKT has packets */
    ETM_ETMV1_BE = 4, /* branch executed, with its address */
    ETM_ETMV1_BD = 5, /* the same with data */
    ETM_ETMV1_TR = 6, /* trigger; the status is on TRACEPKT[2:0] */
    ETM_ETMV1_TD = 7, /* no instruction and no packets */
    ETM_ETMV1_RESERVED
};

/* One row of the table of first bytes. */
struct etm_etmv1_status_row {
    uint8_t mask, value;
    uint8_t kind; /* enum etm_etmv1_status */
};

/* The table; *n becomes the number of its rows. Each byte value is claimed by
 * exactly one row. */
const struct etm_etmv1_status_row *etm_etmv1_status_rows(size_t *n);

/* What TRACEPKT carries in a record with this status: enum etm_packet_use. */
enum etm_packet_use etm_etmv1_use(enum etm_etmv1_status status);

/* Branch and data addresses (5.5.4): seven bits a packet, four in the fifth. */
#define ETM_ETMV1_ADDRESS_MAX 5u
#define ETM_ETMV1_JAZELLE                                                      \
    0x80u /* fifth packet: the target is in Jazelle                            \
             state (v1.3) */

/* Branch reason codes, bits [6:4] of the fifth packet (table 5-3). */
enum etm_etmv1_reason {
    ETM_ETMV1_NORMAL = 0,
    ETM_ETMV1_ENABLED = 1,
    ETM_ETMV1_OVERFLOW = 2,
    ETM_ETMV1_DEBUG_EXIT = 3,
    ETM_ETMV1_PERIODIC = 4 /* from v1.2 on; before it was 0 */
};

/* The value for an address packet offset that is too large (5.6.1). */
#define ETM_ETMV1_NO_OFFSET 15u

/* Is there an exception vector at an address? A branch to it is that exception,
 * which is reserved at one of them (4.5.3). */
bool etm_etmv1_vector_at(const struct etm_config *config, uint32_t address,
                         enum etm_isa isa, enum etm_exception_type *type);

/* The form of the packets of a record with a status. */
struct etm_etmv1_form {
    uint8_t status; /* enum etm_etmv1_status */
    uint8_t use;    /* enum etm_packet_use */
};

/* Embed it; it owns no memory. The fields are the decoder's own. */
struct etm_etmv1_decoder {
    uint64_t offset; /* of the current record */
    uint8_t size;    /* bytes of a record */
    uint8_t pins;    /* of TRACEPKT */
    uint8_t n;       /* bytes of the record so far */
    uint8_t record[ETM_SAMPLE_MAX];
    uint16_t mask;       /* of TRACEPKT */
    uint8_t status[256]; /* enum etm_etmv1_status, by first byte */
    struct etm_etmv1_form forms[ETM_ETMV1_RESERVED + 1]; /* by status */
};

void etm_etmv1_decoder_init(struct etm_etmv1_decoder *d,
                            const struct etm_config *config);

/* Before the first push: the first byte, of a record, is that at `offset`. */
static inline void etm_etmv1_decoder_enter(struct etm_etmv1_decoder *d,
                                           uint64_t offset)
{
    d->offset = offset;
}

/* TRACEPKT of a record; with four pins the other bits mean nothing. */
static inline uint32_t etm_etmv1_pins(const struct etm_etmv1_decoder *d,
                                      const uint8_t *record)
{
    uint32_t pins = record[1];

    if (d->size == 3)
        pins |= (uint32_t)record[2] << 8;
    return pins & d->mask;
}

/*
 * Append the packets (struct etm_packet) of the records that end in these bytes
 * to `out`. A record with an invalid first byte is `bad`, and the next one
 * begins after it. ETM_OK or ETM_ERR_MEMORY; after an error the decoder can
 * only be initialized again.
 */
int etm_etmv1_decoder_push(struct etm_etmv1_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* Take bytes up to the end of the current record only, and append its packets
 * if it is complete; `out` has room for them. Returns the number of bytes
 * taken. */
size_t etm_etmv1_decoder_one(struct etm_etmv1_decoder *d, const uint8_t *bytes,
                             size_t n, struct etm_vec *out);

/* Bytes of the stream were lost here: an incomplete record is bad, and the next
 * one begins after it. Offsets do not count lost bytes. */
int etm_etmv1_decoder_gap(struct etm_etmv1_decoder *d, struct etm_vec *out);

/* End of the stream: as a gap, but a record cut off is marked
 * ETM_FIELD_TRUNCATED. */
int etm_etmv1_decoder_finish(struct etm_etmv1_decoder *d, struct etm_vec *out);

/*
 * Write one packet, `pipestat` or `trace_packet`: a part of a record. ETM_OK;
 * ETM_ERR_ARGUMENT: another kind, a value does not fit the pins, or the packet
 * does not fit into *w; ETM_ERR_UNSUPPORTED: `unsynchronized` and `bad`. On
 * failure nothing is written.
 */
int etm_etmv1_encode(const struct etm_config *config,
                     const struct etm_packet *packet, struct etm_writer *w);

#endif
