/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that decide which instructions are traced (ETM architecture 2.6.4),
 * where a transfer comes in a later cycle than its instruction: in every
 * version that one is traced. E-340
 */
#include "macrocell_code.h"

static const struct etm_config versions[] = {
    {.protocol = ETM_PROTOCOL_ETMV1, .minor = 2, .port_width = 8},
    {.protocol = ETM_PROTOCOL_ETMV1, .minor = 3, .port_width = 4},
    {.protocol = ETM_PROTOCOL_ETMV2, .port_width = 8},
    {.protocol = ETM_PROTOCOL_ETMV2, .minor = 1, .port_width = 4},
    {.protocol = ETM_PROTOCOL_ETMV3},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 2},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 4},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 5},
};

/* Ways to ask for instructions or data, all the same to what is selected. */
enum { DATA, CYCLES, NO_DATA, WAYS };

static struct etm_config as(const struct etm_config *version, unsigned way)
{
    struct etm_config trace = *version;

    trace.data_address = trace.data_value = way != NO_DATA;
    trace.cycle_accurate = way == CYCLES;
    return trace;
}

/* Comparators 1 and 2 are of data and include. */
static struct cell *including(const struct etm_config *trace, uint32_t first,
                              uint32_t second)
{
    struct cell *c = make(trace);

    single(c, 0, first, 0x1c);
    single(c, 1, second, 0x1c);
    poke(c, ETM_REG_TECR1, 0);
    poke(c, ETM_REG_TECR2, 3);
    return c;
}

/* What is decoded, but for how long the gaps are. */
static const char *without_gaps(struct cell *c, const struct etm_event *events,
                                size_t n)
{
    static char text[256];
    const char *from = decode_text(c, events, n);
    size_t at = 0;

    while (*from != 0 && at + 1 < sizeof text) {
        if (strncmp(from, "gap:", 4) == 0) {
            from += strcspn(from, " ");
            from += *from == ' ';
            continue;
        }
        text[at++] = *from++;
    }
    at -= at != 0 && text[at - 1] == ' '; /* a gap was the last */
    text[at] = 0;
    return text;
}

#define SELECTS(c, events, expected)                                           \
    do {                                                                       \
        run(c, events, COUNT(events));                                         \
        finish(c);                                                             \
        assert_string_equal(without_gaps(c, events, COUNT(events)), expected); \
        cell_end(c);                                                           \
    } while (0)

/* MC-TE-08 */
static void a_late_transfer_includes_its_instruction(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, arm(0x104, LDR)),
        after(2, load(0x5000, 1)),
        nop(0x108),
        after(1, arm(0x10c, LDR)),
        after(3, load(0x6000, 2)),
        after(2, arm(0x110, LDR)),
        after(1, load(0x7000, 3)),
        after(1, arm(0x114, LDR)),
        after(1, load(0x5000, 4)),
        nop(0x118),
    };

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (unsigned way = 0; way < WAYS; way++) {
            struct etm_config trace = as(&versions[v], way);
            struct cell *c = including(&trace, 0x5000, 0x6000);

            program_end(c, cell_control(&trace));
            SELECTS(c, events,
                    way == NO_DATA
                        ? "on:start 104 on:start 10c on:start 114"
                        : "on:start 104 data:5000=1 on:start 10c data:6000=2 "
                          "on:start 114 data:5000=4");
        }
}

/* MC-SSB-13, MC-SSB-17: the instructions that start and stop are both traced.
 */
static void late_transfers_start_and_stop(void **state)
{
    const struct etm_event events[] = {
        nop(0x100), after(1, arm(0x104, STR)), after(1, store(0x5000, 1)),
        nop(0x108), after(1, arm(0x10c, STR)), after(1, store(0x6000, 2)),
        nop(0x110), after(1, arm(0x114, STR)), after(1, store(0x5000, 3)),
        nop(0x118),
    };

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (unsigned way = 0; way < WAYS; way++) {
            struct etm_config trace = as(&versions[v], way);
            struct cell *c = make(&trace);

            single(c, 0, 0x5000, 0x1e);
            single(c, 1, 0x6000, 0x1e);
            poke(c, ETM_REG_TECR1, 0x03000000);
            poke(c, ETM_REG_TSSCR, 0x00020001);
            program_end(c, cell_control(&trace));
            SELECTS(c, events,
                    way == NO_DATA
                        ? "on:start 104 108 10c on:start 114 118"
                        : "on:start 104 data:5000=1 108 10c data:6000=2 "
                          "on:start 114 data:5000=3 118");
        }
}

/* MC-TE-09, MC-VD-07: before v2.0 ViewData decides at the first word, wherever
 * TraceEnable rises. Later the words before it are not traced. */
static void a_later_word_includes_its_load_multiple(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, arm(0x104, LDM)),
        after(1, load(0x5000, 1)),
        after(1, load(0x5004, 2)),
        after(1, load(0x5008, 3)),
        nop(0x108),
    };
    static const char *const expected[2][2] = {
        {"on:start 104 data:5000=1 data:5004=2 data:5008=3", "on:start 104"},
        {"on:start 104 data:5004=2 data:5008=3",
         "on:start 104 data:5004=2 data:5008=bad"},
    };

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (unsigned some = 0; some < 2; some++) {
            struct etm_config trace = as(&versions[v], DATA);
            bool each = trace.protocol != ETM_PROTOCOL_ETMV1;
            struct cell *c = including(&trace, 0x5004, 0x6000);

            if (some) { /* ViewData is active for that word alone */
                poke(c, ETM_REG_VDCR1, 1);
                poke(c, ETM_REG_VDCR3, 0);
            }
            program_end(c, cell_control(&trace));
            SELECTS(c, events, expected[each][some]);
        }
}

/* What comes between the instruction and its transfer does not part them: a
 * trigger, timestamps, a FIFO that is watched. */
static void nothing_comes_between(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, arm(0x104, LDR)),
        after(3, load(0x5000, 1)),
        nop(0x108),
    };

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        struct etm_config trace = as(&versions[v], DATA);
        bool stamps = trace.protocol == ETM_PROTOCOL_ETMV3 && trace.minor == 5;
        struct cell *c;

        trace.timestamps = stamps;
        c = including(&trace, 0x5000, 0x6000);
        single(c, 2, 0x104, 0x19);
        poke(c, ETM_REG_TRIGGER, 2);
        poke(c, ETM_REG_FFLR, 1);
        program_end(c, cell_control(&trace) | (uint32_t)ETM_CR_STALL |
                           (uint32_t)ETM_CR_SUPPRESS_DATA);
        SELECTS(c, events,
                stamps ? "trigger on:start ts:0 104 data:5000=1"
                       : "trigger on:start 104 data:5000=1");
    }
}

/* MC-TE-21: what an exception cancels is traced as usual, and what leads out of
 * debug state has its reason. */
static void what_is_around_the_instruction_is_traced(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, exception(ETM_EXCEPTION_DEBUG_HALT, false,
                           place(0, ETM_ISA_ARM))),
        after(20, go_to(place(0x200, ETM_ISA_ARM))),
        after(1, arm(0x200, LDR)),
        after(2, load(0x5000, 1)),
        after(2, exception(ETM_EXCEPTION_DATA_ABORT, true,
                           place(0x10, ETM_ISA_ARM))),
        nop(0x10),
    };

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        struct etm_config trace = as(&versions[v], DATA);
        struct cell *c = including(&trace, 0x5000, 0x6000);
        char text[256];

        program_end(c, cell_control(&trace));
        run(c, events, COUNT(events));
        finish(c);
        (void)snprintf(text, sizeof text, "%s",
                       without_gaps(c, events, COUNT(events)));
        assert_int_equal(strncmp(text, "on:debug_exit ", 14), 0);
        assert_non_null(strstr(text, "exc:data_abort"));
        cell_end(c);
    }
}

/* 6.5.5: a load/store multiple that is in progress while another instruction
 * executes is named, whether that one turns tracing on or a word of its own;
 * and so it is if nothing is executing. E-348 */
static void a_load_multiple_in_progress_is_named(void **state)
{
    static const char *const expected[3] = {
        "on:start 100 104 data:5004=2 data:5008=3",
        "on:start 100 104 data:5004=2 data:5008=3",
        "on:start 100 data:5004=2 108 data:5008=3",
    };

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        const struct etm_event under[] = {
            after(1, arm(0x100, LDM)),
            load(0x5000, 1),
            after(1, i == 0 ? arm(0x104, NOP) : load(0x5004, 2)),
            i == 0 ? load(0x5004, 2) : arm(0x104, NOP),
            after(1, load(0x5008, 3)),
            nop(0x108),
        };
        const struct etm_event alone[] = {
            after(1, arm(0x100, LDM)),
            load(0x5000, 1),
            nop(0x104),
            after(1, load(0x5004, 2)),
            nop(0x108),
            load(0x5008, 3),
            nop(0x10c),
        };
        struct etm_config trace = as(&versions[2], DATA);
        struct cell *c = including(&trace, 0x5004, 0x6000);

        if (i < 2)
            single(c, i, 0x104, 0x19);
        program_end(c, cell_control(&trace));
        if (i < 2)
            SELECTS(c, under, expected[i]);
        else
            SELECTS(c, alone, expected[i]);
    }
}

/* The macrocell of ETMv2 does not name another instruction under which others
 * have executed. E-348 */
static void an_instruction_that_others_followed_is_left_out(void **state)
{
    const struct etm_event events[] = {
        after(1, arm(0x100, LDR)),
        nop(0x104),
        after(1, load(0x5000, 1)),
        nop(0x108),
    };
    struct etm_config trace = as(&versions[2], DATA);
    struct cell *c = including(&trace, 0x5000, 0x6000);

    (void)state;
    program_end(c, cell_control(&trace));
    SELECTS(c, events, "");
}

static struct etm_event comes(uint32_t value, unsigned tag)
{
    return (struct etm_event){.kind = ETM_EVENT_DATA_VALUE,
                              .cycles = 9,
                              .u.data_value.tag = (uint8_t)tag,
                              .u.data_value.value = value};
}

/* 2.7.4, table 2-6: an exact comparator of values fires when the value comes,
 * with its own address; what the event of the transfer had means nothing. */
static void a_value_that_comes_late_is_compared(void **state)
{
    static const struct etm_config traces[] = {
        {.protocol = ETM_PROTOCOL_ETMV2, .minor = 1, .port_width = 8},
        {.protocol = ETM_PROTOCOL_ETMV3, .minor = 2},
        {.protocol = ETM_PROTOCOL_ETMV3, .minor = 4},
        {.protocol = ETM_PROTOCOL_ETMV3, .minor = 5}};
    struct etm_event events[] = {nop(0x100),      after(9, arm(0x104, LDM)),
                                 load(0x5000, 0), load(0x5004, 0x55),
                                 load(0x5008, 3), nop(0x108),
                                 comes(0x55, 1),  comes(0x55, 1),
                                 nop(0x10c)};

    (void)state;
    events[2].u.data.tag = events[3].u.data.tag = 1;
    for (size_t v = 0; v < COUNT(traces); v++)
        for (unsigned value = 0x54; value < 0x56; value++) {
            struct etm_config trace = as(&traces[v], DATA);
            struct cell *c = make(&trace);

            events[7].u.data_value.value = value;
            single(c, 0, 0x5004, 0xbc);
            poke(c, ETM_REG_DCVR1, 0x55);
            poke(c, ETM_REG_TRIGGER, 0);
            program_end(c, cell_control(&trace));
            run(c, events, COUNT(events));
            finish(c);
            assert_int_equal(strstr(decode_text(c, events, COUNT(events)),
                                    "trigger") != NULL,
                             value == 0x55);
            cell_end(c);
        }
}

/* V2-HDR-06, 7.4.3: ETMv2 has four tags of values that come late, ETMv3 has
 * three. */
static void etmv2_waits_for_four_values(void **state)
{
    const struct etm_config v2 = {.protocol = ETM_PROTOCOL_ETMV2,
                                  .port_width = 8},
                            v3 = {.protocol = ETM_PROTOCOL_ETMV3};
    struct etm_config trace;
    struct etm_event events[14];
    struct cell *c;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        events[2 * i] = after(9, arm(0x100 + 4 * i, LDR));
        events[2 * i + 1] = load(0x5000 + 4 * i, 0);
        events[2 * i + 1].u.data.tag = (uint8_t)(i + 1);
        events[8 + i] = comes(4 - i, 4 - i);
    }
    events[12] = nop(0x110);
    events[13] = nop(0x114);
    trace = as(&v2, DATA);
    c = make(&trace);
    program_end(c, cell_control(&trace));
    SELECTS(c, events,
            "on:start 100 104 108 10c data:500c=4 data:5008=3 data:5004=2 "
            "data:5000=1 110 114");
    trace = as(&v3, DATA);
    for (unsigned i = 7; i < 9; i++) { /* the transfer, and its value */
        c = make(&trace);
        program_end(c, cell_control(&trace));
        assert_int_equal(etm_macrocell_run(c->m, &events[i], 1),
                         ETM_ERR_ARGUMENT);
        cell_end(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_transfer_includes_its_instruction),
        cmocka_unit_test(late_transfers_start_and_stop),
        cmocka_unit_test(a_later_word_includes_its_load_multiple),
        cmocka_unit_test(nothing_comes_between),
        cmocka_unit_test(what_is_around_the_instruction_is_traced),
        cmocka_unit_test(a_load_multiple_in_progress_is_named),
        cmocka_unit_test(an_instruction_that_others_followed_is_left_out),
        cmocka_unit_test(a_value_that_comes_late_is_compared),
        cmocka_unit_test(etmv2_waits_for_four_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
