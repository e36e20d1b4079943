/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches of ETMv1: BE and BD statuses, the two cycles after them, which
 * locate their address, and the meaning of the address (ETM architecture 5.5,
 * 5.6, 4.5.3).
 */
#include "flow/etmv1/walk.h"

/* What was found out about a BE or BD status. */
struct branch {
    bool abandoned; /* another branch is in its offset cycles (5.6.1) */
    uint8_t apo;    /* address packet offset */
    uint64_t next;  /* the record after it and its offset */
    uint64_t sync;  /* the record where its address begins */
    struct etm_etmv1_target target;
    struct etm_etmv1_place end;
    struct etm_block *block; /* of a BD */
    struct etm_etmv1_data data;
    bool misplaced;  /* the address is not where the packets before end */
    bool unmeasured; /* the number of these packets is not known */
    bool unplaced;   /* nor is the address of the transfer */
    bool passed;     /* the address is relative to one that is not known */
};

static bool is_branch(const struct etm_etmv1_record *r)
{
    return r->status == ETM_ETMV1_BE || r->status == ETM_ETMV1_BD;
}

/* The address packet offset of a branch at record `p` (5.6.1). */
static enum etm_etmv1_read read_offset(const struct etm_etmv1_flow *flow,
                                       uint64_t p, struct branch *b)
{
    b->abandoned = false;
    b->apo = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, p + 1 + i);

        if (r == NULL)
            return flow->ending ? ETM_READ_BROKEN : ETM_READ_MORE;
        b->next = p + 1 + i;
        if ((r->flags & ETM_RECORD_BEHIND_TD) != 0 || r->status > ETM_ETMV1_BD)
            return ETM_READ_BROKEN;
        b->abandoned = is_branch(r);
        if (b->abandoned)
            return ETM_READ_OK;
        b->apo = (uint8_t)(b->apo | (r->status & 3u) << (2 * i));
    }
    b->next = p + 3;
    return ETM_READ_OK;
}

/* The first TRACESYNC after the packets before it. */
static enum etm_etmv1_read find_in_order(const struct etm_etmv1_flow *flow,
                                         const struct etm_etmv1_place *behind,
                                         uint64_t *found)
{
    uint64_t from = behind->record + behind->half;

    if (from < flow->next)
        from = flow->next;
    return etm_etmv1_fifo_find(flow, from, 0, found);
}

/*
 * Is the address at record `s` that of a later branch? If an overflow loses the
 * packets of a branch, its offset counts to the address of the restart (5.9).
 */
static enum etm_etmv1_read is_of_later(const struct etm_etmv1_flow *flow,
                                       uint64_t from, uint64_t s, bool *later)
{
    struct branch b = {.next = 0};

    *later = false;
    for (uint64_t q = from; q <= s; q++) {
        unsigned syncs = 0;
        enum etm_etmv1_read read;
        uint64_t found;

        if (!is_branch(etm_etmv1_fifo_at(flow, q)))
            continue;
        read = read_offset(flow, q, &b);
        if (read == ETM_READ_MORE)
            return read;
        if (read != ETM_READ_OK || b.abandoned || b.apo == ETM_ETMV1_NO_OFFSET)
            continue;
        syncs = b.apo;
        read = etm_etmv1_fifo_find(flow, q, syncs, &found);
        if (read == ETM_READ_OK && found == s) {
            *later = true;
            return ETM_READ_OK;
        }
    }
    return ETM_READ_OK;
}

/* A full address is read again, with the addresses after it; other addresses
 * are not relative to the last one that was read. */
static enum etm_etmv1_read go_back(struct etm_etmv1_flow *flow,
                                   struct branch *b)
{
    if (!etm_etmv1_address_is_passed(flow, b->sync))
        return ETM_READ_OK;
    b->passed = b->target.address.n < ETM_ETMV1_ADDRESS_MAX;
    if (b->passed)
        return ETM_READ_BROKEN;
    for (uint64_t q = b->sync; q < flow->next + ETM_ETMV1_WINDOW; q++) {
        struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, q);

        if (r == NULL)
            break;
        r->flags &= (uint8_t)~ETM_RECORD_NOTED;
    }
    return ETM_READ_OK;
}

/* A restart or branch was read completely: the packet cursor is right. */
static void consume(struct etm_etmv1_flow *flow, const struct branch *b)
{
    etm_etmv1_fifo_at(flow, b->sync)->flags |= ETM_RECORD_NOTED;
    etm_etmv1_address_take(flow, &b->target.address);
    etm_etmv1_fifo_end(flow, b->end);
    flow->aligned = true;
}

static void pass_to(struct etm_etmv1_flow *flow, uint64_t next)
{
    while (flow->next < next)
        etm_etmv1_flow_pass(flow);
}

/* A discontinuity: what is here did not execute (5.5.5). */
static void restart(struct etm_etmv1_flow *flow, const struct branch *b,
                    bool periodic, uint64_t offset)
{
    struct etm_walk *f = &flow->walk;
    unsigned reason = b->target.address.reason;
    enum etm_isa isa;

    /* after an overflow a restart is speculative, and another one may take
     * its place (5.9) */
    if (reason != ETM_ETMV1_OVERFLOW || flow->start.reason != reason)
        etm_etmv1_flow_begin(flow);
    etm_walk_close(f);
    etm_etmv1_flow_nowhere(flow);
    flow->data_valid = false;
    flow->cut = false;
    f->cycles = 0;
    flow->start = (struct etm_etmv1_start){
        .pending = true,
        .periodic = periodic,
        .reason = (uint8_t)(periodic ? ETM_SYNC_PERIODIC : reason),
        .address = etm_etmv1_address_place(flow, &isa),
        .offset = offset,
        .has_context = b->target.has_context,
        .context_id = b->target.context_id};
    flow->start.isa = (uint8_t)isa;
}

static bool is_normal(unsigned reason)
{
    return reason == ETM_ETMV1_NORMAL || reason == ETM_ETMV1_PERIODIC;
}

/* Nothing here can be used. */
static enum etm_etmv1_read skip(struct etm_etmv1_flow *flow,
                                const struct etm_etmv1_record *r)
{
    bool used =
        r->status == ETM_ETMV1_WT && etm_etmv1_fifo_is_used(flow, flow->next);

    if (r->status != ETM_ETMV1_TD && (r->flags & ETM_RECORD_BYTES) != 0 &&
        !used)
        etm_walk_lose(&flow->walk, ETM_LOST_UNSYNCHRONIZED, r->offset,
                      r->cycles * flow->size);
    etm_etmv1_flow_pass(flow);
    return ETM_READ_OK;
}

enum etm_etmv1_read etm_etmv1_flow_search(struct etm_etmv1_flow *flow,
                                          const struct etm_etmv1_record *r)
{
    struct branch b = {.next = 0};
    uint64_t offset = r->offset;
    enum etm_etmv1_read read;
    bool later = false;

    if (!is_branch(r))
        return skip(flow, r);
    read = read_offset(flow, flow->next, &b);
    if (read == ETM_READ_OK && (b.abandoned || b.apo == ETM_ETMV1_NO_OFFSET))
        read = ETM_READ_BROKEN;
    if (read == ETM_READ_OK)
        read = etm_etmv1_fifo_find(flow, flow->next, b.apo, &b.sync);
    if (read == ETM_READ_OK)
        read = etm_etmv1_flow_note_up_to(flow, b.sync);
    if (read == ETM_READ_OK) {
        b.end = (struct etm_etmv1_place){.record = b.sync};
        read = etm_etmv1_fifo_target(flow, &b.end, &b.target);
    }
    if (read == ETM_READ_OK)
        read = is_of_later(flow, b.next, b.sync, &later);
    if (read == ETM_READ_OK && !later &&
        !etm_etmv1_address_is_none(flow, &b.target.address))
        read = go_back(flow, &b);
    if (read == ETM_READ_MORE)
        return read;
    if (read == ETM_READ_BROKEN || later ||
        (b.target.address.n < ETM_ETMV1_ADDRESS_MAX && !flow->base_valid) ||
        etm_etmv1_address_is_none(flow, &b.target.address)) {
        read = etm_etmv1_flow_note_up_to(flow, flow->next + 1);
        return read == ETM_READ_MORE ? read : skip(flow, r);
    }
    flow->synced = true;
    consume(flow, &b);
    etm_etmv1_flow_pass(flow);
    restart(flow, &b, is_normal(b.target.address.reason), offset);
    pass_to(flow, b.next);
    return ETM_READ_OK;
}

/* Its address is in the trace anyway, after the data of a BD, and a context ID
 * with it (5.6.1). */
static enum etm_etmv1_read abandon(struct etm_etmv1_flow *flow,
                                   const struct etm_etmv1_record *r,
                                   struct branch *b)
{
    enum etm_etmv1_read read;

    if (flow->aligned) {
        read = find_in_order(flow, &flow->bytes, &b->sync);
        b->end = (struct etm_etmv1_place){.record = b->sync};
        if (read == ETM_READ_OK)
            read = etm_etmv1_fifo_target(flow, &b->end, &b->target);
        if (read == ETM_READ_OK)
            read = go_back(flow, b);
        if (read == ETM_READ_MORE)
            return read;
        if (read == ETM_READ_OK) {
            consume(flow, b);
            if (is_normal(b->target.address.reason)) {
                etm_etmv1_flow_begin(flow);
                etm_etmv1_address_context(flow, &b->target, r->offset);
            }
            if (r->status == ETM_ETMV1_BD)
                flow->data_valid = false;
        } else {
            etm_etmv1_flow_misalign(flow, false);
        }
    } else {
        if (etm_etmv1_flow_note_up_to(flow, b->next) == ETM_READ_MORE)
            return ETM_READ_MORE;
        etm_walk_forget_context_id(&flow->walk, r->offset);
        etm_etmv1_address_contexts(flow, flow->next, b->next);
    }
    pass_to(flow, b->next);
    return ETM_READ_OK;
}

/* Find its address: by the offset or, if that was too large, by the order of
 * packets. */
static enum etm_etmv1_read locate(struct etm_etmv1_flow *flow,
                                  const struct etm_etmv1_place *behind,
                                  struct branch *b)
{
    enum etm_etmv1_read read;

    if (b->apo == ETM_ETMV1_NO_OFFSET) {
        if (!flow->aligned)
            return ETM_READ_BROKEN;
        return find_in_order(flow, behind, &b->sync);
    }
    read = etm_etmv1_fifo_find(flow, flow->next, b->apo, &b->sync);
    if (read != ETM_READ_OK)
        return read;
    if (flow->aligned && !b->unmeasured &&
        !etm_etmv1_fifo_adjoins(flow, behind, b->sync))
        b->misplaced = true;
    return ETM_READ_OK;
}

/* Read the data of a BD, which come before its address (5.7.3). */
static enum etm_etmv1_read read_data(struct etm_etmv1_flow *flow,
                                     uint64_t offset,
                                     struct etm_etmv1_place *at,
                                     struct branch *b)
{
    struct etm_transfers t;
    enum etm_etmv1_read read;
    bool address;
    unsigned n;

    etm_etmv1_flow_begin(flow);
    b->block = etm_etmv1_flow_next(flow, offset);
    if (!flow->aligned || !flow->walk.blocks.rules.transfers)
        return ETM_READ_OK;
    b->unmeasured = b->unplaced = b->block == NULL;
    if (b->unmeasured)
        return ETM_READ_OK;
    t = etm_etmv1_data_of(flow, b->block, flow->index);
    b->unmeasured = b->unplaced = !etm_etmv1_data_shape(flow, &t, &address, &n);
    if (b->unmeasured)
        return ETM_READ_OK;
    read = etm_etmv1_fifo_data(flow, at, address, n, &b->data);
    b->unplaced = address && !b->data.has_address;
    /* what an overflow or damage left of the data ends at the address */
    b->misplaced = read == ETM_READ_BROKEN;
    return read == ETM_READ_BROKEN ? ETM_READ_OK : read;
}

/* Find out all that the trace says about the branch at the cursor. */
static enum etm_etmv1_read gather(struct etm_etmv1_flow *flow,
                                  const struct etm_etmv1_record *r,
                                  struct branch *b, bool *later)
{
    struct etm_etmv1_place at = etm_etmv1_fifo_block(flow);
    enum etm_etmv1_read read = ETM_READ_OK;

    if (r->status == ETM_ETMV1_BD)
        read = read_data(flow, r->offset, &at, b);
    if (read == ETM_READ_OK)
        read = locate(flow, &at, b);
    if (read != ETM_READ_OK)
        return read;
    if (!flow->aligned || b->misplaced || b->unmeasured)
        read = etm_etmv1_flow_note_up_to(flow, b->sync);
    if (read != ETM_READ_OK)
        return read;
    b->end = (struct etm_etmv1_place){.record = b->sync};
    read = etm_etmv1_fifo_target(flow, &b->end, &b->target);
    if (read == ETM_READ_OK)
        read = is_of_later(flow, b->next, b->sync, later);
    if (read == ETM_READ_OK && !*later)
        read = go_back(flow, b);
    return read;
}

struct vector {
    uint8_t type;   /* enum etm_exception_type */
    bool cancels;   /* the instruction that carries the branch (4.5.3) */
    uint8_t behind; /* it returns after that instruction */
    bool returns;
};

static const struct vector vectors[8] = {
    {ETM_EXCEPTION_RESET, true, 0, false},
    {ETM_EXCEPTION_UNDEFINED, false, 0, true},
    {ETM_EXCEPTION_SVC, false, 1, true},
    {ETM_EXCEPTION_PREFETCH_ABORT, true, 0, true},
    {ETM_EXCEPTION_DATA_ABORT, false, 0, true},
    {ETM_EXCEPTION_RESERVED, false, 0, false},
    {ETM_EXCEPTION_IRQ, true, 0, true},
    {ETM_EXCEPTION_FIQ, true, 0, true},
};

/* An instruction became a branch to a vector, and its data are void (4.5.3). */
static void exception(struct etm_etmv1_flow *flow, unsigned offset_of_vector,
                      uint64_t offset)
{
    const struct vector *v = &vectors[offset_of_vector / 4];
    struct etm_walk *f = &flow->walk;
    uint32_t address = 0, returns = 0;
    struct etm_block *block = NULL;
    struct etm_element *e;
    bool known;

    if (v->cancels)
        etm_etmv1_flow_here(flow);
    else
        block = etm_etmv1_flow_next(flow, offset);
    known = f->known;
    if (!known && flow->told == offset + 1) {
        /* no code is known there, but the address is known: for a BD, code was
         * looked up before its data */
        address = returns = f->address;
        known = v->behind == 0;
    } else if (known) {
        address = etm_etmv1_flow_address(flow);
        /* between the halves of a Thumb BL (4.5.4) */
        returns = address + (flow->half ? 2 : 0);
    }
    if (block != NULL) {
        etm_etmv1_walk(flow, block, true, offset);
        if (v->behind != 0)
            returns = etm_block_address(block, flow->index);
    } else if (!v->cancels) {
        etm_walk_blind(f);
    }
    etm_walk_close(f);
    etm_walk_resume(f, offset);
    e = etm_walk_add(f, ETM_ELEMENT_EXCEPTION, offset);
    e->u.exception.number = (uint16_t)(offset_of_vector / 4);
    e->u.exception.type = v->type;
    e->u.exception.cancels_known = v->cancels && known;
    e->u.exception.cancels = e->u.exception.cancels_known ? address : 0;
    e->u.exception.return_known = v->returns && known;
    e->u.exception.return_address = e->u.exception.return_known ? returns : 0;
    if (v->type == ETM_EXCEPTION_RESET)
        etm_walk_forget_context_id(f, offset);
}

/* An instruction went where the address says. */
static void branch_executed(struct etm_etmv1_flow *flow, const struct branch *b,
                            uint32_t address, enum etm_isa isa, uint64_t offset)
{
    struct etm_walk *f = &flow->walk;
    struct etm_block *block = b->block;

    if (block == NULL)
        block = etm_etmv1_flow_next(flow, offset);
    if (block == NULL) {
        etm_walk_blind(f);
    } else if (!etm_etmv1_walk_can_branch(flow, block, address, isa)) {
        etm_etmv1_flow_mismatch(flow, offset, flow->size);
    } else {
        unsigned i = flow->index;

        etm_etmv1_walk(flow, block, true, offset);
        etm_walk_close(f);
        if (b->data.has_address || b->data.n != 0) {
            struct etm_transfers t = etm_etmv1_data_of(flow, block, i);

            etm_etmv1_data_give(flow, etm_block_address(block, i), &t, &b->data,
                                offset);
        }
    }
    etm_walk_resume(f, offset);
}

/* A normal branch, or one that has its full address for synchronization. */
static void normal(struct etm_etmv1_flow *flow, const struct branch *b,
                   uint64_t offset)
{
    enum etm_isa isa;
    uint32_t address = etm_etmv1_address_place(flow, &isa);
    unsigned vector = etm_etmv1_walk_vector(flow, address, isa);

    etm_etmv1_flow_begin(flow);
    etm_etmv1_data_note(flow, &b->data);
    /* if no overflow follows, data or more before it was lost by damage */
    if (b->misplaced || flow->cut) {
        etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, offset, flow->size);
        etm_walk_forget_context_id(&flow->walk, offset);
        flow->data_valid = false;
    }
    if (b->unplaced)
        flow->data_valid = false;
    if (vector != ETM_ETMV1_NO_VECTOR)
        exception(flow, vector, offset);
    else
        branch_executed(flow, b, address, isa, offset);
    flow->cut = false;
    etm_etmv1_address_context(flow, &b->target, offset);
    etm_etmv1_flow_go(flow, address, isa, offset);
}

/* The address of a branch ends where another one begins: the rest was lost in
 * an overflow (5.9). */
static bool is_cut(const struct etm_etmv1_flow *flow, const struct branch *b)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, b->end.record);

    return b->end.record > b->sync && r != NULL &&
           (r->flags & ETM_RECORD_SYNC) != 0;
}

/* A branch without an address: its target is not known. */
static void lose_target(struct etm_etmv1_flow *flow, uint64_t offset,
                        bool overflow)
{
    etm_etmv1_flow_begin(flow);
    etm_walk_close(&flow->walk);
    etm_walk_blind(&flow->walk);
    if (!overflow)
        etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, offset, flow->size);
    /* the context ID may have changed with it (5.6.3) */
    etm_walk_forget_context_id(&flow->walk, offset);
    etm_etmv1_flow_nowhere(flow);
    etm_etmv1_flow_misalign(flow, false);
    flow->base_valid = false;
}

/* A branch without an offset, or whose address is cut off: what follows may
 * have another full address. */
static enum etm_etmv1_read lose_branch(struct etm_etmv1_flow *flow,
                                       const struct etm_etmv1_record *r)
{
    enum etm_lost_reason reason = ETM_LOST_BAD_PACKET;

    if (flow->ending)
        reason = (enum etm_lost_reason)flow->end_reason;
    etm_etmv1_flow_desync(flow, reason, r->offset, r->cycles * flow->size);
    etm_etmv1_flow_pass(flow);
    return ETM_READ_OK;
}

enum etm_etmv1_read etm_etmv1_flow_branch(struct etm_etmv1_flow *flow,
                                          struct etm_etmv1_record *r)
{
    struct branch b = {.next = 0};
    uint64_t offset = r->offset;
    enum etm_etmv1_read read = read_offset(flow, flow->next, &b);
    bool later = false;
    unsigned reason;

    if (read == ETM_READ_OK && b.abandoned)
        return abandon(flow, r, &b);
    if (read == ETM_READ_OK)
        read = gather(flow, r, &b, &later);
    else if (read == ETM_READ_BROKEN)
        return lose_branch(flow, r);
    if (read == ETM_READ_MORE)
        return read;
    if (read == ETM_READ_BROKEN && flow->ending)
        return lose_branch(flow, r);
    etm_etmv1_flow_pass(flow);
    reason = b.target.address.reason;
    if (read == ETM_READ_BROKEN || later) {
        bool cut = read == ETM_READ_BROKEN && !b.passed && is_cut(flow, &b);

        lose_target(flow, offset, cut || (later && !is_normal(reason)));
        flow->cut = cut;
    } else if (etm_etmv1_address_is_reserved(flow, reason)) {
        etm_etmv1_flow_desync(flow, ETM_LOST_BAD_PACKET, offset, flow->size);
    } else {
        consume(flow, &b);
        if (!is_normal(reason))
            restart(flow, &b, false, offset);
        else if (flow->base_valid)
            normal(flow, &b, offset);
        else
            lose_target(flow, offset, false);
    }
    pass_to(flow, b.next);
    return ETM_READ_OK;
}
