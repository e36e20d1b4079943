/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pieces of which the loops of the fast way of PFT are made (pft_loop.inc).
 *
 * Whether an atom passed cannot be foretold, nor how long a packet is, so
 * nothing here jumps on it where that can be helped: a mispredicted jump costs
 * more than all the rest of a step.
 */
#ifndef ETM_FLOW_PFT_WALK_H
#define ETM_FLOW_PFT_WALK_H

#include "flow/fast.h"
#include "flow/pft_flow.h"

/* No instruction set: follow.context_changed, what has changed is noted there.
 * While it is not, only the instruction set may have. */
#define ETM_PFT_NOTED 0xffu

/* What is in registers on the way. Only inline functions get a pointer to it:
 * what others have seen the address of would be read from memory each time. */
struct etm_pft_walk {
    const struct etm_step *steps;
    uint64_t *links;
    struct etm_element *e; /* the next element */
    uint64_t cycles;       /* since the last range */
    uint64_t counted;      /* only ETM_LEVEL_COUNTS: cycles of what was */
    uint64_t moved;        /* only ETM_LEVEL_COUNTS: see etm_pft_moved() */
    uint32_t at;           /* number of the step at the position; 0: unknown */
    uint32_t top, depth;   /* of the return stack */
    unsigned isa;          /* of the last range, or ETM_PFT_NOTED */
    unsigned state, mask;  /* what an I-sync's information byte says of the
                              state, which it does not change, and where */
    uint8_t head[ETM_FAST_HEAD_SIZE];
};

/* What stays as it is: constants in each loop. */
struct etm_pft_terms {
    enum etm_level level;
    bool counts;  /* cycle-accurate */
    bool returns; /* with a return stack */
};

/*
 * Something may have changed, the instruction set at `offset` if nothing else
 * is noted: the element that stands before the next range is written to `e`, if
 * there is one. Returns the place behind it.
 */
struct etm_element *etm_pft_give_context(struct etm_follow *f,
                                         struct etm_element *e, unsigned isa,
                                         uint64_t offset);

/* An element without what is particular of its kind. */
static inline struct etm_element *etm_pft_element(struct etm_element *e,
                                                  const struct etm_follow *f,
                                                  enum etm_element_kind kind,
                                                  uint64_t offset)
{
    memset(e, 0, sizeof *e);
    e->offset = offset;
    e->kind = (uint8_t)kind;
    e->source = f->source;
    return e;
}

/* What came of a packet that says nothing of the program. */
struct etm_pft_aside {
    struct etm_element *e; /* behind the elements it has given */
    uint64_t cycles;       /* that it has counted */
    unsigned size;         /* 0: it is none of these */
};

/* The packet at `p`, an A-sync, a timestamp or an event: its element, if any,
 * is written to `e`. */
struct etm_pft_aside etm_pft_flow_aside(struct etm_pft_flow *flow,
                                        const struct etm_pft_decoder *d,
                                        const uint8_t *p, uint64_t offset,
                                        struct etm_element *e);

/* A cycle count of three to five bytes: the count, and their number above it
 * from bit 32 on. */
uint64_t etm_pft_long_count(uint64_t bytes);

/* Eight bytes, the first one lowest. */
static inline uint64_t etm_pft_load(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
           (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
           (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* Offset of the packet that led to the position, if any did on this walk: the
 * element before says so, where one was given. */
static inline uint64_t etm_pft_moved(const struct etm_pft_walk *w,
                                     struct etm_pft_terms t)
{
    return t.level == ETM_LEVEL_COUNTS ? w->moved : w->e[-1].offset;
}

/* A step was executed. */
static inline void etm_pft_give(struct etm_follow *f, struct etm_pft_walk *w,
                                struct etm_pft_terms t, unsigned passed,
                                uint64_t offset)
{
    const struct etm_step *s = &w->steps[w->at];
    uint64_t cycles = t.counts ? w->cycles : ETM_CYCLES_UNKNOWN;

    switch (t.level) {
    case ETM_LEVEL_RANGES:
        etm_fast_give(w->e++, w->head, s, passed, offset, cycles);
        break;
    case ETM_LEVEL_INSTRUCTIONS:
        w->e = etm_fast_give_insns(w->e, w->head, &f->blocks, w->at, s->n,
                                   (enum etm_tri)(ETM_FALSE + passed), offset,
                                   t.counts ? 0 : ETM_CYCLES_UNKNOWN, cycles);
        break;
    case ETM_LEVEL_COUNTS:
        etm_links_hits(w->links, w->at)[passed ^ 1u]++;
        if (t.counts)
            w->counted += cycles;
        break;
    }
    if (t.counts)
        w->cycles = 0;
}

/* Instruction set of the step at the position, whose facts are `kind`. Where it
 * is only counted there is no look at the step itself. */
static inline unsigned etm_pft_isa(const struct etm_pft_walk *w,
                                   struct etm_pft_terms t, uint32_t kind)
{
    return t.level == ETM_LEVEL_COUNTS
               ? kind >> ETM_PFT_STEP_ISA & ETM_PFT_STEP_ISA_MASK
               : w->steps[w->at].isa;
}

/* The step at the position, whose facts are `kind`, is about to be given. */
static inline void etm_pft_see_isa(struct etm_follow *f, struct etm_pft_walk *w,
                                   struct etm_pft_terms t, uint32_t kind)
{
    unsigned isa = etm_pft_isa(w, t, kind);

    if (isa == w->isa)
        return;
    w->e = etm_pft_give_context(f, w->e, isa,
                                w->isa == ETM_PFT_NOTED ? f->context_offset
                                                        : etm_pft_moved(w, t));
    w->isa = isa;
}

/* The packet at `offset` led to the position: if that is in another instruction
 * set, it is noted before other elements come. */
static inline void etm_pft_note_isa(struct etm_follow *f,
                                    struct etm_pft_walk *w, uint64_t offset)
{
    /* step 0 has none; asked first because it is so as a rule */
    if (w->steps[w->at].isa == w->isa)
        return;
    if (w->at == 0 || w->isa == ETM_PFT_NOTED)
        return;
    etm_follow_context_changed(f, offset);
    w->isa = ETM_PFT_NOTED;
}

/* The same where the packet is one of those before; there need not be one if
 * nothing is to be noted. */
static inline void etm_pft_note_moved(struct etm_follow *f,
                                      struct etm_pft_walk *w,
                                      struct etm_pft_terms t)
{
    if (w->steps[w->at].isa != w->isa && w->at != 0 && w->isa != ETM_PFT_NOTED)
        etm_pft_note_isa(f, w, etm_pft_moved(w, t));
}

/* A branch with link pushes its return address: `more` is 1. */
static inline void etm_pft_push(struct etm_pft_flow *flow,
                                struct etm_pft_walk *w, struct etm_pft_terms t,
                                unsigned more)
{
    /* where steps are only counted there is no look at those without a link */
    if (!t.returns || (t.level == ETM_LEVEL_COUNTS && more == 0))
        return;
    flow->stack.step[w->top % ETM_RETSTACK_SIZE] = w->steps[w->at].behind;
    w->top += more;
}

/* The steps may have moved. */
static inline void etm_pft_see_steps(const struct etm_pft_flow *flow,
                                     struct etm_pft_walk *w)
{
    w->steps = flow->follow.blocks.steps.data;
    w->links = flow->follow.blocks.links.data;
}

/* Facts of the step at the position. */
static inline uint32_t etm_pft_kind(const struct etm_pft_walk *w,
                                    struct etm_pft_terms t)
{
    return etm_link_facts(
        etm_links_at(w->links, w->at, t.level == ETM_LEVEL_COUNTS));
}

/* Where an atom leads to from the step at the position. */
struct etm_pft_next {
    uint32_t step; /* 0: nobody knows */
    uint32_t pop;  /* all ones: the return stack said so; else 0 */
};

/* The bits of facts are asked for in ways that need no jump: whether an atom
 * passed cannot be foretold, nor whether it was a return. */
static inline struct etm_pft_next etm_pft_next(const struct etm_pft_flow *flow,
                                               const struct etm_pft_walk *w,
                                               struct etm_pft_terms t,
                                               unsigned failed)
{
    struct etm_pft_next next = {
        .step = etm_links_next(w->links, w->at, t.level == ETM_LEVEL_COUNTS,
                               failed)};

    if (t.returns) {
        uint64_t links =
            etm_links_at(w->links, w->at, t.level == ETM_LEVEL_COUNTS);
        uint32_t passed = failed - 1; /* all ones if it did */

        static_assert(ETM_PFT_STEP_POP == 0x8000u, "bit [63] of the links");
        next.pop = (uint32_t)(0 - (links >> 63)) & passed;
        /* behind an indirect branch the link is 0 */
        next.step |=
            flow->stack.step[(w->top - 1) % ETM_RETSTACK_SIZE] & next.pop;
    }
    return next;
}

/*
 * One atom. False, and nothing is done, where the way is not known or something
 * else has to be done first. No function is called here, so that a loop can
 * have all that it needs in registers.
 */
static inline bool etm_pft_atom(struct etm_pft_flow *flow,
                                struct etm_pft_walk *w, struct etm_pft_terms t,
                                unsigned failed, uint64_t offset)
{
    struct etm_pft_next next = etm_pft_next(flow, w, t, failed);
    uint32_t kind = etm_pft_kind(w, t);
    unsigned passed = failed ^ 1u, push = passed & kind & ETM_STEP_LINK;

    if (next.step == 0 || etm_pft_isa(w, t, kind) != w->isa)
        return false;
    if (t.returns) {
        uint32_t depth = w->depth + next.pop + push;

        if (depth > ETM_RETSTACK_MAX)
            return false; /* or less than nothing */
        w->depth = depth;
        w->top += next.pop;
    }
    etm_pft_push(flow, w, t, push);
    etm_pft_give(&flow->follow, w, t, passed, offset);
    w->at = next.step;
    w->moved = offset;
    return true;
}

/*
 * There was no taking an atom: do what has to be done before. False where there
 * is nothing that steps can do.
 */
static inline bool etm_pft_prepare(struct etm_pft_flow *flow,
                                   struct etm_pft_walk *w,
                                   struct etm_pft_terms t, unsigned failed)
{
    struct etm_pft_next next = etm_pft_next(flow, w, t, failed);

    if (next.pop != 0 && (next.step == 0 || w->depth == 0))
        return false;
    if (next.step == 0) { /* for the first time, or behind an indirect branch */
        if (w->at == 0)
            return false;
        next.step = etm_pft_resolve(flow, w->at, failed);
        etm_pft_see_steps(flow, w);
        if (next.step == 0)
            return false;
    }
    if (t.returns && !failed && w->depth == ETM_RETSTACK_MAX &&
        (etm_pft_kind(w, t) & ETM_STEP_LINK))
        w->depth--; /* the oldest entry goes */
    etm_pft_see_isa(&flow->follow, w, t, etm_pft_kind(w, t));
    return true;
}

/*
 * Cycle count (4.4), of which the first bytes are in `x`; as etm_pft_count().
 * The second byte is taken without a jump; more are rare.
 */
static inline size_t etm_pft_add_count(uint64_t x, uint64_t *cycles)
{
    uint64_t more = x >> 6 & 1;

    if (more & x >> 15) {
        uint64_t count = etm_pft_long_count(x);

        *cycles += count & UINT32_MAX;
        return (size_t)(count >> 32);
    }
    *cycles += (x >> 2 & 0x0f) + (x >> 4 & 0x7f0 & (0 - more));
    return 1 + (size_t)more;
}

/*
 * Address bytes without exception information, the first of which are in `x`;
 * as parse_address() of pft_decode.c and what broadcast.c does with it. Returns
 * their number, or 0.
 */
static inline size_t etm_pft_address(const struct etm_broadcast *last,
                                     uint64_t x, uint32_t *address,
                                     unsigned *isa)
{
    static const uint32_t bits_of[5] = {0, 1u << 6, 1u << 12, 1u << 19,
                                        1u << 26};
    uint32_t low = (uint32_t)x, stop = ~low & UINT32_C(0x80808080), bits;
    unsigned shift = *isa == ETM_ISA_ARM ? 2 : 1, n;

    if (stop == 0) {
        unsigned fifth = x >> 32 & 0xff;
        unsigned thumb = last->alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;

        if ((fifth & 0xf8) != 0x08 && (fifth & 0xf0) != 0x10)
            return 0;
        *isa = (fifth & 0x10) != 0 ? thumb : ETM_ISA_ARM;
        shift = *isa == ETM_ISA_ARM ? 2 : 1;
        *address = (uint32_t)fifth << (27 + shift);
        n = 5;
    } else {
        stop &= 0 - stop; /* bit [7] of the last byte */
        if (low & stop >> 1 & UINT32_C(0x40404000))
            return 0; /* exception information follows */
        low &= stop - 1;
        n = (stop >> 7) * UINT32_C(0x01020304) >> 24;
        *address = last->address & ~((bits_of[n] << shift) - 1);
    }
    bits = (low >> 1 & 0x3f) | (low >> 2 & 0x1fc0) | (low >> 3 & 0xfe000) |
           (low >> 4 & 0x7f00000);
    *address |= bits << shift;
    return n;
}

#endif
