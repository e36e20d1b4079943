/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the plain resources say of an execution: the events in cycles, as a
 * macrocell makes them (<etm/macrocell.h>).
 */
#ifndef TEST_MODEL_MACROCELL_JUDGE_H
#define TEST_MODEL_MACROCELL_JUDGE_H

#include "macrocell_select.h"
#include "plain_resources.h"

/* What an instruction moves if its condition passes. */
struct judge_moves {
    bool any, cprt, multiple;
    uint8_t count;
};

typedef struct judge_moves judge_moves_fn(const void *context,
                                          const struct etm_event *insn);

struct judge {
    const struct walk *walk;
    judge_moves_fn *moves;
    const void *context; /* of `moves` */
    bool closed;         /* Secure state is a prohibited region */
    struct plain p;
    struct verdict *verdicts; /* of each event */
    struct plain_owner owners[WALK_EVENTS];
    struct plain_owner none; /* of stacking */
    unsigned triggers;
    bool unclear; /* a cycle with more than there is room for */

    /* The cycle. */
    struct plain_item items[32];
    struct plain_answer answers[32];
    size_t events[32];
    unsigned n, insns;
    bool outstanding;

    /* The processor. */
    struct etm_place place;
    uint32_t context_id;
    uint8_t vmid;
    bool user;
    struct etm_resource_pins pins;

    /* The data instruction, and transfers that wait for their values. */
    struct plain_owner *owner;
    unsigned owner_insn; /* counts instructions */
    unsigned count, done, last_tag, total, first;
    bool cprt, multiple, stacking, seen_data, seen_cprt;
    struct {
        unsigned n;
        struct etm_resource_transfer t[2];
        struct plain_owner *owner[2];
        unsigned insn[2];
    } tags[4];
};

static inline void judge_context(struct judge *j)
{
    struct etm_resource_context c = {
        .context_id = j->context_id,
        .non_secure = j->place.ns,
        .user = j->user,
        .prohibited = j->closed && !j->place.ns,
        .hyp = j->place.hyp,
        .vmid = j->vmid,
    };

    plain_context(&j->p, &c);
}

/* What is still to come of data instructions (2.6.4). */
static inline bool judge_waits(const struct judge *j)
{
    return (j->done < j->count && (j->cprt ? j->seen_cprt : j->seen_data)) ||
           j->tags[1].n + j->tags[2].n + j->tags[3].n != 0;
}

static inline void judge_cycle(struct judge *j)
{
    struct etm_resource_outputs out;
    unsigned insns = 0, transfers = 0;

    plain_cycle(&j->p, j->items, j->answers, j->n, j->outstanding, &out);
    for (unsigned i = 0; i < j->n; i++) {
        struct verdict *v = &j->verdicts[j->events[i]];

        if (j->items[i].is_insn) {
            v->traced = out.insns >> insns++ & 1u;
        } else {
            v->high = out.transfers >> transfers & 1u;
            v->viewed = out.view >> transfers++ & 1u;
        }
    }
    j->triggers += out.trigger;
    j->outstanding = judge_waits(j);
    j->n = j->insns = 0;
    j->first = j->total;
    j->pins.eice_sampled = 0;
}

static inline void judge_item(struct judge *j, size_t at,
                              const struct plain_item *item)
{
    if (j->n == 32) {
        j->unclear = true;
        return;
    }
    j->events[j->n] = at;
    j->items[j->n] = *item;
    j->answers[j->n] = plain_take(&j->p, &j->items[j->n]);
    j->n++;
}

/* What decides about the instruction at `i`: the next one, or an exception. */
static inline const struct etm_event *judge_next(const struct walk *walk,
                                                 size_t i)
{
    while (++i < walk->n)
        if (walk->events[i].kind == ETM_EVENT_INSN ||
            walk->events[i].kind == ETM_EVENT_EXCEPTION)
            return &walk->events[i];
    return NULL;
}

static inline void judge_insn(struct judge *j, size_t i)
{
    const struct etm_event *e = &j->walk->events[i];
    struct judge_moves moves = j->moves(j->context, e);
    bool gone = cancelled(j->walk, i);
    struct plain_item item = {.is_insn = true, .owner = &j->owners[i]};

    item.insn = (struct etm_resource_insn){
        .address = e->u.insn.address,
        .isa = e->u.insn.isa,
        .size = e->u.insn.size,
        .passed = e->u.insn.passed,
        .cancelled = gone,
    };
    judge_item(j, i, &item);
    if (e->u.insn.passed && moves.any) {
        j->owner = item.owner;
        j->owner_insn = j->total;
        j->count = gone ? 0 : moves.count;
        j->done = j->last_tag = 0;
        j->cprt = moves.cprt;
        j->multiple = moves.multiple;
        j->stacking = false;
    }
    j->total++;
    if (!gone && e->u.insn.next.isa != ETM_ISA_UNKNOWN) {
        j->place = e->u.insn.next;
        judge_context(j);
    }
}

static inline int judge_slot(const struct judge *j, unsigned insn)
{
    return insn >= j->first ? (int)(insn - j->first) : -1;
}

/* The last transfer of its instruction, at which an abort is taken. */
static inline bool judge_aborts(const struct judge *j, size_t i)
{
    const struct etm_event *next = judge_next(j->walk, i);

    if (next == NULL || next->kind != ETM_EVENT_EXCEPTION ||
        !next->u.exception.cancels ||
        (next->u.exception.type != ETM_EXCEPTION_DATA_ABORT &&
         next->u.exception.type != ETM_EXCEPTION_MEM_MANAGE &&
         next->u.exception.type != ETM_EXCEPTION_BUS_FAULT &&
         next->u.exception.type != ETM_EXCEPTION_JAZELLE_THUMBEE))
        return false;
    while (&j->walk->events[++i] != next)
        if (j->walk->events[i].kind == ETM_EVENT_DATA)
            return false;
    return true;
}

static inline void judge_data(struct judge *j, size_t i)
{
    const struct etm_event *e = &j->walk->events[i];
    unsigned tag = e->u.data.tag;
    struct plain_item item = {.owner = j->owner};

    item.transfer = (struct etm_resource_transfer){
        .address = e->u.data.address,
        .value = (uint32_t)e->u.data.value,
        .size = e->u.data.size,
        .phase = tag != 0 ? ETM_TRANSFER_WAITS : ETM_TRANSFER_NORMAL,
        .store = e->u.data.store,
        .big_endian = e->u.data.big_endian,
        .failed = e->u.data.failed || judge_aborts(j, i),
        .cprt = j->cprt,
        .stacking = j->stacking,
        .follows = j->multiple && j->done != 0,
    };
    item.slot = j->stacking ? -1 : judge_slot(j, j->owner_insn);
    if (j->cprt)
        j->seen_cprt = true;
    else
        j->seen_data = true;
    j->done++;
    if (tag != 0) {
        if (tag != j->last_tag || j->tags[tag].n == 2)
            j->tags[tag].n = 0;
        j->tags[tag].t[j->tags[tag].n] = item.transfer;
        j->tags[tag].owner[j->tags[tag].n] = j->owner;
        j->tags[tag].insn[j->tags[tag].n++] = j->owner_insn;
    }
    j->last_tag = tag;
    judge_item(j, i, &item);
}

static inline void judge_value(struct judge *j, size_t i)
{
    const struct etm_event *e = &j->walk->events[i];
    unsigned tag = e->u.data_value.tag;
    struct plain_item item = {.is_insn = false};

    j->last_tag = 0;
    if (j->tags[tag].n == 0)
        return;
    item.transfer = j->tags[tag].t[0];
    item.owner = j->tags[tag].owner[0];
    item.slot = judge_slot(j, j->tags[tag].insn[0]);
    j->tags[tag].t[0] = j->tags[tag].t[1];
    j->tags[tag].owner[0] = j->tags[tag].owner[1];
    j->tags[tag].insn[0] = j->tags[tag].insn[1];
    j->tags[tag].n--;
    item.transfer.phase = ETM_TRANSFER_RETURNED;
    item.transfer.value = (uint32_t)e->u.data_value.value;
    item.transfer.failed = e->u.data_value.failed;
    judge_item(j, i, &item);
}

static inline void judge_other(struct judge *j, const struct etm_event *e)
{
    if (e->kind == ETM_EVENT_CONTEXT) {
        j->context_id = e->u.context.context_id;
        j->vmid = e->u.context.vmid;
        j->user = e->u.context.user;
    } else if (e->kind == ETM_EVENT_PLACE) {
        j->place = e->u.place.at;
    } else if (e->kind == ETM_EVENT_STACKING) {
        j->owner = &j->none;
        j->owner_insn = 0;
        j->count = j->done = 0;
        j->cprt = j->multiple = false;
        j->stacking = true;
    } else if (e->kind == ETM_EVENT_EXCEPTION) {
        if (e->u.exception.resume != 0)
            j->count = 0;
        if (e->u.exception.type == ETM_EXCEPTION_DEBUG_HALT)
            return;
        j->user = false;
        j->place = e->u.exception.next;
    } else if (e->kind == ETM_EVENT_PINS) {
        j->pins.ext_in = e->u.pins.ext_in;
        j->pins.eice = e->u.pins.eice;
        j->pins.eice_sampled = e->u.pins.eice_sampled;
        j->pins.mmd = e->u.pins.mmd;
        plain_pins(&j->p, &j->pins);
    } else if (e->kind == ETM_EVENT_EXT_INPUTS) {
        j->pins.ext_ext[e->u.ext_inputs.word] = e->u.ext_inputs.level;
        j->p.pins.ext_ext[e->u.ext_inputs.word] = e->u.ext_inputs.level;
    }
    judge_context(j);
}

/* `context` is a random program. */
static inline struct judge_moves judge_slot_moves(const void *context,
                                                  const struct etm_event *insn)
{
    const struct moves *m = moves_of(program_at(
        context, insn->u.insn.address, (enum etm_isa)insn->u.insn.isa));

    if (m == NULL)
        return (struct judge_moves){.any = false};
    return (struct judge_moves){
        .any = true, .cprt = m->kind == MOVES_CPRT, .count = m->count};
}

/* All events; `verdicts` has room for one each. */
static inline void judge_walk(struct judge *j)
{
    j->owner = &j->none;
    judge_context(j);
    for (size_t i = 0; i < j->walk->n; i++) {
        const struct etm_event *e = &j->walk->events[i];

        for (uint64_t n = 0; n < e->cycles; n++)
            judge_cycle(j);
        j->verdicts[i] = (struct verdict){.traced = false};
        if (e->kind == ETM_EVENT_INSN)
            judge_insn(j, i);
        else if (e->kind == ETM_EVENT_DATA)
            judge_data(j, i);
        else if (e->kind == ETM_EVENT_DATA_VALUE)
            judge_value(j, i);
        else
            judge_other(j, e);
    }
    judge_cycle(j);
}

#endif
