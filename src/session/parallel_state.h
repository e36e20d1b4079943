/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of session/parallel.h: parallel.c has the threads and the
 * ring, parallel_join.c the joints. */
#ifndef ETM_SESSION_PARALLEL_STATE_H
#define ETM_SESSION_PARALLEL_STATE_H

#include "session/parallel.h"
#include "session/stretch.h"

#include <pthread.h>

/* The warm-up: two synchronizations at the usual distance (3.5.10), and up to
 * 64 times that where it is not enough. */
#define WARM_UP 2048u
#define WARM_UP_MOST 131072u /* a power of two times WARM_UP */

/* Elements of a worker that are given at a time. */
#define BATCH 256u

struct etm_parallel {
    struct etm_allocator allocator;
    struct etm_config config;
    struct etm_decoder_config decoder_config;
    etm_element_fn *elements;
    void *context;

    uint64_t offset;      /* bytes that were pushed */
    uint64_t given;       /* elements */
    uint64_t counted;     /* of them, those that `ratio` knows of */
    double ratio;         /* elements of a byte */
    size_t stretch, warm; /* as asked for, or as it is now */
    bool fixed_stretch, fixed_warm;
    unsigned failed, fitted, rest; /* see PATIENCE, TRUST */
    struct etm_parallel_joints joints;

    unsigned jobs, n_threads;
    pthread_t *threads; /* room for jobs - 1 */
    pthread_mutex_t lock;
    pthread_cond_t ready, moved; /* for workers; for the one that pushes */
    bool ending, aside;
    struct etm_decoder *own; /* of the thread that pushes, for its stretches */

    /* The ring: `room` stretches, from `first` on. Those of the last one
     * before it are still there. */
    struct etm_stretch *ring;
    unsigned room, first, n;
    struct etm_stretch *filling; /* the last of the ring, or NULL */

    /* The true state before the first stretch, if `known`; */
    struct etm_imprint imprint;
    bool known;
    /* and the true decoder. It stands at this index of the stretch before, or
     * nowhere. */
    struct etm_decoder *truth;
    bool warming;               /* etm_parallel_warm_up() */
    struct etm_stretch *before; /* NULL: at the beginning of the stream */
    bool proved;                /* that one begins right with its warm-up */
    size_t truth_at;

    struct etm_element batch[BATCH];
};
#define NOWHERE SIZE_MAX

/* An etm_element_fn: elements of the true decoder, and of stretches that
 * fit. */
int etm_parallel_give(void *context, const struct etm_element *elements,
                      size_t n);

/* Wait for a worker, at least for its mark number `i` or, with UINT_MAX, for
 * its end; do something useful in the meantime. Under the lock. */
void etm_parallel_wait(struct etm_parallel *p, const struct etm_stretch *s,
                       unsigned i);

/* The first stretch: one that a worker has begun with, and one that nobody
 * has. Afterwards it is the one before the first. */
int etm_parallel_join(struct etm_parallel *p, struct etm_stretch *s);
int etm_parallel_direct(struct etm_parallel *p, struct etm_stretch *s);

/* Bring the true decoder to the joint before the first stretch. */
int etm_parallel_catch_up(struct etm_parallel *p);

#endif
