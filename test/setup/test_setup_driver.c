/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts for Linux's driver: what each comparator is used for. */
#include "text_util.h"

/* Read a script, write the setup, and read that. */
static void goes_round(const char *script, uint32_t tecr1, uint32_t tsscr)
{
    struct etm_setup setup, back;
    uint32_t a, b;
    char *text;

    read_back(script, &setup);
    assert_true(etm_setup_get(&setup, ETM_REG_TECR1, &a));
    assert_int_equal(a, tecr1);
    assert_true(etm_setup_get(&setup, ETM_REG_TSSCR, &a));
    assert_int_equal(a, tsscr);
    text = text_of(&setup, ETM_SETUP_FORMAT_SYSFS, NULL);
    read_back(text, &back);
    assert_int_equal(setup.n, back.n);
    for (size_t i = 0; i < setup.n; i++) {
        a = setup.values[i].value;
        if (!etm_setup_get(&back, setup.values[i].number, &b) || a != b)
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

/* The driver refuses a second use, and a script would stop there. */
static void comparator_of_two_uses_is_refused(void **state)
{
    static const struct {
        uint32_t tecr1, tsscr;
        const char *source;
    } rows[] = {
        {0x02000002, 0x00000004, "ETMTSSCR"}, /* a range, which starts */
        {0x02000002, 0x00080001, "ETMTSSCR"}, /* its other half stops */
        {0x02000001, 0x00040004, "ETMTSSCR"}, /* starts and stops */
        {0x00000003, 0x00000004, "ETMTSSCR"},
        {0x01000000, 0x00000004, "ETMTECR1"}, /* idle for no reason */
        {0x03000000, 0x00000000, "ETMTECR1"},
        {0x02000001, 0x00080004, NULL},
    };
    struct etm_diag diag;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_setup setup = {.n = 0};
        int n;

        for (uint32_t k = 0; k < 4; k++)
            (void)etm_setup_set(&setup, ETM_REG_ACVR1 + k, 0x1000 * k);
        (void)etm_setup_set(&setup, ETM_REG_TECR1, rows[i].tecr1);
        (void)etm_setup_set(&setup, ETM_REG_TSSCR, rows[i].tsscr);
        n = etm_setup_write(&setup, ETM_SETUP_FORMAT_SYSFS, NULL, NULL, 0,
                            &diag);
        if (rows[i].source) {
            assert_int_equal(n, ETM_ERR_UNSUPPORTED);
            assert_string_equal(diag.source, rows[i].source);
        } else {
            assert_true(n > 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_before_a_mode_of_the_processor_come_back),
        cmocka_unit_test(comparator_of_two_uses_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
