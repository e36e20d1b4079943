/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that a logic analyser has read from an SWO pin in UART code, as it
 * writes them: tables of Saleae Logic ("Time [s],Value,Parity Error,Framing
 * Error"; "name,type,start_time,duration,data,error") and of DSView
 * ("Id,Time[ns],0:UART: RX/TX"), and annotations of sigrok ("uart-1: 48",
 * "1125-2125 UART: RX data: 48").
 */
#ifndef ETM_INPUT_SERIAL_H
#define ETM_INPUT_SERIAL_H

#include "base/vec.h"

#include <etm/types.h>

/* Does a file begin so? */
bool etm_serial_is(const uint8_t *bytes, size_t n);

/*
 * Append its bytes to `out`, and the indexes in it of those with an error to
 * `wrong` (uint64_t). ETM_ERR_FORMAT: a value is no byte; ETM_ERR_MEMORY.
 */
int etm_serial_read(const uint8_t *bytes, size_t n, const char *path,
                    struct etm_vec *out, struct etm_vec *wrong,
                    struct etm_diag *diag);

#endif
