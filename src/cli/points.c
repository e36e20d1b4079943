/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization points, found in the packets alone: no code is needed. */
#include "cli/elapsed.h"
#include "cli/part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct search {
    const struct etm_session *session;
    size_t source;
    const struct etm_config *config;
    const struct etm_cli_seeker *seeker;
    uint64_t before; /* bytes of the buffers before the current one */
    bool samples;    /* the buffer has samples, not bytes */
    uint64_t stream; /* offset of the next packet */
    uint64_t begin;  /* and of the first one of the buffer */
    struct etm_cli_elapsed elapsed;
    struct etm_full_address full; /* ETMv1 */
    struct etm_broadcast said;
    uint64_t time; /* of the last timestamp that has a time */
    bool timed;
    bool stamped;               /* there was one, with a time or not */
    bool traced;                /* there was a packet that is no damage */
    struct etm_cli_point point; /* begun by a packet */
    bool begun;
    bool resumed; /* the point after which it begins was reached */
    /* Those whose cycles are not final yet, in a ring, as elapsed.places. */
    struct etm_cli_point held[ETM_CLI_PLACES];
    size_t first, n_held;
};

static bool is_i_sync(const struct etm_packet *p)
{
    return p->kind == ETM_PACKET_I_SYNC ||
           p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
           p->kind == ETM_PACKET_LSIP_I_SYNC;
}

/* After it a timestamp with high bits may be missing. */
static bool is_damage(const struct etm_packet *p)
{
    return p->kind == ETM_PACKET_UNSYNCHRONIZED || p->kind == ETM_PACKET_BAD ||
           p->kind == ETM_PACKET_RESERVED;
}

/* A timestamp whose time is unknown changes nothing. */
static void take_time(struct search *s, const struct etm_packet *p)
{
    uint64_t time;

    etm_broadcast_apply(&s->said, s->config, p);
    if (s->said.timestamp_bits < (s->config->timestamp_64bit ? 64 : 48))
        return;
    s->stamped = true;
    time = etm_timestamp_time(s->config, s->said.timestamp);
    if (time == ETM_TIMESTAMP_UNKNOWN)
        return;
    s->time = time;
    s->timed = true;
}

static void put_time(const struct search *s, struct etm_cli_point *point)
{
    point->time_known = s->timed;
    point->time = s->time;
}

/* Where decoding can begin: at an A-sync, in ETMv2 at the record of a TFO. */
static void begin_point(struct search *s, const struct etm_packet *p)
{
    s->begun = true;
    s->point = (struct etm_cli_point){.offset = s->before + p->offset,
                                      .offset_known = !s->samples,
                                      .file = p->offset,
                                      .stream = s->stream};
    put_time(s, &s->point);
}

/* The point where reading began was reached: timestamps after it are relative
 * to its time, if none came since. */
static void resume(struct search *s, const struct etm_cli_point *from)
{
    uint64_t time = from->time;

    s->resumed = true;
    if (s->timed || !from->time_known)
        return;
    s->timed = true;
    s->said.timestamp_bits = 64;
    s->said.timestamp = time;
    if (etm_timestamp_time(s->config, time) != time) /* Gray code */
        s->said.timestamp ^= time >> 1;
}

/* A point is there. */
static int give_point(struct search *s, const struct etm_cli_point *point)
{
    if (s->seeker->from == NULL || s->resumed)
        return s->seeker->take(s->seeker->context, point);
    resume(s, s->seeker->from);
    return ETM_OK;
}

/* Give those whose cycles are settled. */
static int give_settled(struct search *s)
{
    int status = ETM_OK;
    uint64_t cycles;

    while (status == ETM_OK && s->n_held != 0 &&
           etm_cli_elapsed_settled(&s->elapsed, &cycles)) {
        struct etm_cli_point *point = &s->held[s->first];

        point->cycles = cycles;
        point->cycles_known = true;
        s->first = (s->first + 1) % ETM_CLI_PLACES;
        s->n_held--;
        status = s->seeker->take(s->seeker->context, point);
    }
    return status;
}

/* A point is there, and the I-sync with which decoding begins comes next. */
static int hold_point(struct search *s, const struct etm_cli_point *point)
{
    if (!s->elapsed.counts || (s->seeker->from != NULL && !s->resumed))
        return give_point(s, point);
    s->held[(s->first + s->n_held++) % ETM_CLI_PLACES] = *point;
    etm_cli_elapsed_mark(&s->elapsed);
    return give_settled(s);
}

static int end_point(struct search *s, const struct etm_packet *p)
{
    struct etm_cli_point *point = &s->point;

    s->begun = false;
    if (is_i_sync(p)) {
        point->address_known = !s->config->data_only;
        point->address = s->said.address;
        point->isa = s->said.isa;
        point->has_reason = true;
        point->reason = p->reason;
        point->context_id_known = (p->fields & ETM_FIELD_CONTEXT_ID) != 0;
        point->context_id = p->context_id;
    }
    return hold_point(s, point);
}

/* The record of a branch with its full address. */
static int full_point(struct search *s)
{
    struct etm_cli_point point = {.offset = s->before + s->full.offset,
                                  .offset_known = !s->samples,
                                  .file = s->full.offset,
                                  .stream = s->begin + s->full.stream,
                                  .address_known = true,
                                  .address = s->full.address,
                                  .isa = s->full.isa,
                                  .has_reason = true,
                                  .reason = s->full.reason,
                                  .context_id_known = s->full.context_id_known,
                                  .context_id = s->full.context_id};

    return give_point(s, &point);
}

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct search *s = context;
    int status = ETM_OK;

    (void)bytes;
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_packet *p = &packets[i];

        if (p->kind == ETM_PACKET_TIMESTAMP)
            take_time(s, p);
        else if (is_i_sync(p) || is_damage(p))
            etm_broadcast_apply(&s->said, s->config, p);
        if (is_damage(p))
            s->timed = false;
        if (p->kind == ETM_PACKET_A_SYNC ||
            (p->kind == ETM_PACKET_PIPESTAT &&
             s->config->protocol == ETM_PROTOCOL_ETMV2))
            begin_point(s, p);
        else if (s->begun && (is_i_sync(p) || p->kind == ETM_PACKET_TFO))
            status = end_point(s, p);
        if (s->config->protocol == ETM_PROTOCOL_ETMV1 &&
            etm_full_address_apply(&s->full, s->config, p))
            status = full_point(s);
        if (s->elapsed.counts && status == ETM_OK) {
            etm_cli_elapsed_take(&s->elapsed, p);
            if (s->n_held != 0)
                status = give_settled(s);
        }
        s->stream += p->size;
    }
    return status;
}

/* Bytes are missing: as is_damage(). */
static int take_gap(void *context, uint64_t lost)
{
    struct search *s = context;

    (void)lost;
    s->said.timestamp_bits = 0;
    s->timed = false;
    etm_cli_elapsed_broken(&s->elapsed);
    return give_settled(s);
}

static int take_buffer(void *context, size_t buffer)
{
    struct search *s = context;
    size_t index;
    int status;

    etm_cli_elapsed_end(&s->elapsed);
    status = give_settled(s);
    s->before = 0;
    s->begun = false;
    /* it does not apply to the next one: E-08 */
    s->said = (struct etm_broadcast){0};
    s->timed = false;
    s->begin = s->stream;
    s->full = (struct etm_full_address){.n = 0};
    s->samples =
        etm_session_buffer(s->session, buffer)->framing == ETM_FRAMING_PORT;
    for (size_t i = 0;; i++) {
        index = etm_session_source_buffer(s->session, s->source, i);
        if (index == SIZE_MAX || index == buffer)
            return status;
        s->before += etm_session_buffer(s->session, index)->bytes;
    }
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    struct search *s = context;

    if (s->seeker->progress)
        etm_cli_progress_show(s->seeker->progress, done, total);
}

static int be_idle(void *context)
{
    const struct search *s = context;

    return s->seeker->idle ? s->seeker->idle(s->seeker->context) : ETM_OK;
}

int etm_cli_points(const struct etm_session *session, size_t source,
                   const struct etm_cli_seeker *seeker, struct etm_diag *diag)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct search s = {.session = session,
                       .source = source,
                       .config = &info->config,
                       .seeker = seeker};
    struct etm_session_run run = {.size = sizeof run,
                                  .packets = take_packets,
                                  .gap = take_gap,
                                  .buffer = take_buffer,
                                  .progress = show_progress,
                                  .idle = be_idle,
                                  .context = &s};
    int status;

    etm_cli_elapsed_begin(&s.elapsed, &info->config, info->image != NULL,
                          seeker->from != NULL ? seeker->from->cycles : 0);
    if (seeker->from != NULL) {
        run.begin = seeker->from->offset;
        s.time = seeker->from->time;
    }
    status = etm_session_run(session, source, &run, diag);
    if (status != ETM_ERR_STOPPED) { /* also of what could be read */
        int given;

        etm_cli_elapsed_end(&s.elapsed);
        given = give_settled(&s);
        status = status == ETM_OK ? given : status;
    }
    if (status == ETM_OK && seeker->end) {
        seeker->end->cycles = s.elapsed.given;
        put_time(&s, seeker->end);
    }
    return status;
}

static int look_for_time(void *context, const struct etm_packet *packets,
                         size_t n, const uint8_t *bytes)
{
    struct search *s = context;

    (void)bytes;
    for (size_t i = 0; i < n; i++) {
        s->traced = s->traced || !is_damage(&packets[i]);
        if (packets[i].kind != ETM_PACKET_TIMESTAMP)
            continue;
        take_time(s, &packets[i]);
        if (s->timed)
            return ETM_ERR_STOPPED;
    }
    return ETM_OK;
}

int etm_cli_why_no_times(const struct etm_session *session, size_t source,
                         const char **why, struct etm_diag *diag)
{
    struct search s = {.config = &etm_session_source(session, source)->config};
    const struct etm_session_run run = {
        .size = sizeof run, .packets = look_for_time, .context = &s};
    int status = etm_session_run(session, source, &run, diag);

    *why = NULL;
    if (status == ETM_ERR_STOPPED)
        return ETM_OK;
    if (status == ETM_OK && !s.traced) /* it may have had times (E-358) */
        return ETM_OK;
    *why = s.stamped ? "its timestamps are all 0: the time is not known"
                     : "there is no timestamp in its trace";
    return status;
}

/* The number after `"key":` in a line, in quotes or not; false if there is
 * none, or null. */
static bool number(const char *line, const char *key, uint64_t *value)
{
    const char *at = strstr(line, key);
    char *end;

    if (!at)
        return false;
    at += strlen(key);
    at += *at == '"';
    *value = strtoull(at, &end, 0);
    return end != at;
}

static int read_line(const char *line, unsigned id, etm_cli_point_fn *take,
                     void *context)
{
    struct etm_cli_point point = {0};
    uint64_t source;

    if (strncmp(line, "{\"k\":\"sync\",", 12) != 0 ||
        !number(line, "\"src\":", &source))
        return ETM_ERR_FORMAT;
    if (source != id)
        return ETM_OK;
    if (!number(line, "\"pos\":", &point.offset))
        return ETM_ERR_FORMAT;
    point.time_known = number(line, "\"time\":", &point.time);
    point.offset_known = true;
    point.cycles_known = number(line, "\"cycles\":", &point.cycles);
    return take(context, &point);
}

int etm_cli_points_read(const char *path, unsigned id, etm_cli_point_fn *take,
                        void *context)
{
    FILE *file = fopen(path, "r");
    char line[512];
    int status = ETM_OK, why = 0;

    if (!file)
        return ETM_ERR_IO;
    while (status == ETM_OK && fgets(line, sizeof line, file))
        status = read_line(line, id, take, context);
    if (ferror(file)) {
        status = ETM_ERR_IO;
        why = errno;
    }
    (void)fclose(file);
    if (status == ETM_ERR_IO)
        errno = why;
    return status;
}
