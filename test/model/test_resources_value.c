/* SPDX-License-Identifier: Apache-2.0 */
/* Data value comparators and exact match (ETM architecture 2.7.4, 2.8). The
   names of requirements and vectors are those of doc/conformance.md. */
#include "resources_util.h"

/* MC-DVC-08, TV-DVC-05, TV-DVC-08, TV-DVC-10 */
static void value_stands_at_bit_0_from_v2_0_to_v3_2(void **state)
{
    static const unsigned versions[] = {ETM_V2_0, ETM_V3_2};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (uint32_t a = 0x1000; a < 0x1004; a++) {
            rig_make(&g, versions[v]);
            sac(&g, 1, a, LOAD_STORE | BYTE | EQUAL);
            dvc(&g, 1, 0x000000ab, 0xffffff00);
            watch(&g, 0x00);
            assert_true(hit(&g, false, a, 1, 0xab));
            assert_true(hit_big(&g, a, 1, 0xab));
            assert_false(hit(&g, false, a, 1, 0xba));
        }
    arc(&g, 1, 0x1000, 0x1010, LOAD_STORE | BYTE | EQUAL);
    watch(&g, 0x10);
    assert_true(hit(&g, false, 0x1007, 1, 0xab));
    assert_false(hit(&g, false, 0x1007, 1, 0xaa));
}

/* MC-FLD-15, MC-XM-04 to MC-XM-08; TV-XM-02 to TV-XM-13: tables 2-5 and 2-6 */
static void exact_match_follows_its_tables(void **state)
{
    static const struct {
        unsigned control;
        const char *normal; /* failed, equal, different */
        const char *waits, *returned;
    } rows[] = {
        {0, "111", "111", "000"},
        {EXACT, "011", "000", "011"},
        {EQUAL, "110", "111", "000"},
        {EQUAL | EXACT, "010", "000", "010"},
        {DIFFERENT, "101", "111", "000"},
        {DIFFERENT | EXACT, "001", "000", "001"},
    };
    static const unsigned versions[] = {ETM_V2_0, ETM_V3_0, ETM_V3_1, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++)
        for (size_t i = 0; i < COUNT(rows); i++)
            for (unsigned column = 0; column < 3; column++) {
                /* Note d of table 2-6. */
                bool early =
                    versions[v] <= ETM_V3_0 && rows[i].control == EXACT;
                const char *waits = early ? "111" : rows[i].waits;
                const char *returned = early ? "000" : rows[i].returned;
                struct etm_resource_transfer t;

                rig_make(&g, versions[v]);
                sac(&g, 1, 0x2000, LOAD_STORE | WORD | rows[i].control);
                dvc(&g, 1, 7, 0);
                watch(&g, 0x00);
                t = transfer_of(&g, false, 0x2000, 4, column == 1 ? 7 : 8);
                t.failed = column == 0;
                etm_resources_transfer(&g.r, &t);
                assert_int_equal(level(&g), rows[i].normal[column] == '1');
                t.phase = ETM_TRANSFER_WAITS;
                etm_resources_transfer(&g.r, &t);
                assert_int_equal(level(&g), waits[column] == '1');
                t.phase = ETM_TRANSFER_RETURNED;
                etm_resources_transfer(&g.r, &t);
                assert_int_equal(level(&g), returned[column] == '1');
            }
}

/* No transfer is like that; nothing to compare then. */
static void transfer_of_an_odd_size_has_no_value(void **state)
{
    static const unsigned some[] = {ETM_V1_2, ETM_V2_0, ETM_V3_4};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(some); v++) {
        rig_make(&g, some[v]);
        sac(&g, 1, 0x2000, LOAD_STORE | WORD | EQUAL);
        dvc(&g, 1, 0, 0);
        watch(&g, 0x00);
        assert_true(hit(&g, false, 0x2000, 4, 0));
        assert_false(hit(&g, false, 0x2000, 0, 0));
        assert_false(hit(&g, false, 0x2000, 8, 0));
        assert_false(hit_big(&g, 0x2000, 8, 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_stands_at_bit_0_from_v2_0_to_v3_2),
        cmocka_unit_test(exact_match_follows_its_tables),
        cmocka_unit_test(transfer_of_an_odd_size_has_no_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
