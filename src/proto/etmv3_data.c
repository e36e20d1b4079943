/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv3: the data packets of section 7.4, bytes -> packets. */
#include "proto/etmv3.h"

/* 7.4.2: compressed as 7, 7, 7, 7 and 4 bits. BE came with version 3.1. */
static bool data_address(const struct etm_etmv3_decoder *d,
                         struct etm_cursor *c, struct etm_packet *p)
{
    unsigned n = 0;
    uint8_t byte;

    do {
        byte = etm_cursor_u8(c);
        if (n == 4) {
            if ((byte & ETM_ETMV3_MORE) != 0)
                return etm_etmv3_offends(c);
            p->address |= (uint32_t)(byte & 0x0Fu) << 28;
            if ((byte & ETM_ETMV3_BE) != 0 && d->config.minor >= 1)
                p->fields |= ETM_FIELD_BE;
        } else {
            p->address |= (byte & 0x7Fu) << (7 * n);
        }
        n++;
    } while ((byte & ETM_ETMV3_MORE) != 0);
    p->address_bytes = (uint8_t)n;
    p->address_bits = (uint8_t)(n < 5 ? 7 * n : 32);
    p->fields |= ETM_FIELD_ADDRESS;
    return true;
}

/* Table 7-19: without value tracing the size bits mean nothing. */
static void data_value(const struct etm_etmv3_decoder *d, struct etm_cursor *c,
                       struct etm_packet *p)
{
    static const uint8_t bytes[4] = {0, 1, 2, 4};

    if (!d->config.data_value)
        return;
    p->value_bytes = bytes[p->header >> 2 & 0x03u];
    p->value = etm_cursor_le(c, p->value_bytes);
    p->fields |= ETM_FIELD_VALUE;
}

bool etm_etmv3_data(const struct etm_etmv3_decoder *d, struct etm_cursor *c,
                    struct etm_packet *p)
{
    bool not_traced = p->kind == ETM_PACKET_VALUE_NOT_TRACED;

    if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA) { /* 0TT0SS00 */
        p->tag = p->header >> 5 & 0x03u;
        data_value(d, c, p);
        return true;
    }
    if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) /* 01A1TT00 */
        p->tag = p->header >> 2 & 0x03u;
    /* 011A1010, 00A0SS10: A says that an address follows, if addresses are
     * traced */
    if ((p->header & (not_traced ? 0x10 : 0x20)) != 0) {
        p->fields |= ETM_FIELD_A;
        if (d->config.data_address && !data_address(d, c, p))
            return false;
    }
    if (p->kind == ETM_PACKET_NORMAL_DATA)
        data_value(d, c, p);
    return true;
}
