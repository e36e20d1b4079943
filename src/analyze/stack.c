/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, and what is told of them. */
#include "analyze/calls.h"

static const struct etm_call_cost none = {0, 0};

static struct etm_call_cost plus(struct etm_call_cost a, struct etm_call_cost b)
{
    return (struct etm_call_cost){a.instructions + b.instructions,
                                  a.cycles + b.cycles};
}

static struct etm_call_cost minus(struct etm_call_cost a,
                                  struct etm_call_cost b)
{
    return (struct etm_call_cost){a.instructions - b.instructions,
                                  a.cycles - b.cycles};
}

void etm_stack_flush(struct etm_calls *c)
{
    int status;

    if (c->n_batch == 0 || c->status != ETM_OK)
        return;
    status = c->config.calls(c->config.context, c->batch, c->n_batch);
    c->n_batch = 0;
    if (c->status == ETM_OK)
        c->status = status;
}

/* Every member is stored on its own, here and in etm_stack_new(): a compiler
 * that clears such a struct as a whole takes half of the time for it. */
static struct etm_call *tell(struct etm_calls *c, enum etm_call_kind kind)
{
    struct etm_call *call;

    if (c->n_batch == ETM_CALLS_BATCH)
        etm_stack_flush(c);
    if (c->n_batch == ETM_CALLS_BATCH)
        c->n_batch = 0; /* it has stopped */
    call = &c->batch[c->n_batch++];
    call->offset = c->offset;
    call->kind = (uint8_t)kind;
    call->source = c->source;
    call->task = c->task;
    call->at = c->at;
    call->gaps = c->gaps;
    call->timed_gaps = c->timed_gaps;
    call->timestamp = c->timestamp;
    call->total = call->self = call->from = none;
    call->from_timestamp = 0;
    return call;
}

static struct etm_call *tell_frame(struct etm_calls *c, enum etm_call_kind kind,
                                   const struct etm_frame *frame)
{
    struct etm_call *call = tell(c, kind);

    call->flags = frame->flags;
    call->depth = (uint32_t)(c->now->frames.n + c->now->inlined.n - 1);
    call->function = frame->function;
    call->address = frame->address;
    call->return_address = frame->return_address;
    call->return_known = frame->return_known;
    call->exception_type = frame->type;
    call->exception_number = frame->number;
    call->irq = frame->irq;
    return call;
}

/* Execution of the task that runs. */
static struct etm_call_cost own(const struct etm_calls *c)
{
    return minus(c->at, c->now->away);
}

static struct etm_function_row *row_of(const struct etm_calls *c,
                                       const struct etm_frame *frame)
{
    return frame->function != ETM_CALL_NO_FUNCTION
               ? etm_functions_row(&c->functions, frame->function)
               : NULL;
}

void etm_stack_settle(struct etm_calls *c)
{
    const struct etm_frame *top = etm_stack_top(c);

    c->low = top ? top->low : 0;
    c->span = top ? top->span : 0;
}

void etm_stack_new(const struct etm_calls *c, struct etm_frame *frame)
{
    frame->low = frame->span = 0;
    frame->function = ETM_CALL_NO_FUNCTION;
    frame->address = frame->return_address = frame->jump = 0;
    frame->flags = frame->number = frame->irq = 0;
    frame->type = 0;
    frame->return_known = frame->jump_known = frame->calling = false;
    frame->link = 0;
    frame->gaps = c->gaps;
    frame->timed_gaps = c->timed_gaps;
    frame->from = c->at;
    frame->own = own(c);
    frame->above = none;
    frame->from_timestamp = c->timestamp;
    frame->inlined = 0;
    frame->instance = 0;
}

struct etm_frame *etm_stack_push(struct etm_calls *c)
{
    struct etm_vec *frames = &c->now->frames;
    struct etm_frame *frame;
    bool deep = frames->n >= ETM_FRAMES_MOST;

    if (deep)
        etm_stack_unwind(c, 0, ETM_CALL_CUT);
    if (frames->n == frames->capacity && etm_vec_reserve(frames, 1) != ETM_OK) {
        c->status = ETM_ERR_MEMORY;
        return NULL;
    }
    frame = (struct etm_frame *)frames->data + frames->n++;
    etm_stack_new(c, frame);
    frame->flags = deep ? ETM_CALL_NO_CALLER : 0;
    return frame;
}

void etm_stack_begin(struct etm_calls *c, struct etm_frame *frame)
{
    struct etm_function_row *row = row_of(c, frame);

    if (row) {
        frame->low = row->function.address;
        frame->span = row->function.size;
        if (row->open++ != 0)
            frame->flags |= ETM_CALL_RECURSIVE;
    }
    (void)tell_frame(c, ETM_CALL_ENTER, frame);
}

void etm_stack_pushed(struct etm_calls *c, struct etm_frame *frame)
{
    etm_stack_begin(c, frame);
    c->low = frame->low;
    c->span = frame->span;
}

struct etm_frame *etm_stack_function(struct etm_calls *c, uint32_t function,
                                     uint32_t address)
{
    struct etm_frame *frame =
        function != ETM_NO_FUNCTION ? etm_stack_push(c) : NULL;

    if (frame) {
        frame->function = function;
        frame->address = address;
    } else {
        c->status = ETM_ERR_MEMORY;
    }
    return frame;
}

void etm_stack_enter(struct etm_calls *c, uint32_t function, uint32_t address,
                     unsigned flags)
{
    struct etm_frame *frame = etm_stack_function(c, function, address);

    if (!frame)
        return;
    frame->flags |= (uint16_t)flags;
    etm_stack_pushed(c, frame);
}

static unsigned gap_flags(const struct etm_calls *c,
                          const struct etm_frame *frame)
{
    uint32_t gaps = c->gaps - frame->gaps;
    uint32_t timed = c->timed_gaps - frame->timed_gaps;

    /* the cycles of a gap may come behind the first frame that follows it */
    return (gaps != 0 ? (unsigned)ETM_CALL_GAP : 0) |
           (timed < gaps ? (unsigned)ETM_CALL_UNTIMED : 0);
}

static struct etm_call_cost end_frame(struct etm_calls *c,
                                      struct etm_frame *frame, unsigned flags)
{
    struct etm_function_row *row = row_of(c, frame);
    struct etm_call *call = tell_frame(c, ETM_CALL_LEAVE, frame);

    call->flags |= (uint16_t)(flags | gap_flags(c, frame));
    call->from = frame->from;
    call->from_timestamp = frame->from_timestamp;
    call->total = minus(own(c), frame->own);
    call->self = minus(call->total, frame->above);
    if ((flags & ETM_CALL_CUT) != 0 && c->after >= ETM_AFTER_GAP)
        call->at = c->gap_at;
    if (row)
        row->open--;
    return call->total;
}

static void add_above(struct etm_calls *c, struct etm_call_cost total)
{
    const struct etm_vec *inlined = &c->now->inlined;
    struct etm_frame *frame = etm_stack_top(c);

    if (frame && frame->inlined != 0)
        frame = (struct etm_frame *)inlined->data + inlined->n - 1;
    if (frame)
        frame->above = plus(frame->above, total);
}

void etm_stack_leave_inlined(struct etm_calls *c, size_t n, unsigned flags)
{
    struct etm_frame *top = etm_stack_top(c);

    while (top->inlined > n) {
        struct etm_vec *inlined = &c->now->inlined;
        struct etm_frame *last =
            (struct etm_frame *)inlined->data + inlined->n - 1;
        struct etm_call_cost total = end_frame(c, last, flags);

        inlined->n--;
        top->inlined--;
        add_above(c, total);
    }
}

void etm_stack_leave(struct etm_calls *c, unsigned flags)
{
    struct etm_task *task = c->now;
    struct etm_frame *frame = etm_stack_top(c);
    struct etm_call_cost total;

    if (frame->inlined != 0)
        etm_stack_leave_inlined(c, 0, flags & ~(unsigned)ETM_CALL_TAIL);
    total = end_frame(c, frame, flags);
    task->frames.n--;
    if (task->kept > task->frames.n)
        task->kept = 0;
    add_above(c, total);
    etm_stack_settle(c);
}

void etm_stack_unwind(struct etm_calls *c, size_t depth, unsigned flags)
{
    while (etm_stack_depth(c) > depth)
        etm_stack_leave(c, flags);
}

size_t etm_stack_exception(const struct etm_calls *c)
{
    for (size_t i = etm_stack_depth(c); i > 0; i--)
        if (etm_frame_is_exception(etm_stack_frame(c, i - 1)))
            return i - 1;
    return ETM_NO_FRAME;
}

size_t etm_stack_returning(const struct etm_calls *c, uint32_t address)
{
    for (size_t i = etm_stack_depth(c); i > 0; i--) {
        const struct etm_frame *frame = etm_stack_frame(c, i - 1);

        if (etm_frame_is_exception(frame))
            break;
        if (frame->return_known && frame->return_address == address)
            return i - 1;
    }
    return ETM_NO_FRAME;
}

size_t etm_stack_running(const struct etm_calls *c, uint32_t function,
                         size_t floor)
{
    if (function == ETM_NO_FUNCTION)
        return ETM_NO_FRAME;
    for (size_t i = etm_stack_depth(c); i > floor; i--)
        if (etm_stack_frame(c, i - 1)->function == function)
            return i - 1;
    return ETM_NO_FRAME;
}

void etm_stack_switched(struct etm_calls *c)
{
    static const struct etm_frame no_frame = {.function = ETM_CALL_NO_FUNCTION};

    tell_frame(c, ETM_CALL_SWITCH, &no_frame)->depth = 0;
    etm_stack_settle(c);
}
