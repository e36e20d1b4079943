/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that was written in a circle and read from its first byte on: the
 * newest trace is followed by the oldest. When the formatter of an ETB or a TMC
 * stops, it completes the last frame with zeros of the null source (CoreSight
 * ETB TRM, DDI 0242, "Formatter"), which memory has no use for elsewhere. The
 * newest trace ends behind the one frame that is like that and frames of zeros
 * after it, unless an ID and an A-sync begin the memory or follow there: then
 * trace begins where it should (E-643).
 */
#include "port/frame.h"

#include <string.h>

static bool is_blank(const uint8_t *frame)
{
    static const uint8_t zeros[ETM_FRAME_BYTES];

    return memcmp(frame, zeros, sizeof zeros) == 0;
}

/* Is the null source the last one of a frame, and are its data zeros? With bit
 * i of the last byte, the byte after an ID is still of the source before it. */
static bool is_last(const uint8_t *frame)
{
    unsigned i = ETM_FRAME_BYTES;
    uint8_t bits = frame[ETM_FRAME_BYTES - 1];

    do
        i -= 2;
    while (i != 0 && (frame[i] & 1) == 0);
    if (frame[i] != (ETM_ID_NULL << 1 | 1))
        return false;
    for (unsigned k = i + 1; k < ETM_FRAME_BYTES - 1; k++)
        if (frame[k] != 0 && (k != i + 1 || (bits >> i / 2 & 1) == 0))
            return false;
    return bits >> (i / 2 + 1) == 0;
}

/* An A-sync, behind an ID: trace begins here. */
static bool is_beginning(const uint8_t *frame)
{
    static const uint8_t zeros[5];

    return (frame[0] & 1) != 0 && memcmp(frame + 1, zeros, sizeof zeros) == 0;
}

size_t etm_frame_seam(const uint8_t *bytes, size_t n)
{
    size_t seam = 0;

    n -= n % ETM_FRAME_BYTES;
    if (n == 0 || n > ETM_FRAME_SEAM_MOST || is_beginning(bytes))
        return 0;
    for (size_t at = 0; at < n; at += ETM_FRAME_BYTES) {
        if (!is_last(bytes + at))
            continue;
        if (seam != 0)
            return 0;
        while (at + ETM_FRAME_BYTES < n &&
               is_blank(bytes + at + ETM_FRAME_BYTES))
            at += ETM_FRAME_BYTES;
        seam = at + ETM_FRAME_BYTES;
    }
    return seam == n || is_beginning(bytes + (seam < n ? seam : 0)) ? 0 : seam;
}
