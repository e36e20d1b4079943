/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where frames begin in a capture, and where they go on elsewhere, because
 * bytes were lost or added (doc/errata.md, E-611).
 *
 * Every frame says something, also without any A-sync (phase.c): the bytes of
 * the null source are 0, reserved trace IDs are not used, and there are few
 * others. So each byte may begin a frame with a score, and the best way through
 * all bytes is looked for, from frame to frame, or over up to 15 bytes that are
 * in none:
 *
 *     |frame|frame|frame|..|frame|frame|frame|...
 *                        skipped: it costs SKIP
 *
 * A stretch of frames elsewhere is believed only if its own bytes make evident
 * that frames begin there.
 */
#include "port/frame_signs.h"

/* Scores. A skip needs the evidence of several frames. */
#define ZERO_PADDING 1  /* a byte of the null source that is 0 */
#define FAULT (-8)      /* one that is not, or a reserved trace ID */
#define STRANGE_ID (-4) /* an ID that is seldom seen */
#define ID (-1)         /* any other */
#define SKIP (-40)      /* also before the first frame */

/* Least score of a frame, on average: in noise all are worse. */
#define LEAST (-1)

/* An ID is strange if not one of this many ID bytes has it. */
#define STRANGE_SHARE 64u

/* Bytes in which IDs are counted. */
#define IDS_BYTES ((size_t)16384)

#define NO_WAY INT32_MIN

/* The best way to a byte at which a frame may begin. */
struct way {
    int32_t score;
    uint8_t from;   /* so many bytes before: a frame, or bytes skipped */
    uint8_t id;     /* in force, and */
    uint8_t faults; /* those of the null source since its ID byte */
};

/* A way through bytes without synchronization. */
struct search {
    const uint8_t *bytes;
    size_t n;
    struct way *ways;                 /* of n + 1 bytes */
    uint32_t ids[ETM_ID_UNKNOWN + 1]; /* how often they are on the best way */
    uint32_t all_ids;                 /* 0: not known yet */
};

static int score_byte(struct way *w, uint8_t byte)
{
    if (w->id != ETM_ID_NULL)
        return 0;
    if (byte == 0)
        return ZERO_PADDING;
    if (w->faults == FAULTS_IN_A_ROW)
        return 0;
    w->faults++;
    return FAULT;
}

static int score_id(const struct search *s, struct way *w, const uint8_t *bytes)
{
    uint8_t id = bytes[0] >> 1;

    w->id = id;
    w->faults = 0;
    if (is_reserved(bytes))
        return FAULT;
    return s->all_ids > s->ids[id] * STRANGE_SHARE ? STRANGE_ID : ID;
}

/* The score of a frame; *w is what is known before it, and then after it. */
static int score_frame(const struct search *s, struct way *w,
                       const uint8_t *frame)
{
    unsigned flags = frame[15];
    int score = 0;

    if (is_filled(frame))
        return 0;
    for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2, flags >>= 1) {
        bool last = i + 1 == ETM_FRAME_DATA, deferred = (flags & 1) != 0;

        if ((frame[i] & 1) == 0) {
            score += score_byte(w, (uint8_t)(frame[i] | (flags & 1)));
            if (!last)
                score += score_byte(w, frame[i + 1]);
            continue;
        }
        if (!last && deferred)
            score += score_byte(w, frame[i + 1]);
        score += score_id(s, w, frame + i);
        if (!last && !deferred)
            score += score_byte(w, frame[i + 1]);
    }
    return score;
}

static void improve(struct way *to, const struct way *by)
{
    if (by->score > to->score)
        *to = *by;
}

/* From which byte is it best to skip up to byte `i`? `top` is the result for
 * the byte before. */
static size_t best_of(const struct search *s, size_t top, size_t i)
{
    size_t from = i < ETM_FRAME_BYTES ? 0 : i - (ETM_FRAME_BYTES - 1);

    if (top < from)
        for (top = from++; from < i; from++)
            top = s->ways[from].score > s->ways[top].score ? from : top;
    else if (i != 0 && s->ways[i - 1].score > s->ways[top].score)
        top = i - 1;
    return top;
}

/* Find the best ways to all bytes. */
static void find_ways(struct search *s)
{
    for (unsigned i = 0; i < ETM_FRAME_BYTES && i <= s->n; i++)
        s->ways[i] =
            (struct way){.score = i == 0 ? 0 : SKIP, .id = ETM_ID_UNKNOWN};
    for (size_t i = 0, top = 0; i <= s->n; i++) {
        struct way frame;

        top = best_of(s, top, i);
        improve(&s->ways[i], &(struct way){.score = s->ways[top].score + SKIP,
                                           .from = (uint8_t)(i - top),
                                           .id = ETM_ID_UNKNOWN});
        frame = s->ways[i];
        if (s->n - i < ETM_FRAME_BYTES)
            continue;
        frame.score += score_frame(s, &frame, s->bytes + i);
        frame.from = ETM_FRAME_BYTES;
        s->ways[i + ETM_FRAME_BYTES] = frame;
    }
}

/* The end of the best way: less than a frame is left. */
static size_t best_end(const struct search *s)
{
    size_t end = s->n;

    for (unsigned i = 1; i < ETM_FRAME_BYTES && i <= s->n; i++)
        if (s->ways[s->n - i].score > s->ways[end].score)
            end = s->n - i;
    return end;
}

/* An even byte of a frame. */
static void count_id(struct search *s, uint8_t byte)
{
    s->ids[byte >> 1] += byte & 1u;
    s->all_ids += byte & 1u;
}

static void count_ids(struct search *s)
{
    size_t at = best_end(s);

    memset(s->ids, 0, sizeof s->ids);
    for (; s->ways[at].from != 0; at -= s->ways[at].from) {
        const uint8_t *frame = s->bytes + at - ETM_FRAME_BYTES;

        if (s->ways[at].from != ETM_FRAME_BYTES)
            continue;
        for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2)
            count_id(s, frame[i]);
    }
}

/* The score of all frames that begin at `first`, of which IDs are counted. */
static int32_t score_phase(struct search *s, size_t first, bool count)
{
    struct way w = {.id = ETM_ID_UNKNOWN};
    int32_t score = 0;

    for (size_t at = first; s->n - at >= ETM_FRAME_BYTES;
         at += ETM_FRAME_BYTES) {
        score += score_frame(s, &w, s->bytes + at);
        for (unsigned i = 0; i < ETM_FRAME_DATA && count; i += 2)
            count_id(s, s->bytes[at + i]);
    }
    return score;
}

unsigned etm_frame_evident(const uint8_t *bytes, size_t n)
{
    int32_t best = NO_WAY, next = NO_WAY;
    unsigned evident = 0;

    if (n < ETM_FRAME_BYTES)
        return ETM_FRAME_BYTES;
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        struct search s = {.bytes = bytes, .n = n};
        int32_t score;

        (void)score_phase(&s, i, true);
        score = score_phase(&s, i, false);
        if (score > best) {
            next = best;
            best = score;
            evident = i;
        } else if (score > next) {
            next = score;
        }
    }
    return best + SKIP > next && best > LEAST * (int32_t)(n / ETM_FRAME_BYTES)
               ? evident
               : ETM_FRAME_BYTES;
}

/* Append the stretches of the best way that are believed, the last one first.
 */
static int list_stretches(const struct search *s, struct etm_vec *list)
{
    size_t at = best_end(s), end = at;
    int status = ETM_OK;

    for (; status == ETM_OK; at -= s->ways[at].from) {
        struct etm_frame_stretch stretch = {.begin = at, .id = ETM_ID_UNKNOWN};

        if (s->ways[at].from == ETM_FRAME_BYTES)
            continue;
        /* in noise, and among phases that are as good, it is not evident */
        if (etm_frame_evident(s->bytes + at, end - at) == 0)
            status = etm_vec_append(list, &stretch, 1);
        end = at - s->ways[at].from;
        if (s->ways[at].from == 0)
            break;
    }
    return status;
}

/* Bring them into order, from the first byte on if nothing else is believed,
 * and leave out those that go on where frames began before. */
static int join_stretches(struct etm_vec *list)
{
    struct etm_frame_stretch *all, first = {.begin = 0};
    size_t n = 0;

    if (etm_vec_append(list, &first, 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    all = list->data;
    for (size_t i = 0, k = list->n - 1; i < k; i++, k--) {
        struct etm_frame_stretch swapped = all[i];

        all[i] = all[k];
        all[k] = swapped;
    }
    for (size_t i = 1; i < list->n; i++) {
        size_t off = (all[i].begin - all[n].begin) % ETM_FRAME_BYTES;

        if (all[i].begin < ETM_FRAME_BYTES) {
            all[0].begin = all[i].begin;
        } else if (off != 0) {
            all[i].end_before = all[i].begin - off;
            all[++n] = all[i];
        }
    }
    list->n = n + 1;
    return ETM_OK;
}

/* The bytes without halfword synchronization, and where they are. An even byte
 * 7f would be trace ID 3f, so that nothing else looks like it. */
static int leave_out_syncs(const uint8_t *bytes, size_t n, struct etm_vec *left,
                           struct etm_vec *at)
{
    int status = etm_vec_reserve(left, n);

    if (status == ETM_OK)
        status = etm_vec_reserve(at, n + 1);
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (n - i >= 2 && is_half_sync(bytes + i)) {
            i++;
            continue;
        }
        ((uint8_t *)left->data)[left->n++] = bytes[i];
        ((uint32_t *)at->data)[at->n++] = (uint32_t)i;
    }
    return status;
}

/* Are these bytes no frames, wherever those begin? */
static bool is_noise(const struct search *s)
{
    return s->ways[best_end(s)].score <
           LEAST * (int32_t)(s->n / ETM_FRAME_BYTES);
}

/* In noise only the beginning is searched: s->n is how much was. */
static int search_all(struct search *s, const struct etm_allocator *allocator,
                      struct etm_vec *list)
{
    size_t n = s->n;
    struct etm_vec ways;
    int status;

    etm_vec_init(&ways, sizeof(struct way), allocator);
    status = etm_vec_reserve(&ways, s->n + 1);
    s->ways = ways.data;
    if (status == ETM_OK && n > 0) {
        s->n = n < IDS_BYTES ? n : IDS_BYTES;
        find_ways(s);
        count_ids(s);
        if (!is_noise(s)) {
            s->n = n;
            find_ways(s);
            status = list_stretches(s, list);
        }
    }
    if (status == ETM_OK)
        status = join_stretches(list);
    etm_vec_fini(&ways);
    return status;
}

int etm_frame_tpiu_stretches(const uint8_t *bytes, size_t *n,
                             struct etm_vec *list)
{
    struct etm_vec left, at;
    struct search s;
    int status;

    etm_vec_init(&left, 1, &list->allocator);
    etm_vec_init(&at, sizeof(uint32_t), &list->allocator);
    status = leave_out_syncs(bytes, *n, &left, &at);
    if (status == ETM_OK) {
        s = (struct search){.bytes = left.data, .n = left.n};
        status = search_all(&s, &list->allocator, list);
        *n = s.n < left.n ? s.n : *n;
    }
    for (size_t i = 1; i < list->n && status == ETM_OK; i++) {
        struct etm_frame_stretch *stretch =
            (struct etm_frame_stretch *)list->data + i;
        const uint32_t *places = at.data;

        stretch->end_before = places[stretch->end_before - 1] + UINT32_C(1);
        stretch->begin = places[stretch->begin];
    }
    etm_vec_fini(&left);
    etm_vec_fini(&at);
    return status;
}
