/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pin says in Manchester code, as a SWO sends it (CoreSight Components
 * TRM, DDI 0314, 11.11.2): a bit of 1 is high, then low, one of 0 low, then
 * high. Between a start bit, which is 1, and a stop bit, in which the pin stays
 * low, are one to eight bytes, the lowest bit first; otherwise the pin is low.
 */
#ifndef ETM_PORT_MANCHESTER_H
#define ETM_PORT_MANCHESTER_H

#include "port/uart.h"

/*
 * Append the bytes of changes in the order of time to `bytes`; `half` is half
 * of a bit (uart.h). Bits that end no byte are a byte nevertheless, and so is
 * one with a bit that is neither 0 nor 1: its index in `bytes` is appended to
 * `wrong` (uint64_t). ETM_OK or ETM_ERR_MEMORY.
 */
int etm_manchester_bytes(const struct etm_pin_change *changes, size_t n,
                         uint64_t half, struct etm_vec *bytes,
                         struct etm_vec *wrong);

/* Does the pin seem to be in this code, with such halves of bits? It is never
 * high for longer than two. */
bool etm_manchester_fits(const struct etm_pin_change *changes, size_t n,
                         uint64_t half);

#endif
