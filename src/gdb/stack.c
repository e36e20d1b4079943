/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/stack.h"

/* Stretches between two beginnings of the engine, and between landmarks: 2 MiB
 * of trace, twice what a decoder that begins in the middle reads before. */
#define WINDOW UINT64_C(32)
#define LANDMARK_DISTANCE WINDOW

static int ignore(void *context, const struct etm_call *calls, size_t n)
{
    (void)context;
    (void)calls;
    (void)n;
    return ETM_OK;
}

static size_t read_code(void *context, uint32_t address, uint8_t *bytes,
                        size_t size)
{
    const struct etm_gdb_history *h = context;

    return etm_session_read(h->session, h->source, address, NULL, bytes, size);
}

int etm_gdb_stacks_init(struct etm_gdb_stacks *s,
                        struct etm_gdb_history *history,
                        const uint32_t *variable)
{
    int status;

    *s = (struct etm_gdb_stacks){.history = history};
    s->names = (struct etm_session_names){.session = history->session,
                                          .source = history->source};
    s->config =
        (struct etm_calls_config){.size = sizeof s->config,
                                  .calls = ignore,
                                  .names = etm_session_names_of(&s->names),
                                  .code = read_code,
                                  .code_context = history,
                                  .has_task_variable = variable != NULL,
                                  .task_variable = variable ? *variable : 0,
                                  .sizeof_element = sizeof(struct etm_element)};
    status = etm_calls_new(&s->here, &s->config);
    for (size_t i = 0; i < ETM_GDB_MARKS && status == ETM_OK; i++)
        status = etm_calls_new(&s->marks[i], &s->config);
    for (size_t i = 0; i < ETM_GDB_LANDMARKS && status == ETM_OK; i++)
        status = etm_calls_new(&s->landmarks[i].calls, &s->config);
    return status;
}

void etm_gdb_stacks_fini(struct etm_gdb_stacks *s)
{
    etm_calls_free(s->here);
    for (size_t i = 0; i < ETM_GDB_MARKS; i++)
        etm_calls_free(s->marks[i]);
    for (size_t i = 0; i < ETM_GDB_LANDMARKS; i++)
        etm_calls_free(s->landmarks[i].calls);
}

/* Make an engine one that has seen nothing. */
static int begin(const struct etm_gdb_stacks *s, struct etm_calls *calls)
{
    struct etm_calls *fresh;
    int status = etm_calls_new(&fresh, &s->config);

    if (status == ETM_OK)
        status = etm_calls_copy(calls, fresh);
    etm_calls_free(fresh);
    return status;
}

/* Go on to the beginning of another stretch. */
static int advance(const struct etm_gdb_stacks *s, struct etm_calls *calls,
                   uint64_t from, uint64_t to)
{
    const struct etm_session_run run = {.level = ETM_LEVEL_RANGES,
                                        .elements = etm_calls_elements,
                                        .context = calls,
                                        .sizeof_element =
                                            sizeof(struct etm_element),
                                        .jobs = 1};

    return from < to ? etm_gdb_history_run(s->history, from, to - from, run)
                     : ETM_OK;
}

/* The landmark at a stretch, if there is one; else the one to use for it. */
static struct etm_gdb_landmark *landmark(struct etm_gdb_stacks *s,
                                         uint64_t stretch, uint64_t first)
{
    struct etm_gdb_landmark *oldest = s->landmarks;

    for (size_t i = 0; i < ETM_GDB_LANDMARKS; i++) {
        struct etm_gdb_landmark *l = &s->landmarks[i];

        if (l->used != 0 && l->stretch == stretch && l->begin == first) {
            l->used = ++s->uses;
            return l;
        }
        if (l->used < oldest->used)
            oldest = l;
    }
    oldest->used = 0;
    return oldest;
}

/* The state at the beginning of a stretch becomes that of s->here. */
static int reach_stretch(struct etm_gdb_stacks *s, uint64_t stretch)
{
    uint64_t first = stretch / WINDOW * WINDOW, at;
    int status = begin(s, s->here);

    first = first < WINDOW ? 0 : first - WINDOW;
    at = first;
    while (status == ETM_OK && at < stretch) {
        uint64_t next = at + LANDMARK_DISTANCE;
        struct etm_gdb_landmark *l;

        if (next > stretch)
            return advance(s, s->here, at, stretch);
        l = landmark(s, next, first);
        if (l->used != 0) {
            status = etm_calls_copy(s->here, l->calls);
        } else {
            status = advance(s, s->here, at, next);
            if (status == ETM_OK)
                status = etm_calls_copy(l->calls, s->here);
            if (status == ETM_OK) {
                l->used = ++s->uses;
                l->stretch = next;
                l->begin = first;
            }
        }
        at = next;
    }
    return status;
}

/* Take instructions of a stretch, each behind the events before it. */
static int take(struct etm_calls *calls, const struct etm_gdb_stretch *stretch,
                uint32_t from, uint32_t to)
{
    const struct etm_gdb_event *events = etm_gdb_events(stretch);
    size_t at = etm_gdb_events_before(stretch, from);
    int status = ETM_OK;

    for (uint32_t i = from; i < to && status == ETM_OK; i++) {
        const struct etm_element e =
            etm_gdb_element_of(&etm_gdb_insns(stretch)[i]);

        for (; at < stretch->events.n && events[at].before <= i; at++)
            if (status == ETM_OK)
                status = etm_calls_elements(calls, &events[at].element, 1);
        if (status == ETM_OK)
            status = etm_calls_elements(calls, &e, 1);
    }
    return status;
}

/* Note the state at evenly spaced instructions of a stretch. */
static int mark(struct etm_gdb_stacks *s, const struct etm_gdb_stretch *stretch)
{
    uint32_t n = (uint32_t)stretch->insns.n;
    int status;

    s->marked = false;
    s->distance = n / ETM_GDB_MARKS + 1;
    status = reach_stretch(s, stretch->number);
    for (uint32_t i = 0; i < ETM_GDB_MARKS && status == ETM_OK; i++) {
        uint32_t from = i * s->distance;

        status = etm_calls_copy(s->marks[i], s->here);
        if (status == ETM_OK && from < n)
            status = take(s->here, stretch, from,
                          n - from < s->distance ? n : from + s->distance);
    }
    s->marked = status == ETM_OK;
    s->stretch = stretch->number;
    return status;
}

int etm_gdb_stacks_at(struct etm_gdb_stacks *s,
                      const struct etm_gdb_place *place,
                      const struct etm_calls **calls)
{
    const struct etm_gdb_stretch *stretch;
    uint32_t nearest;
    int status;

    *calls = s->here;
    if (s->placed && s->place.stretch == place->stretch &&
        s->place.insn == place->insn)
        return ETM_OK;
    s->placed = false;
    status = etm_gdb_history_stretch(s->history, place->stretch, &stretch);
    if (status == ETM_OK && !(s->marked && s->stretch == place->stretch))
        status = mark(s, stretch);
    if (status != ETM_OK)
        return status;
    nearest = place->insn / s->distance;
    status = etm_calls_copy(s->here, s->marks[nearest]);
    if (status == ETM_OK)
        status = take(s->here, stretch, nearest * s->distance, place->insn + 1);
    s->placed = status == ETM_OK;
    s->place = *place;
    return status;
}
