/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where instructions lead. A log need not say so: it follows from the opcode
 * and from the place of the next instruction. With an exception between the
 * two, only the opcode remains.
 */
#include "exec/pc_first.h"
#include "exec/reader.h"

#include <inttypes.h>

enum { BATCH = 256 };

static size_t opcode_bytes(const struct etm_event *insn, uint8_t bytes[4])
{
    uint32_t op = insn->u.insn.opcode;
    bool halves =
        insn->u.insn.size == 4 && (insn->u.insn.isa == ETM_ISA_THUMB ||
                                   insn->u.insn.isa == ETM_ISA_THUMBEE);

    if (halves)
        op = op >> 16 | op << 16;
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(op >> (8 * i));
    return insn->u.insn.size < 4 ? insn->u.insn.size : 4;
}

void etm_opcode_decode(enum etm_profile profile, const struct etm_event *event,
                       struct etm_insn *insn)
{
    uint8_t bytes[4];
    size_t n = opcode_bytes(event, bytes);

    etm_insn_decode(insn, (enum etm_isa)event->u.insn.isa, profile,
                    event->u.insn.address, bytes, n);
}

bool etm_opcode_leads(enum etm_profile profile, const struct etm_event *event,
                      const struct etm_place *here, struct etm_place *place)
{
    struct etm_insn insn;

    *place = *here;
    place->isa = event->u.insn.isa;
    place->address = event->u.insn.address + event->u.insn.size;
    if (!event->u.insn.passed)
        return true;
    if (event->u.insn.exception_return)
        return false;
    etm_opcode_decode(profile, event, &insn);
    if (insn.type == ETM_INSN_TYPE_DIRECT) {
        place->address = insn.target;
        place->isa = insn.target_isa;
    }
    return insn.type != ETM_INSN_TYPE_INDIRECT;
}

int etm_pending_data_insn(struct etm_execution_reader *r,
                          const struct etm_event *event)
{
    struct etm_pending_data *d = &r->data;
    bool paused = d->paused;
    struct etm_insn insn = {0};

    d->paused = event != NULL && event->u.insn.resume != 0;
    if (event != NULL && event->u.insn.passed)
        etm_opcode_decode(r->profile, event, &insn);
    r->list.insn = insn;
    /* others may come between it and its transfers */
    if (event != NULL && insn.transfers.kind == ETM_TRANSFER_NONE)
        return ETM_OK;
    if (d->seen != 0 && d->seen < d->due)
        return etm_reader_fail(r,
                               "the instruction in line %" PRIu64
                               " makes %u transfers, but the log gives %u",
                               d->line, d->due, d->seen);
    d->line = r->report.lines;
    d->seen = 0;
    d->due = paused ? 0 : insn.transfers.count;
    return ETM_OK;
}

static struct etm_event *event_at(struct etm_execution_reader *r, size_t i)
{
    return (struct etm_event *)r->events.data + i;
}

void etm_pending_order(struct etm_execution_reader *r,
                       const struct etm_event *event, size_t first)
{
    struct etm_insn insn;

    if (!event->u.insn.passed || first >= r->events.n)
        return;
    etm_opcode_decode(r->profile, event, &insn);
    etm_order_pc(&insn, event_at(r, first), r->events.n - first, r->pc_first);
}

void etm_pending_list(struct etm_execution_reader *r)
{
    r->list.first = r->events.n;
    r->list.is_open = etm_loads_pc_of_list(&r->list.insn);
}

void etm_pending_list_more(struct etm_execution_reader *r)
{
    size_t first = r->list.first, n = r->events.n - first;

    if (!r->list.is_open)
        return;
    etm_order_pc(&r->list.insn, event_at(r, first), n, r->pc_first);
    r->list.is_open = n < r->list.insn.transfers.count;
}

static struct etm_place *place_of(struct etm_event *event)
{
    if (event->kind == ETM_EVENT_INSN)
        return &event->u.insn.next;
    if (event->kind == ETM_EVENT_EXCEPTION)
        return &event->u.exception.next;
    return &event->u.trace_on.at;
}

static bool is_there(const struct etm_place *a, const struct etm_place *b)
{
    return a->address == b->address && a->isa == b->isa;
}

static int contradiction(struct etm_execution_reader *r,
                         const struct etm_pending_place *from,
                         const struct etm_place *here)
{
    const struct etm_place *to = &from->place;

    return etm_reader_fail(
        r,
        "the %s in line %" PRIu64 " leads to 0x%08" PRIx32
        " (%s), not to 0x%08" PRIx32 " (%s)",
        from->kind == ETM_EVENT_INSN
            ? "instruction"
            : etm_event_kind_name((enum etm_event_kind)from->kind),
        from->line, to->address, etm_isa_name((enum etm_isa)to->isa),
        here->address, etm_isa_name((enum etm_isa)here->isa));
}

/* Check the first instruction after an open or given place. */
static int settle_here(struct etm_execution_reader *r,
                       const struct etm_place *here)
{
    const struct etm_place *to = &r->open.place;
    bool fits = !r->is_told || is_there(&r->told.place, here);

    r->is_told = false;
    if (!fits && !r->untraced)
        return contradiction(r, &r->told, here);
    if (!r->is_open)
        return ETM_OK;
    r->is_open = false;
    fits = !r->open.stated || is_there(to, here);
    if (!fits && !r->untraced)
        return contradiction(r, &r->open, here);
    *place_of(event_at(r, r->open.event)) = fits ? *here : *to;
    return ETM_OK;
}

int etm_pending_break(struct etm_execution_reader *r, bool annulled)
{
    const struct etm_pending_place *open = &r->open;

    r->is_told = false;
    if (!r->is_open)
        return ETM_OK;
    if (open->kind != ETM_EVENT_INSN)
        return etm_reader_fail(
            r,
            "it is not known where the %s in line %" PRIu64
            " led: %s=PLACE is missing there",
            etm_event_kind_name((enum etm_event_kind)open->kind), open->line,
            open->kind == ETM_EVENT_TRACE_ON ? "at" : "to");
    if (open->stated)
        event_at(r, open->event)->u.insn.next = open->place;
    else if (!annulled)
        return etm_reader_fail(
            r,
            "it is not known where the branch in line %" PRIu64
            " led: next=PLACE is missing there",
            open->line);
    r->is_open = false;
    return ETM_OK;
}

int etm_pending_add(struct etm_execution_reader *r,
                    const struct etm_event *event)
{
    int status = etm_vec_append(&r->lines, &r->line_number, 1);

    return status == ETM_OK ? etm_vec_append(&r->events, event, 1) : status;
}

/* The place of the last event is known only when the next instruction is. */
static void leave_open(struct etm_execution_reader *r, uint8_t kind)
{
    r->open = (struct etm_pending_place){
        .event = r->events.n - 1, .line = r->report.lines, .kind = kind};
    r->is_open = true;
}

/* An instruction does not have its security state: an event before the first
 * one gives it, if it is not the default. */
static int tell_place(struct etm_execution_reader *r,
                      const struct etm_place *here)
{
    struct etm_event event = {.kind = ETM_EVENT_PLACE};

    if (r->began || !(here->ns || here->hyp))
        return ETM_OK;
    event.u.place.at = *here;
    return etm_pending_add(r, &event);
}

int etm_pending_insn(struct etm_execution_reader *r, struct etm_event *event,
                     bool led)
{
    struct etm_place here = r->now;
    int status;

    here.address = event->u.insn.address;
    here.isa = event->u.insn.isa;
    status = settle_here(r, &here);
    if (status == ETM_OK)
        status = tell_place(r, &here);
    if (status == ETM_OK)
        status = etm_pending_add(r, event);
    if (status != ETM_OK)
        return status;
    r->began = true;
    r->report.instructions++;
    r->now = led ? event->u.insn.next : here;
    if (led)
        return ETM_OK;
    leave_open(r, ETM_EVENT_INSN);
    r->open.stated = etm_opcode_leads(r->profile, event, &here, &r->open.place);
    if (r->open.stated)
        r->now = r->open.place;
    return ETM_OK;
}

int etm_pending_turn(struct etm_execution_reader *r, struct etm_event *event,
                     bool led)
{
    int status = etm_pending_add(r, event);

    if (status != ETM_OK)
        return status;
    r->began = true;
    if (led)
        r->now = *place_of(event);
    else
        leave_open(r, event->kind);
    return ETM_OK;
}

void etm_pending_told(struct etm_execution_reader *r,
                      const struct etm_event *event)
{
    struct etm_event copy = *event;

    r->told = (struct etm_pending_place){.line = r->report.lines,
                                         .kind = event->kind,
                                         .place = *place_of(&copy)};
    r->is_told = true;
}

bool etm_pending_return(struct etm_execution_reader *r,
                        const struct etm_place *place)
{
    if (!r->is_open || r->open.kind != ETM_EVENT_INSN)
        return false;
    r->open.stated = true;
    r->open.place = *place;
    return true;
}

int etm_pending_finish(struct etm_execution_reader *r)
{
    int status = etm_pending_break(r, false);

    if (status == ETM_OK)
        status = etm_pending_data_insn(r, NULL);
    return status == ETM_OK ? etm_pending_flush(r, true) : status;
}

int etm_pending_flush(struct etm_execution_reader *r, bool all)
{
    size_t n = r->is_open ? r->open.event : r->events.n;
    int status;

    if (r->list.is_open && !all && r->list.first < n)
        n = r->list.first;
    if (n == 0 || (n < BATCH && !all))
        return ETM_OK;
    r->delivered = n;
    status = r->receive(r->context, r->events.data, n);
    r->delivered = 0;
    etm_vec_drop(&r->events, n);
    etm_vec_drop(&r->lines, n);
    r->open.event -= r->is_open ? n : 0;
    r->list.first -= r->list.is_open ? n : 0;
    return status;
}
