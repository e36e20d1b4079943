/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions of the A and R profiles, as the Arm Architecture Reference Manual
 * (ARMv7-A and ARMv7-R, B1.8 and B1.9) has them; Armv4 to Armv6 have no
 * differences that are visible to a program without Security Extensions.
 */
#include "emulate/machine.h"

#include "base/exception.h"

#define MODE_MASK 0x1fu
#define PSR_FIQ 0x40u
#define PSR_IRQ 0x80u
#define PSR_ASYNC 0x100u
#define PSR_EXECUTION 0x0700fc20u /* IT, J, T */
#define PSR_E 0x200u

#define SCTLR_V 0x2000u
#define SCTLR_EE 0x2000000u
#define SCTLR_TE 0x40000000u

/* The mode of the handler. */
static uint32_t mode_of(enum etm_exception_type type)
{
    if (type == ETM_EXCEPTION_UNDEFINED)
        return 0x1b;
    if (type == ETM_EXCEPTION_SVC)
        return 0x13;
    if (type == ETM_EXCEPTION_PREFETCH_ABORT ||
        type == ETM_EXCEPTION_DATA_ABORT)
        return 0x17;
    return type == ETM_EXCEPTION_IRQ ? 0x12 : 0x11;
}

/* The CPSR of the handler. */
static uint32_t handler_psr(const struct etm_emulator *e,
                            enum etm_exception_type type, uint32_t psr)
{
    bool thumb = e->core->architecture >= 7 && (e->sctlr & SCTLR_TE) != 0;

    psr &= ~(MODE_MASK | PSR_EXECUTION | PSR_E);
    psr |= PSR_IRQ | mode_of(type);
    if (type == ETM_EXCEPTION_FIQ)
        psr |= PSR_FIQ;
    if (e->core->architecture >= 6) {
        if (type != ETM_EXCEPTION_SVC && type != ETM_EXCEPTION_UNDEFINED)
            psr |= PSR_ASYNC;
        if ((e->sctlr & SCTLR_EE) != 0)
            psr |= PSR_E;
    }
    return thumb ? psr | ETM_PSR_T : psr;
}

uint32_t etm_machine_take(struct etm_emulator *e, enum etm_exception_type type,
                          uint32_t link, bool cancels)
{
    uint32_t psr = etm_machine_psr(e) & ~(PSR_EXECUTION & ~ETM_PSR_T);
    uint32_t saved = psr | etm_it_to_psr(e->it);
    uint32_t handler = handler_psr(e, type, psr);
    uint32_t vector = (e->sctlr & SCTLR_V) != 0 ? ETM_HIGH_VECTORS : e->vbar;
    uint32_t first = 0;
    struct etm_event *event;

    vector += etm_exception_vector(type);
    /* A word of zeros is no handler: the memory holds no vectors. */
    if (!etm_machine_read32(e, vector, &first) || first == 0) {
        etm_machine_end(e, ETM_RUN_END_LOCKUP, vector);
        return vector;
    }
    etm_machine_set(e, UC_ARM_REG_CPSR, handler);
    etm_machine_set(e, UC_ARM_REG_SPSR, saved);
    etm_machine_set(e, UC_ARM_REG_LR, link);
    event = etm_machine_event(e, ETM_EVENT_EXCEPTION, ETM_REFILL);
    event->u.exception.type = (uint8_t)type;
    event->u.exception.cancels = cancels;
    event->u.exception.next = etm_machine_place(e, vector, handler);
    e->result.exceptions++;
    e->user = false;
    e->it = 0;
    return vector | ((handler & ETM_PSR_T) != 0 ? 1 : 0);
}

/* Which interrupt would be taken: ETM_EXCEPTION_RESERVED is none. */
static enum etm_exception_type unmasked(const struct etm_emulator *e,
                                        uint32_t psr)
{
    if (e->fiq && (psr & PSR_FIQ) == 0)
        return ETM_EXCEPTION_FIQ;
    if (e->irq && (psr & PSR_IRQ) == 0)
        return ETM_EXCEPTION_IRQ;
    return ETM_EXCEPTION_RESERVED;
}

bool etm_machine_preempts(const struct etm_emulator *e, uint32_t psr)
{
    return unmasked(e, psr) != ETM_EXCEPTION_RESERVED;
}

bool etm_machine_interrupt(struct etm_emulator *e, uint32_t address,
                           uint32_t *next)
{
    enum etm_exception_type type = unmasked(e, etm_machine_psr(e));

    if (type == ETM_EXCEPTION_RESERVED)
        return false;
    if (type == ETM_EXCEPTION_FIQ)
        e->fiq = false;
    else
        e->irq = false;
    e->accepted++;
    e->wants = e->irq || e->fiq;
    *next = etm_machine_take(e, type, address + 4, false);
    return true;
}

/* MCR p15, opc1, Rt, CRn, CRm, opc2 without Rt and condition. */
#define MCR_MASK 0x0fff0fffu
#define MCR_SCTLR 0x0e010f10u
#define MCR_VBAR 0x0e0c0f10u
#define MCR_CONTEXTIDR 0x0e0d0f30u

void etm_machine_coprocessor(struct etm_emulator *e, uint32_t opcode,
                             uint32_t value)
{
    struct etm_event *event;

    if (e->profile == ETM_PROFILE_M)
        return;
    if ((opcode & MCR_MASK) == MCR_SCTLR) {
        e->sctlr = value;
    } else if ((opcode & MCR_MASK) == MCR_VBAR && e->core->architecture >= 7 &&
               e->profile == ETM_PROFILE_A) {
        e->vbar = value & ~0x1fu;
    } else if ((opcode & MCR_MASK) == MCR_CONTEXTIDR &&
               value != e->context_id && e->core->architecture >= 6) {
        e->context_id = value;
        event = etm_machine_event(e, ETM_EVENT_CONTEXT, 0);
        event->u.context.context_id = value;
        event->u.context.user = e->user;
    }
}
