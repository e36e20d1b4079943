/* SPDX-License-Identifier: Apache-2.0 */
/* The FIFO of a macrocell: overflow and what comes after it, stalling, data
 * suppression, and how fast a port drains it. */
#include "macrocell_util.h"

#define N 400u

static struct cell cell;

static const struct etm_config v34 = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .minor = 4,
                                      .data_address = true,
                                      .data_value = true};
static const struct etm_config pft = {.protocol = ETM_PROTOCOL_PFT, .minor = 1};

/* Loads of words that do not compress, one in each cycle. */
static size_t busy(struct etm_event *events, unsigned loads)
{
    size_t n = 0;

    for (unsigned i = 0; i < loads; i++) {
        events[n++] = after(1, arm(0x8000 + 4 * i, 0xe5910000));
        events[n++] = load(0x20000000 ^ i * 0x9e3779b1u, i * 0x85ebca6bu);
    }
    return n;
}

/* A port of `bits` in each cycle, a FIFO of `size`. */
static struct cell *make(const struct etm_config *trace, uint16_t bits,
                         uint8_t size)
{
    cell_begin(&cell, trace);
    cell.config.fifo_size = size;
    cell.output.drain_bits = bits;
    cell.output.drain_cycles = 1;
    cell_make(&cell);
    program_begin(&cell);
    program_nothing(&cell);
    return &cell;
}

/* How often a word stands in the text. */
static unsigned count_words(const char *text, const char *word)
{
    unsigned n = 0;

    for (const char *at = strstr(text, word); at != NULL;
         at = strstr(at + 1, word))
        n++;
    return n;
}

/* The bytes of loads in programs that change all the time. */
static size_t changing(uint8_t *bytes, uint8_t size, bool packets)
{
    static const struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                                            .minor = 4,
                                            .data_address = true,
                                            .data_value = true,
                                            .context_id_bytes = 4};
    struct cell *c = &cell;

    cell_begin(c, &trace);
    c->config.fifo_size = size;
    c->output.drain_bits = 20;
    c->output.drain_cycles = 1;
    if (!packets)
        c->output.packets = NULL;
    cell_make(c);
    program_all(c);
    for (unsigned i = 0; i < N; i++) {
        const struct etm_event events[] = {
            context(i, 0), after(1, arm(0x8000 + 4 * i, 0xe5910000)),
            load(0x20000000 ^ i * 0x9e3779b1u, i * 0x85ebca6bu)};

        run(c, events + (i % 3 != 0), i % 3 != 0 ? 2 : 3);
    }
    finish(c);
    memcpy(bytes, c->bytes, c->n_bytes);
    cell_end(c);
    return c->n_bytes;
}

/* P-headers go a short way where nobody asks for packets; not into a FIFO that
 * has overflowed. */
static void the_bytes_are_the_same_without_packets(void **state)
{
    static uint8_t with[65536], without[65536];

    (void)state;
    for (uint8_t size = 20; size < 80; size++) {
        size_t n = changing(with, size, true);

        assert_int_equal(changing(without, size, false), n);
        assert_memory_equal(with, without, n);
    }
}

/* MC-FIFO-12, MC-FIFO-23 */
static void a_large_fifo_loses_nothing(void **state)
{
    struct etm_event events[2 * N];
    size_t n = busy(events, N);
    struct cell *c = make(&v34, 8, 60);
    const char *text;

    (void)state;
    program_end(c, cell_control(&v34));
    cell_end(c);
    cell_begin(c, &v34);
    c->output.fifo_size = UINT64_MAX;
    c->output.drain_bits = 8;
    c->output.drain_cycles = 1;
    cell_make(c);
    program_all(c);
    run(c, events, n);
    finish(c);
    text = decode_text(c, events, 20);
    assert_int_equal(count_words(text, "on:"), 1);
    assert_int_equal(count_packets(c, ETM_PACKET_NORMAL_DATA), N);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, 0);
    cell_end(c);
}

/*
 * What comes out is a part of what was executed, in order; each gap ends with
 * the reason overflow. MC-FIFO-13, MC-FIFO-23, MC-SR-06, MC-GEN-15,
 * V3-SYNC-09, V3-RSN-01 */
static void a_small_fifo_overflows_and_recovers(void **state)
{
    static struct etm_event events[2 * N];
    size_t n = busy(events, N);
    struct cell *c = make(&v34, 8, 60);
    const char *text, *at;
    unsigned long last = 0;

    (void)state;
    program_end(c, cell_control(&v34));
    run(c, events, n);
    finish(c);
    text = decode_text(c, events, n);
    assert_true(count_words(text, "on:overflow") > 3);
    assert_int_equal(count_words(text, "on:start"), 1);
    assert_int_equal(count_words(text, "lost"), 0);
    for (at = strstr(text, " 8"); at != NULL; at = strstr(at + 1, " 8")) {
        unsigned long address = strtoul(at, NULL, 16);

        assert_true(address > last && address < 0x8000 + 4 * N);
        last = address;
    }
    assert_true(last > 0x8000);
    cell_end(c);
}

/* MC-SR-06, MC-SR-07, TV-PRG-05, V3-RSN-01, V3-CFG-21 */
static void an_overflow_not_traced_is_in_the_status(void **state)
{
    static struct etm_event events[2 * N];
    size_t n = busy(events, 20);
    struct cell *c = make(&v34, 1, 40);

    (void)state;
    program_end(c, cell_control(&v34));
    run(c, events, n);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, ETM_SR_OVERFLOW);
    poke(c, ETM_REG_CR, cell_control(&v34) | ETM_CR_PROGRAMMING);
    assert_int_equal(peek(c, ETM_REG_SR), ETM_SR_OVERFLOW | ETM_SR_PROGRAMMING);
    poke(c, ETM_REG_CR, cell_control(&v34));
    assert_int_equal(peek(c, ETM_REG_SR), ETM_SR_OVERFLOW);
    /* it is traced where tracing begins again */
    c->n_packets = 0;
    events[0] = go_to(place(0x8000, ETM_ISA_ARM));
    events[1] = after(1, arm(0x8000, 0xe1a00000));
    run(c, events, 2);
    assert_int_equal(peek(c, ETM_REG_SR), 0);
    assert_int_equal(find_packet(c, ETM_PACKET_I_SYNC, 0)->reason,
                     ETM_SYNC_OVERFLOW);
    cell_end(c);
}

/* V3-CFG-21 */
static void power_down_forgets_an_overflow(void **state)
{
    static struct etm_event events[2 * N];
    size_t n = busy(events, 20);
    struct cell *c = make(&v34, 1, 40);

    (void)state;
    program_end(c, cell_control(&v34));
    run(c, events, n);
    poke(c, ETM_REG_CR, cell_control(&v34) | ETM_CR_PROGRAMMING);
    poke(c, ETM_REG_CR,
         cell_control(&v34) | ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN);
    assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, 0);
    cell_end(c);
}

/* MC-TRG-07, V3-RSN-08, V3-PORT-01 */
static void a_trigger_comes_while_an_overflow_drains(void **state)
{
    static struct etm_event events[2 * N];
    size_t n = busy(events, N), at = 0;
    struct cell *c = make(&v34, 2, 60);
    const char *text;

    (void)state;
    poke(c, ETM_REG_TRIGGER, 0);
    poke(c, ETM_REG_ACVR1, 0x8000 + 4 * 30);
    poke(c, ETM_REG_ACTR1, 0x19);
    program_end(c, cell_control(&v34));
    run(c, events, n);
    finish(c);
    for (size_t i = 0; i < c->n_signals; i++)
        if (c->signals[i].trigger) {
            assert_true(c->signals[i].overflow);
            at = i + 1;
        }
    assert_true(at != 0);
    text = decode_text(c, events, n);
    assert_int_equal(count_words(text, "trigger"), 1);
    cell_end(c);
}

/* 2.6.6, 3.5.6, 3.5.8: without ETMSCR[8] the processor does not wait. */
static void a_processor_that_ignores_fifofull_does_not_stall(void **state)
{
    static const uint32_t scrs[] = {0x4, 0x104, 0};
    static struct etm_event events[2 * N];
    size_t n = busy(events, N);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct etm_macrocell_signals signals;
        struct cell *c = &cell;
        bool full = false;

        cell_begin(c, &v34);
        c->config.scr = scrs[i];
        c->config.fifo_size = 60;
        c->output.drain_bits = 8;
        c->output.drain_cycles = 1;
        cell_make(c);
        program_begin(c);
        program_nothing(c);
        poke(c, ETM_REG_FFLR, 30);
        program_end(c, cell_control(&v34) | ETM_CR_STALL);
        run(c, events, n);
        etm_macrocell_get_signals(c->m, &signals);
        assert_int_equal(signals.cycle > N + 100, i != 0);
        finish(c);
        for (size_t k = 0; k < c->n_signals; k++)
            full = full || c->signals[k].fifofull;
        assert_true(full);
        assert_int_equal(count_packets(c, ETM_PACKET_NORMAL_DATA) == N, i != 0);
        cell_end(c);
    }
}

/* MC-FIFO-01, -02, -03, -05, MC-FIFO-13: the processor waits, nothing is lost,
 * and the cycles are longer. V1-OVF-06 */
static void stalling_prevents_overflow(void **state)
{
    static struct etm_event events[2 * N];
    size_t n = busy(events, N);
    struct etm_macrocell_signals signals;
    bool full = false;
    struct cell *c;

    (void)state;
    c = make(&v34, 8, 60);
    poke(c, ETM_REG_FFLR, 30);
    program_end(c, cell_control(&v34) | ETM_CR_STALL);
    run(c, events, n);
    etm_macrocell_get_signals(c->m, &signals);
    assert_true(signals.cycle > N + 100);
    finish(c);
    for (size_t i = 0; i < c->n_signals; i++) {
        full = full || c->signals[i].fifofull;
        assert_false(c->signals[i].overflow);
    }
    assert_true(full);
    assert_int_equal(count_packets(c, ETM_PACKET_NORMAL_DATA), N);
    cell_end(c);
}

/* FIFOFULL and SuppressData fall in the cycle in which the FIFO has room again,
 * also where the processor does nothing for long. */
static void a_level_is_met_in_its_own_cycle(void **state)
{
    static const uint32_t bits[2] = {ETM_CR_STALL, ETM_CR_SUPPRESS_DATA};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        static struct etm_event events[2 * N];
        size_t n = busy(events, 20);
        const struct etm_event wait = idle(5000);
        struct etm_macrocell_signals after_all;
        uint64_t fell = 0;
        struct cell *c = make(&v34, 8, 255);

        c->output.stall_after = ETM_STALL_NEVER;
        poke(c, ETM_REG_FFLR, 250);
        program_end(c, cell_control(&v34) | bits[i]);
        run(c, events, n);
        run(c, &wait, 1);
        (void)peek(c, ETM_REG_SR); /* nothing is held back any more */
        etm_macrocell_get_signals(c->m, &after_all);
        for (size_t k = 0; k < c->n_signals; k++)
            if (!c->signals[k].fifofull && !c->signals[k].suppress_data)
                fell = c->signals[k].cycle;
        assert_false(after_all.fifofull || after_all.suppress_data);
        assert_true(fell != 0 && fell < 1000);
        cell_end(c);
    }
}

/* A P-header that has no room overflows like any packet, also where nobody asks
 * for packets: what it would have said is lost, and the trace begins again. */
static void a_p_header_overflows_too(void **state)
{
    static struct etm_event events[500];

    (void)state;
    for (unsigned packets = 0; packets < 2; packets++) {
        struct cell *c = &cell;
        const char *text;

        cell_begin(c, &v34);
        c->output.fifo_size = 20; /* A-sync, I-sync and eight of them */
        c->output.drain_bits = 8;
        c->output.drain_cycles = 1000;
        if (packets == 0)
            c->output.packets = NULL;
        cell_make(c);
        program_all(c);
        for (uint32_t i = 0; i < COUNT(events); i++)
            events[i] =
                after(i == 490 ? 50000 : 1, arm(0x1000 + 4 * i, 0xe1a00000));
        run(c, events, COUNT(events));
        finish(c);
        text = decode_text(c, events, COUNT(events));
        assert_int_equal(count_words(text, "on:"), 2);
        assert_non_null(strstr(text, "on:overflow 17a8 17ac 17b0"));
        /* 8 * 15 instructions, the last at 0x11dc */
        assert_non_null(strstr(text, " 11dc on:overflow"));
        cell_end(c);
    }
}

/* Only in the region; and not at all if the processor does not heed it.
 * V3-CFG-20 */
static void stalling_has_a_region(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        static struct etm_event events[2 * N];
        size_t n = busy(events, N);
        struct etm_macrocell_signals signals;
        struct cell *c = make(&v34, 8, 60);

        (void)state;
        if (i == 2) {
            cell_end(c);
            cell_begin(c, &v34);
            c->config.fifo_size = 60;
            c->output.drain_bits = 8;
            c->output.drain_cycles = 1;
            c->output.stall_after = ETM_STALL_NEVER;
            cell_make(c);
            program_begin(c);
            program_nothing(c);
        }
        poke(c, ETM_REG_FFLR, 30);
        if (i < 2) {
            poke(c, ETM_REG_ACVR1, 0x8000);
            poke(c, ETM_REG_ACVR1 + 1, 0x8000 + 4 * N);
            poke(c, ETM_REG_ACTR1, 0x19);
            poke(c, ETM_REG_ACTR1 + 1, 0x19);
            poke(c, ETM_REG_FFRR, i == 0 ? 1 : 0x01000001);
        }
        program_end(c, cell_control(&v34) | ETM_CR_STALL);
        run(c, events, n);
        etm_macrocell_get_signals(c->m, &signals);
        if (i == 0)
            assert_true(signals.cycle > N + 100);
        else
            assert_int_equal(signals.cycle, N - 1); /* one is held back */
        cell_end(c);
    }
}

/* A value comes only if its placeholder did, and did not overflow (7.4.3).
 * V3-OOO-06, V3-OOO-07 */
static void a_value_needs_its_placeholder(void **state)
{
    static const struct etm_event value = {.kind = ETM_EVENT_DATA_VALUE,
                                           .u.data_value.tag = 1};
    struct cell *c = make(&v34, 8, 60);
    bool waits[4] = {false};

    (void)state;
    program_end(c, cell_control(&v34));
    for (unsigned i = 0; i < 40 * N; i++) {
        struct etm_event events[] = {value,
                                     after(1, arm(0x8000 + 4 * i, 0xe5910000)),
                                     load(0x20000000 ^ i * 0x9e3779b1u,
                                          i * 0x85ebca6bu >> i / 200 % 32)};

        if (i % 200 >= 12) { /* the FIFO has time to drain */
            events[1].u.insn.opcode = 0xe1a00000;
            run(c, events + (i % 200 != 190), i % 200 == 190 ? 2 : 1);
            continue;
        }
        events[2].u.data.tag = i % 200 == i / 200 % 12;
        run(c, events + 1, 2);
    }
    finish(c);
    assert_true(count_packets(c, ETM_PACKET_OUT_OF_ORDER_DATA) > 3);
    for (size_t i = 0; i < c->n_packets; i++) {
        const struct etm_packet *p = &c->packets[i];

        if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA)
            assert_true(waits[p->tag]);
        if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA ||
            p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER)
            waits[p->tag] = p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER;
    }
    cell_end(c);
}

/* MC-FIFO-14, -18, -20, -22: data are left out, instructions are not.
 * V3-SUP-01, V3-SUP-08, V3-CFG-20 */
static void suppression_leaves_out_data(void **state)
{
    static struct etm_event events[2 * N];
    size_t n = busy(events, N);
    struct cell *c = make(&v34, 8, 60);
    const char *text;
    bool on = false;

    (void)state;
    poke(c, ETM_REG_FFLR, 40);
    poke(c, ETM_REG_FFRR, 0); /* no region, which is for stalling alone */
    program_end(c, cell_control(&v34) | ETM_CR_SUPPRESS_DATA);
    run(c, events, n);
    finish(c);
    for (size_t i = 0; i < c->n_signals; i++) {
        on = on || c->signals[i].suppress_data;
        assert_false(c->signals[i].overflow);
        assert_false(c->signals[i].fifofull);
    }
    assert_true(on);
    assert_true(count_packets(c, ETM_PACKET_DATA_SUPPRESSED) > 3);
    assert_true(count_packets(c, ETM_PACKET_NORMAL_DATA) < N);
    text = decode_text(c, events, n);
    assert_int_equal(count_words(text, "on:"), 1);
    cell_end(c);
}

/* MC-CLK-13, MC-GEN-10: bits and cycles of table 3-6 and table 2-18. */
static void the_port_drains_as_etmcr_says(void **state)
{
    static const struct {
        uint32_t control;
        unsigned cycles; /* for 240 bits */
    } rows[] = {
        {0u << 4 | ETM_CR_PORT_MODE_2, 60},            /* 4 bits, 1:1 */
        {1u << 4 | ETM_CR_PORT_MODE_2, 30},            /* 8 bits */
        {4u << 4 | ETM_CR_PORT_MODE_2, 8},             /* 32 bits */
        {1u << 4 | 1u << 16, 15},                      /* 8 bits, 2:1 */
        {1u << 4 | ETM_CR_PORT_MODE_2 | 2u << 16, 60}, /* 8 bits, 1:2 */
        {1u << 4 | ETM_CR_PORT_MODE_2 | 1u << 16, 90}, /* 8 bits, 1:3 */
        {1u << 4, 30},                                 /* dynamic */
    };
    static struct etm_event events[2 * N];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3, .minor = 4};
        struct etm_macrocell_signals before, behind;
        struct cell *c;

        cell_begin(&cell, &trace);
        cell.output.access_cycles = 1;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        program_end(c, rows[i].control | ETM_CR_PORT_ENABLE);
        /* an A-sync and I-syncs: 6 + 6 + 6 ... = 30 bytes at once */
        for (unsigned k = 0; k < 4; k++) {
            events[2 * k] = go_to(place(0x8000, ETM_ISA_ARM));
            events[2 * k + 1] = arm(0x8000, 0xe1a00000);
        }
        run(c, events, 8);
        etm_macrocell_get_signals(c->m, &before);
        poke(c, ETM_REG_CR, rows[i].control | ETM_CR_PROGRAMMING);
        while ((peek(c, ETM_REG_SR) & ETM_SR_PROGRAMMING) == 0)
            ;
        etm_macrocell_get_signals(c->m, &behind);
        assert_in_range(behind.cycle - before.cycle,
                        (uint64_t)c->n_bytes * rows[i].cycles / 30 - 2,
                        (uint64_t)c->n_bytes * rows[i].cycles / 30 + 3);
        cell_end(c);
    }
}

/* PFT: the same FIFO. */
static void pft_overflows_and_recovers(void **state)
{
    static struct etm_event events[N];
    struct etm_config trace = pft;
    struct cell *c;
    const char *text;

    (void)state;
    trace.branch_broadcast = true;
    c = make(&trace, 8, 30);
    for (unsigned i = 0; i < N; i++) {
        uint32_t from = i % 2 == 0 ? 0x8000 : 0x1008000;

        events[i] =
            after(1, to(arm(from, i % 2 == 0 ? 0xea3ffffe : 0xeabffffe),
                        place(i % 2 == 0 ? 0x1008000 : 0x8000, ETM_ISA_ARM)));
    }
    program_end(c, cell_control(&trace));
    run(c, events, N);
    finish(c);
    text = decode_text(c, events, 2);
    assert_true(count_words(text, "on:overflow") > 3);
    assert_int_equal(count_words(text, "lost"), 0);
    assert_int_equal(count_words(text, "none"), 0);
    cell_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_the_same_without_packets),
        cmocka_unit_test(a_large_fifo_loses_nothing),
        cmocka_unit_test(a_small_fifo_overflows_and_recovers),
        cmocka_unit_test(an_overflow_not_traced_is_in_the_status),
        cmocka_unit_test(power_down_forgets_an_overflow),
        cmocka_unit_test(a_trigger_comes_while_an_overflow_drains),
        cmocka_unit_test(stalling_prevents_overflow),
        cmocka_unit_test(a_processor_that_ignores_fifofull_does_not_stall),
        cmocka_unit_test(stalling_has_a_region),
        cmocka_unit_test(a_level_is_met_in_its_own_cycle),
        cmocka_unit_test(a_p_header_overflows_too),
        cmocka_unit_test(a_value_needs_its_placeholder),
        cmocka_unit_test(suppression_leaves_out_data),
        cmocka_unit_test(the_port_drains_as_etmcr_says),
        cmocka_unit_test(pft_overflows_and_recovers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
