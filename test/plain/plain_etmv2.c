/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2, instruction by instruction (ETM architecture, chapter 6).
 */
#include "plain_etmv2.h"

/* The last instruction that was traced. */
struct last {
    bool valid;  /* there is one; an exception may cancel it (6.7.1) */
    size_t item; /* its place in the list */
    uint32_t address;
    uint64_t cycles;
    struct etm_insn insn;
    bool thumb;
    bool owns;     /* data packets are its own */
    bool taken;    /* a branch that was taken */
    bool targeted; /* a branch packet came after it */
    bool first;    /* the first one since tracing began */
    bool unseen;   /* no code of it is known, only its address: E-379 */
};

struct etmv2 {
    struct plain *p;
    struct v2_data data;
    struct last last;
    bool none_yet; /* no instruction since tracing began */
    bool awaiting; /* the target of an indirect branch */
    bool half;     /* of a 32-bit Thumb instruction was traced */
    bool arrived;  /* by an address in the trace, in Thumb state */
};

static void nowhere(struct etmv2 *f)
{
    f->p->known = false;
    f->half = false;
    f->arrived = false;
    f->awaiting = false;
}

/* The place that the last address named. */
static void go_said(struct etmv2 *f)
{
    struct plain *p = f->p;
    uint32_t address = p->said.address;

    if (p->n != 0 && (!p->known || p->address != address))
        p->items[p->n - 1].ends = true;
    nowhere(f);
    f->last.unseen = false;
    plain_go(p, address, p->said.isa);
    f->arrived = p->said.isa == ETM_ISA_THUMB;
}

/* An address may be that of the second half of a Thumb BL: E-265. */
static void arrive(struct etmv2 *f)
{
    struct plain *p = f->p;
    struct etm_insn insn;

    if (f->arrived && plain_read(p, p->address - 2, &insn) && insn.size == 4 &&
        plain_is_bl(&insn, p->address - 2)) {
        p->address -= 2;
        f->half = true;
    }
    f->arrived = false;
}

static void mismatch(struct etmv2 *f)
{
    plain_mismatch(f->p, 0);
    nowhere(f);
    f->last.valid = false;
}

/* The instruction at the position; false: it cannot be named. */
static bool next(struct etmv2 *f, struct etm_insn *insn)
{
    struct plain *p = f->p;

    f->last.valid = f->last.owns = f->last.unseen = false;
    v2_data_expire(&f->data);
    if (f->awaiting)
        mismatch(f); /* no target came: it was no indirect branch */
    if (!p->known)
        return false;
    plain_give_context(p);
    arrive(f);
    if (plain_read(p, p->address, insn))
        return true;
    f->last.unseen = true;
    plain_no_image(p);
    return false;
}

static void blind(struct etmv2 *f)
{
    f->p->blind += f->p->cycles;
    f->p->cycles = 0;
    f->last = (struct last){.unseen = f->last.unseen, .address = f->p->address};
    f->none_yet = false;
    if (plain_traces_data(f->p)) /* 6.6 */
        v2_data_disown(&f->data);
}

static void walk(struct etmv2 *f, const struct etm_insn *insn, bool passed)
{
    struct plain *p = f->p;
    struct plain_item *item;

    f->last = (struct last){.valid = true,
                            .item = p->n,
                            .address = p->address,
                            .cycles = p->cycles,
                            .insn = *insn,
                            .thumb = p->isa == ETM_ISA_THUMB,
                            .taken = passed && plain_is_branch(insn),
                            .first = f->none_yet};
    f->none_yet = f->half = false;
    item = plain_add_insn(p, insn, p->address, passed ? ETM_TRUE : ETM_FALSE,
                          p->cycles);
    item->ends = plain_is_branch(insn);
    p->cycles = 0;
    f->last.owns = plain_traces_data(p) && passed && insn->transfers.kind != 0;
    if (f->last.owns)
        v2_data_own(&f->data, p->address, &insn->transfers);
    if (!f->last.taken) {
        p->address += insn->size;
    } else if (insn->type == ETM_INSN_TYPE_DIRECT) {
        plain_go(p, insn->target, (enum etm_isa)insn->target_isa);
    } else {
        p->known = false;
        f->awaiting = true;
    }
}

/* E or N of table 6-1. The halves of a Thumb BL are two (3.5.18). */
static void insn_executed(struct etmv2 *f, bool passed)
{
    struct etm_insn insn;

    if (!next(f, &insn)) {
        blind(f);
        return;
    }
    if (f->p->isa == ETM_ISA_THUMB && insn.size == 4) {
        f->half = !f->half;
        if (f->half)
            return;
    }
    walk(f, &insn, passed);
}

/* A folded direct branch (6.1.2). */
static void phantom(struct etmv2 *f, bool taken)
{
    struct etm_insn insn;
    bool found = next(f, &insn);

    if (found && insn.type != ETM_INSN_TYPE_DIRECT) {
        mismatch(f);
        found = false;
    }
    if (found)
        walk(f, &insn, taken);
    else
        blind(f);
}

/* Packets */

/* Tracing begins (6.9.1). */
static void restart(struct etmv2 *f)
{
    struct plain *p = f->p;
    bool periodic = p->p->reason == ETM_SYNC_PERIODIC;

    v2_data_close(&f->data,
                  p->p->reason != ETM_SYNC_OVERFLOW &&
                      p->p->reason != ETM_SYNC_DEBUG_EXIT); /* E-377 */
    f->data.owner.previous_known = false;
    plain_resume(p);
    plain_trace_on(p);
    f->last = (struct last){0};
    f->none_yet = !periodic;
    nowhere(f);
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
static void check_position(struct etmv2 *f)
{
    struct plain *p = f->p;
    uint32_t here = p->address + (f->half ? 2 : 0);

    if (p->known && (here != p->said.address || p->isa != p->said.isa))
        mismatch(f);
    if (!p->known)
        plain_resume(p);
}

/* 6.5.3 to 6.5.5 */
static void tfo_packet(struct etmv2 *f)
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
        insn_executed(f, true);
        if (p->n > n)
            p->items[p->n - 1].ends = true;
        p->cycles = cycles;
        f->last.valid = false;
        p->said = said;
    }
    if (!p->known || lsip)
        go_said(f);
    if (periodic && !lsip)
        insn_executed(f, true);
}

/* Exceptions are known by the address and the E bit (4.5.3, 6.7.1). */

static bool is_direct_target(const struct etmv2 *f)
{
    const struct last *last = &f->last;

    return last->valid && last->taken && !last->targeted &&
           last->insn.type == ETM_INSN_TYPE_DIRECT &&
           last->insn.target == f->p->said.address &&
           last->insn.target_isa == (uint8_t)f->p->said.isa;
}

/* E-259 */
static bool is_exception(const struct etmv2 *f)
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
static void give_return(const struct etmv2 *f, struct etm_element *e,
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
        if (cancelled && !f->half && f->last.thumb && f->last.insn.size == 4)
            address += 2; /* of the halves only the second: E-265 */
    }
    e->u.exception.return_known = known && type != ETM_EXCEPTION_RESET;
    if (e->u.exception.return_known)
        e->u.exception.return_address = address;
}

static void exception(struct etmv2 *f, bool cancelled)
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

/* E = 1: the last instruction did not complete; its time passed. */
static void cancel(struct etmv2 *f)
{
    if (f->last.owns)
        v2_data_discard(&f->data);
    plain_remove(f->p, f->last.item);
    f->p->cycles += f->last.cycles;
    f->last.valid = false;
}

/* Another address than that of a direct branch, or one after no branch at
 * all. Where tracing begins it is that of the instruction after a load/store
 * multiple (6.5.5). */
static bool contradicts(const struct etmv2 *f)
{
    const struct last *last = &f->last;
    bool indirect = last->insn.type == ETM_INSN_TYPE_INDIRECT;

    if (!last->valid || last->targeted || (last->taken && indirect) ||
        (last->first && !last->taken))
        return false;
    return !is_direct_target(f);
}

/* Nothing was executed yet: data are those of the instruction that the TFO
 * named (6.5.5). */
static void begin_in_progress(struct etmv2 *f)
{
    struct etm_insn insn;

    if (!f->none_yet)
        return;
    f->none_yet = false;
    if (!plain_traces_data(f->p))
        return;
    if (f->p->context_changed)
        plain_give_context(f->p);
    arrive(f);
    if (f->p->known && plain_read(f->p, f->p->address, &insn) &&
        insn.transfers.kind != 0)
        v2_data_own(&f->data, f->p->address, &insn.transfers);
}

/* 6.7.1 */
static void branch(struct etmv2 *f)
{
    struct plain *p = f->p;
    bool cancels = (p->p->fields & ETM_FIELD_CANCEL) != 0 &&
                   (f->last.valid || f->last.unseen);

    plain_say_address(p, p->p->address, p->p->address_bits,
                      (enum etm_isa)p->p->isa);
    if (cancels && f->last.valid)
        cancel(f);
    if (is_exception(f)) {
        bool aborted = (p->p->fields & ETM_FIELD_CANCEL) == 0 &&
                       (p->said.address & 0x1c) == 0x10;

        f->none_yet = false; /* that was before it */
        exception(f, cancels);
        if (aborted && f->last.owns) /* 6.8.1 */
            v2_data_discard(&f->data);
        return;
    }
    begin_in_progress(f);
    if (contradicts(f))
        mismatch(f);
    plain_resume(p);
    f->last.targeted = true;
    go_said(f);
}

/* So much came after the last instruction that it is final: E-376. */
static void limit(struct etmv2 *f)
{
    if (f->last.valid && f->p->n > f->last.item + 65536)
        f->last.valid = f->last.owns = false;
}

static void packet(struct etmv2 *f)
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
        f->data.last_tag = V2_NO_TAG;
        return;
    }
    v2_data_address(&f->data);
    if (kind != ETM_PACKET_OUT_OF_ORDER_DATA)
        begin_in_progress(f);
    v2_data_packet(&f->data);
}

/* Cycles */

/* Table 6-1 */
static void status(struct etmv2 *f, unsigned code)
{
    if (code >= 8)
        phantom(f, code < 12);
    if ((code & 4) == 0 || code >= 8) /* not WT, DW, TD */
        insn_executed(f, (code & 2) == 0);
}

static void lose(struct etmv2 *f, const struct plain_cycle *c,
                 enum etm_lost_reason why, uint64_t bytes)
{
    struct plain *p = f->p;

    if (p->synced || c == NULL) {
        v2_data_close(&f->data, false);
        v2_data_forget(&f->data);
        f->data.address_known = false;
        f->data.owner.previous_known = false;
        plain_leave(p);
        plain_lose(p, why, 0);
        nowhere(f);
        p->synced = p->mismatch = false;
    }
    f->last.valid = false;
    if (bytes != 0)
        plain_lose(p, why, bytes);
}

static void tell_trigger(struct etmv2 *f, const struct plain_cycle *c)
{
    if (!c->trigger)
        return;
    limit(f);
    plain_add(f->p, ETM_ELEMENT_TRIGGER);
}

static void cycle(struct etmv2 *f, const struct plain_cycle *c)
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
    struct etmv2 f = {.p = p, .data = {.p = p, .last_tag = V2_NO_TAG}};
    struct plain_cycles cycles;
    struct etm_packet end = {.offset = n};
    size_t rest = n % (p->config->port_width == 16 ? 3 : 2);

    plain_cycles(p->config, bytes, n, &cycles);
    for (size_t i = 0; i < cycles.n; i++)
        cycle(&f, &cycles.all[i]);
    end.offset = n - rest;
    p->p = &end;
    if (rest != 0) /* no whole record */
        lose(&f, NULL, ETM_LOST_TRUNCATED, rest);
    end.offset = n;
    v2_data_finish(&f.data);
    v2_data_forget(&f.data);
    plain_cycles_free(&cycles);
}
