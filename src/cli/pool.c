/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Approximate bytes of a line. */
#define JSONL_LINE 192u
#define TEXT_LINE 96u

/* Bytes of unpacked counts that wait to be added to others. */
#define KEPT ((size_t)16 << 20)

/* Tries to take a lock before waiting for it. */
#define SPINS 200u

/* A thread: its listing, and the source for which that was begun; or its table
 * of counts, while no portion has it. */
struct maker {
    struct etm_listing *listing;
    unsigned long source;
    struct etm_cli_near near;
};

struct etm_cli_pool {
    struct etm_listing_config config;
    struct etm_portions portions;
    unsigned n_makers;
    size_t near;          /* places that the table of a thread may have */
    atomic_size_t kept;   /* bytes of counts that are not packed */
    struct maker *makers; /* by the number of the thread */
    /* the current source, and the number of sources so far */
    struct etm_listing_source source;
    unsigned long n_sources;
    struct etm_listing *listing; /* NULL: counts */
    struct etm_cli_stats *stats;
    struct etm_cli_damage *damage;
};

struct portion {
    struct etm_cli_pool *pool;
    struct maker *maker; /* that is using it */
    struct etm_listing_portion *part;
    struct etm_cli_stats stats;
    size_t kept; /* bytes of its counts that are in the pool's */
    struct etm_cli_damage damage;
};

static int refuse_text(void *context, const char *text, size_t n)
{
    (void)context;
    (void)text;
    (void)n;
    return ETM_ERR_ARGUMENT; /* all text belongs to a part */
}

/* Prepare the listing of a thread for the current source. */
static int prepare(const struct etm_cli_pool *pool, struct maker *m)
{
    struct etm_listing_config config = pool->config;
    struct etm_listing_source source = pool->source;
    int status = ETM_OK;

    if (!m->listing) {
        config.write = refuse_text;
        status = etm_listing_new(&m->listing, &config);
    }
    if (status != ETM_OK || m->source == pool->n_sources)
        return status;
    source.title = NULL;
    m->source = pool->n_sources;
    return etm_listing_begin(m->listing, &source);
}

/* Release what a portion keeps. */
static void let_go(struct portion *p)
{
    atomic_fetch_sub(&p->pool->kept, p->kept);
    p->kept = 0;
}

static int begin(void *context, unsigned thread, void **portion)
{
    struct etm_cli_pool *pool = context;
    struct portion *p = *portion;
    int status;

    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p)
            return ETM_ERR_MEMORY;
        p->pool = pool;
        *portion = p;
    }
    memset(&p->damage, 0, sizeof p->damage);
    etm_cli_stats_free(&p->stats);
    let_go(p);
    p->maker = &pool->makers[thread];
    if (!pool->listing) {
        p->stats.near = p->maker->near;
        p->stats.near.most = pool->near;
        p->maker->near = (struct etm_cli_near){0};
        return ETM_OK;
    }
    status = prepare(pool, p->maker);
    if (status == ETM_OK)
        status = etm_listing_portion_begin(p->maker->listing, &p->part);
    return status;
}

static int make(void *portion, const struct etm_element *elements, size_t n)
{
    struct portion *p = portion;

    etm_cli_damage_add(&p->damage, elements, n);
    if (p->pool->listing)
        return etm_listing_elements(p->maker->listing, elements, n);
    etm_cli_stats_add(&p->stats, elements, n);
    return p->stats.failed ? ETM_ERR_MEMORY : ETM_OK;
}

/* Keep counts unpacked if not too many are. */
static bool keep_counts(struct portion *p)
{
    struct etm_cli_pool *pool = p->pool;

    p->kept = etm_cli_stats_bytes(&p->stats);
    if (atomic_fetch_add(&pool->kept, p->kept) + p->kept > KEPT) {
        let_go(p);
        if (!etm_cli_stats_squeeze(&p->stats))
            return false;
    }
    return etm_cli_stats_keep(&p->stats, &p->maker->near) && !p->stats.failed;
}

static int end(void *portion)
{
    struct portion *p = portion;

    if (p->pool->listing)
        return etm_listing_portion_end(p->maker->listing);
    return keep_counts(p) ? ETM_OK : ETM_ERR_MEMORY;
}

static int take(void *context, void *portion)
{
    struct etm_cli_pool *pool = context;
    struct portion *p = portion;

    etm_cli_damage_merge(pool->damage, &p->damage);
    if (pool->listing)
        return etm_listing_append(pool->listing, p->part);
    etm_cli_stats_merge(pool->stats, &p->stats);
    etm_cli_stats_free(&p->stats);
    let_go(p);
    return ETM_OK;
}

static void free_portion(void *context, void *portion)
{
    struct portion *p = portion;

    (void)context;
    etm_listing_portion_free(p->part);
    etm_cli_stats_free(&p->stats);
    let_go(p);
    free(p);
}

struct etm_cli_pool *etm_cli_pool_new(unsigned jobs,
                                      const struct etm_listing_config *config)
{
    struct etm_cli_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->config = *config;
    pool->config.threads = jobs;
    pool->n_makers = jobs;
    for (pool->near = ETM_CLI_NEAR; pool->near * jobs > ETM_CLI_NEAR;)
        pool->near /= 2;
    pool->makers = calloc(jobs, sizeof *pool->makers);
    pool->portions = (struct etm_portions){.size = sizeof pool->portions,
                                           .begin = begin,
                                           .elements = make,
                                           .end = end,
                                           .take = take,
                                           .free = free_portion,
                                           .context = pool};
    if (pool->makers)
        return pool;
    etm_cli_pool_free(pool);
    return NULL;
}

const struct etm_portions *
etm_cli_pool_begin(struct etm_cli_pool *pool,
                   const struct etm_listing_source *source,
                   struct etm_listing *listing, struct etm_cli_stats *stats,
                   struct etm_cli_damage *damage)
{
    bool text = strcmp(pool->config.format, "text") == 0;

    pool->source = *source;
    pool->n_sources++;
    pool->listing = listing;
    pool->stats = stats;
    pool->damage = damage;
    pool->portions.element_size = !listing ? 0 : text ? TEXT_LINE : JSONL_LINE;
    return &pool->portions;
}

void etm_cli_pool_free(struct etm_cli_pool *pool)
{
    if (!pool)
        return;
    for (unsigned i = 0; pool->makers && i < pool->n_makers; i++) {
        etm_listing_free(pool->makers[i].listing);
        free(pool->makers[i].near.counts);
        free(pool->makers[i].near.index);
    }
    free(pool->makers);
    free(pool);
}

static int find_symbol(void *context, uint32_t address,
                       struct etm_symbol *symbol)
{
    const struct etm_cli_shared_names *s = context;

    return s->names.symbol(s->names.context, address, symbol);
}

static int find_line(void *context, uint32_t address,
                     struct etm_source_line *line)
{
    struct etm_cli_shared_names *s = context;
    bool locked = false;
    int status;

    /* spinning takes less time than falling asleep */
    for (unsigned i = 0; i < SPINS && !locked; i++)
        locked = pthread_mutex_trylock(&s->lock) == 0;
    if (!locked)
        pthread_mutex_lock(&s->lock);
    status = s->names.line(s->names.context, address, line);
    pthread_mutex_unlock(&s->lock);
    return status;
}

struct etm_names etm_cli_share_names(struct etm_cli_shared_names *s,
                                     struct etm_names names)
{
    s->names = names;
    (void)pthread_mutex_init(&s->lock, NULL);
    return (struct etm_names){
        .symbol = find_symbol, .line = find_line, .context = s};
}

void etm_cli_share_close(struct etm_cli_shared_names *s)
{
    (void)pthread_mutex_destroy(&s->lock);
}

/* Maximum number of threads for each core: more only compete for its caches. */
#define THREADS_MOST 4u

unsigned etm_cli_threads(const struct etm_cli_options *o)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned cores = n > 0 ? (unsigned)n : 1;

    if (o->jobs == 0)
        return cores;
    return o->jobs / THREADS_MOST < cores ? o->jobs : THREADS_MOST * cores;
}
