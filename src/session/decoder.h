/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder of bytes from inside: for those who decode a stream in parts. */
#ifndef ETM_SESSION_DECODER_H
#define ETM_SESSION_DECODER_H

#include "base/imprint.h"

#include <etm/decode.h>

/* Begin anew, as if just made, at an offset of the stream; what is known of
 * the code stays, and the executions that were counted. */
void etm_decoder_restart(struct etm_decoder *decoder, uint64_t offset);

/* Elements go to another function from now on. */
void etm_decoder_redirect(struct etm_decoder *decoder, etm_element_fn *elements,
                          void *context);

/* Blocks of code to keep, at the most. */
void etm_decoder_limit(struct etm_decoder *decoder, size_t blocks);

/*
 * ETM_LEVEL_COUNTS: hand over what was counted, in any order and several rows
 * for one range; afterwards nothing is. As etm_decoder_counts(). And its
 * cycles, but those before a restart.
 */
int etm_decoder_take_counts(struct etm_decoder *decoder, etm_count_fn *fn,
                            void *context);
uint64_t etm_decoder_take_cycles(struct etm_decoder *decoder);

/* Forget what was counted. */
void etm_decoder_drop_counts(struct etm_decoder *decoder);

/*
 * ETM_LEVEL_COUNTS: of the bytes that come now nothing is counted, until `on`
 * is false or a restart. They are decoded the plain way, since executions of
 * the fast one cannot be told from those before.
 */
void etm_decoder_warm_up(struct etm_decoder *decoder, bool on);

/*
 * The state between two pushes (base/imprint.h), with the elements that were
 * not given yet. In place of what *imprint had; its status is for the caller
 * to look at.
 */
void etm_decoder_imprint(struct etm_decoder *decoder,
                         struct etm_imprint *imprint);

#endif
