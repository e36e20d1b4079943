/* SPDX-License-Identifier: Apache-2.0 */
/* Branch addresses, exceptions and TFO packets of ETMv2. */
#include "flow/etmv2/flow.h"

#include "base/exception.h"

/* E = 1: the last instruction traced did not complete (6.7.1); if it was traced
 * as two, this is the second half. */
static void cancel(struct etm_etmv2_flow *flow)
{
    struct etm_walk *w = &flow->walk;

    if ((w->last & ETM_LAST_OWNER) != 0)
        etm_data_discard(w);
    etm_position_take_back(w);
}

/*
 * Every branch to a vector is that exception (4.5.3), except for one that the
 * program shows to be a branch; and every one with E = 1 (6.7.1). Nothing is
 * known to use vector 0x14.
 */
static bool is_exception(const struct etm_etmv2_flow *flow, bool e)
{
    uint32_t base = flow->config.high_vectors ? ETM_HIGH_VECTORS : 0;
    uint32_t offset = flow->base.address - base;

    if (e)
        return true;
    return flow->base.isa == ETM_ISA_ARM && offset < ETM_VECTORS_SIZE &&
           etm_exception_of_vector(offset & ~3u) != ETM_EXCEPTION_RESERVED &&
           !etm_position_is_target(&flow->walk, &flow->base);
}

/* From ETMv2.1 on an imprecise data abort cancels, a precise one never does
 * (6.8.1). */
static enum etm_exception_type meaning(unsigned number, bool e)
{
    enum etm_exception_type type = etm_exception_of_vector(4 * number);

    return type == ETM_EXCEPTION_DATA_ABORT && e
               ? ETM_EXCEPTION_ASYNC_DATA_ABORT
               : type;
}

/* Preferred return address of the Arm manual. Of the two halves of an
 * instruction only the last one traced is `cancelled` (4.5.4). */
static bool return_address(const struct etm_etmv2_flow *flow,
                           const struct etm_element *e, bool cancelled,
                           uint32_t *address)
{
    unsigned type = e->u.exception.type;
    bool itself = type == ETM_EXCEPTION_UNDEFINED ||
                  type == ETM_EXCEPTION_DATA_ABORT ||
                  type == ETM_EXCEPTION_PREFETCH_ABORT;

    if (type == ETM_EXCEPTION_RESET)
        return false;
    if (e->u.exception.cancels_known) {
        *address = e->u.exception.cancels +
                   (cancelled && !flow->walk.half &&
                            etm_position_was_split(&flow->walk)
                        ? 2u
                        : 0);
        return true;
    }
    if (itself && etm_position_has_last(&flow->walk)) {
        *address = etm_position_last(&flow->walk);
        return true;
    }
    if (!flow->walk.known || itself)
        return false;
    *address = etm_position_address(&flow->walk);
    return true;
}

static void exception(struct etm_etmv2_flow *flow, const struct etm_packet *p,
                      bool cancelled)
{
    struct etm_walk *w = &flow->walk;
    bool e_bit = (p->fields & ETM_FIELD_CANCEL) != 0;
    unsigned number = flow->base.address >> 2 & 7;
    enum etm_exception_type type = meaning(number, e_bit);
    struct etm_element *e;

    etm_position_resume(w, p->offset);
    etm_walk_close(w);
    e = etm_walk_add(w, ETM_ELEMENT_EXCEPTION, p->offset);
    e->u.exception.number = (uint16_t)number;
    e->u.exception.type = (uint8_t)type;
    e->u.exception.cancels_known = cancelled;
    e->u.exception.cancels = cancelled ? etm_position_last(w) : 0;
    /* only the first half of the instruction was traced */
    if (e_bit && w->half && w->known) {
        e->u.exception.cancels_known = true;
        e->u.exception.cancels = etm_position_address(w);
    }
    e->u.exception.return_known =
        return_address(flow, e, cancelled, &e->u.exception.return_address);
    w->last |= ETM_LAST_TARGETED;
    if (type == ETM_EXCEPTION_RESET)
        etm_walk_forget_context_id(w, p->offset);
    etm_position_go_base(w, &flow->base, p->offset);
}

/*
 * Does an ordinary branch address contradict the image? It may follow a direct
 * branch (branch output) only with the target of that branch, and anything else
 * only at a start of trace, where it names the instruction after a load/store
 * multiple (6.5.5).
 */
static bool contradicts(const struct etm_etmv2_flow *flow)
{
    const uint32_t last = flow->walk.last;

    return etm_position_is_broadcast(&flow->walk) &&
           (last & (ETM_LAST_FIRST | ETM_LAST_DIRECT)) != ETM_LAST_FIRST &&
           !etm_position_is_target(&flow->walk, &flow->base);
}

/*
 * A TFO packet named a load/store multiple in progress, and a branch address
 * without a status names the next instruction (6.5.5): its data may still
 * come.
 */
void etm_etmv2_flow_in_progress(struct etm_etmv2_flow *flow)
{
    struct etm_walk *w = &flow->walk;
    const struct etm_block *block = NULL;

    if (flow->data_traced && w->data.owner.kind == ETM_DATA_OWNER_NONE)
        block = etm_position_here(w);
    if (block != NULL && (block->data & 1) != 0)
        etm_data_insn(w, block->address,
                      etm_block_transfers(&w->blocks, block, 0));
    w->last &= ~(uint32_t)ETM_LAST_NONE_YET;
}

void etm_etmv2_flow_branch(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    bool e = (p->fields & ETM_FIELD_CANCEL) != 0;
    bool cancelled = e && etm_position_has_last(w);
    bool alone = (w->last & ETM_LAST_NONE_YET) != 0 && flow->data_traced;

    /* an instruction in progress is one before the packet (6.5.5) */
    w->last &= ~(uint32_t)ETM_LAST_NONE_YET;
    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (cancelled && (w->last & ETM_LAST_VALID) != 0)
        cancel(flow);
    if (is_exception(flow, e)) {
        exception(flow, p, cancelled);
        /* the transfers of an aborted instruction are void (6.8.1); nor did it
         * load the PC */
        if (meaning(flow->base.address >> 2 & 7, e) ==
                ETM_EXCEPTION_DATA_ABORT &&
            (w->last & ETM_LAST_OWNER) != 0)
            etm_data_discard(w);
        return;
    }
    if (alone)
        etm_etmv2_flow_in_progress(flow);
    if (contradicts(flow))
        etm_position_mismatch(w, p->offset, p->size);
    etm_position_resume(w, p->offset);
    w->last |= ETM_LAST_TARGETED;
    etm_position_go_base(w, &flow->base, p->offset);
}

/* Tracing begins here. How long it was off is not traced: capture devices
 * leave those cycles out (6.11). */
static void restart(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;

    etm_walk_close(w);
    /* an overflow before Debug state is not reported after it (4.8): E-377 */
    etm_data_close(w, p->reason != ETM_SYNC_OVERFLOW &&
                          p->reason != ETM_SYNC_DEBUG_EXIT);
    w->data.owner.previous_known = false; /* nothing is after it */
    etm_position_resume(w, p->offset);
    etm_walk_trace_on(w, p->reason, p->offset);
    w->last = p->reason != ETM_SYNC_PERIODIC ? ETM_LAST_NONE_YET : 0;
    etm_position_nowhere(w);
    etm_walk_trim(w);
    etm_walk_commit(w);
    w->cycles = 0;
    if (!flow->config.cycle_accurate)
        return;
    /* The cycle of the TFO is one of an instruction only if it is periodic:
     * otherwise it implies no status, and is the last one of the gap
     * (6.5.1). */
    if (p->reason == ETM_SYNC_PERIODIC)
        w->cycles = 1;
    else
        etm_walk_cycles(w, ETM_CYCLES_UNKNOWN, p->offset);
}

/* A load/store multiple in progress counts as executed, without a cycle of its
 * own; the second address is that of the next status (6.5.5). */
static void in_progress(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    uint64_t cycles = flow->walk.cycles;

    flow->walk.cycles = 0;
    etm_position_go(&flow->walk, p->address, (enum etm_isa)p->isa, p->offset);
    flow->walk.half =
        true; /* it stands for both halves of a 32-bit Thumb one */
    flow->walk.arrived = false;
    etm_etmv2_flow_atom(flow, true, p->offset);
    etm_walk_close(&flow->walk); /* the flow begins after it */
    flow->walk.cycles = cycles;
    flow->walk.last &= ~(uint32_t)ETM_LAST_VALID;
}

void etm_etmv2_flow_tfo(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    struct etm_walk *w = &flow->walk;
    bool lsip = p->kind == ETM_PACKET_LSIP_I_SYNC;

    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (!flow->synced || p->reason != ETM_SYNC_PERIODIC)
        restart(flow, p);
    else
        /* it gives the address of the instruction, or half of one, that was
         * executed in its cycle (7.11.2) */
        etm_position_check(w, &flow->base, p->offset);
    flow->synced = true;
    /* the security state is not traced (doc/errata.md); there is no Hyp mode */
    etm_walk_state(w, ETM_UNKNOWN, ETM_FALSE, p->offset);
    if (p->fields & ETM_FIELD_CONTEXT_ID)
        etm_walk_context_id(w, p->context_id, p->offset);
    if (lsip)
        in_progress(flow, p);
    if (!w->known || lsip)
        etm_position_go_base(w, &flow->base, p->offset);
    if (p->reason == ETM_SYNC_PERIODIC && !lsip)
        etm_etmv2_flow_atom(flow, true, p->offset);
}
