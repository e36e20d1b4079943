/* SPDX-License-Identifier: Apache-2.0 */
/* Execution goes on somewhere: what this means for the stack. */
#include "analyze/calls.h"

static const struct etm_function *function_of(const struct etm_calls *c,
                                              uint32_t function)
{
    return &etm_functions_row(&c->functions, function)->function;
}

static bool begins(const struct etm_calls *c, uint32_t function,
                   uint32_t address)
{
    return function != ETM_NO_FUNCTION &&
           function_of(c, function)->address == address;
}

static void enter(struct etm_calls *c, uint32_t address, unsigned flags)
{
    etm_stack_enter(c, etm_functions_from(&c->functions, address), address,
                    flags);
}

/* A call that returns to `link`. */
static void call(struct etm_calls *c, uint32_t address, uint32_t link)
{
    struct etm_frame *frame = etm_stack_function(
        c, etm_functions_from(&c->functions, address), address);

    if (!frame)
        return;
    frame->return_address = link;
    frame->return_known = true;
    frame->return_isa = c->last_isa;
    etm_stack_pushed(c, frame);
}

/*
 * Before Armv5, code calls a function by its address with two instructions:
 * MOV LR, PC, and a branch, behind which LR then points.
 */
static bool is_two_part_call(const struct etm_calls *c)
{
    static const uint8_t mov_lr_pc[] = {0x0f, 0xe0, 0xa0, 0xe1};
    uint8_t code[sizeof mov_lr_pc];

    if (c->after != ETM_AFTER_INDIRECT || c->last_isa != ETM_ISA_ARM ||
        !c->config.code ||
        c->config.code(c->config.code_context, c->last_address - 4, code,
                       sizeof code) != sizeof code)
        return false;
    for (size_t i = 0; i < sizeof code; i++) /* either byte order */
        if (code[i] != mov_lr_pc[i] && code[i] != mov_lr_pc[3 - i])
            return false;
    return true;
}

/* Another function goes on in place of the topmost frame. */
static void replace(struct etm_calls *c, uint32_t function, uint32_t address)
{
    const struct etm_frame before = *etm_stack_top(c);
    struct etm_frame *frame;

    etm_stack_leave(c, ETM_CALL_TAIL);
    frame = etm_stack_function(c, function, address);
    if (!frame)
        return;
    frame->return_address = before.return_address;
    frame->return_known = before.return_known;
    frame->return_isa = before.return_isa;
    frame->flags |= (uint16_t)(ETM_CALL_TAIL |
                               (before.flags & (unsigned)ETM_CALL_NO_CALLER));
    etm_stack_pushed(c, frame);
}

/*
 * A return that the instruction does not tell, such as BX R1 in Thumb code
 * before Armv5. Within a function only one that the topmost frame waits for: a
 * recursion.
 */
static bool is_untold_return(const struct etm_calls *c, uint32_t address,
                             bool within)
{
    const struct etm_frame *top = etm_stack_top(c);

    if (c->after != ETM_AFTER_INDIRECT)
        return false;
    if (top->return_known && top->return_address == address)
        return true;
    return !within && etm_stack_returning(c, address) != ETM_NO_FRAME;
}

/* Without a call or return, perhaps beyond the topmost function. */
static void move(struct etm_calls *c, uint32_t address)
{
    const struct etm_frame *top = etm_stack_top(c);
    uint32_t function = etm_functions_at(&c->functions, address);
    bool within = function == top->function && function != ETM_NO_FUNCTION;

    if (etm_frame_is_exception(top)) {
        enter(c, address, 0);
        return;
    }
    if (is_untold_return(c, address, within)) {
        etm_return_function(c, address);
        return;
    }
    if (within || function == ETM_NO_FUNCTION)
        return;
    if (begins(c, function, address)) {
        if (is_two_part_call(c))
            call(c, address, c->end);
        else
            replace(c, function, address);
    } else if (c->after == ETM_AFTER_NEXT && c->end == address &&
               top->span != 0 && address - top->low > top->span) {
        replace(c, function, address); /* it ran beyond its end */
    } else if (c->after == ETM_AFTER_INDIRECT) {
        etm_return_function(c, address); /* to a call that was not seen */
    }
}

static void called(struct etm_calls *c, uint32_t address)
{
    uint32_t function;

    if (address == c->end) {
        /* a call of the next instruction reads the PC, unless a function
         * begins there; or the call was not made */
        function = etm_functions_at(&c->functions, address);
        if (function == etm_stack_top(c)->function ||
            !begins(c, function, address)) {
            c->after = ETM_AFTER_NEXT;
            move(c, address);
            return;
        }
    }
    call(c, address, c->end);
}

/* The trace goes on behind a gap. */
static void resume(struct etm_calls *c, uint32_t address)
{
    struct etm_frame *top = etm_stack_top(c);
    uint32_t function = etm_functions_at(&c->functions, address);
    size_t frame = ETM_NO_FRAME;
    bool first;

    if (c->after == ETM_AFTER_MISSING &&
        etm_stack_returning(c, address) != ETM_NO_FRAME) {
        etm_return_function(c, address);
        return;
    }
    if (c->after == ETM_AFTER_MISSING && function == ETM_NO_FUNCTION)
        return; /* nothing is known there either */
    function = etm_functions_from(&c->functions, address);
    first = begins(c, function, address);
    if (top->calling && top->link == address)
        frame = etm_stack_depth(c) - 1;
    else if (!first)
        frame = etm_stack_running(c, function, 0);
    if (frame != ETM_NO_FRAME) {
        etm_stack_unwind(c, frame + 1, ETM_CALL_CUT);
        etm_stack_top(c)->calling = false;
        return;
    }
    if (!top->calling && etm_tasks_waiting(c, address))
        return;
    if (first && !top->calling && top->function == function)
        etm_stack_leave(c, ETM_CALL_CUT);
    else if (!first || !top->calling)
        etm_stack_unwind(c, 0, ETM_CALL_CUT);
    top = etm_stack_top(c);
    enter(c, address,
          top && etm_frame_is_exception(top) ? 0 : ETM_CALL_NO_CALLER);
}

void etm_arrive(struct etm_calls *c, uint32_t address)
{
    if (etm_stack_depth(c) == 0) {
        enter(c, address, ETM_CALL_NO_CALLER);
        return;
    }
    switch ((enum etm_after)c->after) {
    case ETM_AFTER_NEXT:
    case ETM_AFTER_JUMP:
    case ETM_AFTER_INDIRECT:
        move(c, address);
        break;
    case ETM_AFTER_CALL:
        called(c, address);
        break;
    case ETM_AFTER_RETURN:
        etm_return_function(c, address);
        break;
    case ETM_AFTER_EXCEPTION:
        enter(c, address, 0);
        break;
    case ETM_AFTER_EXCEPTION_RETURN:
        etm_return_exception(c, address);
        break;
    case ETM_AFTER_SWITCH:
    case ETM_AFTER_GAP:
    case ETM_AFTER_MISSING:
        resume(c, address);
        break;
    }
}

/* What was about to happen, has, even if its destination is not known. */
static void complete(struct etm_calls *c)
{
    size_t exception;

    switch ((enum etm_after)c->after) {
    case ETM_AFTER_CALL:
    case ETM_AFTER_EXCEPTION:
        etm_stack_top(c)->calling = true;
        etm_stack_top(c)->link =
            c->after == ETM_AFTER_CALL ? c->end : ETM_NO_LINK;
        break;
    case ETM_AFTER_RETURN:
        etm_stack_leave(c, 0);
        break;
    case ETM_AFTER_EXCEPTION_RETURN:
        exception = etm_stack_exception(c);
        etm_stack_unwind(c, exception == ETM_NO_FRAME ? 0 : exception, 0);
        break;
    case ETM_AFTER_NEXT:
    case ETM_AFTER_JUMP:
    case ETM_AFTER_INDIRECT:
    case ETM_AFTER_SWITCH:
    case ETM_AFTER_GAP:
    case ETM_AFTER_MISSING:
        break;
    }
}

void etm_arrive_gap(struct etm_calls *c, bool timed)
{
    if (c->after < ETM_AFTER_GAP) {
        if (etm_stack_depth(c) != 0)
            complete(c);
        c->gap_at = c->at;
        c->gaps++;
        c->gap_open = timed;
    } else {
        c->gap_open = c->gap_open && timed;
    }
    c->after = ETM_AFTER_GAP;
}
