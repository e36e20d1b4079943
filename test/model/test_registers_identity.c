/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a macrocell says that it is: configuration codes, ETMIDR, system
 * configuration, CoreSight identification. Rows of the conformance list stand
 * above the tests.
 */
#include "registers_util.h"

/* MC-CCR-14 and the ranges of MC-CCR-07 to MC-CCR-13, MC-FLD-33 */
static void impossible_counts_are_refused(void **state)
{
    static const uint32_t ccrs[] = {9u,       1u | 2u << 4, 17u << 8,
                                    5u << 13, 5u << 17,     5u << 20};
    static const uint32_t ccers[] = {5u, 5u << 13, 9u << 16};
    struct etm_diag diag;

    (void)state;
    for (size_t i = 0; i < COUNT(ccrs); i++) {
        full(ETM_V3_4);
        config.ccr = ccrs[i];
        assert_int_equal(etm_regfile_init(&regs, &config, &diag),
                         ETM_ERR_CONFIG);
        assert_string_equal(diag.source, "ETMCCR");
    }
    for (size_t i = 0; i < COUNT(ccers); i++) {
        full(ETM_V3_4);
        config.ccer = ccers[i];
        assert_int_equal(etm_regfile_init(&regs, &config, &diag),
                         ETM_ERR_CONFIG);
        assert_string_equal(diag.source, "ETMCCER");
    }
}

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

/* Table 3-45: the default is 1024, and a fixed frequency is, too: bit 10 is
 * always there. */
static void a_synchronization_frequency_without_bit_10_is_refused(void **state)
{
    struct etm_diag diag;

    (void)state;
    for (unsigned low = 0; low <= 13; low++)
        for (unsigned fixed = 0; fixed < 2; fixed++) {
            full(ETM_V3_4);
            config.sync_low_bits = (uint8_t)low;
            config.sync_fixed = fixed;
            if (low <= 10) {
                build();
                assert_int_equal(peek(ETM_REG_SYNCFR), 1024);
                continue;
            }
            assert_int_equal(etm_regfile_init(&regs, &config, &diag),
                             ETM_ERR_CONFIG);
            assert_string_equal(diag.source, "sync_low_bits");
        }
}

/* ERR-28, MC-ID-01, MC-CCR-01, MC-CCR-02, MC-CCR-03, MC-CCR-04, MC-ACC-27,
   TV-CFG-01, TV-CFG-02, TV-CFG-03 */
static void configuration_code_tells_version_and_interfaces(void **state)
{
    (void)state;
    full(ETM_V1_3);
    config.ccr = 0x00994824; /* Medium */
    build();
    assert_int_equal(peek(ETM_REG_CCR), 0x30994824);
    config.ccr = 0x00c99088; /* Large; protocol 7 is v1.3 as well */
    config.ccr |= 0x70000000;
    build();
    assert_int_equal(peek(ETM_REG_CCR), 0x70c99088);
    config.ccr = 0x20c99088; /* protocol 2 is v1.2 */
    assert_int_equal(etm_regfile_init(&regs, &config, NULL), ETM_ERR_CONFIG);
    full(ETM_V1_0);
    config.ccr = 0x00842401; /* Small: protocol 0 */
    build();
    assert_int_equal(peek(ETM_REG_CCR), 0x00842401);
    full(ETM_V1_2);
    config.ccr = 0x40042401; /* protocol 4, without FIFOFULL */
    build();
    assert_int_equal(peek(ETM_REG_CCR), 0x40042401);
    for (unsigned minor = 0; minor < 4; minor++) {
        full(ETM_V1_0 + minor);
        config.ccr = 6u << 28; /* not assigned */
        assert_int_equal(etm_regfile_init(&regs, &config, NULL),
                         ETM_ERR_CONFIG);
    }
    build_full(ETM_V2_0);
    assert_int_equal(peek(ETM_REG_CCR), CCR_FULL | 0x80000000);
    full(ETM_V3_1);
    config.interfaces = ETM_INTERFACE_JTAG;
    build();
    assert_int_equal(peek(ETM_REG_CCR), CCR_FULL | 0x80000000);
    config.interfaces |= ETM_INTERFACE_COPROCESSOR;
    build();
    assert_int_equal(peek(ETM_REG_CCR), CCR_FULL | 0x88000000);
    /* v1.2 has the start/stop block without saying so */
    full(ETM_V1_2);
    config.ccr &= ~(1u << 26);
    build();
    assert_true(exists(ETM_REG_TSSCR));
}

/* MC-FLD-33 */
static void configuration_extension_has_the_bits_of_its_version(void **state)
{
    (void)state;
    full(ETM_V3_1);
    config.ccer = 0x003f8fff & ~(5u << 0) & ~(1u << 12);
    build();
    assert_int_equal(peek(ETM_REG_CCER), 0x00000ffa);
    full(ETM_V3_3);
    config.ccer = CCER_FULL;
    build();
    assert_int_equal(peek(ETM_REG_CCER), CCER_FULL & 0xffff);
    full(ETM_V3_4);
    build();
    assert_int_equal(peek(ETM_REG_CCER), CCER_FULL & 0x003fffff);
    /* no selectors, no inputs to select from */
    config.ccer = CCER_FULL & ~7u;
    build();
    assert_int_equal(peek(ETM_REG_CCER) >> 3 & 0xff, 0);
}

/* The registers that captures of these chips show. */
static void configuration_extensions_of_real_chips(void **state)
{
    static const struct {
        unsigned version;
        uint32_t idr, ccer;
    } chips[] = {
        {ETM_V3_5, 0x410cf250, 0x344008f2},   /* Cortex-A7 */
        {ETM_PFT1_1, 0x411cf312, 0x34c01ac2}, /* Cortex-A15 */
        {ETM_PFT1_0, 0x411cf301, 0x000008ea}, /* Cortex-A9 */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        struct etm_register registers[] = {
            {"ETMIDR", ETM_REG_IDR, chips[i].idr},
            {"ETMCCER", ETM_REG_CCER, chips[i].ccer},
        };

        full(chips[i].version);
        assert_int_equal(etm_config_from_registers(&trace, ETM_PROTOCOL_NONE,
                                                   registers, 2, NULL),
                         ETM_OK);
        config.ccr = 4u | 2u << 13 | 1u << 24;
        config.ccer = chips[i].ccer;
        config.idr = chips[i].idr;
        build();
        assert_int_equal(peek(ETM_REG_IDR), chips[i].idr);
        assert_int_equal(peek(ETM_REG_CCER), chips[i].ccer);
    }
}

/* MC-ID-03 to MC-ID-08, MC-ID-11, TV-ID-04 to TV-ID-06, TV-ID-07, TV-ID-08,
   TV-ID-09, CFG-10 */
static void id_register_of_known_macrocells(void **state)
{
    static const uint32_t ids[] = {
        0x41002100, 0x41002200, 0x41003210, 0x41013211, 0x41001220, 0x41013220,
        0x41053220, 0x41093220, 0x4104f230, 0x410cf230, 0x4114f240};

    (void)state;
    for (size_t i = 0; i < COUNT(ids); i++) {
        struct etm_register idr = {"ETMIDR", ETM_REG_IDR, ids[i]};

        full(ETM_V3_4);
        assert_int_equal(
            etm_config_from_registers(&trace, ETM_PROTOCOL_NONE, &idr, 1, NULL),
            ETM_OK);
        config.idr = ids[i];
        build();
        assert_int_equal(regs.value[ETM_REG_IDR], ids[i]);
    }
    /* MC-ID-10 */
    build_full(ETM_V1_3);
    assert_int_equal(peek(ETM_REG_IDR), 0);
}

/* MF-33, MC-ID-12 to MC-ID-16, MC-REG-20, TV-ID-10 */
static void component_and_peripheral_identification(void **state)
{
    static const uint8_t component[4] = {0x0d, 0x90, 0x05, 0xb1};

    (void)state;
    full(ETM_V3_4);
    config.part = 0x924;
    config.idr = 0x4114f243;
    config.modified = 0x51;
    config.devid = 0x12;
    build();
    assert_int_equal(peek(ETM_REG_PIDR0), 0x24);
    assert_int_equal(peek(ETM_REG_PIDR0 + 1), 0xb9);
    assert_int_equal(peek(ETM_REG_PIDR0 + 2), 0x3b);
    assert_int_equal(peek(ETM_REG_PIDR0 + 3), 0x51);
    assert_int_equal(peek(ETM_REG_PIDR4), 0x04);
    for (uint32_t n = 1; n < 4; n++)
        assert_int_equal(peek(ETM_REG_PIDR4 + n), 0);
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(peek(ETM_REG_CIDR0 + n), component[n]);
    assert_int_equal(peek(ETM_REG_DEVTYPE), 0x13);
    assert_int_equal(peek(ETM_REG_DEVID), 0x12);
    build_full(ETM_V3_1);
    assert_int_equal(regs.value[ETM_REG_DEVTYPE], 0);
}

/* ERR-35, MC-SCR-02, MC-SCR-03, MC-SCR-06, MC-SCR-07, MC-SCR-08, MC-SCR-09,
 * PORT-MODE-05, VER-04, VER-08 */
static void system_configuration_by_version(void **state)
{
    (void)state;
    full(ETM_V1_2);
    config.scr = 0xffffffff;
    config.port_sizes = 7;
    build();
    assert_int_equal(peek(ETM_REG_SCR), 0xff);
    full(ETM_V1_3);
    config.scr = 0xffffffff;
    config.port_sizes = 7;
    build();
    assert_int_equal(peek(ETM_REG_SCR), 0x1ff);
    full(ETM_V2_1);
    config.scr = 0x200f2;
    build();
    assert_int_equal(peek(ETM_REG_SCR), 0x200f2);
    full(ETM_V3_4);
    config.scr = 0xffffffff;
    config.port_sizes = 0x7f;
    build();
    /* [11:10]: the port that ETMCR selects is there */
    assert_int_equal(peek(ETM_REG_SCR), 0x27f0f);
    /* MC-CR-04, MC-LINT-28: cores cannot be shared with JTAG */
    config.interfaces = ETM_INTERFACE_JTAG | ETM_INTERFACE_MEMORY;
    build();
    assert_int_equal(peek(ETM_REG_SCR), 0x20f0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_counts_are_refused),
        cmocka_unit_test(wrong_configurations_are_refused),
        cmocka_unit_test(a_synchronization_frequency_without_bit_10_is_refused),
        cmocka_unit_test(configuration_code_tells_version_and_interfaces),
        cmocka_unit_test(configuration_extension_has_the_bits_of_its_version),
        cmocka_unit_test(configuration_extensions_of_real_chips),
        cmocka_unit_test(id_register_of_known_macrocells),
        cmocka_unit_test(component_and_peripheral_identification),
        cmocka_unit_test(system_configuration_by_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
