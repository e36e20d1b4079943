/* SPDX-License-Identifier: Apache-2.0 */
/* Events and comparators (ETM architecture 2.2.1, 2.7, 2.8, 3.6). The names
   of requirements and vectors are those of doc/conformance.md. */
#include "resources_util.h"

/* MC-RES-16, ERR-24, MC-EVT-01, MC-EVT-11, TV-EVT-03, MC-EVT-02 to MC-EVT-09,
   TV-EVT-04 */
static void event_functions_follow_their_table(void **state)
{
    /* Outputs for (A, B) = 00, 01, 10, 11. */
    static const char *const rows[8] = {"0011", "1100", "0001", "0100",
                                        "1000", "0111", "1101", "1110"};
    struct rig g;

    (void)state;
    for (unsigned f = 0; f < 8; f++)
        for (unsigned inputs = 0; inputs < 4; inputs++) {
            rig_make(&g, ETM_V3_4);
            g.value[ETM_REG_EXTOUTEVR1] = f << 14 | 0x61 << 7 | 0x60;
            rig_run(&g);
            g.pins.ext_in = (uint8_t)(inputs >> 1 | (inputs & 1) << 1);
            pins(&g);
            assert_int_equal(level(&g), rows[f][inputs] == '1');
        }
}

/* MC-RES-01, TV-EVT-05, TV-INS-09, MC-RES-02 to MC-RES-18 */
static void resources_exist_by_version_and_configuration(void **state)
{
    static const struct {
        unsigned first, last, since;
    } rows[] = {
        {0x00, 0x0f, ETM_V1_0}, {0x10, 0x17, ETM_V1_0}, {0x18, 0x1b, ETM_V3_3},
        {0x20, 0x21, ETM_V1_0}, {0x22, 0x27, ETM_V3_4}, {0x30, 0x3f, ETM_V1_0},
        {0x40, 0x43, ETM_V1_0}, {0x50, 0x52, ETM_V1_0}, {0x58, 0x5a, ETM_V2_0},
        {0x5f, 0x5f, ETM_V2_0}, {0x60, 0x63, ETM_V1_0}, {0x68, 0x6b, ETM_V3_1},
        {0x6d, 0x6e, ETM_V3_2}, {0x6f, 0x6f, ETM_V1_0},
    };
    static const unsigned versions[] = {ETM_V1_0, ETM_V1_3, ETM_V2_0, ETM_V3_0,
                                        ETM_V3_1, ETM_V3_2, ETM_V3_3, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        rig_make(&g, versions[v]);
        for (unsigned number = 0; number < 0x80; number++) {
            bool exists = false;

            for (size_t i = 0; i < COUNT(rows); i++)
                if (number >= rows[i].first && number <= rows[i].last)
                    exists = versions[v] >= rows[i].since;
            assert_int_equal(etm_resource_exists(&g.config, number), exists);
        }
    }
    g.config.counts = (struct etm_resource_counts){.sac_pairs = 1};
    for (unsigned number = 0; number < 0x80; number++)
        assert_int_equal(etm_resource_exists(&g.config, number),
                         number < 2 || number == 0x10 ||
                             (number >= 0x6d && number <= 0x6f));
}

/* ERR-14, MC-RES-23, MF-08: Example 2-1: TV-CMP-01 to TV-CMP-07, MC-ADR-06,
   MC-ADR-34, MC-ADR-35. Table 2-10. */
static void worked_example_of_comparators(void **state)
{
    static const struct {
        unsigned resource;
        const char *levels; /* in cycles 1 to 4 */
    } rows[] = {
        {0x00, "1000"}, {0x01, "0001"}, {0x10, "1110"},
        {0x02, "1000"}, {0x03, "0000"}, {0x11, "1100"},
    };
    static const unsigned versions[] = {ETM_V1_0, ETM_V2_0, ETM_V3_0,
                                        ETM_V3_1, ETM_V3_3, ETM_V3_5};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            const char *levels = rows[i].levels;

            rig_make(&g, versions[v]);
            arc(&g, 1, 0x1000, 0x1008, 0x19);
            arc(&g, 2, 0x2000, 0x2008, 0x1e);
            watch(&g, rows[i].resource);
            insn(&g, 0x1000);
            transfer(&g, true, 0x2000, 4, 0);
            assert_int_equal(level(&g), levels[0] == '1');
            insn(&g, 0x1004);
            assert_int_equal(level(&g), levels[1] == '1');
            transfer(&g, false, 0x2004, 4, 0);
            assert_int_equal(level(&g), levels[2] == '1');
            insn(&g, 0x1008);
            assert_int_equal(level(&g), levels[3] == '1');
        }
}

/* MC-ADR-05 */
static void access_type_tells_loads_from_stores(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned type = LOAD_STORE; type <= STORE; type++)
        for (unsigned resource = 0x00; resource <= 0x10; resource += 0x10) {
            rig_make(&g, ETM_V3_4);
            arc(&g, 1, 0x2000, 0x2010, type | WORD);
            watch(&g, resource);
            assert_int_equal(hit(&g, false, 0x2000, 4, 0), type != STORE);
            assert_int_equal(hit(&g, true, 0x2000, 4, 0), type != LOAD);
        }
    /* An instruction at that address is something else. */
    insn(&g, 0x2000);
    assert_true(level(&g)); /* held */
    transfer(&g, true, 0x3000, 4, 0);
    insn(&g, 0x2000);
    assert_false(level(&g));
}

/* MC-ADR-27: its result is not predictable; it does nothing. E-132 */
static void range_that_ends_before_it_begins_is_empty(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    for (uint32_t high = 0; high <= 0x1000; high += 0x800) {
        arc(&g, 1, 0x1000, high, EXECUTE | WORD);
        watch(&g, 0x10);
        for (uint32_t address = 0; address < 0x2000; address += 0x400) {
            insn(&g, address);
            assert_false(level(&g));
        }
    }
}

/* MC-ADR-17, MC-ADR-18, MF-10, E-129 */
static void coprocessor_transfer_ends_a_range_of_data(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned without = 0; without < 2; without++) {
        struct etm_resource_transfer t;

        rig_make(&g, ETM_V3_4);
        g.config.no_cprt = without;
        arc(&g, 1, 0x2000, 0x3000, LOAD_STORE | WORD);
        watch(&g, 0x10);
        assert_true(hit(&g, false, 0x2000, 4, 0));
        t = transfer_of(&g, false, 0x2000, 4, 0);
        t.cprt = true;
        etm_resources_transfer(&g.r, &t);
        assert_int_equal(level(&g), without);
    }
    rig_make(&g, ETM_V3_4);
    arc(&g, 1, 0x1000, 0x2000, EXECUTE | WORD);
    watch(&g, 0x10);
    insn(&g, 0x1000);
    {
        struct etm_resource_transfer t = transfer_of(&g, false, 0, 4, 0);

        t.cprt = true;
        etm_resources_transfer(&g.r, &t);
    }
    assert_true(level(&g)); /* a range of instructions goes on */
    assert_true(level(&g));
}

/* MF-29, MC-FLD-14, MC-FLD-25, MC-ADR-08, MC-CID-01, MC-CID-02, MC-CID-04,
   MC-RES-10 */
static void context_id_gates_a_comparator(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned field = 0; field < 4; field++) {
        rig_make(&g, ETM_V3_4);
        g.value[ETM_REG_CIDCVR1 + 0] = 0x100;
        g.value[ETM_REG_CIDCVR1 + 1] = 0x200;
        g.value[ETM_REG_CIDCVR1 + 2] = 0x300;
        g.value[ETM_REG_CIDCMR] = 0xff;
        sac(&g, 1, 0x1000, EXECUTE | WORD | field << 8);
        g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x59;
        watch(&g, 0x00);
        for (uint32_t id = 0; id < 4; id++) {
            g.context.context_id = id << 8 | 0x5a;
            context(&g);
            insn(&g, 0x1000);
            assert_int_equal(level(&g), field == 0 || field == id);
            assert_int_equal(g.out.ext_out >> 1 & 1, id == 2);
            cycle(&g); /* a level, with or without instructions */
            assert_int_equal(g.out.ext_out >> 1 & 1, id == 2);
        }
    }
}

/* MC-FLD-13, MC-ADR-09, MC-SEC-15, MC-RES-14 */
static void security_state_gates_a_comparator(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned field = 0; field < 4; field++)
        for (unsigned has = 0; has < 2; has++)
            for (unsigned ns = 0; ns < 2; ns++) {
                rig_make(&g, ETM_V3_4);
                g.config.security = has;
                sac(&g, 1, 0x1000, EXECUTE | WORD | field << 10);
                g.value[ETM_REG_EXTOUTEVR1 + 1] = 0x6d;
                watch(&g, 0x00);
                g.context.non_secure = ns;
                context(&g);
                insn(&g, 0x1000);
                assert_int_equal(level(&g),
                                 !has || field == 0 || field == (ns ? 1u : 2u));
                assert_int_equal(g.out.ext_out >> 1 & 1, has && ns);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_functions_follow_their_table),
        cmocka_unit_test(resources_exist_by_version_and_configuration),
        cmocka_unit_test(worked_example_of_comparators),
        cmocka_unit_test(access_type_tells_loads_from_stores),
        cmocka_unit_test(range_that_ends_before_it_begins_is_empty),
        cmocka_unit_test(coprocessor_transfer_ends_a_range_of_data),
        cmocka_unit_test(context_id_gates_a_comparator),
        cmocka_unit_test(security_state_gates_a_comparator),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
