/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers where the specification contradicts itself, is silent, or leaves
 * the macrocell a choice: what holds here. Rows of the conformance list stand
 * above the tests.
 */
#include "registers_util.h"

#define RESET 0x401u

/* ERR-03, ERR-06, ERR-07, ERR-08: numbers that are printed wrong somewhere */
static void misprinted_numbers_are_read_right(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    for (uint32_t n = 0x030; n < 0x050; n++)
        assert_int_equal(exists(n), n % 2 == 0);
    assert_string_equal(etm_register_name(0x00d), "ETMVDCR1");
    assert_string_equal(etm_register_name(0x05b), "ETMCNTRLDEVR4");
    assert_string_equal(etm_register_name(0x06f), "ETMCIDCMR");
    assert_string_equal(etm_register_name(0x03e), "ETMDCVR8");
    assert_true(exists(0x05b) && exists(0x06f) && exists(0x00d));
}

/* ERR-11: how many data comparators there are is in ETMCCR[7:4] */
static void data_comparators_are_counted_in_ccr_7_to_4(void **state)
{
    (void)state;
    for (unsigned n = 0; n <= 8; n++) {
        full(ETM_V3_4);
        config.ccr = 8u | n << 4 | (8 - n) << 8;
        build();
        for (unsigned k = 0; k < 8; k++)
            assert_int_equal(exists(ETM_REG_DCVR1 + 2 * k), k < n);
    }
}

/* ERR-10, MC-GEN-08: the probe of ETMSYNCFR puts back what it read first */
static void probe_of_synchronization_restores_the_frequency(void **state)
{
    (void)state;
    for (unsigned is_fixed = 0; is_fixed < 2; is_fixed++) {
        uint32_t before;

        full(ETM_V3_4);
        config.sync_fixed = is_fixed;
        build();
        poke(ETM_REG_SYNCFR, 0x200);
        before = peek(ETM_REG_SYNCFR);
        assert_int_equal(before, is_fixed ? 0x400 : 0x200);
        assert_int_equal(after(ETM_REG_SYNCFR, UINT32_MAX) == 0x400, is_fixed);
        assert_int_equal(after(ETM_REG_SYNCFR, before), before);
        assert_int_equal(mistakes(), 0);
    }
}

/* ERR-16: ETMCR[13] begins with v1.2; ERR-18: [19] with v3.0; E-230 */
static void control_bits_begin_with_the_later_version(void **state)
{
    static const struct {
        uint32_t bit;
        unsigned since;
    } rows[] = {{ETM_CR_PORT_MODE_2, ETM_V1_2}, {ETM_CR_CPRT_FILTER, ETM_V3_0}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t v = 0; versions[v] < ETM_PFT1_0; v++) {
            bool there = versions[v] >= rows[i].since;

            build_full(versions[v]);
            poke(ETM_REG_CR, RESET | ETM_CR_CPRT | rows[i].bit);
            assert_int_equal((peek(ETM_REG_CR) & rows[i].bit) != 0, there);
            assert_int_equal(mistakes() & ETM_MISTAKE_RESERVED_BITS,
                             there ? 0 : ETM_MISTAKE_RESERVED_BITS);
        }
}

/* ERR-19, MF-15: "no load data" of v2.1 has no description and reads 0;
   ERR-35: [8] is in this register; E-231 */
static void system_configuration_of_v2_1_has_described_bits_only(void **state)
{
    (void)state;
    full(ETM_V2_1);
    config.scr = UINT32_MAX;
    config.port_sizes = 7;
    build();
    assert_int_equal(peek(ETM_REG_SCR), 0x201ff);
    config.scr &= ~(1u << 8);
    build();
    assert_int_equal(peek(ETM_REG_SCR), 0x200ff);
}

/* ERR-33, MC-FIFO-10, MC-FIFO-11: from v2.0 on, the level may be ignored; a
   probe sees it */
static void level_may_be_ignored_from_v2_0_on(void **state)
{
    (void)state;
    for (size_t v = 0; versions[v] < ETM_PFT1_0; v++)
        for (unsigned ignored = 0; ignored < 2; ignored++) {
            bool known = versions[v] >= ETM_V2_0;

            full(versions[v]);
            config.fifo_size = 40;
            config.fifo_level_ignored = ignored;
            build();
            poke(ETM_REG_FFLR, UINT32_MAX);
            if (known)
                assert_int_equal(peek(ETM_REG_FFLR), 40);
            poke(ETM_REG_FFLR, 1);
            assert_int_equal(regs.value[ETM_REG_FFLR],
                             known && ignored ? 40 : 1);
        }
}

/* MC-FIFO-15, ERR-30: suppression is optional from v3.3 on, FIFOFULL always;
   MC-FIFO-16: suppression needs the level and no region */
static void either_feature_against_overflow_may_be_missing(void **state)
{
    (void)state;
    for (size_t v = 0; versions[v] < ETM_PFT1_0; v++)
        for (unsigned has = 0; has < 4; has++) {
            bool suppresses =
                versions[v] >= ETM_V3_0 && (has & 1u || versions[v] < ETM_V3_3);

            full(versions[v]);
            config.no_data_suppression = !(has & 1u);
            config.ccr &= ~(uint32_t)(has & 2u ? 0 : 1u << 23);
            build();
            assert_int_equal(exists(ETM_REG_FFRR), (has & 2u) != 0);
            assert_true(exists(ETM_REG_FFLR));
            poke(ETM_REG_CR, RESET | ETM_CR_STALL);
            assert_int_equal((peek(ETM_REG_CR) & ETM_CR_STALL) != 0,
                             (has & 2u) != 0);
            poke(ETM_REG_CR, RESET | ETM_CR_SUPPRESS_DATA);
            assert_int_equal((peek(ETM_REG_CR) & ETM_CR_SUPPRESS_DATA) != 0,
                             suppresses);
        }
}

/* MF-20: no trigger and no overflow after a reset; counters are not specified;
 * E-228 */
static void reset_leaves_counters_and_clears_the_status(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    poke(ETM_REG_CNTRLDVR1, 7);
    poke(ETM_REG_EIBCR, 5);
    poke(ETM_REG_TESSEICR, 5);
    poke(ETM_REG_SR, ETM_SR_TRIGGER | ETM_SR_START_STOP);
    regs.value[ETM_REG_SR] |= ETM_SR_OVERFLOW;
    etm_regfile_reset(&regs);
    assert_int_equal(peek(ETM_REG_SR), ETM_SR_PROGRAMMING);
    assert_int_equal(peek(ETM_REG_CNTVR1), 7);
    assert_int_equal(peek(ETM_REG_EIBCR), 5);
    assert_int_equal(peek(ETM_REG_TESSEICR), 5);
}

/* MF-19: 1024 is the reset value. MF-21: sizes whose code has [21] set come
   out of a reset only if there is no other. E-229 */
static void reset_selects_the_lowest_port_without_bit_21(void **state)
{
    static const struct {
        uint16_t sizes;
        uint32_t control;
    } rows[] = {{1 << 0 | 1 << 1 | 1 << 8, 0x401},
                {1 << 1 | 1 << 8, 0x411},
                {1 << 8, 0x200401},
                {1 << 8 | 1 << 9, 0x200401},
                {1 << 9, 0x200411}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        full(ETM_V3_4);
        config.port_sizes = rows[i].sizes;
        build();
        assert_int_equal(peek(ETM_REG_CR), rows[i].control);
        assert_int_equal(peek(ETM_REG_SYNCFR), 1024);
    }
}

/* MF-22: v1.0 and v1.1 have nothing to wait for; the bit acts at once; E-224 */
static void programming_bit_acts_at_once_in_v1_0(void **state)
{
    (void)state;
    for (unsigned v = ETM_V1_0; v <= ETM_V1_1; v++) {
        build_full(v);
        poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
        poke(ETM_REG_CR, 0);
        assert_false(etm_regfile_held(&regs));
        regs.drained = false;
        poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
        assert_true(etm_regfile_held(&regs));
        assert_true(etm_regfile_programming(&regs));
        poke(ETM_REG_TEEVR, 0x6f);
        assert_int_equal(mistakes(), 0);
        assert_int_equal(regs.value[ETM_REG_TEEVR], 0x6f);
    }
}

/* MF-34: what v1.x cannot read is 0, and a mistake */
static void write_only_registers_of_v1_read_as_zero(void **state)
{
    static const uint16_t some[] = {0x002, 0x008, 0x009, 0x00b, 0x00c,
                                    0x010, 0x020, 0x050, 0x065};

    (void)state;
    for (size_t i = 0; i < COUNT(some); i++) {
        build_full(ETM_V1_3);
        assert_int_equal(after(some[i], 1), 0);
        assert_int_equal(regs.value[some[i]], 1);
        assert_int_equal(mistakes(), ETM_MISTAKE_WRITE_ONLY);
    }
}

/* MF-41: v2.1, where the appendix only names the fields */
static void fields_of_v2_1_follow_table_3_5(void **state)
{
    (void)state;
    full(ETM_V2_1);
    config.no_context_id = true;
    config.port_sizes = 1 << 0 | 1 << 2;
    build();
    assert_int_equal(after(ETM_REG_CR, RESET | ETM_CR_CONTEXT_ID), RESET);
    assert_int_equal(after(ETM_REG_CR, RESET | 4u << 4), RESET | 2u << 4);
}

/* MF-11: from v3.1 on too, a reload value loads its counter and a transition
   resets the sequencer at once; but neither keeps the item; E-124 */
static void reload_values_and_transitions_write_no_state(void **state)
{
    (void)state;
    for (size_t v = 7; v < COUNT(versions); v++) {
        build_full(versions[v]);
        poke(ETM_REG_CNTVR1, 5);
        poke(ETM_REG_SQR, 2);
        poke(ETM_REG_CNTRLDVR1, 9);
        poke(ETM_REG_SQ12EVR, 0x406f);
        assert_int_equal(peek(ETM_REG_CNTVR1), 9);
        assert_int_equal(peek(ETM_REG_SQR), 0);
        /* a restore in the order of table 3-87: values after them */
        poke(ETM_REG_CNTVR1, 6);
        poke(ETM_REG_SQR, 1);
        poke(ETM_REG_CR, 0);
        assert_int_equal(peek(ETM_REG_CNTVR1), 6);
        assert_int_equal(peek(ETM_REG_SQR), 1);
        poke(ETM_REG_CR, ETM_CR_PROGRAMMING);
        poke(ETM_REG_CNTRLDVR1, 11);
        regs.value[ETM_REG_CNTVR1] = 3;
        poke(ETM_REG_CR, 0);
        assert_int_equal(peek(ETM_REG_CNTVR1), 11);
    }
}

/* MC-SEC-12, MC-SEC-15: non-invasive debug does not matter to registers; the
   status tells of it, and without security no state can be selected */
static void registers_work_without_noninvasive_debug(void **state)
{
    (void)state;
    full(ETM_V3_4);
    config.secure_elsewhere = false;
    build();
    regs.pins = (struct etm_macrocell_pins){0};
    assert_int_equal(after(ETM_REG_ACVR1, 0x1234), 0x1234);
    assert_int_equal(after(ETM_REG_ACTR1, 0xc00), 0xc00);
    assert_int_equal(peek(ETM_REG_AUTHSTATUS), 0x88);
    regs.pins.niden = regs.pins.spniden = true;
    assert_int_equal(peek(ETM_REG_AUTHSTATUS), 0xcc);
    assert_int_equal(peek(ETM_REG_ACVR1), 0x1234);
    trace.security = false;
    build();
    assert_int_equal(after(ETM_REG_ACTR1, 0xc00), 0);
}

/* Registers 0x071 to 0x077 are set aside; the model extends nothing. E-233 */
static void implementation_specific_registers_do_not_exist(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    for (uint32_t n = 0x071; n <= 0x077; n++) {
        assert_false(exists(n));
        assert_int_equal(after(n, UINT32_MAX), 0);
    }
}

/* ETMCCER[27], v3.5 and PFT v1.1 (and ETM-M3, v3.4): such a counter has a
   reload value only, and begins with it. E-136 */
static void reduced_counter_has_a_reload_value_only(void **state)
{
    static const struct {
        unsigned version;
        bool there;
    } rows[] = {{ETM_V3_3, false},
                {ETM_V3_4, true},
                {ETM_V3_5, true},
                {ETM_PFT1_0, false},
                {ETM_PFT1_1, true}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        full(rows[i].version);
        config.ccer |= 1u << 27;
        build();
        assert_int_equal(regs.counts.reduced_counter, rows[i].there);
        for (uint32_t n = ETM_REG_CNTRLDVR1; n <= ETM_REG_CNTVR1; n += 4) {
            assert_int_equal(exists(n),
                             n == ETM_REG_CNTRLDVR1 || !rows[i].there);
            assert_true(exists(n + 1));
        }
        if (!rows[i].there)
            continue;
        poke(ETM_REG_CNTRLDVR1, 0x123);
        assert_int_equal(after(ETM_REG_CNTVR1, 7), 0);
        mistakes();
        poke(ETM_REG_CR, 0);
        assert_int_equal(regs.value[ETM_REG_CNTVR1], 0x123);
        /* nor can it be saved */
        for (unsigned k = 0; k < regs.saved_count; k++)
            assert_int_not_equal(regs.saved[k], ETM_REG_CNTVR1);
    }
}

/* ETMPDCR, v3.5 and PFT v1.1: a request for power, and nothing else. E-212 */
static void power_control_keeps_the_request_for_power(void **state)
{
    (void)state;
    for (size_t v = 8; v < COUNT(versions); v++) { /* JTAG ends at 0x7f */
        bool there = versions[v] >= ETM_V3_5 && versions[v] != ETM_PFT1_0;

        build_full(versions[v]);
        assert_int_equal(exists(ETM_REG_PDCR), there);
        assert_int_equal(after(ETM_REG_PDCR, 8), there ? 8 : 0);
        assert_int_equal(mistakes(), there ? 0 : ETM_MISTAKE_RESERVED_REGISTER);
        poke(ETM_REG_PDCR, 9);
        assert_int_equal(peek(ETM_REG_PDCR), there ? 8 : 0);
        etm_regfile_power(&regs, true, false);
        assert_int_equal(regs.value[ETM_REG_PDCR], there ? 8 : 0);
        etm_regfile_power(&regs, true, true);
        etm_regfile_reset(&regs);
        assert_int_equal(regs.value[ETM_REG_PDCR], 0);
    }
}

/* ETMACTR[15:14], v3.5 and PFT v1.1 with virtualization. */
static void access_types_of_virtual_machines_need_virtualization(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (unsigned has = 0; has < 2; has++) {
            bool late = versions[v] >= ETM_V3_5 && versions[v] != ETM_PFT1_0;

            full(versions[v]);
            trace.virtualization = has && late;
            build();
            poke(ETM_REG_ACTR1, 0xc000);
            assert_int_equal(regs.value[ETM_REG_ACTR1],
                             has && late ? 0xc000 : 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misprinted_numbers_are_read_right),
        cmocka_unit_test(data_comparators_are_counted_in_ccr_7_to_4),
        cmocka_unit_test(probe_of_synchronization_restores_the_frequency),
        cmocka_unit_test(control_bits_begin_with_the_later_version),
        cmocka_unit_test(system_configuration_of_v2_1_has_described_bits_only),
        cmocka_unit_test(level_may_be_ignored_from_v2_0_on),
        cmocka_unit_test(either_feature_against_overflow_may_be_missing),
        cmocka_unit_test(reset_leaves_counters_and_clears_the_status),
        cmocka_unit_test(reset_selects_the_lowest_port_without_bit_21),
        cmocka_unit_test(programming_bit_acts_at_once_in_v1_0),
        cmocka_unit_test(write_only_registers_of_v1_read_as_zero),
        cmocka_unit_test(fields_of_v2_1_follow_table_3_5),
        cmocka_unit_test(reload_values_and_transitions_write_no_state),
        cmocka_unit_test(registers_work_without_noninvasive_debug),
        cmocka_unit_test(implementation_specific_registers_do_not_exist),
        cmocka_unit_test(reduced_counter_has_a_reload_value_only),
        cmocka_unit_test(power_control_keeps_the_request_for_power),
        cmocka_unit_test(access_types_of_virtual_machines_need_virtualization),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
