/* SPDX-License-Identifier: Apache-2.0 */
/* Branch addresses, exceptions and TFO packets of ETMv2. */
#include "flow/etmv2/sync.h"

/* The base of the vectors with HIVECS (4.5.3). */
#define HIGH_VECTORS 0xffff0000u
#define VECTORS_SIZE 0x20u

/* Vectors by their number, the offset divided by 4. */
#define VECTOR_DATA_ABORT 4u
#define VECTOR_RESERVED 5u

/* E = 1: the last instruction traced did not complete (6.7.1); if it was traced
 * as two, this is the second half. */
static void cancel(struct etm_etmv2_flow *flow)
{
    struct etm_follow *f = &flow->follow;

    if ((flow->at.last & ETM_LAST_OWNER) != 0)
        etm_data_discard(&flow->data, f);
    etm_position_take_back(&flow->at, f, &flow->data);
}

/*
 * Every branch to a vector is that exception (4.5.3), except for one that the
 * program shows to be a branch; and every one with E = 1 (6.7.1). Nothing is
 * known to use vector 0x14.
 */
static bool is_exception(const struct etm_etmv2_flow *flow, bool e)
{
    uint32_t base = flow->config.high_vectors ? HIGH_VECTORS : 0;
    uint32_t offset = flow->base.address - base;

    if (e)
        return true;
    return flow->base.isa == ETM_ISA_ARM && offset < VECTORS_SIZE &&
           offset >> 2 != VECTOR_RESERVED &&
           !etm_position_is_target(&flow->at, &flow->base);
}

/* From ETMv2.1 on an imprecise data abort cancels, a precise one never does
 * (6.8.1). */
static enum etm_exception_type meaning(unsigned number, bool e)
{
    static const uint8_t types[8] = {
        ETM_EXCEPTION_RESET,      ETM_EXCEPTION_UNDEFINED,
        ETM_EXCEPTION_SVC,        ETM_EXCEPTION_PREFETCH_ABORT,
        ETM_EXCEPTION_DATA_ABORT, ETM_EXCEPTION_RESERVED,
        ETM_EXCEPTION_IRQ,        ETM_EXCEPTION_FIQ};

    if (number == VECTOR_DATA_ABORT && e)
        return ETM_EXCEPTION_ASYNC_DATA_ABORT;
    return (enum etm_exception_type)types[number & 7];
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
        *address =
            e->u.exception.cancels +
            (cancelled && !flow->at.half && etm_position_was_split(&flow->at)
                 ? 2u
                 : 0);
        return true;
    }
    if (itself && etm_position_has_last(&flow->at)) {
        *address = etm_position_last(&flow->at);
        return true;
    }
    if (!flow->follow.known || itself)
        return false;
    *address = etm_position_address(&flow->at, &flow->follow);
    return true;
}

static void exception(struct etm_etmv2_flow *flow, const struct etm_packet *p,
                      bool cancelled)
{
    struct etm_follow *f = &flow->follow;
    bool e_bit = (p->fields & ETM_FIELD_CANCEL) != 0;
    unsigned number = flow->base.address >> 2 & 7;
    enum etm_exception_type type = meaning(number, e_bit);
    struct etm_element *e;

    etm_position_resume(&flow->at, f, p->offset);
    etm_follow_close(f);
    e = etm_follow_add(f, ETM_ELEMENT_EXCEPTION, p->offset);
    e->u.exception.number = (uint16_t)number;
    e->u.exception.type = (uint8_t)type;
    e->u.exception.cancels_known = cancelled;
    e->u.exception.cancels = cancelled ? etm_position_last(&flow->at) : 0;
    /* only the first half of the instruction was traced */
    if (e_bit && flow->at.half && f->known) {
        e->u.exception.cancels_known = true;
        e->u.exception.cancels = etm_position_address(&flow->at, &flow->follow);
    }
    e->u.exception.return_known =
        return_address(flow, e, cancelled, &e->u.exception.return_address);
    flow->at.last |= ETM_LAST_TARGETED;
    if (type == ETM_EXCEPTION_RESET)
        etm_follow_forget_context_id(f, p->offset);
    etm_position_go_base(&flow->at, f, &flow->base, p->offset);
}

/*
 * Does an ordinary branch address contradict the image? It may follow a direct
 * branch (branch output) only with the target of that branch, and anything else
 * only at a start of trace, where it names the instruction after a load/store
 * multiple (6.5.5).
 */
static bool contradicts(const struct etm_etmv2_flow *flow)
{
    const uint32_t last = flow->at.last;

    return etm_position_is_broadcast(&flow->at) &&
           (last & (ETM_LAST_FIRST | ETM_LAST_DIRECT)) != ETM_LAST_FIRST &&
           !etm_position_is_target(&flow->at, &flow->base);
}

/*
 * A TFO packet named a load/store multiple in progress, and a branch address
 * without a status names the next instruction (6.5.5): its data may still
 * come.
 */
void etm_etmv2_flow_in_progress(struct etm_etmv2_flow *flow)
{
    struct etm_follow *f = &flow->follow;
    const struct etm_block *block = NULL;

    if (flow->data_traced && flow->data.owner.kind == ETM_DATA_OWNER_NONE)
        block = etm_position_here(&flow->at, f);
    if (block != NULL && block->n != 0 && (block->data & 1) != 0)
        etm_data_insn(&flow->data, f, block->address,
                      etm_block_transfers(&f->blocks, block, 0));
    flow->at.last &= ~(uint32_t)ETM_LAST_NONE_YET;
}

void etm_etmv2_flow_branch(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;
    bool e = (p->fields & ETM_FIELD_CANCEL) != 0;
    bool cancelled = e && etm_position_has_last(&flow->at);
    bool alone = (flow->at.last & ETM_LAST_NONE_YET) != 0 && flow->data_traced;

    /* an instruction in progress is one before the packet (6.5.5) */
    flow->at.last &= ~(uint32_t)ETM_LAST_NONE_YET;
    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (cancelled && (flow->at.last & ETM_LAST_VALID) != 0)
        cancel(flow);
    if (is_exception(flow, e)) {
        exception(flow, p, cancelled);
        /* the transfers of an aborted instruction are void (6.8.1); nor did it
         * load the PC */
        if (!e && (flow->base.address >> 2 & 7) == VECTOR_DATA_ABORT &&
            (flow->at.last & ETM_LAST_OWNER) != 0)
            etm_data_discard(&flow->data, f);
        return;
    }
    if (alone)
        etm_etmv2_flow_in_progress(flow);
    if (contradicts(flow))
        etm_position_mismatch(&flow->at, f, p->offset, p->size);
    etm_position_resume(&flow->at, f, p->offset);
    flow->at.last |= ETM_LAST_TARGETED;
    etm_position_go_base(&flow->at, f, &flow->base, p->offset);
}

/* Tracing begins here. How long it was off is not traced: capture devices
 * leave those cycles out (6.11). */
static void restart(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;

    etm_follow_close(f);
    /* an overflow before Debug state is not reported after it (4.8): E-377 */
    etm_data_close(&flow->data, f,
                   p->reason != ETM_SYNC_OVERFLOW &&
                       p->reason != ETM_SYNC_DEBUG_EXIT);
    flow->data.owner.previous_known = false; /* nothing is after it */
    etm_position_resume(&flow->at, f, p->offset);
    etm_follow_trace_on(f, p->reason, p->offset);
    flow->at.last = p->reason != ETM_SYNC_PERIODIC ? ETM_LAST_NONE_YET : 0;
    etm_position_nowhere(&flow->at, f);
    etm_follow_trim(f);
    etm_follow_commit(f);
    f->cycles = 0;
    if (!flow->config.cycle_accurate)
        return;
    /* The cycle of the TFO is one of an instruction only if it is periodic:
     * otherwise it implies no status, and is the last one of the gap
     * (6.5.1). */
    if (p->reason == ETM_SYNC_PERIODIC)
        f->cycles = 1;
    else
        etm_follow_cycles(f, ETM_CYCLES_UNKNOWN, p->offset);
}

/* A load/store multiple in progress counts as executed, without a cycle of its
 * own; the second address is that of the next status (6.5.5). */
static void in_progress(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    uint64_t cycles = flow->follow.cycles;

    flow->follow.cycles = 0;
    etm_position_go(&flow->at, &flow->follow, p->address, (enum etm_isa)p->isa,
                    p->offset);
    flow->at.half = true; /* it stands for both halves of a 32-bit Thumb one */
    flow->at.arrived = false;
    etm_etmv2_flow_atom(flow, true, p->offset);
    etm_follow_close(&flow->follow); /* the flow begins after it */
    flow->follow.cycles = cycles;
    flow->at.last &= ~(uint32_t)ETM_LAST_VALID;
}

void etm_etmv2_flow_tfo(struct etm_etmv2_flow *flow, const struct etm_packet *p)
{
    struct etm_follow *f = &flow->follow;
    bool lsip = p->kind == ETM_PACKET_LSIP_I_SYNC;

    etm_broadcast_apply(&flow->base, &flow->config, p);
    if (!flow->synced || p->reason != ETM_SYNC_PERIODIC)
        restart(flow, p);
    else
        /* it gives the address of the instruction, or half of one, that was
         * executed in its cycle (7.11.2) */
        etm_position_check(&flow->at, f, &flow->base, p->offset);
    flow->synced = true;
    /* the security state is not traced (doc/errata.md); there is no Hyp mode */
    etm_follow_state(f, ETM_UNKNOWN, ETM_FALSE, p->offset);
    if (p->fields & ETM_FIELD_CONTEXT_ID)
        etm_follow_context_id(f, p->context_id, p->offset);
    if (lsip)
        in_progress(flow, p);
    if (!f->known || lsip)
        etm_position_go_base(&flow->at, f, &flow->base, p->offset);
    if (p->reason == ETM_SYNC_PERIODIC && !lsip)
        etm_etmv2_flow_atom(flow, true, p->offset);
}
