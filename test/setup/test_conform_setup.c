/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and the advice of the specification to tools: rows of
   doc/conformance.md that no other test of requests has. */
#include "rig.h"

/* MC-ADR-11: the size of the instruction set; where any may come, the widest
 */
static void size_is_that_of_the_instruction_set(void **state)
{
    static const struct {
        enum etm_isa isa;
        uint32_t control;
    } rows[] = {{ETM_ISA_ARM, 0x19},
                {ETM_ISA_THUMB, 0x09},
                {ETM_ISA_THUMBEE, 0x09},
                {ETM_ISA_JAZELLE, 0x01},
                {ETM_ISA_UNKNOWN, 0x19}};

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct etm_request_match in = RANGE(0x8000, 0x80ff);
            struct rig g;

            if (strncmp(versions[v], "pft", 3) == 0)
                continue; /* no size there */
            rig_make(&g, "cortex-a8", versions[v]);
            in.isa = rows[i].isa;
            g.request.include = &in;
            g.request.n_include = 1;
            rig_run(&g);
            assert_int_equal(rig_value(&g, "ETMACTR1"), rows[i].control);
            assert_int_equal(rig_value(&g, "ETMACTR2"), rows[i].control);
        }
}

/* MC-ADR-41: outside a range by an exclude region, or by an event that says
   NOT */
static void outside_is_said_by_regions_and_events(void **state)
{
    struct etm_request_match range = RANGE(0x8000, 0x80ff);
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.exclude = &range;
    g.request.n_exclude = 1;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 0x01000001);
    assert_true(rig_traced(&g, 0x7ffc));
    assert_false(rig_traced(&g, 0x8000));
    assert_true(rig_traced(&g, 0x8100));

    rig_make(&g, "cortex-a8", NULL);
    g.request.trigger.what = ETM_CONDITION_MATCH;
    g.request.trigger.match = range;
    g.request.trigger.inverted = true;
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x04010);
    assert_int_equal(rig_value(&g, "ETMACVR1"), 0x8000);
    assert_int_equal(rig_value(&g, "ETMACVR2"), 0x8100);
}

/* MC-TE-28: regions and starts and stops, together */
static void regions_combine_with_starts_and_stops(void **state)
{
    static const struct {
        uint32_t address;
        bool traced;
    } run[] = {{0x9000, false}, {0x8000, true}, {0x9004, true},
               {0xa000, false}, {0x9008, true}, {0x8040, false},
               {0x9000, false}, {0x8000, true}};
    static const struct etm_request_match in[] = {RANGE(0x8000, 0x9fff)};
    static const struct etm_request_match start[] = {AT(0x8000)};
    static const struct etm_request_match stop[] = {AT(0x8040)};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.include = in;
    g.request.start = start;
    g.request.stop = stop;
    g.request.n_include = g.request.n_start = g.request.n_stop = 1;
    rig_run(&g);
    for (size_t i = 0; i < COUNT(run); i++)
        assert_int_equal(rig_traced(&g, run[i].address), run[i].traced);
}

/* TV-ACC-01, MC-REG-01: a register number times four is the offset in memory;
   ETMTRACEIDR, 0x080, is at 0x200 and ETMPDSR, 0x0c5, at 0x314 */
static void register_numbers_become_offsets_in_memory(void **state)
{
    static const struct {
        enum etm_setup_format format;
        const char *words[3];
    } rows[] = {
        {ETM_SETUP_FORMAT_OPENOCD,
         {"mww 0xe0041200 0x00000012", "read_memory 0xe0041314", "0xe0041fb0"}},
        {ETM_SETUP_FORMAT_GDB,
         {"*)0xe0041200 = 0x00000012", "*)0xe0041314", "*)0xe0041fb0"}},
        {ETM_SETUP_FORMAT_C,
         {"(0xe0041200, 0x00000012)", "(0xe0041314)", "(0xe0041fb0, "}}};
    struct etm_setup_script script = {0};
    static char text[32768];
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.trace_id = 0x12;
    rig_configure(&g);
    assert_int_equal(etm_setup_script_of(&script, &g.macrocell, NULL), ETM_OK);
    for (size_t i = 0; i < COUNT(rows); i++) {
        int n = etm_setup_write(&g.setup, rows[i].format, &script, text,
                                sizeof text, &g.diag);

        assert_in_range(n, 1, sizeof text - 1);
        for (size_t k = 0; k < 3; k++) {
            if (!strstr(text, rows[i].words[k]))
                print_message("%s\n", rows[i].words[k]);
            assert_non_null(strstr(text, rows[i].words[k]));
        }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_is_that_of_the_instruction_set),
        cmocka_unit_test(outside_is_said_by_regions_and_events),
        cmocka_unit_test(regions_combine_with_starts_and_stops),
        cmocka_unit_test(register_numbers_become_offsets_in_memory),
        cmocka_unit_test(a_dump_with_counters_can_be_applied),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
