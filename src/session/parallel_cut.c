/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where stretches end.
 *
 * Short ones are best: what is made of them stays in the caches of a core, and
 * little is made ahead of its turn. But each has to be worth its warm-up. So a
 * stretch ends shortly behind an A-sync, if the protocol has such a mark and
 * one is near: then the next one begins with what follows the mark, and knows
 * its place at once. Else it ends anywhere, and the warm-up has to be long
 * enough for a mark to be in it.
 */
#include "session/parallel_state.h"
#include "session/protocols.h"

#include <string.h>

/* What a stretch is meant to yield at the most, where its size is not told:
 * elements, and bytes that are made of them, which should stay in the caches
 * of a core; and bytes of trace that it has at least and at the most. */
#define ELEMENTS 131072u
#define MADE (UINT32_C(1) << 19)
#define SIZE_LEAST 1024u
#define SIZE_MOST 524288u

/* It is not worth decoding if the warm-up is more than a part of it. */
#define WARM_UP_PART 4u

/* Bytes of trace of a stretch of which only counts are made. Where the counts
 * of each are added to others', they are the longer the longer the stream is.
 */
#define COUNTS 262140u
#define STATS_LEAST 131072u
#define STATS_MOST 1048572u
#define STATS_PART 8u

/* Bytes that are made and not yet taken, and bytes of trace, all stretches
 * together. A stretch may make more than was to be expected, so many times. */
#define KEPT (UINT32_C(96) * 1024 * 1024)
#define SURPRISE 4u
#define HELD (UINT32_C(48) * 1024 * 1024)

/* Elements that wait for the thread that pushes, which reads them all, should
 * be in a cache still: bytes of them. */
#define HERE (UINT32_C(4) * 1024 * 1024)

/* Bytes behind the end of a stretch where a mark is looked for, so many at a
 * time. */
#define NEAR 2040u
#define LOOK 510u

/* An A-sync, of a protocol that has them. */
static const uint8_t mark[] = {0, 0, 0, 0, 0, 0x80};

static bool has_marks(const struct etm_parallel *p)
{
    return etm_protocol_has_a_syncs(p->config.protocol);
}

static size_t warm_up(const struct etm_parallel *p, bool synced)
{
    return synced || p->fixed_warm || p->warm > WARM_UP ? p->warm : WARM_UP;
}

/* Elements of which so many bytes are made. */
static size_t share(const struct etm_parallel *p, size_t bytes)
{
    return p->portions.element_size != 0 ? bytes / p->portions.element_size
                                         : SIZE_MAX;
}

/* Elements that a stretch may have. */
static size_t most(const struct etm_parallel *p)
{
    size_t n = HELD / (p->stretch + 1) + 1; /* stretches that there can be */

    return share(p, KEPT / (n < p->depth ? n : p->depth));
}

static size_t between(uint64_t n, size_t least, size_t most)
{
    return n < least ? least : n > most ? most : (size_t)n;
}

/* Bytes of a stretch of which only counts are made, so far in the stream. */
static size_t measure_counts(const struct etm_parallel *p, uint64_t offset)
{
    size_t least = WARM_UP_PART * warm_up(p, has_marks(p));

    if (etm_level_counts(p->decoder_config.level))
        return between(COUNTS >> p->halved, least, SIZE_MAX);
    return between(offset / STATS_PART, STATS_LEAST, STATS_MOST);
}

/* By how many elements bytes have now. */
static size_t measure_elements(const struct etm_parallel *p)
{
    size_t made = share(p, MADE), kept = share(p, KEPT / p->room / 2);
    size_t least = WARM_UP_PART * warm_up(p, has_marks(p)), n = SIZE_MOST;

    made = made < kept ? made : kept;
    made = made < ELEMENTS ? made : ELEMENTS;
    if (p->ratio * SIZE_MOST > (double)made)
        n = (size_t)((double)made / p->ratio);
    if (p->given == 0) /* nothing is known yet */
        n = 0;
    if (least < SIZE_LEAST)
        least = SIZE_LEAST;
    return n < least ? least : n;
}

/* Stretches that there may be at once: less where much is made of each, or that
 * is not known yet, but still one for each thread, one that waits and one that
 * is filled. */
static unsigned measure_depth(const struct etm_parallel *p)
{
    double each = p->ratio * (double)(p->stretch + NEAR);
    double n = (double)share(p, p->here ? HERE : KEPT / SURPRISE) / (each + 1);
    unsigned least = p->jobs + 2;

    if (p->given == 0)
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
        p->stretch = measure_elements(p);
    p->stretch -= p->stretch % RECORDS;
    p->depth = measure_depth(p);
}

/* Index of the next mark at or behind `at`, or SIZE_MAX. */
static size_t find_mark(const struct etm_stretch *s, size_t at)
{
    const uint8_t *bytes = s->bytes.data, *last;
    size_t before = sizeof mark - 1;

    for (at += before; at < s->bytes.n; at++) {
        last = memchr(bytes + at, mark[before], s->bytes.n - at);
        if (last == NULL)
            break;
        at = (size_t)(last - bytes);
        if (memcmp(last - before, mark, before) == 0)
            return at - before;
    }
    return SIZE_MAX;
}

/* It has as many bytes as it is to have. Is there a mark in those that came
 * since? Then it ends behind that; of the last ones, those that are too many
 * are given back. */
static size_t look(struct etm_stretch *s)
{
    size_t at = find_mark(s, s->searched), surplus, before = sizeof mark - 1;

    if (at == SIZE_MAX) {
        if (s->bytes.n > s->searched + before)
            s->searched = s->bytes.n - before;
        if (etm_stretch_full(s)) {
            s->near -= LOOK;
            s->size += LOOK;
        }
        return 0;
    }
    at += WARM_UP_SYNCED;
    surplus = s->bytes.n > at ? s->bytes.n - at : 0;
    s->bytes.n -= surplus;
    s->size = at - s->warm;
    s->near = 0;
    s->synced = true;
    return surplus;
}

bool etm_parallel_full(const struct etm_parallel *p)
{
    return p->n + 1 >= p->depth || p->held >= HELD;
}

int etm_parallel_begin(struct etm_parallel *p, struct etm_stretch *s,
                       const struct etm_stretch *before)
{
    int status =
        etm_stretch_begin(s, p->offset, p->stretch, before,
                          warm_up(p, before != NULL && before->synced));

    s->most = p->fixed_stretch ? SIZE_MAX : most(p);
    s->near = has_marks(p) && !p->fixed_warm ? NEAR : 0;
    s->searched = s->warm + s->size;
    return status;
}

int etm_parallel_fill(struct etm_stretch *s, const uint8_t *bytes, size_t *n)
{
    int status = etm_stretch_push(s, bytes, n);

    if (status == ETM_OK && s->near != 0 && s->bytes.n >= s->searched)
        *n -= look(s);
    return status;
}
