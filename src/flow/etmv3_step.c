/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of the ETMv3 fast path: filling and linking them, and the branch
 * packets that lead from one to another. */
#include "flow/etmv3_fast.h"
#include "flow/etmv3_walk.h"

bool etm_etmv3_has_fast_path(const struct etm_config *config)
{
    return !config->thumb32_split && !config->data_only;
}

/* The facts of the step that begins with `first`; ETM_ETMV3_DEAD_END if it
 * leads nowhere, 0 when out of memory. */
static uint32_t make(struct etm_follow *f, struct etm_block *first)
{
    struct etm_blocks *blocks = &f->blocks;
    struct etm_block *block = first;
    uint32_t n = block->n;
    uint32_t most = blocks->rules.insns ? ETM_STEP_INSNS : ETM_ETMV3_MOST - 1;

    while (block != NULL && block->end_kind == ETM_BLOCK_FALL && n <= most) {
        block = etm_blocks_follow(blocks, block);
        if (block != NULL && etm_etmv3_is_dead_end(blocks, block->step))
            return ETM_ETMV3_DEAD_END;
        n += block != NULL ? block->n : 0u;
    }
    if (block == NULL)
        return 0;
    if (block->end_kind == ETM_BLOCK_NO_CODE || n > most)
        return ETM_ETMV3_DEAD_END;
    if (!etm_blocks_keep_insns(blocks, first)) /* there are not too many */
        return 0;
    etm_blocks_fill(blocks, first, block, n);
    n <<= ETM_ETMV3_FACTS_N;
    return block->end_kind == ETM_BLOCK_INDIRECT ? n | ETM_ETMV3_FACTS_INDIRECT
                                                 : n;
}

static bool fill(struct etm_follow *f, struct etm_block *first)
{
    uint32_t facts = make(f, first);

    if (facts == 0)
        f->status = ETM_ERR_MEMORY;
    *etm_blocks_links(&f->blocks, first->step) |= (uint64_t)facts
                                                  << ETM_LINK_FACTS;
    return facts != 0;
}

/* Many paths into a long straight line meet at the end of their first block: if
 * it is a dead end from there on, that is found only once. */
bool etm_etmv3_fill(struct etm_follow *f, uint32_t step)
{
    struct etm_block *first = etm_blocks_of_step(&f->blocks, step);
    struct etm_block *second;

    if (!fill(f, first))
        return false;
    second = first->next;
    return !etm_etmv3_is_dead_end(&f->blocks, step) ||
           first->end_kind != ETM_BLOCK_FALL ||
           *etm_blocks_links(&f->blocks, second->step) != 0 || fill(f, second);
}

struct etm_block *etm_etmv3_step_block(const struct etm_blocks *blocks,
                                       uint32_t at, uint32_t *index,
                                       const struct etm_block **before)
{
    struct etm_block *block = etm_blocks_of_step(blocks, at);

    while (*index >= block->n && block->end_kind == ETM_BLOCK_FALL) {
        *index -= block->n;
        *before = block;
        block = block->next;
    }
    return block;
}

static struct etm_block *last_block_of(const struct etm_blocks *blocks,
                                       uint32_t at)
{
    const struct etm_step *s = (const struct etm_step *)blocks->steps.data + at;
    const struct etm_block *before = NULL;
    uint32_t index = s->n - 1;

    return etm_etmv3_step_block(blocks, at, &index, &before);
}

/*
 * Find the steps that marks lead to, unless that takes a longer search. All at
 * once: they may be far away in memory, and nothing waits for them here. First
 * the entries of the table are read, then the steps: in each loop no load waits
 * for another.
 */
void etm_etmv3_find_targets(const struct etm_etmv3_flow *flow,
                            struct etm_etmv3_chart *chart)
{
    const struct etm_blocks *blocks = &flow->follow.blocks;
    const uint32_t *table = blocks->table;
    const size_t mask = blocks->mask;
    const unsigned space = blocks->space;
    struct etm_etmv3_mark *end = chart->marks + chart->n_marks;

    for (struct etm_etmv3_mark *mark = chart->marks; mark != end; mark++)
        mark->step = etm_etmv3_guess(
            table, mask,
            etm_blocks_hash(mark->address, (unsigned)etm_mark_isa(mark),
                            space));
    for (struct etm_etmv3_mark *mark = chart->marks; mark != end; mark++)
        /* an empty step has no links, and neither has number 0 */
        if (*etm_blocks_links(blocks, mark->step) == 0 ||
            !etm_blocks_is(blocks, mark->step, mark->address,
                           etm_mark_isa(mark)))
            mark->step = 0;
}

uint32_t etm_etmv3_step_of(struct etm_follow *f,
                           const struct etm_etmv3_mark *mark)
{
    uint32_t to = mark->step;

    if (to == 0)
        to = etm_blocks_number(&f->blocks, mark->address, etm_mark_isa(mark));
    if (to == 0)
        f->status = ETM_ERR_MEMORY;
    return to != 0 && etm_etmv3_is_known(f, to) ? to : 0;
}

/* The step at the target of an indirect branch; 0 if the plain path must look
 * it up. */
static uint32_t target(struct etm_etmv3_flow *flow,
                       const struct etm_etmv3_mark *mark)
{
    uint32_t to = etm_etmv3_step_of(&flow->follow, mark);

    if (to != 0)
        etm_etmv3_take(&flow->base, mark);
    return to;
}

uint32_t etm_etmv3_resolve(struct etm_etmv3_flow *flow, uint32_t at,
                           bool passed, const struct etm_etmv3_mark *mark)
{
    struct etm_blocks *blocks = &flow->follow.blocks;
    const struct etm_step *s = (const struct etm_step *)blocks->steps.data + at;
    struct etm_block *block, *link;

    if (passed && (s->kind & ETM_STEP_INDIRECT))
        return mark != NULL ? target(flow, mark) : 0;
    block = last_block_of(blocks, at);
    link = passed ? etm_blocks_take(blocks, block)
                  : etm_blocks_follow(blocks, block);
    if (link == NULL)
        flow->follow.status = ETM_ERR_MEMORY;
    if (link == NULL || link->step == 0 ||
        !etm_etmv3_is_known(&flow->follow, link->step))
        return 0;
    if (link->isa == block->isa) /* links do not lead to another instruction set
                                  */
        etm_blocks_link(blocks, at, !passed, link->step);
    return link->step;
}

bool etm_etmv3_broadcast(struct etm_etmv3_flow *flow, uint32_t at,
                         const struct etm_etmv3_mark *mark)
{
    const struct etm_step *s =
        (const struct etm_step *)flow->follow.blocks.steps.data + at;

    if (mark->isa != s->isa || mark->address != s->start)
        return false;
    etm_etmv3_take(&flow->base, mark);
    return true;
}
