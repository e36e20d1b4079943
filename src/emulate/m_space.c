/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The M profile's system control space (ARMv7-M Architecture Reference Manual,
 * B3.2 to B3.4): SysTick, the interrupt controller, faults. Registers that are
 * not here read as they were written.
 */
#include "emulate/machine.h"

#include <string.h>

enum {
    SYST_CSR = 0x010,
    SYST_RVR = 0x014,
    SYST_CVR = 0x018,
    NVIC_ISER = 0x100,
    NVIC_ICER = 0x180,
    NVIC_ISPR = 0x200,
    NVIC_ICPR = 0x280,
    NVIC_IABR = 0x300,
    NVIC_IPR = 0x400,
    NVIC_IPR_END = 0x4f0,
    CPUID = 0xd00,
    ICSR = 0xd04,
    VTOR = 0xd08,
    AIRCR = 0xd0c,
    SCR = 0xd10,
    CCR = 0xd14,
    SHPR1 = 0xd18,
    SHPR_END = 0xd24,
    SHCSR = 0xd24,
    CFSR = 0xd28,
    HFSR = 0xd2c,
    MMFAR = 0xd34,
    BFAR = 0xd38,
    STIR = 0xf00
};

#define SYST_ENABLE 1u
#define SYST_TICKINT 2u
#define SYST_COUNTFLAG 0x10000u
#define SYST_MASK 0xffffffu

void etm_m_reset(struct etm_emulator *e)
{
    memset(&e->m, 0, sizeof e->m);
    for (unsigned i = 0; i < ETM_M_FIRST_IRQ; i++)
        e->m.enabled[i] = true;
    for (unsigned i = ETM_M_MEM_MANAGE; i < ETM_M_MEM_MANAGE + 3; i++)
        e->m.enabled[i] = false;
    e->m.vtor = e->vectors;
    e->m.ccr = 0x200; /* STKALIGN */
    e->m.systick_due = UINT64_MAX;
}

/* SysTick counts cycles; it is due when it reaches 0. */
static uint32_t systick_value(const struct etm_emulator *e)
{
    if (e->m.systick_due == UINT64_MAX || e->m.systick_due <= e->result.cycles)
        return 0;
    return (uint32_t)(e->m.systick_due - e->result.cycles) & SYST_MASK;
}

static void systick_start(struct etm_emulator *e)
{
    bool counts =
        (e->m.systick_control & SYST_ENABLE) != 0 && e->m.systick_reload != 0;

    e->m.systick_due =
        counts ? e->result.cycles + e->m.systick_reload + 1 : UINT64_MAX;
}

void etm_m_tick(struct etm_emulator *e)
{
    uint64_t period = (uint64_t)e->m.systick_reload + 1;

    if (e->result.cycles < e->m.systick_due)
        return;
    e->m.systick_counted = 1;
    if ((e->m.systick_control & SYST_TICKINT) != 0) {
        e->m.pending[ETM_M_SYS_TICK] = true;
        e->wants = true;
    }
    if (e->m.systick_reload == 0) {
        e->m.systick_due = UINT64_MAX;
        return;
    }
    while (e->m.systick_due <= e->result.cycles)
        e->m.systick_due += period;
}

/* 32 interrupts of a table of truth values. */
static uint32_t bits_of(const bool *table, uint32_t offset)
{
    uint32_t bits = 0;
    unsigned first = ETM_M_FIRST_IRQ + (offset & 0x1c) * 8;

    for (unsigned i = 0; i < 32 && first + i < ETM_M_EXCEPTIONS; i++)
        bits |= (uint32_t)table[first + i] << i;
    return bits;
}

static void set_bits(bool *table, uint32_t offset, uint32_t bits, bool value)
{
    unsigned first = ETM_M_FIRST_IRQ + (offset & 0x1c) * 8;

    for (unsigned i = 0; i < 32 && first + i < ETM_M_EXCEPTIONS; i++) {
        if ((bits >> i & 1) != 0)
            table[first + i] = value;
    }
}

static uint32_t priorities_at(const struct etm_emulator *e, unsigned first)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4 && first + i < ETM_M_EXCEPTIONS; i++)
        value |= (uint32_t)e->m.priority[first + i] << (8 * i);
    return value;
}

static uint32_t icsr(const struct etm_emulator *e)
{
    uint32_t value = etm_machine_get(e, UC_ARM_REG_IPSR) & 0x1ff;
    unsigned first = 0;

    for (unsigned i = ETM_M_EXCEPTIONS - 1; i >= ETM_M_NMI; i--) {
        if (e->m.pending[i] && e->m.enabled[i] &&
            (first == 0 || e->m.priority[i] <= e->m.priority[first]))
            first = i;
    }
    value |= first << 12;
    value |= (uint32_t)e->m.pending[ETM_M_SYS_TICK] << 26;
    value |= (uint32_t)e->m.pending[ETM_M_PEND_SV] << 28;
    return value | (uint32_t)e->m.pending[ETM_M_NMI] << 31;
}

static uint32_t systick_control(struct etm_emulator *e)
{
    uint32_t value = e->m.systick_control | 4;

    if (e->m.systick_counted != 0)
        value |= SYST_COUNTFLAG;
    e->m.systick_counted = 0;
    return value;
}

static uint32_t system_read(struct etm_emulator *e, uint32_t offset)
{
    uint32_t value = 0;

    switch (offset) {
    case SYST_CSR:
        return systick_control(e);
    case SYST_RVR:
        return e->m.systick_reload;
    case SYST_CVR:
        return systick_value(e);
    case CPUID:
        return strcmp(e->core->processor, "cortex-m4") == 0 ? 0x410fc241
                                                            : 0x412fc231;
    case ICSR:
        return icsr(e);
    case VTOR:
        return e->m.vtor;
    case AIRCR:
        return 0xfa050000 | e->m.prigroup << 8;
    case SCR:
        return e->m.scr;
    case CCR:
        return e->m.ccr;
    case SHCSR:
        return e->m.shcsr;
    case CFSR:
        return e->m.cfsr;
    case HFSR:
        return e->m.hfsr;
    case MMFAR:
        return e->m.mmfar;
    case BFAR:
        return e->m.bfar;
    default:
        etm_machine_read32(e, ETM_M_SPACE + offset, &value);
        return value;
    }
}

uint32_t etm_m_space_read(struct etm_emulator *e, uint32_t offset)
{
    if (offset >= NVIC_ISER && offset < NVIC_ISPR)
        return bits_of(e->m.enabled, offset);
    if (offset >= NVIC_ISPR && offset < NVIC_IABR)
        return bits_of(e->m.pending, offset);
    if (offset >= NVIC_IABR && offset < NVIC_IABR + 0x80)
        return bits_of(e->m.active, offset);
    if (offset >= NVIC_IPR && offset < NVIC_IPR_END)
        return priorities_at(e, ETM_M_FIRST_IRQ + (offset - NVIC_IPR));
    if (offset >= SHPR1 && offset < SHPR_END)
        return priorities_at(e, ETM_M_MEM_MANAGE + (offset - SHPR1));
    return system_read(e, offset);
}

static void write_icsr(struct etm_emulator *e, uint32_t value)
{
    if ((value >> 31) != 0)
        e->m.pending[ETM_M_NMI] = true;
    if ((value >> 28 & 1) != 0)
        e->m.pending[ETM_M_PEND_SV] = true;
    else if ((value >> 27 & 1) != 0)
        e->m.pending[ETM_M_PEND_SV] = false;
    if ((value >> 26 & 1) != 0)
        e->m.pending[ETM_M_SYS_TICK] = true;
    else if ((value >> 25 & 1) != 0)
        e->m.pending[ETM_M_SYS_TICK] = false;
}

static void write_shcsr(struct etm_emulator *e, uint32_t value)
{
    e->m.shcsr = value;
    for (unsigned i = 0; i < 3; i++)
        e->m.enabled[ETM_M_MEM_MANAGE + i] = (value >> (16 + i) & 1) != 0;
}

/* A key keeps stray writes away; SYSRESETREQ ends the program. */
static void write_aircr(struct etm_emulator *e, uint32_t value)
{
    if (value >> 16 != 0x05fa)
        return;
    e->m.prigroup = value >> 8 & 7;
    if ((value & 4) != 0)
        etm_machine_end(e, ETM_RUN_END_EXIT, e->at);
}

static void system_write(struct etm_emulator *e, uint32_t offset,
                         uint32_t value)
{
    switch (offset) {
    case SYST_CSR:
        if (((e->m.systick_control ^ value) & SYST_ENABLE) != 0) {
            e->m.systick_control = value & 7;
            systick_start(e);
        }
        e->m.systick_control = value & 7;
        break;
    case SYST_RVR:
        e->m.systick_reload = value & SYST_MASK;
        break;
    case SYST_CVR:
        e->m.systick_counted = 0;
        systick_start(e);
        break;
    case ICSR:
        write_icsr(e, value);
        break;
    case VTOR:
        e->m.vtor = value & ~0x7fu;
        break;
    case AIRCR:
        write_aircr(e, value);
        break;
    case SCR:
        e->m.scr = value;
        break;
    case CCR:
        e->m.ccr = value;
        break;
    case SHCSR:
        write_shcsr(e, value);
        break;
    case CFSR:
        e->m.cfsr &= ~value;
        break;
    case HFSR:
        e->m.hfsr &= ~value;
        break;
    case STIR:
        if ((value & 0x1ff) < ETM_M_EXCEPTIONS - ETM_M_FIRST_IRQ)
            e->m.pending[ETM_M_FIRST_IRQ + (value & 0x1ff)] = true;
        break;
    default:
        break;
    }
}

static void write_priorities(struct etm_emulator *e, unsigned first,
                             uint32_t value, uint32_t size)
{
    for (unsigned i = 0; i < size && first + i < ETM_M_EXCEPTIONS; i++)
        e->m.priority[first + i] = (uint8_t)(value >> (8 * i));
}

void etm_m_space_write(struct etm_emulator *e, uint32_t address, uint32_t value,
                       uint32_t size)
{
    uint32_t offset = address - ETM_M_SPACE;

    if (offset >= NVIC_IPR && offset < NVIC_IPR_END)
        write_priorities(e, ETM_M_FIRST_IRQ + (offset - NVIC_IPR), value, size);
    else if (offset >= SHPR1 && offset < SHPR_END)
        write_priorities(e, ETM_M_MEM_MANAGE + (offset - SHPR1), value, size);
    else if (offset >= NVIC_ISER && offset < NVIC_ISPR)
        set_bits(e->m.enabled, offset, value, offset < NVIC_ICER);
    else if (offset >= NVIC_ISPR && offset < NVIC_IABR)
        set_bits(e->m.pending, offset, value, offset < NVIC_ICPR);
    else
        system_write(e, offset, value);
    /* Pending or masked otherwise now: look before the next instruction. */
    e->wants = true;
}
