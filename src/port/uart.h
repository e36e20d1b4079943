/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pin says in UART (NRZ) code, as the TPIU sends SWO: a start bit, which
 * is 0, eight data bits, the lowest first, and a stop bit, which is 1; in
 * between the pin is 1 (CoreSight TPIU and SWO, asynchronous serial modes).
 */
#ifndef ETM_PORT_UART_H
#define ETM_PORT_UART_H

#include "base/vec.h"

/* From this time on the pin has this level. */
struct etm_pin_change {
    uint64_t time; /* in any unit */
    uint8_t level; /* 0, 1, or 2: not known */
};

/* Times are fractions of a unit, of so many bits, where they are lengths of a
 * bit. */
#define ETM_UART_FRACTION 8u

/* The length of a bit, as the pulses show it, if they are several: the shortest
 * one that is not rare, measured over all. 0: they do not show it. */
uint64_t etm_uart_period(const struct etm_pin_change *changes, size_t n);

/*
 * Append the bytes of changes in the order of time to `bytes`. A byte whose
 * start or stop bit is wrong is appended as it was read, so that frames stay
 * aligned, and its index in `bytes` to `wrong` (uint64_t). ETM_OK or
 * ETM_ERR_MEMORY.
 */
int etm_uart_bytes(const struct etm_pin_change *changes, size_t n,
                   uint64_t period, struct etm_vec *bytes,
                   struct etm_vec *wrong);

#endif
