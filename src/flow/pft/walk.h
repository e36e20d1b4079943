/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pieces of the loops of the fast path of PFT (loop.inc). Whether an
 * atom passed, and the length of an address, are unpredictable, so branches on
 * these are avoided where possible: a mispredicted branch costs more than all
 * the rest of a step.
 */
#ifndef ETM_FLOW_PFT_WALK_H
#define ETM_FLOW_PFT_WALK_H

#include "flow/pft/flow.h"
#include "proto/address.h"
#include "flow/walk/fast.h"

/* Not an instruction set: the context change is noted in
 * walk.context_changed. Otherwise only the instruction set may have
 * changed. */
#define ETM_PFT_NOTED 0xffu

/* Header of an I-sync (table 4.1), in all configurations. */
#define ETM_PFT_I_SYNC 0x08u

/* And of a timestamp, except for bit [2]. */
#define ETM_PFT_TIMESTAMP 0x42u

/* What the loops keep in registers. Only inline functions get a pointer to it:
 * otherwise it would be read from memory each time. A function that has to be
 * called works on a copy. */
struct etm_pft_walk {
    const struct etm_step *steps;
    uint64_t *links;
    struct etm_element *e; /* the next element */
    uint64_t cycles;       /* since the last range */
    uint64_t counted;      /* ETM_LEVEL_COUNTS only: cycles of what was */
    uint64_t moved;        /* only ETM_LEVEL_COUNTS: see etm_pft_moved() */
    uint32_t at;           /* number of the step at the position; 0: unknown */
    uint32_t last;         /* etm_pft_key() of the address broadcast last */
    uint32_t top, depth;   /* of the return stack */
    unsigned isa;          /* of the last range, or ETM_PFT_NOTED */
    uint8_t head[ETM_FAST_HEAD_SIZE]; /* of the elements of steps; constant */
};

/* What is constant in each loop. */
struct etm_pft_terms {
    enum etm_level level; /* ETM_LEVEL_COUNTS for ETM_LEVEL_COVERAGE too */
    bool counts;          /* cycle-accurate */
    bool returns;         /* with a return stack */
};

/* Copy member by member: if a compiler copies several members at once which
 * have just been written one by one, the processor has to wait. */
static inline void etm_pft_copy(struct etm_pft_walk *to,
                                const struct etm_pft_walk *from,
                                enum etm_level level)
{
    to->steps = from->steps;
    to->links = from->links;
    to->e = from->e;
    to->cycles = from->cycles;
    if (level == ETM_LEVEL_COUNTS) {
        to->counted = from->counted;
        to->moved = from->moved;
    }
    to->at = from->at;
    to->last = from->last;
    to->top = from->top;
    to->depth = from->depth;
    to->isa = from->isa;
}

/* What a function did about a packet that the loop cannot take. */
struct etm_pft_aided {
    size_t size; /* number of bytes taken; 0: the loop can take them now */
    bool stop;   /* it did nothing: they are left to the flow */
};

/* The loop cannot take the packet at `p`, which is at `offset` of the stream
 * and is no atom. */
struct etm_pft_aided etm_pft_aid(struct etm_pft_flow *flow,
                                 const struct etm_pft_decoder *d,
                                 struct etm_pft_walk *w, struct etm_pft_terms t,
                                 const uint8_t *p, uint64_t offset);

/* Eight bytes, the first one lowest. */
static inline uint64_t etm_pft_load(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
           (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
           (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* Offset of the packet that led to the position, if there was one on this walk;
 * if an element was given, its predecessor has it. */
static inline uint64_t etm_pft_moved(const struct etm_pft_walk *w,
                                     struct etm_pft_terms t)
{
    return t.level == ETM_LEVEL_COUNTS ? w->moved : w->e[-1].offset;
}

/* The packet at `offset` leads there. */
static inline void etm_pft_move(struct etm_pft_walk *w, struct etm_pft_terms t,
                                uint32_t to, uint64_t offset)
{
    w->at = to;
    if (t.level == ETM_LEVEL_COUNTS)
        w->moved = offset;
}

/* A step was executed. */
static inline void etm_pft_give(struct etm_pft_flow *flow,
                                struct etm_pft_walk *w, struct etm_pft_terms t,
                                unsigned passed, uint64_t offset)
{
    const uint8_t *head = w->head;
    const struct etm_step *s = &w->steps[w->at];
    uint64_t cycles = t.counts ? w->cycles : ETM_CYCLES_UNKNOWN;

    switch (t.level) {
    case ETM_LEVEL_RANGES:
        etm_fast_give(w->e++, head, s, passed, offset, cycles);
        break;
    case ETM_LEVEL_INSTRUCTIONS:
        w->e = etm_fast_give_insns(w->e, head, &flow->walk.blocks, w->at, s->n,
                                   (enum etm_tri)(ETM_FALSE + passed), offset,
                                   t.counts ? 0 : ETM_CYCLES_UNKNOWN, cycles);
        break;
    case ETM_LEVEL_COUNTS:
    case ETM_LEVEL_COVERAGE:
        etm_links_hits(w->links, w->at)[passed ^ 1u]++;
        if (t.counts)
            w->counted += cycles;
        break;
    }
    if (t.counts)
        w->cycles = 0;
}

/* Instruction set of the step at the position, whose facts are `kind`. If steps
 * are only counted, the step itself is not read. */
static inline unsigned etm_pft_isa(const struct etm_pft_walk *w,
                                   struct etm_pft_terms t, uint32_t kind)
{
    return t.level == ETM_LEVEL_COUNTS
               ? kind >> ETM_PFT_STEP_ISA & ETM_PFT_STEP_ISA_MASK
               : w->steps[w->at].isa;
}

/*
 * The context may have changed; if nothing else is noted, only the instruction
 * set, at `offset`. Writes the element that precedes the next range to `e`, if
 * there is one. Returns the place after it.
 */
struct etm_element *etm_pft_give_context(struct etm_walk *f,
                                         struct etm_element *e, unsigned isa,
                                         uint64_t offset);

/* The step at the position, whose facts are `kind`, is about to be given: give
 * a context before it, if its instruction set is not that of the last range.
 * Returns whether it is not. */
static inline bool etm_pft_see_isa(struct etm_walk *f, struct etm_pft_walk *w,
                                   struct etm_pft_terms t, uint32_t kind)
{
    unsigned isa = etm_pft_isa(w, t, kind);

    if (isa == w->isa)
        return false;
    w->e = etm_pft_give_context(f, w->e, isa,
                                w->isa == ETM_PFT_NOTED ? f->context_offset
                                                        : etm_pft_moved(w, t));
    w->isa = isa;
    return true;
}

/* The packet at `offset` led to a position in an instruction set: if it is a
 * different one, note this before other elements. */
static inline void etm_pft_note_isa(struct etm_walk *f, struct etm_pft_walk *w,
                                    unsigned isa, uint64_t offset)
{
    if (isa == w->isa || w->isa == ETM_PFT_NOTED)
        return;
    etm_walk_context_changed(f, offset);
    w->isa = ETM_PFT_NOTED;
}

/* The same for an earlier packet; there need not be one if nothing is to be
 * noted. */
static inline void etm_pft_note_moved(struct etm_walk *f,
                                      struct etm_pft_walk *w,
                                      struct etm_pft_terms t)
{
    unsigned isa = w->steps[w->at].isa;

    /* step 0 has none; the most likely condition comes first */
    if (isa != w->isa && w->at != 0 && w->isa != ETM_PFT_NOTED)
        etm_pft_note_isa(f, w, isa, etm_pft_moved(w, t));
}

/* A branch with link pushes its return address: `more` is 1. */
static inline void etm_pft_push(struct etm_pft_flow *flow,
                                struct etm_pft_walk *w, struct etm_pft_terms t,
                                unsigned more)
{
    /* if steps are only counted, those without a link are not read */
    if (!t.returns || (t.level == ETM_LEVEL_COUNTS && more == 0))
        return;
    flow->stack.step[w->top % ETM_RETSTACK_SIZE] = w->steps[w->at].after;
    w->top += more;
}

/* The newest entry of the return stack, if there is any. */
static inline uint32_t etm_pft_newest(const struct etm_pft_flow *flow,
                                      const struct etm_pft_walk *w)
{
    return flow->stack.step[(w->top - 1) % ETM_RETSTACK_SIZE];
}

/* The steps may have moved. */
static inline void etm_pft_see_steps(struct etm_pft_flow *flow,
                                     struct etm_pft_walk *w)
{
    w->steps = flow->walk.blocks.steps.data;
    w->links = flow->walk.blocks.links.data;
    etm_pft_flow_see_targets(flow);
}

/* Facts of the step at the position. */
static inline uint32_t etm_pft_kind(const struct etm_pft_walk *w,
                                    struct etm_pft_terms t)
{
    return etm_link_facts(
        etm_links_at(w->links, w->at, t.level == ETM_LEVEL_COUNTS));
}

/* Where an atom leads from the step at the position. */
struct etm_pft_next {
    uint32_t step; /* 0: it is not known */
    uint32_t pop;  /* all ones: from the return stack; otherwise 0 */
};

/* The bits of facts are evaluated without branches: whether an atom passed, and
 * whether it was a return, is unpredictable. */
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
        /* after an indirect branch the link is 0 */
        next.step |= etm_pft_newest(flow, w) & next.pop;
    }
    return next;
}

/*
 * Take one atom. False, with nothing done, if the way is not known or something
 * else must be done first. No function is called here, so that a loop can keep
 * everything in registers.
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
    etm_pft_give(flow, w, t, passed, offset);
    etm_pft_move(w, t, next.step, offset);
    return true;
}

/*
 * An atom could not be taken: do what has to be done first. False if steps
 * cannot help.
 */
static inline bool etm_pft_prepare(struct etm_pft_flow *flow,
                                   struct etm_pft_walk *w,
                                   struct etm_pft_terms t, unsigned failed)
{
    struct etm_pft_next next = etm_pft_next(flow, w, t, failed);

    if (next.pop != 0 && (next.step == 0 || w->depth == 0))
        return false;
    if (next.step == 0) { /* for the first time, or after an indirect branch */
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
    etm_pft_see_isa(&flow->walk, w, t, etm_pft_kind(w, t));
    return true;
}

/* The step at the address with this key, if it is among the targets. */
static inline bool etm_pft_find(const struct etm_pft_flow *flow,
                                struct etm_pft_terms t, uint32_t key,
                                uint32_t *step)
{
    uint32_t place = etm_pft_flow_place(&flow->ready, key);
    struct etm_target *targets = flow->ready.targets, found;

    *step = targets[place].step;
    if (targets[place].key == key)
        return true;
    found = targets[place ^ 1];
    if (found.key != key)
        return false;
    *step = found.step;
    /* Move the step found last to the first place, because a second comparison
     * is often mispredicted. With cycle counts the loop has no registers left
     * for this, and loses more. */
    if (!t.counts) {
        targets[place ^ 1] = targets[place];
        targets[place] = found;
    }
    return true;
}

/* The contents of the first six bytes of an I-sync. */
struct etm_pft_place {
    uint32_t key;    /* etm_pft_key() */
    unsigned reason; /* enum etm_sync_reason */
    bool same_state; /* it changes only the position and, perhaps, the context
                        ID */
};

static inline struct etm_pft_place
etm_pft_i_sync(const struct etm_pft_flow *flow, uint64_t x)
{
    uint32_t address = (uint32_t)(x >> 8);

    return (struct etm_pft_place){
        .key = etm_pft_key(address, address & 1),
        .reason = x >> 45 & 3,
        .same_state = ((x ^ flow->ready.state) & flow->ready.mask) == 0 &&
                      (address & 3) != 2}; /* no ARM instruction is there */
}

/* Instructions were executed where there is no code: keep their cycles; the
 * return stack is not certain any more. Not while flow->interrupted: a possible
 * return is left to the flow. */
static inline void etm_pft_blind(struct etm_pft_flow *flow,
                                 struct etm_pft_walk *w, struct etm_pft_terms t)
{
    w->depth = 0;
    if (t.returns)
        flow->unseen = true;
    flow->walk.blind_cycles += w->cycles;
    w->cycles = 0;
}

/* An instruction was executed at a step without code, in the instruction set
 * that was given last: it cannot be followed. */
static inline void etm_pft_no_image(struct etm_pft_flow *flow,
                                    struct etm_pft_walk *w, uint64_t offset)
{
    etm_fast_give_word(w->e, flow->ready.no_image, offset, 0);
    w->e++->u.no_image.address = w->steps[w->at].start;
    w->at = 0;
}

/* An address has come: report what could not be followed. */
static inline void etm_pft_resume(struct etm_pft_flow *flow,
                                  struct etm_pft_walk *w, uint64_t offset)
{
    struct etm_walk *f = &flow->walk;

    if (f->blind_cycles == 0)
        return;
    etm_fast_give_word(w->e++, flow->ready.gap, offset, f->blind_cycles);
    f->blind_cycles = 0;
}

/* Preparing for a packet may have given the context before it: the packet goes
 * with it, even if there is only room for one more. */
static inline const struct etm_element *
etm_pft_for_one_more(const struct etm_element *full,
                     const struct etm_element *e)
{
    return e < full ? full : e + 1;
}

/*
 * Cycle count (4.4) whose first five bytes are in `x`, as etm_pft_count(); or
 * the first two, with the others at `more` if that is not NULL. This branches
 * on the length of the count: everything depends on where the next packet
 * begins, and computing that takes longer than predicting it.
 */
static inline size_t etm_pft_add_count(uint64_t x, const uint8_t *more,
                                       uint64_t *cycles)
{
    uint64_t y = x, fourth, fifth;

    if ((x & 0x40) == 0) {
        *cycles += x >> 2 & 0x0f;
        return 1;
    }
    if ((x & 0x8000) == 0) {
        *cycles += (x >> 2 & 0x0f) | (x >> 4 & 0x7f0);
        return 2;
    }
    if (more != NULL)
        y = (x & 0xffff) | etm_pft_load(more) << 16;
    fourth = y >> 23 & 1;
    fifth = y >> 31 & fourth;
    *cycles += (y >> 2 & 0x0f) | (y >> 4 & 0x7f0) | (y >> 5 & 0x3f800) |
               (y >> 6 & 0x1fc0000 & (0 - fourth)) |
               (y >> 7 & 0xfe000000 & (0 - fifth));
    return 3 + (size_t)fourth + (size_t)fifth;
}

/* Join groups of seven bits in bytes; the other bit of each byte is ignored. */
static inline uint32_t etm_pft_join(uint32_t x)
{
    x = (x & 0x007f007f) | (x & 0x7f007f00) >> 1;
    return (x & 0x3fff) | (x >> 2 & 0xfffc000);
}

/* Result of decoding address bytes. */
struct etm_pft_address {
    uint32_t key; /* etm_pft_key() */
    size_t n;     /* their number */
};

/*
 * Decode address bytes without exception information, the first of which are in
 * `x`, as parse_address() of pft_decode.c and broadcast.c do. `last` is the key
 * of the address before. False if they have another form.
 */
static inline bool etm_pft_address(uint32_t last, uint64_t x,
                                   struct etm_pft_address *a)
{
    const struct etm_address_form *forms = etm_address_forms[1];
    uint32_t word = (uint32_t)x, fifth = x >> 32 & 0xff;
    size_t last_byte;

    a->n = etm_address_short(forms, last, word, &a->key);
    if (a->n != 0)
        return true;
    last_byte = etm_address_last_byte(word);
    a->key = etm_address_apply(&forms[last_byte], last, word);
    a->n = last_byte + 1;
    if ((word & forms[last_byte].other) == 0)
        return true;
    if (last_byte != ETM_ADDRESS_FORM_5)
        return false; /* exception information follows */
    /* 00001xxx for ARM, 0001xxxx for Thumb: these are the marks of a key */
    a->key = etm_address_bits(word) | fifth << 27;
    return (fifth & 0xf8) == 0x08 || (fifth & 0xf0) == 0x10;
}

#endif
