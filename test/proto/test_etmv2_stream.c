/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: cycles of the trace port to packets (ETM architecture 6.1 to 6.5). */
#include "proto/etmv2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* One cycle, and what TRACEPKT is in it. */
struct cycle {
    uint8_t status;
    uint16_t pins;
    uint8_t kind; /* enum etm_packet_kind */
    uint8_t use;  /* enum etm_packet_use */
    uint8_t count;
    int offset; /* TFO value; -1: none */
};

#define FIFO(n) ETM_PACKET_TRACE_PACKET, ETM_USE_PACKETS, n, -1
#define NOTHING ETM_PACKET_TRACE_PACKET, ETM_USE_NOTHING, 0, -1
#define STATUS ETM_PACKET_TRACE_PACKET, ETM_USE_STATUS, 0, -1
#define GAP ETM_PACKET_TRACE_PACKET, ETM_USE_GAP, 0, -1
#define HALF ETM_PACKET_TFO, ETM_USE_TFO, 0, -1
#define TFO(v) ETM_PACKET_TFO, ETM_USE_TFO, 0, v
#define UNKNOWN ETM_PACKET_UNSYNCHRONIZED, ETM_USE_UNKNOWN, 0, -1

enum { IE, DE, IN, DN, WT, DW, TR, TD };

static struct etm_config config(unsigned width)
{
    return (struct etm_config){.protocol = ETM_PROTOCOL_ETMV2,
                               .port_width = (uint8_t)width,
                               .data_value = true};
}

static size_t bytes_of(const struct cycle *cycles, size_t n, unsigned width,
                       uint8_t *bytes)
{
    uint8_t *b = bytes;

    for (size_t i = 0; i < n; i++) {
        *b++ = cycles[i].status;
        *b++ = (uint8_t)cycles[i].pins;
        if (width == 16)
            *b++ = (uint8_t)(cycles[i].pins >> 8);
    }
    return (size_t)(b - bytes);
}

/* Decode in pieces of `piece` bytes. */
static void decode(const struct etm_config *c, const uint8_t *bytes, size_t n,
                   size_t piece, struct etm_vec *out)
{
    struct etm_etmv2_decoder d;

    etm_vec_init(out, sizeof(struct etm_packet), NULL);
    etm_etmv2_decoder_init(&d, c);
    for (size_t i = 0; i < n; i += piece)
        assert_int_equal(etm_etmv2_decoder_push(
                             &d, bytes + i, n - i < piece ? n - i : piece, out),
                         ETM_OK);
    assert_int_equal(etm_etmv2_decoder_finish(&d, out), ETM_OK);
}

static void check_one(const struct etm_packet *p, const struct cycle *c,
                      size_t i)
{
    if (p[0].kind != ETM_PACKET_PIPESTAT || p[0].value != c->status ||
        p[1].kind != c->kind || p[1].use != c->use || p[1].count != c->count ||
        p[1].value != c->pins || p[1].info != c->status)
        fail_msg("cycle %zu: status %x pins %x kind %s use %d count %d", i,
                 (unsigned)p[0].value, (unsigned)p[1].value,
                 etm_packet_kind_name((enum etm_packet_kind)p[1].kind),
                 p[1].use, p[1].count);
    assert_int_equal((p[1].fields & ETM_FIELD_ADDRESS) != 0, c->offset >= 0);
    if (c->offset >= 0)
        assert_int_equal(p[1].address, c->offset);
}

/* The cycles decode as they say, at any split, and encode to the bytes. */
static void check(unsigned width, const struct cycle *cycles, size_t n)
{
    struct etm_config c = config(width);
    uint8_t bytes[256], again[256];
    size_t size = bytes_of(cycles, n, width, bytes);

    for (size_t piece = 1; piece < 5; piece++) {
        struct etm_writer w = etm_writer_of(again, sizeof again);
        struct etm_vec out;
        const struct etm_packet *p;
        uint64_t offset = 0;

        decode(&c, bytes, size, piece, &out);
        p = out.data;
        assert_int_equal(out.n, 2 * n);
        for (size_t i = 0; i < n; i++)
            check_one(&p[2 * i], &cycles[i], i);
        for (size_t i = 0; i < out.n; i++) {
            assert_int_equal(p[i].offset, offset);
            offset += p[i].size;
            if (p[i].kind == ETM_PACKET_UNSYNCHRONIZED ||
                p[i].kind == ETM_PACKET_BAD) {
                assert_int_equal(etm_etmv2_encode(&c, &p[i], &w),
                                 ETM_ERR_UNSUPPORTED);
                w.next += p[i].size;
                memcpy(w.next - p[i].size, bytes + p[i].offset, p[i].size);
            } else {
                assert_int_equal(etm_etmv2_encode(&c, &p[i], &w), ETM_OK);
            }
        }
        assert_int_equal(offset, size);
        assert_memory_equal(again, bytes, size);
        etm_vec_fini(&out);
    }
}

#define CHECK(width, cycles) check(width, cycles, COUNT(cycles))

/* Table 6-5 (EX-04): a TFO in the middle of a byte. The data bytes of the
 * table, CD and AB, stand for any; here they are a packet of one value. */
/* V2-PKT-01, V2-RULE-03, V2-RULE-04, V2-TFO-03, V2-TFO-05, V2-TFO-10 to -13 */
static void a_tfo_in_the_middle_of_a_byte(void **state)
{
    static const struct cycle cycles[] = {
        {TD, 0x9, HALF},    /* tracing begins: 09, then its packet */
        {WT, 0x0, TFO(0)},  /* the upper half */
        {WT, 0x0, FIFO(1)}, /* 20 00 80 00 00 */
        {WT, 0x2, FIFO(1)}, {WT, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)},
        {WT, 0x0, FIFO(1)}, {WT, 0x8, FIFO(1)}, {WT, 0x0, FIFO(1)},
        {WT, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)},
        {DE, 0x6, FIFO(1)},                                      /* 06 AB */
        {IE, 0x0, FIFO(1)}, {WT, 0xb, FIFO(1)}, {TD, 0x9, HALF}, /* was IE */
        {IE, 0x1, TFO(1)},  {WT, 0x6, GAP},     {IN, 0xa, FIFO(1)},
        {DN, 0x0, FIFO(1)}, /* the TFO packet begins */
        {WT, 0x0, FIFO(1)},
    };

    (void)state;
    CHECK(4, cycles);
}

/* The same stream from the last TFO on: the gap nibble belongs to the byte that
 * is passed over. V2-SYNC-01, V2-SYNC-04 */
static void reading_begins_at_a_tfo_in_the_middle_of_a_byte(void **state)
{
    static const struct cycle cycles[] = {
        {IE, 0x0, UNKNOWN}, {WT, 0xb, UNKNOWN}, {TD, 0x9, HALF},
        {IE, 0x1, TFO(1)},  {WT, 0x6, UNKNOWN}, {IN, 0xa, UNKNOWN},
        {DN, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)},
    };

    (void)state;
    CHECK(4, cycles);
}

/* What stands beside a TFO is a filler, or anything: it is not read. E-257 */
static void pins_beside_a_tfo_carry_nothing(void **state)
{
    static const struct cycle cycles[] = {
        {TD, 0xab09, TFO(0)},  {IE, 0x0020, FIFO(4)}, {IE, 0x0080, FIFO(4)},
        {DE, 0x0200, FIFO(4)}, {TD, 0x0000, NOTHING},
    };

    (void)state;
    CHECK(16, cycles);
}

/* V2-PKT-02, V2-PKT-03, V2-PKT-04, V2-TFO-16, V2-RULE-05: two bytes in a cycle
 * while there are two */
static void sixteen_pins_carry_up_to_two_bytes(void **state)
{
    static const struct cycle cycles[] = {
        {TD, 0x6609, TFO(0)},  {IE, 0x0020, FIFO(4)}, {IE, 0x0080, FIFO(4)},
        {DE, 0x0200, FIFO(4)}, /* the last byte, and 02 of this cycle */
        {IE, 0x1234, NOTHING}, {DE, 0xab06, FIFO(4)}, {DE, 0x6602, FIFO(2)},
        {TD, 0x0000, NOTHING},
    };

    (void)state;
    CHECK(16, cycles);
}

/* V2-TRG-01, V2-TRG-02, V2-TRG-06: a trigger stops the output for one cycle,
 * and the group of its status is put into the FIFO; TCD-02 */
static void a_trigger_takes_a_cycle(void **state)
{
    static const struct cycle cycles[] = {
        {TD, 0x09, TFO(0)},  {IE, 0x20, FIFO(2)}, {TR, 0x00, STATUS},
        {IE, 0x00, FIFO(2)}, {IE, 0x80, FIFO(2)}, {TR, 0x01, STATUS},
        {WT, 0x00, FIFO(2)}, {WT, 0x00, FIFO(2)}, {WT, 0x02, FIFO(2)},
        {TR, 0x04, STATUS},  {TD, 0x00, NOTHING},
    };

    (void)state;
    CHECK(8, cycles);
}

/* V2-TRG-03, V2-TFO-14: the TFO value comes in the next cycle, or two */
static void a_trigger_in_the_cycle_of_a_tfo(void **state)
{
    static const struct cycle eight[] = {
        {TR, 0x07, STATUS},  {IE, 0x09, TFO(0)},  {DE, 0x20, FIFO(2)},
        {IE, 0x00, FIFO(2)}, {IE, 0x80, FIFO(2)}, {IE, 0x00, FIFO(2)},
        {IE, 0x00, FIFO(2)}, {IE, 0x02, FIFO(2)}, {TD, 0x00, NOTHING},
    };
    static const struct cycle four[] = {
        {TR, 0x7, STATUS}, {IE, 0x9, HALF},    {TR, 0x0, STATUS},
        {IE, 0x0, TFO(0)}, {IE, 0x0, FIFO(1)},
    };

    (void)state;
    CHECK(8, eight);
    CHECK(4, four);
}

/* V2-TRG-04: a trigger moves the upper half of a TFO value, and a gap nibble */
static void a_trigger_in_front_of_the_gap_nibble(void **state)
{
    static const struct cycle cycles[] = {
        {TD, 0x9, HALF},    {WT, 0x0, TFO(0)},  {WT, 0x0, FIFO(1)},
        {WT, 0x2, FIFO(1)}, {WT, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)},
        {WT, 0x0, FIFO(1)}, {WT, 0x8, FIFO(1)}, {WT, 0x0, FIFO(1)},
        {WT, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)}, {WT, 0x0, FIFO(1)},
        {DE, 0x2, FIFO(1)}, /* 02: half of it is out */
        {TD, 0x9, HALF},    {TR, 0x0, STATUS},  {IE, 0x1, TFO(1)},
        {TR, 0x2, STATUS},  {IE, 0x6, GAP},     {IE, 0x0, FIFO(1)},
        {IE, 0x0, FIFO(1)},
    };

    (void)state;
    CHECK(4, cycles);
}

/* V2-CYC-01, V2-PIPE-11, TCD-05 */
static void cycles_without_trace(void **state)
{
    static const struct cycle cycles[] = {
        {TD, 0x00, NOTHING},
        {TD, 0x07, NOTHING},
        {TD, 0xfe, NOTHING},
        {TD, 0x05, ETM_PACKET_TRACE_PACKET, ETM_USE_RESERVED, 0, -1},
    };

    (void)state;
    CHECK(8, cycles);
}

/* V2-RULE-06: bytes where there can be none, and none where there must be. The
 * next TFO puts it right. */
static void statuses_that_contradict_the_fifo(void **state)
{
    static const struct cycle none[] = {
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x80, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {WT, 0x02, ETM_PACKET_BAD, ETM_USE_NOTHING, 0, -1},
        {IE, 0x00, UNKNOWN},
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
    };
    static const struct cycle some[] = {
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
        {TD, 0x00, ETM_PACKET_BAD, ETM_USE_NOTHING, 0, -1},
        {IE, 0x00, UNKNOWN},
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
    };

    /* V2-TFO-17: it is nothing that a port says, with an empty FIFO too */
    static const struct cycle reserved[] = {
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x80, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {TD, 0x00, NOTHING},
        {TD, 0x25, ETM_PACKET_BAD, ETM_USE_RESERVED, 0, -1},
        {IE, 0x00, UNKNOWN},
        {TD, 0x25, ETM_PACKET_TRACE_PACKET, ETM_USE_RESERVED, 0, -1},
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
    };

    (void)state;
    CHECK(8, none);
    CHECK(8, some);
    CHECK(8, reserved);
}

/* V2-HDR-07, V2-SYNC-03: a reserved header is bad, and so is a TFO that the
 * groups do not lead to; its packet is read all the same */
static void a_tfo_decides_where_its_packet_begins(void **state)
{
    static const struct cycle reserved[] = {
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x80, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {DE, 0x66, ETM_PACKET_BAD, ETM_USE_PACKETS, 2, -1},
        {IE, 0x00, UNKNOWN},
    };
    static const struct cycle early[] = {
        {TD, 0x09, TFO(0)},  {IE, 0x20, FIFO(2)}, {IE, 0x00, FIFO(2)},
        {IE, 0x80, FIFO(2)}, {IE, 0x00, FIFO(2)}, {IE, 0x00, FIFO(2)},
        {DE, 0x0e, FIFO(2)}, /* four more bytes, so it says */
        {IE, 0x11, FIFO(2)}, {TD, 0x19, TFO(1)},  {WT, 0x22, FIFO(2)},
        {WT, 0x00, FIFO(2)}, /* the TFO packet, and not its fourth byte */
        {WT, 0x00, FIFO(2)}, {WT, 0x80, FIFO(2)}, {WT, 0x00, FIFO(2)},
        {WT, 0x00, FIFO(2)}, {TD, 0x00, NOTHING},
    };
    /* a TFO packet that is in the FIFO already */
    static const struct cycle within[] = {
        {TD, 0x09, TFO(0)},
        {IE, 0x20, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x80, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {IE, 0x00, FIFO(2)},
        {DE, 0x86, FIFO(2)}, /* one of two packets, with a byte */
        {IE, 0x11, FIFO(2)},
        {TD, 0x19, TFO(1)},
        {WT, 0x66, ETM_PACKET_BAD, ETM_USE_PACKETS, 2, -1},
        {WT, 0x00, FIFO(2)},
        {WT, 0x00, FIFO(2)},
        {WT, 0x80, FIFO(2)},
        {WT, 0x00, FIFO(2)},
        {WT, 0x00, FIFO(2)},
        {TD, 0x00, NOTHING},
    };

    (void)state;
    CHECK(8, reserved);
    CHECK(8, early);
    CHECK(8, within);
}

/* Of two TFOs that contradict each other one is damage: the packet of the later
 * one is read where it says, also if that is before the packet of the earlier
 * one, or within it (E-255) */
static void a_false_tfo_does_not_hide_the_next_one(void **state)
{
    static const struct cycle far[] = {
        {TD, 0x09, TFO(0)},  {IE, 0x20, FIFO(2)}, {IE, 0x00, FIFO(2)},
        {IE, 0x80, FIFO(2)}, {IE, 0x00, FIFO(2)}, {IE, 0x00, FIFO(2)},
        {TD, 0x03, TFO(80)}, /* was an IE */
        {IE, 0x11, UNKNOWN}, {TD, 0x09, TFO(0)},  {WT, 0x00, FIFO(2)},
        {WT, 0x00, FIFO(2)}, {WT, 0x80, FIFO(2)}, {WT, 0x00, FIFO(2)},
        {WT, 0x00, FIFO(2)}, {TD, 0x00, NOTHING},
    };
    static const struct cycle within[] = {
        {TD, 0x09, TFO(0)}, /* was an IE */
        {IE, 0x00, FIFO(2)}, {IE, 0x11, FIFO(2)}, {TD, 0x19, TFO(1)},
        {WT, 0x22, FIFO(2)}, {WT, 0x00, FIFO(2)}, /* the other TFO packet */
        {WT, 0x00, FIFO(2)}, {WT, 0x80, FIFO(2)}, {WT, 0x00, FIFO(2)},
        {WT, 0x00, FIFO(2)}, {TD, 0x00, NOTHING},
    };
    static const struct cycle halves[] = {
        {TD, 0x3, HALF},    {IE, 0x0, TFO(80)}, /* was an IE */
        {IE, 0x1, UNKNOWN}, {TD, 0x9, HALF},    {WT, 0x1, TFO(1)},
        {WT, 0x6, GAP},     {WT, 0x1, UNKNOWN}, {WT, 0x0, FIFO(1)},
        {WT, 0x0, FIFO(1)},
    };

    (void)state;
    CHECK(8, far);
    CHECK(8, within);
    CHECK(4, halves);
}

static void a_record_that_is_cut_off_is_bad(void **state)
{
    struct etm_config c = config(16);
    struct etm_vec out;
    struct etm_etmv2_decoder d;
    const struct etm_packet *p;

    (void)state;
    decode(&c, (const uint8_t *)"\x07\x09\x66\x00\x20", 5, 5, &out);
    p = out.data;
    assert_int_equal(out.n, 3);
    assert_int_equal(p[2].kind, ETM_PACKET_BAD);
    assert_int_equal(p[2].offset, 3);
    assert_int_equal(p[2].size, 2);
    assert_int_equal(p[2].fields, ETM_FIELD_TRUNCATED);
    /* a gap likewise; what follows begins a record */
    out.n = 0;
    etm_etmv2_decoder_init(&d, &c);
    etm_etmv2_decoder_push(&d, (const uint8_t *)"\x07\x09\x66\x04", 4, &out);
    etm_etmv2_decoder_gap(&d, &out);
    etm_etmv2_decoder_push(&d, (const uint8_t *)"\x00\x20\x00", 3, &out);
    p = out.data;
    assert_int_equal(out.n, 5);
    assert_int_equal(p[2].kind, ETM_PACKET_BAD);
    assert_int_equal(p[2].fields, 0);
    assert_int_equal(p[4].kind, ETM_PACKET_UNSYNCHRONIZED);
    assert_int_equal(p[3].offset, 4);
    etm_vec_fini(&out);
}

/* Damage must not lead the model of the FIFO out of its arrays. */
static void any_bytes_are_decoded(void **state)
{
    static const uint8_t widths[3] = {4, 8, 16};
    uint32_t seed = 1;

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        struct etm_config c = config(widths[round % 3]);
        uint8_t bytes[600];
        struct etm_vec out;
        uint64_t offset = 0;

        c.context_id_bytes = round % 2 ? 4 : 0;
        c.data_address = round % 5 == 0;
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 1664525 + 1013904223;
            bytes[i] = (uint8_t)(seed >> 24);
            /* statuses that put much into the FIFO */
            if (round % 4 == 1 && i % 2 == 0)
                bytes[i] = (uint8_t)(seed >> 28) > 2 ? DE : TR;
            if (round % 4 == 2 && i % 2 == 0)
                bytes[i] = (uint8_t)(seed >> 28) > 9 ? DE : TD;
        }
        decode(&c, bytes, sizeof bytes, 1 + round % 7, &out);
        for (size_t i = 0; i < out.n; i++) {
            const struct etm_packet *p = out.data;

            assert_int_equal(p[i].offset, offset);
            if (p[i].kind == ETM_PACKET_PIPESTAT)
                assert_int_equal(p[i].header, bytes[offset]);
            offset += p[i].size;
        }
        assert_int_equal(offset, sizeof bytes);
        etm_vec_fini(&out);
    }
}

/* A packet made by hand: TFO values become pins. E-257 */
static void offsets_are_written_as_pins(void **state)
{
    struct etm_config c = config(16);
    struct etm_packet p = {.kind = ETM_PACKET_TFO, .address = 1};
    uint8_t bytes[4];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

    (void)state;
    assert_int_equal(etm_etmv2_encode(&c, &p, &w), ETM_OK);
    assert_int_equal(etm_writer_size(&w), 2);
    assert_memory_equal(bytes, "\x19\x66", 2);
    p.address = 96;
    assert_int_equal(etm_etmv2_encode(&c, &p, &w), ETM_ERR_ARGUMENT);
    p = (struct etm_packet){.kind = ETM_PACKET_PIPESTAT, .value = 0x1f};
    assert_int_equal(etm_etmv2_encode(&c, &p, &w), ETM_ERR_ARGUMENT);
    p = (struct etm_packet){.kind = ETM_PACKET_A_SYNC};
    assert_int_equal(etm_etmv2_encode(&c, &p, &w), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tfo_in_the_middle_of_a_byte),
        cmocka_unit_test(reading_begins_at_a_tfo_in_the_middle_of_a_byte),
        cmocka_unit_test(pins_beside_a_tfo_carry_nothing),
        cmocka_unit_test(sixteen_pins_carry_up_to_two_bytes),
        cmocka_unit_test(a_trigger_takes_a_cycle),
        cmocka_unit_test(a_trigger_in_the_cycle_of_a_tfo),
        cmocka_unit_test(a_trigger_in_front_of_the_gap_nibble),
        cmocka_unit_test(cycles_without_trace),
        cmocka_unit_test(statuses_that_contradict_the_fifo),
        cmocka_unit_test(a_tfo_decides_where_its_packet_begins),
        cmocka_unit_test(a_false_tfo_does_not_hide_the_next_one),
        cmocka_unit_test(a_record_that_is_cut_off_is_bad),
        cmocka_unit_test(any_bytes_are_decoded),
        cmocka_unit_test(offsets_are_written_as_pins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
