/* SPDX-License-Identifier: Apache-2.0 */
/* Branch packets on the ETMv3 fast path: parsing the address. */
#ifndef ETM_FLOW_ETMV3_ADDRESS_H
#define ETM_FLOW_ETMV3_ADDRESS_H

#include "flow/etmv3/flow.h"
#include "flow/walk/address.h"

/* The address that a packet gave last; branch packets change its low bits. */
struct etm_etmv3_target {
    uint32_t address; /* without its lowest `shift` bits, which are 0 */
    unsigned shift;
    unsigned isa;   /* enum etm_isa of the address */
    uint32_t other; /* all bits: this instruction set has no short branch
                       packets; else 0 */
};

/* The address is one of this instruction set from now on. */
static inline void etm_etmv3_target_set_isa(struct etm_etmv3_target *target,
                                            unsigned isa)
{
    target->isa = isa;
    target->shift = isa == ETM_ISA_ARM ? 2 : 1;
    target->other = isa == ETM_ISA_JAZELLE ? UINT32_MAX : 0;
}

/* The address is what the flow knows. */
static inline void etm_etmv3_target_load(struct etm_etmv3_target *target,
                                         const struct etm_broadcast *base)
{
    etm_etmv3_target_set_isa(target, base->isa);
    target->address = base->address >> target->shift;
}

/* A branch packet of five bytes, as fifth_byte() of etmv3_branch.c, where the
 * last one names ARM or Thumb code and no exception. Returns its size, or 0. */
static inline unsigned etm_etmv3_parse_long(const struct etm_etmv3_flow *flow,
                                            uint32_t word, unsigned fifth,
                                            struct etm_etmv3_target *target)
{
    unsigned thumb = flow->base.alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;

    if ((fifth & 0xf8) == 0x08)
        etm_etmv3_target_set_isa(target, ETM_ISA_ARM);
    else if ((fifth & 0xf0) == 0x10)
        etm_etmv3_target_set_isa(target, thumb);
    else
        return 0;
    /* bits that are too high are lost in the shift */
    target->address = etm_address_bits(word) | (uint32_t)fifth << 27;
    return 5;
}

/*
 * Parse a branch packet without exception information, as etm_etmv3_branch()
 * does, but without a branch on its length unless it has five bytes; and apply
 * its address, as in broadcast.c. Returns its size, or 0 if it is another
 * packet.
 */
static inline unsigned
etm_etmv3_parse_branch(const struct etm_etmv3_flow *flow,
                       const struct etm_address_form *forms, const uint8_t *p,
                       struct etm_etmv3_target *target)
{
    const uint32_t word = etm_address_four(p);
    const size_t last = etm_address_last_byte(word);
    const struct etm_address_form *form = &forms[last];

    if ((word & (form->other | target->other)) != 0)
        return last == ETM_ADDRESS_FORM_5
                   ? etm_etmv3_parse_long(flow, word, p[4], target)
                   : 0;
    target->address = etm_address_apply(form, target->address, word);
    return (unsigned)last + 1;
}

/*
 * The same within an instruction set, that of the flow: changes *address, which
 * is without its low bits. Returns the size of the packet; 0, with nothing
 * done, if it is another one.
 */
static inline unsigned
etm_etmv3_parse_jump(const struct etm_etmv3_flow *flow,
                     const struct etm_address_form *forms, const uint8_t *p,
                     uint32_t *address)
{
    struct etm_etmv3_target target = {.address = *address};
    unsigned size;

    etm_etmv3_target_set_isa(&target, flow->base.isa);
    size = etm_etmv3_parse_branch(flow, forms, p, &target);
    if (size == 0 || target.isa != flow->base.isa)
        return 0;
    *address = target.address;
    return size;
}

#endif
