/* SPDX-License-Identifier: Apache-2.0 */
/* A TPIU's stream that begins at any bit (doc/errata.md, E-332, E-371). */
#include "port_support.h"

#include "../support/scarce.h"

#include "port/frame.h"

#define FRAMES 64u
#define SIZE (FRAMES * 20u)

/* Frames with a full synchronization before every `period`-th one, halfword
 * synchronizations among them, and as many ones as frames can have. */
static size_t make_stream(uint8_t *out, unsigned period, uint64_t seed)
{
    static const uint8_t ones[] = {0xfe, 0xff, 0x7f, 0xff, 0xfe, 0xff};
    static const uint8_t full[] = {0xff, 0xff, 0xff, 0x7f};
    size_t n = 0;

    for (unsigned i = 0; i < FRAMES; i++) {
        if (i % period == 0) {
            memcpy(out + n, full, sizeof full);
            n += sizeof full;
        }
        for (unsigned k = 0; k < ETM_FRAME_BYTES; k++) {
            uint8_t byte = (uint8_t)random_next(&seed);

            if (i % 3 == 0 && k < sizeof ones)
                byte = ones[k];
            else if (k % 2 == 0 && byte == 0xff)
                byte = 0xfe;
            out[n++] = byte;
            if (i % 3 == 0 && k + 1 == sizeof ones) {
                out[n++] = 0xff;
                out[n++] = 0x7f;
            }
        }
    }
    return n;
}

/* Bits `from` to `end` of a stream, from bit 0 on; the rest is 0. */
static size_t take_bits(const uint8_t *in, size_t from, size_t end,
                        uint8_t *out, size_t at)
{
    for (; from < end; from++, at++) {
        if (at % 8 == 0)
            out[at / 8] = 0;
        out[at / 8] |= (uint8_t)((in[from / 8] >> from % 8 & 1) << at % 8);
    }
    return at;
}

/* Each bit of a stream begins bytes that are those of the stream. */
static void assert_aligned(const uint8_t *stream, size_t n)
{
    uint8_t shifted[SIZE];

    for (unsigned bit = 0; bit < 24; bit++) {
        size_t skipped = (bit + 7) / 8;
        size_t bits = take_bits(stream, bit, 8 * n, shifted, 0);
        struct etm_vec made;

        etm_vec_init(&made, 1, NULL);
        assert_int_equal(etm_frame_align(shifted, bits, &made), ETM_OK);
        assert_int_equal(made.n, n - skipped);
        assert_memory_equal(made.data, stream + skipped, n - skipped);
        etm_vec_fini(&made);
    }
}

static void full_synchronizations_are_whole_bytes(void **state)
{
    uint8_t stream[SIZE];

    (void)state;
    for (unsigned seed = 1; seed < 20; seed++) {
        size_t n = make_stream(stream, 1 + seed, seed);

        assert_aligned(stream, n);
    }
}

/* Four bits are missing: what is between two synchronizations goes. */
static void missing_bits_cut_a_frame(void **state)
{
    static const uint8_t cut[] = {0xff, 0xff, 0xff, 0x7f, 0};
    uint8_t stream[SIZE], slipped[SIZE];
    size_t n = make_stream(stream, 8, 5);
    const size_t period = 8 * 16 + 4 + 2 * 2; /* two or three of 8 are long */
    const size_t slip = 3 * period;
    size_t bits = take_bits(stream, 0, 8 * slip, slipped, 0);
    struct etm_vec made;
    const uint8_t *out;
    size_t good = 0, k;

    (void)state;
    bits = take_bits(stream, 8 * slip + 4, 8 * n, slipped, bits);
    etm_vec_init(&made, 1, NULL);
    assert_int_equal(etm_frame_align(slipped, bits, &made), ETM_OK);
    out = made.data;
    while (good < n && out[good] == stream[good])
        good++;
    /* up to a synchronization before the slip, */
    assert_in_range(good, slip - period, slip);
    assert_memory_equal(stream + good - 4, cut, 4);
    assert_memory_equal(out + good, cut, sizeof cut);
    good += sizeof cut;
    /* and from one after it to the end */
    k = made.n - good;
    assert_in_range(n - k, slip, slip + period);
    assert_memory_equal(out + good, stream + n - k, k);
    assert_memory_equal(out + good, cut, 4);
    etm_vec_fini(&made);
}

static void a_stream_without_synchronization_stays(void **state)
{
    uint8_t stream[SIZE];
    size_t n = make_stream(stream, FRAMES, 7);
    struct etm_vec made;

    (void)state;
    etm_vec_init(&made, 1, NULL);
    assert_int_equal(etm_frame_align(stream + 4, 8 * (n - 4), &made), ETM_OK);
    assert_int_equal(made.n, n - 4);
    assert_memory_equal(made.data, stream + 4, n - 4);
    made.n = 0;
    assert_int_equal(etm_frame_align(stream, 0, &made), ETM_OK);
    /* a port that is not driven */
    memset(stream, 0xff, sizeof stream);
    assert_int_equal(etm_frame_align(stream, 8 * SIZE, &made), ETM_OK);
    assert_int_equal(made.n, SIZE);
    etm_vec_fini(&made);
}

/* Frames whose data look like it all the time, two of three in a row. */
static void half_word_synchronizations_are_whole_bytes(void **state)
{
    uint8_t stream[SIZE];

    (void)state;
    for (unsigned seed = 1; seed < 20; seed++) {
        size_t n = make_stream(stream, FRAMES, seed);

        assert_aligned(stream + 4, n - 4);
    }
}

/* E-371 */
static void a_syncs_are_whole_bytes(void **state)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80, 0x08};
    struct etm_framer_config config = {.size = sizeof config,
                                       .layout = ETM_FRAME_TPIU};
    uint8_t data[9];
    uint64_t seed = 3;
    struct etm_framer *f;
    const uint8_t *bytes;
    size_t n;

    (void)state;
    assert_int_equal(etm_framer_new(&f, &config), ETM_OK);
    for (unsigned i = 0; i < 60; i++) {
        for (size_t k = 0; k < sizeof data; k++)
            data[k] = (uint8_t)random_next(&seed);
        if (i % 8 == 0)
            assert_int_equal(etm_framer_push(f, 2, a_sync, sizeof a_sync),
                             ETM_OK);
        assert_int_equal(etm_framer_push(f, 2, data, sizeof data), ETM_OK);
    }
    assert_int_equal(etm_framer_flush(f), ETM_OK);
    etm_framer_take(f, &bytes, &n);
    assert_aligned(bytes, n);
    etm_framer_free(f);
}

static void failing_allocation_is_reported(void **state)
{
    struct scarce scarce = {0};
    const struct etm_allocator allocator = {.resize = scarce_resize,
                                            .context = &scarce};
    uint8_t stream[SIZE], shifted[SIZE];
    size_t n = make_stream(stream, 8, 5);
    struct etm_vec made;

    (void)state;
    take_bits(stream, 4, 8 * n, shifted, 0);
    etm_vec_init(&made, 1, &allocator);
    assert_int_equal(etm_frame_align(shifted, 8 * n - 4, &made),
                     ETM_ERR_MEMORY);
    assert_int_equal(etm_frame_align(stream, 8 * n, &made), ETM_ERR_MEMORY);
    assert_int_equal(etm_frame_align(stream + 4, 8 * 100, &made),
                     ETM_ERR_MEMORY);
    etm_vec_fini(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_synchronizations_are_whole_bytes),
        cmocka_unit_test(missing_bits_cut_a_frame),
        cmocka_unit_test(half_word_synchronizations_are_whole_bytes),
        cmocka_unit_test(a_syncs_are_whole_bytes),
        cmocka_unit_test(a_stream_without_synchronization_stays),
        cmocka_unit_test(failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
