/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on a Cortex-M3 whose trace the comparators of the DWT select, as
 * `etm configure` sets them up (7.6, E-580).
 */
#include "../support/test.h"
#include "record_support.h"

#include <etm/setup.h>

static bool emulator;

/* In the program nested-m3: `print_value`, which SysTick interrupts, and
 * `note`, which handlers call. */
enum { PRINT_VALUE = 0x80, PRINT_VALUE_END = 0xc8, NOTE = 0xc8 };

/* Record with what is asked for; `ran` is all that was executed. */
static void record_with(const char *request, struct run *told, struct run *ran)
{
    char line[1024];

    snprintf(line, sizeof line,
             "'%s' configure --core cortex-m3 %s -o %s.setup 2>%s.notes",
             etm_command(), request, snapshot(), snapshot());
    assert_int_equal(system(line), 0);
    record("nested-m3", "--core cortex-m3 --setup %s", beside("setup"));
    read_log(ran, ETM_PROFILE_M, "v3.5");
    decode(told);
    assert_int_equal(told->n_lost, 0);
}

/* An interval of addresses, as far as it is executed. */
static void assert_only(const struct run *told, const struct run *ran,
                        uint32_t from, uint32_t end, bool inside)
{
    size_t k = 0;

    for (size_t i = 0; i < ran->n_steps; i++) {
        uint32_t at = ran->steps[i].address;

        if ((at >= from && at < end) != inside)
            continue;
        assert_true(k < told->n_steps);
        assert_int_equal(told->steps[k++].address, at);
    }
    assert_true(k > 20);
    assert_int_equal(k, told->n_steps);
}

/* A start takes effect before its instruction, and so does a stop (2.11.1). */
IN_A_FOLDER(functions_start_and_stop)
{
    struct run told, ran;
    bool on = false;
    size_t k = 0;

    if (!emulator)
        skip();
    record_with("--start-at 0x81 --stop-at 0xc9", &told, &ran);
    for (size_t i = 0; i < ran.n_steps; i++) {
        uint32_t at = ran.steps[i].address;

        on = at == PRINT_VALUE || (on && at != NOTE);
        if (!on)
            continue;
        assert_true(k < told.n_steps);
        assert_int_equal(told.steps[k++].address, at);
    }
    assert_true(k > 100 && k < ran.n_steps);
    assert_int_equal(k, told.n_steps);
    runs_free(&ran, &told);
}

/* Neither what it calls nor interrupts. */
IN_A_FOLDER(a_region_is_traced_alone)
{
    struct run told, ran;

    if (!emulator)
        skip();
    record_with("--range 0x80-0xc8", &told, &ran);
    assert_only(&told, &ran, PRINT_VALUE, PRINT_VALUE_END, true);
    runs_free(&ran, &told);
    record_with("--exclude-range 0x80-0xc8", &told, &ran);
    assert_only(&told, &ran, PRINT_VALUE, PRINT_VALUE_END, false);
    runs_free(&ran, &told);
}

IN_A_FOLDER(a_place_or_a_store_triggers)
{
    struct run told, ran;

    if (!emulator)
        skip();
    record_with("--trigger-at 0xc8", &told, &ran);
    assert_int_equal(told.n_triggers, 1);
    assert_int_equal(told.n_steps, ran.n_steps);
    runs_free(&ran, &told);
    /* the program never is there */
    record_with("--trigger-at 0xfc00", &told, &ran);
    assert_int_equal(told.n_triggers, 0);
    runs_free(&ran, &told);
    /* SHPR2 is written, and never read */
    record_with("--trigger-at store:0xe000ed1c", &told, &ran);
    assert_int_equal(told.n_triggers, 1);
    runs_free(&ran, &told);
    record_with("--trigger-at load:0xe000ed1c", &told, &ran);
    assert_int_equal(told.n_triggers, 0);
    runs_free(&ran, &told);
}

int main(int argc, char **argv)
{
    emulator = record_setup(argc, argv);
    return tests_run();
}
