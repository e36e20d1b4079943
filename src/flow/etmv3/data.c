/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path if data are traced: bytes of ETMv3 -> elements. Nearly every
 * instruction that moves data ends a P-header and a range, so batches (batch.h)
 * would be short: packets are read and finished one after the other,
 * without a struct etm_packet, as long as each is a P-header, normal data of
 * the instruction before, or the target of an indirect branch. All others go
 * one by one through the decoder and flow.c, which know all the rules.
 */
#include "flow/etmv3/data.h"

#include "flow/etmv3/sync.h"

/* Maximum number of elements held back when this path begins: together with
 * those it gives, they do not reach the limit of the flow. */
#define HELD_SOME (ETM_FOLLOW_HELD_MAX / 2)

bool etm_etmv3_data_calm(const struct etm_etmv3_flow *flow)
{
    const struct etm_follow *f = &flow->follow;

    return etm_etmv3_is_settled(flow) &&
           (flow->at.last & ETM_LAST_NONE_YET) == 0 &&
           flow->data.before.kind == ETM_DATA_OWNER_NONE &&
           flow->data.done == 0 && /* a branch packet ends it */
           f->out->n - f->held + f->unmade < HELD_SOME;
}

size_t etm_etmv3_data_leave(struct etm_etmv3_flow *flow,
                            struct etm_etmv3_decoder *d, const uint8_t *p,
                            size_t n)
{
    struct etm_packet packet;
    size_t size = etm_etmv3_decoder_next(d, p, n, &packet);

    if (size != 0 &&
        etm_etmv3_flow_push(flow, &packet, 1, flow->follow.out) != ETM_OK)
        return 0;
    return size;
}

size_t etm_etmv3_flow_fast_data(struct etm_etmv3_flow *flow,
                                struct etm_etmv3_decoder *d,
                                const uint8_t *bytes, size_t n,
                                struct etm_vec *out)
{
    size_t used;

    if (d->state != ETM_ETMV3_PACKETS || d->carried != 0)
        return 0;
    if (n > HELD_SOME) /* a byte gives at most one element, wanted or not */
        n = HELD_SOME;
    flow->follow.out = out;
    if (flow->follow.level == ETM_LEVEL_INSTRUCTIONS)
        used = etm_etmv3_data_insns(flow, d, bytes, n);
    else if (flow->follow.counts)
        used = etm_etmv3_data_counts(flow, d, bytes, n);
    else
        used = etm_etmv3_data_ranges(flow, d, bytes, n);
    etm_etmv3_decoder_pass(d, bytes, used);
    return used;
}
