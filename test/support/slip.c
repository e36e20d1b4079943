/* SPDX-License-Identifier: Apache-2.0 */
#include "slip.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of one source; the caller frees them. */
static uint8_t *deframe(enum etm_frame_layout layout, uint8_t id,
                        const uint8_t *bytes, size_t n, size_t *size)
{
    struct etm_deframer_config config = {
        .size = sizeof config, .layout = layout, .id = id};
    struct etm_deframer *d;
    struct etm_deframed made;
    uint8_t *copy;

    if (etm_deframer_new(&d, &config) != ETM_OK ||
        etm_deframer_push(d, bytes, n) != ETM_OK ||
        etm_deframer_finish(d) != ETM_OK)
        abort();
    etm_deframer_take(d, &made);
    copy = malloc(made.n_bytes + 1);
    if (copy == NULL)
        abort();
    *size = made.n_bytes;
    if (made.n_bytes != 0)
        memcpy(copy, made.bytes, made.n_bytes);
    etm_deframer_free(d);
    return copy;
}

void etm_test_framed_init(struct etm_test_framed *framed,
                          enum etm_frame_layout layout, const uint8_t *bytes,
                          size_t n)
{
    struct etm_frame_counts counts;

    *framed =
        (struct etm_test_framed){.layout = layout, .bytes = bytes, .n = n};
    if (etm_frame_survey(&counts, layout, bytes, n, NULL) != ETM_OK)
        abort();
    for (unsigned id = 1; id < ETM_ID_RESERVED; id++)
        if (counts.bytes[id] != 0)
            framed->streams[id] =
                deframe(layout, (uint8_t)id, bytes, n, &framed->sizes[id]);
}

void etm_test_framed_fini(struct etm_test_framed *framed)
{
    for (unsigned id = 0; id < ETM_ID_RESERVED; id++)
        free(framed->streams[id]);
}

static size_t difference(const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
    size_t least = n < m ? n : m, begin = 0, end = 0;

    while (begin < least && a[begin] == b[begin])
        begin++;
    while (end < least - begin && a[n - end - 1] == b[m - end - 1])
        end++;
    return (n > m ? n : m) - begin - end;
}

size_t etm_test_slip_cost(const struct etm_test_framed *framed,
                          const struct etm_test_slip *slip)
{
    size_t n = framed->n - slip->lost + slip->twice, cost = 0;
    uint8_t *slipped = malloc(n);

    if (slipped == NULL)
        abort();
    memcpy(slipped, framed->bytes, slip->at + slip->twice);
    memcpy(slipped + slip->at + slip->twice,
           framed->bytes + slip->at + slip->lost,
           framed->n - slip->at - slip->lost);
    for (unsigned id = 1; id < ETM_ID_RESERVED; id++) {
        size_t size;
        uint8_t *stream;

        if (framed->streams[id] == NULL)
            continue;
        stream = deframe(framed->layout, (uint8_t)id, slipped, n, &size);
        cost +=
            difference(framed->streams[id], framed->sizes[id], stream, size);
        free(stream);
    }
    free(slipped);
    return cost;
}

static int ascending(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

size_t etm_test_percentile(size_t *values, size_t n, unsigned percent)
{
    qsort(values, n, sizeof *values, ascending);
    return values[(n - 1) * percent / 100];
}
