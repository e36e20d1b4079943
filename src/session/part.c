/* SPDX-License-Identifier: Apache-2.0 */
#include "session/part.h"

#include "proto/etmv1_full.h"
#include "proto/i_sync.h"
#include "session/places.h"
#include "session/sync.h"

/* Frames of 16 bytes and records of 2 or 3 begin at every multiple of this. */
#define WHOLE 48u

/* Bytes before a part that are read to find the state at its beginning. */
#define WARM_UP (UINT32_C(1) << 20)

/* Bytes searched for a synchronization at first, before the place; and bytes
 * read after it, to the end of packets that began before it. A stream with
 * possibly shifted bits holds back some thousand bytes. */
#define LOOK_BACK 65536u
#define LOOK_ON 65536u

struct etm_part etm_part_whole(const struct etm_capture_buffer *buffer)
{
    return (struct etm_part){
        .stop = buffer->pipe != NULL ? UINT64_MAX : buffer->n, .ends = true};
}

/* A place where both a frame and a record begin, at least `n` bytes before
 * `at`; or the beginning. */
static uint64_t before(const struct etm_capture_buffer *buffer, uint64_t at,
                       uint64_t n)
{
    uint64_t first = buffer->first_frame;

    at = at > n ? at - n : 0;
    return at > first ? at - (at - first) % WHOLE : 0;
}

/* Looking for the last synchronization that begins at or before `place`. */
struct search {
    struct etm_places *places; /* NULL: samples, whose places are those in the
                                  stream */
    uint64_t from, place;
    const struct etm_config *config;
    uint64_t base;                /* of the first packet */
    uint64_t limit;               /* offset of `place` in the stream, as soon as
                                     it is known */
    struct etm_full_address full; /* ETMv1 */
    uint64_t candidate;           /* offset in the stream */
    bool has_candidate;
    uint64_t found;
    bool has_found;
    uint64_t seen; /* offset in the stream of the last packet */
};

static bool is_before(const struct search *s, uint64_t offset)
{
    if (s->places == NULL)
        return s->base + offset <= s->limit;
    return s->from + etm_places_find(s->places, offset) <= s->place;
}

/* A-sync, and the I-sync after it; the synchronization of an ITM; any packet of
 * an MTB; in ETMv2 the record with a TFO; in ETMv1 the status of a branch whose
 * full address is found. */
static int look(void *context, const struct etm_packet *packets, size_t n)
{
    struct search *s = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_packet *p = &packets[i];
        bool alone = p->kind == ETM_PACKET_SYNCHRONIZATION ||
                     p->kind == ETM_PACKET_EXECUTION_TRACE;
        bool found = etm_is_i_sync(p) || p->kind == ETM_PACKET_TFO || alone;

        if (etm_sync_is_a_sync(p) || alone || p->kind == ETM_PACKET_PIPESTAT) {
            s->candidate = s->base + p->offset;
            s->has_candidate = is_before(s, p->offset);
        }
        if (s->config->protocol == ETM_PROTOCOL_ETMV1) {
            found = etm_full_address_apply(&s->full, s->config, p);
            s->candidate = s->base + s->full.offset;
            s->has_candidate = found && is_before(s, s->full.offset);
        }
        if (!s->has_candidate || !found)
            continue;
        s->found = s->candidate;
        s->has_found = true;
    }
    if (n != 0)
        s->seen = packets[n - 1].offset;
    return ETM_OK;
}

static int scan(struct search *s, struct etm_stream *stream,
                struct etm_packet_decoder *decoder, uint64_t stop,
                struct etm_diag *diag)
{
    struct etm_stream_piece piece;
    int status = ETM_OK;

    stream->stop = stop;
    while (status == ETM_OK && !stream->done && stream->at < stop) {
        size_t begin = 0;

        status = etm_stream_next(stream, &piece, diag);
        if (status == ETM_ERR_FORMAT) /* a run that reads up to there reports
                                         it */
            status = ETM_OK;
        if (status == ETM_OK)
            status = etm_places_publish(&stream->places);
        for (size_t i = 0; i < piece.n_gaps && status == ETM_OK; i++) {
            size_t at = piece.gaps[i].at;

            if (begin < at)
                status = etm_packet_decoder_push(decoder, piece.bytes + begin,
                                                 at - begin);
            if (status == ETM_OK)
                status = etm_packet_decoder_gap(decoder);
            begin = at;
        }
        if (status == ETM_OK && begin < piece.n)
            status = etm_packet_decoder_push(decoder, piece.bytes + begin,
                                             piece.n - begin);
        etm_places_forget(&stream->places, s->seen, stream->made);
    }
    return status;
}

/* Samples of a port: where one begins, and its number, is known only after
 * reading everything before, which is not used otherwise. */
static int pass_over(struct etm_stream *stream, uint64_t stop,
                     struct etm_diag *diag)
{
    struct etm_stream_piece piece;
    int status = ETM_OK;

    stream->stop = stop;
    while (status == ETM_OK && !stream->done && stream->at < stop) {
        status = etm_stream_next(stream, &piece, diag);
        if (status == ETM_OK)
            status = etm_places_publish(&stream->places);
        etm_places_forget(&stream->places, stream->made, stream->made);
    }
    return status;
}

static bool is_port(const struct etm_capture_buffer *buffer)
{
    return buffer->framing == ETM_FRAMING_PORT;
}

/* For samples: the offset in the stream of the one at `place`. */
static int stream_at(const struct etm_session *session,
                     const struct etm_source_info *info,
                     const struct etm_capture_buffer *buffer, uint64_t place,
                     uint64_t *offset, struct etm_diag *diag)
{
    struct etm_stream_source source = etm_session_stream_source(info);
    struct etm_stream stream;
    int status =
        etm_stream_init(&stream, buffer, &source, &session->allocator, diag);

    if (status == ETM_OK && place != 0)
        status = pass_over(&stream, place, diag);
    *offset = stream.made;
    etm_stream_fini(&stream);
    return status;
}

/* One search from s->from on. */
static int search_from(const struct etm_session *session,
                       const struct etm_source_info *info,
                       const struct etm_capture_buffer *buffer,
                       struct search *s, struct etm_diag *diag)
{
    struct etm_stream_source source = etm_session_stream_source(info);
    struct etm_packet_decoder_config config = {
        .size = sizeof config,
        .config = &info->config,
        .packets = look,
        .context = s,
        .allocator = &session->allocator,
    };
    struct etm_packet_decoder *decoder = NULL;
    struct etm_stream stream;
    uint64_t left = buffer->n - s->place;
    int status =
        etm_stream_init(&stream, buffer, &source, &session->allocator, diag);

    s->limit = UINT64_MAX;
    if (status == ETM_OK)
        status = etm_packet_decoder_new(&decoder, &config);
    if (status == ETM_OK && s->from != 0)
        etm_packet_decoder_enter(decoder, 0);
    if (is_port(buffer)) {
        if (status == ETM_OK && s->from != 0)
            status = pass_over(&stream, s->from, diag);
    } else {
        etm_stream_begin(&stream, s->from);
        s->places = &stream.places;
    }
    s->base = stream.made;
    if (status == ETM_OK)
        status = scan(s, &stream, decoder, s->place, diag);
    s->limit = stream.made;
    if (status == ETM_OK)
        status = scan(s, &stream, decoder,
                      s->place + (left < LOOK_ON ? left : LOOK_ON), diag);
    etm_packet_decoder_free(decoder);
    etm_stream_fini(&stream);
    s->places = NULL;
    return status;
}

/* Begin at a synchronization; without one before the place, at the beginning
 * of the buffer. */
static int find_sync(const struct etm_session *session,
                     const struct etm_source_info *info,
                     const struct etm_capture_buffer *buffer, uint64_t place,
                     struct etm_part *part, struct etm_diag *diag)
{
    uint64_t back = LOOK_BACK;
    int status = ETM_OK;

    while (status == ETM_OK && place != 0) {
        struct search s = {.from = before(buffer, place, back),
                           .place = place,
                           .config = &info->config};

        status = search_from(session, info, buffer, &s, diag);
        part->from = is_port(buffer) ? 0 : s.from;
        part->skip = s.has_found ? s.found : 0;
        if (s.has_found || s.from == 0)
            break;
        back = back > place / 8 ? place : 8 * back;
    }
    return status;
}

int etm_part_find(const struct etm_session *session,
                  const struct etm_source_info *info,
                  const struct etm_capture_buffer *buffer, uint64_t begin,
                  uint64_t end, enum etm_session_start start,
                  struct etm_part *part, struct etm_diag *diag)
{
    uint64_t all = etm_part_whole(buffer).stop;
    uint64_t from = begin < all ? begin : all;
    uint64_t to = end < all ? end : all;

    *part = (struct etm_part){.stop = to, .ends = true, .cut = to != all};
    if (start == ETM_START_SYNC)
        return find_sync(session, info, buffer, from, part, diag);
    part->ends = to == all;
    if (!part->ends)
        part->stop = before(buffer, to, 0);
    part->quiet = before(buffer, from, 0);
    if (is_port(buffer))
        return stream_at(session, info, buffer, before(buffer, from, WARM_UP),
                         &part->skip, diag);
    part->from = before(buffer, from, WARM_UP);
    return ETM_OK;
}
