/* SPDX-License-Identifier: Apache-2.0 */
/* Data value comparators and exact match (ETM architecture 2.7.4, 2.8). The
   names of requirements and vectors are those of doc/conformance.md. */
#include "resources_util.h"

/* MC-DVC-01, MC-FLD-20, TV-CMP-08, MC-DVC-16, ERR-27: comparator 3 has data
 * comparator 2. */
static void worked_example_with_a_value(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 3, 0x2000, 0x3e);
    sac(&g, 4, 0x2008, 0x1e);
    dvc(&g, 2, 0x12345678, 0);
    watch(&g, 0x11);
    assert_true(hit(&g, true, 0x2004, 4, 0x12345678));
    assert_false(hit(&g, true, 0x2004, 4, 0x12345679));
    sac(&g, 3, 0x2000, 0x7e);
    watch(&g, 0x11);
    assert_false(hit(&g, true, 0x2004, 4, 0x12345678));
    assert_true(hit(&g, true, 0x2004, 4, 0x12345679));
}

/* ERR-22, MC-DVC-06, TV-DVC-01 to TV-DVC-03, TV-DVC-07, E-133 */
static void value_stands_on_the_bus_in_v1(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V1_3);
    sac(&g, 1, 0x1000, LOAD_STORE | BYTE | EQUAL);
    dvc(&g, 1, 0x000000ab, 0xffffff00);
    watch(&g, 0x00);
    assert_true(hit(&g, false, 0x1000, 1, 0xab));
    assert_false(hit(&g, false, 0x1000, 1, 0xac));
    dvc(&g, 1, 0x000000ab, 0); /* the lanes beside it are 0 */
    watch(&g, 0x00);
    assert_true(hit(&g, false, 0x1000, 1, 0xab));
    dvc(&g, 1, 0xabababab, 0);
    watch(&g, 0x00);
    assert_false(hit(&g, false, 0x1000, 1, 0xab));
    sac(&g, 1, 0x1002, LOAD_STORE | BYTE | EQUAL);
    dvc(&g, 1, 0x00ab0000, 0xff00ffff);
    watch(&g, 0x00);
    assert_true(hit(&g, false, 0x1002, 1, 0xab));
    assert_false(hit_big(&g, 0x1002, 1, 0xab));
    dvc(&g, 1, 0x0000ab00, 0xffff00ff);
    watch(&g, 0x00);
    assert_true(hit_big(&g, 0x1002, 1, 0xab));
    assert_false(hit(&g, false, 0x1002, 1, 0xab));
    sac(&g, 1, 0x2001, LOAD_STORE | BYTE | EQUAL);
    dvc(&g, 1, 0x0000cd00, 0xffff00ff);
    watch(&g, 0x00);
    assert_true(hit(&g, false, 0x2001, 1, 0xcd));
}

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

/* ERR-20, MF-09, MC-DVC-11 to MC-DVC-15, MC-DVC-18, MC-DVC-19; TV-DVC-06,
   TV-DVC-11 to TV-DVC-15 */
static void value_is_found_inside_aligned_accesses_from_v3_3_on(void **state)
{
    enum { SMALL, HALF, BIG, RANGE_BYTE, RANGE_WORD };
    static const struct {
        uint8_t watch, size;
        bool match;
        uint32_t address, value;
    } rows[] = {
        {SMALL, 1, true, 0x1002, 0xab},
        {SMALL, 2, true, 0x1002, 0x55ab},
        {SMALL, 4, true, 0x1000, 0x55ab5555},
        {SMALL, 4, true, 0x0fff, 0xab555555},
        {SMALL, 4, false, 0x1000, 0x555555ab},
        {SMALL, 1, false, 0x1003, 0xab},
        {HALF, 2, true, 0x2002, 0x1234},
        {HALF, 4, true, 0x2002, 0x55551234},
        {HALF, 4, true, 0x2000, 0x12345555},
        {HALF, 4, false, 0x2000, 0x55551234},
        {HALF, 1, false, 0x2002, 0x34},
        {HALF, 4, false, 0x2001, 0x55123455},
        {HALF, 4, false, 0x1fff, 0x34555555},
        {BIG, 4, true, 0x3000, 0xcafe1234},
        {BIG, 4, false, 0x3000, 0xcafe1235},
        {BIG, 2, false, 0x3000, 0x1234},
        {BIG, 1, false, 0x3000, 0x34},
        {BIG, 4, false, 0x2ffe, 0xcafe1234},
        {BIG, 4, false, 0x3002, 0xcafe1234},
        {RANGE_BYTE, 1, true, 0x4007, 0xab},
        {RANGE_BYTE, 1, false, 0x4007, 0xac},
        {RANGE_BYTE, 2, false, 0x4006, 0xabab},
        {RANGE_BYTE, 4, false, 0x4004, 0xabababab},
        {RANGE_WORD, 4, true, 0x5000, 0xcafe1234},
        {RANGE_WORD, 4, true, 0x5004, 0xcafe1234},
        {RANGE_WORD, 4, false, 0x5002, 0xcafe1234},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig_make(&g, ETM_V3_3);
        sac(&g, 1, 0x1002, LOAD_STORE | BYTE | EQUAL);
        dvc(&g, 1, 0xabababab, 0);
        sac(&g, 3, 0x2002, LOAD_STORE | HALFWORD | EQUAL);
        dvc(&g, 2, 0x12341234, 0);
        sac(&g, 5, 0x3000, LOAD_STORE | WORD | EQUAL);
        dvc(&g, 3, 0xcafe1234, 0);
        arc(&g, 4, 0x4000, 0x4010, LOAD_STORE | BYTE | EQUAL);
        dvc(&g, 4, 0xabababab, 0);
        arc(&g, 5, 0x5000, 0x5010, LOAD_STORE | WORD | EQUAL);
        dvc(&g, 5, 0xcafe1234, 0);
        watch(&g,
              (const uint8_t[]){0x00, 0x02, 0x04, 0x13, 0x14}[rows[i].watch]);
        assert_int_equal(
            hit(&g, false, rows[i].address, rows[i].size, rows[i].value),
            rows[i].match);
    }
    watch(&g, 0x00); /* in big-endian memory the byte counts from the top */
    assert_true(hit_big(&g, 0x1000, 4, 0x5555ab55));
    assert_false(hit_big(&g, 0x1000, 4, 0x55ab5555));
    assert_true(hit_big(&g, 0x1002, 2, 0xab55));
}

/* MC-DVC-02, MC-DVC-05, MC-DVC-21, MC-FLD-16 */
static void value_is_masked_and_may_have_to_differ(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    sac(&g, 1, 0x2000, LOAD_STORE | WORD | EQUAL);
    dvc(&g, 1, 0x12000078, 0x00ffff00);
    watch(&g, 0x00);
    assert_true(hit(&g, false, 0x2000, 4, 0x12abcd78));
    assert_false(hit(&g, false, 0x2000, 4, 0x13abcd78));
    sac(&g, 1, 0x2000, LOAD_STORE | WORD | DIFFERENT);
    watch(&g, 0x00);
    assert_false(hit(&g, false, 0x2000, 4, 0x12abcd78));
    assert_true(hit(&g, false, 0x2000, 4, 0x13abcd78));
    g.config.version = ETM_V1_1; /* reserved there */
    watch(&g, 0x00);
    assert_false(hit(&g, false, 0x2000, 4, 0x13abcd78));
    /* An even comparator has none. */
    rig_make(&g, ETM_V3_4);
    sac(&g, 2, 0x2000, LOAD_STORE | WORD | EQUAL);
    dvc(&g, 1, 1, 0);
    watch(&g, 0x01);
    assert_true(hit(&g, false, 0x2000, 4, 2));
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

/* MF-32: a wrong value ends a sticky match. E-217 */
static void transfer_with_another_value_ends_a_range(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    arc(&g, 1, 0x2000, 0x3000, LOAD_STORE | WORD | EQUAL);
    dvc(&g, 1, 5, 0);
    watch(&g, 0x10);
    assert_true(hit(&g, false, 0x2000, 4, 5));
    assert_true(level(&g));
    assert_false(hit(&g, false, 0x2000, 4, 6));
    assert_false(level(&g));
}

/* MC-XM-09: the value of an older transfer is no new transfer. */
static void value_that_returns_leaves_a_range_alone(void **state)
{
    struct etm_resource_transfer t;
    struct rig g;

    (void)state;
    rig_make(&g, ETM_V3_4);
    arc(&g, 1, 0x2000, 0x3000, LOAD_STORE | WORD);
    watch(&g, 0x10);
    t = transfer_of(&g, false, 0x4000, 4, 0);
    t.phase = ETM_TRANSFER_WAITS;
    etm_resources_transfer(&g.r, &t);
    assert_false(level(&g));
    assert_true(hit(&g, false, 0x2000, 4, 0));
    t.phase = ETM_TRANSFER_RETURNED;
    etm_resources_transfer(&g.r, &t);
    assert_true(level(&g));
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
        cmocka_unit_test(worked_example_with_a_value),
        cmocka_unit_test(value_stands_on_the_bus_in_v1),
        cmocka_unit_test(value_stands_at_bit_0_from_v2_0_to_v3_2),
        cmocka_unit_test(value_is_found_inside_aligned_accesses_from_v3_3_on),
        cmocka_unit_test(value_is_masked_and_may_have_to_differ),
        cmocka_unit_test(exact_match_follows_its_tables),
        cmocka_unit_test(transfer_with_another_value_ends_a_range),
        cmocka_unit_test(value_that_returns_leaves_a_range_alone),
        cmocka_unit_test(transfer_of_an_odd_size_has_no_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
