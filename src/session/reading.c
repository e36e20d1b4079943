/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one buffer: pieces of it become pieces of the stream, which are
 * pushed to the decoders. */
#include "session/reading.h"

#include "image/counts.h"
#include "input/pipe.h"
#include "session/protocols.h"

#include <string.h>

static void free_decoders(struct etm_reading *r)
{
    etm_packet_decoder_free(r->packet_decoder);
    etm_parallel_free(r->decoder);
    r->packet_decoder = NULL;
    r->decoder = NULL;
}

static int new_decoders(struct etm_reading *r)
{
    bool within = r->part.from != 0 || r->part.skip != 0;
    struct etm_portions portions;
    int status = ETM_OK;

    if (r->run->portions)
        portions = etm_reading_portions(r);
    if (r->run->packets)
        status = etm_packet_decoder_new(
            &r->packet_decoder,
            &(struct etm_packet_decoder_config){
                .size = sizeof(struct etm_packet_decoder_config),
                .config = &r->config,
                .packets = etm_reading_packets,
                .context = r,
                .allocator = &r->session->allocator,
            });
    if (status == ETM_OK && r->packet_decoder && within)
        etm_packet_decoder_enter(r->packet_decoder, r->part.skip);
    r->pending_offset = r->settled = r->packet_decoder ? r->part.skip : 0;
    if (status == ETM_OK && (r->run->elements || etm_reading_counts(r->run)))
        status = etm_parallel_new(
            &r->decoder, &(struct etm_parallel_config){
                             .config = &r->config,
                             .image = r->image,
                             .level = r->run->level,
                             .elements = etm_reading_elements,
                             .context = r,
                             .portions = r->run->portions ? &portions : NULL,
                             .jobs = r->jobs,
                             .offset = r->part.skip,
                             .within = within,
                             .allocator = &r->session->allocator,
                         });
    return status;
}

static int feed(struct etm_reading *r, const uint8_t *bytes, size_t n)
{
    uint64_t end;
    int status = ETM_OK;

    if (n == 0)
        return ETM_OK;
    if (r->run->bytes)
        status = r->run->bytes(r->run->context, bytes, n);
    if (status == ETM_OK && r->packet_decoder) {
        status = etm_vec_append(&r->pending, bytes, n);
        if (status == ETM_OK)
            status = etm_packet_decoder_push(r->packet_decoder, bytes, n);
        end = r->pending_offset + r->pending.n;
        if (r->settled > r->pending_offset && r->settled <= end) {
            etm_vec_drop(&r->pending, (size_t)(r->settled - r->pending_offset));
            r->pending_offset = r->settled;
        }
    }
    if (status == ETM_OK && r->decoder)
        status = etm_parallel_push(r->decoder, bytes, n);
    return status;
}

static int feed_gap(struct etm_reading *r, uint64_t lost)
{
    int status = ETM_OK;

    if (r->packet_decoder)
        status = etm_packet_decoder_gap(r->packet_decoder);
    if (status == ETM_OK && r->packet_decoder && r->run->gap)
        status = r->run->gap(r->run->context, lost);
    if (status == ETM_OK && r->decoder)
        status = etm_parallel_gap(r->decoder, lost);
    return status;
}

/* Push one piece: bytes up to the next gap together. What precedes the
 * synchronization at the beginning of a part is ignored. */
static int feed_piece(struct etm_reading *r,
                      const struct etm_stream_piece *piece, uint64_t made)
{
    uint64_t skip =
        made - piece->n < r->part.skip ? r->part.skip - (made - piece->n) : 0;
    size_t begin = skip < piece->n ? (size_t)skip : piece->n;
    int status = ETM_OK;

    for (size_t i = 0; i < piece->n_gaps && status == ETM_OK; i++) {
        const struct etm_stream_gap *gap = &piece->gaps[i];

        if (skip != 0 && gap->at <= skip)
            continue;
        if (begin < gap->at)
            status = feed(r, piece->bytes + begin, gap->at - begin);
        if (status == ETM_OK)
            status = feed_gap(r, gap->lost);
        begin = gap->at;
    }
    if (status == ETM_OK && begin < piece->n)
        status = feed(r, piece->bytes + begin, piece->n - begin);
    return status;
}

static int finish(struct etm_reading *r)
{
    int status = ETM_OK;

    if (!r->part.ends)
        return r->decoder ? etm_parallel_flush(r->decoder) : ETM_OK;
    if (r->packet_decoder)
        status = etm_packet_decoder_finish(r->packet_decoder);
    if (status == ETM_OK && r->decoder)
        status = etm_parallel_finish(r->decoder);
    return status;
}

/* Milliseconds without data after which reading a pipe counts as waiting. */
#define PATIENCE 20

/* Wait for bytes of a pipe, or its end. Before a long wait, everything known is
 * given. */
static int await(struct etm_reading *r, struct etm_pipe *pipe)
{
    bool ready;
    int status = etm_pipe_wait(pipe, PATIENCE, &ready, r->diag);

    if (status != ETM_OK || ready)
        return status;
    if (r->decoder)
        status = etm_parallel_flush(r->decoder);
    if (status == ETM_OK && r->run->idle)
        status = r->run->idle(r->run->context);
    return status == ETM_OK ? etm_pipe_wait(pipe, -1, &ready, r->diag) : status;
}

/* Publish the places of the bytes of a piece before they are decoded. */
static int publish(struct etm_reading *r)
{
    int status;

    pthread_mutex_lock(&r->lock);
    status = etm_places_publish(r->places);
    pthread_mutex_unlock(&r->lock);
    if (!etm_places_same(r->places))
        atomic_store_explicit(&r->moved, true, memory_order_release);
    return status;
}

/* Read what the stream holds back, if a part ends before its buffer. */
static int read_rest(struct etm_reading *r, struct etm_stream *stream)
{
    struct etm_stream_piece piece;
    int status = etm_stream_end(stream, &piece);

    if (status == ETM_OK)
        status = publish(r);
    return status == ETM_OK ? feed_piece(r, &piece, stream->made) : status;
}

/* Remove places that will not be asked for. Those of bytes that a thread may be
 * decoding are kept: what is pending is known only when it is done. */
static void forget_places(struct etm_reading *r, uint64_t made)
{
    uint64_t pending = UINT64_MAX, given = made;

    pthread_mutex_lock(&r->lock);
    if (r->decoder)
        given = etm_parallel_settled(r->decoder, &pending);
    if (r->jobs <= 1)
        given = made;
    etm_places_keep(r->places, pending);
    etm_places_forget(r->places, r->settled < given ? r->settled : given,
                      given);
    pthread_mutex_unlock(&r->lock);
}

/* Read from the current place of the stream up to another one. */
static int read_up_to(struct etm_reading *r, struct etm_stream *stream,
                      uint64_t stop, uint64_t done, uint64_t total)
{
    struct etm_stream_piece piece;
    int status = ETM_OK, fault = ETM_OK;

    stream->stop = stop;
    while (status == ETM_OK && !stream->done &&
           (stream->at < stop ||
            (stream->buffer->n == 0 && stream->buffer->pipe == NULL))) {
        if (stream->buffer->pipe != NULL)
            status = await(r, stream->buffer->pipe);
        if (status != ETM_OK)
            break;
        status = etm_stream_next(stream, &piece, r->diag);
        if (status == ETM_ERR_FORMAT) { /* after this piece */
            fault = status;
            status = ETM_OK;
        }
        if (status == ETM_OK)
            status = publish(r);
        if (status == ETM_OK)
            status = feed_piece(r, &piece, stream->made);
        forget_places(r, stream->made);
        if (status == ETM_OK && r->run->progress)
            status =
                r->run->progress(r->run->context, done + stream->at, total);
    }
    return status == ETM_OK ? fault : status;
}

static int read_stream(struct etm_reading *r, struct etm_stream *stream,
                       uint64_t done, uint64_t total)
{
    int status = ETM_OK;

    r->places = &stream->places;
    atomic_store(&r->moved, r->part.from != 0);
    etm_stream_begin(stream, r->part.from);
    if (r->part.from < r->part.quiet) {
        etm_parallel_warm_up(r->decoder, true);
        status = read_up_to(r, stream, r->part.quiet, done, total);
        etm_parallel_warm_up(r->decoder, false);
        etm_parallel_drop_counts(r->decoder);
    }
    if (status == ETM_OK && r->decoder)
        status = etm_stream_ahead(stream, r->jobs, r->part.stop);
    if (status == ETM_OK)
        status = read_up_to(r, stream, r->part.stop, done, total);
    if (status == ETM_OK && r->part.ends)
        status = read_rest(r, stream);
    /* what could be read is decoded */
    if ((status == ETM_ERR_IO || status == ETM_ERR_FORMAT) && r->decoder)
        (void)etm_parallel_flush(r->decoder);
    return status == ETM_OK ? finish(r) : status;
}

/* ETMCR without what the version does not have: half-rate clocking came with
 * ETMv1.1 (B.1.1), port modes with ETMv1.2 (3.5.1, table 3-5). */
static uint32_t etmcr_of(const struct etm_config *config, uint64_t value)
{
    uint32_t etmcr = (uint32_t)value;

    if (config->protocol == ETM_PROTOCOL_ETMV1 && config->minor < 1)
        etmcr &= ~(UINT32_C(1) << 13);
    if (config->protocol == ETM_PROTOCOL_ETMV1 && config->minor < 2)
        etmcr &= ~(UINT32_C(3) << 16);
    return etmcr;
}

struct etm_stream_source
etm_session_stream_source(const struct etm_source_info *s)
{
    struct etm_stream_source source = {.protocol = s->config.protocol,
                                       .id = s->config.trace_id,
                                       .port_width = s->config.port_width};

    for (size_t i = 0; i < s->n_registers; i++) {
        if (strcmp(s->registers[i].name, "ETMCR") == 0) {
            source.etmcr_known = true;
            source.etmcr = etmcr_of(&s->config, s->registers[i].value);
        }
    }
    return source;
}

/* Take the counts: of a single buffer they need not be kept, of several they
 * are added up one by one, because there may be many. */
static int take_counts(struct etm_reading *r)
{
    const struct etm_session_run *run = r->run;

    r->cycles += etm_parallel_cycles(r->decoder);
    if (!run->counts)
        return ETM_OK;
    if (r->counts)
        return etm_parallel_counts(r->decoder, etm_counts_add, r->counts);
    if (run->cycles)
        *run->cycles = r->cycles;
    return etm_parallel_counts(r->decoder, run->counts, run->context);
}

int etm_reading_buffer(struct etm_reading *r,
                       const struct etm_source_info *info,
                       const struct etm_capture_buffer *b, uint64_t done,
                       uint64_t total)
{
    struct etm_stream_source source = etm_session_stream_source(info);
    struct etm_stream stream;
    int status;

    r->pending.n = 0;
    status =
        etm_stream_init(&stream, b, &source, &r->session->allocator, r->diag);
    if (status == ETM_OK)
        status = new_decoders(r);
    if (status == ETM_OK)
        status = read_stream(r, &stream, done, total);
    if (status == ETM_OK && etm_reading_counts(r->run))
        status = take_counts(r);
    free_decoders(r);
    etm_stream_fini(&stream);
    /* invalid samples, or those of another port: name the file */
    if (r->diag && (status == ETM_ERR_FORMAT || status == ETM_ERR_CONFIG) &&
        r->diag->source[0] == '\0')
        strncat(r->diag->source, b->path,
                sizeof r->diag->source - strlen(r->diag->source) - 1);
    return status;
}
