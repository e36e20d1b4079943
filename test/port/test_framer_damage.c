/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that were damaged, or whose beginning is not known. */
#include "framer_support.h"

#include "port/frame.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_sync_corrects_a_wrong_beginning),
        cmocka_unit_test(faults_tell_of_lost_bytes_without_synchronization),
        cmocka_unit_test(lost_bytes_cost_no_more_than_up_to_the_next_sync),
        cmocka_unit_test(one_bit_costs_no_more_than_up_to_the_next_id),
        cmocka_unit_test(noise_is_accounted_for),
        cmocka_unit_test(after_lost_bytes_the_id_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
