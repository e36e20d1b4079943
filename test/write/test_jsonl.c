/* SPDX-License-Identifier: Apache-2.0 */
/* Elements as JSON Lines (doc/elements.md), each kind to the byte. */
#include "../support/test.h"
#include "listing.h"

#define ELEMENT(KIND, ...)                                                     \
    (&(struct etm_element){.kind = ETM_ELEMENT_##KIND,                         \
                           .source = 16,                                       \
                           .offset = 1234,                                     \
                           __VA_ARGS__})
#define HEAD(kind) "{\"k\":\"" kind "\",\"src\":16,\"off\":1234"

TEST(trace_on_has_a_reason)
{
    assert_element(
        "jsonl",
        ELEMENT(TRACE_ON, .u.trace_on.reason = ETM_TRACE_ON_DEBUG_EXIT),
        HEAD("trace_on") ",\"reason\":\"debug_exit\"}\n");
}

TEST(lost_has_a_reason_and_bytes)
{
    assert_element("jsonl",
                   ELEMENT(LOST, .u.lost = {ETM_LOST_IMAGE_MISMATCH, 99}),
                   HEAD("lost") ",\"reason\":\"image_mismatch\","
                                "\"bytes\":99}\n");
}

TEST(context_is_null_where_it_is_not_known)
{
    struct etm_element *e = ELEMENT(CONTEXT, .u.context.isa = ETM_ISA_THUMB);

    assert_element("jsonl", e,
                   HEAD("context") ",\"isa\":\"thumb\",\"secure\":null,"
                                   "\"hyp\":null,\"context_id\":null,"
                                   "\"vmid\":null}\n");
    e->u.context.isa = ETM_ISA_UNKNOWN;
    e->u.context.secure = ETM_FALSE;
    e->u.context.hyp = ETM_TRUE;
    e->u.context.context_id_known = e->u.context.vmid_known = true;
    e->u.context.context_id = UINT32_MAX;
    e->u.context.vmid = 7;
    assert_element("jsonl", e,
                   HEAD("context") ",\"isa\":null,\"secure\":false,"
                                   "\"hyp\":true,\"context_id\":4294967295,"
                                   "\"vmid\":7}\n");
}

TEST(range_tells_of_its_last_instruction)
{
    struct etm_element *e = ELEMENT(RANGE, .u.range.isa = ETM_ISA_ARM);

    e->u.range.start = 0x8000;
    e->u.range.end = 0x8010;
    e->u.range.n = 4;
    e->u.range.last_address = 0x800c;
    e->u.range.last_type = ETM_INSN_TYPE_INDIRECT;
    e->u.range.last_exec = ETM_TRUE;
    e->u.range.last_flags = ETM_INSN_RETURN;
    e->u.range.cycles = ETM_CYCLES_UNKNOWN;
    assert_element("jsonl", e,
                   HEAD("range") ",\"start\":\"0x00008000\","
                                 "\"end\":\"0x00008010\",\"isa\":\"arm\","
                                 "\"n\":4,\"last\":{\"addr\":\"0x0000800c\","
                                 "\"type\":\"indirect\",\"exec\":true,"
                                 "\"link\":false,\"return\":true},"
                                 "\"cycles\":null}\n");
    e->u.range.cycles = UINT64_C(18446744073709551614);
    e->u.range.last_flags = ETM_INSN_LINK;
    e->u.range.last_exec = ETM_UNKNOWN;
    e->u.range.last_type = ETM_INSN_TYPE_BARRIER;
    assert_element("jsonl", e,
                   HEAD("range") ",\"start\":\"0x00008000\","
                                 "\"end\":\"0x00008010\",\"isa\":\"arm\","
                                 "\"n\":4,\"last\":{\"addr\":\"0x0000800c\","
                                 "\"type\":\"barrier\",\"exec\":null,"
                                 "\"link\":true,\"return\":false},"
                                 "\"cycles\":18446744073709551614}\n");
}

/* As many digits as the instruction is long, the first halfword first. */
TEST(opcode_is_as_long_as_the_instruction)
{
    struct etm_element *e = ELEMENT(INSN, .u.insn.isa = ETM_ISA_THUMB);

    e->u.insn.address = 0xc0021166;
    e->u.insn.opcode = 0x4770;
    e->u.insn.size = 2;
    e->u.insn.exec = ETM_FALSE;
    e->u.insn.type = ETM_INSN_TYPE_INDIRECT;
    assert_element("jsonl", e,
                   HEAD("insn") ",\"addr\":\"0xc0021166\",\"isa\":\"thumb\","
                                "\"opcode\":\"0x4770\",\"size\":2,"
                                "\"exec\":false,\"type\":\"indirect\","
                                "\"cycles\":0}\n");
    e->u.insn.opcode = 0xf7ffffe5;
    e->u.insn.size = 4;
    e->u.insn.exec = ETM_UNKNOWN;
    e->u.insn.type = ETM_INSN_TYPE_DIRECT;
    e->u.insn.cycles = ETM_CYCLES_UNKNOWN;
    assert_element("jsonl", e,
                   HEAD("insn") ",\"addr\":\"0xc0021166\",\"isa\":\"thumb\","
                                "\"opcode\":\"0xf7ffffe5\",\"size\":4,"
                                "\"exec\":null,\"type\":\"direct\","
                                "\"cycles\":null}\n");
    e->u.insn.isa = ETM_ISA_JAZELLE;
    e->u.insn.opcode = 0xb1;
    e->u.insn.size = 1;
    e->u.insn.exec = ETM_TRUE;
    e->u.insn.type = ETM_INSN_TYPE_OTHER;
    e->u.insn.cycles = 12;
    assert_element("jsonl", e,
                   HEAD("insn") ",\"addr\":\"0xc0021166\",\"isa\":\"jazelle\","
                                "\"opcode\":\"0xb1\",\"size\":1,"
                                "\"exec\":true,\"type\":\"other\","
                                "\"cycles\":12}\n");
}

TEST(no_image_has_an_address)
{
    assert_element("jsonl", ELEMENT(NO_IMAGE, .u.no_image.address = 0xffff0018),
                   HEAD("no_image") ",\"addr\":\"0xffff0018\"}\n");
}

TEST(exception_of_an_interrupt_has_its_number)
{
    struct etm_element *e =
        ELEMENT(EXCEPTION, .u.exception.type = ETM_EXCEPTION_IRQ_N);

    e->u.exception.number = 24;
    e->u.exception.irq = 8;
    e->u.exception.resume = 3;
    assert_element("jsonl", e,
                   HEAD("exception") ",\"number\":24,\"name\":\"irq8\","
                                     "\"return\":null,\"cancels\":null,"
                                     "\"resume\":3}\n");
    e->u.exception.type = ETM_EXCEPTION_DATA_ABORT;
    e->u.exception.resume = 0;
    e->u.exception.return_known = e->u.exception.cancels_known = true;
    e->u.exception.return_address = 0x8000;
    e->u.exception.cancels = 0x7ffc;
    assert_element("jsonl", e,
                   HEAD("exception") ",\"number\":24,"
                                     "\"name\":\"data_abort\","
                                     "\"return\":\"0x00008000\","
                                     "\"cancels\":\"0x00007ffc\","
                                     "\"resume\":0}\n");
}

TEST(data_has_be8_last)
{
    struct etm_element *e = ELEMENT(DATA, .u.data.insn_known = true);

    e->u.data.insn = 0x8004;
    e->u.data.address_known = e->u.data.value_known = true;
    e->u.data.address = 0x20000010;
    e->u.data.value = 0x2a;
    e->u.data.size = 2;
    e->u.data.store = ETM_TRUE;
    e->u.data.index = 1;
    e->u.data.be8 = ETM_FALSE;
    assert_element("jsonl", e,
                   HEAD("data") ",\"insn\":\"0x00008004\","
                                "\"addr\":\"0x20000010\","
                                "\"value\":\"0x002a\",\"size\":2,"
                                "\"store\":true,\"index\":1,"
                                "\"status\":\"ok\",\"be8\":false}\n");
    e->u.data.value = 0x12002a; /* more than it transfers: E-341 */
    assert_element("jsonl", e,
                   HEAD("data") ",\"insn\":\"0x00008004\","
                                "\"addr\":\"0x20000010\","
                                "\"value\":\"0x12002a\",\"size\":2,"
                                "\"store\":true,\"index\":1,"
                                "\"status\":\"ok\",\"be8\":false}\n");
}

TEST(data_that_nothing_is_known_of_is_null)
{
    struct etm_element *e = ELEMENT(DATA, .u.data.status = ETM_DATA_SUPPRESSED);

    e->u.data.index = ETM_DATA_INDEX_UNKNOWN;
    assert_element("jsonl", e,
                   HEAD("data") ",\"insn\":null,\"addr\":null,"
                                "\"value\":null,\"size\":null,"
                                "\"store\":null,\"index\":null,"
                                "\"status\":\"suppressed\","
                                "\"be8\":null}\n");
    /* nobody's: a word, as packets are (7.4.1) */
    e->u.data.status = ETM_DATA_OK;
    e->u.data.value_known = true;
    e->u.data.value = 0xab;
    assert_element("jsonl", e,
                   HEAD("data") ",\"insn\":null,\"addr\":null,"
                                "\"value\":\"0x000000ab\",\"size\":null,"
                                "\"store\":null,\"index\":null,"
                                "\"status\":\"ok\","
                                "\"be8\":null}\n");
}

TEST(cycle_of_data_is_a_key_only_if_asked_for)
{
    static struct written w;
    const struct etm_listing_config config = {
        .format = "jsonl", .write = take_text, .context = &w, .cycles = true};
    const struct etm_listing_source source = {.id = 16};
    struct etm_element e[4] = {
        {.kind = ETM_ELEMENT_TRIGGER, .source = 16, .since_known = true},
        {.kind = ETM_ELEMENT_CONTEXT, .source = 16},
        {.kind = ETM_ELEMENT_DATA, .source = 16},
        {.kind = ETM_ELEMENT_END, .source = 16}};
    struct etm_listing *listing;

    assert_element("jsonl", &e[0],
                   "{\"k\":\"trigger\",\"src\":16,\"off\":0}\n");
    e[0].since = UINT32_MAX;
    e[2].since_known = true;
    w.n = 0;
    assert_ok(etm_listing_new(&listing, &config));
    assert_ok(etm_listing_begin(listing, &source));
    assert_ok(etm_listing_elements(listing, e, 4));
    assert_ok(etm_listing_flush(listing));
    etm_listing_free(listing);
    assert_non_null(strstr(w.text, "\"off\":0,\"since\":4294967295}\n"));
    assert_non_null(strstr(w.text, "\"vmid\":null,\"since\":null}\n"));
    assert_non_null(strstr(w.text, "\"be8\":null,\"since\":0}\n"));
    assert_non_null(strstr(w.text, "\"end\",\"src\":16,\"off\":0}\n"));
}

TEST(cycles_may_be_unknown)
{
    struct etm_element *e = ELEMENT(CYCLES, .u.cycles.n = 100);

    assert_element("jsonl", e, HEAD("cycles") ",\"n\":100}\n");
    e->u.cycles.n = ETM_CYCLES_UNKNOWN;
    assert_element("jsonl", e, HEAD("cycles") ",\"n\":null}\n");
}

/* A double could not hold 64 bits. */
TEST(timestamp_is_a_string)
{
    assert_element(
        "jsonl",
        ELEMENT(TIMESTAMP, .u.timestamp.value = UINT64_C(18446744073709551615)),
        HEAD("timestamp") ",\"value\":\"18446744073709551615\"}\n");
    assert_element(
        "jsonl", ELEMENT(TIMESTAMP, .u.timestamp.value = ETM_TIMESTAMP_UNKNOWN),
        HEAD("timestamp") ",\"value\":null}\n");
}

TEST(the_rest_has_no_further_keys)
{
    assert_element("jsonl", ELEMENT(EXCEPTION_RETURN, .u = {{0}}),
                   HEAD("exception_return") "}\n");
    assert_element("jsonl", ELEMENT(TRIGGER, .u = {{0}}),
                   HEAD("trigger") "}\n");
    assert_element("jsonl", ELEMENT(END, .u = {{0}}), HEAD("end") "}\n");
}

/* Every length of number, on both sides of each power of ten. */
TEST(offsets_of_every_length_are_right)
{
    uint64_t power = 1;

    for (int digits = 1; digits <= 20; digits++) {
        uint64_t values[] = {power - 1, power, power + power / 3};

        for (size_t i = 0; i < 3; i++) {
            struct etm_element e = {.kind = ETM_ELEMENT_END,
                                    .offset = values[i]};
            char expected[80];

            snprintf(expected, sizeof expected,
                     "{\"k\":\"end\",\"src\":0,\"off\":%llu}\n",
                     (unsigned long long)values[i]);
            assert_element("jsonl", &e, expected);
        }
        power *= digits < 20 ? 10 : 1;
    }
}

TEST(json_string_escapes)
{
    char out[64];

    assert_string_equal(etm_json_string("a\"b\\c\n\x7f", out, sizeof out),
                        "\"a\\\"b\\\\c\\u000a\\u007f\"");
    /* what a terminal takes for a command */
    assert_string_equal(
        etm_json_string("\xc2\x9b\xe2\x80\xae", out, sizeof out),
        "\"\\u009b\\u202e\"");
    assert_string_equal(
        etm_json_string("\xc3\xa9\xe2\x82\xac", out, sizeof out),
        "\"\xc3\xa9\xe2\x82\xac\"");
    assert_string_equal(etm_json_string("\xff\xc3", out, sizeof out),
                        "\"\\ufffd\\ufffd\"");
    /* overlong, a surrogate, beyond U+10FFFF */
    assert_string_equal(etm_json_string("\xe0\x80\x80", out, sizeof out),
                        "\"\\ufffd\\ufffd\\ufffd\"");
    assert_string_equal(etm_json_string("\xed\xa0\x80", out, sizeof out),
                        "\"\\ufffd\\ufffd\\ufffd\"");
    assert_string_equal(etm_json_string("\xf4\x90\x80\x80", out, sizeof out),
                        "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

/* What comes first, elements or packets or a part, need not be known. */
static void list_first(struct etm_listing *listing, unsigned first)
{
    static const uint8_t bytes[] = {0, 0, 0, 0, 0, 0x80};
    const struct etm_packet a_sync = {.kind = ETM_PACKET_A_SYNC, .size = 6};
    const struct etm_element insn = {
        .kind = ETM_ELEMENT_INSN,
        .u.insn = {.isa = ETM_ISA_THUMB, .size = 2, .opcode = 0xbf00}};
    struct etm_listing_portion *part = NULL;

    if (first == 0) {
        assert_ok(etm_listing_elements(listing, &insn, 1));
    } else if (first == 1) {
        assert_ok(etm_listing_packets(listing, &a_sync, 1, bytes));
    } else {
        assert_ok(etm_listing_portion_begin(listing, &part));
        assert_ok(etm_listing_elements(listing, &insn, 1));
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
    const struct etm_listing_source nothing = {.title = NULL};

    for (unsigned i = 0; i < 6; i++) {
        const char *format = i % 2 == 0 ? "text" : "jsonl";
        struct etm_listing *listing = new_listing(format, &with);

        assert_ok(etm_listing_begin(listing, &nothing));
        list_first(listing, i / 2);
        list_first(new_listing(format, &without), i / 2);
        assert_true(without.n > 10);
        assert_string_equal(with.text, without.text);
    }
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
