/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as the data that were traced tell it: what the processor stored or
 * loaded there last. */
#ifndef ETM_GDB_MEMORY_H
#define ETM_GDB_MEMORY_H

#include "gdb/history.h"

/* Bytes of one request. */
#define ETM_GDB_MEMORY_MOST 64u

/*
 * Look for the last transfers of up to ETM_GDB_MEMORY_MOST bytes before a
 * place, as far back as is worth waiting for. Bit i of the result: bytes[i] is
 * known.
 */
uint64_t etm_gdb_memory_at(struct etm_gdb_history *history,
                           const struct etm_gdb_place *place, uint32_t address,
                           uint8_t *bytes, size_t n);

#endif
