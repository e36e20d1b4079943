/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a place of a history: by time, cycles, offset. */
#ifndef ETM_GDB_GOTO_H
#define ETM_GDB_GOTO_H

#include "gdb/walk.h"

/* What is known of a place. */
struct etm_gdb_where {
    uint64_t offset;
    double percent; /* of the bytes of the capture */
    bool time_known, cycles_known;
    uint64_t time;   /* the last timestamp before it */
    uint64_t cycles; /* before it */
};

/* Errors as for etm_session_run_source(). */
int etm_gdb_where(struct etm_gdb_history *history,
                  const struct etm_gdb_place *place,
                  struct etm_gdb_where *where);

/* The last timestamp before a place. False: none is known. */
bool etm_gdb_time_at(struct etm_gdb_history *history,
                     const struct etm_gdb_place *place, uint64_t *time);

/* The first instruction at or behind an offset in the capture; behind a
 * timestamp of at least this time; behind so many cycles. The last one, if the
 * trace ends before. ETM_ERR_UNSUPPORTED: there are no times, or no cycles. */
int etm_gdb_goto_offset(struct etm_gdb_history *history, uint64_t offset,
                        struct etm_gdb_place *place);
int etm_gdb_goto_time(struct etm_gdb_history *history, uint64_t time,
                      struct etm_gdb_place *place);
int etm_gdb_goto_cycles(struct etm_gdb_history *history, uint64_t cycles,
                        struct etm_gdb_place *place);

#endif
