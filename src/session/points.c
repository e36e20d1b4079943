/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization points, found in the packets alone: no code is needed. */
#include "base/diag.h"
#include "base/size.h"
#include "proto/broadcast.h"
#include "proto/etmv1_full.h"
#include "proto/i_sync.h"
#include "session/elapsed.h"
#include "session/session.h"
#include "session/sync.h"

struct search {
    const struct etm_session *session;
    size_t source;
    const struct etm_config *config;
    const struct etm_session_points *how;
    uint64_t before; /* bytes of the buffers before the current one */
    bool samples;    /* the buffer has samples, not bytes */
    uint64_t stream; /* offset of the next packet */
    uint64_t begin;  /* and of the first one of the buffer */
    struct etm_elapsed elapsed;
    struct etm_full_address full; /* ETMv1 */
    struct etm_broadcast said;
    uint64_t time; /* of the last timestamp that has a time, if: */
    bool told;     /* there was one; */
    bool timed;    /* and after that no damage */
    struct {       /* a point that was begun by a packet */
        uint64_t offset, stream, time;
        bool time_known;
    } begun;
    bool has_begun;
    bool resumed; /* the point after which it begins was reached */
    bool stopped; /* by a function of the caller */
    /* Points whose cycles are not final yet, in a ring, as elapsed.places. */
    struct etm_point held[ETM_ELAPSED_PLACES];
    size_t first, n_held;
};

/* Nothing is known after it (E-02, E-660, E-661). */
static bool is_damage(const struct search *s, const struct etm_packet *p)
{
    return p->kind == ETM_PACKET_UNSYNCHRONIZED || p->kind == ETM_PACKET_BAD ||
           p->kind == ETM_PACKET_RESERVED || etm_says_impossible(s->config, p);
}

/* A timestamp with high bits may be missing, and an I-sync that is next is only
 * for those who know one from before (E-660). */
static void break_off(struct search *s)
{
    s->said.timestamp_bits = 0;
    s->timed = s->has_begun = false;
}

/* A timestamp whose time is unknown changes nothing. */
static void take_time(struct search *s, const struct etm_packet *p)
{
    uint64_t time;

    etm_broadcast_apply(&s->said, s->config, p);
    if (s->said.timestamp_bits < etm_timestamp_bits(s->config))
        return;
    time = etm_timestamp_time(s->config, s->said.timestamp);
    if (time == ETM_TIMESTAMP_UNKNOWN)
        return;
    s->time = time;
    s->told = s->timed = true;
}

/* A point that begins at this offset in the file, and in the stream. */
static struct etm_point point_at(const struct search *s, uint64_t offset,
                                 uint64_t stream)
{
    return (struct etm_point){.size = sizeof(struct etm_point),
                              .offset = offset,
                              .position = s->samples ? 0 : s->before + offset,
                              .position_known = !s->samples,
                              .stream = stream};
}

/* Can decoding begin with this packet? With an A-sync, an I-sync that is the
 * first packet of a buffer (E-610), the synchronization of an ITM, in ETMv2 the
 * record of a TFO, which may be any. */
static bool begins(const struct search *s, const struct etm_packet *p)
{
    return etm_sync_is_a_sync(p) || p->kind == ETM_PACKET_SYNCHRONIZATION ||
           (etm_is_i_sync(p) && s->stream == s->begin) ||
           (p->kind == ETM_PACKET_PIPESTAT &&
            s->config->protocol == ETM_PROTOCOL_ETMV2);
}

static void begin_point(struct search *s, const struct etm_packet *p)
{
    s->has_begun = true;
    s->begun.offset = p->offset;
    s->begun.stream = s->stream;
    s->begun.time = s->time;
    s->begun.time_known = s->timed;
}

/*
 * The first point after reading began: timestamps after it are relative to the
 * time of the point from which the search is continued, if none came since.
 */
static void resume(struct search *s, const struct etm_point *from)
{
    s->resumed = true;
    if (s->timed || !from->time_known)
        return;
    s->timed = true;
    s->said.timestamp_bits = 64;
    s->said.timestamp = from->time;
    if (etm_timestamp_time(s->config, from->time) != from->time) /* Gray code */
        s->said.timestamp ^= from->time >> 1;
}

/* What a function of the caller returned. */
static int answer(struct search *s, int status)
{
    s->stopped = status != ETM_OK;
    return status;
}

static int give(struct search *s, const struct etm_point *point)
{
    return answer(s, s->how->point(s->how->context, point));
}

/* Give those whose cycles are settled. */
static int give_settled(struct search *s)
{
    int status = ETM_OK;
    uint64_t cycles;

    while (status == ETM_OK && s->n_held != 0 &&
           etm_elapsed_settled(&s->elapsed, &cycles)) {
        struct etm_point *point = &s->held[s->first];

        point->cycles = cycles;
        point->cycles_known = true;
        s->first = (s->first + 1) % ETM_ELAPSED_PLACES;
        s->n_held--;
        status = give(s, point);
    }
    return status;
}

/* A point is there, and the I-sync with which decoding begins comes next. */
static int have_point(struct search *s, const struct etm_point *point)
{
    const struct etm_point *from = s->how->from;

    if (from && !s->resumed) {
        resume(s, from);
        /* in ETMv1 its address may be older than what is read */
        if (point->position <= from->position)
            return ETM_OK;
    }
    if (!s->elapsed.counts)
        return give(s, point);
    s->held[(s->first + s->n_held++) % ETM_ELAPSED_PLACES] = *point;
    etm_elapsed_mark(&s->elapsed);
    return give_settled(s);
}

static int end_point(struct search *s, const struct etm_packet *p)
{
    struct etm_point point = point_at(s, s->begun.offset, s->begun.stream);

    s->has_begun = false;
    point.time_known = s->begun.time_known;
    point.time = point.time_known ? s->begun.time : 0;
    if (etm_is_i_sync(p)) {
        point.address_known = !s->config->data_only;
        point.address = point.address_known ? s->said.address : 0;
        point.isa = point.address_known ? s->said.isa : ETM_ISA_UNKNOWN;
        point.has_reason = true;
        point.reason = p->reason;
        point.context_id_known = (p->fields & ETM_FIELD_CONTEXT_ID) != 0;
        point.context_id = point.context_id_known ? p->context_id : 0;
    }
    return have_point(s, &point);
}

/* The record of a branch with its full address. */
static int full_point(struct search *s)
{
    struct etm_point point =
        point_at(s, s->full.offset, s->begin + s->full.stream);

    point.address_known = true;
    point.address = s->full.address;
    point.isa = s->full.isa;
    point.has_reason = true;
    point.reason = s->full.reason;
    point.context_id_known = s->full.context_id_known;
    point.context_id = point.context_id_known ? s->full.context_id : 0;
    return have_point(s, &point);
}

/* Does it tell the time? That of an ITM has two kinds of packets. */
static bool is_timestamp(const struct etm_packet *p)
{
    return p->kind == ETM_PACKET_TIMESTAMP ||
           p->kind == ETM_PACKET_GLOBAL_TIMESTAMP_1 ||
           p->kind == ETM_PACKET_GLOBAL_TIMESTAMP_2;
}

/* A packet that may be part of a point, or tell the time. */
static int look(struct search *s, const struct etm_packet *p)
{
    int status = ETM_OK;

    if (is_timestamp(p))
        take_time(s, p);
    else if (is_damage(s, p))
        break_off(s);
    else if (etm_is_i_sync(p))
        etm_broadcast_apply(&s->said, s->config, p);
    if (begins(s, p))
        begin_point(s, p);
    if (s->has_begun &&
        (etm_is_i_sync(p) || p->kind == ETM_PACKET_TFO ||
         p->kind == ETM_PACKET_SYNCHRONIZATION)) /* which needs nothing more */
        status = end_point(s, p);
    if (s->config->protocol == ETM_PROTOCOL_ETMV1 &&
        etm_full_address_apply(&s->full, s->config, p))
        status = full_point(s);
    return status;
}

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct search *s = context;
    int status =
        s->how->packets
            ? answer(s, s->how->packets(s->how->context, packets, n, bytes))
            : ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_packet *p = &packets[i];

        /* most packets are one of these two */
        if (p->kind != ETM_PACKET_P_HEADER && p->kind != ETM_PACKET_ATOM)
            status = look(s, p);
        if (s->elapsed.counts && status == ETM_OK) {
            etm_elapsed_take(&s->elapsed, p);
            if (s->n_held != 0)
                status = give_settled(s);
        }
        s->stream += p->size;
    }
    return status;
}

/* Bytes are missing. */
static int take_gap(void *context, uint64_t lost)
{
    struct search *s = context;

    (void)lost;
    break_off(s);
    etm_elapsed_broken(&s->elapsed);
    return give_settled(s);
}

static int take_buffer(void *context, size_t buffer)
{
    struct search *s = context;
    int status;

    etm_elapsed_end(&s->elapsed);
    status = give_settled(s);
    s->before = 0;
    s->has_begun = false;
    /* it does not apply to the next one: E-08 */
    s->said = (struct etm_broadcast){0};
    s->timed = false;
    s->begin = s->stream;
    s->full = (struct etm_full_address){.n = 0};
    s->samples =
        etm_session_buffer(s->session, buffer)->framing == ETM_FRAMING_PORT;
    for (size_t i = 0;; i++) {
        size_t index = etm_session_source_buffer(s->session, s->source, i);

        if (index == SIZE_MAX || index == buffer)
            return status;
        s->before += etm_session_buffer(s->session, index)->bytes;
    }
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
    struct search *s = context;

    return s->how->progress
               ? answer(s, s->how->progress(s->how->context, done, total))
               : ETM_OK;
}

static int be_idle(void *context)
{
    struct search *s = context;

    return s->how->idle ? answer(s, s->how->idle(s->how->context)) : ETM_OK;
}

/* What is wrong with the arguments; NULL: nothing. */
static const char *misuse(const struct etm_source_info *info,
                          const struct etm_session_points *how)
{
    if (!info)
        return "there is no such source";
    if (!how->point)
        return "there is no function for points";
    if (how->from && !how->from->position_known)
        return "a search can be continued only from a known position";
    return NULL;
}

/* All was read. */
static void put_end(const struct search *s, struct etm_point *end)
{
    struct etm_point own = {.stream = s->stream,
                            .cycles_known = s->elapsed.counts,
                            .cycles = s->elapsed.counts ? s->elapsed.given : 0,
                            .time_known = s->told,
                            .time = s->told ? s->time : 0};

    ETM_GIVE(etm_point, end, &own);
}

/* From the beginning, or from what is known of a point. */
static void begin(struct search *s, const struct etm_source_info *info)
{
    const struct etm_point *from = s->how->from;

    s->config = &info->config;
    etm_elapsed_begin(&s->elapsed, s->config, info->image != NULL,
                      from ? from->cycles : 0);
    if (!from)
        return;
    s->elapsed.counts = s->elapsed.counts && from->cycles_known;
    s->stream = from->stream;
    s->told = from->time_known;
    s->time = from->time;
}

int etm_session_find_points(const struct etm_session *session, size_t source,
                            const struct etm_session_points *how,
                            struct etm_diag *diag)
{
    const struct etm_source_info *info =
        session ? etm_session_source(session, source) : NULL;
    struct etm_session_points own;
    struct etm_point from;
    const char *wrong;
    struct search s = {.session = session, .source = source, .how = &own};
    struct etm_session_run run = {.size = sizeof run,
                                  .packets = take_packets,
                                  .gap = take_gap,
                                  .buffer = take_buffer,
                                  .progress = show_progress,
                                  .idle = be_idle,
                                  .context = &s};
    int status = ETM_TAKE(etm_session_points, &own, how, diag);

    if (status == ETM_OK && own.from) {
        status = ETM_TAKE(etm_point, &from, own.from, diag);
        own.from = &from;
    }
    if (status != ETM_OK)
        return status;
    how = &own;
    wrong = misuse(info, how);
    if (wrong)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, NULL, wrong);
    if (how->from)
        run.begin = how->from->position;
    begin(&s, info);
    status = etm_session_run_source(session, source, &run, diag);
    if (!s.stopped) { /* also of what could be read */
        int given;

        etm_elapsed_end(&s.elapsed);
        given = give_settled(&s);
        if (status == ETM_OK && given != ETM_OK)
            status =
                etm_diag_say(diag, given, info->name, etm_status_text(given));
    }
    if (status == ETM_OK && how->end)
        put_end(&s, how->end);
    return status;
}
