/* SPDX-License-Identifier: Apache-2.0 */
/* What a whole macrocell traces: TraceEnable, ViewData, and the examples of the
 * specification. */
#include "macrocell_code.h"

/* TV-TE-01 to TV-TE-06 (3.7.2): function at 0x8000 with three exits, without
 * the one at 0x9000 and the library at 0xa000. MC-TE-05 */
static void a_function_is_traced_without_what_it_calls(void **state)
{
    const struct etm_event events[] = {
        nop(0x7ffc),       nop(0x8000),       b(0x8004, 0x9000),
        nop(0x9000),       b(0x9004, 0x8008), nop(0x8008),
        b(0x800c, 0xb000), nop(0xb000),       b(0xb004, 0x8010),
        b(0x8010, 0xa000), nop(0xa000),       b(0xa004, 0x8014),
        nop(0x8014),       nop(0x8018),       nop(0x801c),
        b(0x8020, 0x7000), nop(0x7000),
    };
    struct cell *c = make(&v34);

    (void)state;
    single(c, 0, 0x8000, 0x19);
    single(c, 1, 0x8018, 0x19);
    single(c, 2, 0x8028, 0x19);
    single(c, 3, 0x8038, 0x19);
    range(c, 2, 0x9000, 0x9100, 0x19);
    range(c, 3, 0xa000, 0xb000, 0x19);
    poke(c, ETM_REG_TECR1, 0x0300000c);
    poke(c, ETM_REG_TSSCR, 0x000e0001);
    program_end(c, cell_control(&v34));
    TRACES(c, events,
           "on:start 8000 8004 on:start 8008 800c b000 b004 8010 on:start "
           "8014");
    cell_end(c);
}

/* TV-VD-01 to TV-VD-06 (3.7.1): data only in state 3 of the sequencer, in range
 * 1 but for comparators 3 and 4. */
static void data_are_viewed_in_a_state_of_the_sequencer(void **state)
{
    static const uint32_t addresses[] = {0x8000, 0x8070, 0x8074, 0x8078,
                                         0x8090, 0x80fc, 0x7ffc, 0x8100};
    struct etm_config trace = v34;
    struct etm_event events[2 * 8 + 3 + 4];
    struct cell *c;
    size_t n = 0;
    uint32_t pc = 0x100;

    (void)state;
    trace.data_address = trace.data_value = true;
    c = make(&trace);
    range(c, 0, 0x8000, 0x8100, 0x1c);
    single(c, 2, 0x8074, 0x1c);
    single(c, 3, 0x8090, 0x1c);
    poke(c, ETM_REG_VDEVR, 0x52);
    poke(c, ETM_REG_VDCR1, 0x000c0000);
    poke(c, ETM_REG_VDCR2, 0);
    poke(c, ETM_REG_VDCR3, 1);
    single(c, 4, 0x104, 0x19);
    single(c, 5, 0x10c, 0x19);
    poke(c, ETM_REG_SQ12EVR, 4);     /* state 1 to 2 at 0x104 */
    poke(c, ETM_REG_SQ12EVR + 2, 5); /* 2 to 3 at 0x10c */
    program_end(c, cell_control(&trace));
    /* in states 1 and 2 nothing */
    events[n++] = after(1, arm(0x100, LDR));
    events[n++] = load(0x8000, 1);
    events[n++] = nop(0x104);
    events[n++] = after(1, arm(0x108, LDR));
    events[n++] = load(0x8000, 2);
    events[n++] = nop(0x10c);
    for (pc = 0x110; n + 2 <= COUNT(events); pc += 4) {
        events[n] = after(1, arm(pc, LDR));
        events[n + 1] = load(addresses[(pc - 0x110) / 4], pc);
        n += 2;
    }
    run(c, events, n);
    finish(c);
    assert_string_equal(decode_text(c, events, n),
                        "on:start 100 104 108 10c 110 data:8000=110 114 "
                        "data:8070=114 118 11c data:8078=11c 120 124 "
                        "data:80fc=124 128 12c");
    cell_end(c);
}

/* TV-CMP-01 to TV-CMP-07 (2.7.10), seen at the external outputs: comparators 1
 * and 2 and ranges 1 and 2. MC-EXT-01 */
static void comparators_match_as_in_the_example(void **state)
{
    const struct etm_event events[] = {
        after(1, arm(0x1000, STR)), store(0x2000, 7), nop(0x1004),
        after(1, load(0x2004, 8)),  nop(0x1008),      idle(1),
    };
    static const uint8_t expected[] = {0x5 | 0x8, 0x4 | 0x8, 0x4, 0x2, 0x2};
    struct cell *c = make(&v34);

    (void)state;
    single(c, 0, 0x1000, 0x19);
    single(c, 1, 0x1008, 0x19);
    single(c, 2, 0x2000, 0x1e);
    single(c, 3, 0x2008, 0x1e);
    poke(c, ETM_REG_EXTOUTEVR1 + 0, 0x00);
    poke(c, ETM_REG_EXTOUTEVR1 + 1, 0x01);
    poke(c, ETM_REG_EXTOUTEVR1 + 2, 0x10);
    poke(c, ETM_REG_EXTOUTEVR1 + 3, 0x11);
    program_end(c, cell_control(&v34));
    /* 0x1004 is a load here */
    for (size_t i = 0; i < COUNT(events); i++) {
        struct etm_event e = events[i];

        if (e.kind == ETM_EVENT_INSN && e.u.insn.address == 0x1004)
            e.u.insn.opcode = LDR;
        run(c, &e, 1);
    }
    finish(c);
    for (size_t i = 0, k = 0; i < c->n_signals && k < 4; i++) {
        if (i == 0 && c->signals[0].ext_out == 0)
            continue;
        assert_int_equal(c->signals[i].ext_out, expected[k]);
        k++;
    }
    assert_true(c->n_signals >= 4);
    cell_end(c);
}

/* TV-EVT-01, TV-EVT-02 (3.6.3), at the external outputs. */
static void events_are_those_of_the_examples(void **state)
{
    struct etm_event events[12];
    struct cell *c = make(&v34);
    unsigned seen = 0;

    (void)state;
    range(c, 2, 0x2000, 0x2100, 0x19);
    poke(c, ETM_REG_CNTRLDVR1 + 1, 4);
    poke(c, ETM_REG_CNTENR1 + 1, 0x6f);
    poke(c, ETM_REG_EXTOUTEVR1, 0x08941);     /* range 3, counter 2 is 0 */
    poke(c, ETM_REG_EXTOUTEVR1 + 1, 0x00052); /* state 3 */
    poke(c, ETM_REG_SQ12EVR + 5, 0x6f);       /* from 1 to 3 at once */
    program_end(c, cell_control(&v34));
    for (unsigned i = 0; i < 12; i++)
        events[i] = nop(0x2000 + 4 * i);
    run(c, events, 12);
    finish(c);
    for (size_t i = 0; i < c->n_signals; i++) {
        seen |= c->signals[i].ext_out;
        if (c->signals[i].ext_out & 1u) /* not before the fifth cycle */
            assert_true(c->signals[i].cycle >= 4);
    }
    assert_int_equal(seen, 3);
    cell_end(c);
}

/* MC-TE-25, MC-TE-08 */
static void single_comparators_include_instructions_and_transfers(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),      nop(0x104),
        nop(0x108),      after(1, arm(0x10c, LDR)),
        load(0x5000, 1), after(1, arm(0x110, LDR)),
        load(0x6000, 2), nop(0x114),
    };
    struct etm_config trace = v34;
    struct cell *c;

    (void)state;
    trace.data_address = trace.data_value = true;
    c = make(&trace);
    single(c, 0, 0x104, 0x19);
    single(c, 1, 0x6000, 0x1d);
    poke(c, ETM_REG_TECR1, 0);
    poke(c, ETM_REG_TECR2, 3);
    program_end(c, cell_control(&trace));
    TRACES(c, events, "on:start 104 on:start 110 data:6000=2");
    cell_end(c);
}

/* TV-XM-01: a comparator with the exact match bit waits for what becomes of the
 * instruction; the abort after it decides. */
static void exact_comparators_pass_over_cancelled_instructions(void **state)
{
    for (unsigned exact = 0; exact < 2; exact++)
        for (unsigned cancelled = 0; cancelled < 2; cancelled++) {
            const struct etm_event events[] = {
                nop(0x100),
                nop(0x104),
                after(1, exception(ETM_EXCEPTION_IRQ, cancelled != 0,
                                   place(0x18, ETM_ISA_ARM))),
                nop(0x18),
            };
            struct cell *c = make(&v34);

            (void)state;
            single(c, 0, 0x104, exact ? 0x99 : 0x19);
            poke(c, ETM_REG_TECR1, 0);
            poke(c, ETM_REG_TECR2, 1);
            program_end(c, cell_control(&v34));
            TRACES(c, events,
                   !cancelled ? "on:start 104 exc:irq"
                   : exact    ? ""
                              : "on:start exc:irq");
            cell_end(c);
        }
}

/* MC-TE-12, MC-TE-26: its transfers last longer than the region. */
static void a_load_multiple_is_traced_to_its_end(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, arm(0x104, LDM)),
        after(1, load(0x5000, 1)),
        after(1, nop(0x108)),
        after(0, load(0x5004, 2)),
        after(1, nop(0x10c)),
        after(1, load(0x5008, 3)),
        after(1, nop(0x110)),
        nop(0x114),
    };
    struct etm_config trace = v34;
    struct cell *c;

    (void)state;
    trace.data_address = trace.data_value = true;
    c = make(&trace);
    single(c, 0, 0x104, 0x19);
    poke(c, ETM_REG_TECR1, 0);
    poke(c, ETM_REG_TECR2, 1);
    program_end(c, cell_control(&trace));
    TRACES(c, events,
           "on:start 104 data:5000=1 108 data:5004=2 10c data:5008=3");
    cell_end(c);
}

/* MC-TE-11: a transfer turns tracing on within its instruction. */
static void tracing_begins_within_a_load_multiple(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, arm(0x104, LDM)),
        after(1, load(0x5000, 1)),
        after(1, load(0x5004, 2)),
        after(1, load(0x5008, 3)),
        after(1, nop(0x108)),
    };
    struct etm_config trace = v34;
    struct cell *c;

    (void)state;
    trace.data_address = trace.data_value = true;
    c = make(&trace);
    single(c, 0, 0x5004, 0x1d);
    poke(c, ETM_REG_TECR1, 0);
    poke(c, ETM_REG_TECR2, 1);
    program_end(c, cell_control(&trace));
    TRACES(c, events, "on:start 104 data:5004=2 data:5008=3");
    cell_end(c);
}

/* MC-CPRT-01, -03, -04, -06, TV-VD-10, V3-CFG-08 */
static void coprocessor_transfers_follow_table_2_1(void **state)
{
    const struct etm_event events[] = {
        after(1, arm(0x100, MCR)),
        store(0, 0x11),
        after(1, arm(0x104, MCR)),
        store(0, 0x22),
    };
    static const struct {
        bool monitor, filter;
        const char *text;
    } rows[] = {
        {false, false, "on:start 100 104"},
        {true, false, "on:start 100 cprt=0 104 cprt=0"},
        {true, true, "on:start 100 104 cprt=0"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_config trace = v34;
        struct cell *c;

        trace.data_value = true;
        trace.cprt = rows[i].monitor;
        trace.cprt_filter = rows[i].filter;
        c = make(&trace);
        single(c, 0, 0x104, 0x19);
        poke(c, ETM_REG_VDCR1, 1); /* only what 0x104 moves */
        poke(c, ETM_REG_VDCR3, 0);
        program_end(c, cell_control(&trace));
        TRACES(c, events, rows[i].text);
        cell_end(c);
    }
}

/* MC-TE-18, TV-TE-09 */
static void the_store_that_takes_a_counter_to_zero_is_not_traced(void **state)
{
    struct etm_event events[12];
    struct cell *c = make(&v34);

    (void)state;
    single(c, 0, 0x5000, 0x1e);
    poke(c, ETM_REG_CNTRLDVR1, 4);
    poke(c, ETM_REG_CNTENR1, 0);
    poke(c, ETM_REG_TEEVR, 0x40);
    program_end(c, cell_control(&v34));
    for (unsigned i = 0; i < 6; i++) {
        events[2 * i] = after(1, arm(0x100 + 4 * i, STR));
        events[2 * i + 1] = store(0x5000, i);
    }
    TRACES(c, events, "on:start 110 114");
    cell_end(c);
}

/* MC-TRG-01, MC-TRG-08: by a comparator, and by a counter, whose zero is seen
 * in the cycle after. ETMv1 has given the status of that cycle then. E-171,
 * V3-PORT-01 */
static void a_trigger_stands_where_its_cycle_is(void **state)
{
    static const struct {
        struct etm_config trace;
        const char *comparator, *counter;
    } rows[] = {
        {{.protocol = ETM_PROTOCOL_ETMV1, .minor = 2, .port_width = 8},
         "on:start 100 104 trigger 108 10c",
         "on:start 100 104 108 trigger 10c"},
        {{.protocol = ETM_PROTOCOL_ETMV2, .port_width = 8},
         "on:start 100 trigger 104 108 10c",
         "on:start 100 104 trigger 108 10c"},
        {{.protocol = ETM_PROTOCOL_ETMV3, .minor = 4},
         "on:start 100 104 trigger 108 10c",
         "on:start 100 104 108 trigger 10c"},
    };
    const struct etm_event events[] = {nop(0x100), nop(0x104), nop(0x108),
                                       nop(0x10c)};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (unsigned counts = 0; counts < 2; counts++) {
            struct cell *c = make(&rows[i].trace);

            single(c, 0, 0x104, 0x19);
            poke(c, ETM_REG_CNTRLDVR1, 1);
            poke(c, ETM_REG_CNTENR1, 1u << 17); /* at comparator 1 */
            poke(c, ETM_REG_TRIGGER, counts ? 0x40 : 0);
            program_end(c, cell_control(&rows[i].trace));
            TRACES(c, events, counts ? rows[i].counter : rows[i].comparator);
            cell_end(c);
        }
}

/* MC-GEN-05, MC-TE-14 */
static void without_instructions_only_selected_data_are_traced(void **state)
{
    const struct etm_event events[] = {
        after(1, arm(0x100, LDR)), load(0x5000, 1),
        after(1, arm(0x104, LDR)), load(0x6000, 2),
        after(1, arm(0x108, LDR)), load(0x5004, 3),
    };
    struct etm_config trace = v34;
    struct cell *c;

    (void)state;
    trace.data_address = trace.data_value = trace.data_only = true;
    c = make(&trace);
    range(c, 0, 0x5000, 0x5100, 0x1c);
    poke(c, ETM_REG_VDCR3, 1);
    program_end(c, cell_control(&trace));
    TRACES(c, events, "on:start data:5000=1 data:5004=3");
    assert_int_equal(count_packets(c, ETM_PACKET_P_HEADER), 0);
    cell_end(c);
}

/* 2.6.4: a transfer that turns tracing on is traced, also if its instruction
 * is a cycle older or the other transfers are not selected. MC-GEN-05 */
static void without_instructions_a_transfer_counts_by_itself(void **state)
{
    struct etm_config trace = v34;

    (void)state;
    trace.data_address = trace.data_value = trace.data_only = true;
    for (unsigned later = 0; later < 4; later++) {
        const struct etm_event events[] = {
            after(1, arm(0x100, LDM)),
            after(later & 1u, load(0x2000, 1)),
            after(later >> 1, load(0x2004, 2)),
            after(1, nop(0x104)),
            after(1, arm(0x108, LDR)),
            after(later & 1u, load(0x2004, 3)),
            after(1, nop(0x10c)),
        };
        struct cell *c = make(&trace);

        single(c, 0, 0x2004, 0x1c);
        poke(c, ETM_REG_TECR1, 0);
        poke(c, ETM_REG_TECR2, 1);
        program_end(c, cell_control(&trace));
        run(c, events, COUNT(events));
        finish(c);
        assert_int_equal(count_packets(c, ETM_PACKET_NORMAL_DATA), 2);
        assert_int_equal(find_packet(c, ETM_PACKET_NORMAL_DATA, 0)->value, 2);
        assert_int_equal(find_packet(c, ETM_PACKET_NORMAL_DATA, 1)->value, 3);
        cell_end(c);
    }
}

/* Inputs as include resources: a memory map decoder; an EmbeddedICE comparator
 * starts and stops by its samples (7.6.1). MC-EXT-05 */
static void inputs_select_instructions(void **state)
{
    struct etm_event pins = {.kind = ETM_EVENT_PINS};
    struct etm_event events[9];
    struct cell *c;

    (void)state;
    for (unsigned i = 0; i < 9; i++)
        events[i] = nop(0x100 + 4 * i);
    for (unsigned round = 0; round < 2; round++) {
        c = make(&v34);
        if (round == 0) {
            poke(c, ETM_REG_TECR1, 1u << 10); /* decoder 3 */
        } else {
            poke(c, ETM_REG_TECR1, 0x03000000);
            poke(c, ETM_REG_TESSEICR, 2u << 16 | 1);
        }
        program_end(c, cell_control(&v34));
        pins = (struct etm_event){.kind = ETM_EVENT_PINS, .cycles = 1};
        run(c, events, 3);
        pins.u.pins.mmd = 1u << 2;
        pins.u.pins.eice = pins.u.pins.eice_sampled = 1;
        run(c, &pins, 1);
        run(c, events + 3, 3);
        pins.u.pins.mmd = 0;
        pins.u.pins.eice = pins.u.pins.eice_sampled = 2;
        run(c, &pins, 1);
        run(c, events + 6, 3);
        finish(c);
        assert_string_equal(decode_text(c, events, 9), "on:start 10c 110 114");
        cell_end(c);
    }
}

/* An extended input that changes in the cycle of a sample does not repeat it:
 * the block has stopped since (2.11.1, 7.6.1). */
static void a_sample_starts_once(void **state)
{
    const struct etm_event pins = {.kind = ETM_EVENT_PINS,
                                   .cycles = 1,
                                   .u.pins = {.eice = 1, .eice_sampled = 1}};
    const struct etm_event inputs = {.kind = ETM_EVENT_EXT_INPUTS};
    const struct etm_event events[] = {pins, after(0, nop(0x100)), inputs,
                                       nop(0x104), nop(0x108)};
    struct cell *c;

    (void)state;
    for (unsigned stops = 0; stops < 2; stops++) {
        c = make(&v34);
        poke(c, ETM_REG_ACVR1, stops ? 0x100 : 0x108);
        poke(c, ETM_REG_ACTR1, 0x19);
        poke(c, ETM_REG_TECR1, 0x03000000);
        poke(c, ETM_REG_TSSCR, 1u << 16);
        poke(c, ETM_REG_TESSEICR, 1);
        program_end(c, cell_control(&v34));
        TRACES(c, events, stops ? "" : "on:start 100 104");
        cell_end(c);
    }
}

/* MC-ADR-19: the second half of an instruction, too, where they are two; the
 * nop before it can take the fast path */
static void either_half_of_a_thumb_instruction_is_included(void **state)
{
    struct etm_config trace = v34;

    (void)state;
    for (unsigned split = 0; split < 2; split++) {
        const struct etm_event events[] = {
            after(1, thumb(0x1000, 0xbf00)),
            after(1, thumb(0x1002, 0xbf00)),
            after(2, thumb(0x1004, 0xf3af8000)),
            after(1, thumb(0x1008, 0xbf00)),
        };
        struct cell *c;

        trace.thumb32_split = split;
        c = make(&trace);
        range(c, 0, 0x1006, 0x1008, 0x09);
        poke(c, ETM_REG_TECR1, 1);
        program_end(c, cell_control(&trace));
        TRACES(c, events, split ? "on:start 1004" : "");
        cell_end(c);
    }
}

/* E-219, MC-ADR-45: a range of data goes on matching after the OS lock, and
 * after an access to a register that is none of its own. */
static void a_sticky_match_survives_accesses_but_no_programming(void **state)
{
    static const char *const expected[] = {
        "on:start 100 104 on:start 108 10c",
        "on:start 100 104 108 10c",
        "on:start 100 104",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        const struct etm_event events[] = {
            after(1, arm(0x100, LDR)),
            load(0x2000, 1),
            nop(0x104),
            nop(0x108),
            nop(0x10c),
        };
        struct cell *c = make(&v34);

        range(c, 0, 0x2000, 0x3000, 0x1c);
        poke(c, ETM_REG_TECR1, 1);
        program_end(c, cell_control(&v34));
        run(c, events, 3);
        if (i == 0) {
            poke(c, ETM_REG_OSLAR, 0xc5acce55);
            poke(c, ETM_REG_OSLAR, 0);
        } else if (i == 1) {
            poke(c, ETM_REG_CLAIMSET, 1);
        } else {
            program_begin(c);
            program_end(c, cell_control(&v34));
        }
        run(c, events + 3, 2);
        finish(c);
        assert_string_equal(decode_text(c, events, COUNT(events)), expected[i]);
        cell_end(c);
    }
}

/* The cycle in which inputs change comes to its end, too. */
static void a_trigger_by_the_last_event_is_output(void **state)
{
    struct etm_event events[] = {nop(0x100), idle(1)};
    struct cell *c = make(&v34);

    (void)state;
    events[1].kind = ETM_EVENT_PINS;
    events[1].u.pins.ext_in = 1;
    poke(c, ETM_REG_TRIGGER, 0x60);
    program_end(c, cell_control(&v34));
    run(c, events, 1);
    finish(c); /* nothing is left to wait for */
    run(c, events + 1, 1);
    finish(c);
    assert_string_equal(decode_text(c, events, 2), "on:start 100 trigger");
    cell_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_half_of_a_thumb_instruction_is_included),
        cmocka_unit_test(a_function_is_traced_without_what_it_calls),
        cmocka_unit_test(data_are_viewed_in_a_state_of_the_sequencer),
        cmocka_unit_test(comparators_match_as_in_the_example),
        cmocka_unit_test(events_are_those_of_the_examples),
        cmocka_unit_test(single_comparators_include_instructions_and_transfers),
        cmocka_unit_test(exact_comparators_pass_over_cancelled_instructions),
        cmocka_unit_test(a_load_multiple_is_traced_to_its_end),
        cmocka_unit_test(tracing_begins_within_a_load_multiple),
        cmocka_unit_test(coprocessor_transfers_follow_table_2_1),
        cmocka_unit_test(the_store_that_takes_a_counter_to_zero_is_not_traced),
        cmocka_unit_test(a_trigger_stands_where_its_cycle_is),
        cmocka_unit_test(without_instructions_only_selected_data_are_traced),
        cmocka_unit_test(without_instructions_a_transfer_counts_by_itself),
        cmocka_unit_test(inputs_select_instructions),
        cmocka_unit_test(a_sample_starts_once),
        cmocka_unit_test(a_trigger_by_the_last_event_is_output),
        cmocka_unit_test(a_sticky_match_survives_accesses_but_no_programming),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
