/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that does not begin with a frame (doc/errata.md, E-350), and the
 * stream of a TPIU without full synchronization (E-370). */
#include "framer_support.h"

#include "port/frame.h"

#define SIZE 20000u /* bytes of a capture, about */

/* Bytes like those of a trace, and an A-sync every 300 or so of them. */
static void push_trace(struct etm_framer *f, uint8_t id, uint64_t *random)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    unsigned n = 200 + random_next(random) % 200;

    assert_int_equal(etm_framer_push(f, id, a_sync, sizeof a_sync), ETM_OK);
    while (n > 0) {
        uint8_t bytes[24];
        size_t k = 1 + random_next(random) % sizeof bytes;

        k = k < n ? k : n;
        for (size_t i = 0; i < k; i++) {
            uint32_t r = random_next(random);

            /* zeros, but never five of them */
            bytes[i] = (uint8_t)(r % 5 == 0 && i % 4 != 3 ? 0 : (r >> 8) | 1);
        }
        assert_int_equal(etm_framer_push(f, id, bytes, k), ETM_OK);
        n -= (unsigned)k;
    }
}

/* A capture of two sources, with triggers; the caller frees it. */
static uint8_t *make_capture(uint64_t seed, size_t *n)
{
    struct etm_framer *f = new_framer((struct etm_framer_config){0});
    const uint8_t trigger = 0;

    for (unsigned i = 0; i < SIZE / 300; i++) {
        push_trace(f, i % 3 != 0 ? 0x10 : 0x11, &seed);
        assert_int_equal(etm_framer_push(f, ETM_ID_TRIGGER, &trigger, 1),
                         ETM_OK);
    }
    return end_framer(f, n);
}

static uint8_t phase_of(const uint8_t *bytes, size_t n)
{
    uint8_t first = 0xff;

    assert_int_equal(etm_frame_phase(bytes, n, true, &first), ETM_PHASE_KNOWN);
    return first;
}

/* E-350 */
static void frames_are_found_at_every_byte(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t n;
        uint8_t *bytes = make_capture(seed, &n);

        for (unsigned cut = 0; cut < 16; cut++)
            assert_int_equal(phase_of(bytes + cut, n - cut), (16 - cut) % 16);
        free(bytes);
    }
}

/* The half-words of frames with half-word synchronization among them, `many` of
 * 100 times, as often as it comes. frame_at[i]: where in its frame byte i
 * stands; -1: in none. */
static size_t add_half_syncs(const uint8_t *bytes, size_t n, unsigned many,
                             uint64_t seed, uint8_t *out, int *frame_at)
{
    size_t made = 0;

    for (size_t i = 0; i + 1 < n; i += 2) {
        while (random_next(&seed) % 100 < many) {
            frame_at[made] = frame_at[made + 1] = -1;
            out[made++] = 0xff;
            out[made++] = 0x7f;
        }
        frame_at[made] = (int)(i % 16);
        frame_at[made + 1] = (int)(i % 16) + 1;
        out[made++] = bytes[i];
        out[made++] = bytes[i + 1];
    }
    return made;
}

/* Bytes of a frame that stand before the next one, in what begins at `at`. The
 * second half of a half-word synchronization is a byte of what it cuts. */
static int bytes_before_frame(const int *frame_at, size_t at)
{
    bool within = frame_at[at] < 0 && at % 2 != 0;

    while (frame_at[at] < 0)
        at++;
    return (16 - frame_at[at] + within) % 16;
}

/* E-370 */
static void frames_of_a_tpiu_are_found_at_every_byte(void **state)
{
    static uint8_t stream[8 * SIZE];
    static int frame_at[8 * SIZE];

    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        size_t n;
        uint8_t *bytes = make_capture(seed, &n), first;

        n = add_half_syncs(bytes, n, (unsigned)(seed % 3) * 35, seed, stream,
                           frame_at);
        for (size_t cut = 0; cut < 40; cut++) {
            assert_int_equal(
                etm_frame_tpiu_phase(stream + cut, n - cut, &first),
                ETM_PHASE_KNOWN);
            assert_int_equal(first, bytes_before_frame(frame_at, cut));
            assert_int_equal(etm_frame_tpiu_likely(stream + cut, n - cut),
                             seed % 3 != 0);
        }
        free(bytes);
    }
}

/* A few bytes at a time, with padding up to the end of a frame: it is 0, as it
 * is not where flags are taken for it. There are two A-syncs. */
static void padding_tells_where_frames_begin(void **state)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    static uint8_t stream[8 * SIZE];
    static int frame_at[8 * SIZE];

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct etm_framer_config config = {.size = sizeof config};
        uint64_t random = seed;
        struct etm_framer *f;
        const uint8_t *bytes;
        uint8_t first;
        size_t n;

        assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
        for (unsigned i = 0; i < 240; i++) {
            uint8_t data[8];
            size_t k = 1 + random_next(&random) % sizeof data;

            for (size_t j = 0; j < k; j++)
                data[j] = (uint8_t)random_next(&random);
            if (i % 120 == 60)
                assert_int_equal(etm_framer_push(f, 2, a_sync, sizeof a_sync),
                                 ETM_OK);
            assert_int_equal(etm_framer_push(f, 1 + i % 2, data, k), ETM_OK);
            assert_int_equal(etm_framer_flush(f), ETM_OK);
        }
        etm_framer_take(f, &bytes, &n);
        n = add_half_syncs(bytes, n, seed % 2 == 0 ? 40 : 0, seed, stream,
                           frame_at);
        etm_framer_free(f);
        for (size_t cut = 0; cut < 40; cut++) {
            assert_int_equal(
                etm_frame_tpiu_phase(stream + cut, n - cut, &first),
                ETM_PHASE_KNOWN);
            assert_int_equal(first, bytes_before_frame(frame_at, cut));
        }
    }
}

/* One bit of 2000 is wrong, and later on bytes are missing. */
static void damage_does_not_hide_where_frames_begin(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed + 1000;
        size_t n;
        uint8_t *bytes = make_capture(seed, &n);

        for (size_t i = 0; i < n / 250; i++)
            bytes[random_next(&random) % n] ^=
                (uint8_t)(1u << random_next(&random) % 8);
        memmove(bytes + n / 10 * 9, bytes + n / 10 * 9 + 5, n / 10 - 5);
        n -= 5;
        for (unsigned cut = 0; cut < 16; cut++)
            assert_int_equal(phase_of(bytes + cut, n - cut), (16 - cut) % 16);
        free(bytes);
    }
}

/* So a pipe has the phase of a file. */
static void more_bytes_do_not_change_the_answer(void **state)
{
    size_t n;
    uint8_t *bytes = make_capture(7, &n);
    bool known = false;

    (void)state;
    for (size_t k = 0; k <= n - 5; k += 61) {
        uint8_t first;
        enum etm_phase phase = etm_frame_phase(bytes + 5, k, false, &first);

        if (known)
            assert_int_equal(phase, ETM_PHASE_KNOWN);
        if (phase == ETM_PHASE_MORE) {
            assert_int_equal(first, 0);
            continue;
        }
        assert_int_equal(first, 11);
        known = true;
    }
    assert_true(known);
    free(bytes);
}

/* Nothing speaks against the first byte: it stays. E-350 */
static void what_does_not_tell_begins_with_a_frame(void **state)
{
    static uint8_t bytes[2 * ETM_PHASE_BYTES];
    uint64_t random = 99;
    uint8_t first;

    (void)state;
    assert_int_equal(phase_of(bytes, 0), 0);
    assert_int_equal(phase_of(bytes, 15), 0);
    assert_int_equal(phase_of(bytes, sizeof bytes), 0);
    assert_int_equal(etm_frame_phase(bytes, ETM_PHASE_BYTES - 1, false, &first),
                     ETM_PHASE_MORE);
    assert_int_equal(etm_frame_phase(bytes, ETM_PHASE_BYTES, false, &first),
                     ETM_PHASE_KNOWN);
    /* data of one source, without an ID byte */
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 2 == 0 ? random_next(&random) & 0xfe
                                        : random_next(&random));
    bytes[0] = 0x21;
    assert_int_equal(phase_of(bytes, sizeof bytes), 0);
}

/* Data that would be an A-sync if a flag byte were one of its zeros do not
 * bring the true ones down: no phase but the first is taken. */
static void zeros_in_data_do_not_move_frames(void **state)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    struct etm_framer_config config = {.size = sizeof config};
    struct etm_framer *f;
    const uint8_t *bytes;
    uint64_t random = 5;
    uint8_t first;
    size_t n;

    (void)state;
    assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
    for (unsigned i = 0; i < 3000; i++) {
        uint8_t value[] = {
            0x62, 0, 0, 0, 0, 0x80, (uint8_t)(random_next(&random) | 1)};

        if (i % 50 == 0)
            assert_int_equal(etm_framer_push(f, 0x10, a_sync, sizeof a_sync),
                             ETM_OK);
        assert_int_equal(
            etm_framer_push(f, 0x10, value, 6 + random_next(&random) % 2),
            ETM_OK);
    }
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &n);
    (void)etm_frame_phase(bytes, n, true, &first);
    assert_int_equal(first, 0);
    etm_framer_free(f);
}

/* Reserved trace IDs, and nothing that shows where frames are. */
static void noise_is_doubtful(void **state)
{
    static uint8_t bytes[4096];
    uint64_t random = 3;
    uint8_t first;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(random_next(&random) | 1);
    assert_int_equal(etm_frame_phase(bytes, sizeof bytes, true, &first),
                     ETM_PHASE_DOUBT);
    assert_int_equal(first, 0);
    assert_int_equal(etm_frame_tpiu_phase(bytes, sizeof bytes, &first),
                     ETM_PHASE_DOUBT);
    assert_int_equal(first, 0);
    assert_int_equal(etm_frame_tpiu_phase(bytes, 0, &first), ETM_PHASE_KNOWN);
}

/* Bytes of ff, as many as a frame, have eight reserved trace IDs in every
 * phase: the other bytes tell where frames begin. */
static void a_frame_that_was_written_over_is_no_doubt(void **state)
{
    struct etm_framer_config config = {.size = sizeof config};

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct etm_framer *f;
        const uint8_t *made;
        uint64_t random = seed;
        uint8_t first;
        size_t n;

        assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
        push_trace(f, 0x10, &random);
        push_trace(f, 0x11, &random);
        assert_int_equal(etm_framer_flush(f), ETM_OK);
        etm_framer_take(f, &made, &n);
        for (size_t at = 0; at + 16 <= n; at++) {
            uint8_t bytes[1024];

            assert_true(n <= sizeof bytes);
            memcpy(bytes, made, n);
            memset(bytes + at, 0xff, 16);
            assert_int_equal(etm_frame_phase(bytes, n, true, &first),
                             ETM_PHASE_KNOWN);
            assert_int_equal(first, 0);
        }
        etm_framer_free(f);
    }
}

/* E-354: three A-syncs more than in any frames are not enough. */
static void few_a_syncs_do_not_tell_a_bypass(void **state)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};

    (void)state;
    for (unsigned many = 0; many < 2; many++) {
        static uint8_t bytes[4096];
        uint64_t random = 3;

        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random_next(&random) | 1);
        for (size_t i = 1; i <= (many ? 30u : 3u); i++)
            memcpy(bytes + 129 * i, a_sync, sizeof a_sync);
        assert_int_equal(etm_frame_unlikely(bytes, sizeof bytes), many);
    }
}

/* The bytes before the first frame are nobody's, and places are those of the
 * capture. */
static void a_cut_capture_gives_what_is_after_the_cut(void **state)
{
    size_t n, step;
    uint8_t *bytes = make_capture(3, &n);
    struct made *whole = deframe(ETM_FRAME_ALIGNED, 0x10, bytes + 16, n - 16);

    (void)state;
    for (unsigned cut = 1; cut < 16; cut++) {
        struct made made = {0};
        struct etm_deframed out;
        struct etm_deframer d;

        etm_deframer_init(&d, ETM_FRAME_ALIGNED, 0x10, NULL);
        etm_deframer_begin(&d, cut);
        for (size_t at = cut; at < n; at += step) {
            step = n - at < 1000 ? n - at : 1000;
            assert_int_equal(etm_deframer_push(&d, bytes + at, step), ETM_OK);
            etm_deframer_take(&d, &out);
            made_add(&made, &out);
        }
        assert_int_equal(etm_deframer_finish(&d), ETM_OK);
        etm_deframer_take(&d, &out);
        made_add(&made, &out);
        assert_int_equal(made.stream.n, whole->stream.n);
        assert_memory_equal(made.stream.data, whole->stream.data,
                            made.stream.n);
        for (size_t i = 0; i < made.stream.n; i++)
            assert_int_equal(made.stream.place[i],
                             whole->stream.place[i] + 16 - cut);
        assert_int_equal(made.n_gaps, whole->n_gaps);
        assert_int_equal(d.counts.bad, whole->counts.bad);
        assert_int_equal(d.counts.bytes[ETM_ID_UNKNOWN],
                         whole->counts.bytes[ETM_ID_UNKNOWN] + 16 - cut);
        bytes_free(&made.stream);
        etm_deframer_fini(&d);
    }
    made_free(whole);
    free(bytes);
}

/* E-353: each word of `word` bytes the other way round; the last stays if it is
 * not whole. */
static void swap_words(uint8_t *bytes, size_t n, size_t word)
{
    for (size_t i = 0; i + word <= n; i += word) {
        for (size_t k = 0; k < word / 2; k++) {
            uint8_t byte = bytes[i + k];

            bytes[i + k] = bytes[i + word - 1 - k];
            bytes[i + word - 1 - k] = byte;
        }
    }
}

static void swapped_words_are_found(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (unsigned word = 2; word <= 8; word *= 2) {
            size_t n;
            uint8_t *bytes = make_capture(seed, &n);

            /* also of what begins with another word of a frame */
            swap_words(bytes, n, word);
            for (size_t cut = 0; cut < 16; cut += word)
                assert_int_equal(
                    etm_frame_swapped(bytes + cut, n - cut, true, 0), word);
            free(bytes);
        }
    }
}

/* The stream of one source, without frames. */
static void swapped_words_of_a_stream_are_found(void **state)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    static uint8_t bytes[8192];
    uint64_t random = 5;

    (void)state;
    for (unsigned word = 2; word <= 8; word *= 2) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random_next(&random) >> 8 | 1);
        for (size_t i = 0; i + sizeof a_sync < sizeof bytes; i += 1021)
            memcpy(bytes + i, a_sync, sizeof a_sync);
        assert_int_equal(etm_frame_swapped(bytes, sizeof bytes, false, 0), 0);
        swap_words(bytes, sizeof bytes, word);
        assert_int_equal(etm_frame_swapped(bytes, sizeof bytes, false, 0),
                         word);
    }
}

static void nothing_else_counts_as_swapped(void **state)
{
    static uint8_t bytes[8192];
    uint64_t random = 77;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t n;
        uint8_t *capture = make_capture(seed, &n);

        for (size_t cut = 0; cut < 16; cut++)
            assert_int_equal(etm_frame_swapped(capture + cut, n - cut, true,
                                               (16 - cut) % 16),
                             0);
        free(capture);
    }
    assert_int_equal(etm_frame_swapped(bytes, 0, true, 0), 0);
    assert_int_equal(etm_frame_swapped(bytes, 7, false, 0), 0);
    assert_int_equal(etm_frame_swapped(bytes, sizeof bytes, true, 0), 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(random_next(&random) >> 8);
    assert_int_equal(etm_frame_swapped(bytes, sizeof bytes, true, 0), 0);
    assert_int_equal(etm_frame_swapped(bytes, sizeof bytes, false, 0), 0);
}

/* Bytes that a dump lost: after them no alignment is right for all of it, but
 * that is no sign of a formatter in bypass or of swapped words. */
static void missing_bytes_are_no_other_framing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t n;
        uint8_t *bytes = make_capture(seed, &n);

        for (size_t lost = 1; lost < 16; lost++) {
            size_t at = n / 5 + 7 * lost;

            n -= lost;
            memmove(bytes + at, bytes + at + lost, n - at);
            assert_false(etm_frame_unlikely(bytes, n));
            assert_int_equal(etm_frame_swapped(bytes, n, true, 0), 0);
        }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_found_at_every_byte),
        cmocka_unit_test(frames_of_a_tpiu_are_found_at_every_byte),
        cmocka_unit_test(padding_tells_where_frames_begin),
        cmocka_unit_test(damage_does_not_hide_where_frames_begin),
        cmocka_unit_test(more_bytes_do_not_change_the_answer),
        cmocka_unit_test(what_does_not_tell_begins_with_a_frame),
        cmocka_unit_test(zeros_in_data_do_not_move_frames),
        cmocka_unit_test(noise_is_doubtful),
        cmocka_unit_test(a_frame_that_was_written_over_is_no_doubt),
        cmocka_unit_test(few_a_syncs_do_not_tell_a_bypass),
        cmocka_unit_test(swapped_words_are_found),
        cmocka_unit_test(swapped_words_of_a_stream_are_found),
        cmocka_unit_test(nothing_else_counts_as_swapped),
        cmocka_unit_test(missing_bytes_are_no_other_framing),
        cmocka_unit_test(a_cut_capture_gives_what_is_after_the_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
