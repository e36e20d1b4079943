/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The status side of ETMv1 (ETM architecture 5.1): each executed instruction
 * has one status, on its last cycle, which includes everything that happens to
 * it: nothing is ever taken back.
 */
#include "flow/etmv1/flow.h"

#include "flow/etmv1/fifo.h"
#include "flow/etmv1/walk.h"
#include "flow/walk/data.h"

#include <string.h>

int etm_etmv1_flow_init(struct etm_etmv1_flow *flow,
                        const struct etm_config *config,
                        const struct etm_image *image, enum etm_level level,
                        const struct etm_allocator *allocator)
{
    struct etm_block_rules rules = {.transfers = etm_data_traced(config)};
    struct etm_allocator a = etm_allocator_or_default(allocator);
    int status;

    memset(flow, 0, sizeof *flow);
    flow->config = *config;
    flow->size = (uint8_t)etm_sample_size(config);
    flow->pins = (uint8_t)etm_sample_width(config);
    etm_vec_init(&flow->records, sizeof(struct etm_etmv1_record), &a);
    flow->walk.level = level;
    status =
        etm_walk_init(&flow->walk, &flow->config, image, &rules, allocator);
    flow->walk.certain = true;
    return status;
}

void etm_etmv1_flow_fini(struct etm_etmv1_flow *flow)
{
    etm_vec_fini(&flow->records);
    etm_walk_fini(&flow->walk);
}

uint32_t etm_etmv1_flow_address(const struct etm_etmv1_flow *flow)
{
    return etm_walk_at(&flow->walk, flow->index);
}

void etm_etmv1_flow_go(struct etm_etmv1_flow *flow, uint32_t address,
                       enum etm_isa isa, uint64_t offset)
{
    struct etm_walk *f = &flow->walk;

    etm_walk_close(f);
    etm_walk_trim(f);
    etm_walk_go(f, address, isa, offset);
    flow->index = 0;
    flow->half = false;
    flow->arrived = isa == ETM_ISA_THUMB;
}

void etm_etmv1_flow_nowhere(struct etm_etmv1_flow *flow)
{
    etm_walk_nowhere(&flow->walk);
    flow->half = false;
}

void etm_etmv1_flow_mismatch(struct etm_etmv1_flow *flow, uint64_t offset,
                             uint64_t bytes)
{
    etm_walk_close(&flow->walk);
    etm_walk_blind(&flow->walk);
    etm_walk_lose(&flow->walk, ETM_LOST_IMAGE_MISMATCH, offset, bytes);
    etm_etmv1_flow_nowhere(flow);
}

void etm_etmv1_flow_misalign(struct etm_etmv1_flow *flow, bool counts)
{
    flow->aligned = false;
    flow->cut = false;
    flow->skipped_known = counts;
    flow->has_leading = false;
    flow->data_valid = false; /* an address may be among them (5.7.5) */
}

void etm_etmv1_flow_desync(struct etm_etmv1_flow *flow,
                           enum etm_lost_reason reason, uint64_t offset,
                           uint64_t bytes)
{
    etm_etmv1_flow_begin(flow);
    etm_walk_close(&flow->walk);
    if (flow->synced)
        etm_walk_broken(&flow->walk, offset);
    etm_walk_lose(&flow->walk, reason, offset, bytes);
    /* a full address of reason 0 has no context ID (5.6.3) */
    etm_walk_forget_context_id(&flow->walk, offset);
    etm_etmv1_flow_nowhere(flow);
    etm_etmv1_flow_misalign(flow, false);
    flow->walk.blind_cycles = 0;
    flow->walk.cycles = 0;
    flow->synced = false;
    flow->base_valid = false;
    flow->data_valid = false;
}

/* A trigger comes before what its cycle did; it is never the cause (5.1.1). */
static void trigger(struct etm_etmv1_flow *flow, struct etm_etmv1_record *r)
{
    if ((r->flags & ETM_RECORD_TRIGGER) == 0)
        return;
    r->flags &= (uint8_t)~ETM_RECORD_TRIGGER;
    etm_walk_give_lost(&flow->walk);
    etm_walk_event(&flow->walk, ETM_ELEMENT_TRIGGER, r->offset);
}

void etm_etmv1_flow_pass(struct etm_etmv1_flow *flow)
{
    struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, flow->next);

    trigger(flow, r);
    if (flow->config.cycle_accurate)
        flow->walk.cycles += r->cycles;
    flow->next++;
}

void etm_etmv1_flow_begin(struct etm_etmv1_flow *flow)
{
    struct etm_walk *f = &flow->walk;
    const struct etm_etmv1_start *start = &flow->start;
    uint64_t cycles = f->cycles;

    if (!start->pending)
        return;
    flow->start.pending = false;
    f->cycles = 0;
    etm_walk_resume(f, start->offset);
    etm_walk_trace_on(f, start->reason, start->offset);
    /* a gap has cycles that need not be stored (5.10) */
    if (flow->config.cycle_accurate && !start->periodic)
        etm_walk_cycles(f, ETM_CYCLES_UNKNOWN, start->offset);
    etm_walk_state(f, ETM_UNKNOWN, ETM_FALSE, start->offset);
    if (start->has_context)
        etm_walk_context_id(f, start->context_id, start->offset);
    etm_etmv1_flow_go(flow, start->address, (enum etm_isa)start->isa,
                      start->offset);
    f->cycles = cycles;
}

static struct etm_block *here(struct etm_etmv1_flow *flow)
{
    struct etm_block *block = etm_walk_here(&flow->walk);

    if (block != NULL && flow->arrived)
        block = etm_walk_half(&flow->walk, &flow->half);
    flow->arrived = false;
    return block;
}

/* Another context may see other code from here on. */
static void look_again(struct etm_etmv1_flow *flow)
{
    struct etm_walk *f = &flow->walk;

    if (f->block == NULL || flow->index == 0)
        return;
    f->address = etm_etmv1_flow_address(flow);
    f->block = NULL;
    flow->index = 0;
}

void etm_etmv1_flow_here(struct etm_etmv1_flow *flow)
{
    if (!flow->walk.known)
        return;
    if (flow->walk.context_changed)
        look_again(flow);
    if (flow->index == 0)
        (void)here(flow);
}

/* Find the block if it does not simply follow. */
static struct etm_block *find_block(struct etm_etmv1_flow *flow,
                                    uint64_t offset)
{
    struct etm_walk *f = &flow->walk;
    struct etm_block *block;

    if (!f->known)
        return NULL;
    look_again(flow);
    block = here(flow);
    /* the number of statuses of a bytecode is not public (5.11) */
    if (block != NULL &&
        (block->end_kind == ETM_BLOCK_NO_CODE || f->isa == ETM_ISA_JAZELLE)) {
        f->address = block->address;
        flow->told = offset + 1;
        etm_walk_no_image(f, offset);
        return NULL;
    }
    return block;
}

struct etm_block *etm_etmv1_flow_next(struct etm_etmv1_flow *flow,
                                      uint64_t offset)
{
    return etm_etmv1_walk_is_plain(flow) ? flow->walk.block
                                         : find_block(flow, offset);
}

/* A wait cycle carried packets, and this status cannot have any (5.3). */
static void check_leading(struct etm_etmv1_flow *flow,
                          const struct etm_etmv1_record *r)
{
    if (!flow->has_leading)
        return;
    etm_walk_lose(&flow->walk, ETM_LOST_BAD_PACKET, r->offset, flow->size);
    etm_etmv1_flow_misalign(flow, true);
}

/* IE or IN: an instruction without packets. */
static void plain(struct etm_etmv1_flow *flow, struct etm_etmv1_record *r)
{
    bool passed = r->status == ETM_ETMV1_IE;
    uint64_t offset = r->offset;
    struct etm_block *block;

    check_leading(flow, r);
    etm_etmv1_flow_begin(flow);
    etm_etmv1_flow_pass(flow);
    block = etm_etmv1_flow_next(flow, offset);
    etm_etmv1_walk_plain(flow, block, passed, offset);
}

/*
 * The data of an ID are missing, or their length is not known (4.11.2). If they
 * end where an address begins, the rest was lost in an overflow (5.9), and the
 * packet cursor stays right.
 */
static void cut_off(struct etm_etmv1_flow *flow, struct etm_etmv1_place at,
                    bool address, bool shaped, uint64_t offset)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, at.record);

    if (address)
        flow->data_valid = false;
    if (shaped && r != NULL && (r->flags & ETM_RECORD_SYNC) != 0) {
        at.half = 0;
        etm_etmv1_fifo_end(flow, at);
        flow->cut = true;
        return;
    }
    etm_etmv1_flow_misalign(flow, true);
    flow->data_valid = false;
    etm_walk_lose(&flow->walk,
                  flow->ending ? (enum etm_lost_reason)flow->end_reason
                               : ETM_LOST_UNSYNCHRONIZED,
                  offset, 0);
}

/* ID: an instruction and its data. */
static enum etm_etmv1_read data_insn(struct etm_etmv1_flow *flow,
                                     const struct etm_etmv1_record *r)
{
    struct etm_walk *f = &flow->walk;
    struct etm_etmv1_data data = {.n = 0};
    struct etm_etmv1_place at = etm_etmv1_fifo_block(flow);
    struct etm_transfers t;
    uint64_t offset = r->offset;
    enum etm_etmv1_read read = ETM_READ_BROKEN;
    struct etm_block *block;
    bool address = false, shaped;
    unsigned n = 0;

    etm_etmv1_flow_begin(flow);
    block = etm_etmv1_flow_next(flow, offset);
    if (block == NULL || !etm_etmv1_walk_can_be_data(flow, block)) {
        etm_etmv1_flow_pass(flow);
        etm_etmv1_flow_misalign(flow, false);
        if (block == NULL)
            etm_walk_blind(f);
        else
            etm_etmv1_flow_mismatch(flow, offset, flow->size);
        return ETM_READ_OK;
    }
    t = etm_etmv1_data_of(flow, block, flow->index);
    shaped = etm_etmv1_data_shape(flow, &t, &address, &n);
    if (shaped && flow->aligned)
        read = etm_etmv1_fifo_data(flow, &at, address, n, &data);
    if (read == ETM_READ_MORE)
        return read;
    etm_etmv1_flow_pass(flow);
    etm_etmv1_walk(flow, block, true, offset);
    etm_walk_close(f);
    etm_etmv1_data_note(flow, &data);
    etm_etmv1_data_give(flow, etm_block_address(block, flow->index - 1u), &t,
                        &data, offset);
    if (read == ETM_READ_OK)
        etm_etmv1_fifo_end(flow, at);
    else if (flow->aligned)
        cut_off(flow, at, address && !data.has_address, shaped, offset);
    etm_etmv1_walk_leave(flow, block, true, offset);
    return ETM_READ_OK;
}

enum etm_etmv1_read etm_etmv1_flow_step(struct etm_etmv1_flow *flow)
{
    struct etm_etmv1_record *r = etm_etmv1_fifo_at(flow, flow->next);

    if (r == NULL)
        return ETM_READ_MORE;
    trigger(flow, r);
    /* a branch does that itself: the address may be its own */
    if (!flow->aligned && r->status != ETM_ETMV1_BE &&
        r->status != ETM_ETMV1_BD && etm_etmv1_flow_note(flow) == ETM_READ_MORE)
        return ETM_READ_MORE;
    if (!flow->synced)
        return etm_etmv1_flow_search(flow, r);
    switch ((enum etm_etmv1_status)r->status) {
    case ETM_ETMV1_IE:
    case ETM_ETMV1_IN:
        plain(flow, r);
        return ETM_READ_OK;
    case ETM_ETMV1_ID:
        return data_insn(flow, r);
    case ETM_ETMV1_BE:
    case ETM_ETMV1_BD:
        return etm_etmv1_flow_branch(flow, r);
    case ETM_ETMV1_WT:
    case ETM_ETMV1_TD: /* replaced by a trigger */
        etm_etmv1_fifo_wait(flow, r);
        etm_etmv1_flow_pass(flow);
        return ETM_READ_OK;
    case ETM_ETMV1_TR: /* a trigger does not replace one */
    case ETM_ETMV1_RESERVED:
        break;
    }
    etm_etmv1_flow_desync(flow, ETM_LOST_BAD_PACKET, r->offset, flow->size);
    etm_etmv1_flow_pass(flow);
    return ETM_READ_OK;
}

void etm_etmv1_flow_run(struct etm_etmv1_flow *flow)
{
    struct etm_walk *f = &flow->walk;

    while (f->status == ETM_OK && etm_etmv1_flow_step(flow) == ETM_READ_OK)
        ;
    etm_etmv1_fifo_trim(flow);
    etm_walk_commit(f);
}

/* No record follows those in the queue: give what they yield. */
static void run_out(struct etm_etmv1_flow *flow, enum etm_lost_reason reason)
{
    etm_etmv1_flow_run(flow); /* what is broken itself does not end there */
    flow->ending = true;
    flow->end_reason = (uint8_t)reason;
    etm_etmv1_flow_run(flow);
    flow->ending = false;
    flow->has_status = false;
    if (flow->config.cycle_accurate) /* those of no record */
        flow->walk.cycles += flow->waits;
    flow->waits = 0;
    flow->behind_td = false;
}

static void packet(struct etm_etmv1_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *f = &flow->walk;

    if (p->kind == ETM_PACKET_PIPESTAT) {
        flow->status = *p;
        flow->has_status = true;
    } else if (p->kind == ETM_PACKET_TRACE_PACKET && flow->has_status) {
        int status =
            etm_etmv1_fifo_put(flow, (unsigned)flow->status.value,
                               (flow->status.fields & ETM_FIELD_ADDRESS) != 0,
                               (unsigned)p->value, flow->status.offset);
        if (status != ETM_OK)
            f->status = status;
        flow->has_status = false;
    } else if (p->kind == ETM_PACKET_BAD) {
        enum etm_lost_reason reason = etm_walk_bad_reason(p);

        run_out(flow, reason);
        etm_etmv1_flow_desync(flow, reason, p->offset, p->size);
    }
}

int etm_etmv1_flow_push(struct etm_etmv1_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out)
{
    flow->walk.out = out;
    for (size_t i = 0; i < n && flow->walk.status == ETM_OK; i++)
        packet(flow, &packets[i]);
    etm_etmv1_flow_run(flow);
    return flow->walk.status;
}

int etm_etmv1_flow_gap(struct etm_etmv1_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out)
{
    flow->walk.out = out;
    run_out(flow, ETM_LOST_BAD_FRAME);
    etm_etmv1_flow_desync(flow, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_walk_commit(&flow->walk);
    return flow->walk.status;
}

int etm_etmv1_flow_finish(struct etm_etmv1_flow *flow, uint64_t offset,
                          struct etm_vec *out)
{
    struct etm_walk *f = &flow->walk;

    f->out = out;
    run_out(flow, ETM_LOST_TRUNCATED);
    etm_etmv1_flow_begin(flow);
    etm_walk_close(f);
    if (flow->synced)
        etm_walk_spend(f);
    etm_walk_finish(f, offset);
    return f->status;
}

/* The records from the first one that a cursor will read. */
static void queue(const struct etm_etmv1_flow *flow,
                  struct etm_imprint *imprint)
{
    const struct etm_etmv1_record *r = flow->records.data;
    uint64_t from = flow->next;

    if (flow->has_leading && flow->leading.record < from)
        from = flow->leading.record;
    etm_imprint_put(imprint, flow->next - from);
    etm_imprint_put(imprint, flow->first + flow->records.n - from);
    for (size_t i = (size_t)(from - flow->first); i < flow->records.n; i++) {
        etm_imprint_put(imprint, r[i].offset);
        etm_imprint_put(imprint, r[i].cycles);
        etm_imprint_put(imprint, r[i].pins);
        etm_imprint_put(imprint, r[i].status);
        etm_imprint_put(imprint, r[i].flags);
    }
}

/* A place among the packets, counted from the status cursor; all places before
 * it are equal. */
static void place(const struct etm_etmv1_flow *flow,
                  const struct etm_etmv1_place *p, struct etm_imprint *imprint)
{
    bool ahead = p->record >= flow->next;

    etm_imprint_put(imprint, ahead);
    etm_imprint_put(imprint, ahead ? p->record - flow->next : 0);
    etm_imprint_put(imprint, ahead ? p->half : 0);
}

#define START(name) ETM_IMPRINT(struct etm_etmv1_start, name)

/* While it is pending. */
static const struct etm_imprint_field start_fields[] = {
    START(periodic),
    START(reason),
    START(isa),
    START(address),
    START(offset),
    START(has_context),
    ETM_IMPRINT_IF(struct etm_etmv1_start, context_id, has_context)};

#define OWN(name) ETM_IMPRINT(struct etm_etmv1_flow, name)
#define OWN_IF(name, set) ETM_IMPRINT_IF(struct etm_etmv1_flow, name, set)

static const struct etm_imprint_field fields[] = {
    OWN(waits),
    OWN(behind_td),
    OWN(has_status),
    OWN_IF(status.offset, has_status),
    OWN_IF(status.value, has_status),
    OWN_IF(status.fields, has_status),
    OWN(aligned),
    OWN(cut),
    OWN(skipped_known),
    OWN(synced),
    OWN(base_valid),
    OWN_IF(base, base_valid),
    OWN_IF(base_jazelle, base_valid),
    OWN(data_valid),
    OWN_IF(data_base, data_valid),
    OWN(half),
    OWN(arrived),
    OWN(start.pending)};

/* The status at the cursor found no code before all of it had come. */
static void told(const struct etm_etmv1_flow *flow, struct etm_imprint *imprint)
{
    const struct etm_etmv1_record *r = flow->records.data;
    size_t at = (size_t)(flow->next - flow->first);

    etm_imprint_put(imprint,
                    at < flow->records.n && flow->told == r[at].offset + 1);
}

void etm_etmv1_imprint(const struct etm_etmv1_decoder *d,
                       const struct etm_etmv1_flow *flow,
                       struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, d->offset);
    etm_imprint_bytes(imprint, d->record, d->n);
    etm_walk_imprint(&flow->walk, flow->index, imprint);
    queue(flow, imprint);
    place(flow, &flow->bytes, imprint);
    etm_imprint_put(imprint, flow->has_leading);
    if (flow->has_leading) {
        etm_imprint_put(imprint, flow->next - flow->leading.record);
        etm_imprint_put(imprint, flow->leading.half);
    }
    ETM_IMPRINT_TABLE(imprint, flow, fields);
    if (flow->start.pending)
        ETM_IMPRINT_TABLE(imprint, &flow->start, start_fields);
    told(flow, imprint);
}
