/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bundles: what a piece of trace leads through, found by the trace itself and
 * the place in the program, where executions are only counted. They belong to
 * the cache of blocks (block.h); the loops of the flows make them and look them
 * up.
 */
#ifndef ETM_IMAGE_BUNDLE_H
#define ETM_IMAGE_BUNDLE_H

#include "image/step.h"

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

/* Number of slots, a power of two. */
#define ETM_BUNDLES_LOG2 13u
#define ETM_BUNDLES (1u << ETM_BUNDLES_LOG2)
#define ETM_BUNDLE_BITS 8u
#define ETM_BUNDLE_ISA 24u

static inline uint32_t etm_bundle_place(uint32_t key)
{
    return key * UINT32_C(0x9e3779b1) >> (32 - ETM_BUNDLES_LOG2);
}

/* Add what was counted in a bundle to its steps. */
void etm_bundle_flush(struct etm_bundle *bundle, uint64_t *links);

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
    uint32_t place;   /* 0: the step there leads nowhere */
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

/* Add what was counted in one of these to its steps, which `atoms` tells. */
void etm_header_bundle_flush(struct etm_header_bundle *bundle,
                             const uint32_t *atoms,
                             const struct etm_step *steps, uint64_t *links);

/* For the loops that look up bundles: is that worthwhile? */
struct etm_bundle_trial {
    uint32_t found, missed; /* of those that were looked up */
    uint64_t bytes;         /* of trace, taken so far */
    uint64_t next;          /* value of `bytes` at which they are tried again */
    uint64_t rest;          /* bytes of the last rest; 0: there was none */
};

/* A trial has ended, and another one begins: at once if enough was found, else
 * after a rest, which is twice as long each time. */
void etm_bundle_trial_end(struct etm_bundle_trial *trial, bool enough);

#endif
