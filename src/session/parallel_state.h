/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of session/parallel.h: parallel.c has the threads and the
 * ring, parallel_cut.c says where stretches end, parallel_join.c has the
 * joints, parallel_keep.c portions of those who want the elements themselves,
 * parallel_counts.c executions. */
#ifndef ETM_SESSION_PARALLEL_STATE_H
#define ETM_SESSION_PARALLEL_STATE_H

#include "image/counts.h"
#include "session/parallel.h"
#include "session/stretch.h"
#include "session/sync.h"

#include <pthread.h>

/* The warm-up from anywhere: two synchronizations at the usual distance
 * (3.5.17); and how long warm-ups become where that is not enough. */
#define WARM_UP 2046u
#define WARM_UP_MOST 122880u

/* Threads, more of which would leave too little to each. */
#define ETM_PARALLEL_JOBS 16u

/* Bytes and gaps are cut at whole records of ETMv1 and ETMv2 (2 or 3). */
#define RECORDS 6u

/* A thread that decodes. */
struct etm_parallel_worker {
    struct etm_parallel *parallel;
    unsigned number;             /* from 0 */
    pthread_t thread;            /* but of the last */
    struct etm_decoder *decoder; /* NULL until it is needed; keeps the counts
                                    of its stretches */
    const struct etm_stretch *behind; /* the one it stands at the end of, or
                                         NULL */
    /* ETM_LEVEL_COUNTS: those of the decoder, in order, at the end. */
    struct etm_counts sum;
    bool summed;
};

struct etm_parallel {
    struct etm_allocator allocator;
    struct etm_config config;
    struct etm_decoder_config decoder_config;
    etm_element_fn *elements;
    void *context;

    /* Of the thread that pushes. */
    uint64_t offset;             /* bytes that were pushed */
    struct etm_stretch *filling; /* the last of the ring, or NULL */
    bool alone;                  /* that is for the true decoder */
    struct etm_sync sync;
    struct etm_portions portions;
    bool here; /* only the thread that pushes has the turn */

    unsigned jobs, n_threads;
    struct etm_parallel_worker *workers;
    struct etm_vec *spare;  /* void *: portions for each of them to use again */
    unsigned made;          /* portions that there are, or will be */
    pthread_mutex_t lock;   /* of what stands below up to `sums` */
    pthread_cond_t ready;   /* a stretch for a worker, or none any more */
    pthread_cond_t settled; /* so few stretches are left as are wanted, or a
                               thread's counts are in order */
    atomic_bool ending;
    int status; /* what stopped it */

    /* The ring: `room` stretches, from `first` on. The one before the first is
     * still there. */
    struct etm_stretch *ring;
    unsigned room, first, n;
    unsigned depth;       /* so many there may be now: at most `room` */
    unsigned wanted;      /* not more are waited for */
    size_t held;          /* bytes in it */
    size_t stretch, warm; /* bytes: as asked for, or as it is now; */
    size_t least_warm;    /* and a warm-up from a synchronization has these */
    bool fixed_stretch, fixed_warm;
    unsigned rest; /* see PATIENCE */
    struct etm_parallel_joints joints;
    struct etm_decoder_memory memory; /* what stretches begin with */
    uint64_t pending;                 /* etm_decoder_pending() of the truth */
    bool turn;                        /* somebody has it */
    bool summing;  /* no stretch will come: workers add up their counts; */
    unsigned sums; /* so many have */

    /* Of whoever has the turn. */
    uint64_t given;   /* elements */
    uint64_t counted; /* of them, those that `ratio` knows of */
    double ratio;     /* elements of a byte */
    unsigned failed, fitted, doubt, doubled, halved;
    struct etm_counts counts; /* of what the true decoder gave, and others, */
    struct etm_counts wrong;  /* and those of workers that do not count: */
    struct etm_decoder *undo; /* it counts them again; NULL: none yet */
    uint64_t cycles;          /* of all that count */
    /* The true state before the first stretch, if `known`; */
    struct etm_imprint imprint;
    bool known;
    /* and the true decoder: behind the stretch before, or nowhere. Then that
     * one began right with its warm-up. */
    struct etm_decoder *truth;
    bool warming;               /* etm_parallel_warm_up() */
    struct etm_stretch *before; /* NULL: at the beginning of the stream */
    bool nowhere;
};

static inline struct etm_stretch *etm_parallel_at(struct etm_parallel *p,
                                                  unsigned i)
{
    return &p->ring[(p->first + i) % p->room];
}

/* What the thread that pushes is, while it waits: the last of the workers. */
static inline struct etm_parallel_worker *
etm_parallel_own(struct etm_parallel *p)
{
    return &p->workers[p->jobs - 1];
}

/* An etm_element_fn: elements of the true decoder. */
int etm_parallel_give(void *context, const struct etm_element *elements,
                      size_t n);

/* parallel_keep.c: portions that keep the elements, and give them when they
 * are taken. */
struct etm_portions etm_parallel_keeping(struct etm_parallel *p);

/* parallel_cut.c: bytes of the shortest warm-up, from a synchronization on. */
size_t etm_parallel_least_warm_up(const struct etm_config *config);

/* Are there enough stretches? Another one, whose bytes may come
 * from now on; and as many of them as belong in it, of which *n becomes the
 * number. A stretch is dealt with: how long are those to come? All but filling
 * under the lock. */
bool etm_parallel_full(const struct etm_parallel *p);
int etm_parallel_begin(struct etm_parallel *p, struct etm_stretch *s,
                       const struct etm_stretch *before);
int etm_parallel_fill(struct etm_parallel *p, const uint8_t *bytes, size_t *n);
void etm_parallel_measure(struct etm_parallel *p, const struct etm_stretch *s);

/* parallel_counts.c: executions that a decoder counted, the true one or the one
 * at the end; and those of a stretch that began wrong are not to count. ETM_OK
 * or ETM_ERR_MEMORY. */
int etm_parallel_collect(struct etm_parallel *p, struct etm_decoder *d);
int etm_parallel_take_back(struct etm_parallel *p, struct etm_stretch *s);

/* Nothing more is pushed: a thread that has nothing left to decode puts its
 * counts in order, which etm_parallel_sum() does without the lock. And wait for
 * all of them. */
void etm_parallel_begin_sums(struct etm_parallel *p);
void etm_parallel_sum(struct etm_parallel_worker *w);
void etm_parallel_await_sums(struct etm_parallel *p);

/* Make a decoder. */
int etm_parallel_decoder(struct etm_parallel *p, struct etm_decoder **decoder);

/* parallel_join.c: the first stretch, by whoever has the turn: one that a
 * worker is done with, and one that nobody had. Afterwards it is the one before
 * the first. */
int etm_parallel_join(struct etm_parallel *p, struct etm_stretch *s);
int etm_parallel_direct(struct etm_parallel *p, struct etm_stretch *s);

/* The end of the stream, behind the last stretch. */
int etm_parallel_end(struct etm_parallel *p);

#endif
