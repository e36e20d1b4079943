/* SPDX-License-Identifier: Apache-2.0 */
/* A stretch of a stream, and what a worker made of it (session/parallel.h). */
#ifndef ETM_SESSION_STRETCH_H
#define ETM_SESSION_STRETCH_H

#include "session/decoder.h"

#include <etm/session.h>
#include <stdatomic.h>

/* The state is noted at the beginning of a stretch and behind each of its equal
 * parts, which are so many or only one. */
#define ETM_STRETCH_PARTS 8u

enum etm_stretch_state {
    ETM_STRETCH_READY = 0, /* for whoever comes first */
    ETM_STRETCH_ALONE,     /* for the true decoder only */
    ETM_STRETCH_RUNNING,   /* a worker is at it */
    ETM_STRETCH_DONE       /* and is done */
};

struct etm_stretch_gap {
    size_t at; /* before this byte */
    uint64_t lost;
};

/* What becomes of the elements from one mark to the next. */
struct etm_stretch_portion {
    void *made;      /* of struct etm_portions; NULL: to be made */
    size_t elements; /* that went into it */
};

struct etm_stretch {
    uint64_t begin;       /* offset in the stream behind the warm-up */
    size_t warm;          /* bytes of the warm-up */
    size_t size;          /* bytes that belong in it */
    struct etm_vec bytes; /* of the warm-up and the stretch */
    struct etm_vec gaps;  /* struct etm_stretch_gap */

    enum etm_stretch_state state; /* guarded, as is n_marks */
    unsigned n_marks;
    struct etm_imprint marks[ETM_STRETCH_PARTS + 1]; /* the decoder there */
    atomic_bool cancel; /* nobody wants it any more */

    /* The worker's, until it is done. */
    const struct etm_portions *how; /* borrowed */
    unsigned parts;                 /* 1 where a portion costs much: counts */
    unsigned thread;                /* its number */
    struct etm_stretch_portion portions[ETM_STRETCH_PARTS]; /* by part */
    struct etm_stretch_portion *portion; /* the one at hand */
    size_t elements;                     /* of all portions */
    struct etm_vec counts; /* struct etm_count: of the whole stretch */
    size_t most;           /* so many are too many */
    size_t done;           /* index behind the last byte that was decoded */
    int status;
};

/* `how` is borrowed. */
void etm_stretch_init(struct etm_stretch *stretch,
                      const struct etm_portions *how,
                      const struct etm_allocator *allocator);
void etm_stretch_fini(struct etm_stretch *stretch);

/* Empty it, to begin at that offset of the stream. `before`, which may be
 * NULL, ends there: up to `warm` bytes of it become the warm-up. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_stretch_begin(struct etm_stretch *stretch, uint64_t begin, size_t size,
                      const struct etm_stretch *before, size_t warm);

/* As many of the bytes as belong in it; *n becomes their number. */
int etm_stretch_push(struct etm_stretch *stretch, const uint8_t *bytes,
                     size_t *n);
int etm_stretch_gap(struct etm_stretch *stretch, uint64_t lost);

static inline bool etm_stretch_full(const struct etm_stretch *stretch)
{
    return stretch->bytes.n - stretch->warm >= stretch->size;
}

/* Index in `bytes` at which mark number i is made. */
static inline size_t etm_stretch_mark_at(const struct etm_stretch *stretch,
                                         unsigned i)
{
    size_t n = stretch->bytes.n - stretch->warm;

    if (i >= stretch->parts) /* the end */
        return stretch->bytes.n;
    return stretch->warm + n / stretch->parts * i;
}

/* Decode bytes `from` to `to` (indexes), with the gaps before them. */
int etm_stretch_feed(const struct etm_stretch *stretch,
                     struct etm_decoder *decoder, size_t from, size_t to);

/* Called when another mark was made. */
typedef void etm_stretch_mark_fn(void *context);

/* A worker's part: decode it from the warm-up on. */
void etm_stretch_work(struct etm_stretch *stretch, struct etm_decoder *decoder,
                      etm_stretch_mark_fn *mark, void *context);

/* An etm_element_fn that forgets them. */
int etm_stretch_drop(void *context, const struct etm_element *elements,
                     size_t n);

#endif
