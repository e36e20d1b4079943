/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PFT, instruction by instruction. Section numbers are those of the PFT
 * architecture; B.3.2 is its own outline of a decompressor.
 */
#include "plain.h"

#include <string.h>

#define WALK_MAX 8192u             /* bytes: E-14 */
#define UPDATE_WALK_MAX (1u << 20) /* the same for a waypoint update */
#define STACK 16u

enum end { NO_CODE, TOO_FAR, WAYPOINT };

/*
 * The way from the position. An atom says that everything up to and with the
 * next waypoint was executed: if that contradicts the atom, nothing of the way
 * is given (E-38).
 */
struct way {
    unsigned n;
    enum end end;
    bool cannot_fail; /* the last one has no condition */
    uint32_t address[WALK_MAX / 2 + 2];
    struct etm_insn insn[WALK_MAX / 2 + 1];
};

struct pft {
    struct plain *p;
    struct {
        uint32_t address;
        enum etm_isa isa;
    } stack[STACK];
    unsigned depth;
    unsigned pushed; /* calls, less returns */
    /* E-378: an exception came from here, and code has run unseen after it */
    bool interrupted, doubt, came_back;
    uint32_t back;
    enum etm_isa back_isa;
    unsigned back_pushed;
    bool unseen;  /* E-308: calls may have run that nobody saw */
    bool astray;  /* and one returned */
    bool updated; /* a waypoint update named this instruction */
    uint32_t updated_address;
};

/* 4.2: what is a waypoint */
static bool is_waypoint(const struct plain *p, const struct etm_insn *insn)
{
    switch ((enum etm_insn_type)insn->type) {
    case ETM_INSN_TYPE_DIRECT:
    case ETM_INSN_TYPE_INDIRECT:
        return true;
    case ETM_INSN_TYPE_BARRIER:
        return insn->barrier == ETM_BARRIER_ISB ||
               p->config->barriers_are_waypoints;
    case ETM_INSN_TYPE_OTHER:
        break;
    }
    return false;
}

static void clear(struct pft *f)
{
    f->depth = 0;
    f->interrupted = f->doubt = f->came_back = false;
}

static void mismatch(struct pft *f, uint64_t bytes)
{
    clear(f);
    f->unseen = true;
    plain_mismatch(f->p, bytes);
}

/* Instructions from the position up to a waypoint, as far as they are known. */
static void read_way(const struct plain *p, struct way *way)
{
    uint32_t address = p->address;
    unsigned since_it = 0;

    way->n = 0;
    way->address[0] = address;
    for (;;) {
        struct etm_insn *insn = &way->insn[way->n];

        way->end = TOO_FAR;
        if (address - p->address > WALK_MAX)
            return;
        way->end = NO_CODE;
        if (!plain_read(p, address, insn))
            return;
        /* in an IT block any instruction is conditional; one of Thumb is
         * surely in none only four instructions after the last possible IT */
        way->cannot_fail = (insn->flags & ETM_INSN_CONDITIONAL) == 0 &&
                           (p->isa == ETM_ISA_ARM || since_it >= 4);
        since_it = insn->it != 0 ? 0 : since_it + 1;
        address += insn->size;
        way->address[++way->n] = address;
        way->end = WAYPOINT;
        if (is_waypoint(p, insn))
            return;
    }
}

/* The first `n` instructions of a way were executed. What only the waypoint
 * tells, its condition and the cycles, is not known of the others. */
static void give_some(struct plain *p, const struct way *way, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        plain_add_insn(p, &way->insn[i], way->address[i], ETM_UNKNOWN, 0);
    p->address = way->address[n];
}

/* The way to the next waypoint. False: there is none, and that has been
 * said. */
static bool find_waypoint(struct pft *f, struct way *way)
{
    struct plain *p = f->p;

    plain_give_context(p);
    read_way(p, way);
    if (way->end == WAYPOINT) {
        if (f->doubt)
            clear(f);
        return true;
    }
    if (way->end == NO_CODE) {
        give_some(p, way, way->n);
        plain_no_image(p);
    } else {
        mismatch(f, 0);
    }
    return false;
}

static void push(struct pft *f, const struct way *way)
{
    if (!f->p->config->return_stack ||
        (way->insn[way->n - 1].flags & ETM_INSN_LINK) == 0)
        return;
    if (f->depth == STACK) { /* the oldest falls out */
        memmove(&f->stack[0], &f->stack[1], sizeof f->stack - sizeof *f->stack);
        f->depth--;
    }
    f->stack[f->depth].address = way->address[way->n];
    f->stack[f->depth++].isa = f->p->isa;
    f->pushed++;
}

/* The waypoint was executed, or failed its condition. */
static void give_way(struct pft *f, const struct way *way, enum etm_tri exec)
{
    struct plain *p = f->p;
    unsigned last = way->n - 1;

    give_some(p, way, last);
    plain_add_insn(p, &way->insn[last], way->address[last], exec, p->cycles)
        ->ends = true;
    p->cycles = 0;
    p->address = way->address[way->n];
    f->updated = false;
}

/* analyze_atomheader() of B.3.2, for one atom; 4.13 for the return stack. False
 * if nobody knows what its waypoint was. */
static bool atom(struct pft *f, bool passed)
{
    struct plain *p = f->p;
    struct way way;
    const struct etm_insn *insn;

    if (!find_waypoint(f, &way))
        return false;
    insn = &way.insn[way.n - 1];
    if (!passed && way.cannot_fail && insn->type != ETM_INSN_TYPE_BARRIER) {
        mismatch(f, 0); /* E-15 */
        return false;
    } else if (!passed || insn->type == ETM_INSN_TYPE_BARRIER) {
        give_way(f, &way, passed ? ETM_TRUE : ETM_FALSE);
    } else if (insn->type == ETM_INSN_TYPE_DIRECT) {
        give_way(f, &way, ETM_TRUE);
        push(f, &way);
        plain_go(p, insn->target, (enum etm_isa)insn->target_isa);
    } else if (p->config->return_stack && f->depth != 0) {
        uint32_t address = f->stack[--f->depth].address;
        enum etm_isa isa = f->stack[f->depth].isa;
        f->pushed--;
        give_way(f, &way, ETM_TRUE);
        push(f, &way);
        plain_go(p, address, isa);
    } else if (p->config->return_stack && f->unseen) { /* E-308 */
        give_way(f, &way, ETM_TRUE);
        push(f, &way);
        plain_lose(p, ETM_LOST_UNSYNCHRONIZED, 0);
        f->astray = true;
        p->known = false;
    } else {
        mismatch(f, 0); /* E-16 */
        return false;
    }
    return true;
}

/* What runs unseen calls and returns: E-378 */
static void blind(struct pft *f)
{
    f->p->blind += f->p->cycles;
    f->p->cycles = 0;
    f->unseen = true;
    f->came_back = false;
    if (f->interrupted && f->pushed == f->back_pushed)
        f->doubt = true;
    else
        clear(f);
}

static void count(struct plain *p)
{
    if (p->config->cycle_accurate)
        p->cycles += p->p->cycle_count;
}

static void atoms(struct pft *f)
{
    struct plain *p = f->p;
    bool placed = true;

    count(p);
    for (unsigned i = 0; i < p->p->count; i++) {
        placed = p->known;
        if (!placed || !atom(f, (p->p->value >> 2 * i & 3) == ETM_ATOM_E))
            blind(f);
    }
    if (p->mismatch)
        plain_lose(p, ETM_LOST_IMAGE_MISMATCH, p->p->size);
    else if (f->astray && !placed)
        plain_lose(p, ETM_LOST_UNSYNCHRONIZED, p->p->size);
}

static void resume(struct pft *f)
{
    f->astray = false;
    plain_resume(f->p);
}

/* The packets said where execution goes on. */
static void go_said(struct plain *p)
{
    enum etm_tri hyp = ETM_FALSE;

    if (p->config->virtualization && p->said.hyp)
        hyp = ETM_TRUE;
    plain_state(p, p->said.ns ? ETM_FALSE : ETM_TRUE, hyp);
    plain_go(p, p->said.address, p->said.isa);
    if (p->said.isa == ETM_ISA_JAZELLE) /* never traced: 4.8 */
        p->known = false;
}

/* As a return from an exception. */
static void come_back(struct pft *f)
{
    if (f->came_back)
        f->interrupted = f->doubt = f->came_back = false;
}

/* branch_no_excp() of B.3.2: an E atom, and where it led to */
static void branch(struct pft *f)
{
    struct plain *p = f->p;
    struct way way;

    if (!p->known || !find_waypoint(f, &way)) {
        blind(f);
    } else {
        const struct etm_insn *insn = &way.insn[way.n - 1];
        bool agrees = true;
        if (insn->type == ETM_INSN_TYPE_DIRECT)
            agrees = insn->target == p->said.address &&
                     insn->target_isa == (uint8_t)p->said.isa;
        if (insn->type == ETM_INSN_TYPE_BARRIER)
            agrees = way.address[way.n] == p->said.address;
        if (agrees) {
            give_way(f, &way, ETM_TRUE);
            push(f, &way);
        } else { /* E-13 */
            mismatch(f, p->p->size);
            blind(f);
            plain_suspect(p);
            f->updated = false;
            return;
        }
    }
    f->updated = false;
    f->came_back =
        f->doubt && p->said.address == f->back && p->said.isa == f->back_isa;
    if (p->config->minor == 0) /* without packets that tell of a return */
        come_back(f);
    resume(f);
    go_said(p);
}

/* E-312: an HVC was executed, or an instruction was trapped */
static void hyp_return(const struct pft *f, struct etm_element *e)
{
    struct etm_insn insn = {.trap = ETM_TRAP_NONE};

    plain_read(f->p, f->updated_address, &insn);
    if (insn.trap == ETM_TRAP_HVC || insn.trap == ETM_TRAP_SVC)
        return;
    e->u.exception.return_known = insn.trap == ETM_TRAP_SMC;
    e->u.exception.return_address =
        insn.trap == ETM_TRAP_SMC ? f->updated_address : 0;
}

/* branch_with_excp() of B.3.2: no instruction is executed. */
static void exception(struct pft *f)
{
    struct plain *p = f->p;
    struct etm_element *e;
    uint16_t irq;
    enum etm_exception_type type = plain_exception(p, &irq);

    resume(f);
    e = plain_add(p, ETM_ELEMENT_EXCEPTION);
    e->u.exception.number = p->p->exception;
    e->u.exception.irq = irq;
    e->u.exception.type = (uint8_t)type;
    if (p->known && type != ETM_EXCEPTION_RESET) {
        e->u.exception.return_known = true;
        e->u.exception.return_address = p->address;
        if (type == ETM_EXCEPTION_UNDEFINED && f->updated) /* 4.9, E-29 */
            e->u.exception.return_address = f->updated_address;
        if (type == ETM_EXCEPTION_HYP_ENTRY && f->updated)
            hyp_return(f, e);
    }
    f->came_back = false;
    if (e->u.exception.return_known && f->depth != 0 && !f->doubt &&
        (p->config->minor != 0 || f->updated)) {
        f->interrupted = true;
        f->back = e->u.exception.return_address;
        f->back_isa = p->isa;
        f->back_pushed = f->pushed;
    }
    f->updated = false;
    if (type == ETM_EXCEPTION_RESET) { /* B.2.1, E-326 */
        plain_forget_context_id(p);
        plain_forget_vmid(p);
    }
    if (type == ETM_EXCEPTION_DEBUG_HALT) { /* its address means nothing: 4.8 */
        p->known = false;
        f->astray = true; /* E-430 */
    } else {
        go_said(p);
    }
}

static void branch_packet(struct pft *f)
{
    struct plain *p = f->p;

    if (p->p->fields & ETM_FIELD_EXCEPTION_0) {
        p->said.ns = (p->p->fields & ETM_FIELD_NS) != 0;
        p->said.alt_isa = (p->p->fields & ETM_FIELD_ALT_ISA) != 0;
    }
    if (p->p->fields & ETM_FIELD_EXCEPTION_1)
        p->said.hyp = (p->p->fields & ETM_FIELD_HYP) != 0;
    plain_say_address(p, p->p->address, p->p->address_bits,
                      (enum etm_isa)p->p->isa);
    count(p);
    if (plain_is_suspect(p)) {
        if (p->p->exception == 0) /* it belongs to no waypoint: E-21 */
            blind(f);
        plain_lose(p, ETM_LOST_IMAGE_MISMATCH, p->p->size);
    } else if (p->p->exception != 0) {
        exception(f);
    } else {
        branch(f);
    }
}

/* Instructions from the position up to `end`, as far as they are known. */
static void give_up_to(struct plain *p, uint32_t end)
{
    struct etm_insn insn;

    while (p->address != end && plain_read(p, p->address, &insn)) {
        plain_add_insn(p, &insn, p->address, ETM_UNKNOWN, 0);
        p->address += insn.size;
    }
}

/* analyze_waypoint_update() of B.3.2, and past the instruction: E-10. It leads
 * over no waypoint, and names one only if that raised an exception: E-410 */
static void waypoint_update(struct pft *f)
{
    struct plain *p = f->p;
    uint32_t target, address, last;
    struct etm_insn insn;
    bool waypoint;

    if (p->p->fields & ETM_FIELD_EXCEPTION_0)
        p->said.alt_isa = (p->p->fields & ETM_FIELD_ALT_ISA) != 0;
    plain_say_address(p, p->p->address, p->p->address_bits,
                      (enum etm_isa)p->p->isa);
    if (!p->known) {
        if (p->mismatch)
            plain_lose(p, ETM_LOST_IMAGE_MISMATCH, p->p->size);
        else if (f->astray)
            plain_lose(p, ETM_LOST_UNSYNCHRONIZED, p->p->size);
        return;
    }
    plain_give_context(p);
    target = p->said.address;
    address = last = p->address;
    if (target < address || target - address > UPDATE_WALK_MAX) {
        mismatch(f, p->p->size);
        return;
    }
    do {
        last = address;
        if (!plain_read(p, address, &insn)) {
            give_up_to(p, address);
            plain_no_image(p);
            return;
        }
        waypoint = is_waypoint(p, &insn);
        address += insn.size;
        if (waypoint && (insn.type == ETM_INSN_TYPE_DIRECT ||
                         (address <= target && address != 0))) {
            mismatch(f, p->p->size);
            return;
        }
    } while (address <= target && address != 0);
    give_up_to(p, address);
    if (waypoint)
        p->items[p->n - 1].ends = true;
    f->updated = true;
    f->updated_address = last;
}

/* 4.6: the count of an I-sync; E-23 */
static void gap(struct plain *p)
{
    uint64_t n = p->cycles + p->p->cycle_count;

    p->cycles = 0;
    if (!p->config->cycle_accurate)
        return;
    if (p->config->minor >= 1 && p->p->reason != ETM_SYNC_TRACE_ON)
        n = ETM_CYCLES_UNKNOWN;
    plain_add(p, ETM_ELEMENT_CYCLES)->u.cycles.n = n;
}

static void i_sync(struct pft *f)
{
    struct plain *p = f->p;
    struct plain_said *said = &p->said;
    bool periodic = p->p->reason == ETM_SYNC_PERIODIC;

    said->ns = (p->p->fields & ETM_FIELD_NS) != 0;
    said->alt_isa = (p->p->fields & ETM_FIELD_ALT_ISA) != 0;
    said->hyp = (p->p->fields & ETM_FIELD_HYP) != 0;
    said->address = p->p->address;
    said->isa = (enum etm_isa)p->p->isa;
    if (said->isa == ETM_ISA_THUMB && said->alt_isa)
        said->isa = ETM_ISA_THUMBEE;
    if (periodic && p->synced && p->known &&
        (p->address != said->address || p->isa != said->isa))
        mismatch(f, 0); /* E-18 */
    clear(f);           /* 4.13 */
    f->unseen = false;
    resume(f);
    if (!p->synced)
        p->cycles = 0;
    if (!p->synced || !periodic) { /* E-07 */
        plain_trace_on(p);
        f->updated = false;
    }
    p->synced = true;
    if (!periodic)
        gap(p);
    if (p->p->fields & ETM_FIELD_CONTEXT_ID)
        plain_context_id(p);
    go_said(p);
}

static void packet(struct pft *f)
{
    struct plain *p = f->p;

    if (p->p->kind == ETM_PACKET_TIMESTAMP)
        count(p);
    if (plain_common(p))
        return;
    if (p->p->kind == ETM_PACKET_I_SYNC) {
        i_sync(f);
    } else if (p->p->kind == ETM_PACKET_ATOM) {
        atoms(f);
    } else if (p->p->kind == ETM_PACKET_BRANCH_ADDRESS) {
        branch_packet(f);
    } else if (p->p->kind == ETM_PACKET_WAYPOINT_UPDATE) {
        waypoint_update(f);
    } else if (p->p->kind == ETM_PACKET_EXCEPTION_EXIT) {
        plain_add(p, ETM_ELEMENT_EXCEPTION_RETURN);
        come_back(f);
    } else { /* the stream is broken */
        clear(f);
        f->updated = f->astray = f->unseen = false;
    }
}

void plain_pft(struct plain *p, const struct etm_packet *packets, size_t n)
{
    struct pft f = {.p = p};

    for (size_t i = 0; i < n; i++) {
        p->p = &packets[i];
        packet(&f);
    }
}
