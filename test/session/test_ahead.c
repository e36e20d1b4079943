/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames that are taken apart many at a time, and by several threads, give what
 * they give byte by byte: whatever is in them.
 * ETM_TEST_ROUNDS=N makes N captures, ETM_TEST_SEED=N begins with another one.
 */
#include "../support/test.h"
#include "deframed.h"

#include "../support/scarce.h"
#include "../support/setting.h"
#include "../support/status.h"
#include "session/ahead.h"

#include <pthread.h>

#define FRAMES_MOST 3000u
#define CAPTURE_MOST (FRAMES_MOST * 24u)

/* Sources that are there; and one that is not. */
static const uint8_t sources[] = {0x10, 0x11, 0x20, 0x05};
static const uint8_t wanted[] = {0x10, 0x11, 0x05, 0x33, ETM_ID_NULL};

static uint8_t capture[CAPTURE_MOST];
static size_t n_bytes;
static unsigned long seed;
static struct etm_ahead_pieces pieces; /* of the test */

static uint64_t state;

static bool one_of(uint32_t n)
{
    return random_next(&state) % n == 0;
}

static uint8_t some_id(unsigned damage)
{
    if (damage != 0 && one_of(500 / damage))
        return (uint8_t)(random_next(&state) % 0x80);
    if (one_of(40)) /* data of the null source that are not 0 are damage */
        return damage != 0 && one_of(2) ? ETM_ID_NULL : ETM_ID_TRIGGER;
    return sources[random_next(&state) % sizeof sources];
}

/* A frame in which one of so many even bytes is an ID. */
static void put_frame(uint32_t ids, unsigned damage)
{
    uint8_t *p = capture + n_bytes;

    for (unsigned i = 0; i < ETM_FRAME_BYTES; i++)
        p[i] = (uint8_t)random_next(&state);
    for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2)
        p[i] = one_of(ids) ? (uint8_t)(some_id(damage) << 1 | 1) : p[i] & 0xfe;
    n_bytes += ETM_FRAME_BYTES;
}

static void put_odd(void)
{
    static const uint8_t sync[] = {0xff, 0xff, 0xff, 0x7f};
    uint32_t n = random_next(&state) % 100;

    switch (random_next(&state) % 4) {
    case 0: /* nothing was written there */
        memset(capture + n_bytes, 0, n * ETM_FRAME_BYTES);
        n_bytes += n * ETM_FRAME_BYTES;
        return;
    case 1:
        n_bytes -= n_bytes > n ? n : 0;
        return;
    case 2:
        memset(capture + n_bytes, 0xff, n % 40);
        n_bytes += n % 40;
        return;
    case 3:
        for (uint32_t i = 0; i < 1 + n % 5; i++, n_bytes += sizeof sync)
            memcpy(capture + n_bytes, sync, sizeof sync);
        return;
    }
}

/* Sources that change often or seldom, without and with damage. */
static void make_capture(unsigned long round)
{
    static const uint32_t ids[] = {6, 20, 60, 4, 1000, 2};
    unsigned damage = round % 3 == 0 ? 0 : round % 3 == 1 ? 1 : 20;

    seed = setting("ETM_TEST_SEED", 1) + round;
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    n_bytes = 0;
    while (n_bytes < FRAMES_MOST * ETM_FRAME_BYTES) {
        put_frame(ids[round % (sizeof ids / sizeof *ids)], damage);
        if (damage != 0 && one_of(800 / damage))
            put_odd();
    }
}

static struct made *new_made(void)
{
    struct made *m = calloc(1, sizeof *m);

    assert_non_null(m);
    return m;
}

static void take(struct made *m, struct etm_deframer *d)
{
    struct etm_deframed out;

    etm_deframer_take(d, &out);
    made_add(m, &out);
}

static void finish(struct made *m, struct etm_deframer *d)
{
    struct etm_deframed out;

    OK(etm_deframer_finish(d));
    etm_deframer_take(d, &out);
    made_add(m, &out);
    m->lost += out.lost;
    m->counts = d->counts;
    etm_deframer_fini(d);
}

/* In pieces; those of a byte never take the fast path. */
static struct made *in_pieces(enum etm_frame_layout layout, uint8_t id,
                              unsigned missing, size_t piece, bool uncounted)
{
    struct made *m = new_made();
    struct etm_deframer d;

    etm_deframer_init(&d, layout, id, NULL);
    d.uncounted = uncounted;
    if (missing != 0)
        etm_deframer_begin(&d, missing);
    for (size_t at = 0; at < n_bytes; at += piece) {
        size_t n = n_bytes - at < piece ? n_bytes - at : piece;

        OK(etm_deframer_push(&d, capture + at, n));
        take(m, &d);
    }
    finish(m, &d);
    return m;
}

static struct made *by_threads(uint8_t id, unsigned missing, size_t piece,
                               unsigned jobs)
{
    struct etm_ahead_config config = {
        .bytes = capture,
        .end = n_bytes,
        .first = (ETM_FRAME_BYTES - missing) % ETM_FRAME_BYTES,
        .id = id,
        .jobs = jobs,
        .piece = piece,
    };
    struct made *m = new_made();
    struct etm_ahead *ahead;
    struct etm_deframer d;

    etm_deframer_init(&d, ETM_FRAME_ALIGNED, id, NULL);
    d.uncounted = true;
    if (missing != 0)
        etm_deframer_begin(&d, missing);
    OK(etm_ahead_new(&ahead, &config));
    for (size_t at = 0; at < n_bytes;) {
        size_t before = at;

        OK(etm_ahead_next(ahead, &d, &at));
        assert_true(at > before);
        assert_true(at <= n_bytes);
        take(m, &d);
    }
    pieces.good += etm_ahead_pieces(ahead).good;
    pieces.bad += etm_ahead_pieces(ahead).bad;
    etm_ahead_free(ahead);
    finish(m, &d);
    return m;
}

/* Memory that only one thread gets, and that fails once for it; the others get
 * some of the time, if `others`. */
struct miser {
    pthread_mutex_t lock;
    pthread_t reader;
    unsigned others; /* each so many-th call of theirs succeeds; 0: none */
    unsigned asked;  /* by them */
    struct faulty memory;
};

static void *miser_resize(void *context, void *old, size_t size)
{
    struct miser *m = context;
    void *memory = NULL;

    pthread_mutex_lock(&m->lock);
    if (size == 0 || pthread_equal(pthread_self(), m->reader)) {
        memory = faulty_resize(&m->memory, old, size);
    } else if (m->others != 0 && ++m->asked % m->others == 0) {
        m->memory.calls--;
        memory = faulty_resize(&m->memory, old, size);
    }
    pthread_mutex_unlock(&m->lock);
    return memory;
}

static int all_of(struct etm_ahead *ahead, struct made *m,
                  struct etm_deframer *d)
{
    int status = ETM_OK;

    for (size_t at = 0; at < n_bytes && status == ETM_OK;) {
        status = etm_ahead_next(ahead, d, &at);
        if (status == ETM_OK)
            take(m, d);
    }
    return status;
}

/* NULL: memory was short for the one that reads. */
static struct made *with_a_miser(struct miser *miser, size_t piece)
{
    struct etm_allocator allocator = {miser_resize, miser};
    struct etm_ahead_config config = {.bytes = capture,
                                      .end = n_bytes,
                                      .id = 0x10,
                                      .jobs = 3,
                                      .piece = piece,
                                      .allocator = &allocator};
    struct made *m = new_made();
    struct etm_ahead *ahead = NULL;
    struct etm_deframer d;
    int status;

    etm_deframer_init(&d, ETM_FRAME_ALIGNED, 0x10, &allocator);
    d.uncounted = true;
    status = etm_ahead_new(&ahead, &config);
    if (status == ETM_OK)
        status = all_of(ahead, m, &d);
    etm_ahead_free(ahead);
    if (status == ETM_OK) {
        finish(m, &d);
    } else {
        assert_int_equal(status, ETM_ERR_MEMORY);
        etm_deframer_fini(&d);
        made_free(m);
        m = NULL;
    }
    assert_int_equal(miser->memory.live, 0);
    return m;
}

static void compare(const struct made *right, struct made *m)
{
    if (right->stream.n != m->stream.n || right->n_gaps != m->n_gaps ||
        right->n_events != m->n_events || right->lost != m->lost)
        fail_msg("ETM_TEST_SEED=%lu: %zu bytes, %zu gaps, %zu events, %llu "
                 "lost; right are %zu, %zu, %zu, %llu",
                 seed, m->stream.n, m->n_gaps, m->n_events,
                 (unsigned long long)m->lost, right->stream.n, right->n_gaps,
                 right->n_events, (unsigned long long)right->lost);
    assert_bytes_equal(&right->stream, &m->stream);
    assert_memory_equal(right->gaps, m->gaps, m->n_gaps * sizeof *m->gaps);
    for (size_t i = 0; i < m->n_events; i++) {
        const struct etm_frame_event *a = &right->events[i], *b = &m->events[i];

        assert_true(a->file == b->file && a->n == b->n && a->kind == b->kind &&
                    a->value == b->value);
    }
    made_free(m);
}

TEST(many_frames_at_a_time_are_as_byte_by_byte)
{
    static const enum etm_frame_layout layouts[] = {ETM_FRAME_ALIGNED,
                                                    ETM_FRAME_TPIU};

    for (unsigned long i = 0; i < setting("ETM_TEST_ROUNDS", 12); i++) {
        make_capture(i);
        for (size_t k = 0; k < 2 * sizeof wanted; k++) {
            enum etm_frame_layout layout = layouts[k % 2];
            uint8_t id = wanted[k / 2];
            struct made *right = in_pieces(layout, id, 0, 1, false);
            struct made *counted = in_pieces(layout, id, 0, 4801, false);

            assert_memory_equal(&right->counts, &counted->counts,
                                sizeof right->counts);
            compare(right, counted);
            compare(right, in_pieces(layout, id, 0, 33333, true));
            made_free(right);
        }
    }
}

/* How many pieces threads get before the one that reads goes by luck. */
TEST(threads_give_what_one_gives)
{
    const unsigned long rounds = setting("ETM_TEST_ROUNDS", 12);

    pieces = (struct etm_ahead_pieces){0, 0};
    for (unsigned long i = 0;
         i < rounds || (pieces.good == 0 && i < 100 * rounds); i++) {
        make_capture(i);
        for (size_t k = 0; k < sizeof wanted; k++) {
            unsigned missing = (unsigned)(i + k) % 3 * 5;
            struct made *right =
                in_pieces(ETM_FRAME_ALIGNED, wanted[k], missing, 1, false);

            compare(right, by_threads(wanted[k], missing, 16, 2));
            compare(right, by_threads(wanted[k], missing, 480, 3));
            compare(right, by_threads(wanted[k], missing, 4096, 5));
            compare(right, by_threads(wanted[k], missing, 0, 2));
            made_free(right);
        }
    }
    assert_true(pieces.good > 0);
}

TEST(hardly_anything_is_done_twice_without_damage)
{
    uint64_t good = 0;

    for (unsigned i = 0; i < 12 || (good == 0 && i < 12000); i += 3) {
        struct made *right;

        make_capture(i % 12);
        pieces = (struct etm_ahead_pieces){0, 0};
        right = in_pieces(ETM_FRAME_ALIGNED, 0x10, 0, 1, false);
        compare(right, by_threads(0x10, 0, 4096, 3));
        made_free(right);
        /* but where an ID that nobody sees before, or a trigger, is in force */
        assert_in_range(pieces.bad, 0, 2);
        good += pieces.good;
    }
    assert_true(good > 0);
}

TEST(memory_may_be_short)
{
    struct made *right;
    bool failed = false, passed = false;

    make_capture(1);
    right = in_pieces(ETM_FRAME_ALIGNED, 0x10, 0, 1, false);
    for (unsigned i = 0; i < 60; i++) {
        struct miser miser = {.reader = pthread_self(),
                              .others = i % 4,
                              .memory = {.fail_at = i / 4 % 2 * (1 + i / 8)}};
        struct made *m;

        (void)pthread_mutex_init(&miser.lock, NULL);
        m = with_a_miser(&miser, 16u << i % 9);
        (void)pthread_mutex_destroy(&miser.lock);
        failed = failed || m == NULL;
        passed = passed || m != NULL;
        assert_true(m != NULL || miser.memory.fail_at != 0);
        if (m != NULL)
            compare(right, m);
    }
    assert_true(failed && passed);
    made_free(right);
}
