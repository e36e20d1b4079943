/* SPDX-License-Identifier: Apache-2.0 */
/* Random valid ETMv3 streams have no A-sync but where the encoder put one. */
#include "../proto/test_etmv3_random.h"
#include "realign_support.h"

#define PACKETS 1500u

/* As many zeros as packets can have. */
static void make_zeros(struct etm_packet *p, uint64_t *random)
{
    if (bits(random, 1) != 0)
        p->address = p->address2 = 0;
    if (bits(random, 1) != 0)
        p->context_id = p->cycle_count = 0;
    if (bits(random, 1) != 0 && p->kind == ETM_PACKET_TIMESTAMP)
        p->value = 0;
    /* Leading zero bytes of a data value are not sent (7.4.2). */
    if (bits(random, 1) != 0 && p->value_bytes != 0 &&
        (p->fields & ETM_FIELD_VALUE) != 0)
        p->value = UINT64_C(1) << (8 * p->value_bytes - 8);
}

static size_t random_stream(const struct etm_config *config, uint64_t *random,
                            uint8_t *bytes, size_t capacity)
{
    struct etm_writer w = etm_writer_of(bytes, capacity);
    const struct etm_packet a_sync = {.kind = ETM_PACKET_A_SYNC, .size = 6};

    assert_int_equal(etm_etmv3_encode(config, &a_sync, &w), ETM_OK);
    for (unsigned i = 0; i < PACKETS; i++) {
        struct etm_packet p = random_packet(random, config);

        make_zeros(&p, random);
        if (bits(random, 5) == 0) {
            p = a_sync;
            p.size += random_below(random, 4);
        }
        assert_int_equal(etm_etmv3_encode(config, &p, &w), ETM_OK);
    }
    assert_false(w.full);
    return etm_writer_size(&w);
}

/* V3-AS-02, V3-AS-08 */
static void valid_etmv3_streams_survive_at_every_offset(void **state)
{
    uint64_t random = 11;

    (void)state;
    for (unsigned i = 0; i < 150; i++) {
        static uint8_t bytes[PACKETS * ETM_ETMV3_PACKET_MAX];
        struct etm_config config = random_config(&random);
        size_t n = random_stream(&config, &random, bytes, sizeof bytes);

        assert_valid_stream_survives(bytes, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_etmv3_streams_survive_at_every_offset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
