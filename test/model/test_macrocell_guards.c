/* SPDX-License-Identifier: Apache-2.0 */
/* What a macrocell does where something is missing, or has just changed: no
 * output, one of two pins, power that comes back. */
#include "macrocell_code.h"

static const struct etm_macrocell_pins open = {
    .dbgen = true, .niden = true, .spiden = true, .spniden = true};

/* <etm/macrocell.h>: connected before the first run, when it is programmed or
 * after it. */
static void a_macrocell_that_runs_can_be_connected(void **state)
{
    const struct etm_event events[] = {nop(0x100), nop(0x104)};
    struct cell *c = &cell;

    (void)state;
    cell_begin(c, &v34);
    assert_int_equal(etm_macrocell_new(&c->m, &c->config, NULL), ETM_OK);
    etm_macrocell_set_pins(c->m, &open);
    program_all(c);
    assert_int_equal(etm_macrocell_connect(c->m, &c->output), ETM_OK);
    TRACES(c, events, "on:start 100 104");
    cell_end(c);
}

/* ... with all that the output asks for: here a port that takes a byte in a
 * thousand cycles. */
static void a_macrocell_that_runs_takes_its_output_as_it_is(void **state)
{
    struct etm_config trace = v34;
    struct etm_event events[100];
    struct etm_macrocell_signals signals;
    struct cell *c = &cell;

    (void)state;
    trace.cycle_accurate = true;
    cell_begin(c, &trace);
    c->output.fifo_size = 30;
    c->output.drain_bits = 8;
    c->output.drain_cycles = 1000;
    assert_int_equal(etm_macrocell_new(&c->m, &c->config, NULL), ETM_OK);
    etm_macrocell_set_pins(c->m, &open);
    program_all(c);
    assert_int_equal(etm_macrocell_connect(c->m, &c->output), ETM_OK);
    for (uint32_t i = 0; i < COUNT(events); i++)
        events[i] = after(3, arm(0x100 + 4 * i, NOP));
    run(c, events, COUNT(events));
    etm_macrocell_get_signals(c->m, &signals);
    assert_true(signals.overflow);
    cell_end(c);
}

/* A trigger does not come between an instruction and the exception that
 * cancels it. */
static void a_trigger_waits_for_the_fate_of_an_instruction(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        nop(0x104),
        after(1, exception(ETM_EXCEPTION_IRQ, true, place(0x18, ETM_ISA_ARM))),
        nop(0x18),
    };
    struct cell *c = make(&v34);

    (void)state;
    single(c, 0, 0x104, 0x19);
    poke(c, ETM_REG_TRIGGER, 0x00);
    program_end(c, cell_control(&v34));
    TRACES(c, events, "on:start 100 exc:irq trigger 18");
    cell_end(c);
}

/* Without an output, only its state moves. */
static void a_macrocell_runs_without_an_output(void **state)
{
    const struct etm_event events[] = {
        nop(0x100),
        after(1, arm(0x104, LDR)),
        load(0x2000, 1),
        after(1, exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM))),
        nop(0x18),
    };
    struct etm_macrocell_signals signals;
    struct cell *c = &cell;

    (void)state;
    cell_begin(c, &v34);
    assert_int_equal(etm_macrocell_new(&c->m, &c->config, NULL), ETM_OK);
    etm_macrocell_set_pins(c->m, &open);
    program_begin(c);
    program_nothing(c);
    single(c, 0, 0x104, 0x19);
    poke(c, ETM_REG_TRIGGER, 0x00);
    poke(c, ETM_REG_EXTOUTEVR1, 0x6f);
    program_end(c, cell_control(&v34) | ETM_CR_DEBUG_REQUEST);
    run(c, events, COUNT(events));
    finish(c);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_TRIGGER, ETM_SR_TRIGGER);
    etm_macrocell_get_signals(c->m, &signals);
    assert_true(signals.debug_request);
    assert_int_equal(signals.ext_out, 1);
    assert_false(signals.trace_enable);
    assert_int_equal(c->n_bytes, 0);
    cell_end(c);
}

/* Table 3-64: SPIDEN or SPNIDEN lets Secure state be traced, and DBGEN or NIDEN
 * anything at all. MC-MGT-12 */
static void one_pin_of_two_permits_trace(void **state)
{
    static const struct {
        struct etm_macrocell_pins pins;
        const char *expected;
    } rows[] = {
        {{.dbgen = true, .spiden = true}, "on:start 100 104"},
        {{.dbgen = true, .spniden = true}, "on:start 100 104"},
        {{.niden = true, .spiden = true}, "on:start 100 104"},
        {{.niden = true, .spniden = true}, "on:start 100 104"},
        {{.niden = true, .dbgen = true}, ""},
        {{.spiden = true, .spniden = true}, ""},
    };
    struct etm_config trace = v34;

    (void)state;
    trace.security = true;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct etm_event events[] = {nop(0x100), nop(0x104)};
        struct cell *c = make(&trace);

        etm_macrocell_set_pins(c->m, &rows[i].pins);
        program_end(c, cell_control(&trace));
        TRACES(c, events, rows[i].expected);
        cell_end(c);
    }
}

/* MC-INS-13: without power an instrumentation resource is lost, also where the
 * registers come back; an ETM reset loses it, too. */
static void instrumentation_is_lost_without_power(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost < 3; lost++) {
        const struct etm_event events[] = {
            after(1, arm(0x100, 0xe320f0f0)), /* DBG #0 */
            nop(0x104),
        };
        struct cell *c = make(&v34);

        poke(c, ETM_REG_TEEVR, 0x18);
        program_end(c, cell_control(&v34));
        run(c, events, 1);
        (void)peek(c, ETM_REG_SR);
        if (lost == 1) {
            etm_macrocell_power(c->m, true, false);
            etm_macrocell_power(c->m, true, true);
            (void)peek(c, ETM_REG_PDSR);
        } else if (lost == 2) {
            etm_macrocell_reset(c->m);
        }
        program_begin(c);
        program_nothing(c);
        poke(c, ETM_REG_TEEVR, 0x18);
        program_end(c, cell_control(&v34));
        c->n_bytes = 0;
        run(c, events + 1, 1);
        finish(c);
        assert_string_equal(decode_text(c, events, 2),
                            lost == 0 ? "on:start 104" : "");
        cell_end(c);
    }
}

/* 2.6.4: what held TraceEnable HIGH before programming does not after it. */
static void programming_ends_what_was_outstanding(void **state)
{
    const struct etm_event events[] = {
        after(1, arm(0x100, LDM)),
        load(0x2000, 1), /* two are still to come */
        nop(0x104),
        nop(0x108),
    };
    struct cell *c = make(&v34);

    (void)state;
    program_end(c, cell_control(&v34));
    run(c, events, 3);
    program_begin(c);
    poke(c, ETM_REG_TEEVR, 0x406f);
    program_end(c, cell_control(&v34));
    run(c, events + 3, 1);
    finish(c);
    assert_string_equal(decode_text(c, events, COUNT(events)),
                        "on:start 100 104");
    cell_end(c);
}

static size_t frequency_changes(const struct cell *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_packets; i++)
        n += c->packets[i].kind == ETM_PACKET_TIMESTAMP &&
             (c->packets[i].fields & ETM_FIELD_R) != 0;
    return n;
}

/* A new frequency is traced once, and a barrier that fails its condition asks
 * for no time. E-204 */
static void timestamps_tell_a_new_frequency_once(void **state)
{
    struct etm_event events[] = {
        timestamp(0x1000),
        after(1, thumb(0x100, 0xbf08)),              /* IT EQ */
        failing(after(1, thumb(0x102, 0xf3bf8f6f))), /* ISB */
        after(1, thumb(0x106, 0xf3bf8f6f)),
        after(1, thumb(0x10a, 0xbf00)),
    };
    struct etm_config trace = v35;
    struct cell *c;

    (void)state;
    trace.timestamps = true;
    events[0].u.timestamp.frequency_changed = true;
    c = make(&trace);
    program_end(c, cell_control(&trace));
    run(c, events, COUNT(events));
    finish(c);
    /* where tracing begins, and after the second ISB */
    assert_int_equal(count_packets(c, ETM_PACKET_TIMESTAMP), 2);
    assert_int_equal(frequency_changes(c), 1);
    cell_end(c);
}

/* 7.7.3: tracing begins at a transfer of an older instruction, with the address
 * of the one that executes meanwhile, if there is one. E-31,
 * V3-LSIP-01, -09, -11, AMB-16 */
static void an_instruction_under_another_begins_the_trace(void **state)
{
    static const char *const expected[2] = {
        "on:start data:2004=2 108 data:2008=3",
        "on:start 100 data:2004=2 108 data:2008=3",
    };

    (void)state;
    for (unsigned under = 0; under < 2; under++) {
        const struct etm_event events[] = {
            after(1, arm(0x100, LDM)),
            load(0x2000, 1),
            nop(0x104),
            after(1, load(0x2004, 2)),
            after(under ? 0 : 1, arm(0x108, NOP)),
            load(0x2008, 3),
            nop(0x10c),
        };
        struct etm_config trace = v34;
        struct cell *c;

        trace.data_address = trace.data_value = true;
        c = make(&trace);
        single(c, 0, 0x2004, 0x1c);
        single(c, 2, 0x108, 0x19);
        poke(c, ETM_REG_TECR1, 0);
        poke(c, ETM_REG_TECR2, 1u | 1u << 2);
        program_end(c, cell_control(&trace));
        TRACES(c, events, expected[under]);
        assert_int_equal(count_packets(c, ETM_PACKET_LSIP_I_SYNC), under);
        cell_end(c);
    }
}

/* The same where the instruction underneath is what turns tracing on (7.7.3,
 * note): the load before it is in progress, and its other words are traced.
 * Once its words are there tracing begins with the instruction. E-348,
 * V3-LSIP-01, -11 */
static void a_load_is_traced_as_in_progress(void **state)
{
    static const char *const expected[2] = {
        "on:start 100 104 data:2004=2 data:2008=3 108",
        "on:start 104 108",
    };

    (void)state;
    for (unsigned done = 0; done < 2; done++) {
        const struct etm_event events[] = {
            after(1, arm(0x100, LDM)),
            load(0x2000, 1),
            after(1, done ? load(0x2004, 2) : arm(0x104, NOP)),
            done ? load(0x2008, 3) : load(0x2004, 2),
            after(1, done ? arm(0x104, NOP) : load(0x2008, 3)),
            nop(0x108),
        };
        struct etm_config trace = v34;
        struct cell *c;

        trace.data_address = trace.data_value = true;
        c = make(&trace);
        range(c, 0, 0x104, 0x10c, 0x19);
        poke(c, ETM_REG_TECR1, 1);
        program_end(c, cell_control(&trace));
        TRACES(c, events, expected[done]);
        assert_int_equal(count_packets(c, ETM_PACKET_LSIP_I_SYNC), !done);
        cell_end(c);
    }
}

/* <etm/macrocell.h>: how far a run came that failed. Only an M-profile
 * processor pushes registers by itself. */
static void what_no_such_processor_does_is_refused_where_it_is(void **state)
{
    const struct etm_event events[] = {
        nop(0x100), nop(0x104), {.kind = ETM_EVENT_STACKING},
        nop(0x108), nop(0x10c),
    };
    const struct etm_config *const traces[] = {&v30, &v34, &v35, &pft};

    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct cell *c = make(traces[i]);

        program_end(c, cell_control(traces[i]));
        assert_int_equal(etm_macrocell_run(c->m, events, COUNT(events)),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_macrocell_taken(c->m), 2);
        cell_end(c);
    }
}

/* <etm/model.h>: transfers belong to an instruction that makes so many, whether
 * or not they are traced. */
static void transfers_that_no_instruction_makes_are_refused(void **state)
{
    const struct etm_event owned[] = {
        after(1, arm(0x100, LDM)), load(0x2000, 1), nop(0x104),
        load(0x2004, 2),           load(0x2008, 3), nop(0x108),
    };
    const struct etm_event none[] = {nop(0x100), load(0x2000, 1), nop(0x104)};
    const struct etm_event failed[] = {failing(after(1, arm(0x100, LDR))),
                                       load(0x2000, 1), nop(0x104)};
    const struct etm_event more[] = {after(1, arm(0x100, LDR)), load(0x2000, 1),
                                     nop(0x104), load(0x2004, 2), nop(0x108)};
    const struct etm_event at_once[] = {nop(0xfc), after(1, arm(0x100, LDR)),
                                        load(0x2000, 1), load(0x2004, 2),
                                        nop(0x104)};
    const struct {
        const struct etm_event *events;
        size_t n, taken;
        int status;
    } rows[] = {
        {owned, COUNT(owned), COUNT(owned), ETM_OK},
        {none, COUNT(none), 1, ETM_ERR_ARGUMENT},
        {failed, COUNT(failed), 1, ETM_ERR_ARGUMENT},
        {more, COUNT(more), 3, ETM_ERR_ARGUMENT},
        {at_once, COUNT(at_once), 3, ETM_ERR_ARGUMENT},
    };

    (void)state;
    for (size_t i = 0; i < 3 * COUNT(rows); i++) {
        struct etm_config trace = i % 3 == 2 ? pft : v34;
        struct cell *c;

        trace.data_address = trace.data_value = i % 3 == 1;
        c = make(&trace);
        program_end(c, cell_control(&trace));
        assert_int_equal(
            etm_macrocell_run(c->m, rows[i / 3].events, rows[i / 3].n),
            rows[i / 3].status);
        assert_int_equal(etm_macrocell_taken(c->m), rows[i / 3].taken);
        cell_end(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_macrocell_that_runs_can_be_connected),
        cmocka_unit_test(a_macrocell_that_runs_takes_its_output_as_it_is),
        cmocka_unit_test(a_trigger_waits_for_the_fate_of_an_instruction),
        cmocka_unit_test(a_macrocell_runs_without_an_output),
        cmocka_unit_test(one_pin_of_two_permits_trace),
        cmocka_unit_test(instrumentation_is_lost_without_power),
        cmocka_unit_test(programming_ends_what_was_outstanding),
        cmocka_unit_test(timestamps_tell_a_new_frequency_once),
        cmocka_unit_test(an_instruction_under_another_begins_the_trace),
        cmocka_unit_test(a_load_is_traced_as_in_progress),
        cmocka_unit_test(what_no_such_processor_does_is_refused_where_it_is),
        cmocka_unit_test(transfers_that_no_instruction_makes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
