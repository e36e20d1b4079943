/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of headers and statuses, written down here once more, for every
 * configuration that they depend on. */
#include "../support/test.h"
#include "session/protocols.h"

/* When a pattern is one of the table: all of these hold. */
enum {
    CYCLES = 1,
    NO_CYCLES = 2,
    CONTEXT_ID = 4,
    HYP = 8,
    M_PROFILE = 16,
    FROM_1 = 32, /* minor version */
    FROM_3 = 64,
    FROM_4 = 128,
    FROM_5 = 256,
    ONLY_0 = 512,
    ONLY_4 = 1024,
};

/* Letters of a pattern are any bit; x is not said what it is. The first one
 * that fits and holds says what the header is. */
struct pattern {
    const char *bits;
    unsigned kind, needs;
};

/* Tables 7-1, 7-2 and 7-3. V3-HDR-06: where the tag is 0, it is another packet.
 */
static const struct pattern etmv3[] = {
    {"xxxxxxx1", ETM_PACKET_BRANCH_ADDRESS, 0},
    {"1000FF10", ETM_PACKET_P_HEADER, 0},
    {"1NEEEE00", ETM_PACKET_P_HEADER, NO_CYCLES},
    {"10000000", ETM_PACKET_P_HEADER, CYCLES | ONLY_0},
    {"10000000", ETM_PACKET_RESERVED, CYCLES},
    {"1N0EEE00", ETM_PACKET_P_HEADER, CYCLES},
    {"1E1WWW00", ETM_PACKET_P_HEADER, CYCLES},
    {"10010F10", ETM_PACKET_P_HEADER, CYCLES | FROM_3},
    {"1xxxxxx0", ETM_PACKET_RESERVED, 0},
    {"00000000", ETM_PACKET_A_SYNC, 0},
    {"00000100", ETM_PACKET_CYCLE_COUNT, CYCLES},
    {"00000100", ETM_PACKET_RESERVED, 0},
    {"00001000", ETM_PACKET_I_SYNC, 0},
    {"00001100", ETM_PACKET_TRIGGER, 0},
    {"01010000", ETM_PACKET_STORE_FAILED, 0},
    {"01110000", ETM_PACKET_I_SYNC_CYCLE_COUNT, CYCLES},
    {"01110000", ETM_PACKET_RESERVED, 0},
    {"0TT0SS00", ETM_PACKET_OUT_OF_ORDER_DATA, 0},
    {"01A1TT00", ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER, 0},
    {"00A0SS10", ETM_PACKET_NORMAL_DATA, 0},
    {"01100010", ETM_PACKET_DATA_SUPPRESSED, 0},
    {"01100110", ETM_PACKET_IGNORE, 0},
    {"011A1010", ETM_PACKET_VALUE_NOT_TRACED, 0},
    {"01101110", ETM_PACKET_CONTEXT_ID, 0},
    {"00111100", ETM_PACKET_VMID, FROM_5},
    {"01000R10", ETM_PACKET_TIMESTAMP, FROM_5},
    {"01110110", ETM_PACKET_EXCEPTION_EXIT, FROM_5},
    {"01110110", ETM_PACKET_EXCEPTION_EXIT, M_PROFILE | ONLY_4},
    {"01110110", ETM_PACKET_RESERVED, 0},
    {"01111110", ETM_PACKET_EXCEPTION_ENTRY, M_PROFILE | FROM_4},
    {"01111110", ETM_PACKET_RESERVED, 0},
    {"00x1xx10", ETM_PACKET_RESERVED, 0},
    {"0001xx00", ETM_PACKET_RESERVED, 0},
    {"0011xx00", ETM_PACKET_RESERVED, 0},
    {"010xxx10", ETM_PACKET_RESERVED, 0},
    {"01110010", ETM_PACKET_RESERVED, 0},
    {NULL, 0, 0},
};

/* Table 4.1 */
static const struct pattern pft[] = {
    {"xxxxxxx1", ETM_PFT_HEADER_BRANCH, 0},
    {"100000x0", ETM_PFT_HEADER_RESERVED, NO_CYCLES},
    {"1xxxxxx0", ETM_PFT_HEADER_ATOM, 0},
    {"00000000", ETM_PFT_HEADER_A_SYNC, 0},
    {"00001000", ETM_PFT_HEADER_I_SYNC, 0},
    {"00001100", ETM_PFT_HEADER_TRIGGER, 0},
    {"00111100", ETM_PFT_HEADER_VMID, HYP | FROM_1},
    {"01000R10", ETM_PFT_HEADER_TIMESTAMP, 0},
    {"01100110", ETM_PFT_HEADER_IGNORE, 0},
    {"01101110", ETM_PFT_HEADER_CONTEXT_ID, CONTEXT_ID},
    {"01110010", ETM_PFT_HEADER_WAYPOINT_UPDATE, 0},
    {"01110110", ETM_PFT_HEADER_EXCEPTION_RETURN, 0},
    {"0xxxxxx0", ETM_PFT_HEADER_RESERVED, 0},
    {NULL, 0, 0},
};

/* Table 6-2: C says that another packet of the group follows. */
static const struct pattern etmv2[] = {
    {"xxxxxxx1", ETM_PACKET_BRANCH_ADDRESS, 0},
    {"C0A0SS10", ETM_PACKET_NORMAL_DATA, 0},
    {"C1A1TT00", ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER, 0},
    {"CTT0SS00", ETM_PACKET_OUT_OF_ORDER_DATA, 0},
    {"C1101010", ETM_PACKET_VALUE_NOT_TRACED, 0},
    {"C1101110", ETM_PACKET_CONTEXT_ID, 0},
    {"xxxxxxx0", ETM_PACKET_RESERVED, 0},
    {NULL, 0, 0},
};

static bool fits(const char *bits, unsigned byte)
{
    for (unsigned i = 0; i < 8; i++)
        if ((bits[i] == '0' && (byte >> (7 - i) & 1) != 0) ||
            (bits[i] == '1' && (byte >> (7 - i) & 1) == 0))
            return false;
    return true;
}

static unsigned has(const struct etm_config *c)
{
    return (c->cycle_accurate ? CYCLES : NO_CYCLES) |
           (c->context_id_bytes != 0 ? CONTEXT_ID : 0u) |
           (c->virtualization ? HYP : 0u) |
           (c->profile == ETM_PROFILE_M ? M_PROFILE : 0u) |
           (c->minor >= 1 ? FROM_1 : ONLY_0) | (c->minor >= 3 ? FROM_3 : 0u) |
           (c->minor >= 4 ? FROM_4 : 0u) | (c->minor >= 5 ? FROM_5 : 0u) |
           (c->minor == 4 ? ONLY_4 : 0u);
}

/* V3-HDR-04: each value is in the table. */
static unsigned kind_of(const struct pattern *p, const struct etm_config *c,
                        unsigned byte)
{
    while (!fits(p->bits, byte) || (p->needs & ~has(c)) != 0) {
        p++;
        assert_non_null(p->bits);
    }
    return p->kind;
}

/* Counts the rows that apply and claim a byte; `is`: the kind of the last. */
#define CLAIMS(rows, n, byte, apply, claims, is)                               \
    for (size_t i_ = 0; i_ < (n); i_++)                                        \
        if (((byte) & (rows)[i_].mask) == (rows)[i_].value &&                  \
            (apply((rows)[i_]))) {                                             \
            (claims)++;                                                        \
            (is) = (rows)[i_].kind;                                            \
        }
#define ALWAYS(row) true
#define OF_FORMAT(row) ((row).only & ~f.only) == 0
#define OF_MODE(row) (row).cycles != (c.cycle_accurate ? ETM_FALSE : ETM_TRUE)

/* Everything that decides the format. */
static struct etm_config pft_config(unsigned i)
{
    static const uint8_t context_id_bytes[4] = {0, 1, 2, 4};

    return (struct etm_config){.protocol = ETM_PROTOCOL_PFT,
                               .minor = i & 1,
                               .cycle_accurate = (i & 2) != 0,
                               .context_id_bytes = context_id_bytes[i >> 2 & 3],
                               .timestamp_64bit = (i & 16) != 0,
                               .virtualization = (i & 32) != 0};
}

TEST(headers_of_pft)
{
    size_t n;
    const struct etm_pft_header_row *rows = etm_pft_header_rows(&n);

    for (unsigned i = 0; i < 64 * 256; i++) {
        struct etm_config c = pft_config(i >> 8);
        struct etm_pft_format f = etm_pft_format_of(&c);
        unsigned byte = i & 255, claims = 0, kind = 0;
        static struct etm_pft_table table;

        if (byte == 0)
            etm_pft_table_init(&table, &f);
        CLAIMS(rows, n, byte, OF_FORMAT, claims, kind)
        assert_int_equal(claims, 1);
        assert_int_equal(kind, kind_of(pft, &c, byte));
        assert_int_equal(table.kind[byte], kind);
    }
}

static struct etm_config etmv3_config(unsigned minor, bool cycles, bool m)
{
    return (struct etm_config){.protocol = ETM_PROTOCOL_ETMV3,
                               .profile = m ? ETM_PROFILE_M : ETM_PROFILE_A,
                               .alternative_branches = m,
                               .minor = (uint8_t)minor,
                               .cycle_accurate = cycles,
                               .context_id_bytes = 4,
                               .data_value = true,
                               .data_address = true};
}

/* How many packets A-sync, a byte and two P-headers are, and the second one. */
static size_t decode_etmv3(const struct etm_config *c, uint8_t byte,
                           struct etm_packet *second)
{
    const uint8_t bytes[9] = {0, 0, 0, 0, 0, 0x80, byte, 0x84, 0x84};
    static struct etm_etmv3_decoder d;
    struct etm_vec out;
    size_t n;

    etm_vec_init(&out, sizeof *second, NULL);
    etm_etmv3_decoder_init(&d, c);
    assert_int_equal(etm_etmv3_decoder_push(&d, bytes, sizeof bytes, &out), 0);
    assert_ok(etm_etmv3_decoder_finish(&d, &out));
    n = out.n;
    *second = ((struct etm_packet *)out.data)[1];
    etm_vec_fini(&out);
    return n;
}

/* V3-HDR-02, V3-HDR-04 to -07, V3-PH-02, -03, -06 to -10, V3-CC-10: in every
 * version, with cycles or without. What is reserved loses the packets up to the
 * next A-sync (E-02). V3-PH-04, V3-PH-12: so do P-headers that are. */
TEST(headers_of_etmv3)
{
    size_t n;
    const struct etm_etmv3_row *rows = etm_etmv3_rows(&n);

    for (unsigned i = 0; i < 6 * 2 * 2 * 256; i++) {
        struct etm_config c =
            etmv3_config(i >> 10, (i & 512) != 0, (i & 256) != 0);
        unsigned kind = kind_of(etmv3, &c, i & 255), claims = 0, claimed = 0;
        struct etm_packet second;
        size_t packets = decode_etmv3(&c, (uint8_t)i, &second);

        CLAIMS(rows, n, i & 255, OF_MODE, claims, claimed)
        assert_int_equal(claims, 1);
        assert_true(kind == claimed || kind == ETM_PACKET_RESERVED);
        assert_int_equal(etm_etmv3_header(&c, (uint8_t)i).kind, kind);
        if (kind == ETM_PACKET_P_HEADER)
            assert_int_equal(packets, 4);
        if (kind != ETM_PACKET_RESERVED)
            continue;
        assert_int_equal(packets, 3);
        assert_int_equal(second.kind, ETM_PACKET_RESERVED);
        assert_int_equal(second.size, 1);
    }
}

/* The table of all headers has what each is alone, in every configuration that
 * headers depend on. */
TEST(the_table_has_what_each_header_is)
{
    for (unsigned i = 0; i < 6 * 2 * 2 * 32; i++) {
        struct etm_config c =
            etmv3_config(i >> 7, (i & 64) != 0, (i & 32) != 0);
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
            assert_true(one.kind == ETM_PACKET_P_HEADER ||
                        (one.count == 0 && one.atoms == 0));
        }
    }
}

/* V2-HDR-01: table 6-2; V2-PKT-06: the filler is reserved. V1-PIPE-01 */
TEST(headers_of_the_others)
{
    static const struct etm_config none;
    size_t n1, n2, n3;
    const struct etm_etmv2_header_row *v2 = etm_etmv2_header_rows(&n2);
    const struct etm_etmv1_status_row *v1 = etm_etmv1_status_rows(&n1);
    const struct etm_itm_header_row *itm = etm_itm_header_rows(&n3);

    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned claims = 0, kind = 0;

        CLAIMS(v2, n2, byte, ALWAYS, claims, kind)
        assert_int_equal(claims, 1);
        assert_int_equal(kind, kind_of(etmv2, &none, byte));
        assert_int_equal(kind, etm_etmv2_kind(byte));
        CLAIMS(v1, n1, byte, ALWAYS, claims, kind)
        assert_int_equal(claims, 2);
        assert_int_equal(kind,
                         (byte & 0x78) == 0 ? byte & 7 : ETM_ETMV1_RESERVED);
        CLAIMS(itm, n3, byte, ALWAYS, claims, kind)
        assert_int_equal(claims, 3);
    }
}

/* V2-PIPE-01: table 6-1; SIG-02: four pins, and no TRACESYNC */
TEST(statuses_of_etmv2)
{
    const struct etm_etmv2_status_row *rows = etm_etmv2_statuses;

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

/* V2-TFO-01, V2-TFO-02, V2-TFO-15, V2-TFO-17: table 6-4, example 6-1 */
TEST(trace_fifo_offsets_on_the_pins)
{
    static const struct {
        uint8_t value, pins;
    } known[] = {{0, 0x09},  {1, 0x19},  {15, 0xf9}, {16, 0x0b}, {31, 0xfb},
                 {32, 0x0d}, {47, 0xfd}, {48, 0x0f}, {63, 0xff}, {64, 0x01},
                 {79, 0xf1}, {80, 0x03}, {95, 0xf3}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(etm_etmv2_tfo_pins(known[i].value), known[i].pins);
    for (unsigned value = 0; value <= ETM_ETMV2_TFO_MAX; value++) {
        assert_true(etm_etmv2_is_tfo(etm_etmv2_tfo_pins(value)));
        assert_int_equal(etm_etmv2_tfo_value(etm_etmv2_tfo_pins(value)), value);
    }
    for (unsigned pins = 0; pins < 16; pins++)
        assert_int_equal(etm_etmv2_is_tfo(pins),
                         pins % 2 == 1 && pins != 5 && pins != 7);
}

TEST(bits_of_an_address_by_its_bytes)
{
    static const uint8_t rows[][3] = {
        {0, ETM_ISA_UNKNOWN, 0},  {1, ETM_ISA_UNKNOWN, 6},
        {4, ETM_ISA_UNKNOWN, 26}, {5, ETM_ISA_ARM, 30},
        {5, ETM_ISA_THUMB, 31},   {5, ETM_ISA_JAZELLE, 32},
        {5, ETM_ISA_UNKNOWN, 0},  {6, ETM_ISA_ARM, 0}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(
            etm_pft_address_bits(rows[i][0], (enum etm_isa)rows[i][1]),
            rows[i][2]);
}

/* V3-CYC-11, V3-CYC-12 */
TEST(counts_of_gaps_are_not_always_right)
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

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_config c = {.protocol = rows[i].protocol,
                               .minor = rows[i].minor};

        for (unsigned n = 0; n < 3; n++)
            assert_int_equal(etm_gap_is_reliable(&c, ETM_SYNC_TRACE_ON + n),
                             rows[i].reliable[n] != 0);
    }
}
