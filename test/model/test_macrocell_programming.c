/* SPDX-License-Identifier: Apache-2.0 */
/* A macrocell at work and its registers: the programming procedure, state
 * items, triggers and outputs, the OS lock and power. */
#include "macrocell_code.h"

#define KEY 0xc5acce55u

/* MC-PRG-09, TV-PRG-04, MC-SR-04, MC-SR-05, CFG-18: the bit waits for the FIFO.
 * V3-PORT-07, V3-CFG-15 */
static void the_programming_bit_waits_for_the_fifo(void **state)
{
    struct etm_event events[20];
    struct cell *c = &cell;
    unsigned reads = 0;

    (void)state;
    cell_begin(c, &v34);
    c->output.access_cycles = 1;
    c->output.drain_bits = 1;
    c->output.drain_cycles = 1;
    cell_make(c);
    program_all(c);
    run(c, events, straight(events, 0x100, 20));
    poke(c, ETM_REG_CR, cell_control(&v34) | ETM_CR_PROGRAMMING);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_PROGRAMMING, 0);
    while ((peek(c, ETM_REG_SR) & ETM_SR_PROGRAMMING) == 0)
        reads++;
    assert_in_range(reads, 50, 200);
    cell_end(c);
}

/* CFG-18, 3.4.4: nothing is traced or counted meanwhile; then an A-sync comes
 * first. */
static void nothing_is_traced_while_programming(void **state)
{
    struct etm_event events[30];
    struct cell *c = make(&v34);
    size_t n;

    (void)state;
    straight(events, 0x100, 30);
    poke(c, ETM_REG_CNTRLDVR1, 500);
    poke(c, ETM_REG_CNTENR1, 0x6f);
    run(c, events, 10);
    assert_int_equal(c->n_bytes, 0);
    assert_int_equal(peek(c, ETM_REG_CNTVR1), 500);
    program_end(c, cell_control(&v34));
    run(c, events + 10, 10); /* the cycle that was open ends too */
    assert_int_equal(peek(c, ETM_REG_CNTVR1), 489);
    poke(c, ETM_REG_CR, cell_control(&v34) | ETM_CR_PROGRAMMING);
    n = c->n_bytes;
    run(c, events + 20, 5);
    (void)peek(c, ETM_REG_SR);
    assert_int_equal(c->n_bytes, n);
    assert_int_equal(peek(c, ETM_REG_CNTVR1), 489);
    poke(c, ETM_REG_CR, cell_control(&v34));
    run(c, events + 25, 5);
    finish(c);
    assert_string_equal(decode_text(c, events, 30),
                        "on:start 128 12c 130 134 138 13c 140 144 148 14c "
                        "on:start 164 168 16c 170 174");
    assert_int_equal(count_packets(c, ETM_PACKET_A_SYNC), 2);
    cell_end(c);
}

/* MF-24, MC-PRG-25, MC-TRG-01, -02, -03, -12: once in each run. E-225,
 * V3-PORT-01 */
static void there_is_one_trigger_in_a_run(void **state)
{
    struct etm_event events[20];
    struct cell *c = make(&v34);

    (void)state;
    straight(events, 0x100, 20);
    poke(c, ETM_REG_TRIGGER, 0x10);
    poke(c, ETM_REG_ACVR1, 0x108);
    poke(c, ETM_REG_ACVR1 + 1, 0x118);
    poke(c, ETM_REG_ACTR1, 0x19);
    poke(c, ETM_REG_ACTR1 + 1, 0x19);
    program_end(c, cell_control(&v34));
    run(c, events, 10);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_TRIGGER, ETM_SR_TRIGGER);
    poke(c, ETM_REG_CR, cell_control(&v34) | ETM_CR_PROGRAMMING);
    poke(c, ETM_REG_TRIGGER, 0x6f);
    poke(c, ETM_REG_CR, cell_control(&v34));
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_TRIGGER, 0);
    run(c, events + 10, 10);
    finish(c);
    assert_string_equal(decode_text(c, events, 20),
                        "on:start 100 104 108 trigger 10c 110 114 118 11c 120 "
                        "124 trigger on:start 128 12c 130 134 138 13c 140 144 "
                        "148 14c");
    cell_end(c);
}

/* It is open whether an exception cancels the last instruction, until a
 * register is read: then it has completed. E-208 */
static void an_access_completes_the_last_instruction(void **state)
{
    const struct etm_event events[] = {
        nop(0x100), nop(0x104),
        after(1, exception(ETM_EXCEPTION_IRQ, true, place(0x18, ETM_ISA_ARM))),
        nop(0x18)};

    (void)state;
    for (unsigned reads = 0; reads < 2; reads++) {
        struct cell *c = make(&v34);

        program_end(c, cell_control(&v34));
        run(c, events, 2);
        if (reads != 0)
            (void)peek(c, ETM_REG_SR);
        run(c, events + 2, 2);
        finish(c);
        assert_string_equal(decode_text(c, events, COUNT(events)),
                            reads != 0 ? "on:start 100 104 exc:irq 18"
                                       : "on:start 100 exc:irq 18");
        cell_end(c);
    }
}

/* MC-CR-20: 7.8.1, MC-TRG-06: with TraceEnable LOW too, and then the processor
   stops. E-209, V3-SYNC-07, V3-PORT-01 */
static void a_trigger_comes_without_trace(void **state)
{
    struct etm_event events[6];
    struct etm_event halt =
        exception(ETM_EXCEPTION_DEBUG_HALT, false, (struct etm_place){0});
    struct etm_macrocell_signals s;
    struct cell *c = make(&v34);

    (void)state;
    straight(events, 0x100, 6);
    poke(c, ETM_REG_TEEVR, 0x406f);
    poke(c, ETM_REG_TRIGGER, 0);
    poke(c, ETM_REG_ACVR1, 0x108);
    poke(c, ETM_REG_ACTR1, 0x19);
    program_end(c, cell_control(&v34) | ETM_CR_DEBUG_REQUEST);
    run(c, events, 6);
    etm_macrocell_get_signals(c->m, &s);
    assert_true(s.debug_request);
    halt.cycles = 1;
    run(c, &halt, 1);
    finish(c);
    etm_macrocell_get_signals(c->m, &s);
    assert_false(s.debug_request);
    assert_string_equal(bytes_text(c), "00 00 00 00 00 80 0C");
    cell_end(c);
}

/* MC-EXT-01, -02, -05: external input 1 comes out at output 2. E-226 */
static void inputs_reach_outputs(void **state)
{
    struct etm_event pins = {.kind = ETM_EVENT_PINS, .cycles = 1};
    struct etm_event idles = idle(3);
    struct etm_macrocell_signals s;
    struct cell *c = make(&v34);

    (void)state;
    poke(c, ETM_REG_EXTOUTEVR1 + 1, 0x60);
    program_end(c, cell_control(&v34));
    pins.u.pins.ext_in = 1;
    run(c, &pins, 1);
    run(c, &idles, 1);
    etm_macrocell_get_signals(c->m, &s);
    assert_int_equal(s.ext_out, 2);
    poke(c, ETM_REG_CR, cell_control(&v34) | ETM_CR_PROGRAMMING);
    etm_macrocell_get_signals(c->m, &s);
    assert_int_equal(s.ext_out, 0);
    poke(c, ETM_REG_CR, cell_control(&v34));
    pins.u.pins.ext_in = 0;
    run(c, &pins, 1);
    run(c, &idles, 1);
    etm_macrocell_get_signals(c->m, &s);
    assert_int_equal(s.ext_out, 0);
    cell_end(c);
}

/* Extended external inputs reach events through their selectors (3.5.20).
 * E-227 */
static void extended_inputs_are_selected(void **state)
{
    struct etm_event inputs = {.kind = ETM_EVENT_EXT_INPUTS, .cycles = 1};
    struct etm_event idles = idle(2);
    struct etm_macrocell_signals s;
    struct cell *c = make(&v34);

    (void)state;
    poke(c, ETM_REG_EXTINSELR, 200u << 8);
    poke(c, ETM_REG_EXTOUTEVR1, 0x69); /* selector 2 */
    program_end(c, cell_control(&v34));
    inputs.u.ext_inputs.word = 6;
    inputs.u.ext_inputs.level = 1u << 8; /* input 200 */
    run(c, &inputs, 1);
    run(c, &idles, 1);
    etm_macrocell_get_signals(c->m, &s);
    assert_int_equal(s.ext_out, 1);
    cell_end(c);
}

static const uint32_t events_used[] = {0x6f,
                                       0x406f,
                                       0x40,
                                       0x41,
                                       0x4040,
                                       0x50,
                                       0x51,
                                       0x52,
                                       0x4052,
                                       0x60,
                                       0x60 | 0x40 << 7 | 2 << 14,
                                       0x40 | 0x41 << 7 | 5 << 14,
                                       0x4041,
                                       0x42};

/* Idle time in one piece is the same as cycle by cycle, whatever counts. */
static void long_waits_are_as_many_short_ones(void **state)
{
    static struct cell other;
    uint64_t x = 1;

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        struct cell *cells[2] = {&cell, &other};
        uint64_t seed = x;
        uint32_t total = 0;

        for (unsigned k = 0; k < 2; k++) {
            struct cell *c = cells[k];

            x = seed;
#define PICK() (x = x * 6364136223846793005u + 1442695040888963407u, x >> 33)
#define EVENT() events_used[PICK() % COUNT(events_used)]
            cell_begin(c, &v34);
            cell_make(c);
            program_begin(c);
            program_nothing(c);
            for (uint32_t n = 0; n < 3; n++) {
                poke(c, ETM_REG_CNTRLDVR1 + n, (uint32_t)(PICK() % 200));
                poke(c, ETM_REG_CNTENR1 + n, EVENT());
                poke(c, ETM_REG_CNTRLDEVR1 + n,
                     PICK() % 2 == 0 ? 0x406f : EVENT());
                poke(c, ETM_REG_EXTOUTEVR1 + n, EVENT());
            }
            for (uint32_t n = 0; n < 6; n++)
                poke(c, ETM_REG_SQ12EVR + n, EVENT());
            poke(c, ETM_REG_TRIGGER, EVENT());
            program_end(c, cell_control(&v34));
            for (unsigned i = 0; i < 5; i++) {
                uint32_t n = (uint32_t)(1 + PICK() % 700);
                struct etm_event one = idle(1), all = idle(n);

                total += n;
                if (k == 0)
                    run(c, &all, 1);
                for (uint32_t j = 0; k == 1 && j < n; j++)
                    run(c, &one, 1);
            }
        }
        assert_true(total > 4);
        for (uint32_t n = 0; n < 3; n++)
            assert_int_equal(peek(&cell, ETM_REG_CNTVR1 + n),
                             peek(&other, ETM_REG_CNTVR1 + n));
        assert_int_equal(peek(&cell, ETM_REG_SQR), peek(&other, ETM_REG_SQR));
        assert_int_equal(peek(&cell, ETM_REG_SR), peek(&other, ETM_REG_SR));
        assert_int_equal(cell.n_signals, other.n_signals);
        for (size_t i = 0; i < cell.n_signals; i++) {
            assert_int_equal(cell.signals[i].cycle, other.signals[i].cycle);
            assert_int_equal(cell.signals[i].ext_out, other.signals[i].ext_out);
            assert_int_equal(cell.signals[i].trigger, other.signals[i].trigger);
        }
        cell_end(&cell);
        cell_end(&other);
    }
}

/* TV-PRG-01, TV-PRG-02: what becomes of the state items. */
static void state_items_follow_the_programming_bit(void **state)
{
    static const struct etm_config *const traces[2] = {&v30, &v34};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct etm_event idles = idle(5);
        struct cell *c = make(traces[i]);
        uint32_t control = cell_control(traces[i]);

        poke(c, ETM_REG_CNTRLDVR1, 10);
        poke(c, ETM_REG_CNTENR1, 0x6f);
        poke(c, ETM_REG_SQ12EVR + 5, 0x6f); /* 1 to 3 */
        program_end(c, control);
        run(c, &idles, 1);
        assert_int_equal(peek(c, ETM_REG_CNTVR1), 5);
        assert_int_equal(peek(c, ETM_REG_SQR), 2);
        poke(c, ETM_REG_CR, control | ETM_CR_PROGRAMMING);
        assert_int_equal(peek(c, ETM_REG_CNTVR1), i == 0 ? 10 : 5);
        assert_int_equal(peek(c, ETM_REG_SQR), i == 0 ? 0 : 2);
        poke(c, ETM_REG_CR, control);
        assert_int_equal(peek(c, ETM_REG_CNTVR1), 10);
        assert_int_equal(peek(c, ETM_REG_SQR), 0);
        cell_end(c);
    }
}

/* MC-PWR-10, MC-PWR-11: the OS lock holds all, and tracing goes on after. */
static void the_os_lock_holds_the_macrocell(void **state)
{
    struct etm_event events[15];
    struct cell *c = make(&v34);
    uint32_t value;

    (void)state;
    straight(events, 0x100, 15);
    poke(c, ETM_REG_CNTRLDVR1, 100);
    poke(c, ETM_REG_CNTENR1, 0x6f);
    program_end(c, cell_control(&v34));
    run(c, events, 5);
    poke(c, ETM_REG_OSLAR, KEY);
    run(c, events + 5, 5);
    assert_int_equal(
        etm_macrocell_read(c->m, ETM_REG_CNTVR1, c->access, &value),
        ETM_ACCESS_ERROR);
    poke(c, ETM_REG_OSLAR, 0);
    assert_int_equal(peek(c, ETM_REG_CNTVR1), 94);
    assert_int_equal(peek(c, ETM_REG_CR) & ETM_CR_PROGRAMMING, 0);
    run(c, events + 10, 5);
    finish(c);
    assert_string_equal(decode_text(c, events, 15),
                        "on:start 100 104 108 10c 110 on:start 128 12c 130 "
                        "134 138");
    cell_end(c);
}

/* 3.8.1, MC-PWR-12, MC-PWR-24, MC-PWR-25: saved, without power, restored; a
 * filter and a counter go on as they were. */
static void a_power_down_is_survived(void **state)
{
    static const struct etm_macrocell_pins pins = {
        .dbgen = true, .niden = true, .spiden = true, .os_lock_init = true};
    struct etm_event events[15];
    uint32_t saved[200], n;
    struct cell *c = make(&v34);

    (void)state;
    straight(events, 0x100, 15);
    etm_macrocell_set_pins(c->m, &pins);
    poke(c, ETM_REG_CNTRLDVR1, 100);
    poke(c, ETM_REG_CNTENR1, 0x6f);
    poke(c, ETM_REG_ACVR1, 0x104);
    poke(c, ETM_REG_ACVR1 + 1, 0x130);
    poke(c, ETM_REG_ACTR1, 0x19);
    poke(c, ETM_REG_ACTR1 + 1, 0x19);
    poke(c, ETM_REG_TECR1, 1);
    program_end(c, cell_control(&v34));
    run(c, events, 5);

    (void)peek(c, ETM_REG_PDSR);
    poke(c, ETM_REG_OSLAR, KEY);
    n = peek(c, ETM_REG_OSSRR);
    assert_in_range(n, 50, 199);
    for (uint32_t i = 0; i < n; i++)
        saved[i] = peek(c, ETM_REG_OSSRR);
    etm_macrocell_power(c->m, true, false);
    run(c, events + 5, 5);
    etm_macrocell_power(c->m, true, true);
    (void)peek(c, ETM_REG_PDSR);
    poke(c, ETM_REG_OSLAR, KEY);
    (void)peek(c, ETM_REG_OSSRR);
    for (uint32_t i = 0; i < n; i++)
        poke(c, ETM_REG_OSSRR, saved[i]);
    poke(c, ETM_REG_OSLAR, 0);

    assert_int_equal(peek(c, ETM_REG_CNTVR1), 94);
    run(c, events + 10, 5);
    finish(c);
    assert_string_equal(decode_text(c, events, 15),
                        "on:start 104 108 10c 110 on:start 128 12c");
    cell_end(c);
}

/* MC-GEN-06: bytes from v3.1 on, cycles in v3.0. V3-SYNC-01 */
static void synchronization_has_its_period(void **state)
{
    struct etm_event e;
    struct etm_config traces[2] = {v30, v34};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct cell *c;
        size_t syncs;

        traces[i].sync_period = 200;
        cell_begin(&cell, &traces[i]);
        cell_make(&cell);
        c = &cell;
        program_all(c);
        for (unsigned k = 0; k < 4000; k++) {
            e = nop(0x8000);
            e = to(arm(0x8000, 0xeafffffe), place(0x8000, ETM_ISA_ARM));
            e.cycles = 1;
            run(c, &e, 1);
        }
        finish(c);
        syncs = count_packets(c, ETM_PACKET_A_SYNC) - 1;
        if (i == 0)
            assert_in_range(syncs, 18, 20); /* 4000 cycles */
        else
            assert_in_range(syncs, c->n_bytes / 215, c->n_bytes / 200);
        cell_end(c);
    }
}

/* V3-AS-05: where cycles are counted an A-sync comes while TraceEnable is LOW,
 * too, in time that only passes as in code that is not traced, but not while
 * the Programming bit is set. */
static void a_syncs_come_while_nothing_is_traced(void **state)
{
    struct etm_event e = idle(2000), events[2];
    const struct etm_config traces[2] = {v30, v34};

    (void)state;
    events[0] = to(arm(0x8000, 0xeafffffe), place(0x8000, ETM_ISA_ARM));
    events[1] = idle(1);
    for (size_t i = 0; i < 2; i++) {
        struct cell *c;

        cell_begin(&cell, &traces[i]);
        cell_make(&cell);
        c = &cell;
        run(c, &e, 1); /* nothing is programmed yet */
        poke(c, ETM_REG_SYNCFR, 200);
        poke(c, ETM_REG_ACVR1, 0x100);
        poke(c, ETM_REG_ACVR1 + 1, 0x200);
        poke(c, ETM_REG_ACTR1, 0x19);
        poke(c, ETM_REG_ACTR1 + 1, 0x19);
        poke(c, ETM_REG_TECR1, 1);
        program_end(c, cell_control(&traces[i]));
        run(c, &e, 1);
        for (unsigned k = 0; k < 1010; k++)
            run(c, events, 2);
        finish(c);
        assert_int_equal(count_packets(c, ETM_PACKET_A_SYNC), i == 0 ? 15 : 0);
        assert_int_equal(c->n_bytes, i == 0 ? 15 * 6 : 0);
        cell_end(c);
    }
}

/* 3.4.4: to write a register while tracing is a mistake, but no new beginning:
 * an event that stays active asks for no other timestamp. */
static void a_write_while_tracing_begins_nothing(void **state)
{
    static const struct etm_config v35_time = {
        .protocol = ETM_PROTOCOL_ETMV3, .minor = 5, .timestamps = true};
    struct etm_event events[8];
    struct cell *c = make(&v35_time);

    (void)state;
    poke(c, ETM_REG_TSEVR, 0x6f);
    program_end(c, cell_control(&v35_time));
    run(c, events, straight(events, 0x100, 4));
    poke(c, ETM_REG_EXTOUTEVR1, 0x406f);
    run(c, events, straight(events, 0x110, 4));
    finish(c);
    assert_int_equal(etm_macrocell_mistakes(c->m), ETM_MISTAKE_TRACING);
    assert_int_equal(count_packets(c, ETM_PACKET_TIMESTAMP), 1);
    cell_end(c);
}

/* Without an output nothing is lost but the trace. */
static void without_an_output_the_resources_work(void **state)
{
    struct etm_event events[] = {
        idle(7),
        go_to(place(0x100, ETM_ISA_ARM)),
        context(5, 0),
        after(1, arm(0x100, 0xe5910000u)),
        load(0x9000, 1),
        context(6, 0),
        nop(0x104),
        after(1, exception(ETM_EXCEPTION_IRQ, true, place(0x18, ETM_ISA_ARM))),
        nop(0x18),
        plain_event(ETM_EVENT_WAIT),
        idle(3)};
    struct cell *c = &cell;

    (void)state;
    cell_begin(c, &v34);
    assert_int_equal(etm_macrocell_new(&c->m, &c->config, NULL), ETM_OK);
    etm_macrocell_set_pins(c->m, &(struct etm_macrocell_pins){.niden = true});
    program_begin(c);
    program_nothing(c);
    poke(c, ETM_REG_CNTRLDVR1, 100);
    poke(c, ETM_REG_CNTENR1, 0x6f);
    program_end(c, cell_control(&v34));
    run(c, events, sizeof events / sizeof *events);
    assert_int_equal(peek(c, ETM_REG_CNTVR1), 86);
    assert_int_equal(etm_macrocell_connect(c->m, &c->output), ETM_ERR_ARGUMENT);
    cell_end(c);
}

static struct {
    unsigned signals, others;
} heard;

static int stop(void *context, const struct etm_macrocell_signals *signals)
{
    (void)context;
    (void)signals;
    heard.signals++;
    return -77;
}

static int hear_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    (void)context;
    (void)packets;
    (void)n;
    heard.others++;
    return ETM_OK;
}

static int hear_bytes(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    (void)bytes;
    (void)n;
    heard.others++;
    return ETM_OK;
}

/* The one who stopped may have freed what the others need. */
static void who_stops_hears_nothing_more(void **state)
{
    struct etm_event events[] = {go_to(place(0x100, ETM_ISA_ARM)), nop(0x100),
                                 nop(0x104), nop(0x108)};
    struct cell *c = &cell;

    (void)state;
    cell_begin(c, &v34);
    c->output.signals = stop;
    c->output.packets = hear_packets;
    c->output.bytes = hear_bytes;
    cell_make(c);
    program_begin(c);
    program_all(c);
    program_end(c, cell_control(&v34));
    heard.signals = heard.others = 0;
    assert_int_equal(etm_macrocell_run(c->m, events, 4), -77);
    assert_int_equal(etm_macrocell_run(c->m, events + 3, 1), -77);
    assert_int_equal(etm_macrocell_finish(c->m), -77);
    assert_int_equal(heard.signals, 1);
    assert_int_equal(heard.others, 0);
    cell_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programming_bit_waits_for_the_fifo),
        cmocka_unit_test(nothing_is_traced_while_programming),
        cmocka_unit_test(there_is_one_trigger_in_a_run),
        cmocka_unit_test(an_access_completes_the_last_instruction),
        cmocka_unit_test(a_trigger_comes_without_trace),
        cmocka_unit_test(inputs_reach_outputs),
        cmocka_unit_test(extended_inputs_are_selected),
        cmocka_unit_test(long_waits_are_as_many_short_ones),
        cmocka_unit_test(state_items_follow_the_programming_bit),
        cmocka_unit_test(the_os_lock_holds_the_macrocell),
        cmocka_unit_test(a_power_down_is_survived),
        cmocka_unit_test(synchronization_has_its_period),
        cmocka_unit_test(a_syncs_come_while_nothing_is_traced),
        cmocka_unit_test(a_write_while_tracing_begins_nothing),
        cmocka_unit_test(without_an_output_the_resources_work),
        cmocka_unit_test(who_stops_hears_nothing_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
