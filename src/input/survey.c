/* SPDX-License-Identifier: Apache-2.0 */
/* Counting the contents of a formatted file, without memory for all of it. */
#include "input/capture.h"
#include "input/file.h"
#include "port/frame.h"

/* Bytes after which the memory of a mapped file is given back. */
#define PIECE ((size_t)1 << 22)

int etm_buffer_survey(const struct etm_capture_buffer *b, size_t n,
                      const struct etm_allocator *allocator,
                      struct etm_frame_counts *counts)
{
    enum etm_frame_layout layout = ETM_FRAME_TPIU;
    struct etm_deframer d;
    struct etm_deframed made;
    int status = ETM_OK;

    (void)etm_buffer_layout(b, &layout);
    etm_deframer_init(&d, layout, ETM_ID_NULL, allocator);
    d.fixed = b->made;
    if (layout == ETM_FRAME_ALIGNED)
        etm_deframer_begin(&d, (ETM_FRAME_BYTES - b->first_frame) %
                                   ETM_FRAME_BYTES);
    for (size_t at = 0; at < n && status == ETM_OK; at += PIECE) {
        size_t some = n - at < PIECE ? n - at : PIECE;

        status = etm_deframer_push(&d, b->bytes + at, some);
        etm_deframer_take(&d, &made);
        if (b->mapped && n > PIECE)
            etm_file_forget(b->bytes + at, some);
    }
    if (status == ETM_OK)
        status = etm_deframer_finish(&d);
    *counts = d.counts;
    etm_deframer_fini(&d);
    return status;
}
