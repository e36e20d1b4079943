/* SPDX-License-Identifier: Apache-2.0 */
/* Guessing the framing of a buffer that is declared to have no frames. */
#include "base/alloc.h"
#include "input/orbflow.h"
#include "input/port_reader.h"
#include "port/frame.h"
#include "session/judge.h"
#include "session/session.h"

#include <string.h>

/* Number of bytes examined at the beginning. */
#define SAMPLE ((size_t)ETM_FRAME_SEARCH)

/* Minimum number of full synchronizations, and percentage of bytes that may be
 * damaged. */
#define MANY_SYNCS 2u
#define DAMAGE_PERCENT 3u

static const uint8_t full_sync[4] = {0xff, 0xff, 0xff, 0x7f};

static bool is_text(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] >= 0x7f ||
            (bytes[i] < ' ' && (bytes[i] < '\t' || bytes[i] > '\r')))
            return false;
    return n > 0;
}

/* Is this a file of OpenOCD's "etm dump", with at least one sample, of an
 * ETMv1? */
static bool is_openocd(const uint8_t *bytes, size_t n)
{
    uint32_t etmcr;

    return n >= (size_t)2 * ETM_PORT_UNIT_MAX &&
           etm_port_openocd_header(bytes, n, &etmcr);
}

/* Are there whole frames between full synchronizations? *blocks: in the blocks
 * of a DSTREAM. */
static int is_tpiu(const uint8_t *bytes, size_t n,
                   const struct etm_allocator *allocator, bool *is,
                   bool *blocks)
{
    struct etm_frame_counts counts = {0};
    int status = etm_frame_blocks(bytes, n, allocator, blocks);

    if (status == ETM_OK)
        status = etm_frame_survey(&counts,
                                  *blocks ? ETM_FRAME_DSTREAM : ETM_FRAME_TPIU,
                                  bytes, n, allocator);

    *is = status == ETM_OK && counts.full_syncs >= MANY_SYNCS &&
          counts.bad * 100 <= n * DAMAGE_PERCENT;
    return status;
}

/*
 * A few kilobytes have too few A-syncs for their number to show frames, and an
 * ITM has none (E-343). They are frames if they are not known trace as they
 * are, and read as frames, which soon have a trace ID, have hardly any fault: a
 * few sources, each of which is explained to its last byte, evidently something
 * else (E-612), or has no A-sync at all, and not all of which have none. As a
 * TPIU's stream they need a full synchronization or some of a half-word, too.
 */
#define EXPLAINED ((size_t)65536)
#define FEW_SOURCES 4u

/* Minimum number of halfword synchronizations of a TPIU. */
#define MANY_HALF_SYNCS 4u

/* Are the bytes explained as trace up to the last one? *doubt: they are
 * something else. */
static int is_explained(const uint8_t *bytes, size_t n,
                        enum etm_frame_layout layout, uint8_t id,
                        const struct etm_allocator *allocator, bool *is,
                        bool *doubt)
{
    struct etm_guess guess = {.protocol = ETM_PROTOCOL_NONE};
    struct etm_deframed made;
    struct etm_deframer d;
    int status;

    etm_deframer_init(&d, layout, id, allocator);
    d.fixed = true;
    status = etm_deframer_push(&d, bytes, n);
    if (status == ETM_OK)
        status = etm_deframer_finish(&d);
    etm_deframer_take(&d, &made);
    if (status == ETM_OK)
        status = etm_guess_stream(made.bytes, made.n_bytes, allocator, &guess);
    etm_deframer_fini(&d);
    *is = *is || guess.other != NULL ||
          (guess.protocol != ETM_PROTOCOL_NONE && guess.bad_bytes == 0);
    *doubt = *doubt || guess.bad_bytes != 0;
    return status;
}

/* Are they, as frames in memory or, with synchronization, of a TPIU? */
static int is_explained_layout(const uint8_t *bytes, size_t n,
                               enum etm_frame_layout layout,
                               const struct etm_allocator *allocator, bool *is)
{
    struct etm_frame_counts counts;
    bool doubt = false;
    unsigned sources = 0;
    int status = etm_frame_survey(&counts, layout, bytes, n, allocator);

    *is = false;
    if (layout == ETM_FRAME_TPIU && counts.full_syncs == 0 &&
        counts.half_syncs < MANY_HALF_SYNCS)
        return status;
    for (unsigned id = 1; id < ETM_ID_RESERVED; id++)
        sources += counts.bytes[id] != 0;
    if (status != ETM_OK ||
        counts.bad > n * DAMAGE_PERCENT / 100 + ETM_FRAME_BYTES ||
        counts.bytes[ETM_ID_UNKNOWN] > 2 * ETM_FRAME_BYTES ||
        sources > FEW_SOURCES)
        return status;
    for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
        if (counts.bytes[id] != 0)
            status = is_explained(bytes, n, layout, (uint8_t)id, allocator, is,
                                  &doubt);
    *is = *is && !doubt;
    return status;
}

/* Are bytes that are not known trace as they are frames, and which?
 * ETM_FRAMING_NONE: they are not. */
static int explained_framing(const uint8_t *bytes, size_t n,
                             const struct etm_allocator *allocator,
                             enum etm_framing *framing)
{
    struct etm_guess plain;
    bool is = false;
    int status = etm_guess_stream(bytes, n, allocator, &plain);

    *framing = ETM_FRAMING_NONE;
    n = n < EXPLAINED ? n : EXPLAINED;
    if (status != ETM_OK || (plain.protocol != ETM_PROTOCOL_NONE &&
                             (!plain.weak || plain.bad_bytes == 0)))
        return status;
    /* a deframer of memory may pass over one full synchronization, too */
    status = is_explained_layout(bytes, n, ETM_FRAME_TPIU, allocator, &is);
    if (is)
        *framing = ETM_FRAMING_TPIU;
    if (is || status != ETM_OK)
        return status;
    status = is_explained_layout(bytes, n, ETM_FRAME_ALIGNED, allocator, &is);
    if (is)
        *framing = ETM_FRAMING_CORESIGHT;
    return status;
}

/* Append what a TPIU puts frames into: without the full synchronization `at`,
 * and the halfword synchronizations that are aligned as it is. *phase: of
 * frames, one of which begins behind it. */
static int put_frames(const uint8_t *bytes, size_t n, size_t at,
                      struct etm_vec *frames, unsigned *phase)
{
    uint8_t *out;
    size_t made = 0;

    if (etm_vec_reserve(frames, n) != ETM_OK)
        return ETM_ERR_MEMORY;
    out = frames->data;
    for (size_t i = 0; i < n;) {
        if (i == at) {
            *phase = (unsigned)(made % ETM_FRAME_BYTES);
            i += sizeof full_sync;
        } else if (i % 2 == at % 2 && n - i >= 2 && bytes[i] == 0xff &&
                   bytes[i + 1] == 0x7f) {
            i += 2;
        } else {
            out[made++] = bytes[i++];
        }
    }
    frames->n = made;
    return ETM_OK;
}

/*
 * Is there a full synchronization that fits what comes before and behind
 * it (E-532)? Without all synchronization there are frames then, and one begins
 * where it was.
 */
static int see_one_full_sync(const uint8_t *bytes, size_t n,
                             const struct etm_allocator *allocator, bool *is)
{
    struct etm_vec frames;
    unsigned due = 0, phase;
    size_t at = 0;
    int status;

    *is = false;
    while (n - at >= sizeof full_sync &&
           memcmp(bytes + at, full_sync, sizeof full_sync) != 0)
        at++;
    if (n - at < sizeof full_sync)
        return ETM_OK;
    etm_vec_init(&frames, 1, allocator);
    status = put_frames(bytes, n, at, &frames, &due);
    *is = status == ETM_OK && etm_frame_likely(frames.data, frames.n, &phase) &&
          phase == due;
    etm_vec_fini(&frames);
    return status;
}

/* Frames of memory never have halfword synchronization (E-316). */
static int memory_or_tpiu(const uint8_t *bytes, size_t n,
                          const struct etm_allocator *allocator,
                          enum etm_framing *framing)
{
    bool tpiu = false;
    int status = etm_frame_synchronized(bytes, n, allocator, &tpiu);

    *framing = tpiu ? ETM_FRAMING_TPIU : ETM_FRAMING_CORESIGHT;
    return status;
}

int etm_guess_framing(const uint8_t *bytes, size_t all,
                      const struct etm_allocator *allocator,
                      enum etm_framing *framing)
{
    size_t n = all < SAMPLE ? all : SAMPLE;
    bool tpiu = false, blocks = false, one = false, is = false;
    unsigned phase;
    int status;

    *framing = ETM_FRAMING_NONE;
    if (is_text(bytes, n) || is_openocd(bytes, all)) {
        status = etm_swo_is_named(bytes, all, allocator, &is);
        *framing = is ? ETM_FRAMING_SWO : ETM_FRAMING_PORT;
        return status;
    }
    status = etm_orbflow_is(bytes, n, allocator, &is);
    if (status != ETM_OK || is) {
        *framing = is ? ETM_FRAMING_ORBFLOW : ETM_FRAMING_NONE;
        return status;
    }
    status = is_tpiu(bytes, n, allocator, &tpiu, &blocks);
    if (status == ETM_OK && !tpiu)
        status = see_one_full_sync(bytes, n, allocator, &one);
    if (status != ETM_OK)
        return status;
    if (tpiu)
        *framing = blocks ? ETM_FRAMING_DSTREAM : ETM_FRAMING_TPIU;
    else if (one)
        *framing = ETM_FRAMING_TPIU;
    else if (etm_frame_likely(bytes, n, &phase))
        return memory_or_tpiu(bytes, n, allocator, framing);
    else if (etm_frame_tpiu_likely(bytes, n))
        *framing = ETM_FRAMING_TPIU;
    if (*framing == ETM_FRAMING_NONE)
        status = explained_framing(bytes, n, allocator, framing);
    return status;
}

int etm_session_guess_framing(const struct etm_session *session, size_t buffer,
                              enum etm_framing *framing)
{
    const struct etm_capture_buffer *b;

    if (session == NULL || framing == NULL || buffer >= session->buffers.n)
        return ETM_ERR_ARGUMENT;
    b = etm_session_capture_buffer(session, buffer);
    *framing = b->framing;
    if (b->framing != ETM_FRAMING_NONE || b->pipe != NULL)
        return ETM_OK;
    return etm_guess_framing(b->bytes, b->n, &session->allocator, framing);
}
