/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where frames went on elsewhere, because bytes were lost or came twice, in
 * bytes that begin where all was well (doc/errata.md, E-404).
 *
 * The frames before them, which are known to be right, say how often each trace
 * ID occurs and each byte of each source. From this a frame has a score: the
 * logarithm of how much more likely it is than 16 bytes of noise. The best way
 * through the bytes is looked for, from frame to frame or over bytes that are
 * in none:
 *
 *     |frame|frame|.........|frame|frame|...
 *                  skipped: it costs SKIP
 *
 * At an odd distance nothing fits. At an even one the frames are the right ones
 * but for the lowest bits of half of their bytes and the flag byte among them:
 * several frames are needed to see which distance is the right one.
 */
#include "port/frame_signs.h"

#include "base/alloc.h"

/* Scores are in 1/16 bit. */
#define BIT 16
#define SKIP (-40 * BIT)
#define LIKELY (8 * BIT) /* a single byte was lost, or came twice */
#define LEAST_SCORE                                                            \
    (-8 * BIT) /* of a frame: it is damaged, and in its place                  \
                */
#define RESERVED (-12 * BIT)
#define NULL_ZERO (4 * BIT)
#define NULL_FAULT (-10 * BIT)
#define NEAR (10 * BIT) /* the ID is that before the place, or at it */
#define GOOD (3 * BIT)  /* least score of frames elsewhere, on average */
#define SURE (24 * BIT) /* so much better than with any other end */

/* Bytes skipped: less than two frames. */
#define MOST_SKIPPED 31u

/* Frames that follow it before a place is believed. */
#define FOLLOWING ((size_t)8 * ETM_FRAME_BYTES)

/* Bytes of frames from which it is known how each source looks. */
#define MUCH ((size_t)2048)

/* So often each byte is counted before any was seen. */
#define PRIOR 2u

/* So many data bytes show whose they are. */
#define GUESSED 48u

/* Fewer bytes between two places are those of a frame in which something else
 * fits by chance. */
#define FEW ((size_t)2 * ETM_FRAME_BYTES)

/* Sources whose bytes are counted on their own: the first ones. Another source
 * may be like them, or not. */
#define SOURCES 8u
#define OTHER SOURCES
#define TABLES (SOURCES + 1)

/* There are so many places at most, which are FEW bytes apart. */
#define STRETCHES (ETM_SLIP_MOST / FEW + 1)

#define NO_WAY INT32_MIN

/* The best way to a byte at which a frame may begin. */
struct way {
    int32_t score;
    uint8_t from; /* so many bytes before: a frame, or bytes skipped */
    uint8_t id;   /* in force */
};

struct search {
    const uint8_t *bytes;
    size_t n;
    const uint32_t *syncs; /* frames begin at these bytes */
    size_t n_syncs;
    uint32_t counts[TABLES][256];
    uint32_t ids[ETM_ID_UNKNOWN + 1];
    uint8_t tables[ETM_ID_UNKNOWN + 1];
    uint8_t n_tables;
    int16_t bytes_score[TABLES][256];
    int16_t ids_score[ETM_ID_UNKNOWN + 1];
    int16_t id_score, none_score; /* an ID byte, and data, at an even place */
    uint8_t id_before; /* in force before the last frame, if that is wrong */
    struct way ways[ETM_SLIP_MOST + 1];
    /* what was found, from `first` on, to the end: the last one came first */
    struct etm_frame_stretch found[STRETCHES];
    size_t first;
};

/* The binary logarithm of a number that is not 0, times BIT. */
static int log2_of(uint64_t x)
{
    unsigned whole = 0;

    for (unsigned step = 32; step != 0; step /= 2)
        if (x >> whole >> step != 0)
            whole += step;
    return (int)whole * BIT + (int)((x * BIT >> whole) - BIT);
}

static int ratio(uint64_t a, uint64_t b)
{
    return log2_of(a) - log2_of(b);
}

static void count_byte(struct search *s, uint8_t id, uint8_t byte)
{
    uint8_t *table = &s->tables[id];

    if (id == ETM_ID_UNKNOWN || id == ETM_ID_NULL)
        return;
    if (*table == OTHER && s->n_tables < SOURCES)
        *table = s->n_tables++;
    if (*table != OTHER)
        s->counts[*table][byte]++;
    s->counts[OTHER][byte]++;
}

static void learn_frame(struct search *s, const uint8_t *frame, uint8_t *id)
{
    struct etm_frame_parts p;

    etm_frame_part(&p, frame, *id);
    for (unsigned i = 0; i < p.n; i++)
        count_byte(s, p.owner[i], p.data[i]);
    for (unsigned i = 0; i < p.n_ids; i++)
        s->ids[p.ids[i]]++;
    *id = p.last;
}

/* What was counted in `frames` becomes scores. */
static void learn(struct search *s, size_t frames)
{
    uint32_t ids = 0;

    for (unsigned t = 0; t < TABLES; t++) {
        uint64_t all = 256 * PRIOR, half = t == OTHER ? 2 : 1;
        int log2_all;

        if (t >= s->n_tables && t != OTHER)
            continue;
        for (unsigned i = 0; i < 256; i++)
            all += s->counts[t][i];
        log2_all = log2_of(half * all);
        for (unsigned i = 0; i < 256; i++) {
            uint64_t like = 256 * ((uint64_t)s->counts[t][i] + PRIOR);

            s->bytes_score[t][i] =
                (int16_t)(log2_of(like + (half - 1) * all) - log2_all);
        }
    }
    for (unsigned i = 0; i <= ETM_ID_UNKNOWN; i++)
        ids += s->ids[i];
    for (unsigned i = 0; i <= ETM_ID_UNKNOWN; i++) {
        bool reserved = i >= ETM_ID_RESERVED && s->ids[i] == 0;

        s->ids_score[i] =
            (int16_t)(reserved && i != ETM_ID_TRIGGER
                          ? RESERVED
                          : ratio(128 * (10 * (uint64_t)s->ids[i] + 1),
                                  10 * (uint64_t)ids + 128));
    }
    s->id_score = (int16_t)ratio(2 * ((uint64_t)ids + 1), 8 * frames + 4);
    s->none_score =
        (int16_t)ratio(2 * (8 * (uint64_t)frames - ids + 3), 8 * frames + 4);
}

static void learn_past(struct search *s, const struct etm_vec *past)
{
    size_t n = past->n < ETM_SLIP_PAST ? past->n : ETM_SLIP_PAST;
    const uint8_t *bytes = (const uint8_t *)past->data + past->n - n;
    uint8_t id = ETM_ID_UNKNOWN;

    memset(s->tables, OTHER, sizeof s->tables);
    for (size_t at = 0; at < n; at += ETM_FRAME_BYTES)
        learn_frame(s, bytes + at, &id);
    learn(s, n / ETM_FRAME_BYTES);
}

uint8_t etm_frame_id_before(const struct etm_vec *past)
{
    size_t n = past->n < 2 * ETM_FRAME_BYTES ? 0 : past->n - ETM_FRAME_BYTES;
    uint8_t id = ETM_ID_UNKNOWN;

    for (; n != 0 && id == ETM_ID_UNKNOWN; n -= ETM_FRAME_BYTES)
        id = etm_frame_last_id((const uint8_t *)past->data + n -
                               ETM_FRAME_BYTES);
    return id;
}

static int score_byte(const struct search *s, uint8_t id, uint8_t byte)
{
    if (id == ETM_ID_NULL)
        return byte == 0 ? NULL_ZERO : NULL_FAULT;
    return s->bytes_score[s->tables[id]][byte];
}

/* The score of a frame; *id is the ID before it, and then after it. */
static int score_frame(const struct search *s, const uint8_t *frame,
                       uint8_t *id)
{
    struct etm_frame_parts p;
    int score;

    if (is_filled(frame))
        return 0;
    etm_frame_part(&p, frame, *id);
    *id = p.last;
    score = (int)p.n_ids * s->id_score +
            (int)(ETM_FRAME_BYTES / 2 - p.n_ids) * s->none_score;
    for (unsigned i = 0; i < p.n; i++)
        score += score_byte(s, p.owner[i], p.data[i]);
    for (unsigned i = 0; i < p.n_ids; i++)
        score += s->ids_score[p.ids[i]];
    return score > LEAST_SCORE ? score : LEAST_SCORE;
}

/* Are bytes skipped to byte `i`? */
static void skip_to(struct search *s, size_t i)
{
    for (unsigned n = 1; n <= MOST_SKIPPED && n <= i; n++) {
        const struct way *from = &s->ways[i - n];
        bool one = (n + 1) % ETM_FRAME_BYTES == 0 || n % ETM_FRAME_BYTES == 1;
        int32_t score;

        /* not two skips, one after the other */
        if (from->score == NO_WAY || (from->from != ETM_FRAME_BYTES && i != n))
            continue;
        if (n == ETM_FRAME_BYTES)
            continue; /* a frame in its place */
        score = from->score + SKIP + (one ? LIKELY : 0);
        if (score > s->ways[i].score)
            s->ways[i] = (struct way){score, (uint8_t)n, from->id};
    }
}

static void find_ways(struct search *s, uint8_t id)
{
    size_t sync = 0;

    for (size_t i = 0; i <= s->n; i++)
        s->ways[i] = (struct way){NO_WAY, 0, ETM_ID_UNKNOWN};
    s->ways[0] = (struct way){0, 0, id};
    for (size_t i = 0; i <= s->n; i++) {
        struct way way;

        skip_to(s, i);
        way = s->ways[i];
        while (sync < s->n_syncs && s->syncs[sync] <= i)
            sync++;
        if (way.score == NO_WAY || s->n - i < ETM_FRAME_BYTES ||
            (sync < s->n_syncs && s->syncs[sync] < i + ETM_FRAME_BYTES))
            continue;
        way.score += score_frame(s, s->bytes + i, &way.id);
        way.from = ETM_FRAME_BYTES;
        if (way.score > s->ways[i + ETM_FRAME_BYTES].score)
            s->ways[i + ETM_FRAME_BYTES] = way;
    }
}

/* The end of the best way, and by how much it is better than any other: less
 * than a frame is left. */
static size_t best_end(const struct search *s, int32_t *ahead)
{
    int32_t next = NO_WAY, best = NO_WAY;
    size_t end = s->n;

    for (unsigned i = 0; i < ETM_FRAME_BYTES && i <= s->n; i++) {
        int32_t score = s->ways[s->n - i].score;

        if (score > best) {
            next = best;
            best = score;
            end = s->n - i;
        } else if (score > next) {
            next = score;
        }
    }
    *ahead = next == NO_WAY ? INT32_MAX : best - next;
    return end;
}

/* The score if frames go on where they began. */
static int32_t score_here(const struct search *s, uint8_t id)
{
    int32_t score = 0;

    for (size_t at = 0; s->n - at >= ETM_FRAME_BYTES; at += ETM_FRAME_BYTES)
        score += score_frame(s, s->bytes + at, &id);
    return score;
}

/* Is the best way so much better than to go on here that it can be true? At an
 * even distance this also depends on how much is known. */
static bool is_better(const struct search *s, size_t end, int32_t here,
                      size_t past)
{
    int32_t least = here;
    bool even = false;

    for (size_t at = end; at != 0; at -= s->ways[at].from) {
        if (s->ways[at].from == ETM_FRAME_BYTES)
            continue;
        least += SURE;
        even = even || s->ways[at].from % 2 == 0;
    }
    return s->ways[end].score >= least && !(even && past < MUCH);
}

/* Data behind bytes skipped, up to the next ID. Returns their number. */
static unsigned data_before_id(const struct search *s, size_t at, size_t end,
                               uint8_t data[static GUESSED])
{
    struct etm_frame_parts p = {0};
    unsigned n = 0;

    for (; p.n_ids == 0 && end - at >= ETM_FRAME_BYTES; at += ETM_FRAME_BYTES) {
        etm_frame_part(&p, s->bytes + at, ETM_ID_UNKNOWN);
        for (unsigned i = 0; i < p.n && p.owner[i] == ETM_ID_UNKNOWN; i++) {
            if (n == GUESSED)
                return n;
            data[n++] = p.data[i];
        }
    }
    return n;
}

/*
 * The source to which these data probably belong; ETM_ID_UNKNOWN: it is not
 * evident. It is more likely the one before the bytes skipped, or one whose ID
 * is among them.
 */
static uint8_t guess_id(const struct search *s, size_t before, size_t at,
                        size_t end)
{
    int best = 0, next = 0;
    uint8_t id = ETM_ID_UNKNOWN, data[GUESSED];
    unsigned n = data_before_id(s, at, end, data);

    for (unsigned i = 0; i < ETM_ID_RESERVED; i++) {
        bool near = i == s->ways[before].id || i == s->id_before ||
                    memchr(s->bytes + before, (int)(i << 1 | 1), at - before);
        int score = near ? NEAR : 0;

        if (s->ids[i] == 0)
            continue;
        for (unsigned k = 0; k < n; k++)
            score += score_byte(s, (uint8_t)i, data[k]);
        if (id == ETM_ID_UNKNOWN || score > best) {
            next = id == ETM_ID_UNKNOWN ? INT32_MIN / 2 : best;
            best = score;
            id = (uint8_t)i;
        } else if (score > next) {
            next = score;
        }
    }
    return id != ETM_ID_UNKNOWN && best - next >= LIKELY ? id : ETM_ID_UNKNOWN;
}

/* In noise all is as bad. */
static bool is_good(const struct search *s, size_t begin, size_t end)
{
    int32_t frames = (int32_t)((end - begin) / ETM_FRAME_BYTES);

    return s->ways[end].score - s->ways[begin].score >= GOOD * frames;
}

/*
 * Find the stretches of the way to `end`, from its end on. Returns the end of
 * what is known, or 0: a place is not believed if too little follows. If more
 * bytes can be had, they will show it.
 */
static size_t find_stretches(struct search *s, size_t end, bool last)
{
    size_t next = end, known = end;

    for (size_t at = end; at != 0; at -= s->ways[at].from) {
        size_t before = at - s->ways[at].from;

        if (s->ways[at].from == ETM_FRAME_BYTES)
            continue;
        if (known - at < FOLLOWING) {
            if (!last)
                return 0;
            known = before;
        } else if (s->first != STRETCHES && next - at < FEW) {
            s->found[s->first].end_before = before;
        } else if (is_good(s, at, next)) {
            s->found[--s->first] = (struct etm_frame_stretch){
                before, at, guess_id(s, before, at, next)};
        } else {
            return 0;
        }
        next = before;
    }
    return known;
}

int etm_frame_slips(const struct etm_frame_doubt *doubt, struct etm_vec *list,
                    size_t *done)
{
    const struct etm_allocator *allocator = &list->allocator;
    struct search *s = etm_alloc_zero(allocator, sizeof *s);
    int32_t ahead, here;
    size_t end;
    int status;

    *done = 0;
    if (s == NULL)
        return ETM_ERR_MEMORY;
    s->bytes = doubt->bytes;
    s->n = doubt->n;
    s->syncs = doubt->syncs;
    s->n_syncs = doubt->n_syncs;
    s->id_before = etm_frame_id_before(doubt->past);
    s->first = STRETCHES;
    learn_past(s, doubt->past);
    find_ways(s, doubt->id);
    end = best_end(s, &ahead);
    status = ETM_OK;
    here = score_here(s, doubt->id);
    if (s->ways[end].score > here && !is_better(s, end, here, doubt->past->n))
        ahead = 0;
    if (ahead >= SURE)
        *done = find_stretches(s, end, doubt->last);
    if (*done != 0)
        status =
            etm_vec_append(list, &s->found[s->first], STRETCHES - s->first);
    etm_alloc_free(allocator, s);
    return status;
}
