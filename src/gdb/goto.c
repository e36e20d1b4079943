/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/goto.h"

static uint64_t stretch_of(const struct etm_gdb_history *h, uint64_t position)
{
    uint64_t n = position / ETM_GDB_STRETCH_BYTES;

    return n < h->n_stretches ? n : h->n_stretches - 1;
}

static int keep_point(void *context, const struct etm_point *point)
{
    struct etm_gdb_history *h = context;
    const struct etm_point *last = h->points.data;

    if (h->points.n != 0 && stretch_of(h, last[h->points.n - 1].position) ==
                                stretch_of(h, point->position))
        return ETM_OK;
    return etm_vec_append(&h->points, point, 1);
}

/* The synchronization points: the packets of all the trace are read, once. */
static int find_points(struct etm_gdb_history *h)
{
    const struct etm_session_points how = {
        .size = sizeof how, .point = keep_point, .context = h};
    struct etm_diag diag;
    int status = ETM_OK;

    if (h->has_points)
        return ETM_OK;
    h->points.n = 0;
    status = etm_session_find_points(h->session, h->source, &how, &diag);
    h->has_points = status == ETM_OK;
    return status;
}

/* The last point before a position, a time, or so many cycles. */
struct search {
    uint64_t position, time, cycles;
    bool by_time, by_cycles; /* else by position */
    bool found;
    struct etm_point point;
};

static int search(struct etm_gdb_history *h, struct search *s)
{
    int status = find_points(h);
    const struct etm_point *points = h->points.data;

    for (size_t i = 0; i < h->points.n && status == ETM_OK; i++) {
        const struct etm_point *p = &points[i];

        if (s->by_time     ? p->time_known && p->time >= s->time
            : s->by_cycles ? p->cycles_known && p->cycles > s->cycles
                           : p->position > s->position)
            break;
        if ((s->by_time && !p->time_known && s->found) ||
            (s->by_cycles && !p->cycles_known))
            continue;
        s->point = *p;
        s->found = true;
    }
    return status;
}

static uint64_t cycles_of(const struct etm_gdb_insn *insn)
{
    return insn->cycles == UINT32_MAX ? 0 : insn->cycles;
}

/*
 * Elements in their order, from a place in a history on.
 */
struct scan {
    struct etm_gdb_history *history;
    const struct etm_gdb_stretch *stretch;
    struct etm_gdb_place place; /* the next instruction, or the end */
    size_t event;
};

static int scan_from(struct scan *s, struct etm_gdb_history *h, uint64_t number)
{
    *s = (struct scan){.history = h, .place = {number, 0}};
    return etm_gdb_history_stretch(h, number, &s->stretch);
}

/* The next event, or else instruction. Both NULL: the end. */
static int scan_next(struct scan *s, const struct etm_gdb_event **event,
                     const struct etm_gdb_insn **insn)
{
    *event = NULL;
    *insn = NULL;
    for (;;) {
        int status;

        if (s->event < s->stretch->events.n &&
            etm_gdb_events(s->stretch)[s->event].before <= s->place.insn) {
            *event = &etm_gdb_events(s->stretch)[s->event++];
            return ETM_OK;
        }
        if (s->place.insn < s->stretch->insns.n) {
            *insn = &etm_gdb_insns(s->stretch)[s->place.insn++];
            return ETM_OK;
        }
        if (s->place.stretch + 1 >= s->history->n_stretches)
            return ETM_OK;
        status = scan_from(s, s->history, s->place.stretch + 1);
        if (status != ETM_OK)
            return status;
    }
}

/* The place of the instruction that scan_next() gave. */
static struct etm_gdb_place scanned(const struct scan *s)
{
    return (struct etm_gdb_place){s->place.stretch, s->place.insn - 1};
}

/* The last time in a stretch before an instruction. */
static bool find_time(const struct etm_gdb_stretch *stretch, uint32_t insn,
                      uint64_t *time)
{
    for (size_t i = etm_gdb_events_before(stretch, insn + 1); i > 0; i--) {
        const struct etm_element *e = &etm_gdb_events(stretch)[i - 1].element;

        if (e->kind == ETM_ELEMENT_TIMESTAMP &&
            e->u.timestamp.value != ETM_TIMESTAMP_UNKNOWN) {
            *time = e->u.timestamp.value;
            return true;
        }
    }
    return false;
}

bool etm_gdb_time_at(struct etm_gdb_history *h,
                     const struct etm_gdb_place *place, uint64_t *time)
{
    struct search s = {.position = place->stretch * ETM_GDB_STRETCH_BYTES};
    const struct etm_gdb_stretch *stretch;

    if (etm_gdb_history_stretch(h, place->stretch, &stretch) != ETM_OK)
        return false;
    if (find_time(stretch, place->insn, time))
        return true;
    if (search(h, &s) != ETM_OK || !s.found || !s.point.time_known)
        return false;
    *time = s.point.time;
    return true;
}

/* The cycles from a point up to a place. */
static int add_cycles(struct etm_gdb_history *h, const struct etm_point *point,
                      const struct etm_gdb_place *place, uint64_t *cycles)
{
    const struct etm_gdb_event *event;
    const struct etm_gdb_insn *insn;
    struct scan s;
    int status = scan_from(&s, h, stretch_of(h, point->position));

    while (status == ETM_OK) {
        status = scan_next(&s, &event, &insn);
        if (status != ETM_OK || (!event && !insn))
            break;
        if (insn && scanned(&s).stretch == place->stretch &&
            scanned(&s).insn >= place->insn)
            break;
        if (insn && insn->offset >= point->offset)
            *cycles += cycles_of(insn);
        if (event && event->element.offset >= point->offset &&
            event->element.kind == ETM_ELEMENT_CYCLES &&
            event->element.u.cycles.n != ETM_CYCLES_UNKNOWN)
            *cycles += event->element.u.cycles.n;
    }
    return status;
}

int etm_gdb_where(struct etm_gdb_history *h, const struct etm_gdb_place *place,
                  struct etm_gdb_where *where)
{
    struct search s = {.position = place->stretch * ETM_GDB_STRETCH_BYTES};
    const struct etm_gdb_stretch *stretch;
    const struct etm_gdb_insn *insn;
    int status = etm_gdb_history_stretch(h, place->stretch, &stretch);

    *where = (struct etm_gdb_where){0};
    if (status != ETM_OK)
        return status;
    insn = &etm_gdb_insns(stretch)[place->insn];
    where->offset = insn->offset;
    where->percent =
        h->bytes == 0
            ? 0
            : 100 *
                  ((double)place->stretch * (double)ETM_GDB_STRETCH_BYTES +
                   (double)place->insn / (double)stretch->insns.n *
                       (double)(place->stretch + 1 < h->n_stretches
                                    ? ETM_GDB_STRETCH_BYTES
                                    : h->bytes - place->stretch *
                                                     ETM_GDB_STRETCH_BYTES)) /
                  (double)h->bytes;
    where->time_known = etm_gdb_time_at(h, place, &where->time);
    status = search(h, &s);
    if (status != ETM_OK || !s.found)
        return status;
    where->cycles_known = s.point.cycles_known;
    where->cycles = s.point.cycles;
    return where->cycles_known ? add_cycles(h, &s.point, place, &where->cycles)
                               : ETM_OK;
}

int etm_gdb_goto_offset(struct etm_gdb_history *h, uint64_t offset,
                        struct etm_gdb_place *place)
{
    const struct etm_gdb_event *event;
    const struct etm_gdb_insn *insn;
    struct scan s;
    int status = scan_from(&s, h, stretch_of(h, offset));

    while (status == ETM_OK) {
        status = scan_next(&s, &event, &insn);
        if (status != ETM_OK)
            return status;
        if (!event && !insn)
            return etm_gdb_walk_last(h, place);
        if (insn && insn->offset >= offset) {
            *place = scanned(&s);
            return ETM_OK;
        }
    }
    return status;
}

int etm_gdb_goto_time(struct etm_gdb_history *h, uint64_t time,
                      struct etm_gdb_place *place)
{
    struct search found = {.by_time = true, .time = time};
    const struct etm_gdb_event *event;
    const struct etm_gdb_insn *insn;
    bool reached = time == 0, any = false;
    struct scan s;
    int status = search(h, &found);

    if (status == ETM_OK)
        status = scan_from(
            &s, h, found.found ? stretch_of(h, found.point.position) : 0);
    while (status == ETM_OK) {
        status = scan_next(&s, &event, &insn);
        if (status != ETM_OK)
            return status;
        if (!event && !insn)
            return any ? etm_gdb_walk_last(h, place) : ETM_ERR_UNSUPPORTED;
        if (event && event->element.kind == ETM_ELEMENT_TIMESTAMP) {
            any = true;
            reached = reached || event->element.u.timestamp.value >= time;
        }
        if (insn && reached) {
            *place = scanned(&s);
            return ETM_OK;
        }
    }
    return status;
}

int etm_gdb_goto_cycles(struct etm_gdb_history *h, uint64_t cycles,
                        struct etm_gdb_place *place)
{
    struct search found = {.by_cycles = true, .cycles = cycles};
    const struct etm_gdb_event *event;
    const struct etm_gdb_insn *insn;
    uint64_t now;
    struct scan s;
    int status = search(h, &found);

    if (status == ETM_OK && !found.found)
        return ETM_ERR_UNSUPPORTED;
    now = found.point.cycles;
    if (status == ETM_OK)
        status = scan_from(&s, h, stretch_of(h, found.point.position));
    while (status == ETM_OK) {
        status = scan_next(&s, &event, &insn);
        if (status != ETM_OK)
            return status;
        if (!event && !insn)
            return etm_gdb_walk_last(h, place);
        if (insn && insn->offset >= found.point.offset) {
            *place = scanned(&s);
            now += cycles_of(insn);
            if (now > cycles)
                return ETM_OK;
        }
        if (event && event->element.offset >= found.point.offset &&
            event->element.kind == ETM_ELEMENT_CYCLES &&
            event->element.u.cycles.n != ETM_CYCLES_UNKNOWN)
            now += event->element.u.cycles.n;
    }
    return status;
}
