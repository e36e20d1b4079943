/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle.h"
#include "../support/test.h"

#include "isa/insn.h"

#include <etm/program.h>

enum after {
    AFTER_BEGIN = 0,
    AFTER_NEXT,
    AFTER_JUMP,
    AFTER_CALL,
    AFTER_RETURN,
    AFTER_EXCEPTION,
    AFTER_EXCEPTION_RETURN
};

#define PAGE 12 /* bits of an address in a stack */
#define MOV_LR_PC 0xe1a0e00fu

static uint32_t page(uint32_t stack)
{
    return (stack - 1) >> PAGE;
}

static struct oracle_stack *now(struct oracle *o)
{
    return &o->tasks[o->task];
}

static struct oracle_frame *top(struct oracle *o)
{
    return now(o)->n != 0 ? &now(o)->frames[now(o)->n - 1] : NULL;
}

static uint32_t function_of(struct oracle *o, uint32_t address, bool *begins)
{
    struct etm_symbol symbol;

    if (etm_symbols_at(o->symbols, address, &symbol) != ETM_OK) {
        *begins = false;
        return address;
    }
    *begins = symbol.offset == 0;
    return address - symbol.offset;
}

static void push(struct oracle *o, struct oracle_frame frame)
{
    assert_true(now(o)->n < ORACLE_DEPTH);
    now(o)->frames[now(o)->n++] = frame;
}

static void enter(struct oracle *o, const struct oracle_insn *at)
{
    bool begins;
    bool called = o->after == AFTER_CALL;

    push(o, (struct oracle_frame){
                .function = function_of(o, at->address, &begins),
                .stack = at->stack,
                .stack_known = called || o->after == AFTER_EXCEPTION,
                .return_known = called,
                .return_address = o->link});
}

/* The task with this key; a new one has no frames. */
static void choose(struct oracle *o, uint32_t key)
{
    for (size_t i = 0; i < ORACLE_TASKS; i++) {
        struct oracle_stack *s = &o->tasks[i];

        if (!s->used)
            *s = (struct oracle_stack){.used = true, .key = key};
        if (s->key == key) {
            o->task = i;
            return;
        }
    }
    fail_msg("too many tasks");
}

static void leave_exception(struct oracle *o, const struct oracle_insn *at)
{
    struct oracle_stack *s = now(o);

    while (s->n > 0 && !s->frames[s->n - 1].exception)
        s->n--;
    if (s->n > 0)
        s->n--;
    /* in Thread mode, beyond all exceptions, the stack tells the task */
    for (size_t i = 0; i < s->n; i++)
        if (s->frames[i].exception)
            return;
    if (o->pages)
        choose(o, page(at->stack));
}

/* A return: what it leaves lies below the stack pointer. */
static void unwind(struct oracle *o, const struct oracle_insn *at)
{
    while (top(o) && !top(o)->exception) {
        const struct oracle_frame *f = top(o);

        if (!f->stack_known) { /* before the beginning */
            bool begins;

            if (o->after == AFTER_RETURN &&
                function_of(o, at->address, &begins) != f->function)
                now(o)->n--;
            return;
        }
        if (page(f->stack) != page(at->stack))
            return;
        if (at->stack < f->stack ||
            (at->stack == f->stack && o->after != AFTER_RETURN &&
             (!f->return_known || f->return_address != at->address)))
            return;
        now(o)->n--;
    }
}

/* A jump to another function. */
static void move(struct oracle *o, const struct oracle_insn *at)
{
    bool begins;
    uint32_t function = function_of(o, at->address, &begins);

    if (begins && top(o) && !top(o)->exception)
        top(o)->function = function;
}

static void arrive(struct oracle *o, const struct oracle_insn *at)
{
    size_t before;

    switch ((enum after)o->after) {
    case AFTER_BEGIN:
    case AFTER_NEXT:
        break;
    case AFTER_JUMP:
        before = now(o)->n;
        unwind(o, at);
        if (now(o)->n == before)
            move(o, at);
        break;
    case AFTER_CALL:
    case AFTER_EXCEPTION:
        enter(o, at);
        break;
    case AFTER_RETURN:
        unwind(o, at);
        break;
    case AFTER_EXCEPTION_RETURN:
        leave_exception(o, at);
        break;
    }
    if (!top(o) || top(o)->exception)
        enter(o, at);
}

/* What the instruction does, once it has completed. */
static enum after after_insn(struct oracle *o, const struct etm_event *e)
{
    struct etm_insn insn;
    uint32_t op = e->u.insn.opcode;
    uint8_t bytes[4] = {(uint8_t)op, (uint8_t)(op >> 8), (uint8_t)(op >> 16),
                        (uint8_t)(op >> 24)};
    bool two_parts = o->last_opcode == MOV_LR_PC;

    if (e->u.insn.isa == ETM_ISA_THUMB && e->u.insn.size == 4) {
        bytes[0] = (uint8_t)(op >> 16);
        bytes[1] = (uint8_t)(op >> 24);
        bytes[2] = (uint8_t)op;
        bytes[3] = (uint8_t)(op >> 8);
    }
    etm_insn_decode(&insn, (enum etm_isa)e->u.insn.isa, o->profile,
                    e->u.insn.address, bytes, e->u.insn.size);
    o->last_opcode = op;
    if (e->u.insn.exception_return)
        return AFTER_EXCEPTION_RETURN;
    if (!e->u.insn.passed || (insn.type != ETM_INSN_TYPE_DIRECT &&
                              insn.type != ETM_INSN_TYPE_INDIRECT))
        return AFTER_NEXT;
    if (etm_insn_returns_from_exception(&insn))
        return AFTER_EXCEPTION_RETURN;
    if ((insn.flags & ETM_INSN_RETURN) != 0)
        return AFTER_RETURN;
    o->link = e->u.insn.address + e->u.insn.size;
    if ((insn.flags & ETM_INSN_LINK) != 0 ||
        (insn.type == ETM_INSN_TYPE_INDIRECT && two_parts))
        return AFTER_CALL;
    return AFTER_JUMP;
}

static void take_exception(struct oracle *o, const struct etm_event *e)
{
    struct oracle_stack *s = now(o);

    if (e->u.exception.chain == ETM_CHAIN_TAIL) {
        while (s->n > 0 && !s->frames[s->n - 1].exception)
            s->n--;
        assert_true(s->n > 0);
        s->n--;
    } else if (o->after == AFTER_EXCEPTION) {
        /* the handler of the one before has not begun; its end is that of the
         * exception */
        enter(o, &(struct oracle_insn){.address = o->handler, .stack = 0});
    }
    o->handler = e->u.exception.next.address;
    push(o, (struct oracle_frame){.function = e->u.exception.type,
                                  .exception = true});
    o->after = AFTER_EXCEPTION;
}

/* Complete the instruction at which it stands, as far as it arrives somewhere
 * before an exception. */
static void reach(struct oracle *o, const struct etm_event *insn)
{
    struct oracle_insn at = *oracle_at(o);

    if (o->after == AFTER_NEXT || o->after == AFTER_BEGIN ||
        o->after == AFTER_EXCEPTION)
        return;
    at.address = insn->u.insn.next.address;
    /* the stack pointer is not seen there; an exception return pops a frame
     * from that stack */
    for (size_t i = oracle_at(o)->event; i < o->event; i++)
        if (o->events[i].kind == ETM_EVENT_STACKING)
            at.stack = o->events[i + 1].u.data.address + 32;
    if (o->after == AFTER_RETURN && top(o) && top(o)->stack_known)
        at.stack = top(o)->stack;
    arrive(o, &at);
    o->after = AFTER_NEXT;
}

bool oracle_next(struct oracle *o)
{
    const struct etm_event *last = NULL;

    if (o->insn > 0) {
        last = &o->events[oracle_at(o)->event];
        o->after = (int)after_insn(o, last);
    } else {
        choose(o, o->pages ? page(o->insns[0].stack) : 0);
    }
    for (; o->event < o->n_events; o->event++) {
        const struct etm_event *e = &o->events[o->event];

        if (e->kind == ETM_EVENT_EXCEPTION) {
            if (e->u.exception.chain != ETM_CHAIN_TAIL && last)
                reach(o, last);
            take_exception(o, e);
        } else if (e->kind == ETM_EVENT_CONTEXT && o->contexts) {
            choose(o, e->u.context.context_id);
        } else if (e->kind == ETM_EVENT_INSN) {
            const struct oracle_insn *at = &o->insns[o->insn++];

            assert_int_equal(at->event, o->event);
            if (at->cancelled && !o->keeps_cancelled)
                continue;
            o->event++;
            arrive(o, at);
            return true;
        }
    }
    return false;
}
