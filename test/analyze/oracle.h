/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call stack by the stack pointer: a call enters a function, which is left
 * where execution returns with the stack pointer at, or beyond, what it was on
 * entry. What the engine of <etm/program.h> finds in a trace is compared with it.
 */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include "base/vec.h"

#include <etm/model.h>
#include <etm/program.h>

#define ORACLE_DEPTH 200u
#define ORACLE_TASKS 8u

struct oracle_frame {
    uint32_t function; /* where it begins; of an exception, its type */
    bool exception;
    bool stack_known, return_known;
    uint32_t stack; /* on entry */
    uint32_t return_address;
};

struct oracle_stack {
    size_t n;
    struct oracle_frame frames[ORACLE_DEPTH];
    bool used;
    uint32_t key; /* the page of its stack, or its context ID */
};

/* One instruction that ran. */
struct oracle_insn {
    uint32_t address;
    uint32_t stack;
    size_t event;
    uint32_t segment; /* of trace: counted from 1 */
    bool cancelled;
    bool traced;
};

struct oracle {
    const struct etm_event *events;
    size_t n_events;
    struct oracle_insn *insns;
    size_t n_insns;
    enum etm_profile profile;
    bool contexts;        /* context IDs tell the tasks, */
    bool pages;           /* or pages of stacks */
    bool keeps_cancelled; /* ETMv1, ETMv2: an exception does not take an
                             instruction back (4.5.3) */
    struct etm_symbols *symbols;

    size_t event, insn; /* the next ones */
    struct oracle_stack tasks[ORACLE_TASKS];
    size_t task;
    int after; /* enum in oracle.c */
    uint32_t link;
    uint32_t handler; /* of the exception that was taken last */
    uint32_t last_opcode;
};

/* Go on up to the beginning of the next instruction that completes. False:
 * there is none. */
bool oracle_next(struct oracle *o);

/* The instruction at which it stands, and the stack there. */
static inline const struct oracle_insn *oracle_at(const struct oracle *o)
{
    return &o->insns[o->insn - 1];
}

static inline const struct oracle_stack *oracle_stack(const struct oracle *o)
{
    return &o->tasks[o->task];
}

#endif
