/* SPDX-License-Identifier: Apache-2.0 */
/* What a whole macrocell's resources see of an execution: inputs, transfers,
 * the state of the processor, and instructions that an interrupt hits. */
#include "macrocell_code.h"

#include "model/dwt.h"

#define MRC 0xee110f10u
#define MOVS_PC_LR 0xe1b0f00eu

/* All EmbeddedICE comparators and memory map decoders, from the next cycle
 * on. */
static struct etm_event inputs(uint8_t eice, uint16_t mmd)
{
    struct etm_event e = after(1, plain_event(ETM_EVENT_PINS));

    e.u.pins.eice = eice;
    e.u.pins.mmd = mmd;
    return e;
}

/* Ready to be programmed. */
static struct cell *ready(const struct etm_config *trace, uint32_t idr)
{
    cell_begin(&cell, trace);
    cell.config.idr = idr;
    if (trace->protocol < ETM_PROTOCOL_ETMV3)
        cell.config.scr = 0x1fa;
    cell_make(&cell);
    program_begin(&cell);
    program_nothing(&cell);
    return &cell;
}

/*
 * 2.2.1: the RANGEOUT[1:0] of an ARM7 or ARM9 are resources 0x20 and 0x21
 * before v3.4, too, at their level, without sample points; other processors
 * have none. E-143
 */
static void range_outputs_of_arm7_and_arm9_are_resources(void **state)
{
    static const struct {
        struct etm_config trace;
        uint32_t idr; /* 0: not known */
        bool there;
    } rows[] = {
        {{.protocol = ETM_PROTOCOL_ETMV1, .minor = 2, .port_width = 8},
         0,
         true},
        {{.protocol = ETM_PROTOCOL_ETMV1, .minor = 3, .port_width = 8},
         0,
         true},
        {{.protocol = ETM_PROTOCOL_ETMV2, .port_width = 8}, 0x41002100, false},
        {{.protocol = ETM_PROTOCOL_ETMV3, .minor = 0}, 0x41002200, false},
        {{.protocol = ETM_PROTOCOL_ETMV3, .minor = 2}, 0x41001220, true},
        {{.protocol = ETM_PROTOCOL_ETMV3, .minor = 2}, 0x41013220, false},
        {{.protocol = ETM_PROTOCOL_ETMV3, .minor = 3}, 0x4104f230, false},
    };
    const struct etm_event events[] = {
        nop(0x8000), inputs(1, 0), nop(0x8004),  nop(0x8008), inputs(2, 0),
        nop(0x800c), nop(0x8010),  inputs(0, 0), nop(0x8014),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cell *c = ready(&rows[i].trace, rows[i].idr);
        unsigned triggers = 0;

        poke(c, ETM_REG_TEEVR, 0x20);   /* comparator 1 */
        poke(c, ETM_REG_TRIGGER, 0x21); /* comparator 2 */
        program_end(c, cell_control(&rows[i].trace) & ~(7u << 4));
        run(c, events, COUNT(events));
        finish(c);
        assert_string_equal(decode_text(c, events, COUNT(events)),
                            rows[i].there ? "on:start 8004 8008 trigger" : "");
        for (size_t k = 0; k < c->n_signals; k++)
            triggers += c->signals[k].trigger;
        assert_int_equal(triggers, rows[i].there);
        cell_end(c);
    }
}

/*
 * 2.7.9: a coprocessor transfer ends what a range of data remembers, but not
 * where coprocessor transfers cannot be traced, which table 7-20 lets depend on
 * the trace of values.
 */
static void untraceable_coprocessor_transfers_end_no_range(void **state)
{
    static const struct {
        unsigned minor;
        enum etm_data_features features;
        bool no_cprt, ends;
    } rows[] = {
        {3, ETM_DATA_FEATURES_ALL, false, true},
        {3, ETM_DATA_FEATURES_VALUE, false, true},
        {3, ETM_DATA_FEATURES_ADDRESS, false, false},
        {3, ETM_DATA_FEATURES_NONE, false, false},
        {3, ETM_DATA_FEATURES_ALL, true, false},
        {2, ETM_DATA_FEATURES_NONE, false, true}, /* v3.2 has all */
    };
    const struct etm_event events[] = {
        after(1, arm(0x100, LDR)),
        load(0x2000, 1),
        nop(0x104),
        after(1, arm(0x108, MRC)),
        load(0, 2),
        nop(0x10c),
        nop(0x110),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                                   .minor = (uint8_t)rows[i].minor};
        struct cell *c;

        cell_begin(&cell, &trace);
        cell.config.data_features = (uint8_t)rows[i].features;
        cell.config.no_cprt = rows[i].no_cprt;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        for (uint32_t n = 0; n < 2; n++) {
            poke(c, ETM_REG_ACVR1 + n, 0x2000 + 0x1000 * n);
            poke(c, ETM_REG_ACTR1 + n, 0x1c); /* load or store, word */
        }
        poke(c, ETM_REG_EXTOUTEVR1, 0x10);
        program_end(c, cell_control(&trace));
        run(c, events, COUNT(events));
        finish(c);
        /* it rises with the load */
        assert_true(c->n_signals != 0);
        assert_int_equal(c->signals[c->n_signals - 1].ext_out, !rows[i].ends);
        cell_end(c);
    }
}

/*
 * 2.11.1, table 3-81: an SMC that enters Secure state is executed in Non-secure
 * state, and the return from there in Secure state, although the state changes
 * without a cycle in between. Resource 0x6e is the same for a prohibited
 * region.
 */
static void the_state_of_a_cycle_is_that_of_its_instructions(void **state)
{
    enum { A_AND_B = 2 << 14, NOT_A_AND_B = 3 << 14, AT_RETURN = 1 << 7 };
    static const struct {
        struct etm_macrocell_pins pins;
        uint8_t seen;
    } rows[] = {
        {{.dbgen = true, .niden = true, .spiden = true, .spniden = true}, 7},
        {{.niden = true}, 5}, /* no comparator matches in Secure state */
    };
    const struct etm_config trace = {
        .protocol = ETM_PROTOCOL_ETMV3, .minor = 4, .security = true};
    const struct etm_event events[] = {
        go_to(non_secure(place(0x8000, ETM_ISA_ARM))),
        nop(0x8000),
        after(1, arm(0x8004, SMC)),
        exception(ETM_EXCEPTION_SMC, false, place(0x9008, ETM_ISA_ARM)),
        nop(0x9008),
        after(1, to(arm(0x900c, MOVS_PC_LR),
                    non_secure(place(0x8008, ETM_ISA_ARM)))),
        nop(0x8008),
        nop(0x800c),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cell *c = ready(&trace, 0);
        unsigned seen = 0;

        etm_macrocell_set_pins(c->m, &rows[i].pins);
        poke(c, ETM_REG_ACVR1, 0x8004);
        poke(c, ETM_REG_ACVR1 + 1, 0x900c);
        for (uint32_t n = 0; n < 2; n++)
            poke(c, ETM_REG_ACTR1 + n, 0x19); /* executed, Arm */
        poke(c, ETM_REG_EXTOUTEVR1, A_AND_B | 0x6d);
        poke(c, ETM_REG_EXTOUTEVR1 + 1, NOT_A_AND_B | AT_RETURN | 0x6d);
        poke(c, ETM_REG_EXTOUTEVR1 + 2, NOT_A_AND_B | 0x6e);
        poke(c, ETM_REG_EXTOUTEVR1 + 3, A_AND_B | AT_RETURN | 0x6d);
        program_end(c, cell_control(&trace));
        run(c, events, COUNT(events));
        finish(c);
        for (size_t k = 0; k < c->n_signals; k++)
            seen |= c->signals[k].ext_out;
        assert_int_equal(seen, rows[i].seen);
        cell_end(c);
    }
}

/*
 * ETMv1 and ETMv2 trace the instruction that an interrupt hits (4.5.3), and so
 * it is compared (2.7.4), whether or not it has an event of its own. In ETMv1
 * events behave as if the exact match bit were set, and regions as if it were
 * not (2.7.5). E-270
 */
static void what_an_interrupt_hits_is_compared(void **state)
{
    static const struct etm_config traces[] = {
        {.protocol = ETM_PROTOCOL_ETMV1, .minor = 3, .port_width = 8},
        {.protocol = ETM_PROTOCOL_ETMV2, .minor = 1, .port_width = 8},
    };
    static const struct {
        uint32_t select, exact;
        const char *text[2];
        bool seen[2];
    } rows[] = {
#define ALL "on:start 8000 8004 exc:irq 18 1c"
#define WITHOUT "on:start 8000 8004 on:start 18 1c"
#define ONLY "on:start exc:irq"
        {0x01000000, 0, {ALL, ALL}, {false, true}},
        {0x01000000, 0x80, {ALL, ALL}, {false, false}},
        {0x01000001, 0, {WITHOUT, WITHOUT}, {false, true}},
        {0x01000001, 0x80, {WITHOUT, ALL}, {false, false}},
        {0x00000001, 0, {ONLY, ONLY}, {false, true}},
        {0x00000001, 0x80, {ONLY, ""}, {false, false}},
    };

    (void)state;
    for (size_t i = 0; i < 4 * COUNT(rows); i++) {
        size_t v = i & 1, row = i / 4;
        bool own = i & 2, seen = false;
        struct etm_event events[] = {
            nop(0x8000),
            nop(0x8004),
            nop(0x8008),
            exception(ETM_EXCEPTION_IRQ, own, place(0x18, ETM_ISA_ARM)),
            nop(0x18),
            nop(0x1c)};
        struct cell *c;

        cell_begin(&cell, &traces[v]);
        cell.config.scr = 0x1fa;
        cell_make(&cell);
        c = &cell;
        program_begin(c);
        program_nothing(c);
        range(c, 0, 0x8008, 0x800c, 0x19 | rows[row].exact);
        single(c, 2, 0x8008, 0x19 | rows[row].exact);
        poke(c, ETM_REG_TECR1, rows[row].select);
        poke(c, ETM_REG_EXTOUTEVR1, 2);
        program_end(c, 1u << 4 | ETM_CR_PORT_ENABLE);
        events[3].cycles = !own;
        run(c, events, own ? 3 : 2);
        run(c, events + 3, 3);
        finish(c);
        assert_string_equal(decode_text(c, events, COUNT(events)),
                            rows[row].text[v]);
        for (size_t k = 0; k < c->n_signals; k++)
            seen = seen || c->signals[k].ext_out != 0;
        assert_int_equal(seen, rows[row].seen[v]);
        cell_end(c);
    }
}

/* An M-profile macrocell without ETMEIBCR, whose DWT compares; ready for the
 * rest of its registers. */
static struct cell *with_dwt(const uint32_t comparators[][3], unsigned n)
{
    static const struct etm_config m35 = {
        .protocol = ETM_PROTOCOL_ETMV3, .minor = 5, .profile = ETM_PROFILE_M};

    cell_begin(&cell, &m35);
    cell.config.ccer &= ~(UINT32_C(1) << 21);
    cell_make(&cell);
    program_begin(&cell);
    program_nothing(&cell);
    poke(&cell, ETM_REG_DEMCR, ETM_DEMCR_TRCENA);
    for (unsigned i = 0; i < n; i++)
        for (uint32_t k = 0; k < 3; k++)
            poke(&cell, ETM_REG_DWT_COMP0 + 16 * i + 4 * k, comparators[i][k]);
    return &cell;
}

static struct etm_event at_thumb(uint64_t cycles, uint32_t address,
                                 uint32_t opcode)
{
    return after(cycles, thumb(address, opcode));
}

/* 7.6: EmbeddedICE inputs of an M-profile processor are sampled before what its
 * DWT compares; E-580. */
static void the_dwt_starts_stops_and_selects(void **state)
{
    static const uint32_t comparators[][3] = {
        {0x100, 0, ETM_DWT_INSN}, {0x10c, 0, ETM_DWT_INSN}, {0x104, 2, 8}};
    struct etm_event events[12];
    struct cell *c;

    (void)state;
    for (uint32_t i = 0; i < COUNT(events); i++)
        events[i] = at_thumb(1, 0xfc + 2 * i, 0xbf00);
    c = with_dwt(comparators, 3);
    poke(c, ETM_REG_TECR1, 0x03000000);
    poke(c, ETM_REG_TESSEICR, 2u << 16 | 1);
    program_end(c, cell_control(&c->trace));
    TRACES(c, events, "on:start 100 102 104 106 108 10a");
    cell_end(c);
    c = with_dwt(comparators, 3);
    poke(c, ETM_REG_TEEVR, 0x22); /* a block, latched (7.6.4) */
    program_end(c, cell_control(&c->trace));
    TRACES(c, events, "on:start 104 106");
    cell_end(c);
    c = with_dwt(comparators, 3);
    poke(c, ETM_REG_TEEVR, 0x22);
    poke(c, ETM_REG_DEMCR, 0); /* off */
    program_end(c, cell_control(&c->trace));
    TRACES(c, events, "");
    assert_int_equal(peek(c, ETM_REG_DWT_MASK0 + 32), 2);
    cell_end(c);
}

/* A transfer in the cycle of its instruction does not end the pulse of that. */
static void a_pulse_of_the_dwt_lasts_for_its_cycle(void **state)
{
    static const uint32_t comparators[][3] = {{0x102, 0, ETM_DWT_INSN},
                                              {0x20000000, 2, ETM_DWT_STORE}};
    struct etm_event events[] = {at_thumb(1, 0x100, 0xbf00),
                                 at_thumb(1, 0x102, 0x6008), /* STR r0, [r1] */
                                 {.kind = ETM_EVENT_DATA},
                                 at_thumb(1, 0x104, 0xbf00),
                                 at_thumb(1, 0x106, 0xbf00)};

    (void)state;
    for (unsigned input = 1; input <= 2; input++) {
        for (unsigned store = 0; store < 2; store++) {
            struct cell *c = with_dwt(comparators, 2);
            unsigned triggers = 0;

            poke(c, ETM_REG_TRIGGER, 0x1f + input);
            program_end(c, cell_control(&c->trace));
            events[2].u.data.address = 0x20000002;
            events[2].u.data.size = 4;
            events[2].u.data.store = store != 0;
            run(c, events, COUNT(events));
            finish(c);
            for (size_t k = 0; k < c->n_signals; k++)
                triggers += c->signals[k].trigger;
            assert_int_equal(triggers, input == 1 || store != 0);
            cell_end(c);
        }
    }
}

/* Other processors have no DWT, and its registers are in memory. */
static void only_m_profile_processors_have_a_dwt(void **state)
{
    struct cell *c;

    (void)state;
    cell_begin(&cell, &v35);
    cell_make(&cell);
    assert_int_equal(
        etm_macrocell_write(cell.m, ETM_REG_DEMCR, ETM_ACCESS_DEBUGGER, 1),
        ETM_ACCESS_IMPOSSIBLE);
    cell_end(&cell);
    c = with_dwt(NULL, 0);
    assert_int_equal(
        etm_macrocell_write(c->m, ETM_REG_DWT_COMP0, ETM_ACCESS_COPROCESSOR, 1),
        ETM_ACCESS_IMPOSSIBLE);
    assert_int_equal(
        etm_macrocell_write(c->m, UINT32_C(0xe0001060), ETM_ACCESS_DEBUGGER, 1),
        ETM_ACCESS_IMPOSSIBLE);
    cell_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_outputs_of_arm7_and_arm9_are_resources),
        cmocka_unit_test(untraceable_coprocessor_transfers_end_no_range),
        cmocka_unit_test(the_state_of_a_cycle_is_that_of_its_instructions),
        cmocka_unit_test(the_dwt_starts_stops_and_selects),
        cmocka_unit_test(a_pulse_of_the_dwt_lasts_for_its_cycle),
        cmocka_unit_test(only_m_profile_processors_have_a_dwt),
        cmocka_unit_test(what_an_interrupt_hits_is_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
