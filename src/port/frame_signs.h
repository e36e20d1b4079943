/* SPDX-License-Identifier: Apache-2.0 */
/* What in its bytes shows whether something is a frame. */
#ifndef ETM_PORT_FRAME_SIGNS_H
#define ETM_PORT_FRAME_SIGNS_H

#include "port/frame.h"

#include <string.h>

/* At most this many bytes of the null source that are not 0 count in a row.
 * Where padding was the end of the trace, all that follows without an ID byte
 * would be faults, in the right phase only. */
#define FAULTS_IN_A_ROW 2u

/* Do two bytes have a reserved trace ID? Not if all bytes are ff: such memory
 * was overwritten or never written, which is damage, and no sign of a wrong
 * phase. */
static inline bool is_reserved(const uint8_t *bytes)
{
    uint8_t id = bytes[0] >> 1;

    return id >= ETM_ID_RESERVED && id != ETM_ID_TRIGGER &&
           (bytes[0] & bytes[1]) != 0xff;
}

/* Memory that repeats itself every 8 bytes or more often: every phase has these
 * frames. No frame of trace is like that, with flags among its data. */
static inline bool is_filled(const uint8_t *frame)
{
    unsigned half = ETM_FRAME_BYTES / 2;

    return memcmp(frame, frame + half, half) == 0;
}

static inline bool is_half_sync(const uint8_t *bytes)
{
    return bytes[0] == 0xff && bytes[1] == 0x7f;
}

#endif
