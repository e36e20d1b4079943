/* SPDX-License-Identifier: Apache-2.0 */
/* Listings that are longer than a line, or asked for in another way. What is
 * written of each element and packet is in golden. */
#include "../support/scarce.h"
#include "listing.h"

static struct etm_element nop(uint32_t address)
{
    return (struct etm_element){.kind = ETM_ELEMENT_INSN,
                                .u.insn = {.isa = ETM_ISA_THUMB,
                                           .address = address,
                                           .opcode = 0xbf00,
                                           .size = 2,
                                           .exec = ETM_TRUE}};
}

static void list(struct etm_listing *listing, struct etm_element e)
{
    assert_ok(etm_listing_elements(listing, &e, 1));
}

/* `context` is the name. */
static int name_of_source(void *context, uint32_t address,
                          struct etm_symbol *symbol)
{
    *symbol = (struct etm_symbol){.name = context, .offset = address & 0xff};
    return ETM_OK;
}

/* C++ makes names of thousands of characters, and each line would have them. */
TEST(a_long_symbol_is_cut)
{
    static struct written w;
    static char name[200001];
    char cut[ETM_NAME_SHOWN + 1];
    struct etm_listing *listing = new_listing("text", &w);
    struct etm_listing_source source = {
        .names = {.symbol = name_of_source, .context = name}};

    memset(name, 'x', sizeof name - 1);
    assert_ok(etm_listing_begin(listing, &source));
    list(listing, (struct etm_element){.kind = ETM_ELEMENT_NO_IMAGE});
    assert_ok(etm_listing_flush(listing));
    assert_null(strstr(w.text, name));
    assert_ptr_equal(etm_name_shown(name, cut), cut);
    assert_non_null(strstr(w.text, cut));
    assert_string_equal(w.text + w.n - 2, ">\n");
    etm_listing_free(listing);
}

/* The table of texts grows while they are shown. */
TEST(texts_of_many_instructions_are_right_again)
{
    static struct written w;
    struct etm_listing *listing = begun("text", &w);
    char expected[32];

    for (uint32_t i = 0; i < 80000; i++) {
        uint32_t at = 0x10000 + 2 * (i % 40000);

        if (i % 1000 == 0)
            assert_ok(etm_listing_flush(listing));
        w.n = 0;
        list(listing, nop(at));
        if (i % 1000 != 0)
            continue;
        assert_ok(etm_listing_flush(listing));
        snprintf(expected, sizeof expected, "%08x  bf00", (unsigned)at);
        assert_non_null(strstr(w.text, expected));
    }
    etm_listing_free(listing);
}

/* How often the program's names and lines are asked for. */
struct asked {
    unsigned symbols, lines;
};

static int count_symbol(void *context, uint32_t address,
                        struct etm_symbol *symbol)
{
    struct asked *asked = context;

    asked->symbols++;
    *symbol = (struct etm_symbol){.name = "f", .offset = address & 0xff};
    return ETM_OK;
}

static int count_line(void *context, uint32_t address,
                      struct etm_source_line *line)
{
    struct asked *asked = context;

    asked->lines++;
    *line = (struct etm_source_line){.file = "f.c", .line = address};
    return ETM_OK;
}

/* The tables of a large program take longer to read than a short listing. */
TEST(names_are_asked_for_where_they_are_shown)
{
    static const struct {
        const char *format;
        bool insns, lines;
        struct asked asked; /* for some ranges or instructions twice */
    } rows[] = {{"jsonl", false, false, {0, 0}},
                {"jsonl", true, false, {0, 0}},
                {"text", false, false, {10, 0}},
                {"text", true, false, {10, 0}},
                {"text", true, true, {10, 10}}};
    static struct written w;

    for (size_t k = 0; k < COUNT(rows); k++) {
        struct asked asked = {0, 0};
        struct etm_listing_config config = {.format = rows[k].format,
                                            .write = take_text,
                                            .context = &w,
                                            .lines = rows[k].lines};
        struct etm_listing_source source = {.names = {.symbol = count_symbol,
                                                      .line = count_line,
                                                      .context = &asked}};
        struct etm_listing *listing;

        w.n = 0;
        assert_ok(etm_listing_new(&listing, &config));
        assert_ok(etm_listing_begin(listing, &source));
        for (uint32_t i = 0; i < 20; i++) {
            struct etm_element e = nop(0x8000 + 16 * (i % 10));

            if (!rows[k].insns)
                e = (struct etm_element){
                    .kind = ETM_ELEMENT_RANGE,
                    .u.range = {.start = e.u.insn.address, .n = 4}};
            list(listing, e);
        }
        etm_listing_free(listing);
        assert_memory_equal(&asked, &rows[k].asked, sizeof asked);
    }
}

/* Two sources have equal instructions at one address, whose names differ. */
TEST(another_source_has_names_of_its_own)
{
    static struct written w;
    static char one[] = "one", other[] = "other";
    static char *const names[] = {one, other};
    struct etm_listing *listing = new_listing("text", &w);
    struct etm_element e = nop(0x8004);

    e.u.insn.opcode = 0xe7fe; /* b 0x8004 */
    e.u.insn.type = ETM_INSN_TYPE_DIRECT;
    for (size_t i = 0; i < 2; i++) {
        struct etm_listing_source source = {
            .names = {.symbol = name_of_source, .context = names[i]}};
        size_t before = w.n;

        assert_ok(etm_listing_begin(listing, &source));
        list(listing, e);
        list(listing, e);
        assert_ok(etm_listing_flush(listing));
        assert_non_null(strstr(w.text + before, names[i]));
        assert_null(strstr(w.text + before, names[1 - i]));
    }
    etm_listing_free(listing);
}

/* Every length of number, on both sides of each power of ten. */
TEST(offsets_of_every_length_are_right)
{
    static struct written w;
    struct etm_listing *listing = begun("jsonl", &w);
    uint64_t power = 1;

    for (int digits = 1; digits <= 20; digits++) {
        const uint64_t values[] = {power - 1, power, power + power / 3};

        for (size_t i = 0; i < 3; i++) {
            struct etm_element e = {.kind = ETM_ELEMENT_END,
                                    .offset = values[i]};
            char expected[80];

            w.n = 0;
            list(listing, e);
            assert_ok(etm_listing_flush(listing));
            snprintf(expected, sizeof expected,
                     "{\"k\":\"end\",\"src\":0,\"off\":%llu}\n",
                     (unsigned long long)values[i]);
            assert_string_equal(w.text, expected);
        }
        power *= digits < 20 ? 10 : 1;
    }
    etm_listing_free(listing);
}

/* What comes first, elements or packets or a part, need not be known. */
static void list_first(struct etm_listing *listing, unsigned first)
{
    static const uint8_t bytes[] = {0, 0, 0, 0, 0, 0x80};
    const struct etm_packet a_sync = {.kind = ETM_PACKET_A_SYNC, .size = 6};
    struct etm_listing_portion *part = NULL;

    if (first == 0) {
        list(listing, nop(0));
    } else if (first == 1) {
        assert_ok(etm_listing_packets(listing, &a_sync, 1, bytes));
    } else {
        assert_ok(etm_listing_portion_begin(listing, &part));
        list(listing, nop(0));
        assert_ok(etm_listing_portion_end(listing));
        assert_ok(etm_listing_append(listing, part));
        etm_listing_portion_free(part);
    }
    assert_ok(etm_listing_flush(listing));
    etm_listing_free(listing);
}

TEST(a_listing_without_a_begin_knows_nothing_of_the_source)
{
    static struct written with, without;

    for (unsigned i = 0; i < 6; i++) {
        const char *format = i % 2 == 0 ? "text" : "jsonl";

        list_first(begun(format, &with), i / 2);
        list_first(new_listing(format, &without), i / 2);
        assert_true(without.n > 10);
        assert_string_equal(with.text, without.text);
    }
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
        struct etm_listing *l = begun("jsonl", &w);

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
    struct etm_listing *l = begun("jsonl", &w);
    const char *at;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    assert_ok(etm_listing_packets(l, NULL, 0, NULL));
    assert_refused(etm_listing_packets(l, NULL, 1, bytes));
    assert_refused(etm_listing_packets(l, &p, 1, NULL));
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
    struct etm_listing *listing = begun("text", &w);

    for (size_t i = 1; i < 6; i++) {
        p[i] = p[0];
        p[i].offset = 0x1ff + i;
    }
    p[2].cycle_count = 4;
    p[3].value = 1;
    p[4].fields = 0;
    p[5].kind = ETM_PACKET_IGNORE;
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
    struct etm_listing *l = begun("jsonl", &w);
    struct etm_element e = {.kind = ETM_ELEMENT_END};
    struct etm_packet p = {.kind = ETM_PACKET_IGNORE, .size = 1};
    int status = ETM_OK;

    w.status = 77;
    for (int i = 0; i < 100000 && status == ETM_OK; i++)
        status = etm_listing_elements(l, &e, 1);
    assert_int_equal(status, 77);
    w.n = 0;
    assert_int_equal(etm_listing_elements(l, &e, 1), 77);
    assert_int_equal(etm_listing_packets(l, &p, 1, &(uint8_t){0x66}), 77);
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
    struct etm_listing *l = begun("jsonl", &w);
    const char *at;
    size_t lines = 0;

    for (size_t i = 0; i < 8000; i++) {
        packets[i] = (struct etm_packet){
            .kind = ETM_PACKET_IGNORE, .offset = i, .size = 1, .header = 0x66};
        bytes[i] = 0x66;
    }
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
    struct etm_listing_portion *part = NULL, *open = NULL;
    struct etm_listing *l, *other;

    memset(&w, 0, sizeof w);
    assert_ok(etm_listing_new(&l, &config));
    assert_ok(etm_listing_new(&other, &config));
    assert_ok(etm_listing_begin(l, &(struct etm_listing_source){0}));
    assert_int_equal(etm_listing_portion_end(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_listing_portion_end(l), ETM_ERR_ARGUMENT);
    assert_refused(etm_listing_portion_begin(NULL, &part));
    assert_refused(etm_listing_portion_begin(l, NULL));
    scarce.left = 0;
    assert_int_equal(etm_listing_portion_begin(l, &part), ETM_ERR_MEMORY);
    assert_null(part);
    scarce.left = SIZE_MAX;
    for (unsigned i = 0; i < 2; i++) { /* one part, used twice */
        w.n = 0;
        assert_ok(etm_listing_portion_begin(l, &part));
        assert_int_equal(etm_listing_portion_begin(l, &part), ETM_ERR_ARGUMENT);
        assert_ok(etm_listing_elements(l, &e, 1));
        assert_refused(etm_listing_append(other, part));
        assert_ok(etm_listing_portion_end(l));
        assert_int_equal(etm_listing_portion_end(l), ETM_ERR_ARGUMENT);
        assert_ok(etm_listing_append(l, part));
        assert_ok(etm_listing_flush(l));
        assert_string_equal(w.text, "{\"k\":\"end\",\"src\":0,\"off\":0}\n");
    }
    assert_refused(etm_listing_append(NULL, part));
    assert_refused(etm_listing_append(l, NULL));
    assert_ok(etm_listing_portion_begin(l, &open));
    assert_refused(etm_listing_append(l, part));
    assert_ok(etm_listing_portion_end(l));
    etm_listing_portion_free(open);
    etm_listing_portion_free(part);
    etm_listing_free(other);
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

TEST(json_string_escapes)
{
    static const char *const rows[][2] = {
        {"a\"b\\c\n\x7f", "\"a\\\"b\\\\c\\u000a\\u007f\""},
        /* what a terminal takes for a command */
        {"\xc2\x9b\xe2\x80\xae", "\"\\u009b\\u202e\""},
        {"\xc3\xa9\xe2\x82\xac", "\"\xc3\xa9\xe2\x82\xac\""},
        {"\xff\xc3", "\"\\ufffd\\ufffd\""},
        /* overlong, a surrogate, beyond U+10FFFF */
        {"\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\""},
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}};
    char out[64];

    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(etm_json_string(rows[i][0], out, sizeof out),
                            rows[i][1]);
}

TEST(json_string_that_does_not_fit_is_cut)
{
    char out[8];

    for (size_t capacity = 0; capacity <= sizeof out; capacity++) {
        memset(out, '!', sizeof out);
        etm_json_string("ab\ncd", out, capacity);
        for (size_t i = capacity; i < sizeof out; i++)
            assert_int_equal(out[i], '!');
        if (capacity >= 3)
            assert_true(out[0] == '"' && out[strlen(out) - 1] == '"');
    }
    assert_string_equal(etm_json_string("abcdefgh", out, sizeof out),
                        "\"abcde\"");
}
