/* SPDX-License-Identifier: Apache-2.0 */
/* What exception numbers mean. */
#include "flow/walk/walk.h"

/* Excp[3:0] of processors other than ARMv7-M: ETM architecture, table 7-12
 * (v3.5: b0011 is entry to Hyp mode); PFT architecture, same codes. */
static const uint8_t classic[16] = {
    ETM_EXCEPTION_RESERVED,         /* 0000 none */
    ETM_EXCEPTION_DEBUG_HALT,       /* 0001 */
    ETM_EXCEPTION_SMC,              /* 0010 */
    ETM_EXCEPTION_HYP_ENTRY,        /* 0011 */
    ETM_EXCEPTION_ASYNC_DATA_ABORT, /* 0100 */
    ETM_EXCEPTION_JAZELLE_THUMBEE,  /* 0101 */
    ETM_EXCEPTION_RESERVED,         /* 0110 */
    ETM_EXCEPTION_RESERVED,         /* 0111 */
    ETM_EXCEPTION_RESET,            /* 1000 */
    ETM_EXCEPTION_UNDEFINED,        /* 1001 */
    ETM_EXCEPTION_SVC,              /* 1010 */
    ETM_EXCEPTION_PREFETCH_ABORT,   /* 1011 */
    ETM_EXCEPTION_DATA_ABORT,       /* 1100 */
    ETM_EXCEPTION_GENERIC,          /* 1101 */
    ETM_EXCEPTION_IRQ,              /* 1110 */
    ETM_EXCEPTION_FIQ,              /* 1111 */
};

/* Exception[8:0] of ARMv7-M below 0x18: ETM architecture, table 7-17. */
static const uint8_t m_profile[0x18] = {
    ETM_EXCEPTION_RESERVED, /* 0 none */
    ETM_EXCEPTION_IRQ_N,         ETM_EXCEPTION_IRQ_N, ETM_EXCEPTION_IRQ_N,
    ETM_EXCEPTION_IRQ_N,         ETM_EXCEPTION_IRQ_N, ETM_EXCEPTION_IRQ_N,
    ETM_EXCEPTION_IRQ_N,         /* 1 to 7: IRQ1 to IRQ7 */
    ETM_EXCEPTION_IRQ_N,         /* 8: IRQ0 */
    ETM_EXCEPTION_USAGE_FAULT,   /* 9 */
    ETM_EXCEPTION_NMI,           /* a */
    ETM_EXCEPTION_SVC,           /* b */
    ETM_EXCEPTION_DEBUG_MONITOR, /* c */
    ETM_EXCEPTION_MEM_MANAGE,    /* d */
    ETM_EXCEPTION_PEND_SV,       /* e */
    ETM_EXCEPTION_SYS_TICK,      /* f */
    ETM_EXCEPTION_RESERVED,      /* 10 */
    ETM_EXCEPTION_RESET,         /* 11 */
    ETM_EXCEPTION_RESERVED,      /* 12 */
    ETM_EXCEPTION_HARD_FAULT,    /* 13 */
    ETM_EXCEPTION_RESERVED,      /* 14 */
    ETM_EXCEPTION_BUS_FAULT,     /* 15 */
    ETM_EXCEPTION_RESERVED,      /* 16 */
    ETM_EXCEPTION_RESERVED,      /* 17 */
};

enum etm_exception_type etm_exception_meaning(enum etm_profile profile,
                                              enum etm_protocol protocol,
                                              unsigned minor, unsigned number,
                                              uint16_t *irq)
{
    *irq = 0;
    if (profile == ETM_PROFILE_M) {
        if (number >= sizeof m_profile) {
            *irq = (uint16_t)(number - 16);
            return ETM_EXCEPTION_IRQ_N;
        }
        if (m_profile[number] == ETM_EXCEPTION_IRQ_N)
            *irq = (uint16_t)(number == 8 ? 0 : number);
        return (enum etm_exception_type)m_profile[number];
    }
    if (number >= sizeof classic)
        return ETM_EXCEPTION_RESERVED;
    /* entry to Hyp came with ETMv3.5 and PFTv1.1, generic with ETMv3.3 */
    if (number == 3 && minor < (protocol == ETM_PROTOCOL_PFT ? 1 : 5))
        return ETM_EXCEPTION_RESERVED;
    if (number == 13 && protocol == ETM_PROTOCOL_ETMV3 && minor < 3)
        return ETM_EXCEPTION_RESERVED;
    return (enum etm_exception_type)classic[number];
}
