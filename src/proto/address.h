/* SPDX-License-Identifier: Apache-2.0 */
/* The address bytes of branch packets, which ETMv3 and PFT have in common (ETM
 * architecture 7.3.5, PFT architecture 4.5). Parsers in line: each reads up to
 * five bytes, which must be there. */
#ifndef ETM_PROTO_ADDRESS_H
#define ETM_PROTO_ADDRESS_H

#include "base/bits.h"
#include "base/bytes.h"

#include <etm/types.h>

#include <stddef.h>

/* Address bits [6:1] of the first byte, [13:7] of the second and so on. */
static inline uint32_t etm_address_bits(uint32_t word)
{
    return (word >> 1 & 0x3Fu) | (word >> 2 & 0x7Fu << 6) |
           (word >> 3 & 0x7Fu << 13) | (word >> 4 & 0x7Fu << 20);
}

/*
 * Branch packets, by which of their bytes is the last one, counted from 0: the
 * bits of the address that they give, how many these are, and a bit that is set
 * if exception information follows. A fifth byte is looked at separately. In
 * the alternative encoding the last of several bytes has one address bit less:
 * it says whether exception information follows.
 */
struct etm_address_form {
    uint32_t address, other;
    uint8_t bits;
};

#define ETM_ADDRESS_FORM_5 4u
static const struct etm_address_form
    etm_address_forms[2][ETM_ADDRESS_FORM_5 + 1] = {
        {{0x3Fu, 0, 6},
         {0x1FFFu, 0, 13},
         {0xFFFFFu, 0, 20},
         {0x7FFFFFFu, 0, 27},
         {0, UINT32_MAX, 0}},
        {{0x3Fu, 0, 6},
         {0xFFFu, 0x4000u, 12},
         {0x7FFFFu, 0x400000u, 19},
         {0x3FFFFFFu, 0x40000000u, 26},
         {0, UINT32_MAX, 0}},
};

/* The number of the last byte of a branch packet with these four bytes, which
 * is the first one without a C bit; ETM_ADDRESS_FORM_5 if there is none. */
static inline size_t etm_address_last_byte(uint32_t word)
{
    /* five bytes, if all have a C bit: the word is wider, and ends with zeros
     */
    return etm_zeros_below(~(uint64_t)word & UINT64_C(0x8080808080)) / 8;
}

/* The address after that packet. */
static inline uint32_t etm_address_apply(const struct etm_address_form *form,
                                         uint32_t address, uint32_t word)
{
    return address ^ ((address ^ etm_address_bits(word)) & form->address);
}

/*
 * The fifth byte, without a C bit (ETM architecture, table 7-8): the highest
 * set bit below bit 6 says how many address bits there are and so names the
 * instruction set. ETM_ISA_UNKNOWN: a reserved pattern.
 */
static inline enum etm_isa etm_address_fifth_isa(unsigned byte)
{
    if ((byte & 0x20) != 0) /* 0x1aaaaa */
        return ETM_ISA_JAZELLE;
    if ((byte & 0x10) != 0) /* 0x01aaaa */
        return ETM_ISA_THUMB;
    return (byte & 0x08) != 0 ? ETM_ISA_ARM : ETM_ISA_UNKNOWN; /* 0x001aaa */
}

#endif
