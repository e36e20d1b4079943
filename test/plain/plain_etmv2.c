/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2, instruction by instruction (ETM architecture, chapter 6).
 */
#include "plain_etmv2.h"
#include "plain_walk.h"

/* The place that the last address named. */
static void go_said(struct plain_walk *f)
{
    walk_go(f, f->p->said.address, f->p->said.isa);
}

/* A folded direct branch (6.1.2). */
static void phantom(struct plain_walk *f, bool taken)
{
    struct etm_insn insn;
    bool found = walk_next(f, &insn);

    if (found && insn.type != ETM_INSN_TYPE_DIRECT) {
        walk_mismatch(f, 0);
        found = false;
    }
    if (found)
        walk_insn(f, &insn, taken);
    else
        walk_blind(f);
}

/* Packets */

/* Tracing begins (6.9.1). */
static void restart(struct plain_walk *f)
{
    struct plain *p = f->p;
    bool periodic = p->p->reason == ETM_SYNC_PERIODIC;

    plain_data_close(&f->data,
                     p->p->reason != ETM_SYNC_OVERFLOW &&
                         p->p->reason != ETM_SYNC_DEBUG_EXIT); /* E-377 */
    f->data.previous_known = false;
    plain_resume(p);
    plain_trace_on(p);
    f->last = (struct plain_last){0};
    f->none_yet = !periodic;
    walk_nowhere(f);
    p->cycles = 0;
    if (!p->config->cycle_accurate)
        return;
    if (periodic) /* an instruction was executed in its cycle */
        p->cycles = 1;
    else /* E-258 */
        plain_add(p, ETM_ELEMENT_CYCLES)->u.cycles.n = ETM_CYCLES_UNKNOWN;
}

/* A periodic one gives the address of the instruction that its cycle executed,
 * or of half of it: E-264. */
static void check_position(struct plain_walk *f)
{
    struct plain *p = f->p;
    uint32_t here = p->address + (f->half ? 2 : 0);

    if (p->known && (here != p->said.address || p->isa != p->said.isa))
        walk_mismatch(f, 0);
    if (!p->known)
        plain_resume(p);
}

/* 6.5.3 to 6.5.5 */
static void tfo_packet(struct plain_walk *f)
{
    struct plain *p = f->p;
    const struct etm_packet *packet = p->p;
    bool lsip = packet->kind == ETM_PACKET_LSIP_I_SYNC;
    bool periodic = packet->reason == ETM_SYNC_PERIODIC;
    uint64_t cycles;

    p->said.address = packet->address;
    p->said.isa = (enum etm_isa)packet->isa;
    if (lsip)
        plain_say_address(p, packet->address2, packet->address2_bits,
                          (enum etm_isa)packet->isa2);
    if (!p->synced || !periodic)
        restart(f);
    else
        check_position(f);
    p->synced = true;
    plain_state(p, ETM_UNKNOWN, ETM_FALSE);
    if ((packet->fields & ETM_FIELD_CONTEXT_ID) != 0)
        plain_context_id(p);
    if (lsip) { /* executed already, in no time of its own */
        struct plain_said said = p->said;
        size_t n;

        p->said.address = packet->address;
        p->said.isa = (enum etm_isa)packet->isa;
        cycles = p->cycles;
        p->cycles = 0;
        go_said(f);
        f->half = true; /* it counts as a whole */
        f->arrived = false;
        n = p->n;
        walk_atom(f, true);
        if (p->n > n)
            p->items[p->n - 1].ends = true;
        p->cycles = cycles;
        f->last.valid = false;
        p->said = said;
    }
    if (!p->known || lsip)
        go_said(f);
    if (periodic && !lsip)
        walk_atom(f, true);
}

/* Exceptions are known by the address and the E bit (4.5.3, 6.7.1). */

static bool is_direct_target(const struct plain_walk *f)
{
    const struct plain_last *last = &f->last;

    return last->valid && last->taken && !last->targeted &&
           last->insn.type == ETM_INSN_TYPE_DIRECT &&
           last->insn.target == f->p->said.address &&
           last->insn.target_isa == (uint8_t)f->p->said.isa;
}

/* E-259 */
static bool is_exception(const struct plain_walk *f)
{
    const struct plain *p = f->p;
    uint32_t vectors = p->config->high_vectors ? 0xffff0000u : 0;

    if ((p->p->fields & ETM_FIELD_CANCEL) != 0)
        return true;
    return p->said.isa == ETM_ISA_ARM && p->said.address >= vectors &&
           p->said.address - vectors < 0x20 &&
           (p->said.address & 0x1c) != 0x14 && !is_direct_target(f);
}

/* The preferred return address: `itself` for those that are about the
 * instruction, else that of the next one. */
static void give_return(const struct plain_walk *f, struct etm_element *e,
                        bool cancelled)
{
    const struct plain *p = f->p;
    unsigned type = e->u.exception.type;
    bool itself = type == ETM_EXCEPTION_UNDEFINED ||
                  type == ETM_EXCEPTION_DATA_ABORT ||
                  type == ETM_EXCEPTION_PREFETCH_ABORT;
    uint32_t address = p->address;
    bool known = p->known && !itself;

    if (itself && (f->last.valid || f->last.unseen)) {
        known = true;
        address = f->last.address;
    }
    if (e->u.exception.cancels_known) {
        known = true;
        address = e->u.exception.cancels;
        if (cancelled && !f->half && f->last.split)
            address += 2; /* of the halves only the second: E-265 */
    }
    e->u.exception.return_known = known && type != ETM_EXCEPTION_RESET;
    if (e->u.exception.return_known)
        e->u.exception.return_address = address;
}

static void exception(struct plain_walk *f, bool cancelled)
{
    struct plain *p = f->p;
    bool e_bit = (p->p->fields & ETM_FIELD_CANCEL) != 0;
    unsigned number = p->said.address >> 2 & 7, type = plain_vector(number);
    struct etm_element *e;

    plain_resume(p);
    e = plain_add(p, ETM_ELEMENT_EXCEPTION);
    e->u.exception.number = (uint16_t)number;      /* E-260 */
    if (type == ETM_EXCEPTION_DATA_ABORT && e_bit) /* imprecise: E-261 */
        type = ETM_EXCEPTION_ASYNC_DATA_ABORT;
    e->u.exception.type = (uint8_t)type;
    e->u.exception.cancels_known = cancelled;
    e->u.exception.cancels = cancelled ? f->last.address : 0;
    if (e_bit && f->half && p->known) { /* its second half was not traced */
        e->u.exception.cancels_known = true;
        e->u.exception.cancels = p->address;
    }
    give_return(f, e, cancelled);
    f->last.targeted = true;
    if (e->u.exception.type == ETM_EXCEPTION_RESET)
        plain_forget_context_id(p); /* 4.7, E-262 */
    go_said(f);
}

/* Another address than that of a direct branch, or one after no branch at
 * all. Where tracing begins it is that of the instruction after a load/store
 * multiple (6.5.5). */
static bool contradicts(const struct plain_walk *f)
{
    const struct plain_last *last = &f->last;
    bool indirect = last->insn.type == ETM_INSN_TYPE_INDIRECT;

    if (!last->valid || last->targeted || (last->taken && indirect) ||
        (last->first && !last->taken))
        return false;
    return !is_direct_target(f);
}

/* Nothing was executed yet: data are those of the instruction that the TFO
 * named (6.5.5). */
static void begin_in_progress(struct plain_walk *f)
{
    struct etm_insn insn;

    if (!f->none_yet)
        return;
    f->none_yet = false;
    if (!plain_traces_data(f->p))
        return;
    if (f->p->context_changed)
        plain_give_context(f->p);
    walk_find_half(f);
    if (f->p->known && plain_read(f->p, f->p->address, &insn) &&
        insn.transfers.kind != 0)
        plain_data_own(&f->data, f->p->address, &insn.transfers);
}

/* 6.7.1 */
static void branch(struct plain_walk *f)
{
    struct plain *p = f->p;
    bool cancels = (p->p->fields & ETM_FIELD_CANCEL) != 0 &&
                   (f->last.valid || f->last.unseen);

    plain_say_address(p, p->p->address, p->p->address_bits,
                      (enum etm_isa)p->p->isa);
    if (cancels && f->last.valid)
        walk_cancel(f);
    if (is_exception(f)) {
        bool aborted = (p->p->fields & ETM_FIELD_CANCEL) == 0 &&
                       (p->said.address & 0x1c) == 0x10;

        f->none_yet = false; /* that was before it */
        exception(f, cancels);
        if (aborted && f->last.owner != 0) /* 6.8.1 */
            plain_data_discard(&f->data, f->data.owner);
        return;
    }
    begin_in_progress(f);
    if (contradicts(f))
        walk_mismatch(f, 0);
    plain_resume(p);
    f->last.targeted = true;
    go_said(f);
}

/* So much came after the last instruction that it is final: E-376. */
static void limit(struct plain_walk *f)
{
    if (f->last.valid && f->p->n > f->last.item + 65536) {
        f->last.valid = false;
        f->last.owner = 0;
    }
}

static void packet(struct plain_walk *f)
{
    struct plain *p = f->p;
    unsigned kind = p->p->kind;
    bool data = false;

    limit(f);
    if (kind == ETM_PACKET_I_SYNC || kind == ETM_PACKET_LSIP_I_SYNC)
        tfo_packet(f);
    else if (kind == ETM_PACKET_BRANCH_ADDRESS)
        branch(f);
    else if (kind == ETM_PACKET_CONTEXT_ID)
        plain_context_id(p);
    else
        data = true;
    if (!data) {
        plain_data_pass(&f->data);
        return;
    }
    plain_data_address(&f->data);
    if (kind != ETM_PACKET_OUT_OF_ORDER_DATA)
        begin_in_progress(f);
    plain_data_packet(&f->data);
}

/* Cycles */

/* Table 6-1 */
static void status(struct plain_walk *f, unsigned code)
{
    if (code >= 8)
        phantom(f, code < 12);
    if ((code & 4) == 0 || code >= 8) /* not WT, DW, TD */
        walk_atom(f, (code & 2) == 0);
}

static void lose(struct plain_walk *f, const struct plain_cycle *c,
                 enum etm_lost_reason why, uint64_t bytes)
{
    struct plain *p = f->p;

    if (p->synced || c == NULL) {
        plain_data_lose(&f->data);
        plain_leave(p);
        plain_lose(p, why, 0);
        walk_nowhere(f);
        p->synced = p->mismatch = false;
    }
    f->last.valid = false;
    if (bytes != 0)
        plain_lose(p, why, bytes);
}

static void tell_trigger(struct plain_walk *f, const struct plain_cycle *c)
{
    if (!c->trigger)
        return;
    limit(f);
    plain_add(f->p, ETM_ELEMENT_TRIGGER);
}

static void cycle(struct plain_walk *f, const struct plain_cycle *c)
{
    struct plain *p = f->p;
    struct etm_packet here = {.offset = c->offset};
    uint64_t bytes = 0;

    if (c->stored)
        bytes = p->config->port_width == 16 ? 3 : 2;
    p->p = &here;
    tell_trigger(f, c); /* before what its cycle did: E-171 */
    if (!c->lost && !p->synced && !c->tfo) {
        lose(f, c, ETM_LOST_UNSYNCHRONIZED, bytes);
        return;
    }
    if (!c->lost || c->begun) {
        if (c->counted && p->synced)
            p->cycles++;
        if (!c->tfo)
            status(f, c->status);
        if (!c->tfo && p->mismatch && bytes != 0)
            plain_lose(p, ETM_LOST_IMAGE_MISMATCH, bytes);
    }
    for (size_t i = 0; i < c->n; i++) {
        p->p = &c->packets[i];
        packet(f);
    }
    p->p = &here;
    if (c->lost)
        lose(f, c, (enum etm_lost_reason)c->why, bytes);
}

void plain_etmv2(struct plain *p, const uint8_t *bytes, size_t n)
{
    struct plain_walk f = {.p = p};
    struct plain_cycles cycles;
    struct etm_packet end = {.offset = n};
    size_t rest = n % (p->config->port_width == 16 ? 3 : 2);

    plain_data_init(&f.data, p);
    plain_cycles(p->config, bytes, n, &cycles);
    for (size_t i = 0; i < cycles.n; i++)
        cycle(&f, &cycles.all[i]);
    end.offset = n - rest;
    p->p = &end;
    if (rest != 0) /* no whole record */
        lose(&f, NULL, ETM_LOST_TRUNCATED, rest);
    end.offset = n;
    plain_data_finish(&f.data);
    plain_data_free(&f.data);
    plain_cycles_free(&cycles);
}
