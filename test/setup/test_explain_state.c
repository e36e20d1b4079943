/* SPDX-License-Identifier: Apache-2.0 */
/* Registers in words: what the macrocell is, its modes and its state, and what
   is not known. */
#include "explain_util.h"

static void bare(struct setting *s)
{
    memset(s, 0, sizeof *s);
    s->explain.registers = s->registers;
}

/* MC-ID-01, MC-ID-02, MC-DSC-02, TV-ID-05 to TV-ID-09 */
static void the_version_comes_first(void **state)
{
    static const struct {
        uint32_t number, value;
        const char *version;
    } rows[] = {
        {0x001, 0x00994824, "version: ETMv1.0, protocol number 0."},
        {0x001, 0x10994824, "version: ETMv1.1, protocol number 1."},
        {0x001, 0x20994824, "version: ETMv1.2, protocol number 2."},
        {0x001, 0x30994824, "version: ETMv1.3, protocol number 3."},
        {0x001, 0x40994824, "version: ETMv1.2, protocol number 4."},
        {0x001, 0x50994824, "version: ETMv1.3, protocol number 5."},
        {0x001, 0x70994824, "version: ETMv1.3, protocol number 7."},
        {0x079, 0x41002100, "version: ETMv2.0, revision 0, made by Arm."},
        {0x079, 0x41002200, "version: ETMv3.0, revision 0, made by Arm."},
        {0x079, 0x41013211, "version: ETMv3.1, revision 1, made by Arm."},
        {0x079, 0x41001220, "version: ETMv3.2, revision 0, made by Arm."},
        {0x079, 0x4104f230, "version: ETMv3.3, revision 0, made by Arm."},
        {0x079, 0x4114f240, "version: ETMv3.4, revision 0, made by Arm."},
        {0x079, 0x410cf250, "version: ETMv3.5, revision 0, made by Arm."},
        {0x079, 0x411cf301, "version: PFTv1.0, revision 1, made by Arm."},
        {0x079, 0x411cf312, "version: PFTv1.1, revision 2, made by Arm."},
    };
    struct setting s;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sentences all;

        bare(&s);
        put(&s, rows[i].number, rows[i].value);
        assert_ptr_equal(strstr(explained(&s, &all), rows[i].version),
                         all.text + strlen("macrocell/"));
        assert_true(all.any_unknown);
    }
}

/* E-147 */
static void etmidr_of_0_is_that_of_a_version_1(void **state)
{
    struct setting s;

    (void)state;
    bare(&s);
    put(&s, 0x001, 0x20994824);
    put(&s, 0x079, 0);
    assert_says(&s, "version: ETMv1.2, protocol number 2.");
}

/* MC-ID-01, MC-ID-09 */
static void no_version_is_an_error(void **state)
{
    struct setting s;
    struct sentences all = {0};
    struct etm_diag diag;

    (void)state;
    bare(&s);
    put(&s, 0x000, 0x800);
    assert_int_equal(etm_explain(&s.explain, keep_line, &all, &diag),
                     ETM_ERR_CONFIG);
    assert_int_equal(etm_lint_values(&s.explain, NULL, 0, &diag),
                     ETM_ERR_CONFIG);
    put(&s, 0x079, 0);
    assert_int_equal(etm_explain(&s.explain, keep_line, &all, &diag),
                     ETM_ERR_CONFIG);
    bare(&s);
    put(&s, 0x001, 0x60994824);
    assert_int_equal(etm_explain(&s.explain, keep_line, &all, &diag),
                     ETM_ERR_CONFIG);
    s.explain.size = 3;
    assert_int_equal(etm_explain(&s.explain, keep_line, &all, &diag),
                     ETM_ERR_ARGUMENT);
    s.explain.size = 0;
    put(&s, 0x001, 0x30994824);
    assert_int_equal(etm_explain(&s.explain, NULL, NULL, &diag),
                     ETM_ERR_ARGUMENT);
}

static int stop(void *context, const struct etm_explain_line *line)
{
    unsigned *n = context;

    (void)line;
    return ++*n == 3 ? 42 : 0;
}

static void the_listener_may_stop(void **state)
{
    struct setting s;
    unsigned n = 0;

    (void)state;
    plain(&s, V3_4);
    assert_int_equal(etm_explain(&s.explain, stop, &n, NULL), 42);
    assert_int_equal(n, 3);
}

/* TV-CFG-03: ETM9 Rev 2, Medium */
static void resources_in_words(void **state)
{
    struct setting s;

    (void)state;
    bare(&s);
    put(&s, 0x001, 0x30994824);
    assert_says(&s, "macrocell/resources: Resources: 8 address comparators (4 "
                    "ranges), 2 data value comparators, 8 memory map decoders, "
                    "2 counters, a sequencer, a start/stop block, 4 external "
                    "inputs, 1 external output.");
    assert_says(&s, "FIFOFULL logic: yes.");
    plain(&s, PFT1_1);
    assert_says(&s, "Resources: 8 address comparators (4 ranges), 2 context ID "
                    "comparators, 2 counters, a sequencer,");
    assert_silent(&s, "FIFOFULL");
}

/* MC-DSC-02: real dumps hold five registers; E-142 */
static void what_a_dump_lacks_is_not_known(void **state)
{
    static const struct value m3[] = {{0x000, 0x00000800}, {0x078, 0x100},
                                      {0x079, 0x4114f240}, {0x07a, 0x00541800},
                                      {0x080, 0x10},       END};
    static const struct value a9[] = {{0x000, 0x3000c800}, {0x078, 0x100},
                                      {0x079, 0x411cf300}, {0x07a, 0x00c019a2},
                                      {0x080, 0x11},       END};
    struct setting s;

    (void)state;
    bare(&s);
    put_all(&s, m3);
    assert_says(&s, "Not known without ETMCCR: how many resources there are.");
    assert_says(&s, "Not known without ETMTECR1, ETMTECR2 and ETMTEEVR: which "
                    "instructions are traced.");
    assert_says(&s, "Not known without ETMTRIGGER: when there is a trigger.");
    assert_says(&s, "modes/synchronization: Synchronization every 256 bytes of "
                    "trace.");
    assert_says(&s, "modes/trace ID: Trace ID 0x10.");
    assert_says(&s, "data trace/what: No data are traced.");
    assert_says(&s, "Branch packets have the alternative encoding.");
    assert_int_equal(etm_lint_values(&s.explain, NULL, 0, NULL), 0);
    bare(&s);
    put_all(&s, a9);
    assert_says(&s, "modes/context ID: 4 bytes of the context ID are traced.");
    assert_says(&s, "modes/return stack: The return stack is on.");
    assert_says(&s, "modes/timestamps: Timestamps are on.");
    assert_says(&s, "Return stack: yes.");
    assert_silent(&s, "data trace");
    assert_silent(&s, "port");
    assert_int_equal(etm_lint_values(&s.explain, NULL, 0, NULL), 0);
}

/* Dumps of a dual Cortex-A9, a Cortex-A7 and a Cortex-A15. */
static void real_dumps_have_no_mistakes(void **state)
{
    static const struct value dumps[][6] = {
        {{0x000, 0x10001000},
         {0x079, 0x411cf301},
         {0x07a, 0x000008ea},
         {0x080, 0x10},
         END},
        {{0x000, 0x10001860},
         {0x079, 0x410cf250},
         {0x07a, 0x344008f2},
         {0x080, 0x12},
         END},
        {{0x000, 0x10001000},
         {0x079, 0x411cf312},
         {0x07a, 0x34c01ac2},
         {0x080, 0x13},
         END},
    };
    struct setting s;
    struct etm_lint lint;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bare(&s);
        put_all(&s, dumps[i]);
        assert_says(&s, "modes/cycle accurate: Tracing is cycle-accurate.");
        assert_says(&s, "modes/timestamps: Timestamps are on.");
        if (etm_lint_values(&s.explain, &lint, 1, NULL) != 0)
            fail_msg("%s", lint.text);
    }
    bare(&s);
    put_all(&s, dumps[1]);
    assert_says(&s, "Trace port: 64 bits wide.");
    assert_says(&s, "Timestamps: 64 bits, binary.");
}

struct numbers {
    const char *subject;
    uint32_t numbers[8];
    size_t n;
};

static int keep_numbers(void *context, const struct etm_explain_line *line)
{
    struct numbers *wanted = context;

    if (strcmp(line->subject, wanted->subject) != 0 ||
        line->topic != ETM_TOPIC_COMPARATORS)
        return 0;
    wanted->n = line->n_registers;
    assert_true(wanted->n <= 8);
    memcpy(wanted->numbers, line->registers,
           wanted->n * sizeof *line->registers);
    return 0;
}

static void assert_numbers(const struct setting *s, const char *subject,
                           size_t n, const uint32_t *numbers)
{
    struct numbers found = {.subject = subject};

    assert_int_equal(etm_explain(&s->explain, keep_numbers, &found, NULL),
                     ETM_OK);
    assert_int_equal(found.n, n);
    assert_memory_equal(found.numbers, numbers, n * sizeof *numbers);
}

/* A sentence names the registers that it comes from. */
static void sentences_have_their_registers(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put_all(&s,
            (const struct value[]){
                {0x009, 2}, {0x007, 0x20}, {0x022, 0x1c}, {0x025, 0x1c}, END});
    assert_numbers(&s, "range 2", 4,
                   (const uint32_t[]){0x012, 0x013, 0x022, 0x023});
    assert_numbers(&s, "address comparator 6", 2,
                   (const uint32_t[]){0x015, 0x025});
    put(&s, 0x022, 0x3c);
    put(&s, 0x007, 0x04);
    assert_numbers(
        &s, "range 2", 6,
        (const uint32_t[]){0x012, 0x013, 0x022, 0x023, 0x032, 0x042});
    assert_numbers(&s, "address comparator 3", 4,
                   (const uint32_t[]){0x012, 0x022, 0x032, 0x042});
}

/* 3.5.6, 3.5.19 */
static void the_system_in_words(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V1_3);
    put(&s, 0x005, 0x1fa);
    assert_says(&s, "macrocell/port: The trace port has up to 16 pins.");
    assert_says(&s, "macrocell/stall: The processor stalls on FIFOFULL.");
    put(&s, 0x005, 0x0fa);
    assert_says(&s, "The processor ignores FIFOFULL.");
    plain(&s, V2_1);
    put(&s, 0x005, 0x20000);
    assert_says(&s, "Comparison of fetches: no.");
    plain(&s, V3_4);
    put(&s, 0x005, 0x201);
    assert_says(&s, "The trace port has up to 2 pins.");
    assert_says(&s, "It can trace 1 processor.");
    assert_says(&s, "40 extended external inputs on 2 selectors,");
    s.macrocell.ccer &= ~0xfffu;
    assert_says(&s, "Further resources: no extended external inputs,");
    assert_says(&s, "Most trace registers are write-only.");
    s.macrocell.ccer |= 1u << 12;
    s.macrocell.ccr &= ~0xf0u;
    assert_says(&s, "Address comparators compare instructions only.");
    plain(&s, PFT1_1);
    put(&s, 0x005, 0x1fa);
    assert_silent(&s, "stalls on");
    assert_silent(&s, "pins");
}

/* What is known of TraceEnable is said even if the rest is not. */
static void a_part_of_trace_enable(void **state)
{
    struct setting s;

    (void)state;
    machine(&s, V3_4);
    put(&s, 0x009, 1);
    assert_says(&s, "Not known without ETMTECR2 and ETMTEEVR: which "
                    "instructions are traced.");
    assert_says(&s, "include: Only traced: range 1 (accesses of unknown type, "
                    "unknown addresses).");
    put(&s, 0x009, 0x01000000);
    assert_silent(&s, "No addresses are excluded");
    put(&s, 0x008, 0x60);
    assert_says(&s, "Enabling event: external input 1 active.");
    put(&s, 0x007, 0);
    assert_says(&s, "No addresses are excluded");
}

/* Table 3-3, note d */
static void write_only_registers_are_reported(void **state)
{
    struct setting s;

    (void)state;
    bare(&s);
    put(&s, 0x001, 0x30994824);
    assert_says(&s, "Not known without ETMTRIGGER, which is write-only: when "
                    "there is a trigger.");
    plain(&s, V3_4); /* ETMCCER[11] is set */
    s.explain.n_registers = 0;
    assert_says(&s, "Not known without ETMTRIGGER:");
}

/* MC-CR-14, MC-CR-15, MC-CR-24, MC-CLK-01 to MC-CLK-12 */
static void modes_by_version(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V1_1);
    put(&s, 0x000, 0xc800);
    assert_silent(&s, "modes/context ID");
    plain(&s, V1_2);
    put(&s, 0x000, 0xb924);
    assert_says(&s, "modes/context ID: 2 bytes of the context ID are traced.");
    assert_says(&s, "Data trace of loads and stores: values.");
    assert_says(
        &s, "Every branch is traced with its address, even a direct branch.");
    assert_says(&s, "Tracing is cycle-accurate.");
    assert_says(&s, "Trace port: 16 bits wide.");
    assert_says(&s, "Trace port: normal format, half-rate");
    put(&s, 0x000, 0x10800);
    assert_says(&s, "Trace port: multiplexed format");
    plain(&s, V3_0);
    put(&s, 0x000, 0x200800);
    assert_says(&s, "Trace port: 1 bit wide.");
    put(&s, 0x000, 0x200860);
    assert_says(&s, "Trace port: size 0xe, which is user-defined.");
    put(&s, 0x000, 0x12870);
    assert_says(&s, "Trace port: size 0x7, which is reserved.");
    assert_says(&s, "Trace port: mode 1:3, a word in three cycles.");
    plain(&s, V3_4);
    put(&s, 0x000, 0x0110080a);
    assert_says(&s, "Data-only mode: no instructions are traced.");
    assert_says(&s, "Data trace of loads and stores: addresses.");
    assert_says(&s, "All coprocessor register transfers are traced.");
    assert_says(&s,
                "Instrumentation instructions work in privileged modes only.");
    plain(&s, V3_0);
    put(&s, 0x078, 0x400);
    assert_says(&s, "Synchronization every 1024 cycles.");
    plain(&s, V3_1);
    put(&s, 0x078, 0x400);
    assert_says(&s, "Synchronization every 1024 bytes of trace.");
}

/* MC-DSC-06 */
static void the_state_in_words(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put_all(&s, (const struct value[]){{0x000, 0xc01},
                                       {0x004, 0xf},
                                       {0x05c, 7},
                                       {0x067, 2},
                                       {0x0c1, 3},
                                       {0x0c5, 3},
                                       {0x3e9, 5},
                                       {0x3ed, 3},
                                       {0x3ee, 0x8c},
                                       END});
    assert_says(&s, "The macrocell is powered down.");
    assert_says(&s, "The programming bit is set: nothing is traced.");
    assert_says(&s, "The programming bit is in effect, and the FIFO is empty.");
    assert_says(&s, "The FIFO has overflowed, which the trace does not show "
                    "yet.");
    assert_says(&s, "The start/stop block is on.");
    assert_says(&s, "The trigger has occurred.");
    assert_says(&s, "Counter 1 is at 7.");
    assert_says(&s, "The sequencer is in state 3.");
    assert_says(&s, "OS lock: set, nothing is traced.");
    assert_says(&s, "The trace registers have power, but lost their state.");
    assert_says(&s, "Claim tag: 0x05.");
    assert_says(&s, "Software lock: set, software cannot write registers.");
    assert_says(&s, "Non-invasive debug: Non-secure enabled, Secure "
                    "disabled.");
    put_all(&s, (const struct value[]){{0x000, 0x800},
                                       {0x004, 0},
                                       {0x067, 3},
                                       {0x0c1, 1},
                                       {0x0c5, 1},
                                       {0x3e9, 0},
                                       {0x3ed, 0},
                                       END});
    assert_says(&s, "The macrocell is powered up.");
    assert_says(&s, "The programming bit is clear: tracing is allowed.");
    assert_says(&s, "The programming bit is not in effect.");
    assert_says(&s, "No overflow is pending.");
    assert_says(&s, "The start/stop block is off.");
    assert_says(&s, "The trigger has not occurred yet.");
    assert_says(&s, "The sequencer is in a reserved state.");
    assert_says(&s, "OS lock: clear.");
    assert_says(&s, "The trace registers have power and can be accessed.");
    assert_says(&s, "Claim tag: 0x00, the macrocell is not claimed.");
    assert_says(&s, "Software lock: none for the access that read this.");
    /* E-333: of v3.5 it is another bit that tells of an OS lock */
    plain(&s, V3_5);
    put(&s, 0x0c1, 0xa);
    assert_says(&s, "OS lock: set, nothing is traced.");
    put(&s, 0x0c1, 8);
    assert_says(&s, "OS lock: clear.");
    put(&s, 0x0c1, 0);
    assert_says(&s, "OS lock: not implemented.");
    /* MC-SR-01: bits by version */
    plain(&s, V1_1);
    put(&s, 0x004, 0xf);
    assert_says(&s, "The FIFO has overflowed");
    assert_silent(&s, "in effect");
    plain(&s, V3_0);
    put(&s, 0x004, 0xf);
    assert_says(&s, "The programming bit is in effect.");
    assert_silent(&s, "The trigger has");
}

/* Nothing that registers hold makes it fail. */
static void any_value_can_be_explained(void **state)
{
    uint64_t x = 1;

    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        struct setting s;
        struct sentences all;
        struct etm_lint lints[LINTS];

        machine(&s, all_versions[round % N_VERSIONS]);
        for (uint32_t i = 0; i < 120; i++) {
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            put(&s, (uint32_t)(x >> 33) % 0x92, (uint32_t)(x >> 29));
        }
        for (size_t i = 0; i < s.explain.n_registers; i++) {
            uint32_t n = s.registers[i].number;

            /* what it is stays what it is */
            if (n == 0x079 || n == 0x001 || n == 0x07a || n == 0x005)
                s.registers[i].number = 0x000;
        }
        assert_true(strlen(explained(&s, &all)) > 200);
        assert_true(etm_lint_values(&s.explain, lints, LINTS, NULL) >= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_comes_first),
        cmocka_unit_test(etmidr_of_0_is_that_of_a_version_1),
        cmocka_unit_test(no_version_is_an_error),
        cmocka_unit_test(the_listener_may_stop),
        cmocka_unit_test(resources_in_words),
        cmocka_unit_test(what_a_dump_lacks_is_not_known),
        cmocka_unit_test(real_dumps_have_no_mistakes),
        cmocka_unit_test(sentences_have_their_registers),
        cmocka_unit_test(the_system_in_words),
        cmocka_unit_test(a_part_of_trace_enable),
        cmocka_unit_test(write_only_registers_are_reported),
        cmocka_unit_test(modes_by_version),
        cmocka_unit_test(the_state_in_words),
        cmocka_unit_test(any_value_can_be_explained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
