/* SPDX-License-Identifier: Apache-2.0 */
/* The execution log (doc/execution-log.md), read and written. */
#include "../support/scarce.h"
#include "log_util.h"

static int read_text(const char *text, struct etm_diag *diag)
{
    return read_in(text, strlen(text), 0, ETM_PROFILE_UNKNOWN, diag);
}

static void reads(const char *text)
{
    struct etm_diag diag = {0};
    int status = read_text(text, &diag);

    if (status != ETM_OK)
        fail_msg("line %u: %s", (unsigned)diag.line, diag.what);
}

static void insn_is(size_t i, uint32_t address, uint32_t opcode, bool passed,
                    uint64_t cycles, uint32_t next, uint8_t next_isa)
{
    const struct etm_event *e = &got.events[i];

    assert_true(i < got.n);
    assert_int_equal(e->kind, ETM_EVENT_INSN);
    assert_int_equal(e->u.insn.address, address);
    assert_int_equal(e->u.insn.opcode, opcode);
    assert_int_equal(e->u.insn.passed, passed);
    assert_int_equal(e->cycles, cycles);
    assert_int_equal(e->u.insn.next.address, next);
    assert_int_equal(e->u.insn.next.isa, next_isa);
}

static void a_log_by_hand_needs_only_addresses_and_opcodes(void **state)
{
    (void)state;
    reads("# a loop\n"
          "8000 e3a00001   # mov r0, #1\n"
          "8004 e2500001 +3\r\n"
          "\n"
          "8008 1afffffc fail\n"
          "0x800c e12fff11\n"
          "9000:t 4770 next=8000:a\n"
          "8000 0xe3a00001");
    assert_int_equal(got.n, 6);
    insn_is(0, 0x8000, 0xe3a00001, true, 1, 0x8004, ETM_ISA_ARM);
    insn_is(1, 0x8004, 0xe2500001, true, 3, 0x8008, ETM_ISA_ARM);
    insn_is(2, 0x8008, 0x1afffffc, false, 1, 0x800c, ETM_ISA_ARM);
    insn_is(3, 0x800c, 0xe12fff11, true, 1, 0x9000, ETM_ISA_THUMB);
    insn_is(4, 0x9000, 0x4770, true, 1, 0x8000, ETM_ISA_ARM);
    insn_is(5, 0x8000, 0xe3a00001, true, 1, 0x8004, ETM_ISA_ARM);
    assert_int_equal(got.events[4].u.insn.size, 2);
    assert_int_equal(got.events[5].u.insn.size, 4);
}

static void a_log_may_begin_with_a_byte_order_mark(void **state)
{
    static const char text[] = "\xef\xbb\xbfversion 1\n00008000 e3a00001\n";

    (void)state;
    for (size_t piece = 0; piece < 5; piece++)
        assert_int_equal(
            read_in(text, sizeof text - 1, piece, ETM_PROFILE_A, NULL), ETM_OK);
    /* which is nowhere else */
    assert_int_equal(
        read_in("version 1\n\xef\xbb\xbf", 13, 0, ETM_PROFILE_A, NULL),
        ETM_ERR_FORMAT);
}

static void an_opcode_tells_where_an_interrupted_instruction_led(void **state)
{
    (void)state;
    /* B 0x8010, then an IRQ before the instruction there */
    reads("8000 ea000002\n"
          "exception irq +2\n"
          "18 e25ef004 next=8010\n"
          "8010 e1a00000\n");
    assert_int_equal(got.n, 4);
    insn_is(0, 0x8000, 0xea000002, true, 1, 0x8010, ETM_ISA_ARM);
    assert_int_equal(got.events[1].kind, ETM_EVENT_EXCEPTION);
    assert_int_equal(got.events[1].u.exception.type, ETM_EXCEPTION_IRQ);
    assert_int_equal(got.events[1].u.exception.next.address, 0x18);
    assert_int_equal(got.events[1].cycles, 2);
    insn_is(2, 0x18, 0xe25ef004, true, 1, 0x8010, ETM_ISA_ARM);
}

static void from_tells_where_an_interrupted_branch_led(void **state)
{
    (void)state;
    reads("8000 e12fff1e\nexception fiq from=9000:t to=1c:a\n1c e1a00000\n");
    insn_is(0, 0x8000, 0xe12fff1e, true, 1, 0x9000, ETM_ISA_THUMB);
    assert_int_equal(got.events[1].u.exception.next.address, 0x1c);
    assert_int_equal(got.events[1].u.exception.next.isa, ETM_ISA_ARM);
}

static void transfers_follow_their_instruction(void **state)
{
    const struct etm_event *e = got.events;

    (void)state;
    reads("8000 e8b00006 r4:9000=1 r4b:9004=fffffffe\n"
          "8004 e5801000 w1fx:20=ff\n"
          "8008 e5901000 r4:9010=?2\n"
          "data r4+5:0=89abcdef r2:8=1\n"
          "value 2=77 failed +1\n");
    assert_int_equal(got.n, 10);
    assert_int_equal(e[1].kind, ETM_EVENT_DATA);
    assert_int_equal(e[1].u.data.address, 0x9000);
    assert_int_equal(e[1].u.data.value, 1);
    assert_int_equal(e[1].u.data.size, 4);
    assert_false(e[1].u.data.store || e[1].u.data.big_endian);
    assert_int_equal(e[2].u.data.value, 0xfffffffe);
    assert_true(e[2].u.data.big_endian);
    assert_true(e[4].u.data.store && e[4].u.data.failed &&
                e[4].u.data.filtered);
    assert_int_equal(e[4].u.data.size, 1);
    assert_int_equal(e[6].u.data.tag, 2);
    assert_int_equal(e[7].cycles, 5);
    assert_true(e[7].u.data.value == 0x89abcdef);
    assert_int_equal(e[8].cycles, 0);
}

/* 2.8.3: a doubleword is two transfers, whoever looks at it. */
static void eight_bytes_are_two_words(void **state)
{
    static const uint32_t words[6] = {0x89abcdef, 0x01234567, 0x01234567,
                                      0x89abcdef, 2,          1};
    const struct etm_event *e = got.events;

    (void)state;
    reads("8000 e1c120d0 r8+5:20=0123456789abcdef\n"
          "8004 e1c120d0 r8b:20=0123456789abcdef\n"
          "8008 e1c120f0\n"
          "data w8:20=0000000100000002\n");
    assert_int_equal(got.n, 9);
    for (size_t i = 0; i < 6; i++) {
        const struct etm_event *d = &e[3 * (i / 2) + 1 + i % 2];

        assert_int_equal(d->kind, ETM_EVENT_DATA);
        assert_int_equal(d->u.data.size, 4);
        assert_int_equal(d->u.data.address, 0x20 + 4 * (i % 2));
        assert_true(d->u.data.value == words[i]);
        assert_int_equal(d->u.data.big_endian, i / 2 == 1);
        assert_int_equal(d->u.data.store, i / 2 == 2);
        assert_int_equal(d->cycles, i == 0 ? 5 : 0);
    }
    assert_int_equal(read_text("8000 e1c120d0 r8:20=?1\n", NULL),
                     ETM_ERR_FORMAT);
}

/* E-366: pop {r4, r5, pc}; pop {r4, pc}, in both orders. What moves is the
 * transfer, not its cycles; some transfers, and those of other lines, stay. */
static void the_pc_comes_in_the_order_of_the_processor(void **state)
{
    static const char by_address[] =
        "8000 e8bd8030 next=9000 r4:100=4 r4+2:104=5 r4+3:108=9000\n"
        "9000 e8bd8010 next=9100 r4:10c=6 r4:110=9100\n"
        "9100 e8bd0030 r4:114=7 r4:118=8\n"
        "9104 e8bd8010 next=9200\n"
        "data r4:11c=6 r4:120=9200\n";
    static const char pc_first[] =
        "8000 e8bd8030 next=9000 r4:108=9000 r4+2:100=4 r4+3:104=5\n"
        "9000 e8bd8010 next=9100 r4:110=9100 r4:10c=6\n"
        "9100 e8bd0030 r4:114=7 r4:118=8\n"
        "9104 e8bd8010 next=9200\n"
        "data r4:11c=6 r4:120=9200\n";
    static const uint32_t orders[2][9] = {
        {0x100, 0x104, 0x108, 0x10c, 0x110, 0x114, 0x118, 0x11c, 0x120},
        {0x108, 0x100, 0x104, 0x110, 0x10c, 0x114, 0x118, 0x11c, 0x120}};
    static const uint32_t cycles[9] = {0, 2, 3, 0, 0, 0, 0, 0, 0};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const char *text = i % 2 == 0 ? by_address : pc_first;
        unsigned found = 0;

        loads_pc_first = i >= 2;
        assert_int_equal(
            read_in(text, strlen(text), 0, ETM_PROFILE_UNKNOWN, NULL), ETM_OK);
        for (size_t k = 0; k < got.n; k++) {
            const struct etm_event *e = &got.events[k];

            if (e->kind != ETM_EVENT_DATA)
                continue;
            assert_int_equal(e->u.data.address, orders[i / 2][found]);
            assert_int_equal(e->cycles, cycles[found++]);
        }
        assert_int_equal(found, 9);
    }
    loads_pc_first = false;
}

static void the_state_of_the_first_instruction_is_given(void **state)
{
    (void)state;
    reads("8000:tn bf00\n8002 bf00\n");
    assert_int_equal(got.n, 3);
    assert_int_equal(got.events[0].kind, ETM_EVENT_PLACE);
    assert_true(got.events[0].u.place.at.ns);
    assert_int_equal(got.events[0].u.place.at.isa, ETM_ISA_THUMB);
    assert_true(got.events[1].u.insn.next.ns);
}

static void mistakes_are_named_with_their_line(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *what;
    } rows[] = {
        {"8000 e3a00001\nbla\n", 2, "neither the address"},
        {"8000 e3a00001\nbad\n", 2, "not aligned"},
        {"8000 e3a00001\ncab0\n", 2, "opcode is missing"},
        {"\n8000\n", 2, "opcode is missing"},
        {"8002 e3a00001\n", 1, "not aligned"},
        {"8001:t 4770\n", 1, "not aligned"},
        {"8000:q 4770\n", 1, "state is made of"},
        {"800000000 e3a00001\n", 1, "its address is not a 32-bit number"},
        {"8000 4770\n", 1, "not an opcode of the arm"},
        {"8000:t 477\n", 1, "not an opcode of the thumb"},
        {"8000 e3a0000g\n", 1, "not an opcode"},
        {"8000 e3a00001 pass\n", 1, "\"pass\" is not understood"},
        {"8000 e3a00001 +\n", 1, "number of cycles"},
        {"8000 e3a00001 +?\n", 1, "number of cycles"},
        {"8000 e3a00001 size=5\n", 1, "Jazelle"},
        {"8000 e3a00001 resume=16\n", 1, "number of transfers"},
        {"8000 e3a00001 r3:0=0\n", 1, "sizes are"},
        {"8000 e3a00001 r4:0\n", 1, "not understood"},
        {"8000 e3a00001 r4q:0=0\n", 1, "may follow the size"},
        {"8000 e3a00001 w1:0=100\n", 1, "does not fit"},
        {"8000 e3a00001 w1:x=1\n", 1, "the address is not a 32-bit number"},
        {"8000 e3a00001 r4:0=?5\n", 1, "tags are"},
        {"8000 e3a00001 r4:0=1 fail\n", 1, "not understood"},
        {"8000 e3a00001\n8008 e3a00001\n", 2, "leads to 0x00008004"},
        {"8000 eafffffe\n8004 e1a00000\n", 2, "leads to 0x00008000"},
        {"8000 e12fff1e next=9000\n\n9004 e1a00000\n", 3,
         "line 1 leads to 0x00009000 (arm), not to 0x00009004 (arm)"},
        {"8000 e12fff1e next=9000\n9000:t 4770\n", 2,
         "not to 0x00009000 (thumb)"},
        {"exception irq to=18\n1c e1a00000\n", 2, "the exception in line 1"},
        {"8000 e12fff1e\nexception irq\n18 e1a00000\n", 2, "next=PLACE"},
        {"8000 e12fff1e\n", 1, "next=PLACE"},
        {"8000 e8b00006 r4:9000=1\n8004 e5901000\n", 2,
         "the instruction in line 1 makes 2 transfers, but the log gives 1"},
        {"8000 e1c020d0\n8004 e1a00000\ndata r4:9000=1\n", 3,
         "the instruction in line 1 makes 2 transfers"},
        {"exception irq\nexception fiq\n", 2, "to=PLACE"},
        {"exception irq\n", 1, "to=PLACE"},
        {"trace_on start\ntrace_off\n", 2, "at=PLACE"},
        {"exception\n", 1, "its kind is missing"},
        {"exception irqq\n", 1, "not a kind of exception"},
        {"exception irq70000\n", 1, "not a kind of exception"},
        {"exception irqN\n", 1, "not a kind of exception"},
        {"exception irq from=8000\n", 1, "says where it led"},
        {"exception irq twice\n", 1, "not understood"},
        {"context\n", 1, "context ID is missing"},
        {"context 1 2\n", 1, "not understood"},
        {"context 1 vmid=100\n", 1, "not a VMID"},
        {"timestamp 12a\n", 1, "not a timestamp"},
        {"timestamp\n", 1, "value is missing"},
        {"value 0=1\n", 1, "not a tag"},
        {"value 5=1\n", 1, "not a tag"},
        {"value 1\n", 1, "not understood"},
        {"data +1\n", 1, "not understood"},
        {"data r4+:0=0\n", 1, "after the +"},
        {"data r4+x:0=0\n", 1, "after the +"},
        {"data r:0=0\n", 1, "sizes are"},
        {"data\n", 1, "no transfer"},
        {"push next=8000 r4:0=0 +1\n", 1, "not understood"},
        {"suppress\n", 1, "on or off is missing"},
        {"suppress maybe\n", 1, "not understood"},
        {"pins ext=100\n", 1, "8-bit number"},
        {"pins mmd=10000\n", 1, "16-bit number"},
        {"ext_inputs 8=1\n", 1, "from 0 to 7"},
        {"trigger now\n", 1, "not understood"},
        {"place\n", 1, "the address is missing"},
        {"version 2\n", 1, "only 1 is"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_diag diag = {0};
        int status = read_text(rows[i].text, &diag);

        if (status != ETM_ERR_FORMAT || diag.line != rows[i].line ||
            strstr(diag.what, rows[i].what) == NULL)
            fail_msg("%s: %d, line %u: %s", rows[i].text, status,
                     (unsigned)diag.line, diag.what);
        assert_int_equal(diag.status, ETM_ERR_FORMAT);
        assert_string_equal(diag.source, "a.log");
    }
}

/* All transfers, or none where they are not known: but not what an exception
 * ended, what a pause left, or what stands after other instructions. */
static void some_transfers_need_a_reason(void **state)
{
    static const char *const texts[] = {
        "8000 e8b00006\n8004 e5901000 r4:9000=1\n",
        "8000 e8b00006 fail\n8004 e8b00006 r4:0=1 r4:4=1\n",
        "8000 e8b00006 r4:0=1\n8004 e1a00000\ndata r4:4=1\n8008 e5901000\n",
        "8000 e8b00006 r4:0=1\nexception data_abort\n10 e5901000\n",
        "8000 e8b00006 r4:0=1\nexception debug_halt\n8004 e5901000\n",
        "8000 e8b00006 r4:0=1\ntrace_off\n8004 e5901000\n",
        "8000 e12fff1e resume=1\n9000 e8b00006 r4:4=1\n9004 e5901000\n",
        "8000 ed921500 r4:0=1 r4:4=1\n8004 e5901000\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct etm_diag diag = {0};

        if (read_text(texts[i], &diag) != ETM_OK)
            fail_msg("%s: %s", texts[i], diag.what);
    }
}

/* Where an instruction led does not matter after a place, or Debug state. */
static void what_gives_a_reason_is_no_contradiction(void **state)
{
    static const char *const texts[] = {
        "8000 e12fff1e next=9000\nplace a000\na000 e1a00000\n",
        "8000 e12fff1e next=9000\nexception debug_halt\na000 e1a00000\n",
        "8000 e12fff1e next=9000\nexception irq to=18\n18 e1a00000\n",
        "8000 e12fff1e next=9000\ntrace_off\na000 e1a00000\nb000 e1a00000\n",
        ("8000 e12fff1e next=9000\nexception irq cancels to=18\n"
         "exception fiq to=1c\n1c e1a00000\n"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct etm_diag diag = {0};

        if (read_text(texts[i], &diag) != ETM_OK)
            fail_msg("%s: %s", texts[i], diag.what);
    }
}

static void a_line_without_end_is_an_error(void **state)
{
    static char text[80000];
    struct etm_diag diag = {0};

    (void)state;
    memset(text, ' ', sizeof text);
    memcpy(text, "trigger\n", 8);
    assert_int_equal(read_in(text, sizeof text, 1000, ETM_PROFILE_A, &diag),
                     ETM_ERR_FORMAT);
    assert_int_equal(diag.line, 2);
    assert_non_null(strstr(diag.what, "more than"));
}

static void an_error_stays(void **state)
{
    struct etm_execution_reader_config config = {.events = take_events};
    struct etm_execution_reader *reader;
    struct etm_diag diag = {0};

    (void)state;
    assert_int_equal(etm_execution_reader_new(&reader, &config), ETM_OK);
    assert_int_equal(etm_execution_reader_push(reader, "x\n", 2, NULL),
                     ETM_ERR_FORMAT);
    assert_int_equal(etm_execution_reader_push(reader, "trigger\n", 8, &diag),
                     ETM_ERR_FORMAT);
    assert_int_equal(diag.line, 1);
    assert_int_equal(etm_execution_reader_finish(reader, &diag),
                     ETM_ERR_FORMAT);
    etm_execution_reader_free(reader);
}

static void nothing_comes_after_the_end(void **state)
{
    static const char text[] = "version 1\ntrigger\n";
    struct etm_execution_reader_config config = {.name = "a.log",
                                                 .events = take_events};
    struct etm_execution_reader *reader;
    struct etm_execution_report report;
    struct etm_diag diag = {0};

    (void)state;
    got.n = 0;
    assert_int_equal(etm_execution_reader_new(&reader, &config), ETM_OK);
    assert_int_equal(
        etm_execution_reader_push(reader, text, sizeof text - 1, NULL), ETM_OK);
    assert_int_equal(etm_execution_reader_finish(reader, NULL), ETM_OK);
    assert_int_equal(got.n, 1);
    assert_int_equal(etm_execution_reader_push(reader, "trigger\n", 8, &diag),
                     ETM_ERR_ARGUMENT);
    assert_string_equal(diag.source, "a.log");
    assert_non_null(strstr(diag.what, "end"));
    assert_int_equal(etm_execution_reader_finish(reader, NULL),
                     ETM_ERR_ARGUMENT);
    etm_execution_reader_report(reader, &report);
    assert_int_equal(report.lines, 2);
    assert_int_equal(got.n, 1);
    etm_execution_reader_free(reader);
}

/* One of every kind, with every field, in the writer's own words. */
static const char every_kind[] =
    "version 1\n"
    "place 00008000:nh +2\n"
    "00008000 e3a00001\n"
    "00008004 e8900006 fail resume=3 +0\n"
    "00008008 e12fff11 next=00009000:ts\n"
    "00009000 4770 return next=0000a000\n"
    "0000a000 f000b800 w2bfx:00000010=ffff r4+12:00000014=?1\n"
    "push +1 next=00008000:a w4:00000000=00000001\n"
    "pop r4:00000000=00000001\n"
    "value 1=55 failed +4\n"
    "data r4+7:00000020=89abcdef w1:00000028=0f\n"
    "suppress on\n"
    "suppress off +1\n"
    "exception irq7 tail resume=2 +9 to=00000100:e\n"
    "00000100 4770 next=00000200:j\n"
    "00000200 1b\n"
    "00000201 05040302 size=9 next=0000000c:an\n"
    "exception data_abort cancels preempted to=00000010\n"
    "exception debug_halt +3\n"
    "context 1234 vmid=7f\n"
    "context 0 user +1\n"
    "context ffffffff vmid=0\n"
    "timestamp 18446744073709551615 frequency +1\n"
    "trigger\n"
    "trace_off +100\n"
    "trace_on debug_exit alone +? at=00000040:t\n"
    "trace_on start at=00000042\n"
    "idle +1000000\n"
    "pins +1 ext=f eice=ff sampled=1 mmd=ffff\n"
    "pins\n"
    "ext_inputs 7=80000000\n"
    "wait +1\n";

static void without_trace_instructions_may_stand_anywhere(void **state)
{
    (void)state;
    reads("trace_on start\n8000 e3a00001\ntrace_off\n"
          "9000 e3a00001\na000 e3a00001\n"
          "trace_on start at=8000\n8000 e3a00001\n");
    assert_int_equal(got.n, 7);
    insn_is(3, 0x9000, 0xe3a00001, true, 1, 0x9004, ETM_ISA_ARM);
    assert_int_equal(read_text("trace_off\ntrace_on start\n"
                               "9000 e3a00001\na000 e3a00001\n",
                               NULL),
                     ETM_ERR_FORMAT);
}

static void a_text_comes_back(void **state)
{
    (void)state;
    reads(every_kind);
    write_text(got.events, got.n, ETM_PROFILE_UNKNOWN);
    assert_string_equal(got.text, every_kind);
}

struct told {
    struct etm_execution_reader *reader;
    uint64_t lines[1000];
    size_t n;
};

static int take_lines(void *context, const struct etm_event *events, size_t n)
{
    struct told *told = context;

    (void)events;
    for (size_t i = 0; i < n; i++) {
        assert_true(told->n < 1000);
        told->lines[told->n++] = etm_execution_reader_line(told->reader, i);
    }
    assert_int_equal(etm_execution_reader_line(told->reader, n), 0);
    return ETM_OK;
}

/* Also in later batches, and of two events in one line. */
static void every_event_has_its_line(void **state)
{
    static struct told told;
    struct etm_execution_reader_config config = {.events = take_lines,
                                                 .context = &told};
    char line[64];

    (void)state;
    assert_int_equal(etm_execution_reader_new(&told.reader, &config), ETM_OK);
    for (unsigned i = 0; i < 400; i++) {
        int n = snprintf(line, sizeof line, "\n%x e5901000 r4:2000=1\n", 4 * i);

        assert_int_equal(
            etm_execution_reader_push(told.reader, line, (size_t)n, NULL),
            ETM_OK);
        assert_int_equal(etm_execution_reader_line(told.reader, 0), 0);
    }
    assert_int_equal(etm_execution_reader_finish(told.reader, NULL), ETM_OK);
    assert_int_equal(told.n, 800);
    for (size_t i = 0; i < told.n; i++)
        assert_int_equal(told.lines[i], i / 2 * 2 + 2);
    etm_execution_reader_free(told.reader);
}

static void lack_of_memory_is_reported(void **state)
{
    int status = ETM_ERR_MEMORY;

    (void)state;
    for (unsigned n = 0; status != ETM_OK; n++) {
        struct scarce scarce = {.left = n};
        struct etm_allocator a = {scarce_resize, &scarce};
        struct etm_execution_reader_config config = {.events = take_events,
                                                     .allocator = &a};
        struct etm_execution_reader *reader;

        got.n = 0;
        status = etm_execution_reader_new(&reader, &config);
        for (size_t i = 0; every_kind[i] != '\0' && status == ETM_OK; i++)
            status = etm_execution_reader_push(reader, &every_kind[i], 1, NULL);
        if (status == ETM_OK)
            status = etm_execution_reader_finish(reader, NULL);
        etm_execution_reader_free(reader);
        assert_true(status == ETM_OK || status == ETM_ERR_MEMORY);
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_by_hand_needs_only_addresses_and_opcodes),
        cmocka_unit_test(a_log_may_begin_with_a_byte_order_mark),
        cmocka_unit_test(an_opcode_tells_where_an_interrupted_instruction_led),
        cmocka_unit_test(from_tells_where_an_interrupted_branch_led),
        cmocka_unit_test(transfers_follow_their_instruction),
        cmocka_unit_test(eight_bytes_are_two_words),
        cmocka_unit_test(the_pc_comes_in_the_order_of_the_processor),
        cmocka_unit_test(the_state_of_the_first_instruction_is_given),
        cmocka_unit_test(mistakes_are_named_with_their_line),
        cmocka_unit_test(some_transfers_need_a_reason),
        cmocka_unit_test(what_gives_a_reason_is_no_contradiction),
        cmocka_unit_test(a_line_without_end_is_an_error),
        cmocka_unit_test(an_error_stays),
        cmocka_unit_test(nothing_comes_after_the_end),
        cmocka_unit_test(without_trace_instructions_may_stand_anywhere),
        cmocka_unit_test(a_text_comes_back),
        cmocka_unit_test(every_event_has_its_line),
        cmocka_unit_test(lack_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
