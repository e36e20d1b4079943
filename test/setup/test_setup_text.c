/* SPDX-License-Identifier: Apache-2.0 */
/* Setups as text and back. */
#include "text_util.h"

/* MC-HLP-01 */
static void every_format_gives_the_setup_back(void **state)
{
    static const char *const cores[] = {"arm7tdmi", "arm1176", "cortex-m3",
                                        "cortex-a8", "cortex-a15"};

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        struct etm_setup_script script = {0};
        struct etm_setup back;
        struct rig g;

        if (i == 2) { /* with what is beside it */
            static const struct etm_request_match start[] = {AT(0x08000100)};

            rig_make(&g, cores[i], NULL);
            g.request.start = start;
            g.request.n_start = 1;
            rig_configure(&g);
        } else {
            make_busy(&g, cores[i]);
        }
        assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL),
                         ETM_OK);
        script.title = cores[i];
        for (int f = 0; f <= ETM_SETUP_FORMAT_PYOCD; f++)
            if (is_for_memory((enum etm_setup_format)f) &&
                (script.interfaces & ETM_INTERFACE_MEMORY) == 0)
                assert_int_equal(etm_setup_write(&g.setup,
                                                 (enum etm_setup_format)f,
                                                 &script, NULL, 0, NULL),
                                 ETM_ERR_UNSUPPORTED);
        for (size_t f = 0; f < COUNT(formats); f++) {
            char *text;

            if (is_for_memory(formats[f]) &&
                (script.interfaces & ETM_INTERFACE_MEMORY) == 0)
                continue;
            text = text_of(&g.setup, formats[f], &script);
            read_back(text, &back);
            assert_same(&g.setup, &back);
            free(text);
        }
    }
}

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

static void whatever_is_written_is_read(void **state)
{
    unsigned written[ETM_SETUP_FORMAT_PYOCD + 1] = {0};
    uint32_t seed = 1;

    (void)state;
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

                assert_int_equal(
                    etm_setup_get(&setup, back.values[k].number, &want),
                    ETM_OK);
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

static void what_would_not_be_read_is_not_written(void **state)
{
    struct etm_setup setup = {0};
    struct etm_diag diag;

    (void)state;
    for (size_t f = 0; f < COUNT(formats); f++)
        assert_int_equal(
            etm_setup_write(&setup, formats[f], NULL, NULL, 0, &diag),
            ETM_ERR_UNSUPPORTED);
    assert_int_equal(etm_setup_set(&setup, ETM_REG_IDR, 0x4114f240), ETM_OK);
    for (size_t f = 0; f < COUNT(formats); f++)
        assert_int_equal(
            etm_setup_write(&setup, formats[f], NULL, NULL, 0, &diag) > 0,
            formats[f] == ETM_SETUP_FORMAT_TABLE);
    assert_int_equal(etm_setup_set(&setup, ETM_REG_ACVR1, 0x2000), ETM_OK);
    assert_int_equal(etm_setup_set(&setup, ETM_REG_ACVR1 + 1, 0x1000), ETM_OK);
    assert_int_equal(etm_setup_set(&setup, ETM_REG_TECR1, 1), ETM_OK);
    assert_int_equal(
        etm_setup_write(&setup, ETM_SETUP_FORMAT_SYSFS, NULL, NULL, 0, &diag),
        ETM_ERR_UNSUPPORTED);
    assert_string_equal(diag.source, "ETMACVR2");
}

/* The name of a dump is in it, which may be any. */
static void a_title_is_one_line_of_comment(void **state)
{
    struct etm_setup_script script = {0};
    struct etm_setup setup = {0}, back;
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL), ETM_OK);
    script.title = "a\netm_write 0x010 1\033[7m*/ {0x011, 1}, /*";
    assert_int_equal(etm_setup_set(&setup, ETM_REG_CR, 0x800), ETM_OK);
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

static void scripts_follow_the_procedure(void **state)
{
    /* what a line has, and after a blank what is behind it */
    static const char *const steps[] = {"ETMLAR: unlock",
                                        "ETMPDSR: clears the sticky bit",
                                        "ETMOSLAR: unlock",
                                        "ETMCR: power up",
                                        "ETMCR: programming bit",
                                        "ETMSR: it has stopped",
                                        "ETMCR",
                                        "ETMTEEVR",
                                        "ETMCR: it runs",
                                        "ETMSR: it is running",
                                        "ETMLAR: lock"};
    static const struct {
        enum etm_setup_format format;
        const char *key; /* the write that unlocks */
    } rows[] = {
        {ETM_SETUP_FORMAT_OPENOCD, "mww 0x54011fb0 0xc5acce55 ;#"},
        {ETM_SETUP_FORMAT_GDB, "set *(unsigned int *)0x54011fb0 = 0xc5acce55"},
        {ETM_SETUP_FORMAT_C, "ETM_STORE(0x54011fb0, 0xc5acce55);"},
        {ETM_SETUP_FORMAT_JLINK, "JLINK_MEM_WriteU32(0x54011fb0, 0xc5acce55);"},
        {ETM_SETUP_FORMAT_PYOCD, "target.write32(0x54011fb0, 0xc5acce55)"}};
    struct etm_setup_script script = {0};
    struct rig g;

    (void)state;
    make_busy(&g, "cortex-a8");
    assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL), ETM_OK);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text, *at;

        script.base = 0x54011000;
        text = text_of(&g.setup, rows[i].format, &script);
        assert_non_null(strstr(text, rows[i].key));
        at = text;
        for (size_t k = 0; k < COUNT(steps); k++) {
            at = strstr(at, steps[k]);
            if (!at)
                print_message("no %s in order\n", steps[k]);
            assert_non_null(at);
            at += strlen(steps[k]);
        }
        free(text);
    }
    /* JTAG: scan chain 6 (3.2.1), and no locks. */
    make_busy(&g, "arm7tdmi");
    assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL), ETM_OK);
    {
        char *text = text_of(&g.setup, ETM_SETUP_FORMAT_OPENOCD, &script);

        assert_non_null(strstr(text, "$etm_select 6"));
        assert_non_null(strstr(text, "32 $value 7 $number 1 $write"));
        assert_null(strstr(text, "0x3ec"));
        free(text);
    }
    assert_int_equal(etm_setup_write(&g.setup, ETM_SETUP_FORMAT_GDB, &script,
                                     NULL, 0, &g.diag),
                     ETM_ERR_UNSUPPORTED);
}

/* Every access that a script for OpenOCD makes, on a macrocell that was without
 * power: none may be an error. E-401 */
static void scripts_can_be_run_after_a_power_up(void **state)
{
    static const char *const cores[] = {"cortex-m3",  "cortex-r4", "cortex-r5",
                                        "cortex-a5",  "cortex-a7", "cortex-a8",
                                        "cortex-a15", "arm1176"};

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        struct etm_setup_script script = {0};
        struct etm_macrocell *etm;
        struct rig g;
        unsigned accesses = 0;
        char *text, *line;

        rig_make(&g, cores[i], NULL);
        rig_configure(&g);
        assert_int_equal(etm_macrocell_new(&etm, &g.macrocell, NULL), ETM_OK);
        etm_macrocell_power(etm, true, false);
        etm_macrocell_power(etm, true, true);
        assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL),
                         ETM_OK);
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

/* The DWT and DEMCR are where no macrocell is, and their other registers are
 * none of a setup. */
static void memory_beside_the_macrocell_is_listed_too(void **state)
{
    static const char text[] =
        "> mdw 0xe0041000 3\n"
        "0xe0041000: 00000810 8c842000 00000020\n"
        "> mdw 0xe0001000 12\n"
        "0xe0001000: 40000001 00000007 00000000 00000000\n"
        "0xe0001020: 08000100 00000002 00000008 00000000\n"
        "0xe000edf0: 00030003 00000000 00000000 01000001\n";
    struct etm_setup setup;
    uint32_t value;

    (void)state;
    read_back(text, &setup);
    assert_int_equal(setup.n, 7);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_CR, &value), ETM_OK);
    assert_int_equal(value, 0x810);
    assert_int_equal(
        etm_setup_get(&setup, etm_register_number("DWT_MASK0"), &value),
        ETM_OK);
    assert_int_equal(value, 2);
    assert_int_equal(
        etm_setup_get(&setup, etm_register_number("DEMCR"), &value), ETM_OK);
    assert_int_equal(value, 0x01000001);
    read_back("DWT_COMP3 = 0x100\nreg 0xe0001058 = 8\n", &setup);
    assert_int_equal(setup.n, 2);
    assert_int_equal(setup.values[1].number,
                     etm_register_number("DWT_FUNCTION3"));
    assert_int_equal(etm_setup_read(&setup, "reg 0xe0001000 = 8\n", 19, NULL),
                     ETM_ERR_FORMAT);
}

static void tables_take_several_forms(void **state)
{
    static const char text[] = "# a dump\n"
                               "[registers]\n"
                               "ETMCR = 0x800 ; control\n"
                               "\n"
                               "etmteevr: 111\n"
                               "TRIGGER 0x406f // never\n"
                               "reg 0x009 = 0x01000000\r\n"
                               "+0x01c = 0\n"
                               "ETMIDR(0x079)=0x410CF230\n"
                               "ETMCR = 0x900\n";
    static const char device[] = "[device]\n"
                                 "name=ETM_0\n"
                                 "class=trace_source\n"
                                 "[regs]\n"
                                 "ETMCR(0x000)=0x10001860\n"
                                 "SOMETHING(0x3F4)=4\n"
                                 "[other]\n"
                                 "what=ever\n";
    static const char mgmt[] =
        "/sys/bus/coresight/devices/etm0/mgmt/etmccr:0x8d294004\n"
        "./mgmt/etmtssvr:0x0\n"
        "etmidr:0x411cf312\n";
    struct etm_setup setup;
    uint32_t value;

    (void)state;
    read_back(mgmt, &setup);
    assert_int_equal(setup.n, 3);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_CCR, &value), ETM_OK);
    assert_int_equal(value, 0x8d294004);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_TSSCR, &value), ETM_OK);
    read_back(text, &setup);
    assert_int_equal(setup.n, 6);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_CR, &value), ETM_OK);
    assert_int_equal(value, 0x900);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_TEEVR, &value), ETM_OK);
    assert_int_equal(value, 0x6f);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_TECR2, &value), ETM_OK);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_IDR, &value), ETM_OK);
    assert_int_equal(value, 0x410cf230);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_VDEVR, &value),
                     ETM_ERR_NOT_FOUND);
    read_back(device, &setup);
    assert_int_equal(setup.n, 2);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_PIDR4, &value), ETM_OK);
}

/* As it is typed. */
static void values_of_attributes_may_be_quoted(void **state)
{
    static const char text[] = "echo 0 > x/addr_idx\n"
                               "echo '0x8000 0x8100' > x/addr_range\n"
                               " echo \"0x406f\" > x/trigger_event\n";
    struct etm_setup setup;
    uint32_t value;

    (void)state;
    read_back(text, &setup);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_ACVR1 + 1, &value), ETM_OK);
    assert_int_equal(value, 0x8100);
    assert_int_equal(etm_setup_get(&setup, ETM_REG_TRIGGER, &value), ETM_OK);
    assert_int_equal(value, 0x406f);
}

static void errors_name_line_and_cause(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *what;
    } rows[] = {
        {"ETMCR = 1\nETMXYZ = 2\n", 2, "no register has that name"},
        {"ETMCR = 0x123456789\n", 1, "32-bit"},
        {"\n\nETMCR\n", 3, "not a 32-bit number"},
        {"ETMCR = 1 2\n", 1, "after the value"},
        {"reg 0x400 = 1\n", 1, "0x3ff"},
        {"+0x041 = 1\n", 1, "multiple of 4"},
        {"proc etm_write {} {}\netm_write 0x008 frog\n", 2, "32-bit"},
        {"echo 1 > /sys/x/reset\necho 1 > /sys/x/frog\n", 2,
         "no such attribute"},
        {"echo zz > /sys/x/mode\n", 1, "hexadecimal"},
        {"echo 0x20000000 > /sys/x/mode\n", 1, "not understood"},
        {"echo 1 > x/addr_idx\necho 1 2 > x/addr_range\n", 2, "odd"},
        {"echo 0 > x/addr_idx\necho 1 > x/addr_range\n", 2, "two addresses"},
        {"static const\n{0x001 = 2},\n", 2, "pair"},
    };
    struct etm_setup setup;
    struct etm_diag diag;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(
            etm_setup_read(&setup, rows[i].text, strlen(rows[i].text), &diag),
            ETM_ERR_FORMAT);
        assert_int_equal(diag.line, rows[i].line);
        if (!strstr(diag.what, rows[i].what))
            print_message("%s: %s\n", rows[i].text, diag.what);
        assert_non_null(strstr(diag.what, rows[i].what));
    }
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
    assert_int_equal(etm_setup_read(&setup, "", 0, &diag), ETM_ERR_FORMAT);
    assert_int_equal(etm_setup_read(&setup, "# no\n", 5, &diag),
                     ETM_ERR_FORMAT);
}

/* Scripts cut anywhere, and with bytes that are not theirs. */
static void any_text_is_read_or_refused(void **state)
{
    uint32_t seed = 1;

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_setup_back),
        cmocka_unit_test(whatever_is_written_is_read),
        cmocka_unit_test(what_would_not_be_read_is_not_written),
        cmocka_unit_test(a_title_is_one_line_of_comment),
        cmocka_unit_test(scripts_follow_the_procedure),
        cmocka_unit_test(scripts_can_be_run_after_a_power_up),
        cmocka_unit_test(memory_beside_the_macrocell_is_listed_too),
        cmocka_unit_test(tables_take_several_forms),
        cmocka_unit_test(values_of_attributes_may_be_quoted),
        cmocka_unit_test(errors_name_line_and_cause),
        cmocka_unit_test(any_text_is_read_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
