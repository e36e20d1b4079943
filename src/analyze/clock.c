/* SPDX-License-Identifier: Apache-2.0 */
/* Times by timestamps, on one axis for all sources (include/etm/program.h). */
#include "base/receiver.h"
#include "base/size.h"
#include "base/vec.h"

#include <etm/program.h>

#include <string.h>

#define HELD_MOST ((size_t)32 << 20) /* bytes */

/* Two timestamps so near to each other are too coarse for a rate. */
#define TICKS_OF_A_RATE 64u

struct point {
    struct etm_clock_place place;
    uint64_t ticks;
};

struct etm_clock {
    struct etm_clock_config config;
    struct etm_allocator allocator;
    int status;

    struct etm_vec held; /* each a place, and the item */
    size_t n_undated;    /* of these, the last ones, which have no place yet */

    unsigned n_points; /* known of these two: */
    struct point before, last;
    double between;    /* ticks for each unit from one to the other, */
    double earlier;    /* and up to `before`, */
    bool earlier_sure; /* without a gap of unknown length */
    struct point base; /* from where on the rate of what follows is measured */
    double rate;
    bool rate_known, rough; /* rough: by too few ticks */
    bool doubted; /* a timestamp came that is earlier than the last one: */
    struct point doubt;
    uint64_t given; /* the latest time that was given */

    /* etm_clock_elements() */
    struct etm_clock_place now;
    bool gap, gap_open; /* no code has come since; its cycles may come */
};

static double rate_of(const struct point *from, const struct point *to)
{
    return to->place.at > from->place.at
               ? (double)(to->ticks - from->ticks) /
                     (double)(to->place.at - from->place.at)
               : 0;
}

static bool is_sure(const struct etm_clock_place *a,
                    const struct etm_clock_place *b)
{
    return a->gaps == b->gaps;
}

static uint64_t forward(const struct point *from, uint64_t at, double rate)
{
    return from->ticks + (uint64_t)((double)(at - from->place.at) * rate);
}

static uint64_t backward(const struct point *from, uint64_t at, double rate)
{
    uint64_t ticks = (uint64_t)((double)(from->place.at - at) * rate);

    return ticks < from->ticks ? from->ticks - ticks : 0;
}

/* `before`: it comes before the last point, also if it is at its place. */
static struct etm_clock_time locate(const struct etm_clock *c,
                                    const struct etm_clock_place *place,
                                    bool before)
{
    struct etm_clock_time time = {0};
    const struct point *a = &c->before, *b = &c->last;

    if (c->n_points == 0)
        return time;
    time.known = time.sure = true;
    if (c->n_points == 1) {
        time.ticks = b->ticks;
        time.known = time.sure = place->at == b->place.at;
    } else if (before && place->at == a->place.at) {
        time.ticks = a->ticks; /* perhaps later, if b is there, too */
        time.sure = place->at < b->place.at || a->ticks == b->ticks;
    } else if (place->at >= b->place.at) {
        time.ticks = forward(b, place->at, c->rate);
        time.sure = place->at == b->place.at ||
                    (c->rate_known && c->rate > 0 && is_sure(&b->place, place));
    } else if (place->at >= a->place.at) {
        time.ticks = forward(a, place->at, c->between);
        time.sure = is_sure(&a->place, &b->place);
    } else {
        time.ticks = backward(a, place->at, c->earlier);
        time.sure =
            c->earlier_sure && c->earlier > 0 && is_sure(&a->place, place);
    }
    return time;
}

/* Give all that is held. Never earlier than what was given before: what is cut
 * ends in the past. */
static void give(struct etm_clock *c, bool before)
{
    size_t n = c->held.n;

    c->held.n = c->n_undated = 0;
    for (size_t i = 0; i < n && c->status == ETM_OK; i++) {
        unsigned char *entry =
            (unsigned char *)c->held.data + i * c->held.width;
        struct etm_clock_place place;
        struct etm_clock_time time;

        memcpy(&place, entry, sizeof place);
        time = locate(c, &place, before);
        if (time.ticks < c->given)
            time.ticks = c->given;
        c->given = time.ticks;
        c->status =
            c->config.take(c->config.context, entry + sizeof place, &time);
    }
}

/* Of what follows the last point. */
static void measure(struct etm_clock *c)
{
    bool sure = is_sure(&c->base.place, &c->last.place);
    bool fine = c->last.ticks - c->base.ticks >= TICKS_OF_A_RATE;

    if (sure && (fine || !c->rate_known || c->rough)) {
        c->rate = rate_of(&c->base, &c->last);
        c->rough = !fine;
        c->rate_known = true;
    } else if (!c->rate_known) {
        c->rate = c->between;
    }
    if (fine || !sure)
        c->base = c->last;
}

static void take_point(struct etm_clock *c, const struct point *point)
{
    c->doubted = false;
    c->earlier = c->between;
    c->earlier_sure = is_sure(&c->before.place, &c->last.place);
    c->before = c->last;
    c->last = *point;
    if (c->n_points == 0) {
        c->n_points = 1;
        c->base = *point;
        return; /* the rate is not known yet */
    }
    c->between = rate_of(&c->before, &c->last);
    if (c->n_points == 1) {
        c->earlier = c->between;
        c->earlier_sure = is_sure(&c->before.place, &c->last.place);
    }
    c->n_points = 2;
    measure(c);
    give(c, true);
}

/* Earlier than the last point: its clock was set, if another one agrees. */
static void doubt(struct etm_clock *c, const struct point *point)
{
    if (c->doubted && point->ticks >= c->doubt.ticks) {
        struct point first = c->doubt;

        c->n_points = 0;
        c->given = 0;
        c->rate_known = false;
        take_point(c, &first);
        take_point(c, point);
        return;
    }
    give(c, false);
    c->doubted = true;
    c->doubt = *point;
}

int etm_clock_timestamp(struct etm_clock *c, struct etm_clock_place place,
                        uint64_t ticks)
{
    struct point point = {place, ticks};

    if (!c || ticks == ETM_TIMESTAMP_UNKNOWN)
        return ETM_ERR_ARGUMENT;
    if (c->status != ETM_OK)
        return c->status;
    if (c->n_points != 0 &&
        (ticks < c->last.ticks || place.at < c->last.place.at))
        doubt(c, &point);
    else
        take_point(c, &point);
    return c->status;
}

int etm_clock_hold(struct etm_clock *c, struct etm_clock_place place,
                   const void *item)
{
    unsigned char *entry;

    if (!c || !item)
        return ETM_ERR_ARGUMENT;
    if (c->held.n >= HELD_MOST / c->held.width)
        give(c, false);
    if (c->status == ETM_OK)
        c->status = etm_vec_reserve(&c->held, 1);
    if (c->status != ETM_OK)
        return c->status;
    entry = (unsigned char *)c->held.data + c->held.n++ * c->held.width;
    memcpy(entry, &place, sizeof place);
    memcpy(entry + sizeof place, item, c->config.sizeof_item);
    return ETM_OK;
}

int etm_clock_finish(struct etm_clock *c)
{
    if (!c)
        return ETM_ERR_ARGUMENT;
    give(c, false);
    return c->status;
}

/* A gap, of whose length the trace may still tell. */
static void begin_gap(struct etm_clock *c, bool timed)
{
    timed = timed && c->config.unit == ETM_TIME_CYCLES;
    if (c->gap && (timed || !c->gap_open))
        return;
    c->now.gaps++;
    c->gap = true;
    c->gap_open = timed;
}

static void count(struct etm_clock *c, uint32_t instructions, uint64_t cycles)
{
    c->gap = c->gap_open = false;
    if (c->config.unit == ETM_TIME_INSTRUCTIONS)
        c->now.at += instructions;
    else if (c->config.unit == ETM_TIME_CYCLES && cycles != ETM_CYCLES_UNKNOWN)
        c->now.at += cycles;
}

static void count_cycles(struct etm_clock *c, uint64_t cycles)
{
    if (c->config.unit != ETM_TIME_CYCLES || cycles == ETM_CYCLES_UNKNOWN)
        return;
    c->now.at += cycles;
    c->now.gaps -= c->gap_open;
    c->gap_open = false;
}

/* A local timestamp is the time of what precedes it (Armv7-M, D4.2.4). */
static void date(struct etm_clock *c, uint64_t ticks)
{
    c->gap = false;
    c->now.at = ticks;
    for (size_t i = c->held.n - c->n_undated; i < c->held.n; i++)
        memcpy((unsigned char *)c->held.data + i * c->held.width, &c->now,
               sizeof c->now);
    c->n_undated = 0;
}

/* What an element says of the place behind it. */
static void pass(struct etm_clock *c, const struct etm_element *e)
{
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_RANGE:
        count(c, e->u.range.n, e->u.range.cycles);
        break;
    case ETM_ELEMENT_INSN:
        count(c, 1, e->u.insn.cycles);
        break;
    case ETM_ELEMENT_CYCLES:
        count_cycles(c, e->u.cycles.n);
        break;
    case ETM_ELEMENT_TRACE_ON:
    case ETM_ELEMENT_NO_IMAGE:
        begin_gap(c, true);
        break;
    case ETM_ELEMENT_LOST:
        begin_gap(c, false);
        break;
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        date(c, e->u.local_timestamp.ticks);
        break;
    case ETM_ELEMENT_TIMESTAMP:
        if (e->u.timestamp.value != ETM_TIMESTAMP_UNKNOWN)
            (void)etm_clock_timestamp(c, c->now, e->u.timestamp.value);
        break;
    case ETM_ELEMENT_CONTEXT:
    case ETM_ELEMENT_EXCEPTION:
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_DATA:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_END:
    case ETM_ELEMENT_SOFTWARE:
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
        break;
    }
}

int etm_clock_elements(void *clock, const struct etm_element *elements,
                       size_t n)
{
    struct etm_clock *c = clock;
    const unsigned char *from = (const void *)elements;

    if (!c || (!elements && n > 0) ||
        !etm_receiver_is_valid(c->config.sizeof_item))
        return ETM_ERR_ARGUMENT;
    for (size_t i = 0; i < n && c->status == ETM_OK; i++) {
        struct etm_element e;

        etm_size_convert(&e, sizeof e, from, c->config.sizeof_item, 1);
        if (e.kind == ETM_ELEMENT_TIMESTAMP)
            pass(c, &e); /* first, so that it has its own time */
        if (etm_clock_hold(c, c->now, from) != ETM_OK)
            break;
        c->n_undated++;
        if (e.kind != ETM_ELEMENT_TIMESTAMP)
            pass(c, &e);
        from += c->config.sizeof_item;
    }
    return c->status;
}

int etm_clock_new(struct etm_clock **clock,
                  const struct etm_clock_config *given)
{
    struct etm_clock_config config;
    struct etm_allocator allocator;
    struct etm_clock *c;
    int status;

    if (!clock)
        return ETM_ERR_ARGUMENT;
    *clock = NULL;
    status = ETM_TAKE(etm_clock_config, &config, given, NULL);
    if (status != ETM_OK)
        return status;
    if (!config.take || config.sizeof_item == 0 ||
        config.sizeof_item > HELD_MOST / 2)
        return ETM_ERR_ARGUMENT;
    allocator = etm_allocator_or_default(config.allocator);
    c = etm_alloc_zero(&allocator, sizeof *c);
    if (!c)
        return ETM_ERR_MEMORY;
    c->config = config;
    c->allocator = allocator;
    /* items stay aligned as their type may need it */
    etm_vec_init(&c->held,
                 (sizeof(struct etm_clock_place) + config.sizeof_item + 7) / 8 *
                     8,
                 &c->allocator);
    *clock = c;
    return ETM_OK;
}

void etm_clock_free(struct etm_clock *c)
{
    struct etm_allocator allocator;

    if (!c)
        return;
    allocator = c->allocator;
    etm_vec_fini(&c->held);
    etm_alloc_free(&allocator, c);
}

enum etm_time_unit etm_time_unit_of(const struct etm_config *config)
{
    if (config->protocol == ETM_PROTOCOL_ITM)
        return ETM_TIME_LOCAL_TICKS;
    return config->cycle_accurate && !config->data_only ? ETM_TIME_CYCLES
                                                        : ETM_TIME_INSTRUCTIONS;
}
