/* SPDX-License-Identifier: Apache-2.0 */
/* Executions that are counted behind the links of steps. */
#include "image/block.h"

static int tell_step(const struct etm_step *s, uint64_t hits, etm_count_fn *fn,
                     void *context)
{
    struct etm_count count = {.start = s->start,
                              .end = etm_step_end(s),
                              .insns = s->n,
                              .last_address = etm_step_last(s),
                              .isa = s->isa,
                              .last_type = s->last_type,
                              .last_flags = s->last_flags};
    int status = ETM_OK;

    count.n = hits & UINT32_MAX;
    count.last_exec = ETM_TRUE;
    if (count.n != 0)
        status = fn(context, &count);
    count.n = hits >> ETM_HITS_FAILED;
    count.last_exec = ETM_FALSE;
    if (count.n != 0 && status == ETM_OK)
        status = fn(context, &count);
    return status;
}

/* Executions of n steps from number 0 on, one in each `stride` numbers: told,
 * and 0 then. */
static int tell_hits(const struct etm_blocks *blocks, uint64_t *hits,
                     size_t stride, size_t n, etm_count_fn *fn, void *context)
{
    const struct etm_step *steps = blocks->steps.data;
    int status = ETM_OK;

    for (size_t i = 1; i < n; i++) {
        if (hits[i * stride] == 0)
            continue;
        if (status == ETM_OK)
            status = tell_step(&steps[i], hits[i * stride], fn, context);
        hits[i * stride] = 0;
    }
    return status;
}

static int tell_steps(struct etm_blocks *blocks, etm_count_fn *fn,
                      void *context)
{
    if (!blocks->rules.counts)
        return ETM_OK;
    return tell_hits(blocks, (uint64_t *)blocks->links.data + 1, 2,
                     blocks->steps.n, fn, context);
}

static int tell_kept(struct etm_blocks *blocks, etm_count_fn *fn, void *context)
{
    return tell_hits(blocks, blocks->kept_hits.data, 1, blocks->kept_hits.n, fn,
                     context);
}

static int take_table(struct etm_counts *counts, int status, etm_count_fn *fn,
                      void *context)
{
    if (status == ETM_OK)
        status = counts->status;
    if (status == ETM_OK)
        status = etm_counts_each(counts, fn, context);
    etm_counts_clear(counts);
    return status;
}

void etm_blocks_fold(struct etm_blocks *blocks)
{
    (void)tell_steps(blocks, etm_counts_add, &blocks->counts);
    (void)tell_kept(blocks, etm_counts_add, &blocks->kept);
}

int etm_blocks_take_counts(struct etm_blocks *blocks, etm_count_fn *fn,
                           void *context)
{
    return take_table(&blocks->counts, tell_steps(blocks, fn, context), fn,
                      context);
}

int etm_blocks_take_kept(struct etm_blocks *blocks, etm_count_fn *fn,
                         void *context)
{
    return take_table(&blocks->kept, tell_kept(blocks, fn, context), fn,
                      context);
}

void etm_blocks_drop_counts(struct etm_blocks *blocks)
{
    uint64_t *hits = (uint64_t *)blocks->links.data + 1;

    if (blocks->rules.counts)
        for (size_t i = 0; i < blocks->steps.n; i++)
            hits[2 * i] = 0;
    etm_counts_clear(&blocks->counts);
}

/* Room for what is kept of each step. */
static int reserve_kept(struct etm_blocks *blocks)
{
    struct etm_vec *kept = &blocks->kept_hits;
    size_t more = blocks->steps.n > kept->n ? blocks->steps.n - kept->n : 0;
    int status = etm_vec_reserve(kept, more);

    if (status != ETM_OK || more == 0)
        return status;
    memset((uint64_t *)kept->data + kept->n, 0, more * sizeof(uint64_t));
    kept->n += more;
    return ETM_OK;
}

int etm_blocks_keep_counts(struct etm_blocks *blocks)
{
    struct etm_counts *kept = &blocks->kept;
    int status;

    if (blocks->rules.counts && reserve_kept(blocks) == ETM_OK) {
        uint64_t *hits = (uint64_t *)blocks->links.data + 1;
        uint64_t *sum = blocks->kept_hits.data;

        for (size_t i = 0; i < blocks->steps.n; i++) {
            sum[i] += hits[2 * i];
            hits[2 * i] = 0;
        }
    }
    status = etm_blocks_take_counts(blocks, etm_counts_add, kept);
    if (status != ETM_OK)
        kept->status = status;
    return status;
}
