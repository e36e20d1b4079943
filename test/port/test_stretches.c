/* SPDX-License-Identifier: Apache-2.0 */
/* Frames without A-syncs, among which bytes were lost or added (doc/errata.md,
 * E-611). */
#include "framer_support.h"

#include "port/frame.h"

#define ID_ITM 0x01
#define PACKETS 1500u

/* The trace of an ITM with long pauses, in which the formatter pads. */
static uint8_t *make_capture(enum etm_frame_layout layout, uint64_t seed,
                             size_t *n)
{
    struct etm_framer *f = new_framer((struct etm_framer_config){
        .layout = layout, .half_sync = layout == ETM_FRAME_TPIU ? 37 : 0});

    for (unsigned i = 0; i < PACKETS; i++) {
        const uint8_t sample[] = {0x17, (uint8_t)random_next(&seed),
                                  (uint8_t)random_next(&seed), 0, 8};
        const uint8_t text[] = {0x01,
                                (uint8_t)(0x41 + random_next(&seed) % 26)};

        if (random_next(&seed) % 2 != 0)
            assert_int_equal(etm_framer_push(f, ID_ITM, sample, sizeof sample),
                             ETM_OK);
        else
            assert_int_equal(etm_framer_push(f, ID_ITM, text, sizeof text),
                             ETM_OK);
        if (random_next(&seed) % 2 != 0)
            assert_int_equal(etm_framer_flush(f), ETM_OK);
    }
    return end_framer(f, n);
}

/* What remains of `n` bytes without `missing` of them at `at`, after `more`
 * random ones in their place. */
static uint8_t *change(const uint8_t *bytes, size_t n, size_t at,
                       unsigned missing, unsigned more)
{
    uint8_t *out = malloc(n + more);
    uint64_t random = n + more;

    assert_non_null(out);
    memcpy(out, bytes, at);
    for (unsigned i = 0; i < more; i++)
        out[at + i] = (uint8_t)random_next(&random);
    memcpy(out + at + more, bytes + at + missing, n - at - missing);
    return out;
}

/* Both streams end with the same bytes. */
static void assert_same_end(const struct made *a, const struct made *b,
                            size_t n)
{
    assert_in_range(n, 1,
                    a->stream.n < b->stream.n ? a->stream.n : b->stream.n);
    assert_memory_equal(a->stream.data + a->stream.n - n,
                        b->stream.data + b->stream.n - n, n);
}

static void follow(enum etm_frame_layout layout, size_t at, unsigned missing,
                   unsigned more)
{
    size_t n;
    uint8_t *bytes = make_capture(layout, 5 + missing + more, &n);
    uint8_t *changed = change(bytes, n, at, missing, more);
    struct made *whole = deframe(layout, ID_ITM, bytes, n);
    struct made *made = deframe(layout, ID_ITM, changed, n - missing + more);

    assert_int_equal(whole->counts.moved, 0);
    assert_int_equal(made->counts.moved, 1);
    assert_same_end(whole, made,
                    whole->stream.n - whole->stream.n * (at + 600) / n);
    made_free(made);
    made_free(whole);
    free(changed);
    free(bytes);
}

/* A TPIU's stream, at odd and even distances. */
static void a_tpiu_stream_goes_on_elsewhere(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 16; i++) {
        follow(ETM_FRAME_TPIU, 3000 + i, i, 0);
        follow(ETM_FRAME_TPIU, 3000 + i, 0, i);
    }
}

/* In memory some frames are read before it shows. */
static void memory_goes_on_elsewhere(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 16; i++) {
        follow(ETM_FRAME_ALIGNED, 3000 + i, i, 0);
        follow(ETM_FRAME_ALIGNED, 3000 + i, 0, i);
    }
}

/* The capture that showed it: two more bytes after the first two frames. */
static void two_frames_before_the_change_are_kept(void **state)
{
    static const uint8_t frame[16] = {
        0x03, 0x17, 0x08, 0x03, 0x00, 0x08, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x02};
    uint8_t bytes[34 + 16 * sizeof frame] = {0};
    struct made *m;

    (void)state;
    for (size_t i = 0; i < 18; i++)
        memcpy(bytes + i * sizeof frame + (i < 2 ? 0 : 2), frame, sizeof frame);
    bytes[33] = 0xff;
    m = deframe(ETM_FRAME_TPIU, ID_ITM, bytes, sizeof bytes);
    assert_int_equal(m->counts.frames, 18);
    assert_int_equal(m->counts.moved, 1);
    assert_int_equal(m->counts.bad, 2);
    assert_int_equal(m->stream.n, 18 * 5);
    for (size_t i = 0; i < m->stream.n; i += 5)
        assert_memory_equal(m->stream.data + i, "\x17\x09\x03\x00\x08", 5);
    made_free(m);
}

/* Memory that begins anywhere. */
static void padding_alone_tells_where_memory_begins(void **state)
{
    size_t n;
    uint8_t *bytes = make_capture(ETM_FRAME_ALIGNED, 3, &n);

    (void)state;
    for (unsigned cut = 0; cut < 16; cut++) {
        uint8_t first;

        assert_int_equal(etm_frame_phase(bytes + cut, n - cut, true, &first),
                         ETM_PHASE_KNOWN);
        assert_int_equal(first, (16 - cut) % 16);
    }
    free(bytes);
}

static void pieces_make_no_difference(void **state)
{
    static const enum etm_frame_layout layouts[] = {ETM_FRAME_TPIU,
                                                    ETM_FRAME_ALIGNED};
    static const size_t steps[] = {1, 7, 16, 333, 4096};

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        size_t n;
        uint8_t *bytes = make_capture(layouts[k], 9, &n);
        uint8_t *once = change(bytes, n, 2000, 3, 0);
        uint8_t *twice = change(once, n - 3, 9000, 0, 6);
        struct made *whole = deframe(layouts[k], ID_ITM, twice, n + 3);

        assert_int_equal(whole->counts.moved, 2);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            struct made *made =
                deframe_in_steps(layouts[k], ID_ITM, twice, n + 3, 5, steps[i]);

            assert_same(whole, made);
            made_free(made);
        }
        made_free(whole);
        free(twice);
        free(once);
        free(bytes);
    }
}

/* Noise over frames moves nothing, however much. */
static void noise_moves_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        size_t n, from, to;
        enum etm_frame_layout layout =
            seed % 2 != 0 ? ETM_FRAME_TPIU : ETM_FRAME_ALIGNED;
        uint8_t *bytes = make_capture(layout, seed, &n);
        struct made *whole = deframe(layout, ID_ITM, bytes, n), *made;
        uint64_t random = seed;

        from = n / 8;
        to = from + n / 16 * seed;
        for (size_t i = from; i < to && i < n / 2; i++)
            bytes[i] = (uint8_t)(random_next(&random) % 255);
        made = deframe(layout, ID_ITM, bytes, n);
        assert_same_end(whole, made, whole->stream.n / 3);
        made_free(made);
        made_free(whole);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tpiu_stream_goes_on_elsewhere),
        cmocka_unit_test(memory_goes_on_elsewhere),
        cmocka_unit_test(two_frames_before_the_change_are_kept),
        cmocka_unit_test(padding_alone_tells_where_memory_begins),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(noise_moves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
