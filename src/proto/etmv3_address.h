/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: parsers of addresses in line, for the packet decoder and the flow. */
#ifndef ETM_PROTO_ETMV3_ADDRESS_H
#define ETM_PROTO_ETMV3_ADDRESS_H

#include "base/bytes.h"
#include "proto/address.h"
#include "proto/broadcast.h"
#include "proto/etmv3.h"

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

/* A branch packet of five bytes of ARM or Thumb code and without an exception.
 * Returns its size, or 0. `alt_isa`: Thumb code is ThumbEE. */
static inline unsigned etm_etmv3_parse_long(bool alt_isa, uint32_t word,
                                            unsigned fifth,
                                            struct etm_etmv3_target *target)
{
    enum etm_isa isa = etm_address_fifth_isa(fifth);

    if ((fifth & 0xc0) != 0 || isa == ETM_ISA_UNKNOWN || isa == ETM_ISA_JAZELLE)
        return 0;
    if (isa == ETM_ISA_THUMB && alt_isa)
        isa = ETM_ISA_THUMBEE;
    etm_etmv3_target_set_isa(target, isa);
    /* bits that are too high are lost in the shift */
    target->address = etm_address_bits(word) | (uint32_t)fifth << 27;
    return 5;
}

/*
 * Parse a branch packet without exception information, without a branch on its
 * length unless it has five bytes, and apply its address, as
 * etm_broadcast_apply() does. Returns its size, or 0 if it is another packet.
 */
static inline unsigned
etm_etmv3_parse_branch(const struct etm_address_form *forms, bool alt_isa,
                       const uint8_t *p, struct etm_etmv3_target *target)
{
    const uint32_t word = etm_le32(p);
    const size_t last = etm_address_last_byte(word);
    const struct etm_address_form *form = &forms[last];

    if ((word & (form->other | target->other)) != 0)
        return last == ETM_ADDRESS_FORM_5
                   ? etm_etmv3_parse_long(alt_isa, word, p[4], target)
                   : 0;
    target->address = etm_address_apply(form, target->address, word);
    return (unsigned)last + 1;
}

/* The address of a data packet (7.4.2). */
struct etm_etmv3_data_address {
    uint32_t address, mask; /* the bits that it gives; all: `be` is new, too */
    bool be;                /* came with version 3.1 */
};

/* Parse it: 7, 7, 7, 7 and 4 bits. Returns its bytes, or 0 if a sixth byte were
 * to follow, which is bad. */
static inline unsigned
etm_etmv3_parse_data_address(const uint8_t *p, struct etm_etmv3_data_address *a)
{
    static const uint32_t masks[6] = {0,        0x7f,      0x3fff,
                                      0x1fffff, 0xfffffff, UINT32_MAX};
    const uint32_t word = etm_le32(p);
    const unsigned n = (unsigned)etm_address_last_byte(word) + 1;

    a->address = (word & 0x7fu) | (word >> 1 & 0x7fu << 7) |
                 (word >> 2 & 0x7fu << 14) | (word >> 3 & 0x7fu << 21);
    a->mask = masks[n];
    if (n == 5) {
        if ((p[4] & ETM_ETMV3_MORE) != 0)
            return 0;
        a->address |= (uint32_t)p[4] << 28;
        a->be = (p[4] & ETM_ETMV3_BE) != 0;
    }
    a->address &= a->mask;
    return n;
}

/* Parse a value (table 7-19): the size bits of its header say how many bytes it
 * has. */
static inline unsigned etm_etmv3_parse_value(const uint8_t *p, uint8_t header,
                                             uint32_t *value)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4};
    static const uint32_t masks[4] = {0, 0xff, 0xffff, UINT32_MAX};
    const unsigned size = header >> 2 & 3u;

    *value = etm_le32(p) & masks[size];
    return sizes[size];
}

#endif
