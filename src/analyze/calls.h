/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the call engine.
 *
 *   calls.c      elements in: the loop over ranges
 *   exception.c  exceptions begin
 *   dwt.c        exceptions of a DWT begin and end
 *   arrive.c     execution goes on somewhere: what this means for the stack
 *   returns.c    returns of functions and exceptions
 *   tasks.c      which stack runs
 *   stack.c      frames, and what is told of them
 *   functions.c  the function of an address
 *   inlined.c    functions that are inlined there
 *   copy.c       another engine in the state of this one
 */
#ifndef ETM_ANALYZE_CALLS_H
#define ETM_ANALYZE_CALLS_H

#include "analyze/functions.h"

#include <etm/program.h>

/* How execution came to the next address. */
enum etm_after {
    /* within a function, if the next address is in it: */
    ETM_AFTER_NEXT = 0, /* the instruction that follows in memory */
    ETM_AFTER_JUMP,     /* a direct branch */
    /* perhaps a return: */
    ETM_AFTER_INDIRECT, /* a branch that does not say so */
    ETM_AFTER_CALL,
    ETM_AFTER_RETURN,
    ETM_AFTER_EXCEPTION,
    ETM_AFTER_EXCEPTION_RETURN,
    ETM_AFTER_SWITCH, /* the context ID changed */
    ETM_AFTER_GAP,    /* not known */
    ETM_AFTER_MISSING /* by code that is not known */
};

#define ETM_NO_LINK 1u /* code is aligned to halfwords */

struct etm_frame {
    uint32_t low, span; /* addresses of its function; span 0: not known */
    uint32_t function;  /* ETM_CALL_NO_FUNCTION: an exception */
    uint32_t address;
    uint32_t return_address;
    uint32_t jump; /* where its last setjmp() returned to */
    uint16_t flags;
    uint16_t number, irq;
    uint8_t type;
    uint8_t return_isa; /* enum etm_isa, of the instruction that called it */
    bool return_known, jump_known;
    bool calling;  /* its call, or handler, was not seen to begin; */
    uint32_t link; /* it returns here; ETM_NO_LINK: not known */
    uint32_t gaps, timed_gaps;  /* those before it */
    struct etm_call_cost from;  /* of the source, */
    struct etm_call_cost own;   /* and of the task */
    struct etm_call_cost above; /* in frames on top of it, as far as they were
                                   left */
    uint64_t from_timestamp;
    size_t inlined;    /* functions that are inlined in it and run */
    uint64_t instance; /* of an inlined one */
};

/* Deeper stacks are cut. */
#define ETM_FRAMES_MOST 65536u

struct etm_task {
    struct etm_call_task known;
    struct etm_vec frames;  /* struct etm_frame */
    struct etm_vec inlined; /* struct etm_frame: those inlined in the first
                               frame, in the second one ... */
    bool waiting;           /* suspended by an exception: */
    uint32_t wait;          /* will go on here */
    uint64_t turn;          /* when it was suspended, or began to run */
    size_t kept; /* its frames of when it went on last; 0: they are left */
    struct etm_call_cost left_at; /* when it was suspended */
    struct etm_call_cost away;    /* what passed while it did not run */
};

/* More levels of inlined functions are not shown. */
#define ETM_INLINED_MOST 32u

/* Exceptions that a DWT told of since the last local timestamp. */
#define ETM_DWT_WAITING 32u

/* What is inlined at an address, of recent lookups: rows of a vector. */
struct etm_inlined_place {
    uint32_t address, first, n;
};

#define ETM_INLINED_PLACES 8192u

#define ETM_CALLS_BATCH 32u /* they stay in the nearest cache */

struct etm_calls {
    /* read for each range */
    uint32_t low, span; /* of the topmost frame; span 0: look it up */
    uint8_t after;      /* enum etm_after */
    uint8_t last_isa;   /* of the last range, as is */
    uint32_t last_address;
    uint32_t end;
    struct etm_call_cost at;

    struct etm_task *now; /* the task that runs, */
    uint32_t task;        /* and its number */
    uint32_t n_tasks;
    uint64_t turn;
    struct etm_functions functions;

    uint64_t offset, timestamp;
    uint8_t source;
    struct etm_call_cost gap_at; /* where the gap began, after which */
    bool gap_open;               /* its cycles may still come */
    uint32_t gaps, timed_gaps;
    uint64_t gap_cycles;
    bool value_known; /* the task variable was stored in this exception */
    uint32_t value;

    struct etm_vec places; /* struct etm_inlined_place, by a hash */
    struct etm_vec chains; /* struct etm_inlined */
    struct etm_element waiting[ETM_DWT_WAITING];
    size_t n_waiting;
    bool ticking; /* there are local timestamps */

    struct etm_calls_config config;
    struct etm_allocator allocator;
    int status;
    size_t n_batch;
    struct etm_call batch[ETM_CALLS_BATCH];
    struct etm_task tasks[ETM_CALL_TASKS];
};

/* stack.c: of the task that runs */

static inline size_t etm_stack_depth(const struct etm_calls *c)
{
    return c->now->frames.n;
}

/* From the bottom, which is 0. */
static inline struct etm_frame *etm_stack_frame(const struct etm_calls *c,
                                                size_t i)
{
    return (struct etm_frame *)c->now->frames.data + i;
}

/* NULL: there is none. */
static inline struct etm_frame *etm_task_top(const struct etm_task *t)
{
    struct etm_frame *frames = t->frames.data;

    return t->frames.n != 0 ? &frames[t->frames.n - 1] : NULL;
}

static inline struct etm_frame *etm_stack_top(const struct etm_calls *c)
{
    return etm_task_top(c->now);
}

static inline bool etm_frame_is_exception(const struct etm_frame *frame)
{
    return (frame->flags & ETM_CALL_EXCEPTION) != 0;
}

/* No index of a frame. */
#define ETM_NO_FRAME SIZE_MAX

/* A function that begins to run, or is met for the first time. */
void etm_stack_enter(struct etm_calls *c, uint32_t function, uint32_t address,
                     unsigned flags);
/* Enter a frame in two steps, between which it gets what else it has. First a
 * new one, or one of a function (NULL: out of memory); then it is pushed. */
struct etm_frame *etm_stack_push(struct etm_calls *c);
struct etm_frame *etm_stack_function(struct etm_calls *c, uint32_t function,
                                     uint32_t address);
void etm_stack_pushed(struct etm_calls *c, struct etm_frame *frame);
/* Leave the topmost frame. */
void etm_stack_leave(struct etm_calls *c, unsigned flags);
/* Leave frames with these flags until so many are there. */
void etm_stack_unwind(struct etm_calls *c, size_t depth, unsigned flags);
/* The topmost exception, and the frame, above it, that an address returns from;
 * or ETM_NO_FRAME. */
size_t etm_stack_exception(const struct etm_calls *c);
size_t etm_stack_returning(const struct etm_calls *c, uint32_t address);
/* The topmost frame, not below `floor`, of a function. */
size_t etm_stack_running(const struct etm_calls *c, uint32_t function,
                         size_t floor);
/* Look at the topmost frame again. */
void etm_stack_settle(struct etm_calls *c);
/* Give what was told to the caller. */
void etm_stack_flush(struct etm_calls *c);
/* The task that runs is another now. */
void etm_stack_switched(struct etm_calls *c);

/* What a frame that begins now has; then its function is open, and it is
 * told. */
void etm_stack_new(const struct etm_calls *c, struct etm_frame *frame);
void etm_stack_begin(struct etm_calls *c, struct etm_frame *frame);
/* Leave functions that are inlined in the topmost frame, until so many are
 * left. */
void etm_stack_leave_inlined(struct etm_calls *c, size_t n, unsigned flags);

/* inlined.c: the topmost frame runs at an address. ETM_ERR_MEMORY: of init. */
int etm_inlined_init(struct etm_calls *c);
void etm_inlined_fini(struct etm_calls *c);
void etm_inlined_run(struct etm_calls *c, uint32_t address);

/* copy.c: make the state of `to` that of `from`; both were made with the same
 * configuration. What was told and not given yet is not copied: flush `from`
 * before. ETM_ERR_MEMORY: `to` can only be copied to again, or freed. */
int etm_calls_copy(struct etm_calls *to, const struct etm_calls *from);

/* tasks.c */
void etm_tasks_init(struct etm_calls *c);
void etm_tasks_fini(struct etm_calls *c);
/* The context ID is this now. */
void etm_tasks_context(struct etm_calls *c, uint32_t context_id);
/* An exception returned to an address that it did not interrupt: suspend the
 * task, which would have gone on at `wait`, if that is known. */
void etm_tasks_resume(struct etm_calls *c, uint32_t address,
                      const uint32_t *wait);
/* The task has another value of the task variable than the one that runs: go on
 * with that of this value. False: it has not. */
bool etm_tasks_by_value(struct etm_calls *c, uint32_t wait);
/* Go on with the task that waits there, if one does. */
bool etm_tasks_waiting(struct etm_calls *c, uint32_t address);
/* A task may have been suspended, and it or another one that waits there goes
 * on: the one that waited longest. */
void etm_tasks_take_turns(struct etm_calls *c, uint32_t address);
/* A return fits another task that waited at one address with this one: that is
 * the one that went on. False: there is none. */
bool etm_tasks_mistaken(struct etm_calls *c, uint32_t address);
/* Everything is left. */
void etm_tasks_end(struct etm_calls *c);

/* arrive.c: execution goes on at `address`, as c->after says. */
void etm_arrive(struct etm_calls *c, uint32_t address);
/* What ran last is all that is known of what comes next. `timed`: cycles may
 * come that say how long the gap is. */
void etm_arrive_gap(struct etm_calls *c, bool timed);

/* returns.c: a function, or an exception, returned to an address. */
void etm_return_function(struct etm_calls *c, uint32_t address);
void etm_return_exception(struct etm_calls *c, uint32_t address);

/* dwt.c: an exception, and ticks of a local timestamp; exceptions that wait for
 * one happen now. */
void etm_dwt_exception(struct etm_calls *c, const struct etm_element *e);
void etm_dwt_time(struct etm_calls *c, uint64_t delta);
void etm_dwt_flush(struct etm_calls *c);

/* exception.c */
void etm_exception_enter(struct etm_calls *c, const struct etm_element *e);

#endif
