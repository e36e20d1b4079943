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
        cmocka_unit_test(full_writer_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
