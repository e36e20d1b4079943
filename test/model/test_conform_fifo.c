/* SPDX-License-Identifier: Apache-2.0 */
/* The FIFO of a whole macrocell: the ends of what ETMFFLR can say, and what an
   overflow and its remedies leave alone. Rows of the conformance list stand
   above the tests. */
#include "macrocell_util.h"

#define LDR 0xe5910000u

static struct cell cell;

static const struct etm_config v34_data = {.protocol = ETM_PROTOCOL_ETMV3,
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

/* A FIFO of 60 bytes before a port of 8 bits in each cycle. */
static struct cell *small_fifo(bool ignored)
{
    cell_begin(&cell, &v34_data);
    cell.config.fifo_size = 60;
    cell.config.fifo_level_ignored = ignored;
    cell.output.drain_bits = 8;
    cell.output.drain_cycles = 1;
    cell_make(&cell);
    program_begin(&cell);
    program_nothing(&cell);
    return &cell;
}

/* MC-FIFO-07: a level of 0, UNPREDICTABLE, never acts here. MC-FIFO-06 and
   MC-FIFO-10: the size of the FIFO, or a level that is ignored, acts as long
   as there is a byte. E-222 */
static void extreme_levels_act_never_or_always(void **state)
{
    static struct etm_event events[200];
    size_t n = busy(events, 100);

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct etm_event idles = idle(300);
        struct etm_macrocell_signals s;
        struct cell *c = small_fifo(i == 2);
        bool on = false;

        poke(c, ETM_REG_FFLR, i == 1 ? 60 : 0);
        program_end(c, cell_control(&v34_data) | ETM_CR_STALL);
        run(c, events, n);
        for (size_t k = 0; k < c->n_signals; k++)
            on = on || c->signals[k].fifofull;
        assert_int_equal(on, i != 0);
        run(c, &idles, 1);
        finish(c);
        etm_macrocell_get_signals(c->m, &s);
        assert_false(s.fifofull); /* it is empty */
        assert_int_equal(count_packets(c, ETM_PACKET_NORMAL_DATA) == 100,
                         i != 0);
        cell_end(c);
    }
}

/* As in ETM-M3, which has no ETMFFRR: nothing says where it may be asserted,
   and so it may everywhere. E-403 */
static void fifofull_needs_no_region_without_comparators(void **state)
{
    static struct etm_event events[40];
    size_t n = busy(events, 9);

    (void)state;
    for (unsigned pairs = 0; pairs < 2; pairs++) {
        struct cell *c = &cell;
        bool seen = false;

        cell_begin(c, &v34_data);
        c->config.ccr &= ~UINT32_C(0x1fff);
        c->config.ccr |= pairs;
        c->config.fifo_size = 120;
        c->output.drain_bits = 1;
        c->output.drain_cycles = 1;
        c->output.stall_after = ETM_STALL_NEVER;
        cell_make(c);
        program_begin(c);
        program_nothing(c);
        poke(c, ETM_REG_TECR1, 0x01000000);
        poke(c, ETM_REG_FFRR, 0);
        poke(c, ETM_REG_FFLR, 110);
        program_end(c, cell_control(&v34_data) | ETM_CR_STALL);
        run(c, events, n);
        finish(c);
        for (size_t i = 0; i < c->n_signals; i++)
            seen = seen || c->signals[i].fifofull;
        assert_int_equal(seen, pairs == 0);
        cell_end(c);
    }
}

/* MF-04: FIFOFULL does not ask whether anything is being traced; E-223 */
static void fifofull_lasts_while_nothing_is_traced(void **state)
{
    static struct etm_event events[40];
    size_t n = busy(events, 9);
    bool seen = false;
    struct cell *c;

    (void)state;
    c = small_fifo(false);
    cell_end(c);
    cell_begin(c, &v34_data);
    c->config.fifo_size = 120;
    c->output.drain_bits = 1;
    c->output.drain_cycles = 1;
    c->output.stall_after = ETM_STALL_NEVER;
    cell_make(c);
    program_begin(c);
    program_nothing(c);
    poke(c, ETM_REG_FFLR, 110);
    poke(c, ETM_REG_ACVR1, 0x8000 + 4 * 3);
    poke(c, ETM_REG_ACVR1 + 1, 0x9000);
    poke(c, ETM_REG_ACTR1, 0x19);
    poke(c, ETM_REG_ACTR1 + 1, 0x19);
    poke(c, ETM_REG_TECR1, 0x01000001);
    program_end(c, cell_control(&v34_data) | ETM_CR_STALL);
    run(c, events, n);
    finish(c);
    for (size_t i = 0; i < c->n_signals; i++)
        seen = seen || (c->signals[i].fifofull && !c->signals[i].trace_enable);
    assert_true(seen);
    cell_end(c);
}

/* MC-FIFO-12: what is lost is lost to the trace alone; V3-SYNC-09 */
static void overflow_changes_no_resource(void **state)
{
    static struct etm_event events[400];
    size_t n = busy(events, 200);
    uint32_t values[2][4];

    (void)state;
    for (unsigned large = 0; large < 2; large++) {
        struct cell *c = &cell;
        bool lost = false;

        cell_begin(c, &v34_data);
        c->config.fifo_size = 60;
        c->output.fifo_size = large ? UINT64_MAX : 0;
        c->output.drain_bits = 8;
        c->output.drain_cycles = 1;
        cell_make(c);
        program_begin(c);
        program_nothing(c);
        poke(c, ETM_REG_ACVR1, 0x8040);
        poke(c, ETM_REG_ACVR1 + 1, 0x8280);
        poke(c, ETM_REG_ACTR1, 0x19);
        poke(c, ETM_REG_ACTR1 + 1, 0x19);
        poke(c, ETM_REG_CNTRLDVR1, 1000);
        poke(c, ETM_REG_CNTENR1, 0x10);
        poke(c, ETM_REG_CNTRLDVR1 + 1, 100);
        poke(c, ETM_REG_CNTENR1 + 1, 0x6f);
        poke(c, ETM_REG_SQ12EVR, 0x41);
        poke(c, ETM_REG_TSSCR, 1);
        program_end(c, cell_control(&v34_data));
        run(c, events, n);
        for (size_t i = 0; i < c->n_signals; i++)
            lost = lost || c->signals[i].overflow;
        assert_int_equal(lost, !large);
        values[large][0] = peek(c, ETM_REG_CNTVR1);
        values[large][1] = peek(c, ETM_REG_CNTVR1 + 1);
        values[large][2] = peek(c, ETM_REG_SQR);
        values[large][3] = peek(c, ETM_REG_SR) & ~(uint32_t)ETM_SR_OVERFLOW;
        cell_end(c);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    assert_int_equal(values[0][0], 1000 - 0x240 / 4);
    assert_int_equal(values[0][1], 0);
    assert_int_equal(values[0][2], 1);
    assert_int_equal(values[0][3], ETM_SR_START_STOP);
}

struct syncs {
    size_t n;
};

static int count_syncs(void *context, const struct etm_packet *packets,
                       size_t n)
{
    struct syncs *s = context;

    for (size_t i = 0; i < n; i++)
        s->n += packets[i].kind == ETM_PACKET_A_SYNC ||
                packets[i].kind == ETM_PACKET_I_SYNC;
    return ETM_OK;
}

/* MC-FIFO-20, V3-SYNC-05: what is periodic waits while data are suppressed
   V3-SUP-07 */
static void synchronization_waits_while_data_are_suppressed(void **state)
{
    struct etm_config trace = v34_data;
    struct etm_event on = plain_event(ETM_EVENT_SUPPRESS);
    struct etm_event begin = start(place(0x8000, ETM_ISA_ARM));
    struct etm_event b =
        to(arm(0x8000, 0xeafffffe), place(0x8000, ETM_ISA_ARM));
    struct etm_generator_config config = {
        .size = sizeof config, .config = &trace, .packets = count_syncs};
    struct syncs s = {0};
    struct etm_generator *g;

    (void)state;
    trace.sync_period = 40;
    trace.branch_broadcast = true;
    config.context = &s;
    assert_int_equal(etm_generator_new(&g, &config), ETM_OK);
    assert_int_equal(etm_generator_push(g, &begin, 1), ETM_OK);
    on.u.suppress.on = true;
    assert_int_equal(etm_generator_push(g, &on, 1), ETM_OK);
    for (unsigned i = 0; i < 500; i++)
        assert_int_equal(etm_generator_push(g, &b, 1), ETM_OK);
    assert_int_equal(s.n, 2); /* those of the start */
    on.u.suppress.on = false;
    assert_int_equal(etm_generator_push(g, &on, 1), ETM_OK);
    for (unsigned i = 0; i < 500; i++)
        assert_int_equal(etm_generator_push(g, &b, 1), ETM_OK);
    assert_int_equal(etm_generator_finish(g), ETM_OK);
    assert_true(s.n > 10);
    etm_generator_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_levels_act_never_or_always),
        cmocka_unit_test(fifofull_needs_no_region_without_comparators),
        cmocka_unit_test(fifofull_lasts_while_nothing_is_traced),
        cmocka_unit_test(overflow_changes_no_resource),
        cmocka_unit_test(synchronization_waits_while_data_are_suppressed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
