/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv1: overflows, damage and the end of a capture, and what is not known any
 * more after packets that were not read (ETM architecture 5.5.4, 5.6, 5.7.5).
 */
#include "etmv1_util.h"

static const uint32_t program[] = {
    0xe12fff1e, /* 1000 bx lr */
    0xe5920000, /* 1004 ldr r0, [r2] */
    0xe12fff1e, /* 1008 bx lr */
    0xe1a00000, /* 100c nop */
    0xeafffffc, /* 1010 b 1008 */
};

static const uint32_t nops[] = {0xe1a00000, 0xe1a00000, 0xe1a00000, 0xe1a00000,
                                0xe1a00000, 0xe1a00000, 0xe1a00000, 0xe1a00000};
static const uint32_t returns[] = {0xe12fff1e, 0xe12fff1e}; /* bx lr */

#define DATA_20000 "ID0:80 WT0:80 WT0:88 WT0:80 WT0:00 "

/* V1-DADR-04: code that is not known may have data with addresses. */
static void data_address_after_code_that_is_not_known(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_address = true;
    v1_code(&c, 0x1000, program, 5, 4);
    v1_records(&c, AT_1000 "BE1:04 IE0:00*2 " DATA_20000 "BE1:80 IE0:01 IE0:00 "
                           "ID0:84 WT0:02 BE1:84 IE0:20 IE0:00 " /* from 0x80 */
                           "ID0:08");
    v1_expect(&c,
              "0 trace_on start\n"
              "0 context arm\n"
              "10 insn 1000 e12fff1e indirect exec=true return\n"
              "16 insn 1004 e5920000 other exec=true\n"
              "16 data insn=1004 addr=20000 value=null size=4 store=false "
              "index=0 ok r0\n"
              "26 insn 1008 e12fff1e indirect exec=true return\n"
              "32 no_image 80\n"
              "42 insn 1004 e5920000 other exec=true\n"
              "42 data insn=1004 value=null size=4 store=false index=0 ok r0\n"
              "44 end\n");
    v1_end(&c);
}

/* A load of the PC in code that is not known: how many packets it has is not
 * known either, but nothing is damaged. */
static void load_of_the_pc_in_code_that_is_not_known(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_address = true;
    c.config.data_value = true;
    v1_code(&c, 0x1000, program, 5, 4);
    v1_records(&c, AT_1000 "BE1:80 IE0:01 IE0:00 IE0:00 "
                           "BD0:84 IE0:04 IE0:11 WT0:22 WT0:33 WT0:44 "
                           "WT1:8c WT0:20 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "16 no_image 80\n"
                  "34 insn 100c e1a00000 other exec=true\n"
                  "36 end\n");
    v1_end(&c);
}

/* E-303, 5.6.3, 4.7: a full address of reason 0, with which the trace goes on,
 * tells no context ID; the one from before may be another's. */
static void context_id_after_lost_bytes(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 1;
    v1_code(&c, 0x1000, program, 5, 4);
    v1_records(&c, AT_1000 "WT0:34 "
                           "BE1:88 IE0:a0 IE0:80 WT0:80 WT0:00 "
                           "BE1:8c IE0:a0 IE0:80 WT0:80 WT0:00 IE0:00 "
                           "BE1:88 IE0:a0 IE0:80 WT0:80 WT0:40 WT0:35 IN0:00");
    v1_expect_gap(&c, 12,
                  "0 trace_on start\n"
                  "12 lost bad_frame 16\n"
                  "12 trace_on start\n"
                  "0 context arm\n"
                  "22 insn 1008 e12fff1e indirect exec=true return\n"
                  "32 insn 100c e1a00000 other exec=true\n"
                  "34 insn 1010 eafffffc direct exec=true\n"
                  "34 context arm context_id=35\n"
                  "46 insn 1008 e12fff1e indirect exec=false return\n"
                  "48 end\n");
    v1_end(&c);
}

/* E-303: a branch whose address is not there may have given another one. */
static void context_id_after_an_address_that_is_not_there(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 1;
    v1_code(&c, 0x1000, program, 5, 4);
    v1_records(&c, AT_1000 "WT0:34 "
                           "BE1:88 IE0:a0 IE0:80 WT1:80 WT0:40 WT0:35 "
                           "BE1:8c IE0:a0 IE0:80 WT0:80 WT0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "24 lost bad_packet 2\n"
                  "0 context arm\n"
                  "34 insn 100c e1a00000 other exec=true\n"
                  "36 end\n");
    v1_end(&c);
}

/* E-301: the address of an abandoned branch is nobody's, its context ID is. */
static void context_id_of_an_abandoned_branch(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 1;
    v1_code(&c, 0x1000, program, 5, 4);
    v1_records(&c, AT_1000 "WT0:34 "
                           "BE1:88 BE0:a0 IE0:80 IE0:80 WT0:40 WT0:35 "
                           "WT1:0c IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm context_id=35\n"
                  "14 insn 1000 e12fff1e indirect exec=true return\n"
                  "26 insn 100c e1a00000 other exec=true\n"
                  "28 end\n");
    v1_end(&c);
}

/* The data of an abandoned load of the PC had an address. */
static void data_address_of_an_abandoned_branch(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_address = true;
    v1_code(&c, 0x1000, program, 2, 4);
    v1_code(&c, 0x1008, (const uint32_t[]){0xe592f000}, 1, 4); /* ldr pc */
    v1_records(&c, AT_1000 "BE1:04 IE0:00*2 " DATA_20000
                           "BD0:84 BE0:00 ID1:0c IE1:04 "
                           "ID0:08");
    v1_expect(&c,
              "0 trace_on start\n"
              "0 context arm\n"
              "10 insn 1000 e12fff1e indirect exec=true return\n"
              "16 insn 1004 e5920000 other exec=true\n"
              "16 data insn=1004 addr=20000 value=null size=4 store=false "
              "index=0 ok r0\n"
              "28 insn 1008 e592f000 indirect exec=true\n"
              "34 insn 1004 e5920000 other exec=true\n"
              "34 data insn=1004 value=null size=4 store=false index=0 ok r0\n"
              "36 end\n");
    v1_end(&c);
}

/* E-174: packets that are not where they must be may have been of any kind. */
static void misplaced_packets_leave_nothing_known(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_address = true;
    c.config.context_id_bytes = 1;
    v1_code(&c, 0x1000, program, 5, 4);
    v1_records(&c, AT_1000 "WT0:34 "
                           "BE1:04 IE0:00*2 " DATA_20000
                           "WT0:11 BE1:04 IE0:00*2 ID0:08");
    v1_expect(&c,
              "0 trace_on start\n"
              "0 context arm context_id=34\n"
              "12 insn 1000 e12fff1e indirect exec=true return\n"
              "18 insn 1004 e5920000 other exec=true\n"
              "18 data insn=1004 addr=20000 value=null size=4 store=false "
              "index=0 ok r0\n"
              "30 context arm\n"
              "30 insn 1008 e12fff1e indirect exec=true return\n"
              "30 lost bad_packet 2\n"
              "36 insn 1004 e5920000 other exec=true\n"
              "36 data insn=1004 value=null size=4 store=false index=0 ok r0\n"
              "38 end\n");
    v1_end(&c);
}

/* E-302: the offset of the first branch is too large, and addresses are read
 * for it; those of the next branches are relative to the one before, not to the
 * last that was read. */
static void addresses_are_not_relative_to_later_ones(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, program, 5, 4);
    v1_code(&c, 0x2000, program, 5, 4);
    v1_records(&c, "BE1:04 WT0:00 IE0:00 " /* the fourth from here on */
                   "BE1:08 IE0:00*2 "
                   "BE1:88 IE0:c0 IE0:80 WT0:80 WT0:00 "
                   "BE1:88 IE0:20 IE0:00 IN0:00");
    v1_expect(&c, "0 lost unsynchronized 12\n"
                  "12 trace_on start\n"
                  "12 context arm\n"
                  "22 insn 2008 e12fff1e indirect exec=true return\n"
                  "28 insn 1008 e12fff1e indirect exec=false return\n"
                  "30 end\n");
    v1_end(&c);
}

/* E-302, 5.5.4, 5.5.5: what looks like a full address, and is none. */
static void address_that_no_macrocell_makes(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, program, 5, 4);
    v1_records(&c, "BE1:88 IE0:a0 IE0:80 WT0:80 WT0:80 IE0:00 "
                   "BE1:0c IE0:00*2 IE0:00 "
                   "WT1:88 WT0:a0 WT0:80 WT0:80 WT0:60 "
                   "BE1:0c IE0:00*2 IE0:00 " AT_1000 "IN0:00");
    v1_expect(&c, "0 lost unsynchronized 38\n"
                  "38 trace_on start\n"
                  "38 context arm\n"
                  "48 insn 1000 e12fff1e indirect exec=false return\n"
                  "50 end\n");
    v1_end(&c);
}

/* V1-OVF-03, V1-P16-05 */
static void overflow_takes_the_address_of_a_branch(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 2, 4);
    c.config.cycle_accurate = true;
    v1_records(&c, AT_1000 "BE0:00 IE0:00*2 IE0:00 TD0:00 "
                           "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:20 IN0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 cycles null\n"
                  "20 cycles 8\n"
                  "20 trace_on overflow\n"
                  "20 cycles null\n"
                  "0 context arm\n"
                  "30 insn 1000 e12fff1e indirect exec=false return cycles=5\n"
                  "32 end\n");
    v1_end(&c);
}

/* V1-OVF-04 */
static void restart_after_an_overflow_is_speculative(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, nops, 8, 4);
    v1_records(&c, AT_1000
               "IE0:00 "
               "BE1:88 IE0:a0 IE0:80 WT0:80 WT0:20 "
               "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:20 IE0:00 "
               "BE1:88 BE0:a0 IE0:80 IE0:80 WT0:20 WT1:80 WT0:a0 WT0:80 "
               "WT0:80 WT0:20 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e1a00000 other exec=true\n"
                  "22 trace_on overflow\n"
                  "32 insn 1000 e1a00000 other exec=true\n"
                  "36 trace_on overflow\n"
                  "54 insn 1000 e1a00000 other exec=true\n"
                  "56 end\n");
    v1_end(&c);
}

/* V1-APO-01 */
static void capture_that_ends_in_a_branch_is_cut_off(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_records(&c, AT_1000 "IN0:00 BE1:80 IE0:20");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=false return\n"
                  "12 lost truncated 4\n"
                  "16 end\n");
    v1_end(&c);
}

/* V1-SYNC-05 */
static void gap_in_the_capture_ends_the_synchronization(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, nops, 8, 4);
    v1_records(&c, AT_1000 "IE0:00 IE0:00 WT0:00 " AT_1000 "IE0:00");
    v1_expect_gap(&c, 12,
                  "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e1a00000 other exec=true\n"
                  "12 lost bad_frame 20\n"
                  "16 trace_on start\n"
                  "26 insn 1000 e1a00000 other exec=true\n"
                  "28 end\n");
    v1_end(&c);
}

/* A status whose packets the damage after it hides; the same at any split. */
static void damage_ends_what_waits_for_it(void **state)
{
    static const uint8_t bytes[] = {0x84, 0x80, 0x00, 0x80, 0x00, 0x82, 0x03,
                                    0x80, 0x03, 0x10, 0x01, 0xa8, 0x00, 0x20,
                                    0x84, 0xf3, 0x07, 0x25, 0x07, 0xc4, 0x06,
                                    0x39, 0x84, 0x44, 0x0c, 0x8a, 0x06, 0xe7};
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.minor = 0;
    c.config.cycle_accurate = true;
    v1_code(&c, 0x8000, nops, 6, 4);
    memcpy(c.bytes, bytes, sizeof bytes);
    c.n = sizeof bytes;
    v1_expect(&c, "0 trace_on start\n"
                  "0 cycles null\n"
                  "0 context arm\n"
                  "10 cycles 6\n"
                  "10 lost image_mismatch 4\n"
                  "20 trigger\n"
                  "22 lost unsynchronized 4\n"
                  "26 trigger\n"
                  "28 end\n");
    v1_end(&c);
}

/* E-309: waits that no instruction ends, in records of their own or not, are
 * given before what is lost, and before the end; and so are cycles of code that
 * is not known. Those before the first address are nobody's. */
static void cycles_after_the_last_instruction(void **state)
{
    struct v1_case c;
    size_t gap;

    (void)state;
    v1_begin(&c);
    c.config.cycle_accurate = true;
    v1_code(&c, 0x1000, nops, 2, 4);
    v1_records(&c, "TD0:01*9 WT0:00 " AT_1000 "IE0:00 TD0:01*3 WT0:00 TD0:01 ");
    gap = c.n;
    v1_records(&c, "TD0:01*9 " AT_1000 "IE0:00*6 TD0:01*2 ");
    v1_records(&c, "WT0:00*2 TD0:01 TD0:00 TD0:01");
    v1_expect_gap(&c, gap,
                  "18 lost unsynchronized 20\n"
                  "20 trace_on start\n"
                  "20 cycles null\n"
                  "20 context arm\n"
                  "30 insn 1000 e1a00000 other exec=true cycles=5\n"
                  "42 cycles 5\n"
                  "42 lost bad_frame 16\n"
                  "60 trace_on start\n"
                  "60 cycles null\n"
                  "70 insn 1000 e1a00000 other exec=true cycles=5\n"
                  "72 insn 1004 e1a00000 other exec=true cycles=1\n"
                  "74 no_image 1008\n"
                  "96 cycles 10\n"
                  "96 end\n");
    v1_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_address_after_code_that_is_not_known),
        cmocka_unit_test(load_of_the_pc_in_code_that_is_not_known),
        cmocka_unit_test(context_id_after_lost_bytes),
        cmocka_unit_test(context_id_after_an_address_that_is_not_there),
        cmocka_unit_test(context_id_of_an_abandoned_branch),
        cmocka_unit_test(data_address_of_an_abandoned_branch),
        cmocka_unit_test(misplaced_packets_leave_nothing_known),
        cmocka_unit_test(addresses_are_not_relative_to_later_ones),
        cmocka_unit_test(address_that_no_macrocell_makes),
        cmocka_unit_test(overflow_takes_the_address_of_a_branch),
        cmocka_unit_test(restart_after_an_overflow_is_speculative),
        cmocka_unit_test(capture_that_ends_in_a_branch_is_cut_off),
        cmocka_unit_test(gap_in_the_capture_ends_the_synchronization),
        cmocka_unit_test(damage_ends_what_waits_for_it),
        cmocka_unit_test(cycles_after_the_last_instruction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
