/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2 packets that move the position: between the files of this flow. */
#ifndef ETM_FLOW_ETMV2_SYNC_H
#define ETM_FLOW_ETMV2_SYNC_H

#include "flow/etmv2_flow.h"

/* etmv2_walk.c */
uint32_t etm_etmv2_flow_address(const struct etm_etmv2_flow *flow);
void etm_etmv2_flow_go(struct etm_etmv2_flow *flow, uint32_t address,
                       enum etm_isa isa, uint64_t offset);
void etm_etmv2_flow_nowhere(struct etm_etmv2_flow *flow);
void etm_etmv2_flow_mismatch(struct etm_etmv2_flow *flow, uint64_t offset,
                             uint64_t bytes);
/* An instruction was executed. */
void etm_etmv2_flow_atom(struct etm_etmv2_flow *flow, bool passed,
                         uint64_t offset);
/* A folded branch was (6.1.2). */
void etm_etmv2_flow_phantom(struct etm_etmv2_flow *flow, bool taken,
                            uint64_t offset);

/* etmv2_sync.c; packets have the offset of their cycle */
void etm_etmv2_flow_branch(struct etm_etmv2_flow *flow,
                           const struct etm_packet *p);
void etm_etmv2_flow_tfo(struct etm_etmv2_flow *flow,
                        const struct etm_packet *p);
/* Tracing began with a data instruction in progress that has no status. */
void etm_etmv2_flow_in_progress(struct etm_etmv2_flow *flow);

#endif
