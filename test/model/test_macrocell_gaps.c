/* SPDX-License-Identifier: Apache-2.0 */
/* What interrupts the trace of a whole macrocell, and what tells of time:
 * prohibited regions, debug, waiting, timestamps, overflow. */
#include "macrocell_code.h"

/* MC-SEC-01, MC-SEC-02, MC-SEC-05: 2.6.2, V3-PROH-01: the address is hidden;
   and the context in there. E-207, V3-CYC-13, V3-PROH-01, -02 */
static void a_prohibited_region_is_not_traced(void **state)
{
    static const struct etm_macrocell_pins pins = {.niden = true};
    struct etm_place monitor = place(0xc0de08, ETM_ISA_ARM);
    struct etm_place back = non_secure(place(0x108, ETM_ISA_ARM));
    const struct etm_event events[] = {
        go_to(non_secure(place(0x100, ETM_ISA_ARM))),
        nop(0x100),
        after(1, arm(0x104, SMC)),
        exception(ETM_EXCEPTION_SMC, false, monitor),
        context(0x77, 0),
        nop(0xc0de08),
        after(5, to(arm(0xc0de0c, 0xe1b0f00e), back)),
        nop(0x108),
        nop(0x10c),
    };
    struct etm_config trace = v34;
    struct cell *c;

    (void)state;
    trace.security = true;
    trace.context_id_bytes = 1;
    trace.cycle_accurate = true;
    c = make(&trace);
    etm_macrocell_set_pins(c->m, &pins);
    program_end(c, cell_control(&trace));
    run(c, events, COUNT(events));
    finish(c);
    assert_string_equal(decode_text(c, events, COUNT(events)),
                        "on:start gap:? 100 104 exc:smc on:start gap:6 108 "
                        "10c");
    assert_int_equal(count_packets(c, ETM_PACKET_CONTEXT_ID), 0);
    for (size_t i = 0; i < c->n_packets; i++)
        if (c->packets[i].kind == ETM_PACKET_BRANCH_ADDRESS) {
            assert_int_equal(c->packets[i].address, 0);
            assert_int_equal(c->packets[i].fields & ETM_FIELD_NS, 0);
            break;
        }
    cell_end(c);
}

/* MC-SEC-09, MC-SEC-13: 2.14, MC-TRG-10, MC-EXT-06, V3-PROH-05 */
static void without_permission_nothing_is_traced(void **state)
{
    static const struct etm_macrocell_pins closed = {0};
    static const struct etm_macrocell_pins open = {.niden = true};
    const struct etm_event first[] = {nop(0x100), nop(0x104)};
    const struct etm_event second[] = {nop(0x108), nop(0x10c)};
    const struct etm_event third[] = {nop(0x110), nop(0x114)};
    struct etm_event all[6];
    struct cell *c = make(&v34);

    (void)state;
    poke(c, ETM_REG_TRIGGER, 0);
    single(c, 0, 0x108, 0x19);
    program_end(c, cell_control(&v34));
    run(c, first, 2);
    etm_macrocell_set_pins(c->m, &closed);
    (void)peek(c, ETM_REG_SR);
    run(c, second, 2);
    (void)peek(c, ETM_REG_SR);
    etm_macrocell_set_pins(c->m, &open);
    run(c, third, 2);
    finish(c);
    memcpy(all, first, sizeof first);
    memcpy(all + 2, second, sizeof second);
    memcpy(all + 4, third, sizeof third);
    assert_string_equal(decode_text(c, all, 6),
                        "on:start 100 104 on:start 110 114");
    cell_end(c);
}

/* 2.14: what was executed before the pins changed is traced by the old ones,
 * though the last instruction is held back, and triggers by them. V3-PROH-04 */
static void pins_change_after_what_was_executed(void **state)
{
    static const struct etm_macrocell_pins pins[2] = {{.niden = true}, {0}};

    (void)state;
    for (size_t piece = 1; piece <= 2; piece++) {
        struct etm_event events[6];
        struct cell *c = make(&v34);

        for (uint32_t i = 0; i < 6; i++)
            events[i] = nop(0x100 + 4 * i);
        single(c, 0, 0x104, 0x19);
        poke(c, ETM_REG_TRIGGER, 0);
        program_end(c, cell_control(&v34));
        for (size_t i = 0; i < 6; i += piece) {
            if (i % 2 == 0)
                etm_macrocell_set_pins(c->m, &pins[i / 2 % 2]);
            run(c, events + i, piece);
        }
        finish(c);
        assert_string_equal(decode_text(c, events, 6),
                            "on:start 100 104 trigger on:start 110 114");
        cell_end(c);
    }
}

/* Both changes have to wait: the second for the instruction of the first. */
static void pins_change_around_one_instruction(void **state)
{
    static const struct etm_macrocell_pins closed = {0}, open = {.niden = true};
    struct etm_event events[6];
    struct cell *c = make(&v34);

    (void)state;
    for (uint32_t i = 0; i < 6; i++)
        events[i] = nop(0x100 + 4 * i);
    program_end(c, cell_control(&v34));
    run(c, events, 2);
    etm_macrocell_set_pins(c->m, &closed);
    run(c, events + 2, 1);
    etm_macrocell_set_pins(c->m, &open);
    etm_macrocell_set_pins(c->m, &closed);
    etm_macrocell_set_pins(c->m, &open);
    run(c, events + 3, 3);
    finish(c);
    assert_string_equal(decode_text(c, events, 6),
                        "on:start 100 104 on:start 10c 110 114");
    cell_end(c);
}

/* MC-TE-19, MC-TE-20: 4.8, MC-GEN-12, V3-RSN-02: reason 3 if the first
   instruction is traced.; DBG-02, V3-RSN-01, -04 */
static void leaving_debug_state_has_its_reason(void **state)
{
    for (unsigned excluded = 0; excluded < 2; excluded++) {
        const struct etm_event events[] = {
            nop(0x100),
            after(1, exception(ETM_EXCEPTION_DEBUG_HALT, false,
                               (struct etm_place){0})),
            idle(100),
            go_to(place(0x200, ETM_ISA_ARM)),
            nop(0x200),
            nop(0x204),
        };
        struct cell *c = make(&v34);

        (void)state;
        if (excluded) {
            range(c, 0, 0x200, 0x204, 0x19);
            poke(c, ETM_REG_TECR1, 0x01000001);
        }
        program_end(c, cell_control(&v34));
        TRACES(c, events,
               excluded ? "on:start 100 exc:debug_halt on:start 204"
                        : "on:start 100 exc:debug_halt on:debug_exit 200 204");
        cell_end(c);
    }
}

/* MC-TE-19, MC-TE-20: 4.12, MC-PWR-22, MF-39, WFX-01, WFX-03, E-203,
 * V3-PH-20 */
static void waiting_for_an_interrupt_stops_the_trace(void **state)
{
    for (unsigned waits = 0; waits < 2; waits++) {
        const struct etm_event events[] = {
            nop(0x100),
            after(1, arm(0x104, WFI)),
            plain_event(ETM_EVENT_WAIT),
            idle(30),
            after(1, exception(ETM_EXCEPTION_IRQ, false,
                               place(0x18, ETM_ISA_ARM))),
            nop(0x18),
        };
        struct cell *c;

        (void)state;
        cell_begin(&cell, &v34);
        cell.output.trace_waits = waits != 0;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        program_end(c, cell_control(&v34));
        TRACES(c, events,
               waits ? "on:start 100 104 exc:irq 18"
                     : "on:start 100 104 on:start 18");
        cell_end(c);
    }
}

/* Where the architecture asks for a timestamp: beginnings, exceptions and their
 * returns, barriers, and the timestamp event when it becomes active. E-204 */
static void timestamps_come_where_they_are_due(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, arm(0x104, ISB)),
        nop(0x108),
        b(0x10c, 0x100),
        nop(0x100),
        after(1, exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM))),
        after(1, to(arm(0x18, 0xe25ef004), place(0x104, ETM_ISA_ARM))),
        after(1, arm(0x104, ISB)),
        nop(0x108),
    };
    struct etm_config traces[2] = {v35, pft};

    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct cell *c;

        traces[i].timestamps = true;
        cell_begin(&cell, &traces[i]);
        cell.output.timestamp_cycles = 1;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        program_end(c, cell_control(&traces[i]));
        run(c, events, COUNT(events));
        finish(c);
        assert_string_equal(
            decode_text(c, events, COUNT(events)),
            i == 0 ? "on:start ts:1 100 104 ts:2 108 10c 100 exc:irq ts:6 18 "
                     "ts:7 104 ts:8 108"
                   : "on:start ts:1 100 104 ts:2 108 10c 100 exc:irq ts:6 18 "
                     "ts:7 104 ts:8");
        cell_end(c);
    }
}

static void a_timestamp_event_asks_once_each_time(void **state)
{
    struct etm_event events[10];
    struct etm_config trace = v35;
    struct cell *c;

    (void)state;
    trace.timestamps = true;
    cell_begin(&cell, &trace);
    cell.output.timestamp_cycles = 1;
    cell_make(&cell);
    c = &cell;
    program_begin(c);
    program_nothing(c);
    range(c, 0, 0x108, 0x114, 0x19);
    poke(c, ETM_REG_TSEVR, 0x10);
    program_end(c, cell_control(&trace));
    for (unsigned i = 0; i < 10; i++)
        events[i] = nop(0x100 + 4 * i);
    run(c, events, 10);
    finish(c);
    assert_string_equal(decode_text(c, events, 10),
                        "on:start ts:1 100 104 108 ts:3 10c 110 114 118 11c "
                        "120 124");
    cell_end(c);
}

/* IHI 0035B, 4.14: in PFT 1.1 the value is the time of the last waypoint, which
 * agrees with its count of 0, also where it is requested again before the next
 * waypoint; in PFT 1.0 that of the packet. E-204 */
static void timestamp_of_pft_1_1_is_that_of_the_waypoint(void **state)
{
    const struct etm_event events[] = {
        nop(0x100), b(0x104, 0x200), nop(0x200),      nop(0x204), nop(0x208),
        nop(0x20c), nop(0x210),      b(0x214, 0x100), nop(0x100), nop(0x104),
    };

    (void)state;
    for (uint8_t minor = 0; minor < 2; minor++) {
        struct etm_config trace = pft;
        struct cell *c;

        trace.minor = minor;
        trace.timestamps = true;
        cell_begin(&cell, &trace);
        cell.output.timestamp_cycles = 1;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        poke(c, ETM_REG_ACVR1, 0x204);
        poke(c, ETM_REG_ACTR1, 0x19);
        poke(c, ETM_REG_ACVR1 + 1, 0x20c);
        poke(c, ETM_REG_ACTR1 + 1, 0x19);
        poke(c, ETM_REG_TSEVR, 0x14080); /* the one or the other */
        program_end(c, cell_control(&trace));
        run(c, events, COUNT(events));
        finish(c);
        assert_string_equal(
            decode_text(c, events, 8),
            minor == 0 ? "on:start ts:1 100 104 ts:4 ts:6 200 204 208 20c "
                         "210 214"
                       : "on:start ts:1 100 104 ts:2 ts:2 200 204 208 20c "
                         "210 214");
        cell_end(c);
    }
}

/* DMB and DSB are due one where ETMCCER[25] has them among the barriers. E-204
 */
static void barriers_are_due_a_timestamp_by_configuration(void **state)
{
    const struct etm_event events[] = {
        nop(0x100), after(1, arm(0x104, 0xf57ff05f)), /* DMB */
        nop(0x108), after(1, arm(0x10c, 0xf57ff04f)), /* DSB */
        nop(0x110), b(0x114, 0x100)};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct etm_config trace = pft;
        struct cell *c;

        trace.timestamps = true;
        trace.barriers_are_waypoints = i != 0;
        cell_begin(&cell, &trace);
        cell.output.timestamp_cycles = 1;
        if (i != 0)
            cell.config.ccer |= 1u << 25;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        program_end(c, cell_control(&trace));
        run(c, events, COUNT(events));
        finish(c);
        assert_int_equal(count_packets(c, ETM_PACKET_TIMESTAMP),
                         i == 0 ? 1 : 3);
        cell_end(c);
    }
}

/* MC-TE-22: in cycle-accurate mode a gap is traced as a count. E-200,
 * V3-CYC-17 */
static void the_gap_before_tracing_is_counted(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        nop(0x104),
        after(20, nop(0x108)),
        nop(0x10c),
    };
    struct etm_config trace = v34;
    struct cell *c;

    (void)state;
    trace.cycle_accurate = true;
    c = make(&trace);
    range(c, 0, 0x104, 0x108, 0x19);
    poke(c, ETM_REG_TECR1, 0x01000001);
    program_end(c, cell_control(&trace));
    TRACES(c, events, "on:start gap:? 100 on:start gap:14 108 10c");
    cell_end(c);
}

/* 7.10.1: a restart with a count in place of very many W atoms. E-202,
 * V3-CYC-10 */
static void a_long_wait_is_traced_as_a_count(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        nop(0x104),
        after(3000000, nop(0x108)),
        nop(0x10c),
    };
    struct etm_config trace = v34;
    struct cell *c;

    (void)state;
    trace.cycle_accurate = true;
    c = make(&trace);
    program_end(c, cell_control(&trace));
    TRACES(c, events, "on:start gap:? 100 104 on:start gap:2dc6bf 108 10c");
    assert_true(c->n_bytes < 40);
    cell_end(c);
}

/* ETMv1.3 and ETMv2.1: the same filters in front of another port.; CFG-19 */
static void ports_with_statuses_are_filtered_too(void **state)
{
    const struct etm_event events[] = {
        nop(0x8000),       nop(0x8004),       nop(0x8008),
        nop(0x800c),       b(0x8010, 0x9000), nop(0x9000),
        b(0x9004, 0x8008), nop(0x8008),       nop(0x800c),
        b(0x8010, 0x9000), nop(0x9000),       b(0x9004, 0xa000),
        nop(0xa000),
    };
    static const struct etm_config traces[] = {
        {.protocol = ETM_PROTOCOL_ETMV1, .minor = 3, .port_width = 8},
        {.protocol = ETM_PROTOCOL_ETMV2, .minor = 1, .port_width = 8},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct cell *c;

        cell_begin(&cell, &traces[i]);
        cell.config.scr = 0x1fa;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        range(c, 0, 0x9000, 0x9100, 0x19);
        poke(c, ETM_REG_TECR1, 0x01000001);
        program_end(c, 1u << 4 | ETM_CR_PORT_ENABLE);
        TRACES(c, events,
               "on:start 8000 8004 8008 800c 8010 on:start 8008 800c 8010 "
               "on:start a000");
        cell_end(c);
    }
}

/* An execution may come in any pieces, and leave out where branches lead. */
static void a_branch_leads_to_the_next_instruction(void **state)
{
    const struct etm_event events[] = {
        after(1, arm(0x100, 0xe12fff13)), /* BX r3 */
        nop(0x4000),
        after(1, arm(0x4004, 0xe59ff000)), /* LDR pc */
        nop(0x80),
    };
    struct cell *c = make(&pft);

    (void)state;
    program_end(c, cell_control(&pft));
    for (size_t i = 0; i < COUNT(events); i++)
        run(c, &events[i], 1);
    finish(c);
    assert_string_equal(decode_text(c, events, COUNT(events)),
                        "on:start 100 4000 4004");
    assert_int_equal(find_packet(c, ETM_PACKET_BRANCH_ADDRESS, 0)->address,
                     0x1000);
    cell_end(c);
}

/* Also if a register is accessed first. E-208 */
static void an_access_after_a_branch_leaves_no_gap(void **state)
{
    const struct etm_event events[] = {
        nop(0xfc),
        after(1, arm(0x100, 0xe12fff13)), /* BX r3 */
        nop(0x4000),
    };
    struct cell *c = make(&v34);

    (void)state;
    program_end(c, cell_control(&v34));
    run(c, events, 2);
    (void)peek(c, ETM_REG_SR);
    run(c, events + 2, 1);
    finish(c);
    assert_string_equal(decode_text(c, events, COUNT(events)),
                        "on:start fc 100 4000");
    cell_end(c);
}

static void an_instruction_elsewhere_is_an_error(void **state)
{
    const struct etm_event events[] = {nop(0x100), nop(0x200), nop(0x204)};
    struct cell *c = make(&v34);

    (void)state;
    program_end(c, cell_control(&v34));
    assert_int_equal(etm_macrocell_run(c->m, events, 3), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_run(c->m, events, 1), ETM_ERR_ARGUMENT);
    cell_end(c);
}

#define ROW 400u

/* When instruction i at 0x8000 + 4 i was executed, and what a decoder says. */
struct times {
    uint64_t at[ROW];
    uint64_t now;
    unsigned n, overflows;
    bool begun;
};

static int check_times(void *context, const struct etm_element *e, size_t n)
{
    struct times *t = context;

    for (size_t i = 0; i < n; i++) {
        unsigned k = (e[i].u.insn.address - 0x8000) / 4;

        t->overflows += e[i].kind == ETM_ELEMENT_TRACE_ON &&
                        e[i].u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
        if (e[i].kind == ETM_ELEMENT_CYCLES && t->begun)
            t->now += e[i].u.cycles.n;
        if (e[i].kind != ETM_ELEMENT_INSN)
            continue;
        t->now = t->begun ? t->now + e[i].u.insn.cycles : t->at[k];
        t->begun = true;
        t->n++;
        assert_int_equal(t->now, t->at[k]);
    }
    return ETM_OK;
}

/* Branches to the next instruction through a port that is too slow. */
static void overflow_in_time(const struct etm_config *trace, uint8_t size)
{
    static struct etm_event events[ROW];
    static uint8_t code[4 * ROW];
    struct times times = {0};
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = trace,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = check_times,
                                        .context = &times};
    struct etm_decoder *decoder;
    struct etm_image *image;
    struct cell *c = &cell;

    cell_begin(c, trace);
    c->config.fifo_size = size;
    c->output.drain_bits = 1;
    c->output.drain_cycles = 1;
    cell_make(c);
    program_all(c);
    for (unsigned i = 0; i < ROW; i++) {
        memcpy(code + 4 * i, "\xff\xff\xff\xea", 4);
        events[i] = after(1 + i * i % 5, arm(0x8000 + 4 * i, 0xeaffffff));
        times.at[i] = events[i].cycles + (i != 0 ? times.at[i - 1] : 0);
    }
    run(c, events, ROW);
    finish(c);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add_copy(image, 0x8000, code, sizeof code, NULL),
                     ETM_OK);
    config.image = image;
    assert_int_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    assert_int_equal(etm_decoder_push(decoder, c->bytes, c->n_bytes), ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
    etm_image_free(image);
    assert_true(times.n > 20 && times.n < ROW);
    assert_true(times.overflows > 1);
    cell_end(c);
}

/* 7.3.4, from v3.1 on, and PFT v1.0: the time of what the FIFO had no room for
 * is in the count of the gap. V3-CYC-12 */
static void counts_go_through_an_overflow(void **state)
{
    struct etm_config etm = {.protocol = ETM_PROTOCOL_ETMV3,
                             .minor = 4,
                             .cycle_accurate = true,
                             .branch_broadcast = true,
                             .sync_period = 40};
    struct etm_config ptm = {.protocol = ETM_PROTOCOL_PFT,
                             .cycle_accurate = true,
                             .branch_broadcast = true,
                             .sync_period = 40};

    (void)state;
    for (uint8_t size = 24; size < 60; size++) {
        etm.minor = (uint8_t)(1 + size % 4);
        overflow_in_time(&etm, size);
        overflow_in_time(&ptm, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prohibited_region_is_not_traced),
        cmocka_unit_test(without_permission_nothing_is_traced),
        cmocka_unit_test(pins_change_after_what_was_executed),
        cmocka_unit_test(pins_change_around_one_instruction),
        cmocka_unit_test(leaving_debug_state_has_its_reason),
        cmocka_unit_test(waiting_for_an_interrupt_stops_the_trace),
        cmocka_unit_test(timestamps_come_where_they_are_due),
        cmocka_unit_test(timestamp_of_pft_1_1_is_that_of_the_waypoint),
        cmocka_unit_test(barriers_are_due_a_timestamp_by_configuration),
        cmocka_unit_test(a_timestamp_event_asks_once_each_time),
        cmocka_unit_test(the_gap_before_tracing_is_counted),
        cmocka_unit_test(a_long_wait_is_traced_as_a_count),
        cmocka_unit_test(ports_with_statuses_are_filtered_too),
        cmocka_unit_test(a_branch_leads_to_the_next_instruction),
        cmocka_unit_test(an_access_after_a_branch_leaves_no_gap),
        cmocka_unit_test(an_instruction_elsewhere_is_an_error),
        cmocka_unit_test(counts_go_through_an_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
