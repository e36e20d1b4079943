/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random requests: what the configured resources select must be what was asked
 * for, said by the request alone. ETM_TEST_ROUNDS asks for more.
 */
#include "../support/setting.h"
#include "rig.h"

#include <etm/setup.h>

static uint64_t seed = 0x2545f4914f6cdd1d;

static uint32_t draw(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % n;
}

static unsigned rounds(void)
{
    return (unsigned)setting("ETM_TEST_ROUNDS", 3000);
}

/* A small world, so that regions meet. */
#define WORLD 64u
static uint32_t place(uint32_t base)
{
    return base + 4 * draw(WORLD);
}

static struct etm_request_match region(uint32_t base)
{
    uint32_t a = place(base), b = place(base);

    return (struct etm_request_match){.range = true,
                                      .isa = ETM_ISA_ARM,
                                      .from = a < b ? a : b,
                                      .to = (a < b ? b : a) + 3};
}

static bool in(const struct etm_request_match *m, uint32_t address)
{
    return m->range ? address >= m->from && address <= m->to
                    : address == m->from;
}

static bool in_any(const struct etm_request_match *m, size_t n, uint32_t a)
{
    for (size_t i = 0; i < n; i++)
        if (in(&m[i], a))
            return true;
    return false;
}

struct wish {
    struct etm_request_match include[3], exclude[3], start[2], stop[2];
};

static void draw_wish(struct wish *w, struct etm_request *r)
{
    r->n_include = draw(3);
    r->n_exclude = draw(3);
    r->n_start = draw(2);
    r->n_stop = r->n_start * draw(3);
    for (size_t i = 0; i < 3; i++) {
        w->include[i] = region(0x8000);
        w->exclude[i] = region(0x8000);
        w->exclude[i].range = draw(4) != 0;
        w->include[i].range = draw(4) != 0;
    }
    for (size_t i = 0; i < 2; i++) {
        w->start[i] = (struct etm_request_match){.from = place(0x8000)};
        w->stop[i] = (struct etm_request_match){.from = place(0x8000)};
    }
    r->include = w->include;
    r->exclude = w->exclude;
    r->start = w->start;
    r->stop = w->stop;
    r->has_context_id = draw(4) == 0;
    r->context_id = draw(3);
}

/* Instructions one after the other, and what the request says of each. */
static void walk(struct rig *g)
{
    const struct etm_request *r = &g->request;
    struct etm_resource_context context = {.context_id = 0};
    bool started = false;

    for (int i = 0; i < 100; i++) {
        uint32_t a = place(0x8000);
        bool here = !r->has_context_id || context.context_id == r->context_id;
        bool wanted =
            (r->n_include == 0 || in_any(r->include, r->n_include, a)) &&
            !in_any(r->exclude, r->n_exclude, a) && here;

        if (here && in_any(r->start, r->n_start, a))
            started = true;
        if (here && in_any(r->stop, r->n_stop, a))
            started = false;
        if (r->n_start != 0)
            wanted = wanted && started;
        etm_resources_context(&g->resources, &context);
        assert_int_equal(rig_traced(g, a), wanted);
        if (draw(10) == 0)
            context.context_id = draw(3);
    }
}

/* A point that both starts and stops. */
static bool meets(const struct rig *g)
{
    const struct etm_request *r = &g->request;

    for (size_t i = 0; i < r->n_stop; i++)
        if (in_any(r->start, r->n_start, r->stop[i].from))
            return true;
    return false;
}

/* MC-TE-01 to MC-TE-06, MC-HLP-03, MC-HLP-04, MC-HLP-12 */
static void instructions_selected_are_those_asked_for(void **state)
{
    static const char *const cores[] = {"arm7tdmi-large", "cortex-a8",
                                        "cortex-a15", "arm1022e"};
    unsigned done = 0, refused = 0;

    (void)state;
    for (unsigned n = 0; n < rounds(); n++) {
        struct wish w;
        struct rig g;
        int status;

        rig_make(&g, cores[draw(4)], versions[draw(COUNT(versions))]);
        draw_wish(&w, &g.request);
        status = rig_ask(&g);
        if (status != ETM_OK) {
            /* Never without a reason. */
            assert_true(status == ETM_ERR_UNSUPPORTED ||
                        status == ETM_ERR_ARGUMENT);
            assert_true(g.diag.what[0] != '\0');
            assert_int_equal(g.setup.n, 0);
            refused++;
            continue;
        }
        assert_false(meets(&g));
        rig_run(&g);
        walk(&g);
        done++;
    }
    assert_true(done > refused / 2);
}

static bool overlaps(const struct etm_request_match *m, uint32_t address,
                     unsigned size, bool store)
{
    uint32_t first = m->from, last = m->range ? m->to : m->from + m->size - 1u;

    if (m->look == ETM_LOOK_LOAD && store)
        return false;
    if (m->look == ETM_LOOK_STORE && !store)
        return false;
    return address <= last && address + size - 1u >= first;
}

static struct etm_request_match data_region(void)
{
    static const enum etm_look looks[] = {ETM_LOOK_TRANSFER, ETM_LOOK_LOAD,
                                          ETM_LOOK_STORE};
    struct etm_request_match m = region(0x2000);

    m.look = looks[draw(3)];
    m.range = draw(2);
    if (!m.range) {
        m.size = (uint8_t)(1u << draw(3));
        m.from += draw(4) / m.size * m.size;
    }
    return m;
}

/* MC-VD-01 to MC-VD-06, MC-ADR-13, MC-ADR-31, MC-HLP-12 */
static void transfers_selected_are_those_asked_for(void **state)
{
    static const char *const kinds[] = {"v3.1", "v3.2", "v3.3", "v3.4", "v3.5"};

    (void)state;
    for (unsigned n = 0; n < rounds(); n++) {
        struct etm_request_match include[2], exclude[2];
        struct rig g;

        rig_make(&g, "cortex-a8", kinds[draw(COUNT(kinds))]);
        for (size_t i = 0; i < 2; i++) {
            include[i] = data_region();
            exclude[i] = data_region();
        }
        g.request.data_address = true;
        g.request.data_include = include;
        g.request.n_data_include = draw(3);
        g.request.data_exclude = exclude;
        g.request.n_data_exclude = draw(3);
        rig_run(&g); /* two and two always fit into four pairs */
        for (int i = 0; i < 40; i++) {
            unsigned size = 1u << draw(3);
            uint32_t a = place(0x2000) + draw(4) / size * size;
            bool store = draw(2), wanted = g.request.n_data_include == 0;

            for (size_t k = 0; k < g.request.n_data_include; k++)
                wanted = wanted || overlaps(&include[k], a, size, store);
            for (size_t k = 0; k < g.request.n_data_exclude; k++)
                wanted = wanted && !overlaps(&exclude[k], a, size, store);
            assert_int_equal(rig_viewed(&g, a, size, 0, store), wanted);
        }
    }
}

/* No mistake in the registers; what is imprecise has been said. */
static void assert_sound(const struct rig *g)
{
    struct etm_register registers[ETM_SETUP_CAPACITY];
    struct etm_explain_config config = {.registers = registers,
                                        .n_registers = g->setup.n,
                                        .macrocell = &g->macrocell};
    struct etm_lint lints[32];
    struct etm_diag diag;
    int n;

    for (size_t i = 0; i < g->setup.n; i++)
        registers[i] =
            (struct etm_register){.number = g->setup.values[i].number,
                                  .value = g->setup.values[i].value};
    n = etm_lint_values(&config, lints, COUNT(lints), &diag);
    assert_in_range(n, 0, COUNT(lints));
    for (int i = 0; i < n; i++) {
        if (lints[i].severity == ETM_SEVERITY_UNPREDICTABLE)
            print_message("%s\n", lints[i].text);
        assert_int_not_equal(lints[i].severity, ETM_SEVERITY_UNPREDICTABLE);
        if (lints[i].rule == ETM_LINT_IMPRECISE_TRACE ||
            lints[i].rule == ETM_LINT_IMPRECISE_VIEW) {
            if (g->notes.n == 0)
                print_message("not noted: %s\n", lints[i].text);
            assert_true(g->notes.n != 0);
        }
    }
}

static struct etm_request_match any_match(bool data)
{
    struct etm_request_match m = data ? data_region() : region(0x8000);

    if (!data) {
        m.look = draw(3) == 0 ? (enum etm_look)draw(4) : ETM_LOOK_EXECUTE;
        m.isa = (enum etm_isa)draw(5);
        m.range = draw(2);
    } else if (draw(3) == 0) {
        m.has_value = true;
        m.size = m.range ? 4 : m.size;
        m.value = draw(256);
        m.differs = draw(4) == 0;
        m.mask = draw(2) ? 0xf3 : 0;
        m.value &= m.mask ? m.mask : 0xff;
        m.big_endian = draw(2);
    }
    m.has_context_id = draw(8) == 0;
    m.context_id = draw(3);
    m.security = (uint8_t)(draw(8) == 0 ? draw(3) : 0);
    m.imprecise = draw(8) == 0;
    return m;
}

static struct etm_request_condition any_condition(bool chain)
{
    static struct etm_request_condition others[16];
    struct etm_request_condition *other = &others[draw(COUNT(others))];
    struct etm_request_condition c = {
        .what = (enum etm_condition)draw(chain ? 14 : 12),
        .inverted = draw(4) == 0,
        .number = draw(5),
        .match = any_match(draw(2)),
        .times = draw(3) == 0 ? 1 + draw(65535) : 0,
        .either = draw(2),
        .with = draw(6) == 0 ? other : NULL};

    *other = (struct etm_request_condition){
        .what = (enum etm_condition)(1 + draw(11)),
        .inverted = draw(2),
        .number = 1 + draw(2),
        .match = any_match(draw(2))};

    return draw(3) == 0 ? (struct etm_request_condition){.what = 0} : c;
}

/* Everything at once, in every core and version: refused with a reason, or
   without any mistake. MC-LINT-01 to MC-LINT-25 from the other side. */
static void whatever_is_accepted_has_no_mistake(void **state)
{
    unsigned done = 0;

    (void)state;
    for (unsigned n = 0; n < 2 * rounds(); n++) {
        const struct etm_core *core;
        struct etm_request_match lists[6][2];
        struct etm_request_condition chain[3];
        struct etm_request *r;
        struct rig g;
        size_t cores = 0;
        int status;

        while (etm_cores(cores))
            cores++;
        core = etm_cores(draw((uint32_t)cores));
        rig_make(&g, core->name,
                 core->profile == ETM_PROFILE_M || draw(2)
                     ? NULL
                     : versions[draw(COUNT(versions))]);
        r = &g.request;
        for (unsigned i = 0; i < 6; i++)
            for (unsigned k = 0; k < 2; k++)
                lists[i][k] = any_match(i >= 4 || draw(6) == 0);
        lists[2][0].range = lists[3][0].range = false;
        for (unsigned i = 0; i < 3; i++)
            chain[i] = any_condition(false);
        r->include = lists[0];
        r->n_include = draw(4) / 2;
        r->exclude = lists[1];
        r->n_exclude = draw(4) / 3;
        r->start = lists[2];
        r->n_start = draw(4) / 3;
        r->stop = lists[3];
        r->n_stop = r->n_start;
        r->data_address = draw(3) == 0;
        r->data_value = draw(3) == 0;
        r->data_include = lists[4];
        r->n_data_include = draw(4) / 2;
        r->data_exclude = lists[5];
        r->n_data_exclude = draw(4) / 3;
        r->cprt = draw(6) == 0;
        r->cprt_filter = r->cprt && draw(2);
        r->chain = chain;
        r->n_chain = draw(3) == 0 ? 2 + draw(2) : 0;
        r->when = draw(3) ? (struct etm_request_condition){.what = 0}
                          : any_condition(r->n_chain != 0);
        r->trigger = any_condition(r->n_chain != 0);
        if (r->n_chain != 0 && draw(2))
            r->trigger =
                (struct etm_request_condition){.what = ETM_CONDITION_CHAIN};
        r->has_context_id = draw(6) == 0;
        r->context_id = draw(3);
        r->cycle_accurate = draw(3) == 0;
        r->context_id_bytes = (uint8_t)(draw(3) == 0 ? 1u << draw(3) : 0);
        r->suppress = draw(8) == 0;
        r->stall = draw(8) == 0;
        r->trace_id = (uint8_t)(draw(4) == 0 ? draw(0x70) : 0);
        status = rig_ask(&g);
        if (status != ETM_OK) {
            assert_true(status == ETM_ERR_UNSUPPORTED ||
                        status == ETM_ERR_ARGUMENT);
            assert_true(g.diag.what[0] != '\0');
            continue;
        }
        done++;
        rig_run(&g);
        assert_sound(&g);
    }
    assert_true(done >= rounds() / 20);
}

/* MC-EVT-14, MC-HLP-09: two conditions joined, each straight or inverted. */
static void conditions_joined_hold_together(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 16; n++) {
        struct etm_request_condition chain[3] = {
            {.what = ETM_CONDITION_EXTERNAL, .number = 1},
            {.what = ETM_CONDITION_EXTERNAL, .number = 2},
            {.what = ETM_CONDITION_EXTERNAL,
             .number = 3,
             .inverted = (n & 1) != 0}};
        struct rig g;

        rig_make(&g, "cortex-a8", NULL);
        g.request.chain = chain;
        g.request.n_chain = 3;
        g.request.external[0].what = ETM_CONDITION_CHAIN;
        g.request.external[0].inverted = (n & 2) != 0;
        rig_run(&g);
        for (unsigned inputs = 0; inputs < 64; inputs++) {
            struct etm_resource_pins pins = {.ext_in = inputs & 7};
            bool done, out;

            etm_resources_pins(&g.resources, &pins);
            done = g.resources.state == 2 &&
                   ((inputs >> 2 & 1) != 0) == ((n & 1) == 0);
            out = rig_insn(&g, 0x8000).ext_out & 1;
            assert_int_equal(out, done == ((n & 2) == 0));
        }
    }
}

/*
 * A macrocell without address comparators: those of the DWT, its EmbeddedICE
 * inputs, take their place (7.6; ARMv7-M Architecture Reference Manual, DDI
 * 0403, C1.8).
 */

/* An instruction, after the DWT of the setup has compared it. */
static bool dwt_traced(struct rig *g, uint32_t address)
{
    struct etm_event event = {.kind = ETM_EVENT_INSN};

    event.u.insn.address = address;
    model_dwt(&g->setup, &event, &g->resources);
    return rig_traced(g, address);
}

/* E-580, E-581: whatever is asked for is traced, and what is left out was to
 * be. */
static void nothing_is_lost_at_random_ranges(void **state)
{
    struct rig g;

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        uint32_t first = draw(0x800) * 2, length = 2 + draw(0x200) * 2;
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
        cmocka_unit_test(instructions_selected_are_those_asked_for),
        cmocka_unit_test(transfers_selected_are_those_asked_for),
        cmocka_unit_test(whatever_is_accepted_has_no_mistake),
        cmocka_unit_test(conditions_joined_hold_together),
        cmocka_unit_test(nothing_is_lost_at_random_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
