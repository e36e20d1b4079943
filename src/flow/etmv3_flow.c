/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction side of ETMv3. Every traced instruction has its atom; the
 * last one may still be cancelled by an exception, so it is final only when
 * the next atom or a restart of the trace has come.
 */
#include "flow/etmv3_flow.h"

#include "flow/etmv3_data.h"
#include "flow/etmv3_sync.h"

void etm_etmv3_flow_fini(struct etm_etmv3_flow *flow)
{
    etm_follow_fini(&flow->follow);
}

/* `n` instructions that cannot be identified. */
static void blind(struct etm_etmv3_flow *flow, unsigned n)
{
    etm_position_blind(&flow->at, &flow->follow, &flow->data, n);
}

/* The block of the next instruction; NULL: it cannot be identified. */
static inline struct etm_block *next_block(struct etm_etmv3_flow *flow,
                                           const struct etm_packet *p)
{
    return etm_position_next(&flow->at, &flow->follow, &flow->data, p->offset);
}

void etm_etmv3_flow_atom(struct etm_etmv3_flow *flow, bool passed,
                         const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;
    struct etm_position *at = &flow->at;
    struct etm_block *block = next_block(flow, p);
    uint64_t cycles = f->cycles;

    if (block == NULL)
        blind(flow, 1);
    if (block == NULL || etm_position_first_half(at, block))
        return;
    etm_position_remember(at, etm_position_valid(at), block, at->index, cycles);
    f->cycles = 0;
    etm_follow_walk(f, block, at->index, at->index + 1, ETM_TRUE,
                    passed ? ETM_TRUE : ETM_FALSE, cycles, p->offset);
    if (flow->data_traced && passed)
        etm_etmv3_own(flow, block, at->index, at->index + 1, true);
    if (++at->index == block->n)
        etm_position_leave(at, f, block, passed, p->offset);
}

/*
 * A simple run of atoms: it stays in one block, or ends with it and the link to
 * the next one is known. False, with nothing done, if it is not simple.
 */
static inline bool count_run(struct etm_etmv3_flow *flow,
                             struct etm_etmv3_shape shape,
                             const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;
    struct etm_block *block = f->block, *to = block;
    uint32_t from = flow->at.index, end = from + shape.n;
    uint64_t cycles = f->cycles + shape.cycles;
    uint64_t more = (uint64_t)0 - (shape.n > 1);

    if (shape.n == 0 && !flow->at.mismatch) {
        f->cycles = cycles;
        return true;
    }
    if (block == NULL || end > block->n || end == from || !flow->plain ||
        f->context_changed)
        return false;
    if (end == block->n) {
        to = shape.exec == ETM_TRUE ? block->taken : block->next;
        if (to == NULL || to->isa != block->isa ||
            block->end_kind == ETM_BLOCK_FALL)
            return false;
    }
    f->held = f->out->n;
    f->cycles = 0;
    etm_follow_extend(f, block, from, end, ETM_TRUE, (enum etm_tri)shape.exec,
                      cycles, p->offset);
    etm_position_remember(&flow->at, ETM_LAST_VALID, block, end - 1,
                          (shape.each & more) | (cycles & ~more));
    flow->at.index = end;
    if (end == block->n) {
        etm_follow_end(f, block);
        flow->at.last |= shape.exec == ETM_TRUE ? ETM_LAST_DIRECT : 0u;
        flow->at.index = 0;
        f->block = to;
        f->address = to->address;
    }
    return true;
}

/* A part of a run that stays in one block: `n` atoms, the last one `exec`. */
static void run_part(struct etm_etmv3_flow *flow, struct etm_block *block,
                     unsigned n, unsigned each, enum etm_tri exec,
                     const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;
    struct etm_position *at = &flow->at;
    unsigned from = at->index, to = from + n, rest = from;

    if (n > 1 && f->level == ETM_LEVEL_INSTRUCTIONS) {
        /* only the last can be taken back */
        rest = to - 1;
        etm_follow_walk(f, block, from, rest, ETM_TRUE, ETM_TRUE, 0, p->offset);
        etm_data_commit(&flow->data, f, p->offset);
    }
    f->cycles += (uint64_t)each * n;
    etm_follow_walk(f, block, rest, to, ETM_TRUE, exec, f->cycles, p->offset);
    etm_position_remember(at, n > 1 ? ETM_LAST_VALID : etm_position_valid(at),
                          block, to - 1, n > 1 ? each : f->cycles);
    f->cycles = 0;
    at->index = to;
    if (flow->data_traced)
        etm_etmv3_own(flow, block, from, to, exec == ETM_TRUE);
    if (to == block->n)
        etm_position_leave(at, f, block, exec == ETM_TRUE, p->offset);
}

/* What follows after the image proved wrong is of no use; nor are instructions
 * before the I-sync that has to come first (E-430). */
static void lose(struct etm_etmv3_flow *flow, bool insn,
                 const struct etm_packet *p)
{
    if (flow->at.mismatch || (flow->at.astray && insn))
        etm_follow_lose(&flow->follow,
                        flow->at.mismatch ? ETM_LOST_IMAGE_MISMATCH
                                          : ETM_LOST_UNSYNCHRONIZED,
                        p->offset, p->size);
}

/* As etm_etmv3_flow_run(): whole blocks at a time. */
static void run(struct etm_etmv3_flow *flow, unsigned n, unsigned each,
                enum etm_tri last, const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;

    while (n != 0) {
        struct etm_block *block = f->block;
        unsigned left = block != NULL ? block->n - flow->at.index : 0;
        struct etm_etmv3_shape part = {
            .n = (uint8_t)(left < n ? left : n),
            .each = (uint8_t)each,
            .exec = (uint8_t)(left < n ? ETM_TRUE : last),
            .cycles = (uint8_t)(each * (left < n ? left : n))};
        if (part.n != 0 && count_run(flow, part, p)) {
            n -= part.n;
            continue;
        }
        block = next_block(flow, p);
        if (block == NULL) {
            f->cycles += (uint64_t)each * n;
            blind(flow, n);
            return;
        }
        left = block->n - flow->at.index;
        if (left > n)
            left = n;
        n -= left;
        run_part(flow, block, left, each, n != 0 ? ETM_TRUE : last, p);
    }
}

/* A P-header that count_run() did not take. */
static void atoms(struct etm_etmv3_flow *flow, struct etm_etmv3_shape shape,
                  const struct etm_packet *p)
{
    bool insn = shape.n != ETM_ETMV3_NO_RUN && shape.n != 0;

    if (shape.n != ETM_ETMV3_NO_RUN) {
        flow->follow.cycles += shape.before;
        run(flow, shape.n, shape.each, (enum etm_tri)shape.exec, p);
    } else {
        for (unsigned i = 0; i < p->count; i++) {
            unsigned atom = p->value >> (2 * i) & 3;
            if (atom == ETM_ATOM_W)
                flow->follow.cycles++;
            else
                etm_etmv3_flow_atom(flow, atom == ETM_ATOM_E, p);
            insn |= atom != ETM_ATOM_W;
        }
    }
    lose(flow, insn, p);
}

void etm_etmv3_flow_run(struct etm_etmv3_flow *flow, unsigned n, unsigned each,
                        enum etm_tri last, const struct etm_packet *p)
{
    run(flow, n, each, last, p);
    lose(flow, n != 0, p);
}

/* The atoms of a P-header (tables 7-2 and 7-3). */
static inline void p_header(struct etm_etmv3_flow *flow,
                            const struct etm_packet *p)
{
    struct etm_etmv3_shape shape = flow->shapes[p->header];

    if (shape.n == ETM_ETMV3_NO_RUN || !count_run(flow, shape, p))
        atoms(flow, shape, p);
}

/*
 * P-headers from packets[i] on that stay inside the block whose range is open:
 * nothing but counting, in registers and without a branch on their shape.
 * Returns the index of the first packet that is something else.
 */
static size_t count_inside(struct etm_etmv3_flow *flow,
                           const struct etm_packet *packets, size_t i, size_t n)
{
    struct etm_follow *f = &flow->follow;
    uint32_t first = flow->at.index, index = first, limit = f->last_block->n;
    uint64_t cycles = f->cycles, counted = 0, last = flow->at.last_cycles;
    uint8_t exec = f->open_exec, before = f->before_exec;

    for (; i < n && packets[i].kind == ETM_PACKET_P_HEADER; i++) {
        struct etm_etmv3_shape shape = flow->shapes[packets[i].header];
        bool some = shape.n > 0, more = shape.n > 1;
        if (index + shape.n >= limit) /* also ETM_ETMV3_NO_RUN */
            break;
        index += shape.n;
        cycles += shape.cycles;
        counted += some ? cycles : 0;
        last = more ? shape.each : some ? cycles : last;
        before = more ? ETM_TRUE : some ? exec : before;
        exec = some ? shape.exec : exec;
        cycles = some ? 0 : cycles;
    }
    f->cycles = cycles;
    if (index == first)
        return i;
    flow->at.index = index;
    f->last_index = index - 1;
    etm_position_remember(&flow->at, ETM_LAST_VALID, f->last_block, index - 1,
                          last);
    f->open_n += index - first;
    f->open_cycles += counted;
    f->open_exec = exec;
    f->before_exec = before;
    f->held = f->out->n;
    return i;
}

bool etm_etmv3_flow_time(struct etm_etmv3_flow *flow,
                         const struct etm_packet *p, uint64_t *time)
{
    etm_broadcast_apply(&flow->base, &flow->config, p);
    *time = etm_timestamp_time(&flow->config, flow->base.timestamp);
    return flow->base.timestamp_bits >=
           (flow->config.timestamp_64bit ? 64 : 48);
}

static void timestamp(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;
    uint64_t time;

    if (!etm_etmv3_flow_time(flow, p, &time))
        return;
    etm_follow_give_lost(f);
    etm_follow_timestamp(f, time, p->offset);
}

/* Cycle-accurate from v3.1 on (7.3.3). */
static void trigger(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;
    struct etm_element *e;

    etm_follow_give_lost(f);
    etm_follow_close(f);
    e = etm_follow_add(f, ETM_ELEMENT_TRIGGER, p->offset);
    if (flow->data.timed && flow->config.minor >= 1)
        etm_follow_time(e, etm_follow_since_last(f));
}

/* The stream is broken: nothing is known up to the next I-sync. */
static void desync(struct etm_etmv3_flow *flow, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes)
{
    etm_follow_close(&flow->follow);
    etm_data_close(&flow->data, &flow->follow, false);
    etm_data_forget(&flow->data, &flow->follow, offset);
    if (flow->synced)
        etm_follow_broken(&flow->follow, offset);
    etm_follow_lose(&flow->follow, reason, offset, bytes);
    flow->base.data_valid = false; /* an address may be missing */
    flow->base_kept = false;
    flow->base.timestamp_bits = 0; /* and so may a timestamp */
    etm_follow_forget_vmid(&flow->follow, offset);
    flow->data.owner.previous_known = false;
    etm_position_nowhere(&flow->at, &flow->follow);
    flow->synced = false;
    flow->data.timed = false;
    flow->at.mismatch = false;
    flow->at.last &= ~(uint32_t)ETM_LAST_VALID;
}

/* Packets that mean nothing before the first I-sync. */
static bool needs_sync(enum etm_packet_kind kind)
{
    return kind == ETM_PACKET_P_HEADER || kind == ETM_PACKET_BRANCH_ADDRESS ||
           kind == ETM_PACKET_EXCEPTION_EXIT ||
           kind == ETM_PACKET_EXCEPTION_ENTRY || kind == ETM_PACKET_CYCLE_COUNT;
}

static void data(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    bool in_order = p->kind == ETM_PACKET_NORMAL_DATA ||
                    p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ||
                    p->kind == ETM_PACKET_VALUE_NOT_TRACED;

    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (in_order && (p->fields & ETM_FIELD_ADDRESS) && p->address_bits == 32)
        flow->base_kept = false;
    flow->base_used |= flow->base_kept;
    /* nothing was executed yet: these are data of the instruction that the
     * I-sync named (7.7.3) */
    if (in_order && flow->synced && (flow->at.last & ETM_LAST_NONE_YET) != 0 &&
        !flow->config.data_only)
        etm_etmv3_flow_in_progress(flow);
    etm_data_packet(&flow->data, &flow->follow, &flow->base, p);
}

static void packet(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;

    /* what cannot be taken back any more is final; a store failed packet may
     * still follow its data */
    if (etm_follow_is_long(f))
        flow->at.last &= ~(uint32_t)(ETM_LAST_VALID | ETM_LAST_EXIT);
    if (etm_etmv3_is_final(flow) && p->kind != ETM_PACKET_STORE_FAILED)
        etm_data_commit(&flow->data, f, p->offset);
    if (!flow->synced && needs_sync((enum etm_packet_kind)p->kind)) {
        etm_follow_lose(f, ETM_LOST_UNSYNCHRONIZED, p->offset, p->size);
        return;
    }
    switch ((enum etm_packet_kind)p->kind) {
    case ETM_PACKET_P_HEADER:
        p_header(flow, p);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        etm_etmv3_flow_branch(flow, p);
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        etm_etmv3_flow_i_sync(flow, p);
        break;
    case ETM_PACKET_CYCLE_COUNT:
        etm_etmv3_flow_cycle_count(flow, p);
        break;
    case ETM_PACKET_CONTEXT_ID:
        etm_follow_context_id(f, p->context_id, p->offset);
        if (flow->data.timed)
            etm_follow_time_context(f, p->offset);
        break;
    case ETM_PACKET_VMID:
        etm_follow_vmid(f, (uint8_t)p->value, p->offset);
        break;
    case ETM_PACKET_TIMESTAMP:
        timestamp(flow, p);
        break;
    case ETM_PACKET_TRIGGER:
        trigger(flow, p);
        break;
    case ETM_PACKET_EXCEPTION_EXIT:
        etm_etmv3_flow_exit(flow, p);
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
        desync(flow, ETM_LOST_UNSYNCHRONIZED, p->offset, p->size);
        break;
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        desync(flow, etm_follow_bad_reason(p), p->offset, p->size);
        break;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
        data(flow, p);
        break;
    case ETM_PACKET_EXCEPTION_ENTRY:
        etm_etmv3_flow_entry(flow);
        break;
    case ETM_PACKET_A_SYNC:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_ATOM: /* not in ETMv3, from here on */
    case ETM_PACKET_WAYPOINT_UPDATE:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        break;
    }
}

int etm_etmv3_flow_packet(struct etm_etmv3_flow *flow,
                          const struct etm_packet *p)
{
    if (p->kind == ETM_PACKET_P_HEADER && flow->synced)
        p_header(flow, p);
    else
        packet(flow, p);
    return flow->follow.status;
}

int etm_etmv3_flow_push(struct etm_etmv3_flow *flow,
                        const struct etm_packet *packets, size_t n,
                        struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;

    f->out = out;
    for (size_t i = 0; i < n && f->status == ETM_OK; i++) {
        if (packets[i].kind != ETM_PACKET_P_HEADER || !flow->synced) {
            packet(flow, &packets[i]);
            continue;
        }
        p_header(flow, &packets[i]); /* nearly all of them */
        if (f->has_open && flow->plain && !f->context_changed &&
            f->block == f->last_block)
            i = count_inside(flow, packets, i + 1, n) - 1;
    }
    return f->status;
}

int etm_etmv3_flow_gap(struct etm_etmv3_flow *flow, uint64_t offset,
                       uint64_t bytes, struct etm_vec *out)
{
    flow->follow.out = out;
    desync(flow, ETM_LOST_BAD_FRAME, offset, bytes);
    etm_follow_commit(&flow->follow);
    return flow->follow.status;
}

int etm_etmv3_flow_finish(struct etm_etmv3_flow *flow, uint64_t offset,
                          struct etm_vec *out)
{
    struct etm_follow *f = &flow->follow;

    f->out = out;
    etm_follow_close(f);
    etm_data_finish(&flow->data, f);
    etm_data_forget(&flow->data, f, offset);
    etm_etmv3_flow_gap_unknown(flow, offset);
    if (flow->synced)
        etm_follow_spend(f);
    etm_follow_finish(f, offset);
    return f->status;
}
