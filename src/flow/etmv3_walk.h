/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the fast way of ETMv3 share: etmv3_fast.c, etmv3_step.c
 * and etmv3_arrive.c. */
#ifndef ETM_FLOW_ETMV3_WALK_H
#define ETM_FLOW_ETMV3_WALK_H

#include "flow/etmv3_flow.h"
#include "flow/fast.h"

/*
 * A header in one number (flow->quick), which is also what is left of it:
 *
 *     31      24 23  20   19    18     17    16  15        0
 *     before       0    branch  two  failed  each  n
 *
 * before: W atoms before the first instruction; n: instructions in a run, or
 * ETM_QUICK_NO_RUN; each: a W atom before each of them; failed: the last atom
 * is N; two: an N atom, then another that `failed` tells of; branch: a branch
 * packet.
 */
#define ETM_QUICK_NO_RUN 0xffffu
#define ETM_QUICK_EACH (UINT32_C(1) << 16)
#define ETM_QUICK_FAILED (UINT32_C(1) << 17)
#define ETM_QUICK_TWO (UINT32_C(1) << 18)
#define ETM_QUICK_BRANCH (UINT32_C(1) << 19)
#define ETM_QUICK_BEFORE 24

static inline uint32_t etm_quick_count(uint32_t q)
{
    return q & ETM_QUICK_NO_RUN;
}

/* 1 or 0 */
static inline uint32_t etm_quick_each(uint32_t q)
{
    return (q & ETM_QUICK_EACH) / ETM_QUICK_EACH;
}

static inline uint32_t etm_quick_failed(uint32_t q)
{
    return (q & ETM_QUICK_FAILED) / ETM_QUICK_FAILED;
}

/* Waits for an instruction, and has none. */
static inline bool etm_quick_waits(uint32_t q)
{
    return etm_quick_count(q) == 0;
}

static inline uint8_t etm_quick_exec(uint32_t q)
{
    return (q & ETM_QUICK_FAILED) != 0 ? ETM_FALSE : ETM_TRUE;
}

/* A branch packet that was taken. */
struct etm_etmv3_taken {
    const uint8_t *from, *to;
};

/* What is in registers on the way. */
struct etm_etmv3_walk {
    const struct etm_step *steps;
    const uint64_t *links;
    uint32_t at;     /* number of the step at the position */
    uint32_t index;  /* of the next instruction in it */
    uint64_t cycles; /* since the last range */
    const uint8_t *p;
    const uint8_t *open; /* packet of the first instruction in the range */
    struct etm_etmv3_taken branch, before; /* the last two branch packets */
    uint32_t last;                         /* the last step that was ended */
    struct etm_element *e;                 /* the next element */
    uint8_t head[ETM_FAST_HEAD_SIZE];
};

/* What stays as it is on the way. */
struct etm_etmv3_terms {
    const uint8_t *bytes, *end; /* no packet begins behind `end` */
    uint64_t start;             /* offset of `bytes` */
    uint64_t unknown;           /* UINT64_MAX if cycles are not counted */
    bool alternative;           /* encoding of branch packets */
};

/* Back over P-headers without an instruction. */
static inline const uint8_t *etm_etmv3_back(const uint32_t *quick,
                                            const uint8_t *bytes,
                                            const uint8_t *p, uint64_t *cycles)
{
    for (; p != bytes && etm_quick_waits(quick[p[-1]]); p--)
        *cycles += quick[p[-1]] >> ETM_QUICK_BEFORE;
    return p;
}

/* The last step that was ended had its branch taken. */
static inline bool etm_etmv3_passed(const struct etm_etmv3_walk *w)
{
    return w->e[-1].u.range.last_exec == ETM_TRUE;
}

/* etmv3_step.c */

/* Fill the step that begins with `first`; false when it is none. */
bool etm_etmv3_fill(struct etm_blocks *blocks, struct etm_block *first);

/* The block of instruction *index of a step, which becomes its index there;
 * *before is the one before it in the step, or as it was. */
struct etm_block *etm_etmv3_step_block(const struct etm_blocks *blocks,
                                       uint32_t at, uint32_t *index,
                                       const struct etm_block **before);

/*
 * The step behind step `at`, which has no link to it; 0 where the flow's own
 * way has to go on. `p` is the next packet if that may be a branch packet;
 * *size is what was taken of it. May move the steps.
 */
uint32_t etm_etmv3_resolve(struct etm_etmv3_flow *flow, bool alternative,
                           uint32_t at, bool passed, const uint8_t *p,
                           unsigned *size);

/* Size of a branch packet behind a direct branch, if it went there anyway. */
unsigned etm_etmv3_broadcast(struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_walk *w,
                             const struct etm_etmv3_terms *t);

/* etmv3_arrive.c */

/* Leave the flow as its own way would have. */
void etm_etmv3_arrive(struct etm_etmv3_flow *flow,
                      const struct etm_etmv3_walk *w,
                      const struct etm_etmv3_terms *t, bool lost);

#endif
