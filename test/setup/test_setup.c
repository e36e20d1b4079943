/* SPDX-License-Identifier: Apache-2.0 */
/* Setups applied by the procedure of 3.4.3. */
#include "text_util.h"

/* MC-HLP-01, MC-PRG-09 to MC-PRG-11: again and again, without a mistake. */
static void applying_is_the_procedure(void **state)
{
    struct etm_macrocell *etm;
    struct rig g;
    uint32_t value;

    (void)state;
    make_busy(&g, "cortex-a8");
    assert_int_equal(etm_macrocell_new(&etm, &g.macrocell, NULL), ETM_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(etm_setup_apply(&g.setup, etm,
                                         i == 0 ? ETM_ACCESS_SOFTWARE
                                                : ETM_ACCESS_COPROCESSOR,
                                         &g.diag),
                         ETM_OK);
        assert_int_equal(etm_macrocell_mistakes(etm), 0);
        assert_int_equal(
            etm_macrocell_read(etm, ETM_REG_SR, ETM_ACCESS_SOFTWARE, &value),
            ETM_ACCESS_OK);
        assert_int_equal(value & ETM_SR_PROGRAMMING, 0);
        (void)etm_macrocell_read(etm, ETM_REG_CR, ETM_ACCESS_SOFTWARE, &value);
        assert_int_equal(value, rig_value(&g, "ETMCR"));
        (void)etm_macrocell_read(etm, ETM_REG_ACVR1, ETM_ACCESS_SOFTWARE,
                                 &value);
        assert_int_equal(value, rig_value(&g, "ETMACVR1"));
    }
    /* A mistake is named. */
    (void)etm_setup_set(&g.setup, ETM_REG_ACTR1, 0x7);
    assert_int_equal(
        etm_setup_apply(&g.setup, etm, ETM_ACCESS_DEBUGGER, &g.diag),
        ETM_ERR_CONFIG);
    assert_string_equal(g.diag.source, "ETMACTR1");
    assert_non_null(strstr(g.diag.what, " = 0x7: "));
    assert_true(strlen(strstr(g.diag.what, ": ")) > 10);
    assert_int_equal(etm_setup_apply(&g.setup, etm, ETM_ACCESS_JTAG, &g.diag),
                     ETM_ERR_CONFIG);
    assert_non_null(strstr(g.diag.what, "no such interface to read it by"));
    /* Read-only registers of a dump do no harm. */
    (void)etm_setup_set(&g.setup, ETM_REG_ACTR1, 0x19);
    (void)etm_setup_set(&g.setup, ETM_REG_IDR, 0x410cf230);
    assert_int_equal(
        etm_setup_apply(&g.setup, etm, ETM_ACCESS_DEBUGGER, &g.diag), ETM_OK);
    etm_macrocell_free(etm);
}

/* Of what is read, all can be applied: Linux's driver writes ETMFFLR, which
 * PFT does not have, and a dump has zeros in the place of what is not there. */
static void what_is_read_back_can_be_applied(void **state)
{
    static const char *const cores[] = {"cortex-r4", "cortex-a8", "cortex-a7",
                                        "cortex-a9", "cortex-a15"};

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        for (int f = 0; f <= ETM_SETUP_FORMAT_SYSFS; f++) {
            struct etm_macrocell *etm;
            struct etm_setup back;
            struct etm_diag diag;
            struct rig g;
            char *text;

            make_busy(&g, cores[i]);
            text = text_of(&g.setup, (enum etm_setup_format)f, NULL);
            read_back(text, &back);
            free(text);
            (void)etm_setup_set(&back, ETM_REG_CNTRLDVR1 + 3, 0);
            assert_int_equal(etm_macrocell_new(&etm, &g.macrocell, NULL),
                             ETM_OK);
            if (etm_setup_apply(&back, etm, ETM_ACCESS_DEBUGGER, &diag) !=
                ETM_OK)
                fail_msg("%s, %s: %s", cores[i],
                         etm_setup_format_name((enum etm_setup_format)f),
                         diag.what);
            (void)etm_setup_set(&back, ETM_REG_CNTRLDVR1 + 3, 1);
            assert_int_equal(
                etm_setup_apply(&back, etm, ETM_ACCESS_DEBUGGER, &diag),
                ETM_ERR_CONFIG);
            assert_string_equal(diag.source, "ETMCNTRLDVR4");
            etm_macrocell_free(etm);
        }
    }
}

/* The core first, with power off, so that the macrocell synchronizes to it
 * (3.5.1, [27:25]). MC-CR-02, MC-LINT-19 */
static void another_core_is_selected_with_power_off(void **state)
{
    static const enum etm_setup_format scripts[] = {
        ETM_SETUP_FORMAT_C, ETM_SETUP_FORMAT_OPENOCD, ETM_SETUP_FORMAT_GDB,
        ETM_SETUP_FORMAT_JLINK, ETM_SETUP_FORMAT_PYOCD};
    static const char *const words[] = {"power off, for its core", "the core",
                                        "power up", "it runs"};
    struct etm_macrocell *etm;
    struct etm_setup_script script = {0};
    struct rig g;
    uint32_t value;

    (void)state;
    make_busy(&g, "cortex-a8");
    g.macrocell.scr |= 2u << 12;
    assert_int_equal(etm_macrocell_new(&etm, &g.macrocell, NULL), ETM_OK);
    for (uint32_t core = 0; core < 6; core++) { /* to and fro */
        uint32_t cr = rig_value(&g, "ETMCR") | (core % 3) << 25;
        struct etm_setup setup = g.setup;

        (void)etm_setup_set(&setup, ETM_REG_CR, cr);
        assert_int_equal(
            etm_setup_apply(&setup, etm, ETM_ACCESS_DEBUGGER, &g.diag), ETM_OK);
        (void)etm_macrocell_read(etm, ETM_REG_CR, ETM_ACCESS_DEBUGGER, &value);
        assert_int_equal(value, cr);
    }
    etm_macrocell_free(etm);
    (void)etm_setup_set(&g.setup, ETM_REG_CR,
                        rig_value(&g, "ETMCR") | 2u << 25);
    assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL), ETM_OK);
    for (size_t f = 0; f < COUNT(scripts); f++) {
        struct etm_setup back;
        char *text = text_of(&g.setup, scripts[f], &script);
        const char *at = text;

        assert_non_null(strstr(text, "0x0e000000"));
        for (size_t i = 0; i < COUNT(words); i++) {
            at = strstr(at, words[i]);
            assert_non_null(at);
        }
        assert_int_equal(etm_setup_read(&back, text, strlen(text), NULL),
                         ETM_OK);
        assert_int_equal(etm_setup_get(&back, ETM_REG_CR, &value), ETM_OK);
        assert_int_equal(value, rig_value(&g, "ETMCR"));
        free(text);
    }
}

/* 3.4.4: up to v3.0 the state that a dump shows cannot be written; from v3.1 on
 * it goes on from there. */
static void a_dump_with_counters_can_be_applied(void **state)
{
    static const char *const etms[] = {"v1.0", "v1.3", "v2.1",
                                       "v3.0", "v3.1", "v3.3"};

    (void)state;
    for (size_t i = 0; i < COUNT(etms); i++) {
        bool writable = i >= 4;
        enum etm_access access = i == 5 ? ETM_ACCESS_DEBUGGER : ETM_ACCESS_JTAG;
        struct etm_macrocell *etm;
        struct rig g;
        uint32_t value;

        rig_make(&g, i == 5 ? "cortex-r4" : "arm926ej-s", etms[i]);
        g.request.trigger.what = ETM_CONDITION_MATCH;
        g.request.trigger.match.from = 0x8000;
        g.request.trigger.times = 3;
        assert_int_equal(rig_ask(&g), ETM_OK);
        (void)etm_setup_set(&g.setup, ETM_REG_CNTVR1, 2);
        (void)etm_setup_set(&g.setup, ETM_REG_SQR, 1);
        assert_int_equal(etm_macrocell_new(&etm, &g.macrocell, NULL), ETM_OK);
        assert_int_equal(etm_setup_apply(&g.setup, etm, access, &g.diag),
                         ETM_OK);
        (void)etm_macrocell_read(etm, ETM_REG_CNTVR1, access, &value);
        assert_int_equal(value, writable ? 2 : 3);
        (void)etm_macrocell_read(etm, ETM_REG_SQR, access, &value);
        assert_int_equal(value, writable ? 1 : 0);
        etm_macrocell_free(etm);
    }
}

static void setups_are_sets(void **state)
{
    struct etm_setup setup = {0};
    uint32_t value;

    (void)state;
    for (uint32_t n = 0; n < ETM_SETUP_CAPACITY; n++)
        assert_int_equal(etm_setup_set(&setup, n, n), ETM_OK);
    assert_int_equal(etm_setup_set(&setup, 0x300, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_setup_set(&setup, 5, 55), ETM_OK);
    assert_int_equal(setup.n, ETM_SETUP_CAPACITY);
    assert_int_equal(etm_setup_get(&setup, 5, &value), ETM_OK);
    assert_int_equal(value, 55);
    assert_int_equal(etm_setup_set(&setup, 0x400, 1), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applying_is_the_procedure),
        cmocka_unit_test(what_is_read_back_can_be_applied),
        cmocka_unit_test(another_core_is_selected_with_power_off),
        cmocka_unit_test(a_dump_with_counters_can_be_applied),
        cmocka_unit_test(setups_are_sets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
