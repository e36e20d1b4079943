/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of GDB's remote protocol. */
#include "../support/test.h"
#include "gdb/packet.h"

static struct etm_gdb_input input;

/* What the last character makes. */
static enum etm_gdb_input_kind take(const char *text)
{
    enum etm_gdb_input_kind kind = ETM_GDB_NOTHING;

    memset(&input, 0, sizeof input);
    for (; *text != '\0'; text++)
        kind = etm_gdb_input_take(&input, (uint8_t)*text);
    return kind;
}

TEST(a_packet_is_between_dollar_and_checksum)
{
    assert_int_equal(take("$g#67"), ETM_GDB_PACKET);
    assert_int_equal(input.n, 1);
    assert_string_equal(input.text, "g");
    assert_int_equal(take("+noise$m0,4#FD"), ETM_GDB_PACKET);
    assert_string_equal(input.text, "m0,4");
    assert_int_equal(take("$#00"), ETM_GDB_PACKET);
    assert_int_equal(input.n, 0);
}

TEST(a_wrong_checksum_breaks_it)
{
    assert_int_equal(take("$g#68"), ETM_GDB_BROKEN);
    assert_int_equal(take("$g#x"), ETM_GDB_BROKEN);
    assert_int_equal(take("$g#6x"), ETM_GDB_BROKEN);
}

TEST(a_dollar_begins_again)
{
    assert_int_equal(take("$abc$g#67"), ETM_GDB_PACKET);
    assert_string_equal(input.text, "g");
}

TEST(characters_are_escaped)
{
    /* }\x03 is #; the sum is that of what is sent */
    assert_int_equal(take("$X}\x03#d8"), ETM_GDB_PACKET);
    assert_string_equal(input.text, "X#");
}

TEST(ctrl_c_interrupts_outside_of_packets)
{
    assert_int_equal(take("\x03"), ETM_GDB_INTERRUPT);
    assert_int_equal(take("$\x03#03"), ETM_GDB_PACKET);
}

TEST(a_packet_has_a_limit)
{
    for (unsigned more = 0; more < 2; more++) {
        unsigned sum = 0;
        char digits[4];

        assert_int_equal(take("$"), ETM_GDB_NOTHING);
        for (unsigned i = 0; i < ETM_GDB_PACKET_MOST + more; i++) {
            (void)etm_gdb_input_take(&input, 'a');
            sum += 'a';
        }
        (void)etm_gdb_input_take(&input, '#');
        digits[0] = "0123456789abcdef"[sum >> 4 & 15];
        digits[1] = "0123456789abcdef"[sum & 15];
        (void)etm_gdb_input_take(&input, (uint8_t)digits[0]);
        assert_int_equal(etm_gdb_input_take(&input, (uint8_t)digits[1]),
                         more ? ETM_GDB_BROKEN : ETM_GDB_PACKET);
    }
}

TEST(what_is_framed_is_read_back)
{
    static struct etm_gdb_reply reply;
    static char framed[ETM_GDB_FRAMED_MOST];
    enum etm_gdb_input_kind kind = ETM_GDB_NOTHING;
    size_t n;

    reply.n = 0;
    for (unsigned c = 0; c < 256; c++)
        etm_gdb_put_char(&reply, (char)c);
    n = etm_gdb_reply_frame(&reply, framed);
    memset(&input, 0, sizeof input);
    for (size_t i = 0; i < n; i++)
        kind = etm_gdb_input_take(&input, (uint8_t)framed[i]);
    assert_int_equal(kind, ETM_GDB_PACKET);
    assert_int_equal(input.n, 256);
    for (unsigned c = 0; c < 256; c++)
        assert_int_equal((uint8_t)input.text[c], c);
}

TEST(a_reply_has_a_limit)
{
    static struct etm_gdb_reply reply;

    reply.n = 0;
    for (unsigned i = 0; i < 2 * ETM_GDB_PACKET_MOST; i++)
        etm_gdb_put_char(&reply, 'a');
    assert_int_equal(reply.n, ETM_GDB_PACKET_MOST);
}

TEST(numbers_have_no_zeros_in_front)
{
    struct etm_gdb_reply reply = {0};

    etm_gdb_put_number(&reply, 0);
    etm_gdb_put_char(&reply, ' ');
    etm_gdb_put_number(&reply, 0x10f);
    etm_gdb_put_char(&reply, ' ');
    etm_gdb_put_number(&reply, UINT64_MAX);
    etm_gdb_put_char(&reply, ' ');
    etm_gdb_put_word(&reply, 0x12345678);
    assert_int_equal(reply.n, strlen("0 10f ffffffffffffffff 78563412"));
    assert_memory_equal(reply.text, "0 10f ffffffffffffffff 78563412", reply.n);
}

TEST(words_and_numbers_are_taken_or_left)
{
    static const char text[] = "m1F,fffffffffffffffff-180000000";
    struct etm_gdb_text t = {text, text + sizeof text - 1};
    uint64_t value;
    int64_t thread;

    assert_false(etm_gdb_take_word(&t, "mm"));
    assert_true(etm_gdb_take_word(&t, "m"));
    assert_true(etm_gdb_take_hex(&t, &value));
    assert_int_equal(value, 0x1f);
    assert_false(etm_gdb_take_hex(&t, &value));
    assert_true(etm_gdb_take_char(&t, ','));
    assert_false(etm_gdb_take_hex(&t, &value)); /* more than 64 bits */
    assert_true(etm_gdb_take_word(&t, "fffffffffffffffff"));
    assert_true(etm_gdb_take_thread(&t, &thread));
    assert_int_equal(thread, -1);
    assert_false(etm_gdb_take_thread(&t, &thread)); /* none is so high */
    assert_true(etm_gdb_take_word(&t, "80000000"));
    assert_true(etm_gdb_is_end(&t));
    assert_false(etm_gdb_take_char(&t, '\0'));
}
