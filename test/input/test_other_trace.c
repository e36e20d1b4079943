/* SPDX-License-Identifier: Apache-2.0 */
/* Trace that is not decoded, by its bytes (doc/errata.md, E-612). */

#include "../support/test.h"
#include "input/other_trace.h"

struct stream {
    uint8_t bytes[4096];
    size_t n;
};

static void add(struct stream *s, const char *bytes, size_t n)
{
    assert_true(s->n + n <= sizeof s->bytes);
    memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
}

#define ADD(s, literal) add(s, literal, sizeof(literal) - 1)

static void assert_name(const struct stream *s, const char *name)
{
    const char *is = etm_other_trace_name(s->bytes, s->n);

    if (name == NULL)
        assert_null(is);
    else
        assert_string_equal(is != NULL ? is : "nothing", name);
}

/* One A-sync and trace info are enough. */
TEST(etmv4_has_long_a_syncs_and_trace_info)
{
    struct stream s = {.n = 0};

    ADD(&s, "\xf7\xf7\0\0\0\0\0\0\0\0\0\0\0\x80\x01\x01\0\x9d\x42\x46\xbe\x10");
    assert_name(&s, "ETMv4 or ETE");
    s.n = 14; /* without that */
    assert_name(&s, NULL);
    s.n = 22;
    s.bytes[14] = 0x08; /* an I-sync, as of an ETMv3 with more zeros */
    assert_name(&s, NULL);
    s.bytes[14] = 0x01; /* one that is, among more that are not */
    ADD(&s, "\0\0\0\0\0\x80\x08\0\0\0\0\0\x80\x08");
    assert_name(&s, NULL);
}

/* Nibbles may begin in the middle of a byte. */
TEST(stm_has_async_and_version)
{
    struct stream even = {.n = 0}, odd = {.n = 0}, ones = {.n = 0};

    ADD(&even, "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x0f\x0f\x30\x55");
    assert_name(&even, "STM");
    ADD(&odd, "\xf2\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xf0\x00\x53\x12");
    assert_name(&odd, "STM");
    even.n -= 2; /* without its version */
    assert_name(&even, NULL);
    ADD(&ones,
        "\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
        "\x00\x00\x12\x34"); /* memory that was never written */
    assert_name(&ones, NULL);
}

TEST(itm_is_known_by_its_packets)
{
    struct stream s = {.n = 0}, few = {.n = 0};

    ADD(&few, "\0\0\0\0\0\x80\x17\x02\x01\0\x08\x03\x41\x42\x43\0\xc0\x22");
    assert_name(&few, NULL);
    for (unsigned i = 0; i < 8; i++)
        ADD(&s, "\x17\x02\x01\0\x08\x03\x41\x42\x43\0\xc0\x22\x0e\x0f\x10");
    assert_name(&s, "ITM");
    s.n = 4 * 15; /* 16 packets: too few, but with a synchronization */
    assert_name(&s, NULL);
    ADD(&s, "\0\0\0\0\0\x80\x01\x41");
    assert_name(&s, "ITM");
}

/* Text of a program over SWO, without anything else. */
TEST(itm_may_have_software_packets_alone)
{
    static const char text[] = "hello, world: this is port zero of an ITM\n";
    struct stream s = {.n = 0};

    for (size_t i = 0; i + 1 < sizeof text; i++) {
        ADD(&s, "\x01");
        add(&s, text + i, 1);
    }
    assert_name(&s, "ITM");
    s.n = 0;
    for (unsigned i = 0; i < 4; i++)
        add(&s, text, sizeof text - 1);
    assert_name(&s, NULL);
}

/* Theirs are the A-syncs of an ITM, but an I-sync follows. */
TEST(trace_of_etmv3_and_pft_is_no_other_trace)
{
    struct stream v3 = {.n = 0}, pft = {.n = 0};

    for (unsigned i = 0; i < 20; i++) {
        ADD(&v3,
            "\0\0\0\0\0\x80\x08\x21\x01\x02\0\x08\x98\x3d\x8c\x37\xd4\x90");
        ADD(&pft, "\0\0\0\0\0\x80\x08\x01\x82\0\0\x21\x95\x03\x88\x9f\x01\x90");
    }
    assert_name(&v3, NULL);
    assert_name(&pft, NULL);
    assert_name(&(struct stream){.n = 0}, NULL);
    assert_name(&(struct stream){.n = 4096}, NULL); /* zeros */
}
