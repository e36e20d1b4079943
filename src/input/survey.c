/* SPDX-License-Identifier: Apache-2.0 */
/* Counting the contents of a formatted file, without memory for all of it. */
#include "input/file.h"
#include "port/frame.h"

/* Bytes after which the memory of a mapped file is given back. */
#define PIECE ((size_t)1 << 22)

int etm_file_survey(struct etm_frame_counts *counts,
                    enum etm_frame_layout layout, unsigned first,
                    const struct etm_file *file,
                    const struct etm_allocator *allocator)
{
    struct etm_deframer d;
    struct etm_deframed made;
    int status = ETM_OK;

    etm_deframer_init(&d, layout, ETM_ID_NULL, allocator);
    if (layout == ETM_FRAME_ALIGNED)
        etm_deframer_begin(&d, (ETM_FRAME_BYTES - first) % ETM_FRAME_BYTES);
    for (size_t at = 0; at < file->n && status == ETM_OK; at += PIECE) {
        size_t n = file->n - at < PIECE ? file->n - at : PIECE;

        status = etm_deframer_push(&d, file->bytes + at, n);
        etm_deframer_take(&d, &made);
        if (file->mapped && file->n > PIECE)
            etm_file_forget(file->bytes + at, n);
    }
    if (status == ETM_OK)
        status = etm_deframer_finish(&d);
    *counts = d.counts;
    etm_deframer_fini(&d);
    return status;
}
