/* SPDX-License-Identifier: Apache-2.0 */
/* Frames to the stream of one trace source. The layout is in <etm/port.h>. */
#include "base/bytes.h"
#include "port/frame_bits.h"

/*
 * Up to this many frames of zeros in the middle of a capture can be data; more
 * are memory that was never written, as they always are at its end
 * (doc/errata.md).
 */
#define BLANK_FRAMES 64u

void etm_deframer_event(struct etm_deframer *d, enum etm_frame_event_kind kind,
                        uint64_t file, uint64_t n, uint8_t value)
{
    struct etm_frame_event event = {file, n, kind, value};

    if (etm_vec_append(&d->events, &event, 1) != ETM_OK)
        d->status = ETM_ERR_MEMORY;
}

/* Where the bytes of a frame are: consecutive from `first` on, or as `file`
 * says. */
struct stand {
    uint64_t first;
    const uint64_t *file; /* NULL: see `first` */
};

static inline uint64_t place_of(struct stand stand, unsigned at)
{
    return stand.file == NULL ? stand.first + at : stand.file[at];
}

/* Data of a frame, with room after them, because they are copied 16 bytes at a
 * time. */
struct frame_data {
    uint8_t bytes[2 * ETM_FRAME_BYTES];
};

/* Bytes `at` to `at + n` of a frame's data belong to the current ID. */
static inline void add_data(struct etm_deframer *d,
                            const struct frame_data *data, unsigned at,
                            unsigned n, struct stand stand)
{
    unsigned end = at + n, next;

    d->counts.bytes[d->id] += n;
    switch (d->sink) {
    case ETM_SINK_DROP:
        return;
    case ETM_SINK_COUNT:
        if (d->stretch_n == 0)
            d->stretch_file = place_of(stand, at);
        d->stretch_n += n;
        return;
    case ETM_SINK_TRIGGER:
        for (; at < end; at++)
            etm_deframer_event(d, ETM_FRAME_TRIGGER, place_of(stand, at), 1,
                               data->bytes[at]);
        return;
    case ETM_SINK_KEEP:
        break;
    }
    if (d->stream.capacity - d->stream.n < ETM_FRAME_BYTES &&
        etm_vec_reserve(&d->stream, ETM_FRAME_BYTES) != ETM_OK) {
        d->status = ETM_ERR_MEMORY;
        return;
    }
    memcpy((uint8_t *)d->stream.data + d->stream.n, data->bytes + at,
           ETM_FRAME_BYTES);
    d->stream.n += n;
    for (; at < end; at = next) {
        uint64_t file = place_of(stand, at);

        /* Only a halfword synchronization can be in between. */
        next = end;
        while (place_of(stand, next - 1) - file != next - 1 - at)
            next--;
        add_run(d, at, next - at, file);
    }
}

/* The stretch of unknown or reserved ID ends here. */
static void end_stretch(struct etm_deframer *d)
{
    if (d->sink != ETM_SINK_COUNT || d->stretch_n == 0)
        return;
    if (d->id == ETM_ID_UNKNOWN) {
        etm_deframer_event(d, ETM_FRAME_UNKNOWN, d->stretch_file, d->stretch_n,
                           0);
    } else {
        etm_deframer_event(d, ETM_FRAME_BAD, d->stretch_file, d->stretch_n, 0);
        d->counts.bad += d->stretch_n;
        if (d->stretch_is_ours)
            d->gap = true;
    }
    if (d->gap && d->stretch_is_ours)
        d->lost += d->stretch_n;
    d->stretch_n = 0;
}

static bool is_reserved(const struct etm_deframer *d, uint8_t id)
{
    return id >= ETM_ID_RESERVED && id != ETM_ID_TRIGGER && id != d->want;
}

/* Of an ID that is not reserved. */
static enum etm_frame_sink sink_of(const struct etm_deframer *d, uint8_t id)
{
    if (id == ETM_ID_TRIGGER)
        return ETM_SINK_TRIGGER;
    return id == d->want && id != ETM_ID_NULL ? ETM_SINK_KEEP : ETM_SINK_DROP;
}

/*
 * An ID byte at `file`. No formatter sends a reserved ID: a bit of an ID byte,
 * or bit 0 of a data byte, was corrupted. Then what follows belongs to no
 * source, and the previous source may miss bytes; the others are not affected.
 */
static void set_id(struct etm_deframer *d, uint8_t id, uint64_t file)
{
    bool was_reserved = d->sink == ETM_SINK_COUNT && d->id != ETM_ID_UNKNOWN;

    if (!is_reserved(d, id)) {
        end_stretch(d);
        d->id = id;
        d->sink = sink_of(d, id);
        return;
    }
    if (!was_reserved) {
        bool ours = d->sink == ETM_SINK_KEEP ||
                    (d->id == ETM_ID_UNKNOWN && d->stretch_is_ours);

        end_stretch(d);
        d->stretch_is_ours = ours;
        d->stretch_file = file;
        d->sink = ETM_SINK_COUNT;
    }
    d->id = id;
    d->stretch_n++;
}

/* The data and ID bytes of a frame that is not blank. */
static inline void split(struct etm_deframer *d, const uint8_t *frame,
                         uint64_t low, uint64_t high, struct stand stand)
{
    unsigned flags = frame[15];
    unsigned ids = gather(low & EVEN_BIT0) | gather(high & EVEN_BIT0) << 4;
    unsigned at = 0;
    struct frame_data data;

    put_bits_back(data.bytes, low, high, flags);
    memset(data.bytes + ETM_FRAME_BYTES, 0, ETM_FRAME_BYTES);
    for (unsigned i = 0; ids != 0; i++, ids >>= 1, flags >>= 1) {
        unsigned next = 2 * i;

        if ((ids & 1) == 0)
            continue;
        if (at < next)
            add_data(d, &data, at, next - at, stand);
        at = next + 1;
        /* Byte 14 has no data byte after it to which its flag could apply. */
        if ((flags & 1) != 0 && at < ETM_FRAME_DATA) {
            add_data(d, &data, at, 1, stand);
            at++;
        }
        set_id(d, frame[next] >> 1, place_of(stand, next));
    }
    if (at < ETM_FRAME_DATA)
        add_data(d, &data, at, ETM_FRAME_DATA - at, stand);
}

/* One byte of data of the current ID did not come as it should: its source
 * misses it. */
static void miss_data(struct etm_deframer *d, uint64_t file)
{
    bool ours = d->sink == ETM_SINK_KEEP ||
                (d->sink == ETM_SINK_COUNT && d->stretch_is_ours);

    end_stretch(d);
    etm_deframer_event(d, ETM_FRAME_BAD, file, 1, 0);
    d->counts.bad++;
    d->gap |= ours;
    d->lost += ours;
}

/* Which bytes of a frame did not come as they should: bit 0 for the first. */
static unsigned wrong_bytes(const struct etm_deframer *d, const uint64_t *file)
{
    unsigned mask = 0;

    for (size_t k = 0;
         k < d->n_wrong && d->wrong[k] <= file[15] + d->wrong_from; k++)
        for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
            mask |= d->wrong[k] == file[i] + d->wrong_from ? 1u << i : 0;
    return mask;
}

/*
 * A frame with such bytes: E-627. Data are missing. An ID is believed if its
 * source is known, but the source before it may miss a byte, too; else it was
 * data. Without the flag byte nothing is known of the data.
 */
static void split_wrong(struct etm_deframer *d, const uint8_t *frame,
                        const uint64_t *file, unsigned wrong)
{
    const struct stand stand = {0, file};
    const bool no_flags = (wrong >> 15 & 1) != 0;
    struct frame_data data;

    put_bits_back(data.bytes, etm_le64(frame), etm_le64(frame + 8), frame[15]);
    memset(data.bytes + ETM_FRAME_BYTES, 0, ETM_FRAME_BYTES);
    for (unsigned i = 0, at; i < ETM_FRAME_DATA; i++) {
        bool is_wrong = (wrong >> i & 1) != 0, is_id;
        uint8_t id = frame[i] >> 1;

        is_id = i % 2 == 0 && (frame[i] & 1) != 0 &&
                (!is_wrong || id == d->want || d->counts.bytes[id] != 0);
        at = i;
        /* with its flag the byte after an ID is of the source before it */
        if (is_id && !no_flags && (frame[15] >> i / 2 & 1) != 0 &&
            i + 1 < ETM_FRAME_DATA)
            i++;
        /* without its flag that byte may be of either */
        if (is_wrong || no_flags)
            miss_data(d, file[at]);
        if (i != at && (wrong >> i & 1) != 0)
            miss_data(d, file[i]);
        else if (i != at || (!is_id && !is_wrong && !no_flags))
            add_data(d, &data, i, 1, stand);
        if (is_id)
            set_id(d, id, file[at]);
    }
}

/* Frames of zeros turned out to be in the middle of the capture. */
static void use_blank_frames(struct etm_deframer *d)
{
    uint64_t frames = d->blank_frames, first = d->blank_file;
    static const struct frame_data zeros;

    d->blank_frames = 0;
    if (frames > BLANK_FRAMES) {
        etm_deframer_bad(d, first, frames * ETM_FRAME_BYTES);
        return;
    }
    for (uint64_t k = 0; k < frames; k++)
        add_data(d, &zeros, 0, ETM_FRAME_DATA,
                 (struct stand){first + k * ETM_FRAME_BYTES, NULL});
}

void etm_deframer_bad(struct etm_deframer *d, uint64_t file, uint64_t n)
{
    if (d->blank_frames != 0)
        use_blank_frames(d);
    end_stretch(d);
    etm_deframer_event(d, ETM_FRAME_BAD, file, n, 0);
    d->counts.bad += n;
    d->gap = true;
    d->lost += n;
}

void etm_deframer_forget_id(struct etm_deframer *d, uint64_t file)
{
    if (d->blank_frames != 0)
        use_blank_frames(d);
    end_stretch(d);
    d->id = ETM_ID_UNKNOWN;
    d->sink = ETM_SINK_COUNT;
    d->stretch_file = file;
    d->stretch_is_ours = d->gap;
}

void etm_deframer_assume_id(struct etm_deframer *d, uint8_t id)
{
    if (id == ETM_ID_UNKNOWN)
        return;
    d->id = id;
    d->sink = sink_of(d, id);
}

void etm_deframer_close(struct etm_deframer *d)
{
    d->counts.blank += d->blank_frames * ETM_FRAME_BYTES;
    d->blank_frames = 0;
    end_stretch(d);
}

/* One frame. `whole`: its bytes are contiguous. */
static inline void take_frame(struct etm_deframer *d, const uint8_t *frame,
                              bool whole, struct stand stand)
{
    uint64_t low = etm_le64(frame), high = etm_le64(frame + 8);

    d->counts.frames++;
    d->barrier = 0;
    if ((low | high) == 0 && whole && d->id != ETM_ID_NULL) {
        uint64_t file = place_of(stand, 0);

        if (d->blank_frames != 0 &&
            d->blank_file + d->blank_frames * ETM_FRAME_BYTES != file)
            use_blank_frames(d);
        if (d->blank_frames++ == 0)
            d->blank_file = file;
        return;
    }
    if (d->blank_frames != 0)
        use_blank_frames(d);
    split(d, frame, low, high, stand);
}

void etm_deframer_frame(struct etm_deframer *d, const uint8_t *frame,
                        const uint64_t *file)
{
    unsigned wrong = d->n_wrong != 0 ? wrong_bytes(d, file) : 0;

    if (wrong == 0) {
        take_frame(d, frame, file[15] == file[0] + 15, (struct stand){0, file});
        return;
    }
    d->counts.frames++;
    d->barrier = 0;
    if (d->blank_frames != 0)
        use_blank_frames(d);
    split_wrong(d, frame, file, wrong);
}

/*
 * Take the frames without an ID byte at the beginning of `n` bytes: they are
 * skipped if they are not wanted, and one run if they are. Returns their
 * number.
 */
static size_t plain_frames(struct etm_deframer *d, const uint8_t *p, size_t n,
                           uint64_t file)
{
    bool keep = d->sink == ETM_SINK_KEEP;
    bool padding = d->id == ETM_ID_NULL;
    size_t most = n / ETM_FRAME_BYTES, k;
    uint8_t *out = NULL;

    if (d->sink == ETM_SINK_TRIGGER || d->blank_frames != 0)
        return 0;
    if (keep) {
        if (most > ETM_FRAMES_AT_ONCE)
            most = ETM_FRAMES_AT_ONCE;
        /* One more byte: frames are written 16 bytes at a time. */
        if (etm_vec_reserve(&d->stream, most * ETM_FRAME_DATA + 1) != ETM_OK) {
            d->status = ETM_ERR_MEMORY;
            return 0;
        }
        out = (uint8_t *)d->stream.data + d->stream.n;
    }
    for (k = 0; k < most; k++, p += ETM_FRAME_BYTES) {
        uint64_t low = etm_le64(p), high = etm_le64(p + 8);

        if (((low | high) & EVEN_BIT0) != 0)
            break;
        if (((low | high) == 0) != padding)
            break;
        if (keep) {
            put_bits_back(out, low, high, p[15]);
            out += ETM_FRAME_DATA;
        }
    }
    if (k == 0)
        return 0;
    d->barrier = 0;
    d->counts.frames += k;
    d->counts.bytes[d->id] += k * ETM_FRAME_DATA;
    if (keep) {
        d->stream.n += k * ETM_FRAME_DATA;
        add_run(d, 0, (uint32_t)(k * ETM_FRAME_DATA), file);
    } else if (d->sink == ETM_SINK_COUNT) {
        if (d->stretch_n == 0)
            d->stretch_file = file;
        d->stretch_n += k * ETM_FRAME_DATA;
    }
    return k;
}

/* Could a synchronization packet begin in this frame? */
static bool may_have_sync(const struct etm_deframer *d, const uint8_t *p)
{
    uint64_t low = etm_le64(p), high = etm_le64(p + 8);

    if (d->layout == ETM_FRAME_ALIGNED)
        return (low & 0xffffffffu) == 0x7fffffffu;
    /* An even byte ff: ID 0x7f is not used so that this works. */
    return ((((low & EVEN_BYTE) + EVEN_BIT0) |
             ((high & EVEN_BYTE) + EVEN_BIT0)) &
            EVEN_CARRY) != 0;
}

size_t etm_deframer_frames(struct etm_deframer *d, const uint8_t *bytes,
                           size_t n, uint64_t file)
{
    size_t at = 0, clear = 0;

    while (n - at >= ETM_FRAME_BYTES && d->status == ETM_OK) {
        size_t k;

        if (clear == at)
            clear += etm_deframer_clear(d, bytes + at, n - at, file + at);
        if (clear == at) {
            /* synchronization is no frame, whatever it looks like */
            if (!may_have_sync(d, bytes + at))
                etm_deframer_doubt(d, bytes + at);
            break;
        }
        k = etm_deframer_mixed(d, bytes + at, clear - at, file + at);
        at += k;
        k = plain_frames(d, bytes + at, clear - at, file + at);
        at += k * ETM_FRAME_BYTES;
        if (k != 0 || at == clear)
            continue;
        if (may_have_sync(d, bytes + at))
            break;
        if (etm_deframer_strange(d, bytes + at, d->id, file + at)) {
            etm_deframer_doubt(d, bytes + at);
            break;
        }
        take_frame(d, bytes + at, true, (struct stand){file + at, NULL});
        at += ETM_FRAME_BYTES;
    }
    etm_deframer_remember(d, bytes, at);
    return at;
}

bool etm_deframer_start(struct etm_deframer *d,
                        const struct etm_deframer_start *start)
{
    struct etm_deframer old = *d;

    if (start->id >= ETM_ID_RESERVED)
        return false;
    *d = (struct etm_deframer){.allocator = old.allocator,
                               .layout = old.layout,
                               .want = old.want,
                               .uncounted = old.uncounted,
                               .stream = old.stream,
                               .runs = old.runs,
                               .events = old.events,
                               .held = old.held,
                               .past = old.past,
                               .ahead = true,
                               .id = start->id,
                               .sink = sink_of(d, start->id),
                               .offset = start->file,
                               .ones = start->ones};
    d->stream.n = d->runs.n = d->events.n = d->held.n = d->past.n = 0;
    d->counts.frames = 1;
    etm_deframer_know(d);
    return true;
}

/* Are all IDs known that the deframer ahead has met, and nothing else there? */
static bool is_expected(const struct etm_deframer *d,
                        const struct etm_deframer *ahead)
{
    for (unsigned i = 1; i < sizeof d->strange; i += 2)
        if (d->strange[i] != 0 && ahead->strange[i] == 0)
            return false;
    return !ahead->moved;
}

bool etm_deframer_exchange(struct etm_deframer *d,
                           const struct etm_deframer_start *start,
                           struct etm_deframer *other)
{
    struct etm_deframer before = *d;
    struct etm_frame_run *runs = other->runs.data;

    if (d->status != ETM_OK || other->status != ETM_OK || !d->taken ||
        d->id != start->id || d->offset != start->file ||
        d->ones != start->ones || d->gap || d->barrier != 0 || d->fill != 0 ||
        d->pending != 0 || d->blank_frames != 0 || d->counts.frames == 0 ||
        !etm_deframer_untroubled(d) || !is_expected(d, other))
        return false;
    for (size_t i = 0; i < other->runs.n; i++)
        runs[i].stream += before.made;
    etm_deframer_remember(&before, other->past.data, other->past.n);
    *d = *other;
    d->made += before.made;
    d->ahead = before.ahead;
    d->calm = before.calm;
    d->quiet = before.quiet;
    d->in_vain = before.in_vain;
    d->learned = before.learned;
    d->past = before.past;
    d->status = before.status;
    memcpy(d->strange, before.strange, sizeof d->strange);
    before.past = other->past;
    *other = before;
    return true;
}
