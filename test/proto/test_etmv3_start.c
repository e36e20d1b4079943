/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: streams without an A-sync at their beginning (doc/errata.md, E-610).
 */
#include "test_etmv3_util.h"

/* E-610: in every configuration, whatever the pieces. */
static void a_stream_may_begin_with_an_i_sync(void **state)
{
    static const struct {
        struct etm_config config;
        const char *hex, *expected;
    } streams[] = {
        {{.minor = 4}, "08 21 01 02 00 08 98", "i_sync 6, p_header 1"},
        {{.minor = 4}, "08 41 01 02 00 08 98", "i_sync 6, p_header 1"},
        {{.minor = 4}, "08 61 00 02 00 08 98", "i_sync 6, p_header 1"},
        {{.minor = 4, .context_id_bytes = 4},
         "08 07 00 00 00 21 01 02 00 08 98",
         "i_sync 10, p_header 1"},
        {{.minor = 4, .cycle_accurate = true},
         "70 85 01 21 01 02 00 08 84",
         "i_sync_cycle_count 8, p_header 1"},
        {{.minor = 4, .data_value = true, .data_only = true},
         "08 21 06 11",
         "i_sync 2, normal_data 2"},
        {{.minor = 4, .data_address = true},
         "08 a1 01 02 00 08 05 98",
         "lsip_i_sync 7, p_header 1"},
        /* a periodic one, and what no macrocell sends */
        {{.minor = 4}, "08 01 01 02 00 08 98", "unsynchronized 7"},
        {{.minor = 4}, "08 20 01 02 00 08 98", "unsynchronized 7"},
        {{.minor = 4}, "08 21 02 02 00 08 98", "unsynchronized 7"},
        {{.minor = 4}, "08 a1 01 02 00 08 05 98", "unsynchronized 8"},
        {{.minor = 5}, "08 23 01 02 00 08 98", "unsynchronized 7"},
        {{.minor = 0}, "08 29 00 02 00 08 98", "unsynchronized 7"},
        {{.minor = 4, .data_value = true, .data_only = true},
         "08 25 06 11",
         "unsynchronized 4"},
        /* cut off, not the first packet, and an A-sync in its place */
        {{.minor = 4}, "08 21 01 02 00", "unsynchronized 5"},
        {{.minor = 4}, "98 08 21 01 02 00 08", "unsynchronized 7"},
        {{.minor = 4, .context_id_bytes = 4},
         "08 00 00 00 00 00 80 98",
         "unsynchronized 1, a_sync 6, p_header 1"},
        {{.minor = 4, .context_id_bytes = 4, .cycle_accurate = true},
         "70 00 00 00 00 00 80 84",
         "unsynchronized 1, a_sync 6, p_header 1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        struct etm_config config = streams[i].config;
        uint8_t bytes[32];
        size_t n = unhex(streams[i].hex, bytes, sizeof bytes);

        config.size = sizeof config;
        config.protocol = ETM_PROTOCOL_ETMV3;
        for (size_t piece = 0; piece <= n; piece++) {
            struct etm_vec vec;

            decode_all(&config, bytes, n, piece, &vec);
            assert_packets(&vec, streams[i].expected);
            etm_vec_fini(&vec);
        }
    }
}

/* E-610: neither after a gap nor from anywhere else on. */
static void only_the_first_byte_begins_a_stream(void **state)
{
    static const uint8_t bytes[] = {0x08, 0x21, 0x01, 0x02, 0x00, 0x08, 0x98};
    const struct etm_config config = {
        .size = sizeof config, .protocol = ETM_PROTOCOL_ETMV3, .minor = 4};
    struct etm_etmv3_decoder decoder;
    struct etm_vec vec;

    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        etm_vec_init(&vec, sizeof(struct etm_packet), NULL);
        etm_etmv3_decoder_init(&decoder, &config);
        if (way == 0)
            etm_etmv3_decoder_enter(&decoder, 0);
        else
            assert_int_equal(etm_etmv3_decoder_gap(&decoder, &vec), ETM_OK);
        assert_int_equal(
            etm_etmv3_decoder_push(&decoder, bytes, sizeof bytes, &vec),
            ETM_OK);
        assert_int_equal(etm_etmv3_decoder_finish(&decoder, &vec), ETM_OK);
        assert_packets(&vec, "unsynchronized 7");
        etm_vec_fini(&vec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_may_begin_with_an_i_sync),
        cmocka_unit_test(only_the_first_byte_begins_a_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
