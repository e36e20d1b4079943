/* SPDX-License-Identifier: Apache-2.0 */
/* Random valid PFT streams have no A-sync but where the encoder put one. */
#include "../proto/pft_util.h"
#include "realign_support.h"

#define PACKETS 1500u
#define PACKET_MAX 32u

struct etm_packet random_packet(const struct etm_config *config,
                                uint64_t *state);

static size_t random_stream(const struct etm_config *config, uint64_t *random,
                            uint8_t *bytes, size_t capacity)
{
    struct etm_writer w = etm_writer_of(bytes, capacity);
    const struct etm_packet sync = {.kind = ETM_PACKET_A_SYNC, .size = 6};

    assert_int_equal(etm_pft_encode(config, &sync, &w), ETM_OK);
    for (unsigned i = 0; i < PACKETS; i++) {
        struct etm_packet p = random_packet(config, random);
        uint32_t zeros = random_next(random);

        if ((zeros & 1) != 0)
            p.address = 0;
        if ((zeros & 2) != 0)
            p.context_id = 0;
        if ((zeros & 4) != 0 && (p.fields & ETM_FIELD_CYCLES) != 0 &&
            p.kind != ETM_PACKET_ATOM)
            p.cycle_count = 0;
        if ((zeros & 8) != 0 &&
            (p.kind == ETM_PACKET_TIMESTAMP || p.kind == ETM_PACKET_VMID))
            p.value = 0;
        assert_int_equal(etm_pft_encode(config, &p, &w), ETM_OK);
    }
    assert_false(w.full);
    return etm_writer_size(&w);
}

static void valid_pft_streams_survive_at_every_offset(void **state)
{
    uint64_t random = 12;

    (void)state;
    for (unsigned i = 0; i < 3 * N_CONFIGS; i++) {
        static uint8_t bytes[PACKETS * PACKET_MAX];
        struct etm_config config = config_number(i % N_CONFIGS);
        size_t n = random_stream(&config, &random, bytes, sizeof bytes);

        assert_valid_stream_survives(bytes, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_pft_streams_survive_at_every_offset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
