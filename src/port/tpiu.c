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
}

void etm_deframer_fini(struct etm_deframer *d)
{
    etm_vec_fini(&d->stream);
    etm_vec_fini(&d->runs);
    etm_vec_fini(&d->events);
    etm_vec_fini(&d->held);
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

/* The next byte of the frame that is being collected. */
static void collect(struct etm_deframer *d, uint8_t byte, uint64_t file)
{
    d->frame[d->fill] = byte;
    d->file[d->fill] = file;
    if (++d->fill < ETM_FRAME_BYTES)
        return;
    d->fill = 0;
    if (d->from == 0) {
        unsigned faults = d->watching ? etm_frame_faults(d->frame, d->id) : 0;

        etm_deframer_look(d, d->frame, file + 1);
        etm_deframer_frame(d, d->frame, d->file);
        for (; faults != 0; faults--)
            etm_deframer_fault(d);
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
    d->watching = false;
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

/* Take one byte at d->offset, with all checks. */
static void one_byte(struct etm_deframer *d, uint8_t byte)
{
    bool tpiu = d->layout == ETM_FRAME_TPIU;
    unsigned ones = d->ones;

    d->ones = (uint8_t)(byte != 0xff ? 0 : ones < 3 ? ones + 1 : 3);
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

/* Take bytes of the capture, when it is known where frames begin. */
static void use(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    size_t i = 0;

    while (i < n && d->status == ETM_OK) {
        bool between = d->fill == 0 && d->pending == 0;

        if (between && etm_deframer_troubled(d, d->offset)) {
            d->searching = true;
            d->ones = 0;
        }
        if (d->searching) {
            i += search(d, bytes + i, n - i);
            continue;
        }
        if (between && !d->watching) {
            size_t right = up_to_wrong(d, n - i);
            size_t most = etm_deframer_look_ahead(d, bytes + i, right);
            size_t k = etm_deframer_frames(d, bytes + i, up_to_end(d, most),
                                           d->offset);

            i += k;
            advance(d, k);
            if (k != 0)
                d->ones = bytes[i - 1] == 0xff;
            if (k != 0 && etm_deframer_troubled(d, d->offset))
                continue;
            if (i == n)
                return;
        }
        one_byte(d, bytes[i++]);
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

/* `before` bytes of another frame come before the next one. `moved`: frames
 * began elsewhere until now, and every source has a gap. */
static void begin_frames(struct etm_deframer *d, size_t before, bool moved)
{
    if (moved) {
        d->counts.moved++;
        etm_deframer_bad(d, d->offset, 1);
        etm_deframer_forget_id(d, d->offset);
    }
    before %= ETM_FRAME_BYTES;
    d->from = (uint8_t)((ETM_FRAME_BYTES - before) % ETM_FRAME_BYTES);
    d->fill = d->from;
}

/* `n` bytes are in no frame; those before and behind them are. */
static void skip(struct etm_deframer *d, size_t n)
{
    d->counts.moved++;
    etm_deframer_bad(d, d->offset, n);
    for (; n != 0; n--)
        advance(d, 1);
    etm_deframer_forget_id(d, d->offset);
    d->fill = d->from = d->pending = 0;
}

/* What else than A-syncs shows where the frames in the bytes held begin?
 * *first: how many bytes of another frame there are before them, as A-syncs
 * show, and then these signs, if they do. It is not looked for twice in the
 * same bytes. */
static int find_stretches(struct etm_deframer *d, const struct etm_vec *held,
                          uint8_t *first, struct etm_vec *stretches)
{
    const struct etm_frame_stretch *s;
    size_t n = held->n;
    int status;

    if (d->offset < d->followed)
        return ETM_OK;
    status = d->layout == ETM_FRAME_ALIGNED
                 ? etm_frame_stretches(held->data, &n, stretches)
                 : etm_frame_tpiu_stretches(held->data, &n, stretches);
    d->followed = d->offset + n;
    s = stretches->data;
    if (status == ETM_OK && (s->begin != 0 || stretches->n > 1))
        *first = (uint8_t)s->begin;
    return status;
}

/* Bytes may be missing in memory: where do frames begin in those held? */
static int search_memory(struct etm_deframer *d, const struct etm_vec *held,
                         struct etm_vec *stretches)
{
    uint8_t first;
    int status = ETM_OK;

    (void)etm_frame_phase(held->data, held->n, true, &first);
    if (first == 0)
        status = find_stretches(d, held, &first, stretches);
    if (status != ETM_OK)
        return status;
    etm_deframer_calm(d, first != 0 || stretches->n > 1);
    begin_frames(d, first, first != 0);
    return ETM_OK;
}

/*
 * Frames begin after the full synchronization that ends the bytes held, if
 * `found`: count back from it to the beginning. Without one, frames are found
 * by their contents (E-370). If this was done before, and the result is
 * different now, bytes are missing.
 */
static int search_stream(struct etm_deframer *d, const struct etm_vec *held,
                         bool found, struct etm_vec *stretches)
{
    bool again = d->watching;
    size_t before = found ? bytes_before(held->data, held->n) : 0;
    uint8_t first;
    int status = ETM_OK;

    if (!found) {
        (void)etm_frame_tpiu_phase(held->data, held->n, &first);
        status = find_stretches(d, held, &first, stretches);
        before = first;
    }
    d->trouble = 0;
    if (again && !found)
        etm_deframer_calm(d, before % ETM_FRAME_BYTES != 0 || stretches->n > 1);
    d->watching = !found;
    begin_frames(d, before, again && before % ETM_FRAME_BYTES != 0);
    return status;
}

/* Take bytes that were held. Behind the last place where frames go on elsewhere
 * another search may begin. */
static void use_held(struct etm_deframer *d, const struct etm_vec *held,
                     const struct etm_vec *stretches)
{
    const struct etm_frame_stretch *s = stretches->data;
    const uint8_t *bytes = held->data;
    size_t at = 0;

    if (stretches->n > 1)
        d->calm = d->offset + s[stretches->n - 1].begin;
    for (size_t i = 1; i < stretches->n && d->status == ETM_OK; i++) {
        use(d, bytes + at, s[i].end_before - at);
        at = s[i].end_before;
        skip(d, s[i].begin - at);
        at = s[i].begin;
    }
    if (at != held->n)
        use(d, bytes + at, held->n - at);
}

static void end_search(struct etm_deframer *d, bool found)
{
    struct etm_vec held = d->held, stretches;
    int status;

    d->searching = false;
    etm_vec_init(&d->held, sizeof(uint8_t), &d->allocator);
    etm_vec_init(&stretches, sizeof(struct etm_frame_stretch), &d->allocator);
    if (d->layout == ETM_FRAME_ALIGNED)
        status = search_memory(d, &held, &stretches);
    else
        status = search_stream(d, &held, found, &stretches);
    if (status != ETM_OK)
        d->status = status;
    d->ones = 0;
    use_held(d, &held, &stretches);
    etm_vec_fini(&stretches);
    etm_vec_fini(&held);
}

/* Returns the number of bytes taken. */
static size_t search(struct etm_deframer *d, const uint8_t *bytes, size_t n)
{
    size_t most = ETM_FRAME_SEARCH - d->held.n, i;
    bool memory = d->layout == ETM_FRAME_ALIGNED, found = false;

    if (n > most)
        n = most;
    for (i = 0; i < n && !found; i++) {
        found = bytes[i] == 0x7f && d->ones == 3 && !memory;
        d->ones = (uint8_t)(bytes[i] != 0xff ? 0
                            : d->ones < 3    ? d->ones + 1
                                             : 3);
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
    while (d->searching) /* a search may begin again in what was held */
        end_search(d, false);
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
