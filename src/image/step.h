/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps: the paths from block to block that the fast paths of the flows take,
 * the links from one to the next, and bundles of them. They belong to the cache
 * of blocks (block.h), which fills them.
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

/*
 * A bundle: consecutive steps in one instruction set, identified by the number
 * of the first and one bit for each: 0 if it was taken, 1 if it failed, the
 * first one lowest, and a 1 above the last. Where steps are only counted, one
 * bundle is counted instead of all of them. Bundles are a cache: the slot of a
 * key (etm_bundle_place()) may hold another bundle. What was counted in a
 * bundle is flushed to its steps before it is replaced, and when executions are
 * folded.
 */
struct etm_bundle {
    uint32_t key;  /* bits in the low byte, the number above; 0: none */
    uint32_t next; /* step after the last one; enum etm_isa in the high byte */
    uint32_t back; /* where the one step that has no link leads; 0: all have
                      links */
    uint32_t push; /* for use by the protocol, as is bit [31] of `back` */
    uint32_t n;    /* executions that were not flushed to the steps */
};

/*
 * Another kind of bundle, for protocols with an atom for each instruction:
 * where up to eight P-headers lead from a place within a step. The atoms of a
 * header are in a table that the blocks refer to (rules.atoms).
 */
struct etm_header_bundle {
    uint64_t headers; /* the first one lowest, 0 where there is none; 0: no
                         bundle */
    uint32_t place;   /* etm_header_place() */
    uint32_t last;    /* step that ended last, and ETM_HEADER_FAILED if it
                         failed; 0: none */
    uint32_t n;       /* executions that were not flushed to the steps */
};

/* Number of slots, a power of two. */
#define ETM_HEADER_BUNDLES_LOG2 14u
#define ETM_HEADER_BUNDLES (1u << ETM_HEADER_BUNDLES_LOG2)

/*
 * Where a branch packet leads: the place of the step at its target. This is a
 * cache of the table of blocks, which takes longer to search; an entry is found
 * by the low bits of the address.
 */
struct etm_header_target {
    uint32_t address; /* without the bits that are always 0 there */
    uint32_t place;
};

#define ETM_HEADER_TARGETS 4096u

/* Only where a bundle or a branch packet leads has to be known before the next
 * one can be looked at: this is kept close together, so that much of it is in
 * the nearest cache. */
struct etm_header_bundles {
    uint32_t next[ETM_HEADER_BUNDLES]; /* where they lead, as `place`, even if
                                          there is no code; 0: an indirect
                                          branch was taken */
    struct etm_header_target targets[ETM_HEADER_TARGETS];
    uint32_t modes[ETM_HEADER_TARGETS]; /* etm_header_mode() of each; 0: no
                                           entry */
    struct etm_header_bundle of[ETM_HEADER_BUNDLES];
};

/* Added to the mode of an entry if the step at its address leads nowhere. */
#define ETM_HEADER_NOWHERE (UINT32_C(1) << 30)

/* Instruction set (enum etm_isa) and number of the address space in one number,
 * which is not 0. */
static inline uint32_t etm_header_mode(unsigned isa, uint16_t space)
{
    return UINT32_C(1) << 31 | (uint32_t)isa << 16 | space;
}

static inline uint32_t etm_header_target(uint32_t address)
{
    return address % ETM_HEADER_TARGETS;
}

/* The atoms of a header: how many, and whether the first (of several) and the
 * last one failed. The others passed. */
#define ETM_HEADER_ATOMS UINT32_C(0xff)
#define ETM_HEADER_FAILED (UINT32_C(1) << 31)
#define ETM_HEADER_FIRST (UINT32_C(1) << 30)

/* Atom `i`, counted from 1, failed. */
static inline bool etm_header_failed(uint32_t atoms, uint32_t i)
{
    if (i == (atoms & ETM_HEADER_ATOMS))
        return (atoms & ETM_HEADER_FAILED) != 0;
    return i == 1 && (atoms & ETM_HEADER_FIRST) != 0;
}

/*
 * A place: before instruction `index` of a step, which is one of its first 256.
 * Both are in one number, multiplied by an odd constant so that its high bits
 * are already a hash. 0: no step.
 */
#define ETM_HEADER_INDEX UINT32_C(0xff)
#define ETM_HEADER_ODD UINT32_C(0x9e3779b1)
#define ETM_HEADER_INVERSE UINT32_C(0x0e8b2f51) /* undoes it */
static_assert((ETM_HEADER_ODD * ETM_HEADER_INVERSE & UINT32_MAX) == 1,
              "ETM_HEADER_INVERSE is the inverse of ETM_HEADER_ODD mod 2^32");

static inline uint32_t etm_header_place(uint32_t step, uint32_t index)
{
    return (step << 8 | index) * ETM_HEADER_ODD;
}

static inline uint32_t etm_header_step(uint32_t place)
{
    return place * ETM_HEADER_INVERSE >> 8;
}

static inline uint32_t etm_header_index(uint32_t place)
{
    return place * ETM_HEADER_INVERSE & ETM_HEADER_INDEX;
}

static inline uint32_t etm_header_slot(uint64_t headers, uint32_t place)
{
    return ((uint32_t)(headers * UINT64_C(0x9e3779b97f4a7c15) >> 32) ^ place) >>
           (32 - ETM_HEADER_BUNDLES_LOG2);
}

/* For the loops that look up bundles: is that worthwhile? */
struct etm_bundle_trial {
    uint32_t found, missed; /* of those that were looked up */
    uint64_t bytes;         /* of trace, taken so far */
    uint64_t next;          /* value of `bytes` at which they are tried again */
    uint64_t rest;          /* bytes of the last pause; 0: there was none */
};

/* Number of slots, a power of two. */
#define ETM_BUNDLES_LOG2 13u
#define ETM_BUNDLES (1u << ETM_BUNDLES_LOG2)
#define ETM_BUNDLE_BITS 8u
#define ETM_BUNDLE_ISA 24u

/* How often a step was executed since it was last folded: taken, failed. Only
 * if executions are counted; `links` are those of the blocks. */
static inline uint32_t *etm_links_hits(uint64_t *links, uint32_t step)
{
    return (uint32_t *)(links + 2 * (size_t)step + 1);
}

static inline uint32_t etm_bundle_place(uint32_t key)
{
    return key * UINT32_C(0x9e3779b1) >> (32 - ETM_BUNDLES_LOG2);
}

/* Add what was counted in a bundle to its steps. */
void etm_bundle_flush(struct etm_bundle *bundle, uint64_t *links);
void etm_header_bundle_flush(struct etm_header_bundle *bundle,
                             const uint32_t *atoms,
                             const struct etm_step *steps, uint64_t *links);

#endif
