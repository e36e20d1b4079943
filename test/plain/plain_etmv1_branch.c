/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of ETMv1: where their addresses are and what they mean (ETM
 * architecture 5.5, 5.6, 4.5.3). */
#include "plain_etmv1.h"

/* Branch reason codes (table 5-3). */
enum { NORMAL = 0, OVERFLOW = 2, PERIODIC = 4 };

#define NO_OFFSET 15u /* address packet offset: it was too large (5.6.1) */

/* What a BE or BD status comes to. */
struct branch {
    bool abandoned;  /* another branch stands in its offset cycles (5.6.1) */
    unsigned offset; /* address packet offset */
    size_t next;     /* the record after it and its offset */
    size_t sync;     /* where its address begins */
    struct v1_address target;
    struct v1_place end;
    bool found; /* the instruction, of a BD */
    bool bare;  /* its place is known, and no code there */
    struct etm_insn insn;
    struct v1_data data;
    bool misplaced;  /* its address is not where the packets before end */
    bool unmeasured; /* how many they are is not known */
    bool unplaced;   /* so is the address of the transfer */
    bool passed;     /* the address is relative to one that is not known */
    bool later;      /* the address is that of a later branch: E-175 */
};

/* Addresses */

/* Compression goes on from every address (5.5.4). */
static void take_base(struct etmv1 *f, const struct v1_address *a)
{
    f->base = v1_merge(f->base, a);
    if (a->n < 5)
        return;
    f->base_valid = true;
    f->base_jazelle = a->jazelle && f->c->minor >= 3;
}

/* 5.5.2, 5.5.3 */
static uint32_t base_place(const struct etmv1 *f, enum etm_isa *isa)
{
    *isa = f->base_jazelle      ? ETM_ISA_JAZELLE
           : (f->base & 1) != 0 ? ETM_ISA_THUMB
                                : ETM_ISA_ARM;
    if (*isa == ETM_ISA_JAZELLE)
        return f->base;
    return f->base & (*isa == ETM_ISA_THUMB ? ~1u : ~3u);
}

static bool is_reserved(const struct etmv1 *f, unsigned reason)
{
    return reason > PERIODIC || (reason == PERIODIC && f->c->minor < 2);
}

/* Before v1.3 bit 7 of the fifth packet is LOW (5.5.4). */
static bool is_none(const struct etmv1 *f, const struct v1_address *a)
{
    return is_reserved(f, a->reason) || (a->jazelle && f->c->minor < 3);
}

/* E-301 */
static void take_context(struct etmv1 *f, const struct v1_address *a,
                         uint64_t offset)
{
    const struct etm_packet *here = f->p->p;
    struct etm_packet told = {.offset = offset, .context_id = a->context_id};

    if (!a->has_context)
        return;
    f->p->p = &told;
    plain_context_id(f->p);
    f->p->p = here;
}

/* An address that begins here and is nobody's is a base all the same. */
static void note(struct etmv1 *f, size_t record, bool context)
{
    struct v1_record *r = &f->records[record];
    struct v1_place at = {.record = record};
    struct v1_address a;

    if (!r->sync || !r->carries || r->noted)
        return;
    r->noted = true;
    if (!v1_target(f, &at, &a) || is_none(f, &a)) {
        f->base_valid = false;
        return;
    }
    take_base(f, &a);
    if (context && f->synced)
        take_context(f, &a, r->offset);
}

void v1_note(struct etmv1 *f)
{
    note(f, f->next, true);
}

static void note_up_to(struct etmv1 *f, size_t record)
{
    for (size_t i = f->next; i < record && i < f->n; i++)
        note(f, i, false);
}

static bool is_branch_record(const struct v1_record *r)
{
    return r->status == BE || r->status == BD;
}

/* The two cycles after a branch say where its address is (5.6.1). */
static bool read_offset(struct etmv1 *f, size_t record, struct branch *b)
{
    b->abandoned = false;
    b->offset = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct v1_record *r = &f->records[record + 1 + i];

        if (record + 1 + i >= f->n) {
            f->short_of = true;
            return false;
        }
        b->next = record + 1 + i;
        if (r->behind_td || r->status > BD)
            return false;
        b->abandoned = is_branch_record(r);
        if (b->abandoned)
            return true;
        b->offset |= ((unsigned)r->status & 3) << 2 * i;
    }
    b->next = record + 3;
    return true;
}

static bool find_in_order(struct etmv1 *f, struct v1_place behind,
                          size_t *found)
{
    size_t from = behind.record + behind.upper;

    return v1_find_sync(f, from > f->next ? from : f->next, 0, found);
}

/* One of the branches up to that address has it, by its offset. */
static bool is_of_later(struct etmv1 *f, size_t from, size_t sync)
{
    bool later = false;

    for (size_t i = from; i <= sync && i < f->n && !later; i++) {
        struct branch b;
        size_t found;
        bool short_of;

        if (!is_branch_record(&f->records[i]) || !read_offset(f, i, &b) ||
            b.abandoned || b.offset == NO_OFFSET)
            continue;
        short_of = f->short_of; /* here it does not matter */
        later = v1_find_sync(f, i, b.offset, &found) && found == sync;
        f->short_of = short_of;
    }
    return later;
}

static bool is_normal(unsigned reason)
{
    return reason == NORMAL || reason == PERIODIC;
}

/* An address that damage let be read before: a full one is read again with all
 * that come after it, others are relative to nobody knows what. */
static bool go_back(struct etmv1 *f, struct branch *b)
{
    size_t end = f->next + WINDOW < f->n ? f->next + WINDOW : f->n - 1;
    bool passed = false;

    if (!f->records[b->sync].noted)
        return true;
    for (size_t i = b->sync + 1; i <= end; i++)
        passed = passed || f->records[i].noted;
    b->passed = passed && b->target.n < 5;
    for (size_t i = b->sync; passed && !b->passed && i <= end; i++)
        f->records[i].noted = false;
    return !b->passed;
}

/* All of a branch was read. */
static void consume(struct etmv1 *f, const struct branch *b)
{
    f->records[b->sync].noted = true;
    take_base(f, &b->target);
    v1_packets_end(f, b->end);
    f->aligned = true;
}

/* What happens */

static void pass_to(struct etmv1 *f, size_t record)
{
    while (f->next < record)
        v1_pass(f);
}

/* Tracing begins again; after an overflow that may be taken back (5.9). */
static void restart(struct etmv1 *f, const struct branch *b, bool periodic,
                    uint64_t offset)
{
    unsigned reason = b->target.reason;
    struct v1_start *s = &f->start;

    if (reason != OVERFLOW || s->reason != OVERFLOW)
        v1_begin(f);
    v1_end_range(f);
    v1_nowhere(f);
    f->data_valid = f->cut = false;
    f->p->cycles = 0;
    *s = (struct v1_start){.pending = true,
                           .periodic = periodic,
                           .reason = periodic ? 0 : reason,
                           .offset = offset,
                           .has_context = b->target.has_context,
                           .context_id = b->target.context_id};
    s->address = base_place(f, &s->isa);
}

/* Not synchronized: only a branch with a full address is of use: E-173. */
void v1_search(struct etmv1 *f)
{
    const struct v1_record *r = &f->records[f->next];
    struct branch b = {.next = 0};
    uint64_t offset = r->offset;
    bool used, good = is_branch_record(r) && read_offset(f, f->next, &b) &&
                      !b.abandoned && b.offset != NO_OFFSET &&
                      v1_find_sync(f, f->next, b.offset, &b.sync);

    if (good) {
        note_up_to(f, b.sync);
        b.end.record = b.sync;
        good = v1_target(f, &b.end, &b.target) &&
               !is_of_later(f, b.next, b.sync) &&
               (b.target.n == 5 || f->base_valid) && !is_none(f, &b.target) &&
               go_back(f, &b);
    }
    if (!good) {
        note(f, f->next, false);
        /* E-398 */
        used = r->status == WT && f->next < f->fifo.record;
        if (r->status != TD && r->carries && !used)
            plain_lose(f->p, ETM_LOST_UNSYNCHRONIZED, r->cycles * f->size);
        v1_pass(f);
        return;
    }
    f->synced = true;
    consume(f, &b);
    v1_pass(f);
    restart(f, &b, is_normal(b.target.reason), offset);
    pass_to(f, b.next);
}

/* Branches */

/* Its address is in the trace all the same (5.6.1). */
static void abandoned(struct etmv1 *f, struct branch *b)
{
    const struct v1_record *r = &f->records[f->next];

    if (f->aligned) {
        bool good = find_in_order(f, f->fifo, &b->sync);

        b->end.record = b->sync;
        if (good && v1_target(f, &b->end, &b->target) && go_back(f, b)) {
            consume(f, b);
            if (is_normal(b->target.reason)) {
                v1_begin(f);
                take_context(f, &b->target, r->offset);
            }
            if (r->status == BD) /* its data may have had an address */
                f->data_valid = false;
        } else {
            v1_misalign(f, false);
        }
    } else {
        note_up_to(f, b->next);
        plain_forget_context_id(f->p); /* its own may be to come: E-301 */
        for (size_t i = f->next; f->synced && i < b->next && i < f->n; i++) {
            struct v1_place at = {.record = i};
            struct v1_address a;

            if (f->records[i].noted && v1_target(f, &at, &a) && !is_none(f, &a))
                take_context(f, &a, f->records[i].offset);
        }
    }
    pass_to(f, b->next);
}

/* The data of a BD stand before its address (5.7.3). */
static void data_of_branch(struct etmv1 *f, struct v1_place *at,
                           struct branch *b)
{
    bool address;
    unsigned n;

    v1_begin(f);
    v1_arrive(f);
    b->bare = f->p->known;
    b->found = v1_next(f, &b->insn);
    b->bare = b->bare && !b->found;
    if (!f->aligned || !plain_traces_data(f->p))
        return;
    b->unmeasured = !b->found || !v1_shape(f, &b->insn.transfers, &address, &n);
    if (!b->unmeasured)
        b->misplaced = !v1_data(f, at, address, n, &b->data);
    b->unplaced = b->unmeasured || (address && !b->data.has_address);
}

/* Where its address is, and what it is. */
static bool gather(struct etmv1 *f, struct branch *b)
{
    struct v1_place at = v1_packets_here(f);

    if (f->records[f->next].status == BD)
        data_of_branch(f, &at, b);
    if (b->offset == NO_OFFSET) {
        if (!f->aligned || !find_in_order(f, at, &b->sync))
            return false;
    } else {
        if (!v1_find_sync(f, f->next, b->offset, &b->sync))
            return false;
        if (f->aligned && !b->unmeasured && !v1_adjoins(f, at, b->sync))
            b->misplaced = true; /* E-174 */
    }
    if (!f->aligned || b->misplaced || b->unmeasured)
        note_up_to(f, b->sync);
    b->end.record = b->sync;
    if (!v1_target(f, &b->end, &b->target))
        return false;
    b->later = is_of_later(f, b->next, b->sync);
    return b->later || go_back(f, b);
}

/* Nobody knows where it went. */
static void lose_target(struct etmv1 *f, bool overflow)
{
    v1_begin(f);
    v1_end_range(f);
    v1_blind(f);
    if (!overflow)
        plain_lose(f->p, ETM_LOST_BAD_PACKET, f->size);
    plain_forget_context_id(f->p);
    v1_nowhere(f);
    v1_misalign(f, false);
    f->base_valid = false;
}

/* A branch to a vector is that exception (4.5.3); 0x14: E-177. */
static bool is_vector(const struct etmv1 *f, uint32_t address, enum etm_isa isa)
{
    uint32_t vectors = f->c->high_vectors ? 0xffff0000u : 0;

    return isa == ETM_ISA_ARM && address >= vectors &&
           address - vectors <= 0x1c && (address & 0x1c) != 0x14;
}

static void exception(struct etmv1 *f, const struct branch *b, uint32_t vector)
{
    struct plain *p = f->p;
    unsigned number = vector >> 2 & 7, type = plain_vector(number);
    /* the instruction that carries it was executed, or not (4.5.3) */
    bool executed = type == ETM_EXCEPTION_UNDEFINED ||
                    type == ETM_EXCEPTION_SVC ||
                    type == ETM_EXCEPTION_DATA_ABORT;
    bool known, found = false;
    uint32_t address, returns;
    struct etm_insn insn;
    struct etm_element *e;

    v1_arrive(f);
    known = p->known || b->bare;
    if (executed)
        found = v1_next(f, &insn);
    if (executed && !found && type == ETM_EXCEPTION_SVC)
        known = false; /* of what size it is */
    address = p->address;
    returns = address + (f->half ? 2 : 0); /* E-178 */
    if (found)
        v1_walk(f, &insn, true);
    else if (executed)
        v1_blind(f);
    if (found && type == ETM_EXCEPTION_SVC)
        returns = p->address;
    plain_resume(p);
    e = plain_add(p, ETM_ELEMENT_EXCEPTION);
    e->u.exception.number = (uint16_t)number;
    e->u.exception.type = (uint8_t)type;
    if (known && !executed) {
        e->u.exception.cancels_known = true;
        e->u.exception.cancels = address;
    }
    if (known && type != ETM_EXCEPTION_RESET) {
        e->u.exception.return_known = true;
        e->u.exception.return_address = returns;
    }
    if (type == ETM_EXCEPTION_RESET)
        plain_forget_context_id(p); /* 4.7 */
}

/* A branch can go there; the halves of a BL are two (4.5.4). */
static bool can_branch(const struct etmv1 *f, const struct etm_insn *insn,
                       uint32_t address, enum etm_isa isa)
{
    if (f->p->isa == ETM_ISA_THUMB && insn->size == 4 && !f->half)
        return false;
    if (insn->type == ETM_INSN_TYPE_DIRECT)
        return insn->target == address && insn->target_isa == (uint8_t)isa;
    return insn->type == ETM_INSN_TYPE_INDIRECT;
}

static void executed_branch(struct etmv1 *f, struct branch *b, uint32_t address,
                            enum etm_isa isa)
{
    if (!b->found)
        b->found = v1_next(f, &b->insn);
    if (!b->found) {
        v1_blind(f);
    } else if (!can_branch(f, &b->insn, address, isa)) {
        v1_mismatch(f);
    } else {
        uint32_t at = v1_walk(f, &b->insn, true);

        v1_give_data(f, at, &b->insn.transfers, &b->data);
    }
    plain_resume(f->p);
}

static void go_there(struct etmv1 *f, struct branch *b)
{
    enum etm_isa isa;
    uint32_t address = base_place(f, &isa);

    v1_begin(f);
    v1_note_data(f, &b->data);
    if (b->misplaced || f->cut) {
        plain_lose(f->p, ETM_LOST_BAD_PACKET, f->size);
        plain_forget_context_id(f->p);
    }
    if (b->misplaced || f->cut || b->unplaced)
        f->data_valid = false;
    if (is_vector(f, address, isa))
        exception(f, b, address);
    else
        executed_branch(f, b, address, isa);
    f->cut = false;
    take_context(f, &b->target, f->p->p->offset); /* E-170 */
    v1_go(f, address, isa);
}

/* The address of a branch ends where another one begins: an overflow. */
static bool is_cut(const struct etmv1 *f, const struct branch *b)
{
    return b->end.record > b->sync && b->end.record < f->n &&
           f->records[b->end.record].sync;
}

/* BE or BD */
void v1_branch(struct etmv1 *f)
{
    const struct v1_record *r = &f->records[f->next];
    struct branch b = {.next = 0};
    uint64_t offset = r->offset;
    bool lost = !read_offset(f, f->next, &b), good;

    if (!lost && b.abandoned) {
        abandoned(f, &b);
        return;
    }
    good = !lost && gather(f, &b);
    if (lost || (!good && f->short_of)) {
        v1_lose_sync(f, f->short_of ? f->why : ETM_LOST_BAD_PACKET,
                     r->cycles * f->size);
        v1_pass(f);
        return;
    }
    v1_pass(f);
    if (!good || b.later) {
        bool cut = !good && !b.passed && is_cut(f, &b);

        lose_target(f, cut || (b.later && !is_normal(b.target.reason)));
        f->cut = cut;
    } else if (is_reserved(f, b.target.reason)) {
        v1_lose_sync(f, ETM_LOST_BAD_PACKET, f->size);
    } else {
        consume(f, &b);
        if (!is_normal(b.target.reason))
            restart(f, &b, false, offset);
        else if (f->base_valid)
            go_there(f, &b);
        else
            lose_target(f, false);
    }
    pass_to(f, b.next);
}
