/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of a buffer look like that is told to have no frames. */
#include "base/alloc.h"
#include "input/port_reader.h"
#include "port/frame.h"
#include "session/session.h"

/* Bytes of the beginning that show it. */
#define SAMPLE ((size_t)ETM_FRAME_SEARCH)

/* Full synchronizations that are no chance, and parts of a hundred of the
 * bytes that may be damaged. */
#define MANY_SYNCS 2u
#define DAMAGE_PERCENT 3u

static bool is_text(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] >= 0x7f ||
            (bytes[i] < ' ' && (bytes[i] < '\t' || bytes[i] > '\r')))
            return false;
    return n > 0;
}

/* A file of OpenOCD's, with a sample at least: of an ETMv1. */
static bool is_openocd(const uint8_t *bytes, size_t n)
{
    uint32_t etmcr;

    return n >= (size_t)2 * ETM_PORT_UNIT_MAX &&
           etm_port_openocd_header(bytes, n, &etmcr);
}

/* Between full synchronizations there are whole frames; *blocks: in the blocks
 * of a DSTREAM. */
static int is_tpiu(const uint8_t *bytes, size_t n,
                   const struct etm_allocator *allocator, bool *is,
                   bool *blocks)
{
    struct etm_frame_counts counts;
    int status = etm_frame_blocks(bytes, n, allocator, blocks);

    if (status == ETM_OK)
        status = etm_frame_survey(&counts,
                                  *blocks ? ETM_FRAME_DSTREAM : ETM_FRAME_TPIU,
                                  bytes, n, allocator);

    *is = status == ETM_OK && counts.full_syncs >= MANY_SYNCS &&
          counts.bad * 100 <= n * DAMAGE_PERCENT;
    return status;
}

int etm_session_guess_framing(const struct etm_session *session, size_t buffer,
                              enum etm_framing *framing)
{
    const struct etm_capture_buffer *b;
    size_t n;
    bool tpiu = false, blocks;
    int status;

    if (session == NULL || framing == NULL || buffer >= session->buffers.n)
        return ETM_ERR_ARGUMENT;
    b = etm_session_capture_buffer(session, buffer);
    *framing = b->framing;
    if (b->framing != ETM_FRAMING_NONE || b->pipe != NULL)
        return ETM_OK;
    n = b->n < SAMPLE ? b->n : SAMPLE;
    status = is_tpiu(b->bytes, n, &session->allocator, &tpiu, &blocks);
    if (status != ETM_OK)
        return status;
    if (is_text(b->bytes, n) || is_openocd(b->bytes, b->n))
        *framing = ETM_FRAMING_PORT;
    else if (tpiu)
        *framing = blocks ? ETM_FRAMING_DSTREAM : ETM_FRAMING_TPIU;
    else if (etm_frame_likely(b->bytes, n))
        *framing = ETM_FRAMING_CORESIGHT;
    else if (etm_frame_tpiu_likely(b->bytes, n))
        *framing = ETM_FRAMING_TPIU;
    return ETM_OK;
}
