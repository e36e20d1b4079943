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

/* What a frame has, if all of it is right. */
struct etm_frame_parts {
    unsigned n;                       /* data bytes, */
    uint8_t data[ETM_FRAME_DATA];     /* their values, */
    uint8_t owner[ETM_FRAME_DATA];    /* and whose they are */
    unsigned n_ids;                   /* ID bytes, */
    uint8_t ids[ETM_FRAME_BYTES / 2]; /* and their IDs */
    uint8_t last;                     /* the ID in force after it */
};

/* `id` is in force before it. */
static inline void etm_frame_part(struct etm_frame_parts *p,
                                  const uint8_t *frame, uint8_t id)
{
    unsigned flags = frame[15];

    p->n = p->n_ids = 0;
    for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2, flags >>= 1) {
        uint8_t next = id;

        if ((frame[i] & 1) != 0) {
            next = p->ids[p->n_ids++] = frame[i] >> 1;
            id = (flags & 1) != 0 ? id : next;
        } else {
            p->owner[p->n] = id;
            p->data[p->n++] = (uint8_t)(frame[i] | (flags & 1));
        }
        if (i + 1 < ETM_FRAME_DATA) {
            p->owner[p->n] = id;
            p->data[p->n++] = frame[i + 1];
        }
        id = next;
    }
    p->last = id;
}

#endif
