/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions of the M profile, as the ARMv7-M Architecture Reference Manual
 * (B1.5) has them: priorities, stacking, returns, tail-chaining. The order of
 * the words on the stack is that of their addresses (ETM architecture 7.5.3).
 */
#include "emulate/machine.h"

#define FRAME 32u
#define FRAME_WORDS 8u
#define XPSR_FLAGS 0xf80f0000u
#define XPSR_T 0x01000000u
#define XPSR_ALIGNED 0x200u
#define XPSR_NUMBER 0x1ffu
#define CCR_STKALIGN 0x200u
#define CONTROL_NPRIV 1u
#define CONTROL_SPSEL 2u
#define HFSR_FORCED 0x40000000u

#define EXC_RETURN_HANDLER 0xfffffff1u
#define EXC_RETURN_THREAD 0xfffffff9u
#define EXC_RETURN_PROCESS 0xfffffffdu

/* Lower than all that can be active. */
#define THREAD_PRIORITY 256

static const int frame_registers[6] = {UC_ARM_REG_R0,  UC_ARM_REG_R1,
                                       UC_ARM_REG_R2,  UC_ARM_REG_R3,
                                       UC_ARM_REG_R12, UC_ARM_REG_LR};

static int group(const struct etm_emulator *e, int priority)
{
    return priority & ~((2 << e->m.prigroup) - 1);
}

static int priority_of(const struct etm_emulator *e, unsigned number)
{
    if (number <= ETM_M_HARD_FAULT)
        return (int)number - 4;
    return e->m.priority[number];
}

/* The group priority of an exception (B1.5.4). */
static int group_of(const struct etm_emulator *e, unsigned number)
{
    int priority = priority_of(e, number);

    return priority < 0 ? priority : group(e, priority);
}

static int lower_of(int a, int b)
{
    return a < b ? a : b;
}

/* What executes now (ExecutionPriority(), B1.5.4). */
static int execution_priority(const struct etm_emulator *e, bool masks)
{
    int priority = THREAD_PRIORITY;
    int base = (int)etm_machine_get(e, UC_ARM_REG_BASEPRI) & 0xff;

    for (unsigned i = ETM_M_NMI; i < ETM_M_EXCEPTIONS; i++) {
        if (e->m.active[i])
            priority = lower_of(priority, group_of(e, i));
    }
    if (base != 0)
        priority = lower_of(priority, group(e, base));
    if (masks && (etm_machine_get(e, UC_ARM_REG_PRIMASK) & 1) != 0)
        priority = lower_of(priority, 0);
    if (masks && (etm_machine_get(e, UC_ARM_REG_FAULTMASK) & 1) != 0)
        priority = lower_of(priority, -1);
    return priority;
}

/* The pending exception to be taken first; 0: none. */
static unsigned first_pending(const struct etm_emulator *e)
{
    unsigned best = 0;

    for (unsigned i = ETM_M_NMI; i < ETM_M_EXCEPTIONS; i++) {
        if (e->m.pending[i] && e->m.enabled[i] &&
            (best == 0 || priority_of(e, i) < priority_of(e, best)))
            best = i;
    }
    return best;
}

static unsigned preempting(const struct etm_emulator *e, bool masks)
{
    unsigned number = first_pending(e);

    return number != 0 && group_of(e, number) < execution_priority(e, masks)
               ? number
               : 0;
}

bool etm_m_preempts(struct etm_emulator *e)
{
    e->wants = first_pending(e) != 0;
    return e->wants && preempting(e, true) != 0;
}

/* PRIMASK does not keep a WFI asleep (B1.5.19). */
bool etm_m_wakes(const struct etm_emulator *e)
{
    return preempting(e, false) != 0;
}

static bool in_handler(const struct etm_emulator *e)
{
    return (etm_machine_get(e, UC_ARM_REG_IPSR) & XPSR_NUMBER) != 0;
}

static bool on_process_stack(const struct etm_emulator *e)
{
    return !in_handler(e) &&
           (etm_machine_get(e, UC_ARM_REG_CONTROL) & CONTROL_SPSEL) != 0;
}

/* The xPSR as an exception saves it. */
static uint32_t saved_xpsr(const struct etm_emulator *e)
{
    return (etm_machine_psr(e) & XPSR_FLAGS) | XPSR_T | etm_it_to_psr(e->it) |
           (etm_machine_get(e, UC_ARM_REG_IPSR) & XPSR_NUMBER);
}

/* PushStack(), B1.5.6. False: there is no memory for it. */
static bool push_frame(struct etm_emulator *e, uint32_t link)
{
    bool process = on_process_stack(e);
    int bank = process ? UC_ARM_REG_PSP : UC_ARM_REG_MSP;
    uint32_t sp = etm_machine_get(e, bank);
    uint32_t frame = sp - FRAME;
    uint32_t words[FRAME_WORDS];
    bool align = (e->m.ccr & CCR_STKALIGN) != 0 && (sp & 4) != 0;

    if (align)
        frame -= 4;
    for (unsigned i = 0; i < 6; i++)
        words[i] = etm_machine_get(e, frame_registers[i]);
    words[6] = link;
    words[7] = saved_xpsr(e) | (align ? XPSR_ALIGNED : 0);
    if (etm_machine_memory(e, frame, FRAME) == NULL)
        return false;
    etm_machine_event(e, ETM_EVENT_STACKING, 0);
    for (unsigned i = 0; i < FRAME_WORDS; i++) {
        etm_machine_write32(e, frame + 4 * i, words[i]);
        etm_machine_data(e, frame + 4 * i, words[i], 4, true);
    }
    etm_machine_set(e, bank, frame);
    etm_machine_set(e, UC_ARM_REG_LR,
                    in_handler(e) ? EXC_RETURN_HANDLER
                    : process     ? EXC_RETURN_PROCESS
                                  : EXC_RETURN_THREAD);
    return true;
}

/* Handler mode uses the main stack, and CONTROL says so. Unicorn lets only
 * privileged code change CONTROL. */
static void enter_handler(struct etm_emulator *e, unsigned number)
{
    uint32_t control = etm_machine_get(e, UC_ARM_REG_CONTROL);

    if (!in_handler(e) && (control & CONTROL_NPRIV) == 0)
        etm_machine_set(e, UC_ARM_REG_CONTROL, control & ~CONTROL_SPSEL);
    etm_machine_set(e, UC_ARM_REG_IPSR, number);
}

/* ExceptionTaken(), B1.5.6, after the push or, tail-chaining, without one.
 * `link` is the EXC_RETURN value then. */
static uint32_t enter(struct etm_emulator *e, unsigned number, uint32_t link,
                      bool cancels, enum etm_chain chain)
{
    uint32_t handler = 0;
    struct etm_event *event;

    if (!etm_machine_read32(e, e->m.vtor + 4 * number, &handler) ||
        (handler & 1) == 0 || etm_machine_memory(e, handler - 1, 2) == NULL) {
        etm_machine_end(e, ETM_RUN_END_LOCKUP, link & ~1u);
        return link;
    }
    if (chain == ETM_CHAIN_NONE && !push_frame(e, link)) {
        etm_machine_end(e, ETM_RUN_END_LOCKUP, link);
        return link;
    }
    if (chain != ETM_CHAIN_NONE)
        etm_machine_set(e, UC_ARM_REG_LR, link);
    enter_handler(e, number);
    e->accepted += e->m.pending[number];
    e->m.pending[number] = false;
    e->m.active[number] = true;
    event = etm_machine_event(e, ETM_EVENT_EXCEPTION, ETM_REFILL);
    event->u.exception.type =
        (uint8_t)etm_exception_of_number(number, &event->u.exception.irq);
    event->u.exception.cancels = cancels;
    event->u.exception.chain = (uint8_t)chain;
    event->u.exception.next =
        (struct etm_place){.address = handler & ~1u, .isa = ETM_ISA_THUMB};
    e->result.exceptions++;
    e->it = 0;
    return handler;
}

bool etm_m_interrupt(struct etm_emulator *e, uint32_t address, uint32_t *next)
{
    unsigned number = preempting(e, true);

    e->wants = first_pending(e) != 0;
    if (number == 0)
        return false;
    *next = enter(e, number, address, false, ETM_CHAIN_NONE);
    e->wants = first_pending(e) != 0;
    return true;
}

/* What cannot be taken becomes a HardFault (B1.5.14); where that cannot be
 * taken either, the processor locks up. */
static uint32_t escalate(struct etm_emulator *e, uint32_t link, bool cancels)
{
    if (execution_priority(e, true) <= -1) {
        etm_machine_end(e, ETM_RUN_END_LOCKUP, link);
        return link;
    }
    e->m.hfsr |= HFSR_FORCED;
    return enter(e, ETM_M_HARD_FAULT, link, cancels, ETM_CHAIN_NONE);
}

uint32_t etm_m_svc(struct etm_emulator *e, uint32_t link)
{
    if (group_of(e, ETM_M_SVC) >= execution_priority(e, true))
        return escalate(e, link, false);
    return enter(e, ETM_M_SVC, link, false, ETM_CHAIN_NONE);
}

uint32_t etm_m_fault(struct etm_emulator *e, unsigned number, uint32_t link,
                     bool cancels)
{
    if (!e->m.enabled[number] ||
        group_of(e, number) >= execution_priority(e, true))
        return escalate(e, link, cancels);
    return enter(e, number, link, cancels, ETM_CHAIN_NONE);
}

/* The mode and stack that an EXC_RETURN value stands for. */
static void leave_handler(struct etm_emulator *e, uint32_t value,
                          uint32_t number)
{
    uint32_t control = etm_machine_get(e, UC_ARM_REG_CONTROL);

    etm_machine_set(e, UC_ARM_REG_IPSR, number);
    if (number != 0 || (control & CONTROL_NPRIV) != 0)
        return;
    control &= ~CONTROL_SPSEL;
    if (value == EXC_RETURN_PROCESS)
        control |= CONTROL_SPSEL;
    etm_machine_set(e, UC_ARM_REG_CONTROL, control);
}

/* PopStack(), B1.5.8. */
static uint32_t pop_frame(struct etm_emulator *e, uint32_t value,
                          struct etm_event *insn)
{
    int bank = value == EXC_RETURN_PROCESS ? UC_ARM_REG_PSP : UC_ARM_REG_MSP;
    uint32_t sp = etm_machine_get(e, bank);
    uint32_t words[FRAME_WORDS] = {0};

    for (unsigned i = 0; i < FRAME_WORDS; i++) {
        if (!etm_machine_read32(e, sp + 4 * i, &words[i])) {
            etm_machine_end(e, ETM_RUN_END_LOCKUP, value);
            return value;
        }
    }
    insn->u.insn.next =
        (struct etm_place){.address = words[6] & ~1u, .isa = ETM_ISA_THUMB};
    etm_machine_event(e, ETM_EVENT_STACKING, 0)->u.stacking.pop = true;
    for (unsigned i = 0; i < FRAME_WORDS; i++)
        etm_machine_data(e, sp + 4 * i, words[i], 4, false);
    for (unsigned i = 0; i < 6; i++)
        etm_machine_set(e, frame_registers[i], words[i]);
    etm_machine_set(e, bank,
                    sp + FRAME + ((words[7] & XPSR_ALIGNED) != 0 ? 4 : 0));
    leave_handler(e, value,
                  value == EXC_RETURN_HANDLER ? words[7] & XPSR_NUMBER : 0);
    etm_machine_set(e, UC_ARM_REG_APSR, words[7] & XPSR_FLAGS);
    e->it = etm_it_of_psr(words[7]);
    etm_machine_owe(e, ETM_REFILL);
    return words[6] | 1;
}

/*
 * ExceptionReturn(), B1.5.8. A pending exception that would preempt what is
 * returned to is entered without pop and push.
 */
uint32_t etm_m_return(struct etm_emulator *e, uint32_t value)
{
    struct etm_event *insn = &e->batch[e->current.event];
    unsigned number = etm_machine_get(e, UC_ARM_REG_IPSR) & XPSR_NUMBER;

    e->current.running = false;
    insn->u.insn.exception_return = true;
    insn->u.insn.next = (struct etm_place){.isa = ETM_ISA_UNKNOWN};
    if (value != EXC_RETURN_HANDLER && value != EXC_RETURN_THREAD &&
        value != EXC_RETURN_PROCESS) {
        etm_machine_end(e, ETM_RUN_END_LOCKUP, value);
        return value;
    }
    e->m.active[number] = false;
    if (number != ETM_M_NMI)
        etm_machine_set(e, UC_ARM_REG_FAULTMASK, 0);
    number = preempting(e, true);
    if (number != 0)
        value = enter(e, number, value, false, ETM_CHAIN_TAIL);
    else
        value = pop_frame(e, value, insn);
    e->wants = first_pending(e) != 0;
    return value;
}
