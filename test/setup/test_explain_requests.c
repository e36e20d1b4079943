/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests become registers, and these say in words what was asked for, on
 * the macrocell of every core (MC-DSC-08). No mistake is in them.
 */
#include "../support/core.h"
#include "explain_util.h"

#include <etm/setup.h>

struct words {
    struct setting s;
    struct etm_setup setup;
};

/* The registers of a request, on a core. False: it lacks the resources. */
static bool configured(struct words *w, const struct etm_core *core,
                       const struct etm_request *request)
{
    struct etm_diag diag = {0};
    int status;

    memset(&w->s, 0, sizeof w->s);
    assert_int_equal(
        etm_core_macrocell(core, NULL, &w->s.macrocell, &w->s.config, &diag),
        ETM_OK);
    memset(&w->setup, 0, sizeof w->setup);
    status = etm_configure(&w->setup, request, &w->s.macrocell, NULL, &diag);
    if (status == ETM_ERR_UNSUPPORTED)
        return false;
    if (status != ETM_OK)
        fail_msg("%s: %s", core->name, diag.what);
    w->s.explain.registers = w->s.registers;
    w->s.explain.macrocell = &w->s.macrocell;
    for (size_t i = 0; i < w->setup.n; i++)
        put(&w->s, w->setup.values[i].number, w->setup.values[i].value);
    return true;
}

static void assert_no_mistake(const struct words *w, const char *core)
{
    struct etm_lint lints[LINTS];
    int n = etm_lint_values(&w->s.explain, lints, LINTS, NULL);

    assert_in_range(n, 0, LINTS);
    for (int i = 0; i < n; i++) {
        if (lints[i].severity == ETM_SEVERITY_UNPREDICTABLE)
            fail_msg("%s: %s", core, lints[i].text);
    }
}

/* Comparators of the DWT stand in for address comparators (E-580). */
static bool is_by_dwt(const struct words *w)
{
    uint32_t value;

    return etm_setup_get(&w->setup, etm_register_number("DWT_COMP0"), &value) ==
           ETM_OK;
}

/* On each core that can do it, the words are said. How many cores can. */
static unsigned assert_all_say(const struct etm_request *request,
                               const char *line)
{
    struct words w;
    unsigned n = 0;
    const struct etm_core *core;

    for (size_t i = 0; (core = etm_cores(i)) != NULL; i++) {
        if (!configured(&w, core, request))
            continue;
        assert_no_mistake(&w, core->name);
        if (is_by_dwt(&w))
            continue;
        n++;
        assert_says(&w.s, line);
    }
    return n;
}

static void nothing_asked_for_is_the_whole_program(void **state)
{
    const struct etm_request request = {0};

    (void)state;
    assert_true(assert_all_say(&request, "instruction trace/what: All "
                                         "instructions are traced.") > 10);
}

static void one_range(void **state)
{
    const struct etm_request_match match = {
        .range = true, .from = 0x8000, .to = 0x80ff, .isa = ETM_ISA_ARM};
    const struct etm_request include = {.include = &match, .n_include = 1};
    const struct etm_request exclude = {.exclude = &match, .n_exclude = 1};

    (void)state;
    assert_true(assert_all_say(&include,
                               "include: Only traced: range 1 (instruction "
                               "executed in [0x00008000, 0x00008100)") > 8);
    assert_true(assert_all_say(&exclude,
                               "exclude: Everything is traced except range 1 "
                               "(instruction executed in [0x00008000, "
                               "0x00008100)") > 8);
}

static void a_start_and_a_stop(void **state)
{
    const struct etm_request_match start = {.from = 0x8000, .isa = ETM_ISA_ARM};
    const struct etm_request_match stop = {.from = 0x8040, .isa = ETM_ISA_ARM};
    const struct etm_request request = {
        .start = &start, .n_start = 1, .stop = &stop, .n_stop = 1};

    (void)state;
    assert_true(assert_all_say(&request,
                               "start/stop: Only traced while started by "
                               "address comparator 1 (instruction executed at "
                               "0x00008000") > 8);
}

/* Without address comparators: those of the DWT (7.6.4, E-580). */
static void what_the_dwt_compares(void **state)
{
    const struct etm_request_match range = {
        .range = true, .from = 0x8000, .to = 0x80ff};
    const struct etm_request_match start = {.from = 0x8000};
    const struct etm_request_match stop = {.look = ETM_LOOK_STORE,
                                           .from = 0x20000010};
    const struct etm_request request = {.include = &range,
                                        .n_include = 1,
                                        .start = &start,
                                        .n_start = 1,
                                        .stop = &stop,
                                        .n_stop = 1};
    struct words w;

    (void)state;
    assert_true(configured(&w, core_named("cortex-m4"), &request));
    assert_no_mistake(&w, "cortex-m4");
    assert_says(&w.s, "Only traced while started by EmbeddedICE comparator 1 "
                      "(instruction executed at 0x00008000); the start/stop "
                      "block is stopped by EmbeddedICE comparator 2 (store "
                      "from 0x20000010 to 0x20000013).");
    assert_says(&w.s, "Enabling event: EmbeddedICE comparator 3 matching.");
    assert_says(&w.s, "comparators/EmbeddedICE comparator 3: EmbeddedICE "
                      "comparator 3 is DWT comparator 2: instruction executed "
                      "from 0x00008000 to 0x000080ff.");
}

/* What is used is off, has a function of its own, or bits that are ignored. */
static void a_comparator_of_the_dwt_may_never_match(void **state)
{
    static const struct {
        const char *name;
        uint32_t value;
        unsigned lints;
    } rows[] = {
        {"DEMCR", 0x01000001, 0},         {"DEMCR", 0x00000001, 1},
        {"DWT_FUNCTION0", 0x01000208, 0}, {"DWT_FUNCTION0", 4, 1},
        {"DWT_FUNCTION0", 0x108, 1},      {"DWT_COMP0", 0x8100, 0},
        {"DWT_COMP0", 0x8080, 1},         {"DWT_FUNCTION1", 0, 0},
    };
    const struct etm_request_match range = {
        .range = true, .from = 0x8000, .to = 0x80ff};
    const struct etm_request request = {.include = &range, .n_include = 1};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t number = etm_register_number(rows[i].name);
        struct etm_lint lint;
        struct words w;

        assert_true(configured(&w, core_named("cortex-m3"), &request));
        assert_int_equal(linted(&w.s, ETM_LINT_NEVER_MATCHES, &lint), 0);
        put(&w.s, number, rows[i].value);
        assert_int_equal(linted(&w.s, ETM_LINT_NEVER_MATCHES, &lint),
                         rows[i].lints);
        if (rows[i].lints != 0)
            assert_int_equal(lint.number, number);
    }
}

static void a_trigger_after_a_count(void **state)
{
    struct etm_request request = {
        .trigger = {.what = ETM_CONDITION_MATCH,
                    .match = {.from = 0x8040, .isa = ETM_ISA_ARM},
                    .times = 100}};

    (void)state;
    assert_true(assert_all_say(&request, "trigger/event: Trigger: counter 1 at "
                                         "zero.") > 8);
    assert_true(assert_all_say(&request, "Counter 1: counts down from 100; "
                                         "enable event: address comparator 1 "
                                         "matching; reload event: never.") > 8);
}

static void data_of_a_range(void **state)
{
    const struct etm_request_match match = {
        .look = ETM_LOOK_STORE, .range = true, .from = 0x2000, .to = 0x20ff};
    const struct etm_request request = {
        .data_value = true, .data_include = &match, .n_data_include = 1};

    (void)state;
    assert_true(assert_all_say(&request, "include: Included: range 1 (store "
                                         "") > 3);
    assert_true(assert_all_say(&request, "[0x00002000, 0x00002100), by words") >
                3);
    assert_true(assert_all_say(&request,
                               "Data trace of loads and stores: values.") > 3);
}

/* A value, as each version wants it programmed. */
static void data_of_a_value(void **state)
{
    const struct etm_request_match match = {.look = ETM_LOOK_LOAD,
                                            .from = 0x2000,
                                            .size = 4,
                                            .has_value = true,
                                            .value = 0x12345678};
    const struct etm_request request = {
        .data_value = true, .data_include = &match, .n_data_include = 1};

    (void)state;
    assert_true(assert_all_say(&request, "value 0x12345678") > 3);
}

static void modes_that_are_asked_for(void **state)
{
    const struct etm_request request = {.cycle_accurate = true,
                                        .context_id_bytes = 4};

    (void)state;
    assert_true(assert_all_say(&request, "Tracing is cycle-accurate.") > 8);
    assert_true(assert_all_say(&request, "4 bytes of the context ID are "
                                         "traced.") > 8);
}

/* Where ETMCCER[11] is clear (table 3-3). */
static bool is_readable(uint32_t number)
{
    return number <= 0x001 || number == 0x004 || number == 0x005 ||
           (number >= 0x05c && number <= 0x05f) || number == 0x067 ||
           number == 0x079 || number == 0x07a || number >= 0x080;
}

/* All registers that can be read, as a debugger dumps them. */
static void dump(struct words *w, struct etm_macrocell *macrocell,
                 enum etm_access access, bool readable)
{
    w->s.explain.n_registers = 0;
    w->s.explain.macrocell = NULL;
    for (uint32_t number = 0; number < 0x400; number++) {
        uint32_t value;

        if ((readable || is_readable(number)) &&
            etm_register_name(number) != NULL &&
            etm_macrocell_read(macrocell, number, access, &value) ==
                ETM_ACCESS_OK)
            put(&w->s, number, value);
    }
}

/* What the model of each macrocell shows has no mistake, and says itself what
   the macrocell is. */
static void dumps_of_the_model(void **state)
{
    const struct etm_request_match match = {
        .range = true, .from = 0x8000, .to = 0x80ff, .isa = ETM_ISA_ARM};
    const struct etm_request request = {
        .include = &match, .n_include = 1, .cycle_accurate = true};
    const struct etm_core *core;
    unsigned n = 0;

    (void)state;
    for (size_t i = 0; (core = etm_cores(i)) != NULL; i++) {
        struct words w;
        struct etm_macrocell *macrocell;
        enum etm_access access = ETM_ACCESS_DEBUGGER;
        bool readable;

        if (!configured(&w, core, &request))
            continue;
        assert_int_equal(etm_macrocell_new(&macrocell, &w.s.macrocell, NULL),
                         ETM_OK);
        if (etm_setup_apply(&w.setup, macrocell, access, NULL) != ETM_OK) {
            access = ETM_ACCESS_JTAG;
            assert_int_equal(etm_setup_apply(&w.setup, macrocell, access, NULL),
                             ETM_OK);
        }
        readable = (w.s.macrocell.ccer >> 11 & 1) != 0;
        dump(&w, macrocell, access, readable);
        assert_no_mistake(&w, core->name);
        assert_says(&w.s, "programming bit: The programming bit is clear");
        assert_says(&w.s, "Tracing is cycle-accurate.");
        assert_says(&w.s, "macrocell/resources: Resources:");
        if (readable)
            assert_says(&w.s, "Only traced: range 1 (instruction executed in "
                              "[0x00008000, 0x00008100)");
        else
            assert_says(&w.s, ", which are write-only: which instructions are "
                              "traced.");
        n++;
        etm_macrocell_free(macrocell);
    }
    assert_true(n > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_asked_for_is_the_whole_program),
        cmocka_unit_test(one_range),
        cmocka_unit_test(a_start_and_a_stop),
        cmocka_unit_test(what_the_dwt_compares),
        cmocka_unit_test(a_comparator_of_the_dwt_may_never_match),
        cmocka_unit_test(a_trigger_after_a_count),
        cmocka_unit_test(data_of_a_range),
        cmocka_unit_test(data_of_a_value),
        cmocka_unit_test(modes_that_are_asked_for),
        cmocka_unit_test(dumps_of_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
