/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about events, the control register, the port and the FIFO, and about
   what a macrocell does not have. */
#include "../support/core.h"
#include "lint_util.h"

#include "model/registers.h"

#include <etm/setup.h>

/* MC-LINT-13 */
static void stalling_and_suppressing_exclude_each_other(void **state)
{
    (void)state;
    for (unsigned v = V3_0; v <= V3_5; v++)
        both(v, ETM_LINT_STALL_AND_SUPPRESS, U,
             VALUES({0x000, 0x40880}, {0x00b, 9}),
             VALUES({0x000, 0x40800}, {0x00b, 9}));
    never(V2_1, ETM_LINT_STALL_AND_SUPPRESS, VALUES({0x000, 0x40880}));
}

/* MC-FIFO-07, MC-FIFO-08, MC-LINT-14, V3-CFG-20 */
static void the_level_of_the_fifo_has_to_make_sense(void **state)
{
    (void)state;
    both(V1_0, ETM_LINT_FIFO_LEVEL, U, VALUES({0x000, 0x880}, {0x00b, 0}),
         VALUES({0x000, 0x880}, {0x00b, 40}));
    both(V1_3, ETM_LINT_FIFO_LEVEL, U, VALUES({0x000, 0x880}, {0x00b, 41}),
         VALUES({0x000, 0x880}, {0x00b, 15}));
    both(V3_2, ETM_LINT_FIFO_LEVEL, U, VALUES({0x000, 0x40800}, {0x00b, 0}),
         VALUES({0x000, 0x40800}, {0x00b, 1}));
    /* MC-FIFO-09: from v2.0 on more becomes the size */
    never(V2_0, ETM_LINT_FIFO_LEVEL, VALUES({0x000, 0x880}, {0x00b, 41}));
    never(V3_2, ETM_LINT_FIFO_LEVEL, VALUES({0x00b, 0}));
}

/* MC-FIFO-04 */
static void stalling_without_fifofull_does_nothing(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put_all(&s, VALUES({0x000, 0x880}, {0x00b, 9}));
    assert_int_equal(linted(&s, ETM_LINT_NO_FIFOFULL, NULL), 0);
    s.macrocell.ccr &= ~(1u << 23);
    assert_int_equal(linted(&s, ETM_LINT_NO_FIFOFULL, NULL), 1);
    both(V1_3, ETM_LINT_NO_FIFOFULL, A, VALUES({0x000, 0x880}, {0x005, 0xfa}),
         VALUES({0x000, 0x880}, {0x005, 0x1fa}));
}

/* MC-LINT-15, V3-CFG-08 */
static void filtering_coprocessor_transfers_needs_tracing_them(void **state)
{
    (void)state;
    both(V3_0, ETM_LINT_CPRT_FILTER, U, VALUES({0x000, 0x80800}),
         VALUES({0x000, 0x80802}));
    both(V3_5, ETM_LINT_CPRT_FILTER, U, VALUES({0x000, 0x80800}),
         VALUES({0x000, 0x802}));
    never(V2_1, ETM_LINT_CPRT_FILTER, VALUES({0x000, 0x80800}));
}

/* MC-LINT-16, MC-RES-17, TV-EVT-07 */
static void events_ask_for_resources_that_there_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VERSIONS; i++) {
        unsigned v = all_versions[i];

        both(v, ETM_LINT_RESOURCE, U, VALUES({0x002, 0x7f}),
             VALUES({0x002, 0x41}));
        both(v, ETM_LINT_RESOURCE, U, VALUES({0x008, 0x0a16f}),
             VALUES({0x008, 0x0a06f}));
        /* the operand that the function does not read */
        never(v, ETM_LINT_RESOURCE, VALUES({0x002, 0x03fd2}));
    }
    /* by version: context ID, selectors, states, instrumentation, ICE */
    both(V1_3, ETM_LINT_RESOURCE, U, VALUES({0x002, 0x58}),
         VALUES({0x002, 0x61}));
    never(V2_0, ETM_LINT_RESOURCE, VALUES({0x002, 0x58}));
    both(V3_0, ETM_LINT_RESOURCE, U, VALUES({0x002, 0x68}),
         VALUES({0x002, 0x6f}));
    never(V3_1, ETM_LINT_RESOURCE, VALUES({0x002, 0x68}));
    both(V3_1, ETM_LINT_RESOURCE, U, VALUES({0x002, 0x6d}),
         VALUES({0x002, 0x6f}));
    never(V3_2, ETM_LINT_RESOURCE, VALUES({0x002, 0x6d}));
    both(V3_2, ETM_LINT_RESOURCE, U, VALUES({0x002, 0x18}),
         VALUES({0x002, 0x10}));
    never(V3_3, ETM_LINT_RESOURCE, VALUES({0x002, 0x19}));
    both(V3_3, ETM_LINT_RESOURCE, U, VALUES({0x002, 0x23}),
         VALUES({0x002, 0x21}));
    never(V3_4, ETM_LINT_RESOURCE, VALUES({0x002, 0x23}));
    /* a counter that nothing looks at */
    both(V3_4, ETM_LINT_RESOURCE, A, VALUES({0x054, 0x7f}),
         VALUES({0x054, 0x00}));
    both(V3_4, ETM_LINT_RESOURCE, U, VALUES({0x054, 0x7f}, {0x002, 0x40}),
         VALUES({0x054, 0x00}, {0x002, 0x40}));
}

/* 3.5.1, table 3-9: the bit of a feature that is missing reads as zero. */
static void modes_that_the_macrocell_lacks_are_named(void **state)
{
    static const struct {
        const char *core;
        uint32_t value;
        const char *names; /* of the one that is missing; NULL: all exist */
    } rows[] = {
        {"cortex-m3", 0x10000810, NULL},
        {"cortex-m3", 0x814, "values"},
        {"cortex-m3", 0x818, "data addresses"},
        {"cortex-m3", 0x890, NULL},
        {"cortex-a9", 0x20000000, "return"},
        {"cortex-a15", 0x20000000, NULL},
        {"cortex-a9", 0x10000000, NULL}, /* E-337 */
        {"cortex-a5", 0x40000840, "VMIDs"},
        {"cortex-a7", 0x40000840, NULL},
        {"cortex-r4", 0x0000084e, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_register cr = {.number = ETM_REG_CR, .value = rows[i].value};
        struct etm_macrocell_config macrocell = {0};
        struct etm_config config = {0};
        struct etm_diag diag;
        struct etm_explain_config explain = {
            .registers = &cr, .n_registers = 1, .macrocell = &macrocell};
        struct etm_lint lints[8];
        int n, found = 0;

        assert_int_equal(etm_core_macrocell(core_named(rows[i].core), NULL,
                                            &macrocell, &config, &diag),
                         ETM_OK);
        n = etm_lint_values(&explain, lints, 8, &diag);
        assert_in_range(n, 0, 8);
        for (int k = 0; k < n; k++) {
            if (lints[k].rule != ETM_LINT_NO_FEATURE)
                continue;
            found++;
            assert_int_equal(lints[k].severity, A);
            assert_int_equal(lints[k].number, ETM_REG_CR);
            assert_non_null(rows[i].names);
            assert_non_null(strstr(lints[k].text, rows[i].names));
        }
        assert_int_equal(found, rows[i].names != NULL);
    }
}

/* With virtualization the VMID comparator is one (IHI 0014Q, table 3.89).
   E-210 */
static void events_ask_for_the_vmid_where_there_is_one(void **state)
{
    static const struct {
        const char *core;
        bool has;
    } rows[] = {{"cortex-a5", false},
                {"cortex-a7", true},
                {"cortex-a9", false},
                {"cortex-a15", true}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_register event = {.number = ETM_REG_TRIGGER, .value = 0x5b};
        struct etm_macrocell_config macrocell = {0};
        struct etm_config config = {0};
        struct etm_diag diag;
        struct etm_explain_config explain = {
            .registers = &event, .n_registers = 1, .macrocell = &macrocell};
        struct etm_lint lints[8];
        int n, found = 0;

        assert_int_equal(etm_core_macrocell(core_named(rows[i].core), NULL,
                                            &macrocell, &config, &diag),
                         ETM_OK);
        n = etm_lint_values(&explain, lints, 8, &diag);
        assert_in_range(n, 0, 8);
        for (int k = 0; k < n; k++)
            found += lints[k].rule == ETM_LINT_RESOURCE;
        assert_int_equal(found, !rows[i].has);
    }
}

/* No register tells before v3.4 whether there are two EmbeddedICE inputs or
 * none: asking for them is no mistake, but for a third. E-143 */
static void eice_inputs_before_v3_4_are_taken_to_be_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VERSIONS; i++) {
        unsigned v = all_versions[i];

        if (v >= V3_4)
            continue;
        both(v, ETM_LINT_RESOURCE, U, VALUES({0x002, 0x22}),
             VALUES({0x002, 0x21}));
        never(v, ETM_LINT_RESOURCE, VALUES({0x002, 0x20}));
    }
}

static void selectors_choose_inputs_that_there_are(void **state)
{
    (void)state;
    both(V3_1, ETM_LINT_EXTENDED_INPUT, A, VALUES({0x002, 0x68}, {0x07b, 40}),
         VALUES({0x002, 0x68}, {0x07b, 39}));
    never(V3_1, ETM_LINT_EXTENDED_INPUT, VALUES({0x07b, 40}));
}

/* MC-SEQ-06, MC-LINT-17 */
static void the_sequencer_needs_all_its_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VERSIONS; i++) {
        both(all_versions[i], ETM_LINT_TRANSITION, U,
             VALUES({0x002, 0x52}, {0x060, 0}, {0x061, 0x406f}, {0x062, 1},
                    {0x063, 0x406f}, {0x064, 0x406f}),
             VALUES({0x002, 0x52}, {0x060, 0}, {0x061, 0x406f}, {0x062, 1},
                    {0x063, 0x406f}, {0x064, 0x406f}, {0x065, 0x406f}));
        both(all_versions[i], ETM_LINT_SEQUENCER_STATE, U, VALUES({0x067, 3}),
             VALUES({0x067, 2}));
        /* a dump that has none of them tells nothing */
        never(all_versions[i], ETM_LINT_TRANSITION, VALUES({0x002, 0x52}));
    }
}

/* MC-FLD-22, TV-CNT-04 */
static void counters_of_version_1_have_a_count_source(void **state)
{
    (void)state;
    both(V1_2, ETM_LINT_COUNT_SOURCE, A,
         VALUES({0x002, 0x40}, {0x054, 0x00001}),
         VALUES({0x002, 0x40}, {0x054, 0x20001}));
    never(V2_0, ETM_LINT_COUNT_SOURCE, VALUES({0x002, 0x40}, {0x054, 0x00001}));
    never(V2_0, ETM_LINT_RESERVED_BITS,
          VALUES({0x002, 0x40}, {0x054, 0x20001}));
    both(V3_4, ETM_LINT_COUNTER_VALUE, A, VALUES({0x002, 0x40}, {0x050, 0}),
         VALUES({0x002, 0x40}, {0x050, 1}));
}

/* MC-LINT-19 */
static void the_selected_core_has_to_be_there(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_2);
    s.macrocell.scr |= 1u << 12;
    put(&s, 0x000, 0x04000800);
    assert_int_equal(linted(&s, ETM_LINT_CORE_SELECT, NULL), 1);
    put(&s, 0x000, 0x02000800);
    assert_int_equal(linted(&s, ETM_LINT_CORE_SELECT, NULL), 0);
}

/* MC-LINT-20, MC-CLK-06, MC-CLK-10 */
static void the_port_has_such_a_size_and_mode(void **state)
{
    (void)state;
    both(V1_0, ETM_LINT_PORT, U, VALUES({0x000, 0x830}),
         VALUES({0x000, 0x820}));
    both(V2_1, ETM_LINT_PORT, U, VALUES({0x000, 0x30800}),
         VALUES({0x000, 0x20800}));
    both(V1_2, ETM_LINT_PORT, U, VALUES({0x000, 0x12800}),
         VALUES({0x000, 0x10800}));
    both(V3_0, ETM_LINT_PORT, U, VALUES({0x000, 0x870}),
         VALUES({0x000, 0x840}));
    both(V3_4, ETM_LINT_PORT, U, VALUES({0x000, 0x20800}),
         VALUES({0x000, 0x12800}));
    /* ETMSCR of a dump answers for the port as it is */
    both(V3_4, ETM_LINT_PORT, U, VALUES({0x000, 0x820}, {0x005, 0x804}),
         VALUES({0x000, 0x820}, {0x005, 0xc04}));
    both(V3_4, ETM_LINT_PORT, U, VALUES({0x000, 0x820}, {0x005, 0x404}),
         VALUES({0x000, 0x820}, {0x005, 0xc04}));
    /* formats before v3.0 */
    both(V2_0, ETM_LINT_PORT, U, VALUES({0x000, 0x10800}, {0x005, 0x1ba}),
         VALUES({0x000, 0x00800}, {0x005, 0x1ba}));
    /* clocking: ETMSCR[4] is full rate, [3] half rate (3.5.6) */
    both(V2_0, ETM_LINT_PORT, U, VALUES({0x000, 0x00800}, {0x005, 0x1aa}),
         VALUES({0x000, 0x00800}, {0x005, 0x1b2}));
    both(V1_3, ETM_LINT_PORT, U, VALUES({0x000, 0x02800}, {0x005, 0x1b2}),
         VALUES({0x000, 0x02800}, {0x005, 0x1aa}));
    never(PFT1_1, ETM_LINT_PORT, VALUES({0x000, 0x70}));
    both(V3_4, ETM_LINT_PORT_OFF, A, VALUES({0x000, 0}),
         VALUES({0x000, 0x800}));
}

/* MC-GEN-07, MC-LINT-21, V3-CFG-13 */
static void synchronization_is_longer_than_the_fifo(void **state)
{
    (void)state;
    both(V2_0, ETM_LINT_SYNC_PERIOD, A, VALUES({0x078, 40}),
         VALUES({0x078, 41}));
    both(PFT1_1, ETM_LINT_SYNC_PERIOD, A, VALUES({0x078, 0}),
         VALUES({0x078, 1024}));
    never(V1_3, ETM_LINT_SYNC_PERIOD, VALUES({0x078, 0}));
}

/* ETMCR of ETM in PFT, and the count source of v1: tools set them. E-145 */
static void bits_of_other_versions_that_tools_set_are_no_mistake(void **state)
{
    (void)state;
    never(PFT1_0, ETM_LINT_RESERVED_BITS, VALUES({0x000, 0x00000c70}));
    both(PFT1_0, ETM_LINT_RESERVED_BITS, U, VALUES({0x000, 0x80000400}),
         VALUES({0x000, 0x400}));
    for (size_t i = 0; i < N_VERSIONS; i++)
        never(all_versions[i], ETM_LINT_RESERVED_BITS,
              VALUES({0x054, 0x2006f}));
}

/* MC-LINT-25 */
static void bits_of_later_versions_are_reserved(void **state)
{
    (void)state;
    both(V1_1, ETM_LINT_RESERVED_BITS, U, VALUES({0x000, 0x8800}),
         VALUES({0x000, 0x800}));
    never(V1_2, ETM_LINT_RESERVED_BITS, VALUES({0x000, 0x8800}));
    both(V2_1, ETM_LINT_RESERVED_BITS, U, VALUES({0x000, 0x40800}),
         VALUES({0x000, 0x800}));
    never(V3_0, ETM_LINT_RESERVED_BITS, VALUES({0x000, 0x40800}));
    both(V3_4, ETM_LINT_RESERVED_BITS, U, VALUES({0x000, 0x10000800}),
         VALUES({0x000, 0x800}));
    never(V3_5, ETM_LINT_RESERVED_BITS, VALUES({0x000, 0x10000800}));
    both(V3_1, ETM_LINT_RESERVED_BITS, U, VALUES({0x020, 0x419}),
         VALUES({0x020, 0x319}));
    both(V1_3, ETM_LINT_RESERVED_BITS, U, VALUES({0x020, 0x99}),
         VALUES({0x020, 0x19}));
    both(V3_4, ETM_LINT_RESERVED_BITS, U, VALUES({0x020, 0x2419}),
         VALUES({0x020, 0x419}));
    never(V3_5, ETM_LINT_RESERVED_BITS, VALUES({0x020, 0x2419}));
    for (size_t i = 0; i < N_VERSIONS; i++)
        both(all_versions[i], ETM_LINT_RESERVED_BITS, U,
             VALUES({0x002, 0x2006f}), VALUES({0x002, 0x0006f}));
}

static void registers_that_there_are_not(void **state)
{
    (void)state;
    both(V1_1, ETM_LINT_NO_REGISTER, U, VALUES({0x007, 1}), VALUES({0x007, 0}));
    both(V3_4, ETM_LINT_NO_REGISTER, U, VALUES({0x052, 5}), VALUES({0x051, 5}));
    both(PFT1_1, ETM_LINT_NO_REGISTER, U, VALUES({0x00f, 0x10000}),
         VALUES({0x00f, 0}));
    both(V3_5, ETM_LINT_NO_REGISTER, U, VALUES({0x066, 1}), VALUES({0x065, 1}));
    both(V3_4, ETM_LINT_TRACE_ID, A, VALUES({0x080, 0x70}),
         VALUES({0x080, 0x6f}));
}

/* MC-LINT-28 */
static void jtag_excludes_power_down_and_sharing(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_3);
    put(&s, 0x0c1, 1);
    s.macrocell.interfaces = ETM_INTERFACE_JTAG;
    assert_int_equal(linted(&s, ETM_LINT_JTAG_POWER, NULL), 1);
    s.macrocell.interfaces = ETM_INTERFACE_MEMORY;
    assert_int_equal(linted(&s, ETM_LINT_JTAG_POWER, NULL), 0);

    plain(&s, V3_2);
    s.macrocell.scr |= 1u << 12;
    s.macrocell.interfaces = ETM_INTERFACE_JTAG;
    assert_int_equal(linted(&s, ETM_LINT_JTAG_SHARED, NULL), 1);
    s.macrocell.interfaces = ETM_INTERFACE_COPROCESSOR;
    assert_int_equal(linted(&s, ETM_LINT_JTAG_SHARED, NULL), 0);
}

static void a_macrocell_that_cannot_be_is_reported(void **state)
{
    struct setting s;

    (void)state;
    plain(&s, V3_4);
    put(&s, 0x001, 0x8000000f);
    assert_int_equal(linted(&s, ETM_LINT_IDENTITY, NULL), 1);
    put(&s, 0x001, 0x80000004);
    assert_int_equal(linted(&s, ETM_LINT_IDENTITY, NULL), 0);
}

static void findings_come_in_order_and_are_counted_beyond_capacity(void **state)
{
    struct setting s;
    struct etm_lint lints[LINTS], few[2];
    int n;

    (void)state;
    plain(&s, V3_4);
    put_all(&s, VALUES({0x000, 0xc0880}, {0x00b, 0}, {0x002, 0x7f}, {0x009, 0},
                       {0x080, 0x7f}));
    n = etm_lint_values(&s.explain, lints, LINTS, NULL);
    assert_true(n >= 5);
    for (int i = 1; i < n; i++)
        assert_true(lints[i - 1].rule <= lints[i].rule);
    assert_int_equal(etm_lint_values(&s.explain, few, 2, NULL), n);
    assert_int_equal(etm_lint_values(&s.explain, NULL, 0, NULL), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stalling_and_suppressing_exclude_each_other),
        cmocka_unit_test(the_level_of_the_fifo_has_to_make_sense),
        cmocka_unit_test(stalling_without_fifofull_does_nothing),
        cmocka_unit_test(filtering_coprocessor_transfers_needs_tracing_them),
        cmocka_unit_test(events_ask_for_resources_that_there_are),
        cmocka_unit_test(modes_that_the_macrocell_lacks_are_named),
        cmocka_unit_test(events_ask_for_the_vmid_where_there_is_one),
        cmocka_unit_test(eice_inputs_before_v3_4_are_taken_to_be_there),
        cmocka_unit_test(selectors_choose_inputs_that_there_are),
        cmocka_unit_test(the_sequencer_needs_all_its_events),
        cmocka_unit_test(counters_of_version_1_have_a_count_source),
        cmocka_unit_test(the_selected_core_has_to_be_there),
        cmocka_unit_test(the_port_has_such_a_size_and_mode),
        cmocka_unit_test(synchronization_is_longer_than_the_fifo),
        cmocka_unit_test(bits_of_other_versions_that_tools_set_are_no_mistake),
        cmocka_unit_test(bits_of_later_versions_are_reserved),
        cmocka_unit_test(registers_that_there_are_not),
        cmocka_unit_test(jtag_excludes_power_down_and_sharing),
        cmocka_unit_test(a_macrocell_that_cannot_be_is_reported),
        cmocka_unit_test(
            findings_come_in_order_and_are_counted_beyond_capacity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
