/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of the macrocell: its pins, and what the DWT makes of an execution. */
#include "model/execute.h"

void etm_execute_inputs(struct etm_execute *x, const struct etm_event *event)
{
    if (event->kind == ETM_EVENT_EXT_INPUTS) {
        if (event->u.ext_inputs.word > 7) {
            etm_execute_fail(x, ETM_ERR_ARGUMENT);
            return;
        }
        /* Samples of this cycle are no samples again. */
        x->pins.ext_ext[event->u.ext_inputs.word] = event->u.ext_inputs.level;
        x->r.pins.ext_ext[event->u.ext_inputs.word] = event->u.ext_inputs.level;
    } else {
        x->pins.ext_in = event->u.pins.ext_in;
        x->pins.eice = event->u.pins.eice;
        x->pins.eice_sampled = event->u.pins.eice_sampled;
        x->pins.mmd = event->u.pins.mmd;
        etm_resources_pins(&x->r, &x->pins);
        x->pins.eice_sampled = 0;
    }
    x->inputs = true;
}

/*
 * The DWT compares an instruction or transfer, and the macrocell samples what
 * comes of it before that item. A pulse lasts to the end of the cycle, whatever
 * is sampled after it (7.6.3).
 */
void etm_execute_sample(struct etm_execute *x, const struct etm_event *event)
{
    struct etm_resource_pins *seen = &x->r.pins;
    uint8_t before = seen->eice_sampled & seen->eice, matches;
    uint8_t sampled = etm_dwt_sample(x->dwt, event, &matches);

    if (sampled == 0)
        return;
    x->pins.eice = (uint8_t)((x->pins.eice & ~(unsigned)sampled) | matches);
    x->pins.eice_sampled = sampled;
    etm_resources_pins(&x->r, &x->pins);
    x->pins.eice_sampled = 0;
    seen->eice |= before;
    seen->eice_sampled |= before;
    x->inputs = true;
}
