/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: splits of the input, damage, the header table. */
#include "../support/scarce.h"
#include "test_etmv3_util.h"

static const struct etm_config plain = {
    .size = sizeof plain, .protocol = ETM_PROTOCOL_ETMV3, .minor = 4};

static void assert_covers(const struct etm_vec *vec, uint64_t n)
{
    uint64_t offset = 0;

    for (size_t i = 0; i < vec->n; i++) {
        assert_int_equal(packets_of(vec)[i].offset, offset);
        assert_in_range(packets_of(vec)[i].size, 1, ETM_PACKET_BYTES_MAX);
        offset += packets_of(vec)[i].size;
    }
    assert_int_equal(offset, n);
}

/* A stream with many A-syncs and headers in it, and much else. */
static size_t random_stream(uint64_t *random, uint8_t *bytes, size_t capacity)
{
    size_t n = 0;

    while (n + 16 < capacity) {
        uint32_t dice = random_below(random, 16);

        if (dice == 0) {
            size_t zeros = 3 + random_below(random, 6);

            memset(bytes + n, 0, zeros);
            n += zeros;
            bytes[n++] = 0x80;
        } else if (dice < 5) {
            bytes[n++] = (uint8_t)(random_next(random) | 1);
        } else if (dice < 7) {
            static const uint8_t headers[] = {0x08, 0x70, 0x6E, 0x42, 0x2E,
                                              0x04, 0x5C, 0x7A, 0x60, 0x3C};

            bytes[n++] = headers[random_below(random, sizeof headers)];
        } else if (dice < 12) {
            bytes[n++] = (uint8_t)(0x80 | random_below(random, 32) << 2);
        } else {
            bytes[n++] = (uint8_t)random_next(random);
        }
    }
    return n;
}

static void each_byte_is_claimed_once_in_each_mode(void **state)
{
    size_t n;
    const struct etm_etmv3_row *rows = etm_etmv3_rows(&n);

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned cycle_accurate = 0, other = 0;

        for (size_t i = 0; i < n; i++) {
            assert_int_equal(rows[i].value & ~rows[i].mask, 0);
            if ((byte & rows[i].mask) != rows[i].value)
                continue;
            cycle_accurate += rows[i].cycles != ETM_FALSE;
            other += rows[i].cycles != ETM_TRUE;
        }
        assert_int_equal(cycle_accurate, 1);
        assert_int_equal(other, 1);
    }
}

/* The decoder's table is the rows', for every configuration. */
static void each_byte_has_its_meaning_in_each_configuration(void **state)
{
    uint64_t random = 1;
    size_t n;
    const struct etm_etmv3_row *rows = etm_etmv3_rows(&n);
    struct etm_etmv3_decoder *d = malloc(sizeof *d);

    (void)state;
    assert_non_null(d);
    for (unsigned round = 0; round < 500; round++) {
        struct etm_config config = random_config(&random);

        etm_etmv3_decoder_init(d, &config);
        for (unsigned byte = 0; byte < 256; byte++) {
            unsigned kind = d->headers[byte].kind, same = 0;

            for (size_t i = 0; i < n; i++) {
                bool mode =
                    rows[i].cycles == ETM_UNKNOWN ||
                    (rows[i].cycles == ETM_TRUE) == config.cycle_accurate;

                same += mode && (byte & rows[i].mask) == rows[i].value &&
                        rows[i].kind == kind;
            }
            assert_true(same == 1 || kind == ETM_PACKET_RESERVED);
            assert_true(
                (kind == ETM_PACKET_P_HEADER) ||
                (d->headers[byte].count == 0 && d->headers[byte].atoms == 0));
        }
        assert_int_equal(d->headers[0x00].kind, ETM_PACKET_A_SYNC);
        assert_int_equal(d->headers[0x08].kind, ETM_PACKET_I_SYNC);
    }
    free(d);
}

static void every_split_gives_the_same_packets(void **state)
{
    static uint8_t bytes[600];
    uint64_t random = 2;

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        struct etm_config config = random_config(&random);
        size_t n = random_stream(&random, bytes, sizeof bytes);
        struct etm_vec whole, split;

        decode_all(&config, bytes, n, 0, &whole);
        assert_covers(&whole, n);
        for (size_t piece = 1; piece < 30; piece += 1 + piece / 8) {
            decode_all(&config, bytes, n, piece, &split);
            assert_same_packets(&whole, &split);
            etm_vec_fini(&split);
        }
        etm_vec_fini(&whole);
    }
}

/* Two pieces, cut at each byte; and three, by chance. */
static void every_cut_gives_the_same_packets(void **state)
{
    static uint8_t bytes[200];
    uint64_t random = 3;
    struct etm_etmv3_decoder *d = malloc(sizeof *d);

    (void)state;
    assert_non_null(d);
    for (unsigned round = 0; round < 60; round++) {
        struct etm_config config = random_config(&random);
        size_t n = random_stream(&random, bytes, sizeof bytes);
        struct etm_vec whole, split;

        decode_all(&config, bytes, n, 0, &whole);
        for (size_t cut = 0; cut <= n; cut++) {
            size_t next = cut + random_below(&random, (uint32_t)(n - cut + 1));

            etm_vec_init(&split, sizeof(struct etm_packet), NULL);
            etm_etmv3_decoder_init(d, &config);
            assert_int_equal(etm_etmv3_decoder_push(d, bytes, cut, &split), 0);
            assert_int_equal(
                etm_etmv3_decoder_push(d, bytes + cut, next - cut, &split), 0);
            assert_int_equal(
                etm_etmv3_decoder_push(d, bytes + next, n - next, &split), 0);
            assert_int_equal(etm_etmv3_decoder_finish(d, &split), 0);
            assert_same_packets(&whole, &split);
            etm_vec_fini(&split);
        }
        etm_vec_fini(&whole);
    }
    free(d);
}

static void packets_cover_any_garbage_exactly_once(void **state)
{
    static uint8_t bytes[20000];
    uint64_t random = 4;

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        struct etm_config config = random_config(&random);
        size_t n = 1 + random_below(&random, sizeof bytes);
        struct etm_vec vec;

        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)random_next(&random);
        memset(bytes, 0, n < 5 ? n : 5);
        if (n > 5)
            bytes[5] = 0x80;
        decode_all(&config, bytes, n, random_below(&random, 100), &vec);
        assert_covers(&vec, n);
        etm_vec_fini(&vec);
    }
}

/* What is there in full stays; the rest is one packet. */
static void truncation_at_each_byte_gives_a_bad_packet(void **state)
{
    static const char *const streams[] = {
        ("00 00 00 00 00 80 84 70 FF FF FF FF 0F 78 56 34 12 A9 01 80 00 00 "
         "81 A0 82 80 50 DD A2 47"),
        "00 00 00 00 00 80 84 2E 80 80 80 80 02 78 56 34 12",
        "00 00 00 00 00 80 84 42 BD 9A C3 CE AF 90 80 80 00",
        "00 00 00 00 00 80 84 00 00 00 00 00 80",
    };
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .minor = 5,
                                .cycle_accurate = true,
                                .context_id_bytes = 4,
                                .data_value = true,
                                .data_address = true,
                                .timestamp_64bit = true};

    (void)state;
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        uint8_t bytes[64];
        size_t n = unhex(streams[i], bytes, sizeof bytes);

        for (size_t end = 8; end <= n; end++) {
            const struct etm_packet *last;
            struct etm_vec vec;

            decode_all(&config, bytes, end, 0, &vec);
            assert_int_equal(vec.n, 3);
            last = &packets_of(&vec)[2];
            assert_int_equal(last->size, end - 7);
            assert_int_equal(last->header, bytes[7]);
            if (end < n) {
                assert_int_equal(last->kind, ETM_PACKET_BAD);
                assert_int_equal(last->fields, ETM_FIELD_TRUNCATED);
            } else {
                assert_int_not_equal(last->kind, ETM_PACKET_BAD);
            }
            etm_vec_fini(&vec);
        }
    }
}

static void gap_ends_the_packet_and_the_synchronization(void **state)
{
    static const uint8_t before[] = {0, 0, 0, 0, 0, 0x80, 0x84, 0x08, 0x21};
    static const uint8_t after[] = {0x84, 0, 0, 0, 0, 0, 0x80, 0x84, 0, 0};
    struct etm_etmv3_decoder *d = malloc(sizeof *d);
    struct etm_vec vec;

    (void)state;
    assert_non_null(d);
    etm_vec_init(&vec, sizeof(struct etm_packet), NULL);
    etm_etmv3_decoder_init(d, &plain);
    assert_int_equal(etm_etmv3_decoder_gap(d, &vec), ETM_OK);
    assert_int_equal(vec.n, 0);
    for (unsigned i = 0; i < 2; i++) {
        vec.n = 0;
        assert_int_equal(etm_etmv3_decoder_push(d, before, sizeof before, &vec),
                         ETM_OK);
        assert_int_equal(etm_etmv3_decoder_gap(d, &vec), ETM_OK);
        assert_int_equal(etm_etmv3_decoder_push(d, after, sizeof after, &vec),
                         ETM_OK);
        assert_int_equal(etm_etmv3_decoder_gap(d, &vec), ETM_OK);
        assert_packets(&vec, "a_sync 6, p_header 1, bad 2, unsynchronized 1, "
                             "a_sync 6, p_header 1, bad 2");
        assert_int_equal(packets_of(&vec)[0].offset, i * 19u);
        assert_int_equal(packets_of(&vec)[3].offset, i * 19u + 9);
    }
    etm_vec_fini(&vec);
    free(d);
}

static void lack_of_memory_is_reported(void **state)
{
    static const uint8_t bytes[] = {0, 0, 0, 0, 0, 0x80, 0x84};
    struct scarce scarce = {0};
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_etmv3_decoder *d = malloc(sizeof *d);
    struct etm_vec vec;

    (void)state;
    assert_non_null(d);
    etm_vec_init(&vec, sizeof(struct etm_packet), &allocator);
    etm_etmv3_decoder_init(d, &plain);
    assert_int_equal(etm_etmv3_decoder_push(d, bytes, sizeof bytes, &vec),
                     ETM_ERR_MEMORY);
    assert_int_equal(etm_etmv3_decoder_finish(d, &vec), ETM_ERR_MEMORY);
    assert_int_equal(vec.n, 0);
    etm_vec_fini(&vec);
    free(d);
}

/* After the vector has grown, nothing is allocated. */
static void warm_decoder_does_not_allocate(void **state)
{
    static uint8_t bytes[20000];
    uint64_t random = 5;
    struct scarce scarce = {.left = 1};
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_etmv3_decoder *d = malloc(sizeof *d);
    struct etm_vec vec;

    (void)state;
    assert_non_null(d);
    etm_vec_init(&vec, sizeof(struct etm_packet), &allocator);
    assert_int_equal(etm_vec_reserve(&vec, 30000), ETM_OK);
    etm_etmv3_decoder_init(d, &plain);
    for (unsigned round = 0; round < 20; round++) {
        size_t n = random_stream(&random, bytes, sizeof bytes);

        vec.n = 0;
        assert_int_equal(etm_etmv3_decoder_push(d, bytes, n, &vec), ETM_OK);
    }
    assert_int_equal(scarce.calls, 1);
    etm_vec_fini(&vec);
    free(d);
}

/* A packet, often an I-sync, and what may follow it, after an A-sync. */
static void random_packet(uint64_t *random, const struct etm_config *config,
                          uint8_t *bytes, size_t n)
{
    static const uint8_t headers[] = {0x08, 0x70, 0x08, 0x70, 0x42};
    size_t at = 7;

    memset(bytes, 0, 5);
    bytes[5] = 0x80;
    for (size_t i = 6; i < n; i++)
        bytes[i] = (uint8_t)random_next(random);
    if (random_below(random, 4) == 0)
        return;
    bytes[6] = headers[random_below(random, sizeof headers)];
    if (bytes[6] == 0x70)
        for (unsigned k = 1 + random_below(random, 5); k != 0; k--, at++)
            bytes[at] = (uint8_t)((bytes[at] & 0x7f) | (k > 1 ? 0x80 : 0));
    at += config->context_id_bytes;
    if (random_below(random, 8) != 0) /* neither LSiP nor Jazelle nor AltISA */
        bytes[at] = (uint8_t)((bytes[at] & 0x6a) | 0x01);
}

static void a_packet_alone_is_the_same_packet(void **state)
{
    uint64_t random = 77;
    unsigned whole = 0;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct etm_config config = random_config(&random);
        uint8_t bytes[6 + 2 * ETM_ETMV3_PACKET_MAX];
        struct etm_etmv3_decoder decoder;
        struct etm_vec vec;
        struct etm_packet p;
        size_t size;

        random_packet(&random, &config, bytes, sizeof bytes);
        decode_all(&config, bytes, sizeof bytes, 0, &vec);
        etm_etmv3_decoder_init(&decoder, &config);
        decoder.state = ETM_ETMV3_PACKETS;
        decoder.offset = 6;
        size =
            etm_etmv3_decoder_next(&decoder, bytes + 6, sizeof bytes - 6, &p);
        if (size != 0) {
            assert_true(vec.n > 1);
            assert_memory_equal(&p, &packets_of(&vec)[1], sizeof p);
            assert_int_equal(p.size, size);
            whole++;
        }
        etm_vec_fini(&vec);
    }
    assert_in_range(whole, 10000, 20000);
}

/* E-610: not where the decoder enters a stream. */
static void only_the_first_byte_begins_a_stream(void **state)
{
    static const uint8_t bytes[] = {0x08, 0x21, 0x01, 0x02, 0x00, 0x08, 0x98};
    struct etm_etmv3_decoder decoder;
    struct etm_vec vec;

    (void)state;
    etm_vec_init(&vec, sizeof(struct etm_packet), NULL);
    etm_etmv3_decoder_init(&decoder, &plain);
    etm_etmv3_decoder_enter(&decoder, 0);
    assert_int_equal(
        etm_etmv3_decoder_push(&decoder, bytes, sizeof bytes, &vec), ETM_OK);
    assert_int_equal(etm_etmv3_decoder_finish(&decoder, &vec), ETM_OK);
    assert_packets(&vec, "unsynchronized 7");
    etm_vec_fini(&vec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_is_claimed_once_in_each_mode),
        cmocka_unit_test(each_byte_has_its_meaning_in_each_configuration),
        cmocka_unit_test(every_split_gives_the_same_packets),
        cmocka_unit_test(every_cut_gives_the_same_packets),
        cmocka_unit_test(packets_cover_any_garbage_exactly_once),
        cmocka_unit_test(truncation_at_each_byte_gives_a_bad_packet),
        cmocka_unit_test(gap_ends_the_packet_and_the_synchronization),
        cmocka_unit_test(a_packet_alone_is_the_same_packet),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(warm_decoder_does_not_allocate),
        cmocka_unit_test(only_the_first_byte_begins_a_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
