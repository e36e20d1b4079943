/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a buffer: where reading begins, and what belongs to the part. */
#ifndef ETM_SESSION_PART_H
#define ETM_SESSION_PART_H

#include "session/session.h"
#include "session/stream.h"

/* Places are bytes of the buffer; `skip` counts bytes of the stream from there.
 * Samples of a port are always read from the first one on. */
struct etm_part {
    uint64_t from;  /* reading begins */
    uint64_t skip;  /* this many bytes of the stream are ignored */
    uint64_t quiet; /* what comes before this is only for warming up */
    uint64_t stop;  /* and here it ends */
    bool ends;      /* with what is held back, and an `end` */
    bool cut;       /* before the end of the buffer, as was asked for */
};

/* The whole of a buffer. */
struct etm_part etm_part_whole(const struct etm_capture_buffer *buffer);

/*
 * Bytes `begin` to `end` of a buffer. ETM_OK, ETM_ERR_MEMORY, ETM_ERR_CONFIG,
 * ETM_ERR_FORMAT.
 */
int etm_part_find(const struct etm_session *session,
                  const struct etm_source_info *info,
                  const struct etm_capture_buffer *buffer, uint64_t begin,
                  uint64_t end, enum etm_session_start start,
                  struct etm_part *part, struct etm_diag *diag);

/* What the stream of a source depends on (reading.c). */
struct etm_stream_source
etm_session_stream_source(const struct etm_source_info *info);

#endif
