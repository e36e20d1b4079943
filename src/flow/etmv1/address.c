/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branch addresses of ETMv1 whoever they belong to: each is the base of the
 * next one, and may have a context ID after it (ETM architecture 5.5.4, 5.5.5,
 * 5.6.3).
 */
#include "flow/etmv1/walk.h"

/* In v1.0 and v1.1 there is no b100. */
bool etm_etmv1_address_is_reserved(const struct etm_etmv1_flow *flow,
                                   unsigned reason)
{
    return reason > ETM_ETMV1_PERIODIC ||
           (reason == ETM_ETMV1_PERIODIC && flow->config.minor < 2);
}

/* Before v1.3 bit 7 of the fifth packet is LOW (5.5.4). */
bool etm_etmv1_address_is_none(const struct etm_etmv1_flow *flow,
                               const struct etm_etmv1_address *a)
{
    return etm_etmv1_address_is_reserved(flow, a->reason) ||
           (a->jazelle && flow->config.minor < 3);
}

void etm_etmv1_address_take(struct etm_etmv1_flow *flow,
                            const struct etm_etmv1_address *a)
{
    flow->base = etm_etmv1_merge(flow->base, a);
    if (a->n < ETM_ETMV1_ADDRESS_MAX)
        return;
    flow->base_valid = true;
    flow->base_jazelle = a->jazelle && flow->config.minor >= 3;
}

void etm_etmv1_address_context(struct etm_etmv1_flow *flow,
                               const struct etm_etmv1_target *target,
                               uint64_t offset)
{
    if (target->has_context)
        etm_walk_context_id(&flow->walk, target->context_id, offset);
}

uint32_t etm_etmv1_address_place(const struct etm_etmv1_flow *flow,
                                 enum etm_isa *isa)
{
    if (flow->base_jazelle) {
        *isa = ETM_ISA_JAZELLE;
        return flow->base;
    }
    *isa = (flow->base & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    return flow->base & (*isa == ETM_ISA_THUMB ? ~1u : ~3u);
}

static enum etm_etmv1_read note(struct etm_etmv1_flow *flow, uint64_t number)
{
    struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, number);
    struct etm_etmv1_place at = {.record = number};
    struct etm_etmv1_target target;
    enum etm_etmv1_read read;

    if ((r->flags & ETM_RECORD_SYNC) == 0 ||
        (r->flags & ETM_RECORD_BYTES) == 0 ||
        (r->flags & ETM_RECORD_NOTED) != 0)
        return ETM_READ_OK;
    read = etm_etmv1_fifo_target(flow, &at, &target);
    if (read == ETM_READ_MORE)
        return read;
    r->flags |= ETM_RECORD_NOTED;
    if (read == ETM_READ_OK &&
        !etm_etmv1_address_is_none(flow, &target.address))
        etm_etmv1_address_take(flow, &target.address);
    else
        flow->base_valid = false;
    return ETM_READ_OK;
}

enum etm_etmv1_read etm_etmv1_flow_note_up_to(struct etm_etmv1_flow *flow,
                                              uint64_t number)
{
    enum etm_etmv1_read read = ETM_READ_OK;

    for (uint64_t q = flow->next; q < number && read == ETM_READ_OK; q++)
        read = note(flow, q);
    return read;
}

void etm_etmv1_address_contexts(struct etm_etmv1_flow *flow, uint64_t from,
                                uint64_t to)
{
    for (; from < to && flow->synced; from++) {
        const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, from);
        struct etm_etmv1_place at = {.record = from};
        struct etm_etmv1_target target;

        if ((r->flags & ETM_RECORD_NOTED) != 0 &&
            etm_etmv1_fifo_target(flow, &at, &target) == ETM_READ_OK &&
            !etm_etmv1_address_is_none(flow, &target.address))
            etm_etmv1_address_context(flow, &target, r->offset);
    }
}

enum etm_etmv1_read etm_etmv1_flow_note(struct etm_etmv1_flow *flow)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, flow->next);
    bool noted = (r->flags & ETM_RECORD_NOTED) != 0;
    enum etm_etmv1_read read = note(flow, flow->next);

    if (read == ETM_READ_OK && !noted)
        etm_etmv1_address_contexts(flow, flow->next, flow->next + 1);
    return read;
}

/* Damage can make an offset too large. Addresses are read in order except for
 * that, and none that is further ahead than a block can be (E-346). */
bool etm_etmv1_address_is_passed(const struct etm_etmv1_flow *flow,
                                 uint64_t number)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, number);

    if ((r->flags & ETM_RECORD_NOTED) == 0)
        return false;
    while (number++ < flow->next + ETM_ETMV1_WINDOW) {
        r = etm_etmv1_fifo_at(flow, number);
        if (r == NULL)
            return false;
        if ((r->flags & ETM_RECORD_NOTED) != 0)
            return true;
    }
    return false;
}
