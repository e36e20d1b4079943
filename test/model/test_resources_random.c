/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random registers, instructions, transfers, inputs and states: the resources
 * give in each cycle what the plain ones do.
 */
#include "../support/test.h"
#include "plain_resources.h"

#include "../support/setting.h"
#include "random.h"

#define OWNERS 64u

static const uint8_t versions[] = {
    ETM_V1_0, ETM_V1_1, ETM_V1_2, ETM_V1_3, ETM_V2_0, ETM_V2_1,   ETM_V3_0,
    ETM_V3_1, ETM_V3_2, ETM_V3_3, ETM_V3_4, ETM_V3_5, ETM_PFT1_0, ETM_PFT1_1,
};

struct round {
    uint64_t seed;
    struct random r;
    uint32_t value[ETM_REGISTERS];
    struct etm_resources_config config;
    struct etm_resources real;
    struct plain plain;
    struct etm_resource_pins pins;
    struct etm_resource_context context;
    /* the last instructions, and what both sides know of them */
    struct etm_resource_owner owner[OWNERS];
    struct plain_owner plain_owner[OWNERS];
    unsigned n_insns;
};

static uint32_t below(struct round *g, uint32_t n)
{
    return random_below(&g->r, n);
}

static bool chance(struct round *g, unsigned percent)
{
    return random_chance(&g->r, percent);
}

/* Few addresses, so that comparators match: two stretches and the ends. */
static uint32_t address(struct round *g)
{
    uint32_t at = chance(g, 50) ? 0x1000 : 0x2000;

    if (chance(g, 4))
        return chance(g, 50) ? UINT32_MAX - below(g, 8) : below(g, 8);
    return at + below(g, 48);
}

static void make_config(struct round *g)
{
    struct etm_resources_config *c = &g->config;
    unsigned v = versions[below(g, sizeof versions)];
    bool all = chance(g, 60);

    memset(c, 0, sizeof *c);
    c->size = sizeof *c;
    c->version = v;
    c->security = v >= ETM_V3_2 && chance(g, 60);
    c->split = chance(g, 30);
    c->no_fetch = chance(g, 10);
    c->virtualization = v >= ETM_V3_5 && v != ETM_PFT1_0 && chance(g, 40);
    c->late_events = chance(g, 20);
    c->exact_ranges_fire = chance(g, 30);
    c->ranges_follow_data = chance(g, 15);
    c->no_cprt = chance(g, 20);
    c->no_view_data = chance(g, 5);
    c->no_timestamps = chance(g, 20);
    c->outputs_low_disabled = chance(g, 30);
    c->counts = (struct etm_resource_counts){
        .sac_pairs = (uint8_t)(all ? 8 : below(g, 9)),
        .mmds = (uint8_t)(all ? 16 : below(g, 17)),
        .counters = (uint8_t)(all ? 4 : below(g, 5)),
        .ext_in = (uint8_t)(all ? 4 : below(g, 5)),
        .ext_out = (uint8_t)(all ? 4 : below(g, 5)),
        .cidcs = (uint8_t)(all ? 3 : below(g, 4)),
        .extsels = (uint8_t)(all ? 4 : below(g, 5)),
        .ext_ext_in = (uint8_t)(all ? 255 : below(g, 256)),
        .instrumentation = (uint8_t)(all ? 4 : below(g, 5)),
        .eices = (uint8_t)(all ? 8 : below(g, 9)),
        .sequencer = all || chance(g, 50),
        .start_stop = all || chance(g, 50),
        .fifofull = chance(g, 50),
        .start_stop_eice = chance(g, 50),
        .eice_behavior = chance(g, 50),
        .no_data_address = v >= ETM_V3_3 && chance(g, 5),
        .reduced_counter = v >= ETM_V3_4 && chance(g, 10),
    };
    c->counts.dvcs = (uint8_t)(all ? 8 : below(g, c->counts.sac_pairs + 1u));
}

/* A resource; seldom one that does not exist. */
static uint32_t resource(struct round *g)
{
    static const uint8_t first[] = {0x00, 0x10, 0x18, 0x20, 0x30, 0x40,
                                    0x50, 0x58, 0x5f, 0x60, 0x68, 0x6d};
    static const uint8_t many[] = {16, 8, 4, 8, 16, 4, 3, 4, 1, 4, 4, 3};
    unsigned k = below(g, sizeof first);

    if (chance(g, 3))
        return below(g, 128);
    return first[k] + below(g, many[k]);
}

static uint32_t event(struct round *g)
{
    if (chance(g, 10))
        return chance(g, 50) ? 0x6f : 0x406f;
    return below(g, 8) << 14 | resource(g) << 7 | resource(g);
}

/* A value that another one is like in most of its bytes. */
static uint32_t small(struct round *g)
{
    uint32_t value = below(g, 3);

    for (unsigned n = 1; n < 4; n++)
        value |= (uint32_t)chance(g, 25) << 8 * n;
    return value;
}

static void make_comparator(struct round *g, unsigned n)
{
    uint32_t *v = g->value;
    uint32_t type = below(g, chance(g, 90) ? 7 : 8);
    uint32_t c = type | (chance(g, 60) ? 3u : below(g, 4)) << 3;

    if (chance(g, 50))
        c |= below(g, 4) << 5;
    if (chance(g, 25))
        c |= 1u << 7;
    if (chance(g, 15))
        c |= below(g, 4) << 8;
    if (chance(g, 15))
        c |= below(g, 16) << 10;
    if (chance(g, 40))
        c |= below(g, 4) << 14;
    v[ETM_REG_ACVR1 + n] = address(g);
    v[ETM_REG_ACTR1 + n] = c;
    if (n % 2 == 0) {
        uint32_t value = small(g), mask = chance(g, 50) ? 0 : small(g);

        if (g->config.version >= ETM_V3_3 && (c >> 3 & 3) != 3) {
            /* the same in all lanes (2.8.3) */
            uint32_t unit = (c >> 3 & 3) == 1 ? 0xffff : 0xff;
            uint32_t times = unit == 0xff ? 0x01010101 : 0x00010001;

            value = (value & unit) * times;
            mask = (mask & unit) * times;
        }
        v[ETM_REG_DCVR1 + n] = value & ~mask;
        v[ETM_REG_DCMR1 + n] = mask;
        return;
    }
    if (chance(g, 70)) /* a range */
        v[ETM_REG_ACVR1 + n] = v[ETM_REG_ACVR1 + n - 1] + 1 + below(g, 24);
    if (chance(g, 3))
        v[ETM_REG_ACVR1 + n] = UINT32_MAX;
    if (chance(g, 70))
        v[ETM_REG_ACTR1 + n] = v[ETM_REG_ACTR1 + n - 1] & ~0x60u;
}

static void make_filters(struct round *g)
{
    uint32_t *v = g->value;

    v[ETM_REG_CR] = (uint32_t)random_next(&g->r) & 0x011c0082u;
    if (chance(g, 80)) /* not without instructions */
        v[ETM_REG_CR] &= ~UINT32_C(0x00100000);
    v[ETM_REG_TECR1] =
        random_few(&g->r, 24) | below(g, 2) << 24 | below(g, 2) << 25;
    v[ETM_REG_TECR2] = random_few(&g->r, 16);
    v[ETM_REG_TSSCR] = random_few(&g->r, 32);
    v[ETM_REG_TESSEICR] = random_few(&g->r, 8) | random_few(&g->r, 8) << 16;
    v[ETM_REG_EIBCR] = below(g, 256);
    v[ETM_REG_FFRR] = random_few(&g->r, 24) | below(g, 2) << 24;
    v[ETM_REG_VDCR1] = random_few(&g->r, 32);
    v[ETM_REG_VDCR2] = chance(g, 50) ? random_few(&g->r, 32) : 0;
    v[ETM_REG_VDCR3] = random_few(&g->r, 16) | below(g, 2) << 16;
}

static void make_registers(struct round *g)
{
    uint32_t *v = g->value;

    memset(v, 0, sizeof g->value);
    make_filters(g);
    for (unsigned n = 0; n < 16; n++)
        make_comparator(g, n);
    v[ETM_REG_TEEVR] = chance(g, 50) ? 0x6f : event(g);
    v[ETM_REG_VDEVR] = chance(g, 50) ? 0x6f : event(g);
    v[ETM_REG_TRIGGER] = event(g);
    v[ETM_REG_TSEVR] = event(g);
    for (unsigned n = 0; n < 4; n++) {
        v[ETM_REG_CNTRLDVR1 + n] = below(g, 8);
        v[ETM_REG_CNTVR1 + n] = below(g, 8);
        v[ETM_REG_CNTENR1 + n] = event(g) | below(g, 2) << 17;
        v[ETM_REG_CNTRLDEVR1 + n] = event(g);
        v[ETM_REG_EXTOUTEVR1 + n] = event(g);
        if (n < 3)
            v[ETM_REG_CIDCVR1 + n] = below(g, 4);
    }
    for (unsigned n = 0; n < 6; n++)
        v[ETM_REG_SQ12EVR + n] = event(g);
    v[ETM_REG_SQR] = below(g, 3);
    v[ETM_REG_SR] = below(g, 4) << 2;
    v[ETM_REG_CIDCMR] = below(g, 3);
    v[ETM_REG_EXTINSELR] = (uint32_t)random_next(&g->r);
    v[ETM_REG_VMIDCVR] = below(g, 3);
}

static struct etm_resource_insn an_insn(struct round *g)
{
    static const uint8_t isas[] = {ETM_ISA_ARM, ETM_ISA_THUMB, ETM_ISA_THUMBEE,
                                   ETM_ISA_JAZELLE};
    struct etm_resource_insn i = {
        .address = address(g),
        .isa = isas[below(g, 4)],
        .size = (uint8_t)(chance(g, 60) ? 4 : 2),
        .passed = chance(g, 80),
        .cancelled = chance(g, 10),
        .hint = (uint8_t)(chance(g, 20) ? below(g, 17) : 0),
    };

    if (i.isa == ETM_ISA_ARM)
        i.address &= ~3u;
    return i;
}

static struct etm_resource_transfer a_transfer(struct round *g)
{
    struct etm_resource_transfer t = {
        .address = address(g),
        .value = small(g),
        .size = (uint8_t)(1u << below(g, 3)),
        .phase = (uint8_t)(chance(g, 80) ? 0 : below(g, 3)),
        .store = chance(g, 50),
        .big_endian = chance(g, 30),
        .failed = chance(g, 10),
        .cprt = chance(g, 10),
        .stacking = chance(g, 3),
        .follows = chance(g, 20),
    };

    if (t.address > UINT32_MAX - 4)
        t.size = 1; /* none goes around the end of memory */
    if (g->config.version <= ETM_V3_0)
        t.address &= ~(t.size - 1u); /* unaligned ones: from v3.1 on */
    return t;
}

static void change_inputs(struct round *g)
{
    struct etm_resource_pins *p = &g->pins;
    struct etm_resource_context *c = &g->context;

    if (chance(g, 40)) {
        p->ext_in = (uint8_t)below(g, 16);
        p->eice = (uint8_t)below(g, 256);
        p->eice_sampled = (uint8_t)(chance(g, 50) ? below(g, 256) : 0);
        p->mmd = (uint16_t)random_few(&g->r, 16);
        for (unsigned n = 0; n < 8; n++)
            p->ext_ext[n] = (uint32_t)random_next(&g->r);
        p->no_noninvasive = g->config.version >= ETM_V3_2 && chance(g, 10);
        etm_resources_pins(&g->real, p);
        plain_pins(&g->plain, p);
    }
    if (chance(g, 30)) {
        c->context_id = below(g, 4);
        c->non_secure = chance(g, 50);
        c->user = chance(g, 50);
        c->prohibited = g->config.security && !c->non_secure && chance(g, 30);
        c->hyp = g->config.virtualization && c->non_secure && chance(g, 40);
        c->vmid = (uint8_t)below(g, 3);
        etm_resources_context(&g->real, c);
        plain_context(&g->plain, c);
    }
}

static void change_hold(struct round *g)
{
    enum etm_resources_hold held = chance(g, 60)   ? ETM_RESOURCES_RUN
                                   : chance(g, 50) ? ETM_RESOURCES_PROGRAMMING
                                                   : ETM_RESOURCES_LOCKED;

    etm_resources_hold(&g->real, held);
    g->plain.held = held;
}

/* One item for both, and what the plain ones say. */
static struct plain_answer take(struct round *g, struct plain_item *item,
                                unsigned *insns)
{
    if (chance(g, 60) || g->n_insns == 0) {
        item->is_insn = true;
        item->insn = an_insn(g);
        item->owner = &g->plain_owner[g->n_insns % OWNERS];
        g->owner[g->n_insns % OWNERS] =
            etm_resources_insn(&g->real, &item->insn);
        g->n_insns++;
        (*insns)++;
    } else {
        unsigned back = 1 + below(g, g->n_insns < 4 ? g->n_insns : 4);
        unsigned which = (g->n_insns - back) % OWNERS;

        if (chance(g, 70))
            which = (g->n_insns - (back = 1)) % OWNERS;
        item->is_insn = false;
        item->transfer = a_transfer(g);
        item->transfer.owner = g->owner[which];
        item->owner = &g->plain_owner[which];
        item->slot = (int)*insns - (int)back;
        etm_resources_transfer(&g->real, &item->transfer);
    }
    return plain_take(&g->plain, item);
}

static void fail_round(struct round *g, unsigned cycle, const char *what,
                       unsigned real, unsigned plain)
{
    printf("ETM_TEST_SEED=%llu: v%x cycle %u: %s is %x, not %x\n",
           (unsigned long long)g->seed, g->config.version, cycle, what, real,
           plain);
    for (unsigned n = 0; n < 0x91; n++)
        if (g->value[n] != 0)
            printf("%03x %08x%s", n, g->value[n], n % 6 == 5 ? "\n" : "  ");
    printf("\n");
    fail_msg("%s", what);
}

#define SAME(what, a, b)                                                       \
    do {                                                                       \
        if ((unsigned)(a) != (unsigned)(b))                                    \
            fail_round(g, cycle, what, (unsigned)(a), (unsigned)(b));          \
    } while (0)

static void compare(struct round *g, unsigned cycle,
                    const struct etm_resource_outputs *a,
                    const struct etm_resource_outputs *b)
{
    const struct etm_resources *r = &g->real;
    const struct plain *p = &g->plain;

    SAME("insns", a->insns, b->insns);
    SAME("transfers", a->transfers, b->transfers);
    SAME("view", a->view, b->view);
    SAME("trace_enable", a->trace_enable, b->trace_enable);
    SAME("trigger", a->trigger, b->trigger);
    SAME("timestamp", a->timestamp, b->timestamp);
    SAME("ext_out", a->ext_out, b->ext_out);
    if (g->config.counts.fifofull)
        SAME("full_region", a->full_region, b->full_region);
    SAME("started", r->started, p->started);
    SAME("triggered", r->triggered, p->triggered);
    SAME("state", r->state, p->state);
    for (unsigned n = 0; n < 4; n++) {
        SAME("counter", r->counter[n], p->counter[n]);
        SAME("instrumentation", r->instrumentation >> n & 1,
             p->instrumentation[n]);
    }
}

/* Cycles without items: passing over them is the same as making them. */
static void idle(struct round *g, unsigned cycle)
{
    struct etm_resources copy;
    struct etm_resource_outputs a, b;
    uint64_t n;

    for (unsigned i = 0; i < 2; i++) { /* what was outstanding is over */
        etm_resources_cycle(&g->real, false, &a);
        plain_cycle(&g->plain, NULL, NULL, 0, false, &b);
        compare(g, cycle, &a, &b);
    }
    copy = g->real;
    n = etm_resources_skip(&copy, 1 + below(g, 12));
    for (uint64_t i = 0; i < n; i++) {
        uint8_t before = g->real.last_ext_out;

        etm_resources_cycle(&g->real, false, &a);
        plain_cycle(&g->plain, NULL, NULL, 0, false, &b);
        compare(g, cycle, &a, &b);
        SAME("trigger in a cycle passed over", a.trigger, 0);
        SAME("ext_out in a cycle passed over", a.ext_out,
             g->real.held == ETM_RESOURCES_RUN ? before : 0);
    }
    if (!g->config.late_events) { /* nobody asks for them */
        copy.late_trace = g->real.late_trace;
        copy.late_view = g->real.late_view;
    }
    SAME("state behind cycles passed over",
         memcmp(&copy, &g->real, sizeof copy) != 0, false);
}

static void one_round(struct round *g, uint64_t seed)
{
    g->seed = seed;
    g->r.state = seed;
    g->n_insns = 0;
    make_config(g);
    make_registers(g);
    memset(&g->pins, 0, sizeof g->pins);
    memset(&g->context, 0, sizeof g->context);
    etm_resources_init(&g->real, &g->config);
    etm_resources_program(&g->real, g->value);
    etm_resources_hold(&g->real, ETM_RESOURCES_RUN);
    plain_program(&g->plain, &g->config, g->value);
    for (unsigned cycle = 0; cycle < 60; cycle++) {
        struct plain_item items[PLAIN_ITEMS] = {0};
        struct plain_answer answers[PLAIN_ITEMS];
        struct etm_resource_outputs a, b;
        unsigned n = below(g, 5), insns = 0;
        bool outstanding = chance(g, 20);

        if (chance(g, 3))
            change_hold(g);
        change_inputs(g);
        for (unsigned i = 0; i < n; i++) {
            answers[i] = take(g, &items[i], &insns);
            if (chance(g, 10))
                change_inputs(g);
        }
        etm_resources_cycle(&g->real, outstanding, &a);
        plain_cycle(&g->plain, items, answers, n, outstanding, &b);
        compare(g, cycle, &a, &b);
        if (chance(g, 20))
            idle(g, cycle);
    }
}

TEST(resources_do_what_the_plain_ones_do)
{
    static struct round g;
    unsigned long n = setting("ETM_TEST_ROUNDS", 20000);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++)
        one_round(&g, seed + i);
}
