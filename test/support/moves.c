/* SPDX-License-Identifier: Apache-2.0 */
#include "moves.h"

#define A MOVES_ARM
#define T MOVES_THUMB
#define TE (MOVES_THUMB | MOVES_THUMBEE)
#define TN (MOVES_THUMB | MOVES_NOT_M)
#define AT (MOVES_ARM | MOVES_THUMB | MOVES_THUMBEE)
#define COND SLOT_CONDITIONAL
#define RET (SLOT_RETURN | SLOT_INTERWORKS)
#define ERET SLOT_EXCEPTION_RETURN
#define NONE MOVES_NOTHING
#define LIST(regs, n, store) MOVES_CORE, n, 4, store, 0, NONE, regs, false
#define ONE(size, store, reg) MOVES_CORE, 1, size, store, reg, NONE, 0, false
#define TWO(store, a, b) MOVES_CORE, 2, 4, store, a, b, 0, false
#define EXCL(n, store, a, b) MOVES_CORE, n, 4, store, a, b, 0, true
#define CPRT(n, store, a, b) MOVES_CPRT, n, 4, store, a, b, 0, false
#define VFP(kind, n, store, first) kind, n, 4, store, first, NONE, 0, false

/* clang-format off */
static const struct moves table[] = {
    /* these are in every random program */
    {A, 4, 0, false, ONE(4, 0, 0), 0xe5910000},          /* ldr r0, [r1] */
    {A, 4, COND, false, ONE(4, 0, 0), 0x05910000},
    {A, 4, 0, false, LIST(0x0006, 2, 0), 0xe8900006},    /* ldm r0, {r1, r2} */
    {A, 4, 0, false, LIST(0x4010, 2, 1), 0xe92d4010},    /* push {r4, lr} */
    {A, 4, RET, true, LIST(0x8010, 2, 0), 0xe8bd8010},   /* pop {r4, pc} */
    {A, 4, RET | COND, true, LIST(0x8010, 2, 0), 0x08bd8010},
    {A, 4, RET, true, ONE(4, 0, 15), 0xe49df004},        /* pop {pc} */
    {A, 4, ERET, true, TWO(0, 15, MOVES_PSR), 0xf8bd0a00}, /* rfeia sp! */
    {A, 4, ERET, true, LIST(0x8001, 2, 0), 0xe8fd8001},  /* ldm sp!, {r0, pc}^ */
    {TE, 2, 0, false, ONE(4, 0, 0), 0x6808},             /* ldr r0, [r1] */
    {TE, 2, 0, false, LIST(0x0010, 1, 1), 0xb410},       /* push {r4} */
    {TE, 4, 0, false, ONE(4, 0, 0), 0xf8d10000},         /* ldr.w r0, [r1] */
    {TE, 4, 0, false, LIST(0x0006, 2, 0), 0xe8900006},   /* ldm.w */
    {TE, 2, RET, true, LIST(0x8010, 2, 0), 0xbd10},      /* pop {r4, pc} */
    {TE, 4, RET, true, LIST(0x8010, 2, 0), 0xe8bd8010},
    {TE, 4, RET, true, ONE(4, 0, 15), 0xf85dfb04},       /* ldr pc, [sp], #4 */
    /* only for data trace */
    {A, 4, 0, false, ONE(4, 1, 1), 0xe5821000},          /* str r1, [r2] */
    {A, 4, COND, false, ONE(1, 1, 1), 0x15c21000},       /* strbne r1, [r2] */
    {A, 4, 0, false, ONE(2, 0, 1), 0xe1d210b0},          /* ldrh r1, [r2] */
    {A, 4, 0, false, ONE(1, 0, 1), 0xe1d210d0},          /* ldrsb r1, [r2] */
    {A, 4, 0, false, TWO(0, 2, 3), 0xe1c120d0},          /* ldrd r2, [r1] */
    {A, 4, 0, false, TWO(1, 2, 3), 0xe1c120f0},          /* strd r2, [r1] */
    {A, 4, 0, false, TWO(2, 1, 2), 0xe1031092},          /* swp r1, r2, [r3] */
    {A, 4, 0, false, MOVES_CORE, 2, 1, 2, 1, 2, 0, false, 0xe1431092}, /* swpb */
    {A, 4, 0, false, EXCL(1, 1, 1, NONE), 0xe1820f91},   /* strex r0, r1, [r2] */
    {A, 4, 0, false, EXCL(2, 1, 2, 3), 0xe1a10f92},      /* strexd */
    {A, 4, 0, false, EXCL(2, 0, 2, 3), 0xe1b12f9f},      /* ldrexd */
    {A, 4, 0, false, LIST(0x00ff, 8, 1), 0xe88100ff},    /* stm r1, {r0-r7} */
    {A, 4, COND, false, LIST(0x003e, 5, 0), 0x18b0003e}, /* ldmne r0!, {r1-r5} */
    {A, 4, SLOT_INTERWORKS, true, LIST(0x8006, 3, 0), 0xe8908006}, /* {r1, r2, pc} */
    {A, 4, 0, false, TWO(1, 14, MOVES_PSR), 0xf96d0513}, /* srsdb sp!, #19 */
    {AT, 4, 0, false, VFP(MOVES_SINGLE, 1, 0, 3), 0xedd11a00}, /* vldr s3 */
    {AT, 4, 0, false, VFP(MOVES_SINGLE, 3, 0, 2), 0xec911a03}, /* vldm {s2-s4} */
    {AT, 4, 0, false, VFP(MOVES_DOUBLE, 2, 0, 3), 0xed913b00}, /* vldr d3 */
    {AT, 4, 0, false, VFP(MOVES_DOUBLE, 8, 1, 8), 0xed2d8b08}, /* vpush {d8-d11} */
    {AT, 4, 0, false, VFP(MOVES_DOUBLE, 32, 0, 0), 0xec900b20}, /* {d0-d15} */
    {AT, 4, 0, false, CPRT(1, 0, 3, NONE), 0xee113f10},  /* mrc p15, 0, r3 */
    {AT, 4, 0, false, CPRT(1, 1, 3, NONE), 0xee013f10},  /* mcr p15, 0, r3 */
    {AT, 4, 0, false, CPRT(2, 1, 2, 3), 0xec432f02},     /* mcrr p15, 0, r2, r3 */
    {AT, 4, 0, false, MOVES_ANY, 0, 4, 0, 0, NONE, 0, false, 0xed915e00}, /* ldc */
    {TE, 2, 0, false, ONE(4, 1, 1), 0x6011},             /* str r1, [r2] */
    {TE, 2, 0, false, ONE(1, 0, 1), 0x7811},             /* ldrb r1, [r2] */
    {TE, 2, 0, false, ONE(2, 1, 1), 0x8011},             /* strh r1, [r2] */
    {T, 2, 0, false, LIST(0x000c, 2, 1), 0xc10c},        /* stm r1!, {r2, r3} */
    {T, 2, 0, false, LIST(0x001d, 4, 0), 0xc91d},        /* ldm r1!, {...} */
    {TE, 2, 0, false, LIST(0x40f0, 5, 1), 0xb5f0},       /* push {r4-r7, lr} */
    {TE, 4, 0, false, TWO(0, 1, 5), 0xe9d21500},         /* ldrd r1, r5, [r2] */
    {TE, 4, 0, false, EXCL(1, 1, 1, NONE), 0xe8421000},  /* strex r0, r1, [r2] */
    {TN, 4, 0, false, EXCL(2, 1, 1, 5), 0xe8c21570},     /* strexd r0, r1, r5 */
    /* the end of what is picked: BXJ, table branches, barriers by MCR */
    {A, 4, 0, true, MOVES_ANY, 0, 4, 0, 0, NONE, 0, false, 0xe12fff21},
    {TE, 4, 0, true, MOVES_TABLE, 1, 1, 0, 0, NONE, 0, false, 0xe8d0f001},
    {TE, 4, 0, true, MOVES_TABLE, 1, 2, 0, 0, NONE, 0, false, 0xe8d0f011},
    {TE | MOVES_NOT_M, 4, ERET, true, TWO(0, 15, MOVES_PSR), 0xe9bdc000}, /* rfeia sp! */
    {A, 4, COND, false, CPRT(1, 1, 0, NONE), 0x1e070f95},
    {A, 4, 0, false, CPRT(1, 1, 0, NONE), 0xee070f9a},
    {A, 4, COND, false, CPRT(1, 1, 0, NONE), 0x0e070fba},
};
/* clang-format on */

#define N_TABLE (sizeof table / sizeof table[0])
#define N_PICKED (N_TABLE - 7)

/* Which bytecodes move data is up to the macrocell: any may (7.4.8). */
static const struct moves bytecode = {.kind = MOVES_ANY};

static unsigned where_of(unsigned isa)
{
    return isa == ETM_ISA_ARM ? A : isa == ETM_ISA_THUMB ? T : MOVES_THUMBEE;
}

const struct moves *moves_of(const struct slot *slot)
{
    if (slot->isa == ETM_ISA_JAZELLE)
        return &bytecode;
    for (unsigned i = 0; i < N_TABLE; i++)
        if (table[i].opcode == slot->opcode &&
            (table[i].where & where_of(slot->isa)) != 0)
            return &table[i];
    return NULL;
}

const struct moves *moves_pick(struct random *r, enum etm_isa isa, bool m)
{
    for (;;) {
        const struct moves *moves = &table[random_below(r, N_PICKED)];

        if ((moves->where & where_of(isa)) != 0 &&
            !(m && (moves->where & MOVES_NOT_M) != 0))
            return moves;
    }
}

bool moves_pc_first(const struct moves *moves, const struct etm_config *config)
{
    return config->pc_first && moves->kind == MOVES_CORE &&
           moves->list >> 15 != 0;
}

uint8_t moves_register(const struct moves *moves, unsigned i, bool pc_first,
                       uint8_t *kind)
{
    uint8_t reg = i == 0 ? moves->first : moves->second;

    *kind = ETM_REGISTER_NO;
    if (moves->kind == MOVES_ANY || moves->kind == MOVES_TABLE)
        return 0;
    if (moves->kind == MOVES_SINGLE) {
        *kind = ETM_REGISTER_S;
        return (uint8_t)(moves->first + i);
    }
    if (moves->kind == MOVES_DOUBLE) {
        *kind = i % 2 == 0 ? ETM_REGISTER_D_LOW : ETM_REGISTER_D_HIGH;
        return (uint8_t)(moves->first + i / 2);
    }
    if (moves->list != 0) {
        uint8_t order[17];
        unsigned n = 0;

        if (pc_first)
            order[n++] = 15;
        for (uint8_t k = 0; k < 16; k++)
            if ((moves->list >> k & 1) != 0)
                order[n++] = k;
        reg = order[i];
    }
    *kind = reg == MOVES_PSR ? ETM_REGISTER_XPSR : ETM_REGISTER_CORE;
    return reg;
}

bool config_traces_data(const struct etm_config *config)
{
    return config->data_value || config->data_address || config->cprt;
}

void config_make_data(struct etm_config *config, struct random *r)
{
    static const uint8_t sets[] = {1, 2, 3, 3, 3, 4, 5, 6, 7, 7};
    uint8_t set;

    config_make(config, ETM_PROTOCOL_ETMV3, r);
    set = sets[random_below(r, sizeof sets)];
    config->data_value = (set & 1) != 0;
    config->data_address = (set & 2) != 0;
    config->cprt = (set & 4) != 0;
    config->cprt_filter = config->cprt && random_chance(r, 50);
    config->data_only = config->minor >= 1 && random_chance(r, 12);
    config->pc_first = random_chance(r, 30);
}
