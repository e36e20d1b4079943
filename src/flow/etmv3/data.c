/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From bytes of ETMv3 with data packets to elements. Nearly every instruction
 * that moves data ends a P-header and a range, so batches (batch.h) would be
 * short: packets are taken one after the other. The frequent ones need no
 * struct etm_packet of the decoder: P-headers, the next transfer of the last
 * data instruction, and targets of indirect branches. All others go through the
 * decoder and the flow, which know all the rules.
 */

#include "flow/etmv3/atoms.h"
#include "flow/walk/fast.h"
#include "proto/etmv3_address.h"

/* Bytes of a call: each gives at most one element, wanted or not, and together
 * with those held back when it begins they do not reach the limit of the flow.
 */
#define MOST (ETM_WALK_HELD_MAX / 2)

/* The address of a data packet is the last one from now on, as
 * etm_broadcast_apply() has it. */
static void apply(struct etm_etmv3_flow *flow,
                  const struct etm_etmv3_data_address *a)
{
    struct etm_broadcast *base = &flow->base;

    base->data_address ^= (base->data_address ^ a->address) & a->mask;
    if (a->mask != UINT32_MAX)
        return;
    base->be = a->be && flow->config.minor >= 1;
    base->data_valid = true;
    flow->base_kept = false;
}

/* A normal data packet (00A0SS10, 7.4.2); its size, or 0 if it is left to the
 * flow. Then nothing was done that the flow would not do too; and for a bad one
 * nothing at all, since it may be left for a later call. */
static inline unsigned data(struct etm_etmv3_flow *flow, const uint8_t *p,
                            uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_data_normal normal = {.offset = offset};
    struct etm_etmv3_data_address a = {.mask = 0};
    const uint8_t *at = p + 1;

    if ((*p & 0x20) != 0 && flow->config.data_address) {
        unsigned n = etm_etmv3_parse_data_address(at, &a);

        if (n == 0)
            return 0;
        normal.has_address = true;
        at += n;
    }
    if (!flow->synced || w->has_lost || etm_walk_is_long(w))
        return 0;
    if (etm_etmv3_is_final(flow)) /* the owner may end with it */
        etm_data_commit(w, offset);
    if (etm_data_is_odd(w)) /* as it is before the first instruction */
        return 0;
    if (normal.has_address)
        apply(flow, &a);
    flow->base_used |= flow->base_kept;
    if (flow->config.data_value) {
        uint32_t value;

        at += etm_etmv3_parse_value(at, *p, &value);
        normal.value = value;
        normal.has_value = true;
    }
    normal.size = (uint32_t)(at - p);
    etm_data_take(w, &flow->base, &normal);
    return normal.size;
}

/*
 * A branch packet without exception information after an indirect branch
 * (7.3.5), as etm_etmv3_flow_branch() takes it; its size, or 0, with nothing
 * done, if it is left to the flow.
 */
static inline unsigned target(struct etm_etmv3_flow *flow,
                              const struct etm_address_form *forms,
                              const uint8_t *p, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_etmv3_target to;
    unsigned size;

    if (!w->awaiting || w->has_open || flow->base.isa != w->isa ||
        !etm_etmv3_is_settled(flow) || etm_walk_is_long(w) ||
        w->data.before.kind != ETM_DATA_OWNER_NONE)
        return 0;
    etm_etmv3_target_load(&to, &flow->base);
    size = etm_etmv3_parse_branch(forms, flow->base.alt_isa, p, &to);
    if (size == 0 || to.isa != flow->base.isa)
        return 0;
    if (etm_etmv3_is_final(flow))
        etm_data_commit(w, offset);
    flow->base.address = to.address << to.shift;
    w->data.done = 0;
    w->last &= ~(uint32_t)ETM_LAST_HALTED;
    w->last |= ETM_LAST_TARGETED;
    etm_position_go_base(w, &flow->base, offset);
    return size;
}

/* One packet at `p`; its size, or 0 if it is left to the flow. */
static inline unsigned take(struct etm_etmv3_flow *flow,
                            const struct etm_etmv3_decoder *d, const uint8_t *p)
{
    const struct etm_etmv3_header header = d->headers[*p];

    if (header.kind == ETM_PACKET_P_HEADER && flow->synced) {
        const struct etm_packet packet = {.offset = d->offset,
                                          .value = header.atoms,
                                          .size = 1,
                                          .kind = ETM_PACKET_P_HEADER,
                                          .header = *p,
                                          .count = header.count};

        etm_etmv3_p_header(flow, &packet);
        return 1;
    }
    if (header.kind == ETM_PACKET_NORMAL_DATA)
        return data(flow, p, d->offset);
    if (header.kind == ETM_PACKET_BRANCH_ADDRESS)
        return target(flow, etm_address_forms[d->alternative], p, d->offset);
    return 0;
}

size_t etm_etmv3_flow_fast_data(struct etm_etmv3_flow *flow,
                                struct etm_etmv3_decoder *d,
                                const uint8_t *bytes, size_t n,
                                struct etm_vec *out)
{
    const size_t enough = out->n + ETM_FAST_BATCH;
    struct etm_walk *w = &flow->walk;
    size_t used = 0;

    if (n > MOST)
        n = MOST;
    while (n - used > ETM_ETMV3_PACKET_MAX && out->n < enough &&
           w->status == ETM_OK) {
        size_t size = take(flow, d, bytes + used);

        if (size != 0) {
            d->offset += size;
        } else {
            struct etm_packet packet;

            size = etm_etmv3_decoder_next(d, bytes + used, n - used, &packet);
            if (size == 0 || etm_etmv3_flow_packet(flow, &packet) != ETM_OK)
                break;
        }
        used += size;
    }
    return used;
}
