/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a fuzzer needs from a trace: which edges of the control flow graph were
 * taken, as a map of hashed edges, and how many of them are new. Many short
 * traces of one program go through one decoder, which keeps the code it has
 * analysed from one trace to the next. Here the traces are the first quarter of
 * a capture, its first half, and so on.
 *
 *     cc edges.c $(pkg-config --cflags --libs libetm-capture)
 *     ./a.out demo/cortex-m3
 *
 * It takes the options of options.h.
 */
#include "options.h"

#define PLACES 65536u

struct edges {
    unsigned char seen[PLACES]; /* in any trace */
    unsigned found;             /* new ones in this trace */
    uint32_t from;              /* where the last range ended */
    int known;                  /* and whether that is known */
};

struct stream {
    uint8_t *bytes;
    size_t n;
};

static void take(struct edges *edges, uint32_t from, uint32_t to)
{
    uint32_t place = (from * 0x9e3779b1u ^ to * 0x85ebca6bu) >> 16;

    edges->found += edges->seen[place] == 0;
    edges->seen[place] = 1;
}

static int elements(void *context, const struct etm_element *e, size_t n)
{
    struct edges *edges = (struct edges *)context;

    for (size_t i = 0; i < n; i++) {
        if (e[i].kind == ETM_ELEMENT_RANGE) {
            if (edges->known)
                take(edges, edges->from, e[i].u.range.start);
            edges->from = e[i].u.range.last_address;
            edges->known = 1;
        } else if (e[i].kind == ETM_ELEMENT_EXCEPTION ||
                   e[i].kind == ETM_ELEMENT_TRACE_ON ||
                   e[i].kind == ETM_ELEMENT_LOST ||
                   e[i].kind == ETM_ELEMENT_NO_IMAGE) {
            edges->known = 0; /* not by a branch of the program */
        }
    }
    return 0;
}

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    struct stream *stream = (struct stream *)context;
    uint8_t *more = (uint8_t *)realloc(stream->bytes, stream->n + n);

    if (more == NULL)
        return ETM_ERR_MEMORY;
    memcpy(more + stream->n, bytes, n);
    stream->bytes = more;
    stream->n += n;
    return 0;
}

static int trace(struct etm_decoder *decoder, struct edges *edges,
                 const struct stream *stream, size_t n)
{
    int status = etm_decoder_reset(decoder);

    edges->found = 0;
    edges->known = 0;
    if (status == ETM_OK)
        status = etm_decoder_push(decoder, stream->bytes, n);
    if (status == ETM_OK)
        status = etm_decoder_finish(decoder);
    printf("%u new edges in %lu bytes\n", edges->found, (unsigned long)n);
    return status;
}

int main(int argc, char **argv)
{
    static struct edges edges;
    struct stream stream = {NULL, 0};
    struct etm_session *session = NULL;
    struct etm_session_run run = {0};
    struct etm_decoder_config options = {0};
    struct etm_decoder *decoder = NULL;
    struct etm_diag diag = {0};
    size_t index;
    int status;

    if (example_open(&session, &index, argc, argv) != ETM_OK)
        return 1;
    run.size = sizeof run;
    run.bytes = keep;
    run.context = &stream;
    status = etm_session_run_source(session, index, &run, &diag);
    if (status == ETM_OK) {
        const struct etm_source_info *source =
            etm_session_source(session, index);

        options.size = sizeof options;
        options.config = &source->config;
        options.image = source->image;
        options.elements = elements;
        options.context = &edges;
        status = etm_decoder_new(&decoder, &options);
    }
    for (size_t i = 1; i <= 5 && status == ETM_OK; i++)
        status = trace(decoder, &edges, &stream,
                       i < 4 ? stream.n / 4 * i : stream.n);
    if (status != ETM_OK)
        fprintf(stderr, "%s: %s\n", diag.source,
                diag.what[0] != '\0' ? diag.what : etm_status_text(status));
    etm_decoder_free(decoder);
    etm_session_free(session);
    free(stream.bytes);
    return status != ETM_OK;
}
