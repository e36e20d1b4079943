/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources of a raw file whose bytes evidently are the trace of something else
 * than an ETM or PTM: that of an ITM is decoded as such, other is named
 * (doc/errata.md, E-612).
 */
#include "session/settle.h"

#include "input/build.h"
#include "input/other_trace.h"
#include "input/text.h"
#include "session/judge.h"
#include "session/stream.h"

#include <string.h>

/* More trace IDs than this are no sources, but noise. */
#define MANY_SOURCES 32u

/* Bytes of a file with frames in which those of one source are looked for. */
#define FRAMED_BYTES ((size_t)16 * ETM_OTHER_TRACE_BYTES)

bool etm_source_is_other(const struct etm_session *session, size_t source)
{
    return etm_session_capture_source(session, source)->type[0] != '\0';
}

/* Bytes without frames say nothing if they look like frames. */
static int name_bare(const struct etm_session *session, const char **name)
{
    const struct etm_capture_buffer *b = etm_session_capture_buffer(session, 0);
    enum etm_framing framing;
    int status;

    *name = etm_other_trace_name(b->bytes, b->n);
    if (*name == NULL)
        return ETM_OK;
    status = etm_guess_framing(b->bytes, b->n, &session->allocator, &framing);
    if (framing != ETM_FRAMING_NONE)
        *name = NULL;
    return status;
}

static int name_framed(const struct etm_session *session, size_t source,
                       enum etm_frame_layout layout, const char **name)
{
    const struct etm_capture_buffer *b = etm_session_capture_buffer(session, 0);
    struct etm_deframed made;
    struct etm_deframer d;
    int status;

    etm_deframer_init(&d, layout,
                      etm_session_capture_source(session, source)->id,
                      &session->allocator);
    if (layout == ETM_FRAME_ALIGNED)
        etm_deframer_begin(&d, (ETM_FRAME_BYTES - b->first_frame) %
                                   ETM_FRAME_BYTES);
    status = etm_deframer_push(&d, b->bytes,
                               b->n < FRAMED_BYTES ? b->n : FRAMED_BYTES);
    if (status == ETM_OK)
        status = etm_deframer_finish(&d);
    etm_deframer_take(&d, &made);
    *name = etm_other_trace_name(made.bytes, made.n_bytes);
    etm_deframer_fini(&d);
    return status;
}

/* Configure it as an ITM, whatever was assumed before. */
static int take_itm(struct etm_session *session, size_t source)
{
    struct etm_capture *capture = &session->capture;
    const char *name = etm_build_source_at(capture, source)->name;
    char *assumed = etm_text_print(&session->allocator, "%s: ETM", name);

    if (assumed == NULL)
        return ETM_ERR_MEMORY;
    etm_build_forget_notes(capture, assumed);
    etm_alloc_free(&session->allocator, assumed);
    etm_build_source_at(capture, source)->guessed = true;
    return etm_capture_configure_raw(capture, source, ETM_PROTOCOL_ITM, NULL);
}

static int tell(struct etm_session *session, size_t source, const char *name)
{
    struct etm_capture_source *s =
        etm_build_source_at(&session->capture, source);

    etm_alloc_free(&session->allocator, s->type);
    s->type = etm_text_copy(&session->allocator, name, strlen(name));
    if (s->type == NULL)
        return ETM_ERR_MEMORY;
    if (strcmp(name, ETM_OTHER_ITM) == 0)
        return take_itm(session, source);
    return etm_build_why_not(
        &session->capture, source,
        "the bytes look like %s, which is not decoded here", name);
}

int etm_session_name_others(struct etm_session *session, bool told, bool sure)
{
    const struct etm_capture_buffer *b = session->capture.buffers.data;
    size_t n = session->capture.sources.n;
    enum etm_frame_layout layout = ETM_FRAME_ALIGNED;
    int status = ETM_OK;

    if (!session->capture.raw || n > MANY_SOURCES || b->pipe != NULL ||
        b->framing == ETM_FRAMING_PORT)
        return ETM_OK;
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const char *name = NULL;

        if (etm_session_capture_source(session, i)->decodable && told &&
            (sure || n == 1))
            continue;
        status = etm_buffer_layout(b, &layout)
                     ? name_framed(session, i, layout, &name)
                     : name_bare(session, &name);
        if (status == ETM_OK && name != NULL)
            status = tell(session, i, name);
    }
    return status;
}
