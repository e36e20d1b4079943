/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs of the macrocell: its pins, the state of the processor, and what the
 * DWT makes of an execution.
 */
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

void etm_execute_context(struct etm_execute *x)
{
    struct etm_resource_context context = {
        .context_id = x->context_id,
        .non_secure = x->place.ns,
        .user = x->user,
        .prohibited = etm_execute_prohibited(x, x->place.ns),
        .hyp = x->place.hyp,
        .vmid = x->vmid,
    };

    etm_resources_context(&x->r, &context);
}

/* Table 3-64: what the pins permit. Before v3.2 there is no such
 * restriction. */
static void permit(struct etm_execute *x, const struct etm_macrocell_pins *p)
{
    bool asks = x->file->version >= ETM_V3_2;
    bool enabled = p->niden || p->dbgen;

    x->pins.no_noninvasive = asks && !enabled;
    x->secure_closed = asks && x->file->security &&
                       !x->file->config.secure_elsewhere && enabled &&
                       !(p->spniden || p->spiden);
    x->pins.eice_sampled = x->r.pins.eice_sampled;
    etm_resources_pins(&x->r, &x->pins);
    x->pins.eice_sampled = 0;
    etm_execute_context(x);
    etm_execute_fast_setup(x);
}

void etm_execute_permit_next(struct etm_execute *x)
{
    permit(x, &x->permits[0].pins);
    x->permits[0] = x->permits[1];
    x->n_permits--;
}

void etm_execute_permit(struct etm_execute *x)
{
    unsigned n = x->n_permits;

    if (n == 0 && x->carry.n == 0 && x->items.n == 0 && !x->inputs) {
        permit(x, &x->file->pins);
        return;
    }
    /* What is held back, and its cycle, came before. Of more than two changes
     * around one instruction the last one is used. */
    if (n == 0 || (n == 1 && x->permits[0].at != x->given))
        n = ++x->n_permits;
    x->permits[n - 1] = (struct etm_execute_pins){x->file->pins, x->given};
}
