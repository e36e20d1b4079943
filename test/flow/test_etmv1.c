/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv1: records made by hand, and what they say: statuses, FIFO and address
 * packet offsets (ETM architecture, chapters 4 and 5). */
#include "etmv1_util.h"

/* The program of Example 5-1 (5.3.2). */
static const uint32_t example[] = {
    0xe3a02802, /* 1000 mov r2, #0x20000 */
    0xe5d20000, /* 1004 ldrb r0, [r2] */
    0xe1d200b0, /* 1008 ldrh r0, [r2] */
    0xe5920000, /* 100c ldr r0, [r2] */
    0xe1a00000, /* 1010 nop */
    0xeafffff9, /* 1014 b 1000 */
};
static const uint32_t nops[] = {0xe1a00000, 0xe1a00000, 0xe1a00000, 0xe1a00000,
                                0xe1a00000, 0xe1a00000, 0xe1a00000, 0xe1a00000};
static const uint32_t returns[] = {0xe12fff1e, 0xe12fff1e}; /* bx lr */
static const uint32_t branches[] = {
    0xeafffffe, /* b . */
    0x0a000010, /* beq . + 0x48 */
};
static const uint32_t calls[] = {0xf000, 0xf800, 0x46c0}; /* bl .+4; nop */
static const uint32_t odd[] = {
    0xe5d20000, /* ldrb r0, [r2] */
    0xeafffffd, /* b 1000 */
    0xe1a00000, /* nop */
};

/* EX-01, V1-RULE-02, V1-RULE-06, V1-DATA-04, V1-LSM-03, V1-CYC-02,
 * V1-CYC-04, V1-PKT-03, V1-PIPE-11, V1-PKT-07 */
static void example_5_1(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.cycle_accurate = true;
    c.config.branch_broadcast = true;
    v1_code(&c, 0x1000, example, 6, 4);
    v1_records(&c, AT_1000);
    v1_records(&c,
               "TD0:01*4 IE0:01 TD0:01*5 ID0:11 TD0:01*5 ID0:11 WT0:22 "
               "TD0:01*2 WT0:11 WT0:22 WT0:33 WT0:44 ID0:01 TD0:01*3 IE0:01 "
               "BE1:00 IE0:00*2 IE0:00");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 cycles null\n"
        "0 context arm\n"
        "18 insn 1000 e3a02802 other exec=true cycles=9\n"
        "30 insn 1004 e5d20000 other exec=true cycles=6\n"
        "30 data insn=1004 value=11 size=1 store=false index=0 ok r0\n"
        "42 insn 1008 e1d200b0 other exec=true cycles=6\n"
        "42 data insn=1008 value=2211 size=2 store=false index=0 ok r0\n"
        "58 insn 100c e5920000 other exec=true cycles=8\n"
        "58 data insn=100c value=44332211 size=4 store=false index=0 ok r0\n"
        "66 insn 1010 e1a00000 other exec=true cycles=4\n"
        "68 insn 1014 eafffff9 direct exec=true cycles=1\n"
        "74 insn 1000 e3a02802 other exec=true cycles=3\n"
        "76 end\n");
    v1_end(&c);
}

/* EX-01, TCD-04, TCD-09, V1-RULE-02 */
static void example_5_1_without_the_cycles_that_may_be_dropped(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, example, 6, 4);
    v1_records(&c, AT_1000);
    v1_records(&c, "IE0:00 ID0:11 TD0:00 ID0:11 WT0:22 WT0:11 WT0:22 WT0:33 "
                   "WT0:44 ID0:00 IE0:00 BE1:00 IE0:00*2 IE0:00");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 context arm\n"
        "10 insn 1000 e3a02802 other exec=true\n"
        "12 insn 1004 e5d20000 other exec=true\n"
        "12 data insn=1004 value=11 size=1 store=false index=0 ok r0\n"
        "16 insn 1008 e1d200b0 other exec=true\n"
        "16 data insn=1008 value=2211 size=2 store=false index=0 ok r0\n"
        "28 insn 100c e5920000 other exec=true\n"
        "28 data insn=100c value=44332211 size=4 store=false index=0 ok r0\n"
        "30 insn 1010 e1a00000 other exec=true\n"
        "32 insn 1014 eafffff9 direct exec=true\n"
        "38 insn 1000 e3a02802 other exec=true\n"
        "40 end\n");
    v1_end(&c);
}

/* V1-TRG-01, V1-TRG-02, V1-TRG-03, V1-TRG-07, V1-RULE-09, TCD-01, V1-TRG-06 */
static void trigger_stands_for_a_status_and_stops_the_fifo(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.port_width = 4;
    v1_code(&c, 0x1000, example, 6, 4);
    v1_records(&c, "BE1:0 IE0:8 IE0:0 WT0:a WT0:0 WT0:8 WT0:0 WT0:8 WT0:0 "
                   "WT0:1 IE0:0 ID0:7 TR0:3 WT0:5 TR0:1 WT0:1 WT0:0 WT0:2 "
                   "WT0:0 TR0:2");
    v1_expect(&c,
              "0 trace_on start\n"
              "0 context arm\n"
              "20 insn 1000 e3a02802 other exec=true\n"
              "22 insn 1004 e5d20000 other exec=true\n"
              "22 data insn=1004 value=57 size=1 store=false index=0 ok r0\n"
              "24 trigger\n"
              "28 trigger\n"
              "28 insn 1008 e1d200b0 other exec=true\n"
              "28 data insn=1008 value=201 size=2 store=false index=0 ok r0\n"
              "38 trigger\n"
              "38 insn 100c e5920000 other exec=false\n"
              "40 end\n");
    v1_end(&c);
}

/* V1-TRG-04, V1-APO-07 */
static void trigger_in_an_offset_cycle_has_the_offset_on_the_pins(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.port_width = 4;
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x1040, returns, 1, 4);
    v1_code(&c, 0x1044, nops, 2, 4);
    v1_records(&c, "BE1:0 IE0:8 IE0:0 WT0:a BE0:0 IE0:8 IE0:0 "
                   "BE0:8 TR0:1 IE0:0 WT0:1 WT1:0 WT0:4 TR0:3 WT1:4 WT0:4 "
                   "IE0:0");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "8 insn 1000 e12fff1e indirect exec=true return\n"
                  "14 insn 1040 e12fff1e indirect exec=true return\n"
                  "16 trigger\n"
                  "26 trigger\n"
                  "32 insn 1044 e1a00000 other exec=true\n"
                  "34 end\n");
    v1_end(&c);
}

/* V1-APO-01, V1-APO-02, V1-APO-08, V1-PKT-02, V1-PKT-05 */
static void offset_counts_the_addresses_that_come_first(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.port_width = 4;
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x1040, returns, 1, 4);
    v1_code(&c, 0x1044, nops, 2, 4);
    v1_records(&c, "BE1:0 IE0:8 IE0:0 WT0:a "
                   /* the address of the first is in the FIFO yet */
                   "BE0:0 IE0:8 IE0:0 "
                   "BE0:8 ID0:0 IE0:1 " /* one more address comes first */
                   "WT1:0 WT0:4 WT1:4 WT0:4 IE0:0");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "8 insn 1000 e12fff1e indirect exec=true return\n"
                  "14 insn 1040 e12fff1e indirect exec=true return\n"
                  "28 insn 1044 e1a00000 other exec=true\n"
                  "30 end\n");
    v1_end(&c);
}

/* V1-APO-05, V1-APO-10, V1-BR-10 */
static void branch_in_an_offset_cycle_abandons_the_one_before(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x1040, returns, 1, 4);
    v1_code(&c, 0x2044, nops, 2, 4);
    v1_records(&c, AT_1000
               /* the first has 0x2040, which only the base takes */
               "BE1:c0 BE0:40 IE1:44 IE0:00 IE0:00 "
               "IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "12 insn 1000 e12fff1e indirect exec=true return\n"
                  "18 insn 2044 e1a00000 other exec=true\n"
                  "20 insn 2048 e1a00000 other exec=true\n"
                  "22 end\n");
    v1_end(&c);
}

/* V1-APO-05 */
static void branch_in_the_second_offset_cycle_abandons_too(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x2044, nops, 2, 4);
    v1_records(&c, AT_1000 "BE1:c0 IE0:40 BE1:44 IE0:00 IE0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "14 insn 1000 e12fff1e indirect exec=true return\n"
                  "20 insn 2044 e1a00000 other exec=true\n"
                  "22 end\n");
    v1_end(&c);
}

/* V1-APO-02, V1-APO-05 */
static void address_of_an_abandoned_branch_counts_in_the_offset(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.port_width = 4;
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x1044, nops, 2, 4);
    v1_records(&c, "BE1:0 IE0:8 IE0:0 WT0:a "
                   "BE0:0 BE0:8 ID0:0 IE0:8 " /* one comes first */
                   "WT0:0 WT0:1 WT1:0 WT0:4 WT1:4 WT0:4 IE0:0");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "28 insn 1044 e1a00000 other exec=true\n"
                  "30 end\n");
    v1_end(&c);
}

/* V1-APO-06 */
static void idle_cycle_among_the_offsets_is_damage(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_records(&c, AT_1000 "BE1:40 TD0:01 IE0:00 IE0:00 " AT_1000 "BE1:00 "
                           "IE0:00*2");
    v1_expect(&c, "0 trace_on start\n"
                  "10 lost bad_packet 8\n"
                  "18 trace_on start\n"
                  "0 context arm\n"
                  "28 insn 1000 e12fff1e indirect exec=true return\n"
                  "34 end\n");
    v1_end(&c);
}

/* V1-APO-09, V1-BR-10 */
static void offset_that_contradicts_the_order_is_damage(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x2040, nops, 2, 4);
    /* the address that is passed over changes the base: 0x2000 */
    v1_records(&c, AT_1000 "BE1:80 ID0:40 IE0:00 WT1:40 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "10 lost bad_packet 2\n"
                  "18 insn 2040 e1a00000 other exec=true\n"
                  "20 end\n");
    v1_end(&c);
}

/* V1-SYNC-05, V1-OVF-08 */
static void no_branch_executes_at_an_unknown_base(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x1040, nops, 2, 4);
    /* the second address never comes, and the third is a part */
    v1_records(&c, AT_1000 "BE1:80 ID0:80 IE1:40 IE0:00 BE1:40 IE0:00*2 "
                           "IE0:00 " AT_1000 "IN0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "10 lost bad_packet 4\n"
                  "26 trace_on start\n"
                  "0 context arm\n"
                  "36 insn 1000 e12fff1e indirect exec=false return\n"
                  "38 end\n");
    v1_end(&c);
}

/* V1-APO-03 */
static void offset_15_is_followed_in_order(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 1, 4);
    v1_code(&c, 0x1040, nops, 2, 4);
    v1_records(&c, AT_1000 "BE1:40 WT0:00*2 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "16 insn 1040 e1a00000 other exec=true\n"
                  "18 end\n");
    v1_end(&c);
}

/* V1-SYNC-05, V1-SYNC-06, V1-APO-03, V1-FILT-02, RP-3 */
static void trace_begins_at_a_full_address(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, nops, 8, 4);
    v1_records(&c, "IE0:00 WT0:55 BE1:40 IE0:00*2 " /* a short address */
                   "BE1:80 WT0:a0 WT0:80 WT0:80 WT0:10 IE0:00 " /* no offset */
                   "BE0:80 ID0:00 IE0:00 WT1:40 WT1:80 WT0:a0 WT0:80 WT0:80 "
                   "WT0:00 IE0:00");
    v1_expect(&c, "0 lost unsynchronized 22\n"
                  "22 trace_on start\n"
                  "22 context arm\n"
                  "40 insn 1000 e1a00000 other exec=true\n"
                  "42 end\n");
    v1_end(&c);
}

/* V1-SYNC-05, V1-BR-03 */
static void short_address_is_enough_after_a_full_one(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, nops, 8, 4);
    /* of the first branch there is the address alone */
    v1_records(&c, "WT0:11 WT1:80 WT0:a0 WT0:80 WT0:80 WT0:00 IE0:00 "
                   "BE1:04 IE0:00*2 IE0:00");
    v1_expect(&c, "0 lost unsynchronized 14\n"
                  "14 trace_on start\n"
                  "14 context arm\n"
                  "20 insn 1004 e1a00000 other exec=true\n"
                  "22 end\n");
    v1_end(&c);
}

/* V1-PIPE-14, BRX-16, V1-PIPE-04 */
static void failed_condition_goes_on_after_it(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, branches + 1, 1, 4);
    v1_code(&c, 0x1004, nops, 1, 4);
    v1_records(&c, AT_1000 "IN0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 0a000010 direct exec=false conditional\n"
                  "12 insn 1004 e1a00000 other exec=true\n"
                  "14 end\n");
    v1_end(&c);
}

/* CFG-12, BRX-07, BRX-19 */
static void halves_of_a_thumb_call_are_two_statuses(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x2000, calls, 3, 2);
    v1_records(&c, "BE1:81 IE0:c0 IE0:80 WT0:80 WT0:10 IE0:00 IE0:00 IE0:00 "
                   "IE0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context thumb\n"
                  "12 insn 2000 thumb f000f800 direct exec=true link\n"
                  "14 insn 2004 thumb 46c0 other exec=true\n"
                  "16 no_image 2006\n"
                  "20 end\n");
    v1_end(&c);
}

/* CFG-12, BRX-10, BRX-19 */
static void exception_between_the_halves_of_a_thumb_call(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x2000, calls, 3, 2);
    v1_code(&c, 0, returns, 1, 4);
    v1_code(&c, 0x18, returns, 1, 4);
    v1_records(&c, "BE1:81 IE0:c0 IE0:80 WT0:80 WT0:10 "
                   "IE0:00 BE1:98 IE0:00 IE0:00 "
                   "BE1:83 IE0:40 IE0:00 IE0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context thumb\n"
                  "12 exception irq number=6 return=2002 cancels=2000\n"
                  "12 context arm\n"
                  "18 insn 18 e12fff1e indirect exec=true return\n"
                  "18 context thumb\n"
                  "24 insn 2000 thumb f000f800 direct exec=true link\n"
                  "26 insn 2004 thumb 46c0 other exec=true\n"
                  "28 end\n");
    v1_end(&c);
}

/* V1-PKT-04, V1-P16-01, V1-P16-02, V1-P16-03 */
static void sixteen_pins_have_two_packets_in_a_wait_cycle(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.port_width = 16;
    c.config.data_value = true;
    v1_code(&c, 0x1000, example, 5, 4);
    v1_code(&c, 0x1014, returns, 1, 4);
    v1_records(&c, "BE1:a080 IE0:8080 IE0:7710 IE0:7777 "
                   /* a byte alone, in the cycle of its status */
                   "ID0:7711 "
                   /* the upper half is the first of the next, which waits */
                   "ID0:2211 ID0:2211 WT0:4433 IE0:7777 "
                   /* an address begins in the lower half */
                   "BE1:7700 IE0:7777*2 IE0:7777");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 context arm\n"
        "9 insn 1000 e3a02802 other exec=true\n"
        "12 insn 1004 e5d20000 other exec=true\n"
        "12 data insn=1004 value=11 size=1 store=false index=0 ok r0\n"
        "15 insn 1008 e1d200b0 other exec=true\n"
        "15 data insn=1008 value=2211 size=2 store=false index=0 ok r0\n"
        "18 insn 100c e5920000 other exec=true\n"
        "18 data insn=100c value=44332211 size=4 store=false index=0 ok r0\n"
        "24 insn 1010 e1a00000 other exec=true\n"
        "27 insn 1014 e12fff1e indirect exec=true return\n"
        "36 insn 1000 e3a02802 other exec=true\n"
        "39 end\n");
    v1_end(&c);
}

/* V1-P16-02, V1-P16-03, V1-PKT-04, E-188 */
static void sixteen_pins_and_an_odd_byte_before_an_address(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.port_width = 16;
    c.config.data_value = true;
    v1_code(&c, 0x1000, odd, 3, 4);
    v1_records(&c, "BE1:a080 IE0:8080 IE0:7710 ID0:7711 BE0:7777 IE0:7777*2 "
                   "WT1:7700 ID0:7722");
    v1_expect(&c,
              "0 trace_on start\n"
              "0 context arm\n"
              "9 insn 1000 e5d20000 other exec=true\n"
              "9 data insn=1000 value=11 size=1 store=false index=0 ok r0\n"
              "12 insn 1004 eafffffd direct exec=true\n"
              "12 lost bad_packet 3\n"
              "24 insn 1000 e5d20000 other exec=true\n"
              "24 data insn=1000 value=77 size=1 store=false index=0 ok r0\n"
              "27 end\n");
    v1_end(&c);
}

/* V1-PKT-06 */
static void half_a_packet_before_an_address_is_damage(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.port_width = 4;
    c.config.data_value = true;
    v1_code(&c, 0x1000, odd, 3, 4);
    v1_records(&c, "BE1:0 IE0:8 IE0:0 WT0:a WT0:0 WT0:8 WT0:0 WT0:8 WT0:0 "
                   "WT0:1 ID0:1 BE1:0 IE0:0*2 ID0:2 WT0:2");
    v1_expect(&c,
              "0 trace_on start\n"
              "0 context arm\n"
              "20 insn 1000 e5d20000 other exec=true\n"
              "22 insn 1004 eafffffd direct exec=true\n"
              "22 lost bad_packet 2\n"
              "28 insn 1000 e5d20000 other exec=true\n"
              "28 data insn=1000 value=22 size=1 store=false index=0 ok r0\n"
              "32 end\n");
    v1_end(&c);
}

/* V1-RULE-07, V1-APO-09 */
static void packets_that_belong_to_nothing_are_damage(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, odd, 3, 4);
    v1_records(&c, AT_1000 "WT0:11 ID0:22 WT0:33 BE1:00 IE0:00*2 "
                           "WT0:44 ID0:00");
    v1_expect(&c,
              "0 trace_on start\n"
              "0 context arm\n"
              "12 insn 1000 e5d20000 other exec=true\n"
              "12 data insn=1000 value=11 size=1 store=false index=0 ok r0\n"
              "16 insn 1004 eafffffd direct exec=true\n"
              "16 lost bad_packet 2\n"
              "24 insn 1000 e5d20000 other exec=true\n"
              "24 data insn=1000 value=44 size=1 store=false index=0 ok r0\n"
              "26 end\n");
    v1_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_5_1),
        cmocka_unit_test(example_5_1_without_the_cycles_that_may_be_dropped),
        cmocka_unit_test(trigger_stands_for_a_status_and_stops_the_fifo),
        cmocka_unit_test(trigger_in_an_offset_cycle_has_the_offset_on_the_pins),
        cmocka_unit_test(offset_counts_the_addresses_that_come_first),
        cmocka_unit_test(branch_in_an_offset_cycle_abandons_the_one_before),
        cmocka_unit_test(branch_in_the_second_offset_cycle_abandons_too),
        cmocka_unit_test(address_of_an_abandoned_branch_counts_in_the_offset),
        cmocka_unit_test(idle_cycle_among_the_offsets_is_damage),
        cmocka_unit_test(offset_that_contradicts_the_order_is_damage),
        cmocka_unit_test(no_branch_executes_at_an_unknown_base),
        cmocka_unit_test(offset_15_is_followed_in_order),
        cmocka_unit_test(trace_begins_at_a_full_address),
        cmocka_unit_test(short_address_is_enough_after_a_full_one),
        cmocka_unit_test(failed_condition_goes_on_after_it),
        cmocka_unit_test(halves_of_a_thumb_call_are_two_statuses),
        cmocka_unit_test(exception_between_the_halves_of_a_thumb_call),
        cmocka_unit_test(sixteen_pins_have_two_packets_in_a_wait_cycle),
        cmocka_unit_test(sixteen_pins_and_an_odd_byte_before_an_address),
        cmocka_unit_test(half_a_packet_before_an_address_is_damage),
        cmocka_unit_test(packets_that_belong_to_nothing_are_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
