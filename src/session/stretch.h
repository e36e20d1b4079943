/* SPDX-License-Identifier: Apache-2.0 */
/* A stretch of a stream, and what a worker made of it (session/parallel.h). */
#ifndef ETM_SESSION_STRETCH_H
#define ETM_SESSION_STRETCH_H

#include "session/decoder.h"

#include <etm/session.h>
#include <stdatomic.h>

enum etm_stretch_state {
    ETM_STRETCH_FILLING = 0, /* its bytes are not complete */
    ETM_STRETCH_READY,       /* for the worker that comes first */
    ETM_STRETCH_ALONE,       /* for the true decoder only */
    ETM_STRETCH_RUNNING,     /* a worker decodes it */
    ETM_STRETCH_DONE         /* and is done */
};

struct etm_stretch_gap {
    size_t at; /* before this byte */
    uint64_t lost;
};

/* Maximum number of gaps of a stretch, and of its warm-up: a capture may have
 * any number of gaps, with hardly a byte between them. */
#define ETM_STRETCH_GAPS 2048u

struct etm_stretch {
    uint64_t begin;       /* offset in the stream after the warm-up */
    size_t warm;          /* bytes of the warm-up */
    size_t warm_gaps;     /* and the gaps in it */
    size_t size;          /* bytes that belong in it */
    struct etm_vec bytes; /* of the warm-up and the stretch */
    struct etm_vec gaps;  /* struct etm_stretch_gap */
    /* It ends `synced` bytes after the beginning of a synchronization (0:
     * without one), `margin` of these after a decoder knows everything by it;
     * `near` more bytes may be searched for one, from index `searched` on. */
    size_t synced, margin, near, searched;

    enum etm_stretch_state state; /* guarded */

    /* Owned by the worker, until it is done. */
    const struct etm_portions *how;    /* borrowed */
    unsigned thread;                   /* its number */
    struct etm_decoder_memory memory;  /* that it began with */
    struct etm_imprint before, behind; /* the decoder after the warm-up, and at
                                          the end if it came there */
    bool complete;
    struct etm_carried_sets carried; /* since `before`, at the end */
    uint64_t pending;                /* etm_decoder_pending(), at the end */
    void *portion;   /* of struct etm_portions; NULL: to be made */
    size_t elements; /* that went into it */
    size_t most;     /* maximum number of elements */
    /* ETM_LEVEL_COUNTS: executions are counted, and stay in the decoder;
     * `cycles` are theirs. `counted`: some were counted, even if the stretch is
     * not complete; `broken`: it is not known which. */
    bool counts, counted, broken;
    uint64_t cycles;
};

/* `how` is borrowed. */
void etm_stretch_init(struct etm_stretch *stretch,
                      const struct etm_portions *how, bool counts,
                      const struct etm_allocator *allocator);
void etm_stretch_fini(struct etm_stretch *stretch);

/* Empty it, to begin at that offset of the stream. `before`, which may be
 * NULL, ends there: up to `warm` bytes of it become the warm-up. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_stretch_begin(struct etm_stretch *stretch, uint64_t begin, size_t size,
                      const struct etm_stretch *before, size_t warm);

/* Add as many of the bytes as belong in it; *n becomes their number. */
int etm_stretch_push(struct etm_stretch *stretch, const uint8_t *bytes,
                     size_t *n);
int etm_stretch_gap(struct etm_stretch *stretch, uint64_t lost);

static inline bool etm_stretch_full(const struct etm_stretch *stretch)
{
    return stretch->bytes.n - stretch->warm >= stretch->size;
}

/* Decode bytes `from` to `to` (indexes), with the gaps before them. */
int etm_stretch_feed(const struct etm_stretch *stretch,
                     struct etm_decoder *decoder, size_t from, size_t to);

/* Begin again with the warm-up. */
void etm_stretch_restart(const struct etm_stretch *stretch,
                         struct etm_decoder *decoder);

/* The worker's part: decode it from the warm-up on. It may stop when `ending`
 * becomes true. */
void etm_stretch_work(struct etm_stretch *stretch, struct etm_decoder *decoder,
                      const atomic_bool *ending);

/* ETM_LEVEL_COUNTS: only count again, as etm_stretch_work() did. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_stretch_recount(struct etm_stretch *stretch,
                        struct etm_decoder *decoder);

/* An etm_element_fn that drops all elements. */
int etm_stretch_drop(void *context, const struct etm_element *elements,
                     size_t n);

#endif
