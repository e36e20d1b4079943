/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the processor does, event by event: time, the state of the processor,
 * and the items of each cycle for the resources.
 */
#include "model/execute.h"

#include "base/exception.h"

/* Execution continues at `to`. */
static void go(struct etm_execute *x, struct etm_place to)
{
    bool changes = to.ns != x->place.ns || to.hyp != x->place.hyp;

    x->place = to;
    if (changes)
        etm_execute_context(x);
}

static struct etm_execute_item *append(struct etm_execute *x,
                                       const struct etm_event *event)
{
    struct etm_execute_item item = {.event = *event, .after = x->place};
    struct etm_execute_item *items;

    if (etm_vec_append(&x->items, &item, 1) != ETM_OK) {
        etm_execute_fail(x, ETM_ERR_MEMORY);
        return NULL;
    }
    items = x->items.data;
    return &items[x->items.n - 1];
}

/* More items than a cycle of the resources can hold go into another one,
 * which takes no time. */
static void make_room(struct etm_execute *x, unsigned used)
{
    uint64_t now = x->now;

    if (used < ETM_RESOURCES_ITEMS)
        return;
    etm_execute_pass(x, 1);
    x->now = now;
}

/* The processor runs again, if it was waiting. */
static void wake(struct etm_execute *x)
{
    if (x->debug)
        x->debug_exit = true;
    x->debug = false;
}

/* The data instruction whose transfers follow. */
static void own(struct etm_execute *x, struct etm_resource_owner owner,
                const struct etm_insn *decoded)
{
    const struct etm_transfers *t = &decoded->transfers;

    x->owner = (struct etm_execute_owner){
        .owner = owner,
        .count = t->count,
        .any = true,
        .multiple = t->multiple,
        .cprt = t->kind == ETM_TRANSFER_CPRT,
    };
    x->event_tag = 0;
}

static bool cancels(const struct etm_event *next)
{
    return next != NULL && next->kind == ETM_EVENT_EXCEPTION &&
           etm_gen_cancels(next) && next->u.exception.chain == ETM_CHAIN_NONE &&
           next->u.exception.resume == 0;
}

/* The item of an instruction; NULL if out of memory. */
static struct etm_execute_item *append_insn(struct etm_execute *x,
                                            const struct etm_event *event)
{
    struct etm_execute_item *item;

    make_room(x, x->r.now.insns);
    item = append(x, event);
    if (item == NULL)
        return NULL;
    item->slot = x->r.now.insns;
    item->allowed = !x->r.context.prohibited && !x->r.pins.no_noninvasive;
    return item;
}

static void take_insn(struct etm_execute *x, const struct etm_event *event)
{
    const struct etm_cached_insn *entry =
        etm_insn_cache_get(&x->gen.cache, event);
    struct etm_resource_insn insn = {
        .address = event->u.insn.address,
        .isa = event->u.insn.isa,
        .size = event->u.insn.size,
        .passed = event->u.insn.passed,
        .cancelled = cancels(x->next),
        .hint = entry->hint,
    };
    bool follows = x->next != NULL && x->next->kind == ETM_EVENT_EXCEPTION;
    struct etm_resource_owner owner;
    struct etm_execute_item *item;
    struct etm_place next;

    item = append_insn(x, event);
    if (item == NULL)
        return;
    item->data = x->data;
    item->fate_open = follows;
    owner = etm_resources_insn(&x->r, &insn);
    if (insn.passed && entry->decoded.transfers.kind != ETM_TRANSFER_NONE) {
        own(x, owner, &entry->decoded);
        if (insn.cancelled) /* no more are to come */
            x->owner.count = 0;
        item->moves = x->owner.count;
        item->owns = true;
    }
    next = etm_insn_next(event, &entry->decoded, &x->place, x->next);
    item->event.u.insn.next = next;
    if (etm_execute_prohibited(x, next.ns) && item->allowed && !follows) {
        /* Its address is not traced (2.6.2). */
        item->event.u.insn.next.address = 0;
        item->leaves = true;
    }
    item->after = next;
    if (!follows || !insn.cancelled)
        go(x, next);
}

static void check_insn(struct etm_execute *x, const struct etm_event *event)
{
    unsigned isa = event->u.insn.isa;

    wake(x);
    if (isa < ETM_ISA_ARM || isa > ETM_ISA_JAZELLE || event->u.insn.size == 0 ||
        (x->place.isa != ETM_ISA_UNKNOWN &&
         (x->place.address != event->u.insn.address || x->place.isa != isa))) {
        etm_execute_fail(x, ETM_ERR_ARGUMENT);
        return;
    }
    take_insn(x, event);
}

/* One transfer for the resources, and its item. */
static void add_transfer(struct etm_execute *x, const struct etm_event *event,
                         const struct etm_resource_transfer *transfer)
{
    struct etm_execute_item *item;

    make_room(x, x->r.now.transfers);
    item = append(x, event);
    if (item != NULL)
        item->slot = x->r.now.transfers;
    etm_resources_transfer(&x->r, transfer);
}

static uint8_t most_tag(const struct etm_execute *x)
{
    unsigned version = x->file->version;

    return version >= ETM_V2_0 && version < ETM_V3_0 ? 4 : 3;
}

/* `aborts`: the transfer at which a data abort was taken. */
static void take_data(struct etm_execute *x, const struct etm_event *event,
                      bool aborts)
{
    uint8_t tag = event->u.data.tag;
    struct etm_resource_transfer t = {
        .owner = x->owner.owner,
        .address = event->u.data.address,
        .value = (uint32_t)event->u.data.value,
        .size = event->u.data.size,
        .phase = tag != 0 ? ETM_TRANSFER_WAITS : ETM_TRANSFER_NORMAL,
        .store = event->u.data.store,
        .big_endian = event->u.data.big_endian,
        .failed = event->u.data.failed || aborts,
        .cprt = x->owner.cprt,
        .stacking = x->owner.stacking,
        .follows = x->owner.multiple && x->owner.done != 0,
    };

    /* a doubleword is two (2.8.3) */
    if (tag > most_tag(x) || t.size > 4 || !x->owner.any ||
        (x->owner.count != 0 && x->owner.done >= x->owner.count)) {
        etm_execute_fail(x, ETM_ERR_ARGUMENT);
        return;
    }
    if (t.cprt)
        x->seen_cprt = true;
    else
        x->seen_data = true;
    if (x->owner.done < UINT8_MAX)
        x->owner.done++;
    if (tag != 0) {
        struct etm_execute_tag *waiting = &x->tags[tag];

        if (tag != x->event_tag || waiting->n == 2)
            waiting->n = 0;
        waiting->transfers[waiting->n++] = t;
    }
    x->event_tag = tag;
    add_transfer(x, event, &t);
}

static void take_value(struct etm_execute *x, const struct etm_event *event)
{
    uint8_t tag = event->u.data_value.tag;
    struct etm_execute_tag *waiting;
    struct etm_resource_transfer t;

    x->event_tag = 0;
    if (tag < 1 || tag > most_tag(x)) {
        etm_execute_fail(x, ETM_ERR_ARGUMENT);
        return;
    }
    waiting = &x->tags[tag];
    if (waiting->n == 0)
        return; /* of an instruction without an event */
    t = waiting->transfers[0];
    waiting->transfers[0] = waiting->transfers[1];
    waiting->n--;
    t.phase = ETM_TRANSFER_RETURNED;
    t.value = (uint32_t)event->u.data_value.value;
    t.failed = event->u.data_value.failed;
    add_transfer(x, event, &t);
}

/* Stacking of M profile belongs to no instruction. */
static void take_stacking(struct etm_execute *x, const struct etm_event *event)
{
    if (x->file->trace.profile != ETM_PROFILE_M) {
        etm_execute_fail(x, ETM_ERR_ARGUMENT);
        return;
    }
    x->owner = (struct etm_execute_owner){
        .owner.number = UINT32_MAX, .any = true, .stacking = true};
    if (x->r.context.prohibited || x->r.pins.no_noninvasive)
        x->owner.owner.matches = ETM_MATCH_PROHIBITED;
    (void)append(x, event);
}

/* Whether the generator traces the next instruction for this exception, as one
 * that is cancelled (4.5.3, E-270). */
static bool interrupts(const struct etm_execute *x,
                       const struct etm_event *event)
{
    enum etm_exception_type type =
        (enum etm_exception_type)event->u.exception.type;

    if (x->file->version >= ETM_V3_0 || x->place.isa == ETM_ISA_UNKNOWN ||
        (event->u.exception.cancels && !x->settled))
        return false;
    return etm_exception_cancels(type) &&
           (type != ETM_EXCEPTION_ASYNC_DATA_ABORT ||
            x->file->version >= ETM_V2_1);
}

/* What is considered for tracing is compared (2.7.4). */
static void compare_interrupted(struct etm_execute *x)
{
    struct etm_event event = {.kind = ETM_EVENT_INSN};
    struct etm_resource_insn insn = {
        .address = x->place.address,
        .isa = x->place.isa,
        .size = x->place.isa == ETM_ISA_ARM ? 4 : 2,
        .passed = true,
        .cancelled = true,
    };
    struct etm_execute_item *item;

    event.u.insn.address = insn.address;
    event.u.insn.isa = insn.isa;
    item = append_insn(x, &event);
    if (item == NULL)
        return;
    item->interrupted = true;
    (void)etm_resources_insn(&x->r, &insn);
}

static void take_exception(struct etm_execute *x, const struct etm_event *event)
{
    bool debug = event->u.exception.type == ETM_EXCEPTION_DEBUG_HALT;
    struct etm_execute_item *item;

    if (!debug)
        wake(x);
    if (interrupts(x, event))
        compare_interrupted(x);
    item = append(x, event);
    if (item == NULL)
        return;
    if (x->settled) /* it has completed in the trace */
        item->event.u.exception.cancels = false;
    if (event->u.exception.resume != 0) /* the others come much later */
        x->owner.count = 0;
    if (debug) {
        x->debug = true;
        x->place.isa = ETM_ISA_UNKNOWN;
        return;
    }
    item->allowed = !x->r.context.prohibited;
    if (etm_execute_prohibited(x, event->u.exception.next.ns)) {
        item->event.u.exception.next.address = 0;
        item->leaves = true;
    }
    item->after = event->u.exception.next;
    x->user = false; /* exceptions are taken in privileged modes */
    x->place = event->u.exception.next;
    etm_execute_context(x);
}

/* Events that are no instruction and no data. */
static void take_other(struct etm_execute *x, const struct etm_event *event)
{
    switch ((enum etm_event_kind)event->kind) {
    case ETM_EVENT_EXCEPTION:
        take_exception(x, event);
        return;
    case ETM_EVENT_CONTEXT:
        x->context_id = event->u.context.context_id;
        x->vmid = event->u.context.vmid;
        x->user = event->u.context.user;
        etm_execute_context(x);
        (void)append(x, event);
        return;
    case ETM_EVENT_TIMESTAMP:
        x->timestamp = event->u.timestamp.value;
        x->timestamp_at = x->now;
        x->frequency_changed |= event->u.timestamp.frequency_changed;
        return;
    case ETM_EVENT_IDLE:
        return;
    case ETM_EVENT_PINS:
    case ETM_EVENT_EXT_INPUTS:
        etm_execute_inputs(x, event);
        return;
    case ETM_EVENT_WAIT:
        (void)append(x, event);
        return;
    case ETM_EVENT_PLACE:
        x->place = event->u.place.at;
        etm_execute_context(x);
        (void)append(x, event);
        return;
    case ETM_EVENT_INSN:
    case ETM_EVENT_DATA:
    case ETM_EVENT_DATA_VALUE:
    case ETM_EVENT_STACKING:
    case ETM_EVENT_SUPPRESS:
    case ETM_EVENT_TRIGGER:
    case ETM_EVENT_TRACE_ON:
    case ETM_EVENT_TRACE_OFF:
        break;
    }
    etm_execute_fail(x, ETM_ERR_ARGUMENT);
}

/* While FIFOFULL is HIGH (2.6.6). A level above the size of the FIFO would
 * never be met. */
static void stall(struct etm_execute *x)
{
    for (uint64_t most = etm_execute_stalls(x);
         x->signals.fifofull && most != 0 && x->status == ETM_OK; most--)
        etm_execute_pass(x, 1);
}

/* Take the event with that number. */
static void take(struct etm_execute *x, const struct etm_event *event,
                 uint64_t number, bool aborts)
{
    if (event->cycles == ETM_CYCLES_UNKNOWN) {
        etm_execute_fail(x, ETM_ERR_ARGUMENT);
        return;
    }
    etm_execute_pass(x, event->cycles);
    while (x->n_permits != 0 && number >= x->permits[0].at &&
           event->cycles != 0)
        etm_execute_permit_next(x);
    if (event->kind == ETM_EVENT_INSN && event->cycles != 0)
        stall(x);
    if (x->status != ETM_OK) /* an event of an earlier cycle was refused */
        return;
    etm_execute_sample(x, event);
    if (event->kind == ETM_EVENT_INSN)
        check_insn(x, event);
    else if (event->kind == ETM_EVENT_DATA)
        take_data(x, event, aborts);
    else if (event->kind == ETM_EVENT_DATA_VALUE)
        take_value(x, event);
    else if (event->kind == ETM_EVENT_STACKING)
        take_stacking(x, event);
    else
        take_other(x, event);
    if (x->status != ETM_OK)
        x->group = number;
}

/* The transfer that an abort after the group failed at, or that a check for a
   null pointer stopped (4.5.3): its last one. */
static size_t aborted(const struct etm_event *events, size_t n,
                      const struct etm_event *next)
{
    if (next == NULL || next->kind != ETM_EVENT_EXCEPTION ||
        !next->u.exception.cancels ||
        (next->u.exception.type != ETM_EXCEPTION_DATA_ABORT &&
         next->u.exception.type != ETM_EXCEPTION_MEM_MANAGE &&
         next->u.exception.type != ETM_EXCEPTION_BUS_FAULT &&
         next->u.exception.type != ETM_EXCEPTION_JAZELLE_THUMBEE))
        return SIZE_MAX;
    for (size_t i = n; i != 0; i--)
        if (events[i - 1].kind == ETM_EVENT_DATA)
            return i - 1;
    return SIZE_MAX;
}

/* Take an instruction with everything up to `next`, which decides about it. */
static void take_group(struct etm_execute *x, const struct etm_event *events,
                       size_t n, const struct etm_event *next)
{
    size_t abort_at = aborted(events, n, next);

    x->next = next;
    x->data = 0;
    for (size_t i = 1; i < n; i++)
        if (events[i].kind == ETM_EVENT_DATA && x->data < UINT8_MAX)
            x->data++;
    for (size_t i = 1; i < n; i++)
        if (events[i].kind == ETM_EVENT_PLACE && next != NULL &&
            next->kind == ETM_EVENT_INSN)
            x->next = NULL; /* the instruction does not lead there */
    for (size_t i = 0; i < n && x->status == ETM_OK; i++)
        take(x, &events[i], x->group + i, i == abort_at);
    x->next = NULL;
    x->settled = false;
}

int etm_execute_deliver(struct etm_execute *x)
{
    if (x->has_gen && !x->stopped) {
        if (etm_gen_deliver(&x->gen) != ETM_OK || x->gen.status != ETM_OK)
            etm_execute_fail(x, x->gen.status);
    }
    return x->status;
}

int etm_execute_run(struct etm_execute *x, const struct etm_event *events,
                    size_t n)
{
    uint64_t before = x->given;
    size_t i = 0;

    if (x->status == ETM_OK)
        x->given += n;
    while (x->carry.n != 0 && i < n && !etm_execute_decides(&events[i]))
        i++;
    if (x->carry.n != 0) {
        if (x->status == ETM_OK)
            x->group = before - x->carry.n;
        if (etm_vec_append(&x->carry, events, i) != ETM_OK)
            etm_execute_fail(x, ETM_ERR_MEMORY);
        if (i < n) {
            take_group(x, x->carry.data, x->carry.n, &events[i]);
            x->carry.n = 0;
        }
    }
    while (i < n && x->status == ETM_OK) {
        size_t end;

        i += etm_execute_fast(x, events + i, n - i);
        x->group = before + i;
        for (end = i + 1; end < n && !etm_execute_decides(&events[end]);)
            end++;
        if (end == n && events[i].kind == ETM_EVENT_INSN) {
            if (etm_vec_append(&x->carry, events + i, n - i) != ETM_OK)
                etm_execute_fail(x, ETM_ERR_MEMORY);
            break;
        }
        take_group(x, events + i, end - i, end < n ? &events[end] : NULL);
        i = end;
    }
    return etm_execute_deliver(x);
}

void etm_execute_settle(struct etm_execute *x)
{
    if (x->carry.n != 0) {
        take_group(x, x->carry.data, x->carry.n, NULL);
        x->carry.n = 0;
        x->settled = true;
    }
    if (x->items.n != 0 || x->inputs || x->r.now.insns != 0 ||
        x->r.now.transfers != 0)
        etm_execute_pass(x, 1);
    while (x->n_permits != 0)
        etm_execute_permit_next(x);
}

int etm_execute_finish(struct etm_execute *x)
{
    etm_execute_settle(x);
    if (x->has_gen) {
        etm_execute_stop(x);
        if (x->own_fifo) {
            etm_gen_end(&x->gen);
            etm_execute_show_loss(x);
        }
        etm_fifo_advance(&x->fifo, x->now);
        etm_execute_pass(x, etm_fifo_time(&x->fifo));
        if (x->lost) /* nothing is left to wait for */
            x->gen.overflow = false;
        x->file->drained = etm_fifo_level(&x->fifo) == 0;
    }
    return etm_execute_deliver(x);
}
