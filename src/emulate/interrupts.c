/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interrupts that come while a program runs: when the next one does, and
 * waiting for it.
 */
#include "emulate/machine.h"

bool *etm_machine_pending(struct etm_emulator *e,
                          const struct etm_interrupt *interrupt)
{
    switch ((enum etm_interrupt_kind)interrupt->kind) {
    case ETM_INTERRUPT_IRQ:
        return &e->irq;
    case ETM_INTERRUPT_FIQ:
        return &e->fiq;
    case ETM_INTERRUPT_IRQ_N:
        return &e->m.pending[ETM_M_FIRST_IRQ + interrupt->number];
    case ETM_INTERRUPT_SYS_TICK:
        return &e->m.pending[ETM_M_SYS_TICK];
    case ETM_INTERRUPT_PEND_SV:
        return &e->m.pending[ETM_M_PEND_SV];
    case ETM_INTERRUPT_NMI:
        break;
    }
    return &e->m.pending[ETM_M_NMI];
}

void etm_machine_collect(struct etm_emulator *e)
{
    struct etm_interrupt *list = e->interrupts.data;

    if (e->profile == ETM_PROFILE_M)
        etm_m_tick(e);
    if (e->clock < e->due)
        return;
    e->due = UINT64_MAX;
    for (size_t i = 0; i < e->interrupts.n; i++) {
        if (list[i].at <= e->clock) {
            *etm_machine_pending(e, &list[i]) = true;
            e->wants = true;
            if (list[i].every == 0)
                list[i].at = UINT64_MAX;
            while (list[i].at <= e->clock)
                list[i].at += list[i].every;
        }
        if (list[i].at < e->due)
            e->due = list[i].at;
    }
}

static bool preempts(struct etm_emulator *e, uint32_t psr)
{
    return e->profile == ETM_PROFILE_M ? etm_m_preempts(e)
                                       : etm_machine_preempts(e, psr);
}

bool etm_machine_attention(struct etm_emulator *e, uint32_t psr)
{
    if (e->result.instructions >= e->limit)
        return true;
    if (e->clock >= e->due || e->result.cycles >= e->m.systick_due)
        etm_machine_collect(e);
    return e->wants && preempts(e, psr);
}

void etm_machine_wait(struct etm_emulator *e, uint32_t address)
{
    bool is_m = e->profile == ETM_PROFILE_M;

    etm_machine_event(e, ETM_EVENT_WAIT, 0);
    etm_machine_collect(e);
    while (!(is_m ? etm_m_wakes(e) : e->irq || e->fiq)) {
        uint64_t more = e->due == UINT64_MAX ? UINT64_MAX : e->due - e->clock;
        uint64_t tick = e->m.systick_due == UINT64_MAX
                            ? UINT64_MAX
                            : e->m.systick_due - e->result.cycles;

        if (is_m && tick < more)
            more = tick;
        if (more == UINT64_MAX ||
            (is_m && more == tick && e->due == UINT64_MAX &&
             (e->m.systick_control & 2) == 0)) {
            etm_machine_end(e, ETM_RUN_END_WAITING, address);
            return;
        }
        e->clock += more;
        etm_machine_owe(e, more);
        etm_machine_collect(e);
    }
}
