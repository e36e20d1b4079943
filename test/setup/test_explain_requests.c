/* SPDX-License-Identifier: Apache-2.0 */
/* Requests become registers, and dumps of the model that has them say in words
   what was asked for, on the macrocell of every core (MC-DSC-08). */
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
        cmocka_unit_test(dumps_of_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
