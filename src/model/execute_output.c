/* SPDX-License-Identifier: Apache-2.0 */
/* An event goes to the generator, and its output into the FIFO. */
#include "model/execute.h"

void etm_execute_fail(struct etm_execute *x, int status)
{
    if (x->status == ETM_OK)
        x->status = status;
}

void etm_execute_enter(struct etm_execute *x)
{
    etm_fifo_advance(&x->fifo, x->now);
    /* After an overflow nothing goes in until all is out (2.6.6). */
    if (x->gen.overflow && etm_fifo_level(&x->fifo) == 0)
        x->gen.overflow = false;
    x->gen.limit = etm_fifo_limit(&x->fifo);
    if (x->gen.sync_by_cycles &&
        x->now - x->synced >= x->gen.config.sync_period) {
        x->sync_late = x->gen.sync_due;
        x->gen.sync_due = x->gen.d_sync_due = true;
        x->synced = x->now;
    }
}

/* Trace is lost until the FIFO is empty. What was held back is lost too. */
static void lose(struct etm_execute *x)
{
    x->lost = true;
    x->file->value[ETM_REG_SR] |= ETM_SR_OVERFLOW;
    etm_gen_drop(&x->gen);
}

void etm_execute_leave(struct etm_execute *x)
{
    if (!x->own_fifo)
        x->fifo.in = x->gen.offset;
    if (x->gen.overflow && !x->lost)
        lose(x);
    if (x->gen.status != ETM_OK)
        etm_execute_fail(x, x->gen.status);
}

void etm_execute_tell(struct etm_execute *x, struct etm_event *event)
{
    etm_execute_enter(x);
    event->cycles = x->now - x->told;
    x->told = x->now;
    etm_gen_take(&x->gen, event);
    etm_execute_leave(x);
}
