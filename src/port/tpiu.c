/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where frames begin: synchronization packets, captures that begin in the
 * middle of a frame, and frames that were cut short.
 *
 * A full synchronization is ff ff ff 7f, between frames; a halfword
 * synchronization is ff 7f, between halfwords (CoreSight Architecture
 * Specification, "Trace Formatter"; CoreSight TRM, DDI 0314H, 8.12). Both work
 * because trace ID 0x7f is not used: no even byte of a frame is ff, therefore a
 * frame has no three consecutive bytes ff, and a full synchronization is
 * recognized even if the frames are not.
 */
#include "port/frame.h"

#include "base/size.h"

#include <string.h>

void etm_deframer_init(struct etm_deframer *d, enum etm_frame_layout layout,
                       uint8_t id, const struct etm_allocator *allocator)
{
    *d = (struct etm_deframer){
        .allocator = etm_allocator_or_default(allocator),
        .layout = layout == ETM_FRAME_ALIGNED ? layout : ETM_FRAME_TPIU,
        .blocks = layout == ETM_FRAME_DSTREAM,
        .want = id,
        .id = ETM_ID_UNKNOWN,
        .sink = ETM_SINK_COUNT,
        .searching = layout != ETM_FRAME_ALIGNED,
    };
    etm_vec_init(&d->stream, sizeof(uint8_t), allocator);
    etm_vec_init(&d->runs, sizeof(struct etm_frame_run), allocator);
    etm_vec_init(&d->events, sizeof(struct etm_frame_event), allocator);
    etm_vec_init(&d->held, sizeof(uint8_t), allocator);
    etm_vec_init(&d->past, 1, allocator);
    etm_deframer_know(d);
}

void etm_deframer_fini(struct etm_deframer *d)
{
    etm_vec_fini(&d->stream);
    etm_vec_fini(&d->runs);
    etm_vec_fini(&d->events);
    etm_vec_fini(&d->held);
    etm_vec_fini(&d->past);
}

void etm_deframer_begin(struct etm_deframer *d, unsigned missing)
{
    d->from = d->fill = (uint8_t)missing;
}

/*
 * Blocks of a DSTREAM. The bytes that are no trace are removed first; only
 * offsets count them, and d->offset is never that of such a byte.
 */

void etm_deframer_begin_block(struct etm_deframer *d, unsigned at)
{
    d->begun = d->in_block = (uint16_t)at;
    if (at >= ETM_BLOCK_TRACE)
        d->offset += ETM_BLOCK_BYTES - at;
}

/* Bytes of trace from d->offset to the end of the block; otherwise `n`. */
static size_t up_to_end(const struct etm_deframer *d, size_t n)
{
    size_t left;

    if (!d->blocks)
        return n;
    left = ETM_BLOCK_TRACE - (size_t)((d->offset + d->begun) % ETM_BLOCK_BYTES);
    return n < left ? n : left;
}

/* Bytes from d->offset on before one that is wrong, whose frame is collected
 * byte by byte; otherwise `n`. */
static size_t up_to_wrong(struct etm_deframer *d, size_t n)
{
    uint64_t next = d->offset + d->wrong_from;

    for (; d->n_wrong != 0 && d->wrong[0] < next; d->n_wrong--)
        d->wrong++;
    return d->n_wrong != 0 && d->wrong[0] - next < n
               ? (size_t)(d->wrong[0] - next)
               : n;
}

/* Advance by `n` bytes of trace, which end in this block. */
static void advance(struct etm_deframer *d, size_t n)
{
    d->offset += n;
    if (d->blocks &&
        (d->offset + d->begun) % ETM_BLOCK_BYTES == ETM_BLOCK_TRACE)
        d->offset += ETM_BLOCK_BYTES - ETM_BLOCK_TRACE;
}

/* Offset of the byte of trace that is `n` bytes (up to 3) before d->offset. */
static uint64_t back(const struct etm_deframer *d, unsigned n)
{
    bool over = d->blocks && (d->offset + d->begun) % ETM_BLOCK_BYTES < n;

    return d->offset - n - (over ? ETM_BLOCK_BYTES - ETM_BLOCK_TRACE : 0);
}

/* Hold the frame that was collected, with the halfword synchronization in it.
 */
static void hold_frame(struct etm_deframer *d)
{
    static const uint8_t half_sync[] = {0xff, 0x7f};

    d->offset = d->file[0];
    for (unsigned i = 0; i < ETM_FRAME_BYTES && d->status == ETM_OK; i++) {
        while (d->offset < d->file[i] && d->status == ETM_OK) {
            d->status = etm_vec_append(&d->held, half_sync, sizeof half_sync);
            advance(d, 1);
            advance(d, 1);
        }
        if (d->status == ETM_OK)
            d->status = etm_vec_append(&d->held, &d->frame[i], 1);
        advance(d, 1);
    }
    d->offset = d->file[0];
    etm_deframer_doubt(d, d->frame);
}

/* The next byte of the frame that is being collected. */
static void collect(struct etm_deframer *d, uint8_t byte, uint64_t file)
{
    d->frame[d->fill] = byte;
    d->file[d->fill] = file;
    if (++d->fill < ETM_FRAME_BYTES)
        return;
    d->fill = 0;
    if (d->from == 0) {
        if (d->pending == 0 &&
            (etm_deframer_clear(d, d->frame, ETM_FRAME_BYTES, d->file[0]) ==
                 0 ||
             etm_deframer_strange(d, d->frame, d->id, d->file[0]))) {
            hold_frame(d);
            return;
        }
        etm_deframer_frame(d, d->frame, d->file);
        etm_deframer_remember(d, d->frame, ETM_FRAME_BYTES);
        return;
    }
    /* The rest of a frame that began before the capture: without its first
     * bytes it is not known to which source these data belong. */
    d->counts.bytes[ETM_ID_UNKNOWN] += ETM_FRAME_BYTES - d->from;
    d->stretch_file = d->file[d->from];
    d->stretch_n += ETM_FRAME_BYTES - d->from;
    d->from = 0;
}

/* Frames are known to begin again here: what was collected is no frame. */
static void drop_partial(struct etm_deframer *d)
{
    bool any = d->fill > d->from;
    uint64_t file = any ? d->file[d->from] : d->offset;
    uint64_t n = any ? (uint64_t)d->fill - d->from : 0;

    etm_deframer_bad(d, file, n);
    etm_deframer_forget_id(d, d->offset);
    d->fill = 0;
    d->from = 0;
}

/*
 * A full synchronization ends with the byte at d->offset. In a stream without
 * damage its three bytes ff are the pending ones and stand between frames;
 * otherwise some of them have been taken for the end of a frame.
 */
static void full_sync(struct etm_deframer *d)
{
    unsigned taken = 3u - d->pending;

    d->counts.full_syncs++;
    if (d->fill != 0 || taken != 0) {
        d->fill = (uint8_t)(d->fill > taken ? d->fill - taken : 0);
        drop_partial(d);
    }
    d->pending = 0;
    d->ones = 0;
    if (d->layout != ETM_FRAME_ALIGNED || d->barrier == 4)
        return;
    if (++d->barrier == 4) {
        uint64_t file = d->offset + 1 - 16;

        if (d->counts.frames != 0)
            d->gap = true;
        etm_deframer_forget_id(d, d->offset + 1);
        etm_deframer_event(d, ETM_FRAME_BARRIER, file, 16, 0);
    }
}

/* May a synchronization packet begin at this byte? */
static bool may_begin_sync(const struct etm_deframer *d)
{
    return d->layout == ETM_FRAME_TPIU ? d->fill % 2 == 0 : d->fill == 0;
}

/*
 * The pending bytes ff begin no synchronization: the first one is a damaged ID
 * byte, the second one data; the third one may begin another.
 */
static void release_pending(struct etm_deframer *d)
{
    for (unsigned i = 0; i < 3 && d->pending != 0; i++) {
        if (i == 2 && may_begin_sync(d))
            return;
        collect(d, 0xff, back(d, d->pending));
        d->pending--;
    }
}

/* d->ones after one more byte. */
static uint8_t ones_after(const struct etm_deframer *d, uint8_t byte)
{
    if (byte != 0xff)
        return 0;
    return d->ones < 3 ? (uint8_t)(d->ones + 1) : 3;
}

/* Take one byte at d->offset, with all checks. */
static void one_byte(struct etm_deframer *d, uint8_t byte)
{
    bool tpiu = d->layout == ETM_FRAME_TPIU;
    unsigned ones = d->ones;

    d->ones = ones_after(d, byte);
    if (byte == 0x7f && (d->pending == 3 || (tpiu && ones == 3))) {
        full_sync(d);
        return;
    }
    if (byte == 0x7f && d->pending == 1 && tpiu) {
        d->counts.half_syncs++;
        d->pending = 0;
        return;
    }
    while (d->pending != 0 && (byte != 0xff || d->pending == 3))
        release_pending(d);
    if (byte == 0xff && (d->pending != 0 || may_begin_sync(d)))
        d->pending++;
    else
        collect(d, byte, d->offset);
}

static size_t search(struct etm_deframer *d, const uint8_t *bytes, size_t n);
static size_t hold(struct etm_deframer *d, const uint8_t *bytes, size_t n);

/* Take bytes of the capture, when it is known where frames begin. */
static void use(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    size_t i = 0;

    while (i < n && d->status == ETM_OK) {
        if (d->doubting) {
            i += hold(d, bytes + i, n - i);
            continue;
        }
        if (d->fill == 0 && d->pending == 0) {
            size_t right = up_to_wrong(d, n - i);
            size_t k = etm_deframer_frames(d, bytes + i, up_to_end(d, right),
                                           d->offset);

            i += k;
            advance(d, k);
            if (k != 0)
                d->ones = bytes[i - 1] == 0xff;
            if (d->doubting)
                continue;
            if (i == n)
                return;
        }
        one_byte(d, bytes[i++]);
        if (!d->doubting)
            advance(d, 1);
    }
}

/* How many bytes there are before the full synchronization that ends `held`:
 * halfword ones are aligned to the same halfwords. */
static size_t bytes_before(const uint8_t *held, size_t n)
{
    size_t sync = n - 4, count = sync & 1;

    for (size_t i = sync & 1; i < sync; i += 2) {
        if (held[i] != 0xff || held[i + 1] != 0x7f)
            count += 2;
    }
    return count;
}

/* `before` bytes of another frame come before the next one. */
static void begin_frames(struct etm_deframer *d, size_t before)
{
    before %= ETM_FRAME_BYTES;
    d->from = (uint8_t)((ETM_FRAME_BYTES - before) % ETM_FRAME_BYTES);
    d->fill = d->from;
}

static bool has_id(const uint8_t *bytes, size_t n, uint8_t id)
{
    return n != 0 && memchr(bytes, id << 1 | 1, n) != NULL;
}

/* May the wanted source have had data in these bytes, or in the frame before
 * them, in which something may be wrong already? `id` is probably in force
 * behind them. */
static bool may_be_ours(const struct etm_deframer *d, const uint8_t *bytes,
                        size_t n, uint8_t id)
{
    const uint8_t in_force[] = {d->id, id, etm_frame_id_before(&d->past)};
    size_t frame = d->past.n < ETM_FRAME_BYTES ? 0 : ETM_FRAME_BYTES;

    for (size_t i = 0; i < sizeof in_force; i++)
        if (in_force[i] == d->want || in_force[i] == ETM_ID_UNKNOWN)
            return true;
    return has_id(bytes, n, d->want) ||
           has_id((const uint8_t *)d->past.data + d->past.n - frame, frame,
                  d->want);
}

/* `n` bytes are in no frame; those before and behind them are. */
static void skip(struct etm_deframer *d, const uint8_t *bytes, size_t n,
                 uint8_t id)
{
    bool ours = may_be_ours(d, bytes, n, id), gap = d->gap;
    uint64_t lost = d->lost;

    d->counts.moved++;
    etm_deframer_bad(d, d->offset, n);
    if (!ours) {
        d->gap = gap;
        d->lost = lost;
    }
    for (; n != 0; n--)
        advance(d, 1);
    etm_deframer_forget_id(d, d->offset);
    etm_deframer_assume_id(d, id);
    d->fill = d->from = d->pending = 0;
}

/* What else than A-syncs shows where the frames in the bytes held begin?
 * *first: how many bytes of another frame there are before them, as A-syncs
 * show, and then these signs, if they do. */
static int find_stretches(const struct etm_vec *held, uint8_t *first,
                          struct etm_vec *stretches)
{
    const struct etm_frame_stretch *s;
    size_t n = held->n;
    int status;

    status = etm_frame_tpiu_stretches(held->data, &n, stretches);
    s = stretches->data;
    if (status == ETM_OK && (s->begin != 0 || stretches->n > 1))
        *first = (uint8_t)s->begin;
    return status;
}

/*
 * Frames begin after the full synchronization that ends the bytes held, if
 * `found`: count back from it to the beginning. Without one, frames are found
 * by their contents (E-370).
 */
static int search_stream(struct etm_deframer *d, const struct etm_vec *held,
                         bool found, struct etm_vec *stretches)
{
    size_t before = found ? bytes_before(held->data, held->n) : 0;
    uint8_t first;
    int status = ETM_OK;

    if (!found) {
        (void)etm_frame_tpiu_phase(held->data, held->n, &first);
        status = find_stretches(held, &first, stretches);
        before = first;
    }
    begin_frames(d, before);
    return status;
}

/* Take the first `n` of the bytes held as the stretches say, which begin with
 * number `from`, and what follows on its own. */
static void use_held(struct etm_deframer *d, const struct etm_vec *held,
                     const struct etm_vec *stretches, size_t from, size_t n)
{
    const struct etm_frame_stretch *s = stretches->data;
    static const uint8_t none = 0;
    const uint8_t *bytes = held->n != 0 ? held->data : &none;
    size_t at = 0;

    d->ones = 0;
    d->calm = UINT64_MAX;
    for (size_t i = from; i < stretches->n && d->status == ETM_OK; i++) {
        use(d, bytes + at, s[i].end_before - at);
        at = s[i].end_before;
        skip(d, bytes + at, s[i].begin - at, s[i].id);
        at = s[i].begin;
    }
    use(d, bytes + at, n - at);
    d->calm = d->offset + d->rest;
    d->rest = 0;
    use(d, bytes + n, held->n - n);
}

static void end_search(struct etm_deframer *d, bool found)
{
    struct etm_vec held = d->held, stretches;
    int status;

    d->searching = false;
    etm_vec_init(&d->held, sizeof(uint8_t), &d->allocator);
    etm_vec_init(&stretches, sizeof(struct etm_frame_stretch), &d->allocator);
    status = search_stream(d, &held, found, &stretches);
    if (status != ETM_OK)
        d->status = status;
    use_held(d, &held, &stretches, 1,
             stretches.n > 1 ? ((const struct etm_frame_stretch *)
                                    stretches.data)[stretches.n - 1]
                                   .begin
                             : 0);
    etm_vec_fini(&stretches);
    etm_vec_fini(&held);
}

/* The bytes held are enough, or all there are: do they say where frames
 * begin? */
static void end_doubt(struct etm_deframer *d, bool end)
{
    struct etm_vec held, stretches;
    size_t done;
    int status;

    etm_vec_init(&stretches, sizeof(struct etm_frame_stretch), &d->allocator);
    status = etm_deframer_judge(d, end, &stretches, &done);
    if (status != ETM_OK)
        d->status = status;
    if (status == ETM_OK && done != 0) {
        held = d->held;
        d->doubting = false;
        etm_vec_init(&d->held, sizeof(uint8_t), &d->allocator);
        use_held(d, &held, &stretches, 0, done);
        etm_vec_fini(&held);
    }
    etm_vec_fini(&stretches);
}

/* Another doubt may begin in what was held: then the rest is held again. */
static void settle(struct etm_deframer *d, bool end)
{
    d->settling = true;
    while (d->doubting && d->status == ETM_OK &&
           (d->held.n >= d->wanted || end))
        end_doubt(d, end && d->held.n <= d->wanted);
    d->settling = false;
}

/* Hold bytes until they are as many as are wanted. Returns their number. */
static size_t hold(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    if (!d->settling && n > d->wanted - d->held.n)
        n = d->wanted - d->held.n;
    if (etm_vec_append(&d->held, bytes, n) != ETM_OK)
        d->status = ETM_ERR_MEMORY;
    else if (!d->settling && d->held.n >= d->wanted)
        settle(d, false);
    return n;
}

/* Returns the number of bytes taken. */
static size_t search(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    size_t most = ETM_FRAME_SEARCH - d->held.n, i;
    bool found = false;

    if (n > most)
        n = most;
    for (i = 0; i < n && !found; i++) {
        found = bytes[i] == 0x7f && d->ones == 3;
        d->ones = ones_after(d, bytes[i]);
    }
    if (etm_vec_append(&d->held, bytes, i) != ETM_OK)
        d->status = ETM_ERR_MEMORY;
    else if (found || i == most)
        end_search(d, found);
    return i;
}

/* Forget what the caller has taken. */
static void begin_call(struct etm_deframer *d)
{
    if (d->taken)
        d->stream.n = d->runs.n = d->events.n = 0;
    d->taken = false;
}

/* Bytes of trace. */
static void push(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    size_t taken = 0;

    if (n != 0 && d->searching && d->status == ETM_OK)
        taken = search(d, bytes, n);
    if (taken < n)
        use(d, bytes + taken, n - taken);
}

/* Bytes of blocks: a piece of trace, or of what is not trace. */
static size_t push_piece(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    bool trace = d->in_block < ETM_BLOCK_TRACE;
    size_t left = (trace ? ETM_BLOCK_TRACE : ETM_BLOCK_BYTES) - d->in_block;

    n = n < left ? n : left;
    if (trace)
        push(d, bytes, n);
    d->in_block = (uint16_t)((d->in_block + n) % ETM_BLOCK_BYTES);
    return n;
}

int etm_deframer_push(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    if (d == NULL || d->finished || (bytes == NULL && n != 0))
        return ETM_ERR_ARGUMENT;
    begin_call(d);
    if (!d->blocks)
        push(d, bytes, n);
    for (size_t i = 0; d->blocks && i < n && d->status == ETM_OK;)
        i += push_piece(d, bytes + i, n - i);
    return d->status;
}

int etm_deframer_finish(struct etm_deframer *d)
{
    if (d == NULL || d->finished)
        return ETM_ERR_ARGUMENT;
    begin_call(d);
    if (d->searching)
        end_search(d, false);
    settle(d, true);
    d->finished = true;
    /* Half a synchronization is no damage, half a frame is. */
    if (d->fill != 0) {
        uint64_t n = (uint64_t)d->fill - d->from + d->pending;

        etm_deframer_bad(d, n > d->pending ? d->file[d->from] : d->offset, n);
    }
    etm_deframer_close(d);
    return d->status;
}

void etm_deframer_take(struct etm_deframer *d, struct etm_deframed *made)
{
    if (d->taken)
        d->stream.n = d->runs.n = d->events.n = 0;
    d->taken = true;
    *made = (struct etm_deframed){
        .bytes = d->stream.data,
        .n_bytes = d->stream.n,
        .runs = d->runs.data,
        .n_runs = d->runs.n,
        .events = d->events.data,
        .n_events = d->events.n,
        .lost = d->gap ? d->lost : 0,
    };
}

const struct etm_frame_counts *etm_deframer_counts(const struct etm_deframer *d)
{
    return &d->counts;
}

static bool is_layout(enum etm_frame_layout layout)
{
    return layout == ETM_FRAME_ALIGNED || layout == ETM_FRAME_TPIU ||
           layout == ETM_FRAME_DSTREAM;
}

int etm_deframer_new(struct etm_deframer **deframer,
                     const struct etm_deframer_config *config)
{
    struct etm_deframer_config own;
    struct etm_allocator allocator;
    int status;

    if (deframer == NULL)
        return ETM_ERR_ARGUMENT;
    *deframer = NULL;
    status = ETM_TAKE(etm_deframer_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (!is_layout(config->layout) || config->id >= ETM_ID_SYNC ||
        config->id == ETM_ID_TRIGGER)
        return ETM_ERR_ARGUMENT;
    allocator = etm_allocator_or_default(config->allocator);
    *deframer = etm_alloc_zero(&allocator, sizeof **deframer);
    if (*deframer == NULL)
        return ETM_ERR_MEMORY;
    etm_deframer_init(*deframer, config->layout, config->id, &allocator);
    return ETM_OK;
}

void etm_deframer_free(struct etm_deframer *d)
{
    struct etm_allocator allocator;

    if (d == NULL)
        return;
    allocator = d->allocator;
    etm_deframer_fini(d);
    etm_alloc_free(&allocator, d);
}

int etm_frame_survey(struct etm_frame_counts *counts,
                     enum etm_frame_layout layout, const uint8_t *bytes,
                     size_t n, const struct etm_allocator *allocator)
{
    struct etm_deframer d;
    int status;

    if (counts == NULL || !is_layout(layout))
        return ETM_ERR_ARGUMENT;
    etm_deframer_init(&d, layout, ETM_ID_NULL, allocator);
    d.fixed = true;
    status = etm_deframer_push(&d, bytes, n);
    if (status == ETM_OK)
        status = etm_deframer_finish(&d);
    *counts = d.counts;
    etm_deframer_fini(&d);
    return status;
}

/*
 * If there are blocks, the eight additional bytes of each would put the next
 * full synchronization into the middle of a frame; if there are none, leaving
 * out eight bytes would. So only one of the two readings shows damage.
 */
int etm_frame_blocks(const uint8_t *bytes, size_t n,
                     const struct etm_allocator *allocator, bool *blocks)
{
    struct etm_frame_counts plain, in_blocks;
    int status;

    *blocks = false;
    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    status = etm_frame_survey(&plain, ETM_FRAME_TPIU, bytes, n, allocator);
    if (status == ETM_OK && plain.bad > ETM_FRAME_BYTES) {
        status = etm_frame_survey(&in_blocks, ETM_FRAME_DSTREAM, bytes, n,
                                  allocator);
        *blocks = status == ETM_OK && plain.bad / 2 > in_blocks.bad;
    }
    return status;
}

int etm_frame_synchronized(const uint8_t *bytes, size_t n,
                           const struct etm_allocator *allocator, bool *is)
{
    enum { HALF_SYNCS = 4, TIMES_BETTER = 4 };
    struct etm_frame_counts aligned, tpiu;
    int status;

    *is = false;
    n = n < ETM_PHASE_BYTES ? n : ETM_PHASE_BYTES;
    status = etm_frame_survey(&aligned, ETM_FRAME_ALIGNED, bytes, n, allocator);
    if (status == ETM_OK && aligned.bad > ETM_FRAME_BYTES) {
        status = etm_frame_survey(&tpiu, ETM_FRAME_TPIU, bytes, n, allocator);
        *is = status == ETM_OK && tpiu.half_syncs >= HALF_SYNCS &&
              aligned.bad / TIMES_BETTER > tpiu.bad;
    }
    return status;
}

size_t etm_bypass_size(const uint8_t *bytes, size_t n)
{
    size_t end = n;

    while (end != 0 && bytes[end - 1] == 0)
        end--;
    return end != 0 && bytes[end - 1] == 0x01 ? end - 1 : n;
}
