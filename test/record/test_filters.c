/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs did, under macrocells of all versions with random values in
 * the registers that select: the instructions and transfers that come back
 * from the trace are those that the plain resources select.
 */
#include "../support/core.h"
#include "../support/test.h"
#include "record_support.h"

#include "model/macrocell_judge.h"

#include "../support/setting.h"
#include "isa/insn.h"
#include "model/macrocell.h"

#include <etm/model.h>
#include <etm/setup.h>

#define IRQ_FIQ "--interrupt irq/700 --interrupt fiq/1100"
#define V3                                                                     \
    {                                                                          \
        "v3.0", "v3.1", "v3.2", "v3.3", "v3.4", "v3.5"                         \
    }

static const struct source {
    const char *name, *core, *interrupts;
    enum etm_profile profile;
    const char *versions[7];
} sources[] = {
    {"moves-arm7tdmi", "arm7tdmi", "", ETM_PROFILE_A, {"v1.0", "v1.1", "v1.2"}},
    {"nested-arm926", "arm926ej-s-large", IRQ_FIQ, ETM_PROFILE_A,
     .versions = {"v1.2", "v1.3"}},
    {"moves-arm926", "arm1020e", "", ETM_PROFILE_A, {"v2.0", "v2.1"}},
    {"nested-arm926", "arm1020e", IRQ_FIQ, ETM_PROFILE_A,
     .versions = {"v2.0", "v2.1"}},
    {"moves-r4", "cortex-r4", "", ETM_PROFILE_R, .versions = V3},
    {"nested-r4", "cortex-r4", IRQ_FIQ, ETM_PROFILE_R, .versions = V3},
    {"nested-m3", "cortex-m3", "--interrupt irq1/90 --interrupt systick/120",
     ETM_PROFILE_M, .versions = {"v3.4", "v3.5"}},
};

/* One of a list of what is traced. */
struct item {
    bool data;
    uint32_t insn; /* its address */
    uint32_t address, value;
};

#define ITEMS (2 * WALK_EVENTS)

struct list {
    size_t n;
    struct item items[ITEMS];
    unsigned overflows, lost;
};

struct filters {
    struct random r;
    const struct source *source;
    const char *version;
    uint64_t seed;
    struct cell cell;
    struct walk walk;
    struct judge judge;
    struct verdict verdicts[WALK_EVENTS];
    struct list selected, told;
};

static bool chance(struct filters *f, unsigned percent)
{
    return random_chance(&f->r, percent);
}

static uint32_t below(struct filters *f, uint32_t n)
{
    return random_below(&f->r, n);
}

static int take_events(void *context, const struct etm_event *events, size_t n)
{
    struct walk *walk = context;

    for (size_t i = 0; i < n && walk->n < WALK_EVENTS; i++)
        walk->events[walk->n++] = events[i];
    return ETM_OK;
}

/* What the program did, as far as there is room, and up to an instruction. */
static void read_walk(struct filters *f)
{
    record(f->source->name, "--core %s %s", f->source->core,
           f->source->interrupts);
    f->walk.n = 0;
    read_events(f->source->profile, take_events, &f->walk);
    while (f->walk.n == WALK_EVENTS ||
           f->walk.events[f->walk.n].kind != ETM_EVENT_INSN)
        f->walk.n--;
}

static struct judge_moves moves_of_insn(const void *context,
                                        const struct etm_event *insn)
{
    const struct source *source = context;
    enum etm_isa isa = (enum etm_isa)insn->u.insn.isa;
    uint32_t opcode = insn->u.insn.opcode, at = insn->u.insn.address;
    struct etm_insn i;

    if (isa == ETM_ISA_ARM)
        etm_insn_decode_arm(&i, source->profile, at, opcode);
    else if (insn->u.insn.size == 2)
        etm_insn_decode_thumb16(&i, isa, source->profile, at, (uint16_t)opcode);
    else
        etm_insn_decode_thumb32(&i, isa, source->profile, at, opcode);
    return (struct judge_moves){
        .any = i.transfers.kind != ETM_TRANSFER_NONE,
        .cprt = i.transfers.kind == ETM_TRANSFER_CPRT,
        .multiple = i.transfers.multiple,
        .count = i.transfers.count,
    };
}

/* A register, if there is one. */
static void set(struct filters *f, uint32_t number, uint32_t value)
{
    if (f->cell.m->registers.flags[number] & ETM_REG_EXISTS)
        (void)etm_macrocell_write(f->cell.m, number, f->cell.access, value);
}

static const struct etm_event *some(struct filters *f, enum etm_event_kind kind)
{
    for (unsigned n = 0; n < 100; n++) {
        const struct etm_event *e =
            &f->walk.events[below(f, (uint32_t)f->walk.n)];

        if (e->kind == kind)
            return e;
    }
    return &f->walk.events[0];
}

/* Comparators n and n + 1: often a range. */
static void comparator(struct filters *f, unsigned n)
{
    bool data = chance(f, 40);
    const struct etm_event *e = some(f, data ? ETM_EVENT_DATA : ETM_EVENT_INSN);
    uint32_t at = data ? e->u.data.address : e->u.insn.address;
    uint32_t control = data ? 4 + below(f, 3) : below(f, 4);

    control |= (chance(f, 70) ? 3u : below(f, 4)) << 3;
    control |= chance(f, 10) ? 1u << 7 : 0;
    control |= data && chance(f, 25) ? below(f, 4) << 5 : 0;
    set(f, ETM_REG_ACVR1 + n, at);
    set(f, ETM_REG_ACTR1 + n, control);
    set(f, ETM_REG_DCVR1 + n, data ? (uint32_t)e->u.data.value : 0);
    set(f, ETM_REG_DCMR1 + n, 0);
    set(f, ETM_REG_ACVR1 + n + 1, at + 1 + below(f, 1u << below(f, 12)));
    set(f, ETM_REG_ACTR1 + n + 1, control & ~0x60u);
}

static uint32_t event(struct filters *f)
{
    static const uint8_t resources[] = {0x00, 0x02, 0x10, 0x11, 0x40, 0x41,
                                        0x50, 0x51, 0x52, 0x5f, 0x6f, 0x10};

    return below(f, 8) << 14 | resources[below(f, sizeof resources)] |
           (uint32_t)resources[below(f, sizeof resources)] << 7;
}

/* Comparators of data would turn tracing on within instructions (7.7.3); here
 * TraceEnable includes and excludes only by those of instructions. */
static uint32_t only_insns(struct filters *f, uint32_t mask, unsigned step)
{
    for (unsigned n = 0; n < 16 / step; n++)
        if (f->cell.m->registers.value[ETM_REG_ACTR1 + n * step] & 4u)
            mask &= ~(UINT32_C(1) << n);
    return mask;
}

static void registers(struct filters *f)
{
    bool old = f->version[1] == '1' || f->version[1] == '2';
    uint32_t control = below(f, 2) << 12 | below(f, 4) << 2;

    /* with addresses alone, words that are left out look like the others */
    if ((control & 0xcu) == ETM_CR_DATA_ADDRESS)
        control |= ETM_CR_DATA_VALUE;
    for (unsigned n = 0; n < 16; n += 2)
        comparator(f, n);
    for (unsigned n = 0; n < 4; n++) {
        set(f, ETM_REG_CNTRLDVR1 + n, below(f, 30));
        set(f, ETM_REG_CNTENR1 + n, event(f) | 1u << 17);
        set(f, ETM_REG_CNTRLDEVR1 + n, chance(f, 50) ? 0x406f : event(f));
        set(f, ETM_REG_EXTOUTEVR1 + n, 0x406f);
    }
    for (unsigned n = 0; n < 6; n++)
        set(f, ETM_REG_SQ12EVR + n, event(f));
    set(f, ETM_REG_TRIGGER, 0x406f);
    set(f, ETM_REG_TEEVR, chance(f, 60) ? 0x6f : event(f));
    set(f, ETM_REG_TECR1,
        only_insns(f, random_few(&f->r, 8), 2) | (uint32_t)chance(f, 70) << 24 |
            (uint32_t)chance(f, 25) << 25);
    set(f, ETM_REG_TECR2, only_insns(f, random_few(&f->r, 16), 1));
    set(f, ETM_REG_TSSCR,
        only_insns(f, random_few(&f->r, 16), 1) |
            only_insns(f, random_few(&f->r, 16), 1) << 16);
    set(f, ETM_REG_VDEVR, chance(f, 60) ? 0x6f : event(f));
    set(f, ETM_REG_VDCR1, random_few(&f->r, 32));
    set(f, ETM_REG_VDCR3,
        random_few(&f->r, 16) | (uint32_t)chance(f, 60) << 16);
    set(f, ETM_REG_FFRR, 0x01000000);
    set(f, ETM_REG_SYNCFR, 0xfff);
    control |= ETM_CR_PORT_ENABLE | (old ? 2u : 4u) << 4;
    set(f, ETM_REG_CR, control | ETM_CR_PROGRAMMING);
    set(f, ETM_REG_CR, control);
}

static void add_item(struct list *list, struct item item)
{
    assert_true(list->n < ITEMS);
    list->items[list->n++] = item;
}

static bool values(const struct filters *f)
{
    return f->cell.m->registers.value[ETM_REG_CR] & ETM_CR_DATA_VALUE;
}

/* What is there of a transfer where only one part is traced. */
static struct item transfer_item(const struct filters *f, uint32_t insn,
                                 uint32_t address, uint64_t value)
{
    uint32_t cr = f->cell.m->registers.value[ETM_REG_CR];

    return (struct item){
        .data = true,
        .insn = insn,
        .address = cr & ETM_CR_DATA_ADDRESS ? address : 0,
        .value = values(f) ? (uint32_t)value : 0,
    };
}

/* The instructions and transfers that the verdicts select. False: TraceEnable
 * rises in the middle of an instruction (7.7.3). */
static bool list_selected(struct filters *f)
{
    bool within = false;
    const struct walk *w = &f->walk;
    bool traced = false, cprt = false, old = f->version[1] < '3';
    uint32_t insn = 0, cr = f->cell.m->registers.value[ETM_REG_CR];

    f->selected.n = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct etm_event *e = &w->events[i];

        if (e->kind == ETM_EVENT_INSN) {
            const struct etm_event *next = judge_next(w, i);
            bool gone = cancelled(w, i);

            /* before v3.0 what was aborted stays (4.5.3) */
            if (gone && old &&
                next->u.exception.type == ETM_EXCEPTION_DATA_ABORT)
                gone = false;
            traced = f->verdicts[i].traced && !gone;
            insn = e->u.insn.address;
            cprt = moves_of_insn(f->source, e).cprt;
            if (traced)
                add_item(&f->selected, (struct item){.insn = insn});
        } else if (e->kind == ETM_EVENT_DATA && !traced) {
            within = within || f->verdicts[i].high;
        } else if (e->kind == ETM_EVENT_DATA && !cprt &&
                   f->verdicts[i].viewed &&
                   cr & (ETM_CR_DATA_ADDRESS | ETM_CR_DATA_VALUE)) {
            add_item(&f->selected, transfer_item(f, insn, e->u.data.address,
                                                 e->u.data.value));
        } else if (e->kind == ETM_EVENT_STACKING) {
            traced = false;
        }
    }
    return !within;
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct filters *f = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        if (e->kind == ETM_ELEMENT_INSN)
            add_item(&f->told, (struct item){.insn = e->u.insn.address});
        else if (e->kind == ETM_ELEMENT_DATA && e->u.data.insn_known &&
                 (e->u.data.value_known || !values(f))) /* not left out */
            add_item(&f->told,
                     transfer_item(f, e->u.data.insn, e->u.data.address,
                                   e->u.data.value));
        else if (e->kind == ETM_ELEMENT_TRACE_ON)
            f->told.overflows += e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
        else if (e->kind == ETM_ELEMENT_LOST)
            f->told.lost++;
    }
    return ETM_OK;
}

/* The code is what ran. */
static struct etm_image *image_of(const struct walk *w)
{
    struct etm_image *image;

    assert_ok(etm_image_new(&image, NULL));
    for (size_t i = 0; i < w->n; i++) {
        const struct etm_event *e = &w->events[i];
        uint32_t op = e->u.insn.opcode;
        uint8_t code[4];

        if (e->kind != ETM_EVENT_INSN)
            continue;
        if (e->u.insn.isa != ETM_ISA_ARM && e->u.insn.size == 4)
            op = op << 16 | op >> 16;
        for (unsigned k = 0; k < 4; k++)
            code[k] = (uint8_t)(op >> 8 * k);
        assert_ok(etm_image_add_copy(image, e->u.insn.address, code,
                                     e->u.insn.size, NULL));
    }
    return image;
}

static void decode_trace(struct filters *f)
{
    struct etm_config trace;
    struct etm_image *image = image_of(&f->walk);
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &trace,
                                        .image = image,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = take_elements,
                                        .context = f};
    struct etm_decoder *decoder;

    etm_macrocell_trace_config(f->cell.m, &trace);
    f->told.n = f->told.overflows = f->told.lost = 0;
    assert_ok(etm_decoder_new(&decoder, &config));
    assert_ok(etm_decoder_push(decoder, f->cell.bytes, f->cell.n_bytes));
    assert_ok(etm_decoder_finish(decoder));
    etm_decoder_free(decoder);
    etm_image_free(image);
}

static void fail_round(const struct filters *f, const char *what, size_t at)
{
    printf("ETM_TEST_SEED=%llu: %s %s: %s at %zu of %zu, %zu\n",
           (unsigned long long)f->seed, f->source->name, f->version, what, at,
           f->selected.n, f->told.n);
    for (size_t i = at < 4 ? 0 : at - 4; i < at + 3; i++) {
        const struct item *a = &f->selected.items[i], *b = &f->told.items[i];

        printf("selected %d %08x %08x=%08x   told %d %08x %08x=%08x\n", a->data,
               a->insn, a->address, a->value, b->data, b->insn, b->address,
               b->value);
    }
    if (getenv("ETM_TEST_VERBOSE") != NULL)
        for (unsigned n = 0; n < 0x91; n++)
            if (f->cell.m->registers.value[n] != 0)
                printf("%03x %08x\n", n, f->cell.m->registers.value[n]);
    fail_msg("%s", what);
}

static bool same_item(const struct item *a, const struct item *b)
{
    return a->data == b->data && a->insn == b->insn &&
           a->address == b->address && a->value == b->value;
}

static void compare(struct filters *f)
{
    for (size_t i = 0; i < f->selected.n || i < f->told.n; i++)
        if (i >= f->selected.n || i >= f->told.n ||
            !same_item(&f->selected.items[i], &f->told.items[i]))
            fail_round(f, "another item", i);
    if (f->told.lost != 0)
        fail_round(f, "something is lost", 0);
}

static bool one_round(struct filters *f, uint64_t seed)
{
    static const struct etm_macrocell_pins open = {
        .dbgen = true, .niden = true, .spiden = true, .spniden = true};
    struct cell *c = &f->cell;
    struct etm_resources_config config;
    struct etm_diag diag = {0};
    bool told;

    f->seed = seed;
    f->r.state = seed;
    cell_begin(c, &c->trace);
    c->config = (struct etm_macrocell_config){.size = sizeof c->config};
    assert_ok(etm_core_macrocell(core_named(f->source->core), f->version,
                                 &c->config, &c->trace, &diag));
    c->config.fifo_size = 255;
    c->output.packets = NULL;
    c->output.trace_waits = true;
    c->access = c->trace.minor >= 2 && c->trace.protocol == ETM_PROTOCOL_ETMV3
                    ? ETM_ACCESS_DEBUGGER
                    : ETM_ACCESS_JTAG;
    if (c->trace.protocol == ETM_PROTOCOL_ETMV3)
        c->output.fifo_size = UINT64_MAX;
    assert_ok(etm_macrocell_new(&c->m, &c->config, &diag));
    etm_macrocell_set_pins(c->m, &open);
    assert_ok(etm_macrocell_connect(c->m, &c->output));
    /* ETMSR[1] came with v1.2; until then the bit acts with the write */
    poke(c, ETM_REG_CR, ETM_CR_PROGRAMMING);
    registers(f);
    config = etm_resources_config_of(&c->m->registers);
    memset(&f->judge, 0, sizeof f->judge);
    f->judge.walk = &f->walk;
    f->judge.moves = moves_of_insn;
    f->judge.context = f->source;
    f->judge.verdicts = f->verdicts;
    plain_program(&f->judge.p, &config, c->m->registers.value);
    judge_walk(&f->judge);
    told = list_selected(f) && !f->judge.unclear;
    run(c, f->walk.events, f->walk.n);
    finish(c);
    decode_trace(f);
    told = told && f->told.overflows == 0;
    if (told)
        compare(f);
    cell_end(c);
    return told;
}

IN_A_FOLDER(traces_are_what_the_resources_select)
{
    static struct filters f;
    unsigned long n = setting("ETM_TEST_ROUNDS", 30);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (size_t i = 0; i < COUNT(sources); i++) {
        f.source = &sources[i];
        read_walk(&f);
        for (size_t k = 0; f.source->versions[k] != NULL; k++) {
            unsigned long whole = 0;

            f.version = f.source->versions[k];
            for (unsigned long round = 0; round < n; round++)
                whole += one_round(&f, seed + round);
            if (getenv("ETM_TEST_VERBOSE") != NULL)
                printf("%s %s: %lu of %lu, %zu\n", f.source->name, f.version,
                       whole, n, f.walk.n);
        }
    }
}

int main(int argc, char **argv)
{
    if (!record_setup(argc, argv))
        return 77;
    return tests_run();
}
