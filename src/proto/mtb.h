/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packets of a Micro Trace Buffer: bytes <-> packets (CoreSight MTB-M0+
 * Technical Reference Manual, DDI 0486, 2.3.1). Each is two words: where a
 * branch or an exception came from, with the A bit, and where it went, with the
 * S bit.
 */
#ifndef ETM_PROTO_MTB_H
#define ETM_PROTO_MTB_H

#include "base/vec.h"
#include "base/writer.h"

#include <etm/packet.h>

#define ETM_MTB_PACKET_SIZE 8u

/* Bit 0 of both words; the other bits are an address. */
#define ETM_MTB_FLAG 1u

/*
 * Code is below this address: what is above cannot be executed (ARMv6-M ARM,
 * B3.1; ARMv8-M ARM, B8.1), except for the values that return from an
 * exception, EXC_RETURN, and from a function to Secure state, FNC_RETURN.
 */
#define ETM_MTB_CODE_END 0xe0000000u
#define ETM_MTB_EXC_RETURN 0xff000000u /* EXC_RETURN[31:24] of ARMv8-M */
#define ETM_MTB_FNC_RETURN 0xfefffffeu

static inline bool etm_mtb_is_exc_return(uint32_t address)
{
    return address >= ETM_MTB_EXC_RETURN;
}

/* Not an address of code, but a value that returns to one. */
static inline bool etm_mtb_is_return(uint32_t address)
{
    return etm_mtb_is_exc_return(address) || address == ETM_MTB_FNC_RETURN;
}

/* Embed it; it owns no memory. The fields are the decoder's own. */
struct etm_mtb_decoder {
    uint64_t offset; /* of the first byte that is in no packet yet */
    uint8_t carry[ETM_MTB_PACKET_SIZE];
    uint8_t n_carry;
};

void etm_mtb_decoder_init(struct etm_mtb_decoder *d,
                          const struct etm_config *config);

/* Before the first push: the bytes follow at `offset`. */
void etm_mtb_decoder_enter(struct etm_mtb_decoder *d, uint64_t offset);

/*
 * Append the packets (struct etm_packet) that end in these bytes to `out`.
 * ETM_OK or ETM_ERR_MEMORY; after an error the decoder can only be initialized
 * again. Packets begin at multiples of their size, as in the memory of an MTB.
 * One of zeros is `ignore`: memory that was never written (doc/errata.md,
 * E-640).
 */
int etm_mtb_decoder_push(struct etm_mtb_decoder *d, const uint8_t *bytes,
                         size_t n, struct etm_vec *out);

/* Bytes of the stream were lost here: an incomplete packet is bad, and another
 * one begins. Offsets do not count lost bytes. */
int etm_mtb_decoder_gap(struct etm_mtb_decoder *d, struct etm_vec *out);

/* End of the stream: a packet cut off is marked ETM_FIELD_TRUNCATED. */
int etm_mtb_decoder_finish(struct etm_mtb_decoder *d, struct etm_vec *out);

/*
 * Write one packet; etm/packet.h says in which fields it is. ETM_OK;
 * ETM_ERR_ARGUMENT: there is no such packet, or it does not fit into *w;
 * ETM_ERR_UNSUPPORTED: `bad`. On failure nothing is written.
 */
int etm_mtb_encode(const struct etm_config *config,
                   const struct etm_packet *packet, struct etm_writer *w);

#endif
