/* SPDX-License-Identifier: Apache-2.0 */
/* Where frames begin in small dumps, and in buffers that were filled with
 * something before (doc/errata.md, E-350). */
#include "port_support.h"

#include "port/frame.h"

static uint8_t phase_of(const uint8_t *bytes, size_t n)
{
    uint8_t first = 0xff;

    assert_int_equal(etm_frame_phase(bytes, n, true, &first), ETM_PHASE_KNOWN);
    return first;
}

/* The frames of a program that repeats itself, with an A-sync each 1000 bytes:
 * too few to tell where frames begin. Its bytes do. */
#define SMALL_STREAM 4000u

static size_t make_small(uint64_t random, uint8_t *stream, uint8_t *frames,
                         size_t room)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    static const uint8_t often[] = {0x84, 0x91, 0xf2, 0x84, 0x13, 0x22,
                                    0x84, 0xa0, 0x05, 0xc8, 0x91, 0x3f};
    struct etm_framer_config config = {.size = sizeof config};
    struct etm_framer *f;
    const uint8_t *bytes;
    size_t n;

    for (size_t i = 0; i < SMALL_STREAM; i++) {
        uint32_t r = random_next(&random);

        stream[i] =
            r % 8 == 0 ? (uint8_t)(r >> 8) : often[(r >> 8) % sizeof often];
    }
    for (size_t i = 300; i + sizeof a_sync < SMALL_STREAM; i += 1000)
        memcpy(stream + i, a_sync, sizeof a_sync);
    assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
    assert_int_equal(etm_framer_push(f, 0x10, stream, SMALL_STREAM), ETM_OK);
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &n);
    assert_true(n <= room);
    memcpy(frames, bytes, n);
    etm_framer_free(f);
    return n;
}

static void frames_of_small_dumps_are_found(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint8_t stream[SMALL_STREAM], copy[8192];
        size_t n = make_small(seed, stream, copy, sizeof copy);
        unsigned phase;

        for (unsigned cut = 0; cut < 16; cut++) {
            assert_int_equal(phase_of(copy + cut, n - cut), (16 - cut) % 16);
            assert_true(etm_frame_likely(copy + cut, n - cut, &phase));
            assert_int_equal(phase, (16 - cut) % 16);
            assert_false(etm_frame_unlikely(copy + cut, n - cut));
        }
        assert_false(etm_frame_likely(stream, sizeof stream, &phase));
        /* nor does it matter that the buffer was not full */
        memset(copy + n, 0, sizeof copy - n);
        for (unsigned cut = 0; cut < 16; cut++)
            assert_int_equal(phase_of(copy + cut, sizeof copy - cut),
                             (16 - cut) % 16);
    }
}

/* Words that memory is filled with, in pairs. */
static const uint8_t fill_words[][8] = {
    {0xef, 0xbe, 0xad, 0xde, 0xef, 0xbe, 0xad, 0xde},
    {0xde, 0xad, 0xbe, 0xef, 0xde, 0xad, 0xbe, 0xef},
    {0xbe, 0xba, 0xfe, 0xca, 0xbe, 0xba, 0xfe, 0xca},
    {0x0d, 0xf0, 0xad, 0xba, 0x0d, 0xf0, 0xad, 0xba},
    {0xce, 0xfa, 0xed, 0xfe, 0xce, 0xfa, 0xed, 0xfe},
    {0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa},
    {0xff, 0x00, 0xff, 0x00, 0xff, 0x00, 0xff, 0x00},
    {0x00, 0xff, 0x00, 0xff, 0x00, 0xff, 0x00, 0xff},
    {0x78, 0x56, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12},
    {0xfe, 0xde, 0xff, 0xe7, 0xfe, 0xde, 0xff, 0xe7},
    {0xfe, 0xe7, 0xfe, 0xe7, 0xfe, 0xe7, 0xfe, 0xe7},
    {0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00},
    {0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x80},
    {0xf1, 0xf3, 0xf5, 0xf7, 0xe1, 0xe3, 0xe5, 0xe7},
    {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01},
    {0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00},
    {0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f},
};

#define FILLS (256u + (unsigned)(sizeof fill_words / sizeof *fill_words))

static void fill_memory(uint8_t *bytes, size_t n, unsigned fill)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = fill < 256 ? (uint8_t)fill : fill_words[fill - 256][i % 8];
}

/* A buffer was filled before, and the trace, which ends with padding, takes
 * only a part of it. */
static void fill_after_trace_does_not_move_frames(void **state)
{
    static uint8_t stream[SMALL_STREAM], bytes[3 * 8192];
    size_t n = make_small(1, stream, bytes, sizeof bytes);
    static const size_t sizes[] = {20, 1000, 16384};

    (void)state;
    for (unsigned fill = 0; fill < FILLS; fill++) {
        fill_memory(bytes + n, 16384, fill);
        for (unsigned cut = 0; cut < 16; cut++)
            for (unsigned i = 0; i < 3; i++)
                assert_int_equal(phase_of(bytes + cut, n + sizes[i] - cut),
                                 (16 - cut) % 16);
    }
}

/* The last word is full synchronization, which is skipped: frames begin at
 * another byte then as well. */
static void fill_before_trace_does_not_move_frames(void **state)
{
    static uint8_t stream[SMALL_STREAM], trace[8192], bytes[3 * 8192];
    size_t n = make_small(2, stream, trace, sizeof trace);

    (void)state;
    for (unsigned fill = 0; fill < FILLS - 1; fill++) {
        for (size_t at = 4096; at < 4096 + 16; at++) {
            fill_memory(bytes, sizeof bytes, fill);
            memcpy(bytes + at, trace, n);
            assert_int_equal(phase_of(bytes, sizeof bytes), at % 16);
        }
    }
}

/* The least trace, of one A-sync, in the same memory: nothing speaks against
 * its first byte. */
static void fill_after_one_a_sync_is_no_doubt(void **state)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08, 0x21, 0x40};
    struct etm_framer_config config = {.size = sizeof config};
    static uint8_t copy[16384];
    struct etm_framer *f;
    const uint8_t *bytes;
    size_t n;

    (void)state;
    assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
    assert_int_equal(etm_framer_push(f, 0x10, a_sync, sizeof a_sync), ETM_OK);
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &n);
    for (unsigned fill = 0; fill < FILLS; fill++) {
        fill_memory(copy, sizeof copy, fill);
        memcpy(copy, bytes, n);
        assert_int_equal(phase_of(copy, sizeof copy), 0);
    }
    etm_framer_free(f);
}

/* Any 16 bytes, again and again: a program's tables, for example. */
static void what_repeats_itself_does_not_move_frames(void **state)
{
    static uint8_t stream[SMALL_STREAM], bytes[3 * 8192];
    uint64_t random = 11;

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        size_t n = make_small(seed, stream, bytes, sizeof bytes);

        for (size_t i = n; i < sizeof bytes; i++)
            bytes[i] = i < n + 16 ? (uint8_t)(random_next(&random) >> 8)
                                  : bytes[i - 16];
        assert_int_equal(phase_of(bytes, sizeof bytes), 0);
    }
}

/* The rest of the buffer has older trace, whose next trace ID is far away: all
 * of it seems to belong to the null source. */
static void older_trace_does_not_move_frames(void **state)
{
    static uint8_t stream[SMALL_STREAM], bytes[2 * 8192];

    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        size_t n = make_small(seed, stream, bytes, sizeof bytes), more;

        more = make_small(seed + 50, stream, bytes + n, sizeof bytes - n);
        memmove(bytes + n, bytes + n + 16, more - 16);
        for (unsigned cut = 0; cut < 16; cut++)
            assert_int_equal(phase_of(bytes + cut, n + more - 16 - cut),
                             (16 - cut) % 16);
    }
}

/* And if its frames begin elsewhere, those at the beginning count. */
static void older_trace_with_other_frames_does_not_move_frames(void **state)
{
    static uint8_t stream[SMALL_STREAM], bytes[2 * 8192];

    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        size_t n = make_small(seed, stream, bytes, sizeof bytes), more;
        size_t shift = 1 + seed % 15;

        more = make_small(seed + 50, stream, bytes + n, sizeof bytes - n);
        memmove(bytes + n, bytes + n + shift, more - shift);
        for (unsigned cut = 0; cut < 16; cut++)
            assert_int_equal(phase_of(bytes + cut, n + more - shift - cut),
                             (16 - cut) % 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_small_dumps_are_found),
        cmocka_unit_test(fill_after_trace_does_not_move_frames),
        cmocka_unit_test(fill_before_trace_does_not_move_frames),
        cmocka_unit_test(fill_after_one_a_sync_is_no_doubt),
        cmocka_unit_test(what_repeats_itself_does_not_move_frames),
        cmocka_unit_test(older_trace_does_not_move_frames),
        cmocka_unit_test(older_trace_with_other_frames_does_not_move_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
