/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the ETMv3 fast path: the flow is left as its plain path would have
 * left it. The last instruction is found by reading the bytes backwards: a
 * P-header has bit [7] set, and the last byte of a branch packet, as far as
 * these are taken here, does not.
 */
#include "flow/etmv3_sync.h"
#include "flow/etmv3_walk.h"

/* The last instruction of the walk. */
struct final {
    bool any;             /* there is one */
    bool targeted;        /* a branch packet followed it */
    uint8_t exec, before; /* enum etm_tri, and of the one before it */
    uint64_t w_atoms;     /* cycles since */
    uint64_t cycles;      /* its own */
};

static struct final look_back(const struct etm_etmv3_flow *flow,
                              const struct etm_etmv3_walk *w,
                              const uint8_t *bytes)
{
    const struct etm_follow *f = &flow->follow;
    struct final last = {.before = f->open_exec};
    const uint32_t *quick = flow->quick;
    const uint8_t *p = etm_etmv3_back(quick, bytes, w->p, &last.w_atoms);
    struct etm_etmv3_taken branch = w->branch;
    uint32_t q;

    if (p == bytes)
        return last;
    last.any = true;
    last.targeted = p == branch.to;
    if (last.targeted) {
        p = etm_etmv3_back(quick, bytes, branch.from, &last.w_atoms);
        branch = w->before;
    }
    q = quick[*--p];
    last.exec = etm_quick_exec(q);
    if (etm_quick_count(q) == ETM_QUICK_NO_RUN) { /* two */
        last.before = ETM_FALSE;
    } else if (etm_quick_count(q) > 1) {
        last.before = ETM_TRUE;
        last.cycles = etm_quick_each(q);
    } else {
        last.cycles = etm_quick_before(q) + etm_quick_each(q);
        p = etm_etmv3_back(quick, bytes, p, &last.cycles);
        if (p == branch.to)
            p = etm_etmv3_back(quick, bytes, branch.from, &last.cycles);
        if (p == bytes)
            last.cycles += f->cycles;
        else
            last.before = etm_quick_exec(quick[p[-1]]);
    }
    return last;
}

/* The position is the beginning of a step, or, if it is not known where the
 * last step leads, the end of `block`, its last one. */
static void stand_between(struct etm_etmv3_flow *flow,
                          const struct etm_etmv3_walk *w,
                          struct etm_block *block, bool lost, uint64_t offset)
{
    struct etm_follow *f = &flow->follow;

    f->has_open = false;
    flow->at.index = 0;
    f->address = block->address;
    if (lost) {
        etm_position_leave(&flow->at, f, block, !w->failed, offset);
        return;
    }
    if (!w->failed)
        flow->at.last |= block->end_kind == ETM_BLOCK_INDIRECT
                             ? ETM_LAST_INDIRECT
                             : ETM_LAST_DIRECT;
    f->block = etm_blocks_of_step(&f->blocks, w->at);
    f->address = f->block->address;
}

/* A walk leaves no block before its end. */
static void whole_before(struct etm_follow *f)
{
    if (f->before_block != NULL && f->before_block->n != 0)
        f->before_index = f->before_block->n - 1u;
}

/* No range is open: the last range, which is the last element, can be taken
 * back. */
static void range_between(struct etm_etmv3_flow *flow,
                          const struct etm_etmv3_walk *w, bool lost,
                          uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_step *steps = f->blocks.steps.data;
    const struct etm_element *e = w->e - 1;
    uint32_t index = steps[w->last].n - 1;
    struct etm_block *block =
        etm_etmv3_step_block(&f->blocks, w->last, &index, &f->before_block);

    whole_before(f);
    f->open_start = e->u.range.start;
    f->open_n = e->u.range.n;
    f->open_cycles = f->cycle_accurate ? e->u.range.cycles : 0;
    f->open_offset = e->offset;
    f->last_block = flow->at.last_block = block;
    f->last_index = flow->at.last_index = index;
    stand_between(flow, w, block, lost, offset);
}

/* In the middle of a step. */
static void stand_within(struct etm_etmv3_flow *flow,
                         const struct etm_etmv3_walk *w)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_block *before = NULL;
    uint32_t index = w->index;

    f->block = etm_etmv3_step_block(&f->blocks, w->at, &index, &before);
    f->address = f->block->address;
    flow->at.index = index;
}

/* And in the middle of a range. */
static void range_within(struct etm_etmv3_flow *flow,
                         const struct etm_etmv3_walk *w, uint64_t w_atoms)
{
    struct etm_follow *f = &flow->follow;
    uint32_t index = w->index - 1;

    if (w->last != 0) { /* it began during the walk, */
        f->open_start = etm_blocks_of_step(&f->blocks, w->at)->address;
        f->open_n = w->index;
        f->open_offset = w->open;
    } else if (!f->has_open) { /* or did so in the middle of its step, */
        f->open_start = etm_block_address(etm_blocks_of_step(&f->blocks, w->at),
                                          flow->at.index);
        f->open_n = w->index - flow->at.index;
        f->open_offset = w->open;
    } else { /* or before */
        f->open_n += w->index - flow->at.index;
    }
    f->has_open = true;
    f->open_cycles = f->cycle_accurate ? w->cycles - w_atoms : 0;
    f->last_block = flow->at.last_block =
        etm_etmv3_step_block(&f->blocks, w->at, &index, &f->before_block);
    whole_before(f);
    f->last_index = flow->at.last_index = index;
    stand_within(flow, w);
}

/* Correct the first range if it does not begin with its step. */
static void mend_first(const struct etm_etmv3_flow *flow,
                       struct etm_element *first)
{
    const struct etm_follow *f = &flow->follow;

    first->u.range.n -= flow->at.index;
    if (f->has_open) { /* it was open before */
        first->offset = f->open_offset;
        first->u.range.start = f->open_start;
        first->u.range.n += f->open_n;
    } else {
        first->u.range.start = etm_block_address(f->block, flow->at.index);
    }
}

/* That, if the walk has given it. */
static void settle_first(const struct etm_etmv3_flow *flow,
                         const struct etm_etmv3_walk *w)
{
    const struct etm_vec *out = flow->follow.out;

    if (w->last != 0 && flow->at.index != 0)
        mend_first(flow, (struct etm_element *)out->data + out->n);
}

static void arrive_ranges(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                          const struct final *last, bool lost, uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    struct etm_element *elements = f->out->data;

    if (w->index == 0 && w->counted) { /* it may be taken back, so it becomes an
                                          element */
        etm_fast_uncount(&f->blocks, w->last, w->failed);
        if (f->cycle_accurate)
            f->counted_cycles -= w->last_cycles;
        etm_fast_give(w->e++, w->head,
                      (const struct etm_step *)f->blocks.steps.data + w->last,
                      w->failed ^ 1u, w->last_open, w->last_cycles);
    }
    settle_first(flow, w);
    f->out->n = (size_t)(w->e - elements);
    f->held = f->out->n - (w->index == 0);
    f->open_exec = last->exec;
    f->before_exec = last->before;
    if (w->index == 0)
        range_between(flow, w, lost, offset);
    else
        range_within(flow, w, last->w_atoms);
}

static void arrive_insns(struct etm_etmv3_flow *flow,
                         const struct etm_etmv3_walk *w, bool lost,
                         uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_step *steps = f->blocks.steps.data;
    bool between = w->index == 0;
    uint32_t index = (between ? steps[w->last].n : w->index) - 1;
    const struct etm_block *before = NULL;
    struct etm_block *block = etm_etmv3_step_block(
        &f->blocks, between ? w->last : w->at, &index, &before);

    f->out->n = (size_t)(w->e - (struct etm_element *)f->out->data);
    f->held = f->out->n - 1;
    flow->at.last_block = block;
    flow->at.last_index = index;
    if (between)
        stand_between(flow, w, block, lost, offset);
    else
        stand_within(flow, w);
}

void etm_etmv3_arrive(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                      const struct etm_etmv3_terms *t, bool lost)
{
    struct etm_follow *f = &flow->follow;
    uint64_t offset = t->start + (uint64_t)(w->p - t->bytes) - 1;
    struct final last = look_back(flow, w, t->bytes);
    bool first = (flow->at.last & ETM_LAST_NONE_YET) != 0 && w->insns == 1;

    if (!last.any) {
        f->cycles += last.w_atoms;
        if (w->rewound) /* out of memory where it was to continue */
            range_within(flow, w, f->cycles);
        return;
    }
    f->cycles = last.w_atoms;
    flow->at.last = ETM_LAST_VALID | (last.targeted ? ETM_LAST_TARGETED : 0u) |
                    (first ? ETM_LAST_FIRST : 0u);
    flow->at.last_cycles = last.cycles;
    if (f->level == ETM_LEVEL_INSTRUCTIONS)
        arrive_insns(flow, w, lost, offset);
    else
        arrive_ranges(flow, w, &last, lost, offset);
}

bool etm_etmv3_cut(struct etm_etmv3_flow *flow, struct etm_etmv3_walk *w,
                   const struct etm_etmv3_terms *t, bool closes)
{
    struct etm_follow *f = &flow->follow;
    struct etm_element *elements = f->out->data;
    const struct final last = look_back(flow, w, t->bytes);
    bool ranges = f->level != ETM_LEVEL_INSTRUCTIONS;

    if (!last.any)
        return false;
    if (ranges)
        settle_first(flow, w);
    f->out->n = (size_t)(w->e - elements);
    if (ranges) {
        f->open_exec = last.exec;
        f->before_exec = last.before;
    }
    w->rewound = f->blocks.headers != NULL && !closes && w->index != 0 &&
                 (w->last != 0 || w->whole);
    if (ranges && w->index != 0 && !w->rewound) {
        range_within(flow, w, last.w_atoms);
        if (closes)
            etm_follow_close(f);
    } else {
        f->has_open = false;
        f->block = etm_blocks_of_step(&f->blocks, w->at);
        flow->at.index = w->rewound ? 0 : w->index;
    }
    f->cycles = last.w_atoms;
    flow->at.last = 0;
    w->e = (struct etm_element *)f->out->data + f->out->n;
    w->last = w->failed = 0;
    w->counted = false;
    w->begun = f->has_open || w->rewound;
    w->whole = w->index == 0 || w->rewound;
    if (w->rewound)
        return true;
    w->open = f->open_offset;
    w->cycles = f->cycles + (f->has_open ? f->open_cycles : 0);
    return true;
}

void etm_etmv3_settle(struct etm_etmv3_flow *flow,
                      const struct etm_etmv3_walk *w)
{
    struct etm_follow *f = &flow->follow;

    settle_first(flow, w);
    f->out->n = (size_t)(w->e - (struct etm_element *)f->out->data);
    f->has_open = false;
    flow->at.index = 0;
}

struct etm_element *etm_etmv3_add(const struct etm_follow *f,
                                  struct etm_etmv3_walk *w,
                                  enum etm_element_kind kind, uint64_t offset)
{
    static const struct etm_element zero;
    struct etm_element *e = w->e++;

    *e = zero;
    e->kind = (uint8_t)kind;
    e->source = f->source;
    e->offset = offset;
    return e;
}

void etm_etmv3_arrive_at_restart(struct etm_etmv3_flow *flow,
                                 struct etm_etmv3_walk *w,
                                 const struct etm_etmv3_mark *sync,
                                 unsigned reason, uint64_t offset,
                                 uint64_t w_atoms)
{
    struct etm_follow *f = &flow->follow;
    struct etm_element *elements = f->out->data;
    uint64_t gap = w_atoms + sync->gap;
    const bool given = f->level != ETM_LEVEL_COVERAGE; /* nobody needs it */

    if (f->level != ETM_LEVEL_INSTRUCTIONS)
        settle_first(flow, w);
    if (given)
        etm_etmv3_add(f, w, ETM_ELEMENT_TRACE_ON, offset)->u.trace_on.reason =
            (uint8_t)etm_follow_began(reason);
    f->held = (size_t)(w->e - elements);
    if (f->cycle_accurate) {
        flow->gap_used = true; /* there was none here */
        if (sync->gap == 0 || !etm_gap_is_reliable(&flow->config, reason))
            gap = ETM_CYCLES_UNKNOWN;
        if (given)
            etm_etmv3_add(f, w, ETM_ELEMENT_CYCLES, offset)->u.cycles.n = gap;
        w_atoms = 0;
    }
    f->out->n = (size_t)(w->e - elements);
    f->has_open = false;
    f->cycles = w_atoms;
    etm_etmv3_flow_restart(flow, sync->address, etm_mark_isa(sync), offset);
    w->index = w->last = w->failed = 0;
    w->begun = w->counted = w->rewound = false;
    w->whole = true;
    w->cycles = w_atoms;
}
