/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of a Micro Trace Buffer, both ways (CoreSight MTB-M0+ Technical
 * Reference Manual, 2.3.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "proto/mtb.h"

static const struct etm_config config = {.protocol = ETM_PROTOCOL_MTB};

#define TRACE(from, to)                                                        \
    .kind = ETM_PACKET_EXECUTION_TRACE, .address2 = from, .address = to,       \
    .address_bits = 32, .address2_bits = 32, .address_bytes = 4,               \
    .address2_bytes = 4

/* A packet, and its bytes. */
static const struct {
    const char *bytes;
    struct etm_packet is;
} packets[] = {
    {"\x04\x80\x00\x00\x10\x80\x00\x00", {TRACE(0x8004, 0x8010)}},
    {"\x04\x80\x00\x00\x11\x80\x00\x00",
     {TRACE(0x8004, 0x8010), .reason = ETM_SYNC_TRACE_ON}},
    {"\x05\x80\x00\x00\x20\x80\x00\x00",
     {TRACE(0x8004, 0x8020), .fields = ETM_FIELD_A}},
    {"\x22\x80\x00\x00\xf8\xff\xff\xff", {TRACE(0x8022, 0xfffffff8)}},
    {"\xf9\xff\xff\xff\x04\x80\x00\x00",
     {TRACE(0xfffffff8, 0x8004), .fields = ETM_FIELD_A}},
    {"\x22\x80\x00\x00\xfe\xff\xff\xfe", {TRACE(0x8022, 0xfefffffe)}},
    {"\x22\x80\x00\x00\xbc\xff\xff\xff", {TRACE(0x8022, 0xffffffbc)}},
    {"\xfe\xff\xff\xdf\x00\x00\x00\x00", {TRACE(0xdffffffe, 0)}},
    {"\0\0\0\0\0\0\0\0", {.kind = ETM_PACKET_IGNORE}},
};

#define COUNT (sizeof packets / sizeof *packets)

static void packets_are_what_the_manual_says_both_ways(void **state)
{
    struct etm_mtb_decoder d;
    struct etm_vec out;

    (void)state;
    etm_vec_init(&out, sizeof(struct etm_packet), NULL);
    for (size_t i = 0; i < COUNT; i++) {
        struct etm_packet expected = packets[i].is;
        uint8_t bytes[ETM_MTB_PACKET_SIZE];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        expected.size = ETM_MTB_PACKET_SIZE;
        expected.header = (uint8_t)packets[i].bytes[0];
        out.n = 0;
        etm_mtb_decoder_init(&d, &config);
        assert_int_equal(etm_mtb_decoder_push(&d,
                                              (const uint8_t *)packets[i].bytes,
                                              sizeof bytes, &out),
                         ETM_OK);
        assert_int_equal(out.n, 1);
        assert_memory_equal(out.data, &expected, sizeof expected);
        assert_int_equal(etm_mtb_encode(&config, &expected, &w), ETM_OK);
        assert_memory_equal(bytes, packets[i].bytes, sizeof bytes);
    }
    etm_vec_fini(&out);
}

static void what_no_processor_does_is_bad(void **state)
{
    static const char *const bad[] = {
        "\x00\x00\x00\xe0\x10\x80\x00\x00", /* from where no code is */
        "\x04\x80\x00\x00\x00\xe0\x00\xe0", /* to there */
        "\xfc\xff\xff\xfe\x04\x80\x00\x00", /* neither of the values */
        "\xf9\xff\xff\xff\xf8\xff\xff\xff", /* from one value to another */
        "\xff\xff\xff\xff\xff\xff\xff\xff"};
    struct etm_mtb_decoder d;
    struct etm_vec out;

    (void)state;
    etm_vec_init(&out, sizeof(struct etm_packet), NULL);
    etm_mtb_decoder_init(&d, &config);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct etm_packet *p;

        assert_int_equal(etm_mtb_decoder_push(&d, (const uint8_t *)bad[i],
                                              ETM_MTB_PACKET_SIZE, &out),
                         ETM_OK);
        p = (const struct etm_packet *)out.data + i;
        assert_int_equal(p->kind, ETM_PACKET_BAD);
        assert_int_equal(p->offset, i * ETM_MTB_PACKET_SIZE);
        assert_int_equal(p->size, ETM_MTB_PACKET_SIZE);
    }
    etm_vec_fini(&out);
}

static void packet_that_is_cut_off_is_bad(void **state)
{
    static const uint8_t bytes[12] = {4, 0x80, 0, 0, 0x10, 0x80};
    const struct etm_packet *p;
    struct etm_mtb_decoder d;
    struct etm_vec out;

    (void)state;
    etm_vec_init(&out, sizeof(struct etm_packet), NULL);
    etm_mtb_decoder_init(&d, &config);
    assert_int_equal(etm_mtb_decoder_push(&d, bytes, 3, &out), ETM_OK);
    assert_int_equal(etm_mtb_decoder_gap(&d, &out), ETM_OK);
    assert_int_equal(etm_mtb_decoder_push(&d, bytes, sizeof bytes, &out),
                     ETM_OK);
    assert_int_equal(etm_mtb_decoder_finish(&d, &out), ETM_OK);
    assert_int_equal(out.n, 3);
    p = out.data;
    assert_int_equal(p[0].kind, ETM_PACKET_BAD);
    assert_int_equal(p[0].size, 3);
    assert_int_equal(p[0].fields, 0);
    assert_int_equal(p[1].kind, ETM_PACKET_EXECUTION_TRACE);
    assert_int_equal(p[1].offset, 3);
    assert_int_equal(p[2].kind, ETM_PACKET_BAD);
    assert_int_equal(p[2].offset, 11);
    assert_int_equal(p[2].size, 4);
    assert_int_equal(p[2].fields, ETM_FIELD_TRUNCATED);
    etm_vec_fini(&out);
}

static void encoder_refuses_what_is_no_packet(void **state)
{
    static const struct etm_packet refused[] = {
        {TRACE(0x8005, 0x8010)},
        {TRACE(0x8004, 0x8011)},
        {TRACE(0xe0000000, 0x8010)},
        {TRACE(0xfffffff8, 0xfffffff8)},
        {TRACE(0, 0)},
        {TRACE(0x8004, 0x8010), .reason = ETM_SYNC_OVERFLOW},
        {.kind = ETM_PACKET_A_SYNC}};
    static const struct etm_packet good = {TRACE(0x8004, 0x8010)},
                                   bad = {.kind = ETM_PACKET_BAD};
    uint8_t bytes[ETM_MTB_PACKET_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_mtb_encode(&config, &refused[i], &w),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_writer_size(&w), 0);
    }
    for (size_t n = 0; n < sizeof bytes; n++) {
        struct etm_writer w = etm_writer_of(bytes, n);

        assert_int_equal(etm_mtb_encode(&config, &good, &w), ETM_ERR_ARGUMENT);
        assert_int_equal(etm_writer_size(&w), 0);
    }
    assert_int_equal(
        etm_mtb_encode(&config, &bad,
                       &(struct etm_writer){bytes, bytes, bytes, false}),
        ETM_ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_what_the_manual_says_both_ways),
        cmocka_unit_test(what_no_processor_does_is_bad),
        cmocka_unit_test(packet_that_is_cut_off_is_bad),
        cmocka_unit_test(encoder_refuses_what_is_no_packet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
