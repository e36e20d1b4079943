/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of ETMv3's fast way: the flow as its own way would have left it. What
 * the last instruction was is found by reading the bytes backwards: a P-header
 * has bit [7] set, and the last byte of a branch packet as it is taken here has
 * not.
 */
#include "flow/etmv3_sync.h"
#include "flow/etmv3_walk.h"

/* The last instruction of the way. */
struct final {
    bool any;             /* there is one */
    bool targeted;        /* a branch packet followed it */
    uint8_t exec, before; /* enum etm_tri, and of the one before it */
    uint64_t waits;       /* cycles since */
    uint64_t cycles;      /* its own */
};

static struct final look_back(const struct etm_etmv3_flow *flow,
                              const struct etm_etmv3_walk *w,
                              const uint8_t *bytes)
{
    const struct etm_follow *f = &flow->follow;
    struct final last = {.before = f->open_exec};
    const uint32_t *quick = flow->quick;
    const uint8_t *p = etm_etmv3_back(quick, bytes, w->p, &last.waits);
    struct etm_etmv3_taken branch = w->branch;
    uint32_t q;

    if (p == bytes)
        return last;
    last.any = true;
    last.targeted = p == branch.to;
    if (last.targeted) {
        p = etm_etmv3_back(quick, bytes, branch.from, &last.waits);
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
        last.cycles = (q >> ETM_QUICK_BEFORE) + etm_quick_each(q);
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

/* No range is open: the last one can be taken back, and the position is at the
 * beginning of a step, or where the last one leads if that has none. */
static void arrive_between(struct etm_etmv3_flow *flow,
                           const struct etm_etmv3_walk *w, bool lost,
                           uint64_t offset)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_element *e = w->e - 1;
    uint32_t index = w->steps[w->last].n - 1;
    struct etm_block *block =
        etm_etmv3_step_block(&f->blocks, w->last, &index, &f->before_block);

    f->has_open = false;
    f->open_start = e->u.range.start;
    f->open_n = e->u.range.n;
    f->open_cycles = f->cycle_accurate ? e->u.range.cycles : 0;
    f->open_offset = e->offset;
    f->last_block = flow->last_block = block;
    f->last_index = flow->last_index = index;
    flow->index = 0;
    f->address = block->address;
    if (lost) {
        etm_etmv3_flow_leave(flow, block, etm_etmv3_passed(w), offset);
        return;
    }
    if (etm_etmv3_passed(w))
        flow->last |= block->end_kind == ETM_BLOCK_INDIRECT ? ETM_LAST_INDIRECT
                                                            : ETM_LAST_DIRECT;
    f->block = etm_blocks_of_step(&f->blocks, w->at);
    f->address = w->steps[w->at].start;
}

/* In the middle of a step; `ended` if its range began on the way. */
static void arrive_within(struct etm_etmv3_flow *flow,
                          const struct etm_etmv3_walk *w, bool began,
                          uint64_t offset, uint64_t waits)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_block *before = NULL;
    uint32_t index = w->index - 1;

    if (began) {
        f->open_start = w->steps[w->at].start;
        f->open_n = w->index;
        f->open_offset = offset;
    } else {
        f->open_n += w->index - flow->index;
    }
    f->has_open = true;
    f->open_cycles = w->cycles - waits;
    f->last_block = flow->last_block =
        etm_etmv3_step_block(&f->blocks, w->at, &index, &f->before_block);
    f->last_index = flow->last_index = index;
    index = w->index;
    f->block = etm_etmv3_step_block(&f->blocks, w->at, &index, &before);
    f->address = f->block->address;
    flow->index = index;
}

void etm_etmv3_arrive(struct etm_etmv3_flow *flow,
                      const struct etm_etmv3_walk *w,
                      const struct etm_etmv3_terms *t, bool lost)
{
    struct etm_follow *f = &flow->follow;
    struct etm_element *elements = f->out->data, *first = elements + f->out->n;
    struct final last = look_back(flow, w, t->bytes);
    bool began = w->e != first || flow->index == 0;

    if (!last.any) {
        f->cycles += last.waits;
        return;
    }
    if (w->e != first && flow->index != 0) { /* it was open before */
        first->offset = f->open_offset;
        first->u.range.start = f->open_start;
        first->u.range.n += f->open_n - flow->index;
    }
    f->out->n = (size_t)(w->e - elements);
    f->held = f->out->n - (w->index == 0);
    f->open_exec = last.exec;
    f->before_exec = last.before;
    f->cycles = last.waits;
    flow->last = ETM_LAST_VALID | (last.targeted ? ETM_LAST_TARGETED : 0u);
    flow->last_cycles = last.cycles;
    if (w->index == 0)
        arrive_between(flow, w, lost,
                       t->start + (uint64_t)(w->p - t->bytes) - 1);
    else
        arrive_within(flow, w, began, t->start + (uint64_t)(w->open - t->bytes),
                      last.waits);
}
