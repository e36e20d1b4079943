/* SPDX-License-Identifier: Apache-2.0 */
/* Executions that are counted in blocks. */
#include "image/block.h"

struct etm_count etm_block_count(const struct etm_block *block, unsigned i,
                                 uint32_t start, uint32_t n, enum etm_tri exec)
{
    struct etm_block_last last = etm_block_last(block, i);

    return (struct etm_count){.n = 1,
                              .start = start,
                              .end = last.end,
                              .insns = n,
                              .last_address = last.address,
                              .isa = block->isa,
                              .last_type = last.type,
                              .last_exec = (uint8_t)exec,
                              .last_flags = last.flags};
}

/* Who gets the counts, and the resulting status. */
struct report {
    etm_count_fn *fn;
    void *context;
    int status;
};

/* Report the executions of the range from instruction `from` to instruction i,
 * and reset them to 0. */
static void report_hits(struct report *t, const struct etm_block *block,
                        unsigned from, unsigned i, enum etm_tri exec,
                        uint32_t *hits)
{
    struct etm_count count;

    if (*hits == 0)
        return;
    count = etm_block_count(block, i, etm_block_address(block, from),
                            i + 1 - from, exec);
    count.n = *hits;
    *hits = 0;
    if (t->status == ETM_OK)
        t->status = t->fn(t->context, &count);
}

/* Report executions that were not folded, and reset them to 0. */
static int report_all(struct etm_blocks *blocks, etm_count_fn *fn,
                      void *context)
{
    struct report t = {fn, context, ETM_OK};

    if (!blocks->rules.counts)
        return ETM_OK;
    for (uint32_t number = 1; number <= blocks->n; number++) {
        struct etm_block *block = etm_blocks_at(blocks, number);
        unsigned last = block->n - 1u;

        if (block->n == 0)
            continue;
        for (unsigned i = 0; blocks->rules.transfers && i < last; i++) {
            struct etm_block_row *row;

            if ((block->data >> i & 1) == 0)
                continue; /* there may be no rows at all */
            row = etm_block_row(blocks, block, i);
            report_hits(&t, block, row->from, i, ETM_TRUE, &row->hits);
        }
        report_hits(&t, block, block->from, last, ETM_TRUE, &block->hits[0]);
        report_hits(&t, block, block->from, last, ETM_FALSE, &block->hits[1]);
    }
    return t.status;
}

static int drop(void *context, const struct etm_count *count)
{
    (void)context;
    (void)count;
    return ETM_OK;
}

void etm_blocks_fold(struct etm_blocks *blocks)
{
    (void)report_all(blocks, etm_counts_add, &blocks->counts);
}

int etm_blocks_take_counts(struct etm_blocks *blocks, etm_count_fn *add,
                           struct etm_counts *to)
{
    int status = report_all(blocks, add, to);
    int other = etm_counts_hand_over(&blocks->counts, add, to);

    return status == ETM_OK ? other : status;
}

void etm_blocks_drop_counts(struct etm_blocks *blocks)
{
    (void)report_all(blocks, drop, NULL);
    etm_counts_clear(&blocks->counts);
}
