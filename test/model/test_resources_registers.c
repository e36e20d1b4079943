/* SPDX-License-Identifier: Apache-2.0 */
/* From registers that a debugger writes to resources at work, and back. */
#include "registers_util.h"

#include "model/resources.h"

static struct etm_resources r;

/* End programming, as the registers say. */
static void start(void)
{
    struct etm_resources_config c = etm_resources_config_of(&regs);

    poke(ETM_REG_CR, peek(ETM_REG_CR) & ~(uint32_t)ETM_CR_PROGRAMMING);
    etm_resources_init(&r, &c);
    etm_resources_program(&r, regs.value);
    etm_resources_hold(&r, etm_regfile_held(&regs) ? ETM_RESOURCES_PROGRAMMING
                                                   : ETM_RESOURCES_RUN);
}

static bool traces(uint32_t address)
{
    struct etm_resource_insn i = {
        .address = address, .isa = ETM_ISA_ARM, .size = 4, .passed = true};
    struct etm_resource_outputs out;

    etm_resources_insn(&r, &i);
    etm_resources_cycle(&r, false, &out);
    return out.insns & 1;
}

/* What the macrocell has comes from ETMCCR and ETMCCER. */
static void configuration_is_that_of_the_register_file(void **state)
{
    struct etm_resources_config c;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        full(versions[v]);
        trace.thumb32_split = versions[v] == ETM_V3_3;
        config.scr |= 1u << 17; /* since v2.1 (3.5.6) */
        build();
        c = etm_resources_config_of(&regs);
        assert_int_equal(c.version, versions[v]);
        assert_int_equal(c.security, versions[v] >= ETM_V3_2);
        assert_int_equal(c.no_fetch, versions[v] >= ETM_V2_1);
        assert_int_equal(c.split, versions[v] == ETM_V3_3);
        assert_true(etm_resource_exists(&c, 0x0f));
        assert_true(etm_resource_exists(&c, 0x43));
        assert_int_equal(etm_resource_exists(&c, 0x5a),
                         versions[v] >= ETM_V2_0);
        assert_int_equal(etm_resource_exists(&c, 0x1b),
                         versions[v] >= ETM_V3_3);
    }
}

/* Trace between two addresses, count, and change the sequencer's state. */
static void registers_are_programmed_and_read_back(void **state)
{
    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        if (versions[v] < ETM_V1_2)
            continue;
        build_full(versions[v]);
        poke(ETM_REG_CR, 0x400);
        poke(ETM_REG_ACVR1, 0x1000);
        poke(ETM_REG_ACVR1 + 1, 0x2000);
        for (unsigned n = 0; n < 2; n++)
            poke(ETM_REG_ACTR1 + n, versions[v] >= ETM_PFT1_0 ? 1 : 0x19);
        poke(ETM_REG_TEEVR, 0x6f);
        poke(ETM_REG_TECR1, 3u << 24);
        poke(ETM_REG_TSSCR, 0x00020001);
        poke(ETM_REG_TRIGGER, 0x406f);
        poke(ETM_REG_CNTRLDVR1, 10);
        poke(ETM_REG_CNTENR1, versions[v] < ETM_V2_0 ? 1u << 17 : 0);
        poke(ETM_REG_CNTRLDEVR1, 0x406f);
        for (unsigned n = 0; n < 6; n++)
            poke(ETM_REG_SQ12EVR + n, 0x406f);
        poke(ETM_REG_SQ12EVR, 0x01); /* to state 2 at the second address */
        start();
        assert_false(traces(0x0ffc));
        assert_true(traces(0x1000));
        assert_true(traces(0x8000));
        assert_true(traces(0x1000));
        assert_false(traces(0x2000));
        assert_false(traces(0x2004));
        etm_resources_save(&r, regs.value);
        assert_int_equal(peek(ETM_REG_CNTVR1), 8); /* 0x1000 came twice */
        assert_int_equal(peek(ETM_REG_SQR), 1);
    }
}

/* MC-PRG-13: at reset the programming bit is set. */
static void nothing_is_traced_until_programming_ends(void **state)
{
    struct etm_resources_config c;

    (void)state;
    build_full(ETM_V3_4);
    c = etm_resources_config_of(&regs);
    etm_resources_init(&r, &c);
    poke(ETM_REG_CR, 0x400);
    poke(ETM_REG_TEEVR, 0x6f);
    poke(ETM_REG_TECR1, 1u << 24);
    etm_resources_program(&r, regs.value);
    assert_false(traces(0x1000));
    start();
    assert_true(traces(0x1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configuration_is_that_of_the_register_file),
        cmocka_unit_test(registers_are_programmed_and_read_back),
        cmocka_unit_test(nothing_is_traced_until_programming_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
