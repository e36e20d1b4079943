/* SPDX-License-Identifier: Apache-2.0 */
/* Branch address, I-sync, cycle count and exception packets of ETMv3. */

#include "flow/etmv3/atoms.h"

#include <string.h>

static void set_state(struct etm_etmv3_flow *flow, bool ns, bool hyp,
                      const struct etm_packet *p)
{
    etm_walk_state(&flow->walk, etm_etmv3_secure_of(flow, ns),
                   etm_etmv3_hyp_of(flow, hyp), p->offset);
}

static void take_state(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    set_state(flow, flow->base.ns, flow->base.hyp, p);
}

/* Can = 1: the last instruction traced did not complete (7.3.5). On M-profile
 * cores it may be paused after some of its transfers (7.5.2). */
static void cancel(struct etm_etmv3_flow *flow, unsigned resume_after)
{
    struct etm_walk *w = &flow->walk;

    if ((w->last & ETM_LAST_OWNER) != 0 && resume_after != 0)
        etm_data_pause(w, resume_after);
    else if ((w->last & ETM_LAST_OWNER) != 0)
        etm_data_discard(w);
    etm_position_take_back(w);
    if ((w->last & ETM_LAST_EXIT) != 0)
        etm_data_removed(w,
                         etm_walk_drop_held(w, ETM_ELEMENT_EXCEPTION_RETURN));
}

/*
 * The instruction traced last is the undefined one that raised the exception.
 * That is no branch which was executed. On M-profile cores it raises a
 * UsageFault, or the HardFault that this becomes (doc/errata.md, E-412).
 */
static bool is_undefined(const struct etm_etmv3_flow *flow,
                         enum etm_exception_type type)
{
    const struct etm_walk *w = &flow->walk;
    const struct etm_space space = {.secure = (enum etm_tri)w->now.secure,
                                    .has_context = w->now.context_id_known,
                                    .context_id = w->now.context_id};
    struct etm_insn insn = {.undefined = false};
    uint32_t address;
    uint8_t bytes[4];
    size_t n;

    if (!etm_position_has_last(w) ||
        (w->last & (ETM_LAST_TARGETED | ETM_LAST_DIRECT)) != 0)
        return false;
    if (type == ETM_EXCEPTION_UNDEFINED)
        return true;
    if ((type != ETM_EXCEPTION_USAGE_FAULT &&
         type != ETM_EXCEPTION_HARD_FAULT) ||
        (w->last & ETM_LAST_VALID) == 0)
        return false;
    address = etm_position_last(w);
    n = etm_image_read(w->blocks.image, address, &space, bytes, sizeof bytes);
    etm_insn_decode(&insn, (enum etm_isa)w->last_block->isa, w->profile,
                    address, bytes, n);
    return insn.undefined;
}

/* Preferred return address of the Arm manual, of an exception that *e tells of;
 * `itself`: the instruction traced last. Of the two halves of one only the last
 * is cancelled (4.5.4). */
static void return_address(const struct etm_etmv3_flow *flow,
                           const struct etm_packet *p, bool cancelled,
                           bool itself, struct etm_element *e)
{
    const struct etm_walk *w = &flow->walk;
    uint32_t address;

    if (e->u.exception.type == ETM_EXCEPTION_RESET || (!itself && !w->known))
        return;
    if (itself)
        address = etm_position_last(w) +
                  (cancelled && etm_position_was_split(w) ? 2u : 0);
    else
        address = etm_position_address(w) +
                  (w->half && (p->fields & ETM_FIELD_CANCEL) == 0 ? 2u : 0);
    e->u.exception.return_known = true;
    e->u.exception.return_address = address;
}

static void exception(struct etm_etmv3_flow *flow, const struct etm_packet *p,
                      bool cancelled)
{
    struct etm_walk *w = &flow->walk;
    uint16_t irq = 0;
    enum etm_exception_type type;
    struct etm_element *e;
    bool itself;

    if (p->fields & ETM_FIELD_DEPRECATED)
        type =
            etm_exception_deprecated_meaning(p->exception, flow->base.address);
    else
        type = etm_exception_meaning(flow->config.profile, ETM_PROTOCOL_ETMV3,
                                     flow->config.minor, p->exception, &irq);
    etm_position_resume(w, p->offset);
    etm_walk_close(w);
    itself = cancelled || is_undefined(flow, type);
    w->last |= ETM_LAST_TARGETED;
    e = etm_walk_add(w, ETM_ELEMENT_EXCEPTION, p->offset);
    e->u.exception.number = p->exception;
    e->u.exception.irq = irq;
    e->u.exception.type = (uint8_t)type;
    e->u.exception.resume = p->resume;
    e->u.exception.cancels_known = cancelled;
    e->u.exception.cancels = cancelled ? etm_position_last(w) : 0;
    /* ETMIDR[18] is 0 and only the first half was traced (4.5.4) */
    if ((p->fields & ETM_FIELD_CANCEL) != 0 && w->half && w->known) {
        e->u.exception.cancels_known = true;
        e->u.exception.cancels = etm_position_address(w);
    }
    return_address(flow, p, cancelled, itself, e);
    w->last &= ~(uint32_t)ETM_LAST_NO_CODE;
    /* debug entry: address and state have no meaning (7.3.5), and tracing
     * begins again with an I-sync */
    if (type == ETM_EXCEPTION_DEBUG_HALT) {
        w->last |= ETM_LAST_HALTED;
        etm_position_nowhere(w);
        w->astray = true;
        return;
    }
    if (type == ETM_EXCEPTION_RESET) {
        etm_walk_forget_context_id(w, p->offset);
        if (w->now.vmid_known) /* v3.5, 7.3.7: no packet has to say so */
            etm_walk_vmid(w, 0, p->offset);
    }
    take_state(flow, p);
    etm_position_go_base(w, &flow->base, p->offset);
}

/*
 * Does an ordinary branch packet contradict the image? After a direct branch
 * (branch output) it may only give the target of that branch; otherwise it may
 * only come when it reports a state, or at a start of trace (7.3.5, 7.7.3).
 */
static bool contradicts(const struct etm_etmv3_flow *flow,
                        const struct etm_packet *p)
{
    const struct etm_walk *w = &flow->walk;
    const uint32_t first = ETM_LAST_FIRST | ETM_LAST_DIRECT;

    if (!etm_position_is_broadcast(w) || (p->fields & ETM_FIELD_EXCEPTION_0))
        return false;
    /* tracing may begin with a data instruction in progress: the packet gives
     * the address of the next one (7.7.3) */
    if ((w->last & first) == ETM_LAST_FIRST &&
        (w->last_block->data >> w->last_index & 1) != 0)
        return false;
    /* any bytecode may be done in software, by a handler (E-411) */
    if (w->last_block->isa == ETM_ISA_JAZELLE &&
        flow->base.isa != ETM_ISA_JAZELLE)
        return false;
    return !etm_position_is_target(w, &flow->base);
}

/*
 * An I-sync named a data instruction in progress, and a branch packet without
 * an atom names the next one (7.7.3): its data may still come.
 */
void etm_etmv3_flow_in_progress(struct etm_etmv3_flow *flow)
{
    struct etm_walk *w = &flow->walk;
    const struct etm_block *block = etm_walk_here(w);

    if (block != NULL && block->n != 0 && (block->data & 1) != 0)
        etm_data_insn(w, block->address,
                      etm_block_transfers(&w->blocks, block, 0));
    w->last &= ~(uint32_t)ETM_LAST_NONE_YET;
}

void etm_etmv3_flow_branch(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    /* on M-profile cores, after an exception exit, it is the pop of registers
     * that is cancelled, not the instruction (7.5.4) */
    bool pop =
        (w->last & ETM_LAST_EXIT) != 0 && flow->config.profile == ETM_PROFILE_M;
    bool cancelled =
        (p->fields & ETM_FIELD_CANCEL) != 0 && etm_position_has_last(w) && !pop;
    bool alone = (w->last & ETM_LAST_NONE_YET) != 0 && flow->data_traced;

    /* an instruction in progress is one before the packet (7.7.3) */
    w->last &= ~(uint32_t)(ETM_LAST_NONE_YET | ETM_LAST_HALTED);
    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (cancelled && (w->last & ETM_LAST_VALID) != 0)
        cancel(flow, p->resume);
    else if ((p->fields & ETM_FIELD_CANCEL) && pop && flow->data_traced)
        etm_data_discard_pop(w);
    etm_data_taken(w);
    if (etm_walk_is_suspect(w, p, (enum etm_isa)flow->base.isa)) {
        etm_walk_lose(w, ETM_LOST_IMAGE_MISMATCH, p->offset, p->size);
        return;
    }
    if (p->exception != 0 || (p->fields & ETM_FIELD_DEPRECATED)) {
        exception(flow, p, cancelled);
        return;
    }
    if (alone)
        etm_etmv3_flow_in_progress(flow);
    if (contradicts(flow, p)) {
        etm_position_mismatch(w, p->offset, p->size);
        etm_walk_suspect(w, p, (enum etm_isa)flow->base.isa);
        return;
    }
    if (flow->data_traced)
        etm_data_resume(w, flow->base.address, p->resume);
    etm_position_resume(w, p->offset);
    w->last |= ETM_LAST_TARGETED;
    take_state(flow, p);
    etm_position_go_base(w, &flow->base, p->offset);
}

/* The length of a gap was never given. */
void etm_etmv3_flow_gap_unknown(struct etm_etmv3_flow *flow, uint64_t offset)
{
    flow->gap_used = true;
    if (flow->gap_pending)
        etm_walk_cycles(&flow->walk, ETM_CYCLES_UNKNOWN, offset);
    flow->gap_pending = false;
}

static void give_gap(struct etm_etmv3_flow *flow, uint32_t count,
                     uint64_t offset)
{
    struct etm_walk *w = &flow->walk;
    uint64_t n = flow->gap_cycles + count;

    /* 0: the counter overflowed (7.3.4) */
    if (count == 0 || flow->gap_unreliable)
        n = ETM_CYCLES_UNKNOWN;
    etm_walk_add(w, ETM_ELEMENT_CYCLES, offset)->u.cycles.n = n;
    flow->gap_pending = false;
}

void etm_etmv3_flow_cycle_count(struct etm_etmv3_flow *flow,
                                const struct etm_packet *p)
{
    /* measured before instructions that are already decoded: it does not end
     * the range that is being walked */
    flow->gap_used = true;
    if (flow->gap_pending)
        give_gap(flow, p->cycle_count, p->offset);
}

/* The cycles since the trace ended are given, now or later. */
static void measure_gap(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    /* data-only trace counts nothing (7.4.10) */
    if (!flow->config.cycle_accurate || flow->config.data_only)
        return;
    flow->gap_pending = true;
    flow->gap_unreliable = !etm_gap_is_reliable(&flow->config, p->reason);
    flow->gap_cycles = flow->walk.cycles;
    flow->walk.cycles = 0;
    if (p->fields & ETM_FIELD_CYCLES)
        give_gap(flow, p->cycle_count, p->offset);
}

/*
 * No data packet can have been lost before tracing restarted. After Debug
 * state, the I-sync does not report an overflow before it (4.8, table 7-23);
 * but if a packet of the entry came, tracing was on up to there, and all
 * packets of the instructions before it had come: E-377.
 */
static bool is_intact(const struct etm_etmv3_flow *flow,
                      const struct etm_packet *p)
{
    if (p->reason == ETM_SYNC_DEBUG_EXIT)
        return (flow->walk.last & ETM_LAST_HALTED) != 0;
    return p->reason != ETM_SYNC_OVERFLOW;
}

static void restart(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    etm_walk_close(w);
    etm_data_close(w, is_intact(flow, p));
    if (p->reason != ETM_SYNC_PERIODIC) /* data-only: a new region (7.7.4) */
        w->data.owner.previous_known = false;
    etm_etmv3_flow_gap_unknown(flow, p->offset);
    etm_position_resume(w, p->offset);
    etm_walk_trace_on(w, p->reason, p->offset);
    w->context_timed = false; /* counting starts again */
    w->last = p->reason != ETM_SYNC_PERIODIC ? ETM_LAST_NONE_YET : 0;
    etm_position_nowhere(w);
    etm_walk_trim(w);
    etm_walk_commit(w);
    if (!flow->synced)
        w->cycles = 0;
    if (p->reason != ETM_SYNC_PERIODIC)
        measure_gap(flow, p);
}

/* Load/store in progress: the data instruction counts as executed, without a
 * cycle of its own; the second address is the next one (7.7.3). */
static void in_progress(struct etm_etmv3_flow *flow, const struct etm_packet *p)
{
    uint64_t cycles = flow->walk.cycles;

    flow->walk.cycles = 0;
    /* the second address may be in another state (7.7.3) */
    set_state(flow, (p->info & 0x08) != 0, (p->info & 0x02) != 0, p);
    etm_position_go(&flow->walk, p->address, (enum etm_isa)p->isa, p->offset);
    /* it stands for the whole of a split instruction (4.5.4) */
    flow->walk.half = true;
    flow->walk.arrived = false;
    etm_etmv3_atom(flow, true, p->offset);
    etm_walk_close(&flow->walk); /* the flow begins after it */
    flow->walk.cycles = cycles;
}

void etm_etmv3_flow_i_sync(struct etm_etmv3_flow *flow,
                           const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    bool lsip = p->kind == ETM_PACKET_LSIP_I_SYNC;
    uint32_t no_code;

    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (!flow->synced || p->reason != ETM_SYNC_PERIODIC)
        restart(flow, p);
    else if (!flow->config.data_only)
        etm_position_check(w, &flow->base, p->offset);
    flow->synced = true;
    /* data-only trace counts nothing (7.4.10) */
    w->data.timed = flow->config.cycle_accurate && !flow->config.data_only &&
                    w->level < ETM_LEVEL_COUNTS;
    if (p->fields & ETM_FIELD_CONTEXT_ID)
        etm_walk_context_id(w, p->context_id, p->offset);
    if (lsip && !flow->config.data_only)
        in_progress(flow, p);
    take_state(flow, p);
    if (flow->config.data_only)
        return;
    /* the data instruction is the last one traced, wherever it stands */
    no_code = lsip ? w->last & ETM_LAST_NO_CODE : 0;
    if (!w->known || lsip)
        etm_position_go_base(w, &flow->base, p->offset);
    w->last |= no_code;
}

/* M-profile: the data that follow are those of the stacking of registers
 * (7.5.3). */
void etm_etmv3_flow_entry(struct etm_etmv3_flow *flow)
{
    if (!flow->data_traced)
        return;
    etm_data_stacking(&flow->walk, true);
    flow->walk.last &= ~(uint32_t)(ETM_LAST_NONE_YET | ETM_LAST_HALTED);
}

void etm_etmv3_flow_exit(struct etm_etmv3_flow *flow,
                         const struct etm_packet *p)
{
    const bool m_profile = flow->config.profile == ETM_PROFILE_M;

    /* tracing began while registers were popped: the instruction that the
     * I-sync named has been executed (7.5.4) */
    if (m_profile && (flow->walk.last & ETM_LAST_NONE_YET) != 0) {
        etm_position_nowhere(&flow->walk);
        flow->walk.awaiting = true;
    }
    if (flow->data_traced && m_profile) {
        etm_data_stacking(&flow->walk, false); /* 7.5.4 */
        flow->walk.last &=
            ~(uint32_t)(ETM_LAST_OWNER | ETM_LAST_NONE_YET | ETM_LAST_HALTED);
    }
    flow->walk.last |= ETM_LAST_EXIT;
    etm_walk_event(&flow->walk, ETM_ELEMENT_EXCEPTION_RETURN, p->offset);
}
