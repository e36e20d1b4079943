/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads and the ring.
 *
 * The stretches are in a ring, in the order of the stream. The thread that
 * pushes fills them; each worker takes the first free one, with a decoder of
 * its own, whose blocks of code stay in the caches of its core. When enough
 * stretches are filled, the thread that pushes is a worker, too: with more
 * threads than cores, threads would compete for cores and caches.
 *
 * Finished stretches are joined in order, by the thread that has the turn: a
 * worker that has finished one takes the turn if it is free, and joins all
 * finished stretches. So no thread has to be woken for this, and mostly what a
 * worker made is still in its cache when it is used. If elements are requested,
 * and not portions, only the thread that pushes has the turn, because elements
 * must be given by this thread.
 *
 * What a worker made of a stretch is valid if the joint before it fits.
 * Otherwise the true decoder takes over: it gets to the joint by decoding the
 * previous stretch again, from its warm-up on, which was proved to begin right.
 *
 * The state of a stretch says which thread owns it: its contents are accessed
 * by one thread at a time, without the lock, except for bytes that are
 * complete.
 */
#include "session/parallel_state.h"

/* Stretches for each thread. */
#define STRETCHES 16u

/* Number of stretches that wait for a worker: if there are more, the thread
 * that pushes takes one, so that not too much is in memory. */
#define WAITING 2u

/* The first free stretch; NULL if there is none. Under the lock. */
static struct etm_stretch *choose(struct etm_parallel *p)
{
    for (unsigned i = 0; i < p->n && p->status == ETM_OK; i++) {
        struct etm_stretch *s = etm_parallel_at(p, i);

        if (s->state == ETM_STRETCH_READY)
            return s;
    }
    return NULL;
}

/*
 * A thread reuses the portion that it made last, if it was taken: its memory is
 * still in its cache. There are no more portions than stretches; if there are
 * as many, it reuses one of another thread. Under the lock.
 */
static void lend_portion(struct etm_parallel *p, struct etm_stretch *s)
{
    struct etm_vec *spare = &p->spare[s->thread];

    for (unsigned i = 0; i < p->jobs && spare->n == 0; i++)
        if (p->made >= p->depth)
            spare = &p->spare[i];
    if (spare->n != 0)
        s->portion = ((void **)spare->data)[--spare->n];
    else
        p->made++;
}

/* Return the portion of a stretch that was joined. Under the lock. */
static void return_portion(struct etm_parallel *p, struct etm_stretch *s)
{
    void *portion = s->portion;

    s->portion = NULL;
    if (s->state != ETM_STRETCH_DONE)
        return; /* nobody had it */
    if (portion != NULL && p->made <= p->depth &&
        etm_vec_append(&p->spare[s->thread], &portion, 1) == ETM_OK)
        return;
    if (portion != NULL)
        p->portions.free(p->portions.context, portion);
    p->made--;
}

/* Work on a stretch that was chosen. Under the lock, except for the work. */
static void work(struct etm_parallel *p, struct etm_stretch *s,
                 struct etm_parallel_worker *w)
{
    s->state = ETM_STRETCH_RUNNING;
    s->thread = w->number;
    s->memory = p->memory;
    lend_portion(p, s);
    pthread_mutex_unlock(&p->lock);
    if (w->decoder != NULL || etm_parallel_decoder(p, &w->decoder) == ETM_OK)
        etm_stretch_work(s, w->decoder, &p->ending);
    w->behind = s;
    pthread_mutex_lock(&p->lock);
    s->state = ETM_STRETCH_DONE;
}

/* Can the first stretch be joined? Under the lock. */
static bool is_first_done(struct etm_parallel *p)
{
    enum etm_stretch_state state;

    if (p->n == 0 || p->status != ETM_OK)
        return false;
    state = etm_parallel_at(p, 0)->state;
    return state == ETM_STRETCH_DONE || state == ETM_STRETCH_ALONE;
}

/* Remove the first stretch from the ring. Under the lock. */
static void drop_first(struct etm_parallel *p, struct etm_stretch *s)
{
    etm_parallel_measure(p, s);
    return_portion(p, s);
    p->held -= s->bytes.n;
    p->first = (p->first + 1) % p->room;
    p->n--;
}

/* Join all finished stretches, if no thread has the turn. Under the lock,
 * except for the work. */
static void settle(struct etm_parallel *p)
{
    if (p->turn)
        return;
    p->turn = true;
    while (is_first_done(p)) {
        struct etm_stretch *s = etm_parallel_at(p, 0);
        bool alone = s->state == ETM_STRETCH_ALONE;
        int status;

        pthread_mutex_unlock(&p->lock);
        status = alone ? etm_parallel_direct(p, s) : etm_parallel_join(p, s);
        pthread_mutex_lock(&p->lock);
        p->status = status;
        drop_first(p, s);
    }
    p->turn = false;
    if (p->n <= p->wanted || p->status != ETM_OK)
        pthread_cond_signal(&p->settled);
}

/* Add up the counts of one thread. Under the lock, except for the work. */
static void sum(struct etm_parallel *p, struct etm_parallel_worker *w)
{
    w->summed = true;
    pthread_mutex_unlock(&p->lock);
    etm_parallel_sum(w);
    pthread_mutex_lock(&p->lock);
    p->sums++;
    pthread_cond_signal(&p->settled);
}

static void *run(void *context)
{
    struct etm_parallel_worker *w = context;
    struct etm_parallel *p = w->parallel;

    pthread_mutex_lock(&p->lock);
    while (!atomic_load(&p->ending)) {
        struct etm_stretch *s = choose(p);

        if (s != NULL)
            work(p, s, w);
        if (!p->here && !p->turn && is_first_done(p))
            settle(p);
        else if (s == NULL && p->summing && !w->summed)
            sum(p, w);
        else if (s == NULL)
            pthread_cond_wait(&p->ready, &p->lock);
        else if (p->here && is_first_done(p))
            pthread_cond_signal(&p->settled);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Threads are started when there is work for them beside the one that pushes;
 * fewer than requested are acceptable. */
static void start_threads(struct etm_parallel *p)
{
    while (p->n_threads + 1 < p->jobs) {
        struct etm_parallel_worker *w = &p->workers[p->n_threads];

        if (pthread_create(&w->thread, NULL, run, w) != 0)
            break;
        p->n_threads++;
    }
}

/* The thread that pushes waits until no more than `wanted` stretches are left;
 * meanwhile it is a worker, the last of them. Under the lock. */
static int wait_for(struct etm_parallel *p, unsigned wanted)
{
    p->wanted = wanted;
    for (;;) {
        struct etm_stretch *s;

        settle(p);
        if (p->n <= wanted || p->status != ETM_OK)
            return p->status;
        s = choose(p);
        if (s != NULL)
            work(p, s, etm_parallel_own(p));
        else
            pthread_cond_wait(&p->settled, &p->lock);
    }
}

/* Do more stretches wait than the workers will soon take? Under the lock. */
static bool has_waiting(struct etm_parallel *p)
{
    unsigned n = 0;

    for (unsigned i = 0; i < p->n; i++)
        n += etm_parallel_at(p, i)->state == ETM_STRETCH_READY;
    return n > WAITING * p->jobs;
}

/* A stretch reuses the bytes of the free one with the most room: so the ring
 * keeps only as much memory as was in use at the same time. The last one of the
 * ring is the one before the first. Under the lock. */
static void reuse_bytes(struct etm_parallel *p, struct etm_stretch *s)
{
    struct etm_stretch *most = s;
    struct etm_vec bytes = s->bytes;

    for (unsigned i = p->n + 1; i + 1 < p->room; i++)
        if (etm_parallel_at(p, i)->bytes.capacity > most->bytes.capacity)
            most = etm_parallel_at(p, i);
    s->bytes = most->bytes;
    most->bytes = bytes;
}

/* Begin another stretch; the one before the first keeps its memory. */
static int open_stretch(struct etm_parallel *p)
{
    struct etm_stretch *s, *before;
    int status;

    pthread_mutex_lock(&p->lock);
    if (p->status == ETM_OK && has_waiting(p))
        work(p, choose(p), etm_parallel_own(p));
    settle(p);
    status = etm_parallel_full(p) ? wait_for(p, p->n - 1) : p->status;
    if (status == ETM_OK) {
        before = p->n != 0 ? etm_parallel_at(p, p->n - 1) : p->before;
        s = etm_parallel_at(p, p->n);
        reuse_bytes(p, s);
        status = etm_parallel_begin(p, s, before);
        p->filling = s;
        p->alone = p->rest != 0 || (before == NULL && p->within);
        p->rest -= p->rest != 0;
        p->n++;
    }
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* The current stretch is complete. */
static void close_stretch(struct etm_parallel *p)
{
    struct etm_stretch *s = p->filling;

    if (s == NULL)
        return;
    p->filling = NULL;
    if (!p->alone && s->bytes.n != s->warm)
        start_threads(p);
    pthread_mutex_lock(&p->lock);
    p->held += s->bytes.n;
    /* only gaps: no worker is needed */
    if (p->alone || s->bytes.n == s->warm || p->n_threads == 0)
        s->state = ETM_STRETCH_ALONE;
    else
        s->state = ETM_STRETCH_READY;
    pthread_cond_signal(&p->ready);
    pthread_mutex_unlock(&p->lock);
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
            status = etm_parallel_fill(p, bytes, &taken);
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
    if (p->filling != NULL &&
        p->filling->gaps.n - p->filling->warm_gaps >= ETM_STRETCH_GAPS) {
        p->alone = true; /* it is too short for its warm-up */
        close_stretch(p);
    }
    if (p->filling == NULL)
        status = open_stretch(p);
    return status == ETM_OK ? etm_stretch_gap(p->filling, lost) : status;
}

int etm_parallel_flush(struct etm_parallel *p)
{
    int status;

    if (p->ring == NULL)
        return ETM_OK;
    close_stretch(p);
    pthread_mutex_lock(&p->lock);
    status = wait_for(p, 0);
    pthread_mutex_unlock(&p->lock);
    return status;
}

int etm_parallel_finish(struct etm_parallel *p)
{
    int status;

    close_stretch(p);
    etm_parallel_begin_sums(p);
    status = etm_parallel_flush(p);
    if (status == ETM_OK)
        etm_parallel_await_sums(p);
    return status == ETM_OK ? etm_parallel_end(p) : status;
}

void etm_parallel_warm_up(struct etm_parallel *p, bool on)
{
    p->warming = on;
    p->pending = etm_decoder_pending(p->truth);
    if (on)
        etm_decoder_redirect(p->truth, etm_stretch_drop, NULL);
    else
        etm_decoder_redirect(p->truth, etm_parallel_give, p);
}

uint64_t etm_parallel_settled(struct etm_parallel *p, uint64_t *pending)
{
    uint64_t offset;

    pthread_mutex_lock(&p->lock);
    offset = p->n != 0 ? etm_parallel_at(p, 0)->begin : p->offset;
    *pending = p->pending;
    pthread_mutex_unlock(&p->lock);
    if (p->ring == NULL || p->warming) /* nobody else decodes */
        *pending = etm_decoder_pending(p->truth);
    return offset;
}

struct etm_parallel_joints etm_parallel_joints(const struct etm_parallel *p)
{
    return p->joints;
}

static int init_ring(struct etm_parallel *p)
{
    p->room = p->depth = STRETCHES * p->jobs + 2;
    p->ring = etm_alloc_zero(&p->allocator, p->room * sizeof *p->ring);
    p->workers = etm_alloc_zero(&p->allocator, p->jobs * sizeof *p->workers);
    p->spare = etm_alloc_zero(&p->allocator, p->jobs * sizeof *p->spare);
    if (p->ring == NULL)
        p->room = 0;
    for (unsigned i = 0; p->spare != NULL && i < p->jobs; i++)
        etm_vec_init(&p->spare[i], sizeof(void *), &p->allocator);
    for (unsigned i = 0; p->workers != NULL && i < p->jobs; i++) {
        p->workers[i].parallel = p;
        p->workers[i].number = i;
        etm_counts_init(&p->workers[i].sum, &p->allocator);
    }
    for (unsigned i = 0; i < p->room; i++)
        etm_stretch_init(&p->ring[i], &p->portions,
                         etm_level_counts(p->decoder_config.level),
                         &p->allocator);
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
    p->here = config->portions == NULL;
    p->portions = p->here ? etm_parallel_keeping(p) : *config->portions;
    p->offset = config->offset;
    p->within = config->within || config->offset != 0;
    p->pending = UINT64_MAX;
    p->jobs = config->jobs != 0 ? config->jobs : 1;
    if (p->jobs > ETM_PARALLEL_JOBS)
        p->jobs = ETM_PARALLEL_JOBS;
    p->fixed_stretch = config->stretch != 0;
    p->fixed_warm = config->warm_up != 0;
    p->stretch =
        config->stretch + (RECORDS - config->stretch % RECORDS) % RECORDS;
    p->least_warm = etm_parallel_least_warm_up(&p->config);
    p->warm = p->fixed_warm ? config->warm_up : p->least_warm;
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
    (void)pthread_cond_init(&p->settled, NULL);
    etm_imprint_init(&p->imprint, &a);
    etm_sync_init(&p->sync, &p->config, &a);
    etm_counts_init(&p->counts, &a);
    etm_counts_init(&p->wrong, &a);
    status = p->jobs > 1 ? init_ring(p) : ETM_OK;
    if (status == ETM_OK && !p->fixed_stretch && p->room != 0)
        etm_parallel_measure(p, &p->ring[0]);
    if (status == ETM_OK)
        status = etm_parallel_decoder(p, &p->truth);
    if (status == ETM_OK && p->within)
        etm_decoder_enter(p->truth, config->offset);
    if (status != ETM_OK) {
        etm_parallel_free(p);
        return status;
    }
    *parallel = p;
    return ETM_OK;
}

static void free_spare(struct etm_parallel *p, struct etm_vec *spare)
{
    for (size_t k = 0; k < spare->n; k++)
        p->portions.free(p->portions.context, ((void **)spare->data)[k]);
    etm_vec_fini(spare);
}

static void free_workers(struct etm_parallel *p)
{
    for (unsigned i = 0; p->spare != NULL && i < p->jobs; i++)
        free_spare(p, &p->spare[i]);
    for (unsigned i = 0; p->workers != NULL && i < p->jobs; i++) {
        etm_decoder_free(p->workers[i].decoder);
        etm_counts_fini(&p->workers[i].sum);
    }
    etm_alloc_free(&p->allocator, p->spare);
    etm_alloc_free(&p->allocator, p->workers);
}

static void stop_threads(struct etm_parallel *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->ending, true);
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
    free_workers(p);
    etm_decoder_free(p->truth);
    etm_decoder_free(p->undo);
    etm_imprint_fini(&p->imprint);
    etm_sync_fini(&p->sync);
    etm_counts_fini(&p->counts);
    etm_counts_fini(&p->wrong);
    (void)pthread_mutex_destroy(&p->lock);
    (void)pthread_cond_destroy(&p->ready);
    (void)pthread_cond_destroy(&p->settled);
    etm_alloc_free(&a, p->ring);
    etm_alloc_free(&a, p);
}
