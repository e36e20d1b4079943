/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worked examples of the ETM architecture, chapter 7, and of real captures,
 * in both directions: bytes -> packets and the same bytes again.
 */
#include "test_etmv3_util.h"

/* Configurations by letters: a digit is the minor version. */
static struct etm_config config_of(const char *letters)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3};

    for (; *letters != '\0'; letters++) {
        switch (*letters) {
        case 'c': /* cycle-accurate */
            config.cycle_accurate = true;
            break;
        case 'a': /* alternative branch encoding */
            config.alternative_branches = true;
            break;
        case 'A': /* data addresses */
            config.data_address = true;
            break;
        case 'V': /* data values */
            config.data_value = true;
            break;
        case 'D': /* data-only mode */
            config.data_only = true;
            break;
        case 'i': /* context ID of one byte */
            config.context_id_bytes = 1;
            break;
        case 'I': /* context ID of four bytes */
            config.context_id_bytes = 4;
            break;
        case 'T': /* timestamps of 64 bits */
            config.timestamp_64bit = true;
            break;
        default:
            assert_in_range(*letters, '0', '5');
            config.minor = (uint8_t)(*letters - '0');
            break;
        }
    }
    return config;
}

struct example {
    const char *config;
    const char *bytes;
    const char *packets; /* separated by ';' */
};

static void decode_and_encode(const struct example *example)
{
    struct etm_config config = config_of(example->config);
    uint8_t bytes[128] = {0, 0, 0, 0, 0, 0x80}, again[128];
    size_t n = 6 + unhex(example->bytes, bytes + 6, sizeof bytes - 6);
    struct etm_writer w = etm_writer_of(again, sizeof again);
    char text[1024] = "", one[256];
    struct etm_vec vec;

    decode_all(&config, bytes, n, 0, &vec);
    for (size_t i = 0; i < vec.n; i++) {
        const struct etm_packet *p = &packets_of(&vec)[i];

        if (i != 0) {
            describe(p, one, sizeof one);
            say(text, sizeof text, "%s%s", i > 1 ? "; " : "", one);
        }
        assert_int_equal(etm_etmv3_encode(&config, p, &w), ETM_OK);
    }
    if (strcmp(text, example->packets) != 0)
        print_error("%s: %s\n", example->config, example->bytes);
    assert_string_equal(text, example->packets);
    assert_int_equal(etm_writer_size(&w), n);
    assert_memory_equal(again, bytes, n);
    etm_vec_fini(&vec);
}

static void check(const struct example *examples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        decode_and_encode(&examples[i]);
}
#define CHECK(examples) check(examples, sizeof(examples) / sizeof(examples)[0])

/* E-04, AMB-01, V3-EX-01, V3-EX-02, V3-PH-02, -03, V3-PH-05 to -10 */
static void p_headers_of_example_7_1_and_7_2(void **state)
{
    static const struct example examples[] = {
        {"4", "C8", "p_header EEN"},
        {"4", "8A", "p_header NE"},
        {"4", "84 94 CC", "p_header E; p_header EEEEE; p_header EEEN"},
        {"4", "BC FC", "p_header EEEEEEEEEEEEEEE; p_header EEEEEEEEEEEEEEEN"},
        {"4", "82 86 8E C0",
         "p_header EE; p_header EN; p_header NN; "
         "p_header N"},
        {"4", "84 80 84", "p_header E; p_header ; p_header E"},
        {"4c", "C8", "p_header WEWEWN"},
        {"4c", "8A", "p_header WNE"},
        {"4c", "E8", "p_header WWWE"},
        {"4c", "A0 BC", "p_header W; p_header WWWWWWWW"},
        {"4c", "E0 FC", "p_header WE; p_header WWWWWWWWE"},
        {"4c", "84 9C", "p_header WE; p_header WEWEWEWEWEWEWE"},
        {"4c", "C0 DC", "p_header WN; p_header WEWEWEWEWEWEWEWN"},
        {"4c", "82 86 8E", "p_header WEE; p_header WEN; p_header WNN"},
        {"3c", "92 96", "p_header E; p_header N"},
        {"0c", "84 80", "p_header WE; p_header W"},
    };

    (void)state;
    CHECK(examples);
}

/* A2-01, A2-02, A2-03, V3-EX-05, V3-ORG-01, V3-ORG-03, V3-ALT-01 to -03,
   V3-ALT-09, V3-EXB-08 */
static void address_compression_of_7_3_5(void **state)
{
    static const struct example examples[] = {
        {"4", "BD D6 7A", "branch_address address=f559e/20/3"},
        {"4a", "BD D6 3A", "branch_address address=7559e/19/3"},
        {"4", "81 20", "branch_address address=800/13/2"},
        {"4a", "81 20", "branch_address address=800/12/2"},
        {"4", "81 40", "branch_address address=1000/13/2"},
        {"4a", "81 C0 02", "branch_address address=5000/19/3"},
        {"4", "09 03",
         "branch_address address=4/6/1; "
         "branch_address address=1/6/1"},
        {"4a", "5F", "branch_address address=2f/6/1"},
        {"4a", "B5 05", "branch_address address=15a/12/2"},
        {"5", "2B", "branch_address address=15/6/1"},
        {"5", "81 6D", "branch_address address=1b40/13/2"},
        {"5", "8B 9B 37", "branch_address address=6e6c5/20/3"},
        {"5", "B7 FD D6 01", "branch_address address=1adf5b/27/4"},
        {"5a", "B7 FD D6 01", "branch_address address=1adf5b/26/4"},
        {"5", "D7 BA 86 DB 0D", "branch_address address=2db0ceab/30/5 arm"},
        {"5", "F7 9F E9 B4 1B", "branch_address address=5b4d27fb/31/5 thumb"},
        {"4", "81 C0 84 80 20", "branch_address address=9000/32/5 jazelle"},
        {"4", "81 A0 82 80 10", "branch_address address=4800/31/5 thumb"},
        {"4", "81 A0 82 80 50 40",
         "branch_address address=4800/31/5 thumb e0 alt"},
    };

    (void)state;
    CHECK(examples);
}

/* A2-04, A2-05, A2-07, A2-08, A2-06, E-46, AMB-06, V3-EX-08, V3-EX-10,
   V3-ORG-03, V3-DEP-01, -02, V3-EXB-01, -03, V3-EXB-09 to -13, V3-SEC-01,
   V3-MP-08 */
static void exceptions_of_7_3_5(void **state)
{
    static const struct example examples[] = {
        {"2", "8D 80 80 80 48 1C",
         "branch_address address=6/30/5 arm e0 exception=e"},
        {"2", "8D 80 80 80 48 3C",
         "branch_address address=6/30/5 arm e0 can exception=e"},
        {"4a", "8D 80 40 3C",
         "branch_address address=6/19/3 e0 can exception=e"},
        {"0", "8F 80 80 80 E8",
         "branch_address address=7/30/5 arm deprecated can exception=5"},
        {"0", "8D 80 FE FF 8F",
         "branch_address address=3fffc006/30/5 arm deprecated exception=1"},
        {"4a", "8D 80 FE FF 8F",
         "branch_address address=3fffc006/30/5 arm deprecated exception=1"},
        {"4", "81 81 81 80 48 01",
         "branch_address address=2040/30/5 arm e0 ns"},
        {"4a", "81 41 01", "branch_address address=40/12/2 e0 ns"},
        {"4a", "83 40 01", "branch_address address=1/12/2 e0 ns"},
        /* ARMv7-M */
        {"4a", "81 4C A6 43",
         "branch_address address=300/12/2 e0 e2 can exception=3 resume=3"},
        {"4a", "81 4C AC 82 43",
         "branch_address address=300/12/2 e0 e1 e2 can exception=26 "
         "resume=3"},
        {"4a", "A1 48 80 43", "branch_address address=210/12/2 e0 e2 resume=3"},
        {"4a", "89 6B 8C 02",
         "branch_address address=ac4/12/2 e0 e1 exception=26"},
        {"4a", "76 89 6B 8C 02",
         "exception_exit; branch_address address=ac4/12/2 e0 e1 "
         "exception=26"},
        {"4a", "E5 CA 42 02",
         "branch_address address=52b2/19/3 e0 exception=1"},
        {"4a", "E5 CA 42 22",
         "branch_address address=52b2/19/3 e0 can exception=1"},
        {"4a", "C9 48 1C", "branch_address address=224/12/2 e0 exception=e"},
        {"4a", "8D 49 9A 02",
         "branch_address address=246/12/2 e0 e1 exception=2d"},
        /* version 3.5: Hyp */
        {"5", "81 81 81 80 48 87 20",
         "branch_address address=2040/30/5 arm e0 e1 ns hyp exception=3"},
    };

    (void)state;
    CHECK(examples);
}

/* V3-IS-02 to -06, V3-IS-13, -14, V3-AS-08, V3-RSN-01, V3-DO-03, V3-ST-11,
   V3-CTX-06 */
static void i_syncs_of_7_7_3(void **state)
{
    static const struct example examples[] = {
        {"5c", "08 01 5D 11 02 C0", "i_sync address=c002115c/32/4 thumb"},
        {"5c", "70 8F 3C 21 99 F6 04 C0",
         "i_sync_cycle_count cycles=7695/2 reason=1 address=c004f698/32/4 "
         "thumb"},
        {"5c", "70 A5 B7 12 21 A1 CA 00 C0",
         "i_sync_cycle_count cycles=301989/3 reason=1 "
         "address=c000caa0/32/4 thumb"},
        {"4a", "08 21 07 03 00 08",
         "i_sync reason=1 address=8000306/32/4 thumb"},
        {"4", "08 41 00 80 00 00", "i_sync reason=2 address=8000/32/4 arm"},
        {"4", "08 71 03 80 00 00", "i_sync reason=3 address=8003/32/4 jazelle"},
        {"5I", "08 78 56 34 12 2F 01 80 00 00",
         "i_sync context=12345678 reason=1 address=8000/32/4 thumbee ns alt "
         "hyp"},
        {"3c", "70 FF FF FF FF 0F 21 00 80 00 00",
         "i_sync_cycle_count cycles=4294967295/5 reason=1 "
         "address=8000/32/4 arm"},
        {"2D", "08 29", "i_sync reason=1 ns"},
        {"2DVi", "08 5A 29 0E 78 56 34 12",
         "i_sync context=5a reason=1 ns; normal_data value=12345678/4"},
    };

    (void)state;
    CHECK(examples);
}

/* E-47, V3-IS-02, -03, V3-LSIP-03, -05, -06, -08 */
static void load_store_in_progress_of_7_7_3(void **state)
{
    static const struct example examples[] = {
        {"4V", "08 A1 00 80 00 00 09 84",
         "lsip_i_sync reason=1 address=8000/32/4 arm then=4/6/1; "
         "p_header E"},
        {"4cVi", "70 05 5A A1 00 80 00 00 81 20 84",
         "lsip_i_sync cycles=5/1 context=5a reason=1 address=8000/32/4 arm "
         "then=800/13/2; p_header WE"},
        {"4V", "08 A1 01 80 00 00 81 A0 82 80 10",
         "lsip_i_sync reason=1 address=8000/32/4 thumb then=4800/31/5 "
         "thumb"},
        /* a change of the security state takes a sixth byte, or a third */
        {"4V", "08 A1 00 80 00 00 81 81 81 80 48 01",
         "lsip_i_sync reason=1 address=8000/32/4 arm then=2040/30/5 arm e0 "
         "ns"},
        {"4aV", "08 A9 00 80 00 00 81 41 00",
         "lsip_i_sync reason=1 address=8000/32/4 arm then=40/12/2 e0"},
    };

    (void)state;
    CHECK(examples);
}

/* V3-PORT-05, -08, V3-CC-01, V3-CTX-01 */
static void other_instruction_packets(void **state)
{
    static const struct example examples[] = {
        {"4c", "04 01 04 80 01",
         "cycle_count cycles=1/1; "
         "cycle_count cycles=128/2"},
        {"4c", "04 00", "cycle_count cycles=0/1"},
        {"4I", "6E 78 56 34 12", "context_id context=12345678"},
        {"4i", "6E 66 66", "context_id context=66; ignore"},
        {"4", "0C 66 0C", "trigger; ignore; trigger"},
        {"5", "3C 07", "vmid value=7/1"},
        {"5T", "42 BD 9A C3 CE AF 90 80 80 00", "timestamp value=82f9d0cd3d/9"},
        {"5T", "42 FF FF FF FF FF FF FF FF FF",
         "timestamp value=ffffffffffffffff/9"},
        {"5", "46 FF FF FF FF FF FF 3F 84",
         "timestamp value=ffffffffffff/7 r; p_header E"},
        {"5", "42 DF 1E", "timestamp value=f5f/2"},
        {"5", "42 25", "timestamp value=25/1"},
        {"4V", "7E 06 05 76",
         "exception_entry; normal_data value=5/1; "
         "exception_exit"},
    };

    (void)state;
    CHECK(examples);
}

/* E-48,
 * V3-DATA-05, V3-DATA-06, V3-DATA-10, V3-ABIT-05, V3-ABIT-07, V3-BE-02,
 * V3-BE-05, V3-SIZE-01, V3-SIZE-02, V3-OOO-02, V3-EX-03, V3-EX-11, V3-EX-12 */
static void data_packets_of_7_4(void **state)
{
    static const struct example examples[] = {
        {"3AV", "2E 80 80 80 80 02 78 56 34 12",
         "normal_data address=20000000/32/5 value=12345678/4 a"},
        {"3AV", "2A 81 80 80 80 12 34 12",
         "normal_data address=20000001/32/5 value=1234/2 be a"},
        {"3AV", "22 04", "normal_data address=4/7/1 value=0/0 a"},
        {"3V", "26 05", "normal_data value=5/1 a"},
        {"3A", "22 84 01 02", "normal_data address=84/14/2 a; normal_data"},
        {"3A", "22 81 82 03 22 81 82 83 04",
         "normal_data address=c101/21/3 a; normal_data address=80c101/28/4 a"},
        {"3A", "22 81 80 80 80 12", "normal_data address=20000001/32/5 be a"},
        /* no shorter than it might be (V3-SIZE-02) */
        {"3V", "0E 05 00 00 00", "normal_data value=5/4"},
        /* table 7-4 */
        {"3cV", "84 06 05 92",
         "p_header WE; normal_data value=5/1; p_header E"},
        /* partial tracing of a load multiple (7.4.4) */
        {"3AV", "26 88 A0 80 80 00 03 6A 06 05",
         "normal_data address=1008/32/5 value=3/1 a; value_not_traced; "
         "normal_data value=5/1"},
        {"3AV", "7A 10", "value_not_traced address=10/7/1 a"},
        {"3V", "7A 84", "value_not_traced a; p_header E"},
        {"3AV", "54 78 90 01 5C 2C 01 00 00 80 48 34 12 60",
         "out_of_order_placeholder tag=1; "
         "out_of_order_placeholder address=90/14/2 tag=2 a; "
         "out_of_order_placeholder tag=3; "
         "out_of_order_data tag=1 value=80000001/4; "
         "out_of_order_data tag=2 value=1234/2; "
         "out_of_order_data tag=3 value=0/0"},
        {"3A", "20 74 05",
         "out_of_order_data tag=1; "
         "out_of_order_placeholder address=5/7/1 tag=1 a"},
        {"3V", "02 50 62",
         "normal_data value=0/0; store_failed; "
         "data_suppressed"},
        /* data-only mode (7.4.10) */
        {"3DV", "0E 78 56 34 12 06 AB",
         "normal_data value=12345678/4; normal_data value=ab/1"},
        {"3DV", "2E 78 56 34 12 26 AB",
         "normal_data value=12345678/4 a; normal_data value=ab/1 a"},
    };

    (void)state;
    CHECK(examples);
}

/* V3-AS-01, -09 */
static void a_sync_may_have_more_zeros(void **state)
{
    static const struct example examples[] = {
        {"4", "00 00 00 00 00 80 84", "a_sync; p_header E"},
        {"4", "08 21 00 00 00 00 00 00 00 00 00 00 00 80 84",
         "i_sync reason=1 address=0/32/4 arm; a_sync; p_header E"},
    };

    (void)state;
    CHECK(examples);
}

/* Bytes that mean something else, or nothing, in another version. E-42,
 * AMB-01, V3-DATA-03, V3-STX-02, V3-SUP-09, V3-DO-01, V3-DO-09 */
static void versions_and_modes_decide_what_is_reserved(void **state)
{
    static const struct {
        const char *config;
        uint8_t header;
        enum etm_packet_kind kind;
    } rows[] = {
        {"4", 0x3C, ETM_PACKET_RESERVED},
        {"5", 0x3C, ETM_PACKET_VMID},
        {"4", 0x42, ETM_PACKET_RESERVED},
        {"5", 0x46, ETM_PACKET_TIMESTAMP},
        {"4", 0x04, ETM_PACKET_RESERVED},
        {"4c", 0x04, ETM_PACKET_CYCLE_COUNT},
        {"4", 0x70, ETM_PACKET_RESERVED},
        {"4c", 0x70, ETM_PACKET_I_SYNC_CYCLE_COUNT},
        {"3", 0x76, ETM_PACKET_RESERVED},
        {"4", 0x76, ETM_PACKET_EXCEPTION_EXIT},
        {"5", 0x7E, ETM_PACKET_RESERVED},
        {"4A", 0x7E, ETM_PACKET_EXCEPTION_ENTRY},
        {"2c", 0x92, ETM_PACKET_RESERVED},
        {"3c", 0x92, ETM_PACKET_P_HEADER},
        {"3", 0x92, ETM_PACKET_RESERVED},
        {"0c", 0x80, ETM_PACKET_P_HEADER},
        {"1c", 0x80, ETM_PACKET_RESERVED},
        {"1", 0x80, ETM_PACKET_P_HEADER},
        {"4", 0x6E, ETM_PACKET_RESERVED},
        {"4V", 0x6E, ETM_PACKET_RESERVED},
        {"4i", 0x6E, ETM_PACKET_CONTEXT_ID},
        {"4", 0x02, ETM_PACKET_RESERVED},
        {"4A", 0x02, ETM_PACKET_NORMAL_DATA},
        {"4A", 0x50, ETM_PACKET_RESERVED},
        {"4Ai", 0x50, ETM_PACKET_RESERVED},
        {"4V", 0x50, ETM_PACKET_STORE_FAILED},
        {"0DV", 0x84, ETM_PACKET_P_HEADER},
        {"1DV", 0x84, ETM_PACKET_RESERVED},
        {"1DV", 0x03, ETM_PACKET_RESERVED},
        {"1DV", 0x62, ETM_PACKET_RESERVED},
        {"1cDV", 0x04, ETM_PACKET_RESERVED},
        {"1cDV", 0x70, ETM_PACKET_RESERVED},
        {"1DV", 0x0C, ETM_PACKET_TRIGGER},
        {"1DV", 0x66, ETM_PACKET_IGNORE},
        {"1DV", 0x50, ETM_PACKET_STORE_FAILED},
        {"1DV", 0x6A, ETM_PACKET_VALUE_NOT_TRACED},
        {"1DV", 0x74, ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER},
        {"1DV", 0x24, ETM_PACKET_OUT_OF_ORDER_DATA},
        {"1V", 0x62, ETM_PACKET_DATA_SUPPRESSED},
    };
    struct etm_config config;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        config = config_of(rows[i].config);
        assert_int_equal(etm_etmv3_header(&config, rows[i].header).kind,
                         rows[i].kind);
    }
    /* 7.5.4: before 3.5 only ARMv7-M cores have the marker */
    config = config_of("4");
    config.profile = ETM_PROFILE_R;
    assert_int_equal(etm_etmv3_header(&config, 0x76).kind, ETM_PACKET_RESERVED);
    config.minor = 5;
    assert_int_equal(etm_etmv3_header(&config, 0x76).kind,
                     ETM_PACKET_EXCEPTION_EXIT);
}

/* Payload bits that a version does not have are ignored (7.2, 7.3.5). E-44,
 * E-45, E-49, V3-IS-04, AMB-11, AMB-12, V3-BE-03, V3-SIZE-04, V3-CFG-23,
 * V3-CFG-24, V3-CC-02, V3-EXB-02, V3-EXB-16, V3-ST-11 */
static void bits_of_later_versions_are_ignored(void **state)
{
    static const struct {
        const char *config, *bytes, *packet;
    } rows[] = {
        {"1", "8D 80 80 80 48 FD",
         "branch_address address=6/30/5 arm e0 can exception=e"},
        {"2", "8D 80 80 80 48 FD",
         "branch_address address=6/30/5 arm e0 can ns exception=e"},
        {"3", "8D 80 80 80 48 FD",
         "branch_address address=6/30/5 arm e0 can ns alt exception=e"},
        {"4", "8D 80 80 80 48 9D 22",
         "branch_address address=6/30/5 arm e0 e1 ns exception=2e"},
        {"0", "08 2F 00 80 00 00", "i_sync reason=1 address=8000/32/4 arm"},
        {"2", "08 2F 01 80 00 00",
         "i_sync reason=1 address=8000/32/4 thumb ns"},
        {"3", "08 2F 01 80 00 00",
         "i_sync reason=1 address=8000/32/4 thumbee ns alt"},
        {"0AV", "22 80 80 80 80 72",
         "normal_data address=20000000/32/5 value=0/0 a"},
        {"4c", "04 FF FF FF FF FF", "cycle_count cycles=4294967295/5"},
        {"5", "42 80 80 80 80 80 80 FF", "timestamp value=fc0000000000/7"},
        {"4A", "2E 05", "normal_data address=5/7/1 a"},
        {"4D", "08 BD", "i_sync reason=1 ns"}, /* V3-IS-13 */
    };
    char text[256];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct etm_config config = config_of(rows[i].config);
        uint8_t bytes[32] = {0, 0, 0, 0, 0, 0x80};
        size_t n = 6 + unhex(rows[i].bytes, bytes + 6, sizeof bytes - 6);
        struct etm_vec vec;

        decode_all(&config, bytes, n, 0, &vec);
        assert_int_equal(vec.n, 2);
        describe(&packets_of(&vec)[1], text, sizeof text);
        assert_string_equal(text, rows[i].packet);
        etm_vec_fini(&vec);
    }
}

/* A bad packet ends before the byte that broke the rules. E-53,
 * V3-AS-08, V3-LSIP-01, -04, V3-ORG-07, V3-EXB-03 */
static void broken_packets_are_bad(void **state)
{
    static const struct {
        const char *config, *bytes;
        uint32_t size;
    } rows[] = {
        {"4", "81 80 80 80 00 84", 4},       /* byte five: b00000xxx */
        {"4", "81 80 80 80 47 84", 4},       /* byte five: b01000xxx */
        {"4", "81 80 80 80 48 80 80 00", 7}, /* byte 1 that goes on, then 1 */
        {"4a", "81 40 80 C0 00 84", 3},      /* byte 2 that goes on */
        {"4", "08 20 00 80 00 00", 1},       /* information bit 0 is 0 */
        {"4V", "08 A1 00 80 00 00 84", 6},   /* LSiP: no second address */
        {"4V", "08 81 00 80 00 00 81", 1},   /* ... periodic: 7.7.3 */
        {"4V", "08 A1 00 80 00 00 81 80 80 80 88", 10}, /* ... deprecated */
        {"4A", "22 80 80 80 80 80 00", 5}, /* data address of six bytes */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct etm_config config = config_of(rows[i].config);
        uint8_t bytes[64] = {0, 0, 0, 0, 0, 0x80};
        size_t n = 6 + unhex(rows[i].bytes, bytes + 6, sizeof bytes - 6);
        struct etm_vec vec;

        decode_all(&config, bytes, n, 0, &vec);
        assert_int_equal(vec.n, 3);
        assert_int_equal(packets_of(&vec)[1].kind, ETM_PACKET_BAD);
        assert_int_equal(packets_of(&vec)[1].size, rows[i].size);
        assert_int_equal(packets_of(&vec)[1].header, bytes[6]);
        assert_int_equal(packets_of(&vec)[1].fields, 0);
        assert_int_equal(packets_of(&vec)[2].kind, ETM_PACKET_UNSYNCHRONIZED);
        etm_vec_fini(&vec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_headers_of_example_7_1_and_7_2),
        cmocka_unit_test(address_compression_of_7_3_5),
        cmocka_unit_test(exceptions_of_7_3_5),
        cmocka_unit_test(i_syncs_of_7_7_3),
        cmocka_unit_test(load_store_in_progress_of_7_7_3),
        cmocka_unit_test(other_instruction_packets),
        cmocka_unit_test(data_packets_of_7_4),
        cmocka_unit_test(a_sync_may_have_more_zeros),
        cmocka_unit_test(versions_and_modes_decide_what_is_reserved),
        cmocka_unit_test(bits_of_later_versions_are_ignored),
        cmocka_unit_test(broken_packets_are_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
