/* SPDX-License-Identifier: Apache-2.0 */
/* The FIFO of ETMv1 and ETMv2, from which a byte goes out in every cycle of the
 * port: overflow, its flag, and stalling (ETM architecture 2.6.6, 5.9, 6.10).
 */
#include "macrocell_util.h"

#define LDR 0xe5910000u
#define NOP 0xe1a00000u
#define N 300u
#define LOADS (N - N / 10)
#define EVENTS (N + LOADS)
#define BASE 0x8000u

static struct cell cell;

static const struct etm_config traces[] = {
    {.protocol = ETM_PROTOCOL_ETMV1,
     .minor = 2,
     .data_value = true,
     .data_address = true,
     .port_width = 8,
     .cycle_accurate = true},
    {.protocol = ETM_PROTOCOL_ETMV1,
     .minor = 3,
     .data_value = true,
     .data_address = true,
     .port_width = 4,
     .cycle_accurate = true},
    {.protocol = ETM_PROTOCOL_ETMV2,
     .data_value = true,
     .data_address = true,
     .port_width = 8,
     .cycle_accurate = true},
    {.protocol = ETM_PROTOCOL_ETMV2,
     .minor = 1,
     .data_value = true,
     .data_address = true,
     .port_width = 4,
     .cycle_accurate = true},
};

/* What comes out of a capture. */
struct tally {
    bool seen[N], data[N];
    unsigned insns, transfers, starts, overflows, lost;
    uint64_t cycles;
};

static int add(void *context, const struct etm_element *elements, size_t n)
{
    struct tally *t = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        if (e->kind == ETM_ELEMENT_INSN) {
            assert_true(e->u.insn.address - BASE < 4 * N);
            t->seen[(e->u.insn.address - BASE) / 4] = true;
            t->insns++;
            t->cycles += e->u.insn.cycles;
        } else if (e->kind == ETM_ELEMENT_DATA) {
            t->data[(e->u.data.insn - BASE) / 4] = true;
            t->transfers += e->u.data.value_known; /* whole ones */
        } else if (e->kind == ETM_ELEMENT_TRACE_ON) {
            t->starts++;
            t->overflows += e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
        } else if (e->kind == ETM_ELEMENT_LOST) {
            /* without a restart the end is open */
            t->lost += e->u.lost.reason != ETM_LOST_TRUNCATED;
        }
    }
    return ETM_OK;
}

/* A periodic TFO needs an instruction without packets (6.5.1). */
static uint32_t opcode(unsigned i)
{
    return i % 10 == 9 ? NOP : LDR;
}

/* Loads of words that do not compress, one in each cycle. */
static const struct etm_event *busy(void)
{
    static struct etm_event events[EVENTS];
    unsigned n = 0;

    for (unsigned i = 0; i < N; i++) {
        events[n++] = after(1, arm(BASE + 4 * i, opcode(i)));
        if (opcode(i) == LDR)
            events[n++] = load(0x20000000 ^ i * 0x9e3779b1u, i * 0x85ebca6bu);
    }
    assert_int_equal(n, EVENTS);
    return events;
}

static struct tally decoded(const struct cell *c)
{
    struct tally t = {0};
    struct etm_image *image;
    struct etm_config trace;
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &trace,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = add,
                                        .context = &t};
    struct etm_decoder *decoder;
    static uint8_t code[4 * N];

    for (unsigned i = 0; i < 4 * N; i++)
        code[i] = (uint8_t)(opcode(i / 4) >> 8 * (i % 4));
    etm_macrocell_trace_config(c->m, &trace);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add_copy(image, BASE, code, sizeof code, NULL),
                     ETM_OK);
    config.image = image;
    assert_int_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    assert_int_equal(etm_decoder_push(decoder, c->bytes, c->n_bytes), ETM_OK);
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
    etm_image_free(image);
    return t;
}

static uint32_t control(const struct etm_config *t)
{
    return (cell_control(t) & ~(7u << 4)) | (uint32_t)(t->port_width / 8) << 4;
}

/* A FIFO of `size` bytes that heeds `stall_after`. */
static void prepare(struct cell *c, const struct etm_config *trace,
                    uint8_t size, uint8_t stall_after)
{
    cell_begin(c, trace);
    c->config.scr = 0x1fa;
    c->config.fifo_size = size;
    c->output.stall_after = stall_after;
}

static void program(struct cell *c)
{
    cell_make(c);
    program_begin(c);
    program_nothing(c);
}

/* The same, being programmed. */
static struct cell *make(const struct etm_config *trace, uint8_t size,
                         uint8_t stall_after)
{
    prepare(&cell, trace, size, stall_after);
    program(&cell);
    return &cell;
}

static bool was_full(const struct cell *c)
{
    for (size_t i = 0; i < c->n_signals; i++)
        if (c->signals[i].fifofull)
            return true;
    return false;
}

static bool overflowed(const struct cell *c)
{
    for (size_t i = 0; i < c->n_signals; i++)
        if (c->signals[i].overflow)
            return true;
    return false;
}

/* V1-OVF-01, V2-OVF-01 */
static void a_small_fifo_overflows_and_recovers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct cell *c = make(&traces[i], 45, 0);
        struct tally t;

        program_end(c, control(&traces[i]));
        run(c, busy(), EVENTS);
        finish(c);
        t = decoded(c);
        assert_true(t.overflows > 2 && t.overflows == t.starts - 1);
        assert_true(t.insns < N && t.insns > N / 20);
        assert_int_equal(t.lost, 0);
        assert_true(overflowed(c));
        cell_end(c);
    }
}

static unsigned times_shown(const struct cell *c)
{
    unsigned n = 0;

    for (size_t i = 0; i < c->n_signals; i++)
        n += c->signals[i].overflow && (i == 0 || !c->signals[i - 1].overflow);
    return n;
}

/* E-399: nine loads, and then time for the FIFO to drain. Which of them
 * overflows depends on its size; that of the last begins and ends in one wait.
 */
static void each_overflow_is_shown(void **state)
{
    static struct etm_event events[EVENTS];
    unsigned shown = 0;

    (void)state;
    memcpy(events, busy(), sizeof events);
    for (unsigned i = 0; i < EVENTS; i++)
        if (events[i].kind == ETM_EVENT_INSN &&
            opcode((events[i].u.insn.address - BASE) / 4) == NOP)
            events[i].cycles = 400;
    for (size_t i = 0; i < COUNT(traces); i++)
        for (unsigned size = 24; size < 128; size++) {
            struct cell *c = make(&traces[i], (uint8_t)size, 0);
            struct tally t;

            program_end(c, control(&traces[i]));
            run(c, events, EVENTS);
            run(c, &(struct etm_event){.kind = ETM_EVENT_IDLE}, 1);
            finish(c);
            t = decoded(c);
            assert_true(c->n_signals != 0);
            /* the last one is not traced where nothing follows */
            assert_int_equal(times_shown(c) - t.overflows,
                             c->signals[c->n_signals - 1].overflow);
            shown += t.overflows;
            cell_end(c);
        }
    assert_true(shown > 1000);
}

/* The last instruction of all has to overflow in some. */
static void an_overflow_at_the_end_is_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++)
        for (unsigned n = 2; n < 18; n += 2) {
            struct cell *c = make(&traces[i], 45, 0);
            struct tally t;

            program_end(c, control(&traces[i]));
            run(c, busy(), n);
            finish(c);
            t = decoded(c);
            assert_int_equal(overflowed(c),
                             t.insns < n / 2 || t.transfers < n / 2);
            cell_end(c);
        }
}

/* MC-FIFO-01, -03, -05, V1-OVF-06: nothing is lost, and the decoded cycles are
 * those of the processor with its stalls. E-258, E-275 */
static void stalling_prevents_overflow(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct etm_macrocell_signals signals;
        struct cell *c = make(&traces[i], 45, 0);
        struct tally t;

        poke(c, ETM_REG_FFLR, 25);
        program_end(c, control(&traces[i]) | ETM_CR_STALL);
        run(c, busy(), EVENTS);
        finish(c);
        etm_macrocell_get_signals(c->m, &signals);
        t = decoded(c);
        assert_true(was_full(c));
        assert_false(overflowed(c));
        assert_int_equal(t.starts, 1);
        assert_int_equal(t.insns, N);
        assert_int_equal(t.transfers, LOADS);
        assert_int_equal(t.lost, 0);
        /* a word and an address that does not compress are nine bytes at
         * least, and nearly all of them have gone out */
        assert_true(signals.cycle > 8 * LOADS * (8u / traces[i].port_width));
        assert_int_equal(t.cycles, signals.cycle - 1);
        cell_end(c);
    }
}

/* 2.6.6, 3.5.6: ETMSCR[8] says whether the processor heeds FIFOFULL; before
 * v1.3 there is no such bit. Without ETMSCR it does. */
static void only_a_processor_that_heeds_fifofull_stalls(void **state)
{
    static const uint32_t scrs[] = {0x1fa, 0x0fa, 0};

    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++)
        for (size_t k = 0; k < COUNT(scrs); k++) {
            bool v1_2 = traces[i].minor == 2;
            bool heeds = scrs[k] != 0x0fa || v1_2;
            struct etm_macrocell_signals signals;
            struct cell *c = &cell;

            prepare(c, &traces[i], 45, 0);
            c->config.scr = scrs[k];
            program(c);
            assert_int_equal(peek(c, ETM_REG_SCR) >> 8 & 1, heeds && !v1_2);
            poke(c, ETM_REG_FFLR, 25);
            program_end(c, control(&traces[i]) | ETM_CR_STALL);
            run(c, busy(), EVENTS);
            finish(c);
            etm_macrocell_get_signals(c->m, &signals);
            assert_true(was_full(c)); /* the signal is there all the same */
            assert_int_equal(signals.cycle > 2 * N, heeds);
            assert_int_equal(overflowed(c), !heeds);
            assert_int_equal(decoded(c).insns == N, heeds);
            cell_end(c);
        }
}

/*
 * 3.5.8: the size of the FIFO is the highest level, which ETMFFLR then tells,
 * and at which FIFOFULL is HIGH whenever the FIFO is not empty, and only then.
 * So it is the size of the FIFO that there is, not one that ETMv2 cannot have.
 */
static void the_highest_level_is_the_size_that_there_is(void **state)
{
    static const uint8_t sizes[][2] = {
        {9, 16}, {16, 16}, {60, 60}, {95, 95}, {144, 95}};
    struct etm_macrocell_signals s;
    struct etm_event nops[40];

    (void)state;
    for (unsigned n = 0; n < COUNT(nops); n++)
        nops[n] = after(1, arm(BASE + 4 * n, NOP));
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct cell *c = make(&traces[2], sizes[i][0], ETM_STALL_NEVER);

        poke(c, ETM_REG_FFLR, 0xffffffff);
        assert_int_equal(peek(c, ETM_REG_FFLR), sizes[i][1]);
        program_end(c, control(&traces[2]) | ETM_CR_STALL);
        run(c, nops, COUNT(nops));
        assert_true(was_full(c)); /* by the first TFO packet */
        etm_macrocell_get_signals(c->m, &s);
        assert_false(s.fifofull);
        cell_end(c);
    }
}

/* MC-FIFO-13: the processor runs on for some instructions: the level has to
 * leave room for what they trace. */
static void a_late_stall_needs_a_higher_level(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++)
        for (unsigned late = 0; late < 2; late++) {
            struct cell *c = make(&traces[i], 60, 2);

            poke(c, ETM_REG_FFLR, late != 0 ? 20 : 50);
            program_end(c, control(&traces[i]) | ETM_CR_STALL);
            run(c, busy(), EVENTS);
            finish(c);
            assert_int_equal(overflowed(c), late);
            assert_int_equal(decoded(c).insns == N, !late);
            cell_end(c);
        }
}

/* MC-FIFO-02, MC-FIFO-03: the last two thirds of the addresses, or all but
 * these. */
static void stalling_has_a_region(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++)
        for (unsigned exclude = 0; exclude < 2; exclude++) {
            struct cell *c = make(&traces[i], 45, 0);
            unsigned inside = 0, outside = 0;
            struct tally t;

            poke(c, ETM_REG_FFLR, 45);
            poke(c, ETM_REG_ACVR1, BASE + 4 * N / 3);
            poke(c, ETM_REG_ACVR1 + 1, BASE + 4 * N);
            poke(c, ETM_REG_ACTR1, 0x19);
            poke(c, ETM_REG_ACTR1 + 1, 0x19);
            poke(c, ETM_REG_FFRR, exclude != 0 ? 0x01000001 : 1);
            program_end(c, control(&traces[i]) | ETM_CR_STALL);
            run(c, busy(), EVENTS);
            finish(c);
            t = decoded(c);
            /* an overflow of the part before may last into it */
            for (unsigned k = 0; k < N; k++) {
                bool whole = t.seen[k] && (t.data[k] || opcode(k) == NOP);

                outside += k < N / 3 && whole;
                inside += k >= N / 3 && whole;
            }
            if (exclude != 0) {
                assert_int_equal(outside, N / 3);
                assert_true(inside < N / 3);
            } else {
                assert_true(outside < N / 6);
                assert_true(inside >= 2 * N / 3 - 4);
            }
            assert_true(overflowed(c));
            cell_end(c);
        }
}

/* MC-FIFO-06, MC-FIFO-07, MC-FIFO-09, MC-FIFO-10, E-222 */
static void extreme_levels_act_never_or_always(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++)
        for (unsigned full = 0; full < 2; full++) {
            struct cell *c = make(&traces[i], 45, 0);
            struct etm_macrocell_signals signals;

            poke(c, ETM_REG_FFLR, full != 0 ? 45 : 0);
            program_end(c, control(&traces[i]) | ETM_CR_STALL);
            run(c, busy(), EVENTS);
            assert_int_equal(was_full(c), full);
            finish(c);
            etm_macrocell_get_signals(c->m, &signals);
            assert_int_equal(signals.cycle > 2 * N, full);
            cell_end(c);
        }
}

/* MC-FIFO-13 */
static void a_processor_may_ignore_the_signal(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct cell *c = make(&traces[i], 45, ETM_STALL_NEVER);
        struct etm_macrocell_signals signals;

        poke(c, ETM_REG_FFLR, 30);
        program_end(c, control(&traces[i]) | ETM_CR_STALL);
        run(c, busy(), EVENTS);
        finish(c);
        etm_macrocell_get_signals(c->m, &signals);
        assert_int_equal(signals.cycle, N + 1); /* the one after the last */
        assert_true(was_full(c) && overflowed(c));
        cell_end(c);
    }
}

/* MC-SR-06, MC-SR-07, V1-OVF-05, E-276 */
static void an_overflow_not_traced_is_in_the_status(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct cell *c = make(&traces[i], 45, 0);
        struct etm_event again[2] = {go_to(place(BASE, ETM_ISA_ARM)),
                                     after(1, arm(BASE, NOP))};

        program_end(c, control(&traces[i]));
        assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, 0);
        run(c, busy(), 60);
        assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW,
                         ETM_SR_OVERFLOW);
        poke(c, ETM_REG_CR, control(&traces[i]) | ETM_CR_PROGRAMMING);
        assert_int_equal(peek(c, ETM_REG_SR) &
                             (ETM_SR_OVERFLOW | ETM_SR_PROGRAMMING),
                         ETM_SR_OVERFLOW | ETM_SR_PROGRAMMING);
        poke(c, ETM_REG_CR, control(&traces[i]));
        assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW,
                         ETM_SR_OVERFLOW);
        /* it is traced where tracing begins again */
        run(c, again, 2);
        assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, 0);
        finish(c);
        assert_int_equal(decoded(c).overflows, 1);
        cell_end(c);
    }
}

/* MC-SR-06: it is shown in the trace itself, or forgotten */
static void the_status_forgets_an_overflow(void **state)
{
    struct etm_event wait = idle(400);

    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++)
        for (unsigned off = 0; off < 2; off++) {
            struct cell *c = make(&traces[i], 45, 0);
            const struct etm_event *events = busy();

            program_end(c, control(&traces[i]));
            run(c, events, 60);
            assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW,
                             ETM_SR_OVERFLOW);
            if (off != 0) {
                poke(c, ETM_REG_CR, control(&traces[i]) | ETM_CR_PROGRAMMING);
                poke(c, ETM_REG_CR,
                     control(&traces[i]) | ETM_CR_PROGRAMMING |
                         ETM_CR_POWER_DOWN);
                poke(c, ETM_REG_CR, control(&traces[i]) | ETM_CR_PROGRAMMING);
            } else {
                run(c, &wait, 1);
                run(c, events + 60, 8);
            }
            assert_int_equal(peek(c, ETM_REG_SR) & ETM_SR_OVERFLOW, 0);
            cell_end(c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_fifo_overflows_and_recovers),
        cmocka_unit_test(each_overflow_is_shown),
        cmocka_unit_test(an_overflow_at_the_end_is_shown),
        cmocka_unit_test(stalling_prevents_overflow),
        cmocka_unit_test(only_a_processor_that_heeds_fifofull_stalls),
        cmocka_unit_test(the_highest_level_is_the_size_that_there_is),
        cmocka_unit_test(a_late_stall_needs_a_higher_level),
        cmocka_unit_test(stalling_has_a_region),
        cmocka_unit_test(extreme_levels_act_never_or_always),
        cmocka_unit_test(a_processor_may_ignore_the_signal),
        cmocka_unit_test(an_overflow_not_traced_is_in_the_status),
        cmocka_unit_test(the_status_forgets_an_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
