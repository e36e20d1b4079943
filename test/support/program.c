/* SPDX-License-Identifier: Apache-2.0 */
#include "moves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* How a direct branch is encoded, which decides how far it reaches. */
enum encoder {
    PLAIN,     /* not a direct branch */
    ARM_B,     /* B, BL: imm24 */
    ARM_BLX,   /* BLX imm: imm24, H */
    THUMB_BC,  /* B<c> imm8 */
    THUMB_B,   /* B imm11 */
    THUMB_CBZ, /* CBZ, CBNZ: i:imm5 */
    THUMB_BCW, /* B<c>.W imm6:imm11 */
    THUMB_BW,  /* B.W, BL: S:I1:I2:imm10:imm11 */
    THUMB_BLX, /* BLX imm */
    TO_NEXT,   /* ENTERX, LEAVEX: the next instruction */
    JAVA_2,    /* 16-bit offset */
    JAVA_4     /* 32-bit offset */
};

enum where {
    IN_ARM = 1,
    IN_THUMB = 2,
    IN_THUMBEE = 4,
    IN_JAZELLE = 8,
    NOT_M = 16,
    IN_IT = 32 /* stands in an IT block in half of the cases */
};

struct pattern {
    uint8_t where;
    uint8_t size;
    uint8_t class;
    uint8_t encoder;
    uint16_t flags;
    uint32_t opcode;
};

#define T2 (IN_THUMB | IN_THUMBEE)

/* Encodings from the ARM Architecture Reference Manual, ARMv7-A/R. */
static const struct pattern patterns[] = {
    /* not waypoints */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, 0, 0xe2800001}, /* add r0, r0, #1 */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, 0, 0xe1a01002}, /* mov r1, r2 */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, 0, 0xe5910000}, /* ldr r0, [r1] */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, 0, 0xe8900006}, /* ldm r0, {r1, r2} */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, 0, 0xe92d4010}, /* push {r4, lr} */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, 0, 0xe3500000}, /* cmp r0, #0 */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, 0, 0xe320f003}, /* wfi */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_CONDITIONAL, 0x12800001},
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_CONDITIONAL, 0x05910000},
    {T2, 2, SLOT_OTHER, PLAIN, 0, 0x3001},             /* adds r0, #1 */
    {T2, 2, SLOT_OTHER, PLAIN, 0, 0x4611},             /* mov r1, r2 */
    {T2, 2, SLOT_OTHER, PLAIN, 0, 0x6808},             /* ldr r0, [r1] */
    {T2, 2, SLOT_OTHER, PLAIN, 0, 0xb410},             /* push {r4} */
    {T2, 2, SLOT_OTHER, PLAIN, 0, 0x2800},             /* cmp r0, #0 */
    {T2 | IN_IT, 2, SLOT_OTHER, PLAIN, 0, 0x1840},     /* adds r0, r0, r1 */
    {T2 | IN_IT, 4, SLOT_OTHER, PLAIN, 0, 0xf1010101}, /* add.w r1, r1, #1 */
    {T2, 4, SLOT_OTHER, PLAIN, 0, 0xf8d10000},         /* ldr.w r0, [r1] */
    {T2, 4, SLOT_OTHER, PLAIN, 0, 0xe8900006},         /* ldm.w r0, {r1, r2} */
    /* direct branches */
    {IN_ARM, 4, SLOT_DIRECT, ARM_B, SLOT_CONDITIONAL, 0x0a000000},
    {IN_ARM, 4, SLOT_DIRECT, ARM_B, SLOT_CONDITIONAL, 0xda000000},
    {IN_ARM, 4, SLOT_DIRECT, ARM_B, 0, 0xea000000},
    {IN_ARM, 4, SLOT_DIRECT, ARM_B, SLOT_LINK, 0xeb000000},
    {IN_ARM, 4, SLOT_DIRECT, ARM_B, SLOT_LINK | SLOT_CONDITIONAL, 0x1b000000},
    {IN_ARM, 4, SLOT_DIRECT, ARM_BLX, SLOT_LINK, 0xfa000000},
    {T2, 2, SLOT_DIRECT, THUMB_BC, SLOT_CONDITIONAL, 0xd000},
    {T2, 2, SLOT_DIRECT, THUMB_BC, SLOT_CONDITIONAL, 0xdc00},
    {T2 | IN_IT, 2, SLOT_DIRECT, THUMB_B, 0, 0xe000},
    {T2, 2, SLOT_DIRECT, THUMB_CBZ, SLOT_CONDITIONAL, 0xb100},
    {T2, 2, SLOT_DIRECT, THUMB_CBZ, SLOT_CONDITIONAL, 0xb903},
    {T2, 4, SLOT_DIRECT, THUMB_BCW, SLOT_CONDITIONAL, 0xf0008000},
    {T2 | IN_IT, 4, SLOT_DIRECT, THUMB_BW, 0, 0xf0009000},
    {T2 | IN_IT, 4, SLOT_DIRECT, THUMB_BW, SLOT_LINK, 0xf000d000},
    {T2, 4, SLOT_DIRECT, THUMB_BW, SLOT_LINK, 0xf000d000},
    {IN_THUMB | NOT_M, 4, SLOT_DIRECT, THUMB_BLX, SLOT_LINK, 0xf000c000},
    /* indirect branches */
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS,
     0xe12fff1e}, /* bx lr */
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN,
     SLOT_RETURN | SLOT_INTERWORKS | SLOT_CONDITIONAL, 0x112fff1e},
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_INTERWORKS, 0xe12fff13},
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_INTERWORKS | SLOT_LINK, 0xe12fff33},
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS,
     0xe8bd8010}, /* pop {r4, pc} */
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN,
     SLOT_RETURN | SLOT_INTERWORKS | SLOT_CONDITIONAL, 0x08bd8010},
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS,
     0xe49df004}, /* pop {pc} */
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS,
     0xe1a0f00e},                                     /* mov pc, lr */
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, 0, 0xe08ff100}, /* add pc, pc, r0 ... */
    {T2, 2, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS, 0x4770},
    {T2 | IN_IT, 2, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS,
     0x4770}, /* bx lr */
    {T2, 2, SLOT_INDIRECT, PLAIN, SLOT_INTERWORKS, 0x4718},
    {T2, 2, SLOT_INDIRECT, PLAIN, SLOT_INTERWORKS | SLOT_LINK, 0x4798},
    {T2, 2, SLOT_INDIRECT, PLAIN, SLOT_RETURN, 0x46f7}, /* mov pc, lr */
    {T2, 2, SLOT_INDIRECT, PLAIN, 0, 0x4487},           /* add pc, r0 */
    {T2 | IN_IT, 2, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS,
     0xbd10}, /* pop {r4, pc} */
    {T2, 4, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS, 0xe8bd8010},
    {T2, 4, SLOT_INDIRECT, PLAIN, SLOT_RETURN | SLOT_INTERWORKS, 0xf85dfb04},
    {T2, 4, SLOT_INDIRECT, PLAIN, 0, 0xe8d0f001}, /* tbb [r0, r1] */
    {T2, 4, SLOT_INDIRECT, PLAIN, 0, 0xe8d0f011}, /* tbh [r0, r1, lsl #1] */
    {IN_THUMBEE, 2, SLOT_INDIRECT, PLAIN, SLOT_LINK, 0xc305}, /* hbl #5 */
    {IN_THUMBEE, 2, SLOT_INDIRECT, PLAIN, 0, 0xc205},         /* hb #5 */
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_TO_JAZELLE | SLOT_INTERWORKS,
     0xe12fff21}, /* bxj r1 */
    /* exception returns */
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_EXCEPTION_RETURN, 0xe1b0f00e},
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_EXCEPTION_RETURN, 0xe25ef004},
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_EXCEPTION_RETURN, 0xf8bd0a00},
    {IN_ARM, 4, SLOT_INDIRECT, PLAIN, SLOT_EXCEPTION_RETURN, 0xe8fd8001},
    {T2 | NOT_M, 4, SLOT_INDIRECT, PLAIN, SLOT_EXCEPTION_RETURN, 0xf3de8f04},
    {T2 | NOT_M, 4, SLOT_INDIRECT, PLAIN, SLOT_EXCEPTION_RETURN, 0xe9bdc000},
    /* barriers */
    {IN_ARM, 4, SLOT_ISB, PLAIN, 0, 0xf57ff06f},
    {IN_ARM, 4, SLOT_ISB, PLAIN, SLOT_CONDITIONAL, 0x1e070f95},
    {IN_ARM, 4, SLOT_DSB_DMB, PLAIN, 0, 0xf57ff05f},
    {IN_ARM, 4, SLOT_DSB_DMB, PLAIN, 0, 0xf57ff04f},
    {IN_ARM, 4, SLOT_DSB_DMB, PLAIN, 0, 0xee070f9a},
    {IN_ARM, 4, SLOT_DSB_DMB, PLAIN, SLOT_CONDITIONAL, 0x0e070fba},
    {T2, 4, SLOT_ISB, PLAIN, 0, 0xf3bf8f6f},
    {T2, 4, SLOT_DSB_DMB, PLAIN, 0, 0xf3bf8f4f},
    {T2, 4, SLOT_DSB_DMB, PLAIN, 0, 0xf3bf8f5f},
    /* traps */
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_SVC, 0xef000001},
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_SVC | SLOT_CONDITIONAL, 0x1f000001},
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_SMC, 0xe1600070},
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_HVC, 0xe1400070},
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_BKPT, 0xe1200070},
    {IN_ARM, 4, SLOT_OTHER, PLAIN, SLOT_UDF, 0xe7f000f0},
    {T2, 2, SLOT_OTHER, PLAIN, SLOT_SVC, 0xdf01},
    {T2, 2, SLOT_OTHER, PLAIN, SLOT_BKPT, 0xbe00},
    {T2, 2, SLOT_OTHER, PLAIN, SLOT_UDF, 0xde00},
    {IN_THUMB | NOT_M, 4, SLOT_OTHER, PLAIN, SLOT_SMC, 0xf7f08000},
    /* bytecodes */
    {IN_JAZELLE, 1, SLOT_OTHER, PLAIN, 0, 0x60},                  /* iadd */
    {IN_JAZELLE, 1, SLOT_OTHER, PLAIN, 0, 0x1a},                  /* iload_0 */
    {IN_JAZELLE, 2, SLOT_OTHER, PLAIN, 0, 0x0510},                /* bipush 5 */
    {IN_JAZELLE, 3, SLOT_DIRECT, JAVA_2, SLOT_CONDITIONAL, 0x99}, /* ifeq */
    {IN_JAZELLE, 3, SLOT_DIRECT, JAVA_2, 0, 0xa7},                /* goto */
    {IN_JAZELLE, 5, SLOT_DIRECT, JAVA_4, 0, 0xc8},                /* goto_w */
    {IN_JAZELLE, 1, SLOT_INDIRECT, PLAIN, SLOT_INTERWORKS, 0xac}, /* ireturn */
};

#define N_PATTERNS (sizeof patterns / sizeof patterns[0])

/* ENTERX and LEAVEX stand between a Thumb and a ThumbEE region. */
static const struct pattern enterx = {IN_THUMB, 4, SLOT_DIRECT,
                                      TO_NEXT,  0, 0xf3bf8f1f};
static const struct pattern leavex = {IN_THUMBEE, 4, SLOT_DIRECT,
                                      TO_NEXT,    0, 0xf3bf8f0f};
static const struct pattern it = {T2, 2, SLOT_OTHER, PLAIN, 0, 0xbf08};
static const struct pattern arm_b = {IN_ARM, 4, SLOT_DIRECT,
                                     ARM_B,  0, 0xea000000};
static const struct pattern mov_pc = {IN_ARM, 4, SLOT_INDIRECT,
                                      PLAIN,  0, 0xe1a0f003};
static const struct pattern thumb_b = {T2,       4, SLOT_DIRECT,
                                       THUMB_BW, 0, 0xf0009000};
static const struct pattern java_goto = {IN_JAZELLE, 5, SLOT_DIRECT,
                                         JAVA_4,     0, 0xc8};

static void put(struct program *p, struct region *region,
                const struct pattern *t, bool conditional)
{
    struct slot *s;

    assert_true(p->n_slots < PROGRAM_SLOTS);
    s = &p->slots[p->n_slots++];
    *s = (struct slot){.address = region->address + region->size,
                       .opcode = t->opcode,
                       .isa = region->isa,
                       .size = t->size,
                       .class = t->class,
                       .encoder = t->encoder,
                       .flags = t->flags,
                       .target = NO_SLOT};
    if (conditional)
        s->flags |= SLOT_CONDITIONAL | SLOT_IN_IT;
    region->size += t->size;
    region->n++;
}

static unsigned where_of(unsigned isa)
{
    return isa == ETM_ISA_ARM       ? IN_ARM
           : isa == ETM_ISA_THUMB   ? IN_THUMB
           : isa == ETM_ISA_THUMBEE ? IN_THUMBEE
                                    : IN_JAZELLE;
}

static bool thumb(unsigned isa)
{
    return isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE;
}

/* What it begins with would be the second half of a BL or BLX of a processor
 * that has no other 32-bit Thumb instructions: E-30. */
static bool is_half(uint32_t opcode)
{
    return opcode >> 27 == 0x1d || opcode >> 27 == 0x1f;
}

static bool usable(const struct program *p, const struct pattern *t,
                   unsigned isa)
{
    const struct etm_config *c = p->config;

    if ((t->where & where_of(isa)) == 0)
        return false;
    if ((t->where & NOT_M) != 0 && c->profile == ETM_PROFILE_M)
        return false;
    if ((t->flags & SLOT_SMC) != 0 && !c->security)
        return false;
    if (c->thumb32_split && thumb(isa) && t->size == 4 && is_half(t->opcode))
        return false;
    return (t->flags & SLOT_HVC) == 0 || c->virtualization;
}

/* An instruction that moves data, as a pattern. */
static struct pattern data_pattern(const struct program *p, unsigned isa,
                                   bool straight, struct random *r)
{
    const struct moves *moves;

    do
        moves = moves_pick(r, (enum etm_isa)isa,
                           p->config->profile == ETM_PROFILE_M);
    while (straight && moves->indirect);
    return (struct pattern){.where = (uint8_t)where_of(isa),
                            .size = moves->insn_size,
                            .class =
                                moves->indirect ? SLOT_INDIRECT : SLOT_OTHER,
                            .encoder = PLAIN,
                            .flags = moves->flags,
                            .opcode = moves->opcode};
}

static void fill(struct program *p, struct region *region, unsigned n,
                 bool straight, struct random *r)
{
    while (n != 0) {
        struct pattern moving;
        const struct pattern *t =
            &patterns[straight ? random_below(r, 18)
                               : random_below(r, N_PATTERNS)];
        bool in_it = (t->where & IN_IT) != 0 && random_chance(r, 50);

        if (config_traces_data(p->config) && random_chance(r, 40) &&
            region->isa != ETM_ISA_JAZELLE) {
            moving = data_pattern(p, region->isa, straight, r);
            t = &moving;
            in_it = false;
        }
        /* straight code is found often enough */
        if (!usable(p, t, region->isa))
            continue;
        if (in_it)
            put(p, region, &it, false);
        put(p, region, t, in_it);
        n--;
    }
    if (region->isa == ETM_ISA_ARM)
        put(p, region, &arm_b, false);
    else if (region->isa == ETM_ISA_JAZELLE)
        put(p, region, &java_goto, false);
    else
        put(p, region, &thumb_b, false);
}

static struct region *begin_region(struct program *p, uint32_t address,
                                   unsigned isa)
{
    struct region *region = &p->regions[p->n_regions++];

    *region = (struct region){
        .address = address, .first = (uint16_t)p->n_slots, .isa = (uint8_t)isa};
    return region;
}

/* Instruction set of the target of a direct branch. */
static unsigned target_isa(const struct slot *s)
{
    if (s->encoder == ARM_BLX)
        return ETM_ISA_THUMB;
    if (s->encoder == THUMB_BLX)
        return ETM_ISA_ARM;
    if (s->encoder == TO_NEXT)
        return s->isa == ETM_ISA_THUMB ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    return s->isa;
}

/* Write the offset into the opcode; false if it does not reach. */
static bool encode(struct slot *s, const struct slot *to)
{
    uint32_t pc = s->address + (s->isa == ETM_ISA_ARM ? 8u : 4u);
    int64_t d;
    uint32_t u, sign, i1, i2;

    if (s->isa == ETM_ISA_JAZELLE)
        pc = s->address;
    if (s->encoder == THUMB_BLX)
        pc &= ~3u;
    d = (int64_t)to->address - (int64_t)pc;
    u = (uint32_t)d;
    switch ((enum encoder)s->encoder) {
    case PLAIN:
        return false;
    case TO_NEXT:
        return to->address == s->address + s->size;
    case ARM_B:
    case ARM_BLX:
        if (d < -(1 << 25) || d >= 1 << 25)
            return false;
        s->opcode |= u >> 2 & 0xffffff;
        if (s->encoder == ARM_BLX)
            s->opcode |= (u >> 1 & 1) << 24;
        return true;
    case THUMB_BC:
        s->opcode |= u >> 1 & 0xff;
        return d >= -256 && d < 256;
    case THUMB_B:
        s->opcode |= u >> 1 & 0x7ff;
        return d >= -2048 && d < 2048;
    case THUMB_CBZ:
        s->opcode |= (u >> 1 & 0x1f) << 3 | (u >> 6 & 1) << 9;
        return d >= 0 && d < 128;
    case THUMB_BCW:
        s->opcode |= (u >> 20 & 1) << 26 | (u >> 12 & 0x3f) << 16 |
                     (u >> 1 & 0x7ff) | (u >> 18 & 1) << 13 |
                     (u >> 19 & 1) << 11;
        return d >= -(1 << 20) && d < 1 << 20;
    case THUMB_BW:
    case THUMB_BLX:
        sign = u >> 24 & 1;
        i1 = ~((u >> 23 & 1) ^ sign) & 1;
        i2 = ~((u >> 22 & 1) ^ sign) & 1;
        s->opcode |= sign << 26 | (u >> 12 & 0x3ff) << 16 | i1 << 13 |
                     i2 << 11 | (u >> 1 & 0x7ff);
        return d >= -(1 << 24) && d < 1 << 24;
    case JAVA_2:
        s->opcode |= (u >> 8 & 0xff) << 8 | (u & 0xff) << 16;
        return d >= -32768 && d < 32768;
    case JAVA_4:
        s->opcode |=
            u >> 24 << 8 | (u >> 16 & 0xff) << 16 | (u >> 8 & 0xff) << 24;
        return true;
    }
    return false;
}

/* What stands in place of a branch that reaches nothing: a move. */
static void neutralize(struct slot *s)
{
    assert_int_not_equal(s->isa, ETM_ISA_JAZELLE);
    s->class = SLOT_OTHER;
    s->encoder = PLAIN;
    s->flags &= SLOT_IN_IT;
    if ((s->flags & SLOT_IN_IT) != 0)
        s->flags |= SLOT_CONDITIONAL;
    s->opcode = s->isa == ETM_ISA_ARM ? 0xe1a01002
                : s->size == 2        ? 0x4611
                                      : 0xf1010101;
}

/* Code does not simply run on after this one. */
static bool is_last(const struct program *p, unsigned index)
{
    const struct slot *s = &p->slots[index];

    return index + 1 == p->n_slots || s[1].address != s->address + s->size ||
           s[1].isa != s->isa;
}

/* In ETMv1 and ETMv2 a branch to a vector is that exception (4.5.3). */
static bool is_exception(const struct program *p, unsigned slot)
{
    return etm_protocol_is_port(p->config->protocol) && slot < VECTORS;
}

static void choose_target(struct program *p, unsigned index, struct random *r)
{
    struct slot *s = &p->slots[index];
    struct slot plain = *s;

    for (unsigned tries = 0; tries < 400; tries++) {
        unsigned near = index + random_below(r, 41) - 20;
        unsigned to = s->encoder == TO_NEXT ? index + 1
                      : tries < 20          ? random_below(r, p->n_slots)
                                            : near;

        if (to >= p->n_slots || p->slots[to].isa != target_isa(s) ||
            (p->slots[to].flags & SLOT_IN_IT) != 0 || is_exception(p, to))
            continue;
        *s = plain;
        if (!encode(s, &p->slots[to]))
            continue;
        s->target = (uint16_t)to;
        return;
    }
    *s = plain;
    assert_false(is_last(p, index)); /* those reach into their own region */
    neutralize(s);
}

static void write_bytes(struct program *p)
{
    uint8_t *b = p->bytes;

    for (unsigned i = 0; i < p->n_slots; i++) {
        const struct slot *s = &p->slots[i];
        uint32_t code = s->opcode;

        if (thumb(s->isa) && s->size == 4)
            code = code << 16 | code >> 16;
        for (unsigned k = 0; k < s->size; k++)
            *b++ = k < 4 ? (uint8_t)(code >> (8 * k)) : 0;
        /* the fifth byte of goto_w */
        if (s->encoder == JAVA_4)
            b[-1] = (uint8_t)(p->slots[s->target].address - s->address);
    }
}

static void make_vectors(struct program *p)
{
    bool port = etm_protocol_is_port(p->config->protocol);
    uint32_t address = port && p->config->high_vectors ? 0xffff0000u : 0;
    struct region *region = begin_region(p, address, ETM_ISA_ARM);

    region->vectors = true;
    for (unsigned i = 0; i < VECTORS; i++)
        put(p, region, port ? &mov_pc : &arm_b, false);
}

static uint32_t cluster(struct random *r)
{
    static const uint32_t bases[] = {0x00008000, 0x00100000, 0x07ff0000,
                                     0x20000000, 0x7fff0000, 0x80000000,
                                     0xc0000000, 0xff000000};

    if (random_chance(r, 50))
        return bases[random_below(r, sizeof bases / sizeof bases[0])];
    return 0x00200000 + (random_below(r, 0xf0000000) & 0xfffffffcu);
}

/* Another one, far enough away. */
static uint32_t other_cluster(uint32_t first, struct random *r)
{
    uint32_t other;

    do
        other = cluster(r);
    while (other - first < 0x2000000 || first - other < 0x2000000);
    return other;
}

static uint32_t behind_gap(uint32_t address, struct random *r)
{
    static const uint32_t gaps[] = {0, 4, 64, 1000, 4096, 0x12340, 0x100000};

    address += gaps[random_below(r, sizeof gaps / sizeof gaps[0])];
    return (address + 3) & ~3u;
}

/* The last instruction of a region becomes the way into the next one. */
static void replace_last(struct program *p, struct region *region,
                         const struct pattern *by)
{
    p->n_slots--;
    region->n--;
    region->size -= 4;
    put(p, region, by, false);
}

/* Thumb, ENTERX, ThumbEE, LEAVEX, Thumb. Returns the end. */
static uint32_t thumbee_island(struct program *p, uint32_t address,
                               struct random *r)
{
    struct region *region = begin_region(p, address, ETM_ISA_THUMB);

    fill(p, region, 2, false, r);
    replace_last(p, region, &enterx);
    address += region->size;
    region = begin_region(p, address, ETM_ISA_THUMBEE);
    fill(p, region, 3, false, r);
    replace_last(p, region, &leavex);
    address += region->size;
    region = begin_region(p, address, ETM_ISA_THUMB);
    fill(p, region, 3, false, r);
    return address + region->size;
}

void program_make(struct program *p, const struct etm_config *config,
                  struct random *r)
{
    static const uint8_t kinds[] = {ETM_ISA_ARM,     ETM_ISA_THUMB,
                                    ETM_ISA_THUMB,   ETM_ISA_THUMBEE,
                                    ETM_ISA_JAZELLE, ETM_ISA_ARM};
    bool m = config->profile == ETM_PROFILE_M;
    bool ee =
        !m && (config->protocol == ETM_PROTOCOL_PFT ||
               (config->protocol == ETM_PROTOCOL_ETMV3 && config->minor >= 3));
    unsigned n = 2 + random_below(r, 5);
    uint32_t address = cluster(r);

    p->config = config;
    p->n_slots = 0;
    p->n_regions = 0;
    if (!m)
        make_vectors(p);
    for (unsigned i = 0; i < n; i++) {
        unsigned isa = m ? ETM_ISA_THUMB : kinds[i];
        bool straight = i < 2 && random_chance(r, 1);
        struct region *region;

        if (isa == ETM_ISA_THUMBEE && !ee)
            continue;
        if (i == n / 2)
            address = other_cluster(address, r);
        address = behind_gap(address, r);
        region = begin_region(p, address, isa);
        fill(p, region, straight ? 1300 : 3 + random_below(r, 35), straight, r);
        address += region->size;
        if (isa == ETM_ISA_THUMBEE && random_chance(r, 50))
            address = thumbee_island(p, (address + 3) & ~3u, r);
    }
    for (unsigned i = 0; i < p->n_slots; i++)
        if (p->slots[i].class == SLOT_DIRECT)
            choose_target(p, i, r);
    write_bytes(p);
}

struct etm_image *program_image(const struct program *p)
{
    struct etm_image *image;
    const uint8_t *bytes = p->bytes;

    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    for (unsigned i = 0; i < p->n_regions; i++) {
        const struct region *region = &p->regions[i];

        assert_int_equal(
            etm_image_add(image, region->address, bytes, region->size, NULL),
            ETM_OK);
        bytes += region->size;
    }
    return image;
}

const struct slot *program_at(const struct program *p, uint32_t address,
                              enum etm_isa isa)
{
    for (unsigned i = 0; i < p->n_regions; i++) {
        const struct region *region = &p->regions[i];
        unsigned low = region->first;
        unsigned high = low + region->n;

        if (region->isa != isa || address - region->address >= region->size)
            continue;
        while (low < high) {
            unsigned middle = (low + high) / 2;

            if (p->slots[middle].address == address)
                return &p->slots[middle];
            if (p->slots[middle].address < address)
                low = middle + 1;
            else
                high = middle;
        }
    }
    return NULL;
}

unsigned program_any(const struct program *p, struct random *r,
                     enum etm_isa isa)
{
    for (unsigned tries = 0; tries < 20; tries++) {
        const struct region *region =
            &p->regions[random_below(r, p->n_regions)];

        if (region->isa == isa) {
            unsigned slot = region->first + random_below(r, region->n);

            return slot - ((p->slots[slot].flags & SLOT_IN_IT) != 0);
        }
    }
    return NO_SLOT;
}

unsigned program_vector(const struct program *p, uint32_t offset)
{
    return p->regions[0].vectors ? offset / 4 : NO_SLOT;
}
