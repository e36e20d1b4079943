/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2.0 and ETMv2.1: cycles of the trace port <-> packets, and what comes
 * out of the FIFO (ETM architecture, chapter 6).
 *
 * The stream is one record for each cycle (proto/sample.h). A record becomes
 * two packets: a `pipestat`, and after it what the TRACEPKT pins carried, which
 * is a `trace_packet`, a `tfo`, or `unsynchronized` or `bad`. Which pins are
 * valid in a cycle follows from the groups of bytes that statuses have put into
 * the FIFO, and the length of a group from its own bytes (6.3): so the packets
 * need no code image. Fields: see etm/packet.h.
 *
 * struct etm_etmv2_fifo is that model of the FIFO. The decoder uses it to say
 * what the pins carry, the flow to get the packets that were put in.
 */
#ifndef ETM_PROTO_ETMV2_H
#define ETM_PROTO_ETMV2_H

#include "base/imprint.h"
#include "base/vec.h"
#include "base/writer.h"
#include "proto/sample.h"

#include <etm/packet.h>

/* PIPESTAT[3:0] (table 6-1). Bit 0 says that a group is put into the FIFO,
 * except for TD. */
enum etm_etmv2_status {
    ETM_ETMV2_IE = 0x0,
    ETM_ETMV2_DE = 0x1,
    ETM_ETMV2_IN = 0x2,
    ETM_ETMV2_DN = 0x3,
    ETM_ETMV2_WT = 0x4,
    ETM_ETMV2_DW = 0x5,
    ETM_ETMV2_TR = 0x6,
    ETM_ETMV2_TD = 0x7,
    ETM_ETMV2_PT = 0x8, /* PTIE; PTDE, PTIN and PTDN after it */
    ETM_ETMV2_PN = 0xc  /* PNIE; PNDE, PNIN and PNDN */
};

/* One row of the table of statuses. */
struct etm_etmv2_status_row {
    uint8_t mask, value;
    uint8_t phantom; /* enum etm_tri: a folded branch before it, taken or not */
    uint8_t insn;    /* enum etm_tri: an instruction, passed or failed */
    bool pushes;     /* a group is put into the FIFO */
};

/* The table: each of the 16 values is claimed by exactly one row. */
#define ETM_ETMV2_STATUSES 15u
extern const struct etm_etmv2_status_row etm_etmv2_statuses[ETM_ETMV2_STATUSES];

/* The row of PIPESTAT[3:0]: those of one value each are where it says. */
static inline const struct etm_etmv2_status_row *
etm_etmv2_status_row(unsigned status)
{
    return &etm_etmv2_statuses[status < ETM_ETMV2_TD ? status : status - 1];
}

/* One row of the table of packet headers (table 6-2): kind is enum
 * etm_packet_kind. */
struct etm_etmv2_header_row {
    uint8_t mask, value;
    uint8_t kind;
};

/* The table; each byte value is claimed by exactly one row. */
const struct etm_etmv2_header_row *etm_etmv2_header_rows(size_t *n);

/* The kind of a header byte: enum etm_packet_kind. */
uint8_t etm_etmv2_kind(unsigned header);

/* Another packet of the same group follows: bit 7 of every header but that of
 * a branch address, which ends its group. */
#define ETM_ETMV2_MORE 0x80u

/* Header of a TFO packet (table 6-6): 0RR00000, and 1RR00000 for one with a
 * load/store multiple in progress. */
#define ETM_ETMV2_LSIP 0x80u
#define ETM_ETMV2_TFO_MASK 0x1fu

/* The E bit of a full ARM branch address, in its fifth byte (table 6-9). */
#define ETM_ETMV2_E 0x40u

/* The greatest TFO value (table 6-4). */
#define ETM_ETMV2_TFO_MAX 95u

/* The gap nibble, and what fills [15:8] (6.2, 6.5.1). */
#define ETM_ETMV2_GAP 0x6u
#define ETM_ETMV2_FILLER 0x66u

/* The longest packet: LSM in progress TFO packet, 1 + 4 + 4 + 5 bytes. */
#define ETM_ETMV2_PACKET_MAX 14u

/* TRACEPKT[7:0] of a TFO value of 0 to 95. */
static inline uint8_t etm_etmv2_tfo_pins(unsigned value)
{
    return (uint8_t)((value & 0xfu) << 4 | (~value >> 6 & 1u) << 3 |
                     (value >> 4 & 3u) << 1 | 1u);
}

/* The value of such pins. */
static inline unsigned etm_etmv2_tfo_value(unsigned pins)
{
    return (pins >> 4 & 0xfu) | (pins >> 1 & 3u) << 4 | (~pins >> 3 & 1u) << 6;
}

/* On a TD cycle TRACEPKT[3:0] decides: is it a TFO? 0101 is reserved, 0111 is
 * a cycle of cycle-accurate trace. */
static inline bool etm_etmv2_is_reserved(unsigned pins)
{
    return (pins & 0xfu) == 0x5;
}

static inline bool etm_etmv2_is_tfo(unsigned pins)
{
    return (pins & 1u) != 0 && !etm_etmv2_is_reserved(pins) &&
           (pins & 0xfu) != 0x7;
}

/* Maximum number of groups in the FIFO: each has at least one byte, and a TFO
 * could not count more bytes. */
#define ETM_ETMV2_GROUPS 128u

/* A group of more bytes than this is invalid: no FIFO holds it. */
#define ETM_ETMV2_GROUP_MAX 128u

struct etm_etmv2_group {
    bool tfo;    /* a TFO packet, which is alone in its group */
    bool placed; /* its TFO value is known */
    uint32_t at; /* it begins when this many bytes have passed */
};

/* What goes before FIFO bytes on the pins (6.5.1). */
enum etm_etmv2_due {
    ETM_ETMV2_DUE_NOTHING = 0,
    ETM_ETMV2_DUE_TFO,  /* the whole TFO value: its cycle had a trigger */
    ETM_ETMV2_DUE_HIGH, /* its upper half, on a port of 4 pins */
    ETM_ETMV2_DUE_GAP   /* the gap nibble */
};

/* Embed it; it owns nothing. The fields are its own. */
struct etm_etmv2_fifo {
    uint8_t width; /* pins */
    uint8_t context_id_bytes;
    bool address, value; /* of data are traced */
    uint8_t kinds[256];  /* enum etm_packet_kind, by header */
    bool synced;         /* groups are counted since a TFO */
    bool has_half;       /* 4 pins: the lower half of a byte came */
    uint8_t half;
    uint8_t due;     /* enum etm_etmv2_due */
    uint8_t low;     /* lower half of the TFO value */
    uint8_t n_carry; /* bytes of the current packet */
    uint8_t carry[ETM_ETMV2_PACKET_MAX];
    uint8_t least;        /* it has at least as many */
    uint16_t group_bytes; /* of the current group, in packets before it */
    uint32_t passed;      /* bytes so far; it may wrap */
    unsigned first, n_groups, n_tfos;
    struct etm_etmv2_group groups[ETM_ETMV2_GROUPS];
};

enum etm_etmv2_event_kind {
    ETM_ETMV2_PACKET, /* a packet is complete */
    ETM_ETMV2_LOST    /* alignment was lost: only the last `groups` groups are
                         still to come */
};

struct etm_etmv2_event {
    uint8_t kind; /* enum etm_etmv2_event_kind */
    bool ends;    /* the packet is the last of its group */
    unsigned groups;
    /*
     * offset and size are 0. Kinds: branch_address (the E bit is
     * ETM_FIELD_CANCEL), normal_data, out_of_order_placeholder (Load Miss
     * Occurred), out_of_order_data (Load Miss Data), value_not_traced,
     * context_id; for TFO packets i_sync, lsip_i_sync. Fields as in ETMv3.
     */
    struct etm_packet packet;
};

/* What a record is. */
struct etm_etmv2_record {
    uint8_t status; /* in force: a trigger's is the one it replaced */
    bool trigger;
    bool tfo;       /* the cycle of a TFO */
    bool pushed;    /* a group was put into the FIFO, and will come */
    uint8_t use;    /* enum etm_packet_use of TRACEPKT */
    uint8_t count;  /* PACKETS: half bytes that are valid */
    bool bad;       /* TRACEPKT contradicts the status */
    bool tfo_known; /* the TFO value is complete with this cycle */
    uint8_t tfo_value;
    unsigned n;
    struct etm_etmv2_event events[6];
};

void etm_etmv2_fifo_init(struct etm_etmv2_fifo *fifo,
                         const struct etm_config *config);

/* Bytes are missing here: nothing is known up to the next TFO. */
void etm_etmv2_fifo_reset(struct etm_etmv2_fifo *fifo);

/* The next record: PIPESTAT and TRACEPKT. */
void etm_etmv2_fifo_record(struct etm_etmv2_fifo *fifo, unsigned status,
                           unsigned pins, struct etm_etmv2_record *record);

/* All of it that will be used again. */
void etm_etmv2_fifo_imprint(const struct etm_etmv2_fifo *fifo,
                            struct etm_imprint *imprint);

/* Nothing is in the FIFO, as it should be. */
static inline bool etm_etmv2_fifo_is_idle(const struct etm_etmv2_fifo *fifo)
{
    return fifo->n_groups == 0 && fifo->synced &&
           fifo->due == ETM_ETMV2_DUE_NOTHING;
}

/* Whether a record leaves such a FIFO as it is, and is what its status says. */
static inline bool etm_etmv2_fifo_rests(unsigned status, unsigned pins)
{
    if (status == ETM_ETMV2_TD)
        return !etm_etmv2_is_tfo(pins) && !etm_etmv2_is_reserved(pins);
    return status != ETM_ETMV2_TR && status != ETM_ETMV2_WT &&
           !etm_etmv2_status_row(status)->pushes;
}

/* For callers that have read groups themselves: a group was put into the FIFO
 * in a cycle whose pins carried others; there are fewer than
 * ETM_ETMV2_GROUPS. */
void etm_etmv2_fifo_ahead(struct etm_etmv2_fifo *fifo);

/* The minimum number of bytes of a packet whose first `n` bytes, at least 1,
 * are available: not more than `n` if etm_etmv2_parse() can tell. */
unsigned etm_etmv2_least(const struct etm_etmv2_fifo *fifo, bool tfo,
                         const uint8_t *bytes, unsigned n);

/* Whether a packet of the FIFO is complete. */
enum etm_etmv2_parse {
    ETM_ETMV2_INCOMPLETE,
    ETM_ETMV2_COMPLETE, /* *ends says whether its group ends with it */
    ETM_ETMV2_RESERVED  /* no such packet */
};

/* Read one packet of the FIFO: `n` bytes of it, of a TFO packet if `tfo`. */
enum etm_etmv2_parse etm_etmv2_parse(const struct etm_etmv2_fifo *fifo,
                                     bool tfo, const uint8_t *bytes, size_t n,
                                     struct etm_packet *packet, bool *ends);

/*
 * Write one packet of the FIFO, of a kind that struct etm_etmv2_event names.
 * address_bytes, value_bytes as etm_packet_encode() has them. `more`: another
 * one of its group follows. ETM_OK; ETM_ERR_ARGUMENT: there is no such packet;
 * nothing is written then. Whether it fitted is for w->full to say.
 */
int etm_etmv2_put(const struct etm_config *config,
                  const struct etm_packet *packet, bool more,
                  struct etm_writer *w);

/* The decoder: owns no memory. The fields are its own. */
struct etm_etmv2_decoder {
    struct etm_etmv2_fifo fifo;
    uint64_t offset; /* of the first byte that is in no packet yet */
    uint8_t size;    /* bytes of a record */
    uint8_t n_carry;
    uint8_t carry[ETM_SAMPLE_MAX];
};

void etm_etmv2_decoder_init(struct etm_etmv2_decoder *d,
                            const struct etm_config *config);

/* Before the first push: the first byte, of a record, is that at `offset`. */
static inline void etm_etmv2_decoder_enter(struct etm_etmv2_decoder *d,
                                           uint64_t offset)
{
    d->offset = offset;
}

/*
 * Append the packets (struct etm_packet) of the records that end in these
 * bytes to `out`. ETM_OK or ETM_ERR_MEMORY; then the decoder is good for
 * nothing but another init.
 */
int etm_etmv2_decoder_push(struct etm_etmv2_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/* No more bytes than end the current record, and its packets if it is whole.
 * Returns how many bytes that are; 0: memory is short. */
size_t etm_etmv2_decoder_one(struct etm_etmv2_decoder *d, const uint8_t *bytes,
                             size_t n, struct etm_vec *out);

/*
 * Bytes of the stream were lost here: a record that was begun is bad, the next
 * byte begins another one, and TRACEPKT waits for the next TFO.
 */
int etm_etmv2_decoder_gap(struct etm_etmv2_decoder *d, struct etm_vec *out);

/* End of the stream: as a gap, but a record cut off is marked
 * ETM_FIELD_TRUNCATED. */
int etm_etmv2_decoder_finish(struct etm_etmv2_decoder *d, struct etm_vec *out);

/*
 * Write one packet of the stream. pipestat: `value`, and what else stood in
 * the byte from `header`. trace_packet: `value`, all the pins. tfo: likewise
 * if value_bytes is not 0, else the pins of the offset `address`.
 *
 * ETM_OK; ETM_ERR_ARGUMENT: it does not fit the port, or into *w;
 * ETM_ERR_UNSUPPORTED: `unsynchronized` and `bad`. On failure nothing is
 * written.
 */
int etm_etmv2_encode(const struct etm_config *config,
                     const struct etm_packet *packet, struct etm_writer *w);

#endif
