/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of bytes that are one source's as they are. */
#include "session/stream.h"

/* Bytes of the capture, at this place of it. */
static int add_run(struct etm_stream *s, uint64_t file, const uint8_t *bytes,
                   size_t n)
{
    struct etm_place place = {.stream = s->made + s->records.n,
                              .file = file,
                              .n = n,
                              .unit = ETM_PLACE_SAMPLES,
                              .width = 8};
    int status = etm_vec_append(&s->records, bytes, n);

    return status == ETM_OK ? etm_places_add(&s->places, &place) : status;
}

int etm_stream_plain(struct etm_stream *s, const uint8_t *bytes, size_t n,
                     struct etm_stream_piece *piece)
{
    const struct etm_swo_facts *swo = &s->buffer->swo;
    const uint64_t begin = s->at - n;
    size_t wrong = 0, from = 0, to;
    int status = ETM_OK;

    piece->bytes = bytes;
    piece->n = n;
    if (swo->n_wrong == 0)
        return ETM_OK;
    while (wrong < swo->n_wrong && swo->wrong[wrong] < begin)
        wrong++;
    s->records.n = 0;
    for (; from < n && status == ETM_OK; from = to + 1) {
        to = n;
        if (wrong < swo->n_wrong && swo->wrong[wrong] < s->at)
            to = (size_t)(swo->wrong[wrong++] - begin);
        if (to != from)
            status = add_run(s, begin + from, bytes + from, to - from);
        if (status == ETM_OK && to != n)
            status = etm_vec_append(
                &s->gaps, &(struct etm_stream_gap){s->records.n, 1}, 1);
    }
    piece->bytes = s->records.data;
    piece->n = s->records.n;
    return status;
}
