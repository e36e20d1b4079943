/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The headers of table 7-1 and of tables 7-2 and 7-3, written down here once
 * more, for every version.
 */
#include "test_etmv3_util.h"

/* Letters of a pattern are any bit; x is not said what it is. */
struct pattern {
    const char *bits;
    enum etm_packet_kind kind;
};

static bool fits(const char *bits, unsigned byte)
{
    for (unsigned i = 0; i < 8; i++)
        if ((bits[i] == '0' && (byte >> (7 - i) & 1) != 0) ||
            (bits[i] == '1' && (byte >> (7 - i) & 1) == 0))
            return false;
    return true;
}

/* V3-HDR-06: where the tag is 0, it is another packet: those come first. */
static const struct pattern low[] = {
    {"00000000", ETM_PACKET_A_SYNC},
    {"00000100", ETM_PACKET_CYCLE_COUNT},
    {"00001000", ETM_PACKET_I_SYNC},
    {"00001100", ETM_PACKET_TRIGGER},
    {"01010000", ETM_PACKET_STORE_FAILED},
    {"01110000", ETM_PACKET_I_SYNC_CYCLE_COUNT},
    {"0TT0SS00", ETM_PACKET_OUT_OF_ORDER_DATA},
    {"01A1TT00", ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER},
    {"00A0SS10", ETM_PACKET_NORMAL_DATA},
    {"01100010", ETM_PACKET_DATA_SUPPRESSED},
    {"01100110", ETM_PACKET_IGNORE},
    {"011A1010", ETM_PACKET_VALUE_NOT_TRACED},
    {"01101110", ETM_PACKET_CONTEXT_ID},
    {"01110110", ETM_PACKET_EXCEPTION_EXIT},
    {"01111110", ETM_PACKET_EXCEPTION_ENTRY},
    {"00x1xx10", ETM_PACKET_RESERVED},
    {"0001xx00", ETM_PACKET_RESERVED},
    {"0011xx00", ETM_PACKET_RESERVED},
    {"010xxx10", ETM_PACKET_RESERVED},
    {"01110010", ETM_PACKET_RESERVED},
};

/* Tables 7-2 and 7-3. */
static enum etm_packet_kind p_header(const struct etm_config *c, unsigned byte)
{
    if (fits("1000FF10", byte))
        return ETM_PACKET_P_HEADER;
    if (!c->cycle_accurate)
        return fits("1NEEEE00", byte) ? ETM_PACKET_P_HEADER
                                      : ETM_PACKET_RESERVED;
    if (byte == 0x80)
        return c->minor == 0 ? ETM_PACKET_P_HEADER : ETM_PACKET_RESERVED;
    if (fits("1N0EEE00", byte) || fits("1E1WWW00", byte) ||
        (fits("10010F10", byte) && c->minor >= 3))
        return ETM_PACKET_P_HEADER;
    return ETM_PACKET_RESERVED;
}

static enum etm_packet_kind kind_of(const struct etm_config *c, unsigned byte)
{
    bool m = c->profile == ETM_PROFILE_M;
    size_t i = 0;

    if ((byte & 1) != 0)
        return ETM_PACKET_BRANCH_ADDRESS;
    if ((byte & 0x80) != 0)
        return p_header(c, byte);
    if (c->minor == 5 && byte == 0x3c)
        return ETM_PACKET_VMID;
    if (c->minor == 5 && fits("01000R10", byte))
        return ETM_PACKET_TIMESTAMP;
    if ((!c->cycle_accurate && (byte == 0x04 || byte == 0x70)) ||
        (byte == 0x7e && !(m && c->minor >= 4)) ||
        (byte == 0x76 && !(m && c->minor == 4) && c->minor != 5))
        return ETM_PACKET_RESERVED;
    while (!fits(low[i].bits, byte))
        i++;
    return low[i].kind;
}

static struct etm_config full(unsigned minor, bool cycles, bool m)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .profile = m ? ETM_PROFILE_M : ETM_PROFILE_A,
                               .alternative_branches = m,
                               .minor = (uint8_t)minor,
                               .cycle_accurate = cycles,
                               .context_id_bytes = 4,
                               .data_value = true,
                               .data_address = true};
}

/* V3-HDR-04: the 64 even values below 0x80 are all in the table. */
static void each_even_value_is_in_one_row_of_the_table(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 0x80; byte += 2) {
        unsigned rows = 0, tag_0 = 0;

        for (size_t i = 0; i < sizeof low / sizeof *low; i++)
            rows += fits(low[i].bits, byte);
        tag_0 = fits("0000SS00", byte) || fits("01A10000", byte);
        assert_int_equal(rows, 1 + tag_0);
    }
}

/* V3-HDR-02, V3-HDR-04 to -07, V3-PH-02, -03, -06 to -10, V3-CC-10: in every
 * version, with cycles or without. What is reserved loses the packets up to the
 * next A-sync (E-02). V3-PH-04, V3-PH-12: so do P-headers that are. */
static void headers_are_those_of_the_tables(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6 * 2 * 2 * 256; i++) {
        struct etm_config c = full(i >> 10, (i & 512) != 0, (i & 256) != 0);
        uint8_t byte = (uint8_t)i;
        uint8_t bytes[9] = {0, 0, 0, 0, 0, 0x80, byte, 0x84, 0x84};
        enum etm_packet_kind kind = kind_of(&c, byte);
        struct etm_vec vec;

        assert_int_equal(etm_etmv3_header(&c, byte).kind, kind);
        decode_all(&c, bytes, sizeof bytes, 0, &vec);
        if (kind == ETM_PACKET_RESERVED) {
            assert_int_equal(vec.n, 3);
            assert_int_equal(packets_of(&vec)[1].kind, ETM_PACKET_RESERVED);
            assert_int_equal(packets_of(&vec)[1].size, 1);
            assert_int_equal(packets_of(&vec)[2].kind,
                             ETM_PACKET_UNSYNCHRONIZED);
        } else if (kind == ETM_PACKET_P_HEADER) {
            assert_int_equal(vec.n, 4);
        }
        etm_vec_fini(&vec);
    }
}

/* The table of all headers has what each is alone, in every configuration that
 * headers depend on. */
static void the_table_has_what_each_header_is(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6 * 2 * 2 * 32; i++) {
        struct etm_config c = full(i >> 7, (i & 64) != 0, (i & 32) != 0);
        struct etm_etmv3_header all[256];

        c.data_value = (i & 1) != 0;
        c.data_address = (i & 2) != 0;
        c.cprt = (i & 4) != 0;
        c.data_only = (i & 8) != 0;
        c.context_id_bytes = (i & 16) != 0 ? 4 : 0;
        etm_etmv3_headers(&c, all);
        for (unsigned byte = 0; byte < 256; byte++) {
            struct etm_etmv3_header one = etm_etmv3_header(&c, (uint8_t)byte);

            assert_int_equal(all[byte].kind, one.kind);
            assert_int_equal(all[byte].atoms, one.atoms);
            assert_int_equal(all[byte].count, one.count);
        }
    }
}

/* A configuration that etm_config_check() refuses, but headers are asked
 * without it. V3-DO-01 */
static void data_only_mode_begins_with_3_1(void **state)
{
    struct etm_config c = full(0, false, false);

    (void)state;
    c.data_only = true;
    assert_int_equal(etm_etmv3_header(&c, 0x84).kind, ETM_PACKET_P_HEADER);
    c.minor = 1;
    assert_int_equal(etm_etmv3_header(&c, 0x84).kind, ETM_PACKET_RESERVED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_even_value_is_in_one_row_of_the_table),
        cmocka_unit_test(headers_are_those_of_the_tables),
        cmocka_unit_test(the_table_has_what_each_header_is),
        cmocka_unit_test(data_only_mode_begins_with_3_1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
