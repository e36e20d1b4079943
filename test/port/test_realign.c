/* SPDX-License-Identifier: Apache-2.0 */
/* A-sync at any bit position, and bits that move in mid-stream. */
#include "../support/scarce.h"
#include "pins_support.h"
#include "realign_support.h"

static void assert_realigned(const uint8_t *input, size_t n,
                             const uint8_t *expected, size_t n_expected,
                             uint64_t lost)
{
    for (size_t step = 1; step <= n; step++) {
        struct realigned *all = realign(input, n, 0, step);

        assert_int_equal(all->n, n_expected);
        assert_memory_equal(all->bytes, expected, n_expected);
        assert_int_equal(all->n_runs, 1);
        assert_int_equal(all->runs[0].lost, lost);
    }
}

/* The examples of ETM architecture 7.7.2, with 47 zeros as its text says.
 * E-03, V3-AS-04, V3-EX-04 */
static void the_examples_of_the_text_are_realigned(void **state)
{
    static const uint8_t aligned[] = {0, 0, 0, 0, 0, 0x80, 0x84};
    static const uint8_t too_few[] = {1, 0, 0, 0, 0, 0x40, 0x42};
    static const uint8_t early[] = {1, 0, 0, 0, 0, 0, 0x40, 0x42};
    static const uint8_t late[] = {1, 0, 0, 0, 0, 0, 0x09, 0x01};

    (void)state;
    assert_realigned(aligned, sizeof aligned, aligned, sizeof aligned, 0);
    assert_realigned(too_few, sizeof too_few, too_few, sizeof too_few, 0);
    assert_realigned(early, sizeof early, aligned, sizeof aligned, 1);
    assert_realigned(late, sizeof late, aligned, sizeof aligned, 1);
}

/* E-91, V3-AS-01, -02 */
static void there_are_47_zeros_in_an_a_sync(void **state)
{
    uint8_t input[32];

    (void)state;
    for (unsigned zeros = 40; zeros < 70; zeros++) {
        for (unsigned first = 1; first < 64; first++) {
            unsigned one = first + zeros;
            bool found = zeros >= 47 && one % 8 != 7;
            struct realigned *all;

            memset(input, 0xff, sizeof input);
            for (unsigned i = first; i < one; i++)
                input[i / 8] &= (uint8_t) ~(1u << i % 8);
            all = realign(input, sizeof input, 0, 5);
            assert_int_equal(all->n_runs, 1);
            assert_int_equal(all->runs[0].gap, found);
            assert_int_equal(8 * all->runs[0].input + all->runs[0].bit,
                             found ? one - 47 : 0);
            assert_memory_equal(
                all->bytes, found ? (const uint8_t *)"\0\0\0\0\0\x80" : input,
                6);
            assert_int_equal(all->runs[0].lost, found ? (one - 40) / 8 : 0);
        }
    }
}

#define PERIOD 64u
#define PERIODS 8u
#define STREAM (PERIOD * PERIODS)

/* A-syncs a period apart, and numbers between them. */
static void make_stream(uint8_t *stream)
{
    static const uint8_t a_sync[] = {0, 0, 0, 0, 0, 0x80};

    for (unsigned i = 0; i < STREAM; i++)
        stream[i] = (uint8_t)(i * 37 + i / 64 + 1) | 0x10;
    for (unsigned i = 0; i < STREAM; i += PERIOD)
        memcpy(stream + i, a_sync, sizeof a_sync);
}

/* Without the bits from `at` on, or with some put in before them. */
static size_t slip(uint8_t *out, const uint8_t *stream, unsigned at, int bits)
{
    static const uint8_t more[] = {0xff};

    memset(out, 0, STREAM + 2);
    copy_bits(out, 0, stream, 0, at);
    if (bits > 0) {
        copy_bits(out, at, more, 0, (unsigned)bits);
        copy_bits(out, at + (unsigned)bits, stream, at, 8 * STREAM - at);
        return STREAM + 1;
    }
    copy_bits(out, at, stream, at + (unsigned)-bits,
              8 * STREAM - at - (unsigned)-bits);
    return STREAM;
}

/* What is after the last A-sync before the slip is dropped, the next A-sync
 * and all after it is there. E-90, V3-AS-04, -06 */
static void a_slip_costs_one_period(void **state)
{
    static const int slips[] = {-7, -4, -2, -1, 1, 2, 4, 7};
    uint8_t stream[STREAM], input[STREAM + 2];

    (void)state;
    make_stream(stream);
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned at = 2 * PERIOD * 8 + 48; at < 3 * PERIOD * 8 - 8; at++) {
            size_t n = slip(input, stream, at, slips[i]);
            size_t good = 2 * PERIOD + 6, next = 3 * PERIOD;
            struct realigned *all = realign(input, n, 0, 1 + at % 90);
            const struct etm_realign_run *run = all->runs;
            size_t left = STREAM - next;

            assert_int_equal(all->n_runs, 2);
            assert_int_equal(run[0].n, good);
            assert_memory_equal(all->bytes, stream, good);
            assert_int_equal(8 * run[1].input + run[1].bit,
                             (int)(8 * next) + slips[i]);
            assert_int_equal(run[1].lost,
                             (8 * (next - good) + 7 + (size_t)slips[i]) / 8);
            /* Missing bits cut the last byte short. */
            assert_int_equal(run[1].n, left);
            assert_memory_equal(all->bytes + good, stream + next,
                                left - (slips[i] < 0));
        }
    }
}

static void a_second_slip_is_found_too(void **state)
{
    uint8_t stream[STREAM], once[STREAM + 2], twice[STREAM + 2];
    struct realigned *all;

    (void)state;
    make_stream(stream);
    slip(once, stream, 8 * 100, -4);
    slip(twice, once, 8 * 300, 4);
    all = realign(twice, STREAM, 0, 7);
    assert_int_equal(all->n_runs, 3);
    assert_int_equal(all->runs[1].bit, 4);
    assert_int_equal(all->runs[2].bit, 0);
    assert_memory_equal(all->bytes + all->runs[2].stream, stream + 5 * PERIOD,
                        3 * PERIOD);
}

/* Zeros over what came between two A-syncs: nothing moves, as the next one
 * stands where the first did. E-395 */
static void zeros_of_damage_move_nothing(void **state)
{
    uint8_t stream[STREAM], input[STREAM];
    unsigned moved = 0;

    (void)state;
    make_stream(stream);
    for (unsigned at = PERIOD + 6; at < 2 * PERIOD - 8; at++) {
        for (unsigned end = at + 6; end < 2 * PERIOD; end++) {
            struct realigned *all;
            bool slips;

            memcpy(input, stream, sizeof input);
            memset(input + at, 0, end - at);
            all = realign(input, sizeof input, 0, 1 + end % 90);
            assert_int_equal(all->n_runs, 1);
            assert_int_equal(all->n, sizeof input);
            assert_memory_equal(all->bytes, input, sizeof input);
            /* Without another A-sync after them a few of them are one. */
            all = realign(input, 2 * PERIOD, 0, 1 + end % 90);
            slips = all->n_runs == 2 && all->runs[1].gap;
            assert_false(slips && end - at >= 8);
            moved += slips;
            /* Nor does anything wait longer for it than it was told to. */
            if (end + 16 < 2 * PERIOD) {
                all = realign(input, sizeof input, 8, 1 + end % 90);
                assert_int_equal(all->n_runs, slips ? 3 : 1);
            }
        }
    }
    assert_true(moved > 20);
}

/* E-90 */
static void no_more_is_dropped_than_was_held(void **state)
{
    uint8_t stream[STREAM], input[STREAM + 2];

    (void)state;
    make_stream(stream);
    for (uint32_t hold = 8; hold < 100; hold++) {
        unsigned at = 8 * (3 * PERIOD - 3);
        size_t n = slip(input, stream, at, -4);
        size_t step = 1 + hold % 11;
        struct realigned *all = realign(input, n, hold, step);
        uint64_t one = 8 * 3 * PERIOD + 47 - 4;
        uint64_t kept = one / 8 - hold;

        if (kept < 2 * PERIOD + 6)
            kept = 2 * PERIOD + 6;
        assert_int_equal(all->n_runs, 2);
        assert_int_equal(all->runs[0].n, kept);
        assert_int_equal(all->runs[1].lost, (one - 47 - 8 * kept + 7) / 8);
        assert_memory_equal(all->bytes + kept, stream + 3 * PERIOD,
                            STREAM - 3 * PERIOD - 1);
    }
}

static void however_it_is_cut_the_output_is_the_same(void **state)
{
    static struct realigned whole;
    uint8_t input[4096];
    uint64_t random = 13;

    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        static const uint32_t holds[] = {0, 8, 9, 20, 300};
        uint32_t hold = holds[round % 5];

        /* Zeros and ones in long rows, ending anywhere. */
        for (unsigned i = 0; i < sizeof input;) {
            unsigned k = 1 + random_next(&random) % 9;

            while (k-- != 0 && i < sizeof input - 1)
                input[i++] = 0;
            input[i++] = (uint8_t)random_next(&random);
        }
        whole = *realign(input, sizeof input, hold, sizeof input);
        assert_true(whole.n_runs > 5);
        for (size_t step = 1; step < 300; step += 1 + step / 2) {
            struct realigned *all = realign(input, sizeof input, hold, step);

            assert_int_equal(all->n, whole.n);
            assert_memory_equal(all->bytes, whole.bytes, whole.n);
            assert_int_equal(all->n_runs, whole.n_runs);
            for (size_t i = 0; i < whole.n_runs; i++) {
                assert_int_equal(all->runs[i].stream, whole.runs[i].stream);
                assert_int_equal(all->runs[i].input, whole.runs[i].input);
                assert_int_equal(all->runs[i].bit, whole.runs[i].bit);
                assert_int_equal(all->runs[i].gap, whole.runs[i].gap);
                assert_int_equal(all->runs[i].lost, whole.runs[i].lost);
                assert_int_equal(all->runs[i].n, whole.runs[i].n);
            }
        }
    }
}

/* Samples that a capture of a narrow port begins late, loses or doubles.
 * V3-AS-04 */
static void a_narrow_port_may_lose_or_double_any_sample(void **state)
{
    static const uint8_t widths[] = {1, 2, 4};
    uint8_t stream[STREAM];

    (void)state;
    make_stream(stream);
    for (unsigned w = 0; w < 3; w++) {
        struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, widths[w]);
        const struct etm_port_sample *samples;
        struct etm_port_sample damaged[8 * STREAM + 1];
        struct etm_packer *p;
        size_t n, per_period;

        assert_int_equal(etm_packer_new(&p, &config), ETM_OK);
        assert_int_equal(etm_packer_push(p, stream, sizeof stream), ETM_OK);
        etm_packer_take(p, &samples, &n);
        per_period = n / PERIODS;
        for (size_t at = 0; at < 4 * per_period; at++) {
            bool doubled = at % 2 != 0;
            size_t next = (at / per_period + 1) * PERIOD, left;
            struct unpacked *all;
            struct realigned *out;

            memcpy(damaged, samples, at * sizeof *samples);
            if (doubled)
                damaged[at] = samples[at];
            memcpy(damaged + at + doubled, samples + at + !doubled,
                   (n - at - !doubled) * sizeof *samples);
            all = unpack(&config, damaged, doubled ? n + 1 : n - 1, 1000);
            out = realign(all->stream.data, all->stream.n, 0, 50);
            /* All from the next A-sync on, but for the last byte, which is
             * not complete. */
            left = STREAM - 1 - next;
            assert_true(out->n >= left);
            assert_memory_equal(out->bytes + out->n - left, stream + next,
                                left);
            unpacked_free(all);
        }
        etm_packer_free(p);
    }
}

static void no_memory_is_said_at_every_allocation(void **state)
{
    struct scarce scarce;
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_realigner_config config = {.size = sizeof config,
                                          .allocator = &allocator};
    uint8_t stream[STREAM], input[STREAM + 2];
    unsigned calls = 0;
    int status;

    (void)state;
    make_stream(stream);
    slip(input, stream, 1000, -1);
    do {
        struct etm_realigner *r;

        scarce.left = calls++;
        status = etm_realigner_new(&r, &config);
        if (status == ETM_OK)
            status = etm_realigner_push(r, input, STREAM);
        if (status == ETM_OK)
            status = etm_realigner_finish(r);
        if (status != ETM_OK)
            assert_int_equal(status, ETM_ERR_MEMORY);
        etm_realigner_free(r);
    } while (status != ETM_OK);
    assert_true(calls > 4);
}

static void nothing_is_allocated_after_warm_up(void **state)
{
    struct scarce scarce = {.left = 1000};
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_realigner_config config = {
        .size = sizeof config, .hold = 200, .allocator = &allocator};
    uint8_t stream[STREAM], input[STREAM + 2];
    struct etm_realigner *r;
    struct etm_realigned made;

    (void)state;
    make_stream(stream);
    slip(input, stream, 1000, -1);
    assert_int_equal(etm_realigner_new(&r, &config), ETM_OK);
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(etm_realigner_push(r, input, STREAM), ETM_OK);
        etm_realigner_take(r, &made);
        assert_true(made.n_runs > 1);
        if (i == 10)
            scarce.left = 0;
    }
    etm_realigner_free(r);
}

static void misuse_is_refused(void **state)
{
    struct etm_realigner_config config = {.size = sizeof config, .hold = 7};
    struct etm_realigner *r;
    const uint8_t byte = 0;

    (void)state;
    assert_int_equal(etm_realigner_new(&r, &config), ETM_ERR_ARGUMENT);
    assert_null(r);
    config.hold = 8;
    config.size = 1;
    assert_int_equal(etm_realigner_new(&r, &config), ETM_ERR_ARGUMENT);
    config.size = sizeof config;
    assert_int_equal(etm_realigner_new(&r, &config), ETM_OK);
    assert_int_equal(etm_realigner_finish(r), ETM_OK);
    assert_int_equal(etm_realigner_push(r, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_realigner_finish(r), ETM_ERR_ARGUMENT);
    etm_realigner_free(r);
    etm_realigner_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_text_are_realigned),
        cmocka_unit_test(there_are_47_zeros_in_an_a_sync),
        cmocka_unit_test(a_slip_costs_one_period),
        cmocka_unit_test(a_second_slip_is_found_too),
        cmocka_unit_test(zeros_of_damage_move_nothing),
        cmocka_unit_test(no_more_is_dropped_than_was_held),
        cmocka_unit_test(however_it_is_cut_the_output_is_the_same),
        cmocka_unit_test(a_narrow_port_may_lose_or_double_any_sample),
        cmocka_unit_test(no_memory_is_said_at_every_allocation),
        cmocka_unit_test(nothing_is_allocated_after_warm_up),
        cmocka_unit_test(misuse_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
