/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: the encoder and the decoder are each other's inverse. */
#include "test_etmv3_random.h"

#define ROUNDS 3000u
#define PACKETS 60u

/* V3-AS-03, V3-HDR-01 */
static void packets_come_back_from_their_bytes(void **state)
{
    static uint8_t bytes[6 + PACKETS * ETM_PACKET_ENCODED_MAX];
    static struct etm_packet sent[PACKETS];
    unsigned long long seen = 0;
    unsigned kinds = 0;
    uint64_t random = 1;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct etm_config config = random_config(&random);
        struct etm_packet sync = {.kind = ETM_PACKET_A_SYNC};
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
        struct etm_vec vec;

        assert_int_equal(etm_etmv3_encode(&config, &sync, &w), ETM_OK);
        for (unsigned i = 0; i < PACKETS; i++) {
            struct etm_packet *p = &sent[i];
            size_t before = etm_writer_size(&w);

            *p = random_packet(&random, &config);
            seen |= 1ull << p->kind;
            assert_int_equal(etm_etmv3_encode(&config, p, &w), ETM_OK);
            p->offset = before;
            p->size = (uint32_t)(etm_writer_size(&w) - before);
            p->header = bytes[before];
            if (p->kind == ETM_PACKET_BRANCH_ADDRESS &&
                (p->fields & ETM_FIELD_EXCEPTION_0) != 0)
                p->info = bytes[before + p->address_bytes];
        }
        assert_false(w.full);
        decode_all(&config, bytes, etm_writer_size(&w),
                   random_below(&random, 50), &vec);
        assert_int_equal(vec.n, PACKETS + 1);
        for (unsigned i = 0; i < PACKETS; i++)
            assert_same_packet(&sent[i], &packets_of(&vec)[i + 1]);
        etm_vec_fini(&vec);
    }
    /* all kinds but A-sync took part */
    for (; seen != 0; seen &= seen - 1)
        kinds++;
    assert_int_equal(kinds, 19);
}

/* What the decoder makes of any bytes, the encoder can say again. */
static void bytes_come_back_from_their_packets(void **state)
{
    static uint8_t bytes[3000], again[ETM_PACKET_BYTES_MAX];
    uint64_t random = 2;
    unsigned n_packets = 0, n_equal = 0;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct etm_config config = random_config(&random);
        struct etm_vec vec, second;

        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_next(&random);
        for (size_t i = 0; i + 6 < sizeof bytes; i += 20) {
            memset(bytes + i, 0, 5);
            bytes[i + 5] = 0x80;
        }
        decode_all(&config, bytes, sizeof bytes, 0, &vec);
        for (size_t i = 0; i < vec.n; i++) {
            struct etm_packet *p = &packets_of(&vec)[i];
            struct etm_writer w = etm_writer_of(again, sizeof again);
            int status = etm_etmv3_encode(&config, p, &w);

            if (p->kind == ETM_PACKET_UNSYNCHRONIZED ||
                p->kind == ETM_PACKET_BAD) {
                assert_int_equal(status, ETM_ERR_UNSUPPORTED);
                continue;
            }
            if (p->kind == ETM_PACKET_A_SYNC && p->size < 6) { /* E-441 */
                assert_int_equal(status, ETM_ERR_ARGUMENT);
                continue;
            }
            assert_int_equal(status, ETM_OK);
            assert_int_equal(etm_writer_size(&w), p->size);
            n_packets++;
            if (memcmp(again, bytes + p->offset, p->size) == 0) {
                n_equal++;
                continue;
            }
            /* only bits that are ignored may differ */
            memmove(again + 6, again, p->size);
            memcpy(again, "\0\0\0\0\0\x80", 6);
            decode_all(&config, again, 6 + p->size, 0, &second);
            assert_int_equal(second.n, 2);
            packets_of(&second)[1].offset = p->offset;
            packets_of(&second)[1].info = p->info;
            assert_same_packet(&packets_of(&second)[1], p);
            etm_vec_fini(&second);
        }
        etm_vec_fini(&vec);
    }
    assert_true(n_packets > 100 * ROUNDS && n_equal > n_packets / 10 * 9);
}

static struct etm_config whole_config(void)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = 5,
                               .cycle_accurate = true,
                               .context_id_bytes = 1,
                               .data_value = true,
                               .data_address = true};
}

static void assert_encodes(const struct etm_config *config,
                           const struct etm_packet *p, const char *hex)
{
    uint8_t expected[64], bytes[64];
    size_t n = unhex(hex, expected, sizeof expected);
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

    assert_int_equal(etm_etmv3_encode(config, p, &w), ETM_OK);
    assert_int_equal(etm_writer_size(&w), n);
    assert_memory_equal(bytes, expected, n);
}

/* V3-AS-01 */
static void zero_lengths_are_as_short_as_possible(void **state)
{
    struct etm_config config = whole_config();
    const struct {
        struct etm_packet p;
        const char *bytes;
    } rows[] = {
        {{.kind = ETM_PACKET_A_SYNC}, "00 00 00 00 00 80"},
        {{.kind = ETM_PACKET_A_SYNC, .size = 8}, "00 00 00 00 00 00 00 80"},
        {{.kind = ETM_PACKET_BRANCH_ADDRESS}, "01"},
        {{.kind = ETM_PACKET_BRANCH_ADDRESS, .address = 0x3F}, "7F"},
        {{.kind = ETM_PACKET_BRANCH_ADDRESS, .address = 0x40}, "81 01"},
        /* seven bits changed, the highest to 0 */
        {{.kind = ETM_PACKET_BRANCH_ADDRESS, .address = 1, .address_bits = 7},
         "83 00"},
        {{.kind = ETM_PACKET_BRANCH_ADDRESS, .address = 0x4800, .isa = 2},
         "81 A0 82 80 10"},
        {{.kind = ETM_PACKET_CYCLE_COUNT}, "04 00"},
        {{.kind = ETM_PACKET_CYCLE_COUNT, .cycle_count = 128}, "04 80 01"},
        {{.kind = ETM_PACKET_I_SYNC, .isa = ETM_ISA_THUMB, .address = 0x8000},
         "08 00 01 01 80 00 00"},
        {{.kind = ETM_PACKET_NORMAL_DATA}, "02"},
        {{.kind = ETM_PACKET_NORMAL_DATA, .value = 255}, "06 FF"},
        {{.kind = ETM_PACKET_NORMAL_DATA, .value = 256}, "0A 00 01"},
        {{.kind = ETM_PACKET_NORMAL_DATA, .value = 65536}, "0E 00 00 01 00"},
        {{.kind = ETM_PACKET_NORMAL_DATA, .fields = ETM_FIELD_A}, "22 00"},
        {{.kind = ETM_PACKET_NORMAL_DATA,
          .fields = ETM_FIELD_A,
          .address = 0x40},
         "22 40"},
        {{.kind = ETM_PACKET_NORMAL_DATA,
          .fields = ETM_FIELD_A,
          .address = 1,
          .address_bits = 8},
         "22 81 00"},
        {{.kind = ETM_PACKET_NORMAL_DATA,
          .fields = ETM_FIELD_A | ETM_FIELD_BE,
          .address = 1},
         "22 81 80 80 80 10"},
        {{.kind = ETM_PACKET_TIMESTAMP, .value = 128}, "42 80 01"},
        {{.kind = ETM_PACKET_TIMESTAMP}, "42 00"},
        {{.kind = ETM_PACKET_P_HEADER, .value = 0x2, .count = 2}, "84"},
        {{.kind = ETM_PACKET_P_HEADER, .value = 0x2, .count = 1}, "A0"},
        {{.kind = ETM_PACKET_P_HEADER, .value = 0x1, .count = 1}, "96"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_encodes(&config, &rows[i].p, rows[i].bytes);
}

/* It could complete an A-sync; version 3.0 has another header for one W.
 * V3-PH-05, V3-PH-06 */
static void header_80_must_be_asked_for(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3};
    struct etm_packet none = {.kind = ETM_PACKET_P_HEADER};
    struct etm_packet w = {
        .kind = ETM_PACKET_P_HEADER, .count = 1, .value = ETM_ATOM_W};
    uint8_t bytes[4];
    struct etm_writer writer = etm_writer_of(bytes, sizeof bytes);

    (void)state;
    assert_int_equal(etm_etmv3_encode(&config, &none, &writer),
                     ETM_ERR_ARGUMENT);
    none.header = 0x80;
    assert_encodes(&config, &none, "80");
    config.cycle_accurate = true;
    assert_encodes(&config, &w, "A0");
    w.header = 0x80;
    assert_encodes(&config, &w, "80");
}

static void exceptions_take_the_address_bytes_that_they_need(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .minor = 4,
                                .alternative_branches = true};
    struct etm_packet p = {.kind = ETM_PACKET_BRANCH_ADDRESS,
                           .fields = ETM_FIELD_EXCEPTION_0 | ETM_FIELD_NS,
                           .address = 1};
    uint8_t bytes[16];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

    (void)state;
    assert_encodes(&config, &p, "83 40 01");
    p.address_bytes = 1;
    assert_int_equal(etm_etmv3_encode(&config, &p, &w), ETM_ERR_ARGUMENT);
    /* original encoding: five, and five name the instruction set */
    config.alternative_branches = false;
    p.address_bytes = 0;
    assert_int_equal(etm_etmv3_encode(&config, &p, &w), ETM_ERR_ARGUMENT);
    p.isa = ETM_ISA_ARM;
    assert_encodes(&config, &p, "83 80 80 80 48 01");
}

/* V3-AS-01, V3-HDR-09 */
static void what_cannot_be_said_is_refused(void **state)
{
    struct etm_config config = whole_config();
    const struct etm_packet rows[] = {
        {.kind = ETM_PACKET_ATOM},
        {.kind = ETM_PACKET_WAYPOINT_UPDATE},
        {.kind = 200},
        {.kind = ETM_PACKET_A_SYNC, .size = 5},
        {.kind = ETM_PACKET_RESERVED, .header = 0x84},
        {.kind = ETM_PACKET_P_HEADER}, /* 80 must be asked for */
        {.kind = ETM_PACKET_P_HEADER, .count = 3},
        {.kind = ETM_PACKET_P_HEADER, .count = 17},
        {.kind = ETM_PACKET_P_HEADER, .count = 255, .value = UINT64_MAX},
        {.kind = ETM_PACKET_EXCEPTION_ENTRY, .header = 0x7E},
        {.kind = ETM_PACKET_BRANCH_ADDRESS, .address = 1u << 27},
        {.kind = ETM_PACKET_BRANCH_ADDRESS, .address = 64, .address_bytes = 1},
        {.kind = ETM_PACKET_BRANCH_ADDRESS, .address_bytes = 6},
        {.kind = ETM_PACKET_BRANCH_ADDRESS,
         .address = 1u << 30,
         .isa = ETM_ISA_ARM},
        {.kind = ETM_PACKET_BRANCH_ADDRESS, .isa = 9},
        {.kind = ETM_PACKET_BRANCH_ADDRESS, .exception = 1},
        {.kind = ETM_PACKET_BRANCH_ADDRESS, .fields = ETM_FIELD_NS},
        {.kind = ETM_PACKET_BRANCH_ADDRESS, .fields = ETM_FIELD_CANCEL},
        {.kind = ETM_PACKET_BRANCH_ADDRESS,
         .isa = ETM_ISA_ARM,
         .fields = ETM_FIELD_EXCEPTION_0 | ETM_FIELD_HYP},
        {.kind = ETM_PACKET_BRANCH_ADDRESS,
         .isa = ETM_ISA_ARM,
         .fields = ETM_FIELD_EXCEPTION_0,
         .exception = 16},
        {.kind = ETM_PACKET_BRANCH_ADDRESS,
         .isa = ETM_ISA_ARM,
         .fields = ETM_FIELD_EXCEPTION_0,
         .resume = 1},
        {.kind = ETM_PACKET_BRANCH_ADDRESS,
         .isa = ETM_ISA_THUMB,
         .fields = ETM_FIELD_DEPRECATED},
        {.kind = ETM_PACKET_BRANCH_ADDRESS,
         .isa = ETM_ISA_ARM,
         .fields = ETM_FIELD_DEPRECATED,
         .exception = 8},
        {.kind = ETM_PACKET_I_SYNC}, /* no instruction set */
        {.kind = ETM_PACKET_I_SYNC, .isa = ETM_ISA_THUMB, .address = 1},
        {.kind = ETM_PACKET_I_SYNC, .isa = ETM_ISA_ARM, .reason = 4},
        {.kind = ETM_PACKET_I_SYNC, .isa = ETM_ISA_ARM, .context_id = 256},
        {.kind = ETM_PACKET_CONTEXT_ID, .context_id = 256},
        {.kind = ETM_PACKET_VMID, .value = 256},
        {.kind = ETM_PACKET_CYCLE_COUNT, .cycle_count = 128, .cycle_bytes = 1},
        {.kind = ETM_PACKET_CYCLE_COUNT, .cycle_bytes = 6},
        {.kind = ETM_PACKET_TIMESTAMP, .value = UINT64_C(1) << 48},
        {.kind = ETM_PACKET_TIMESTAMP, .value = 128, .value_bytes = 1},
        {.kind = ETM_PACKET_TIMESTAMP, .value_bytes = 8},
        {.kind = ETM_PACKET_NORMAL_DATA, .value_bytes = 3},
        {.kind = ETM_PACKET_NORMAL_DATA, .value = UINT64_C(1) << 32},
        {.kind = ETM_PACKET_NORMAL_DATA, .value = 256, .value_bytes = 1},
        {.kind = ETM_PACKET_NORMAL_DATA, .address = 1}, /* without A */
        {.kind = ETM_PACKET_NORMAL_DATA,
         .fields = ETM_FIELD_A | ETM_FIELD_BE,
         .address_bytes = 4},
        {.kind = ETM_PACKET_OUT_OF_ORDER_DATA},
        {.kind = ETM_PACKET_OUT_OF_ORDER_DATA, .tag = 4},
        {.kind = ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER},
        {.kind = ETM_PACKET_VALUE_NOT_TRACED, .value = 1},
    };
    uint8_t bytes[64];

    (void)state;
    config.profile = ETM_PROFILE_A;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_etmv3_encode(&config, &rows[i], &w),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_writer_size(&w), 0);
    }
}

/* V3-CFG-24, V3-CC-10, V3-ORG-06 */
static void what_the_configuration_has_not_is_refused(void **state)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3};
    const struct etm_packet rows[] = {
        {.kind = ETM_PACKET_CYCLE_COUNT},
        {.kind = ETM_PACKET_I_SYNC_CYCLE_COUNT, .isa = ETM_ISA_ARM},
        {.kind = ETM_PACKET_LSIP_I_SYNC,
         .isa = ETM_ISA_ARM,
         .fields = ETM_FIELD_CYCLES},
        {.kind = ETM_PACKET_I_SYNC, .isa = ETM_ISA_ARM, .fields = ETM_FIELD_NS},
        {.kind = ETM_PACKET_CONTEXT_ID},
        {.kind = ETM_PACKET_VMID},
        {.kind = ETM_PACKET_TIMESTAMP},
        {.kind = ETM_PACKET_EXCEPTION_EXIT},
        {.kind = ETM_PACKET_NORMAL_DATA},
        {.kind = ETM_PACKET_DATA_SUPPRESSED},
        {.kind = ETM_PACKET_STORE_FAILED},
        {.kind = ETM_PACKET_P_HEADER, .value = 2, .count = 1},
        {.kind = ETM_PACKET_BRANCH_ADDRESS,
         .isa = ETM_ISA_ARM,
         .fields = ETM_FIELD_EXCEPTION_0 | ETM_FIELD_EXCEPTION_1},
    };
    uint8_t bytes[64];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_etmv3_encode(&config, &rows[i], &w),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_writer_size(&w), 0);
    }
    config.minor = 3;
    {
        struct etm_packet branch = {.kind = ETM_PACKET_BRANCH_ADDRESS,
                                    .isa = ETM_ISA_ARM,
                                    .fields = ETM_FIELD_EXCEPTION_0 |
                                              ETM_FIELD_EXCEPTION_1};
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_etmv3_encode(&config, &branch, &w),
                         ETM_ERR_ARGUMENT);
    }
    config.data_only = config.data_value = true;
    {
        struct etm_packet branch = {.kind = ETM_PACKET_BRANCH_ADDRESS};
        struct etm_packet sync = {.kind = ETM_PACKET_I_SYNC,
                                  .fields = ETM_FIELD_NS,
                                  .reason = ETM_SYNC_TRACE_ON};
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_etmv3_encode(&config, &branch, &w),
                         ETM_ERR_ARGUMENT);
        assert_encodes(&config, &sync, "08 29");
    }
}

static void full_writer_says_so(void **state)
{
    struct etm_config config = whole_config();
    struct etm_packet p = {.kind = ETM_PACKET_CYCLE_COUNT, .cycle_count = 128};
    uint8_t bytes[2];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

    (void)state;
    assert_int_equal(etm_etmv3_encode(&config, &p, &w), ETM_OK);
    assert_true(w.full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_come_back_from_their_bytes),
        cmocka_unit_test(bytes_come_back_from_their_packets),
        cmocka_unit_test(zero_lengths_are_as_short_as_possible),
        cmocka_unit_test(header_80_must_be_asked_for),
        cmocka_unit_test(exceptions_take_the_address_bytes_that_they_need),
        cmocka_unit_test(what_cannot_be_said_is_refused),
        cmocka_unit_test(what_the_configuration_has_not_is_refused),
        cmocka_unit_test(full_writer_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
