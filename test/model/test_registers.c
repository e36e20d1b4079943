/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of the register file and its interfaces no scenario can say: what it
 * keeps for others, scans, coprocessor numbers, and the public object. Rows of
 * the conformance list stand above the tests.
 */
#include "../support/test.h"
#include "registers_util.h"

#include <etm/macrocell.h>

/* Names and rules agree: what exists has a name, or is set aside. */
TEST(registers_that_exist_have_names)
{
    for (size_t v = 0; v < COUNT(versions); v++) {
        build_full(versions[v]);
        for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
            if (exists(n) && !(n >= 0x380 && n < 0x3c0))
                assert_non_null(etm_register_name(n));
        }
    }
}

/* MC-REG-19: the groups of table 3-4; ERR-05 */
TEST(management_registers_are_those_of_table_3_4)
{
    build_full(ETM_V3_4);
    for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
        bool management = (n >= 0x0c0 && n <= 0x0c5) || n >= 0x3c0;

        assert_int_equal((regs.flags[n] & ETM_REG_MANAGEMENT) != 0, management);
    }
}

/* Whoever derives something of the registers can see that they changed. */
TEST(generation_changes_with_every_write)
{
    uint32_t before;

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

/* MF-01, MC-ACC-02 to MC-ACC-05, TV-ACC-11 */
TEST(jtag_scans_have_40_bits)
{
    assert_true(etm_jtag_scan(0x08, true, 0x6f) == UINT64_C(0x880000006f));
    assert_true(etm_jtag_scan(0x79, false, 0) == UINT64_C(0x7900000000));
    assert_true(etm_jtag_scan(0x79, false, 5) == UINT64_C(0x7900000000));
}

TEST(scans_reach_the_registers)
{
    struct etm_macrocell *m;

    full(ETM_V3_1);
    assert_ok(etm_macrocell_new(&m, &config, NULL));
    assert_int_equal(etm_macrocell_scan(m, etm_jtag_scan(0x08, true, 0x6f)), 0);
    assert_int_equal(etm_macrocell_scan(m, etm_jtag_scan(0x08, false, 0)),
                     0x6f);
    etm_macrocell_free(m);
}

/* MC-ACC-20, MC-ACC-30 */
TEST(memory_reaches_every_register)
{
    uint32_t value;

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

TEST(numbers_beyond_the_block_are_impossible)
{
    uint32_t value = 1;

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
TEST(coprocessor_encodings)
{
    static const struct {
        uint8_t crn, crm, opc2;
        uint16_t number;
    } codes[] = {
        {0, 9, 7, 0x079},  {1, 0, 4, 0x0c0},  {1, 2, 4, 0x0c2},
        {1, 1, 4, 0x0c1},  {1, 5, 4, 0x0c5},  {7, 0, 4, 0x3c0},
        {7, 12, 6, 0x3ec}, {7, 15, 7, 0x3ff}, {1, 0, 0, 0x080},
    };

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

/* Random accesses of every kind: no crash, and never a bit too many. */
TEST(random_accesses_keep_the_registers_sound)
{
    uint64_t x = 1;

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
TEST(macrocell_is_made_reset_and_freed)
{
    struct etm_macrocell_pins pins = {.niden = true};
    struct etm_macrocell *m;
    uint32_t value;

    full(ETM_V3_4);
    config.size = 1;
    assert_int_equal(etm_macrocell_new(&m, &config, NULL), ETM_ERR_ARGUMENT);
    assert_null(m);
    config.size = 4;
    assert_int_equal(etm_regfile_init(&regs, &config, NULL), ETM_ERR_ARGUMENT);
    config.size = 0;
    config.config = NULL;
    assert_int_equal(etm_regfile_init(&regs, &config, NULL), ETM_ERR_ARGUMENT);
    config.config = &trace;
    assert_ok(etm_macrocell_new(&m, &config, NULL));
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
