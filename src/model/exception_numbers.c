/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that exceptions have in packets of ETMv3 and PFT. */
#include "model/generator.h"
#include "proto/etmv3.h"

/* Excp[3:0] of A and R profiles (ETM architecture, table 7-12; ETMv3.5 table
 * 7.12; PFT 4.3.4). */
static unsigned classic_number(enum etm_exception_type type)
{
    switch (type) {
    case ETM_EXCEPTION_DEBUG_HALT:
        return 0x1;
    case ETM_EXCEPTION_SMC:
        return 0x2;
    case ETM_EXCEPTION_HYP_ENTRY:
    case ETM_EXCEPTION_HVC: /* an entry to Hyp mode too */
        return 0x3;
    case ETM_EXCEPTION_ASYNC_DATA_ABORT:
        return 0x4;
    case ETM_EXCEPTION_JAZELLE_THUMBEE:
        return 0x5;
    case ETM_EXCEPTION_RESET:
        return 0x8;
    case ETM_EXCEPTION_UNDEFINED:
        return 0x9;
    case ETM_EXCEPTION_SVC:
        return 0xa;
    case ETM_EXCEPTION_PREFETCH_ABORT:
        return 0xb;
    case ETM_EXCEPTION_DATA_ABORT:
        return 0xc;
    case ETM_EXCEPTION_GENERIC:
        return 0xd;
    case ETM_EXCEPTION_IRQ:
        return 0xe;
    case ETM_EXCEPTION_FIQ:
        return 0xf;
    case ETM_EXCEPTION_RESERVED:
    case ETM_EXCEPTION_NMI:
    case ETM_EXCEPTION_HARD_FAULT:
    case ETM_EXCEPTION_MEM_MANAGE:
    case ETM_EXCEPTION_BUS_FAULT:
    case ETM_EXCEPTION_USAGE_FAULT:
    case ETM_EXCEPTION_DEBUG_MONITOR:
    case ETM_EXCEPTION_PEND_SV:
    case ETM_EXCEPTION_SYS_TICK:
    case ETM_EXCEPTION_IRQ_N:
        break;
    }
    return ETM_GEN_NO_NUMBER;
}

/* Excp[8:0] of M profile (ETM architecture, table 7-17). */
static unsigned m_number(enum etm_exception_type type, unsigned irq)
{
    switch (type) {
    case ETM_EXCEPTION_IRQ_N:
        if (irq == 0)
            return 0x8;
        if (irq <= 7)
            return irq;
        return irq + 0x10 <= 0x1ff ? irq + 0x10 : ETM_GEN_NO_NUMBER;
    case ETM_EXCEPTION_USAGE_FAULT:
        return 0x9;
    case ETM_EXCEPTION_NMI:
        return 0xa;
    case ETM_EXCEPTION_SVC:
        return 0xb;
    case ETM_EXCEPTION_DEBUG_MONITOR:
        return 0xc;
    case ETM_EXCEPTION_MEM_MANAGE:
        return 0xd;
    case ETM_EXCEPTION_PEND_SV:
        return 0xe;
    case ETM_EXCEPTION_SYS_TICK:
        return 0xf;
    case ETM_EXCEPTION_RESET:
        return 0x11;
    case ETM_EXCEPTION_HARD_FAULT:
        return 0x13;
    case ETM_EXCEPTION_BUS_FAULT:
        return 0x15;
    case ETM_EXCEPTION_RESERVED:
    case ETM_EXCEPTION_UNDEFINED:
    case ETM_EXCEPTION_SMC:
    case ETM_EXCEPTION_HVC:
    case ETM_EXCEPTION_PREFETCH_ABORT:
    case ETM_EXCEPTION_DATA_ABORT:
    case ETM_EXCEPTION_ASYNC_DATA_ABORT:
    case ETM_EXCEPTION_IRQ:
    case ETM_EXCEPTION_FIQ:
    case ETM_EXCEPTION_DEBUG_HALT:
    case ETM_EXCEPTION_JAZELLE_THUMBEE:
    case ETM_EXCEPTION_GENERIC:
    case ETM_EXCEPTION_HYP_ENTRY:
        break;
    }
    return ETM_GEN_NO_NUMBER;
}

unsigned etm_gen_exception_number(const struct etm_config *config,
                                  enum etm_exception_type type, unsigned irq)
{
    bool pft = config->protocol == ETM_PROTOCOL_PFT;
    unsigned number;

    if (config->profile == ETM_PROFILE_M)
        return m_number(type, irq);
    number = classic_number(type);
    /* reserved in earlier versions */
    if ((number == 0x3 && config->minor < (pft ? 1 : 5)) ||
        (number == 0xd && !pft && config->minor < 3))
        return ETM_GEN_NO_NUMBER;
    return number;
}

int etm_gen_deprecated_number(enum etm_exception_type type)
{
    switch (type) {
    case ETM_EXCEPTION_RESET:
    case ETM_EXCEPTION_UNDEFINED:
    case ETM_EXCEPTION_SVC:
    case ETM_EXCEPTION_PREFETCH_ABORT:
    case ETM_EXCEPTION_DATA_ABORT:
        return 0;
    case ETM_EXCEPTION_IRQ:
        return 1;
    case ETM_EXCEPTION_JAZELLE_THUMBEE:
        return 4;
    case ETM_EXCEPTION_FIQ:
        return 5;
    case ETM_EXCEPTION_ASYNC_DATA_ABORT:
        return 6;
    case ETM_EXCEPTION_DEBUG_HALT:
        return 7;
    case ETM_EXCEPTION_RESERVED:
    case ETM_EXCEPTION_SMC:
    case ETM_EXCEPTION_HVC:
    case ETM_EXCEPTION_NMI:
    case ETM_EXCEPTION_GENERIC:
    case ETM_EXCEPTION_HYP_ENTRY:
    case ETM_EXCEPTION_HARD_FAULT:
    case ETM_EXCEPTION_MEM_MANAGE:
    case ETM_EXCEPTION_BUS_FAULT:
    case ETM_EXCEPTION_USAGE_FAULT:
    case ETM_EXCEPTION_DEBUG_MONITOR:
    case ETM_EXCEPTION_PEND_SV:
    case ETM_EXCEPTION_SYS_TICK:
    case ETM_EXCEPTION_IRQ_N:
        break;
    }
    return -1;
}

/* EEE = 0 leaves the type to the vector: the target must be this vector. */
static bool vector_tells(enum etm_exception_type type, bool cancel,
                         uint32_t address)
{
    uint32_t vector = address & 0x1f;

    if (type == ETM_EXCEPTION_UNDEFINED)
        return vector == 0x04 && !cancel;
    if (type == ETM_EXCEPTION_SVC)
        return vector == 0x08 && !cancel;
    if (type == ETM_EXCEPTION_PREFETCH_ABORT)
        return vector == 0x0c;
    if (type == ETM_EXCEPTION_DATA_ABORT)
        return vector == 0x10 && cancel;
    return vector == 0x00;
}

bool etm_gen_deprecated_form(const struct etm_gen *gen,
                             const struct etm_place *to,
                             enum etm_exception_type type, bool cancel)
{
    uint8_t wish = gen->options.deprecated_exceptions;
    int number = etm_gen_deprecated_number(type);

    if (wish == ETM_FALSE || (wish == ETM_UNKNOWN && gen->config.minor >= 2))
        return false;
    if (gen->config.profile == ETM_PROFILE_M || number < 0 ||
        etm_etmv3_alternative(&gen->config))
        return false;
    if (to->isa != ETM_ISA_ARM || gen->out.isa == ETM_ISA_THUMBEE ||
        etm_gen_state_changes(gen, to))
        return false;
    return number != 0 || vector_tells(type, cancel, to->address);
}
