/* SPDX-License-Identifier: Apache-2.0 */
/* What packets tell: timestamps, and what changes nothing, or all. The rest is
 * in broadcast.enc. */
#include "proto/broadcast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <etm/packet.h>

#include <string.h>

static const struct etm_config pft = {.protocol = ETM_PROTOCOL_PFT,
                                      .minor = 1,
                                      .timestamp_64bit = true,
                                      .timestamp_binary = true};

#define APPLY(b, config, name, ...)                                            \
    etm_broadcast_apply(                                                       \
        b, config,                                                             \
        &(struct etm_packet){.kind = ETM_PACKET_##name, __VA_ARGS__})

static void full_timestamp_of_48_bits_has_seven_bytes(void **state)
{
    struct etm_broadcast b = {0};
    struct etm_config v1_0 = pft;

    (void)state;
    v1_0.minor = 0; /* ETMCCER[29] is reserved */
    APPLY(&b, &v1_0, TIMESTAMP, .value = 0xffffffffffff, .value_bytes = 7);
    assert_int_equal(b.timestamp, 0xffffffffffff);
    assert_int_equal(b.timestamp_bits, 48);
}

/* A Cortex-A9's timestamps, of which the raw values go down. */
static void gray_timestamps_are_merged_before_they_are_converted(void **state)
{
    static const struct etm_config a9 = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_broadcast b = {.timestamp = 0x58e8000000};

    (void)state;
    APPLY(&b, &a9, TIMESTAMP, .value = 0x58e90bb867, .value_bytes = 7);
    assert_int_equal(etm_timestamp_time(&a9, b.timestamp), 0x6f4e0d2fba);
    APPLY(&b, &a9, TIMESTAMP, .value = 0x092ec990, .value_bytes = 4);
    assert_int_equal(etm_timestamp_time(&a9, b.timestamp), 0x6f4e348ee0);
    APPLY(&b, &a9, TIMESTAMP, .value = 0x04, .value_bytes = 1);
    assert_int_equal(etm_timestamp_time(&a9, b.timestamp), 0x6f4e348ef8);
    APPLY(&b, &a9, TIMESTAMP, .value = 0x089a, .value_bytes = 2);
    assert_int_equal(etm_timestamp_time(&a9, b.timestamp), 0x6f4e348f13);
}

static void timestamp_code_is_what_the_registers_say(void **state)
{
    struct etm_config c = pft;

    (void)state;
    assert_int_equal(etm_timestamp_time(&c, 6), 6);
    c.minor = 0; /* ETMCCER[28] is reserved in v1.0, whatever it reads as */
    assert_int_equal(etm_timestamp_time(&c, 6), 4);
    c.minor = 1;
    c.timestamp_binary = false;
    assert_int_equal(etm_timestamp_time(&c, 6), 4);
    c.protocol = ETM_PROTOCOL_ETMV3;
    assert_int_equal(etm_timestamp_time(&c, UINT64_C(1) << 63), UINT64_MAX);
    for (uint64_t n = 0; n < 5000; n++)
        assert_int_equal(etm_timestamp_time(&c, n ^ n >> 1), n);
    c.timestamp_binary = true;
    assert_int_equal(etm_timestamp_time(&c, 6), 6);
}

/* V3-CYC-11, V3-CYC-12 */
static void counts_of_gaps_are_not_always_right(void **state)
{
    /* by reason: trace on, overflow, debug exit */
    static const struct {
        enum etm_protocol protocol;
        uint8_t minor, reliable[3];
    } rows[] = {
        {ETM_PROTOCOL_ETMV1, 3, {0, 0, 0}}, {ETM_PROTOCOL_ETMV2, 1, {0, 0, 0}},
        {ETM_PROTOCOL_ETMV3, 0, {1, 0, 0}}, {ETM_PROTOCOL_ETMV3, 1, {1, 1, 1}},
        {ETM_PROTOCOL_ETMV3, 4, {1, 1, 1}}, {ETM_PROTOCOL_ETMV3, 5, {1, 0, 1}},
        {ETM_PROTOCOL_PFT, 0, {1, 1, 1}},   {ETM_PROTOCOL_PFT, 1, {1, 0, 0}}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_config c = {.protocol = rows[i].protocol,
                               .minor = rows[i].minor};

        for (unsigned n = 0; n < 3; n++)
            assert_int_equal(etm_gap_is_reliable(&c, ETM_SYNC_TRACE_ON + n),
                             rows[i].reliable[n] != 0);
    }
}

static void other_packets_change_nothing(void **state)
{
    static const uint8_t kinds[] = {
        ETM_PACKET_A_SYNC,           ETM_PACKET_ATOM,
        ETM_PACKET_P_HEADER,         ETM_PACKET_TRIGGER,
        ETM_PACKET_IGNORE,           ETM_PACKET_EXCEPTION_EXIT,
        ETM_PACKET_OUT_OF_ORDER_DATA};
    struct etm_broadcast before = {.address = 0x8000,
                                   .isa = ETM_ISA_THUMB,
                                   .ns = true,
                                   .valid = true,
                                   .data_address = 0x9000,
                                   .timestamp = 5};
    struct etm_broadcast b;

    (void)state;
    memcpy(&b, &before, sizeof b);
    for (size_t i = 0; i < sizeof kinds; i++) {
        struct etm_packet k = {.kind = kinds[i],
                               .address = 1,
                               .address_bits = 32,
                               .value = 1,
                               .value_bytes = 4,
                               .fields = 0xffff};

        etm_broadcast_apply(&b, &pft, &k);
        assert_memory_equal(&b, &before, sizeof b);
    }
}

/* E-08: what comes after that is relative to what may have been lost. */
static void damage_leaves_nothing_known(void **state)
{
    static const uint8_t kinds[] = {ETM_PACKET_UNSYNCHRONIZED, ETM_PACKET_BAD,
                                    ETM_PACKET_RESERVED};

    (void)state;
    for (size_t i = 0; i < sizeof kinds; i++) {
        struct etm_packet k = {.kind = kinds[i]};
        struct etm_broadcast b = {.isa = ETM_ISA_THUMB,
                                  .valid = true,
                                  .address_valid = true,
                                  .data_valid = true,
                                  .timestamp_bits = 48};

        etm_broadcast_apply(&b, &pft, &k);
        assert_false(b.valid || b.address_valid || b.data_valid);
        assert_int_equal(b.timestamp_bits, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_timestamp_of_48_bits_has_seven_bytes),
        cmocka_unit_test(gray_timestamps_are_merged_before_they_are_converted),
        cmocka_unit_test(timestamp_code_is_what_the_registers_say),
        cmocka_unit_test(counts_of_gaps_are_not_always_right),
        cmocka_unit_test(other_packets_change_nothing),
        cmocka_unit_test(damage_leaves_nothing_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
