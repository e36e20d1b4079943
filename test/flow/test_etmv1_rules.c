/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv1: what chapters 4, 5 and 9 of the ETM architecture say of memory, its
 * byte order, images and the drained FIFO. */
#include "etmv1_util.h"

static const uint32_t nops[] = {0xe1a00000, 0xe1a00000, 0xe1a00000, 0xe1a00000};
static const uint32_t loads[] = {
    0xe1d200d0, /* ldrsb r0, [r2] */
    0xe5d20000, /* ldrb r0, [r2] */
    0xed920b00, /* fldd d0, [r2] */
    0xe12fff1e, /* bx lr */
};

/* EX-06, DAT-09, DAT-10: a byte is traced before it is extended, at the address
 * that the instruction asked for, also where BE-32 reads another one.
 * DAT-05 */
static void bytes_are_traced_as_they_were_asked_for(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.data_address = true;
    c.config.endian = ETM_ENDIAN_BE32;
    v1_code(&c, 0x1000, loads, 2, 4);
    v1_records(&c, AT_1000 "ID0:80 WT0:c0 WT0:80 WT0:80 WT0:00 WT0:ab "
                           "ID0:00 WT0:cd");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e1d200d0 other exec=true\n"
                  "10 data insn=1000 addr=2000 value=ab size=1 store=false "
                  "index=0 ok r0\n"
                  "22 insn 1004 e5d20000 other exec=true\n"
                  "22 data insn=1004 addr=2000 value=cd size=1 store=false "
                  "index=0 ok r0\n"
                  "26 end\n");
    v1_end(&c);
}

/* EX-06, DAT-08: the words of a double come in the order of memory in every
 * byte order, and are named by their addresses: d0.low is the lower one.
 * E-187 */
static void words_of_a_double_are_named_by_their_addresses(void **state)
{
    static const struct {
        enum etm_endian endian;
        const char *first, *second;
    } rows[] = {{ETM_ENDIAN_LITTLE, "value=1", "value=2"},
                {ETM_ENDIAN_BE8, "value=1000000", "value=2000000"},
                {ETM_ENDIAN_BE32, "value=1000000", "value=2000000"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[512];
        struct v1_case c;

        v1_begin(&c);
        c.config.data_value = true;
        c.config.endian = rows[i].endian;
        v1_code(&c, 0x1000, loads + 2, 2, 4);
        v1_records(&c, AT_1000 "ID0:01 WT0:00*3 WT0:02 WT0:00*3");
        snprintf(expected, sizeof expected,
                 "0 trace_on start\n"
                 "0 context arm\n"
                 "10 insn 1000 ed920b00 other exec=true\n"
                 "10 data insn=1000 %s size=4 store=false index=0 ok d0.low\n"
                 "10 data insn=1000 %s size=4 store=false index=1 ok d0.high\n"
                 "26 end\n",
                 rows[i].first, rows[i].second);
        v1_expect(&c, expected);
        v1_end(&c);
    }
}

/* E-346: so many wait cycles with packets are none of an instruction. */
static void no_block_is_longer_than_any_fifo(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, loads, 2, 4);
    v1_records(&c, AT_1000 "WT0:55*1025 ID0:01");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "2060 insn 1000 e1d200d0 other exec=true\n"
                  "2060 data insn=1000 value=55 size=1 store=false "
                  "index=0 ok r0\n"
                  "2062 end\n");
    v1_end(&c);
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, loads, 2, 4);
    v1_records(&c, AT_1000 "WT0:55*1026 WT0:55*3 ID0:01 IE0:00");
    v1_expect(&c, "2060 lost bad_packet 8\n"
                  "0 trace_on start\n"
                  "0 context arm\n"
                  "2068 insn 1000 e1d200d0 other exec=true\n"
                  "2070 insn 1004 e5d20000 other exec=true\n"
                  "2072 end\n");
    v1_end(&c);
}

/* CTX-04: a synchronization tells the same value again. */
static void context_id_that_is_repeated_is_no_change(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 1;
    v1_code(&c, 0x1000, loads + 3, 1, 4);
    v1_records(&c, AT_1000 "WT0:55 BE1:80 IE0:a0 IE0:80 WT0:80 WT0:40 WT0:55 "
                           "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:40 WT0:56 BE1:00 "
                           "IE0:00*2");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm context_id=55\n"
                  "12 insn 1000 e12fff1e indirect exec=true return\n"
                  "24 insn 1000 e12fff1e indirect exec=true return\n"
                  "24 context arm context_id=56\n"
                  "36 insn 1000 e12fff1e indirect exec=true return\n"
                  "42 end\n");
    v1_end(&c);
}

/* V2-UNK-04: ETMv1 cannot tell how many data packets unknown code has; the next
 * address puts it right. */
static void data_are_read_again_after_code_that_is_not_known(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, loads, 4, 4);
    v1_records(&c, AT_1000 "ID0:01 ID0:02 IE0:00 "
                           "BE1:80 IE0:21 IE0:00 " /* to 0x1080 */
                           "ID0:03 WT0:04 IE0:00 ID0:05 WT0:06*4 "
                           "BE1:80 IE0:20 IE0:00 ID0:07 ID0:08");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e1d200d0 other exec=true\n"
                  "10 data insn=1000 value=1 size=1 store=false index=0 ok r0\n"
                  "12 insn 1004 e5d20000 other exec=true\n"
                  "12 data insn=1004 value=2 size=1 store=false index=0 ok r0\n"
                  "14 insn 1008 ed920b00 other exec=true\n"
                  "16 insn 100c e12fff1e indirect exec=true return\n"
                  "22 no_image 1080\n"
                  "44 insn 1000 e1d200d0 other exec=true\n"
                  "44 data insn=1000 value=7 size=1 store=false index=0 ok r0\n"
                  "46 insn 1004 e5d20000 other exec=true\n"
                  "46 data insn=1004 value=8 size=1 store=false index=0 ok r0\n"
                  "48 end\n");
    v1_end(&c);
}

/* V1-P16-04: a FIFO that is drained may put out a single byte, and what is on
 * the other half is nobody's: the last one before an address is not used.
 * E-188 */
static void single_byte_of_a_drain_is_passed_over(void **state)
{
    static const uint32_t words[] = {
        0xe5920000, /* ldr r0, [r2] */
        0xe8920003, /* ldm r2, {r0, r1} */
    };
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.port_width = 16;
    v1_code(&c, 0x1000, words, 2, 4);
    v1_records(&c, "BE1:a080 IE0:8080 IE0:0010 ID0:2211 WT0:4433 ID0:6655 "
                   "WT0:ff77 TD0:0000*3 "
                   "BE1:a080 IE0:8080 IE0:0020 ID0:2211 WT0:4433");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "9 insn 1000 e5920000 other exec=true\n"
                  "9 data insn=1000 value=44332211 size=4 store=false index=0 "
                  "ok r0\n"
                  "15 insn 1004 e8920003 other exec=true\n"
                  "30 trace_on overflow\n"
                  "39 insn 1000 e5920000 other exec=true\n"
                  "39 data insn=1000 value=44332211 size=4 store=false index=0 "
                  "ok r0\n"
                  "45 end\n");
    v1_end(&c);
}

/* DYN-01, DYN-05, EX-10: overlays are linked at addresses of their own, which
 * lead to the same memory: none is masked. */
static void aliases_are_different_code(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, loads + 3, 1, 4);
    v1_code(&c, 0x5000, nops, 1, 4);
    v1_code(&c, 0x9000, loads + 1, 1, 4);
    v1_records(&c, AT_1000 "BE1:80 IE0:a0 IE0:01 IE0:00 "
                           "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:10 "
                           "BE1:80 IE0:a0 IE0:02 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "16 insn 5000 e1a00000 other exec=true\n"
                  "18 trace_on start\n"
                  "28 insn 1000 e12fff1e indirect exec=true return\n"
                  "34 insn 9000 e5d20000 other exec=true\n"
                  "36 end\n");
    v1_end(&c);
}

/* DYN-01 to DYN-03: the code of each Context ID, from the first restart on. */
static void context_id_selects_the_code(void **state)
{
    const struct etm_space spaces[] = {
        {.has_context = true, .context_id = 0x55},
        {.has_context = true, .context_id = 0x66}};
    uint8_t bytes[4] = {0x1e, 0xff, 0x2f, 0xe1};
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 1;
    assert_int_equal(etm_image_new(&c.image, NULL), ETM_OK);
    assert_int_equal(etm_image_add_copy(c.image, 0x1000, bytes, 4, &spaces[0]),
                     ETM_OK);
    memcpy(bytes, "\x00\x00\xa0\xe1", 4);
    assert_int_equal(etm_image_add_copy(c.image, 0x1000, bytes, 4, &spaces[1]),
                     ETM_OK);
    v1_records(&c, AT_1000 "WT0:55 BE1:80 IE0:a0 IE0:80 WT0:80 WT0:40 WT0:66 "
                           "IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm context_id=55\n"
                  "12 insn 1000 e12fff1e indirect exec=true return\n"
                  "12 context arm context_id=66\n"
                  "24 insn 1000 e1a00000 other exec=true\n"
                  "26 end\n");
    v1_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_traced_as_they_were_asked_for),
        cmocka_unit_test(words_of_a_double_are_named_by_their_addresses),
        cmocka_unit_test(no_block_is_longer_than_any_fifo),
        cmocka_unit_test(context_id_that_is_repeated_is_no_change),
        cmocka_unit_test(data_are_read_again_after_code_that_is_not_known),
        cmocka_unit_test(single_byte_of_a_drain_is_passed_over),
        cmocka_unit_test(aliases_are_different_code),
        cmocka_unit_test(context_id_selects_the_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
