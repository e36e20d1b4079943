/* SPDX-License-Identifier: Apache-2.0 */
/* Tarmac logs: the dialects, and what is made of them. */
#include "log_util.h"

static struct etm_execution_report report;

static int pass_on(void *context, const struct etm_event *events, size_t n)
{
    return etm_execution_writer_push(context, events, n);
}

static void convert_in(const char *log, size_t piece, const char *cpu,
                       uint64_t period, enum etm_profile profile)
{
    struct etm_execution_writer_config to = {.profile = profile,
                                             .write = take_text};
    struct etm_execution_writer *writer;
    struct etm_execution_reader_config from = {.format = ETM_EXECUTION_TARMAC,
                                               .profile = profile,
                                               .cpu = cpu,
                                               .period = period,
                                               .pc_first = loads_pc_first,
                                               .events = pass_on};
    struct etm_execution_reader *reader;
    size_t n = strlen(log);

    got.length = 0;
    assert_int_equal(etm_execution_writer_new(&writer, &to), ETM_OK);
    from.context = writer;
    assert_int_equal(etm_execution_reader_new(&reader, &from), ETM_OK);
    for (size_t at = 0; at < n; at += piece) {
        size_t now = piece > n - at ? n - at : piece;

        assert_int_equal(etm_execution_reader_push(reader, log + at, now, NULL),
                         ETM_OK);
    }
    assert_int_equal(etm_execution_reader_finish(reader, NULL), ETM_OK);
    etm_execution_reader_report(reader, &report);
    assert_int_equal(etm_execution_writer_finish(writer), ETM_OK);
    etm_execution_reader_free(reader);
    etm_execution_writer_free(writer);
}

/* The Tarmac log as an execution log, however it is cut. */
static void becomes(const char *log, const char *expected)
{
    static const size_t pieces[] = {100000, 1, 7};

    for (size_t i = 0; i < 3; i++) {
        convert_in(log, pieces[i], NULL, 0, ETM_PROFILE_UNKNOWN);
        assert_string_equal(got.text, expected);
    }
}

static void fast_models_write_it_and_is(void **state)
{
    (void)state;
    becomes("0 clk E 00008000 00000001 CoreEvent_RESET\n"
            "0 clk R cpsr 000001d3\n"
            "1 clk IT (1) 00008000 e3a00001 A svc_s : MOV r0,#1\n"
            "1 clk R r0 00000001\n"
            "2 clk IS (2) 00008004 03a00002 A svc_s : MOVEQ r0,#2\n"
            "5 clk IT (3) 00008008 fa000000 A svc_s : BLX {pc}+8 ; 0x8010\n"
            "5 clk R r14_svc 0000800c\n"
            "6 clk IT (4) 00008010 4770 T svc_s : BX lr\n"
            "7 clk IT (5) 0000800c eafffffe A svc_s : B {pc}\n",
            "version 1\n"
            "place 00008000\n"
            "00008000 e3a00001\n"
            "00008004 03a00002 fail\n"
            "00008008 fa000000 +3\n"
            "00008010 4770 next=0000800c:a\n"
            "0000800c eafffffe\n");
    assert_int_equal(report.instructions, 5);
    assert_int_equal(report.not_understood, 0);
}

/* As some programs of Windows begin a text. */
static void a_byte_order_mark_is_no_text(void **state)
{
    static const char marked[] =
        "\xef\xbb\xbf"
        "1 clk IT (1) 00008000 e3a00001 A svc_s : MOV\n"
        "2 clk IT (2) 00008004 eafffffe A svc_s : B\n";
    char plain[sizeof got.text / 1024];

    (void)state;
    convert_in(marked + 3, 100000, NULL, 0, ETM_PROFILE_UNKNOWN);
    assert_true(got.length < sizeof plain);
    memcpy(plain, got.text, got.length + 1);
    assert_non_null(strstr(plain, "00008000 e3a00001"));
    becomes(marked, plain);
}

static void accesses_become_transfers_of_the_opcode(void **state)
{
    (void)state;
    /* LDM of two as one access of 8 bytes; STRD as two, the higher one first;
     * STRB; SWP */
    becomes("1 clk IT (1) 00008000 e8900006 A svc_s : LDM r0,{r1,r2}\n"
            "1 clk MR8 00009000:000000009000 11223344_55667788\n"
            "2 clk IT (2) 00008004 e1c420f0 A svc_s : STRD r2,r3,[r4]\n"
            "2 clk MW4 00009014 00000002\n"
            "2 clk MW4 00009010 00000001\n"
            "3 clk IT (3) 00008008 e5c10000 A svc_s : STRB r0,[r1]\n"
            "3 clk MNW1___D 00009020 7f\n"
            "3 clk MNR4___I 00008010 e1000091\n"
            "4 clk IT (4) 0000800c e1010090 A svc_s : SWP r0,r0,[r1]\n"
            "4 clk MR4 00009030 00000005\n"
            "4 clk MW4 00009030 00000006\n",
            "version 1\n"
            "place 00008000\n"
            "00008000 e8900006 r4:00009000=55667788 r4:00009004=11223344\n"
            "00008004 e1c420f0 w4:00009010=00000001 w4:00009014=00000002\n"
            "00008008 e5c10000 w1:00009020=7f\n"
            "0000800c e1010090 r4:00009030=00000005 w4:00009030=00000006\n");
    assert_int_equal(report.transfers, 7);
    assert_int_equal(report.not_understood, 0);
}

/* E-366 */
static void the_pc_comes_in_the_order_of_the_processor(void **state)
{
    static const char log[] =
        "1 clk IT (1) 00008000 e8bd8010 A svc_s : POP {r4,pc}\n"
        "1 clk MR4 00009000 00000007\n"
        "1 clk MR4 00009004 00008010\n"
        "2 clk IT (2) 00008010 e1a00000 A svc_s : NOP\n";

    (void)state;
    becomes(log, "version 1\n"
                 "place 00008000\n"
                 "00008000 e8bd8010 next=00008010 r4:00009000=00000007 "
                 "r4:00009004=00008010\n"
                 "00008010 e1a00000\n");
    loads_pc_first = true;
    becomes(log, "version 1\n"
                 "place 00008000\n"
                 "00008000 e8bd8010 next=00008010 r4:00009004=00008010 "
                 "r4:00009000=00000007\n"
                 "00008010 e1a00000\n");
    loads_pc_first = false;
}

static void cycle_models_write_es_ld_and_st(void **state)
{
    (void)state;
    becomes(
        "Tarmac Text Rev 3t\n"
        "   10 tic ES  EXC [0x00] Reset\n"
        "             BR (00008000) A\n"
        "   12 tic ES  (00008000:e92d4003) A svc_s:   PUSH {r0,r1,lr}\n"
        "             ST 0000fff0 00000033 00000022 00000011 ........"
        "    S:00000fff0  NM\n"
        "             R SP_SVC 0000fff4\n"
        "   14 tic ES  (00008004:0a000002) A svc_s:   CCFAIL BEQ {pc}+0x10\n"
        "   15 tic ES  (00008008:e5d01001) A svc_s:   LDRB r1,[r0,#1]\n"
        "             LD 00009000 ........ ........ ........ ....5a.."
        "    S:0000009000  NM\n"
        "   16 tic ES  (0000800c:e8b00018) A svc_s:   LDM r0!,{r3,r4}\n"
        "             LD 00009000 00000001 ........ ........ ........"
        "    S:0000009000  NM\n"
        "                00009010 ........ ........ ........ 00000002"
        "    S:0000009010  NM\n",
        "version 1\n"
        "place 00008000\n"
        "00008000 e92d4003 w4:0000fff4=00000011 w4:0000fff8=00000022 "
        "w4:0000fffc=00000033\n"
        "00008004 0a000002 fail +2\n"
        "00008008 e5d01001 r1:00009001=5a\n"
        "0000800c e8b00018 r4:0000900c=00000001 r4:00009010=00000002\n");
    assert_int_equal(report.not_understood, 0);
}

static void rtl_writes_the_address_in_parentheses(void **state)
{
    (void)state;
    /* picoseconds: no cycles are known; 16-bit and 32-bit Thumb */
    becomes("23676405900 ps IT (00024812:00000000) 00024812 494e T16 "
            "LDR r1,[pc,#312] ; [0x2494c]\n"
            "23676405800 ps MNR4O__D 0002494c 00100020\n"
            "23676409900 ps IT (00024814:00000006) 00024814 f8d10004 T32 "
            "LDR.W r0,[r1,#4]\n"
            "23676409800 ps MNR4___D 20001004 07000000\n"
            "23676419900 ps IF (00024818) bf00 T16 NOP\n",
            "version 1\n"
            "place 00024812:t\n"
            "00024812 494e r4:0002494c=20001000\n"
            "00024814 f8d10004 r4:20001004=00000007\n"
            "00024818 bf00\n");
    convert_in("100ns IT (8000) 00008000 e1a00000 A usr: NOP\n"
               "150ns IT (8004) 00008004 e1a00000 A usr: NOP\n",
               1000, NULL, 10, ETM_PROFILE_A);
    assert_non_null(strstr(got.text, "00008004 e1a00000 +5\n"));
    assert_non_null(strstr(got.text, "context 0 user\n"));
}

/* The bytes of its accesses have the order of their addresses; those of the
 * peripheral bus are not taken, and their instruction has no transfers. */
static void rtl_writes_bytes_in_memory_order(void **state)
{
    static const char log[] =
        "3010 cyc IT (00000300:00000003) 00000300     b510 T16 PUSH {r4,lr}\n"
        "3010 cyc MNW4___D 2000ff00 78563412\n"
        "3010 cyc MNW4___D 2000ff04 f9ffffff\n"
        "3011 cyc IT (00000302:00000004) 00000302     8021 T16 STRH r1,[r4]\n"
        "3011 cyc MNW2___D 20000010 cdab\n"
        "3012 cyc IT (00000304:00000005) 00000304     6021 T16 STR r1,[r4]\n"
        "3012 cyc MNW4___A 40000010 01000000\n"
        "3013 cyc IT (00000306:00000006) 00000306     bd10 T16 POP {r4,pc}\n"
        "3013 cyc MNR4___D 2000ff00 78563412\n"
        "3013 cyc MNR4___D 2000ff04 f9ffffff\n"
        "3025 cyc IT (00000204:00000007) 00000204     bf00 T16 NOP\n"
        "3026 cyc IT (00000206:00000008) 00000206     bf00 T16 NOP\n";

    (void)state;
    convert_in(log, 7, NULL, 0, ETM_PROFILE_M);
    assert_string_equal(got.text, "version 1\n"
                                  "place 00000300\n"
                                  "00000300 b510 w4:2000ff00=12345678 "
                                  "w4:2000ff04=fffffff9\n"
                                  "00000302 8021 w2:20000010=abcd\n"
                                  "00000304 6021\n"
                                  "00000306 bd10 return next=00000204 "
                                  "r4:2000ff00=12345678 r4:2000ff04=fffffff9\n"
                                  "00000204 bf00 +12\n"
                                  "00000206 bf00\n");
}

static void one_processor_of_several_is_read(void **state)
{
    static const char log[] =
        "1 clk cpu0 IT (1) 00008000 e1a00000 A svc_ns : NOP\n"
        "1 clk cpu1 IT (1) 00009000 e1a00001 A svc_ns : NOP\n"
        "2 clk cpu0 R r0 00000001\n"
        "3 clk cpu1 IT (2) 00009004 e1a00001 A svc_ns : NOP\n"
        "2 clk cpu0 IT (2) 00008004 e1a00000 A svc_ns : NOP\n";

    (void)state;
    becomes(log, "version 1\nplace 00008000:n\n00008000 e1a00000\n"
                 "00008004 e1a00000\n");
    assert_int_equal(report.passed_over, 2);
    convert_in(log, 5, "cpu1", 0, ETM_PROFILE_A);
    assert_string_equal(got.text,
                        "version 1\nplace 00009000:n\n00009000 e1a00001\n"
                        "00009004 e1a00001 +2\n");
}

static void exceptions_find_their_place_by_the_link_register(void **state)
{
    (void)state;
    /* an IRQ after a BX; a data abort that cancels its LDR; an SVC */
    becomes("1 clk IT (1) 00008000 e12fff10 A svc_s : BX r0\n"
            "1 clk E 00000018 00000006 CoreEvent_IRQ\n"
            "1 clk R r14_irq 00008024\n"
            "1 clk E 00000018 00000006 CoreEvent_ModeChange\n"
            "2 clk IT (2) 00000018 e25ef004 A irq_s : SUBS pc,lr,#4\n"
            "3 clk IT (3) 00008020 e5901000 A svc_s : LDR r1,[r0]\n"
            "3 clk MR4 dfdfdfcc (ABORTED)\n"
            "3 clk E 00000010 00000004 CoreEvent_DataAbort\n"
            "3 clk R r14_abt 00008028\n"
            "4 clk IT (4) 00000010 e25ef004 A abt_s : SUBS pc,lr,#4\n"
            "5 clk IT (5) 00008024 ef000001 A svc_s : SVC #1\n"
            "5 clk E 00000008 00000002 CoreEvent_SWI\n"
            "5 clk R r14_svc 00008028\n"
            "6 clk IT (6) 00000008 e1a00000 A svc_s : NOP\n",
            "version 1\n"
            "place 00008000\n"
            "00008000 e12fff10 next=00008020\n"
            "exception irq to=00000018\n"
            "00000018 e25ef004 next=00008020\n"
            "00008020 e5901000\n"
            "exception data_abort cancels to=00000010\n"
            "00000010 e25ef004 next=00008024\n"
            "00008024 ef000001\n"
            "exception svc to=00000008\n"
            "00000008 e1a00000\n");
    assert_int_equal(report.exceptions, 3);
    assert_int_equal(report.not_understood, 0);
}

/* ETM architecture, table 4-2: it completes, though its handler may return to
   it. V3-EXC-03 */
static void undefined_instruction_is_not_cancelled(void **state)
{
    (void)state;
    becomes("1 clk IT (1) 00008000 e1a00000 A svc_s : NOP\n"
            "2 clk IT (2) 00008004 e7f000f0 A svc_s : UDF #0\n"
            "2 clk E 00000004 00000001 CoreEvent_UndefinedInstr\n"
            "2 clk R r14_und 00008008\n"
            "3 clk IT (3) 00000004 e1b0f00e A und_s : MOVS pc,lr\n"
            "4 clk IT (4) 00008008 e1a00000 A svc_s : NOP\n",
            "version 1\n"
            "place 00008000\n"
            "00008000 e1a00000\n"
            "00008004 e7f000f0\n"
            "exception undefined to=00000004\n"
            "00000004 e1b0f00e next=00008008\n"
            "00008008 e1a00000\n");
}

/* 7.5.4, V3-MP-40: BX of any register, which the pop may write again */
static void m_profile_handler_returns_by_any_register(void **state)
{
    (void)state;
    becomes("1 clk IT (1) 00000100 bf00 T thread : NOP\n"
            "1 clk E 00000200 00000013 CoreEvent_Interrupt\n"
            "1 clk R r14 fffffff9\n"
            "2 clk IT (2) 00000200 4673 T handler : MOV r3,lr\n"
            "2 clk R r3 fffffff9\n"
            "3 clk IT (3) 00000202 4718 T handler : BX r3\n"
            "3 clk R r3 00000107\n"
            "4 clk IT (4) 00000102 4718 T thread : BX r3\n"
            "5 clk IT (5) 00000106 bf00 T thread : NOP\n",
            "version 1\n"
            "place 00000100:t\n"
            "00000100 bf00\n"
            "exception irq3 to=00000200\n"
            "00000200 4673\n"
            "00000202 4718 return next=00000102\n"
            "00000102 4718 next=00000106\n"
            "00000106 bf00\n");
}

static void m_profile_exceptions_go_by_their_number(void **state)
{
    (void)state;
    /* interrupt 3 (number 19), its return by LR, and a SysTick after it */
    becomes("1 clk IT (1) 00000100 bf00 T thread : NOP\n"
            "1 clk E 00000200 00000013 CoreEvent_Interrupt\n"
            "1 clk R r14 fffffff9\n"
            "2 clk IT (2) 00000200 4770 T handler : BX lr\n"
            "2 clk E 00000300 0000000f CoreEvent_SysTick\n"
            "3 clk IT (3) 00000300 4770 T handler : BX lr\n"
            "4 clk IT (4) 00000102 bf00 T thread : NOP\n",
            "version 1\n"
            "place 00000100:t\n"
            "00000100 bf00\n"
            "exception irq3 to=00000200\n"
            "00000200 4770 return next=00000202\n"
            "exception sys_tick tail to=00000300\n"
            "00000300 4770 return next=00000102\n"
            "00000102 bf00\n");
    assert_int_equal(report.not_understood, 0);
}

static void branches_that_were_not_taken_are_found_out(void **state)
{
    (void)state;
    becomes("1 clk IT (1) 00008000 b108 T svc_s : CBZ r0,{pc}+6\n"
            "2 clk IT (2) 00008002 b108 T svc_s : CBZ r0,{pc}+6\n"
            "3 clk IT (3) 00008008 bf00 T svc_s : NOP\n",
            "version 1\n"
            "place 00008000:t\n"
            "00008000 b108 fail\n"
            "00008002 b108\n"
            "00008008 bf00\n");
}

static void a_hole_in_the_log_is_no_branch(void **state)
{
    (void)state;
    becomes("1 clk IT (1) 00008000 e1a00000 A svc_s : NOP\n"
            "2 clk IT (2) 00009000 e1a00000 A svc_s : NOP\n"
            "3 clk IT (3) 00009004 e1a00000 A svc_s : NOP\n",
            "version 1\n"
            "place 00008000\n"
            "00008000 e1a00000\n"
            "exception debug_halt\n"
            "place 00009000\n"
            "00009000 e1a00000\n"
            "00009004 e1a00000\n");
    assert_int_equal(report.not_understood, 1);
    assert_int_equal(report.first, 1);
}

static void what_is_not_understood_is_counted(void **state)
{
    (void)state;
    convert_in("SIGNAL: SIGNAL=poreset STATE=N\n"
               "1 clk IT (1) 00008000 e1a00000 A svc_s : NOP\n"
               "2 clk IT what is this\n"
               "2 clk IT\n"
               "2 clk MW4 0000zzzz 1\n"
               "2 clk TTW ITLB LPAE 1:1 000000008000\n"
               "3 clk IT (3) 00008004 e1a00000 A svc_s : NOP\n",
               100, NULL, 0, ETM_PROFILE_A);
    assert_int_equal(report.instructions, 2);
    assert_int_equal(report.not_understood, 3);
    assert_int_equal(report.first, 3);
    assert_string_equal(report.text, "2 clk IT what is this");
    assert_int_equal(report.passed_over, 2);
    assert_int_equal(report.lines, 7);
}

/* The second line of an LD or ST has no word of its own. */
static void a_second_line_that_is_not_understood_is_counted(void **state)
{
    (void)state;
    convert_in("   15 tic ES  (00008008:e5d01001) A svc_s:   LDRB r1,[r0,#1]\n"
               "             LD 00009000 ........ ........ ........ ....5a..\n"
               "                00009010 ........ zz...... ........ ........\n"
               "   17 tic ES  (0000800c:e1a00000) A svc_s:   NOP\n",
               1000, NULL, 0, ETM_PROFILE_A);
    assert_int_equal(report.not_understood, 1);
    assert_int_equal(report.first, 3);
    assert_int_equal(report.instructions, 2);
}

/* Of two words one: which it was only its address could tell, and of those that
 * are traced the opcode does. */
static void some_transfers_of_an_instruction_are_none(void **state)
{
    (void)state;
    convert_in("1 clk IT (1) 00008000 e8900006 A svc_s : LDM r0,{r1,r2}\n"
               "1 clk MR4 00009004 00000002\n"
               "2 clk IT (2) 00008004 e8900006 A svc_s : LDM r0,{r1,r2}\n"
               "2 clk MR4 00009000 00000001\n"
               "2 clk MR4 00009004 00000002\n"
               "3 clk IT (3) 00008008 e1020091 A svc_s : SWP r0,r1,[r2]\n"
               "3 clk MR4 00009000 00000001\n"
               "4 clk IT (4) 0000800c e1a00000 A svc_s : NOP\n",
               1000, NULL, 0, ETM_PROFILE_A);
    assert_int_equal(report.instructions, 4);
    assert_int_equal(report.transfers, 2);
    assert_int_equal(report.not_understood, 2);
    assert_int_equal(report.first, 1);
}

static int refuse_events(void *context, const struct etm_event *events,
                         size_t n)
{
    unsigned *calls = context;

    (void)events;
    (void)n;
    return ++*calls == 1 ? 77 : ETM_OK;
}

/* Whoever takes the events may end it. */
static void an_error_of_the_taker_ends_the_reading(void **state)
{
    static const char line[] = "1 clk IT (1) 00008000 eafffffe A svc_s : B .\n";
    unsigned calls = 0;
    struct etm_execution_reader_config from = {.format = ETM_EXECUTION_TARMAC,
                                               .profile = ETM_PROFILE_A,
                                               .events = refuse_events,
                                               .context = &calls};
    struct etm_execution_reader *reader;
    int status = ETM_OK;

    (void)state;
    assert_int_equal(etm_execution_reader_new(&reader, &from), ETM_OK);
    for (unsigned i = 0; i < 10000 && status == ETM_OK; i++)
        status = etm_execution_reader_push(reader, line, strlen(line), NULL);
    assert_int_equal(status, 77);
    assert_int_equal(calls, 1);
    etm_execution_reader_free(reader);
}

static void context_ids_come_from_the_register(void **state)
{
    (void)state;
    becomes("1 clk IT (1) 00008000 ee0d0f30 A svc_s : MCR p15,0,r0,c13,c0,1\n"
            "1 clk R CONTEXTIDR 00000042\n"
            "2 clk IT (2) 00008004 e1a00000 A svc_s : NOP\n",
            "version 1\n"
            "place 00008000\n"
            "00008000 ee0d0f30\n"
            "context 42\n"
            "00008004 e1a00000\n");
}

/* Its address is that of the load before it: no line gives it. */
static void a_failed_exclusive_store_is_a_transfer(void **state)
{
    (void)state;
    becomes("1 clk IT (1) 00008000 e1901f9f A svc_s : LDREX r1,[r0]\n"
            "1 clk MR4 00009000 00000001\n"
            "2 clk IT (2) 00008004 e1802f91 A svc_s : STREX r2,r1,[r0]\n"
            "2 clk R r2 00000001\n",
            "version 1\n"
            "place 00008000\n"
            "00008000 e1901f9f r4:00009000=00000001\n"
            "00008004 e1802f91 w4x:00009000=00000000\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_models_write_it_and_is),
        cmocka_unit_test(a_byte_order_mark_is_no_text),
        cmocka_unit_test(accesses_become_transfers_of_the_opcode),
        cmocka_unit_test(the_pc_comes_in_the_order_of_the_processor),
        cmocka_unit_test(cycle_models_write_es_ld_and_st),
        cmocka_unit_test(rtl_writes_the_address_in_parentheses),
        cmocka_unit_test(rtl_writes_bytes_in_memory_order),
        cmocka_unit_test(one_processor_of_several_is_read),
        cmocka_unit_test(exceptions_find_their_place_by_the_link_register),
        cmocka_unit_test(undefined_instruction_is_not_cancelled),
        cmocka_unit_test(m_profile_handler_returns_by_any_register),
        cmocka_unit_test(m_profile_exceptions_go_by_their_number),
        cmocka_unit_test(branches_that_were_not_taken_are_found_out),
        cmocka_unit_test(a_hole_in_the_log_is_no_branch),
        cmocka_unit_test(what_is_not_understood_is_counted),
        cmocka_unit_test(a_second_line_that_is_not_understood_is_counted),
        cmocka_unit_test(some_transfers_of_an_instruction_are_none),
        cmocka_unit_test(an_error_of_the_taker_ends_the_reading),
        cmocka_unit_test(context_ids_come_from_the_register),
        cmocka_unit_test(a_failed_exclusive_store_is_a_transfer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
