/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interfaces of the macrocell, the CoreSight lock, claim tags and the
 * authentication status, and the public object. Rows of the conformance list
 * stand above the tests.
 */
#include "../support/scarce.h"
#include "registers_util.h"

#include <etm/macrocell.h>

/* MC-PERM-12 */
static void before_v3_3_only_the_coresight_lock_matters(void **state)
{
    (void)state;
    build_full(ETM_V3_2);
    assert_int_equal(peek(ETM_REG_OSLSR), 0); /* MC-PWR-05 */
    poke(ETM_REG_OSLAR, KEY);
    assert_int_equal(mistakes(), ETM_MISTAKE_RESERVED_REGISTER);
    assert_int_equal(after(ETM_REG_TRACEIDR, 5), 5);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_TRACEIDR, ETM_ACCESS_SOFTWARE, 6),
        ETM_ACCESS_IGNORED);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_TRACEIDR), 5);
}

/* MC-ACC-21, MC-MGT-01 to MC-MGT-05, TV-LCK-01 */
static void coresight_lock_holds_for_software_only(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_LSR), 3);
    assert_int_equal(peek(ETM_REG_LSR), 0);
    poke(ETM_REG_LAR, KEY);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_LSR), 3);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_LAR, KEY);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_LSR), 1);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_TRACEIDR, 1);
    assert_int_equal(peek(ETM_REG_TRACEIDR), 1);
    poke(ETM_REG_LAR, 0);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_LSR), 1);
    poke_as(ETM_ACCESS_SOFTWARE, ETM_REG_LAR, 0);
    assert_int_equal(peek_as(ETM_ACCESS_SOFTWARE, ETM_REG_LSR), 3);
    assert_int_equal(peek(ETM_REG_LSR), 0);
    assert_int_equal(peek(ETM_REG_LAR), 0);
    assert_int_equal(mistakes(), 0);
}

/* MC-ACC-17, MC-PERM-10 */
static void coprocessor_has_no_coresight_lock(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    poke_as(ETM_ACCESS_COPROCESSOR, ETM_REG_TRACEIDR, 9);
    assert_int_equal(peek_as(ETM_ACCESS_COPROCESSOR, ETM_REG_TRACEIDR), 9);
    assert_int_equal(peek_as(ETM_ACCESS_COPROCESSOR, ETM_REG_LSR), 0);
    assert_int_equal(peek_as(ETM_ACCESS_COPROCESSOR, ETM_REG_LAR), 0);
    poke_as(ETM_ACCESS_COPROCESSOR, ETM_REG_LAR, KEY);
    assert_true(regs.lock);
}

/* MC-MGT-06, MC-MGT-07, TV-LCK-02 */
static void claim_tag_is_set_and_cleared_bit_by_bit(void **state)
{
    (void)state;
    build_full(ETM_V3_2);
    assert_int_equal(after(ETM_REG_CLAIMSET, 0x05), 0xff);
    assert_int_equal(peek(ETM_REG_CLAIMCLR), 0x05);
    assert_int_equal(after(ETM_REG_CLAIMCLR, 0x01), 0x04);
    assert_int_equal(after(ETM_REG_CLAIMSET, 0x80), 0xff);
    assert_int_equal(peek(ETM_REG_CLAIMCLR), 0x84);
}

/* MC-MGT-13, MC-MGT-14 */
static void integration_mode_and_trace_id_are_kept(void **state)
{
    (void)state;
    build_full(ETM_V3_2);
    assert_int_equal(after(ETM_REG_ITCTRL, 1), 1);
    assert_int_equal(after(ETM_REG_TRACEIDR, 0x42), 0x42);
}

/* ERR-12, MC-MGT-08 to MC-MGT-12, TV-AUTH-01, TV-AUTH-02 */
static void authentication_status_follows_the_pins(void **state)
{
    static const struct {
        bool security, elsewhere, absent;
        struct etm_macrocell_pins pins; /* DBGEN NIDEN SPIDEN SPNIDEN */
        uint32_t status;
    } cases[] = {
        {true, false, false, {false, true, false, true, false}, 0xcc},
        {true, false, false, {false, true, false, false, false}, 0x8c},
        {true, false, false, {false, false, false, false, false}, 0x88},
        {true, false, false, {false, false, true, false, false}, 0x88},
        {true, false, false, {true, false, true, false, false}, 0xcc},
        {true, true, false, {true, false, true, true, false}, 0x0c},
        {true, true, false, {false, false, true, true, false}, 0x08},
        {false, false, false, {false, true, false, false, false}, 0xc0},
        {false, false, false, {false, false, false, true, false}, 0x80},
        {false, false, true, {true, true, false, false, false}, 0x00},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        full(ETM_V3_4);
        trace.security = cases[i].security;
        config.secure_elsewhere = cases[i].elsewhere;
        config.no_secure_status = cases[i].absent;
        build();
        regs.pins = cases[i].pins;
        assert_int_equal(peek(ETM_REG_AUTHSTATUS), cases[i].status);
    }
}

/* MF-01, MC-ACC-02 to MC-ACC-05, TV-ACC-11 */
static void jtag_scans_have_40_bits(void **state)
{
    (void)state;
    assert_true(etm_jtag_scan(0x08, true, 0x6f) == UINT64_C(0x880000006f));
    assert_true(etm_jtag_scan(0x79, false, 0) == UINT64_C(0x7900000000));
    assert_true(etm_jtag_scan(0x79, false, 5) == UINT64_C(0x7900000000));
}

static void scans_reach_the_registers(void **state)
{
    struct etm_macrocell *m;

    (void)state;
    full(ETM_V3_1);
    assert_int_equal(etm_macrocell_new(&m, &config, NULL), ETM_OK);
    assert_int_equal(etm_macrocell_scan(m, etm_jtag_scan(0x08, true, 0x6f)), 0);
    assert_int_equal(etm_macrocell_scan(m, etm_jtag_scan(0x08, false, 0)),
                     0x6f);
    etm_macrocell_free(m);
}

/* MC-ACC-04, MC-ACC-07, MC-ACC-08, MC-ACC-09 */
static void jtag_reaches_trace_registers_below_0x80(void **state)
{
    uint32_t value;

    (void)state;
    full(ETM_V3_4);
    config.interfaces = ETM_INTERFACE_JTAG | ETM_INTERFACE_MEMORY;
    build();
    assert_int_equal(peek(ETM_REG_OSLSR), 0);
    assert_true(regs.lock);
    poke_as(ETM_ACCESS_JTAG, ETM_REG_EIBCR, 3);
    assert_int_equal(peek_as(ETM_ACCESS_JTAG, ETM_REG_EIBCR), 3);
    assert_int_equal(
        etm_regfile_read(&regs, ETM_REG_TRACEIDR, ETM_ACCESS_JTAG, &value),
        ETM_ACCESS_IMPOSSIBLE);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_LAR, ETM_ACCESS_JTAG, KEY),
        ETM_ACCESS_IMPOSSIBLE);
    etm_regfile_power(&regs, true, false);
    assert_int_equal(
        etm_regfile_read(&regs, ETM_REG_CR, ETM_ACCESS_JTAG, &value),
        ETM_ACCESS_IMPOSSIBLE);
}

/* MC-ACC-01, MC-ACC-26: an interface that is not there */
static void interfaces_are_those_of_the_configuration(void **state)
{
    static const struct {
        unsigned version;
        uint8_t given, there;
    } presets[] = {
        {ETM_V1_0, 0, 1}, {ETM_V3_0, 0, 1}, {ETM_V3_1, 0, 3},
        {ETM_V3_1, 1, 1}, {ETM_V3_1, 2, 2}, {ETM_V3_2, 0, 6},
        {ETM_V3_2, 4, 4}, {ETM_V3_2, 5, 5}, {ETM_PFT1_1, 0, 6},
    };
    uint32_t value;

    (void)state;
    for (size_t i = 0; i < COUNT(presets); i++) {
        uint8_t there = presets[i].there;

        full(presets[i].version);
        config.interfaces = presets[i].given;
        build();
        assert_int_equal(etm_regfile_read(&regs, 0, ETM_ACCESS_JTAG, &value),
                         there & 1 ? ETM_ACCESS_OK : ETM_ACCESS_IMPOSSIBLE);
        assert_int_equal(
            etm_regfile_read(&regs, 0, ETM_ACCESS_COPROCESSOR, &value),
            there & 2 ? ETM_ACCESS_OK : ETM_ACCESS_IMPOSSIBLE);
        assert_int_equal(
            etm_regfile_read(&regs, 0, ETM_ACCESS_SOFTWARE, &value),
            there & 4 ? ETM_ACCESS_OK : ETM_ACCESS_IMPOSSIBLE);
    }
}

/* MC-ACC-20, MC-ACC-30 */
static void memory_reaches_every_register(void **state)
{
    uint32_t value;

    (void)state;
    build_full(ETM_V3_4);
    for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
        if (n == ETM_REG_OSSRR)
            continue;
        assert_int_equal(
            etm_regfile_read(&regs, n, ETM_ACCESS_SOFTWARE, &value),
            ETM_ACCESS_OK);
    }
    assert_int_equal(after(ETM_REG_ACVR1, 1), 1);
    poke(ETM_REG_ACVR1, 2);
    assert_int_equal(after(ETM_REG_ACVR1, 3), 3);
}

static void numbers_beyond_the_block_are_impossible(void **state)
{
    uint32_t value = 1;

    (void)state;
    build_full(ETM_V3_4);
    assert_int_equal(
        etm_regfile_read(&regs, ETM_REGISTERS, ETM_ACCESS_DEBUGGER, &value),
        ETM_ACCESS_IMPOSSIBLE);
    assert_int_equal(value, 0);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REGISTER_NONE, ETM_ACCESS_COPROCESSOR, 1),
        ETM_ACCESS_IMPOSSIBLE);
}

/* MC-ACC-10, MC-ACC-11, MC-ACC-12, MC-ACC-15, MC-ACC-16, TV-ACC-02,
   TV-ACC-03, TV-ACC-04 */
static void coprocessor_encodings(void **state)
{
    static const struct {
        uint8_t crn, crm, opc2;
        uint16_t number;
    } codes[] = {
        {0, 9, 7, 0x079},  {1, 0, 4, 0x0c0},  {1, 2, 4, 0x0c2},
        {1, 1, 4, 0x0c1},  {1, 5, 4, 0x0c5},  {7, 0, 4, 0x3c0},
        {7, 12, 6, 0x3ec}, {7, 15, 7, 0x3ff}, {1, 0, 0, 0x080},
    };

    (void)state;
    build_full(ETM_V3_3);
    for (size_t i = 0; i < COUNT(codes); i++)
        assert_int_equal(etm_regfile_coprocessor(&regs, codes[i].crn,
                                                 codes[i].crm, codes[i].opc2),
                         codes[i].number);
    assert_int_equal(etm_regfile_coprocessor(&regs, 8, 0, 0),
                     ETM_REGISTER_NONE);
    build_full(ETM_V3_2);
    assert_int_equal(etm_regfile_coprocessor(&regs, 0, 9, 7), 0x079);
    assert_int_equal(etm_regfile_coprocessor(&regs, 1, 0, 0),
                     ETM_REGISTER_NONE);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_TRACEIDR, ETM_ACCESS_COPROCESSOR, 1),
        ETM_ACCESS_UNPREDICTABLE);
    assert_int_equal(peek(ETM_REG_TRACEIDR), 0);
}

/* MC-ACC-13, MC-ACC-14, MC-ACC-19, MC-ID-09 */
static void user_mode_has_no_coprocessor_access(void **state)
{
    uint32_t value;

    (void)state;
    build_full(ETM_V3_3);
    assert_int_equal(etm_regfile_read(&regs, ETM_REG_IDR,
                                      ETM_ACCESS_COPROCESSOR_USER, &value),
                     ETM_ACCESS_ERROR);
    assert_int_equal(
        etm_regfile_write(&regs, ETM_REG_CR, ETM_ACCESS_COPROCESSOR_USER, 0),
        ETM_ACCESS_ERROR);
    assert_int_equal(peek(ETM_REG_CR), 0x401);
    assert_int_not_equal(peek_as(ETM_ACCESS_COPROCESSOR, ETM_REG_IDR), 0);
    assert_int_equal(peek_as(ETM_ACCESS_COPROCESSOR, 0x0a0), 0);
}

/* Random accesses of every kind: no crash, and never a bit too many. */
static void random_accesses_keep_the_registers_sound(void **state)
{
    uint64_t x = 1;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        build_full(versions[v]);
        for (unsigned i = 0; i < 20000; i++) {
            uint32_t value;

            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            if ((x >> 60) == 0)
                etm_regfile_power(&regs, (x >> 59 & 1) != 0,
                                  (x >> 58 & 1) != 0);
            else if ((x >> 60) == 1)
                etm_regfile_power(&regs, true, true);
            else if ((x >> 59 & 1) != 0)
                etm_regfile_write(&regs, (uint32_t)(x >> 48) & 0x7ff,
                                  (enum etm_access)((x >> 40 & 0xff) % 5),
                                  (uint32_t)x & (uint32_t)(x >> 24));
            else
                etm_regfile_read(&regs, (uint32_t)(x >> 48) & 0x7ff,
                                 (enum etm_access)((x >> 40 & 0xff) % 5),
                                 &value);
        }
        for (uint32_t n = ETM_REG_TEEVR; n < ETM_REG_OSLAR; n++) {
            if ((regs.flags[n] & ETM_REG_WRITES) != 0 && n != ETM_REG_IMPSPEC0)
                assert_int_equal(regs.value[n] & ~regs.defined[n], 0);
        }
        assert_int_not_equal(regs.value[ETM_REG_SQR], 3);
    }
}

/* The public object: the same registers. */
static void macrocell_is_made_reset_and_freed(void **state)
{
    struct etm_macrocell_pins pins = {.niden = true};
    struct etm_macrocell *m;
    uint32_t value;

    (void)state;
    full(ETM_V3_4);
    config.size = 1;
    assert_int_equal(etm_macrocell_new(&m, &config, NULL), ETM_ERR_ARGUMENT);
    assert_null(m);
    config.size = 0;
    assert_int_equal(etm_macrocell_new(&m, &config, NULL), ETM_OK);
    assert_int_equal(etm_macrocell_coprocessor(m, 0, 9, 7), ETM_REG_IDR);
    etm_macrocell_set_pins(m, &pins);
    assert_int_equal(
        etm_macrocell_read(m, ETM_REG_AUTHSTATUS, ETM_ACCESS_DEBUGGER, &value),
        ETM_ACCESS_OK);
    assert_int_equal(value, 0x8c);
    assert_int_equal(
        etm_macrocell_write(m, ETM_REG_CR, ETM_ACCESS_DEBUGGER, 0xf0000000),
        ETM_ACCESS_OK);
    assert_true((etm_macrocell_mistakes(m) & ETM_MISTAKE_RESERVED_BITS) != 0);
    assert_int_equal(etm_macrocell_mistakes(m), 0);
    etm_macrocell_reset(m);
    etm_macrocell_power(m, true, false);
    assert_int_equal(
        etm_macrocell_read(m, ETM_REG_CR, ETM_ACCESS_DEBUGGER, &value),
        ETM_ACCESS_ERROR);
    etm_macrocell_free(m);
    etm_macrocell_free(NULL);
    assert_string_equal(etm_mistake_text(ETM_MISTAKE_READ_ONLY),
                        "a read-only register was written");
}

static void no_memory_for_a_macrocell_is_an_error(void **state)
{
    struct scarce scarce = {0};
    struct etm_allocator none = {scarce_resize, &scarce};
    struct etm_macrocell *m = NULL;

    (void)state;
    full(ETM_V3_4);
    config.allocator = &none;
    assert_int_equal(etm_macrocell_new(&m, &config, NULL), ETM_ERR_MEMORY);
    assert_null(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_v3_3_only_the_coresight_lock_matters),
        cmocka_unit_test(coresight_lock_holds_for_software_only),
        cmocka_unit_test(coprocessor_has_no_coresight_lock),
        cmocka_unit_test(claim_tag_is_set_and_cleared_bit_by_bit),
        cmocka_unit_test(integration_mode_and_trace_id_are_kept),
        cmocka_unit_test(authentication_status_follows_the_pins),
        cmocka_unit_test(jtag_scans_have_40_bits),
        cmocka_unit_test(scans_reach_the_registers),
        cmocka_unit_test(jtag_reaches_trace_registers_below_0x80),
        cmocka_unit_test(interfaces_are_those_of_the_configuration),
        cmocka_unit_test(memory_reaches_every_register),
        cmocka_unit_test(numbers_beyond_the_block_are_impossible),
        cmocka_unit_test(coprocessor_encodings),
        cmocka_unit_test(user_mode_has_no_coprocessor_access),
        cmocka_unit_test(random_accesses_keep_the_registers_sound),
        cmocka_unit_test(macrocell_is_made_reset_and_freed),
        cmocka_unit_test(no_memory_for_a_macrocell_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
