/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of Chrome's trace event format, in JSON, which chrome://tracing,
 * ui.perfetto.dev and speedscope.app read ("Trace Event Format", duration,
 * instant and metadata events). Its times are microseconds.
 */
#include "cli/timeline.h"

#include <inttypes.h>

static void begin_file(struct etm_cli_replay *r)
{
    etm_cli_print(r->output, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

static void begin_event(struct etm_cli_replay *r, const char *phase,
                        unsigned track)
{
    struct etm_cli_timeline *t = r->state;

    etm_cli_print(r->output, "%s\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u",
                  t->any ? "," : "", phase, (unsigned)t->source, track);
    t->any = true;
}

static void put_time(struct etm_cli_replay *r, uint64_t time)
{
    etm_cli_print(r->output, ",\"ts\":%" PRIu64 ".%03u", time / 1000,
                  (unsigned)(time % 1000));
}

static void put_name(struct etm_cli_replay *r, uint32_t name)
{
    struct etm_cli_timeline *t = r->state;
    char json[1024];

    if (name != 0)
        etm_cli_print(
            r->output, ",\"name\":%s",
            etm_json_string(t->names[name - 1].text, json, sizeof json));
}

static void put_track(struct etm_cli_replay *r, unsigned track,
                      const char *name)
{
    char json[1024];

    begin_event(r, "M", track);
    etm_cli_print(r->output, ",\"name\":\"%s\"",
                  track == ETM_CLI_TRACK_SOURCE ? "process_name"
                                                : "thread_name");
    etm_cli_print(r->output, ",\"args\":{\"name\":%s}}",
                  etm_json_string(name, json, sizeof json));
}

static void begin(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  uint32_t name)
{
    begin_event(r, "B", track);
    put_time(r, time);
    put_name(r, name);
    etm_cli_put(r->output, "}", 1);
}

static void end(struct etm_cli_replay *r, unsigned track, uint64_t time,
                unsigned flags)
{
    char text[ETM_CLI_FLAGS];
    const char *words = etm_cli_timeline_flags(flags, text);

    begin_event(r, "E", track);
    put_time(r, time);
    if (words)
        etm_cli_print(r->output, ",\"args\":{\"flags\":\"%s\"}", words);
    etm_cli_put(r->output, "}", 1);
}

static void mark(struct etm_cli_replay *r, unsigned track, uint64_t time,
                 uint32_t name)
{
    begin_event(r, "i", track);
    put_time(r, time);
    put_name(r, name);
    etm_cli_print(r->output, ",\"s\":\"t\"}");
}

static const struct etm_cli_sink sink = {put_track, begin, end, mark};

static int begin_source(struct etm_cli_replay *r)
{
    return etm_cli_timeline_source(r, &sink);
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    return etm_cli_timeline_calls(context, &sink, calls, n);
}

static void take_element(struct etm_cli_replay *r, const struct etm_element *e)
{
    etm_cli_timeline_element(r, &sink, e);
}

static int end_source(struct etm_cli_replay *r)
{
    return etm_cli_timeline_end(r, &sink);
}

static int end_file(struct etm_cli_replay *r)
{
    etm_cli_print(r->output, "]}\n");
    return ETM_OK;
}

const struct etm_cli_view etm_cli_timeline_chrome = {
    .command = ETM_CLI_TIMELINE,
    .format = "chrome",
    .state_size = sizeof(struct etm_cli_timeline),
    .begin = begin_file,
    .source = begin_source,
    .calls = take_calls,
    .element = take_element,
    .end_source = end_source,
    .end = end_file,
    .free = etm_cli_timeline_free,
};
