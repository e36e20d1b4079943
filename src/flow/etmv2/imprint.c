/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/imprint.h"
#include "flow/etmv2/flow.h"

/* The model of the FIFO: without a TFO it counts nothing. */
static void fifo(const struct etm_etmv2_fifo *w, struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, w->synced);
    etm_imprint_put(imprint, w->has_half);
    etm_imprint_put(imprint, w->has_half ? w->half : 0);
    etm_imprint_put(imprint, w->due);
    etm_imprint_put(imprint, w->due != ETM_ETMV2_DUE_NOTHING ? w->low : 0);
    etm_imprint_bytes(imprint, w->carry, w->n_carry);
    etm_imprint_put(imprint, w->group_bytes);
    etm_imprint_put(imprint, w->n_tfos);
    etm_imprint_put(imprint, w->n_groups);
    for (unsigned i = 0; i < w->n_groups; i++) {
        const struct etm_etmv2_group *g =
            &w->groups[(w->first + i) % ETM_ETMV2_GROUPS];

        etm_imprint_put(imprint, g->tfo);
        etm_imprint_put(imprint, g->placed);
        /* the count may wrap, and begins at the first TFO that was seen */
        etm_imprint_put(imprint, g->placed ? (uint32_t)(g->at - w->passed) : 0);
    }
}

static void cycles(const struct etm_etmv2_flow *flow,
                   struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, flow->waiting);
    etm_imprint_put(imprint, flow->n_cycles);
    if (flow->n_cycles == 0)
        return;
    etm_imprint_put(imprint, flow->offset);
    etm_imprint_put(imprint, flow->begun);
    for (unsigned i = 0; i < flow->n_cycles; i++) {
        const struct etm_etmv2_cycle *c =
            &flow->cycles[(flow->first + i) % ETM_ETMV2_CYCLES];

        etm_imprint_put(imprint, (uint64_t)c->status | (uint64_t)c->pins << 8 |
                                     (uint64_t)c->trigger << 16 |
                                     (uint64_t)c->tfo << 17 |
                                     (uint64_t)c->waits << 18);
    }
}

void etm_etmv2_imprint(const struct etm_etmv2_decoder *d,
                       const struct etm_etmv2_flow *flow,
                       struct etm_imprint *imprint)
{
    bool valid = (flow->walk.last & ETM_LAST_VALID) != 0;

    etm_imprint_put(imprint, d->offset);
    etm_imprint_bytes(imprint, d->carry, d->n_carry);
    /* the flow does not use what d->fifo says about the pins */
    fifo(&flow->fifo, imprint);
    etm_walk_imprint(&flow->walk, flow->walk.index, valid, imprint);
    etm_data_imprint(&flow->walk, UINT64_MAX, imprint);
    etm_broadcast_imprint(&flow->base, imprint);
    etm_imprint_put(imprint, flow->has_status);
    etm_imprint_put(imprint, flow->has_status ? flow->status : 0);
    etm_imprint_put(imprint, flow->has_status ? flow->status_offset : 0);
    etm_imprint_put(imprint, flow->synced);
    etm_position_imprint(&flow->walk, imprint);
    cycles(flow, imprint);
}
