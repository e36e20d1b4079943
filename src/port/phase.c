/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where frames begin in memory that does not begin with one (doc/errata.md,
 * E-350), and in the stream of a TPIU without full synchronization (E-370).
 *
 * Read from a wrong byte, a frame still looks like a frame. The A-syncs of the
 * streams in it show the difference: a flag byte comes between their zeros, or
 * bits of data are taken for flags and set some of them. In the right phase
 * each A-sync is complete, in a wrong one few are; and none arises by chance.
 *
 * A small dump has few A-syncs. Then its padding decides, that is, the bytes of
 * the null trace source, which are all 0, or the values of its bytes: a program
 * that repeats itself gives the same values again and again. In a wrong phase
 * every 15th byte is a flag byte, and the low bit of every second belongs to
 * another byte.
 *
 * What is left of a buffer that was not full says nothing: it may be filled
 * with anything that repeats itself, or have older trace.
 */
#include "port/frame_signs.h"

/*
 * The right phase must be ahead of all others by this many A-syncs, and by a
 * third of theirs: next to it, two bytes further on, half of them may be left.
 * A fault of the others, which is padding that is not 0 or a reserved trace ID,
 * counts as much as an A-sync: in padding with a flag byte after it they find
 * A-syncs of their own. The first phase is in doubt if another one has twice as
 * many.
 */
#define AHEAD 4u
#define AHEAD_PERCENT 133u
#define DOUBT_PERCENT 200u

/* Only the beginning is examined, and first only a little of it. */
#define LEAST 1024u

/* Reserved trace IDs that are no damage: at least this many, and one in this
 * many. */
#define MANY_RESERVED 8u
#define RESERVED_SHARE 32u

/* Minimum number of data bytes whose values are compared, those of 55 frames;
 * and by how many per cent they must be ahead. */
#define VALUES_LEAST 800u
#define VALUES_PERCENT 110u

/* With one A-sync in this many bytes, the alignment is right. */
#define A_SYNC_APART 2048u

/* Most sources that are expected in frames, the trigger and the null source
 * among them: others appear in at most one frame of OTHERS_SHARE. */
#define FEW_SOURCES 16u
#define OTHERS_SHARE 10u

#define PIECE ((size_t)4096) /* of memory in which bytes are missing */

/* Minimum number of zeros of an A-sync; more are not counted. */
#define A_SYNC_ZEROS 5u

/* Frames in bytes, from any byte on. */
struct frames {
    const uint8_t *bytes;
    size_t n, at;                   /* of the next frame */
    bool half;                      /* half-word synchronization among them */
    uint8_t frame[ETM_FRAME_BYTES]; /* if it is not contiguous */
};

/* Result for the frames of one phase. */
struct phase {
    size_t at;                         /* of the next frame */
    uint8_t id;                        /* in force */
    unsigned ids;                      /* ID bytes, ... */
    unsigned bad;                      /* ... reserved ones among them, */
    unsigned faults;                   /* these, and padding that is not 0, */
    unsigned in_a_row;                 /* padding since the last ID byte, */
    unsigned a_syncs;                  /* and A-syncs in all streams */
    uint8_t zeros[ETM_ID_UNKNOWN + 1]; /* at the end of each stream */
};

static void take_byte(struct phase *p, uint8_t byte)
{
    uint8_t *zeros = &p->zeros[p->id];

    if (byte == 0) {
        *zeros = (uint8_t)(*zeros + (*zeros < A_SYNC_ZEROS));
        return;
    }
    if (p->id == ETM_ID_NULL && p->in_a_row < FAULTS_IN_A_ROW) {
        p->in_a_row++;
        p->faults++;
    }
    p->a_syncs += byte == 0x80 && *zeros == A_SYNC_ZEROS &&
                  p->id != ETM_ID_NULL &&
                  (p->id < ETM_ID_RESERVED || p->id == ETM_ID_UNKNOWN);
    *zeros = 0;
}

static void take_frame(struct phase *p, const uint8_t *frame)
{
    unsigned flags = frame[15];

    if (is_filled(frame))
        return;
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
        p->in_a_row = 0;
        if (is_reserved(frame + i)) {
            p->bad++;
            p->faults++;
        }
        if (!last && (flags & 1) != 0)
            take_byte(p, frame[i + 1]);
        p->id = id;
        if (!last && (flags & 1) == 0)
            take_byte(p, frame[i + 1]);
    }
}

/* The next frame of a stream with halfword synchronization, which may be
 * between any two halfwords; NULL: it is incomplete. */
static const uint8_t *collect_frame(struct frames *f)
{
    unsigned fill = 0;
    size_t at = f->at;

    for (; fill < ETM_FRAME_BYTES && f->n - at >= 2; at += 2) {
        if (is_half_sync(f->bytes + at))
            continue;
        f->frame[fill++] = f->bytes[at];
        f->frame[fill++] = f->bytes[at + 1];
    }
    if (fill < ETM_FRAME_BYTES)
        return NULL;
    f->at = at;
    return f->frame;
}

/* The next whole frame; NULL: there is none. */
static const uint8_t *next_frame(struct frames *f)
{
    static const uint8_t full_sync[4] = {0xff, 0xff, 0xff, 0x7f};
    const uint8_t *frame;

    if (f->half)
        return f->at < f->n ? collect_frame(f) : NULL;
    for (;; f->at += sizeof full_sync) {
        if (f->at + ETM_FRAME_BYTES > f->n)
            return NULL;
        frame = f->bytes + f->at;
        if (memcmp(frame, full_sync, sizeof full_sync) != 0)
            break;
    }
    f->at += ETM_FRAME_BYTES;
    return frame;
}

/* Offset of the first frame, if `phase` bytes of another one come before. */
static size_t first_at(const uint8_t *bytes, size_t n, bool half,
                       unsigned phase)
{
    size_t at = phase % 2;
    unsigned left = half ? phase / 2 : 0;

    if (!half)
        return phase;
    for (; left != 0 && at + 2 <= n; at += 2)
        left -= !is_half_sync(bytes + at);
    return at;
}

/* Is a frame equal to one next to it? Such a repetition says nothing of where
 * frames begin: a short loop makes it, too. Only its bytes may tell. */
static bool is_repeated(const struct frames *f, const uint8_t *frame)
{
    size_t size = ETM_FRAME_BYTES, at;

    if (frame == f->frame)
        return false;
    at = (size_t)(frame - f->bytes);
    return (at >= size && memcmp(frame, frame - size, size) == 0) ||
           (f->n - at >= 2 * size && memcmp(frame, frame + size, size) == 0);
}

/* Take all whole frames of the first `n` bytes. */
static void take_frames(struct phase *p, const uint8_t *bytes, size_t n,
                        bool half)
{
    struct frames f = {.bytes = bytes, .n = n, .at = p->at, .half = half};
    const uint8_t *frame;

    while ((frame = next_frame(&f)) != NULL)
        if (!is_repeated(&f, frame))
            take_frame(p, frame);
    p->at = f.at;
}

static bool is_wrong(const struct phase *p)
{
    return p->bad >= MANY_RESERVED && p->bad * RESERVED_SHARE >= p->ids;
}

/* The phase with the most A-syncs minus faults, of those that are not wrong,
 * other than `but`; ETM_FRAME_BYTES: there is none. */
static unsigned best_phase(const struct phase *phases, unsigned but)
{
    unsigned best = ETM_FRAME_BYTES;

    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
        if (i != but && !is_wrong(&phases[i]) &&
            (best == ETM_FRAME_BYTES ||
             phases[i].a_syncs + phases[best].faults >
                 phases[best].a_syncs + phases[i].faults))
            best = i;
    return best;
}

/* Is phase `a` that much ahead of `b`, by its A-syncs and the faults of the
 * other? */
static bool is_ahead(const struct phase *phases, unsigned a, unsigned b,
                     unsigned percent)
{
    static const struct phase none;
    const struct phase *other = b == ETM_FRAME_BYTES ? &none : &phases[b];
    unsigned pro, con;

    if (a == ETM_FRAME_BYTES || phases[a].a_syncs == 0)
        return false;
    pro = phases[a].a_syncs;
    con = other->a_syncs;
    if (other->faults > phases[a].faults) /* faults by damage are in both */
        pro += other->faults - phases[a].faults;
    else
        con += phases[a].faults - other->faults;
    return pro >= con + AHEAD && pro * 100 >= con * percent;
}

/* The probability that two bytes of the streams are equal, times 2^24; without
 * memory that was filled. */
static uint64_t concentration(const uint8_t *bytes, size_t n, size_t first,
                              bool half)
{
    struct frames f = {.bytes = bytes, .n = n, .at = first, .half = half};
    const uint8_t *frame;
    uint32_t counts[256] = {0};
    uint64_t all = 0, squares = 0;

    while ((frame = next_frame(&f)) != NULL) {
        unsigned flags = frame[15];

        if (is_filled(frame))
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

/* Can the values of bytes decide? Only for a phase that has A-syncs, and the
 * most of all. This avoids counting values in noise, once for each source. */
static bool may_tell(const struct phase *phases)
{
    unsigned most = 0;
    bool may = false;

    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
        if (phases[i].a_syncs > most)
            most = phases[i].a_syncs;
    for (unsigned i = 0; i < ETM_FRAME_BYTES && most != 0; i++)
        may = may || (phases[i].a_syncs == most && !is_wrong(&phases[i]));
    return may;
}

/* The phase whose values are ahead, if none has more A-syncs and it has one;
 * otherwise ETM_FRAME_BYTES. */
static unsigned phase_by_values(const struct phase *phases,
                                const uint8_t *bytes, size_t n, bool half)
{
    uint64_t values[ETM_FRAME_BYTES];
    unsigned best = 0;

    if (!may_tell(phases))
        return ETM_FRAME_BYTES;
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        values[i] = concentration(bytes, n, first_at(bytes, n, half, i), half);
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

/* Without enough A-syncs: the phase that all else shows in the first bytes, as
 * few of them as are enough (E-611); or `phase`. */
static unsigned evident_or(unsigned phase, const uint8_t *bytes, size_t n)
{
    unsigned evident = ETM_FRAME_BYTES;

    for (size_t size = LEAST; evident == ETM_FRAME_BYTES; size *= 2) {
        size = size < n ? size : n;
        if (size >= ETM_FRAME_BYTES)
            evident = etm_frame_evident(bytes, size);
        if (size == n)
            break;
    }
    return evident < ETM_FRAME_BYTES ? evident : phase;
}

/* As etm_frame_phase(), with at most `most` bytes. */
static enum etm_phase find_phase(const uint8_t *bytes, size_t n, size_t most,
                                 bool end, bool half, uint8_t *first)
{
    struct phase phases[ETM_FRAME_BYTES] = {{0}};
    unsigned best, sure;

    *first = 0;
    most = n < most ? n : most;
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        phases[i].at = first_at(bytes, n, half, i);
        phases[i].id = ETM_ID_UNKNOWN;
    }
    for (size_t size = LEAST;; size *= 2) {
        bool all = size >= most;

        if (size > n && !end)
            return ETM_PHASE_MORE;
        for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
            if (!is_wrong(&phases[i]))
                take_frames(&phases[i], bytes, all ? most : size, half);
        sure = ETM_FRAME_BYTES;
        best = best_phase(phases, ETM_FRAME_BYTES);
        if (is_ahead(phases, best, best_phase(phases, best), AHEAD_PERCENT))
            sure = best;
        if (sure == ETM_FRAME_BYTES)
            sure = phase_by_values(phases, bytes, all ? most : size, half);
        /* few A-syncs, which data may have by chance in a wrong phase */
        if (sure < ETM_FRAME_BYTES && !half &&
            phases[sure].a_syncs <= size / A_SYNC_APART)
            sure = evident_or(sure, bytes, all ? most : size);
        if (sure < ETM_FRAME_BYTES) {
            *first = (uint8_t)sure;
            return ETM_PHASE_KNOWN;
        }
        if (all)
            break;
    }
    if (!half)
        sure = evident_or(sure, bytes, most);
    if (sure < ETM_FRAME_BYTES) {
        *first = (uint8_t)sure;
        return ETM_PHASE_KNOWN;
    }
    return is_wrong(&phases[0]) || is_ahead(phases, best, 0, DOUBT_PERCENT)
               ? ETM_PHASE_DOUBT
               : ETM_PHASE_KNOWN;
}

enum etm_phase etm_frame_phase(const uint8_t *bytes, size_t n, bool end,
                               uint8_t *first)
{
    return find_phase(bytes, n, ETM_PHASE_BYTES, end, false, first);
}

enum etm_phase etm_frame_tpiu_phase(const uint8_t *bytes, size_t n,
                                    uint8_t *first)
{
    return find_phase(bytes, n, n, true, true, first);
}

/* The A-syncs of the streams of frames in the best phase. */
static unsigned best_a_syncs(const uint8_t *bytes, size_t n, bool half)
{
    struct phase phases[ETM_FRAME_BYTES] = {{0}};
    unsigned best;

    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        phases[i].at = first_at(bytes, n, half, i);
        phases[i].id = ETM_ID_UNKNOWN;
        take_frames(&phases[i], bytes, n, half);
    }
    best = best_phase(phases, ETM_FRAME_BYTES);
    return best < ETM_FRAME_BYTES ? phases[best].a_syncs : 0;
}

unsigned etm_frame_a_syncs(const uint8_t *bytes, size_t n)
{
    return best_a_syncs(bytes, n, true);
}

/* Where bytes are missing no phase is right for all: each piece has its own. */
static unsigned a_syncs_of_pieces(const uint8_t *bytes, size_t n)
{
    unsigned a_syncs = 0;

    for (; n > PIECE; n -= PIECE, bytes += PIECE)
        a_syncs += best_a_syncs(bytes, PIECE, false);
    return a_syncs + best_a_syncs(bytes, n, false);
}

/* Number of A-syncs of a stream whose words of `word` bytes, a power of two,
 * are in the wrong byte order; 1: as it is. */
static unsigned count_stream(const uint8_t *bytes, size_t n, unsigned word)
{
    struct phase p = {.id = ETM_ID_UNKNOWN};

    n -= n % word;
    for (size_t i = 0; i < n; i++)
        take_byte(&p, bytes[i ^ (word - 1)]);
    return p.a_syncs;
}

/* What bytes contain if they are in frames and if they are not. */
struct likeness {
    unsigned plain;  /* A-syncs of the bytes themselves */
    unsigned framed; /* and of the streams of frames in the best phase */
    unsigned phase;  /* that phase */
    bool by_values;  /* whether it is clear which phase that is */
};

static struct likeness compare(const uint8_t *bytes, size_t n)
{
    struct phase phases[ETM_FRAME_BYTES] = {{0}}, plain = {0};
    struct likeness l;
    unsigned values;

    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    plain.id = ETM_ID_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        take_byte(&plain, bytes[i]);
    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++) {
        phases[i].at = i;
        phases[i].id = ETM_ID_UNKNOWN;
        take_frames(&phases[i], bytes, n, false);
    }
    l.plain = plain.a_syncs;
    l.phase = best_phase(phases, ETM_FRAME_BYTES);
    l.framed = l.phase < ETM_FRAME_BYTES ? phases[l.phase].a_syncs : 0;
    values = phase_by_values(phases, bytes, n, false);
    l.by_values = values < ETM_FRAME_BYTES;
    if (l.by_values)
        l.phase = values;
    return l;
}

/* Of frames that begin in that phase: the trace IDs of a few sources, and those
 * of others in few frames, as damage makes them? In programs and tables every
 * second byte that is odd would be one. */
static bool has_few_sources(const uint8_t *bytes, size_t n, unsigned phase)
{
    struct frames f = {.bytes = bytes, .n = n, .at = phase};
    unsigned counts[ETM_ID_UNKNOWN + 1] = {0}, frames = 0, others = 0;
    const uint8_t *frame;

    for (; (frame = next_frame(&f)) != NULL; frames++) {
        for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2) {
            unsigned one = frame[i] & 1u;

            counts[frame[i] >> 1] += one;
            others += one;
        }
    }
    for (unsigned i = 0; i < FEW_SOURCES; i++) {
        unsigned most = 0;

        for (unsigned id = 1; id <= ETM_ID_UNKNOWN; id++)
            if (counts[id] > counts[most])
                most = id;
        others -= counts[most];
        counts[most] = 0;
    }
    return others <= frames / OTHERS_SHARE;
}

/* In the bytes of one source no phase is ahead of the others. */
bool etm_frame_likely(const uint8_t *bytes, size_t n, unsigned *phase)
{
    struct likeness l = compare(bytes, n);

    *phase = l.phase;
    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    return ((l.by_values && l.framed >= l.plain) ||
            (l.framed >= l.plain + AHEAD &&
             l.framed * 100 >= l.plain * AHEAD_PERCENT)) &&
           has_few_sources(bytes, n, l.phase);
}

bool etm_frame_tpiu_likely(const uint8_t *bytes, size_t n)
{
    struct phase plain = {.id = ETM_ID_UNKNOWN};
    unsigned half_syncs = 0, framed;

    for (size_t i = 0; i < n; i++) {
        take_byte(&plain, bytes[i]);
        half_syncs += i + 1 < n && is_half_sync(bytes + i);
    }
    if (half_syncs < AHEAD)
        return false;
    framed = etm_frame_a_syncs(bytes, n);
    return framed >= plain.a_syncs + AHEAD &&
           framed * 100 >= plain.a_syncs * AHEAD_PERCENT;
}

bool etm_frame_unlikely(const uint8_t *bytes, size_t n)
{
    struct phase first = {.id = ETM_ID_UNKNOWN};
    struct likeness l;

    /* quickly done if there are frames */
    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    take_frames(&first, bytes, n, false);
    if (first.a_syncs >= count_stream(bytes, n, 1))
        return false;
    l = compare(bytes, n);
    if (l.phase == ETM_FRAME_BYTES)
        l.framed = a_syncs_of_pieces(bytes, n);
    return !l.by_values && l.plain >= l.framed + AHEAD &&
           l.plain * 100 >= l.framed * AHEAD_PERCENT;
}

/* Words in the wrong byte order (E-353). */

/* Number of A-syncs of the streams in frames, the first of which begins at
 * `at`, at the beginning of a word. */
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
    if (framed && swapped != 0 && plain == 0)
        plain = a_syncs_of_pieces(bytes, n);
    return most >= plain + AHEAD && most * 100 >= plain * DOUBT_PERCENT
               ? swapped
               : 0;
}
