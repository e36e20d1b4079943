/* SPDX-License-Identifier: Apache-2.0 */
/* The formatter's other direction, and both together. */
#include "framer_support.h"

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
    f = new_framer((struct etm_framer_config){0});
    assert_int_equal(etm_framer_push(f, 0x7f, (const uint8_t *)"", 1),
                     ETM_ERR_ARGUMENT);
    etm_framer_free(f);
    etm_framer_free(NULL);
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
        cmocka_unit_test(frames_of_zeros_keep_their_places_across_a_sync),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
