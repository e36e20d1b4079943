/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control register, its probes, the programming bit and the state that
 * hangs on it. Rows of the conformance list stand above the tests.
 */
#include "registers_util.h"

#define RESET 0x401u

/* Read, set bits, write, read, write back: what came back (3.5.1). */
static uint32_t probe(uint32_t bits)
{
    uint32_t before = peek(ETM_REG_CR);
    uint32_t answer = after(ETM_REG_CR, before | bits);

    poke(ETM_REG_CR, before);
    assert_int_equal(peek(ETM_REG_CR), before);
    return answer & bits;
}

/* MC-CR-11, MC-CR-33, TV-ACC-07, V3-CFG-10 */
static void probe_of_data_suppression(void **state)
{
    (void)state;
    full(ETM_V3_3);
    build();
    assert_int_equal(probe(ETM_CR_SUPPRESS_DATA), ETM_CR_SUPPRESS_DATA);
    config.no_data_suppression = true;
    build();
    assert_int_equal(probe(ETM_CR_SUPPRESS_DATA), 0);
}

/* ERR-13, MC-CR-16, MC-CR-34, V3-CFG-06 */
static void probe_of_cycle_accurate_tracing(void **state)
{
    (void)state;
    full(ETM_V3_3);
    config.no_cycle_accurate = true;
    build();
    assert_int_equal(probe(ETM_CR_CYCLE_ACCURATE), 0);
    /* optional from v3.3 on only */
    full(ETM_V3_2);
    config.no_cycle_accurate = true;
    build();
    assert_int_equal(probe(ETM_CR_CYCLE_ACCURATE), ETM_CR_CYCLE_ACCURATE);
}

/* ERR-13, MC-CPRT-08, MC-CR-35, TV-ACC-08: {data-only, filter, suppress;
   address, value, CPRT}; V3-DO-07, V3-CFG-16, V3-CFG-17 */
static void probe_of_data_trace_features(void **state)
{
    static const uint32_t answers[] = {
        0x001c000e, /* all: b111, b111 */
        0x00040008, /* addresses: b001, b100 */
        0x000c0006, /* values: b011, b011 */
        0x00000000, /* none */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(answers); i++) {
        full(ETM_V3_3);
        config.data_features = (uint8_t)i;
        build();
        assert_int_equal(probe(0x001c000e | ETM_CR_CONTEXT_ID),
                         answers[i] | ETM_CR_CONTEXT_ID);
    }
}

/* MC-CR-14, MC-CR-21, MC-CR-25, MC-CR-36, CFG-04, CFG-07 */
static void probe_of_branch_output_context_id_and_cprt(void **state)
{
    (void)state;
    full(ETM_V3_4);
    config.no_branch_broadcast = config.no_context_id = config.no_cprt = true;
    build();
    assert_int_equal(probe(ETM_CR_BRANCH_OUTPUT | ETM_CR_CONTEXT_ID |
                           ETM_CR_CPRT | ETM_CR_CPRT_FILTER),
                     0);
    /* Reading as zero is asked for from v2.0 and v2.1 on. */
    full(ETM_V1_3);
    config.no_branch_broadcast = config.no_cprt = true;
    build();
    assert_int_equal(probe(ETM_CR_BRANCH_OUTPUT | ETM_CR_CPRT),
                     ETM_CR_BRANCH_OUTPUT | ETM_CR_CPRT);
}

/* MC-CR-05, MC-CR-22 */
static void control_bits_need_their_resources(void **state)
{
    (void)state;
    full(ETM_V3_3);
    config.ccer &= ~(7u << 13);
    config.ccr &= ~(1u << 23);
    build();
    assert_int_equal(probe(ETM_CR_INSTRUMENTATION | ETM_CR_STALL), 0);
    build_full(ETM_V3_3);
    assert_int_equal(probe(ETM_CR_INSTRUMENTATION | ETM_CR_STALL),
                     ETM_CR_INSTRUMENTATION | ETM_CR_STALL);
}

/* MC-FIFO-17, ERR-30, MC-CR-32, MC-LINT-13, TV-ACC-09, V3-CFG-10 */
static void suppressing_and_stalling_together_is_a_mistake(void **state)
{
    (void)state;
    build_full(ETM_V3_0);
    poke(ETM_REG_CR, RESET | ETM_CR_STALL);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_CR, RESET | ETM_CR_SUPPRESS_DATA);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_CR, RESET | ETM_CR_SUPPRESS_DATA | ETM_CR_STALL);
    assert_int_equal(mistakes(), ETM_MISTAKE_SUPPRESS_AND_STALL);
}

/* MC-CR-06, MC-CR-07, MC-PERM-13, MC-ACC-06, MC-ACC-18, E-121 */
static void each_side_can_lock_out_the_other(void **state)
{
    uint32_t value;

    (void)state;
    build_full(ETM_V3_4);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_LAR, KEY);
    /* [22] and [23] are deaf to the side that they lock out */
    assert_int_equal(after(ETM_REG_CR, RESET | 1u << 22), RESET);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_CR, RESET | 1u << 23);
    assert_int_equal(peek(ETM_REG_CR), RESET);

    poke_as(ETM_ACCESS_COPROCESSOR, ETM_REG_CR, RESET | 1u << 22);
    assert_int_equal(peek(ETM_REG_CR), RESET | 1u << 22);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_CR, ETM_ACCESS_DEBUGGER, RESET),
        ETM_ACCESS_IGNORED);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_ACVR1, ETM_ACCESS_DEBUGGER, 1),
        ETM_ACCESS_IGNORED);
    assert_int_equal(peek(ETM_REG_ACVR1), 0);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_CR, RESET);
    assert_int_equal(after(ETM_REG_ACVR1, 1), 1);

    poke(ETM_REG_CR, RESET | 1u << 23);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_ACVR1, ETM_ACCESS_SOFTWARE, 2),
        ETM_ACCESS_IGNORED);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_ACVR1, ETM_ACCESS_COPROCESSOR, 2),
        ETM_ACCESS_IGNORED);
    assert_int_equal(
        etm_regfile_read(&regs, ETM_REG_ACVR1, ETM_ACCESS_SOFTWARE, &value),
        ETM_ACCESS_OK);
    assert_int_equal(value, 1);
    poke(ETM_REG_CR, RESET);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_ACVR1, 2);
    assert_int_equal(peek(ETM_REG_ACVR1), 2);
}

/* The same over JTAG: MC-ACC-06 */
static void software_can_lock_out_jtag(void **state)
{
    (void)state;
    build_full(ETM_V3_1);
    poke_as(ETM_ACCESS_COPROCESSOR, ETM_REG_CR, RESET | 1u << 22);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_ACVR1, ETM_ACCESS_JTAG, 1),
        ETM_ACCESS_IGNORED);
    full(ETM_V3_1);
    config.no_write_disable = true;
    build();
    poke_as(ETM_ACCESS_COPROCESSOR, ETM_REG_CR, RESET | 1u << 22);
    assert_int_equal(peek(ETM_REG_CR), RESET);
}

/* MC-CR-23, MC-CR-28, MC-CR-29, CFG-01, CFG-02, E-123 */
static void up_to_v2_1_the_closest_port_size_is_selected(void **state)
{
    (void)state;
    full(ETM_V1_0);
    config.port_sizes = 1 << 0 | 1 << 1;
    build();
    assert_int_equal(peek(ETM_REG_CR), RESET);
    assert_int_equal(after(ETM_REG_CR, RESET | 2u << 4), RESET | 1u << 4);
    assert_int_equal(after(ETM_REG_CR, RESET | 1u << 4), RESET | 1u << 4);
    assert_int_equal(mistakes(), 0);
    assert_int_equal(after(ETM_REG_CR, RESET | 5u << 4), RESET | 1u << 4);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_VALUE);
    config.port_sizes = 1 << 0 | 1 << 2; /* both as near */
    build();
    assert_int_equal(after(ETM_REG_CR, RESET | 1u << 4), RESET);
    config.port_sizes = 1 << 2;
    build();
    assert_int_equal(peek(ETM_REG_CR), RESET | 2u << 4);
    assert_int_equal(after(ETM_REG_CR, RESET), RESET | 2u << 4);
}

/* MC-CR-30, MC-CR-37, MC-SCR-04, MC-SCR-05, MC-CR-08, MC-CR-13, MC-CLK-10,
   MC-LINT-20, V3-CFG-14 */
static void from_v3_0_on_the_status_tells_whether_the_port_is_there(void **s)
{
    (void)s;
    full(ETM_V3_0);
    config.port_sizes = 1 << 0 | 1 << 4 | 1 << 9;
    config.port_modes = 1 << 0 | 1 << 4;
    build();
    assert_int_equal(peek(ETM_REG_SCR) >> 10 & 3, 3);
    poke(ETM_REG_CR, RESET | 4u << 4 | 1u << 13);
    assert_int_equal(peek(ETM_REG_SCR) >> 10 & 3, 3);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_CR, RESET | 1u << 4 | 1u << 21); /* two bits */
    assert_int_equal(peek(ETM_REG_SCR) >> 10 & 3, 3);
    poke(ETM_REG_CR, RESET | 5u << 4);
    assert_int_equal(peek(ETM_REG_CR), RESET | 5u << 4);
    assert_int_equal(peek(ETM_REG_SCR) >> 10 & 3, 2);
    assert_int_equal(mistakes(), ETM_MISTAKE_PORT);
    poke(ETM_REG_CR, RESET | 2u << 16);
    assert_int_equal(peek(ETM_REG_SCR) >> 10 & 3, 1);
    assert_int_equal(mistakes(), ETM_MISTAKE_PORT);
}

/* MC-CR-12, MC-CLK-06 */
static void port_mode_3_is_reserved_up_to_v2_1(void **state)
{
    (void)state;
    build_full(ETM_V1_2);
    poke(ETM_REG_CR, RESET | 2u << 16);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_CR, RESET | 3u << 16);
    assert_int_equal(mistakes(), ETM_MISTAKE_PORT);
}

/* MC-CR-02, MC-CR-03, MC-LINT-19 */
static void core_select_wants_power_down_and_a_core_that_exists(void **state)
{
    (void)state;
    full(ETM_V3_2);
    config.scr = 0x1004; /* two cores */
    build();
    poke(ETM_REG_CR, RESET | 1u << 25);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_CR, RESET | 2u << 25);
    assert_int_equal(mistakes(), ETM_MISTAKE_CORE_SELECT);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | 2u << 25);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | 1u << 25);
    assert_int_equal(mistakes(), ETM_MISTAKE_CORE_SELECT);
    /* each mistake of a write is reported */
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | 2u << 25 | 5u << 4);
    assert_int_equal(mistakes(), ETM_MISTAKE_CORE_SELECT | ETM_MISTAKE_PORT);
    etm_regfile_reset(&regs);
    assert_int_equal(peek(ETM_REG_CR), RESET);
}

/* MF-27, MC-CR-27, E-137 */
static void power_down_bit_may_drop_writes(void **state)
{
    (void)state;
    full(ETM_V3_4);
    config.power_down_drops_writes = true;
    build();
    assert_int_equal(after(ETM_REG_ACVR1, 1), 0);
    assert_int_equal(after(ETM_REG_CR, RESET | 0xe | 1u << 25),
                     RESET | 1u << 25);
    assert_int_equal(after(ETM_REG_CLAIMSET, 1), 0xff);
    assert_int_equal(peek(ETM_REG_CLAIMCLR), 1);
    poke(ETM_REG_OSLAR, KEY);
    assert_int_equal(peek(ETM_REG_OSLSR), 3);
    poke(ETM_REG_OSLAR, 0);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_LAR, KEY);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_LSR), 1);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | 0xe);
    assert_int_equal(peek(ETM_REG_CR), ETM_CR_PROGRAMMING | 0xe);
    assert_int_equal(after(ETM_REG_ACVR1, 1), 1);
    /* and by default nothing is dropped */
    build_full(ETM_V3_4);
    assert_int_equal(after(ETM_REG_ACVR1, 1), 1);
}

/* MC-PRG-10, MC-PRG-11, MC-LINT-18, V3-CFG-07 */
static void programming_without_the_programming_bit_is_a_mistake(void **state)
{
    (void)state;
    build_full(ETM_V3_2);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
    poke(ETM_REG_CR, 0);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_ACVR1, 1);
    assert_int_equal(mistakes(), ETM_MISTAKE_TRACING);
    poke(ETM_REG_CLAIMSET, 1);
    assert_int_equal(mistakes(), 0);
    /* others may not change together with the bit, nor before it works */
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | ETM_CR_STALL);
    assert_int_equal(mistakes(), ETM_MISTAKE_CONTROL);
    poke(ETM_REG_CR, 0);
    mistakes();
    regs.drained = false;
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
    assert_int_equal(mistakes(), 0);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | ETM_CR_STALL);
    assert_int_equal(mistakes(), ETM_MISTAKE_CONTROL);
    regs.drained = true;
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
    assert_int_equal(mistakes(), 0);
}

/* MF-02, MC-PRG-09, MC-SR-08, MC-ACC-31: the procedure, done right; E-137 */
static void the_programming_procedure_makes_no_mistake(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        build_full(versions[v]);
        poke(ETM_REG_CR, ETM_CR_PROGRAMMING | ETM_CR_BRANCH_OUTPUT);
        poke(ETM_REG_CR, ETM_CR_BRANCH_OUTPUT);
        regs.drained = versions[v] < ETM_V3_2;
        poke(ETM_REG_CR, peek(ETM_REG_CR) | ETM_CR_PROGRAMMING);
        if (versions[v] >= ETM_V1_2)
            assert_int_equal(peek(ETM_REG_SR) & 2, regs.drained ? 2 : 0);
        regs.drained = true;
        poke(ETM_REG_TEEVR, 0x6f);
        poke(ETM_REG_ACVR1, 0x8000);
        poke(ETM_REG_CR, peek(ETM_REG_CR) | ETM_CR_CYCLE_ACCURATE);
        poke(ETM_REG_CR, peek(ETM_REG_CR) & ~(uint32_t)ETM_CR_PROGRAMMING);
        assert_int_equal(peek(ETM_REG_SR) & 2, 0);
        assert_int_equal(peek(ETM_REG_CR),
                         ETM_CR_BRANCH_OUTPUT | ETM_CR_CYCLE_ACCURATE);
        assert_int_equal(mistakes(), 0);
    }
}

/* MC-PRG-04: the software equivalent of resetting ETMCR */
static void writing_the_reset_value_resets_the_control_register(void **state)
{
    (void)state;
    build_full(ETM_V3_1);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | 0xfffe);
    assert_int_equal(after(ETM_REG_CR, RESET), RESET);
    assert_true(etm_regfile_held(&regs));
}

/* MC-SR-04, MC-SR-05, TV-PRG-04, V3-CFG-15 */
static void status_waits_for_the_fifo_from_v3_2_on(void **state)
{
    (void)state;
    for (size_t v = 2; v < COUNT(versions); v++) {
        build_full(versions[v]);
        poke(ETM_REG_CR, 0);
        assert_int_equal(peek(ETM_REG_SR), 0);
        regs.drained = false;
        poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
        assert_int_equal(peek(ETM_REG_SR),
                         versions[v] < ETM_V3_2 ? ETM_SR_PROGRAMMING : 0);
        assert_true(etm_regfile_held(&regs));
        regs.drained = true;
        assert_int_equal(peek(ETM_REG_SR), ETM_SR_PROGRAMMING);
        poke(ETM_REG_CR, 0);
        assert_false(etm_regfile_held(&regs));
    }
}

/* ERR-17, MC-SR-01, MC-SR-02, MC-SR-03, VER-01 */
static void status_bits_by_version(void **state)
{
    static const struct {
        unsigned version;
        uint32_t bits;
    } rows[] = {{ETM_V1_0, 0x0},   {ETM_V1_1, 0x1}, {ETM_V1_2, 0x7},
                {ETM_V3_0, 0x7},   {ETM_V3_1, 0xf}, {ETM_V3_5, 0xf},
                {ETM_PFT1_0, 0xf}, {0, 0}};

    (void)state;
    for (size_t i = 0; rows[i].version != 0; i++) {
        build_full(rows[i].version);
        regs.value[ETM_REG_SR] =
            ETM_SR_OVERFLOW | ETM_SR_START_STOP | ETM_SR_TRIGGER;
        assert_int_equal(peek(ETM_REG_SR), rows[i].bits);
    }
}

/* MC-SR-09 */
static void writing_the_status_changes_bits_3_and_2(void **state)
{
    (void)state;
    build_full(ETM_V3_1);
    assert_int_equal(after(ETM_REG_SR, 0xf), 0xe);
    assert_int_equal(after(ETM_REG_SR, 0x8), 0xa);
    assert_int_equal(after(ETM_REG_SR, 0), 2);
    assert_int_equal(mistakes(), 0);
    build_full(ETM_V3_0);
    assert_int_equal(after(ETM_REG_SR, 0xc), 2);
    assert_int_equal(mistakes(), ETM_MISTAKE_READ_ONLY);
}

/* MC-SR-06, MC-SR-07, TV-PRG-05, DBG-04, V2-OVF-03, V1-OVF-05 */
static void only_power_down_clears_a_pending_overflow(void **state)
{
    (void)state;
    build_full(ETM_V1_1);
    poke(ETM_REG_CR, 0);
    regs.value[ETM_REG_SR] |= ETM_SR_OVERFLOW;
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
    assert_int_equal(peek(ETM_REG_SR) & 1, 1);
    poke(ETM_REG_CR, 0);
    assert_int_equal(peek(ETM_REG_SR) & 1, 1);
    poke(ETM_REG_CR, ETM_CR_POWER_DOWN);
    assert_int_equal(peek(ETM_REG_SR) & 1, 0);
}

/* A run's state: counter 10 at 6, sequencer in state 3, on, triggered. */
static void after_a_run(unsigned version)
{
    build_full(version);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
    poke(ETM_REG_CNTRLDVR1, 10);
    poke(ETM_REG_CNTRLDVR1 + 1, 20);
    poke(ETM_REG_CR, 0);
    regs.value[ETM_REG_CNTVR1] = 6;
    regs.value[ETM_REG_CNTVR1 + 1] = 5;
    regs.value[ETM_REG_SQR] = 2;
    regs.value[ETM_REG_SR] |= ETM_SR_START_STOP | ETM_SR_TRIGGER;
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
}

/* MC-TRG-04, MC-CNT-10, MC-PRG-14, MC-PRG-15, MC-PRG-17, TV-PRG-01 */
static void up_to_v3_0_the_state_is_reset_when_programming_begins(void **state)
{
    (void)state;
    for (size_t v = 0; versions[v] <= ETM_V3_0; v++) {
        after_a_run(versions[v]);
        assert_int_equal(peek(ETM_REG_CNTVR1), 10);
        assert_int_equal(peek(ETM_REG_CNTVR1 + 1), 20);
        assert_int_equal(peek(ETM_REG_SQR), 0);
        assert_int_equal(regs.value[ETM_REG_SR], 0);
        /* and cannot be written */
        poke(ETM_REG_CNTVR1, 3);
        assert_int_equal(peek(ETM_REG_CNTVR1), 10);
        poke(ETM_REG_CR, 0);
        assert_int_equal(peek(ETM_REG_CNTVR1), 10);
    }
}

/* MC-TRG-05, MC-CNT-10, MC-CNT-11, MC-PRG-18, MC-PRG-19, TV-PRG-02 */
static void from_v3_1_on_the_state_is_reset_when_programming_ends(void **state)
{
    (void)state;
    for (size_t v = 7; v < COUNT(versions); v++) {
        after_a_run(versions[v]);
        assert_int_equal(peek(ETM_REG_CNTVR1), 6);
        assert_int_equal(peek(ETM_REG_SQR), 2);
        assert_int_equal(peek(ETM_REG_SR), 0xe);
        poke(ETM_REG_CR, 0);
        assert_int_equal(peek(ETM_REG_CNTVR1), 10);
        assert_int_equal(peek(ETM_REG_CNTVR1 + 1), 20);
        assert_int_equal(peek(ETM_REG_SQR), 0);
        assert_int_equal(peek(ETM_REG_SR), 0);
    }
}

/* MC-CNT-11, MC-TRG-05, MC-PRG-19, MC-PRG-20, TV-PRG-03 */
static void state_that_was_written_is_kept(void **state)
{
    (void)state;
    after_a_run(ETM_V3_1);
    poke(ETM_REG_CNTVR1, 7);
    poke(ETM_REG_SQR, 1);
    poke(ETM_REG_CR, 0);
    assert_int_equal(peek(ETM_REG_CNTVR1), 7);
    assert_int_equal(peek(ETM_REG_CNTVR1 + 1), 20);
    assert_int_equal(peek(ETM_REG_SQR), 1);
    assert_int_equal(peek(ETM_REG_SR), 0);
    /* what was written before the bit was set does not count */
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
    poke(ETM_REG_CR, 0);
    assert_int_equal(peek(ETM_REG_CNTVR1), 10);
    assert_int_equal(peek(ETM_REG_SQR), 0);
    /* one write of the status keeps both of its items */
    after_a_run(ETM_V3_1);
    poke(ETM_REG_SR, ETM_SR_START_STOP);
    poke(ETM_REG_CR, 0);
    assert_int_equal(peek(ETM_REG_SR), ETM_SR_START_STOP);
}

/* MC-CNT-10, MC-CNT-12, MC-PRG-16, MC-PRG-23 */
static void a_reload_value_loads_its_counter(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        build_full(versions[v]);
        poke(ETM_REG_CNTRLDVR1 + 2, 0x1234);
        assert_int_equal(peek(ETM_REG_CNTVR1 + 2), 0x1234);
        assert_int_equal(peek(ETM_REG_CNTVR1 + 1), 0);
    }
}

/* MC-PRG-22 */
static void a_transition_event_resets_the_sequencer(void **state)
{
    (void)state;
    build_full(ETM_V3_1);
    for (uint32_t n = ETM_REG_SQ12EVR; n <= 0x065; n++) {
        poke(ETM_REG_SQR, 2);
        poke(n, 0x406f);
        assert_int_equal(peek(ETM_REG_SQR), 0);
    }
}

/* MC-PRG-12, MC-PRG-13, MC-PWR-10: what holds the state */
static void state_is_held_by_programming_power_down_and_os_lock(void **state)
{
    (void)state;
    build_full(ETM_V3_3);
    assert_true(etm_regfile_held(&regs));
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
    assert_true(etm_regfile_held(&regs));
    poke(ETM_REG_CR, 0);
    assert_false(etm_regfile_held(&regs));
    poke(ETM_REG_OSLAR, KEY);
    assert_true(etm_regfile_held(&regs));
    /* MC-PWR-11 */
    poke(ETM_REG_OSLAR, 1);
    assert_false(etm_regfile_held(&regs));
    poke(ETM_REG_CR, ETM_CR_POWER_DOWN);
    assert_true(etm_regfile_held(&regs));
}

/* Whoever derives something of the registers can see that they changed. */
static void generation_changes_with_every_write(void **state)
{
    uint32_t before;

    (void)state;
    build_full(ETM_V3_4);
    before = regs.generation;
    peek(ETM_REG_CR);
    assert_int_equal(regs.generation, before);
    poke(ETM_REG_ACVR1, 5);
    assert_int_not_equal(regs.generation, before);
    before = regs.generation;
    etm_regfile_reset(&regs);
    assert_int_not_equal(regs.generation, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_of_data_suppression),
        cmocka_unit_test(probe_of_cycle_accurate_tracing),
        cmocka_unit_test(probe_of_data_trace_features),
        cmocka_unit_test(probe_of_branch_output_context_id_and_cprt),
        cmocka_unit_test(control_bits_need_their_resources),
        cmocka_unit_test(suppressing_and_stalling_together_is_a_mistake),
        cmocka_unit_test(each_side_can_lock_out_the_other),
        cmocka_unit_test(software_can_lock_out_jtag),
        cmocka_unit_test(up_to_v2_1_the_closest_port_size_is_selected),
        cmocka_unit_test(
            from_v3_0_on_the_status_tells_whether_the_port_is_there),
        cmocka_unit_test(port_mode_3_is_reserved_up_to_v2_1),
        cmocka_unit_test(core_select_wants_power_down_and_a_core_that_exists),
        cmocka_unit_test(power_down_bit_may_drop_writes),
        cmocka_unit_test(programming_without_the_programming_bit_is_a_mistake),
        cmocka_unit_test(the_programming_procedure_makes_no_mistake),
        cmocka_unit_test(writing_the_reset_value_resets_the_control_register),
        cmocka_unit_test(status_waits_for_the_fifo_from_v3_2_on),
        cmocka_unit_test(status_bits_by_version),
        cmocka_unit_test(writing_the_status_changes_bits_3_and_2),
        cmocka_unit_test(only_power_down_clears_a_pending_overflow),
        cmocka_unit_test(up_to_v3_0_the_state_is_reset_when_programming_begins),
        cmocka_unit_test(from_v3_1_on_the_state_is_reset_when_programming_ends),
        cmocka_unit_test(state_that_was_written_is_kept),
        cmocka_unit_test(a_reload_value_loads_its_counter),
        cmocka_unit_test(a_transition_event_resets_the_sequencer),
        cmocka_unit_test(state_is_held_by_programming_power_down_and_os_lock),
        cmocka_unit_test(generation_changes_with_every_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
