/* SPDX-License-Identifier: Apache-2.0 */
/* Branch packets on the ETMv3 fast path: parsing the address. */
#ifndef ETM_FLOW_ETMV3_ADDRESS_H
#define ETM_FLOW_ETMV3_ADDRESS_H

#include "base/bits.h"
#include "flow/etmv3_flow.h"

/* The address that a packet gave last; branch packets change its low bits. */
struct etm_etmv3_target {
    uint32_t address; /* without its lowest `shift` bits, which are 0 */
    unsigned shift;
    unsigned isa;   /* enum etm_isa of the address */
    uint32_t other; /* all bits: this instruction set has no short branch
                       packets; else 0 */
};

/* Four bytes, the first one lowest. */
static inline uint32_t etm_etmv3_four(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* Address bits [6:1] of the first byte, [13:7] of the second and so on. */
static inline uint32_t etm_etmv3_bits_of(uint32_t word)
{
    return (word >> 1 & 0x3Fu) | (word >> 2 & 0x7Fu << 6) |
           (word >> 3 & 0x7Fu << 13) | (word >> 4 & 0x7Fu << 20);
}

/*
 * Branch packets without exception information, by which of their bytes is the
 * last one, counted from 0: the bits of the address that they give, and a bit
 * that is set in those that do have it. A fifth byte is looked at separately.
 * In the alternative encoding the last of several bytes has one address bit
 * less: it says whether exception information follows.
 */
struct etm_etmv3_form {
    uint32_t address, other;
};

#define ETM_ETMV3_FORM_5 4u
static const struct etm_etmv3_form etm_etmv3_forms[2][ETM_ETMV3_FORM_5 + 1] = {
    {{0x3Fu, 0}, {0x1FFFu, 0}, {0xFFFFFu, 0}, {0x7FFFFFFu, 0}, {0, UINT32_MAX}},
    {{0x3Fu, 0},
     {0xFFFu, 0x4000u},
     {0x7FFFFu, 0x400000u},
     {0x3FFFFFFu, 0x40000000u},
     {0, UINT32_MAX}},
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
    target->address = etm_etmv3_bits_of(word) | (uint32_t)fifth << 27;
    return 5;
}

/* The number of the last byte of a branch packet with these four bytes, which
 * is the first one without a C bit; ETM_ETMV3_FORM_5 if there is none. */
static inline size_t etm_etmv3_last_byte(uint32_t word)
{
    /* five bytes, if all have a C bit: the word is wider, and ends with zeros
     */
    return etm_zeros_below(~(uint64_t)word & UINT64_C(0x8080808080)) / 8;
}

/* The address after that packet. */
static inline uint32_t etm_etmv3_apply_bits(const struct etm_etmv3_form *form,
                                            uint32_t address, uint32_t word)
{
    return address ^ ((address ^ etm_etmv3_bits_of(word)) & form->address);
}

/*
 * Parse a branch packet without exception information, as etm_etmv3_branch()
 * does, but without a branch on its length unless it has five bytes; and apply
 * its address, as in broadcast.c. Returns its size, or 0 if it is another
 * packet.
 */
static inline unsigned
etm_etmv3_parse_branch(const struct etm_etmv3_flow *flow,
                       const struct etm_etmv3_form *forms, const uint8_t *p,
                       struct etm_etmv3_target *target)
{
    const uint32_t word = etm_etmv3_four(p);
    const size_t last = etm_etmv3_last_byte(word);
    const struct etm_etmv3_form *form = &forms[last];

    if ((word & (form->other | target->other)) != 0)
        return last == ETM_ETMV3_FORM_5
                   ? etm_etmv3_parse_long(flow, word, p[4], target)
                   : 0;
    target->address = etm_etmv3_apply_bits(form, target->address, word);
    return (unsigned)last + 1;
}

#endif
