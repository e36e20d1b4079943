/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streams of real captures, which are not part of the project: as they
 * are, as a narrow port would have carried them, and with one bit flipped.
 */
#include "../support/test.h"
#include "realign_support.h"

#include "../support/capture.h"
#include "../support/xorshift.h"

static const char *const names[] = {
    "tc2/0x10",      "tc2/0x11",      "tc2/0x12",    "tc2/0x13",
    "snowball/0x10", "snowball/0x11", "stm32f105/2",
};
#define N_NAMES (sizeof names / sizeof *names)

/* A source's stream, or a skipped test. */
static struct etm_test_stream stream_of(size_t i)
{
    struct etm_test_capture capture;
    struct etm_test_stream stream;

    if (!etm_test_open(etm_test_source(names[i]), &capture))
        skip();
    stream = capture.stream;
    capture.stream = (struct etm_test_stream){0};
    etm_test_close(&capture);
    return stream;
}

/* Where the first A-sync at or after `at` begins; n: there is none. */
static size_t next_a_sync(const uint8_t *bytes, size_t n, size_t at)
{
    for (; at + 6 <= n; at++) {
        if (memcmp(bytes + at, "\0\0\0\0\0\x80", 6) == 0)
            return at;
    }
    return n;
}

TEST(streams_in_order_are_left_alone)
{
    for (size_t i = 0; i < N_NAMES; i++) {
        struct etm_test_stream made = stream_of(i);
        struct realigned *all = realign(made.bytes, made.n, 0, 100);

        assert_int_equal(all->n, made.n);
        assert_memory_equal(all->bytes, made.bytes, all->n);
        assert_int_equal(all->n_runs, 1);
        etm_test_stream_free(&made);
    }
}

TEST(streams_that_begin_within_a_byte_are_whole_from_their_a_sync)
{
    for (size_t i = 0; i < N_NAMES; i++) {
        struct etm_test_stream made = stream_of(i);
        const uint8_t *stream = made.bytes;
        size_t n = made.n;
        /* One at the very beginning loses a part of itself. */
        size_t first = next_a_sync(stream, n, 1);

        for (unsigned bits = 1; bits < 8; bits++) {
            uint8_t *shifted = calloc(1, n);
            struct realigned *all;
            size_t left = n - first - 1;

            assert_non_null(shifted);
            copy_bits(shifted, 0, stream, bits, 8 * n - bits);
            all = realign(shifted, n, 0, 100);
            assert_true(first == n ||
                        all->runs[all->n_runs - 1].bit == 8 - bits);
            if (first != n) {
                uint64_t from = all->runs[all->n_runs - 1].stream;

                assert_true(all->n - from >= left);
                assert_memory_equal(all->bytes + from, stream + first, left);
            }
            free(shifted);
        }
        etm_test_stream_free(&made);
    }
}

/* Whatever a flipped bit makes of an A-sync or of what is not one, all is
 * right again from the A-sync after the next. */
TEST(one_flipped_bit_is_contained)
{
    uint64_t random = 14;
    unsigned moved = 0;

    for (size_t i = 0; i < N_NAMES; i++) {
        struct etm_test_stream made = stream_of(i);
        uint8_t *stream = made.bytes;
        size_t n = made.n;

        for (unsigned k = 0; k < 150; k++) {
            size_t at = random_next(&random) % n;
            uint8_t bit = (uint8_t)(1u << random_next(&random) % 8);
            size_t next = next_a_sync(stream, n, at + 1);
            struct realigned *all;

            stream[at] ^= bit;
            all = realign(stream, n, 0, n);
            moved += all->n_runs > 1;
            if (next != n) {
                assert_true(all->n >= n - next);
                assert_memory_equal(all->bytes + all->n - (n - next),
                                    stream + next, n - next);
            } else {
                assert_true(all->n_runs >= 1);
            }
            stream[at] ^= bit;
        }
        etm_test_stream_free(&made);
    }
    /* That a flipped bit looks like an A-sync is rare. */
    assert_true(moved < 150 * N_NAMES / 100);
}
