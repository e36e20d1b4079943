/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ETM_BASE_PROTOCOL_H
#define ETM_BASE_PROTOCOL_H

#include <etm/types.h>

#include <stdbool.h>

/*
 * Does the stream of this protocol consist of the cycles of a trace port, one
 * record each (proto/sample.h)? Others consist of bytes, and have A-syncs, five
 * or more bytes of 0 and one of 0x80, by which a decoder synchronizes (PFT
 * 4.2.1; 7.7.2).
 */
static inline bool etm_protocol_is_port(enum etm_protocol protocol)
{
    switch (protocol) {
    case ETM_PROTOCOL_ETMV1:
    case ETM_PROTOCOL_ETMV2:
        return true;
    case ETM_PROTOCOL_NONE:
    case ETM_PROTOCOL_ETMV3:
    case ETM_PROTOCOL_PFT:
        break;
    }
    return false;
}

#endif
