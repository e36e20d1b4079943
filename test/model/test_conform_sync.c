/* SPDX-License-Identifier: Apache-2.0 */
/* When a macrocell of ETMv3 synchronizes, and why it does so. Rows of the
 * conformance list stand above the tests. */
#include "macrocell_code.h"

static const struct etm_config data_v30 = {
    .protocol = ETM_PROTOCOL_ETMV3, .data_address = true, .data_value = true};
static const struct etm_config data_v34 = {.protocol = ETM_PROTOCOL_ETMV3,
                                           .minor = 4,
                                           .data_address = true,
                                           .data_value = true};

/* Loads of words that do not compress, one in each cycle. */
static size_t busy(struct etm_event *events, unsigned loads)
{
    size_t n = 0;

    for (unsigned i = 0; i < loads; i++) {
        events[n++] = after(1, arm(0x8000 + 4 * i, LDR));
        events[n++] = load(0x20000000 ^ i * 0x9e3779b1u, i * 0x85ebca6bu);
    }
    return n;
}

static size_t count_d_syncs(const struct cell *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_packets; i++)
        n += c->packets[i].kind == ETM_PACKET_NORMAL_DATA &&
             c->packets[i].address_bytes == 5;
    return n;
}

/* 7.7.1, V3-SYNC-01, V3-DS-02: all three forms, counted in cycles in v3.0, and
 * from v3.1 on in bytes. */
static void each_form_has_its_period(void **state)
{
    const struct etm_config *traces[2] = {&data_v30, &data_v34};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct etm_config trace = *traces[i];
        struct cell *c = &cell;
        size_t periods;

        trace.sync_period = 200;
        cell_begin(c, &trace);
        cell_make(c);
        program_all(c);
        for (unsigned k = 0; k < 400; k++) {
            const struct etm_event events[] = {
                after(10, arm(0x8000 + 4 * k, LDR)), load(0x1000, 1)};

            run(c, events, 2);
        }
        finish(c);
        periods = i == 0 ? 400 * 10 / 200 : c->n_bytes / 220;
        assert_in_range(count_packets(c, ETM_PACKET_A_SYNC), periods,
                        periods + 2);
        assert_in_range(count_packets(c, ETM_PACKET_I_SYNC), periods,
                        periods + 2);
        assert_in_range(count_d_syncs(c), periods, periods + 2);
        cell_end(c);
    }
}

/* 7.7.1, V3-SYNC-02: data suppression holds it back, but when it is late by one
 * more period there is an overflow, though the FIFO has room. */
static void synchronization_that_waits_too_long_is_an_overflow(void **state)
{
    /* offset of the second I-sync: 200 and 400 cycles, or bytes */
    static const uint16_t places[4] = {262, 462, 208, 408};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct etm_config trace = i < 2 ? data_v30 : data_v34;
        unsigned waits = i % 2;
        const struct etm_packet *second;
        struct cell *c = &cell;

        trace.branch_broadcast = true;
        cell_begin(c, &trace);
        c->output.drain_bits = 8;
        c->output.drain_cycles = 1;
        cell_make(c);
        program_begin(c);
        program_nothing(c);
        poke(c, ETM_REG_SYNCFR, 200);
        poke(c, ETM_REG_FFLR, 255); /* whenever there is a byte */
        program_end(c,
                    cell_control(&trace) | (waits ? ETM_CR_SUPPRESS_DATA : 0u));
        for (unsigned k = 0; k < 400; k++) { /* each has two bytes */
            struct etm_event e = b(0x8000, 0x8000);

            e.cycles = k < 50 ? 1 : 2;
            run(c, &e, 1);
        }
        finish(c);
        second = find_packet(c, ETM_PACKET_I_SYNC, 1);
        assert_non_null(second);
        assert_int_equal(second->reason,
                         waits ? ETM_SYNC_OVERFLOW : ETM_SYNC_PERIODIC);
        assert_in_range(second->offset, places[i] - 8, places[i] + 8);
        cell_end(c);
    }
}

/* 7.7.3, 7.7.4, V3-SYNC-08, V3-RSN-07, V3-DS-02: each restart is a whole one,
 * even after no time. */
static void a_restart_outputs_everything_in_full(void **state)
{
    struct etm_config c = data_v34;
    const struct etm_event events[] = {context(7, 0),
                                       start(place(0x8000, ETM_ISA_ARM)),
                                       arm(0x8000, LDR),
                                       transfer(0x1000, 1),
                                       plain_event(ETM_EVENT_TRACE_OFF),
                                       start(place(0x8004, ETM_ISA_ARM)),
                                       arm(0x8004, LDR),
                                       transfer(0x1000, 2)};

    (void)state;
    c.context_id_bytes = 1;
    BECOME(&c, events,
           "08 07 21 00 80 00 00 84 26 80 A0 80 80 00 01 "
           "08 07 21 04 80 00 00 84 26 80 A0 80 80 00 02");
}

/* 7.7.3, V3-IS-06, V3-IS-14: a periodic one has no count. Its address is that
 * of the next instruction. */
static void a_periodic_i_sync_has_no_count(void **state)
{
    struct etm_config c = {.protocol = ETM_PROTOCOL_ETMV3,
                           .minor = 4,
                           .cycle_accurate = true,
                           .sync_period = 10};
    const struct etm_event events[] = {
        after(5, start(place(0x8000, ETM_ISA_ARM))),
        after(1, to(arm(0x8000, 0xe12fff1e), place(0x8010, ETM_ISA_ARM))),
        after(1, to(arm(0x8010, 0xe12fff1e), place(0x8004, ETM_ISA_ARM))),
        after(1, arm(0x8004, NOP))};

    (void)state;
    BECOME(&c, events,
           "70 05 21 00 80 00 00 84 09 84 03 "
           "00 00 00 00 00 80 08 01 04 80 00 00 84");
}

/* 4.8, table 7-23, V3-RSN-03, V3-RSN-04: what was lost before Debug state is
 * shown by ETMSR[0], and the reason after it is that of the exit. */
static void debug_state_hides_an_overflow(void **state)
{
    static struct etm_event events[40];
    const struct etm_event halt = after(
        1, exception(ETM_EXCEPTION_DEBUG_HALT, false, (struct etm_place){0}));
    const struct etm_event back[] = {idle(5000),
                                     go_to(place(0x9000, ETM_ISA_ARM)),
                                     nop(0x9000), nop(0x9004)};
    size_t n = busy(events, 20);
    const struct etm_packet *last;
    struct cell *c = &cell;

    (void)state;
    cell_begin(c, &data_v34);
    c->config.fifo_size = 40;
    c->output.drain_bits = 1;
    c->output.drain_cycles = 1;
    cell_make(c);
    program_all(c);
    run(c, events, n);
    run(c, &halt, 1);
    run(c, back, 1);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, ETM_SR_OVERFLOW);
    run(c, back + 1, 3);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, 0);
    finish(c);
    assert_int_equal(count_packets(c, ETM_PACKET_I_SYNC), 2);
    last = find_packet(c, ETM_PACKET_I_SYNC, 1);
    assert_int_equal(last->reason, ETM_SYNC_DEBUG_EXIT);
    assert_int_equal(last->address, 0x9000);
    cell_end(c);
}

/* 2.6.6, 4.12, V3-SYNC-09, V3-RSN-01: and what was lost before the processor
 * waits is the reason after it. */
static void an_overflow_before_waiting_is_told_afterwards(void **state)
{
    static struct etm_event events[40];
    const struct etm_event waits[] = {
        after(1, arm(0x8050, WFI)),
        plain_event(ETM_EVENT_WAIT),
        idle(5000),
        after(1, exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM))),
        nop(0x18),
        nop(0x1c)};
    size_t n = busy(events, 20);
    const struct etm_packet *last;
    struct cell *c = &cell;

    (void)state;
    cell_begin(c, &data_v34);
    c->config.fifo_size = 40;
    c->output.drain_bits = 1;
    c->output.drain_cycles = 1;
    cell_make(c);
    program_all(c);
    run(c, events, n);
    run(c, waits, COUNT(waits));
    finish(c);
    assert_int_equal(count_packets(c, ETM_PACKET_I_SYNC), 2);
    last = find_packet(c, ETM_PACKET_I_SYNC, 1);
    assert_int_equal(last->reason, ETM_SYNC_OVERFLOW);
    assert_int_equal(last->address, 0x18);
    cell_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_has_its_period),
        cmocka_unit_test(synchronization_that_waits_too_long_is_an_overflow),
        cmocka_unit_test(a_restart_outputs_everything_in_full),
        cmocka_unit_test(a_periodic_i_sync_has_no_count),
        cmocka_unit_test(debug_state_hides_an_overflow),
        cmocka_unit_test(an_overflow_before_waiting_is_told_afterwards),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
