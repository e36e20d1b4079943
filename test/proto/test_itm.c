/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of an ITM and a DWT, both ways (ARMv7-M ARM, appendix D4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "proto/itm.h"

#include <etm/decode.h>

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

/* A packet, and the bytes that the manual's figures give it. */
static const struct {
    const char *bytes;
    uint8_t n;
    struct etm_packet is;
} packets[] = {
    {"\0\0\0\0\0\x80", 6, {.kind = ETM_PACKET_SYNCHRONIZATION}},
    {"\0\0\0\0\0\0\0\x80", 8, {.kind = ETM_PACKET_SYNCHRONIZATION, .size = 8}},
    {"\x70", 1, {.kind = ETM_PACKET_OVERFLOW}},
    {"\x10", 1, {.kind = ETM_PACKET_LOCAL_TIMESTAMP, .value = 1}},
    {"\x60", 1, {.kind = ETM_PACKET_LOCAL_TIMESTAMP, .value = 6}},
    {"\xc0\x07", 2, {.kind = ETM_PACKET_LOCAL_TIMESTAMP, .value = 7}},
    {"\xd0\x8d\x01",
     3,
     {.kind = ETM_PACKET_LOCAL_TIMESTAMP,
      .value = 0x8d,
      .tag = ETM_ITM_STAMP_DELAYED}},
    {"\xf0\xff\xff\xff\x7f",
     5,
     {.kind = ETM_PACKET_LOCAL_TIMESTAMP,
      .value = 0xfffffff,
      .tag = ETM_ITM_BOTH_DELAYED}},
    {"\x94\x05", 2, {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_1, .value = 5}},
    {"\x94\x81\x80\x80\x60",
     5,
     {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_1,
      .value = 1,
      .value_bytes = 4,
      .tag = 1,
      .fields = ETM_FIELD_R}},
    {"\x94\xff\xff\xff\x1f",
     5,
     {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_1, .value = 0x3ffffff}},
    {"\xb4\x81\x80\x80\x01",
     5,
     {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_2, .value = 0x200001}},
    {"\xb4\x81\x80\x80\x80\x80\x07",
     7,
     {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_2, .value = 0x3800000001}},
    {"\x38", 1, {.kind = ETM_PACKET_STIMULUS_PORT_PAGE, .value = 3}},
    {"\x5c", 1, {.kind = ETM_PACKET_EXTENSION, .value = 5, .tag = 1}},
    {"\x88\x99\0",
     3,
     {.kind = ETM_PACKET_EXTENSION, .value = 0xc8, .value_bytes = 2}},
    {"\xf8\xff\xff\xff\xff",
     5,
     {.kind = ETM_PACKET_EXTENSION, .value = 0xffffffff}},
    {"\x01\x41", 2, {.kind = ETM_PACKET_INSTRUMENTATION, .value = 0x41}},
    {"\xfa\x34\x12",
     3,
     {.kind = ETM_PACKET_INSTRUMENTATION, .tag = 31, .value = 0x1234}},
    {"\x0b\x01\0\0\0",
     5,
     {.kind = ETM_PACKET_INSTRUMENTATION,
      .tag = 1,
      .value = 1,
      .value_bytes = 4}},
    {"\x05\x21", 2, {.kind = ETM_PACKET_EVENT_COUNTER, .value = 0x21}},
    {"\x0e\x1f\x11",
     3,
     {.kind = ETM_PACKET_EXCEPTION_TRACE,
      .exception = 0x11f,
      .reason = ETM_EXCEPTION_ENTER}},
    {"\x17\x18\x02\x00\x08",
     5,
     {.kind = ETM_PACKET_PC_SAMPLE,
      .fields = ETM_FIELD_ADDRESS,
      .address = 0x08000218,
      .address_bits = 32,
      .address_bytes = 4}},
    {"\x15\0", 2, {.kind = ETM_PACKET_PC_SAMPLE}},
    {"\x15\xff", 2, {.kind = ETM_PACKET_PC_SAMPLE, .value = 0xff}},
    {"\x47\x02\x01\0\0",
     5,
     {.kind = ETM_PACKET_DATA_TRACE_PC,
      .fields = ETM_FIELD_ADDRESS,
      .address = 0x102,
      .address_bits = 32,
      .address_bytes = 4}},
    {"\x7e\x10\x20",
     3,
     {.kind = ETM_PACKET_DATA_TRACE_ADDRESS,
      .tag = 3,
      .fields = ETM_FIELD_ADDRESS,
      .address = 0x2010,
      .address_bits = 16,
      .address_bytes = 2}},
    {"\x55\x01",
     2,
     {.kind = ETM_PACKET_DATA_TRACE_MATCH, .tag = 1, .value = 1}},
    {"\x95\x44",
     2,
     {.kind = ETM_PACKET_DATA_TRACE_VALUE,
      .tag = 1,
      .fields = ETM_FIELD_VALUE,
      .value = 0x44}},
    {"\xaf\x77\x66\x55\x44",
     5,
     {.kind = ETM_PACKET_DATA_TRACE_VALUE,
      .tag = 2,
      .fields = ETM_FIELD_VALUE,
      .reason = 1,
      .value = 0x44556677}},
    {"\x1d\x80",
     2,
     {.kind = ETM_PACKET_HARDWARE, .tag = 3, .value = 0x80, .value_bytes = 1}},
    {"\x34", 1, {.kind = ETM_PACKET_RESERVED, .header = 0x34}},
};

static void packets_have_the_bytes_of_the_manual(void **state)
{
    struct etm_vec got;

    (void)state;
    etm_vec_init(&got, sizeof(struct etm_packet), NULL);
    for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
        const uint8_t *bytes = (const uint8_t *)packets[i].bytes;
        uint8_t encoded[ETM_PACKET_ENCODED_MAX];
        struct etm_writer w = etm_writer_of(encoded, sizeof encoded);
        struct etm_packet want = packets[i].is, *is;

        assert_int_equal(etm_itm_encode(&config, &want, &w), ETM_OK);
        assert_int_equal(etm_writer_size(&w), packets[i].n);
        assert_memory_equal(encoded, bytes, packets[i].n);
        assert_int_equal(decode(bytes, packets[i].n, packets[i].n, &got), 1);
        is = got.data;
        assert_int_equal(is->size, packets[i].n);
        assert_int_equal(is->header, bytes[0]);
        want.size = is->size;
        want.header = is->header;
        if (want.value_bytes == 0)
            want.value_bytes = is->value_bytes; /* as few as possible */
        assert_memory_equal(is, &want, sizeof want);
    }
    etm_vec_fini(&got);
}

static void what_does_not_fit_is_refused(void **state)
{
    static const struct etm_packet wrong[] = {
        {.kind = ETM_PACKET_SYNCHRONIZATION, .size = 5},
        {.kind = ETM_PACKET_LOCAL_TIMESTAMP, .value = 0x10000000},
        {.kind = ETM_PACKET_LOCAL_TIMESTAMP, .value = 9, .tag = 4},
        {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_1, .value = 0x4000000},
        {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_1, .tag = 1, .value_bytes = 2},
        {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_2, .value_bytes = 5},
        {.kind = ETM_PACKET_GLOBAL_TIMESTAMP_2, .value = UINT64_C(1) << 42},
        {.kind = ETM_PACKET_STIMULUS_PORT_PAGE, .value = 8},
        {.kind = ETM_PACKET_EXTENSION, .value = 3}, /* it is a page */
        {.kind = ETM_PACKET_INSTRUMENTATION, .tag = 32},
        {.kind = ETM_PACKET_INSTRUMENTATION, .value_bytes = 3},
        {.kind = ETM_PACKET_INSTRUMENTATION, .value = 256, .value_bytes = 1},
        {.kind = ETM_PACKET_EVENT_COUNTER, .value = 0x40},
        {.kind = ETM_PACKET_EXCEPTION_TRACE, .exception = 0x200},
        {.kind = ETM_PACKET_PC_SAMPLE, .value = 1},
        {.kind = ETM_PACKET_DATA_TRACE_VALUE, .tag = 4},
        {.kind = ETM_PACKET_DATA_TRACE_ADDRESS, .address = 0x10000},
        {.kind = ETM_PACKET_HARDWARE, .tag = 1, .value_bytes = 2},
        {.kind = ETM_PACKET_HARDWARE, .tag = 16, .value_bytes = 1},
        {.kind = ETM_PACKET_RESERVED, .header = 0x70},
        {.kind = ETM_PACKET_ATOM},
    };
    static const struct etm_packet bad = {.kind = ETM_PACKET_BAD};
    static const struct etm_packet page = {.kind =
                                               ETM_PACKET_STIMULUS_PORT_PAGE};
    uint8_t bytes[ETM_PACKET_ENCODED_MAX];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(etm_itm_encode(&config, &wrong[i], &w),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_writer_size(&w), 0);
    }
    assert_int_equal(etm_itm_encode(&config, &bad, &w), ETM_ERR_UNSUPPORTED);
    w = etm_writer_of(bytes, 0);
    assert_int_equal(etm_itm_encode(&config, &page, &w), ETM_ERR_ARGUMENT);
}

/* Kinds and sizes of a stream, as text. */
static void assert_kinds(const char *bytes, size_t n, const char *kinds)
{
    char text[512] = "";
    struct etm_vec got;
    const struct etm_packet *p;

    etm_vec_init(&got, sizeof(struct etm_packet), NULL);
    decode((const uint8_t *)bytes, n, n, &got);
    p = got.data;
    for (size_t i = 0; i < got.n; i++) {
        size_t at = strlen(text);

        (void)snprintf(text + at, sizeof text - at, "%s%s:%u",
                       at != 0 ? " " : "",
                       etm_packet_kind_name((enum etm_packet_kind)p[i].kind),
                       (unsigned)p[i].size);
    }
    etm_vec_fini(&got);
    assert_string_equal(text, kinds);
}

#define ASSERT_KINDS(literal, kinds)                                           \
    assert_kinds(literal, sizeof(literal) - 1, kinds)

static void decoding_goes_on_after_damage(void **state)
{
    (void)state;
    ASSERT_KINDS("\x01\x41\x34\x01\x42", "instrumentation:2 reserved:1 "
                                         "instrumentation:2");
    ASSERT_KINDS("\0\0\x80\x70", "bad:2 reserved:1 overflow:1");
    ASSERT_KINDS("\0\0\0\0\0\0\x01\x42", "bad:6 instrumentation:2");
    /* a second timestamp of neither length, and ones that do not end */
    ASSERT_KINDS("\xb4\x81\x01\x70", "bad:3 overflow:1");
    ASSERT_KINDS("\xc0\x81\x81\x81\x81\x70", "bad:5 overflow:1");
    ASSERT_KINDS("\x94\x81\x81\x81\x81\x70", "bad:5 overflow:1");
    ASSERT_KINDS("\xb4\x81\x81\x81\x81\x81\x81\x70", "bad:7 overflow:1");
    ASSERT_KINDS("\x01\x41\x03\x01\x02", "instrumentation:2 bad:3");
}

/* No other packets have as many zeros before 80 (E-620). */
static void synchronization_is_found_behind_damage(void **state)
{
    (void)state;
    /* 03 takes four of the zeros */
    ASSERT_KINDS("\x03\0\0\0\0\0\0\x80\x70",
                 "instrumentation:5 synchronization:3 overflow:1");
    ASSERT_KINDS("\x0f\0\0\0\0\x80\x70",
                 "hardware:5 reserved:1 overflow:1"); /* one zero is missing */
    ASSERT_KINDS("\x88\x99\0\0\0\0\0\x80", "extension:3 synchronization:5");
}

static void zeros_without_end_are_given_in_parts(void **state)
{
    static const uint8_t zeros[3 * ETM_PACKET_BYTES_MAX];
    struct etm_vec got;
    const struct etm_packet *p;
    uint64_t size = 0;

    (void)state;
    etm_vec_init(&got, sizeof(struct etm_packet), NULL);
    decode(zeros, sizeof zeros, 100, &got);
    p = got.data;
    for (size_t i = 0; i < got.n; i++) {
        assert_int_equal(p[i].kind, ETM_PACKET_BAD);
        assert_true(p[i].size <= ETM_PACKET_BYTES_MAX);
        size += p[i].size;
    }
    assert_int_equal(size, sizeof zeros);
    etm_vec_fini(&got);
}

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

/* Fill a stream with packets of the table, one of sixteen bytes damaged if
 * that is wanted. */
static size_t make_stream(uint8_t *stream, size_t room, uint32_t *random,
                          bool damaged)
{
    struct etm_writer w = etm_writer_of(stream, room);
    const size_t n = sizeof packets / sizeof *packets;

    while ((size_t)(w.end - w.next) > ETM_PACKET_ENCODED_MAX)
        assert_int_equal(
            etm_itm_encode(&config, &packets[next_random(random) % n].is, &w),
            ETM_OK);
    for (size_t i = 0; damaged && i < etm_writer_size(&w); i++)
        if (next_random(random) % 16 == 0)
            stream[i] = (uint8_t)next_random(random);
    return etm_writer_size(&w);
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
        size_t n = make_stream(stream, sizeof stream, &random, round % 2);
        const struct etm_packet *p;
        uint64_t offset = 0;

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

static void a_gap_ends_a_packet(void **state)
{
    struct etm_itm_decoder d;
    const struct etm_packet *p;
    struct etm_vec got;

    (void)state;
    etm_vec_init(&got, sizeof(struct etm_packet), NULL);
    etm_itm_decoder_init(&d, &config);
    assert_int_equal(
        etm_itm_decoder_push(&d, (const uint8_t *)"\x03\x41", 2, &got), ETM_OK);
    assert_int_equal(etm_itm_decoder_gap(&d, &got), ETM_OK);
    assert_int_equal(
        etm_itm_decoder_push(&d, (const uint8_t *)"\x70\x0b", 2, &got), ETM_OK);
    assert_int_equal(etm_itm_decoder_finish(&d, &got), ETM_OK);
    p = got.data;
    assert_int_equal(got.n, 3);
    assert_int_equal(p[0].kind, ETM_PACKET_BAD);
    assert_int_equal(p[0].fields, 0);
    assert_int_equal(p[1].kind, ETM_PACKET_OVERFLOW);
    assert_int_equal(p[2].fields, ETM_FIELD_TRUNCATED);
    etm_vec_fini(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_header_byte_is_claimed_once),
        cmocka_unit_test(packets_have_the_bytes_of_the_manual),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(decoding_goes_on_after_damage),
        cmocka_unit_test(synchronization_is_found_behind_damage),
        cmocka_unit_test(zeros_without_end_are_given_in_parts),
        cmocka_unit_test(any_split_gives_the_same_and_all_bytes),
        cmocka_unit_test(any_packet_can_be_encoded_again),
        cmocka_unit_test(a_gap_ends_a_packet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
