/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of a buffer show of their order and frames. */
#include "input/build.h"
#include "input/port_reader.h"
#include "port/frame.h"

/* Does the beginning of a TPIU's stream show where frames begin? What comes
 * from a pipe is not known yet. */
static int doubt_tpiu(struct etm_capture_buffer *b,
                      const struct etm_allocator *allocator)
{
    size_t n = b->n < ETM_FRAME_SEARCH ? b->n : ETM_FRAME_SEARCH;
    struct etm_frame_counts counts;
    uint8_t first;
    int status;

    if (b->pipe != NULL)
        return ETM_OK;
    status = etm_frame_survey(&counts, ETM_FRAME_TPIU, b->bytes, n, allocator);
    if (status == ETM_OK && counts.full_syncs == 0)
        b->doubt = etm_frame_tpiu_phase(b->bytes, n, &first) == ETM_PHASE_DOUBT;
    return status;
}

/* Reverse the bytes of words of a buffer, which is no pipe. */
static int reverse(struct etm_capture *capture, struct etm_capture_buffer *b,
                   unsigned word, const char *path, struct etm_diag *diag)
{
    struct etm_file file = {b->bytes, b->n, b->mapped, b->opened};
    int status = etm_file_reverse(&file, word, path, &capture->allocator, diag);

    b->bytes = file.bytes;
    b->mapped = file.mapped;
    b->opened = file.opened;
    b->swapped = (uint8_t)word;
    b->reversed = true;
    return status;
}

/* Frames that are declared to be those of memory: where they begin, and whether
 * they are a TPIU's. */
static int look_at_memory(struct etm_capture_buffer *b,
                          const struct etm_allocator *allocator)
{
    int status =
        etm_frame_synchronized(b->bytes, b->n, allocator, &b->synchronized);

    if (b->synchronized)
        b->framing = ETM_FRAMING_TPIU;
    else
        b->doubt = etm_frame_phase(b->bytes, b->n, true, &b->first_frame) ==
                   ETM_PHASE_DOUBT;
    return status;
}

bool etm_buffer_layout(const struct etm_capture_buffer *buffer,
                       enum etm_frame_layout *layout)
{
    switch (buffer->framing) {
    case ETM_FRAMING_NONE:
    case ETM_FRAMING_PORT:
    case ETM_FRAMING_TPIU_PORT: /* no buffer has these */
    case ETM_FRAMING_SWO:
    case ETM_FRAMING_MTB:
    case ETM_FRAMING_ORBFLOW:
        return false;
    case ETM_FRAMING_CORESIGHT:
        *layout = ETM_FRAME_ALIGNED;
        return true;
    case ETM_FRAMING_DSTREAM:
        *layout = buffer->blocks ? ETM_FRAME_DSTREAM : ETM_FRAME_TPIU;
        return true;
    case ETM_FRAMING_TPIU:
        *layout = ETM_FRAME_TPIU;
        return true;
    }
    return false;
}

int etm_build_look(struct etm_capture *capture, struct etm_capture_buffer *b,
                   const char *path, struct etm_diag *diag)
{
    const struct etm_allocator *a = &capture->allocator;
    int status = ETM_OK;

    if (capture->reverse > 1 && b->pipe == NULL)
        status = reverse(capture, b, capture->reverse, path, diag);
    if (status == ETM_OK && b->framing == ETM_FRAMING_CORESIGHT)
        status = look_at_memory(b, a);
    if (b->framing == ETM_FRAMING_CORESIGHT && capture->reverse == 0)
        b->swapped =
            (uint8_t)etm_frame_swapped(b->bytes, b->n, true, b->first_frame);
    if (b->swapped != 0 && !b->reversed)
        b->first_frame = 0;
    else if (b->framing == ETM_FRAMING_CORESIGHT)
        b->bare = etm_frame_unlikely(b->bytes, b->n);
    if (status == ETM_OK && b->framing == ETM_FRAMING_DSTREAM)
        status = etm_frame_blocks(b->bytes, b->n, a, &b->blocks);
    if (status == ETM_OK && b->framing == ETM_FRAMING_TPIU)
        status = doubt_tpiu(b, a);
    if (b->framing == ETM_FRAMING_PORT)
        b->form = etm_port_form_of(b->bytes, b->n);
    return status;
}
