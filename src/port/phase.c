/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where frames begin in memory that does not begin with one (doc/errata.md,
 * E-350).
 *
 * Read from a wrong byte, a frame still looks like a frame. What gives it
 * away are the A-syncs of the streams in it: a flag byte gets between their
 * zeros, or bits of data are taken for flags and set some of them. In the
 * right phase each one is whole, in a wrong one few are; and none comes to be
 * by chance.
 *
 * A small dump has few of them. Then the values of its bytes tell: a program
 * that repeats itself makes the same ones again and again. In a wrong phase
 * every 15th is a flag byte, and the low bit of every second is that of
 * another.
 */
#include "port/frame.h"

#include <string.h>

/*
 * By so many A-syncs the right phase is ahead of all others, and by a third of
 * what they have: beside it, two bytes further on, half of them may
 * be left. The first phase is doubted if another one has twice as many.
 */
#define AHEAD 4u
#define AHEAD_PERCENT 133u
#define DOUBT_PERCENT 200u

/* The beginning is looked at, first a little of it. */
#define LEAST 1024u

/* Reserved trace IDs that are no damage: so many, one of so many. */
#define MANY_RESERVED 8u
#define RESERVED_SHARE 32u

/* Bytes of data that are enough for that, of 55 frames; and by how many of a
 * hundred it is ahead. */
#define VALUES_LEAST 800u
#define VALUES_PERCENT 110u

/* Where one A-sync comes in so many bytes, they stand as they should. */
#define A_SYNC_APART 2048u

/* An A-sync has so many zeros at least; more are not counted. */
#define A_SYNC_ZEROS 5u

/* What the frames of one phase come to. */
struct phase {
    size_t at;                         /* of the next frame */
    uint8_t id;                        /* in force */
    unsigned ids;                      /* ID bytes, ... */
    unsigned bad;                      /* ... reserved ones among them, */
    unsigned a_syncs;                  /* and A-syncs in all streams */
    uint8_t zeros[ETM_ID_UNKNOWN + 1]; /* that each stream ends with */
};

static void take_byte(struct phase *p, uint8_t byte)
{
    uint8_t *zeros = &p->zeros[p->id];

    if (byte == 0) {
        *zeros = (uint8_t)(*zeros + (*zeros < A_SYNC_ZEROS));
        return;
    }
    p->a_syncs += byte == 0x80 && *zeros == A_SYNC_ZEROS &&
                  p->id != ETM_ID_NULL &&
                  (p->id < ETM_ID_RESERVED || p->id == ETM_ID_UNKNOWN);
    *zeros = 0;
}

static void take_frame(struct phase *p, const uint8_t *frame)
{
    unsigned flags = frame[15];

    for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2, flags >>= 1) {
        bool last = i + 1 == ETM_FRAME_DATA;
        uint8_t id = frame[i] >> 1;

        if ((frame[i] & 1) == 0) {
            take_byte(p, (uint8_t)(frame[i] | (flags & 1)));
            if (!last)
                take_byte(p, frame[i + 1]);
            continue;
        }
        p->ids++;
        p->bad += id >= ETM_ID_RESERVED && id != ETM_ID_TRIGGER;
        if (!last && (flags & 1) != 0)
            take_byte(p, frame[i + 1]);
        p->id = id;
        if (!last && (flags & 1) == 0)
            take_byte(p, frame[i + 1]);
    }
}

/* All whole frames of the first `n` bytes. */
static void take_frames(struct phase *p, const uint8_t *bytes, size_t n)
{
    static const uint8_t full_sync[4] = {0xff, 0xff, 0xff, 0x7f};

    while (p->at + ETM_FRAME_BYTES <= n) {
        if (memcmp(bytes + p->at, full_sync, sizeof full_sync) == 0) {
            p->at += sizeof full_sync;
            continue;
        }
        take_frame(p, bytes + p->at);
        p->at += ETM_FRAME_BYTES;
    }
}

static bool is_wrong(const struct phase *p)
{
    return p->bad >= MANY_RESERVED && p->bad * RESERVED_SHARE >= p->ids;
}

/* Of those that are not wrong, the phase with the most A-syncs but `but`;
 * ETM_FRAME_BYTES: there is none. */
static unsigned best_phase(const struct phase *phases, unsigned but)
{
    unsigned best = ETM_FRAME_BYTES;

    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
        if (i != but && !is_wrong(&phases[i]) &&
            (best == ETM_FRAME_BYTES ||
             phases[i].a_syncs > phases[best].a_syncs))
            best = i;
    return best;
}

/* Has the phase `a` so many more A-syncs than `b`? */
static bool is_ahead(const struct phase *phases, unsigned a, unsigned b,
                     unsigned percent)
{
    unsigned n = b == ETM_FRAME_BYTES ? 0 : phases[b].a_syncs;

    return a != ETM_FRAME_BYTES && phases[a].a_syncs >= n + AHEAD &&
           phases[a].a_syncs * 100 >= n * percent;
}

/* How often two bytes of the streams are equal, in parts of 2^24; without
 * memory that was never written. */
static uint64_t concentration(const uint8_t *bytes, size_t n, unsigned first)
{
    static const uint8_t unwritten[ETM_FRAME_BYTES];
    uint32_t counts[256] = {0};
    uint64_t all = 0, squares = 0;

    for (size_t at = first; at + ETM_FRAME_BYTES <= n; at += ETM_FRAME_BYTES) {
        const uint8_t *frame = bytes + at;
        unsigned flags = frame[15];

        if (memcmp(frame, unwritten, sizeof unwritten) == 0)
            continue;
        for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2, flags >>= 1) {
            if ((frame[i] & 1) == 0)
                counts[frame[i] | (flags & 1)]++;
            if (i + 1 < ETM_FRAME_DATA)
                counts[frame[i + 1]]++;
        }
    }
    for (unsigned i = 0; i < 256; i++) {
        all += counts[i];
        squares += (uint64_t)counts[i] * counts[i];
    }
    return all >= VALUES_LEAST ? (squares << 24) / (all * all) : 0;
}

/* The phase whose values are ahead, if none has more A-syncs and it has one;
 * else ETM_FRAME_BYTES. */
static unsigned phase_by_values(const struct phase *phases,
                                const uint8_t *bytes, size_t n)
{
    uint64_t values[ETM_FRAME_BYTES];
    unsigned best = 0;

    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        values[i] = concentration(bytes, n, i);
        if (values[i] > values[best])
            best = i;
    }
    if (is_wrong(&phases[best]) || phases[best].a_syncs == 0)
        return ETM_FRAME_BYTES;
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
        if (i != best &&
            (values[i] == 0 || phases[i].a_syncs > phases[best].a_syncs ||
             values[best] * 100 < values[i] * VALUES_PERCENT))
            return ETM_FRAME_BYTES;
    return best;
}

enum etm_phase etm_frame_phase(const uint8_t *bytes, size_t n, bool end,
                               uint8_t *first)
{
    struct phase phases[ETM_FRAME_BYTES] = {{0}};
    size_t most = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    unsigned best, by_values;

    *first = 0;
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        phases[i].at = i;
        phases[i].id = ETM_ID_UNKNOWN;
    }
    for (size_t size = LEAST;; size *= 2) {
        bool all = size >= most;

        if (size > n && !end)
            return ETM_PHASE_MORE;
        for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
            if (!is_wrong(&phases[i]))
                take_frames(&phases[i], bytes, all ? most : size);
        best = best_phase(phases, ETM_FRAME_BYTES);
        if (is_ahead(phases, best, best_phase(phases, best), AHEAD_PERCENT)) {
            *first = (uint8_t)best;
            return ETM_PHASE_KNOWN;
        }
        if (all)
            break;
    }
    by_values = phase_by_values(phases, bytes, most);
    if (by_values < ETM_FRAME_BYTES) {
        *first = (uint8_t)by_values;
        return ETM_PHASE_KNOWN;
    }
    return is_wrong(&phases[0]) || is_ahead(phases, best, 0, DOUBT_PERCENT)
               ? ETM_PHASE_DOUBT
               : ETM_PHASE_KNOWN;
}

/* A-syncs of a stream whose words of `word` bytes, a power of two, stand the
 * wrong way round; 1: as it is. */
static unsigned count_stream(const uint8_t *bytes, size_t n, unsigned word)
{
    struct phase p = {.id = ETM_ID_UNKNOWN};

    n -= n % word;
    for (size_t i = 0; i < n; i++)
        take_byte(&p, bytes[i ^ (word - 1)]);
    return p.a_syncs;
}

/* A-syncs of the bytes themselves; *framed: of the streams of frames in the
 * best phase; *by_values: is it clear which phase that is? */
static unsigned compare(const uint8_t *bytes, size_t n, unsigned *framed,
                        bool *by_values)
{
    struct phase phases[ETM_FRAME_BYTES] = {{0}}, plain = {0};
    unsigned best;

    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    plain.id = ETM_ID_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        take_byte(&plain, bytes[i]);
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        phases[i].at = i;
        phases[i].id = ETM_ID_UNKNOWN;
        take_frames(&phases[i], bytes, n);
    }
    best = best_phase(phases, ETM_FRAME_BYTES);
    *framed = best < ETM_FRAME_BYTES ? phases[best].a_syncs : 0;
    *by_values = phase_by_values(phases, bytes, n) < ETM_FRAME_BYTES;
    return plain.a_syncs;
}

/* In the bytes of one source no phase is ahead of the others. */
bool etm_frame_likely(const uint8_t *bytes, size_t n)
{
    bool by_values;
    unsigned framed, plain = compare(bytes, n, &framed, &by_values);

    return (by_values && framed >= plain) ||
           (framed >= plain + AHEAD && framed * 100 >= plain * AHEAD_PERCENT);
}

bool etm_frame_unlikely(const uint8_t *bytes, size_t n)
{
    struct phase first = {.id = ETM_ID_UNKNOWN};
    bool by_values;
    unsigned framed, plain;

    /* soon done with frames that are there */
    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    take_frames(&first, bytes, n);
    if (first.a_syncs >= count_stream(bytes, n, 1))
        return false;
    plain = compare(bytes, n, &framed, &by_values);
    return !by_values && plain >= framed + AHEAD &&
           plain * 100 >= framed * AHEAD_PERCENT;
}

/*
 * Words whose bytes stand the wrong way round (E-353).
 */

/* The same of the streams in frames, the first of which begins at byte `at`,
 * where a word does. */
static unsigned count_frames(const uint8_t *bytes, size_t n, unsigned word,
                             size_t at)
{
    struct phase p = {.id = ETM_ID_UNKNOWN};
    uint8_t frame[ETM_FRAME_BYTES];

    for (; at + ETM_FRAME_BYTES <= n; at += ETM_FRAME_BYTES) {
        for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
            frame[i] = bytes[at + (i ^ (word - 1))];
        take_frame(&p, frame);
    }
    return is_wrong(&p) ? 0 : p.a_syncs;
}

unsigned etm_frame_swapped(const uint8_t *bytes, size_t n, bool framed,
                           size_t first)
{
    unsigned plain, most = 0, swapped = 0;

    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    plain =
        framed ? count_frames(bytes, n, 1, first) : count_stream(bytes, n, 1);
    for (unsigned word = 2; word <= 8 && plain <= n / A_SYNC_APART; word *= 2) {
        for (unsigned at = 0; at < (framed ? ETM_FRAME_BYTES : word);
             at += word) {
            unsigned a_syncs = framed ? count_frames(bytes, n, word, at)
                                      : count_stream(bytes, n, word);

            if (a_syncs > most) {
                most = a_syncs;
                swapped = word;
            }
        }
    }
    return most >= plain + AHEAD && most * 100 >= plain * DOUBT_PERCENT
               ? swapped
               : 0;
}
