/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches of ETMv1: BE and BD statuses, the two cycles after them, which
 * locate their address, and the meaning of the address (ETM architecture 5.5,
 * 5.6, 4.5.3).
 */
#include "flow/etmv1/walk.h"

#include "base/exception.h"

/* What was found out about a BE or BD status. */
struct branch {
    struct etm_etmv1_offset offset;
    uint64_t sync; /* the record where its address begins */
    struct etm_etmv1_target target;
    struct etm_etmv1_place end;
    struct etm_block *block; /* of a BD */
    struct etm_etmv1_data data;
    bool misplaced;  /* the address is not where the packets before end */
    bool unmeasured; /* the number of these packets is not known */
    bool unplaced;   /* nor is the address of the transfer */
    bool passed;     /* the address is relative to one that is not known */
    bool later;      /* the address is that of a later branch */
};

/* Addresses, whichever branch they belong to: each is the base of the next one,
 * and may have a context ID after it (5.5.4, 5.6.3). */

static void take_base(struct etm_etmv1_flow *flow,
                      const struct etm_etmv1_address *a)
{
    flow->base = etm_etmv1_merge(flow->base, a);
    if (a->n < ETM_ETMV1_ADDRESS_MAX)
        return;
    flow->base_valid = true;
    flow->base_jazelle = a->jazelle && flow->config.minor >= 3;
}

static void take_context(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_target *target, uint64_t offset)
{
    if (target->has_context)
        etm_walk_context_id(&flow->walk, target->context_id, offset);
}

/* The address at a record, if any, may belong to no branch; it is still the
 * base of the next one. */
static enum etm_etmv1_read note(struct etm_etmv1_flow *flow, uint64_t number)
{
    struct etm_etmv1_record *r = etm_etmv1_fifo_at(&flow->fifo, number);
    struct etm_etmv1_place at = {.record = number};
    struct etm_etmv1_target target;
    enum etm_etmv1_read read;

    if (!etm_etmv1_begins_address(r) || (r->flags & ETM_RECORD_NOTED) != 0)
        return ETM_READ_OK;
    read = etm_etmv1_read_target(&flow->fifo, &at, &target);
    if (read == ETM_READ_MORE)
        return read;
    r->flags |= ETM_RECORD_NOTED;
    if (read == ETM_READ_OK &&
        !etm_etmv1_is_no_address(&flow->fifo, &target.address))
        take_base(flow, &target.address);
    else
        flow->base_valid = false;
    return ETM_READ_OK;
}

static enum etm_etmv1_read note_up_to(struct etm_etmv1_flow *flow,
                                      uint64_t number)
{
    enum etm_etmv1_read read = ETM_READ_OK;

    for (uint64_t q = flow->fifo.next; q < number && read == ETM_READ_OK; q++)
        read = note(flow, q);
    return read;
}

/* Use the context IDs of the addresses that were read from the next record up
 * to record `to`. */
static void take_contexts(struct etm_etmv1_flow *flow, uint64_t to)
{
    for (uint64_t q = flow->fifo.next; q < to && flow->synced; q++) {
        const struct etm_etmv1_record *r = etm_etmv1_fifo_at(&flow->fifo, q);
        struct etm_etmv1_place at = {.record = q};
        struct etm_etmv1_target target;

        if ((r->flags & ETM_RECORD_NOTED) != 0 &&
            etm_etmv1_read_target(&flow->fifo, &at, &target) == ETM_READ_OK &&
            !etm_etmv1_is_no_address(&flow->fifo, &target.address))
            take_context(flow, &target, r->offset);
    }
}

enum etm_etmv1_read etm_etmv1_note(struct etm_etmv1_flow *flow)
{
    uint64_t next = flow->fifo.next;
    bool noted =
        (etm_etmv1_fifo_at(&flow->fifo, next)->flags & ETM_RECORD_NOTED) != 0;
    enum etm_etmv1_read read = note(flow, next);

    if (read == ETM_READ_OK && !noted)
        take_contexts(flow, next + 1);
    return read;
}

/* Damage can make an offset too large. Addresses are read in order except for
 * that, and none that is further ahead than a block can be (E-346). */
static bool is_passed(const struct etm_etmv1_flow *flow, uint64_t number)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(&flow->fifo, number);

    if ((r->flags & ETM_RECORD_NOTED) == 0)
        return false;
    while (number++ < flow->fifo.next + ETM_ETMV1_WINDOW) {
        r = etm_etmv1_fifo_at(&flow->fifo, number);
        if (r == NULL)
            return false;
        if ((r->flags & ETM_RECORD_NOTED) != 0)
            return true;
    }
    return false;
}

/* A full address is read again, with the addresses after it; other addresses
 * are not relative to the last one that was read. */
static enum etm_etmv1_read go_back(struct etm_etmv1_flow *flow,
                                   struct branch *b)
{
    if (!is_passed(flow, b->sync))
        return ETM_READ_OK;
    b->passed = b->target.address.n < ETM_ETMV1_ADDRESS_MAX;
    if (b->passed)
        return ETM_READ_BROKEN;
    for (uint64_t q = b->sync; q < flow->fifo.next + ETM_ETMV1_WINDOW; q++) {
        struct etm_etmv1_record *r = etm_etmv1_fifo_at(&flow->fifo, q);

        if (r == NULL)
            break;
        r->flags &= (uint8_t)~ETM_RECORD_NOTED;
    }
    return ETM_READ_OK;
}

/* Where the address of a branch is */

/* The first TRACESYNC after the packets before it. */
static enum etm_etmv1_read find_in_order(const struct etm_etmv1_flow *flow,
                                         const struct etm_etmv1_place *behind,
                                         uint64_t *found)
{
    uint64_t from = behind->record + behind->half;

    if (from < flow->fifo.next)
        from = flow->fifo.next;
    return etm_etmv1_find_sync(&flow->fifo, from, 0, found);
}

/*
 * Is the address that of a later branch? If an overflow loses the packets of a
 * branch, its offset counts to the address of the restart (5.9).
 */
static enum etm_etmv1_read check_later(const struct etm_etmv1_flow *flow,
                                       struct branch *b)
{
    const struct etm_etmv1_fifo *fifo = &flow->fifo;
    struct etm_etmv1_offset o;
    uint64_t found;

    for (uint64_t q = b->offset.next; q <= b->sync && !b->later; q++) {
        enum etm_etmv1_read read;

        if (!etm_etmv1_is_branch(etm_etmv1_fifo_at(fifo, q)))
            continue;
        read = etm_etmv1_read_offset(fifo, q, &o);
        if (read == ETM_READ_MORE)
            return read;
        b->later =
            read == ETM_READ_OK && !o.abandoned &&
            o.value != ETM_ETMV1_NO_OFFSET &&
            etm_etmv1_find_sync(fifo, q, o.value, &found) == ETM_READ_OK &&
            found == b->sync;
    }
    return ETM_READ_OK;
}

/* A restart or branch was read completely: where packets stand is known. */
static void consume(struct etm_etmv1_flow *flow, const struct branch *b)
{
    etm_etmv1_fifo_at(&flow->fifo, b->sync)->flags |= ETM_RECORD_NOTED;
    take_base(flow, &b->target.address);
    etm_etmv1_packets_end(flow, b->end);
    flow->aligned = true;
}

static void pass_to(struct etm_etmv1_flow *flow, uint64_t next)
{
    while (flow->fifo.next < next)
        etm_etmv1_pass(flow, etm_etmv1_fifo_at(&flow->fifo, flow->fifo.next));
}

/* Find its address: by the offset or, if that was too large, by the order of
 * packets. */
static enum etm_etmv1_read locate(struct etm_etmv1_flow *flow,
                                  const struct etm_etmv1_place *behind,
                                  struct branch *b)
{
    enum etm_etmv1_read read;

    if (b->offset.value == ETM_ETMV1_NO_OFFSET) {
        if (!flow->aligned)
            return ETM_READ_BROKEN;
        return find_in_order(flow, behind, &b->sync);
    }
    read = etm_etmv1_find_sync(&flow->fifo, flow->fifo.next, b->offset.value,
                               &b->sync);
    if (read == ETM_READ_OK && flow->aligned && !b->unmeasured &&
        !etm_etmv1_adjoins(&flow->fifo, behind, b->sync))
        b->misplaced = true;
    return read;
}

/* Read the data of a BD, which come before its address (5.7.3). */
static enum etm_etmv1_read read_data(struct etm_etmv1_flow *flow,
                                     uint64_t offset,
                                     struct etm_etmv1_place *at,
                                     struct branch *b)
{
    enum etm_etmv1_read read;

    etm_etmv1_begin(flow);
    b->block = etm_etmv1_next(flow, offset);
    if (!flow->aligned || !flow->walk.blocks.rules.transfers)
        return ETM_READ_OK;
    b->unmeasured = b->unplaced =
        b->block == NULL || !etm_etmv1_data_expect(flow, b->block, &b->data);
    if (b->unmeasured)
        return ETM_READ_OK;
    read = etm_etmv1_data_read(flow, at, &b->data);
    b->unplaced = b->data.wants_address && !b->data.has_address;
    /* what an overflow or damage left of the data ends at the address */
    b->misplaced = read == ETM_READ_BROKEN;
    return read == ETM_READ_BROKEN ? ETM_READ_OK : read;
}

/* Find out all that the trace says about the branch that is next. */
static enum etm_etmv1_read gather(struct etm_etmv1_flow *flow,
                                  const struct etm_etmv1_record *r,
                                  struct branch *b)
{
    struct etm_etmv1_place at = etm_etmv1_packets(flow);
    enum etm_etmv1_read read = ETM_READ_OK;

    if (r->status == ETM_ETMV1_BD && flow->synced)
        read = read_data(flow, r->offset, &at, b);
    if (read == ETM_READ_OK)
        read = locate(flow, &at, b);
    if (read == ETM_READ_OK &&
        (!flow->aligned || b->misplaced || b->unmeasured))
        read = note_up_to(flow, b->sync);
    if (read != ETM_READ_OK)
        return read;
    b->end = (struct etm_etmv1_place){.record = b->sync};
    read = etm_etmv1_read_target(&flow->fifo, &b->end, &b->target);
    if (read == ETM_READ_OK)
        read = check_later(flow, b);
    if (read == ETM_READ_OK && !b->later &&
        (flow->synced ||
         !etm_etmv1_is_no_address(&flow->fifo, &b->target.address)))
        read = go_back(flow, b);
    return read;
}

/* What branches mean */

/* A discontinuity: what is here did not execute (5.5.5). */
static void restart(struct etm_etmv1_flow *flow, const struct branch *b,
                    bool periodic, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    unsigned reason = b->target.address.reason;
    enum etm_isa isa;

    /* after an overflow a restart is speculative, and another one may take
     * its place (5.9) */
    if (reason != ETM_ETMV1_OVERFLOW || flow->start.reason != reason)
        etm_etmv1_begin(flow);
    etm_walk_close(w);
    etm_position_nowhere(&flow->walk);
    flow->data_valid = false;
    flow->cut = false;
    w->cycles = 0;
    flow->start = (struct etm_etmv1_start){
        .pending = true,
        .periodic = periodic,
        .reason = (uint8_t)(periodic ? ETM_SYNC_PERIODIC : reason),
        .address = etm_etmv1_destination(flow->base, flow->base_jazelle, &isa),
        .offset = offset,
        .has_context = b->target.has_context,
        .context_id = b->target.context_id};
    flow->start.isa = (uint8_t)isa;
}

/* Nothing here can be used. */
static enum etm_etmv1_read skip(struct etm_etmv1_flow *flow,
                                struct etm_etmv1_record *r)
{
    bool used = r->status == ETM_ETMV1_WT && etm_etmv1_is_used(flow);

    if (r->status != ETM_ETMV1_TD && (r->flags & ETM_RECORD_BYTES) != 0 &&
        !used)
        etm_walk_lose(&flow->walk, ETM_LOST_UNSYNCHRONIZED, r->offset,
                      r->cycles * flow->size);
    etm_etmv1_pass(flow, r);
    return ETM_READ_OK;
}

enum etm_etmv1_read etm_etmv1_search(struct etm_etmv1_flow *flow,
                                     struct etm_etmv1_record *r)
{
    const struct etm_etmv1_address *a;
    struct branch b = {.later = false};
    uint64_t offset = r->offset;
    enum etm_etmv1_read read;

    if (!etm_etmv1_is_branch(r))
        return skip(flow, r);
    a = &b.target.address;
    read = etm_etmv1_read_offset(&flow->fifo, flow->fifo.next, &b.offset);
    if (read == ETM_READ_OK && b.offset.abandoned)
        read = ETM_READ_BROKEN;
    if (read == ETM_READ_OK)
        read = gather(flow, r, &b);
    if (read == ETM_READ_MORE)
        return read;
    if (read == ETM_READ_BROKEN || b.later ||
        (a->n < ETM_ETMV1_ADDRESS_MAX && !flow->base_valid) ||
        etm_etmv1_is_no_address(&flow->fifo, a)) {
        read = note_up_to(flow, flow->fifo.next + 1);
        return read == ETM_READ_MORE ? read : skip(flow, r);
    }
    flow->synced = true;
    consume(flow, &b);
    etm_etmv1_pass(flow, r);
    restart(flow, &b, etm_etmv1_is_normal(a->reason), offset);
    pass_to(flow, b.offset.next);
    return ETM_READ_OK;
}

/* Its address is in the trace anyway, after the data of a BD, and a context ID
 * with it (5.6.1). */
static enum etm_etmv1_read abandon(struct etm_etmv1_flow *flow,
                                   const struct etm_etmv1_record *r,
                                   struct branch *b)
{
    enum etm_etmv1_read read;

    if (!flow->aligned) {
        if (note_up_to(flow, b->offset.next) == ETM_READ_MORE)
            return ETM_READ_MORE;
        etm_walk_forget_context_id(&flow->walk, r->offset);
        take_contexts(flow, b->offset.next);
        pass_to(flow, b->offset.next);
        return ETM_READ_OK;
    }
    read = find_in_order(flow, &flow->packets, &b->sync);
    b->end = (struct etm_etmv1_place){.record = b->sync};
    if (read == ETM_READ_OK)
        read = etm_etmv1_read_target(&flow->fifo, &b->end, &b->target);
    if (read == ETM_READ_OK)
        read = go_back(flow, b);
    if (read == ETM_READ_MORE)
        return read;
    if (read == ETM_READ_BROKEN) {
        etm_etmv1_misalign(flow, false);
    } else {
        consume(flow, b);
        if (etm_etmv1_is_normal(b->target.address.reason)) {
            etm_etmv1_begin(flow);
            take_context(flow, &b->target, r->offset);
        }
        if (r->status == ETM_ETMV1_BD)
            flow->data_valid = false;
    }
    pass_to(flow, b->offset.next);
    return ETM_READ_OK;
}

/* An instruction became a branch to a vector, and its data are void (4.5.3). */
static void exception(struct etm_etmv1_flow *flow, enum etm_exception_type type,
                      uint64_t offset)
{
    bool is_svc = type == ETM_EXCEPTION_SVC; /* it returns behind it */
    bool cancels = etm_exception_cancels(type);
    struct etm_walk *w = &flow->walk;
    uint32_t address = 0, returns = 0;
    struct etm_block *block = NULL;
    struct etm_element *e;
    bool known;

    if (cancels)
        etm_etmv1_here(flow);
    else
        block = etm_etmv1_next(flow, offset);
    known = w->known;
    if (!known && flow->no_image_for == offset + 1) {
        /* no code is known there, but the address is known: for a BD, code was
         * looked up before its data */
        address = returns = w->address;
        known = !is_svc;
    } else if (known) {
        address = etm_position_address(w);
        /* between the halves of a Thumb BL (4.5.4) */
        returns = address + (w->half ? 2 : 0);
    }
    if (block != NULL) {
        etm_etmv1_execute(w, block, true, offset);
        if (is_svc)
            returns = etm_block_address(block, w->index);
    } else if (!cancels) {
        etm_walk_blind(w);
    }
    etm_walk_close(w);
    etm_walk_resume(w, offset);
    e = etm_walk_add(w, ETM_ELEMENT_EXCEPTION, offset);
    e->u.exception.number = (uint16_t)(etm_exception_vector(type) / 4);
    e->u.exception.type = (uint8_t)type;
    e->u.exception.cancels_known = cancels && known;
    e->u.exception.cancels = e->u.exception.cancels_known ? address : 0;
    e->u.exception.return_known = type != ETM_EXCEPTION_RESET && known;
    e->u.exception.return_address = e->u.exception.return_known ? returns : 0;
    if (type == ETM_EXCEPTION_RESET)
        etm_walk_forget_context_id(w, offset);
}

/* A branch can end where the address says. */
static bool can_branch(const struct etm_walk *w, const struct etm_block *block,
                       uint32_t address, enum etm_isa isa)
{
    bool wide = block->isa != ETM_ISA_ARM && (block->wide >> w->index & 1) != 0;

    if (w->index + 1u != block->n || (wide && !w->half))
        return false;
    if (block->end_kind == ETM_BLOCK_DIRECT)
        return block->target == address && block->target_isa == isa;
    return block->end_kind == ETM_BLOCK_INDIRECT;
}

/* An instruction went where the address says. */
static void branch_executed(struct etm_etmv1_flow *flow, const struct branch *b,
                            uint32_t address, enum etm_isa isa, uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    struct etm_block *block = b->block;

    if (block == NULL)
        block = etm_etmv1_next(flow, offset);
    if (block == NULL) {
        etm_walk_blind(w);
    } else if (!can_branch(w, block, address, isa)) {
        etm_etmv1_mismatch(flow, offset);
    } else {
        etm_etmv1_execute(w, block, true, offset);
        etm_walk_close(w);
        if (b->data.has_address || b->data.n != 0)
            etm_etmv1_data_give(flow, &b->data, offset);
    }
    etm_walk_resume(w, offset);
}

/* A normal branch, or one that has its full address for synchronization. */
static void normal(struct etm_etmv1_flow *flow, const struct branch *b,
                   uint64_t offset)
{
    enum etm_isa isa;
    uint32_t address =
        etm_etmv1_destination(flow->base, flow->base_jazelle, &isa);
    enum etm_exception_type type;

    etm_etmv1_begin(flow);
    etm_etmv1_data_note(flow, &b->data);
    /* if no overflow follows, data or more before it was lost by damage */
    if (b->misplaced || flow->cut) {
        etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, offset, flow->size);
        etm_walk_forget_context_id(&flow->walk, offset);
        flow->data_valid = false;
    }
    if (b->unplaced)
        flow->data_valid = false;
    (void)etm_etmv1_vector_at(&flow->config, address, isa, &type);
    if (type != ETM_EXCEPTION_RESERVED)
        exception(flow, type, offset);
    else
        branch_executed(flow, b, address, isa, offset);
    flow->cut = false;
    take_context(flow, &b->target, offset);
    etm_position_go(&flow->walk, address, isa, offset);
}

/* The address of a branch ends where another one begins: the rest was lost in
 * an overflow (5.9). */
static bool is_cut(const struct etm_etmv1_flow *flow, const struct branch *b)
{
    const struct etm_etmv1_record *r =
        etm_etmv1_fifo_at(&flow->fifo, b->end.record);

    return b->end.record > b->sync && r != NULL &&
           (r->flags & ETM_RECORD_SYNC) != 0;
}

/* A branch without an address: its target is not known. */
static void lose_target(struct etm_etmv1_flow *flow, uint64_t offset,
                        bool overflow)
{
    etm_etmv1_begin(flow);
    etm_walk_close(&flow->walk);
    etm_walk_blind(&flow->walk);
    if (!overflow)
        etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, offset, flow->size);
    /* the context ID may have changed with it (5.6.3) */
    etm_walk_forget_context_id(&flow->walk, offset);
    etm_position_nowhere(&flow->walk);
    etm_etmv1_misalign(flow, false);
    flow->base_valid = false;
}

/* A branch without an offset, or whose address is cut off: what follows may
 * have another full address. */
static enum etm_etmv1_read lose_branch(struct etm_etmv1_flow *flow,
                                       struct etm_etmv1_record *r)
{
    enum etm_lost_reason reason = ETM_LOST_BAD_PACKET;

    if (flow->fifo.ending)
        reason = (enum etm_lost_reason)flow->end_reason;
    etm_etmv1_desync(flow, reason, r->offset, r->cycles * flow->size);
    etm_etmv1_pass(flow, r);
    return ETM_READ_OK;
}

enum etm_etmv1_read etm_etmv1_branch(struct etm_etmv1_flow *flow,
                                     struct etm_etmv1_record *r)
{
    struct branch b = {.later = false};
    uint64_t offset = r->offset;
    enum etm_etmv1_read read =
        etm_etmv1_read_offset(&flow->fifo, flow->fifo.next, &b.offset);
    unsigned reason;

    if (read == ETM_READ_OK && b.offset.abandoned)
        return abandon(flow, r, &b);
    if (read == ETM_READ_OK)
        read = gather(flow, r, &b);
    else if (read == ETM_READ_BROKEN)
        return lose_branch(flow, r);
    if (read == ETM_READ_MORE)
        return read;
    if (read == ETM_READ_BROKEN && flow->fifo.ending)
        return lose_branch(flow, r);
    etm_etmv1_pass(flow, r);
    reason = b.target.address.reason;
    if (read == ETM_READ_BROKEN || b.later) {
        bool cut = read == ETM_READ_BROKEN && !b.passed && is_cut(flow, &b);

        lose_target(flow, offset,
                    cut || (b.later && !etm_etmv1_is_normal(reason)));
        flow->cut = cut;
    } else if (etm_etmv1_is_reserved(&flow->fifo, reason)) {
        etm_etmv1_desync(flow, ETM_LOST_BAD_PACKET, offset, flow->size);
    } else {
        consume(flow, &b);
        if (!etm_etmv1_is_normal(reason))
            restart(flow, &b, false, offset);
        else if (flow->base_valid)
            normal(flow, &b, offset);
        else
            lose_target(flow, offset, false);
    }
    pass_to(flow, b.offset.next);
    return ETM_READ_OK;
}
