/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3 with data trace: which instruction owns data packets, and the fast
 * path. */
#ifndef ETM_FLOW_ETMV3_DATA_H
#define ETM_FLOW_ETMV3_DATA_H

#include "flow/etmv3/flow.h"
#include "flow/walk/data_plain.h"
#include "proto/etmv3.h"

/*
 * Instructions `from` to `to` (exclusive) of a block were executed, the last
 * one `passed`: the last data instruction among those that passed owns the data
 * packets to come (7.4). False: there is none; else *owner is its index.
 */
static inline bool etm_etmv3_owner(const struct etm_block *block, unsigned from,
                                   unsigned to, bool passed, unsigned *owner)
{
    unsigned n = to - from - !passed, i = from + n;

    if (n == 0 || block->data >> from << (64 - n) == 0)
        return false;
    do
        i--;
    while ((block->data >> i & 1) == 0);
    *owner = i;
    return true;
}

/* The last data instruction of etm_etmv3_owner() owns data packets from now
 * on. */
static inline void etm_etmv3_own(struct etm_etmv3_flow *flow,
                                 const struct etm_block *block, unsigned from,
                                 unsigned to, bool passed)
{
    unsigned i;

    if (!etm_etmv3_owner(block, from, to, passed, &i))
        return;
    etm_data_begin(&flow->walk, etm_block_address(block, i),
                   etm_block_transfers(&flow->walk.blocks, block, i));
    if (i + 1 == to)
        flow->walk.last |= ETM_LAST_OWNER;
}

/* etm_etmv3_flow_fast() if data are traced. */
size_t etm_etmv3_flow_fast_data(struct etm_etmv3_flow *flow,
                                struct etm_etmv3_decoder *d,
                                const uint8_t *bytes, size_t n,
                                struct etm_vec *out);

#endif
