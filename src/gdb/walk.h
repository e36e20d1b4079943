/* SPDX-License-Identifier: Apache-2.0 */
/* Going through a history, forwards and backwards, until there is a reason to
 * stop. */
#ifndef ETM_GDB_WALK_H
#define ETM_GDB_WALK_H

#include "gdb/history.h"

enum etm_gdb_reason {
    ETM_GDB_STEPPED,    /* all steps were made */
    ETM_GDB_BREAKPOINT, /* at a wanted address */
    ETM_GDB_WATCHPOINT,
    ETM_GDB_ELEMENT, /* one of the wanted kinds is between here and the last
                        instruction */
    ETM_GDB_BEGIN,   /* there is nothing before */
    ETM_GDB_END,     /* there is nothing behind */
    ETM_GDB_INTERRUPTED
};

struct etm_gdb_walk {
    bool backwards;
    uint64_t steps;     /* 0: no limit */
    uint32_t noted;     /* kinds of elements that are reported */
    uint32_t low, high; /* step as long as it is within; high 0: just step */
    struct etm_gdb_wanted wanted;
    /* Called now and then: true ends it. */
    bool (*interrupted)(void *context);
    void *context;
};

struct etm_gdb_stop {
    enum etm_gdb_reason reason;
    bool crossed; /* something of `noted`, and which, of several the last: */
    struct etm_element element;
    struct etm_element access; /* of WATCHPOINT */
};

/* The first or last instruction. ETM_ERR_NOT_FOUND: there is none. */
int etm_gdb_walk_first(struct etm_gdb_history *history,
                       struct etm_gdb_place *place);
int etm_gdb_walk_last(struct etm_gdb_history *history,
                      struct etm_gdb_place *place);

/* The first instruction of this stretch or behind it, else the last one before
 * it. ETM_ERR_NOT_FOUND. */
int etm_gdb_walk_near(struct etm_gdb_history *history, uint64_t stretch,
                      struct etm_gdb_place *place);

/* Move *place. Errors as for etm_session_run_source(): it has not moved then.
 */
int etm_gdb_walk(struct etm_gdb_history *history, struct etm_gdb_place *place,
                 const struct etm_gdb_walk *how, struct etm_gdb_stop *stop);

#endif
