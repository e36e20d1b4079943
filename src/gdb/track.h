/* SPDX-License-Identifier: Apache-2.0 */
/* The values of registers at any place of a history. They are followed from
 * some stretches before the place on. */
#ifndef ETM_GDB_TRACK_H
#define ETM_GDB_TRACK_H

#include "gdb/history.h"
#include "gdb/values.h"

#define ETM_GDB_TRACK_MARKS 64u

struct etm_gdb_track {
    struct etm_gdb_history *history;
    uint64_t before;             /* stretches that are followed, too */
    struct etm_gdb_values empty; /* that nothing was taken of */
    bool marked;                 /* the marks are those of: */
    uint64_t stretch;            /* this one, evenly spaced: */
    uint32_t distance;           /* instructions from one to the next */
    struct etm_gdb_values marks[ETM_GDB_TRACK_MARKS];
    struct etm_gdb_values here;
};

void etm_gdb_track_init(struct etm_gdb_track *track,
                        struct etm_gdb_history *history,
                        const struct etm_config *config,
                        etm_gdb_constants_fn *constants, void *context);

/* The registers where the instruction at the place is about to be executed;
 * valid up to the next call. Errors as for etm_session_run_source(). */
int etm_gdb_track_at(struct etm_gdb_track *track,
                     const struct etm_gdb_place *place,
                     const struct etm_gdb_registers **registers);

#endif
