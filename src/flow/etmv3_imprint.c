/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/etmv3_flow.h"
#include "flow/imprint.h"
#include "proto/etmv3.h"

static void packets(const struct etm_etmv3_decoder *d,
                    struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, (uint64_t)d->state);
    etm_imprint_put(imprint, d->offset);
    if (d->state != ETM_ETMV3_PACKETS) {
        etm_imprint_put(imprint, d->pending);
        etm_imprint_put(imprint, d->zeros);
    }
    etm_imprint_bytes(imprint, d->carry, d->carried);
}

void etm_etmv3_imprint(const struct etm_etmv3_decoder *d,
                       const struct etm_etmv3_flow *flow,
                       struct etm_imprint *imprint)
{
    bool valid = (flow->at.last & ETM_LAST_VALID) != 0;

    packets(d, imprint);
    etm_follow_imprint(&flow->follow, flow->at.index, valid, imprint);
    etm_data_imprint(&flow->data, &flow->follow, d->offset, imprint);
    etm_broadcast_imprint(&flow->base, imprint);
    etm_imprint_put(imprint, flow->synced);
    etm_position_imprint(&flow->at, imprint);
    etm_imprint_carried(imprint, ETM_CARRIED_GAP, 3);
    etm_imprint_put(imprint, flow->gap_pending);
    etm_imprint_put(imprint, flow->gap_pending && flow->gap_unreliable);
    etm_imprint_put(imprint, flow->gap_pending ? flow->gap_cycles : 0);
}
