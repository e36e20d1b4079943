/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of PFT's fast path: how they are filled, linked, and found by their
 * addresses. */
#include "flow/pft/flow.h"

#include <string.h>

struct etm_step *etm_pft_learn(struct etm_pft_flow *flow,
                               const struct etm_block *start,
                               struct etm_block *block)
{
    struct etm_walk *f = &flow->walk;
    bool link = (block->last_flags & ETM_INSN_LINK) != 0;
    const struct etm_block *after = NULL;
    struct etm_step *s;
    uint32_t facts, n = block->n;

    if (start == NULL || f->status != ETM_OK)
        return NULL;
    if (link) {
        after = etm_blocks_follow(&f->blocks, block);
        if (after == NULL)
            f->status = ETM_ERR_MEMORY;
    }
    for (const struct etm_block *b = start; b != block; b = b->next)
        n += b->n;
    if (f->status != ETM_OK || !etm_blocks_keep_insns(&f->blocks, start))
        return NULL;
    etm_blocks_fill(&f->blocks, start, block, n);
    s = (struct etm_step *)f->blocks.steps.data + start->step;
    s->after = after != NULL ? after->step : 0;
    facts = (uint32_t)s->kind | (uint32_t)s->isa << ETM_PFT_STEP_ISA;
    if (flow->config.return_stack && s->kind == ETM_STEP_INDIRECT)
        facts |= ETM_PFT_STEP_POP;
    *etm_blocks_links(&f->blocks, start->step) |= (uint64_t)facts
                                                  << ETM_LINK_FACTS;
    return s;
}

struct etm_block *etm_pft_way(struct etm_walk *f, struct etm_block *first)
{
    struct etm_block *block = first;

    while (block != NULL && block->end_kind == ETM_BLOCK_FALL) {
        if (block->end - first->address > ETM_PFT_WALK_MAX)
            return NULL;
        block = etm_blocks_follow(&f->blocks, block);
        if (block == NULL)
            f->status = ETM_ERR_MEMORY;
    }
    if (block == NULL || block->last - first->address > ETM_PFT_WALK_MAX)
        return NULL;
    return block;
}

struct etm_block *etm_pft_fill(struct etm_pft_flow *flow, uint32_t at)
{
    struct etm_walk *f = &flow->walk;
    struct etm_block *start = etm_blocks_of_step(&f->blocks, at);
    struct etm_block *block;

    if (etm_blocks_full(&f->blocks))
        return NULL;
    block = etm_pft_way(f, start);
    if (block == NULL || block->end_kind == ETM_BLOCK_NO_CODE)
        return NULL;
    if (etm_link_facts(*etm_blocks_links(&f->blocks, at)) == 0 &&
        etm_pft_learn(flow, start, block) == NULL)
        return NULL;
    return block;
}

uint32_t etm_pft_resolve(struct etm_pft_flow *flow, uint32_t at,
                         unsigned failed)
{
    struct etm_walk *f = &flow->walk;
    struct etm_block *block = etm_pft_fill(flow, at), *link;
    bool barrier;

    if (block == NULL)
        return 0;
    barrier = block->end_kind == ETM_BLOCK_BARRIER;
    if (failed ? !barrier && etm_block_cannot_fail(
                                 etm_blocks_of_step(&f->blocks, at), block)
               : block->end_kind == ETM_BLOCK_INDIRECT)
        return 0;
    link = failed || barrier ? etm_blocks_follow(&f->blocks, block)
                             : etm_blocks_take(&f->blocks, block);
    if (link == NULL) {
        f->status = ETM_ERR_MEMORY;
        return 0;
    }
    etm_blocks_link(&f->blocks, at, failed, link->step);
    return link->step;
}

static void forget_targets(struct etm_pft_flow *flow)
{
    struct etm_vec *targets = &flow->walk.blocks.targets;

    memset(targets->data, 0, targets->n * sizeof(struct etm_target));
}

int etm_pft_flow_set_targets(struct etm_pft_flow *flow, size_t places)
{
    struct etm_vec *targets = &flow->walk.blocks.targets;
    int status = etm_vec_reserve(targets, places - targets->n);

    if (status != ETM_OK)
        return status;
    targets->n = places;
    forget_targets(flow);
    return ETM_OK;
}

void etm_pft_flow_forget_returns(struct etm_pft_flow *flow)
{
    etm_retstack_forget_steps(&flow->stack, flow->walk.blocks.steps.data);
}

void etm_pft_flow_see(struct etm_pft_flow *flow)
{
    uint16_t space = flow->walk.blocks.space;

    etm_pft_flow_forget_returns(flow);
    if (flow->space >= ETM_PFT_TARGETS_LEAST / 4 ||
        space >= ETM_PFT_TARGETS_LEAST / 4)
        forget_targets(flow);
    flow->space = space;
}

uint32_t etm_pft_flow_find(struct etm_pft_flow *flow, uint32_t key)
{
    struct etm_blocks *blocks = &flow->walk.blocks;
    size_t places = blocks->targets.n;
    uint32_t step =
        etm_blocks_number(blocks, etm_pft_key_address(key),
                          (enum etm_isa)etm_pft_key_isa(&flow->ready, key));
    struct etm_target *targets;
    uint32_t place;

    if (step == 0) { /* it is no target: a decoder that is reset may find it */
        flow->walk.status = ETM_ERR_MEMORY;
        return 0;
    }
    /* without memory for more, the present ones are used */
    if (blocks->n > places && places < ETM_PFT_TARGETS_MOST)
        (void)etm_pft_flow_set_targets(flow, 2 * places);
    etm_pft_flow_see_targets(flow);
    targets = blocks->targets.data;
    place = etm_pft_flow_place(&flow->ready, key);
    if (targets[place].key != 0)
        targets[place ^ 1] = targets[place];
    targets[place] = (struct etm_target){.key = key, .step = step};
    return step;
}
