/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of both protocols in both forms, to the byte. */
#include "../support/scarce.h"
#include "../support/test.h"
#include "listing.h"

struct listed {
    struct etm_listing *listing;
    const uint8_t *stream;
};

static int list_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    const struct listed *l = context;

    return etm_listing_packets(l->listing, packets, n,
                               l->stream + packets[0].offset);
}

/* Decode a stream that begins with an A-sync, and compare what is listed
 * after it. */
static void assert_packets(const struct etm_config *config, const char *format,
                           const uint8_t *bytes, size_t n, const char *expected)
{
    static struct written w;
    uint8_t stream[256] = {0, 0, 0, 0, 0, 0x80};
    struct listed l = {.listing = new_listing(format, &w), .stream = stream};
    struct etm_packet_decoder_config decoder_config = {
        .config = config, .packets = list_packets, .context = &l};
    struct etm_listing_source source = {.config = config, .id = 16};
    struct etm_packet_decoder *decoder;
    const char *line;

    memcpy(stream + 6, bytes, n);
    assert_ok(etm_listing_begin(l.listing, &source));
    assert_ok(etm_packet_decoder_new(&decoder, &decoder_config));
    assert_ok(etm_packet_decoder_push(decoder, stream, n + 6));
    assert_ok(etm_packet_decoder_finish(decoder));
    assert_ok(etm_listing_flush(l.listing));
    line = strchr(w.text, '\n');
    assert_non_null(line);
    assert_string_equal(line + 1, expected);
    etm_packet_decoder_free(decoder);
    etm_listing_free(l.listing);
}

#define ASSERT_PACKETS(config, format, expected, ...)                          \
    assert_packets(&(config), format, (const uint8_t[]){__VA_ARGS__},          \
                   sizeof((const uint8_t[]){__VA_ARGS__}), expected)

static const struct etm_config v3 = {.protocol = ETM_PROTOCOL_ETMV3,
                                     .minor = 5,
                                     .data_address = true,
                                     .data_value = true,
                                     .security = true,
                                     .timestamps = true,
                                     .timestamp_64bit = true,
                                     .timestamp_binary = true};
static const struct etm_config v3_cycles = {.protocol = ETM_PROTOCOL_ETMV3,
                                            .minor = 4,
                                            .cycle_accurate = true,
                                            .context_id_bytes = 4,
                                            .alternative_branches = true};
static const struct etm_config pft = {.protocol = ETM_PROTOCOL_PFT,
                                      .minor = 1,
                                      .security = true,
                                      .virtualization = true,
                                      .context_id_bytes = 1,
                                      .vmid = true,
                                      .timestamps = true};
static const struct etm_config pft_cycles = {.protocol = ETM_PROTOCOL_PFT,
                                             .minor = 1,
                                             .security = true,
                                             .cycle_accurate = true};

/* I-sync at 0x8000, ARM, Non-secure, periodic (7.11.2). */
#define V3_I_SYNC 0x08, 0x09, 0x00, 0x80, 0x00, 0x00
#define V3_I_SYNC_TEXT                                                         \
    "       6  i_sync             08 09 00 80 00 00        address "           \
    "0x00008000, isa arm, reason periodic, ns\n"

TEST(a_sync_is_listed)
{
    static struct written w;
    const uint8_t stream[] = {0, 0, 0, 0, 0, 0x80};
    const struct etm_packet p = {.kind = ETM_PACKET_A_SYNC, .size = 6};

    for (int form = 0; form < 2; form++) {
        struct etm_listing *l = new_listing(form ? "jsonl" : "text", &w);

        assert_ok(etm_listing_begin(l, &(struct etm_listing_source){.id = 3}));
        assert_ok(etm_listing_packets(l, &p, 1, stream));
        assert_ok(etm_listing_flush(l));
        assert_string_equal(
            w.text, form ? "{\"off\":0,\"src\":3,\"packet\":\"a_sync\","
                           "\"bytes\":\"00 00 00 00 00 80\"}\n"
                         : "       0  a_sync             00 00 00 00 00 80\n");
        etm_listing_free(l);
    }
}

TEST(etmv3_flow_is_listed)
{
    /* I-sync; P-header 0x84: E; branch to +8; exception IRQ; trigger */
    ASSERT_PACKETS(v3, "text",
                   V3_I_SYNC_TEXT
                   "       c  p_header           84                       E\n"
                   "       d  branch_address     05                       "
                   "address 0x00008008\n"
                   "       e  trigger            0c\n"
                   "       f  ignore             66\n"
                   "      10  exception_exit     76\n",
                   V3_I_SYNC, 0x84, 0x05, 0x0c, 0x66, 0x76);
    ASSERT_PACKETS(
        v3, "jsonl",
        "{\"off\":6,\"src\":16,\"packet\":\"i_sync\",\"bytes\":\"08 09 00 80 "
        "00 00\",\"address\":\"0x00008000\",\"isa\":\"arm\","
        "\"reason\":\"periodic\",\"ns\":true,\"alt_isa\":false,\"hyp\":false,"
        "\"context_id\":null,\"cycle_count\":null}\n"
        "{\"off\":12,\"src\":16,\"packet\":\"p_header\",\"bytes\":\"84\","
        "\"atoms\":\"E\"}\n"
        "{\"off\":13,\"src\":16,\"packet\":\"branch_address\",\"bytes\":"
        "\"05\",\"address\":\"0x00008008\",\"address_bits\":6,\"isa\":null,"
        "\"exception\":null,\"can\":null,\"ns\":null,\"alt_isa\":null,"
        "\"hyp\":null,\"resume\":null,\"cycle_count\":null}\n"
        "{\"off\":14,\"src\":16,\"packet\":\"trigger\",\"bytes\":\"0c\"}\n",
        V3_I_SYNC, 0x84, 0x05, 0x0c);
}

/* Five bytes name the instruction set; AltISA stays until it is given again
 * (7.3.5). */
TEST(a_branch_to_thumbee_says_so)
{
    ASSERT_PACKETS(v3, "text",
                   V3_I_SYNC_TEXT
                   "       c  branch_address     81 80 80 80 50 40        "
                   "address 0x00000000, isa thumbee, exception 0, alt isa\n"
                   "      12  branch_address     81 80 80 80 10           "
                   "address 0x00000000, isa thumbee\n"
                   "      17  branch_address     81 80 80 80 50 00        "
                   "address 0x00000000, isa thumb, exception 0\n",
                   V3_I_SYNC, 0x81, 0x80, 0x80, 0x80, 0x50, 0x40, 0x81, 0x80,
                   0x80, 0x80, 0x10, 0x81, 0x80, 0x80, 0x80, 0x50, 0x00);
}

/* An address of five bytes needs no I-sync before it, nor does one that is
 * compressed against it (7.3.5). */
TEST(an_address_of_five_bytes_is_whole)
{
    ASSERT_PACKETS(v3, "text",
                   "       6  branch_address     01\n"
                   "       7  branch_address     d7 ba 86 db 0d           "
                   "address 0xb6c33aac, isa arm\n"
                   "       c  branch_address     05                       "
                   "address 0xb6c33a08\n"
                   "       d  branch_address     f7 9f e9 b4 1b           "
                   "address 0xb69a4ff6, isa thumb\n",
                   0x01, 0xd7, 0xba, 0x86, 0xdb, 0x0d, 0x05, 0xf7, 0x9f, 0xe9,
                   0xb4, 0x1b);
}

TEST(etmv3_cycles_and_contexts_are_listed)
{
    ASSERT_PACKETS(
        v3_cycles, "text",
        "       6  i_sync_cycle_count 70 0a 44 33 22 11 21 01  ... 11 bytes  "
        "address 0x00008000, isa thumb, reason trace_on, context id 287454020, "
        "cycle count 10\n"
        "      11  cycle_count        04 87 01                 cycle count "
        "135\n"
        "      14  context_id         6e 05 00 00 00           context id 5\n",
        0x70, 0x0a, 0x44, 0x33, 0x22, 0x11, 0x21, 0x01, 0x80, 0x00, 0x00, 0x04,
        0x87, 0x01, 0x6e, 0x05, 0x00, 0x00, 0x00);
}

/* Data with an address and a value (7.4); compression against the last. */
TEST(etmv3_data_is_listed)
{
    ASSERT_PACKETS(
        v3, "text",
        V3_I_SYNC_TEXT
        "       c  normal_data        2e 90 80 80 80 02 2a 00  ... 10 bytes  "
        "address 0x20000010, a, value 0x0000002a\n"
        "      16  normal_data        22 14                    address "
        "0x20000014, a, value 0x00\n"
        "      18  value_not_traced   7a 18                    address "
        "0x20000018, a\n"
        "      1a  out_of_order_placeholder 74 1c                    tag 1, "
        "address 0x2000001c, a\n"
        "      1c  out_of_order_data  28 cd ab                 tag 1, value "
        "0xabcd\n",
        V3_I_SYNC, 0x2e, 0x90, 0x80, 0x80, 0x80, 0x02, 0x2a, 0, 0, 0, 0x22,
        0x14, 0x7a, 0x18, 0x74, 0x1c, 0x28, 0xcd, 0xab);
}

TEST(etmv3_timestamp_is_whole_or_null)
{
    ASSERT_PACKETS(v3, "jsonl",
                   "{\"off\":6,\"src\":16,\"packet\":\"timestamp\",\"bytes\":"
                   "\"42 05\",\"timestamp\":null,\"value\":\"0x05\","
                   "\"r\":false}\n"
                   "{\"off\":8,\"src\":16,\"packet\":\"timestamp\",\"bytes\":"
                   "\"46 81 80 80 80 80 80 80 80 00\",\"timestamp\":\"1\","
                   "\"value\":\"0x0000000000000001\",\"r\":true}\n",
                   0x42, 0x05, 0x46, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                   0x80, 0x00);
}

/* 7.7.4: the macrocell does not know the time. */
TEST(timestamp_of_zero_is_no_time)
{
    ASSERT_PACKETS(v3, "jsonl",
                   "{\"off\":6,\"src\":16,\"packet\":\"timestamp\",\"bytes\":"
                   "\"42 80 80 80 80 80 80 80 80 00\",\"timestamp\":null,"
                   "\"value\":\"0x0000000000000000\",\"r\":false}\n",
                   0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00);
}

/* Records of ETMv1 and ETMv2 need no beginning. */
static const char *list_records(const struct etm_config *config,
                                const char *format, const uint8_t *bytes,
                                size_t n)
{
    static struct written w;
    struct listed l = {.listing = new_listing(format, &w), .stream = bytes};
    struct etm_packet_decoder_config decoder_config = {
        .config = config, .packets = list_packets, .context = &l};
    struct etm_listing_source source = {.config = config};
    struct etm_packet_decoder *decoder;

    assert_ok(etm_listing_begin(l.listing, &source));
    assert_ok(etm_packet_decoder_new(&decoder, &decoder_config));
    assert_ok(etm_packet_decoder_push(decoder, bytes, n));
    assert_ok(etm_packet_decoder_finish(decoder));
    assert_ok(etm_listing_flush(l.listing));
    etm_packet_decoder_free(decoder);
    etm_listing_free(l.listing);
    return w.text;
}

/* Table 5-1: the names of all statuses; TRACESYNC; a trigger. */
TEST(etmv1_cycles_are_listed)
{
    static const struct etm_config v1 = {.protocol = ETM_PROTOCOL_ETMV1,
                                         .minor = 3};
    static const char *const names[] = {"IE", "ID", "IN", "WT",
                                        "BE", "BD", "TR", "TD"};
    static const uint8_t cycles[] = {0x83, 0x4f, 0x06, 0x05};

    assert_string_equal(
        list_records(&v1, "text", cycles, sizeof cycles),
        "       0  pipestat           83                       status WT, "
        "tracesync\n"
        "       1  trace_packet       4f                       value 0x4f, "
        "carries packets\n"
        "       2  pipestat           06                       status TR\n"
        "       3  trace_packet       05                       value 0x05, "
        "carries replaced_status, replaced BD\n");
    for (uint8_t status = 0; status < 8; status++) {
        const uint8_t record[2] = {status, 0};
        char expected[64];

        (void)snprintf(expected, sizeof expected,
                       "\"status\":\"%s\",\"tracesync\":false}", names[status]);
        assert_non_null(
            strstr(list_records(&v1, "jsonl", record, 2), expected));
    }
}

/* Table 6-1; a TFO of 0 (EX-03), and the packet after it. */
TEST(etmv2_cycles_are_listed)
{
    static const struct etm_config v2 = {.protocol = ETM_PROTOCOL_ETMV2,
                                         .port_width = 16};
    static const char *const names[] = {
        "IE",   "DE",   "IN",   "DN",   "WT",   "DW",   "TR",   "TD",
        "PTIE", "PTDE", "PTIN", "PTDN", "PNIE", "PNDE", "PNIN", "PNDN"};
    static const uint8_t cycles[] = {0x07, 0x09, 0x66, 0x04, 0x20, 0x00};

    assert_string_equal(
        list_records(&v2, "jsonl", cycles, sizeof cycles),
        "{\"off\":0,\"src\":0,\"packet\":\"pipestat\",\"bytes\":\"07\","
        "\"status\":\"TD\",\"tracesync\":null}\n"
        "{\"off\":1,\"src\":0,\"packet\":\"tfo\",\"bytes\":\"09 66\","
        "\"value\":\"0x6609\",\"carries\":\"tfo\",\"replaced\":null,"
        "\"half_bytes\":null,\"tfo\":0}\n"
        "{\"off\":3,\"src\":0,\"packet\":\"pipestat\",\"bytes\":\"04\","
        "\"status\":\"WT\",\"tracesync\":null}\n"
        "{\"off\":4,\"src\":0,\"packet\":\"trace_packet\",\"bytes\":\"20 "
        "00\",\"value\":\"0x0020\",\"carries\":\"packets\","
        "\"replaced\":null,\"half_bytes\":4}\n");
    for (uint8_t status = 0; status < 16; status++) {
        const uint8_t record[3] = {status, 0, 0};
        char expected[64];

        (void)snprintf(expected, sizeof expected,
                       "\"status\":\"%s\",\"tracesync\":null}", names[status]);
        assert_non_null(
            strstr(list_records(&v2, "jsonl", record, 3), expected));
    }
}

TEST(bad_bytes_are_listed)
{
    ASSERT_PACKETS(v3, "jsonl",
                   "{\"off\":6,\"src\":16,\"packet\":\"bad\",\"bytes\":"
                   "\"08 09 00\",\"truncated\":true}\n",
                   0x08, 0x09, 0x00);
    ASSERT_PACKETS(v3, "text",
                   "       6  reserved           70                       "
                   "header 0x70\n"
                   "       7  unsynchronized     01 02\n",
                   0x70, 0x01, 0x02);
}

TEST(pft_flow_is_listed)
{
    /* I-sync at 0x8000, Thumb, Secure, trace on; context ID 7 */
    ASSERT_PACKETS(
        pft, "text",
        "       6  i_sync             08 01 80 00 00 21 07     address "
        "0x00008000, isa thumb, reason trace_on, context id 7\n"
        "       d  atom               88                       EE\n"
        "       e  context_id         6e 09                    context id 9\n"
        "      10  vmid               3c 05                    vmid 5\n"
        "      12  exception_exit     76\n",
        0x08, 0x01, 0x80, 0x00, 0x00, 0x21, 0x07, 0x88, 0x6e, 0x09, 0x3c, 0x05,
        0x76);
}

TEST(pft_cycle_counts_are_listed)
{
    ASSERT_PACKETS(
        pft_cycles, "jsonl",
        "{\"off\":6,\"src\":16,\"packet\":\"i_sync\",\"bytes\":\"08 00 80 00 "
        "00 01\",\"address\":\"0x00008000\",\"isa\":\"arm\","
        "\"reason\":\"periodic\",\"ns\":false,\"alt_isa\":false,"
        "\"hyp\":false,\"context_id\":null,\"cycle_count\":null}\n"
        "{\"off\":12,\"src\":16,\"packet\":\"atom\",\"bytes\":\"8c\","
        "\"atoms\":\"E\",\"cycle_count\":3}\n",
        0x08, 0x00, 0x80, 0x00, 0x00, 0x01, 0x8c);
}

/* What is not decoded from a stream here: all kinds have a name and a line. */
TEST(every_kind_has_a_line)
{
    static struct written w;
    static const uint8_t bytes[16];

    for (unsigned kind = 0; kind <= ETM_PACKET_TFO; kind++) {
        struct etm_packet p = {.kind = (uint8_t)kind, .size = 1};
        const char *name = etm_packet_kind_name((enum etm_packet_kind)kind);
        char expected[128];
        struct etm_listing *l = new_listing("jsonl", &w);

        assert_ok(etm_listing_begin(l, &(struct etm_listing_source){0}));
        assert_ok(etm_listing_packets(l, &p, 1, bytes));
        assert_ok(etm_listing_flush(l));
        snprintf(expected, sizeof expected,
                 "{\"off\":0,\"src\":0,\"packet\":\"%s\",\"bytes\":\"00\"",
                 name);
        assert_memory_equal(w.text, expected, strlen(expected));
        assert_string_equal(w.text + w.n - 2, "}\n");
        etm_listing_free(l);
    }
}

/* 4096 bytes are more than a line usually has room for. */
TEST(long_packet_is_listed_whole)
{
    static struct written w;
    static uint8_t bytes[ETM_PACKET_BYTES_MAX];
    struct etm_packet p = {.kind = ETM_PACKET_UNSYNCHRONIZED,
                           .size = sizeof bytes};
    struct etm_listing *l = new_listing("jsonl", &w);
    const char *at;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    assert_ok(etm_listing_begin(l, &(struct etm_listing_source){0}));
    for (int i = 0; i < 20; i++)
        assert_ok(etm_listing_packets(l, &p, 1, bytes));
    assert_ok(etm_listing_flush(l));
    at = w.text;
    for (int i = 0; i < 20; i++) {
        at = strstr(at, "\"bytes\":\"");
        assert_non_null(at);
        at += 9;
        for (size_t k = 0; k < sizeof bytes; k++, at += 3)
            assert_int_equal(strtoul(at, NULL, 16), bytes[k]);
        assert_memory_equal(at - 1, "\"}\n", 3);
    }
    etm_listing_free(l);
}

/* The line of a packet of one byte is kept: what else it says still counts. */
TEST(equal_bytes_may_be_different_packets)
{
    static struct written w;
    static const uint8_t bytes[] = {0x84, 0x84, 0x84, 0x84, 0x84, 0x84};
    struct etm_packet p[6] = {{.kind = ETM_PACKET_ATOM,
                               .header = 0x84,
                               .size = 1,
                               .count = 1,
                               .fields = ETM_FIELD_CYCLES,
                               .cycle_count = 3}};
    struct etm_listing_source source = {.config = &pft_cycles, .id = 16};
    struct etm_listing *listing = new_listing("text", &w);

    for (size_t i = 1; i < 6; i++) {
        p[i] = p[0];
        p[i].offset = 0x1ff + i;
    }
    p[2].cycle_count = 4;
    p[3].value = 1;
    p[4].fields = 0;
    p[5].kind = ETM_PACKET_IGNORE;
    assert_ok(etm_listing_begin(listing, &source));
    for (size_t i = 0; i < 6; i++) /* again and again */
        assert_ok(etm_listing_packets(listing, &p[i], 1, bytes));
    assert_ok(etm_listing_packets(listing, p, 6, bytes));
    assert_ok(etm_listing_flush(listing));
#define LINE(offset, kind, rest)                                               \
    offset "  " kind " 84                      " rest "\n"
#define LINES                                                                  \
    LINE("       0", "atom              ", " E, cycle count 3")                \
    LINE("     200", "atom              ", " E, cycle count 3")                \
    LINE("     201", "atom              ", " E, cycle count 4")                \
    LINE("     202", "atom              ", " N, cycle count 3")                \
    LINE("     203", "atom              ", " E")                               \
    "     204  ignore             84\n"
    assert_string_equal(w.text, LINES LINES);
    etm_listing_free(listing);
}

TEST(refusal_of_the_writer_ends_the_listing)
{
    static struct written w;
    struct etm_listing *l = new_listing("jsonl", &w);
    struct etm_element e = {.kind = ETM_ELEMENT_END};
    int status = ETM_OK;

    w.status = 77;
    assert_ok(etm_listing_begin(l, &(struct etm_listing_source){0}));
    for (int i = 0; i < 100000 && status == ETM_OK; i++)
        status = etm_listing_elements(l, &e, 1);
    assert_int_equal(status, 77);
    w.n = 0;
    assert_int_equal(etm_listing_elements(l, &e, 1), 77);
    assert_int_equal(etm_listing_flush(l), 77);
    assert_int_equal(w.n, 0);
    etm_listing_free(l);
}

/* More lines than the buffer holds, in one call. */
TEST(many_packets_are_listed_at_once)
{
    static struct written w;
    static struct etm_packet packets[8000];
    static uint8_t bytes[8000];
    struct etm_listing *l = new_listing("jsonl", &w);
    const struct etm_listing_source source = {.config = &v3};
    const char *at;
    size_t lines = 0;

    for (size_t i = 0; i < 8000; i++) {
        packets[i] = (struct etm_packet){
            .kind = ETM_PACKET_IGNORE, .offset = i, .size = 1, .header = 0x66};
        bytes[i] = 0x66;
    }
    assert_ok(etm_listing_begin(l, &source));
    assert_ok(etm_listing_packets(l, packets, 8000, bytes));
    assert_ok(etm_listing_flush(l));
    for (at = w.text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 8000);
    assert_non_null(strstr(w.text, "\n{\"off\":7999,"));
    etm_listing_free(l);
}

TEST(parts_begin_once_and_end_once)
{
    static struct written w;
    struct scarce scarce = {.left = SIZE_MAX};
    const struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_listing_config config = {.format = "jsonl",
                                        .write = take_text,
                                        .context = &w,
                                        .allocator = &allocator};
    struct etm_element e = {.kind = ETM_ELEMENT_END};
    struct etm_listing_portion *part = NULL;
    struct etm_listing *l;

    memset(&w, 0, sizeof w);
    assert_ok(etm_listing_new(&l, &config));
    assert_ok(etm_listing_begin(l, &(struct etm_listing_source){0}));
    assert_int_equal(etm_listing_portion_end(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_listing_portion_end(l), ETM_ERR_ARGUMENT);
    scarce.left = 0;
    assert_int_equal(etm_listing_portion_begin(l, &part), ETM_ERR_MEMORY);
    assert_null(part);
    scarce.left = SIZE_MAX;
    for (unsigned i = 0; i < 2; i++) { /* one part, used twice */
        w.n = 0;
        assert_ok(etm_listing_portion_begin(l, &part));
        assert_int_equal(etm_listing_portion_begin(l, &part), ETM_ERR_ARGUMENT);
        assert_ok(etm_listing_elements(l, &e, 1));
        assert_int_equal(etm_listing_append(l, part), ETM_ERR_ARGUMENT);
        assert_ok(etm_listing_portion_end(l));
        assert_int_equal(etm_listing_portion_end(l), ETM_ERR_ARGUMENT);
        assert_ok(etm_listing_append(l, part));
        assert_ok(etm_listing_flush(l));
        assert_string_equal(w.text, "{\"k\":\"end\",\"src\":0,\"off\":0}\n");
    }
    etm_listing_portion_free(part);
    etm_listing_free(l);
}

TEST(formats_are_found_by_name)
{
    struct etm_listing_config config = {.format = "xml", .write = take_text};
    struct etm_listing *listing = (struct etm_listing *)&config;

    assert_int_equal(etm_listing_new(&listing, &config), ETM_ERR_NOT_FOUND);
    assert_null(listing);
    config.format = "text";
    config.write = NULL;
    assert_int_equal(etm_listing_new(&listing, &config), ETM_ERR_ARGUMENT);
}
