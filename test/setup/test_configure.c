/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and the registers that they come to. TV-... and MC-... are rows of
 * doc/conformance.md.
 */
#include "rig.h"

/* MC-HLP-02, TV-TE-07, TV-VD-07, MC-HLP-11, TV-SEQ-04 */
static void nothing_asked_for_is_everything_executed(void **state)
{
    static const char *const transitions[] = {"ETMSQ12EVR", "ETMSQ21EVR",
                                              "ETMSQ23EVR", "ETMSQ31EVR",
                                              "ETMSQ32EVR", "ETMSQ13EVR"};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 0x01000000);
    assert_int_equal(rig_value(&g, "ETMTECR2"), 0);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x6f);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x406f);
    for (size_t i = 0; i < COUNT(transitions); i++)
        assert_int_equal(rig_value(&g, transitions[i]), 0x406f);
    assert_int_equal(g.notes.n, 0);
    g.request.data_address = g.request.data_value = true;
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMVDEVR"), 0x6f);
    assert_int_equal(rig_value(&g, "ETMVDCR1"), 0);
    assert_int_equal(rig_value(&g, "ETMVDCR3"), 0x00010000);
    assert_int_equal(rig_value(&g, "ETMCR") & 0xc, 0xc);
    /* TV-TE-08, MC-FIFO-03 */
    rig_make(&g, "arm7tdmi", NULL);
    g.request.stall = true;
    g.request.fifo_level = 15;
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMFFRR"), 0x01000000);
    assert_int_equal(rig_value(&g, "ETMFFLR"), 15);
}

/* The example of 3.7.2: TV-TE-01 to TV-TE-06, MC-HLP-04. */
static void function_with_all_it_calls_but_two_regions(void **state)
{
    static const struct etm_request_match start[] = {AT(0x1000)};
    static const struct etm_request_match stop[] = {AT(0x1020), AT(0x1040),
                                                    AT(0x1060)};
    static const struct etm_request_match out[] = {RANGE(0x2000, 0x20ff),
                                                   RANGE(0x9000, 0x9fff)};
    static const struct {
        uint32_t address;
        bool traced;
    } run[] = {{0x0ffc, false}, {0x1000, true},  {0x1004, true},
               {0x2000, false}, {0x20fc, false}, {0x1008, true},
               {0x3000, true},  {0x9abc, false}, {0x100c, true},
               {0x1040, false}, {0x0ffc, false}, {0x3000, false},
               {0x1000, true},  {0x1060, false}};
    struct rig g;

    (void)state;
    rig_make(&g, "arm7tdmi", NULL);
    g.request.start = start;
    g.request.n_start = COUNT(start);
    g.request.stop = stop;
    g.request.n_stop = COUNT(stop);
    g.request.exclude = out;
    g.request.n_exclude = COUNT(out);
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x6f);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 0x0300000c);
    assert_int_equal(rig_value(&g, "ETMTSSCR"), 0x000e0001);
    assert_int_equal(rig_value(&g, "ETMTECR2"), 0);
    for (size_t i = 0; i < COUNT(run); i++)
        assert_int_equal(rig_traced(&g, run[i].address), run[i].traced);
}

/* MC-HLP-03, MC-ADR-26: a function and nothing else, in every version. */
static void function_alone_is_one_range(void **state)
{
    static const struct etm_request_match in[] = {RANGE(0x8000, 0x80ff)};

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        struct rig g;

        rig_make(&g, "cortex-a8", versions[v]);
        g.request.include = in;
        g.request.n_include = COUNT(in);
        rig_run(&g);
        assert_int_equal(rig_value(&g, "ETMTECR1"), 1);
        assert_int_equal(rig_value(&g, "ETMACVR2"), 0x8100);
        assert_int_equal(rig_value(&g, "ETMACTR1"), 0x19);
        assert_int_equal(rig_value(&g, "ETMACTR2"), 0x19);
        assert_false(rig_traced(&g, 0x7ffc));
        assert_true(rig_traced(&g, 0x8000));
        assert_true(rig_traced(&g, 0x80fc));
        assert_false(rig_traced(&g, 0x8100));
    }
}

/* MC-HLP-08, TV-ADR-11 */
static void range_to_the_top_has_no_upper_bound(void **state)
{
    static const struct etm_request_match in[] = {{.look = ETM_LOOK_TRANSFER,
                                                   .range = true,
                                                   .from = 0xffff0000,
                                                   .to = 0xffffffff,
                                                   .size = 1}};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.data_address = true;
    g.request.data_include = in;
    g.request.n_data_include = 1;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMACVR2"), 0xffffffff);
    assert_int_equal(rig_value(&g, "ETMACTR1"), 0x04);
    assert_int_equal(rig_value(&g, "ETMACTR2"), 0x1c);
    assert_true(rig_viewed(&g, 0xffffffff, 1, 0, false));
    assert_false(rig_viewed(&g, 0xfffeffff, 1, 0, false));
}

/* TV-CMP-06 to TV-CMP-08: the registers of 2.7.10. */
static void ranges_of_the_sequential_example(void **state)
{
    static const struct etm_request_match in[] = {RANGE(0x1000, 0x1007)};
    static const struct etm_request_match data[] = {{.look = ETM_LOOK_STORE,
                                                     .range = true,
                                                     .from = 0x2000,
                                                     .to = 0x2007,
                                                     .has_value = true,
                                                     .value = 5}};
    struct rig g;

    (void)state;
    rig_make(&g, "arm7tdmi-large", NULL);
    g.request.include = in;
    g.request.n_include = 1;
    g.request.data_value = true;
    g.request.data_include = data;
    g.request.n_data_include = 1;
    rig_configure(&g);
    /* the value goes first: its pair must have a data comparator */
    assert_int_equal(rig_value(&g, "ETMACTR1"), 0x3e);
    assert_int_equal(rig_value(&g, "ETMACTR2"), 0x1e);
    assert_int_equal(rig_value(&g, "ETMDCVR1"), 5);
    assert_int_equal(rig_value(&g, "ETMACTR3"), 0x19);
    assert_int_equal(rig_value(&g, "ETMACTR4"), 0x19);
    assert_int_equal(rig_value(&g, "ETMACVR4"), 0x1008);
}

/* MC-HLP-12: what lacks is said, with what it would take. */
static void missing_resources_are_counted(void **state)
{
    static const struct etm_request_match in[] = {
        RANGE(0x1000, 0x10ff), RANGE(0x2000, 0x20ff), RANGE(0x3000, 0x30ff),
        RANGE(0x4000, 0x40ff)};
    static const struct etm_request_match start[] = {AT(0x1000)};
    static const struct etm_request_match stop[] = {AT(0x1020), AT(0x1040)};
    struct etm_request_match values[3];
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.include = in;
    g.request.n_include = 4;
    rig_configure(&g);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 0xf);
    g.request.start = start;
    g.request.n_start = 1;
    g.request.stop = stop;
    g.request.n_stop = 2;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.what,
                        "6 pairs of address comparators are needed, but this "
                        "macrocell has 4: each of the 4 ranges takes a pair, "
                        "each two of the 3 single addresses another");
    assert_int_equal(g.setup.n, 0);
    rig_make(&g, "cortex-a8", NULL);
    for (unsigned i = 0; i < 3; i++)
        values[i] = (struct etm_request_match){.look = ETM_LOOK_LOAD,
                                               .from = 0x100 * i,
                                               .has_value = true,
                                               .value = i};
    g.request.data_value = true;
    g.request.data_include = values;
    g.request.n_data_include = 3;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(
        g.diag.what,
        "3 data value comparators are needed, but this macrocell has 2");
    rig_make(&g, "cortex-m3", NULL);
    g.request.data_value = true;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_string_equal(g.diag.what,
                        "this macrocell has no trace of data values");
}

/* 2.6.4: one list, so regions are cut in advance. E-140 */
static void exclusion_from_an_included_region_cuts_it(void **state)
{
    static const struct etm_request_match in[] = {RANGE(0x8000, 0x80ff)};
    static const struct etm_request_match out[] = {
        RANGE(0x8040, 0x807f), {.from = 0x80f0, .isa = ETM_ISA_ARM}};

    (void)state;
    for (size_t v = 0; v < COUNT(versions); v++) {
        struct rig g;

        rig_make(&g, "cortex-a8", versions[v]);
        g.request.include = in;
        g.request.n_include = 1;
        g.request.exclude = out;
        g.request.n_exclude = 2;
        rig_run(&g);
        assert_int_equal(rig_value(&g, "ETMTECR1"), 7);
        for (uint32_t a = 0x7fc0; a < 0x8140; a += 4)
            assert_int_equal(rig_traced(&g, a),
                             a >= 0x8000 && a < 0x8100 &&
                                 !(a >= 0x8040 && a < 0x8080) && a != 0x80f0);
    }
}

/* MC-HLP-06, E-141 */
static void context_id_is_compared_with_addresses_or_alone(void **state)
{
    static const struct etm_request_match in[] = {RANGE(0x8000, 0x80ff)};
    struct etm_resource_context context = {.context_id = 0x42};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.has_context_id = true;
    g.request.context_id = 0x42;
    g.request.include = in;
    g.request.n_include = 1;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMCIDCVR1"), 0x42);
    assert_int_equal(rig_value(&g, "ETMCIDCMR"), 0);
    assert_int_equal(rig_value(&g, "ETMACTR1"), 0x119);
    assert_false(rig_traced(&g, 0x8000));
    etm_resources_context(&g.resources, &context);
    assert_true(rig_traced(&g, 0x8000));
    assert_false(rig_traced(&g, 0x8100));
    /* A range of all memory stands in where there is a pair. */
    g.request.n_include = 0;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 1);
    assert_int_equal(rig_value(&g, "ETMACVR2"), 0xffffffff);
    assert_false(rig_traced(&g, 0x8000));
    etm_resources_context(&g.resources, &context);
    assert_true(rig_traced(&g, 0xfffffffc));
    /* With regions to leave out, the event has to do it. */
    g.request.exclude = in;
    g.request.n_exclude = 1;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x58);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 0x01000001);
    g.request.when.what = ETM_CONDITION_EXTERNAL;
    g.request.when.number = 2;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x8000 | 0x58 << 7 | 0x61);
    g.request.security = ETM_REQUEST_SECURE;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "two resources"));
}

static void security_state_is_compared(void **state)
{
    struct etm_resource_context context = {.non_secure = true};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.security = ETM_REQUEST_NON_SECURE;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMACTR1"), 0x419);
    assert_false(rig_traced(&g, 0x8000));
    etm_resources_context(&g.resources, &context);
    assert_true(rig_traced(&g, 0x8000));
    g.request.security = ETM_REQUEST_SECURE;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMACTR1"), 0x819);
    rig_make(&g, "cortex-r4", NULL);
    g.request.security = ETM_REQUEST_SECURE;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
}

/* v3.5: two bits a state, [13,11] Non-secure, [12,10] Secure. E-135 */
static void user_mode_is_compared_since_v3_5(void **state)
{
    static const struct {
        unsigned mode, security;
        uint32_t type;
        const char *matches; /* secure user, privileged, non-secure ...; Hyp
                                mode, where there is one */
    } rows[] = {
        {ETM_REQUEST_USER, ETM_REQUEST_SECURITY_ANY, 0x3c19, "10100"},
        {ETM_REQUEST_USER, ETM_REQUEST_NON_SECURE, 0x2c19, "00100"},
        {ETM_REQUEST_PRIVILEGED, ETM_REQUEST_NON_SECURE, 0x2419, "00011"},
        {ETM_REQUEST_PRIVILEGED, ETM_REQUEST_SECURE, 0x1819, "01000"},
        {ETM_REQUEST_PRIVILEGED, 0, 0x3019, "01011"},
        {ETM_REQUEST_MODE_ANY, ETM_REQUEST_SECURE, 0x0819, "11000"},
        {ETM_REQUEST_MODE_ANY, ETM_REQUEST_NON_SECURE, 0x0419, "00111"}};
    static const struct {
        const char *name;
        bool virtual;
    } cores[] = {
        {"cortex-a7", true}, {"cortex-a9", false}, {"cortex-a15", true}};
    struct rig g;

    (void)state;
    for (size_t c = 0; c < COUNT(cores); c++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            bool hyp = cores[c].virtual && rows[i].matches[4] == '1';

            rig_make(&g, cores[c].name, NULL);
            g.request.mode = (uint8_t)rows[i].mode;
            g.request.security = (uint8_t)rows[i].security;
            rig_run(&g);
            assert_int_equal(rig_value(&g, "ETMACTR1"),
                             rows[i].type | (hyp ? 0x4000u : 0));
            for (unsigned k = 0; k < (cores[c].virtual ? 5u : 4u); k++) {
                struct etm_resource_context context = {
                    .non_secure = k >= 2, .user = k % 2 == 0, .hyp = k == 4};

                if (k == 4)
                    context.user = false;

                etm_resources_context(&g.resources, &context);
                assert_int_equal(rig_traced(&g, 0x8000),
                                 rows[i].matches[k] == '1');
            }
        }
    }
    rig_make(&g, "cortex-a8", NULL);
    g.request.mode = ETM_REQUEST_USER;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    /* without it that is what is said, with and without a region */
    rig_make(&g, "cortex-a8", NULL);
    g.request.mode = ETM_REQUEST_USER;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "no comparison of User mode"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_asked_for_is_everything_executed),
        cmocka_unit_test(function_with_all_it_calls_but_two_regions),
        cmocka_unit_test(function_alone_is_one_range),
        cmocka_unit_test(range_to_the_top_has_no_upper_bound),
        cmocka_unit_test(ranges_of_the_sequential_example),
        cmocka_unit_test(missing_resources_are_counted),
        cmocka_unit_test(exclusion_from_an_included_region_cuts_it),
        cmocka_unit_test(context_id_is_compared_with_addresses_or_alone),
        cmocka_unit_test(security_state_is_compared),
        cmocka_unit_test(user_mode_is_compared_since_v3_5),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
