/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ETM_BASE_ISA_H
#define ETM_BASE_ISA_H

#include <etm/types.h>

#include <stdbool.h>
#include <stdint.h>

/* The lowest bits of addresses that are 0 because instructions are aligned, to
 * 4, 2 or 1 bytes: packets leave them out. */
static inline unsigned etm_isa_shift(enum etm_isa isa)
{
    switch (isa) {
    case ETM_ISA_ARM:
        return 2;
    case ETM_ISA_THUMB:
    case ETM_ISA_THUMBEE:
        return 1;
    case ETM_ISA_UNKNOWN:
    case ETM_ISA_JAZELLE:
        break;
    }
    return 0;
}

/* Can an instruction be at the address? */
static inline bool etm_isa_is_aligned(enum etm_isa isa, uint32_t address)
{
    return (address & ((UINT32_C(1) << etm_isa_shift(isa)) - 1)) == 0;
}

#endif
