/* SPDX-License-Identifier: Apache-2.0 */
/* etm info: what is in a capture. */
#include "cli/info.h"

#include <stdlib.h>
#include <string.h>

#define PIPESTAT_TR 6u /* a trigger (ETM architecture 4.4.1) */

struct counting {
    struct etm_cli_counts *counts;
    struct etm_cli_progress *progress;
};

static void count_packet(struct etm_cli_counts *c, const struct etm_packet *p)
{
    c->packets++;
    c->syncs += p->kind == ETM_PACKET_SYNCHRONIZATION;
    c->gaps += p->kind == ETM_PACKET_OVERFLOW;
    switch (p->kind) {
    case ETM_PACKET_UNSYNCHRONIZED:
        c->packets--;
        c->unsynchronized_bytes += p->size;
        break;
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        c->bad++;
        c->bad_bytes += p->size;
        break;
    case ETM_PACKET_A_SYNC:
        c->a_syncs++;
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        c->i_syncs++;
        c->gaps += p->reason == ETM_SYNC_OVERFLOW;
        break;
    case ETM_PACKET_PIPESTAT:
        c->samples++;
        c->triggers += p->value == PIPESTAT_TR;
        break;
    case ETM_PACKET_TFO:
        /* on a port of 4 pins a TFO takes two cycles */
        c->syncs += (p->fields & ETM_FIELD_ADDRESS) != 0;
        break;
    }
}

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct counting *counting = context;

    (void)bytes;
    for (size_t i = 0; i < n; i++)
        count_packet(counting->counts, &packets[i]);
    return ETM_OK;
}

/* ETMv1: its bytes are all in packets, and a point is made up of several. */
static int take_point_packets(void *context, const struct etm_packet *packets,
                              size_t n, const uint8_t *bytes)
{
    struct counting *counting = context;

    for (size_t i = 0; i < n; i++)
        counting->counts->bytes += packets[i].size;
    return take_packets(context, packets, n, bytes);
}

static int take_point(void *context, const struct etm_point *point)
{
    struct counting *counting = context;

    (void)point;
    counting->counts->syncs++;
    return ETM_OK;
}

static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct counting *counting = context;

    (void)bytes;
    counting->counts->bytes += n;
    return ETM_OK;
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
    struct counting *counting = context;

    etm_cli_progress_show(counting->progress, done, total);
    return ETM_OK;
}

/* Whether registers are missing that determine the format of the trace. */
static bool registers_missing(const struct etm_source_info *info)
{
    /* cycles of a port do not show their configuration */
    if (etm_protocol_is_port(info->config.protocol) ||
        info->config.protocol == ETM_PROTOCOL_ITM ||
        info->config.protocol == ETM_PROTOCOL_MTB)
        return false;
    for (size_t i = 0; i < info->n_registers; i++)
        if (strcmp(info->registers[i].name, "ETMCR") == 0)
            return false;
    /* nothing to guess if it is of a kind that is not decoded */
    if (info->why_not)
        return info->type[0] == '\0' &&
               info->config.protocol == ETM_PROTOCOL_NONE;
    return true;
}

/* Of a source that cannot be decoded only the bytes are counted, and in frames
 * they are: there may be one for each trace ID. False: not all are in frames.
 */
static bool count_framed(struct etm_cli_source *s,
                         const struct etm_cli_buffer *buffers)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < s->info->n_buffers; i++) {
        size_t buffer = etm_session_source_buffer(s->session, s->index, i);
        enum etm_framing framing =
            etm_session_buffer(s->session, buffer)->framing;

        if (framing == ETM_FRAMING_NONE || framing == ETM_FRAMING_PORT)
            return false;
        bytes += buffers[buffer].counts.bytes[s->info->id];
    }
    s->counts.bytes = bytes;
    return true;
}

/* Are the bytes of a source in frames that were not declared? Then they say
 * nothing as they are. */
static bool is_in_frames(const struct etm_cli_source *s,
                         const struct etm_cli_buffer *buffers)
{
    size_t buffer = etm_session_source_buffer(s->session, s->index, 0);

    return buffer != SIZE_MAX &&
           buffers[buffer].info->framing == ETM_FRAMING_NONE &&
           buffers[buffer].likely != ETM_FRAMING_NONE;
}

/* Read a source to its end. */
static int count_all(struct etm_cli_source *s,
                     struct etm_cli_progress *progress, struct etm_diag *diag)
{
    struct counting counting = {.counts = &s->counts, .progress = progress};
    const struct etm_session_run run = {
        .size = sizeof run,
        .bytes = take_bytes,
        .packets = s->info->why_not ? NULL : take_packets,
        .progress = show_progress,
        .context = &counting};
    const struct etm_session_points points = {.size = sizeof points,
                                              .point = take_point,
                                              .packets = take_point_packets,
                                              .progress = show_progress,
                                              .context = &counting};

    return s->info->config.protocol == ETM_PROTOCOL_ETMV1 && run.packets
               ? etm_session_find_points(s->session, s->index, &points, diag)
               : etm_session_run_source(s->session, s->index, &run, diag);
}

/* `buffers`: all of them. */
static int find_out(struct etm_cli_source *s, const struct etm_session *session,
                    size_t index, const struct etm_cli_buffer *buffers,
                    struct etm_cli_progress *progress, struct etm_diag *diag)
{
    int status = ETM_OK, guessed = ETM_OK;

    *s = (struct etm_cli_source){.session = session, .index = index};
    s->info = etm_session_source(session, index);
    if (!s->info->why_not || !count_framed(s, buffers))
        status = count_all(s, progress, diag);
    if ((status == ETM_OK || etm_cli_is_unread(status)) &&
        registers_missing(s->info) && !is_in_frames(s, buffers)) {
        s->guessed = true;
        guessed = etm_session_guess(session, index,
                                    s->info->why_not ? ETM_PROTOCOL_NONE
                                                     : s->info->config.protocol,
                                    &s->guess);
    }
    return guessed == ETM_OK ? status : guessed;
}

/* Show what is in the buffers, as it is found out, and keep it. */
static int show_buffers(const struct etm_session *session, bool text,
                        struct etm_cli_output *output,
                        struct etm_cli_buffer *buffers)
{
    int status = ETM_OK;

    for (size_t i = 0; i < etm_session_buffers(session) && status == ETM_OK;
         i++) {
        struct etm_cli_buffer *buffer = &buffers[i];

        buffer->info = etm_session_buffer(session, i);
        status = etm_session_guess_framing(session, i, &buffer->likely);
        if (status == ETM_OK)
            status = etm_session_count(session, i, &buffer->counts);
        if (status == ETM_OK && text)
            etm_cli_buffer_text(output, buffer);
        else if (status == ETM_OK)
            etm_cli_buffer_jsonl(output, buffer);
    }
    return status;
}

static int show_sources(const struct etm_cli_capture *capture,
                        const struct etm_cli_buffer *buffers,
                        const struct etm_cli_options *options,
                        struct etm_cli_output *output)
{
    bool text = strcmp(options->format, "text") == 0;
    struct etm_cli_progress progress;
    struct etm_cli_source source;
    struct etm_diag diag = {0};
    int status = ETM_EXIT_OK;
    bool shown;

    etm_cli_progress_start(&progress, NULL, capture->n_sources);
    for (size_t i = 0;
         i < capture->n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        progress.part = i;
        status = find_out(&source, capture->session, capture->sources[i],
                          buffers, &progress, &diag);
        etm_cli_progress_stop(&progress);
        shown = status == ETM_OK || etm_cli_is_unread(status);
        if (shown && text)
            etm_cli_info_text(output, options, &source);
        else if (shown)
            etm_cli_info_jsonl(output, &source);
        status = etm_cli_source_status(status, &diag, output);
    }
    return status;
}

int etm_cli_info(const struct etm_cli_options *options,
                 struct etm_cli_output *output)
{
    bool text = strcmp(options->format, "text") == 0;
    struct etm_cli_capture capture;
    struct etm_cli_buffer *buffers;
    struct etm_diag diag = {0};
    int status;

    status = etm_cli_open(&capture, options, output, false);
    if (status != ETM_EXIT_OK)
        return status;
    buffers = calloc(etm_session_buffers(capture.session) + 1, sizeof *buffers);
    status = buffers != NULL
                 ? show_buffers(capture.session, text, output, buffers)
                 : ETM_ERR_MEMORY;
    status = etm_cli_status(status, &diag, output);
    if (status == ETM_EXIT_OK)
        status = show_sources(&capture, buffers, options, output);
    free(buffers);
    if (text)
        etm_cli_notes_text(output, capture.session);
    else
        etm_cli_notes_jsonl(output, capture.session);
    etm_cli_close(&capture);
    if (output->failed)
        status = ETM_EXIT_UNREADABLE;
    return status;
}
