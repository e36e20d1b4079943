/* SPDX-License-Identifier: Apache-2.0 */
/* Returns of functions and exceptions. */
#include "analyze/calls.h"

/* Where nothing of the stack has led to: what was there before the trace. */
static void enter_unknown(struct etm_calls *c, uint32_t address)
{
    etm_stack_enter(c, etm_functions_from(&c->functions, address), address,
                    ETM_CALL_NO_CALLER);
}

/* setjmp() may return here again. */
static void note_jump(struct etm_calls *c, size_t frame, uint32_t address)
{
    const struct etm_frame *f = etm_stack_frame(c, frame);
    struct etm_frame *caller;

    if (frame == 0 || f->function == ETM_CALL_NO_FUNCTION ||
        !etm_functions_row(&c->functions, f->function)->returns_twice)
        return;
    caller = etm_stack_frame(c, frame - 1);
    caller->jump_known = true;
    caller->jump = address;
}

/* The frame that called setjmp() there; else the topmost one of the function
 * that the address is in. */
static size_t landing(struct etm_calls *c, uint32_t address, size_t floor)
{
    for (size_t i = etm_stack_depth(c); i > floor; i--) {
        const struct etm_frame *f = etm_stack_frame(c, i - 1);

        if (f->jump_known && f->jump == address)
            return i - 1;
    }
    return etm_stack_running(c, etm_functions_at(&c->functions, address),
                             floor);
}

/* A return that no call on the stack waits for. */
static void return_unmatched(struct etm_calls *c, uint32_t address)
{
    size_t exception = etm_stack_exception(c);
    size_t floor = exception == ETM_NO_FRAME ? 0 : exception + 1;
    const struct etm_frame *top = etm_stack_top(c);
    size_t frame;

    if (etm_stack_depth(c) > floor && !top->return_known) {
        /* it is its own: where it was called from was not known */
        etm_stack_leave(c, 0);
        top = etm_stack_top(c);
        if (top && !etm_frame_is_exception(top) &&
            etm_functions_at(&c->functions, address) == top->function)
            return;
        enter_unknown(c, address);
        return;
    }
    if (etm_tasks_mistaken(c, address)) {
        etm_stack_leave(c, 0);
        return;
    }
    frame = landing(c, address, floor);
    if (frame != ETM_NO_FRAME) {
        etm_stack_unwind(c, frame + 1, ETM_CALL_UNWOUND);
        return;
    }
    etm_stack_unwind(c, floor, ETM_CALL_UNWOUND);
    enter_unknown(c, address);
}

void etm_return_function(struct etm_calls *c, uint32_t address)
{
    size_t frame = etm_stack_returning(c, address), exception;

    if (frame != ETM_NO_FRAME) {
        note_jump(c, frame, address);
        etm_stack_unwind(c, frame + 1, ETM_CALL_UNWOUND);
        etm_stack_leave(c, 0);
        return;
    }
    exception = etm_stack_exception(c);
    if (exception != ETM_NO_FRAME) {
        const struct etm_frame *f = etm_stack_frame(c, exception);

        if (f->return_known && f->return_address == address) {
            etm_return_exception(c, address);
            return;
        }
    }
    return_unmatched(c, address);
}

/* Leave an exception, the handlers above it, and what these left behind. */
static void leave_exception(struct etm_calls *c, size_t exception)
{
    while (etm_stack_depth(c) > exception + 2)
        etm_stack_leave(c, ETM_CALL_UNWOUND);
    etm_stack_unwind(c, exception, 0);
}

/* Of exceptions that an instruction raised, the handler may go on behind it, or
 * elsewhere in its function. */
static bool is_synchronous(uint8_t type)
{
    switch ((enum etm_exception_type)type) {
    case ETM_EXCEPTION_UNDEFINED:
    case ETM_EXCEPTION_SVC:
    case ETM_EXCEPTION_SMC:
    case ETM_EXCEPTION_HVC:
    case ETM_EXCEPTION_PREFETCH_ABORT:
    case ETM_EXCEPTION_DATA_ABORT:
    case ETM_EXCEPTION_HYP_ENTRY:
    case ETM_EXCEPTION_HARD_FAULT:
    case ETM_EXCEPTION_MEM_MANAGE:
    case ETM_EXCEPTION_BUS_FAULT:
    case ETM_EXCEPTION_USAGE_FAULT:
    case ETM_EXCEPTION_DEBUG_MONITOR:
    case ETM_EXCEPTION_SECURE_FAULT:
        return true;
    case ETM_EXCEPTION_RESERVED:
    case ETM_EXCEPTION_RESET:
    case ETM_EXCEPTION_ASYNC_DATA_ABORT:
    case ETM_EXCEPTION_IRQ:
    case ETM_EXCEPTION_FIQ:
    case ETM_EXCEPTION_NMI:
    case ETM_EXCEPTION_DEBUG_HALT:
    case ETM_EXCEPTION_JAZELLE_THUMBEE:
    case ETM_EXCEPTION_GENERIC:
    case ETM_EXCEPTION_PEND_SV:
    case ETM_EXCEPTION_SYS_TICK:
    case ETM_EXCEPTION_IRQ_N:
    case ETM_EXCEPTION_THREAD:
        break;
    }
    return false;
}

/* The exception that goes on at this address: the topmost one that interrupted
 * it, or that may have. */
static size_t returning_exception(struct etm_calls *c, uint32_t address)
{
    size_t top = etm_stack_exception(c);
    uint32_t function = etm_functions_at(&c->functions, address);
    const struct etm_frame *f;

    if (top == ETM_NO_FRAME || !etm_stack_frame(c, top)->return_known)
        return top;
    for (size_t i = top + 1; i > 0; i--) {
        f = etm_stack_frame(c, i - 1);
        if (etm_frame_is_exception(f) && f->return_known &&
            f->return_address == address)
            return i - 1;
    }
    f = etm_stack_frame(c, top);
    if (is_synchronous(f->type) && function != ETM_NO_FUNCTION && top > 0 &&
        etm_stack_frame(c, top - 1)->function == function)
        return top;
    return ETM_NO_FRAME;
}

void etm_return_exception(struct etm_calls *c, uint32_t address)
{
    size_t top = etm_stack_exception(c);
    size_t frame = returning_exception(c, address);
    uint32_t wait;

    if (top == ETM_NO_FRAME) { /* it began before the trace */
        etm_stack_unwind(c, 0, 0);
    } else if (frame != ETM_NO_FRAME) {
        const struct etm_frame *f = etm_stack_frame(c, frame);
        /* which is for nothing else than to switch between tasks */
        bool switches = f->type == ETM_EXCEPTION_PEND_SV && f->return_known;

        wait = f->return_address;
        leave_exception(c, frame);
        if (!etm_tasks_by_value(c, wait) && switches)
            etm_tasks_take_turns(c, address);
    } else {
        wait = etm_stack_frame(c, top)->return_address;
        leave_exception(c, top);
        etm_tasks_resume(c, address, &wait);
    }
    if (c->status == ETM_OK && etm_stack_depth(c) == 0)
        enter_unknown(c, address);
}
