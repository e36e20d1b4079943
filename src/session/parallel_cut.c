/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where stretches end. Short ones are best: their output stays in the caches of
 * a core, and little is made ahead of its turn. But each has to be worth its
 * warm-up. So a stretch ends shortly after a synchronization, if one can be
 * found in the bytes nearby (session/sync.h): then the next one begins with it,
 * and knows its position at once. Otherwise it ends anywhere, and the warm-up
 * has to be long enough to contain a synchronization.
 */
#include "session/parallel_state.h"

/* If the size of stretches is not given: the maximum number of elements of a
 * stretch, and of bytes made from them, which should stay in the caches of a
 * core; and its minimum and maximum number of bytes of trace. */
#define ELEMENTS 131072u
#define MADE (UINT32_C(1) << 19)
#define SIZE_LEAST 1024u
#define SIZE_MOST 524288u

/* The warm-up after a complete synchronization: for packets that are still on
 * their way, and what follows an I-sync, such as a timestamp. */
#define WARM_UP_SYNCED 60u

/* The warm-up should be at most this part of a stretch; or the second part, if
 * such a stretch would take too much memory or a long warm-up would make it too
 * long: most is lost if it does not help. */
#define WARM_UP_PART 16u
#define WARM_UP_LEAST 4u
#define WARM_UP_LONG 131072u

/* Bytes of trace of a stretch for counts only. If the counts of each stretch
 * are added up, stretches are longer in a longer stream.
 */
#define COUNTS 262140u
#define STATS_LEAST 131072u
#define STATS_MOST 1048572u
#define STATS_PART 8u

/* A stretch is this part of the stream before it if that has made nothing. */
#define NOTHING_PART 16u

/* Bytes made and not yet taken, and bytes of trace, of all stretches together;
 * and by what factor a stretch may make more than expected. */
#define KEPT (UINT32_C(96) * 1024 * 1024)
#define SURPRISE 4u
#define HELD (UINT32_C(24) * 1024 * 1024)

/* Bytes of elements that wait for the thread that pushes, which reads them all:
 * they should still be in a cache. */
#define HERE (UINT32_C(4) * 1024 * 1024)

/* Bytes searched for a synchronization at a time. */
#define LOOK 510u

size_t etm_parallel_least_warm_up(const struct etm_config *config)
{
    return etm_sync_is_whole(config) ? WARM_UP_SYNCED : WARM_UP;
}

/* Bytes of warm-up from anywhere. */
static size_t warm_up(const struct etm_parallel *p)
{
    return p->fixed_warm || p->warm > WARM_UP ? p->warm : WARM_UP;
}

/* Number of elements from which that many bytes are made. */
static size_t share(const struct etm_parallel *p, size_t bytes)
{
    return p->portions.element_size != 0 ? bytes / p->portions.element_size
                                         : SIZE_MAX;
}

/* Maximum number of elements of a stretch. */
static size_t most(const struct etm_parallel *p)
{
    size_t n = HELD / (p->stretch + 1) + 1; /* maximum number of stretches */

    return share(p, KEPT / (n < p->depth ? n : p->depth));
}

static size_t between(uint64_t n, size_t least, size_t most)
{
    return n < least ? least : n > most ? most : (size_t)n;
}

/* Bytes of a stretch that is worth its warm-up. */
static size_t worth(const struct etm_parallel *p)
{
    size_t n = WARM_UP_PART * p->warm, least = WARM_UP_LEAST * p->warm;

    if (n > WARM_UP_LONG)
        n = WARM_UP_LONG;
    return n < least ? least : n;
}

/* Bytes of a stretch for counts only, at this point of the stream. */
static size_t measure_counts(const struct etm_parallel *p, uint64_t offset)
{
    size_t least = worth(p);

    if (etm_level_counts(p->decoder_config.level))
        return between(COUNTS >> p->halved, least, SIZE_MAX);
    return between((offset / STATS_PART) >> p->halved, STATS_LEAST, STATS_MOST);
}

/* Bytes from which that many elements are made, by the present ratio. */
static size_t bytes_of(const struct etm_parallel *p, size_t elements)
{
    double n = (double)elements / p->ratio;

    return n < SIZE_MOST ? (size_t)n : SIZE_MOST;
}

/* By the present ratio of elements to bytes, at this point of the stream. */
static size_t measure_elements(const struct etm_parallel *p, uint64_t offset)
{
    size_t made = share(p, MADE), kept = share(p, KEPT / p->room / 2);
    size_t least = WARM_UP_LEAST * p->warm, n;

    if (least < SIZE_LEAST)
        least = SIZE_LEAST;
    if (p->given == 0) /* nothing is known yet, or there is nothing */
        return between(offset / NOTHING_PART, least, WARM_UP_LONG);
    n = worth(p);
    if (bytes_of(p, kept) < n)
        n = bytes_of(p, kept);
    made = made < kept ? made : kept;
    made = made < ELEMENTS ? made : ELEMENTS;
    n = n < bytes_of(p, made) ? bytes_of(p, made) : n;
    return n < least ? least : n;
}

/* Number of stretches in the ring: fewer if much is made from each, or this is
 * not known yet, or none began right recently, because then all others are
 * decoded in vain; but at least one for each thread and one that waits for it,
 * because none is filled while the thread that pushes decodes, one that is
 * being filled, and the one before the first. */
static unsigned measure_depth(const struct etm_parallel *p)
{
    double each = p->ratio * (double)(p->stretch + p->sync.near);
    double n = (double)share(p, p->here ? HERE : KEPT / SURPRISE) / (each + 1);
    unsigned least = 2 * p->jobs + 2;

    /* how much repeated counting yields is not known beforehand */
    if (p->portions.element_size == 0 &&
        !etm_level_counts(p->decoder_config.level))
        return 2 * least;
    if (p->given == 0 || p->failed > 2 || p->doubled != 0)
        return least;
    return n >= p->room ? p->room : n > least ? (unsigned)n : least;
}

void etm_parallel_measure(struct etm_parallel *p, const struct etm_stretch *s)
{
    double bytes = (double)(s->bytes.n - s->warm);
    double ratio = (double)(p->given - p->counted) / (bytes + 1);

    p->counted = p->given;
    p->ratio = p->ratio == 0 ? ratio : (3 * p->ratio + ratio) / 4;
    if (p->fixed_stretch)
        return;
    if (p->portions.element_size == 0 ||
        etm_level_counts(p->decoder_config.level))
        p->stretch = measure_counts(p, s->begin);
    else
        p->stretch = measure_elements(p, s->begin);
    p->stretch -= p->stretch % RECORDS;
    p->depth = measure_depth(p);
}

/* The stretch has its bytes. Is there a synchronization in those that came
 * since? Then it ends after that; of the last `n` bytes, those beyond are given
 * back. */
static size_t look(struct etm_sync *sync, struct etm_stretch *s, size_t n)
{
    enum etm_sync_look look =
        etm_sync_find(sync, s->bytes.data, s->searched, s->bytes.n);
    size_t at = sync->known + s->margin, before = s->bytes.n - n, surplus;

    s->searched = sync->begin;
    if (look != ETM_SYNC_FOUND) {
        if (etm_stretch_full(s)) {
            s->near -= LOOK;
            s->size += LOOK;
        }
        return 0;
    }
    if (at < before) /* a second look may find what the first did not */
        at += before - at + (RECORDS - (before - at) % RECORDS) % RECORDS;
    surplus = s->bytes.n > at ? s->bytes.n - at : 0;
    s->bytes.n -= surplus;
    s->size = at - s->warm;
    s->near = 0;
    s->synced = at - sync->begin;
    return surplus;
}

bool etm_parallel_full(const struct etm_parallel *p)
{
    return p->n + 1 >= p->depth || p->held >= HELD;
}

int etm_parallel_begin(struct etm_parallel *p, struct etm_stretch *s,
                       const struct etm_stretch *before)
{
    bool synced = before != NULL && before->synced != 0;
    int status = etm_stretch_begin(s, p->offset, p->stretch, before,
                                   synced ? before->synced : warm_up(p));

    s->most = p->fixed_stretch ? SIZE_MAX : most(p);
    s->near = p->fixed_warm ? 0 : p->sync.near;
    s->margin = p->warm;
    s->searched = s->warm + s->size;
    return status;
}

int etm_parallel_fill(struct etm_parallel *p, const uint8_t *bytes, size_t *n)
{
    struct etm_stretch *s = p->filling;
    int status = etm_stretch_push(s, bytes, n);

    if (status == ETM_OK && s->near != 0 && s->bytes.n >= s->searched)
        *n -= look(&p->sync, s, *n);
    return status;
}
