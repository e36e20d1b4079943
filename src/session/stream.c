/* SPDX-License-Identifier: Apache-2.0 */
/* One source's stream out of one buffer, a piece at a time. */
#include "session/stream.h"

bool etm_framing_layout(enum etm_framing framing, enum etm_frame_layout *layout)
{
    switch (framing) {
    case ETM_FRAMING_NONE:
    case ETM_FRAMING_PORT:
        return false;
    case ETM_FRAMING_CORESIGHT:
        *layout = ETM_FRAME_ALIGNED;
        return true;
    case ETM_FRAMING_DSTREAM:
    case ETM_FRAMING_TPIU:
        *layout = ETM_FRAME_TPIU;
        return true;
    }
    return false;
}

void etm_stream_init(struct etm_stream *stream,
                     const struct etm_capture_buffer *buffer, uint8_t id,
                     const struct etm_allocator *allocator)
{
    enum etm_frame_layout layout;

    *stream = (struct etm_stream){.buffer = buffer};
    stream->framed = etm_framing_layout(buffer->framing, &layout);
    if (stream->framed)
        etm_deframer_init(&stream->deframer, layout, id, allocator);
}

void etm_stream_fini(struct etm_stream *stream)
{
    if (stream->framed)
        etm_deframer_fini(&stream->deframer);
}

int etm_stream_next(struct etm_stream *stream, struct etm_deframed *made)
{
    const uint8_t *bytes = stream->buffer->bytes;
    size_t left = stream->buffer->n - stream->at;
    size_t n = left < ETM_STREAM_PIECE ? left : ETM_STREAM_PIECE;
    size_t at = stream->at;
    int status = ETM_OK;

    stream->at += n;
    stream->done = stream->at == stream->buffer->n;
    if (!stream->framed) {
        *made =
            (struct etm_deframed){.bytes = n ? bytes + at : NULL, .n_bytes = n};
        return ETM_OK;
    }
    if (n > 0)
        status = etm_deframer_push(&stream->deframer, bytes + at, n);
    if (status == ETM_OK && stream->done)
        status = etm_deframer_finish(&stream->deframer);
    if (status == ETM_OK)
        etm_deframer_take(&stream->deframer, made);
    return status;
}
