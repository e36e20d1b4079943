/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the fast path of ETMv3 share: etmv3_fast.c, etmv3_chart.c,
 * etmv3_bundles.c, etmv3_aside.c, etmv3_skim.c, etmv3_step.c and
 * etmv3_arrive.c. */
#ifndef ETM_FLOW_ETMV3_WALK_H
#define ETM_FLOW_ETMV3_WALK_H

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
 * ETM_QUICK_NO_RUN; each: a W atom before each of them; failed: the last atom
 * is N; two: an N atom, then another that `failed` tells of; branch: a branch
 * packet; sync: an I-sync, as it is where tracing begins anew.
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

/* Waits for an instruction, and has none. */
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
 * a byte for each: the place of its P-header, in bytes from the chart's
 * beginning, and whether it failed. If cycles are counted `timed` has twice as
 * much: the cycles of its header up to and with it too; and `before` those up
 * to each header.
 *
 *       7    6   0        15     8   7    6    0
 *     failed place          place  failed cycles
 */
#define ETM_CHART_FAILED 0x80u
#define ETM_CHART_PLACE 8u   /* in `timed` */
#define ETM_CHART_BYTES 128u /* and waits and marks behind them */
#define ETM_CHART_BYTES_CYCLES 256u
#define ETM_CHART_INSNS (ETM_CHART_BYTES * ETM_ETMV3_ATOMS)
#define ETM_CHART_MARKS 64u

/* The instructions of a header that no chart has. */
#define ETM_CHART_NOT_HERE (UINT64_C(1) << 63)

static_assert(ETM_CHART_BYTES <= ETM_CHART_FAILED, "a place has seven bits");
static_assert(ETM_CHART_BYTES_CYCLES <= UINT8_MAX + 1, "or eight");
static_assert(ETM_ETMV3_ATOMS == 2 * ETM_ETMV3_ATOMS_CYCLES &&
                  ETM_CHART_BYTES_CYCLES == 2 * ETM_CHART_BYTES,
              "the instructions of a header are two pieces, or half as many");

static_assert(sizeof(struct etm_etmv3_share) == 32, "found by a shift");

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
 * A branch packet, an I-sync with which tracing begins anew and nothing but the
 * position changes, or the end (`size` is 0).
 */
struct etm_etmv3_mark {
    uint32_t at;      /* instructions before it */
    uint32_t cycles;  /* the same */
    uint32_t address; /* if all branch packets before it were taken */
    uint32_t step;    /* there, or 0: not looked up */
    uint32_t gap;     /* cycle count of an I-sync */
    uint16_t place;   /* in bytes from the chart's beginning */
    uint8_t size;     /* bytes */
    uint8_t isa;      /* enum etm_isa: there, as the address; and
                         ETM_MARK_SYNC: no branch goes there */
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

/* It was taken. */
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

/* What it has of instruction i; `cycles` are counted. */
static inline uint32_t etm_chart_insn(const struct etm_etmv3_chart *chart,
                                      uint32_t i, bool cycles)
{
    return cycles ? chart->all.timed[i] : chart->all.insns[i];
}

/* What that says of it. */
static inline uint32_t etm_chart_insn_place(uint32_t insn, bool cycles)
{
    return cycles ? insn >> ETM_CHART_PLACE : insn & (ETM_CHART_FAILED - 1);
}

/* 1 or 0 */
static inline uint32_t etm_chart_insn_failed(uint32_t insn)
{
    return insn / ETM_CHART_FAILED & 1;
}

/* Up to and with it; only if cycles are counted. */
static inline uint32_t
etm_chart_insn_cycles(const struct etm_etmv3_chart *chart, uint32_t insn)
{
    return chart->before[insn >> ETM_CHART_PLACE] +
           (insn & (ETM_CHART_FAILED - 1));
}

/* The same at once. */
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

/* A branch packet that was taken, and with that an exception exit before it and
 * timestamps beside it. */
struct etm_etmv3_taken {
    const uint8_t *from, *to;
};

/* What the links of a step know: whether it ends in an indirect branch, and
 * above that how many instructions it has. */
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

/* The facts of a step that cannot be filled, since there is no code or too much
 * of it: no chart has so many instructions, so that none gets to its end. */
#define ETM_ETMV3_DEAD_END (ETM_ETMV3_MOST << ETM_ETMV3_FACTS_N)

/* A step that leads on, by its links. */
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

/* What is in registers on the way. */
struct etm_etmv3_walk {
    uint32_t at;     /* number of the step at the position */
    uint32_t index;  /* of the next instruction in it */
    uint32_t last;   /* the last step that was ended; 0: none yet */
    uint32_t failed; /* 1: its last instruction */
    bool begun;      /* the range at the position */
    bool whole;      /* it is that of a whole step, if not begun */
    bool counted;    /* the last one was counted, not given */
    bool stands;     /* at a dead end */
    bool rewound;    /* the flow stands where the range at the position began,
                        though that was before `bytes` of the terms */
    uint32_t insns;  /* how many there were */
    uint64_t cycles; /* since the last range */
    uint64_t open;   /* offset of the first packet of the range, if begun */
    uint64_t last_cycles, last_open; /* of the last range */
    const uint8_t *p;
    struct etm_etmv3_taken branch, before; /* the last two branch packets */
    struct etm_element *e;                 /* the next element */
    uint8_t head[ETM_FAST_HEAD_SIZE];
};

/* What stays as it is on the way. Only `bytes` and `start` do not: the way
 * begins again behind an I-sync with which tracing begins anew. */
struct etm_etmv3_terms {
    const uint8_t *bytes, *end;         /* no packet begins behind `end` */
    uint64_t start;                     /* offset of `bytes` */
    size_t most;                        /* bytes of a chart */
    bool counts;                        /* cycles */
    const struct etm_etmv3_form *forms; /* of branch packets, by their
                                           encoding (etmv3_address.h) */
    /* Of the information byte of an I-sync: the bits that tell of the state,
     * and how they are where that does not change. Bit 0, which is always 1
     * (7.11.2), is one of `same`; so where no I-sync may be in a chart `state`
     * is 0, and none is the same. */
    uint8_t state, same;
};

/* So many bytes are there behind the end: what is read of a packet that begins
 * before it without a look at where that ends. */
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

/* etmv3_chart.c */

/* Chart what is at `p`; returns the byte behind it, which is `p` where
 * something else stands than P-headers and what can be a mark. */
const uint8_t *etm_etmv3_chart(const struct etm_etmv3_flow *flow,
                               const struct etm_etmv3_terms *t,
                               const uint8_t *p, struct etm_etmv3_chart *chart);

struct etm_etmv3_target; /* etmv3_address.h */

/*
 * An I-sync with which tracing begins anew, of ARM or Thumb code and without a
 * load or store in progress, and nothing but the position changes (7.7.3): its
 * address, instruction set and gap. Returns its size, or 0 if it is another.
 */
unsigned etm_etmv3_parse_restart(const struct etm_etmv3_flow *flow,
                                 const struct etm_etmv3_terms *t,
                                 const uint8_t *p,
                                 struct etm_etmv3_target *target,
                                 struct etm_etmv3_mark *mark);

/* etmv3_bundles.c */

enum etm_etmv3_bundled {
    ETM_BUNDLES_NONE, /* not to be tried now */
    ETM_BUNDLES_SOON, /* stopped; it may be tried again a little further on */
    ETM_BUNDLES_LOST  /* behind an indirect branch, of which nothing more is
                         known: w->at is 0 */
};

/*
 * Where executions are counted, go on by bundles as far as nothing comes but
 * P-headers, targets of indirect branches within one instruction set, and what
 * etm_etmv3_skim() takes; its elements as far as `enough`.
 */
enum etm_etmv3_bundled etm_etmv3_run_bundles(struct etm_etmv3_flow *flow,
                                             const struct etm_etmv3_decoder *d,
                                             struct etm_etmv3_walk *w,
                                             struct etm_etmv3_terms *t,
                                             const struct etm_element *enough);

/* etmv3_aside.c, for that loop: */

/* The number of the bundle of these headers at a place, which is not in the
 * slot that it has: it is in the other one of the pair, or is made in the place
 * of the one that was of less use. ETM_HEADER_BUNDLES where it is not known
 * where they lead. */
uint32_t etm_etmv3_find_bundle(struct etm_etmv3_flow *flow, uint64_t headers,
                               uint32_t place, uint32_t slot);

/* The address of a branch packet of five bytes, as in etmv3_address.h; false if
 * it is another, or does not stay in the instruction set. */
bool etm_etmv3_parse_branch5(const struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_terms *t, const uint8_t *p,
                             struct etm_etmv3_target *target);

/* The place at an address, as in etmv3_address.h, for which the table of
 * targets has none, and has one then; 0 if it does not lead on. */
uint32_t etm_etmv3_find_target(struct etm_etmv3_flow *flow, uint32_t address);

/* An I-sync that was passed in the loop, of which the flow does not know. */
struct etm_etmv3_restart {
    const uint8_t *sync; /* NULL: none */
    unsigned size;
    uint32_t address; /* as in etmv3_address.h */
    uint32_t place;
};

/*
 * The I-sync at `p`, between two steps, where nothing but the position changes
 * with it, the instruction set does not, and nobody is told; also behind
 * timestamps and exception exits, which may be read again if it is false: where
 * it is another, or something else stands there.
 */
bool etm_etmv3_peek_restart(struct etm_etmv3_flow *flow,
                            const struct etm_etmv3_decoder *d,
                            const struct etm_etmv3_terms *t, const uint8_t *p,
                            struct etm_etmv3_restart *restart);

/* Go on behind the I-sync at `p`, between two steps, where nothing but the
 * position changes with it, at step `to`; 0: it is not known yet. False, with
 * nothing done, where it is another, or something else stands there. */
bool etm_etmv3_take_restart(struct etm_etmv3_flow *flow,
                            struct etm_etmv3_walk *w, struct etm_etmv3_terms *t,
                            const uint8_t *p, uint32_t to);

/* The walk stands at w->p, and in that place of the program; it came there by
 * bundles from the byte at `from` on. `last`: as in a bundle. */
void etm_etmv3_leave_bundles(const struct etm_etmv3_flow *flow,
                             struct etm_etmv3_walk *w,
                             const struct etm_etmv3_terms *t,
                             const uint8_t *from, uint32_t place,
                             uint32_t last);

/* etmv3_skim.c */

#define ETM_SKIM_MOST 6u /* elements */

/*
 * The way has stopped. If nothing but timestamps, A-syncs, periodic I-syncs,
 * exceptions, their exits and targets of indirect branches stand there, and
 * behind them an instruction or an I-sync with which tracing begins anew: give
 * their elements and go on there, as run() has to then. False, with nothing
 * given, where it is not so.
 */
bool etm_etmv3_skim(struct etm_etmv3_flow *flow,
                    const struct etm_etmv3_decoder *d, struct etm_etmv3_walk *w,
                    struct etm_etmv3_terms *t);

/* The timestamp at `p`, of which nobody is told: its size. */
unsigned etm_etmv3_skip_time(struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_decoder *d,
                             const uint8_t *p);

/* etmv3_step.c */

/* Fill a step that was not yet, or find that it is a dead end; false when
 * memory is short, as f->status says. */
bool etm_etmv3_fill(struct etm_follow *f, uint32_t step);

/* The same of any step. */
static inline bool etm_etmv3_is_known(struct etm_follow *f, uint32_t step)
{
    return *etm_blocks_links(&f->blocks, step) != 0 || etm_etmv3_fill(f, step);
}

/* etm_blocks_guess() with less to do: where both places might have the block,
 * which is one time in 256, it may name the other one. */
static inline uint32_t etm_etmv3_guess(const uint32_t *table, size_t mask,
                                       uint64_t hash)
{
    uint32_t tag = etm_blocks_tag(hash);
    uint32_t a = table[hash & mask] ^ tag, b = table[(hash + 1) & mask] ^ tag;
    uint32_t least = a < b ? a : b;

    return least <= ETM_BLOCK_NUMBER ? least : 0;
}

/* Look up where the marks of a chart lead to. */
void etm_etmv3_find_targets(const struct etm_etmv3_flow *flow,
                            struct etm_etmv3_chart *chart);

/* The block of instruction *index of a step, which becomes its index there;
 * *before is the one before it in the step, or as it was. */
struct etm_block *etm_etmv3_step_block(const struct etm_blocks *blocks,
                                       uint32_t at, uint32_t *index,
                                       const struct etm_block **before);

/* The step that a mark leads to; 0 when memory is short, as f->status says. */
uint32_t etm_etmv3_step_of(struct etm_follow *f,
                           const struct etm_etmv3_mark *mark);

/*
 * The step behind step `at`, which has no link to it; 0 where the flow's own
 * way has to go on. `mark` is the branch packet that stands there, or NULL; an
 * indirect branch takes it. May move the steps.
 */
uint32_t etm_etmv3_resolve(struct etm_etmv3_flow *flow, uint32_t at,
                           bool passed, const struct etm_etmv3_mark *mark);

/* Whether a branch packet behind a direct branch goes where step `at` is, which
 * that branch led to anyway. */
bool etm_etmv3_broadcast(struct etm_etmv3_flow *flow, uint32_t at,
                         const struct etm_etmv3_mark *mark);

/* etmv3_arrive.c */

/* The next element, of which `kind` is all but zeros so far. */
struct etm_element *etm_etmv3_add(const struct etm_follow *f,
                                  struct etm_etmv3_walk *w,
                                  enum etm_element_kind kind, uint64_t offset);

/* Leave the flow as its own way would have. */
void etm_etmv3_arrive(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                      const struct etm_etmv3_terms *t, bool lost);

/*
 * The same in the middle of a step or between two, as far as has to be known
 * where an instruction follows for certain; and the way begins there. A range
 * that is open is closed, if it `closes`. False, with nothing done, where no
 * instruction was walked.
 */
bool etm_etmv3_cut(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                   const struct etm_etmv3_terms *t, bool closes);

/* The same where tracing begins anew with the I-sync at `offset`, `waits`
 * cycles behind the last range: nothing that was walked can be taken back. The
 * way begins again, but for w->at. */
void etm_etmv3_arrive_at_restart(struct etm_etmv3_flow *flow,
                                 struct etm_etmv3_walk *w,
                                 const struct etm_etmv3_mark *sync,
                                 unsigned reason, uint64_t offset,
                                 uint64_t w_atoms);

#endif
