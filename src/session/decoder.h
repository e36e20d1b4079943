/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder of bytes from inside: for those who decode a stream in parts. */
#ifndef ETM_SESSION_DECODER_H
#define ETM_SESSION_DECODER_H

#include "base/imprint.h"
#include "image/counts.h"

#include <etm/decode.h>

/* Begin anew, as if just made, at an offset of the stream; what is known of
 * the code stays, and the executions that were counted. */
void etm_decoder_restart(struct etm_decoder *decoder, uint64_t offset);

/*
 * What the trace may have said long ago, and says again only where it changes:
 * so it may stay for good that damage looked like a VMID, or like a timestamp
 * in a trace that has none.
 */
struct etm_decoder_memory {
    uint64_t timestamp;
    uint8_t timestamp_bits; /* that are known */
    uint8_t vmid;
    bool vmid_known;
};

/* What a decoder has of that; and, directly behind a restart, what it shall
 * have. */
struct etm_decoder_memory etm_decoder_memory(struct etm_decoder *decoder);
void etm_decoder_remember(struct etm_decoder *decoder,
                          const struct etm_decoder_memory *memory);

/*
 * What nobody may know for long who begins in the middle, but nobody needs
 * either (enum etm_carried). What data addresses are relative to (ETMv3, 7.4.2)
 * comes again with each address that is given in full, and data may be seldom.
 * How long a gap was (7.3.4) no packet ever tells where the registers are
 * wrong, nor is it told what was lost since when, as long as all is.
 *
 * From a mark on: is it still that of before (`kept`), and did nothing depend
 * on it before it was another (`unused`)? Sets of 1 << enum etm_carried;
 * neither has what there is not.
 */
struct etm_decoder_carried {
    uint8_t kept, unused;
};
void etm_decoder_mark(struct etm_decoder *decoder);
struct etm_decoder_carried etm_decoder_carried(struct etm_decoder *decoder);

/* Make some of it that of an imprint. */
void etm_decoder_carry(struct etm_decoder *decoder, unsigned kinds,
                       const struct etm_imprint *imprint);

static inline bool etm_decoder_memory_same(const struct etm_decoder_memory *a,
                                           const struct etm_decoder_memory *b)
{
    return a->timestamp == b->timestamp &&
           a->timestamp_bits == b->timestamp_bits && a->vmid == b->vmid &&
           a->vmid_known == b->vmid_known;
}

/* Elements go to another function from now on. */
void etm_decoder_redirect(struct etm_decoder *decoder, etm_element_fn *elements,
                          void *context);

/* Blocks of code to keep, at the most. */
void etm_decoder_limit(struct etm_decoder *decoder, size_t blocks);

/*
 * ETM_LEVEL_COUNTS: what was counted goes into a table, as with
 * etm_counts_hand_over(); afterwards nothing is. ETM_OK or ETM_ERR_MEMORY. And
 * its cycles, but those before a restart.
 */
int etm_decoder_take_counts(struct etm_decoder *decoder, etm_count_fn *add,
                            struct etm_counts *to);
uint64_t etm_decoder_take_cycles(struct etm_decoder *decoder);

/* Forget what was counted. */
void etm_decoder_drop_counts(struct etm_decoder *decoder);

/*
 * ETM_LEVEL_COUNTS: of the bytes that come now nothing is counted, until `on`
 * is false or a restart. They are decoded the plain way, since executions of
 * the fast one cannot be told from those before.
 */
void etm_decoder_warm_up(struct etm_decoder *decoder, bool on);

/* Offset of a packet that an element to come may name, however much comes
 * before: what changed the context, which is given before the next instruction.
 * UINT64_MAX: there is none. */
uint64_t etm_decoder_pending(struct etm_decoder *decoder);

/*
 * The state between two pushes (base/imprint.h), with the elements that were
 * not given yet. In place of what *imprint had; its status is for the caller
 * to look at.
 */
void etm_decoder_imprint(struct etm_decoder *decoder,
                         struct etm_imprint *imprint);

#endif
