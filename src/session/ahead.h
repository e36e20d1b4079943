/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deframing a buffer with several threads, ahead of the one that reads the
 * stream. Usually all that a frame needs of what came before it is the current
 * trace ID. So a thread that does not know the state at the beginning of its
 * piece searches backwards for the last ID, and assumes it. When everything
 * before the piece has been read, this is verified: if the real deframer is in
 * the assumed state, its state at the end of the piece is that of the thread's
 * deframer, and the two are exchanged. Otherwise the piece is done again. So
 * the output never depends on luck.
 */
#ifndef ETM_SESSION_AHEAD_H
#define ETM_SESSION_AHEAD_H

#include "port/frame.h"

struct etm_ahead;

/* Which part of a buffer. */
struct etm_ahead_config {
    const uint8_t *bytes; /* of the buffer, borrowed; or it is read from
                             `opened`: as in struct etm_file */
    int opened;
    size_t begin, end;
    size_t first;  /* where a frame begins */
    uint8_t id;    /* the wanted source */
    bool fixed;    /* no frame is incomplete */
    unsigned jobs; /* maximum number of threads in addition to the one that
                      reads */
    size_t piece;  /* bytes, whole frames; 0: a suitable size */
    const struct etm_allocator *allocator; /* must allow threads */
};

/* ETM_OK or ETM_ERR_MEMORY. */
int etm_ahead_new(struct etm_ahead **ahead,
                  const struct etm_ahead_config *config);

/*
 * Push the next piece, which must exist, into `deframer`, whose earlier output
 * must have been taken. Sets *end to the end of the piece. Errors as for
 * etm_deframer_push(); or ETM_ERR_IO.
 */
int etm_ahead_next(struct etm_ahead *ahead, struct etm_deframer *deframer,
                   size_t *end);

/* Number of pieces so far that other threads deframed, and that were done
 * again. */
struct etm_ahead_pieces {
    uint64_t good, bad;
};
struct etm_ahead_pieces etm_ahead_pieces(const struct etm_ahead *ahead);

/* Accepts NULL. */
void etm_ahead_free(struct etm_ahead *ahead);

#endif
