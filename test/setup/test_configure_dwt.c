/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests for a macrocell without address comparators, at random: those of the
 * DWT, its EmbeddedICE inputs, take their place (7.6; ARMv7-M Architecture
 * Reference Manual, DDI 0403, C1.8; E-580, E-581). The scenarios have the rest.
 */
#include "model/dwt.h"
#include "rig.h"

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

/* What switches the DWT on, then the DWT, then what sees it. */
static void the_dwt_is_written_before_what_sees_it(void **state)
{
    static const struct etm_request_match start[] = {AT(0x08000100)};
    static const struct etm_request_match stop[] = {AT(0x08000201),
                                                    AT(0x08000300)};
    struct rig g;

    (void)state;
    rig_make(&g, "cortex-m3", NULL);
    g.request.start = start;
    g.request.n_start = 1;
    g.request.stop = stop;
    g.request.n_stop = 2;
    rig_run(&g);
    assert_int_equal(g.setup.values[0].number, 0xe000edfc);
    assert_int_equal(g.setup.values[1].number, 0xe0001020);
    assert_int_equal(g.setup.values[10].number, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dwt_is_written_before_what_sees_it),
        cmocka_unit_test(nothing_is_lost_at_random_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
