/* SPDX-License-Identifier: Apache-2.0 */
/* What is in a session. open.c opens one, run.c reads its trace. */
#include "session/session.h"

#include "base/number.h"
#include "input/file.h"
#include "session/stream.h"

#include <string.h>

const struct etm_capture_core *
etm_session_core(const struct etm_session *session, size_t source)
{
    int core = etm_session_capture_source(session, source)->core;

    if (core < 0 || (size_t)core >= session->capture.cores.n)
        return NULL;
    return (const struct etm_capture_core *)session->capture.cores.data + core;
}

void etm_session_free(struct etm_session *session)
{
    struct etm_allocator allocator;

    if (!session)
        return;
    allocator = session->allocator;
    etm_vec_fini(&session->sources);
    etm_vec_fini(&session->buffers);
    etm_capture_close(&session->capture);
    etm_alloc_free(&allocator, session);
}

size_t etm_session_sources(const struct etm_session *session)
{
    return session->sources.n;
}

const struct etm_source_info *
etm_session_source(const struct etm_session *session, size_t index)
{
    const struct etm_source_info *infos = session->sources.data;

    return index < session->sources.n ? &infos[index] : NULL;
}

int etm_session_find(const struct etm_session *session, const char *text,
                     size_t *index)
{
    const struct etm_source_info *infos = session->sources.data;
    uint64_t id;

    for (size_t i = 0; i < session->sources.n; i++) {
        if (strcmp(infos[i].name, text) == 0) {
            *index = i;
            return ETM_OK;
        }
    }
    if (!etm_number_read(text, strlen(text), 10, UINT32_MAX, &id))
        return ETM_ERR_NOT_FOUND;
    for (size_t i = 0; i < session->sources.n; i++) {
        if (infos[i].id == id) {
            *index = i;
            return ETM_OK;
        }
    }
    return ETM_ERR_NOT_FOUND;
}

size_t etm_session_buffers(const struct etm_session *session)
{
    return session->buffers.n;
}

const struct etm_buffer_info *
etm_session_buffer(const struct etm_session *session, size_t index)
{
    const struct etm_buffer_info *infos = session->buffers.data;

    return index < session->buffers.n ? &infos[index] : NULL;
}

size_t etm_session_source_buffer(const struct etm_session *session,
                                 size_t source, size_t n)
{
    const struct etm_capture_source *s;

    if (source >= session->sources.n)
        return SIZE_MAX;
    s = etm_session_capture_source(session, source);
    if (n >= s->buffers.n)
        return SIZE_MAX;
    return ((const size_t *)s->buffers.data)[n];
}

const char *etm_session_code_file(const struct etm_session *session, size_t n)
{
    const struct etm_capture_core *cores = session->capture.cores.data;

    for (size_t i = 0; i < session->capture.cores.n; i++) {
        const struct etm_capture_memory *memory = cores[i].memory.data;

        if (n < cores[i].memory.n)
            return memory[n].path;
        n -= cores[i].memory.n;
    }
    return NULL;
}

const struct etm_mapping *etm_session_mapping(const struct etm_session *session,
                                              size_t n)
{
    const struct etm_mapping *mappings = session->capture.mappings.data;

    return n < session->capture.mappings.n ? &mappings[n] : NULL;
}

const char *etm_session_file(const struct etm_session *session, size_t n)
{
    char *const *files = session->capture.files.data;

    return n < session->capture.files.n ? files[n] : NULL;
}

uint64_t etm_session_bytes(const struct etm_session *session, size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    uint64_t bytes = 0;

    for (size_t i = 0; info && i < info->n_buffers; i++)
        bytes += etm_session_buffer(
                     session, etm_session_source_buffer(session, source, i))
                     ->bytes;
    return bytes;
}

int etm_session_count(const struct etm_session *session, size_t buffer,
                      struct etm_frame_counts *counts)
{
    const struct etm_capture_buffer *b;
    enum etm_frame_layout layout;

    if (!session || !counts || buffer >= session->buffers.n)
        return ETM_ERR_ARGUMENT;
    b = etm_session_capture_buffer(session, buffer);
    if (b->pipe != NULL)
        return ETM_ERR_ARGUMENT;
    if (etm_buffer_layout(b, &layout))
        return etm_buffer_survey(b, b->n, &session->allocator, counts);
    memset(counts, 0, sizeof *counts);
    counts->bytes[0] = b->n;
    return ETM_OK;
}

size_t etm_session_notes(const struct etm_session *session)
{
    return session->capture.notes.n;
}

size_t etm_session_faults(const struct etm_session *session)
{
    return session->capture.faults.n;
}

const char *etm_session_fault(const struct etm_session *session, size_t index)
{
    char *const *faults = session->capture.faults.data;

    return index < session->capture.faults.n ? faults[index] : NULL;
}

const char *etm_session_note(const struct etm_session *session, size_t index)
{
    char *const *notes = session->capture.notes.data;

    return index < session->capture.notes.n ? notes[index] : NULL;
}

size_t etm_session_read(const struct etm_session *session, size_t source,
                        uint32_t address, const struct etm_space *space,
                        uint8_t *bytes, size_t size)
{
    const struct etm_source_info *info = etm_session_source(session, source);

    if (!info || !info->image)
        return 0;
    return etm_image_read(info->image, address, space, bytes, size);
}
