/* SPDX-License-Identifier: Apache-2.0 */
/* The data side of random executions. */
#include "walk_internal.h"

#include <string.h>

/* Near to the last one, or somewhere. */
static uint32_t random_address(struct walker *w)
{
    if (random_chance(w->r, 10))
        w->address = (uint32_t)random_next(w->r);
    else
        w->address ^= random_below(w->r, 1u << random_below(w->r, 28));
    return w->address & ~3u;
}

static void emit_data(struct walker *w, const struct etm_event *e)
{
    unsigned tag = e->u.data.tag;
    struct etm_event value = {.kind = ETM_EVENT_DATA_VALUE};

    walk_emit(w, e);
    if (tag == 0)
        return;
    value.u.data_value.tag = (uint8_t)tag;
    value.u.data_value.value = e->u.data.value;
    value.u.data_value.failed = e->u.data.failed;
    w->values[tag][w->waiting[tag]++] = value;
}

void walk_data_settle(struct walker *w)
{
    for (unsigned i = 0; i < w->n_late; i++)
        emit_data(w, &w->late[i]);
    w->n_late = 0;
}

static void emit_values(struct walker *w, unsigned tag)
{
    for (unsigned i = 0; i < w->waiting[tag]; i++)
        walk_emit(w, &w->values[tag][i]);
    w->waiting[tag] = 0;
}

static void toggle_suppression(struct walker *w)
{
    struct etm_event e = {.kind = ETM_EVENT_SUPPRESS};

    w->suppressing = !w->suppressing;
    e.u.suppress.on = w->suppressing;
    walk_emit(w, &e);
}

void walk_data_between(struct walker *w)
{
    if (!w->data)
        return;
    for (unsigned tag = 1; tag <= 3; tag++)
        if (w->waiting[tag] != 0 && random_chance(w->r, 25))
            emit_values(w, tag);
    if (random_chance(w->r, w->suppressing ? 30 : 2))
        toggle_suppression(w);
}

void walk_data_lose(struct walker *w)
{
    for (unsigned tag = 1; tag <= 3; tag++)
        if (random_chance(w->r, 40))
            w->waiting[tag] = 0;
}

/* Some words are not there yet: placeholders, now and then two for one. */
static void put_off(struct walker *w, struct etm_event *events, unsigned n,
                    bool pairs)
{
    for (unsigned i = 0, tag = 1; i < n && tag <= 3; i++) {
        bool pair =
            pairs && i + 1 < n && random_chance(w->r, 40) &&
            !events[i].u.data.filtered && !events[i + 1].u.data.filtered &&
            events[i + 1].u.data.address == events[i].u.data.address + 4;

        if (events[i].u.data.filtered || !random_chance(w->r, 50))
            continue;
        while (tag <= 3 && w->waiting[tag] != 0)
            tag++;
        if (tag > 3)
            return;
        events[i].u.data.tag = (uint8_t)tag;
        if (pair) {
            events[++i].u.data.tag = (uint8_t)tag;
            events[i].cycles = 0; /* both in one cycle */
        }
        tag++;
    }
}

static void fill(struct walker *w, const struct moves *moves, unsigned i,
                 unsigned count, uint32_t base, struct etm_event *e)
{
    *e = (struct etm_event){.kind = ETM_EVENT_DATA,
                            .cycles = random_chance(w->r, 20)};
    e->u.data.address = base + 4 * i;
    if (moves->store == 2)
        e->u.data.address = base;
    else if (moves_pc_first(moves, w->config))
        e->u.data.address =
            i == 0 ? base + 4 * (count - 1) : base + 4 * (i - 1);
    e->u.data.size = moves->size != 0 ? moves->size : 4;
    e->u.data.store = moves->store == 1 || (moves->store == 2 && i == 1);
    e->u.data.value = random_value(w->r, e->u.data.size);
    e->u.data.big_endian = w->big_endian;
}

/* ViewData: all, none, or any of them. */
static void filter(struct walker *w, struct etm_event *events, unsigned n)
{
    uint32_t dice = random_below(w->r, 100);

    for (unsigned i = 0; i < n; i++)
        events[i].u.data.filtered =
            dice < 10 || (dice < 30 && random_chance(w->r, 50));
}

static void make(struct walker *w, const struct moves *moves, unsigned from,
                 unsigned to, unsigned count, uint32_t base,
                 struct etm_event *events)
{
    bool fails =
        moves->exclusive && moves->store == 1 && random_chance(w->r, 40);
    unsigned n = to - from;

    for (unsigned i = from; i < to; i++)
        fill(w, moves, i, count, base, &events[i - from]);
    if (!fails)
        filter(w, events, n);
    for (unsigned i = 0; i < n && fails; i++) {
        events[i].u.data.failed = true;
        events[i].u.data.value = 0;
    }
    if (random_chance(w->r, 20) && (!fails || moves->count == 1))
        put_off(w, events, n, moves->kind != MOVES_ANY);
}

void walk_data_insn(struct walker *w, const struct slot *s, unsigned from,
                    unsigned to)
{
    const struct moves *moves = moves_of(s);
    struct etm_event events[WALK_LATE];
    unsigned count, now;

    if (!w->data || moves == NULL)
        return;
    count = moves->count;
    if (moves->kind == MOVES_ANY)
        count = random_below(w->r, s->opcode == 0xe12fff21 ? 2 : 5);
    if (to > count)
        to = count;
    if (random_chance(w->r, 3))
        w->big_endian = !w->big_endian;
    w->base = from != 0 ? w->resume_base : random_address(w);
    make(w, moves, from, to, count, w->base, events);
    now = random_chance(w->r, 80) || to != count
              ? to - from
              : random_below(w->r, to - from + 1);
    if (now != 0 && now < to - from && events[now].u.data.tag != 0 &&
        events[now].u.data.tag == events[now - 1].u.data.tag)
        now++; /* a doubleword comes together */
    for (unsigned i = 0; i < to - from; i++) {
        if (i >= now) {
            w->late[w->n_late++] = events[i];
            continue;
        }
        emit_data(w, &events[i]);
        /* never between the halves of a doubleword */
        if (events[i].u.data.tag == 0 && random_chance(w->r, 2))
            toggle_suppression(w);
    }
}

void walk_stacking(struct walker *w, bool pop, struct etm_place next,
                   unsigned n)
{
    static const struct moves push = {.store = 1, .count = 8, .size = 4};
    static const struct moves load = {.store = 0, .count = 8, .size = 4};
    struct etm_event e = {.kind = ETM_EVENT_STACKING};
    struct etm_event events[8];
    unsigned from = next.isa != ETM_ISA_UNKNOWN ? 8 - n : 0;

    if (!w->data)
        return;
    walk_data_settle(w);
    e.u.stacking.pop = pop;
    e.u.stacking.next = pop ? next : (struct etm_place){0};
    walk_emit(w, &e);
    make(w, pop ? &load : &push, from, from + n, 8, random_address(w), events);
    for (unsigned i = 0; i < n; i++)
        emit_data(w, &events[i]);
}

bool walk_data_in_progress(struct walker *w, struct etm_event *trace_on)
{
    static const uint8_t isas[2] = {ETM_ISA_ARM, ETM_ISA_THUMB};
    bool m = w->config->profile == ETM_PROFILE_M;
    unsigned index = program_any(
        w->program, w->r, (enum etm_isa)isas[m || random_chance(w->r, 50)]);
    const struct slot *s = index != NO_SLOT ? &w->program->slots[index] : NULL;
    const struct moves *moves = s != NULL ? moves_of(s) : NULL;
    struct etm_event e = {.kind = ETM_EVENT_INSN};
    struct etm_event events[WALK_LATE];
    unsigned begun;

    /* VMID packets come after the I-sync: it does not tell the VMID */
    if (moves == NULL || moves->count == 0 || s->class != SLOT_OTHER ||
        w->config->vmid || w->config->data_only)
        return false;
    e.u.insn.address = s->address;
    e.u.insn.opcode = s->opcode;
    e.u.insn.isa = s->isa;
    e.u.insn.size = s->size;
    e.u.insn.passed = true;
    walk_emit(w, &e);
    begun = random_below(w->r, moves->count);
    make(w, moves, 0, moves->count, moves->count, random_address(w), events);
    for (unsigned i = 0; i < moves->count; i++) {
        if (i < begun) {
            events[i].u.data.tag = 0; /* nothing is traced yet */
            walk_emit(w, &events[i]);
            continue;
        }
        w->late[w->n_late++] = events[i];
    }
    trace_on->u.trace_on.in_progress =
        random_chance(w->r, 60) ? ETM_IN_PROGRESS_UNDER : ETM_IN_PROGRESS_ALONE;
    return true;
}
