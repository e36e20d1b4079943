/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv3.0 to ETMv3.5: bytes of one trace source <-> packets.
 *
 * Sections and tables are those of the ETM architecture specification,
 * chapter 7. Which fields of struct etm_packet each kind fills is said in
 * etm/packet.h; what is particular to ETMv3:
 *
 * - fields, exception, resume are the state that the packet tells, after the
 *   bits that the version does not have were taken away (NS before 3.2, AltISA
 *   before 3.3, Hyp before 3.5). `info` is the byte as it was.
 * - LSiP I-sync: `address`, `isa` and `info` tell of the data instruction,
 *   `address2` and `isa2` of the current one. If the second address brings
 *   exception information (ETM_FIELD_EXCEPTION_0), NS and AltISA in `fields`
 *   are its, else those of `info`; Hyp likewise with ETM_FIELD_EXCEPTION_1.
 *   An LSiP I-sync with a cycle count has ETM_FIELD_CYCLES.
 * - A data-only I-sync is an i_sync without ETM_FIELD_ADDRESS.
 * - timestamp: value_bytes of n give the low 7n bits, at most 48 or 64.
 * - out-of-order data and other packets of a source that traces no values
 *   have no value bytes, whatever their size bits say.
 */
#ifndef ETM_PROTO_ETMV3_H
#define ETM_PROTO_ETMV3_H

#include "base/vec.h"
#include "base/writer.h"
#include "proto/i_sync.h"

#include <etm/packet.h>

/* Every address, count and timestamp byte: another one follows. */
#define ETM_ETMV3_MORE 0x80u

/*
 * BE is this bit of the fifth byte of a data address (7.4.2; the figure that
 * shows it is missing from our copy of the text).
 */
#define ETM_ETMV3_BE 0x10u

/*
 * The longest packet other than A-sync and unsynchronized bytes: LSiP I-sync
 * with cycle count, 4 bytes of context ID and three exception information
 * bytes.
 */
#define ETM_ETMV3_PACKET_MAX 23u

/* What a header byte means to one configuration. */
struct etm_etmv3_header {
    uint32_t atoms; /* of a P-header: as etm_packet.value */
    uint8_t count;  /* number of these atoms */
    uint8_t kind;   /* enum etm_packet_kind */
};

/* One row of the table of headers (table 7-1 to 7-3). */
struct etm_etmv3_row {
    uint8_t mask;
    uint8_t value;
    uint8_t kind;   /* enum etm_packet_kind */
    uint8_t cycles; /* enum etm_tri: a row of cycle-accurate mode only, of the
                       other mode only, or (ETM_UNKNOWN) of both */
    uint16_t needs; /* what the configuration must have; otherwise the header is
                       reserved */
};

/* The table; its length goes to *n. */
const struct etm_etmv3_row *etm_etmv3_rows(size_t *n);

/* The meaning of one header byte. */
struct etm_etmv3_header etm_etmv3_header(const struct etm_config *config,
                                         uint8_t byte);

/* The meaning of all header bytes. */
void etm_etmv3_headers(const struct etm_config *config,
                       struct etm_etmv3_header headers[256]);

/* Alternative branch encoding: from version 3.4, if ETMIDR[20] says so. */
static inline bool etm_etmv3_alternative(const struct etm_config *config)
{
    return config->minor >= 4 && config->alternative_branches;
}

/* Data-only mode: from version 3.1 (7.4.10). */
static inline bool etm_etmv3_data_only(const struct etm_config *config)
{
    return config->minor >= 1 && config->data_only;
}

/* Fields of exception bytes and I-syncs that the version has (7.3.5). */
static inline uint16_t etm_etmv3_state_fields(const struct etm_config *config)
{
    return (uint16_t)((config->minor >= 2 ? ETM_FIELD_NS : 0) |
                      (config->minor >= 3 ? ETM_FIELD_ALT_ISA : 0) |
                      (config->minor >= 5 ? ETM_FIELD_HYP : 0));
}

enum etm_etmv3_state {
    ETM_ETMV3_START,          /* of the stream: is this an I-sync? */
    ETM_ETMV3_UNSYNCHRONIZED, /* looking for an A-sync, or an I-sync like the
                                 last one */
    ETM_ETMV3_PACKETS,        /* between packets, or inside of one */
    ETM_ETMV3_ZEROS           /* in what must become an A-sync */
};

/*
 * The decoder: a plain value that owns nothing; embed it in other structs.
 * All its members are its own.
 */
struct etm_etmv3_decoder {
    struct etm_config config;
    uint64_t offset; /* of the first byte that is in no packet yet */
    enum etm_etmv3_state state;
    uint16_t state_fields; /* etm_etmv3_state_fields() */
    bool alternative;
    bool data_only;
    struct etm_i_sync_like like;
    uint8_t carried;   /* bytes in `carry` */
    uint32_t pending;  /* unsynchronized bytes, or zeros, not yet given */
    uint32_t zeros;    /* how many of the last bytes taken are 0, to 5 */
    uint8_t carry[32]; /* the beginning of a packet; unsynchronized, of what may
                          be an I-sync */
    struct etm_etmv3_header headers[256];
};

/* `config` is copied; it must be one of ETMv3 that etm_config_check() passes.
 */
void etm_etmv3_decoder_init(struct etm_etmv3_decoder *decoder,
                            const struct etm_config *config);

/*
 * Before the first push: the bytes are not those with which the stream begins,
 * but follow at `offset`. Only a stream that begins with an I-sync is decoded
 * without an A-sync (proto/i_sync.h).
 */
void etm_etmv3_decoder_enter(struct etm_etmv3_decoder *decoder,
                             uint64_t offset);

/*
 * Append the packets of `n` bytes to `out`, a vector of struct etm_packet. A
 * packet that these bytes do not complete is kept. ETM_OK or ETM_ERR_MEMORY;
 * after an error the decoder has lost its place and must not be used.
 */
int etm_etmv3_decoder_push(struct etm_etmv3_decoder *decoder,
                           const uint8_t *bytes, size_t n, struct etm_vec *out);

/*
 * Decode packets up to the next P-header with an instruction, as far as this is
 * easy and `out` has room. Returns the number of bytes taken; 0: use
 * etm_etmv3_decoder_push().
 */
size_t etm_etmv3_decoder_one(struct etm_etmv3_decoder *decoder,
                             const uint8_t *bytes, size_t n,
                             struct etm_vec *out);

/*
 * Decode one packet, if it is complete and not damaged. Returns its size; 0:
 * use etm_etmv3_decoder_push().
 */
size_t etm_etmv3_decoder_next(struct etm_etmv3_decoder *decoder,
                              const uint8_t *bytes, size_t n,
                              struct etm_packet *packet);

/* To be called after etm_etmv3_decoder_next(), once for any number of packets:
 * the `n` bytes of the stream that they have taken. */
void etm_etmv3_decoder_pass(struct etm_etmv3_decoder *decoder,
                            const uint8_t *bytes, size_t n);

/*
 * Bytes of the stream were lost here: what is incomplete becomes a `bad`
 * packet, and the decoder looks for a synchronization. Offsets go on as if
 * nothing were missing. ETM_OK or ETM_ERR_MEMORY.
 */
int etm_etmv3_decoder_gap(struct etm_etmv3_decoder *decoder,
                          struct etm_vec *out);

/*
 * The stream ends: as etm_etmv3_decoder_gap(), but an incomplete packet has
 * ETM_FIELD_TRUNCATED.
 */
int etm_etmv3_decoder_finish(struct etm_etmv3_decoder *decoder,
                             struct etm_vec *out);

/*
 * A part of the decoder: what follows the header of *packet, at *next, which is
 * moved behind it. False if the packet is bad; then *next is the byte that
 * violates the format. ETM_ETMV3_PACKET_MAX bytes, with the header, must be
 * there.
 */
bool etm_etmv3_payload(const struct etm_etmv3_decoder *decoder,
                       const uint8_t **next, struct etm_packet *packet);

/*
 * Write one packet. Members that its kind does not use are not looked at;
 * ETM_FIELD_ADDRESS, CONTEXT_ID, VALUE and (except for LSiP) CYCLES may be left
 * out where the kind and the configuration imply them. Where a packet has
 * several encodings, these choose, besides those named at etm_packet_encode():
 *
 * - A-sync: `size`, from 6 (also for 0).
 * - P-header: `header`, if it stands for these atoms; only then are 80 as
 *   header without atoms and, in version 3.0, 80 as W written.
 * - data: the size bits of `header`, when values are not traced.
 * - LSiP I-sync with exception information: the data instruction's NS, AltISA
 *   and Hyp from `info`.
 * - reserved: `header`.
 *
 * A branch address of one to four bytes whose address_bytes is 0 has as many
 * as carry address_bits and the bits that are set in `address`; a known `isa`
 * asks for five.
 *
 * ETM_OK; ETM_ERR_ARGUMENT, ETM_ERR_UNSUPPORTED as etm_packet_encode(), with
 * nothing written. Whether it fitted is for writer->full to say.
 */
int etm_etmv3_encode(const struct etm_config *config,
                     const struct etm_packet *packet,
                     struct etm_writer *writer);

#endif
