/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads and the joints.
 *
 * The stretches stand in a ring, in the order of the stream. Every thread has
 * a decoder of its own, whose blocks of code stay in the caches of its core.
 * Workers take the first stretch that nobody has. The thread that pushes goes
 * from the first of all to the next: it takes what a worker made of it when
 * the joint before it fits, and decodes it itself if nobody has it, without a
 * detour through memory. While it waits it does what a worker does.
 *
 * Where a joint does not fit, the true decoder takes over. Normally it does
 * not stand there: it comes to the joint by decoding the stretch before again,
 * from the warm-up on, if that was proved to begin right.
 *
 * Only `state` and `n_marks` of a stretch are looked at by two threads at a
 * time, under the lock; what else a worker writes belongs to it until it is
 * done.
 */
#include "session/parallel_state.h"

/* What a stretch is meant to yield at the most, where its size is not told:
 * elements, and bytes that are made of them, which should stay in the caches
 * of a core; and bytes of trace that it has at least and at the most. */
#define ELEMENTS 131072u
#define MADE (UINT32_C(1) << 21)
#define SIZE_LEAST 8192u
#define SIZE_MOST 524288u

/* Bytes of trace of a stretch whose elements are only counted: longer
 * stretches gain little. */
#define SIZE_COUNTED (UINT32_C(6) * 1024 * 1024)

/* Counts cost by the stretch: the longer the stream, the longer they are. */
#define COUNTS_LEAST 262144u
#define COUNTS_MOST 4194304u
#define COUNTS_PART 16u

/* It is not worth decoding if the warm-up is more than a part of it. */
#define WARM_UP_PART 4u

/* Bytes that are made and not yet taken, all stretches together; and threads,
 * more of which would leave too little to each. */
#define KEPT (UINT32_C(96) * 1024 * 1024)
#define JOBS_MOST 16u

/* Blocks of code that are kept, all decoders together. */
#define BLOCKS (UINT32_C(1) << 20)

/* Bytes and gaps are cut at whole records of ETMv1 and ETMv2 (2 or 3). */
#define RECORDS 6u

static struct etm_stretch *at(struct etm_parallel *p, unsigned i)
{
    return &p->ring[(p->first + i) % p->room];
}

static int new_decoder(struct etm_parallel *p, struct etm_decoder **d)
{
    int status = etm_decoder_new(d, &p->decoder_config);

    if (status == ETM_OK && p->jobs > 1)
        etm_decoder_limit(*d, BLOCKS / (p->jobs + 1));
    return status;
}

/* The first stretch that nobody has; NULL if there is none. Under the lock. */
static struct etm_stretch *choose(struct etm_parallel *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        struct etm_stretch *s = at(p, i);

        if (s->state == ETM_STRETCH_READY && s != p->filling)
            return s;
    }
    return NULL;
}

struct marking {
    struct etm_parallel *p;
    struct etm_stretch *s;
};

static void mark(void *context)
{
    struct marking *m = context;

    pthread_mutex_lock(&m->p->lock);
    m->s->n_marks++;
    pthread_cond_signal(&m->p->moved);
    pthread_mutex_unlock(&m->p->lock);
}

/*
 * A thread takes the portions again that it made last, and that were taken:
 * their memory is still in its cache. Under the lock.
 */
static void lend_portions(struct etm_parallel *p, struct etm_stretch *s)
{
    struct etm_vec *spare = &p->spare[s->thread];

    for (unsigned i = 0; i < ETM_STRETCH_PARTS && spare->n != 0; i++)
        s->portions[i].made = ((void **)spare->data)[--spare->n];
}

/* Those of a stretch that is dealt with. Under the lock. */
static void return_portions(struct etm_parallel *p, struct etm_stretch *s)
{
    for (unsigned i = ETM_STRETCH_PARTS; i-- > 0;) {
        void *made = s->portions[i].made;

        s->portions[i].made = NULL;
        if (made != NULL &&
            etm_vec_append(&p->spare[s->thread], &made, 1) != ETM_OK)
            p->portions.free(p->portions.context, made);
    }
}

/* Work on a stretch that was chosen; the lock is held before and after. */
static void work(struct etm_parallel *p, struct etm_stretch *s,
                 struct etm_decoder **d, unsigned thread)
{
    struct marking m = {p, s};

    s->state = ETM_STRETCH_RUNNING;
    s->thread = thread;
    lend_portions(p, s);
    pthread_mutex_unlock(&p->lock);
    s->status = *d == NULL ? new_decoder(p, d) : ETM_OK;
    if (s->status == ETM_OK)
        etm_stretch_work(s, *d, mark, &m);
    pthread_mutex_lock(&p->lock);
    s->state = ETM_STRETCH_DONE;
    pthread_cond_signal(&p->moved);
}

static void *worker(void *context)
{
    const struct etm_parallel_worker *w = context;
    struct etm_parallel *p = w->parallel;
    struct etm_decoder *d = NULL;

    pthread_mutex_lock(&p->lock);
    while (!p->ending) {
        struct etm_stretch *s = choose(p);

        if (s != NULL)
            work(p, s, &d, w->number);
        else
            pthread_cond_wait(&p->ready, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    etm_decoder_free(d);
    return NULL;
}

/* Threads are made when there is something for them; fewer than asked for
 * will do. */
static void start_threads(struct etm_parallel *p)
{
    while (p->n_threads + 1 < p->jobs) {
        struct etm_parallel_worker *w = &p->workers[p->n_threads];

        w->parallel = p;
        w->number = p->n_threads + 1;
        if (pthread_create(&w->thread, NULL, worker, w) != 0)
            break;
        p->n_threads++;
    }
    if (p->n_threads + 1 < p->jobs)
        p->jobs = p->n_threads + 1;
}

/* A decoder for another stretch: the true one, if it can come back. */
static struct etm_decoder **helper(struct etm_parallel *p)
{
    if (!p->known || !p->proved)
        return &p->own;
    p->truth_at = NOWHERE;
    return &p->truth;
}

void etm_parallel_wait(struct etm_parallel *p, const struct etm_stretch *s,
                       unsigned i)
{
    while (s->state == ETM_STRETCH_RUNNING && s->n_marks <= i) {
        struct etm_stretch *other = NULL;

        if (s->n_marks <= s->parts / 2 && !p->aside)
            other = choose(p);
        if (other != NULL)
            work(p, other, helper(p), 0);
        else
            pthread_cond_wait(&p->moved, &p->lock);
    }
}

/* Elements of a stretch of which so many bytes in all stretches are made. */
static size_t share(const struct etm_parallel *p, size_t bytes)
{
    return p->portions.element_size != 0 ? bytes / p->portions.element_size
                                         : SIZE_MAX;
}

/* Bytes of a stretch of which only counts are made. */
static size_t measure_counts(const struct etm_parallel *p)
{
    uint64_t n = p->offset / COUNTS_PART;

    if (n < COUNTS_LEAST)
        n = COUNTS_LEAST;
    if (n > COUNTS_MOST)
        n = COUNTS_MOST;
    return (size_t)n / RECORDS * RECORDS;
}

/* How many elements bytes have now: the size of the stretches to come. */
static void measure(struct etm_parallel *p, const struct etm_stretch *s)
{
    double bytes = (double)(s->bytes.n - s->warm);
    double ratio = (double)(p->given - p->counted) / (bytes + 1);
    size_t least, most = share(p, KEPT / p->room / 2);

    p->counted = p->given;
    p->ratio = p->ratio == 0 ? ratio : (3 * p->ratio + ratio) / 4;
    if (p->fixed_stretch)
        return;
    if (p->decoder_config.level == ETM_LEVEL_COUNTS) {
        p->stretch =
            KEPT / p->room < SIZE_COUNTED ? KEPT / p->room : SIZE_COUNTED;
        p->stretch -= p->stretch % RECORDS;
        return;
    }
    if (p->portions.element_size == 0) {
        p->stretch = measure_counts(p);
        return;
    }
    if (most > share(p, MADE))
        most = share(p, MADE);
    if (most > ELEMENTS)
        most = ELEMENTS;
    least = WARM_UP_PART * p->warm;
    p->stretch = SIZE_MOST;
    if (p->ratio * SIZE_MOST > (double)most)
        p->stretch = (size_t)((double)most / p->ratio);
    if (p->stretch < least)
        p->stretch = least;
    if (p->stretch < SIZE_LEAST)
        p->stretch = SIZE_LEAST;
    p->stretch -= p->stretch % RECORDS;
}

/* The first stretch of the ring, and out of it. */
static int advance(struct etm_parallel *p)
{
    struct etm_stretch *s = at(p, 0);
    bool alone;
    int status;

    pthread_mutex_lock(&p->lock);
    while (p->aside && p->n_threads != 0 && s->state == ETM_STRETCH_READY)
        pthread_cond_wait(&p->moved, &p->lock);
    if (s->state == ETM_STRETCH_READY)
        s->state = ETM_STRETCH_ALONE;
    alone = s->state == ETM_STRETCH_ALONE;
    pthread_mutex_unlock(&p->lock);
    status = alone ? etm_parallel_direct(p, s) : etm_parallel_join(p, s);
    measure(p, s);
    pthread_mutex_lock(&p->lock);
    return_portions(p, s);
    p->first = (p->first + 1) % p->room;
    p->n--;
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* Is the first stretch one that there is no waiting for? */
static bool is_first_done(struct etm_parallel *p)
{
    bool done;

    pthread_mutex_lock(&p->lock);
    done = p->n != 0 && at(p, 0)->state == ETM_STRETCH_DONE;
    pthread_mutex_unlock(&p->lock);
    return done;
}

/* Room for another stretch; the one before the first keeps its own. */
static int open_stretch(struct etm_parallel *p)
{
    struct etm_stretch *s, *before;
    int status = ETM_OK;

    while (status == ETM_OK && (p->n + 1 == p->room || is_first_done(p)))
        status = advance(p);
    if (status != ETM_OK)
        return status;
    before = p->n != 0 ? at(p, p->n - 1) : p->before;
    s = at(p, p->n);
    status = etm_stretch_begin(s, p->offset, p->stretch, before, p->warm);
    if (p->rest != 0 || (before == NULL && p->offset != 0))
        s->state = ETM_STRETCH_ALONE;
    p->rest -= p->rest != 0;
    s->most = p->fixed_stretch ? SIZE_MAX : share(p, KEPT / p->room);
    pthread_mutex_lock(&p->lock);
    p->filling = s;
    p->n++;
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* The stretch at hand is complete. */
static void close_stretch(struct etm_parallel *p)
{
    struct etm_stretch *s = p->filling;

    if (s == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    if (s->bytes.n == s->warm) /* nothing but gaps */
        s->state = ETM_STRETCH_ALONE;
    p->filling = NULL;
    pthread_cond_signal(&p->ready);
    pthread_mutex_unlock(&p->lock);
    if (p->n > 1)
        start_threads(p);
}

int etm_parallel_push(struct etm_parallel *p, const uint8_t *bytes, size_t n)
{
    int status = ETM_OK;

    if (p->ring == NULL || p->warming) {
        p->offset += n;
        return etm_decoder_push(p->truth, bytes, n);
    }
    while (n != 0 && status == ETM_OK) {
        size_t taken = n;

        if (p->filling == NULL)
            status = open_stretch(p);
        if (status == ETM_OK)
            status = etm_stretch_push(p->filling, bytes, &taken);
        if (status != ETM_OK)
            break;
        bytes += taken;
        n -= taken;
        p->offset += taken;
        if (etm_stretch_full(p->filling))
            close_stretch(p);
    }
    return status;
}

int etm_parallel_gap(struct etm_parallel *p, uint64_t lost)
{
    int status = ETM_OK;

    if (p->ring == NULL || p->warming)
        return etm_decoder_gap(p->truth, lost);
    if (p->filling == NULL)
        status = open_stretch(p);
    return status == ETM_OK ? etm_stretch_gap(p->filling, lost) : status;
}

int etm_parallel_flush(struct etm_parallel *p)
{
    int status = ETM_OK;

    close_stretch(p);
    while (p->n != 0 && status == ETM_OK)
        status = advance(p);
    return status;
}

int etm_parallel_finish(struct etm_parallel *p)
{
    int status = etm_parallel_flush(p);

    if (status == ETM_OK)
        status = etm_parallel_catch_up(p);
    return status == ETM_OK ? etm_decoder_finish(p->truth) : status;
}

void etm_parallel_warm_up(struct etm_parallel *p, bool on)
{
    p->warming = on;
    if (on)
        etm_decoder_redirect(p->truth, etm_stretch_drop, NULL);
    else
        etm_decoder_redirect(p->truth, etm_parallel_give, p);
}

uint64_t etm_parallel_settled(const struct etm_parallel *p)
{
    return p->n != 0 ? p->ring[p->first].begin : p->offset;
}

struct etm_parallel_joints etm_parallel_joints(const struct etm_parallel *p)
{
    return p->joints;
}

static int init_ring(struct etm_parallel *p)
{
    p->room = 2 * p->jobs + 2; /* one of them is the one before the first */
    p->ring = etm_alloc_zero(&p->allocator, p->room * sizeof *p->ring);
    p->workers = etm_alloc_zero(&p->allocator, p->jobs * sizeof *p->workers);
    p->spare = etm_alloc_zero(&p->allocator, p->jobs * sizeof *p->spare);
    if (p->ring == NULL)
        p->room = 0;
    for (unsigned i = 0; p->spare != NULL && i < p->jobs; i++)
        etm_vec_init(&p->spare[i], sizeof(void *), &p->allocator);
    for (unsigned i = 0; i < p->room; i++)
        etm_stretch_init(&p->ring[i], &p->portions, &p->allocator);
    return p->ring != NULL && p->workers != NULL && p->spare != NULL
               ? ETM_OK
               : ETM_ERR_MEMORY;
}

int etm_parallel_new(struct etm_parallel **parallel,
                     const struct etm_parallel_config *config)
{
    struct etm_allocator a = etm_allocator_or_default(config->allocator);
    struct etm_parallel *p = etm_alloc_zero(&a, sizeof *p);
    int status;

    *parallel = NULL;
    if (p == NULL)
        return ETM_ERR_MEMORY;
    p->allocator = a;
    p->config = *config->config;
    p->elements = config->elements;
    p->context = config->context;
    p->portions =
        config->portions != NULL ? *config->portions : etm_parallel_keeping(p);
    p->offset = config->offset;
    p->aside = config->aside;
    p->jobs = config->jobs != 0 ? config->jobs : 1;
    if (p->jobs > JOBS_MOST)
        p->jobs = JOBS_MOST;
    p->fixed_stretch = config->stretch != 0;
    p->fixed_warm = config->warm_up != 0;
    p->stretch = p->fixed_stretch ? config->stretch : SIZE_LEAST;
    p->warm = p->fixed_warm ? config->warm_up : WARM_UP;
    p->stretch += (RECORDS - p->stretch % RECORDS) % RECORDS;
    p->warm += (RECORDS - p->warm % RECORDS) % RECORDS;
    p->decoder_config = (struct etm_decoder_config){
        .size = sizeof p->decoder_config,
        .config = &p->config,
        .image = config->image,
        .level = config->level,
        .elements = etm_parallel_give,
        .context = p,
        .allocator = &p->allocator,
    };
    (void)pthread_mutex_init(&p->lock, NULL);
    (void)pthread_cond_init(&p->ready, NULL);
    (void)pthread_cond_init(&p->moved, NULL);
    etm_imprint_init(&p->imprint, &a);
    etm_counts_init(&p->counts, &a);
    status = p->jobs > 1 ? init_ring(p) : ETM_OK;
    if (status == ETM_OK)
        status = new_decoder(p, &p->truth);
    if (status == ETM_OK && config->offset != 0)
        status = etm_decoder_restart(p->truth, config->offset);
    if (status != ETM_OK) {
        etm_parallel_free(p);
        return status;
    }
    *parallel = p;
    return ETM_OK;
}

static void free_spare(struct etm_parallel *p)
{
    for (unsigned i = 0; p->spare != NULL && i < p->room / 2 - 1; i++) {
        for (size_t k = 0; k < p->spare[i].n; k++)
            p->portions.free(p->portions.context,
                             ((void **)p->spare[i].data)[k]);
        etm_vec_fini(&p->spare[i]);
    }
    etm_alloc_free(&p->allocator, p->spare);
}

static void stop_threads(struct etm_parallel *p)
{
    pthread_mutex_lock(&p->lock);
    p->ending = true;
    for (unsigned i = 0; i < p->n; i++)
        atomic_store(&at(p, i)->cancel, true);
    pthread_cond_broadcast(&p->ready);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->n_threads; i++)
        (void)pthread_join(p->workers[i].thread, NULL);
}

void etm_parallel_free(struct etm_parallel *p)
{
    struct etm_allocator a;

    if (p == NULL)
        return;
    a = p->allocator;
    stop_threads(p);
    for (unsigned i = 0; i < p->room; i++)
        etm_stretch_fini(&p->ring[i]);
    free_spare(p);
    etm_decoder_free(p->own);
    etm_decoder_free(p->truth);
    etm_imprint_fini(&p->imprint);
    etm_counts_fini(&p->counts);
    (void)pthread_mutex_destroy(&p->lock);
    (void)pthread_cond_destroy(&p->ready);
    (void)pthread_cond_destroy(&p->moved);
    etm_alloc_free(&a, p->workers);
    etm_alloc_free(&a, p->ring);
    etm_alloc_free(&a, p);
}
