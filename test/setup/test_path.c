/* SPDX-License-Identifier: Apache-2.0 */
/* Chips, and the path of the trace out of them, as a library has it. What the
 * scripts do is in chip/scripts.py. */
#include "text_util.h"

static const struct etm_chip *chip_of(const char *name)
{
    const struct etm_chip *chip;

    assert_int_equal(etm_chip_find(name, &chip), ETM_OK);
    return chip;
}

static void chips_are_found_by_their_beginning(void **state)
{
    static const char *const rows[][2] = {{"stm32f407", "stm32f4"},
                                          {"STM32F407VGT6", "stm32f4"},
                                          {"stm32f4", "stm32f4"},
                                          {"stm32f103c8", "stm32f1"},
                                          {"lpc1768", "lpc176x"},
                                          {"LPC176x", "lpc176x"},
                                          {"lpc1754", "lpc176x"},
                                          {"lpc17xx", "lpc176x"},
                                          {"lpc1788", NULL},
                                          {"lpc4357", "lpc43xx"},
                                          {"ATSAM4S16C", "sam4"},
                                          {"sam3x8e", "sam3"},
                                          {"sam4l", NULL},
                                          {"nrf52832", "nrf52832"},
                                          {"nrf52", "nrf52832"},
                                          {"nrf52840-dk", "nrf52840"},
                                          {"nrf52833", NULL},
                                          {"mk64fn1m0vll12", "k60"},
                                          {"tm4c123gh6pm", "tm4c123"},
                                          {"efm32gg990f1024", "efm32gg"},
                                          {"efm32gg11b820", NULL},
                                          {"stm32f7", NULL},
                                          {"stm32", NULL},
                                          {"", NULL}};
    const struct etm_chip *none;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct etm_chip *chip;

        assert_int_equal(etm_chip_find(rows[i][0], &chip),
                         rows[i][1] ? ETM_OK : ETM_ERR_NOT_FOUND);

        if (rows[i][1]) {
            assert_non_null(chip);
            assert_string_equal(chip->name, rows[i][1]);
        } else {
            assert_null(chip);
        }
    }
    assert_int_equal(etm_chip_find(NULL, &none), ETM_ERR_ARGUMENT);
    assert_null(none);
}

/* Each way out that a row promises can be written in each language, with a
 * source; and its own name finds it. */
static void each_chip_keeps_what_it_promises(void **state)
{
    size_t n = 0;

    (void)state;
    for (const struct etm_chip *chip; (chip = etm_chips(n)) != NULL; n++) {
        const struct etm_core *core;

        assert_ptr_equal(chip_of(chip->name), chip);
        assert_int_equal(etm_core_find(chip->core, &core), ETM_OK);
        assert_int_equal(core->profile, ETM_PROFILE_M);
        assert_true(chip->source[0] != '\0' && chip->pins[0] != '\0');
        assert_int_equal(chip->port_sizes != 0,
                         chip->sinks >> ETM_SINK_TPIU & 1);
        for (unsigned sink = 0; sink < 8; sink++) {
            for (unsigned pins = 1; pins <= 4; pins *= 2) {
                struct etm_trace_path path = {.size = sizeof path,
                                              .chip = chip,
                                              .sink = (enum etm_sink)sink,
                                              .pins = (uint8_t)pins,
                                              .baud = 1000000,
                                              .clock = 64000000,
                                              .etb = 0xe0042000};
                bool promised =
                    (chip->sinks >> sink & 1) != 0 &&
                    (sink != ETM_SINK_TPIU || (chip->port_sizes & pins) != 0);

                assert_int_equal(etm_trace_path_notes(&path, NULL, NULL) ==
                                     ETM_OK,
                                 promised);
            }
        }
    }
    assert_in_range(n, 15, 100);
}

static void what_is_no_path_is_refused(void **state)
{
    const struct etm_chip *f4 = chip_of("stm32f4");
    const struct etm_chip *sam = chip_of("sam4");
    const struct etm_chip foreign = *f4;
    const struct {
        struct etm_trace_path path;
        int status;
        const char *what;
    } rows[] = {
        {{.chip = f4}, ETM_ERR_ARGUMENT, "no end"},
        {{.chip = &foreign, .sink = ETM_SINK_TPIU, .pins = 4},
         ETM_ERR_ARGUMENT,
         "not one that"},
        {{.chip = f4, .sink = ETM_SINK_TPIU, .pins = 3},
         ETM_ERR_ARGUMENT,
         "1, 2 or 4"},
        {{.chip = f4, .sink = ETM_SINK_SWO, .baud = 2000000},
         ETM_ERR_ARGUMENT,
         "frequency is not given"},
        {{.chip = f4, .sink = ETM_SINK_SWO, .clock = 16000000},
         ETM_ERR_ARGUMENT,
         "no baud rate"},
        {{.chip = f4, .sink = ETM_SINK_SWO, .baud = 1000, .clock = 168000000},
         ETM_ERR_UNSUPPORTED,
         "1 to 8192"},
        {{.chip = f4, .sink = ETM_SINK_SWO, .baud = 9000000, .clock = 16000000},
         ETM_ERR_UNSUPPORTED,
         "nearest is 8000000"},
        {{.chip = f4, .sink = ETM_SINK_ETB},
         ETM_ERR_UNSUPPORTED,
         "no such way"},
        {{.chip = chip_of("tm4c123"), .sink = ETM_SINK_TPIU, .pins = 4},
         ETM_ERR_UNSUPPORTED,
         "so many pins"},
        {{.chip = sam,
          .sink = ETM_SINK_SWO,
          .baud = 1000000,
          .clock = 64000000,
          .origins = ETM_TRACE_MACROCELL},
         ETM_ERR_UNSUPPORTED,
         "has no ETM"},
        {{.profile = ETM_PROFILE_UNKNOWN, .sink = ETM_SINK_TPIU, .pins = 4},
         ETM_ERR_ARGUMENT,
         "address of its TPIU"},
        {{.profile = ETM_PROFILE_UNKNOWN,
          .sink = ETM_SINK_ETB,
          .etb = 0xf8801000,
          .origins = ETM_TRACE_ITM},
         ETM_ERR_UNSUPPORTED,
         "M-profile"},
        {{.profile = ETM_PROFILE_UNKNOWN,
          .sink = ETM_SINK_SWO,
          .tpiu = 0xf8803000,
          .baud = 1000000,
          .clock = 64000000},
         ETM_ERR_UNSUPPORTED,
         "and SWO"},
        {{.profile = ETM_PROFILE_M, .sink = ETM_SINK_ETB},
         ETM_ERR_UNSUPPORTED,
         "address of its ETB"},
    };
    struct etm_setup setup = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_trace_path path = rows[i].path;
        struct etm_setup_script script = {.size = sizeof script, .path = &path};
        struct etm_diag diag;

        path.size = sizeof path;
        assert_int_equal(etm_trace_path_notes(&path, NULL, &diag),
                         rows[i].status);
        if (!strstr(diag.what, rows[i].what))
            print_message("%u: %s\n", (unsigned)i, diag.what);
        assert_non_null(strstr(diag.what, rows[i].what));
        assert_int_equal(
            etm_setup_write(&setup, ETM_SETUP_FORMAT_C, &script, NULL, 0, NULL),
            rows[i].status);
    }
}

static void notes_say_what_is_missing(void **state)
{
    struct etm_trace_path path = {.size = sizeof path,
                                  .chip = chip_of("lpc4330"),
                                  .sink = ETM_SINK_TPIU,
                                  .pins = 4};
    struct etm_notes notes = {0};

    (void)state;
    assert_int_equal(etm_trace_path_notes(&path, &notes, NULL), ETM_OK);
    assert_int_equal(notes.n, 1);
    assert_non_null(strstr(notes.text[0], "confirms the address of the ETB"));
    path.chip = NULL;
    path.profile = ETM_PROFILE_M;
    assert_int_equal(etm_trace_path_notes(&path, &notes, NULL), ETM_OK);
    assert_non_null(strstr(notes.text[1], "pins and clocks are not set up"));
    path = (struct etm_trace_path){.size = sizeof path,
                                   .chip = chip_of("stm32f4"),
                                   .sink = ETM_SINK_SWO,
                                   .baud = 2250000,
                                   .clock = 100000000};
    assert_int_equal(etm_trace_path_notes(&path, &notes, NULL), ETM_OK);
    assert_int_equal(notes.n, 3);
    assert_non_null(strstr(notes.text[2], "2272727"));
    path.chip = chip_of("nrf52840");
    path.baud = 1000000;
    path.clock = 64000000;
    assert_int_equal(etm_trace_path_notes(&path, &notes, NULL), ETM_OK);
    assert_non_null(strstr(notes.text[3], "32000000"));
    path.sink = ETM_SINK_TPIU;
    path.pins = 4;
    assert_int_equal(etm_trace_path_notes(&path, &notes, NULL), ETM_OK);
    assert_non_null(strstr(notes.text[4], "16000000"));
}

/* Not in its order: the macrocell is stopped before the DWT is set up. */
static void a_script_for_a_chip_gives_the_setup_back(void **state)
{
    static const struct etm_request_match start[] = {AT(0x08000100)};
    struct etm_trace_path path = {
        .size = sizeof path, .chip = chip_of("k64"), .sink = ETM_SINK_ETB};
    struct etm_setup_script script = {.size = sizeof script};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m4", NULL);
    g.request.start = start;
    g.request.n_start = 1;
    g.request.trace_id = 2;
    rig_configure(&g);
    assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL), ETM_OK);
    script.path = &path;
    for (int p = 0; p < 2; p++) {
        path.sink = p == 0 ? ETM_SINK_ETB : ETM_SINK_TPIU;
        path.pins = 4;
        for (size_t f = 0; f < COUNT(formats); f++) {
            struct etm_setup back;
            char *text = text_of(&g.setup, formats[f], &script);

            read_back(text, &back);
            assert_int_equal(back.n, g.setup.n);
            for (size_t i = 0; i < g.setup.n; i++) {
                uint32_t value;

                assert_int_equal(
                    etm_setup_get(&back, g.setup.values[i].number, &value),
                    ETM_OK);
                assert_int_equal(value, g.setup.values[i].value);
            }
            free(text);
        }
    }
    assert_int_equal(etm_setup_write(&g.setup, ETM_SETUP_FORMAT_SYSFS, &script,
                                     NULL, 0, NULL),
                     ETM_ERR_UNSUPPORTED);
}

static void rom_tables_say_where_blocks_are(void **state)
{
    static const char openocd[] =
        "AP # 0x0\n"
        "\t\tAP ID register 0x24770011\n"
        "\t\tType is MEM-AP AHB3\n"
        "\tROMTABLE[0x0] = 0xfff0f003\n"
        "\t\tComponent base address 0xe000e000\n"
        "\t\tPart is 0xc, Cortex-M4 SCS (System Control Space)\n"
        "\t\tComponent class is 0xe, Generic IP component\n"
        "\tROMTABLE[0x10] = 0xfff41003\n"
        "\t\tComponent base address 0xe0040000\n"
        "\t\tPart is 0x9a1, Cortex-M4 TPIU (Trace Port Interface Unit)\n"
        "\t\tComponent class is 0x9, CoreSight component\n"
        "\t\tType is 0x11, Trace Sink, Port\n"
        "\tROMTABLE[0x14] = 0xfff42003\n"
        "\t\tComponent base address 0xe0041000\n"
        "\t\tPart is 0x925, Cortex-M4 ETM (Embedded Trace)\n"
        "\t\tType is 0x13, Trace Source, Processor\n"
        "\t\tComponent base address 0xe0042000\n"
        "\t\tPart is 0x907, CoreSight ETB (Trace Buffer)\n"
        "\t\tType is 0x21, Trace Sink, Buffer\n"
        "\t\tComponent base address 0xe0043000\n"
        "\t\tPart is 0x908, CoreSight CSTF (Trace Funnel)\n"
        "\t\tType is 0x12, Trace Link, Funnel, router";
    static const char pyocd[] =
        "0000473 I [2]<e0002000:FPB v7-M class=14 designer=43b:Arm part=003>\n"
        "0000478 I [4]<e0040000:TPIU M4 class=9 designer=43b:Arm part=9a1 "
        "devtype=11 archid=0000 devid=ca1:0:0> [rom_table]\r\n"
        "0000481 I [5]<e0041000:ETM M4 class=9 designer=43b:Arm part=925 "
        "devtype=13 archid=0000 devid=0:0:0> [rom_table]\r\n"
        "0002083 I [3]<80014000:??? class=9 designer=43b:Arm part=961 "
        "devtype=21 archid=0000 devid=300:0:0> [rom_table]\n"
        "0002084 I [4]<80015000:??? class=9 designer=43b:Arm part=961 "
        "devtype=32 archid=0000 devid=300:0:0> [rom_table]\n";
    static const char v4[] =
        "[1]<e0041000:ETM M7 class=9 designer=43b:Arm part=975 devtype=13 "
        "archid=4a13 devid=0:0:0>\n";
    struct etm_rom_table t;
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_rom_table_read(&t, openocd, strlen(openocd), &diag),
                     ETM_OK);
    assert_int_equal(t.tpiu, 0xe0040000);
    assert_int_equal(t.macrocell, 0xe0041000);
    assert_int_equal(t.etb, 0xe0042000);
    assert_int_equal(t.funnel, 0xe0043000);
    assert_int_equal(t.tmc, 0);
    assert_false(t.several);
    assert_int_equal(etm_rom_table_read(&t, pyocd, strlen(pyocd), &diag),
                     ETM_OK);
    assert_int_equal(t.tpiu, 0xe0040000);
    assert_int_equal(t.macrocell, 0xe0041000);
    assert_int_equal(t.tmc, 0x80014000);
    assert_true(t.several);
    assert_int_equal(etm_rom_table_read(&t, v4, strlen(v4), &diag),
                     ETM_ERR_UNSUPPORTED);
    assert_int_equal(etm_rom_table_read(&t, "hello\n", 6, &diag),
                     ETM_ERR_FORMAT);
    assert_int_equal(etm_rom_table_read(&t, NULL, 0, &diag), ETM_ERR_FORMAT);
    assert_int_equal(etm_rom_table_read(NULL, openocd, 1, &diag),
                     ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_are_found_by_their_beginning),
        cmocka_unit_test(each_chip_keeps_what_it_promises),
        cmocka_unit_test(what_is_no_path_is_refused),
        cmocka_unit_test(notes_say_what_is_missing),
        cmocka_unit_test(a_script_for_a_chip_gives_the_setup_back),
        cmocka_unit_test(rom_tables_say_where_blocks_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
