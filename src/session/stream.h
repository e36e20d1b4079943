/* SPDX-License-Identifier: Apache-2.0 */
/* One source's stream out of one buffer, a piece at a time. */
#ifndef ETM_SESSION_STREAM_H
#define ETM_SESSION_STREAM_H

#include "input/capture.h"
#include "port/frame.h"

/* Bytes of the capture that are read at a time. */
#define ETM_STREAM_PIECE 65536u

struct etm_stream {
    const struct etm_capture_buffer *buffer;
    struct etm_deframer deframer;
    bool framed;
    size_t at; /* bytes of the buffer that were read */
    bool done;
};

/* fini is due afterwards. */
void etm_stream_init(struct etm_stream *stream,
                     const struct etm_capture_buffer *buffer, uint8_t id,
                     const struct etm_allocator *allocator);
void etm_stream_fini(struct etm_stream *stream);

/* Whether the sources of a buffer are wrapped in frames, and in which. */
bool etm_framing_layout(enum etm_framing framing,
                        enum etm_frame_layout *layout);

/*
 * The next piece. An unframed buffer has no runs: offsets in its stream are
 * offsets in the file. ETM_OK, ETM_ERR_MEMORY. `stream->done` says that this
 * was the last one.
 */
int etm_stream_next(struct etm_stream *stream, struct etm_deframed *made);

#endif
