/* SPDX-License-Identifier: Apache-2.0 */
/* Setups as text and back: values at random, damage, and what scripts do.
   Scenarios and listings.txt have the rest. */
#include "../support/test.h"
#include "text_util.h"

/* Registers with any values, also those that no macrocell allows. */
static void make_any(struct etm_setup *setup, uint32_t *seed)
{
    memset(setup, 0, sizeof *setup);
    for (unsigned i = 0, n = 1 + (*seed >> 8) % 20; i < n; i++) {
        uint32_t number, value;

        *seed = *seed * 1664525u + 1013904223u;
        number = (*seed >> 8) % (i == 0 ? ETM_REGISTERS : 0x92);
        *seed = *seed * 1664525u + 1013904223u;
        value = *seed >> (*seed >> 27);
        if ((*seed & 0x300) != 0)
            (void)etm_setup_set(setup, number, value);
    }
}

TEST(whatever_is_written_is_read)
{
    unsigned written[ETM_SETUP_FORMAT_PYOCD + 1] = {0};
    uint32_t seed = 1;

    for (unsigned i = 0; i < 300; i++) {
        struct etm_setup setup, back;

        make_any(&setup, &seed);
        for (int f = 0; f <= ETM_SETUP_FORMAT_PYOCD; f++) {
            struct etm_setup_script script = {
                .base = (seed & 0x100) != 0 ? 0xf889c000 : 0,
                .os_lock = (seed & 0x200) != 0,
                .shared = (seed & 0x400) != 0,
                .no_status = (seed & 0x800) != 0};
            char *text;

            if (etm_setup_write(&setup, (enum etm_setup_format)f, &script, NULL,
                                0, NULL) <= 0)
                continue;
            written[f]++;
            text = text_of(&setup, (enum etm_setup_format)f, &script);
            read_back(text, &back);
            for (size_t k = 0; k < back.n && f != ETM_SETUP_FORMAT_SYSFS; k++) {
                uint32_t want;

                assert_ok(etm_setup_get(&setup, back.values[k].number, &want));
                /* a script starts the trace */
                if (back.values[k].number == ETM_REG_CR &&
                    f != ETM_SETUP_FORMAT_TABLE)
                    want &= ~UINT32_C(0x401);
                assert_int_equal(back.values[k].value, want);
            }
            free(text);
        }
    }
    for (int f = 0; f <= ETM_SETUP_FORMAT_PYOCD; f++)
        assert_true(written[f] > (f == ETM_SETUP_FORMAT_SYSFS ? 10 : 200));
}

/* The name of a dump is in it, which may be any. */
TEST(a_title_is_one_line_of_comment)
{
    struct etm_setup_script script = {0};
    struct etm_setup setup = {0}, back;
    struct rig g;

    rig_make(&g, "cortex-a8", NULL);
    assert_ok(etm_setup_script_of(&script, &g.macrocell, NULL));
    script.title = "a\netm_write 0x010 1\033[7m*/ {0x011, 1}, /*";
    assert_ok(etm_setup_set(&setup, ETM_REG_CR, 0x800));
    for (size_t f = 0; f < COUNT(formats); f++) {
        char *text = text_of(&setup, formats[f], &script);
        const char *title = strstr(text, "a?etm_write 0x010 1?[7m* / {0x011");

        assert_non_null(title);
        assert_memory_equal(title - 2,
                            formats[f] == ETM_SETUP_FORMAT_C ||
                                    formats[f] == ETM_SETUP_FORMAT_JLINK
                                ? "* "
                                : "# ",
                            2);
        read_back(text, &back);
        assert_int_equal(back.n, 1);
        free(text);
    }
    {
        char *text = text_of(&setup, ETM_SETUP_FORMAT_SYSFS, &script);

        assert_non_null(strstr(text, "\n# a?etm_write 0x010 1?[7m* / {"));
        free(text);
    }
}

/* Every access that a script for OpenOCD makes, on a macrocell that was without
 * power: none may be an error. E-401 */
TEST(scripts_can_be_run_after_a_power_up)
{
    static const char *const cores[] = {"cortex-m3",  "cortex-r4", "cortex-r5",
                                        "cortex-a5",  "cortex-a7", "cortex-a8",
                                        "cortex-a15", "arm1176"};

    for (size_t i = 0; i < COUNT(cores); i++) {
        struct etm_setup_script script = {0};
        struct etm_macrocell *etm;
        struct rig g;
        unsigned accesses = 0;
        char *text, *line;

        rig_make(&g, cores[i], NULL);
        rig_configure(&g);
        assert_ok(etm_macrocell_new(&etm, &g.macrocell, NULL));
        etm_macrocell_power(etm, true, false);
        etm_macrocell_power(etm, true, true);
        assert_ok(etm_setup_script_of(&script, &g.macrocell, NULL));
        text = text_of(&g.setup, ETM_SETUP_FORMAT_OPENOCD, &script);
        for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            enum etm_access_result read = ETM_ACCESS_OK, write = ETM_ACCESS_OK;
            bool change = strncmp(line, "etm_change ", 11) == 0;
            bool store = strncmp(line, "mww ", 4) == 0;
            uint32_t value = 0, number;
            char *end = strstr(line, "0x");

            if (!store && !change && strncmp(line, "etm_wait ", 9) != 0 &&
                strncmp(line, "read_memory ", 12) != 0)
                continue;
            number = ((uint32_t)strtoul(end, &end, 16) - 0xe0041000u) / 4;
            if (!store)
                read = etm_macrocell_read(etm, number, ETM_ACCESS_DEBUGGER,
                                          &value);
            if (store)
                value = (uint32_t)strtoul(end, &end, 16);
            if (change) {
                value &= ~(uint32_t)strtoul(end, &end, 16);
                value |= (uint32_t)strtoul(end, &end, 16);
            }
            if (store || change)
                write = etm_macrocell_write(etm, number, ETM_ACCESS_DEBUGGER,
                                            value);
            accesses++;
            if (read != ETM_ACCESS_OK || write != ETM_ACCESS_OK)
                print_message("%s: %s\n", cores[i], line);
            assert_int_equal(read, ETM_ACCESS_OK);
            assert_int_equal(write, ETM_ACCESS_OK);
        }
        assert_true(accesses > 10);
        free(text);
        etm_macrocell_free(etm);
    }
}

TEST(texts_that_are_too_long_or_none_are_refused)
{
    struct etm_setup setup;
    struct etm_diag diag;

    /* a line of 511 characters is the longest, and a zero is no text */
    for (unsigned more = 0; more < 2; more++) {
        char text[600] = "ETMTRIGGER = 1\nETMCR = 1 #";
        size_t n = 15 + 511 + more;

        memset(text + strlen(text), 'x', n - strlen(text));
        text[n] = '\n';
        assert_int_equal(etm_setup_read(&setup, text, n + 1, &diag),
                         more == 0 ? ETM_OK : ETM_ERR_FORMAT);
        if (more != 0) {
            assert_int_equal(diag.line, 2);
            assert_non_null(strstr(diag.what, "longer than 511"));
        }
    }
    assert_int_equal(etm_setup_read(&setup, "ETMCR = 1\0", 10, &diag),
                     ETM_ERR_FORMAT);
    assert_int_equal(etm_setup_read(&setup, "", 0, NULL), ETM_ERR_FORMAT);
    assert_int_equal(etm_setup_read(&setup, NULL, 1, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_setup_read(NULL, "", 0, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_setup_read(&setup, "# no\n", 5, &diag),
                     ETM_ERR_FORMAT);
}

/* Scripts cut anywhere, and with bytes that are not theirs. */
TEST(any_text_is_read_or_refused)
{
    uint32_t seed = 1;

    for (int f = 0; f <= ETM_SETUP_FORMAT_SYSFS; f++) {
        struct etm_setup back;
        struct etm_diag diag;
        struct rig g;
        char *text, *copy;
        size_t n;

        make_busy(&g, "cortex-a15");
        text = text_of(&g.setup, (enum etm_setup_format)f, NULL);
        n = strlen(text);
        for (size_t k = 0; k < n; k++) {
            int status;

            copy = malloc(k + 1); /* no terminator after it */
            assert_non_null(copy);
            memcpy(copy, text, k + 1);
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 31)
                copy[(seed >> 8) % (k + 1)] = (char)(seed >> 23);
            status = etm_setup_read(&back, copy, k + 1, &diag);
            assert_true(status == ETM_OK || status == ETM_ERR_FORMAT);
            assert_true(back.n <= ETM_SETUP_CAPACITY);
            for (size_t i = 0; i < back.n; i++)
                assert_true(back.values[i].number < ETM_REGISTERS);
            free(copy);
        }
        free(text);
    }
}

TEST(setups_are_sets)
{
    struct etm_setup setup = {0};
    uint32_t value;

    for (uint32_t n = 0; n < ETM_SETUP_CAPACITY; n++)
        assert_ok(etm_setup_set(&setup, n, n));
    assert_int_equal(etm_setup_set(&setup, 0x300, 1), ETM_ERR_ARGUMENT);
    assert_ok(etm_setup_set(&setup, 5, 55));
    assert_int_equal(setup.n, ETM_SETUP_CAPACITY);
    assert_ok(etm_setup_get(&setup, 5, &value));
    assert_int_equal(value, 55);
    assert_int_equal(etm_setup_set(&setup, 0x400, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_setup_write(&setup,
                        (enum etm_setup_format)(ETM_SETUP_FORMAT_PYOCD + 1),
                        NULL, NULL, 0, NULL),
        ETM_ERR_ARGUMENT);
}
