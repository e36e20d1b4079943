/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: its tables (ETM architecture, chapter 6). */
#include "proto/etmv2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* V2-PIPE-01: table 6-1; SIG-02: four pins, and no TRACESYNC */
static void each_status_is_claimed_once(void **state)
{
    const struct etm_etmv2_status_row *rows = etm_etmv2_statuses;

    (void)state;
    for (unsigned status = 0; status < 16; status++) {
        unsigned claims = 0;

        for (size_t i = 0; i < ETM_ETMV2_STATUSES; i++)
            claims += (status & rows[i].mask) == rows[i].value;
        assert_int_equal(claims, 1);
        /* bit 0 says that packets are output, but for TD */
        assert_int_equal(etm_etmv2_status_row(status)->pushes,
                         (status & 1) != 0 && status != ETM_ETMV2_TD);
    }
    assert_int_equal(etm_etmv2_status_row(0xb)->phantom, ETM_TRUE);
    assert_int_equal(etm_etmv2_status_row(0xb)->insn, ETM_FALSE);
    assert_int_equal(etm_etmv2_status_row(0xc)->phantom, ETM_FALSE);
    assert_int_equal(etm_etmv2_status_row(0xc)->insn, ETM_TRUE);
    assert_int_equal(etm_etmv2_status_row(0x5)->insn, ETM_UNKNOWN);
}

/* V2-HDR-01: table 6-2; V2-PKT-06: the filler is reserved */
static void each_header_is_claimed_once(void **state)
{
    size_t n;
    const struct etm_etmv2_header_row *rows = etm_etmv2_header_rows(&n);
    unsigned counts[64] = {0};

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned claims = 0;

        for (size_t i = 0; i < n; i++)
            if ((byte & rows[i].mask) == rows[i].value) {
                claims++;
                counts[rows[i].kind]++;
            }
        assert_int_equal(claims, 1);
    }
    assert_int_equal(counts[ETM_PACKET_BRANCH_ADDRESS], 128);
    assert_int_equal(counts[ETM_PACKET_NORMAL_DATA], 16);
    assert_int_equal(counts[ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER], 16);
    assert_int_equal(counts[ETM_PACKET_OUT_OF_ORDER_DATA], 32);
    assert_int_equal(counts[ETM_PACKET_VALUE_NOT_TRACED], 2);
    assert_int_equal(counts[ETM_PACKET_CONTEXT_ID], 2);
    assert_int_equal(counts[ETM_PACKET_RESERVED], 60);
}

/* V2-TFO-01, V2-TFO-02, V2-TFO-15, V2-TFO-17: table 6-4, example 6-1 */
static void trace_fifo_offsets_on_the_pins(void **state)
{
    static const struct {
        uint8_t value, pins;
    } known[] = {{0, 0x09},  {1, 0x19},  {15, 0xf9}, {16, 0x0b}, {31, 0xfb},
                 {32, 0x0d}, {47, 0xfd}, {48, 0x0f}, {63, 0xff}, {64, 0x01},
                 {79, 0xf1}, {80, 0x03}, {95, 0xf3}};

    (void)state;
    for (size_t i = 0; i < COUNT(known); i++)
        assert_int_equal(etm_etmv2_tfo_pins(known[i].value), known[i].pins);
    for (unsigned value = 0; value <= ETM_ETMV2_TFO_MAX; value++) {
        assert_true(etm_etmv2_is_tfo(etm_etmv2_tfo_pins(value)));
        assert_int_equal(etm_etmv2_tfo_value(etm_etmv2_tfo_pins(value)), value);
    }
    for (unsigned pins = 0; pins < 16; pins++)
        assert_int_equal(etm_etmv2_is_tfo(pins),
                         pins % 2 == 1 && pins != 5 && pins != 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status_is_claimed_once),
        cmocka_unit_test(each_header_is_claimed_once),
        cmocka_unit_test(trace_fifo_offsets_on_the_pins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
