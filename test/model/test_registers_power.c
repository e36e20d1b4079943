/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power-down: the OS lock, the sticky bit, saving and restoring (3.8). Rows of
 * the conformance list stand above the tests.
 */
#include "registers_util.h"

/* Values that tell the registers apart. */
static void program_everything(void)
{
    for (uint32_t n = 1; n < ETM_REG_OSLAR; n++) {
        if ((regs.flags[n] & ETM_REG_WRITES) != 0)
            poke(n, (n * 0x01020305u) & regs.defined[n] & 0xfffffffe);
    }
    poke(ETM_REG_SQR, 1);
    poke(ETM_REG_SR, ETM_SR_TRIGGER);
    poke(ETM_REG_CNTVR1, 77);
    poke(ETM_REG_CR, ETM_CR_PROGRAMMING | ETM_CR_PORT_ENABLE | 0xc);
    mistakes();
}

/* MF-28, MC-PWR-02, MC-PWR-06, MC-PWR-07, MC-PWR-09, MC-PWR-12, MC-PWR-20,
   MC-PWR-21, MC-PWR-23, MC-PWR-24, MC-PWR-25, TV-PWR-01, TV-PWR-03, TV-PWR-06:
   by software through memory */
static void state_survives_a_power_down(void **state)
{
    static struct etm_regfile before;
    static uint32_t block[256];
    uint32_t n, value;
    const enum etm_access how = ETM_ACCESS_SOFTWARE;

    (void)state;
    full(ETM_V3_4);
    config.unknown_seed = 3;
    build();
    program_everything();
    before = regs;

    poke_as(how, ETM_REG_LAR, KEY);
    assert_int_equal(peek_as(how, ETM_REG_PDSR), 1);
    poke_as(how, ETM_REG_OSLAR, KEY);
    n = peek_as(how, ETM_REG_OSSRR);
    assert_in_range(n, 100, COUNT(block));
    for (uint32_t i = 0; i < n; i++)
        block[i] = peek_as(how, ETM_REG_OSSRR);
    regs.pins.os_lock_init = true;
    etm_regfile_power(&regs, false, false);
    assert_int_equal(etm_regfile_read(&regs, ETM_REG_PDSR, how, &value),
                     ETM_ACCESS_IMPOSSIBLE);
    etm_regfile_power(&regs, true, true);
    assert_int_not_equal(regs.value[ETM_REG_ACVR1],
                         before.value[ETM_REG_ACVR1]);
    assert_int_equal(peek_as(how, ETM_REG_OSLSR), 3);

    poke_as(how, ETM_REG_LAR, KEY);
    assert_int_equal(peek_as(how, ETM_REG_PDSR), 3);
    assert_int_equal(peek_as(how, ETM_REG_PDSR), 1);
    assert_int_equal(etm_regfile_read(&regs, ETM_REG_CR, how, &value),
                     ETM_ACCESS_ERROR);
    poke_as(how, ETM_REG_OSLAR, KEY);
    peek_as(how, ETM_REG_OSSRR);
    for (uint32_t i = 0; i < n; i++)
        poke_as(how, ETM_REG_OSSRR, block[i]);
    poke_as(how, ETM_REG_OSLAR, 0);
    assert_int_equal(peek_as(how, ETM_REG_OSLSR), 1);
    assert_int_equal(mistakes(), 0);
    for (uint32_t i = 0; i < ETM_REG_OSLAR; i++)
        assert_int_equal(regs.value[i], before.value[i]);
    /* the state items were written, and go on from there */
    poke_as(how, ETM_REG_CR, 0);
    assert_int_equal(peek(ETM_REG_CNTVR1), 77);
    assert_int_equal(peek(ETM_REG_SQR), 1);
}

/* TV-PWR-02, TV-PWR-04, TV-PWR-05: by coprocessor, and of PFT */
static void state_can_be_saved_by_coprocessor(void **state)
{
    static uint32_t block[256];
    const enum etm_access how = ETM_ACCESS_COPROCESSOR;
    uint32_t n;

    (void)state;
    build_full(ETM_PFT1_0);
    poke_as(how, ETM_REG_TSEVR, 0x5a);
    poke_as(how, ETM_REG_OSLAR, KEY);
    n = peek_as(how, ETM_REG_OSSRR);
    for (uint32_t i = 0; i < n; i++)
        block[i] = peek_as(how, ETM_REG_OSSRR);
    poke_as(how, ETM_REG_OSLAR, 0);
    poke_as(how, ETM_REG_TSEVR, 0);
    poke_as(how, ETM_REG_OSLAR, KEY);
    assert_int_equal(peek_as(how, ETM_REG_OSSRR), n);
    for (uint32_t i = 0; i < n; i++)
        poke_as(how, ETM_REG_OSSRR, block[i]);
    poke_as(how, ETM_REG_OSLAR, 0);
    assert_int_equal(peek_as(how, ETM_REG_TSEVR), 0x5a);
    /* no words at all are fine too */
    poke_as(how, ETM_REG_OSLAR, KEY);
    peek_as(how, ETM_REG_OSSRR);
    poke_as(how, ETM_REG_OSLAR, 0);
    assert_int_equal(mistakes(), 0);
}

/* ETMv3.5 and PFT 1.1 have no ETMOSSRR: software reads and writes the registers
 * themselves while the OS lock is set, which keeps a debugger out. E-333 */
static void later_versions_are_saved_register_by_register(void **state)
{
    static const unsigned later[] = {ETM_V3_5, ETM_PFT1_1};
    static uint32_t saved[ETM_REG_OSLAR];
    const enum etm_access how = ETM_ACCESS_COPROCESSOR;
    uint32_t value;

    (void)state;
    for (size_t v = 0; v < COUNT(later); v++) {
        full(later[v]);
        config.unknown_seed = 3;
        config.power_down_drops_writes = true;
        build();
        program_everything();
        poke(ETM_REG_CR, ETM_CR_CYCLE_ACCURATE); /* tracing */
        poke(ETM_REG_CLAIMSET, 5);
        mistakes();
        assert_int_equal(peek(ETM_REG_OSLSR), 8);
        assert_int_equal(peek(ETM_REG_PDSR), 1);
        poke_as(how, ETM_REG_OSLAR, KEY);
        assert_int_equal(peek(ETM_REG_OSLSR), 0xa);
        assert_int_equal(peek(ETM_REG_PDSR), 0x21);
        assert_true(etm_regfile_held(&regs));
        for (uint32_t n = 0; n < ETM_REG_OSLAR; n++)
            saved[n] = peek_as(how, n);
        assert_int_equal(etm_regfile_read(&regs, ETM_REG_OSSRR, how, &value),
                         ETM_ACCESS_UNPREDICTABLE);
        assert_int_equal(etm_regfile_write(&regs, ETM_REG_OSSRR, how, 0),
                         ETM_ACCESS_UNPREDICTABLE);
        assert_int_equal(mistakes(), ETM_MISTAKE_OS_SAVE_RESTORE);
        assert_int_equal(
            etm_regfile_read(&regs, ETM_REG_CR, ETM_ACCESS_DEBUGGER, &value),
            ETM_ACCESS_ERROR);
        assert_int_equal(
            etm_regfile_write(&regs, ETM_REG_CLAIMSET, ETM_ACCESS_DEBUGGER, 1),
            ETM_ACCESS_ERROR);

        etm_regfile_power(&regs, true, false);
        assert_int_equal(etm_regfile_read(&regs, ETM_REG_CR, how, &value),
                         ETM_ACCESS_ERROR);
        assert_int_equal(etm_regfile_write(&regs, ETM_REG_OSLAR, how, KEY),
                         ETM_ACCESS_ERROR);
        assert_int_equal(peek(ETM_REG_PDSR), 2);
        regs.pins.os_lock_init = true;
        etm_regfile_power(&regs, true, true);
        assert_int_equal(peek(ETM_REG_OSLSR), 0xa);
        assert_int_not_equal(regs.value[ETM_REG_ACVR1], saved[ETM_REG_ACVR1]);
        /* the claim tag went with the trace registers */
        assert_int_equal(regs.value[ETM_REG_CLAIMCLR], 0);

        /* nobody has read ETMPDSR, and ETMCR[0] is set: all the same */
        for (uint32_t n = ETM_REG_OSLAR; n-- > 0;)
            if ((regs.flags[n] & ETM_REG_WRITES) != 0)
                poke_as(how, n, saved[n]);
        assert_int_equal(
            mistakes() & (ETM_MISTAKE_TRACING | ETM_MISTAKE_CONTROL), 0);
        assert_int_equal(peek(ETM_REG_PDSR), 0x23);
        poke_as(how, ETM_REG_OSLAR, 0);
        assert_int_equal(peek(ETM_REG_OSLSR), 8);
        for (uint32_t n = 0; n < ETM_REG_OSLAR; n++)
            if (n != ETM_REG_SR && n - ETM_REG_CNTVR1 >= 4)
                assert_int_equal(peek(n), saved[n]);
        config.no_os_lock = true;
        build();
        poke_as(how, ETM_REG_OSLAR, KEY);
        assert_int_equal(peek(ETM_REG_OSLSR), 0);
        assert_int_equal(peek(ETM_REG_PDSR), 1);
        assert_false(exists(ETM_REG_PDCR));
    }
}

static enum etm_access_result ossrr_read(void)
{
    uint32_t value;

    return etm_regfile_read(&regs, ETM_REG_OSSRR, ETM_ACCESS_DEBUGGER, &value);
}

/* MC-CR-06, MF-38: software that is shut out can still restore the value that
   shuts it out, to the end. E-121 */
static void restoring_a_write_disable_does_not_stop_the_restore(void **state)
{
    static uint32_t block[256];
    const enum etm_access how = ETM_ACCESS_COPROCESSOR;
    uint32_t n;

    (void)state;
    build_full(ETM_V3_4);
    poke(ETM_REG_TRACEIDR, 0x33);
    poke(ETM_REG_CR, 0x401 | ETM_CR_NO_SOFTWARE_WRITES);
    poke_as(how, ETM_REG_OSLAR, KEY);
    n = peek_as(how, ETM_REG_OSSRR);
    for (uint32_t i = 0; i < n; i++)
        block[i] = peek_as(how, ETM_REG_OSSRR);
    regs.pins.os_lock_init = true;
    etm_regfile_power(&regs, false, false);
    etm_regfile_power(&regs, true, true);
    assert_int_equal(peek_as(how, ETM_REG_PDSR), 3);
    poke_as(how, ETM_REG_OSLAR, KEY);
    peek_as(how, ETM_REG_OSSRR);
    for (uint32_t i = 0; i < n; i++)
        poke_as(how, ETM_REG_OSSRR, block[i]);
    poke_as(how, ETM_REG_OSLAR, 0);
    assert_int_equal(peek(ETM_REG_TRACEIDR), 0x33);
    assert_int_equal(peek(ETM_REG_CR), 0x401 | ETM_CR_NO_SOFTWARE_WRITES);
}

/* Whatever is restored, the registers hold what they can hold. */
static void restored_words_are_made_to_fit(void **state)
{
    (void)state;
    full(ETM_V3_3);
    config.fifo_size = 40;
    build();
    poke(ETM_REG_OSLAR, KEY);
    ossrr_read();
    for (unsigned i = 0; i < regs.saved_count; i++)
        assert_int_equal(etm_regfile_write(&regs, ETM_REG_OSSRR,
                                           ETM_ACCESS_DEBUGGER, 0xffffffff),
                         ETM_ACCESS_OK);
    poke(ETM_REG_OSLAR, 0);
    assert_int_equal(peek(ETM_REG_SQR), 0);
    assert_int_equal(peek(ETM_REG_FFLR), 40);
    for (uint32_t n = 0; n < ETM_REG_OSLAR; n++) {
        if (n != ETM_REG_SR && (regs.flags[n] & ETM_REG_WRITES) != 0)
            assert_int_equal(regs.value[n] & ~regs.defined[n], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_survives_a_power_down),
        cmocka_unit_test(state_can_be_saved_by_coprocessor),
        cmocka_unit_test(later_versions_are_saved_register_by_register),
        cmocka_unit_test(restoring_a_write_disable_does_not_stop_the_restore),
        cmocka_unit_test(restored_words_are_made_to_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
