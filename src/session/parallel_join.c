/* SPDX-License-Identifier: Apache-2.0 */
/* The joints between stretches (session/parallel.c says how). */
#include "session/parallel_state.h"

/* After this many consecutive joints that did not fit, this many stretches are
 * decoded by one thread. If none fits after that either, half as many joints
 * suffice, and twice as many stretches follow: this often at most. */
#define PATIENCE 8u
#define REST 64u
#define DOUBLED 3u

/* After this many joints that fit, the warm-up may become shorter again; and by
 * how much it becomes longer if it was too short. It was too short if a joint
 * does not fit shortly after another one: a single one may be due to damage,
 * where no warm-up helps. */
#define TRUST 64u
#define LONGER 4u
#define DOUBT 4u

/* Stretches for counts are halved if joints do not fit, this often at most,
 * because each is then decoded three times; after this many that fit they
 * become longer again. */
#define HALVED 4u
#define CALM 16u

int etm_parallel_give(void *context, const struct etm_element *elements,
                      size_t n)
{
    struct etm_parallel *p = context;

    p->given += n;
    return p->elements(p->context, elements, n);
}

/* The first stretch is joined. `nowhere`: the true decoder was not needed. */
static void leave(struct etm_parallel *p, struct etm_stretch *s, bool nowhere)
{
    p->before = s;
    p->nowhere = nowhere;
}

/* Advance the true decoder to the joint before the first stretch. */
static int catch_up(struct etm_parallel *p)
{
    const struct etm_stretch *s = p->before;
    int status = ETM_OK;

    if (s == NULL || !p->nowhere)
        return ETM_OK;
    status = etm_parallel_collect(p, p->truth);
    etm_decoder_redirect(p->truth, etm_stretch_drop, NULL);
    etm_stretch_restart(s, p->truth);
    if (status == ETM_OK)
        status = etm_stretch_feed(s, p->truth, 0, s->bytes.n);
    etm_decoder_carry(p->truth, s->carried.kept, &p->imprint);
    etm_decoder_drop_counts(p->truth);
    etm_decoder_redirect(p->truth, etm_parallel_give, p);
    p->nowhere = false;
    return status;
}

/* Find the true state before the first stretch. */
static int know(struct etm_parallel *p)
{
    int status = ETM_OK;

    if (p->known)
        return ETM_OK;
    status = catch_up(p);
    if (status == ETM_OK)
        etm_decoder_imprint(p->truth, &p->imprint);
    p->known = status == ETM_OK;
    return status;
}

/* State that is carried over a stretch, because its decoder does not know
 * it. */
static void carry(struct etm_imprint *behind, const struct etm_stretch *s,
                  const struct etm_imprint *truth)
{
    for (unsigned i = 0; i < ETM_CARRIED; i++) {
        enum etm_carried kind = (enum etm_carried)i;
        uint64_t *to = etm_imprint_carried_at(behind, kind);
        uint64_t bytes;

        if ((s->carried.kept >> i & 1) == 0)
            continue;
        bytes = to[0];
        memcpy(to, etm_imprint_carried_at(truth, kind),
               truth->carried[i].n * sizeof *to);
        if (kind == ETM_CARRIED_LOST) /* and those of the stretch */
            to[0] += bytes - etm_imprint_carried_at(&s->before, kind)[0];
    }
}

/* A worker began in the true state and came to the end: what it made is
 * valid. */
static int splice(struct etm_parallel *p, struct etm_stretch *s)
{
    struct etm_imprint behind = s->behind;

    if (s->carried.kept != 0 && behind.status != ETM_OK)
        return behind.status;
    carry(&behind, s, &p->imprint);
    s->behind = p->imprint;
    p->imprint = behind;
    p->known = true;
    p->given += s->elements;
    p->cycles += s->cycles;
    leave(p, s, true);
    return p->portions.take(p->portions.context, s->portion);
}

/* Begin to decode with one thread, also the stretches that wait for a worker.
 * Under the lock. */
static void rest(struct etm_parallel *p)
{
    p->rest = REST << p->doubled;
    for (unsigned i = 1; i < p->n; i++)
        if (etm_parallel_at(p, i)->state == ETM_STRETCH_READY)
            etm_parallel_at(p, i)->state = ETM_STRETCH_ALONE;
}

/* Other stretches with a warm-up as short as this are being decoded already:
 * they teach nothing new. `warm`: the bytes of the warm-up, after a
 * synchronization if it begins with one. */
static void learn_bad(struct etm_parallel *p, size_t warm)
{
    size_t longer = (warm - warm % RECORDS) * LONGER;

    if (p->fixed_warm || warm < p->warm)
        return;
    p->fitted = 0;
    p->doubt += DOUBT;
    if (p->doubt > DOUBT) {
        p->doubt = 0;
        p->warm = longer < WARM_UP_MOST ? longer : WARM_UP_MOST;
    }
    if (++p->failed < PATIENCE >> p->doubled)
        return;
    p->failed = 0;
    p->warm = p->least_warm; /* a longer one did not help */
    rest(p);
    p->doubled += p->doubled < DOUBLED;
}

/* Why does the joint before the first stretch not fit? */
static int blame(struct etm_parallel *p, const struct etm_stretch *s)
{
    const struct etm_stretch *before = p->before;
    struct etm_decoder_memory memory;
    int status = catch_up(p);

    /* nothing precedes the very first one: a worker had no memory for it */
    if (before == NULL)
        return status;
    if (status != ETM_OK)
        return status;
    memory = etm_decoder_memory(p->truth);
    pthread_mutex_lock(&p->lock);
    p->joints.bad++;
    p->halved += p->halved < HALVED;
    if (etm_decoder_memory_same(&memory, &s->memory))
        learn_bad(p, before->synced != 0 ? before->margin : s->warm);
    p->memory = memory; /* for those that begin meanwhile */
    pthread_mutex_unlock(&p->lock);
    return ETM_OK;
}

static void learn_good(struct etm_parallel *p)
{
    size_t shorter = p->warm / 2;

    p->joints.good++;
    p->failed = p->doubled = 0;
    p->doubt -= p->doubt != 0;
    if (p->joints.good % CALM == 0)
        p->halved -= p->halved != 0;
    if (++p->fitted % TRUST == 0 && !p->fixed_warm && shorter >= p->least_warm)
        p->warm = shorter - shorter % RECORDS;
}

int etm_parallel_direct(struct etm_parallel *p, struct etm_stretch *s)
{
    int status = catch_up(p);

    p->known = false;
    if (status == ETM_OK)
        status = etm_stretch_feed(s, p->truth, s->warm, s->bytes.n);
    pthread_mutex_lock(&p->lock);
    p->memory = etm_decoder_memory(p->truth);
    p->pending = etm_decoder_pending(p->truth);
    pthread_mutex_unlock(&p->lock);
    leave(p, s, false);
    return status;
}

int etm_parallel_join(struct etm_parallel *p, struct etm_stretch *s)
{
    int status = know(p);
    bool good;

    if (status != ETM_OK)
        return status;
    good = s->complete &&
           etm_imprint_same_but(&p->imprint, &s->before, s->carried.unused);
    pthread_mutex_lock(&p->lock);
    p->joints.warm += s->warm;
    if (good)
        learn_good(p);
    pthread_mutex_unlock(&p->lock);
    if (good) {
        status = splice(p, s);
        pthread_mutex_lock(&p->lock);
        p->pending = s->pending;
        pthread_mutex_unlock(&p->lock);
        return status;
    }
    status = etm_parallel_take_back(p, s);
    if (status == ETM_OK)
        status = blame(p, s);
    return status == ETM_OK ? etm_parallel_direct(p, s) : status;
}

/* A worker whose stretch is valid is in the state that the true decoder would
 * reach, unless it has counted something else again since. */
static struct etm_decoder *at_end(const struct etm_parallel *p)
{
    const struct etm_parallel_worker *w;

    if (p->before == NULL || !p->nowhere)
        return p->truth;
    w = &p->workers[p->before->thread];
    return w->behind == p->before ? w->decoder : NULL;
}

int etm_parallel_end(struct etm_parallel *p)
{
    struct etm_decoder *d = at_end(p);
    int status = ETM_OK;

    if (d == NULL) {
        status = catch_up(p);
        d = p->truth;
    }
    if (d != p->truth)
        etm_decoder_carry(d, p->before->carried.kept, &p->imprint);
    etm_decoder_redirect(d, etm_parallel_give, p);
    if (status == ETM_OK)
        status = etm_decoder_finish(d);
    return status == ETM_OK && d != p->truth ? etm_parallel_collect(p, d)
                                             : status;
}
