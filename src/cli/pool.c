/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 2048u /* elements: they stay in the cache of a core */

enum state { FREE, FULL, RUNNING, DONE };

struct piece {
    enum state state; /* guarded */
    size_t n;
    struct etm_element elements[PIECE];
    char *text;
    size_t n_text, room;
    int status;
};

/* What a thread makes lines with. */
struct maker {
    struct etm_listing *listing;
    struct piece *piece; /* whose text it writes */
};

struct etm_cli_pool {
    struct etm_listing_config config; /* as given */
    struct etm_listing_source source;
    unsigned jobs, n_threads, n_makers;
    struct maker *makers; /* the first is of the thread that calls */
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t ready, moved;
    bool ending;
    unsigned room, first, n; /* a ring */
    struct piece *pieces;
};

struct start {
    struct etm_cli_pool *pool;
    unsigned number;
};

static int keep_text(void *context, const char *text, size_t n)
{
    struct piece *p = ((struct maker *)context)->piece;

    if (p->n_text + n > p->room) {
        size_t room = 2 * (p->n_text + n);
        char *more = realloc(p->text, room);

        if (!more)
            return ETM_ERR_MEMORY;
        p->text = more;
        p->room = room;
    }
    memcpy(p->text + p->n_text, text, n);
    p->n_text += n;
    return ETM_OK;
}

static void make(const struct etm_cli_pool *pool, struct maker *m,
                 struct piece *p)
{
    m->piece = p;
    p->n_text = 0;
    p->status = etm_listing_begin(m->listing, &pool->source);
    if (p->status == ETM_OK)
        p->status = etm_listing_elements(m->listing, p->elements, p->n);
    if (p->status == ETM_OK)
        p->status = etm_listing_flush(m->listing);
}

/* The first piece that nobody has, made by this thread; false if there is
 * none. The lock is held before and after. */
static bool make_one(struct etm_cli_pool *pool, struct maker *m)
{
    for (unsigned i = 0; i < pool->n; i++) {
        struct piece *p = &pool->pieces[(pool->first + i) % pool->room];

        if (p->state != FULL)
            continue;
        p->state = RUNNING;
        pthread_mutex_unlock(&pool->lock);
        make(pool, m, p);
        pthread_mutex_lock(&pool->lock);
        p->state = DONE;
        pthread_cond_signal(&pool->moved);
        return true;
    }
    return false;
}

static void *thread(void *context)
{
    struct start start = *(struct start *)context;
    struct etm_cli_pool *pool = start.pool;

    free(context);
    pthread_mutex_lock(&pool->lock);
    while (!pool->ending)
        if (!make_one(pool, &pool->makers[start.number]))
            pthread_cond_wait(&pool->ready, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Fewer threads than asked for will do. */
static void start_threads(struct etm_cli_pool *pool)
{
    while (pool->n_threads + 1 < pool->n_makers) {
        struct start *start = malloc(sizeof *start);

        if (!start)
            return;
        *start = (struct start){pool, pool->n_threads + 1};
        if (pthread_create(&pool->threads[pool->n_threads], NULL, thread,
                           start) != 0) {
            free(start);
            return;
        }
        pool->n_threads++;
    }
}

struct etm_cli_pool *etm_cli_pool_new(unsigned jobs,
                                      const struct etm_listing_config *config)
{
    struct etm_cli_pool *pool = calloc(1, sizeof *pool);
    struct etm_listing_config own = *config;
    bool good;

    if (!pool)
        return NULL;
    pool->config = *config;
    pool->jobs = jobs;
    pool->room = 4 * jobs;
    pool->makers = calloc(jobs, sizeof *pool->makers);
    pool->threads = calloc(jobs, sizeof *pool->threads);
    pool->pieces = calloc(pool->room, sizeof *pool->pieces);
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->ready, NULL);
    (void)pthread_cond_init(&pool->moved, NULL);
    good = pool->makers && pool->threads && pool->pieces;
    own.write = keep_text;
    while (good && pool->n_makers < jobs) {
        struct maker *m = &pool->makers[pool->n_makers];

        own.context = m;
        good = etm_listing_new(&m->listing, &own) == ETM_OK;
        pool->n_makers += good;
    }
    if (good)
        return pool;
    etm_cli_pool_free(pool);
    return NULL;
}

int etm_cli_pool_begin(struct etm_cli_pool *pool,
                       const struct etm_listing_source *source)
{
    pool->source = *source;
    return ETM_OK;
}

/* Write the text of the first piece, when it is there. */
static int write_first(struct etm_cli_pool *pool)
{
    struct piece *p = &pool->pieces[pool->first];
    int status;

    pthread_mutex_lock(&pool->lock);
    while (p->state != DONE)
        if (!make_one(pool, &pool->makers[0]))
            pthread_cond_wait(&pool->moved, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    status = p->status;
    if (status == ETM_OK && p->n_text != 0)
        status = pool->config.write(pool->config.context, p->text, p->n_text);
    pthread_mutex_lock(&pool->lock);
    p->state = FREE;
    p->n = 0;
    pool->first = (pool->first + 1) % pool->room;
    pool->n--;
    pthread_mutex_unlock(&pool->lock);
    return status;
}

/* The piece that is being filled is for the others. */
static void hand_over(struct etm_cli_pool *pool, struct piece *p)
{
    pthread_mutex_lock(&pool->lock);
    p->state = FULL;
    pool->n++;
    pthread_cond_signal(&pool->ready);
    pthread_mutex_unlock(&pool->lock);
    if (pool->n > 1)
        start_threads(pool);
}

int etm_cli_pool_elements(struct etm_cli_pool *pool,
                          const struct etm_element *elements, size_t n)
{
    int status = ETM_OK;

    while (n != 0 && status == ETM_OK) {
        struct piece *p;
        size_t taken;

        if (pool->n == pool->room)
            status = write_first(pool);
        p = &pool->pieces[(pool->first + pool->n) % pool->room];
        taken = n < PIECE - p->n ? n : PIECE - p->n;
        memcpy(p->elements + p->n, elements, taken * sizeof *elements);
        p->n += taken;
        elements += taken;
        n -= taken;
        if (p->n == PIECE)
            hand_over(pool, p);
    }
    return status;
}

int etm_cli_pool_flush(struct etm_cli_pool *pool)
{
    int status = ETM_OK;

    if (pool->n < pool->room) {
        struct piece *p = &pool->pieces[(pool->first + pool->n) % pool->room];

        if (p->n != 0)
            hand_over(pool, p);
    }
    while (pool->n != 0 && status == ETM_OK)
        status = write_first(pool);
    return status;
}

void etm_cli_pool_free(struct etm_cli_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->ready);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->n_threads; i++)
        (void)pthread_join(pool->threads[i], NULL);
    for (unsigned i = 0; i < pool->n_makers; i++)
        etm_listing_free(pool->makers[i].listing);
    for (unsigned i = 0; pool->pieces && i < pool->room; i++)
        free(pool->pieces[i].text);
    (void)pthread_mutex_destroy(&pool->lock);
    (void)pthread_cond_destroy(&pool->ready);
    (void)pthread_cond_destroy(&pool->moved);
    free(pool->makers);
    free(pool->threads);
    free(pool->pieces);
    free(pool);
}
