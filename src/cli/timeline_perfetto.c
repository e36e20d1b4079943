/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file for ui.perfetto.dev: TrackEvent packets with interned names, all in
 * one sequence (Perfetto's protos/perfetto/trace/trace_packet.proto,
 * track_event/track_event.proto, interned_data/interned_data.proto).
 */
#include "cli/timeline.h"

enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_PARENT = 5,
    DESCRIPTOR_COUNTER = 8,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    INTERNED_EVENT_NAMES = 2,
    NAME_IID = 1,
    NAME_TEXT = 2,
    EVENT_ANNOTATIONS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORIES = 22,
    EVENT_COUNTER_VALUE = 30,
    EVENT_DOUBLE_COUNTER_VALUE = 44,
    ANNOTATION_STRING = 6,
    ANNOTATION_NAME = 10
};

/* TrackEvent.Type */
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };

/* TracePacket.SequenceFlags */
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };

#define SEQUENCE 1u

static uint64_t uuid(const struct etm_cli_timeline *t, unsigned track)
{
    return (uint64_t)t->source << 16 | (track + 1);
}

/* The packet is complete. */
static void put_packet(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    etm_cli_message_number(&t->packet, PACKET_SEQUENCE, SEQUENCE);
    etm_cli_message_number(&t->packet, PACKET_SEQUENCE_FLAGS,
                           t->any ? NEEDS_STATE : STATE_CLEARED);
    t->any = true;
    etm_cli_message_nest(&t->out, TRACE_PACKET, &t->packet);
    t->failed |= t->out.failed || t->event.failed;
    etm_cli_put(r->output, (const char *)t->out.data, t->out.n);
    t->out.n = 0;
}

static void put_track(struct etm_cli_replay *r, unsigned track,
                      const char *name)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_message *m = &t->event, *process = &t->nested[0];

    etm_cli_message_number(m, DESCRIPTOR_UUID, uuid(t, track));
    etm_cli_message_text(m, DESCRIPTOR_NAME, name);
    if (track == ETM_CLI_TRACK_SOURCE) {
        etm_cli_message_number(process, PROCESS_PID, t->source);
        etm_cli_message_text(process, PROCESS_NAME, name);
        etm_cli_message_nest(m, DESCRIPTOR_PROCESS, process);
    } else {
        etm_cli_message_number(m, DESCRIPTOR_PARENT,
                               uuid(t, ETM_CLI_TRACK_SOURCE));
    }
    if (track >= ETM_CLI_TRACK_VARIABLE)
        etm_cli_message_nest(m, DESCRIPTOR_COUNTER, process);
    etm_cli_message_nest(&t->packet, PACKET_TRACK_DESCRIPTOR, m);
    put_packet(r);
}

/* The first time, the packet that uses a name has it, too. */
static void use_name(struct etm_cli_timeline *t, uint32_t name)
{
    struct etm_cli_message *entry = &t->nested[0], *data = &t->nested[1];

    if (name != 0 && !t->names[name - 1].written) {
        t->names[name - 1].written = true;
        etm_cli_message_number(entry, NAME_IID, name);
        etm_cli_message_text(entry, NAME_TEXT, t->names[name - 1].text);
        etm_cli_message_nest(data, INTERNED_EVENT_NAMES, entry);
        etm_cli_message_nest(&t->packet, PACKET_INTERNED, data);
    }
    etm_cli_message_number(&t->event, EVENT_NAME_IID, name);
}

/* An event, without what is special of it: that is in t->event already. */
static void put_event(struct etm_cli_replay *r, unsigned track, uint64_t time,
                      unsigned type)
{
    struct etm_cli_timeline *t = r->state;

    etm_cli_message_number(&t->event, EVENT_TYPE, type);
    etm_cli_message_number(&t->event, EVENT_TRACK, uuid(t, track));
    etm_cli_message_number(&t->packet, PACKET_TIMESTAMP, time);
    etm_cli_message_nest(&t->packet, PACKET_TRACK_EVENT, &t->event);
    put_packet(r);
}

static void begin(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  uint32_t name)
{
    struct etm_cli_timeline *t = r->state;

    use_name(t, name);
    if (track == ETM_CLI_TRACK_GAPS)
        etm_cli_message_text(&t->event, EVENT_CATEGORIES, "gap");
    put_event(r, track, time, SLICE_BEGIN);
}

static void annotate(struct etm_cli_timeline *t, const char *name,
                     const char *text)
{
    etm_cli_message_text(&t->nested[0], ANNOTATION_NAME, name);
    etm_cli_message_text(&t->nested[0], ANNOTATION_STRING, text);
    etm_cli_message_nest(&t->event, EVENT_ANNOTATIONS, &t->nested[0]);
}

static void end(struct etm_cli_replay *r, unsigned track, uint64_t time,
                uint32_t name, unsigned flags)
{
    struct etm_cli_timeline *t = r->state;
    char text[ETM_CLI_FLAGS];
    const char *words = etm_cli_timeline_flags(flags, text);

    (void)name; /* that of the slice that ends */
    if (words)
        annotate(t, "flags", words);
    put_event(r, track, time, SLICE_END);
}

static void mark(struct etm_cli_replay *r, unsigned track, uint64_t time,
                 uint32_t name)
{
    use_name(r->state, name);
    put_event(r, track, time, INSTANT);
}

/* A number of 64 bits that counter_value, which is signed, has no room for is a
 * double. */
static void count(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  const struct etm_cli_drawn_value *value)
{
    struct etm_cli_timeline *t = r->state;
    const struct etm_cli_value *v = &value->value;

    if (value->name != 0)
        annotate(t, "text", t->names[value->name - 1].text);
    if (v->is_float || (!v->is_signed && v->bits > INT64_MAX))
        etm_cli_message_double(&t->event, EVENT_DOUBLE_COUNTER_VALUE,
                               etm_cli_value_double(v));
    else
        etm_cli_message_number(&t->event, EVENT_COUNTER_VALUE, v->bits);
    put_event(r, track, time, COUNTER);
}

static const struct etm_cli_sink sink = {put_track, begin, end, mark, count};

const struct etm_cli_view etm_cli_timeline_perfetto = {
    .command = ETM_CLI_TIMELINE,
    .format = "perfetto",
    .state_size = sizeof(struct etm_cli_timeline),
    .sink = &sink,
    .prepare = etm_cli_timeline_prepare,
    .source = etm_cli_timeline_source,
    .calls = etm_cli_timeline_calls,
    .element = etm_cli_timeline_element,
    .end_source = etm_cli_timeline_end_source,
    .end = etm_cli_timeline_end,
    .free = etm_cli_timeline_free,
    .binary = true,
};
