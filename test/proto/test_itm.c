/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of an ITM and a DWT: any bytes (those of the manual are in
 * itm.enc). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/itm.h"

static const struct etm_config config = {.protocol = ETM_PROTOCOL_ITM};

/* Decode in pieces of `step` bytes. */
static size_t decode(const uint8_t *bytes, size_t n, size_t step,
                     struct etm_vec *packets)
{
    struct etm_itm_decoder d;

    packets->n = 0;
    etm_itm_decoder_init(&d, &config);
    for (size_t at = 0; at < n; at += step) {
        size_t piece = step < n - at ? step : n - at;

        assert_int_equal(etm_itm_decoder_push(&d, bytes + at, piece, packets),
                         ETM_OK);
    }
    assert_int_equal(etm_itm_decoder_finish(&d, packets), ETM_OK);
    return packets->n;
}

static void each_header_byte_is_claimed_once(void **state)
{
    size_t n;
    const struct etm_itm_header_row *rows = etm_itm_header_rows(&n);

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned claims = 0;

        for (size_t i = 0; i < n; i++)
            claims += (byte & rows[i].mask) == rows[i].value;
        if (claims != 1)
            fail_msg("0x%02x is claimed %u times", byte, claims);
    }
}

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

/* Any bytes begin any packets; every tenth time zeros, and perhaps 80, which
 * are a synchronization, damage, or a packet that takes some of them. */
static void make_stream(uint8_t *stream, size_t n, uint32_t *random)
{
    for (size_t i = 0; i < n;) {
        size_t zeros =
            next_random(random) % 10 == 0 ? next_random(random) % 9 : 0;

        for (; zeros != 0 && i < n; zeros--)
            stream[i++] = 0;
        if (i < n && i != 0 && stream[i - 1] == 0 &&
            next_random(random) % 2 == 0)
            stream[i++] = 0x80;
        if (i < n)
            stream[i++] = (uint8_t)next_random(random);
    }
}

static void any_split_gives_the_same_and_all_bytes(void **state)
{
    uint8_t stream[2000];
    struct etm_vec whole, split;
    uint32_t random = 1;

    (void)state;
    etm_vec_init(&whole, sizeof(struct etm_packet), NULL);
    etm_vec_init(&split, sizeof(struct etm_packet), NULL);
    for (unsigned round = 0; round < 40; round++) {
        const size_t n = sizeof stream;
        const struct etm_packet *p;
        uint64_t offset = 0;

        make_stream(stream, n, &random);
        decode(stream, n, n, &whole);
        p = whole.data;
        for (size_t i = 0; i < whole.n; i++, p++) {
            assert_int_equal(p->offset, offset);
            assert_true(p->size != 0);
            offset += p->size;
        }
        assert_int_equal(offset, n);
        for (size_t step = 1; step < 14; step++) {
            decode(stream, n, step, &split);
            assert_int_equal(split.n, whole.n);
            assert_memory_equal(split.data, whole.data,
                                whole.n * sizeof(struct etm_packet));
        }
    }
    etm_vec_fini(&whole);
    etm_vec_fini(&split);
}

/* What is encoded again gives the same packet. */
static void any_packet_can_be_encoded_again(void **state)
{
    uint8_t stream[4000];
    struct etm_vec got, again;
    uint32_t random = 7;

    (void)state;
    etm_vec_init(&got, sizeof(struct etm_packet), NULL);
    etm_vec_init(&again, sizeof(struct etm_packet), NULL);
    for (size_t i = 0; i < sizeof stream; i++)
        stream[i] = (uint8_t)next_random(&random);
    decode(stream, sizeof stream, sizeof stream, &got);
    for (size_t i = 0; i < got.n; i++) {
        struct etm_packet p = ((struct etm_packet *)got.data)[i], *is;
        uint8_t bytes[ETM_PACKET_ENCODED_MAX];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        if (p.kind == ETM_PACKET_BAD)
            continue;
        assert_int_equal(etm_itm_encode(&config, &p, &w), ETM_OK);
        assert_int_equal(
            decode(bytes, etm_writer_size(&w), sizeof bytes, &again), 1);
        is = again.data;
        p.offset = 0;
        assert_memory_equal(is, &p, sizeof p);
    }
    etm_vec_fini(&got);
    etm_vec_fini(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_header_byte_is_claimed_once),
        cmocka_unit_test(any_split_gives_the_same_and_all_bytes),
        cmocka_unit_test(any_packet_can_be_encoded_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
