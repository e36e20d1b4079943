/* SPDX-License-Identifier: Apache-2.0 */
/* etm index: where decoding can begin. */
#include "cli/part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct listing {
    struct etm_cli_output *output;
    struct etm_cli_progress *progress;
    unsigned id;
    uint64_t every, next; /* bytes */
    uint64_t n;
};

static const char *reason_of(const struct etm_point *point)
{
    static const char *const names[] = {"periodic", "trace_on", "overflow",
                                        "debug_exit"};

    return point->has_reason ? names[point->reason & 3] : NULL;
}

/* Whether this point is to be printed. */
static bool is_due(struct listing *l, const struct etm_point *point)
{
    uint64_t at = point->position_known ? point->position : point->stream;

    if (l->n != 0 && at < l->next)
        return false;
    l->next = at + l->every;
    l->n++;
    return true;
}

static int put_jsonl(void *context, const struct etm_point *point)
{
    struct listing *l = context;
    struct etm_cli_output *o = l->output;
    const char *reason = reason_of(point);

    if (!is_due(l, point))
        return ETM_OK;
    etm_cli_print(o, "{\"k\":\"sync\",\"src\":%u,\"off\":%" PRIu64, l->id,
                  point->offset);
    if (point->position_known)
        etm_cli_print(o, ",\"pos\":%" PRIu64, point->position);
    else
        etm_cli_print(o, ",\"pos\":null");
    etm_cli_print(o, ",\"stream\":%" PRIu64, point->stream);
    if (reason)
        etm_cli_print(o, ",\"reason\":\"%s\"", reason);
    else
        etm_cli_print(o, ",\"reason\":null");
    if (point->address_known)
        etm_cli_print(o, ",\"addr\":\"0x%08" PRIx32 "\",\"isa\":\"%s\"",
                      point->address, etm_isa_name((enum etm_isa)point->isa));
    else
        etm_cli_print(o, ",\"addr\":null,\"isa\":null");
    if (point->context_id_known)
        etm_cli_print(o, ",\"context_id\":%" PRIu32, point->context_id);
    else
        etm_cli_print(o, ",\"context_id\":null");
    if (point->time_known)
        etm_cli_print(o, ",\"time\":\"%" PRIu64 "\"", point->time);
    else
        etm_cli_print(o, ",\"time\":null");
    if (point->cycles_known)
        etm_cli_print(o, ",\"cycles\":%" PRIu64 "}\n", point->cycles);
    else
        etm_cli_print(o, ",\"cycles\":null}\n");
    return o->closed || o->failed ? ETM_ERR_STOPPED : ETM_OK;
}

static int put_text(void *context, const struct etm_point *point)
{
    struct listing *l = context;
    struct etm_cli_output *o = l->output;
    const char *reason = reason_of(point);
    uint64_t place = point->position_known ? point->position : point->offset;
    char address[16] = "-", time[24] = "-", cycles[24] = "-";

    if (!is_due(l, point))
        return ETM_OK;
    if (point->address_known)
        (void)snprintf(address, sizeof address, "0x%08" PRIx32, point->address);
    if (point->time_known)
        (void)snprintf(time, sizeof time, "%" PRIu64, point->time);
    if (point->cycles_known)
        (void)snprintf(cycles, sizeof cycles, "%" PRIu64, point->cycles);
    etm_cli_print(o, "%12" PRIu64 " %12" PRIu64 "  %-10s  %-10s", place,
                  point->stream, address, reason ? reason : "-");
    if (point->context_id_known)
        etm_cli_print(o, "  0x%08" PRIx32, point->context_id);
    else
        etm_cli_print(o, "  %-10s", "-");
    etm_cli_print(o, "  %20s  %14s\n", time, cycles);
    return o->closed || o->failed ? ETM_ERR_STOPPED : ETM_OK;
}

/* A pipe has nothing at the moment: show what is known. */
static int show_lines(void *context)
{
    struct listing *l = context;

    return etm_cli_flush(l->output);
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
    struct listing *l = context;

    etm_cli_progress_show(l->progress, done, total);
    return ETM_OK;
}

static int index_source(const struct etm_cli_options *options,
                        struct etm_cli_output *output,
                        struct etm_cli_progress *progress,
                        const struct etm_session *session, size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    bool text = strcmp(options->format, "text") == 0;
    struct listing l = {.output = output,
                        .progress = progress,
                        .id = info->id,
                        .every = options->every};
    const struct etm_session_points how = {.size = sizeof how,
                                           .point = text ? put_text : put_jsonl,
                                           .progress = show_progress,
                                           .idle = show_lines,
                                           .context = &l};
    struct etm_diag diag = {0};
    char title[256];
    int status;

    etm_cli_title(info, title, sizeof title);
    if (text)
        etm_cli_print(output,
                      "%s\n%12s %12s  %-10s  %-10s  %-10s  %20s  %14s\n", title,
                      "place", "stream", "address", "reason", "context", "time",
                      "cycles");
    status = etm_session_find_points(session, source, &how, &diag);
    etm_cli_progress_stop(progress);
    if (status == ETM_OK && l.n == 0)
        etm_cli_error(info->config.protocol == ETM_PROTOCOL_MTB
                          ? "%s: the memory of an MTB needs no index: decoding "
                            "can begin with any of its packets"
                          : "%s: no synchronization points",
                      info->name);
    return etm_cli_status(status, &diag, output);
}

int etm_cli_index(const struct etm_cli_options *options,
                  struct etm_cli_output *output)
{
    struct etm_cli_progress progress;
    struct etm_cli_capture capture;
    int status = etm_cli_open(&capture, options, output, true);

    if (status != ETM_EXIT_OK)
        return status;
    etm_cli_progress_start(&progress, output, capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        progress.part = i;
        status = index_source(options, output, &progress, capture.session,
                              capture.sources[i]);
    }
    etm_cli_close(&capture);
    return status;
}
