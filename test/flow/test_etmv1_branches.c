/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv1: branch addresses, exceptions, and what has no code
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
static const uint32_t returns[] = {0xe12fff1e, 0xe12fff1e}; /* bx lr */
static const uint32_t thumb_returns[] = {0x4770, 0x4770};   /* bx lr */
static const uint32_t loads[] = {0xe5920000, 0xe5920000, 0xe5920000,
                                 0xe5920000, 0xe5920000, 0xe5920000,
                                 0xe5920000, 0xe5920000}; /* ldr r0, [r2] */
static const uint32_t branches[] = {
    0xeafffffe, /* b . */
    0x0a000010, /* beq . + 0x48 */
};

/* BRX-08, BRX-10, BRX-12, BRX-14, BRX-17, V1-PIPE-13, V1-PIPE-08 */
static void
interrupt_cancels_the_instruction_that_became_the_branch(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, example, 6, 4);
    v1_code(&c, 0, nops, 8, 4);
    /* 0x18: the low 13 bits of 0x1000 change */
    v1_records(&c, AT_1000 "IE0:00 BE1:98 IE0:00*2 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e3a02802 other exec=true\n"
                  "12 exception irq number=6 return=1004 cancels=1004\n"
                  "18 insn 18 e1a00000 other exec=true\n"
                  "20 end\n");
    v1_end(&c);
}

/* BRX-08, BRX-10, BRX-11, BRX-13, BRX-17 */
static void every_vector_has_its_exception(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, nops, 8, 4);
    v1_code(&c, 0, nops, 8, 4);
    v1_records(&c, AT_1000 "BE1:80 IE0:00*2 IE0:00 " /* reset */
                           "BE1:84 IE0:00*2 IE0:00 " /* undefined */
                           "BE1:08 IE0:00*2 IE0:00 " /* SVC */
                           "BE1:0c IE0:00*2 IE0:00 " /* prefetch abort */
                           "BE1:10 IE0:00*2 IE0:00 " /* data abort */
                           "BE1:18 IE0:00*2 IE0:00 " /* IRQ */
                           "BE1:1c IE0:00*2 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 exception reset number=0 return=null cancels=1000\n"
                  "16 insn 0 e1a00000 other exec=true\n"
                  "18 insn 4 e1a00000 other exec=true\n"
                  "18 exception undefined number=1 return=4 cancels=null\n"
                  "24 insn 4 e1a00000 other exec=true\n"
                  "26 insn 8 e1a00000 other exec=true\n"
                  "26 exception svc number=2 return=c cancels=null\n"
                  "32 insn 8 e1a00000 other exec=true\n"
                  "34 exception prefetch_abort number=3 return=c cancels=c\n"
                  "40 insn c e1a00000 other exec=true\n"
                  "42 insn 10 e1a00000 other exec=true\n"
                  "42 exception data_abort number=4 return=10 cancels=null\n"
                  "48 insn 10 e1a00000 other exec=true\n"
                  "50 exception irq number=6 return=14 cancels=14\n"
                  "56 insn 18 e1a00000 other exec=true\n"
                  "58 exception fiq number=7 return=1c cancels=1c\n"
                  "64 insn 1c e1a00000 other exec=true\n"
                  "66 end\n");
    v1_end(&c);
}

/* E-310, BRX-08, V1-BR-09 */
static void direct_branch_to_a_vector_is_its_exception(void **state)
{
    static const uint32_t loops[] = {
        0xeafffffe, /* 10 b . */
        0xeaffffff, /* 14 b 18 */
        0xeafffffe, /* 18 b . */
    };
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0x10, loops, 3, 4);
    v1_records(&c, AT_1000 "BE1:94 IE0:00*2 IE0:00 " /* bx 14 */
                           "BE1:18 IE0:00*2 IE0:00 " /* b 18 */
                           "BE1:18 IE0:00*2 IE0:00 " /* b 18 */
                           "BE1:10 IE0:00*2 IE0:00 " /* data abort of a b */
                           "BE1:10 IE0:00*2");       /* b 10 */
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "16 insn 14 eaffffff direct exec=true\n"
                  "18 exception irq number=6 return=18 cancels=18\n"
                  "24 insn 18 eafffffe direct exec=true\n"
                  "26 exception irq number=6 return=18 cancels=18\n"
                  "32 insn 18 eafffffe direct exec=true\n"
                  "34 insn 18 eafffffe direct exec=true\n"
                  "34 exception data_abort number=4 return=18 cancels=null\n"
                  "40 insn 10 eafffffe direct exec=true\n"
                  "42 insn 10 eafffffe direct exec=true\n"
                  "42 exception data_abort number=4 return=10 cancels=null\n"
                  "48 end\n");
    v1_end(&c);
}

/* BRX-17 */
static void reserved_vector_is_a_branch(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0, nops, 8, 4);
    v1_records(&c, AT_1000 "BE1:94 IE0:00*2 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "16 insn 14 e1a00000 other exec=true\n"
                  "18 end\n");
    v1_end(&c);
}

/* BRX-08, BRX-18, CFG-14, EX-12 */
static void high_vectors_when_the_core_has_them(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.high_vectors = true;
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0xffff0000, nops, 8, 4);
    v1_code(&c, 0, nops, 8, 4);
    v1_records(&c, AT_1000 "BE1:98 IE0:80 IE0:fc WT0:ff WT0:0f IE0:00 "
                           /* 0x18 is no vector now */
                           "BE1:98 IE0:80 IE0:80 WT0:80 WT0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 exception irq number=6 return=1000 cancels=1000\n"
                  "20 insn ffff0018 e1a00000 other exec=true\n"
                  "22 lost image_mismatch 2\n"
                  "32 insn 18 e1a00000 other exec=true\n"
                  "34 end\n");
    v1_end(&c);
}

/* EX-02, EX-12, V1-BR-01, V1-BR-03, V1-BR-04, V1-BR-05, V1-BR-06, V1-BR-11,
 * V1-ASC-05 */
static void addresses_are_compressed_by_what_changed(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0x12355678, returns, 2, 4);
    v1_code(&c, 0x123d5678, returns, 2, 4);
    v1_code(&c, 0x12345678, thumb_returns, 2, 2);
    v1_code(&c, 0x12345608, returns, 2, 4);
    v1_records(&c,
               AT_1000 "BE1:f8 IE0:ac IE0:d5 WT0:91 WT0:01 "
                       "BE1:f8 IE0:ac IE0:75 "               /* three packets */
                       "BE1:f9 IE0:ac IE0:d1 WT0:91 WT0:01 " /* Thumb */
                       "BE1:0a IE0:00*2 " /* ARM: bit 1 counts for nothing */
                       "IN0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "20 insn 12355678 e12fff1e indirect exec=true return\n"
                  "26 insn 123d5678 e12fff1e indirect exec=true return\n"
                  "26 context thumb\n"
                  "36 insn 12345678 thumb 4770 indirect exec=true return\n"
                  "36 context arm\n"
                  "42 insn 12345608 e12fff1e indirect exec=false return\n"
                  "44 end\n");
    v1_end(&c);
}

/* EX-12, V1-RSN-01, V1-RSN-02, V1-CTX-01, V1-CTX-04, V1-CTX-05, V1-SYNC-04,
 * CFG-05 */
static void full_address_of_a_synchronization_and_its_context_id(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 2;
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0x12345678, thumb_returns, 2, 2);
    v1_records(&c, AT_1000
               "WT0:34 WT0:12 "
               "BE1:f9 IE0:ac IE0:d1 WT0:91 WT0:41 WT0:cd WT0:ab IN0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm context_id=1234\n"
                  "14 insn 1000 e12fff1e indirect exec=true return\n"
                  "14 context thumb context_id=abcd\n"
                  "28 insn 12345678 thumb 4770 indirect exec=false return\n"
                  "30 end\n");
    v1_end(&c);
}

/* V1-CTX-02, V1-RSN-04, CTX-01 */
static void full_address_with_reason_0_has_no_context_id(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 1;
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0x8000, example, 6, 4);
    v1_records(&c, AT_1000 "WT0:34 "
                           "BE1:80 IE0:80 IE0:82 WT0:80 WT0:00 IE0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm context_id=34\n"
                  "12 insn 1000 e12fff1e indirect exec=true return\n"
                  "22 insn 8000 e3a02802 other exec=true\n"
                  "24 insn 8004 e5d20000 other exec=true\n"
                  "26 end\n");
    v1_end(&c);
}

/* CTX-01, V1-RSN-04, VER-02 */
static void context_ids_came_with_v1_2(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.minor = 1;
    v1_code(&c, 0x1000, nops, 2, 4);
    v1_records(&c, AT_1000 "IE0:00 BE1:80 IE0:a0 IE0:80 WT0:80 WT0:40 "
                           "IE0:00 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e1a00000 other exec=true\n"
                  "12 lost bad_packet 10\n"
                  "26 end\n");
    v1_end(&c);
}

/* CTX-06, CTX-07, BRX-13 */
static void context_id_is_unknown_after_a_reset(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.context_id_bytes = 1;
    v1_code(&c, 0x1000, nops, 2, 4);
    v1_code(&c, 0, nops, 8, 4);
    v1_records(&c, AT_1000 "WT0:34 IE0:00 BE1:80 IE0:00*2 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm context_id=34\n"
                  "12 insn 1000 e1a00000 other exec=true\n"
                  "14 exception reset number=0 return=null cancels=1004\n"
                  "14 context arm\n"
                  "20 insn 0 e1a00000 other exec=true\n"
                  "22 end\n");
    v1_end(&c);
}

/* V1-RSN-05 */
static void reserved_reason_code_loses_the_trace(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, nops, 8, 4);
    v1_records(&c, AT_1000 "IE0:00 BE1:80 IE0:a0 IE0:80 WT0:80 WT0:50 "
                           "IE0:00 " AT_1000 "IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e1a00000 other exec=true\n"
                  "12 lost bad_packet 8\n"
                  "24 trace_on start\n"
                  "34 insn 1000 e1a00000 other exec=true\n"
                  "36 end\n");
    v1_end(&c);
}

/* V1-RSN-02, V1-FILT-01, V1-FILT-02, V1-FILT-04, DBG-03, V1-CYC-03, BRX-21 */
static void restart_is_no_instruction(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.cycle_accurate = true;
    v1_code(&c, 0x1000, nops, 8, 4);
    v1_records(&c, AT_1000 "IE0:00 TD0:01 IE0:00 TD0:00*3 "
                           "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:10 IE0:00 "
                           "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:30 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 cycles null\n"
                  "0 context arm\n"
                  "10 insn 1000 e1a00000 other exec=true cycles=5\n"
                  "14 insn 1004 e1a00000 other exec=true cycles=2\n"
                  "22 trace_on start\n"
                  "22 cycles null\n"
                  "32 insn 1000 e1a00000 other exec=true cycles=5\n"
                  "34 trace_on debug_exit\n"
                  "34 cycles null\n"
                  "44 insn 1000 e1a00000 other exec=true cycles=5\n"
                  "46 end\n");
    v1_end(&c);
}

/* V1-PIPE-13, BRX-02 */
static void indirect_branch_without_an_address_is_a_contradiction(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0x1040, nops, 2, 4);
    v1_records(&c, AT_1000 "IE0:00 IE0:00 BE1:40 IE0:00*2 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 lost image_mismatch 2\n"
                  "20 insn 1040 e1a00000 other exec=true\n"
                  "22 end\n");
    v1_end(&c);
}

/* V1-PIPE-11, V1-BR-12, CFG-07, BRX-01, BRX-09 */
static void direct_branch_with_an_address_must_agree(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, branches, 2, 4);
    v1_code(&c, 0x1040, nops, 2, 4);
    v1_code(&c, 0x1044, nops, 2, 4);
    v1_records(&c, AT_1000 "BE1:00 IE0:00*2 IE0:00 BE1:44 IE0:00*2 IE0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 eafffffe direct exec=true\n"
                  "16 insn 1000 eafffffe direct exec=true\n"
                  "18 lost image_mismatch 2\n"
                  "24 insn 1044 e1a00000 other exec=true\n"
                  "26 end\n");
    v1_end(&c);
}

/* V1-DATA-08 */
static void memory_without_code_is_passed_over(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.data_value = true;
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0x1040, loads, 2, 4);
    v1_records(&c, AT_1000 "BE1:80 IE0:40 IE0:00 IE0:00 ID0:77 WT0:66 "
                           "BE1:c0 IE0:20 IE0:00 ID0:01 WT0:00*3");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "16 no_image 2000\n"
                  "28 insn 1040 e5920000 other exec=true\n"
                  "28 data insn=1040 value=1 size=4 store=false index=0 ok r0\n"
                  "36 end\n");
    v1_end(&c);
}

/* E-379: a jump to nowhere, and what it raised there; also with data, of which
 * nobody knows how many */
static void exceptions_where_no_code_is_known(void **state)
{
    static const struct {
        const char *records, *told;
    } cases[] = {
        {"BE1:84 IE0:00 IE0:00",
         "16 no_image 2000\n"
         "16 exception undefined number=1 return=2000 cancels=null\n"},
        {"BE1:88 IE0:00 IE0:00",
         "16 no_image 2000\n"
         "16 exception svc number=2 return=null cancels=null\n"},
        {"BE1:8c IE0:00 IE0:00",
         "16 exception prefetch_abort number=3 return=2000 cancels=2000\n"},
        {"BE1:90 IE0:00 IE0:00",
         "16 no_image 2000\n"
         "16 exception data_abort number=4 return=2000 cancels=null\n"},
        {"BD1:90 IE0:00 IE0:00",
         "16 no_image 2000\n"
         "16 exception data_abort number=4 return=2000 cancels=null\n"},
        {"BD1:98 IE0:00 IE0:00",
         "16 no_image 2000\n"
         "16 exception irq number=6 return=2000 cancels=2000\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct v1_case c;
        char records[128], told[256];

        v1_begin(&c);
        c.config.data_value = true;
        v1_code(&c, 0x1000, returns, 2, 4);
        (void)snprintf(records, sizeof records,
                       AT_1000 "BE1:80 IE0:40 IE0:00 %s", cases[i].records);
        (void)snprintf(told, sizeof told,
                       "0 trace_on start\n"
                       "0 context arm\n"
                       "10 insn 1000 e12fff1e indirect exec=true return\n"
                       "%s22 end\n",
                       cases[i].told);
        v1_records(&c, records);
        v1_expect(&c, told);
        v1_end(&c);
    }
}

/* V1-JAV-01, V1-JAV-02, V1-JAV-07, V1-BR-07, V1-BR-08, EX-12, E-183 */
static void jazelle_is_not_decoded(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.config.minor = 3;
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_code(&c, 0x40000123, nops, 2, 4);
    v1_records(&c, AT_1000 "BE1:a3 IE0:82 IE0:80 WT0:80 WT0:84 IE0:00*3 "
                           "BE1:25 IE0:00*2 IE0:00 "
                           "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:00 IN0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "10 context jazelle\n"
                  "20 no_image 40000123\n"
                  "32 no_image 40000125\n"
                  "34 context arm\n"
                  "44 insn 1000 e12fff1e indirect exec=false return\n"
                  "46 end\n");
    v1_end(&c);
}

/* V1-JAV-01, V1-BR-02 */
static void jazelle_came_with_v1_3(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    v1_code(&c, 0x1000, returns, 2, 4);
    v1_records(&c, AT_1000 "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:80 IN0:00");
    v1_expect(&c, "0 trace_on start\n"
                  "0 context arm\n"
                  "10 insn 1000 e12fff1e indirect exec=true return\n"
                  "20 insn 1000 e12fff1e indirect exec=false return\n"
                  "22 end\n");
    v1_end(&c);
}

/* BRX-14 */
static void ranges_end_at_branches_exceptions_and_data(void **state)
{
    struct v1_case c;

    (void)state;
    v1_begin(&c);
    c.level = ETM_LEVEL_RANGES;
    c.config.data_value = true;
    v1_code(&c, 0x1000, example, 6, 4);
    v1_code(&c, 0, nops, 8, 4);
    v1_records(&c, AT_1000 "IE0:00 IE0:00 IE0:00 ID0:11 WT0:22 WT0:33 WT0:44 "
                           "IE0:00 IE0:00 IE0:00 BE1:98 IE0:00*2 IE0:00");
    v1_expect(
        &c,
        "0 trace_on start\n"
        "0 context arm\n"
        "10 range 1000-1010 n=4 last=100c other exec=true\n"
        "16 data insn=100c value=44332211 size=4 store=false index=0 ok r0\n"
        "24 range 1010-1018 n=2 last=1014 direct exec=true\n"
        "28 range 1000-1004 n=1 last=1000 other exec=true\n"
        "30 exception irq number=6 return=1004 cancels=1004\n"
        "36 range 18-1c n=1 last=18 other exec=true\n"
        "38 end\n");
    v1_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            interrupt_cancels_the_instruction_that_became_the_branch),
        cmocka_unit_test(every_vector_has_its_exception),
        cmocka_unit_test(direct_branch_to_a_vector_is_its_exception),
        cmocka_unit_test(reserved_vector_is_a_branch),
        cmocka_unit_test(high_vectors_when_the_core_has_them),
        cmocka_unit_test(addresses_are_compressed_by_what_changed),
        cmocka_unit_test(full_address_of_a_synchronization_and_its_context_id),
        cmocka_unit_test(full_address_with_reason_0_has_no_context_id),
        cmocka_unit_test(context_ids_came_with_v1_2),
        cmocka_unit_test(context_id_is_unknown_after_a_reset),
        cmocka_unit_test(reserved_reason_code_loses_the_trace),
        cmocka_unit_test(restart_is_no_instruction),
        cmocka_unit_test(indirect_branch_without_an_address_is_a_contradiction),
        cmocka_unit_test(direct_branch_with_an_address_must_agree),
        cmocka_unit_test(memory_without_code_is_passed_over),
        cmocka_unit_test(exceptions_where_no_code_is_known),
        cmocka_unit_test(jazelle_is_not_decoded),
        cmocka_unit_test(jazelle_came_with_v1_3),
        cmocka_unit_test(ranges_end_at_branches_exceptions_and_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
