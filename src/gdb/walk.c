/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/walk.h"

/* Stretches that are looked through at a time, at most: 16 MiB. */
#define LOOK_MOST 256u

/* A walk on its way. */
struct walker {
    struct etm_gdb_history *history;
    const struct etm_gdb_walk *how;
    struct etm_gdb_stop *stop;
    struct etm_gdb_place place;
    const struct etm_gdb_stretch *stretch; /* that of the place */
    uint64_t left;                         /* steps */
    bool watched, found; /* since the last instruction: something wanted */
};

/* The next instruction that is decoded already: the nearest stretch with one,
 * from `from` on. `from` may be out of range. False in *found: there is none.
 */
static int nearest(struct etm_gdb_history *h, uint64_t from, bool backwards,
                   struct etm_gdb_place *place, bool *found)
{
    const struct etm_gdb_wanted anything = {.anything = true};
    uint64_t look = 1;

    *found = false;
    while (from < h->n_stretches) { /* below 0 it is large */
        uint64_t n = backwards ? from + 1 : h->n_stretches - from;
        const struct etm_gdb_stretch *s;
        int status = ETM_OK;
        bool has = true;

        n = n < look ? n : look;
        if (n > 1)
            status = etm_gdb_history_has(h, backwards ? from + 1 - n : from, n,
                                         &anything, &has);
        if (status == ETM_OK && has && n == 1)
            status = etm_gdb_history_stretch(h, from, &s);
        if (status != ETM_OK)
            return status;
        if (has && n == 1 && s->insns.n != 0) {
            *found = true;
            *place = (struct etm_gdb_place){
                from, backwards ? (uint32_t)s->insns.n - 1 : 0};
            return ETM_OK;
        }
        if (has && n > 1) {
            look = n / 2;
            continue;
        }
        from = backwards ? from - n : from + n;
        look = look < LOOK_MOST ? 2 * look : look;
    }
    return ETM_OK;
}

int etm_gdb_walk_first(struct etm_gdb_history *h, struct etm_gdb_place *place)
{
    bool found;
    int status = nearest(h, 0, false, place, &found);

    return status == ETM_OK && !found ? ETM_ERR_NOT_FOUND : status;
}

int etm_gdb_walk_last(struct etm_gdb_history *h, struct etm_gdb_place *place)
{
    bool found;
    int status = nearest(h, h->n_stretches - 1, true, place, &found);

    return status == ETM_OK && !found ? ETM_ERR_NOT_FOUND : status;
}

int etm_gdb_walk_near(struct etm_gdb_history *h, uint64_t stretch,
                      struct etm_gdb_place *place)
{
    bool found;
    int status = nearest(h, stretch, false, place, &found);

    if (status == ETM_OK && !found)
        status = etm_gdb_walk_last(h, place);
    return status;
}

/* What lies between two instructions, or at the end of a stretch. */
static void cross(struct walker *w, const struct etm_gdb_stretch *s,
                  uint32_t before)
{
    const struct etm_gdb_event *events = etm_gdb_events(s);

    for (size_t i = etm_gdb_events_before(s, before);
         i < s->events.n && events[i].before == before; i++) {
        const struct etm_element *e = &events[i].element;

        w->found = w->found || etm_gdb_is_kind(e, w->how->wanted.kinds);
        if (etm_gdb_is_kind(e, w->how->noted)) {
            w->stop->element = *e;
            w->stop->crossed = true;
        }
        if (etm_gdb_watched(&w->how->wanted, e)) {
            w->stop->access = *e;
            w->watched = true;
        }
    }
}

/* Is there a reason to stop at the place? */
static bool stops(struct walker *w)
{
    uint32_t address = etm_gdb_insns(w->stretch)[w->place.insn].address;
    const struct etm_gdb_walk *how = w->how;

    if (w->watched)
        w->stop->reason = ETM_GDB_WATCHPOINT;
    else if (etm_gdb_is_wanted(&how->wanted, address))
        w->stop->reason = ETM_GDB_BREAKPOINT;
    else if (w->found)
        w->stop->reason = ETM_GDB_ELEMENT;
    else if ((w->left != 0 && --w->left == 0) ||
             (how->high != 0 && (address < how->low || address >= how->high)))
        w->stop->reason = ETM_GDB_STEPPED;
    else
        return false;
    return true;
}

/* Nothing stopped it: go on. */
static void pass_by(struct walker *w)
{
    w->found = w->watched = false;
    /* over a step of several instructions the message is worth keeping */
    if (w->left == 0 && w->how->high == 0)
        w->stop->crossed = false;
}

/* Within the stretch, up to its end. */
static bool walk_within(struct walker *w)
{
    while (w->how->backwards ? w->place.insn != 0
                             : w->place.insn + 1 < w->stretch->insns.n) {
        if (w->how->backwards)
            cross(w, w->stretch, w->place.insn--);
        else
            cross(w, w->stretch, ++w->place.insn);
        if (stops(w))
            return true;
        pass_by(w);
    }
    return false;
}

/* Enter the stretch, whose first instruction is the next one. False in *here:
 * it has none. */
static int enter(struct walker *w, uint64_t number, bool *here)
{
    bool backwards = w->how->backwards;
    int status = etm_gdb_history_stretch(w->history, number, &w->stretch);
    uint32_t n;

    *here = false;
    if (status != ETM_OK)
        return status;
    n = (uint32_t)w->stretch->insns.n;
    cross(w, w->stretch, backwards ? n : 0);
    if (n == 0)
        return ETM_OK;
    *here = true;
    w->place = (struct etm_gdb_place){number, backwards ? n - 1 : 0};
    return ETM_OK;
}

/* There is no further instruction. */
static int end(struct walker *w)
{
    bool backwards = w->how->backwards;

    w->stop->reason = backwards ? ETM_GDB_BEGIN : ETM_GDB_END;
    w->stop->crossed = false; /* nothing lies behind it */
    return backwards ? etm_gdb_walk_first(w->history, &w->place)
                     : etm_gdb_walk_last(w->history, &w->place);
}

/* How many stretches, from `at` on, have nothing to stop for: they are passed.
 */
static int pass(struct walker *w, uint64_t at, uint64_t *look, uint64_t *passed)
{
    bool backwards = w->how->backwards;
    uint64_t n = backwards ? at + 1 : w->history->n_stretches - at;
    bool has = true;
    int status = ETM_OK;

    *passed = 0;
    if (w->left != 0 || w->how->high != 0)
        return ETM_OK; /* each instruction counts */
    n = n < *look ? n : *look;
    status = etm_gdb_history_has(w->history, backwards ? at + 1 - n : at, n,
                                 &w->how->wanted, &has);
    if (status != ETM_OK)
        return status;
    if (!has) {
        *passed = n;
        *look = *look < LOOK_MOST ? 2 * *look : *look;
    } else if (n > 1) {
        *look = n / 2;
        return pass(w, at, look, passed);
    }
    return ETM_OK;
}

static int walk(struct walker *w)
{
    uint64_t at = w->place.stretch, look = 1;
    int status =
        etm_gdb_history_stretch(w->history, w->place.stretch, &w->stretch);

    if (status != ETM_OK)
        return status;
    if (walk_within(w))
        return ETM_OK;
    cross(w, w->stretch, w->how->backwards ? 0 : (uint32_t)w->stretch->insns.n);
    for (;;) {
        uint64_t passed = 0;
        bool here = false;

        at = w->how->backwards ? at - 1 : at + 1;
        if (at >= w->history->n_stretches) /* below 0 it is large */
            return end(w);
        if (w->how->interrupted && w->how->interrupted(w->how->context)) {
            w->stop->reason = ETM_GDB_INTERRUPTED;
            return etm_gdb_walk_near(w->history, at, &w->place);
        }
        /* what was crossed at the end of a stretch stops at the next one */
        if (!w->watched && !w->found)
            status = pass(w, at, &look, &passed);
        if (passed != 0) {
            at = w->how->backwards ? at - (passed - 1) : at + (passed - 1);
            pass_by(w);
        } else if (status == ETM_OK) {
            status = enter(w, at, &here);
        }
        if (status != ETM_OK)
            return status;
        if (!here)
            continue;
        if (stops(w))
            return ETM_OK;
        pass_by(w);
        if (walk_within(w))
            return ETM_OK;
        cross(w, w->stretch,
              w->how->backwards ? 0 : (uint32_t)w->stretch->insns.n);
    }
}

int etm_gdb_walk(struct etm_gdb_history *history, struct etm_gdb_place *place,
                 const struct etm_gdb_walk *how, struct etm_gdb_stop *stop)
{
    struct walker w = {.history = history,
                       .how = how,
                       .stop = stop,
                       .place = *place,
                       .left = how->steps};
    int status;

    *stop = (struct etm_gdb_stop){0};
    status = walk(&w);
    if (status == ETM_OK)
        *place = w.place;
    return status;
}
