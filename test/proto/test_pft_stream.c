/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets of random streams: any split, any damage, and there and back. */
#include "../support/scarce.h"
#include "pft_util.h"

#include <stdlib.h>

#define ROUNDS 200u

/*
 * A stream of `n` bytes: packets, with stretches of garbage, of zeros and of
 * a byte that often stands in addresses. Returns its length, at most `n`.
 */
static size_t random_stream(const struct etm_config *config, uint64_t *state,
                            uint8_t *bytes, size_t n)
{
    static const uint8_t favourites[] = {0x00, 0x80, 0x01, 0x81};
    struct etm_writer w = etm_writer_of(bytes, n);

    while (!w.full && w.next != w.end) {
        uint32_t what = random_below(state, 40);

        if (what < 3) {
            for (uint32_t i = random_below(state, 40); i != 0; i--)
                etm_writer_u8(
                    &w,
                    what == 0
                        ? (uint8_t)random_next(state)
                        : favourites[random_next(state) & (what == 1 ? 1 : 3)]);
            continue;
        }
        for (size_t i = 0; what < 6 && i < sizeof a_sync; i++)
            etm_writer_u8(&w, a_sync[i]);
        for (uint32_t i = 0; i < 10; i++) {
            struct etm_packet k = random_packet(config, state);

            if (etm_pft_encode(config, &k, &w) != ETM_OK)
                return etm_writer_size(&w);
        }
    }
    return etm_writer_size(&w);
}

static void encoded_packets_decode_to_themselves(void **unused)
{
    (void)unused;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        uint64_t state = 0x9e3779b97f4a7c15u + c;
        uint64_t offset = sizeof a_sync;
        static uint8_t bytes[ROUNDS * ETM_PACKET_ENCODED_MAX];
        static struct etm_packet sent[ROUNDS];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
        struct etm_vec out;

        for (size_t i = 0; i < sizeof a_sync; i++)
            etm_writer_u8(&w, a_sync[i]);
        for (unsigned i = 0; i < ROUNDS; i++) {
            sent[i] = random_packet(&config, &state);
            sent[i].offset = offset;
            offset += sent[i].size;
            assert_int_equal(etm_pft_encode(&config, &sent[i], &w), ETM_OK);
            assert_int_equal(etm_writer_size(&w), offset);
        }
        decode_all(&config, bytes, etm_writer_size(&w), &out);
        assert_int_equal(out.n, 1 + ROUNDS);
        assert_memory_equal(packet_at(&out, 1), sent, sizeof sent);
        etm_vec_fini(&out);
    }
}

/* Whatever a decoder makes of garbage, its packets encode to the same bytes,
 * apart from reserved bits: these are decoded once more. */
static void
decoded_packets_encode_to_packets_that_decode_the_same(void **unused)
{
    (void)unused;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        uint64_t state = 0x2545f4914f6cdd1du + c;
        static uint8_t bytes[4000], again[4000 + ETM_PACKET_ENCODED_MAX];
        struct etm_vec out, back;
        size_t n = random_stream(&config, &state, bytes, sizeof bytes);
        size_t same = 0;

        decode_all(&config, bytes, n, &out);
        for (size_t i = 0; i < out.n; i++) {
            const struct etm_packet *k = packet_at(&out, i);
            struct etm_writer w = etm_writer_of(again, sizeof again);
            struct etm_packet first;

            for (size_t j = 0; j < sizeof a_sync; j++)
                etm_writer_u8(&w, a_sync[j]);
            if (k->kind == ETM_PACKET_BAD ||
                k->kind == ETM_PACKET_UNSYNCHRONIZED) {
                assert_int_equal(etm_pft_encode(&config, k, &w),
                                 ETM_ERR_UNSUPPORTED);
                continue;
            }
            assert_int_equal(etm_pft_encode(&config, k, &w), ETM_OK);
            assert_int_equal(etm_writer_size(&w), sizeof a_sync + k->size);
            decode_all(&config, again, etm_writer_size(&w), &back);
            assert_int_equal(back.n, 2);
            first = *packet_at(&back, 1);
            first.offset = k->offset;
            first.info = k->info; /* may hold reserved bits */
            assert_memory_equal(&first, k, sizeof first);
            same +=
                memcmp(again + sizeof a_sync, bytes + k->offset, k->size) == 0;
            etm_vec_fini(&back);
        }
        assert_true(same > out.n / 2);
        etm_vec_fini(&out);
    }
}

static void packets_encode_to_the_bytes_they_came_from(void **unused)
{
    (void)unused;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        uint64_t state = 0x853c49e6748fea9bu + c;
        uint8_t bytes[4000], again[4000];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
        struct etm_writer v = etm_writer_of(again, sizeof again);
        struct etm_packet k = {.kind = ETM_PACKET_A_SYNC};
        struct etm_vec out;

        while (etm_pft_encode(&config, &k, &w) == ETM_OK)
            k = random_packet(&config, &state);
        decode_all(&config, bytes, etm_writer_size(&w), &out);
        for (size_t i = 0; i < out.n; i++)
            assert_int_equal(etm_pft_encode(&config, packet_at(&out, i), &v),
                             ETM_OK);
        assert_int_equal(etm_writer_size(&v), etm_writer_size(&w));
        assert_memory_equal(again, bytes, etm_writer_size(&w));
        etm_vec_fini(&out);
    }
}

static void every_split_gives_the_same_packets(void **unused)
{
    (void)unused;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        uint64_t state = 0xda942042e4dd58b5u + c;
        uint8_t bytes[600];
        size_t n = random_stream(&config, &state, bytes, sizeof bytes);
        struct etm_vec whole;

        decode_all(&config, bytes, n, &whole);
        assert_covers(&whole, bytes, n);
        for (size_t at = 0; at <= n; at++) {
            struct etm_pft_decoder d;
            struct etm_vec out;

            etm_vec_init(&out, sizeof(struct etm_packet), NULL);
            etm_pft_decoder_init(&d, &config);
            assert_int_equal(etm_pft_decoder_push(&d, bytes, at, &out), 0);
            assert_int_equal(etm_pft_decoder_push(&d, bytes + at, n - at, &out),
                             0);
            assert_int_equal(etm_pft_decoder_finish(&d, &out), 0);
            assert_same_packets(&out, &whole);
            etm_vec_fini(&out);
        }
        for (size_t step = 1; step < 20; step++) {
            struct etm_vec out;

            decode_in_steps(&config, bytes, n, step, &out);
            assert_same_packets(&out, &whole);
            etm_vec_fini(&out);
        }
        etm_vec_fini(&whole);
    }
}

/* Stretches longer than a packet may be, of bytes that make A-syncs likely. */
static void
long_unsynchronized_bytes_are_cut_alike_in_every_split(void **unused)
{
    enum { SIZE = 3 * ETM_PACKET_BYTES_MAX + 1234 };
    static const size_t steps[] = {1, 7, 1000, 4095, 4096, 4097, 5000};
    uint64_t state = 0xb5ad4eceda1ce2a9u;
    uint8_t *bytes = malloc(SIZE);
    struct etm_config config = config_number(1);

    (void)unused;
    assert_non_null(bytes);
    for (unsigned round = 0; round < 24; round++) {
        struct etm_vec whole;
        unsigned zeros = round % 3;

        for (size_t i = 0; i < SIZE; i++) {
            uint32_t r = random_next(&state);

            bytes[i] = zeros == 0                    ? (uint8_t)r
                       : zeros == 1 || r % 1024 != 0 ? 0
                                                     : 0x80;
        }
        if (zeros == 1) /* all zeros, but for one byte near a cut */
            bytes[ETM_PACKET_BYTES_MAX - 4 + round / 3] = 0x80;
        decode_all(&config, bytes, SIZE, &whole);
        assert_covers(&whole, bytes, SIZE);
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            struct etm_vec out;

            decode_in_steps(&config, bytes, SIZE, steps[i], &out);
            assert_same_packets(&out, &whole);
            etm_vec_fini(&out);
        }
        etm_vec_fini(&whole);
    }
    free(bytes);
}

static void packets_cover_any_garbage_exactly_once(void **unused)
{
    (void)unused;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        uint64_t state = 0xd1342543de82ef95u + c;

        for (unsigned round = 0; round < ROUNDS; round++) {
            uint8_t bytes[300];
            size_t n = random_below(&state, sizeof bytes + 1);
            struct etm_vec out;

            for (size_t i = 0; i < n; i++)
                bytes[i] = (uint8_t)random_next(&state);
            for (size_t i = 0; i + 40 < n; i += 40)
                memcpy(bytes + i, a_sync, sizeof a_sync);
            decode_all(&config, bytes, n, &out);
            assert_covers(&out, bytes, n);
            etm_vec_fini(&out);
        }
    }
}

/* Cut at each byte, a stream gives the packets that end before the cut. */
static void truncated_stream_keeps_what_came_before(void **unused)
{
    (void)unused;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        uint64_t state = 0xaef17502108ef2d9u + c;
        uint8_t bytes[400];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
        struct etm_packet k = {.kind = ETM_PACKET_A_SYNC};
        struct etm_vec whole;
        size_t n;

        while (etm_pft_encode(&config, &k, &w) == ETM_OK)
            k = random_packet(&config, &state);
        n = etm_writer_size(&w);
        decode_all(&config, bytes, n, &whole);
        for (size_t cut = sizeof a_sync; cut < n; cut++) {
            struct etm_vec out;
            size_t i = 0;

            decode_all(&config, bytes, cut, &out);
            assert_covers(&out, bytes, cut);
            for (; i < whole.n; i++) {
                const struct etm_packet *p = packet_at(&whole, i);

                if (p->offset + p->size > cut)
                    break;
                assert_memory_equal(packet_at(&out, i), p, sizeof *p);
            }
            if (packet_at(&whole, i)->offset < cut) {
                assert_int_equal(packet_at(&out, i)->kind, ETM_PACKET_BAD);
                assert_int_equal(packet_at(&out, i)->fields,
                                 ETM_FIELD_TRUNCATED);
                i++;
            }
            assert_int_equal(out.n, i);
            etm_vec_fini(&out);
        }
        etm_vec_fini(&whole);
    }
}

static void nothing_is_allocated_after_warm_up(void **unused)
{
    struct faulty faulty = {0};
    struct etm_allocator allocator = {faulty_resize, &faulty};
    struct etm_config config = config_number(1);
    uint64_t state = 0x94d049bb133111ebu;
    static uint8_t bytes[20000];
    struct etm_pft_decoder d;
    struct etm_vec out;
    size_t n = random_stream(&config, &state, bytes, sizeof bytes);
    size_t warm;

    (void)unused;
    etm_vec_init(&out, sizeof(struct etm_packet), &allocator);
    etm_pft_decoder_init(&d, &config);
    assert_int_equal(etm_pft_decoder_push(&d, bytes, n, &out), ETM_OK);
    warm = faulty.calls;
    assert_true(warm > 0);
    for (unsigned i = 0; i < 10; i++) {
        etm_vec_drop(&out, out.n);
        assert_int_equal(etm_pft_decoder_push(&d, bytes, n, &out), ETM_OK);
    }
    assert_int_equal(faulty.calls, warm);
    etm_vec_fini(&out);
}

/* E-610: not where the decoder enters a stream. */
static void only_the_first_byte_begins_a_stream(void **unused)
{
    static const uint8_t bytes[] = {0x08, 0x01, 0x82, 0, 0, 0x21, 0x84};
    const struct etm_config config = {
        .size = sizeof config, .protocol = ETM_PROTOCOL_PFT, .minor = 1};
    struct etm_pft_decoder d;
    struct etm_vec out;

    (void)unused;
    etm_vec_init(&out, sizeof(struct etm_packet), NULL);
    etm_pft_decoder_init(&d, &config);
    etm_pft_decoder_enter(&d, 0);
    assert_int_equal(etm_pft_decoder_push(&d, bytes, sizeof bytes, &out),
                     ETM_OK);
    assert_int_equal(etm_pft_decoder_finish(&d, &out), ETM_OK);
    assert_int_equal(out.n, 1);
    assert_int_equal(packet_at(&out, 0)->kind, ETM_PACKET_UNSYNCHRONIZED);
    etm_vec_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoded_packets_decode_to_themselves),
        cmocka_unit_test(
            decoded_packets_encode_to_packets_that_decode_the_same),
        cmocka_unit_test(packets_encode_to_the_bytes_they_came_from),
        cmocka_unit_test(every_split_gives_the_same_packets),
        cmocka_unit_test(
            long_unsynchronized_bytes_are_cut_alike_in_every_split),
        cmocka_unit_test(packets_cover_any_garbage_exactly_once),
        cmocka_unit_test(truncated_stream_keeps_what_came_before),
        cmocka_unit_test(nothing_is_allocated_after_warm_up),
        cmocka_unit_test(only_the_first_byte_begins_a_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
