/* SPDX-License-Identifier: Apache-2.0 */
/* The history of branches, as GDB's `record btrace bts` reads it. */
#ifndef ETM_GDB_BRANCHES_H
#define ETM_GDB_BRANCHES_H

#include "gdb/document.h"
#include "gdb/history.h"

/*
 * Append up to `n` blocks of consecutive instructions to a document, the last
 * one, which ends at the place, first. Errors as for etm_session_run_source().
 */
int etm_gdb_branches(struct etm_gdb_history *history,
                     const struct etm_gdb_place *place, size_t n,
                     struct etm_gdb_document *document);

#endif
