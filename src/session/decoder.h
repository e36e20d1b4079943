/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder of bytes from inside: for those who decode a stream in parts. */
#ifndef ETM_SESSION_DECODER_H
#define ETM_SESSION_DECODER_H

#include "base/imprint.h"

#include <etm/decode.h>

/*
 * Begin anew, as if just made, at an offset of the stream; what is known of
 * the code stays. ETM_OK or ETM_ERR_MEMORY: then the decoder is good for
 * nothing but etm_decoder_free().
 */
int etm_decoder_restart(struct etm_decoder *decoder, uint64_t offset);

/* Elements go to another function from now on. */
void etm_decoder_redirect(struct etm_decoder *decoder, etm_element_fn *elements,
                          void *context);

/* Blocks of code to keep, at the most. */
void etm_decoder_limit(struct etm_decoder *decoder, size_t blocks);

/*
 * ETM_LEVEL_COUNTS: hand over what was counted, in any order and several rows
 * for one range; afterwards nothing is. As etm_decoder_counts().
 */
int etm_decoder_take_counts(struct etm_decoder *decoder, etm_count_fn *fn,
                            void *context);

/* Forget what was counted, of bytes that were only for warming up. */
void etm_decoder_drop_counts(struct etm_decoder *decoder);

/*
 * Put aside what was counted, so that nothing is counted and restarts and
 * dropping leave it alone; and hand over all that was put aside. ETM_OK,
 * ETM_ERR_MEMORY if something is missing, or what `fn` returned.
 */
int etm_decoder_keep_counts(struct etm_decoder *decoder);
int etm_decoder_take_kept(struct etm_decoder *decoder, etm_count_fn *fn,
                          void *context);

/*
 * The state between two pushes (base/imprint.h), with the elements that were
 * not given yet. In place of what *imprint had; its status is for the caller
 * to look at.
 */
void etm_decoder_imprint(struct etm_decoder *decoder,
                         struct etm_imprint *imprint);

#endif
