/* SPDX-License-Identifier: Apache-2.0 */
/* When the time is traced, and which. */
#include "model/execute.h"

uint64_t etm_execute_time(const struct etm_execute *x)
{
    uint32_t cycles = x->output.timestamp_cycles;

    return x->timestamp +
           (cycles == 0 ? 0 : (x->now - x->timestamp_at) / cycles);
}

/* Instructions after which the time is traced. */
static bool asks_time(const struct etm_execute *x,
                      const struct etm_event *event, const struct etm_insn *i)
{
    if (!event->u.insn.passed)
        return false;
    if (event->u.insn.exception_return || etm_insn_returns_from_exception(i))
        return true;
    return i->barrier == ETM_BARRIER_ISB ||
           (i->type == ETM_INSN_TYPE_BARRIER &&
            x->file->value[ETM_REG_CCER] >> 25 & 1u);
}

void etm_execute_note_time(struct etm_execute *x, const struct etm_event *event)
{
    const struct etm_insn *i =
        &etm_insn_cache_get(&x->gen.cache, event)->decoded;

    if (asks_time(x, event, i))
        x->timestamp_due = true;
    if (etm_pft_is_waypoint(&x->gen.config, i))
        x->traced_time = etm_execute_time(x);
}

void etm_execute_tell_time(struct etm_execute *x)
{
    struct etm_event event = {.kind = ETM_EVENT_TIMESTAMP};

    x->timestamp_due = false;
    /* IHI 0035B, 4.14: in PFT 1.1 that of the last waypoint */
    event.u.timestamp.value =
        x->file->version == ETM_PFT1_1 ? x->traced_time : etm_execute_time(x);
    event.u.timestamp.frequency_changed = x->frequency_changed;
    x->frequency_changed = false;
    etm_execute_tell(x, &event);
    x->gen.full_timestamp = false; /* where there are none too */
}
