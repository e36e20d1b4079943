/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction of any set: its bytes. */
#include "base/bytes.h"
#include "isa/decode.h"

/* False: the bytes are too few. */
static bool decode_thumb(struct etm_insn *insn, enum etm_isa isa,
                         enum etm_profile profile, uint32_t address,
                         const uint8_t *bytes, size_t n)
{
    uint16_t first;

    if (n < 2)
        return false;
    first = etm_le16(bytes);
    /* A6.1: 0b11101, 0b11110 and 0b11111 begin a 32-bit instruction */
    if (first < 0xe800) {
        etm_insn_decode_thumb16(insn, isa, profile, address, first);
        return true;
    }
    if (n < 4)
        return false;
    etm_insn_decode_thumb32(insn, isa, profile, address,
                            (uint32_t)first << 16 | etm_le16(bytes + 2));
    return true;
}

void etm_insn_decode(struct etm_insn *insn, enum etm_isa isa,
                     enum etm_profile profile, uint32_t address,
                     const uint8_t *bytes, size_t n)
{
    switch (isa) {
    case ETM_ISA_UNKNOWN:
        break;
    case ETM_ISA_ARM:
        if (n < 4)
            break;
        etm_insn_decode_arm(insn, profile, address,
                            (uint32_t)etm_le16(bytes + 2) << 16 |
                                etm_le16(bytes));
        return;
    case ETM_ISA_THUMB:
    case ETM_ISA_THUMBEE:
        if (!decode_thumb(insn, isa, profile, address, bytes, n))
            break;
        return;
    case ETM_ISA_JAZELLE:
        etm_insn_decode_jazelle(insn, address, bytes, n);
        return;
    }
    etm_decode_begin(insn, 0, 0);
}
