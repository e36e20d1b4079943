/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: branch packets (7.3.5), bytes -> packets. */
#include "proto/etmv3.h"

/* Figure 7-25, tables 7-10 and (version 3.5) 7.9. */
static bool exception_bytes(const struct etm_etmv3_decoder *d,
                            struct etm_cursor *c, struct etm_packet *p)
{
    uint8_t byte = etm_cursor_u8(c);
    unsigned fields = ((byte & 0x01u) != 0 ? ETM_FIELD_NS : 0u) |
                      ((byte & 0x40u) != 0 ? ETM_FIELD_ALT_ISA : 0u);

    p->info = byte;
    p->exception = byte >> 1 & 0x0Fu;
    p->fields |= (uint16_t)((fields & d->state_fields) | ETM_FIELD_EXCEPTION_0);
    if ((byte & 0x20) != 0)
        p->fields |= ETM_FIELD_CANCEL;
    if ((byte & ETM_ETMV3_MORE) == 0 || d->config.minor < 4)
        return true;

    byte = etm_cursor_u8(c);
    if ((byte & 0x40) == 0) {
        p->fields |= ETM_FIELD_EXCEPTION_1;
        p->exception |= (uint16_t)((byte & 0x1Fu) << 4);
        if ((byte & 0x20) != 0)
            p->fields |= ETM_FIELD_HYP & d->state_fields;
        if ((byte & ETM_ETMV3_MORE) == 0)
            return true;
        byte = etm_cursor_u8(c);
        if ((byte & 0x40) == 0)
            return etm_etmv3_offends(c);
    }
    if ((byte & ETM_ETMV3_MORE) != 0)
        return etm_etmv3_offends(c);
    p->fields |= ETM_FIELD_EXCEPTION_2;
    p->resume = byte & 0x0F;
    return true;
}

/*
 * Table 7-8: the highest set bit below bit 6 says how many address bits there
 * are and so names the instruction set. False for a reserved pattern.
 */
static bool fifth_byte(uint8_t byte, struct etm_packet *p)
{
    if ((byte & ETM_ETMV3_MORE) != 0) { /* 1CEEEaaa, deprecated */
        p->fields |= (uint16_t)(ETM_FIELD_DEPRECATED |
                                ((byte & 0x40) != 0 ? ETM_FIELD_CANCEL : 0));
        p->exception = byte >> 3 & 0x07u;
        p->isa = ETM_ISA_ARM;
        p->address_bits = 30;
    } else if ((byte & 0x20) != 0) { /* 0x1aaaaa */
        p->isa = ETM_ISA_JAZELLE;
        p->address_bits = 32;
    } else if ((byte & 0x10) != 0) { /* 0x01aaaa */
        p->isa = ETM_ISA_THUMB;
        p->address_bits = 31;
    } else if ((byte & 0x08) != 0) { /* 0x001aaa */
        p->isa = ETM_ISA_ARM;
        p->address_bits = 30;
    } else {
        return false;
    }
    p->address |= (byte & ((1u << (p->address_bits - 27)) - 1)) << 27;
    return true;
}

/*
 * 7.3.5: up to five address bytes, of which `byte` is the first, and up to
 * three exception information bytes. In the original encoding only byte five
 * can announce these; in the alternative one (table 7-6) bit 6 of the last of
 * two to four bytes does, and is no address bit.
 */
bool etm_etmv3_branch(const struct etm_etmv3_decoder *d, uint8_t byte,
                      struct etm_cursor *c, struct etm_packet *p)
{
    uint32_t address = byte >> 1 & 0x3Fu;
    unsigned bits = 6;
    unsigned n = 1;
    bool exception = false;

    while ((byte & ETM_ETMV3_MORE) != 0 && n < 4) {
        byte = etm_cursor_u8(c);
        n++;
        if ((byte & ETM_ETMV3_MORE) == 0 && d->alternative) {
            address |= (byte & 0x3Fu) << bits;
            bits += 6;
            exception = (byte & 0x40) != 0;
        } else {
            address |= (byte & 0x7Fu) << bits;
            bits += 7;
        }
    }
    p->address = address;
    p->address_bits = (uint8_t)bits;
    p->fields |= ETM_FIELD_ADDRESS;
    if ((byte & ETM_ETMV3_MORE) != 0) { /* not after three bytes: n is 4 here */
        byte = etm_cursor_u8(c);
        n++;
        if (!fifth_byte(byte, p))
            return etm_etmv3_offends(c);
        exception = (byte & 0xC0) == 0x40;
    }
    p->address_bytes = (uint8_t)n;
    return !exception || exception_bytes(d, c, p);
}
