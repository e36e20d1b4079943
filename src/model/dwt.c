/* SPDX-License-Identifier: Apache-2.0 */
/* What the comparators of the DWT see of an execution. */
#include "model/dwt.h"

uint32_t *etm_dwt_register(struct etm_dwt *dwt, unsigned count, uint32_t number)
{
    uint32_t n = (number - ETM_REG_DWT_COMP0) / ETM_DWT_STRIDE;

    if (number == ETM_REG_DEMCR && count != 0)
        return &dwt->demcr;
    if (n >= count)
        return NULL;
    switch (number - n * ETM_DWT_STRIDE) {
    case ETM_REG_DWT_COMP0:
        return &dwt->comparators[n].comp;
    case ETM_REG_DWT_MASK0:
        return &dwt->comparators[n].mask;
    case ETM_REG_DWT_FUNCTION0:
        return &dwt->comparators[n].function;
    }
    return NULL;
}

static bool sees_transfers(const struct etm_dwt_comparator *c)
{
    return etm_dwt_sees_loads(c) || etm_dwt_sees_stores(c);
}

bool etm_dwt_compares(const struct etm_dwt *dwt)
{
    bool any = false;

    for (unsigned n = 0; n < ETM_DWT_COMPARATORS; n++)
        any = any || etm_dwt_sees_insns(&dwt->comparators[n]) ||
              sees_transfers(&dwt->comparators[n]);
    return any && (dwt->demcr & ETM_DEMCR_TRCENA) != 0;
}

uint8_t etm_dwt_sample(const struct etm_dwt *dwt, const struct etm_event *event,
                       uint8_t *matches)
{
    bool insn = event->kind == ETM_EVENT_INSN;
    uint32_t address = insn ? event->u.insn.address : event->u.data.address;
    uint8_t sampled = 0;

    *matches = 0;
    if ((!insn && event->kind != ETM_EVENT_DATA) ||
        (dwt->demcr & ETM_DEMCR_TRCENA) == 0)
        return 0;
    for (unsigned n = 0; n < ETM_DWT_COMPARATORS; n++) {
        const struct etm_dwt_comparator *c = &dwt->comparators[n];
        bool sees = insn                  ? etm_dwt_sees_insns(c)
                    : event->u.data.store ? etm_dwt_sees_stores(c)
                                          : etm_dwt_sees_loads(c);

        if (insn ? sees : sees_transfers(c))
            sampled |= (uint8_t)(1u << n);
        if (sees && etm_dwt_matches(c, address))
            *matches |= (uint8_t)(1u << n);
    }
    return sampled;
}
