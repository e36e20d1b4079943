/* SPDX-License-Identifier: Apache-2.0 */
/* E-660: after damage, decoding goes on at an I-sync like the last one. */
#include "test_etmv3_util.h"

#include "proto/pft.h"

/* The packets of a stream in pieces of `piece` bytes (0: in one). */
static void decode(const struct etm_config *config, const uint8_t *bytes,
                   size_t n, size_t piece, struct etm_vec *out)
{
    struct etm_pft_decoder pft;
    struct etm_etmv3_decoder etmv3;
    bool is_pft = config->protocol == ETM_PROTOCOL_PFT;

    etm_vec_init(out, sizeof(struct etm_packet), NULL);
    if (is_pft)
        etm_pft_decoder_init(&pft, config);
    else
        etm_etmv3_decoder_init(&etmv3, config);
    piece = piece == 0 ? n : piece;
    for (size_t i = 0; i < n; i += piece) {
        size_t some = n - i < piece ? n - i : piece;
        int status =
            is_pft ? etm_pft_decoder_push(&pft, bytes + i, some, out)
                   : etm_etmv3_decoder_push(&etmv3, bytes + i, some, out);

        assert_int_equal(status, ETM_OK);
    }
    assert_int_equal(is_pft ? etm_pft_decoder_finish(&pft, out)
                            : etm_etmv3_decoder_finish(&etmv3, out),
                     ETM_OK);
}

struct stream {
    struct etm_config config;
    const char *hex, *expected;
};

static void expect(const struct stream *streams, size_t n,
                   enum etm_protocol protocol)
{
    for (size_t i = 0; i < n; i++) {
        struct etm_config config = streams[i].config;
        uint8_t bytes[64];
        size_t size = unhex(streams[i].hex, bytes, sizeof bytes);

        config.size = sizeof config;
        config.protocol = protocol;
        for (size_t piece = 0; piece <= size; piece++) {
            struct etm_vec vec;

            decode(&config, bytes, size, piece, &vec);
            assert_packets(&vec, streams[i].expected);
            etm_vec_fini(&vec);
        }
    }
}

static void pft_goes_on_at_an_i_sync_like_the_last(void **state)
{
    static const struct stream streams[] = {
        {{.minor = 1},
         "08 00 01 00 c0 29 84 02 ff ff 08 40 02 00 c0 09 84",
         "i_sync 6, atom 1, reserved 1, unsynchronized 2, i_sync 6, atom 1"},
        /* it is the last packet */
        {{.minor = 1},
         "08 00 01 00 c0 29 02 08 40 02 00 c0 09",
         "i_sync 6, reserved 1, i_sync 6"},
        /* with a cycle count and a context ID */
        {{.minor = 1, .cycle_accurate = true, .context_id_bytes = 2},
         "08 00 01 00 c0 29 c0 01 05 00 02 08 40 02 00 c0 49 04 05 00 84",
         "i_sync 10, reserved 1, i_sync 9, atom 1"},
        /* Thumb code */
        {{.minor = 1},
         "08 00 01 00 c0 29 02 08 43 02 00 c0 09 84",
         "i_sync 6, reserved 1, i_sync 6, atom 1"},
        /* other state, another region, bit 1 of an ARM address */
        {{.minor = 1},
         "08 00 01 00 c0 29 02 08 40 02 00 c0 01 84",
         "i_sync 6, reserved 1, unsynchronized 7"},
        {{.minor = 1},
         "08 00 01 00 c0 29 02 08 40 02 00 c1 09 84",
         "i_sync 6, reserved 1, unsynchronized 7"},
        {{.minor = 1},
         "08 00 01 00 c0 29 02 08 42 02 00 c0 09 84",
         "i_sync 6, reserved 1, unsynchronized 7"},
        /* headers within what looks like one */
        {{.minor = 1},
         "08 00 01 00 c0 29 02 08 08 08 40 02 00 c0 09 84",
         "i_sync 6, reserved 1, unsynchronized 2, i_sync 6, atom 1"},
        /* an A-sync comes first, also within what looks like one */
        {{.minor = 1},
         "08 00 01 00 00 29 02 08 00 00 00 00 00 80 84",
         "i_sync 6, reserved 1, unsynchronized 1, a_sync 6, atom 1"},
        /* cut off */
        {{.minor = 1},
         "08 00 01 00 c0 29 02 84 08 40 02 00 c0",
         "i_sync 6, reserved 1, unsynchronized 6"},
    };

    (void)state;
    expect(streams, sizeof streams / sizeof *streams, ETM_PROTOCOL_PFT);
}

static void etmv3_goes_on_at_an_i_sync_like_the_last(void **state)
{
    static const struct stream streams[] = {
        {{.minor = 4},
         "08 21 01 02 00 08 98 12 ff 08 01 41 02 00 08 98",
         "i_sync 6, p_header 1, reserved 1, unsynchronized 1, i_sync 6, "
         "p_header 1"},
        {{.minor = 4},
         "08 21 01 02 00 08 12 08 41 41 02 00 08",
         "i_sync 6, reserved 1, i_sync 6"},
        {{.minor = 4, .cycle_accurate = true, .context_id_bytes = 1},
         "08 07 21 01 02 00 08 12 70 85 01 07 21 41 02 00 08 84",
         "i_sync 7, reserved 1, i_sync_cycle_count 9, p_header 1"},
        /* without cycles that is no header */
        {{.minor = 4},
         "08 21 01 02 00 08 12 70 05 21 41 02 00 08 98",
         "i_sync 6, reserved 1, unsynchronized 8"},
        /* a data instruction in progress: the end may be missing */
        {{.minor = 4, .data_address = true},
         "08 21 01 02 00 08 12 08 a1 41 02 00 08 05 98",
         "i_sync 6, reserved 1, lsip_i_sync 7, p_header 1"},
        {{.minor = 4, .data_address = true},
         "08 21 01 02 00 08 12 08 a1 41 02 00 08",
         "i_sync 6, reserved 1, bad 6 truncated"},
        {{.minor = 4, .data_address = true},
         "08 21 01 02 00 08 12 08 81 41 02 00 08 05 98",
         "i_sync 6, reserved 1, unsynchronized 8"},
        {{.minor = 4},
         "08 21 01 02 00 08 12 08 29 41 02 00 08 98",
         "i_sync 6, reserved 1, unsynchronized 7"},
        {{.minor = 4},
         "08 21 01 02 00 08 12 08 21 41 02 00 09 98",
         "i_sync 6, reserved 1, unsynchronized 7"},
        {{.minor = 4},
         "08 21 01 02 00 08 12 08 21 42 02 00 08 98",
         "i_sync 6, reserved 1, unsynchronized 7"},
        {{.minor = 4, .context_id_bytes = 4},
         "08 07 00 00 00 21 01 02 00 00 12 08 00 00 00 00 00 80 98",
         "i_sync 10, reserved 1, unsynchronized 1, a_sync 6, p_header 1"},
        /* data-only trace has no address in it */
        {{.minor = 4, .data_value = true, .data_only = true},
         "08 21 12 08 21 06 11",
         "i_sync 2, reserved 1, unsynchronized 4"},
    };

    (void)state;
    expect(streams, sizeof streams / sizeof *streams, ETM_PROTOCOL_ETMV3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pft_goes_on_at_an_i_sync_like_the_last),
        cmocka_unit_test(etmv3_goes_on_at_an_i_sync_like_the_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
