/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streams of real captures, which are not part of the project: as they
 * are, as a narrow port would have carried them, and with one bit flipped.
 */
#include "port_support.h"
#include "realign_support.h"

#include <stdio.h>

static const struct {
    const char *name;
    enum etm_frame_layout layout;
    uint8_t id;
} sources[] = {
    {"tc2/cstrace.bin", ETM_FRAME_ALIGNED, 0x10},
    {"tc2/cstrace.bin", ETM_FRAME_ALIGNED, 0x11},
    {"tc2/cstrace.bin", ETM_FRAME_ALIGNED, 0x12},
    {"tc2/cstrace.bin", ETM_FRAME_ALIGNED, 0x13},
    {"snowball/cstrace.bin", ETM_FRAME_ALIGNED, 0x10},
    {"snowball/cstrace.bin", ETM_FRAME_ALIGNED, 0x11},
    {"stm32f105/trace.tpiu", ETM_FRAME_TPIU, 0x02},
};

#define N_SOURCES (sizeof sources / sizeof *sources)

/* A source's stream, or a skipped test. Free it. */
static struct made *stream_of(size_t source)
{
    const char *folder = getenv("ETM_SHARED");
    char path[4096];
    struct bytes capture = {0};
    struct made *made;
    FILE *file;
    int byte;

    snprintf(path, sizeof path, "%s/captures/%s",
             folder != NULL ? folder : "../shared", sources[source].name);
    file = fopen(path, "rb");
    if (file == NULL) {
        print_message("%s is missing: skipped\n", path);
        skip();
    }
    while ((byte = fgetc(file)) != EOF)
        bytes_add(&capture, (uint8_t)byte, 0);
    fclose(file);
    made = deframe(sources[source].layout, sources[source].id, capture.data,
                   capture.n);
    bytes_free(&capture);
    assert_true(made->stream.n > 100);
    return made;
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

static void streams_in_order_are_left_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SOURCES; i++) {
        struct made *made = stream_of(i);
        struct realigned *all =
            realign(made->stream.data, made->stream.n, 0, 100);

        assert_int_equal(all->n, made->stream.n);
        assert_memory_equal(all->bytes, made->stream.data, all->n);
        assert_int_equal(all->n_runs, 1);
        made_free(made);
    }
}

static void
streams_that_begin_within_a_byte_are_whole_from_their_a_sync(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SOURCES; i++) {
        struct made *made = stream_of(i);
        const uint8_t *stream = made->stream.data;
        size_t n = made->stream.n;
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
        made_free(made);
    }
}

/* Whatever a flipped bit makes of an A-sync or of what is not one, all is
 * right again from the A-sync after the next. */
static void one_flipped_bit_is_contained(void **state)
{
    uint64_t random = 14;
    unsigned moved = 0;

    (void)state;
    for (size_t i = 0; i < N_SOURCES; i++) {
        struct made *made = stream_of(i);
        uint8_t *stream = made->stream.data;
        size_t n = made->stream.n;

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
        made_free(made);
    }
    /* That a flipped bit looks like an A-sync is rare. */
    assert_true(moved < 150 * N_SOURCES / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_in_order_are_left_alone),
        cmocka_unit_test(
            streams_that_begin_within_a_byte_are_whole_from_their_a_sync),
        cmocka_unit_test(one_flipped_bit_is_contained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
