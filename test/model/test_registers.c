/* SPDX-License-Identifier: Apache-2.0 */
/* What the register file keeps for others, and what of it no scenario can say.
 * Rows of the conformance list stand above the tests. */
#include "registers_util.h"

/* Names and rules agree: what exists has a name, or is set aside. */
static void registers_that_exist_have_names(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        build_full(versions[v]);
        for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
            if (exists(n) && !(n >= 0x380 && n < 0x3c0))
                assert_non_null(etm_register_name(n));
        }
    }
}

/* MC-REG-19: the groups of table 3-4; ERR-05 */
static void management_registers_are_those_of_table_3_4(void **state)
{
    (void)state;
    build_full(ETM_V3_4);
    for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
        bool management = (n >= 0x0c0 && n <= 0x0c5) || n >= 0x3c0;

        assert_int_equal((regs.flags[n] & ETM_REG_MANAGEMENT) != 0, management);
    }
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

/* Values that no scenario can have, and interfaces that are not there. */
static void wrong_configurations_are_refused(void **state)
{
    struct etm_diag diag;

    (void)state;
    full(ETM_V3_4);
    config.size = 4;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_ARGUMENT);
    full(ETM_V3_4);
    config.config = NULL;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_ARGUMENT);
    full(ETM_V3_4);
    trace.minor = 9;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_CONFIG);
    full(ETM_PFT1_0);
    config.ccr = CCR_FULL;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_CONFIG);
    full(ETM_V3_0);
    config.interfaces = ETM_INTERFACE_COPROCESSOR;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_CONFIG);
    full(ETM_V3_1);
    config.interfaces = ETM_INTERFACE_MEMORY;
    assert_int_equal(etm_regfile_init(&regs, &config, &diag), ETM_ERR_CONFIG);
    assert_string_equal(diag.source, "interfaces");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_that_exist_have_names),
        cmocka_unit_test(management_registers_are_those_of_table_3_4),
        cmocka_unit_test(generation_changes_with_every_write),
        cmocka_unit_test(wrong_configurations_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
