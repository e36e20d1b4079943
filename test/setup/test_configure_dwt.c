/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests for a macrocell without address comparators: the comparators of the
 * DWT, its EmbeddedICE inputs, take their place (7.6; ARMv7-M Architecture
 * Reference Manual, DDI 0403, C1.8; E-580, E-581).
 */
#include "model/dwt.h"
#include "rig.h"

/* DWT comparator n has these values; they are in the setup. */
static void assert_comparator(const struct rig *g, unsigned n, uint32_t comp,
                              uint32_t mask, uint32_t function)
{
    const uint32_t expected[3] = {comp, mask, function};

    for (uint32_t i = 0; i < 3; i++) {
        uint32_t value;

        assert_int_equal(etm_setup_get(&g->setup,
                                       UINT32_C(0xe0001020) + 16 * n + 4 * i,
                                       &value),
                         ETM_OK);
        assert_int_equal(value, expected[i]);
    }
}

static unsigned comparators(const struct rig *g)
{
    unsigned count = 0;
    uint32_t value;

    for (uint32_t n = 0; n < 4; n++)
        count += etm_setup_get(&g->setup, UINT32_C(0xe0001020) + 16 * n,
                               &value) == ETM_OK;
    return count;
}

/* An instruction, or a transfer, after the DWT of the setup has compared it. */
static struct etm_resource_outputs dwt_event(struct rig *g,
                                             const struct etm_event *event)
{
    struct etm_resource_pins pins = {0};
    struct etm_dwt dwt = {0};

    for (size_t i = 0; i < g->setup.n; i++) {
        uint32_t *at = etm_dwt_register(&dwt, 4, g->setup.values[i].number);

        if (at)
            *at = g->setup.values[i].value;
    }
    pins.eice_sampled = etm_dwt_sample(&dwt, event, &pins.eice);
    etm_resources_pins(&g->resources, &pins);
    return rig_insn(g, event->u.insn.address);
}

static struct etm_resource_outputs dwt_insn(struct rig *g, uint32_t address)
{
    struct etm_event event = {.kind = ETM_EVENT_INSN};

    event.u.insn.address = address;
    return dwt_event(g, &event);
}

static bool dwt_traced(struct rig *g, uint32_t address)
{
    return dwt_insn(g, address).insns & 1u;
}

static void addresses_start_and_stop(void **state)
{
    static const char *const cores[] = {"cortex-m3", "cortex-m4"};
    static const struct etm_request_match start[] = {AT(0x08000100)};
    /* the T bit is no part of the address */
    static const struct etm_request_match stop[] = {AT(0x08000201),
                                                    AT(0x08000300)};
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        rig_make(&g, cores[i], NULL);
        g.request.start = start;
        g.request.n_start = 1;
        g.request.stop = stop;
        g.request.n_stop = 2;
        rig_run(&g);
        assert_int_equal(rig_value(&g, "DEMCR"), 0x01000000);
        assert_comparator(&g, 0, 0x08000100, 0, 8);
        assert_comparator(&g, 1, 0x08000200, 0, 8);
        assert_comparator(&g, 2, 0x08000300, 0, 8);
        assert_int_equal(comparators(&g), 3);
        assert_int_equal(rig_value(&g, "ETMTESSEICR"), 0x00060001);
        assert_int_equal(rig_value(&g, "ETMTECR1"), 0x03000000);
        /* what switches the DWT on, then the DWT, then what sees it */
        assert_int_equal(g.setup.values[0].number, 0xe000edfc);
        assert_int_equal(g.setup.values[1].number, 0xe0001020);
        assert_int_equal(g.setup.values[10].number, 0);
        assert_false(dwt_traced(&g, 0x080000fe));
        assert_true(dwt_traced(&g, 0x08000100));
        assert_true(dwt_traced(&g, 0x20000000));
        assert_false(dwt_traced(&g, 0x08000300));
        assert_true(dwt_traced(&g, 0x08000100));
        assert_false(dwt_traced(&g, 0x08000200));
        assert_false(dwt_traced(&g, 0x08000202));
    }
}

/* DWT_FUNCTION: 8 an instruction, 9 a load, 10 a store, 11 either; a word is
 * four bytes at whatever address. */
static void transfers_are_compared_too(void **state)
{
    static const struct etm_request_match start[] = {
        {.look = ETM_LOOK_STORE, .from = 0x20000004}};
    static const struct etm_request_match stop[] = {
        {.look = ETM_LOOK_LOAD, .from = 0x20000012, .size = 2},
        {.look = ETM_LOOK_TRANSFER, .from = 0x20000021}};
    struct etm_event event = {.kind = ETM_EVENT_DATA};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.start = start;
    g.request.n_start = 1;
    g.request.stop = stop;
    g.request.n_stop = 2;
    rig_run(&g);
    assert_comparator(&g, 0, 0x20000004, 2, 10);
    assert_comparator(&g, 1, 0x20000012, 1, 9);
    assert_comparator(&g, 2, 0x20000021, 0, 11);
    event.u.data.address = 0x20000007; /* a load there is none */
    assert_false(dwt_event(&g, &event).insns & 1u);
    event.u.data.store = true;
    assert_true(dwt_event(&g, &event).insns & 1u);
    event.u.data.address = 0x20000012;
    assert_true(dwt_event(&g, &event).insns & 1u);
    event.u.data.store = false;
    assert_false(dwt_event(&g, &event).insns & 1u);
    assert_false(dwt_traced(&g, 0x20000004));
    g.request.stop = &(struct etm_request_match){
        .look = ETM_LOOK_LOAD, .from = 0x20000012, .size = 4};
    g.request.n_stop = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
}

static void conditions_are_compared(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m4", NULL);
    g.request.trigger = (struct etm_request_condition){
        .what = ETM_CONDITION_MATCH, .match = AT(0x08000100)};
    g.request.when =
        (struct etm_request_condition){.what = ETM_CONDITION_MATCH,
                                       .inverted = true,
                                       .match = RANGE(0x08001000, 0x08001fff)};
    rig_run(&g);
    assert_comparator(&g, 0, 0x08001000, 12, 8);
    assert_comparator(&g, 1, 0x08000100, 0, 8);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x4020);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x21);
    assert_true(dwt_traced(&g, 0x08000ffe));
    assert_false(dwt_traced(&g, 0x08001000));
    assert_false(dwt_traced(&g, 0x08001ffe));
    assert_true(dwt_insn(&g, 0x08000100).trigger);
    /* a condition is exact, or is refused */
    g.request.when.match.to = 0x08001ffd;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(
        strstr(g.diag.what, "0x08001000-0x08001ffd is no block of 2^n bytes"));
    assert_non_null(strstr(g.diag.what, "ice:1"));
}

/* One comparator has one place, but no request its number. */
static void named_comparators_are_left_to_their_user(void **state)
{
    static const struct etm_request_match start[] = {AT(0x100)};
    static const struct etm_request_match stop[] = {AT(0x200), AT(0x300)};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.start = start;
    g.request.n_start = 1;
    g.request.stop = stop;
    g.request.n_stop = 1;
    g.request.stop_ice = 1 << 0;
    g.request.trigger.what = ETM_CONDITION_ICE;
    g.request.trigger.number = 3;
    rig_configure(&g);
    assert_int_equal(comparators(&g), 2);
    assert_comparator(&g, 1, 0x100, 0, 8);
    assert_comparator(&g, 3, 0x200, 0, 8);
    assert_int_equal(rig_value(&g, "ETMTESSEICR"), 0x00090002);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x22);
    assert_true(rig_noted(&g, "DWT comparators 1, 3 "));
    assert_true(rig_noted(&g, "comparator 1 is DWT comparator 0"));
    assert_true(rig_noted(&g, "comparator 3 is DWT comparator 2"));
    g.request.n_stop = 2;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "5 DWT comparators are needed, but "
                                        "this macrocell has 4: "));
    assert_int_equal(g.setup.n, 0);
}

struct cover {
    uint32_t first, last;
    unsigned n; /* blocks: COMP and MASK */
    uint32_t blocks[4];
};

/* 7.6.4: what is included are the blocks that have it all. */
static void regions_are_one_or_two_blocks(void **state)
{
    static const struct cover rows[] = {
        {0x08000100, 0x0800017f, 1, {0x08000100, 7}},
        {0x08000100, 0x080001bf, 2, {0x08000100, 7, 0x08000180, 6}},
        {0x080000fc, 0x08000107, 2, {0x080000fc, 2, 0x08000100, 3}},
        {0x08000124, 0x080001f1, 1, {0x08000100, 8}},
        {0x08007ff0, 0x0800ffff, 2, {0x08007ff0, 4, 0x08008000, 15}},
        {0x08000000, 0x0800ffff, 2, {0x08000000, 15, 0x08008000, 15}},
        {0x08000000, 0x08010001, 0, {0}},
        {0x08000100, 0x08000100, 1, {0x08000100, 0}},
        {0x00000000, 0x00007fff, 1, {0x00000000, 15}},
        {0xfffffffe, 0xffffffff, 1, {0xfffffffe, 1}},
        {0x00000000, 0xffffffff, 0, {0}},
        {0x7ffffff0, 0x8000000f, 2, {0x7ffffff0, 4, 0x80000000, 4}},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct cover *c = &rows[i];
        const struct etm_request_match in[] = {RANGE(c->first, c->last)};
        uint64_t size = 0;

        rig_make(&g, "cortex-m3", NULL);
        g.request.include = in;
        g.request.n_include = 1;
        if (c->n == 0) {
            assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
            assert_non_null(strstr(g.diag.what, "does not fit"));
            assert_non_null(strstr(g.diag.what, "--start-at and --stop-at, or "
                                                "ice:1"));
            continue;
        }
        rig_run(&g);
        assert_int_equal(comparators(&g), c->n);
        for (unsigned n = 0; n < c->n; n++) {
            assert_comparator(&g, n, c->blocks[2 * n], c->blocks[2 * n + 1], 8);
            size += UINT64_C(1) << c->blocks[2 * n + 1];
        }
        assert_int_equal(rig_value(&g, "ETMTEEVR"),
                         c->n == 1 ? 0x20 : 5 << 14 | 0x21 << 7 | 0x20);
        assert_int_equal(rig_value(&g, "ETMTECR1"), 0x01000000);
        assert_int_equal(rig_noted(&g, "traced, more than was asked for"),
                         size != (uint64_t)c->last - c->first + 1);
        assert_true(dwt_traced(&g, c->first));
        assert_true(dwt_traced(&g, c->last & ~1u));
        assert_false(dwt_traced(&g, c->first ^ 0x10000000));
        assert_true(dwt_traced(&g, c->first));
    }
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return *seed >> 8;
}

/* Whatever is asked for is traced, and what is left out was to be. */
static void nothing_is_lost_at_random_ranges(void **state)
{
    uint32_t seed = 1;
    struct rig g;

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        uint32_t first = next(&seed) & 0xffeu,
                 length = 2 + (next(&seed) & 0x3fe);
        struct etm_request_match m[2] = {
            RANGE(first, first + length - 1),
            RANGE(first + length + 0x40, first + 2 * length + 0x40)};
        bool exclude = round % 2 != 0;
        size_t n = round % 3 == 0 ? 2 : 1;
        unsigned differ = 0;

        rig_make(&g, "cortex-m4", NULL);
        g.request.include = g.request.exclude = m;
        g.request.n_include = exclude ? 0 : n;
        g.request.n_exclude = exclude ? n : 0;
        rig_run(&g);
        for (uint32_t at = 0; at < 0x2000; at += 2) {
            bool in = false, traced = dwt_traced(&g, at);

            for (size_t i = 0; i < n; i++)
                in = in || (at >= m[i].from && at <= m[i].to);
            if (in != exclude)
                assert_true(traced);
            differ += traced && in == exclude;
        }
        if (differ != 0)
            assert_true(rig_noted(&g, exclude ? "of what is to be left out"
                                              : "more than was asked for"));
    }
}

/* An event joins two resources. A condition, or a lack of comparators, leaves
 * one. */
static void a_region_may_have_to_do_with_one_block(void **state)
{
    static const struct etm_request_match in[] = {
        RANGE(0x08000100, 0x080001bf)};
    static const struct etm_request_match points[] = {AT(0x100), AT(0x200),
                                                      AT(0x300)};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.include = in;
    g.request.n_include = 1;
    g.request.when.what = ETM_CONDITION_EXTERNAL;
    g.request.when.number = 2;
    rig_run(&g);
    assert_comparator(&g, 0, 0x08000100, 8, 8);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 2 << 14 | 0x20 << 7 | 0x61);
    g.request.when.what = ETM_CONDITION_NONE;
    g.request.start = points;
    g.request.n_start = 1;
    g.request.stop = points + 1;
    g.request.n_stop = 1;
    rig_configure(&g);
    assert_int_equal(comparators(&g), 4);
    g.request.n_stop = 2;
    rig_configure(&g);
    assert_comparator(&g, 3, 0x08000100, 8, 8);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x23);
    g.request.trigger.what = ETM_CONDITION_ICE;
    g.request.trigger.number = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "5 DWT comparators are needed"));
}

static void regions_are_cut_and_left_out(void **state)
{
    static const struct etm_request_match in[] = {
        RANGE(0x08000100, 0x080001ff)};
    static const struct etm_request_match out[] = {
        RANGE(0x08000140, 0x080001ff), RANGE(0x08000400, 0x080004ff),
        RANGE(0x08000800, 0x080008ff)};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.include = in;
    g.request.n_include = 1;
    g.request.exclude = out;
    g.request.n_exclude = 1;
    rig_configure(&g);
    assert_int_equal(comparators(&g), 1);
    assert_comparator(&g, 0, 0x08000100, 6, 8);
    g.request.n_include = 0;
    rig_configure(&g);
    assert_comparator(&g, 0, 0x08000180, 7, 8);
    assert_comparator(&g, 1, 0x08000140, 6, 8);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 4 << 14 | 0x21 << 7 | 0x20);
    assert_false(rig_noted(&g, "of what is to be left out"));
    g.request.n_exclude = 2;
    rig_configure(&g);
    assert_comparator(&g, 1, 0x08000400, 8, 8);
    assert_true(rig_noted(&g, "of what is to be left out, only "
                              "0x08000180-0x080001ff and "
                              "0x08000400-0x080004ff are"));
    g.request.n_exclude = 3;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "can leave out two regions"));
}

static void what_the_dwt_does_not_compare_is_refused(void **state)
{
    static const struct {
        struct etm_request_match match;
        const char *what;
    } rows[] = {
        {{.look = ETM_LOOK_PASSED, .from = 0x100}, "executed instructions"},
        {{.look = ETM_LOOK_FETCH, .from = 0x100}, "executed instructions"},
        {{.look = ETM_LOOK_STORE, .from = 0x100, .has_value = true},
         "use ice:2"},
        {{.from = 0x100, .has_context_id = true}, "context IDs"},
        {{.from = 0x100, .security = ETM_REQUEST_SECURE}, "context IDs and"},
        {{.from = 0x100, .mode = ETM_REQUEST_USER}, "context IDs and states"},
    };
    struct rig g;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        rig_make(&g, "cortex-m3", NULL);
        g.request.trigger.what = ETM_CONDITION_MATCH;
        g.request.trigger.match = rows[i].match;
        assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
        assert_non_null(strstr(g.diag.what, rows[i].what));
        if (i < 2)
            continue;
        memset(&g.request.trigger, 0, sizeof g.request.trigger);
        g.request.include = &rows[i].match;
        g.request.n_include = 1;
        assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    }
    rig_make(&g, "cortex-m3", NULL);
    g.request.exclude = &(struct etm_request_match)RANGE(0x200, 0x1ff);
    g.request.n_exclude = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    g.request.include = g.request.exclude;
    g.request.n_include = 1;
    g.request.n_exclude = 0;
    assert_int_equal(rig_ask(&g), ETM_ERR_ARGUMENT);
    rig_make(&g, "cortex-m3", NULL);
    g.request.include = &(struct etm_request_match)RANGE(0x100, 0x1ff);
    g.request.n_include = 1;
    g.request.has_context_id = true;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "context ID comparators"));
}

/* 7.6.1, 7.6.2: with ETMEIBCR, what selects is latched, and all else a pulse;
 * one comparator cannot be both. */
static void each_use_has_its_behaviour(void **state)
{
    static const struct etm_request_match in[] = {RANGE(0x100, 0x1ff)};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.include = in;
    g.request.n_include = 1;
    g.request.trigger.what = ETM_CONDITION_MATCH;
    g.request.trigger.match = in[0];
    rig_configure(&g);
    assert_int_equal(comparators(&g), 1); /* table 7-21: no need of two */
    g.macrocell.ccer |= UINT32_C(1) << 21;
    rig_configure(&g);
    assert_int_equal(comparators(&g), 2);
    assert_int_equal(rig_value(&g, "ETMEIBCR"), 1);
    assert_int_equal(rig_value(&g, "ETMTEEVR"), 0x20);
    assert_int_equal(rig_value(&g, "ETMTRIGGER"), 0x21);
}

/* Macrocells without either say what they have instead. */
static void others_name_another_way(void **state)
{
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-r4", "v3.4"); /* EmbeddedICE inputs, but no DWT */
    g.macrocell.ccr &= ~UINT32_C(0xff);
    g.macrocell.ccer |= 0x00140000;
    g.request.include = &(struct etm_request_match)RANGE(0x100, 0x1ff);
    g.request.n_include = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "no address comparators; its "
                                        "EmbeddedICE comparators"));
    assert_non_null(strstr(g.diag.what, "--start-at ice:1"));
    rig_make(&g, "cortex-r4", NULL);
    g.macrocell.ccr &= ~UINT32_C(0xff);
    g.request.include = &(struct etm_request_match)RANGE(0x100, 0x1ff);
    g.request.n_include = 1;
    assert_int_equal(rig_ask(&g), ETM_ERR_UNSUPPORTED);
    assert_non_null(strstr(g.diag.what, "--when ext:1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_start_and_stop),
        cmocka_unit_test(transfers_are_compared_too),
        cmocka_unit_test(conditions_are_compared),
        cmocka_unit_test(named_comparators_are_left_to_their_user),
        cmocka_unit_test(regions_are_one_or_two_blocks),
        cmocka_unit_test(nothing_is_lost_at_random_ranges),
        cmocka_unit_test(a_region_may_have_to_do_with_one_block),
        cmocka_unit_test(regions_are_cut_and_left_out),
        cmocka_unit_test(what_the_dwt_does_not_compare_is_refused),
        cmocka_unit_test(each_use_has_its_behaviour),
        cmocka_unit_test(others_name_another_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
