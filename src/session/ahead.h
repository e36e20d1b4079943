/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of a buffer are taken apart by several threads, ahead of the one that
 * reads the stream.
 *
 * Of what came before a frame another one needs nothing but the trace ID in
 * force, as a rule. So a thread that has no beginning for a piece of the buffer
 * looks back for the last ID and takes it to be in force. When all before the
 * piece is known that is compared: if the true deframer stands as the other one
 * began, it stands at the end of the piece where the other one does, and is
 * exchanged for it. If not, the piece is done again. So what comes out never
 * depends on luck.
 */
#ifndef ETM_SESSION_AHEAD_H
#define ETM_SESSION_AHEAD_H

#include "port/frame.h"

struct etm_ahead;

/* Which part of a buffer. */
struct etm_ahead_config {
    const uint8_t *bytes; /* of the buffer, borrowed; or it is `opened`: as of
                             struct etm_file */
    int opened;
    size_t begin, end;
    size_t first;  /* where a frame begins */
    uint8_t id;    /* the source that is wanted */
    unsigned jobs; /* threads beside the one that reads, at the most */
    size_t piece;  /* bytes, whole frames; 0: as many as are worth it */
    const struct etm_allocator *allocator; /* must allow threads */
};

/* ETM_OK or ETM_ERR_MEMORY. */
int etm_ahead_new(struct etm_ahead **ahead,
                  const struct etm_ahead_config *config);

/*
 * The next piece goes into `deframer`, with nothing of what was in it before
 * that the caller has taken. *end becomes its end. There must be one. As
 * etm_deframer_push(); or ETM_ERR_IO.
 */
int etm_ahead_next(struct etm_ahead *ahead, struct etm_deframer *deframer,
                   size_t *end);

/* Pieces so far that others took apart, and those that were done again. */
struct etm_ahead_pieces {
    uint64_t good, bad;
};
struct etm_ahead_pieces etm_ahead_pieces(const struct etm_ahead *ahead);

/* Accepts NULL. */
void etm_ahead_free(struct etm_ahead *ahead);

#endif
