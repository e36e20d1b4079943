/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions that a DWT tells of, without code (ARMv7-M ARM, D4.3.2): entries,
 * exits, and returns to what goes on. Their time is that of the local timestamp
 * that follows them; without timestamps, what passes between them is a gap.
 */
#include "analyze/calls.h"

/* The topmost exception of this number. */
static size_t find(const struct etm_calls *c, uint16_t number)
{
    for (size_t i = etm_stack_depth(c); i > 0; i--)
        if (etm_stack_frame(c, i - 1)->number == number)
            return i - 1;
    return ETM_NO_FRAME;
}

static void enter(struct etm_calls *c, const struct etm_element *e,
                  unsigned flags)
{
    struct etm_frame *frame = etm_stack_push(c);

    if (!frame)
        return;
    frame->flags |= (uint16_t)(ETM_CALL_EXCEPTION | flags);
    frame->type = e->u.exception.type;
    frame->number = e->u.exception.number;
    frame->irq = e->u.exception.irq;
    etm_stack_pushed(c, frame);
}

static void take(struct etm_calls *c, const struct etm_element *e)
{
    enum etm_exception_action action =
        (enum etm_exception_action)e->u.exception.action;
    size_t frame = find(c, e->u.exception.number);

    c->offset = e->offset;
    c->after = ETM_AFTER_NEXT; /* a gap that comes is another one */
    c->gaps += c->ticking ? 0 : 1;
    if (action == ETM_EXCEPTION_ENTER) {
        if (frame != ETM_NO_FRAME) /* its end was lost */
            etm_stack_unwind(c, frame, ETM_CALL_CUT);
        enter(c, e, 0);
        return;
    }
    /* others on top of what goes on have ended, even if no exit says so */
    if (e->u.exception.type == ETM_EXCEPTION_THREAD) {
        etm_stack_unwind(c, 0, 0);
        return;
    }
    if (frame == ETM_NO_FRAME) {
        if (action == ETM_EXCEPTION_RETURN)
            etm_stack_unwind(c, 0, 0);
        enter(c, e, ETM_CALL_NO_CALLER);
        frame = etm_stack_depth(c) - 1;
    }
    if (c->status == ETM_OK)
        etm_stack_unwind(c, frame + (action == ETM_EXCEPTION_RETURN), 0);
}

void etm_dwt_flush(struct etm_calls *c)
{
    for (size_t i = 0; i < c->n_waiting && c->status == ETM_OK; i++)
        take(c, &c->waiting[i]);
    c->n_waiting = 0;
}

void etm_dwt_exception(struct etm_calls *c, const struct etm_element *e)
{
    if (c->n_waiting == ETM_DWT_WAITING)
        etm_dwt_flush(c);
    c->waiting[c->n_waiting++] = *e;
}

void etm_dwt_time(struct etm_calls *c, uint64_t delta)
{
    c->ticking = true;
    c->at.cycles += delta;
    etm_dwt_flush(c);
}
