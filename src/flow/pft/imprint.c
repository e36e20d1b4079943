/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/imprint.h"
#include "flow/pft/flow.h"

static void packets(const struct etm_pft_decoder *d,
                    struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, (uint64_t)d->state);
    etm_imprint_put(imprint, d->offset);
    etm_imprint_put(imprint, d->tail);
    if (d->state != ETM_PFT_SYNCHRONIZED)
        etm_imprint_put(imprint, d->zeros);
    if (d->state == ETM_PFT_UNSYNCHRONIZED) {
        etm_imprint_put(imprint, d->skipped);
        etm_imprint_put(imprint, d->skipped != 0 ? d->first : 0);
    }
    etm_imprint_bytes(imprint, d->carry, d->n_carry);
}

/* The newest entry first; step numbers are those of one cache. */
static void stack(const struct etm_pft_flow *flow, struct etm_imprint *imprint)
{
    const struct etm_retstack *s = &flow->stack;

    etm_imprint_put(imprint, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        struct etm_return to =
            etm_retstack_get(s, flow->walk.blocks.steps.data, i);

        etm_imprint_put(imprint, (uint64_t)to.address << 8 | to.isa);
    }
    etm_imprint_put(
        imprint, (unsigned)flow->came_back << 3 | (unsigned)flow->unseen << 2 |
                     (unsigned)flow->interrupted << 1 | flow->doubt);
    if (!flow->interrupted)
        return;
    etm_imprint_put(imprint,
                    (uint64_t)flow->back.address << 8 | flow->back.isa);
    etm_imprint_put(imprint, s->top - flow->back_top);
}

void etm_pft_imprint(const struct etm_pft_decoder *d,
                     const struct etm_pft_flow *flow,
                     struct etm_imprint *imprint)
{
    packets(d, imprint);
    etm_walk_imprint(&flow->walk, 0, false, imprint);
    etm_broadcast_imprint(&flow->last, imprint);
    stack(flow, imprint);
    etm_imprint_put(imprint, flow->synced);
    etm_imprint_put(imprint, flow->mismatch);
    etm_imprint_put(imprint, flow->astray);
    etm_imprint_put(imprint, flow->updated);
    etm_imprint_put(imprint, flow->updated ? flow->updated_address : 0);
}
