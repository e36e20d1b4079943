/* SPDX-License-Identifier: Apache-2.0 */
/* The PFT encoder: the shortest form, and what it refuses. */
#include "pft_util.h"

static const struct etm_config plain = {.protocol = ETM_PROTOCOL_PFT,
                                        .minor = 1};
static const struct etm_config cycles = {
    .protocol = ETM_PROTOCOL_PFT, .minor = 1, .cycle_accurate = true};

static void assert_encodes(const struct etm_config *config,
                           struct etm_packet packet, const uint8_t *bytes,
                           size_t n)
{
    uint8_t got[ETM_PACKET_ENCODED_MAX];
    struct etm_writer w = etm_writer_of(got, sizeof got);

    assert_int_equal(etm_pft_encode(config, &packet, &w), ETM_OK);
    assert_int_equal(etm_writer_size(&w), n);
    assert_memory_equal(got, bytes, n);
}
#define ASSERT_ENCODES(config, packet, ...)                                    \
    assert_encodes(config, packet, (const uint8_t[]){__VA_ARGS__},             \
                   sizeof((uint8_t[]){__VA_ARGS__}))

static void assert_refuses(const struct etm_config *config,
                           struct etm_packet packet)
{
    uint8_t got[ETM_PACKET_ENCODED_MAX];
    struct etm_writer w = etm_writer_of(got, sizeof got);

    assert_int_equal(etm_pft_encode(config, &packet, &w), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_writer_size(&w), 0);
}

#define PACKET(name, ...)                                                      \
    ((struct etm_packet){.kind = ETM_PACKET_##name, __VA_ARGS__})

static void values_take_as_few_bytes_as_hold_them(void **state)
{
    (void)state;
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address = 0), 0x01);
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address = 0x3f), 0x7f);
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address = 0x40), 0x81, 0x01);
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address = 0xfff), 0xff,
                   0x3f);
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address = 0x1000), 0x81,
                   0xc0, 0x00);
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address = 0x3ffffff), 0xff,
                   0xff, 0xff, 0x3f);
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .isa = ETM_ISA_ARM), 0x81,
                   0x80, 0x80, 0x80, 0x08);
    ASSERT_ENCODES(&plain,
                   PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_EXCEPTION_0),
                   0x81, 0x40, 0x00);
    ASSERT_ENCODES(&plain, PACKET(TIMESTAMP, .value = 0x7f), 0x42, 0x7f);
    ASSERT_ENCODES(&plain, PACKET(TIMESTAMP, .value = 0x80), 0x42, 0x80, 0x01);
    ASSERT_ENCODES(&plain, PACKET(TIMESTAMP, .value = 0xffffffffffff), 0x42,
                   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f);
    ASSERT_ENCODES(
        &cycles,
        PACKET(ATOM, .count = 1, .fields = ETM_FIELD_CYCLES, .cycle_count = 15),
        0xbc);
    ASSERT_ENCODES(
        &cycles,
        PACKET(ATOM, .count = 1, .fields = ETM_FIELD_CYCLES, .cycle_count = 16),
        0xc0, 0x01);
    ASSERT_ENCODES(&cycles,
                   PACKET(ATOM, .count = 1, .fields = ETM_FIELD_CYCLES,
                          .cycle_count = 0xffffffff),
                   0xfc, 0xff, 0xff, 0xff, 0x7f);
}

static void address_bits_ask_for_their_form(void **state)
{
    (void)state;
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address_bits = 12), 0x81,
                   0x00);
    ASSERT_ENCODES(&plain, PACKET(BRANCH_ADDRESS, .address_bits = 26), 0x81,
                   0x80, 0x80, 0x00);
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .address_bits = 13));
    assert_refuses(&plain,
                   PACKET(BRANCH_ADDRESS, .address = 64, .address_bits = 6));
    assert_int_equal(etm_pft_address_bits(0, ETM_ISA_UNKNOWN), 0);
    assert_int_equal(etm_pft_address_bits(1, ETM_ISA_UNKNOWN), 6);
    assert_int_equal(etm_pft_address_bits(4, ETM_ISA_UNKNOWN), 26);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_ARM), 30);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_THUMB), 31);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_JAZELLE), 32);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_UNKNOWN), 0);
    assert_int_equal(etm_pft_address_bits(6, ETM_ISA_ARM), 0);
}

static void addresses_that_the_wire_cannot_say_are_refused(void **state)
{
    (void)state;
    /* more bits than bytes */
    assert_refuses(&plain,
                   PACKET(BRANCH_ADDRESS, .address = 64, .address_bytes = 1));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .address = 1u << 26,
                                  .address_bytes = 4));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .address = 1u << 30,
                                  .isa = ETM_ISA_ARM));
    /* five bytes name the instruction set, and only they do */
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .address_bytes = 5));
    assert_refuses(
        &plain, PACKET(BRANCH_ADDRESS, .address_bytes = 2, .isa = ETM_ISA_ARM));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .isa = ETM_ISA_THUMBEE));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .address = 1u << 26));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .address_bytes = 6));
    /* one byte has no E bit; a waypoint update has it in the fifth only */
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .address_bytes = 1,
                                  .fields = ETM_FIELD_EXCEPTION_0));
    assert_refuses(&plain, PACKET(WAYPOINT_UPDATE, .address_bytes = 4,
                                  .fields = ETM_FIELD_EXCEPTION_0));
    assert_refuses(&plain, PACKET(WAYPOINT_UPDATE, .isa = ETM_ISA_JAZELLE));
}

static void state_without_its_byte_is_refused(void **state)
{
    struct etm_config v1_0 = plain;
    unsigned both = ETM_FIELD_EXCEPTION_0 | ETM_FIELD_EXCEPTION_1;

    (void)state;
    v1_0.minor = 0;
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .exception = 1));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .exception = 16,
                                  .fields = ETM_FIELD_EXCEPTION_0));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .exception = 512,
                                  .fields = (uint16_t)both));
    assert_refuses(&plain,
                   PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_EXCEPTION_1));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_NS));
    assert_refuses(&plain,
                   PACKET(BRANCH_ADDRESS,
                          .fields = ETM_FIELD_EXCEPTION_0 | ETM_FIELD_HYP));
    assert_refuses(&v1_0, PACKET(BRANCH_ADDRESS,
                                 .fields = (uint16_t)(both | ETM_FIELD_HYP)));
    assert_refuses(&plain,
                   PACKET(BRANCH_ADDRESS,
                          .fields = ETM_FIELD_EXCEPTION_0 | ETM_FIELD_CANCEL));
    ASSERT_ENCODES(&plain,
                   PACKET(BRANCH_ADDRESS, .exception = 0x1ff,
                          .fields = (uint16_t)(both | ETM_FIELD_HYP)),
                   0x81, 0x40, 0x9e, 0x3f);
    assert_refuses(&v1_0,
                   PACKET(I_SYNC, .isa = ETM_ISA_ARM, .fields = ETM_FIELD_HYP));
    assert_refuses(&plain,
                   PACKET(WAYPOINT_UPDATE, .isa = ETM_ISA_ARM,
                          .fields = ETM_FIELD_EXCEPTION_0 | ETM_FIELD_NS));
}

static void counts_stand_exactly_where_the_format_has_them(void **state)
{
    (void)state;
    assert_refuses(&cycles, PACKET(BRANCH_ADDRESS, .address = 1));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_CYCLES));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .cycle_count = 1));
    assert_refuses(&plain, PACKET(BRANCH_ADDRESS, .cycle_bytes = 1));
    assert_refuses(&cycles, PACKET(ATOM, .count = 1));
    assert_refuses(&plain,
                   PACKET(ATOM, .count = 1, .fields = ETM_FIELD_CYCLES));
    assert_refuses(&cycles, PACKET(TIMESTAMP, .value = 1));
    assert_refuses(&cycles, PACKET(I_SYNC, .isa = ETM_ISA_ARM,
                                   .reason = ETM_SYNC_TRACE_ON));
    assert_refuses(&cycles, PACKET(I_SYNC, .isa = ETM_ISA_ARM,
                                   .reason = ETM_SYNC_PERIODIC,
                                   .fields = ETM_FIELD_CYCLES));
    assert_refuses(&cycles, PACKET(WAYPOINT_UPDATE, .address = 1,
                                   .fields = ETM_FIELD_CYCLES));
    assert_refuses(&cycles, PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_CYCLES,
                                   .cycle_count = 16, .cycle_bytes = 1));
    assert_refuses(&cycles, PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_CYCLES,
                                   .cycle_bytes = 6));
}

static void values_that_do_not_fit_are_refused(void **state)
{
    struct etm_config wide = plain;

    (void)state;
    wide.timestamp_64bit = true;
    wide.context_id_bytes = 2;
    wide.virtualization = true;
    assert_refuses(&plain, PACKET(TIMESTAMP, .value = 1ull << 48));
    assert_refuses(&plain, PACKET(TIMESTAMP, .value = 0x80, .value_bytes = 1));
    assert_refuses(&plain, PACKET(TIMESTAMP, .value = 0, .value_bytes = 8));
    ASSERT_ENCODES(&wide, PACKET(TIMESTAMP, .value = UINT64_MAX), 0x42, 0xff,
                   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
    assert_refuses(&wide, PACKET(CONTEXT_ID, .context_id = 0x10000,
                                 .fields = ETM_FIELD_CONTEXT_ID));
    assert_refuses(&wide, PACKET(CONTEXT_ID, .context_id = 1));
    assert_refuses(&plain, PACKET(CONTEXT_ID, .context_id = 0));
    assert_refuses(&wide, PACKET(I_SYNC, .isa = ETM_ISA_ARM));
    assert_refuses(&wide, PACKET(VMID, .value = 256));
    assert_refuses(&plain, PACKET(VMID, .value = 1));
    assert_refuses(&plain, PACKET(I_SYNC, .address = 1, .isa = ETM_ISA_ARM));
    assert_refuses(&plain, PACKET(I_SYNC, .isa = ETM_ISA_JAZELLE));
    assert_refuses(&plain, PACKET(I_SYNC, .isa = ETM_ISA_THUMBEE));
    assert_refuses(&plain, PACKET(I_SYNC, .isa = ETM_ISA_ARM, .reason = 4));
    assert_refuses(&plain, PACKET(ATOM, .count = 0));
    assert_refuses(&plain, PACKET(ATOM, .count = 6));
    assert_refuses(&plain, PACKET(ATOM, .count = 1, .value = 4));
    assert_refuses(&plain, PACKET(ATOM, .count = 1, .value = ETM_ATOM_W));
    assert_refuses(&cycles,
                   PACKET(ATOM, .count = 2, .fields = ETM_FIELD_CYCLES));
    assert_refuses(&plain, PACKET(A_SYNC, .size = 5));
    assert_refuses(&plain, PACKET(A_SYNC, .size = 5000));
}

static void fields_that_a_packet_does_not_have_are_refused(void **state)
{
    struct etm_config config = plain;
    struct etm_packet packets[] = {
        PACKET(A_SYNC, .size = 6),
        PACKET(ATOM, .count = 1),
        PACKET(VMID, .value = 1),
        PACKET(TIMESTAMP, .value = 1),
        PACKET(CONTEXT_ID, .fields = ETM_FIELD_CONTEXT_ID),
        PACKET(TRIGGER, .header = 0x0c),
        PACKET(IGNORE, .header = 0x66),
        PACKET(EXCEPTION_EXIT, .header = 0x76),
        PACKET(RESERVED, .header = 0x7e)};

    (void)state;
    config.context_id_bytes = 1;
    config.virtualization = true;
    for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        uint8_t bytes[ETM_PACKET_ENCODED_MAX];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_pft_encode(&config, &packets[i], &w), ETM_OK);
        packets[i].fields |= ETM_FIELD_NS;
        assert_refuses(&config, packets[i]);
    }
}

static void other_protocols_packets_are_refused(void **state)
{
    (void)state;
    assert_refuses(&plain, PACKET(P_HEADER, .count = 1));
    assert_refuses(&plain, PACKET(LSIP_I_SYNC, .isa = ETM_ISA_ARM));
    assert_refuses(&plain, PACKET(NORMAL_DATA, .value = 0));
    assert_refuses(&plain, PACKET(TFO, .value = 0));
}

static void reserved_is_a_header_that_means_nothing(void **state)
{
    (void)state;
    ASSERT_ENCODES(&plain, PACKET(RESERVED, .header = 0x80), 0x80);
    ASSERT_ENCODES(&plain, PACKET(RESERVED, .header = 0x7e), 0x7e);
    assert_refuses(&cycles, PACKET(RESERVED, .header = 0x80));
    assert_refuses(&plain, PACKET(RESERVED, .header = 0x01));
}

static void nothing_is_written_where_it_does_not_fit(void **state)
{
    struct etm_packet k = PACKET(I_SYNC, .isa = ETM_ISA_ARM);
    uint8_t bytes[6];

    (void)state;
    for (size_t n = 0; n <= sizeof bytes; n++) {
        struct etm_writer w = etm_writer_of(bytes, n);

        assert_int_equal(etm_pft_encode(&plain, &k, &w),
                         n < 6 ? ETM_ERR_ARGUMENT : ETM_OK);
        assert_int_equal(etm_writer_size(&w), n < 6 ? 0 : 6);
        assert_false(w.full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_take_as_few_bytes_as_hold_them),
        cmocka_unit_test(address_bits_ask_for_their_form),
        cmocka_unit_test(addresses_that_the_wire_cannot_say_are_refused),
        cmocka_unit_test(state_without_its_byte_is_refused),
        cmocka_unit_test(counts_stand_exactly_where_the_format_has_them),
        cmocka_unit_test(values_that_do_not_fit_are_refused),
        cmocka_unit_test(fields_that_a_packet_does_not_have_are_refused),
        cmocka_unit_test(other_protocols_packets_are_refused),
        cmocka_unit_test(reserved_is_a_header_that_means_nothing),
        cmocka_unit_test(nothing_is_written_where_it_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
