/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/imprint.h"
#include "flow/etmv3/flow.h"
#include "proto/etmv3.h"

static void packets(const struct etm_etmv3_decoder *d,
                    struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, (uint64_t)d->state);
    etm_imprint_put(imprint, d->offset);
    etm_imprint_put(imprint, d->zeros);
    if (d->state != ETM_ETMV3_PACKETS)
        etm_imprint_put(imprint, d->pending);
    etm_imprint_bytes(imprint, d->carry, d->carried);
}

void etm_etmv3_imprint(const struct etm_etmv3_decoder *d,
                       const struct etm_etmv3_flow *flow,
                       struct etm_imprint *imprint)
{
    bool valid = (flow->walk.last & ETM_LAST_VALID) != 0;

    packets(d, imprint);
    etm_walk_imprint(&flow->walk, flow->walk.index, valid, imprint);
    etm_data_imprint(&flow->walk, d->offset, imprint);
    etm_broadcast_imprint(&flow->base, imprint);
    etm_imprint_put(imprint, flow->synced);
    etm_position_imprint(&flow->walk, imprint);
    etm_imprint_carried(imprint, ETM_CARRIED_GAP, 3);
    etm_imprint_put(imprint, flow->gap_pending);
    etm_imprint_put(imprint, flow->gap_pending && flow->gap_unreliable);
    etm_imprint_put(imprint, flow->gap_pending ? flow->gap_cycles : 0);
}

struct etm_carried_sets etm_etmv3_carried(const struct etm_etmv3_flow *flow)
{
    bool base = flow->base_kept && !flow->base_used;

    return (struct etm_carried_sets){
        .kept = etm_carried_set(base, ETM_CARRIED_BASE) |
                etm_carried_set(!flow->gap_used, ETM_CARRIED_GAP),
        .unused = etm_carried_set(!flow->base_used, ETM_CARRIED_BASE) |
                  etm_carried_set(!flow->gap_used, ETM_CARRIED_GAP)};
}

static void carry_base(struct etm_broadcast *base, const uint64_t *values)
{
    base->data_valid = values[0] != 0;
    base->be = values[1] != 0;
    base->data_address = (uint32_t)values[2];
}

static void carry_gap(struct etm_etmv3_flow *flow, const uint64_t *values)
{
    flow->gap_pending = values[0] != 0;
    flow->gap_unreliable = values[1] != 0;
    flow->gap_cycles = values[2];
}

void etm_etmv3_carry(struct etm_etmv3_flow *flow, unsigned kinds,
                     const struct etm_imprint *imprint)
{
    if (kinds & 1u << ETM_CARRIED_BASE)
        carry_base(&flow->base,
                   etm_imprint_carried_at(imprint, ETM_CARRIED_BASE));
    if (kinds & 1u << ETM_CARRIED_GAP)
        carry_gap(flow, etm_imprint_carried_at(imprint, ETM_CARRIED_GAP));
}
