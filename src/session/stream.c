/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of one source from one buffer, a piece at a time. */
#include "session/stream.h"

#include "base/diag.h"
#include "input/file.h"
#include "input/pipe.h"
#include "proto/sample.h"

#include <string.h>

/* Pins of a trace port without an ETMCR (doc/elements.md). */
#define DEFAULT_WIDTH 8u

/* The port that the capture was taken from. */
static int describe_port(struct etm_port_config *config,
                         const struct etm_capture_buffer *buffer,
                         const struct etm_stream_source *source,
                         struct etm_diag *diag)
{
    bool bytes = !etm_protocol_is_port(source->protocol);
    unsigned width = bytes ? buffer->port_width : source->port_width;
    bool known = source->etmcr_known;
    int status = ETM_OK;

    /* the port may be that of a TPIU: doc/errata.md, E-331 */
    if (bytes && (width != 0 || source->protocol == ETM_PROTOCOL_PFT))
        known = false;
    if (known)
        status = etm_port_from_etmcr(config, source->etmcr, diag);
    else if (bytes && width == 0)
        status = etm_port_form_width(buffer->form, config, buffer->signals,
                                     buffer->bytes, buffer->n, &width);
    if (!bytes && width == 0)
        width = DEFAULT_WIDTH;
    if (width != 0)
        config->width = (uint8_t)width;
    return status;
}

static int init_port(struct etm_stream *s,
                     const struct etm_stream_source *source,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    struct etm_port_reader_config config = {
        .port = {.size = sizeof config.port,
                 .protocol = source->protocol != ETM_PROTOCOL_NONE
                                 ? source->protocol
                                 : ETM_PROTOCOL_ETMV3,
                 .width = DEFAULT_WIDTH,
                 .allocator = allocator},
        .form = s->buffer->form,
        .signals = s->buffer->signals,
    };
    int status = describe_port(&config.port, s->buffer, source, diag);

    s->assumed = source->protocol == ETM_PROTOCOL_NONE;
    if (status == ETM_OK && !etm_protocol_is_port(source->protocol)) {
        status = etm_unpacker_init(&s->unpacker, &config.port);
        if (status == ETM_OK)
            s->kind = ETM_STREAM_PORT;
    } else if (status == ETM_OK) {
        s->kind = ETM_STREAM_RECORDS;
        s->record_size = config.port.width > 8 ? 3 : 2;
    }
    if (status == ETM_OK)
        status = etm_port_reader_init(&s->reader, &config, diag);
    return status;
}

int etm_stream_init(struct etm_stream *s,
                    const struct etm_capture_buffer *buffer,
                    const struct etm_stream_source *source,
                    const struct etm_allocator *allocator,
                    struct etm_diag *diag)
{
    enum etm_frame_layout layout;

    *s = (struct etm_stream){.buffer = buffer};
    etm_places_init(&s->places, allocator);
    etm_vec_init(&s->bytes, 1, allocator);
    etm_vec_init(&s->gaps, sizeof(struct etm_stream_gap), allocator);
    etm_vec_init(&s->samples, sizeof(struct etm_port_sample), allocator);
    etm_vec_init(&s->records, 1, allocator);
    etm_vec_init(&s->port_runs, sizeof(struct etm_port_run), allocator);
    etm_realigner_init(&s->realigner, 0, allocator);
    if (etm_buffer_layout(buffer, &layout)) {
        etm_deframer_init(&s->deframer, layout, source->id, allocator);
        s->deframer.fixed = buffer->made;
        s->deframer.wrong = buffer->swo.wrong;
        s->deframer.n_wrong = buffer->swo.n_wrong;
        s->deframer.uncounted = buffer->swo.n_wrong == 0;
        s->kind = ETM_STREAM_FRAMES;
        etm_stream_begin(s, 0);
    } else if (buffer->framing == ETM_FRAMING_PORT) {
        return init_port(s, source, allocator, diag);
    } else if (etm_protocol_is_port(source->protocol) ||
               (source->protocol != ETM_PROTOCOL_NONE &&
                !etm_protocol_is_macrocell(source->protocol)) ||
               (buffer->pipe != NULL && etm_pipe_is_live(buffer->pipe))) {
        s->kind = ETM_STREAM_PLAIN;
    } else {
        s->kind = ETM_STREAM_BYTES;
    }
    return ETM_OK;
}

void etm_stream_fini(struct etm_stream *s)
{
    etm_ahead_free(s->ahead);
    if (s->kind == ETM_STREAM_FRAMES)
        etm_deframer_fini(&s->deframer);
    if (s->kind == ETM_STREAM_PORT)
        etm_unpacker_fini(&s->unpacker);
    etm_port_reader_fini(&s->reader);
    etm_realigner_fini(&s->realigner);
    etm_vec_fini(&s->records);
    etm_vec_fini(&s->port_runs);
    etm_vec_fini(&s->samples);
    etm_vec_fini(&s->gaps);
    etm_vec_fini(&s->bytes);
    etm_places_fini(&s->places);
}

void etm_stream_begin(struct etm_stream *s, uint64_t at)
{
    size_t first = s->buffer->first_frame;

    s->at = at;
    if (s->kind == ETM_STREAM_FRAMES)
        s->deframer.wrong_from = at;
    if (s->kind == ETM_STREAM_FRAMES && s->deframer.layout == ETM_FRAME_ALIGNED)
        etm_deframer_begin(
            &s->deframer,
            (unsigned)((at + ETM_FRAME_BYTES - first) % ETM_FRAME_BYTES));
    if (s->kind == ETM_STREAM_FRAMES && s->deframer.blocks)
        etm_deframer_begin_block(&s->deframer,
                                 (unsigned)(at % ETM_BLOCK_BYTES));
}

/* Minimum number of bytes that is worth starting threads. */
#define AHEAD_LEAST ((size_t)1 << 20)

int etm_stream_ahead(struct etm_stream *s, unsigned jobs, uint64_t stop)
{
    if (s->buffer->pipe != NULL || s->kind != ETM_STREAM_FRAMES ||
        s->deframer.layout != ETM_FRAME_ALIGNED || jobs < 2 || stop < s->at ||
        stop - s->at < AHEAD_LEAST)
        return ETM_OK;
    return etm_ahead_new(&s->ahead, &(struct etm_ahead_config){
                                        .bytes = s->buffer->bytes,
                                        .opened = s->buffer->opened,
                                        .begin = (size_t)s->at,
                                        .end = (size_t)stop,
                                        .first = s->buffer->first_frame,
                                        .id = s->deframer.want,
                                        .fixed = s->deframer.fixed,
                                        .jobs = jobs,
                                        .allocator = &s->deframer.allocator,
                                    });
}

static int add_gap(struct etm_stream *s, uint64_t at, uint64_t lost)
{
    struct etm_stream_gap gap = {(size_t)at, lost};

    return etm_vec_append(&s->gaps, &gap, 1);
}

static int next_frames(struct etm_stream *s, const uint8_t *bytes, size_t n,
                       struct etm_stream_piece *piece)
{
    struct etm_deframed made;
    size_t end;
    int status = ETM_OK;

    if (s->ahead != NULL) {
        status = etm_ahead_next(s->ahead, &s->deframer, &end);
        s->at = end;
        s->done = s->at == s->buffer->n;
    } else if (n > 0) {
        status = etm_deframer_push(&s->deframer, bytes, n);
    }
    if (status == ETM_OK && s->done)
        status = etm_deframer_finish(&s->deframer);
    if (status != ETM_OK)
        return status;
    etm_deframer_take(&s->deframer, &made);
    for (size_t i = 0; i < made.n_runs && status == ETM_OK; i++) {
        const struct etm_frame_run *run = &made.runs[i];
        struct etm_place place = {.stream = run->stream,
                                  .file = run->file,
                                  .n = run->n,
                                  .unit = ETM_PLACE_FRAMES,
                                  .at = run->at,
                                  .apart = i != 0};

        if (run->gap)
            status = add_gap(s, run->stream - s->made, run->lost);
        if (status == ETM_OK)
            status = etm_places_add(&s->places, &place);
    }
    /* what was lost after the last run belongs to the next one, if any */
    if (status == ETM_OK && s->done && made.lost > 0)
        status = add_gap(s, made.n_bytes, made.lost);
    piece->bytes = made.bytes;
    piece->n = made.n_bytes;
    return status;
}

/* The samples that carried a stretch of bytes, which begins at `bit`. */
static int place_samples(struct etm_stream *s, uint64_t stream, uint64_t bit,
                         uint64_t n)
{
    const struct etm_port_run *runs = s->port_runs.data;
    int status = ETM_OK;

    for (size_t i = 0; i < s->port_runs.n && n > 0 && status == ETM_OK; i++) {
        uint64_t end = runs[i].bit + runs[i].n * runs[i].width;
        uint64_t bytes;

        if (end <= bit)
            continue;
        /* a byte belongs where its first bit is */
        bytes = (end - bit + 7) / 8 < n ? (end - bit + 7) / 8 : n;
        status = etm_places_add(
            &s->places,
            &(struct etm_place){
                .stream = stream,
                .file = etm_port_run_sample(&runs[i], bit),
                .n = bytes,
                .unit = ETM_PLACE_SAMPLES,
                .width = runs[i].width,
                .at = (uint8_t)((bit - runs[i].bit) % runs[i].width),
            });
        stream += bytes;
        bit += 8 * bytes;
        n -= bytes;
    }
    return status;
}

static int place_run(struct etm_stream *s, const struct etm_realign_run *run)
{
    if (s->kind == ETM_STREAM_PORT)
        return place_samples(s, run->stream, 8 * run->input + run->bit, run->n);
    return etm_places_add(&s->places, &(struct etm_place){
                                          .stream = run->stream,
                                          .file = run->input,
                                          .n = run->n,
                                          .unit = ETM_PLACE_SAMPLES,
                                          .width = 8,
                                          .at = run->bit,
                                      });
}

static int next_bytes(struct etm_stream *s, const uint8_t *bytes, size_t n,
                      struct etm_stream_piece *piece)
{
    struct etm_realigned made;
    int status = ETM_OK;

    if (n > 0)
        status = etm_realigner_push(&s->realigner, bytes, n);
    if (status == ETM_OK && s->done)
        status = etm_realigner_finish(&s->realigner);
    if (status != ETM_OK)
        return status;
    etm_realigner_take(&s->realigner, &made);
    for (size_t i = 0; i < made.n_runs && status == ETM_OK; i++) {
        if (made.runs[i].gap)
            status =
                add_gap(s, made.runs[i].stream - s->made, made.runs[i].lost);
        if (status == ETM_OK)
            status = place_run(s, &made.runs[i]);
    }
    piece->bytes = made.bytes;
    piece->n = made.n_bytes;
    return status;
}

/* Remember the runs of the unpacker. The last one may have grown since it was
 * given. */
static int keep_port_runs(struct etm_stream *s, const struct etm_unpacked *made)
{
    const struct etm_port_run *kept = s->port_runs.data;

    while (made->n_runs > 0 && s->port_runs.n > 0 &&
           kept[s->port_runs.n - 1].bit >= made->runs[0].bit)
        s->port_runs.n--;
    return etm_vec_append(&s->port_runs, made->runs, made->n_runs);
}

/* The bits before `bit` are in the stream, or dropped. */
static void forget_port_runs(struct etm_stream *s, uint64_t bit)
{
    const struct etm_port_run *runs = s->port_runs.data;
    size_t n = 0;

    while (n < s->port_runs.n && runs[n].bit + runs[n].n * runs[n].width <= bit)
        n++;
    etm_vec_drop(&s->port_runs, n);
}

/* The samples of the next piece of a port capture. If *fault is set to
 * ETM_ERR_FORMAT, they are the last ones, before an invalid sample. */
static int next_samples(struct etm_stream *s, const uint8_t *bytes, size_t n,
                        int *fault, struct etm_diag *diag)
{
    int status;

    s->samples.n = 0;
    *fault = ETM_OK;
    status = etm_port_reader_push(&s->reader, bytes, n, &s->samples, diag);
    if (status == ETM_OK && s->done)
        status = etm_port_reader_finish(&s->reader, &s->samples, diag);
    if (status != ETM_ERR_FORMAT)
        return status;
    if (s->assumed)
        etm_diag_text(diag, " (the protocol is not given: assumed to be ETMv3; "
                            "only ETMv1 and ETMv2 have PIPESTAT)");
    s->done = true;
    *fault = status;
    return ETM_OK;
}

/* Samples as records; each is one byte of status and one or two of data. */
static void put_records(struct etm_stream *s,
                        const struct etm_port_sample *samples, size_t n)
{
    uint8_t *out = (uint8_t *)s->records.data + s->records.n;

    for (size_t i = 0; i < n; i++) {
        *out++ = (uint8_t)((samples[i].status & ETM_SAMPLE_STATUS) |
                           (samples[i].control != 0 ? ETM_SAMPLE_SYNC : 0));
        *out++ = (uint8_t)samples[i].data;
        if (s->record_size > 2)
            *out++ = (uint8_t)(samples[i].data >> 8);
    }
    s->records.n += n * s->record_size;
}

/* Samples are missing here, before the next record. */
static int end_lost(struct etm_stream *s)
{
    uint64_t lost = s->lost * s->record_size;

    s->lost = 0;
    return lost > 0 ? add_gap(s, s->records.n, lost) : ETM_OK;
}

/* Add good, consecutive samples: their places count samples. */
static int add_records(struct etm_stream *s,
                       const struct etm_port_sample *samples, size_t n)
{
    struct etm_place place = {.stream = s->made + s->records.n,
                              .file = s->sample,
                              .n = n * s->record_size,
                              .unit = ETM_PLACE_SAMPLES,
                              .width = (uint8_t)(8 * s->record_size)};
    int status = end_lost(s);

    if (status != ETM_OK)
        return status;
    put_records(s, samples, n);
    s->sample += n;
    return etm_places_add(&s->places, &place);
}

/* Each sample is a record, except for those that are lost. */
static int next_records(struct etm_stream *s, const uint8_t *bytes, size_t n,
                        struct etm_stream_piece *piece, struct etm_diag *diag)
{
    const struct etm_port_sample *samples;
    int fault, status = next_samples(s, bytes, n, &fault, diag);

    s->records.n = 0;
    if (status != ETM_OK)
        return status;
    if (etm_vec_reserve(&s->records, s->record_size * s->samples.n) != ETM_OK)
        return ETM_ERR_MEMORY;
    samples = s->samples.data;
    for (size_t i = 0, k; i < s->samples.n && status == ETM_OK; i = k) {
        bool lost = samples[i].status == ETM_PORT_LOST;

        for (k = i + 1;
             k < s->samples.n && (samples[k].status == ETM_PORT_LOST) == lost;)
            k++;
        if (!lost) {
            status = add_records(s, samples + i, k - i);
            continue;
        }
        s->lost += k - i;
        s->sample += k - i;
    }
    if (status == ETM_OK && s->done)
        status = end_lost(s);
    piece->bytes = s->records.data;
    piece->n = s->records.n;
    return status == ETM_OK ? fault : status;
}

static int next_port(struct etm_stream *s, const uint8_t *bytes, size_t n,
                     struct etm_stream_piece *piece, struct etm_diag *diag)
{
    struct etm_unpacked made;
    int fault, status = next_samples(s, bytes, n, &fault, diag);

    if (status == ETM_OK)
        status = etm_unpacker_push(&s->unpacker, s->samples.data, s->samples.n);
    if (status != ETM_OK)
        return status;
    etm_unpacker_take(&s->unpacker, &made);
    status = keep_port_runs(s, &made);
    if (status == ETM_OK)
        status = next_bytes(s, made.bytes, made.n_bytes, piece);
    forget_port_runs(s, s->realigner.next);
    return status == ETM_OK ? fault : status;
}

/* Bytes of a mapped file that are read before their memory is given back. */
#define MAPPED ((size_t)1 << 23)

static void forget(struct etm_stream *s)
{
    if (!s->buffer->mapped || s->buffer->opened != 0 ||
        s->at - s->kept < MAPPED)
        return;
    etm_file_forget(s->buffer->bytes + s->kept, (size_t)(s->at - s->kept));
    s->kept = s->at;
}

/* Read bytes of a file that is not mapped. */
static int read_bytes(struct etm_stream *s, size_t n, const uint8_t **bytes)
{
    s->bytes.n = 0;
    if (etm_vec_reserve(&s->bytes, n) != ETM_OK)
        return ETM_ERR_MEMORY;
    *bytes = s->bytes.data;
    return etm_file_read(s->buffer->opened, s->at, s->bytes.data, n);
}

/* The next bytes of the capture. */
static int advance(struct etm_stream *s, const uint8_t **bytes, size_t *size)
{
    size_t n = etm_port_reader_piece(&s->reader, ETM_STREAM_PIECE);
    size_t left;
    int status = ETM_OK;

    if (s->stop > s->at && n > s->stop - s->at)
        n = (size_t)(s->stop - s->at);
    if (s->buffer->pipe != NULL) {
        s->broken = etm_pipe_broken(s->buffer->pipe);
        n = etm_pipe_take(s->buffer->pipe, n, bytes);
        s->done = n == 0;
        s->at += n;
        *size = n;
        return ETM_OK;
    }
    left = (size_t)(s->buffer->n - s->at);
    if (n > left)
        n = left;
    *bytes = n > 0 ? s->buffer->bytes + s->at : NULL;
    if (n > 0 && s->buffer->opened != 0)
        status = read_bytes(s, n, bytes);
    if (status != ETM_OK)
        return status;
    s->at += n;
    s->done = s->at == s->buffer->n;
    *size = n;
    return ETM_OK;
}

/* Bytes of a file could not be read any more. */
static int not_read(const struct etm_stream *s, int status,
                    struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = s->buffer;

    if (status != ETM_ERR_IO)
        return status;
    return etm_file_why(b->opened, (uint64_t)b->n + b->stop, b->path, diag);
}

int etm_stream_next(struct etm_stream *s, struct etm_stream_piece *piece,
                    struct etm_diag *diag)
{
    const uint8_t *bytes = NULL;
    size_t n = 0;
    int status = ETM_OK;

    forget(s);
    if (s->ahead == NULL)
        status = advance(s, &bytes, &n);
    s->gaps.n = 0;
    *piece = (struct etm_stream_piece){0};
    if (status != ETM_OK)
        return not_read(s, status, diag);
    /* how much did not come is not known: a byte at least */
    if (s->broken)
        status = add_gap(s, 0, 1);
    if (status != ETM_OK)
        return status;
    switch (s->kind) {
    case ETM_STREAM_PLAIN:
        status = etm_stream_plain(s, bytes, n, piece);
        break;
    case ETM_STREAM_BYTES:
        status = next_bytes(s, bytes, n, piece);
        break;
    case ETM_STREAM_FRAMES:
        status = next_frames(s, bytes, n, piece);
        break;
    case ETM_STREAM_PORT:
        status = next_port(s, bytes, n, piece, diag);
        break;
    case ETM_STREAM_RECORDS:
        status = next_records(s, bytes, n, piece, diag);
        break;
    }
    if (status == ETM_ERR_IO)
        return not_read(s, status, diag);
    piece->gaps = s->gaps.data;
    piece->n_gaps = s->gaps.n;
    s->made += piece->n;
    if (status == ETM_OK && s->done && s->buffer->unread != NULL) {
        status = s->buffer->unread->status;
        if (diag != NULL)
            *diag = *s->buffer->unread;
    }
    return status;
}

int etm_stream_end(struct etm_stream *s, struct etm_stream_piece *piece)
{
    struct etm_deframed made;
    int status = ETM_OK;

    s->gaps.n = 0;
    *piece = (struct etm_stream_piece){0};
    if (s->done)
        return ETM_OK;
    s->done = true;
    switch (s->kind) {
    case ETM_STREAM_PLAIN:
        break;
    case ETM_STREAM_BYTES:
    case ETM_STREAM_PORT:
        status = next_bytes(s, NULL, 0, piece);
        break;
    case ETM_STREAM_FRAMES:
        etm_deframer_take(&s->deframer, &made);
        if (made.lost > 0)
            status = add_gap(s, 0, made.lost);
        break;
    case ETM_STREAM_RECORDS:
        s->records.n = 0;
        status = end_lost(s);
        break;
    }
    piece->gaps = s->gaps.data;
    piece->n_gaps = s->gaps.n;
    s->made += piece->n;
    return status;
}
