/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of Chrome's trace event format, in JSON, which chrome://tracing,
 * ui.perfetto.dev and speedscope.app read ("Trace Event Format", duration,
 * instant and metadata events). Its times are microseconds.
 */
#include "cli/timeline.h"

#include <inttypes.h>
#include <math.h>

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
    char json[ETM_CLI_JSON];

    if (name != 0)
        etm_cli_print(r->output, ",\"name\":%s",
                      etm_cli_json_name(t->names[name - 1].text, json));
}

static void put_track(struct etm_cli_replay *r, unsigned track,
                      const char *name)
{
    char json[ETM_CLI_JSON];

    begin_event(r, "M", track);
    etm_cli_print(r->output, ",\"name\":\"%s\"",
                  track == ETM_CLI_TRACK_SOURCE ? "process_name"
                                                : "thread_name");
    etm_cli_print(r->output, ",\"args\":{\"name\":%s}}",
                  etm_cli_json_name(name, json));
}

static void begin(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  uint32_t name)
{
    begin_event(r, "B", track);
    put_time(r, time);
    put_name(r, name);
    if (track == ETM_CLI_TRACK_GAPS) /* in a colour of its own */
        etm_cli_print(r->output, ",\"cat\":\"gap\",\"cname\":\"grey\"");
    etm_cli_put(r->output, "}", 1);
}

static void end(struct etm_cli_replay *r, unsigned track, uint64_t time,
                uint32_t name, unsigned flags)
{
    char text[ETM_CLI_FLAGS];
    const char *words = etm_cli_timeline_flags(flags, text);

    (void)name; /* that of the slice that ends */
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

/* A counter has its own name, in each process. JSON has no number for what is
 * infinite or none. */
static void count(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  const struct etm_cli_drawn_value *value)
{
    char json[ETM_CLI_JSON], text[ETM_CLI_VALUE];

    if (!isfinite(etm_cli_value_double(&value->value)))
        return;
    begin_event(r, "C", track);
    put_time(r, time);
    etm_cli_print(r->output, ",\"name\":%s,\"args\":{\"value\":%s}}",
                  etm_cli_json_name(value->scalar->name, json),
                  etm_cli_value_number(value->scalar, &value->value, text));
}

static const struct etm_cli_sink sink = {put_track, begin, end, mark, count};

static int end_file(struct etm_cli_replay *r)
{
    etm_cli_print(r->output, "]}\n");
    return etm_cli_timeline_end(r);
}

const struct etm_cli_view etm_cli_timeline_chrome = {
    .command = ETM_CLI_TIMELINE,
    .format = "chrome",
    .state_size = sizeof(struct etm_cli_timeline),
    .sink = &sink,
    .prepare = etm_cli_timeline_prepare,
    .begin = begin_file,
    .source = etm_cli_timeline_source,
    .calls = etm_cli_timeline_calls,
    .element = etm_cli_timeline_element,
    .end_source = etm_cli_timeline_end_source,
    .end = end_file,
    .free = etm_cli_timeline_free,
};
