/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that are missing in memory (doc/errata.md, E-404). */
#include "framer_support.h"

#define TRACES 300u   /* with an A-sync and 300 bytes or so each */
#define AFTER 30000u  /* bytes of a capture in which frames must be found */
#define SUFFIX 20000u /* bytes of a stream at its end that must be right */

/* The trace of some sources, in turn: bytes like those of P-headers and of
 * branch packets, and A-syncs. */
static uint8_t *make_capture(unsigned sources, uint64_t seed, size_t *n)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    struct etm_framer *f = new_framer((struct etm_framer_config){0});

    for (unsigned i = 0; i < TRACES * sources; i++) {
        uint8_t trace[300], id = (uint8_t)(0x10 + i % sources);
        size_t length = 200 + random_next(&seed) % 100;

        for (size_t k = 0; k < length; k++) {
            uint32_t r = random_next(&seed);

            trace[k] = (uint8_t)(r % 4 != 0 ? 0x84 | (r >> 8 & 0x78) : r >> 8);
            trace[k] |= (trace[k] == 0);
        }
        assert_int_equal(etm_framer_push(f, id, a_sync, sizeof a_sync), ETM_OK);
        assert_int_equal(etm_framer_push(f, id, trace, length), ETM_OK);
    }
    return end_framer(f, n);
}

/* Both end with the same bytes. */
static bool same_end(const struct made *a, const struct made *b, size_t n)
{
    return a->stream.n >= n && b->stream.n >= n &&
           memcmp(a->stream.data + a->stream.n - n,
                  b->stream.data + b->stream.n - n, n) == 0;
}

/* Whatever the number of missing bytes, of one source and of several: frames go
 * on elsewhere at one place, where a single source has a gap, and a stretch
 * behind it everything is as it was. E-404 */
static void trace_goes_on_after_missing_bytes(void **state)
{
    (void)state;
    for (unsigned sources = 1; sources <= 3; sources += 2) {
        size_t n, at;
        uint8_t *bytes = make_capture(sources, sources, &n);
        struct made *whole = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, n);

        assert_true(n > 2 * (size_t)AFTER);
        assert_int_equal(whole->n_gaps, 0);
        at = n / 4 + 5;
        for (unsigned missing = 1; missing <= 32; missing++) {
            uint8_t *cut = malloc(n);
            struct made *made;

            assert_non_null(cut);
            memcpy(cut, bytes, at);
            memcpy(cut + at, bytes + at + missing, n - at - missing);
            made = deframe(ETM_FRAME_ALIGNED, 0x10, cut, n - missing);
            assert_true(same_end(whole, made, SUFFIX));
            assert_int_equal(made->counts.moved, missing % 16 != 0);
            if (sources == 1)
                assert_int_equal(made->n_gaps, missing % 16 != 0);
            made_free(made);
            free(cut);
        }
        made_free(whole);
        free(bytes);
    }
}

/* A dump that was joined to another one has additional bytes in between. */
static void trace_goes_on_after_additional_bytes(void **state)
{
    size_t n;
    uint8_t *bytes = make_capture(2, 7, &n);
    struct made *whole = deframe(ETM_FRAME_ALIGNED, 0x11, bytes, n);

    (void)state;
    for (unsigned more = 1; more < 16; more++) {
        uint8_t *joined = malloc(2 * n + more);
        struct made *made;

        assert_non_null(joined);
        memcpy(joined, bytes, n);
        memset(joined + n, 0, more);
        memcpy(joined + n + more, bytes, n);
        made = deframe(ETM_FRAME_ALIGNED, 0x11, joined, 2 * n + more);
        assert_true(same_end(whole, made, SUFFIX));
        assert_memory_equal(made->stream.data, whole->stream.data,
                            whole->stream.n);
        assert_true(made->counts.moved > 0);
        made_free(made);
        free(joined);
    }
    made_free(whole);
    free(bytes);
}

/* It does not depend on how many bytes are pushed at a time. */
static void pieces_make_no_difference(void **state)
{
    static const size_t steps[] = {1, 7, 16, 333, 4096, 65536};
    size_t n, left;
    uint8_t *bytes = make_capture(2, 3, &n);
    struct made *whole;

    (void)state;
    left = n;
    for (unsigned i = 1; i <= 3; i++) {
        size_t at = n / 4 * i - 9;

        memmove(bytes + at, bytes + at + 2 * i + 1, left - at - 2 * i - 1);
        left -= 2 * (size_t)i + 1;
    }
    whole = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, left);
    assert_int_equal(whole->counts.moved, 3);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct made *made =
            deframe_in_steps(ETM_FRAME_ALIGNED, 0x10, bytes, left, 5, steps[i]);

        assert_same(whole, made);
        made_free(made);
    }
    made_free(whole);
    free(bytes);
}

/* Noise over trace, where nothing is missing: behind it frames begin where they
 * did before, however often that was searched in vain. */
static void noise_moves_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        size_t n, at;
        uint8_t *bytes = make_capture(2, seed, &n);
        struct made *whole = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, n), *made;
        uint64_t random = seed;

        at = n / 8;
        for (size_t i = at; i < n / 2; i++)
            bytes[i] = (uint8_t)random_next(&random);
        made = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, n);
        assert_true(same_end(whole, made, SUFFIX));
        made_free(made);
        made_free(whole);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_goes_on_after_missing_bytes),
        cmocka_unit_test(trace_goes_on_after_additional_bytes),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(noise_moves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
