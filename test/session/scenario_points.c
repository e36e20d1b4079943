/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of synchronization points. */
#include "../input/scenario.h"

#include "session_support.h"

#include <etm/packet.h>

#include <inttypes.h>

#define POINTS 200u

struct points {
    struct etm_point all[POINTS + 1]; /* and after the last one, the end */
    size_t n;
};

static int keep(void *context, const struct etm_point *point)
{
    struct points *points = context;

    if (points->n == POINTS)
        return 7;
    points->all[points->n++] = *point;
    return ETM_OK;
}

static bool find(uint64_t source, const struct etm_point *from,
                 struct points *points)
{
    struct etm_point end = {.size = sizeof end};
    const struct etm_session_points how = {
        .point = keep, .context = points, .from = from, .end = &end};
    struct etm_diag diag;

    points->n = 0;
    if (etm_session_find_points(subject.session, source, &how, &diag) != ETM_OK)
        return wrong("no points are found: %s", diag.what);
    points->all[points->n] = end;
    return true;
}

static void add_point(const void *all, size_t i, struct scenario_text *t)
{
    static const char *const reasons[] = {"periodic", "start", "overflow",
                                          "debug_exit"};
    const struct points *points = all;
    const struct etm_point *p = &points->all[i];

    if (i == points->n)
        text_add(t, "end");
    else
        text_add(t, "%" PRIu64, p->offset);
    if (i < points->n && !p->position_known)
        text_add(t, " position=null");
    else if (p->position != p->offset)
        text_add(t, " position=%" PRIu64, p->position);
    text_add(t, " stream=%" PRIu64, p->stream);
    if (p->address_known)
        text_add(t, " %" PRIx32 " %s", p->address,
                 etm_isa_name((enum etm_isa)p->isa));
    if (p->has_reason)
        text_add(t, " %s", reasons[p->reason & 3]);
    if (p->context_id_known)
        text_add(t, " context=%" PRIx32, p->context_id);
    if (p->time_known)
        text_add(t, " time=%" PRIu64, p->time);
    if (p->cycles_known)
        text_add(t, " cycles=%" PRIu64, p->cycles);
}

/* A search from a point gives those after it, as a search of the whole does:
 * but for the time, if that was not known there. */
static bool goes_on(uint64_t source, const struct points *whole, size_t k)
{
    static struct points copy, rest;
    struct points *points = &copy;
    struct scenario_text a = {0}, b = {0};
    bool good = find(source, &whole->all[k], &rest);

    copy = *whole;
    if (good && rest.n != points->n - k - 1)
        good = wrong("%zu points after point %zu", rest.n, k);
    for (size_t i = 0; i <= rest.n && good; i++) {
        a.n = b.n = 0;
        if (!whole->all[k].time_known && !rest.all[i].time_known)
            points->all[k + 1 + i].time_known = false;
        add_point(points, k + 1 + i, &a);
        add_point(&rest, i, &b);
        good = strcmp(a.text, b.text) == 0 ||
               wrong("point %zu from point %zu on: %s", i, k, b.text);
    }
    free(a.text);
    free(b.text);
    return good;
}

static bool sum(uint64_t source, uint64_t begin, uint64_t *cycles)
{
    struct etm_test_elements part = {0};
    bool good = add_part(source, begin, 0, ETM_START_SYNC, 1, &part);

    for (size_t i = 0; i < part.n; i++) {
        const struct etm_element *e = &part.all[i];
        uint64_t more = e->kind == ETM_ELEMENT_INSN     ? e->u.insn.cycles
                        : e->kind == ETM_ELEMENT_CYCLES ? e->u.cycles.n
                                                        : 0;

        *cycles += more == ETM_CYCLES_UNKNOWN ? 0 : more;
    }
    free(part.all);
    return good;
}

/* Decoding from a point gives the cycles that are not before it. */
static bool cycles_add_up(uint64_t source, const struct points *points,
                          size_t k)
{
    uint64_t cycles = points->all[k].cycles;

    if (!points->all[k].cycles_known)
        return true;
    return sum(source, points->all[k].position, &cycles) &&
           (cycles == points->all[points->n].cycles ||
            wrong("point %zu: %" PRIu64 " cycles, with those after it", k,
                  cycles));
}

/* points SOURCE POINT; ... end: all of them */
bool expect_points(struct words *w)
{
    static struct points points;
    uint64_t source;
    bool good = w->n > 3 && number(w->word[2], 10, &source) &&
                find(source, NULL, &points) &&
                these_texts(w, &points, points.n + 1, add_point, true);

    for (size_t k = 0; k < points.n && good; k++)
        if (points.all[k].position_known)
            good = goes_on(source, &points, k) &&
                   cycles_add_up(source, &points, k);
    return good;
}
