/* SPDX-License-Identifier: Apache-2.0 */
#include "etmv1_walk.h"

#include <string.h>

#define ARM ETM_ISA_ARM
#define THUMB ETM_ISA_THUMB

/* Encodings of the ARM Architecture Reference Manual (Armv5TE). */
static const struct v1_op ops[] = {
    {ARM, 4, V1_OTHER, 0, 0, 0, false, false, 0xe1a00000},     /* mov r0, r0 */
    {ARM, 4, V1_OTHER, 0, 0, 0, false, true, 0x12811001},      /* addne */
    {ARM, 4, V1_OTHER, 0, 0, 0, false, false, 0xf5d0f000},     /* pld */
    {ARM, 4, V1_OTHER, 0, 0, 0, false, false, 0xee000000},     /* cdp */
    {ARM, 4, V1_OTHER, 1, 4, 'l', false, false, 0xe5921000},   /* ldr */
    {ARM, 4, V1_OTHER, 1, 4, 'l', false, true, 0x15921000},    /* ldrne */
    {ARM, 4, V1_OTHER, 1, 1, 'l', false, false, 0xe5d21000},   /* ldrb */
    {ARM, 4, V1_OTHER, 1, 2, 'l', false, false, 0xe1d210b0},   /* ldrh */
    {ARM, 4, V1_OTHER, 1, 1, 'l', false, false, 0xe1d210d0},   /* ldrsb */
    {ARM, 4, V1_OTHER, 1, 4, 's', false, false, 0xe5821000},   /* str */
    {ARM, 4, V1_OTHER, 1, 2, 's', false, false, 0xe1c210b0},   /* strh */
    {ARM, 4, V1_OTHER, 4, 4, 'l', true, false, 0xe890001e},    /* ldmia */
    {ARM, 4, V1_OTHER, 5, 4, 's', true, true, 0x192d400f},     /* stmdbne */
    {ARM, 4, V1_OTHER, 2, 4, 'x', true, false, 0xe1020091},    /* swp */
    {ARM, 4, V1_OTHER, 2, 1, 'x', true, false, 0xe1420091},    /* swpb */
    {ARM, 4, V1_OTHER, 2, 4, 'l', true, false, 0xe1c020d0},    /* ldrd */
    {ARM, 4, V1_OTHER, 1, 4, 'C', false, false, 0xee010f10},   /* mcr */
    {ARM, 4, V1_OTHER, 2, 4, 'c', true, false, 0xec510f00},    /* mrrc */
    {ARM, 4, V1_INDIRECT, 3, 4, 'l', true, false, 0xe8bd8003}, /* ldm pc */
    {ARM, 4, V1_INDIRECT, 1, 4, 'l', false, true, 0x1590f000}, /* ldrne pc */
    {ARM, 4, V1_INDIRECT, 0, 0, 0, false, false, 0xe12fff1e},  /* bx lr */
    {ARM, 4, V1_INDIRECT, 0, 0, 0, false, false, 0xe28ff004},  /* add pc */
    {ARM, 4, V1_DIRECT, 0, 0, 0, false, false, 0xea000000},    /* b */
    {ARM, 4, V1_DIRECT, 0, 0, 0, false, true, 0x1a000000},     /* bne */
    {ARM, 4, V1_DIRECT, 0, 0, 0, false, false, 0xeb000000},    /* bl */
    {ARM, 4, V1_SVC, 0, 0, 0, false, false, 0xef000000},
    {ARM, 4, V1_UDF, 0, 0, 0, false, false, 0xe7f000f0},
    {THUMB, 2, V1_OTHER, 0, 0, 0, false, false, 0x0000},      /* lsl */
    {THUMB, 2, V1_OTHER, 1, 4, 'l', false, false, 0x6808},    /* ldr */
    {THUMB, 2, V1_OTHER, 1, 1, 'l', false, false, 0x7808},    /* ldrb */
    {THUMB, 2, V1_OTHER, 1, 2, 's', false, false, 0x8008},    /* strh */
    {THUMB, 2, V1_OTHER, 3, 4, 'l', true, false, 0xc80e},     /* ldmia */
    {THUMB, 2, V1_OTHER, 2, 4, 's', true, false, 0xb501},     /* push */
    {THUMB, 2, V1_INDIRECT, 2, 4, 'l', true, false, 0xbd01},  /* pop pc */
    {THUMB, 2, V1_INDIRECT, 0, 0, 0, false, false, 0x4770},   /* bx lr */
    {THUMB, 2, V1_INDIRECT, 0, 0, 0, false, false, 0x468f},   /* mov pc */
    {THUMB, 2, V1_DIRECT, 0, 0, 0, false, true, 0xd100},      /* bne */
    {THUMB, 2, V1_DIRECT, 0, 0, 0, false, false, 0xe000},     /* b */
    {THUMB, 4, V1_DIRECT, 0, 0, 0, false, false, 0xf000f800}, /* bl */
    {THUMB, 2, V1_SVC, 0, 0, 0, false, false, 0xdf00},
};

#define OPS (sizeof ops / sizeof *ops)

static const struct v1_op *pick(struct random *r, enum etm_isa isa,
                                bool indirect)
{
    for (;;) {
        const struct v1_op *op = &ops[random_below(r, OPS)];
        bool plain = op->class == V1_INDIRECT && !op->conditional;

        if (op->isa == isa && (!indirect || plain))
            return op;
    }
}

static unsigned any_slot(struct v1_walk *w, unsigned region)
{
    return w->regions[region].first + random_below(&w->r, w->regions[region].n);
}

/* A slot of a region that a direct branch can reach. */
static uint16_t reachable(struct v1_walk *w, const struct v1_slot *s,
                          unsigned region)
{
    for (;;) {
        unsigned target = any_slot(w, region);
        uint32_t offset = w->slots[target].address - s->address + 200;

        if (s->op->isa == ARM || s->op->size == 4 || offset < 400)
            return (uint16_t)target;
    }
}

/* A direct branch to an address. */
static uint32_t with_offset(const struct v1_slot *s, uint32_t to)
{
    uint32_t offset = to - s->address - (s->op->isa == ARM ? 8 : 4);

    if (s->op->isa == ARM)
        return s->op->opcode | (offset >> 2 & 0xffffff);
    if (s->op->size == 4)
        return s->op->opcode | (offset >> 12 & 0x7ff) << 16 |
               (offset >> 1 & 0x7ff);
    return s->op->opcode |
           (offset >> 1 & (s->op->opcode == 0xd100 ? 0xffu : 0x7ffu));
}

static void add_region(struct v1_walk *w, unsigned region, uint32_t address,
                       enum etm_isa isa, unsigned n)
{
    w->regions[region].first = w->n_slots;
    w->regions[region].n = n;
    for (unsigned i = 0; i < n; i++) {
        struct v1_slot *s = &w->slots[w->n_slots++];

        s->op = pick(&w->r, isa, i + 1 == n);
        if (region == 3)
            s->op = &ops[22]; /* vectors: b */
        s->address = address;
        address += s->op->size;
    }
}

static void make_program(struct v1_walk *w)
{
    bool high = w->config.high_vectors;
    uint32_t base = high ? 0xffff0000u : 0;

    w->n_slots = 0;
    add_region(w, 0, 0x8000, ARM, 20 + random_below(&w->r, 200));
    add_region(w, 1, 0x20002, THUMB, 20 + random_below(&w->r, 100));
    add_region(w, 2, 0xfffe0000, ARM, 20 + random_below(&w->r, 200));
    add_region(w, 3, base, ARM, 8);
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < w->regions[k].n; i++) {
            struct v1_slot *s = &w->slots[w->regions[k].first + i];

            s->opcode = s->op->opcode;
            if (s->op->class != V1_DIRECT)
                continue;
            s->target = reachable(w, s, k < 3 ? k : high ? 2 : 0);
            s->opcode = with_offset(s, w->slots[s->target].address);
        }
}

struct etm_image *v1_walk_image(const struct v1_walk *w)
{
    struct etm_image *image = NULL;
    uint8_t *code = (uint8_t *)w->code;

    if (etm_image_new(&image, NULL) != ETM_OK)
        return NULL;
    for (unsigned k = 0; k < 4; k++) {
        const struct v1_slot *s = &w->slots[w->regions[k].first];
        uint8_t *start = code;

        for (unsigned i = 0; i < w->regions[k].n; i++, s++) {
            uint32_t opcode = s->opcode;

            if (s->op->isa == THUMB && s->op->size == 4)
                opcode = opcode << 16 | opcode >> 16;
            for (unsigned b = 0; b < s->op->size; b++)
                *code++ = (uint8_t)(opcode >> (8 * b));
        }
        if (etm_image_add(image, w->slots[w->regions[k].first].address, start,
                          (size_t)(code - start), NULL) != ETM_OK)
            return NULL;
    }
    return image;
}

static void make_config(struct v1_walk *w)
{
    static const uint8_t widths[] = {0, 4, 8, 16};
    static const uint8_t sizes[] = {0, 1, 2, 4};
    struct etm_config *c = &w->config;
    struct random *r = &w->r;

    *c = (struct etm_config){.size = sizeof *c, .protocol = ETM_PROTOCOL_ETMV1};
    c->minor = (uint8_t)random_below(r, 4);
    c->port_width = widths[random_below(r, 4)];
    c->high_vectors = random_chance(r, 50);
    c->endian = (enum etm_endian)random_below(r, 4);
    c->data_value = random_chance(r, 60);
    c->data_address = random_chance(r, 60);
    c->cprt = random_chance(r, 50);
    if (c->minor >= 2)
        c->context_id_bytes = sizes[random_below(r, 4)];
    c->cycle_accurate = random_chance(r, 50);
    c->branch_broadcast = random_chance(r, 30);
}

static struct etm_event *add_event(struct v1_walk *w, enum etm_event_kind kind,
                                   uint64_t cycles)
{
    struct etm_event *e = &w->events[w->n_events++];

    memset(e, 0, sizeof *e);
    e->kind = (uint8_t)kind;
    e->cycles = cycles;
    w->passed += cycles;
    w->fill -= w->fill < cycles / 2 ? w->fill : (unsigned)(cycles / 2);
    return e;
}

static struct v1_record *expect(struct v1_walk *w, enum v1_record_kind kind)
{
    struct v1_record *e = &w->expected[w->n_expected++];

    memset(e, 0, sizeof *e);
    e->kind = (uint8_t)kind;
    return e;
}

/* An address is in the trace, and with it what the context ID is. */
static void tell(struct v1_walk *w)
{
    w->told = w->context_id;
    w->least = 3;
}

static void turn_on(struct v1_walk *w, enum etm_trace_on_reason reason)
{
    /* in the gap there is time for the offset of the last branch */
    struct etm_event *e =
        add_event(w, ETM_EVENT_TRACE_ON, 2 + random_below(&w->r, 18));
    const struct v1_slot *s = &w->slots[w->at];

    e->u.trace_on.reason = (uint8_t)reason;
    e->u.trace_on.at = (struct etm_place){s->address, s->op->isa, 0, 0};
    expect(w, V1_ON)->reason = (uint8_t)reason;
    w->on = true;
    tell(w);
    w->told_known = w->config.context_id_bytes != 0;
    /* the address and its offset; the FIFO may have to drain first */
    w->least = w->exact ? 120 : 4;
    w->fill = 0;
    w->passed = 0; /* the cycle of the BE is in the gap */
}

static void turn_off(struct v1_walk *w)
{
    unsigned n = random_below(&w->r, 5);

    (void)add_event(w, ETM_EVENT_TRACE_OFF, random_below(&w->r, 9));
    w->on = false;
    for (unsigned i = 0; i < n; i++) {
        const struct v1_slot *s =
            &w->slots[any_slot(w, random_below(&w->r, 3))];
        struct etm_event *e =
            add_event(w, ETM_EVENT_INSN, random_below(&w->r, 40));

        e->u.insn.address = s->address;
        e->u.insn.opcode = s->opcode;
        e->u.insn.isa = s->op->isa;
        e->u.insn.size = s->op->size;
        e->u.insn.passed = true;
    }
    w->at = any_slot(w, random_below(&w->r, 3));
}

/* The value as the trace has it: a rotated load whose address is not traced
 * cannot be turned back. */
static uint64_t seen_value(const struct v1_walk *w, const struct v1_op *op,
                           unsigned i, uint32_t address, uint64_t value)
{
    unsigned by = 8 * (address & 3);
    bool rotated = op->bytes == 4 && ((op->kind == 'l' && !op->multiple) ||
                                      (op->kind == 'x' && i == 0));

    if (!rotated || by == 0 || w->config.data_address)
        return value;
    return (uint32_t)(value << by | value >> (32 - by));
}

/* The transfers of an instruction; `traced`: they are to be seen. */
static void move_data(struct v1_walk *w, const struct v1_slot *s, bool seen)
{
    const struct v1_op *op = s->op;
    uint32_t address = (uint32_t)random_next(&w->r);
    bool filtered = random_chance(&w->r, 20);
    bool cprt = op->kind == 'c' || op->kind == 'C';
    bool traced =
        cprt ? w->config.cprt && w->config.data_value
             : !filtered && (w->config.data_value || w->config.data_address);

    if (op->bytes != 4 || op->multiple || random_chance(&w->r, 70))
        address &= ~(op->bytes - 1u);
    for (unsigned i = 0; i < op->n; i++) {
        struct etm_event *e =
            add_event(w, ETM_EVENT_DATA, random_below(&w->r, 3));
        struct v1_record *x;

        e->u.data.address = address + (op->kind == 'x' ? 0 : i * op->bytes);
        e->u.data.value =
            random_next(&w->r) & ((UINT64_C(1) << (8 * op->bytes)) - 1);
        e->u.data.size = op->bytes;
        e->u.data.store =
            op->kind == 's' || op->kind == 'C' || (op->kind == 'x' && i == 1);
        e->u.data.filtered = i == 0 ? filtered : random_chance(&w->r, 50);
        if (!traced || !seen || !w->on)
            continue;
        w->fill += 5;
        x = expect(w, V1_DATA);
        x->insn = s->address;
        x->index = (uint8_t)i;
        x->size = op->bytes;
        x->store = e->u.data.store;
        x->address_known = w->config.data_address && !cprt;
        x->address = x->address_known ? e->u.data.address : 0;
        x->value_known = w->config.data_value;
        if (x->value_known)
            x->value = seen_value(w, op, i, e->u.data.address, e->u.data.value);
    }
}

static void go(struct v1_walk *w, const struct v1_slot *s, bool passed,
               struct etm_event *e)
{
    unsigned region = random_below(&w->r, 3);

    w->least = 1;
    if (!passed || s->op->class == V1_OTHER || s->op->class == V1_SVC ||
        s->op->class == V1_UDF) {
        w->at++;
        return;
    }
    w->at = s->op->class == V1_DIRECT ? s->target : any_slot(w, region);
    tell(w);
    e->u.insn.next = (struct etm_place){w->slots[w->at].address,
                                        w->slots[w->at].op->isa, 0, 0};
}

static uint64_t insn_cycles(struct v1_walk *w, const struct v1_slot *s)
{
    uint64_t cycles = w->least + (s->op->size == 4 && s->op->isa == THUMB);

    if (random_chance(&w->r, 40))
        cycles += random_below(&w->r, 6);
    if (random_chance(&w->r, 2))
        cycles += random_below(&w->r, 700);
    if (w->exact && w->fill > 100)
        cycles += 2 * w->fill;
    w->fill += 9;
    return cycles;
}

static void exception(struct v1_walk *w, unsigned number, bool cancels,
                      uint32_t address, uint32_t returns, bool carried)
{
    static const uint8_t types[8] = {
        ETM_EXCEPTION_RESET,      ETM_EXCEPTION_UNDEFINED,
        ETM_EXCEPTION_SVC,        ETM_EXCEPTION_PREFETCH_ABORT,
        ETM_EXCEPTION_DATA_ABORT, ETM_EXCEPTION_RESERVED,
        ETM_EXCEPTION_IRQ,        ETM_EXCEPTION_FIQ};
    /* if it is carried by an instruction of its own, that one needs time */
    struct etm_event *e = add_event(
        w, ETM_EVENT_EXCEPTION,
        carried ? random_below(&w->r, 3) : w->least + random_below(&w->r, 3));
    struct v1_record *x = expect(w, V1_EXCEPTION);

    w->at = w->regions[3].first + number;
    e->u.exception.type = types[number];
    e->u.exception.cancels = cancels && carried;
    e->u.exception.next =
        (struct etm_place){w->slots[w->at].address, ARM, 0, 0};
    x->number = (uint8_t)number;
    x->cancels_known = cancels;
    x->cancels = cancels ? address : 0;
    x->return_known = number != 0;
    x->return_address = number != 0 ? returns : 0;
    tell(w);
    if (number == 0)
        w->told_known = false;
}

/* One instruction, and what becomes of it. */
static void step(struct v1_walk *w)
{
    static const uint8_t cancelling[] = {0, 3, 6, 7};
    const struct v1_slot *s = &w->slots[w->at];
    size_t given = w->n_expected;
    bool passed = !s->op->conditional || random_chance(&w->r, 60);
    bool cancelled = random_chance(&w->r, 3);
    bool aborted = !cancelled && passed && s->op->n != 0 &&
                   s->op->kind != 'c' && s->op->kind != 'C' &&
                   random_chance(&w->r, 4);
    struct etm_event *e = add_event(w, ETM_EVENT_INSN, insn_cycles(w, s));
    struct v1_record *x = expect(w, V1_INSN);
    unsigned number = cancelling[random_below(&w->r, 4)];
    uint32_t next = s->address + s->op->size;

    e->u.insn.address = x->address = s->address;
    e->u.insn.opcode = x->opcode = s->opcode;
    e->u.insn.isa = x->isa = s->op->isa;
    e->u.insn.size = x->size = s->op->size;
    e->u.insn.passed = x->passed = passed;
    x->context_known = w->told_known;
    x->context_id = w->told_known ? w->told : 0;
    if (cancelled) { /* it is not given, and its cycles are not lost */
        if (passed && s->op->n != 0)
            move_data(w, s, true);
        w->n_expected = given;
        exception(w, number, true, s->address, s->address, true);
        return;
    }
    go(w, s, passed, e);
    if (passed && s->op->n != 0 && random_chance(&w->r, 90))
        move_data(w, s, !aborted);
    if (aborted)
        exception(w, 4, false, 0, s->address, true);
    else if (s->op->class == V1_SVC)
        exception(w, 2, false, 0, next, true);
    else if (s->op->class == V1_UDF)
        exception(w, 1, false, 0, s->address, true);
    x->cycles = w->passed;
    w->passed = 0;
    if (w->n_expected != given && !aborted && s->op->class != V1_SVC &&
        s->op->class != V1_UDF && random_chance(&w->r, 3))
        exception(w, number, true, w->slots[w->at].address,
                  w->slots[w->at].address, false);
}

static void disturb(struct v1_walk *w)
{
    struct random *r = &w->r;
    uint32_t mask = UINT32_MAX;

    if (w->config.context_id_bytes < 4)
        mask = (UINT32_C(1) << (8 * w->config.context_id_bytes)) - 1;
    if (random_chance(r, 2)) {
        turn_off(w);
        turn_on(w, ETM_TRACE_ON_START);
    } else if (random_chance(r, 1)) {
        struct etm_event *e = add_event(w, ETM_EVENT_EXCEPTION, 1);

        e->u.exception.type = ETM_EXCEPTION_DEBUG_HALT;
        w->at = any_slot(w, random_below(r, 3));
        turn_on(w, ETM_TRACE_ON_DEBUG_EXIT);
    } else if (random_chance(r, 3)) {
        struct etm_event *e = add_event(w, ETM_EVENT_CONTEXT, 0);

        e->u.context.context_id = (uint32_t)random_next(r);
        w->context_id = e->u.context.context_id & mask;
    } else if (random_chance(r, 1)) {
        (void)add_event(w, ETM_EVENT_TRIGGER, 0);
        w->triggers++;
    }
}

void v1_walk_make(struct v1_walk *w, uint64_t seed, bool exact)
{
    unsigned steps;

    w->r.state = seed;
    w->exact = exact;
    w->n_events = w->n_expected = 0;
    w->triggers = 0;
    w->passed = 0;
    w->fill = 0;
    w->context_id = 0;
    w->fifo_size = (uint8_t)(exact ? 255 : 9 + random_below(&w->r, 50));
    make_config(w);
    make_program(w);
    w->at = any_slot(w, 0);
    w->on = false;
    turn_on(w, ETM_TRACE_ON_START);
    steps = 20 + random_below(&w->r, 600);
    for (unsigned i = 0; i < steps && w->n_events < V1_EVENTS - 400; i++) {
        step(w);
        disturb(w);
    }
    step(w); /* a stretch without an instruction is none */
    turn_off(w);
    (void)add_event(w, ETM_EVENT_IDLE, 800);
    turn_on(w, ETM_TRACE_ON_START);
    w->clean = w->n_expected;
    for (unsigned i = 0; i < 20; i++)
        step(w);
    (void)add_event(w, ETM_EVENT_TRACE_OFF, 900);
}
