/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of memory that were stored in the wrong byte order (doc/errata.md,
 * E-353): nothing can be made of the bytes as they are, and trace of the
 * reversed ones.
 */
#include "session/settle.h"

#include "input/file.h"
#include "port/frame.h"
#include "session/judge.h"

#include <string.h>

/* Bytes that are examined: enough for several synchronizations. */
#define SAMPLE ((size_t)32768)

/* Most sources in frames, and the least trace of one that is told from what
 * looks like it by chance. */
#define FEW_SOURCES 8u
#define LITTLE 48u
#define DAMAGE_PERCENT 3u

/* More than this has so many A-syncs that their number decides first. */
#define SMALL ((size_t)8192)

struct sample {
    const uint8_t *bytes;
    size_t n;
    enum etm_framing framing;
    bool told;  /* that there are none, if there are none */
    bool other; /* other trace explains them, too (E-612) */
    const struct etm_allocator *allocator;
};

static int is_trace(const struct sample *s, const uint8_t *bytes, size_t n,
                    bool *is)
{
    struct etm_guess guess;
    int status = etm_guess_stream(bytes, n, s->allocator, &guess);

    *is = *is || (s->other && guess.other != NULL) ||
          (n >= LITTLE && guess.protocol != ETM_PROTOCOL_NONE && !guess.weak);
    return status;
}

/* Is that source of the frames trace? */
static int is_source(const struct sample *s, enum etm_frame_layout layout,
                     uint8_t id, bool *is)
{
    struct etm_deframed made;
    struct etm_deframer d;
    int status;

    etm_deframer_init(&d, layout, id, s->allocator);
    d.fixed = true;
    status = etm_deframer_push(&d, s->bytes, s->n);
    etm_deframer_take(&d, &made);
    if (status == ETM_OK)
        status = is_trace(s, made.bytes, made.n_bytes, is);
    etm_deframer_fini(&d);
    return status;
}

/* Are there the frames of a few sources, one of which is trace? */
static int has_trace(const struct sample *s, enum etm_frame_layout layout,
                     bool *is)
{
    struct etm_frame_counts counts;
    unsigned sources = 0;
    int status =
        etm_frame_survey(&counts, layout, s->bytes, s->n, s->allocator);

    for (unsigned id = 1; id < ETM_ID_RESERVED; id++)
        sources += counts.bytes[id] != 0;
    if (status != ETM_OK || sources > FEW_SOURCES ||
        counts.bad > ETM_FRAME_BYTES + s->n * DAMAGE_PERCENT / 100)
        return status;
    for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
        if (counts.bytes[id] != 0 && !*is)
            status = is_source(s, layout, (uint8_t)id, is);
    return status;
}

/* Is there trace in the bytes as they are? */
static int is_explained(struct sample s, bool *is)
{
    enum etm_frame_layout layout = ETM_FRAME_TPIU;
    bool blocks = false;
    uint8_t first = 0;
    int status = ETM_OK;

    *is = false;
    if (s.framing == ETM_FRAMING_NONE && !s.told)
        status = etm_guess_framing(s.bytes, s.n, s.allocator, &s.framing);
    if (status != ETM_OK || s.framing == ETM_FRAMING_PORT)
        return status;
    if (s.framing == ETM_FRAMING_NONE)
        return is_trace(&s, s.bytes, s.n, is);
    if (s.framing == ETM_FRAMING_DSTREAM)
        status = etm_frame_blocks(s.bytes, s.n, s.allocator, &blocks);
    if (blocks)
        layout = ETM_FRAME_DSTREAM;
    if (s.framing == ETM_FRAMING_CORESIGHT) {
        layout = ETM_FRAME_ALIGNED;
        (void)etm_frame_phase(s.bytes, s.n, true, &first);
        s.bytes += first;
        s.n -= first;
    }
    return status == ETM_OK ? has_trace(&s, layout, is) : status;
}

/* Does a full synchronization of a TPIU occur? */
static bool is_synchronized(const uint8_t *bytes, size_t n)
{
    static const uint8_t sync[] = {0xff, 0xff, 0xff, 0x7f};

    for (size_t i = 0; i + sizeof sync <= n; i++)
        if (memcmp(bytes + i, sync, sizeof sync) == 0)
            return true;
    return false;
}

/* Is a closer look worth its time? */
static bool is_suspect(const struct etm_capture_buffer *b, bool told)
{
    bool memory = b->framing == ETM_FRAMING_CORESIGHT;
    bool plain = b->framing == ETM_FRAMING_NONE;

    if (b->n <= SMALL)
        return true;
    if (!memory && !plain)
        return !is_synchronized(b->bytes, b->n < SAMPLE ? b->n : SAMPLE);
    return ((memory || !told) &&
            etm_frame_swapped(b->bytes, b->n, true, b->first_frame) != 0) ||
           (plain && etm_frame_swapped(b->bytes, b->n, false, 0) != 0);
}

int etm_order_find(const struct etm_capture_buffer *b, bool told,
                   const struct etm_allocator *allocator, unsigned *word)
{
    static const unsigned words[] = {4, 2, 8};
    struct sample s = {b->bytes,   b->n < SAMPLE ? b->n : SAMPLE,
                       b->framing, told,
                       true,       allocator};
    uint8_t *reversed;
    bool is;
    int status;

    *word = 0;
    if (!is_suspect(b, told))
        return ETM_OK;
    status = is_explained(s, &is);
    if (status != ETM_OK || is)
        return status;
    reversed = etm_alloc_zero(allocator, s.n);
    if (reversed == NULL)
        return ETM_ERR_MEMORY;
    s.bytes = reversed;
    s.other = false;
    for (size_t i = 0; i < 3 && status == ETM_OK && *word == 0; i++) {
        etm_bytes_reverse(reversed, b->bytes, s.n, words[i]);
        status = is_explained(s, &is);
        if (status == ETM_OK && is)
            *word = words[i];
    }
    etm_alloc_free(allocator, reversed);
    return status;
}
