/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for data, turned into registers: which transfers, and their values.
 */
#include "rig.h"

/* The example of 3.7.1: TV-VD-01 to TV-VD-06. State 3 is reached by two
   inputs, one after the other. */
static void data_in_a_range_but_two_addresses_in_state_3(void **state)
{
    static const struct etm_request_match in[] = {{.look = ETM_LOOK_TRANSFER,
                                                   .range = true,
                                                   .from = 0x8000,
                                                   .to = 0x80ff}};
    static const struct etm_request_match out[] = {
        {.look = ETM_LOOK_TRANSFER, .from = 0x8074},
        {.look = ETM_LOOK_TRANSFER, .from = 0x8090}};
    static const struct etm_request_condition chain[] = {
        {.what = ETM_CONDITION_EXTERNAL, .number = 1},
        {.what = ETM_CONDITION_EXTERNAL, .number = 2}};
    static const struct {
        uint32_t address;
        bool viewed;
    } rows[] = {{0x8000, true},  {0x8070, true},  {0x8074, false},
                {0x8078, true},  {0x8090, false}, {0x80fc, true},
                {0x7ffc, false}, {0x8100, false}};
    static const char *const cores[][2] = {{"cortex-a8", NULL},
                                           {"arm7tdmi", NULL},
                                           {"cortex-a8", "v2.1"},
                                           {"cortex-a8", "v3.0"},
                                           {"cortex-r4", "v3.4"}};

    (void)state;
    for (size_t c = 0; c < COUNT(cores); c++) {
        struct etm_resource_pins pins = {0};
        struct rig g;

        rig_make(&g, cores[c][0], cores[c][1]);
        g.request.data_address = true;
        g.request.data_include = in;
        g.request.n_data_include = COUNT(in);
        g.request.data_exclude = out;
        g.request.n_data_exclude = COUNT(out);
        g.request.chain = chain;
        g.request.n_chain = COUNT(chain);
        g.request.data_when.what = ETM_CONDITION_CHAIN;
        rig_run(&g);
        assert_int_equal(rig_value(&g, "ETMVDEVR"), 0x52);
        assert_int_equal(rig_value(&g, "ETMVDCR1"), 0x000c0000);
        assert_int_equal(rig_value(&g, "ETMVDCR3"), 0x00000001);
        assert_int_equal(rig_value(&g, "ETMACVR1"), 0x8000);
        assert_int_equal(rig_value(&g, "ETMACVR2"), 0x8100);
        assert_int_equal(rig_value(&g, "ETMACVR3"), 0x8074);
        assert_int_equal(rig_value(&g, "ETMACVR4"), 0x8090);
        assert_true(rig_noted(&g, "imprecise"));
        for (unsigned s = 1; s <= 3; s++) {
            for (size_t i = 0; i < COUNT(rows); i++)
                assert_int_equal(rig_viewed(&g, rows[i].address, 4, 0, true),
                                 rows[i].viewed && s == 3);
            pins.ext_in = (uint8_t)s;
            etm_resources_pins(&g.resources, &pins);
            (void)rig_insn(&g, 0);
            pins.ext_in = 0;
            etm_resources_pins(&g.resources, &pins);
            (void)rig_insn(&g, 0);
        }
    }
}

/* One value comparison of a byte, and its value and mask registers. */
static int ask_value(struct rig *g, const char *version, bool range,
                     uint32_t address, bool big)
{
    struct etm_request_match m = {.look = ETM_LOOK_TRANSFER,
                                  .from = address,
                                  .range = range,
                                  .to = address + 0xff,
                                  .size = 1,
                                  .has_value = true,
                                  .value = 0xab,
                                  .big_endian = big};

    rig_make(g, "cortex-a8", version);
    g->request.data_value = true;
    g->request.data_include = &m;
    g->request.n_data_include = 1;
    return rig_ask(g);
}

/* MC-HLP-07, MC-DVC-06 to MC-DVC-10, TV-DVC-01 to TV-DVC-06 */
static void values_stand_where_the_version_wants_them(void **state)
{
    static const struct {
        const char *version;
        bool range;
        uint32_t address;
        bool big;
        uint32_t mask, value;
    } rows[] = {
        {"v1.3", false, 0x1000, false, 0xffffff00, 0x000000ab},
        {"v1.3", false, 0x1002, false, 0xff00ffff, 0x00ab0000},
        {"v1.3", false, 0x1002, true, 0xffff00ff, 0x0000ab00},
        {"v2.0", false, 0x1000, false, 0xffffff00, 0x000000ab},
        {"v2.1", false, 0x1002, false, 0xffffff00, 0x000000ab},
        {"v3.1", false, 0x1002, true, 0xffffff00, 0x000000ab},
        {"v3.2", true, 0x1000, false, 0xffffff00, 0x000000ab},
        {"v3.3", false, 0x1000, false, 0x00000000, 0xabababab},
        {"v3.4", false, 0x1002, false, 0x00000000, 0xabababab},
        {"v3.5", false, 0x1002, true, 0x00000000, 0xabababab},
        {"v3.3", true, 0x1000, false, 0x00000000, 0xabababab},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(ask_value(&g, rows[i].version, rows[i].range,
                                   rows[i].address, rows[i].big),
                         ETM_OK);
        assert_int_equal(rig_value(&g, "ETMDCMR1"), rows[i].mask);
        assert_int_equal(rig_value(&g, "ETMDCVR1"), rows[i].value);
        assert_int_equal(rig_noted(&g, "byte order"),
                         rows[i].big && rows[i].version[1] != '1');
    }
    assert_int_equal(ask_value(&g, "v1.3", true, 0x1000, false),
                     ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "lane"));
}

/* MC-DVC-02: what nobody compares was hardly meant. */
static void value_with_bits_outside_its_mask_is_refused(void **state)
{
    static const char *const kinds[] = {"v1.2", "v2.0", "v3.2", "v3.3", "v3.5"};

    (void)state;
    for (size_t v = 0; v < COUNT(kinds); v++) {
        struct etm_request_match m = {.look = ETM_LOOK_STORE,
                                      .from = 0x1000,
                                      .has_value = true,
                                      .value = 0x1234,
                                      .mask = 0xff};
        struct rig g;

        rig_make(&g, "cortex-a8", kinds[v]);
        g.request.data_value = true;
        g.request.data_include = &m;
        g.request.n_data_include = 1;
        assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
        assert_non_null(strstr(g.diag.what, "mask leaves out"));
        m.value = 0x34;
        assert_int_equal(rig_ask(&g), ETM_OK);
    }
}

/* TV-DVC-01, -05, -11: and they select just those transfers. */
static void value_selects_its_transfers_alone(void **state)
{
    static const char *const kinds[] = {"v1.2", "v1.3", "v2.0", "v3.0", "v3.1",
                                        "v3.2", "v3.3", "v3.4", "v3.5"};

    (void)state;
    for (size_t v = 0; v < COUNT(kinds); v++) {
        for (uint32_t lane = 0; lane < 4; lane++) {
            struct etm_request_match m = {.look = ETM_LOOK_STORE,
                                          .from = 0x1000 + lane,
                                          .size = 1,
                                          .has_value = true,
                                          .value = 0xa0,
                                          .mask = 0xf0};
            struct rig g;

            rig_make(&g, "cortex-a8", kinds[v]);
            g.request.data_value = true;
            g.request.data_include = &m;
            g.request.n_data_include = 1;
            rig_run(&g);
            assert_true(rig_viewed(&g, 0x1000 + lane, 1, 0xab, true));
            assert_false(rig_viewed(&g, 0x1000 + lane, 1, 0xba, true));
            assert_false(rig_viewed(&g, 0x1000 + lane, 1, 0xab, false));
            assert_false(rig_viewed(&g, 0x1004 + lane, 1, 0xab, true));
            assert_false(rig_viewed(&g, 0x1000 + (lane ^ 1), 1, 0xab, true));
        }
    }
}

/* MC-VD-07: an LDM goes by its first word, wherever the others are. */
static void multiples_are_selected_whole_before_v2_0(void **state)
{
    static const char *const kinds[] = {"v1.0", "v1.3", "v2.0", "v3.5"};
    struct etm_request_match m = {
        .look = ETM_LOOK_TRANSFER, .range = true, .from = 0x1000, .to = 0x10ff};
    struct rig g;

    (void)state;
    for (size_t v = 0; v < COUNT(kinds); v++) {
        rig_make(&g, "cortex-a8", kinds[v]);
        g.request.data_address = true;
        rig_configure(&g);
        assert_false(rig_noted(&g, "load or store multiple"));
        g.request.data_include = &m;
        g.request.n_data_include = 1;
        rig_configure(&g);
        assert_int_equal(rig_noted(&g, "load or store multiple"), v < 2);
        g.request.n_data_include = 0;
        g.request.data_exclude = &m;
        g.request.n_data_exclude = 1;
        rig_configure(&g);
        assert_int_equal(rig_noted(&g, "load or store multiple"), v < 2);
    }
}

/* MC-HLP-17, TV-ADR-04, TV-ADR-07, TV-ADR-08 */
static void byte_is_watched_by_its_word_up_to_v3_0(void **state)
{
    struct etm_request_match m = {.look = ETM_LOOK_TRANSFER, .from = 0x1003};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", "v3.0");
    g.request.data_address = true;
    g.request.data_include = &m;
    g.request.n_data_include = 1;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMACVR1"), 0x1000);
    assert_int_equal(rig_value(&g, "ETMACTR1"), 0x1c);
    assert_true(rig_noted(&g, "2.7.3"));
    assert_true(rig_viewed(&g, 0x1000, 4, 0, true));
    assert_true(rig_viewed(&g, 0x1003, 1, 0, true));
    m.range = true;
    m.from = 0x1002;
    m.to = 0x1005;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMACVR1"), 0x1000);
    assert_int_equal(rig_value(&g, "ETMACVR2"), 0x1006);
    assert_true(rig_viewed(&g, 0x1000, 4, 0, true));
    m = (struct etm_request_match){.look = ETM_LOOK_TRANSFER, .from = 0x1003};
    rig_make(&g, "cortex-a8", "v3.1");
    g.request.data_address = true;
    g.request.data_include = &m;
    g.request.n_data_include = 1;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMACVR1"), 0x1003);
    assert_int_equal(g.notes.n, 0);
    assert_true(rig_viewed(&g, 0x1000, 4, 0, true));
    assert_false(rig_viewed(&g, 0x1002, 1, 0, true));
}

/* MC-HLP-13, E-140 */
static void data_are_left_out_by_the_event(void **state)
{
    static const struct etm_request_match out[] = {
        {.look = ETM_LOOK_STORE, .from = 0x2000}};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-a8", NULL);
    g.request.exclude = out;
    g.request.n_exclude = 1;
    rig_run(&g);
    assert_int_equal(rig_value(&g, "ETMTECR1"), 0x01000000);
    assert_int_equal(rig_value(&g, "ETMTECR2"), 0);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x4000);
    assert_true(rig_noted(&g, "imprecise"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_in_a_range_but_two_addresses_in_state_3),
        cmocka_unit_test(values_stand_where_the_version_wants_them),
        cmocka_unit_test(value_with_bits_outside_its_mask_is_refused),
        cmocka_unit_test(value_selects_its_transfers_alone),
        cmocka_unit_test(multiples_are_selected_whole_before_v2_0),
        cmocka_unit_test(byte_is_watched_by_its_word_up_to_v3_0),
        cmocka_unit_test(data_are_left_out_by_the_event),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
