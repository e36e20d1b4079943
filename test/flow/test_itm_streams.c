/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of an ITM that were damaged, cut and split anywhere: their elements.
 */
#include "../support/test.h"
#include "base/writer.h"
#include "proto/itm.h"

#include <etm/decode.h>

#define BYTES 600u
#define MOST 2048u

static const struct etm_config config = {.size = sizeof(struct etm_config),
                                         .protocol = ETM_PROTOCOL_ITM};

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

static struct etm_packet any_packet(uint32_t *random)
{
    uint32_t value = next_random(random);
    uint8_t tag = (uint8_t)(value % 4);

    switch (next_random(random) % 8) {
    case 0:
        return (struct etm_packet){.kind = ETM_PACKET_SYNCHRONIZATION};
    case 1:
        return (struct etm_packet){.kind = ETM_PACKET_LOCAL_TIMESTAMP,
                                   .value = value % 100000,
                                   .tag = tag};
    case 2:
        return (struct etm_packet){.kind = ETM_PACKET_PC_SAMPLE,
                                   .fields = ETM_FIELD_ADDRESS,
                                   .address = value & ~1u,
                                   .value_bytes = 4};
    case 3:
        return (struct etm_packet){.kind = ETM_PACKET_OVERFLOW};
    case 4:
        return (struct etm_packet){.kind = ETM_PACKET_EVENT_COUNTER,
                                   .value = value % 64};
    default:
        return (struct etm_packet){.kind = ETM_PACKET_INSTRUMENTATION,
                                   .tag = (uint8_t)(value % 32),
                                   .value = value & 0xffu,
                                   .value_bytes = 1};
    }
}

static size_t make_stream(uint8_t bytes[BYTES], uint32_t *random)
{
    struct etm_writer w = etm_writer_of(bytes, BYTES);

    while ((size_t)(w.end - w.next) > ETM_PACKET_ENCODED_MAX) {
        struct etm_packet p = any_packet(random);

        assert_ok(etm_itm_encode(&config, &p, &w));
    }
    return etm_writer_size(&w);
}

struct got {
    struct etm_element elements[MOST];
    size_t n;
};

static int take(void *context, const struct etm_element *elements, size_t n)
{
    struct got *got = context;

    assert_true(got->n + n <= MOST);
    memcpy(got->elements + got->n, elements, n * sizeof *elements);
    got->n += n;
    return ETM_OK;
}

/* `parts`: of so many bytes at most; 0: all at once. */
static void decode(struct got *got, const uint8_t *bytes, size_t n,
                   uint32_t parts)
{
    const struct etm_decoder_config how = {.size = sizeof how,
                                           .config = &config,
                                           .elements = take,
                                           .context = got,
                                           .sizeof_element =
                                               sizeof(struct etm_element)};
    struct etm_decoder *decoder;
    uint32_t random = parts;

    memset(got, 0, sizeof *got);
    assert_ok(etm_decoder_new(&decoder, &how));
    for (size_t at = 0, k; at < n; at += k) {
        k = parts == 0 ? n : 1 + next_random(&random) % parts;
        k = k < n - at ? k : n - at;
        assert_ok(etm_decoder_push(decoder, bytes + at, k));
    }
    assert_ok(etm_decoder_finish(decoder));
    etm_decoder_free(decoder);
}

/* In order, within the stream, with one end. */
static void check(const struct got *got, size_t n)
{
    uint64_t lost = 0;

    assert_true(got->n > 0);
    for (size_t i = 0; i < got->n; i++) {
        const struct etm_element *e = &got->elements[i];

        assert_true(e->offset <= n);
        assert_true(i == 0 || e->offset >= got->elements[i - 1].offset);
        assert_int_equal(e->kind == ETM_ELEMENT_END, i + 1 == got->n);
        lost += e->kind == ETM_ELEMENT_LOST ? e->u.lost.bytes : 0;
    }
    assert_true(lost <= n);
}

TEST(split_anywhere_they_have_the_same_elements)
{
    static struct got whole, parts;
    uint32_t random = 1;

    for (unsigned round = 0; round < 300; round++) {
        uint8_t bytes[BYTES];
        size_t n = make_stream(bytes, &random);

        for (size_t i = 0; round % 2 != 0 && i < n; i++)
            if (next_random(&random) % 40 == 0)
                bytes[i] = (uint8_t)next_random(&random);
        decode(&whole, bytes, n, 0);
        check(&whole, n);
        for (uint32_t most = 1; most < 12; most += 2) {
            decode(&parts, bytes, n, most);
            assert_int_equal(parts.n, whole.n);
            assert_memory_equal(parts.elements, whole.elements,
                                whole.n * sizeof *whole.elements);
        }
    }
}

TEST(cut_anywhere_what_came_before_is_the_same)
{
    static struct got whole, cut;
    uint8_t bytes[BYTES];
    uint32_t random = 2;
    size_t n = make_stream(bytes, &random);

    decode(&whole, bytes, n, 0);
    for (size_t end = 0; end < n; end++) {
        size_t same = 0;

        decode(&cut, bytes, end, 0);
        check(&cut, end);
        while (same < cut.n && same < whole.n &&
               memcmp(&cut.elements[same], &whole.elements[same],
                      sizeof *cut.elements) == 0)
            same++;
        /* what the last packet may have been, and the end */
        assert_true(cut.n - same <= 2);
    }
}

TEST(damage_ends_with_the_next_synchronization)
{
    static struct got whole, damaged;
    uint32_t random = 3;

    for (unsigned round = 0; round < 300; round++) {
        static const uint8_t sync[] = {0, 0, 0, 0, 0, 0x80};
        uint8_t bytes[2 * BYTES + sizeof sync];
        size_t n = make_stream(bytes, &random), at = n, from = 0;

        memcpy(bytes + n, sync, sizeof sync);
        n += sizeof sync;
        n += make_stream(bytes + n, &random);
        decode(&whole, bytes, n, 0);
        bytes[next_random(&random) % at] ^=
            (uint8_t)(1 + next_random(&random) % 255);
        decode(&damaged, bytes, n, 0);
        check(&damaged, n);
        while (whole.elements[whole.n - 1 - from].offset >= at + sizeof sync)
            from++;
        assert_true(from > 10 && from < damaged.n);
        for (size_t i = 1; i <= from; i++) {
            struct etm_element a = whole.elements[whole.n - i];
            struct etm_element b = damaged.elements[damaged.n - i];

            if (a.kind == ETM_ELEMENT_LOCAL_TIMESTAMP)
                a.u.local_timestamp.ticks = b.u.local_timestamp.ticks;
            if (a.kind == ETM_ELEMENT_SOFTWARE) /* of the page, which may be
                                                   another one */
                a.u.software.port = b.u.software.port;
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
}
