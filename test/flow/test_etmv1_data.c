/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv1: data transfers
 * (ETM architecture, chapters 4 and 5). */
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
static const uint32_t loads[] = {0xe5920000, 0xe5920000, 0xe5920000,
                                 0xe5920000, 0xe5920000, 0xe5920000,
                                 0xe5920000, 0xe5920000}; /* ldr r0, [r2] */
static const uint32_t pc_loads[] = {
    0xe8bd8001, /* ldm sp!, {r0, pc} */
    0xe59ff000, /* ldr pc, [pc] */
};
static const uint32_t multiples[] = {
    0xe8920003, /* ldm r2, {r0, r1} */
    0xe1020091, /* swp r0, r1, [r2] */
    0xe1420091, /* swpb r0, r1, [r2] */
    0xee110f10, /* mrc p15, 0, r0, c1, c0, 0 */
    0xe1a00000, /* nop */
};
static const uint32_t coprocessor[] = {
    0xed921500, /* ldc p5, c1, [r2] */
    0xe1a00000, /* nop */
    0xe5920000, /* ldr r0, [r2] */
    0xe12fff1e, /* bx lr */
};
static const uint32_t calls[] = {0xf000, 0xf800, 0x46c0}; /* bl .+4; nop */

/* BRX-11, V1-ABT-01, V1-ABT-02, V1-PIPE-12, V1-DATA-02, DAT-01 */
static void data_abort_executes_and_its_data_are_ignored(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, example, 6, 4);
    v1_code(&c, 0, nops, 8, 4);
    v1_records(&c, AT_1000 "IE0:00 BD0:77 IE1:90 IE0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e3a02802 other exec=true\n"
                  "12 insn 1004 e5d20000 other exec=true\n"
                  "12 exception data_abort number=4 return=1004 cancels=null\n"
                  "18 insn 10 e1a00000 other exec=true\n"
                  "20 end\n");
    v1_end(&c);
}

/* V1-OVF-01, V1-OVF-02, V1-OVF-03, V1-OVF-08, V1-DADR-04 */
static void overflow_takes_the_data_of_an_instruction(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.data_address = true;
    v1_code(&c, 0x1000, loads, 8, 4);
    v1_records(&c, AT_1000 "ID0:80 WT0:80 WT0:88 WT0:80 WT0:00 WT0:11 WT0:22 "
                           "WT0:33 WT0:44 ID0:04 WT0:55 TD0:00 "
                           "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:20 "
                           /* no full data address since */
                           "ID0:08 WT0:01 WT0:02 WT0:03 WT0:04");
    v1_expect(
        &c, "0 trace_on start\n"
            "0 context arm\n"
            "10 insn 1000 e5920000 other exec=true\n"
            "10 data insn=1000 addr=20000 value=44332211 size=4 store=false "
            "index=0 ok r0\n"
            "28 insn 1004 e5920000 other exec=true\n"
            "28 data insn=1004 addr=20004 value=null size=4 store=false "
            "index=0 ok r0\n"
            "34 trace_on overflow\n"
            "44 insn 1000 e5920000 other exec=true\n"
            "44 data insn=1000 value=4030201 size=4 store=false index=0 ok r0\n"
            "54 end\n");
    v1_end(&c);
}

/* V1-LSM-01, V1-LSM-02, V1-DATA-03, V1-DADR-01, V1-DADR-02, V1-ASC-03,
 * V1-ASC-04, DAT-02, DAT-12 */
static void load_multiple_and_swap_have_one_address(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.data_address = true;
    v1_code(&c, 0x1000, multiples, 3, 4);
    v1_records(&c, AT_1000
               "WT0:80 WT0:80 WT0:88 WT0:80 WT0:00 WT0:01 WT0:02 WT0:03 "
               "WT0:04 ID0:11 WT0:12 WT0:13 WT0:14 "
               "ID0:04 WT0:aa WT0:bb WT0:cc WT0:dd WT0:01 WT0:00 WT0:00 WT0:00 "
               "ID0:20 WT0:aa WT0:bb");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 context arm\n"
        "28 insn 1000 e8920003 other exec=true\n"
        "28 data insn=1000 addr=20000 value=4030201 size=4 store=false index=0 "
        "ok r0\n"
        "28 data insn=1000 addr=20004 value=14131211 size=4 store=false "
        "index=1 ok r1\n"
        "36 insn 1004 e1020091 other exec=true\n"
        "36 data insn=1004 addr=20004 value=ddccbbaa size=4 store=false "
        "index=0 ok r0\n"
        "36 data insn=1004 addr=20004 value=1 size=4 store=true index=1 ok r1\n"
        "54 insn 1008 e1420091 other exec=true\n"
        "54 data insn=1008 addr=20020 value=aa size=1 store=false index=0 ok "
        "r0\n"
        "54 data insn=1008 addr=20020 value=bb size=1 store=true index=1 ok "
        "r1\n"
        "60 end\n");
    v1_end(&c);
}

/* DAT-02, V1-ASC-03, V1-DATA-06, E-181, E-185 */
static void address_only_gives_the_addresses(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_address = true;
    c.config.cprt = true;
    v1_code(&c, 0x1000, multiples, 4, 4);
    /* a coprocessor transfer has nothing to trace then */
    v1_records(&c, AT_1000 "ID0:80 WT0:80 WT0:88 WT0:80 WT0:00 ID0:04 ID0:20 "
                           "ID0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e8920003 other exec=true\n"
                  "10 data insn=1000 addr=20000 value=null size=4 store=false "
                  "index=0 ok r0\n"
                  "10 data insn=1000 addr=20004 value=null size=4 store=false "
                  "index=1 ok r1\n"
                  "20 insn 1004 e1020091 other exec=true\n"
                  "20 data insn=1004 addr=20004 value=null size=4 store=false "
                  "index=0 ok r0\n"
                  "20 data insn=1004 addr=20004 value=null size=4 store=true "
                  "index=1 ok r1\n"
                  "22 insn 1008 e1420091 other exec=true\n"
                  "22 data insn=1008 addr=20020 value=null size=1 store=false "
                  "index=0 ok r0\n"
                  "22 data insn=1008 addr=20020 value=null size=1 store=true "
                  "index=1 ok r1\n"
                  "24 insn 100c ee110f10 other exec=true\n"
                  "26 no_image 1010\n"
                  "28 end\n");
    v1_end(&c);
}

/* COP-04, COP-05, V1-DATA-06; E-356: no memory has them, in whose order they
 * could be */
static void coprocessor_transfers_have_values_only(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.data_address = true;
    c.config.cprt = true;
    v1_code(&c, 0x1000, multiples + 3, 2, 4);
    v1_records(&c, AT_1000 "ID0:01 WT0:02 WT0:03 WT0:04 IE0:00");
    for (unsigned i = 0; i < 3; i++) {
        static const enum etm_endian orders[] = {
            ETM_ENDIAN_LITTLE, ETM_ENDIAN_BE8, ETM_ENDIAN_BE32};

        c.config.endian = orders[i];
        v1_expect(&c, "0 trace_on start\n"
                      "0 context arm\n"
                      "10 insn 1000 ee110f10 other exec=true\n"
                      "10 data insn=1000 value=4030201 size=4 store=false "
                      "index=0 ok r0\n"
                      "18 insn 1004 e1a00000 other exec=true\n"
                      "20 end\n");
    }
    v1_end(&c);
}

/* DAT-06, DAT-08, DAT-09, CFG-15 */
static void words_of_big_endian_memory_are_turned_into_registers(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.endian = ETM_ENDIAN_BE8;
    v1_code(&c, 0x1000, example, 6, 4);
    v1_records(&c, AT_1000 "IE0:00 ID0:11 ID0:11 WT0:22 ID0:11 WT0:22 WT0:33 "
                           "WT0:44");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 context arm\n"
        "10 insn 1000 e3a02802 other exec=true\n"
        "12 insn 1004 e5d20000 other exec=true\n"
        "12 data insn=1004 value=11 size=1 store=false index=0 ok r0\n"
        "14 insn 1008 e1d200b0 other exec=true\n"
        "14 data insn=1008 value=1122 size=2 store=false index=0 ok r0\n"
        "18 insn 100c e5920000 other exec=true\n"
        "18 data insn=100c value=11223344 size=4 store=false index=0 ok r0\n"
        "26 end\n");
    v1_end(&c);
}

/* DAT-11, V1-DADR-05 */
static void unaligned_load_is_rotated_if_its_address_is_known(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.data_address = true;
    v1_code(&c, 0x1000, loads, 8, 4);
    v1_records(&c, AT_1000 "ID0:81 WT0:80 WT0:88 WT0:80 WT0:00 WT0:11 WT0:22 "
                           "WT0:33 WT0:44");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e5920000 other exec=true\n"
                  "10 data insn=1000 addr=20001 value=11443322 size=4 "
                  "store=false index=0 ok r0\n"
                  "28 end\n");
    v1_end(&c);
}

/* DAT-11, 4.9.1: the low bits of an address are known where the rest is not. */
static void unaligned_load_is_rotated_by_what_is_known(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_address = true;
    c.config.data_value = true;
    v1_code(&c, 0x1000, coprocessor + 3, 1, 4); /* bx lr */
    v1_code(&c, 0x1004, loads, 1, 4);
    v1_records(&c, AT_1000 "BE1:04 IE0:00*2 ID0:01 WT0:44 WT0:11 WT0:22 "
                           "WT0:33");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 context arm\n"
        "10 insn 1000 e12fff1e indirect exec=true return\n"
        "16 insn 1004 e5920000 other exec=true\n"
        "16 data insn=1004 value=44332211 size=4 store=false index=0 ok r0\n"
        "26 end\n");
    v1_end(&c);
}

/* V1-PIPE-12, V1-ASC-06, V1-DATA-02, V1-DATA-05, V1-ASC-02 */
static void load_of_the_pc_is_a_branch_with_data(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, pc_loads, 2, 4);
    v1_code(&c, 0x1040, pc_loads + 1, 1, 4);
    v1_code(&c, 0x1080, nops, 1, 4);
    v1_records(&c, AT_1000
               "BD0:aa IE0:bb IE0:cc WT0:dd WT0:40 WT0:10 WT0:00 WT0:00 "
               "WT1:40 "
               "BE1:80 IE0:21 IE0:00 " /* its data are filtered out */
               "IE0:00");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 context arm\n"
        "10 insn 1000 e8bd8001 indirect exec=true return\n"
        "10 data insn=1000 value=ddccbbaa size=4 store=false index=0 ok r0\n"
        "10 data insn=1000 value=1040 size=4 store=false index=1 ok r15\n"
        "28 insn 1040 e59ff000 indirect exec=true\n"
        "34 insn 1080 e1a00000 other exec=true\n"
        "36 end\n");
    v1_end(&c);
}

/* V1-DATA-08 */
static void instruction_that_moves_nothing_has_no_data(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, nops, 8, 4);
    v1_records(&c, AT_1000 "ID0:00 WT0:11 IE0:00 IE0:00 "
                           "BE1:80 IE0:20 IE0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 lost image_mismatch 2\n"
                  "24 insn 1000 e1a00000 other exec=true\n"
                  "26 end\n");
    v1_end(&c);
}

/* COP-02, COP-03, CFG-16, V1-RULE-10 */
static void transfers_of_unknown_number_lose_the_data_only(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, coprocessor, 4, 4);
    v1_code(&c, 0x1040, loads, 1, 4);
    v1_records(&c, AT_1000 "ID0:01 WT0:02 WT0:03 WT0:04 IE0:00 ID0:09 WT0:00 "
                           "BE1:40 IE0:00*2 ID0:05 WT0:00*3");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 ed921500 other exec=true\n"
                  "18 insn 1004 e1a00000 other exec=true\n"
                  "20 insn 1008 e5920000 other exec=true\n"
                  "24 insn 100c e12fff1e indirect exec=true return\n"
                  "10 lost unsynchronized 8\n"
                  "30 insn 1040 e5920000 other exec=true\n"
                  "30 data insn=1040 value=5 size=4 store=false index=0 ok r0\n"
                  "38 end\n");
    v1_end(&c);
}

/* COP-02, COP-03, CFG-16: the table says how many, for both forms; VFP needs
 * none */
static void
transfers_of_coprocessors_have_the_words_that_are_configured(void **state)
{
    static const uint32_t code[] = {
        0xed921500, /* ldc p5, c1, [r2] */
        0xedc21500, /* stcl p5, c1, [r2] */
        0xedd20a00, /* flds s1, [r2] */
        0xed920b00, /* fldd d0, [r2] */
        0xecb20a03, /* fldmias r2!, {s0-s2} */
        0xe1a00000, /* nop */
    };
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    c.config.coprocessor_words[5][0] = 1;
    c.config.coprocessor_words[5][1] = 2;
    v1_code(&c, 0x1000, code, 6, 4);
    v1_records(&c, AT_1000
               "ID0:01 WT0:00*3 ID0:02 WT0:00*3 WT0:03 WT0:00*3 "
               "ID0:04 WT0:00*3 ID0:05 WT0:00*3 WT0:06 WT0:00*3 "
               "ID0:07 WT0:00*3 WT0:08 WT0:00*3 WT0:09 WT0:00*3 IE0:00");
    v1_expect(
        &c, "0 trace_on start\n"
            "0 context arm\n"
            "10 insn 1000 ed921500 other exec=true\n"
            "10 data insn=1000 value=1 size=4 store=false index=0 ok\n"
            "18 insn 1004 edc21500 other exec=true\n"
            "18 data insn=1004 value=2 size=4 store=true index=0 ok\n"
            "18 data insn=1004 value=3 size=4 store=true index=1 ok\n"
            "34 insn 1008 edd20a00 other exec=true\n"
            "34 data insn=1008 value=4 size=4 store=false index=0 ok s1\n"
            "42 insn 100c ed920b00 other exec=true\n"
            "42 data insn=100c value=5 size=4 store=false index=0 ok d0.low\n"
            "42 data insn=100c value=6 size=4 store=false index=1 ok d0.high\n"
            "58 insn 1010 ecb20a03 other exec=true\n"
            "58 data insn=1010 value=7 size=4 store=false index=0 ok s0\n"
            "58 data insn=1010 value=8 size=4 store=false index=1 ok s1\n"
            "58 data insn=1010 value=9 size=4 store=false index=2 ok s2\n"
            "82 insn 1014 e1a00000 other exec=true\n"
            "84 end\n");
    v1_end(&c);
}

/* COP-03, CFG-16, V1-ABT-01 */
static void unknown_number_of_transfers_ends_at_an_address(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, coprocessor, 4, 4);
    v1_code(&c, 0, loads, 8, 4);
    v1_records(&c, AT_1000 "BD0:01 IE0:02 IE0:03 WT0:04 WT1:90 WT0:00 ID0:01 "
                           "WT0:00*3");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 ed921500 other exec=true\n"
                  "10 exception data_abort number=4 return=1000 cancels=null\n"
                  "22 insn 10 e5920000 other exec=true\n"
                  "22 data insn=10 value=1 size=4 store=false index=0 ok r0\n"
                  "30 end\n");
    v1_end(&c);
}

/* V1-OVF-03 */
static void capture_that_ends_in_data_is_cut_off(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, loads, 2, 4);
    v1_records(&c, AT_1000 "ID0:11 WT0:22");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e5920000 other exec=true\n"
                  "10 lost truncated 2\n"
                  "14 end\n");
    v1_end(&c);
}

/* E-398: wait cycles with packets that were used are not lost. */
static void what_a_cut_off_drain_has_is_not_lost(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, loads, 2, 4);
    v1_records(&c, AT_1000 "ID0:11 ID0:12 WT0:13 WT0:14 WT0:21 WT0:22");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e5920000 other exec=true\n"
                  "10 data insn=1000 value=14131211 size=4 store=false "
                  "index=0 ok r0\n"
                  "12 insn 1004 e5920000 other exec=true\n"
                  "12 lost truncated 4\n"
                  "22 end\n");
    /* and none of the address of a branch */
    c.n = 0;
    v1_records(&c, AT_1000 "ID0:11 ID0:12 BE0:13 IE0:14 IE0:21 WT0:22 WT0:23 "
                           "WT0:24 WT0:30");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e5920000 other exec=true\n"
                  "10 data insn=1000 value=14131211 size=4 store=false "
                  "index=0 ok r0\n"
                  "12 insn 1004 e5920000 other exec=true\n"
                  "12 data insn=1004 value=24232221 size=4 store=false "
                  "index=0 ok r0\n"
                  "14 lost truncated 8\n"
                  "28 end\n");
    v1_end(&c);
}

static void every_allocation_may_fail(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x2000, calls, 3, 2);
    v1_code(&c, 0x1000, example, 6, 4);
    v1_records(&c, AT_1000 "IE0:00 ID0:11 ID0:11 WT0:22 BE1:81 IE0:40 IE0:00 "
                           "IE0:00 IE0:00 IE0:00");
    for (size_t n = 0; v1_decode_with(&c, n) != ETM_OK; n++) {
        assert_int_equal(v1_decode_with(&c, n), ETM_ERR_MEMORY);
        assert_true(n < 50);
    }
    v1_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_abort_executes_and_its_data_are_ignored),
        cmocka_unit_test(overflow_takes_the_data_of_an_instruction),
        cmocka_unit_test(load_multiple_and_swap_have_one_address),
        cmocka_unit_test(address_only_gives_the_addresses),
        cmocka_unit_test(coprocessor_transfers_have_values_only),
        cmocka_unit_test(words_of_big_endian_memory_are_turned_into_registers),
        cmocka_unit_test(unaligned_load_is_rotated_if_its_address_is_known),
        cmocka_unit_test(unaligned_load_is_rotated_by_what_is_known),
        cmocka_unit_test(load_of_the_pc_is_a_branch_with_data),
        cmocka_unit_test(instruction_that_moves_nothing_has_no_data),
        cmocka_unit_test(transfers_of_unknown_number_lose_the_data_only),
        cmocka_unit_test(
            transfers_of_coprocessors_have_the_words_that_are_configured),
        cmocka_unit_test(unknown_number_of_transfers_ends_at_an_address),
        cmocka_unit_test(capture_that_ends_in_data_is_cut_off),
        cmocka_unit_test(what_a_cut_off_drain_has_is_not_lost),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
