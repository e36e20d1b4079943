/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps: the paths from block to block that the fast paths of the flows take,
 * and the links from one to the next. They belong to the cache of blocks
 * (block.h), which fills them.
 */
#ifndef ETM_IMAGE_STEP_H
#define ETM_IMAGE_STEP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Maximum number of instructions in a step, if instructions are kept. */
#define ETM_STEP_INSNS 256u

/*
 * The path from the beginning of a block to the end of the next one that ends
 * in a branch or a waypoint. It holds what a range element says of it, in the
 * same order, so that it can be copied there. Steps are numbered from 1; 0
 * means that there is none, and that the blocks themselves must be looked at. A
 * step is empty (n is 0) until it is filled.
 */
struct etm_step {
    uint8_t isa;       /* enum etm_isa */
    uint8_t last_type; /* enum etm_insn_type of the last one */
    uint8_t kind;      /* enum etm_step_kind, in the place of last_exec */
    uint8_t last_flags;
    uint32_t start;
    uint32_t end;   /* after the last instruction */
    uint32_t n;     /* instructions */
    uint32_t last;  /* address of the last instruction */
    uint32_t after; /* step at the end of a branch with link, or where an
                       indirect branch went last */
};

/*
 * The links of a step: where it leads. Nothing else has to be known before the
 * next step can be looked at, so they are small, and most of them stay in the
 * caches.
 *
 *     63     48 47           24 23          0
 *     facts     step if failed  step if taken
 *
 * facts: what the protocol needs to know; 0: the step is empty.
 *
 * If executions are counted (rules.counts), each of these is followed by as
 * many bytes in the same cache line: two 32-bit numbers, how often the step was
 * executed taken and failed since its counts were last folded into the table.
 * Links are therefore found by etm_links_at().
 */
#define ETM_LINK_STEP UINT32_C(0xffffff)
#define ETM_LINK_FAILED 24u
#define ETM_LINK_FACTS 48u

/* The step after the one with these links; failed is 0 or 1. */
static inline uint32_t etm_link_step(uint64_t links, unsigned failed)
{
    return (uint32_t)(links >> ETM_LINK_FAILED * failed) & ETM_LINK_STEP;
}

static inline uint32_t etm_link_facts(uint64_t links)
{
    return (uint32_t)(links >> ETM_LINK_FACTS);
}

/* The links of a step. `counts` is rules.counts, a constant in a loop. */
static inline uint64_t etm_links_at(const uint64_t *links, uint32_t step,
                                    bool counts)
{
    return links[(size_t)step << counts];
}

/*
 * The step after step `at`, straight from memory: getting from one step to the
 * next is then a load and a mask, without the shift of etm_link_step().
 */
static inline uint32_t etm_links_next(const uint64_t *links, uint32_t at,
                                      bool counts, unsigned failed)
{
    const uint16_t one = 1; /* its first byte: is the lowest byte first? */
    uint8_t little;
    uint32_t bits;

    memcpy(&little, &one, sizeof little);
    memcpy(&bits,
           (const uint8_t *)links +
               (little ? ETM_LINK_FAILED / 8 * failed
                       : sizeof bits - ETM_LINK_FAILED / 8 * failed) +
               (sizeof *links << counts) * at,
           sizeof bits);
    return bits & ETM_LINK_STEP;
}

/* The step at an address, kept by a flow that finds it sooner than the table of
 * blocks does. */
struct etm_target {
    uint32_t key; /* the address, as the flow has it in one number; 0: none */
    uint32_t step;
};

enum etm_step_kind {
    ETM_STEP_LINK = 1,    /* a branch with link */
    ETM_STEP_INDIRECT = 2 /* an indirect branch */
};

/* How often a step was executed since it was last folded: taken, failed. Only
 * if executions are counted; `links` are those of the blocks. */
static inline uint32_t *etm_links_hits(uint64_t *links, uint32_t step)
{
    return (uint32_t *)(links + 2 * (size_t)step + 1);
}

#endif
