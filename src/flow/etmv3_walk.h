/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the parts of the ETMv3 fast path: etmv3_fast.c, etmv3_chart.c,
 * etmv3_bundles.c, etmv3_aside.c, etmv3_pause.c, etmv3_skim.c, etmv3_step.c and
 * etmv3_arrive.c. Their terms:
 *
 * step       from the beginning of a block to the end of the next one that ends
 *            in a branch (image/step.h)
 * dead end   a step that leads nowhere: there is no code, or too much of it
 * walk       following the program from step to step; and where that stands
 * chart      the instructions of some bytes of trace, without the program
 * mark       a branch packet or a restart in a chart, or its end
 * restart    an I-sync with which tracing restarts (after a stop, an overflow
 *            or debug state) and nothing but the position changes
 * march      to walk over the steps of a chart up to its next mark
 * bundle     where up to eight P-headers lead from a place in the program
 * pause      packets between two bundles that change nothing
 * skim       to take packets between two charts that change little else
 * cut        to give what was walked so far, as if the walk began here
 * arrive     to end the walk: the flow is left as the plain path of
 *            etmv3_flow.c would have left it
 * aside      what a loop leaves to functions, to keep registers for itself
 */
#ifndef ETM_FLOW_ETMV3_WALK_H
#define ETM_FLOW_ETMV3_WALK_H

#include "flow/address.h"
#include "flow/etmv3_flow.h"
#include "flow/fast.h"
#include "proto/etmv3.h"

/*
 * A header in one number (flow->quick):
 *
 *     31      24 23  21  20    19    18     17    16  15        0
 *     before       0    sync branch  two  failed  each  n
 *
 * before: W atoms before the first instruction; n: instructions in a run, or
 * ETM_QUICK_NO_RUN; each: there is a W atom before each of them; failed: the
 * last atom is N; two: an N atom, then one that `failed` describes; branch: a
 * branch packet; sync: an I-sync of the kind with which tracing restarts.
 */
#define ETM_QUICK_NO_RUN 0xffffu
#define ETM_QUICK_EACH (UINT32_C(1) << 16)
#define ETM_QUICK_FAILED (UINT32_C(1) << 17)
#define ETM_QUICK_TWO (UINT32_C(1) << 18)
#define ETM_QUICK_BRANCH (UINT32_C(1) << 19)
#define ETM_QUICK_SYNC (UINT32_C(1) << 20)
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

/* W atoms before the first instruction. */
static inline uint32_t etm_quick_before(uint32_t q)
{
    return q >> ETM_QUICK_BEFORE;
}

/* Has no instruction: W atoms at most. */
static inline bool etm_quick_no_insn(uint32_t q)
{
    return etm_quick_count(q) == 0;
}

static inline uint8_t etm_quick_exec(uint32_t q)
{
    return (q & ETM_QUICK_FAILED) != 0 ? ETM_FALSE : ETM_TRUE;
}

/*
 * A chart: the instructions of some bytes, whatever the program is. `insns` has
 * a byte for each: the place of its P-header, in bytes from the beginning of
 * the chart, and whether it failed. If cycles are counted, `timed` has twice as
 * much, with the cycles of the header up to and including this instruction; and
 * `before` has the cycles before each header.
 *
 *       7    6   0        15     8   7    6    0
 *     failed place          place  failed cycles
 */
#define ETM_CHART_FAILED 0x80u
#define ETM_CHART_PLACE 8u   /* in `timed` */
#define ETM_CHART_BYTES 128u /* followed by W atoms and marks */
#define ETM_CHART_BYTES_CYCLES 256u
#define ETM_CHART_INSNS (ETM_CHART_BYTES * ETM_ETMV3_ATOMS)
#define ETM_CHART_MARKS 64u

/* The instructions of a header that no chart has. */
#define ETM_CHART_NOT_HERE (UINT64_C(1) << 63)

static_assert(ETM_CHART_BYTES <= ETM_CHART_FAILED, "seven bits hold a place");
static_assert(ETM_CHART_BYTES_CYCLES <= UINT8_MAX + 1, "eight bits do");
static_assert(ETM_ETMV3_ATOMS == 2 * ETM_ETMV3_ATOMS_CYCLES &&
                  ETM_CHART_BYTES_CYCLES == 2 * ETM_CHART_BYTES,
              "the instructions of a header are two pieces, or half as many");

static_assert(sizeof(struct etm_etmv3_share) == 32, "a shift finds it");

static inline bool etm_chart_has(const struct etm_etmv3_share *share)
{
    return share->n != ETM_CHART_NOT_HERE;
}

/* A header without an instruction. */
static inline bool etm_chart_no_insn(const struct etm_etmv3_share *share)
{
    return share->n == 0;
}

/*
 * A branch packet, a restart, or the end (`size` is 0).
 */
struct etm_etmv3_mark {
    uint32_t at;      /* instructions before it */
    uint32_t cycles;  /* cycles before it */
    uint32_t address; /* if all branch packets before it were taken */
    uint32_t step;    /* at `address`; 0: not looked up */
    uint32_t gap;     /* cycle count of a restart */
    uint16_t place;   /* in bytes from the beginning of the chart */
    uint8_t size;     /* bytes */
    uint8_t isa;      /* enum etm_isa, at `address`; and ETM_MARK_SYNC for a
                         restart, to which no branch leads */
};
#define ETM_MARK_SYNC 0x80u

static inline bool etm_mark_is_sync(const struct etm_etmv3_mark *mark)
{
    return (mark->isa & ETM_MARK_SYNC) != 0;
}

static inline enum etm_isa etm_mark_isa(const struct etm_etmv3_mark *mark)
{
    return (enum etm_isa)(mark->isa & ~ETM_MARK_SYNC);
}

static inline bool etm_mark_is_branch(const struct etm_etmv3_mark *mark)
{
    return mark->size != 0 && !etm_mark_is_sync(mark);
}

/* The mark was taken. */
static inline void etm_etmv3_take(struct etm_broadcast *base,
                                  const struct etm_etmv3_mark *mark)
{
    base->address = mark->address;
    base->isa = mark->isa;
}

struct etm_etmv3_chart {
    uint32_t n; /* instructions */
    uint32_t n_marks;
    union {
        uint8_t insns[ETM_CHART_INSNS + ETM_ETMV3_ATOMS];
        uint16_t timed[ETM_CHART_INSNS + ETM_ETMV3_ATOMS_CYCLES];
    } all;
    uint16_t before[ETM_CHART_BYTES_CYCLES]; /* by place */
    struct etm_etmv3_mark marks[ETM_CHART_MARKS + 1];
};

/* The entry of instruction i; `cycles` are counted. */
static inline uint32_t etm_chart_insn(const struct etm_etmv3_chart *chart,
                                      uint32_t i, bool cycles)
{
    return cycles ? chart->all.timed[i] : chart->all.insns[i];
}

/* The fields of an entry. */
static inline uint32_t etm_chart_insn_place(uint32_t insn, bool cycles)
{
    return cycles ? insn >> ETM_CHART_PLACE : insn & (ETM_CHART_FAILED - 1);
}

/* 1 or 0 */
static inline uint32_t etm_chart_insn_failed(uint32_t insn)
{
    return insn / ETM_CHART_FAILED & 1;
}

/* Cycles up to and including it; only if cycles are counted. */
static inline uint32_t
etm_chart_insn_cycles(const struct etm_etmv3_chart *chart, uint32_t insn)
{
    return chart->before[insn >> ETM_CHART_PLACE] +
           (insn & (ETM_CHART_FAILED - 1));
}

/* The same by the number of the instruction. */
static inline uint32_t etm_chart_place(const struct etm_etmv3_chart *chart,
                                       uint32_t i, bool cycles)
{
    return etm_chart_insn_place(etm_chart_insn(chart, i, cycles), cycles);
}

static inline uint32_t etm_chart_failed(const struct etm_etmv3_chart *chart,
                                        uint32_t i, bool cycles)
{
    return etm_chart_insn_failed(etm_chart_insn(chart, i, cycles));
}

static inline uint32_t etm_chart_cycles(const struct etm_etmv3_chart *chart,
                                        uint32_t i)
{
    return etm_chart_insn_cycles(chart, etm_chart_insn(chart, i, true));
}

/* A branch packet that was taken, with an exception exit before it and
 * timestamps next to it. */
struct etm_etmv3_taken {
    const uint8_t *from, *to;
};

/* The facts in the links of a step: whether it ends in an indirect branch, and
 * above that its number of instructions. */
#define ETM_ETMV3_FACTS_INDIRECT 1u
#define ETM_ETMV3_FACTS_N 1u
#define ETM_ETMV3_MOST (UINT16_MAX >> ETM_ETMV3_FACTS_N)

static inline uint32_t etm_etmv3_step_n(uint64_t links)
{
    return (uint32_t)(links >> (ETM_LINK_FACTS + ETM_ETMV3_FACTS_N));
}

static inline bool etm_etmv3_step_indirect(uint64_t links)
{
    return (etm_link_facts(links) & ETM_ETMV3_FACTS_INDIRECT) != 0;
}

/* The facts of a step that cannot be filled because there is no code, or too
 * much of it: no chart has that many instructions, so none gets to its end. */
#define ETM_ETMV3_DEAD_END (ETM_ETMV3_MOST << ETM_ETMV3_FACTS_N)

/* Whether a step with these links leads on. */
static inline bool etm_etmv3_leads(uint64_t links)
{
    const uint64_t least = UINT64_C(1) << ETM_LINK_FACTS;

    return links - least < ETM_ETMV3_DEAD_END * least - least;
}

static inline bool etm_etmv3_is_dead_end(const struct etm_blocks *blocks,
                                         uint32_t step)
{
    return *etm_blocks_links(blocks, step) == (uint64_t)ETM_ETMV3_DEAD_END
                                                  << ETM_LINK_FACTS;
}

/* The state of the walk. */
struct etm_etmv3_walk {
    uint32_t at;     /* number of the step at the position */
    uint32_t index;  /* of the next instruction in that step */
    uint32_t last;   /* the last step that was completed; 0: none yet */
    uint32_t failed; /* 1: its last instruction failed */
    bool begun;      /* the range at the position has begun */
    bool whole;      /* if not begun: it will be that of a whole step */
    bool counted;    /* the last one was counted, not given */
    bool stands;     /* it is at a dead end */
    bool rewound;    /* the flow is where the range at the position began,
                        although that was before `bytes` of the terms */
    uint32_t insns;  /* instructions so far */
    uint64_t cycles; /* since the last range */
    uint64_t open;   /* offset of the first packet of the range, if begun */
    uint64_t last_cycles, last_open; /* of the last range */
    const uint8_t *p;
    struct etm_etmv3_taken branch, before; /* the last two branch packets */
    struct etm_element *e;                 /* the next element */
    uint8_t head[ETM_FAST_HEAD_SIZE];
};

/* What stays the same during a walk, except for `bytes` and `start`: at a
 * restart the walk begins again after the I-sync. */
struct etm_etmv3_terms {
    const uint8_t *bytes, *end;           /* no packet begins after `end` */
    uint64_t start;                       /* offset of `bytes` */
    size_t most;                          /* bytes of a chart */
    bool counts;                          /* cycles */
    const struct etm_address_form *forms; /* of branch packets, by their
                                           encoding (etmv3_address.h) */
    /* Of the information byte of an I-sync: the bits that describe the state,
     * and their values if the state does not change. Bit 0, which is always 1
     * (7.11.2), is set in `same`; so if no restart may be in a chart, `state`
     * is 0 and no byte matches. */
    uint8_t state, same;
};

/* This many bytes follow the end: what may be read of a packet that begins
 * before it, without checking where it ends. */
#define ETM_ETMV3_WINDOW 8u

/* Back over P-headers without an instruction. */
static inline const uint8_t *etm_etmv3_back(const uint32_t *quick,
                                            const uint8_t *bytes,
                                            const uint8_t *p, uint64_t *cycles)
{
    for (; p != bytes && etm_quick_no_insn(quick[p[-1]]); p--)
        *cycles += etm_quick_before(quick[p[-1]]);
    return p;
}

/*
 * The information byte of the I-sync at `p`, which its address follows, and its
 * gap; NULL if it is no restart: ARM or Thumb code, no load or store in
 * progress, and nothing but the position changes (7.7.3).
 */
static inline const uint8_t *
etm_etmv3_restart_info(const struct etm_etmv3_flow *flow,
                       const struct etm_etmv3_terms *t, const uint8_t *p,
                       uint32_t *gap)
{
    const unsigned bytes = flow->config.context_id_bytes;
    uint32_t id;
    unsigned n = 0;

    p++;
    *gap = 0;
    if (t->counts) {
        do
            *gap |= (*p & 0x7Fu) << 7 * n++;
        while ((*p++ & ETM_ETMV3_MORE) != 0 && n < 5);
    }
    id = etm_address_four(p) & (uint32_t)((UINT64_C(1) << 8 * bytes) - 1);
    p += bytes;
    if ((*p & t->state) != t->same || (*p & 0x60) == 0 || (p[1] & 3) == 2 ||
        (bytes != 0 && flow->base.context_id != id))
        return NULL;
    return p;
}

/* etmv3_chart.c */

/* Make a chart of the bytes at `p`. Returns the byte after it; that is `p` if
 * anything but P-headers and possible marks comes first. */
const uint8_t *etm_etmv3_chart(const struct etm_etmv3_flow *flow,
                               const struct etm_etmv3_terms *t,
                               const uint8_t *p, struct etm_etmv3_chart *chart);

struct etm_etmv3_target; /* etmv3_address.h */

/*
 * The address, instruction set and gap of a restart. Returns its size, or 0 if
 * the I-sync is none.
 */
unsigned etm_etmv3_parse_restart(const struct etm_etmv3_flow *flow,
                                 const struct etm_etmv3_terms *t,
                                 const uint8_t *p,
                                 struct etm_etmv3_target *target,
                                 struct etm_etmv3_mark *mark);

/* etmv3_bundles.c */

enum etm_etmv3_bundled {
    ETM_BUNDLES_NONE, /* not to be tried now */
    ETM_BUNDLES_SOON, /* stopped; may be tried again a little further on */
    ETM_BUNDLES_LOST  /* after an indirect branch whose target is not known:
                         w->at is 0 */
};

/*
 * If executions are counted, walk by bundles as long as nothing comes but
 * P-headers, targets of indirect branches within one instruction set, restarts,
 * and what etm_etmv3_skim() takes. Elements are given up to `enough`.
 */
enum etm_etmv3_bundled etm_etmv3_run_bundles(struct etm_etmv3_flow *flow,
                                             const struct etm_etmv3_decoder *d,
                                             struct etm_etmv3_walk *w,
                                             struct etm_etmv3_terms *t,
                                             const struct etm_element *enough);

/* etmv3_aside.c, for that loop */

/* The number of the bundle of these headers at a place, if it is not in its
 * slot: it is in the other slot of the pair, or is made in the slot whose
 * bundle was used less. ETM_HEADER_BUNDLES if it is not known where they lead.
 */
uint32_t etm_etmv3_find_bundle(struct etm_etmv3_flow *flow, uint64_t headers,
                               uint32_t place, uint32_t slot);

/* The place at an address (without its low bits, as in etmv3_address.h) that
 * the table of targets does not have: it is added there. 0 if it does not lead
 * on. */
uint32_t etm_etmv3_find_target(struct etm_etmv3_flow *flow, uint32_t address);

/* The same for any address. */
uint32_t etm_etmv3_place_at(struct etm_etmv3_flow *flow, uint32_t address);

/* Where a restart leads. This fits into two registers. */
struct etm_etmv3_restart {
    uint32_t place;   /* 0: there is none that the loop can pass */
    uint32_t address; /* as in etmv3_address.h */
    const uint8_t *p; /* the byte after it */
};

/*
 * Look at the restart at `p`, between two steps, within one instruction set, if
 * nobody needs its elements. It may follow what etm_etmv3_skip_silent() skips,
 * and, if `jump`, the target of an indirect branch, where nothing was traced.
 * *sync becomes the place of the I-sync; the flow does not know of it yet.
 */
struct etm_etmv3_restart
etm_etmv3_peek_restart(struct etm_etmv3_flow *flow,
                       const struct etm_etmv3_decoder *d,
                       const struct etm_etmv3_terms *t, const uint8_t *p,
                       bool jump, const uint8_t **sync);

/* Take the restart at `p`, between two steps: go on after it at step `to`; 0:
 * it is not known yet. False, with nothing done, if it is another I-sync or
 * another packet. */
bool etm_etmv3_take_restart(struct etm_etmv3_flow *flow,
                            struct etm_etmv3_walk *w, struct etm_etmv3_terms *t,
                            const uint8_t *p, uint32_t to);

/* The walk has come to w->p, and to that place in the program, by bundles from
 * the byte at `from` on. `last`: as in a bundle. */
void etm_etmv3_leave_bundles(const struct etm_etmv3_flow *flow,
                             struct etm_etmv3_walk *w,
                             const struct etm_etmv3_terms *t,
                             const uint8_t *from, uint32_t place,
                             uint32_t last);

/* etmv3_pause.c, for that loop */

/* Skip exception exits, timestamps and W atoms at `p`, between two steps, which
 * nobody needs. Returns the next byte. */
const uint8_t *etm_etmv3_skip_silent(struct etm_etmv3_flow *flow,
                                     const struct etm_etmv3_decoder *d,
                                     const struct etm_etmv3_terms *t,
                                     const uint8_t *p);

/* The place at the target of an indirect branch, after packets that nobody
 * needs at *p, if an instruction is certain to follow; and *address, which was
 * that before. Sets *p to the byte after it. 0, with nothing set, if something
 * else comes. */
uint32_t etm_etmv3_pass_jump(struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_decoder *d,
                             const struct etm_etmv3_terms *t, const uint8_t **p,
                             uint32_t *address);

/* A pause between two instructions that the loop passed and the flow does not
 * know of yet. */
struct etm_etmv3_pause {
    const uint8_t *p; /* the byte after it; NULL: none */
    uint32_t place;   /* where the walk goes on */
    uint8_t exec;     /* enum etm_tri of the instruction before, if that is in
                         the same range */
};

/*
 * Pass timestamps, A-syncs and a periodic I-sync at `p`, if nobody needs their
 * elements, and an instruction is certain to follow. A timestamp ends a range:
 * in the middle of a step this is given, and the walk goes on at the step that
 * begins there. The instruction before is looked for in the bytes from `from`
 * on. pause->place is the place before, and all of *pause is set; *base is the
 * address broadcast last, as in etmv3_address.h. False, with nothing given, if
 * something else comes, or no instruction came before.
 */
bool etm_etmv3_pass_pause(struct etm_etmv3_flow *flow,
                          const struct etm_etmv3_decoder *d,
                          struct etm_etmv3_walk *w,
                          const struct etm_etmv3_terms *t, const uint8_t *from,
                          const uint8_t *p, struct etm_etmv3_pause *pause,
                          uint32_t *base);

/* Tell the flow of the last one: nothing before it can be taken back. */
void etm_etmv3_leave_pause(struct etm_etmv3_flow *flow,
                           struct etm_etmv3_walk *w, struct etm_etmv3_terms *t,
                           const struct etm_etmv3_pause *pause);

/* etmv3_skim.c */

#define ETM_SKIM_MOST 6u /* elements */

/*
 * The walk has stopped. If nothing comes but timestamps, A-syncs, periodic
 * I-syncs, exceptions, their exits and targets of indirect branches, and then
 * an instruction or a restart: give their elements and continue there; run()
 * must follow. Otherwise false, with nothing given.
 */
bool etm_etmv3_skim(struct etm_etmv3_flow *flow,
                    const struct etm_etmv3_decoder *d, struct etm_etmv3_walk *w,
                    struct etm_etmv3_terms *t);

/* The size of the A-sync at `p`; 0 if it is none. */
unsigned etm_etmv3_a_sync(const uint8_t *p);

/* The periodic I-sync at `p` changes nothing if it names the position: returns
 * its size and what it broadcasts; 0: it may change more. */
unsigned etm_etmv3_same_sync(const struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_decoder *d,
                             const uint8_t *p, struct etm_broadcast *base);

/* Skip the timestamp at `p`, whose element nobody needs. Returns its size; 0:
 * not all bits of it may be known. It may be taken again. */
unsigned etm_etmv3_skip_time(struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_decoder *d,
                             const uint8_t *p);

/* etmv3_step.c */

/* Fill an empty step, or find that it is a dead end. False when out of memory,
 * see f->status. */
bool etm_etmv3_fill(struct etm_follow *f, uint32_t step);

/* The same for any step. */
static inline bool etm_etmv3_is_known(struct etm_follow *f, uint32_t step)
{
    return *etm_blocks_links(&f->blocks, step) != 0 || etm_etmv3_fill(f, step);
}

/* etm_blocks_guess() with less work: if both places might have the block, which
 * happens one time in 256, it may return the wrong one. */
static inline uint32_t etm_etmv3_guess(const uint32_t *table, size_t mask,
                                       uint64_t hash)
{
    uint32_t tag = etm_blocks_tag(hash);
    uint32_t a = table[hash & mask] ^ tag, b = table[(hash + 1) & mask] ^ tag;
    uint32_t least = a < b ? a : b;

    return least <= ETM_BLOCK_NUMBER ? least : 0;
}

/* Look up where the marks of a chart lead. */
void etm_etmv3_find_targets(const struct etm_etmv3_flow *flow,
                            struct etm_etmv3_chart *chart);

/* The block of instruction *index of a step; *index becomes the index in that
 * block, and *before the block before it in the step, if there is one. */
struct etm_block *etm_etmv3_step_block(const struct etm_blocks *blocks,
                                       uint32_t at, uint32_t *index,
                                       const struct etm_block **before);

/* The step that a mark leads to. 0 when out of memory, see f->status. */
uint32_t etm_etmv3_step_of(struct etm_follow *f,
                           const struct etm_etmv3_mark *mark);

/*
 * The step after step `at`, which has no link to it; 0 if the plain path must
 * continue. `mark` is the branch packet that comes there, or NULL; an indirect
 * branch takes it. May move the steps.
 */
uint32_t etm_etmv3_resolve(struct etm_etmv3_flow *flow, uint32_t at,
                           bool passed, const struct etm_etmv3_mark *mark);

/* Whether a branch packet after a direct branch names step `at`, to which that
 * branch led anyway. */
bool etm_etmv3_broadcast(struct etm_etmv3_flow *flow, uint32_t at,
                         const struct etm_etmv3_mark *mark);

/* etmv3_arrive.c */

/* Add an element that is all zeros, except for `kind`, source and offset. */
struct etm_element *etm_etmv3_add(const struct etm_follow *f,
                                  struct etm_etmv3_walk *w,
                                  enum etm_element_kind kind, uint64_t offset);

/* Leave the flow as its plain path would have. */
void etm_etmv3_arrive(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                      const struct etm_etmv3_terms *t, bool lost);

/*
 * The same in the middle of a step or between two, as far as it matters if an
 * instruction is certain to follow; a new walk begins there. An open range is
 * closed if `closes`. False, with nothing done, if no instruction was walked.
 */
bool etm_etmv3_cut(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                   const struct etm_etmv3_terms *t, bool closes);

/* At the level of coverage: the ranges of the walk so far, all of whole steps
 * but for the first, are final. */
void etm_etmv3_settle(struct etm_etmv3_flow *flow,
                      const struct etm_etmv3_walk *w);

/* The same as etm_etmv3_cut() at the restart at `offset`, `w_atoms` cycles
 * after the last range: nothing that was walked can be taken back. A new walk
 * begins, except for w->at. */
void etm_etmv3_arrive_at_restart(struct etm_etmv3_flow *flow,
                                 struct etm_etmv3_walk *w,
                                 const struct etm_etmv3_mark *sync,
                                 unsigned reason, uint64_t offset,
                                 uint64_t w_atoms);

#endif
