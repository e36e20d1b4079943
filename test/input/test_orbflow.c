/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of orbuculum, as frames: bytes come out as they went in, in
 * whatever pieces, and damage is missing where it was. */
#include "../support/test.h"
#include "input/orbflow.h"

#include "../support/random.h"
#include "port/frame.h"

#define MOST 4096u

static struct etm_allocator allocator;

/* Append a packet, stuffed block by block: a byte with the distance to the next
 * 0, or 255 and 254 bytes without one. */
static void put_packet(struct etm_vec *to, uint8_t id, const uint8_t *bytes,
                       size_t n)
{
    static const uint8_t end = 0;
    uint8_t plain[MOST + 2], sum = id, block[255];
    size_t at = 0, size = 0;
    bool open = true; /* a block begins even if nothing is left */

    plain[size++] = id;
    for (size_t i = 0; i < n; i++) {
        plain[size++] = bytes[i];
        sum = (uint8_t)(sum + bytes[i]);
    }
    plain[size++] = (uint8_t)(0u - sum);
    while (at < size || open) {
        size_t length = 0;

        while (at < size && plain[at] != 0 && length < 254)
            block[1 + length++] = plain[at++];
        block[0] = (uint8_t)(length + 1);
        assert_ok(etm_vec_append(to, block, length + 1));
        open = length < 254 && at < size;
        at += open; /* the 0 that the distance stands for */
    }
    assert_ok(etm_vec_append(to, &end, 1));
}

/* What frames have of a source, and what it lost. */
static uint64_t unpack(const struct etm_vec *frames, uint8_t id,
                       struct etm_vec *stream)
{
    struct etm_deframer d;
    struct etm_deframed made;
    uint64_t lost = 0;

    etm_deframer_init(&d, ETM_FRAME_ALIGNED, id, &allocator);
    if (frames->n != 0)
        assert_ok(etm_deframer_push(&d, frames->data, frames->n));
    assert_ok(etm_deframer_finish(&d));
    etm_deframer_take(&d, &made);
    stream->n = 0;
    assert_ok(etm_vec_append(stream, made.bytes, made.n_bytes));
    for (size_t i = 0; i < made.n_runs; i++)
        lost += made.runs[i].lost;
    lost += made.lost;
    etm_deframer_fini(&d);
    return lost;
}

struct data {
    struct etm_vec packets, frames, stream;
    struct etm_orbflow orbflow;
};

static void begin(struct data *d)
{
    allocator = etm_allocator_or_default(NULL);
    etm_vec_init(&d->packets, 1, &allocator);
    etm_vec_init(&d->frames, 1, &allocator);
    etm_vec_init(&d->stream, 1, &allocator);
    assert_ok(etm_orbflow_init(&d->orbflow, &allocator));
}

static void push(struct data *d, size_t from, size_t n)
{
    assert_ok(etm_orbflow_push(
        &d->orbflow, (const uint8_t *)d->packets.data + from, n, &d->frames));
}

static void end(struct data *d)
{
    etm_orbflow_fini(&d->orbflow);
    etm_vec_fini(&d->packets);
    etm_vec_fini(&d->frames);
    etm_vec_fini(&d->stream);
}

/* Around the length of a block, with and without zeros. */
TEST(bytes_come_out_as_they_went_in)
{
    uint8_t bytes[MOST];
    struct random r = {1};

    for (size_t n = 0; n <= 1024; n += n < 520 ? 1 : 63)
        for (unsigned kind = 0; kind < 3; kind++) {
            struct data d;

            begin(&d);
            for (size_t i = 0; i < n; i++)
                bytes[i] = kind == 0   ? 0x55
                           : kind == 1 ? 0
                                       : (uint8_t)random_below(&r, 3);
            put_packet(&d.packets, 2, bytes, n);
            push(&d, 0, d.packets.n);
            assert_int_equal(d.orbflow.good, 1);
            assert_int_equal(unpack(&d.frames, 2, &d.stream), 0);
            assert_int_equal(d.stream.n, n);
            if (n != 0)
                assert_memory_equal(d.stream.data, bytes, n);
            end(&d);
        }
}

TEST(pieces_make_no_difference)
{
    struct random r = {2};

    for (unsigned i = 0; i < 50; i++) {
        struct data whole, pieces;
        uint8_t bytes[300];

        begin(&whole);
        begin(&pieces);
        for (unsigned k = 0; k < 30; k++) {
            size_t n = random_below(&r, sizeof bytes);

            for (size_t j = 0; j < n; j++)
                bytes[j] = (uint8_t)random_next(&r);
            put_packet(&whole.packets, (uint8_t)(1 + random_below(&r, 3)),
                       bytes, n);
        }
        assert_ok(etm_vec_append(&pieces.packets, whole.packets.data,
                                 whole.packets.n));
        push(&whole, 0, whole.packets.n);
        for (size_t at = 0, n; at < pieces.packets.n; at += n) {
            n = 1 + random_below(&r, 40);
            n = n < pieces.packets.n - at ? n : pieces.packets.n - at;
            push(&pieces, at, n);
        }
        assert_int_equal(whole.frames.n, pieces.frames.n);
        assert_memory_equal(whole.frames.data, pieces.frames.data,
                            whole.frames.n);
        end(&whole);
        end(&pieces);
    }
}

/* Each source that had a packet misses as many bytes as the damaged one had. */
TEST(damage_is_missing_of_all_sources)
{
    for (size_t n = 1; n < 120; n++) {
        uint8_t bytes[120];
        struct data d;
        size_t first, second;

        begin(&d);
        memset(bytes, 0x33, sizeof bytes);
        put_packet(&d.packets, 1, bytes, 7);
        put_packet(&d.packets, 2, bytes, 20);
        first = d.packets.n;
        put_packet(&d.packets, 1, bytes, n);
        second = d.packets.n;
        ((uint8_t *)d.packets.data)[first + 2] ^= 4;
        put_packet(&d.packets, 1, bytes, 9);
        put_packet(&d.packets, 2, bytes, 11);
        push(&d, 0, d.packets.n);
        assert_int_equal(d.orbflow.damaged, 1);
        for (uint8_t id = 1; id <= 2; id++) {
            uint64_t lost = unpack(&d.frames, id, &d.stream);

            /* one byte may have no place at the end of a frame */
            assert_true(lost == second - first || lost + 1 == second - first);
            assert_int_equal(d.stream.n, id == 1 ? 16 : 31);
        }
        end(&d);
    }
}

TEST(what_comes_before_the_first_packet_is_no_damage)
{
    static const uint8_t rest[] = {1, 2, 3, 0};
    struct data d;

    begin(&d);
    assert_ok(etm_vec_append(&d.packets, rest, sizeof rest));
    put_packet(&d.packets, 5, (const uint8_t *)"bytes", 5);
    push(&d, 0, d.packets.n);
    assert_int_equal(d.orbflow.damaged, 0);
    assert_int_equal(d.orbflow.first, 5);
    assert_int_equal(unpack(&d.frames, 5, &d.stream), 0);
    assert_int_equal(d.stream.n, 5);
    assert_ok(etm_orbflow_break(&d.orbflow, &d.frames));
    assert_int_equal(unpack(&d.frames, 5, &d.stream), 0);
    push(&d, sizeof rest, 4);
    assert_ok(etm_orbflow_break(&d.orbflow, &d.frames));
    assert_true(unpack(&d.frames, 5, &d.stream) != 0);
    end(&d);
}

/* Gaps tell what is missing, in not much more memory than the bytes took: of
 * many short packets, and in the midst of one that does not end. */
TEST(much_damage_takes_little_memory)
{
    enum { SOURCES = ETM_ID_RESERVED - 1, BAD = 20000, LONG = 50000 };
    const uint8_t bad[] = {5, 0};
    uint8_t piece[1000];
    struct data d;
    uint64_t lost = 0;
    size_t begun;

    begin(&d);
    for (uint8_t id = 1; id <= SOURCES; id++)
        put_packet(&d.packets, id, &id, 1);
    begun = d.packets.n;
    for (unsigned i = 0; i < BAD; i++)
        assert_ok(etm_vec_append(&d.packets, bad, 2));
    put_packet(&d.packets, 1, bad, 2);
    push(&d, 0, d.packets.n);
    assert_int_equal(d.orbflow.damaged, BAD);
    assert_in_range(d.frames.n, 0, 2 * SOURCES * (d.packets.n - begun));
    assert_in_range(unpack(&d.frames, 1, &d.stream), 2 * BAD - 9, 2 * BAD);
    assert_int_equal(d.stream.n, 3);
    memset(piece, 0x77, sizeof piece);
    d.packets.n = 0;
    assert_ok(etm_vec_append(&d.packets, piece, sizeof piece));
    for (size_t n = 0; n < LONG; n += sizeof piece) {
        d.frames.n = 0;
        push(&d, 0, sizeof piece);
        assert_in_range(d.frames.n, 0, (size_t)SOURCES * 20000);
        lost += unpack(&d.frames, 1, &d.stream);
    }
    d.frames.n = 0;
    assert_ok(etm_orbflow_break(&d.orbflow, &d.frames));
    lost += unpack(&d.frames, 1, &d.stream);
    assert_in_range(lost, LONG - 9, LONG);
    end(&d);
}

TEST(anything_may_come)
{
    struct random r = {3};

    for (unsigned i = 0; i < 200; i++) {
        struct data d;
        uint8_t bytes[2000];

        begin(&d);
        put_packet(&d.packets, 1, NULL, 0);
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = random_chance(&r, 5) ? 0 : (uint8_t)random_next(&r);
        assert_ok(etm_vec_append(&d.packets, bytes, sizeof bytes));
        push(&d, 0, d.packets.n);
        assert_int_equal(d.frames.n % ETM_FRAME_BYTES, 0);
        end(&d);
    }
}
