/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks of an ITM and a DWT: exceptions, lines that the program wrote, samples
 * of the program counter, counters that wrapped. */
#include "cli/timeline.h"

#include <stdio.h>
#include <stdlib.h>

/* Its tracks are those that other sources have for calls. */
enum {
    TRACK_PORTS = ETM_CLI_TRACK_TASKS,
    TRACK_SAMPLES = ETM_CLI_TRACK_TASK,
    TRACK_COUNTERS
};

#define PORTS 256u
#define LINE 120u

/* Bytes of a line that has not ended. */
struct line {
    uint8_t n;
    char text[LINE];
};

/*
 * A local timestamp is the time of the elements before it (ARMv7-M ARM,
 * D4.2.4), which wait for it here, and gives it in ticks since the first. If
 * none comes, elements are counted.
 */
#define HELD 256u

struct times {
    struct etm_element held[HELD];
    size_t n;
    uint64_t at; /* never decreases */
    bool timed;  /* a local timestamp has come */
};

/*
 * Which exceptions are entered and left the call engine finds out, which gets
 * an element after it was taken here, and may wait with up to 32 exceptions for
 * a local timestamp. Where there is none, these are the places of the last
 * ones.
 */
#define PLACES 64u
struct place {
    uint64_t offset, at;
};

struct etm_cli_drawn_itm {
    struct times times;
    struct place places[PLACES]; /* a ring */
    size_t n_places;
    struct line lines[PORTS];
};

static struct etm_clock_place place_of(uint64_t at)
{
    return (struct etm_clock_place){.at = at};
}

static void end_line(struct etm_cli_replay *r, unsigned port, uint64_t at)
{
    struct etm_cli_timeline *t = r->state;
    struct line *line = &t->itm->lines[port];
    char text[LINE + 16];

    if (line->n == 0)
        return;
    (void)snprintf(text, sizeof text, "%u: %.*s", port, line->n, line->text);
    etm_cli_draw_mark(r, TRACK_PORTS, place_of(at), text);
    line->n = 0;
}

static bool is_text(const struct etm_element *e)
{
    for (unsigned i = 0; i < e->u.software.size; i++) {
        uint8_t c = (uint8_t)(e->u.software.value >> (8 * i));

        if (c >= 0x7f || (c < ' ' && (c < '\t' || c > '\r') && c != 0))
            return false;
    }
    return true;
}

/* Bytes become lines; other values are marks of their own. */
static void draw_software(struct etm_cli_replay *r, const struct etm_element *e,
                          uint64_t at)
{
    struct etm_cli_timeline *t = r->state;
    unsigned port = e->u.software.port;
    struct line *line = &t->itm->lines[port];
    char text[32];

    if (!is_text(e)) {
        end_line(r, port, at);
        (void)snprintf(text, sizeof text, "%u: 0x%0*x", port,
                       2 * e->u.software.size, (unsigned)e->u.software.value);
        etm_cli_draw_mark(r, TRACK_PORTS, place_of(at), text);
        return;
    }
    for (unsigned i = 0; i < e->u.software.size; i++) {
        char c = (char)(e->u.software.value >> (8 * i));

        if (c >= ' ' || c == '\t')
            line->text[line->n++] = c;
        if (c == '\n' || line->n == LINE)
            end_line(r, port, at);
    }
}

static void draw_sample(struct etm_cli_replay *r, const struct etm_element *e,
                        uint64_t at)
{
    char text[ETM_CLI_CALL_NAME];
    struct etm_symbol symbol;
    const char *name = text;

    if (e->u.pc_sample.state != ETM_PC_RUNNING)
        name = etm_pc_state_name((enum etm_pc_state)e->u.pc_sample.state);
    else if (r->names.symbol &&
             r->names.symbol(r->names.context, e->u.pc_sample.address,
                             &symbol) == ETM_OK)
        name = symbol.name;
    else
        (void)snprintf(text, sizeof text, "0x%08x",
                       (unsigned)e->u.pc_sample.address);
    etm_cli_draw_mark(r, TRACK_SAMPLES, place_of(at), name);
}

static void draw_counters(struct etm_cli_replay *r, const struct etm_element *e,
                          uint64_t at)
{
    for (unsigned i = 0; i <= ETM_ITM_COUNTER_CYC; i++)
        if ((e->u.event_counter.counters >> i & 1) != 0)
            etm_cli_draw_mark(r, TRACK_COUNTERS, place_of(at),
                              etm_itm_counter_name((enum etm_itm_counter)i));
}

/* Packets are missing. */
static void draw_gap(struct etm_cli_replay *r, const struct etm_element *e,
                     uint64_t at)
{
    etm_cli_draw_mark(r, ETM_CLI_TRACK_GAPS, place_of(at),
                      e->kind == ETM_ELEMENT_LOST ? "lost" : "overflow");
}

static void take(struct etm_cli_replay *r, const struct etm_element *e,
                 uint64_t at)
{
    struct etm_cli_timeline *t = r->state;

    switch (e->kind) {
    case ETM_ELEMENT_SOFTWARE:
        draw_software(r, e, at);
        break;
    case ETM_ELEMENT_PC_SAMPLE:
        draw_sample(r, e, at);
        break;
    case ETM_ELEMENT_EVENT_COUNTER:
        draw_counters(r, e, at);
        break;
    case ETM_ELEMENT_EXCEPTION:
        t->itm->places[t->itm->n_places++ % PLACES] =
            (struct place){e->offset, at};
        break;
    case ETM_ELEMENT_DATA:
        etm_cli_draw_watch(r, e, place_of(at));
        break;
    case ETM_ELEMENT_LOST:
    case ETM_ELEMENT_TRACE_ON:
        etm_cli_draw_watch(r, e, place_of(at));
        draw_gap(r, e, at);
        break;
    }
}

static void flush(struct times *t, struct etm_cli_replay *r)
{
    for (size_t i = 0; i < t->n; i++) {
        t->at += !t->timed;
        take(r, &t->held[i], t->at);
    }
    t->n = 0;
}

/* An element waits, or one is the time of those that do. */
static void give(struct times *t, struct etm_cli_replay *r,
                 const struct etm_element *e)
{
    if (e->kind == ETM_ELEMENT_LOCAL_TIMESTAMP) {
        t->timed = true;
        if (e->u.local_timestamp.ticks > t->at)
            t->at = e->u.local_timestamp.ticks;
        flush(t, r);
        return;
    }
    if (t->n == HELD)
        flush(t, r);
    t->held[t->n++] = *e;
}

/* When something happened to an exception. */
static uint64_t time_of(struct etm_cli_replay *r, const struct etm_call *c)
{
    struct etm_cli_timeline *t = r->state;
    const struct etm_cli_drawn_itm *itm = t->itm;

    if (t->itm->times.timed)
        return c->at.cycles;
    flush(&t->itm->times, r);
    for (size_t i = 0; i < PLACES && i < itm->n_places; i++)
        if (itm->places[i].offset == c->offset)
            return itm->places[i].at;
    return itm->times.at;
}

void etm_cli_draw_itm_call(struct etm_cli_replay *r, const struct etm_call *c)
{
    struct etm_clock_place place = place_of(time_of(r, c));
    char text[ETM_CLI_CALL_NAME];

    if (c->kind == ETM_CALL_ENTER)
        etm_cli_draw_begin(r, ETM_CLI_TRACK_EXCEPTIONS, place,
                           etm_cli_call_name(r, c, text));
    else
        etm_cli_draw_end(r, ETM_CLI_TRACK_EXCEPTIONS, place, c->flags);
}

int etm_cli_draw_itm_start(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    char name[128];

    t->itm = calloc(1, sizeof *t->itm);
    if (!t->itm)
        return ETM_ERR_MEMORY;
    (void)snprintf(name, sizeof name, "%.64s (1 ns: 1 of %s)", r->info->name,
                   r->times ? "timestamps" : "local timestamps, or packets");
    r->view->sink->track(r, ETM_CLI_TRACK_SOURCE, name);
    r->view->sink->track(r, TRACK_PORTS, "stimulus ports");
    r->view->sink->track(r, ETM_CLI_TRACK_EXCEPTIONS, "exceptions");
    r->view->sink->track(r, ETM_CLI_TRACK_GAPS, "overflows and damage");
    r->view->sink->track(r, TRACK_SAMPLES, "samples of the PC");
    r->view->sink->track(r, TRACK_COUNTERS, "counters that wrapped");
    return ETM_OK;
}

void etm_cli_draw_itm(struct etm_cli_replay *r, const struct etm_element *e)
{
    struct etm_cli_timeline *t = r->state;
    struct times *times = &t->itm->times;

    if (e->kind != ETM_ELEMENT_TIMESTAMP) {
        give(times, r, e);
        return;
    }
    if (!times->timed)
        flush(times, r);
    etm_cli_draw_timestamp(r, place_of(times->at), e->u.timestamp.value);
}

void etm_cli_draw_itm_stop(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;

    flush(&t->itm->times, r);
    for (unsigned port = 0; port < PORTS; port++)
        end_line(r, port, t->itm->times.at);
    free(t->itm);
    t->itm = NULL;
}
