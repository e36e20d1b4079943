/* SPDX-License-Identifier: Apache-2.0 */
/* What statuses and packets of ETMv2 do: for flow.c, which knows when. */
#ifndef ETM_FLOW_ETMV2_SYNC_H
#define ETM_FLOW_ETMV2_SYNC_H

#include "flow/etmv2/flow.h"

/* walk.c; in a cycle at that offset */

/* An instruction was executed. */
void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset);
/* A folded branch was executed (6.1.2). */
void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset);
/*
 * The records from `p` to `end` while each of them is an instruction within the
 * block: of many only the last one can be cancelled and matters. Nothing is in
 * the FIFO. Returns the number of records taken; the others need a cycle each.
 */
size_t etm_etmv2_flow_run(struct etm_etmv2_flow *flow, const uint8_t *p,
                          const uint8_t *end, uint64_t offset);

/* sync.c; packets have the offset of their cycle */

void etm_etmv2_flow_branch(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p);
void etm_etmv2_flow_tfo(struct etm_etmv2_flow *flow,
                        const struct etm_packet *p);
/* Tracing began with a data instruction in progress that has no status. */
void etm_etmv2_flow_in_progress(struct etm_etmv2_flow *flow);

#endif
