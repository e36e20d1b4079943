/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of exceptions. */
#include "base/exception.h"

#include <etm/config.h>

#include <stddef.h>

#define NONE 0xffu

static const struct row {
    uint8_t type;
    uint8_t excp;   /* Excp[3:0] of A and R profiles: ETM architecture, table
                       7-12 (v3.5: 7.12); PFT architecture 4.3.4 */
    uint8_t m_excp; /* Excp[8:0] of M profile: table 7-17 */
    uint8_t eee;    /* of the deprecated form: table 7-9 */
    uint8_t number; /* of the M-profile exception: ARMv7-M, B1.5.2 */
    uint8_t vector; /* offset of the A and R profiles' own: ARMv7-A, B1.8.1 */
} rows[] = {
    {ETM_EXCEPTION_RESET, 0x8, 0x11, 0, 1, 0x00},
    {ETM_EXCEPTION_UNDEFINED, 0x9, NONE, 0, NONE, 0x04},
    {ETM_EXCEPTION_SVC, 0xa, 0x0b, 0, 11, 0x08},
    {ETM_EXCEPTION_PREFETCH_ABORT, 0xb, NONE, 0, NONE, 0x0c},
    {ETM_EXCEPTION_DATA_ABORT, 0xc, NONE, 0, NONE, 0x10},
    {ETM_EXCEPTION_IRQ, 0xe, NONE, 1, NONE, 0x18},
    {ETM_EXCEPTION_FIQ, 0xf, NONE, 5, NONE, 0x1c},
    {ETM_EXCEPTION_DEBUG_HALT, 0x1, NONE, 7, NONE, NONE},
    {ETM_EXCEPTION_SMC, 0x2, NONE, NONE, NONE, NONE},
    {ETM_EXCEPTION_HYP_ENTRY, 0x3, NONE, NONE, NONE, NONE},
    /* an entry to Hyp mode, too; what is read is the row before */
    {ETM_EXCEPTION_HVC, 0x3, NONE, NONE, NONE, NONE},
    {ETM_EXCEPTION_ASYNC_DATA_ABORT, 0x4, NONE, 6, NONE, NONE},
    {ETM_EXCEPTION_JAZELLE_THUMBEE, 0x5, NONE, 4, NONE, NONE},
    {ETM_EXCEPTION_GENERIC, 0xd, NONE, NONE, NONE, NONE},
    {ETM_EXCEPTION_NMI, NONE, 0x0a, NONE, 2, NONE},
    {ETM_EXCEPTION_HARD_FAULT, NONE, 0x13, NONE, 3, NONE},
    {ETM_EXCEPTION_MEM_MANAGE, NONE, 0x0d, NONE, 4, NONE},
    {ETM_EXCEPTION_BUS_FAULT, NONE, 0x15, NONE, 5, NONE},
    {ETM_EXCEPTION_USAGE_FAULT, NONE, 0x09, NONE, 6, NONE},
    {ETM_EXCEPTION_DEBUG_MONITOR, NONE, 0x0c, NONE, 12, NONE},
    {ETM_EXCEPTION_PEND_SV, NONE, 0x0e, NONE, 14, NONE},
    {ETM_EXCEPTION_SYS_TICK, NONE, 0x0f, NONE, 15, NONE},
};

#define N_ROWS (sizeof rows / sizeof *rows)

/* Interrupts of the M profile: all exceptions from 16 on. In the trace IRQ0 is
 * 8, IRQ1 to IRQ7 are 1 to 7, and from IRQ8 on it has their exception number
 * (table 7-17). */
#define FIRST_IRQ 16u
#define IRQ_0 8u
#define LAST_SHORT_IRQ 7u
#define LAST_NUMBER 0x1ffu

static const struct row *row_of(enum etm_exception_type type)
{
    static const struct row none = {
        ETM_EXCEPTION_RESERVED, NONE, NONE, NONE, NONE, NONE};

    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].type == type)
            return &rows[i];
    return &none;
}

static unsigned or_none(uint8_t value)
{
    return value == NONE ? ETM_EXCEPTION_NONE : value;
}

/* Entry to Hyp mode came with ETMv3.5 and PFTv1.1, generic with ETMv3.3. */
static bool is_later(enum etm_protocol protocol, unsigned minor, unsigned excp)
{
    bool pft = protocol == ETM_PROTOCOL_PFT;

    return (excp == 0x3 && minor < (pft ? 1 : 5)) ||
           (excp == 0xd && protocol == ETM_PROTOCOL_ETMV3 && minor < 3);
}

static enum etm_exception_type m_meaning(unsigned number, uint16_t *irq)
{
    if (number >= 0x18 || (number >= 1 && number <= IRQ_0)) {
        *irq = (uint16_t)(number > IRQ_0    ? number - FIRST_IRQ
                          : number == IRQ_0 ? 0
                                            : number);
        return ETM_EXCEPTION_IRQ_N;
    }
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].m_excp == number)
            return (enum etm_exception_type)rows[i].type;
    return ETM_EXCEPTION_RESERVED;
}

enum etm_exception_type etm_exception_meaning(enum etm_profile profile,
                                              enum etm_protocol protocol,
                                              unsigned minor, unsigned number,
                                              uint16_t *irq)
{
    *irq = 0;
    if (profile == ETM_PROFILE_M)
        return m_meaning(number, irq);
    if (number > 0xf || is_later(protocol, minor, number))
        return ETM_EXCEPTION_RESERVED;
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].excp == number)
            return (enum etm_exception_type)rows[i].type;
    return ETM_EXCEPTION_RESERVED;
}

static unsigned m_number(enum etm_exception_type type, unsigned irq)
{
    if (type != ETM_EXCEPTION_IRQ_N)
        return or_none(row_of(type)->m_excp);
    if (irq <= LAST_SHORT_IRQ)
        return irq == 0 ? IRQ_0 : irq;
    return irq <= LAST_NUMBER - FIRST_IRQ ? irq + FIRST_IRQ
                                          : ETM_EXCEPTION_NONE;
}

unsigned etm_exception_number(const struct etm_config *config,
                              enum etm_exception_type type, unsigned irq)
{
    unsigned number;

    if (config->profile == ETM_PROFILE_M)
        return m_number(type, irq);
    number = or_none(row_of(type)->excp);
    return is_later(config->protocol, config->minor, number)
               ? ETM_EXCEPTION_NONE
               : number;
}

enum etm_exception_type etm_exception_deprecated_meaning(unsigned eee,
                                                         uint32_t address)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].eee == eee &&
            (eee != 0 || rows[i].vector == (address & 0x1c)))
            return (enum etm_exception_type)rows[i].type;
    return ETM_EXCEPTION_RESERVED;
}

unsigned etm_exception_deprecated_number(enum etm_exception_type type)
{
    return or_none(row_of(type)->eee);
}

enum etm_exception_type etm_exception_of_number(unsigned number, uint16_t *irq)
{
    *irq = 0;
    if (number >= FIRST_IRQ && number <= LAST_NUMBER) {
        *irq = (uint16_t)(number - FIRST_IRQ);
        return ETM_EXCEPTION_IRQ_N;
    }
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].number == number)
            return (enum etm_exception_type)rows[i].type;
    return ETM_EXCEPTION_RESERVED;
}

unsigned etm_exception_vector(enum etm_exception_type type)
{
    return or_none(row_of(type)->vector);
}

enum etm_exception_type etm_exception_of_vector(unsigned offset)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].vector == offset)
            return (enum etm_exception_type)rows[i].type;
    return ETM_EXCEPTION_RESERVED;
}

bool etm_exception_cancels(enum etm_exception_type type)
{
    return type == ETM_EXCEPTION_RESET ||
           type == ETM_EXCEPTION_PREFETCH_ABORT ||
           type == ETM_EXCEPTION_ASYNC_DATA_ABORT ||
           type == ETM_EXCEPTION_IRQ || type == ETM_EXCEPTION_FIQ;
}
