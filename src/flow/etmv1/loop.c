/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path from records of ETMv1 to elements. While both cursors, that of
 * statuses and that of packets, are known, and only instructions, branches and
 * their data come, they run over the bytes themselves, without packets and
 * without the queue. Anything else stops them. Then records go into the queue,
 * still without packets, and the functions of flow.c, which know all the
 * rules, take the next one. As long as one of the cursors is not at a record of
 * the available bytes, the same loop runs over the queue.
 */
#include "flow/etmv1/loop.h"

#include "flow/etmv1/walk.h"
#include "flow/etmv1/way.h"

/* Number of elements that are worth a call, and number after which it ends even
 * if one cursor is ahead of the other. */
#define ENOUGH 256u
#define MOST 4096u

/* Records that go into the queue at a time. */
#define PIECE 32u

/* Records of a branch: its own, and two with its offset (5.6.1). */
#define BRANCH 3u

static inline struct etm_block *next(struct etm_etmv1_flow *flow,
                                     uint64_t offset)
{
    return etm_etmv1_walk_is_plain(flow) ? flow->walk.block
                                         : etm_etmv1_flow_next(flow, offset);
}

/* IE or IN, in one byte or in the queue. */
static inline bool is_plain(const struct etm_etmv1_way *w, size_t record)
{
    return (etm_etmv1_way_status(w, record) & ~2u) == ETM_ETMV1_IE;
}

/*
 * IE and IN within the block, up to the instruction before its last one; only
 * the last instruction of a run matters for how it ends. Returns their number.
 */
static inline unsigned run_inside(struct etm_etmv1_flow *flow,
                                  struct etm_etmv1_way *w,
                                  struct etm_block *block, uint64_t offset)
{
    struct etm_walk *f = &flow->walk;
    size_t at = w->at, room = block->n - 1u - flow->index, n = 0;
    unsigned last;

    if (room > w->n - at)
        room = w->n - at;
    while (n < room && is_plain(w, at + n))
        n++;
    if (n == 0)
        return 0;
    last = etm_etmv1_way_status(w, at + n - 1);
    if (w->queue == NULL && flow->config.cycle_accurate)
        f->cycles += w->waits + n;
    for (size_t i = 0; w->queue != NULL && i < n; i++)
        if (flow->config.cycle_accurate)
            f->cycles += w->queue[at + i].cycles;
    etm_walk_run(f, block, flow->index, flow->index + (unsigned)n, ETM_TRUE,
                 last == ETM_ETMV1_IN ? ETM_FALSE : ETM_TRUE, f->cycles,
                 offset);
    f->cycles = 0;
    flow->index += (unsigned)n;
    w->at += n;
    w->waits = 0;
    w->behind_td = false;
    return (unsigned)n;
}

/* IE or IN; as plain() of flow.c. */
static inline void plain(struct etm_etmv1_flow *flow, struct etm_etmv1_way *w)
{
    bool passed = etm_etmv1_way_status(w, w->at) == ETM_ETMV1_IE;
    uint64_t offset = etm_etmv1_way_offset(w, w->at);
    struct etm_block *block = next(flow, offset);

    /* an element for each instruction, or halves of them: one by one */
    if (block != NULL && block->wide == 0 && flow->index + 1u < block->n &&
        flow->walk.level != ETM_LEVEL_INSTRUCTIONS &&
        run_inside(flow, w, block, offset) != 0)
        return;
    etm_etmv1_way_pass(flow, w);
    etm_etmv1_walk_plain(flow, block, passed, offset);
}

/* ID; false: it needs the general path. */
static bool data_insn(struct etm_etmv1_flow *flow, struct etm_etmv1_way *w)
{
    uint64_t offset = etm_etmv1_way_offset(w, w->at);
    struct etm_block *block = next(flow, offset);
    struct etm_etmv1_spot at = etm_etmv1_way_block(w);
    struct etm_etmv1_data data;
    struct etm_transfers t;
    uint32_t from;
    bool has_address;
    unsigned n;

    if (block == NULL || !etm_etmv1_walk_can_be_data(flow, block))
        return false;
    t = etm_etmv1_data_of(flow, block, flow->index);
    if (!etm_etmv1_data_shape(flow, &t, &has_address, &n) ||
        !etm_etmv1_way_values(w, &at, has_address, n, &data) ||
        etm_etmv1_way_is_far(w, at))
        return false;
    from = etm_block_address(block, flow->index);
    etm_etmv1_way_pass(flow, w);
    etm_etmv1_walk(flow, block, true, offset);
    etm_walk_close(&flow->walk);
    etm_etmv1_data_note(flow, &data);
    etm_etmv1_data_give(flow, from, &t, &data, offset);
    etm_etmv1_way_end(w, at);
    etm_etmv1_walk_leave(flow, block, true, offset);
    return true;
}

/* What was found out about a branch status. */
struct branch {
    struct etm_block *block;
    struct etm_etmv1_spot end;
    struct etm_etmv1_address address;
    struct etm_transfers transfers;
    struct etm_etmv1_data data; /* of a BD */
    uint32_t base, target;
    enum etm_isa isa;
};

/* The address packet offset of a branch (5.6.1); false where that is broken. */
static inline bool read_offset(const struct etm_etmv1_way *w, unsigned *offset)
{
    unsigned one, two;

    if (w->n - w->at < BRANCH)
        return false;
    one = etm_etmv1_way_status(w, w->at + 1);
    two = etm_etmv1_way_status(w, w->at + 2);
    if (w->queue != NULL &&
        ((w->queue[w->at + 1].flags | w->queue[w->at + 2].flags) &
         ETM_RECORD_BEHIND_TD) != 0)
        return false;
    *offset = one | two << 2;
    return one <= ETM_ETMV1_WT && two <= ETM_ETMV1_WT &&
           *offset != ETM_ETMV1_NO_OFFSET;
}

/* Whether the address that the offset selects begins after the packets before
 * it, and is not that of another branch (5.9). */
static inline bool locate(const struct etm_etmv1_way *w, unsigned offset,
                          struct etm_etmv1_spot behind, struct branch *b)
{
    size_t from = behind.record + behind.half, sync;

    if (!etm_etmv1_way_carrier(w, &from))
        return false;
    for (sync = w->at;; sync++) {
        if (!etm_etmv1_way_carrier(w, &sync) ||
            (sync >= w->at + BRANCH &&
             etm_etmv1_way_status(w, sync) >= ETM_ETMV1_BE))
            return false;
        if (etm_etmv1_way_sync(w, sync) && offset-- == 0)
            break;
    }
    b->end = (struct etm_etmv1_spot){.record = sync};
    return sync == from;
}

/* The address, and what it means; false: not that of a plain branch. */
static inline bool read_target(const struct etm_etmv1_flow *flow,
                               const struct etm_etmv1_way *w, struct branch *b)
{
    const struct etm_etmv1_address *a = &b->address;
    unsigned minor = flow->config.minor;

    if (!etm_etmv1_way_address(w, &b->end, true, &b->address))
        return false;
    if (a->n == ETM_ETMV1_ADDRESS_MAX) {
        bool whole = a->reason == ETM_ETMV1_NORMAL ||
                     (a->reason == ETM_ETMV1_PERIODIC && minor >= 2 &&
                      flow->config.context_id_bytes == 0);
        if (!whole || (a->jazelle && minor >= 3))
            return false;
    } else if (!flow->base_valid || flow->base_jazelle) {
        return false;
    }
    b->base = etm_etmv1_merge(flow->base, a);
    b->isa = (b->base & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    b->target = b->base & (b->isa == ETM_ISA_THUMB ? ~1u : ~3u);
    return etm_etmv1_walk_vector(flow, b->target, b->isa) ==
           ETM_ETMV1_NO_VECTOR;
}

/* The instruction, and its data if it has some. */
static inline void walk_branch(struct etm_etmv1_flow *flow,
                               const struct branch *b, bool has_data,
                               uint64_t offset)
{
    struct etm_walk *f = &flow->walk;
    unsigned index = flow->index;

    if (b->block == NULL) {
        etm_walk_blind(f);
        return;
    }
    etm_etmv1_walk(flow, b->block, true, offset);
    etm_walk_end(f, b->block);
    if (has_data)
        etm_etmv1_data_give(flow, etm_block_address(b->block, index),
                            &b->transfers, &b->data, offset);
}

/* The packets of a BD that stand before its address (5.7.3). */
static bool read_data(struct etm_etmv1_flow *flow,
                      const struct etm_etmv1_way *w, struct branch *b,
                      struct etm_etmv1_spot *at)
{
    bool has_address;
    unsigned n;

    if (b->block == NULL || !flow->walk.blocks.rules.transfers)
        return false;
    b->transfers = etm_etmv1_data_of(flow, b->block, flow->index);
    return etm_etmv1_data_shape(flow, &b->transfers, &has_address, &n) &&
           etm_etmv1_way_values(w, at, has_address, n, &b->data);
}

/*
 * BE or BD with its offset. Returns 0 if it is a branch to its address.
 * Otherwise it needs the general path, which may give elements once it has the
 * returned number of records.
 */
static size_t branch(struct etm_etmv1_flow *flow, struct etm_etmv1_way *w,
                     bool has_data, unsigned selects)
{
    struct etm_walk *f = &flow->walk;
    uint64_t offset = etm_etmv1_way_offset(w, w->at);
    struct etm_etmv1_spot at = etm_etmv1_way_block(w);
    struct branch b;

    /* the general path comes to the block no sooner than this */
    b.block = has_data ? next(flow, offset) : NULL;
    if ((has_data && !read_data(flow, w, &b, &at)) ||
        !locate(w, selects, at, &b) || !read_target(flow, w, &b) ||
        etm_etmv1_way_is_far(w, b.end))
        return BRANCH;
    if (!has_data)
        b.block = next(flow, offset);
    if (b.block != NULL &&
        !etm_etmv1_walk_can_branch(flow, b.block, b.target, b.isa)) {
        size_t end = b.end.record + b.end.half;

        return end > w->at + BRANCH ? end - w->at : BRANCH;
    }
    etm_etmv1_way_pass(flow, w);
    flow->base = b.base;
    if (b.address.n == ETM_ETMV1_ADDRESS_MAX) {
        flow->base_valid = true;
        flow->base_jazelle = false;
    }
    etm_etmv1_way_end(w, b.end);
    if (has_data)
        etm_etmv1_data_note(flow, &b.data);
    walk_branch(flow, &b, has_data, offset);
    etm_walk_resume(f, offset);
    etm_etmv1_flow_go(flow, b.target, b.isa, offset);
    etm_etmv1_way_pass(flow, w); /* what tells the offset */
    etm_etmv1_way_pass(flow, w);
    return 0;
}

/* Pass all WT that carry the packets of an earlier status. */
static inline void pass_waits(struct etm_etmv1_flow *flow,
                              struct etm_etmv1_way *w)
{
    size_t end = w->packets.record < w->n ? w->packets.record : w->n;
    size_t at = w->at;

    while (at < end && etm_etmv1_way_status(w, at) == ETM_ETMV1_WT)
        at++;
    if (flow->config.cycle_accurate)
        flow->walk.cycles += w->waits + (at - w->at);
    w->waits = 0;
    w->behind_td = false;
    w->at = at;
}

/* WT: a block may begin there; as etm_etmv1_fifo_wait(). */
static inline void wait(struct etm_etmv1_flow *flow, struct etm_etmv1_way *w)
{
    if (w->queue == NULL && w->packets.record > w->at) {
        pass_waits(flow, w);
        return;
    }
    if (!w->has_leading && w->packets.record <= w->at) {
        w->has_leading = true;
        w->leading = (struct etm_etmv1_spot){.record = w->at};
        if (w->packets.record == w->at)
            w->leading = w->packets;
        w->leading_waits = w->waits;
        w->leading_behind_td = w->behind_td;
    }
    etm_etmv1_way_pass(flow, w);
}

/* The loop, up to a record that it cannot take. Returns how many records from
 * there on must go into the queue. */
static size_t run(struct etm_etmv1_flow *flow, struct etm_etmv1_way *w)
{
    const struct etm_walk *f = &flow->walk;
    unsigned selects, status;
    size_t left;

    while (w->at < w->n && f->status == ETM_OK &&
           (f->out->n < ENOUGH ||
            (f->out->n < MOST && !etm_etmv1_way_is_idle(w)))) {
        status = etm_etmv1_way_status(w, w->at);
        switch ((enum etm_etmv1_status)status) {
        case ETM_ETMV1_IE:
        case ETM_ETMV1_IN:
            if (w->has_leading) /* packets of nothing */
                return 1;
            plain(flow, w);
            break;
        case ETM_ETMV1_ID:
            if (!data_insn(flow, w))
                return 1;
            break;
        case ETM_ETMV1_BE:
        case ETM_ETMV1_BD:
            if (!read_offset(w, &selects))
                return 1;
            left = branch(flow, w, status == ETM_ETMV1_BD, selects);
            if (left != 0)
                return left;
            break;
        case ETM_ETMV1_WT:
            if (w->has_leading && w->at - w->leading.record > ETM_ETMV1_WINDOW)
                return 1;
            wait(flow, w);
            break;
        case ETM_ETMV1_TD:
            w->waits += etm_etmv1_way_pins(w, w->at) & 1;
            w->behind_td = true;
            w->at++;
            break;
        case ETM_ETMV1_TR:
            return 1;
        case ETM_ETMV1_RESERVED:
            return 0;
        }
    }
    return 0;
}

/* Records `from` to `to` into the queue; returns the number of `to`. */
static uint64_t queue(struct etm_etmv1_flow *flow,
                      const struct etm_etmv1_way *w, size_t from, size_t to)
{
    for (; from < to && flow->walk.status == ETM_OK; from++)
        flow->walk.status = etm_etmv1_fifo_put(
            flow, etm_etmv1_way_status(w, from), etm_etmv1_way_sync(w, from),
            etm_etmv1_way_pins(w, from), etm_etmv1_way_offset(w, from));
    return flow->first + flow->records.n;
}

/* An address begins there: not in the cycle of a trigger, whatever its
 * TRACESYNC says. */
static bool begins_address(const struct etm_etmv1_record *r)
{
    const unsigned both = ETM_RECORD_SYNC | ETM_RECORD_BYTES;

    return (r->flags & both) == both;
}

/* Addresses of these records in the queue were read. */
static void note(struct etm_etmv1_flow *flow, size_t from, size_t to)
{
    struct etm_etmv1_record *r = flow->records.data;

    for (size_t i = from; i < to; i++)
        if (begins_address(&r[i]))
            r[i].flags |= ETM_RECORD_NOTED;
}

/*
 * Leave the flow as the general path would have: with the records that one of
 * the cursors has not passed, and those before `least`, in the queue. Returns
 * the record after them.
 */
static size_t settle(struct etm_etmv1_flow *flow, const struct etm_etmv1_way *w,
                     size_t least)
{
    size_t from = w->packets.record, end = from + w->packets.half;

    while (from < w->at && etm_etmv1_way_status(w, from) == ETM_ETMV1_TD)
        from++; /* their cycles are not counted in the queue */
    etm_vec_drop(&flow->records, flow->records.n);
    flow->first = flow->next;
    flow->waits = w->has_leading ? w->leading_waits : w->waits;
    flow->behind_td = w->has_leading ? w->leading_behind_td : w->behind_td;
    flow->has_leading = w->has_leading;
    if (w->has_leading) {
        flow->leading = (struct etm_etmv1_place){
            .record = flow->first, .half = (uint8_t)w->leading.half};
        flow->next = queue(flow, w, w->leading.record, w->at);
        if (w->leading.half != 0) /* its lower half was read */
            note(flow, 0, 1);
    }
    flow->bytes = (struct etm_etmv1_place){.record = flow->next - 1};
    if (from < w->at || w->before) {
        (void)queue(flow, w, w->at, least);
        return least;
    }
    flow->bytes.record = queue(flow, w, w->at, from);
    end = end < from ? from : end;
    (void)queue(flow, w, from, end); /* its upper half is still to be read */
    flow->bytes.half = (uint8_t)w->packets.half;
    note(flow, (size_t)(flow->next - flow->first), flow->records.n);
    least = least < end ? end : least;
    (void)queue(flow, w, end, least);
    return least;
}

/* The packet cursor is right, and nothing waits for the next status. */
static bool is_right(const struct etm_etmv1_flow *flow)
{
    return flow->synced && flow->aligned && !flow->cut &&
           !flow->start.pending && flow->next != 0;
}

/* And both cursors have passed all records in the queue. */
static bool is_empty(const struct etm_etmv1_flow *flow)
{
    return !flow->has_leading && flow->bytes.record <= flow->next &&
           flow->next == flow->first + flow->records.n;
}

/* Run both cursors over the queue, as far as they go. */
static void run_queue(struct etm_etmv1_flow *flow)
{
    struct etm_etmv1_way w = {.queue = flow->records.data,
                              .n = flow->records.n,
                              .pins = flow->pins,
                              .at = (size_t)(flow->next - flow->first),
                              .has_leading = flow->has_leading,
                              .before = flow->bytes.record < flow->next};
    size_t from = w.at, end;

    if (!w.before)
        w.packets = (struct etm_etmv1_spot){
            .record = (size_t)(flow->bytes.record - flow->first),
            .half = flow->bytes.half};
    if (!w.before && w.packets.record + w.packets.half > from)
        from = w.packets.record + w.packets.half;
    if (w.has_leading)
        w.leading = (struct etm_etmv1_spot){
            .record = (size_t)(flow->leading.record - flow->first),
            .half = flow->leading.half};
    (void)run(flow, &w);
    flow->next = flow->first + w.at;
    flow->has_leading = w.has_leading;
    flow->leading =
        (struct etm_etmv1_place){.record = flow->first + w.leading.record,
                                 .half = (uint8_t)w.leading.half};
    if (w.has_leading && w.leading.half != 0)
        note(flow, w.leading.record, w.leading.record + 1);
    flow->bytes = (struct etm_etmv1_place){.record = flow->next - 1};
    if (w.before || w.packets.record < w.at)
        return;
    flow->bytes =
        (struct etm_etmv1_place){.record = flow->first + w.packets.record,
                                 .half = (uint8_t)w.packets.half};
    end = w.packets.record + w.packets.half;
    note(flow, w.at > from ? w.at : from, end);
}

/* The same, with the general path for each record at which they stop. */
static void take_queue(struct etm_etmv1_flow *flow)
{
    do {
        if (is_right(flow) && flow->next != flow->first + flow->records.n)
            run_queue(flow);
    } while (flow->walk.status == ETM_OK &&
             etm_etmv1_flow_step(flow) == ETM_READ_OK);
    etm_etmv1_flow_run(flow); /* commits */
}

/* The index among the bytes of a record in the queue, or after it, which is
 * `end`; false: it came before these bytes. */
static bool find_index(const struct etm_etmv1_flow *flow,
                       const struct etm_etmv1_way *w, uint64_t number,
                       size_t end, size_t *index)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, number);

    *index = end;
    if (r == NULL)
        return number == flow->first + flow->records.n;
    *index = (size_t)(r->offset - w->start) / w->size;
    return r->offset >= w->start;
}

/* Whether the addresses that were read are those before the packet cursor, as
 * settle() assumes. After damage the cursor may have gone back, or skipped
 * some. */
static bool is_in_order(const struct etm_etmv1_flow *flow)
{
    const struct etm_etmv1_record *r = flow->records.data;
    uint64_t end = flow->bytes.record + flow->bytes.half;

    for (size_t i = (size_t)(flow->next - flow->first); i < flow->records.n;
         i++)
        if (begins_address(&r[i]) &&
            ((r[i].flags & ETM_RECORD_NOTED) != 0) != (flow->first + i < end))
            return false;
    return true;
}

/*
 * The first `end` records are in the queue. If both cursors have reached them,
 * everything older in the queue is done, and the cursors continue over the
 * bytes: true.
 */
static bool resume(const struct etm_etmv1_flow *flow, struct etm_etmv1_way *w,
                   size_t end)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, flow->next);

    w->before = flow->bytes.record < flow->next;
    /* otherwise the block may begin at record 0, with its lower half */
    w->packets =
        (struct etm_etmv1_spot){.half = w->before ? 0 : flow->bytes.half};
    w->waits = r != NULL ? r->cycles - 1 : flow->waits;
    w->behind_td =
        r != NULL ? (r->flags & ETM_RECORD_BEHIND_TD) != 0 : flow->behind_td;
    if (r != NULL && (r->flags & ETM_RECORD_BYTES) == 0)
        return false; /* its trigger may have been given */
    if (!is_right(flow) || flow->has_leading ||
        !find_index(flow, w, flow->next, end, &w->at))
        return false;
    return is_in_order(flow) &&
           (w->before ||
            find_index(flow, w, flow->bytes.record, end, &w->packets.record));
}

size_t etm_etmv1_flow_fast(struct etm_etmv1_flow *flow,
                           struct etm_etmv1_decoder *d, const uint8_t *bytes,
                           size_t n, struct etm_vec *out)
{
    struct etm_walk *f = &flow->walk;
    struct etm_etmv1_way w = {.bytes = bytes,
                              .status = d->status,
                              .n = n / d->size,
                              .size = d->size,
                              .pins = d->pins,
                              .start = d->offset,
                              .before = flow->bytes.record < flow->next,
                              .waits = flow->waits,
                              .behind_td = flow->behind_td};
    size_t used = 0, end;

    if (d->n != 0 || flow->has_status || w.n == 0 || f->status != ETM_OK)
        return 0;
    f->out = out;
    if (is_right(flow) && is_empty(flow)) {
        end = run(flow, &w);
        used = settle(flow, &w, w.at + end);
    }
    if (used == 0) {
        for (end = 0; end < PIECE && end < w.n; end++)
            if (etm_etmv1_way_status(&w, end) == ETM_ETMV1_RESERVED)
                break;
        (void)queue(flow, &w, 0, end);
        used = end;
        take_queue(flow);
        if (f->status == ETM_OK && resume(flow, &w, used)) {
            end = run(flow, &w);
            end = w.at + end;
            used = settle(flow, &w, end < used ? used : end);
        }
    }
    take_queue(flow);
    d->offset += used * d->size;
    return used * d->size;
}
