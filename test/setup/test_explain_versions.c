/* SPDX-License-Identifier: Apache-2.0 */
/* Where a version changes what registers mean, or what is a mistake: the last
   one before and the first one after. */
#include "lint_util.h"

/* The first version says so, the one before does not. */
static void from(unsigned before, unsigned first, const struct value *values,
                 const char *line)
{
    struct setting s;

    plain(&s, before);
    put_all(&s, values);
    assert_silent(&s, line);
    plain(&s, first);
    put_all(&s, values);
    assert_says(&s, line);
}

/* 2.7.2, 2.7.3 */
static void comparisons_of_data_addresses(void **state)
{
    const struct value *single =
        VALUES({0x007, 1}, {0x010, 0x2000}, {0x020, 0x1c});
    const struct value *range =
        VALUES({0x009, 1}, {0x010, 0x2000}, {0x011, 0x2010}, {0x020, 0x14},
               {0x021, 0x14});

    (void)state;
    from(V3_0, V3_1, single, "load or store that touches the word at");
    from(V3_0, V3_1, range, "load or store that touches [0x00002000");
    from(V1_1, V1_2, VALUES({0x009, 1}, {0x020, 0x1a}), "passed its condition");
    from(V1_3, V2_0, VALUES({0x007, 1}, {0x020, 0x19}), "not exact");
    from(V1_3, V2_0, VALUES({0x007, 1}, {0x020, 0x319}),
         "context ID of comparator 3");
    from(V3_1, V3_2, VALUES({0x007, 1}, {0x020, 0x419}), "Non-secure only");
}

static void modes_begin_with_a_version(void **state)
{
    (void)state;
    from(V2_1, V3_0, VALUES({0x000, 0x80802}),
         "Coprocessor register transfers are traced where data are.");
    from(V3_0, V3_1, VALUES({0x000, 0x100804}), "Data-only mode");
    from(V3_0, V3_1, VALUES({0x000, 0x400800}), "A debugger cannot write");
    from(V3_1, V3_2, VALUES({0x000, 0x800800}), "Software cannot write");
    from(V3_4, V3_5, VALUES({0x000, 0x10000800}), "Timestamps are on.");
    from(V3_5, PFT1_0, VALUES({0x000, 0x20000000}), "The return stack is on.");
    from(PFT1_0, PFT1_1, VALUES({0x000, 0x40000000}),
         "The virtual machine identifier is traced.");
    from(V1_3, V2_0, VALUES({0x078, 0x400}), "every 1024 cycles");
    from(V3_0, V3_1, VALUES({0x078, 0x400}), "every 1024 bytes of trace");
    from(V3_1, V3_2, VALUES({0x080, 0x11}), "Trace ID 0x11.");
    from(V1_1, V1_2, VALUES({0x000, 0x10800}), "multiplexed format");
    from(V3_1, V3_2, VALUES({0x005, 0x1000}),
         "It can trace 2 processors, one "
         "at a time.");
    from(V3_1, V3_2, VALUES({0x000, 0x02000800}, {0x005, 0x1000}),
         "Processor 1 is selected.");
    from(V3_3, V3_4, VALUES({0x000, 0x800}),
         "4 EmbeddedICE comparators, which can start and stop tracing, with a "
         "choice of pulse or latch mode");
    from(V3_2, V3_3, VALUES({0x000, 0x800}), "2 instrumentation resources");
    from(V1_3, V2_0, VALUES({0x070, 0x35}),
         "Implementer's extensions: 0x5, of which 0x3 are on.");
}

static void state_begins_with_a_version(void **state)
{
    (void)state;
    from(V1_0, V1_1, VALUES({0x004, 1}), "The FIFO has overflowed");
    from(V1_1, V1_2, VALUES({0x004, 4}), "The start/stop block is on.");
    from(V3_0, V3_1, VALUES({0x004, 8}), "The trigger has occurred.");
    from(V3_1, V3_2, VALUES({0x004, 2}), "and the FIFO is empty");
    from(V3_2, V3_3, VALUES({0x0c5, 1}), "have power and can be accessed");
    from(V3_2, V3_3, VALUES({0x0c1, 3}), "OS lock: set");
}

static void without_the_block_there_is_no_state_of_it(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    s.macrocell.ccr &= ~(1u << 26);
    put(&s, 0x004, 4);
    assert_silent(&s, "The start/stop block");
    plain(&s, V3_4);
    s.macrocell.ccer &= ~(1u << 21);
    put(&s, 0x07d, 1);
    assert_silent(&s, "EmbeddedICE comparators in latch mode");
    s.macrocell.ccer |= 1u << 21;
    assert_says(&s, "EmbeddedICE comparators in latch mode: 1;");
    plain(&s, V3_3);
    s.macrocell.ccer |= 1u << 21;
    put(&s, 0x07d, 1);
    assert_silent(&s, "latch mode");
}

static void each_context_id_comparator_is_found(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 2; i++) {
        struct setting s;
        char line[80];

        plain(&s, V3_4);
        put_all(&s, VALUES({0x007, 1}, {0x06c, 0x100}, {0x06d, 0x200},
                           {0x06f, 0xff}));
        put(&s, 0x020, 0x19 | i << 8);
        (void)snprintf(line, sizeof line,
                       "Context ID comparator %u: 0x00000%uxx.", (unsigned)i,
                       (unsigned)i);
        assert_says(&s, line);
        (void)snprintf(line, sizeof line,
                       "Context ID comparator %u:", 3 - (unsigned)i);
        assert_silent(&s, line);
        /* ETMCCR[25:24]: there is only the first */
        s.macrocell.ccr = (s.macrocell.ccr & ~(3u << 24)) | 1u << 24;
        if (i == 2)
            assert_silent(&s, "Context ID comparator 2:");
    }
}

/* What is known in part. */
static void halves_of_what_belongs_together(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    /* an external output may look at them */
    assert_says(&s, "counters/counters: Not known without ETMCNTRLDVR1,");
    assert_says(&s, "sequencer/transitions: Not known without ETMSQ12EVR,");
    put_all(&s, VALUES({0x068, 0x406f}, {0x069, 0x60}));
    assert_silent(&s, "counters/");
    assert_silent(&s, "sequencer/");
    put(&s, 0x050, 7);
    assert_says(&s, "Not known without ETMCNTENR1 and ETMCNTRLDEVR1: what the "
                    "counter counts.");
    assert_silent(&s, "Counter 1:");
    plain(&s, V3_4);
    put(&s, 0x002, 0x41);
    assert_says(&s, "ETMCNTRLDVR1, ETMCNTRLDVR2, ETMCNTENR1,");
    plain(&s, V3_4);
    put(&s, 0x009, 0x03000000);
    assert_says(&s, "Not known without ETMTSSCR and ETMTESSEICR: where the "
                    "start/stop block starts and stops.");
    put(&s, 0x006, 0x00020001);
    assert_says(&s, "Not known without ETMTESSEICR: where");
    put(&s, 0x07c, 0x00040008);
    assert_says(&s, "or EmbeddedICE comparator 4; the start/stop block is "
                    "stopped by address comparator 2");
    plain(&s, V3_4);
    put_all(&s,
            VALUES({0x007, 1}, {0x010, 0x2000}, {0x020, 0x3c}, {0x030, 0x12}));
    assert_says(&s, "value that is not known");
    assert_int_equal(linted(&s, ETM_LINT_VALUE_UNDER_MASK, NULL), 0);
    put(&s, 0x040, 0x2);
    assert_says(&s, "value 0x00000012 with the bits 0x2 ignored");
    assert_int_equal(linted(&s, ETM_LINT_VALUE_UNDER_MASK, NULL), 1);
    /* ViewData: the event is known, the rest is not */
    plain(&s, V3_4);
    put_all(&s, VALUES({0x000, 0x804}, {0x00c, 0x60}));
    assert_says(&s, "Not known without ETMVDCR1, ETMVDCR3 and ETMVDCR2: which "
                    "data are traced.");
    assert_says(&s, "data trace/enabling event: Enabling event: external input "
                    "1 active.");
    assert_silent(&s, "data trace/mode");
}

/* The first version that has the rule. */
static void rules_begin_with_a_version(void **state)
{
    struct setting s;
    struct etm_lint lint;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        plain(&s, i == 0 ? V2_0 : V2_1);
        put_all(&s, VALUES({0x007, 1}, {0x020, 0x18}));
        s.macrocell.scr |= 1u << 17;
        assert_int_equal(linted(&s, ETM_LINT_NO_FETCH, NULL), i);
    }
    for (unsigned i = 0; i < 2; i++) {
        plain(&s, i == 0 ? V3_2 : V3_3);
        put_all(&s, VALUES({0x007, 1}, {0x020, 0x1c}));
        s.macrocell.ccer |= 1u << 12;
        s.macrocell.ccr &= ~0xf0u;
        assert_int_equal(linted(&s, ETM_LINT_NO_DATA_ADDRESS, NULL), i);
    }
    never(V3_1, ETM_LINT_RESERVED_TYPE, VALUES({0x007, 1}, {0x020, 0xc19}));
    both(V3_2, ETM_LINT_RESERVED_TYPE, U, VALUES({0x007, 1}, {0x020, 0xc19}),
         VALUES({0x007, 1}, {0x020, 0x819}));
    never(V3_5, ETM_LINT_RESERVED_TYPE, VALUES({0x007, 1}, {0x020, 0xc19}));
    both(V1_2, ETM_LINT_RESERVED_TYPE, U, VALUES({0x007, 1}, {0x020, 0x5c}),
         VALUES({0x007, 1}, {0x020, 0x7c}));
    plain(&s, V3_4);
    put_all(&s, VALUES({0x009, 2}, {0x012, 0x1000}, {0x013, 0xffffffff},
                       {0x022, 0x09}, {0x023, 0x09}));
    assert_int_equal(linted(&s, ETM_LINT_RANGE_TOP, &lint), 1);
    assert_int_equal(lint.number, 0x023);
    assert_string_equal(lint.section, "2.7.7");
}

/* Table 3-6 */
static void all_sizes_of_the_port(void **state)
{
    static const char *const sizes[16] = {
        "4 bits wide",  "8 bits wide",  "16 bits wide", "24 bits wide",
        "32 bits wide", "48 bits wide", "64 bits wide", "reserved",
        "1 bit wide",   "2 bits wide",  "reserved",     "reserved",
        "reserved",     "reserved",     "user-defined", "user-defined"};

    (void)state;
    for (uint32_t code = 0; code < 16; code++) {
        struct setting s;
        struct etm_lint lint = {0};
        bool reserved = strcmp(sizes[code], "reserved") == 0;

        plain(&s, V3_4);
        put(&s, 0x000, 0x800 | (code & 7) << 4 | code >> 3 << 21);
        assert_says(&s, sizes[code]);
        (void)linted(&s, ETM_LINT_PORT, &lint);
        assert_int_equal(strstr(lint.text, "reserved") != NULL, reserved);
        if (code <= 2) {
            plain(&s, V1_0);
            put(&s, 0x000, 0x800 | code << 4);
            assert_says(&s, sizes[code]);
        } else if (code <= 7) {
            plain(&s, V2_1);
            put(&s, 0x000, 0x800 | code << 4);
            assert_says(&s, "which is reserved");
        }
    }
}

static int function(void *context, uint32_t address, struct etm_symbol *symbol)
{
    const struct etm_symbol *one = context;

    *symbol = *one;
    symbol->offset = address - 0x8000 + one->offset;
    return address >= 0x8000 && address < 0x8100 ? ETM_OK : ETM_ERR_NOT_FOUND;
}

static void a_name_for_a_range_needs_the_whole_function(void **state)
{
    struct etm_symbol symbol = {.name = "f", .size = 0x40};
    const struct etm_names names = {.symbol = function, .context = &symbol};
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    s.explain.names = &names;
    put_all(&s, VALUES({0x009, 1}, {0x010, 0x8000}, {0x011, 0x8040},
                       {0x020, 0x19}, {0x021, 0x19}));
    assert_says(&s, "function f, [0x00008000, 0x00008040)");
    put(&s, 0x011, 0x803c); /* a part of it */
    assert_silent(&s, "function f");
    put(&s, 0x011, 0x8044); /* more than it */
    assert_silent(&s, "function f");
    symbol.size = 0x41; /* padded */
    assert_says(&s, "function f");
    symbol.size = 0; /* not known */
    assert_silent(&s, "function f");
    symbol.size = 0x44;
    symbol.offset = 4; /* begins before it */
    assert_silent(&s, "function f");
}

/* ETMCCER[27]: one register, and a memory listing has zeros for the others. */
static void a_counter_of_reduced_function_counts_cycles(void **state)
{
    struct setting s;

    (void)state;
    for (unsigned listing = 0; listing < 2; listing++) {
        plain(&s, V3_5);
        s.macrocell.ccer |= UINT32_C(1) << 27;
        put(&s, 0x002, 0x40);
        put(&s, 0x050, 99);
        if (listing)
            put_all(&s, (const struct value[]){
                            {0x054, 0}, {0x058, 0}, {0x05c, 0}, END});
        assert_says(&s, "Counter 1: counts down from 99 in every cycle and "
                        "reloads itself at zero.");
        assert_silent(&s,
                      "counters/counter 1: Counter 1: counts down from 99;");
        assert_silent(&s, "Counter 1 is at");
        assert_silent(&s, "comparators/address comparator 1");
    }
    put(&s, 0x002, 0x406f);
    assert_says(&s, "reloads itself at zero. Nothing uses it.");
}

/* Zeros in their places are no events that address comparator 1 has. */
static void registers_that_do_not_exist_say_nothing(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_3);
    put_all(&s, (const struct value[]){{0x010, 0x8000},
                                       {0x020, 0x2},
                                       {0x052, 0},
                                       {0x056, 0},
                                       {0x05a, 0},
                                       {0x05e, 0},
                                       {0x06a, 0},
                                       {0x06b, 0},
                                       END});
    assert_silent(&s, "Counter 3");
    assert_silent(&s, "Address comparator 1:");
    assert_says(&s, "Nothing uses address comparators 1 to 8.");
    put(&s, 0x069, 0); /* there are two outputs */
    assert_says(&s, "Address comparator 1:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_of_data_addresses),
        cmocka_unit_test(modes_begin_with_a_version),
        cmocka_unit_test(state_begins_with_a_version),
        cmocka_unit_test(without_the_block_there_is_no_state_of_it),
        cmocka_unit_test(each_context_id_comparator_is_found),
        cmocka_unit_test(halves_of_what_belongs_together),
        cmocka_unit_test(rules_begin_with_a_version),
        cmocka_unit_test(all_sizes_of_the_port),
        cmocka_unit_test(a_name_for_a_range_needs_the_whole_function),
        cmocka_unit_test(a_counter_of_reduced_function_counts_cycles),
        cmocka_unit_test(registers_that_do_not_exist_say_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
