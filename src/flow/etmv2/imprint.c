/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/imprint.h"
#include "flow/etmv2/flow.h"

/* The model of the FIFO: without a TFO it counts nothing. */
static void fifo(const struct etm_etmv2_fifo *f, struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, f->synced);
    etm_imprint_put(imprint, f->has_half);
    etm_imprint_put(imprint, f->has_half ? f->half : 0);
    etm_imprint_put(imprint, f->due);
    etm_imprint_put(imprint, f->due != ETM_ETMV2_DUE_NOTHING ? f->low : 0);
    etm_imprint_bytes(imprint, f->carry, f->n_carry);
    etm_imprint_put(imprint, f->group_bytes);
    etm_imprint_put(imprint, f->n_tfos);
    etm_imprint_put(imprint, f->n_groups);
    for (unsigned i = 0; i < f->n_groups; i++) {
        const struct etm_etmv2_group *g =
            &f->groups[(f->first + i) % ETM_ETMV2_GROUPS];

        etm_imprint_put(imprint, g->tfo);
        etm_imprint_put(imprint, g->placed);
        /* the count may wrap, and begins at the first TFO that was seen */
        etm_imprint_put(imprint, g->placed ? (uint32_t)(g->at - f->passed) : 0);
    }
}

static void cycles(const struct etm_etmv2_flow *flow,
                   struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, flow->waiting);
    etm_imprint_put(imprint, flow->n_cycles);
    for (unsigned i = 0; i < flow->n_cycles; i++) {
        const struct etm_etmv2_cycle *c =
            &flow->cycles[(flow->first + i) % ETM_ETMV2_CYCLES];

        etm_imprint_put(imprint, c->offset);
        etm_imprint_put(
            imprint, (uint64_t)c->status | (uint64_t)c->trigger << 8 |
                         (uint64_t)c->told << 9 | (uint64_t)c->tfo << 10 |
                         (uint64_t)c->waits << 11 | (uint64_t)c->begun << 12 |
                         (uint64_t)c->counted << 13 |
                         (uint64_t)c->stored << 14);
    }
}

void etm_etmv2_imprint(const struct etm_etmv2_decoder *d,
                       const struct etm_etmv2_flow *flow,
                       struct etm_imprint *imprint)
{
    bool valid = (flow->at.last & ETM_LAST_VALID) != 0;

    etm_imprint_put(imprint, d->offset);
    etm_imprint_bytes(imprint, d->carry, d->n_carry);
    /* the flow does not use what d->fifo says about the pins */
    fifo(&flow->fifo, imprint);
    etm_follow_imprint(&flow->follow, flow->at.index, valid, imprint);
    etm_data_imprint(&flow->data, &flow->follow, UINT64_MAX, imprint);
    etm_broadcast_imprint(&flow->base, imprint);
    etm_imprint_put(imprint, flow->has_status);
    etm_imprint_put(imprint, flow->has_status ? flow->status : 0);
    etm_imprint_put(imprint, flow->has_status ? flow->status_offset : 0);
    etm_imprint_put(imprint, flow->synced);
    etm_position_imprint(&flow->at, imprint);
    cycles(flow, imprint);
}
