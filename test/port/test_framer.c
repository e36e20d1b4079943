/* SPDX-License-Identifier: Apache-2.0 */
/* The formatter's other direction, and both together. */
#include "port_support.h"

static struct etm_framer *new_framer(struct etm_framer_config config)
{
    struct etm_framer *f;

    config.size = sizeof config;
    assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
    return f;
}

static void assert_output(struct etm_framer *f, const uint8_t *expected,
                          size_t n)
{
    const uint8_t *bytes;
    size_t got;

    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &got);
    assert_int_equal(got, n);
    if (n != 0)
        assert_memory_equal(bytes, expected, n);
    etm_framer_free(f);
}

static void a_change_on_an_odd_byte_is_announced_before_it(void **state)
{
    static const uint8_t frame[] = {0x21, 0xa1, 0xa2, 0xa3, 0x23, 0xa5,
                                    0xb0, 0x01, 0x01, 0xb3, 0,    0,
                                    0,    0,    0,    0x1e};
    struct etm_framer *f = new_framer((struct etm_framer_config){0});

    (void)state;
    assert_int_equal(
        etm_framer_push(f, 0x10, (const uint8_t *)"\xa1\xa3\xa3\xa5", 4),
        ETM_OK);
    assert_int_equal(
        etm_framer_push(f, 0x11, (const uint8_t *)"\xb1\x01\xb3", 3), ETM_OK);
    assert_output(f, frame, sizeof frame);
}

static void a_change_on_an_odd_byte_can_repeat_the_old_id(void **state)
{
    static const uint8_t frame[] = {
        0x21, 0xa1, 0x21, 0xa2, 0x23, 0xb1, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct etm_framer *f =
        new_framer((struct etm_framer_config){.no_deferred_id = true});

    (void)state;
    assert_int_equal(etm_framer_push(f, 0x10, (const uint8_t *)"\xa1\xa2", 2),
                     ETM_OK);
    assert_int_equal(etm_framer_push(f, 0x11, (const uint8_t *)"\xb1", 1),
                     ETM_OK);
    /* Padding after 0xb1 begins on an even byte. */
    assert_output(f, frame, sizeof frame);
}

static void a_change_on_byte_14_leaves_an_id_at_the_end(void **state)
{
    static const uint8_t frames[] = {
        0x21, 1, 2,    3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0x23, 0x00,
        2,    3, 0x01, 4, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,    0x02};
    struct etm_framer *f = new_framer((struct etm_framer_config){0});

    (void)state;
    assert_int_equal(
        etm_framer_push(
            f, 0x10, (const uint8_t *)"\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c\x0d",
            13),
        ETM_OK);
    assert_int_equal(etm_framer_push(f, 0x11, (const uint8_t *)"\2\3\4", 3),
                     ETM_OK);
    assert_output(f, frames, sizeof frames);
}

static void syncs_stand_where_they_are_asked_for(void **state)
{
    static const uint8_t bytes[] = {
        0xff, 0xff, 0xff, 0x7f, 0x21, 1,    2,    2,    0xff, 0x7f, 0x01, 3,
        0,    0,    0xff, 0x7f, 0,    0,    0,    0,    0xff, 0x7f, 0,    0,
        0,    0x04, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0x21, 4,    0x01, 0,
        0xff, 0x7f, 0,    0,    0,    0,    0xff, 0x7f, 0,    0,    0,    0,
        0xff, 0x7f, 0,    0,    0,    0,    0xff, 0x7f};
    struct etm_framer *f = new_framer((struct etm_framer_config){
        .layout = ETM_FRAME_TPIU, .full_sync = 1, .half_sync = 2});

    (void)state;
    assert_int_equal(etm_framer_push(f, 0x10, (const uint8_t *)"\1\2\2\3", 4),
                     ETM_OK);
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    assert_int_equal(etm_framer_push(f, 0x10, (const uint8_t *)"\4", 1),
                     ETM_OK);
    assert_output(f, bytes, sizeof bytes);
}

static void the_id_is_repeated_for_those_who_begin_late(void **state)
{
    uint8_t data[15 * 30];
    const uint8_t *bytes;
    size_t n;
    struct etm_framer *f = new_framer((struct etm_framer_config){0});

    (void)state;
    memset(data, 0x42, sizeof data);
    assert_int_equal(etm_framer_push(f, 0x10, data, sizeof data), ETM_OK);
    etm_framer_take(f, &bytes, &n);
    assert_true(n >= 16 * 29);
    for (size_t i = 0; i < n; i += 16)
        assert_int_equal(bytes[i], i % (16 * 8) == 0 ? 0x21 : 0x42);
    etm_framer_free(f);
}

static void nothing_gives_nothing(void **state)
{
    (void)state;
    assert_output(new_framer((struct etm_framer_config){0}), NULL, 0);
}

static void misuse_is_refused(void **state)
{
    struct etm_framer_config config = {.size = sizeof config, .full_sync = 1};
    struct etm_framer *f;

    (void)state;
    assert_int_equal(etm_framer_new(&f, &config), ETM_ERR_ARGUMENT);
    assert_null(f);
    config.full_sync = 0;
    config.half_sync = 1;
    assert_int_equal(etm_framer_new(&f, &config), ETM_ERR_ARGUMENT);
    config.half_sync = 0;
    config.size--;
    assert_int_equal(etm_framer_new(&f, &config), ETM_ERR_ARGUMENT);
    f = new_framer((struct etm_framer_config){0});
    assert_int_equal(etm_framer_push(f, 0x7f, (const uint8_t *)"", 1),
                     ETM_ERR_ARGUMENT);
    etm_framer_free(f);
    etm_framer_free(NULL);
}

/* Sources of a random capture, and what each of them sent. */
static const uint8_t ids[] = {0x01, 0x10, 0x13, 0x6f, ETM_ID_TRIGGER};
#define N_IDS 5u

struct random_capture {
    struct etm_framer_config config;
    uint8_t *bytes;
    size_t n;
    struct bytes sent[N_IDS];
};

static struct random_capture random_capture(uint64_t *seed, size_t pieces)
{
    struct random_capture c = {0};
    struct etm_framer *f;
    const uint8_t *bytes;

    if (random_next(seed) % 2 != 0) {
        c.config.layout = ETM_FRAME_TPIU;
        c.config.full_sync = random_next(seed) % 6;
        c.config.half_sync = random_next(seed) % 12;
    }
    c.config.repeat_id = random_next(seed) % 10;
    c.config.no_deferred_id = random_next(seed) % 3 == 0;
    f = new_framer(c.config);
    for (size_t i = 0; i < pieces; i++) {
        unsigned which = random_next(seed) % N_IDS;
        unsigned n = random_next(seed) % (random_next(seed) % 4 ? 6 : 60);
        /* Few values, so that 00, 7f and ff meet in every position. */
        bool few = random_next(seed) % 2 != 0;

        for (unsigned k = 0; k < n; k++) {
            static const uint8_t rare[] = {0x00, 0x7f, 0xff, 0xfe};
            uint8_t value = (uint8_t)random_next(seed);

            if (few)
                value = rare[value % 4];
            bytes_add(&c.sent[which], value, 0);
            assert_int_equal(etm_framer_push(f, ids[which], &value, 1), ETM_OK);
        }
        if (random_next(seed) % 50 == 0)
            assert_int_equal(etm_framer_flush(f), ETM_OK);
    }
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &c.n);
    c.bytes = malloc(c.n + 1);
    assert_non_null(c.bytes);
    if (c.n != 0)
        memcpy(c.bytes, bytes, c.n);
    etm_framer_free(f);
    return c;
}

static void random_capture_free(struct random_capture *c)
{
    free(c->bytes);
    for (unsigned i = 0; i < N_IDS; i++)
        bytes_free(&c->sent[i]);
}

static void every_source_comes_back_as_it_was_sent(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        struct random_capture c = random_capture(&seed, 100);

        for (unsigned i = 0; i < N_IDS - 1; i++) {
            struct made *m = deframe(c.config.layout, ids[i], c.bytes, c.n);
            struct bytes slow = slow_deframe(
                c.bytes, c.n, c.config.layout == ETM_FRAME_TPIU, ids[i]);

            assert_int_equal(m->stream.n, c.sent[i].n);
            if (m->stream.n != 0)
                assert_memory_equal(m->stream.data, c.sent[i].data,
                                    c.sent[i].n);
            assert_bytes_equal(&m->stream, &slow);
            assert_int_equal(m->n_gaps, 0);
            assert_int_equal(m->n_events, c.sent[N_IDS - 1].n);
            for (size_t k = 0; k < m->n_events; k++)
                assert_int_equal(m->events[k].value, c.sent[N_IDS - 1].data[k]);
            bytes_free(&slow);
            made_free(m);
        }
        random_capture_free(&c);
    }
}

static void any_cut_gives_the_same(void **state)
{
    uint64_t seed = 2;

    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        struct random_capture c = random_capture(&seed, 20);
        struct made *whole, *cut;

        /* Half of them damaged. */
        if (round % 2 != 0 && c.n != 0) {
            for (unsigned i = 0; i < 4; i++)
                c.bytes[random_next(&seed) % c.n] =
                    (uint8_t)(random_next(&seed) % 3 != 0 ? 0xff
                                                          : random_next(&seed));
        }
        whole = deframe(c.config.layout, 0x10, c.bytes, c.n);
        for (size_t at = 1; at < c.n; at++) {
            cut =
                deframe_in_steps(c.config.layout, 0x10, c.bytes, c.n, at, c.n);
            assert_same(whole, cut);
            made_free(cut);
        }
        for (size_t step = 1; step < 20; step++) {
            cut = deframe_in_steps(c.config.layout, 0x10, c.bytes, c.n, step,
                                   step);
            assert_same(whole, cut);
            made_free(cut);
        }
        made_free(whole);
        random_capture_free(&c);
    }
}

/* What stands in frames and under an ID that were seen from their start. */
static void a_tpiu_stream_may_begin_at_any_byte(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (unsigned round = 0; round < 30; round++) {
        struct random_capture c;
        struct bytes all;

        do {
            c = random_capture(&seed, 40);
            if (c.config.full_sync == 0)
                random_capture_free(&c);
        } while (c.config.full_sync == 0);
        all = slow_deframe(c.bytes, c.n, true, 0x10);
        for (size_t start = 0; start < c.n; start++) {
            struct made *m =
                deframe(ETM_FRAME_TPIU, 0x10, c.bytes + start, c.n - start);
            size_t skipped = all.n - m->stream.n, dropped, owned;
            bool later_sync = false;

            for (size_t i = start; i + 4 <= c.n; i++)
                later_sync |= memcmp(c.bytes + i, "\xff\xff\xff\x7f", 4) == 0;
            if (later_sync) {
                assert_true(m->stream.n <= all.n);
                for (size_t i = 0; i < m->stream.n; i++) {
                    assert_int_equal(m->stream.data[i], all.data[skipped + i]);
                    assert_int_equal(m->stream.place[i] + start,
                                     all.place[skipped + i]);
                }
                assert_int_equal(m->n_gaps, 0);
                /* Only what came before is missing, and what the stretch of
                 * unknown ID may have had of it. */
                dropped = (size_t)m->counts.bytes[ETM_ID_UNKNOWN];
                owned = 0;
                for (size_t i = 0; i < all.n; i++)
                    owned += all.place[i] >= start;
                assert_true(m->stream.n + dropped >= owned);
            }
            made_free(m);
        }
        bytes_free(&all);
        random_capture_free(&c);
    }
}

/* E-65 */
static void a_late_sync_corrects_a_wrong_beginning(void **state)
{
    const size_t frames = ETM_FRAME_SEARCH / 16 + 4;
    uint8_t *bytes = malloc(frames * 16 + 5 + 4 + 16);
    struct made *m;
    size_t n = 0;

    (void)state;
    assert_non_null(bytes);
    /* The last five bytes of a frame, and too many frames to hold back. */
    memset(bytes, 0x02, frames * 16 + 5);
    n = frames * 16 + 5;
    memcpy(bytes + n, "\xff\xff\xff\x7f", 4);
    n += 4;
    memcpy(bytes + n, "\x21\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c\x0d\x0e\0", 16);
    n += 16;
    m = deframe(ETM_FRAME_TPIU, 0x10, bytes, n);
    assert_int_equal(m->stream.n, 14);
    assert_int_equal(m->stream.place[0], n - 15);
    assert_int_equal(m->n_gaps, 1);
    assert_int_equal(m->lost, 5);
    assert_int_equal(m->n_events, 2);
    assert_int_equal(m->events[0].kind, ETM_FRAME_UNKNOWN);
    assert_int_equal(m->events[1].kind, ETM_FRAME_BAD);
    assert_int_equal(m->events[1].file, frames * 16);
    assert_int_equal(m->events[1].n, 5);
    made_free(m);
    free(bytes);
}

/* E-373: padding that is not 0, again and again, tells of bytes that were lost
 * where no full synchronization does. Twice. */
static void faults_tell_of_lost_bytes_without_synchronization(void **state)
{
    enum { PIECES = 900, CUTS = 2 };
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    struct etm_framer *f =
        new_framer((struct etm_framer_config){.layout = ETM_FRAME_TPIU});
    uint64_t random = 6;
    struct made *all, *m, *in_steps;
    const uint8_t *bytes;
    uint8_t *cut;
    size_t n, lost = 0, i, k;

    (void)state;
    for (unsigned p = 0; p < PIECES; p++) {
        uint8_t data[9];

        for (size_t j = 0; j < sizeof data; j++)
            data[j] = (uint8_t)(random_next(&random) | 1);
        if (p % 20 == 0)
            assert_int_equal(etm_framer_push(f, 0x10, a_sync, sizeof a_sync),
                             ETM_OK);
        assert_int_equal(etm_framer_push(f, 0x10, data, sizeof data), ETM_OK);
        assert_int_equal(etm_framer_flush(f), ETM_OK);
    }
    etm_framer_take(f, &bytes, &n);
    cut = malloc(n);
    assert_non_null(cut);
    for (i = 0, k = 0; i < n; i++) {
        bool gone = i % (n / (CUTS + 1)) < 1 + i / (n / 2) * 2 &&
                    i >= n / (CUTS + 1) && i < n / (CUTS + 1) * CUTS + 9;

        lost += gone;
        if (!gone)
            cut[k++] = bytes[i];
    }
    assert_in_range(lost, CUTS, 15);
    all = deframe(ETM_FRAME_TPIU, 0x10, bytes, n);
    m = deframe(ETM_FRAME_TPIU, 0x10, cut, n - lost);
    /* all of the last quarter is there, and nearly all of the rest */
    k = all->stream.n / 4;
    assert_true(m->stream.n > all->stream.n - all->stream.n / 20);
    assert_memory_equal(m->stream.data + m->stream.n - k,
                        all->stream.data + all->stream.n - k, k);
    assert_int_equal(m->n_gaps, CUTS);
    in_steps = deframe_in_steps(ETM_FRAME_TPIU, 0x10, cut, n - lost, 5, 333);
    assert_same(m, in_steps);
    made_free(in_steps);
    made_free(m);
    made_free(all);
    free(cut);
    etm_framer_free(f);
}

/* Bytes that were lost: up to the next sync, and not beyond it. */
static void lost_bytes_cost_no_more_than_up_to_the_next_sync(void **state)
{
    enum { FRAMES = 64, EVERY = 8 };
    uint8_t data[13 * FRAMES];
    const uint8_t *bytes;
    size_t n;
    struct etm_framer *f = new_framer((struct etm_framer_config){
        .layout = ETM_FRAME_TPIU, .full_sync = EVERY, .repeat_id = 1});

    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 2 % 0xfe);
    assert_int_equal(etm_framer_push(f, 0x10, data, sizeof data), ETM_OK);
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &n);
    for (size_t lose = 1; lose < 40; lose++) {
        /* After the third sync and before the fourth one. */
        size_t at = 2 * (EVERY * 16 + 4) + 4 + 30;
        size_t sync = 3 * (EVERY * 16 + 4);
        uint8_t *copy = malloc(n);
        struct made *m;
        size_t same = 0, after = 0;
        struct bytes all = slow_deframe(bytes, n, true, 0x10);

        assert_non_null(copy);
        memcpy(copy, bytes, at);
        memcpy(copy + at, bytes + at + lose, n - at - lose);
        m = deframe(ETM_FRAME_TPIU, 0x10, copy, n - lose);
        for (size_t i = 0; i < all.n; i++) {
            same += all.place[i] < at - 14;
            after += all.place[i] > sync;
        }
        assert_true(m->stream.n >= same + after);
        assert_memory_equal(m->stream.data, all.data, same);
        assert_memory_equal(m->stream.data + m->stream.n - after,
                            all.data + all.n - after, after);
        if (lose % 16 != 0) {
            assert_int_equal(m->n_gaps, 1);
            assert_int_equal(m->gaps[0], m->stream.n - after);
        }
        made_free(m);
        bytes_free(&all);
        free(copy);
    }
    etm_framer_free(f);
}

/*
 * One bit in an aligned capture: nothing before it changes, and nothing after
 * the next ID bytes.
 */
static void one_bit_costs_no_more_than_up_to_the_next_id(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (unsigned round = 0; round < 12; round++) {
        struct random_capture c = random_capture(&seed, 60);
        struct bytes all[N_IDS];

        if (c.config.layout != ETM_FRAME_ALIGNED) {
            random_capture_free(&c);
            continue;
        }
        for (unsigned i = 0; i < N_IDS - 1; i++)
            all[i] = slow_deframe(c.bytes, c.n, false, ids[i]);
        for (size_t bit = 0; bit < 8 * c.n; bit++) {
            size_t frame = bit / 128 * 16, good = frame + 16;
            unsigned seen = 0;

            /* Two ID bytes on, whichever was hit, all is as it was. */
            for (; good < c.n && seen == 0; good += 16) {
                for (unsigned k = 0; k < 15; k += 2)
                    seen |= c.bytes[good + k] & 1u;
            }
            c.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            for (unsigned i = 0; i < N_IDS - 1; i++) {
                struct made *m =
                    deframe(ETM_FRAME_ALIGNED, ids[i], c.bytes, c.n);
                size_t before = 0, after = 0;

                for (size_t k = 0; k < all[i].n; k++) {
                    before += all[i].place[k] < frame;
                    after += all[i].place[k] >= good;
                }
                assert_true(m->stream.n >= before + after);
                if (before != 0)
                    assert_memory_equal(m->stream.data, all[i].data, before);
                if (after != 0)
                    assert_memory_equal(m->stream.data + m->stream.n - after,
                                        all[i].data + all[i].n - after, after);
                made_free(m);
            }
            c.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (unsigned i = 0; i < N_IDS - 1; i++)
            bytes_free(&all[i]);
        random_capture_free(&c);
    }
}

/* Every byte of the capture turns up somewhere, whatever it is. */
static void noise_is_accounted_for(void **state)
{
    uint64_t seed = 6;

    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        uint8_t bytes[300];
        size_t n = random_next(&seed) % sizeof bytes;
        enum etm_frame_layout layout =
            round % 2 != 0 ? ETM_FRAME_TPIU : ETM_FRAME_ALIGNED;
        struct etm_frame_counts counts;
        struct made *m;
        uint64_t data = 0;

        for (size_t i = 0; i < n; i++) {
            bytes[i] = (uint8_t)random_next(&seed);
            if (random_next(&seed) % 3 == 0)
                bytes[i] = random_next(&seed) % 3 != 0 ? 0xff : 0x7f;
        }
        m = deframe(layout, 0x7f >> 2, bytes, n);
        assert_int_equal(etm_frame_survey(&counts, layout, bytes, n, NULL),
                         ETM_OK);
        for (unsigned id = 0; id <= ETM_ID_UNKNOWN; id++) {
            assert_int_equal(counts.bytes[id], m->counts.bytes[id]);
            data += counts.bytes[id];
        }
        assert_int_equal(m->stream.n, counts.bytes[0x7f >> 2]);
        assert_true(data <= n);
        assert_true(counts.frames <= n / 16);
        for (size_t i = 0; i < m->stream.n; i++)
            assert_int_equal(m->stream.data[i] & 0xfe,
                             bytes[m->stream.place[i]] & 0xfe);
        made_free(m);
    }
}

/* E-64 */
static void after_lost_bytes_the_id_is_not_known(void **state)
{
    static const uint8_t bytes[] = {
        0xff, 0xff, 0xff, 0x7f, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
        14, 0,
        /* a frame of which six bytes are left, in the middle an ID byte */
        0x23, 1, 2, 3, 4, 5, 0xff, 0xff, 0xff, 0x7f,
        /* 0x10's, 0x11's, who knows? */
        0x40, 1, 2, 3, 0x21, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0};
    struct made *m = deframe(ETM_FRAME_TPIU, 0x10, bytes, sizeof bytes);

    (void)state;
    assert_int_equal(m->stream.n, 14 + 10);
    assert_int_equal(m->stream.place[14], 35);
    assert_int_equal(m->n_gaps, 1);
    assert_int_equal(m->gaps[0], 14);
    assert_int_equal(m->lost, 6 + 4);
    assert_int_equal(m->n_events, 2);
    assert_int_equal(m->events[0].kind, ETM_FRAME_BAD);
    assert_int_equal(m->events[0].file, 20);
    assert_int_equal(m->events[0].n, 6);
    assert_int_equal(m->events[1].kind, ETM_FRAME_UNKNOWN);
    assert_int_equal(m->events[1].file, 30);
    assert_int_equal(m->events[1].n, 4);
    made_free(m);
}

static void frames_of_zeros_keep_their_places_across_a_sync(void **state)
{
    uint8_t bytes[4 + 16 + 16 + 4 + 16 + 16] = {0xff, 0xff, 0xff, 0x7f, 0x21};
    struct bytes slow;
    struct made *m;

    (void)state;
    memcpy(bytes + 36, "\xff\xff\xff\x7f", 4);
    bytes[56] = 0x42;
    m = deframe(ETM_FRAME_TPIU, 0x10, bytes, sizeof bytes);
    slow = slow_deframe(bytes, sizeof bytes, true, 0x10);
    assert_int_equal(m->stream.n, 14 + 3 * 15);
    assert_bytes_equal(&m->stream, &slow);
    bytes_free(&slow);
    made_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_on_an_odd_byte_is_announced_before_it),
        cmocka_unit_test(a_change_on_an_odd_byte_can_repeat_the_old_id),
        cmocka_unit_test(a_change_on_byte_14_leaves_an_id_at_the_end),
        cmocka_unit_test(syncs_stand_where_they_are_asked_for),
        cmocka_unit_test(the_id_is_repeated_for_those_who_begin_late),
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(every_source_comes_back_as_it_was_sent),
        cmocka_unit_test(any_cut_gives_the_same),
        cmocka_unit_test(a_tpiu_stream_may_begin_at_any_byte),
        cmocka_unit_test(a_late_sync_corrects_a_wrong_beginning),
        cmocka_unit_test(after_lost_bytes_the_id_is_not_known),
        cmocka_unit_test(frames_of_zeros_keep_their_places_across_a_sync),
        cmocka_unit_test(faults_tell_of_lost_bytes_without_synchronization),
        cmocka_unit_test(lost_bytes_cost_no_more_than_up_to_the_next_sync),
        cmocka_unit_test(one_bit_costs_no_more_than_up_to_the_next_id),
        cmocka_unit_test(noise_is_accounted_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
