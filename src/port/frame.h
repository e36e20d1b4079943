/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CoreSight formatter: 16-byte frames that carry several sources
 * (CoreSight architecture specification, chapter D4; CoreSight TMC and TPIU).
 */
#ifndef ETM_PORT_FRAME_H
#define ETM_PORT_FRAME_H

#include "base/vec.h"

#include <etm/types.h>

/* What the bytes around the frames look like. */
enum etm_frame_layout {
    ETM_FRAME_ALIGNED = 0, /* an ETB or TMC buffer: frames only, from the
                              first byte on */
    ETM_FRAME_TPIU         /* a TPIU stream: FSYNC (7f ff ff ff) and HSYNC
                              (7f ff) in every position; the capture may
                              begin in the middle of a frame */
};

#define ETM_FRAME_BYTES 16u
#define ETM_ID_NULL 0x00u    /* padding */
#define ETM_ID_TRIGGER 0x7du /* the trigger and flush markers' ID */

/*
 * A piece of one source's stream whose bytes stand together in the capture
 * except for bytes that carry no data of the source.
 */
struct etm_frame_run {
    uint64_t stream; /* offset in the source's stream */
    uint64_t file;   /* offset in the capture of that byte */
    uint32_t n;      /* bytes, consecutive in both */
    uint8_t id;
    bool gap;        /* capture bytes were lost just before this run */
};

/* etm_frame_event.kind */
enum etm_frame_event_kind {
    ETM_FRAME_TRIGGER = 1, /* data of ID 0x7d: its byte in `value` */
    ETM_FRAME_BAD          /* `n` bytes could not be used as a frame */
};

struct etm_frame_event {
    uint64_t file;
    uint32_t n;
    uint8_t kind;
    uint8_t value;
};
#endif
