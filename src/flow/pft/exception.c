/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions in PFT: where they return to, and what becomes of the return
 * stack. */
#include "flow/pft/flow.h"

/* The exception that the instruction named by the waypoint update raises by
 * itself. */
static enum etm_trap updated_trap(const struct etm_pft_flow *flow)
{
    const struct etm_walk *f = &flow->walk;
    struct etm_space space = {.secure = (enum etm_tri)f->now.secure,
                              .has_context = f->now.context_id_known,
                              .context_id = f->now.context_id};
    struct etm_insn insn = {.trap = ETM_TRAP_NONE};
    uint8_t bytes[4];
    size_t n = etm_image_read(f->blocks.image, flow->updated_address, &space,
                              bytes, sizeof bytes);

    etm_insn_decode(&insn, (enum etm_isa)f->isa, f->profile,
                    flow->updated_address, bytes, n);
    return (enum etm_trap)insn.trap;
}

/*
 * Entry to Hyp mode: after an HVC, or at an instruction that was trapped.
 * Whether a waypoint update has named this instruction or the one before it is
 * not known, except for an SMC, which leads nowhere else (doc/errata.md,
 * E-312).
 */
static bool hyp_return(const struct etm_pft_flow *flow, uint32_t *address)
{
    switch (updated_trap(flow)) {
    case ETM_TRAP_HVC:
    case ETM_TRAP_SVC:
        return true;
    case ETM_TRAP_SMC:
        *address = flow->updated_address;
        return true;
    case ETM_TRAP_NONE:
    case ETM_TRAP_BKPT:
    case ETM_TRAP_UDF:
        break;
    }
    return false;
}

/* Preferred return address of the Arm manual. */
static bool return_address(const struct etm_pft_flow *flow,
                           enum etm_exception_type type, uint32_t *address)
{
    *address = flow->walk.address;
    if (type == ETM_EXCEPTION_RESET || !flow->walk.known)
        return false;
    /* a waypoint update names the undefined instruction (4.9) */
    if (type == ETM_EXCEPTION_UNDEFINED && flow->updated)
        *address = flow->updated_address;
    if (type == ETM_EXCEPTION_HYP_ENTRY && flow->updated)
        return hyp_return(flow, address);
    return true;
}

/*
 * An exception that returns to `address` occurred while the stack had entries.
 * When execution comes back there, this is the return only if nothing else
 * leads there: v1.1 has a packet for returns; earlier, it is an address after
 * an instruction that is no waypoint, where usually no branch leads
 * (doc/errata.md, E-378).
 */
static void interrupt(struct etm_pft_flow *flow, uint32_t address)
{
    if (flow->stack.n == 0 || flow->doubt ||
        (flow->config.minor == 0 && !flow->updated))
        return;
    flow->interrupted = true;
    flow->back = (struct etm_return){address, flow->walk.isa};
    flow->back_top = flow->stack.top;
}

void etm_pft_flow_exception(struct etm_pft_flow *flow,
                            const struct etm_packet *p)
{
    struct etm_walk *f = &flow->walk;
    uint16_t irq;
    enum etm_exception_type type =
        etm_exception_meaning(flow->config.profile, ETM_PROTOCOL_PFT,
                              flow->config.minor, p->exception, &irq);
    struct etm_element *e;

    etm_pft_flow_resume(flow, p->offset);
    etm_walk_close(f);
    e = etm_walk_add(f, ETM_ELEMENT_EXCEPTION, p->offset);
    e->u.exception.number = p->exception;
    e->u.exception.irq = irq;
    e->u.exception.type = (uint8_t)type;
    e->u.exception.return_known =
        return_address(flow, type, &e->u.exception.return_address);
    if (!e->u.exception.return_known)
        e->u.exception.return_address = 0;
    if (e->u.exception.return_known)
        interrupt(flow, e->u.exception.return_address);
    flow->came_back = false;
    flow->updated = false;
    if (type == ETM_EXCEPTION_RESET) { /* undefined then (B.2.1) */
        etm_walk_forget_context_id(f, p->offset);
        etm_walk_forget_vmid(f, p->offset);
    }
    if (type != ETM_EXCEPTION_DEBUG_HALT) {
        etm_pft_flow_go_last(flow, p->offset);
        return;
    }
    /* address and state mean nothing (4.8), and tracing begins again with an
     * I-sync: what comes before that is lost (doc/errata.md, E-430) */
    etm_walk_nowhere(f);
    flow->walk.astray = true;
}
