/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of session/parallel.h: parallel.c has the threads and the
 * ring, parallel_join.c the joints, parallel_keep.c portions of those who want
 * the elements themselves. */
#ifndef ETM_SESSION_PARALLEL_STATE_H
#define ETM_SESSION_PARALLEL_STATE_H

#include "image/counts.h"
#include "session/parallel.h"
#include "session/stretch.h"

#include <pthread.h>

/* The warm-up: two synchronizations at the usual distance (3.5.10), and up to
 * 64 times that where it is not enough. */
#define WARM_UP 2048u
#define WARM_UP_MOST 131072u /* a power of two times WARM_UP */

/* A thread that decodes. */
struct etm_parallel_worker {
    struct etm_parallel *parallel;
    unsigned number; /* from 1; the one that pushes is 0 */
    pthread_t thread;
};

struct etm_parallel {
    struct etm_allocator allocator;
    struct etm_config config;
    struct etm_decoder_config decoder_config;
    etm_element_fn *elements;
    void *context;

    uint64_t offset; /* bytes that were pushed */
    struct etm_portions portions;
    struct etm_counts counts; /* of what was given, but for those that the true
                                 decoder still has */
    uint64_t given;           /* elements */
    uint64_t counted;         /* of them, those that `ratio` knows of */
    double ratio;             /* elements of a byte */
    size_t stretch, warm;     /* as asked for, or as it is now */
    bool fixed_stretch, fixed_warm;
    unsigned failed, fitted, rest; /* see PATIENCE, TRUST */
    struct etm_parallel_joints joints;

    unsigned jobs, n_threads;
    struct etm_parallel_worker *workers; /* room for jobs - 1 */
    struct etm_vec *spare; /* void *: portions for each thread to use again */
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
};
#define NOWHERE SIZE_MAX

/* An etm_element_fn: elements of the true decoder. */
int etm_parallel_give(void *context, const struct etm_element *elements,
                      size_t n);

/* Portions that keep the elements, and give them when they are taken. */
struct etm_portions etm_parallel_keeping(struct etm_parallel *p);

/* parallel_counts.c: executions of a stretch, and of what the true decoder has
 * given, become those of all. ETM_OK or ETM_ERR_MEMORY. */
int etm_parallel_add_counts(struct etm_parallel *p,
                            const struct etm_vec *counts);
int etm_parallel_collect(struct etm_parallel *p);

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
