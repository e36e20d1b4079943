/* SPDX-License-Identifier: Apache-2.0 */
/* Executions that are counted behind the links of steps. */
#include "image/block.h"

static int tell_step(const struct etm_step *s, const uint32_t *hits,
                     etm_count_fn *fn, void *context)
{
    struct etm_count count = {.start = s->start,
                              .end = s->end,
                              .insns = s->n,
                              .last_address = s->last,
                              .isa = s->isa,
                              .last_type = s->last_type,
                              .last_flags = s->last_flags};
    int status = ETM_OK;

    count.n = hits[0];
    count.last_exec = ETM_TRUE;
    if (count.n != 0)
        status = fn(context, &count);
    count.n = hits[1];
    count.last_exec = ETM_FALSE;
    if (count.n != 0 && status == ETM_OK)
        status = fn(context, &count);
    return status;
}

void etm_bundle_tell(struct etm_bundle *bundle, uint64_t *links)
{
    uint32_t step = bundle->key >> ETM_BUNDLE_BITS;

    for (uint32_t bits = bundle->key & 0xff; bits > 1; bits >>= 1) {
        etm_links_hits(links, step)[bits & 1] += bundle->n;
        step = etm_links_next(links, step, true, bits & 1);
        if (step == 0)
            step = bundle->back & ETM_LINK_STEP;
    }
    bundle->n = 0;
}

static void tell_bundles(struct etm_blocks *blocks)
{
    if (blocks->bundles == NULL)
        return;
    for (uint32_t i = 0; i < ETM_BUNDLES; i++)
        if (blocks->bundles[i].n != 0)
            etm_bundle_tell(&blocks->bundles[i], blocks->links.data);
}

/* Executions of steps are told, and 0 then. */
static int tell_steps(struct etm_blocks *blocks, etm_count_fn *fn,
                      void *context)
{
    const struct etm_step *steps = blocks->steps.data;
    int status = ETM_OK;

    if (!blocks->rules.counts)
        return ETM_OK;
    tell_bundles(blocks);
    for (uint32_t i = 1; i < blocks->steps.n; i++) {
        uint32_t *hits = etm_links_hits(blocks->links.data, i);

        if ((hits[0] | hits[1]) == 0)
            continue;
        if (status == ETM_OK)
            status = tell_step(&steps[i], hits, fn, context);
        hits[0] = hits[1] = 0;
    }
    return status;
}

void etm_blocks_fold(struct etm_blocks *blocks)
{
    (void)tell_steps(blocks, etm_counts_add, &blocks->counts);
}

int etm_blocks_take_counts(struct etm_blocks *blocks, etm_count_fn *fn,
                           void *context)
{
    int status = tell_steps(blocks, fn, context);

    if (status == ETM_OK)
        status = blocks->counts.status;
    if (status == ETM_OK)
        status = etm_counts_each(&blocks->counts, fn, context);
    etm_counts_clear(&blocks->counts);
    return status;
}

void etm_blocks_drop_counts(struct etm_blocks *blocks)
{
    tell_bundles(blocks);
    if (blocks->rules.counts)
        for (uint32_t i = 0; i < blocks->steps.n; i++)
            memset(etm_links_hits(blocks->links.data, i), 0,
                   2 * sizeof(uint32_t));
    etm_counts_clear(&blocks->counts);
}
