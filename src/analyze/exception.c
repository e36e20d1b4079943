/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions begin: each is a frame on top of what it interrupted. */
#include "analyze/calls.h"

static void push(struct etm_calls *c, const struct etm_element *e,
                 const struct etm_frame *replaced)
{
    struct etm_frame *frame = etm_stack_push(c);

    if (!frame)
        return;
    frame->flags |= ETM_CALL_EXCEPTION;
    frame->type = e->u.exception.type;
    frame->number = e->u.exception.number;
    frame->irq = e->u.exception.irq;
    frame->return_known = e->u.exception.return_known;
    frame->return_address = e->u.exception.return_address;
    frame->return_isa = c->last_isa;
    if (replaced) {
        frame->return_known = replaced->return_known;
        frame->return_address = replaced->return_address;
        frame->return_isa = replaced->return_isa;
    }
    etm_stack_pushed(c, frame);
    c->after = ETM_AFTER_EXCEPTION;
}

/*
 * M profile: an exception is taken at the return of another, in its place; what
 * the first one interrupted waits on (ETM architecture 7.5.4).
 */
static void tail_chain(struct etm_calls *c, const struct etm_element *e)
{
    size_t exception = etm_stack_exception(c);
    struct etm_frame replaced = {0};

    if (exception != ETM_NO_FRAME)
        replaced = *etm_stack_frame(c, exception);
    etm_stack_unwind(c, exception == ETM_NO_FRAME ? 0 : exception, 0);
    push(c, e, &replaced);
}

/* The first instruction of a handler has not come, and another exception has
 * interrupted what this one would have: the later one came first. */
static bool is_late_arrival(const struct etm_calls *c,
                            const struct etm_element *e)
{
    const struct etm_frame *top = etm_stack_top(c);

    return c->after == ETM_AFTER_EXCEPTION && top &&
           etm_frame_is_exception(top) && top->return_known &&
           e->u.exception.return_known &&
           top->return_address == e->u.exception.return_address;
}

/* Execution would have gone on at the preferred return address: what came
 * before it led there. */
static void reach_return_address(struct etm_calls *c,
                                 const struct etm_element *e)
{
    struct etm_frame *top = etm_stack_top(c);

    if (e->u.exception.return_known) {
        etm_arrive(c, e->u.exception.return_address);
    } else if (top && c->after == ETM_AFTER_CALL) {
        top->calling = true;
        top->link = c->end;
    } else if (top && c->after == ETM_AFTER_RETURN) {
        etm_stack_leave(c, 0);
    }
}

void etm_exception_enter(struct etm_calls *c, const struct etm_element *e)
{
    c->value_known = false;
    if (e->u.exception.type == ETM_EXCEPTION_RESET) {
        etm_stack_unwind(c, 0, ETM_CALL_CUT);
        push(c, e, NULL);
        etm_stack_leave(c, 0); /* what begins is no handler that returns */
        return;
    }
    if (c->after == ETM_AFTER_EXCEPTION_RETURN &&
        !e->u.exception.return_known) {
        tail_chain(c, e);
        return;
    }
    if (is_late_arrival(c, e))
        etm_stack_leave(c, 0);
    else
        reach_return_address(c, e);
    push(c, e, NULL);
    if (e->u.exception.type == ETM_EXCEPTION_DEBUG_HALT) {
        etm_stack_leave(c, 0); /* no code of the program handles it */
        etm_arrive_gap(c, true);
    }
}
