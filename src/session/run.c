/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading one source from its beginning to its end: pieces of the buffer
 * become pieces of the stream, go into the decoders, and what comes out gets
 * offsets in the file in place of those in the stream.
 */
#include "base/diag.h"
#include "base/size.h"
#include "input/pipe.h"
#include "session/parallel.h"
#include "session/part.h"

#include <pthread.h>
#include <string.h>

struct reading {
    const struct etm_session *session;
    const struct etm_session_run *run;
    struct etm_diag *diag;
    struct etm_config config;
    const struct etm_image *image;
    unsigned jobs;
    struct etm_packet_decoder *packet_decoder;
    struct etm_parallel *decoder;
    bool last_buffer;
    struct etm_part part;      /* of the buffer at hand */
    struct etm_places *places; /* of the stream at hand; */
    pthread_mutex_t lock;      /* if several threads look there */
    uint64_t settled;          /* all before this offset was given */
    /* Bytes of the stream from `pending_offset` on: those of packets that
     * were not given yet. */
    struct etm_vec pending;
    uint64_t pending_offset;
    struct etm_vec scratch_packets, scratch_elements;
    struct etm_counts *counts; /* of all buffers; NULL: not asked for */
    uint64_t cycles;           /* and theirs */
};

/* Packets with the places in the file in place of offsets in the stream: the
 * same ones where that is no difference, else copies; NULL when memory is
 * short. */
static const struct etm_packet *
place_packets(struct reading *r, const struct etm_packet *packets, size_t n)
{
    struct etm_packet *copy;

    if (etm_places_same(r->places))
        return packets;
    r->scratch_packets.n = 0;
    if (etm_vec_append(&r->scratch_packets, packets, n) != ETM_OK)
        return NULL;
    copy = r->scratch_packets.data;
    for (size_t i = 0; i < n; i++)
        copy[i].offset = etm_places_find(r->places, copy[i].offset);
    return copy;
}

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    struct reading *r = context;
    const struct etm_packet *placed;
    const uint8_t *bytes = r->pending.data;
    int status;

    if (n == 0)
        return ETM_OK;
    placed = place_packets(r, packets, n);
    if (placed == NULL)
        return ETM_ERR_MEMORY;
    bytes += packets[0].offset - r->pending_offset;
    status = r->run->packets(r->run->context, placed, n, bytes);
    r->settled = packets[n - 1].offset + packets[n - 1].size;
    return status;
}

/*
 * Elements with the places in the file in place of offsets in the stream: the
 * same ones where that is no difference, else copies in `scratch`; NULL when
 * memory is short. Some of a stream that is read on meanwhile.
 */
static const struct etm_element *place(struct reading *r,
                                       struct etm_vec *scratch,
                                       const struct etm_element *elements,
                                       size_t n)
{
    size_t hint = SIZE_MAX;
    struct etm_element *copy;
    bool same;

    scratch->n = 0;
    pthread_mutex_lock(&r->lock);
    same = r->part.from == 0 && etm_places_same(r->places);
    if (!same && etm_vec_append(scratch, elements, n) == ETM_OK) {
        copy = scratch->data;
        for (size_t i = 0; i < n; i++)
            copy[i].offset = r->part.from +
                             etm_places_near(r->places, copy[i].offset, &hint);
    }
    pthread_mutex_unlock(&r->lock);
    if (same)
        return elements;
    return scratch->n == n ? scratch->data : NULL;
}

/* All up to an offset in the stream was given. */
static void settle(struct reading *r, uint64_t offset)
{
    pthread_mutex_lock(&r->lock);
    if (offset > r->settled)
        r->settled = offset;
    pthread_mutex_unlock(&r->lock);
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct reading *r = context;

    /* one `end` for all buffers */
    if (n > 0 && elements[n - 1].kind == ETM_ELEMENT_END && !r->last_buffer)
        n--;
    if (n == 0)
        return ETM_OK;
    if (!r->run->packets)
        settle(r, elements[n - 1].offset);
    if (!r->run->elements)
        return ETM_OK;
    elements = place(r, &r->scratch_elements, elements, n);
    return elements != NULL ? r->run->elements(r->run->context, elements, n)
                            : ETM_ERR_MEMORY;
}

/* What is made of elements by other threads, with places in the file. */
struct portion {
    struct reading *reading;
    void *made;    /* of run->portions */
    uint64_t last; /* offset in the stream of the last element */
    struct etm_vec scratch;
};

static int begin_portion(void *context, unsigned thread, void **portion)
{
    struct reading *r = context;
    const struct etm_portions *how = r->run->portions;
    struct portion *p = *portion;

    if (p == NULL) {
        p = etm_alloc_zero(&r->session->allocator, sizeof *p);
        if (p == NULL)
            return ETM_ERR_MEMORY;
        p->reading = r;
        etm_vec_init(&p->scratch, sizeof(struct etm_element),
                     &r->session->allocator);
        *portion = p;
    }
    p->last = 0;
    return how->begin(how->context, thread, &p->made);
}

static int portion_elements(void *portion, const struct etm_element *elements,
                            size_t n)
{
    struct portion *p = portion;
    struct reading *r = p->reading;

    p->last = elements[n - 1].offset;
    elements = place(r, &p->scratch, elements, n);
    return elements != NULL ? r->run->portions->elements(p->made, elements, n)
                            : ETM_ERR_MEMORY;
}

static int end_portion(void *portion)
{
    struct portion *p = portion;

    return p->reading->run->portions->end(p->made);
}

static int take_portion(void *context, void *portion)
{
    struct reading *r = context;
    const struct portion *p = portion;

    settle(r, p->last);
    return r->run->portions->take(r->run->portions->context, p->made);
}

static void free_portion(void *context, void *portion)
{
    struct reading *r = context;
    struct portion *p = portion;

    if (p->made != NULL)
        r->run->portions->free(r->run->portions->context, p->made);
    etm_vec_fini(&p->scratch);
    etm_alloc_free(&r->session->allocator, p);
}

static void free_decoders(struct reading *r)
{
    etm_packet_decoder_free(r->packet_decoder);
    etm_parallel_free(r->decoder);
    r->packet_decoder = NULL;
    r->decoder = NULL;
}

static int new_decoders(struct reading *r)
{
    struct etm_portions portions = {.size = sizeof portions,
                                    .begin = begin_portion,
                                    .elements = portion_elements,
                                    .end = end_portion,
                                    .take = take_portion,
                                    .free = free_portion,
                                    .context = r};
    int status = ETM_OK;

    if (r->run->portions)
        portions.element_size = r->run->portions->element_size;

    if (r->run->packets)
        status = etm_packet_decoder_new(
            &r->packet_decoder,
            &(struct etm_packet_decoder_config){
                .size = sizeof(struct etm_packet_decoder_config),
                .config = &r->config,
                .packets = take_packets,
                .context = r,
                .allocator = &r->session->allocator,
            });
    if (status == ETM_OK && (r->run->elements || r->counts))
        status = etm_parallel_new(
            &r->decoder, &(struct etm_parallel_config){
                             .config = &r->config,
                             .image = r->image,
                             .level = r->run->level,
                             .elements = take_elements,
                             .context = r,
                             .portions = r->run->portions ? &portions : NULL,
                             .jobs = r->jobs,
                             .offset = r->part.skip,
                             .allocator = &r->session->allocator,
                         });
    return status;
}

static int feed(struct reading *r, const uint8_t *bytes, size_t n)
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

static int feed_gap(struct reading *r, uint64_t lost)
{
    int status = ETM_OK;

    if (r->packet_decoder)
        status = etm_packet_decoder_gap(r->packet_decoder);
    if (status == ETM_OK && r->decoder)
        status = etm_parallel_gap(r->decoder, lost);
    return status;
}

/* One piece: bytes up to the next gap go in together. What stands before the
 * synchronization that a part begins with is nothing. */
static int feed_piece(struct reading *r, const struct etm_stream_piece *piece,
                      uint64_t made)
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

static int finish(struct reading *r)
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

/* Milliseconds after which a pipe that brings nothing is waited for. */
#define PATIENCE 20

/* Something of a pipe, or its end. Before a long time all that is known is
 * given. */
static int await(struct reading *r, struct etm_pipe *pipe)
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

/* From the place where the stream stands up to another one. */
static int read_up_to(struct reading *r, struct etm_stream *stream, size_t stop,
                      uint64_t done, uint64_t total)
{
    struct etm_stream_piece piece;
    int status = ETM_OK;

    stream->stop = stop;
    while (status == ETM_OK && !stream->done &&
           (stream->at < stop ||
            (stream->buffer->n == 0 && stream->buffer->pipe == NULL))) {
        if (stream->buffer->pipe != NULL)
            status = await(r, stream->buffer->pipe);
        if (status != ETM_OK)
            break;
        pthread_mutex_lock(&r->lock);
        status = etm_stream_next(stream, &piece, r->diag);
        pthread_mutex_unlock(&r->lock);
        if (status == ETM_OK)
            status = feed_piece(r, &piece, stream->made);
        pthread_mutex_lock(&r->lock);
        etm_places_forget(r->places, r->settled,
                          r->jobs > 1 && r->decoder
                              ? etm_parallel_settled(r->decoder)
                              : stream->made);
        pthread_mutex_unlock(&r->lock);
        if (r->run->progress)
            r->run->progress(r->run->context, done + stream->at, total);
    }
    return status;
}

static int read_stream(struct reading *r, struct etm_stream *stream,
                       uint64_t done, uint64_t total)
{
    int status = ETM_OK;

    r->places = &stream->places;
    etm_stream_begin(stream, r->part.from);
    if (r->part.from < r->part.quiet) {
        etm_parallel_warm_up(r->decoder, true);
        status = read_up_to(r, stream, r->part.quiet, done, total);
        etm_parallel_warm_up(r->decoder, false);
        etm_parallel_drop_counts(r->decoder);
    }
    if (status == ETM_OK)
        status = read_up_to(r, stream, r->part.stop, done, total);
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

static int read_buffer(struct reading *r, const struct etm_source_info *info,
                       const struct etm_capture_buffer *b, uint64_t done,
                       uint64_t total)
{
    struct etm_stream_source source = etm_session_stream_source(info);
    struct etm_stream stream;
    int status;

    r->pending.n = 0;
    r->pending_offset = r->settled = 0;
    status =
        etm_stream_init(&stream, b, &source, &r->session->allocator, r->diag);
    if (status == ETM_OK)
        status = new_decoders(r);
    if (status == ETM_OK)
        status = read_stream(r, &stream, done, total);
    if (status == ETM_OK && r->counts)
        status = etm_parallel_counts(r->decoder, etm_counts_add, r->counts);
    if (status == ETM_OK && r->counts)
        r->cycles += etm_parallel_cycles(r->decoder);
    free_decoders(r);
    etm_stream_fini(&stream);
    /* samples that are none, or not those of this port: say of which file */
    if (r->diag && (status == ETM_ERR_FORMAT || status == ETM_ERR_CONFIG) &&
        r->diag->source[0] == '\0')
        strncat(r->diag->source, b->path,
                sizeof r->diag->source - strlen(r->diag->source) - 1);
    return status;
}

static bool is_part(const struct etm_session_run *run)
{
    return run->begin != 0 || run->end != 0 || run->start != ETM_START_SYNC;
}

/* Bytes `done` and on of what is counted through are those of a buffer. */
static bool is_asked_for(const struct reading *r,
                         const struct etm_capture_buffer *buffer, uint64_t done)
{
    const struct etm_session_run *run = r->run;

    if (!is_part(run))
        return true;
    if (run->end != 0 && run->end <= done)
        return false;
    if (buffer->pipe == NULL && run->begin >= done + buffer->n)
        return false;
    return r->part.quiet < r->part.stop || r->part.ends;
}

static int choose_part(struct reading *r, const struct etm_source_info *info,
                       const struct etm_capture_buffer *buffer, uint64_t done)
{
    const struct etm_session_run *run = r->run;
    uint64_t begin = run->begin > done ? run->begin - done : 0;
    uint64_t end = run->end > done ? run->end - done : 0;

    r->part = etm_part_whole(buffer);
    if (!is_part(run) || !is_asked_for(r, buffer, done))
        return ETM_OK;
    return etm_part_find(r->session, info, buffer, begin,
                         run->end == 0 ? etm_part_whole(buffer).stop : end,
                         run->start, &r->part, r->diag);
}

static int read_buffers(struct reading *r, size_t source)
{
    static const struct etm_capture_buffer nothing;
    const struct etm_session *session = r->session;
    const struct etm_source_info *info = etm_session_source(session, source);
    size_t n = info->n_buffers;
    uint64_t done = 0, total = etm_session_bytes(session, source);
    int status = ETM_OK;

    if (n == 0) {
        r->last_buffer = true;
        r->part = etm_part_whole(&nothing);
        return read_buffer(r, info, &nothing, 0, 0);
    }
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        size_t index = etm_session_source_buffer(session, source, i);
        const struct etm_capture_buffer *buffer =
            etm_session_capture_buffer(session, index);

        r->last_buffer =
            i + 1 == n || (r->run->end != 0 && r->run->end <= done + buffer->n);
        status = choose_part(r, info, buffer, done);
        if (status == ETM_OK && is_asked_for(r, buffer, done)) {
            if (r->run->buffer)
                status = r->run->buffer(r->run->context, index);
            if (status == ETM_OK)
                status = read_buffer(r, info, buffer, done, total);
        }
        done += buffer->n;
    }
    return status;
}

static int refuse(const struct etm_source_info *info, struct etm_diag *diag)
{
    (void)etm_diag_begin(diag, ETM_ERR_UNSUPPORTED, info->name);
    etm_diag_text(diag, "cannot be decoded: ");
    etm_diag_text(diag, info->why_not);
    return ETM_ERR_UNSUPPORTED;
}

static int check_part(const struct etm_source_info *info,
                      const struct etm_session_run *run, struct etm_diag *diag)
{
    if (!run->packets && !run->bytes &&
        (run->end == 0 || run->end >= run->begin))
        return ETM_OK;
    (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, info->name);
    etm_diag_text(diag, "of a part there are only elements");
    return ETM_ERR_ARGUMENT;
}

/* A pipe can be read once, and from its beginning. */
static int check_pipe(const struct etm_session *session, size_t source,
                      const struct etm_session_run *run, struct etm_diag *diag)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_capture_buffer *b;

    if (info->n_buffers != 1)
        return ETM_OK;
    b = etm_session_capture_buffer(
        session, etm_session_source_buffer(session, source, 0));
    if (b->pipe == NULL || (!etm_pipe_begun(b->pipe) && run->begin == 0 &&
                            run->start == ETM_START_SYNC))
        return ETM_OK;
    (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, b->path);
    etm_diag_text(diag, "a pipe that is not kept is read once, from its "
                        "beginning");
    return ETM_ERR_ARGUMENT;
}

int etm_session_run(const struct etm_session *session, size_t source,
                    const struct etm_session_run *run, struct etm_diag *diag)
{
    const struct etm_source_info *info;
    struct reading r;
    int status;

    info = session ? etm_session_source(session, source) : NULL;
    if (!info || !run || !etm_size_fits(run->size, sizeof *run) ||
        (run->portions &&
         (!run->elements ||
          !etm_size_fits(run->portions->size, sizeof *run->portions)))) {
        (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, NULL);
        etm_diag_text(diag, "invalid argument");
        return ETM_ERR_ARGUMENT;
    }
    if (run->counts && run->level != ETM_LEVEL_COUNTS) {
        (void)etm_diag_begin(diag, ETM_ERR_ARGUMENT, info->name);
        etm_diag_text(diag, "counts are of their own level");
        return ETM_ERR_ARGUMENT;
    }
    if (info->why_not && (run->packets || run->elements || run->counts))
        return refuse(info, diag);
    status = is_part(run) ? check_part(info, run, diag) : ETM_OK;
    if (status == ETM_OK)
        status = check_pipe(session, source, run, diag);
    if (status != ETM_OK)
        return status;
    r = (struct reading){.session = session, .run = run, .diag = diag};
    (void)etm_diag_begin(diag, ETM_OK, NULL);
    r.config = info->config;
    r.image = info->image;
    r.jobs = run->packets || run->bytes ? 1 : run->jobs;
    etm_vec_init(&r.pending, 1, &session->allocator);
    etm_vec_init(&r.scratch_packets, sizeof(struct etm_packet),
                 &session->allocator);
    etm_vec_init(&r.scratch_elements, sizeof(struct etm_element),
                 &session->allocator);
    (void)pthread_mutex_init(&r.lock, NULL);
    if (run->counts)
        status = etm_counts_new(&r.counts, &session->allocator);
    if (status == ETM_OK)
        status = read_buffers(&r, source);
    if (status == ETM_OK && run->cycles)
        *run->cycles = r.cycles;
    if (status == ETM_OK && run->counts)
        status = etm_counts_walk(r.counts, run->counts, run->context);
    etm_counts_free(r.counts);
    (void)pthread_mutex_destroy(&r.lock);
    etm_vec_fini(&r.pending);
    etm_vec_fini(&r.scratch_packets);
    etm_vec_fini(&r.scratch_elements);
    if (status != ETM_OK && diag && diag->what[0] == '\0') {
        (void)etm_diag_begin(diag, status, info->name);
        etm_diag_text(diag, etm_status_text(status));
    }
    return status;
}
