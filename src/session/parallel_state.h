/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of session/parallel.h: parallel.c has the threads and the
 * ring, parallel_cut.c decides where stretches end, parallel_join.c has the
 * joints, parallel_keep.c the portions for callers that want elements,
 * parallel_counts.c executions. */
#ifndef ETM_SESSION_PARALLEL_STATE_H
#define ETM_SESSION_PARALLEL_STATE_H

#include "image/counts.h"
#include "session/parallel.h"
#include "session/stretch.h"
#include "session/sync.h"

#include <pthread.h>

/* The warm-up without a synchronization: two synchronizations at the usual
 * distance (3.5.17); and the maximum of a warm-up if that is not enough. */
#define WARM_UP 2046u
#define WARM_UP_MOST 122880u

/* Maximum number of threads: more would leave too little for each. */
#define ETM_PARALLEL_JOBS 16u

/* Blocks of code that all decoders together keep. */
#define ETM_PARALLEL_BLOCKS UINT32_C(1000000)

/* Bytes and gaps are cut at whole records of ETMv1 and ETMv2 (2 or 3). */
#define RECORDS 6u

/* A thread that decodes. */
struct etm_parallel_worker {
    struct etm_parallel *parallel;
    unsigned number;             /* from 0 */
    pthread_t thread;            /* but of the last */
    struct etm_decoder *decoder; /* NULL until it is needed; keeps the counts
                                    of its stretches */
    const struct etm_stretch *behind; /* the stretch at whose end it is, or
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

    /* Used by the thread that pushes. */
    uint64_t offset;             /* bytes that were pushed */
    struct etm_stretch *filling; /* the last of the ring, or NULL */
    bool within;                 /* the first byte is not that of the stream */
    bool alone;                  /* that is for the true decoder */
    struct etm_sync sync;
    struct etm_portions portions;
    bool here; /* only the thread that pushes has the turn */

    unsigned jobs, n_threads;
    struct etm_parallel_worker *workers;
    struct etm_vec *spare;  /* void *: portions for each of them to use again */
    unsigned made;          /* portions that there are, or will be */
    pthread_mutex_t lock;   /* for the members below, up to `sums` */
    pthread_cond_t ready;   /* there is a stretch for a worker, or will be
                               none */
    pthread_cond_t settled; /* no more than `wanted` stretches are left, or a
                               thread has sorted its counts */
    atomic_bool ending;
    int status; /* what stopped it */

    /* The ring: `room` stretches, from `first` on. The one before the first is
     * still there. */
    struct etm_stretch *ring;
    unsigned room, first, n;
    unsigned depth;       /* present maximum number: at most `room` */
    unsigned wanted;      /* number of stretches waited for */
    size_t held;          /* bytes in it */
    size_t stretch, warm; /* bytes: as requested, or the present size; */
    size_t least_warm;    /* and of a warm-up from a synchronization */
    bool fixed_stretch, fixed_warm;
    unsigned rest; /* see PATIENCE */
    struct etm_parallel_joints joints;
    struct etm_decoder_memory memory; /* what stretches begin with */
    uint64_t pending;                 /* etm_decoder_pending() of the truth */
    bool turn;                        /* somebody has it */
    bool summing;  /* no stretch will come: workers sort their counts; */
    unsigned sums; /* so many have */

    /* Used by the thread that has the turn. */
    uint64_t given;   /* elements */
    uint64_t counted; /* those that `ratio` includes */
    double ratio;     /* elements of a byte */
    unsigned failed, fitted, doubt, doubled, halved;
    struct etm_counts counts; /* counts from the true decoder and others, */
    struct etm_counts wrong;  /* and invalid counts of workers: */
    struct etm_decoder *undo; /* counts these again; NULL: none yet */
    uint64_t cycles;          /* of all that count */
    /* The true state before the first stretch, if `known`; */
    struct etm_imprint imprint;
    bool known;
    /* and the true decoder: at the end of the previous stretch, or not. If not,
     * that stretch began right with its warm-up. */
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

/* The worker that the thread that pushes is while it waits: the last one. */
static inline struct etm_parallel_worker *
etm_parallel_own(struct etm_parallel *p)
{
    return &p->workers[p->jobs - 1];
}

/* Make a decoder. */
static inline int etm_parallel_decoder(struct etm_parallel *p,
                                       struct etm_decoder **decoder)
{
    int status = etm_decoder_new(decoder, &p->decoder_config);

    if (status == ETM_OK && p->jobs > 1)
        etm_decoder_limit(*decoder, ETM_PARALLEL_BLOCKS / (p->jobs + 2));
    return status;
}

/* An etm_element_fn: elements of the true decoder. */
int etm_parallel_give(void *context, const struct etm_element *elements,
                      size_t n);

/* parallel_keep.c: portions that keep the elements, and give them when they
 * are taken. */
struct etm_portions etm_parallel_keeping(struct etm_parallel *p);

/* parallel_cut.c: bytes of the shortest warm-up, from a synchronization on. */
size_t etm_parallel_least_warm_up(const struct etm_config *config);

/* Are there enough stretches? Begin another one. Add bytes to it: as many as
 * belong in it, whose number is put into *n. After a stretch was joined: how
 * long will the next ones be? All except filling are called under the lock. */
bool etm_parallel_full(const struct etm_parallel *p);
int etm_parallel_begin(struct etm_parallel *p, struct etm_stretch *s,
                       const struct etm_stretch *before);
int etm_parallel_fill(struct etm_parallel *p, const uint8_t *bytes, size_t *n);
void etm_parallel_measure(struct etm_parallel *p, const struct etm_stretch *s);

/* parallel_counts.c: collect the executions that a decoder counted, the true
 * one or one at the end; and subtract those of a stretch that began wrong.
 * ETM_OK or ETM_ERR_MEMORY. */
int etm_parallel_collect(struct etm_parallel *p, struct etm_decoder *d);
int etm_parallel_take_back(struct etm_parallel *p, struct etm_stretch *s);

/* Nothing more is pushed: a thread that has nothing left to decode sorts its
 * counts, which etm_parallel_sum() does without the lock. And wait for all
 * threads. */
void etm_parallel_begin_sums(struct etm_parallel *p);
void etm_parallel_sum(struct etm_parallel_worker *w);
void etm_parallel_await_sums(struct etm_parallel *p);

/* parallel_join.c: join the first stretch, by the thread that has the turn: one
 * that a worker has finished, or one that no worker had. Afterwards it is the
 * one before the first. */
int etm_parallel_join(struct etm_parallel *p, struct etm_stretch *s);
int etm_parallel_direct(struct etm_parallel *p, struct etm_stretch *s);

/* The end of the stream, after the last stretch. */
int etm_parallel_end(struct etm_parallel *p);

#endif
