/* SPDX-License-Identifier: Apache-2.0 */
/* Records of ETMv1 <-> packets, and the full addresses in them (more of both
 * is in etmv1.enc). */
#include "proto/etmv1.h"
#include "proto/etmv1_full.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t widths[] = {0, 4, 8, 16};

static struct etm_config config_of(uint8_t width)
{
    return (struct etm_config){.protocol = ETM_PROTOCOL_ETMV1,
                               .port_width = width};
}

static void decode(const struct etm_config *config, const uint8_t *bytes,
                   size_t n, size_t step, struct etm_vec *out)
{
    struct etm_etmv1_decoder d;

    etm_vec_init(out, sizeof(struct etm_packet), NULL);
    etm_etmv1_decoder_init(&d, config);
    for (size_t i = 0; i < n; i += step) {
        size_t part = step < n - i ? step : n - i;
        assert_int_equal(etm_etmv1_decoder_push(&d, bytes + i, part, out),
                         ETM_OK);
    }
    assert_int_equal(etm_etmv1_decoder_finish(&d, out), ETM_OK);
}

/* V1-PIPE-01 */
static void each_first_byte_is_claimed_once(void **state)
{
    size_t n;
    const struct etm_etmv1_status_row *rows = etm_etmv1_status_rows(&n);

    (void)state;
    for (unsigned b = 0; b < 256; b++) {
        unsigned claims = 0, kind = 0;

        for (size_t i = 0; i < n; i++)
            if ((b & rows[i].mask) == rows[i].value) {
                claims++;
                kind = rows[i].kind;
            }
        assert_int_equal(claims, 1);
        assert_int_equal(kind, (b & 0x78) == 0 ? (b & 7) : ETM_ETMV1_RESERVED);
    }
}

static void packets_give_the_stream_back(void **state)
{
    uint8_t bytes[300];

    (void)state;
    for (size_t w = 0; w < sizeof widths; w++) {
        struct etm_config config = config_of(widths[w]);

        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(i * 89 + w);
        for (size_t step = 1; step < 8; step++) {
            struct etm_vec out;
            const struct etm_packet *p;
            uint64_t at = 0;

            decode(&config, bytes, sizeof bytes, step, &out);
            p = out.data;
            for (size_t i = 0; i < out.n; i++) {
                assert_int_equal(p[i].offset, at);
                assert_int_equal(p[i].header, bytes[at]);
                at += p[i].size;
            }
            assert_int_equal(at, sizeof bytes);
            etm_vec_fini(&out);
        }
    }
}

static void encoding_is_the_inverse(void **state)
{
    (void)state;
    for (size_t w = 0; w < sizeof widths; w++) {
        struct etm_config config = config_of(widths[w]);
        size_t size = etm_sample_size(&config);

        for (unsigned b = 0; b < 256; b++) {
            uint8_t bytes[3] = {(uint8_t)(b & 0x87),
                                (uint8_t)(widths[w] == 4 ? b >> 4 : b),
                                (uint8_t)~b};
            uint8_t written[8];
            struct etm_writer writer = etm_writer_of(written, sizeof written);
            struct etm_vec out;
            const struct etm_packet *p;

            decode(&config, bytes, size, size, &out);
            p = out.data;
            assert_int_equal(etm_etmv1_encode(&config, &p[0], &writer), ETM_OK);
            assert_int_equal(etm_etmv1_encode(&config, &p[1], &writer), ETM_OK);
            assert_int_equal(etm_writer_size(&writer), size);
            assert_memory_equal(written, bytes, size);
            etm_vec_fini(&out);
        }
    }
}

static void nothing_is_written_where_it_does_not_fit(void **state)
{
    const struct etm_packet status = {.kind = ETM_PACKET_PIPESTAT, .value = 7};
    const struct etm_packet pins = {.kind = ETM_PACKET_TRACE_PACKET,
                                    .value = 0x100};
    const struct etm_config config = config_of(16);
    uint8_t bytes[4];

    (void)state;
    for (size_t room = 0; room < 2; room++) {
        struct etm_writer w = etm_writer_of(bytes, room);

        assert_int_equal(
            etm_etmv1_encode(&config, room == 0 ? &status : &pins, &w),
            ETM_ERR_ARGUMENT);
        assert_int_equal(etm_writer_size(&w), 0);
    }
}

/* Records of a port to full addresses; returns how many. The last two are in
 * `found`. */
static unsigned find_full(const struct etm_config *config, const uint8_t *bytes,
                          size_t n, struct etm_full_address found[2])
{
    struct etm_full_address full = {.n = 0};
    const struct etm_packet *p;
    struct etm_vec out;
    unsigned count = 0;

    decode(config, bytes, n, n, &out);
    p = out.data;
    for (size_t i = 0; i < out.n; i++)
        if (etm_full_address_apply(&full, config, &p[i])) {
            found[0] = found[1];
            found[1] = full;
            count++;
        }
    etm_vec_fini(&out);
    return count;
}

/* V1-BR-02, V1-CTX-05, V1-SYNC-05: five packets, with TRACESYNC on the first of
 * them; the context ID after a reason code. TD cycles carry nothing. E-190 */
static void a_full_address_is_found_by_its_packets(void **state)
{
    static const uint8_t bytes[] = {
        0x00, 0x11, 0x84, 0x81, 0x00, 0x82, 0x00, 0x80, 0x07, 0x00,
        0x03, 0x80, 0x03, 0x21, 0x03, 0x34, 0x03, 0x12, 0x04, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x84, 0x08, 0x00, 0x00, 0x00, 0x00};
    struct etm_config config = config_of(8);
    struct etm_full_address found[2];

    (void)state;
    config.minor = 2;
    config.context_id_bytes = 2;
    assert_int_equal(find_full(&config, bytes, sizeof bytes, found), 1);
    assert_int_equal(found[1].offset, 2);
    assert_int_equal(found[1].stream, 2);
    assert_int_equal(found[1].isa, ETM_ISA_THUMB);
    assert_int_equal(found[1].address, 0x10000100);
    assert_int_equal(found[1].reason, ETM_SYNC_OVERFLOW);
    assert_true(found[1].context_id_known);
    assert_int_equal(found[1].context_id, 0x1234);
    /* the same without the context ID, and in four packets: none */
    config.context_id_bytes = 0;
    assert_int_equal(find_full(&config, bytes, sizeof bytes, found), 1);
    assert_false(found[1].context_id_known);
    assert_int_equal(find_full(&config, bytes + 24, 6, found), 0);
}

/* V1-APO-02: an offset of 1 selects the next TRACESYNC; and if a branch stands
 * before that, nobody knows without the code. E-190 */
static void a_full_address_is_that_of_its_offset(void **state)
{
    static const uint8_t bytes[] = {0x84, 0x05, 0x01, 0x90, 0x00, 0x91,
                                    0x03, 0x01, 0x83, 0x84, 0x03, 0x80,
                                    0x03, 0x80, 0x03, 0x80, 0x03, 0x00};
    struct etm_config config = config_of(8);
    struct etm_full_address found[2];
    uint8_t other[sizeof bytes];

    (void)state;
    assert_int_equal(find_full(&config, bytes, sizeof bytes, found), 1);
    assert_int_equal(found[1].offset, 0);
    assert_int_equal(found[1].address, 4);
    assert_int_equal(found[1].isa, ETM_ISA_ARM);
    assert_int_equal(found[1].reason, ETM_SYNC_PERIODIC);
    memcpy(other, bytes, sizeof other);
    other[6] = ETM_ETMV1_BE;
    assert_int_equal(find_full(&config, other, sizeof other, found), 0);
    /* V1-RSN-01: reason code 4 came with v1.2 */
    memcpy(other, bytes, sizeof other);
    other[17] = ETM_ETMV1_PERIODIC << 4;
    config.minor = 2;
    assert_int_equal(find_full(&config, other, sizeof other, found), 1);
    assert_int_equal(found[1].reason, ETM_SYNC_PERIODIC);
    config.minor = 1;
    assert_int_equal(find_full(&config, other, sizeof other, found), 0);
    /* a branch with data begins as well */
    memcpy(other, bytes, sizeof other);
    other[0] = 0x80 | ETM_ETMV1_BD;
    assert_int_equal(find_full(&config, other, sizeof other, found), 1);
    assert_int_equal(found[1].offset, 0);
    assert_int_equal(found[1].address, 4);
}

/* V1-TRG-01, V1-TRG-02, V1-TRG-04: a trigger stands for the status on
 * TRACEPKT[2:0], and the packets wait: for that of the branch, of its offset,
 * and of another branch before the address. E-190 */
static void a_full_address_is_found_under_a_trigger(void **state)
{
    static const uint8_t branch[] = {0x06, 0xf4, 0x80, 0x84, 0x00, 0x80, 0x03,
                                     0x80, 0x03, 0x80, 0x03, 0x00, 0x00, 0x00};
    static const uint8_t offset[] = {0x84, 0x01, 0x06, 0x09, 0x00, 0x00,
                                     0x83, 0x84, 0x03, 0x80, 0x03, 0x80,
                                     0x03, 0x80, 0x03, 0x00};
    static const uint8_t other[] = {
        0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x06, 0x04, 0x00, 0x00, 0x00,
        0x00, 0x83, 0x84, 0x03, 0x80, 0x03, 0x80, 0x03, 0x80, 0x03, 0x00};
    struct etm_config config = config_of(8);
    struct etm_full_address found[2];
    uint8_t bytes[sizeof other];

    (void)state;
    assert_int_equal(find_full(&config, branch, sizeof branch, found), 1);
    assert_int_equal(found[1].offset, 0);
    assert_int_equal(found[1].address, 4);
    assert_int_equal(find_full(&config, offset, sizeof offset, found), 1);
    assert_int_equal(found[1].offset, 0);
    assert_int_equal(found[1].address, 4);
    /* another branch in a cycle of the offset: this one is abandoned */
    memcpy(bytes, offset, sizeof offset);
    bytes[3] = ETM_ETMV1_BE;
    assert_int_equal(find_full(&config, bytes, sizeof offset, found), 0);
    /* whose the address is, only the code tells; an IE takes none */
    memcpy(bytes, other, sizeof other);
    assert_int_equal(find_full(&config, bytes, sizeof other, found), 1);
    assert_int_equal(found[1].offset, 6);
    bytes[7] = ETM_ETMV1_IE;
    assert_int_equal(find_full(&config, bytes, sizeof other, found), 1);
    assert_int_equal(found[1].offset, 0);
}

/* Two packets a record, and two records a packet. */
static void a_full_address_is_found_on_every_port(void **state)
{
    static const uint8_t wide[] = {0x84, 0x84, 0x80, 0x00, 0x80,
                                   0x80, 0x00, 0x00, 0x00};
    static const uint8_t narrow[] = {0x84, 4, 0, 8, 0, 0, 3, 8, 3, 0,
                                     3,    8, 3, 0, 3, 8, 3, 0, 3, 1};
    struct etm_config config = config_of(16);
    struct etm_full_address found[2];

    (void)state;
    assert_int_equal(find_full(&config, wide, sizeof wide, found), 1);
    assert_int_equal(found[1].address, 4);
    config = config_of(4);
    assert_int_equal(find_full(&config, narrow, sizeof narrow, found), 1);
    assert_int_equal(found[1].address, 4);
    assert_int_equal(found[1].reason, ETM_SYNC_TRACE_ON);
}

/* A whole window of records may come before the address, not more. */
static void a_full_address_too_far_away_is_none(void **state)
{
    struct etm_config config = config_of(8);
    struct etm_full_address found[2];
    uint8_t bytes[400] = {ETM_ETMV1_BE};
    size_t n = 0;

    (void)state;
    for (unsigned far = 3; far < 100; far++) {
        memset(bytes, 0, sizeof bytes);
        bytes[0] = ETM_ETMV1_BE;
        for (n = 0; n < 5; n++)
            bytes[2 * (far + n) + 1] = n < 4 ? 0x80 : 0;
        bytes[2 * far] = ETM_SAMPLE_SYNC;
        assert_int_equal(find_full(&config, bytes, sizeof bytes, found),
                         far + 5 <= ETM_FULL_ADDRESS_WINDOW ? 1 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_address_is_found_by_its_packets),
        cmocka_unit_test(a_full_address_is_that_of_its_offset),
        cmocka_unit_test(a_full_address_is_found_under_a_trigger),
        cmocka_unit_test(a_full_address_is_found_on_every_port),
        cmocka_unit_test(a_full_address_too_far_away_is_none),
        cmocka_unit_test(each_first_byte_is_claimed_once),
        cmocka_unit_test(packets_give_the_stream_back),
        cmocka_unit_test(encoding_is_the_inverse),
        cmocka_unit_test(nothing_is_written_where_it_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
