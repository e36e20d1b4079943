/* SPDX-License-Identifier: Apache-2.0 */
/* Registers in words: events, comparators, what is traced. */
#include "explain_util.h"

static void assert_words(uint32_t event, const char *words)
{
    char text[256];

    assert_string_equal(etm_event_words(event, text, sizeof text), words);
}

/* TV-EVT-01 to TV-EVT-07, MC-DSC-01; 3.6.3 */
static void events_in_words(void **state)
{
    (void)state;
    assert_words(0x08941, "counter 2 at zero and address in range 3");
    assert_words(0x00052, "sequencer in state 3");
    assert_words(0x0006f, "always");
    assert_words(0x0406f, "never");
    assert_words(0x03fd2, "sequencer in state 3");
    assert_words(0x0c001, "address comparator 2 not matching and address "
                          "comparator 1 matching");
    assert_words(0x08080, "address comparator 1 matching and address "
                          "comparator 2 matching");
    assert_words(0x0005f, "start/stop block on");
    assert_words(0x0005b, "VMID comparator matching"); /* E-210 */
    assert_words(0x0405b, "VMID comparator not matching");
    assert_words(0x0406e, "tracing not prohibited");
    assert_words(0x0006d, "processor in Non-secure state");
    assert_words(0x0007f, "the reserved resource 0x7f");
}

/* MC-EVT-02 to MC-EVT-09: A is external input 1, B external input 2 */
static void all_functions_of_events(void **state)
{
    static const char *const words[8] = {
        "external input 1 active",
        "external input 1 inactive",
        "external input 1 active and external input 2 active",
        "external input 1 inactive and external input 2 active",
        "external input 1 inactive and external input 2 inactive",
        "external input 1 active or external input 2 active",
        "external input 1 inactive or external input 2 active",
        "external input 1 inactive or external input 2 inactive",
    };

    (void)state;
    for (uint32_t f = 0; f < 8; f++)
        assert_words(f << 14 | 0x61 << 7 | 0x60, words[f]);
}

/* What is always true or stands there twice is not mentioned. */
static void constants_fold_away(void **state)
{
    (void)state;
    assert_words(2 << 14 | 0x6f << 7 | 0x40, "counter 1 at zero");
    assert_words(2 << 14 | 0x40 << 7 | 0x6f, "counter 1 at zero");
    assert_words(3 << 14 | 0x6f << 7 | 0x40, "counter 1 not at zero");
    assert_words(3 << 14 | 0x40 << 7 | 0x6f, "never");
    assert_words(4 << 14 | 0x6f << 7 | 0x40, "never");
    assert_words(5 << 14 | 0x6f << 7 | 0x40, "always");
    assert_words(6 << 14 | 0x40 << 7 | 0x6f, "counter 1 at zero");
    assert_words(7 << 14 | 0x40 << 7 | 0x6f, "counter 1 not at zero");
    assert_words(2 << 14 | 0x40 << 7 | 0x40, "counter 1 at zero");
    assert_words(3 << 14 | 0x40 << 7 | 0x40, "never");
    assert_words(6 << 14 | 0x40 << 7 | 0x40, "always");
}

static void words_are_cut_where_there_is_no_room(void **state)
{
    char text[8] = "xxxxxxx";

    (void)state;
    assert_string_equal(etm_event_words(0x40, text, sizeof text), "counter");
    assert_string_equal(etm_event_words(0x40, text, 1), "");
    assert_ptr_equal(etm_event_words(0x40, text, 0), text);
}

static void example(struct setting *s, unsigned version)
{
    static const struct value values[] = {{0x010, 0x1000},  {0x011, 0x1008},
                                          {0x012, 0x2000},  {0x013, 0x2008},
                                          {0x020, 0x19},    {0x021, 0x19},
                                          {0x022, 0x1e},    {0x023, 0x1e},
                                          {0x002, 0x08890}, END};

    plain(s, version);
    put_all(s, values);
}

/* TV-CMP-05 to TV-CMP-08, MC-DSC-05; 2.7.10: two ranges */
static void the_example_of_comparators(void **state)
{
    struct setting s;

    (void)state;
    example(&s, V1_2);
    assert_says(&s, "trigger/event: Trigger: address in range 1 and address in "
                    "range 2.");
    assert_says(&s, "comparators/range 1: Range 1: instruction executed in "
                    "[0x00001000, 0x00001008), size ARM.");
    assert_says(&s, "comparators/range 2: Range 2: store whose address is in "
                    "[0x00002000, 0x00002008), by words.");
    example(&s, V3_4);
    assert_says(&s, "Range 1: instruction executed in [0x00001000, "
                    "0x00001008), size ARM, not exact.");
    assert_says(&s, "Range 2: store that touches [0x00002000, 0x00002008), by "
                    "words, not exact.");
    /* with its value, by the second data comparator */
    put(&s, 0x022, 0x3e);
    put(&s, 0x032, 0x12345678);
    put(&s, 0x042, 0);
    assert_says(&s, "by words, value 0x12345678, not exact.");
    put(&s, 0x022, 0x7e);
    put(&s, 0x032, 0x12340000);
    put(&s, 0x042, 0x0000ffff);
    assert_says(&s, "by words, value other than 0x1234xxxx, not exact.");
    put(&s, 0x042, 0x00000003);
    put(&s, 0x032, 0x12345670);
    assert_says(&s, "value other than 0x12345670 with the bits 0x3 ignored");
}

/* TV-VD-01 to TV-VD-04, MC-DSC-04; 3.7.1 */
static void the_example_of_view_data(void **state)
{
    static const struct value values[] = {{0x000, 0x80c},      {0x00c, 0x52},
                                          {0x00d, 0x000c0000}, {0x00e, 0},
                                          {0x00f, 1},          {0x010, 0x8000},
                                          {0x011, 0x8100},     {0x012, 0x8074},
                                          {0x013, 0x8090},     {0x020, 0x1c},
                                          {0x021, 0x1c},       {0x022, 0x1c},
                                          {0x023, 0x1c},       END};
    struct setting s;

    (void)state;
    plain(&s, V2_0);
    put_all(&s, values);
    assert_says(&s, "data trace/mode: Mixed mode:");
    assert_says(&s,
                "data trace/include: Included: range 1 (load or store whose "
                "address is in [0x00008000, 0x00008100), by words, not "
                "exact).");
    assert_says(&s, "data trace/exclude: Excluded: address comparator 3 (load "
                    "or store whose address is in the word at 0x00008074, not "
                    "exact) or address comparator 4 (load or store whose "
                    "address is in the word at 0x00008090, not exact).");
    assert_says(&s, "data trace/enabling event: Enabling event: sequencer in "
                    "state 3.");
    assert_says(&s, "data trace/precision: ViewData is imprecise: its enabling "
                    "event can change (sequencer in state 3).");
    assert_says(&s, "Coprocessor register transfers: none.");
    /* TV-VD-07 */
    put(&s, 0x00d, 0);
    put(&s, 0x00f, 0x10000);
    put(&s, 0x00c, 0x6f);
    assert_says(&s, "data trace/mode: Exclude-only mode: all transfers that "
                    "are not excluded are traced.");
    assert_says(&s, "data trace/exclude: Nothing is excluded.");
    assert_says(&s, "data trace/precision: ViewData is precise.");
    assert_silent(&s, "data trace/include");
    /* TV-VD-08: mixed, and nothing included */
    put(&s, 0x00f, 0);
    assert_says(&s, "Nothing is included: no data are traced.");
}

/* TV-VD-10 */
static void coprocessor_transfers_by_version(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_0);
    put(&s, 0x000, 0x802);
    assert_says(&s, "data trace/coprocessor transfers: Coprocessor register "
                    "transfers: all, whatever ViewData is.");
    put(&s, 0x000, 0x80802);
    assert_says(&s, "transfers: those for which ViewData is active.");
    put(&s, 0x000, 0x8080c);
    assert_says(&s, "transfers: none (filtering them");
    plain(&s, V2_1);
    put(&s, 0x000, 0x80802);
    assert_says(&s, "transfers: all, whatever ViewData is.");
}

static void function_x(struct setting *s)
{
    static const struct value values[] = {
        {0x008, 0x6f},   {0x009, 0x0300000c}, {0x006, 0x000e0001},
        {0x007, 0},      {0x010, 0x8000},     {0x011, 0x8020},
        {0x012, 0x8038}, {0x013, 0x8044},     {0x014, 0x8100},
        {0x015, 0x8180}, {0x016, 0x9000},     {0x017, 0xb000},
        {0x020, 0x19},   {0x021, 0x19},       {0x022, 0x19},
        {0x023, 0x19},   {0x024, 0x19},       {0x025, 0x19},
        {0x026, 0x19},   {0x027, 0x19},       END};

    put_all(s, values);
}

/* TV-TE-01 to TV-TE-06, MC-DSC-03; 3.7.2 */
static void the_example_of_trace_enable(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V1_2);
    function_x(&s);
    assert_says(
        &s, "instruction trace/exclude: Everything is traced except range 3 "
            "(instruction executed in [0x00008100, 0x00008180), size ARM) "
            "and range 4 (instruction executed in [0x00009000, "
            "0x0000b000), size ARM).");
    assert_says(&s,
                "instruction trace/start/stop: Only traced while started by "
                "address comparator 1 (instruction executed at 0x00008000, "
                "size ARM); the start/stop block is stopped by address "
                "comparator 2 (instruction executed at 0x00008020, size ARM), "
                "address comparator 3 (instruction executed at 0x00008038, "
                "size ARM) or address comparator 4 (instruction executed at "
                "0x00008044, size ARM).");
    assert_says(&s, "instruction trace/enabling event: Enabling event: "
                    "always.");
    assert_says(&s, "instruction trace/precision: TraceEnable is precise.");
}

/* TV-TE-07 */
static void everything_and_nothing(void **state)
{
    struct setting s;

    (void)state;
    for (size_t i = 0; i < N_VERSIONS; i++) {
        plain(&s, all_versions[i]);
        assert_says(&s, "instruction trace/what: All instructions are "
                        "traced.");
        assert_says(&s, "instruction trace/exclude: No addresses are "
                        "excluded.");
        assert_says(&s, "trigger/event: Trigger: never.");
        put(&s, 0x008, 0x406f);
        assert_says(&s, "instruction trace/what: Nothing is traced: the "
                        "enabling event never happens.");
        put(&s, 0x009, 0);
        assert_says(&s, "instruction trace/include: No addresses are "
                        "included: nothing is traced.");
    }
}

static int one_function(void *context, uint32_t address,
                        struct etm_symbol *symbol)
{
    (void)context;
    if (address < 0x8100 || address >= 0x8180)
        return ETM_ERR_NOT_FOUND;
    symbol->name = "sort";
    symbol->offset = address - 0x8100;
    symbol->size = 0x7e;
    return ETM_OK;
}

static void addresses_have_names(void **state)
{
    const struct etm_names names = {.symbol = one_function};
    struct setting s;

    (void)state;
    plain(&s, V1_2);
    function_x(&s);
    s.explain.names = &names;
    assert_says(&s, "range 3 (instruction executed in function sort, "
                    "[0x00008100, 0x00008180), size ARM)");
    assert_says(&s, "in [0x00009000, 0x0000b000)");
    put(&s, 0x014, 0x8104);
    assert_says(&s, "range 3 (instruction executed in [0x00008104 (sort+0x4), "
                    "0x00008180), size ARM)");
    put(&s, 0x010, 0x8100);
    assert_says(&s, "address comparator 1 (instruction executed at 0x00008100 "
                    "(sort), size ARM)");
}

/* 2.7.7, TV-ADR-11 */
static void a_range_to_the_top_of_memory(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put_all(&s, (const struct value[]){{0x009, 1},
                                       {0x010, 0xffff0000},
                                       {0x011, 0xffffffff},
                                       {0x020, 0x09},
                                       {0x021, 0x19},
                                       END});
    assert_says(&s, "Only traced: range 1 (instruction executed in 0xffff0000 "
                    "to the top of memory, size Thumb, not exact).");
    put(&s, 0x021, 0x09);
    assert_says(&s, "in [0xffff0000, 0xffffffff)");
}

/* TV-DVC-01, -02, -05, -06: one value, as three kinds of versions want it */
static void data_values_by_version(void **state)
{
    struct setting s;
    const struct value values[] = {{0x007, 1},          {0x010, 0x1002},
                                   {0x020, 0x24},       {0x030, 0x00ab0000},
                                   {0x040, 0xff00ffff}, END};

    (void)state;
    plain(&s, V1_3);
    put_all(&s, values);
    assert_says(&s, "load or store whose address is 0x00001002, value 0xab on "
                    "bits [23:16] of the data bus.");
    put(&s, 0x040, 0x0000ffff);
    put(&s, 0x030, 0x12ab0000);
    assert_says(&s, "value 0x12ab on bits [31:16] of the data bus.");
    plain(&s, V2_0);
    put_all(&s, values);
    put(&s, 0x030, 0xab);
    put(&s, 0x040, 0xffffff00);
    assert_says(&s, "whose address is 0x00001002, value 0xab, not exact.");
    /* lanes above the byte that are compared as well */
    put(&s, 0x040, 0);
    assert_says(&s, "value 0x000000ab, not exact.");
    plain(&s, V3_3);
    put_all(&s, values);
    put(&s, 0x030, 0xabababab);
    put(&s, 0x040, 0);
    assert_says(&s, "load or store that touches the byte at 0x00001002, value "
                    "0xab, not exact.");
    put(&s, 0x040, 0x0f0f0f0f);
    put(&s, 0x030, 0xa0a0a0a0);
    assert_says(&s, "value 0xax, not exact.");
}

/* MC-DSC-05; MC-FLD-13, MC-FLD-14 */
static void conditions_of_comparators(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put(&s, 0x007, 1);
    put(&s, 0x010, 0x8000);
    put(&s, 0x020, 0x19a);
    assert_says(&s, "instruction that passed its condition at 0x00008000, "
                    "size ARM, context ID of comparator 1, exact match");
    put(&s, 0x06c, 0x00120000);
    put(&s, 0x06f, 0x0000ffff);
    put(&s, 0x020, 0x51b);
    assert_says(&s, "instruction that failed its condition at 0x00008000, "
                    "size ARM, context ID 0x0012xxxx, Non-secure only, not "
                    "exact");
    assert_says(&s, "comparators/context ID comparator 1: Context ID "
                    "comparator 1: 0x0012xxxx.");
    put(&s, 0x020, 0x818);
    assert_says(&s, "instruction fetched at 0x00008000, size ARM, Secure "
                    "only)");
    /* v3.5: modes of each state */
    plain(&s, PFT1_1);
    put(&s, 0x002, 0x00);
    put(&s, 0x010, 0x8000);
    put(&s, 0x020, 0x3c01 | 0x18);
    assert_says(&s, "Address comparator 1: instruction executed at 0x00008000, "
                    "size ARM, in User mode only.");
    put(&s, 0x020, 0x2401 | 0x18);
    assert_says(&s, "Non-secure: not in User mode, Secure: never.");
}

static void counters_and_sequencer(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put_all(&s, (const struct value[]){{0x002, 0x40},
                                       {0x050, 4},
                                       {0x054, 0x02},
                                       {0x058, 0x406f},
                                       {0x051, 10},
                                       {0x055, 0x6f},
                                       {0x059, 0x41},
                                       END});
    assert_says(&s, "trigger/event: Trigger: counter 1 at zero.");
    assert_says(&s, "counters/counter 1: Counter 1: counts down from 4; "
                    "enable event: address comparator 3 matching; reload "
                    "event: never.\n");
    assert_says(&s, "Counter 2: counts down from 10; enable event: always; "
                    "reload event: counter 2 at zero. Nothing uses it.");
    /* v1.x, bit 17 clear: the event does not matter */
    plain(&s, V1_2);
    put_all(
        &s,
        (const struct value[]){
            {0x002, 0x40}, {0x050, 4}, {0x054, 0x0406f}, {0x058, 0x406f}, END});
    assert_says(&s, "enable event: always; reload event: never.");
    put(&s, 0x054, 0x2406f);
    assert_says(&s, "enable event: never; reload event: never.");

    /* TV-SEQ-01 */
    plain(&s, V3_4);
    put_all(&s, (const struct value[]){{0x002, 0x52},
                                       {0x060, 0x0c001},
                                       {0x061, 0x406f},
                                       {0x062, 0x00001},
                                       {0x063, 0x406f},
                                       {0x064, 0x406f},
                                       {0x065, 0x08080},
                                       END});
    assert_says(&s, "sequencer/state 1 to 2: State 1 to 2: address comparator "
                    "2 not matching and address comparator 1 matching.");
    assert_says(&s, "State 2 to 3: address comparator 2 matching.");
    assert_says(&s, "State 3 to 1: never.");
    for (uint32_t n = 0x060; n <= 0x065; n++)
        put(&s, n, 0x406f);
    put(&s, 0x002, 0x406f);
    assert_says(&s, "sequencer/unused: The sequencer is not used.");
}

/* MC-FIFO-05, MC-FIFO-06, TV-TE-08, TV-ACC-09 */
static void what_is_done_against_overflow(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_2);
    assert_says(&s, "FIFO/overflow: Nothing prevents");
    put(&s, 0x000, 0x880);
    put(&s, 0x00b, 15);
    put(&s, 0x00a, 0x01000000);
    assert_says(&s, "FIFO/stall: The processor is stalled");
    assert_says(&s, "FIFO/region: It may stall everywhere.");
    assert_says(&s, "FIFO/level: Nearly full: fewer than 15 bytes are free.");
    put(&s, 0x00a, 0x00000205);
    assert_says(&s, "It may stall only in ranges 1 and 3, memory map decoder "
                    "2.");
    s.macrocell.ccr &= ~UINT32_C(0x1fff); /* as an ETM-M3: E-403 */
    assert_says(&s, "FIFO/region: It may stall everywhere.");
    s.macrocell.ccr = CCR_ETM;
    put(&s, 0x000, 0x40800);
    assert_says(&s, "FIFO/suppress: Data trace is suppressed");
    assert_silent(&s, "FIFO/region");
}

static void outputs_inputs_and_timestamps(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_5);
    put_all(&s, (const struct value[]){{0x068, 0x60},
                                       {0x069, 0x406f},
                                       {0x07b, 0x2105},
                                       {0x07d, 0x5},
                                       {0x07e, 0x40},
                                       END});
    assert_says(&s, "External output 1: external input 1 active.");
    assert_says(&s, "External output 2: never.");
    assert_says(&s, "Extended external input selector 1: input 5.");
    assert_says(&s, "Extended external input selector 2: input 33.");
    assert_says(&s, "EmbeddedICE comparators in latch mode: 1 and 3;");
    assert_says(
        &s, "Timestamp request: counter 1 at zero (but timestamps are off).");
    put(&s, 0x000, 0x10000800);
    assert_says(&s, "Timestamp request: counter 1 at zero.");
    /* without ETMEIBCR, it matters where one is used */
    plain(&s, V3_4);
    assert_silent(&s, "ETMEIBCR");
    put(&s, 0x008, 0x20);
    assert_says(&s, "Not known without ETMEIBCR: whether EmbeddedICE "
                    "comparators pulse or are latched.");
}

static void nothing_is_an_invalid_argument(void **state)
{
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_explain(NULL, NULL, NULL, &diag), ETM_ERR_ARGUMENT);
    assert_string_not_equal(diag.what, "");
    assert_int_equal(etm_lint_values(NULL, NULL, 0, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_accesses(NULL, NULL, 0, NULL, 0, NULL),
                     ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_in_words),
        cmocka_unit_test(all_functions_of_events),
        cmocka_unit_test(constants_fold_away),
        cmocka_unit_test(words_are_cut_where_there_is_no_room),
        cmocka_unit_test(the_example_of_comparators),
        cmocka_unit_test(the_example_of_view_data),
        cmocka_unit_test(coprocessor_transfers_by_version),
        cmocka_unit_test(the_example_of_trace_enable),
        cmocka_unit_test(everything_and_nothing),
        cmocka_unit_test(addresses_have_names),
        cmocka_unit_test(a_range_to_the_top_of_memory),
        cmocka_unit_test(data_values_by_version),
        cmocka_unit_test(conditions_of_comparators),
        cmocka_unit_test(counters_and_sequencer),
        cmocka_unit_test(what_is_done_against_overflow),
        cmocka_unit_test(outputs_inputs_and_timestamps),
        cmocka_unit_test(nothing_is_an_invalid_argument),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
