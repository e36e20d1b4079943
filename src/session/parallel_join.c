/* SPDX-License-Identifier: Apache-2.0 */
/* The joints between stretches (session/parallel.c says how). */
#include "session/parallel_state.h"

#include <limits.h>

/* After so many joints in a row that did not fit, so many stretches are
 * decoded by one thread. */
#define PATIENCE 8u
#define REST 64u

/* After so many that did, the warm-up may be shorter again. */
#define TRUST 64u

int etm_parallel_give(void *context, const struct etm_element *elements,
                      size_t n)
{
    struct etm_parallel *p = context;

    p->given += n;
    return p->elements(p->context, elements, n);
}

/* The first stretch is dealt with; the true decoder stands at that index of
 * it. */
static void leave(struct etm_parallel *p, struct etm_stretch *s, size_t index,
                  bool proved)
{
    p->before = s;
    p->proved = proved;
    p->truth_at = index;
    p->known = false;
}

int etm_parallel_catch_up(struct etm_parallel *p)
{
    const struct etm_stretch *s = p->before;
    int status = ETM_OK;

    etm_decoder_redirect(p->truth, etm_stretch_drop, NULL);
    if (s != NULL && p->truth_at == NOWHERE) {
        status = etm_decoder_restart(p->truth, s->begin - s->warm);
        p->truth_at = 0;
    }
    if (s != NULL && status == ETM_OK && p->truth_at < s->bytes.n)
        status = etm_stretch_feed(s, p->truth, p->truth_at, s->bytes.n);
    if (s != NULL) {
        p->truth_at = s->bytes.n;
        etm_decoder_drop_counts(p->truth);
    }
    etm_decoder_redirect(p->truth, etm_parallel_give, p);
    return status;
}

/* Know the true state before the first stretch. */
static int know(struct etm_parallel *p)
{
    int status = ETM_OK;

    if (p->known)
        return ETM_OK;
    status = etm_parallel_catch_up(p);
    if (status == ETM_OK)
        etm_decoder_imprint(p->truth, &p->imprint);
    p->known = status == ETM_OK;
    return status;
}

/* What a worker made from mark `i` on. */
static int take_portions(struct etm_parallel *p, const struct etm_stretch *s,
                         unsigned i)
{
    int status = ETM_OK;

    for (; i < s->parts && status == ETM_OK; i++) {
        p->given += s->portions[i].elements;
        status = p->portions.take(p->portions.context, s->portions[i].made);
    }
    return status;
}

/* The state of a worker at mark `i` is the true one, and it came to the end:
 * what it made from there on is good. `index`: of the true decoder. */
static int splice(struct etm_parallel *p, struct etm_stretch *s, unsigned i,
                  size_t index)
{
    struct etm_imprint end = s->marks[s->parts];
    int status = take_portions(p, s, i);

    if (status == ETM_OK)
        status = etm_parallel_add_counts(p, &s->counts);
    leave(p, s, index, i == 0);
    s->marks[s->parts] = p->imprint;
    p->imprint = end;
    p->known = true;
    return status;
}

/* Did the worker come to the end of its stretch? Waits for it. */
static bool complete(struct etm_parallel *p, const struct etm_stretch *s)
{
    pthread_mutex_lock(&p->lock);
    etm_parallel_wait(p, s, UINT_MAX);
    pthread_mutex_unlock(&p->lock);
    return s->n_marks > s->parts;
}

/* Is p->imprint the state that a worker had at mark `i`? Not if it did not
 * come that far. */
static bool fits(struct etm_parallel *p, const struct etm_stretch *s,
                 unsigned i, bool wait)
{
    bool there;

    pthread_mutex_lock(&p->lock);
    if (wait)
        etm_parallel_wait(p, s, i);
    there = s->n_marks > i;
    pthread_mutex_unlock(&p->lock);
    return there && etm_imprint_same(&p->imprint, &s->marks[i]);
}

/* Where a joint does not fit the next warm-ups are longer. */
static void learn(struct etm_parallel *p, bool good)
{
    if (good) {
        p->joints.good++;
        p->failed = 0;
        if (++p->fitted % TRUST == 0 && !p->fixed_warm && p->warm > WARM_UP)
            p->warm /= 2;
        return;
    }
    p->joints.bad++;
    p->fitted = 0;
    if (!p->fixed_warm && p->warm < WARM_UP_MOST)
        p->warm *= 2;
    if (++p->failed < PATIENCE || p->fixed_warm)
        return;
    p->failed = 0;
    p->rest = REST;
}

/* A stretch whose joint does not fit: decode it with the true decoder, up to
 * where it meets the worker's. */
static int redo(struct etm_parallel *p, struct etm_stretch *s)
{
    int status = etm_parallel_catch_up(p);
    /* counts are of whole stretches */
    bool worth = p->decoder_config.level != ETM_LEVEL_COUNTS;

    p->known = false;
    for (unsigned i = 1; i <= s->parts && status == ETM_OK; i++) {
        size_t to = etm_stretch_mark_at(s, i);

        status =
            etm_stretch_feed(s, p->truth, etm_stretch_mark_at(s, i - 1), to);
        if (status == ETM_OK)
            status = etm_parallel_collect(p);
        if (status != ETM_OK || i == s->parts || !worth)
            continue;
        etm_decoder_imprint(p->truth, &p->imprint);
        if (!fits(p, s, i, false))
            continue;
        worth = complete(p, s);
        if (worth)
            return splice(p, s, i, to);
    }
    atomic_store(&s->cancel, true);
    (void)complete(p, s);
    leave(p, s, s->bytes.n, false);
    return status;
}

int etm_parallel_join(struct etm_parallel *p, struct etm_stretch *s)
{
    int status = know(p);
    bool good;

    if (status != ETM_OK)
        return status;
    good = fits(p, s, 0, true);
    learn(p, good);
    if (good && complete(p, s))
        return splice(p, s, 0, NOWHERE);
    return redo(p, s);
}

/* Is the state behind the warm-up of a stretch the true one? Then the true
 * decoder has it now; else it is nowhere. */
static bool prove(struct etm_parallel *p, const struct etm_stretch *s)
{
    struct etm_imprint imprint;
    bool good;

    p->truth_at = NOWHERE;
    etm_imprint_init(&imprint, &p->allocator);
    good = etm_decoder_restart(p->truth, s->begin - s->warm) == ETM_OK;
    etm_decoder_redirect(p->truth, etm_stretch_drop, NULL);
    good = good && etm_stretch_feed(s, p->truth, 0, s->warm) == ETM_OK;
    if (good)
        etm_decoder_imprint(p->truth, &imprint);
    good = good && etm_imprint_same(&p->imprint, &imprint);
    etm_imprint_fini(&imprint);
    etm_decoder_redirect(p->truth, etm_parallel_give, p);
    etm_decoder_drop_counts(p->truth);
    learn(p, good);
    return good;
}

int etm_parallel_direct(struct etm_parallel *p, struct etm_stretch *s)
{
    int status = ETM_OK;
    bool proved = false;

    /* with the proof the true decoder is free for other stretches */
    if (p->n_threads != 0 && p->rest == 0 && p->proved) {
        status = know(p);
        proved = status == ETM_OK && prove(p, s);
    }
    if (status == ETM_OK && !proved)
        status = etm_parallel_catch_up(p);
    if (status == ETM_OK)
        status = etm_stretch_feed(s, p->truth, s->warm, s->bytes.n);
    if (status == ETM_OK)
        status = etm_parallel_collect(p);
    leave(p, s, s->bytes.n, proved);
    return status;
}
