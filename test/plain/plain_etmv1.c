/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1, instruction by instruction (ETM architecture, chapter 5). A status is
 * one instruction, on its last cycle; packets of it come later, or on wait
 * cycles before it.
 */
#include "plain_etmv1.h"

#include "proto/sample.h"

#include <stdlib.h>

/* The position */

void v1_end_range(struct etmv1 *f)
{
    if (f->p->n != 0)
        f->p->items[f->p->n - 1].ends = true;
}

void v1_nowhere(struct etmv1 *f)
{
    f->p->known = false;
    f->half = false;
}

void v1_go(struct etmv1 *f, uint32_t address, enum etm_isa isa)
{
    v1_end_range(f);
    plain_go(f->p, address, isa);
    f->half = false;
    f->arrived = isa == ETM_ISA_THUMB;
}

void v1_blind(struct etmv1 *f)
{
    f->p->blind += f->p->cycles;
    f->p->cycles = 0;
}

void v1_mismatch(struct etmv1 *f)
{
    v1_end_range(f);
    v1_blind(f);
    plain_lose(f->p, ETM_LOST_IMAGE_MISMATCH, f->size);
    v1_nowhere(f);
}

/* A new place to go on; the last one becomes elements (5.9). */
void v1_begin(struct etmv1 *f)
{
    struct plain *p = f->p;
    const struct etm_packet *at = p->p;
    struct v1_start *s = &f->start;
    struct etm_packet then = {.offset = s->offset,
                              .reason = (uint8_t)s->reason,
                              .context_id = s->context_id};
    uint64_t cycles = p->cycles;

    if (!s->pending)
        return;
    s->pending = false;
    p->p = &then;
    p->cycles = 0;
    plain_resume(p);
    plain_trace_on(p);
    if (f->c->cycle_accurate && !s->periodic) /* E-172 */
        plain_add(p, ETM_ELEMENT_CYCLES)->u.cycles.n = ETM_CYCLES_UNKNOWN;
    plain_state(p, ETM_UNKNOWN, ETM_FALSE);
    if (s->has_context)
        plain_context_id(p);
    v1_go(f, s->address, s->isa);
    p->cycles = cycles;
    p->p = at;
}

/* An address may be that of the second half of a Thumb BL: E-178. */
void v1_arrive(struct etmv1 *f)
{
    struct plain *p = f->p;
    struct etm_insn insn;

    if (!p->known)
        return;
    plain_give_context(p);
    if (f->arrived && plain_read(p, p->address - 2, &insn) && insn.size == 4 &&
        plain_is_bl(&insn, p->address - 2)) {
        p->address -= 2;
        f->half = true;
    }
    f->arrived = false;
}

/* The instruction at the position; false: it cannot be named. */
bool v1_next(struct etmv1 *f, struct etm_insn *insn)
{
    struct plain *p = f->p;

    v1_arrive(f);
    if (!p->known)
        return false;
    if (p->isa != ETM_ISA_JAZELLE && plain_read(p, p->address, insn)) /* 5.11 */
        return true;
    plain_no_image(p);
    return false;
}

/* It was executed. Returns its address. */
uint32_t v1_walk(struct etmv1 *f, const struct etm_insn *insn, bool passed)
{
    struct plain *p = f->p;
    uint32_t address = p->address;

    plain_add_insn(p, insn, address, passed ? ETM_TRUE : ETM_FALSE, p->cycles)
        ->ends = plain_is_branch(insn);
    p->cycles = 0;
    f->half = false;
    p->address += insn->size;
    return address;
}

/* The flow leaves an instruction without an address in the trace. */
static void go_on(struct etmv1 *f, const struct etm_insn *insn, bool passed)
{
    if (passed && insn->type == ETM_INSN_TYPE_DIRECT)
        plain_go(f->p, insn->target, (enum etm_isa)insn->target_isa);
}

/* What is wrong */

/* Where packets stand is not known any more. */
void v1_misalign(struct etmv1 *f, bool counts)
{
    f->aligned = f->cut = f->has_leading = f->data_valid = false;
    f->skipped_known = counts;
}

void v1_lose_sync(struct etmv1 *f, enum etm_lost_reason why, uint64_t bytes)
{
    v1_begin(f);
    v1_end_range(f);
    f->p->synced = f->synced;
    plain_leave(f->p);
    plain_lose(f->p, why, bytes);
    plain_forget_context_id(f->p); /* reason 0 does not tell it (5.6.3) */
    v1_nowhere(f);
    v1_misalign(f, false);
    f->synced = f->base_valid = f->data_valid = false;
}

/* The status cursor goes on. */
void v1_pass(struct etmv1 *f)
{
    struct plain *p = f->p;
    struct v1_record *r = &f->records[f->next++];

    if (r->trigger) { /* before what its cycle did: E-171 */
        struct etm_packet at = {.offset = r->offset};
        const struct etm_packet *here = p->p;

        p->p = &at;
        plain_give_lost(p);
        plain_add(p, ETM_ELEMENT_TRIGGER);
        p->p = here;
    }
    r->trigger = false;
    if (f->c->cycle_accurate)
        p->cycles += r->cycles;
}

/* Where packets are (5.3) */

/* Those of the status at the cursor. */
struct v1_place v1_packets_here(const struct etmv1 *f)
{
    if (f->fifo.record >= f->next)
        return f->fifo;
    if (f->has_leading)
        return f->leading;
    return (struct v1_place){.record = f->next};
}

void v1_packets_end(struct etmv1 *f, struct v1_place at)
{
    f->fifo = at;
    f->has_leading = false;
}

/* Packets on a wait cycle are those of the next instruction, if all before
 * have come. */
static void wait_cycle(struct etmv1 *f, const struct v1_record *r)
{
    if (!r->carries)
        return;
    if (!f->aligned) {
        if (f->skipped_known && f->next >= f->fifo.record) /* E-398 */
            plain_lose(f->p, ETM_LOST_UNSYNCHRONIZED, f->size);
        return;
    }
    if (f->has_leading && f->next - f->leading.record > WINDOW) { /* E-346 */
        plain_lose(f->p, ETM_LOST_BAD_PACKET, f->size);
        v1_misalign(f, true);
        return;
    }
    if (f->has_leading || f->fifo.record > f->next)
        return;
    f->has_leading = true;
    f->leading = f->fifo.record == f->next
                     ? f->fifo /* 16 pins: half of it is another's */
                     : (struct v1_place){.record = f->next};
}

/* Statuses */

/* IE or IN */
static void plain_insn(struct etmv1 *f, bool passed)
{
    struct etm_insn insn;

    if (f->has_leading) { /* it cannot have packets */
        plain_lose(f->p, ETM_LOST_BAD_PACKET, f->size);
        v1_misalign(f, true);
    }
    v1_begin(f);
    v1_pass(f);
    if (!v1_next(f, &insn)) {
        v1_blind(f);
        return;
    }
    if (f->p->isa == ETM_ISA_THUMB && insn.size == 4) {
        f->half = !f->half;
        if (f->half)
            return;
    }
    if (passed && insn.type == ETM_INSN_TYPE_INDIRECT) {
        v1_mismatch(f); /* that has an address (5.7.1) */
        return;
    }
    v1_walk(f, &insn, passed);
    go_on(f, &insn, passed);
}

void v1_note_data(struct etmv1 *f, const struct v1_data *data)
{
    if (!data->has_address)
        return;
    f->data_base = v1_merge(f->data_base, &data->address);
    f->data_valid = f->data_valid || data->address.n == 5;
}

/* The data packets are not all there: E-176, E-186. */
static void data_cut(struct etmv1 *f, struct v1_place at, bool shaped)
{
    if (shaped && at.record < f->n && f->records[at.record].sync) {
        at.upper = false;
        v1_packets_end(f, at);
        f->cut = true;
        return;
    }
    v1_misalign(f, true);
    f->data_valid = false;
    plain_lose(f->p, f->short_of ? f->why : ETM_LOST_UNSYNCHRONIZED, 0);
}

/* ID */
static void data_insn(struct etmv1 *f)
{
    struct etm_insn insn;
    struct v1_data data = {.n = 0};
    struct v1_place at = v1_packets_here(f);
    bool found, address, shaped, good = false;
    unsigned n;

    v1_begin(f);
    found = v1_next(f, &insn);
    if (!found || insn.transfers.kind == ETM_TRANSFER_NONE ||
        !plain_traces_data(f->p) || insn.type == ETM_INSN_TYPE_INDIRECT) {
        v1_pass(f);
        v1_misalign(f, false);
        if (found)
            v1_mismatch(f);
        else
            v1_blind(f);
        return;
    }
    shaped = v1_shape(f, &insn.transfers, &address, &n);
    if (shaped && f->aligned)
        good = v1_data(f, &at, address, n, &data);
    v1_pass(f);
    n = v1_walk(f, &insn, true);
    v1_end_range(f);
    v1_note_data(f, &data);
    v1_give_data(f, n, &insn.transfers, &data);
    if (good) {
        v1_packets_end(f, at);
    } else if (f->aligned) {
        if (address && !data.has_address)
            f->data_valid = false;
        data_cut(f, at, shaped);
    }
    go_on(f, &insn, true);
}

/* One record */
static void step(struct etmv1 *f)
{
    struct plain *p = f->p;
    struct v1_record *r = &f->records[f->next];
    struct etm_packet here = {.offset = r->offset};

    p->p = &here;
    if (r->trigger) {
        plain_give_lost(p);
        plain_add(p, ETM_ELEMENT_TRIGGER);
    }
    r->trigger = false;
    if (!f->aligned && r->status != BE && r->status != BD)
        v1_note(f);
    if (!f->synced) {
        v1_search(f);
        return;
    }
    switch (r->status) {
    case IE:
    case IN:
        plain_insn(f, r->status == IE);
        return;
    case ID:
        data_insn(f);
        return;
    case BE:
    case BD:
        v1_branch(f);
        return;
    case WT:
    case TD: /* replaced by a trigger */
        wait_cycle(f, r);
        v1_pass(f);
        return;
    case TR: /* it replaces no trigger */
        v1_lose_sync(f, ETM_LOST_BAD_PACKET, f->size);
        v1_pass(f);
        return;
    }
}

void plain_etmv1(struct plain *p, const uint8_t *bytes, size_t n)
{
    struct etmv1 f = {.p = p, .c = p->config};
    struct etm_packet end = {.offset = n};
    size_t at = 0, bad = 0;

    f.size = etm_sample_size(f.c);
    f.pins = etm_sample_width(f.c);
    f.records = calloc(n / f.size + 4, sizeof *f.records);
    if (f.records == NULL)
        abort();
    do {
        at = v1_records(&f, bytes, n, at, &bad);
        f.why = bad == f.size ? ETM_LOST_BAD_PACKET : ETM_LOST_TRUNCATED;
        f.short_of = false;
        f.fifo = (struct v1_place){0, false};
        for (f.next = 0; f.next < f.n;)
            step(&f);
        if (f.c->cycle_accurate)
            p->cycles += f.rest;
        end.offset = at;
        p->p = &end;
        if (bad != 0)
            v1_lose_sync(&f, f.why, bad);
        at += bad;
    } while (at < n);
    v1_begin(&f);
    p->synced = f.synced;
    free(f.records);
}
