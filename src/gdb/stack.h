/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who called whom, and which tasks there are, at any place of a history: the
 * engine of <etm/program.h> in the state that it has there. It begins some
 * mebibytes of trace before the place; callers that were entered earlier are
 * not known.
 */
#ifndef ETM_GDB_STACK_H
#define ETM_GDB_STACK_H

#include "analyze/calls.h"
#include "gdb/history.h"

#include <etm/write.h>

/* States at the beginnings of stretches that were passed, and at places within
 * the current one. */
#define ETM_GDB_LANDMARKS 16u
#define ETM_GDB_MARKS 32u

struct etm_gdb_landmark {
    uint64_t stretch, begin; /* reached from the beginning of this one */
    uint64_t used;           /* by a counter; 0: it is none */
    struct etm_calls *calls;
};

struct etm_gdb_stacks {
    struct etm_gdb_history *history;
    struct etm_session_names names;
    struct etm_calls_config config;
    uint64_t uses;
    struct etm_gdb_landmark landmarks[ETM_GDB_LANDMARKS];
    bool marked;       /* the marks are those of: */
    uint64_t stretch;  /* this one, evenly spaced: */
    uint32_t distance; /* instructions from one to the next */
    struct etm_calls *marks[ETM_GDB_MARKS];
    struct etm_calls *here; /* of `place`, if it is known */
    bool placed;
    struct etm_gdb_place place;
};

/* ETM_ERR_MEMORY. In any case it is to be freed. `variable` is NULL, or the
 * address of a variable that tells the task. */
int etm_gdb_stacks_init(struct etm_gdb_stacks *stacks,
                        struct etm_gdb_history *history,
                        const uint32_t *variable);
void etm_gdb_stacks_fini(struct etm_gdb_stacks *stacks);

/* The engine where the instruction at the place is about to be executed; valid
 * up to the next call. Errors as for etm_session_run_source(). */
int etm_gdb_stacks_at(struct etm_gdb_stacks *stacks,
                      const struct etm_gdb_place *place,
                      const struct etm_calls **calls);

#endif
