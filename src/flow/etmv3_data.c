/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path if data are traced: bytes of ETMv3 -> elements. Nearly every
 * instruction that moves data ends a P-header and a range, so there are no
 * charts and no steps here: packets are read and finished one after the other,
 * without a struct etm_packet, as long as each is a P-header, normal data of
 * the instruction before, or the target of an indirect branch. All others go
 * one by one through etmv3_decode.c and etmv3_flow.c, which know all the rules.
 */
#include "flow/etmv3_data.h"

#include "flow/etmv3_sync.h"

/* Maximum number of elements held back when this path begins: together with
 * those it gives, they do not reach the limit of the flow. */
#define HELD_SOME (ETM_FOLLOW_HELD_MAX / 2)

bool etm_etmv3_data_calm(const struct etm_etmv3_flow *flow)
{
    const struct etm_follow *f = &flow->follow;
    unsigned secure = ETM_UNKNOWN, hyp = ETM_FALSE;

    if (flow->config.minor >= 2)
        secure = flow->base.ns ? ETM_FALSE : ETM_TRUE;
    if (flow->config.virtualization)
        hyp = flow->base.hyp ? ETM_TRUE : ETM_FALSE;
    return flow->synced && !flow->at.mismatch && !f->has_lost &&
           !f->context_changed && f->blind_cycles == 0 && f->status == ETM_OK &&
           f->now.secure == secure && f->now.hyp == hyp &&
           (flow->at.last & ETM_LAST_NONE_YET) == 0 &&
           flow->data.before.kind == ETM_DATA_OWNER_NONE &&
           flow->data.done == 0 && /* a branch packet ends it */
           f->isa != ETM_ISA_JAZELLE &&
           f->out->n - f->held + f->unmade < HELD_SOME &&
           !etm_blocks_full(&f->blocks);
}

void etm_etmv3_data_rest(struct etm_etmv3_flow *flow,
                         struct etm_etmv3_header header, uint8_t byte,
                         unsigned n, bool each, uint64_t offset)
{
    struct etm_etmv3_shape shape = flow->runs[byte];
    unsigned count = n * (1u + shape.each);
    struct etm_packet packet = {.offset = offset,
                                .value =
                                    header.atoms >> 2 * (header.count - count),
                                .size = 1,
                                .kind = ETM_PACKET_P_HEADER,
                                .header = byte,
                                .count = (uint8_t)count};

    if (each)
        etm_etmv3_flow_push(flow, &packet, 1, flow->follow.out);
    else
        etm_etmv3_flow_run(flow, n, shape.each, (enum etm_tri)shape.exec,
                           &packet);
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
