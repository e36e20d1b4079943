/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts for Linux's driver. */
#include "text_util.h"

/* Read a script, write the setup, and read that. */
static void goes_round(const char *script, uint32_t tecr1, uint32_t tsscr)
{
    struct etm_setup setup, back;
    uint32_t a, b;
    char *text;

    read_back(script, &setup);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_TECR1, &a), ETM_OK);
    assert_int_equal(a, tecr1);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_TSSCR, &a), ETM_OK);
    assert_int_equal(a, tsscr);
    text = text_of(&setup, ETM_SETUP_FORMAT_SYSFS, NULL);
    read_back(text, &back);
    assert_int_equal(setup.n, back.n);
    for (size_t i = 0; i < setup.n; i++) {
        a = setup.values[i].value;
        if (etm_setup_get(&back, setup.values[i].number, &b) != ETM_OK ||
            a != b)
            print_message("%s: 0x%x, 0x%x\n%s",
                          etm_register_name(setup.values[i].number),
                          (unsigned)a, (unsigned)b, text);
        assert_int_equal(a, b);
    }
    free(text);
}

/* The driver (etm_config_trace_mode) clears ETMTECR1[25], and leaves ETMTSSCR
 * and the comparators in it. */
static void points_before_a_mode_of_the_processor_come_back(void **state)
{
    (void)state;
    goes_round("echo 1 > x/reset\necho 2 > x/addr_idx\n"
               "echo 8000 > x/addr_start\necho 19 > x/addr_acctype\n"
               "echo 3 > x/addr_idx\necho 9000 > x/addr_stop\n"
               "echo 80000002 > x/mode\n",
               1, 0x00080004);
    /* what comes after it selects something, too */
    goes_round("echo 1 > x/reset\necho 0 > x/addr_idx\n"
               "echo 8000 > x/addr_start\necho 40000001 > x/mode\n"
               "echo 4 > x/addr_idx\necho 1000 2000 > x/addr_range\n"
               "echo 1 > x/mode\n",
               0x01000005, 0x00000001);
    /* and so does another point: all of them control the trace again */
    goes_round("echo 1 > x/reset\necho 2 > x/addr_idx\n"
               "echo 8000 > x/addr_start\necho 80000000 > x/mode\n"
               "echo 3 > x/addr_idx\necho 9000 > x/addr_stop\n",
               0x02000001, 0x00080004);
}

/* Title and device are in the script if they are given. */
static void driver_scripts_begin_with_their_title(void **state)
{
    static const char rest[] =
        "# The driver chooses trace ID and port size, and follows 3.4.3 on "
        "enable.\n# It needs a sink: write 1 to its enable_sink before.\n"
        "set -e\netm=/sys/bus/coresight/devices/";
    static const struct {
        struct etm_setup_script script;
        const char *title, *device;
    } rows[] = {
        {{.title = NULL}, "", "etm0\n"},
        {{.title = ""}, "", "etm0\n"},
        {{.title = "a core", .device = "ptm7"}, "# a core\n", "ptm7\n"}};
    struct rig g;

    (void)state;
    make_busy(&g, "cortex-a15");
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text = text_of(&g.setup, ETM_SETUP_FORMAT_SYSFS, &rows[i].script);
        char begin[400];

        snprintf(begin, sizeof begin, "#!/bin/sh\n%s%s%s", rows[i].title, rest,
                 rows[i].device);
        assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
        free(text);
    }
}

/* Linux's driver: what it can say comes back, what it cannot is named. */
static void driver_attributes_give_the_setup_back(void **state)
{
    static const uint32_t kept[] = {
        ETM_REG_TRIGGER,   ETM_REG_TSSCR,      ETM_REG_TEEVR,
        ETM_REG_TECR1,     ETM_REG_ACVR1,      ETM_REG_ACVR1 + 1,
        ETM_REG_ACVR1 + 2, ETM_REG_ACVR1 + 3,  ETM_REG_ACVR1 + 4,
        ETM_REG_ACTR1,     ETM_REG_ACTR1 + 2,  ETM_REG_ACTR1 + 3,
        ETM_REG_CNTENR1,   ETM_REG_CNTRLDVR1,  ETM_REG_CNTRLDEVR1,
        ETM_REG_SQ12EVR,   ETM_REG_SQ12EVR + 5};
    struct etm_setup back;
    uint32_t a, b;
    struct rig g;
    char *text;

    (void)state;
    make_busy(&g, "cortex-a15");
    text = text_of(&g.setup, ETM_SETUP_FORMAT_SYSFS, NULL);
    assert_non_null(strstr(text, "/sys/bus/coresight/devices/etm0\n"));
    assert_non_null(strstr(text, "echo 0x8000 0x8100 > $etm/addr_range\n"));
    assert_non_null(strstr(text, "echo 0x9000 > $etm/addr_start\n"));
    assert_non_null(strstr(text, "echo 0x9100 > $etm/addr_stop\n"));
    assert_non_null(strstr(text, "echo 0x12 > $etm/mode\n"));
    /* there is one counter to set up */
    assert_non_null(strstr(text, "echo 0x0 > $etm/cntr_idx\n"));
    assert_null(strstr(text, "echo 0x1 > $etm/cntr_idx\n"));
    /* the last of all turns it on */
    assert_string_equal(strrchr(text, '>'), "> $etm/enable_source\n");
    read_back(text, &back);
    for (size_t i = 0; i < COUNT(kept); i++) {
        assert_int_equal(etm_setup_get(&g.setup, kept[i], &a), ETM_OK);
        assert_int_equal(etm_setup_get(&back, kept[i], &b), ETM_OK);
        assert_int_equal(a, b);
    }
    (void)etm_setup_get(&g.setup, ETM_REG_CR, &a);
    (void)etm_setup_get(&back, ETM_REG_CR, &b);
    assert_int_equal(a | ETM_CR_PORT_ENABLE, b);
    free(text);
    /* all bytes of context IDs, or none */
    a = (a & ~(uint32_t)ETM_CR_CONTEXT_ID) | 0x4000;
    assert_int_equal(etm_setup_set(&g.setup, ETM_REG_CR, a), ETM_OK);
    assert_int_equal(etm_setup_write(&g.setup, ETM_SETUP_FORMAT_SYSFS, NULL,
                                     NULL, 0, &g.diag),
                     ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.source, "ETMCR");
    assert_int_equal(
        etm_setup_write(&g.setup,
                        (enum etm_setup_format)(ETM_SETUP_FORMAT_PYOCD + 1),
                        NULL, NULL, 0, &g.diag),
        ETM_ERR_ARGUMENT);
    rig_make(&g, "cortex-a8", NULL);
    g.request.data_value = true;
    rig_configure(&g);
    assert_int_equal(etm_setup_write(&g.setup, ETM_SETUP_FORMAT_SYSFS, NULL,
                                     NULL, 0, &g.diag),
                     ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.source, "ETMCR");
    /* it can switch stalling on, but not say where */
    rig_make(&g, "cortex-a8", NULL);
    g.macrocell.ccr |= UINT32_C(1) << 23;
    g.macrocell.scr |= 0x100;
    g.request.stall = true;
    rig_configure(&g);
    assert_int_equal(etm_setup_write(&g.setup, ETM_SETUP_FORMAT_SYSFS, NULL,
                                     NULL, 0, &g.diag),
                     ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.source, "ETMFFRR");
}

/*
 * Linux's driver writes the values of counters from v3.1 on (etm_enable_hw),
 * which keeps them from being reloaded (3.4.4), and its reset sets them to 0.
 */
static void driver_counters_begin_with_their_reload_values(void **state)
{
    static const char by_hand[] = "echo 1 > $etm/reset\n"
                                  "echo 1 > $etm/cntr_idx\n"
                                  "echo 9 > $etm/cntr_val\n"
                                  "echo 5 > $etm/cntr_rld_val\n"
                                  "echo 0 > $etm/cntr_idx\n"
                                  "echo 5 > $etm/cntr_rld_val\n";
    struct etm_macrocell *etm;
    struct etm_setup back;
    struct etm_diag diag;
    uint32_t value;
    struct rig g;
    char *text;

    (void)state;
    make_busy(&g, "cortex-a15");
    text = text_of(&g.setup, ETM_SETUP_FORMAT_SYSFS, NULL);
    assert_non_null(strstr(text, "echo 0x7 > $etm/cntr_rld_val\n"));
    assert_non_null(strstr(text, "echo 0x0 > $etm/cntr_idx\n"
                                 "echo 0x7 > $etm/cntr_val\n"));
    free(text);
    /* a value that the setup has is not replaced */
    assert_int_equal(etm_setup_set(&g.setup, ETM_REG_CNTVR1, 2), ETM_OK);
    text = text_of(&g.setup, ETM_SETUP_FORMAT_SYSFS, NULL);
    assert_non_null(strstr(text, "echo 0x2 > $etm/cntr_val\n"));
    assert_null(strstr(text, "echo 0x7 > $etm/cntr_val\n"));
    free(text);
    /* a counter of reduced function has no value to write */
    rig_make(&g, "cortex-m3", NULL);
    g.request.trigger = (struct etm_request_condition){
        .what = ETM_CONDITION_EVERY, .number = 8};
    rig_configure(&g);
    text = text_of(&g.setup, ETM_SETUP_FORMAT_SYSFS, NULL);
    assert_non_null(strstr(text, "echo 0x7 > $etm/cntr_rld_val\n"));
    assert_null(strstr(text, "cntr_val"));
    free(text);
    /* what a script leaves out is 0 there, and comes after the reload value */
    read_back(by_hand, &back);
    rig_make(&g, "cortex-a15", NULL);
    assert_int_equal(etm_macrocell_new(&etm, &g.macrocell, NULL), ETM_OK);
    assert_int_equal(etm_setup_apply(&back, etm, ETM_ACCESS_SOFTWARE, &diag),
                     ETM_OK);
    for (uint32_t n = 0; n < 2; n++) {
        assert_int_equal(etm_macrocell_read(etm, ETM_REG_CNTVR1 + n,
                                            ETM_ACCESS_SOFTWARE, &value),
                         ETM_ACCESS_OK);
        assert_int_equal(value, n == 0 ? 0 : 9);
    }
    etm_macrocell_free(etm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_before_a_mode_of_the_processor_come_back),
        cmocka_unit_test(driver_scripts_begin_with_their_title),
        cmocka_unit_test(driver_attributes_give_the_setup_back),
        cmocka_unit_test(driver_counters_begin_with_their_reload_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
