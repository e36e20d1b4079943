/* SPDX-License-Identifier: Apache-2.0 */
/* The session from inside. */
#ifndef ETM_SESSION_SESSION_H
#define ETM_SESSION_SESSION_H

#include "input/capture.h"

#include <etm/session.h>

struct etm_session {
    struct etm_allocator allocator;
    struct etm_capture capture;
    struct etm_vec sources; /* struct etm_source_info, one each */
    struct etm_vec buffers; /* struct etm_buffer_info, one each */
};

/* The parts of the capture, without a check of the index. */
static inline const struct etm_capture_source *
etm_session_capture_source(const struct etm_session *session, size_t index)
{
    return (const struct etm_capture_source *)session->capture.sources.data +
           index;
}

static inline const struct etm_capture_buffer *
etm_session_capture_buffer(const struct etm_session *session, size_t index)
{
    return (const struct etm_capture_buffer *)session->capture.buffers.data +
           index;
}

/* The processor of a source; NULL if none is known. */
const struct etm_capture_core *
etm_session_core(const struct etm_session *session, size_t source);

#endif
