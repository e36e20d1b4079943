/* SPDX-License-Identifier: Apache-2.0 */
/* The internals of the decoder of bytes, for decoding a stream in parts. */
#ifndef ETM_SESSION_DECODER_H
#define ETM_SESSION_DECODER_H

#include "base/imprint.h"
#include "image/counts.h"

#include <etm/decode.h>

/* Begin again, as a new decoder does, at an offset of the stream; decoded code
 * and counted executions are kept. */
void etm_decoder_restart(struct etm_decoder *decoder, uint64_t offset);

/* etm_decoder_restart(), where offset 0 is not the beginning of the stream
 * either. */
void etm_decoder_enter(struct etm_decoder *decoder, uint64_t offset);

/*
 * State that the trace may have given long ago, and gives again only when it
 * changes: if damage looked like a VMID, or like a timestamp in a trace without
 * timestamps, this may stay for good.
 */
struct etm_decoder_memory {
    uint64_t timestamp;
    uint8_t timestamp_bits; /* that are known */
    uint8_t vmid;
    bool vmid_known;
};

/* Get this state of a decoder; and set it, directly after a restart. */
struct etm_decoder_memory etm_decoder_memory(struct etm_decoder *decoder);
void etm_decoder_remember(struct etm_decoder *decoder,
                          const struct etm_decoder_memory *memory);

/*
 * State that a decoder which begins in the middle may not know for long, but
 * that may not be needed either (enum etm_carried). The base of data addresses
 * (ETMv3, 7.4.2) comes with each full address, but data may be rare. The length
 * of a gap (7.3.4) never comes if the registers are wrong; and bytes are not
 * reported as lost as long as all bytes are.
 *
 * Since a mark: has this state not changed (`kept`), and did nothing depend on
 * it before it changed (`unused`)? Neither contains state that does not exist.
 */
void etm_decoder_mark(struct etm_decoder *decoder);
struct etm_carried_sets etm_decoder_carried(struct etm_decoder *decoder);

/* Set some of this state from an imprint. */
void etm_decoder_carry(struct etm_decoder *decoder, unsigned kinds,
                       const struct etm_imprint *imprint);

static inline bool etm_decoder_memory_same(const struct etm_decoder_memory *a,
                                           const struct etm_decoder_memory *b)
{
    return a->timestamp == b->timestamp &&
           a->timestamp_bits == b->timestamp_bits && a->vmid == b->vmid &&
           a->vmid_known == b->vmid_known;
}

/* Give elements to another function from now on. */
void etm_decoder_redirect(struct etm_decoder *decoder, etm_element_fn *elements,
                          void *context);

/* Set the maximum number of blocks of code to keep. */
void etm_decoder_limit(struct etm_decoder *decoder, size_t blocks);

/*
 * ETM_LEVEL_COUNTS: move the counts to a table, as with etm_counts_hand_over().
 * ETM_OK or ETM_ERR_MEMORY. And the cycles since the last restart.
 */
int etm_decoder_take_counts(struct etm_decoder *decoder, etm_count_fn *add,
                            struct etm_counts *to);
uint64_t etm_decoder_take_cycles(struct etm_decoder *decoder);

/* Forget what was counted. */
void etm_decoder_drop_counts(struct etm_decoder *decoder);

/*
 * ETM_LEVEL_COUNTS: count nothing of the following bytes, until `on` is false
 * or a restart. They are decoded on the general path, because executions on the
 * fast path cannot be distinguished from earlier ones.
 */
void etm_decoder_warm_up(struct etm_decoder *decoder, bool on);

/* Offset of a packet that an element to come may name, however much comes
 * before: what changed the context, which is given before the next instruction.
 * UINT64_MAX: there is none. */
uint64_t etm_decoder_pending(struct etm_decoder *decoder);

/*
 * Get the state between two pushes (base/imprint.h), including elements that
 * were not given yet. Replaces the contents of *imprint; the caller checks its
 * status.
 */
void etm_decoder_imprint(struct etm_decoder *decoder,
                         struct etm_imprint *imprint);

#endif
