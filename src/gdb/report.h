/* SPDX-License-Identifier: Apache-2.0 */
/* Lists about the whole of a history, as text. */
#ifndef ETM_GDB_REPORT_H
#define ETM_GDB_REPORT_H

#include "gdb/history.h"

/* Receives a line. */
typedef void etm_gdb_line_fn(void *context, const char *text);

/* A gap in words, without an end of line. */
#define ETM_GDB_GAP_TEXT 160u
void etm_gdb_gap_text(const struct etm_element *gap,
                      char text[ETM_GDB_GAP_TEXT]);

/* The gaps, with their offsets; and the functions that executed most
 * instructions. Errors as for etm_session_run_source(). */
int etm_gdb_report_gaps(const struct etm_gdb_history *history,
                        etm_gdb_line_fn *line, void *context);
int etm_gdb_report_profile(const struct etm_gdb_history *history,
                           etm_gdb_line_fn *line, void *context);

/* The address of a function. False: there is none of this name. */
bool etm_gdb_report_function(const struct etm_gdb_history *history,
                             const char *name, uint32_t *address);

#endif
