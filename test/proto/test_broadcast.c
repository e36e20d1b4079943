/* SPDX-License-Identifier: Apache-2.0 */
/* What packets tell: compressed addresses, kept state, timestamps. */
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
static const struct etm_config etmv3 = {.protocol = ETM_PROTOCOL_ETMV3,
                                        .minor = 5};

#define APPLY(b, config, name, ...)                                            \
    etm_broadcast_apply(                                                       \
        b, config,                                                             \
        &(struct etm_packet){.kind = ETM_PACKET_##name, __VA_ARGS__})
#define I_SYNC(b, addr, set, bits)                                             \
    APPLY(b, &pft, I_SYNC, .address = (addr), .isa = ETM_ISA_##set,            \
          .address_bits = 32, .fields = ETM_FIELD_ADDRESS | (bits))
#define BRANCH(b, addr, n, bits)                                               \
    APPLY(b, &pft, BRANCH_ADDRESS, .address = (addr), .address_bits = (n),     \
          .fields = ETM_FIELD_ADDRESS | (bits))
#define BRANCH_TO(b, addr, n, set, bits)                                       \
    APPLY(b, &pft, BRANCH_ADDRESS, .address = (addr), .address_bits = (n),     \
          .isa = ETM_ISA_##set, .fields = ETM_FIELD_ADDRESS | (bits))

/* V3-BR-04 */
static void received_bits_replace_the_low_ones(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    I_SYNC(&b, 0x80000fff & ~1u, THUMB, 0);
    BRANCH(&b, 0x01, 6, 0);
    assert_int_equal(b.address, 0x80000f82);
    BRANCH(&b, 0x555, 13, 0); /* original encoding of ETMv3 */
    assert_int_equal(b.address, 0x80000aaa);
    BRANCH(&b, 0xc8da >> 1, 19, 0);
    assert_int_equal(b.address, 0x8000c8da);
    BRANCH(&b, 0x304450 >> 1, 26, 0);
    assert_int_equal(b.address, 0x80304450);
    BRANCH_TO(&b, 0xb6ef6a1cu >> 2, 30, ARM, 0);
    assert_int_equal(b.address, 0xb6ef6a1c);
    assert_int_equal(b.isa, ETM_ISA_ARM);
    BRANCH(&b, 0, 6, 0);
    assert_int_equal(b.address, 0xb6ef6a00);
    BRANCH_TO(&b, 0x12345679, 32, JAZELLE, 0);
    assert_int_equal(b.address, 0x12345679);
    BRANCH(&b, 0x3e, 6, 0);
    assert_int_equal(b.address, 0x1234567e);
}

/* Real packets in their order (Cortex-A9, an interrupt). */
static void waypoint_update_moves_the_base(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    I_SYNC(&b, 0xc0036328, ARM, ETM_FIELD_NS);
    BRANCH(&b, 0x10ef0 >> 2, 19, 0);
    assert_int_equal(b.address, 0xc0010ef0);
    APPLY(&b, &pft, WAYPOINT_UPDATE, .address = 0x3d, .address_bits = 6,
          .fields = ETM_FIELD_ADDRESS);
    assert_int_equal(b.address, 0xc0010ef4);
    assert_true(b.ns);
    BRANCH_TO(&b, 0xffff0018u >> 2, 30, ARM, ETM_FIELD_EXCEPTION_0);
    assert_int_equal(b.address, 0xffff0018);
    assert_false(b.ns);
}

static void waypoint_update_tells_alt_isa_only(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    I_SYNC(&b, 0x8000, THUMB, ETM_FIELD_NS | ETM_FIELD_HYP);
    APPLY(&b, &pft, WAYPOINT_UPDATE, .address = 0x4002, .address_bits = 31,
          .isa = ETM_ISA_THUMB,
          .fields =
              ETM_FIELD_ADDRESS | ETM_FIELD_EXCEPTION_0 | ETM_FIELD_ALT_ISA);
    assert_int_equal(b.address, 0x8004);
    assert_int_equal(b.isa, ETM_ISA_THUMBEE);
    assert_true(b.ns && b.hyp && b.alt_isa);
}

/* E-51, V3-BR-05 */
static void unsaid_state_is_kept(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    I_SYNC(&b, 0x8000, THUMB, ETM_FIELD_NS | ETM_FIELD_HYP);
    assert_true(b.valid && b.ns && b.hyp && !b.alt_isa);
    BRANCH(&b, 1, 6, 0);
    assert_true(b.ns && b.hyp);
    BRANCH(&b, 1, 12, ETM_FIELD_EXCEPTION_0 | ETM_FIELD_ALT_ISA);
    assert_int_equal(b.isa, ETM_ISA_THUMBEE);
    assert_true(!b.ns && b.hyp);
    BRANCH_TO(&b, 0x4000, 31, THUMB, 0); /* AltISA stays */
    assert_int_equal(b.isa, ETM_ISA_THUMBEE);
    BRANCH_TO(&b, 0x2000, 30, ARM, 0);
    assert_int_equal(b.isa, ETM_ISA_ARM);
    BRANCH_TO(&b, 0x4000, 31, THUMB,
              ETM_FIELD_EXCEPTION_0 | ETM_FIELD_EXCEPTION_1 | ETM_FIELD_NS);
    assert_int_equal(b.isa, ETM_ISA_THUMB);
    assert_true(b.ns && !b.hyp);
}

/* V3-EXB-08, table 7-11: reserved where the address is of ARM or Jazelle state.
 */
static void alt_isa_is_of_thumb_alone(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    I_SYNC(&b, 0x8000, ARM, ETM_FIELD_ALT_ISA);
    assert_int_equal(b.isa, ETM_ISA_ARM);
    BRANCH_TO(&b, 0x2000, 30, ARM, ETM_FIELD_EXCEPTION_0 | ETM_FIELD_ALT_ISA);
    assert_int_equal(b.isa, ETM_ISA_ARM);
    BRANCH_TO(&b, 0x2000, 32, JAZELLE,
              ETM_FIELD_EXCEPTION_0 | ETM_FIELD_ALT_ISA);
    assert_int_equal(b.isa, ETM_ISA_JAZELLE);
    BRANCH_TO(&b, 0x2000, 31, THUMB, ETM_FIELD_EXCEPTION_0 | ETM_FIELD_ALT_ISA);
    assert_int_equal(b.isa, ETM_ISA_THUMBEE);
}

/* ETMv3: it does not make Thumb code ThumbEE to which a packet without it leads
 * later (table 7-14: ARM to Thumb, five bytes). E-55; PFT: E-51 */
static void alt_isa_of_arm_state_is_not_kept(void **state)
{
    static const enum etm_isa isas[] = {ETM_ISA_ARM, ETM_ISA_JAZELLE};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const struct etm_config *config = i < 2 ? &etmv3 : &pft;
        struct etm_broadcast b = {0};

        APPLY(&b, config, BRANCH_ADDRESS, .address = 0x2000, .address_bits = 32,
              .isa = (uint8_t)isas[i % 2],
              .fields = ETM_FIELD_ADDRESS | ETM_FIELD_EXCEPTION_0 |
                        ETM_FIELD_ALT_ISA);
        APPLY(&b, config, BRANCH_ADDRESS, .address = 0x4000, .address_bits = 31,
              .isa = ETM_ISA_THUMB, .fields = ETM_FIELD_ADDRESS);
        assert_int_equal(b.isa, i < 2 ? ETM_ISA_THUMB : ETM_ISA_THUMBEE);
        APPLY(&b, config, I_SYNC, .address = 0x8000, .address_bits = 32,
              .isa = ETM_ISA_ARM,
              .fields = ETM_FIELD_ADDRESS | ETM_FIELD_ALT_ISA);
        APPLY(&b, config, BRANCH_ADDRESS, .address = 0x4000, .address_bits = 31,
              .isa = ETM_ISA_THUMB, .fields = ETM_FIELD_ADDRESS);
        assert_int_equal(b.isa, i < 2 ? ETM_ISA_THUMB : ETM_ISA_THUMBEE);
    }
}

/* Without an instruction set the bits have no place. */
static void short_address_before_any_isa_is_not_used(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    BRANCH(&b, 0x15, 6, 0);
    assert_int_equal(b.address, 0);
    assert_int_equal(b.isa, ETM_ISA_UNKNOWN);
    assert_false(b.address_valid);
    BRANCH_TO(&b, 0x8000 >> 2, 30, ARM, 0);
    BRANCH(&b, 0x15, 6, 0);
    assert_int_equal(b.address, 0x8054);
    assert_false(b.valid);
    assert_true(b.address_valid);
}

/* V3-BR-04 */
static void i_sync_sets_everything(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    I_SYNC(&b, 0x8000, THUMBEE,
           ETM_FIELD_NS | ETM_FIELD_HYP | ETM_FIELD_ALT_ISA);
    APPLY(&b, &pft, I_SYNC, .address = 0xc0000000, .isa = ETM_ISA_ARM,
          .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CONTEXT_ID,
          .context_id = 0x1234);
    assert_int_equal(b.address, 0xc0000000);
    assert_int_equal(b.isa, ETM_ISA_ARM);
    assert_true(!b.ns && !b.hyp && !b.alt_isa);
    assert_true(b.context_id_valid);
    assert_int_equal(b.context_id, 0x1234);
    I_SYNC(&b, 0x8000, ARM, 0); /* without a context ID */
    assert_int_equal(b.context_id, 0x1234);
}

/* V3-LSIP-05, -07 */
static void lsip_leaves_the_second_address(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    APPLY(&b, &etmv3, LSIP_I_SYNC, .address = 0x80001000, .isa = ETM_ISA_THUMB,
          .fields = ETM_FIELD_ADDRESS, .address2 = 0x15, .address2_bits = 6,
          .isa2 = ETM_ISA_UNKNOWN);
    assert_int_equal(b.address, 0x8000102a);
    assert_int_equal(b.isa, ETM_ISA_THUMB);
    APPLY(&b, &etmv3, LSIP_I_SYNC, .address = 0x80001000, .isa = ETM_ISA_THUMB,
          .fields = ETM_FIELD_ADDRESS, .address2 = 0x9000 >> 2,
          .address2_bits = 30, .isa2 = ETM_ISA_ARM);
    assert_int_equal(b.address, 0x9000);
    assert_int_equal(b.isa, ETM_ISA_ARM);
}

static void data_only_i_sync_has_no_address(void **state)
{
    struct etm_broadcast b = {.address = 0x8000, .isa = ETM_ISA_ARM};

    (void)state;
    APPLY(&b, &etmv3, I_SYNC, .fields = ETM_FIELD_NS);
    assert_true(b.valid && b.ns);
    assert_int_equal(b.address, 0x8000);
    assert_int_equal(b.isa, ETM_ISA_ARM);
}

/* V3-DATA-08, V3-DATA-09, V3-BE-02, V3-BE-04 */
static void data_addresses_have_a_base_of_their_own(void **state)
{
    struct etm_broadcast b = {.address = 0x8000, .isa = ETM_ISA_ARM};

    (void)state;
    APPLY(&b, &etmv3, NORMAL_DATA, .address = 0x20001234, .address_bits = 32,
          .fields = ETM_FIELD_ADDRESS | ETM_FIELD_BE);
    assert_true(b.data_valid && b.be);
    APPLY(&b, &etmv3, OUT_OF_ORDER_PLACEHOLDER, .address = 0x7f,
          .address_bits = 7, .fields = ETM_FIELD_ADDRESS);
    assert_int_equal(b.data_address, 0x2000127f);
    assert_true(b.be); /* until the next five bytes */
    APPLY(&b, &etmv3, VALUE_NOT_TRACED, .address = 0, .address_bits = 28,
          .fields = ETM_FIELD_ADDRESS);
    assert_int_equal(b.data_address, 0x20000000);
    APPLY(&b, &etmv3, NORMAL_DATA, .value = 1, .fields = ETM_FIELD_VALUE);
    assert_int_equal(b.data_address, 0x20000000);
    APPLY(&b, &etmv3, NORMAL_DATA, .address = 4, .address_bits = 32,
          .fields = ETM_FIELD_ADDRESS);
    assert_int_equal(b.data_address, 4);
    assert_false(b.be);
    assert_int_equal(b.address, 0x8000);
}

static void timestamps_replace_low_bits(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    APPLY(&b, &pft, TIMESTAMP, .value = 0x15, .value_bytes = 1);
    assert_int_equal(b.timestamp_bits, 7);
    APPLY(&b, &pft, TIMESTAMP, .value = 0x80000082f9d18bcc, .value_bytes = 9);
    assert_int_equal(b.timestamp_bits, 64);
    APPLY(&b, &pft, TIMESTAMP, .value = 0x0e80, .value_bytes = 2);
    assert_int_equal(b.timestamp, 0x80000082f9d18e80);
    assert_int_equal(b.timestamp_bits, 64);
    APPLY(&b, &pft, TIMESTAMP, .value = 0x2000000000000, .value_bytes = 8);
    assert_int_equal(b.timestamp, 0x8002000000000000);
    APPLY(&b, &pft, TIMESTAMP, .value = 1, .value_bytes = 9);
    assert_int_equal(b.timestamp, 1);
}

static void full_timestamp_of_48_bits_has_seven_bytes(void **state)
{
    struct etm_broadcast b = {0};
    struct etm_config v1_0 = pft;

    (void)state;
    v1_0.minor = 0; /* ETMCCER[29] is reserved */
    APPLY(&b, &v1_0, TIMESTAMP, .value = 0xffffffffffff, .value_bytes = 7);
    assert_int_equal(b.timestamp, 0xffffffffffff);
    assert_int_equal(b.timestamp_bits, 48);
    APPLY(&b, &etmv3, TIMESTAMP, .value = 0x58e90bb867, .value_bytes = 7);
    assert_int_equal(b.timestamp, 0x58e90bb867);
    APPLY(&b, &etmv3, TIMESTAMP, .value = 0x12, .value_bytes = 6);
    assert_int_equal(b.timestamp, 0x12);
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

static void context_id_and_vmid_are_kept(void **state)
{
    struct etm_broadcast b = {0};

    (void)state;
    APPLY(&b, &pft, CONTEXT_ID, .context_id = 7,
          .fields = ETM_FIELD_CONTEXT_ID);
    assert_true(b.context_id_valid && !b.vmid_valid);
    assert_int_equal(b.context_id, 7);
    APPLY(&b, &pft, VMID, .value = 0xa5, .value_bytes = 1);
    assert_true(b.vmid_valid);
    assert_int_equal(b.vmid, 0xa5);
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
        cmocka_unit_test(received_bits_replace_the_low_ones),
        cmocka_unit_test(waypoint_update_moves_the_base),
        cmocka_unit_test(waypoint_update_tells_alt_isa_only),
        cmocka_unit_test(unsaid_state_is_kept),
        cmocka_unit_test(alt_isa_is_of_thumb_alone),
        cmocka_unit_test(alt_isa_of_arm_state_is_not_kept),
        cmocka_unit_test(short_address_before_any_isa_is_not_used),
        cmocka_unit_test(i_sync_sets_everything),
        cmocka_unit_test(lsip_leaves_the_second_address),
        cmocka_unit_test(data_only_i_sync_has_no_address),
        cmocka_unit_test(data_addresses_have_a_base_of_their_own),
        cmocka_unit_test(timestamps_replace_low_bits),
        cmocka_unit_test(full_timestamp_of_48_bits_has_seven_bytes),
        cmocka_unit_test(gray_timestamps_are_merged_before_they_are_converted),
        cmocka_unit_test(timestamp_code_is_what_the_registers_say),
        cmocka_unit_test(counts_of_gaps_are_not_always_right),
        cmocka_unit_test(context_id_and_vmid_are_kept),
        cmocka_unit_test(other_packets_change_nothing),
        cmocka_unit_test(damage_leaves_nothing_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
