/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Program Flow Trace protocol, PFT v1.0 and v1.1: bytes <-> packets
 * (PFT architecture, chapter 4).
 *
 * The length of a packet never depends on the traced program, only on the
 * configuration: cycle accuracy, the size of the context ID and the size of
 * the timestamp.
 */
#ifndef ETM_PROTO_PFT_H
#define ETM_PROTO_PFT_H

#include "base/imprint.h"
#include "base/vec.h"
#include "base/writer.h"

#include "proto/i_sync.h"

#include <etm/packet.h>

/*
 * The longest packet other than an A-sync has 15 bytes: timestamp header, nine
 * bytes, five bytes of cycle count; I-sync 1 + 4 + 1 + 5 + 4. With one more
 * byte, a power of two, the end of every packet that begins here can be
 * decided.
 */
#define ETM_PFT_WINDOW 16u

/* An A-sync is at least this many zero bytes, then 0x80 (4.5, A-sync). */
#define ETM_PFT_A_SYNC_ZEROS 5u

/* Bytes of a cycle count at most. */
#define ETM_PFT_COUNT_BYTES 5u

/*
 * Cycle count (4.4; 4.5.4 and the other packets that carry one): bits [5:2] of
 * the first byte, then seven bits a byte, the last of five without a C bit. The
 * other bits of the first byte have no meaning: captures have bit [7] set in
 * I-syncs. Returns the number of its bytes.
 */
static inline unsigned etm_pft_count(const uint8_t *p, uint32_t *count)
{
    unsigned n = 1;

    *count = p[0] >> 2 & 0x0f;
    if ((p[0] & 0x40) != 0) {
        unsigned shift = 4;

        do {
            *count |= (uint32_t)(p[n] & 0x7f) << shift;
            shift += 7;
        } while ((p[n++] & 0x80) != 0 && n < ETM_PFT_COUNT_BYTES);
    }
    return n;
}

/* What a header byte begins (table 4.1). */
enum etm_pft_header {
    ETM_PFT_HEADER_RESERVED,
    ETM_PFT_HEADER_BRANCH,
    ETM_PFT_HEADER_ATOM,
    ETM_PFT_HEADER_A_SYNC,
    ETM_PFT_HEADER_I_SYNC,
    ETM_PFT_HEADER_TRIGGER,
    ETM_PFT_HEADER_VMID,
    ETM_PFT_HEADER_TIMESTAMP,
    ETM_PFT_HEADER_IGNORE,
    ETM_PFT_HEADER_CONTEXT_ID,
    ETM_PFT_HEADER_WAYPOINT_UPDATE,
    ETM_PFT_HEADER_EXCEPTION_RETURN
};

/* One row of the header table. `only`: a set of ETM_PFT_ONLY_... */
struct etm_pft_header_row {
    uint8_t mask, value;
    uint8_t kind; /* enum etm_pft_header */
    uint8_t only; /* the row applies to configurations that ... */
};

enum etm_pft_only {
    ETM_PFT_ONLY_CYCLES = 1u << 0,     /* are cycle-accurate */
    ETM_PFT_ONLY_NO_CYCLES = 1u << 1,  /* are not */
    ETM_PFT_ONLY_CONTEXT_ID = 1u << 2, /* trace the context ID */
    ETM_PFT_ONLY_NO_CONTEXT_ID = 1u << 3,
    ETM_PFT_ONLY_VMID = 1u << 4, /* v1.1 with virtualization */
    ETM_PFT_ONLY_NO_VMID = 1u << 5
};

/* The table; *n becomes the number of its rows. Each byte value is claimed by
 * exactly one row that a configuration has. */
const struct etm_pft_header_row *etm_pft_header_rows(size_t *n);

/* What the configuration says about the format of packets. */
struct etm_pft_format {
    bool cycles;              /* ETMCR[12] */
    bool hyp;                 /* v1.1: Hyp bits */
    uint8_t context_id_bytes; /* 0, 1, 2, 4 */
    uint8_t timestamp_bytes;  /* of a full timestamp: 7 or 9 */
    uint8_t last_stamp_mask;  /* of the last of these: 6 or 8 bits */
    uint8_t only;             /* ETM_PFT_ONLY_... that hold */
};

struct etm_pft_format etm_pft_format_of(const struct etm_config *config);

/* What one header byte begins. */
enum etm_pft_header etm_pft_header_kind(const struct etm_pft_format *format,
                                        uint8_t header);

/* The rows that a format has, expanded to all header bytes. Only an atom packet
 * without cycle count has atoms. */
struct etm_pft_table {
    uint8_t kind[256];   /* enum etm_pft_header */
    uint16_t atoms[256]; /* two bits an atom, their number in [15:12] */
    uint8_t failed[256]; /* one bit an atom, 1 for N, and a 1 above the last */
};

void etm_pft_table_init(struct etm_pft_table *table,
                        const struct etm_pft_format *format);

/* The decoder's state between bytes. */
enum etm_pft_state {
    ETM_PFT_START,          /* of the stream: is this an I-sync? */
    ETM_PFT_UNSYNCHRONIZED, /* until the next A-sync, or an I-sync like the
                               last one */
    ETM_PFT_ZEROS,          /* in the zeros of an A-sync */
    ETM_PFT_SYNCHRONIZED
};

/* Embed it; it owns no memory. The fields are the decoder's own. */
struct etm_pft_decoder {
    struct etm_pft_format format;
    enum etm_pft_state state;
    uint64_t offset; /* of the first byte that is in no packet yet */
    /* Unsynchronized: bytes that cannot belong to an A-sync. */
    uint32_t skipped;
    uint8_t first; /* the first of them */
    /* Zero bytes after these (at most 5), or of the current A-sync. */
    uint32_t zeros;
    /* Zeros, at most 5, with which the bytes taken end; unsynchronized, those
     * with which they ended when synchronization was lost, as long as only
     * zeros came since. */
    uint8_t tail;
    struct etm_i_sync_like like;
    /* The bytes of a packet that is not complete: unsynchronized, one that may
     * be an I-sync. */
    uint32_t n_carry;
    uint8_t carry[ETM_PFT_WINDOW];
    struct etm_pft_table table;
};

void etm_pft_decoder_init(struct etm_pft_decoder *d,
                          const struct etm_config *config);

/*
 * Before the first push: the bytes are not those with which the stream begins,
 * but follow at `offset`. Only a stream that begins with an I-sync is decoded
 * without an A-sync (proto/i_sync.h).
 */
void etm_pft_decoder_enter(struct etm_pft_decoder *d, uint64_t offset);

/* All that it will use again. */
void etm_pft_decoder_imprint(const struct etm_pft_decoder *d,
                             struct etm_imprint *imprint);

/*
 * Append the packets (struct etm_packet) that end in these bytes to `out`.
 * ETM_OK or ETM_ERR_MEMORY; after an error the rest of the bytes was not used,
 * and the decoder can only be initialized again.
 */
int etm_pft_decoder_push(struct etm_pft_decoder *d, const uint8_t *bytes,
                         size_t n, struct etm_vec *out);

/*
 * Decode the packet at `bytes`, of which there are at least ETM_PFT_WINDOW,
 * into *packet; only while synchronized and between packets. Returns its size;
 * 0, with nothing done: an A-sync, or what ends synchronization.
 */
unsigned etm_pft_decoder_next(struct etm_pft_decoder *d, const uint8_t *bytes,
                              struct etm_packet *packet);

/* To be called after etm_pft_decoder_next(), once for any number of packets:
 * the `n` bytes of the stream that they have taken. */
void etm_pft_decoder_pass(struct etm_pft_decoder *d, const uint8_t *bytes,
                          size_t n);

/*
 * As etm_pft_decoder_push(), but only to the end of the current or next packet,
 * where that is easy: in the middle of a buffer. Returns the number of bytes
 * taken; 0: use push. There must be room for a packet in `out`.
 */
size_t etm_pft_decoder_one(struct etm_pft_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out);

/*
 * Bytes of the stream were lost here: an incomplete packet is bad, and the
 * decoder waits for the next synchronization. Offsets do not count lost bytes.
 */
int etm_pft_decoder_gap(struct etm_pft_decoder *d, struct etm_vec *out);

/* End of the stream: as a gap, but a packet cut off is marked
 * ETM_FIELD_TRUNCATED. */
int etm_pft_decoder_finish(struct etm_pft_decoder *d, struct etm_vec *out);

/*
 * Address bits that an address of `bytes` bytes carries, before the shift
 * (4.5.4): 6, 12, 19 or 26 for one to four bytes; 30, 31 or 32 for five,
 * depending on `isa`. 0 if there is no such address.
 */
unsigned etm_pft_address_bits(unsigned bytes, enum etm_isa isa);

/*
 * Write one packet. The fields determine the form (etm_packet.fields,
 * address_bytes, value_bytes, cycle_bytes; 0 bytes: as few as hold the value).
 * An address whose isa is known has five bytes. `header` is used for `reserved`
 * packets, `size` for A-syncs (0: six bytes); `info` never. What has no
 * encoding is refused, so that decoding gives the packet back.
 *
 * ETM_OK; ETM_ERR_ARGUMENT: the configuration has no such packet, a value
 * does not fit its field, or the packet does not fit into *w;
 * ETM_ERR_UNSUPPORTED: `unsynchronized` and `bad`. On failure nothing is
 * written.
 */
int etm_pft_encode(const struct etm_config *config,
                   const struct etm_packet *packet, struct etm_writer *w);

#endif
